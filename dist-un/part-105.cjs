"use strict";const part_EABJC5VV=(()=>{const {
  childKinds,
  comparedFields,
  membersOf,
  namesOf
}=require("./part-90.cjs").part_TFHCOW53;const {
  Programs,
  commandVerdict,
  envValue,
  expected,
  findingsOfIssue,
  maskMisplaced,
  maskUnknown,
  mayHoldSecret,
  notAllowed,
  optionsOf,
  originText,
  parseCommand,
  secretEnv,
  shapeOf,
  shellWord,
  takesAnything,
  takesFreeText,
  takesText,
  typeOf,
  variableEnv
}=require("./part-97.cjs").part_BQI24POO;const {
  docOf,
  once,
  referenceOf,
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;const {
  filesOf,
  findFile,
  findFiles,
  isInside,
  isOwnDocument,
  parseYaml,
  readBytes,
  readDocuments,
  readRegularFile,
  sourceOf
}=require("./part-97.cjs").part_UADL7KU7;const {
  collectionId,
  longestWait,
  permissions
}=require("./part-106.cjs").part_DT2CDXHV;const {
  globTest,
  matcherOf,
  require_picomatch
}=require("./part-63.cjs").part_QPVMELDP;const {
  dataPlaceOf,
  describe,
  entryOf,
  isNode,
  isNull,
  isPoisoned,
  isWritten,
  maskNode,
  maskUnread,
  nodeOf,
  nowhere,
  outsideText,
  sizeOf
}=require("./part-84.cjs").part_XK3EKDRU;const {
  Source,
  positionOf
}=require("./part-84.cjs").part_CV56RMV4;const {
  closest,
  hintFor,
  oncePerPlace,
  quoted,
  sortDiagnostics
}=require("./part-84.cjs").part_IUECLPFZ;const {
  addressOf,
  byAddress,
  escapeName,
  globOf,
  isWithin,
  unescapeName
}=require("./part-106.cjs").part_BACZRMMV;const {
  workTreeOf
}=require("./part-83.cjs").part_LFMTYGTI;const {
  groupBy,
  topologicalOrder
}=require("./part-106.cjs").part_4N2HH7U7;const {
  FileContent,
  holdsSecret,
  holesIn,
  isPlainObject,
  isRef,
  isSecret,
  isSecretRef,
  lookUp,
  namesIn,
  sealAt
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  holds,
  inside,
  mapMembers,
  mapTree,
  put,
  revealed
}=require("./part-80.cjs").part_YNHFC6K5;const {
  hasErrors,
  problem,
  warning
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;const path=require("node:path");const { realpath:realpath2 }=require("node:fs/promises");const path3=require("node:path");const { realpath, stat }=require("node:fs/promises");const path2=require("node:path");const { randomUUID }=require("node:crypto");const path4=require("node:path");const { hash }=require("node:crypto");const path5=require("node:path");const path6=require("node:path");const path7=require("node:path");const path8=require("node:path");;
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

// src/model/ledger.ts
var emptyLedger = (baseUrl, owner, stack) => ({
  formatVersion: 2,
  baseUrl,
  owner,
  stack,
  generation: 0,
  inputs: [],
  entries: {}
});
var isStackName = (text) => /^[a-z0-9][a-z0-9._-]{0,62}(@[a-z0-9][a-z0-9_-]{0,31})?$/i.test(text);
function isMeant(name, stack, { from }) {
  const at = from.indexOf("@");
  return stack === name || at > 0 && stack === `${name}${from.slice(at)}`;
}
var units = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1]
];
function ageText(milliseconds) {
  const seconds = Math.round(milliseconds / 1e3);
  if (seconds < 0) return "in the future by the local clock";
  const [unit, length] = units.find(([, length2]) => seconds >= length2) ?? units[3];
  const number = Math.floor(seconds / length);
  return `${number} ${unit}${number === 1 ? "" : "s"} ago`;
}

// src/config/configuration.ts
;
function writtenDown({ files, documents, stage }, sources, data, blocks) {
  const included = new Set(documents.flatMap(({ file, isIncluded }) => isIncluded ? [file.path] : []));
  const own = files.flatMap(({ path: path9, name }) => {
    const source = sources.find(({ file }) => file === name);
    return source ? [{ path: path9, source, holds: included.has(path9) ? "included" : "part" }] : [];
  });
  const read = data.map((one) => ({ ...one, holds: "data" }));
  return { files: [...own, ...read], blocks, ...stage ? { stage: stage.name } : {} };
}
function filesBehind(files, asked, secrets, cwd) {
  const found = new Set(files.flatMap(({ path: file, text }) => text === void 0 ? [file] : []));
  const origins = [...secrets.values()].map((origin) => ({ origin, folder: origin.folder }));
  for (const { origin, folder } of [...asked, ...origins]) {
    if ("file" in origin) found.add(path.resolve(cwd, folder, origin.file));
    if ("command" in origin) {
      for (const word2 of origin.command.slice(1))
        if (!word2.startsWith("-") && !/\s/.test(word2)) found.add(path.resolve(cwd, word2));
    }
  }
  return [...found].sort();
}
function usesOf(resources) {
  const uses = /* @__PURE__ */ new Map();
  for (const resource of resources) {
    const names2 = new Set(
      holesIn(resource.fields).flatMap((hole) => "$secret" in hole ? hole.$secret : [])
    );
    for (const name of names2) {
      const users = uses.get(name);
      if (users) users.push(resource);
      else uses.set(name, [resource]);
    }
  }
  return uses;
}

// src/config/sources/sources.ts
;
;

// src/config/sources/allowances.ts
var nothingAllowed = {
  env: () => false,
  envShown: () => false,
  files: [],
  commands: []
};
function readAllowances({ allowEnv = [], allowEnvShown = [], allowFiles = [], allowCommand = [] }, fromEnv = "") {
  const names2 = fromEnv.split(",").map((name) => name.trim());
  const given = [
    ...allowEnv.map((pattern2) => ({ pattern: pattern2, by: "--allow-env" })),
    ...names2.filter((name) => name !== "").map((pattern2) => ({ pattern: pattern2, by: "TRUEUP_ALLOW_ENV" }))
  ];
  const shown = allowEnvShown.map((pattern2) => ({ pattern: pattern2, by: "--allow-env-shown" }));
  const commands = allowCommand.map(parseCommand);
  const problems = [
    ...given.flatMap(({ pattern: pattern2, by }) => wrongName(pattern2, by, true) ?? []),
    ...shown.flatMap(({ pattern: pattern2, by }) => wrongName(pattern2, by, false) ?? []),
    ...allowFiles.flatMap((glob) => wrongGlob(glob) ?? []),
    ...commands.filter((one) => "code" in one)
  ];
  if (problems.length > 0) return problems;
  const exact = new Set(given.map(({ pattern: pattern2 }) => pattern2));
  const globs = given.filter(({ pattern: pattern2 }) => pattern2.includes("*")).map(({ pattern: pattern2 }) => globOf2(pattern2));
  const exactlyShown = new Set(allowEnvShown);
  return {
    env: (name) => exact.has(name) || !isCredential(name) && globs.some((glob) => glob.test(name)),
    envShown: (name) => exactlyShown.has(name),
    files: allowFiles,
    commands
  };
}
var globOf2 = (pattern2) => new RegExp(`^${pattern2.split("*").map(literally).join(".*")}$`, "s");
var literally = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
function wrongName(pattern2, by, mayBeGlob) {
  const wrong2 = (message, hint) => problem("allow/env", `${by}: ${message}`, { hint });
  if (pattern2.trim() === "") return wrong2("there is no name", `write ${by} NAME`);
  if (pattern2.includes("*") && !mayBeGlob)
    return wrong2(`${pattern2} is a pattern, but values of variables are shown`, "list each name");
  if (!/[^*?\s]/.test(pattern2))
    return wrong2(
      `${pattern2} would allow the whole environment`,
      'name what may be read, for example --allow-env DATABASE_URL or --allow-env "ACME_*"'
    );
  if (pattern2.toUpperCase().startsWith("TRUEUP_"))
    return wrong2(
      `${pattern2}: names starting with TRUEUP_ are reserved for trueup`,
      "TRUEUP_VAR_* and TRUEUP_SECRET_* are always allowed; the others are never read"
    );
  return void 0;
}
function wrongGlob(glob) {
  const wrong2 = (message, hint) => problem("allow/files", `--allow-files: ${message}`, { hint });
  if (glob.trim() === "") return wrong2("there is no path", "write --allow-files PATH, or a glob");
  return /[^*?./\\\s]/.test(glob) ? void 0 : wrong2(
    `${glob} would allow every file`,
    "name the files or their folder, for example --allow-files 'secrets/*.txt'"
  );
}
var known = [
  // Clouds and keepers of secrets
  /^(AWS|AZURE|ARM|GOOGLE|GCP|GCLOUD|CLOUDSDK|ALIBABA_CLOUD|OCI|IBMCLOUD|DIGITALOCEAN|HCLOUD|CLOUDFLARE|CF|FASTLY|HEROKU|FLY|NETLIFY|VERCEL)_/,
  /^(VAULT|OP|BW|BWS|DOPPLER|INFISICAL|AKEYLESS|CONJUR|SOPS|AGE|LASTPASS|KEEPER)_/,
  /^(TF|TFE|TF_VAR|PULUMI|ATLAS|ATLANTIS|CONSUL|NOMAD)_/,
  // CI systems, and what they hand out
  /^(GITHUB|GH|GITEA|FORGEJO|GITLAB|GL|ACTIONS|RUNNER|CI|BITBUCKET|CIRCLE|BUILDKITE|TRAVIS|DRONE|JENKINS|TEAMCITY|APPVEYOR|SEMAPHORE|SYSTEM|AGENT)_/,
  /^(SYSTEM_ACCESSTOKEN|AZURE_DEVOPS_EXT_PAT)$/,
  // Git, SSH, registries
  /^(GIT|SSH|GPG|NPM|NPM_CONFIG|NODE_AUTH|YARN|PNPM|BUN|CARGO|PYPI|PIP|UV|POETRY|TWINE|GEM|BUNDLE|RUBYGEMS|MAVEN|GRADLE|NUGET|DOCKER|REGISTRY|HELM|COMPOSER)_/,
  // Systems of others
  /^(SLACK|SENTRY|DATADOG|DD|NEW_RELIC|STRIPE|TWILIO|SENDGRID|OPENAI|ANTHROPIC|HF|SNYK|SONAR|CODECOV|PG|PGP|KUBE|K8S)_/,
  /^(PGPASSWORD|MYSQL_PWD|KUBECONFIG|REDISCLI_AUTH|COOKIE|NETRC)$/
];
var isCredential = (name) => known.some((pattern2) => pattern2.test(name.trim().toUpperCase()));

// src/config/sources/env-verdict.ts
function isOutOfReach(name, use) {
  if (name.trim() === "") return "the name of the environment variable is missing";
  const isOwn = name.trim().toUpperCase().startsWith("TRUEUP_");
  if (!isOwn || isFree(name, use)) return void 0;
  return use === "variable" && /^TRUEUP_SECRET_/i.test(name.trim()) ? `${name} contains a secret, but values of variables are shown` : `${name} is reserved for trueup and cannot be read by a configuration`;
}
var isFree = (name, use) => (use === "secret" ? /^TRUEUP_SECRET_./s : /^TRUEUP_VAR_./s).test(name);
function envVerdict(name, use, { env, envShown }) {
  const never = isOutOfReach(name, use);
  if (never !== void 0) return { allowed: false, never: true, message: never };
  if (isFree(name, use) || (use === "secret" ? env(name) : envShown(name))) return { allowed: true };
  return {
    allowed: false,
    message: use === "secret" ? `${name} may not be read` : `${name} is not allowed, and its value would be shown`,
    // A name with a `*` would be a pattern there.
    ...name.includes("*") ? { never: true } : { flag: `${use === "secret" ? "--allow-env" : "--allow-env-shown"} ${shellWord(name)}` }
  };
}
var sameEnv = (env, key, first) => problem("env/ambiguous", `${quoted(key.text)} and ${quoted(first.text)} would both be read from ${env}`, {
  at: positionOf(key.at),
  hint: "rename one of them: anything but letters, digits and `_` becomes `_`",
  related: [{ message: "the first one", at: positionOf(first.at) }]
});
var refusedEnv = (env, why) => problem("env/refused", why, {
  at: positionOf(env.at),
  hint: "set the value under TRUEUP_VAR_* for a variable, or TRUEUP_SECRET_* for a secret"
});
var shownSecret = (env, at) => problem("env/secret", `${quoted(env)} is used by a secret, but values of variables are shown`, {
  at,
  hint: "use it for one of them only, and give a value that is not secret its own environment variable"
});

// src/config/sources/file-verdict.ts
var import_picomatch = __toESM(require_picomatch(), 1);
;
;
async function judgeFiles(files, rules) {
  const places = await Promise.all(files.map((one) => placeOf(one, rules)));
  const roots = /* @__PURE__ */ new Map();
  for (const place of places)
    if (place.root !== void 0 && place.inside !== void 0)
      roots.set(place.root, [...roots.get(place.root) ?? [], place.inside]);
  const tracked = /* @__PURE__ */ new Map();
  for (const [root, names2] of roots)
    tracked.set(root, await rules.tracking.tracked(root, [...new Set(names2)]));
  return Promise.all(places.map((place) => judge(place, tracked, rules)));
}
async function placeOf({ file, folder }, rules) {
  const lexical = path2.resolve(folder, file);
  const root = await rules.tracking.workTreeOf(folder);
  const home = root ?? await realpath(folder).catch(() => folder);
  const real = await realpath(lexical).catch(() => void 0);
  const isNear = isInside(real ?? path2.resolve(home, path2.relative(folder, lexical)), home);
  if (real === void 0) return { lexical, isNear };
  return {
    lexical,
    real,
    isNear,
    ...root !== void 0 && isInside(real, root) ? { root, inside: path2.relative(root, real).split(path2.sep).join("/") } : {}
  };
}
async function judge(place, tracked, rules) {
  const { lexical, real, root, inside: inside2, isNear } = place;
  if (await isReserved(lexical, rules) || real !== void 0 && await isReserved(real, rules))
    return { allowed: false, never: true, message: "its file belongs to trueup or git and is never read" };
  const missing = { allowed: false, isGone: true, message: "there is no such file" };
  if (real === void 0 && isNear) return missing;
  if (root !== void 0 && tracked.get(root)?.has(inside2))
    return { allowed: true, path: real, isTracked: true };
  if (await isGlobbed(real ?? lexical, rules))
    return real === void 0 ? missing : { allowed: true, path: real };
  return {
    allowed: false,
    // What it is made of decides, wherever links to it stand.
    key: real ?? lexical,
    message: isNear ? `git does not track its file${root === void 0 ? ", since there is no repository" : ""}` : "its file is outside the repository",
    flag: `--allow-files ${shellWord(asGlob(real ?? lexical, rules.cwd))}`,
    ...real === void 0 ? {} : { path: real }
  };
}
function asGlob(file, cwd) {
  const named = isInside(file, cwd) ? path2.relative(cwd, file) : file;
  return named.replace(
    /[*?[\]{}()!+@\\]/g,
    (sign) => sign === "\\" && path2.sep === "\\" ? "/" : `\\${sign}`
  );
}
async function isGlobbed(file, { cwd, globs }) {
  for (const glob of globs) {
    const { base, glob: rest } = import_picomatch.default.scan(glob);
    const start = path2.resolve(cwd, base.replaceAll(/\\([*?[\]{}()!+@])/g, "$1"));
    const real = await realpath(start).catch(() => start);
    if (rest === "" ? file === real : isBelow(file, real, rest)) return true;
  }
  return false;
}
var isBelow = (file, folder, glob) => file !== folder && isInside(file, folder) && (0, import_picomatch.default)(glob, { noextglob: true, nonegate: true })(path2.relative(folder, file).split(path2.sep).join("/"));
async function isReserved(file, { cwd, reserved }) {
  const lower = file.toLowerCase();
  const parts = lower.split(/[/\\]/).map((part) => part.replace(/[ .]+$/, "") || part);
  if (parts.some((part) => /^(\.git|\.trueup|git~\d+)$/.test(part))) return true;
  const inMemory = "/dev/shm/";
  if (/^\/(proc|dev|sys)\//.test(lower) && !(file.startsWith(inMemory) && cwd.startsWith(inMemory)))
    return true;
  const found = await stat(file, { bigint: true }).catch(() => void 0);
  for (const one of reserved) {
    const own = path2.resolve(cwd, one);
    const names2 = [own, await realpath(own).catch(() => own)].map((name) => name.toLowerCase());
    if (names2.some((name) => lower === name || lower.startsWith(`${name}.`) || isInside(lower, name)))
      return true;
    const ours = await stat(own, { bigint: true }).catch(() => void 0);
    if (found && ours?.isFile() && found.dev === ours.dev && found.ino === ours.ino) return true;
  }
  return false;
}

// src/config/sources/sources.ts
function openSources(options) {
  const { env, cwd, allowances = nothingAllowed, memory, ask } = options;
  const tracking = options.tracking ?? { workTreeOf: async () => void 0, tracked: async () => /* @__PURE__ */ new Set() };
  const workTrees = /* @__PURE__ */ new Map();
  const workTreeOf2 = (folder) => {
    const known3 = workTrees.get(folder) ?? tracking.workTreeOf(folder);
    workTrees.set(folder, known3);
    return known3;
  };
  const repositoryOf = async (folder) => await workTreeOf2(folder) ?? await realpath2(folder).catch(() => folder);
  const programs = new Programs(env);
  const judgeCommand = async (command, folder) => {
    const outside = [await repositoryOf(folder), await repositoryOf(cwd)].filter(
      (root) => root !== path3.parse(root).root
    );
    return commandVerdict(command, await programs.find(command[0], outside), allowances);
  };
  const judgeNow = async (asked) => {
    const files = asked.flatMap(
      ({ origin, folder }) => "file" in origin ? [{ file: origin.file, folder }] : []
    );
    const rules = {
      cwd,
      tracking: { ...tracking, workTreeOf: workTreeOf2 },
      globs: allowances.files,
      reserved: options.reserved ?? []
    };
    const verdicts = files.length > 0 ? await judgeFiles(files, rules) : [];
    return Promise.all(
      asked.map((one) => {
        if ("env" in one.origin) return envVerdict(one.origin.env, one.use, allowances);
        return "file" in one.origin ? verdicts.shift() : judgeCommand(one.origin.command, one.folder);
      })
    );
  };
  return {
    async nameOf(file, folder) {
      const root = await repositoryOf(folder);
      const real = await realpath2(folder).catch(() => folder);
      const whole = path3.resolve(real, file);
      return isInside(whole, root) ? path3.relative(root, whole).split(path3.sep).join("/") : whole;
    },
    judgeCommand: (command) => judgeCommand(command, cwd),
    async judge(asked, stack) {
      const verdicts = await judgeNow(asked);
      const repositories = await Promise.all(
        asked.map(({ folder }, at) => needsLeave(verdicts[at]) ? repositoryOf(folder) : "")
      );
      const remembered = /* @__PURE__ */ new Map();
      const open = [];
      for (const [at, verdict] of verdicts.entries()) {
        if (!needsLeave(verdict)) continue;
        const repository = repositories[at];
        if (!remembered.has(repository))
          remembered.set(repository, await memory?.allowed(repository, stack) ?? /* @__PURE__ */ new Set());
        if (remembered.get(repository).has(keyOf(asked[at], verdict))) verdicts[at] = allowed(verdict);
        else open.push(at);
      }
      if (open.length === 0 || !ask) return verdicts;
      const wanted = open.map((at) => ({ asked: asked[at], flag: verdicts[at].flag }));
      if (!await ask(wanted)) return verdicts;
      let place;
      for (const repository of new Set(open.map((at) => repositories[at]))) {
        const own = open.filter((at) => repositories[at] === repository);
        const keys2 = own.map((at) => keyOf(asked[at], verdicts[at]));
        place = await memory?.remember(repository, stack, keys2);
      }
      options.onRemembered?.(place);
      for (const at of open) verdicts[at] = allowed(verdicts[at]);
      return verdicts;
    }
  };
}
var needsLeave = (verdict) => !verdict.allowed && verdict.flag !== void 0;
var allowed = ({ path: path9 }) => ({ allowed: true, ...path9 === void 0 ? {} : { path: path9 } });
function keyOf({ use, origin }, { key }) {
  if ("env" in origin) return `${use} env ${origin.env}`;
  return "file" in origin ? `${use} file ${key}` : `${use} command ${JSON.stringify(origin.command)}`;
}

// src/config/blocks/assemble.ts
function assemble(read, kinds, diagnostics) {
  const found = /* @__PURE__ */ new Map();
  for (const unit of inMergeOrder(
    read.flatMap(({ units: units2 }) => units2),
    kinds
  )) {
    const first = found.get(unit.address);
    if (!first) found.set(unit.address, unit);
    else {
      const merged = kinds.get(unit.kind).shape.merged?.(first.fields, unit.fields);
      if (merged) found.set(unit.address, join(first, unit, merged));
      else
        diagnostics.push(
          problem("config/duplicate", `${unit.address} is declared twice`, {
            at: unit.at,
            address: unit.address,
            hint: "keep one of the two",
            related: [{ message: "the first one", at: first.at }]
          })
        );
    }
  }
  const sorted = [...found.values()].sort(byAddress);
  for (const siblings of groupBy(sorted, ({ kind, parent }) => collectionId(kind, parent)).values())
    if (!kinds.get(siblings[0].kind).shape.orderDecides)
      siblings.forEach((unit, i) => {
        unit.index = i;
      });
  handDownPositions(sorted, kinds);
  diagnostics.push(...claimedTwice(sorted));
  for (const { address, at, meta } of sorted) {
    const old = meta.was === void 0 ? void 0 : found.get(meta.was);
    if (old)
      diagnostics.push(
        problem("config/was-declared", `${address} was ${old.address}, which is also declared`, {
          at,
          address,
          hint: "remove `$was`, or the old block",
          related: [{ message: "the other one", at: old.at }]
        })
      );
  }
  return new Map(sorted.map((unit) => [unit.address, unit]));
}
function handDownPositions(resources, kinds) {
  const positions = new Map(
    resources.flatMap(({ address, meta }) => meta.position ? [[address, meta.position]] : [])
  );
  for (const { address, kind, parent, meta } of resources) {
    if (positions.has(address)) delete meta.position;
    const position = positions.get(parent ?? "");
    if (position && kinds.get(kind).shape.orderDecides) meta.position = position;
  }
}
function claimedTwice(resources) {
  const first = /* @__PURE__ */ new Map();
  return resources.flatMap((resource) => {
    const { kind, parent, meta, group } = resource;
    const claims = [
      meta.was === void 0 ? [] : [["$was", meta.was, meta.was]],
      meta.id === void 0 ? [] : [["$id", meta.id, `${collectionId(kind, parent)} ${meta.id}`]]
    ].flat();
    return claims.flatMap(([key, value, claim]) => {
      const other = first.get(`${key} ${claim}`);
      if (!other) first.set(`${key} ${claim}`, resource);
      if (!other || group !== void 0 && other.group === group) return [];
      return problem("config/claimed-twice", `${other.address} has the same \`${key}: ${value}\``, {
        at: resource.at,
        address: resource.address,
        hint: "it must be unique; in a template, use `${each.key}`",
        related: [{ message: "the other one", at: other.at }]
      });
    });
  });
}
function inMergeOrder(units2, kinds) {
  const merging = units2.filter(({ kind }) => kinds.get(kind).shape.merged);
  const content = new Map(merging.map((unit) => [unit, JSON.stringify(revealed(unit.fields))]));
  const compare2 = (a, b) => content.get(a) < content.get(b) ? -1 : content.get(a) > content.get(b) ? 1 : 0;
  return [...units2.filter((unit) => !content.has(unit)), ...merging.sort(compare2)];
}
var join = (first, second, fields) => ({
  ...first,
  fields,
  meta: { ...second.meta, ...first.meta },
  group: [first.group, second.group].filter((group) => group !== void 0).sort()[0]
});
function fieldPlaces(blocks) {
  let byAddress2;
  return (address, path9) => {
    byAddress2 ??= new Map(blocks.flatMap((one) => one.units.map((unit) => [unit.address, one])));
    const names2 = namesIn(path9);
    let entry = byAddress2.get(address)?.block.own.find(({ key }) => key.text === names2[0]);
    for (const name of names2.slice(1)) entry = (entry && within(entry.value, name)) ?? entry;
    return entry && placeOf2(entry);
  };
}
var within = (node, name) => node.type === "map" ? entryOf(node, name) : void 0;
function placeOf2({ key, value }) {
  const { source, start, end } = key.at;
  return source.quotedPosition(start, value.at.source === source ? Math.max(end, value.at.end) : end);
}

// src/config/blocks/block.ts
function keyNames(kind, text) {
  if (kind.shape.byAddress) return [escapeName(text)];
  const field = kind.yaml.mapBy ?? kind.key[0];
  const normal = field === void 0 ? void 0 : kind.fields[field]?.safeParse(text);
  const value = normal?.success ? normal.data : text;
  try {
    return field === void 0 ? [] : namesOf(kind, { [field]: value });
  } catch {
    return [escapeName(text)];
  }
}

// src/config/blocks/section-entries.ts
function sectionEntries({ kind, section, at }, say) {
  if (kind.key.length === 0) return [{ node: section, at }];
  if (isPoisoned(section)) return void 0;
  if (isNull(section)) {
    say(
      "config/null-section",
      `\`${kind.section}\` is empty`,
      section.at,
      `write \`${kind.section}: ${kind.yaml.mapBy ? "{}" : "[]"}\` if it is meant to be empty, or remove it`
    );
    return void 0;
  }
  if (!kind.yaml.mapBy) {
    if (section.type === "list") return section.items.map((node) => ({ node, at: node.at }));
    maskMisplaced(section, kind.fields);
    say(
      "config/type",
      `\`${kind.section}\` must be a list, not ${describe(section)}`,
      section.at,
      "start each entry with `- `"
    );
    return void 0;
  }
  if (section.type !== "map") {
    say(
      "config/type",
      `\`${kind.section}\` must be a map, not ${describe(section)}`,
      section.at,
      `with one entry per \`${kind.yaml.mapBy}\``
    );
    maskMisplaced(section, kind.fields);
    return void 0;
  }
  if (isBlock(kind, section)) {
    say(
      "config/type",
      `\`${kind.section}\` needs one entry per \`${kind.yaml.mapBy}\`; these are the fields of a single one`,
      section.entries[0].key.at,
      `write \`${kind.section}: { ${kind.yaml.mapBy.toUpperCase()}: { ${section.entries[0].key.text}: ... } }\``
    );
    maskMisplaced(section, kind.fields);
    return void 0;
  }
  return section.entries.flatMap(({ key, value }) => {
    if (key.unusable) return [];
    if (isHomeOfAnchor(key)) {
      maskNode(value);
      say(
        "config/anchor",
        `\`${key.text}\` would be an entry of \`${kind.section}\`, but looks like a place for anchors`,
        key.at,
        `move it to the top level of the file, next to \`${kind.section}\`; if it is meant as an entry, remove the anchor`
      );
      return [];
    }
    const nodes = kind.yaml.manyPerKey && value.type === "list" ? value.items : [value];
    return nodes.map((node) => ({ key, node, at: value.type === "list" ? node.at : key.at }));
  });
}
var isHomeOfAnchor = ({ text, at }) => text.startsWith("x-") && /^\s*:(?:\s+|#[^\n]*\n)*&/.test(at.source.text.slice(at.end));
var isBlock = ({ fields, yaml: { shorthand, mapBy } }, { entries }) => !shorthand && entries.every(({ key }) => key.text !== mapBy && Object.hasOwn(fields, key.text)) && entries.some(({ value }) => value.type !== "map" && !isNull(value) && !isPoisoned(value));
function blockEntries(kind, node, at, say) {
  if (node.type === "map") return node.entries;
  if (isPoisoned(node)) return void 0;
  const isEmpty = isNull(node) && !nullIsValue(kind);
  if (isEmpty && standsForOptional(kind))
    say(
      "config/null-entry",
      `this entry of \`${kind.section}\` has no value`,
      at,
      'write its value after the colon, `""` for an empty one, or `{}` to keep the current value'
    );
  else if (isEmpty && kind.yaml.mapBy) return [];
  else if (isEmpty)
    say(
      "config/null-section",
      `\`${kind.section}\` is empty`,
      at,
      "write `{}` if it is meant to be empty, or remove it"
    );
  else if (kind.yaml.shorthand && node.type !== "list") return shorthandEntries(kind.yaml.shorthand, node);
  else {
    say(
      "config/type",
      `an entry of \`${kind.section}\` must be a map, not ${describe(node)}`,
      node.at,
      (node.type === "list" ? dataHint(kind, [], "[ \u2026 ]") : void 0) ?? "list its fields"
    );
    maskMisplaced(node, kind.fields);
  }
  return void 0;
}
var nullIsValue = ({ yaml: { shorthand }, fields }) => shorthand !== void 0 && Object.entries(shorthand(null)).every(
  ([name, value]) => fields[name].safeParse(value).success && !fields[name].safeParse(void 0).success
);
var standsForOptional = ({ yaml: { shorthand }, fields }) => shorthand !== void 0 && Object.keys(shorthand("")).every((name) => fields[name].safeParse(void 0).success);
function shorthandEntries(shorthand, node) {
  const written = node.type === "scalar" ? node.text : node.type === "hole" ? node.hole : { $join: [] };
  return Object.entries(shorthand(written)).map(([name, value]) => ({
    key: { type: "scalar", at: node.at, text: name, value: name },
    value: value === written ? node : nodeOf(value, node.at)
  }));
}
function dataHint({ yaml: { shorthand }, fields }, entries, data = "{ \u2026 }") {
  const [name, ...more] = Object.keys(shorthand?.("") ?? {});
  if (name === void 0 || more.length > 0 || entries.some(({ key }) => key.text === name)) return void 0;
  const isData = optionsOf(fields[name]).schemas.some(takesAnything);
  return isData ? `if this is data, put it in the field: \`${name}: ${data}\`` : void 0;
}

// src/config/blocks/collect-blocks.ts
function collectBlocks(kinds, sections, diagnostics) {
  return new BlockCollector(kinds, diagnostics).collect(sections);
}
var BlockCollector = class {
  #kinds;
  #diagnostics;
  #blocks = [];
  #uncertain = /* @__PURE__ */ new Set();
  #say = (code, message, at, hint) => {
    this.#diagnostics.push(problem(code, message, { at: positionOf(at), hint }));
  };
  constructor(kinds, diagnostics) {
    this.#kinds = kinds;
    this.#diagnostics = diagnostics;
  }
  collect(sections) {
    this.#visit(void 0, sections);
    return { blocks: this.#blocks, uncertain: this.#uncertain };
  }
  #visit(parent, sections) {
    for (const kind of childKinds(this.#kinds, parent?.kind.name)) {
      const part = sections.find((section) => section.kind === kind);
      if (!part) continue;
      if (part.section.type === "map" && part.section.entries.some(({ key }) => key.unusable))
        this.#nothing(kind, parent);
      const found = /* @__PURE__ */ new Map();
      let index = 0;
      for (const entry of sectionEntries(part, this.#say) ?? this.#nothing(kind, parent)) {
        if (entry.key?.text.startsWith("$")) {
          this.#dollarName(entry.key);
          continue;
        }
        const block = this.#blockOf(entry, kind, parent, index++);
        const isAlone = kind.key.length === 0 || entry.key !== void 0 && !kind.yaml.manyPerKey;
        const identity = isAlone ? block.address : `${block.address}#${index}`;
        const first = found.get(identity);
        if (first) this.#declaredTwice(first, block);
        else found.set(identity, block);
      }
      for (const block of found.values()) {
        this.#blocks.push(block);
        this.#visit(block, block.sections);
      }
    }
  }
  /** Notes that the section's objects are unknown, so that nothing is reported as missing from it. */
  #nothing(kind, parent) {
    this.#uncertain.add(collectionId(kind.name, parent?.address));
    return [];
  }
  #blockOf({ key, node, at }, kind, parent, index) {
    const children = childKinds(this.#kinds, kind.name);
    const block = {
      kind,
      parent,
      address: addressOf(
        parent?.address,
        kind.section,
        key ? keyNames(kind, key.text) : kind.key.length === 0 ? [] : [`#${index}`]
      ),
      key,
      at,
      position: positionOf(at),
      own: key ? [{ key: { ...key, text: kind.yaml.mapBy }, value: key }] : [],
      meta: [],
      sections: [],
      index
    };
    const entries = blockEntries(kind, node, at, this.#say);
    if (!entries) block.isWrong = true;
    for (const entry of entries ?? []) {
      const { key: name, value } = entry;
      const child = children.find(({ section }) => section === name.text);
      if (name.unusable) continue;
      if (name.isExpanded) this.#dollarName(name);
      else if (name.text.startsWith("$")) block.meta.push(entry);
      else if (child) block.sections.push({ kind: child, section: value, at: name.at });
      else if (key && name.text === kind.yaml.mapBy) {
        if (value.type !== "scalar" || value.text !== key.text)
          this.#say(
            "config/key-twice",
            `the map key already is \`${kind.yaml.mapBy}\``,
            name.at,
            "remove it here"
          );
      } else if (Object.hasOwn(kind.fields, name.text)) block.own.push(entry);
      else {
        maskUnknown(
          name.text,
          value,
          kind.fields,
          children.map(({ section }) => section)
        );
        const valid = [...Object.keys(kind.fields), ...children.map(({ section }) => section)].filter(
          (item) => item !== kind.yaml.mapBy || !key
        );
        const hint = insteadOf(kind, name.text) ?? anchorHint(name) ?? dataHint(kind, entries ?? []) ?? hintFor(name.text, valid);
        const message = `unknown key ${quoted(name.text)} in an entry of \`${kind.section}\``;
        const { address } = block;
        this.#diagnostics.push(
          problem("config/unknown-key", message, { address, at: positionOf(name.at), hint })
        );
      }
    }
    return block;
  }
  #dollarName({ text, at }) {
    this.#say(
      "config/dollar-name",
      `${quoted(text)} starts with \`$\`, which names cannot`,
      at,
      text.startsWith("${") ? void 0 : "keys with `$` belong in blocks and are written literally"
    );
  }
  /** Two names of one map that the platform takes for the same. */
  #declaredTwice(first, other) {
    this.#diagnostics.push(
      problem("config/duplicate", `${first.address} is declared twice`, {
        at: other.position,
        address: first.address,
        hint: "keep one of the two",
        related: [{ message: "the first one", at: first.position }]
      })
    );
  }
};
var anchorHint = (name) => isHomeOfAnchor(name) ? "put anchors under an `x-` key at the top level of the file, next to the sections" : void 0;
var insteadOf = ({ fields }, name) => Object.values(fields).map((schema) => traitsOf(schema).insteadOf?.[name]).find((hint) => hint !== void 0);

