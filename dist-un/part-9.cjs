"use strict";const part_6IQXBRX5=(()=>{const {
  openClient,
  retry
}=require("./part-1.cjs").part_2VIBQK6O;const {
  HttpError,
  fill
}=require("./part-5.cjs").part_4VPSH4ZL;require("./part-65.cjs").part_R3QD6ZDG;require("./part-104.cjs").part_L3MDBSE5;require("./part-104.cjs").part_UL6NKBEB;const {
  isSavedStacks,
  parseSavedStacks,
  shownStacks
}=require("./part-28.cjs").part_EOX35J2K;require("./part-116.cjs").part_LBJ4LO3O;const {
  isSavedPlan,
  parseSavedPlan,
  shownPlan
}=require("./part-116.cjs").part_HBWHGLK5;const {
  isNameless
}=require("./part-95.cjs").part_BLVQ66GF;const {
  stacksMarkdown
}=require("./part-102.cjs").part_4IQERMVV;require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;const {
  checkBaseUrl,
  checkToken
}=require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;const {
  planMarkdown
}=require("./part-95.cjs").part_HSR2BE55;const {
  commentLimit,
  markerIn
}=require("./part-95.cjs").part_T5M5UDUZ;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  number,
  withColor
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;const {
  currentPullRequest,
  placesOn
}=require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { readFile }=require("node:fs/promises");;
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

// src/cli/comment.ts
;

// src/http/comment-api.ts
var maxWait = 6e4;
async function withApi({ apiUrl, token, env }, { fixed, hints: hints2 }, work) {
  const client = openClient({ baseUrl: checkBaseUrl(apiUrl), token: checkToken(token), env });
  try {
    return await work(async (endpoint, params = {}, body) => {
      const filled = fill(endpoint, { ...fixed, ...params });
      const answer = await retry(filled.method, (attempt) => client.call(filled, body, attempt), { maxWait });
      return answer.body;
    });
  } catch (error) {
    throw error instanceof HttpError ? refused(error, hints2) : error;
  } finally {
    await client.close();
  }
}
function refused(error, hints2) {
  const hint = hints2[error.status] ?? error.hint;
  return new Problems([problem("comment/refused", error.message, hint === void 0 ? {} : { hint })]);
}

// src/github/upsert-comment.ts
var actionsBot = "github-actions[bot]";
var pageSize = 100;
var mostPages = 200;
function upsertComment(options) {
  const { marker, foot = "" } = options;
  const body = foot === "" ? options.body : `${options.body}

${foot}`;
  return withGithub(options, async (call) => {
    const author = options.author ?? await authorOf(call);
    const own = (comment) => firstLine(comment) === marker;
    const [old] = await commentsOf(call, author, own, 1);
    if (old && withoutFoot(old.body ?? "") === withoutFoot(body))
      return { done: "unchanged", url: old.html_url ?? "" };
    const written = old ? await call("PATCH /repos/{owner}/{repo}/issues/comments/{id}", { id: old.id }, { body }) : await call("POST /repos/{owner}/{repo}/issues/{number}/comments", {}, { body });
    const { html_url: url = "" } = written ?? {};
    return { done: old ? "updated" : "created", url };
  });
}
function replaceReports(options, isMarker) {
  const { body, foot = "" } = options;
  return withGithub(options, async (call) => {
    const author = options.author ?? await authorOf(call);
    const [commit] = foot.split(",");
    const isStale = (comment) => isMarker(firstLine(comment)) && (foot === "" || !comment.body.includes(`

${commit},`));
    const stale = await commentsOf(call, author, isStale);
    for (const comment of stale) {
      const text = [`${firstLine(comment)}
${body}`, ...foot === "" ? [] : [foot]].join("\n\n");
      await call("PATCH /repos/{owner}/{repo}/issues/comments/{id}", { id: comment.id }, { body: text });
    }
    return stale.map(({ html_url = "" }) => html_url);
  });
}
async function authorOf(call) {
  try {
    const { login } = await call("GET /user") ?? {};
    return login ?? actionsBot;
  } catch (error) {
    if (error instanceof HttpError && [403, 404].includes(error.status)) return actionsBot;
    throw error;
  }
}
var firstLine = ({ body }) => (body ?? "").split("\n", 1)[0].trimEnd();
async function commentsOf(call, author, isMeant, most2 = Number.POSITIVE_INFINITY) {
  const found = [];
  for (let page = 1; page <= mostPages; page++) {
    const comments = await call(
      "GET /repos/{owner}/{repo}/issues/{number}/comments?per_page={size}&page={page}",
      { size: pageSize, page }
    );
    if (!Array.isArray(comments) || !comments.every(isObject)) throw notComments();
    found.push(...comments.filter((one) => one.user?.login === author && isMeant(one)));
    if (found.length >= most2 || comments.length < pageSize) return found.slice(0, most2);
  }
  throw new Problems([
    problem("comment/too-many", `the list of comments has no end after ${mostPages * pageSize} of them`, {
      hint: "does GITHUB_API_URL point to GitHub's REST API?"
    })
  ]);
}
var isObject = (value) => typeof value === "object" && value !== null;
var notComments = () => new Problems([
  problem("comment/not-github", "the answer to the request for the comments is not a list", {
    hint: "does GITHUB_API_URL point to GitHub's REST API?"
  })
]);
function withGithub(target, work) {
  const { owner, repo, number: number2 } = target;
  return withApi(target, { fixed: { owner, repo, number: number2 }, hints: hintsFor(target) }, work);
}
var hintsFor = ({ owner, repo, number: number2 }) => ({
  401: "GITHUB_TOKEN is no longer valid; in a workflow it is `env: { GITHUB_TOKEN: ${{ github.token }} }`",
  403: "the job needs `permissions: { pull-requests: write }`; the token of a pull request from a fork is always read-only",
  404: number2 === void 0 ? `does the repository ${owner}/${repo} exist, and can the token read it?` : `does pull request ${number2} exist in ${owner}/${repo}, and can the token read it?`,
  410: "the conversation no longer exists",
  422: "GitHub rejected this text; is the pull request locked, or the text too long?"
});
var shortest = 7;
function reportFoot(env, head) {
  const run = runIn(env);
  const commit = head ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA ?? "";
  if (run === void 0 || !/^[0-9a-f]{40,64}$/.test(commit)) return "";
  const what = head === void 0 ? "Merged as" : "Plan of";
  return `${what} \`${commit.slice(0, shortest)}\`, [run](${run})`;
}
function runIn(env) {
  const { GITHUB_RUN_ID: id = "", GITHUB_SERVER_URL: server = "", GITHUB_REPOSITORY: repository = "" } = env;
  const isLink = /^\d+$/.test(id) && /^https?:\/\/[\w.:-]+$/.test(server) && /^[\w.-]+\/[\w.-]+$/.test(repository);
  if (isLink) return `${server}/${repository}/actions/runs/${id}`;
  const { GITLAB_CI: isGitlab, CI_JOB_URL: job = "" } = env;
  return isGitlab === "true" && /^https?:\/\/[\w./:-]+$/.test(job) ? job : void 0;
}
var withoutFoot = (body) => body.replace(/\n\nPlan of `[0-9a-f]{7}`, \[run\]\(\S+\)\s*$/, "").replace(/(?<=\/blob\/)[0-9a-f]{40,64}(?=\/)/g, "").trimEnd();
var most = 100;
function mergedPulls(target, sha) {
  return withGithub(target, async (call) => {
    const pulls = await call("GET /repos/{owner}/{repo}/commits/{sha}/pulls?per_page={most}", { sha, most });
    if (!Array.isArray(pulls))
      throw new Problems([
        problem(
          "comment/not-github",
          "the answer to the request for the pull requests of a commit is not a list",
          {
            hint: "does GITHUB_API_URL point to GitHub's REST API?"
          }
        )
      ]);
    return pulls.flatMap((pull) => {
      const { number: number2, merged_at: merged } = pull ?? {};
      return Number.isSafeInteger(number2) && typeof merged === "string" ? [number2] : [];
    });
  });
}

// src/gitlab/say-note.ts
var pageSize2 = 100;
var mostPages2 = 200;
var mergedRequests = (target, sha) => withGitlab(target, async (call) => {
  const all = listIn(
    await call("GET /projects/{project}/repository/commits/{sha}/merge_requests", { sha })
  );
  return all.flatMap(
    ({ iid, state }) => Number.isSafeInteger(iid) && state === "merged" ? [iid] : []
  );
});
function sayNote(target, { iid, marker, body, isMarker }) {
  return withGitlab(target, async (call) => {
    const { username } = await call("GET /user") ?? {};
    const isMeant = (line) => marker === void 0 ? isMarker(line) : line === marker;
    const own = (await notesOf(call, iid)).filter(
      (note) => username !== void 0 && authorOf2(note) === username && isMeant(firstLine2(note))
    );
    const old = marker === void 0 ? own : own.slice(0, 1);
    for (const note of old) {
      const text = marker === void 0 ? `${firstLine2(note)}
${body}` : body;
      await call(
        "PUT /projects/{project}/merge_requests/{iid}/notes/{id}",
        { iid, id: note.id },
        { body: text }
      );
    }
    if (old.length > 0 || marker === void 0) return old.length;
    await call("POST /projects/{project}/merge_requests/{iid}/notes", { iid }, { body });
    return 1;
  });
}
var firstLine2 = ({ body }) => (typeof body === "string" ? body : "").split("\n", 1)[0].trimEnd();
var authorOf2 = ({ author }) => author?.username;
async function notesOf(call, iid) {
  const found = [];
  for (let page = 1; page <= mostPages2; page++) {
    const notes = listIn(
      await call(
        "GET /projects/{project}/merge_requests/{iid}/notes?sort=asc&order_by=created_at&per_page={size}&page={page}",
        { iid, size: pageSize2, page }
      )
    );
    found.push(...notes);
    if (notes.length < pageSize2) return found;
  }
  throw new Problems([
    problem("comment/too-many", `the list of comments has no end after ${mostPages2 * pageSize2} of them`, {
      hint: "does CI_API_V4_URL point to GitLab's REST API?"
    })
  ]);
}
var withGitlab = (target, work) => withApi(target, { fixed: { project: target.project }, hints }, work);
var hints = {
  401: "TRUEUP_COMMENT_TOKEN is no longer valid: create a new project access token with the scope `api`",
  403: "TRUEUP_COMMENT_TOKEN must be a project access token with the scope `api` and the role Reporter",
  404: "can TRUEUP_COMMENT_TOKEN read this project? A job token cannot write comments"
};
function listIn(answer) {
  if (Array.isArray(answer) && answer.every((one) => typeof one === "object" && one !== null)) return answer;
  throw new Problems([
    problem("comment/not-gitlab", "GitLab's API did not return the requested list", {
      hint: "does CI_API_V4_URL point to GitLab's REST API?"
    })
  ]);
}

// src/cli/comment.ts
function commentCommand(command, { pace }, run) {
  withColor(command).argument(
    "<file>",
    "the output of `plan --format markdown` or `apply --report`, or a plan saved by `plan --out`"
  ).addOption(
    new Option(
      "--pull-request <n>",
      "the pull request the pull request (default: the one the workflow runs for, or that was merged as its commit)"
    ).argParser(number(1))
  ).option("--author <login>", "update this author's comment (default: the owner of GITHUB_TOKEN)").action(async (file, options) => {
    const terminal = terminalFor(run, options);
    const { host } = run;
    const pull = currentPullRequest(host);
    const foot = reportFoot(host.env, pull && (pull.head ?? host.env.GITHUB_SHA));
    const body = await readReport(file, host, pace, commentLimit - foot.length - between);
    if (inGitlab(host)) {
      await commentOnGitlab(body, { iid: options.pullRequest, foot }, terminal);
      return;
    }
    const given = options.pullRequest ?? pull?.number;
    const merged = given === void 0 ? mergedCommit(host) : void 0;
    const access = accessOf(host, given === void 0 && merged === void 0 ? [noPullRequest()] : []);
    const said = {
      ...access,
      body: body.text,
      // A report that fills all the room is worth more than where it comes from.
      ...body.text.length + between + foot.length > commentLimit ? {} : { foot },
      ...options.author === void 0 ? {} : { author: options.author }
    };
    const numbers = given === void 0 ? await mergedPulls(access, merged) : [given];
    if (numbers.length === 0)
      terminal.err("No pull request was merged as this commit, so there is nothing to comment on.");
    for (const number2 of numbers) await sayOn(number2, file, { ...said, marker: body.marker }, terminal);
  });
}
function mergedCommit({ env }) {
  const { GITHUB_SHA: sha = "", GITHUB_EVENT_NAME: event } = env;
  return event === "push" && /^[0-9a-f]{40,64}$/.test(sha) ? sha : void 0;
}
var noPullRequest = () => problem("comment/no-pull-request", "this run does not belong to a pull request", {
  hint: "name one with --pull-request N"
});
async function sayOn(number2, file, { marker, ...said }, terminal) {
  if (marker === void 0) {
    const replaced = await replaceReports({ ...said, number: number2 }, (line) => markerIn(line) !== void 0);
    if (replaced.length === 0) throw noStack(file);
    for (const url2 of replaced) terminal.err(cleanLine(`Updated the comment: ${url2}`));
    return;
  }
  const { done, url } = await upsertComment({ ...said, marker, number: number2 });
  terminal.err(cleanLine(`${outcomes[done]}: ${url}`));
}
var outcomes = {
  created: "Commented",
  updated: "Updated the comment",
  unchanged: "The comment is already up to date"
};
var between = 2;
var reserved = 100;
async function readReport(file, host, pace, room) {
  const given = await readFile(pathOn(host, file), "utf8").catch((error) => {
    throw new Problems([problem("comment/unreadable", `${file} cannot be read: ${systemText(error)}`)]);
  });
  const text = reportIn(given, file, { pace, room, places: placesOn(host) }).trimEnd();
  const marker = markerIn(text);
  if (marker === void 0 && isNameless(text)) return { text: text.slice(0, commentLimit - reserved) };
  if (marker === void 0)
    throw new Problems([
      problem("comment/no-report", `${file} is not a plan report${text === "" ? ": it is empty" : ""}`, {
        hint: text === "" ? "the plan did not get that far; see its step for the reason" : "pass the output of `plan --format markdown`, or a plan saved by `plan --out`"
      })
    ]);
  if (text.length > commentLimit)
    throw new Problems([
      problem("comment/too-long", `${file} has ${text.length} characters; GitHub accepts ${commentLimit}`, {
        hint: "pass the output of `plan --format markdown` unchanged: it always fits"
      })
    ]);
  return { marker, text };
}
function reportIn(given, file, { pace, room, places }) {
  if (isSavedPlan(given)) return planMarkdown(shownPlan(parseSavedPlan(given, file)), pace, room, places);
  if (isSavedStacks(given))
    return stacksMarkdown(shownStacks(parseSavedStacks(given, file)), pace, room, places);
  return given;
}
var noStack = (file) => new Problems([
  problem("comment/no-stack", `${file} contains errors but does not name its stack`, {
    hint: "fix those errors first: once `stack:` can be read, that stack's comment shows the rest"
  })
]);
function accessOf(host, wrong) {
  const { GITHUB_API_URL, GITHUB_REPOSITORY = "", GITHUB_TOKEN } = host.env;
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(GITHUB_REPOSITORY) ?? [];
  const problems = [
    ...GITHUB_TOKEN ? [] : [
      problem("comment/no-token", "GITHUB_TOKEN is not set", {
        hint: "pass it to the step: `env: { GITHUB_TOKEN: ${{ github.token }} }`"
      })
    ],
    ...owner && repo ? [] : [
      problem("comment/no-repository", "GITHUB_REPOSITORY does not name a repository", {
        hint: "workflows set it; elsewhere set it to OWNER/NAME"
      })
    ],
    ...wrong
  ];
  if (problems.length > 0) throw new Problems(problems);
  return {
    env: host.env,
    apiUrl: GITHUB_API_URL || "https://api.github.com",
    token: GITHUB_TOKEN.trim(),
    owner,
    repo
  };
}
var inGitlab = ({ env }) => env.GITLAB_CI === "true";
async function commentOnGitlab(report, { iid, foot }, terminal) {
  const { env } = terminal.run.host;
  const target = targetOf(env);
  const own = iid ?? numberIn(env.CI_MERGE_REQUEST_IID);
  const numbers = own === void 0 ? await mergedRequests(target, env.CI_COMMIT_SHA ?? "") : [own];
  if (numbers.length === 0)
    terminal.err("No merge request was merged as this commit, so there is nothing to comment on.");
  const body = foot === "" ? report.text : `${report.text}

${foot}`;
  for (const number2 of numbers) {
    const notes = await sayNote(target, {
      iid: number2,
      marker: report.marker,
      body,
      isMarker: (line) => markerIn(line) !== void 0
    });
    terminal.err(notes > 0 ? `Commented on !${number2}` : `Nothing to update on !${number2}`);
  }
  return numbers.length;
}
var numberIn = (text) => /^[1-9]\d*$/.test(text ?? "") ? Number(text) : void 0;
function targetOf(env) {
  const { CI_API_V4_URL: apiUrl = "", CI_PROJECT_ID: project = "", TRUEUP_COMMENT_TOKEN: token = "" } = env;
  const problems = [
    ...token === "" ? [
      problem("comment/no-token", "TRUEUP_COMMENT_TOKEN is not set", {
        hint: "set it as a project variable: a project access token with the scope `api` and the role Reporter; the job token cannot write comments"
      })
    ] : [],
    .../^\d+$/.test(project) && apiUrl !== "" ? [] : [
      problem("comment/no-repository", "CI_API_V4_URL and CI_PROJECT_ID do not name a project", {
        hint: "CI jobs set them"
      })
    ]
  ];
  if (problems.length > 0) throw new Problems(problems);
  return { apiUrl, project, token: token.trim(), env };
}
return{commentCommand:commentCommand};})();exports.part_6IQXBRX5=part_6IQXBRX5;
