"use strict";const part_EIQ465PR=(()=>{const {
  planAsShown
}=require("./part-103.cjs").part_NW56GQRD;const {
  doubtText,
  noRun,
  openHistory,
  runNumber,
  sayDoubts
}=require("./part-60.cjs").part_PHFSSWKC;const {
  ledgerLine
}=require("./part-94.cjs").part_2PKLHWHB;const {
  showPlan
}=require("./part-50.cjs").part_LW7MTB4U;require("./part-116.cjs").part_LBJ4LO3O;require("./part-116.cjs").part_HBWHGLK5;const {
  carryOut,
  refuseMissingSecrets
}=require("./part-43.cjs").part_KBSCB2RM;require("./part-40.cjs").part_JLV4KSGL;require("./part-107.cjs").part_HO3WMWJF;const {
  isOfAction,
  isOfLedger
}=require("./part-107.cjs").part_MXVH3ICS;require("./part-68.cjs").part_TKJ67INM;require("./part-102.cjs").part_4IQERMVV;const {
  isFile,
  openSettledPlan,
  recreatedFields,
  takesNull
}=require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;const {
  revertsOf
}=require("./part-94.cjs").part_YZ7UDJWV;require("./part-93.cjs").part_FJCNLGFD;const {
  planningOf,
  withWriting
}=require("./part-19.cjs").part_D3YXR7F6;const {
  loadFor,
  lockSession,
  openSession,
  requireWritable
}=require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-95.cjs").part_HSR2BE55;require("./part-95.cjs").part_T5M5UDUZ;require("./part-100.cjs").part_U56CU4BQ;const {
  isVerified,
  keyless
}=require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  exitCodes
}=require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;const {
  configurationAt,
  refuseEphemeral
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;const {
  changesText
}=require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  isYes,
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;const {
  isEmpty
}=require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;const {
  globOf
}=require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;const {
  wholeAddress
}=require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  atPath,
  fieldsOf,
  isPlainObject
}=require("./part-80.cjs").part_DGIOX4B4;const {
  definedOnly
}=require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  hasErrors,
  problem,
  warning
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { dirname, relative }=require("node:path");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/plan/undone.ts
var wasOutside = /* @__PURE__ */ new Set(["drift", "conflict", "unknown"]);
function undone({ changes, old, own, ledger, kinds }) {
  const resources = new Map(old.resources);
  const after = new Map(old.resources);
  const handedBack = /* @__PURE__ */ new Map();
  const letGo = /* @__PURE__ */ new Set();
  const addresses = [];
  const notes = [];
  const note = (code, address, text) => notes.push(warning(`undo/${code}`, `${address}: ${text}`, { address }));
  for (const change of changes) {
    const { address, action } = change;
    const kind = kinds.get(change.kind);
    const before = old.resources.get(address);
    if (!kind || !before && !ledger.entries[address]) continue;
    if (!before && action !== "create" && action !== "adopt") {
      note(
        "renamed",
        address,
        "the earlier configuration does not have it under this name, so it is left as it is"
      );
      continue;
    }
    addresses.push(address);
    if (action === "create" || action === "delete" || action === "release" || action === "forget") {
      if (action === "delete" && change.fields.some(({ secret }) => secret))
        note("secret", address, "a secret in it is gone: it is restored with its current value, if any");
      if (action === "delete" && before) {
        const { extra, lost } = recreatedFields(change, before, kind);
        for (const { path, secret } of lost)
          if (!secret) note("not-kept", address, `the record does not contain the old value of \`${path}\``);
        resources.set(address, withFields(before, extra));
        if (extra.length > 0) handedBack.set(address, new Set(extra.map(([path]) => path)));
      }
      continue;
    }
    const taken = before ?? own.resources.get(address);
    if (!taken) {
      note("renamed", address, "the configuration of the run does not name it, so it is left as it is");
      addresses.pop();
      continue;
    }
    const restored = restoredFields(
      change,
      before ?? { ...taken, fields: {} },
      kind,
      (text, code) => note(code, address, text)
    );
    const all = [...restored.declared, ...restored.extra];
    if (before) {
      after.set(address, withFields(before, restored.declared));
      resources.set(address, withFields(before, all));
      if (restored.extra.length > 0) handedBack.set(address, new Set(restored.extra.map(([path]) => path)));
    } else if (all.length === 0) resources.set(address, { ...taken, meta: { ...taken.meta, forget: true } });
    else {
      resources.set(address, withFields(taken, all));
      letGo.add(address);
    }
  }
  return {
    desired: { ...old, resources },
    after: { ...old, resources: after },
    addresses,
    handedBack,
    letGo,
    notes
  };
}
function restoredFields({ fields }, { fields: declared }, kind, note) {
  const found = { declared: [], extra: [] };
  for (const { path, cause, before, secret, omitted } of fields) {
    if (cause === "recorded" || cause === "released") continue;
    const then = atPath(declared, path);
    if (secret) {
      note(
        `\`${path}\` is secret: its old value is not kept; ${then === void 0 ? "it stays" : "it gets its source's current value"}`,
        "secret"
      );
    } else if (omitted) {
      if (then === void 0 || wasOutside.has(cause))
        note(`the record does not contain the old value of \`${path}\``, "not-kept");
    } else if (isFile(kind, path) && then === void 0) {
      note(`the record does not contain the content of \`${path}\``, "not-kept");
    } else if (then === void 0) {
      if (before !== void 0 && before !== null) found.extra.push([path, before]);
      else if (takesNull(kind, path)) found.extra.push([path, null]);
      else note(`\`${path}\` had no value, and cannot be without one again: it stays`, "stays");
    } else if (wasOutside.has(cause) && before !== void 0 && canonical(before) !== canonical(then)) {
      note(
        `\`${path}\` is restored to the value set outside; the earlier configuration differs, and its next apply changes it again`,
        "outside"
      );
      found.declared.push([path, before]);
    }
  }
  return found;
}
function withFields(resource, leaves) {
  if (leaves.length === 0) return resource;
  const copy = (fields) => Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isPlainObject(value) ? copy(value) : value
    ])
  );
  const whole = Object.entries(copy(resource.fields));
  return {
    ...resource,
    fields: fieldsOf([
      ...whole.map(([name, value]) => [name.replaceAll(".", "\\."), value]),
      ...leaves
    ])
  };
}
function handingBack(plan, { handedBack, letGo }) {
  const changes = plan.changes.map((change) => {
    const paths = handedBack.get(change.address);
    if (letGo.has(change.address)) {
      const reason = "as it was before that run adopted it; it is no longer managed";
      if (change.action !== "noop") return { ...change, reason, letGo: true };
      const { after: _, ...rest } = change;
      return { ...rest, action: "release", reason };
    }
    if (!paths) return change;
    const left = (all) => all?.filter((path) => !paths.has(path));
    return {
      ...change,
      ...definedOnly({ declared: left(change.declared), uncompared: left(change.uncompared) })
    };
  });
  return { ...plan, changes };
}
var isToDecide = (code) => /^(guard|allow|secret|delete|ledger|observe|target|key|source|staged)\//.test(code);
function withoutImpossible(undo, diagnostics) {
  const reasons = /* @__PURE__ */ new Map();
  for (const { severity, code, address, message } of diagnostics)
    if (severity === "error" && address !== void 0 && !isToDecide(code))
      reasons.set(wholeAddress(address), message);
  const isOut = (address) => reasons.has(wholeAddress(address));
  const out = undo.addresses.filter(isOut);
  if (out.length === 0) return void 0;
  const resources = new Map(undo.desired.resources);
  const forgotten = new Set(out.filter((address) => undo.letGo.has(address)));
  for (const address of forgotten) {
    const resource = resources.get(address);
    resources.set(address, { ...resource, meta: { ...resource.meta, forget: true } });
  }
  return {
    ...undo,
    desired: { ...undo.desired, resources },
    after: {
      ...undo.after,
      resources: new Map([...undo.after.resources].filter(([address]) => !isOut(address)))
    },
    addresses: undo.addresses.filter((address) => !isOut(address) || forgotten.has(address)),
    letGo: new Set([...undo.letGo].filter((address) => !forgotten.has(address))),
    notes: [
      ...undo.notes.filter(({ address }) => address === void 0 || !isOut(address)),
      ...out.map(
        (address) => warning("undo/stays", `${address}: it stays as it is: ${reasons.get(wholeAddress(address))}`, {
          address
        })
      )
    ]
  };
}