// src/config/expressions/parse-expressions.ts
function parseExpressions(text) {
  const parts = [];
  let literal2 = "";
  let at = 0;
  let nth = 0;
  for (; ; ) {
    const open = text.indexOf("${", at);
    if (open === -1) break;
    if (open > at && text[open - 1] === "$") {
      literal2 += `${text.slice(at, open - 1)}\${`;
      at = open + 2;
      nth++;
      continue;
    }
    literal2 += text.slice(at, open);
    if (literal2 !== "") parts.push(literal2);
    literal2 = "";
    const parsed = parseInside(text, open + 2);
    if ("error" in parsed) {
      parts.push({ error: parsed.error, nth });
      const close = text.indexOf("}", open);
      at = close === -1 ? text.length : close + 1;
    } else {
      const { steps, isOptional, filters: filters2 } = parsed;
      parts.push({
        steps: fromOpen(steps, open),
        ...isOptional ? { isOptional } : {},
        ...filters2.length > 0 ? { filters: fromOpen(filters2, open) } : {},
        nth
      });
      at = parsed.end + 1;
    }
    nth += text.slice(open, at).split("${").length - 1;
  }
  literal2 += text.slice(at);
  return literal2 !== "" || parts.length === 0 ? [...parts, literal2] : parts;
}
var fromOpen = (steps, open) => steps.map((step) => ({ ...step, start: step.start - open }));
function parseInside(text, start) {
  const path9 = readPath(text, start);
  if ("error" in path9) return path9;
  let at = path9.end;
  const isOptional = text[at] === "?";
  if (isOptional) at = afterBlanks(text, at + 1);
  const filters2 = [];
  while (text[at] === "|") {
    at = afterBlanks(text, at + 1);
    const name = match(plain, text, at);
    if (!name) return { error: "a filter is missing after `|`" };
    filters2.push({ name: name[0], start: at });
    at = afterBlanks(text, at + name[0].length);
  }
  return text[at] === "}" ? { steps: path9.steps, isOptional, filters: filters2, end: at } : wrongEnd(text, at);
}
function parsePath(text) {
  const path9 = readPath(text, 0);
  if ("error" in path9 || path9.end === text.length) return path9;
  return wrongEnd(text, path9.end);
}
var wrongEnd = (text, at) => ({
  error: at >= text.length ? "the closing `}` is missing" : "join names with dots; put names with other characters in brackets"
});
var bracketed = /\[(?:"([^"]*)"|'([^']*)'|([^\]"']+))\]/y;
var plain = /[^\s.[\]{}"'$|?]+/y;
var blanks = /\s*/y;
function match(pattern2, text, from) {
  pattern2.lastIndex = from;
  return pattern2.exec(text);
}
var afterBlanks = (text, at) => at + match(blanks, text, at)[0].length;
function readPath(text, start) {
  const steps = [];
  let at = afterBlanks(text, start);
  for (; ; ) {
    const inBrackets = steps.length > 0 && text[at] === "[" ? match(bracketed, text, at) : null;
    if (inBrackets) {
      steps.push(bracketStep(inBrackets, at));
      at += inBrackets[0].length;
    } else {
      if (steps.length > 0 && text[at] === ".") at++;
      else if (steps.length > 0) break;
      const name = match(plain, text, at);
      if (!name) return { error: steps.length === 0 ? "it is empty" : "a name is missing in it" };
      steps.push({ name: name[0], start: at });
      at += name[0].length;
    }
  }
  return { steps, end: afterBlanks(text, at) };
}
function bracketStep([, double, single, bare], at) {
  if (bare === void 0) {
    const text = double ?? single;
    return { name: text, start: at + 2, ...text.includes("${") ? { computed: { text } } : {} };
  }
  const name = bare.trim();
  const path9 = /^(?:(?:var|input|each)\.|stage$)/.test(name) ? readPath(name, 0) : void 0;
  const isPath = path9 !== void 0 && "steps" in path9 && path9.end === name.length;
  return { name, start: at + 1, ...isPath ? { computed: { path: path9.steps } } : {} };
}

// src/config/fields/reading.ts
;
var nonce = randomUUID();
var pattern = new RegExp(`^hole:(\\d+):${nonce}$`, "i");
function placeHole(reading, path9, hole) {
  return `hole:${reading.holes.push({ path: path9, hole }) - 1}:${nonce}`;
}
function restoreHoles(value, reading) {
  let broken = false;
  const restore = (item) => {
    if (typeof item === "string") {
      if (reading.holes.length === 0) return item;
      const index = pattern.exec(item)?.[1];
      if (index === void 0 && item.toLowerCase().includes(nonce)) broken = true;
      return index === void 0 ? item : reading.holes[Number(index)].hole;
    }
    if (Array.isArray(item)) return item.map(restore);
    if (typeof item !== "object" || item === null) return item;
    const copy = {};
    for (const [name, member] of Object.entries(item))
      if (member !== void 0) put(copy, name, restore(member));
    return copy;
  };
  const restored = restore(value);
  return broken ? void 0 : { value: restored };
}
var isAtHole = (path9, reading) => reading.holes.some(
  (hole) => hole.path.length <= path9.length && hole.path.every((step, i) => step === path9[i])
);
var waiting = { $join: [""] };
var holdsWaiting = (value) => holds(value, (one) => one === waiting || typeof one === "object" && inside);

// src/config/references/find-target.ts
function findTarget(index, steps) {
  let found;
  let rest = steps;
  for (; ; ) {
    const [section, ...names2] = rest;
    const children = childKinds(index.kinds, found?.kind.name);
    const kind = section && children.find((child) => child.section === section.name);
    if (!kind || !section) return found ?? unknownSection(steps[0], children);
    const next = enter(index, kind, found?.address, names2);
    if (!next) {
      const prefix = `${addressOf(found?.address, kind.section, [])}/`;
      const valid = index.siblings(kind, found?.address).map((address) => unescapeName(address.slice(prefix.length)));
      const [name] = names2;
      if (!name)
        return {
          step: section,
          message: `missing name after ${quoted(section.name)}`,
          hint: hintFor("", valid, "declared")
        };
      const near = closest(name.name, valid);
      return {
        isUncertain: index.isUncertain(kind, found?.address),
        step: name,
        message: `${prefix}${name.name} is not declared`,
        hint: `${near ? `did you mean ${quoted(near)}? If not, declare it` : "declare it"}; with \`$existing: true\` if it is not managed here`
      };
    }
    found = next;
    rest = next.rest;
  }
}
function enter(index, kind, parent, names2) {
  if (kind.key.length === 0) {
    const address = addressOf(parent, kind.section, []);
    return index.declared.has(address) ? { address, kind, rest: names2 } : void 0;
  }
  const [name, ...rest] = names2;
  if (!name) return void 0;
  if (kind.yaml.mapBy) {
    const address = addressOf(parent, kind.section, keyNames(kind, name.name));
    if (index.declared.has(address)) return { address, kind, rest };
  }
  const prefix = addressOf(parent, kind.section, []).length + 1;
  const siblings = new Map(
    index.siblings(kind, parent).map((address) => [unescapeName(address.slice(prefix)), address])
  );
  for (let count = 1; count <= Math.min(names2.length, 4); count++) {
    const address = siblings.get(
      names2.slice(0, count).map((step) => step.name).join("/")
    );
    if (address !== void 0) return { address, kind, rest: names2.slice(count) };
  }
  return void 0;
}
var unknownSection = (step, children) => ({
  step,
  message: `${quoted(step.name)} is not a section`,
  hint: hintFor(
    step.name,
    children.map(({ section }) => section)
  )
});
function danglingNames(read, uncertain, kinds) {
  const declared = /* @__PURE__ */ new Map();
  for (const { block, units: units2 } of read)
    for (const address of [block.address, ...units2.map((unit) => unit.address)])
      declared.set(address, block.kind.name);
  return read.flatMap(
    ({ block, links }) => links.filter(
      ({ to, type, kind }) => type === "named" && !declared.has(to) && !uncertain.has(collectionOf(to, kind))
    ).map(({ to, kind, at }) => {
      const prefix = to.slice(0, to.lastIndexOf("/") + 1);
      const siblings = [...declared.keys()].filter(
        (address) => address.startsWith(prefix) && declared.get(address) === kind && !/#\d+$/.test(address)
      );
      const near = hintFor(
        to.slice(prefix.length),
        siblings.map((address) => address.slice(prefix.length)),
        "declared"
      );
      return problem("ref/undeclared", `${to} is not declared`, {
        at,
        address: block.address,
        hint: `${near ? `${near} ` : ""}If it is not managed here, declare it with \`$existing: true\` under \`${kinds.get(kind)?.section}\`.`
      });
    })
  );
}
var collectionOf = (address, kind) => collectionId(kind, address.split("/").slice(0, -2).join("/") || void 0);
var manyCycles = 20;
function findCycles(read, resources) {
  const needs = /* @__PURE__ */ new Map();
  const places = /* @__PURE__ */ new Map();
  for (const { units: units2, links } of read)
    for (const { address, parent } of units2) {
      const all = needs.get(address) ?? /* @__PURE__ */ new Set();
      for (const { to, at } of links)
        if (resources.has(to)) {
          all.add(to);
          if (!places.has(`${address} ${to}`)) places.set(`${address} ${to}`, at);
        }
      if (parent !== void 0 && resources.has(parent)) all.add(parent);
      needs.set(address, all);
    }
  const diagnostics = [];
  let nodes = [...resources.keys()];
  for (; ; ) {
    const inside2 = new Set(nodes);
    const result = topologicalOrder(
      nodes,
      (node) => [...needs.get(node) ?? []].filter((to) => inside2.has(to))
    );
    if ("order" in result || diagnostics.length >= manyCycles) return diagnostics;
    const { cycle } = result;
    const place = (i) => places.get(`${cycle[i]} ${cycle[(i + 1) % cycle.length]}`) ?? resources.get(cycle[i]).at;
    diagnostics.push(
      problem("ref/cycle", `these depend on each other: ${[...cycle, cycle[0]].join(" \u2192 ")}`, {
        at: place(0),
        address: cycle[0],
        hint: "remove one of the references",
        related: cycle.slice(1).map((address, i) => ({ message: address, at: place(i + 1) }))
      })
    );
    const seen = new Set(cycle);
    nodes = nodes.filter((node) => !seen.has(node));
  }
}

// src/config/references/hole-of.ts
function holeOf(node, reading) {
  if (node.parts.length === 0) return void 0;
  const parts = [];
  for (const part of node.parts) {
    if (typeof part === "string") parts.push(part);
    else if (part.type === "secret") parts.push({ $secret: part.name });
    else if (part.type === "lookup") {
      const { name, attr, isOptional, isMoving } = part;
      if (isMoving && !reading.takesMoving) {
        reading.findings.push({
          code: "lookup/moves",
          message: `what the lookup ${quoted(name)} finds changes on its own, so it cannot be used in a field: the plan would never settle`,
          hint: "use it in the input of an action, under `$then`",
          path: [],
          node
        });
        return void 0;
      }
      parts.push({ $lookup: name, attr, ...isOptional ? { isOptional } : {} });
    } else {
      const found = reading.resolver.reference(part.steps, {
        type: "scalar",
        at: part.at,
        text: "",
        value: ""
      });
      if (found === void 0) return void 0;
      parts.push(isNode2(found) && found.type === "hole" ? found.hole : found);
    }
  }
  const [only] = parts;
  if (parts.length === 1) return only;
  const values = [];
  for (const part of parts) {
    const value = isNode2(part) ? part.type === "scalar" && part.value !== null ? part.text : void 0 : part;
    if (value === void 0) {
      reading.findings.push({
        code: "ref/not-text",
        message: "the referenced value is not text, so it must be the whole value",
        path: [],
        node
      });
      return void 0;
    }
    if (typeof value === "string" && typeof values.at(-1) === "string")
      values.push(`${values.pop()}${value}`);
    else values.push(value);
  }
  if (values.length === 1)
    return { type: "scalar", at: node.at, text: String(values[0]), value: String(values[0]) };
  if (!values.some(isSecret)) return { $join: values };
  maskNode(node);
  const named = values.find(isSecretRef)?.$secret;
  return { $join: values.map((value) => typeof value === "string" ? new Sealed(value, named) : value) };
}
var isNode2 = (value) => typeof value === "object" && value !== null && "type" in value && "at" in value;

// src/config/fields/read-value.ts
function readValue(schema, node, path9, reading) {
  const traits = traitsOf(schema);
  if (traits.secret) reading.secrets.push({ path: path9, node, traits });
  if (node.type === "expression") return readExpression(schema, node, path9, reading);
  if (node.type === "hole") return placeHole(reading, path9, node.hole);
  if (node.type === "scalar") return readScalar(schema, node, path9, reading);
  return readInner(schema, node, path9, reading);
}
function readPlain(node, path9, reading) {
  if (node.type === "scalar") return exactValue(node, path9, reading);
  if (node.type === "list") return node.items.map((item, i) => readPlain(item, [...path9, i], reading));
  if (node.type === "map")
    return Object.fromEntries(
      node.entries.map(({ key, value }) => [key.text, readPlain(value, [...path9, key.text], reading)])
    );
  if (node.type === "hole") return placeHole(reading, path9, node.hole);
  const hole = holeOf(node, reading);
  if (hole === void 0) return poisoned(path9, reading);
  return isNode2(hole) ? readPlain(hole, path9, reading) : placeHole(reading, path9, hole);
}
function poisoned(path9, reading) {
  reading.isPoisoned = true;
  return placeHole(reading, path9, { $join: [] });
}
function readScalar(schema, node, path9, reading) {
  const { schemas, nullable } = optionsOf(schema);
  if (node.value === null) {
    const wantsText = schemas.some(takesText);
    if (!nullable)
      reading.findings.push({
        code: "config/null",
        message: "this field cannot be reset",
        hint: wantsText ? `put it in quotes if the text ${node.text === "" ? '""' : quoted(node.text)} is meant, or remove the field` : "give it a value, or remove the field",
        path: path9,
        node
      });
    return null;
  }
  const text = schemas.filter(takesText);
  const isText = typeof node.value === "string" || text.length > 0 && !schemas.some(
    (option) => (takesAnything(option) || !takesText(option)) && option.safeParse(node.value).success
  );
  if (text.length === 0 && mayHoldSecret(schema)) maskNode(node);
  if (!isText || text.length === 0) return exactValue(node, path9, reading);
  const { ref, softRef } = traitsOf(schema);
  if (ref) return placeHole(reading, path9, reading.resolver.named(ref, node.text, node));
  if (softRef) reading.resolver.mention(softRef, node.text, node);
  warnOfUnknown(schema, text, node, path9, reading);
  return node.text;
}
function warnOfUnknown(schema, text, node, path9, reading) {
  const lists = text.map(
    (option) => traitsOf(option).known ?? (text.length === 1 ? traitsOf(schema).known : void 0)
  );
  if (!lists.every((list) => list !== void 0)) return;
  const known3 = lists.flat();
  if (known3.includes(node.text) || !text.some((option) => option.safeParse(node.text).success)) return;
  reading.findings.push({
    severity: "warning",
    code: "config/unknown-value",
    message: `${quoted(node.text)} is not a known value`,
    hint: `${hintFor(node.text, known3, "known values")?.replace(/[^?]$/, "$&.")} It is sent anyway, since the platform may have added it.`,
    path: path9,
    node
  });
}
function readExpression(schema, node, path9, reading) {
  const hole = holeOf(node, reading);
  if (hole === void 0) return poisoned(path9, reading);
  if (isNode2(hole)) return readValue(schema, hole, path9, reading);
  if (!takesFreeText(schema))
    reading.findings.push({
      code: "config/hole",
      message: "this value must be known before anything is read or created",
      hint: "a secret or the id of a resource can only be used where any text is allowed",
      path: path9,
      node
    });
  return placeHole(reading, path9, hole);
}
function readInner(schema, node, path9, reading) {
  const fitting = optionsOf(schema).schemas.filter(
    (option) => node.type === "list" ? ["array", "tuple", "set"].includes(typeOf(option)) : typeOf(option) === "record" || shapeOf(option)
  );
  const [only, ...more] = fitting;
  if (!only) {
    if (mayHoldSecret(schema)) maskNode(node);
    if (optionsOf(schema).schemas.some(takesAnything)) return readPlain(node, path9, reading);
    reading.findings.push({
      code: "config/type",
      message: `${describe(node)} is not allowed here`,
      hint: expected(schema),
      path: path9,
      node
    });
    return null;
  }
  if (more.length === 0) return readMembers(only, node, path9, reading);
  const tried = fitting.map((option) => {
    const trial = { ...reading, findings: [], holes: [...reading.holes], secrets: [] };
    const result = option.safeParse(readMembers(option, node, path9, trial));
    const wrong2 = trial.findings.filter(({ severity }) => severity !== "warning").length;
    return {
      option,
      wrong: wrong2 + (result.error?.issues.reduce((sum, issue) => sum + (issue.path.length > 0 ? 1 : 2), 0) ?? 0)
    };
  });
  const best = tried.reduce((a, b) => b.wrong < a.wrong ? b : a);
  return readMembers(best.option, node, path9, reading);
}
function readMembers(option, node, path9, reading) {
  const def = option.def;
  if (node.type === "list")
    return node.items.map((item, i) => {
      const schema = def.element ?? def.valueType ?? def.items?.[i] ?? def.rest;
      return schema ? readValue(schema, item, [...path9, i], reading) : readPlain(item, [...path9, i], reading);
    });
  const shape = shapeOf(option) ?? {};
  return Object.fromEntries(
    node.entries.map(({ key, value }) => {
      const schema = Object.hasOwn(shape, key.text) ? shape[key.text] : def.valueType ?? def.catchall;
      const inner = [...path9, key.text];
      const known3 = schema && typeOf(schema) !== "never";
      return [key.text, known3 ? readValue(schema, value, inner, reading) : readPlain(value, inner, reading)];
    })
  );
}
function exactValue(node, path9, reading) {
  if (typeof node.value !== "number" || isExact(node.text, node.value)) return node.value;
  const isRound = Number.isFinite(node.value);
  reading.findings.push({
    code: "config/number",
    message: isRound ? `this number cannot be represented exactly: it would be sent as ${JSON.stringify(node.value)}` : "this number cannot be sent",
    hint: isRound ? "use fewer digits, or quote it if it is text" : "quote it if it is text",
    path: path9,
    node
  });
  return 0;
}
function isExact(text, value) {
  if (!Number.isFinite(value)) return false;
  if (/^0[ox]/.test(text)) return Number.isSafeInteger(value);
  const [written, sent] = [text, String(value)].map(decimalOf);
  return written === void 0 || written === sent;
}
function decimalOf(text) {
  const [, sign = "", whole = "", part = "", power = "0"] = /^([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?$/.exec(text) ?? [];
  if (whole + part === "") return void 0;
  const all = (whole + part).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return "0";
  const exponent = BigInt(power) - BigInt(part.length) + BigInt(all.length - digits.length);
  return `${sign === "-" ? "-" : ""}${digits}e${exponent}`;
}

// src/config/fields/read-fields.ts
function readFields(kind, entries, isPartial, parentFields, resolver) {
  const reading = { resolver, findings: [], holes: [], isPoisoned: false, secrets: [] };
  const raw = {};
  const fields = {};
  const found = [];
  for (const { key, value } of entries)
    raw[key.text] = readValue(kind.fields[key.text], value, [key.text], reading);
  for (const [name, schema] of Object.entries(kind.fields)) {
    if (Object.hasOwn(raw, name)) {
      const checked = checkedField(name, schema, raw[name], reading);
      if ("value" in checked) fields[name] = checked.value;
      else found.push(...checked.findings);
    } else {
      const absent2 = absentOf(schema);
      if (absent2.success && absent2.data !== void 0) fields[name] = absent2.data;
      if (!absent2.success && (!isPartial || kind.key.includes(name)))
        found.push({ code: "config/missing", message: `\`${name}\` is missing`, path: [name], onKey: true });
    }
  }
  for (const finding of found) if (finding.code === "config/unknown-key") maskBelow(entries, finding);
  const best = reading.secrets.length > 0 ? { ...restoreHoles(raw, reading)?.value, ...fields } : fields;
  const secrets = reading.secrets.filter(({ node, traits }) => isSecretHere(node, traits, best));
  for (const { path: path9, node } of secrets) {
    maskNode(node);
    const [name, ...rest] = path9;
    if (name !== void 0 && Object.hasOwn(fields, name))
      fields[name] = sealAt(fields[name], rest, { literals: true, except: (one) => one === waiting });
  }
  const paths = secrets.map(({ path: path9 }) => path9);
  const isConstant = ({ path: [name], message, hint }) => {
    const checked = checkedField(
      String(name),
      kind.fields[name],
      masked(raw, paths)[name],
      reading
    );
    return "findings" in checked && checked.findings.some((one) => one.message === message && one.hint === hint);
  };
  const tellsTooMuch = (finding) => paths.some((path9) => isBelow2(finding.path, path9) || isBelow2(path9, finding.path)) && !isConstant(finding);
  const findings = [...reading.findings, ...found].map(
    (finding) => finding.code === "config/value" && tellsTooMuch(finding) ? { ...finding, message: "this secret value is not valid here", hint: void 0 } : finding
  );
  if (kind.rules.check && !isPartial && !reading.isPoisoned && findings.every(({ severity }) => severity === "warning"))
    findings.push(
      ...kind.rules.check(fields, parentFields).map((finding) => ({ code: "config/check", ...finding }))
    );
  return { fields, findings, isPoisoned: reading.isPoisoned };
}
var absentOf = once((schema) => schema.safeParse(void 0));
function checkedField(name, schema, raw, reading) {
  const result = schema.safeParse(raw);
  if (result.success) return restoreHoles(result.data, reading) ?? restoreHoles(raw, reading);
  const subject = { name, schema, raw };
  const told = reading.findings.filter(({ severity, path: path9 }) => severity !== "warning" && path9[0] === name);
  const findings = result.error.issues.flatMap((issue) => findingsOfIssue(issue, subject)).filter(({ path: path9 }) => !isAtHole(path9, reading) && !told.some((other) => isBelow2(path9, other.path)));
  if (findings.length > 0 || told.length > 0) return { findings };
  return restoreHoles(raw, reading);
}
var isBelow2 = (path9, ancestor) => ancestor.every((step, i) => step === path9[i]);
function isSecretHere(node, { secret, inClear }, fields) {
  try {
    const isSecret2 = typeof secret === "function" ? secret(fields) : secret === true;
    return isSecret2 && !(inClear?.(fields) === true && isWritten(node));
  } catch {
    return true;
  }
}
function maskBelow(entries, { path: path9, known: known3 = {} }) {
  const within2 = (inside2, step) => inside2.find(({ key }) => key.text === step)?.value;
  const [first, ...rest] = path9;
  const found = rest.reduce(
    (node, step) => {
      if (node?.type === "list") return node.items[Number(step)];
      return node?.type === "map" ? within2(node.entries, step) : void 0;
    },
    within2(entries, first)
  );
  if (found) maskUnknown(String(path9.at(-1)), found, known3);
}
function masked(value, paths) {
  if (paths.some((path9) => path9.length === 0)) return mapTree(value, illegible);
  const below = (step) => paths.filter(([first]) => first === step).map(([, ...rest]) => rest);
  if (Array.isArray(value)) return value.map((item, i) => masked(item, below(i)));
  return isPlainObject(value) ? mapMembers(value, (item, name) => masked(item, below(name))) : value;
}
var illegible = (value) => Array.isArray(value) || isPlainObject(value) ? inside : String(value).replace(/./gsu, "");

// src/config/blocks/meta-readers.ts
;
function readMeta(kind, entries, { sections, inOrder }) {
  const read = { meta: {}, dependsOn: [], findings: [] };
  for (const { key, value } of entries) {
    const reader = Object.hasOwn(metaReaders, key.text) ? metaReaders[key.text] : void 0;
    if (!reader) {
      maskNode(value);
      read.findings.push({
        code: "config/unknown-key",
        message: `unknown key ${quoted(key.text)}; keys with $ are settings of the resource`,
        hint: hintFor(key.text, Object.keys(metaReaders)),
        path: [],
        node: key
      });
    } else {
      const wrong2 = isPoisoned(value) ? void 0 : reader(value, read, { kind, sections, inOrder });
      if (wrong2) {
        maskNode(value);
        read.findings.push({
          code: "config/meta",
          message: `\`${key.text}\` ${wrong2}, not ${describe(value)}`,
          path: [],
          node: value
        });
      }
    }
  }
  const clash = read.meta.existing && entries.find(({ key }) => ["$forget", "$from", "$onRemove", "$was", "$replace"].includes(key.text));
  if (clash)
    read.findings.push({
      code: "config/meta",
      message: `\`$existing\` and \`${clash.key.text}\` contradict each other`,
      hint: "an object with `$existing` is never changed or deleted from here",
      path: [],
      node: clash.key
    });
  return read;
}
var flag = (set) => (node, { meta }) => {
  if (node.type !== "scalar" || typeof node.value !== "boolean") return "must be true or false";
  if (node.value) set(meta, true);
  return void 0;
};
var word = (expected2, set) => (node, { meta }) => {
  if (node.type !== "scalar" || node.text !== expected2) return `can only be \`${expected2}\``;
  set(meta);
  return void 0;
};
var names = (set, validFor, nameIn = (text) => text) => (node, { meta, findings }, context) => {
  const items = textsOf(node);
  if (!items) return "must be a list of names";
  const valid = validFor(context);
  for (const { name, node: node2 } of items)
    if (!valid.includes(nameIn(name)))
      findings.push({
        code: "config/meta",
        message: `unknown name ${quoted(name)}`,
        hint: hintFor(name, valid) ?? "there is nothing to name here",
        path: [],
        node: node2
      });
  set(
    meta,
    items.map(({ name }) => name)
  );
  return void 0;
};
var metaReaders = {
  $existing: flag((meta, value) => {
    meta.existing = value;
  }),
  $protect: flag((meta, value) => {
    meta.protect = value;
  }),
  $forget: flag((meta, value) => {
    meta.forget = value;
  }),
  $replace: word("allow", (meta) => {
    meta.replace = "allow";
  }),
  $onRemove: word("delete", (meta) => {
    meta.onRemove = "delete";
  }),
  $allow: names(
    (meta, values) => {
      meta.allow = permissions.filter((one) => values.includes(one));
    },
    () => [...permissions]
  ),
  $ignore: names(
    (meta, values) => {
      meta.ignore = values;
    },
    ({ kind }) => Object.keys({ ...kind.fields, ...comparedFields(kind) }),
    (text) => text.split(".")[0]
  ),
  $exclusive: names(
    (meta, values) => {
      meta.exclusive = values;
    },
    ({ sections }) => sections
  ),
  $was: (node, read) => {
    const name = textOf(node);
    if (name === void 0) return "must be the old name";
    read.was = { name, node };
    return void 0;
  },
  $from: (node, { meta }) => {
    const name = textOf(node);
    if (name === void 0 || !isStackName(name)) return "must be the name of the stack that had it";
    meta.from = name;
    return void 0;
  },
  $dependsOn: (node, read) => {
    const items = textsOf(node);
    if (!items) return "must be a list of addresses";
    read.dependsOn = items;
    return void 0;
  },
  $id: (node, { meta }) => {
    meta.id = textOf(node);
    return meta.id === void 0 ? "must be an id, as a string" : void 0;
  },
  $secretTo: (node, { meta, findings }, { kind }) => {
    if (!kind.shows) {
      const message = `\`$secretTo\` is for kinds that show a secret once; a ${kind.name} has none`;
      findings.push({ code: "config/meta", message, hint: "remove it", path: [], node });
      return void 0;
    }
    if (textOf(node) === "discard") {
      meta.secretTo = "discard";
      return void 0;
    }
    const [entry, more] = node.type === "map" ? node.entries : [];
    if (!entry || more) return "must be `{ file }`, `{ command }` or `discard`";
    const file = entry.key.text === "file" ? textOf(entry.value) : void 0;
    const command = entry.key.text === "command" && entry.value.type === "list" ? textsOf(entry.value) : void 0;
    if (file !== void 0 && isInside2(file)) meta.secretTo = { file };
    else if (command && command.length > 0) meta.secretTo = { command: command.map(({ name }) => name) };
    else if (file !== void 0) return "must be a file inside the working directory";
    else return "must be `{ file: path }` or `{ command: [program, arguments] }`";
    return void 0;
  },
  $position: (node, { meta, findings }, { kind, inOrder }) => {
    if (inOrder.length === 0) {
      const message = `\`$position\` is for blocks with an ordered list; a ${kind.name} has none`;
      findings.push({ code: "config/meta", message, hint: "remove it", path: [], node });
      return void 0;
    }
    const text = textOf(node);
    if (text === "first" || text === "last") {
      meta.position = text;
      return void 0;
    }
    const [entry, more] = node.type === "map" ? node.entries : [];
    const before = entry?.key.text === "before" && !more ? textOf(entry.value) : void 0;
    if (before === void 0 || !isStackName(before)) return "must be `first`, `last` or `{ before: STACK }`";
    meta.position = { before };
    return void 0;
  },
  // It is read once the rest of the block is known.
  $then: (node, read) => {
    read.actions = node;
    return void 0;
  },
  $wait: (node, { meta, findings }, { kind }) => {
    if (!kind.read.later) {
      const message = `\`$wait\` is for kinds that take time to become ready; a ${kind.name} is ready at once`;
      findings.push({ code: "config/meta", message, hint: "remove it", path: [], node });
      return void 0;
    }
    const minutes = minutesIn(node);
    if (minutes === void 0) return `must be \`{ minutes: N }\`, a whole number from 1 to ${longestWait}`;
    meta.wait = minutes;
    return void 0;
  }
};
function minutesIn(node) {
  const [entry, more] = node.type === "map" ? node.entries : [];
  const isMinutes = entry?.key.text === "minutes" && entry.value.type === "scalar" && !more;
  const minutes = isMinutes ? entry.value.value : void 0;
  const isGood = typeof minutes === "number" && Number.isInteger(minutes) && minutes >= 1;
  return isGood && minutes <= longestWait ? minutes : void 0;
}
var textOf = (node) => node.type === "scalar" && node.value !== null && node.text !== "" ? node.text : void 0;
function textsOf(node) {
  const items = node.type === "list" ? node.items : [];
  const texts = items.flatMap((item) => {
    const name = textOf(item);
    return name === void 0 ? [] : [{ name, node: item }];
  });
  return node.type === "list" && texts.length === items.length ? texts : void 0;
}
var isInside2 = (file) => !path4.isAbsolute(file) && !path4.normalize(file).startsWith("..");

// src/config/blocks/read-then.ts
var example = "`[{ redeploy: { target: production } }]`";
var beside = ["when", "drift", "wait"];
function readThen(node, context, findings) {
  if (isPoisoned(node)) return [];
  if (node.type !== "list") {
    maskNode(node);
    findings.push(wrong(`\`$then\` must be a list of actions, not ${describe(node)}`, node, example));
    return [];
  }
  return node.items.flatMap((item) => isPoisoned(item) ? [] : readItem(item, context, findings) ?? []);
}
var wrong = (message, node, hint) => ({
  code: "config/then",
  message,
  ...hint === void 0 ? {} : { hint },
  path: [],
  node
});
function readItem(item, context, findings) {
  const say = (message, node, hint) => void findings.push(wrong(message, node, hint));
  const named = namedIn(item);
  if (!named) {
    maskNode(item);
    return say(
      `an item of \`$then\` must be the name of an action, or a map with one, not ${describe(item)}`,
      item,
      example
    );
  }
  const { names: names2, options } = named;
  const [first, second] = names2;
  if (!first) return say("this item of `$then` names no action", item, example);
  if (second)
    return say("an item of `$then` can have only one action", second.node, "split it into two items");
  const action = declarable(first.name, first.node, context.actions, say);
  if (!action) return void 0;
  const before = findings.length;
  const input = readInput(action, first, context, findings);
  const about = readAbout(action, first, context, say);
  const rest = readOptions(action, options, context, say);
  return findings.slice(before).every(({ severity }) => severity === "warning") ? { action: action.name, input, about: about ?? [], ...rest } : void 0;
}
function namedIn(item) {
  if (item.type === "scalar" && typeof item.value === "string")
    return { names: [{ name: item.text, node: item }], options: [] };
  if (item.type !== "map") return void 0;
  const isOption = ({ key }) => beside.includes(key.text);
  return {
    names: item.entries.filter((entry) => !isOption(entry)).map(({ key, value }) => ({ name: key.text, node: key, input: value })),
    options: item.entries.filter(isOption)
  };
}
function declarable(name, node, actions, say) {
  const action = actions.get(name);
  const able = [...actions.values()].filter((one) => one.declarable).map((one) => one.name);
  if (!action)
    return say(`there is no action ${quoted(name)}`, node, hintFor(name, able, "allowed in `$then`"));
  if (!action.declarable)
    return say(
      `${quoted(name)} can only be run by hand: ${whyByHand(action)}`,
      node,
      `use \`trueup run ${name}\`; allowed in \`$then\`: ${able.join(", ")}`
    );
  return action;
}
function whyByHand({ cost, shows, grade, why, repeatable, until }) {
  if (cost !== void 0) return `it costs money: ${cost}`;
  if (shows !== void 0) return "its response contains a secret";
  if (grade === "irreversible" || grade === "destructive") return why;
  return repeatable || until ? "a person should decide when" : "running it twice by mistake could do harm";
}
function readInput({ name, on, input }, { node, input: given }, context, findings) {
  const entries = given?.type === "map" ? given.entries : [];
  if (given && given.type !== "map" && !(given.type === "scalar" && given.value === null)) {
    maskNode(given);
    findings.push(
      wrong(`\`${name}\` must be a map of inputs, not ${describe(given)}`, given, inputHint(name, input))
    );
    return {};
  }
  const own = entries.filter(({ key }) => key.text !== on || Object.hasOwn(input, key.text));
  const reading = {
    resolver: context.resolver,
    findings: [],
    holes: [],
    isPoisoned: false,
    secrets: [],
    takesMoving: true
  };
  const fields = {};
  for (const { key, value } of own)
    if (!Object.hasOwn(input, key.text)) {
      maskNode(value);
      const known3 = [...Object.keys(input), ...on === void 0 ? [] : [on]];
      findings.push(
        wrong(
          `\`${name}\` takes no ${quoted(key.text)}`,
          key,
          hintFor(key.text, known3, "it takes") ?? "it takes no input"
        )
      );
    }
  for (const [field, schema] of Object.entries(input)) {
    const entry = own.find(({ key }) => key.text === field);
    if (!entry) {
      const absent2 = schema.safeParse(void 0);
      if (!absent2.success) findings.push(wrong(`\`${name}\` needs ${quoted(field)}`, node, docOf(schema)));
      else if (absent2.data !== void 0) fields[field] = absent2.data;
      continue;
    }
    const checked = checkedField(field, schema, readValue(schema, entry.value, [field], reading), reading);
    if ("value" in checked && holdsSecret(checked.value))
      findings.push(
        wrong(
          `a secret cannot be given to ${quoted(name)}`,
          entry.value,
          `what it is given stands in the plan and in the ledger`
        )
      );
    else if ("value" in checked) fields[field] = checked.value;
    else findings.push(...checked.findings.map((finding) => ({ ...finding, path: [], node: entry.value })));
  }
  findings.push(...reading.findings.map((finding) => ({ ...finding, path: [] })));
  return fields;
}
var inputHint = (name, input) => {
  const names2 = Object.keys(input);
  return names2.length === 0 ? `it takes no input: write just \`${name}\`` : `it takes ${names2.join(", ")}`;
};
function readAbout({ name, on }, { node, input }, context, say) {
  if (on === void 0) return void 0;
  const kind = context.kinds.get(on);
  const given = input?.type === "map" ? input.entries.find(({ key }) => key.text === on)?.value : void 0;
  if (!given) {
    let around = context.block;
    while (around && around.kind.name !== on) around = around.parent;
    if (around) return [globOf(around.address)];
    const form = kind.parent === void 0 ? "NAME" : `${kind.section}/NAME`;
    return say(
      `\`${name}\` acts on a ${on}, but this block is not in one`,
      node,
      `name it: \`{ ${name}: { ${on}: [${form}] } }\``
    );
  }
  const texts = given.type === "scalar" && given.text !== "" ? [{ name: given.text, node: given }] : textsOf(given);
  if (!texts) return say(`\`${on}\` must be the name of a ${on}, or a list of them`, given);
  return texts.map((text) => {
    const glob = aboutGlob(kind, text.name);
    if (!context.isDeclared(kind, glob))
      say(
        `no declared ${on} matches ${quoted(text.name)}`,
        text.node,
        `declare it, with \`$existing: true\` if another configuration owns it`
      );
    return glob;
  });
}
var aboutGlob = ({ section, parent }, text) => parent !== void 0 || text.startsWith(`${section}/`) ? text : addressOf(void 0, section, [/[*?[{]/.test(text) ? text : globOf(escapeName(text))]);
function readOptions({ name, until }, options, { block, sections }, say) {
  const read = {};
  for (const { key, value } of options) {
    if (isPoisoned(value)) continue;
    if (key.text === "when") {
      const texts = textsOf(value);
      const valid = [
        .../* @__PURE__ */ new Set([...Object.keys({ ...block.kind.fields, ...comparedFields(block.kind) }), ...sections])
      ];
      if (!texts || texts.length === 0) say("`when` must be a list of fields and sections", value);
      for (const text of texts ?? [])
        if (!valid.includes(text.name))
          say(
            `a ${block.kind.name} has no field or section ${quoted(text.name)}`,
            text.node,
            hintFor(text.name, valid)
          );
      if (texts) read.when = texts.map((text) => text.name);
    } else if (key.text === "drift") {
      if (value.type !== "scalar" || typeof value.value !== "boolean")
        say("`drift` must be true or false", value);
      else if (value.value) read.drift = true;
    } else if (!until)
      say(`\`${name}\` finishes with its response: there is nothing to wait for`, key, "remove `wait`");
    else {
      const minutes = minutesIn(value);
      if (minutes === void 0)
        say(`\`wait\` must be \`{ minutes: N }\`, a whole number from 1 to ${longestWait}`, value);
      else read.wait = minutes;
    }
  }
  return read;
}

// src/config/blocks/read-block.ts
function readBlock(block, surroundings) {
  const { kind, own } = block;
  const links = [];
  let isWaiting = false;
  const meta = readMeta(kind, block.meta, surroundings.children);
  const isPartial = Boolean(meta.meta.existing || meta.meta.forget);
  const wait = () => {
    isWaiting = true;
  };
  const resolver = surroundings.resolver(links, wait);
  const { fields, findings, isPoisoned: isPoisoned2 } = readFields(
    kind,
    own,
    isPartial,
    surroundings.parentFields,
    resolver
  );
  findings.push(...meta.findings, ...notOfExisting(block, meta));
  const dependsOn = [];
  for (const { name, node } of meta.dependsOn) {
    const found = surroundings.dependsOn(name, { path: [], node });
    if (typeof found === "object") findings.push(found);
    else if (found !== void 0) {
      dependsOn.push(found);
      links.push({ to: found, kind: "", at: positionOf(node.at), type: "ref" });
    }
  }
  const { thens } = surroundings;
  const free = surroundings.resolver([], wait);
  const actions = meta.actions && thens ? readThen(meta.actions, { block, resolver: free, ...thens }, findings) : [];
  findings.push(...holesInKey(block, fields));
  const read = { block, fields, units: [], diagnostics: [], links, isWaiting };
  if (!block.isWrong && !isPoisoned2 && findings.every(({ severity }) => severity === "warning")) {
    const complete = {
      ...meta.meta,
      ...dependsOn.length > 0 ? { dependsOn } : {},
      ...actions.length > 0 ? { actions } : {}
    };
    read.units = unitsOf(block, fields, complete, meta, surroundings, findings);
  }
  read.diagnostics = findings.filter(({ code }) => !(block.isWrong && code === "config/missing")).map((finding) => toDiagnostic(finding, block));
  return read;
}
function unitsOf(block, fields, meta, { was }, { parentFields }, findings) {
  const { kind, parent } = block;
  let rows;
  try {
    rows = kind.shape.units(fields, parentFields).map(withoutAbsent);
  } catch (error) {
    if (!meta.existing && !meta.forget && holesIn(fields).length === 0 && !holdsWaiting(fields)) throw error;
    findings.push({
      code: "config/entry",
      message: "this entry needs all of its key fields to be identified",
      path: []
    });
    return [];
  }
  const units2 = rows.map((unit) => ({
    address: addressOf(parent?.address, kind.section, namesOf(kind, unit)),
    kind: kind.name,
    ...parent ? { parent: parent.address } : {},
    fields: unit,
    meta: { ...meta },
    index: block.index,
    at: block.position
  }));
  findings.push(...units2.flatMap((unit) => holesInNames(block, unit.fields)));
  if (kind.shape.byAddress) {
    const group = units2.map(({ address }) => address).sort()[0];
    for (const unit of units2) unit.group = group;
  }
  for (const unit of was ? units2 : []) {
    const old = oldNames(block, unit.fields, was.name);
    const address = old && addressOf(parent?.address, kind.section, old);
    if (!address || address === unit.address)
      findings.push({
        code: "config/meta",
        message: address ? "`$was` is its current name" : "`$was` must name a sibling",
        hint: `write the names as in the address, joined by \`/\`: ${kind.key.join("/")}`,
        path: [],
        node: was.node
      });
    else unit.meta.was = address;
  }
  return units2;
}
function oldNames(block, fields, was) {
  const { kind } = block;
  const field = kind.yaml.mapBy ?? (kind.key.length === 1 ? kind.key[0] : void 0);
  if (field === void 0) {
    const names2 = was.split("/").map(escapeName);
    return kind.key.length > 0 && names2.length === kind.key.length ? names2 : void 0;
  }
  const normal = kind.fields[field]?.safeParse(was);
  const value = normal?.success ? normal.data : was;
  return kind.yaml.names ? namesOf(kind, { ...fields, [field]: value }) : keyNames(kind, was);
}
function notOfExisting({ kind, own }, { meta }) {
  if (!meta.existing) return [];
  return own.filter(({ key }) => key.text !== kind.yaml.mapBy && !kind.key.includes(key.text)).map(({ key }) => ({
    code: "config/existing-fields",
    message: `\`${key.text}\` cannot be set on a resource with \`$existing\``,
    hint: "remove the field, or `$existing: true`",
    path: [key.text],
    node: key
  }));
}
function toDiagnostic(finding, block) {
  const node = nodeAt(block.own, finding);
  const details = {
    hint: isTextOfExpression(finding, node) ? typedInput : finding.hint,
    address: block.address,
    at: node ? positionOf(node.at) : block.position,
    ...valuePlace(node)
  };
  return (finding.severity === "warning" ? warning : problem)(finding.code, finding.message, details);
}
var typedInput = "values from a data file are text: use an input with `type: number` or `type: boolean` to convert them";
var isTextOfExpression = ({ code }, node) => code === "config/type" && node?.type === "scalar" && typeof node.value === "string" && (node.literals?.some(({ source }) => /\.csv$/i.test(source.file)) ?? false);
function valuePlace(node) {
  const from = node && dataPlaceOf(node);
  return from ? { related: [{ message: "the value", at: positionOf(from) }] } : {};
}
var withoutAbsent = (fields) => Object.values(fields).includes(void 0) ? Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== void 0)) : fields;
function nodeAt(entries, { path: path9, node, onKey }) {
  if (node) return node;
  let found;
  let at;
  path9.forEach((step, i) => {
    const inside2 = i === 0 ? entries : at?.type === "map" ? at.entries : void 0;
    const entry = inside2?.find(({ key }) => key.text === step);
    if (i > 0 && !at) return;
    at = entry?.value ?? (at?.type === "list" ? at.items[Number(step)] : void 0);
    if (entry && (onKey || entry.value.type === "map")) found = entry.key;
    else if (at) found = at;
  });
  return found;
}
function holesInKey({ kind, own }, fields) {
  return [.../* @__PURE__ */ new Set([...kind.key, ...kind.yaml.mapBy ? [kind.yaml.mapBy] : []])].flatMap(
    (name) => {
      const value = fields[name];
      if (typeof value !== "object") return [];
      const node = own.find(({ key }) => key.text === name)?.value;
      const hint = `\`${name}\` is part of the resource's address`;
      if (isSecret(value))
        return [
          { code: "secret/in-name", message: "a name cannot contain a secret", hint, path: [name], node }
        ];
      const schema = kind.fields[name];
      const isNamed = isRef(value) && schema !== void 0 && traitsOf(schema).ref !== void 0;
      if (isNamed || holesIn(value).length === 0 && !holdsWaiting(value)) return [];
      return [
        { code: "ref/in-name", message: "a name can only contain variables", hint, path: [name], node }
      ];
    }
  );
}
function holesInNames({ kind, own }, fields) {
  const probe = "e7d1probe";
  return Object.entries(fields).flatMap(([name, value]) => {
    if (typeof value !== "object") return [];
    const schema = comparedFields(kind)[name] ?? kind.fields[name];
    const isNamed = isRef(value) && schema !== void 0 && traitsOf(schema).ref !== void 0;
    if (isNamed || kind.key.includes(name) || !(isSecret(value) || holesIn(value).length > 0 || holdsWaiting(value)))
      return [];
    if (!namesOf(kind, { ...fields, [name]: probe }).some((part) => part.includes(probe))) return [];
    const node = own.find(({ key }) => key.text === name)?.value;
    const [code, message] = isSecret(value) ? ["secret/in-name", "a name cannot contain a secret"] : ["ref/in-name", "a name can only contain variables"];
    return [
      { code, message, hint: `\`${name}\` is part of the resource's address`, path: [name], node }
    ];
  });
}

// src/config/blocks/read-blocks.ts
var maxSteps = 100;
function readBlocks(kinds, { blocks, uncertain }, { isIncomplete, actions }) {
  return new BlockReader(kinds, uncertain, isIncomplete, actions).readAll(blocks);
}
var BlockReader = class {
  #kinds;
  #isIncomplete;
  #actions;
  #read = /* @__PURE__ */ new Map();
  #open = /* @__PURE__ */ new Set();
  #units = /* @__PURE__ */ new Map();
  #declared = /* @__PURE__ */ new Map();
  #collections = /* @__PURE__ */ new Map();
  #index;
  constructor(kinds, uncertain, isIncomplete, actions) {
    this.#kinds = kinds;
    this.#actions = actions;
    this.#isIncomplete = isIncomplete;
    this.#index = {
      kinds,
      declared: this.#declared,
      siblings: (kind, parent) => this.#collections.get(collectionId(kind.name, parent)) ?? [],
      isUncertain: (kind, parent) => isIncomplete || uncertain.has(collectionId(kind.name, parent))
    };
  }
  readAll(blocks) {
    for (const block of blocks) {
      const result = readBlock(block, this.#surroundings(block, true));
      if (block.meta.some(({ key }) => key.text === "$dependsOn" || key.text === "$then"))
        result.isWaiting = true;
      this.#enter(block, result);
    }
    for (const block of blocks) {
      const own = this.#read.get(block).units.map(({ address }) => address);
      const addresses = own.length > 0 ? own : [block.address];
      const collection = collectionId(block.kind.name, block.parent?.address);
      for (const address of addresses) this.#declared.set(address, block.kind);
      const siblings = this.#collections.get(collection);
      if (siblings) siblings.push(...addresses);
      else this.#collections.set(collection, [...addresses]);
    }
    for (const block of blocks) this.#readAgain(block);
    return blocks.map((block) => this.#read.get(block));
  }
  #enter(block, result) {
    this.#read.set(block, result);
    for (const unit of result.units) this.#units.set(unit.address, { unit, block });
  }
  #surroundings(block, isFirst) {
    const children = childKinds(this.#kinds, block.kind.name);
    return {
      parentFields: (block.parent && this.#read.get(block.parent)?.fields) ?? {},
      children: {
        // Of what nothing lists, nothing can be known to be left over.
        sections: children.filter(({ read }) => read.endpoint !== void 0).map(({ section }) => section),
        inOrder: children.filter(({ shape }) => shape.orderDecides).map(({ section }) => section)
      },
      ...this.#actions ? {
        thens: {
          kinds: this.#kinds,
          actions: this.#actions,
          sections: children.map(({ section }) => section),
          isDeclared: (kind, glob) => isFirst || this.#isIncomplete || this.#isDeclared(kind, glob)
        }
      } : {},
      resolver: (links, wait) => this.#resolverFor(block, links, isFirst ? wait : void 0),
      dependsOn: (name, finding) => isFirst ? void 0 : this.#dependency(name, finding)
    };
  }
  #resolverFor(block, links, wait) {
    const near = (kindName, name) => {
      const kind = this.#kinds.get(kindName);
      let ancestor = block;
      while (ancestor && ancestor.kind.name !== kind.parent) ancestor = ancestor.parent;
      return addressOf(ancestor?.address, kind.section, keyNames(kind, name));
    };
    return {
      named: (kind, name, node) => {
        const to = near(kind, name);
        links.push({ to, kind, at: positionOf(node.at), type: "named" });
        return { $ref: to, attr: "id" };
      },
      mention: (kind, name, node) => {
        links.push({ to: near(kind, name), kind, at: positionOf(node.at), type: "soft" });
      },
      reference: (steps, node) => {
        if (!wait) return this.#follow(steps, node, links, block);
        wait();
        return waiting;
      }
    };
  }
  #follow(steps, node, links, from) {
    const say = (code, message, step, hint) => {
      const at = positionOf({ ...node.at, start: step.start });
      this.#read.get(from).diagnostics.push(problem(code, message, { at, hint, address: from.address }));
    };
    const target = findTarget(this.#index, steps);
    if ("message" in target)
      return target.isUncertain ? void 0 : say("ref/unknown", target.message, target.step, target.hint);
    const { address, kind } = target;
    const [attribute, ...inner] = target.rest;
    const known3 = [.../* @__PURE__ */ new Set(["id", ...Object.keys(comparedFields(kind)), ...Object.keys(kind.fields)])];
    if (!attribute)
      return say(
        "ref/no-attribute",
        "name a field of the resource",
        steps.at(-1),
        `\`.id\`, or ${hintFor("", known3)}`
      );
    if (!known3.includes(attribute.name))
      return say(
        "ref/unknown-attribute",
        `${address} has no field ${quoted(attribute.name)}`,
        attribute,
        hintFor(attribute.name, known3)
      );
    const hole = (attr) => {
      links.push({ to: address, kind: kind.name, at: positionOf(node.at), type: "ref" });
      return { $ref: address, attr };
    };
    if (attribute.name === "id") return hole("id");
    const path9 = [attribute, ...inner].map(({ name }) => /^\d+$/.test(name) ? Number(name) : name);
    const now = () => lookUp(this.#units.get(address)?.unit.fields, path9);
    const holder = this.#units.get(address)?.block;
    if (!holder) return void 0;
    if (holdsWaiting(now())) {
      if (this.#open.has(holder))
        return say(
          "ref/cycle",
          `the value depends on itself, through ${address}`,
          steps[0],
          "write one of the values literally"
        );
      if (this.#open.size >= maxSteps)
        return say(
          "ref/depth",
          `the value is passed on more than ${maxSteps} times`,
          steps[0],
          "refer directly to where it is written"
        );
      this.#readAgain(holder);
    }
    const value = now();
    if (value !== void 0) return nodeOf(value, node.at);
    if (inner.length === 0) return hole(attribute.name);
    return say("ref/unknown-attribute", `${address} declares no ${quoted(path9.join("."))}`, inner.at(-1));
  }
  #isDeclared(kind, glob) {
    const fits = globTest(glob);
    return [...this.#declared].some(([address, one]) => one === kind && fits(address));
  }
  #dependency(name, finding) {
    if (this.#units.has(name) || this.#declared.has(name)) return name;
    const path9 = name.includes("/") ? { error: "" } : parsePath(name);
    const target = "steps" in path9 ? findTarget(this.#index, path9.steps) : void 0;
    if (target && "address" in target && target.rest.length === 0) return target.address;
    if (this.#isIncomplete || target && "message" in target && target.isUncertain) return void 0;
    const known3 = [...this.#declared.keys()].filter((address) => !/#\d+$/.test(address));
    const hint = hintFor(name, known3, "declared");
    return { code: "ref/unknown", message: `${quoted(name)} is not declared`, hint, ...finding };
  }
  #readAgain(block) {
    const before = this.#read.get(block);
    if (this.#open.has(block) || !before.isWaiting || before.diagnostics.some(({ code }) => code === "ref/in-name"))
      return;
    this.#open.add(block);
    before.diagnostics = [];
    const again = readBlock(block, this.#surroundings(block, false));
    again.diagnostics.push(...before.diagnostics);
    this.#enter(block, again);
    this.#open.delete(block);
  }
};

// src/config/expressions/filters.ts
var letters = {
  \u00DF: "ss",
  \u00E6: "ae",
  \u0153: "oe",
  \u00F8: "o",
  \u0111: "d",
  \u00F0: "d",
  \u0142: "l",
  \u00FE: "th"
};
function words(text) {
  const plain3 = text.toLowerCase().replace(/[ßæœøđðłþ]/g, (letter) => letters[letter]).normalize("NFKD").replace(new RegExp("\\p{M}", "gu"), "");
  return plain3.split(/[^a-z0-9]+/).filter((word2) => word2 !== "");
}
var filters = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  /** `Österreich & Co.` becomes `osterreich-co`. */
  slug: (text) => words(text).join("-"),
  /** `site-at` becomes `site_at`. */
  snake: (text) => words(text).join("_")
};
function filtered(of, found, names2) {
  const { at, stepAt } = of.placed;
  if (!isNode(found) || found.type !== "scalar" || found.value === null)
    return of.fail("expression/filter", "a filter needs text that is known at this point", at);
  let { text } = found;
  for (const { name, start } of names2) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : void 0;
    if (!filter)
      return of.fail(
        "expression/filter",
        `there is no filter ${quoted(name)}`,
        stepAt({ name, start }),
        hintFor(name, Object.keys(filters))
      );
    const filtered2 = filter(text);
    if (filtered2 === "" && text !== "")
      return of.fail(
        "expression/filter",
        `\`${name}\` removes all of this text`,
        stepAt({ name, start }),
        "it keeps letters and digits of the Latin alphabet"
      );
    text = filtered2;
  }
  return { ...found, text, value: text };
}

// src/config/expressions/roots.ts
var failed = /* @__PURE__ */ Symbol("failed");
var absent = /* @__PURE__ */ Symbol("absent");
function variableAt(of, [name, ...rest]) {
  const { stepAt, at } = of.placed;
  const { variables, incomplete } = of.scope;
  if (!name) return of.fail("expression/syntax", "`var` needs a name", at, "${var.name}");
  if (!variables.has(name.name)) {
    if (incomplete) return failed;
    return of.undeclared("var/undeclared", "variables", name, variables.names());
  }
  const value = variables.get(name.name);
  if (!value) return failed;
  if (value.type === "missing") {
    if (!variables.isFirstUse(name.name)) return failed;
    const related = [{ message: "declared here", at: value.at }];
    return of.fail(
      "var/missing",
      `the variable ${quoted(name.name)} has no value`,
      stepAt(name),
      value.hint,
      related
    );
  }
  return of.within(value, rest);
}
function secretAt(of, steps) {
  const { stepAt, at } = of.placed;
  const { secrets, incomplete } = of.scope;
  const [name, key, more] = steps;
  if (!name || more)
    return of.fail("expression/syntax", "`secret` needs one name", at, "${secret.name}, ${secret.name[key]}");
  if (!secrets) return of.fail("secret/not-here", "a secret cannot be used here", at);
  if (!secrets.has(name.name)) {
    if (incomplete) return failed;
    return of.undeclared("secret/undeclared", "secrets", name, secrets.names());
  }
  if (!key) {
    const wrong2 = secrets.needsKey(name.name);
    if (wrong2) return of.fail(wrong2.code, wrong2.message, stepAt(name), wrong2.hint);
    return { type: "secret", at, name: name.name };
  }
  const named = of.named(key);
  if (!named) return failed;
  const member = secrets.member(name.name, named.name);
  if (typeof member === "string") return { type: "secret", at, name: member };
  return of.fail(member.code, member.message, stepAt(key), member.hint);
}
function lookupAt(of, root, [name, field, more]) {
  const { stepAt, at } = of.placed;
  const { lookups, incomplete } = of.scope;
  if (!name || !field || more)
    return of.fail("expression/syntax", "`lookup` needs a name and a field", at, "${lookup.name.field}");
  if (!lookups) return of.fail("lookup/not-here", "a lookup cannot be used here", stepAt(root));
  if (!lookups.has(name.name)) {
    if (incomplete) return failed;
    return of.undeclared("lookup/undeclared", "lookups", name, lookups.names());
  }
  const named = of.named(field);
  const fields = lookups.fields(name.name);
  if (!named || !fields) return failed;
  if (!fields.includes(named.name))
    return of.fail(
      "lookup/field",
      `the lookup ${quoted(name.name)} has no field ${quoted(named.name)}`,
      stepAt(field),
      hintFor(named.name, fields, "it has")
    );
  const isMoving = lookups.isMoving(name.name);
  return { type: "lookup", at, name: name.name, attr: named.name, ...isMoving ? { isMoving } : {} };
}
function inputAt(of, [name, ...rest]) {
  const { at } = of.placed;
  const { input } = of.scope;
  if (!input)
    return of.fail("input/not-here", "only a template has inputs", at, "for a variable, write `${var.name}`");
  if (!name) return of.fail("expression/syntax", "`input` needs a name", at, "${input.name}");
  if (!input.has(name.name)) return of.undeclared("input/undeclared", "$inputs", name, input.names());
  const value = input.get(name.name);
  return value ? of.within(value, rest) : failed;
}
function eachAt(of, root, steps) {
  const { stepAt, at } = of.placed;
  let each = of.scope.each;
  let [name, ...rest] = steps;
  while (each && name?.name === "outer") {
    each = each.outer;
    [name, ...rest] = rest;
  }
  if (!each)
    return of.fail(
      "each/not-here",
      of.scope.each ? "there is no outer `$each`" : "there is no `$each` around it",
      stepAt(root),
      of.scope.input ? "a template cannot see the `$each` of the block that uses it: pass the value as an input" : void 0
    );
  if (name?.name === "value") return of.within(each.value, rest);
  if (name?.name !== "key" || rest.length > 0)
    return of.fail(
      "expression/syntax",
      "`each` has a key and a value",
      at,
      "${each.key}, ${each.value}, ${each.value.name}, ${each.outer.key}"
    );
  return each.key ?? of.fail("each/no-key", "items of a list of maps have no key", stepAt(name), "use ${each.value.name}");
}
function stageAt(of, root) {
  const { stage } = of.scope;
  if (stage === void 0)
    return of.fail(
      "stage/none",
      "the configuration has no stages",
      of.placed.stepAt(root),
      "declare them under `stages` and select one with --stage"
    );
  const { at } = of.placed;
  return { type: "scalar", at, text: stage, value: stage };
}
function fieldAround(of, root, rest, block) {
  const { stepAt, at } = of.placed;
  const kind = root.name;
  if (!block)
    return of.fail(
      "expression/around",
      `this is not inside a ${kind}`,
      stepAt(root),
      "name it: ${projects.web.id}"
    );
  const [field, ...more] = rest;
  if (!field)
    return of.fail(
      "expression/syntax",
      `name a field of the ${kind}`,
      at,
      block.key ? `\${${kind}.${block.key.field}}, \${${kind}.id}` : `\${${kind}.id}`
    );
  if (block.key?.field === field.name && more.length === 0) return block.key.node;
  if (!of.scope.secrets)
    return of.fail("ref/in-name", "a name can only contain values known at this point", stepAt(field));
  const way = [];
  for (let one = block; one; one = one.parent)
    way.unshift(...one.path.map((name) => ({ name, start: stepAt(root).start })));
  const behind = of.placedSteps([field, ...more]);
  return behind ? { type: "ref", at, steps: [...way, ...behind] } : failed;
}
function enclosing(block, kind) {
  for (let one = block; one; one = one.parent) if (one.kind === kind) return one;
  return void 0;
}

// src/config/expressions/resolve-expression.ts
function resolveExpression(path9, placed2, scope, diagnostics) {
  return new Resolver(placed2, scope, diagnostics).resolve(path9);
}
var Resolver = class {
  placed;
  scope;
  #diagnostics;
  constructor(placed2, scope, diagnostics) {
    this.placed = placed2;
    this.scope = scope;
    this.#diagnostics = diagnostics;
  }
  fail(code, message, where, hint, related) {
    const address = this.scope.block?.address;
    this.#diagnostics.push(
      problem(code, message, {
        at: positionOf(where),
        hint,
        ...address === void 0 ? {} : { address },
        ...related ? { related } : {}
      })
    );
    return failed;
  }
  undeclared(code, section, step, declared) {
    return this.fail(
      code,
      `${quoted(step.name)} is not declared under \`${section}\``,
      this.placed.stepAt(step),
      hintFor(step.name, declared, "declared")
    );
  }
  resolve(path9) {
    const { at, isWhole } = this.placed;
    if ("error" in path9)
      return this.fail(
        "expression/syntax",
        `this \`\${\` begins an expression, but ${path9.error}`,
        at,
        "write `$${` for a literal `${`"
      );
    const found = this.#find(path9.steps);
    if (found === failed) return failed;
    if (found === absent) {
      if (path9.isOptional && isWhole) return absent;
      const name = path9.steps.map((step) => step.name).join(".");
      return path9.isOptional ? this.fail(
        "expression/absent",
        `${quoted(name)} has no value, but the rest of the text needs one`,
        at
      ) : this.fail(
        "expression/absent",
        `${quoted(name)} has no value`,
        at,
        `\`\${${name}?}\` alone omits its key if there is no value`
      );
    }
    if (path9.filters) return filtered(this, found, path9.filters);
    if (path9.isOptional && typeof found === "object" && !isNode(found) && found.type === "lookup")
      return isWhole ? { ...found, isOptional: true } : this.fail(
        "expression/syntax",
        "only a whole value can be omitted",
        at,
        `write \`\${...?}\` as the whole value`
      );
    if (isWhole || !isNode(found) || found.type === "expression") return found;
    if (found.type === "scalar" && found.value !== null) return found;
    const called = quoted(
      path9.steps.map(({ name }) => name).join(".").replace(/^var\./, "")
    );
    return this.fail(
      "var/not-text",
      `${called} is not text, so it must be the whole value`,
      this.placed.stepAt(path9.steps[1] ?? path9.steps[0])
    );
  }
  #find(steps) {
    const { at, stepAt } = this.placed;
    const [root, ...rest] = steps;
    if (root.name === "var") return variableAt(this, rest);
    if (root.name === "secret") return secretAt(this, rest);
    if (root.name === "lookup" && !this.scope.sections.includes("lookup")) return lookupAt(this, root, rest);
    if (root.name === "input") return inputAt(this, rest);
    if (root.name === "each") return eachAt(this, root, rest);
    if (root.name === "key" && rest.length === 0 && this.scope.key) return this.scope.key;
    if (root.name === "stage" && rest.length === 0 && !this.scope.sections.includes("stage"))
      return stageAt(this, root);
    if (this.scope.kinds.has(root.name)) {
      const block = enclosing(this.scope.block, root.name);
      if (block || !this.scope.sections.includes(root.name)) return fieldAround(this, root, rest, block);
    }
    if (this.scope.secrets && this.scope.sections.includes(root.name)) {
      const named = this.placedSteps(steps);
      return named ? { type: "ref", at, steps: named } : failed;
    }
    const { input, each, stage, secrets, sections, lookups } = this.scope;
    const roots = [
      "var",
      ...input ? ["input"] : [],
      ...each ? ["each"] : [],
      ...stage === void 0 ? [] : ["stage"],
      ...secrets ? ["secret", ...sections] : [],
      ...lookups && lookups.names().length > 0 ? ["lookup"] : []
    ];
    return this.fail(
      "expression/unknown",
      "this expression starts with an unknown name",
      stepAt(root),
      `${hintFor(root.name, roots, "known names")}; write \`$\${\` for a literal \`\${\``
    );
  }
  /** Steps with their names, and their places in the file; undefined where one failed. */
  placedSteps(steps) {
    const placed2 = [];
    for (const step of steps) {
      const named = this.named(step);
      if (!named) return void 0;
      placed2.push({ name: named.name, start: this.placed.stepAt(step).start });
    }
    return placed2;
  }
  /** A step with its name, where other values make it; undefined where that failed. */
  named(step) {
    const { name, start, computed } = step;
    if (!computed) return step;
    if ("text" in computed) {
      const text = this.placed.nameOf(name);
      return text === void 0 ? void 0 : { name: text, start };
    }
    const found = this.#find(computed.path.map((inner) => ({ ...inner, start })));
    if (found === failed) return void 0;
    if (typeof found === "object" && isNode(found) && found.type === "scalar" && found.value !== null)
      return { name: found.text, start };
    this.fail(
      "expression/name",
      `${quoted(name)} is not known as text at this point`,
      this.placed.stepAt(step)
    );
    return void 0;
  }
  /** Follows names into a known value. */
  within(value, steps) {
    let at = value;
    for (const step of steps) {
      const named = this.named(step);
      if (!named) return failed;
      if (at.type !== "map")
        return this.fail(
          "expression/no-map",
          `${quoted(named.name)} is looked up in ${describe(at)}`,
          this.placed.stepAt(step),
          at.type === "list" ? "a list has no names; iterate over it with `$each`" : void 0
        );
      const entry = entryOf(at, named.name);
      if (!entry) return absent;
      at = entry.value;
    }
    return at;
  }
};

// src/config/expressions/expand.ts
var maxText = 1e6;
var spread = /^\.\.\.(?=\$\{)/;
var expander = (scope, diagnostics) => new Expander(scope, diagnostics).expand;
var Expander = class {
  #scope;
  #diagnostics;
  #done = /* @__PURE__ */ new Map();
  constructor(scope, diagnostics) {
    this.#scope = scope;
    this.#diagnostics = diagnostics;
  }
  /** A node of its own, which must have a value. */
  expand = (node) => {
    const expanded = this.#expand(node);
    if (expanded !== absent) return expanded;
    this.#say("expression/absent", "there is no value, and this is required", node);
    return { type: "expression", at: node.at, parts: [] };
  };
  #say(code, message, { at }) {
    const { block } = this.#scope;
    const address = block ? { address: block.address } : {};
    this.#diagnostics.push(problem(code, message, { at: positionOf(at), ...address }));
  }
  #expand(node) {
    if (node.type === "scalar" && !node.text.includes("${")) return node;
    const known3 = this.#done.get(node);
    if (known3) return known3;
    const result = this.#expandNow(node);
    this.#done.set(node, result);
    return result;
  }
  #expandNow(node) {
    if (node.type === "list") {
      const items = node.items.flatMap((item) => this.#expandItem(item));
      const isSame2 = items.length === node.items.length && items.every((item, i) => item === node.items[i]);
      return isSame2 ? node : { ...node, items };
    }
    if (node.type === "map") {
      const entries = node.entries.flatMap((entry) => this.#expandEntry(entry));
      const isSame2 = entries.length === node.entries.length && entries.every((entry, i) => entry === node.entries[i]);
      return isSame2 ? node : { ...node, entries: this.#withoutDoubles(entries) };
    }
    return node.type === "scalar" ? this.#expandText(node) : node;
  }
  #expandItem(item) {
    if (item.type !== "scalar" || !spread.test(item.text)) {
      const expanded = this.#expand(item);
      return expanded === absent ? [] : [expanded];
    }
    const text = item.text.slice(3);
    const list = this.#expandText({ ...item, text, value: text });
    if (list === absent) return [];
    if (list.type === "list") return list.items;
    if (!isPoisoned(list))
      this.#diagnostics.push(
        problem("expression/spread", `\`...\` inserts the items of a list, but this is ${describe(list)}`, {
          at: positionOf(item.at),
          hint: "remove the dots"
        })
      );
    return [{ type: "expression", at: item.at, parts: [] }];
  }
  #expandEntry(entry) {
    const { key, value } = entry;
    const expanded = this.#expand(value);
    if (expanded === absent) return [];
    const name = key.text.includes("${") ? this.expandKey(key) : key;
    if (name.unusable) maskNode(value);
    return name === key && expanded === value ? [entry] : [{ key: name, value: expanded }];
  }
  /** A key with its text; unusable where that is not known now, which is reported. */
  expandKey(key) {
    const name = this.#expandText(key);
    if (name !== absent && name.type === "scalar" && name.text === "__proto__") {
      this.#say("yaml/key", "this key is not allowed", key);
      return { ...key, unusable: true };
    }
    if (name !== absent && name.type === "scalar")
      return name.text.startsWith("$") ? { ...name, isExpanded: true } : name;
    const secret = name !== absent && name.type === "expression" && name.parts.some((part) => typeof part === "object" && part.type === "secret");
    if (name === absent || name.type !== "expression" || name.parts.length > 0)
      this.#diagnostics.push(
        problem(
          secret ? "secret/in-name" : "ref/in-name",
          secret ? "a name cannot contain a secret" : "a name can only contain variables",
          { at: positionOf(key.at), hint: "names must be known before anything is read or created" }
        )
      );
    return { ...key, unusable: true };
  }
  #withoutDoubles(entries) {
    const byKey = /* @__PURE__ */ new Map();
    for (const entry of entries) {
      const first = byKey.get(entry.key.text);
      if (!first) byKey.set(entry.key.text, entry);
      else
        this.#diagnostics.push(
          problem("yaml/duplicate-key", `duplicate key ${quoted(entry.key.text)}`, {
            at: positionOf(entry.key.at),
            related: [{ message: "the first one", at: positionOf(first.key.at) }]
          })
        );
    }
    return byKey.size === entries.length ? entries : [...byKey.values()];
  }
  #expandText(node) {
    const split = parseExpressions(node.text);
    const opens = opensOf(node);
    const parts = split.map(
      (part) => typeof part === "string" ? part : resolveExpression(
        part,
        {
          at: spotOf(node, opens[part.nth], 0),
          stepAt: (step) => spotOf(node, opens[part.nth], step.start),
          isWhole: split.length === 1,
          nameOf: (text) => this.#nameOf(node, text)
        },
        this.#scope,
        this.#diagnostics
      )
    );
    if (parts.includes(failed)) return { type: "expression", at: node.at, parts: [] };
    const whole = parts[0];
    if (whole === absent) return absent;
    if (parts.length === 1 && typeof whole === "object" && isNode(whole)) return movedTo(node.at, whole);
    const literals = [];
    const merged = [];
    const add = (part) => {
      if (typeof part === "string" && typeof merged.at(-1) === "string") merged.push(merged.pop() + part);
      else merged.push(part);
    };
    for (const part of parts) {
      if (typeof part === "string" || !isNode(part)) add(part);
      else {
        for (const spot of spotsOf(part)) if (!literals.some((one) => isSame(one, spot))) literals.push(spot);
        if (part.type === "scalar") add(part.text);
        else part.parts.forEach(add);
      }
    }
    const length = merged.reduce((sum, part) => sum + (typeof part === "string" ? part.length : 1), 0);
    if (length > maxText) {
      this.#say("expression/too-long", `this text has more than ${maxText} characters`, node);
      return { type: "expression", at: node.at, parts: [] };
    }
    const [only] = merged;
    if (merged.length === 1 && typeof only === "string")
      return { type: "scalar", at: node.at, text: only, value: only, literals };
    return { type: "expression", at: node.at, parts: merged, literals };
  }
  /** The text of a name in brackets, as in `projects["api-${input.country}"]`. */
  #nameOf(node, text) {
    const name = this.#expandText({ ...node, text, value: text });
    if (name !== absent && name.type === "scalar") return name.text;
    if (name === absent || name.type !== "expression" || name.parts.length > 0)
      this.#diagnostics.push(
        problem("expression/name", "the name in brackets must be known at this point", {
          at: positionOf(node.at)
        })
      );
    return void 0;
  }
};
function movedTo(at, value) {
  if (value.type !== "scalar" && value.type !== "expression") return value;
  const literals = spotsOf(value);
  return value.type === "scalar" || value.parts.length > 0 ? { ...value, at, literals } : { ...value, at };
}
var spotsOf = (node) => [node.at, ...node.literals ?? []];
var isSame = (a, b) => a.source === b.source && a.start === b.start && a.end === b.end;
function opensOf({ at }) {
  const opens = [];
  for (let i = at.start; ; i++) {
    i = at.source.text.indexOf("${", i);
    if (i === -1 || i >= at.end) return opens;
    opens.push(i);
  }
}
var spotOf = ({ at }, open, offset) => open === void 0 ? at : { ...at, start: open + offset };

