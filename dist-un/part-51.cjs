"use strict";const part_MKMGPZXS=(()=>{const {
  WrittenMap,
  isFalsy,
  listed,
  mapOf,
  print,
  shortened
}=require("./part-112.cjs").part_Q6WJRPVS;const {
  deliverSecret,
  undeliverable
}=require("./part-68.cjs").part_TKJ67INM;const {
  saidTwice
}=require("./part-93.cjs").part_FJCNLGFD;const {
  same
}=require("./part-85.cjs").part_HRKYGKTM;const {
  writeOutput
}=require("./part-18.cjs").part_CTIH5LY5;const {
  load
}=require("./part-105.cjs").part_EABJC5VV;const {
  can,
  childKinds,
  equalsAbsent,
  leavesOf,
  membersOf,
  placesOf,
  withoutEmpty
}=require("./part-90.cjs").part_TFHCOW53;const {
  secretEnv,
  shellWord
}=require("./part-97.cjs").part_BQI24POO;const {
  innerOf,
  once,
  referenceOf,
  shapeOf,
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;const {
  ZodAny,
  ZodUnion,
  ZodUnknown
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  findProgram
}=require("./part-97.cjs").part_UADL7KU7;const {
  collectionParts
}=require("./part-106.cjs").part_DT2CDXHV;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;const {
  addressOf,
  escapeName,
  isWithin,
  lastNameOf,
  unescapeName
}=require("./part-106.cjs").part_BACZRMMV;const {
  visibleEnv,
  workTreeOf
}=require("./part-83.cjs").part_LFMTYGTI;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;const {
  addTo,
  byKey,
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  atPath,
  holesIn,
  isHole,
  isPlainObject,
  isRef,
  mapHoles,
  namesIn
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  inside,
  mapMembers,
  walk
}=require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { stat }=require("node:fs/promises");const { relative, resolve, sep }=require("node:path");const { parseEnv }=require("node:util");const { spawn }=require("node:child_process");const { realpath }=require("node:fs/promises");const { stat:stat2 }=require("node:fs/promises");const { dirname, join, posix }=require("node:path");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/export/as-found.ts
function asFound({ resources }, kinds, isChosen = () => true, written = /* @__PURE__ */ new Map()) {
  return [...resources.values()].flatMap(
    ({ address, kind, fields }) => Object.entries(kinds.get(kind).fields).filter(([name, schema]) => isChosen(address, name) && mayHoldSecret(schema, fields[name])).map(([name]) => `${written.get(address) ?? address} (${name})`)
  ).sort();
}
function mayHoldSecret(schema, value) {
  if (value === void 0 || value === null || value instanceof Sealed || isHole(value)) return false;
  if (traitsOf(schema).secret) return false;
  const inner = innerOf(schema);
  if (inner) return mayHoldSecret(inner, value);
  if (schema instanceof ZodAny || schema instanceof ZodUnknown) return textsIn(value).some(isLong);
  if (schema instanceof ZodUnion)
    return schema.options.some((option) => mayHoldSecret(option, value));
  if (typeof value === "string") return isTellingUrl(value);
  const { element, valueType } = schema.def;
  if (Array.isArray(value)) return element !== void 0 && value.some((one) => mayHoldSecret(element, one));
  if (!isPlainObject(value)) return false;
  if (textsIn(traitsOf(schema).mayTell?.(value)).some(isLong)) return true;
  const shape = shapeOf(schema);
  return Object.entries(value).some(([name, item]) => {
    const member = shape?.[name] ?? valueType;
    const isOpenText = !shape && typeof item === "string" && member && !traitsOf(member).secret;
    return isOpenText ? isLong(item) : member !== void 0 && mayHoldSecret(member, item);
  });
}
function textsIn(value) {
  const found = [];
  walk(value, (one) => {
    if (typeof one === "string") found.push(one);
    return Array.isArray(one) || isPlainObject(one) ? inside : void 0;
  });
  return found;
}
var isLong = (text) => text.length >= 8;
var isTellingUrl = (text) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && (/^[^/]*\/\/[^/]*@/.test(text) || /[?&][^=&]+=[^&]{8,}/.test(text) || text.split(/[/?&=#]/).some((part) => /^(?=.*\d)(?=.*[a-z])[\w-]{20,}$/i.test(part)));

// src/export/secret-names.ts
var family = "env";
var secretText = (name) => `\${secret.${family}[${name}]}`;
var collecting = (found) => ({
  next(words, value) {
    const text = value?.reveal();
    if (text !== void 0) addTo(found, text, words);
    return "";
  }
});
function secretNames(found, isTaken) {
  const used = /* @__PURE__ */ new Map();
  const byValue = /* @__PURE__ */ new Map();
  const freeName = (words, value) => {
    const text = words.map(clean).filter(Boolean).join("_").toUpperCase();
    const named2 = /^[A-Z]/.test(text) ? text : `SECRET_${text}`;
    const isFree = (one) => !used.has(one) && !isTaken(one, value);
    const base = isTaken(named2, value) ? `EXPORTED_${named2}` : named2;
    let name = base;
    for (let count2 = 2; !isFree(name); count2++) name = `${base}_${count2}`;
    return name;
  };
  return {
    next(words, value, use) {
      const text = value?.reveal();
      const known = text === void 0 ? void 0 : byValue.get(text);
      const name = known ?? freeName(commonEnd(text && found.get(text) || []) ?? words, value);
      if (text !== void 0) byValue.set(text, name);
      used.set(name, { value, uses: [...used.get(name)?.uses ?? [], use] });
      return name;
    },
    all: () => new Map([...used].sort(byKey))
  };
}
var clean = (word) => word.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
function commonEnd([first, ...others]) {
  if (!first || others.length === 0) return void 0;
  const isShared = (at) => others.every((one) => one.at(-at) === first.at(-at));
  let length = 0;
  while (length < first.length && isShared(length + 1)) length++;
  return length === 0 ? void 0 : first.slice(-length);
}

// src/export/expressible.ts
function expressible(name, schema, part, found) {
  const problems = [];
  let kept = part;
  for (; ; ) {
    const wrong = kept === void 0 ? void 0 : wrongIn(name, schema, kept, found);
    if (!wrong) return { part: kept, problems };
    const at = removable(schema, kept, wrong.path);
    problems.push(`\`${[name, ...at].join(".")}\` is left out: ${wrong.why}`);
    kept = at.length === 0 ? void 0 : removed(kept, at);
  }
}
function wrongIn(name, schema, part, found) {
  const odd = oddIn(part, []);
  if (odd) return odd;
  const holes = [];
  const standIns = withStandIns(part, [], holes);
  const { issues } = schema.safeParse(standIns, { error: () => noPlace }).error ?? { issues: [] };
  for (const issue of issues) {
    const path = issue.path.map(String);
    if (holes.some((hole) => hole.every((step, index) => String(step) === path[index]))) continue;
    return { path, why: issue.message === noPlace ? sayWhy(part, path) : issue.message };
  }
  const [wanted, there] = [part, found].map((value) => withoutEmpty({ [name]: schema }, { [name]: value }));
  const differs = ({ path, value, traits }) => !same(value, atPath(there, path), traits);
  const leaf = leavesOf({ [name]: schema }, wanted).find(differs);
  if (!leaf) return void 0;
  const unknown = unknownIn(leaf.value, atPath(there, leaf.path));
  return {
    path: namesIn(leaf.path).slice(1),
    why: unknown ? `${unknown.map((member) => `\`${member}\``).join(", ")} in it cannot be declared` : "not all of it can be declared"
  };
}
var noPlace = "a configuration cannot express this value";
function sayWhy(part, path) {
  const value = path.reduce((at, step) => at?.[step], part);
  const text = typeof value === "object" || value === void 0 ? void 0 : JSON.stringify(value);
  return text === void 0 || text.length > 60 ? noPlace : `${noPlace}, ${text}`;
}
function oddIn(value, path) {
  if (typeof value === "number" && (!Number.isFinite(value) || Number.isInteger(value) && !Number.isSafeInteger(value)))
    return { path, why: `the number ${value} cannot be represented exactly` };
  if (Array.isArray(value))
    return firstOf(
      value.map((item, index) => [String(index), item]),
      path
    );
  if (!isPlainObject(value)) return void 0;
  if (Object.hasOwn(value, "__proto__"))
    return { path, why: "the name `__proto__` is not allowed in a file" };
  return firstOf(Object.entries(value), path);
}
function firstOf(members, path) {
  for (const [name, item] of members) {
    const odd = oddIn(item, [...path, name]);
    if (odd) return odd;
  }
  return void 0;
}
function withStandIns(value, path, holes) {
  if (value instanceof Sealed || isHole(value)) {
    holes.push(path);
    return mapHoles(value, () => "text");
  }
  if (Array.isArray(value)) return value.map((item, index) => withStandIns(item, [...path, index], holes));
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, item]) => [name, withStandIns(item, [...path, name], holes)])
  );
}
function removable(schema, value, path) {
  const ways = [];
  let at = { schema, value };
  const way = [];
  for (const step of path) {
    const memberOf = traitsOf(at.schema).atomic || !isPlainObject(at.value) ? void 0 : membersOf(at.schema);
    const member = memberOf?.(step);
    if (!member) break;
    way.push(step);
    if (isOptional(member) || isMap(at.schema)) ways.push([...way]);
    at = { schema: member, value: at.value[step] };
  }
  return ways.at(-1) ?? [];
}
var isMap = (schema) => membersOf(schema)?.(" any name ") !== void 0;
function removed(value, [name, ...rest]) {
  const { [name]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...value, [name]: removed(inner, rest) };
}
function unknownIn(part, found) {
  const names = /* @__PURE__ */ new Set();
  const walk2 = (known, there) => {
    if (Array.isArray(there))
      for (const [index, item] of there.entries()) walk2(known?.[index], item);
    if (!isPlainObject(there)) return;
    for (const [name, item] of Object.entries(there))
      if (isPlainObject(known) && known[name] === void 0) names.add(name);
      else walk2(known?.[name], item);
  };
  walk2(part, found);
  return names.size > 0 ? [...names].sort() : void 0;
}
function whyNoKey({ yaml: { mapBy }, fields: schemas }, fields, key) {
  if (key === "__proto__" || /^\$(?!\$?\{)/.test(key)) return `no block can have the name "${key}"`;
  const value = fields[mapBy];
  const { issues } = schemas[mapBy].safeParse(value, { error: () => noPlace }).error ?? { issues: [] };
  return isRef(value) || traitsOf(schemas[mapBy]).ref ? void 0 : issues[0]?.message;
}
function declarable(schema, value) {
  return value === null && isOptional(schema) ? void 0 : asItem(schema, value);
}
function asItem(schema, value) {
  if (value === void 0) return void 0;
  if (value === null) return schema.safeParse(null).success ? null : void 0;
  if (value instanceof Sealed || isHole(value)) return value;
  const inner = innerOf(schema);
  if (inner) return declarable(inner, value);
  if (schema instanceof ZodUnion) return oneOf(schema.options, value);
  if (Array.isArray(value)) {
    const element = schema.def.element;
    if (!element) return value;
    return value.map((item) => asItem(element, item)).filter((item) => item !== void 0);
  }
  if (!isPlainObject(value)) return value;
  const shape = shapeOf(schema);
  if (shape) return partsOf(shape, value);
  const { valueType } = schema.def;
  if (!valueType) return value;
  const members = Object.entries(value).map(
    ([name, item]) => [name, asItem(valueType, item)]
  );
  return Object.fromEntries(members.filter(([, item]) => item !== void 0));
}
function oneOf(options, value) {
  for (const option of options) {
    const part = declarable(option, value);
    if (part !== void 0 && option.safeParse(mapHoles(part, () => "text")).success) return part;
  }
  return value;
}
var partsOf = (shape, value) => {
  const members = Object.entries(shape).map(([name, schema]) => {
    const item = declarable(schema, value[name]);
    const isLeftOut = isOptional(schema) && saysNothing(item) && (item === void 0 || equalsAbsent(schema, item));
    return [name, isLeftOut ? void 0 : item];
  });
  return Object.fromEntries(members.filter(([, item]) => item !== void 0));
};
var isOptional = (schema) => schema.safeParse(void 0).success;
var saysNothing = (value) => value === void 0 || value === null || value === "" || Array.isArray(value) && value.length === 0 || isPlainObject(value) && Object.keys(value).length === 0;

// src/export/write-field.ts
function writeField(name, schema, value, { secrets, values, words, usual, isSecret, isLeftOut }) {
  const traits = traitsOf(schema);
  if (traits.createOnly || traits.local) return void 0;
  const isLeftThere = values === "omit" || values === "file" && value === void 0;
  if (traits.neededToCreate && isLeftThere) return void 0;
  const named2 = (path, found) => secretText(secrets.next([...words, ...path.filter((word) => word !== "value")], found));
  if (value === void 0) {
    if (isOptional(schema) && !traits.neededToCreate) return void 0;
    return isSecret ? { value: named2([name]), comment: "its value cannot be read back" } : { problem: `\`${name}\` is required, but the platform does not return it` };
  }
  const part = declarable(schema, value);
  if (part === void 0) return void 0;
  const isUsual = isAsUsual(schema, part, usual);
  const goesWithoutSaying = isUsual ? !traits.safeguard : saysNothing(part) && !traits.emptyCounts;
  if (isOptional(schema) && isUsual !== false && goesWithoutSaying) return void 0;
  if (isSecret || part instanceof Sealed)
    return { value: named2([name], part instanceof Sealed ? part : void 0) };
  const refs = holesIn(part).filter(isRef);
  if (refs.some(({ $ref }) => $ref.startsWith("#")))
    return { problem: `\`${name}\` is left out: it refers to something that does not exist` };
  const missing = refs.find(({ $ref }) => isLeftOut($ref));
  if (missing) return { problem: `\`${name}\` is left out: it refers to ${missing.$ref}, which is left out` };
  if (referenceOf(schema) !== void 0 && [part].flat().every(isRef)) return { value: referred(part) };
  const { part: kept, problems } = expressible(name, schema, part, value);
  if (kept === void 0) return { problem: problems.at(-1) };
  return {
    value: spelled(kept, [name], named2),
    says: kept,
    isUsual,
    ...problems.length > 0 ? { comment: problems.join("\n") } : {}
  };
}
var usualOnes = (schema, usual) => [usual, schema.safeParse(void 0).data].filter((one) => one !== void 0);
function isAsUsual(schema, part, usual) {
  const known = usualOnes(schema, usual);
  return known.length === 0 ? void 0 : known.some((one) => same(one, part, traitsOf(schema)));
}
function referred(value) {
  const names = [value].flat().map((one) => lastNameOf(one.$ref));
  return Array.isArray(value) ? names.sort() : names[0];
}
var escaped = (text) => text.replaceAll("${", () => "$${");
function spelled(value, path, named2) {
  if (value instanceof Sealed) return named2(path, value);
  if (isRef(value)) return referenceText(value);
  if (typeof value === "string") return escaped(value);
  if (Array.isArray(value)) return value.map((item, index) => spelled(item, [...path, String(index)], named2));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, item]) => [
      escaped(member),
      spelled(item, [...path, member], named2)
    ])
  );
}
function referenceText({ $ref, attr }) {
  const [section, ...names] = $ref.split("/").map(unescapeName);
  return `\${${section}${names.map(stepText).join("")}.${attr}}`;
}
var stepText = (name) => {
  if (/^[\w-]+$/.test(name)) return `.${name}`;
  return name.includes('"') ? `['${name}']` : `["${name}"]`;
};

