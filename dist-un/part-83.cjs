"use strict";const part_LFMTYGTI=(()=>{const {
  remembered
}=require("./part-80.cjs").part_MQHVXKRH;const { spawn }=require("node:child_process");const { setTimeout:sleep }=require("node:timers/promises");const { existsSync }=require("node:fs");const { realpath }=require("node:fs/promises");const path=require("node:path");const { dirname, join, sep }=require("node:path");;

// src/git/git.ts
;
;
var GitError = class extends Error {
  /**
   * `missing`: there is no such program. `old`: it lacks what keeps foreign repositories out. `outside`: the folder is in no work tree.
   * `embedded`: what `.git` names is made of files of the work tree.
   */
  reason;
  /** The lines of git's message, without credentials. */
  lines;
  constructor(reason, stderr) {
    const lines = withoutCredentials(stderr).split("\n").map((line) => line.trim()).filter((line) => line !== "");
    super(lines.join("\n"));
    this.reason = reason;
    this.lines = lines;
  }
};
var patience = 12e4;
function gitIn(cwd, env, longest = patience) {
  const run = (args, input = "", encoding = "utf8") => new Promise((resolve, reject) => {
    const child = spawn("git", [...settings, ...args], {
      cwd,
      // What git says is looked at: in English, please. And an object is what its name says, not what was put in its place here.
      env: { ...env, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_NO_REPLACE_OBJECTS: "1" },
      // In a session of its own: Ctrl-C is for us, and a ledger is not left half sent.
      detached: true,
      windowsHide: true,
      timeout: longest,
      killSignal: "SIGKILL"
    });
    const [out, err] = [[], []];
    child.stdout.setEncoding(encoding).on("data", (text) => out.push(text));
    child.stderr.setEncoding("utf8").on("data", (text) => err.push(text));
    child.once(
      "error",
      (error) => reject(new GitError(error.code === "ENOENT" ? "missing" : "failed", error.message))
    );
    child.once("close", (code, signal) => {
      if (code === 0) resolve(out.join(""));
      else if (signal) reject(new GitError("timeout", err.join("") || `it was ended by ${signal}`));
      else reject(new GitError("failed", err.join("") || `it ended with exit code ${code}`));
    });
    child.stdin.on("error", () => {
    });
    child.stdin.end(input);
  });
  return async (...given) => {
    for (let left = mostTries; ; left--)
      try {
        return await run(...given);
      } catch (error) {
        if (left <= 1 || !isOvertaken(given[0], error)) throw error;
        await sleep(Math.random() * 100 * (mostTries - left + 1));
      }
  };
}
var mostTries = 8;
var isOvertaken = (args, error) => args.includes("fetch") && error instanceof GitError && /shallow file has changed|shallow\.lock/.test(error.message);
var settings = [
  // A folder of the work tree can look like a repository, with settings that run programs.
  ["safe.bareRepository", "explicit"],
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["submodule.recurse", "false"],
  // CI has no name, and the commits are not a person's anyway.
  ["user.name", "trueup"],
  ["user.email", "trueup@localhost"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"]
].flatMap(([name, value]) => ["-c", `${name}=${value}`]);
var withoutCredentials = (text) => text.replace(/:\/\/[^/\s'"]*@/g, "://***@");

// src/git/repository.ts
;
;
;

// src/model/visible-env.ts
var visibleEnv = (env) => Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith("TRUEUP_")));

// src/git/repository.ts
var oldest = [2, 38];
async function openRepository(folder, env) {
  const top = workTreeOf(await realpath(folder));
  if (top === void 0) throw new GitError("outside", `${folder} is not in a git work tree`);
  const opened = remembered(env, "repositories", () => /* @__PURE__ */ new Map());
  const known = opened.get(top) ?? open(top, env);
  opened.set(top, known);
  known.catch(() => opened.delete(top));
  return known;
}
async function gitFor(folder, env, longest) {
  const own = await envFor(folder, env);
  const git = gitIn(folder, own, longest);
  await requireVersion(git, own.PATH ?? "");
  return git;
}
async function open(top, env) {
  const git = await gitFor(top, env);
  const found = await git([
    "rev-parse",
    "--path-format=absolute",
    "--is-inside-work-tree",
    "--is-shallow-repository",
    "--git-dir",
    "--git-common-dir"
  ]);
  const [isInside, isShallow, ownFolder, commonFolder] = found.split("\n");
  if (isInside !== "true") throw new GitError("outside", `${top} is not a work tree of its repository`);
  for (const place of await Promise.all([ownFolder, commonFolder].map((one) => realpath(one))))
    if (isIn(place, top) && !isIn(place, path.join(top, ".git")))
      throw new GitError("embedded", `${path.join(top, ".git")} names ${place}`);
  return { git, commonFolder, isShallow: isShallow === "true" };
}
var newEnough = /* @__PURE__ */ new Set();
async function requireVersion(git, searched) {
  if (newEnough.has(searched)) return;
  const said = await git(["--version"]);
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(said)?.slice(1) ?? []).map(Number);
  if (major > oldest[0] || major === oldest[0] && minor >= oldest[1]) {
    newEnough.add(searched);
    return;
  }
  throw new GitError("old", `this is ${said.trim() || "a git without a version"}`);
}
var misleading = new Set(
  [
    "DIR WORK_TREE INDEX_FILE COMMON_DIR OBJECT_DIRECTORY ALTERNATE_OBJECT_DIRECTORIES NAMESPACE PREFIX",
    "IMPLICIT_WORK_TREE INTERNAL_SUPER_PREFIX GRAFT_FILE SHALLOW_FILE REPLACE_REF_BASE QUARANTINE_PATH"
  ].flatMap((names) => names.split(" ").map((name) => `GIT_${name}`))
);
async function envFor(top, env) {
  const entries = Object.entries(visibleEnv(env)).filter(([name]) => !misleading.has(name.toUpperCase()));
  return Object.fromEntries(
    await Promise.all(
      entries.map(
        async ([name, value]) => name.toUpperCase() === "PATH" && value !== void 0 ? [name, await pathOutside(value, top)] : [name, value]
      )
    )
  );
}
async function pathOutside(given, top) {
  const folders = given.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const kept = [];
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => void 0);
    const isPackages = folder.split(path.sep).includes("node_modules");
    if (real !== void 0 && !isPackages && !isIn(real, top)) kept.push(folder);
  }
  if (kept.length === 0) throw new GitError("missing", "PATH has no folder outside the repository");
  return kept.join(path.delimiter);
}
var isIn = (place, folder) => place === folder || place.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
var atOnce = 200;
var trackingBy = (env) => remembered(env, "tracking", () => askingGit(env));
function askingGit(env) {
  const repositories = /* @__PURE__ */ new Map();
  const repositoryOf = (workTree) => {
    const known = repositories.get(workTree) ?? openRepository(workTree, env).catch(() => void 0);
    repositories.set(workTree, known);
    return known;
  };
  const answers = /* @__PURE__ */ new Map();
  const ask = async (workTree, some) => {
    const repository = await repositoryOf(workTree);
    const said = await repository?.git(["--literal-pathspecs", "ls-files", "-z", "--", ...some]).catch(() => void 0);
    return new Set(said?.split("\0"));
  };
  return {
    workTreeOf: async (folder) => workTreeOf(await realpath(folder).catch(() => folder)),
    async tracked(workTree, files) {
      const keyOf = (file) => `${workTree}\0${file}`;
      const isNew = files.filter((file) => !answers.has(keyOf(file)));
      for (let at = 0; at < isNew.length; at += atOnce) {
        const some = isNew.slice(at, at + atOnce);
        const said = ask(workTree, some);
        for (const file of some)
          answers.set(
            keyOf(file),
            said.then((tracked) => tracked.has(file))
          );
      }
      const isTracked = await Promise.all(files.map((file) => answers.get(keyOf(file))));
      return new Set(files.filter((_, at) => isTracked[at]));
    }
  };
}
function workTreeOf(folder) {
  for (let at = folder; ; at = dirname(at)) {
    const place = join(at, ".git");
    const isFile = existsSync(place) && !existsSync(place + sep);
    if (isFile || existsSync(join(place, "HEAD"))) return at;
    if (dirname(at) === at) return void 0;
  }
}

