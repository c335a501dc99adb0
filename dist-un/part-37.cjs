"use strict";const part_IN3CRG25=(()=>{const {
  asFound,
  escaped,
  exportFiles,
  exportLive,
  refuseExisting,
  writeExport
}=require("./part-51.cjs").part_MKMGPZXS;const {
  WrittenMap
}=require("./part-112.cjs").part_Q6WJRPVS;const {
  showPlan
}=require("./part-50.cjs").part_LW7MTB4U;const {
  formatYaml
}=require("./part-114.cjs").part_M7KTYLXY;require("./part-68.cjs").part_TKJ67INM;const {
  openPlan
}=require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-94.cjs").part_YZ7UDJWV;require("./part-93.cjs").part_FJCNLGFD;const {
  planningOf
}=require("./part-19.cjs").part_D3YXR7F6;const {
  openSession
}=require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;const {
  decodeCollection,
  namingSiblings
}=require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;const {
  same
}=require("./part-85.cjs").part_HRKYGKTM;const {
  scopeOf
}=require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  exitCodes
}=require("./part-80.cjs").part_RUA4AHDC;require("./part-114.cjs").part_INBOWXT2;require("./part-124.cjs").part_6HBEUU6S;require("./part-112.cjs").part_55Q3LCS5;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_3FS5QSBH;const {
  readInput
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;const {
  emptyLedger,
  load
}=require("./part-105.cjs").part_EABJC5VV;const {
  decodeFields,
  idOf,
  kindsOf
}=require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;const {
  shellWord
}=require("./part-97.cjs").part_BQI24POO;const {
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  standard,
  withScope
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;const {
  readBytes,
  sourceOf
}=require("./part-97.cjs").part_UADL7KU7;const {
  emptyLive,
  standardInput
}=require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;const {
  Source
}=require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;const {
  summaryOf
}=require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;const {
  addressOf,
  escapeName
}=require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;const {
  byKey,
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  isPlainObject
}=require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  hasErrors,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
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

// src/from/each.ts
var mostMembers = 6;
function fold(instances) {
  const folding = new Folding(instances.map(({ key }) => key));
  const name = folding.text(instances.map((one) => one.name));
  const block = folding.map(instances.map((one) => one.block));
  if (name === void 0 || !name.includes("${each.") || !block) return void 0;
  const { table } = folding;
  if (table.size > mostMembers) return void 0;
  const whole = new WrittenMap();
  whole.add("$each", eachOf(instances, table));
  for (const { key, value, comments } of block.entries) whole.add(key, value, comments);
  return { name, block: whole };
}
function eachOf(instances, table) {
  if (table.size === 0) return instances.map(({ key }) => key);
  const all = new WrittenMap();
  for (const [index, { key }] of instances.entries())
    all.add(key, Object.fromEntries([...table].map(([name, values]) => [name, values[index]])));
  return all;
}
var Folding = class {
  /** The values that differ, by the name of their column. */
  table = /* @__PURE__ */ new Map();
  #keys;
  constructor(keys) {
    this.#keys = keys;
  }
  map(maps, path = []) {
    const [first] = maps;
    const isAlike = maps.every(
      (one) => one.entries.length === first.entries.length && one.comments.length === 0
    );
    if (!isAlike) return void 0;
    const made = new WrittenMap();
    for (const index of first.entries.keys()) {
      const entries = maps.map((one) => one.entries[index]);
      const name = this.#nameOf(entries.map(({ key }) => key));
      if (name === void 0 || entries.some(({ comments }) => comments.length > 0)) return void 0;
      const value = this.#value(
        entries.map((entry) => entry.value),
        [...path, entries[0].key]
      );
      if (value === void 0) return void 0;
      made.add(name, value);
    }
    return made;
  }
  /** A text for all: the one that they are, or one with the key in it. */
  text(texts) {
    const [first] = texts;
    if (texts.every((one) => one === first)) return first;
    const [key] = this.#keys;
    for (let at = first.indexOf(key); at >= 0; at = first.indexOf(key, at + 1)) {
      const [before, behind] = [first.slice(0, at), first.slice(at + key.length)];
      if (texts.every((one, index) => one === before + this.#keys[index] + behind))
        return `${before}\${each.key}${behind}`;
    }
    return void 0;
  }
  /** A name inside of the block: what is in a table cannot be one. */
  #nameOf(names) {
    return this.text(names);
  }
  #value(values, path) {
    const [first] = values;
    if (values.every((one) => one instanceof WrittenMap)) return this.map(values, path);
    if (values.some(holdsMap)) return this.#list(values, path);
    if (values.every((one) => JSON.stringify(one) === JSON.stringify(first))) return first;
    if (values.every((one) => typeof one === "string")) return this.#text(values, path);
    if (values.every((one) => typeof one === "number" || typeof one === "boolean"))
      return `\${each.value.${this.#column(values, path)}}`;
    return values.every((one) => isPlainObject(one) || Array.isArray(one)) ? this.#plain(values, path) : void 0;
  }
  /** Data without comments, member by member. */
  #plain(values, path) {
    if (values.every(Array.isArray)) return this.#list(values, path);
    if (values.some(Array.isArray)) return void 0;
    const asMaps = values.map((one) => {
      const map = new WrittenMap();
      for (const [name, value] of Object.entries(one)) map.add(name, value);
      return map;
    });
    const made = this.map(asMaps, path);
    return made && Object.fromEntries(made.entries.map(({ key, value }) => [key, value]));
  }
  #list(values, path) {
    const lists = values;
    if (!lists.every((one) => Array.isArray(one) && one.length === lists[0].length)) return void 0;
    const made = lists[0].map(
      (_, index) => this.#value(
        lists.map((one) => one[index]),
        [...path, String(index + 1)]
      )
    );
    return made.includes(void 0) ? void 0 : made;
  }
  #text(texts, path) {
    const found = this.text(texts);
    if (found !== void 0) return found;
    if (texts.some((one) => one.includes("${"))) return void 0;
    return `\${each.value.${this.#column(texts, path)}}`;
  }
  /** The column with these values: two places that always have the same share one. */
  #column(values, path) {
    const text = JSON.stringify(values);
    const known = [...this.table].find(([, column]) => JSON.stringify(column) === text);
    if (known) return known[0];
    const base = (path.at(-1) ?? "value").replace(/[^A-Za-z0-9]+/g, "") || "value";
    const word = /^\d/.test(base) ? `item${base}` : base;
    let name = word;
    for (let count2 = 2; this.table.has(name); count2++) name = `${word}${count2}`;
    this.table.set(name, [...values]);
    return name;
  }
};
var holdsMap = (value) => Array.isArray(value) && value.some((item) => item instanceof WrittenMap);

