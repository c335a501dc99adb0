"use strict";const part_LF44TMDE=(()=>{const {
  latest,
  messageOf
}=require("./part-107.cjs").part_HO3WMWJF;const {
  mostOfRecord,
  past,
  recordText
}=require("./part-107.cjs").part_MXVH3ICS;const {
  startedBy
}=require("./part-94.cjs").part_YZ7UDJWV;const {
  holdLease
}=require("./part-96.cjs").part_U5NJKFCI;const {
  documentsFor,
  keyOf,
  storeFor
}=require("./part-96.cjs").part_VFFBCGY7;const {
  keyless,
  recordName
}=require("./part-27.cjs").part_EN3WE5DN;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;const {
  version
}=require("./part-80.cjs").part_OT7RGJI3;const {
  wholeAddress
}=require("./part-106.cjs").part_AQPNOW65;const {
  Problems
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

// src/history/ledger-record.ts
async function ledgerRecord({ documents, ledger, key, by, now }, { changes, ...deed }) {
  const { run, old, beginning } = await latest(documents, ledger, key);
  const time = new Date(now()).toISOString();
  const addresses = Object.keys(changes?.entries ?? {});
  const count = new Set(addresses.map(wholeAddress)).size;
  const head = {
    ...beginning,
    ...deed,
    ...by,
    version,
    plan: "",
    start: time,
    end: time,
    outcome: deed.command === "rename" ? "renamed" : "done",
    done: changes && count > 0 ? { [past[changes.action]]: count } : {},
    failed: 0,
    notDone: 0
  };
  return {
    history: new Map([...old, [recordName(run), recordText(head, detailsOf(changes), key)]]),
    message: messageOf(head)
  };
}
function detailsOf(changes) {
  const all = Object.entries(changes?.entries ?? {}).map(
    ([address, { kind }]) => ({
      address,
      kind,
      action: changes.action,
      result: "done",
      fields: []
    })
  );
  let size = 0;
  const kept = all.filter((change) => {
    size += JSON.stringify(change).length;
    return size <= 10 * mostOfRecord;
  });
  return { changes: kept, ...kept.length < all.length ? { more: all.length - kept.length } : {} };
}
async function renamedHistory({
  from,
  to,
  ledger,
  stack,
  ...how
}) {
  const names = await from.history.names();
  const { history, message } = await ledgerRecord(
    { documents: from, ledger: { ...ledger, stack }, ...how },
    { command: "rename", was: ledger.stack }
  );
  if (from.place === to.place)
    return { arriving: { history, message }, leaving: { history: /* @__PURE__ */ new Map(), message } };
  const texts = await from.history.read(names);
  const others = (await to.history.names()).map((name) => [name, void 0]);
  return {
    arriving: { history: new Map([...others, ...texts, ...history]), message },
    leaving: { history: new Map(names.map((name) => [name, void 0])), message }
  };
}
async function copiedHistory({
  from,
  to,
  ledger,
  ...how
}) {
  const { history, message } = await ledgerRecord(
    { documents: from, ledger, ...how },
    { command: "copy", to: to.place }
  );
  const texts = await from.history.read(await from.history.names());
  const others = (await to.history.names()).map((name) => [name, void 0]);
  return {
    arriving: { history: new Map([...others, ...texts, ...history]), message },
    leaving: { history, message }
  };
}

// src/cli/leased-ledgers.ts
var withLedgers = (stacks, options, run, work) => withLedgersAt(new Map(stacks.map((stack) => [stack, { stack, options }])), options, run, work);
async function withLedgersAt(places, options, run, work) {
  const { host } = run;
  const terminal = terminalFor(run, options);
  const key = await keyOf(options, host);
  if (!key) throw new Problems([keyless]);
  const joint = jointHost(host);
  const leases = /* @__PURE__ */ new Map();
  const leased = async (stack, where) => {
    const documents = documentsFor(stack, where, host);
    const store = await storeFor(stack, where, host, key, documents);
    const own = { ...terminal, run: { ...run, host: joint.member() } };
    const lease = leases.get(documents.place) ?? await holdLease(documents, options, own);
    leases.set(documents.place, lease);
    return { stack, documents, store, lease };
  };
  try {
    const all = /* @__PURE__ */ new Map();
    for (const [name, { stack, options: options2 }] of [...places].sort(([one], [other]) => one < other ? -1 : 1))
      all.set(name, await leased(stack, options2));
    return await work(all, terminal);
  } finally {
    for (const lease of leases.values()) await lease.release();
  }
}
async function recordDeed({ documents, ...ledger }, options, { host }, deed) {
  const key = await keyOf(options, host);
  if (!key) throw new Problems([keyless]);
  return ledgerRecord({ documents, ledger, key, by: startedBy(host.env), now: host.clock.now }, deed);
}
function jointHost(host) {
  const listening = /* @__PURE__ */ new Set();
  const left = /* @__PURE__ */ new Set();
  let code;
  let isSignalled = false;
  let stop = () => {
  };
  const leaveTogether = () => {
    if (code !== void 0 && [...listening].every((member) => left.has(member))) host.exit(code);
  };
  return {
    isEnding: () => isSignalled || code !== void 0,
    begin() {
      stop = host.onSignal(["SIGINT", "SIGTERM", "SIGHUP"], () => {
        isSignalled = true;
      });
    },
    close: () => stop(),
    member() {
      const member = {};
      let listeners = 0;
      return {
        ...host,
        onSignal(signals, listener) {
          listeners++;
          listening.add(member);
          const end = host.onSignal(signals, listener);
          let isOver = false;
          return () => {
            if (isOver) return;
            isOver = true;
            end();
            if (--listeners === 0) listening.delete(member);
            leaveTogether();
          };
        },
        exit(given) {
          code = given;
          left.add(member);
          leaveTogether();
        }
      };
    }
  };
}

return{renamedHistory:renamedHistory,copiedHistory:copiedHistory,withLedgers:withLedgers,withLedgersAt:withLedgersAt,recordDeed:recordDeed,jointHost:jointHost};})();exports.part_LF44TMDE=part_LF44TMDE;
