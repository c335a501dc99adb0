"use strict";const part_RDEMRLSM=(()=>{const {
  unescapeName
}=require("./part-106.cjs").part_BACZRMMV;const {
  cleanLine,
  quote
}=require("./part-80.cjs").part_D2V2PUP6;const {
  isHole,
  isJoin,
  isLookupRef,
  isPlainObject,
  isRef,
  isSecret,
  isSecretRef
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  inside,
  walk
}=require("./part-80.cjs").part_YNHFC6K5;;
;
;
;

// src/report/show.ts
function show(value, notation = "plain") {
  return typeof value === "string" && notation === "plain" ? plainText(value) : showMember(value, notation);
}
function showMember(value, notation) {
  if (value === void 0) return "(unset)";
  if (value instanceof Sealed)
    return value.secretName === void 0 ? "(secret)" : showSecret(value.secretName);
  if (isHole(value)) return showHole(value, notation);
  if (typeof value === "string")
    return notation === "plain" && !/[,[\]{}]|: |:$|^[-#&*!|>%@`'?]/.test(value) ? plainText(value) : quote(value);
  if (Array.isArray(value))
    return `[${value.map((item) => showMember(item === void 0 ? null : item, notation)).join(", ")}]`;
  if (isPlainObject(value)) {
    const members2 = membersOf(value).map(
      ([name, item]) => `${showName(name, notation)}: ${showMember(item, notation)}`
    );
    return members2.length === 0 ? "{}" : `{ ${members2.join(", ")} }`;
  }
  return String(value);
}
var membersOf = (value) => Object.entries(value).filter(([, item]) => item !== void 0);
var showName = (name, notation) => notation === "plain" && /^[\w$./@[\]-]+$/.test(name) ? name : quote(name);
function showHole(hole, notation = "plain") {
  if (isRef(hole)) return `\${${showReference(hole)}}`;
  if (isSecretRef(hole)) return showSecret(hole.$secret);
  if (isLookupRef(hole)) return `\${lookup.${cleanLine(hole.$lookup)}.${cleanLine(hole.attr)}}`;
  if (!isJoin(hole)) return `(${showResult(hole)})`;
  if (isSecret(hole)) return ["(secret)", ...secretNames(hole)].join(" ");
  const text = hole.$join.map(
    (piece) => typeof piece === "string" ? quote(piece).slice(1, -1) : show(piece)
  );
  return notation === "json" ? `"${text.join("")}"` : text.join("");
}
var showSecret = (name) => `\${secret.${cleanLine(name)}}`;
function secretNames(value) {
  const names = /* @__PURE__ */ new Set();
  walk(value, (one) => {
    if (isSecretRef(one) || one instanceof Sealed && one.secretName !== void 0) names.add(show(one));
    return inside;
  });
  return [...names];
}
function showReference({ $ref, attr }) {
  const names = $ref.split("/").map((name) => cleanLine(unescapeName(name)));
  return `${names.map((name, at) => name.includes(".") ? `[${name}]` : at === 0 ? name : `.${name}`).join("")}.${cleanLine(attr)}`;
}
var showResult = ({ $result, path }) => `${showPath(path)} from answer ${$result + 1}`;
var showPath = (path) => path.map((step) => typeof step === "object" ? show(step) : cleanLine(String(step))).join(".") || "all";
function plainText(text) {
  const isDoubtful = text.trim() !== text || text === "" || !Number.isNaN(Number(text)) || /^(true|false|null|~|yes|no|on|off)$/i.test(text) || /^["([{]|\$\{|→|->|…|^- |^[|]/.test(text) || quote(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("\\\\", "\\") !== text;
  return isDoubtful ? quote(text) : text;
}
function layOut(value, width, notation, open = false) {
  const isGroup = Array.isArray(value) ? value.length > 0 : isPlainObject(value) && membersOf(value).length > 0;
  const line = show(value, notation);
  if (!isGroup || !open && line.length <= width) return [line];
  return notation === "plain" ? block(value, width, open) : brackets(value, width);
}
function block(value, width, open) {
  const inner = (item) => {
    const line = showMember(item, "plain");
    const mayStay = !open || members(item).every(([, member]) => members(member).length === 0);
    return line.length <= width - 2 && mayStay ? [line] : layOut(item, width - 2, "plain", open);
  };
  if (Array.isArray(value))
    return value.flatMap((item) => inner(item).map((line, at) => at === 0 ? `- ${line}` : `  ${line}`));
  return members(value).flatMap(([name, item]) => {
    const whole = showMember(item, "plain");
    const lines = members(item).length === 0 ? [whole] : inner(item);
    const label = `${showName(name, "plain")}:`;
    return lines.length === 1 && lines[0] === whole ? [`${label} ${whole}`] : [label, ...lines.map((line) => `  ${line}`)];
  });
}
function brackets(value, width) {
  const list = members(value);
  const lines = list.flatMap(([name, item], at) => {
    const label = Array.isArray(value) ? "" : `${showName(name, "json")}: `;
    const line = label + showMember(item, "json");
    const fits = members(item).length === 0 || line.length <= width - 3;
    const inner = fits ? [line] : brackets(item, width - 2);
    if (!fits) inner[0] = label + inner[0];
    if (at < list.length - 1) inner[inner.length - 1] += ",";
    return inner.map((text) => `  ${text}`);
  });
  return Array.isArray(value) ? ["[", ...lines, "]"] : ["{", ...lines, "}"];
}
function members(value) {
  if (Array.isArray(value)) return Object.entries(value);
  return isPlainObject(value) ? membersOf(value) : [];
}

return{show:show,showName:showName,showHole:showHole,secretNames:secretNames,showResult:showResult,layOut:layOut};})();exports.part_RDEMRLSM=part_RDEMRLSM;
const part_GVLOUSOT=(()=>{const {
  isOpenAction
}=require("./part-80.cjs").part_R4CIL4FR;const {
  show
}=part_RDEMRLSM;const {
  wholeAddress
}=require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;;
;
;
;
;
;

// src/report/action-texts.ts
var actionsTitle = "Then, once all of this is done";
var actionTexts = ({ actions = [] }) => [...actions].sort((a, b) => Number(isOpenAction(b)) - Number(isOpenAction(a))).map((action) => ({
  name: actionName(action),
  text: whyText(action).join("; "),
  isOpen: isOpenAction(action),
  action
}));
function actionName({
  action,
  about,
  input
}) {
  const given = Object.entries(input).map(([name, value]) => `${cleanLine(name)}: ${show(value)}`);
  const what = [action, about].filter((part) => part !== void 0).map(cleanLine);
  return `${what.join(" ")}${given.length > 0 ? ` (${given.join(", ")})` : ""}`;
}
function followingCounts({ actions = [] }) {
  const isDue = ({ state }) => state === "due";
  const due = groupBy(actions.filter(isDue), ({ starts, action }) => starts ?? action);
  return [...due].map(([what, { length }]) => {
    const isCounted = actions.some(({ starts }) => starts === what);
    return isCounted ? count(length, cleanLine(what)) : `${length} ${cleanLine(what)}`;
  });
}
function followingTexts(plan) {
  const counts = followingCounts(plan);
  return [...counts.length > 0 ? [`then ${counts.join(", ")}`] : [], ...heldCount(plan)];
}
function heldCount({ actions = [] }) {
  const { length } = actions.filter((one) => isOpenAction(one) && one.state !== "due");
  return length > 0 ? [`${count(length, "action")} not sent now`] : [];
}
function whyText({ state, why, after, owed, grade, gradeReason, wait }) {
  const asked = [
    ...after.length > 0 ? [`after ${changedText(after)}`] : [],
    ...owed ? [`pending from ${cleanLine(owed.run ?? "an earlier run")}`] : []
  ];
  const because = why === void 0 ? [] : [cleanLine(why)];
  if (state === "over") return [...asked, ...because, "nothing is sent"];
  if (state === "left") return [...asked, ...because];
  if (state === "busy") return [...asked, `not sent now: ${because.join()}`, "the next apply looks again"];
  if (state === "unknown") return [...asked, ...because, "it is not sent again automatically"];
  return [
    ...asked,
    ...gradeReason === void 0 ? [] : [`${grade}: ${cleanLine(gradeReason)}`],
    ...wait === void 0 ? [] : [`apply waits for it, up to ${count(wait, "minute")}`]
  ];
}
function changedText(after) {
  const wholes = [...new Set(after.map(wholeAddress))];
  if (wholes.length === 1) return cleanLine(wholes[0]);
  const groups = groupBy(wholes, (address) => address.slice(0, address.lastIndexOf("/")));
  return [...groups].map(
    ([place, own]) => own.length === 1 ? cleanLine(own[0]) : `${own.length} changes in ${cleanLine(place)}`
  ).join(" and ");
}

return{actionsTitle:actionsTitle,actionTexts:actionTexts,actionName:actionName,followingCounts:followingCounts,followingTexts:followingTexts,heldCount:heldCount};})();exports.part_GVLOUSOT=part_GVLOUSOT;
const part_M4ULKWWU=(()=>{const {
  layOut,
  show,
  showHole,
  showResult
}=part_RDEMRLSM;const {
  count,
  durationText
}=require("./part-106.cjs").part_J6NNXEVI;const {
  wrap
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  isHole,
  isRef,
  isResult,
  isSecretRef
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed
}=require("./part-80.cjs").part_YNHFC6K5;;
;
;
;
;
;

// src/report/forecast.ts
var atOnce = 10;
function forecast({ operations, actions = [] }, pace) {
  const following = actions.flatMap(({ request, state }) => request && state === "due" ? [request] : []);
  const all = [...operations.flatMap(({ requests }) => requests), ...following].map(
    ({ endpoint }) => blank(endpoint)
  );
  const limits = (pace?.limits ?? []).flatMap(({ endpoint, what, allowed, window, now }) => {
    const requests = all.filter((one) => one === blank(endpoint)).length;
    if (requests === 0) return [];
    const known = { what, requests, allowed: now?.limit ?? allowed, window };
    return now ? [{ ...known, shared: sharedOf(now) }] : [known];
  });
  const turns = Math.max(longestChain(operations), all.length / atOnce);
  const waits = Math.max(0, ...limits.map(waitOf));
  return { requests: all.length, seconds: Math.ceil(turns * (pace?.requestSeconds ?? 0) + waits), limits };
}
var sharedOf = ({ left, reserved, endsIn }) => ({
  left,
  reserved,
  ...endsIn === void 0 ? {} : { endsIn: Math.ceil(endsIn / 1e3) }
});
function waitOf({ requests, allowed, window, shared }) {
  const { left = allowed, reserved = [], endsIn = window } = shared ?? {};
  const first = reserved.reduce((sum, one) => sum + Math.min(one, requests), 0);
  const beyond = requests + first - left;
  return beyond <= 0 ? 0 : endsIn + (Math.ceil(beyond / allowed) - 1) * window;
}
var blank = (endpoint) => endpoint.replace(/\?.*$/, "").replace(/\{[^{}]*\}/g, "{}");
function longestChain(operations) {
  const ends = /* @__PURE__ */ new Map();
  let longest = 0;
  for (const { id, dependsOn, requests } of operations) {
    const begin = dependsOn.reduce((latest, other) => Math.max(latest, ends.get(other) ?? 0), 0);
    ends.set(id, begin + requests.length);
    longest = Math.max(longest, begin + requests.length);
  }
  return longest;
}
var least = 10;
function durationOf(plan, pace) {
  const { seconds } = forecast(plan, pace);
  return seconds < least ? "" : `, about ${roughly(seconds)}`;
}
var readsText = ({ reads }) => reads === void 0 ? [] : [`Read with ${count(reads, "request")}.`];
function waitLines(plan, pace, width) {
  const holding = forecast(plan, pace).limits.filter((limit) => waitOf(limit) > 0);
  const texts = holding.map(
    ({ what, requests, allowed, window, shared }) => `${requests} ${what}: limited to ${allowed} ${each(window)}${shared ? sharedText(shared) : ""}.`
  );
  return texts.flatMap((text) => wrap(text, width));
}
function sharedText({ left, reserved, endsIn }) {
  const others = reserved.reduce((sum, one) => sum + one, 0);
  return [
    endsIn === void 0 ? "" : `; ${left} are left for ${durationText(endsIn * 1e3)}`,
    others === 0 ? "" : `${endsIn === void 0 ? ";" : ", and"} ${count(reserved.length, "other run")} ${reserved.length === 1 ? "has" : "have"} reserved ${others}`
  ].join("");
}
var roughly = (seconds) => seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Number((seconds / 3600).toFixed(1))} h`;
var each = (window) => window === 3600 ? "an hour" : window === 60 ? "a minute" : `in ${durationText(window * 1e3)}`;

// src/report/request-text.ts
var most = 30;
function requestsOf(addresses, context) {
  const operations = new Set(addresses.flatMap((address) => context.carriers.get(address) ?? []));
  const referredTo = /* @__PURE__ */ new Set();
  return [...operations].flatMap((operation) => {
    const earlier = context.shown.get(operation);
    if (earlier === void 0) {
      context.shown.set(operation, addresses[0]);
      return operationLines(operation, context);
    }
    if (referredTo.has(earlier)) return [];
    referredTo.add(earlier);
    return [
      context.style.quiet(`${context.style.unicode ? "=>" : "sent"} with ${cleanLine(earlier)}, above`)
    ];
  });
}
function operationLines(operation, { style, verbose }) {
  return operation.requests.flatMap((request) => {
    const { method, path } = lineOf(request);
    const body = request.body === void 0 ? [] : layOut(request.body, style.width - 9, "json");
    const shown = verbose ? body : body.slice(0, most);
    const more = body.length - shown.length;
    return [
      `${style.quiet(style.unicode ? "=>" : "sends")} ${style.strong(method)} ${path}`,
      ...shown.map((line) => `   ${style.quiet(line)}`),
      ...more > 0 ? [`   ${style.quiet(`... ${more} more lines`)}`] : []
    ];
  });
}
function lineOf({ endpoint, params = {} }) {
  const [method, path] = endpoint.split(" ", 2);
  return {
    method,
    path: cleanLine(path).replace(
      /\{(\w+)\}/g,
      (open, name) => Object.hasOwn(params, name) ? filled(params[name]) : open
    )
  };
}
function filled(value) {
  if (value instanceof Sealed) return "{secret}";
  if (isRef(value))
    return `{${cleanLine(value.$ref)}${value.attr === "id" ? "" : `.${cleanLine(value.attr)}`}}`;
  if (isSecretRef(value)) return `{secret.${cleanLine(value.$secret)}}`;
  if (isResult(value)) return `{${showResult(value)}}`;
  if (isHole(value)) return `{${showHole(value)}}`;
  return typeof value === "object" ? show(value) : encodeURIComponent(String(value));
}

return{forecast:forecast,durationOf:durationOf,readsText:readsText,waitLines:waitLines,requestsOf:requestsOf,operationLines:operationLines,lineOf:lineOf};})();exports.part_M4ULKWWU=part_M4ULKWWU;
const part_IIODRIIT=(()=>{const {
  forecast,
  lineOf
}=part_M4ULKWWU;const {
  summaryOf
}=require("./part-106.cjs").part_LKZTNYVU;const {
  isHiddenSide
}=require("./part-106.cjs").part_HLUFGGLM;const {
  byAddress
}=require("./part-106.cjs").part_BACZRMMV;const {
  jsonText,
  jsonValue
}=require("./part-80.cjs").part_6VCGJOTY;const {
  isHole,
  isJoin,
  isSecret
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  definedOnly
}=require("./part-80.cjs").part_YNHFC6K5;const {
  hasErrors
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;
;

// src/report/plan-json.ts
function planJson(plan, pace) {
  return {
    formatVersion: "1.8",
    stack: plan.stack,
    ...definedOnly({ account: plan.account }),
    complete: plan.complete,
    summary: summaryOf(plan),
    changes: [...plan.changes].sort(byAddress).map(changeJson),
    operations: plan.operations.map(operationJson),
    ...definedOnly({ actions: plan.actions?.map(actionJson) }),
    forecast: forecast(plan, pace),
    ...definedOnly({
      unlisted: plan.unlisted,
      reads: plan.reads,
      waiting: plan.waiting,
      changedBy: plan.changedBy,
      guards: plan.guards,
      sources: plan.sources
    }),
    diagnostics: plan.diagnostics.map(diagnosticJson)
  };
}
function failureJson(diagnostics) {
  const { stack: _, ...nothing } = planJson({
    stack: "",
    complete: false,
    changes: [],
    operations: [],
    unmanaged: [],
    diagnostics
  });
  return nothing;
}
var changeJson = (change) => ({
  address: change.address,
  kind: change.kind,
  action: change.action,
  ...definedOnly({ id: change.id, reason: change.reason }),
  grade: change.grade,
  ...definedOnly({ gradeReason: change.gradeReason, permissions: change.permissions }),
  moves: change.action === "move" || change.moves === true,
  ...definedOnly({ renews: change.renews }),
  // A plan that an older version saved does not say.
  undo: change.undo?.can ?? "no",
  ...definedOnly({
    undoLost: change.undo?.lost,
    undoReason: change.undo ? change.undo.why : "it is not known"
  }),
  fields: change.fields.map(fieldJson),
  ...definedOnly({ source: change.at && placeJson(change.at) })
});
function fieldJson(field) {
  const isTellable = (value) => value instanceof Sealed || isHole(value) && !isJoin(value);
  const side = (value) => !isHiddenSide(field, value) || isTellable(value) ? jsonValue(value) : "(secret)";
  return {
    path: field.path,
    ...definedOnly({ before: side(field.before), after: side(field.after) }),
    cause: field.cause,
    secret: field.secret === true || isSecret(field.before) || isSecret(field.after),
    replaces: field.replaces === true
  };
}
var operationJson = ({ id, kind, changes, dependsOn, requests }) => ({
  id,
  kind,
  changes,
  dependsOn,
  requests: requests.map(requestJson)
});
var requestJson = (request) => ({
  ...lineOf(request),
  ...definedOnly({ body: jsonValue(request.body) })
});
var actionJson = ({
  input,
  request,
  owed,
  wait,
  from: _,
  ...action
}) => ({
  ...action,
  input: jsonValue(input),
  ...owed ? { owedBy: owed.run ?? "an earlier run" } : {},
  ...definedOnly({ waits: wait, request: request && requestJson(request) })
});
var diagnosticJson = (diagnostic) => ({
  severity: diagnostic.severity,
  code: diagnostic.code,
  message: diagnostic.message,
  ...definedOnly({ hint: diagnostic.hint, address: diagnostic.address }),
  ...definedOnly({ source: diagnostic.at && placeJson(diagnostic.at) }),
  related: (diagnostic.related ?? []).map(({ message, at }) => ({ message, source: placeJson(at) }))
});
var placeJson = ({ file, line, column }) => ({ file, line, column });
function validationJson(diagnostics) {
  const number = (severity) => diagnostics.filter((one) => one.severity === severity).length;
  return jsonText({
    formatVersion: "1.0",
    valid: !hasErrors(diagnostics),
    errors: number("error"),
    warnings: number("warning"),
    diagnostics: diagnostics.map(diagnosticJson)
  });
}

return{planJson:planJson,failureJson:failureJson,changeJson:changeJson,actionJson:actionJson,diagnosticJson:diagnosticJson,validationJson:validationJson};})();exports.part_IIODRIIT=part_IIODRIIT;
const part_Y562VKV4=(()=>{const {
  followingCounts,
  heldCount
}=part_GVLOUSOT;const {
  asksForNothing
}=require("./part-80.cjs").part_YAMT22MG;const {
  secretNames
}=part_RDEMRLSM;const {
  countOf,
  wholesOf
}=require("./part-106.cjs").part_AQPNOW65;const {
  count,
  listed
}=require("./part-106.cjs").part_J6NNXEVI;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cutCounted
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;;
;
;
;
;
;
;
;

// src/report/plan-notes.ts
function accountText({ account }) {
  if (!account) return [];
  const { type, name, baseUrl } = account;
  const place = baseUrl === void 0 ? "" : baseUrl === twin ? " on the embedded twin" : ` at ${baseUrl}`;
  return [cleanLine(`${type === "team" ? "team" : "personal account"} ${name}${place}`)];
}
function changesText(plan) {
  const number = countOf(plan.changes.filter(({ action }) => action !== "noop"));
  const follows = followingCounts(plan);
  const parts = [
    ...number === 0 ? [] : [number === 1 ? "this change" : `these ${number} changes`],
    ...follows.length > 0 ? [follows.join(", ")] : []
  ];
  if (parts.length === 0) parts.push(...heldCount(plan));
  const [account] = accountText(plan);
  return `${parts.join(" and ")}${account ? ` to ${account}` : ""}`;
}
var twin = "twin:";
var fieldsWith = (changes, cause) => wholesOf(changes.filter(({ action }) => action !== "adopt")).flatMap(([change]) => change.fields).filter((field) => field.cause === cause).length;
function conflictText(changes) {
  const conflicts = fieldsWith(changes, "conflict");
  return conflicts === 0 ? [] : [
    `${count(conflicts, "field")} changed both outside and here: approving this plan, or --overwrite-conflicts, overwrites what was changed outside.`
  ];
}
function permissionTexts(changes) {
  const asking = (permission) => countOf(changes.filter((change) => change.permissions?.includes(permission)));
  const said = (number, one, many2) => number === 0 ? [] : [`${count(number, "change")} ${number === 1 ? one : many2}.`];
  return [
    ...said(asking("cost"), "costs money", "cost money"),
    ...said(asking("remove-access"), "removes somebody's access", "remove people's access")
  ];
}
function unmanagedTexts({ unmanaged, unlisted = [] }, name) {
  const counts = groupBy(unmanaged, ({ kind }) => kind);
  return [.../* @__PURE__ */ new Set([...counts.keys(), ...unlisted])].sort().map(
    (kind) => unlisted.includes(kind) ? `${name(kind)} (not listed)` : `${counts.get(kind).length} ${name(kind)}`
  );
}
function guardsTexts(plan) {
  const { guards } = plan;
  if (!guards || asksForNothing(plan)) return [];
  const { file, checks = [], verdict } = guards;
  const by = [...file === void 0 ? [] : [file], ...checks].map(cleanLine);
  return [`Judged by ${listed(by)}: ${verdict}.`];
}
function renewedTexts({ changes }) {
  const number = countOf(changes.filter(({ renews }) => renews));
  if (number === 0) return [];
  return [
    `The ledger is out of date for ${count(number, "object")}: the next apply updates it without sending anything.`
  ];
}
var waitingTitle = "Not ready yet (not a change)";
var waitingTexts = ({ waiting = [] }) => waiting.map(({ address, why, minutes, failed }) => {
  const asked = minutes === void 0 || failed ? "" : ` (apply waits for it, up to ${count(minutes, "minute")})`;
  return { name: cleanLine(address), text: `${cleanLine(why)}${asked}` };
});
var sourcesTitle = "Sources: new or changed since the last apply";
var sourcesMean = "The configuration did not read from these before.";
var newSources = ({ sources = [] }) => sources.filter(({ since }) => since !== void 0);
var many = 5;
var widest = 200;
function sourceTexts(sources) {
  const usual = sources.filter(
    (one) => one.since !== "changed" && one.source.startsWith("env TRUEUP_SECRET_")
  );
  const isFolded = usual.length > many;
  const shown = isFolded ? sources.filter((one) => !usual.includes(one)) : sources;
  const names = usual.map(({ name }) => cleanLine(name.replace(/^secret /, "")));
  const news = usual.some(({ since }) => since) ? " (new)" : "";
  const folded = {
    name: `${usual.length} secrets`,
    text: `env TRUEUP_SECRET_NAME${news}: ${cutCounted(names.join(", "), widest)}`
  };
  return [
    ...isFolded ? [folded] : [],
    ...shown.map(({ name, source, since, before }) => ({
      name: cleanLine(name),
      text: `${cleanLine(source)}${since === "changed" ? ` (was ${cleanLine(before)})` : since === "new" ? " (new)" : ""}`
    }))
  ];
}
function sourcesOfChanges(changes, { sources = [] }) {
  if (sources.length === 0) return [];
  const used = new Set(changes.flatMap(({ fields }) => fields.flatMap(({ after }) => secretNames(after))));
  const isUsed = (name) => used.has(`\${secret.${cleanLine(name.replace(/^secret /, ""))}}`);
  return sources.filter(
    ({ name, since }) => since === void 0 && name.startsWith("secret ") && isUsed(name)
  );
}
var changedByTexts = (known) => known === void 0 ? [] : [
  `changed outside by ${known.who}, ${known.when.slice(0, 16).replace("T", " ")} UTC${known.through === void 0 ? "" : `, through ${known.through}`}`
];

return{accountText:accountText,changesText:changesText,fieldsWith:fieldsWith,conflictText:conflictText,permissionTexts:permissionTexts,unmanagedTexts:unmanagedTexts,guardsTexts:guardsTexts,renewedTexts:renewedTexts,waitingTitle:waitingTitle,waitingTexts:waitingTexts,sourcesTitle:sourcesTitle,sourcesMean:sourcesMean,newSources:newSources,sourceTexts:sourceTexts,sourcesOfChanges:sourcesOfChanges,changedByTexts:changedByTexts};})();exports.part_Y562VKV4=part_Y562VKV4;
const part_EKMGLMMC=(()=>{// src/model/creates-first.ts
function createsFirst(operations) {
  const at = (method) => {
    const index = operations.findIndex(
      ({ requests }) => requests.some(({ endpoint }) => endpoint.startsWith(method))
    );
    return operations[index];
  };
  const [made, gone] = [at("POST"), at("DELETE")];
  if (!made || !gone) return false;
  if (made !== gone) return gone.dependsOn.includes(made.id);
  const methods = made.requests.map(({ endpoint }) => endpoint.split(" ", 1)[0]);
  return methods.indexOf("POST") < methods.indexOf("DELETE");
}

return{createsFirst:createsFirst};})();exports.part_EKMGLMMC=part_EKMGLMMC;
