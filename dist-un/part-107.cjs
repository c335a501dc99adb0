"use strict";const part_MXVH3ICS=(()=>{const {
  becauseText,
  usedUpFor
}=require("./part-98.cjs").part_WVTPVLPE;const {
  isVerified,
  judged,
  recordName,
  runOf
}=require("./part-27.cjs").part_EN3WE5DN;const {
  isSignature,
  signature
}=require("./part-32.cjs").part_FIZFKDRW;const {
  iso_exports
}=require("./part-90.cjs").part_XRTKEBJF;const {
  _enum,
  array,
  int,
  literal,
  record,
  strictObject,
  string,
  unknown
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  hintLines
}=require("./part-83.cjs").part_S43BEQVM;const {
  nameOf,
  placesOf
}=require("./part-98.cjs").part_D3ZWYSLF;const {
  fieldsOf
}=require("./part-98.cjs").part_KXVMPP7T;const {
  actionName
}=require("./part-88.cjs").part_GVLOUSOT;const {
  plainly
}=require("./part-80.cjs").part_LGUCBGM4;const {
  actionResults,
  isOpenAction
}=require("./part-80.cjs").part_R4CIL4FR;const {
  changeJson
}=require("./part-88.cjs").part_IIODRIIT;const {
  changedText,
  sentIn
}=require("./part-106.cjs").part_LKZTNYVU;const {
  show,
  showName
}=require("./part-88.cjs").part_RDEMRLSM;const {
  actions,
  fieldCauses
}=require("./part-106.cjs").part_HLUFGGLM;const {
  wholesOf
}=require("./part-106.cjs").part_AQPNOW65;const {
  count,
  tookText
}=require("./part-106.cjs").part_J6NNXEVI;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cutPair,
  displayWidth,
  fold,
  sumLines,
  wrap
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine,
  errorLines
}=require("./part-80.cjs").part_D2V2PUP6;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  definedOnly,
  inside,
  mapTree
}=require("./part-80.cjs").part_YNHFC6K5;const { hash }=require("node:crypto");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/history/record.ts
;
var count2 = int().min(0);
var text = string().max(2e3);
var field = strictObject({
  path: string(),
  before: unknown().optional(),
  after: unknown().optional(),
  cause: _enum(fieldCauses),
  secret: literal(true).optional(),
  /** Its values were left out: they were too large, or were not to be kept. */
  omitted: literal(true).optional()
});
var results = ["done", "failed", "left", "not tried", "planned"];
var change = strictObject({
  address: string(),
  kind: string(),
  action: _enum(actions),
  /** Its outcome. `planned`: the run had not got there, or did not get to say so. */
  result: _enum(results),
  fields: array(field),
  /** Its fields were left out, since the record would have grown too large. */
  omitted: literal(true).optional()
});
var outcomes = ["begun", "done", "failed", "not finished", "interrupted", "renamed"];
var runCommands = ["apply", "destroy", "undo", "run"];
var ledgerCommands = ["rename", "move", "forget", "sign", "retire", "copy"];
var head = strictObject({
  formatVersion: literal(1),
  /** The number of the run: each stack counts its own, from 1. */
  run: int().min(1),
  /** The digest of the record before it; null for the first one. */
  previous: string().nullable(),
  baseUrl: string(),
  owner: string(),
  stack: string(),
  stage: text.optional(),
  command: _enum([...runCommands, ...ledgerCommands]),
  /** The action, if `run` did one. Its input is nobody's business. */
  action: text.optional(),
  /** The run that an undo takes back; the old name of the stack, for a rename. */
  undoes: int().min(1).optional(),
  was: string().optional(),
  /** The stack that owns it after a move, or that did before. */
  to: string().optional(),
  from: string().optional(),
  /** The run that ended without a word, and that this one goes on with. */
  resumes: int().min(1).optional(),
  /** The person who started it, and the environment variable that says so. */
  actor: strictObject({ name: text, says: text }).optional(),
  ci: strictObject({ name: text, run: text.optional(), url: text.optional() }).optional(),
  /** The commit that the configuration was read at; `dirty`: it was not all committed. */
  commit: strictObject({ id: string().regex(/^[0-9a-f]{40,64}$/), dirty: literal(true).optional() }).optional(),
  version: text,
  /** The digest of the plan: of a saved one, its own. */
  plan: string(),
  /** The consent: a person at a terminal, a flag, or whoever let the saved plan be applied. */
  approval: _enum(["asked", "flag", "saved plan"]).optional(),
  /** Only a part of the configuration was looked at. */
  partial: literal(true).optional(),
  start: iso_exports.datetime(),
  end: iso_exports.datetime().optional(),
  outcome: _enum(outcomes),
  /** Counts of what was created, updated and so on, as people count. */
  done: record(string(), count2),
  failed: count2,
  notDone: count2,
  /** The values of the fields are not kept. */
  values: literal(false).optional(),
  /** The digest of the changes: they may go when the record is old, and what is left is still signed. */
  details: string()
});
var details = strictObject({
  changes: array(change),
  /** The number of further changes. */
  more: count2.optional(),
  /** The actions that followed, and what became of each. */
  actions: array(strictObject({ id: text, result: _enum(actionResults) })).optional()
});
var file = head.extend({
  signature: string().optional(),
  changes: details.shape.changes.optional(),
  more: count2.optional(),
  actions: details.shape.actions
});
var isOfLedger = ({ command }) => ledgerCommands.includes(command);
var isOfAction = ({ command }) => command === "run";
var sha = (value) => hash("sha256", canonical(value), "base64url");
function recordText(given, details2, key) {
  const head2 = { ...given, details: sha(details2) };
  const made = `${key.id}.${signature(key, "history", canonical(head2))}`;
  return `${JSON.stringify({ ...head2, signature: made, ...details2 }, void 0, 1)}
`;
}
function summarised(text2) {
  try {
    const { changes: _, more: __, actions: ___, ...rest } = JSON.parse(text2);
    return `${JSON.stringify(rest, void 0, 1)}
`;
  } catch {
    return text2;
  }
}
function parseRecord(text2, key, place) {
  let json;
  try {
    json = JSON.parse(text2);
  } catch {
    return void 0;
  }
  const found = file.safeParse(json);
  if (!found.success) return void 0;
  const { signature: made = "", changes, more, actions: followed2, ...parsed } = found.data;
  const [id = "", mac = ""] = made.split(".");
  const signed = id === "" || mac === "" ? { doubt: "unsigned", place } : judged(id, key, place, (signer) => isSignature(mac, signer, "history", canonical(parsed)));
  const kept = changes && {
    changes,
    ...more === void 0 ? {} : { more },
    ...followed2 === void 0 ? {} : { actions: followed2 }
  };
  const isTrue = !kept || sha(kept) === parsed.details;
  return {
    head: parsed,
    ...kept ? { details: kept } : {},
    proof: isTrue ? signed : { doubt: "altered", place, key: id },
    digest: sha([parsed, made])
  };
}

