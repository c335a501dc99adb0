"use strict";const part_VCZ3M53L=(()=>{const {
  plannedActions,
  withFoundFields
}=require("./part-89.cjs").part_FBETF43H;const {
  attributeIn,
  claimedByName,
  concerning,
  factsUnder,
  gathered,
  leftOut,
  match,
  noteSecrets,
  paired,
  saidTwice,
  sealLive,
  unidentifiable
}=require("./part-93.cjs").part_FJCNLGFD;const {
  isSettled,
  standardSettle,
  unsettled
}=require("./part-19.cjs").part_D3YXR7F6;const {
  respectOwners,
  takenOver
}=require("./part-89.cjs").part_JDYKD6X4;const {
  digestsOf,
  isMadeOf,
  keptAt,
  observe,
  withIds
}=require("./part-91.cjs").part_FGBDHNKO;const {
  isOfTeam,
  readOnly
}=require("./part-82.cjs").part_ITOYBHJI;const {
  asDeclared,
  same,
  sealed
}=require("./part-85.cjs").part_HRKYGKTM;const {
  contentOf,
  deletionsIn,
  holdersOf,
  idsIn,
  isAbout,
  matchesAny,
  namesIn:namesIn2,
  needsOf,
  select
}=require("./part-93.cjs").part_UFNWTKGU;const {
  isVerified,
  notVerified
}=require("./part-27.cjs").part_EN3WE5DN;const {
  makerOf,
  makerOfId
}=require("./part-32.cjs").part_FIZFKDRW;const {
  isMeant
}=require("./part-105.cjs").part_EABJC5VV;const {
  ancestorsOf,
  can,
  childKinds,
  comparedFields,
  copied,
  isHandedOver,
  isReadable,
  knownFields,
  leavesOf,
  membersOf,
  namesOf,
  parentOf,
  placesOf,
  sealUnlessClear,
  secretIdOf,
  stepOf,
  verbOf,
  without
}=require("./part-90.cjs").part_TFHCOW53;const {
  innerOf,
  once,
  shapeOf,
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;const {
  allOf,
  byCollection,
  collectionId,
  collectionParts,
  idIn,
  permissions,
  standardInput
}=require("./part-106.cjs").part_DT2CDXHV;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;const {
  createsFirst
}=require("./part-88.cjs").part_EKMGLMMC;const {
  isDrift
}=require("./part-80.cjs").part_YAMT22MG;const {
  actionId
}=require("./part-80.cjs").part_R4CIL4FR;const {
  asksForWrite,
  isHiddenSide,
  makesObject
}=require("./part-106.cjs").part_HLUFGGLM;const {
  addressOf,
  byAddress,
  escapeName,
  isWithin,
  lastNameOf,
  unescapeName
}=require("./part-106.cjs").part_BACZRMMV;const {
  hasUnknown,
  seenId
}=require("./part-85.cjs").part_SJG7KYTO;const {
  wholeAddress
}=require("./part-106.cjs").part_AQPNOW65;const {
  groupBy,
  topologicalOrder
}=require("./part-106.cjs").part_4N2HH7U7;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  atPath,
  holdsSecret,
  holesIn,
  isPlainObject,
  isRef,
  mapHoles,
  namesIn
}=require("./part-80.cjs").part_DGIOX4B4;const {
  mapMembers,
  put,
  revealed
}=require("./part-80.cjs").part_YNHFC6K5;const {
  hasErrors,
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
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/plan/budget.ts
var most = 10;
var share = 0.3;
var shareFrom = 10;
function budget(changes, losses, input, report) {
  const { ledger, options = {} } = input;
  if (options.destroy) return;
  const gone2 = goneIn(changes, losses, input);
  const byKind = groupBy(gone2, ({ kind }) => kind);
  const limit = options.maxDeletions ?? most;
  const hint = `if this is intended, run with --max-deletions ${gone2.length}`;
  const what = "would be deleted, replaced or recreated";
  if (gone2.length > limit) {
    const counts = [...byKind].map(([kind, of]) => `${of.length} ${kind}`).sort();
    report(
      problem(
        "guard/deletions",
        `${gone2.length} objects ${what} (${counts.join(", ")}); the limit is ${limit}`,
        { hint }
      )
    );
  }
  if (options.maxDeletions !== void 0) return;
  for (const [kind, of] of byKind) {
    const ours = new Set(
      Object.entries(ledger.entries).filter(([, one]) => one.kind === kind && !one.existing).map(([address]) => wholeIn(address, input))
    ).size;
    if (ours >= shareFrom && of.length > ours * share)
      report(
        problem(
          "guard/share",
          `${of.length} of ${ours} ${kind} objects ${what}; the limit is 30 % of a kind`,
          { hint }
        )
      );
  }
}
function wholeIn(address, { ledger, live }) {
  const whole2 = wholeAddress(address);
  if (whole2 === address) return address;
  const ids = ledger.entries[address]?.ids ?? live.resources.get(address)?.ids;
  return ids ? `${whole2} ${ids.join(" ")}` : address;
}
function goneIn(changes, losses, input) {
  const { kinds, ledger, live } = input;
  const kindOf = ({ kind }) => kinds.get(kind);
  const isRecreated = ({ address, action }) => action === "create" && ledger.entries[address] !== void 0 && !ledger.entries[address].existing;
  const recreated2 = changes.filter(isRecreated);
  const containers = recreated2.filter((change) => kindOf(change).lifecycle.container);
  const gone2 = /* @__PURE__ */ new Map();
  const add = (address, kind) => {
    const whole2 = wholeIn(address, input);
    if (!gone2.has(whole2)) gone2.set(whole2, { address, kind });
  };
  for (const change of changes) {
    const { address, action, kind } = change;
    const isBrought = containers.some((one) => one !== change && isWithin(address, one.address));
    if (action === "delete" || action === "replace" || isRecreated(change) && !isBrought)
      add(address, kind);
    if (action !== "delete" || !kindOf(change).lifecycle.container) continue;
    for (const inside of contentOf(address, input))
      add(inside, (ledger.entries[inside] ?? live.resources.get(inside)).kind);
  }
  const parts = changes.flatMap(
    ({ address, kind }) => Array.from({ length: losses.get(address) ?? 0 }, () => ({ address, kind }))
  );
  return [...gone2.values(), ...parts];
}
function lossesIn(drafts, changes) {
  const stays = new Set(
    changes.filter(({ action }) => action !== "delete" && action !== "replace").map(({ address }) => address)
  );
  const balance = /* @__PURE__ */ new Map();
  const count = (address, by) => balance.set(address, (balance.get(address) ?? 0) + by);
  for (const { requests } of drafts)
    for (const { drops = [], returns = [], batch = [] } of requests) {
      for (const { address } of drops) count(address, 1);
      for (const { address } of returns) count(address, -1);
      for (const address of batch.flat()) count(address, -1);
    }
  return new Map([...balance].filter(([address, lost]) => lost > 0 && stays.has(address)));
}

// src/plan/permissions.ts
function permissionsOf({ lifecycle: { asks = {} } }, change) {
  const { action } = change;
  return permissions.filter((permission) => {
    const when = asks[permission];
    return typeof when === "function" ? when(change) : when !== void 0 && (action === when || action === "replace");
  });
}
function allowed(changes, input, report) {
  for (const change of changes)
    for (const permission of change.permissions ?? []) {
      if (isAllowed(permission, change, input)) continue;
      const { address, at } = change;
      report(
        problem(`allow/${permission}`, `${address}: this ${deeds[permission]}, which is not allowed`, {
          address,
          ...at ? { at } : {},
          hint: `write \`$allow: [${permission}]\` in its block, an enclosing block or the header; or run once with --allow ${permission}`
        })
      );
    }
}
var deeds = {
  cost: "costs money",
  "remove-access": "removes somebody's access"
};
function isAllowed(permission, { kind, address, parent }, input) {
  const { desired, ledger, kinds, options = {}, unverified } = input;
  if (options.allow?.includes(permission) || desired.allow?.includes(permission)) return true;
  const above = ancestorsOf(kinds, kinds.get(kind), parent);
  return [address, ...above.map((one) => one.address)].some((at) => {
    const declared = desired.resources.get(at);
    if (declared) return declared.meta.allow?.includes(permission);
    return unverified === void 0 && ledger.entries[at]?.allow?.includes(permission);
  });
}

// src/plan/case.ts
function changeOf(one, action, rest = {}) {
  const { address, kind, parent, want, found } = one;
  const claims = one.input.claims?.get(address);
  const change = {
    address,
    kind: kind.name,
    action,
    ...parent === void 0 ? {} : { parent },
    ...found ? { id: found.ids.join(","), before: found } : {},
    ...want ? { after: want, at: want.at } : {},
    ...claims === void 0 ? {} : { claims },
    fields: [],
    grade: "safe",
    ...rest
  };
  const permissions2 = permissionsOf(kind, change);
  if (permissions2.length > 0) change.permissions = permissions2;
  const { grade: level, reason } = grade(kind, change);
  change.grade = level;
  if (reason !== void 0) change.gradeReason = reason;
  return change;
}
var isExclusive = ({ input, parent, kind }) => input.desired.resources.get(parent ?? "")?.meta.exclusive?.includes(kind.section) ?? false;
var recreated = ["it is deleted and recreated with a new id", "it is briefly absent"];
var createdFirst = ({ action, gradeReason }) => action === "replace" && recreated.some((reason) => reason === gradeReason) ? { gradeReason: "a new one is created under a new id, then the old one is deleted" } : {};
function grade(kind, change) {
  const known = kind.rules.grade?.(change);
  if (known) return known;
  if (change.action === "create" && !isReadable(kind))
    return {
      grade: "disruptive",
      reason: "it cannot be read: if it exists, it is overwritten"
    };
  if (change.permissions?.includes("cost")) return { grade: "irreversible", reason: "it costs money" };
  switch (change.action) {
    case "delete":
      return kind.lifecycle.container ? { grade: "irreversible", reason: "everything in it is deleted too" } : { grade: "destructive", reason: "the object is deleted" };
    case "replace":
      return change.fields.some(({ secret }) => secret) || kind.lifecycle.replace !== "free" ? { grade: "irreversible", reason: recreated[0] } : { grade: "disruptive", reason: recreated[1] };
    case "adopt":
      return change.fields.some(asksForWrite) ? { grade: "safe", reason: "adopted and changed" } : { grade: "safe" };
    default:
      return { grade: "safe" };
  }
}
function divided(found, { shape }, isFirst) {
  const part = (ids) => {
    if (ids.length === 0) return void 0;
    if (ids.length === found.ids.length || !found.rows) return { ...found, ids };
    const of = found.rows.filter(({ id }) => ids.includes(id));
    const fields = of.map((row) => row.fields).reduce((one, other) => shape.merged?.(one, other) ?? one);
    return { ...found, id: ids[0], ids, rows: of, fields };
  };
  return [part(found.ids.filter(isFirst)), part(found.ids.filter((id) => !isFirst(id)))];
}

// src/plan/unwanted.ts
function unwantedChange(one) {
  const { kind, found, entry, input, decisions, wasExisting } = one;
  const anew = input.anew?.get(one.address);
  const [ours, theirs] = partsOf(one);
  if (containersOf(one).some(({ goes }) => goes)) return void 0;
  if (found && theirs && can(kind, "delete") && !wasExisting) {
    if (isExclusive(one) && !kind.lifecycle.container)
      return { ...deletion(one, found, "not declared, and `$exclusive` is set"), exclusive: true };
    decisions.unmanaged.push(theirs);
  }
  if (wasExisting && !hasChildren(one)) return gone(one, "nothing in it is managed here any more");
  if (!entry) return void 0;
  if (!ours)
    return found ? gone(one, "another object has its name now") : { ...gone(one, "it no longer exists"), renews: true };
  if (kind.lifecycle.container) {
    if (!isNamed(one, input)) return release(one, "removed from the configuration; the object stays");
    return isPartlyFrozen(one) ? void 0 : deletion(one, ours, "removed from the configuration");
  }
  if (!can(kind, "delete")) return release(one, "removed from the configuration; the platform keeps it");
  if (anew === void 0 && containersOf(one).some(({ stays }) => stays))
    return release(one, "what it belongs to was removed from the configuration; the object stays");
  const why = input.options?.destroy ? "the stack is being destroyed" : "removed from the configuration";
  return deletion(one, ours, anew === void 0 ? why : `it is created anew as ${anew}`);
}
function partsOf({ kind, found, entry, isReplaced }) {
  if (!found) return [void 0, void 0];
  if (!entry || isReplaced) return [void 0, found];
  return kind.key.length === 0 ? [found, void 0] : divided(found, kind, (id) => entry.ids.includes(id));
}
var gone = (one, reason) => changeOf({ ...one, found: void 0 }, "forget", { reason });
var release = (one, reason) => changeOf(one, "release", { reason });
function deletion(one, found, reason) {
  const change = changeOf({ ...one, found }, "delete", {
    reason,
    needs: neededBy(one)
  });
  const { length } = one.kind.lifecycle.container ? contentOf(one.address, one.input) : [];
  if (length === 0) return change;
  return { ...change, gradeReason: `everything in it is deleted too, at least ${length} more` };
}
function neededBy({ address, entry, kind, input }) {
  const content = kind.lifecycle.container ? Object.entries(input.ledger.entries).filter(([other]) => isWithin(other, address)) : [];
  const needed = [...entry?.dependsOn ?? [], ...content.flatMap(([, { dependsOn = [] }]) => dependsOn)];
  return [...new Set(needed)].filter((other) => !isWithin(other, address));
}
var hasChildren = ({ address, input }) => Object.keys(input.ledger.entries).some((other) => other !== address && isWithin(other, address));
var isNamed = ({ address, entry }, { options, kinds }) => entry !== void 0 && can(kinds.get(entry.kind), "delete") && (entry.onRemove === "delete" || (options?.deletions?.includes(address) ?? false));
var isPartlyFrozen = ({ address, input }) => [...input.live.frozen.keys()].some((id) => isWithin(collectionParts(id)[0] ?? "", address));
function containersOf({ kind, parent, input, isReplaced }) {
  const { desired, ledger, kinds, options } = input;
  const fateOf = (address) => {
    const entry = ledger.entries[address];
    if (desired.resources.has(address) || entry?.existing) return { goes: false, stays: false };
    const goes = entry !== void 0 && isNamed({ address, entry }, input) && input.live.resources.has(address) && !isReplaced;
    return { goes, stays: !goes && !options?.destroy };
  };
  return ancestorsOf(kinds, kind, parent).filter((ancestor) => ancestor.kind.lifecycle.container).map(({ address }) => fateOf(address));
}

// src/plan/diff.ts
function diff(pair) {
  const all = leavesOf(pair.schemas, pair.desired);
  const wanted = pair.ignore ? all.filter(({ path }) => !isIgnored(path, pair.ignore)) : all;
  const ignored = pair.ignore ? all.map(({ path }) => path).filter((path) => isIgnored(path, pair.ignore)) : [];
  const result = { fields: [], unverified: [], touched: [], unavailable: [], ignored };
  for (const leaf of wanted) compareLeaf(leaf, pair, result);
  result.fields.push(...released(wanted, pair));
  return result;
}
function everything(kind, fields) {
  const told = [...kind.key, ...kind.shape.place];
  return leavesOf(comparedFields(kind), fields).filter(({ path, value }) => value !== null && !told.includes(path)).map(({ path, value, isSecret: secret }) => ({
    path,
    after: secret ? sealed(value) : value,
    cause: "edit",
    ...secret ? { secret } : {}
  }));
}
function compareLeaf(leaf, pair, result) {
  const { path, value, traits } = leaf;
  if (traits.createOnly) return;
  const found = atPath(pair.live, path);
  const secret = traits.secret !== void 0 || holdsSecret(value) || pair.entry?.secrets[path] !== void 0;
  const readable2 = !traits.writeOnly && !(found === void 0 && (traits.readMayLack || isSealedByTrait(leaf)));
  const unknown = hasUnknown(value);
  const last = keptAt(pair.entry, path, pair);
  const change = (cause) => {
    const immutable = typeof traits.immutable === "function" ? traits.immutable(found) : traits.immutable;
    const shown = asDeclared(found, value, traits);
    const before = leaf.isSecret ? sealed(shown) : isOpenlyOurs(leaf, pair, found) ? revealed(shown) : shown;
    result.fields.push({
      path,
      ...before === void 0 ? {} : { before },
      after: leaf.isSecret ? sealed(value) : value,
      cause,
      ...immutable && cause !== "recorded" ? { replaces: true } : {},
      ...leaf.isSecret ? { secret: true } : {}
    });
  };
  const mayBeTheirs = secret && !readable2 && pair.touched === true;
  if (unknown && secret) {
    result.unavailable.push(path);
    if (mayBeTheirs) result.touched.push(path);
    return;
  }
  if (!readable2) {
    const isAsApplied = last.is(value, traits);
    if (isAsApplied && !mayBeTheirs) return;
    const isNew = pair.entry?.form === pair.form && !last.known;
    const isUnverified = secret && !last.usable && !isNew;
    if (!isAsApplied && !isUnverified) change(last.usable || pair.entry ? "edit" : "unknown");
    else if (pair.sendUnverified) change("unverified");
    else {
      if (isUnverified) result.unverified.push(path);
      if (mayBeTheirs) result.touched.push(path);
    }
    return;
  }
  if (!unknown && same(value, found, traits)) {
    if (isRecordable(leaf, pair) && !last.is(value, traits)) change("recorded");
    return;
  }
  if (!last.usable) change(pair.entry && pair.entry.form === pair.form && !last.known ? "edit" : "unknown");
  else if (last.leadsTo(value, found, traits)) change("edit");
  else change(last.is(value, traits) ? "drift" : "conflict");
}
function isOpenlyOurs({ path, traits }, pair, found) {
  if (pair.entry?.fields[path] === void 0 || pair.entry.secrets[path] !== void 0) return false;
  return keptAt(pair.entry, path, pair).is(found, traits);
}
var isRecordable = ({ path, isSecret }, { entry, form, key }) => entry?.form === form && (key !== void 0 || !(isSecret || entry.secrets[path] !== void 0));
var isSealedByTrait = ({ traits }) => traits.secret !== void 0;
function released(wanted, { entry, ignore, live }) {
  if (!entry) return [];
  return [...Object.keys(entry.fields), ...Object.keys(entry.secrets)].filter((path) => !isIgnored(path, ignore)).filter((path) => !wanted.some((leaf) => related(leaf.path, path))).sort().map((path) => {
    const secret = entry.secrets[path] !== void 0;
    const found = atPath(live, path);
    return {
      path,
      ...found === void 0 ? {} : { before: secret ? sealed(found) : found },
      cause: "released",
      ...secret ? { secret: true } : {}
    };
  });
}
var related = (a, b) => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
var isIgnored = (path, ignore) => ignore?.some((name) => path === name || path.startsWith(`${name}.`)) ?? false;

// src/plan/compared-change.ts
function comparedChange(one, declared) {
  const { kind, want, entry, decisions, isReplaced, input } = one;
  const isOurs = (id) => !isReplaced && (entry?.ids.includes(id) ?? false);
  const { rows } = one.found;
  const found = rows ? { ...one.found, rows: rows.map((row) => ({ ...row, ours: isOurs(row.id) })) } : one.found;
  const difference = compared({ ...one, found });
  noteSecrets(difference, one);
  if (difference.unverified.length > 0 || difference.touched.length > 0)
    decisions.unverified.add(want.address);
  const uncompared = [...difference.unverified, ...difference.unavailable];
  const notOurs = [...uncompared, ...difference.ignored];
  const ours = notOurs.length > 0 ? declared.filter((path) => !notOurs.includes(path)) : declared;
  const after = kind.shape.byAddress ? want : { ...want, fields: without(want.fields, want.meta.ignore) };
  const fields = difference.fields.filter(({ path, cause }) => cause !== "recorded" || ours.includes(path));
  const rest = {
    after,
    fields,
    declared: ours,
    ...uncompared.length > 0 ? { uncompared } : {}
  };
  const isRenamedOutside = !fields.some(({ path, cause }) => kind.key.includes(path) && cause === "edit");
  const outside = isReplaced ? "replaced outside" : found.renamedTo && entry && isRenamedOutside && "renamed outside";
  const make = (action, reason2) => changeOf({ ...one, found }, action, {
    ...rest,
    ...difference.touched.length > 0 && action !== "replace" ? { touched: true } : {},
    ...reason2 === void 0 ? {} : { reason: reason2 },
    ...outside ? { outside: true } : {}
  });
  const writes = fields.filter(asksForWrite);
  if (entry?.tainted && !isReplaced)
    return make("replace", "the secret shown at its creation was not delivered");
  const isNew = !entry || isReplaced;
  const stuck = writes.filter(({ replaces }) => replaces || !can(kind, "update"));
  if (stuck.length > 0 && !mayReplace({ ...one, found }, stuck)) return void 0;
  if (found.transfer) return make("move", whyMoved(found.transfer));
  if (writes.length > 0)
    return make(
      stuck.length > 0 ? "replace" : isNew ? "adopt" : "update",
      outside || whyChanged(writes, entry)
    );
  if (isNew) return make("adopt", outside || void 0);
  const claimed = input.claims?.get(want.address);
  const taken = input.taken?.get(want.address);
  const isOnlyBehind = claimed === void 0 && taken === void 0 && reasonToRecord(one, [], ours) === void 0;
  if (fields.some(({ cause }) => cause === "released")) return make("release", void 0);
  const reason = taken !== void 0 ? `the stack ${taken} hands it over` : claimed === void 0 ? reasonToRecord(one, fields, ours) : `it was ${claimed} here`;
  const change = make(reason === void 0 ? "noop" : "adopt", reason);
  return isOnlyBehind && entry && isRenewed(fields, entry) ? { ...change, renews: true } : change;
}
var isRenewed = (fields, { fields: open, secrets }) => {
  const known = [...Object.keys(open), ...Object.keys(secrets)];
  return fields.length > 0 && fields.every(({ path, cause }) => cause === "recorded" && known.some((one) => related(one, path)));
};
var whyMoved = ({ from, with: leader }) => `it was ${from}${leader === void 0 ? "" : `, and moves with ${leader}`}`;
var isTouched = ({ updatedAt }, entry) => updatedAt !== void 0 && entry?.updatedAt !== void 0 && updatedAt > entry.updatedAt;
var readable = ({ secrets }, { fields }) => Object.fromEntries(Object.entries(secrets).filter(([path]) => atPath(fields, path) !== void 0));
function compared({
  kind,
  want,
  found,
  entry,
  isReplaced,
  input
}) {
  const isSameRow = !kind.shape.byAddress || found.ids.some((id) => entry?.ids.includes(id));
  return diff({
    schemas: comparedFields(kind),
    form: kind.form ?? 1,
    desired: want.fields,
    live: found.fields,
    ignore: want.meta.ignore,
    // A unit may be in another row than the one that was written: then its digest says nothing of a secret that cannot be read.
    entry: isReplaced ? void 0 : isSameRow ? entry : entry && { ...entry, secrets: readable(entry, found) },
    key: input.key,
    idOf: idIn(input.live),
    touched: isSameRow && isTouched(found, entry),
    sendUnverified: matchesAny(input.options?.sendUnverified, want.address)
  });
}
function mayReplace(one, stuck) {
  const { kind, want, report } = one;
  const { replace } = kind.lifecycle;
  const names = stuck.map(({ path }) => `\`${path}\``).join(", ");
  const refuse = (code, message, hint) => {
    report(problem(code, `${want.address}: ${message}`, { address: want.address, at: want.at, hint }));
    return false;
  };
  const cannot = `the platform cannot change ${names}`;
  if (replace === "never")
    return refuse(
      "replace/refused",
      cannot,
      `restore the live value; a ${kind.name} is never deleted in order to change it`
    );
  if (!isOwned(one) && !isExclusive(one))
    return refuse(
      "replace/not-owned",
      `${cannot}, and the existing object was not created or adopted by this stack, so it is not deleted`,
      `adopt it first: declare it with ${names} as in the account, apply, then change it; or choose another name, or delete it in the account yourself`
    );
  if (replace === "free" || want.meta.replace === "allow") return true;
  return refuse(
    "replace/refused",
    cannot,
    "write `$replace: allow` in the block to delete and recreate it; data that only the platform has is lost"
  );
}
var isOwned = ({ kind, entry, isReplaced, found }) => entry !== void 0 && !isReplaced && (!kind.shape.byAddress || found.ids.every((id) => entry.ids.includes(id)));
function whyChanged(writes, entry) {
  const causes = writes.map(({ cause }) => cause);
  if (causes.includes("conflict")) return "changed here and outside";
  if (causes.every((cause) => cause === "drift")) return "changed outside";
  return entry && causes.includes("unknown") ? "changed here or outside: what was last applied is unknown" : void 0;
}
function reasonToRecord({ want, entry, found, kind, input }, fields, declared) {
  const { meta, address } = want;
  if (input.resumed?.has(address)) return "created by an interrupted run";
  const has = (name, isNow) => `\`${name}\` is ${isNow ? "remembered" : "lifted"}`;
  if (Boolean(meta.protect) !== Boolean(entry?.protect)) return has("$protect", meta.protect === true);
  if (meta.onRemove !== entry?.onRemove) return has("$onRemove", meta.onRemove !== void 0);
  if (String(meta.allow ?? "") !== String(entry?.allow ?? "")) return has("$allow", meta.allow !== void 0);
  if (JSON.stringify(meta.position) !== JSON.stringify(entry?.position))
    return has("$position", meta.position !== void 0);
  if (meta.dependsOn?.some((address2) => !entry?.dependsOn?.includes(address2))) return has("$dependsOn", true);
  if (entry && isUnderFormer(entry, declared, kind, input.key))
    return "its secrets are recorded again with the current ledger key";
  if (fields.some(({ cause }) => cause === "recorded")) return "the account already has it";
  const isKnown = kind.key.length === 0 || found?.ids.every((id) => entry?.ids.includes(id));
  return isKnown ? void 0 : "part of it was created outside";
}
var isUnderFormer = (entry, declared, kind, key) => {
  const isFormer = (maker) => maker !== void 0 && maker !== key;
  return declared.some((path) => isFormer(makerOf(key, entry.secrets[path]?.key ?? ""))) || secretIdOf(kind) !== void 0 && entry.ids.some((id) => isFormer(makerOfId(key, id)));
};

// src/plan/wanted.ts
function wantedChange(one) {
  const { want, found, entry, input, report } = one;
  const { address, meta, at } = want;
  if (meta.forget) return forgetting(one);
  if (!meta.existing) return managedChange(one);
  if (found)
    return entry ? changeOf(one, "release", { reason: "now declared with `$existing`; the object stays as it is" }) : changeOf(one, "noop");
  const maker = input.options?.awaited?.get(address);
  if (maker !== void 0) return changeOf(one, "noop", { reason: `${maker} creates it in the same run` });
  report(
    problem(
      "existing/missing",
      `${address} is declared with \`$existing\`, but does not exist in the account`,
      {
        address,
        at,
        hint: "create it first, or remove `$existing`"
      }
    )
  );
  return void 0;
}
function forgetting(one) {
  const { want, found, entry, input, report } = one;
  if (entry) return changeOf(one, "forget", { reason: "`$forget` is set" });
  const { address, at } = want;
  const needs = ({ parent, fields, meta }) => !meta.forget && (parent === address || holesIn(fields).some((hole) => isRef(hole) && hole.$ref === address));
  const holder = found ? void 0 : [...input.desired.resources.values()].find(needs);
  if (holder)
    report(
      problem(
        "forget/missing",
        `${address} has \`$forget\` and does not exist, but ${holder.address} needs it`,
        {
          address,
          at,
          hint: "remove `$forget`, or what needs it"
        }
      )
    );
  return void 0;
}
function managedChange(one) {
  const { kind, want, decisions, report, input } = one;
  const schemas = comparedFields(kind);
  const resolved = knownFields(kind, want, { secrets: input.secrets, attribute: attributeIn(input.live) });
  const aligned = kind.rules.align?.({
    desired: { ...want, fields: resolved },
    ...one.found ? { live: one.found } : {},
    ownedIds: one.entry?.ids ?? [],
    exclusive: isExclusive(one),
    facts: factsUnder(one.parent, input),
    now: input.now
  }) ?? { desired: resolved };
  aligned.problems?.forEach(report);
  if (hasErrors(aligned.problems ?? [])) return void 0;
  let { found, entry } = one;
  if (found && aligned.live) found = { ...found, fields: aligned.live };
  if (found && aligned.strangers?.length) {
    const [theirs, ours] = divided(found, kind, (id) => aligned.strangers.includes(id));
    if (theirs) decisions.unmanaged.push(theirs);
    found = ours;
  }
  const declared = leavesOf(schemas, resolved).map(({ path }) => path);
  if (aligned.over !== void 0 && entry)
    entry = {
      ...entry,
      ...digestsOf(
        schemas,
        withIds(aligned.desired, idIn(input.live)),
        new Set(declared),
        entry.salt,
        input.key
      )
    };
  const fields = sealUnlessClear(schemas, aligned.desired, { ...found?.fields, ...aligned.desired });
  const settled = { ...one, entry, want: { ...want, fields } };
  const change = found ? comparedChange({ ...settled, found }, declared) : newChange({ ...settled, found }, declared);
  return change?.action === "noop" && aligned.over !== void 0 ? { ...change, reason: aligned.over } : change;
}
function newChange(one, declared) {
  const { kind, want, entry, report } = one;
  const fields = everything(kind, want.fields);
  if (can(kind, "create"))
    return changeOf(one, "create", {
      fields,
      declared,
      ...entry ? { reason: "deleted outside", outside: true } : {}
    });
  if (kind.read.one) {
    const { address, at } = want;
    report(
      problem("create/elsewhere", `${address} does not exist and cannot be created from here`, {
        address,
        at,
        hint: "check its name; it must be created on the platform before it can be declared"
      })
    );
    return void 0;
  }
  return changeOf(one, fields.length > 0 ? "update" : "adopt", { fields, declared });
}

// src/plan/decide.ts
function decide(input, report) {
  const { desired, live, ledger } = input;
  const decisions = {
    changes: [],
    unmanaged: [],
    unverified: /* @__PURE__ */ new Set(),
    incomplete: live.frozen.size > 0
  };
  const addresses = /* @__PURE__ */ new Set([
    ...desired.resources.keys(),
    ...live.resources.keys(),
    ...Object.keys(ledger.entries)
  ]);
  const isReplaced = replacedOutside(input);
  const unseen = /* @__PURE__ */ new Set();
  for (const address of [...addresses].sort()) {
    const one = caseOf(address, { input, decisions, report, isReplaced });
    if (one === "unseen") unseen.add(address);
    else if (one && !unidentifiable(one)) {
      const change = one.want ? wantedChange({ ...one, want: one.want }) : unwantedChange(one);
      if (!change || isLeftAlone(change, one)) continue;
      if (change.after) change.needs = [...needsOf(change, input.kinds)].sort();
      decisions.changes.push(change);
    }
  }
  reportFrozen(input, report);
  const seen = leaveOutUnseen(decisions.changes, unseen, input.kinds);
  if (live.frozen.size === 0) refuseUnread(decisions.changes, seen, input, report);
  decisions.changes = seen;
  decisions.unmanaged.sort(byAddress);
  return decisions;
}
function isLeftAlone({ action, exclusive, claims, before }, { address, entry, input, report }) {
  const isHandedOver2 = before?.transfer !== void 0;
  const goes = isHandedOver2 || action === "replace" || action === "delete" && !exclusive;
  const isKnown = entry !== void 0 || claims !== void 0;
  if (!goes || !isKnown || input.unverified === void 0) return false;
  report(
    warning(
      "ledger/left-alone",
      `${address} is left alone: it would be ${isHandedOver2 ? "move" : action}d because of the ledger, but ${input.unverified}`,
      { address }
    )
  );
  return true;
}
function caseOf(address, around) {
  const { input, decisions, report } = around;
  const { desired, live, ledger, kinds } = input;
  const want = desired.resources.get(address);
  const known = ledger.entries[address];
  const there = live.resources.get(address);
  if (live.scope && !live.scope.has(address) && (want || known)) return "unseen";
  const kind = kinds.get((want ?? known ?? there).kind);
  if (!kind) {
    report(
      warning(
        "ledger/unknown-kind",
        `the ledger has ${address}, a ${known?.kind}, which this version does not support`,
        {
          address,
          hint: "it is left alone; use the version of trueup that applied it"
        }
      )
    );
    return void 0;
  }
  const parent = want?.parent ?? there?.parent ?? parentOf(address, kind);
  if (live.frozen.has(collectionId(kind.name, parent))) return want || known ? "unseen" : void 0;
  const { found, others, problem: problem2 } = match(there, want, known);
  decisions.unmanaged.push(...others.filter(({ id }) => !known?.ids.includes(id)));
  if (problem2) {
    report(problem2);
    return void 0;
  }
  return {
    input,
    address,
    kind,
    parent,
    want,
    found,
    entry: known?.existing ? void 0 : known,
    wasExisting: known?.existing ?? false,
    isReplaced: around.isReplaced(address),
    decisions,
    report
  };
}
function reportFrozen({ live, desired, kinds }, report) {
  const said = /* @__PURE__ */ new Set();
  for (const [id, why] of live.frozen) {
    if (said.has(why)) continue;
    said.add(why);
    const [parent, kind] = collectionParts(id);
    const around = desired.resources.get(parent ?? "");
    report(
      problem(
        "observe/incomplete",
        `${addressOf(parent, kinds.get(kind).section, [])} could not be read: ${why}`,
        {
          ...parent === void 0 ? {} : { address: parent },
          ...around ? { at: around.at } : {},
          hint: "it, its contents and its dependents are not planned; run again, or apply the rest with --allow-incomplete"
        }
      )
    );
  }
}
function refuseUnread(before, seen, { live }, report) {
  if (!live.scope || before.length === seen.length) return;
  const kept = new Set(seen);
  for (const { address, needs = [] } of before.filter((change) => !kept.has(change)))
    report(
      problem(
        "target/unread",
        `${address} needs ${needs.find((other) => !live.scope.has(other)) ?? "something"}, which was not read`,
        { address, hint: "plan without --target, or target that too" }
      )
    );
}
function leaveOutUnseen(changes, unseen, kinds) {
  if (unseen.size === 0) return changes;
  const out = new Set(unseen);
  let left = changes;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    left = left.filter((change) => {
      const isOut = change.after !== void 0 && [...needsOf(change, kinds)].some((address) => out.has(address));
      if (isOut) out.add(change.address);
      return !isOut;
    });
  }
  return left;
}
function replacedOutside({ live, ledger, kinds, key }) {
  const known = /* @__PURE__ */ new Map();
  const isReplaced = (address) => {
    const entry = ledger.entries[address];
    const kind = kinds.get(entry?.kind ?? "");
    if (!entry || !kind || live.resources.get(address)?.transfer) return false;
    const parent = parentOf(address, kind);
    return hasOtherId(address, entry.ids, kind) || parent !== void 0 && test(parent);
  };
  const hasOtherId = (address, ids, kind) => {
    const found = live.resources.get(address);
    if (!found || kind.shape.byAddress || kind.key.length === 0) return false;
    if (secretIdOf(kind) !== void 0 && !ids.some((id) => makerOfId(key, id))) return false;
    return !(found.alternatives ?? [found]).some((one) => one.ids.some((id) => ids.includes(id)));
  };
  const test = (address) => {
    const answer = known.get(address) ?? isReplaced(address);
    known.set(address, answer);
    return answer;
  };
  return test;
}

// src/plan/checks.ts
function clashes(changes, { kinds, live, secrets }, report) {
  const known = { secrets, attribute: attributeIn(live) };
  const collections = groupBy(
    changes.filter(({ kind }) => kinds.get(kind).rules.clashes),
    ({ kind, parent }) => collectionId(kind, parent)
  );
  const found = groupBy(
    [...live.resources.values()].filter(({ kind }) => kinds.get(kind)?.rules.clashes),
    ({ kind, parent }) => collectionId(kind, parent)
  );
  for (const [id, of] of collections) {
    const kind = kinds.get(of[0].kind);
    const byAddress2 = new Map(of.map((change) => [change.address, change]));
    const strangers = (found.get(id) ?? []).filter(({ address }) => !byAddress2.has(address));
    const staying = of.flatMap(({ address, action, after, before }) => {
      const there = live.resources.get(address);
      const goes = action === "delete" && before.ids.length === there?.ids.length;
      if (after && action !== "forget") return [{ address, fields: knownFields(kind, after, known) }];
      return there && !goes ? [{ address, fields: there.fields }] : [];
    });
    for (const { addresses, message, hint } of kind.rules.clashes([...staying, ...strangers])) {
      const change = addresses.map((address) => byAddress2.get(address)).find((c) => c && (c.action === "create" || c.fields.some(asksForWrite)));
      if (change)
        report(
          problem("plan/clash", message, {
            address: change.address,
            ...change.at ? { at: change.at } : {},
            hint
          })
        );
    }
  }
}
function missingInputs(remembered, { inputs: inputs2, folders }) {
  const isFile2 = (name) => name !== standardInput;
  const missing = missingFiles(remembered.filter(isFile2), { inputs: inputs2.filter(isFile2), folders });
  const isInputMissing = remembered.includes(standardInput) && !inputs2.includes(standardInput);
  return [...missing, ...isInputMissing ? [standardInput] : []];
}
function missingFiles(remembered, { inputs: inputs2, folders }) {
  const read = new Set(inputs2.map(fromStart));
  const whole2 = folders.map(fromStart);
  const isGone = (name) => whole2.some((folder) => folder === "" || name.startsWith(`${folder}/`)) && !name.startsWith("../");
  const isMissing = (name) => name === void 0 || !(read.has(name) || isGone(name));
  const areRooted = inputs2.every(isRooted);
  const isCertain = (name) => areRooted && isRooted(name);
  const loose = remembered.filter((name) => !isCertain(name));
  const ups = Math.min(...loose.map((name) => /^(\.\.\/)*/.exec(name)[0].length));
  const startOf = (name) => fromStart(name).slice(ups);
  const ways = [
    ...foldersOf([...read, ...whole2.map((folder) => `${folder}/`)]).map(
      (folder) => (name) => joined(folder, name)
    ),
    ...foldersOf(loose.map(startOf)).map(
      (folder) => (name) => isIn(name, folder) ? name.slice(folder.length + 1) : void 0
    )
  ];
  const fits = ways.filter((way) => loose.some((name) => read.has(way(startOf(name)) ?? ""))).map((way) => new Set(loose.filter((name) => isMissing(way(startOf(name)))))).sort((one, other) => one.size - other.size);
  const missing = fits[0] ?? new Set(loose);
  return remembered.filter((name) => isCertain(name) ? isMissing(fromStart(name)) : missing.has(name));
}
var isRooted = (name) => name.startsWith("/");
var isIn = (name, folder) => name.startsWith(`${folder}/`);
var fromStart = (name) => name === "." ? "" : name.replace(/^\//, "");
function joined(folder, name) {
  const parts = folder === "" ? [] : folder.split("/");
  const rest = name.split("/");
  while (rest[0] === ".." && parts.length > 0) {
    parts.pop();
    rest.shift();
  }
  return [...parts, ...rest].join("/");
}
function foldersOf(names) {
  const found = /* @__PURE__ */ new Set([""]);
  for (const name of names)
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1))
      found.add(name.slice(0, at));
  return [...found];
}
function suspectedRenames(changes, proposed, { kinds }, report) {
  const containers = changes.filter(({ kind }) => kinds.get(kind).lifecycle.container);
  const left = containers.filter(({ action, after }) => action === "release" && !after);
  for (const { address, kind, parent, action, at } of containers) {
    const others = left.filter((one) => one.kind === kind && one.parent === parent);
    if (action !== "create" || others.length === 0) continue;
    const holder = left.find(({ before }) => before?.renamedTo === address);
    if (holder) {
      const name = holder.address.split("/").at(-1);
      report(
        problem("was/missing", `${address} exists in the account, but is known here as ${holder.address}`, {
          address,
          ...at ? { at } : {},
          hint: `write \`$was: ${name}\` in its block to keep the existing object and its contents`
        })
      );
      continue;
    }
    if (proposed.has(address)) continue;
    const names = others.map((one) => one.address.split("/").at(-1));
    report(
      warning(
        "was/suspected",
        `${address} would be created, and ${others.map((one) => one.address).join(", ")} no longer managed`,
        {
          address,
          ...at ? { at } : {},
          hint: `if it is the same ${kind} under a new name, write \`$was: ${names[0]}\` in its block: it is renamed and keeps its contents`
        }
      )
    );
  }
}
function refuseTwice({ desired, live, kinds }, report) {
  for (const { one, name, other } of saidTwice(desired.resources.values(), live, kinds))
    report(
      problem(
        "plan/said-twice",
        `${other.address} repeats what \`${name}\` of ${one.address} declares (${one.at.file}:${one.at.line})`,
        {
          address: other.address,
          at: other.at,
          related: [{ message: `\`${name}\` is here`, at: one.at }],
          hint: `keep one of the two: this block, or the item in \`${name}\``
        }
      )
    );
}

// src/plan/proposed-renames.ts
function proposedRenames(changes, input, report) {
  const proposed = /* @__PURE__ */ new Set();
  const entries = /* @__PURE__ */ new Map();
  for (const siblings of groupBy(changes, ({ kind, parent }) => collectionId(kind, parent)).values()) {
    const kind = input.kinds.get(siblings[0].kind);
    if (!mayBeRenamed(kind)) continue;
    const made = siblings.filter(({ action, before }) => action === "create" && !before);
    const left = siblings.filter(
      ({ action, after, before }) => before && !after && (action === "delete" || action === "release")
    );
    if (made.length === 0 || left.length === 0) continue;
    const likeOf = groupBy(left, (one) => likeness(kind, one, input) ?? one);
    for (const [likeness2, of] of groupBy(made, (one) => wantedLikeness(kind, one) ?? one)) {
      const [one, ...others] = of;
      const [old, ...more] = likeOf.get(likeness2) ?? [];
      if (!old || others.length + more.length > 0 || !isEqual(kind, one, old) || !isNameAlone(kind, one, old))
        continue;
      proposed.add(one.address);
      const entry = { one, old: entryOf(old), now: entryOf(one), name: nameOf(kind, old) };
      entries.set(entry.now, entry);
    }
  }
  for (const { one, old, now, name } of entries.values())
    report(
      warning("was/proposed", `${now} looks like ${old}: to rename it, write \`$was: ${name}\``, {
        address: one.address,
        ...one.at ? { at: one.at } : {},
        hint: "in its block; otherwise the old one is removed and a new one is created"
      })
    );
  return proposed;
}
var mayBeRenamed = (kind) => kind.key.length > 0 && kind.update !== void 0 && kind.key.some((name) => !traitsOf(kind.fields[name]).immutable);
function wantedLikeness(kind, { declared = [], after, address }) {
  const leaves = leavesOf(comparedFields(kind), after?.fields ?? {});
  const isSecret = leaves.some(({ traits, value }) => traits.secret !== void 0 || holdsSecret(value));
  return isSecret ? void 0 : JSON.stringify([placeOf(address), pathsOf(kind, declared)]);
}
function likeness(kind, { address }, { ledger }) {
  const entry = ledger.entries[address];
  if (!entry || Object.keys(entry.secrets).length > 0) return void 0;
  return JSON.stringify([placeOf(address), pathsOf(kind, Object.keys(entry.fields))]);
}
var pathsOf = ({ key, shape }, paths) => paths.filter((path) => !key.includes(path) && !shape.place.includes(path)).sort();
function isEqual(kind, { after }, { before }) {
  return leavesOf(comparedFields(kind), after.fields).filter(({ path }) => !kind.key.includes(path) && !kind.shape.place.includes(path)).every(({ path, value, traits }) => {
    const found = atPath(before.fields, path);
    return same(value, found, traits);
  });
}
var isNameAlone = ({ key }, { after }, { before }) => key.slice(1).every((name) => after.fields[name] === before.fields[name]);
var placeOf = (address) => /(?<=[^/])@[^/@]*$/.exec(address)?.[0] ?? "";
var entryOf = ({ address }) => address.slice(0, address.length - placeOf(address).length);
var nameOf = (kind, change) => entryOf(change).split("/").slice(-kind.key.length).map(unescapeName).join("/");

// src/plan/still-named.ts
var most2 = 5;
function stillNamed(changes, { live, kinds }, report) {
  const going = deletionsIn(
    changes.filter(({ action }) => action === "delete"),
    live,
    kinds
  );
  if (going.roots.size === 0) return;
  const changeAt = new Map(changes.map((change) => [change.address, change]));
  const isContained = (address) => kinds.get(changeAt.get(going.roots.get(address)).kind).lifecycle.container === true;
  const touched = /* @__PURE__ */ new Map();
  for (const one of live.resources.values()) {
    const around = going.roots.get(one.address);
    if (around !== void 0) {
      const isLeft = changeAt.get(one.address)?.action !== "delete" && can(kinds.get(one.kind), "delete");
      if (isLeft && !isContained(one.address))
        report(
          problem(
            "plan/still-inside",
            `${around} would be deleted, but ${one.address}, which is inside it, would not`,
            {
              address: around,
              hint: `move ${one.address} out first, or keep its container`
            }
          )
        );
      continue;
    }
    for (const { address, means } of namedBy(one, changeAt.get(one.address), going, kinds)) {
      if (means === "all" && isContained(address)) continue;
      const root = going.roots.get(address);
      if (means !== "only") touched.set(root, (touched.get(root) ?? /* @__PURE__ */ new Set()).add(one.address));
      else
        report(
          problem(
            "plan/still-named",
            `${address} would be deleted, but ${one.address}, which stays, refers to it`,
            {
              address: root,
              hint: `declare ${one.address} with another value, delete it first, or keep what it refers to`
            }
          )
        );
    }
  }
  for (const [root, addresses] of touched) {
    const [names, more] = [[...addresses].slice(0, most2), addresses.size - most2];
    report(
      warning(
        "plan/named-elsewhere",
        `${root} would be deleted, and the platform removes it from ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
        { address: root, hint: "these stay, with their other references" }
      )
    );
  }
}
function namedBy(one, change, going, kinds) {
  const kind = kinds.get(one.kind);
  const fields = change?.fields.some(asksForWrite) ? { ...one.fields, ...change.after?.fields } : one.fields;
  const isGoing = (address) => going.roots.has(address);
  const isAll = isAbout(kind, fields, isGoing);
  return Object.entries(fields).flatMap(([name, value]) => {
    const items = Array.isArray(value) ? value : [value];
    const named2 = items.map(
      (item) => [
        ...holesIn(item).flatMap((hole) => "$ref" in hole ? [hole.$ref] : []),
        ...namesIn2({ [name]: item }, kind, one.parent, kinds),
        ...idsIn(item, going.byId)
      ].filter(isGoing)
    );
    const hasOthers = named2.some((addresses) => addresses.length === 0);
    const means = isAll ? "all" : hasOthers || kind.shape.byAddress ? "some" : "only";
    return [...new Set(named2.flat())].map((address) => ({ address, means }));
  });
}

// src/plan/guard.ts
function guard(changes, drafts, losses, input, report) {
  emptySet(input, report);
  namedDeletions(input, report);
  budget(changes, losses, input, report);
  unverifiedLosses(losses, input, report);
  protection(changes, losses, input, report);
  inputs(changes, losses, input, report);
  conflicts(changes, input, report);
  allowed(changes, input, report);
  for (const draft of drafts) if (draft.problem) report(draft.problem);
  const blockedSeen = /* @__PURE__ */ new Set();
  for (const { kind, parent } of drafts) {
    const id = collectionId(kind.name, parent);
    const blocked = input.live.blocked.get(id);
    const shared = `${blocked?.code} ${kind.lifecycle.lane ?? id}`;
    if (!blocked || blockedSeen.has(shared) || input.options?.ignoreDrafts) continue;
    blockedSeen.add(shared);
    report(problem(blocked.code, `${parent ?? kind.section}: ${blocked.message}`, { hint: blocked.hint }));
  }
  leftStaged(drafts, input, report);
  shownOnce(changes, input, report);
  clashes(changes, input, report);
  refuseTwice(input, report);
  stillNamed(changes, input, report);
  suspectedRenames(changes, proposedRenames(changes, input, report), input, report);
}
function emptySet({ desired, ledger, options }, report) {
  const owned = Object.keys(ledger.entries).length;
  if (options?.destroy || options?.part === "undo" || desired.resources.size > 0 || owned === 0) return;
  report(
    problem("guard/empty", `the configuration declares nothing, but the ledger has ${owned} objects`, {
      hint: "check the files; to delete everything, run `trueup destroy`"
    })
  );
}
function unverifiedLosses(losses, { ledger, unverified }, report) {
  if (unverified === void 0) return;
  for (const address of losses.keys())
    if (ledger.entries[address])
      report(
        problem("ledger/left-alone", `${address} would lose part of it, but ${unverified}`, {
          address,
          hint: "review the ledger and sign it once with `trueup ledger sign`"
        })
      );
}
function namedDeletions({ desired, ledger, kinds, options = {} }, report) {
  for (const address of options.deletions ?? []) {
    const entry = ledger.entries[address];
    const kind = kinds.get(entry?.kind ?? "");
    if (desired.resources.has(address))
      report(
        problem("delete/declared", `--delete names ${address}, which is still declared`, {
          address,
          hint: "remove its block and run this again"
        })
      );
    else if (kind && !can(kind, "delete"))
      report(
        (options.destroy ? warning : problem)(
          "delete/impossible",
          `--delete names ${address}, but a ${kind.name} cannot be deleted from here`,
          { address, hint: "delete it in the dashboard; without --delete trueup only stops managing it" }
        )
      );
    else if ((!entry || entry.existing) && options.part !== "one")
      report(
        // A destroy that was stopped is run again with the same words.
        (options.destroy ? warning : problem)(
          "delete/not-owned",
          `--delete names ${address}, which this stack does not own`,
          {
            address,
            hint: "`trueup ledger list` shows what it owns; to delete something else, declare and apply it first"
          }
        )
      );
  }
}
function protection(changes, losses, { desired, ledger, options, kinds }, report) {
  const isProtected = (at) => ledger.entries[at]?.protect || desired.resources.get(at)?.meta.protect || options?.protected?.includes(at);
  const owned = Object.keys(ledger.entries).filter(isProtected);
  const grants = changes.filter(({ address, before }) => before && isProtected(address));
  const isFor = ({ before, kind }, address) => kinds.get(kind).key.some((name) => isRefTo(before.fields[name], address));
  for (const { address, action, before, after } of changes) {
    if (before?.transfer && isProtected(address) && !after?.meta.protect)
      report(
        problem(
          "guard/protected",
          `${address} would be taken from ${before.transfer.parent}, but it is protected`,
          {
            address,
            hint: "keep `$protect` where it is declared now, or apply once without it and then move it"
          }
        )
      );
    if (action !== "delete" && action !== "replace" && !losses.has(address)) continue;
    const held = isProtected(address) ? address : owned.find((other) => isWithin(other, address)) ?? grants.find((grant) => isFor(grant, address))?.address;
    if (held === void 0) continue;
    report(
      problem(
        "guard/protected",
        `${address} would ${losses.has(address) ? "lose what it holds" : "be deleted"}, but ${held === address ? "it" : held} is protected`,
        { address, hint: "remove `$protect`, apply, then delete it" }
      )
    );
  }
}
var isRefTo = (value, address) => isRef(value) && value.$ref === address;
function inputs(changes, losses, { desired, ledger, options = {} }, report) {
  const letsGo = losses.size > 0 || changes.some(({ action, after }) => action === "delete" || action === "release" && !after);
  if (options.destroy || options.fewerInputs || !letsGo) return;
  const missing = missingInputs(ledger.inputs, desired).map(
    (file) => file === standardInput ? "standard input" : file.replace(/^\//, "")
  );
  if (missing.length > 0)
    report(
      problem(
        "guard/inputs",
        `this run does not read ${missing.join(", ")}, which the last one did, so nothing is deleted or unmanaged`,
        {
          hint: "pass all files with -f (`-f -` for standard input); if they are gone for good, use --fewer-inputs"
        }
      )
    );
}
function conflicts(changes, { options = {}, desired }, report) {
  const found = changes.filter(({ fields }) => fields.some(({ cause }) => cause === "conflict"));
  if (found.length === 0 || options.overwriteConflicts) return;
  for (const { address, fields, at: block } of found) {
    const inConflict = fields.filter(({ cause }) => cause === "conflict").map(({ path }) => path);
    const paths = inConflict.map((path) => `\`${path}\``);
    const [at = block] = inConflict.flatMap((path) => desired.fieldAt?.(address, path) ?? []);
    const details = {
      address,
      ...at ? { at } : {},
      hint: options.unattended ? `to keep the outside change, run \`trueup accept '${address}'\`; --overwrite-conflicts overwrites it` : `to keep the outside change, run \`trueup accept '${address}'\`; approving this plan, or --overwrite-conflicts, overwrites it`
    };
    const message = `${address}: ${paths.join(", ")} changed here and in the account`;
    report(
      options.unattended ? problem("guard/conflict", message, details) : warning("guard/conflict", message, details)
    );
  }
}
function leftStaged(drafts, { live, kinds }, report) {
  const changed2 = new Set(drafts.map(({ kind, parent }) => collectionId(kind.name, parent)));
  for (const [id, { id: version }] of live.staged) {
    const [parent, name] = collectionParts(id);
    const place = addressOf(parent, kinds.get(name).section, []);
    const what = `${place}: an earlier run staged a version (${version}) but did not promote it`;
    report(
      changed2.has(id) ? warning("staged/left", `${what}; it will be discarded first`) : warning("staged/left", `${what}, and it is no longer needed`, {
        hint: "discard it in the dashboard"
      })
    );
  }
}
function shownOnce(changes, { kinds }, report) {
  for (const { address, kind, action, after, at } of changes) {
    const { shows } = kinds.get(kind);
    if (!shows || action !== "create" && action !== "replace" || after?.meta.secretTo) continue;
    report(
      problem("secret/nowhere", `${address}: the platform shows its ${shows} only once, at creation`, {
        address,
        ...at ? { at } : {},
        hint: "say where to write it: `$secretTo: { file: PATH }`, `{ command: [PROGRAM, ...] }` (it reads standard input), or `discard`"
      })
    );
  }
}

// src/plan/in-order.ts
function inOrder(input) {
  const { desired, live, ledger, kinds } = input;
  return {
    ...input,
    desired: {
      ...desired,
      resources: mapInOrder(desired.resources, (one) => ({
        ...one,
        fields: fieldsInOrder(schemasOf(one.kind, kinds), one.fields)
      }))
    },
    live: { ...live, resources: mapInOrder(live.resources, (one) => liveInOrder(one, kinds)) },
    ledger: { ...ledger, entries: membersInOrder({}, ledger.entries, (entry) => entry) }
  };
}
function liveInOrder(one, kinds) {
  const schemas = schemasOf(one.kind, kinds);
  return {
    ...one,
    fields: fieldsInOrder(schemas, one.fields),
    ...one.rows ? {
      ids: [...one.ids].sort(),
      rows: one.rows.map((row) => ({ ...row, fields: fieldsInOrder(schemas, row.fields) })).sort((a, b) => a.id < b.id ? -1 : 1)
    } : {},
    ...one.alternatives ? { alternatives: one.alternatives.map((other) => other === one ? one : liveInOrder(other, kinds)) } : {}
  };
}
var schemasOf = (kind, kinds) => {
  const known = kinds.get(kind);
  return known ? comparedFields(known) : {};
};
function mapInOrder(map, change) {
  const ordered = /* @__PURE__ */ new Map();
  for (const name of [...map.keys()].sort()) ordered.set(name, change(map.get(name)));
  return ordered;
}
var fieldsInOrder = (schemas, fields) => membersInOrder(schemas, fields, (value, name) => valueInOrder(value, schemas[name]));
function membersInOrder(shape, object, change) {
  const ordered = {};
  for (const name of namesInOrder(shape, object)) put(ordered, name, change(object[name], name));
  return ordered;
}
function namesInOrder(shape, object) {
  const known = Object.keys(shape).filter((name) => Object.hasOwn(object, name));
  const names = Object.keys(object);
  if (known.length === names.length) return known;
  return [...known, ...names.filter((name) => !Object.hasOwn(shape, name)).sort()];
}
function valueInOrder(value, schema) {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const element = schema && schema.def.element;
    const items = value.map((item) => valueInOrder(item, element));
    return schema && traitsOf(schema).unordered ? items.map(keyed).sort(byKey).map(({ item }) => item) : items;
  }
  if (!isPlainObject(value)) return value;
  const members = schema && membersOf(schema);
  return membersInOrder(
    (schema && shapeOf(schema)) ?? {},
    value,
    (item, name) => valueInOrder(item, members?.(name))
  );
}
var keyed = (item) => ({ item, key: canonical(revealed(item)) });
var byKey = (a, b) => a.key < b.key ? -1 : 1;

// src/plan/position.ts
function positionOf(changes, live, { desired, kinds, others = [] }, report) {
  const item = changes.find(({ after }) => after?.meta.position)?.after;
  const position = item?.meta.position;
  if (!item || position === void 0 || !kinds.get(item.kind).shape.orderDecides) return {};
  const place = item.parent === void 0 ? "the list" : item.parent;
  const at = desired.resources.get(item.parent ?? "")?.at ?? item.at;
  const refuse = (message, hint) => {
    report(
      problem("position/refused", message, { ...item.parent ? { address: item.parent } : {}, at, hint })
    );
    return {};
  };
  const neighbours = others.map((stack) => neighbourOf(stack, item.kind, live));
  const named2 = (name) => neighbours.find(({ stack }) => isMeant(name, stack.stack, { from: desired.stack }));
  const rival = neighbours.find((other2) => contradicts(position, other2, desired.stack, named2));
  if (rival)
    return refuse(
      `${place}: this stack has \`$position\` ${textOf(position)}, and the stack ${rival.stack.stack} ${textOf(rival.position)}: each would keep moving its items`,
      "remove `$position` from one of them, or write `$position: { before: STACK }` in the one that comes first"
    );
  if (typeof position === "string")
    return { position: position === "last" ? position : { before: () => true } };
  const other = named2(position.before);
  if (!other)
    return refuse(
      `${place}: no stack ${position.before} of this account is in the store, so the order is unknown`,
      others.length === 0 ? "apply that stack first, with a ledger in the same store" : `there are ${others.map(({ stack }) => stack).join(", ")}; apply that stack first, with a ledger in the same store`
    );
  if (!other.stack.isVerified)
    return refuse(
      `${place}: the ledger of the stack ${other.stack.stack} is not signed by the current key, so it is not used to order items`,
      "apply both stacks with one key, or write `$position: first`"
    );
  return { position: { before: (id) => other.ids.has(id) } };
}
function neighbourOf(stack, kind, live) {
  const here = new Set(live.flatMap(({ ids }) => ids));
  const entries = Object.values(stack.entries).filter(
    (entry) => entry?.kind === kind && entry.ids?.some((id) => here.has(id))
  );
  const position = entries.find((entry) => entry.position)?.position;
  return { stack, ids: new Set(entries.flatMap(({ ids }) => ids)), ...position ? { position } : {} };
}
function contradicts(mine, { stack, position: theirs }, own, named2) {
  if (theirs === void 0) return false;
  const comesBefore = (position, other, from) => typeof position === "object" && isMeant(position.before, other, { from });
  if (typeof mine === "string" && mine === theirs) return true;
  if (mine === "first") return comesBefore(theirs, own, stack.stack);
  if (!comesBefore(mine, stack.stack, own)) return false;
  const seen = /* @__PURE__ */ new Set();
  for (let at = theirs, from = stack.stack; at !== void 0; ) {
    if (at === "first" || comesBefore(at, own, from)) return true;
    const next = typeof at === "object" ? named2(at.before) : void 0;
    if (!next || seen.has(next.stack.stack)) return false;
    seen.add(next.stack.stack);
    [at, from] = [next.position, next.stack.stack];
  }
  return false;
}
var textOf = (position) => typeof position === "string" ? `\`${position}\`` : `before ${position.before}`;

// src/plan/lower.ts
function arranged(changes, input, report) {
  const { live, ledger, kinds } = input;
  const found = byCollection(live.resources);
  return new Map(
    Array.from(
      groupBy(changes, ({ kind, parent }) => collectionId(kind, parent)),
      ([id, siblings]) => {
        const { kind: name, parent } = siblings[0];
        const kind = kinds.get(name);
        const lowering = kind.shape.arrange({
          kind,
          changes: siblings,
          live: found.get(id) ?? [],
          isExclusive: isExclusive({ input, parent, kind }),
          ...positionOf(siblings, found.get(id) ?? [], input, report),
          entryOf: (address) => ledger.entries[address]
        });
        return [id, lowering];
      }
    )
  );
}
function lower(changes, lowerings, decisions, input) {
  const collections = groupBy(changes, ({ kind, parent }) => collectionId(kind, parent));
  return [...collections].flatMap(([id, of]) => {
    const kind = input.kinds.get(of[0].kind);
    const { parent } = of[0];
    const drafts = lowerings.get(id)(of, contextOf(id, of, decisions, input));
    return copied(drafts, (draft) => ({
      ...draft,
      kind,
      parent,
      ...filledDraft(draft, kind, of, parent, input)
    }));
  });
}
function contextOf(id, changes, { unverified }, input) {
  const { live } = input;
  const { parent } = changes[0];
  return {
    live: byCollection(live.resources).get(id) ?? [],
    desired: changes.flatMap(({ after, action }) => after && action !== "forget" ? [after] : []),
    parent,
    unverified,
    // What was never read, but is mentioned by its id, is there as well.
    exists: (address) => address.startsWith("#") || live.resources.has(address),
    facts: factsUnder(parent, input),
    versions: live.versions.get(id),
    left: live.staged.get(id)
  };
}
function filledDraft(draft, kind, changes, parent, input) {
  const [address] = draft.changes;
  const at = changes.find((change) => change.address === address)?.at;
  if (typeof input.facts.teamId !== "string" && draft.requests.some(({ endpoint }) => isOfTeam(endpoint)))
    return {
      requests: [],
      problem: problem("account/team", `${address} belongs to a team, but this is a personal account`, {
        address,
        ...at ? { at } : {},
        hint: "name the team in the header, `platform: { team: ... }`, or remove this"
      })
    };
  return {
    requests: draft.requests.map((one) => filled(one, kind, address, changes, parent, input))
  };
}
function filled({ params = {}, ...one }, kind, address, changes, parent, { kinds, facts }) {
  const fields = changes.find((change) => change.address === address)?.after?.fields ?? {};
  const idOf = (resource) => ({ $ref: resource, attr: "id" });
  const filling = (name) => {
    const ancestor = ancestorsOf(kinds, kind, parent).find((above) => above.kind.name === name);
    if (ancestor) return idOf(ancestor.address);
    if (name === "teamId") return facts.teamId;
    return name === "id" ? idOf(address) : fields[name] ?? null;
  };
  const names = [...one.endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (names.length === 0) return one;
  return { ...one, params: Object.fromEntries(names.map((name) => [name, params[name] ?? filling(name)])) };
}
function asDocuments(drafts, changes, input) {
  const { kinds } = input;
  const changeOf2 = new Map(changes.map((change) => [change.address, change]));
  const places = /* @__PURE__ */ new Map();
  const placeOf2 = ({ kind, parent }) => {
    const { document } = kind.shape;
    if (!document) return void 0;
    const above = ancestorsOf(kinds, kind, parent);
    const at = above.findIndex((one) => one.kind.lifecycle.container);
    const container = above[at]?.address;
    if (container === void 0 || changeOf2.get(container)?.action !== "create") return void 0;
    const known = places.get(document) ?? /* @__PURE__ */ new Map();
    const place = known.get(container) ?? { document, root: above[at - 1]?.kind ?? kind, container };
    places.set(document, known.set(container, place));
    return place;
  };
  return [...groupBy(drafts, (draft) => placeOf2(draft) ?? draft)].flatMap(([key, of]) => {
    if (!("document" in key) || of.some(({ problem: problem2 }) => problem2)) return of;
    const whole2 = wholeOf(key, of, changeOf2, input);
    const count = (some) => some.reduce((sum, { requests }) => sum + requests.length, 0);
    return count([whole2]) < count(of) ? [whole2] : of;
  });
}
function wholeOf({ document, root, container }, parts, changeOf2, input) {
  const { kinds } = input;
  const changes = [...new Set(parts.flatMap((part) => part.changes))].map(
    (address) => changeOf2.get(address)
  );
  const steps = changes.sort((a, b) => (a.after?.index ?? 0) - (b.after?.index ?? 0)).map((change) => {
    const kind = kinds.get(change.kind);
    return [kind.name, stepOf(kind, verbOf(change), change)];
  });
  const byKind = new Map(
    [...groupBy(steps, ([name]) => name)].map(([name, of]) => [name, of.map(([, step]) => step)])
  );
  const draft = document.write(byKind);
  return {
    ...draft,
    kind: root,
    parent: container,
    verb: "create",
    ...filledDraft({ ...draft, verb: "create" }, root, changes, container, input)
  };
}

// src/plan/sequence.ts
function sequence(drafts, changes, kinds, live) {
  if (drafts.length === 0) return { operations: [], problems: [] };
  const all = new Set(drafts);
  const needs = new Map(
    drafts.map((draft) => [
      draft,
      new Set((draft.after ?? []).filter((other) => all.has(other)))
    ])
  );
  const byAddress2 = /* @__PURE__ */ new Map();
  for (const draft of drafts)
    for (const address of draft.changes) byAddress2.set(address, [...byAddress2.get(address) ?? [], draft]);
  const changeOf2 = new Map(changes.map((change) => [change.address, change]));
  const holders = holdersOf(changes, kinds, live);
  const renamed2 = new Map(
    changes.flatMap(
      ({ address, before }) => before?.renamedTo === void 0 ? [] : [[before.renamedTo, address]]
    )
  );
  for (const draft of drafts) {
    for (const address of draft.changes) {
      const change = changeOf2.get(address);
      if (!change) continue;
      const verb = verbIn(draft, address);
      const left = change.before?.transfer?.from ?? (verb === "delete" ? address : void 0);
      if (left !== void 0)
        addAll(
          draft,
          holders(left).flatMap((holder) => leavers(holder, change))
        );
      if (verb !== "delete")
        for (const needed of needsOf(change, kinds)) addAll(draft, makersOf(needed, change));
      if (verb === "create") addAll(draft, byAddress2.get(renamed2.get(address) ?? "") ?? []);
    }
  }
  for (const { giving, taking } of soleValues(drafts, changeOf2, verbIn))
    for (const draft of taking) addAll(draft, giving);
  const collections = groupBy(drafts, ({ kind, parent }) => collectionId(kind.name, parent));
  for (const draft of drafts)
    for (const name of draft.kind.lifecycle.after ?? [])
      for (const first of collections.get(collectionId(name, draft.parent)) ?? []) {
        if (first.verb === "delete") addAll(first, [draft]);
        else addAll(draft, [first]);
      }
  for (const lane of lanesOf(drafts, kinds))
    for (let i = 1; i < lane.length; i++) needs.get(lane[i]).add(lane[i - 1]);
  function verbIn({ changes: of, verb }, address) {
    const action = changeOf2.get(address)?.action;
    if (of.length === 1) return verb;
    return action === "create" || action === "delete" ? action : "update";
  }
  function makersOf(address, { after }) {
    const whole2 = after?.meta.dependsOn?.includes(address);
    return (byAddress2.get(address) ?? []).filter((draft) => {
      const verb = verbIn(draft, address);
      const comes = changeOf2.get(address)?.before?.transfer !== void 0;
      return whole2 || comes ? verb !== "delete" : verb === "create";
    });
  }
  function addAll(draft, others) {
    for (const other of others) if (other !== draft) needs.get(draft).add(other);
  }
  function leavers({ address, action }, held) {
    if (held.action === "replace" && action !== "delete") return [];
    return (byAddress2.get(address) ?? []).filter((draft) => verbIn(draft, address) !== "create");
  }
  const result = topologicalOrder(drafts, (draft) => needs.get(draft));
  if ("cycle" in result) {
    const names = result.cycle.flatMap((draft) => draft.changes.slice(0, 1)).join(" -> ");
    return {
      operations: [],
      problems: [
        problem("plan/cycle", `these changes depend on each other: ${names}`, {
          hint: "apply them in two steps, or remove a `$dependsOn`"
        })
      ]
    };
  }
  const ids = namesFor(result.order);
  const operations = result.order.map((draft) => ({
    id: ids.get(draft),
    kind: draft.kind.name,
    ...draft.parent === void 0 ? {} : { parent: draft.parent },
    changes: draft.changes,
    requests: draft.requests,
    dependsOn: [...needs.get(draft)].map((other) => ids.get(other)).sort()
  }));
  return { operations: withReservations(result.order, operations), problems: [] };
}
function soleValues(drafts, changeOf2, verbIn) {
  const values = /* @__PURE__ */ new Map();
  for (const draft of drafts)
    for (const [name, schema] of Object.entries(comparedFields(draft.kind))) {
      const { sole } = traitsOf(schema);
      if (sole === void 0) continue;
      for (const address of draft.changes) {
        const verb = verbIn(draft, address);
        const { before, after } = changeOf2.get(address) ?? {};
        const value = verb === "delete" ? before?.fields[name] : verb === "create" && after?.fields[name];
        if (!value) continue;
        const key = `${sole} ${canonical(value)}`;
        const one = values.get(key) ?? { giving: [], taking: [] };
        (verb === "delete" ? one.giving : one.taking).push(draft);
        values.set(key, one);
      }
    }
  return [...values.values()];
}
function lanesOf(drafts, kinds) {
  const order = [...kinds.keys()];
  const rank = ({ phase, kind }) => [phase === "first" ? 0 : phase === "last" ? 2 : 1, order.indexOf(kind.name)];
  const lanes = groupBy(
    drafts.filter(({ kind }) => kind.lifecycle.lane),
    ({ kind, parent }) => `${kind.lifecycle.lane} ${ancestorsOf(kinds, kind, parent).find(({ kind: kind2 }) => kind2.lifecycle.container)?.address}`
  );
  return [...lanes.values()].map(
    (lane) => [...lane].sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1])
  );
}
function namesFor(drafts) {
  const used = /* @__PURE__ */ new Map();
  return new Map(
    drafts.map((draft) => {
      const [first, ...others] = draft.changes;
      const name = `${draft.verb} ${first}${others.length > 0 ? ` and ${others.length} more` : ""}`;
      const count = (used.get(name) ?? 0) + 1;
      used.set(name, count);
      return [draft, count === 1 ? name : `${name} (${count})`];
    })
  );
}
function withReservations(drafts, operations) {
  const indexOf = new Map(drafts.map((draft, index) => [draft, index]));
  const deletions = drafts.map(({ requests }) => requests.findIndex(isDeletion));
  const reserves = drafts.map(() => /* @__PURE__ */ new Set());
  const reservedFrom = drafts.map(() => Infinity);
  const reserve = (by, operation, from) => {
    if (from >= drafts[operation].requests.length) return;
    reserves[by].add(operation);
    reservedFrom[operation] = Math.min(reservedFrom[operation], from);
  };
  drafts.forEach(({ requests, after = [] }, index) => {
    const deletion2 = deletions[index];
    if (deletion2 >= 0 && requests.slice(deletion2 + 1).some(isCreation)) reserve(index, index, deletion2 + 1);
    if (!requests.some(isCreation)) return;
    for (const draft of after) {
      const other = indexOf.get(draft);
      if (other === void 0 || deletions[other] < 0) continue;
      reserve(other, other, deletions[other] + 1);
      reserve(other, index, 0);
    }
  });
  return operations.map((operation, index) => ({
    ...operation,
    requests: operation.requests.map(
      (one, at) => at < reservedFrom[index] ? one : { ...one, reserved: operation.id }
    ),
    ...reserves[index].size > 0 ? { reserves: [...reserves[index]].map((other) => operations[other].id) } : {}
  }));
}
var isDeletion = ({ drops = [], stages }) => drops.length > 0 && !stages;
var isCreation = ({ returns = [], batch = [] }) => returns.length > 0 || batch.length > 0;

