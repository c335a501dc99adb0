"use strict";const part_QQTIDIH5=(()=>{const {
  isReview
}=require("./part-19.cjs").part_D3YXR7F6;const {
  listOf,
  readGuards
}=require("./part-35.cjs").part_GHYH6KYJ;const {
  noProgram,
  wordsOf
}=require("./part-97.cjs").part_BQI24POO;const {
  isOfCommit
}=require("./part-84.cjs").part_GNPU5WKB;const {
  findProgram,
  readRegularFile
}=require("./part-97.cjs").part_UADL7KU7;const {
  matcherOf,
  require_picomatch
}=require("./part-63.cjs").part_QPVMELDP;const {
  asksForNothing
}=require("./part-80.cjs").part_YAMT22MG;const {
  isOpenAction
}=require("./part-80.cjs").part_R4CIL4FR;const {
  planJson
}=require("./part-88.cjs").part_IIODRIIT;const {
  forecast
}=require("./part-88.cjs").part_M4ULKWWU;const {
  GitError,
  openRepository,
  visibleEnv,
  workTreeOf
}=require("./part-83.cjs").part_LFMTYGTI;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  wholesOf
}=require("./part-106.cjs").part_AQPNOW65;const {
  count,
  durationText
}=require("./part-106.cjs").part_J6NNXEVI;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
  Problems,
  problem,
  warning
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;const { realpath }=require("node:fs/promises");const path=require("node:path");const { spawn }=require("node:child_process");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/cli/open-guards.ts
;
;

// src/guards/judge.ts
var import_picomatch = __toESM(require_picomatch(), 1);
function judge(plan, guards, judging) {
  const changes = [
    ...plan.changes.filter(({ action, renews }) => action !== "noop" && !renews),
    ...brought(plan),
    ...following(plan)
  ];
  if (changes.length === 0 && plan.operations.length === 0) return [];
  return [
    ...guards.deny.flatMap((one) => denied(changes, one, plan)),
    ...beyond(plan, changes, guards, judging),
    ...guards.freeze.flatMap((one) => frozen(changes, one, plan, judging))
  ];
}
var following = ({ actions = [] }) => actions.filter(isOpenAction).map(({ action: run, about = run, grade }) => ({
  ...{ address: about, kind: run, action: "update", grade, fields: [], run }
}));
function brought({ gone = [], changes }) {
  const known = new Set(
    changes.filter(({ action }) => action === "delete" || action === "replace").map(({ address }) => address)
  );
  return gone.filter(({ address }) => !known.has(address)).map(({ address, kind }) => ({ address, kind, action: "delete", grade: "destructive", fields: [] }));
}
function denied(changes, guard, plan) {
  if (!isOfStack(guard.stack, plan)) return [];
  const [kinds, actions, grades, causes] = [
    listOf(guard.kind),
    listOf(guard.action),
    listOf(guard.grade),
    listOf(guard.cause)
  ];
  const isAt = addressTest(guard.at);
  const isField = fieldTest(listOf(guard.field));
  const runs = listOf(guard.run);
  const isRun = runs ? (0, import_picomatch.default)(runs) : () => true;
  const isMeant = ({ address, kind, action, grade, fields, run }) => isAt(address) && (!runs || run !== void 0 && isRun(run)) && (!kinds || kinds.includes(kind)) && (!actions || actions.some((one) => one === action || one === "delete" && action === "replace")) && (!grades || grades.includes(grade)) && (!guard.field && !causes || fields.some(({ path: path2, cause }) => isField(path2) && (!causes || causes.includes(cause))));
  const met = changes.filter(isMeant);
  if (met.length === 0) return [];
  return [
    refusal(problem, "guards/denied", met, guard, (what) => `the guards refuse to ${deedOf(met, what)}`)
  ];
}
function beyond(plan, changes, { limits }, { pace }) {
  const { requests, seconds } = forecast(plan, pace);
  const cost = wholesOf(plan.changes.filter(({ permissions }) => permissions?.includes("cost"))).length;
  const deletions = plan.gone?.length ?? changes.filter(({ action }) => action === "delete").length;
  const measured = { deletions, requests, cost, duration: seconds };
  const said = {
    deletions: (number) => `deletes ${count(number, "object")}`,
    requests: (number) => `sends ${count(number, "request")}`,
    cost: (number) => `has ${count(number, "change")} that cost money`,
    duration: (number) => `takes about ${durationText(number * 1e3)}`
  };
  return Object.keys(measured).flatMap((name) => {
    const limit = limits[name];
    if (!limit || measured[name] <= limit.most) return [];
    const most2 = name === "duration" ? durationText(limit.most * 1e3) : limit.most;
    return [
      problem("guards/limit", `this plan ${said[name](measured[name])}; the guards allow ${most2}`, {
        hint: "split it (--target), or ask the owner of the guards",
        related: [{ message: "the limit", at: limit.place }]
      })
    ];
  });
}
function frozen(changes, guard, plan, { now, writes }) {
  const isNow = Date.parse(guard.from) <= now && now < Date.parse(guard.until);
  if (!isNow || !isOfStack(guard.stack, plan)) return [];
  const met = changes.filter(({ address }) => addressTest(guard.at)(address));
  if (met.length === 0) return [];
  const say = writes ? problem : warning;
  return [refusal(say, "guards/freeze", met, guard, (what) => `${what} is frozen until ${guard.until}`)];
}
var fewNames = 3;
function refusal(say, code, met, { message, place }, words) {
  const wholes = wholesOf(met).map(([one]) => one);
  const [first] = wholes;
  const names = wholes.slice(0, fewNames).map(({ address }) => address);
  const more = wholes.length - names.length;
  const what = `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return say(code, `${words(what)}: ${message}`, {
    ...wholes.length === 1 ? { address: first.address } : {},
    ...first.at ? { at: first.at } : {},
    related: [{ message: "the guard", at: place }]
  });
}
function deedOf(changes, what) {
  const [run, another] = new Set(changes.map((change) => change.run));
  if (run !== void 0 && another === void 0)
    return run === what ? `run ${run}` : `run ${run} on ${what}`;
  const [action, other] = new Set(changes.map((change) => change.action));
  return `${other === void 0 ? action : "change"} ${what}`;
}
function isOfStack(stack, plan) {
  const globs = listOf(stack);
  return !globs || (0, import_picomatch.default)(globs)(plan.stack);
}
function addressTest(at) {
  const globs = listOf(at);
  return globs ? matcherOf(globs) : () => true;
}
function fieldTest(globs) {
  if (!globs) return () => true;
  const test = (0, import_picomatch.default)(globs, { dot: true });
  return (path2) => {
    const steps = path2.split(".");
    return steps.some((_, at) => test(steps.slice(0, at + 1).join(".")));
  };
}

// src/guards/run-check.ts
;
var patience = 5 * 6e4;
var most = { lines: 40, characters: 8e3 };
async function runCheck({ words, command: [program, ...args] }, json, { cwd, env, mask }) {
  const { output, ending } = await new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: visibleEnv(env),
      stdio: "pipe",
      shell: false,
      windowsHide: true,
      timeout: patience,
      killSignal: "SIGKILL"
    });
    let output2 = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output2 = (output2 + text).slice(-2 * most.characters);
      });
    child.once(
      "error",
      (error) => resolve({ output: output2, ending: `could not be started (${systemText(error)})` })
    );
    child.once(
      "close",
      (code, signal) => resolve({
        output: output2,
        ending: code === 0 ? void 0 : signal === "SIGKILL" ? "did not finish in time" : `ended with ${signal ?? `exit code ${code}`}`
      })
    );
    child.stdin.on("error", () => {
    });
    child.stdin.end(json);
  });
  if (ending === void 0) return [];
  const said = mask(output).trim();
  return [
    problem("guards/check", [`the check \`${words}\` ${ending}`, ...shortened(said)].join("\n"), {
      hint: "the plan is rejected: fix what the check reports, or ask its owner"
    })
  ];
}
function shortened(said) {
  if (said === "") return ["(no output)"];
  const lines = said.slice(-most.characters).split(/\r?\n/);
  const left = lines.length - most.lines;
  return left > 0 ? [`... ${left} earlier lines`, ...lines.slice(left)] : lines;
}