// src/report/outcome-text.ts
var few = 8;
var past = {
  create: "created",
  adopt: "adopted",
  update: "updated",
  replace: "replaced",
  move: "moved",
  release: "released",
  forget: "released",
  delete: "deleted",
  noop: "checked"
};
var deedOf = ({ action, renews }) => renews ? "noted" : past[action];
var deeds = [.../* @__PURE__ */ new Set([...Object.values(past), "noted"])];
function outcomeText(plan, outcome, { style, now, took }) {
  return [
    doneLines(doneIn(plan, outcome), style),
    actionLines(plan, outcome, style),
    failedLines(plan, outcome, style),
    leftLines(plan, outcome, style, now),
    skippedLines(plan, outcome, style),
    overwrittenLines(outcome, style),
    nextLines(outcome, style),
    [stateText(plan, outcome, { style, ...took === void 0 ? {} : { took } })]
  ].filter((lines) => lines.length > 0).map((lines) => lines.join("\n")).join("\n\n");
}
function wholesIn({ changes }, addresses) {
  const names = /* @__PURE__ */ new Map();
  const wanted = new Set(addresses);
  for (const units of wholesOf(changes)) {
    const own = units.filter(({ address }) => wanted.has(address));
    const places = placesOf(own);
    const name = own.length > 0 ? `${nameOf(own)}${places.length > 0 ? ` [${places.join(", ")}]` : ""}` : "";
    for (const { address } of own) names.set(address, name);
  }
  return [...new Set(addresses.map((address) => names.get(address) ?? address))];
}
var wholesAmong = (plan, same) => wholesIn(
  plan,
  same.map(({ address }) => address)
).map((address) => ({ address }));
function doneIn(plan, outcome) {
  const deedAt = new Map(plan.changes.map((change2) => [change2.address, deedOf(change2)]));
  const done = groupBy(outcome.done, (address) => deedAt.get(address) ?? past.noop);
  return new Map([...done].map(([verb, addresses]) => [verb, wholesIn(plan, addresses)]));
}
function doneLines(done, style) {
  return deeds.flatMap((verb) => {
    const addresses = done.get(verb) ?? [];
    if (addresses.length === 0) return [];
    const head2 = `${style.add(verb)} (${addresses.length})`;
    return addresses.length > few ? [head2] : [`${head2}:`, ...addresses.map((address) => `  ${cleanLine(address)}`)];
  });
}
function actionLines(plan, { actions: actions2 = [] }, style) {
  const planned = new Map((plan.actions ?? []).map((one) => [one.id, one]));
  const told = (result, head2) => actions2.filter((one) => one.result === result).flatMap(({ id, why, hint }) => {
    const action = planned.get(id);
    return [
      `${head2} ${action ? actionName(action) : cleanLine(id)}`,
      ...why === void 0 ? [] : fold(`  ${cleanLine(why)}`, style.prose, "  "),
      ...hint === void 0 ? [] : hintLines([hint], style)
    ];
  });
  return [
    ...told("done", style.add("sent")),
    ...told("nothing", style.quiet("nothing to do for")),
    ...told("owed", style.warn("owed")),
    ...told("refused", style.alarm("refused")),
    ...told("unknown", style.alarm("not known"))
  ];
}
function failedLines(plan, { failed }, style) {
  const errors = groupBy(failed, ({ error }) => JSON.stringify(errorLines(error)));
  return [...errors.values()].flatMap((same) => {
    const { message, hint } = errorLines(same[0].error);
    return [
      ...wholesIn(
        plan,
        same.map(({ address }) => address)
      ).map((name) => `${style.alarm("failed")} ${cleanLine(name)}`),
      ...message.flatMap(
        (line2, at) => at === 0 ? fold(`  Error: ${line2}`, style.prose, "  ") : fold(`  ${line2}`, style.prose, "  | ")
      ),
      ...hintLines(hint, style)
    ];
  });
}
function skippedLines(plan, { skipped }, style) {
  return [...groupBy(skipped, ({ because }) => because)].flatMap(([because, same]) => {
    const wholes = wholesAmong(plan, same);
    return listed("not tried", ` (${wholes.length}), because ${becauseText(because)}`, wholes, style);
  });
}
function overwrittenLines({ overwritten }, style) {
  if (overwritten.length === 0) return [];
  const head2 = "Somebody else changed these between our last read and our write; their changes may be lost:";
  return [
    ...wrap(head2, style.prose).map(style.warn),
    ...named(
      overwritten.map((address) => ({ address })),
      style
    ),
    ...wrap("Check in the dashboard who changed what, and redo it if it is missing.", style.prose)
  ];
}
function leftLines(plan, { left }, style, now) {
  return [...groupBy(left, ({ rateLimit }) => rateLimit.bucket).values()].flatMap((same) => {
    const wholes = wholesAmong(plan, same);
    return listed("left", ` (${wholes.length}), because ${usedUpFor(same, now)}`, wholes, style);
  });
}
function listed(what, why, same, style) {
  const [first, ...rest] = fold(`${what}${why}:`, style.prose);
  return [first.replace(what, style.warn), ...rest, ...named(same, style)];
}
function named(same, style) {
  const more = same.length - few;
  return [
    ...same.slice(0, few).map(({ address }) => `  ${cleanLine(address)}`),
    ...more > 0 ? [style.quiet(`  ... and ${more} more`)] : []
  ];
}
function nextLines({ failed, left, skipped, interrupted, actions: actions2 = [] }, { prose }) {
  const isOwed = actions2.some(({ result }) => result === "owed" || result === "refused");
  const next = failed.length > 0 || skipped.length > 0 || interrupted ? [
    "What was applied is recorded; what failed or was not tried is not.",
    "Run `trueup plan` to see what is left; the next apply continues from there."
  ] : left.length > 0 ? [
    "What was applied is recorded, and nothing failed.",
    "Run it again then; the next apply continues from there. `--max-wait` makes it wait longer."
  ] : isOwed ? [
    "All changes are applied and recorded. Pending actions are in the ledger: the next plan shows them and the next apply runs them."
  ] : [];
  return next.flatMap((line2) => wrap(line2, prose));
}
function stateText(plan, outcome, { style, took }) {
  const done = doneIn(plan, outcome);
  const told = (text2, paint) => sumLines(text2, style).map(paint).join("\n");
  const number = (verb) => done.get(verb)?.length ?? 0;
  const [all, failed, left, skipped] = [
    outcome.done,
    ...[outcome.failed, outcome.left, outcome.skipped].map((list) => list.map(({ address }) => address))
  ].map((addresses) => wholesIn(plan, addresses).length);
  const leftToo = left > 0 ? `, ${left} left` : "";
  if (failed > 0 || skipped > 0 || outcome.interrupted) {
    const state = outcome.interrupted ? "Apply stopped" : "Apply failed";
    const after = took === void 0 ? "" : ` after ${tookText(took)}`;
    return told(
      `${state}${after}: ${all} done, ${failed} failed${leftToo}, ${skipped} not tried.`,
      style.alarm
    );
  }
  const { actions: actions2 = [] } = outcome;
  const acted = (...results2) => actions2.filter(({ result }) => results2.includes(result)).length;
  const [sentOut, owed, wrong] = [acted("done"), acted("owed"), acted("refused", "unknown")];
  const follow = [
    ...sentOut > 0 ? [`${count(sentOut, "action")} sent`] : [],
    ...owed > 0 ? [`${count(owed, "action")} owed`] : [],
    ...wrong > 0 ? [`${count(wrong, "action")} failed`] : []
  ];
  if (wrong > 0) return told(`Apply failed: ${[`${all} done`, ...follow].join(", ")}.`, style.alarm);
  if (left > 0) return told(`Apply not finished: ${all} done${leftToo}.`, style.warn);
  if (owed > 0) return told(`Apply not finished: ${[`${all} done`, ...follow].join(", ")}.`, style.warn);
  if (outcome.done.length === 0 && follow.length > 0) return told(`${follow.join(", ")}.`, style.strong);
  if (outcome.done.length === 0) return told("There was nothing to apply.", style.strong);
  const verbs = deeds.filter((verb) => number(verb) > 0);
  const sent = sentIn(plan);
  const actionAt = new Map(plan.changes.map(({ address, action }) => [address, action]));
  const changed = wholesIn(
    plan,
    outcome.done.filter((address) => sent.has(address) && actionAt.get(address) === "adopt")
  ).length;
  const also = (verb) => verb === past.adopt ? changedText(changed) : "";
  const counts = verbs.map((verb) => `${number(verb)} ${verb}${also(verb)}`).join(", ");
  const within = took === void 0 ? "" : ` in ${tookText(took)}`;
  return told(`Applied ${count(all, "change")}${within}: ${[counts, ...follow].join(", ")}.`, style.strong);
}
var most = 20;
var narrowest = 12;
function sideEffectsText(effects, { style }) {
  if (effects.length === 0) return "";
  const more = effects.length - most;
  const text2 = [
    style.warn("Also changed, by the platform or by somebody else:"),
    ...effects.slice(0, most).map((effect) => `  ${line(effect, style)}`),
    ...more > 0 ? [style.quiet(`  ... and ${more} more`)] : []
  ].join("\n");
  return plainly(text2, style);
}
function line(effect, style) {
  const address = cleanLine(effect.address);
  if (effect.type !== "changed")
    return `${address}: ${effect.type === "gone" ? style.remove("is gone") : style.add("appeared")}`;
  const label = `${address}: ${showName(effect.path, "plain")}: `;
  if (effect.secret) return `${label}(secret)`;
  const room = Math.floor((style.width - 2 - displayWidth(label) - 3) / 2);
  const [before, after] = cutPair(show(effect.before), show(effect.after), Math.max(narrowest, room));
  return `${label}${style.remove(before)} ${style.quiet("\u2192")} ${style.add(after)}`;
}