// src/plan/undo-of.ts
function undoOf(change, kind, isNew, input) {
  const { action, grade: grade2, gradeReason, permissions: permissions2 = [], moves } = change;
  const no = (why) => ({ can: "no", why });
  switch (action) {
    case "noop":
    case "release":
    case "forget":
      return whole;
    case "create":
      if (permissions2.includes("cost")) return no("its cost is not refunded");
      if (!can(kind, "delete")) return no("nothing deletes it");
      if (!isReadable(kind)) return but([], "if something existed before, its value is unknown");
      return whole;
    case "delete":
      return deleted(change, kind, input);
    default:
      if (permissions2.includes("cost")) return no("its cost is not refunded");
      if (grade2 === "irreversible") return no(gradeReason ?? "it cannot be undone");
      if (isNew) return whole;
      if (action === "replace" && kind.shows)
        return but([kind.shows], "it is shown only once, and a new one is different");
      if (!can(kind, "update") && action !== "replace" && !moves && change.fields.some(asksForWrite))
        return no("it cannot be changed back");
      return changed(change, kind);
  }
}
var whole = { can: "wholly" };
var but = (paths, why) => ({
  can: "but for a value",
  ...paths.length > 0 ? { lost: paths } : {},
  why
});
function deleted(change, kind, { ledger }) {
  const { address, grade: grade2, gradeReason, exclusive, before } = change;
  if (exclusive) return { can: "no", why: "it is not in any configuration" };
  if (grade2 === "irreversible") return { can: "no", why: gradeReason ?? "it cannot be undone" };
  if (!can(kind, "create")) return { can: "no", why: "nothing creates it" };
  if (kind.shows) return but([kind.shows], "it is shown only once, and a new one is different");
  const entry = ledger.entries[address];
  const leaves = leavesOf(comparedFields(kind), before?.fields ?? {});
  const secrets = leaves.flatMap(({ path, isSecret }) => isSecret ? [path] : []);
  if (secrets.length > 0) return but(secrets, "secrets are not kept");
  const gone2 = leaves.flatMap(({ path, value }) => {
    const [name] = namesIn(path);
    const isKnown = kind.key.includes(name) || entry?.fields[path] !== void 0;
    const canBeSet = !isFile(kind, path) && schemaAt(kind, path)?.safeParse(value).success;
    return isKnown || isUsual(kind, path, value) || canBeSet ? [] : [path];
  });
  return gone2.length > 0 ? but(gone2, "no record can hold it") : whole;
}
function changed({ fields }, kind) {
  const sent = fields.filter(asksForWrite);
  const secrets = sent.filter(
    ({ secret, before, after }) => secret || isHiddenSide({}, before) || isHiddenSide({}, after)
  );
  if (secrets.length > 0)
    return but(
      secrets.map(({ path }) => path),
      "secrets are not kept"
    );
  const isStuck = ({ path, after }) => {
    const schema = schemaAt(kind, path);
    const { immutable } = schema ? traitsOf(schema) : {};
    return typeof immutable === "function" && immutable(after);
  };
  const stuck = kind.lifecycle.replace === "free" ? [] : sent.filter(isStuck);
  if (stuck.length > 0)
    return {
      can: "no",
      lost: stuck.map(({ path }) => path),
      why: "the platform cannot change it back in place"
    };
  const staying = sent.filter(
    ({ path, before }) => isFile(kind, path) || (before === void 0 || before === null) && !takesNull(kind, path)
  );
  return staying.length > 0 ? but(
    staying.map(({ path }) => path),
    "its current value is not kept, or cannot be set"
  ) : whole;
}
function recreatedFields({ fields }, before, kind) {
  const declared = knownFields(kind, before, nothingKnown);
  const found = { extra: [], lost: [] };
  for (const { path: name, before: was, secret, omitted } of fields) {
    if (kind.key.includes(name) || name === kind.shows) continue;
    const isSecret = secret === true || was === "(secret)";
    if (isSecret || omitted) {
      if (declared[name] === void 0) found.lost.push({ path: name, secret: isSecret });
      continue;
    }
    const field = {};
    put(field, name, was);
    for (const { path, value } of leavesOf(comparedFields(kind), field)) {
      if (atPath(declared, path) !== void 0 || isUsual(kind, path, value)) continue;
      const canBeSet = !isFile(kind, path) && schemaAt(kind, path)?.safeParse(value).success;
      if (canBeSet) found.extra.push([path, value]);
      else found.lost.push({ path, secret: false });
    }
  }
  return found;
}
var nothingKnown = { secrets: /* @__PURE__ */ new Map(), attribute: () => void 0 };
function isUsual(kind, path, value) {
  const [name] = namesIn(path);
  return ["null", '""', "[]", "{}"].includes(canonical(value)) || canonical(value) === canonical(kind.usual?.[name]);
}
function schemaAt(kind, path) {
  const [first, ...names] = namesIn(path);
  return names.reduce(
    (at, name) => at && membersOf(at)?.(name),
    comparedFields(kind)[first]
  );
}
var takesNull = (kind, path) => schemaAt(kind, path)?.safeParse(null).success ?? false;
function isFile(kind, path) {
  const schema = schemaAt(kind, path);
  return schema !== void 0 && traitsOf(schema).file !== void 0;
}