// src/config/fields/read-pictures.ts
;
;
var maxBytes = 5 * 1024 * 1024;
async function readPictures(resources, { kinds, files, sources, stack }) {
  const folders = new Map(
    files.flatMap(({ name, path: file, text }) => text === void 0 ? [[name, path5.dirname(file)]] : [])
  );
  const all = [...groupBy(resources.values(), ({ kind }) => kind)].flatMap(([kind, of]) => {
    const names2 = pictureFields(kinds.get(kind));
    return names2.length === 0 ? [] : of.flatMap((resource) => namedIn2(resource, names2, folders));
  });
  const contents = /* @__PURE__ */ new Map();
  const named = all.filter(({ asked: asked2 }) => asked2.folder !== "");
  const refused = all.filter(({ asked: asked2 }) => asked2.folder === "").map(
    ({ asked: { name, at } }) => problem(
      "file/no-folder",
      `the file \`${name}\` is not read: this configuration does not come from a file`,
      {
        at,
        hint: "paths are relative to the file that names them; put it in a file"
      }
    )
  );
  const asked = named.map((one) => one.asked);
  if (named.length === 0) return { read: {}, refused, asked };
  const verdicts = await sources.judge(asked, stack);
  for (const [index, { resource, field, asked: asked2 }] of named.entries()) {
    const found = await pictureAt(asked2, verdicts[index]);
    if (!(found instanceof FileContent)) refused.push(found);
    else {
      const value = digestOf(found);
      contents.set(value, found);
      resource.fields[field] = value;
    }
  }
  return { read: { contents }, refused, asked };
}
var pictureFields = (kind) => Object.entries(comparedFields(kind)).flatMap(
  ([field, schema]) => traitsOf(schema).file === void 0 ? [] : [field]
);
function namedIn2(resource, names2, folders) {
  const { fields, at } = resource;
  return names2.flatMap((field) => {
    const file = fields[field];
    if (typeof file !== "string") return [];
    const folder = folders.get(at.file) ?? "";
    return [{ resource, field, asked: { use: "file", name: file, origin: { file }, folder, at } }];
  });
}
async function pictureAt(asked, verdict) {
  const refused = notAllowed(asked, verdict);
  if (refused || !verdict.allowed) return refused;
  const wrong2 = (message, hint) => problem("file/picture", `the file \`${asked.name}\` ${message}`, { at: asked.at, hint });
  try {
    const bytes = await readRegularFile(verdict.path, maxBytes);
    if (bytes === "special") return wrong2("is not a regular file", "use a regular file");
    if (bytes === "too-large") return wrong2("is larger than 5 MiB", "use a smaller picture");
    const type = typeOf2(bytes);
    return type === void 0 ? wrong2("is not a JPEG, PNG or SVG", "the content decides, not the file name") : new FileContent(bytes, type);
  } catch (error) {
    return wrong2(`cannot be read (${error.code})`, "make sure it is readable");
  }
}
var svg = "image/svg+xml";
function typeOf2(bytes) {
  if (bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))) return "image/png";
  if (bytes.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex"))) return "image/jpeg";
  const prolog = /^\uFEFF?\s*(<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/s;
  return prolog.test(bytes.subarray(0, 4096).toString("utf8")) ? svg : void 0;
}
var digestOf = ({ bytes, type }) => `${type === svg ? "svg:" : ""}${hash("sha1", bytes)}`;

// src/config/layers/each.ts
function membersOf2(node, expand, outer, say) {
  const over = expand(node);
  const around = outer ? { outer } : {};
  const isNamed = (key) => {
    if (key.text === "")
      say("each/no-key", "this `$each` member has an empty key", key.at, "give it a name, or remove it");
    return key.text !== "";
  };
  if (over.type === "map")
    return over.entries.filter(({ key }) => isNamed(key)).map(({ key, value }) => ({ key, value, ...around }));
  if (over.type === "list") {
    const first = /* @__PURE__ */ new Map();
    const members3 = [];
    for (const item of over.items) {
      if (holdsPoison(item) || item.type === "scalar" && !isNamed(item)) continue;
      const text = textOf2(item);
      const twin = text === void 0 ? void 0 : first.get(text);
      if (text === void 0)
        say(
          "each/member",
          "`$each` members must be known before the plan",
          item.at,
          "they cannot be secrets or references"
        );
      else if (twin)
        say("each/twice", "duplicate member", item.at, "both would make the same entry", [
          { message: "the first one", at: twin.at }
        ]);
      else {
        first.set(text, item);
        members3.push({ ...item.type === "scalar" ? { key: item } : {}, value: item, ...around });
      }
    }
    return members3;
  }
  if (!isPoisoned(over))
    say(
      "each/value",
      `\`$each\` must be a list or a map, not ${describe(over)}`,
      node.at,
      '$each: "${var.sites}"'
    );
  return [];
}
var holdsPoison = (node) => node.type === "list" ? node.items.some(holdsPoison) : node.type === "map" ? node.entries.some(({ value }) => holdsPoison(value)) : isPoisoned(node);
function textOf2(node) {
  if (node.type === "scalar") return JSON.stringify([typeof node.value, node.text]);
  if (node.type === "list") return joined("[", node.items.map(textOf2));
  if (node.type === "map")
    return joined(
      "{",
      [...node.entries].sort((a, b) => a.key.text < b.key.text ? -1 : 1).map(({ key, value }) => {
        const text = textOf2(value);
        return text === void 0 ? void 0 : `${JSON.stringify(key.text)}:${text}`;
      })
    );
  return void 0;
}
var joined = (sign, texts) => texts.includes(void 0) ? void 0 : `${sign}${texts.join(",")}`;
var ofMember = (each) => each?.key ? `, here for the member \`${each.key.text}\` of \`$each\`` : "";

// src/config/layers/inputs.ts
var longest = 1e4;
var Inputs = class {
  #values = /* @__PURE__ */ new Map();
  #open = /* @__PURE__ */ new Set();
  #template;
  #expand;
  #say;
  /**
   * @param expand for the defaults: in the scope of the template
   * @param at the place that names the template: there it is told which input is missing
   */
  constructor(template, given, { expand, say, at }) {
    this.#template = template;
    this.#say = say;
    this.#expand = expand(this);
    const missing = [];
    for (const [name, declaration] of template.inputs) {
      const one = given.get(name);
      if (one) this.#values.set(name, this.#checked(name, declaration, one.value));
      else if (!declaration.default) {
        missing.push(name);
        this.#values.set(name, void 0);
      }
    }
    if (missing.length > 0)
      say(
        "input/missing",
        `the template ${quoted(template.name)} needs ${missing.map(quoted).join(", ")}`,
        at,
        `$use: { ${template.name}: { ${missing.map((name) => `${name}: ...`).join(", ")} } }`,
        [{ message: "declared here", at: template.inputs.get(missing[0]).at }]
      );
  }
  has(name) {
    return this.#template.inputs.has(name);
  }
  get(name) {
    const declaration = this.#template.inputs.get(name);
    if (!declaration || this.#values.has(name)) return this.#values.get(name);
    if (this.#open.has(name)) {
      const circle = [...this.#open, name].slice([...this.#open].indexOf(name));
      this.#say("input/cycle", `these inputs depend on each other: ${circle.join(" \u2192 ")}`, declaration.at);
      return void 0;
    }
    this.#open.add(name);
    const value = this.#checked(name, declaration, this.#expand(declaration.default));
    this.#open.delete(name);
    this.#values.set(name, value);
    return value;
  }
  #checked(name, declaration, value) {
    if (isPoisoned(value)) return void 0;
    const { type, pattern: pattern2, patternText, values } = declaration;
    if (!type && !pattern2 && !values) return value;
    const from = dataPlaceOf(value);
    const wrong2 = (message) => {
      this.#say("input/value", `the input ${quoted(name)} ${message}`, value.at, void 0, [
        ...from ? [{ message: "the value", at: from }] : [],
        { message: "declared here", at: declaration.at }
      ]);
      return void 0;
    };
    if (value.type === "expression" || value.type === "hole")
      return wrong2("must be known before the plan: it cannot be a secret or a reference");
    const typed = typedAs(type ?? "string", value);
    if (!typed) return wrong2(`must be ${words2[type ?? "string"]}, not ${describe(value)}`);
    if (typed.type !== "scalar") return typed;
    if (typed.text.length > longest) return wrong2(`has more than ${longest} characters`);
    if (pattern2 && !pattern2.test(typed.text)) return wrong2(`does not match its pattern, \`${patternText}\``);
    if (values && !values.includes(typed.text))
      return wrong2(`must be one of ${values.map(quoted).join(", ")}`);
    return typed;
  }
  names() {
    return [...this.#template.inputs.keys()];
  }
};
var words2 = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  list: "a list",
  map: "a map"
};
function typedAs(type, node) {
  if (type === "list" || type === "map") return node.type === type ? node : void 0;
  if (node.type !== "scalar" || node.value === null) return void 0;
  const { text } = node;
  if (type === "string") return { ...node, value: text };
  if (type === "boolean")
    return text === "true" || text === "false" ? { ...node, value: text === "true" } : void 0;
  const value = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!isExact(text, value) || type === "integer" && !Number.isInteger(value)) return void 0;
  return { ...node, value };
}