// src/export/export-files.ts
function exportFiles({ sections, others, secrets, notes }, options) {
  const header = new WrittenMap();
  const texts = Object.entries(options.platform).map(([name, value]) => [
    name,
    typeof value === "string" ? escaped(value) : value
  ]);
  header.add("stack", escaped(options.stack));
  header.add("platform", Object.fromEntries(texts));
  if (secrets.size > 0) {
    const source = Object.entries(options.secretsIn ?? {}).map(([way, file]) => [way, escaped(file)]);
    header.add("secrets", new WrittenMap().add(family, Object.fromEntries(source)));
  }
  const first = options.modeline === void 0 ? [] : [options.modeline];
  const left = notes.length > 0 ? ["Not in this export:", ...notes.map((note) => `- ${note}`)] : [];
  const comments = [...first, ...left];
  const apart = others.map(({ file, sections: sections2 }) => {
    const map = new WrittenMap();
    for (const { name, value } of sections2) map.add(name, value);
    return { name: file, text: print(map, first) };
  });
  if (!options.isSplit) {
    for (const { name, value } of sections) header.add(name, value);
    return [{ name: "trueup.yaml", text: print(header, comments) }, ...apart];
  }
  const parts = sections.map(({ name, value }) => ({
    name: `${name}.yaml`,
    text: print(new WrittenMap().add(name, value), first)
  }));
  return [{ name: "trueup.yaml", text: print(header, comments) }, ...parts, ...apart];
}