// src/plan/plan.ts
function plan(given) {
  const input = sealLive(claimedByName(paired(inOrder(given))));
  const diagnostics = [];
  const report = (diagnostic) => void diagnostics.push(diagnostic);
  const decisions = decide(input, report);
  respectOwners(decisions, input, report);
  const lowerings = arranged(decisions.changes, input, report);
  const changes = select(decisions.changes, input, report).sort(byAddress);
  const drafts = asDocuments(lower(changes, lowerings, decisions, input), changes, input);
  for (const { changes: addresses, disrupts } of drafts)
    for (const change of changes)
      if (disrupts && addresses.includes(change.address) && change.grade === "safe")
        Object.assign(change, { grade: "disruptive", gradeReason: disrupts });
  const losses = lossesIn(drafts, changes);
  for (const change of changes) {
    const lost = losses.get(change.address);
    if (lost)
      Object.assign(change, {
        grade: "destructive",
        gradeReason: `${lost} of what it holds ${lost === 1 ? "is" : "are"} deleted`
      });
  }
  const { operations, problems } = sequence(
    drafts.filter(({ requests }) => requests.length > 0),
    changes,
    input.kinds,
    input.live
  );
  problems.forEach(report);
  for (const change of changes) {
    if (change.action !== "replace") continue;
    const own = operations.filter((operation) => operation.changes.includes(change.address));
    if (createsFirst(own)) Object.assign(change, createdFirst(change));
  }
  const sent = new Set(operations.flatMap((operation) => operation.changes));
  for (const change of changes) if (sent.has(change.address)) delete change.renews;
  const created = new Set(changes.flatMap(({ action, address }) => action === "create" ? [address] : []));
  for (const change of changes) {
    const kind = input.kinds.get(change.kind);
    const isNew = ancestorsOf(input.kinds, kind, change.parent).some(({ address }) => created.has(address));
    change.undo = undoOf(change, kind, isNew, input);
  }
  guard(changes, drafts, losses, input, report);
  const gone2 = goneIn(changes, losses, input);
  const unlisted = [...new Set([...input.live.unlisted].map((id) => collectionParts(id)[1]))].sort();
  const waiting = waitingIn(changes, input.kinds);
  return {
    stack: input.desired.stack,
    complete: !decisions.incomplete,
    ...input.options?.targets?.length || input.options?.excludes?.length ? { partial: true } : {},
    changes,
    ...gone2.length > 0 ? { gone: gone2 } : {},
    operations,
    unmanaged: decisions.unmanaged.map(({ kind, address, ids }) => ({ kind, address, id: ids.join(",") })).sort(byAddress),
    ...unlisted.length > 0 ? { unlisted } : {},
    ...waiting.length > 0 ? { waiting } : {},
    ...awaitsIn(changes, input),
    diagnostics
  };
}
function awaitsIn(changes, { options }) {
  const awaits = changes.flatMap(({ address, action, before, after }) => {
    const stack = options?.awaited?.get(address);
    return stack !== void 0 && action === "noop" && !before && after?.meta.existing ? [{ address, stack }] : [];
  });
  return awaits.length > 0 ? { awaits } : {};
}
var waitingIn = (changes, kinds) => changes.flatMap((change) => {
  const { address, after, before, action } = change;
  const later = kinds.get(change.kind)?.read.later;
  if (!later || !after || action === "forget") return [];
  const minutes = after.meta.wait;
  const asked = minutes === void 0 ? {} : { minutes };
  if (!makesObject(change)) return before?.pending ? [{ address, ...before.pending, ...asked }] : [];
  if (later.rarely && minutes === void 0) return [];
  return [{ address, why: `ready once ${later.until}`, ...asked }];
});