// src/history/compose-record.ts
var mostOfValue = 16e3;
var mostOfRecord = 25e4;
function detailsOf(plan, progress, { values }) {
  const resultOf = resultsOf(progress);
  const changes = [];
  let size = 0;
  let more = 0;
  for (const change2 of plan.changes) {
    if (change2.action === "noop") continue;
    const { address, kind, action } = change2;
    const recorded = {
      address,
      kind,
      action,
      result: resultOf(address),
      fields: changeJson({ ...change2, fields: fieldsOf(change2) }).fields.map(
        (field2) => recordedField(field2, values)
      )
    };
    const isLarge = size + JSON.stringify(recorded).length > mostOfRecord;
    const kept = isLarge ? { ...recorded, fields: [], omitted: true } : recorded;
    size += JSON.stringify(kept).length;
    if (size > 10 * mostOfRecord) more++;
    else changes.push(kept);
  }
  const acted = actedIn(plan, progress)?.map(({ id, result }) => ({ id: id.slice(0, 2e3), result }));
  return { changes, ...more > 0 ? { more } : {}, ...acted ? { actions: acted } : {} };
}
var actedIn = ({ actions: actions2 = [] }, { outcome }) => {
  if (outcome) return outcome.actions;
  const open = actions2.filter(isOpenAction);
  return open.length > 0 ? open.map(({ id }) => ({ id, result: "owed" })) : void 0;
};
function recordedField({ path, before, after, cause, secret }, values) {
  const sides = definedOnly({ before: unnamed(before), after: unnamed(after) });
  const isKept = values && JSON.stringify(sides).length <= mostOfValue;
  return { path, cause, ...secret ? { secret: true } : {}, ...isKept ? sides : { omitted: true } };
}
var unnamed = (value) => value === void 0 ? void 0 : mapTree(
  value,
  (one) => typeof one === "object" && one !== null && typeof one.$secret === "string" ? "(secret)" : inside
);
function resultsOf({ done, failed, outcome }) {
  if (!outcome) return (address) => failed.has(address) ? "failed" : done.has(address) ? "done" : "planned";
  const results2 = new Map(outcome.done.map((address) => [address, "done"]));
  for (const { address } of outcome.skipped) results2.set(address, "not tried");
  for (const { address } of outcome.left) results2.set(address, "left");
  for (const { address } of outcome.failed) results2.set(address, "failed");
  return (address) => results2.get(address) ?? "planned";
}
function countsOf(plan, progress) {
  const resultOf = resultsOf(progress);
  const done = {};
  let failed = 0;
  let notDone = 0;
  const isReal = ({ action }) => action !== "noop";
  for (const units of wholesOf(plan.changes.filter(isReal))) {
    const results3 = new Set(units.map(({ address }) => resultOf(address)));
    const verb = deedOf(units[0]);
    if (results3.has("failed")) failed++;
    else if (results3.size === 1 && results3.has("done")) done[verb] = (done[verb] ?? 0) + 1;
    else notDone++;
  }
  const results2 = (progress.outcome?.actions ?? []).map(({ result }) => result);
  const number = (...wanted) => results2.filter((one) => wanted.includes(one)).length;
  if (number("done") > 0) done[followed] = number("done");
  return { done, failed: failed + number("refused", "unknown"), notDone: notDone + number("owed") };
}
var followed = "followed";
function countsText({
  done,
  failed,
  notDone,
  outcome
}) {
  const parts = [
    ...deeds.flatMap((verb) => done[verb] ? [`${done[verb]} ${verb}`] : []),
    ...done[followed] ? [`${count(done[followed], "action")} sent`] : [],
    ...failed > 0 ? [`${failed} failed`] : [],
    ...notDone > 0 ? [`${notDone} ${outcome === "begun" ? "to go" : "not done"}`] : []
  ];
  return parts.join(", ") || "nothing";
}

