"use strict";const part_FBETF43H=(()=>{const {
  composeRequest,
  lookupAt,
  standingOf
}=require("./part-91.cjs").part_2OZZAYPQ;const {
  readOnly
}=require("./part-82.cjs").part_ITOYBHJI;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;const {
  isDrift,
  putsBack
}=require("./part-80.cjs").part_YAMT22MG;const {
  actionId
}=require("./part-80.cjs").part_R4CIL4FR;const {
  makesObject
}=require("./part-106.cjs").part_HLUFGGLM;const {
  isWithin
}=require("./part-106.cjs").part_BACZRMMV;const {
  fillHoles,
  holesIn,
  isHole,
  isLookupRef,
  isPlainObject
}=require("./part-80.cjs").part_DGIOX4B4;const {
  inside,
  mapTree
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

// src/action/request-of.ts
async function requestOf({ name, endpoint, finds, body }, given, { send, queryOf }) {
  const { input, ids, mark, since } = given;
  let found = {};
  if (finds) {
    const look = composeRequest(finds.endpoint, { what: name, ids, input, query: [] }, () => void 0);
    const after = since === void 0 ? void 0 : { since, ...await besideOf(finds.beside, given, send, name) };
    const seen2 = finds.take(await send(look), input, after);
    if (!("values" in seen2)) return seen2;
    found = seen2.values;
  }
  const sending = { input, ids: Object.fromEntries(ids), found, mark };
  const filling = { what: name, ids, found, input, query: queryOf(endpoint) };
  return { request: composeRequest(endpoint, filling, body && (() => body(sending))), sending };
}
async function besideOf(endpoint, { input, ids }, send, what) {
  if (endpoint === void 0) return {};
  const look = composeRequest(endpoint, { what, ids, input, query: [] }, () => void 0);
  try {
    return { beside: await send(look) ?? {} };
  } catch (error) {
    const { status = 0 } = error;
    if (status < 400 || status >= 500) throw error;
    return {};
  }
}
async function isSoAlready({ until }, { input, ids, mark }, lookups, ground) {
  if (!until?.isState) return false;
  const lookup = lookups.get(until.lookup);
  const asked = until.input({ input, ids: Object.fromEntries(ids), found: {}, mark, answer: {} });
  const { rows } = await lookupAt(lookup, asked, ids, ground)();
  return rows[0] !== void 0 && standingOf(rows[0], lookup, []) === "reached";
}

// src/plan/asked-actions.ts
function askedActions({ changes }, { desired, ledger, actions, options }) {
  const { owed = {} } = ledger;
  const able = ableIn(desired, actions);
  if (!options.destroy) askFor(changes, able);
  const asked = [...able.values()].filter(({ after }) => after.length > 0);
  const planned = new Map(asked.map((one) => [one.id, withoutItems(one)]));
  for (const [id, debt] of Object.entries(owed)) {
    const own = able.get(id) ?? newestLike(debt, able);
    if (own && !options.destroy)
      planned.set(own.id, { ...planned.get(own.id) ?? withoutItems(own), owed: debt });
    else planned.set(id, { ...dropped(id, debt, actions), owed: debt });
  }
  const isPart = (options.targets?.length ?? 0) + (options.excludes?.length ?? 0) > 0;
  return [...planned.values()].map((one) => {
    if (one.state !== "due") return one;
    if (options.noActions) return { ...one, state: "left", why: "skipped by --no-actions" };
    return isPart && one.after.length === 0 ? { ...one, state: "left", why: "pending, and not part of this plan" } : one;
  }).sort((a, b) => a.id < b.id ? -1 : 1);
}
var withoutItems = ({ items: _, ...one }) => one;
function ableIn({ resources }, actions) {
  const able = /* @__PURE__ */ new Map();
  for (const resource of resources.values())
    for (const item of resource.meta.actions ?? []) {
      const action = actions.get(item.action);
      if (!action) continue;
      for (const about of aboutsOf(item, action, resources)) {
        const place = about === void 0 ? {} : { about };
        const id = actionId({ action: item.action, input: item.input, ...place });
        const known = able.get(id);
        const wait = Math.max(known?.wait ?? 0, item.wait ?? 0);
        able.set(id, {
          ...known ?? plannedOf(id, item.input, action),
          ...place,
          ...wait > 0 ? { wait } : {},
          from: [.../* @__PURE__ */ new Set([...known?.from ?? [], resource.address])],
          items: [...known?.items ?? [], { resource, item }]
        });
      }
    }
  return able;
}
function aboutsOf({ about }, { on }, resources) {
  if (on === void 0) return [void 0];
  const fits = matcherOf(about);
  return [...resources.values()].flatMap(
    ({ kind, address }) => kind === on && fits(address) ? [address] : []
  );
}
var plannedOf = (id, input, { name, grade, why, starts }) => ({
  id,
  action: name,
  input,
  grade,
  ...why === void 0 ? {} : { gradeReason: why },
  after: [],
  from: [],
  state: "due",
  ...starts === void 0 ? {} : { starts }
});
function askFor(changes, able) {
  const itemsAt = /* @__PURE__ */ new Map();
  for (const one of able.values())
    for (const { resource, item } of one.items)
      itemsAt.set(resource.address, [...itemsAt.get(resource.address) ?? [], { one, item }]);
  if (itemsAt.size === 0) return;
  for (const change of changes)
    for (const around of placesAround(change.address))
      for (const { one, item } of itemsAt.get(around) ?? [])
        if (asksFor(change, around, item) && !one.after.includes(change.address))
          one.after = [...one.after, change.address];
}
var placesAround = (address) => {
  const parts = address.split("/");
  return parts.map((_, i) => parts.slice(0, parts.length - i).join("/"));
};
function asksFor(change, around, { when, drift }) {
  const { action, moves, renews, address, fields } = change;
  if (action === "noop" || action === "release" || action === "forget" || renews) return false;
  const sent = fields.filter(({ cause }) => cause !== "recorded" && cause !== "released");
  if ((action === "adopt" || action === "update") && sent.length === 0 && !moves) return false;
  const isBack = isDrift(change) && (makesObject(change) || action === "delete" || putsBack(change));
  if (isBack && !drift) return false;
  if (!when) return true;
  if (address !== around) return when.includes(address.slice(around.length + 1).split("/")[0]);
  return makesObject(change) || sent.some(({ path }) => when.includes(path.split(".")[0]));
}
var newestLike = ({ action, about, from }, able) => [...able.values()].find(
  (one) => one.action === action && one.about === about && one.from.some((address) => from.includes(address))
);
function dropped(id, { action, about, input, from }, actions) {
  const known = actions.get(action);
  return {
    id,
    action,
    ...about === void 0 ? {} : { about },
    input,
    grade: known?.grade ?? "safe",
    after: [],
    from,
    state: "over",
    why: "the configuration no longer asks for it"
  };
}
var concerns = (address, { about, after }) => after.includes(address) || about !== void 0 && isWithin(address, about);

// src/run/look-up-values.ts
async function withLookups(value, lookups, lookUp) {
  const used = holesIn(value).filter(isLookupRef);
  if (used.length === 0 || !lookups) return value;
  const names = [...new Set(used.map(({ $lookup }) => $lookup))];
  const rows = new Map(
    await Promise.all(names.map(async (name) => [name, await lookUp(lookups.get(name))]))
  );
  const wrong = used.flatMap((hole) => missing(hole, rows, lookups));
  if (wrong.length > 0) throw new Problems([...new Map(wrong.map((one) => [one.message, one])).values()]);
  return filled(value, rows);
}
async function withFoundFields(desired, lookUp) {
  if (!desired.lookups?.size) return desired;
  const all = [...desired.resources];
  const using = all.filter(([, { fields: fields2 }]) => holesIn(fields2).some(isLookupRef));
  if (using.length === 0) return desired;
  const fields = await withLookups(
    using.map(([, resource]) => resource.fields),
    desired.lookups,
    lookUp
  );
  const resources = new Map(desired.resources);
  for (const [at, [address, resource]] of using.entries())
    resources.set(address, { ...resource, fields: fields[at] });
  return { ...desired, resources };
}
function missing({ $lookup: name, attr, isOptional }, rows, lookups) {
  const row = rows.get(name);
  if (isOptional || row && row[attr] !== void 0) return [];
  const { lookup, at } = lookups.get(name);
  const message = row ? `the ${lookup} that the lookup \`${name}\` finds has no \`${attr}\`` : `the lookup \`${name}\` finds no ${lookup}`;
  return [
    problem("lookup/nothing", message, {
      at,
      hint: `\`\${lookup.${name}.${attr}?}\` omits the value instead`
    })
  ];
}
var filled = (value, rows) => mapTree(withoutMissing(value, rows), (one) => {
  if (isLookupRef(one)) return rows.get(one.$lookup)[one.attr];
  if (isHole(one) && "$join" in one) return joined(one.$join.map((piece) => filled(piece, rows)));
  return isHole(one) ? one : inside;
});
function withoutMissing(value, rows) {
  const isGone = (one) => isLookupRef(one) && rows.get(one.$lookup)?.[one.attr] === void 0;
  if (Array.isArray(value))
    return value.filter((one) => !isGone(one)).map((one) => withoutMissing(one, rows));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, one]) => !isGone(one)).map(([name, one]) => [name, withoutMissing(one, rows)])
  );
}
var joined = (pieces) => pieces.some(isHole) ? { $join: pieces } : pieces.map(String).join("");

