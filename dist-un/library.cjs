"use strict";module.exports=(()=>{const {
  hosting
}=require("./part-110.cjs").part_CTT3WHFK;require("./part-106.cjs").part_XLIZT65J;require("./part-13.cjs").part_AQ5AAHW5;const {
  endsOfActions
}=require("./part-115.cjs").part_O4V4IYQW;const {
  apply,
  applyingOf,
  askedIn,
  awaitAsked,
  lookerOf,
  refuseMissingSecrets,
  verify
}=require("./part-43.cjs").part_KBSCB2RM;require("./part-40.cjs").part_JLV4KSGL;require("./part-107.cjs").part_HO3WMWJF;require("./part-107.cjs").part_MXVH3ICS;require("./part-68.cjs").part_TKJ67INM;require("./part-102.cjs").part_4IQERMVV;const {
  openSettledPlan
}=require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-94.cjs").part_YZ7UDJWV;require("./part-93.cjs").part_FJCNLGFD;const {
  planningOf,
  standardSettle
}=require("./part-19.cjs").part_D3YXR7F6;const {
  loadFor,
  lockSession,
  openSession,
  requireWritable,
  unlockSession
}=require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;const {
  render
}=require("./part-121.cjs").part_7DPEZD4R;require("./part-93.cjs").part_UFNWTKGU;require("./part-95.cjs").part_HSR2BE55;require("./part-95.cjs").part_T5M5UDUZ;require("./part-100.cjs").part_U56CU4BQ;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  processHost
}=require("./part-80.cjs").part_NTS7RKFG;require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-112.cjs").part_55Q3LCS5;require("./part-87.cjs").part_PVJV4EET;const {
  planText
}=require("./part-87.cjs").part_3FS5QSBH;const {
  refuseEphemeral
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  standard
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;const {
  asksForNothing
}=require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  hasErrors,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { Readable, Writable }=require("node:stream");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/library/apply-opened.ts
async function applyOpened(opened, given) {
  const { session, planned, options, terminal } = opened;
  const { host } = session;
  if (opened.isBegun)
    throw new Problems([
      problem(
        "apply/again",
        "this plan is being applied or was applied already: a plan can be applied only once",
        {
          hint: "close it and open a new one with `openPlan`, which shows what is left to do"
        }
      )
    ]);
  const { diagnostics, operations } = planned.plan;
  if (hasErrors(diagnostics)) throw new Problems(diagnostics.filter(({ severity }) => severity === "error"));
  refuseEphemeral(options, host);
  requireWritable(session, options);
  refuseMissingSecrets(operations, session.secrets);
  opened.isBegun = true;
  await lockSession(session, options, terminal).catch((error) => {
    delete opened.isBegun;
    throw error;
  });
  const outcome = await apply(session, planned, {
    ...applyingOf(session, planned, options),
    ...given.parallelism === void 0 ? {} : { parallelism: given.parallelism },
    ...given.onEvent ? { onEvent: given.onEvent } : {},
    ...given.signal ? { stop: given.signal } : {}
  });
  if (outcome.failed.length + outcome.skipped.length + outcome.left.length > 0) return { outcome };
  const verified = await verify(session, planned, {
    ...planningOf(options, host),
    within: options.settle * 1e3,
    onWait: () => {
    },
    stop: given.signal ?? new AbortController().signal
  });
  const notReady = await waitFor(session, verified.planned, given);
  const unfinished = await followActions(opened, outcome, given);
  return {
    outcome,
    after: verified.planned.plan,
    ...notReady.length > 0 ? { notReady } : {},
    ...unfinished.length > 0 ? { unfinished } : {}
  };
}
async function followActions({ session, planned, terminal }, outcome, { signal: stop = new AbortController().signal }) {
  const ends = await endsOfActions(session, planned, outcome, { stop, terminal });
  return ends.flatMap(({ action, minutes, end, state }) => {
    const words = {
      ended: `it ended as ${state}`,
      "under way": `it is still running after ${minutes} min`,
      stopped: "the wait was called off"
    };
    return end === "reached" ? [] : [{ id: action.id, why: words[end] }];
  });
}
async function waitFor(session, planned, { signal, onWait }) {
  const asked = askedIn(planned.plan);
  if (asked.length === 0) return [];
  await unlockSession(session);
  const left = new Map(asked.map(({ address, why }) => [address, why]));
  await awaitAsked(asked, {
    look: lookerOf(session, planned),
    clock: session.clock,
    stop: signal ?? new AbortController().signal,
    onEvent(event) {
      if (event.type === "ready") left.delete(event.address);
      else left.set(event.address, event.type === "gone" ? "it no longer exists" : event.why);
      onWait?.(event);
    }
  });
  return [...left].map(([address, why]) => ({ address, why }));
}

// src/library/host.ts
;
var listenerOf = (host) => ({
  ...terminalFor({ host, exitCode: 0 }, { color: false }),
  toRunner: () => {
  }
});
function hostFor({ cwd, env, say }) {
  const own = processHost();
  const sink = (tell) => new Writable({
    write(chunk, _, done) {
      tell?.(String(chunk).trimEnd());
      done();
    }
  });
  return {
    stdin: Readable.from([]),
    stdout: sink(),
    stderr: sink(say),
    env: env ?? own.env,
    cwd: cwd ?? own.cwd,
    processes: own.processes,
    clock: own.clock,
    onSignal: () => () => {
    },
    exit: (code) => {
      throw new Error(`the run ended with ${code}`);
    },
    engine: { ...own.engine, starting: () => {
    }, started: () => {
    } }
  };
}

// src/library.ts
var loadedOf = /* @__PURE__ */ new WeakMap();
var sessionOf = /* @__PURE__ */ new WeakMap();
async function load(given = {}) {
  const host = hostFor(given);
  const options = {
    ...standard,
    settle: standardSettle,
    file: given.files,
    var: given.variables,
    varFile: given.variableFiles,
    stage: given.stage,
    allowEnv: given.allowEnv,
    allowEnvShown: given.allowEnvShown,
    allowFiles: given.allowFiles,
    allowCommand: given.allowCommand
  };
  const loaded = await loadFor(hosting, options, listenerOf(host));
  const { desired, diagnostics } = loaded.configuration;
  const configuration = {
    stack: desired.stack,
    resources: desired.resources,
    diagnostics,
    text: () => render(loaded.configuration)
  };
  loadedOf.set(configuration, { host, options, loaded });
  return configuration;
}
async function openPlan(configuration, given = {}) {
  const { host: at, options: read, loaded } = known(loadedOf, configuration, "load");
  const host = given.token === void 0 ? at : { ...at, env: { ...at.env, TRUEUP_TOKEN: given.token } };
  const options = {
    ...read,
    twin: given.twin,
    baseUrl: given.baseUrl,
    ledger: given.ledger,
    limits: given.limits,
    target: given.targets,
    exclude: given.excludes,
    delete: given.deletions,
    maxDeletions: given.maxDeletions,
    overwriteConflicts: given.overwriteConflicts,
    allow: given.allow,
    settle: given.settle ?? (given.twin ? 0 : standardSettle)
  };
  const terminal = listenerOf(host);
  const session = await openSession(hosting, options, terminal, { loaded });
  try {
    const planned = await openSettledPlan(session, planningOf(options, host, { unattended: true }));
    const { plan } = planned;
    const pace = await session.connection.paceNow(hosting.pace);
    const open = {
      plan,
      isEmpty: asksForNothing(plan),
      hasErrors: hasErrors(plan.diagnostics),
      text: () => planText(plan, { style: terminal.outStyle, pace, requests: false }),
      close: () => session.close()
    };
    sessionOf.set(open, { session, planned, options, terminal });
    return open;
  } catch (error) {
    await session.close();
    throw error;
  }
}
var apply2 = async (open, given = {}) => applyOpened(known(sessionOf, open, "openPlan"), given);
var startTwin = (given = {}) => hosting.startTwin(given);
function known(all, key, maker) {
  const found = all.get(key);
  if (!found) throw new TypeError(`this is not what \`${maker}\` gave`);
  return found;
}
return{Problems:Problems,apply:apply2,load:load,openPlan:openPlan,startTwin:startTwin};})();