// src/model/move.ts
var swapped = (address, old, now) => isWithin(address, old) ? now + address.slice(old.length) : address;
var moved = (address, moves) => moves.reduce((at, { from, to }) => swapped(at, from, to), address);
var unmoved = (address, moves) => moves.reduceRight((at, { from, to }) => swapped(at, to, from), address);
function renamed(ledger, nameOf3) {
  const { entries, begun, staged, owed } = ledger;
  return {
    ...ledger,
    entries: inOrder2(entries, nameOf3, (entry) => renamedEntry(entry, nameOf3)),
    ...begun ? {
      begun: inOrder2(begun, nameOf3, (one) => ({ ...one, entry: renamedEntry(one.entry, nameOf3) }))
    } : {},
    ...staged ? {
      staged: inOrder2(
        staged,
        (id) => {
          const [parent, kind] = collectionParts(id);
          return collectionId(kind, parent && nameOf3(parent));
        },
        (one) => ({ ...one, of: inOrder2(one.of, nameOf3, (content) => content) })
      )
    } : {},
    ...owed ? {
      owed: Object.fromEntries(
        Object.values(owed).map((debt) => {
          const now = renamedDebt(debt, nameOf3);
          return [actionId(now), now];
        })
      )
    } : {}
  };
}
var renamedDebt = (debt, nameOf3) => ({
  ...debt,
  ...debt.about === void 0 ? {} : { about: nameOf3(debt.about) },
  from: debt.from.map(nameOf3)
});
function renamedEntry(entry, nameOf3) {
  const { dependsOn } = entry;
  return dependsOn ? { ...entry, dependsOn: dependsOn.map(nameOf3) } : entry;
}
var inOrder2 = (all, nameOf3, change) => Object.fromEntries(Object.entries(all).map(([name, one]) => [nameOf3(name), change(one)]));

