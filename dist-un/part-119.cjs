"use strict";const part_42B3PQI4=(()=>{const {
  asFound,
  exportFiles,
  exportLive,
  exportSummary,
  exportedEnv,
  readFileRules,
  readValuesPlace,
  refuseExisting,
  requireValuesPlace,
  secretsIn,
  writeExport,
  writeValues
}=require("./part-51.cjs").part_MKMGPZXS;const {
  formatYaml
}=require("./part-114.cjs").part_M7KTYLXY;const {
  gathered,
  paired,
  sealLive
}=require("./part-93.cjs").part_FJCNLGFD;const {
  standIns
}=require("./part-86.cjs").part_6FVWABKZ;const {
  observe
}=require("./part-91.cjs").part_FGBDHNKO;const {
  readOnly
}=require("./part-82.cjs").part_ITOYBHJI;const {
  openAccount,
  scopeOf
}=require("./part-31.cjs").part_FFJC4QNY;const {
  documentsFor,
  ledgerStore
}=require("./part-96.cjs").part_VFFBCGY7;const {
  judgeSecrets,
  resolveSecrets
}=require("./part-86.cjs").part_ULWTVNOV;const {
  unmatched
}=require("./part-93.cjs").part_UFNWTKGU;const {
  modeline
}=require("./part-122.cjs").part_4377VF5K;const {
  loadAround,
  sourcesFor
}=require("./part-105.cjs").part_TEBTU3WD;const {
  home
}=require("./part-92.cjs").part_2JBIBOC6;const {
  emptyLedger
}=require("./part-105.cjs").part_EABJC5VV;const {
  kindsOf
}=require("./part-90.cjs").part_TFHCOW53;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  collect,
  withScope
}=require("./part-84.cjs").part_GNPU5WKB;const {
  collectionParts
}=require("./part-106.cjs").part_DT2CDXHV;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;const {
  Source
}=require("./part-84.cjs").part_CV56RMV4;const {
  addressOf
}=require("./part-106.cjs").part_BACZRMMV;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  addTo
}=require("./part-106.cjs").part_4N2HH7U7;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { stat }=require("node:fs/promises");const { dirname, join, relative }=require("node:path");;
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

// src/cli/export.ts
;
;

// src/cli/known-secrets.ts
async function sealKnown(live, kinds, configuration, account, host, sources) {
  const { owner, baseUrl, twin } = account;
  const { desired, platform } = configuration;
  if (desired.stack === "") return live;
  const held = await ledgerStore(documentsFor(desired.stack, { twin }, host), { key: void 0 }).read();
  const isHeldHere = held?.owner === owner.id && held.baseUrl === baseUrl;
  const isDeclaredHere = platform !== void 0 && ("team" in platform ? platform.team === owner.slug : owner.type === "personal");
  if (held ? !isHeldHere : !isDeclaredHere) return live;
  const ledger = held ?? emptyLedger(baseUrl, owner.id, desired.stack);
  const { values: secrets } = twin ? standIns(configuration, kinds) : await resolveSecrets(configuration, { env: host.env, cwd: host.cwd, sources });
  const input = { desired, live, ledger, kinds, secrets, facts: owner.facts, key: void 0, now: 0 };
  const known = knownAs(input);
  let sealed = input;
  for (let round = 0; [...known.values()].some((names) => names.length > round); round++) {
    const resources = /* @__PURE__ */ new Map();
    const entries = {};
    for (const [address, names] of known) {
      const name = names[round];
      if (desired.resources.has(name)) resources.set(address, desired.resources.get(name));
      if (ledger.entries[name]) entries[address] = ledger.entries[name];
    }
    sealed = sealLive({ ...sealed, desired: { ...desired, resources }, ledger: { ...ledger, entries } });
  }
  return sealed.live;
}
function knownAs(input) {
  const { live, ledger } = input;
  const byId = /* @__PURE__ */ new Map();
  const note = (kind, ids, address) => {
    for (const id of ids) addTo(byId, `${kind} ${id}`, address);
  };
  for (const [address, { kind, ids }] of Object.entries(ledger.entries)) note(kind, ids, address);
  for (const { kind, ids, address } of paired(input).live.resources.values()) note(kind, ids, address);
  const namesOf = ({ address, kind, ids, alternatives = [] }) => /* @__PURE__ */ new Set([
    address,
    ...[...ids, ...alternatives.map(({ id }) => id)].flatMap((id) => byId.get(`${kind} ${id}`) ?? [])
  ]);
  return new Map([...live.resources].map(([address, one]) => [address, [...namesOf(one)]]));
}

