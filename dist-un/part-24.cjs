"use strict";const part_DURDQVJP=(()=>{const {
  dropPlan,
  keepPlan,
  keptPlan
}=require("./part-116.cjs").part_J2MIUYTM;const {
  planCounts
}=require("./part-52.cjs").part_MSWUXDIR;const {
  Refused,
  isAllowed,
  jobsOf,
  matchesStack,
  refusalOf,
  unmetNeed
}=require("./part-20.cjs").part_D6UEXJAS;const {
  withQueueOf
}=require("./part-54.cjs").part_MXSMLU4P;const {
  isRepositoryName,
  signedJob
}=require("./part-99.cjs").part_CL5QIPCR;const {
  nextOf,
  signedOutcome
}=require("./part-99.cjs").part_QX3DRI5V;const {
  parseSavedPlan,
  shownPlan
}=require("./part-116.cjs").part_HBWHGLK5;require("./part-94.cjs").part_YZ7UDJWV;const {
  documentsFor,
  findKeyIn,
  storeFor
}=require("./part-96.cjs").part_VFFBCGY7;const {
  thisHolder,
  whoOf
}=require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  exitCodes
}=require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_WM3J7ALJ;const {
  workspaceStacks
}=require("./part-124.cjs").part_6HBEUU6S;const {
  isFile,
  readWorkspace
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;const {
  standard
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;const {
  parseYaml
}=require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-63.cjs").part_QPVMELDP;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;const {
  isEmpty
}=require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;const {
  describe,
  entryOf
}=require("./part-84.cjs").part_XK3EKDRU;const {
  Source,
  positionOf
}=require("./part-84.cjs").part_CV56RMV4;const {
  hintFor,
  quoted,
  sortDiagnostics
}=require("./part-84.cjs").part_IUECLPFZ;require("./part-106.cjs").part_LKZTNYVU;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;const {
  GitError,
  gitFor
}=require("./part-83.cjs").part_LFMTYGTI;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  hasErrors,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { mkdir:mkdir3, readFile:readFile2, rm:rm3, writeFile:writeFile2 }=require("node:fs/promises");const { isAbsolute, join:join3 }=require("node:path");const { existsSync }=require("node:fs");const { mkdir, mkdtemp, realpath, rm }=require("node:fs/promises");const path=require("node:path");const { randomUUID:randomUUID2 }=require("node:crypto");const { Readable, Writable }=require("node:stream");const { appendFile, readFile, writeFile }=require("node:fs/promises");const { join:join2 }=require("node:path");const { randomUUID }=require("node:crypto");const { mkdir:mkdir2, realpath:realpath2, rm:rm2 }=require("node:fs/promises");const { join, sep }=require("node:path");;
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

// src/cli/fleet-work.ts
;
;

// src/fleet/fleet-file.ts
var example = "repositories: { acme/shop: { url: https://git.example.com/acme/shop.git, branch: main } }";
var members = ["url", "branch", "stacks", "comments"];
async function readFleetFile(file, text) {
  const source = new Source(file, text);
  const { documents, diagnostics } = await parseYaml(source);
  const [root, another] = documents;
  const reader = new Reader(diagnostics);
  if (another) reader.say("the file of a fleet must have a single document", another);
  const found = root?.type === "map" && !hasErrors(diagnostics) ? reader.repositories(root) : void 0;
  if (!found && !hasErrors(diagnostics))
    diagnostics.push(
      problem("fleet/file", `${file} names no repositories: it is ${root ? describe(root) : "empty"}`, {
        hint: example
      })
    );
  source.quote();
  if (!found || hasErrors(diagnostics)) throw new Problems(sortDiagnostics(diagnostics));
  return found;
}
var Reader = class {
  #diagnostics;
  constructor(diagnostics) {
    this.#diagnostics = diagnostics;
  }
  say(message, node, hint) {
    this.#diagnostics.push(
      problem("fleet/file", message, { at: positionOf(node.at), ...hint ? { hint } : {} })
    );
  }
  repositories(root) {
    const found = /* @__PURE__ */ new Map();
    this.#refuseUnknown(root, ["repositories"], "the file of a fleet");
    const all = entryOf(root, "repositories")?.value;
    if (all?.type !== "map" || all.entries.length === 0) {
      this.say("`repositories` must be a map of repositories by name", all ?? root, example);
      return found;
    }
    for (const { key, value } of all.entries) {
      if (!isRepositoryName(key.text))
        this.say(
          `${quoted(key.text)} is not a valid repository name`,
          key,
          "letters, digits, `.`, `-`, `_` and `/`: acme/shop"
        );
      if (value.type !== "map")
        this.say(`a repository is a map with \`url\` and \`branch\`, not ${describe(value)}`, value, example);
      else found.set(key.text, this.#repository(value));
    }
    return found;
  }
  #repository(map) {
    this.#refuseUnknown(map, members, "a repository");
    const url = this.#text(map, "url");
    if (url.startsWith("-") || /^[a-z][\w+.-]*::/i.test(url))
      this.say("this `url` is not one that git can fetch from", entryOf(map, "url").value);
    const branch = this.#text(map, "branch");
    if (!/^\w[\w./-]*$/.test(branch) && branch !== "")
      this.say(`${quoted(branch)} is not a valid branch name`, entryOf(map, "branch").value);
    const comments = entryOf(map, "comments")?.value;
    return {
      url,
      branch,
      stacks: this.#texts(map, "stacks") ?? ["**"],
      ...comments ? { comments: this.#comments(comments) } : {}
    };
  }
  #comments(node) {
    const hint = "`comments: { github: acme/shop }`, or `{ gitlab: 1234 }`, the number of the project";
    const nothing = { github: "" };
    if (node.type !== "map" || node.entries.length !== 1) {
      this.say("`comments` names one place", node, hint);
      return nothing;
    }
    const [{ key, value }] = node.entries;
    const text = value.type === "scalar" ? value.text : "";
    if (key.text === "github" && /^[\w.-]+\/[\w.-]+$/.test(text)) return { github: text };
    if (key.text === "gitlab" && /^\d+$/.test(text)) return { gitlab: text };
    this.say(`\`comments\` cannot be ${quoted(key.text)}: ${quoted(text)}`, value, hint);
    return nothing;
  }
  #text(map, name) {
    const node = entryOf(map, name)?.value;
    if (node?.type === "scalar" && node.value !== null && node.text !== "") return node.text;
    this.say(`this repository has no \`${name}\``, node ?? map, example);
    return "";
  }
  #texts(map, name) {
    const node = entryOf(map, name)?.value;
    if (!node) return void 0;
    const items = node.type === "list" ? node.items : [node];
    return items.flatMap((item) => {
      if (item.type === "scalar" && item.value !== null && item.text !== "") return [item.text];
      this.say(`\`${name}\` must be a list of globs, not ${describe(item)}`, item, "stacks: [dns, 'shop@*']");
      return [];
    });
  }
  #refuseUnknown(map, known, what) {
    for (const { key } of map.entries)
      if (!known.includes(key.text) && !key.text.startsWith("x-"))
        this.say(`${what} has no ${quoted(key.text)}`, key, hintFor(key.text, known));
  }
};