// src/cli/undoing.ts
;
var most = 10;
var Undoing = class {
  #session;
  #undo;
  #options;
  #terminal;
  #provider;
  constructor(session, undo, options, terminal, provider) {
    this.#session = Object.assign(session, { desired: undo.desired });
    this.#undo = undo;
    this.#options = options;
    this.#terminal = terminal;
    this.#provider = provider;
  }
  async carryOut(record, before) {
    const [session, options, terminal] = [this.#session, this.#options, this.#terminal];
    const { run } = record.head;
    if (this.#undo.addresses.length === 0)
      return this.#end(`Nothing of run ${run} is left to undo.`, record, before);
    if (options.autoApprove) await lockSession(session, options, terminal);
    const shown = await this.#plan();
    const planned = this.#settled(shown);
    terminal.err(ledgerLine(session.store, session.ledger, session.host.clock.now()));
    const pace = await session.connection.paceNow(this.#provider.pace);
    if (!await showPlan(planned.plan, options, terminal, pace)) {
      terminal.run.exitCode = exitCodes.failed;
      return;
    }
    if (isEmpty(planned.plan))
      return this.#end(`The account is as it was before run ${run}.`, record, before);
    refuseMissingSecrets(planned.plan.operations, session.secrets);
    const unattended = problem(
      "undo/unattended",
      "undo needs a terminal or --auto-approve; nothing was changed",
      {
        hint: "pass --auto-approve if the plan has already been approved"
      }
    );
    if (!options.autoApprove && !await isYes(terminal, { question: `Undo run ${run} with ${changesText(planned.plan)}?`, unattended }))
      return;
    if (!options.autoApprove) await lockSession(session, options, terminal);
    const current = options.autoApprove ? shown : await planAsShown(session, shown, this.#planning());
    await carryOut(session, this.#settled(current), options, terminal, {
      command: "undo",
      undoes: run,
      approval: options.autoApprove ? "flag" : "asked",
      commit: before?.head.commit
    });
    await this.#end(void 0, record, before);
  }
  /** The plan; without what it says cannot be brought back, if there is more than that. */
  async #plan() {
    for (; ; ) {
      const planned = await openSettledPlan(this.#session, this.#planning());
      const less = withoutImpossible(this.#undo, planned.diagnostics);
      if (!less) return planned;
      this.#undo = less;
      Object.assign(this.#session, { desired: less.desired });
    }
  }
  #planning() {
    const mode = { unattended: this.#options.autoApprove ?? false };
    return {
      ...planningOf(this.#options, this.#session.host, mode),
      ...this.#part()
    };
  }
  /** The scope of the plan. Files of today may be missing from the configuration of then. */
  #part() {
    return { targets: this.#undo.addresses.map(globOf), fewerInputs: true, part: "undo" };
  }
  #settled(planned) {
    const { plan } = planned;
    const about = new Set(
      [...this.#undo.addresses, ...plan.changes.map(({ address }) => address)].map(wholeAddress)
    );
    const said = plan.diagnostics.filter(
      ({ address }) => address === void 0 || about.has(wholeAddress(address))
    );
    const notes = hasErrors(said) ? [] : this.#undo.notes;
    return {
      ...planned,
      plan: { ...handingBack(plan, this.#undo), diagnostics: [...said, ...notes] },
      after: { desired: this.#undo.after, options: this.#part() }
    };
  }
  /** Says what is left to do by hand: the files still say what the run applied. */
  async #end(text, { head }, before) {
    const terminal = this.#terminal;
    if (text !== void 0) terminal.out(text);
    if (terminal.run.exitCode !== exitCodes.done) return;
    const commands = await this.#reverts(head.commit.id, before?.head.commit?.id);
    if (commands.length === 0)
      return terminal.out("The configuration was the same before that run: there is no commit to revert.");
    const lines = commands.slice(0, most).map((line) => `  ${cleanLine(line)}`);
    if (commands.length > most) lines.push(`  ... and ${commands.length - most} more`);
    terminal.out(
      `
The files still contain what run ${head.run} applied. Revert them as well, or the next apply does it again:

${lines.join("\n")}`
    );
  }
  /** The commands that take the commits of a run back; the ledger stays as it is now, whatever was committed with it. */
  async #reverts(to, from) {
    const { documents, host } = this.#session;
    const { leasePath } = documents;
    const folder = leasePath === void 0 ? void 0 : dirname(leasePath);
    const found = from === void 0 ? void 0 : await revertsOf(from, to, folder, host.cwd, host.env);
    const { commits, touchesKept } = found ?? { commits: [{ id: to, isMerge: false }], touchesKept: false };
    const how = touchesKept ? "--no-commit" : "--no-edit";
    const commands = commits.map(({ id, isMerge }) => `git revert ${how} ${isMerge ? "-m 1 " : ""}${id}`);
    if (!touchesKept) return commands;
    this.#terminal.out(
      "\nThe ledger is committed with the configuration. Commit its current state first; if git then reports a conflict in it, the last command resolves it."
    );
    return [...commands, `git restore --staged --worktree ${relative(host.cwd, folder) || "."}`];
  }
};

// src/cli/undo.ts
function undoCommand(command, provider, run) {
  withWriting(command).argument("<run>", "the run number, as shown by `trueup log`").option("--auto-approve", "skip the confirmation").action(async (given, options) => {
    const number = runNumber(given);
    refuseTargets(options);
    refuseEphemeral(options, run.host);
    const terminal = terminalFor(run, options);
    const loaded = await loadFor(provider, options, terminal);
    const { stack } = loaded.configuration.desired;
    const history = await openHistory(stack, options, run.host);
    sayDoubts(history, terminal);
    const [record, before] = undoable(number, history);
    const at = (one) => configurationAt(one.head.commit.id, provider, options, run);
    const own = await at(record);
    const old = before ? await at(before) : { ...own, desired: { ...own.desired, resources: /* @__PURE__ */ new Map() } };
    refuseOtherStack(old.desired, stack, before ?? record);
    const session = await openSession(provider, options, terminal, {
      writes: true,
      guards: "apply",
      loaded: { ...loaded, configuration: old }
    });
    try {
      requireWritable(session, options);
      const { kinds, ledger } = session;
      const changes = record.details.changes.filter(
        ({ result }) => result !== "not tried" && result !== "left"
      );
      const undo = undone({ changes, old: old.desired, own: own.desired, ledger, kinds });
      undo.notes.push(...changedSince(undo, number, history), ...onlyPart(before));
      await new Undoing(session, undo, options, terminal, provider).carryOut(record, before);
    } finally {
      await session.close();
    }
  });
}
function refuseOtherStack({ stack }, wanted, { head }) {
  if (stack === wanted) return;
  throw new Problems([
    problem(
      "undo/stack",
      `the configuration at ${head.commit.id.slice(0, 12)} belongs to ${stack}, not ${wanted}`,
      {
        hint: "pass the same --file and --stage as that run; a run from before the stack was renamed cannot be undone"
      }
    )
  ]);
}
function refuseTargets({ target, exclude }) {
  if (!target && !exclude) return;
  throw new Problems([
    problem("cli/options", "undo does not take --target or --exclude", {
      hint: "it reverts everything the run changed; for part of it, edit the files and apply"
    })
  ]);
}
function changedSince({ addresses }, number, { records }) {
  const later = records.filter(({ head }) => head.run > number && !appliesNothing(head));
  return addresses.flatMap((address) => {
    const runs = later.filter(
      ({ details }) => details?.changes.some((change) => change.address === address && change.result === "done")
    );
    if (runs.length === 0) return [];
    const names = runs.map(({ head }) => `#${head.run}`).join(", ");
    return [
      warning("undo/later", `${address}: ${names} changed it since; that is reverted too`, { address })
    ];
  });
}
var onlyPart = (before) => before?.head.partial && before.head.command !== "undo" ? [
  warning(
    "undo/part",
    `run ${before.head.run} covered only a part of the stack: the rest of its configuration may never have been applied`
  )
] : [];
function undoable(number, history) {
  const { records, key } = history;
  if (!key) throw new Problems([keyless]);
  const at = records.findIndex(({ head }) => head.run === number);
  const record = records[at];
  if (!record) throw noRun(number, history);
  const refuse = (why, hint) => {
    throw new Problems([problem("undo/impossible", `run ${number} cannot be undone: ${why}`, { hint })]);
  };
  if (isOfLedger(record.head)) refuse(...ofLedger(record.head));
  if (isOfAction(record.head))
    refuse(
      `it ran the action ${record.head.action}, and actions cannot be undone`,
      "if another action does the opposite, run that: `trueup run --list`"
    );
  let first = at;
  while (first > 0 && appliesNothing(records[first - 1].head)) first--;
  const before = records[first - 1];
  const since = records.slice(Math.max(first - 1, 0), at + 1);
  const isWhole = since.every(
    ({ head }, index) => index === 0 || head.run === since[index - 1].head.run + 1 && head.previous === since[index - 1].digest
  ) && (before !== void 0 || since[0].head.run === 1);
  const byHand = "revert its commit, and apply";
  for (const one of since) {
    const { run, commit } = one.head;
    if (!isVerified(one.proof))
      refuse(
        `the record of run ${run} is not verified: ${doubtText(one.proof)}`,
        `unsigned records are not acted on; ${byHand}`
      );
    if (appliesNothing(one.head)) continue;
    if (!commit)
      refuse(
        `run ${run} was not started in a repository, so its configuration is not available`,
        "edit the files and apply"
      );
    if (commit?.dirty)
      refuse(
        `run ${run} was applied from uncommitted files, so its configuration is not available`,
        "edit the files and apply; CI always applies a commit"
      );
  }
  if (!isWhole) refuse(`the record of the run before it is gone`, byHand);
  if (!before && since.some(({ head }) => head.from !== void 0))
    refuse(
      "it was the first to apply what another stack handed over, so no commit of this stack has the configuration from before",
      "edit the files and apply"
    );
  if (!record.details) refuse("it is too old: its changes are no longer kept", byHand);
  return [record, before];
}
var appliesNothing = (head) => isOfLedger(head) || isOfAction(head);
function ofLedger({ command, was, to, from, stack }) {
  const noObject = "it changed no object";
  switch (command) {
    case "rename":
      return [
        `it only renamed the stack, and ${noObject}`,
        `to go back: \`trueup ledger rename ${stack} ${was}\``
      ];
    case "move":
      return to !== void 0 ? [
        `it only transferred ownership to the stack ${to}, and ${noObject}`,
        `to go back: \`trueup ledger move ADDRESS --to ${stack}\` in the configuration of ${to}`
      ] : [
        `it only took over ownership from the stack ${from}, and ${noObject}`,
        `to go back: \`trueup ledger move ADDRESS --to ${from}\``
      ];
    case "sign":
      return [
        `it only signed the ledger, and ${noObject}`,
        "`trueup ledger list` shows its entries; `trueup ledger forget ADDRESS` removes one"
      ];
    default:
      return [
        `it only dropped what the stack owned, and ${noObject}`,
        "declare the objects and apply: they are adopted as they are"
      ];
  }
}
return{undoCommand:undoCommand};})();exports.part_EIQ465PR=part_EIQ465PR;
