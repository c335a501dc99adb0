"use strict";const part_AI3V6HEN=(()=>{const {
  showStacks
}=require("./part-73.cjs").part_W4EK7KUA;const {
  formatOption,
  jsonOption
}=require("./part-50.cjs").part_LW7MTB4U;const {
  isSavedStacks,
  parseSavedStacks,
  shownStacks
}=require("./part-28.cjs").part_EOX35J2K;require("./part-116.cjs").part_LBJ4LO3O;const {
  isSavedPlan,
  parseSavedPlan,
  shownPlan
}=require("./part-116.cjs").part_HBWHGLK5;require("./part-102.cjs").part_OUDFTIMK;require("./part-95.cjs").part_BLVQ66GF;require("./part-100.cjs").part_UC4YBZOG;require("./part-100.cjs").part_4H7KEJBJ;require("./part-120.cjs").part_7QH4ILEF;require("./part-102.cjs").part_4IQERMVV;require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-94.cjs").part_YZ7UDJWV;require("./part-93.cjs").part_FJCNLGFD;require("./part-19.cjs").part_D3YXR7F6;require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-95.cjs").part_HSR2BE55;require("./part-95.cjs").part_T5M5UDUZ;require("./part-100.cjs").part_U56CU4BQ;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  exitCodes
}=require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-21.cjs").part_DGVZ2EVC;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  withColor
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;const {
  asksForNothing
}=require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-117.cjs").part_QLYNIQGZ;require("./part-23.cjs").part_DTN5XV4U;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { readFile }=require("node:fs/promises");const { basename }=require("node:path");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/cli/report.ts
;
;
function reportCommand(report, provider, run) {
  withColor(report.command("merge")).description("show the plans of several stacks, each saved by `plan --out`, as one report").argument(
    "<files...>",
    "saved plans; one that is missing or empty stands for a stack that could not be planned"
  ).addOption(formatOption()).addOption(jsonOption()).option("--requests", "show the HTTP requests of each change").option("--verbose", "cut nothing").option("--detailed-exitcode", "exit with 2 if there are changes").action((files, options) => mergeReports(provider, files, options, run));
}
async function mergeReports({ pace }, files, options, run) {
  const terminal = terminalFor(run, options);
  const reports = (await Promise.all(files.map((file) => reportsIn(file, run)))).flat();
  refuseTwice(reports);
  const fine = showStacks(reports, options, terminal, pace);
  const isChanged = reports.some(({ plan }) => plan && !asksForNothing(plan));
  run.exitCode = !fine ? exitCodes.failed : options.detailedExitcode && isChanged ? exitCodes.changes : exitCodes.done;
}
async function reportsIn(file, { host }) {
  const failed = (why) => {
    const id = basename(file).replace(/\.[^.]*$/, "");
    const wrong = problem("report/part", `${file} ${why}, so this part was not planned`, {
      hint: "see the log of its job"
    });
    return [{ id, path: id, needs: [], failed: [wrong] }];
  };
  let text;
  try {
    text = await readFile(pathOn(host, file), "utf8");
  } catch (error) {
    return failed(`cannot be read: ${systemText(error)}`);
  }
  if (text.trim() === "") return failed("is empty");
  if (isSavedStacks(text)) return shownStacks(parseSavedStacks(text, file));
  if (!isSavedPlan(text))
    throw new Problems([
      problem("approval/not-a-plan", `${file}: this is not a saved plan`, {
        hint: "pass files written by `trueup plan --out FILE`"
      })
    ]);
  const saved = parseSavedPlan(text, file);
  return [{ id: saved.stack, path: saved.stack, needs: [], stack: saved.stack, plan: shownPlan(saved) }];
}
function refuseTwice(reports) {
  const ids = reports.map(({ id }) => id);
  const twice = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
  if (twice.length === 0) return;
  throw new Problems([
    problem("report/twice", `several files are about ${twice.join(", ")}`, {
      hint: "pass each part once, and no files of earlier runs"
    })
  ]);
}
return{reportCommand:reportCommand};})();exports.part_AI3V6HEN=part_AI3V6HEN;
