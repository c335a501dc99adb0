"use strict";const part_HBWHGLK5=(()=>{const {
  isSignature,
  keyedDigest,
  signature,
  signerOf
}=require("./part-32.cjs").part_FIZFKDRW;const {
  _enum,
  array,
  boolean,
  custom,
  int,
  literal,
  record,
  strictObject,
  string,
  union
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  permissions
}=require("./part-106.cjs").part_DT2CDXHV;const {
  actionStates
}=require("./part-80.cjs").part_R4CIL4FR;const {
  actions,
  fieldCauses,
  grades,
  undoable
}=require("./part-106.cjs").part_HLUFGGLM;const {
  digest
}=require("./part-85.cjs").part_SJG7KYTO;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  fieldsOf,
  holesIn,
  isHole,
  isJoin,
  isLookupRef,
  isPlainObject,
  isRef,
  isResult,
  isSecret,
  isSecretRef,
  mapHoles
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  holds,
  inside
}=require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
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

// src/approval/encode.ts
function concealWith(key, salt, secrets) {
  const open = (hole) => {
    if (hole instanceof Sealed || !isHole(hole)) return hole;
    if (isSecretRef(hole)) return secrets.get(hole.$secret);
    return isJoin(hole) ? { $join: hole.$join.map((piece) => mapHoles(piece, open)) } : hole;
  };
  return (place2, value) => {
    const isMissing = holesIn(value).some((hole) => "$secret" in hole && !secrets.has(hole.$secret));
    return key && !isMissing ? keyedDigest(key, `${salt}
${place2}`, mapHoles(value, open)) : null;
  };
}
function encode(value, place2, conceal) {
  if (value instanceof Sealed)
    return value.secretName === void 0 ? { $sealed: conceal(place2, value) } : { $secret: value.secretName, digest: conceal(place2, value) };
  if (isHole(value)) return encodeHole(value, place2, conceal);
  if (Array.isArray(value)) return value.map((item, index) => encode(item, `${place2}/${index}`, conceal));
  if (!isPlainObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value).filter(([, item]) => item !== void 0).map(([name, item]) => [
      name.startsWith("$") ? `$${name}` : name,
      encode(item, `${place2}/${name}`, conceal)
    ])
  );
}
function encodeHole(hole, place2, conceal) {
  if (isRef(hole)) return { $ref: hole.$ref, attr: hole.attr };
  if (isSecretRef(hole)) return { $secret: hole.$secret, digest: conceal(place2, hole) };
  if (isLookupRef(hole)) return { $lookup: hole.$lookup, attr: hole.attr };
  if (isResult(hole)) return { $result: hole.$result, path: hole.path };
  if (!isSecret(hole))
    return { $join: hole.$join.map((piece, index) => encode(piece, `${place2}/${index}`, conceal)) };
  const names = holesIn(hole).flatMap((inner) => "$secret" in inner ? [inner.$secret] : []);
  return { $secrets: names, digest: conceal(place2, hole) };
}
function decode(value) {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== "object" || value === null) return value;
  if ("$sealed" in value) return new Sealed("");
  if ("$secret" in value) return { $secret: value.$secret };
  if ("$secrets" in value)
    return { $join: [new Sealed(""), ...value.$secrets.map(($secret) => ({ $secret }))] };
  if ("$ref" in value || "$result" in value || "$lookup" in value) return { ...value };
  if ("$join" in value) return { $join: decode(value.$join) };
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name.startsWith("$$") ? name.slice(1) : name, decode(item)])
  );
}
var isUncompared = (value) => holds(value, (one) => {
  if (typeof one !== "object" || one === null) return false;
  if (Array.isArray(one)) return inside;
  if ("$sealed" in one) return one.$sealed === null;
  return "$secret" in one || "$secrets" in one ? one.digest === null : inside;
});
var isText = (value) => typeof value === "string";
var isDigest = (value) => value === null || isText(value);
var isTexts = (value) => Array.isArray(value) && value.every(isText);
var holes = {
  $sealed: { $sealed: isDigest },
  $secret: { $secret: isText, digest: isDigest },
  $secrets: { $secrets: isTexts, digest: isDigest },
  $ref: { $ref: isText, attr: isText },
  $lookup: { $lookup: isText, attr: isText },
  $result: { $result: Number.isInteger, path: Array.isArray },
  $join: { $join: (value) => Array.isArray(value) && value.every(isEncoded) }
};
function isEncoded(value) {
  if (Array.isArray(value)) return value.every(isEncoded);
  if (typeof value !== "object") return value !== void 0;
  if (value === null) return true;
  const hole = Object.keys(value).find((name) => /^\$(?!\$)/.test(name));
  if (hole === void 0) return Object.values(value).every(isEncoded);
  const members = Object.hasOwn(holes, hole) ? holes[hole] : void 0;
  return members !== void 0 && Object.keys(value).length === Object.keys(members).length && Object.entries(members).every(([name, fits]) => fits(value[name]));
}