// src/git/mirror.ts
;
;
;
var longest = 30 * 6e4;
var fresh = 3e4;
async function openMirror({ folder, checkouts, url, env, now }) {
  await mkdir(folder, { recursive: true });
  const place = await realpath(folder);
  const plain = await gitFor(place, env, longest);
  await removeInUse(path.join(place, "worktrees"));
  if (!existsSync(path.join(place, "HEAD"))) await plain(["init", "--quiet", "--bare", place]);
  const git = (args, ...more) => plain([`--git-dir=${place}`, ...args], ...more);
  await git(["config", "remote.origin.url", url]);
  await git(["config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"]);
  let fetched = Number.NEGATIVE_INFINITY;
  let ready = Promise.resolve();
  const alone = (work) => {
    const result = ready.then(work);
    ready = result.catch(() => {
    });
    return result;
  };
  const flags = ["--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
  const fetchBranches = async () => {
    if (now() - fetched < fresh) return;
    await git(["fetch", ...flags, "--prune", "origin"]);
    fetched = now();
  };
  const isHere = (commit) => git(["cat-file", "-e", `${commit}^{commit}`]).then(
    () => true,
    () => false
  );
  const bring = async (commit) => {
    if (await isHere(commit)) return;
    fetched = Number.NEGATIVE_INFINITY;
    await fetchBranches();
    if (!await isHere(commit)) await git(["fetch", ...flags, "--refmap=", "origin", commit]);
  };
  let idle2 = [];
  const added = (commit) => alone(async () => {
    await bring(commit);
    const folder2 = await mkdtemp(path.join(await realpath(checkouts), `${path.basename(place)}-`));
    await git(["worktree", "add", "--quiet", "--detach", "--force", "--", folder2, commit]);
    return { commit, folder: folder2 };
  });
  const removed = (folder2) => alone(async () => {
    await rm(folder2, { recursive: true, force: true });
    await git(["worktree", "prune"]);
  });
  const refOf = (branch) => `refs/remotes/origin/${branch}`;
  return {
    head: (branch) => alone(async () => {
      fetched = Number.NEGATIVE_INFINITY;
      await fetchBranches();
      return (await git(["rev-parse", "--verify", "--end-of-options", `${refOf(branch)}^{commit}`])).trim();
    }),
    isOn: (commit, branch) => alone(async () => {
      await fetchBranches();
      await bring(commit).catch(() => {
      });
      if (!await isHere(commit)) return false;
      try {
        await git(["merge-base", "--is-ancestor", commit, refOf(branch)]);
        return true;
      } catch (error) {
        if (error instanceof GitError && /exit code 1$/.test(error.message)) return false;
        throw error;
      }
    }),
    checkOut: async (commit) => {
      const known = idle2.findIndex((one) => one.commit === commit);
      const { folder: folder2 } = known >= 0 ? idle2.splice(known, 1)[0] : await added(commit);
      return {
        folder: folder2,
        done: async () => {
          const old = idle2.filter((one) => one.commit !== commit);
          if (old.length > 0) idle2 = idle2.filter((one) => one.commit === commit);
          for (const one of old) await removed(one.folder);
          if (await isClean(folder2, env)) idle2.push({ commit, folder: folder2 });
          else await removed(folder2);
        }
      };
    }
  };
}
var removeInUse = (folder) => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
async function isClean(folder, env) {
  const git = await gitFor(folder, env);
  const said = await git(["status", "--porcelain", "--ignored", "--untracked-files=all"]).catch(
    () => "unknown"
  );
  return said === "";
}

// src/cli/fleet-job.ts
;

// src/cli/fleet-job-host.ts
;
var ofWorker = ["TRUEUP_FLEET", "TRUEUP_COMMENT_TOKEN", "GITHUB_TOKEN"];
function jobHost({ host, again, stopping }, cwd) {
  const [out, err] = [kept(), kept()];
  let leave = () => {
  };
  const left = new Promise((done) => {
    leave = done;
  });
  const listeners = /* @__PURE__ */ new Set();
  const member = {
    ...host,
    stdin: Readable.from([]),
    stdout: out.stream,
    stderr: err.stream,
    env: {
      ...Object.fromEntries(Object.entries(host.env).filter(([name]) => !ofWorker.includes(name))),
      CI: "true"
    },
    cwd,
    onSignal: (_, listener) => {
      const one = () => listener();
      listeners.add(one);
      return () => void listeners.delete(one);
    },
    exit: (code) => leave(code),
    engine: { ...host.engine, starting: () => {
    }, started: () => {
    } }
  };
  return {
    host: member,
    out: out.text,
    err: err.text,
    /** Runs the command line. `stops`: a signal to the worker stops it, as one of its own would. */
    async run(argv, stops) {
      const tell = () => {
        for (const listener of [...listeners]) listener();
        if (listeners.size === 0) leave(exitCodes.interrupted);
      };
      if (stops) stopping.add(tell);
      try {
        return await Promise.race([again(argv, member), left]);
      } finally {
        stopping.delete(tell);
      }
    }
  };
}
function kept() {
  const parts = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      parts.push(String(chunk));
      done();
    }
  });
  return { stream, text: () => parts.join("") };
}