// src/from/fold-sections.ts
function candidatesIn(sections, resourceOf) {
  return sections.flatMap(({ name: section, value }) => {
    if (!(value instanceof WrittenMap)) return [];
    const instances = value.entries.flatMap((entry) => {
      const address = addressOf(void 0, section, [escapeName(entry.key.replaceAll("$${", "${"))]);
      const { module, type, name, key } = resourceOf.get(address) ?? {};
      if (typeof key !== "string" || entry.comments.length > 0) return [];
      if (!(entry.value instanceof WrittenMap) || entry.key.includes("${")) return [];
      const from = [module, type, name].filter(Boolean).join(".");
      const instance = { key: escaped(key), name: entry.key, block: entry.value };
      return [{ from, instance }];
    });
    return [...groupBy(instances, ({ from }) => from)].flatMap(([from, of]) => {
      if (of.length < 2) return [];
      const folded = fold(of.map(({ instance }) => instance));
      return folded ? [{ section, from, names: new Set(of.map(({ instance }) => instance.name)), folded }] : [];
    });
  });
}
var withFolded = (sections, { section, names, folded }) => sections.map((one) => {
  if (one.name !== section || !(one.value instanceof WrittenMap)) return one;
  const map = new WrittenMap(one.value.comments);
  let isPut = false;
  for (const { key, value, comments } of one.value.entries) {
    if (!names.has(key)) map.add(key, value, comments);
    else if (!isPut) {
      map.add(folded.name, folded.block);
      isPut = true;
    }
  }
  return { ...one, value: map };
});

// src/from/same-meaning.ts
async function meaningOf(text, { kinds, cwd }) {
  const { desired, diagnostics } = await load({ kinds, cwd, env: {}, text });
  if (diagnostics.some(({ severity }) => severity === "error")) return void 0;
  const orders = /* @__PURE__ */ new Map();
  const resources = [...desired.resources.values()].sort((a, b) => a.index - b.index).map(({ address, kind, parent, fields, meta }) => {
    const list = `${kind} ${parent ?? ""}`;
    const place = orders.get(list) ?? 0;
    orders.set(list, place + 1);
    const isInOrder = kinds.get(kind).shape.orderDecides;
    return [
      address,
      { kind, parent: parent ?? null, fields, meta, ...isInOrder ? { place } : {} }
    ];
  }).sort(byKey);
  return canonical(resources);
}