return{visibleEnv:visibleEnv,GitError:GitError,openRepository:openRepository,gitFor:gitFor,trackingBy:trackingBy,workTreeOf:workTreeOf};})();exports.part_LFMTYGTI=part_LFMTYGTI;
const part_S43BEQVM=(()=>{const {
  plainly
}=require("./part-80.cjs").part_LGUCBGM4;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;const {
  byText
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cutAround,
  fold
}=require("./part-80.cjs").part_6VCGJOTY;const {
  clean,
  cleanLine,
  errorLines
}=require("./part-80.cjs").part_D2V2PUP6;;
;
;
;
;

// src/report/diagnostics-text.ts
function diagnosticsText(diagnostics, { style }) {
  if (diagnostics.length === 0) return "";
  const sorted = [...diagnostics].sort(
    (a, b) => rank(a) - rank(b) || byPlace(a.at, b.at) || byText(a.address ?? "", b.address ?? "")
  );
  const number = (severity) => diagnostics.filter((one) => one.severity === severity).length;
  const counts = ["error", "warning"].filter((severity) => number(severity) > 0);
  const text = [
    ...sorted.map((diagnostic) => lines(diagnostic, style).join("\n")),
    style.strong(counts.map((severity) => count(number(severity), severity)).join(", "))
  ].join("\n\n");
  return plainly(text, style);
}
function lines(diagnostic, style) {
  const { message, hint } = errorLines(diagnostic);
  const code = `[${cleanLine(diagnostic.code)}]`;
  const [label, paint] = diagnostic.severity === "error" ? ["Error:", style.alarm] : ["Warning:", style.warn];
  const [first, ...more] = fold(`${label} ${message[0]} ${code}`, style.prose, "  ");
  const title = (line) => {
    const told = line.endsWith(code) ? line.slice(0, -code.length).trimEnd() : line;
    if (told === line) return style.strong(line);
    return told === "" ? style.quiet(code) : `${style.strong(told)} ${style.quiet(code)}`;
  };
  return [
    `${paint(label)} ${title(first.slice(label.length + 1))}`,
    ...more.map((line) => `  ${title(line.trimStart())}`),
    ...message.slice(1).flatMap((line) => fold(`  ${line}`, style.prose, "  | ")),
    ...place(diagnostic, style),
    ...(diagnostic.related ?? []).flatMap(({ message: message2, at }) => [
      ...fold(`  ${cleanLine(message2)}: ${placeName(at)}`, style.prose, "  "),
      ...snippet(at, style)
    ]),
    ...hintLines(hint, style)
  ];
}
var hintLines = (hint, style) => hint.flatMap((line, at) => {
  if (at > 0) return fold(`  ${line}`, style.prose, "  | ");
  return fold(`  -> ${line}`, style.prose, "     ").map(
    (part) => part.replace(/^ {2}->/, () => `  ${style.adopt("->")}`)
  );
});
function place({ at, address }, style) {
  if (at) return [`  ${style.quiet("at")} ${placeName(at)}`, ...snippet(at, style)];
  return address === void 0 ? [] : [`  ${style.quiet("at")} ${cleanLine(address)}`];
}
var placeName = ({ file, line, column }) => `${cleanLine(file)}:${line}:${column}`;
var rank = ({ severity }) => severity === "error" ? 0 : 1;
function byPlace(a, b) {
  if (!a || !b) return a ? -1 : b ? 1 : 0;
  return byText(a.file, b.file) || a.line - b.line || a.column - b.column;
}
function snippet({ line, column, text, caret = column - 1 }, style) {
  if (text === void 0) return [];
  const shown = (part) => clean(part).replace(/\n/g, " ").replaceAll("	", "  ");
  const gutter = String(line).padStart(5);
  const before = shown(text.slice(0, caret));
  const around = cutAround(before + shown(text.slice(caret)), before.length, style.width - gutter.length - 4);
  return [
    `${style.quiet(`${gutter} |`)} ${around.text}`.trimEnd(),
    `${style.quiet(`${" ".repeat(gutter.length)} |`)} ${" ".repeat(around.column)}${style.alarm("^")}`
  ];
}

return{diagnosticsText:diagnosticsText,hintLines:hintLines};})();exports.part_S43BEQVM=part_S43BEQVM;