// src/run/planned-actions.ts
var shownMark = "(set when it is sent)";
async function plannedActions(session, { plan, desired, live, ledger }, options) {
  const isNamed = [...desired.resources.values()].some(({ meta }) => meta.actions);
  if (!isNamed && Object.keys(ledger.owed ?? {}).length === 0) return void 0;
  const { actions, lookups, queryOf } = await session.dayTwo();
  const asked = askedActions(plan, { desired, ledger, actions, options });
  if (asked.length === 0) return void 0;
  const send = readOnly(session.connection.send);
  const now = session.clock.now();
  const known = { desired, live, ledger };
  return Promise.all(
    asked.map(
      (one) => seen(one, actions.get(one.action), known, {
        ...{ send, queryOf, now, lookups },
        lookUp: session.lookUp
      })
    )
  );
}
async function seen(planned, action, known, {
  now,
  lookUp,
  lookups,
  ...ground
}) {
  const { owed, state, about } = planned;
  if (state !== "due" || !action) return planned;
  if (owed?.mark !== void 0 && !action.repeatable)
    return { ...planned, state: "unknown", why: unknownWhy(planned) };
  const ids = about === void 0 ? /* @__PURE__ */ new Map() : idsOf(about, known);
  if (!ids) return planned;
  const since = owed && planned.after.length === 0 ? Date.parse(owed.since) : now;
  const mark = shownMark;
  try {
    const input = filledInput(
      { input: await withLookups(planned.input, known.desired.lookups, lookUp) },
      known
    );
    if (!input) return planned;
    const given = { input, ids, mark, since };
    if (await isSoAlready(action, given, lookups, ground))
      return { ...planned, state: "over", why: alreadySo };
    const request = await requestOf(action, given, ground);
    if ("nothing" in request) return { ...planned, state: "over", why: request.nothing };
    if ("busy" in request) return { ...planned, state: "busy", why: request.busy };
    return { ...planned, request: request.request };
  } catch {
    return planned;
  }
}
var alreadySo = "already in that state";
var unknownWhy = ({ owed }) => `${owed?.run ?? "an earlier run"} sent it and got no response, so it may have been done`;
function idsOf(address, { desired, live, ledger }) {
  const ids = /* @__PURE__ */ new Map();
  let at = address;
  while (at !== void 0) {
    const resource = desired.resources.get(at);
    const id = ledger.entries[at]?.ids.at(-1) ?? live.resources.get(at)?.id;
    if (!resource || id === void 0) return void 0;
    ids.set(resource.kind, id);
    at = resource.parent;
  }
  return ids;
}
function filledInput({ input }, { live, ledger }) {
  const attribute = (address, attr) => attr === "id" ? ledger.entries[address]?.ids.at(-1) ?? live.resources.get(address)?.id : live.resources.get(address)?.fields[attr];
  const filled2 = fillHoles(input, { secrets: /* @__PURE__ */ new Map(), attribute });
  return holesIn(filled2).length > 0 ? void 0 : filled2;
}