// src/from/to-live.ts
function toLive(objects, kinds) {
  const placing = new Placing(kinds, objects);
  for (const kind of kinds.values()) placing.place(kind);
  return placing.taken;
}
var Placing = class {
  taken = { live: emptyLive(), sources: /* @__PURE__ */ new Map(), left: [] };
  #byKind;
  #addresses = /* @__PURE__ */ new Map();
  #kinds;
  constructor(kinds, objects) {
    this.#kinds = kinds;
    this.#byKind = groupBy(objects, ({ kind }) => kind);
  }
  place(kind) {
    const byParent = groupBy(this.#byKind.get(kind.name) ?? [], ({ in: at }) => at?.id ?? "");
    for (const [id, objects] of byParent) {
      const address = kind.parent === void 0 ? void 0 : this.#addresses.get(`${kind.parent} ${id}`);
      const parent = address === void 0 ? void 0 : this.taken.live.resources.get(address);
      if (kind.parent !== void 0 && !parent)
        this.#leave(
          objects,
          `the ${this.#wordOf(kind.parent)} it is in, ${id}, is not in the file, so its name is unknown`
        );
      else this.#collection(kind, parent, objects);
    }
  }
  #collection(kind, parent, given) {
    const { live } = this.taken;
    const byId = groupBy(given, ({ object }) => rawIdOf(kind, object, parent));
    for (const id of ["undefined", ""]) {
      this.#leave(byId.get(id) ?? [], "the file does not contain its id, so it cannot be identified");
      byId.delete(id);
    }
    for (const [id, same2] of byId) {
      if (kind.key.length === 0 || !same2.every(({ isPart }) => isPart)) continue;
      this.#leave(
        same2,
        `the ${this.#wordOf(kind.name)} it is part of, ${id}, is not in the file, so its name is unknown`
      );
      byId.delete(id);
    }
    const objects = [...byId.values()].map(asOne).filter((object) => this.#isReadable(kind, object));
    const all = decodeCollection(
      kind,
      parent,
      objects.map(({ object }) => object),
      {
        live,
        ledger: emptyLedger("", "", ""),
        mentioned: [],
        aliases: /* @__PURE__ */ new Map(),
        chosen: /* @__PURE__ */ new Set(),
        key: void 0,
        addressOf: (name, id) => this.#addresses.get(`${name} ${id}`)
      }
    );
    const rawOf = new Map(
      objects.map(({ object }, index) => [`unknown-${index}`, rawIdOf(kind, object, parent)])
    );
    for (const one of namingSiblings(kind, all)) {
      const ids = (one.alternatives ?? [one]).flatMap((other) => other.ids);
      const from = ids.flatMap((id) => byId.get(id) ?? byId.get(rawOf.get(id) ?? "") ?? []);
      this.#dropUntold(kind, one, from);
      if (kind.key.some((name) => one.fields[name] === void 0)) {
        this.#leave(from, "the file does not contain its name, or marks it as a secret");
        continue;
      }
      live.resources.set(one.address, one);
      for (const id of one.ids) this.#addresses.set(`${kind.name} ${id}`, one.address);
      const owned = from.filter(({ isOnlyNamed }) => !isOnlyNamed);
      if (owned.length > 0) this.taken.sources.set(one.address, wholeFirst(owned));
      if (owned.some(({ hasMadeUpId }) => hasMadeUpId)) delete one.fields[String(kind.id)];
    }
  }
  /** A kind fills in what an answer of the platform leaves out. What a file leaves out is not known, and not declared. */
  #dropUntold(kind, one, from) {
    if (one.rows || kind.key.length === 0) return;
    const named = [String(kind.id ?? "id"), ...kind.key];
    const [{ object = {} } = {}] = from;
    const told = Object.fromEntries(Object.entries(object).filter(([name]) => named.includes(name)));
    const made = this.#decoded(kind, told);
    for (const [name, value] of Object.entries(made ?? {})) {
      const isTold = kind.key.includes(name) || from.some(({ object: said }) => name in said);
      if (!isTold && same(value, one.fields[name], traitsOf(kind.fields[name]))) delete one.fields[name];
    }
  }
  #decoded(kind, object) {
    try {
      return decodeFields(kind, object, { to: () => void 0 });
    } catch {
      return void 0;
    }
  }
  /** False, and told, for what has a form that its kind cannot read: one of those would take all others along. */
  #isReadable(kind, object) {
    try {
      decodeFields(kind, object.object, { to: () => void 0 });
      return true;
    } catch {
      this.#leave([object], "its attributes have an unknown format");
      return false;
    }
  }
  #leave(objects, why) {
    for (const object of objects) this.taken.left.push({ object, why });
  }
  #wordOf(kind) {
    return this.#kinds.get(kind).section.replace(/s$/, "");
  }
};
var rawIdOf = (kind, object, parent) => kind.key.length === 0 ? parent?.id ?? kind.name : idOf(kind, object);
function asOne(same2) {
  const isWholeOwned = same2.some(({ isOnlyNamed, isPart }) => !isOnlyNamed && !isPart);
  const [first, ...others] = wholeFirst(isWholeOwned ? same2.filter(({ isOnlyNamed }) => !isOnlyNamed) : same2);
  return {
    ...first,
    object: others.reduce((all, { object }) => merged(all, object), first.object)
  };
}
var wholeFirst = (same2) => [...same2].sort((a, b) => Number(a.isPart ?? false) - Number(b.isPart ?? false));
var merged = (one, other) => {
  const members = Object.entries(other).map(([name, value]) => {
    const known = one[name];
    return [name, isPlainObject(known) && isPlainObject(value) ? merged(known, value) : value];
  });
  return { ...one, ...Object.fromEntries(members) };
};

// src/from/terraform/from-state.ts
function fromState({ resources, deposed }, files, kinds, team) {
  const isOwn = ({ provider }) => files.isOwnProvider(provider);
  const others = groupBy(
    resources.filter((one) => !one.isData && !isOwn(one)),
    ({ provider }) => provider
  );
  const objects = [];
  const secrets = [];
  const left = deposed.map((address) => `${address}: Terraform was about to delete what it replaced`);
  for (const from of files.inOrder(resources.filter(isOwn))) {
    const belongsTo = files.teamOf(from);
    if (team !== void 0 && belongsTo !== void 0 && belongsTo !== team) {
      if (!from.isData) left.push(`${from.address}: it belongs to another team, ${belongsTo}`);
      continue;
    }
    const reading = files.read(from);
    if ("why" in reading) {
      if (!from.isData) left.push(`${from.address}: ${reading.why}`);
      continue;
    }
    objects.push(...reading.objects.map((one) => ({ ...one, from })));
    if (reading.secrets.length > 0) secrets.push({ address: from.address, names: reading.secrets });
    left.push(...reading.left.map((sentence) => `${from.address}: ${sentence}`));
  }
  const taken = toLive(objects, kinds);
  const unplaced = taken.left.filter(({ object }) => !object.isOnlyNamed).map(({ object, why }) => `${object.from.address}: ${why}`);
  const resourceOf = new Map([...taken.sources].map(([address, [first]]) => [address, first.from]));
  return {
    live: taken.live,
    owned: new Set(taken.sources.keys()),
    resourceOf,
    labels: labelsOf(taken, resourceOf, kinds),
    secrets,
    left: [...left, ...new Set(unplaced)],
    others: new Map([...others].map(([provider, of]) => [provider, of.length]))
  };
}
function teamsIn({ resources }, files) {
  const own = resources.filter((one) => !one.isData && files.isOwnProvider(one.provider));
  const byTeam = groupBy(
    own.flatMap((one) => files.teamOf(one) ?? []),
    (team) => team
  );
  return [...byTeam].sort(([, a], [, b]) => b.length - a.length).map(([team]) => team);
}
var slugIn = ({ resources }, files, team) => resources.filter(({ provider }) => files.isOwnProvider(provider)).map((one) => files.slugOf(one)).find((one) => one?.id === team)?.slug;
function labelsOf({ live: { resources }, sources }, resourceOf, kinds) {
  const labels = /* @__PURE__ */ new Map();
  const unnamed = [...resources.values()].flatMap((one) => one.alternatives ?? [one]).filter(({ address, kind }) => resourceOf.has(address) && !kinds.get(kind).shape.isNamed);
  for (const of of groupBy(unnamed, (one) => `${one.kind} ${one.parent ?? ""}`).values())
    for (const [text, same2] of groupBy(of, ({ address }) => wordsOf(resourceOf.get(address))))
      for (const [index, one] of same2.entries())
        labels.set(one.address, {
          text: index === 0 ? text : `${text}-${index + 1}`,
          needsId: !sources.get(one.address)?.some(({ hasMadeUpId }) => hasMadeUpId)
        });
  return labels;
}
var wordsOf = ({ name, key }) => [name, ...key === void 0 ? [] : [String(key)]].map((word) => word.replace(/[^\w.-]+/g, "-")).join("-");

