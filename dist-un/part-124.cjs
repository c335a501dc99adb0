"use strict";const part_6HBEUU6S=(()=>{const {
  covers,
  loadOptions,
  readWorkspace,
  sourcesFor,
  workspaceFile,
  writtenEntries
}=require("./part-105.cjs").part_TEBTU3WD;const {
  load
}=require("./part-105.cjs").part_EABJC5VV;const {
  readDocuments
}=require("./part-97.cjs").part_UADL7KU7;const {
  changedSince
}=require("./part-72.cjs").part_VZPGGW2W;const {
  GitError,
  workTreeOf
}=require("./part-83.cjs").part_LFMTYGTI;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  Problems,
  hasErrors,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { join:join2, relative }=require("node:path");const { existsSync }=require("node:fs");const { realpath }=require("node:fs/promises");const { join, sep }=require("node:path");;
;
;
;
;
;
;
;
;

// src/cli/workspace-stacks.ts
;

// src/cli/changed-stacks.ts
;
;
;
async function narrowToChanged(stacks, ref, folder, host) {
  const changes = await changedSince(ref, folder, host.env).catch((error) => {
    throw error instanceof GitError ? unknownRef(ref, error) : error;
  });
  if (!changes)
    return {
      stacks,
      notes: [
        `All stacks are selected: the local history is too short to reach ${cleanLine(ref)}. Fetch more history (in GitHub Actions: \`fetch-depth: 0\`).`
      ]
    };
  const real = await realpath(folder);
  const entryChanged = await changedEntries(stacks, real, changes);
  const notes = [];
  const touched = [];
  const unread = [];
  for (const stack of stacks) {
    const isUnread = hasErrors(stack.look.diagnostics);
    if (isUnread) unread.push(stack.id);
    if (isUnread || entryChanged(stack) || await isTouched(stack, real, changes)) touched.push(stack);
  }
  if (unread.length > 0)
    notes.push(
      `${unread.join(", ")}: selected, since ${count(unread.length, "configuration")} cannot be fully read.`
    );
  return { stacks: touched, notes };
}
async function isTouched({ look }, folder, { files }) {
  for (const file of look.behind) {
    if (files.has(file)) return true;
    const target = await realpath(file).catch(() => file);
    if (files.has(target)) return true;
  }
  const top = workTreeOf(folder) ?? folder;
  const whole = look.desired.folders.map((name) => join(name.startsWith("/") ? top : folder, name));
  return [...files].some(
    (file) => /\.ya?ml$/i.test(file) && whole.some((one) => file.startsWith(`${one}${sep}`)) && !existsSync(file)
  );
}
async function changedEntries(stacks, folder, { files, before }) {
  const file = join(folder, workspaceFile);
  if (!files.has(file)) return () => false;
  const text = await before(file);
  if (text === void 0) return () => true;
  const diagnostics = [];
  const maps = await readDocuments({ path: file, name: workspaceFile, text }, [], diagnostics);
  const written = writtenEntries(maps ?? [], diagnostics);
  if (hasErrors(diagnostics)) return () => true;
  const known = new Map(stacks.map(({ entry }) => [entry, coveredBy(written, entry.path)]));
  return ({ entry, stage }) => {
    const old = known.get(entry);
    if (!old || [...old.needs].sort().join("\n") !== [...entry.needs].sort().join("\n")) return true;
    return stage !== void 0 && old.stages !== void 0 && !old.stages.includes(stage);
  };
}
var coveredBy = (written, path) => written.find((one) => one.path === path) ?? written.find((one) => covers(one.path, path));
var unknownRef = (ref, { lines, reason }) => new Problems([
  problem(
    "changed/unknown",
    `cannot tell what changed since ${ref}: ${reason === "outside" ? "this folder is not in a git work tree" : lines.at(-1) ?? "git gave no reason"}`,
    { hint: "name a branch, tag or commit that exists here: --changed-since origin/main" }
  )
]);

// src/cli/workspace-stacks.ts
async function workspaceStacks(provider, options, run) {
  const { folder: top, entries: listed } = await readWorkspace(run.host.cwd, options.workspace);
  const folder = options.workspace === void 0 ? top : run.host.cwd;
  const entries = listed.map((entry) => ({ ...entry, file: relative(folder, join2(top, entry.file)) }));
  const here = inFolder(run, folder);
  const common = withAbsolutePaths(options, run);
  const wrong = [];
  const byPath = /* @__PURE__ */ new Map();
  for (const entry of entries) {
    const look = (stage) => lookAt(provider, { ...common, ...chosenBy(entry, stage) }, entry.owns, here);
    const whole = await look(entry.stages?.[0]);
    wrong.push(...unknownStages(entry, whole));
    const stages = whole.stages.length === 0 ? [void 0] : entry.stages ?? whole.stages;
    const stacks2 = [];
    for (const [at, stage] of stages.entries())
      stacks2.push({
        id: stage === void 0 ? entry.path : `${entry.path}@${stage}`,
        path: entry.path,
        ...stage === void 0 ? {} : { stage },
        needs: [],
        look: at === 0 && (stage === void 0 || entry.stages) ? whole : await look(stage),
        entry
      });
    byPath.set(entry.path, stacks2);
  }
  for (const stacks2 of byPath.values())
    for (const stack of stacks2)
      stack.needs = stack.entry.needs.flatMap((path) => neededOf(stack, byPath.get(path)));
  const all = inOrder([...byPath.values()].flat());
  wrong.push(...sameLedger(all));
  if (wrong.length > 0) throw new Problems(wrong);
  if (options.changedSince === void 0) return { folder, all, chosen: all, notes: [] };
  const { stacks, notes } = await narrowToChanged(all, options.changedSince, top, run.host);
  return { folder, all, chosen: stacks, notes };
}
var chosenBy = ({ file }, stage) => ({ file: [file], ...stage === void 0 ? {} : { stage } });
var inFolder = ({ host }, folder) => ({
  host: { ...host, cwd: folder },
  exitCode: 0
});
function withAbsolutePaths(options, { host }) {
  const { tokenFile, varFile } = options;
  return {
    ...options,
    ...tokenFile === void 0 ? {} : { tokenFile: pathOn(host, tokenFile) },
    ...varFile ? { varFile: varFile.map((file) => pathOn(host, file)) } : {},
    guardsFrom: host.cwd
  };
}
async function lookAt(provider, options, owns, run) {
  return load({ ...loadOptions(provider, options, run), owns, sources: sourcesFor(options, run.host) });
}
function unknownStages({ path, stages, at }, look) {
  if (hasErrors(look.diagnostics) && look.stages.length === 0) return [];
  return (stages ?? []).filter((stage) => !look.stages.includes(stage)).map(
    (stage) => problem("stage/unknown", `the stack \`${path}\` has no stage \`${stage}\``, {
      at,
      hint: look.stages.length === 0 ? "its configuration has no `stages`" : `its stages are ${look.stages.map((name) => `\`${name}\``).join(", ")}`
    })
  );
}
function neededOf({ stage }, needed) {
  const same = needed.filter((one) => one.stage !== void 0 && one.stage === stage);
  return (same.length > 0 ? same : needed).map(({ id }) => id);
}
function sameLedger(stacks) {
  const first = /* @__PURE__ */ new Map();
  return stacks.flatMap((stack) => {
    const { stack: name } = stack.look.desired;
    const other = first.get(name);
    if (name === "" || !other) {
      first.set(name, stack);
      return [];
    }
    return [
      problem("workspace/same-name", `${other.id} and ${stack.id} are both named \`${name}\``, {
        at: stack.entry.at,
        hint: "they would share a ledger: give each its own `stack:` name"
      })
    ];
  });
}
function inOrder(stacks) {
  const byId = new Map(stacks.map((stack) => [stack.id, stack]));
  const ordered = /* @__PURE__ */ new Set();
  const add = (stack) => {
    if (ordered.has(stack)) return;
    for (const id of stack.needs) add(byId.get(id));
    ordered.add(stack);
  };
  stacks.forEach(add);
  return [...ordered];
}
async function inTurn(stacks, task) {
  const under = /* @__PURE__ */ new Map();
  for (const stack of stacks) {
    const needs = stack.needs.filter((id) => under.has(id));
    const work = async () => {
      const done2 = await Promise.all(needs.map(async (id) => [id, await under.get(id)]));
      return task(stack, new Map(done2));
    };
    under.set(stack.id, work());
  }
  const done = /* @__PURE__ */ new Map();
  for (const [id, one] of under) done.set(id, await one);
  return done;
}

