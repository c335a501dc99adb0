"use strict";const part_LBA23DCF=(()=>{const {
  keepLedgerCurrent
}=require("./part-103.cjs").part_TIADEP3J;const {
  planAsApproved,
  planAsShown
}=require("./part-103.cjs").part_NW56GQRD;const {
  ledgerLineOf
}=require("./part-94.cjs").part_2PKLHWHB;const {
  showPlan,
  streamOption
}=require("./part-50.cjs").part_LW7MTB4U;const {
  approvedPlan,
  isSavedStacks,
  readText
}=require("./part-28.cjs").part_EOX35J2K;require("./part-116.cjs").part_LBJ4LO3O;require("./part-116.cjs").part_HBWHGLK5;const {
  problemsOf
}=require("./part-102.cjs").part_OUDFTIMK;const {
  failureMarkdown
}=require("./part-95.cjs").part_BLVQ66GF;const {
  carryOut,
  deedMarkdown,
  nothingLines,
  refuseMissingSecrets,
  waitUntilReady
}=require("./part-43.cjs").part_KBSCB2RM;require("./part-40.cjs").part_JLV4KSGL;require("./part-107.cjs").part_HO3WMWJF;require("./part-107.cjs").part_MXVH3ICS;require("./part-68.cjs").part_TKJ67INM;require("./part-102.cjs").part_4IQERMVV;const {
  openSettledPlan
}=require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-94.cjs").part_YZ7UDJWV;require("./part-93.cjs").part_FJCNLGFD;const {
  planningOf,
  reportOption,
  withWriting
}=require("./part-19.cjs").part_D3YXR7F6;const {
  lockSession,
  openSession,
  requireWritable
}=require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-95.cjs").part_HSR2BE55;const {
  commentLimit
}=require("./part-95.cjs").part_T5M5UDUZ;require("./part-100.cjs").part_U56CU4BQ;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;const {
  outputFile,
  writeOutput
}=require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;const {
  refuseEphemeral
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  isOfStacks,
  withStacks
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;const {
  changesText
}=require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  isYes,
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;const {
  asksForNothing,
  isEmpty
}=require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;const {
  placesOn
}=require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
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
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/cli/apply.ts
function applyCommand(command, provider, run) {
  withStacks(withWriting(command)).argument("[file]", "a plan saved by `plan --out`: applied without asking if it still matches").option("--auto-approve", "skip the confirmation").addOption(streamOption()).addOption(reportOption()).action(
    (file, given) => reported(given.report, run, () => applyGiven(file, given, provider, run))
  );
}
async function applyGiven(file, given, provider, run) {
  const { host } = run;
  if (isOfStacks(given)) {
    if (file !== void 0) throw fileOfStacks();
    return (await Promise.resolve().then(()=>require("./part-123.cjs").part_6L36XEUH)).applyAll(provider, given, run);
  }
  if (file !== void 0 && isSavedStacks(await readText(file, host)))
    return (await Promise.resolve().then(()=>require("./part-123.cjs").part_HDCASKOS)).applyStacksFile(provider, file, given, run);
  const terminal = terminalFor(run, given);
  const approved = file === void 0 ? void 0 : await approvedPlan(file, given, host);
  const options = { ...given, ...approved?.options };
  refuseEphemeral(options, host);
  const plans = file === void 0 ? [] : [file];
  const session = await openSession(provider, options, terminal, {
    plans,
    writes: true,
    guards: "apply"
  });
  try {
    requireWritable(session, options);
    if (approved || options.autoApprove) await lockSession(session, options, terminal);
    const planned = approved ? await planAsApproved(session, file, approved, planningOf(options, host)) : await openSettledPlan(
      session,
      planningOf(options, host, { unattended: options.autoApprove ?? false })
    );
    terminal.err(await ledgerLineOf(session));
    if (run.deed) run.deed.plan = planned.plan;
    const pace = await session.connection.paceNow(provider.pace);
    const fine = await showPlan(planned.plan, options, terminal, pace);
    if (!fine) run.exitCode = 1;
    else if (!isEmpty(planned.plan)) {
      refuseMissingSecrets(planned.plan.operations, session.secrets);
      const isToAgree = !approved && !asksForNothing(planned.plan);
      if (isToAgree && !await agreed(options, planned.plan, terminal)) return;
      if (!approved && !options.autoApprove) await lockSession(session, options, terminal);
      const current = approved || options.autoApprove ? planned : await planAsShown(session, planned, planningOf(options, host));
      await carryOut(session, current, options, terminal, {
        approval: options.autoApprove ? "flag" : "asked"
      });
    } else {
      terminal.stream?.(nothingLines(planned.plan));
      await keepLedgerCurrent(session, planned, options, terminal);
      await waitUntilReady(session, planned, terminal);
    }
  } finally {
    await session.close();
  }
}
var fileOfStacks = () => new Problems([
  problem("approval/options", "--all cannot be combined with a saved plan", {
    hint: "the file names its stacks"
  })
]);
async function agreed({ autoApprove }, plan, terminal) {
  if (autoApprove) return true;
  return isYes(terminal, {
    question: `Apply ${changesText(plan)}?`,
    unattended: problem("apply/unattended", "apply needs a terminal or --auto-approve; nothing was changed", {
      hint: "pass --auto-approve if the plan has already been approved"
    })
  });
}
var footRoom = 400;
async function reported(file, run, work) {
  if (file === void 0) return work();
  await outputFile(run.host, file);
  const deed = {};
  run.deed = deed;
  try {
    await work();
  } catch (error) {
    deed.failed = problemsOf(error);
    throw error;
  } finally {
    await writeOutput(run.host, file, reportOf(deed, run));
  }
}
function reportOf(deed, { stack, host }) {
  const places = placesOn(host);
  const { failed = [], outcome, plan } = deed;
  const text = deedMarkdown(outcome ? { ...deed, failed: void 0 } : deed, commentLimit - footRoom, places);
  if (text !== void 0) return text;
  const errors = failed.length > 0 ? failed : plan?.diagnostics ?? [];
  const failure = {
    command: "apply",
    done: "applied",
    diagnostics: errors,
    ...stack === void 0 ? {} : { stack }
  };
  return failureMarkdown(failure, commentLimit - footRoom, places);
}
return{applyCommand:applyCommand};})();exports.part_LBA23DCF=part_LBA23DCF;