// src/from/parse-json.ts
function parseJson(text, file) {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const hint = "the file may be truncated or have text before the JSON; create it again";
    const { message } = error;
    const offset = message.includes("end of JSON") ? text.length : /position (\d+)/.exec(message)?.[1];
    if (offset === void 0)
      throw new Problems([problem("from/json", `${file}: this is not JSON`, { hint })]);
    const before = text.slice(0, Number(offset));
    const at = {
      file,
      line: before.split("\n").length,
      column: before.length - before.lastIndexOf("\n")
    };
    throw new Problems([problem("from/json", "this is not JSON", { at, hint })]);
  }
}

// src/from/terraform/read-state.ts
function readState(text, file) {
  const state = parseJson(text, file);
  const wrong = (message, hint) => problem("from/state", `${file}: ${message}`, { hint });
  if (!isPlainObject(state)) throw new Problems([wrong("this is not a state", howToGet)]);
  if ("encrypted_data" in state || "encryption_version" in state)
    throw new Problems([wrong("the state is encrypted", howToGet)]);
  if ("planned_values" in state)
    throw new Problems([wrong("this is a plan, but the state is needed", howToGet)]);
  if ("values" in state || "format_version" in state) return shown(state);
  if (state.version !== 4)
    throw new Problems([
      wrong(
        state.version === void 0 ? "this is not a Terraform state" : "the state is not version 4, which Terraform 0.12 and later write",
        howToGet
      )
    ]);
  return stored(state);
}
var howToGet = "create one with `terraform state pull > state.json` or `terraform show -json > state.json`";
function stored({ resources = [] }) {
  const found = { resources: [], deposed: [] };
  for (const one of objectsIn(resources)) {
    const { mode, type, name, provider, module = "" } = one;
    const isData = mode === "data";
    for (const instance of objectsIn(one.instances)) {
      const { index_key: key, attributes, sensitive_attributes: marked = [] } = instance;
      const made = resource({ module, type, name, key, isData, attributes });
      if (instance.deposed !== void 0) {
        found.deposed.push(made.address);
        continue;
      }
      const source = /provider\["([^"]+)"\]/.exec(String(provider))?.[1] ?? String(provider);
      found.resources.push({
        ...made,
        provider: source,
        sensitive: [marked].flat(1).map(markedPath).filter((path) => path !== "")
      });
    }
  }
  return found;
}
function markedPath(steps) {
  const names = [];
  for (const step of [steps].flat()) {
    if (!isPlainObject(step)) break;
    const value = isPlainObject(step.value) ? step.value.value : step.value;
    if (step.type === "get_attr" && typeof value === "string") names.push(value);
    else break;
  }
  return names.join(".");
}
function shown({ values }) {
  const resources = [];
  const walk = (module) => {
    if (!isPlainObject(module)) return;
    for (const one of objectsIn(module.resources)) {
      const { mode, type, name, index: key, provider_name: provider, sensitive_values: marked } = one;
      if (one.deposed_key !== void 0) continue;
      const made = resource({
        module: module.address ?? "",
        type,
        name,
        key,
        isData: mode === "data",
        attributes: one.values
      });
      resources.push({ ...made, provider: String(provider), sensitive: markedIn(marked) });
    }
    for (const child of objectsIn(module.child_modules)) walk(child);
  };
  walk(isPlainObject(values) ? values.root_module : void 0);
  return { resources, deposed: [] };
}
function markedIn(marked, path = []) {
  if (marked === true) return [path.join(".")];
  if (Array.isArray(marked)) return marked.some((one) => markedIn(one).length > 0) ? [path.join(".")] : [];
  if (!isPlainObject(marked)) return [];
  return Object.entries(marked).flatMap(([name, inner]) => markedIn(inner, [...path, name]));
}
function resource({ module, type, name, key, isData, attributes }) {
  const isKeyed = typeof key === "string" || typeof key === "number";
  const parts = [
    ...module === "" ? [] : [String(module)],
    ...isData ? ["data"] : [],
    String(type),
    `${name}${isKeyed ? `[${JSON.stringify(key)}]` : ""}`
  ];
  return {
    address: parts.join("."),
    module: String(module),
    type: String(type),
    name: String(name),
    ...isKeyed ? { key } : {},
    isData,
    attributes: isPlainObject(attributes) ? attributes : {},
    sensitive: []
  };
}
var objectsIn = (value) => Array.isArray(value) ? value.filter((one) => isPlainObject(one)) : [];

