"use strict";const part_D6UEXJAS=(()=>{const {
  isRepositoryName,
  isSignedJob
}=require("./part-99.cjs").part_CL5QIPCR;const {
  isSignedOutcome
}=require("./part-99.cjs").part_QX3DRI5V;const {
  startedBy
}=require("./part-94.cjs").part_YZ7UDJWV;const {
  originPath
}=require("./part-124.cjs").part_WM3J7ALJ;const {
  workspaceStacks
}=require("./part-124.cjs").part_6HBEUU6S;const {
  readWorkspace
}=require("./part-105.cjs").part_TEBTU3WD;const {
  standard
}=require("./part-84.cjs").part_GNPU5WKB;const {
  require_picomatch
}=require("./part-63.cjs").part_QPVMELDP;const {
  currentPullRequest
}=require("./part-15.cjs").part_BAXXSSA2;const {
  GitError,
  openRepository,
  workTreeOf
}=require("./part-83.cjs").part_LFMTYGTI;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;const { randomUUID }=require("node:crypto");const { realpath }=require("node:fs/promises");const { relative, sep }=require("node:path");;
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

// src/cli/fleet-jobs.ts
;
;
;

// src/fleet/refusal.ts
var import_picomatch = __toESM(require_picomatch(), 1);
var Refused = class extends Error {
};
function refusalOf(job, { key, repositories }) {
  if (key && !isSignedJob(job, key))
    return job.mac === void 0 ? "it has no MAC, and a worker with a key requires one" : "its MAC was not made with the key here: it was changed, or signed with another key";
  if (!key && job.action === "apply") return "a worker without a key only plans";
  const repository = repositories.get(job.repository);
  if (!repository) return `this worker's file does not list the repository ${job.repository}`;
  if (job.action !== "round" && !isAllowed(job.stack, repository))
    return `this worker's file does not allow the stack ${job.stack} of ${job.repository}`;
  return void 0;
}
var isAllowed = (stack, { stacks }) => stacks.some((glob) => matchesStack(glob, stack));
var matchesStack = (glob, stack) => {
  const isMatch = (0, import_picomatch.default)(glob);
  return isMatch(stack) || isMatch(stack.replace(/@[^@]*$/, ""));
};
function unmetNeed(needs, outcomes, key) {
  for (const job of needs) {
    const outcome = outcomes.get(job);
    if (!outcome || outcome.job !== job || key && !isSignedOutcome(outcome, key))
      return { job, why: "not known" };
    if (outcome.state !== "done") return { job, why: "not done" };
  }
  return void 0;
}

// src/cli/fleet-jobs.ts
async function chosenJobs(provider, options, terminal) {
  const { run } = terminal;
  refuseUnclear(options);
  const commit = await checkedOut(options.commit, run.host);
  const repository = await repositoryName(options.repository, run.host);
  const found = await workspaceStacks(provider, { ...standard, ...options }, run);
  for (const note of found.notes) terminal.err(cleanLine(note));
  const pull = options.pullRequest ?? currentPullRequest(run.host)?.number;
  const { actor } = startedBy(run.host.env);
  return {
    stacks: meant(found, options.glob),
    folder: found.folder,
    common: {
      ...{ format: 1, batch: randomUUID(), repository, commit },
      folder: await folderInside(options.workspace, run),
      ...actor ? { by: actor.name.slice(0, 300) } : {},
      ...pull === void 0 ? {} : { pull }
    }
  };
}
function refuseUnclear({ all, glob, changedSince }) {
  const given = [all, glob, changedSince].filter((one) => one !== void 0 && one !== false);
  if (given.length === 1) return;
  throw new Problems([
    problem(
      "fleet/which",
      given.length === 0 ? "no stacks were named" : "more than one selection of stacks was given",
      {
        hint: "pass one of --all, a glob such as `sites/*`, or --changed-since REF"
      }
    )
  ]);
}
function meant({ chosen }, glob) {
  const stacks = glob === void 0 ? chosen : chosen.filter(({ id }) => matchesStack(glob, id));
  if (glob !== void 0 && stacks.length === 0)
    throw new Problems([
      problem("fleet/which", `no stack of this workspace matches ${JSON.stringify(glob)}`, {
        hint: "`trueup stacks` lists them"
      })
    ]);
  return stacks;
}
async function checkedOut(wanted, host) {
  const wrong = (message, hint) => new Problems([problem("fleet/commit", message, { hint })]);
  const here = await openRepository(host.cwd, host.env).then(({ git }) => git(["rev-parse", "--verify", "HEAD^{commit}"])).catch((error) => {
    if (!(error instanceof GitError)) throw error;
    throw wrong(
      "a job needs a commit, and none is checked out here",
      "run this in a checkout of the repository"
    );
  });
  const id = here.trim();
  if (wanted === void 0 || wanted.length >= 7 && id.startsWith(wanted.toLowerCase())) return id;
  throw wrong(
    `the commit that is checked out here is ${id}, not ${cleanLine(wanted)}`,
    "check out that commit: the list of stacks comes from the files here"
  );
}
async function repositoryName(given, host) {
  const name = given ?? await originPath(host.cwd, host.env).catch(() => void 0);
  if (name !== void 0 && isRepositoryName(name)) return name;
  throw new Problems([
    problem(
      "fleet/repository",
      name === void 0 ? "the repository's name is not known" : `${JSON.stringify(name)} is not a valid repository name`,
      { hint: "give the name that it has in the workers' files: --repository acme/shop" }
    )
  ]);
}
async function folderInside(workspace, { host }) {
  const { folder } = await readWorkspace(host.cwd, workspace);
  const real = await realpath(folder);
  return relative(workTreeOf(real) ?? real, real).split(sep).join("/");
}
function jobsOf({ stacks, common }, more) {
  const ids = new Map(stacks.map(({ id }) => [id, randomUUID()]));
  return stacks.map(
    (stack) => ({
      ...common,
      ...more(stack),
      id: ids.get(stack.id),
      stack: stack.id,
      ledger: stack.look.desired.stack || stack.id,
      needs: stack.needs.flatMap((need) => ids.get(need) ?? [])
    })
  );
}

return{Refused:Refused,refusalOf:refusalOf,isAllowed:isAllowed,matchesStack:matchesStack,unmetNeed:unmetNeed,chosenJobs:chosenJobs,repositoryName:repositoryName,jobsOf:jobsOf};})();exports.part_D6UEXJAS=part_D6UEXJAS;