// src/history/read-history.ts
var wholeRecords = 100;
var mostRecords = 1e3;
async function readHistory({ history, place }, ledger, key) {
  const texts = await history.read(await history.names());
  const doubts = [];
  const found = [];
  for (const [name, text2] of texts) {
    const record2 = parseRecord(text2, key, `the record of run ${runOf(name)} at ${place}`);
    if (record2 && recordName(record2.head.run) === name) found.push(record2);
    else doubts.push(`the record of run ${runOf(name)} is not a valid record`);
  }
  const records = found.sort((a, b) => a.head.run - b.head.run);
  doubts.push(...brokenLinks(records), ...foreignRecords(records, ledger), ...unrecorded(records, ledger));
  return { records, doubts };
}
function brokenLinks(records) {
  return records.flatMap(({ head: head2 }, at) => {
    const before = records[at - 1];
    if (!before) {
      const isOld = records.at(-1).head.run - head2.run >= mostRecords - 1;
      return head2.run === 1 || isOld ? [] : [gone(1, head2.run - 1)];
    }
    if (before.head.run !== head2.run - 1) return [gone(before.head.run + 1, head2.run - 1)];
    return head2.previous === before.digest ? [] : [`the record of run ${before.head.run} is not the one before run ${head2.run}`];
  });
}
var gone = (from, to) => from === to ? `the record of run ${from} is missing` : `the records of runs ${from} to ${to} are missing`;
function foreignRecords(records, ledger) {
  if (!ledger) return [];
  const names = /* @__PURE__ */ new Set([ledger.stack]);
  const doubts = [];
  for (const { head: head2, proof } of [...records].reverse()) {
    const isOurs = names.has(head2.stack) && head2.baseUrl === ledger.baseUrl && head2.owner === ledger.owner;
    if (!isOurs) doubts.push(`the record of run ${head2.run} belongs to ${head2.stack} at another place`);
    else if (head2.was !== void 0 && isVerified(proof)) names.add(head2.was);
  }
  return doubts.reverse();
}
function unrecorded(records, ledger) {
  const last = records.at(-1)?.head;
  const sent = ledger?.lastWrite;
  if (sent === void 0 || !last || last.outcome === "begun") return [];
  return Date.parse(sent) > Date.parse(last.end ?? last.start) ? [`a run sent a request at ${sent} that no record mentions`] : [];
}