// src/cli/from-file.ts
async function readForeign(file, { stdin, ...host }) {
  const name = file === standardInput ? "<stdin>" : file;
  const bytes = file === standardInput ? await readInput(stdin) : await readBytes({ path: pathOn(host, file), name });
  const source = Buffer.isBuffer(bytes) ? sourceOf(name, bytes) : bytes;
  if (!(source instanceof Source)) throw new Problems([source]);
  return source.text;
}

// src/cli/prove-from.ts
async function proveFrom(provider, path, options, terminal) {
  const plan = await planFrom(provider, path, options, terminal, "To check that it plans to no changes");
  if (!plan) return;
  const isWrong = hasErrors(plan.diagnostics);
  if (!isWrong && plan.operations.length === 0) {
    terminal.err(provenText(plan));
    return;
  }
  await showPlan(plan, {}, terminal, provider.pace);
  terminal.err(openText(plan, isWrong));
  terminal.run.exitCode = exitCodes.failed;
}
async function showFrom(provider, path, options, terminal) {
  const plan = await planFrom(provider, path, options, terminal, "To see what it would change");
  if (!plan) return;
  if (!hasErrors(plan.diagnostics) && plan.operations.length === 0) terminal.err(provenText(plan));
  else if (!await showPlan(plan, {}, terminal, provider.pace)) terminal.run.exitCode = exitCodes.failed;
}
async function planFrom(provider, path, options, terminal, why) {
  if (path === void 0) return void 0;
  const { host } = terminal.run;
  const isAtHand = options.twin || options.tokenFile !== void 0 || Boolean(host.env.TRUEUP_TOKEN?.trim());
  if (options.plan === false || !isAtHand) {
    terminal.err(`${why}: trueup plan -f ${shellWord(path)}`);
    return void 0;
  }
  const given = { ...options, ...standard, maxWait: options.maxWait, file: [path] };
  const session = await openSession(provider, given, terminal);
  try {
    return (await openPlan(session, planningOf(given, host))).plan;
  } finally {
    await session.close();
  }
}
function provenText(plan) {
  const { adopt } = summaryOf(plan);
  const there = `${count(adopt, "object")} ${adopt === 1 ? "is" : "are"} in the account already; the first apply adopts ${adopt === 1 ? "it" : "them"}.`;
  return `Verified: its plan sends nothing. ${adopt === 0 ? "All of it was already applied from here." : there}`;
}
function openText(plan, isWrong) {
  if (isWrong) return "Its plan has errors: nothing can be applied until they are fixed.";
  const { create } = summaryOf(plan);
  const made = create === 0 ? "nothing is created" : `${count(create, "object")} would be created`;
  return `The account differs from the file: its plan would send ${count(plan.operations.length, "request")}, and ${made}. Refresh the file, or edit the YAML.`;
}

// src/cli/write-from.ts
async function writeFrom(exported, header, kinds, options, terminal) {
  const { host } = terminal.run;
  const { outDir } = options;
  const files = exportFiles({ ...exported, notes: [] }, { ...header, isSplit: outDir !== void 0 });
  const formatted = files.map(({ name, text }) => ({
    name,
    text: formatYaml(new Source(name, text)).text ?? text
  }));
  await refuseExisting(formatted, options, host);
  const errors = await writeExport(formatted, kinds, options, terminal);
  if (errors.length === 0) return outDir;
  terminal.err("The result is not valid:\n");
  terminal.err(diagnosticsText(errors, { style: terminal.errStyle }));
  terminal.run.exitCode = 1;
  return void 0;
}
function stateSummary({ count: objects, notes }, { secrets, left, others }, { folded, asFound: asFound2 }) {
  const values = secrets.reduce((sum, { names }) => sum + names.length, 0);
  return [
    `${count(objects, "object")} converted.`,
    ...folded.length > 0 ? [`One block with \`$each\`: ${cleanLine(folded.join(", "))}.`] : [],
    ...values > 0 ? [
      `${count(values, "secret")} of the state ${values === 1 ? "is" : "are"} not written to any file; the account keeps the live values:`,
      ...indented(secrets.map(({ address, names }) => `${address}: ${names.join(", ")}`))
    ] : [],
    ...asFound2.length > 0 ? ["Written as found: check them for secrets before you commit.", ...indented(asFound2)] : [],
    ...leftText([...left, ...notes]),
    ...[...others].map(
      ([provider, number]) => `${count(number, "resource")} of ${cleanLine(provider)}: Terraform keeps ${number === 1 ? "it" : "them"}.`
    )
  ].join("\n");
}
var leftText = (left) => left.length === 0 ? [] : ["Not converted:", ...indented(left)];
var indented = (lines) => lines.map((line) => `  ${cleanLine(line)}`);

