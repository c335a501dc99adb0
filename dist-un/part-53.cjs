"use strict";const part_MTBSPHQQ=(()=>{const {
  standOf,
  waitCodes
}=require("./part-118.cjs").part_3QPNYUTH;const {
  formats,
  timeoutOption
}=require("./part-118.cjs").part_CYJG7AFP;const {
  pair,
  pairsOf,
  secretsFor
}=require("./part-56.cjs").part_O7OGUCZM;const {
  yamlText
}=require("./part-112.cjs").part_Q6WJRPVS;const {
  openGuards
}=require("./part-111.cjs").part_QQTIDIH5;const {
  Refused,
  openDeliveries,
  sendAction
}=require("./part-40.cjs").part_JLV4KSGL;const {
  latest,
  messageOf
}=require("./part-107.cjs").part_HO3WMWJF;const {
  recordText
}=require("./part-107.cjs").part_MXVH3ICS;require("./part-68.cjs").part_TKJ67INM;const {
  filledInput,
  requestOf,
  withLookups
}=require("./part-89.cjs").part_FBETF43H;const {
  aboutRun
}=require("./part-94.cjs").part_YZ7UDJWV;const {
  checkOption,
  guardsOption
}=require("./part-19.cjs").part_D3YXR7F6;const {
  Claims,
  lockSession,
  openSession,
  ownersIn,
  requireKey,
  requireWritable,
  unlockSession
}=require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;const {
  aboutOf,
  actionList,
  checkedInput,
  fieldsText,
  followLookup,
  formOf,
  lookupAt,
  lookupGround,
  memberOf,
  named,
  openFields,
  openReading,
  printDayTwo,
  typedInput
}=require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;const {
  standIns
}=require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;const {
  resolveSecrets
}=require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;const {
  recordName
}=require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-112.cjs").part_55Q3LCS5;require("./part-35.cjs").part_GHYH6KYJ;const {
  refuseEphemeral,
  sourcesFor,
  usesHome
}=require("./part-105.cjs").part_TEBTU3WD;const {
  home,
  makeHome
}=require("./part-92.cjs").part_2JBIBOC6;const {
  emptyLedger
}=require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;const {
  wordsOf
}=require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  withLockWait,
  withStackAccount
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;const {
  findFiles
}=require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_GVLOUSOT;require("./part-72.cjs").part_VZPGGW2W;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  isYes,
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;const {
  quoted
}=require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;const {
  operationLines
}=require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;const {
  version
}=require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;const {
  jsonText,
  jsonValue
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  revealed
}=require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  hasErrors,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { randomUUID }=require("node:crypto");const { join }=require("node:path");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/cli/run-action.ts
;

// src/cli/agree-to-action.ts
async function agreedTo(action, request, about, { autoApprove, confirm, verbose }, { owner, masking }, terminal) {
  const { name, grade, why, cost } = action;
  const word = about?.address ?? name;
  const { errStyle: style } = terminal;
  const risk = [
    ...grade === "safe" ? [] : [`${grade}: ${why}`],
    ...cost === void 0 ? [] : [`costs money: ${cost}`]
  ];
  terminal.err(
    masking.mask(
      [
        `${style.strong(name)}${about ? ` ${about.address}` : ""} in ${owner.type === "team" ? `team ${owner.slug}` : "the personal account"}`,
        ...risk.map((text) => `  ${style.warn(text)}`),
        ...operationLines({ requests: [request] }, { style, verbose: verbose ?? false }).map(
          (line) => `  ${line}`
        )
      ].join("\n")
    )
  );
  const isGrave = cost !== void 0 || grade === "irreversible";
  if (confirm !== void 0 && confirm !== word)
    throw new Problems([
      problem("run/confirm", `--confirm says ${JSON.stringify(confirm)}, but this acts on ${word}`, {
        hint: "nothing was sent"
      })
    ]);
  if (isGrave) return confirm !== void 0 || saidAgain(word, action, terminal);
  if (autoApprove || confirm !== void 0) return true;
  return isYes(terminal, {
    question: "\nSend this?",
    no: "Nothing was sent.",
    unattended: problem("run/unattended", `${name} needs a terminal or --auto-approve; nothing was sent`, {
      hint: "pass --auto-approve if this has already been approved"
    })
  });
}
async function saidAgain(word, { name }, terminal) {
  if (!terminal.canAsk)
    throw new Problems([
      problem(
        "run/confirm",
        `${name} costs money or cannot be undone: --auto-approve is not enough; nothing was sent`,
        {
          hint: `if this has already been approved, pass --confirm ${word}`
        }
      )
    ]);
  if (await terminal.ask(`
Type ${word} to send this: `) === word) return true;
  terminal.err("Nothing was sent.");
  terminal.run.exitCode = 1;
  return false;
}

// src/cli/await-action.ts
async function awaitAction({ until }, { sending, answer, ids, lookups }, { timeout }, ground, terminal) {
  const lookup = lookups.get(until.lookup);
  const read = lookupAt(lookup, until.input({ ...sending, answer }), ids, lookupGround(ground));
  const { standing } = await followLookup(lookup, () => read(), {
    terminal,
    columns: lookup.columns ?? Object.keys(lookup.output),
    within: timeout * 1e3,
    stand: standOf(lookup, [])
  });
  const words = {
    reached: "Done.",
    ended: "It did not finish successfully.",
    "under way": `Still under way after ${timeout} s: \`trueup wait ${lookup.name}\` keeps waiting.`,
    stopped: "Stopped waiting. The work itself continues."
  };
  terminal.err(words[standing]);
  terminal.run.exitCode = waitCodes[standing];
}
function printAnswer({ name }, about, row, { format, json }, masking, terminal) {
  const form = json ? "json" : format ?? "table";
  const document = {
    formatVersion: "1.0",
    action: name,
    ...about ? { address: about.address } : {},
    result: jsonValue(row)
  };
  const text = form === "json" ? jsonText(document) : form === "yaml" ? yamlText(document) : fieldsText(row, terminal.outStyle);
  terminal.out(masking.mask(text));
  terminal.err(`Done: ${name}${about ? ` ${about.address}` : ""}.`);
}

// src/action/plan-of.ts
function planOf({ name, grade, why, cost, shows }, planned) {
  const { stack, account, about, request, secretTo: secretTo2 } = planned;
  const address = about?.address ?? name;
  const change = {
    address,
    kind: about?.kind ?? name,
    action: "update",
    fields: [],
    grade,
    reason: `run ${name}`,
    run: name,
    undo: { can: "no", why: "an action cannot be undone" },
    ...why === void 0 ? {} : { gradeReason: why },
    ...cost === void 0 ? {} : { permissions: ["cost"] },
    ...secretTo2 === void 0 ? {} : {
      after: {
        address,
        kind: name,
        fields: {},
        meta: { secretTo: secretTo2 },
        index: 0,
        at: { file: "", line: 0, column: 0 }
      }
    }
  };
  const shown = shows === void 0 ? {} : { shows: { address, path: shows.split(".") } };
  return {
    stack,
    ...account ? { account } : {},
    complete: true,
    partial: true,
    changes: [change],
    operations: [
      {
        id: `run ${name} ${address}`,
        kind: change.kind,
        changes: [address],
        requests: [{ ...request, ...shown }],
        dependsOn: []
      }
    ],
    unmanaged: [],
    diagnostics: []
  };
}

// src/history/action-record.ts
var results = { begun: "planned", done: "done", failed: "failed" };
async function openActionRecord({ documents, ledger, key, by, now }, { action, about, ...deed }) {
  const { run, old, beginning } = await latest(documents, ledger, key);
  const time = () => new Date(now()).toISOString();
  const start = time();
  const beside = (outcome) => {
    const head = {
      ...beginning,
      command: "run",
      action,
      ...deed,
      ...by,
      version,
      plan: "",
      start,
      ...outcome === "begun" ? {} : { end: time() },
      outcome,
      done: {},
      failed: outcome === "failed" ? 1 : 0,
      notDone: 0
    };
    const changes = about ? [{ ...about, action: "noop", result: results[outcome], fields: [] }] : [];
    return {
      history: new Map([...old, [recordName(run), recordText(head, { changes }, key)]]),
      message: messageOf(head)
    };
  };
  return { run, name: `run ${run}${by.actor ? `, ${cleanLine(by.actor.name)}` : ""}`, beside };
}

// src/cli/refuse-action.ts
async function refuseOthers(session, about, { otherStack }) {
  if (!about || otherStack) return;
  const { ledger, desired, kinds } = session;
  const ownerOf = ownersIn(await session.others, kinds);
  for (const place of [...about.places].reverse()) {
    const stack = ownerOf(place);
    if (stack === void 0) {
      const entry = ledger.entries[place.address];
      const block = desired.resources.get(place.address);
      if (entry && !entry.existing || block && !block.meta.existing) return;
      continue;
    }
    throw new Problems([
      problem("run/other-stack", `${place.address} belongs to the stack ${stack}`, {
        address: place.address,
        hint: `run it from the configuration of ${stack}, or pass --other-stack`
      })
    ]);
  }
}
async function refuseProtected(session, { name, grade, why }, about) {
  if (!about || grade !== "destructive" && grade !== "irreversible") return;
  const { ledger, desired, kinds } = session;
  const claims = new Claims(await session.others, kinds);
  for (const place of about.places) {
    const isOurs = ledger.entries[place.address]?.protect || desired.resources.get(place.address)?.meta.protect;
    const claim = claims.of(place, place.address);
    if (!isOurs && !claim?.entry.protect) continue;
    const whose = isOurs ? "" : ` by the stack ${claim.by.stack}`;
    throw new Problems([
      problem("guard/protected", `${place.address} is protected${whose}, and ${name} is ${grade}: ${why}`, {
        address: place.address,
        hint: "remove `$protect` where it is declared and apply that first"
      })
    ]);
  }
}

// src/cli/run-ground.ts
async function openGround(provider, options, terminal) {
  return await isOfStack(options, terminal.run.host) ? stackGround(provider, options, terminal) : accountGround(provider, options, terminal);
}
async function isOfStack({ team, personal, file }, { cwd }) {
  if (team !== void 0 || personal) return false;
  if (file) return true;
  const { files } = await findFiles(cwd, void 0);
  return files.length > 0;
}
async function accountGround(provider, options, terminal) {
  const { host } = terminal.run;
  const reading = await openReading(provider, options, terminal);
  const { masking } = reading;
  const judges = await openGuards(provider, options, { host, files: [], masking, writes: true }).catch(
    async (error) => {
      await reading.close();
      throw error;
    }
  );
  terminal.err("Running without a configuration: nothing is recorded, and ownership is not checked.");
  return {
    ...reading,
    judge: (action, about, request) => judged(planOf(action, { stack: "", ...places(about), request }), judges, terminal),
    owed: {},
    filled: async (input) => input,
    recorded: (_, work) => work(),
    onInterrupt: (listener) => host.onSignal(["SIGINT", "SIGTERM", "SIGHUP"], listener)
  };
}
async function stackGround(provider, options, terminal) {
  const { host } = terminal.run;
  refuseEphemeral(options, host);
  const session = await openSession(provider, options, terminal, { writes: true, guards: "apply" });
  try {
    requireWritable(session, options);
  } catch (error) {
    await session.close();
    throw error;
  }
  const { kinds, configuration, connection, owner, masking, account, desired } = session;
  return {
    ...{ kinds, configuration, connection, owner, masking },
    baseUrl: session.ledger.baseUrl,
    operations: await provider.operations(),
    around: { connection, owner, kinds, configuration, options, host },
    judge: async (action, about, request) => {
      await refuseOthers(session, about, options);
      await refuseProtected(session, action, about);
      const plan = planOf(action, { stack: desired.stack, account, ...places(about), request });
      await judged(plan, session.guards, terminal);
    },
    owed: session.ledger.owed ?? {},
    filled: async (input) => {
      const known = { desired, live: { resources: /* @__PURE__ */ new Map() }, ledger: session.ledger };
      return filledInput(
        { input: await withLookups(input, desired.lookups, session.lookUp) },
        known
      );
    },
    recorded: (deed, work) => recordedIn(session, options, terminal, { ...deed, work }),
    onInterrupt(listener) {
      const { lease } = session;
      lease.onInterrupt = listener;
      return () => {
        lease.onInterrupt = () => lease.abandon();
      };
    },
    close: () => session.close()
  };
}
var places = (about) => about ? { about: { address: about.address, kind: about.places.at(-1).kind } } : {};
async function judged(plan, judge, terminal) {
  const found = await judge?.judge(plan) ?? [];
  if (hasErrors(found)) throw new Problems(found);
  terminal.err(diagnosticsText(found, { style: terminal.errStyle }));
}
async function recordedIn(session, options, terminal, { name, about, settled, debt, work }) {
  const { host, documents } = session;
  await lockSession(session, options, terminal);
  try {
    if (debt !== void 0 && !session.ledger.owed?.[debt])
      throw new Problems([
        problem("run/changed", `${debt} is not owed any more: another run was faster; nothing was sent`, {
          hint: "`trueup log` shows which"
        })
      ]);
    if (usesHome(options, host)) await makeHome(host);
    const key = await requireKey(session, options);
    const { stage, commit, actor, ci } = await aboutRun(session, options, {});
    const record = await openActionRecord(
      {
        documents,
        ledger: session.ledger,
        key,
        by: { ...actor ? { actor } : {}, ...ci ? { ci } : {} },
        now: host.clock.now
      },
      {
        action: name,
        ...places(about),
        ...stage === void 0 ? {} : { stage },
        ...commit ? { commit } : {},
        approval: options.autoApprove ? "flag" : "asked"
      }
    );
    const write = async (outcome) => {
      await session.lease.confirm();
      const lastWrite = new Date(host.clock.now()).toISOString();
      const ledger = outcome === "done" ? withoutDebts(session.ledger, settled) : session.ledger;
      const next = { ...ledger, lastRun: record.name, lastWrite };
      session.ledger = await session.store.write(next, { beside: record.beside(outcome) });
    };
    await write("begun");
    let result;
    try {
      result = await work();
    } catch (error) {
      if (!error.isUnknown) await write("failed");
      throw error;
    }
    await write("done");
    return result;
  } finally {
    await unlockSession(session);
  }
}
function withoutDebts({ owed = {}, ...rest }, ids) {
  const left = Object.entries(owed).filter(([id]) => !ids.includes(id));
  return left.length > 0 ? { ...rest, owed: Object.fromEntries(left) } : rest;
}

// src/cli/secret-of-action.ts
;
async function deliveryOf(action, request, about, options, { masking, configuration }, terminal) {
  const { name, shows } = action;
  const to = secretTo(options);
  if (shows === void 0) {
    if (to === void 0) return void 0;
    throw new Problems([problem("run/no-secret", `${name} returns no secret, so there is none to deliver`)]);
  }
  if (to === void 0)
    throw new Problems([
      problem(
        "run/secret-to",
        `${name} returns a secret that is shown only once, and no destination is given`,
        {
          hint: "pass --secret-to FILE, --secret-to-command or `--secret-to discard`; nothing was sent"
        }
      )
    ]);
  const { host } = terminal.run;
  const place = about && { address: about.address, kind: about.places.at(-1).kind };
  const plan = planOf(action, { stack: "", request, secretTo: to, ...place ? { about: place } : {} });
  const deliveries = openDeliveries(
    { plan, ledger: emptyLedger("", "", "") },
    {
      cwd: host.cwd,
      env: host.env,
      judgeCommand: sourcesFor(options, host, terminal).judgeCommand,
      reserved: [
        home,
        ...configuration.files,
        ...[options.tokenFile, options.ledger].filter((file) => file !== void 0)
      ],
      twinFolder: options.twin ? join(home, "twin", "secrets") : void 0,
      say: terminal.err
    }
  );
  await deliveries.check();
  return {
    async deliver(answer) {
      const secret = memberOf(answer, shows);
      if (typeof secret !== "string")
        throw new Problems([
          problem("run/no-secret", `the answer to ${name} has no secret at ${shows}, although it succeeded`)
        ]);
      const sealed = new Sealed(secret);
      masking.know(sealed);
      await deliveries.deliver(to, sealed, plan.changes[0].address);
      if (to !== "discard" && "file" in to && !options.twin) terminal.err(`Its secret is in ${to.file}.`);
    }
  };
}
function secretTo({ secretTo: file, secretToCommand: words }) {
  if (words !== void 0) {
    const command = wordsOf(words);
    if (!command?.length)
      throw new Problems([problem("run/secret-to", "--secret-to-command needs a program")]);
    return { command };
  }
  if (file === void 0) return void 0;
  return file === "discard" ? "discard" : { file };
}

// src/cli/run-action.ts
async function runAction(provider, { action, address, lookups }, options, terminal) {
  refuseOdd(action, options);
  const words = pairsOf(options.input);
  const { about: named2, asked } = withoutAbout(action, address, words);
  const secret = pairsOf(options.secretInput);
  const isOwed = options.again || options.skip;
  const typed = isOwed ? {} : typedInput(
    asked,
    without(
      action.input,
      secret.map(([name]) => name)
    ),
    taking(action)
  );
  const ground = await openGround(provider, options, terminal);
  let done;
  try {
    const about = await aboutFor(action, named2, ground);
    const debts = debtsFor(action, about, ground);
    const debt = isOwed ? theDebt(action, about, debts) : void 0;
    if (options.skip) return await skip(action, about, debt, options, ground, terminal);
    const input = {
      ...debt ? await owedInput(debt, ground) : typed,
      ...await secretInput(action, secret, ground, options, terminal)
    };
    const isPaid = (one) => one === debt || canonical(one[1].input) === canonical(revealed(input));
    const settled = debts.filter(isPaid).map(([id]) => id);
    const ids = about?.ids ?? /* @__PURE__ */ new Map();
    const given = { input, ids, mark: randomUUID() };
    const reading = lookupGround(ground);
    const request = await requestOf(action, given, reading);
    if ("nothing" in request) return terminal.err(`Nothing to do: ${request.nothing}.`);
    if ("busy" in request) throw notNow(action, request.busy);
    const delivery = await deliveryOf(action, request.request, about, options, ground, terminal);
    await ground.judge(action, about, request.request);
    if (!await agreedTo(action, request.request, about, options, ground, terminal)) return;
    const answer = await ground.recorded({ name: action.name, about, settled, debt: debt?.[0] }, async () => {
      if (action.finds) refuseOther(action, request.request, await requestOf(action, given, reading));
      const { clock } = terminal.run.host;
      const stop = new AbortController();
      const stopListening = ground.onInterrupt(() => stop.abort());
      const how = { clock, stop: stop.signal, say: terminal.err };
      return sendAction(action, request.request, {
        ...reading,
        lookups,
        ids,
        mark: given.mark,
        since: clock.now(),
        ...how
      }).finally(stopListening);
    });
    done = { sending: request.sending, answer };
    const row = rowOf(action, answer);
    await delivery?.deliver(answer);
    printAnswer(action, about, row, options, ground.masking, terminal);
    if (options.wait) await awaitAction(action, { ...done, ids, lookups }, options, ground, terminal);
  } finally {
    await ground.close();
  }
}
var debtsFor = ({ name }, about, { owed }) => Object.entries(owed).filter(([, one]) => one.action === name && one.about === about?.address);
function theDebt({ name }, about, debts) {
  const what = [name, about?.address].filter((part) => part !== void 0).join(" ");
  const [first, second] = debts;
  if (first && !second) return first;
  throw new Problems([
    first ? problem(
      "run/not-owed",
      `${debts.length} of ${what} are pending: ${debts.map(([id]) => id).join(", ")}`,
      {
        hint: "run it with its --input instead of --again: that completes the one with this input"
      }
    ) : problem("run/not-owed", `no ${what} of this stack is pending`, {
      hint: "`trueup plan` shows pending actions; to just run it, drop --again and --skip"
    })
  ]);
}
async function owedInput([id, { input }], ground) {
  const filled = await ground.filled(input);
  if (filled) return filled;
  throw new Problems([
    problem("run/not-owed", `what ${id} is given cannot be told here`, {
      hint: "run it with its --input in place of --again, and then drop it with --skip"
    })
  ]);
}
async function skip({ name }, about, [id, { run = "an earlier run" }], { autoApprove }, ground, terminal) {
  const isAgreed = autoApprove || await isYes(terminal, {
    question: `Drop ${id}, pending since ${run}?`,
    unattended: problem("run/unattended", "run needs a terminal or --auto-approve; nothing was changed", {
      hint: "pass --auto-approve if this has already been approved"
    })
  });
  if (!isAgreed) return;
  await ground.recorded({ name: `${name} (skipped)`, about, settled: [id], debt: id }, async () => {
  });
  terminal.err(`Dropped: ${id}, pending since ${run}. Nothing was sent.`);
}
var taking = ({ name }) => ({ what: name, flag: "--input" });
var rowOf = ({ output, item }, answer) => openFields(memberOf(answer, item) ?? {}, output);
function without(all, names) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
}
function withoutAbout({ name, on }, address, words) {
  const given = words.filter(([field]) => field === on).map(([, value]) => value);
  const all = [...address === void 0 ? [] : [address], ...given];
  if (all.length > 1)
    throw new Problems([problem("asked/about", `${name} acts on one ${on}, but two are given`)]);
  if (address !== void 0 && on === void 0)
    throw new Problems([
      problem("asked/about", `${name} acts on the account and takes no address`, {
        hint: "pass its input with --input"
      })
    ]);
  return { about: all[0], asked: words.filter(([field]) => field !== on) };
}
async function aboutFor({ name, on }, named2, { kinds, around }) {
  if (on === void 0) return void 0;
  if (named2 !== void 0) return aboutOf(named2, on, around);
  throw new Problems([
    problem("asked/missing", `${name} acts on a ${on}, but none is given`, {
      hint: `name it: \`trueup run ${name} ${formOf(on, kinds)}\``
    })
  ]);
}
async function secretInput(action, words, { configuration, kinds, masking }, options, terminal) {
  if (words.length === 0) return {};
  const { host } = terminal.run;
  const { cwd, env } = host;
  const sources = sourcesFor(options, host, terminal);
  const secrets = await secretsFor(
    configuration,
    { secretField: words.map((pair2) => pair2.join("=")) },
    (declared) => options.twin ? standIns(declared, kinds) : resolveSecrets(declared, { env, cwd, sources })
  );
  for (const one of secrets.values()) masking.know(one);
  const raw = Object.fromEntries([...secrets].map(([name, value]) => [name, value.reveal()]));
  const unknown = Object.keys(raw).filter((name) => !Object.hasOwn(action.input, name));
  if (unknown.length > 0)
    throw new Problems(
      unknown.map((name) => problem("asked/unknown", `${action.name} takes no ${quoted(name)}`))
    );
  checkedInput(
    raw,
    Object.fromEntries(Object.keys(raw).map((name) => [name, action.input[name]])),
    taking(action)
  );
  return Object.fromEntries(secrets);
}
var notNow = ({ name }, why) => new Refused(
  [problem("run/busy", `${name} cannot be sent now: ${why}`, { hint: "run it again once that is over" })],
  { isForLater: true }
);
function refuseOther({ name }, shown, now) {
  if ("request" in now && canonical(revealed(now.request)) === canonical(revealed(shown))) return;
  throw new Problems([
    problem("run/changed", `the request for ${name} changed after it was shown; nothing was sent`, {
      hint: "run it again to see the current request"
    })
  ]);
}
function refuseOdd({ name, until }, { wait }) {
  if (wait && !until)
    throw new Problems([
      problem("run/no-wait", `${name} finishes with its response: there is nothing to wait for`, {
        hint: "drop --wait"
      })
    ]);
}