return{past:past,deedOf:deedOf,deeds:deeds,outcomeText:outcomeText,stateText:stateText,sideEffectsText:sideEffectsText,mostOfRecord:mostOfRecord,detailsOf:detailsOf,countsOf:countsOf,countsText:countsText,isOfLedger:isOfLedger,isOfAction:isOfAction,recordText:recordText,summarised:summarised,parseRecord:parseRecord,wholeRecords:wholeRecords,mostRecords:mostRecords,readHistory:readHistory};})();exports.part_MXVH3ICS=part_MXVH3ICS;
const part_HO3WMWJF=(()=>{const {
  countsOf,
  countsText,
  detailsOf,
  isOfAction,
  isOfLedger,
  mostRecords,
  parseRecord,
  recordText,
  summarised,
  wholeRecords
}=part_MXVH3ICS;const {
  recordName,
  runOf
}=require("./part-27.cjs").part_EN3WE5DN;const {
  planJson
}=require("./part-88.cjs").part_IIODRIIT;const {
  version
}=require("./part-80.cjs").part_OT7RGJI3;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const { hash }=require("node:crypto");;
;
;
;
;
;

// src/history/open-recording.ts
;
async function openRecording(options) {
  const { documents, ledger, key, plan, about, now } = options;
  const { values, ...said } = about;
  const { last, run, old, beginning } = await latest(documents, ledger, key);
  const done = /* @__PURE__ */ new Set();
  const failed = /* @__PURE__ */ new Set();
  const start = new Date(now()).toISOString();
  let ended;
  const plannedAs = options.digest ?? planDigest(plan);
  const beside = () => {
    const progress = { done, failed, ...ended ? { outcome: ended.outcome } : {} };
    const head = {
      ...beginning,
      ...said,
      ...last?.head.outcome === "begun" && !isOfAction(last.head) ? { resumes: last.head.run } : {},
      version,
      plan: plannedAs,
      ...plan.partial ? { partial: true } : {},
      start,
      ...ended ? { end: ended.end } : {},
      outcome: ended ? outcomeOf(ended.outcome) : "begun",
      ...countsOf(plan, progress),
      ...values ? {} : { values: false }
    };
    const text = recordText(head, detailsOf(plan, progress, { values }), key);
    return { history: new Map([...old, [recordName(run), text]]), message: messageOf(head) };
  };
  return {
    run,
    name: `run ${run}${about.actor ? `, ${cleanLine(about.actor.name)}` : ""}`,
    beside,
    note: (event) => {
      if (event.type === "succeeded") for (const address of event.operation.changes) done.add(address);
      if (event.type === "failed") for (const address of event.operation.changes) failed.add(address);
    },
    end: (outcome) => {
      ended = { outcome, end: new Date(now()).toISOString() };
    }
  };
}
async function latest({ history, place }, { baseUrl, owner, stack }, key) {
  const names = await history.names();
  const run = names.length > 0 ? runOf(names.at(-1)) + 1 : 1;
  const isOver = (name) => runOf(name) <= run - mostRecords;
  const toShorten = names.filter((name) => !isOver(name) && runOf(name) === run - wholeRecords);
  const texts = await history.read([...toShorten, ...names.slice(-1)]);
  const text = texts.get(names.at(-1) ?? "");
  const last = text === void 0 ? void 0 : parseRecord(text, key, `the last record at ${place}`);
  const old = new Map([
    ...names.filter(isOver).map((name) => [name, void 0]),
    ...toShorten.map((name) => [name, summarised(texts.get(name))])
  ]);
  const beginning = {
    formatVersion: 1,
    run,
    previous: last?.digest ?? null,
    baseUrl,
    owner,
    stack
  };
  return { last, run, old, beginning };
}
function planDigest(plan) {
  const { stack, account, changes, operations } = planJson(plan);
  return hash("sha256", canonical({ stack, account, changes, operations }), "base64url");
}
function outcomeOf({ failed, left, skipped, interrupted, actions = [] }) {
  const some = (...results) => actions.some(({ result }) => results.includes(result));
  if (interrupted) return "interrupted";
  if (failed.length > 0 || skipped.length > 0 || some("refused", "unknown")) return "failed";
  return left.length > 0 || some("owed") ? "not finished" : "done";
}
function messageOf(head) {
  const {
    run,
    command,
    action,
    stack,
    undoes,
    to,
    from,
    actor,
    ci,
    commit,
    plan,
    approval,
    outcome,
    resumes,
    start,
    end
  } = head;
  const isRecorded = isOfLedger(head) && command !== "rename";
  const what = undoes !== void 0 ? `${command} of #${undoes}` : isRecorded ? `ledger ${command}` : command;
  const begun = outcome === "begun" ? "begun, " : "";
  const counts = action === void 0 ? countsText(head) : action;
  const trailers = {
    Run: String(run),
    Actor: actor && `${actor.name} (${actor.says})`,
    "CI-Run": ci && [ci.name, ci.run, ci.url].filter(Boolean).join(" "),
    "Configuration-Commit": commit && `${commit.id}${commit.dirty ? " (dirty)" : ""}`,
    Plan: plan || void 0,
    To: to,
    From: from,
    Approval: approval,
    Resumes: resumes === void 0 ? void 0 : String(resumes),
    Start: start,
    End: end,
    Outcome: outcome
  };
  const lines = Object.entries(trailers).flatMap(
    ([name, value]) => value === void 0 ? [] : [`${name}: ${cleanLine(value)}`]
  );
  return `${what} ${cleanLine(stack)}: ${begun}${counts} (#${run})

${lines.join("\n")}
`;
}

return{openRecording:openRecording,latest:latest,messageOf:messageOf};})();exports.part_HO3WMWJF=part_HO3WMWJF;