// src/cli/from-terraform.ts
async function fromTerraform(provider, file, options, run) {
  const { host } = run;
  const terminal = terminalFor(run, options);
  const kinds = kindsOf(provider.kinds);
  const files = await provider.foreignFiles();
  const state = readState(await readForeign(file, host), file);
  const { team, scope, isNamedById } = accountOf(state, files, options);
  const found = fromState(state, files, kinds, team);
  if (found.owned.size === 0)
    throw new Problems([
      problem("from/nothing", `${file}: nothing in it can be converted`, {
        hint: found.left[0] ?? "it has no resources of this platform"
      })
    ]);
  const platform = scope;
  const stack = options.stack ?? ("team" in scope ? scope.team : "personal");
  const written = exportLive({
    live: found.live,
    kinds,
    values: "omit",
    isChosen: (address) => found.owned.has(address),
    labels: found.labels,
    withId: containers(found, kinds)
  });
  const header = { stack, platform };
  const { exported, folded } = await foldEqual(written, found, { kinds, cwd: host.cwd, header });
  const paths = await writeFrom(exported, header, kinds, options, terminal);
  const openly = asFound(found.live, kinds, (address) => found.owned.has(address), exported.written);
  terminal.err(stateSummary(exported, found, { folded, asFound: openly }));
  if (isNamedById) terminal.err(namedByIdText(stack, options));
  await proveFrom(provider, paths, options, terminal);
}
var containers = ({ live, owned }, kinds) => new Set(
  [...live.resources.values()].filter(({ address, kind }) => owned.has(address) && kinds.get(kind).lifecycle.container).filter(({ address, id }) => !address.endsWith(`/${id}`)).map(({ address }) => address)
);
function accountOf(state, files, options) {
  const teams = teamsIn(state, files);
  const [first, ...others] = teams;
  const named = options.team !== void 0 && teams.includes(options.team);
  if (others.length > 0 && !named)
    throw new Problems([
      problem("from/teams", `the state has resources of ${teams.length} teams: ${teams.join(", ")}`, {
        hint: `a configuration covers one account: convert them one at a time, with --team ${first}`
      })
    ]);
  const wanted = named ? options.team : first;
  const slug = wanted === void 0 ? void 0 : slugIn(state, files, wanted);
  const platform = wanted === void 0 ? {} : { platform: { team: slug ?? wanted } };
  const scope = scopeOf(platform, named ? { ...options, team: slug ?? wanted } : options);
  const isNamedById = options.stack === void 0 && "team" in scope && scope.team === wanted && slug === void 0;
  return { team: named ? options.team : void 0, scope, isNamedById };
}
var namedByIdText = (stack, { outDir }) => `The state does not contain the slug of team ${cleanLine(stack)}, so the stack and \`platform.team\` use its id. To name them, ${outDir === void 0 ? "run this again with --team SLUG, or with --stack NAME for the stack alone" : `run this again with --team SLUG --force (--stack NAME for the stack alone), or edit ${cleanLine(outDir)}/trueup.yaml`}: do so before the first apply, since the ledger is named after the stack.`;
async function foldEqual(written, found, { kinds, cwd, header }) {
  const textOf = (exported2) => exportFiles(exported2, { ...header, isSplit: false })[0].text;
  const candidates = candidatesIn(written.sections, found.resourceOf);
  const folded = [];
  let exported = written;
  if (candidates.length === 0) return { exported, folded };
  const meaning = await meaningOf(textOf(written), { kinds, cwd });
  for (const candidate of candidates) {
    const shorter = { ...exported, sections: withFolded(exported.sections, candidate) };
    if (meaning === void 0 || await meaningOf(textOf(shorter), { kinds, cwd }) !== meaning) continue;
    exported = shorter;
    folded.push(`${candidate.from} (${count(candidate.names.size, "instance")})`);
  }
  return { exported, folded };
}

// src/from/zone/from-zones.ts
function fromZones(zones, files, kinds) {
  const left = [];
  const objects = zones.flatMap(({ name: zone, records }) => {
    const known = /* @__PURE__ */ new Set();
    const made = records.flatMap((record, index) => {
      const { name, type, data, line } = record;
      const told = `${zone}: ${name} ${type}${line > 0 ? `, line ${line}` : ""}`;
      const object = files.record(zone, record, `${zone}/${index}`);
      if ("why" in object) {
        left.push(`${told}: ${object.why}`);
        return [];
      }
      const text = JSON.stringify([name, type, data]);
      if (known.has(text)) {
        left.push(`${told}: it appears twice`);
        return [];
      }
      known.add(text);
      return [object];
    });
    return made.length === 0 ? [] : [files.zone(zone), ...made];
  });
  const { live, sources } = toLive(objects, kinds);
  return { live, owned: new Set(sources.keys()), left };
}

// src/from/zone/read-dnscontrol.ts
var usualTtl = 300;
function readDnscontrol(text, file) {
  const read = parseJson(text, file);
  const domains = isPlainObject(read) ? read.domains : void 0;
  if (!Array.isArray(domains))
    throw new Problems([
      problem("from/dnscontrol", `${file}: this is not a dnscontrol configuration`, {
        hint: "create one with `dnscontrol print-ir --pretty > dns.json`"
      })
    ]);
  const left = [];
  const named = domains.filter((one) => isPlainObject(one) && typeof one.name === "string");
  const zones = named.flatMap((domain) => {
    const [name = "", tag] = String(domain.name).split("!");
    if (tag !== void 0) {
      left.push(`${domain.name}: one of several views of ${name}; only one view per zone is supported`);
      return [];
    }
    const records = Array.isArray(domain.records) ? domain.records.filter(isPlainObject) : [];
    return [{ name: name.toLowerCase(), records: records.map((one) => recordOf(one, name)) }];
  });
  return { zones, left };
}
function recordOf(record, zone) {
  const type = String(record.type).toUpperCase();
  const { name = "@", ttl, subdomain } = record;
  const called = subdomain === void 0 || subdomain === "" ? name : `${name}.${subdomain}`;
  return {
    name: String(called).replace(/^@\./, ""),
    type,
    ttl: typeof ttl === "number" && ttl > 0 ? ttl : usualTtl,
    data: dataOf(type, record, zone),
    line: 0
  };
}
function dataOf(type, record, zone) {
  const number = (name) => String(record[name] ?? 0);
  const target = String(record.target ?? "");
  const host = () => absolute(target, zone);
  if (["ALIAS", "CNAME", "NS"].includes(type)) return [host()];
  if (type === "MX") return [number("mxpreference"), host()];
  if (type === "SRV") return [number("srvpriority"), number("srvweight"), number("srvport"), host()];
  if (type === "HTTPS") return [number("svcpriority"), host(), String(record.svcparams ?? "")];
  if (type === "CAA") return [number("caaflag"), String(record.caatag ?? ""), target];
  if (type === "TXT" && record.target === void 0 && Array.isArray(record.txtstrings))
    return record.txtstrings.map(String);
  return [target];
}
function absolute(host, zone) {
  if (host.endsWith(".")) return host;
  return host === "@" || host === "" ? `${zone}.` : `${host}.${zone}.`;
}

