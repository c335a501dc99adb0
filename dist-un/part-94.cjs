"use strict";const part_YZ7UDJWV=(()=>{const {
  standardInput
}=require("./part-106.cjs").part_DT2CDXHV;const {
  openRepository,
  workTreeOf
}=require("./part-83.cjs").part_LFMTYGTI;const { realpath }=require("node:fs/promises");const path=require("node:path");const { realpath:realpath2 }=require("node:fs/promises");const { join, resolve }=require("node:path");;
;

// src/git/commit-of.ts
;
;
var atOnce = 200;
var status = [
  ...[
    "--literal-pathspecs",
    "--no-optional-locks",
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--no-renames"
  ],
  ...["--untracked-files=all", "--ignored=matching", "--no-ahead-behind"]
];
var isAt = (name, path2) => name === path2 || path2.endsWith("/") && name.startsWith(path2);
async function commitOf(folder, { files, folders }, env) {
  const top = workTreeOf(await realpath(folder).catch(() => folder));
  if (top === void 0) return void 0;
  try {
    const { git } = await openRepository(folder, env);
    const inTree = async (one) => path.relative(top, await realpath(one).catch(() => one)).split(path.sep).join("/") || ".";
    const names = await Promise.all(files.map(inTree));
    const places = await Promise.all(folders.map(inTree));
    const isOutside = (name) => name.startsWith("..") || path.isAbsolute(name);
    const all = [...names, ...places].filter((name) => !isOutside(name));
    let id;
    let dirty = all.length < names.length + places.length;
    for (let at = 0; at === 0 || at < all.length; at += atOnce) {
      const said = await git([...status, "--", ...all.slice(at, at + atOnce)]);
      for (const line of said.split("\0")) {
        if (line.startsWith("# branch.oid ")) id = line.slice("# branch.oid ".length);
        else if (/^[12u] /.test(line)) dirty ||= all.length > 0;
        else if (/^[?!] /.test(line)) dirty ||= names.some((name) => isAt(name, line.slice(2)));
      }
    }
    return id === void 0 || id === "(initial)" ? void 0 : { id, dirty };
  } catch {
    return void 0;
  }
}
async function revertsOf(from, to, kept, cwd, env) {
  try {
    const { git } = await openRepository(cwd, env);
    await git(["merge-base", "--is-ancestor", from, to]);
    const range = `${from}..${to}`;
    const listed = await git(["rev-list", "--first-parent", "--parents", "--end-of-options", range]);
    const lines = listed.split("\n").filter((line) => line !== "");
    const commits = lines.map((line) => {
      const [id, ...parents] = line.split(" ");
      return { id, isMerge: parents.length > 1 };
    });
    if (kept === void 0) return { commits, touchesKept: false };
    const top = workTreeOf(await realpath(cwd));
    const folder = path.relative(top, await realpath(kept)).split(path.sep).join("/");
    const inside = [
      "--literal-pathspecs",
      "diff",
      "--name-only",
      "--no-ext-diff",
      "--no-textconv",
      from,
      to,
      "--",
      folder
    ];
    return { commits, touchesKept: (await git(inside)).trim() !== "" };
  } catch {
    return void 0;
  }
}

// src/cli/about-run.ts
;
;
var systems = [
  {
    name: "GitHub Actions",
    is: "GITHUB_ACTIONS",
    actor: "GITHUB_ACTOR",
    run: "GITHUB_RUN_ID",
    url: ({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run }) => server && repository && run ? `${server}/${repository}/actions/runs/${run}` : void 0
  },
  {
    name: "GitLab CI",
    is: "GITLAB_CI",
    actor: "GITLAB_USER_LOGIN",
    run: "CI_JOB_ID",
    url: ({ CI_JOB_URL }) => CI_JOB_URL
  },
  {
    name: "CircleCI",
    is: "CIRCLECI",
    actor: "CIRCLE_USERNAME",
    run: "CIRCLE_BUILD_NUM",
    url: ({ CIRCLE_BUILD_URL }) => CIRCLE_BUILD_URL
  },
  {
    name: "Buildkite",
    is: "BUILDKITE",
    actor: "BUILDKITE_BUILD_CREATOR",
    run: "BUILDKITE_BUILD_NUMBER",
    url: ({ BUILDKITE_BUILD_URL }) => BUILDKITE_BUILD_URL
  },
  {
    name: "Azure Pipelines",
    is: "TF_BUILD",
    actor: "BUILD_REQUESTEDFOR",
    run: "BUILD_BUILDID",
    url: ({ SYSTEM_COLLECTIONURI: at, SYSTEM_TEAMPROJECT: project, BUILD_BUILDID: run }) => at && project && run ? `${at}${project}/_build/results?buildId=${run}` : void 0
  },
  {
    name: "Bitbucket Pipelines",
    is: "BITBUCKET_BUILD_NUMBER",
    actor: "BITBUCKET_STEP_TRIGGERER_UUID",
    run: "BITBUCKET_BUILD_NUMBER",
    url: ({ BITBUCKET_GIT_HTTP_ORIGIN: at, BITBUCKET_BUILD_NUMBER: run }) => at && run ? `${at}/pipelines/results/${run}` : void 0
  },
  {
    name: "Jenkins",
    is: "JENKINS_URL",
    actor: "BUILD_USER_ID",
    run: "BUILD_NUMBER",
    url: ({ BUILD_URL }) => BUILD_URL
  }
];
var users = ["USER", "LOGNAME", "USERNAME"];
var short = (text) => text.trim().slice(0, 500);
function startedBy(env) {
  const system = systems.find(({ is }) => env[is]);
  const says = [system?.actor, ...users].find((name) => name !== void 0 && env[name]?.trim());
  const actor = says === void 0 ? {} : { actor: { name: short(env[says]), says } };
  if (!system) return actor;
  const [run, url] = [env[system.run], system.url(env)];
  const ci = { name: system.name, ...run ? { run: short(run) } : {}, ...url ? { url: short(url) } : {} };
  return { ...actor, ci };
}
async function aboutRun({ configuration, host }, options, more) {
  const commit = "commit" in more ? void 0 : await configurationCommit(configuration, host);
  return {
    command: "apply",
    ...options.stage === void 0 ? {} : { stage: options.stage },
    ...startedBy(host.env),
    ...commit ? { commit: { id: commit.id, ...commit.dirty ? { dirty: true } : {} } } : {},
    ...more,
    values: keepsValues(options, host)
  };
}
var keepsValues = ({ history }, { env }) => (history ?? env.TRUEUP_HISTORY) !== "no-values";
async function configurationCommit({ behind, files, secrets, desired }, { cwd, env }) {
  const [first] = files;
  const folder = first === void 0 || first === standardInput ? cwd : resolve(cwd, first, "..");
  const withSecrets = new Set(
    await Promise.all(
      [...secrets.values()].flatMap(
        (origin) => "file" in origin ? [realpath2(resolve(cwd, origin.folder, origin.file)).catch(() => "")] : []
      )
    )
  );
  const top = workTreeOf(await realpath2(folder).catch(() => folder));
  const commit = await commitOf(
    folder,
    {
      files: behind.filter((file) => !withSecrets.has(file)),
      folders: desired.folders.flatMap((name) => top && name.startsWith("/") ? [join(top, name)] : [])
    },
    env
  );
  return commit && desired.inputs.includes(standardInput) ? { ...commit, dirty: true } : commit;
}

return{revertsOf:revertsOf,startedBy:startedBy,aboutRun:aboutRun,configurationCommit:configurationCommit};})();exports.part_YZ7UDJWV=part_YZ7UDJWV;
const part_2PKLHWHB=(()=>{const {
  isVerified
}=require("./part-27.cjs").part_EN3WE5DN;const {
  ageText
}=require("./part-105.cjs").part_EABJC5VV;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;;
;
;

// src/cli/ledger-line.ts
function ledgerLine(store, ledger, now, others) {
  const proof = store.proof();
  const beside = others ? `; ${others} other ${others === 1 ? "stack" : "stacks"} of this account in the same store` : "";
  if (!proof) return beside && cleanLine(`Ledger: none yet at ${store.place}${beside}.`);
  const { generation, writtenAt } = ledger;
  const written = writtenAt ? `, written ${ageText(now - Date.parse(writtenAt))} (${writtenAt.replace(/\.\d+Z$/, "Z")})` : "";
  return cleanLine(
    `Ledger: ${store.place}, generation ${generation}${written}, ${proofText(proof)}${beside}.`
  );
}
async function ledgerLineOf({ store, ledger, others, clock }) {
  const { length } = await others.catch(() => []);
  return ledgerLine(store, ledger, clock.now(), length);
}
function proofText(proof) {
  if (isVerified(proof))
    return proof.previous ? `signed by the previous key ${proof.by}: the next apply signs it again` : `signed by the key ${proof.by}`;
  switch (proof.doubt) {
    case "no-key":
      return "not verified here: no key";
    case "unsigned":
      return "not signed";
    case "other-key":
      return `not verified: signed by a different key, ${proof.key}`;
    case "altered":
      return `not verified: changed after the key ${proof.key} signed it`;
  }
}

return{ledgerLine:ledgerLine,ledgerLineOf:ledgerLineOf};})();exports.part_2PKLHWHB=part_2PKLHWHB;