return{withLookups:withLookups,withFoundFields:withFoundFields,requestOf:requestOf,isSoAlready:isSoAlready,concerns:concerns,plannedActions:plannedActions,alreadySo:alreadySo,unknownWhy:unknownWhy,idsOf:idsOf,filledInput:filledInput};})();exports.part_FBETF43H=part_FBETF43H;
const part_JDYKD6X4=(()=>{const {
  holdLease,
  makeKey,
  refuseNewKey
}=require("./part-96.cjs").part_U5NJKFCI;const {
  lookupReader,
  queryOf
}=require("./part-91.cjs").part_2OZZAYPQ;const {
  standIns
}=require("./part-86.cjs").part_6FVWABKZ;const {
  openAccount
}=require("./part-31.cjs").part_FFJC4QNY;const {
  copiedAway,
  documentsFor,
  keyOf,
  storeFor
}=require("./part-96.cjs").part_VFFBCGY7;const {
  originsOf,
  resolveSecrets
}=require("./part-86.cjs").part_ULWTVNOV;const {
  openMasking
}=require("./part-82.cjs").part_QI5FGYYL;const {
  isVerified,
  otherStacks
}=require("./part-27.cjs").part_EN3WE5DN;const {
  makersOf
}=require("./part-32.cjs").part_FIZFKDRW;const {
  workspaceStacks
}=require("./part-124.cjs").part_6HBEUU6S;const {
  loadConfiguration,
  sourcesFor,
  unlisted,
  workspaceFolder
}=require("./part-105.cjs").part_TEBTU3WD;const {
  ageText,
  emptyLedger,
  isMeant
}=require("./part-105.cjs").part_EABJC5VV;const {
  kindsOf
}=require("./part-90.cjs").part_TFHCOW53;const {
  isWithin
}=require("./part-106.cjs").part_BACZRMMV;const {
  maskInActions
}=require("./part-15.cjs").part_BAXXSSA2;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  Problems,
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

// src/run/session.ts
async function openSession({
  baseUrl,
  documents,
  ...given
}) {
  const { owner, desired, store, masking, key } = given;
  const ledger = await ownLedger(store, { baseUrl, owner: owner.id, stack: desired.stack });
  for (const secret of secretsOf(key)) masking.know(secret);
  const others = documents.others().then((texts) => otherStacks(texts, ledger, key));
  others.catch(() => {
  });
  return { ...given, ledger, others };
}
async function lockSession(session, lease) {
  session.lease = lease;
  session.ledger = await ownLedger(session.store, session.ledger);
  session.store.requireVerified();
}
var secretsOf = (key) => [
  ...makersOf(key).map(({ secret }) => secret),
  ...[key, key?.previous].flatMap((one) => Object.values(one?.signing ?? {}))
];
async function ownLedger(store, mine) {
  const ledger = await store.read();
  if (!ledger) return emptyLedger(mine.baseUrl, mine.owner, mine.stack);
  const proof = store.proof();
  const isKnown = proof !== void 0 && isVerified(proof);
  if (ledger.copiedTo !== void 0 && (isKnown || proof && "doubt" in proof && proof.doubt === "no-key"))
    throw copiedAway(store.place, ledger.copiedTo, isKnown);
  const wrong = ["baseUrl", "owner", "stack"].filter((name) => ledger[name] !== mine[name]);
  if (wrong.length === 0) return ledger;
  const names = { baseUrl: "base URL", owner: "account", stack: "stack" };
  throw new Problems([
    problem(
      "ledger/foreign",
      `the ledger ${store.place} belongs to a different ${wrong.map((name) => names[name]).join(" and ")}: ${wrong.map((name) => `${ledger[name]}, not ${mine[name]}`).join("; ")}`,
      {
        hint: "check `platform:`, the token and --base-url; for a different account use a different stack name or --ledger"
      }
    )
  ]);
}
async function recordSources(session, { plan, ledger }, lock) {
  const now = Object.fromEntries((plan.sources ?? []).map(({ name, source }) => [name, source]));
  const known = session.ledger.sources ?? {};
  const names = /* @__PURE__ */ new Set([...Object.keys(now), ...Object.keys(known)]);
  const isSame = [...names].every((name) => now[name] === known[name]);
  if (isSame || session.ledger.generation === 0) return false;
  if (!session.lease) await lock();
  if (session.ledger.generation !== ledger.generation) return false;
  await session.lease.confirm();
  session.ledger = await session.store.write({ ...session.ledger, sources: now });
  return true;
}
async function signAnew(session, lock) {
  const isPrevious = () => {
    const proof = session.store.proof();
    return proof !== void 0 && isVerified(proof) && proof.previous === true;
  };
  if (!isPrevious()) return false;
  if (!session.lease) await lock();
  if (!isPrevious()) return false;
  await session.lease.confirm();
  session.ledger = await session.store.write(session.ledger);
  await session.store.close();
  return true;
}

// src/plan/ownership.ts
var Claims = class {
  #byName = /* @__PURE__ */ new Map();
  #kinds;
  #others;
  constructor(others, kinds) {
    this.#kinds = kinds;
    this.#others = others;
    for (const by of others)
      for (const [address, entry] of Object.entries(by.entries)) {
        if (!isClaim(entry) || entry.existing || isFrame(entry, kinds)) continue;
        for (const name of this.#namesOf(entry.kind, entry.ids, address))
          this.#byName.set(name, { by, address, entry });
      }
  }
  /** The claim to an object at this address, or to a part of it. */
  of({ kind, ids }, address) {
    return this.#namesOf(kind, ids, address).map((name) => this.#byName.get(name)).find((claim) => claim !== void 0);
  }
  /** The claims to objects in a container. Another stack may have the container under another name, but knows it by its id. */
  in({ kind, ids }, address) {
    return this.#others.flatMap((by) => {
      const entries = Object.entries(by.entries).filter(([, entry]) => isClaim(entry));
      const there = entries.find(
        ([, entry]) => entry.kind === kind && entry.ids.some((id) => ids.includes(id))
      );
      const container = there?.[0] ?? address;
      return entries.filter(([other, { existing }]) => !existing && other !== container && isWithin(other, container)).map(([other, entry]) => ({ by, address: other, entry }));
    });
  }
  /** A row can hold units of several stacks, so a unit's name includes its address; an object without an id of its own goes by its address alone. */
  #namesOf(kind, ids, address) {
    if (ids.length === 0) return [`${kind} at ${address}`];
    const isUnit = this.#kinds.get(kind)?.shape.byAddress;
    return ids.map((id) => isUnit ? `${kind} ${id} ${address}` : `${kind} ${id}`);
  }
};
function ownersIn(others, kinds) {
  const claims = new Claims(others, kinds);
  return (object) => claims.of(object, object.address)?.by.stack;
}
var isClaim = (entry) => {
  const { kind, ids } = entry ?? {};
  return typeof kind === "string" && Array.isArray(ids);
};
var isFrame = ({ kind, fields, secrets }, kinds) => kinds.get(kind)?.key.length === 0 && Object.keys({ ...fields, ...secrets }).length === 0;
function takenOver(ledger, live, { desired, others = [], kinds }) {
  const taken = /* @__PURE__ */ new Map();
  if (others.length === 0) return { ledger, taken };
  const entries = { ...ledger.entries };
  const claims = new Claims(others, kinds);
  for (const { address, meta } of desired.resources.values()) {
    const found = live.resources.get(address);
    if (!found || meta.existing || meta.forget || ledger.entries[address]) continue;
    const claim = claims.of(found, address);
    if (!claim?.by.isVerified || !isHandedOver(claim, address, desired)) continue;
    const { dependsOn: _, ...entry } = claim.entry;
    entries[address] = entry;
    taken.set(address, claim.by.stack);
  }
  return { ledger: taken.size > 0 ? { ...ledger, entries } : ledger, taken };
}
function isHandedOver({ by }, address, { resources, stack }) {
  const from = fromOf(address, resources);
  return from !== void 0 && isMeant(from, by.stack, { from: stack });
}
function fromOf(address, resources) {
  for (let at = address; at !== void 0; at = resources.get(at)?.parent) {
    const from = resources.get(at)?.meta.from;
    if (from !== void 0) return from;
  }
  return void 0;
}
function respectOwners(decisions, input, report) {
  const { others = [], kinds, options } = input;
  if (others.length === 0 && !options?.handedOver) return;
  const claims = new Claims(others, kinds);
  decisions.changes = decisions.changes.flatMap((change) => {
    const { address, after, before, action, exclusive } = change;
    if (kinds.get(change.kind).lifecycle.container && (action === "delete" || action === "replace"))
      refuseInside(change, claims, input, report);
    const isOnlyFrame = after && kinds.get(change.kind).key.length === 0 && !change.declared?.length;
    const claim = before && !isOnlyFrame ? claims.of(before, address) : void 0;
    if (after) {
      if (claim && !after.meta.existing && action !== "forget" && !isHandedOver(claim, address, input.desired))
        report(ownedElsewhere(change, claim, input));
      return [change];
    }
    if (action !== "delete" && action !== "release") return [change];
    const heir = claim?.by.stack ?? options?.handedOver?.get(address);
    if (!exclusive)
      return [heir === void 0 ? change : forgotten(change, `handed over to the stack ${heir}`)];
    if (!claim) return [change];
    decisions.unmanaged.push(before);
    report(
      warning(
        "stack/left",
        `${address} is not declared here and is kept: it is owned by ${nameOf(claim.by, input.now)}`,
        {
          address,
          hint: "`$exclusive` deletes nothing of another stack"
        }
      )
    );
    return [];
  });
}
function forgotten({ address, kind, parent, claims }, reason) {
  return {
    address,
    kind,
    action: "forget",
    ...parent === void 0 ? {} : { parent },
    ...claims === void 0 ? {} : { claims },
    fields: [],
    grade: "safe",
    reason
  };
}
function refuseInside({ address, kind, before, at, action }, claims, { now }, report) {
  const inside = claims.in(before ?? { kind, ids: [] }, address);
  const [first] = inside;
  if (!first) return;
  const names = inside.slice(0, 3).map((claim) => claim.address);
  const more = inside.length > 3 ? ` and ${inside.length - 3} more` : "";
  const does = action === "replace" ? "replaced" : "deleted";
  report(
    problem(
      "stack/inside",
      `${address} cannot be ${does}: ${names.join(", ")}${more} ${inside.length > 1 ? "are" : "is"} owned by ${nameOf(first.by, now)}`,
      {
        address,
        ...at ? { at } : {},
        hint: `first remove what the stack ${first.by.stack} owns in it, or keep ${address}`
      }
    )
  );
}
var nameOf = ({ stack, writtenAt, lastRun }, now) => `the stack ${stack}${writtenAt === void 0 ? "" : ` (applied ${ageText(now - writtenAt)}${lastRun === void 0 ? "" : ` by ${lastRun}`})`}`;
function ownedElsewhere({ address, at }, claim, { desired, ledger, now }) {
  const { by, address: there } = claim;
  const from = fromOf(address, desired.resources);
  const name = there === address ? "" : ` as ${there}`;
  const isBoth = ledger.entries[address] !== void 0;
  const hint = `to move it here, write \`$from: ${by.stack}\` in its block and remove it from ${by.stack}; to leave it there, ${isBoth ? `\`trueup ledger forget '${address}'\` here and ` : ""}remove it from this configuration, or declare it with \`$existing: true\``;
  const said = from === void 0 ? "" : `; \`$from\` says ${from}`;
  return problem(
    "stack/owned",
    `${address} is owned by ${nameOf(by, now)}${name}${isBoth ? ", and by this one" : ""}${said}`,
    { address, ...at ? { at } : {}, hint }
  );
}