// src/cli/run-job.ts
;
;

// src/cli/workshop.ts
;
;
;
var mostSaid = 2e3;
async function inCheckout(job, commit, { mirror, under }, work) {
  const { folder: top, done } = await mirror.checkOut(commit);
  const folder = join(under, "jobs", randomUUID());
  try {
    await mkdir2(folder, { recursive: true });
    const cwd = await realpath2(join(top, job.folder)).catch(() => void 0);
    if (cwd === void 0) throw new Refused(`there is no folder ${job.folder} in ${commit}`);
    if (cwd !== top && !cwd.startsWith(top + sep))
      throw new Refused(`the folder ${job.folder} leads out of the repository`);
    return await work({ folder, cwd });
  } finally {
    await rm2(folder, { recursive: true, force: true });
    await done().catch(() => {
    });
  }
}

// src/cli/run-job.ts
async function runJob(place, job, attempt, { shop, repository, say }) {
  const { folder, cwd } = place;
  const plan = join2(folder, "plan.json");
  const report = join2(folder, "report.md");
  const words = await wordsFor(job, cwd, shop);
  const member = jobHost(shop, cwd);
  const { host } = member;
  const documents = documentsFor(job.ledger, shop.options, host);
  if (job.action === "apply") {
    const kept2 = await keptPlan(documents);
    if (kept2?.saved.checksum !== job.plan) return goneResult(job, kept2 !== void 0, shop, host);
    await writeFile(plan, kept2.text, { mode: 384 });
  }
  const command = {
    plan: ["plan", "--out", plan, "--format", "markdown"],
    drift: ["plan", "--drift-exitcode", "--format", "markdown"],
    apply: ["apply", plan, "--report", report, "--lock-wait", "120"]
  }[job.action];
  const exit = await member.run([...command, ...words], job.action === "apply");
  await keepLog(job, member, shop);
  const next = nextOf(job, exit, attempt);
  if (next === "later") return "later";
  if (job.action !== "apply") await writeFile(report, member.out());
  await keepReport(job, report, shop);
  const told = await resultFrom(job, { exit, next, plan }, member, documents);
  await tellPullRequest(job, report, repository, shop, say);
  return told;
}
async function wordsFor({ stack }, cwd, { options }) {
  const { folder, entries } = await readWorkspace(cwd, cwd);
  const at = stack.lastIndexOf("@");
  const entry = entries.find(({ path: path2 }) => path2 === stack) ?? entries.find(({ path: path2 }) => at > 0 && path2 === stack.slice(0, at));
  if (!entry) throw new Refused(`there is no stack ${stack} in the workspace of this commit`);
  const stage = entry.path === stack ? [] : [`--stage=${stack.slice(at + 1)}`];
  return [
    `--file=${join2(folder, entry.file)}`,
    ...stage,
    ...options.ledger === void 0 ? [] : [`--ledger=${options.ledger}`],
    ...options.ledgerIndex === void 0 ? [] : [`--ledger-index=${options.ledgerIndex}`]
  ];
}
async function goneResult({ ledger, plan }, isOther, { key, options }, host) {
  const store = await storeFor(ledger, options, host, key);
  const held = await store.read();
  store.requireVerified();
  if (held?.plan === plan) return { state: "done", plan, said: "it was already applied; nothing to do" };
  throw new Refused(
    isOther ? "another plan has replaced the approved one" : "the approved plan does not exist"
  );
}
async function resultFrom(job, { exit, next, plan }, member, documents) {
  const said = next === "failed" ? { said: member.err().slice(-mostSaid).trim() } : {};
  const result = { state: next, exit, ...said };
  if (job.action === "drift") return { ...result, drift: exit === 2 };
  if (next === "failed") return result;
  if (job.action === "apply") {
    await dropPlan(documents, job.plan).catch(() => {
    });
    return { ...result, plan: job.plan };
  }
  const text = await readFile(plan, "utf8");
  const saved = parseSavedPlan(text, "the plan");
  if (saved.stack !== job.ledger)
    throw new Problems([
      problem(
        "fleet/stack",
        `${job.stack} is called ${saved.stack} at this commit, and the job was made for ${job.ledger}`
      )
    ]);
  if (saved.seal !== void 0) await keepPlan(documents, text);
  const shown = shownPlan(saved);
  return {
    ...result,
    plan: saved.checksum,
    isEmpty: isEmpty(shown),
    changes: planCounts(shown)
  };
}
async function keepLog({ id }, member, { folder }) {
  await appendFile(join2(folder, "reports", `${id}.log`), member.err());
}
async function keepReport({ id }, report, { folder }) {
  const text = await readFile(report, "utf8").catch(() => "");
  if (text !== "") await writeFile(join2(folder, "reports", `${id}.md`), text);
}
async function tellPullRequest(job, report, { comments }, shop, say) {
  const isTold = job.action === "apply" || job.action === "plan" && job.pull !== void 0;
  if (!comments || !isTold || await readFile(report, "utf8").catch(() => "") === "") return;
  const member = jobHost(shop, shop.folder);
  const { env } = shop.host;
  const own = "github" in comments ? {
    GITHUB_TOKEN: env.GITHUB_TOKEN,
    GITHUB_REPOSITORY: comments.github,
    GITHUB_EVENT_NAME: "push",
    // What the worker itself may run in is another job.
    GITHUB_EVENT_PATH: void 0,
    GITHUB_SHA: job.commit
  } : {
    TRUEUP_COMMENT_TOKEN: env.TRUEUP_COMMENT_TOKEN,
    GITLAB_CI: "true",
    CI_PROJECT_ID: comments.gitlab,
    CI_COMMIT_SHA: job.commit
  };
  member.host.env = { ...member.host.env, ...own };
  const pull = job.pull === void 0 ? [] : [`--pull-request=${job.pull}`];
  const exit = await member.run(["comment", report, ...pull], false);
  if (exit !== 0) say(`could not update the pull request: ${member.err().trim().split("\n")[0]}`);
}

