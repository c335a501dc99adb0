"use strict";const part_3DY7IF3O=(()=>{const {
  printStacks
}=require("./part-73.cjs").part_W4EK7KUA;const {
  formatOption,
  jsonOption,
  printPlan
}=require("./part-50.cjs").part_LW7MTB4U;const {
  flagOf,
  isSavedStacks,
  parseSavedStacks,
  readText,
  sealingOf,
  shownStacks
}=require("./part-28.cjs").part_EOX35J2K;require("./part-116.cjs").part_LBJ4LO3O;const {
  parseSavedPlan,
  sealing,
  shownPlan
}=require("./part-116.cjs").part_HBWHGLK5;require("./part-102.cjs").part_OUDFTIMK;require("./part-95.cjs").part_BLVQ66GF;require("./part-100.cjs").part_UC4YBZOG;require("./part-100.cjs").part_4H7KEJBJ;require("./part-120.cjs").part_7QH4ILEF;require("./part-102.cjs").part_4IQERMVV;require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-94.cjs").part_YZ7UDJWV;require("./part-93.cjs").part_FJCNLGFD;require("./part-19.cjs").part_D3YXR7F6;require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;const {
  keyOf
}=require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-95.cjs").part_HSR2BE55;require("./part-95.cjs").part_T5M5UDUZ;require("./part-100.cjs").part_U56CU4BQ;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  exitCodes,
  planExitCode
}=require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-21.cjs").part_DGVZ2EVC;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  withColor
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;const {
  asksForNothing
}=require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-117.cjs").part_QLYNIQGZ;require("./part-23.cjs").part_DTN5XV4U;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/cli/show.ts
function showCommand(command, provider, run) {
  withColor(command).argument("<file>", "a plan saved by `plan --out`").addOption(formatOption()).addOption(jsonOption()).option("--requests", "show the HTTP requests of each change").option("--verbose", "do not truncate").option("--detailed-exitcode", "exit with 2 if there are changes").action(async (file, options) => {
    const terminal = terminalFor(run, options);
    const text = await readText(file, run.host);
    if (isSavedStacks(text)) return showStacksOf(parseSavedStacks(text, file), options, terminal, provider);
    const saved = parseSavedPlan(text, file);
    const plan = shownPlan(saved);
    const fine = await printPlan(plan, options, terminal, provider.pace);
    const seal = sealing(saved, await keyOf({ twin: saved.baseUrl === "twin:" }, run.host));
    terminal.err(aboutText(saved));
    terminal.err(cleanLine(sealText(seal)));
    run.exitCode = planExitCode(plan, {
      fine: fine && seal.state !== "broken",
      detailed: options.detailedExitcode
    });
  });
}
async function showStacksOf(saved, options, terminal, { pace }) {
  const { run } = terminal;
  const fine = printStacks(shownStacks(saved), options, terminal, pace);
  const isTwin = saved.parts[0].plan.baseUrl === "twin:";
  const key = await keyOf({ twin: isTwin }, run.host);
  const seals = [sealingOf(saved, key), ...saved.parts.map(({ plan }) => sealing(plan, key))];
  for (const { plan } of saved.parts) terminal.err(aboutText(plan));
  const worst = seals.find(({ state }) => state !== "sealed") ?? seals[0];
  terminal.err(cleanLine(sealText(worst)));
  const isChanged = saved.parts.some(({ plan }) => !asksForNothing(shownPlan(plan)));
  const isFine = fine && worst.state !== "broken";
  run.exitCode = !isFine ? exitCodes.failed : options.detailedExitcode && isChanged ? exitCodes.changes : exitCodes.done;
}
function sealText(seal) {
  switch (seal.state) {
    case "sealed":
      return `Sealed with the key ${seal.key}, which is available here: a run with that key made this plan and it is unchanged. The account may have changed: apply plans again and applies exactly this, or nothing.`;
    case "none":
      return "Not sealed: anyone who could write the file may have made or changed it. It can be read but not applied.";
    case "unknown":
      return `Origin unknown: it claims to be sealed with the key ${seal.key}, which is not available here. Anyone could claim that; apply verifies it.`;
    case "broken":
      return `Not trustworthy: the key ${seal.key} did not seal it in this form. It was changed after it was made and cannot be applied.`;
  }
}
function aboutText({ stack, owner, baseUrl, generation, options }) {
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const flag = flagOf(name);
    if (Array.isArray(value)) return value.map((one) => `${flag} '${one}'`);
    return value === true ? [flag] : [`${flag} ${value}`];
  });
  const made = flags.length > 0 ? `, made with ${flags.join(" ")}` : "";
  return cleanLine(
    `A saved plan for the stack ${stack} of ${owner} at ${baseUrl}, on generation ${generation} of its ledger${made}.`
  );
}
return{showCommand:showCommand};})();exports.part_3DY7IF3O=part_3DY7IF3O;