// src/plan/rebase.ts
function rebase(ledger, desired, { adoptRenamed = false, kinds } = {}) {
  const aliases = /* @__PURE__ */ new Map();
  const diagnostics = [];
  const moves = [];
  let now = ledger;
  const knownGroups = new Set(
    [...desired.resources.values()].filter(
      ({ address, meta }) => ledger.entries[address] || meta.was !== void 0 && ledger.entries[meta.was]
    ).map(({ group }) => group)
  );
  for (const { address, meta, at, group } of desired.resources.values()) {
    if (meta.was === void 0 || now.entries[address]) continue;
    const { was } = meta;
    if (desired.resources.has(was))
      diagnostics.push(
        problem("was/both-declared", `${address} has \`$was\` ${was}, which is also declared`, {
          address,
          at,
          hint: desired.resources.get(was).meta.was === void 0 ? "remove the old block, or the `$was`" : `a chain of renames takes one run each, last one first: wait with ${was} until ${address} is renamed`
        })
      );
    else if (now.entries[was]) {
      aliases.set(was, address);
      moves.push({ from: was, to: address, by: address });
      now = renamed(now, (old) => moved(old, moves.slice(-1)));
    } else if (adoptRenamed) aliases.set(was, address);
    else if (!meta.forget && (group === void 0 || !knownGroups.has(group)))
      diagnostics.push(
        problem("was/unknown", `${address} has \`$was\` ${was}, which this stack never applied`, {
          address,
          at,
          hint: "remove the `$was`, or run with --adopt-renamed to rename the object of that name in the account"
        })
      );
  }
  if (!kinds || moves.length === 0) return { ledger: now, moves, aliases, diagnostics };
  const wanted = namedAfter(desired.resources.values(), { ledger: now, moves }, kinds).filter(
    ({ from }) => !desired.resources.has(from)
  );
  return { ...followed({ ledger: now, moves }, wanted), aliases, diagnostics };
}
function rebaseFound(rebased, live, kinds) {
  if (rebased.moves.length === 0) return rebased;
  const { entries } = rebased.ledger;
  const isSame = ({ from, to }) => !live.resources.has(from) && live.resources.get(to).ids.some((id) => entries[from].ids.includes(id));
  return followed(rebased, namedAfter(live.resources.values(), rebased, kinds).filter(isSame));
}
function namedAfter(objects, { ledger: { entries }, moves }, kinds) {
  const oldOf = new Map(moves.map(({ from, to }) => [to, from]));
  return [...objects].flatMap(({ address, kind: name, parent, fields }) => {
    if (entries[address]) return [];
    const by = holesIn(fields).find((hole) => isRef(hole) && oldOf.has(hole.$ref));
    if (!by || !isRef(by)) return [];
    const kind = kinds.get(name);
    const before = mapMembers(
      fields,
      (value) => mapHoles(value, (hole) => isRef(hole) ? { ...hole, $ref: oldOf.get(hole.$ref) ?? hole.$ref } : hole)
    );
    const from = addressOf(parent, kind.section, namesOf(kind, before));
    return entries[from] ? [{ from, to: address, by: by.$ref }] : [];
  });
}
var followed = ({ ledger, moves }, more) => ({
  ledger: more.length === 0 ? ledger : renamed(ledger, (old) => moved(old, more)),
  moves: [...moves, ...more]
});

