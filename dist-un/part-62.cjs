"use strict";const part_QOFKLHR5=(()=>{const {
  ledgerLineOf
}=require("./part-94.cjs").part_2PKLHWHB;const {
  commitForPage,
  formatOption,
  jsonOption,
  showPlan,
  streamOption
}=require("./part-50.cjs").part_LW7MTB4U;const {
  openPlan
}=require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-94.cjs").part_YZ7UDJWV;require("./part-93.cjs").part_FJCNLGFD;const {
  planningOf,
  withPlanning
}=require("./part-19.cjs").part_D3YXR7F6;const {
  openSession
}=require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  planExitCode
}=require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-87.cjs").part_3FS5QSBH;const {
  ephemeral
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  isOfStacks,
  withStacks
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;const {
  driftCount
}=require("./part-80.cjs").part_YAMT22MG;const {
  isOpenAction
}=require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/cli/plan.ts
var planFileAt = async (path, { host }) => (await Promise.resolve().then(()=>require("./part-45.cjs").part_KIFWA7SP)).newPlanFile(path, host);
function planCommand(command, provider, run) {
  withStacks(withPlanning(command)).addOption(formatOption("sarif")).addOption(jsonOption()).addOption(streamOption()).option("--detailed-exitcode", "exit with 2 if there are changes").option(
    "--drift-exitcode",
    "exit with 2 if the account was changed outside, regardless of the configuration"
  ).option("--out <file>", "save the plan, for `trueup apply FILE`").action(async (options) => {
    if (isOfStacks(options)) return (await Promise.resolve().then(()=>require("./part-66.cjs").part_RMAJPBZX)).planAll(provider, options, run);
    const terminal = terminalFor(run, options);
    const file = options.out === void 0 ? void 0 : await planFileAt(options.out, run);
    await file?.refuseOther();
    const plans = options.out === void 0 ? [] : [options.out];
    const session = await openSession(provider, options, terminal, { plans, guards: "plan" });
    try {
      await file?.keyToApprove(session, options);
      const unkept = ephemeral(options, run.host);
      if (unkept) session.diagnostics.push({ ...unkept, severity: "warning" });
      const { plan } = await openPlan(session, planningOf(options, run.host));
      if (unkept && plan.actions?.some(isOpenAction)) tellForgotten(plan);
      const said = file ? await file.save(session, plan, options) : [];
      terminal.err(await ledgerLineOf(session));
      const shown = { ...options, ...await commitForPage(session, options) };
      const pace = await session.connection.paceNow(provider.pace);
      const fine = await showPlan(plan, shown, terminal, pace);
      for (const line of said) terminal.err(line);
      if (options.driftExitcode) terminal.err(driftText(plan));
      run.exitCode = planExitCode(plan, {
        fine,
        detailed: options.detailedExitcode,
        drift: options.driftExitcode
      });
    } finally {
      await session.close();
    }
  });
}
function driftText(plan) {
  const drifted = driftCount(plan);
  const what = drifted === 0 ? "Nothing was" : drifted === 1 ? "1 object was" : `${drifted} objects were`;
  return `${what} changed outside since the last apply.`;
}
function tellForgotten(plan) {
  plan.diagnostics = plan.diagnostics.map(
    (one) => one.code === "ledger/ephemeral" ? { ...one, message: `${one.message}, along with any pending \`$then\` action` } : one
  );
}
return{planCommand:planCommand};})();exports.part_QOFKLHR5=part_QOFKLHR5;
