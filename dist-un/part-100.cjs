"use strict";const part_U56CU4BQ=(()=>{const {
  createsFirst
}=require("./part-88.cjs").part_EKMGLMMC;const {
  changeJson
}=require("./part-88.cjs").part_IIODRIIT;const {
  carriersIn
}=require("./part-106.cjs").part_LKZTNYVU;const {
  asksForWrite,
  besideOf,
  keptOf
}=require("./part-106.cjs").part_HLUFGGLM;const {
  unescapeName
}=require("./part-106.cjs").part_BACZRMMV;const {
  fieldsOf,
  isHole,
  isJoin,
  isPlainObject,
  isRef,
  isSecret,
  namesIn
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  inside,
  mapTree,
  put
}=require("./part-80.cjs").part_YNHFC6K5;;
;
;
;
;
;
;

// src/report/terraform/sides.ts
function sidesIn(plan) {
  const ids = new Map(plan.changes.flatMap(({ address, id }) => id === void 0 ? [] : [[address, id]]));
  const isNew = new Set(
    plan.changes.filter(({ action }) => getsId.has(action)).map(({ address }) => address)
  );
  const idBefore = (address) => ids.get(address) ?? address;
  const idAfter = (address) => isNew.has(address) ? void 0 : ids.get(address);
  return (change) => ({
    before: wasThere(change) ? sideOf(withId(before(change), change.id), idBefore) : null,
    after: staysThere(change) ? sideOf(withId(wholeWith(change, afterOf), idAfter(change.address) ?? unknown), idAfter) : null
  });
}
function driftOf(change) {
  const left = (field) => field.cause === "drift" ? afterOf(field) : beforeOf(field);
  const isKnown = ({ cause }) => cause !== "conflict";
  const side = (fields) => sideOf(withId(fields, change.id), (address) => address);
  return { before: side(fieldsWith(change, left, isKnown)), after: side(fieldsWith(change, beforeOf)) };
}
var getsId = /* @__PURE__ */ new Set(["create", "replace"]);
var unknown = { $result: 0, path: ["id"] };
var wasThere = ({ action }) => action !== "create";
var isLetGo = ({ action, fields }) => action === "forget" || action === "release" && !fields.some(({ cause }) => cause === "released");
var staysThere = (change) => change.action !== "delete" && !isLetGo(change);
var before = (change) => change.action === "delete" && change.before ? change.before.fields : wholeWith(change, beforeOf);
var wholeWith = (change, side) => merged(change.action === "replace" && side === afterOf ? {} : besideOf(change), fieldsWith(change, side));
var merged = (one, other) => {
  const all = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const there = Object.hasOwn(one, name) ? one[name] : void 0;
    const isInside = isPlainObject(there) && isPlainObject(value) && !isHole(value);
    put(all, name, isInside ? merged(there, value) : value);
  }
  return all;
};
var fieldsWith = (change, side, isKnown = () => true) => fieldsOf([
  ...keptOf(change),
  ...change.fields.filter(isKnown).map((field) => [field.path, hidden(field, side(field), wasThere(change))])
]);
var withId = (fields, id) => id === void 0 || Object.hasOwn(fields, "id") ? fields : { ...fields, id };
var stays = ({ cause }) => cause === "recorded" || cause === "released";
var beforeOf = (field) => field.before ?? (stays(field) ? field.after : void 0) ?? null;
var afterOf = (field) => field.after ?? (stays(field) ? field.before : void 0) ?? null;
function hidden(field, value, isThere) {
  const { secret, before: before2, after } = field;
  const isWritten = isThere && asksForWrite(field) && value === afterOf(field);
  const mark = isWritten ? anotherSecret : aSecret;
  if (secret || [before2, after].some(isSecret)) return mark;
  const marked = mapTree(
    value,
    (one) => one instanceof Sealed || isSecret(one) ? mark : isHole(one) ? one : inside
  );
  return marked;
}
var aSecret = new Sealed("");
var anotherSecret = new Sealed("");
var secretMarks = { same: "(secret)", changed: "(secret, changed)" };
function sideOf(value, idOf) {
  if (value instanceof Sealed || isSecret(value)) {
    const mark = value === anotherSecret ? secretMarks.changed : secretMarks.same;
    return { value: mark, unknown: false, sensitive: true };
  }
  if (isHole(value)) {
    const known = isRef(value) ? idBehind(value, idOf) : isJoin(value) ? joined(value.$join, idOf) : void 0;
    return { value: known, unknown: known === void 0, sensitive: false };
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => sideOf(item, idOf));
    return {
      value: items.map((item) => item.value ?? null),
      unknown: items.map(({ unknown: unknown2 }) => unknown2),
      sensitive: items.map(({ sensitive }) => sensitive)
    };
  }
  if (!isPlainObject(value)) return { value: value ?? null, unknown: false, sensitive: false };
  const names = Object.keys(value).filter((name) => value[name] !== void 0).sort();
  const members = names.map((name) => [name, sideOf(value[name], idOf)]);
  const marks = (which) => Object.fromEntries(
    members.flatMap(([name, side]) => side[which] === false ? [] : [[name, side[which]]])
  );
  return {
    value: Object.fromEntries(
      members.flatMap(([name, { value: value2 }]) => value2 === void 0 ? [] : [[name, value2]])
    ),
    unknown: marks("unknown"),
    sensitive: marks("sensitive")
  };
}
var isMarked = (marks) => typeof marks === "object" ? Object.values(marks).some(isMarked) : marks;
var idBehind = ({ $ref, attr }, idOf) => attr === "id" ? idOf($ref) : void 0;
function joined(pieces, idOf) {
  const known = pieces.map((piece) => sideOf(piece, idOf).value);
  return known.includes(void 0) ? void 0 : known.map(String).join("");
}
function placeOf(kind, address) {
  const [section, root = section] = address.split("/");
  const type = `trueup_${kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  const name = unescapeName(root).replace(/[^\w-]/g, "_").replace(/^(?![a-z_])/i, "_");
  return { address: `${type}.${name}[${JSON.stringify(address)}]`, type, name, index: address };
}
function uiResource({ kind, address }) {
  const place = placeOf(kind, address);
  return {
    addr: place.address,
    module: "",
    resource: place.address,
    implied_provider: "trueup",
    resource_type: place.type,
    resource_name: place.name,
    resource_key: place.index
  };
}

// src/report/terraform/resource-change.ts
var providerName = "terraform.io/builtin/trueup";
function sendingIn(plan) {
  const carriers = carriersIn(plan);
  return ({ address }) => {
    const own = carriers.get(address) ?? [];
    return { isSent: own.length > 0, createsFirst: createsFirst(own) };
  };
}
var resourceChange = (change, sides, sending) => ({
  ...head(change),
  change: {
    ...changeOf(actionsOf(change, sending), sides),
    ...change.action === "replace" && change.fields.length > 0 ? { replace_paths: replacePaths(change) } : {},
    ...change.action === "adopt" && change.id !== void 0 ? { importing: { id: change.id } } : {}
  },
  ...reason(change),
  trueup: { ...changeJson(change), declared: declaredOf(change) }
});
var declaredOf = ({ declared = [], uncompared = [], fields, action }) => action === "delete" ? [] : [.../* @__PURE__ */ new Set([...declared, ...uncompared, ...fields.map(({ path }) => path)])].sort();
var resourceDrift = (change) => ({
  ...head(change),
  change: isGone(change) ? changeOf(["delete"], { before: { value: {}, unknown: false, sensitive: {} }, after: null }) : changeOf(["update"], driftOf(change))
});
var hasDrift = (change) => isGone(change) || change.fields.some(({ cause }) => cause === "drift" || cause === "conflict");
var isGone = ({ outside, action, id }) => outside === true && action === "create" && id === void 0;
function actionsOf(change, { isSent, createsFirst: createsFirst2 }) {
  if (isLetGo(change)) return ["forget"];
  switch (change.action) {
    case "create":
      return ["create"];
    case "update":
    case "move":
      return ["update"];
    case "adopt":
      return isSent ? ["update"] : ["no-op"];
    case "delete":
      return ["delete"];
    case "replace":
      return createsFirst2 ? ["create", "delete"] : ["delete", "create"];
    default:
      return ["no-op"];
  }
}
function reasonOf(change) {
  if (change.action === "replace")
    return change.fields.length > 0 ? "replace_because_cannot_update" : "replace_because_tainted";
  return change.action === "delete" || isLetGo(change) ? "delete_because_no_resource_config" : void 0;
}
var reason = (change) => {
  const action_reason = reasonOf(change);
  return action_reason === void 0 ? {} : { action_reason };
};
function head({ kind, address, claims }) {
  const { address: terraformAddress, type, name, index } = placeOf(kind, address);
  return {
    address: terraformAddress,
    ...claims === void 0 ? {} : { previous_address: placeOf(kind, claims).address },
    mode: "managed",
    type,
    name,
    index,
    provider_name: providerName
  };
}
var changeOf = (actions, { before: before2, after }) => ({
  actions,
  before: before2?.value ?? null,
  after: after?.value ?? null,
  after_unknown: after && isMarked(after.unknown) ? after.unknown : {},
  before_sensitive: marksOf(before2),
  after_sensitive: marksOf(after)
});
var marksOf = (side) => side?.sensitive ?? false;
function replacePaths({ fields }) {
  const replacing = fields.filter(({ replaces }) => replaces);
  return (replacing.length > 0 ? replacing : fields).map(({ path }) => namesIn(path));
}
function countsOf({ changes, operations }) {
  const sending = sendingIn({ operations });
  const counts = { add: 0, change: 0, import: 0, remove: 0 };
  for (const change of changes) {
    const actions = actionsOf(change, sending(change));
    if (actions.includes("create")) counts.add++;
    if (actions.includes("update")) counts.change++;
    if (actions.includes("delete")) counts.remove++;
    if (change.action === "adopt") counts.import++;
  }
  return counts;
}
var countsText = (counts) => `Plan: ${counts.import > 0 ? `${counts.import} to import, ` : ""}${counts.add} to add, ${counts.change} to change, ${counts.remove} to destroy.`;

return{sidesIn:sidesIn,placeOf:placeOf,uiResource:uiResource,providerName:providerName,sendingIn:sendingIn,resourceChange:resourceChange,resourceDrift:resourceDrift,hasDrift:hasDrift,isGone:isGone,actionsOf:actionsOf,reasonOf:reasonOf,countsOf:countsOf,countsText:countsText};})();exports.part_U56CU4BQ=part_U56CU4BQ;
const part_4H7KEJBJ=(()=>{const {
  hasDrift,
  placeOf,
  providerName,
  resourceChange,
  resourceDrift,
  sendingIn,
  sidesIn
}=part_U56CU4BQ;const {
  terraformVersion
}=require("./part-80.cjs").part_C3KGDUFB;const {
  isEmpty
}=require("./part-80.cjs").part_YAMT22MG;const {
  actionJson,
  diagnosticJson
}=require("./part-88.cjs").part_IIODRIIT;const {
  summaryOf
}=require("./part-106.cjs").part_LKZTNYVU;const {
  keptOf
}=require("./part-106.cjs").part_HLUFGGLM;const {
  byAddress
}=require("./part-106.cjs").part_BACZRMMV;const {
  byKey,
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  holesIn,
  isRef,
  namesIn
}=require("./part-80.cjs").part_DGIOX4B4;const {
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
;
;
;

// src/report/terraform/terraform-plan.ts
var noTime = "1970-01-01T00:00:00Z";
function terraformPlan(given) {
  const plan = asTerraformHasIt(given);
  const changes = plan.changes.map((change) => ({ change, at: placeOf(change.kind, change.address).address })).sort((a, b) => a.at < b.at ? -1 : 1).map(({ change }) => change);
  const sides = sidesIn(plan);
  const sending = sendingIn(plan);
  const before = changes.flatMap(
    (change) => change.id === void 0 ? [] : valuesOf(change, sides(change).before)
  );
  const after = changes.flatMap((change) => valuesOf(change, sides(change).after));
  const drifted = changes.filter(hasDrift);
  const errored = hasErrors(plan.diagnostics);
  const isEmpty2 = isEmpty(plan);
  return {
    format_version: "1.2",
    terraform_version: terraformVersion,
    variables: {},
    planned_values: { root_module: moduleOf(after) },
    ...drifted.length > 0 ? { resource_drift: drifted.map(resourceDrift) } : {},
    resource_changes: changes.map((change) => resourceChange(change, sides(change), sending(change))),
    output_changes: {},
    ...before.length > 0 ? { prior_state: stateOf(before) } : {},
    configuration: configuration(
      changes.filter((change) => sides(change).after),
      changes
    ),
    timestamp: noTime,
    applyable: !errored && !isEmpty2,
    complete: plan.complete && !plan.partial && !errored,
    errored,
    trueup: {
      stack: plan.stack,
      summary: summaryOf(given),
      unmanaged: [...plan.unmanaged].sort(byAddress).map(({ address, kind }) => ({ address, kind })),
      ...definedOnly({
        actions: plan.actions?.map(actionJson),
        unlisted: plan.unlisted,
        waiting: plan.waiting
      }),
      diagnostics: plan.diagnostics.map(diagnosticJson)
    }
  };
}
var moduleOf = (resources) => resources.length === 0 ? {} : { resources };
var stateOf = (resources) => ({
  format_version: "1.0",
  terraform_version: terraformVersion,
  values: { root_module: moduleOf(resources) }
});
function valuesOf({ kind, address: own }, side) {
  if (!side) return [];
  const { address, type, name, index } = placeOf(kind, own);
  return [
    {
      address,
      mode: "managed",
      type,
      name,
      index,
      provider_name: providerName,
      schema_version: 0,
      values: side.value,
      sensitive_values: side.sensitive
    }
  ];
}
function configuration(declared, all) {
  const kinds = new Map(all.map(({ address, kind }) => [address, kind]));
  const referencesTo = (address) => {
    const kind = kinds.get(address);
    if (kind === void 0) return [];
    const place = placeOf(kind, address);
    return [place.address, `${place.type}.${place.name}`];
  };
  const blocks = groupBy(declared, ({ kind, address }) => {
    const { type, name } = placeOf(kind, address);
    return `${type}.${name}`;
  });
  return {
    provider_config: { trueup: { name: "trueup", full_name: providerName } },
    root_module: blocks.size === 0 ? {} : { resources: [...blocks].map(([address, changes]) => block(address, changes, referencesTo)) }
  };
}
function block(address, changes, referencesTo) {
  const [{ kind, address: first }] = changes;
  const { type, name } = placeOf(kind, first);
  const parents = changes.flatMap(
    ({ parent }) => parent === void 0 ? [] : referencesTo(parent).slice(1)
  );
  return {
    address,
    mode: "managed",
    type,
    name,
    provider_config_key: "trueup",
    expressions: expressions(changes, referencesTo),
    schema_version: 0,
    ...parents.length > 0 ? { depends_on: [...new Set(parents)] } : {}
  };
}
function expressions(changes, referencesTo) {
  const references = /* @__PURE__ */ new Map();
  for (const [path, value] of changes.flatMap(leavesOf))
    for (const hole of holesIn(value).filter(isRef)) {
      const field = namesIn(path)[0];
      const [place, ...blocks] = referencesTo(hole.$ref);
      const found = references.get(field) ?? /* @__PURE__ */ new Set();
      if (place !== void 0) for (const one of [`${place}.${hole.attr}`, place, ...blocks]) found.add(one);
      if (found.size > 0) references.set(field, found);
    }
  const sorted = [...references].sort(byKey);
  return Object.fromEntries(sorted.map(([field, found]) => [field, { references: [...found] }]));
}
var leavesOf = (change) => [
  ...keptOf(change),
  ...change.fields.map(({ path, after }) => [path, after])
];
var asTerraformHasIt = (plan) => ({
  ...plan,
  changes: plan.changes.filter(({ action, renews }) => !(renews && action === "forget")).map((change) => change.renews ? { ...change, action: "noop" } : change)
});

return{terraformPlan:terraformPlan,asTerraformHasIt:asTerraformHasIt};})();exports.part_4H7KEJBJ=part_4H7KEJBJ;
const part_UC4YBZOG=(()=>{const {
  asTerraformHasIt
}=part_4H7KEJBJ;const {
  actionsOf,
  countsOf,
  countsText,
  hasDrift,
  isGone,
  reasonOf,
  sendingIn,
  uiResource
}=part_U56CU4BQ;const {
  waitingTexts,
  waitingTitle
}=require("./part-88.cjs").part_Y562VKV4;const {
  diagnosticLine,
  logLine,
  uiLine
}=require("./part-80.cjs").part_C3KGDUFB;const {
  byAddress
}=require("./part-106.cjs").part_BACZRMMV;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;;
;
;
;
;
;

// src/report/terraform/plan-lines.ts
function planLines(given) {
  const plan = asTerraformHasIt(given);
  const sending = sendingIn(plan);
  const counts = countsOf(plan);
  return [
    ...plan.changes.filter(hasDrift).map((change) => {
      const action = isGone(change) ? "delete" : "update";
      return uiLine("resource_drift", `${change.address}: Drift detected (${action})`, {
        change: { resource: uiResource(change), action }
      });
    }),
    ...plan.changes.flatMap((change) => plannedLine(change, sending(change))),
    uiLine("change_summary", countsText(counts), { changes: { ...counts, operation: "plan" } }),
    ...waitingTexts(plan).map(({ name, text }) => logLine(`${waitingTitle}: ${name}: ${text}`)),
    ...plan.diagnostics.map(diagnosticLine)
  ];
}
function plannedLine(change, sending) {
  const action = plannedAction(change, sending);
  if (action === void 0) return [];
  const reason = reasonOf(change)?.replace("replace_because_", "");
  return [
    uiLine("planned_change", `${change.address}: Plan to ${action}`, {
      change: {
        resource: uiResource(change),
        action,
        ...reason === void 0 ? {} : { reason },
        ...change.action === "adopt" ? { importing: { id: change.id ?? "" } } : {}
      }
    })
  ];
}
function plannedAction(change, sending) {
  const [action, second] = actionsOf(change, sending);
  if (second) return "replace";
  if (action === "forget") return "remove";
  if (action === "no-op") return change.action === "adopt" ? "import" : void 0;
  return action;
}
function markerLines(given) {
  const plan = asTerraformHasIt(given);
  const sending = sendingIn(plan);
  const lines = [...plan.changes].sort(byAddress).flatMap((change) => linesOf(change, sending(change)));
  if (lines.length === 0) return "";
  return [
    countsText(countsOf(plan)),
    "",
    "Terraform will perform the following actions:",
    "",
    ...lines.map((line) => `  # ${line}`)
  ].join("\n");
}
function linesOf(change, sending) {
  const address = cleanLine(change.address);
  const [action, second] = actionsOf(change, sending);
  const isImport = change.action === "adopt";
  if (second) return [`${address} must be replaced`];
  switch (action) {
    case "create":
      return [`${address} will be created`];
    case "update":
      return [
        `${address} will be updated in-place`,
        ...isImport ? [`(imported from "${cleanLine(change.id ?? "")}")`] : []
      ];
    case "delete":
      return [`${address} will be destroyed`];
    case "forget":
      return [`${address} will no longer be managed, but will not be destroyed`];
    case "no-op":
      return isImport ? [`${address} will be imported`] : [];
  }
}

return{planLines:planLines,markerLines:markerLines};})();exports.part_UC4YBZOG=part_UC4YBZOG;