return{workspaceStacks:workspaceStacks,chosenBy:chosenBy,inFolder:inFolder,withAbsolutePaths:withAbsolutePaths,inTurn:inTurn};})();exports.part_6HBEUU6S=part_6HBEUU6S;
const part_WM3J7ALJ=(()=>{const {
  openRepository
}=require("./part-83.cjs").part_LFMTYGTI;;

// src/git/origin.ts
async function defaultBranch(folder, env) {
  const { git } = await openRepository(folder, env);
  const ask = (...args) => git(args).then(
    (said) => said.trim(),
    () => ""
  );
  const ofOrigin = await ask("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD");
  if (ofOrigin !== "") return ofOrigin.slice("refs/remotes/origin/".length);
  const refs = (await ask("for-each-ref", "--format=%(refname)", "refs/remotes/origin", "refs/heads/")).split(
    "\n"
  );
  for (const folderOf of ["refs/remotes/origin/", "refs/heads/"]) {
    const names = refs.filter((ref) => ref.startsWith(folderOf)).map((ref) => ref.slice(folderOf.length));
    const usual = names.filter((name) => name === "main" || name === "master");
    if (usual.length === 1) return usual[0];
    if (names.length === 1) return names[0];
    if (names.length > 0) return void 0;
  }
  const unborn = await ask("symbolic-ref", "--quiet", "HEAD");
  return unborn === "" ? void 0 : unborn.slice("refs/heads/".length);
}
async function originPath(folder, env) {
  const { git } = await openRepository(folder, env);
  const url = await git(["remote", "get-url", "origin"]).then(
    (said) => said.trim(),
    () => ""
  );
  return pathIn(url);
}
function pathIn(url) {
  const [, path] = /^(?:(?:https?|ssh|git):\/\/[^/]+\/|[^/:]+:)(.+)$/.exec(url) ?? [];
  return path?.replace(/^\/+|(?:\.git)?\/*$/g, "") || void 0;
}

return{defaultBranch:defaultBranch,originPath:originPath};})();exports.part_WM3J7ALJ=part_WM3J7ALJ;