// src/cli/run.ts
function runCommand(command, provider, run) {
  withLockWait(withStackAccount(command)).argument("[action]", "the action: `redeploy`, `promote`, `verify`").argument("[address]", "its target: `projects/web`, or just the name for top-level objects").option("--list", "list all actions, or describe the named one").option("--input <name=value>", "an input of the action; dots make nested members; repeatable", pair).option("--secret-input <name=secret>", "an input set to a secret of the configuration; repeatable", pair).addOption(
    new Option(
      "--secret-to <file>",
      "where to put a secret from the response: a file that git ignores, or `discard`"
    ).conflicts("secretToCommand")
  ).option(
    "--secret-to-command <words>",
    "a program that reads it from standard input; needs --allow-command"
  ).option("--wait", "wait until it finishes").addOption(timeoutOption()).option("--auto-approve", "skip the confirmation").option(
    "--confirm <address>",
    "confirm an action that costs money or cannot be undone: repeat the address, or the action's name if it has none"
  ).option("--again", "send a pending action even though it may already have run").addOption(new Option("--skip", "drop a pending action").conflicts(["again", "wait"])).option("--other-stack", "act on an object that another stack owns").option("--team <slug>", "the team, without a configuration; nothing is recorded").addOption(
    new Option("--personal", "the token's personal account, without a configuration").conflicts("team")
  ).addOption(new Option("--format <format>", "output format").choices(formats).default("table")).option("--json", "same as --format json").option("--ephemeral-ledger", "continue in CI even though the ledger is lost afterwards").addOption(guardsOption()).addOption(checkOption()).action(async (name, address, given) => {
    const options = { ...given, parallelism: 1 };
    const terminal = terminalFor(run, options);
    const dayTwo = await provider.dayTwo();
    if (options.list) return printDayTwo(actionList(dayTwo.actions), name, "actions", options, terminal);
    if (name === void 0)
      throw new Problems([
        problem("run/usage", "no action given", { hint: "`trueup run --list` lists all" })
      ]);
    const action = named(name, dayTwo.actions, "action", "trueup run --list");
    await runAction(provider, { action, address, lookups: dayTwo.lookups }, options, terminal);
  });
}
return{runCommand:runCommand};})();exports.part_MTBSPHQQ=part_MTBSPHQQ;