// src/from/zone/zone-lines.ts
function linesOf(text, say) {
  return new Cutter(text, say).cut();
}
var Cutter = class {
  #text;
  #say;
  #lines = [];
  #at = 0;
  #line = 1;
  #begin = 0;
  #words = [];
  #hasOwner = false;
  #open;
  constructor(text, say) {
    this.#text = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
    this.#say = say;
  }
  cut() {
    this.#hasOwner = this.#isWordHere();
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === "\n") this.#newLine();
      else if (char === ";") this.#skipComment();
      else if (char === "(" || char === ")") this.#parenthesis(char);
      else if (char === " " || char === "	") this.#at++;
      else this.#words.push(char === '"' ? this.#quoted() : this.#word());
    }
    if (this.#open) this.#say(this.#open, "this parenthesis is never closed");
    this.#end();
    return this.#lines;
  }
  get #place() {
    return { line: this.#line, column: this.#at - this.#begin + 1 };
  }
  #isWordHere = () => /[^\s;()]/.test(this.#text[this.#at] ?? " ");
  #newLine() {
    this.#at++;
    this.#line++;
    this.#begin = this.#at;
    if (this.#open) return;
    this.#end();
    this.#hasOwner = this.#isWordHere();
  }
  #end() {
    if (this.#words.length > 0) this.#lines.push({ words: this.#words, hasOwner: this.#hasOwner });
    this.#words = [];
  }
  #skipComment() {
    while (this.#at < this.#text.length && this.#text[this.#at] !== "\n") this.#at++;
  }
  #parenthesis(char) {
    if (char === "(" === (this.#open !== void 0))
      this.#say(this.#place, char === "(" ? "parentheses cannot be nested" : "unmatched closing parenthesis");
    this.#open = char === "(" ? this.#place : void 0;
    this.#at++;
  }
  #word() {
    const place = this.#place;
    let text = "";
    while (this.#at < this.#text.length && !/[\s;()"]/.test(this.#text[this.#at])) text += this.#char();
    return { text, isQuoted: false, ...place };
  }
  #quoted() {
    const place = this.#place;
    let text = "";
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"' && this.#text[this.#at] !== "\n")
      text += this.#char();
    if (this.#text[this.#at] !== '"') this.#say(place, "this quoted text is never closed");
    else this.#at++;
    return { text: fromBytes(text), isQuoted: true, ...place };
  }
  /** One character; `\"` is itself, and `\195` the byte of this number. */
  #char() {
    const rest = this.#text.slice(this.#at, this.#at + 4);
    const [, digits] = /^\\(\d{3})/.exec(rest) ?? [];
    if (digits !== void 0 && Number(digits) < 256) {
      this.#at += 4;
      return String.fromCharCode(Number(digits));
    }
    const isEscaped = rest[0] === "\\" && rest.length > 1 && rest[1] !== "\n";
    this.#at += isEscaped ? 2 : 1;
    return isEscaped ? rest[1] : rest[0];
  }
};
function fromBytes(text) {
  const codes = [...text].map((char) => char.codePointAt(0));
  if (codes.every((code) => code < 128) || codes.some((code) => code > 255)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(codes));
  } catch {
    return text;
  }
}

