"use strict";const part_UFRXV3ZG=(()=>{const {
  jointHost
}=require("./part-49.cjs").part_LF44TMDE;const {
  keepLedgerCurrent
}=require("./part-103.cjs").part_TIADEP3J;const {
  refuseChanged,
  refuseOthers,
  refuseUnlikeShown
}=require("./part-103.cjs").part_NW56GQRD;const {
  inWorkspace,
  refuseOneStacks,
  sayLedgers,
  stackAccounts
}=require("./part-69.cjs").part_U3M6M6I2;const {
  readCache
}=require("./part-101.cjs").part_KZIZ3WVN;const {
  planStacks,
  showStacks,
  terminalOf
}=require("./part-73.cjs").part_W4EK7KUA;const {
  problemsOf
}=require("./part-102.cjs").part_OUDFTIMK;const {
  carryOut,
  nothingLines,
  refuseMissingSecrets,
  waitUntilReady
}=require("./part-43.cjs").part_KBSCB2RM;const {
  everyStack
}=require("./part-102.cjs").part_4IQERMVV;const {
  openPlan
}=require("./part-101.cjs").part_VCZ3M53L;const {
  planningOf
}=require("./part-19.cjs").part_D3YXR7F6;const {
  lockSession,
  unlockSession
}=require("./part-89.cjs").part_JDYKD6X4;const {
  errorCode,
  exitCodes,
  worstOf
}=require("./part-80.cjs").part_RUA4AHDC;const {
  inTurn,
  withAbsolutePaths,
  workspaceStacks
}=require("./part-124.cjs").part_6HBEUU6S;const {
  isFailed
}=require("./part-87.cjs").part_PVJV4EET;const {
  refuseEphemeral
}=require("./part-105.cjs").part_TEBTU3WD;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  isYes,
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;const {
  diagnosticLine
}=require("./part-80.cjs").part_C3KGDUFB;const {
  asksForNothing,
  isEmpty
}=require("./part-80.cjs").part_YAMT22MG;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  Problems,
  hasErrors,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/approval/plan-anew.ts
async function planAnew(session, agreed, options, awaited) {
  if ("approved" in agreed) refuseOthers(agreed.approved, session, agreed.file);
  const own = "approved" in agreed ? { ...options, review: isReview(agreed.approved) } : options;
  const open = "approved" in agreed && isBegun(session, agreed.approved) ? /* @__PURE__ */ new Map() : awaited;
  const [planned, blind] = await bothPlans(session, own, open);
  if ("approved" in agreed) refuseUnapproved(agreed, blind, session);
  else refuseUnlikeShown(agreed.shown, blind.plan);
  const errors = planned.plan.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Problems(errors);
  if (outline(planned.plan, open) !== outline(blind.plan, open))
    throw new Problems([
      problem(
        "apply/changed",
        "what other stacks created changes more of this plan than was approved, so nothing was applied",
        { hint: "plan again: what they created now exists" }
      )
    ]);
  return "approved" in agreed ? { ...planned, digest: agreed.approved.checksum } : planned;
}
function refuseUnapproved({ approved, file }, current, session) {
  const { plan } = current;
  const isOver = isBegun(session, approved) && isEmpty(plan) && !hasErrors(plan.diagnostics);
  if (!isOver) refuseChanged(approved, current, session, file);
}
async function bothPlans(session, options, awaited) {
  for (; ; ) {
    const { send } = readCache(session.connection.send);
    const reading = Object.assign(Object.create(session), {
      connection: { ...session.connection, send }
    });
    const planned = await openPlan(reading, options);
    if (planned.settlesIn === void 0)
      return [planned, awaited.size === 0 ? planned : await openPlan(reading, { ...options, awaited })];
    session.say(
      `Waiting ${Math.ceil(planned.settlesIn / 1e3)} s: the account may not show what the last run created yet.`
    );
    await session.clock.sleep(planned.settlesIn + 1);
  }
}
var isReview = ({ diagnostics }) => diagnostics.some(({ code }) => code === "secret/left-out");
var outline = ({ changes }, awaited) => canonical(
  changes.filter(({ address }) => !awaited.has(address)).map(({ address, action, grade, permissions = [], fields }) => [
    [address, action, grade, permissions],
    fields.map(({ path }) => path)
  ])
);
var isBegun = ({ ledger }, { checksum }) => ledger.plan === checksum;

// src/cli/apply-all.ts
async function applyAll(provider, given, run) {
  refuseOneStacks(given, run);
  refuseEphemeral(given, run.host);
  const terminal = terminalFor(run, given);
  run.stack = everyStack;
  const chosen = await workspaceStacks(provider, given, run);
  for (const note of chosen.notes) terminal.err(cleanLine(note));
  const options = withAbsolutePaths(given, run);
  const mode = { unattended: given.autoApprove ?? false };
  await withStacks(provider, options, terminal, chosen, async (accounts, joint) => {
    const planned = await planStacks(provider, options, terminal, chosen, {
      accounts,
      writes: true,
      mode,
      host: joint.member
    });
    await sayLedgers(planned, terminal, chosen.folder);
    const fine = showStacks(
      planned.map(({ report }) => report),
      given,
      terminal,
      await accounts.paceNow(provider.pace)
    );
    const able = planned.filter(({ report }) => !isFailed(report));
    if (able.length === 0) {
      terminal.err("Nothing was changed: no stack could be planned.");
      noteUnbegun(run, planned);
      run.exitCode = exitCodes.failed;
      return;
    }
    for (const text of leftOut(planned)) terminal.err(cleanLine(text));
    if (able.some(({ planned: one }) => !asksForNothing(one.plan)) && !given.autoApprove) {
      const unattended = problem(
        "apply/unattended",
        "apply needs a terminal or --auto-approve; nothing was changed",
        {
          hint: "pass --auto-approve if the plans have already been approved"
        }
      );
      if (!await isYes(terminal, { question: "Apply these changes to all of these stacks?", unattended }))
        return;
    }
    const around = { terminal, chosen: narrowed(chosen, able), accounts, joint, mode };
    await applyStacks(able, options, around, ({ planned: one }) => ({ shown: one.plan }));
    if (!fine && run.exitCode === exitCodes.done) run.exitCode = exitCodes.failed;
  });
}
function noteUnbegun({ deed }, planned) {
  if (deed)
    deed.parts = planned.map(({ report }) => {
      const { id, failed, plan } = report;
      const wrong = failed ?? (plan?.diagnostics ?? []).filter(({ severity }) => severity === "error");
      return wrong.length > 0 ? { id, failed: wrong } : { id, skipped: "Not started: not every stack could be planned." };
    });
}
function leftOut(planned) {
  const idsOf = (test) => planned.filter(({ report }) => isFailed(report) && test(report)).map(({ stack }) => stack.id);
  const broken = idsOf(({ skipped }) => skipped === void 0);
  const waiting = idsOf(({ skipped }) => skipped !== void 0);
  const [it, its] = broken.length === 1 ? ["it", "that"] : ["they", "these"];
  return [
    ...broken.length > 0 ? [`Skipped, since ${it} cannot be planned: ${broken.join(", ")}.`] : [],
    ...waiting.length > 0 ? [`Skipped, since ${waiting.length === 1 ? "it needs" : "they need"} ${its}: ${waiting.join(", ")}.`] : []
  ];
}
var narrowed = (chosen, able) => {
  const ids = new Set(able.map(({ stack }) => stack.id));
  return { ...chosen, chosen: chosen.chosen.filter(({ id }) => ids.has(id)) };
};
async function withStacks(provider, options, terminal, { folder }, use) {
  const accounts = stackAccounts(provider, options, inWorkspace(terminal, folder));
  const joint = jointHost(terminal.run.host);
  try {
    await use(accounts, joint);
  } finally {
    joint.close();
    await accounts.close();
  }
}
async function applyStacks(planned, options, { terminal, chosen, accounts, joint, mode }, agreedTo) {
  accounts.endReading();
  if (terminal.run.deed) terminal.run.deed.parts = [];
  joint.begin();
  for (const one of planned) {
    const others = planned.filter((other) => other !== one);
    one.session.changedBeside = new Set(
      others.flatMap(({ planned: its }) => its.plan.changes.map(({ address }) => address))
    );
  }
  const byId = new Map(planned.map((one) => [one.stack.id, one]));
  const ends = await inTurn(chosen.chosen, async (stack, needed) => {
    const one = byId.get(stack.id);
    const member = terminalOf(terminal, stack, chosen.folder, one.session.host);
    const deed = deedOf(stack.id, terminal, member);
    const failed = [...needed].filter(([, { isWhole }]) => !isWhole).map(([id]) => id);
    if (failed.length > 0) {
      deed.skipped = `Not applied: it needs ${failed.join(", ")}, which was not fully applied.`;
      member.err(deed.skipped);
      return { code: exitCodes.failed, isWhole: false };
    }
    if (joint.isEnding()) return stopped(member);
    try {
      return await applyOne(one, { ...one.options, settle: options.settle }, member, {
        agreed: agreedTo(one),
        joint,
        mode
      });
    } catch (error) {
      const wrong = problemsOf(error);
      deed.failed = wrong;
      if (member.stream) member.stream(wrong.map(diagnosticLine));
      else member.err(diagnosticsText(wrong, { style: member.errStyle }));
      return { code: errorCode(error), isWhole: false };
    }
  });
  const codes = [...ends.values()].map(({ code }) => code);
  terminal.run.exitCode = worstOf(codes);
  const done = codes.filter((code) => code === exitCodes.done).length;
  terminal.err(`${done} of ${ends.size} ${ends.size === 1 ? "stack is" : "stacks are"} up to date.`);
}
async function applyOne({ session, awaited = /* @__PURE__ */ new Map() }, options, member, { agreed, joint, mode }) {
  const own = session;
  try {
    await lockSession(own, options, member);
    const current = await planAnew(
      own,
      agreed,
      planningOf(options, own.host, { ...mode, part: "one" }),
      awaited
    );
    if (joint.isEnding()) return stopped(member);
    if (member.run.deed) member.run.deed.plan = current.plan;
    if (isEmpty(current.plan)) {
      if (member.stream) member.stream(nothingLines(current.plan));
      else member.out("No changes.");
      await keepLedgerCurrent(own, current, options, member);
      await waitUntilReady(own, current, member);
      return { code: member.run.exitCode, isWhole: member.run.exitCode === exitCodes.done };
    }
    refuseMissingSecrets(current.plan.operations, own.secrets);
    const approval = mode.unattended ? "flag" : "asked";
    const isWhole = await carryOut(own, current, options, member, { approval });
    return { code: member.run.exitCode, isWhole };
  } finally {
    await unlockSession(own);
  }
}
function deedOf(id, { run }, member) {
  const deed = { id };
  member.run.deed = deed;
  run.deed?.parts?.push(deed);
  return deed;
}
function stopped(member) {
  const text = "Not started: the run was stopped by a signal.";
  if (member.run.deed) member.run.deed.skipped = text;
  member.err(text);
  return { code: exitCodes.interrupted, isWhole: false };
}

return{refuseUnapproved:refuseUnapproved,isReview:isReview,isBegun:isBegun,applyAll:applyAll,noteUnbegun:noteUnbegun,withStacks:withStacks,applyStacks:applyStacks};})();exports.part_UFRXV3ZG=part_UFRXV3ZG;
const part_6L36XEUH=(()=>{const {
  applyAll,
  applyStacks,
  noteUnbegun,
  withStacks
}=part_UFRXV3ZG;require("./part-49.cjs").part_LF44TMDE;require("./part-103.cjs").part_TIADEP3J;require("./part-103.cjs").part_NW56GQRD;require("./part-69.cjs").part_U3M6M6I2;require("./part-101.cjs").part_KZIZ3WVN;require("./part-94.cjs").part_2PKLHWHB;require("./part-73.cjs").part_W4EK7KUA;require("./part-50.cjs").part_LW7MTB4U;require("./part-28.cjs").part_EOX35J2K;require("./part-116.cjs").part_LBJ4LO3O;require("./part-116.cjs").part_HBWHGLK5;require("./part-102.cjs").part_OUDFTIMK;require("./part-95.cjs").part_BLVQ66GF;require("./part-100.cjs").part_UC4YBZOG;require("./part-100.cjs").part_4H7KEJBJ;require("./part-120.cjs").part_7QH4ILEF;require("./part-43.cjs").part_KBSCB2RM;require("./part-40.cjs").part_JLV4KSGL;require("./part-107.cjs").part_HO3WMWJF;require("./part-107.cjs").part_MXVH3ICS;require("./part-68.cjs").part_TKJ67INM;require("./part-102.cjs").part_4IQERMVV;require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-94.cjs").part_YZ7UDJWV;require("./part-93.cjs").part_FJCNLGFD;require("./part-19.cjs").part_D3YXR7F6;require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-95.cjs").part_HSR2BE55;require("./part-95.cjs").part_T5M5UDUZ;require("./part-100.cjs").part_U56CU4BQ;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-21.cjs").part_DGVZ2EVC;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-117.cjs").part_QLYNIQGZ;require("./part-23.cjs").part_DTN5XV4U;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
return{applyAll:applyAll,applyStacks:applyStacks,noteUnbegun:noteUnbegun,withStacks:withStacks};})();exports.part_6L36XEUH=part_6L36XEUH;
const part_HDCASKOS=(()=>{const {
  applyStacks,
  isBegun,
  isReview,
  noteUnbegun,
  refuseUnapproved,
  withStacks
}=part_UFRXV3ZG;require("./part-49.cjs").part_LF44TMDE;require("./part-103.cjs").part_TIADEP3J;const {
  refuseOthers
}=require("./part-103.cjs").part_NW56GQRD;const {
  inWorkspace,
  refuseOneStacks,
  sayLedgers
}=require("./part-69.cjs").part_U3M6M6I2;require("./part-101.cjs").part_KZIZ3WVN;require("./part-94.cjs").part_2PKLHWHB;const {
  planStacks,
  showStacks
}=require("./part-73.cjs").part_W4EK7KUA;require("./part-50.cjs").part_LW7MTB4U;const {
  readStacksFile,
  refuseShaping,
  sealingOf
}=require("./part-28.cjs").part_EOX35J2K;require("./part-116.cjs").part_LBJ4LO3O;require("./part-116.cjs").part_HBWHGLK5;require("./part-102.cjs").part_OUDFTIMK;require("./part-95.cjs").part_BLVQ66GF;require("./part-100.cjs").part_UC4YBZOG;require("./part-100.cjs").part_4H7KEJBJ;require("./part-120.cjs").part_7QH4ILEF;require("./part-43.cjs").part_KBSCB2RM;require("./part-40.cjs").part_JLV4KSGL;require("./part-107.cjs").part_HO3WMWJF;require("./part-107.cjs").part_MXVH3ICS;require("./part-68.cjs").part_TKJ67INM;const {
  everyStack
}=require("./part-102.cjs").part_4IQERMVV;require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-94.cjs").part_YZ7UDJWV;require("./part-93.cjs").part_FJCNLGFD;require("./part-19.cjs").part_D3YXR7F6;require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;const {
  keyOf
}=require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-95.cjs").part_HSR2BE55;require("./part-95.cjs").part_T5M5UDUZ;require("./part-100.cjs").part_U56CU4BQ;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  exitCodes
}=require("./part-80.cjs").part_RUA4AHDC;const {
  withAbsolutePaths,
  workspaceStacks
}=require("./part-124.cjs").part_6HBEUU6S;require("./part-21.cjs").part_DGVZ2EVC;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;const {
  refuseEphemeral
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-117.cjs").part_QLYNIQGZ;require("./part-23.cjs").part_DTN5XV4U;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
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
;
;
;
;
;
;
;
;
;
;
;

// src/cli/apply-stacks-file.ts
async function applyStacksFile(provider, file, given, run) {
  refuseShaping(given);
  refuseOneStacks(given, run);
  refuseEphemeral(given, run.host);
  const terminal = terminalFor(run, given);
  run.stack = everyStack;
  const saved = await readStacksFile(file, run.host);
  const all = await workspaceStacks(provider, given, run);
  const parts = new Map(saved.parts.map((part) => [part.id, part]));
  const chosen = stacksOf(saved, all, file);
  await refuseUnsealed(saved, file, inWorkspace(terminal, all.folder).run, given);
  const options = { ...withAbsolutePaths(given, run), ...saved.parts[0].plan.options };
  const awaitedOf = ({ awaits = [] }) => new Map(awaits.map(({ address, stack }) => [address, stack]));
  await withStacks(provider, options, terminal, chosen, async (accounts, joint) => {
    const planned = await planStacks(provider, options, terminal, chosen, {
      accounts,
      writes: true,
      plans: [pathOn(run.host, file)],
      awaitedBy: ({ id }, session) => isBegun(session, parts.get(id).plan) ? /* @__PURE__ */ new Map() : awaitedOf(parts.get(id)),
      review: ({ id }) => isReview(parts.get(id).plan),
      host: joint.member
    });
    await sayLedgers(planned, terminal, chosen.folder);
    const reports = planned.map(({ report }) => report);
    const fine = showStacks(reports, given, terminal, await accounts.paceNow(provider.pace));
    if (!fine) {
      terminal.err("Nothing was changed: not every stack could be planned.");
      noteUnbegun(run, planned);
      run.exitCode = exitCodes.failed;
      return;
    }
    refuseOtherPlans(planned, parts, file);
    await applyStacks(planned, options, { terminal, chosen, accounts, joint, mode: {} }, ({ stack }) => ({
      file: `${file}, ${stack.id}`,
      approved: parts.get(stack.id).plan
    }));
  });
}
function stacksOf({ parts }, all, file) {
  const wrong = parts.flatMap(({ id, needs }) => {
    const stack = all.all.find((one) => one.id === id);
    if (stack && [...stack.needs].sort().join("\n") === [...needs].sort().join("\n")) return [];
    return [
      problem(
        "approval/configuration",
        stack ? `${file}: ${id} depends on different stacks than when it was planned` : `${file}: there is no stack ${id} in this workspace`,
        { hint: "plan again with `trueup plan --all --out FILE` and have the new plans approved" }
      )
    ];
  });
  if (wrong.length > 0) throw new Problems(wrong);
  const ids = new Set(parts.map(({ id }) => id));
  return { ...all, chosen: all.all.filter(({ id }) => ids.has(id)) };
}
async function refuseUnsealed(saved, file, { host }, options) {
  const seal = sealingOf(saved, await keyOf(options, host));
  if (seal.state === "sealed") return;
  const why = {
    none: `${file} is not sealed: it was made without a key, or its seal was removed`,
    unknown: `${file} is sealed with a key that is not available here`,
    broken: `${file} was edited after it was sealed, so it is not applied`
  }[seal.state];
  throw new Problems([
    problem(seal.state === "broken" ? "approval/edited" : "approval/not-sealed", why, {
      hint: "plan with the ledger key (`trueup plan --all --out FILE`) and have those plans approved"
    })
  ]);
}
function refuseOtherPlans(planned, parts, file) {
  const wrong = planned.flatMap(({ stack, session, planned: one }) => {
    const { plan } = parts.get(stack.id);
    const name = `${file}, ${stack.id}`;
    try {
      refuseOthers(plan, session, name);
      refuseUnapproved({ approved: plan, file: name }, one, session);
      return [];
    } catch (error) {
      if (error instanceof Problems) return error.diagnostics;
      throw error;
    }
  });
  if (wrong.length > 0) throw new Problems(wrong);
}
return{applyStacksFile:applyStacksFile};})();exports.part_HDCASKOS=part_HDCASKOS;