// src/approval/saved-plan.ts
var flag = literal(true).optional();
var globs = array(string()).optional();
var shapingOptions = strictObject({
  target: globs,
  exclude: globs,
  delete: globs,
  sendUnverified: globs,
  maxDeletions: int().min(0).optional(),
  ignoreDraft: flag,
  adoptRenamed: flag,
  fewerInputs: flag,
  overwriteConflicts: flag,
  allow: array(_enum(permissions)).optional(),
  allowIncomplete: flag,
  /** No action follows. */
  actions: literal(false).optional()
});
var encoded = custom(isEncoded, "is not a valid plan value");
var place = strictObject({
  file: string(),
  line: int(),
  column: int(),
  text: string().optional(),
  caret: int().optional()
});
var field = strictObject({
  path: string(),
  before: encoded.optional(),
  after: encoded.optional(),
  cause: _enum(fieldCauses),
  replaces: flag,
  secret: flag
});
var change = strictObject({
  address: string(),
  kind: string(),
  action: _enum(actions),
  id: string().optional(),
  parent: string().optional(),
  needs: array(string()).optional(),
  reason: string().optional(),
  outside: flag,
  grade: _enum(grades),
  gradeReason: string().optional(),
  permissions: array(_enum(permissions)).optional(),
  exclusive: flag,
  moves: flag,
  anew: flag,
  renews: flag,
  undo: strictObject({ can: _enum(undoable), lost: array(string()).optional(), why: string().optional() }).optional(),
  fields: array(field),
  /** The declared fields that stay as they are, by path. */
  kept: record(string(), encoded).optional(),
  /** The members of the found object beside the declared fields: for policies, which judge the whole. */
  beside: record(string(), encoded).optional(),
  /** The deleted objects, as they were found. */
  deleted: record(string(), encoded).optional(),
  at: place.optional()
});
var request = strictObject({
  endpoint: custom((value) => /^(GET|POST|PUT|PATCH|DELETE) \//.test(String(value))),
  params: record(string(), encoded).optional(),
  body: encoded.optional()
});
var operation = strictObject({
  id: string(),
  kind: string(),
  parent: string().optional(),
  changes: array(string()),
  dependsOn: array(string()),
  requests: array(request)
});
var action = strictObject({
  id: string(),
  action: string(),
  about: string().optional(),
  input: record(string(), encoded),
  grade: _enum(grades),
  gradeReason: string().optional(),
  after: array(string()),
  from: array(string()),
  state: _enum(actionStates),
  why: string().optional(),
  starts: string().optional(),
  wait: int().optional(),
  /** The run that owes it. */
  owed: string().optional(),
  request: request.optional()
});
var diagnostic = strictObject({
  severity: _enum(["error", "warning"]),
  code: string(),
  message: string(),
  hint: string().optional(),
  address: string().optional(),
  at: place.optional(),
  related: array(strictObject({ message: string(), at: place })).optional()
});
var mark = union([string(), strictObject({ secret: string().nullable() })]);
var basis = strictObject({
  address: string(),
  ids: array(string()),
  wanted: record(string(), mark).optional(),
  found: record(string(), mark)
});
var savedPlan = strictObject({
  format: literal("trueup plan"),
  formatVersion: literal(2),
  stack: string(),
  baseUrl: string(),
  owner: string(),
  /** Whose account it is, for people: `owner` is what counts, and a team may be renamed. */
  account: strictObject({
    type: _enum(["team", "personal"]),
    name: string(),
    baseUrl: string().optional()
  }).optional(),
  /** The generation of the ledger that it was made on: an older one is not the ledger any more. */
  generation: int().min(0),
  options: shapingOptions,
  complete: boolean(),
  partial: flag,
  changes: array(change),
  operations: array(operation),
  /** The actions that follow the changes. The account decides then which of them are sent. */
  actions: array(action).optional(),
  unmanaged: array(strictObject({ kind: string(), address: string() })),
  unlisted: array(string()).optional(),
  /** The objects that were not ready: they may be by now. */
  waiting: array(
    strictObject({
      address: string(),
      why: string(),
      minutes: int().optional(),
      failed: flag
    })
  ).optional(),
  /** The person behind a change outside, as the platform said. */
  changedBy: array(
    strictObject({
      address: string(),
      who: string(),
      when: string(),
      through: string().optional()
    })
  ).optional(),
  diagnostics: array(diagnostic),
  /** The guards that allowed it. It is judged again before it is done, and by nothing less. */
  guards: strictObject({
    file: string().optional(),
    digest: string().optional(),
    checks: array(string()).optional(),
    verdict: _enum(["allowed", "refused"])
  }).optional(),
  /** The origins of secrets and variables. */
  sources: array(
    strictObject({
      name: string(),
      source: string(),
      since: _enum(["new", "changed"]).optional(),
      before: string().optional()
    })
  ).optional(),
  basis: array(basis),
  /** The id of the key behind the seal and the digests of secrets; without it no secret was compared. */
  key: string().optional(),
  /** The salt of the digests; made from all that is no digest, so that equal plans have equal files. */
  salt: string(),
  /** A signature of all the above: only who has the key can make one. */
  seal: string().optional(),
  /** A digest of all the above, for a file that was cut off or damaged. */
  checksum: string()
});

// src/approval/parse-saved-plan.ts
var isSavedPlan = (text) => /^\s*\{\s*"format"\s*:\s*"trueup plan"/.test(text);
function parseSavedPlan(text, place2) {
  const refuse = (code, message, hint) => new Problems([problem(code, `${place2}: ${message}`, { hint })]);
  const again = "create a new plan with `trueup plan --out FILE` and have it approved";
  const json = parsed(text);
  const { format, formatVersion, checksum } = json ?? {};
  if (json === void 0 && isSavedPlan(text))
    throw refuse("approval/damaged", "this plan is truncated or damaged: it is not valid JSON", again);
  if (format !== "trueup plan")
    throw refuse(
      "approval/not-a-plan",
      "this is not a saved plan",
      "pass a file written by `trueup plan --out FILE`; name a configuration with --file"
    );
  if (formatVersion === 1)
    throw refuse("approval/older", "this plan was saved by an older trueup with a different seal", again);
  if (typeof formatVersion === "number" && formatVersion > 2)
    throw refuse(
      "approval/newer",
      `this plan was saved by a newer version of trueup (format ${formatVersion})`,
      "upgrade trueup"
    );
  const result = savedPlan.safeParse(json);
  const [issue] = result.error?.issues ?? [];
  if (!result.success)
    throw refuse(
      "approval/damaged",
      `this plan was damaged or edited: ${placeOf(issue)} is not in the form trueup writes`,
      again
    );
  if (checksum !== checksumOf(json))
    throw refuse("approval/damaged", "this plan was damaged or edited: its checksum does not match", again);
  return result.data;
}
function placeOf(issue) {
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys : [];
  return [...issue?.path ?? [], ...unknown].map(String).join(".") || "the document";
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
function signed(body, key) {
  const sealed = key ? { ...body, seal: signature(key, "plan", sealedText(body)) } : body;
  return { ...sealed, checksum: checksumOf(sealed) };
}
function checksumOf({ checksum: _, ...rest }) {
  return digest("trueup plan", rest);
}
var sealedText = ({ seal: _, checksum: __, ...rest }) => canonical(rest);
function sealing(saved, key) {
  if (saved.key === void 0 || saved.seal === void 0) return { state: "none" };
  const signer = signerOf(key, saved.key);
  if (!signer) return { state: "unknown", key: saved.key };
  const isIntact = isSignature(saved.seal, signer, "plan", sealedText(saved));
  return { state: isIntact ? "sealed" : "broken", key: saved.key };
}
var shownPlan = ({ stack, account, complete, partial, ...saved }) => ({
  stack,
  ...account ? { account } : {},
  complete,
  ...partial ? { partial } : {},
  changes: saved.changes.map(changeOf),
  operations: saved.operations.map(
    ({ requests, ...operation2 }) => ({ ...operation2, requests: requests.map(requestOf) })
  ),
  ...saved.actions ? { actions: saved.actions.map(actionOf) } : {},
  unmanaged: saved.unmanaged.map((one) => ({ ...one, id: "" })),
  ...saved.unlisted ? { unlisted: saved.unlisted } : {},
  ...saved.waiting ? { waiting: saved.waiting } : {},
  ...saved.changedBy ? { changedBy: saved.changedBy } : {},
  diagnostics: saved.diagnostics,
  ...saved.guards ? { guards: saved.guards } : {},
  ...saved.sources ? { sources: saved.sources } : {}
});
var requestOf = ({ endpoint, params, body }) => ({
  endpoint,
  ...params ? { params: decode(params) } : {},
  ...body === void 0 ? {} : { body: decode(body) }
});
var actionOf = ({ input, request: request2, owed, ...one }) => ({
  ...one,
  input: decode(input),
  ...request2 ? { request: requestOf(request2) } : {},
  // Of the debt a file knows only the run.
  ...owed === void 0 ? {} : { owed: { action: one.action, input: {}, from: one.from, since: "", run: owed } }
});
var changeOf = ({ deleted, beside, kept, fields, ...change2 }) => ({
  ...change2,
  fields: fields.map(
    ({ before, after, ...field2 }) => ({
      ...field2,
      ...before === void 0 ? {} : { before: decode(before) },
      ...after === void 0 ? {} : { after: decode(after) }
    })
  ),
  ...kept ? { declared: Object.keys(kept), after: wantedOf(change2, kept) } : {},
  ...deleted || beside ? { before: objectOf(change2, deleted ?? beside) } : {}
});
var wantedOf = ({ address, kind, at }, kept) => ({
  address,
  kind,
  fields: fieldsOf(Object.entries(kept).map(([path, value]) => [path, decode(value)])),
  meta: {},
  index: 0,
  at: at ?? { file: "", line: 0, column: 0 }
});
var objectOf = ({ address, kind, id = "" }, fields) => ({
  address,
  kind,
  id,
  ids: [id],
  index: 0,
  fields: decode(fields)
});

return{concealWith:concealWith,encode:encode,decode:decode,isUncompared:isUncompared,shapingOptions:shapingOptions,savedPlan:savedPlan,isSavedPlan:isSavedPlan,parseSavedPlan:parseSavedPlan,signed:signed,sealing:sealing,shownPlan:shownPlan};})();exports.part_HBWHGLK5=part_HBWHGLK5;
const part_LBJ4LO3O=(()=>{const {
  concealWith,
  encode,
  isUncompared,
  shapingOptions,
  signed
}=part_HBWHGLK5;const {
  collectionId
}=require("./part-106.cjs").part_DT2CDXHV;const {
  besideOf,
  keptOf
}=require("./part-106.cjs").part_HLUFGGLM;const {
  digest
}=require("./part-85.cjs").part_SJG7KYTO;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  atPath,
  holdsSecret,
  isHole,
  isJoin,
  isSecret
}=require("./part-80.cjs").part_DGIOX4B4;const {
  definedOnly
}=require("./part-80.cjs").part_YNHFC6K5;;
;
;
;
;
;
;
;

// src/approval/compare-approval.ts
var isOfThePlan = ({ code }) => code !== "ledger/ephemeral" && !code.startsWith("guards/");
function approvedPart(plan) {
  const {
    changes,
    actions,
    diagnostics,
    sources = [],
    unmanaged: _,
    unlisted: ______,
    waiting: ________,
    changedBy: _________,
    guards: __________,
    account: __,
    ...rest
  } = plan;
  const { key: ___, seal: ____, checksum: _____, generation: _______, ...compared } = rest;
  return {
    ...compared,
    changes: changes.map(unplaced),
    ...actions ? { actions: actions.map(agreedAction) } : {},
    // Not what the ledger remembered of them.
    sources: sources.map(({ name, source }) => [name, source]),
    diagnostics: diagnostics.filter(isOfThePlan).map(unplaced)
  };
}
var agreedAction = ({
  id,
  action,
  about,
  input,
  grade,
  state
}) => ({
  ...{ id, action, about, input, grade },
  isLeft: state === "left"
});
function unplaced(one) {
  const { at: _, undo: __, renews: ___, beside: ____, related, ...rest } = one;
  return related ? { ...rest, related: related.map(({ message }) => ({ message })) } : rest;
}
var isSame = (one, other) => canonical(one) === canonical(other);
var isApproved = (approved, current) => isSame(approvedPart(approved), approvedPart(current));
function isRest(approved, current) {
  const basisOf2 = new Map(approved.basis.map((basis) => [basis.address, basis]));
  const changeOf2 = new Map(approved.changes.map((change) => [change.address, change]));
  const operationOf2 = new Map(approved.operations.map((operation) => [operation.id, operation]));
  const left = new Set(current.basis.map(({ address }) => address));
  const untouched = new Set(
    current.changes.flatMap((change) => {
      const before = changeOf2.get(change.address);
      return before && isSame(unplaced(before), unplaced(change)) ? [change.address] : [];
    })
  );
  const sent = new Set(current.operations.flatMap(({ changes }) => changes));
  const isHeard = (address) => {
    const before = changeOf2.get(address);
    return before !== void 0 && before.action !== "noop" && !sent.has(address);
  };
  return isSame(headOf(approved), headOf(current)) && current.basis.every((basis) => {
    const before = basisOf2.get(basis.address);
    return untouched.has(basis.address) ? isSame(before, basis) : before !== void 0 && isSame(before.wanted, basis.wanted);
  }) && current.changes.every(
    ({ address, action }) => action === "noop" || untouched.has(address) || isHeard(address)
  ) && (current.actions ?? []).every(
    (one) => one.state === "over" || approved.actions?.some((other) => isSame(agreedAction(other), agreedAction(one)))
  ) && approved.changes.every(({ address, action }) => left.has(address) || goesBy.has(action)) && current.operations.every(({ dependsOn, ...operation }) => {
    const { dependsOn: before = [], ...rest } = operationOf2.get(operation.id) ?? {};
    return isSame(rest, operation) && dependsOn.every((id) => before.includes(id));
  }) && current.diagnostics.filter(isOfThePlan).every((one) => approved.diagnostics.some((other) => isSame(unplaced(other), unplaced(one))));
}
var goesBy = /* @__PURE__ */ new Set(["delete", "forget", "release"]);
var headOf = ({ stack, baseUrl, owner, options, complete, partial }) => ({
  stack,
  baseUrl,
  owner,
  options,
  complete,
  partial
});
var place = "$place";
function placesOf(changes, kinds) {
  const ordered = changes.filter(({ kind, before }) => before && kinds.get(kind)?.shape.orderDecides);
  const lists = groupBy(ordered, ({ kind, parent }) => collectionId(kind, parent)).values();
  return new Map(
    [...lists].flatMap((list) => {
      const items = list.sort((a, b) => a.before.index - b.before.index);
      return items.map(({ address }, index) => [address, items[index - 1]?.address ?? null]);
    })
  );
}
function basisOf(change, salt, conceal, places) {
  const { address, action, before, after, declared = [], uncompared: uncompared2 = [] } = change;
  const mark = (place2, value) => holdsSecret(value) ? { secret: conceal(`${address}#${place2}`, value) } : digest(`${salt}
${address}#${place2}`, value ?? null);
  const marks = (side, values) => Object.fromEntries(values.map(([name, value]) => [name, mark(`${side}/${name}`, value)]));
  const at = (fields, paths) => paths.map((path) => [path, atPath(fields, path)]);
  const metaOf = (meta) => Object.entries(meta).filter(([, value]) => value !== void 0).map(([name, value]) => [`$${name}`, value]);
  const whole = action === "delete" && before ? Object.entries(before.fields) : void 0;
  return {
    address,
    ids: before?.ids ?? [],
    ...after ? {
      wanted: marks("wanted", [...at(after.fields, [...declared, ...uncompared2]), ...metaOf(after.meta)])
    } : {},
    found: before ? marks("found", [
      ...whole ?? at(before.fields, declared),
      ...places.has(address) ? [[place, places.get(address)]] : []
    ]) : {}
  };
}

// src/approval/save-plan.ts
function savePlan(plan, options) {
  const { key, secrets } = options;
  const salt = options.salt ?? digest("trueup plan", approvedPart(bodyOf(plan, options, "", () => null)));
  const body = bodyOf(plan, options, salt, concealWith(key, salt, secrets));
  return signed({ ...body, ...key ? { key: key.id } : {}, salt }, key);
}
function bodyOf(plan, { baseUrl, owner, generation, options, kinds }, salt, conceal) {
  const places = placesOf(plan.changes, kinds);
  return {
    format: "trueup plan",
    formatVersion: 2,
    stack: plan.stack,
    baseUrl,
    owner,
    ...definedOnly({ account: plan.account }),
    generation,
    options,
    complete: plan.complete,
    ...plan.partial ? { partial: true } : {},
    changes: plan.changes.map((change) => changeOf(change, conceal)),
    operations: plan.operations.map((operation) => operationOf(operation, conceal)),
    ...plan.actions ? { actions: plan.actions.map((one) => actionOf(one, conceal)) } : {},
    unmanaged: plan.unmanaged.map(({ kind, address }) => ({ kind, address })),
    ...definedOnly({ unlisted: plan.unlisted, waiting: plan.waiting, changedBy: plan.changedBy }),
    diagnostics: plan.diagnostics.map(diagnosticOf),
    ...definedOnly({ guards: plan.guards, sources: plan.sources }),
    basis: plan.changes.map((change) => basisOf(change, salt, conceal, places))
  };
}
function changeOf(change, conceal) {
  const { address, kind, action, grade, before, at } = change;
  const kept = keptOf(change);
  const beside = action === "delete" ? {} : besideOf(change);
  return {
    address,
    kind,
    action,
    ...definedOnly({ id: change.id, parent: change.parent, needs: change.needs, reason: change.reason }),
    ...change.outside ? { outside: true } : {},
    grade,
    ...definedOnly({ gradeReason: change.gradeReason, permissions: change.permissions }),
    ...change.exclusive ? { exclusive: true } : {},
    ...change.moves ? { moves: true } : {},
    ...change.anew ? { anew: true } : {},
    ...change.renews ? { renews: true } : {},
    ...definedOnly({ undo: change.undo }),
    fields: change.fields.map((field) => fieldOf(field, `${address}#${field.path}`, conceal)),
    ...kept.length > 0 ? {
      kept: Object.fromEntries(
        kept.map(([path, value]) => [path, encode(value, `${address}#kept/${path}`, conceal)])
      )
    } : {},
    ...Object.keys(beside).length > 0 ? { beside: encode(beside, `${address}#beside`, conceal) } : {},
    ...action === "delete" && before ? { deleted: encode(before.fields, `${address}#deleted`, conceal) } : {},
    ...at ? { at: { file: at.file, line: at.line, column: at.column } } : {}
  };
}
function fieldOf(field, place2, conceal) {
  const { path, cause, before, after, replaces } = field;
  const side = (value, name) => value === void 0 ? {} : {
    [name]: field.secret && !isSecret(value) && !(isHole(value) && !isJoin(value)) ? { $sealed: conceal(`${place2}/${name}`, value) } : encode(value, `${place2}/${name}`, conceal)
  };
  return {
    path,
    ...side(before, "before"),
    ...side(after, "after"),
    cause,
    ...replaces ? { replaces: true } : {},
    ...field.secret ? { secret: true } : {}
  };
}
var operationOf = ({ id, kind, parent, changes, dependsOn, requests }, conceal) => ({
  id,
  kind,
  ...definedOnly({ parent }),
  changes,
  dependsOn,
  requests: requests.map((request, index) => requestOf(request, `${id}/${index}`, conceal))
});
var requestOf = ({ endpoint, params, body }, place2, conceal) => ({
  endpoint,
  ...params ? { params: encode(params, `${place2}/params`, conceal) } : {},
  ...body === void 0 ? {} : { body: encode(body, `${place2}/body`, conceal) }
});
var actionOf = ({ id, input, request, owed, ...one }, conceal) => ({
  id,
  ...one,
  input: encode(input, `${id}/input`, conceal),
  ...request ? { request: requestOf(request, `${id}/request`, conceal) } : {},
  ...owed ? { owed: owed.run ?? "an earlier run" } : {}
});
var diagnosticOf = ({ at, related, ...rest }) => ({
  severity: rest.severity,
  code: rest.code,
  message: rest.message,
  ...definedOnly({ hint: rest.hint, address: rest.address }),
  ...at ? { at: placeOf(at) } : {},
  ...related ? { related: related.map((one) => ({ message: one.message, at: placeOf(one.at) })) } : {}
});
var placeOf = ({ file, line, column, text, caret }) => ({
  file,
  line,
  column,
  ...definedOnly({ text, caret })
});
var shapingNames = Object.keys(shapingOptions.shape);
var isGiven = (name, value) => value !== void 0 && value !== (name === "actions");
var shapeOf = (options) => Object.fromEntries(
  shapingNames.map((name) => [name, options[name]]).filter(([name, value]) => isGiven(name, value)).map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value])
);
function saveSessionPlan({ ledger, owner, kinds, secrets, key }, plan, options, like) {
  const how = {
    baseUrl: ledger.baseUrl,
    owner: owner.id,
    generation: ledger.generation,
    options: shapeOf(options),
    kinds,
    secrets
  };
  if (!like) return savePlan(plan, { ...how, key });
  return savePlan(plan, { ...how, key: like.key === void 0 ? void 0 : key, salt: like.salt });
}
var uncompared = ({ operations }) => operations.filter(
  ({ requests }) => requests.some(({ params = {}, body = null }) => isUncompared(params) || isUncompared(body))
).flatMap(({ changes }) => changes);