// src/config/layers/layer.ts
var layerKeys = /* @__PURE__ */ new Set([
  "$each",
  "$when",
  "$use",
  "$drop",
  "$add",
  "$first",
  "$last",
  "$before",
  "$after"
]);
function saysOfItself(node, sections) {
  if (node.type !== "map") return true;
  const said = node.entries.filter(({ key: { text } }) => text === "$use" || !layerKeys.has(text));
  return said.length === 0 || said.some(({ key }) => !sections.includes(key.text));
}
var plain2 = /* @__PURE__ */ new WeakMap();
function isPlain(node, kinds) {
  if (node.type === "scalar") return !node.text.includes("${") || !asksAround(node.text, kinds);
  if (node.type !== "list" && node.type !== "map") return true;
  const known3 = plain2.get(node);
  if (known3 !== void 0) return known3;
  const is = node.type === "list" ? node.items.every((item) => isPlain(item, kinds)) : node.entries.every(
    ({ key, value }) => !layerKeys.has(key.text) && isPlain(key, kinds) && isPlain(value, kinds)
  );
  plain2.set(node, is);
  return is;
}
var asksAround = (text, kinds) => text.split("${").some((part, i) => i > 0 && kinds.has(/^\s*([^\s.[\]{}]*)/.exec(part)[1]));
var sayingTo = (diagnostics, address) => (code, message, at, hint, related) => {
  diagnostics.push(
    problem(code, message, {
      at: positionOf(at),
      hint,
      ...address === void 0 ? {} : { address },
      ...related ? { related: related.map((one) => ({ message: one.message, at: positionOf(one.at) })) } : {}
    })
  );
};
function mergeValue(schema, lower, upper) {
  if (!schema || lower.type !== "map" || upper.type !== "map" || traitsOf(schema).atomic) return upper;
  const memberOf = membersOf(schema);
  if (!memberOf) return upper;
  const merged = new Map(lower.entries.map((entry) => [entry.key.text, entry]));
  for (const { key, value } of upper.entries) {
    const below = merged.get(key.text);
    merged.set(key.text, { key, value: below ? mergeValue(memberOf(key.text), below.value, value) : value });
  }
  return { ...upper, entries: [...merged.values()] };
}

// src/config/layers/uses.ts
function readUse(node, say) {
  if (node.type === "list") return node.items.flatMap((item) => readUse(item, say));
  if (node.type === "scalar" && node.value !== null && node.text !== "") return [{ name: node, inputs: [] }];
  if (node.type === "map") return node.entries.flatMap((entry) => useOf(entry, say));
  say(
    "use/value",
    `\`$use\` must name templates, not ${describe(node)}`,
    node.at,
    "$use: { site: { country: at } }, or [site]"
  );
  return [];
}
function useOf({ key, value }, say) {
  if (value.type === "map") return [{ name: key, inputs: value.entries }];
  if (isNull(value)) return [{ name: key, inputs: [] }];
  say(
    "use/inputs",
    `template inputs must be a map, not ${describe(value)}`,
    value.at,
    `${key.text}: { name: value }, or {}`
  );
  return [];
}
function checkInputs({ name, inputs }, declared, say) {
  for (const { key } of inputs)
    if (!declared.has(key.text))
      say(
        "input/undeclared",
        `the template ${quoted(name.text)} has no input ${quoted(key.text)}`,
        key.at,
        hintFor(key.text, [...declared.keys()], "it has")
      );
}
function checkUnused(used, around) {
  const say = sayingTo(around.diagnostics);
  for (const template of around.templates.values()) {
    if (used.has(template.name)) continue;
    maskUnread(template.body);
    checkKeys(template, around.kinds, say);
    checkUses(template, around.templates, say);
    checkTexts(template.body, template, say);
  }
}
function checkKeys({ kind: name, body }, kinds, say) {
  const kind = kinds.get(name ?? "");
  if (!kind) return;
  const valid = [...Object.keys(kind.fields), ...childKinds(kinds, kind.name).map(({ section }) => section)];
  for (const { key } of body.entries)
    if (!key.text.startsWith("$") && !valid.includes(key.text))
      say(
        "config/unknown-key",
        `unknown key ${quoted(key.text)} in an entry of \`${kind.section}\``,
        key.at,
        hintFor(key.text, valid)
      );
}
function checkUses({ body }, templates, say) {
  const use = entryOf(body, "$use");
  for (const one of use ? readUse(use.value, say) : []) {
    const template = templates.get(one.name.text);
    if (template) checkInputs(one, template.inputs, say);
    else if (!one.name.text.includes("${"))
      say(
        "use/unknown",
        `there is no template ${quoted(one.name.text)}`,
        one.name.at,
        hintFor(one.name.text, [...templates.keys()], "declared")
      );
  }
}
function checkTexts(node, template, say) {
  if (node.type === "list") for (const item of node.items) checkTexts(item, template, say);
  else if (node.type === "map")
    for (const { key, value } of node.entries) {
      checkText(key, template, say);
      if (!layerKeys.has(key.text) || key.text === "$use") checkTexts(value, template, say);
    }
  else if (node.type === "scalar") checkText(node, template, say);
}
function checkText(node, template, say) {
  if (!node.text.includes("${")) return;
  for (const part of parseExpressions(node.text)) checkPart(part, node, template, say);
}
function checkPart(part, { at }, { inputs }, say) {
  if (typeof part === "string") return;
  if ("error" in part) {
    const message = `this \`\${\` begins an expression, but ${part.error}`;
    say("expression/syntax", message, at, "write `$${` for a literal `${`");
    return;
  }
  const [first, second] = part.steps;
  if (first?.name === "input" && second && !second.computed && !inputs.has(second.name))
    say(
      "input/undeclared",
      `${quoted(second.name)} is not declared under \`$inputs\``,
      at,
      hintFor(second.name, [...inputs.keys()], "declared")
    );
  for (const { name } of part.filters ?? [])
    if (!Object.hasOwn(filters, name))
      say("expression/filter", `there is no filter ${quoted(name)}`, at, hintFor(name, Object.keys(filters)));
}

// src/config/layers/lay-templates.ts
var maxDepth = 50;
var TemplateStack = class {
  #context;
  #kind;
  #block;
  #named;
  #given = /* @__PURE__ */ new Map();
  #laid = /* @__PURE__ */ new Map();
  /** @param named the templates that each layer names, the weakest layer first */
  constructor(context, named, kind, block) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
    this.#named = named;
    for (const [layer, uses] of named)
      for (const use of uses) {
        const declared = context.templates.get(use.name.text)?.inputs;
        if (declared) checkInputs(use, declared, context.say(block));
        for (const [name, given] of this.#inputsOf(use, layer)) {
          const all = this.#given.get(use.name.text) ?? /* @__PURE__ */ new Map();
          this.#given.set(use.name.text, all.set(name, given));
        }
      }
  }
  /** The layers that go below one that names templates, the weakest first. */
  below(layer) {
    return (this.#named.get(layer) ?? []).flatMap(
      ({ name }) => this.#put(name, this.#given.get(name.text) ?? /* @__PURE__ */ new Map(), layer, [])
    );
  }
  #inputsOf({ name, inputs }, layer) {
    const expanded = this.#context.expandIn(
      layer,
      this.#block
    )({ type: "map", at: name.at, entries: inputs });
    return new Map(
      expanded.type === "map" ? expanded.entries.map(({ key, value }) => [key.text, { key, value }]) : []
    );
  }
  #put(name, given, by, way) {
    const say = this.#context.say(this.#block);
    const template = this.#templateFor(name);
    if (!template) return [];
    const here = [...way, name];
    const before = way.findIndex((one) => one.text === name.text);
    if (before !== -1 || here.length > maxDepth) {
      const circle = here.slice(Math.max(0, before)).map(({ text: text2 }) => text2);
      say("use/cycle", `these templates use each other in a cycle: ${circle.join(" \u2192 ")}`, name.at);
      return [];
    }
    const scope = { ...this.#context.globals };
    const inputs = new Inputs(template, given, {
      say,
      at: name.at,
      expand: (values) => {
        scope.input = values;
        return this.#context.expandIn({ scope }, this.#block);
      }
    });
    const text = inputs.names().map((one) => inputText(inputs.get(one))).join();
    const laid = this.#laid.get(template.name);
    if (laid) {
      if (laid.text !== text)
        say(
          "use/twice",
          `the template ${quoted(template.name)} is used twice with different inputs: ${wayText(laid.way)}, and ${wayText(here)}`,
          name.at,
          "a block can use a template only once; set the inputs in one place, or split the template",
          [{ message: "the other use", at: laid.way.at(-1).at }]
        );
      return [];
    }
    this.#laid.set(template.name, { way: here, text });
    const layer = { node: template.body, at: name.at, scope, rank: "template", part: by.part };
    if (!this.#context.isOn(layer, this.#block)) return [];
    const use = entryOf(template.body, "$use");
    const below = (use ? readUse(use.value, say) : []).flatMap((inner) => {
      const own = this.#context.templates.get(inner.name.text);
      if (own) checkInputs(inner, own.inputs, say);
      return this.#put(inner.name, this.#inputsOf(inner, layer), by, here);
    });
    return [...below, { layer }];
  }
  #templateFor(name) {
    const { templates, kinds, globals } = this.#context;
    const say = this.#context.say(this.#block);
    const template = templates.get(name.text);
    this.#context.used.add(name.text);
    const kind = this.#kind;
    if (!template && !globals.incomplete)
      say(
        "use/unknown",
        `there is no template ${quoted(name.text)}`,
        name.at,
        hintFor(name.text, [...templates.keys()], "declared")
      );
    if (!template?.kind || template.kind === kind?.name) return template;
    const { section } = kinds.get(template.kind);
    say(
      "use/kind",
      `the template ${quoted(template.name)} is for an entry of \`${section}\``,
      name.at,
      kind ? `this is an entry of \`${kind.section}\`` : "`use:` is for templates without `$kind`, which contain sections"
    );
    return void 0;
  }
};
var inputText = (node) => node === void 0 ? "" : textOf2(node) ?? JSON.stringify(node, (key, value) => key === "at" ? void 0 : value);
var wayText = (way) => way.map(({ text, at }) => `${text} (line ${at.source.position(at.start).line})`).join(" \u2192 ");

// src/config/layers/order.ts
var keys = { $first: "first", $last: "last", $before: "before", $after: "after" };
function positionOf2(entries, say) {
  const asked = entries.filter(({ key }) => Object.hasOwn(keys, key.text));
  const [entry, more] = asked;
  if (more)
    say("order/position", `\`${entry.key.text}\` and \`${more.key.text}\` cannot be combined`, more.key.at);
  if (!entry) return void 0;
  const at = keys[entry.key.text];
  const { value } = entry;
  if (at === "first" || at === "last") {
    if (value.type === "scalar" && value.value === true) return { at };
    say("order/position", `\`${entry.key.text}\` must be \`true\`, not ${describe(value)}`, value.at);
    return void 0;
  }
  if (value.type === "scalar" && value.value !== null) return { at, anchor: value.text, node: value };
  say(
    "order/position",
    `\`${entry.key.text}\` must be the name of another item, not ${describe(value)}`,
    value.at
  );
  return void 0;
}
function placeItems(order, added, say) {
  const wasEmpty = order.length === 0;
  const loose = added.filter(({ position }) => !position);
  if (!wasEmpty)
    for (const { node } of loose)
      say(
        "order/missing",
        "this list is ordered and lower layers have items in it: say where this one goes",
        node.at,
        "use `$first: true`, `$last: true`, `$before: NAME` or `$after: NAME`"
      );
  const result = [...order, ...loose.map(({ id }) => id)];
  const at = (position) => added.filter((one) => one.position?.at === position);
  result.unshift(...at("first").map(({ id }) => id));
  result.push(...at("last").map(({ id }) => id));
  let waiting2 = added.filter(({ position }) => position && "anchor" in position);
  const behind = /* @__PURE__ */ new Map();
  while (waiting2.length > 0) {
    const rest = [];
    for (const one of waiting2) {
      const { at: side, anchor } = one.position;
      const found = result.indexOf(anchor);
      if (found === -1) rest.push(one);
      else if (side === "before") result.splice(found, 0, one.id);
      else {
        const last = behind.get(anchor);
        result.splice((last === void 0 ? found : result.indexOf(last)) + 1, 0, one.id);
        behind.set(anchor, one.id);
      }
    }
    if (rest.length === waiting2.length) {
      for (const { id, position } of rest) {
        const { anchor, node } = position;
        say(
          "order/anchor",
          `there is no item ${quoted(anchor)} in this list`,
          node.at,
          hintFor(anchor, result, "items")
        );
        result.push(id);
      }
      break;
    }
    waiting2 = rest;
  }
  return result;
}