// src/export/identified.ts
function identified({ resources }, kinds) {
  const all = [...resources.values()];
  const addresses = new Map(all.map(({ kind, id, address }) => [`${kind} ${id}`, address]));
  const addressOf2 = (kind, id) => addresses.get(`${kind} ${id}`);
  const present = [...new Set(all.map(({ kind }) => kind))].map((name) => kinds.get(name));
  const concerned = new Map(
    present.filter(({ fields }) => Object.values(fields).some(mayHoldId)).map((kind) => [kind.name, kind])
  );
  return all.map((one) => {
    const kind = concerned.get(one.kind);
    return kind ? named(one, kind, addressOf2) : one;
  });
}
var named = (one, kind, addressOf2) => ({
  ...one,
  fields: mapMembers(one.fields, (value, name) => inField(kind.fields[name], value, addressOf2)),
  ...one.alternatives ? { alternatives: one.alternatives.map((each) => named(each, kind, addressOf2)) } : {}
});
function inField(schema, value, addressOf2) {
  if (typeof value === "string") {
    const { mayIdentify } = traitsOf(schema);
    const address = mayIdentify === void 0 ? void 0 : addressOf2(mayIdentify, value);
    return address === void 0 ? value : { $ref: address, attr: "id" };
  }
  if (Array.isArray(value)) {
    const element = elementOf(schema);
    return element ? value.map((item) => inField(element, item, addressOf2)) : value;
  }
  const memberOf = isPlainObject(value) ? membersOf(schema) : void 0;
  if (!memberOf) return value;
  return mapMembers(value, (item, name) => {
    const member = memberOf(name);
    return member ? inField(member, item, addressOf2) : item;
  });
}
var elementOf = (schema) => {
  const inner = innerOf(schema);
  return inner ? elementOf(inner) : schema.def.element;
};
var mayHoldId = once((schema) => {
  const inside2 = [elementOf(schema), ...Object.values(shapeOf(schema) ?? {})];
  return traitsOf(schema).mayIdentify !== void 0 || inside2.some((one) => one && mayHoldId(one));
});

