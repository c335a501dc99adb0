"use strict";const part_KBSCB2RM=(()=>{const {
  Refused,
  Unknown,
  foundAgain,
  openDeliveries,
  sendAction
}=require("./part-40.cjs").part_JLV4KSGL;const {
  openRecording
}=require("./part-107.cjs").part_HO3WMWJF;const {
  deedOf,
  deeds,
  outcomeText,
  sideEffectsText,
  stateText
}=require("./part-107.cjs").part_MXVH3ICS;const {
  everyStack
}=require("./part-102.cjs").part_4IQERMVV;const {
  openPlan,
  renamed,
  resume,
  unmoved
}=require("./part-101.cjs").part_VCZ3M53L;const {
  alreadySo,
  concerns,
  filledInput,
  idsOf,
  isSoAlready,
  requestOf,
  unknownWhy,
  withLookups
}=require("./part-89.cjs").part_FBETF43H;const {
  aboutRun
}=require("./part-94.cjs").part_YZ7UDJWV;const {
  sealLive
}=require("./part-93.cjs").part_FJCNLGFD;const {
  planningOf
}=require("./part-19.cjs").part_D3YXR7F6;const {
  requireKey,
  unlockSession
}=require("./part-89.cjs").part_JDYKD6X4;const {
  liveText
}=require("./part-91.cjs").part_2OZZAYPQ;const {
  chosenIn,
  collectionReader,
  digestsOf,
  isMadeOf,
  keptAt,
  mentionedCollections,
  neededWhole,
  withIds
}=require("./part-91.cjs").part_FGBDHNKO;const {
  freshFor,
  isRead,
  readOnly
}=require("./part-82.cjs").part_ITOYBHJI;const {
  isNothing,
  same,
  sealed
}=require("./part-85.cjs").part_HRKYGKTM;const {
  becauseText,
  eventWriter,
  reduceProgress,
  renderProgress,
  startProgress,
  usedUpFor,
  usedUpText,
  waitingText
}=require("./part-98.cjs").part_WVTPVLPE;const {
  code,
  columns,
  commentLimit,
  diagnosticForms,
  fence,
  placeLink,
  plainPlaces,
  sizeOf,
  stackMarker,
  withinRoom
}=require("./part-95.cjs").part_T5M5UDUZ;const {
  countsOf,
  uiResource
}=require("./part-100.cjs").part_U56CU4BQ;const {
  secretId
}=require("./part-32.cjs").part_FIZFKDRW;const {
  exitCode,
  exitCodes,
  worstOf
}=require("./part-80.cjs").part_RUA4AHDC;const {
  planText
}=require("./part-87.cjs").part_3FS5QSBH;const {
  usesHome
}=require("./part-105.cjs").part_TEBTU3WD;const {
  home,
  makeHome
}=require("./part-92.cjs").part_2JBIBOC6;const {
  ancestorsOf,
  comparedFields,
  idOf,
  isField,
  isReadable,
  isWhole,
  knownFields,
  leavesOf,
  secretIdOf,
  updatedAtOf,
  writeRequests
}=require("./part-90.cjs").part_TFHCOW53;const {
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  allOf,
  byCollection,
  collectionId,
  collectionParts,
  emptyLive,
  idIn
}=require("./part-106.cjs").part_DT2CDXHV;const {
  waitingLines
}=require("./part-98.cjs").part_5A6JLBTE;const {
  foldChanges,
  namesOf
}=require("./part-98.cjs").part_D3ZWYSLF;const {
  accountText
}=require("./part-88.cjs").part_Y562VKV4;const {
  actionName
}=require("./part-88.cjs").part_GVLOUSOT;const {
  styleFor
}=require("./part-80.cjs").part_LGUCBGM4;const {
  diagnosticLine,
  logLine,
  uiLine
}=require("./part-80.cjs").part_C3KGDUFB;const {
  isEmpty
}=require("./part-80.cjs").part_YAMT22MG;const {
  standardActionsAtOnce
}=require("./part-80.cjs").part_R4CIL4FR;const {
  planJson
}=require("./part-88.cjs").part_IIODRIIT;const {
  sentIn
}=require("./part-106.cjs").part_LKZTNYVU;const {
  asksForWrite,
  makesObject
}=require("./part-106.cjs").part_HLUFGGLM;const {
  byAddress,
  escapeName,
  isWithin,
  lastNameOf
}=require("./part-106.cjs").part_BACZRMMV;const {
  addStepSummary,
  annotate,
  placesOn
}=require("./part-15.cjs").part_BAXXSSA2;const {
  newSalt,
  seenId
}=require("./part-85.cjs").part_SJG7KYTO;const {
  countOf,
  wholesOf
}=require("./part-106.cjs").part_AQPNOW65;const {
  count,
  durationText
}=require("./part-106.cjs").part_J6NNXEVI;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cut,
  fold
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine,
  errorLines
}=require("./part-80.cjs").part_D2V2PUP6;const {
  atPath,
  fillHoles,
  holdsSecret,
  holesIn,
  isHole,
  isPlainObject,
  isRef,
  isSecretRef,
  lookUp,
  mapHoles,
  namesIn
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  definedOnly,
  inside,
  revealed,
  sealedIn,
  walk
}=require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  hasErrors,
  problem,
  warning
}=require("./part-80.cjs").part_H2UX7ADC;const { join }=require("node:path");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/report/markdown/applied-parts.ts
var appliedParts = (plan, outcome, { at, places }) => [
  ...failedParts(plan, outcome, places),
  ...notDoneParts(plan, outcome, at),
  ...overwrittenParts(outcome),
  ...doneParts(plan, outcome)
];
var fewNames = 20;
var longestLine = 400;
var mostNames = 50;
function failedParts(plan, { failed }, places) {
  const heading = `Failed (${numberOf(plan, failed)})`;
  const errors = groupBy(failed, ({ error }) => JSON.stringify(errorLines(error)));
  return [...errors.values()].map((same2) => {
    const { message, hint } = errorLines(same2[0].error);
    const names = namesAmong(plan, same2);
    const lines = [
      ...names.slice(0, mostNames).map((name) => `- ${name}`),
      ...names.length > mostNames ? [`- ... and ${names.length - mostNames} more`] : [],
      ...message.map((line2, at) => at === 0 ? `  Error: ${line2}` : `  ${line2}`),
      ...hint.map((line2, at) => `  ${at === 0 ? `-> ${line2}` : line2}`)
    ].flatMap((line2) => fold(cut(line2, longestLine), columns, "  "));
    const lineOf = changesAmong(plan, same2).find(({ at }) => at !== void 0)?.at;
    const link = lineOf ? [`At ${placeLink(lineOf, places)}:`] : [];
    const short = [lines[0], cut(`  Error: ${message[0]}`, 160)];
    return {
      heading,
      forms: [[...link, fence(lines, "diff")].join("\n\n"), fence(short, "diff")],
      urgent: true,
      changes: names.length
    };
  });
}
function notDoneParts(plan, { skipped, left }, now) {
  const listOf = (heading, why, same2) => {
    const names = namesAmong(plan, same2);
    const shown2 = names.slice(0, fewNames).map(code).join(", ");
    const more = names.length > fewNames ? ` and ${names.length - fewNames} more` : "";
    return {
      heading,
      forms: [`Because ${code(why)}: ${shown2}${more}`, `Because ${code(cut(why, 160))}: ${names.length}`],
      urgent: true,
      changes: names.length
    };
  };
  return [
    ...[...groupBy(skipped, ({ because }) => because)].map(
      ([because, same2]) => listOf(`Not tried (${numberOf(plan, skipped)})`, becauseText(because), same2)
    ),
    ...[...groupBy(left, ({ rateLimit }) => rateLimit.bucket).values()].map(
      (same2) => listOf(`Left for later (${numberOf(plan, left)})`, usedUpFor(same2, now), same2)
    )
  ];
}
function overwrittenParts({ overwritten }) {
  if (overwritten.length === 0) return [];
  const shown2 = overwritten.slice(0, fewNames).map(code).join(", ");
  const more = overwritten.length > fewNames ? ` and ${overwritten.length - fewNames} more` : "";
  return [
    {
      heading: `Possibly overwritten (${overwritten.length})`,
      forms: [
        `Somebody else changed these between our last read and our write; their changes may be lost: ${shown2}${more}. Check in the dashboard who changed what, and redo it if it is missing.`
      ],
      urgent: true,
      changes: 0
    }
  ];
}
function doneParts(plan, { done }) {
  const isDone = new Set(done);
  const sent = sentIn(plan);
  const all = plan.changes.map(({ address }) => address);
  const byDeed = groupBy(
    plan.changes.filter(({ address }) => isDone.has(address)),
    deedOf
  );
  const told = deeds.flatMap((deed) => {
    const changes = byDeed.get(deed) ?? [];
    const lines = foldChanges(changes, { sent, all }).map((entry) => {
      const { count: count2, name, places } = namesOf(entry);
      const where = places.length > 0 ? ` [${places.join(", ")}]` : "";
      return cut(cleanLine(`${count2 === void 0 ? "" : `${count2} x `}${name}${where}`), longestLine);
    });
    return changes.length > 0 ? [{ deed, number: countOf(changes), lines }] : [];
  });
  if (told.length === 0) return [];
  const number = told.reduce((sum, one) => sum + one.number, 0);
  const counts = told.map((one) => `${one.number} ${one.deed}`).join(", ");
  const folded = (most) => {
    const lines = told.flatMap(({ deed, lines: lines2 }) => {
      const more = lines2.length - most;
      return [
        ...lines2.slice(0, most).map((line2) => `${deed.padEnd(longestDeed)} ${line2}`),
        ...more > 0 ? [`${deed.padEnd(longestDeed)} ... and ${more} more`] : []
      ];
    });
    return `<details><summary>${counts}</summary>

${fence(lines, "")}

</details>`;
  };
  return [
    {
      heading: `Done (${number})`,
      forms: [folded(Number.MAX_SAFE_INTEGER), folded(fewNames), counts],
      urgent: false,
      changes: number
    }
  ];
}
var longestDeed = Math.max(...deeds.map((deed) => deed.length));
var changesAmong = (plan, same2) => {
  const wanted = new Set(same2.map(({ address }) => address));
  return plan.changes.filter(({ address }) => wanted.has(address));
};
var numberOf = (plan, same2) => countOf(changesAmong(plan, same2));
function namesAmong(plan, same2) {
  const changes = changesAmong(plan, same2);
  const known2 = new Set(changes.map(({ address }) => address));
  const names = foldChanges(changes, { sent: /* @__PURE__ */ new Set(), all: [], isFull: true }).map((entry) => {
    const { name, places } = namesOf(entry);
    return cleanLine(places.length > 0 ? `${name} [${places.join(", ")}]` : name);
  });
  return [
    ...names,
    ...same2.map(({ address }) => address).filter((address) => !known2.has(address)).map(cleanLine)
  ];
}

// src/report/markdown/applied-markdown.ts
var reserved = 1500;
function appliedMarkdown(plan, { outcome, at = 0, proof }, limit, places = plainPlaces) {
  const title = `### trueup apply: ${[plan.stack, ...accountText(plan)].map(code).join(", ")}`;
  if (!outcome) return `${title}

**There was nothing to apply.** The account matches the configuration.
`;
  const style = styleFor({ color: false, width: Number.MAX_SAFE_INTEGER });
  const head = [
    title,
    [`**${cleanLine(stateText(plan, outcome, { style }))}**`, ...proofText(proof)].join(" "),
    ...nextText(outcome, proof)
  ];
  const parts = appliedParts(plan, outcome, { at, places });
  const chosen = withinRoom(parts, limit - reserved - sizeOf(head.join("\n\n")));
  const sections = [...groupBy(parts.keys(), (part) => parts[part].heading)].flatMap(
    ([heading, indices]) => {
      const texts = indices.flatMap((index) => parts[index].forms[chosen[index] ?? -1] ?? []);
      return texts.length > 0 ? [[`#### ${heading}`, ...texts].join("\n\n")] : [];
    }
  );
  const left = parts.reduce(
    (sum, { changes }, index) => sum + (chosen[index] === void 0 ? changes : 0),
    0
  );
  const rest = left > 0 ? [`**Truncated: ${left} changes.** The log of the run has them.`] : [];
  return `${[...head, ...sections, ...rest].join("\n\n")}
`;
}
var proofText = (proof) => proof === void 0 ? [] : {
  settled: ["Verified: the account matches the configuration."],
  unsettled: [
    "**Not verified: the account still differs from the configuration.** The log of the run shows how."
  ],
  unread: ["**Not verified:** the account could not be read again."]
}[proof];
function nextText({ failed, left, skipped, interrupted }, proof) {
  if (failed.length > 0 || skipped.length > 0 || interrupted)
    return [
      "What was applied is recorded; what failed or was not tried is not. Next: fix the errors below, then run the workflow again or merge a fix. The next apply continues from there."
    ];
  if (left.length > 0)
    return [
      "What was applied is recorded, and nothing failed. Next: run the workflow again at the time below. It continues from there."
    ];
  return proof === void 0 || proof === "settled" ? [] : ["Next: run the workflow again. It plans again and applies what is left."];
}
function deedMarkdown(deed, limit = commentLimit, places = plainPlaces) {
  if (deed.parts) return stacksApplied(deed, limit, places);
  const { plan } = deed;
  if (!plan || deed.failed || isRefused(deed)) return void 0;
  const marker = stackMarker(plan.stack);
  return `${marker}

${appliedMarkdown(plan, deed, limit - sizeOf(marker) - 2, places)}`;
}
var isRefused = ({ plan, outcome }) => !outcome && plan !== void 0 && hasErrors(plan.diagnostics);
var isWhole2 = ({ failed, skipped, outcome, proof }) => failed === void 0 && skipped === void 0 && (proof === void 0 || proof === "settled") && (!outcome || outcome.failed.length + outcome.skipped.length + outcome.left.length === 0 && !outcome.interrupted);
function stacksApplied({ parts = [], failed }, limit, places) {
  const whole = parts.filter(isWhole2).length;
  const head = [
    stackMarker(everyStack),
    `### trueup apply: ${whole} of ${count(parts.length, "stack")} fully applied`,
    ...(failed ?? []).map((one) => diagnosticForms(one, places)[1])
  ].join("\n\n");
  const order = [...parts].sort((a, b) => Number(isWhole2(a)) - Number(isWhole2(b)));
  const texts = [];
  const left = [];
  let room = limit - sizeOf(head) - reserved;
  for (const [at, part] of order.entries()) {
    const share = Math.floor(room / (order.length - at));
    const name = `---

${code(part.id ?? "")}`;
    const text = [name, partText(part, share - sizeOf(name) - 4, places)].join("\n\n").trimEnd();
    if (sizeOf(text) + 2 > share) left.push(part.id ?? "");
    else {
      texts.push(text);
      room -= sizeOf(text) + 2;
    }
  }
  const more = left.length - fewIds;
  const rest = left.length > 0 ? [
    `**Truncated: ${left.slice(0, fewIds).map(code).join(", ")}${more > 0 ? ` and ${more} more` : ""}.**`
  ] : [];
  return `${[head, ...texts, ...rest].join("\n\n")}
`;
}
var fewIds = 10;
function partText(deed, limit, places) {
  if (deed.plan && !deed.failed && deed.skipped === void 0)
    return appliedMarkdown(deed.plan, deed, limit, places);
  if (!deed.failed) return `**${cleanLine(deed.skipped ?? "Not started.")}**`;
  const texts = deed.failed.map((one) => diagnosticForms(one, places)[0]);
  const kept = [];
  let room = limit - 100;
  for (const text of texts) {
    room -= sizeOf(text) + 2;
    if (room >= 0) kept.push(text);
  }
  return [`**This could not be applied: ${count(texts.length, "error")}.**`, ...kept].join("\n\n");
}