// src/config/layers/place.ts
var import_picomatch2 = __toESM(require_picomatch(), 1);
function placeOf3(text, at, met, around) {
  const glob = around === void 0 ? text : `${around}/${text}`;
  const matches = globTest(glob);
  const { base, isGlob: isGlob2 } = import_picomatch2.default.scan(glob);
  const fixed = isGlob2 ? base : glob;
  const parts = partsOf(glob);
  const beginnings = /* @__PURE__ */ new Map();
  return {
    text,
    at,
    isRelative: around !== void 0,
    met,
    matches,
    mayBeBelow(address) {
      if (fixed !== "" && !isWithin(fixed, address) && !isWithin(address, fixed)) return false;
      if (!isGlob2) return isWithin(glob, address);
      const depth = address.split("/").length;
      if (parts.slice(0, depth).includes("**")) return true;
      if (parts.length < depth) return false;
      const begins = beginnings.get(depth) ?? globTest(parts.slice(0, depth).join("/"));
      beginnings.set(depth, begins);
      return begins(address);
    }
  };
}
function unbalanced(glob) {
  const open = [];
  for (const sign of glob.replace(/\\./g, "")) {
    if (sign === "{" || sign === "[") open.push(sign);
    else if (sign === "}" || sign === "]") {
      const first = open.pop();
      if (first !== (sign === "}" ? "{" : "[")) return `\`${sign}\` has no opening bracket`;
    }
  }
  return open.length > 0 ? `\`${open.at(-1)}\` is not closed` : void 0;
}
function partsOf(glob) {
  const parts = [""];
  let depth = 0;
  for (const sign of glob) {
    if (sign === "{" || sign === "[") depth++;
    if (sign === "}" || sign === "]") depth--;
    if (sign === "/" && depth === 0) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts;
}
function unitAddresses(kind, parent, key, node) {
  const fields = {};
  const written = new Map(
    node.type === "map" ? node.entries.map((entry) => [entry.key.text, entry.value]) : []
  );
  if (key && kind.yaml.mapBy !== void 0) written.set(kind.yaml.mapBy, key);
  for (const [name, schema] of Object.entries(kind.fields)) {
    const value = written.get(name);
    const normal = schema.safeParse(value && plainOf(value));
    if (normal.success && normal.data !== void 0) fields[name] = normal.data;
  }
  try {
    return kind.shape.units(fields, {}).map((unit) => addressOf(parent, kind.section, namesOf(kind, unit)));
  } catch {
    return [];
  }
}
function plainOf(node) {
  if (node.type === "list") return node.items.map(plainOf);
  if (node.type === "map")
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, plainOf(value)]));
  return node.type === "scalar" ? node.value : void 0;
}
function takeOutFields(holder, around, place) {
  let isCut = false;
  for (const [name, entry] of holder) {
    const here = `${around}/${name}`;
    if (place.matches(here)) {
      holder.delete(name);
      place.met.is = true;
      isCut = true;
    } else if (entry.value.type === "map" && place.mayBeBelow(here)) {
      const members3 = new Map(entry.value.entries.map((member) => [member.key.text, member]));
      if (!takeOutFields(members3, here, place)) continue;
      holder.set(name, { ...entry, value: { ...entry.value, entries: [...members3.values()] } });
      isCut = true;
    }
  }
  return isCut;
}

// src/config/layers/section-reader.ts
var enclosingOf = ({ name, section, yaml }, parent, { address, names: names2, key }) => ({
  kind: name,
  address,
  path: [section, ...names2],
  ...key && yaml.mapBy !== void 0 ? { key: { field: yaml.mapBy, node: key } } : {},
  ...parent ? { parent } : {}
});
var SectionReader = class {
  /** A section of the wrong form. */
  wrong;
  /** Entries whose names could not be made out: kept, so that nothing is called missing. */
  unusable = [];
  #context;
  #kind;
  #block;
  constructor(context, kind, block) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
  }
  /** The entries of a section in one layer; undefined if it is no section, which is told when it is read. */
  read({ key: name, value }, layer) {
    const { mapBy, manyPerKey } = this.#kind.yaml;
    if (this.#kind.key.length === 0) return this.#entries({ node: value, at: name.at, layer, isList: false });
    const isText = value.type === "scalar" && value.text.includes("${") && !layer.isLiteral;
    const node = isText ? this.#orAbsent(value, layer) : value;
    if (!node) return [];
    const within2 = isText ? { ...layer, isLiteral: true } : layer;
    if (mapBy === void 0 ? node.type !== "list" : node.type !== "map") {
      this.wrong ??= isPoisoned(node) || isNull(node) || within2.isLiteral ? node : this.#context.expandIn(layer, this.#block)(node);
      return void 0;
    }
    if (node.type === "list")
      return this.#spread(node.items, within2).flatMap(
        ([item, of]) => this.#entries({ node: item, at: item.at, layer: of, isList: false })
      );
    return node.entries.flatMap(({ key, value: inner }) => {
      if (key.unusable) {
        this.unusable.push({ key, value: inner });
        return [];
      }
      const nodes = manyPerKey && inner.type === "list" ? this.#spread(inner.items, within2) : [[inner, within2]];
      return nodes.flatMap(
        ([one, of]) => this.#entries({
          key,
          node: one,
          at: inner.type === "list" ? one.at : key.at,
          layer: of,
          isList: inner.type === "list"
        })
      );
    });
  }
  /** The items of a list, with those that `"...${x}"` puts in. */
  #spread(items, layer) {
    return items.flatMap((item) => {
      if (layer.isLiteral || item.type !== "scalar" || !item.text.includes("${")) return [[item, layer]];
      const list = this.#context.expandIn(layer, this.#block)({ type: "list", at: item.at, items: [item] });
      return list.type === "list" ? list.items.map((one) => [one, { ...layer, isLiteral: true }]) : [];
    });
  }
  #entries(written) {
    const { key, node, at, isList } = written;
    const layer = { ...written.layer, node, at };
    const all = this.#context.instances(layer, this.#block);
    const isMade = all.length !== 1 || all[0] !== layer;
    if (isMade && key && !isList && !key.text.includes("${each"))
      this.#context.say(this.#block)(
        "each/key",
        "each `$each` member needs its own name",
        key.at,
        `\`${key.text}-\${each.key}\``
      );
    return all.flatMap((instance) => {
      const one = this.#withValue(instance);
      if (!one) return [];
      const named = key?.text.includes("${") && !one.isLiteral ? this.#keyOf(key, one) : key;
      if (named?.unusable) {
        maskNode(node);
        this.unusable.push({ key: named, value: node });
        return [];
      }
      const entries = node.type === "map" ? node.entries : [];
      const names2 = this.#namesOf(named, one);
      const around = names2 ? enclosingOf(this.#kind, this.#block, {
        address: addressOf(this.#block?.address, this.#kind.section, names2.map(escapeName)),
        names: names2,
        ...named ? { key: named } : {}
      }) : this.#block;
      return [
        {
          ...named ? { key: named } : {},
          layer: named ? { ...one, at: named.at } : one,
          names: names2,
          isOn: this.#context.isOn(one, around),
          isList,
          isAdded: this.#isAdded(entries),
          position: this.#positionOf(entries)
        }
      ];
    });
  }
  /** A layer whose block is written as an expression, with its value; undefined where there is none, and may be none. */
  #withValue(layer) {
    const { node, isLiteral } = layer;
    if (isLiteral || node.type !== "scalar" || !node.text.includes("${")) return layer;
    const value = this.#orAbsent(node, layer);
    return value && { ...layer, node: value, isLiteral: true };
  }
  /** The value of an expression; undefined for one that may lead to nothing, and does. */
  #orAbsent(node, layer) {
    const key = { type: "scalar", at: node.at, text: "", value: "" };
    const expanded = this.#context.expandIn(
      layer,
      this.#block
    )({
      type: "map",
      at: node.at,
      entries: [{ key, value: node }]
    });
    return expanded.type === "map" ? expanded.entries[0]?.value : void 0;
  }
  #keyOf(key, { scope }) {
    const expanded = this.#context.expandIn(
      { scope },
      this.#block
    )({
      type: "map",
      at: key.at,
      entries: [{ key, value: { type: "scalar", at: key.at, text: "", value: null } }]
    });
    return expanded.entries[0].key;
  }
  /** The names of an entry, unescaped; undefined where its fields do not tell them now. */
  #namesOf(key, layer) {
    const kind = this.#kind;
    if (kind.key.length === 0) return [];
    if (key) return keyNames(kind, key.text).map(unescapeName);
    const { node } = layer;
    if (node.type !== "map") return void 0;
    const expand = this.#context.expandIn(layer, this.#block);
    const fields = {};
    for (const name of kind.key) {
      const entry = entryOf(node, name);
      const value = entry && expand(entry.value);
      if (value && value.type !== "scalar") return void 0;
      const normal = kind.fields[name].safeParse(value?.type === "scalar" ? value.text : void 0);
      if (!value && !(normal.success && normal.data !== void 0)) return void 0;
      fields[name] = normal.success ? normal.data : value.text;
    }
    try {
      return namesOf(kind, fields).map(unescapeName);
    } catch {
      return void 0;
    }
  }
  #isAdded(entries) {
    const { key, yaml } = this.#kind;
    const add = entries.find((entry) => entry.key.text === "$add");
    if (!add) return false;
    const say = this.#context.say(this.#block);
    const isGroup = key.length > 0 && (yaml.mapBy === void 0 || yaml.manyPerKey);
    if (!isGroup)
      say("add/one", `names are unique in \`${this.#kind.section}\``, add.key.at, "remove `$add`");
    else if (add.value.type !== "scalar" || add.value.value !== true)
      say("add/value", `\`$add\` must be \`true\`, not ${describe(add.value)}`, add.value.at);
    return isGroup === true;
  }
  #positionOf(entries) {
    const say = this.#context.say(this.#block);
    const { section, shape } = this.#kind;
    const position = positionOf2(entries, say);
    if (!position || shape.orderDecides) return position;
    const entry = entries.find(({ key }) => ["$first", "$last", "$before", "$after"].includes(key.text));
    say(
      "order/none",
      `the order of \`${section}\` does not matter`,
      entry.key.at,
      `leave \`${entry.key.text}\` out`
    );
    return void 0;
  }
};

// src/config/layers/lay-section.ts
function laySection(context, kind, block, items) {
  return new SectionLaying(context, kind, block).lay(items);
}
var SectionLaying = class {
  #context;
  #kind;
  #block;
  #section;
  #children = /* @__PURE__ */ new Map();
  #order = [];
  #list;
  #reader;
  #anonymous = 0;
  constructor(context, kind, block) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
    this.#section = addressOf(block?.address, kind.section, []);
    this.#reader = new SectionReader(context, kind, block);
  }
  lay(items) {
    const entries = items.filter((item) => "entry" in item);
    for (const item of items) {
      if ("entry" in item) this.#layer(item);
      else if ("patch" in item) this.#patch(item.patch);
      else this.#drop(item.drop);
    }
    if (this.#reader.wrong) return this.#reader.wrong;
    return this.#result(entries);
  }
  #result(entries) {
    const { mapBy } = this.#kind.yaml;
    const { at } = entries[0].entry.value;
    const made = this.#order.flatMap((id) => {
      const child = this.#children.get(id);
      if (child.isOff) return [];
      const enclosing2 = this.#enclosing(child);
      const nodes = child.groups.map(({ items }) => this.#context.block(this.#kind, enclosing2, items));
      return nodes.length > 0 ? [{ child, nodes }] : [];
    });
    if (this.#kind.key.length === 0) return made[0]?.nodes[0];
    if (made.length === 0 && this.#order.length > 0 && this.#reader.unusable.length === 0) return void 0;
    if (mapBy === void 0) return { type: "list", at, items: made.flatMap(({ nodes }) => nodes) };
    return {
      type: "map",
      at,
      entries: [
        ...made.map(
          ({ child: { key, isList }, nodes }) => ({
            key,
            value: isList || nodes.length > 1 ? { type: "list", at: key.at, items: nodes } : nodes[0]
          })
        ),
        ...this.#reader.unusable
      ]
    };
  }
  #enclosing(child) {
    return enclosingOf(this.#kind, this.#block, child);
  }
  #layer({ entry, layer }) {
    const incoming = this.#reader.read(entry, layer);
    if (!incoming) return;
    if (this.#kind.shape.orderDecides && this.#isSplit(entry.key, layer)) return;
    const before = [...this.#order];
    const added = /* @__PURE__ */ new Map();
    for (const one of incoming) {
      const id = one.names === void 0 ? `#${this.#anonymous++}` : one.names.join("/");
      const same = added.get(id);
      if (same) same.push(one);
      else added.set(id, [one]);
    }
    const placed2 = [];
    for (const [id, all] of added) {
      this.#checkTwice(id, all);
      if (!this.#children.has(id)) {
        const { names: names2 = [], key, layer: layer2, position } = all[0];
        const address = addressOf(this.#block?.address, this.#kind.section, names2.map(escapeName));
        this.#children.set(id, { address, names: names2, ...key ? { key } : {}, groups: [], isList: false });
        placed2.push({ id, position, node: key ?? layer2.node });
      }
      this.#lieOn(this.#children.get(id), all);
    }
    this.#order = this.#kind.shape.orderDecides ? placeItems(before, placed2, this.#context.say(this.#block)) : [...before, ...placed2.map(({ id }) => id)];
  }
  #lieOn(child, all) {
    const on = all.filter(({ isOn }) => isOn);
    if (on.length === 0) {
      if (all.some(({ layer: layer2 }) => layer2.rank === "own")) child.isOff = true;
      return;
    }
    const { layer, isList } = on[0];
    const groups = on.map((one) => ({ part: one.layer.part, items: [{ layer: one.layer }] }));
    const lower = child.groups.filter(({ part }) => layer.part === void 0 || part === layer.part);
    const isOther = lower.length === 0 && child.groups.length > 0;
    if (isOther && this.#isOnePerName()) {
      const { key } = on[0];
      if (key && !this.#isHome(child.groups[0])) child.key = key;
      child.groups[0].items.push(...groups.flatMap(({ items }) => items));
      return;
    }
    const rest = groups.filter((_, i) => !on[i].isAdded);
    if (rest.length === 1 && lower.length === 1) lower[0].items.push(...rest[0].items);
    else if (rest.length > 0) {
      child.groups = [...child.groups.filter((group) => !lower.includes(group)), ...rest];
      child.isList = isList;
    }
    const more = groups.filter((_, i) => on[i].isAdded);
    child.groups.push(...more);
  }
  /** True if something in a stack is about the block itself, not only about what is in it. */
  #isHome({ items }) {
    const sections = childKinds(this.#context.kinds, this.#kind.name).map(({ section }) => section);
    return items.some((item) => "layer" in item && saysOfItself(item.layer.node, sections));
  }
  #isOnePerName() {
    const { key, yaml } = this.#kind;
    return key.length === 0 || yaml.mapBy !== void 0 && !yaml.manyPerKey;
  }
  /** One layer that makes two entries of one name, where a name has one. */
  #checkTwice(id, all) {
    const { yaml, key } = this.#kind;
    const [first, ...others] = all;
    if (yaml.mapBy === void 0 || key.length === 0) return;
    for (const other of others) {
      if (other.key === first.key) continue;
      const address = addressOf(this.#block?.address, this.#kind.section, id.split("/").map(escapeName));
      this.#context.declaredTwice(
        address,
        { ...other.layer, at: other.key.at },
        { ...first.layer, at: first.key.at }
      );
    }
    if (!yaml.manyPerKey) all.splice(1);
  }
  /** True, and reported, if two documents both hold a part of a list whose order decides. */
  #isSplit(node, layer) {
    if (layer.part === void 0) return false;
    this.#list ??= { layer, node };
    if (this.#list.layer.part === layer.part) return false;
    this.#context.say(this.#block)(
      "config/split-order",
      `the list \`${this.#kind.section}\` is declared in two places, but its order matters`,
      node.at,
      void 0,
      [{ message: "the first one", at: this.#list.node.at }]
    );
    return true;
  }
  #patch(patch) {
    const { place } = patch;
    for (const child of this.#children.values()) {
      if (this.#isGone(child)) {
        if (place.mayBeBelow(child.address)) place.met.is = true;
      } else if (place.matches(child.address)) {
        const isOne = child.groups.length === 1;
        const layer = this.#hit(patch, child);
        if (layer && isOne) child.groups[0].items.push({ layer });
        else if (layer && saysAnything(layer)) child.groups = [{ part: void 0, items: [{ layer }] }];
      } else if (place.mayBeBelow(child.address)) {
        for (const { items } of child.groups) items.push({ patch });
      } else
        for (const { items } of this.#groupsAt(child, place)) {
          const layer = this.#hit(patch, child);
          if (layer) items.push({ layer });
        }
    }
  }
  /** The layer of a patch that has met a block; undefined if its `$when` switches it off. */
  #hit({ place, layer }, child) {
    place.met.is = true;
    return this.#context.isOn(layer, this.#enclosing(child)) ? layer : void 0;
  }
  /** True if `$when` took an entry away. */
  #isGone({ isOff, groups }) {
    return isOff === true || groups.length === 0;
  }
  /** The entries of a name of which a place names all units: `env/API_URL@production`. */
  #groupsAt(child, place) {
    if (!this.#kind.shape.byAddress || !place.text.includes("@")) return [];
    return child.groups.filter(({ items }) => {
      const node = this.#context.block(this.#kind, this.#enclosing(child), items);
      const units2 = unitAddresses(this.#kind, this.#block?.address, child.key, node);
      const named = units2.filter((unit) => place.matches(unit));
      if (named.length > 0 && named.length < units2.length) {
        place.met.is = true;
        this.#context.say(this.#block)(
          "patch/part",
          `${quoted(place.text)} names one part of an entry that covers ${units2.length} targets`,
          place.at,
          `name the whole entry, or give that part its own entry below: ${child.address}`,
          [{ message: "the entry", at: (child.key ?? node).at }]
        );
      }
      return units2.length > 0 && named.length === units2.length;
    });
  }
  #drop(drop) {
    const { place } = drop;
    if (this.#kind.key.length > 0 && place.matches(this.#section)) {
      if (this.#order.length > 0) place.met.is = true;
      this.#children.clear();
      this.#order = [];
      return;
    }
    for (const [id, child] of this.#children) {
      const remove = () => {
        place.met.is = true;
        this.#children.delete(id);
        this.#order = this.#order.filter((one) => one !== id);
      };
      if (place.matches(child.address)) remove();
      else if (place.mayBeBelow(child.address)) {
        if (this.#isGone(child)) place.met.is = true;
        for (const { items } of child.groups) items.push({ drop });
      } else {
        const dropped = this.#groupsAt(child, place);
        if (dropped.length === 0) continue;
        place.met.is = true;
        child.groups = child.groups.filter((group) => !dropped.includes(group));
        if (child.groups.length === 0) remove();
      }
    }
  }
};
var saysAnything = ({ node }) => node.type !== "map" || node.entries.some(({ key }) => key.text !== "$when");

// src/config/layers/when.ts
function holds2(node, context) {
  const { expand, diagnostics, scope } = context;
  const say = sayingTo(diagnostics, scope.block?.address);
  if (node.type === "map") {
    return node.entries.map((entry) => isAs(entry, context)).every(Boolean);
  }
  const value = expand(node);
  const word2 = value.type === "scalar" ? value.text : void 0;
  if (word2 === "true" || word2 === "false") return word2 === "true";
  if (!isPoisoned(value))
    say(
      "when/value",
      `\`$when\` must be true, false, or a map of names, not ${describe(value)}`,
      node.at,
      "$when: { stage: [production, staging] }, { input.geo: true }, { var.x: { not: y } }, { each.value.x: { set: true } }"
    );
  return false;
}
function isAs({ key, value }, context) {
  const { scope, expand, diagnostics } = context;
  const say = sayingTo(diagnostics, scope.block?.address);
  const path9 = parsePath(key.text);
  const found = resolveExpression(
    "error" in path9 ? path9 : { steps: path9.steps, isOptional: true },
    {
      at: key.at,
      stepAt: () => key.at,
      isWhole: true,
      nameOf: () => void 0
    },
    withoutLater(scope),
    diagnostics
  );
  if (found === failed) return false;
  if (found !== absent && found.type !== "scalar") {
    if (isSet(value) === void 0) {
      say(
        "when/name",
        `\`${key.text}\` is not text, so it cannot be compared`,
        key.at,
        `${key.text}: { set: true }`
      );
      return false;
    }
  }
  const actual = found === absent ? void 0 : found.type === "scalar" ? found : "value";
  return compare(value, actual, expand, say);
}
var withoutLater = ({ secrets: _, lookups: __, ...scope }) => scope;
function compare(node, actual, expand, say) {
  if (node.type === "map") {
    const [entry, more] = node.entries;
    const set = isSet(node);
    if (set !== void 0) return set === isThere(actual);
    if (entry?.key.text === "not" && !more) return !compare(entry.value, actual, expand, say);
    say("when/value", "this must be a value, a list of values, `{ not: ... }` or `{ set: true }`", node.at);
    return false;
  }
  const values = node.type === "list" ? node.items : [node];
  return values.some((one) => {
    const value = expand(one);
    if (value.type === "scalar") return typeof actual === "object" && value.text === actual.text;
    if (!isPoisoned(value)) say("when/value", `${describe(value)} cannot be compared`, one.at);
    return false;
  });
}
function isSet(node) {
  const [entry, more] = node.entries ?? [];
  if (entry?.key.text !== "set" || more || entry.value.type !== "scalar") return void 0;
  return typeof entry.value.value === "boolean" ? entry.value.value : void 0;
}
var isThere = (actual) => actual !== void 0 && (actual === "value" || actual.value !== null);

// src/config/layers/layering.ts
var maxInstances = 25e4;
var TooMuch = class extends Error {
};
var Layering = class {
  kinds;
  diagnostics;
  globals;
  templates;
  /** The names of those that are laid. */
  used = /* @__PURE__ */ new Set();
  /** The content of a `$when`, and if it is laid anywhere. */
  #conditional = /* @__PURE__ */ new Map();
  /** Places that something must be at, by the node that names them. */
  places = /* @__PURE__ */ new Map();
  #expandGlobally;
  #instances = 0;
  constructor(kinds, globals, templates, diagnostics) {
    this.kinds = kinds;
    this.globals = globals;
    this.templates = templates;
    this.diagnostics = diagnostics;
    this.#expandGlobally = expander(globals, diagnostics);
  }
  say(block) {
    return sayingTo(this.diagnostics, block?.address);
  }
  expandIn({ scope, isLiteral }, block) {
    if (isLiteral) return (node) => node;
    if (!block && scope === this.globals) return this.#expandGlobally;
    return expander(block ? { ...scope, block } : scope, this.diagnostics);
  }
  isOn({ scope, node }, block) {
    const when = node.type === "map" ? entryOf(node, "$when") : void 0;
    if (!when) return true;
    const { diagnostics } = this;
    const around = block ? { ...scope, block } : scope;
    const isOn = holds2(when.value, { scope: around, expand: this.expandIn({ scope }, block), diagnostics });
    this.#conditional.set(node, isOn || this.#conditional.get(node) === true);
    return isOn;
  }
  /** Layers that `$when` took out everywhere are not read: a secret in them would be known to nobody. */
  maskUnlaid() {
    for (const [node, isLaid] of this.#conditional) if (!isLaid) maskUnread(node);
  }
  instances(layer, block) {
    const { node, scope } = layer;
    const each = node.type === "map" && !layer.isLiteral ? entryOf(node, "$each") : void 0;
    this.#count(1, node);
    if (!each) return [layer];
    const members3 = membersOf2(each.value, this.expandIn(layer, block), scope.each, this.say(block));
    this.#count(members3.length, each.value);
    return members3.map((member) => ({ ...layer, scope: { ...scope, each: member } }));
  }
  #count(more, { at }) {
    this.#instances += more;
    if (this.#instances <= maxInstances) return;
    this.say()("each/too-many", `templates and \`$each\` produce more than ${maxInstances} entries`, at);
    throw new TooMuch();
  }
  /** The place that a path names; that something must be there is asked once for all instances of what is written. */
  place(text, node, around) {
    const known3 = this.places.get(node);
    const place = placeOf3(text, node.at, known3?.met ?? { is: false }, around);
    if (known3) return place;
    this.places.set(node, place);
    const wrong2 = unbalanced(text);
    if (wrong2 !== void 0) {
      this.say()(
        "layer/glob",
        `${quoted(text)} is not a valid glob: ${wrong2}`,
        node.at,
        "use globs as for --target: `*`, `**`, `{a,b}`, `[a-c]`"
      );
      place.met.is = true;
    }
    return place;
  }
  block(kind, block, items) {
    const [only] = items;
    if (items.length === 1 && only && "layer" in only) {
      const { layer } = only;
      if (layer.isLiteral) return layer.node;
      if (isPlain(layer.node, this.globals.kinds))
        return this.expandIn(layer, layer.scope === this.globals ? void 0 : block)(layer.node);
    }
    const { own, sections, at } = this.merge(kind, block, items);
    const below = sections.map(
      ({ kind: { section: name }, section, at: at2 }) => ({
        key: { type: "scalar", at: at2, text: name, value: name },
        value: section
      })
    );
    return { type: "map", at, entries: [...own, ...below] };
  }
  /** All that a block holds: of the root, which is no block, its sections. */
  merge(kind, block, items) {
    const children = childKinds(this.kinds, kind?.name);
    const stack = this.#withTemplates(items, kind, block);
    const own = /* @__PURE__ */ new Map();
    const below = new Map(
      children.map((child) => [child.section, { kind: child, items: [] }])
    );
    const homes = /* @__PURE__ */ new Map();
    const takeOut = (drop) => {
      for (const { items: items2 } of below.values()) items2.push({ drop });
      takeOutFields(own, block?.address ?? "", drop.place);
    };
    for (const item of stack) {
      if ("patch" in item) for (const { items: items2 } of below.values()) items2.push(item);
      else if ("drop" in item) takeOut(item.drop);
      else {
        const { entries, layer } = this.#opened(kind, block, item.layer, item === stack[0]);
        for (const drop of this.#dropsOf(entries, layer, block)) takeOut(drop);
        const fields = [];
        for (const entry of entries) {
          const section = below.get(entry.key.text);
          if (section) section.items.push({ entry, layer });
          else if (!layerKeys.has(entry.key.text)) fields.push(entry);
        }
        if (!kind) this.#unknownSections(fields, below.keys());
        else this.#lieOn(own, kind, block, layer, fields);
        if (block && layer.part && saysOfItself(item.layer.node, [...below.keys()]))
          this.#checkHome(homes, layer, block);
      }
    }
    const sections = [...below.values()].flatMap(({ kind: child, items: items2 }) => {
      const first = items2.find((item) => "entry" in item);
      const section = first && laySection(this, child, block, items2);
      return section ? [{ kind: child, section, at: first.entry.key.at }] : [];
    });
    const layers = stack.flatMap((item) => "layer" in item ? [item.layer] : []);
    const home = layers.find(({ rank }) => rank === "own") ?? layers[0];
    return { own: [...own.values()], sections, at: home?.node.at ?? nowhere };
  }
  #lieOn(own, kind, block, layer, fields) {
    const expanded = this.expandIn(layer, block)({ type: "map", at: layer.at, entries: fields });
    for (const { key, value } of expanded.type === "map" ? expanded.entries : []) {
      const before = own.get(key.text);
      const schema = Object.hasOwn(kind.fields, key.text) ? kind.fields[key.text] : void 0;
      own.set(key.text, { key, value: before ? mergeValue(schema, before.value, value) : value });
    }
  }
  #unknownSections(entries, sections) {
    for (const { key } of entries)
      this.say()(
        "config/unknown-key",
        `${quoted(key.text)} is not a section`,
        key.at,
        hintFor(key.text, [...sections])
      );
  }
  /** Two parts that both say something of the block itself: nothing is overridden without a patch. */
  #checkHome(homes, layer, { address }) {
    if (homes.has(layer.part)) return;
    const [other] = homes.values();
    homes.set(layer.part, layer);
    if (other) this.declaredTwice(address, layer, other);
  }
  declaredTwice(address, layer, other) {
    const isLayered = layer.rank !== "own" || other.rank !== "own" || this.templates.size > 0;
    this.diagnostics.push(
      problem("config/duplicate", `${address} is declared twice${ofMember(layer.scope.each)}`, {
        at: positionOf(layer.at),
        address,
        hint: `a resource's own fields go in one place; only its child sections may be elsewhere${isLayered ? ", and a patch may change it" : ""}`,
        related: [{ message: `the first one${ofMember(other.scope.each)}`, at: positionOf(other.at) }]
      })
    );
  }
  /** The entries of a layer, a shorthand unfolded. */
  #opened(kind, block, layer, isLowest) {
    const { node } = layer;
    if (!kind || node.type === "map") return { entries: node.entries, layer };
    const say = this.say(block);
    if (isNull(node) && !isLowest && !nullIsValue(kind)) {
      const hint = "to remove it, use `$drop` in the enclosing block; `{}` keeps it";
      say("layer/null", "an empty entry has no effect on a lower layer", node.at, hint);
      return { entries: [], layer };
    }
    const entries = blockEntries(kind, this.expandIn(layer, block)(node), layer.at, say);
    return { entries: entries ?? [], layer: { ...layer, isLiteral: true } };
  }
  #dropsOf(entries, layer, block) {
    const entry = entries.find(({ key }) => key.text === "$drop");
    if (!entry) return [];
    const say = this.say(block);
    const { value } = entry;
    if (value.type !== "list") {
      say("drop/value", "`$drop` must be a list of paths", value.at, "$drop: [env/LEGAL, framework]");
      return [];
    }
    const expand = this.expandIn(layer, block);
    return value.items.flatMap((item) => {
      const path9 = expand(item);
      if (path9.type === "scalar" && path9.text !== "")
        return [{ place: this.place(path9.text, item, block?.address) }];
      if (!isPoisoned(path9)) say("drop/value", "a path must be text, such as `env/LEGAL`", item.at);
      return [];
    });
  }
  /** The stack of a block with the templates that its layers name. */
  #withTemplates(items, kind, block) {
    const named = /* @__PURE__ */ new Map();
    for (const item of items) {
      if (!("layer" in item) || item.layer.rank === "template") continue;
      const { layer } = item;
      const use = layer.node.type === "map" && !layer.isLiteral ? entryOf(layer.node, "$use") : void 0;
      if (use) named.set(layer, readUse(use.value, this.say(block)));
    }
    if (named.size === 0) return items;
    const templates = new TemplateStack(this, named, kind, block);
    return items.flatMap((item) => "layer" in item ? [...templates.below(item.layer), item] : [item]);
  }
};

// src/config/layers/lay.ts
function lay(written, { kinds, globals, diagnostics }) {
  const layering = new Layering(kinds, globals, written.templates, diagnostics);
  const sections = new RootLaying(layering).lay(written);
  layering.maskUnlaid();
  if (!globals.incomplete) checkUnused(layering.used, { kinds, templates: written.templates, diagnostics });
  return sections;
}
var RootLaying = class {
  #layering;
  constructor(layering) {
    this.#layering = layering;
  }
  lay({ documents, use, patches }) {
    try {
      const items = documents.map((entries) => ({
        layer: {
          node: { type: "map", at: nowhere, entries },
          at: nowhere,
          scope: this.#layering.globals,
          rank: "own",
          part: {}
        }
      }));
      for (const one of use) items.push(...this.#use(one));
      const laid = patches.flatMap((one) => {
        const patch = this.#patch(one);
        if (!patch) maskUnread(one);
        return patch ?? [];
      });
      const { sections } = this.#layering.merge(void 0, void 0, [
        ...items,
        ...laid.map((patch) => ({ patch }))
      ]);
      for (const { place, layer } of laid) {
        if (place.met.is) continue;
        maskUnread(layer.node);
        if (!this.#layering.isOn(layer, void 0)) place.met.is = true;
      }
      for (const { met, at, text, isRelative } of this.#layering.places.values())
        if (!met.is)
          this.#layering.say()(
            "patch/nothing",
            isRelative ? `lower layers have nothing at ${quoted(text)}` : `there is nothing at ${quoted(text)}`,
            at,
            isRelative ? "paths are relative to the block: `env/LEGAL`, `firewall/rules`, `framework`" : "addresses look like `projects/web/env/LOG_LEVEL`, with globs as in --target"
          );
      return sections;
    } catch (error) {
      if (error instanceof TooMuch) return [];
      throw error;
    }
  }
  #patch(node) {
    const say = this.#layering.say();
    const at = node.type === "map" ? entryOf(node, "$at") : void 0;
    if (node.type !== "map" || !at) {
      const hint = "- { $at: projects/web, framework: nextjs }";
      say("patch/form", "a patch must be a map with `$at`", node.at, hint);
      return void 0;
    }
    const each = entryOf(node, "$each");
    if (each)
      say("each/not-here", "`$each` is for resource entries, not patches", each.key.at, "use globs in `$at`");
    const { secrets: _, lookups: __, ...scope } = this.#layering.globals;
    const text = this.#layering.expandIn({ scope }, void 0)(at.value);
    if (text.type !== "scalar" || text.text === "") {
      const hint = "projects/web, or projects/site-*";
      if (!isPoisoned(text))
        say("patch/form", "`$at` must be an address or an address glob", at.value.at, hint);
      return void 0;
    }
    const entries = node.entries.filter((entry) => entry !== at && entry !== each);
    return {
      place: this.#layering.place(text.text, at.value),
      layer: {
        node: { ...node, entries },
        at: at.key.at,
        scope: this.#layering.globals,
        rank: "patch",
        part: void 0
      }
    };
  }
  #use(node) {
    const base = { node, at: node.at, scope: this.#layering.globals, rank: "own", part: void 0 };
    return this.#layering.instances(base, void 0).flatMap((instance) => {
      if (!this.#layering.isOn(instance, void 0)) return [];
      const named = node.type === "map" ? { ...node, entries: node.entries.filter(({ key }) => !layerKeys.has(key.text)) } : node;
      const layer = { ...instance, part: {} };
      const uses = readUse(named, this.#layering.say());
      return new TemplateStack(this.#layering, /* @__PURE__ */ new Map([[layer, uses]]), void 0, void 0).below(layer);
    });
  }
};