// src/export/parts-of.ts
function partsOf2(kind, objects) {
  const { rowOf } = kind.shape;
  if (!rowOf) return objects.map((of) => ({ of, fields: of.fields }));
  const units = objects.flatMap((of) => (of.rows ?? []).map((row) => ({ of, row })));
  return [...groupBy(units, ({ row }) => row.id).values()].map((same2) => ({
    of: same2[0].of,
    fields: rowOf(same2.map(({ row }) => row.fields))
  }));
}
function neededBy(objects) {
  const needed = /* @__PURE__ */ new Set();
  for (const { address, parent, fields } of objects) {
    const refs = holesIn(fields).flatMap((hole) => "$ref" in hole ? [hole.$ref] : []);
    for (const one of [...parent === void 0 ? [] : [parent], ...refs])
      if (one !== address)
        for (const [index, part] of [...one.split("/").entries()].reverse())
          needed.add([...one.split("/").slice(0, index), part].join("/"));
  }
  return needed;
}
function notRead({ frozen, refused, leftOut }, kinds) {
  const place = (id) => {
    const [parent, name] = collectionParts(id);
    return addressOf(parent, kinds.get(name).section, []);
  };
  const plural = (count2) => count2 === 1 ? "1 object is" : `${count2} objects are`;
  const among = (count2, names) => names.length === 0 ? "" : `: ${names.join(", ")}${count2 > names.length ? ", ..." : ""}`;
  return [
    ...[...frozen].map(
      ([id, why]) => refused.has(id) ? `${place(id)} is not accessible to this account or token: ${why}` : `${place(id)} could not be read: ${why}`
    ),
    ...[...leftOut].map(
      ([id, { count: count2, names }]) => `${place(id)}: ${plural(count2)} left out, cannot be declared${among(count2, names)}`
    )
  ].sort();
}
function filesOf(rules, { resources }, kinds) {
  const known = /* @__PURE__ */ new Map();
  const find = (one) => {
    const { kind: name, address, parent } = one;
    const kind = kinds.get(name);
    const above = parent === void 0 ? void 0 : resources.get(parent);
    const around = above && kinds.get(above.kind);
    const isInItem = around !== void 0 && around.key.length > 0 && around.yaml.mapBy === void 0;
    const isBound = above !== void 0 && (kind.shape.orderDecides || isInItem);
    const rule = isBound ? void 0 : rules.find(({ isMeant }) => isMeant(address));
    return rule ? rule.file : above && fileOf(above);
  };
  const fileOf = (one) => {
    if (!known.has(one.address)) known.set(one.address, find(one));
    return known.get(one.address);
  };
  return fileOf;
}