// src/report/outcome-diagnostics.ts
var few = 8;
function outcomeDiagnostics({ changes }, { failed, left, skipped, overwritten }, now) {
  const places = new Map(changes.map(({ address, at }) => [address, at]));
  const about = (address, hint) => {
    const at = places.get(address);
    return { address, ...at ? { at } : {}, ...hint ? { hint } : {} };
  };
  const together = (code2, same2, text, hint) => {
    const addresses = same2.map(({ address }) => address);
    if (addresses.length === 1) return warning(code2, text, about(addresses[0], hint));
    const at = places.get(addresses[0]);
    const more = addresses.length > few ? ` and ${addresses.length - few} more` : "";
    const names = `${addresses.slice(0, few).join(", ")}${more}`;
    return warning(code2, `${count(addresses.length, "change")} ${text}`, {
      ...at ? { at } : {},
      hint: [hint, names].filter(Boolean).join(": ")
    });
  };
  return [
    ...overwritten.map(
      (address) => warning(
        "apply/overwritten",
        "somebody else changed this between our last read and our write",
        about(address, "their changes may be lost")
      )
    ),
    ...[...groupBy(left, ({ rateLimit }) => rateLimit.bucket).values()].map((same2) => {
      return together(
        "apply/left",
        same2,
        `left because ${usedUpFor(same2, now)}`,
        "run it again then; it continues from there"
      );
    }),
    ...[...groupBy(skipped, ({ because }) => because)].map(
      ([because, same2]) => together("apply/skipped", same2, `not tried because ${becauseText(because)}`)
    ),
    ...failed.map(({ address, error }) => {
      const { message, hint } = errorLines(error);
      return problem("apply/failed", message.join("\n"), about(address, hint.join("\n")));
    })
  ];
}

// src/report/terraform/apply-lines.ts
var words = {
  create: { begins: "Creating", goesOn: "creating", noun: "Creation" },
  update: { begins: "Modifying", goesOn: "modifying", noun: "Modifications" },
  delete: { begins: "Destroying", goesOn: "destroying", noun: "Destruction" }
};
var settled = 1e3;
function applyLines(plan) {
  const steps = stepsOf(plan);
  const of = ({ id }) => steps.filter((step) => step.left.has(id) && !step.isOver);
  return {
    lines: (event, now) => {
      if (event.type === "waiting") return [logLine(waitingText(event))];
      const about = of(event.operation);
      if (event.type === "started") {
        for (const step of about) {
          if (step.since !== void 0) continue;
          step.since = step.toldOf = now;
        }
        return [];
      }
      if (event.type === "succeeded")
        return about.flatMap((step) => {
          step.left.delete(event.operation.id);
          if (step.left.size > 0) return begin(step);
          const text = `${words[step.verb].noun} complete after ${elapsed(step, now)}s`;
          return [
            ...begin(step),
            line("apply_complete", step, text, idAfter(step, event.ids), elapsed(step, now))
          ];
        });
      return about.flatMap((step) => {
        step.isOver = true;
        if (event.type === "left")
          return step.isTold ? [logLine(`${step.change.address}: left because ${usedUpText(event.rateLimit)}`)] : [];
        if (step.since === void 0) return [];
        const text = `${words[step.verb].noun} errored after ${elapsed(step, now)}s`;
        return [...begin(step), line("apply_errored", step, text, void 0, elapsed(step, now))];
      });
    },
    progress: (now) => steps.flatMap((step) => {
      if (step.since === void 0 || step.isOver || step.left.size === 0) return [];
      const begun = now - step.since < settled ? [] : begin(step);
      if (now - step.toldOf < 1e4) return begun;
      step.toldOf = now;
      const text = `Still ${words[step.verb].goesOn}... [${elapsed(step, now)}s elapsed]`;
      return [...begun, line("apply_progress", step, text, void 0, elapsed(step, now))];
    })
  };
}
function begin(step) {
  if (step.isTold) return [];
  step.isTold = true;
  const { verb, change } = step;
  return [line("apply_start", step, `${words[verb].begins}...`, verb === "create" ? void 0 : change.id)];
}
function outcomeLines(plan, outcome, now) {
  const { done, failed, left, skipped, interrupted } = outcome;
  const isWhole4 = failed.length + left.length + skipped.length === 0 && !interrupted;
  const carriedOut = new Set(done);
  const counts = countsOf({
    ...plan,
    changes: plan.changes.filter(({ address }) => carriedOut.has(address))
  });
  const imported = counts.import > 0 ? `${counts.import} imported, ` : "";
  const text = `Apply complete! Resources: ${imported}${counts.add} added, ${counts.change} changed, ${counts.remove} destroyed.`;
  return [
    ...isWhole4 ? [uiLine("change_summary", text, { changes: { ...counts, operation: "apply" } })] : [],
    ...outcomeDiagnostics(plan, outcome, now).map(diagnosticLine),
    ...isWhole4 ? [] : [logLine(stateText(plan, outcome, { style: styleFor({ color: false, width: 80 }) }))]
  ];
}
var nothingLines = (plan) => outcomeLines(plan, { done: [], failed: [], left: [], skipped: [], overwritten: [], interrupted: false }, 0);
function stepsOf({ changes, operations }) {
  const byAddress2 = new Map(changes.map((change) => [change.address, change]));
  const steps = /* @__PURE__ */ new Map();
  for (const operation of operations)
    for (const address of operation.changes) {
      const change = byAddress2.get(address);
      if (!change) continue;
      const verb = verbOf(change, operation);
      const step = steps.get(`${verb} ${address}`) ?? { change, verb, left: /* @__PURE__ */ new Set(), toldOf: 0 };
      step.left.add(operation.id);
      steps.set(`${verb} ${address}`, step);
    }
  return [...steps.values()];
}
function verbOf({ action }, { requests }) {
  const onlyDeletes = requests.length > 0 && requests.every(({ endpoint }) => endpoint.startsWith("DELETE "));
  if (action === "replace") return onlyDeletes ? "delete" : "create";
  return action === "create" || action === "delete" ? action : "update";
}
var elapsed = ({ since = 0 }, now) => Math.max(0, Math.floor((now - since) / 1e3));
function idAfter({ change, verb }, ids = {}) {
  if (verb === "delete") return void 0;
  return ids[change.address] ?? (verb === "update" ? change.id : void 0);
}
function line(type, { change, verb }, text, id, seconds) {
  const idText = id === void 0 ? "" : ` [id=${id}]`;
  return uiLine(type, `${change.address}: ${text}${idText}`, {
    hook: {
      resource: uiResource(change),
      action: verb,
      ...id === void 0 ? {} : { id_key: "id", id_value: id },
      ...seconds === void 0 ? {} : { elapsed_seconds: seconds }
    }
  });
}

// src/run/fill.ts
function fill(request, known2) {
  const all = (value) => fillHoles(value, known2, refuse);
  return {
    ...request,
    ...request.params ? { params: all(request.params) } : {},
    ...request.body === void 0 ? {} : { body: all(request.body) },
    ...request.returns ? { returns: all(request.returns) } : {}
  };
}
function withFile(request, contents) {
  if (!request.file) return request;
  const content = contents.get(request.body.file);
  if (!content) throw new Error("the file to send was not read");
  return { ...request, body: content };
}
function refuse(hole) {
  if (isRef(hole)) throw new Error(`${hole.attr} of ${hole.$ref} is unknown`);
  if (isSecretRef(hole)) throw new Error(`the secret ${hole.$secret} is not available`);
  throw new Error("an earlier response lacks a value that this request needs");
}
function missingSecrets(operations, secrets) {
  return operations.flatMap(
    ({ changes, requests }) => holesIn(requests).flatMap(
      (hole) => "$secret" in hole && !secrets.has(hole.$secret) ? changes.map((address) => ({ address, name: hole.$secret })) : []
    )
  );
}
function refuseMissingSecrets(operations, secrets) {
  const missing = new Set(missingSecrets(operations, secrets).map(({ name }) => name));
  if (missing.size === 0) return;
  const names = [...missing].sort().map((name) => `\`${name}\``);
  throw new Problems([
    problem(
      "secret/missing",
      `${names.join(", ")} would have to be sent, and ${missing.size === 1 ? "is" : "are"} not available`,
      {
        hint: "see the warnings for the reason; nothing was changed"
      }
    )
  ]);
}

// src/report/verified-text.ts
var reached = {
  configuration: "the account matches the configuration",
  undone: "the run is undone",
  destroyed: "the account has nothing left of this stack"
};
function verifiedText(plan, { goal, beside }) {
  const secrets = unreadSecrets(plan);
  const looked = plan.partial && goal === "configuration" ? "the selected part matches the configuration" : reached[goal];
  const parts = [
    `Verified: ${looked}${secrets > 0 ? `, except ${count(secrets, "secret")} that cannot be read back` : ""}.`,
    ...plan.complete ? [] : ["Not everything could be read."],
    ...(plan.waiting ?? []).length > 0 ? [`${areNotReady(plan.waiting.length)}.`] : [],
    ...beside.length > 0 ? [`${count(beside.length, "other difference")} appeared in the meantime: see above.`] : []
  ];
  return parts.join(" ");
}
var areNotReady = (number) => number === 1 ? "1 object is not ready yet" : `${number} objects are not ready yet`;
function unreadSecrets({ changes }) {
  const unread = ([change]) => {
    const { before, after, declared = [], uncompared = [] } = change;
    if (!before || !after) return [];
    return [.../* @__PURE__ */ new Set([...declared, ...uncompared])].filter((path) => {
      if (!holdsSecret(atPath(after.fields, path))) return false;
      return uncompared.includes(path) || atPath(before.fields, path) === void 0;
    });
  };
  return wholesOf(changes).flatMap(unread).length;
}
function readyText(event, style) {
  const label = `${cleanLine(event.address)}:`;
  switch (event.type) {
    case "waiting":
      return `${label} ${style.quiet(`waiting up to ${durationText(event.minutes * 6e4)}:`)} ${cleanLine(event.why)}`;
    case "ready":
      return `${label} ${style.add("ready")} after ${durationText(event.milliseconds)}`;
    default:
      return `${label} ${style.warn(cleanLine(endText(event)))}`;
  }
}
function endText(event) {
  if (event.type === "gone") return "no longer exists";
  if (event.type === "over")
    return `not ready after ${count(event.minutes, "minute")}, the limit of \`$wait\`: ${event.why}`;
  return `not ready, and waiting will not help: ${event.why}`;
}
function endDiagnostic(event, at) {
  const { address, type } = event;
  const message = `${address}: ${endText(event)}`;
  const about = { address, ...at ? { at } : {} };
  if (type === "over")
    return warning("apply/not-ready", message, {
      ...about,
      hint: "everything is applied; the next apply waits again"
    });
  return problem(`apply/${type === "gone" ? "gone" : "not-ready"}`, message, {
    ...about,
    hint: type === "gone" ? "it was deleted in the meantime; plan again" : "find out why; to recreate it, remove its block, apply, and put it back"
  });
}

// src/observe/refresh.ts
function refresher(options) {
  const { desired, ledger, kinds } = options;
  const mentioned = mentionedCollections(desired, ledger, kinds);
  for (const { kind, transfer } of options.before.resources.values()) {
    if (!transfer) continue;
    const id = collectionId(kind, transfer.parent);
    mentioned.set(id, new Set(mentioned.get(id)).add(transfer.from));
  }
  const chosen = chosenIn(desired);
  const whole = neededWhole(desired, ledger, kinds);
  return (collections, staged = ledger.staged) => refresh(new Set(collections), {
    ...options,
    ledger: { ...ledger, ...staged ? { staged } : {} },
    mentioned,
    chosen,
    whole
  });
}
async function refresh(asked, options) {
  const { desired, ledger, kinds, send, facts, key, aliases, before, mentioned, chosen, whole } = options;
  const again = new Set(asked);
  for (const id of again) {
    const [parent = ""] = collectionParts(id);
    const above = before.resources.has(parent) ? void 0 : desired.resources.get(parent);
    if (above) again.add(collectionId(above.kind, above.parent));
  }
  const known2 = new Map(
    [...before.complete, ...before.unlisted].map((id) => [id, []])
  );
  const live = emptyLive();
  for (const id of before.unlisted) if (!again.has(id)) live.unlisted.add(id);
  for (const one of before.resources.values()) {
    const id = collectionId(one.kind, one.parent);
    if (again.has(id)) continue;
    live.resources.set(one.address, one);
    known2.get(id)?.push(one);
  }
  for (const id of again) known2.delete(id);
  const read = collectionReader({
    kinds,
    ledger,
    live,
    send,
    facts,
    mentioned,
    places: mentioned,
    aliases,
    chosen,
    key,
    whole,
    also: () => false,
    known: known2
  });
  const readOne = async (id) => {
    const [parent, kind] = collectionParts(id);
    const above = parent === void 0 ? void 0 : before.resources.get(parent) ?? desired.resources.get(parent);
    const around = above && collectionId(above.kind, above.parent);
    if (around !== void 0 && again.has(around)) await readOne(around);
    const found = above && (live.resources.get(parent) ?? before.resources.get(parent));
    if (above && !found) live.frozen.set(id, `${parent} was not found`);
    else await read(kinds.get(kind), found);
  };
  await Promise.all([...again].map(readOne));
  return live;
}