// src/cli/fleet-job.ts
async function doJob(job, attempt, shop) {
  const { host, terminal, worker, key } = shop;
  const begun = host.clock.monotonic();
  const name = job.action === "round" ? `round of ${job.repository}` : `${job.action} ${job.stack}`;
  const say = (text) => terminal.err(cleanLine(`${job.id.slice(0, 8)} ${name}: ${text}`));
  say(attempt === 0 ? "started" : `started again, attempt ${attempt + 1}`);
  let result;
  try {
    result = await resultOf(job, attempt, shop, say);
  } catch (error) {
    result = failedBy(error, attempt);
  }
  if (result === "later") {
    say("postponed: the queue will retry it");
    return "later";
  }
  const seconds = Math.round(host.clock.monotonic() - begun) / 1e3;
  say(`${result.state}${result.said === void 0 ? "" : `: ${result.said.split("\n")[0]}`}, ${seconds} s`);
  return signedOutcome({ ...result, job: job.id, worker, seconds }, key);
}
var mostTries = 2;
function failedBy(error, attempt) {
  if (error instanceof Refused) return { state: "refused", said: error.message };
  if (attempt < mostTries) return "later";
  const texts = error instanceof Problems ? error.diagnostics.map(({ message }) => message) : [error.message];
  return { state: "failed", said: texts.join("\n").slice(0, mostSaid) };
}
async function resultOf(job, attempt, shop, say) {
  const refusal = refusalOf(job, shop);
  if (refusal !== void 0) throw new Refused(refusal);
  const repository = shop.repositories.get(job.repository);
  const mirror = await shop.mirrorOf(job.repository, repository.url);
  if (job.action === "round") return doRound(job, { mirror, repository }, shop);
  const unmet = unmetNeed(job.needs, await shop.queue.outcomes(shop.lane, job.needs), shop.key);
  if (unmet)
    return {
      state: "skipped",
      said: `it needs the job ${unmet.job}, which ${unmet.why === "not done" ? "was not done" : "is not known to be done"}`
    };
  if (shop.key && !await mirror.isOn(job.commit, repository.branch))
    throw new Refused(
      `the commit ${job.commit} is not on ${repository.branch}, and a worker with a key accepts no other`
    );
  return inCheckout(
    job,
    job.commit,
    { mirror, under: shop.folder },
    (place) => runJob(place, job, attempt, { shop, repository, say })
  );
}
async function doRound(job, { mirror, repository }, shop) {
  const commit = await mirror.head(repository.branch);
  return inCheckout(job, commit, { mirror, under: shop.folder }, async ({ cwd }) => {
    const { host } = jobHost(shop, cwd);
    const found = await workspaceStacks(
      shop.provider,
      { ...standard, workspace: cwd },
      { host, exitCode: 0 }
    );
    const stacks = found.all.filter(({ id }) => matchesStack(job.stacks, id) && isAllowed(id, repository));
    const { repository: name, folder, by } = job;
    const common = {
      format: 1,
      batch: randomUUID2(),
      repository: name,
      folder,
      commit,
      ...by ? { by } : {}
    };
    const jobs = jobsOf({ stacks, folder: cwd, common }, () => ({ action: "drift" }));
    await shop.queue.send(
      shop.lane,
      jobs.map((one) => signedJob(one, shop.key))
    );
    return { state: "done", enqueued: jobs.length };
  });
}