// src/export/export-live.ts
function exportLive(options) {
  return new Exporter(options).exported();
}
var collection = (kind, parent) => `${kind} ${parent ?? ""}`;
var Exporter = class {
  #live;
  #kinds;
  #values;
  #isTaken;
  #files;
  #given;
  #withId;
  #fileOf;
  #notes = [];
  #count = 0;
  #secrets = collecting(/* @__PURE__ */ new Map());
  /** The file that is written; `all` while everything is, as if into one. */
  #writing = { all: true };
  #left = /* @__PURE__ */ new Set();
  #written = /* @__PURE__ */ new Map();
  /** The objects of each collection, by address. */
  #collections;
  #chosen;
  /** Objects that the chosen ones stand in or name. */
  #needed;
  /** Lists whose items are objects of their own here, as `ADDRESS FIELD`. */
  #saidElsewhere;
  constructor(options) {
    const {
      live,
      kinds,
      isChosen = () => true,
      isTaken = () => false,
      values = "inline",
      files = [],
      labels = /* @__PURE__ */ new Map(),
      withId = /* @__PURE__ */ new Set()
    } = options;
    this.#given = labels;
    this.#withId = withId;
    this.#live = live;
    this.#kinds = kinds;
    this.#values = values;
    this.#isTaken = isTaken;
    this.#files = files;
    this.#fileOf = filesOf(files, live, kinds);
    const all = identified(live, kinds).sort((a, b) => a.address < b.address ? -1 : 1);
    this.#collections = groupBy(all, ({ kind, parent }) => collection(kind, parent));
    const chosen = all.filter(({ address }) => isChosen(address));
    this.#chosen = new Set(chosen.map(({ address }) => address));
    this.#needed = neededBy(chosen);
    this.#saidElsewhere = new Set(
      saidTwice(chosen, live, kinds).map(({ one, name }) => `${one.address} ${name}`)
    );
  }
  exported() {
    let found;
    let left;
    do {
      left = this.#left.size;
      [this.#notes, this.#count] = [[], 0];
      found = /* @__PURE__ */ new Map();
      this.#secrets = collecting(found);
      this.#sections({ all: true });
    } while (this.#left.size > left);
    const notes = [...this.#notes, ...notRead(this.#live, this.#kinds)];
    const count2 = this.#count;
    const names = secretNames(found, this.#isTaken);
    this.#secrets = names;
    const sections = this.#sections({ file: void 0 });
    const others = [...new Set(this.#files.map(({ file }) => file))].map((file) => ({ file, sections: this.#sections({ file }) })).filter((one) => one.sections.length > 0);
    const all = [...names.all()];
    return {
      sections,
      others,
      secrets: new Map(all.map(([name, { value }]) => [name, value])),
      uses: new Map(all.map(([name, { uses }]) => [name, uses])),
      notes,
      count: count2,
      written: this.#written
    };
  }
  #sections(writing) {
    this.#writing = writing;
    return childKinds(this.#kinds, void 0).flatMap((kind) => {
      const section = this.#sectionOf(kind, void 0);
      return section ? [{ name: kind.section, value: section.value }] : [];
    });
  }
  #sectionOf(kind, parent) {
    const objects = this.#objectsOf(kind, parent);
    if (objects.length === 0) return void 0;
    const labels = kind.shape.labels?.(kind, objects);
    const blocks = partsOf2(kind, objects).flatMap(
      (part) => this.#blockOf(kind, part, parent, this.#given.get(part.of.address) ?? labels?.get(part.of)) ?? []
    );
    if (blocks.length === 0 || kind.key.length === 0) return blocks[0];
    return { value: kind.yaml.mapBy === void 0 ? blocks.map(listed) : mapOf(blocks), comments: [] };
  }
  /** The objects of a collection; of several with one name only the first can be declared. */
  #objectsOf(kind, parent) {
    const own = this.#collections.get(collection(kind.name, parent?.address)) ?? [];
    const wanted = own.filter(({ address }) => this.#chosen.has(address) || this.#needed.has(address));
    const declared = wanted.flatMap((one) => {
      const [first, ...others] = [...one.alternatives ?? [one]].sort((a, b) => a.id < b.id ? -1 : 1);
      for (const { id } of others)
        this.#notes.push(
          `${one.address} exists more than once: besides ${first.id} there is ${id}, which cannot be declared under the same name`
        );
      return first;
    });
    return kind.shape.orderDecides ? declared.sort((a, b) => a.index - b.index) : declared;
  }
  #blockOf(kind, { of, fields: found }, parent, called) {
    const label = called?.text;
    if (!("all" in this.#writing) && this.#fileOf(of) !== this.#writing.file)
      return this.#aroundOthers(kind, of, label);
    const isWanted = this.#chosen.has(of.address);
    if (label !== void 0)
      this.#written.set(of.address, addressOf(of.parent, kind.section, [escapeName(label)]));
    const key = kind.yaml.mapBy === void 0 ? void 0 : nameOf(found[kind.yaml.mapBy] ?? null);
    const wrongKey = isWanted && label === void 0 && key !== void 0 && whyNoKey(kind, found, key);
    if (wrongKey) return this.#leftOut(of, wrongKey);
    const named2 = kind.yaml.mapBy === void 0 ? void 0 : found[kind.yaml.mapBy];
    if (isWanted && isRef(named2) && this.#isLeftOut(named2.$ref))
      return this.#leftOut(of, `it is named after ${named2.$ref}, which is left out`);
    const fields = label === void 0 ? found : { ...found, [kind.key[0]]: label };
    const comments = [];
    const block = new WrittenMap();
    const needsId = called?.needsId || this.#withId.has(of.address) || this.#isOneOfSeveral(kind, of);
    if (isWanted && needsId) block.add("$id", escaped(of.id));
    if (!isWanted) block.add("$existing", true);
    let isTouched = false;
    const kept = {};
    const words = wordsOf(kind, of.address, label, this.#kinds);
    const secrets = {
      next: (more, value) => this.#secrets.next(more, value, of.address)
    };
    for (const [name2, schema] of Object.entries(kind.fields)) {
      if (name2 === kind.yaml.mapBy && fields[name2] !== void 0) kept[name2] = fields[name2];
      if (name2 === kind.yaml.mapBy || !isWanted && !kind.key.includes(name2)) continue;
      if (this.#saidElsewhere.has(`${of.address} ${name2}`)) continue;
      const isSecret = traitsOf(schema).secret;
      const written = writeField(name2, schema, fields[name2], {
        secrets,
        values: this.#values,
        words,
        usual: kind.usual?.[name2],
        isSecret: typeof isSecret === "function" ? isSecret(fields) : isSecret === true,
        isLeftOut: (address) => this.#isLeftOut(address)
      });
      if (isLacking(schema, fields[name2]) && !can(kind, "create")) return void 0;
      if (isLacking(schema, fields[name2]) && written === void 0)
        return this.#leftOut(of, `\`${name2}\` is required, but nothing is set`);
      if (written === void 0) continue;
      if ("problem" in written) {
        if (!isOptional(schema)) return this.#leftOut(of, written.problem);
        comments.push(written.problem);
        continue;
      }
      if (written.comment) comments.push(written.comment);
      if (!kind.key.includes(name2) && !(written.isUsual ?? isFalsy(written.value))) isTouched = true;
      block.add(name2, written.value);
      if (fields[name2] !== void 0) kept[name2] = written.says ?? fields[name2];
    }
    const findings = isWanted ? kind.rules.check?.(valuesOf(kept), parent?.fields ?? {}) ?? [] : [];
    const wrong = findings.find(({ severity }) => severity !== "warning");
    if (wrong) return this.#leftOut(of, wrong.message);
    for (const child of childKinds(this.#kinds, kind.name)) {
      const section = this.#sectionOf(child, of);
      if (section) block.add(child.section, section.value, section.comments);
      if (section) isTouched = true;
    }
    const untold = isWanted ? (of.undeclared ?? []).map(cannotSay) : [];
    if (!isTouched && !can(kind, "create")) {
      for (const said of untold) this.#notes.push(`${of.address}: ${said}`);
      return void 0;
    }
    comments.push(...untold);
    if (isWanted) this.#count += 1;
    const name = kind.yaml.mapBy === void 0 ? void 0 : nameOf(fields[kind.yaml.mapBy]);
    return { ...name === void 0 ? {} : { key: name }, value: shortened(kind, block), comments };
  }
  /** Objects that stand in one of another file, and belong into this one under its name alone. */
  #aroundOthers(kind, of, label) {
    if (this.#left.has(of.address)) return void 0;
    const block = new WrittenMap();
    for (const child of childKinds(this.#kinds, kind.name)) {
      const section = this.#sectionOf(child, of);
      if (section) block.add(child.section, section.value, section.comments);
    }
    if (block.entries.length === 0) return void 0;
    const { mapBy } = kind.yaml;
    return {
      ...mapBy === void 0 ? {} : { key: label ?? nameOf(of.fields[mapBy]) },
      value: block,
      comments: []
    };
  }
  #isOneOfSeveral({ shape }, one) {
    return !shape.byAddress && (one.alternatives ?? this.#live.resources.get(one.address)?.alternatives) !== void 0;
  }
  #isLeftOut(address) {
    return this.#left.size > 0 && [...this.#left].some((one) => isWithin(address, one));
  }
  #leftOut({ address, id }, problem2) {
    this.#left.add(address);
    this.#notes.push(`${address} (${id}) is left out: ${problem2}`);
  }
};
var isLacking = (schema, found) => found == null && !isOptional(schema) && !schema.safeParse(null).success;
var cannotSay = (setting) => `\`${setting}\` is set in the account but cannot be declared: it stays as it is`;
var nameOf = (value) => escaped(isRef(value) ? lastNameOf(value.$ref) : String(value));
function wordsOf(kind, address, label, kinds) {
  const names = placesOf(address, kind.name, kinds).flatMap(
    ([name, , at]) => kinds.get(name).key.length === 0 ? [] : [lastNameOf(at.replace(/@[^/]+$/, ""))]
  );
  return label === void 0 ? names : [...names.slice(0, -1), label];
}
var valuesOf = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

// src/cli/export-values.ts
;
;
;

// src/config/encrypt-with-sops.ts
;
;
async function findSops({ cwd, env }) {
  const outside = [await realpath(workTreeOf(cwd) ?? cwd)];
  const found = await findProgram("sops", { env, outside });
  return found?.path ?? problem("sops/missing", "`sops` is not installed or not on the PATH", {
    hint: "install it (https://getsops.io), or use `--values dotenv FILE` or `--values omit`"
  });
}
var limit = 6e4;
async function encryptWithSops(program, file, values, { cwd, env }) {
  const clear = [...values].map(([name, value]) => [name, value.reveal()]);
  const args = ["encrypt", "--filename-override", file, "--input-type", "json"];
  const ended = await new Promise((resolve2) => {
    const child = spawn(program, args, {
      cwd,
      env: visibleEnv(env),
      // What it says of a failure may quote what it was given.
      stdio: ["pipe", "pipe", "ignore"],
      timeout: limit,
      windowsHide: true
    });
    const parts = [];
    child.stdout.on("data", (part) => parts.push(part));
    child.once("error", () => resolve2({ how: "could not be started" }));
    child.once(
      "close",
      (code, signal) => resolve2(
        code === 0 ? { text: Buffer.concat(parts).toString("utf8") } : { how: signal ? `was ended by ${signal}` : `ended with exit code ${code}` }
      )
    );
    child.stdin.on("error", () => {
    });
    child.stdin.end(JSON.stringify(Object.fromEntries(clear)));
  });
  if ("how" in ended)
    return problem("sops/failed", `sops ${ended.how}, and nothing was written`, {
      hint: `version 3.10 or newer is required, with a rule for ${file} in .sops.yaml; to see its error: echo '{}' | sops ${args.join(" ")}`
    });
  const isShown = clear.some(([, text]) => text.length >= 6 && ended.text.includes(text));
  return ended.text.trim() === "" || isShown ? problem(
    "sops/clear",
    isShown ? `sops left values of ${file} unencrypted; nothing was written` : "sops printed nothing, and nothing was written",
    { hint: "check the rule for this file in .sops.yaml: `encrypted_regex`, `unencrypted_suffix`" }
  ) : ended.text;
}

// src/cli/export-values.ts
function readValuesPlace(words = ["inline"]) {
  const [how, path, ...more] = words;
  if (more.length === 0) {
    if ((how === "inline" || how === "omit") && path === void 0) return { to: how };
    if ((how === "dotenv" || how === "sops") && path) return { to: "file", file: { format: how, path } };
  }
  throw new Problems([
    problem("export/values", `--values does not accept \`${words.join(" ")}\``, {
      hint: "use --values inline, --values omit, --values dotenv FILE or --values sops FILE"
    })
  ]);
}
var deliverOptions = ({ host: { cwd, env }, force }) => ({
  cwd,
  env,
  judgeCommand: () => Promise.reject(new Error("no command is delivered to")),
  reserved: [".trueup"],
  mayReplace: force
});
async function requireValuesPlace(options) {
  const { place, host, force } = options;
  if (!place.file) return;
  const { format, path } = place.file;
  if (format === "dotenv") {
    const wrong = await undeliverable({ file: path }, deliverOptions(options));
    if (wrong)
      throw new Problems([
        problem("export/dotenv", `secrets cannot be written there: ${wrong.message}`, { hint: wrong.hint })
      ]);
    return;
  }
  if (!force && await stat(pathOn(host, path)).catch(() => void 0))
    throw new Problems([
      problem("export/exists", `${path} already exists; nothing was written`, {
        hint: "choose another path, or overwrite it with --force"
      })
    ]);
  const sops = await findSops(host);
  if (typeof sops !== "string") throw new Problems([sops]);
}
var exportedEnv = (name) => secretEnv(`${family}[${name}]`);
function secretsIn({ file }, { cwd }, folder) {
  if (!file) return {};
  const path = relative(resolve(cwd, folder), resolve(cwd, file.path)).split(sep).join("/");
  return { secretsIn: file.format === "dotenv" ? { dotenv: path } : { sops: path } };
}
async function writeValues(secrets, options) {
  const { place, host } = options;
  const values = new Map([...secrets].flatMap(([name, value]) => value ? [[name, value]] : []));
  if (!place.file || values.size === 0) return /* @__PURE__ */ new Set();
  const { format, path } = place.file;
  if (format === "dotenv")
    await deliverSecret({ file: path }, new Sealed(dotenvText(values)), deliverOptions(options));
  else {
    const sops = await findSops(host);
    const text = typeof sops === "string" ? await encryptWithSops(sops, path, values, host) : sops;
    if (typeof text !== "string") throw new Problems([text]);
    await writeOutput(host, path, text);
  }
  return new Set(values.keys());
}
function dotenvText(values) {
  const lines = [...values].map(([name, value]) => {
    const text = value.reveal();
    const written = ["", "'", '"', "`"].map((quote) => `${name}=${quote}${text}${quote}`).find((line) => {
      const read = parseEnv(line);
      return Object.keys(read).length === 1 && read[name] === text;
    });
    return { name, written };
  });
  const wrong = lines.flatMap(({ name, written }) => written === void 0 ? [name] : []);
  if (wrong.length > 0)
    throw new Problems([
      problem("export/dotenv", `a dotenv file cannot hold the value of ${wrong.join(", ")}`, {
        hint: "it mixes quote characters or has a carriage return: use `--values sops FILE`, or leave it out with --exclude"
      })
    ]);
  return lines.map(({ written }) => written).join("\n");
}

// src/cli/write-export.ts
;
;
async function writeExport(files, kinds, { out, outDir }, terminal) {
  const { host } = terminal.run;
  const readBack = async (from) => {
    const { diagnostics } = await load({ kinds, cwd: host.cwd, env: {}, ...from });
    return diagnostics.filter(({ severity }) => severity === "error");
  };
  if (out === void 0 && outDir === void 0) {
    const text = files.map(({ text: text2 }) => text2.trimEnd()).join("\n---\n");
    terminal.out(text);
    return readBack({ text });
  }
  const placed = placesOf2(files, { out, outDir });
  const paths = placed.map(({ path }) => path);
  for (const { path, text } of placed) await writeOutput(host, path, text);
  terminal.err(`Wrote ${paths.join(", ")}.`);
  return readBack({ paths });
}
var placesOf2 = (files, { out, outDir }) => files.map(({ name, text }, index) => ({
  path: out === void 0 ? join(outDir, name) : index === 0 ? out : join(dirname(out), name),
  text
}));
async function refuseExisting(files, places, host) {
  const { out, outDir, force } = places;
  if (out === void 0 && outDir === void 0) return;
  const paths = placesOf2(files, places).map(({ path }) => path);
  const there = [];
  for (const path of paths) if (await stat2(pathOn(host, path)).catch(() => void 0)) there.push(path);
  if (there.length > 0 && !force)
    throw new Problems([
      problem(
        "export/exists",
        `${there.join(", ")} already ${there.length === 1 ? "exists" : "exist"}; nothing was written`,
        { hint: "choose another path, or overwrite with --force" }
      )
    ]);
}
function exportSummary({ count: objects, secrets, uses, notes }, found, { place, written }) {
  const lines = [`${count(objects, "object")} exported.`];
  const open = [...secrets.keys()].filter((name) => !written.has(name));
  const { file } = place;
  if (file && written.size > 0) lines.push(...readingFrom(file, written.size));
  if (open.length > 0) {
    const rows = open.map((name) => [file ? name : exportedEnv(name), usedBy(uses.get(name) ?? [])]);
    const title = file ? `key in ${file.path}` : "environment variable";
    const width = Math.max(title.length, ...rows.map(([key]) => key.length)) + 2;
    lines.push(
      file ? `The account does not show ${count(open.length, "value")}. Before you apply, add:` : `What is known to be secret is not written. Before you apply, set ${count(open.length, "environment variable")}:`,
      "",
      `  ${title.padEnd(width)}for`,
      ...rows.map(([key, use]) => `  ${key.padEnd(width)}${use}`),
      ""
    );
  }
  lines.push(...writtenAsFound(found));
  if (notes.length > 0) lines.push("Not included:", ...notes.map((note) => `  ${note}`));
  return lines.join("\n");
}
var usedBy = ([first = "", ...others]) => others.length === 0 ? first : `${first} and ${others.length} more`;
var readingFrom = ({ format, path }, size) => format === "dotenv" ? [
  `Wrote ${count(size, "value")} to ${path}, in the clear: keep it out of git. To plan with them:`,
  `  trueup plan --allow-files ${shellWord(path)}`
] : [
  `Wrote ${count(size, "value")} to ${path}, encrypted. To plan with them:`,
  `  trueup plan --allow-command ${shellWord(`sops --decrypt --output-type json ${path}`)}`
];
var mostNamed = 10;
var writtenAsFound = (found) => found.length === 0 ? [] : [
  "Written as found: check them for secrets before you commit.",
  ...found.slice(0, mostNamed).map((field) => `  ${cleanLine(field)}`),
  ...found.length > mostNamed ? [`  and ${found.length - mostNamed} more`] : []
];
function readFileRules({ by = [], out, outDir }) {
  const problems = [];
  const say = (message, hint) => problems.push(problem("export/by", message, { hint }));
  if (by.length > 0 && out === void 0 && outDir === void 0)
    say("--by writes several files and needs somewhere to put them", "pass --out FILE or --out-dir FOLDER");
  const main = out === void 0 ? "trueup.yaml" : posix.basename(out.replaceAll("\\", "/"));
  const rules = by.map((rule) => {
    const at = rule.lastIndexOf("=");
    const [glob, file] = [rule.slice(0, at), posix.normalize(rule.slice(at + 1))];
    if (at < 1) say(`--by ${rule} names no file`, "--by 'projects/site-*=web.yaml'");
    else if (posix.isAbsolute(file) || file.startsWith("..") || !/[^/]\.ya?ml$/i.test(file))
      say(
        `--by ${rule}: ${file} is not a YAML file next to the main one`,
        "use a path ending in .yaml, relative to the folder of the main file"
      );
    else if (file === main)
      say(`--by ${rule}: ${file} is the main file`, "whatever no --by matches goes there");
    return { file, isMeant: matcherOf([glob]) };
  });
  if (problems.length > 0) throw new Problems(problems);
  return rules;
}

return{asFound:asFound,expressible:expressible,declarable:declarable,referred:referred,escaped:escaped,spelled:spelled,exportFiles:exportFiles,exportLive:exportLive,readValuesPlace:readValuesPlace,requireValuesPlace:requireValuesPlace,exportedEnv:exportedEnv,secretsIn:secretsIn,writeValues:writeValues,writeExport:writeExport,refuseExisting:refuseExisting,exportSummary:exportSummary,writtenAsFound:writtenAsFound,readFileRules:readFileRules};})();exports.part_MKMGPZXS=part_MKMGPZXS;