// src/config/blocks/map-blocks.ts
function mapBlocks(kind, section, around, change) {
  const place = (names2) => ({
    kind,
    address: addressOf(around?.address, kind.section, names2),
    around
  });
  if (kind.key.length === 0) return change(section, place([]));
  if (section.type === "list")
    return {
      ...section,
      items: section.items.flatMap((item) => change(item, place(namesIn2(kind, item))) ?? [])
    };
  if (section.type !== "map" || kind.yaml.mapBy === void 0) return section;
  const entries = section.entries.flatMap(({ key, value }) => {
    const at = place(keyNames(kind, key.text));
    if (kind.yaml.manyPerKey && value.type === "list" && value.items.length > 0) {
      const items = value.items.flatMap((item) => change(item, at, key) ?? []);
      return items.length > 0 ? [{ key, value: { ...value, items } }] : [];
    }
    const changed = change(value, at, key);
    return changed ? [{ key, value: changed }] : [];
  });
  return { ...section, entries };
}
function mapSections(kinds, block, change, field = ({ value }) => value) {
  const children = new Map(kinds.map((kind) => [kind.section, kind]));
  const entries = block.entries.flatMap((entry) => {
    const { key, value } = entry;
    const kind = children.get(key.text);
    const changed = kind ? change(kind, value) : field(entry);
    if (!changed) return [];
    return [changed === value ? entry : { key, value: changed }];
  });
  return { ...block, entries };
}
function namesIn2(kind, item) {
  if (item.type !== "map") return [];
  const names2 = kind.key.flatMap((name) => {
    const value = item.entries.find(({ key }) => key.text === name)?.value;
    return value?.type === "scalar" ? keyNames({ ...kind, key: [name] }, value.text) : [];
  });
  return names2.length === kind.key.length ? names2 : [];
}

// src/config/layers/spread-names.ts
function spreadNames(sections, kinds, diagnostics) {
  if (!sections.some(({ section }) => mayHaveGlobs(section))) return sections;
  const spreading = new Spreading(kinds, diagnostics);
  for (const { kind, section } of sections) spreading.collect(kind, section);
  return spreading.spreadAll(sections);
}
var isGlob = (text) => /[*?{[]/.test(text);
var mayHaveGlobs = (node) => node.type === "map" ? node.entries.some(({ key, value }) => isGlob(key.text) || mayHaveGlobs(value)) : node.type === "list" && node.items.some((item) => item.type === "scalar" ? isGlob(item.text) : mayHaveGlobs(item));
var Spreading = class {
  #kinds;
  #diagnostics;
  #names = /* @__PURE__ */ new Map();
  #hasGlobs = false;
  constructor(kinds, diagnostics) {
    this.#kinds = kinds;
    this.#diagnostics = diagnostics;
  }
  /** Notes the names of all blocks in a section that is a map, and of those in its blocks. */
  collect(kind, section, around) {
    const names2 = [];
    this.#names.set(collectionId(kind.name, around?.address), names2);
    mapBlocks(kind, section, around, (block, place, key) => {
      const isSpread = key !== void 0 && isGlob(key.text) && keyRef(kind) !== void 0;
      if (isSpread) this.#hasGlobs = true;
      else if (key) names2.push(key.text);
      if (!this.#hasGlobs && this.#globFields(kind, block).length > 0) this.#hasGlobs = true;
      if (!isSpread && block.type === "map")
        mapSections(childKinds(this.#kinds, kind.name), block, (child, inner) => {
          this.collect(child, inner, place);
          return inner;
        });
      return block;
    });
  }
  spreadAll(sections) {
    if (!this.#hasGlobs) return sections;
    return sections.map((one) => ({ ...one, section: this.#section(one.kind, one.section) }));
  }
  #section(kind, section, around) {
    const named = section.type === "map" && kind.key.length > 0 ? { ...section, entries: this.#keys(kind, section, around) } : section;
    return mapBlocks(kind, named, around, (block, place) => this.#block(kind, block, place));
  }
  /** The entries of a map of which some keys may be globs. */
  #keys(kind, { entries }, around) {
    const target = keyRef(kind);
    if (target === void 0 || !entries.some(({ key }) => isGlob(key.text))) return entries;
    const declared = this.#near(target, around);
    const exact = new Set(entries.map(({ key }) => key.text));
    const made = /* @__PURE__ */ new Map();
    return entries.flatMap((entry) => {
      const { key } = entry;
      if (!isGlob(key.text) || declared.includes(key.text)) return [entry];
      return this.#matching(key, declared, target).filter((name) => !exact.has(name)).flatMap((name) => {
        const first = made.get(name);
        if (first)
          sayingTo(this.#diagnostics)(
            "name/twice",
            `${quoted(name)} matches two globs`,
            key.at,
            "name it explicitly; an exact name takes precedence over globs",
            [{ message: "the other one", at: first.at }]
          );
        made.set(name, first ?? key);
        return first ? [] : [{ key: { ...key, text: name, value: name }, value: entry.value }];
      });
    });
  }
  #block(kind, node, place) {
    if (node.type !== "map") return node;
    const targets = new Map(this.#globFields(kind, node).map(({ key, target }) => [key, target]));
    return mapSections(
      childKinds(this.#kinds, kind.name),
      node,
      (child, inner) => this.#section(child, inner, place),
      ({ key, value }) => {
        const target = targets.get(key.text);
        if (target === void 0 || value.type !== "list") return value;
        return { ...value, items: this.#items(value.items, target, place) };
      }
    );
  }
  #items(items, target, around) {
    const declared = this.#near(target, around);
    const named = new Set(items.flatMap((item) => item.type === "scalar" ? item.text : []));
    return items.flatMap((item) => {
      if (item.type !== "scalar" || !isGlob(item.text) || declared.includes(item.text)) return [item];
      return this.#matching(item, declared, target).flatMap((name) => {
        if (named.has(name)) return [];
        named.add(name);
        return [{ ...item, text: name, value: name }];
      });
    });
  }
  /** The names that a glob matches. */
  #matching(node, declared, target) {
    const found = declared.filter(globTest(node.text));
    if (found.length === 0)
      sayingTo(this.#diagnostics)(
        "name/nothing",
        `no declared ${target} matches ${quoted(node.text)}`,
        node.at,
        "globs match declared names only; declare unmanaged ones with `$existing: true`"
      );
    return found;
  }
  /** The names of the declared blocks of a kind, under the nearest block around that can hold them. */
  #near(target, around) {
    const parent = this.#kinds.get(target)?.parent;
    let holder = around;
    while (holder && holder.kind.name !== parent) holder = holder.around;
    return this.#names.get(collectionId(target, holder?.address)) ?? [];
  }
  /** The fields of a block that are lists of names with a glob among them. */
  #globFields(kind, node) {
    if (node.type !== "map") return [];
    return node.entries.flatMap(({ key, value }) => {
      if (value.type !== "list" || !Object.hasOwn(kind.fields, key.text)) return [];
      const hasGlob = value.items.some((item) => item.type === "scalar" && isGlob(item.text));
      const target = hasGlob ? referenceOf(kind.fields[key.text]) : void 0;
      return target === void 0 ? [] : [{ key: key.text, target }];
    });
  }
};
function keyRef({ yaml: { mapBy }, fields }) {
  const schema = mapBy === void 0 ? void 0 : fields[mapBy];
  return schema && referenceOf(schema);
}

// src/config/values/variable-value.ts
function valueFrom({ text: name, at }, declared, given, diagnostics) {
  const { vars, files, env, stage } = given;
  if (Object.hasOwn(vars, name)) return { value: outsideText(vars[name]) };
  const written = files.findLast((file2) => entryOf(file2, name));
  if (written) return { value: literal(entryOf(written, name).value, diagnostics) };
  const named = declared && entryOf(declared, "env")?.value;
  const asked = named?.type === "scalar" ? askedBy(name, named) : void 0;
  const fromOwn = envValue(env, variableEnv(name));
  if (fromOwn !== void 0) return { asked, value: outsideText(fromOwn) };
  const ofStage = stage?.variables && entryOf(stage.variables, name);
  if (ofStage) return { asked, value: ofStage.value, isOwn: true };
  if (asked && !given.mayRead(asked)) return { asked, value: void 0 };
  const fromEnv = asked && envValue(env, asked.origin.env);
  if (fromEnv !== void 0) return { asked, value: outsideText(fromEnv) };
  const file = declared && entryOf(declared, "file")?.value;
  if (file) return { asked, value: given.dataOf(file, name) };
  const value = declared && entryOf(declared, "default")?.value;
  if (value) return { asked, value, isOwn: true };
  const ways2 = `--var ${name}=..., ${variableEnv(name)}`;
  const hint = asked ? `set ${asked.origin.env}, or give ${ways2}` : `give ${ways2}, or a \`default\``;
  return { asked, value: { type: "missing", at: positionOf(at), hint } };
}
var askedBy = (name, { text, at }) => ({
  use: "variable",
  name,
  origin: { env: text },
  folder: at.source.folder ?? ".",
  at: positionOf(at)
});
function literal(node, diagnostics) {
  const inside2 = (one) => literal(one, diagnostics) ?? one;
  if (node.type === "list") return { ...node, items: node.items.map(inside2) };
  if (node.type === "map")
    return { ...node, entries: node.entries.map(({ key, value }) => ({ key, value: inside2(value) })) };
  if (node.type !== "scalar" || !node.text.includes("${")) return node;
  const parts = parseExpressions(node.text);
  if (parts.length === 1 && typeof parts[0] === "string") return { ...node, text: parts[0], value: parts[0] };
  diagnostics.push(
    problem("var/nested", "a value in a variable file cannot contain `${...}`", {
      at: positionOf(node.at),
      hint: "write `$${` for a literal `${`"
    })
  );
  return void 0;
}

// src/config/values/variables.ts
var maxSize = 1e6;
var members = ["default", "env", "file", "description"];
function readVariables(sections, given) {
  const reader = new VariableReader(given);
  for (const section of sections) reader.declareAll(section);
  reader.checkGiven();
  for (const name of reader.names()) reader.get(name);
  const { origins, diagnostics } = reader;
  return { variables: reader, origins, diagnostics };
}
var VariableReader = class {
  diagnostics = [];
  origins = [];
  #values = /* @__PURE__ */ new Map();
  /** Defaults that are written as text with expressions, until they are asked for. */
  #waiting = /* @__PURE__ */ new Map();
  /** The variables whose defaults are being expanded, from the outside. */
  #open = [];
  #declared = /* @__PURE__ */ new Map();
  #used = /* @__PURE__ */ new Set();
  #given;
  #expand;
  /** The variable that each `TRUEUP_VAR_name` belongs to. */
  #owners = /* @__PURE__ */ new Map();
  constructor(given) {
    this.#given = given;
    const stage = given.stage?.name;
    this.#expand = (node) => expander(
      {
        variables: this,
        sections: [],
        kinds: /* @__PURE__ */ new Set(),
        incomplete: false,
        ...stage === void 0 ? {} : { stage }
      },
      this.diagnostics
    )(node);
  }
  has(name) {
    return this.#values.has(name);
  }
  names() {
    return [...this.#values.keys()];
  }
  isFirstUse(name) {
    const isFirst = !this.#used.has(name);
    this.#used.add(name);
    return isFirst;
  }
  get(name) {
    const waiting2 = this.#waiting.get(name);
    if (!waiting2) return this.#values.get(name);
    if (this.#open.includes(name)) {
      const circle = [...this.#open.slice(this.#open.indexOf(name)), name];
      this.#say(
        "var/cycle",
        `these variables depend on each other: ${circle.join(" \u2192 ")}`,
        positionOf(waiting2.at),
        "write one of the values literally"
      );
      return void 0;
    }
    this.#open.push(name);
    const value = this.#expand(waiting2);
    this.#open.pop();
    this.#waiting.delete(name);
    const isTooLarge2 = sizeOf(value) > maxSize;
    if (isTooLarge2)
      this.#say(
        "var/too-large",
        `the variable ${quoted(name)} expands to more than ${maxSize} values`,
        positionOf(waiting2.at)
      );
    this.#values.set(name, isTooLarge2 || isPoisoned(value) ? void 0 : value);
    return this.#values.get(name);
  }
  #say(code, message, at, hint) {
    this.diagnostics.push(problem(code, message, { at, hint }));
  }
  declareAll(section) {
    if (section && section.type !== "map")
      this.#say(
        "config/type",
        "`variables` must be a map of names",
        positionOf(section.at),
        "variables: { stage: { default: production } }"
      );
    for (const { key, value } of section?.type === "map" ? section.entries : []) {
      const first = this.#declared.get(key.text);
      if (first) {
        this.diagnostics.push(declaredTwice("variable", key, first));
        continue;
      }
      this.#declared.set(key.text, key);
      this.#values.set(key.text, void 0);
      if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key.text))
        this.#say(
          "var/name",
          `${quoted(key.text)} is not a valid variable name`,
          positionOf(key.at),
          "use letters, digits, `_` and `-`"
        );
      else if (value.type !== "map" && !isNull(value)) {
        maskNode(value);
        this.#say(
          "var/declaration",
          "a variable must be a map",
          positionOf(value.at),
          `${key.text}: { default: ... }`
        );
      } else this.#declare(key, value.type === "map" ? value : void 0);
    }
  }
  #declare(key, declared) {
    const unknown = declared?.entries.find((entry) => !members.includes(entry.key.text));
    if (unknown)
      this.#say(
        "config/unknown-key",
        `a variable has no ${quoted(unknown.key.text)}`,
        positionOf(unknown.key.at),
        hintFor(unknown.key.text, members)
      );
    const env = declared && entryOf(declared, "env")?.value;
    const ownEnv = variableEnv(key.text);
    const owner = this.#owners.get(ownEnv);
    if (owner) this.diagnostics.push(sameEnv(ownEnv, key, owner));
    else this.#owners.set(ownEnv, key);
    if (env && (env.type !== "scalar" || env.value === null || env.text.trim() === ""))
      this.#say("config/type", "`env` must be the name of an environment variable", positionOf(env.at));
    else if (env?.type === "scalar" && this.#isRefused(env)) return;
    else if (!owner) this.#enter(key, declared);
  }
  #enter(key, declared) {
    const file = declared && entryOf(declared, "file");
    const inPlace = declared && entryOf(declared, "default");
    if (file && inPlace)
      this.#say(
        "var/declaration",
        "a variable can have a `file` or a `default`, not both",
        positionOf(inPlace.key.at),
        "keep one of the two"
      );
    else if (file && (file.value.type !== "scalar" || typeof file.value.value !== "string"))
      this.#say("config/type", "`file` must be the path of a file", positionOf(file.value.at));
    else {
      const { value, asked, isOwn } = valueFrom(key, declared, this.#given, this.diagnostics);
      if (asked) this.origins.push(asked);
      if (isOwn && value) this.#waiting.set(key.text, value);
      this.#values.set(key.text, value);
    }
  }
  /** Reports values from the command line that no variable takes. */
  checkGiven() {
    const names2 = this.names();
    for (const name of Object.keys(this.#given.vars))
      if (!this.#values.has(name))
        this.#say(
          "var/undeclared",
          `--var sets ${quoted(name)}, which is not declared under \`variables\``,
          void 0,
          hintFor(name, names2, "declared")
        );
    const ofStage = this.#given.stage?.variables?.entries ?? [];
    for (const { key, value } of [...this.#given.files.flatMap((file) => file.entries), ...ofStage])
      if (!this.#values.has(key.text)) {
        maskNode(value);
        this.#say(
          "var/undeclared",
          `${quoted(key.text)} is not declared under \`variables\``,
          positionOf(key.at),
          hintFor(key.text, names2, "declared")
        );
      }
  }
  /** Reports an environment variable that no variable may show. */
  #isRefused(env) {
    const why = isOutOfReach(env.text, "variable");
    const isSecret2 = this.#given.secretEnvs.has(env.text.trim().toUpperCase());
    if (isSecret2) this.diagnostics.push(shownSecret(env.text, positionOf(env.at)));
    else if (why !== void 0) this.diagnostics.push(refusedEnv(env, why));
    return isSecret2 || why !== void 0;
  }
};
var declaredTwice = (what, key, first) => problem("config/duplicate", `the ${what} ${quoted(key.text)} is declared twice`, {
  at: positionOf(key.at),
  hint: "keep one of the two",
  related: [{ message: "the first one", at: positionOf(first.at) }]
});

// src/config/layers/templates.ts
var inputTypes = ["string", "number", "integer", "boolean", "list", "map"];
var members2 = ["type", "default", "pattern", "values", "description"];
function readTemplates(sections, kinds, diagnostics) {
  const say = sayingTo(diagnostics);
  const templates = /* @__PURE__ */ new Map();
  const first = /* @__PURE__ */ new Map();
  for (const section of sections) {
    if (section.type !== "map") {
      say("config/type", `\`templates\` must be a map of names, not ${describe(section)}`, section.at);
      continue;
    }
    for (const { key, value } of section.entries) {
      const twin = first.get(key.text);
      first.set(key.text, twin ?? key);
      if (twin) diagnostics.push(declaredTwice("template", key, twin));
      else if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key.text))
        say(
          "template/name",
          `${quoted(key.text)} is not a valid template name`,
          key.at,
          "use letters, digits, `_` and `-`"
        );
      else if (value.type !== "map")
        say(
          "config/type",
          `a template must be a map, not ${describe(value)}`,
          value.at,
          "it has the content of a block"
        );
      else templates.set(key.text, templateOf(key, value, kinds, say));
    }
  }
  return templates;
}
function templateOf(key, map, kinds, say) {
  const kind = entryOf(map, "$kind");
  const inputs = entryOf(map, "$inputs");
  const kindName = kind?.value.type === "scalar" ? kind.value.text : void 0;
  if (kind && (kindName === void 0 || !kinds.has(kindName)))
    say(
      "template/kind",
      "`$kind` must be the name of a kind",
      kind.value.at,
      hintFor(kindName ?? "", [...kinds.keys()])
    );
  return {
    name: key.text,
    at: key.at,
    ...kindName !== void 0 && kinds.has(kindName) ? { kind: kindName } : {},
    inputs: inputs ? readInputs(inputs, say) : /* @__PURE__ */ new Map(),
    body: { ...map, entries: map.entries.filter((entry) => entry !== kind && entry !== inputs) }
  };
}
function readInputs({ value }, say) {
  const inputs = /* @__PURE__ */ new Map();
  if (value.type !== "map")
    say(
      "config/type",
      `\`$inputs\` must be a map of names, not ${describe(value)}`,
      value.at,
      "$inputs: { country: {} }"
    );
  else
    for (const { key, value: declared } of value.entries)
      if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key.text))
        say(
          "input/name",
          `${quoted(key.text)} is not a valid input name`,
          key.at,
          "use letters, digits, `_` and `-`"
        );
      else if (declared.type === "map") inputs.set(key.text, inputOf(key, declared, say));
      else if (isNull(declared)) inputs.set(key.text, { at: key.at });
      else
        say(
          "input/declaration",
          "an input must be a map",
          declared.at,
          `${key.text}: { default: ... }, or {}`
        );
  return inputs;
}
function inputOf(key, map, say) {
  const input = { at: key.at };
  for (const { key: name, value } of map.entries) {
    const text = value.type === "scalar" && value.value !== null ? value.text : void 0;
    if (name.text === "default") input.default = value;
    else if (name.text === "type") {
      const type = inputTypes.find((one) => one === text);
      if (type) input.type = type;
      else
        say(
          "input/declaration",
          `an input has no type ${quoted(text ?? "")}`,
          value.at,
          hintFor(text ?? "", [...inputTypes], "valid types")
        );
    } else if (name.text === "pattern") {
      const pattern2 = text === void 0 ? { wrong: "`pattern` must be text" } : safePattern(text);
      if (pattern2 instanceof RegExp) Object.assign(input, { pattern: pattern2, patternText: text });
      else say("input/pattern", pattern2.wrong, value.at, "it must match the whole text: `[a-z]{2}`");
    } else if (name.text === "values") {
      const values = value.type === "list" ? value.items.map((item) => item.type === "scalar" ? item.text : void 0) : [];
      if (values.length > 0 && values.every((one) => one !== void 0)) input.values = values;
      else say("input/declaration", "`values` must be a list of texts", value.at, "values: [small, large]");
    } else if (name.text === "description") {
      if (text !== void 0) input.description = text;
    } else
      say("config/unknown-key", `an input has no ${quoted(name.text)}`, name.at, hintFor(name.text, members2));
  }
  return input;
}
var maxPattern = 200;
function safePattern(source) {
  if (source.length > maxPattern) return { wrong: `a pattern can have at most ${maxPattern} characters` };
  if (/\\[1-9k]/.test(source)) return { wrong: "backreferences (`\\1`) are not supported" };
  if (/\(\?(?!:)/.test(source))
    return { wrong: "only `( )` and `(?: )` groups are supported, no lookaround" };
  if (repeatsRepeated(source)) return { wrong: "a repeated group cannot contain repetition or `|`" };
  try {
    return new RegExp(`^(?:${source})$`, "u");
  } catch {
    return { wrong: "this is not a regular expression" };
  }
}
function repeatsRepeated(source) {
  const open = [];
  let inClass = false;
  for (let i = 0; i < source.length; i++) {
    const sign = source[i];
    const next = source[i + 1];
    if (sign === "\\") i++;
    else if (inClass) inClass = sign !== "]";
    else if (sign === "[") inClass = true;
    else if (sign === "(") open.push(false);
    else if (sign === ")") {
      const isBusy = open.pop() ?? false;
      const isRepeated = next === "*" || next === "+" || next === "{";
      if (isBusy && isRepeated) return true;
      if ((isBusy || isRepeated) && open.length > 0) open[open.length - 1] = true;
    } else if ("*+{|".includes(sign) || sign === "?" && source[i - 1] !== "(") {
      if (open.length > 0) open[open.length - 1] = true;
    }
  }
  return false;
}

// src/config/read-files.ts
;
async function readFiles(options, allowed2, sources, diagnostics) {
  const { files, inputs, folders, diagnostics: wrong2 } = await filesOf(options);
  diagnostics.push(...wrong2);
  const read = {
    documents: [],
    files: [],
    inputs,
    folders,
    isIncomplete: hasErrors(wrong2),
    stages: []
  };
  const reader = new FileReader(options, allowed2, { sources, diagnostics, read });
  for (const file of files) await reader.read(file);
  await reader.applyStages(options.stage);
  await reader.include();
  return read;
}
var FileReader = class {
  #cwd;
  #texts;
  #allowed;
  #sources;
  #diagnostics;
  #read;
  #seen = /* @__PURE__ */ new Set();
  constructor({ cwd, texts }, allowed2, { sources, diagnostics, read }) {
    this.#cwd = cwd;
    this.#texts = texts;
    this.#allowed = allowed2;
    this.#sources = sources;
    this.#diagnostics = diagnostics;
    this.#read = read;
  }
  #say(code, message, at, hint) {
    this.#diagnostics.push(problem(code, message, { at: positionOf(at), hint }));
  }
  async read(file, isIncluded) {
    if (this.#seen.has(file.path)) return;
    this.#seen.add(file.path);
    this.#read.files.push(file);
    const text = this.#texts?.get(file.path);
    const given = text === void 0 ? file : { ...file, text };
    const maps = await readDocuments(given, this.#sources, this.#diagnostics);
    if (!maps) this.#read.isIncomplete = true;
    for (const map of maps ?? [])
      this.#read.documents.push({ map, file, ...isIncluded ? { isIncluded } : {} });
  }
  /** Leaves out the files of other stages, and reads those of the chosen one behind all others. */
  async applyStages(name) {
    const section = this.#read.documents.flatMap(({ map }) => entryOf(map, "stages") ?? [])[0];
    if (!section) {
      if (name === void 0) return;
      this.#diagnostics.push(
        problem("stage/unknown", `--stage names ${quoted(name)}, but the configuration has no stages`, {
          hint: "drop the flag, or declare `stages: { production: {}, staging: {} }`"
        })
      );
      return;
    }
    const stages = this.#stagesOf(section);
    if (stages.size === 0) {
      if (section.value.type === "map" && section.value.entries.length === 0)
        this.#say("stage/none", "`stages` is empty", section.key.at, "remove it, or name some");
      return;
    }
    this.#read.stages = [...stages.keys()];
    const all = [...stages.keys()].map(quoted).join(", ");
    const chosen = name === void 0 ? void 0 : stages.get(name);
    if (!chosen)
      this.#diagnostics.push(
        name === void 0 ? problem("stage/choose", `the configuration has the stages ${all}, but none is selected`, {
          at: positionOf(section.key.at),
          hint: `select one: --stage ${[...stages.keys()][0]}`
        }) : problem("stage/unknown", `there is no stage ${quoted(name)}`, {
          at: positionOf(section.key.at),
          hint: `the stages are ${all}`
        })
      );
    else this.#read.stage = { name, entry: chosen };
    const own = [];
    const others = /* @__PURE__ */ new Set();
    for (const [stage, entry] of stages)
      for (const node of listOf(entryOf(entry, "files")?.value))
        for (const file of await this.#filesAt(node, "file/missing"))
          if (stage === name) own.push(file);
          else others.add(file.path);
    for (const { path: path9 } of own) others.delete(path9);
    const names2 = /* @__PURE__ */ new Set([...others, ...own.map(({ path: path9 }) => path9)]);
    const read = this.#read;
    const late = read.documents.filter(({ file }) => own.some((one) => one.path === file.path));
    read.documents = [...read.documents.filter(({ file }) => !names2.has(file.path)), ...late];
    read.files = read.files.filter(({ path: path9 }) => !others.has(path9));
    for (const file of own) await this.read(file);
  }
  #stagesOf({ value }) {
    const stages = /* @__PURE__ */ new Map();
    const hint = "stages: { production: { variables: { apex: acme.com } }, staging: {} }";
    if (value.type !== "map")
      this.#say("config/type", `\`stages\` must be a map, not ${describe(value)}`, value.at, hint);
    for (const { key, value: entry } of value.type === "map" ? value.entries : []) {
      const isEmpty = entry.type === "scalar" && entry.value === null;
      if (!/^[a-z0-9][a-z0-9_-]{0,31}$/i.test(key.text))
        this.#say(
          "stage/name",
          `${quoted(key.text)} is not a valid stage name`,
          key.at,
          "use up to 32 letters, digits, `_` and `-`"
        );
      else if (entry.type !== "map" && !isEmpty)
        this.#say("config/type", `a stage must be a map, not ${describe(entry)}`, entry.at, hint);
      else stages.set(key.text, entry.type === "map" ? entry : { type: "map", at: entry.at, entries: [] });
      for (const { key: name } of entry.type === "map" ? entry.entries : [])
        if (!["variables", "platform", "files"].includes(name.text))
          this.#say(
            "config/unknown-key",
            `a stage has no ${quoted(name.text)}`,
            name.at,
            "it has `variables`, `platform` and `files`"
          );
    }
    return stages;
  }
  /** Reads what documents include, and what that includes. */
  async include() {
    const { documents } = this.#read;
    for (let i = 0; i < documents.length; i++) {
      const entry = entryOf(documents[i].map, "include");
      for (const node of listOf(entry?.value))
        for (const file of await this.#filesAt(node, "include/missing")) await this.read(file, true);
    }
  }
  /** The files at a path that the YAML names: from the folder of the file that names it, and inside its repository. */
  async #filesAt(node, code) {
    if (node.type !== "scalar" || typeof node.value !== "string" || node.text === "") {
      this.#say("config/type", `this must be the path of a file or folder, not ${describe(node)}`, node.at);
      return [];
    }
    if (node.text.includes("${")) {
      this.#say("include/expression", "paths cannot contain expressions: files are found first", node.at);
      return [];
    }
    const folder = node.at.source.folder ?? this.#cwd;
    const wanted = path6.resolve(folder, node.text);
    const home = workTreeOf(folder) ?? this.#cwd;
    const place = isInside(wanted, home) ? await findFile(this.#cwd, wanted) : void 0;
    if (!place || "code" in place || !isInside(place.path, home)) {
      const isThere2 = !place || !("code" in place) || place.code === "file/outside";
      this.#say(
        isThere2 ? "file/outside" : code,
        isThere2 ? `${quoted(node.text)} is outside the repository` : `there is no file or folder ${quoted(node.text)}`,
        node.at,
        "paths are relative to the file that names them"
      );
      this.#read.isIncomplete = true;
      return [];
    }
    const { files, inputs, folders, diagnostics } = await findFiles(this.#cwd, [wanted]);
    const refused = workTreeOf(folder) === void 0 ? [] : await this.#refused(files, node, folder);
    this.#diagnostics.push(...diagnostics, ...refused);
    if (refused.length > 0) {
      this.#read.isIncomplete = true;
      return [];
    }
    const read = this.#read;
    read.inputs = [.../* @__PURE__ */ new Set([...read.inputs, ...inputs])].sort();
    read.folders = [.../* @__PURE__ */ new Set([...read.folders, ...folders])].sort();
    return files;
  }
  /** The problem with reading files that the YAML alone names: git has to track them. */
  async #refused(files, node, folder) {
    const asked = files.map(
      ({ path: file, name }) => ({
        use: "file",
        name,
        origin: { file },
        folder,
        at: positionOf(node.at)
      })
    );
    const verdicts = await this.#allowed.judge(asked, "");
    return asked.flatMap((one, i) => notAllowed(one, verdicts[i]) ?? []);
  }
};
var listOf = (node) => node?.type === "list" ? node.items : node ? [node] : [];

