"use strict";const part_PZXXDND6=(()=>{const {
  refuseOneStacks
}=require("./part-69.cjs").part_U3M6M6I2;require("./part-101.cjs").part_KZIZ3WVN;require("./part-94.cjs").part_2PKLHWHB;require("./part-73.cjs").part_W4EK7KUA;require("./part-50.cjs").part_LW7MTB4U;require("./part-28.cjs").part_EOX35J2K;require("./part-116.cjs").part_LBJ4LO3O;require("./part-116.cjs").part_HBWHGLK5;require("./part-102.cjs").part_OUDFTIMK;require("./part-95.cjs").part_BLVQ66GF;require("./part-100.cjs").part_UC4YBZOG;require("./part-100.cjs").part_4H7KEJBJ;require("./part-120.cjs").part_7QH4ILEF;require("./part-102.cjs").part_4IQERMVV;require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-94.cjs").part_YZ7UDJWV;require("./part-93.cjs").part_FJCNLGFD;require("./part-19.cjs").part_D3YXR7F6;require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;const {
  secretsText
}=require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;const {
  resolveSecrets
}=require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-95.cjs").part_HSR2BE55;require("./part-95.cjs").part_T5M5UDUZ;require("./part-100.cjs").part_U56CU4BQ;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;const {
  inFolder,
  workspaceStacks
}=require("./part-124.cjs").part_6HBEUU6S;require("./part-21.cjs").part_DGVZ2EVC;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;const {
  loadConfiguration,
  sourcesFor
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;const {
  usesOf
}=require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;const {
  originText
}=require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  isOfStacks,
  withConfiguration,
  withSources,
  withStacks
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-117.cjs").part_QLYNIQGZ;require("./part-23.cjs").part_DTN5XV4U;require("./part-106.cjs").part_P2I66CA3;const {
  maskInActions
}=require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;const {
  wholeAddress
}=require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  hasErrors
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/cli/secrets.ts
function secretsCommand(command, provider, run) {
  withStacks(withSources(withConfiguration(command))).option("--check", "exit with 1 if a needed secret is missing").option("--json", "print one JSON document").action(async (options) => {
    const terminal = terminalFor(run, options);
    const listed = isOfStacks(options) ? await listedOfAll(provider, options, run, terminal) : [await listedOf(provider, options, run, terminal)];
    const all = listed.flatMap(({ secrets }) => secrets);
    const head = { formatVersion: "1.0" };
    if (options.json)
      terminal.out(jsonText(isOfStacks(options) ? { ...head, stacks: listed } : { ...head, ...listed[0] }));
    else
      for (const { id, secrets } of listed)
        terminal.out(
          secretsText(secrets, { style: terminal.outStyle, ...id === void 0 ? {} : { of: id } })
        );
    if (options.check && all.some(({ state }) => state === "missing")) run.exitCode = 1;
  });
}
async function listedOf(provider, options, run, terminal) {
  const sources = sourcesFor(options, run.host, terminal);
  const configuration = await loadConfiguration(provider, options, run, { sources });
  return {
    stack: configuration.desired.stack,
    secrets: await linesOf(configuration, { sources, readings: /* @__PURE__ */ new Map(), run, terminal })
  };
}
async function listedOfAll(provider, options, run, terminal) {
  const { json: _, check: __, ...rest } = options;
  refuseOneStacks(rest, run);
  const { chosen, folder, notes } = await workspaceStacks(provider, options, run);
  for (const note of notes) terminal.err(note);
  const wrong = chosen.flatMap(({ look }) => look.diagnostics.filter(({ severity }) => severity === "error"));
  if (hasErrors(wrong)) throw new Problems(wrong);
  const here = inFolder(run, folder);
  const sources = sourcesFor(options, here.host, terminal);
  const readings = /* @__PURE__ */ new Map();
  const listed = [];
  for (const { id, look } of chosen)
    listed.push({
      id,
      stack: look.desired.stack,
      secrets: await linesOf(look, { sources, readings, run: here, terminal })
    });
  return listed;
}
async function linesOf(configuration, { sources, readings, run, terminal }) {
  const { env, cwd } = run.host;
  const { secrets, usedSecrets, writtenStack } = configuration;
  const asked = { secrets, usedSecrets, writtenStack };
  const { values, diagnostics } = await resolveSecrets(asked, { env, cwd, sources, readings });
  maskInActions(values, configuration.secrets, terminal);
  const uses = usesOf(configuration.desired.resources.values());
  const missing = new Map(diagnostics.map((one) => [one.secret?.name, one]));
  const names = [...configuration.secrets.keys()].sort();
  return Promise.all(
    names.map(async (name) => {
      const source = configuration.secrets.get(name);
      const file = "file" in source ? await sources.nameOf(source.file, source.folder) : void 0;
      const neededBy = [
        ...new Set((uses.get(name) ?? []).map(({ address }) => wholeAddress(address)))
      ].sort();
      const problem = missing.get(name);
      return {
        name,
        source: `${originText(file === void 0 ? source : { file })}${source.pick ? `, key ${source.pick.key}` : ""}`,
        neededBy,
        state: values.has(name) ? "there" : problem ? "missing" : "not needed",
        ...problem ? { why: problem.message.replace(/^the secret `.*?` is not available: /, "") } : {},
        ...problem?.hint === void 0 ? {} : { hint: problem.hint }
      };
    })
  );
}
return{secretsCommand:secretsCommand};})();exports.part_PZXXDND6=part_PZXXDND6;