// src/cli/fleet-work.ts
async function workOn(provider, options, run, again) {
  const terminal = terminalFor(run, options);
  const { host } = run;
  const key = await keyFor(options, host);
  refuseLostLedger(options, host);
  const repositories = await readFleetFile(options.file, await fileText(options.file, host));
  const folder = pathOn(host, options.folder);
  const leave = await takeFolder(folder, options.folder, host);
  try {
    await withQueueOf(
      options,
      terminal,
      async (queue) => {
        const shop = {
          ...{ repositories, key, queue, folder, host, terminal, again, provider, options },
          lane: key ? "signed" : "open",
          mirrorOf: mirrors(folder, host),
          stopping: /* @__PURE__ */ new Set(),
          worker: whoOf(thisHolder(host))
        };
        await workUntilSignal(queue, shop, options, terminal);
      },
      true
    );
  } finally {
    await leave();
  }
}
async function keyFor({ plansOnly }, host) {
  const key = await findKeyIn(host);
  if (plansOnly && key)
    throw new Problems([
      problem("fleet/key", "a worker with --plans-only must not have a key, and this one has one", {
        hint: "remove TRUEUP_LEDGER_KEY from its environment, or drop --plans-only for a worker of the protected branch"
      })
    ]);
  if (!plansOnly && !key)
    throw new Problems([
      problem("fleet/key", "this worker has no key", {
        hint: "set TRUEUP_LEDGER_KEY to plan and apply the protected branch, or pass --plans-only to plan pull requests without a key"
      })
    ]);
  return key;
}
function refuseLostLedger(options, host) {
  const chosen = options.ledger ?? host.env.TRUEUP_LEDGER;
  if (!isFile(options, host) || chosen && isAbsolute(chosen)) return;
  throw new Problems([
    problem(
      "fleet/ledger",
      "the ledgers would be in this worker's checkouts, which are deleted after each job",
      {
        hint: "use a place that all workers share: --ledger git or the URL of a store (or TRUEUP_LEDGER)"
      }
    )
  ]);
}
async function fileText(path2, host) {
  return readFile2(pathOn(host, path2), "utf8").catch((error) => {
    throw new Problems([
      problem("fleet/file", `${path2} cannot be read: ${systemText(error)}`, {
        hint: "it lists this worker's repositories; see docs/guides/fleet.md"
      })
    ]);
  });
}
async function takeFolder(folder, shown, { processes }) {
  const mark = join3(folder, "worker.pid");
  await mkdir3(join3(folder, "reports"), { recursive: true });
  const pid = Number(await readFile2(mark, "utf8").catch(() => ""));
  if (pid > 0 && pid !== processes.pid && processes.isRunning(pid))
    throw new Problems([
      problem("fleet/folder", `${shown} is the folder of another worker, process ${pid}`, {
        hint: "give each worker a folder of its own with --folder"
      })
    ]);
  await writeFile2(mark, `${processes.pid}
`);
  for (const name of ["jobs", "checkouts"]) {
    await removeInUse(join3(folder, name));
    await mkdir3(join3(folder, name));
  }
  return () => rm3(mark, { force: true });
}
function mirrors(folder, { env, clock }) {
  const opened = /* @__PURE__ */ new Map();
  return (name, url) => {
    const known = opened.get(name);
    if (known) return known;
    const place = join3(folder, "mirrors", encodeURIComponent(name));
    const mirror = openMirror({
      folder: place,
      checkouts: join3(folder, "checkouts"),
      url,
      env,
      now: clock.now
    });
    opened.set(name, mirror);
    mirror.catch(() => opened.delete(name));
    return mirror;
  };
}
var [idle, lastMoment] = [500, 3e3];
async function workUntilSignal(queue, shop, { concurrency, exitWhenIdle }, terminal) {
  const { host } = terminal.run;
  const { lane, stopping } = shop;
  const stop = new AbortController();
  const stopListening = host.onSignal(["SIGINT", "SIGTERM", "SIGHUP"], () => {
    for (const listener of [...stopping]) listener();
    if (stop.signal.aborted) {
      void host.clock.sleep(lastMoment).finally(() => host.exit(exitCodes.interrupted));
      return;
    }
    terminal.err(
      "Stopping: no more jobs are taken. Plans finish, applies stop where they are. Send a second signal to stop at once."
    );
    stop.abort();
  });
  const working = await queue.work(
    lane,
    { concurrency },
    (job, attempt) => stop.signal.aborted ? Promise.resolve("later") : doJob(job, attempt, shop)
  );
  terminal.err(
    cleanLine(
      `Working on ${laneTexts[lane]} at ${queue.place}, ${count(concurrency, "job")} at once, as ${shop.worker}.`
    )
  );
  while (!stop.signal.aborted) {
    if (exitWhenIdle && await queue.isIdle(lane)) break;
    await host.clock.sleep(idle, stop.signal).catch(() => {
    });
  }
  await working.stop();
  stopListening();
}
var laneTexts = {
  signed: "signed jobs",
  open: "plans of pull requests"
};
return{workOn:workOn};})();exports.part_DURDQVJP=part_DURDQVJP;