// src/config/read-header.ts
function splitDocuments(documents, kinds, diagnostics) {
  const sections = new Set(childKinds(kinds, void 0).map(({ section }) => section));
  const header = /* @__PURE__ */ new Map();
  const added = new Map(addedKeys.map((key) => [key, []]));
  const written = [];
  for (const { map, isIncluded } of documents) {
    const own = [];
    for (const entry of map.entries) {
      const { key, value } = entry;
      const first = header.get(key.text);
      if (key.text.startsWith("x-") || key.text === "include") continue;
      if (isIncluded && key.text !== "templates" && key.text !== "variables") {
        maskNode(value);
        diagnostics.push(
          problem("include/section", `${quoted(key.text)} is not allowed in an included file`, {
            at: positionOf(key.at),
            hint: "included files can only have `templates`, `variables` and `x-` keys"
          })
        );
      } else if (sections.has(key.text)) own.push(entry);
      else if (added.has(key.text)) added.get(key.text).push(value);
      else if (first)
        diagnostics.push(
          problem("config/header-twice", `duplicate key \`${key.text}\``, {
            at: positionOf(key.at),
            hint: "it can appear only once across all files",
            related: [{ message: "the first one", at: positionOf(first.key.at) }]
          })
        );
      else if (headerKeys.includes(key.text)) header.set(key.text, entry);
      else {
        maskNode(value);
        diagnostics.push(
          isConnectionKey(key.text) ? connectionInYaml(entry) : problem("config/unknown-key", `${quoted(key.text)} is not a section`, {
            at: positionOf(key.at),
            hint: hintFor(key.text, [...headerKeys, ...addedKeys, "include", ...sections])
          })
        );
      }
    }
    if (own.length > 0) written.push(own);
  }
  return { header, added, documents: written, rootSections: [...sections] };
}
function itemsOf(sections, name, diagnostics) {
  return sections.flatMap((node) => {
    if (node.type === "list") return node.items;
    diagnostics.push(
      problem("config/type", `\`${name}\` must be a list, not ${describe(node)}`, {
        at: positionOf(node.at)
      })
    );
    return [];
  });
}
var headerKeys = ["stack", "platform", "stages", "$allow", "owns"];
var addedKeys = ["variables", "secrets", "lookups", "templates", "use", "patches"];
var connection = /^(token|apitoken|accesstoken|auth|baseurl|apiurl|url|endpoint|api)$/;
var isConnectionKey = (key) => connection.test(key.toLowerCase().replace(/[-_]/g, ""));
var connectionInYaml = ({ key, value }) => {
  maskNode(value);
  return problem("config/connection", `${quoted(key.text)} is not allowed in the configuration`, {
    at: positionOf(key.at),
    hint: "the base URL comes from --base-url or TRUEUP_BASE_URL, the token from TRUEUP_TOKEN or --token-file"
  });
};
function readStack(entry, expand, diagnostics, stage) {
  const node = expand(entry.value);
  if (node.type === "expression" && node.parts.length === 0) return void 0;
  if (node.type === "scalar" && node.value !== null && isStackName(node.text))
    return stage === void 0 || namesStage(entry.value) || node.text.includes("@") ? node.text : `${node.text}@${stage}`;
  diagnostics.push(
    problem(
      "config/stack",
      node.type === "scalar" ? "this is not a valid stack name" : `\`stack\` must be a name, not ${describe(node)}`,
      {
        at: positionOf(node.at),
        hint: "use up to 63 letters, digits, dots, hyphens and underscores, starting with a letter or digit"
      }
    )
  );
  return void 0;
}
var namesStage = (node) => node.type === "scalar" && /\$\{\s*stage\s*[|}]/.test(node.text.replaceAll("$${", ""));
function readPlatform(entry, expand, diagnostics) {
  const node = expand(entry.value);
  const say = (code, message, at, hint2) => {
    diagnostics.push(problem(code, message, { at: positionOf(at.at), hint: hint2 }));
  };
  const hint = "platform: { team: slug-or-id }, or { personal: true }";
  if (node.type !== "map") return say("config/type", "`platform` must be a map", node, hint);
  let scope;
  for (const item of node.entries) {
    const { key, value } = item;
    if (value.type === "expression" && value.parts.length === 0) return void 0;
    if (isConnectionKey(key.text)) diagnostics.push(connectionInYaml(item));
    else if (key.text !== "team" && key.text !== "personal")
      say(
        "config/unknown-key",
        `\`platform\` has no ${quoted(key.text)}`,
        key,
        hintFor(key.text, ["team", "personal"])
      );
    else if (scope) return say("config/value", "`team` and `personal` cannot be combined", key, hint);
    else if (value.type === "scalar" && key.text === "personal" && value.value === true)
      scope = { personal: true };
    else if (value.type === "scalar" && key.text === "team" && value.value !== null && value.text !== "")
      scope = { team: value.text };
    else return say("config/value", `\`${key.text}\` cannot have this value`, value, hint);
  }
  if (!scope && node.entries.length === 0) say("config/value", "`platform` names no account", node, hint);
  return scope;
}
function readAllow(entry, expand, diagnostics) {
  const node = expand(entry.value);
  const items = textsOf(node);
  if (!items)
    diagnostics.push(
      problem("config/type", `\`$allow\` must be a list, not ${describe(node)}`, {
        at: positionOf(node.at),
        hint: `$allow: [${permissions.join(", ")}]`
      })
    );
  for (const { name, node: node2 } of items ?? [])
    if (!permissions.some((one) => one === name))
      diagnostics.push(
        problem("config/value", `\`$allow\` has no ${quoted(name)}`, {
          at: positionOf(node2.at),
          hint: hintFor(name, [...permissions])
        })
      );
  return permissions.filter((one) => items?.some(({ name }) => name === one));
}
function stackLine(sources) {
  const names2 = sources.flatMap(
    ({ text }) => [...text.matchAll(/^stack:[ \t]+(["']?)([a-zA-Z0-9][\w.-]{0,62})\1[ \t]*(?:#.*)?\r?$/gm)].map(
      ([, , name]) => name
    )
  );
  return names2.length === 1 ? names2[0] : void 0;
}
function readOwns(value, expand, diagnostics) {
  const node = expand(value);
  const items = textsOf(node);
  if (items) return items.map(({ name }) => name);
  diagnostics.push(
    problem("config/type", `\`owns\` must be a list of addresses, not ${describe(node)}`, {
      at: positionOf(node.at),
      hint: 'owns: ["projects/*/firewall/**"]'
    })
  );
  return [];
}
function outsideOf(fences, resources) {
  const declared = [...resources].filter(({ meta }) => !meta.existing && !meta.forget);
  return fences.flatMap((owns) => {
    if (!owns) return [];
    const isIn = matcherOf(owns);
    return declared.filter(({ address }) => !isIn(address)).map(
      ({ address, at }) => problem("stack/outside", `${address} is outside what this stack may own`, {
        address,
        at,
        hint: `\`owns\` says ${owns.map((glob) => `\`${glob}\``).join(", ") || "nothing"}; declare it in the owning stack, or extend \`owns\``
      })
    );
  });
}

// src/config/values/allowed-variables.ts
;

// src/config/values/data-file.ts
async function readDataFile(asked, { path: path9, isTracked }, texts) {
  const name = asked.shownAs;
  const text = texts?.get(path9);
  const bytes = text === void 0 ? await readBytes({ path: path9, name }) : Buffer.from(text);
  if (Buffer.isBuffer(bytes) && isOwnDocument(bytes))
    return {
      diagnostics: [
        problem("source/file", `${quoted(name)} is a trueup ledger or plan, which is never read`, {
          at: asked.at
        })
      ]
    };
  const source = Buffer.isBuffer(bytes) ? sourceOf(name, bytes) : bytes;
  if (!(source instanceof Source)) return { diagnostics: [{ ...source, at: asked.at }] };
  source.isOutside = isTracked !== true;
  source.isQuoted = false;
  if (/\.csv$/i.test(source.file)) return { source, ...(await Promise.resolve().then(()=>require("./part-70.cjs").part_U42NHR47)).readCsv(source) };
  if (!/\.(json|ya?ml)$/i.test(source.file))
    return {
      diagnostics: [
        problem("data/format", `${quoted(source.file)} is not a data file`, {
          at: asked.at,
          hint: "its name must end in .csv, .json, .yaml or .yml"
        })
      ]
    };
  const { documents, diagnostics } = await parseYaml(source);
  const [value, more] = documents;
  if (source.broken || value && !more)
    return { source, diagnostics, ...value && !source.broken ? { value } : {} };
  return {
    source,
    diagnostics: [
      ...diagnostics,
      problem("data/empty", more ? "a data file can have only one document" : "the data file is empty", {
        at: more ? positionOf(more.at) : source.position(0),
        ...more ? { hint: "remove what follows `---`, or split it into two files" } : {}
      })
    ]
  };
}

// src/config/values/allowed-variables.ts
function variablesOf(stage, diagnostics) {
  const node = entryOf(stage, "variables")?.value;
  if (!node || node.type === "map") return node;
  diagnostics.push(
    problem("config/type", `\`variables\` of a stage must be a map, not ${describe(node)}`, {
      at: positionOf(node.at),
      hint: "variables: { apex: staging.acme.com }"
    })
  );
  return void 0;
}
async function readVarFiles(cwd, files, sources, diagnostics) {
  const read = [];
  for (const file of files) {
    const place = await findFile(cwd, file);
    if ("code" in place) {
      diagnostics.push(place);
      read.push({ path: path7.resolve(cwd, file), documents: void 0 });
      continue;
    }
    const documents = await readDocuments(place, sources, diagnostics, { isOutside: true, isQuoted: false });
    read.push({ path: place.path, documents });
  }
  return read;
}
async function readAllowed(sections, {
  given,
  sources,
  texts,
  writtenStack,
  replaced
}) {
  const wanted = [];
  const files = /* @__PURE__ */ new Map();
  const first = readVariables(sections, {
    ...given,
    mayRead: (asked2) => wanted.push(asked2) < 0,
    dataOf: (file, name) => void files.set(file, name)
  });
  if (wanted.length === 0 && files.size === 0) return { ...first, refused: [], asked: [], dataFiles: [] };
  const asked = [...wanted, ...[...files].map(([file, name]) => askedFor(file, name))];
  const verdicts = await sources.judge(asked, writtenStack);
  const mayRead = new Set(wanted.flatMap(({ name }, at) => verdicts[at].allowed ? [name] : []));
  const refused = asked.flatMap((one, at) => notAllowed(one, verdicts[at]) ?? []);
  const data = /* @__PURE__ */ new Map();
  const wrong2 = [];
  const dataFiles = [];
  for (const [i, file] of [...files.keys()].entries()) {
    const one = asked[wanted.length + i];
    const verdict = verdicts[wanted.length + i];
    if (!verdict.allowed || !("file" in one.origin)) continue;
    const shownAs = await sources.nameOf(one.origin.file, one.folder);
    const { value, source, diagnostics } = await readDataFile({ ...one, shownAs }, verdict, replaced);
    if (source) {
      texts.push(source);
      dataFiles.push({ path: verdict.path, source });
    }
    if (value) data.set(file, value);
    wrong2.push(...diagnostics);
  }
  const second = readVariables(sections, {
    ...given,
    mayRead: ({ name }) => mayRead.has(name),
    dataOf: (file) => data.get(file)
  });
  second.diagnostics.push(...wrong2);
  return { ...second, refused, asked, dataFiles };
}
var askedFor = (file, name) => ({
  use: "variable",
  name,
  origin: { file: file.text },
  folder: file.at.source.folder ?? ".",
  at: positionOf(file.at)
});

// src/config/values/lookups.ts
var example2 = "lookups: { live: { deployment: { project: web, target: production } } }";
function readLookups(sections, options) {
  const all = /* @__PURE__ */ new Map();
  const seen = /* @__PURE__ */ new Set();
  const say = (message, { at }, hint) => void options.diagnostics.push(problem("config/lookup", message, { at: positionOf(at), hint }));
  for (const section of sections) {
    if (section.type !== "map") {
      say(`\`lookups\` must be a map of names, not ${describe(section)}`, section, example2);
      continue;
    }
    for (const { key, value } of section.entries) {
      if (seen.has(key.text))
        say(`the lookup ${quoted(key.text)} is declared twice`, key, "keep one of the two");
      else if (!/^[\w-]+$/.test(key.text)) say(`${quoted(key.text)} is not a valid lookup name`, key);
      else {
        const read = readOne(options.expand(value), options, say);
        if (read) all.set(key.text, read);
      }
      seen.add(key.text);
    }
  }
  return {
    all,
    has: (name) => seen.has(name),
    names: () => [...seen],
    fields: (name) => {
      const declared = all.get(name);
      return declared && openFieldsOf(options.lookups.get(declared.lookup));
    },
    isMoving: (name) => options.lookups.get(all.get(name)?.lookup ?? "")?.moves !== void 0
  };
}
var openFieldsOf = ({ output }) => Object.entries(output).flatMap(([name, schema]) => traitsOf(schema).secret ? [] : [name]);
function readOne(node, { lookups, kinds }, say) {
  if (isPoisoned(node)) return void 0;
  const [entry, more] = node.type === "map" ? node.entries : [];
  if (!entry || more)
    return void say("a lookup must be a map with one lookup and its filters", node, example2);
  const { key, value } = entry;
  const lookup = lookups.get(key.text);
  if (!lookup)
    return void say(
      `there is no lookup ${quoted(key.text)}`,
      key,
      kinds.has(key.text) ? `it is a kind: declare the ${key.text} with \`$existing: true\` and refer to its fields` : hintFor(key.text, [...lookups.keys()]) ?? "`trueup get --list` lists all"
    );
  if (value.type !== "map" && !(value.type === "scalar" && value.value === null))
    return void say(`\`${key.text}\` must be a map, not ${describe(value)}`, value, example2);
  const where = (value.type === "map" ? value.entries : []).map((one) => wordOf(lookup, one, say));
  if (where.includes(void 0)) return void 0;
  return { lookup: key.text, where, at: positionOf(key.at) };
}
function wordOf(lookup, { key, value }, say) {
  const { name, on, input } = lookup;
  const known3 = [...on === void 0 ? [] : [on], ...Object.keys(input), ...openFieldsOf(lookup)];
  if (!known3.includes(key.text))
    return void say(`\`${name}\` has no ${quoted(key.text)}`, key, hintFor(key.text, known3, "it has"));
  if (isPoisoned(value)) return void 0;
  if (value.type === "scalar" && value.value !== null) return [key.text, value.text];
  return void say(`${quoted(key.text)} must be text, a number, true or false, not ${describe(value)}`, value);
}

// src/config/values/secret-source.ts
;
var ways = ["env", "file", "command", "dotenv", "json", "sops"];
var keyed = ["dotenv", "json", "sops"];
function sourceOf2({ name, value, key }, { scope, cwd }, diagnostics) {
  if (value.type !== "map")
    return "a secret must be `{}`, or have one source: `{ env }`, `{ file }`, `{ command }`, `{ dotenv }`, `{ json }` or `{ sops }`";
  const { at } = name;
  const expand = expander(
    key === void 0 ? scope : { ...scope, key: { type: "scalar", at, text: key, value: key } },
    diagnostics
  );
  const unknown = value.entries.find(
    (entry2) => !ways.includes(entry2.key.text) && entry2.key.text !== "format"
  );
  if (unknown)
    return problem("config/unknown-key", `a secret has no ${quoted(unknown.key.text)}`, {
      at: positionOf(unknown.key.at),
      hint: hintFor(unknown.key.text, [...ways, "format"])
    });
  const format = formatOf(value);
  if (format) return formattedSource(value, format, expand);
  const [entry, another] = value.entries;
  if (!entry) return { origin: { env: secretEnv(key === void 0 ? name.text : `${name.text}_${key}`) } };
  if (another) return "a secret can have only one source";
  const way = entry.key.text;
  if (!keyed.includes(way)) {
    const origin2 = originOf(way, entry.value, expand);
    return typeof origin2 === "string" || "code" in origin2 ? origin2 : { origin: origin2 };
  }
  if (way === "sops") {
    const file = textOf3(expand(entry.value));
    if (file === void 0) return "`sops` must be the path of a file";
    const place = path8.relative(cwd, path8.resolve(name.at.source.folder ?? cwd, file)) || file;
    return {
      origin: { command: ["sops", "--decrypt", "--output-type", "json", place] },
      format: "json"
    };
  }
  const inner = entry.value.type === "map" ? entry.value : void 0;
  const [source, more] = inner?.entries ?? [];
  if (inner && !source) return { origin: { env: secretEnv(name.text) }, format: way };
  if (source && (more || !["env", "file", "command"].includes(source.key.text)))
    return `\`${way}\` must be the path of a file, or \`{}\`, \`{ env }\`, \`{ file }\` or \`{ command }\``;
  const origin = source ? originOf(source.key.text, source.value, expand) : originOf("file", entry.value, expand);
  if (typeof origin === "string" || "code" in origin) return origin;
  return { origin, format: way };
}
function formattedSource(value, format, expand) {
  const text = format.type === "scalar" ? format.text : "";
  if (text !== "json" && text !== "dotenv")
    return problem("secret/source", "this `format` does not support several secrets", {
      at: positionOf(format.at),
      hint: "use `json` or `dotenv`"
    });
  const [source, another] = value.entries.filter(({ key }) => key.text !== "format");
  if (!source || another || !["env", "file", "command"].includes(source.key.text))
    return "use `format` with one of `env`, `file` and `command`";
  const origin = originOf(source.key.text, source.value, expand);
  return typeof origin === "string" || "code" in origin ? origin : { origin, format: text };
}
var formatOf = (value) => value.type === "map" ? entryOf(value, "format")?.value : void 0;
function isFamilyOf(value) {
  if (formatOf(value)) return true;
  const [entry] = value.type === "map" ? value.entries : [];
  return entry !== void 0 && (keyed.includes(entry.key.text) || namesKey(entry.value));
}
var isOwnOf = (value) => value.type === "map" && value.entries.length === 0;
var namesKey = (node) => node.type === "list" ? node.items.some(namesKey) : node.type === "scalar" && parseExpressions(node.text).some(
  (part) => typeof part === "object" && "steps" in part && part.steps[0].name === "key"
);
function originOf(way, value, expand) {
  const texts = (value.type === "list" ? value.items : [value]).map((item) => textOf3(expand(item)));
  if (texts.length === 0 || !texts.every((text) => text !== void 0)) return `\`${way}\` must be text`;
  if (way === "command")
    return value.type === "list" ? { command: texts } : problem("secret/command", "`command` must be a list: the program and its arguments", {
      at: positionOf(value.at),
      hint: 'command: [op, read, "op://vault/item"]; no shell is involved'
    });
  if (value.type === "list") return `\`${way}\` must be one name`;
  if (way === "file") return { file: texts[0] };
  const why = isOutOfReach(texts[0], "secret");
  return why === void 0 ? { env: texts[0] } : refusedEnv(value, why);
}
var textOf3 = (node) => node.type === "scalar" && node.value !== null && node.text !== "" ? node.text : void 0;
var secretEnvs = (sections) => new Set(
  sections.flatMap((section) => section.type === "map" ? section.entries : []).flatMap(({ value }) => {
    const json = value.type === "map" ? entryOf(value, "json")?.value : void 0;
    return [value, json].flatMap((one) => {
      const env = one?.type === "map" ? entryOf(one, "env")?.value : void 0;
      return env?.type === "scalar" ? [env.text.trim().toUpperCase()] : [];
    });
  })
);
function shownSecrets(variables, secrets) {
  const envs = new Set(
    [...secrets.values()].flatMap((one) => "env" in one ? [one.env.trim().toUpperCase()] : [])
  );
  return variables.flatMap(
    ({ origin, at }) => "env" in origin && envs.has(origin.env.trim().toUpperCase()) ? [shownSecret(origin.env, at)] : []
  );
}

// src/config/values/secrets.ts
var readSecrets = (sections, options) => new Secrets(sections, options);
var Secrets = class {
  diagnostics = [];
  /** By the names under which resources use them; a member of a family is `db[at]`. */
  sources = /* @__PURE__ */ new Map();
  #declared = /* @__PURE__ */ new Map();
  #own = /* @__PURE__ */ new Map();
  /** For each family the key that each origin belongs to. */
  #origins = /* @__PURE__ */ new Map();
  #options;
  constructor(sections, options) {
    this.#options = options;
    for (const section of sections)
      if (section.type === "map") for (const { key, value } of section.entries) this.#declare(key, value);
      else {
        maskNode(section);
        this.diagnostics.push(
          problem("config/type", "`secrets` must be a map of names", {
            at: positionOf(section.at),
            hint: "secrets: { database: {} }"
          })
        );
      }
  }
  has(name) {
    return this.#declared.has(name);
  }
  names() {
    return [...this.#declared.keys()];
  }
  /** The section with what is known now put in, but for the keys of families. */
  rendered() {
    const expand = expander(this.#options.scope, []);
    const put2 = (node) => {
      if (node.type === "list") return { ...node, items: node.items.map(put2) };
      if (node.type === "map")
        return { ...node, entries: node.entries.map(({ key, value }) => ({ key, value: put2(value) })) };
      return node.type === "scalar" && namesKey(node) ? withKey(node, expand) : expand(node);
    };
    const entries = [...this.#declared.values()].map(({ key, value }) => ({ key, value: put2(value) }));
    return { type: "map", at: nowhere, entries };
  }
  #sourceOf(name, value, key) {
    return sourceOf2({ name, value, key }, this.#options, this.diagnostics);
  }
  #declare(key, value) {
    const first = this.#declared.get(key.text);
    if (first) return void this.diagnostics.push(declaredTwice("secret", key, first.key));
    const isOwn = value.type === "map" && value.entries.length === 0;
    const twin = isOwn ? this.#own.get(secretEnv(key.text)) : void 0;
    if (isOwn) this.#own.set(secretEnv(key.text), twin ?? key);
    const isFamily = isFamilyOf(value);
    const found = this.#sourceOf(key, value, isFamily ? "key" : void 0);
    const isWrong = typeof found === "string" || "code" in found || twin !== void 0;
    this.#declared.set(key.text, { key, value, isWrong });
    if (typeof found === "string" || "code" in found) maskNode(value);
    if (typeof found === "string")
      this.diagnostics.push(
        problem("secret/source", found, {
          at: positionOf(key.at),
          hint: `${key.text}: {} is read from ${secretEnv(key.text)}`
        })
      );
    else if ("code" in found) this.diagnostics.push(found);
    else if (twin) this.diagnostics.push(sameEnv(secretEnv(key.text), key, twin));
    else if (!isFamily) this.sources.set(key.text, placed(key, found));
  }
  /** The problem with using a secret without a key; undefined where there is none. */
  needsKey(name) {
    const declared = this.#declared.get(name);
    if (declared.isWrong || !isFamilyOf(declared.value)) return void 0;
    return {
      code: "secret/family",
      message: `the secret ${quoted(name)} has several keys, but none is named`,
      hint: `\${secret.${name}[key]}, or \${secret.${name}["key"]}`
    };
  }
  member(name, key) {
    const declared = this.#declared.get(name);
    const member = `${name}[${key}]`;
    if (declared.isWrong || this.sources.has(member)) return member;
    if (!/^[A-Za-z0-9._-]+$/.test(key))
      return {
        code: "secret/key",
        message: `${quoted(key)} is not a valid secret key`,
        hint: "use letters, digits, `.`, `_` and `-`"
      };
    if (!isFamilyOf(declared.value) && !isOwnOf(declared.value))
      return {
        code: "secret/key",
        message: `the secret ${quoted(name)} has no keys`,
        hint: 'name them in the source with `${key}`: `env: "DB_${key | upper}"`'
      };
    const found = this.#sourceOf(declared.key, declared.value, key);
    if (typeof found === "string" || "code" in found) return member;
    const origin = `${originText(found.origin)} ${found.format ? key : ""}`;
    const origins = this.#origins.get(name) ?? /* @__PURE__ */ new Map();
    this.#origins.set(name, origins);
    const other = origins.get(origin);
    if (other !== void 0)
      return {
        code: "secret/same-source",
        message: `the keys ${quoted(other)} and ${quoted(key)} of the secret ${quoted(name)} resolve to the same source, ${originText(found.origin)}`,
        hint: "otherwise both keys would silently get the same value"
      };
    origins.set(origin, key);
    const pick = found.format ? { pick: { format: found.format, key } } : {};
    this.sources.set(member, { ...placed(declared.key, found), ...pick });
    return member;
  }
};
function withKey(node, expand) {
  const parts = parseExpressions(node.text).map((part) => {
    if (typeof part === "string" || "error" in part) return typeof part === "string" ? part : "";
    const written = [...part.steps, ...part.filters ?? []].map(({ name }) => name);
    if (written[0] === "key")
      return { type: "ref", at: node.at, steps: [{ name: written.join(" | "), start: 0 }] };
    const text = `\${${part.steps.map(({ name }) => name).join(".")}}`;
    const value = expand({ ...node, text, value: text });
    return value.type === "scalar" ? value.text : "";
  });
  return { type: "expression", at: node.at, parts };
}
var placed = ({ at }, { origin }) => ({
  at: positionOf(at),
  folder: at.source.folder ?? ".",
  ...origin
});

// src/config/load.ts
var maxValues = 2e6;
async function load(options) {
  const { kinds, cwd, vars = {}, varFiles = [], env, sources: mayRead = openSources({ env, cwd }) } = options;
  const diagnostics = [];
  const sources = [];
  const read = await readFiles(options, mayRead, sources, diagnostics);
  const { files, stage } = read;
  const configured = [...sources];
  const given = await readVarFiles(cwd, varFiles, sources, diagnostics);
  const isIncomplete = read.isIncomplete || given.some(({ documents: documents2 }) => documents2 === void 0);
  const { header, added, documents, rootSections } = splitDocuments(read.documents, kinds, diagnostics);
  const stackNode = header.get("stack")?.value;
  const writtenStack = stackNode?.type === "scalar" ? stackNode.text : "";
  const { refused, asked, dataFiles, ...variables } = await readAllowed(added.get("variables"), {
    given: {
      vars,
      files: given.flatMap(({ documents: documents2 }) => documents2 ?? []),
      env,
      secretEnvs: secretEnvs(added.get("secrets")),
      ...stage ? { stage: { name: stage.name, variables: variablesOf(stage.entry, diagnostics) } } : {}
    },
    sources: mayRead,
    texts: sources,
    writtenStack,
    replaced: options.texts
  });
  const isCertain = ({ code }) => !isIncomplete || code !== "var/undeclared";
  const globals = {
    variables: variables.variables,
    sections: rootSections,
    kinds: new Set(kinds.keys()),
    incomplete: isIncomplete,
    ...stage ? { stage: stage.name } : {}
  };
  const secrets = readSecrets(added.get("secrets"), { scope: globals, cwd });
  const lookups = await lookupsIn(added.get("lookups"), globals, options, diagnostics);
  const named = readNamed(header, expander(globals, diagnostics), diagnostics, stage);
  if (!header.has("stack") && !isIncomplete) diagnostics.push(nameless(files[0]));
  const sections = laidOut(
    {
      documents,
      templates: readTemplates(added.get("templates"), kinds, diagnostics),
      use: itemsOf(added.get("use"), "use", diagnostics),
      patches: itemsOf(added.get("patches"), "patches", diagnostics)
    },
    { kinds, globals: { ...globals, secrets, lookups }, diagnostics }
  );
  const collected = collectBlocks(kinds, sections, diagnostics);
  const readAll = readBlocks(kinds, collected, await known2(isIncomplete, collected, options));
  const resources = assemble(readAll, kinds, diagnostics);
  const all = [
    diagnostics,
    variables.diagnostics.filter(isCertain),
    secrets.diagnostics,
    shownSecrets(variables.origins, secrets.sources),
    ...readAll.map((block) => block.diagnostics),
    isIncomplete ? [] : danglingNames(readAll, collected.uncertain, kinds),
    findCycles(readAll, resources),
    outsideOf([named.owns, options.owns], resources.values())
  ].flat();
  const pictures = await readPictures(resources, { kinds, files, sources: mayRead, stack: writtenStack });
  for (const source of sources) source.quote();
  const { stack = "", platform, ...limits } = named;
  return {
    desired: {
      stack,
      ...limits,
      lookups: lookups.all,
      resources,
      fieldAt: fieldPlaces(readAll),
      ...pictures.read,
      ...inputsOf(read)
    },
    files: files.map(({ path: path9 }) => path9),
    behind: filesBehind([...files, ...given], [...asked, ...pictures.asked], secrets.sources, cwd),
    stages: read.stages,
    ...stackNode ? {} : seeming(configured),
    ...platform ? { platform } : {},
    secrets: secrets.sources,
    usedSecrets: new Set(usesOf(resources.values()).keys()),
    ...fromOutside(variables),
    writtenStack,
    rendered: () => renderedOf(kinds, sections, secrets, lookups),
    // As a function it is in no dump of a configuration: it has the text as it stands there, secrets too.
    written: () => writtenDown(read, sources, dataFiles, readAll),
    notAllowed: [...refused, ...pictures.refused],
    diagnostics: sortDiagnostics(oncePerPlace(unlessUnstaged(all)))
  };
}
var known2 = async (isIncomplete, { blocks }, { dayTwo }) => ({
  isIncomplete,
  actions: blocks.some(({ meta }) => meta.some(({ key }) => key.text === "$then")) ? (await dayTwo?.())?.actions : void 0
});
var renderedOf = (kinds, sections, secrets, lookups) => ({
  sections,
  secrets: secrets.rendered(),
  lookups: lookups.all,
  childrenOf: ({ name }) => childKinds(kinds, name)
});
var lookupsIn = async (sections, globals, { dayTwo, kinds }, diagnostics) => readLookups(sections, {
  lookups: (sections.length > 0 ? (await dayTwo?.())?.lookups : void 0) ?? /* @__PURE__ */ new Map(),
  expand: expander(globals, diagnostics),
  diagnostics,
  kinds
});
var fromOutside = ({ variables, origins }) => ({
  missingVariables: variables.names().filter((name) => variables.get(name)?.type === "missing"),
  variableOrigins: new Map(origins.map(({ name, origin }) => [name, originText(origin)]))
});
var inputsOf = ({ inputs, folders }) => ({ inputs, folders });
function seeming(sources) {
  const seemingStack = stackLine(sources);
  return seemingStack === void 0 ? {} : { seemingStack };
}
function laidOut(written, context) {
  const { kinds, diagnostics } = context;
  const sections = lay(written, context);
  if (!isTooLarge(sections.map(({ section }) => section))) return spreadNames(sections, kinds, diagnostics);
  diagnostics.push(tooLarge);
  return [];
}
function readNamed(header, expand, diagnostics, stage) {
  const stack = header.get("stack");
  const platform = (stage && entryOf(stage.entry, "platform")) ?? header.get("platform");
  const allow = header.get("$allow");
  const owns = header.get("owns");
  return {
    stack: stack && readStack(stack, expand, diagnostics, stage?.name),
    platform: platform && readPlatform(platform, expand, diagnostics),
    ...allow ? { allow: readAllow(allow, expand, diagnostics) } : {},
    ...owns ? { owns: readOwns(owns.value, expand, diagnostics) } : {}
  };
}
function unlessUnstaged(diagnostics) {
  const unstaged = diagnostics.filter(({ code }) => code === "stage/choose" || code === "stage/unknown");
  return unstaged.length > 0 ? unstaged : diagnostics;
}
var tooLarge = problem("config/too-large", `the configuration expands to more than ${maxValues} values`);
var nameless = (first) => problem("config/stack", "the stack has no name", {
  at: first ? { file: first.name, line: 1, column: 1 } : void 0,
  hint: "stack: name"
});
function isTooLarge(nodes) {
  const sizes = /* @__PURE__ */ new Map();
  return nodes.reduce((sum, node) => sum + sizeOf(node, sizes), 0) > maxValues;
}

return{keyNames:keyNames,nullIsValue:nullIsValue,standsForOptional:standsForOptional,parseExpressions:parseExpressions,emptyLedger:emptyLedger,isStackName:isStackName,isMeant:isMeant,ageText:ageText,usesOf:usesOf,layerKeys:layerKeys,mapBlocks:mapBlocks,mapSections:mapSections,inputTypes:inputTypes,readTemplates:readTemplates,readFiles:readFiles,splitDocuments:splitDocuments,readAllowances:readAllowances,openSources:openSources,openFieldsOf:openFieldsOf,load:load};})();exports.part_EABJC5VV=part_EABJC5VV;
const part_TEBTU3WD=(()=>{const {
  home
}=require("./part-92.cjs").part_2JBIBOC6;const {
  load,
  openSources,
  readAllowances
}=part_EABJC5VV;const {
  kindsOf
}=require("./part-90.cjs").part_TFHCOW53;const {
  isOfOneStack,
  isStoreUrl,
  readIndexUrl,
  readStoreUrl
}=require("./part-92.cjs").part_KCCUIXOW;const {
  originText
}=require("./part-97.cjs").part_BQI24POO;const {
  require_lib
}=require("./part-92.cjs").part_BFXFO44Z;const {
  findFile,
  isInside,
  maxBytes,
  readDocuments,
  readRegularFile
}=require("./part-97.cjs").part_UADL7KU7;const {
  require_picomatch
}=require("./part-63.cjs").part_QPVMELDP;const {
  filesAt
}=require("./part-72.cjs").part_VZPGGW2W;const {
  describe,
  entryOf
}=require("./part-84.cjs").part_XK3EKDRU;const {
  positionOf
}=require("./part-84.cjs").part_CV56RMV4;const {
  hintFor,
  quoted,
  sortDiagnostics
}=require("./part-84.cjs").part_IUECLPFZ;const {
  GitError,
  trackingBy,
  workTreeOf
}=require("./part-83.cjs").part_LFMTYGTI;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  Problems,
  hasErrors,
  problem,
  warning
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;const { hash }=require("node:crypto");const { mkdir, realpath }=require("node:fs/promises");const path=require("node:path");const { readdir, stat }=require("node:fs/promises");const path2=require("node:path");;
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

// src/cli/ledger-choice.ts
var chosen = ({ ledger, twin }, { env }) => ledger ?? (twin ? void 0 : env.TRUEUP_LEDGER || void 0);
function remoteOf(place, host) {
  const git = /^git(?::(.*))?$/s.exec(chosen(place, host) ?? "");
  return git ? git[1] ?? "origin" : void 0;
}
function storeOf(place, host) {
  const choice = chosen(place, host);
  return choice !== void 0 && isStoreUrl(choice) ? readStoreUrl(choice, place.ledger !== void 0) : void 0;
}
function indexOf(place, { env }) {
  const choice = place.ledgerIndex ?? (env.TRUEUP_LEDGER_INDEX || void 0);
  return choice === void 0 ? void 0 : readIndexUrl(choice, place.ledgerIndex !== void 0);
}
function isForOne(place, host) {
  const store = storeOf(place, host);
  return store ? isOfOneStack(store) : chosenLedger(place, host) !== void 0;
}
function unlisted(place, host) {
  if (place.twin || storeOf(place, host)?.sort !== "http" || indexOf(place, host)) return void 0;
  return warning(
    "ledger/unlisted",
    "this store cannot list its ledgers: ownership by other stacks is unknown and not enforced",
    {
      hint: "pass a document that lists them, the same one for all stacks: `--ledger-index URL` or TRUEUP_LEDGER_INDEX"
    }
  );
}
var isFile = (place, host) => remoteOf(place, host) === void 0 && !isStoreUrl(chosen(place, host) ?? "");
var chosenLedger = (place, host) => isFile(place, host) ? chosen(place, host) : void 0;
var usesHome = (place, host) => isFile(place, host) ? place.ledger === void 0 : remoteOf(place, host) === void 0;
function ephemeral(place, host) {
  if (!host.env.CI || place.twin || chosen(place, host) !== void 0) return void 0;
  return problem("ledger/ephemeral", "the ledger is a file on the CI machine and is lost after this run", {
    hint: "keep it in the repository with `--ledger git` (or TRUEUP_LEDGER=git), or name a file that persists"
  });
}
function refuseEphemeral(options, host) {
  const unkept = options.ephemeralLedger ? void 0 : ephemeral(options, host);
  if (unkept) throw new Problems([{ ...unkept, hint: `${unkept.hint}; --ephemeral-ledger applies anyway` }]);
}

// src/config/sources/memory.ts
var import_write_file_atomic = __toESM(require_lib(), 1);
;
;
;
var maxBytes2 = 4 * 1024 * 1024;
function memoryIn(env) {
  const folder = stateFolder(env);
  const fileOf = async (repository) => {
    if (folder === void 0) return void 0;
    const real = await realFolder(folder);
    if (isInside(real, repository)) return void 0;
    return path.join(real, `${hash("sha256", repository).slice(0, 24)}.json`);
  };
  return {
    async allowed(repository, stack) {
      const file = await fileOf(repository);
      const kept = file === void 0 ? void 0 : await read(file, repository);
      return new Set(kept && Object.hasOwn(kept.stacks, stack) ? kept.stacks[stack] : []);
    },
    async remember(repository, stack, sources) {
      const file = await fileOf(repository);
      if (file === void 0) return void 0;
      const kept = await read(file, repository) ?? { repository, stacks: {} };
      const before = Object.hasOwn(kept.stacks, stack) ? kept.stacks[stack] : [];
      const stacks = new Map(Object.entries(kept.stacks)).set(
        stack,
        [.../* @__PURE__ */ new Set([...before, ...sources])].sort()
      );
      await mkdir(path.dirname(file), { recursive: true, mode: 448 });
      const next = { repository, stacks: Object.fromEntries(stacks) };
      await (0, import_write_file_atomic.default)(file, `${JSON.stringify(next, null, 2)}
`, { mode: 384 });
      return file;
    }
  };
}
function stateFolder(env) {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local, HOME: home2 } = env;
  const base = xdg && path.isAbsolute(xdg) ? xdg : path.sep === "\\" ? local : home2 && path.isAbsolute(home2) && path.join(home2, ".local", "state");
  return base ? path.join(base, "trueup", "sources") : void 0;
}
async function realFolder(folder) {
  const parent = path.dirname(folder);
  return realpath(folder).catch(
    async () => parent === folder ? folder : path.join(await realFolder(parent), path.basename(folder))
  );
}
async function read(file, repository) {
  try {
    const bytes = await readRegularFile(file, maxBytes2);
    const kept = JSON.parse(bytes.toString());
    const isWhole = kept.repository === repository && Object.values(kept.stacks).every(
      (sources) => Array.isArray(sources) && sources.every((one) => typeof one === "string")
    );
    return isWhole ? kept : void 0;
  } catch {
    return void 0;
  }
}

// src/config/workspace.ts
var import_picomatch = __toESM(require_picomatch(), 1);
;
;
var workspaceFile = "trueup.workspace.yaml";
async function workspaceFolder(cwd) {
  const top = workTreeOf(cwd) ?? cwd;
  for (let folder = cwd; ; folder = path2.dirname(folder)) {
    if (await isFile2(path2.join(folder, workspaceFile))) return folder;
    if (folder === top || folder === path2.dirname(folder)) return void 0;
  }
}
async function readWorkspace(cwd, given) {
  const folder = given === void 0 ? await workspaceFolder(cwd) : path2.resolve(cwd, given);
  if (folder === void 0 || !await isFile2(path2.join(folder, workspaceFile)))
    throw new Problems([
      problem(
        "workspace/none",
        given === void 0 ? `there is no ${workspaceFile} here or in a parent folder of this repository` : `there is no ${workspaceFile} in ${given}`,
        { hint: "create one that lists the stacks: `stacks: [dns, { path: shop, needs: [dns] }]`" }
      )
    ]);
  const diagnostics = [];
  const sources = [];
  const file = await findFile(cwd, path2.join(folder, workspaceFile));
  const maps = "code" in file ? void 0 : await readDocuments(file, sources, diagnostics);
  if ("code" in file) diagnostics.push(file);
  const written = writtenEntries(maps ?? [], diagnostics);
  const entries = await placed(written, folder, diagnostics);
  if (maps && entries.length === 0 && !hasErrors(diagnostics))
    diagnostics.push(
      problem("workspace/empty", `${workspaceFile} lists no stacks`, { hint: "stacks: [dns, shop]" })
    );
  checkNeeds(entries, diagnostics);
  for (const source of sources) source.quote();
  if (hasErrors(diagnostics)) throw new Problems(sortDiagnostics(diagnostics));
  return { folder, entries };
}
async function ownedBy(cwd, paths) {
  if (await workspaceFolder(cwd) === void 0) return void 0;
  const given = paths ?? [await defaultIn(cwd, "") ?? ""];
  const { folder, entries } = await readWorkspace(cwd);
  const files = given.map((one) => path2.resolve(cwd, one));
  return entries.find(
    ({ file, path: at }) => [file, at].some((one) => files.includes(path2.resolve(folder, one)))
  )?.owns;
}
function writtenEntries(maps, diagnostics) {
  const say = (code, message, node, hint2) => void diagnostics.push(problem(code, message, { at: positionOf(node.at), hint: hint2 }));
  const texts = (node, name) => {
    const items = node?.type === "list" ? node.items : node ? [node] : [];
    return items.flatMap((item) => {
      if (item.type === "scalar" && item.value !== null && item.text !== "") return [item.text];
      say("config/type", `\`${name}\` must be a list of names, not ${describe(item)}`, item);
      return [];
    });
  };
  const entry = (item) => {
    if (item.type === "scalar" && typeof item.value === "string" && item.text !== "")
      return [{ path: normal(item.text), needs: [], node: item }];
    if (item.type !== "map") {
      say("config/type", `a stack must be a path, or a map with \`path\`, not ${describe(item)}`, item, hint);
      return [];
    }
    for (const { key } of item.entries)
      if (!members.includes(key.text))
        say("config/unknown-key", `a stack has no ${quoted(key.text)}`, key, hintFor(key.text, members));
    const node = entryOf(item, "path")?.value;
    if (node?.type !== "scalar" || typeof node.value !== "string" || node.text === "") {
      say("workspace/path", "this stack has no `path`", node ?? item, hint);
      return [];
    }
    const stages = entryOf(item, "stages")?.value;
    const needs = texts(entryOf(item, "needs")?.value, "needs").map(normal);
    const owns = entryOf(item, "owns")?.value;
    return [
      {
        path: normal(node.text),
        node,
        needs,
        ...stages ? { stages: [...new Set(texts(stages, "stages"))] } : {},
        ...owns ? { owns: texts(owns, "owns") } : {}
      }
    ];
  };
  return maps.flatMap((map) => {
    for (const { key } of map.entries)
      if (key.text !== "stacks" && !key.text.startsWith("x-"))
        say("config/unknown-key", `a workspace has no ${quoted(key.text)}`, key, "it has `stacks`");
    const stacks = entryOf(map, "stacks")?.value;
    if (!stacks) return [];
    if (stacks.type === "list") return stacks.items.flatMap(entry);
    say("config/type", `\`stacks\` must be a list, not ${describe(stacks)}`, stacks, hint);
    return [];
  });
}
var members = ["path", "stages", "needs", "owns"];
var hint = "stacks: [dns, { path: shop, stages: [staging, production], needs: [dns] }, stacks/*]";
var normal = (name) => path2.posix.normalize(name).replace(/(.)\/$/, "$1");
var isGlob = (name) => /[*?[\]{}!()]/.test(name);
var covers = (written, name) => written === name || isGlob(written) && (0, import_picomatch.default)(written)(name);
async function placed(written, folder, diagnostics) {
  const found = /* @__PURE__ */ new Map();
  const say = (code, message, { node }, more = {}) => void diagnostics.push(problem(code, message, { at: positionOf(node.at), ...more }));
  const exact = new Set(written.filter(({ path: path3 }) => !isGlob(path3)).map(({ path: path3 }) => path3));
  for (const one of written) {
    const { node, path: name, ...rest } = one;
    if (path2.isAbsolute(name) || name.split("/").includes("..")) {
      say("workspace/outside", `${quoted(one.path)} is outside the workspace`, one, {
        hint: `paths are relative to the folder of ${workspaceFile} and must stay in it`
      });
      continue;
    }
    const paths = isGlob(name) ? (await matches(folder, name)).filter((path3) => !exact.has(path3)) : [name];
    if (paths.length === 0)
      say("workspace/no-match", `${quoted(one.path)} matches no folder with a configuration in it`, one, {
        hint: "a stack's folder contains trueup.yaml or trueup/"
      });
    for (const path3 of paths) {
      const file = await configurationAt(folder, path3);
      const first = found.get(path3);
      if (file === void 0)
        say("workspace/missing", `there is no file or folder ${quoted(path3)}`, one, {
          hint: `paths are relative to the folder of ${workspaceFile}`
        });
      else if (first)
        say("workspace/twice", `the stack ${quoted(path3)} is listed twice`, one, {
          related: [{ message: "the first time", at: first.at }]
        });
      else found.set(path3, { ...rest, path: path3, file, at: positionOf(node.at) });
    }
  }
  return [...found.values()];
}
var defaults = ["trueup.yaml", "trueup.yml", "trueup"];
async function configurationAt(folder, name) {
  const status = await stat(path2.join(folder, name)).catch(() => void 0);
  if (!status) return void 0;
  if (!status.isDirectory()) return name;
  return await defaultIn(folder, name) ?? name;
}
async function defaultIn(folder, name) {
  for (const one of defaults) {
    const status = await stat(path2.join(folder, name, one)).catch(() => void 0);
    if (status && status.isDirectory() === (one === "trueup")) return path2.posix.join(name, one);
  }
  return void 0;
}
async function configurationsBelow(top) {
  const below = await matches(top, "**");
  const all = await defaultIn(top, "") === void 0 ? below : [".", ...below];
  return all.filter((name) => path2.basename(name) !== "trueup" || !all.includes(path2.dirname(name)));
}
async function matches(folder, glob) {
  const isMatch = (0, import_picomatch.default)(glob);
  const depth = glob.includes("**") ? Number.POSITIVE_INFINITY : glob.split("/").length;
  const found = [];
  const walk = async (at, level) => {
    const entries = await readdir(path2.join(folder, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith(".") || entry.name === "node_modules" || entry.name === workspaceFile)
        continue;
      const name = path2.posix.join(at, entry.name);
      if (entry.isDirectory()) {
        if (isMatch(name) && await defaultIn(folder, name) !== void 0) found.push(name);
        if (level < depth) await walk(name, level + 1);
      } else if (/\.ya?ml$/.test(glob) && isMatch(name)) found.push(name);
    }
  };
  await walk("", 1);
  return found.sort();
}
function checkNeeds(entries, diagnostics) {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const { needs, at } of entries)
    for (const need of needs)
      if (!byPath.has(need))
        diagnostics.push(
          problem("workspace/needs", `${quoted(need)} in \`needs\` is not a stack of this workspace`, {
            at,
            hint: hintFor(need, [...byPath.keys()], "the stacks are")
          })
        );
  const done = /* @__PURE__ */ new Set();
  const visit = (name, trail) => {
    if (trail.includes(name)) {
      const circle = [...trail.slice(trail.indexOf(name)), name];
      diagnostics.push(
        problem("workspace/circle", `stacks depend on each other: ${circle.map(quoted).join(" needs ")}`, {
          at: byPath.get(name).at,
          hint: "one of them must come first: remove one `needs`"
        })
      );
    }
    if (done.has(name) || trail.includes(name)) return;
    for (const need of byPath.get(name)?.needs ?? []) visit(need, [...trail, name]);
    done.add(name);
  };
  for (const { path: path3 } of entries) visit(path3, []);
}
var isFile2 = (file) => stat(file).then(
  (status) => status.isFile(),
  () => false
);

// src/cli/load-configuration.ts
var loadConfiguration = async (provider, options, run, loading) => usable(await loadNow(provider, options, run, loading), loading);
async function loadStages(provider, options, run, loading) {
  const first = await loadNow(provider, options, run, loading);
  if (options.stage !== void 0 || first.stages.length === 0)
    return [{ load: async () => usable(first, loading) }];
  return first.stages.map((stage) => ({
    stage,
    load: () => loadConfiguration(provider, { ...options, stage }, run, loading)
  }));
}
async function loadNow(provider, options, run, { sources }) {
  const { engine } = run.host;
  engine.starting();
  const owns = await ownedBy(run.host.cwd, options.file);
  const configuration = await load({ ...loadOptions(provider, options, run), sources, owns });
  engine.started();
  run.stack = configuration.desired.stack || configuration.seemingStack;
  return configuration;
}
function usable(configuration, { isLook = false }) {
  const { diagnostics, notAllowed } = configuration;
  if (hasErrors(diagnostics) || notAllowed.length > 0 && !isLook)
    throw new Problems(isLook ? diagnostics : [...diagnostics, ...notAllowed]);
  return configuration;
}
var stagesOf = async (provider, options, run) => (await load(loadOptions(provider, options, run))).stages;
async function loadAround(kinds, { stage }, { cwd, env }, sources) {
  const configuration = await load({ kinds, cwd, env, sources, ...stage === void 0 ? {} : { stage } });
  const wrong = configuration.diagnostics.filter(({ code }) => /^stage\/(choose|unknown)$/.test(code));
  if (wrong.length > 0) throw new Problems(wrong);
  return configuration;
}
function loadOptions(provider, { file, var: vars, varFile, stage }, { host }) {
  const { cwd, env, stdin } = host;
  return {
    kinds: kindsOf(provider.kinds),
    dayTwo: () => provider.dayTwo(),
    cwd,
    env,
    readInput: () => inputOf(stdin),
    ...file ? { paths: file } : {},
    ...vars ? { vars } : {},
    ...varFile ? { varFiles: varFile } : {},
    ...stage === void 0 ? {} : { stage }
  };
}
var inputs = /* @__PURE__ */ new WeakMap();
function inputOf(stdin) {
  const input = inputs.get(stdin) ?? readInput(stdin);
  inputs.set(stdin, input);
  return input;
}
async function readInput(stdin) {
  const chunks = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks);
}
var mostAsked = 20;
function sourcesFor(options, host, terminal, tracking = trackingBy(host.env)) {
  const { env, cwd } = host;
  if (options.allowCommands)
    throw new Problems([
      problem(
        "allow/commands",
        "--allow-commands let the YAML run any program; it was replaced by --allow-command",
        {
          hint: "allow each command: --allow-command 'op read op://deploy/*'; a `*` at the end of an argument matches any ending; `trueup validate` prints the flags"
        }
      )
    ]);
  const allowances = readAllowances(options, env.TRUEUP_ALLOW_ENV);
  if (Array.isArray(allowances)) throw new Problems(allowances);
  const own = [home, options.tokenFile, chosenLedger(options, { env }), ...options.plans ?? []];
  return openSources({
    env,
    cwd,
    allowances,
    tracking,
    reserved: own.filter((file) => file !== void 0),
    memory: memoryIn(env),
    ...terminal?.canAsk && !env.CI ? asking(terminal) : {}
  });
}
var asking = (terminal) => ({
  ask: async (wanted) => {
    if (wanted.length > mostAsked) return false;
    const lines = wanted.map(({ asked }) => `  ${lineOf(asked)}`);
    terminal.err(`
The configuration wants to read from new sources:
${lines.join("\n")}`);
    return await terminal.ask("Always allow this on this machine? Type `yes` to continue: ") === "yes";
  },
  onRemembered: (place) => terminal.err(
    place === void 0 ? "There is nowhere outside the repository to remember this, so you will be asked again next time." : `Remembered in ${place}; delete that file to be asked again.`
  )
});
function lineOf({ use, name, origin, at }) {
  const shown = use === "variable" ? ", WHICH IS SHOWN IN PLANS" : "";
  return cleanLine(`${use} ${name}: ${originText(origin)}${shown} (${at.file}:${at.line})`);
}
var filesOfCommit = (ref, host) => filesAt(ref, host.cwd, host.env).catch((error) => {
  if (!(error instanceof GitError)) throw error;
  throw new Problems([
    problem("git/ref", `cannot read the files at ${JSON.stringify(ref)} from git`, {
      hint: "name a commit, branch or tag that exists here; a shallow checkout has only the latest commits: git fetch --unshallow"
    })
  ]);
});
async function configurationAt2(commit, provider, options, run) {
  const { host } = run;
  const files = await filesOfCommit(commit, host);
  try {
    const sources = sourcesFor(options, { env: host.env, cwd: files.cwd }, void 0, files.tracking);
    const found = await load({ ...loadOptions(provider, options, run), cwd: files.cwd, sources });
    const wrong = [...found.diagnostics, ...found.notAllowed];
    if (!hasErrors(wrong)) return found;
    throw new Problems([
      problem(
        "undo/configuration",
        `the configuration at ${commit.slice(0, 12)} cannot be read in its original form`,
        {
          hint: "pass the same --stage, --var, --var-file and --file as that run"
        }
      ),
      ...wrong.filter(({ severity }) => severity === "error")
    ]);
  } finally {
    await files.remove();
  }
}

