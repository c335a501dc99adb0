"use strict";const part_VJFP742N=(()=>{const {
  copiedHistory,
  recordDeed,
  renamedHistory,
  withLedgers,
  withLedgersAt
}=require("./part-49.cjs").part_LF44TMDE;const {
  ledgerLine
}=require("./part-94.cjs").part_2PKLHWHB;require("./part-107.cjs").part_HO3WMWJF;require("./part-107.cjs").part_MXVH3ICS;const {
  startedBy
}=require("./part-94.cjs").part_YZ7UDJWV;const {
  addKeyCommand,
  holdLease,
  makeKey,
  removeLease
}=require("./part-96.cjs").part_U5NJKFCI;require("./part-98.cjs").part_WVTPVLPE;const {
  copiedAway,
  documentsFor,
  keyOf,
  ledgerOf,
  storeFor
}=require("./part-96.cjs").part_VFFBCGY7;const {
  holderText,
  parseLease
}=require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;const {
  Conflict,
  isVerified,
  keyless
}=require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;const {
  loadConfiguration,
  sourcesFor
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;const {
  emptyLedger,
  isStackName
}=require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  ledgerHelp,
  ledgerIndexOption,
  number,
  withColor,
  withConfiguration,
  withLockWait,
  withSources
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_GVLOUSOT;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  isYes,
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;const {
  isWithin
}=require("./part-106.cjs").part_BACZRMMV;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { hash }=require("node:crypto");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/ledger/copy-ledger.ts
async function copyLedger(from, to, historyOf = async () => void 0) {
  const [here, there] = [from.documents.place, to.documents.place];
  const old = await from.store.read();
  if (!old || old.stack !== from.stack) throw noLedger(from, old);
  from.store.requireVerified({ evenCopied: true });
  const known = await to.store.read();
  if (known) to.store.requireVerified({ evenCopied: true });
  if (old.copiedTo !== void 0) {
    if (old.copiedTo === there && known) return false;
    throw copiedAway(here, old.copiedTo);
  }
  if (from.store.journalText() !== void 0) await from.lease.confirm();
  const whole = from.store.journalText() === void 0 ? old : await from.store.write(old);
  const kept = await from.documents.read("ledger");
  const before = await to.documents.read("ledger");
  const isReturn = known?.copiedTo === here;
  if (before && before.text !== kept.text && !isReturn) throw takenPlace(to, known);
  const history = await historyOf(whole);
  if (before?.text !== kept.text) {
    await to.lease.confirm();
    await to.documents.write("ledger", kept.text, { expected: before?.version, beside: history?.arriving });
  }
  await from.lease.confirm();
  await from.store.write({ ...whole, copiedTo: there }, { beside: history?.leaving });
  await from.store.close();
  return true;
}
var noLedger = ({ stack, store }, found) => new Problems([
  found ? problem("ledger/foreign", `the ledger ${store.place} belongs to ${found.stack}, not to ${stack}`, {
    hint: "check the place, and --file and --stage, which select the ledger"
  }) : problem("ledger/none", `there is no ledger of ${stack} at ${store.place}`, {
    hint: "check the place; FROM and TO take the same values as --ledger"
  })
]);
var takenPlace = ({ store }, there) => new Problems([
  problem(
    "ledger/exists",
    `there is already a ledger at ${store.place}, of ${there.stack}, with ${Object.keys(there.entries).length} entries`,
    { hint: "both may own objects: compare them with `trueup ledger list`; nothing was changed" }
  )
]);
async function renameLedger(from, to, historyOf = async () => void 0) {
  const old = await from.store.read();
  const there = to.documents.place === from.documents.place ? void 0 : await to.store.read();
  if (!old || old.stack !== from.stack) throw noSuchLedger(from, to, old, there);
  from.store.requireVerified();
  if (there) {
    to.store.requireVerified();
    if (contentOf(there) !== contentOf({ ...old, stack: to.stack })) throw taken(from, to, there);
  }
  const kept = from.store.journalText() === void 0 ? old : await written(from, old);
  const history = await historyOf(kept);
  if (to.documents.place === from.documents.place) {
    const renamed = await written(from, { ...kept, stack: to.stack }, history?.arriving);
    await from.store.close();
    return renamed;
  }
  const made = there ?? await written(to, { ...kept, stack: to.stack, generation: 0 }, history?.arriving);
  await from.lease.confirm();
  const last = await from.documents.read("ledger");
  if (last) await from.documents.remove("ledger", { expected: last.version, beside: history?.leaving });
  await from.store.close();
  await to.store.close();
  return made;
}
async function written({ lease, store }, ledger, beside) {
  await lease.confirm();
  return store.write(ledger, { beside });
}
var contentOf = ({ generation: _, writtenAt: __, ...rest }) => canonical(rest);
function noSuchLedger({ stack, store }, to, found, there) {
  if (found)
    return new Problems([
      problem("ledger/foreign", `the ledger ${store.place} belongs to ${found.stack}, not to ${stack}`, {
        hint: `check the names: \`trueup ledger rename ${found.stack} ${to.stack}\``
      })
    ]);
  return new Problems([
    problem("ledger/none", `there is no ledger of ${stack} at ${store.place}`, {
      hint: there?.stack === to.stack ? `there is one of ${to.stack}: it was renamed before` : "check the name, and --ledger"
    })
  ]);
}
var taken = (from, to, there) => new Problems([
  problem(
    "ledger/exists",
    `${to.stack} already has a ledger with ${Object.keys(there.entries).length} entries: ${to.store.place}`,
    {
      hint: `both may own objects: compare them with \`trueup ledger list\`; nothing was changed, and ${from.stack} keeps its own`
    }
  )
]);

// src/ledger/move-entries.ts
var unrecorded = async () => void 0;
async function moveEntries(from, to, isMoved, record = unrecorded) {
  const old = await owned(from);
  const there = await to.store.read();
  if (there && there.stack !== to.stack)
    throw refused(
      "ledger/foreign",
      `the ledger ${to.store.place} belongs to ${there.stack}`,
      "check --ledger"
    );
  to.store.requireVerified();
  const addresses = Object.keys(old.entries).filter(
    (address) => !old.entries[address].existing && isMoved(address)
  );
  if (addresses.length === 0)
    throw refused(
      "ledger/nothing",
      `the stack ${from.stack} owns nothing that matches`,
      "`trueup ledger list` shows what it owns"
    );
  const unsettled = [old, there].find((one) => one && (one.begun || one.staged));
  if (unsettled)
    throw refused(
      "ledger/unsettled",
      `a run of ${unsettled.stack} was interrupted, and its outcome is not known yet`,
      "run `trueup apply` for it first"
    );
  const home = there ?? emptyLedger(old.baseUrl, old.owner, to.stack);
  const entries = { ...home.entries };
  const moved = {};
  for (const address of addresses) {
    const [entry, known] = [old.entries[address], entries[address]];
    if (known && !known.existing && canonical(known) !== canonical(entry))
      throw refused(
        "ledger/both",
        `${address} is in both ledgers with different content`,
        `forget it in one of them: \`trueup ledger forget '${address}'\``
      );
    entries[address] = entry;
    moved[address] = entry;
  }
  for (const address of addresses) borrowAround(address, old.entries, entries);
  if (canonical(entries) !== canonical(there?.entries ?? {})) {
    const beside2 = await record(to, home, moved);
    await to.lease.confirm();
    await to.store.write({ ...home, entries }, { beside: beside2 });
  }
  const left = { ...old.entries };
  for (const address of addresses) delete left[address];
  for (const address of Object.keys(left)) borrowAround(address, old.entries, left);
  dropUnused(left);
  const beside = await record(from, old, moved);
  await from.lease.confirm();
  await from.store.write({ ...old, entries: left }, { beside });
  await from.store.close();
  await to.store.close();
  return addresses;
}
async function retire(ledger, record = unrecorded) {
  const old = await owned(ledger, { evenCopied: true });
  const { begun: _, staged: __, ...rest } = old;
  const claims = Object.entries(old.entries).filter(([, { existing }]) => !existing);
  const beside = await record(ledger, old, Object.fromEntries(claims));
  await ledger.lease.confirm();
  await ledger.store.write({ ...rest, entries: {} }, { beside, evenCopied: true });
  await ledger.store.close();
  return claims.length;
}
async function owned({ stack, store }, how) {
  const ledger = await store.read();
  if (!ledger || ledger.stack !== stack)
    throw refused(
      "ledger/none",
      `there is no ledger of ${stack} at ${store.place}`,
      "check the name, and --ledger"
    );
  store.requireVerified(how);
  return ledger;
}
function borrowAround(address, known, entries) {
  for (const [around, entry] of Object.entries(known))
    if (around !== address && isWithin(address, around))
      entries[around] ??= { ...entry, fields: {}, secrets: {}, existing: true };
}
function dropUnused(entries) {
  const addresses = Object.keys(entries);
  for (const address of addresses)
    if (entries[address].existing && !addresses.some((one) => one !== address && isWithin(one, address)))
      delete entries[address];
}
var refused = (code, message, hint) => new Problems([problem(code, message, { hint })]);

// src/cli/move-ledger.ts
function addCopy(ledger, stackOf, run) {
  withLockWait(withSources(withConfiguration(ledger.command("copy")))).argument("<from>", "where the ledger is now, in the form --ledger takes").argument("<to>", "where to move it").description("copy the ledger of a stack to another place, which is authoritative from then on").addOption(ledgerIndexOption()).action(async (from, to, options) => {
    const stack = await stackOf(options);
    const { host } = run;
    const place = (ledger2) => ({ stack, options: { ...options, ledger: ledger2 } });
    const [here, there] = [from, to].map((one) => documentsFor(stack, place(one).options, host).place);
    if (here === there)
      throw new Problems([
        problem("ledger/same", `source and destination are the same: ${here}`, {
          hint: "trueup ledger copy git postgres://db.example.com/trueup"
        })
      ]);
    await withLedgersAt(
      /* @__PURE__ */ new Map([
        [from, place(from)],
        [to, place(to)]
      ]),
      options,
      run,
      async (ledgers, terminal) => {
        const [old, next] = [ledgers.get(from), ledgers.get(to)];
        const key = await keyOf(options, host);
        const isDone = await copyLedger(
          old,
          next,
          (kept) => copiedHistory({
            from: old.documents,
            to: next.documents,
            ledger: kept,
            key,
            by: startedBy(host.env),
            now: host.clock.now
          })
        );
        terminal.out(
          cleanLine(
            `${isDone ? "Copied" : "Already copied"}: the ledger of ${stack} is at ${there}. The one at ${here} points there and can no longer be applied to.`
          )
        );
      }
    );
  });
}
function addRename(ledger, run) {
  withLockWait(withColor(ledger.command("rename"))).argument("<old>", "the old stack name").argument("<new>", "the new stack name: NAME, or NAME@STAGE").description("rename a stack's ledger; no object changes").option("--ledger <path>", ledgerHelp).addOption(ledgerIndexOption()).option("--twin", "the embedded twin's ledger").action(async (old, name, options) => {
    const wrong = [old, name].filter((one) => !isStackName(one));
    if (wrong.length > 0 || old === name) throw noName(wrong[0] ?? name, wrong.length > 0);
    await withLedgers([old, name], options, run, async (ledgers, terminal) => {
      const [from, to] = [ledgers.get(old), ledgers.get(name)];
      const key = await keyOf(options, run.host);
      const kept = await renameLedger(
        from,
        to,
        (ledger2) => renamedHistory({
          from: from.documents,
          to: to.documents,
          ledger: ledger2,
          stack: name,
          key,
          by: startedBy(run.host.env),
          now: run.host.clock.now
        })
      );
      terminal.out(
        cleanLine(`Renamed: the ledger of ${old} is now that of ${name}. No object was touched.`)
      );
      const store = from.documents.place === to.documents.place ? from.store : to.store;
      terminal.err(ledgerLine(store, kept, run.host.clock.now()));
    });
  });
}
var noName = (name, isWrong) => new Problems([
  problem("ledger/name", isWrong ? `${name} is not a valid stack name` : `both names are ${name}`, {
    hint: "trueup ledger rename shop shop@production"
  })
]);
function addMoving(ledger, stackOf, run) {
  withLockWait(withSources(withConfiguration(ledger.command("move")))).argument("<address>", "an address, or a glob of addresses").option("--to <stack>", "the new owner: NAME, or NAME@STAGE").description("transfer ownership to another stack; no object changes").option("--ledger <path>", ledgerHelp).addOption(ledgerIndexOption()).option("--twin", "the embedded twin's ledger").action(async (glob, options) => {
    const { to } = options;
    if (to === void 0)
      throw new Problems([
        problem("ledger/name", "no new owner given", {
          hint: `trueup ledger move '${glob}' --to STACK`
        })
      ]);
    const stack = await stackOf(options);
    refuseName(to, stack);
    await withLedgers([stack, to], options, run, async (ledgers, terminal) => {
      const [home, next] = [ledgers.get(stack), ledgers.get(to)];
      const moved = await moveEntries(
        home,
        next,
        matcherOf([glob]),
        (ledger2, written2, entries) => recordDeed({ ...written2, documents: ledger2.documents }, options, run, {
          command: "move",
          ...ledger2 === home ? { to } : { from: stack },
          changes: { action: ledger2 === home ? "forget" : "adopt", entries }
        })
      );
      for (const address of moved) terminal.out(cleanLine(address));
      terminal.err(
        cleanLine(
          `${count(moved.length, "object")} of ${stack} ${moved.length === 1 ? "is" : "are"} now owned by ${to}. Move the ${moved.length === 1 ? "block" : "blocks"} as well before applying either stack.`
        )
      );
    });
  });
  withLockWait(withColor(ledger.command("retire"))).argument("<stack>", "the name of the stack that is gone: NAME, or NAME@STAGE").description("drop all ownership of a stack that is gone; its objects stay as they are").option("--ledger <path>", ledgerHelp).addOption(ledgerIndexOption()).option("--twin", "the embedded twin's ledger").option("--force", "skip the confirmation").action(async (stack, options) => {
    refuseName(stack);
    await withLedgers([stack], options, run, async (ledgers, terminal) => {
      const unattended2 = problem(
        "retire/unattended",
        "ledger retire needs a terminal or --force; nothing was changed",
        {
          hint: "pass --force once you are sure that the stack is gone"
        }
      );
      const question2 = cleanLine(`Is the stack ${stack} gone for good? Its objects will have no owner.`);
      if (!options.force && !await isYes(terminal, { question: question2, unattended: unattended2 })) return;
      const number2 = await retire(
        ledgers.get(stack),
        ({ documents }, written2, entries) => recordDeed({ ...written2, documents }, options, run, {
          command: "retire",
          changes: { action: "forget", entries }
        })
      );
      terminal.out(
        cleanLine(
          `Retired: ${stack} no longer owns anything. ${count(number2, "object")} stayed as they are.`
        )
      );
    });
  });
}
function refuseName(name, other) {
  if (isStackName(name) && name !== other) return;
  throw new Problems([
    problem(
      "ledger/name",
      isStackName(name) ? `it is already owned by ${name}` : `${name} is not a valid stack name`,
      { hint: "trueup ledger move 'projects/site/domains/**' --to web" }
    )
  ]);
}

// src/cli/sign-ledger.ts
;
async function signLedger(now, open2, lock, record, options, terminal) {
  const shown = await open2();
  const digest = digestOf(shown);
  const { store, ledger } = shown;
  const proof = store.proof();
  terminal.err(ledgerLine(store, ledger, now()));
  if (isVerified(proof) && !proof.previous) {
    terminal.out("The current key has already signed it.");
    return true;
  }
  if (!isVerified(proof)) {
    showEntries(shown, digest, terminal);
    if (!await agreed(shown, digest, options, terminal)) return false;
  }
  const lease = await lock();
  try {
    const current = await open2();
    if (digestOf(current) !== digest)
      throw new Problems([
        problem(
          "sign/changed",
          `the ledger ${store.place} changed after it was shown, so it was not signed`,
          {
            hint: "review it again"
          }
        )
      ]);
    const beside = await record(current);
    await lease.confirm();
    const kept = await current.store.write(current.ledger, { trusted: true, beside });
    await current.store.close();
    terminal.out(`Signed: ${ledgerLine(current.store, kept, now())}`);
    return true;
  } finally {
    await lease.release();
  }
}
var digestOf = ({ text, store }) => hash("sha256", `${text}${store.journalText() ?? ""}`, "hex");
function showEntries({ documents, ledger }, digest, terminal) {
  const { entries, baseUrl, owner, stack, generation } = ledger;
  const { quiet } = terminal.outStyle;
  for (const [address, { kind, ids, origin, existing, onRemove, tainted }] of Object.entries(entries)) {
    const marks = [onRemove && "deleted with its block", tainted && "to be replaced"].filter(Boolean);
    const what = [kind, existing ? "not ours" : origin, ids.join(" ") || "no id of its own", ...marks];
    terminal.out(cleanLine(`${address}  ${quiet(what.join(", "))}`));
  }
  for (const address of Object.keys(ledger.begun ?? {}))
    terminal.out(cleanLine(`${address}  ${quiet("an interrupted run was about to create it")}`));
  const commit = documents.commit?.();
  terminal.err(
    cleanLine(
      `${count(Object.keys(entries).length, "object")} of the stack ${stack}, of ${owner} at ${baseUrl}; generation ${generation}, digest ${digest}${commit ? `, commit ${commit}` : ""}.`
    )
  );
}
async function agreed({ store, ledger }, digest, options, terminal) {
  const isNamed = options.generation !== void 0 || options.digest !== void 0;
  const flags = `--generation ${ledger.generation} --digest ${digest}`;
  if (isNamed) {
    if (options.generation === ledger.generation && options.digest === digest) return true;
    throw new Problems([
      problem("sign/other", `the ledger ${store.place} is not the one you named, so it was not signed`, {
        hint: `review the current one; if it is right: ${flags}`
      })
    ]);
  }
  return isYes(terminal, {
    question: "Is all of this yours? Once signed, apply deletes what it lists and the configuration does not declare.",
    unattended: problem(
      "sign/unattended",
      "ledger sign needs a terminal or --generation and --digest; nothing was signed",
      {
        hint: `if this is exactly what the stack owns: \`trueup ledger sign ${flags}\``
      }
    )
  });
}

// src/cli/ledger.ts
function ledgerCommand(ledger, provider, run) {
  const stackOf = async (options) => (await loadConfiguration(provider, options, run, { sources: sourcesFor(options, run.host) })).desired.stack;
  addLooking(ledger, stackOf, run);
  addForget(ledger, stackOf, run);
  addKeyCommand(ledger, run);
  addSigning(ledger, stackOf, run);
  addRename(ledger, run);
  addMoving(ledger, stackOf, run);
  addCopy(ledger, stackOf, run);
}
function addLooking(ledger, stackOf, run) {
  withLedger(ledger.command("list")).description("list the addresses that this stack owns").action(async (options) => {
    const terminal = terminalFor(run, options);
    const { store, ledger: held } = await open(await stackOf(options), options, run.host);
    const { quiet } = terminal.outStyle;
    for (const [address, { kind, ids, origin, existing }] of Object.entries(held.entries))
      terminal.out(
        `${address}  ${quiet(`${kind}, ${existing ? "not ours" : origin}, ${ids.join(" ") || "no id of its own"}`)}`
      );
    terminal.err(`${count(Object.keys(held.entries).length, "object")}.`);
    terminal.err(ledgerLine(store, held, run.host.clock.now()));
  });
  withLedger(ledger.command("show")).argument("<address>").description("show one entry").action(async (address, options) => {
    const { ledger: held } = await open(await stackOf(options), options, run.host);
    terminalFor(run, options).out(jsonText({ address, ...entryOf(held, address) }));
  });
}
function addForget(ledger, stackOf, run) {
  const { host } = run;
  withLockWait(withLedger(ledger.command("forget"))).argument("<address>").description("stop owning an object, without touching it").action(async (address, options) => {
    const terminal = terminalFor(run, options);
    const stack = await stackOf(options);
    const key = await keyOf(options, host);
    if (!key) throw new Problems([keyless]);
    const lease = await holdLease(documentsFor(stack, options, host), options, terminal);
    try {
      const { documents, store, ledger: held } = await open(stack, options, host, key);
      const entry = entryOf(held, address);
      store.requireVerified();
      const { [address]: _, ...entries } = held.entries;
      const beside = await recordDeed({ ...held, documents }, options, run, {
        command: "forget",
        changes: { action: "forget", entries: { [address]: entry } }
      });
      await lease.confirm();
      await store.write({ ...held, entries }, { beside });
      terminal.out(`Forgotten: ${address}. The object stays as it is.`);
    } finally {
      await lease.release();
    }
  });
}
function addSigning(ledger, stackOf, run) {
  const { host } = run;
  withLockWait(withLedger(ledger.command("sign"))).description("sign a ledger that this key did not sign, after reviewing it").option("--generation <n>", "the reviewed generation, for non-interactive use", number(0)).option("--digest <sha256>", "the reviewed digest").action(async (options) => {
    const terminal = terminalFor(run, options);
    const stack = await stackOf(options);
    const key = await keyOf(options, host) ?? await makeKey(await open(stack, options, host), options, host);
    const done = await signLedger(
      host.clock.now,
      () => open(stack, options, host, key),
      () => holdLease(documentsFor(stack, options, host), options, terminal),
      ({ documents, ledger: held }) => recordDeed({ ...held, documents }, options, run, { command: "sign" }),
      options,
      terminal
    );
    if (!done) run.exitCode = 1;
  });
  withLedger(ledger.command("unlock")).description("remove the lease of a run that is gone").option("--force", "skip the confirmation").action(
    async (options) => unlockLedger(
      documentsFor(await stackOf(options), options, run.host),
      options,
      terminalFor(run, options)
    )
  );
}
async function open(stack, options, host, key) {
  let text = "";
  const place = documentsFor(stack, options, host);
  const documents = {
    ...place,
    read: async (name) => {
      const found = await place.read(name);
      if (name === "ledger") text = found?.text ?? "";
      return found;
    }
  };
  const store = await storeFor(stack, options, host, key ?? await keyOf(options, host), documents);
  const ledger = await ledgerOf(stack, store);
  if (!ledger)
    throw new Problems([
      problem("ledger/none", `there is no ledger at ${store.place}`, {
        hint: "the first `trueup apply` creates it"
      })
    ]);
  return { documents, text, store, ledger };
}
var entryOf = (held, address) => {
  const entry = held.entries[address];
  if (!entry)
    throw new Problems([
      problem("ledger/unknown", `the ledger has no entry for ${address}`, {
        hint: "`trueup ledger list` shows its entries"
      })
    ]);
  return entry;
};
var withLedger = (command) => withSources(withConfiguration(command)).option("--ledger <path>", ledgerHelp).addOption(ledgerIndexOption()).option("--twin", "the embedded twin's ledger");
var unattended = problem(
  "unlock/unattended",
  "ledger unlock needs a terminal or --force; nothing was changed",
  {
    hint: "pass --force once you are sure that the run is gone"
  }
);
var question = "Is that run really gone? If not, two runs would work at once.";
async function takeLeftLock(documents, force, terminal) {
  const left = await documents.leftLock?.();
  if (!left) return;
  terminal.err(cleanLine(`The place ${documents.place} itself is locked by ${left.holder}.`));
  if (!force && !await isYes(terminal, { question, unattended })) return;
  await left.take();
  terminal.out("Its lock was removed.");
}
async function unlockLedger(documents, { force = false }, terminal) {
  const { place } = documents;
  const { run } = terminal;
  const { now } = run.host.clock;
  await takeLeftLock(documents, force, terminal);
  const found = await documents.read("lease");
  if (!found) return terminal.out(`No run holds the lease of the ledger ${place}.`);
  const record = parseLease(found.text);
  const who = record ? `in use by ${holderText(record, now())}` : "locked by a lease in an unknown format";
  terminal.err(`The ledger ${place} is ${who}.`);
  if (!force && !await isYes(terminal, { question, unattended })) return;
  await removeLease(documents, found).catch((error) => {
    if (!(error instanceof Conflict)) throw error;
    throw new Problems([
      problem(
        "unlock/changed",
        `the lease of the ledger ${place} just changed: its holder is still working`,
        {
          hint: "wait for it; nothing was changed"
        }
      )
    ]);
  });
  terminal.out(`The ledger ${place} is unlocked.`);
}
return{ledgerCommand:ledgerCommand};})();exports.part_VJFP742N=part_VJFP742N;
