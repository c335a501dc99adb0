"use strict";const part_CYJG7AFP=(()=>{const {
  pair
}=require("./part-56.cjs").part_O7OGUCZM;const {
  yamlText
}=require("./part-112.cjs").part_Q6WJRPVS;const {
  fieldsText,
  tableText
}=require("./part-91.cjs").part_2OZZAYPQ;const {
  number,
  withScope
}=require("./part-84.cjs").part_GNPU5WKB;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  jsonText,
  jsonValue
}=require("./part-80.cjs").part_6VCGJOTY;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;

// src/cli/print-rows.ts
var formats = ["table", "json", "yaml"];
function printRows({ what, key, rows, columns, isMore = false, isOne = false }, { format, json, fields }, masking, terminal) {
  const chosen = fields ? rows.map((row) => picked(row, fields)) : rows;
  const say = (text) => terminal.out(masking.mask(text));
  const form = json ? "json" : format ?? "table";
  if (form !== "table") {
    const document = {
      formatVersion: "1.0",
      [key]: what,
      objects: chosen.map(jsonValue),
      ...isMore ? { more: true } : {}
    };
    say(form === "json" ? jsonText(document) : yamlText(document));
    return;
  }
  if (rows.length === 0) terminal.err(`There is no ${what}.`);
  else if (isOne && rows.length === 1) say(fieldsText(chosen[0], terminal.outStyle));
  else say(tableText(chosen, fields ?? columns, terminal.outStyle));
  if (isMore) terminal.err("There are more: raise --limit to show them.");
}
var picked = (row, names) => Object.fromEntries(names.flatMap((name) => row[name] === void 0 ? [] : [[name, row[name]]]));
function withWanted(command) {
  return withScope(command).option(
    "--of <address>",
    "the object it belongs to: `projects/web`, or just the name for top-level objects"
  ).option(
    "--where <name=value>",
    "filter by a field or a query parameter of the platform; repeatable",
    pair
  ).option("--ledger <place>", "where the ledger is, to resolve --of");
}
var timeoutOption = () => new Option("--timeout <seconds>", "how long to wait").argParser(number(0)).default(900);
var noneOf = (what, name) => new Problems([
  problem("asked/none", `there is no ${what} ${JSON.stringify(name)} in the account`, {
    hint: `\`trueup get ${what}\` shows what exists`
  })
]);

return{formats:formats,printRows:printRows,withWanted:withWanted,timeoutOption:timeoutOption,noneOf:noneOf};})();exports.part_CYJG7AFP=part_CYJG7AFP;
const part_3QPNYUTH=(()=>{const {
  noneOf,
  printRows,
  timeoutOption,
  withWanted
}=part_CYJG7AFP;const {
  pair,
  pairsOf
}=require("./part-56.cjs").part_O7OGUCZM;const {
  followLookup,
  lookupReader,
  named,
  openReading,
  refuseUnknown,
  standingOf
}=require("./part-91.cjs").part_2OZZAYPQ;const {
  exitCodes
}=require("./part-80.cjs").part_RUA4AHDC;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;

// src/cli/wait.ts
var waitCodes = {
  reached: exitCodes.done,
  ended: exitCodes.failed,
  "under way": exitCodes.tryAgainLater,
  stopped: exitCodes.interrupted
};
function waitCommand(command, provider, run) {
  withWanted(command).argument("<lookup>", "the lookup to wait for: `deployment`").argument("[name]", "which one; the newest if several match").option("--for <field=value>", "wait until a field has this value; repeatable (all must match)", pair).option("--json", "print the final result as one JSON document").addOption(timeoutOption()).action(async (what, name, options) => {
    const terminal = terminalFor(run, options);
    const { lookups } = await provider.dayTwo();
    const lookup = named(what, lookups, "lookup", "trueup get --list");
    const wished = pairsOf(options.for);
    refuseUnknown(
      wished.map(([field]) => field),
      Object.keys(lookup.output),
      { what }
    );
    refuseEndless(lookup, wished);
    const reading = await openReading(provider, options, terminal);
    try {
      const where = pairsOf(options.where);
      const read = await lookupReader(lookup, { name, of: options.of, where, limit: 1 }, reading);
      const columns = lookup.columns ?? Object.keys(lookup.output);
      let isFirst = true;
      const look = async () => {
        const found = await read();
        if (isFirst && name !== void 0 && found.rows.length === 0) throw noneOf(what, name);
        isFirst = false;
        return found;
      };
      const { rows, standing } = await followLookup(lookup, look, {
        terminal,
        columns,
        within: options.timeout * 1e3,
        stand: standOf(lookup, wished)
      });
      printRows({ what, key: "lookup", rows, columns, isOne: true }, options, reading.masking, terminal);
      if (standing === "under way")
        terminal.err(`${rows.length === 0 ? "None found" : "Still running"} after ${options.timeout} s.`);
      run.exitCode = waitCodes[standing];
    } finally {
      await reading.close();
    }
  });
}
function standOf(lookup, wished) {
  let isSeen = false;
  return ([row]) => {
    if (!row) return isSeen ? "ended" : "under way";
    isSeen = true;
    return standingOf(row, lookup, wished);
  };
}
function refuseEndless({ name, end }, wished) {
  if (end || wished.length > 0) return;
  throw new Problems([
    problem("wait/endless", `${name} has no end state, so it is unclear what to wait for`, {
      hint: "pass --for FIELD=VALUE"
    })
  ]);
}

return{waitCodes:waitCodes,waitCommand:waitCommand,standOf:standOf};})();exports.part_3QPNYUTH=part_3QPNYUTH;
const part_OSJHGZFM=(()=>{const {
  standOf,
  waitCodes,
  waitCommand
}=part_3QPNYUTH;part_CYJG7AFP;require("./part-56.cjs").part_O7OGUCZM;require("./part-112.cjs").part_Q6WJRPVS;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-82.cjs").part_QI5FGYYL;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;require("./part-112.cjs").part_55Q3LCS5;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
return{standOf:standOf,waitCodes:waitCodes,waitCommand:waitCommand};})();exports.part_OSJHGZFM=part_OSJHGZFM;