// src/cli/handed-over.ts
async function handedOver(desired, ledger, isEnd, provider, options, run) {
  const drops = Object.keys(ledger.entries).some((address) => isEnd || !desired.resources.has(address));
  if (!drops || await workspaceFolder(run.host.cwd) === void 0) return void 0;
  const { all } = await workspaceStacks(provider, options, run);
  const others = all.map(({ look }) => look.desired).filter(({ stack }) => stack !== desired.stack);
  return takenFrom(desired.stack, others);
}
function takenFrom(stack, others) {
  const taken = /* @__PURE__ */ new Map();
  for (const other of others)
    for (const { address, meta } of other.resources.values()) {
      const from = meta.existing || meta.forget ? void 0 : fromOf(address, other.resources);
      if (from !== void 0 && isMeant(from, stack, { from: other.stack })) taken.set(address, other.stack);
    }
  return taken;
}

// src/cli/session.ts
async function loadFor(provider, options, terminal) {
  const sources = sourcesFor(options, terminal.run.host, terminal);
  return { sources, configuration: await loadConfiguration(provider, options, terminal.run, { sources }) };
}
async function openSession2(provider, options, terminal, { plans = [], writes = false, ends = false, guards, loaded, accounts } = {}) {
  const { host } = terminal.run;
  const { sources, configuration } = loaded ?? await loadFor(provider, { ...options, plans }, terminal);
  const { stack } = configuration.desired;
  const scope = configuration.platform;
  if (!scope)
    throw new Problems([
      problem("config/platform", "the configuration does not name an account", {
        hint: "write `platform: { team: SLUG }`, or `platform: { personal: true }`"
      })
    ]);
  const documents = documentsFor(stack, options, host);
  const kinds = kindsOf(provider.kinds);
  const { values, diagnostics } = options.twin ? standIns(configuration, kinds) : await resolveSecrets(configuration, {
    env: host.env,
    cwd: host.cwd,
    sources,
    ...accounts ? { readings: accounts.readings } : {}
  });
  const refused = diagnostics.filter(({ code }) => code.startsWith("source/"));
  if (writes && refused.length > 0) throw new Problems(refused);
  maskInActions(values, configuration.secrets, terminal);
  const masking = accounts?.masking ?? openMasking();
  for (const secret of values.values()) masking.know(secret);
  const judges = guards ? await guardsFor(provider, options, { configuration, host, masking, writes: guards === "apply" }) : void 0;
  const account = await (accounts?.open(scope) ?? openAccount(provider, scope, options, terminal, masking));
  const { owner, baseUrl, close } = account;
  const voice = accounts ? { say: terminal.err } : account.voice;
  host.engine.starting();
  try {
    const key = await keyOf(options, host);
    const store = await storeFor(stack, options, host, key, documents);
    await refuseUnstaged(configuration, options, host, documents);
    const alone = unlisted(options, host);
    const opened = await openSession({
      desired: configuration.desired,
      origins: await originsOf(configuration, sources),
      secrets: values,
      masking,
      diagnostics: [
        ...configuration.diagnostics,
        ...diagnostics.map((d) => ({ ...d, severity: "warning" })),
        ...alone ? [alone] : []
      ],
      kinds,
      connection: account.connection,
      owner,
      account: accountOf(owner, baseUrl, provider.baseUrl),
      baseUrl,
      documents,
      store,
      key,
      dayTwo: () => dayTwoOf(provider),
      lookUp: lookUpIn(provider, { ...account, kinds, configuration, options, host }),
      clock: host.clock,
      sent: account.sent,
      say: voice.say,
      ...judges ? { guards: judges } : {}
    });
    const taken = await handedOver(
      configuration.desired,
      opened.ledger,
      ends,
      provider,
      options,
      terminal.run
    );
    const session = Object.assign(voice, opened, {
      host,
      configuration,
      sources,
      documents,
      ...taken ? { handedOver: taken } : {},
      close: async () => {
        await unlockSession(session);
        await close();
      }
    });
    return session;
  } catch (error) {
    await close();
    throw error;
  }
}
async function dayTwoOf(provider) {
  const operations = await provider.operations();
  return { ...await provider.dayTwo(), queryOf: (endpoint) => queryOf(endpoint, operations) };
}
var lookUpIn = (provider, around) => async ({ lookup, where }) => {
  const { lookups } = await provider.dayTwo();
  const reading = { around, connection: around.connection, operations: await provider.operations() };
  const read = await lookupReader(lookups.get(lookup), { where, limit: 1 }, reading);
  return (await read()).rows[0];
};
async function guardsFor(provider, options, {
  configuration,
  host,
  ...how
}) {
  if (!options.guards && !options.check && !host.env.TRUEUP_GUARDS) return void 0;
  const files = configuration.files.map((file) => pathOn(host, file));
  return (await Promise.resolve().then(()=>require("./part-111.cjs").part_OEDZY6DY)).openGuards(provider, options, { host, files, ...how });
}
async function refuseUnstaged({ desired: { stack }, stages }, options, host, documents) {
  const [name, stage] = stack.split("@");
  if (stages.length === 0 || stage === void 0) return;
  const before = documentsFor(name, options, host);
  const isSame = before.place === documents.place;
  const found = await documents.read("ledger");
  if (isSame ? !found || !isOf(name, found.text) : found || !await before.read("ledger")) return;
  throw new Problems([
    problem(
      "ledger/stage",
      `the stack ${stack} has no ledger, but ${name} does, from before it had stages: ${before.place}`,
      {
        hint: `decide which stage it belongs to; if it is ${stage}: \`trueup ledger rename ${name} ${stack}\``
      }
    )
  ]);
}
function isOf(stack, text) {
  try {
    return JSON.parse(text).stack === stack;
  } catch {
    return false;
  }
}
async function lockSession2(session, options, terminal) {
  await lockSession(session, await holdLease(session.documents, options, terminal));
}
async function unlockSession(session) {
  const { lease, store } = session;
  if (lease && !lease.lost.aborted) await store.close().catch(() => {
  });
  await lease?.release();
  delete session.lease;
}
function requireWritable(session, options) {
  if (!session.key) refuseNewKey(session, options, session.host);
  session.store.requireVerified();
}
async function requireKey(session, options) {
  if (session.key) return session.key;
  session.key = await makeKey(session, options, session.host);
  const { configuration, documents, host, key } = session;
  session.store = await storeFor(configuration.desired.stack, options, host, key, documents);
  return session.key;
}
function accountOf({ type, slug }, baseUrl, standard) {
  const elsewhere = baseUrl.replace(/\/+$/, "") !== standard.replace(/\/+$/, "");
  return { type, name: slug, ...elsewhere ? { baseUrl: withoutUser(baseUrl) } : {} };
}
var withoutUser = (url) => url.replace(/^(\w+:\/\/)[^/@]*@/, "$1");

return{Claims:Claims,ownersIn:ownersIn,takenOver:takenOver,respectOwners:respectOwners,recordSources:recordSources,signAnew:signAnew,loadFor:loadFor,openSession:openSession2,lockSession:lockSession2,unlockSession:unlockSession,requireWritable:requireWritable,requireKey:requireKey};})();exports.part_JDYKD6X4=part_JDYKD6X4;