// src/plan/scope.ts
function scopeOf(targets, { desired, ledger, kinds }) {
  return new ScopeFinder(desired, ledger, kinds).find(targets);
}
var ScopeFinder = class {
  #desired;
  #ledger;
  #kinds;
  /** The kind of every address that the configuration or the ledger mentions. */
  #known = /* @__PURE__ */ new Map();
  #siblings;
  #byName;
  #within;
  /** The addresses that needed another one when it was applied. */
  #dependents;
  #added = /* @__PURE__ */ new Set();
  #scope = { addresses: /* @__PURE__ */ new Set(), collections: /* @__PURE__ */ new Set(), left: 0 };
  constructor(desired, ledger, kinds) {
    this.#desired = desired;
    this.#ledger = ledger;
    this.#kinds = kinds;
    for (const { address, kind } of desired.resources.values()) this.#know(address, kind);
    for (const [address, { kind }] of Object.entries(ledger.entries)) this.#know(address, kind);
    for (const [address, { entry }] of Object.entries(ledger.begun ?? {})) this.#know(address, entry.kind);
    for (const [id, { of }] of Object.entries(ledger.staged ?? {}))
      for (const address of Object.keys(of)) this.#know(address, collectionParts(id)[1]);
    this.#siblings = groupBy(this.#known.keys(), (address) => this.#collectionOf(address));
    this.#byName = groupBy(this.#known.keys(), (address) => this.#nameOf(address));
    this.#within = groupBy(this.#known.keys(), (address) => this.#parentOf(address));
    const needs = Object.entries(ledger.entries).flatMap(
      ([address, { dependsOn = [] }]) => dependsOn.map((needed) => ({ needed, address }))
    );
    this.#dependents = new Map(
      [...groupBy(needs, ({ needed }) => needed)].map(([needed, of]) => [
        needed,
        of.map(({ address }) => address)
      ])
    );
  }
  find(targets) {
    const { addresses, collections } = this.#scope;
    const isTarget = matcherOf(targets);
    for (const address of this.#known.keys()) if (isTarget(address)) addresses.add(address);
    for (const address of Object.keys(this.#ledger.begun ?? {})) addresses.add(address);
    for (const { of } of Object.values(this.#ledger.staged ?? {}))
      for (const address of Object.keys(of)) addresses.add(address);
    for (const id of this.#exclusive()) {
      const [parent, name] = collectionParts(id);
      if (!mayHold(this.#kinds.get(name), parent, targets)) continue;
      collections.add(id);
      if (parent !== void 0) addresses.add(parent);
      for (const address of this.#siblings.get(id) ?? []) addresses.add(address);
    }
    for (const address of addresses)
      for (const other of this.#around(address)) if (this.#known.has(other)) addresses.add(other);
    const left = [...this.#known.keys()].filter((address) => !addresses.has(address)).length;
    return { addresses, collections, left };
  }
  #know(address, name) {
    for (const [one, , at] of placesOf(address, name, this.#kinds))
      this.#known.set(at, this.#kinds.get(one));
  }
  #collectionOf(address) {
    const kind = this.#known.get(address);
    return collectionId(kind.name, this.#parentOf(address));
  }
  #parentOf(address) {
    const kind = this.#known.get(address);
    return this.#desired.resources.get(address)?.parent ?? parentOf(address, kind);
  }
  #nameOf(address) {
    return `${this.#known.get(address).name} ${address.slice(address.lastIndexOf("/"))}`;
  }
  /** The collections in which undeclared objects are deleted. */
  #exclusive() {
    return [...this.#desired.resources.values()].flatMap(
      ({ address, kind, meta: { exclusive } }) => exclusive ? childKinds(this.#kinds, kind).filter(({ section }) => exclusive.includes(section)).map(({ name }) => collectionId(name, address)) : []
    );
  }
  /** Everything that must be known to plan an address, one step further. */
  #around(address) {
    const kind = this.#known.get(address);
    if (!kind) return [];
    const parent = this.#parentOf(address);
    const id = collectionId(kind.name, parent);
    const want = this.#desired.resources.get(address);
    const entry = this.#ledger.entries[address];
    const fields = want?.fields ?? {};
    return [
      ...parent === void 0 ? [] : [parent],
      ...holesIn(fields).flatMap((hole) => isRef(hole) ? [hole.$ref] : []),
      ...namesIn2(fields, kind, parent, this.#kinds),
      ...want?.meta.dependsOn ?? [],
      ...entry?.dependsOn ?? [],
      // Where an object can be read alone, its siblings have nothing to do with it.
      ...kind.read.one && !this.#scope.collections.has(id) ? [] : this.#siblingsOf(id),
      ...isHandedOver(kind) ? this.#byName.get(this.#nameOf(address)) ?? [] : [],
      ...want ? [] : this.#leaning(address, kind, parent)
    ];
  }
  /** The siblings of an address: all at once, the first time that one of them is asked for. */
  #siblingsOf(id) {
    return this.#isFirst(`siblings of ${id}`) ? this.#siblings.get(id) ?? [] : [];
  }
  /** The dependents of an undeclared object, and its possible holders. */
  #leaning(address, kind, parent) {
    const isNear = (other) => parent === void 0 || isWithin(other, parent);
    const namers = this.#isFirst(`namers of ${collectionId(kind.name, parent)}`) ? [...this.#known].flatMap(
      ([other, of]) => hasIdOfItsOwn(kind) || namedKinds(of).has(kind.name) && isNear(other) ? [other] : []
    ) : [];
    return [...this.#within.get(address) ?? [], ...this.#dependents.get(address) ?? [], ...namers];
  }
  /** True the first time: nothing needs to be added twice. */
  #isFirst(what) {
    const isFirst = !this.#added.has(what);
    this.#added.add(what);
    return isFirst;
  }
};
var hasIdOfItsOwn = ({ shape, key, id = "id" }) => !shape.byAddress && key.length > 0 && !(typeof id === "string" && key.includes(id));
function mayHold({ section }, parent, globs) {
  const place = `${addressOf(parent, section, [])}/`;
  return globs.some((glob) => {
    const [fixed] = /^[^*?[{(!]*/.exec(glob);
    return place.startsWith(fixed) || fixed.startsWith(place);
  });
}
function namedKinds(kind) {
  const known = named.get(kind);
  if (known) return known;
  const found = new Set(Object.values(comparedFields(kind)).flatMap((schema) => kindsIn(schema)));
  named.set(kind, found);
  return found;
}
var named = /* @__PURE__ */ new WeakMap();
var kindsIn = once((schema) => {
  const { ref, softRef, within } = traitsOf(schema);
  const { element, valueType, options } = schema.def;
  const below = [
    innerOf(schema),
    element,
    valueType,
    ...options ?? [],
    ...Object.values(shapeOf(schema) ?? {})
  ];
  return [
    ...[ref, softRef, within].filter((one) => one !== void 0),
    ...below.flatMap((one) => one ? kindsIn(one) : [])
  ];
});

// src/plan/transfers.ts
function transferred({ ledger, moves }, live, { desired, kinds }) {
  const around = { desired, live, ledger, kinds };
  const candidates = /* @__PURE__ */ new Map();
  const more = [];
  for (const [from, want] of redeclared(around)) {
    const kind = kinds.get(want.kind);
    const found = live.resources.get(from);
    const entry = ledger.entries[from];
    const is = (one) => one?.ids.some((id) => entry.ids.includes(id)) ?? false;
    const there = live.resources.get(want.address);
    if (!found && is(there)) more.push({ from, to: want.address, by: want.address });
    if (!found || there || found.alternatives || !is(found) || isOther(found.parent, around)) continue;
    candidates.set(from, { kind, want, found, parent: found.parent });
  }
  const asked = [...candidates];
  const diagnostics = leaveOutStuck(candidates, around);
  const stuck = asked.filter(([from]) => !candidates.has(from));
  const resources = new Map(live.resources);
  for (const [from, { want, found, parent, kind }] of candidates) {
    const leader = namedBy2(found, kind, parent, kinds).find((name) => candidates.has(name));
    const along = leader === void 0 ? {} : { with: candidates.get(leader).want.address };
    resources.delete(from);
    const now = { address: want.address, parent: want.parent, transfer: { from, parent, ...along } };
    resources.set(want.address, { ...found, ...now });
    more.push({ from, to: want.address, by: want.address });
  }
  return {
    ledger: more.length === 0 ? ledger : renamed(ledger, (old) => moved(old, more)),
    moves: [...moves, ...more],
    live: candidates.size === 0 ? live : { ...live, resources },
    claims: new Map(more.map(({ from, to }) => [to, from])),
    anew: new Map(stuck.map(([from, { want }]) => [from, want.address])),
    diagnostics
  };
}
function redeclared({ desired, ledger, kinds }) {
  const isFree = ([address, { kind, existing }]) => isHandedOver(kinds.get(kind)) && !existing && !desired.resources.has(address);
  const free = groupBy(
    Object.entries(ledger.entries).filter(isFree),
    ([address, { kind }]) => nameOf2(kind, address)
  );
  if (free.size === 0) return [];
  return [...desired.resources.values()].flatMap((want) => {
    const { address, kind, meta } = want;
    if (meta.existing || meta.forget || ledger.entries[address]) return [];
    return (free.get(nameOf2(kind, address)) ?? []).map(([from]) => [from, want]);
  });
}
var nameOf2 = (kind, address) => `${kind} ${address.slice(address.lastIndexOf("/"))}`;
var isAsKnown = (address, { ledger, live }) => ledger.entries[address]?.ids.some((id) => live.resources.get(address)?.ids.includes(id)) ?? false;
var isOther = (address, around) => around.ledger.entries[address] !== void 0 && !isAsKnown(address, around);
var namedBy2 = (one, kind, parent, kinds) => namesIn2(one.fields, kind, parent, kinds, true);
function leaveOutStuck(candidates, around) {
  const diagnostics = [];
  for (let before = -1; before !== candidates.size; ) {
    before = candidates.size;
    for (const [from, one] of candidates) {
      const why = obstacle(from, one, candidates, around);
      if (why === void 0) continue;
      candidates.delete(from);
      const { address, at } = one.want;
      diagnostics.push(
        warning(
          "transfer/anew",
          `${from} is deleted and recreated as ${address}: it cannot be moved, since ${why}`,
          {
            address,
            at
          }
        )
      );
    }
  }
  return diagnostics;
}
function obstacle(from, { kind, want, found, parent }, candidates, around) {
  const { desired, live, ledger, kinds } = around;
  const fixed = Object.keys(want.fields).find(
    (name) => !kind.key.includes(name) && want.fields[name] !== null && traitsOf(kind.fields[name]).immutable
  );
  if (fixed !== void 0) return `a move cannot set \`${fixed}\``;
  const isComing = (address) => candidates.get(address)?.want.parent === want.parent;
  for (const [field, value] of Object.entries(found.fields))
    for (const named2 of namedBy2({ fields: { [field]: value } }, kind, parent, kinds)) {
      const there = want.parent + named2.slice(parent.length);
      const isThere = desired.resources.has(there) || live.resources.has(there);
      const isMadeAnew = live.resources.has(named2) && isThere;
      if (!isComing(named2) && (isMadeAnew || want.fields[field] === void 0 && !isThere))
        return `its \`${field}\` names ${named2}, which does not move with it`;
    }
  const siblings = byCollection(live.resources).get(collectionId(kind.name, parent)) ?? [];
  const namersOf = (address) => siblings.filter((one) => namedBy2(one, kind, parent, kinds).includes(address));
  const staying = namersOf(from).find((one) => {
    if (isComing(one.address)) return namersOf(one.address).length > 0;
    const next = desired.resources.get(one.address);
    if (!next) return !isAsKnown(one.address, around) || !desired.resources.has(parent);
    const fields = { ...one.fields, ...next.fields };
    return !ledger.entries[one.address] || namedBy2({ fields }, kind, parent, kinds).includes(from);
  });
  return staying && `${staying.address} refers to it and would move along`;
}

// src/run/changed-by.ts
var slack = 1e3;
async function changedBy({ connection, masking }, { changes }, ledger, live) {
  const drifted = changes.filter(isDrift);
  if (drifted.length === 0) return [];
  const since = new Map(drifted.map((change) => [change, lastWritten(change, ledger)]));
  const from = Math.min(...since.values());
  const events = await connection.events?.(Number.isFinite(from) ? from : 0).catch(() => void 0) ?? [];
  const names = new Map(events.flatMap(({ by }) => by.id === void 0 ? [] : [[by.id, by.name]]));
  return drifted.flatMap((change) => {
    const { address } = change;
    const object = change.before ?? live.resources.get(address);
    const told = latest(events, change, object, ledger.entries[address]?.ids ?? [], since.get(change));
    const mask = (text) => masking.mask(text);
    if (told)
      return [
        {
          address,
          who: mask(told.by.name),
          when: new Date(told.when).toISOString(),
          ...told.through === void 0 ? {} : { through: mask(told.through) }
        }
      ];
    const { facts, updatedAt } = object ?? {};
    const updatedBy = facts?.updatedBy;
    if (typeof updatedBy !== "string" || updatedAt === void 0 || updatedAt <= since.get(change))
      return [];
    const who = names.get(updatedBy) ?? `the user ${updatedBy}`;
    return [{ address, who: mask(who), when: new Date(updatedAt).toISOString() }];
  });
}
var lastWritten = ({ address }, ledger) => ledger.entries[address]?.updatedAt ?? (ledger.lastWrite === void 0 ? 0 : Date.parse(ledger.lastWrite) + slack);
function latest(events, { address, parent }, object, known, since) {
  const ids = /* @__PURE__ */ new Set([...known, ...object?.ids ?? []]);
  const name = lastNameOf(address).split("@")[0];
  const isAbout2 = ({ about }) => [...ids].some((id) => about.has(id)) || parent !== void 0 && about.has(lastNameOf(parent)) && about.has(name);
  const found = events.filter((event) => event.when > since && isAbout2(event));
  return found.sort((a, b) => b.when - a.when)[0];
}

// src/run/resume.ts
function resume(ledger, live, { kinds, key, isSettled: isSettled2 }) {
  const found = {
    entries: { ...ledger.entries },
    intents: { ...ledger.begun },
    resources: new Map(live.resources),
    resumed: /* @__PURE__ */ new Set(),
    diagnostics: [],
    known: { key, idOf: idIn(live) },
    isSettled: isSettled2
  };
  for (const [address, intent] of Object.entries(found.intents)) {
    const kind = kinds.get(intent.entry.kind);
    const parent = kind && parentOf(address, kind);
    if (!kind || live.frozen.has(collectionId(kind.name, parent))) continue;
    if (kind.shape.byAddress) resumeRows(address, intent, kind, found);
    else resumeObject(address, intent, kind, found);
  }
  const { begun: _, staged: __, ...rest } = ledger;
  const { entries, intents, resources, resumed, diagnostics } = found;
  const isOpen = Object.keys(intents).length > 0;
  const staged = isSettled2 ? stillStaged(ledger, live) : ledger.staged;
  return {
    ledger: { ...rest, entries, ...staged ? { staged } : {}, ...isOpen ? { begun: intents } : {} },
    live: { ...live, resources },
    resumed,
    diagnostics
  };
}
function put2({ entries, resumed }, address, entry) {
  if (entry) entries[address] = entry;
  else delete entries[address];
  resumed.add(address);
}
var isSeen = ({ entry, seen }, id) => seen.includes(seenId(entry.salt, id));
var objectsAt = ({ resources }, address) => {
  const here = resources.get(address);
  return allOf(here && [here]);
};
function resumeRows(address, intent, kind, found) {
  const { known, isSettled: isSettled2 } = found;
  const old = found.entries[address];
  const rows = objectsAt(found, address).flatMap((unit) => unit.rows ?? []);
  const made = rows.filter(
    ({ id, fields }) => !old?.ids.includes(id) && !isSeen(intent, id) && isMadeOf(fields, intent.entry, kind, known)
  );
  const mine = [...rows.filter(({ id }) => old?.ids.includes(id)), ...made];
  if (made.length > 0) put2(found, address, ofRows(mine, intent.entry, old, kind, known));
  else if (old && mine.length === 0) put2(found, address, void 0);
  if (made.length > 0 || isSettled2) delete found.intents[address];
}
function resumeObject(address, intent, kind, found) {
  const { entries, resources, intents, diagnostics, known, isSettled: isSettled2 } = found;
  const old = entries[address];
  if (old?.ids.some((id) => !isSeen(intent, id))) {
    delete intents[address];
    return;
  }
  const pool = candidatesFor(address, kind, found);
  const isOfOthers = (other) => other.address !== address && entries[other.address]?.ids.includes(other.id);
  const made = pool.filter(
    (other) => !old?.ids.includes(other.id) && !isSeen(intent, other.id) && !isOfOthers(other) && isMadeOf(other.fields, intent.entry, kind, known)
  );
  if (made.length > 1) {
    diagnostics.push(several(address, made));
    return;
  }
  const [one] = made;
  if (!one) {
    const isThere = pool.some(({ ids }) => ids.some((id) => old?.ids.includes(id)));
    if (old && !isThere && !resources.has(address)) put2(found, address, void 0);
    if (isSettled2) delete intents[address];
    return;
  }
  if (!kind.shape.isNamed && one.address !== address) relabel(one, address, kind, found);
  const left = kind.shape.isNamed ? (old?.ids ?? []).filter((id) => pool.some(({ ids }) => ids.includes(id))) : [];
  const entry = asAnswered(intent, one);
  put2(found, address, { ...entry, ids: [...left, ...entry.ids] });
  delete intents[address];
}
function candidatesFor(address, kind, found) {
  if (kind.shape.isNamed) return objectsAt(found, address);
  const parent = parentOf(address, kind);
  return [...found.resources.values()].filter((one) => one.kind === kind.name && one.parent === parent);
}
function relabel(one, address, kind, found) {
  const { resources, entries } = found;
  const here = resources.get(address);
  const old = entries[address];
  if (here && old) {
    const beside = addressOf(one.parent, kind.section, [escapeName(here.id)]);
    resources.set(beside, relabelled(here, beside, kind));
    put2(found, beside, old);
  }
  resources.delete(one.address);
  resources.set(address, relabelled(one, address, kind));
}
function stillStaged({ staged = {} }, { versions }) {
  const left = Object.entries(staged).filter(([id]) => {
    const found = versions.get(id);
    return !found || found.staged !== void 0;
  });
  return left.length > 0 ? Object.fromEntries(left) : void 0;
}
function asAnswered({ entry, sent }, found) {
  const secrets = Object.entries(entry.secrets).filter(
    ([path]) => sent || atPath(found.fields, path) !== void 0
  );
  return { ...entry, ids: found.ids, secrets: Object.fromEntries(secrets) };
}
function ofRows(mine, begun, old, kind, known) {
  const ids = [...new Set(mine.map(({ id }) => id))].sort();
  const unit = mine.map(({ fields }) => fields).reduce((one, other) => kind.shape.merged?.(one, other) ?? one);
  if (isMadeOf(unit, begun, kind, known, true)) return { ...begun, ids };
  return { ...old ?? { ...begun, fields: {}, secrets: {} }, ids };
}
var relabelled = (one, address, kind) => ({
  ...one,
  address,
  fields: { ...one.fields, [kind.key[0]]: lastNameOf(address) }
});
var several = (address, made) => problem(
  "resume/ambiguous",
  `an interrupted run was about to create ${address}, and there are ${made.length} new matching objects: ${made.map(({ id }) => id).join(", ")}`,
  {
    address,
    hint: "delete all but one of them in the account, or select one with `$id: ID` in the block"
  }
);

// src/run/open-plan.ts
async function openPlan(session, options = {}) {
  const { kinds, key, ledger } = session;
  const {
    settle = standardSettle * 1e3,
    review,
    allowIncomplete = false,
    sentBefore = 0,
    also,
    ...rest
  } = options;
  const desired = rest.destroy ? { ...session.desired, resources: /* @__PURE__ */ new Map() } : await withFoundFields(session.desired, session.lookUp);
  const doubt = doubtOf(session);
  const run = await planRun({
    desired,
    ledger,
    kinds,
    send: readOnly(session.connection.send),
    secrets: session.secrets,
    facts: session.owner.facts,
    key,
    ...doubt ? { unverified: doubt.message } : {},
    now: session.clock.now(),
    settle,
    others: session.others,
    ...also ? { also } : {},
    options: {
      ...rest,
      ...session.handedOver ? { handedOver: session.handedOver } : {},
      protected: [...session.desired.resources.values()].filter(({ meta }) => meta.protect).map(({ address }) => address)
    }
  });
  const all = [
    ...session.diagnostics,
    ...doubt ? [{ ...doubt, severity: "warning" }] : [],
    ...run.diagnostics
  ];
  const relevant = concerning(all, run.plan, desired);
  const { waiting } = run.plan;
  const sources = comparedSources(session.origins, ledger);
  const known = await changedBy(session, run.plan, ledger, run.live);
  const actions = await plannedActions(session, { ...run, desired }, rest);
  const made = {
    ...run,
    desired,
    plan: {
      ...run.plan,
      account: session.account,
      diagnostics: gathered(review ? leftOut(relevant) : relevant).map(
        (one) => allowIncomplete ? asWarning(one) : one
      ),
      // It may quote what the platform says.
      ...waiting ? { waiting: waiting.map((one) => ({ ...one, why: session.masking.mask(one.why) })) } : {},
      ...known.length > 0 ? { changedBy: known } : {},
      ...actions ? { actions } : {},
      reads: session.sent() - sentBefore,
      // To destroy, nothing is read.
      ...rest.destroy || sources.length === 0 ? {} : { sources }
    }
  };
  return { ...made, plan: await judged(made.plan, session) };
}
async function judged(made, { guards }) {
  if (!guards) return made;
  const { judge, ...by } = guards;
  const said = await judge(made);
  return {
    ...made,
    diagnostics: [...made.diagnostics, ...said],
    guards: { ...by, verdict: hasErrors(said) ? "refused" : "allowed" }
  };
}
async function openSettledPlan(session, options = {}) {
  for (; ; ) {
    const planned = await openPlan(session, options);
    if (planned.settlesIn === void 0) return planned;
    const seconds = Math.ceil(planned.settlesIn / 1e3);
    session.say(`Waiting ${seconds} s: the account may not show what the last run created yet.`);
    await session.clock.sleep(planned.settlesIn + 1);
  }
}
function doubtOf({ key, store }) {
  const proof = store.proof();
  return key && proof && !isVerified(proof) ? notVerified(proof, key) : void 0;
}
var asWarning = (one) => one.code === "observe/incomplete" ? { ...one, severity: "warning" } : one;
function comparedSources(sources, { sources: known = {} }) {
  return [...sources].sort(byName).map(([name, source]) => {
    const before = Object.hasOwn(known, name) ? known[name] : void 0;
    if (before === source) return { name, source };
    return before === void 0 ? { name, source, since: "new" } : { name, source, since: "changed", before };
  });
}
var byName = ([a], [b]) => a < b ? -1 : 1;
async function planRun(given) {
  const { send, settle, others: reading, also, ...rest } = given;
  const { desired, kinds, facts, key, now, options } = rest;
  const rebased = rebase(rest.ledger, desired, { adoptRenamed: options?.adoptRenamed ?? false, kinds });
  const { targets = [] } = options ?? {};
  const scope = targets.length > 0 ? scopeOf(targets, { desired, ledger: rebased.ledger, kinds }) : void 0;
  const observed = await observe(desired, rebased.ledger, kinds, send, {
    facts,
    aliases: rebased.aliases,
    key,
    scope,
    ...also ? { also } : {}
  });
  const { moves, claims, anew, ...followed2 } = transferred(
    rebaseFound(rebased, observed, kinds),
    observed,
    rest
  );
  const resumedRun = resume(followed2.ledger, followed2.live, {
    kinds,
    key,
    isSettled: isSettled(followed2.ledger, now, settle)
  });
  const { live, resumed, ...found } = resumedRun;
  const others = await reading ?? [];
  const { ledger, taken } = takenOver(resumedRun.ledger, live, { desired, others, kinds });
  const input = {
    ...rest,
    ledger,
    live: withoutAwaited(live, options?.awaited),
    resumed,
    claims,
    anew,
    others,
    taken
  };
  const made = plan(input);
  const early = unsettled(made, ledger, now, settle);
  const { diagnostics } = made;
  return {
    plan: made,
    live,
    ledger: withoutTaken(ledger, taken, made),
    moves,
    aliases: rebased.aliases,
    input,
    diagnostics: [
      ...rebased.diagnostics,
      ...followed2.diagnostics,
      ...found.diagnostics,
      ...diagnostics,
      ...scope && scope.left > 0 && options?.part !== "undo" ? [onlyPart(scope.left)] : [],
      ...early.length > 0 ? [tooEarly(early)] : []
    ],
    ...early.length > 0 ? { settlesIn: Date.parse(ledger.lastWrite) + settle - now } : {}
  };
}
function withoutTaken(ledger, taken, { changes }) {
  const planned = new Set(changes.map(({ address }) => address));
  const left = [...taken.keys()].filter((address) => !planned.has(address));
  if (left.length === 0) return ledger;
  const entries = { ...ledger.entries };
  for (const address of left) delete entries[address];
  return { ...ledger, entries };
}
function withoutAwaited(live, awaited) {
  if (!awaited?.size) return live;
  const resources = new Map([...live.resources].filter(([address]) => !awaited.has(address)));
  return { ...live, resources };
}
var onlyPart = (left) => warning(
  "target/narrowed",
  `only the targets and their dependencies were read, not ${left} more ${left === 1 ? "resource" : "resources"} of this stack`,
  { hint: "plan without --target to see all of it" }
);
var tooEarly = (addresses) => warning(
  "plan/unsettled",
  `${addresses[0]}${addresses.length > 1 ? ` and ${addresses.length - 1} more` : ""}: a run just sent this, and the account does not show it yet`,
  { hint: "apply waits for the lists to settle, so that nothing is created twice" }
);

return{recreatedFields:recreatedFields,takesNull:takesNull,isFile:isFile,moved:moved,unmoved:unmoved,renamed:renamed,resume:resume,openPlan:openPlan,openSettledPlan:openSettledPlan};})();exports.part_VCZ3M53L=part_VCZ3M53L;
const part_KZIZ3WVN=(()=>{const {
  isRead
}=require("./part-82.cjs").part_ITOYBHJI;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  holdsSecret
}=require("./part-80.cjs").part_DGIOX4B4;;
;
;

// src/run/read-cache.ts
function readCache(send) {
  let answers = /* @__PURE__ */ new Map();
  const end = () => {
    answers = void 0;
  };
  return {
    end,
    forget: () => {
      if (answers) answers = /* @__PURE__ */ new Map();
    },
    send: async (request, confirm) => {
      if (!isRead(request)) end();
      if (!answers || request.reserved !== void 0 || holdsSecret(request.params))
        return send(request, confirm);
      const own = answers;
      const key = canonical(request);
      const known = own.get(key);
      if (known) return (await known)();
      const asked = send(request, confirm).then(
        (answer) => request.pages ? sharedPages(answer) : () => structuredClone(answer)
      );
      own.set(key, asked);
      asked.catch(() => own.delete(key));
      return (await asked)();
    }
  };
}
function sharedPages(pages) {
  const { more } = pages;
  let next;
  const turn = async () => {
    next ??= more().then(sharedPages);
    return (await next)();
  };
  return () => ({ found: () => structuredClone(pages.found()), ...more ? { more: turn } : {} });
}

return{readCache:readCache};})();exports.part_KZIZ3WVN=part_KZIZ3WVN;