return{agreedAction:agreedAction,unplaced:unplaced,isSame:isSame,isApproved:isApproved,isRest:isRest,place:place,shapingNames:shapingNames,isGiven:isGiven,saveSessionPlan:saveSessionPlan,uncompared:uncompared};})();exports.part_LBJ4LO3O=part_LBJ4LO3O;
const part_J2MIUYTM=(()=>{const {
  parseSavedPlan
}=part_HBWHGLK5;const {
  Conflict
}=require("./part-27.cjs").part_EN3WE5DN;;
;

// src/cli/kept-plan.ts
async function keptPlan(documents) {
  const found = await documents.read("plan");
  return found && { ...found, saved: parseSavedPlan(found.text, `the plan kept with ${documents.place}`) };
}
var keepPlan = (documents, text) => replaced(documents, async (version) => void await documents.write("plan", text, { expected: version }));
async function dropPlan(documents, digest) {
  await replaced(documents, async () => {
    const kept = await keptPlan(documents);
    if (kept?.saved.checksum === digest) await documents.remove("plan", { expected: kept.version });
  });
}
async function replaced(documents, write) {
  for (let left = 5; ; left--)
    try {
      return await write((await documents.read("plan"))?.version);
    } catch (error) {
      if (!(error instanceof Conflict) || left === 0) throw error;
    }
}

return{keptPlan:keptPlan,keepPlan:keepPlan,dropPlan:dropPlan};})();exports.part_J2MIUYTM=part_J2MIUYTM;