// src/run/await-ready.ts
var askedIn = ({ waiting = [] }) => waiting.flatMap(({ minutes, ...one }) => minutes === void 0 ? [] : [{ ...one, minutes }]);
async function awaitAsked(asked, options) {
  for (const { address, why, failed } of asked) if (failed) options.onEvent({ type: "failed", address, why });
  await awaitReady(
    asked.flatMap(({ failed, ...one }) => failed ? [] : [one]),
    options
  );
}
var pauses = [5, 7, 10, 15, 20, 30];
var grace = 6e4;
async function awaitReady(waiting, options) {
  const { look, clock, stop, onEvent } = options;
  const start = clock.now();
  let left = waiting.map((one) => ({ ...one, end: start + one.minutes * 6e4 }));
  for (const { end: _, ...one } of left) onEvent({ type: "waiting", ...one });
  const stopped = new Promise((done) => stop.addEventListener("abort", () => done(void 0)));
  for (let turn = 0; left.length > 0 && !stop.aborted; turn++) {
    const first = Math.min(...left.map(({ end }) => end)) - clock.now();
    const pause = (pauses[turn] ?? pauses.at(-1)) * 1e3;
    await clock.sleep(Math.max(0, Math.min(pause, first)), stop).catch(() => {
    });
    if (stop.aborted) return;
    const room = Math.max(Math.min(...left.map(({ end }) => end)) - clock.now(), grace);
    const found = await within(look(left.map(({ address }) => address)), room, { clock, stopped });
    if (stop.aborted) return;
    left = left.flatMap((one) => {
      const { address, why, minutes } = one;
      const now = found?.get(address) ?? { why };
      if (now === "ready") onEvent({ type: "ready", address, milliseconds: clock.now() - start });
      else if (now === "gone") onEvent({ type: "gone", address });
      else if (now.failed) onEvent({ type: "failed", address, why: now.why });
      else if (clock.now() >= one.end) onEvent({ type: "over", address, why: now.why, minutes });
      else {
        if (now.why !== why) onEvent({ type: "waiting", address, why: now.why, minutes });
        return [{ ...one, why: now.why }];
      }
      return [];
    });
  }
}
async function within(work, milliseconds, { clock, stopped }) {
  const ended = new AbortController();
  const late = clock.sleep(milliseconds, ended.signal).then(
    () => void 0,
    () => void 0
  );
  work.catch(() => {
  });
  return Promise.race([work, late, stopped]).finally(() => ended.abort());
}
function lookerOf(session, planned) {
  const { kinds, key, masking, connection, owner } = session;
  const { desired, ledger, aliases, live: before, plan } = planned;
  const refresh2 = refresher({
    desired,
    ledger,
    kinds,
    send: readOnly(connection.send),
    facts: owner.facts,
    key,
    aliases,
    before
  });
  const ids = new Map(plan.changes.map(({ address, id }) => [address, id]));
  const ask = async (address) => {
    const endpoint = kinds.get(desired.resources.get(address).kind).read.later?.ask;
    if (endpoint === void 0) return;
    await connection.send({ endpoint, params: paramsOf(address, before) }).catch(() => {
    });
  };
  const endOf = (address) => {
    const why = kinds.get(desired.resources.get(address).kind).read.later?.ended;
    return why === void 0 ? "gone" : { why, failed: true };
  };
  return async (addresses) => {
    await Promise.all(addresses.map(ask));
    const live = await refresh2(addresses.map((address) => collectionOf(address, planned)));
    return new Map(
      addresses.map((address) => {
        const frozen = live.frozen.get(collectionOf(address, planned));
        if (frozen !== void 0) return [address, { why: masking.mask(`it could not be read: ${frozen}`) }];
        const there = live.resources.get(address);
        if (!there) return [address, endOf(address)];
        const one = allOf([there]).find(({ id }) => id === ids.get(address)) ?? there;
        const { pending } = one;
        return [address, pending ? { ...pending, why: masking.mask(pending.why) } : "ready"];
      })
    );
  };
}
function collectionOf(address, { desired }) {
  const { kind, parent } = desired.resources.get(address);
  return collectionId(kind, parent);
}
function paramsOf(address, { resources }) {
  const params = {};
  const self = resources.get(address);
  if (self) params.id = self.id;
  for (let above = resources.get(self?.parent ?? ""); above; above = resources.get(above.parent ?? ""))
    params[above.kind] = above.id;
  return params;
}

// src/plan/side-effects.ts
function sideEffects(plan, before, after, known2) {
  const { kinds } = known2;
  const [old, now] = [before, after].map((live) => sealLive({ ...known2, live }).live);
  const written = writtenBy(plan);
  return beforeAndAfter(old, now, kinds).filter((one) => !written.object(one)).flatMap((one) => {
    const { address, kind } = one.after ?? one.before;
    if (!one.after) return [{ address, kind, type: "gone" }];
    if (!one.before) return [{ address, kind, type: "appeared" }];
    const isSame = (a, b, leaf) => alike(a, b, leaf) || alike(withIds2(a, old), withIds2(b, now), leaf);
    return differing(one.before, one.after, kinds.get(kind), isSame).filter(({ path }) => !written.field(one, path) && !written.mirrored(kinds.get(kind), path)).map((field) => ({ address, kind, type: "changed", ...field }));
  }).sort(byAddress);
}
function differing(before, after, kind, isSame) {
  const schemas = comparedFields(kind);
  const leaves = [before, after].flatMap(({ fields: fields2 }) => leavesOf(schemas, fields2));
  const fields = [...groupBy(leaves, ({ path }) => path)].flatMap(([path, found]) => {
    const [leaf] = found;
    const [a, b] = [before, after].map((one) => atPath(one.fields, path));
    const { createOnly, writeOnly, readMayLack } = leaf.traits;
    const secret = found.some(({ traits }) => traits.secret) || holdsSecret(a) || holdsSecret(b);
    const isUnread = (readMayLack || secret) && (a === void 0 || b === void 0);
    if (createOnly || writeOnly || isUnread || !isField(schemas, path)) return [];
    if (isSame(a ?? null, b ?? null, leaf)) return [];
    return [secret ? { path, before: sealed(a), after: sealed(b), secret } : { path, before: a, after: b }];
  });
  const isInside2 = (path) => fields.some((other) => path.startsWith(`${other.path}.`));
  return fields.filter(({ path }) => !isInside2(path));
}
var alike = (a, b, { traits: { whereDeclared: _, ...traits } }) => isNothing(a) && isNothing(b) || same(a, b, traits);
var withIds2 = (value, { resources }) => mapHoles(
  value,
  (hole) => isRef(hole) ? resources.get(hole.$ref)?.id ?? lastNameOf(hole.$ref) : hole
);
function writtenBy({ changes, operations }) {
  const byAddress2 = new Map(changes.map((change) => [change.address, change]));
  const dropped = new Set(
    operations.flatMap(
      (operation) => operation.requests.flatMap(({ drops = [] }) => drops.map(({ id }) => idAmong(operation, id)))
    )
  );
  const wholes = new Set(changes.filter(isWhole3).map(({ address }) => address));
  const written = new Set(changes.filter(({ action }) => action !== "noop").map(({ kind }) => kind));
  const isGone2 = (one) => one.ids.every((id) => dropped.has(idAmong(one, id)));
  return {
    object(one) {
      const { before, after } = one;
      return placesOf(one).some((at) => isInside(at, wholes)) || !after && isGone2(before);
    },
    field(one, path) {
      const [top] = namesIn(path);
      const at = isNothing(one.before?.fields[top]) ? top : path;
      const changed = placesOf(one).flatMap((place) => byAddress2.get(place)?.fields ?? []);
      return changed.filter(asksForWrite).some((field) => isPart(field.path, at) || isPart(at, field.path));
    },
    mirrored(kind, path) {
      const schema = comparedFields(kind)[namesIn(path)[0]];
      const other = schema && traitsOf(schema).mirrors?.kind;
      return other !== void 0 && written.has(other);
    }
  };
}
var placesOf = ({ before, after }) => [after, before].flatMap((one) => one ? [one.address] : []);
var idAmong = ({ kind, parent }, id) => `${collectionId(kind, parent)} ${id}`;
var isWhole3 = ({ action, before }) => action === "create" || action === "replace" || action === "delete" || action === "update" && isNothing(before?.fields);
var isPart = (path, of) => path === of || path.startsWith(`${of}.`);
function isInside(address, places) {
  const names = address.split("/");
  return names.some((_, index) => places.has(names.slice(0, index + 1).join("/")));
}
function beforeAndAfter(before, after, kinds) {
  const isComplete = (id) => before.complete.has(id) && after.complete.has(id);
  const isRead2 = (id) => [before, after].every((one) => one.complete.has(id) || one.unlisted.has(id));
  const [old, now] = [byCollection(before.resources), byCollection(after.resources)];
  const ids = [.../* @__PURE__ */ new Set([...old.keys(), ...now.keys()])].filter(isRead2);
  const sameId = ({ kind: name, address, id, fields }) => {
    const kind = kinds.get(name);
    if (kind?.shape.byAddress) return `${address} ${id}`;
    const secretId2 = kind && secretIdOf(kind);
    return secretId2 === void 0 ? id : String(revealed(fields[secretId2]));
  };
  return ids.flatMap(
    (id) => paired(allOf(old.get(id)), allOf(now.get(id)), [sameId, ({ address }) => address]).filter(
      (one) => isComplete(id) || one.before && one.after
    )
  );
}
function paired(before, after, [key, ...others]) {
  if (!key) return [...before.map((one) => ({ before: one })), ...after.map((one) => ({ after: one }))];
  const left = groupBy(after, key);
  const pairs = before.map((one) => ({ before: one, after: left.get(key(one))?.shift() }));
  const open = pairs.filter((one) => one.after === void 0).map((one) => one.before);
  return [
    ...pairs.flatMap(({ before: before2, after: after2 }) => after2 ? [{ before: before2, after: after2 }] : []),
    ...paired(open, [...left.values()].flat(), others)
  ];
}

// src/run/verify.ts
async function verify(session, done, options) {
  const { within: within2, onWait, stop, ...given } = options;
  const looking = {
    ...given,
    // What is owed says nothing about the changes.
    noActions: true,
    sendUnverified: [],
    deletions: [],
    maxDeletions: Number.MAX_SAFE_INTEGER,
    sentBefore: session.sent()
  };
  const planned = await settle(
    () => done.after ? openPlan({ ...session, desired: done.after.desired }, { ...looking, ...done.after.options }) : openPlan(session, looking),
    ({ plan }) => isEmpty(plan) || hasErrors(plan.diagnostics),
    { clock: session.clock, within: within2, onWait, stop }
  );
  const { kinds, desired } = session;
  const beside = sideEffects(done.plan, done.live, planned.live, { kinds, desired, ledger: done.ledger });
  return { planned, beside };
}
var pauses2 = [1, 2, 4, 8, 15, 30];
async function settle(look, isSettled, { clock, within: within2, onWait, stop }) {
  let seen = await look();
  const end = clock.now() + within2;
  const stopped = new Promise((done) => stop.addEventListener("abort", () => done()));
  for (let turn = 0; !isSettled(seen) && !stop.aborted && clock.now() < end; turn++) {
    if (turn === 0) onWait();
    const pause = (pauses2[turn] ?? pauses2.at(-1)) * 1e3;
    await clock.sleep(Math.min(pause, end - clock.now()), stop).catch(() => {
    });
    if (!stop.aborted) seen = await Promise.race([look(), stopped]) ?? seen;
  }
  return seen;
}