// src/from/zone/read-zone-file.ts
var types = /^(A|AAAA|ALIAS|ANAME|CAA|CDNSKEY|CDS|CNAME|DNAME|DNSKEY|DS|HINFO|HTTPS|LOC|MX|NAPTR|NS|NSEC|NSEC3|NSEC3PARAM|OPENPGPKEY|PTR|RP|RRSIG|SMIMEA|SOA|SPF|SRV|SSHFP|SVCB|TLSA|TXT|URI|TYPE\d+)$/;
var hosts = { ALIAS: 0, ANAME: 0, CNAME: 0, HTTPS: 1, MX: 1, NS: 0, SRV: 3 };
function readZoneFile(text, file, origin) {
  return new ZoneReader(file, origin).read(text);
}
var ZoneReader = class {
  #file;
  #problems = [];
  #records = [];
  #origin;
  #zone;
  #ttl;
  #owner;
  constructor(file, origin) {
    this.#file = file;
    this.#origin = origin && `${origin.replace(/\.$/, "")}.`;
  }
  read(text) {
    for (const line of linesOf(text, (at, message) => this.#say(at, message))) this.#line(line);
    if (this.#problems.length > 0) throw new Problems(this.#problems);
    const zone = this.#zone ?? this.#origin;
    if (zone === void 0)
      throw new Problems([
        problem("from/zone", `${this.#file}: the zone is unknown`, {
          hint: "pass it with --zone example.com"
        })
      ]);
    return {
      name: zone.replace(/\.$/, "").toLowerCase(),
      records: this.#records.map((one) => ({ ...one, name: relative(one.name, zone) }))
    };
  }
  #line({ words, hasOwner }) {
    const [first, ...rest] = words;
    if (first.text.startsWith("$") && !first.isQuoted) {
      this.#directive(first, rest);
      return;
    }
    if (hasOwner) this.#owner = this.#absolute(first);
    if (this.#owner === void 0) {
      if (!hasOwner) this.#say(first, "this record has no name");
      return;
    }
    this.#record(hasOwner ? rest : words, words.at(-1));
  }
  /** The text behind the name: a time and a class, in any order, then the type and the data. */
  #record(words, last) {
    let ttl = this.#ttl;
    const at = words.findIndex(({ text }) => types.test(text.toUpperCase()));
    for (const word of at < 0 ? words : words.slice(0, at)) {
      const seconds2 = durationOf(word.text);
      if (seconds2 !== void 0) ttl = seconds2;
      else if (!/^(IN|CH|HS)$/i.test(word.text)) {
        this.#say(word, `\`${word.text}\` is not a record type, a TTL or a class`);
        return;
      }
    }
    const [type, ...data] = at < 0 ? [] : words.slice(at);
    if (!type) this.#say(last, "this record has no type");
    else if (data.length === 0) this.#say(type, "this record has no value");
    else this.#add(type.text.toUpperCase(), data, ttl);
  }
  #add(type, data, ttl) {
    const host = hosts[type];
    const texts = data.map((word, index) => index === host ? this.#absolute(word) : word.text);
    if (texts.includes(void 0)) return;
    const name = this.#owner;
    if (type === "SOA") this.#zone ??= name;
    this.#records.push({
      name,
      // What others call ANAME is an ALIAS here.
      type: type === "ANAME" ? "ALIAS" : type,
      ...ttl === void 0 ? {} : { ttl },
      data: texts,
      line: data[0].line
    });
  }
  #directive(name, [value]) {
    const called = name.text.toUpperCase();
    if (!value) this.#say(name, `\`${name.text}\` has no value`);
    else if (called === "$ORIGIN") {
      this.#origin = this.#absolute(value);
      this.#zone ??= this.#origin;
    } else if (called === "$TTL") {
      this.#ttl = durationOf(value.text);
      if (this.#ttl === void 0) this.#say(value, `\`${value.text}\` is not a valid time`);
    } else this.#say(name, `\`${name.text}\` is not supported`, "write its records out");
  }
  /** A name with a final dot; undefined, and reported, where nothing says what it is relative to. */
  #absolute(word) {
    const { text } = word;
    if (text.endsWith(".") && !word.isQuoted) return text.toLowerCase();
    if (this.#origin === void 0) {
      this.#say(
        word,
        `\`${text}\` is relative, but there is no $ORIGIN`,
        "pass the zone with --zone example.com"
      );
      return void 0;
    }
    if (text === "@") return this.#origin;
    return this.#origin === "." ? `${text.toLowerCase()}.` : `${text.toLowerCase()}.${this.#origin}`;
  }
  #say({ line, column }, message, hint) {
    const at = { file: this.#file, line, column };
    this.#problems.push(problem("from/zone-file", message, { at, ...hint ? { hint } : {} }));
  }
};
var relative = (name, zone) => {
  const end = zone.toLowerCase();
  if (name === end) return "@";
  return name.endsWith(`.${end}`) ? name.slice(0, -end.length - 1) : name;
};
var seconds = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 };
function durationOf(text) {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(\d+[smhdw])+$/i.test(text)) return void 0;
  return [...text.matchAll(/(\d+)([smhdw])/gi)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * seconds[unit.toLowerCase()],
    0
  );
}

// src/cli/from-zones.ts
async function fromDnscontrol(provider, file, options, run) {
  const { zones, left } = readDnscontrol(await readForeign(file, run.host), file);
  await writeZones(provider, { zones, left, file }, options, run);
}
async function fromZoneFile(provider, file, options, run) {
  const zone = readZoneFile(await readForeign(file, run.host), file, options.zone);
  await writeZones(provider, { zones: [zone], left: [], file }, options, run);
}
async function writeZones(provider, { zones, left, file }, options, run) {
  const terminal = terminalFor(run, options);
  const kinds = kindsOf(provider.kinds);
  const scope = scopeOf({}, options);
  const found = fromZones(zones, await provider.foreignFiles(), kinds);
  const stays = [...left, ...found.left];
  if (found.owned.size === 0)
    throw new Problems([
      problem("from/nothing", `${file}: nothing in it can be converted`, {
        hint: stays[0] ?? "it has no records"
      })
    ]);
  const exported = exportLive({
    live: found.live,
    kinds,
    isChosen: (address) => found.owned.has(address)
  });
  const stack = options.stack ?? (zones.length === 1 ? zones[0].name.replaceAll(".", "-") : "dns");
  const path = await writeFrom(exported, { stack, platform: { ...scope } }, kinds, { ...options }, terminal);
  const lines = [`${count(exported.count, "record")} converted.`];
  terminal.err([...lines, ...leftText([...stays, ...exported.notes])].join("\n"));
  await showFrom(provider, path, options, terminal);
}

// src/cli/from.ts
function fromCommand(from, provider, run) {
  withPlaces(from.command("terraform")).argument("<state.json>", "the output of `terraform state pull` or `terraform show -json`").description("convert the resources of a Terraform state, and verify that the result plans to no changes").action((file, options) => fromTerraform(provider, file, options, run));
  withPlaces(from.command("dnscontrol")).argument("<file.json>", "the output of `dnscontrol print-ir`").description("convert the zones of a dnscontrol configuration").action((file, options) => fromDnscontrol(provider, file, options, run));
  withPlaces(from.command("zonefile")).argument("<file>", "a BIND zone file (RFC 1035)").description("convert the records of a zone file").option("--zone <domain>", "the zone, if the file does not name it").action((file, options) => fromZoneFile(provider, file, options, run));
}
var withPlaces = (command) => withScope(command).option("--stack <name>", "the stack name (default: the team name)").option("--out-dir <folder>", "write one file per area (default: print a single file)").option("--force", "overwrite existing files").option("--no-plan", "skip the plan that checks the result");
return{fromCommand:fromCommand};})();exports.part_IN3CRG25=part_IN3CRG25;