// src/cli/open-guards.ts
async function openGuards(provider, options, { files, masking, writes, ...given }) {
  const host = { ...given.host, cwd: options.guardsFrom ?? given.host.cwd };
  const file = options.guards || host.env.TRUEUP_GUARDS;
  if (!file && !options.check?.length) return void 0;
  const judged = isReview(host) ? await workTreesOf(files) : [];
  const guards = file ? await readGuards(
    file,
    await textOf(file, host, judged),
    provider.kinds.map(({ name }) => name),
    async () => [...(await provider.dayTwo()).actions.keys()]
  ) : void 0;
  const checks = await Promise.all((options.check ?? []).map((words) => checkOf(words, host, judged)));
  const answers = /* @__PURE__ */ new Map();
  const ask = (check, json) => {
    const key = `${check.words}
${json}`;
    const answer = answers.get(key) ?? runCheck(check, json, { cwd: host.cwd, env: host.env, mask: (text) => masking.mask(text) });
    answers.set(key, answer);
    return answer;
  };
  return {
    ...guards ? { file: guards.file, digest: guards.digest } : {},
    ...checks.length > 0 ? { checks: checks.map(({ words }) => words) } : {},
    async judge(plan) {
      if (asksForNothing(plan)) return [];
      const { pace } = provider;
      const { reads: _, ...lasting } = plan;
      const json = jsonText(planJson(lasting, pace));
      const asked = await Promise.all(checks.map((check) => ask(check, json)));
      const own = guards ? judge(plan, guards, { now: host.clock.now(), pace, writes }) : [];
      return [...own, ...asked.flat()];
    }
  };
}
var maxBytes = 1024 * 1024;
async function textOf(given, host, judged) {
  if (!isOfCommit(given)) return textIn(given, host, judged);
  const at = given.indexOf(":");
  return textAt(given.slice(0, at), given.slice(at + 1), given, host, judged);
}
async function textIn(given, host, judged) {
  try {
    const real = await realpath(pathOn(host, given));
    const bytes = await readRegularFile(real, maxBytes);
    if (!Buffer.isBuffer(bytes))
      throw new Error(bytes === "special" ? "it is not a file" : "it has more than 1 MB");
    if (judged.includes(workTreeOf(path.dirname(real)) ?? "")) throw beside(given);
    return bytes.toString("utf8");
  } catch (error) {
    throw error instanceof Problems ? error : unreadable(given, error.message);
  }
}
async function textAt(ref, name, given, host, judged) {
  try {
    const here = await realpath(host.cwd);
    const top = workTreeOf(here);
    const { git } = await openRepository(here, host.env);
    const commitOf = async (one) => (await git(["rev-parse", "--verify", "--end-of-options", `${one}^{commit}`])).trim();
    const commit = await commitOf(ref);
    if (top !== void 0 && judged.includes(top) && commit === await commitOf("HEAD")) throw beside(given);
    const at = /^\.\.?\//.test(name) ? path.relative(top, path.resolve(here, name)).replaceAll("\\", "/") : name;
    return await git(["cat-file", "blob", `${commit}:${at}`]);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw unreadable(given, error.lines.join(" "));
  }
}
var unreadable = (given, why) => new Problems([
  problem("guards/unreadable", `the guards ${given} cannot be read: ${why}`, {
    hint: "pass a file, or a file in a commit such as origin/main:guards.yaml (a shallow checkout must fetch that commit first); nothing is planned without guards"
  })
]);
var beside = (given) => new Problems([
  problem("guards/beside", `the guards ${given} are part of the pull request that they judge`, {
    hint: "use those of a protected branch (--guards origin/main:guards.yaml), or a file from another checkout"
  })
]);
async function workTreesOf(files) {
  const folders = await Promise.all(
    files.map((file) => realpath(path.dirname(file)).catch(() => path.dirname(file)))
  );
  return [...new Set(folders.map((folder) => workTreeOf(folder) ?? folder))];
}
async function checkOf(words, { env, cwd }, judged) {
  const [name, ...args] = wordsOf(words) ?? [];
  const refuse = (message) => new Problems([
    problem("guards/check", `--check ${JSON.stringify(words)}: ${message}`, {
      hint: "a program and its arguments, for example --check 'conftest test -'"
    })
  ]);
  if (!name) throw refuse("there is no program");
  const given = /[/\\]/.test(name) ? path.resolve(cwd, name) : name;
  const program = await findProgram(given, { env, outside: judged });
  if (!program)
    throw refuse(
      judged.length > 0 ? noProgram(name) : `there is no program ${JSON.stringify(name)} that can be run`
    );
  return { words, command: [program.path, ...args] };
}

return{openGuards:openGuards};})();exports.part_QQTIDIH5=part_QQTIDIH5;
const part_OEDZY6DY=(()=>{const {
  openGuards
}=part_QQTIDIH5;require("./part-19.cjs").part_D3YXR7F6;require("./part-35.cjs").part_GHYH6KYJ;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-84.cjs").part_GNPU5WKB;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-63.cjs").part_QPVMELDP;require("./part-80.cjs").part_EIXR7FAL;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
return{openGuards:openGuards};})();exports.part_OEDZY6DY=part_OEDZY6DY;
