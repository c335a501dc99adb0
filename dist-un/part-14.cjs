"use strict";const part_B5SUADRQ=(()=>{const {
  logJson,
  logText,
  noRun,
  openHistory,
  runNumber,
  sayDoubts
}=require("./part-60.cjs").part_PHFSSWKC;require("./part-107.cjs").part_MXVH3ICS;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  loadConfiguration,
  sourcesFor
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  ledgerHelp,
  ledgerIndexOption,
  withConfiguration,
  withSources
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_GVLOUSOT;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
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

// src/cli/log.ts
function logCommand(command, provider, run) {
  withSources(withConfiguration(command)).argument("[address-glob]", "only runs that changed this, and only those changes").option("--since <time>", "only runs since: `2026-01-31`, `2026-01-31T12:00:00Z`, `3d`, `12h`").option("--run <run>", "only this run, with everything it changed").option("--json", "as JSON").option("--ledger <path>", ledgerHelp).addOption(ledgerIndexOption()).option("--twin", "the embedded twin's ledger").action(async (glob, options) => {
    const terminal = terminalFor(run, options);
    const since = options.since === void 0 ? void 0 : timeOf(options.since, run.host.clock.now());
    const only = options.run === void 0 ? void 0 : runNumber(options.run);
    const sources = sourcesFor(options, run.host);
    const { desired } = await loadConfiguration(provider, options, run, { sources, isLook: true });
    const history = await openHistory(desired.stack, options, run.host);
    const { records, doubts, key } = history;
    if (only !== void 0 && !records.some(({ head }) => head.run === only)) throw noRun(only, history);
    const fits = glob === void 0 ? () => true : matcherOf([glob]);
    const entries = records.flatMap((record) => {
      const { head, details } = record;
      const isMeant = (only === void 0 || head.run === only) && (since === void 0 || Date.parse(head.end ?? head.start) >= since);
      const changes = details?.changes.filter(({ address }) => fits(address)) ?? [];
      return isMeant && (glob === void 0 || changes.length > 0) ? [{ record, changes }] : [];
    });
    sayDoubts(history, terminal);
    entries.reverse();
    if (options.json) return terminal.out(jsonText(logJson(entries, doubts, desired.stack)));
    const isDetailed = glob !== void 0 || only !== void 0;
    terminal.out(
      logText(entries, { style: terminal.outStyle, details: isDetailed, hasKey: key !== void 0 })
    );
    const short = records.filter(({ details }) => !details);
    if (glob !== void 0 && short.length > 0)
      terminal.err(`What run ${short.at(-1).head.run} and earlier runs changed is no longer kept.`);
    if (entries.length === 0)
      terminal.err(records.length === 0 ? "No runs are recorded yet." : "No run matches.");
  });
}
var units = { m: 60, h: 3600, d: 86400, w: 604800 };
function timeOf(text, now) {
  const [, number, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (number !== void 0) return now - Number(number) * units[unit] * 1e3;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new Problems([
    problem("history/since", `--since: cannot parse ${JSON.stringify(text)}`, {
      hint: "use a date (`2026-01-31`), a time (`2026-01-31T12:00:00Z`) or an age: `30m`, `12h`, `3d`, `2w`"
    })
  ]);
}
return{logCommand:logCommand};})();exports.part_B5SUADRQ=part_B5SUADRQ;