return{workspaceFile:workspaceFile,workspaceFolder:workspaceFolder,readWorkspace:readWorkspace,writtenEntries:writtenEntries,covers:covers,defaultIn:defaultIn,configurationsBelow:configurationsBelow,chosen:chosen,remoteOf:remoteOf,storeOf:storeOf,indexOf:indexOf,isForOne:isForOne,unlisted:unlisted,isFile:isFile,chosenLedger:chosenLedger,usesHome:usesHome,ephemeral:ephemeral,refuseEphemeral:refuseEphemeral,loadConfiguration:loadConfiguration,loadStages:loadStages,stagesOf:stagesOf,loadAround:loadAround,loadOptions:loadOptions,readInput:readInput,sourcesFor:sourcesFor,filesOfCommit:filesOfCommit,configurationAt:configurationAt2};})();exports.part_TEBTU3WD=part_TEBTU3WD;
const part_5HVZGS2F=(()=>{const {
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;const {
  toJSONSchema
}=require("./part-90.cjs").part_ZJ7BVZLR;;
;

// src/manual/type-words.ts
var defOf = (schema) => schema.def;
function beneath(schema) {
  const def = defOf(schema);
  if (def.type === "lazy") return def.getter?.();
  if (def.type !== "pipe") return def.innerType;
  return defOf(def.out).type === "transform" ? def.in : def.out;
}
function typeWords(schema, isSet = false) {
  const { known, ref, unordered } = traitsOf(schema);
  const def = defOf(schema);
  if (known) return `one of ${known.join(", ")} (others cause a warning)`;
  const inner = beneath(schema);
  if (inner) return typeWords(inner, isSet || unordered);
  if (ref !== void 0 && def.type === "string") return `name of a ${ref}`;
  if (def.options)
    return [...new Set(def.options.map((option) => typeWords(option, isSet || unordered)))].join(" or ");
  if (def.element)
    return `${isSet || unordered ? "set" : "list"}${sizeWords(schema)}, each ${typeWords(def.element)}`;
  if (def.type === "record") return `map by name, each ${typeWords(def.valueType)}`;
  if (def.entries) return oneOf(Object.values(def.entries));
  if (def.values) return oneOf(def.values);
  return plainWords[def.type]?.(jsonSchemaOf(schema)) ?? def.type;
}
var oneOf = (values) => values.length === 1 ? `\`${values[0]}\`` : `one of ${values.join(", ")}`;
var jsonSchemaOf = (schema) => toJSONSchema(schema, { io: "input", unrepresentable: "any" });
var plainWords = {
  string: textWords,
  number: ({ type, minimum, maximum }) => `${type === "integer" ? "whole number" : "number"}${rangeWords(safe(minimum), safe(maximum))}`,
  boolean: () => "true or false",
  object: () => "object",
  any: () => "any value",
  unknown: () => "any value"
};
var formats = {
  ipv4: "IPv4 address",
  ipv6: "IPv6 address",
  cidrv4: "IPv4 range",
  cidrv6: "IPv6 range",
  email: "e-mail address",
  uri: "URL",
  uuid: "UUID",
  date: "date",
  "date-time": "date and time (ISO 8601)"
};
function textWords({ format, pattern, minLength, maxLength }) {
  if (format) return formats[format] ?? `text (${format})`;
  const length = minLength === 1 && maxLength === void 0 ? ", not empty" : rangeWords(minLength === 1 ? void 0 : minLength, maxLength, " characters");
  return `text${length}${pattern === void 0 ? "" : ` like ${pattern}`}`;
}
var sizeWords = (schema) => {
  const { minItems, maxItems } = jsonSchemaOf(schema);
  return rangeWords(minItems, maxItems).replace(/^, /, " of ");
};
var safe = (limit) => limit !== void 0 && Math.abs(limit) === Number.MAX_SAFE_INTEGER ? void 0 : limit;
function rangeWords(least, most, unit = "") {
  if (least !== void 0 && least === most) return `, ${least}${unit}`;
  if (least !== void 0 && most !== void 0) return `, ${least} to ${most}${unit}`;
  if (least !== void 0) return `, at least ${least}${unit}`;
  return most === void 0 ? "" : `, at most ${most}${unit}`;
}
var words = {
  immutable: (value, { lifecycle: { replace } }) => {
    const what = value === true ? "immutable: a change" : "immutable from some values: such a change";
    return replace === "never" ? `${what} is rejected` : `${what} replaces`;
  },
  writeOnly: () => "write-only: cannot be read back, so it is compared with what was last applied",
  readMayLack: () => "if a response omits it, it is compared with what was last applied",
  file: () => "the path of a file, compared by its digest",
  secret: (value) => value === true ? "secret: never shown" : "secret: never shown, unless other fields say it is not secret",
  inClear: () => "text written in the configuration itself is shown",
  mayTell: () => void 0,
  unordered: () => "set: order does not matter",
  whereDeclared: (names) => `${names.join(" and ")} of an item: compared only where declared`,
  atomic: () => "compared and sent as a whole",
  safeguard: () => void 0,
  emptyCounts: () => "an empty value differs from no value",
  ref: () => void 0,
  softRef: (kind) => `may name a ${kind}; a declared one is created first`,
  mirrors: ({ kind }) => `changes with each ${kind} of the same object`,
  mayIdentify: () => void 0,
  within: (kind) => `inside the ${kind} of that name, which is created first`,
  sole: () => "only one may have it at a time: the one that gives it up changes first",
  createOnly: () => "only at creation: never compared or sent again",
  neededToCreate: () => "required to create one; if omitted, an existing one keeps its value",
  updateOnly: () => "sent after creation, in a second request",
  local: () => "a label in this configuration; the platform does not know it",
  insteadOf: () => void 0,
  known: () => void 0
};
function traitWords(traits, kind) {
  return Object.entries(words).flatMap(([name, tell]) => {
    const value = traits[name];
    return value === void 0 ? [] : tell(value, kind) ?? [];
  });
}

return{defOf:defOf,beneath:beneath,typeWords:typeWords,traitWords:traitWords};})();exports.part_5HVZGS2F=part_5HVZGS2F;
const part_FE33W6O7=(()=>{const {
  writeRequests
}=require("./part-90.cjs").part_TFHCOW53;const {
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;const {
  labelled,
  widthOf
}=require("./part-106.cjs").part_P2I66CA3;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;;
;
;
;

// src/manual/kind-requests.ts
var whens = ["list", "read", "create", "update", "move", "delete", "promote", "wait"];
function requestsOf(kind) {
  const { fields, read, shape } = kind;
  const { staging, document } = shape;
  const isList = read.items !== void 0;
  const at = [read.endpoint ?? []].flat();
  const isInTwo = kind.create && Object.values(fields).some((schema) => traitsOf(schema).updateOnly);
  const whole = document ? [document.endpoint] : [];
  const endpoints = {
    list: [...staging ? [staging.versions] : [], ...isList ? at : []],
    read: [...isList ? [] : at, ...[read.one, read.detail].flatMap((each) => each?.endpoint ?? [])],
    create: [
      ...written(kind.create),
      ...isInTwo ? written(kind.update) : [],
      ...kind.create ? whole : []
    ],
    update: [...written(kind.update), ...kind.create ? [] : whole],
    move: written(kind.move),
    delete: written(kind.delete),
    promote: staging ? [staging.promote] : [],
    wait: [read.later?.ask ?? []].flat()
  };
  const used = whens.flatMap((when) => endpoints[when].map((endpoint) => ({ endpoint, when })));
  return [...groupBy(used, ({ endpoint }) => endpoint)].map(([endpoint, of]) => ({
    endpoint,
    when: whens.filter((when) => of.some((one) => one.when === when))
  }));
}
var written = (write) => write === void 0 ? [] : writeRequests(write).map(({ endpoint }) => endpoint);

// src/manual/coverage.ts
function coverageOf(operations, kinds, lookups, { all = operations, dayTwo } = {}) {
  const others = waysOf(dayTwo, all);
  const claims = kinds.flatMap(
    ({ kind, requests }) => requests.map(({ endpoint, when }) => ({
      operation: operationOf(endpoint, all),
      claim: { kind: kind.name, when }
    }))
  );
  const byOperation = groupBy(claims, ({ operation }) => operation);
  const lookedUp = new Set(lookups.map((endpoint) => operationOf(endpoint, all)));
  const covered = operations.map((operation) => {
    const { group, method, path, operationId, isDeclarable, instead } = operation;
    const own = byOperation.get(operation);
    const of = own ?? (instead && byOperation.get(operationOf(instead.use, all)));
    const isLookup = lookedUp.has(operation);
    return {
      group,
      method,
      path,
      operationId,
      ...isDeclarable ? { isDeclarable } : {},
      claims: joined((of ?? []).map(({ claim }) => claim)),
      ...of && !own && instead ? { instead } : {},
      ...isLookup ? { isLookup } : {},
      ...others.get(operation)
    };
  });
  const count = (of) => ({
    total: of.length,
    claimed: of.filter(isClaimed).length
  });
  return {
    ...count(covered),
    declarable: count(covered.filter(({ isDeclarable }) => isDeclarable)),
    groups: [...groupBy(covered, ({ group }) => group)].map(([group, of]) => ({
      group,
      ...count(of),
      operations: of
    }))
  };
}
function waysOf(dayTwo, all) {
  const ways = /* @__PURE__ */ new Map();
  const add = (endpoint, way) => {
    const operation = operationOf(endpoint, all);
    if (operation) ways.set(operation, way(ways.get(operation) ?? {}));
  };
  for (const { name, endpoint } of dayTwo?.actions.values() ?? [])
    add(endpoint, (way) => ({ ...way, actions: [...way.actions ?? [], name] }));
  for (const { name, endpoint, one } of dayTwo?.lookups.values() ?? [])
    for (const read of [endpoint, ...one ? [one.endpoint] : []])
      add(read, (way) => ({ ...way, lookups: [...way.lookups ?? [], name] }));
  for (const { operation, why } of dayTwo?.byApi ?? []) add(operation, (way) => ({ ...way, byApi: why }));
  return ways;
}
var isClaimed = ({ claims, isLookup, actions, lookups }) => isLookup === true || claims.length > 0 || actions !== void 0 || lookups !== void 0;
var joined = (claims) => [...groupBy(claims, ({ kind }) => kind)].map(([kind, of]) => ({
  kind,
  when: whens.filter((when) => of.some((one) => one.when.includes(when)))
}));
function operationOf(endpoint, operations) {
  const [method, target] = endpoint.replace(/\?.*/, "").split(" ");
  const words = target.split("/");
  const isOpen = (word) => word.startsWith("{");
  const some = bySize(operations).get(`${method} ${words.length}`) ?? [];
  const fits = (isSame) => some.find(({ own }) => own.every((part, index) => part === words[index] || isSame(part, words[index])));
  return (fits((own, word) => isOpen(own) && isOpen(word)) ?? fits(isOpen))?.operation;
}
var sizes = /* @__PURE__ */ new WeakMap();
function bySize(operations) {
  const known = sizes.get(operations);
  if (known) return known;
  const split = operations.map((operation) => ({ operation, own: operation.path.split("/") }));
  const made = groupBy(split, ({ operation: { method }, own }) => `${method} ${own.length}`);
  sizes.set(operations, made);
  return made;
}
function coverageText({ total, claimed, declarable, groups }, { style, isNamed = false }) {
  const width = widthOf(style);
  const blocks = groups.map(
    ({ group, total: total2, claimed: claimed2, operations }) => [
      `${style.strong(group)}  ${claimed2} of ${total2}`,
      ...labelled(
        operations.map((operation) => ({
          label: `  ${operation.method.padEnd(6)} ${operation.path}${isNamed && operation.operationId !== null ? `  ${operation.operationId}` : ""}`,
          paint: (label) => isClaimed(operation) ? label : style.quiet(label),
          cells: [
            isClaimed(operation) ? { text: claimWords(operation), paint: style.add } : {
              text: operation.byApi === void 0 ? "trueup api" : `trueup api: ${operation.byApi}`,
              paint: style.quiet
            }
          ]
        })),
        width,
        0.75
      )
    ].join("\n")
  );
  return [
    ...blocks,
    style.strong(
      `${declarable.claimed} of ${declarable.total} operations that can be declared are claimed by kinds; of the other ${total - declarable.total}, ${claimed - declarable.claimed} are actions, lookups, or what every run reads. \`trueup api\` can call all ${total}.`
    )
  ].join("\n\n");
}
var claimWords = ({ claims, isLookup, instead, actions, lookups }) => [
  ...actions ? [`run ${actions.join(", ")}`] : [],
  ...lookups ? [`get ${lookups.join(", ")}`] : [],
  ...isLookup ? ["every run (account)"] : [],
  ...instead ? [`${claims.map(({ kind }) => kind).join(", ")} (not sent: ${instead.why})`] : claims.map(({ kind, when }) => `${kind} (${when.join(", ")})`)
].join("; ");

return{requestsOf:requestsOf,coverageOf:coverageOf,operationOf:operationOf,coverageText:coverageText};})();exports.part_FE33W6O7=part_FE33W6O7;
