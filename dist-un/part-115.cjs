"use strict";const part_O4V4IYQW=(()=>{const {
  filledInput,
  idsOf
}=require("./part-89.cjs").part_FBETF43H;const {
  unlockSession
}=require("./part-89.cjs").part_JDYKD6X4;const {
  follow,
  lookupAt,
  shownText,
  standingOf
}=require("./part-91.cjs").part_2OZZAYPQ;const {
  exitCodes,
  worstOf
}=require("./part-80.cjs").part_RUA4AHDC;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  actionName
}=require("./part-88.cjs").part_GVLOUSOT;const {
  annotate
}=require("./part-15.cjs").part_BAXXSSA2;const {
  tookText
}=require("./part-106.cjs").part_J6NNXEVI;const {
  problem,
  warning
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;
;
;

// src/cli/await-actions.ts
async function awaitActions(session, planned, outcome, terminal) {
  const stop = new AbortController();
  const stopListening = session.host.onSignal(["SIGINT", "SIGTERM", "SIGHUP"], () => stop.abort());
  try {
    const ends = await endsOfActions(session, planned, outcome, { stop: stop.signal, terminal });
    if (ends.length > 0) tellEnds(ends, terminal);
  } finally {
    stopListening();
  }
}
async function endsOfActions(session, planned, { actions: outcomes = [] }, watching) {
  const waits = (planned.plan.actions ?? []).flatMap((action) => {
    const outcome = outcomes.find(({ id, result }) => id === action.id && result === "done");
    return action.wait !== void 0 && outcome ? [{ action, outcome, minutes: action.wait }] : [];
  });
  if (waits.length === 0) return [];
  await unlockSession(session);
  return Promise.all(waits.map((wait) => awaitOne(session, planned, wait, watching)));
}
async function awaitOne(session, planned, { action, outcome, minutes }, { stop, terminal }) {
  const { actions, lookups, queryOf } = await session.dayTwo();
  const { until } = actions.get(action.action);
  const lookup = lookups.get(until.lookup);
  const known = { ...planned, ledger: session.ledger };
  const ids = (action.about === void 0 ? void 0 : idsOf(action.about, known)) ?? /* @__PURE__ */ new Map();
  const sending = {
    input: outcome.input ?? filledInput(action, known) ?? {},
    ids: Object.fromEntries(ids),
    found: {},
    mark: ""
  };
  const ground = { send: session.connection.send, queryOf };
  const read = lookupAt(lookup, until.input({ ...sending, answer: outcome.answer ?? {} }), ids, ground);
  const { clock } = session.host;
  const started = clock.now();
  let state = "";
  const tell = (now) => {
    if (now !== state) terminal.err(`${actionName(action)}: ${now}`);
    state = now;
  };
  const stopped = new Promise((done) => stop.addEventListener("abort", () => done("stopped")));
  const end = await Promise.race([
    stopped,
    follow({
      // What was sent goes on, whether it can be looked at or not.
      look: () => read().catch((error) => {
        if (error.sent === void 0) throw error;
        return { why: session.masking.mask(error.message) };
      }),
      stand: (seen) => "why" in seen ? "under way" : standOf(lookup, seen.rows),
      onSeen: (seen) => tell("why" in seen ? `not known: ${seen.why}` : stateOf(lookup, seen.rows)),
      clock,
      stop,
      within: minutes * 6e4
    })
  ]);
  if (end === "reached") terminal.err(`${actionName(action)}: done after ${tookText(clock.now() - started)}`);
  return { end, action, minutes, state };
}
var stateOf = ({ end }, [row]) => row && end ? shownText(row[end.field]) : "not shown yet";
var standOf = (lookup, [row]) => row ? standingOf(row, lookup, []) : "under way";
function tellEnds(ends, terminal) {
  const diagnostics = ends.flatMap(({ end, action, minutes, state }) => {
    const name = actionName(action);
    const about = action.about === void 0 ? {} : { address: action.about };
    if (end === "ended")
      return [
        problem("then/ended", `${name} was sent and ended as ${state}`, {
          ...about,
          hint: "everything is applied and nothing is pending; see its log in the dashboard"
        })
      ];
    return end === "under way" ? [
      warning("then/under-way", `${name} is still running after ${minutes} min`, {
        ...about,
        hint: "it continues on its own: use `trueup wait`"
      })
    ] : [];
  });
  terminal.err(diagnosticsText(diagnostics, { style: terminal.errStyle }));
  annotate(diagnostics, terminal);
  const some = (wanted) => ends.some(({ end }) => end === wanted);
  if (some("stopped"))
    terminal.err("Stopped waiting. Everything is applied and recorded; what was sent continues.");
  terminal.run.exitCode = worstOf([
    terminal.run.exitCode,
    ...some("stopped") ? [exitCodes.interrupted] : [],
    ...some("ended") ? [exitCodes.failed] : [],
    ...some("under way") ? [exitCodes.tryAgainLater] : []
  ]);
}

return{awaitActions:awaitActions,endsOfActions:endsOfActions};})();exports.part_O4V4IYQW=part_O4V4IYQW;
const part_YB54PIJM=(()=>{const {
  awaitActions,
  endsOfActions
}=part_O4V4IYQW;require("./part-89.cjs").part_FBETF43H;require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_GVLOUSOT;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
return{awaitActions:awaitActions,endsOfActions:endsOfActions};})();exports.part_YB54PIJM=part_YB54PIJM;