// src/cli/after-apply.ts
async function waitUntilReady(session, planned, terminal) {
  const asked = askedIn(planned.plan);
  if (asked.length === 0) return;
  const { say, host } = session;
  const stop = new AbortController();
  const stopListening = host.onSignal(["SIGINT", "SIGTERM", "SIGHUP"], () => stop.abort());
  const view = viewOf(terminal, await liveText(terminal));
  const ends = [];
  const onEvent = (event) => {
    view.show(event);
    if (event.type !== "waiting" && event.type !== "ready") ends.push(event);
  };
  const look = lookerOf(session, planned);
  let isLooking = false;
  try {
    await unlockSession(session);
    session.say = view.note;
    await awaitAsked(asked, {
      look: async (addresses) => {
        isLooking = true;
        return look(addresses).finally(() => {
          isLooking = false;
        });
      },
      clock: session.clock,
      stop: stop.signal,
      onEvent
    });
  } finally {
    view.done();
    session.say = say;
    stopListening();
  }
  const diagnostics = ends.map((end) => endDiagnostic(end, planned.desired.resources.get(end.address)?.at));
  terminal.err(diagnosticsText(diagnostics, { style: terminal.errStyle }));
  annotate(diagnostics, terminal);
  if (stop.signal.aborted)
    terminal.err(
      "Stopped waiting. Everything is applied and recorded; the next apply waits again for what is not ready."
    );
  terminal.run.exitCode = stop.signal.aborted ? exitCodes.interrupted : ends.some(({ type }) => type !== "over") ? exitCodes.failed : ends.length > 0 ? exitCodes.tryAgainLater : terminal.run.exitCode;
  if (stop.signal.aborted && isLooking) host.exit(exitCodes.interrupted);
}
function viewOf({ err, errStyle }, update) {
  if (!update) return { show: (event) => err(readyText(event, errStyle)), note: err, done: () => {
  } };
  const waiting = /* @__PURE__ */ new Map();
  const draw = () => {
    update.clear();
    if (waiting.size > 0) update([...waiting.values()].join("\n"));
  };
  const note = (text) => {
    update.clear();
    err(text);
    draw();
  };
  return {
    show(event) {
      const text = readyText(event, errStyle);
      if (event.type === "waiting") {
        waiting.set(event.address, text);
        draw();
      } else {
        waiting.delete(event.address);
        note(text);
      }
    },
    note,
    done: () => update.clear()
  };
}
async function verifyApplied(session, done, options, terminal, { destroy }) {
  const stop = new AbortController();
  const { planned, beside } = await lookAgain(session, done, options, terminal, { destroy, stop });
  const { plan } = planned;
  const isDone = isEmpty(plan) && !hasErrors(plan.diagnostics);
  if (terminal.run.deed)
    terminal.run.deed.proof = isDone ? "settled" : isEmpty(plan) ? "unread" : "unsettled";
  const { outStyle: style } = terminal;
  const news = beside.filter(({ address }) => !session.changedBeside?.has(address));
  const effects = sideEffectsText(news, { style });
  if (isDone) {
    const waiting = (plan.waiting ?? []).filter(({ minutes }) => minutes === void 0);
    const goal = destroy ? "destroyed" : done.after ? "undone" : "configuration";
    terminal.out(waitingLines({ waiting }, { style, verbose: false }).join("\n"));
    terminal.out(effects);
    const proven = verifiedText({ ...plan, waiting }, { goal, beside: news });
    terminal.out(fold(proven, style.prose).map(style.strong).join("\n"));
  } else {
    terminal.run.exitCode = stop.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
    terminal.err(
      isEmpty(plan) ? "Applied, but not verified: the account could not be read again." : "Applied, but not verified: the account still differs from the configuration."
    );
    terminal.err(diagnosticsText(plan.diagnostics, { style: terminal.errStyle }));
    terminal.out(planText(plan, { style, requests: false }));
    terminal.out(effects);
  }
  return isDone ? planned : void 0;
}
async function lookAgain(session, done, options, terminal, { destroy, stop }) {
  const { lease, host } = session;
  try {
    return await verify(session, done, {
      ...planningOf(options, host, { destroy }),
      within: options.settle * 1e3,
      onWait: () => {
        const text = `checking again for up to ${options.settle} s`;
        terminal.err(`The account does not show everything yet; ${text}.`);
        if (lease) lease.onInterrupt = () => stop.abort();
      },
      stop: stop.signal
    });
  } finally {
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}

// src/cli/carry-out.ts
;

// src/ledger/keep-ledger.ts
var standardPace = 1e4;
var mostOfTime = 1 / 10;
function keepLedger(options) {
  const { store, onWritten, pace = standardPace, now = Date.now } = options;
  let { generation } = options;
  let latest;
  let writing = Promise.resolve();
  let lastWrite = now();
  let took = 0;
  let timer;
  const write = async () => {
    const next = latest;
    if (!next) return;
    latest = void 0;
    lastWrite = now();
    try {
      const kept = await store.write({ ...next, generation });
      generation = kept.generation;
      took = now() - lastWrite;
      onWritten?.(kept);
    } catch (error) {
      latest ??= next;
      throw error;
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = void 0;
    writing = writing.catch(() => {
    }).then(write);
    return writing;
  };
  return {
    keep: async (ledger, { touched, everywhere = false }) => {
      latest = ledger;
      if (everywhere) return flush();
      const early = lastWrite + Math.max(pace, took / mostOfTime) - now();
      if (early <= 0) return flush();
      writing = writing.catch(() => {
      }).then(() => store.note(ledger, touched));
      await writing;
      timer ??= setTimeout(() => void flush().catch(() => {
      }), early);
    },
    flush,
    close: async () => {
      await flush().finally(store.close);
    }
  };
}

// src/run/changed-since.ts
var isWrittenWhole = ({ update, read: { writes } }) => writes !== void 0 || update !== void 0 && writeRequests(update).some(isWhole);
function changedIn(changes, compared) {
  const { kind } = compared;
  for (const change of changes) {
    const what = change.before ? changedObject(change, change.before, compared) : newObject(change, compared);
    if (what !== void 0) return what;
  }
  return kind.shape.byIndex ? otherOrder(compared) : void 0;
}
function newObject({ address }, { id, kind, before, after, made, knownAs }) {
  const lost = knownAs(address).filter((one) => !made.has(one));
  if (lost.length > 0) {
    const [was2, is2] = [idsIn(id, before), idsIn(id, after)];
    if (lost.some((one) => is2.has(one) && !was2.has(one))) return `${address}, which was not gone,`;
  }
  if (kind.shape.outcome && kind.shape.isNamed && !kind.shape.merged) return void 0;
  if (!kind.shape.isNamed) {
    const known3 = idsIn(id, before);
    const isNew = (one) => !known3.has(one) && !made.has(one);
    return [...idsIn(id, after)].some(isNew) ? `what is at ${address}` : void 0;
  }
  const [was, is] = [before, after].map((live) => live.resources.get(address));
  const known2 = new Set(was ? allOf([was]).flatMap(({ ids }) => ids) : []);
  return is && allOf([is]).some(({ ids }) => ids.some((one) => !known2.has(one))) ? `what is at ${address}` : void 0;
}
function changedObject(change, { ids }, compared) {
  const { address, action, fields, before: planned } = change;
  const { id, kind, before, after, made, knownAs, isFirst } = compared;
  const [old, found] = [before, after].map((live) => piecesAt(kind, live, id, address));
  if (kind.shape.byAddress && knownAs(address).some((one) => !made.has(one) && !old.has(one) && found.has(one)))
    return `${address}, a part of which was not gone,`;
  if (action === "delete" && ids.every((one) => !found.has(one))) return void 0;
  const isGoing = action === "delete" || action === "replace";
  const isAll = planned?.transfer ? isFirst : isFirst ? isGoing || isWrittenWhole(kind) : !isGoing && isWrittenWhole(kind);
  const changing = new Set(fields.map(({ path }) => fieldOf(path)));
  for (const one of ids) {
    const was = planned?.transfer ? planned.fields : old.get(one);
    const now = found.get(one);
    if (!now) return `${address}, which is gone,`;
    const changed = [was, now].flatMap((one2) => leavesOf(comparedFields(kind), one2)).filter(({ path }) => isAll || changing.has(fieldOf(path))).find(({ path, traits }) => {
      const value = atPath(now, path);
      const wanted = change.after && atPath(change.after.fields, path);
      return !same(atPath(was, path) ?? null, value, traits) && (wanted === void 0 || !same(wanted, value, traits));
    });
    if (changed) return `\`${changed.path}\` of ${address}`;
  }
  return void 0;
}
function piecesAt(kind, live, id, address) {
  if (!kind.shape.byAddress) return contentsOf(id, live).pieces;
  const unit = live.resources.get(address);
  return piecesOf(unit ? allOf([unit]) : []);
}
function piecesOf(objects) {
  const pieces = objects.flatMap((one) => one.rows ?? [{ id: one.id, fields: one.fields }]);
  return new Map(pieces.map((piece) => [piece.id, piece.fields]));
}
var fieldOf = (path) => path.split(".")[0];
function otherOrder({ id, before, after, ours }) {
  const orderOf = (live) => allOf(objectsIn(id, live)).filter(({ address }) => !ours.has(address)).sort((a, b) => a.index - b.index).map((one) => one.id).join();
  return orderOf(before) === orderOf(after) ? void 0 : "the order of the list";
}
var known = /* @__PURE__ */ new WeakMap();
var nothing = [];
var objectsIn = (id, { resources }) => byCollection(resources).get(id) ?? nothing;
function contentsOf(id, live) {
  const objects = objectsIn(id, live);
  let contents = known.get(objects);
  if (!contents) {
    const all = allOf(objects);
    contents = { ids: new Set(all.flatMap(({ ids }) => ids)), pieces: piecesOf(all) };
    known.set(objects, contents);
  }
  return contents;
}
var idsIn = (id, live) => contentsOf(id, live).ids;

// src/run/checks.ts
var Checks = class {
  #options;
  #changeOf;
  /** The ids in the ledger at the beginning; objects made by the run are not among them. */
  #known;
  /** Addresses that this run itself has changed, so that they differ from the plan's basis. */
  #ours = /* @__PURE__ */ new Set();
  #readings = /* @__PURE__ */ new Map();
  constructor(options) {
    const { changes } = options.plan;
    this.#options = options;
    this.#changeOf = new Map(changes.map((change) => [change.address, change]));
    this.#known = new Map(
      changes.map(({ address }) => [address, options.ledger.entries[address]?.ids ?? []])
    );
  }
  /**
   * Checks the objects of an operation that has not begun. Throws if somebody else has changed one that it changes, or created one that it
   * creates; then nothing of the operation may be sent.
   */
  async check({ changes: addresses }) {
    const changes = addresses.map((address) => this.#changeOf.get(address)).filter((change) => !this.#ours.has(change.address) && !this.#isInNew(change));
    for (const address of addresses) this.#ours.add(address);
    const seen = /* @__PURE__ */ new Map();
    await this.#look(changes, seen);
    const again = () => this.#look(changes, seen).catch((error) => {
      throw Object.assign(error, { sent: false });
    });
    return { seen, again };
  }
  /** Our objects that the plan forgets as gone, and that a second reading shows: the first list may have left them out. */
  async foundAgain() {
    const { plan, live, ledger, refresh: refresh2 } = this.#options;
    const { entries } = ledger;
    const gone = plan.changes.filter(
      ({ address, action, before, parent }) => action === "forget" && !before && !entries[address]?.existing && (parent === void 0 || live.resources.has(parent))
    );
    const collections = [...new Set(gone.map(({ kind, parent }) => collectionId(kind, parent)))];
    if (collections.length === 0) return /* @__PURE__ */ new Set();
    const after = await refresh2(collections);
    const isThere = ({ address, kind, parent }) => {
      const id = collectionId(kind, parent);
      const [was, is] = [idsIn(id, live), idsIn(id, after)];
      return entries[address]?.ids.some((one) => is.has(one) && !was.has(one)) ?? false;
    };
    return new Set(gone.filter(isThere).map(({ address }) => address));
  }
  /**
   * The addresses of a finished operation at which somebody else's write may be lost, since it came between our last look and our own
   * write. This can be told only if the platform counts writes, and never be prevented. `seen`: the collections just before.
   */
  async overwritten({ changes, requests }, seen) {
    const replaced = changes.filter((address) => {
      const { before, action } = this.#changeOf.get(address);
      return before && ["update", "adopt"].includes(action);
    });
    const counted = [...seen].filter(([id]) => this.#kindOf(id).read.writes);
    if (replaced.length === 0 || counted.length === 0) return [];
    const now = await this.#options.refresh(counted.map(([id]) => id));
    const ours = requests.filter((request) => !isRead(request)).length;
    const isMore = counted.some(([id, before]) => {
      const [was, is] = [before.writes.get(id), now.writes.get(id)];
      return was !== void 0 && is !== void 0 && is - was > ours;
    });
    return isMore ? replaced : [];
  }
  /** Reads the collections of these changes again if their last reading is too old, and compares. Puts what it read into `seen`. */
  async #look(changes, seen) {
    const { live, refresh: refresh2, now, idsOf: idsOf3 } = this.#options;
    const collections = [...new Set(changes.map(collectionOf2))];
    const stale = collections.filter((id) => this.#isStale(id));
    const read = stale.length > 0 ? refresh2(stale) : void 0;
    for (const id of stale)
      this.#readings.set(id, { at: now(), isFirst: !this.#readings.has(id), live: read });
    for (const id of collections) {
      const reading = this.#readings.get(id);
      const after = await reading.live;
      seen.set(id, after);
      const why = after.frozen.get(id);
      if (why !== void 0) throw new Error(`could not check whether it changed: ${why}`);
      const kind = this.#kindOf(id);
      const what = changedIn(
        changes.filter((change) => collectionOf2(change) === id),
        {
          id,
          kind,
          before: live,
          after,
          ours: this.#ours,
          // Only what has no name of its own is told by its id alone.
          made: new Set(kind.shape.isNamed ? [] : [...this.#ours].flatMap(idsOf3)),
          knownAs: (address) => this.#known.get(address) ?? [],
          isFirst: reading.isFirst
        }
      );
      if (what) throw new Error(`${what} was changed by somebody else after the plan was made; plan again`);
    }
  }
  #kindOf(id) {
    return this.#options.kinds.get(collectionParts(id)[1]);
  }
  /** True below an object that this run creates: nobody else has anything there. */
  #isInNew({ kind, parent, before }) {
    if (before?.transfer) return false;
    const { kinds } = this.#options;
    return ancestorsOf(kinds, kinds.get(kind), parent).some(
      ({ address }) => makesObject(this.#changeOf.get(address))
    );
  }
  /** True if a reading is too old for another operation: it serves those that follow each other closely. */
  #isStale(id) {
    const last = this.#readings.get(id);
    return !last || this.#options.now() - last.at >= freshFor || isWrittenWhole(this.#kindOf(id));
  }
};
var collectionOf2 = ({ kind, parent, before }) => collectionId(kind, before?.transfer?.parent ?? parent);

// src/run/entry.ts
function entryOf(change, kind, ids, old, key) {
  const { action, after, declared = [], uncompared = [], needs = [] } = change;
  if (action === "delete" || action === "forget" || !after || change.letGo) return void 0;
  const salt = old?.salt ?? newSalt();
  const { meta } = after;
  const digests = meta.existing ? { fields: {}, secrets: {} } : digestsOf(comparedFields(kind), after.fields, new Set(declared), salt, key);
  for (const path of uncompared) digests.secrets[path] ??= old?.secrets[path] ?? notKnown;
  const hidden = [...old?.hidden ?? [], ...Object.keys(old?.secrets ?? {})].filter(
    (path) => digests.fields[path] === void 0 && digests.secrets[path] === void 0
  );
  return {
    kind: kind.name,
    ids: secretIdOf(kind) !== void 0 && !key ? old?.ids ?? [] : ownIds(change, kind, ids, key),
    origin: old?.origin ?? originOf(action),
    salt,
    form: kind.form ?? 1,
    ...digests,
    ...hidden.length > 0 ? { hidden: [...new Set(hidden)].sort() } : {},
    ...old?.tainted ? { tainted: true } : {},
    ...meta.protect ? { protect: true } : {},
    ...meta.onRemove ? { onRemove: meta.onRemove } : {},
    ...meta.allow ? { allow: meta.allow } : {},
    ...meta.position ? { position: meta.position } : {},
    ...meta.existing ? { existing: true } : {},
    ...needs.length > 0 ? { dependsOn: needs } : {}
  };
}
var notKnown = { key: "", digest: "" };
function ownIds({ before, after }, kind, ids, key) {
  const field = secretIdOf(kind);
  const secret = field !== void 0 && key ? before?.fields[field] : void 0;
  if (secret !== void 0 && ids.length > 0 && before.ids.includes(ids[0]))
    return [secretId(key, secret)];
  return ids.length > 0 ? idsOf2(kind, ids) : naturalIds(kind, after.fields);
}
var idsOf2 = (kind, ids) => kind.shape.byAddress ? [...ids].sort() : ids;
function naturalIds(kind, fields) {
  const name = typeof kind.id === "string" ? kind.id : "id";
  return kind.key.includes(name) && !isHole(fields[name]) ? [String(fields[name])] : [];
}
function unfinishedEntry(change, kind, ids, old, key) {
  if (old) return { ...old, ids };
  const isWhole4 = change && !kind.shape.byAddress && makesObject(change);
  const entry = isWhole4 && entryOf(atFirst(change, kind), kind, ids, void 0, key);
  return entry || emptyEntry(kind, ids, originOf(change?.action ?? "create"));
}
function intentEntry(change, kind, key, salt = newSalt()) {
  const empty = { ...emptyEntry(kind, [], "created"), salt };
  const entry = entryOf(kind.shape.byAddress ? change : atFirst(change, kind), kind, [], empty, key);
  const isOwed = kind.shows !== void 0 && change.after?.meta.secretTo !== "discard";
  return {
    ...entry ?? empty,
    ids: [],
    ...isOwed ? { tainted: true } : {}
  };
}
var atFirst = (change, kind) => ({
  ...change,
  declared: (change.declared ?? []).filter((path) => !isSentLater(kind, path))
});
var emptyEntry = (kind, ids, origin) => ({
  kind: kind.name,
  ids,
  origin,
  salt: newSalt(),
  form: kind.form ?? 1,
  fields: {},
  secrets: {}
});
var isSentLater = (kind, path) => traitsOf(kind.fields[path.split(".")[0]]).updateOnly === true;
var originOf = (action) => makesObject({ action }) ? "created" : "adopted";

// src/run/intents.ts
var Intents = class {
  #ledger;
  #options;
  #changeOf;
  #open;
  #inDoubt = /* @__PURE__ */ new Set();
  #size;
  constructor(ledger, options) {
    this.#ledger = ledger;
    this.#options = options;
    this.#changeOf = new Map(options.plan.changes.map((change) => [change.address, change]));
    this.#open = { ...ledger.begun, ...intentsOf(options) };
    this.#size = Object.keys(this.#open).length;
    if (this.#size > 0) ledger.begun = this.#open;
  }
  /**
   * Called before a request is sent: what it creates is in doubt until its answer arrives, or that of a read among the `following`
   * requests that tells the id. Returns these addresses.
   */
  begins(request, following) {
    const { kinds, key, known: known2 } = this.#options;
    const write = following.findIndex((one) => !isRead(one));
    const told = following.slice(0, write < 0 ? following.length : write);
    const created = [request, ...told].flatMap(createdBy).filter((address) => this.#open[address] && this.#changeOf.has(address));
    for (const address of created) {
      const { entry, seen } = this.#open[address];
      const change = this.#changeOf.get(address);
      const now = intentEntry(known2(change), kinds.get(change.kind), key, entry.salt);
      this.#open[address] = { entry: now, seen, sent: true };
      this.#inDoubt.add(address);
    }
    return created;
  }
  /** Called after a request was answered, or certainly had no effect; `unknown`: the addresses on which the answer is silent. */
  heard(request, unknown) {
    for (const address of createdBy(request)) if (!unknown?.has(address)) this.#inDoubt.delete(address);
  }
  /** Called when a read of the account has shown the outcome at this address. */
  found(address) {
    this.#inDoubt.delete(address);
  }
  /** Called when the change of this address is done. */
  ends(address) {
    if (this.#open[address]) this.#size--;
    delete this.#open[address];
    if (this.#size === 0) delete this.#ledger.begun;
  }
  /** Called at the end of the run: intents that are not in doubt are left to the next plan. */
  close() {
    for (const address of Object.keys(this.#open)) if (!this.#inDoubt.has(address)) this.ends(address);
  }
};
var createdBy = ({ returns = [], batch = [], shows }) => [
  .../* @__PURE__ */ new Set([...returns.map(({ address }) => address), ...batch.flat(), ...shows ? [shows.address] : []])
];
function intentsOf({ plan, live, kinds, key, known: known2 }) {
  const created = new Set(plan.operations.flatMap(({ requests }) => requests.flatMap(createdBy)));
  return Object.fromEntries(
    plan.changes.filter(({ address, action, after }) => created.has(address) && after && action !== "delete").map((change) => {
      const { address, parent } = change;
      const kind = kinds.get(change.kind);
      const entry = intentEntry(known2(change), kind, key);
      const here2 = live.resources.get(address);
      const beside = kind.shape.isNamed ? allOf(here2 && [here2]) : byCollection(live.resources).get(collectionId(kind.name, parent)) ?? [];
      const ids = beside.flatMap((one) => one.ids);
      return [address, { entry, seen: ids.map((id) => seenId(entry.salt, id)).sort() }];
    })
  );
}

// src/run/look-up.ts
function lookedUp({ request, changes, live, ledger, kinds, key, expected }) {
  const { drops = [] } = request;
  const dropped = groupBy(drops, ({ address }) => address);
  const created = new Set(createdBy(request));
  const isMade = ({ address, action }) => created.size > 0 ? created.has(address) : action === "create";
  const begun = Object.fromEntries(
    changes.flatMap((change) => {
      const one = isMade(change) ? ledger.begun?.[change.address] : void 0;
      return one ? [[change.address, one]] : [];
    })
  );
  const made = resume({ ...ledger, begun }, live, { kinds, key, isSettled: false });
  const found = /* @__PURE__ */ new Map();
  const unseen = /* @__PURE__ */ new Map();
  for (const change of changes) {
    const { address, before } = change;
    const kind = kinds.get(change.kind);
    if (live.frozen.has(collectionId(kind.name, change.parent))) continue;
    const gone = (dropped.get(address) ?? []).map(({ id }) => id);
    const is = here(live, change, kind);
    if (begun[address] && made.resumed.has(address)) {
      found.set(address, made.ledger.entries[address].ids);
    } else if (gone.length > 0) {
      if (!isReadable(kind) || !is.some(({ ids }) => ids.some((id) => gone.includes(id))))
        found.set(
          address,
          (ledger.entries[address]?.ids ?? []).filter((id) => !gone.includes(id))
        );
    } else if (change.action === "delete") {
      if (!live.resources.has(address)) found.set(address, []);
    } else {
      const known2 = [...before?.ids ?? [], ...ledger.entries[address]?.ids ?? []];
      const one = is.find(({ ids }) => ids.some((id) => known2.includes(id)));
      const entry = change.action === "replace" ? void 0 : expected(change);
      const left = one && entry && notWritten(change, one, entry, kind, { key, idOf: idIn(live) });
      if (left?.length === 0) found.set(address, one.ids);
      else if (left?.every((path) => atPath(one.fields, path) === void 0)) unseen.set(address, left);
    }
  }
  return { found, unseen };
}
function here({ resources }, { address, kind: name, parent }, kind) {
  if (!kind.shape.byAddress) return allOf(byCollection(resources).get(collectionId(name, parent)));
  const unit = resources.get(address);
  return allOf(unit && [unit]);
}
function notWritten({ fields }, found, entry, kind, known2) {
  const leaves = new Map(
    leavesOf(comparedFields(kind), found.fields).map((leaf) => [leaf.path, leaf.traits])
  );
  return fields.filter(({ cause }) => cause !== "recorded" && cause !== "released").filter(({ path, after }) => {
    const value = atPath(found.fields, path);
    if (value === void 0) return after !== null;
    return !keptAt(entry, path, { form: kind.form ?? 1, ...known2 }).is(value, leaves.get(path) ?? {});
  }).map(({ path }) => path);
}

// src/run/unclear-answer.ts
var notKnown2 = (unread, said, unseen) => {
  const cause = unread ? { cause: unread } : {};
  if (isNotFound(unread))
    return new Error(
      `${unread.message}; but the account still shows it, or cannot be read: run again to check once more`,
      cause
    );
  const answer = unread ? `${unread.message}; it` : "the platform's answer";
  const also = said === void 0 ? "" : ` (it says: ${said})`;
  return new Error(
    unseen ? `${answer} does not show the outcome, and ${unseen.map((path) => `\`${path}\``).join(", ")} cannot be read back${also}: run again to send it once more` : `${answer} does not show the outcome, and neither does the account${also}: run again to check once more`,
    cause
  );
};
var isId = (id) => typeof id === "string" && id !== "" || typeof id === "number";
function lookedUpFor(request, { changes }, isLast) {
  if (isRead(request) || request.stages || request.shows) return [];
  if (isLast) return request.batch?.flat() ?? changes;
  return [...createdBy(request), ...(request.drops ?? []).map(({ address }) => address)];
}
var refusedFor = (error, request, { begun = {} }) => isRefusal(error) && !isRead(request) && !request.stages ? createdBy(request).filter((address) => begun[address]) : [];
var madeAnyway = (refusal, made) => new Error(
  `${refusal.message}; but the account shows that it was done (${[...made].join(", ")}): run again to continue from there`,
  { cause: refusal }
);
var statusOf = (error) => error?.status ?? 0;
var isRefusal = (error) => {
  const status = statusOf(error);
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
};
var isNotFound = (error) => [404, 410].includes(statusOf(error));
var isGone = (error, { endpoint, stages }) => (
  // A staged list differs from the one that was planned on.
  isNotFound(error) && endpoint.startsWith("DELETE ") && !stages
);
var isOpen = (error, request) => isUnreadable(error) || isGone(error, request);
var isUnreadable = (error) => {
  const status = statusOf(error);
  return status >= 200 && status < 300;
};
function withValue(answer, [name, ...rest], value) {
  if (name === void 0) return value;
  if (typeof name !== "string") return answer;
  const members = isPlainObject(answer) ? answer : {};
  return { ...members, [name]: withValue(members[name], rest, value) };
}
var saysStaged = ({ stages, returns = [] }, answer) => stages?.version === void 0 || [stages.version, ...returns.flatMap((one) => "path" in one ? [one.path] : [])].every(
  (path) => isId(lookUp(answer, path))
);
var isLastStaged = ({ requests }, index) => requests[index].stages?.version !== void 0 && !requests.slice(index + 1).some(({ stages }) => stages?.version !== void 0);
function stagedAnswer(look) {
  const { request, answer, live, staged } = look;
  const { collection, version } = request.stages;
  if (!live || live.frozen.has(collection)) throw notShown(look, "the versions cannot be read");
  if (version === void 0) {
    if (!isActedOn(request, live, collection)) throw notShown(look, "the versions do not show it");
    return answer;
  }
  const found = live.staged.get(collection);
  const known2 = staged?.[collection];
  if (!found || !known2) throw notShown(look, "no version is staged that has this and nothing else");
  const ids = (request.returns ?? []).flatMap((one) => {
    if (!("path" in one)) return [];
    const made = found.objects.find(
      ({ address, id }) => address === one.address && !known2.of[address]?.ids.includes(id)
    );
    if (!made) throw notShown(look, `${one.address} is not in the staged version`);
    return [{ path: one.path, id: made.id }];
  });
  const left = look.isLast ? notStaged(found, known2, look) : void 0;
  if (left !== void 0) throw notShown(look, `${left} is not correct in the staged version`);
  return ids.reduce((said, { path, id }) => withValue(said, path, id), withValue(answer, version, found.id));
}
function notStaged({ objects }, { of }, { kind, key }) {
  const wanted = Object.entries(of);
  const missing = wanted.find(
    ([at, { ids, entry }]) => entry ? !objects.some(({ address, fields }) => address === at && isMadeOf(fields, entry, kind, { key })) : objects.some(({ id }) => ids.includes(id))
  );
  return missing?.[0];
}
function isActedOn({ body }, { versions }, collection) {
  const { id, action } = isPlainObject(body) ? body : {};
  const { live, staged } = versions.get(collection) ?? {};
  return action === "promote" ? live === String(id) : staged !== String(id);
}
var notShown = ({ request, unread }, why) => {
  const { endpoint, stages } = request;
  const next = stages?.version === void 0 ? "run again to check once more" : "it is not promoted, so none of it is live; run again to discard it and stage it again";
  const said = (unread && `${unread.message}; it`) ?? `the platform's answer to ${endpoint.split("?")[0]}`;
  return new Error(`${said} does not show the outcome, and ${why}: ${next}`, {
    ...unread ? { cause: unread } : {}
  });
};
var PartlyRefused = class extends Error {
  notDone;
  constructor(notDone2) {
    super(textOf(notDone2));
    this.notDone = notDone2;
  }
};
function expectAsPlanned({ expects = [] }, answer) {
  for (const { path, value, orAbsent } of expects) {
    const found = lookUp(answer, path);
    if (orAbsent && found === void 0) continue;
    if (String(found) !== String(value))
      throw new Error("it was changed by somebody else after it was read; plan again");
  }
}
function textOf(notDone2) {
  const byText = groupBy(notDone2, ({ error }) => error.message);
  return [...byText].map(([text, of]) => `${of.map(({ address }) => address).join(", ")}: ${text}`).join("; ");
}
function batchAnswer(request, answer, kind, { masking, isUnread }) {
  const { batch = [], body } = request;
  const said = { refused: /* @__PURE__ */ new Map(), unknown: /* @__PURE__ */ new Map(), ids: /* @__PURE__ */ new Map() };
  const sent = { ...request, body: revealed(body) };
  const outcome = batch.length === 0 || isUnread ? [] : kind.shape.outcome(answer, sent);
  const textOf2 = ({ code: code2 = "", error }) => {
    for (const secret of sealedIn(body)) masking.know(secret);
    return [masking.name(code2) ?? masking.mask(code2), masking.mask(error)].filter(Boolean).join(": ");
  };
  for (const [index, addresses] of batch.entries()) {
    const result = outcome[index] ?? { unknown: true };
    for (const address of addresses) {
      if ("error" in result) said.refused.set(address, new Error(textOf2(result)));
      else if ("unknown" in result) said.unknown.set(address, result.said?.map(textOf2).join("; "));
      else said.ids.set(address, result.id);
    }
  }
  return said;
}

// src/run/perform.ts
var Performer = class {
  #options;
  #parts;
  #changeOf;
  #operations;
  #missingSecrets;
  constructor(options, parts) {
    const { changes, operations } = options.plan;
    this.#options = options;
    this.#parts = parts;
    this.#changeOf = new Map(changes.map((change) => [change.address, change]));
    this.#operations = new Map(operations.map((operation) => [operation.id, operation]));
    const missing = missingSecrets(operations, options.secrets);
    this.#missingSecrets = new Map(missing.map(({ address, name }) => [address, name]));
  }
  /**
   * Sends all requests of an operation, one after the other. Returns the addresses at which somebody else's write may be lost. Throws if
   * the operation is not done; `PartlyRefused` if all was sent.
   */
  async perform(operation) {
    const { quota } = this.#options;
    const { checks } = this.#parts;
    for (const address of operation.changes) {
      const name = this.#missingSecrets.get(address);
      if (name !== void 0) throw new Error(`the secret ${name} is not available`);
    }
    for (const id of operation.reserves ?? [])
      await quota?.reserve(id, reservedIn(this.#operations.get(id)));
    const { seen, again } = await checks.check(operation);
    const course = { operation, results: [], isBegun: false, isStagedUnseen: false, confirm: again };
    for (const index of operation.requests.keys()) await this.#request(index, course);
    return checks.overwritten(operation, seen);
  }
  async #request(index, course) {
    const { secrets } = this.#options;
    const { recorder, save } = this.#parts;
    const { operation, results } = course;
    const following = operation.requests.slice(index + 1);
    const isLast = following.every(isRead);
    const attribute = (address, attr) => recorder.known.attribute(address, attr);
    const request = fill(operation.requests[index], { attribute, secrets, results });
    const keep = recorder.begin(request, following);
    if (keep) await save(keep === "everywhere");
    const concerned = lookedUpFor(request, operation, isLast);
    const { answer, unread } = await this.#send(request, course, concerned.length > 0);
    results.push(await this.#staged(index, request, course, { answer, unread }));
    course.isBegun ||= !isRead(request);
    const { refused, unknown } = recorder.note(
      request,
      results.at(-1),
      operation.kind,
      unread ? concerned : []
    );
    const open = await this.#lookUpUnknown(request, course, unknown, unread);
    if (unknown.size === 0) expectAsPlanned(request, results.at(-1));
    if (operation.requests.length > 1) await save();
    const notDone2 = [...refused, ...open].map(([address, error]) => ({ address, error }));
    if (notDone2.length > 0) throw isLast ? new PartlyRefused(notDone2) : new Error(textOf(notDone2));
    if (request.shows) await this.#handOver(request.shows, answer);
  }
  /** `isLookedUp`: the account can show the outcome. */
  async #send(request, course, isLookedUp) {
    const confirm = course.isBegun ? void 0 : course.confirm;
    const filed = withFile(request, this.#options.contents ?? /* @__PURE__ */ new Map());
    const sent = () => this.#options.send(filed, confirm);
    try {
      return { answer: await sent().catch((error) => this.#askedAgain(error, request, course, sent)) };
    } catch (error) {
      if (isOpen(error, request) && (isLookedUp || request.stages)) return { unread: error };
      if (error.sent === false) {
        const { recorder } = this.#parts;
        const doubtful = refusedFor(error, request, recorder.ledger);
        const { found: made } = await this.#lookAt(request, doubtful);
        recorder.refused(request, made);
        if (made.size > 0) throw madeAnyway(error, made.keys());
      }
      throw error;
    }
  }
  /** Repeats a deletion that was "not found", unless it can be looked up: that answer must come twice, since a proxy may have given it. */
  #askedAgain(error, request, { operation }, sent) {
    if (isReadable(this.#options.kinds.get(operation.kind)) || !isGone(error, request)) throw error;
    return sent();
  }
  /** Completes the answer with the staged version in the account, which is read only if the answer does not say all. */
  async #staged(index, request, course, { answer, unread }) {
    const { kinds, key, refresh: refresh2 } = this.#options;
    const { kind, parent } = course.operation;
    const isUnclear = unread !== void 0 || !saysStaged(request, answer);
    course.isStagedUnseen ||= isUnclear;
    const isLast = isLastStaged(course.operation, index);
    if (!request.stages || !(isUnclear || course.isStagedUnseen && isLast)) return answer;
    const { staged } = this.#parts.recorder.ledger;
    const live = await refresh2([collectionId(kind, parent)], staged).catch(() => void 0);
    return stagedAnswer({ request, answer, unread, isLast, staged, kind: kinds.get(kind), key, live });
  }
  /** Looks up what an answer does not say, and adds the ids. Returns why the other addresses are unknown. */
  async #lookUpUnknown(request, { operation, results }, unknown, unread) {
    if (unknown.size === 0) return /* @__PURE__ */ new Map();
    const { found, unseen } = await this.#lookAt(request, [...unknown.keys()]);
    this.#parts.recorder.learn(request, found, operation.kind);
    for (const one of request.returns ?? [])
      if ("path" in one && found.has(one.address))
        results.push(withValue(results.pop(), one.path, found.get(one.address).at(-1)));
    const left = [...unknown].filter(([address]) => !found.has(address));
    return new Map(left.map(([address, said]) => [address, notKnown2(unread, said, unseen.get(address))]));
  }
  /** Reads the account for these addresses, and returns those that are done; none if it cannot be read. */
  async #lookAt(request, addresses) {
    const nothing2 = { found: /* @__PURE__ */ new Map(), unseen: /* @__PURE__ */ new Map() };
    if (addresses.length === 0) return nothing2;
    const { refresh: refresh2, kinds, key } = this.#options;
    const { recorder } = this.#parts;
    const changes = addresses.map((address) => this.#changeOf.get(address));
    const collections = new Set(changes.map(({ kind, parent }) => collectionId(kind, parent)));
    const expected = (change) => recorder.expected(change);
    return refresh2([...collections]).then(
      (live) => lookedUp({ request, changes, live, ledger: recorder.ledger, kinds, key, expected }),
      () => nothing2
    );
  }
  /** Delivers a secret that is shown only once. Until it has arrived, the ledger marks the object as tainted. */
  async #handOver({ address, path }, answer) {
    const { masking, deliver } = this.#options;
    const { recorder, save } = this.#parts;
    const to = this.#changeOf.get(address)?.after?.meta.secretTo;
    const secret = lookUp(answer, path);
    if (to !== void 0 && to !== "discard") {
      if (typeof secret !== "string")
        throw new Error(
          `the response does not contain the ${path.join(".")}, which is shown only once: run again to recreate ${address}`
        );
      const sealed2 = new Sealed(secret);
      masking.know(sealed2);
      await deliver?.(to, sealed2, address);
    }
    recorder.delivered(address);
    await save(true);
  }
};
var reservedIn = ({ requests }) => requests.flatMap(({ endpoint, reserved: reserved2 }) => reserved2 === void 0 ? [] : endpoint);

// src/run/known-objects.ts
var KnownObjects = class {
  #options;
  #changeOf;
  #ids;
  constructor(options) {
    const { plan, live } = options;
    this.#options = options;
    this.#changeOf = new Map(plan.changes.map((change) => [change.address, change]));
    this.#ids = new Map([...live.resources].map(([address, { ids }]) => [address, ids]));
    for (const { address, before } of plan.changes) this.#ids.set(address, before?.ids ?? []);
  }
  /** All current ids of an address. */
  idsOf(address) {
    return this.#ids.get(address) ?? [];
  }
  setIds(address, ids) {
    this.#ids.set(address, ids);
  }
  /** An attribute of an object; undefined while it is not known. */
  attribute(address, attr) {
    if (attr === "id" && address.startsWith("#")) return lastNameOf(address);
    if (attr === "id") return this.#ids.get(address)?.at(-1);
    const { live } = this.#options;
    return this.#changeOf.get(address)?.after?.fields[attr] ?? live.resources.get(address)?.fields[attr];
  }
  /** The change with its references filled, if known, by ids in place of addresses. */
  filled(change) {
    const { after } = change;
    if (!after) return change;
    const { kinds, secrets } = this.#options;
    const attribute = (address, attr) => this.attribute(address, attr);
    const fields = knownFields(kinds.get(change.kind), after, { secrets, attribute });
    const idOf2 = (address) => this.attribute(address, "id");
    return { ...change, after: { ...after, fields: withIds(fields, idOf2) } };
  }
};

// src/run/ledger-entries.ts
var LedgerEntries = class {
  /** By the names of the configuration. */
  of;
  #wanted;
  /** Parents that are not ours: kept until their last child goes, or because they are declared. */
  #borrowed;
  #touched = /* @__PURE__ */ new Set();
  #moves;
  /** `moves`: the renames that the account does not have yet. */
  constructor({ changes }, before, moves) {
    this.#moves = moves;
    this.of = { ...before };
    for (const { address, claims } of changes)
      if (claims !== void 0 && this.of[claims]) {
        this.of[address] = this.of[claims];
        delete this.of[claims];
      }
    this.#wanted = new Set(changes.flatMap(({ address, after }) => after ? [address] : []));
    this.#borrowed = Object.keys(this.of).filter((address) => this.of[address].existing);
    for (const address of Object.keys(this.of)) if (this.of[address] !== before[address]) this.touch(address);
  }
  put(address, entry) {
    this.touch(address);
    this.of[address] = entry;
  }
  /** Removes this entry alone. */
  remove(address) {
    this.touch(address);
    delete this.of[address];
  }
  /** Removes an entry, and the parents that were kept for it. */
  drop(address) {
    this.remove(address);
    for (const parent of this.#borrowed)
      if (isWithin(address, parent) && !this.#wanted.has(parent) && this.below(parent).length === 0)
        this.remove(parent);
  }
  below(parent) {
    return Object.keys(this.of).filter((address) => address !== parent && isWithin(address, parent));
  }
  touch(address) {
    this.#touched.add(unmoved(address, this.#moves));
  }
  /** The stored addresses that were touched since the last call. */
  touched() {
    const all = [...this.#touched];
    this.#touched.clear();
    return all;
  }
  /** The ledger to store now: entries that are not renamed yet under their old names. */
  kept(ledger) {
    return this.#moves.length === 0 ? ledger : renamed(ledger, (address) => unmoved(address, this.#moves));
  }
  /**
   * Called when the change at this address is done: from now on its rename is stored, too. `others`: addresses that are stored beside the
   * entries.
   */
  renameDone(address, others) {
    const left = this.#moves.filter(({ by }) => by !== address);
    if (left.length === this.#moves.length) return;
    for (const one of [...Object.keys(this.of), ...others()]) {
      const [before, after] = [unmoved(one, this.#moves), unmoved(one, left)];
      if (before !== after) this.#touched.add(before).add(after);
    }
    this.#moves = left;
  }
};
var nameOf = (kind, id) => `${kind} ${id}`;
var UpdatedAt = class {
  #entries;
  #written;
  /** The times of touched objects. */
  #kept;
  #told = /* @__PURE__ */ new Map();
  /** The addresses that an object serves; objects made by this run are added once they are recorded. */
  #holders = /* @__PURE__ */ new Map();
  constructor({ changes, operations }, entries) {
    this.#entries = entries;
    this.#written = new Set(operations.flatMap((operation) => operation.changes));
    this.#kept = new Map(
      changes.flatMap(({ address, touched }) => touched ? [[address, entries.of[address]?.updatedAt]] : [])
    );
    for (const [address, { kind, ids }] of Object.entries(entries.of)) this.#hold(address, kind, ids);
    const going = new Set(
      changes.flatMap(
        ({ address, kind, before }) => this.#written.has(address) ? (before?.ids ?? []).map((id) => nameOf(kind, id)) : []
      )
    );
    for (const [address, { kind, ids, updatedAt }] of Object.entries(entries.of))
      if (updatedAt !== void 0 && !this.#kept.has(address) && ids.some((id) => going.has(nameOf(kind, id))))
        this.#set(address, void 0);
  }
  /** Notes an answer to a write, whose objects tell when they were written. */
  note(kind, answer) {
    if (kind.read.updatedAt === void 0) return;
    const ids = /* @__PURE__ */ new Set();
    for (const object of objectsIn2(answer)) {
      const updatedAt = updatedAtOf(kind, object);
      if (updatedAt === void 0) continue;
      const id = idOf(kind, object);
      const name = nameOf(kind.name, id);
      ids.add(id);
      this.#told.set(name, Math.max(updatedAt, this.#told.get(name) ?? 0));
    }
    const holders = [...ids].flatMap((id) => [...this.#holders.get(nameOf(kind.name, id)) ?? []]);
    for (const address of new Set(holders)) {
      const entry = this.#entries.of[address];
      if (entry && !this.#kept.has(address) && entry.ids.some((id) => ids.has(id)))
        this.#set(address, this.#toldOf(kind.name, entry.ids));
    }
  }
  /** The time of an object, which now has these ids, after its change. */
  of({ address, kind, before }, ids) {
    this.#hold(address, kind, ids);
    if (this.#kept.has(address)) return this.#kept.get(address);
    return this.#toldOf(kind, ids) ?? (this.#written.has(address) ? void 0 : before?.updatedAt);
  }
  #hold(address, kind, ids) {
    for (const id of ids) {
      const name = nameOf(kind, id);
      const known2 = this.#holders.get(name);
      if (known2) known2.add(address);
      else this.#holders.set(name, /* @__PURE__ */ new Set([address]));
    }
  }
  #toldOf(kind, ids) {
    const told = ids.flatMap((id) => this.#told.get(nameOf(kind, id)) ?? []);
    return told.length > 0 ? Math.max(...told) : void 0;
  }
  /** Some objects serve several addresses: a write for one of them is a write to all. */
  #set(address, updatedAt) {
    const { updatedAt: _, ...entry } = this.#entries.of[address];
    this.#entries.put(address, { ...entry, ...updatedAt === void 0 ? {} : { updatedAt } });
  }
};
function objectsIn2(answer) {
  const found = [];
  walk(answer, (one) => {
    if (typeof one === "object" && one !== null && !Array.isArray(one)) found.push(one);
    return inside;
  });
  return found;
}

// src/run/staging.ts
var Staging = class {
  #ledger;
  #options;
  #held = /* @__PURE__ */ new Map();
  /** Collections whose staged changes are all in the ledger, even those of later requests. */
  #noted = /* @__PURE__ */ new Set();
  constructor(ledger, options) {
    this.#ledger = ledger;
    this.#options = options;
  }
  /** Writes an entry at once, or once its collection is promoted: a staged change is live for nobody, and may never be. */
  enter(stages, write) {
    if (stages?.version === void 0) {
      write();
      return;
    }
    const held = this.#held.get(stages.collection);
    if (held) held.push(write);
    else this.#held.set(stages.collection, [write]);
  }
  /** Called before a request is sent. True if it stages, and the ledger has to know that before: its answer may get lost. */
  begins(stages) {
    if (stages?.version === void 0 || this.#noted.has(stages.collection)) return false;
    const { collection, of = [] } = stages;
    const base = this.#options.live.versions.get(collection)?.live;
    this.#noted.add(collection);
    this.#ledger.staged = {
      ...this.#ledger.staged,
      [collection]: {
        ...base === void 0 ? {} : { base },
        of: Object.fromEntries(of.map((address) => [address, this.#contentOf(address)]))
      }
    };
    return true;
  }
  /** Called after a request that stages, promotes or discards was answered. */
  answered({ collection, version }) {
    if (version !== void 0) return;
    for (const write of this.#held.get(collection) ?? []) write();
    this.#held.delete(collection);
    this.#noted.delete(collection);
    const { [collection]: _, ...others } = this.#ledger.staged ?? {};
    this.#ledger.staged = others;
    if (Object.keys(others).length === 0) delete this.#ledger.staged;
  }
  #contentOf(address) {
    const { live, changeOf, expected } = this.#options;
    const change = changeOf.get(address);
    const found = live.resources.get(address);
    const ids = [change?.before, ...found?.alternatives ?? [found]].flatMap((one) => one?.ids ?? []);
    const entry = change && expected(change);
    return {
      ids: [...new Set(ids)],
      ...entry ? { entry: { form: entry.form, salt: entry.salt, fields: entry.fields, secrets: entry.secrets } } : {}
    };
  }
};

// src/run/recorder.ts
var Recorder = class {
  /** The current ledger, under the configuration's names; changes with every entry. */
  ledger;
  /** The current ids and attributes of objects. */
  known;
  #options;
  #changeOf;
  #entries;
  #updatedAt;
  #staging;
  #intents;
  constructor(options) {
    const { plan, live, ledger: before, moves, inputs, now } = options;
    const changeOf = new Map(plan.changes.map((change) => [change.address, change]));
    this.#options = options;
    this.#changeOf = changeOf;
    this.known = new KnownObjects(options);
    this.#entries = new LedgerEntries(plan, before.entries, moves);
    const entries = this.#entries.of;
    const isWhole4 = Object.keys(entries).every(
      (address) => entries[address].existing || changeOf.has(address)
    );
    this.ledger = {
      ...before,
      entries,
      inputs: isWhole4 ? inputs : union(before.inputs, inputs),
      ...plan.sources ? { sources: remembered(plan.sources) } : {}
    };
    if (plan.operations.length > 0) this.ledger.lastWrite = new Date(now()).toISOString();
    this.#updatedAt = new UpdatedAt(plan, this.#entries);
    const expected = (change) => this.expected(change);
    this.#staging = new Staging(this.ledger, { live, changeOf, expected });
    this.#intents = new Intents(this.ledger, { ...options, known: (change) => this.known.filled(change) });
    this.#touchIntents();
  }
  /** The ledger to store now: entries that are not renamed yet under their old names. */
  kept() {
    return this.#entries.kept(this.ledger);
  }
  /** The addresses whose entries have changed since the last call. */
  touched() {
    return this.#entries.touched();
  }
  knows(address) {
    return this.#entries.of[address] !== void 0;
  }
  /** The current ids of an operation's objects, as far as they may be shown. */
  shownIds({ kind, changes }) {
    if (secretIdOf(this.#kindOf(kind)) !== void 0) return {};
    return Object.fromEntries(
      changes.flatMap((address) => {
        const id = this.known.idsOf(address).at(-1);
        return id === void 0 ? [] : [[address, id]];
      })
    );
  }
  /** The entry that the ledger gets once a change is done. */
  expected(change) {
    const { address } = change;
    return entryOf(
      this.known.filled(change),
      this.#kindOf(change.kind),
      this.known.idsOf(address),
      this.#entries.of[address],
      this.#options.key
    );
  }
  /** Records a finished change. */
  record(change) {
    const { address, action } = change;
    const entry = this.expected(change);
    const updatedAt = this.#updatedAt.of(change, this.known.idsOf(address));
    if (entry) this.#entries.put(address, updatedAt === void 0 ? entry : { ...entry, updatedAt });
    else this.#entries.drop(address);
    this.#intents.ends(address);
    this.#entries.renameDone(address, () => Object.keys(this.ledger.begun ?? {}));
    if (action === "delete") for (const other of this.#entries.below(address)) this.#entries.remove(other);
  }
  /**
   * Called before a request is sent, with those after it. Tells whether the ledger has to be stored first: on this machine, or wherever it
   * is kept.
   */
  begin(request, following) {
    if (isRead(request)) return void 0;
    this.ledger.lastWrite = new Date(this.#options.now()).toISOString();
    const created = this.#intents.begins(request, following);
    for (const address of created) this.#entries.touch(address);
    if (this.#staging.begins(request.stages)) return "everywhere";
    return created.length > 0 ? "here" : void 0;
  }
  /** Records an answer. `unread`: addresses on which it is silent, since it cannot be read. */
  note(request, answer, kindName, unread = []) {
    const { drops = [], returns = [] } = request;
    const kind = this.#kindOf(kindName);
    const isUnread = unread.length > 0;
    const batch = batchAnswer(request, answer, kind, { masking: this.#options.masking, isUnread });
    const told = returns.map((one) => ({
      address: one.address,
      id: "id" in one ? one.id : lookUp(answer, one.path)
    }));
    const unknown = new Map([
      ...unread.map((address) => [address, void 0]),
      ...batch.unknown,
      ...told.flatMap(({ address, id }) => isId(id) ? [] : [[address, void 0]])
    ]);
    const { refused } = batch;
    const isDone = ({ address }) => !refused.has(address) && !unknown.has(address);
    this.#noteGone(request, drops.filter(isDone), kind);
    for (const { address, id } of told.filter(isDone))
      if (isLabelled(kind)) this.#setNew(request, kind, address, this.#ownIds(kind, String(id)));
      else this.#set(request, kind, address, [...this.known.idsOf(address), String(id)]);
    if (request.stages) this.#staging.answered(request.stages);
    this.#intents.heard(request, unknown);
    const isSaid = new Set([...drops, ...returns].map(({ address }) => address));
    for (const [address, id] of batch.ids)
      if (!isSaid.has(address)) this.#setNew(request, kind, address, this.#ownIds(kind, id));
    this.#updatedAt.note(kind, answer);
    return { refused, unknown };
  }
  /** Records what the account has shown in place of an answer. `found`: the current ids of addresses. */
  learn(request, found, kindName) {
    const kind = this.#kindOf(kindName);
    if (isLabelled(kind)) {
      for (const { address, id } of request.drops ?? [])
        if (found.has(address)) this.#entries.remove(besides(address, id));
    }
    for (const [address, now] of found) {
      const isNew = now.some((id) => !this.known.idsOf(address).includes(id));
      if (isNew) this.#setNew(request, kind, address, now);
      else this.#set(request, kind, address, now);
      this.#intents.found(address);
    }
  }
  /** Records that a request had no effect, except at these addresses, which stay in doubt. */
  refused(request, made) {
    if (!isRead(request)) this.#intents.heard(request, made);
  }
  /** Records that the secret of a creation was delivered. */
  delivered(address) {
    const { tainted: _, ...entry } = this.#entries.of[address];
    this.#entries.put(address, entry);
  }
  /** Called at the end of the run. */
  close() {
    this.#touchIntents();
    this.#intents.close();
  }
  #kindOf(name) {
    return this.#options.kinds.get(name);
  }
  #touchIntents() {
    for (const address of Object.keys(this.ledger.begun ?? {})) this.#entries.touch(address);
  }
  #noteGone(request, drops, kind) {
    for (const { address, id } of drops) {
      if (isLabelled(kind)) this.#entries.remove(besides(address, id));
      const left = this.known.idsOf(address).filter((other) => other !== id);
      this.#set(request, kind, address, left);
    }
  }
  /** Sets the ids of an address; in the ledger, too, unless they are only staged so far. */
  #set(request, kind, address, now) {
    this.known.setIds(address, now);
    this.#staging.enter(request.stages, () => this.#assign(address, kind, now));
  }
  #setNew(request, kind, address, now) {
    const entry = this.#entries.of[address];
    if (isLabelled(kind) && entry) {
      for (const old of this.#changeOf.get(address)?.before?.ids ?? [])
        if (!now.includes(old)) this.#entries.put(besides(address, old), { ...entry, ids: [old] });
    }
    this.#set(request, kind, address, now);
  }
  #assign(address, operated, now) {
    if (now.length === 0) {
      this.#entries.drop(address);
      return;
    }
    const change = this.#changeOf.get(address);
    const old = this.#entries.of[address];
    const kind = change ? this.#kindOf(change.kind) : operated;
    const filled = change && this.known.filled(change);
    const entry = unfinishedEntry(filled, kind, now, old, this.#options.key);
    const isMore = now.some((id) => !old?.ids.includes(id));
    const isOwed = kind.shows && makesObject(change) && isMore;
    this.#entries.put(address, isOwed ? { ...entry, tainted: true } : entry);
  }
  /** The ids that the ledger may keep. Without a key nothing of a secret is kept. */
  #ownIds(kind, id) {
    const { key } = this.#options;
    if (secretIdOf(kind) === void 0) return [id];
    return key ? [secretId(key, id)] : [];
  }
};
var isLabelled = ({ shape }) => !shape.isNamed;
var besides = (address, id) => [...address.split("/").slice(0, -1), escapeName(id)].join("/");
var remembered = (sources) => Object.fromEntries(sources.map(({ name, source }) => [name, source]));
var union = (one, other) => [.../* @__PURE__ */ new Set([...one, ...other])].sort();

// src/run/tally.ts
var Tally = class {
  #changes;
  #changeOf;
  #onDone;
  /** Operations that an address still waits for. */
  #waitsFor = /* @__PURE__ */ new Map();
  /** Changes without requests, by the address whose object is made first. */
  #attached = /* @__PURE__ */ new Map();
  #done = [];
  #failed = /* @__PURE__ */ new Map();
  #skipped = /* @__PURE__ */ new Map();
  #postponed = /* @__PURE__ */ new Map();
  #overwritten = [];
  /** `onDone` is called with each finished change, even if it does nothing. */
  constructor({ changes, operations }, onDone) {
    this.#changes = changes;
    this.#changeOf = new Map(changes.map((change) => [change.address, change]));
    this.#onDone = onDone;
    for (const operation of operations)
      for (const address of operation.changes)
        this.#waitsFor.set(address, (this.#waitsFor.get(address) ?? 0) + 1);
  }
  /** Carries out the changes without requests. `isKnown`: the ledger has the address; `foundAgain`: these were to be forgotten, and still exist. */
  begin(isKnown, foundAgain2) {
    const makers = [...this.#waitsFor.keys()].filter((address) => makesObject(this.#changeOf.get(address))).sort((a, b) => b.length - a.length);
    for (const change of this.#changes) {
      const { address, action, after } = change;
      const isOurs = action !== "noop" || isKnown(address) || after?.meta.existing;
      if (this.#waitsFor.has(address) || !isOurs) continue;
      const kept = action === "forget" ? [...foundAgain2].find((one) => isWithin(address, one)) : void 0;
      const maker = makers.find((one) => isWithin(address, one));
      if (kept === address) this.fail(address, new Error(`${address} was not gone; plan again`));
      else if (kept !== void 0) this.#skipped.set(address, kept);
      else if (maker !== void 0) this.#attached.set(maker, [...this.#attached.get(maker) ?? [], change]);
      else this.#carriedOut(change);
    }
  }
  /** Called when all requests of an operation were answered; its failures were reported before. */
  finish(operation) {
    for (const address of operation.changes) {
      const left = this.#waitsFor.get(address) - 1;
      this.#waitsFor.set(address, left);
      const change = this.#changeOf.get(address);
      if (left > 0 || this.#failed.has(address) || this.#skipped.has(address) || !change) continue;
      this.#carriedOut(change);
    }
  }
  fail(address, error) {
    this.#failed.set(address, error);
  }
  skip(operation, because) {
    for (const address of operation.changes)
      if (!this.#failed.has(address)) this.#skipped.set(address, because);
  }
  /** Leaves an operation to a later run. */
  postpone(operation, rateLimit) {
    this.#postponed.set(operation, rateLimit);
  }
  /** The rate limit that an operation was left for. */
  postponedFor(operation) {
    return this.#postponed.get(operation);
  }
  overwrote(addresses) {
    this.#overwritten.push(...addresses);
  }
  outcome(isStopped) {
    const failed = this.#failed;
    const skipped = new Map(this.#skipped);
    const limited = /* @__PURE__ */ new Map();
    for (const [{ changes }, rateLimit] of this.#postponed)
      for (const address of changes) if (!failed.has(address)) limited.set(address, rateLimit);
    const done = new Set(this.#done);
    for (const [maker, changes] of this.#attached)
      for (const { address, action } of changes) {
        if (action === "noop" || done.has(address)) continue;
        const rateLimit = limited.get(maker);
        if (rateLimit) limited.set(address, rateLimit);
        else skipped.set(address, maker);
      }
    return {
      done: this.#done.filter((address) => !failed.has(address) && !skipped.has(address)).sort(),
      failed: [...failed].map(([address, error]) => ({ address, error })),
      left: [...limited].map(([address, rateLimit]) => ({ address, rateLimit })),
      skipped: [...skipped].filter(([address]) => !failed.has(address) && !limited.has(address)).map(([address, because]) => ({ address, because })),
      overwritten: this.#overwritten,
      interrupted: isStopped && skipped.size + failed.size > 0
    };
  }
  #carriedOut(change) {
    this.#onDone(change);
    if (change.action !== "noop") this.#done.push(change.address);
    for (const other of this.#attached.get(change.address) ?? []) this.#carriedOut(other);
  }
};

// src/run/execute.ts
async function execute(options) {
  const { plan, quota, onEvent, parallelism, stop } = options;
  const recorder = new Recorder(options);
  const checks = new Checks({ ...options, idsOf: (address) => recorder.known.idsOf(address) });
  const tally = new Tally(plan, (change) => recorder.record(change));
  const save = (everywhere = false) => options.save(recorder.kept(), { touched: recorder.touched(), everywhere });
  tally.begin((address) => recorder.knows(address), await checks.foundAgain());
  await save(plan.operations.length > 0);
  quota?.announce?.(plan.operations.flatMap(({ requests }) => requests.map(({ endpoint }) => endpoint)));
  const performer = new Performer(options, { recorder, checks, save });
  const postpone = (operation, rateLimit) => {
    tally.postpone(operation, rateLimit);
    onEvent({ type: "left", operation, rateLimit });
  };
  const fail = (operation, error) => {
    const { rateLimit } = error;
    if (rateLimit) return postpone(operation, rateLimit);
    if (error instanceof PartlyRefused) {
      for (const { address, error: why } of error.notDone) tally.fail(address, why);
      tally.finish(operation);
    } else for (const address of operation.changes) tally.fail(address, error);
    onEvent({ type: "failed", operation, error });
  };
  let unkept;
  await schedule({
    operations: plan.operations,
    parallelism,
    stopped: () => unkept !== void 0 || (stop?.aborted ?? false),
    run: async (operation) => {
      onEvent({ type: "started", operation });
      let result = "done";
      try {
        tally.overwrote(await performer.perform(operation));
        tally.finish(operation);
        onEvent({ type: "succeeded", operation, ids: recorder.shownIds(operation) });
      } catch (error) {
        result = "failed";
        fail(operation, error);
      }
      quota?.release(operation.id);
      await save().catch((error) => {
        unkept ??= { error };
      });
      return result;
    },
    skip: (operation, because) => {
      quota?.release(operation.id);
      const rateLimit = because === "stopped" ? void 0 : tally.postponedFor(because.failed);
      if (rateLimit) return postpone(operation, rateLimit);
      const text = because === "stopped" ? "the run was stopped" : because.failed.changes[0];
      tally.skip(operation, text);
      onEvent({ type: "skipped", operation, because: text });
    }
  });
  recorder.close();
  if (unkept) throw unkept.error;
  const outcome = tally.outcome(stop?.aborted ?? false);
  options.onOutcome?.(outcome);
  await save(true);
  return { outcome, ledger: recorder.kept() };
}
async function schedule({ operations, parallelism, stopped, run, skip }) {
  const waitsFor = new Map(operations.map((operation) => [operation.id, new Set(operation.dependsOn)]));
  const dependents = /* @__PURE__ */ new Map();
  for (const operation of operations)
    for (const id of operation.dependsOn) dependents.set(id, [...dependents.get(id) ?? [], operation]);
  const settled2 = /* @__PURE__ */ new Set();
  const ready = operations.filter(({ dependsOn }) => dependsOn.length === 0);
  const running = /* @__PURE__ */ new Set();
  const skipDependents = (cause) => {
    const behind = [cause];
    for (const of of behind)
      for (const next of dependents.get(of.id) ?? []) {
        if (settled2.has(next.id)) continue;
        settled2.add(next.id);
        skip(next, { failed: cause });
        behind.push(next);
      }
  };
  const release = (done) => {
    const freed = (dependents.get(done.id) ?? []).filter((next) => {
      const waiting = waitsFor.get(next.id);
      waiting.delete(done.id);
      return waiting.size === 0 && !settled2.has(next.id);
    });
    ready.unshift(...freed);
  };
  while (ready.length > 0 || running.size > 0) {
    while (ready.length > 0 && running.size < parallelism && !stopped()) {
      const operation = ready.shift();
      const work = run(operation).then((result) => {
        settled2.add(operation.id);
        if (result === "done") release(operation);
        else skipDependents(operation);
        running.delete(work);
      });
      running.add(work);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  for (const operation of operations) if (!settled2.has(operation.id)) skip(operation, "stopped");
}

// src/run/perform-actions.ts
function owedAtStart(actions, { owed = {} }, { run, now }) {
  const since = new Date(now).toISOString();
  const debts = actions.flatMap((one) => {
    const { id, action, about, input, from, state, after } = one;
    if (state === "left") return one.owed ? [[idOfDebt(one, owed), one.owed]] : [];
    if (state === "over" && after.length === 0) return [];
    const debt = {
      ...{ action, ...about === void 0 ? {} : { about }, input, from, since },
      ...run === void 0 ? {} : { run }
    };
    if (after.length === 0 && one.owed) return [[id, { ...one.owed, input, from }]];
    return [[id, { ...debt, ...markOf(one.owed) }]];
  });
  return debts.length > 0 ? Object.fromEntries(debts) : void 0;
}
var markOf = ({ mark, sent } = {}) => definedOnly({ mark, sent });
var idOfDebt = ({ id, owed }, all) => Object.entries(all).find(([, one]) => one === owed)?.[0] ?? id;
async function performActions(options) {
  const { actions, atOnce } = options;
  const performer = new ActionPerformer(options);
  const waiting = actions.filter(
    ({ state, after }) => state !== "left" && !(state === "over" && after.length === 0)
  );
  const outcomes = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      outcomes.push(await performer.perform(next));
  };
  const workers = Array.from({ length: Math.min(atOnce, waiting.length) }, work);
  const results = await Promise.allSettled(workers);
  const broken = results.find((one) => one.status === "rejected");
  if (broken) throw broken.reason;
  return { outcomes: outcomes.sort((a, b) => a.id < b.id ? -1 : 1), ledger: performer.ledger };
}
var ActionPerformer = class {
  ledger;
  #options;
  constructor(options) {
    this.#options = options;
    this.ledger = options.ledger;
  }
  async perform(planned) {
    const { stop, onAction, outcome } = this.#options;
    const { id } = planned;
    const why = stop.aborted || outcome.interrupted ? "the run was stopped" : heldBackBy(planned, outcome);
    if (why !== void 0 && isUntouched(planned, outcome)) {
      await this.#settle(id);
      return this.#ended(planned, { id, result: "nothing", why: "nothing that it follows was changed" });
    }
    if (why !== void 0) return this.#ended(planned, { id, result: "owed", why });
    onAction({ action: planned });
    return this.#ended(planned, await this.#done(planned));
  }
  #ended(action, outcome) {
    this.#options.onAction({ action, outcome });
    return outcome;
  }
  async #done(planned) {
    const { id, about } = planned;
    const { dayTwo, known: known2, send, clock } = this.#options;
    const action = dayTwo.actions.get(planned.action);
    const now = { ...known2, ledger: this.ledger };
    const ids = about === void 0 ? /* @__PURE__ */ new Map() : idsOf(about, now);
    if (!ids) return { id, result: "owed", why: "its target is not known yet" };
    const ground = (mark, sent = clock.now()) => ({
      ...{ send: (request) => send(request), queryOf: dayTwo.queryOf, lookups: dayTwo.lookups },
      ...{ ids, mark, since: sent, clock, stop: this.#options.stop, say: this.#options.say }
    });
    try {
      const before = await this.#sentBefore(planned, action, ground);
      if (before) return before;
      const { lookUp: lookUp2 } = this.#options;
      const input = filledInput(
        { input: await withLookups(planned.input, known2.desired.lookups, lookUp2) },
        now
      );
      if (!input) return { id, result: "owed", why: "its input is not known yet" };
      const mark = crypto.randomUUID();
      const since = planned.after.length > 0 ? clock.now() : Date.parse(planned.owed.since);
      const given = { input, ids, mark, since };
      const request = await isSoAlready(action, given, dayTwo.lookups, ground(mark)) ? { nothing: alreadySo } : await requestOf(action, given, ground(mark));
      if ("busy" in request) return { id, result: "owed", why: request.busy };
      if ("nothing" in request) {
        await this.#settle(id);
        return { id, result: "nothing", why: request.nothing };
      }
      if (!action.repeatable) await this.#noteMark(id, mark);
      const answer = await sendAction(action, request.request, ground(mark)).catch(async (error) => {
        if (error instanceof Refused) await this.#noteMark(id, void 0);
        throw error;
      });
      await this.#settle(id);
      return { id, result: "done", input, answer: { ...answer } };
    } catch (error) {
      return notDone(id, error);
    }
  }
  /** The result of an earlier run's unanswered request; undefined if there was none, or it may be repeated. */
  async #sentBefore(planned, action, ground) {
    const { id, owed } = planned;
    if (owed?.mark === void 0 || action.repeatable) return void 0;
    const found = await foundAgain(
      action,
      ground(owed.mark, Date.parse(owed.sent ?? owed.since)),
      `${owed.run ?? "An earlier run"} got no response to ${id}.`
    );
    if (!found) return { id, result: "unknown", why: unknownWhy(planned), hint: unknownHint(planned) };
    if (planned.after.length > 0) return void 0;
    await this.#settle(id);
    return { id, result: "done", answer: { ...found } };
  }
  /** Removes a debt. */
  #settle(id) {
    const { [id]: _, ...others } = this.ledger.owed ?? {};
    return this.#keep(others);
  }
  /** Notes the mark before the request is sent; removes it if the request was refused, and had no effect. */
  async #noteMark(id, mark) {
    const { [id]: debt, ...others } = this.ledger.owed ?? {};
    if (!debt || debt.mark === mark) return;
    const { mark: _, sent: __, ...unmarked } = debt;
    const sent = new Date(this.#options.clock.now()).toISOString();
    await this.#keep({ ...others, [id]: mark === void 0 ? unmarked : { ...unmarked, mark, sent } });
  }
  async #keep(owed) {
    const { owed: _, ...rest } = this.ledger;
    this.ledger = Object.keys(owed).length > 0 ? { ...rest, owed } : rest;
    await this.#options.save(this.ledger);
  }
};
function notDone(id, error) {
  const { message, hint } = error instanceof Problems ? error.diagnostics[0] : error;
  const { isForLater } = error;
  const result = error instanceof Unknown ? "unknown" : isForLater ? "owed" : "refused";
  return { id, result, why: message, ...hint === void 0 ? {} : { hint } };
}
function heldBackBy(planned, { failed, left, skipped }) {
  const first = [...failed, ...left, ...skipped].find(({ address }) => concerns(address, planned));
  return first && `${first.address} was not changed`;
}
var isUntouched = ({ after, owed }, { skipped, left }) => {
  const untouched = new Set([...skipped, ...left].map(({ address }) => address));
  return owed === void 0 && after.length > 0 && after.every((address) => untouched.has(address));
};
var unknownHint = ({ action, about }) => {
  const what = [action, about].filter((part) => part !== void 0).join(" ");
  return `check the account; then send it with \`trueup run ${what} --again\` or drop it with \`trueup run ${what} --skip\``;
};

// src/run/apply.ts
async function apply(session, planned, options) {
  const { lease, clock, connection } = session;
  const { plan, live, ledger, desired, aliases, moves, digest } = planned;
  const { deliveries, parallelism, onEvent = () => {
  } } = options;
  if (!lease) throw new Error("a plan can only be applied while holding the lease of its ledger");
  await lease.confirm();
  refuseOtherLedger(session, ledger);
  await options.prepare?.();
  await deliveries.check();
  const { kinds, secrets, masking, key } = session;
  const recording = await options.record?.();
  const keeper = openKeeper(session, lease, recording);
  options.onStart?.(keeper.flush);
  const stopping = openStopping({
    clock,
    stop: options.stop,
    lost: lease.lost,
    flush: keeper.flush,
    say: (text) => session.say(text)
  });
  const send = stopping.wrap(connection.send);
  const read = readOnly(send);
  try {
    const run = recording?.name;
    const { owed: _, ...kept } = ledger;
    const owed = owedAtStart(plan.actions ?? [], ledger, { run, now: clock.now() });
    const { outcome: changed, ledger: after } = await execute({
      plan,
      live,
      ledger: {
        ...kept,
        plan: digest,
        ...owed ? { owed } : {},
        ...run === void 0 ? {} : { lastRun: run }
      },
      moves,
      kinds,
      secrets,
      masking,
      key,
      inputs: desired.inputs,
      contents: desired.contents,
      send: whileHeld(lease, send),
      quota: connection,
      deliver: deliveries.deliver,
      parallelism,
      onEvent: (event) => {
        recording?.note(event);
        onEvent(event);
      },
      // With actions to follow, it is not over yet.
      onOutcome: (outcome2) => {
        if (!hasActions(plan)) recording?.end(outcome2);
      },
      save: keeper.keep,
      refresh: refresher({
        ...{ desired, ledger, kinds, send: read, key, aliases },
        facts: session.owner.facts,
        before: live
      }),
      now: clock.now,
      stop: stopping.signal
    });
    const outcome = await followed(session, planned, options, {
      ...{ changed, ledger: after, run, recording, stop: stopping.signal },
      send: whileHeld(lease, send),
      save: (next) => keeper.keep(next, { touched: [], everywhere: true })
    });
    await keeper.close();
    options.onEnd?.(outcome);
    lease.lost.throwIfAborted();
    return outcome;
  } catch (error) {
    lease.lost.throwIfAborted();
    throw error;
  } finally {
    await keeper.close().catch(() => {
    });
    stopping.done();
  }
}
var hasActions = ({ actions = [] }) => actions.some(({ state }) => state !== "left");
async function followed(session, { plan, desired, live }, { onAction = () => {
}, actionsAtOnce = standardActionsAtOnce }, { changed, recording, save, ...rest }) {
  const { actions = [] } = plan;
  if (!hasActions(plan)) return changed;
  const dayTwo = await session.dayTwo();
  const { outcomes, ledger } = await performActions({
    ...{ actions, dayTwo, outcome: changed, known: { desired, live }, ...rest, save },
    ...{ lookUp: session.lookUp, clock: session.clock, atOnce: actionsAtOnce, say: session.say, onAction }
  });
  const outcome = { ...changed, actions: outcomes };
  recording?.end(outcome);
  await save(ledger);
  return outcome;
}
var openKeeper = (session, lease, recording) => {
  const { store } = session;
  return keepLedger({
    store: {
      ...store,
      write: (next) => lease.confirm().then(() => store.write(next, { beside: recording?.beside() }))
    },
    generation: session.ledger.generation,
    onWritten: (kept) => {
      session.ledger = kept;
    }
  });
};
var whileHeld = (lease, send) => async (request, confirm) => {
  if (isRead(request)) return send(request);
  await lease.confirm();
  return send(request, async () => {
    await lease.confirm();
    await confirm?.();
  });
};
function refuseOtherLedger({ ledger, store }, planned) {
  if (ledger.generation === planned.generation) return;
  throw new Problems([
    problem("ledger/moved", `the ledger ${store.place} was changed after the plan was shown`, {
      hint: "nothing was changed; run it again to see the current plan"
    })
  ]);
}
var patience = 5e3;
var Unanswered = class extends Error {
  sent = true;
  code = "apply/unanswered";
  hint = "plan again to determine its outcome";
  constructor() {
    super("it was sent, but the run was stopped before the response arrived");
  }
};
function openStopping({ clock, stop, lost, flush, say }) {
  const [stopped, waitedFor, ended] = [new AbortController(), new AbortController(), new AbortController()];
  const givenUp = new Promise((_, reject) => {
    waitedFor.signal.addEventListener("abort", () => reject(new Unanswered()));
  });
  givenUp.catch(() => {
  });
  const onStop = () => {
    stopped.abort();
    void flush().catch(() => {
    });
    say(
      `Stopping: running requests have ${patience / 1e3} s to finish, and nothing new is started. Press Ctrl-C again to stop at once.`
    );
    void clock.sleep(patience, ended.signal).then(
      () => waitedFor.abort(),
      () => {
      }
    );
  };
  const onLost = () => {
    stopped.abort();
    say("Stopping: this run lost the ledger's lease. Running requests finish, and nothing new is started.");
  };
  stop?.addEventListener("abort", onStop);
  lost.addEventListener("abort", onLost);
  if (stop?.aborted) onStop();
  return {
    signal: stopped.signal,
    wrap: (send) => (request, confirm) => Promise.race([send(request, confirm), givenUp]),
    done: () => {
      ended.abort();
      stop?.removeEventListener("abort", onStop);
      lost.removeEventListener("abort", onLost);
    }
  };
}

// src/cli/carry-out.ts
async function carryOut(session, planned, options, terminal, about) {
  const outcome = await shown(session, planned, options, terminal, about);
  const { run } = terminal;
  if (exitCode({ ...outcome, actions: [] }) !== exitCodes.done) {
    run.exitCode = exitCode(outcome);
    return false;
  }
  const verified = await verifyApplied(session, planned, options, terminal, {
    destroy: about.command === "destroy"
  });
  if (!verified) return false;
  await waitUntilReady(session, verified, terminal);
  const isWhole4 = run.exitCode === exitCodes.done;
  run.exitCode = worstOf([run.exitCode, exitCode(outcome)]);
  if (outcome.actions)
    await (await Promise.resolve().then(()=>require("./part-115.cjs").part_YB54PIJM)).awaitActions(session, planned, outcome, terminal);
  return isWhole4;
}
async function shown(session, planned, options, terminal, about) {
  const { lease, say } = session;
  const { plan } = planned;
  const stop = new AbortController();
  let progress;
  const live = await liveText(terminal);
  const started = session.host.clock.now();
  try {
    return await apply(session, planned, {
      ...applyingOf(session, planned, options, about),
      onStart: (flush) => {
        progress = progressFor(plan, terminal, live);
        session.say = progress.note;
        lease.onInterrupt = () => stop.signal.aborted || lease.lost.aborted ? lease.abandon(flush) : stop.abort();
      },
      onEvent: (event) => progress.show(event),
      onAction: ({ action, outcome }) => {
        if (!outcome) progress.note(`Sending ${actionName(action)} ...`);
      },
      actionsAtOnce: options.actionsAtOnce ?? standardActionsAtOnce,
      onEnd: (outcome) => {
        progress.done();
        showOutcome(plan, outcome, terminal, started);
      },
      stop: stop.signal
    });
  } finally {
    progress?.done();
    session.say = say;
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}
function applyingOf(session, planned, options, about = {}) {
  session.masking.show(() => openText(planned.plan));
  return {
    parallelism: options.parallelism,
    deliveries: deliveriesOf(session, planned, options),
    prepare: async () => {
      const { host } = session;
      if (usesHome(options, host)) await makeHome(host);
      await requireKey(session, options);
    },
    record: async () => {
      const { documents, ledger, host } = session;
      const { plan, digest } = planned;
      return openRecording({
        documents,
        ledger,
        key: await requireKey(session, options),
        plan,
        digest,
        about: await aboutRun(session, options, {
          ...about,
          ...digest === void 0 ? {} : { approval: "saved plan" }
        }),
        now: host.clock.now
      });
    }
  };
}
function showOutcome(plan, outcome, terminal, started) {
  const now = terminal.run.host.clock.now();
  const took = now - started;
  if (terminal.stream) terminal.stream(outcomeLines(plan, outcome, now));
  else terminal.out(outcomeText(plan, outcome, { style: terminal.outStyle, now, took }));
  annotate(outcomeDiagnostics(plan, outcome, now), terminal);
  const deed = { plan, outcome, at: now };
  Object.assign(terminal.run.deed ?? {}, deed);
  addStepSummary((room) => appliedMarkdown(plan, deed, room, placesOn(terminal.run.host)), terminal);
}
function deliveriesOf(session, planned, { twin, varFile = [], tokenFile, ledger }) {
  const { host, sources, configuration } = session;
  return openDeliveries(planned, {
    cwd: host.cwd,
    env: host.env,
    judgeCommand: sources.judgeCommand,
    reserved: [
      home,
      ...configuration.files,
      ...varFile,
      ...[tokenFile, ledger].filter((file) => file !== void 0)
    ],
    twinFolder: twin ? join(home, "twin", "secrets") : void 0,
    say: (text) => session.say(text)
  });
}
function openText(plan) {
  const texts = [];
  JSON.stringify(planJson(plan), (name, value) => {
    texts.push(name);
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return texts.join("\n");
}
function progressFor(plan, terminal, update) {
  if (terminal.stream) return streamed(plan, terminal.stream, terminal);
  const write = eventWriter(plan, { style: terminal.errStyle });
  if (!update)
    return {
      show: (event) => terminal.err(write(event)),
      note: (text) => terminal.err(text),
      done: () => {
      }
    };
  let state = startProgress(plan);
  const draw = () => {
    update.clear();
    update(renderProgress(state, terminal.errStyle));
  };
  const note = (text) => {
    update.clear();
    terminal.err(text);
    draw();
  };
  return {
    show: (event) => {
      state = reduceProgress(state, event);
      if (event.type === "failed") note(write(event));
      else draw();
    },
    note,
    done: () => update.clear()
  };
}
function streamed(plan, stream, { err, run }) {
  const { now } = run.host.clock;
  const { lines, progress } = applyLines(plan);
  const timer = setInterval(() => stream(progress(now())), 1e3).unref();
  return {
    show: (event) => stream(lines(event, now())),
    note: err,
    done: () => clearInterval(timer)
  };
}

return{deedMarkdown:deedMarkdown,nothingLines:nothingLines,refuseMissingSecrets:refuseMissingSecrets,askedIn:askedIn,awaitAsked:awaitAsked,lookerOf:lookerOf,verify:verify,waitUntilReady:waitUntilReady,apply:apply,carryOut:carryOut,applyingOf:applyingOf};})();exports.part_KBSCB2RM=part_KBSCB2RM;
