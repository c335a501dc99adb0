"use strict";const part_FGBDHNKO=(()=>{const {
  allPages
}=require("./part-82.cjs").part_ITOYBHJI;const {
  comparable,
  identityOf,
  isItemwise,
  omit,
  same
}=require("./part-85.cjs").part_HRKYGKTM;const {
  keyedDigest,
  makerOf,
  makersOf,
  secretId
}=require("./part-32.cjs").part_FIZFKDRW;const {
  childKinds,
  comparedFields,
  decodeFields,
  idOf,
  isGone,
  leavesOf,
  listIn,
  mentionedBy,
  namesOf,
  parentOf,
  placesOf,
  secretIdOf,
  updatedAtOf
}=require("./part-90.cjs").part_TFHCOW53;const {
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;const {
  collectionId,
  collectionParts,
  emptyLive
}=require("./part-106.cjs").part_DT2CDXHV;const {
  addressOf,
  escapeName,
  isWithin,
  lastNameOf
}=require("./part-106.cjs").part_BACZRMMV;const {
  digest,
  hasUnknown
}=require("./part-85.cjs").part_SJG7KYTO;const {
  addTo,
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  holesIn,
  isRef,
  mapHoles,
  namesIn
}=require("./part-80.cjs").part_DGIOX4B4;const {
  revealed
}=require("./part-80.cjs").part_YNHFC6K5;;
;
;
;
;
;
;
;
;
;
;
;

// src/observe/answers.ts
function openAnswers(send) {
  const answers = /* @__PURE__ */ new Map();
  return {
    get(endpoint, params, items) {
      const taken = Object.fromEntries(
        Object.entries(params).filter(([name]) => endpoint.includes(`{${name}}`))
      );
      const key = askedFor(endpoint, taken, items);
      const known = answers.get(key) ?? send({ endpoint, params: taken, ...items === void 0 ? {} : { items } });
      answers.set(key, known);
      return known;
    },
    same(endpoint, params, others) {
      answers.set(askedFor(endpoint, others), answers.get(askedFor(endpoint, params)));
    }
  };
}
var askedFor = (endpoint, params, items) => JSON.stringify([endpoint.replace(/\{(\w+)\}/g, (_, name) => JSON.stringify(params[name])), items]);
function objectKnown(object, kind, isAnswer) {
  const members = Object.keys(object);
  const others = [...kind.read.facts ?? [], ...(kind.undeclared ?? []).map((path) => path.split(".")[0])];
  const isKnown = (name) => Object.hasOwn(kind.fields, name) || others.includes(name);
  if (members.length === 0 ? !isAnswer : members.some(isKnown)) return object;
  throw new Error(`the response has no member of a ${kind.name}`);
}
function objectsIn(found, { name }) {
  const isObject = (one) => typeof one === "object" && one !== null && !Array.isArray(one);
  if (Array.isArray(found) && found.every(isObject)) return found;
  throw new Error(`the response does not have the expected form for a ${name}`);
}
var unwritten = {};
async function readSingle(kind, params, { answers, live, id }) {
  const { read } = kind;
  const { endpoint } = read;
  const found = await answers.get(endpoint, params).catch((error) => {
    if (read.absent !== void 0 && error.status === read.absent) return unwritten;
    throw error;
  });
  if (found === void 0 && !read.items) return [];
  const [answer] = objectsIn([found], kind);
  const blocked = read.blocked?.(answer);
  if (blocked) live.blocked.set(id, blocked);
  const writes = read.writes?.(answer);
  if (writes !== void 0) live.writes.set(id, writes);
  if (typeof read.items === "function") return objectsIn(read.items(answer, params), kind);
  if (answer === unwritten) return [answer];
  const item = read.item ? read.item(answer, params) : answer;
  return item === void 0 ? [] : objectsIn([item], kind).map((one) => objectKnown(one, kind, !read.item));
}

// src/observe/lookups.ts
function lookupsIn(kind, parent, mentioned, { ledger, aliases }) {
  const isHere = (address) => address === addressOf(parent, kind.section, [escapeName(lastNameOf(address))]);
  const old = /* @__PURE__ */ new Map();
  for (const [from, to] of aliases) if (isHere(from)) addTo(old, to, from);
  const wanted = [...mentioned].map((address) => {
    const entry = ledger.entries[address];
    return { ids: entry?.kind === kind.name ? entry.ids : [], names: [address, ...old.get(address) ?? []] };
  });
  const ids = new Set(wanted.flatMap((one) => one.ids));
  const names = new Set(wanted.flatMap((one) => one.names));
  const known = /* @__PURE__ */ new WeakMap();
  const naturalOf = (object) => {
    const fields = known.has(object) ? void 0 : decodeFields(kind, object, { to: () => void 0 });
    if (fields) known.set(object, addressOf(parent, kind.section, namesOf(kind, fields)));
    return known.get(object);
  };
  return {
    naturalOf,
    isMeant: (object) => ids.has(idOf(kind, object)) || names.has(naturalOf(object) ?? ""),
    lacking(objects) {
      const foundIds = new Set(objects.map((object) => idOf(kind, object)));
      const foundNames = new Set(objects.map(naturalOf));
      return wanted.map((one) => ({
        ids: one.ids.filter((id) => !foundIds.has(id)),
        names: one.names.filter((name) => !foundNames.has(name))
      })).filter((one) => one.ids.length + one.names.length > 0);
    }
  };
}
var few = 3;
var recordedIn = ({ entries }, kind, mentioned) => [...mentioned].flatMap((address) => {
  const entry = entries[address];
  const isOurs = entry?.kind === kind.name && !entry.existing;
  return isOurs ? entry.ids.map((id) => ({ [kind.key[0]]: id })) : [];
});
async function readLookups(reader) {
  const { kind, params, lookups, send } = reader;
  const { endpoint } = kind.read;
  const items = listIn(kind.read);
  let pages = await send({ endpoint, params, items, pages: true });
  const found = () => objectsIn(pages.found(), kind);
  while (pages.more && lookups.lacking(found()).length > few) pages = await pages.more();
  const listed = found();
  if (!pages.more) return { objects: listed };
  const rest = async () => objectsIn(await allPages(pages), kind);
  try {
    const all = [...listed, ...await readOneByOne(listed, reader)];
    const byId = new Map(all.map((object) => [idOf(kind, object), object]));
    return { objects: [...byId.values()].filter(lookups.isMeant), rest };
  } catch {
    return { objects: await rest() };
  }
}
async function readOneByOne(listed, reader) {
  const { kind, lookups } = reader;
  const byId = await Promise.all(
    lookups.lacking(listed).flatMap(({ ids }) => ids).map((id) => single(id, reader, (object) => idOf(kind, object) === id))
  );
  const known = byId.flat();
  const isNamed = (name) => (object) => lookups.naturalOf(object) === name;
  const byName = await Promise.all(
    lookups.lacking([...listed, ...known]).flatMap(({ names }) => names).map((name) => single(lastNameOf(name), reader, isNamed(name)))
  );
  return [...known, ...byName.flat()];
}
async function single(idOrName, { kind, params, answers }, isAsked) {
  const { endpoint, item } = kind.read.one;
  const asked = { ...params, id: idOrName };
  try {
    const [answer] = objectsIn([await answers.get(endpoint, asked)], kind);
    const [object] = objectsIn([item === void 0 ? answer : answer[item]], kind);
    if (!isAsked(object)) throw new Error(`${idOrName} returned something else`);
    answers.same(endpoint, asked, { ...params, id: idOf(kind, object) });
    return [object];
  } catch (error) {
    if (error.status === 404) return [];
    throw error;
  }
}

// src/kind/digests.ts
function digestsOf(schemas, fields, declared, salt, key) {
  const entry = { fields: {}, secrets: {} };
  for (const { path, value, traits, isSecret } of leavesOf(schemas, fields)) {
    if (!declared.has(path) || traits.createOnly || holesIn(value).some((hole) => "$secret" in hole))
      continue;
    const digested = (one) => leafDigest(value, traits, one);
    if (!isSecret) entry.fields[path] = digested((one) => digest(salt, one));
    else if (key)
      entry.secrets[path] = { key: key.id, digest: digested((one) => keyedDigest(key, salt, one)) };
  }
  return entry;
}
var withIds = (value, idOf2) => typeof value === "object" ? mapHoles(value, (hole) => isRef(hole) && hole.attr === "id" ? idOf2(hole.$ref) ?? hole : hole) : value;
function keptAt(entry, path, { form, key, idOf: idOf2 = () => void 0 }) {
  const plain = entry?.fields[path];
  const keyed = entry?.secrets[path];
  const maker = keyed && makerOf(key, keyed.key);
  const usable = entry?.form === form && (keyed ? maker !== void 0 : plain !== void 0);
  const kept = keyed?.digest ?? plain;
  const one = (value) => keyed ? keyedDigest(maker, entry.salt, value) : digest(entry.salt, revealed(value));
  const asIds = (value) => withIds(value, idOf2);
  const asItIs = (value) => value;
  const inAnyForm = (value, is) => usable && !hasUnknown(value) && (is(asItIs) || typeof value === "object" && value !== null && is(asIds));
  return {
    known: plain !== void 0 || keyed !== void 0,
    usable,
    is: (value = null, traits) => inAnyForm(value, (as) => leafDigest(as(value), traits, one) === kept),
    leadsTo: (wanted, found = null, traits) => inAnyForm(found, (as) => isOnTheWay(as(found), as(wanted), kept, traits, one)),
    holds: (found, traits) => inAnyForm(found, (as) => isPartOf(as(found), kept, traits, one))
  };
}
function leafDigest(value, traits, one) {
  return isItemwise(value, traits) ? value.map(one).sort().join(" ") : one(comparable(value, traits));
}
function isOnTheWay(found, wanted, last, traits, one) {
  if (!isItemwise(found, traits) || !isItemwise(wanted, traits))
    return leafDigest(found ?? null, traits, one) === last;
  const open = traits.whereDeclared;
  const applied = new Set(last.split(" "));
  const wasApplied = (item) => subsets(open).some((names) => applied.has(one(omit(item, names))));
  const fits = (item, other) => item !== void 0 && other !== void 0 && same([item], [other], traits);
  const byIdentity = (items) => new Map(items.map((item) => [identityOf(item, open), item]));
  const [wantedBy, foundBy] = [byIdentity(wanted), byIdentity(found)];
  return found.every((item) => wasApplied(item) || fits(wantedBy.get(identityOf(item, open)), item)) && wanted.every((item) => fits(item, foundBy.get(identityOf(item, open))) || !applied.has(one(item)));
}
function isPartOf(found, applied, traits, one) {
  if (!isItemwise(found, traits)) return leafDigest(found, traits, one) === applied;
  const items = new Set(applied.split(" "));
  return found.every(
    (item) => subsets(traits.whereDeclared).some((names) => items.has(one(omit(item, names))))
  );
}
var subsets = (names) => names.reduce((sets, name) => sets.flatMap((set) => [set, [...set, name]]), [[]]);
function isMadeOf(fields, entry, kind, known, isWhole = !kind.shape.merged) {
  const { form = 1 } = kind;
  if (entry.form !== form) return false;
  const schemas = comparedFields(kind);
  const told = /* @__PURE__ */ new Set([...kind.key, ...kind.shape.place]);
  const leaves = leavesOf(schemas, fields);
  const isSame = ({ path, value, traits }) => {
    const kept = keptAt(entry, path, { form, ...known });
    return !kept.usable || (isWhole ? kept.is(value, traits) : kept.holds(value, traits));
  };
  const found = new Set(leaves.map(({ path }) => path));
  const isLacking = (path) => {
    const traits = traitsOf(schemas[namesIn(path)[0]]);
    return !traits.writeOnly && !traits.readMayLack && entry.fields[path] !== digest(entry.salt, null);
  };
  return leaves.every((leaf) => told.has(leaf.path) || isSame(leaf)) && Object.keys(entry.fields).every((path) => told.has(path) || found.has(path) || !isLacking(path));
}

// src/observe/versions.ts
async function readVersions(kind, reader) {
  const [answer] = await reader.read(kind.shape.staging.versions, {});
  const versions = answer?.versions;
  if (!Array.isArray(versions)) throw new Error(`the response does not list the versions of ${kind.section}`);
  const live = versions.find(({ isLive }) => isLive)?.id;
  const staging = versions.find(({ isStaging }) => isStaging)?.id;
  return {
    ...live === void 0 ? {} : { live },
    ...staging === void 0 ? {} : { staged: { id: staging, objects: await ownContent(kind, live, staging, reader) } }
  };
}
async function ownContent(kind, live, staged, reader) {
  const { known, key } = reader;
  if (!known || known.base !== live) return void 0;
  const before = live === void 0 ? [] : await contentOf(kind, live, reader);
  const after = await contentOf(kind, staged, reader);
  const changing = new Map(Object.values(known.of).flatMap((one) => one.ids.map((id) => [id, one])));
  const old = new Map(before.map((one) => [one.id, one]));
  const isAsWanted = ({ id, address, fields }) => {
    const { entry } = (old.has(id) ? changing.get(id) : known.of[address]) ?? {};
    return entry !== void 0 && isMadeOf(fields, entry, kind, { key });
  };
  const staying = (all) => {
    const ids = all.flatMap(({ id }) => changing.has(id) || !old.has(id) ? [] : [id]);
    return kind.shape.orderDecides ? ids : ids.sort();
  };
  const isOurs = after.every((one) => old.get(one.id)?.text === one.text || isAsWanted(one)) && // What is not to go is there, in the order that it had.
  staying(after).join() === staying(before).join();
  return isOurs ? after : void 0;
}
async function contentOf(kind, version, { read, collection }) {
  const { endpoint } = kind.read;
  const [only] = [endpoint].flat();
  const [parent] = collectionParts(collection);
  return (await read(only, { version }, listIn(kind.read))).flatMap((object) => {
    const fields = decodeFields(kind, object, { to: () => void 0 });
    if (!fields) return [];
    const address = addressOf(parent, kind.section, namesOf(kind, fields));
    return [{ id: idOf(kind, object), address, fields, text: canonical(revealed(fields)) }];
  });
}
var stagedElsewhere = ({ section }, id) => ({
  code: "staged/elsewhere",
  message: `a version of \`${section}\` from somewhere else is staged (${id}) and would go live with a change`,
  hint: "promote or discard it in the dashboard, then run again; with --ignore-draft it goes live together with these changes"
});

// src/observe/collection-objects.ts
var most = 100;
var CollectionObjects = class {
  #options;
  #answers;
  /** Reads the rest of the collections of which only a part was read. */
  #rests = /* @__PURE__ */ new Map();
  constructor(options) {
    this.#options = options;
    this.#answers = openAnswers(options.send);
  }
  /** True if only the mentioned part of a collection was read. */
  isPart(id) {
    return this.#rests.has(id);
  }
  /** The objects of a collection, or the mentioned part of a long one. */
  async of(kind, parent) {
    const id = collectionId(kind.name, parent?.address);
    const { kinds, live } = this.#options;
    const params = ancestorIds(parent, kinds, live);
    if (kind.shape.staging) {
      const version = await this.#liveVersion(kind, params, id);
      if (version === void 0) return [];
      params.version = version;
    }
    const { endpoint } = kind.read;
    const items = listIn(kind.read);
    if (endpoint === void 0) return this.#unlisted(kind, parent, params);
    if (items !== void 0 && typeof items !== "function")
      return this.#listed(kind, parent, params, { endpoint, items });
    return readSingle(kind, params, { answers: this.#answers, live, id });
  }
  /** The mentioned objects of a collection that the platform does not list. */
  async #unlisted(kind, parent, params) {
    const { ledger, aliases, mentioned } = this.#options;
    const id = collectionId(kind.name, parent?.address);
    const at = mentioned.get(id) ?? /* @__PURE__ */ new Set();
    const lookups = lookupsIn(kind, parent?.address, at, { ledger, aliases });
    const objects = kind.read.one ? await readOneByOne([], { kind, params, lookups, answers: this.#answers }) : recordedIn(ledger, kind, at);
    this.#rests.set(id, async () => objects);
    return objects;
  }
  /** The version of a staged collection that is live; notes what is staged beside it. */
  async #liveVersion(kind, params, id) {
    const { live, ledger, key } = this.#options;
    const { staged, ...versions } = await readVersions(kind, {
      read: async (endpoint, more, items) => objectsIn([await this.#answers.get(endpoint, { ...params, ...more }, items)].flat(), kind),
      collection: id,
      known: ledger.staged?.[id],
      key
    });
    live.versions.set(id, {
      ...versions.live === void 0 ? {} : { live: versions.live },
      ...staged ? { staged: staged.id } : {}
    });
    if (staged?.objects) live.staged.set(id, { id: staged.id, objects: staged.objects });
    else if (staged) live.blocked.set(id, stagedElsewhere(kind, staged.id));
    return versions.live;
  }
  /** The items of a list: all pages of it, or as many as it takes to find what is mentioned. */
  async #listed(kind, parent, params, { endpoint, items }) {
    const { ledger, aliases, send, mentioned, isAllMeant } = this.#options;
    const answers = this.#answers;
    const id = collectionId(kind.name, parent?.address);
    const rest = this.#rests.get(id);
    this.#rests.delete(id);
    if (rest) return rest();
    const at = mentioned.get(id);
    const isLittle = at !== void 0 && at.size > 0 && at.size <= most;
    if (kind.read.one && isLittle && !isAllMeant(kind, parent?.address)) {
      const lookups = lookupsIn(kind, parent?.address, at, { ledger, aliases });
      const part = await readLookups({ kind, params, lookups, send, answers });
      if (part.rest) this.#rests.set(id, part.rest);
      return part.objects;
    }
    const found = await Promise.all([endpoint].flat().map((one) => answers.get(one, params, items)));
    return found.flatMap((answer) => objectsIn(answer, kind));
  }
  /** A row of a list, or the object read by itself if its row lacks something to compare. */
  async detailed(kind, parent, row) {
    const { kinds, live, mentioned, also } = this.#options;
    const { detail } = kind.read;
    if (!detail?.isNeeded(row)) return row;
    if (!isMentioned(mentioned, kind, parent, row) && !also(kind, parent?.address)) return row;
    const params = { ...ancestorIds(parent, kinds, live), id: idOf(kind, row) };
    const answer = await this.#answers.get(detail.endpoint, params).catch((error) => {
      if (error.status === 403) return row;
      throw error;
    });
    return objectsIn([answer], kind)[0];
  }
};
function isMentioned(mentioned, kind, parent, row) {
  const at = mentioned.get(collectionId(kind.name, parent?.address));
  const fields = decodeFields(kind, row, { to: () => void 0 });
  if (!fields) return false;
  return kind.shape.units(fields, parent?.fields ?? {}).some((unit) => at?.has(addressOf(parent?.address, kind.section, namesOf(kind, unit))));
}
function ancestorIds(parent, kinds, live) {
  if (!parent) return {};
  const above = parent.parent === void 0 ? void 0 : live.resources.get(parent.parent);
  return { ...ancestorIds(above, kinds, live), [parent.kind]: parent.id };
}

// src/observe/place.ts
function ownersOf(ledger, kind, addresses) {
  const owners = /* @__PURE__ */ new Map();
  for (const address of kind.key.length === 0 ? [] : addresses) {
    const entry = ledger.entries[address];
    if (entry?.kind === kind.name) for (const id of entry.ids) owners.set(id, address);
  }
  return {
    of: (id, natural) => (
      // A row of a set is known under its own name, whatever other set knew it once.
      ledger.entries[natural]?.ids.includes(id) ? natural : owners.get(id)
    ),
    knows: (id) => owners.has(id)
  };
}
function ownersOfUnits(ledger, kind, addresses, units) {
  const isKnown = (id, address) => ledger.entries[address]?.ids.includes(id) ?? false;
  const owners = /* @__PURE__ */ new Map();
  const here = new Set(units.map(({ id, natural }) => `${id} ${natural}`));
  let open = units.filter(({ id, natural }) => !isKnown(id, natural));
  let missing = [...addresses].flatMap((address) => {
    const entry = ledger.entries[address];
    const isHere = entry?.kind !== kind.name || entry.ids.some((id) => here.has(`${id} ${address}`));
    return isHere ? [] : entry.ids.map((id) => ({ id, address }));
  });
  const placeOf = (id, address, index) => `${id} ${kind.shape.placesIn(address.slice(address.lastIndexOf("/") + 1))[index]}`;
  for (const index of open.length > 0 && missing.length > 0 ? [0, 1] : []) {
    const byPlace = groupBy(missing, ({ id, address }) => placeOf(id, address, index));
    for (const [place2, of] of groupBy(open, ({ id, natural }) => placeOf(id, natural, index))) {
      const [one, ...others] = byPlace.get(place2) ?? [];
      if (one && others.length === 0 && of.length === 1)
        owners.set(`${one.id} ${of[0].natural}`, one.address);
    }
    const taken = new Set(owners.values());
    open = open.filter(({ id, natural }) => !owners.has(`${id} ${natural}`));
    missing = missing.filter(({ address }) => !taken.has(address));
  }
  return {
    of: (id, natural) => isKnown(id, natural) ? natural : owners.get(`${id} ${natural}`),
    knows: (id) => units.some((one) => one.id === id && isKnown(id, one.natural))
  };
}
function place(found, kind, parent, { ledger, owners, aliases }, one) {
  const { id, fields } = one;
  const natural = addressOf(parent?.address, kind.section, namesOf(kind, fields));
  const alias = aliases.get(natural);
  const isKnownSet = kind.shape.merged !== void 0 && alias !== void 0 && ledger.entries[alias];
  const owner = owners.of(id, natural);
  const address = owner ?? (isKnownSet ? void 0 : alias) ?? natural;
  const resource = {
    ...one,
    address,
    kind: kind.name,
    ...parent ? { parent: parent.address } : {},
    ids: [id],
    fields: !kind.shape.isNamed && address !== natural ? { ...fields, [kind.key[0]]: lastNameOf(address) } : fields,
    ...kind.shape.byAddress ? { rows: [{ id, fields }] } : {},
    // An object without a name of its own is never renamed.
    ...address === natural || !kind.shape.isNamed ? {} : { renamedTo: natural }
  };
  const other = found.get(address);
  if (!other) found.set(address, resource);
  else if (kind.shape.merged) {
    const [first, second] = address === natural ? [other.fields, fields] : [fields, other.fields];
    const merged = kind.shape.merged(first, second) ?? first;
    const { renamedTo, ...rest } = other;
    found.set(address, {
      ...rest,
      ...renamedTo !== void 0 && renamedTo === resource.renamedTo ? { renamedTo } : {},
      fields: merged,
      ids: [...other.ids, id],
      rows: [...other.rows, ...resource.rows]
    });
  } else if (owner === address && other.renamedTo === void 0 && !owners.knows(other.id)) {
    found.set(address, { ...resource, alternatives: [...other.alternatives ?? [other], resource] });
  } else found.set(address, { ...other, alternatives: [...other.alternatives ?? [other], resource] });
}

// src/observe/decode-collection.ts
function decodeCollection(kind, parent, objects, context) {
  const { live, ledger, mentioned, aliases, chosen, key } = context;
  const references = {
    to: (name, wanted) => {
      const address = context.addressOf(name, wanted) ?? `#${name}/${escapeName(wanted)}`;
      return { $ref: address, attr: "id" };
    }
  };
  const owners = ownersOf(ledger, kind, mentioned);
  const keptIdOf = (raw) => {
    const made = makersOf(key).map((one) => secretId(one, raw));
    return made.find((id) => owners.knows(id) || chosen.has(id)) ?? made[0];
  };
  const found = /* @__PURE__ */ new Map();
  const all = [];
  objects.forEach((object, index) => {
    const row = decodeFields(kind, object, references);
    if (!row) {
      const at = collectionId(kind.name, parent?.address);
      const { count, names } = live.leftOut.get(at) ?? { count: 0, names: [] };
      live.leftOut.set(at, { count: count + 1, names: [...names, ...calledIn(kind, object)].slice(0, 5) });
      return;
    }
    const raw = kind.key.length === 0 ? parent?.id ?? kind.name : idOf(kind, object);
    const id = secretIdOf(kind) === void 0 ? raw : keptIdOf(raw) ?? `unknown-${index}`;
    const label = Object.keys(kind.fields).find((name) => traitsOf(kind.fields[name]).local);
    if (label !== void 0) row[label] = id;
    const version = kind.read.version === void 0 ? void 0 : object[kind.read.version];
    const updatedAt = updatedAtOf(kind, object);
    if (raw === "undefined" || raw === "") throw new Error(`the response has a ${kind.name} without an id`);
    const units = kind.shape.units(row, parent?.fields ?? {});
    const facts = factsOf(kind, object);
    const undeclared = (kind.undeclared ?? []).filter((path) => isSet(object, path.split(".")));
    const pending = kind.read.later?.pending(object);
    const rest = {
      id,
      index,
      ...version === void 0 ? {} : { version: String(version) },
      ...updatedAt === void 0 ? {} : { updatedAt },
      ...facts === void 0 ? {} : { facts },
      ...undeclared.length === 0 ? {} : { undeclared },
      ...pending === void 0 ? {} : { pending }
    };
    for (const fields of units) all.push({ ...rest, fields });
  });
  const naturalOf = (fields) => addressOf(parent?.address, kind.section, namesOf(kind, fields));
  const of = kind.shape.placesIn ? ownersOfUnits(
    ledger,
    kind,
    mentioned,
    all.map(({ id, fields }) => ({ id, natural: naturalOf(fields) }))
  ) : owners;
  for (const one of all) place(found, kind, parent, { ledger, owners: of, aliases }, one);
  return [...found.values()];
}
function calledIn(kind, object) {
  const id = secretIdOf(kind) === void 0 ? object.id : void 0;
  const name = [object.name, object.slug, object.key, id].find(
    (one) => typeof one === "string" && one !== ""
  );
  return name === void 0 ? [] : [String(name)];
}
var factsOf = ({ read: { facts } }, object) => facts && Object.fromEntries(facts.map((name) => [name, object[name]]));
function isSet(value, [name, ...rest]) {
  if (Array.isArray(value))
    return value.some((item) => isSet(item, name === void 0 ? [] : [name, ...rest]));
  if (name === void 0)
    return typeof value === "object" && value !== null ? Object.values(value).some((item) => isSet(item, [])) : !!value;
  return typeof value === "object" && value !== null && isSet(value[name], rest);
}
function namingSiblings({ name }, found) {
  const addresses = new Map(
    found.flatMap(
      (one) => (one.alternatives ?? [one]).flatMap(
        ({ ids }) => ids.map((id) => [`#${name}/${escapeName(id)}`, one.address])
      )
    )
  );
  const named = (one) => ({
    ...one,
    fields: mapHoles(
      one.fields,
      (hole) => isRef(hole) ? { ...hole, $ref: addresses.get(hole.$ref) ?? hole.$ref } : hole
    ),
    ...one.alternatives ? { alternatives: one.alternatives.map(named) } : {}
  });
  return found.map(named);
}

// src/observe/collection-reader.ts
var chosenIn = ({ resources }) => new Set([...resources.values()].flatMap(({ meta }) => meta.id ?? []));
function collectionReader(options) {
  const reader = new CollectionReader(options);
  return (kind, parent) => reader.read(kind, parent);
}
var CollectionReader = class {
  #options;
  #objects;
  #collections;
  /** Addresses by kind and id, so that references are found at once, however many objects there are. */
  #addresses = /* @__PURE__ */ new Map();
  #wholes;
  constructor(options) {
    const { live, whole, known = [] } = options;
    this.#options = options;
    this.#objects = new CollectionObjects({
      ...options,
      isAllMeant: (kind, parent) => this.#isAllMeant(kind, parent)
    });
    this.#collections = new Map([...known].map(([id, found]) => [id, Promise.resolve(found)]));
    this.#wholes = new Set(whole);
    for (const one of live.resources.values()) this.#remember(one);
  }
  read(kind, parent) {
    const id = collectionId(kind.name, parent?.address);
    const reading = this.#collections.get(id) ?? this.#readNow(kind, parent, id);
    this.#collections.set(id, reading);
    return reading;
  }
  #readWhole(kind, parent) {
    const id = collectionId(kind.name, parent?.address);
    if (this.#wholes.has(id)) return this.read(kind, parent);
    this.#wholes.add(id);
    this.#options.live.leftOut.delete(id);
    const reading = this.#readNow(kind, parent, id);
    this.#collections.set(id, reading);
    return reading;
  }
  #isAllMeant(kind, parent) {
    return this.#wholes.has(collectionId(kind.name, parent)) || this.#options.also(kind, parent);
  }
  #remember({ kind, ids, address }) {
    for (const id of ids)
      if (!this.#addresses.has(`${kind} ${id}`)) this.#addresses.set(`${kind} ${id}`, address);
  }
  async #readNow(kind, parent, id) {
    const { live, mentioned } = this.#options;
    const at = mentioned.get(id);
    const { onlyDeclared } = kind.shape;
    if (onlyDeclared && !at?.size) return [];
    try {
      const objects = (await this.#objects.of(kind, parent)).filter((object) => !isGone(kind, object));
      const all = await this.#addressed(kind, parent, objects);
      if (onlyDeclared) live.leftOut.delete(id);
      const found = onlyDeclared ? all.filter(({ address }) => at.has(address)) : all;
      for (const resource of found) {
        live.resources.set(resource.address, resource);
        this.#remember(resource);
      }
      if (this.#objects.isPart(id)) live.unlisted.add(id);
      else {
        live.unlisted.delete(id);
        live.complete.add(id);
      }
      return found;
    } catch (error) {
      live.unlisted.delete(id);
      if ([402, 403, 404, 410].includes(error.status ?? 0)) live.refused.add(id);
      this.#freeze(kind, parent?.address, error instanceof Error ? error.message : String(error));
      return [];
    }
  }
  /** True if an object names another one that was not read, since only a part of its collection was. */
  #namesUnread(kind, objects, target) {
    let isUnread = false;
    const to = (name, id) => {
      isUnread ||= name === target && !this.#addresses.has(`${name} ${id}`);
      return void 0;
    };
    for (const object of objects) decodeFields(kind, object, { to });
    return isUnread;
  }
  /** The rows of a list, without those of other accounts or of another kind that the list has too. */
  async #own(kind, parent, listed) {
    const { kinds, ledger, mentioned, facts } = this.#options;
    const { items } = kind.read;
    if (typeof items !== "object" || !("list" in items)) return listed;
    const id = collectionId(kind.name, parent?.address);
    const known = ownersOf(ledger, kind, mentioned.get(id) ?? []);
    if ("isOfAccount" in items)
      return listed.filter((row) => known.knows(idOf(kind, row)) || items.isOfAccount(row, facts));
    const isWhole = this.#isAllMeant(kind, parent?.address);
    const isMeant = (row) => isWhole || isMentioned(mentioned, kind, parent, row);
    if (!listed.some((row) => !known.knows(idOf(kind, row)) && isMeant(row))) return listed;
    const others = await this.#readWhole(kinds.get(items.without), void 0);
    const ids = new Set(others.flatMap((one) => one.ids));
    return listed.filter((row) => !ids.has(idOf(kind, row)));
  }
  async #addressed(kind, parent, listed) {
    const { kinds, live, ledger, aliases, chosen, key, places } = this.#options;
    const rows = await this.#own(kind, parent, listed);
    const objects = await Promise.all(rows.map((row) => this.#objects.detailed(kind, parent, row)));
    const needed = new Set(objects.flatMap((object) => mentionedBy(kind, object)));
    const namesSiblings = needed.delete(kind.name);
    for (const name of needed) {
      const target = kinds.get(name);
      const near = target.parent === void 0 ? void 0 : parent;
      const at = collectionId(name, near?.address);
      await this.read(target, near);
      if (live.unlisted.has(at) && this.#namesUnread(kind, objects, name))
        await this.#readWhole(target, near);
      const why = live.frozen.get(at);
      if (why !== void 0) throw new Error(`what it refers to could not be read: ${why}`);
    }
    const found = decodeCollection(kind, parent, objects, {
      live,
      ledger,
      aliases,
      chosen,
      key,
      mentioned: places.get(collectionId(kind.name, parent?.address)) ?? [],
      addressOf: (name, id) => this.#addresses.get(`${name} ${id}`)
    });
    return namesSiblings ? namingSiblings(kind, found) : found;
  }
  /** Nothing in a frozen collection, or below it, is created or deleted. */
  #freeze(kind, parent, why) {
    const { live, mentioned } = this.#options;
    live.frozen.set(collectionId(kind.name, parent), why);
    const below = [...mentioned.keys()].filter((id) => {
      const [at] = collectionParts(id);
      return at !== void 0 && isBelow(at, kind, parent);
    });
    for (const id of below) live.frozen.set(id, why);
  }
};
function isBelow(address, kind, parent) {
  return isWithin(address, addressOf(parent, kind.section, []));
}

// src/observe/observe.ts
async function observe(desired, ledger, kinds, send, { facts, aliases = /* @__PURE__ */ new Map(), key, also = () => false, scope }) {
  const live = emptyLive();
  const places = mentionedCollections(desired, ledger, kinds);
  const mentioned = scope ? narrowed(places, scope) : places;
  const chosen = chosenIn(desired);
  const whole = neededWhole(desired, ledger, kinds);
  const read = collectionReader({
    ...{ kinds, ledger, live, send, facts, mentioned, places, aliases, chosen, key, whole, also }
  });
  const isRead = (kind, parent) => mentioned.has(collectionId(kind.name, parent)) || also(kind, parent);
  const walk = async (kind, parent) => {
    const found = await read(kind, parent);
    await Promise.all(
      found.flatMap(
        (resource) => childKinds(kinds, kind.name).filter((child) => isRead(child, resource.address)).map((child) => walk(child, resource))
      )
    );
  };
  await Promise.all(
    childKinds(kinds, void 0).filter((kind) => isRead(kind, void 0)).map((kind) => walk(kind, void 0))
  );
  if (scope) {
    const renamed = [...live.resources.values()].filter(
      ({ renamedTo }) => scope.addresses.has(renamedTo ?? "")
    );
    live.scope = /* @__PURE__ */ new Set([...scope.addresses, ...renamed.map(({ address }) => address)]);
  }
  return live;
}
var narrowed = (places, { addresses, collections }) => new Map(
  [...places].map(([id, at]) => [id, new Set([...at].filter((address) => addresses.has(address)))]).filter(([id, at]) => at.size > 0 || collections.has(id))
);
function mentionedCollections(desired, ledger, kinds) {
  const mentioned = /* @__PURE__ */ new Map();
  const mention = (kind, parent, address) => {
    const id = collectionId(kind, parent);
    const addresses = mentioned.get(id) ?? /* @__PURE__ */ new Set();
    if (address !== void 0) addresses.add(address);
    mentioned.set(id, addresses);
  };
  for (const one of desired.resources.values()) {
    mention(one.kind, one.parent, one.address);
    for (const { name } of exclusiveKinds(one, kinds)) mention(name, one.address);
  }
  const mentionAll = (address, kind) => {
    for (const [name, parent, at] of placesOf(address, kind, kinds)) mention(name, parent, at);
  };
  for (const [address, { kind }] of Object.entries(ledger.entries)) mentionAll(address, kind);
  for (const [address, { entry }] of Object.entries(ledger.begun ?? {})) mentionAll(address, entry.kind);
  for (const [id, { of }] of Object.entries(ledger.staged ?? {}))
    for (const address of Object.keys(of)) mentionAll(address, collectionParts(id)[1]);
  return mentioned;
}
function neededWhole(desired, ledger, kinds) {
  const exclusive = [...desired.resources.values()].flatMap(
    (one) => exclusiveKinds(one, kinds).map(({ name }) => collectionId(name, one.address))
  );
  const begun = Object.entries(ledger.begun ?? {}).flatMap(([address, { entry }]) => {
    const kind = kinds.get(entry.kind);
    return kind ? [collectionId(kind.name, parentOf(address, kind))] : [];
  });
  return /* @__PURE__ */ new Set([...exclusive, ...begun]);
}
var exclusiveKinds = ({ kind, meta: { exclusive } }, kinds) => exclusive ? childKinds(kinds, kind).filter(({ section }) => exclusive.includes(section)) : [];

return{digestsOf:digestsOf,withIds:withIds,keptAt:keptAt,isMadeOf:isMadeOf,decodeCollection:decodeCollection,namingSiblings:namingSiblings,chosenIn:chosenIn,collectionReader:collectionReader,observe:observe,mentionedCollections:mentionedCollections,neededWhole:neededWhole};})();exports.part_FGBDHNKO=part_FGBDHNKO;
const part_JC4MGK2O=(()=>{const {
  observe
}=part_FGBDHNKO;const {
  readOnly
}=require("./part-82.cjs").part_ITOYBHJI;const {
  keyOf,
  storeFor
}=require("./part-96.cjs").part_VFFBCGY7;const {
  emptyLedger
}=require("./part-105.cjs").part_EABJC5VV;const {
  placesOf
}=require("./part-90.cjs").part_TFHCOW53;const {
  collectionParts
}=require("./part-106.cjs").part_DT2CDXHV;const {
  closest
}=require("./part-84.cjs").part_IUECLPFZ;const {
  addressOf,
  isWithin
}=require("./part-106.cjs").part_BACZRMMV;const {
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

// src/cli/api-resource.ts
var idsOf = async (address, around) => idsIn(await placesAt(address, around));
var idsIn = (places) => new Map(places.flatMap(({ kind, ids: [id] }) => id === void 0 ? [] : [[kind, id]]));
async function placesAt(address, around) {
  const { connection, owner, kinds } = around;
  const ledger = await ledgerOnTheWay(address, around);
  const live = await observe(
    { stack: "", resources: /* @__PURE__ */ new Map(), inputs: [], folders: [] },
    ledger,
    kinds,
    readOnly(connection.send),
    {
      facts: owner.facts,
      also: ({ section }, parent) => isWithin(address, addressOf(parent, section, []))
    }
  );
  const found = live.resources.get(address);
  if (!found) {
    const unread = [...live.frozen].find(([id]) => {
      const [parent, kind] = collectionParts(id);
      return isWithin(address, addressOf(parent, kinds.get(kind).section, []));
    });
    const near = closest(address, live.resources.keys());
    throw new Problems([
      unread ? problem("api/resource", `cannot tell whether ${address} exists in the account: ${unread[1]}`) : problem("api/resource", `${address} does not exist in the account`, {
        hint: near === void 0 ? "write it as plans do: `projects/web/env/API_URL@production`" : `did you mean ${near}?`
      })
    ]);
  }
  return placesOf(address, found.kind, kinds).map(([kind, , at]) => ({
    kind,
    address: at,
    ids: live.resources.get(at)?.ids ?? []
  }));
}
async function ledgerOnTheWay(address, { configuration, options, host }) {
  const { stack } = configuration.desired;
  if (!stack) return emptyLedger("", "", "");
  const held = await (await storeFor(stack, options, host, await keyOf(options, host))).read();
  const entries = Object.entries(held?.entries ?? {}).filter(([at]) => isWithin(address, at));
  return { ...emptyLedger("", "", ""), entries: Object.fromEntries(entries) };
}

return{idsOf:idsOf,idsIn:idsIn,placesAt:placesAt};})();exports.part_JC4MGK2O=part_JC4MGK2O;
const part_2OZZAYPQ=(()=>{const {
  idsIn,
  placesAt
}=part_JC4MGK2O;const {
  typeWords
}=require("./part-105.cjs").part_5HVZGS2F;const {
  operationOf
}=require("./part-105.cjs").part_FE33W6O7;const {
  openAccount,
  scopeOf
}=require("./part-31.cjs").part_FFJC4QNY;const {
  openMasking
}=require("./part-82.cjs").part_QI5FGYYL;const {
  loadAround,
  sourcesFor
}=require("./part-105.cjs").part_TEBTU3WD;const {
  kindsOf
}=require("./part-90.cjs").part_TFHCOW53;const {
  expected,
  findingsOfIssue,
  optionsOf,
  shapeOf,
  typeOf
}=require("./part-97.cjs").part_BQI24POO;const {
  docOf,
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;const {
  plainly
}=require("./part-80.cjs").part_LGUCBGM4;const {
  closest,
  hintFor,
  quoted
}=require("./part-84.cjs").part_IUECLPFZ;const {
  show
}=require("./part-88.cjs").part_RDEMRLSM;const {
  addressOf,
  escapeName
}=require("./part-106.cjs").part_BACZRMMV;const {
  indented,
  labelled,
  widthOf
}=require("./part-106.cjs").part_P2I66CA3;const {
  count,
  listed
}=require("./part-106.cjs").part_J6NNXEVI;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cut,
  displayWidth,
  fold,
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
  clean,
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  Sealed
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
;
;
;
;
;
;
;
;
;
;
;

// src/action/rows.ts
function openFields(object, output) {
  return Object.fromEntries(
    Object.entries(output).flatMap(([name, schema]) => {
      const value = object[name];
      if (value === void 0 || value === null) return [];
      if (traitsOf(schema).secret === true) return [[name, new Sealed(textOf(value))]];
      return [[name, isTime(schema) && typeof value === "number" ? new Date(value).toISOString() : value]];
    })
  );
}
var isTime = (schema) => schema.def.format === "datetime";
var textOf = (value) => typeof value === "string" ? value : JSON.stringify(value);
var rowOf = ({ decode, output }, object) => openFields(decode ? decode(object) : object, output);
var memberOf = (answer, path) => (path ?? "").split(".").filter((name) => name !== "").reduce((value, name) => value?.[name], answer);
function standingOf(row, { end }, wished) {
  const state = end && String(row[end.field] ?? "");
  if (wished.length > 0) {
    if (wished.every(([name, value]) => shownText(row[name]) === value)) return "reached";
    return end && [...end.reached, ...end.ended].includes(state) ? "ended" : "under way";
  }
  if (end?.reached.includes(state)) return "reached";
  return end?.ended.includes(state) ? "ended" : "under way";
}
var shownText = (value) => value === void 0 ? "" : typeof value === "object" && !(value instanceof Sealed) ? JSON.stringify(value) : String(value);

// src/action/compose-request.ts
function composeRequest(endpoint, filling, body) {
  const { what, ids, found = {}, input, query } = filling;
  const [method, target] = endpoint.split(" ");
  const [path = "", search = ""] = target.split(/\?(.*)/s);
  const values = { ...input, ...found, ...Object.fromEntries(ids) };
  const inPath = namesIn(path);
  const missing = inPath.filter((name) => values[name] === void 0 && name !== "teamId");
  if (missing.length > 0)
    throw new Problems(
      missing.map(
        (name) => problem("asked/missing", `${what} needs to know which ${name} to act on`, {
          hint: `pass its address, or set ${name}=VALUE`
        })
      )
    );
  const asked = search.split("&").filter((part) => part !== "" && namesIn(part).every((name) => values[name] !== void 0));
  const used = /* @__PURE__ */ new Set([...inPath, ...asked.flatMap(namesIn)]);
  const rest = Object.entries(input).filter(([name]) => !used.has(name) && !ids.has(name));
  const isAsked = ([name]) => query.includes(name);
  const whole = Object.fromEntries(rest.filter((one) => !isAsked(one)));
  const sent = body ? body() : Object.keys(whole).length > 0 ? whole : void 0;
  const questions = [...asked, ...rest.filter(isAsked).map(([name]) => `${name}={${name}}`)];
  const full = `${method} ${path}${questions.length > 0 ? `?${questions.join("&")}` : ""}`;
  const params = Object.fromEntries(namesIn(full).map((name) => [name, textOf2(values[name])]));
  return {
    endpoint: full,
    ...Object.keys(params).length > 0 ? { params } : {},
    ...sent === void 0 ? {} : { body: sent }
  };
}
var namesIn = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).filter((name) => name !== "teamId");
var textOf2 = (value) => Array.isArray(value) ? value.join(",") : value;

// src/action/read-lookup.ts
var hasGlob = (name) => /[*?[{]/.test(name);
var lookupAt = (lookup, input, ids, ground) => {
  const { [lookup.key ?? ""]: name, ...rest } = input;
  const read = readerOf(
    lookup,
    { name: name === void 0 ? void 0 : String(name), ids, input: rest },
    ground
  );
  return (isWanted = () => true, limit = 1) => read(isWanted, limit);
};
function readerOf(lookup, { name, ids, input }, { send, queryOf: queryOf2 }) {
  const { one, items, endpoint, item, name: what } = lookup;
  const told = (objects, isMore = false) => ({
    objects,
    rows: objects.map((object) => rowOf(lookup, object)),
    isMore
  });
  const query = queryOf2(endpoint);
  if (one && name !== void 0 && !hasGlob(name)) {
    const values = { ...input, id: name };
    const request2 = composeRequest(
      one.endpoint,
      { what, ids, input: values, query: queryOf2(one.endpoint) },
      () => void 0
    );
    return async () => {
      const answer = await send(request2).catch(absent);
      const object = memberOf(answer, one.item);
      if (!object) return told([]);
      return told(Object.keys(rowOf(lookup, object)).length > 0 ? [object] : []);
    };
  }
  const request = composeRequest(endpoint, { what, ids, input, query });
  if (items === void 0)
    return async (isWanted) => {
      const object = memberOf(await send(request), item);
      return told(object && isWanted(object) ? [object] : []);
    };
  return async (isWanted, limit) => {
    let pages = await send({ ...request, items, pages: true });
    let all = pages.found().filter(isWanted);
    while (all.length < limit && pages.more) {
      pages = await pages.more();
      all = pages.found().filter(isWanted);
    }
    return told(all.slice(0, limit), all.length > limit || pages.more !== void 0);
  };
}
function absent(error) {
  if (error.status === 404) return void 0;
  throw error;
}
var pauses = [2, 3, 5, 5, 10];
async function follow(options) {
  const { look, stand, onSeen, clock, stop, within } = options;
  const end = clock.now() + within;
  for (let turn = 0; ; turn++) {
    const seen = await look();
    if (stop.aborted) return "stopped";
    onSeen(seen);
    const standing = stand(seen);
    if (standing !== "under way") return standing;
    const left = end - clock.now();
    if (left <= 0) return "under way";
    await clock.sleep(Math.min((pauses[turn] ?? pauses.at(-1)) * 1e3, left), stop).catch(() => {
    });
    if (stop.aborted) return "stopped";
  }
}

// src/manual/day-two.ts
var given = (of, names) => Object.fromEntries(names.flatMap((name) => of[name] === void 0 ? [] : [[name, of[name]]]));
var fieldsOf = (schemas, isInput) => Object.entries(schemas).map(([name, schema]) => ({
  name,
  // What is told is what there is.
  type: isInput ? typeWords(schema) : typeWords(schema).replace(", not empty", ""),
  doc: docOf(schema) ?? "",
  ...isInput && !schema.safeParse(void 0).success ? { needed: true } : {},
  ...traitsOf(schema).secret === true ? { secret: true } : {}
}));
var summaryOf = (one) => ({
  ...given(one, ["name", "area", "doc", "on"]),
  request: one.endpoint,
  input: fieldsOf(one.input, true),
  output: fieldsOf(one.output, false)
});
var actionList = (actions) => [...actions.values()].map((action) => ({
  ...summaryOf(action),
  ...given(action, ["grade", "why", "cost", "shows"]),
  repeatable: action.repeatable === true,
  declarable: action.declarable === true,
  ...action.until ? { waits: action.until.lookup } : {}
}));
var lookupList = (lookups) => [...lookups.values()].map((lookup) => ({
  ...summaryOf(lookup),
  ...given(lookup, ["key", "end"]),
  isList: lookup.items !== void 0,
  moves: [...lookup.moves ?? []]
}));
function actionFacts(one) {
  const { name, on, grade, why, cost, waits, shows, repeatable, declarable } = one;
  return [
    ...grade === "safe" ? ["Safe."] : [`${capital(grade)}: ${why}.`],
    ...cost === void 0 ? [] : [`Costs money: ${cost}.`],
    ...cost !== void 0 || grade === "irreversible" ? [`Takes ${on === void 0 ? "its name" : "its address"} once more, or \`--confirm\`.`] : [],
    ...waits === void 0 ? [] : [`\`--wait\` waits for it with the lookup ${waits}.`],
    ...shows === void 0 ? [] : [
      `The answer's \`${shows}\` is a secret that is shown only once: \`--secret-to\` says where to write it.`
    ],
    repeatable ? "It is idempotent." : "It is not idempotent: running it twice does it twice.",
    declarable ? `It can be used in a configuration: \`$then: [${name}]\`.` : "It can only be run by hand, not from a configuration."
  ];
}
function lookupFacts({ isList, key, moves, end }) {
  const by = { actions: "actions", pushes: "pushes", visitors: "visitors" };
  return [
    isList ? `A list${key === void 0 ? "" : `; a NAME is its \`${key}\``}.` : "One object.",
    ...moves.length > 0 ? [
      `Moved by ${moves.map((one) => by[one] ?? one).join(", ")}, too: under \`lookups:\` it can be used in the input of actions, not in fields.`
    ] : [],
    ...end ? [
      `\`trueup wait\` ends once \`${end.field}\` is ${end.reached.join(" or ")}${end.ended.length > 0 && end.ended.length < 20 ? `, and with 1 at ${end.ended.join(", ")}` : ""}.`
    ] : []
  ];
}
var capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
function dayTwoListText(list, style) {
  const blocks = [...groupBy(list, ({ area }) => area)].map(
    ([area, of]) => [
      style.strong(area),
      ...labelled(
        of.map((one) => ({
          label: `  ${one.name}`,
          paint: style.strong,
          cells: [{ text: one.doc }, { text: takes(one), paint: style.quiet }]
        })),
        widthOf(style)
      )
    ].join("\n")
  );
  return blocks.join("\n\n");
}
function takes({ on, input }) {
  const names = input.map(({ name, needed }) => needed ? name : `[${name}]`).join(", ");
  return [...on === void 0 ? [] : [`target: ${on}`], ...names === "" ? [] : [`input: ${names}`]].join(
    "; "
  );
}
function dayTwoText(one, style) {
  const width = widthOf(style);
  const facts = "grade" in one ? actionFacts(one) : lookupFacts(one);
  const about = one.on === void 0 ? ["the account"] : [`a ${one.on}`];
  const parts = [
    ["NAME", [`  ${style.strong(one.name)}`, ...indented(one.doc, width)]],
    ["ABOUT", about.flatMap((text) => indented(text, width))],
    ["TAKES", fieldLines(one.input, style)],
    ["TELLS", fieldLines(one.output, style)],
    ["STATUS", facts.flatMap((text) => indented(text, width))],
    ["REQUEST", [`  ${one.request}`]]
  ];
  return parts.filter(([, lines]) => lines.length > 0).map(([title, lines]) => [style.strong(title), ...lines].join("\n")).join("\n\n");
}
var fieldLines = (fields, style) => labelled(
  fields.map(({ name, type, doc, needed, secret }) => ({
    label: `  ${name}`,
    paint: style.strong,
    cells: [
      { text: [type, ...needed ? ["needed"] : [], ...secret ? ["secret"] : []].join("; ") },
      { text: doc }
    ]
  })),
  widthOf(style)
);

// src/cli/open-reading.ts
async function openReading(provider, options, terminal) {
  const { host } = terminal.run;
  const kinds = kindsOf(provider.kinds);
  const configuration = await loadAround(kinds, options, host, sourcesFor(options, host));
  const masking = openMasking();
  const account = await openAccount(provider, scopeOf(configuration, options), options, terminal, masking);
  const { connection, owner, baseUrl, close } = account;
  const around = { connection, owner, kinds, configuration, options, host };
  return {
    ...{ kinds, configuration, connection, owner, baseUrl, masking, around, close },
    operations: await provider.operations()
  };
}
async function aboutOf(given2, on, around) {
  const { section, parent } = around.kinds.get(on);
  const isName = parent === void 0 && !given2.includes("/");
  const address = isName ? addressOf(void 0, section, [escapeName(given2)]) : given2;
  const places = await placesAt(address, around);
  const { kind } = places.at(-1);
  if (kind !== on)
    throw new Problems([
      problem("asked/about", `${address} is a ${kind}, but a ${on} is needed here`, {
        hint: `an address looks like ${formOf(on, around.kinds)}`
      })
    ]);
  return { address, ids: idsIn(places), places };
}
function formOf(name, kinds) {
  const { section, parent, key } = kinds.get(name);
  const own = key.length > 0 ? `${section}/NAME` : section;
  return parent === void 0 ? own : `${formOf(parent, kinds)}/${own}`;
}
var queryOf = (endpoint, operations) => operationOf(endpoint, operations)?.query ?? [];
function named(name, all, what, list) {
  const found = all.get(name);
  if (found !== void 0) return found;
  const near = closest(name, all.keys());
  throw new Problems([
    problem("asked/name", `there is no ${what} ${quoted(name)}`, {
      hint: near === void 0 ? `\`${list}\` lists all` : `did you mean \`${near}\`?`
    })
  ]);
}
function printDayTwo(list, name, what, { json }, terminal) {
  const byName = new Map(list.map((one2) => [one2.name, one2]));
  const one = name === void 0 ? void 0 : named(name, byName, what.slice(0, -1), `trueup ${what === "actions" ? "run" : "get"} --list`);
  const document = one ? { ...one } : { [what]: list };
  if (json) terminal.out(jsonText({ formatVersion: "1.0", ...document }));
  else terminal.out(one ? dayTwoText(one, terminal.outStyle) : dayTwoListText(list, terminal.outStyle));
}

// src/report/rows-text.ts
var cell = (value) => value === void 0 ? "" : cleanLine(show(value));
var widest = 44;
function tableText(rows, columns, style) {
  const shown = columns.filter((name) => rows.some((row) => row[name] !== void 0));
  const cells = [
    shown.map((name) => name.toUpperCase()),
    ...rows.map((row) => shown.map((name) => cell(row[name])))
  ];
  const widths = shown.map(
    (_, at) => Math.min(widest, Math.max(...cells.map((line) => displayWidth(line[at]))))
  );
  const lines = cells.map(
    (line) => line.map((text, at) => at === line.length - 1 ? text : padded(cut(text, widths[at]), widths[at])).join("  ").trimEnd()
  );
  const [head = "", ...rest] = lines.map((line) => cut(line, style.width));
  return plainly([style.quiet(head), ...rest].join("\n"), style);
}
function fieldsText(row, style) {
  const entries = Object.entries(row).filter(([, value]) => value !== void 0);
  const width = Math.max(0, ...entries.map(([name]) => displayWidth(name)));
  const lines = entries.flatMap(([name, value]) => {
    const [first = "", ...rest] = fold(cell(value), Math.max(20, style.prose - width - 2));
    return [
      `${style.strong(padded(name, width))}  ${first}`,
      ...rest.map((line) => " ".repeat(width + 2) + line)
    ];
  });
  return plainly(lines.join("\n"), style);
}
var padded = (text, width) => text + " ".repeat(Math.max(0, width - displayWidth(text)));
var fewUsers = 10;
function secretsText(secrets, { style, of }) {
  const widest2 = Math.min(40, Math.max(0, ...secrets.map(({ name }) => cleanLine(name).length)));
  const lines = secrets.flatMap((one) => {
    const { name, source, neededBy, state, why, hint } = one;
    const shown = state === "missing" ? style.alarm(state) : state === "there" ? "available" : style.quiet(state);
    const more = neededBy.length - fewUsers;
    const users = neededBy.slice(0, fewUsers).map(cleanLine);
    const needed = more > 0 ? `${users.join(", ")} and ${more} more` : listed(users);
    return [
      `${style.strong(cleanLine(name).padEnd(widest2))}  ${shown}  ${cleanLine(source)}`,
      ...needed === "" ? [] : fold(`  needed by ${needed}`, style.width, "    ").map(style.quiet),
      ...why === void 0 ? [] : clean(why).split("\n").flatMap((line, at) => fold(at === 0 ? `  ${line}` : `  | ${line}`, style.prose, "    ")),
      ...hint === void 0 ? [] : fold(`  -> ${cleanLine(hint)}`, style.prose, "     ")
    ];
  });
  const missing = secrets.filter(({ state }) => state === "missing").length;
  const total = `${of === void 0 ? "" : `${cleanLine(of)}: `}${count(secrets.length, "secret")}${secrets.length === 0 ? "" : missing === 0 ? ", none missing" : `, ${missing} missing`}.`;
  return plainly([...lines, ...lines.length > 0 ? [""] : [], style.strong(total)].join("\n"), style);
}

// src/action/typed-input.ts
function typedInput(words, schemas, { what, flag }) {
  const raw = {};
  const wrong = words.flatMap(([path, text]) => put(raw, path.split("."), text, schemas, { what, flag }));
  if (wrong.length > 0) throw new Problems(wrong);
  return checkedInput(raw, schemas, { what, flag });
}
function checkedInput(raw, schemas, { what, flag }) {
  const input = {};
  const wrong = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const { success, data, error } = schema.safeParse(raw[name]);
    if (success) {
      if (data !== void 0) input[name] = isSecret(schema) ? sealed(data) : data;
    } else if (raw[name] === void 0)
      wrong.push(
        problem("asked/missing", `${what} needs ${quoted(name)}`, {
          hint: `set it with ${flag} ${name}=VALUE: ${wordsOf(schema)}`
        })
      );
    else
      for (const { message, hint, path } of error.issues.flatMap(
        (issue) => findingsOfIssue(issue, { name, schema, raw: raw[name] })
      ))
        wrong.push(problem("asked/value", `${flag} ${path.join(".")}: ${message}`, hint ? { hint } : {}));
  }
  if (wrong.length > 0) throw new Problems(wrong);
  return input;
}
var isSecret = (schema) => traitsOf(schema).secret === true;
var sealed = (value) => new Sealed(typeof value === "string" ? value : JSON.stringify(value));
var wordsOf = (schema) => docOf(schema) ?? expected(schema) ?? "a value";
function put(into, [name = "", ...inner], text, members, { what, flag }) {
  const schema = Object.hasOwn(members, name) ? members[name] : void 0;
  if (!schema) {
    const hint = hintFor(name, Object.keys(members), "it takes");
    return [
      problem("asked/unknown", `${what} takes no ${quoted(name)}`, {
        hint: hint ?? "it takes no input"
      })
    ];
  }
  const { schemas } = optionsOf(schema);
  if (inner.length > 0) {
    const shapes = schemas.map((one) => shapeOf(one) ?? mapOf(one, inner[0])).filter((one) => one !== void 0);
    if (shapes.length === 0)
      return [problem("asked/value", `${flag} ${name}.${inner.join(".")}: ${quoted(name)} has no members`)];
    into[name] ??= {};
    return put(into[name], inner, text, Object.assign({}, ...shapes), {
      what: `${what}: ${name}`,
      flag
    });
  }
  const isList = schemas.some((one) => typeOf(one) === "array") && !text.startsWith("[");
  if (isList) {
    const element = schemas.flatMap((one) => elementOf(one) ?? [])[0];
    into[name] = [...into[name] ?? [], readAs(text, element)];
    return [];
  }
  if (Object.hasOwn(into, name))
    return [problem("asked/value", `${flag} ${name} is set twice`, { hint: "it takes a single value" })];
  into[name] = readAs(text, schema);
  return [];
}
function mapOf(schema, name) {
  const { valueType } = schema.def;
  return valueType && { [name]: valueType };
}
var elementOf = (schema) => schema.def.element;
function readAs(text, schema) {
  const types = optionsOf(schema).schemas.map(typeOf);
  if (types.some((type) => type === "number" || type === "int") && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text);
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  const isDeep = types.some(
    (type) => ["object", "record", "array", "any", "unknown", "custom"].includes(type)
  );
  if (!isDeep) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// src/cli/live-text.ts
async function liveText({ isLive, run }) {
  if (!isLive) return void 0;
  const { createLogUpdate } = await Promise.resolve().then(()=>require("./part-8.cjs").part_66UY47A3);
  return createLogUpdate(run.host.stderr);
}

// src/cli/read-lookup.ts
var lookupGround = ({
  connection,
  operations
}) => ({
  send: connection.send,
  queryOf: (endpoint) => queryOf(endpoint, operations)
});
async function lookupReader(lookup, wanted, reading) {
  const { around } = reading;
  const { about, asked, conditions } = sorted(lookup, wanted);
  const input = typedInput(asked, lookup.input, { what: lookup.name, flag: "--where" });
  const ids = about === void 0 ? /* @__PURE__ */ new Map() : (await aboutOf(about, lookup.on, around)).ids;
  refuseWithoutAbout(lookup, ids, input);
  const { name } = wanted;
  const read = readerOf(lookup, { name, ids, input }, lookupGround(reading));
  const isNamed = name === void 0 || !lookup.key ? () => true : nameTest(name, lookup.key);
  const isWanted = (row) => isNamed(row) && conditions.every(([field, value]) => shownText(row[field]) === value);
  return () => read((object) => isWanted(rowOf(lookup, object)), wanted.limit);
}
function nameTest(name, key) {
  const test = hasGlob(name) ? matcherOf([name]) : (text) => text === name;
  return (row) => test(shownText(row[key]));
}
function sorted({ name, on, input, output }, { of, where }) {
  const about = of ?? where.find(([field]) => field === on)?.[1];
  const others = where.filter(([field]) => field !== on);
  const isAsked = ([field]) => Object.hasOwn(input, field.split(".")[0]);
  const conditions = others.filter((one) => !isAsked(one));
  if (of !== void 0 && on === void 0)
    throw new Problems([problem("asked/about", `${name} is about the account and takes no --of`)]);
  refuseUnknown(
    conditions.map(([field]) => field),
    Object.keys(output),
    {
      what: name,
      known: [...on === void 0 ? [] : [on], ...Object.keys(input), ...Object.keys(output)]
    }
  );
  return { about, asked: others.filter(isAsked), conditions };
}
function refuseUnknown(names, fields, { what, known = [...fields] }) {
  const wrong = names.filter((name) => !fields.includes(name));
  if (wrong.length === 0) return;
  throw new Problems(
    wrong.map(
      (name) => problem("asked/unknown", `${what} has no ${quoted(name)}`, { hint: hintFor(name, known, "it has") })
    )
  );
}
function refuseWithoutAbout({ name, on, endpoint }, ids, input) {
  const path = endpoint.split("?")[0];
  const missing = [...path.matchAll(/\{(\w+)\}/g)].map(([, of]) => of).filter((of) => of !== "teamId" && !ids.has(of) && input[of] === void 0);
  if (missing.length === 0) return;
  throw new Problems([
    problem("asked/missing", `${name} needs to know which ${on ?? missing[0]}`, {
      hint: on === void 0 ? `name it: --where ${missing[0]}=VALUE` : "name it: --of ADDRESS"
    })
  ]);
}
async function followLookup(lookup, look, { terminal, columns, within, stand }) {
  const { host } = terminal.run;
  const stop = new AbortController();
  const stopListening = host.onSignal(["SIGINT", "SIGTERM", "SIGHUP"], () => stop.abort());
  const view = viewOf(lookup, columns, terminal, await liveText(terminal));
  let last = { rows: [], objects: [], isMore: false };
  try {
    const stopped = new Promise(
      (done) => stop.signal.addEventListener("abort", () => done("stopped"))
    );
    const standing = await Promise.race([
      stopped,
      follow({
        look,
        stand: ({ rows }) => stand(rows),
        onSeen: (seen) => {
          last = seen;
          view.show(seen.rows);
        },
        clock: host.clock,
        stop: stop.signal,
        within
      })
    ]);
    return { ...last, standing };
  } finally {
    view.done();
    stopListening();
  }
}
function viewOf({ name, key = "", end }, columns, { err, errStyle }, update) {
  if (update) {
    return {
      show: (rows) => {
        update.clear();
        update(rows.length > 0 ? tableText(rows, columns, errStyle) : `There is no ${name} yet.`);
      },
      done: () => update.clear()
    };
  }
  const known = /* @__PURE__ */ new Map();
  return {
    show(rows) {
      if (rows.length === 0 && known.size === 0) {
        known.set("", "");
        err(`There is no ${name} yet.`);
      }
      for (const row of rows) {
        const id = shownText(row[key]);
        const state = end ? shownText(row[end.field]) : columns.map((field) => shownText(row[field])).join(" ");
        if (known.get(id) === state) continue;
        known.set(id, state);
        err(`${[name, id].filter((word) => word !== "").join(" ")}: ${state}`);
      }
    },
    done: () => {
    }
  };
}

return{composeRequest:composeRequest,openFields:openFields,memberOf:memberOf,standingOf:standingOf,shownText:shownText,lookupAt:lookupAt,follow:follow,actionList:actionList,lookupList:lookupList,openReading:openReading,aboutOf:aboutOf,formOf:formOf,queryOf:queryOf,named:named,printDayTwo:printDayTwo,typedInput:typedInput,checkedInput:checkedInput,tableText:tableText,fieldsText:fieldsText,secretsText:secretsText,liveText:liveText,lookupGround:lookupGround,lookupReader:lookupReader,refuseUnknown:refuseUnknown,followLookup:followLookup};})();exports.part_2OZZAYPQ=part_2OZZAYPQ;