// src/cli/export.ts
function exportCommand(command, provider, run) {
  withScope(command).option("--stack <name>", "the stack name (default: the team name)").option(
    "--target <address-glob>",
    "only this; use `projects/web/**` for its contents; repeatable",
    collect
  ).option("--exclude <address-glob>", "everything except this; repeatable", collect).option("--out <file>", "write one file (default: print it)").addOption(new Option("--out-dir <folder>", "write one file per area").conflicts("out")).option(
    "--by <glob=file>",
    "write what matches to its own file, next to the main one: 'projects/site-*=web.yaml'; repeatable",
    collect
  ).option(
    "--values <where...>",
    "where to put values of variables: `inline` (plain values in the YAML, others as secrets; default), `omit`, `dotenv FILE` or `sops FILE`"
  ).option("--force", "overwrite existing files").action((options) => exportAccount(provider, options, run));
}
async function exportAccount(provider, options, run) {
  const { host } = run;
  const terminal = terminalFor(run, options);
  const kinds = kindsOf(provider.kinds);
  const place = readValuesPlace(options.values);
  const rules = readFileRules(options);
  const placing = { place, host, force: options.force ?? false };
  await requireValuesPlace(placing);
  const sources = sourcesFor(options, host);
  const configuration = await loadAround(kinds, options, host, sources);
  const scope = scopeOf(configuration, options);
  const account = await openAccount(provider, scope, options, terminal);
  try {
    const found = await observe(
      { stack: "", resources: /* @__PURE__ */ new Map(), inputs: [], folders: [] },
      emptyLedger("", "", ""),
      kinds,
      readOnly(account.connection.send),
      {
        facts: account.owner.facts,
        also: (kind, parent) => isOnTheWay(kind, parent, options.target)
      }
    );
    refuseUnmatched(found, kinds, options);
    const { owner, baseUrl } = account;
    const known = { owner, baseUrl, twin: options.twin ?? false };
    const unread = (await judgeSecrets(configuration, sources)).map((one) => ({
      ...one,
      severity: "warning"
    }));
    terminal.err(diagnosticsText(gathered(unread), { style: terminal.errStyle }));
    const live = await sealKnown(found, kinds, configuration, known, host, sources);
    const isTarget = options.target ? matcherOf(options.target) : () => true;
    const isExcluded = matcherOf(options.exclude ?? []);
    const isChosen = (address) => isTarget(address) && !isExcluded(address);
    const exported = exportLive({
      live,
      kinds,
      isTaken: place.file ? () => false : isTakenOn(host),
      isChosen,
      values: place.to,
      files: rules
    });
    const platform = "team" in scope ? { team: account.owner.slug } : { personal: true };
    const stack = options.stack ?? account.owner.slug;
    const line = await schemaLine(options, host);
    const files = exportFiles(exported, {
      stack,
      platform,
      isSplit: options.outDir !== void 0,
      ...secretsIn(place, host, options.outDir ?? dirname(options.out ?? "")),
      ...line === void 0 ? {} : { modeline: line }
    });
    refuseSameFile(files);
    await refuseExisting(files, options, host);
    const written = await writeValues(exported.secrets, placing);
    const errors = await writeExport(formatted(files), kinds, options, terminal);
    terminal.err(
      exportSummary(exported, asFound(live, kinds, isChosen, exported.written), { place, written })
    );
    if (errors.length > 0) {
      terminal.err(
        "The result is not valid. Fix it in the account, or leave out what is wrong with --exclude:\n"
      );
      terminal.err(diagnosticsText(errors, { style: terminal.errStyle }));
      run.exitCode = 1;
    }
    if ([...live.frozen.keys()].some((id) => !live.refused.has(id))) run.exitCode = 1;
  } finally {
    await account.close();
  }
}
function refuseSameFile(files) {
  const names = files.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0)
    throw new Problems(
      twice.map(
        (name) => problem("export/by", `${name} is already the file of an area`, {
          hint: "choose another name for --by, or use --out instead of --out-dir"
        })
      )
    );
}
function refuseUnmatched({ resources, frozen }, kinds, { target = [], exclude = [], by = [] }) {
  const closed = [...frozen.keys()].map(collectionParts);
  const mayBeClosed = (glob) => closed.some(([parent, name]) => isOnTheWay(kinds.get(name), parent, [glob]));
  const files = by.map((rule) => rule.slice(0, rule.lastIndexOf("=")));
  const globs = [...target, ...target.length > 0 ? [] : exclude, ...files].filter(
    (glob) => !mayBeClosed(glob)
  );
  const problems = unmatched(globs, [...resources.keys()]);
  if (problems.length > 0) throw new Problems(problems);
}
function isOnTheWay({ section }, parent, targets) {
  const place = addressOf(parent, section, []);
  return !targets || targets.some((glob) => {
    const [fixed] = /^[^*?[{(!]*/.exec(glob);
    return place.startsWith(fixed) || `${fixed}/`.startsWith(`${place}/`) || fixed.startsWith(place);
  });
}
var isTakenOn = ({ env }) => (name, value) => {
  const held = env[exportedEnv(name)];
  return held !== void 0 && (value === void 0 || held !== value.reveal());
};
async function schemaLine({ out, outDir }, host) {
  const folder = outDir ?? (out === void 0 ? void 0 : dirname(out));
  const schema = join(home, "schema.json");
  if (folder === void 0 || !await stat(pathOn(host, schema)).catch(() => void 0)) return void 0;
  return modeline(relative(folder, schema)).replace(/^# /, "");
}
var formatted = (files) => files.map(({ name, text }) => ({ name, text: formatYaml(new Source(name, text)).text ?? text }));

return{sealKnown:sealKnown,exportCommand:exportCommand,isOnTheWay:isOnTheWay,isTakenOn:isTakenOn};})();exports.part_42B3PQI4=part_42B3PQI4;
const part_BW2KDBOM=(()=>{const {
  exportCommand,
  isOnTheWay,
  isTakenOn
}=part_42B3PQI4;require("./part-51.cjs").part_MKMGPZXS;require("./part-112.cjs").part_Q6WJRPVS;require("./part-114.cjs").part_M7KTYLXY;require("./part-68.cjs").part_TKJ67INM;require("./part-93.cjs").part_FJCNLGFD;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-114.cjs").part_INBOWXT2;require("./part-112.cjs").part_55Q3LCS5;require("./part-122.cjs").part_4377VF5K;require("./part-35.cjs").part_GHYH6KYJ;require("./part-21.cjs").part_DGVZ2EVC;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
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
return{exportCommand:exportCommand,isOnTheWay:isOnTheWay,isTakenOn:isTakenOn};})();exports.part_BW2KDBOM=part_BW2KDBOM;
