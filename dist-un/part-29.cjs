"use strict";const part_ETBH653B=(()=>{const {
  isOnTheWay,
  isTakenOn
}=require("./part-119.cjs").part_42B3PQI4;const {
  asFound,
  declarable,
  escaped,
  exportLive,
  exportedEnv,
  expressible,
  referred,
  spelled,
  writtenAsFound
}=require("./part-51.cjs").part_MKMGPZXS;const {
  WrittenMap,
  printed,
  writtenNode
}=require("./part-112.cjs").part_Q6WJRPVS;const {
  readCache
}=require("./part-101.cjs").part_KZIZ3WVN;const {
  formatYaml
}=require("./part-114.cjs").part_M7KTYLXY;require("./part-68.cjs").part_TKJ67INM;const {
  moved,
  openPlan
}=require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-93.cjs").part_FJCNLGFD;const {
  planningOf
}=require("./part-19.cjs").part_D3YXR7F6;const {
  loadFor,
  openSession,
  ownersIn
}=require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;const {
  asDeclared,
  identityOf,
  omit
}=require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;const {
  unmatched
}=require("./part-93.cjs").part_UFNWTKGU;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;require("./part-114.cjs").part_INBOWXT2;require("./part-124.cjs").part_6HBEUU6S;const {
  require_dist
}=require("./part-112.cjs").part_55Q3LCS5;require("./part-122.cjs").part_4377VF5K;require("./part-35.cjs").part_GHYH6KYJ;require("./part-21.cjs").part_DGVZ2EVC;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;const {
  loadOptions
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;const {
  keyNames,
  load,
  parseExpressions
}=require("./part-105.cjs").part_EABJC5VV;const {
  childKinds,
  comparedFields,
  membersOf
}=require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;const {
  referenceOf,
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  collect,
  withAccount
}=require("./part-84.cjs").part_GNPU5WKB;const {
  require_lib
}=require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;const {
  byCollection,
  collectionId,
  standardInput
}=require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;const {
  diffArrays,
  textDiff
}=require("./part-98.cjs").part_KYSAZ52L;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  isYes,
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;const {
  driftCount
}=require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;const {
  Source
}=require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;const {
  asksForWrite
}=require("./part-106.cjs").part_HLUFGGLM;const {
  addressOf,
  isWithin
}=require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;const {
  placeOf,
  wholeAddress
}=require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;const {
  addTo,
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  atPath,
  holdsSecret,
  holesIn,
  isPlainObject,
  isRef,
  isSecret,
  isSecretRef,
  mapHoles,
  namesIn
}=require("./part-80.cjs").part_DGIOX4B4;const {
  mapMembers,
  revealed
}=require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;const { constants }=require("node:fs");const { access, readFile, stat }=require("node:fs/promises");;
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
;
;
;
;

// src/accept/additions.ts
var import_yaml4 = __toESM(require_dist(), 1);

// src/accept/edit-collection.ts
var import_yaml3 = __toESM(require_dist(), 1);

// src/accept/yaml-file.ts
var import_yaml = __toESM(require_dist(), 1);
var YamlFile = class {
  path;
  name;
  text;
  isJson;
  edits = [];
  /** The root of each document that holds a map. */
  roots = [];
  #entries = /* @__PURE__ */ new Map();
  #items = /* @__PURE__ */ new Map();
  #lineEnd;
  constructor({ path, source }) {
    this.path = path;
    this.name = source.file;
    this.text = source.text;
    this.isJson = /\.json$/i.test(path);
    this.#lineEnd = /\r\n/.test(this.text) ? "\r\n" : "\n";
    if (/\.csv$/i.test(path)) return;
    const parsed = (0, import_yaml.parseAllDocuments)(this.text, { uniqueKeys: false, logLevel: "silent", version: "1.2" });
    for (const document of Array.isArray(parsed) ? parsed : []) this.#addDocument(document);
  }
  /** The entry of a map whose key begins there. */
  entryAt = (offset) => this.#entries.get(offset);
  /** All places, in the order of the file within maps and lists. */
  slots = () => [...this.#entries.values(), ...this.#items.values()];
  /** The offset of a place as people count, in characters from 1. */
  offsetOf({ line, column }) {
    let start = 0;
    for (let at = 1; at < line; at++) start = this.text.indexOf("\n", start) + 1;
    return start + column - 1;
  }
  /** The item of a list that begins there. */
  itemAt = (offset) => this.#items.get(offset);
  #addDocument(document) {
    if (!(0, import_yaml.isMap)(document.contents)) return;
    const used = /* @__PURE__ */ new Set();
    (0, import_yaml.visit)(document, { Alias: (_, { source }) => void used.add(source) });
    const root = { file: this, node: document.contents, isShared: false };
    this.roots.push(root);
    this.#addBelow(root, used);
  }
  #addBelow(up, used) {
    const { node: holder } = up;
    const add = (node, key) => {
      const anchor = node?.anchor;
      const isShared = up.isShared || anchor !== void 0 && used.has(anchor);
      const slot = {
        file: this,
        node,
        holder,
        up,
        isShared,
        ...key ? { key } : {}
      };
      if (key?.range) this.#entries.set(key.range[0], slot);
      else if (!key && node?.range) this.#items.set(node.range[0], slot);
      if ((0, import_yaml.isCollection)(node)) this.#addBelow(slot, used);
    };
    if ((0, import_yaml.isMap)(holder)) {
      for (const { key, value } of holder.items)
        if ((0, import_yaml.isScalar)(key)) add(value, key);
    }
    if ((0, import_yaml.isSeq)(holder)) for (const item of holder.items) add(item);
  }
  edit(start, end, text2) {
    this.edits.push({ start, end, text: text2.replaceAll("\n", this.#lineEnd) });
  }
  /** The column of an offset: whatever precedes it on its line counts as blanks. */
  columnOf = (offset) => offset - this.lineStart(offset);
  lineStart = (offset) => this.text.lastIndexOf("\n", offset - 1) + 1;
  /** The beginning of the line behind the one on which something ends. */
  nextLine(end) {
    if (end > 0 && this.text[end - 1] === "\n") return end;
    const at = this.text.indexOf("\n", end);
    return at === -1 ? this.text.length : at + 1;
  }
};
function entryIn(slot, name) {
  if (!(0, import_yaml.isMap)(slot.node)) return void 0;
  const pair = slot.node.items.find(
    ({ key }) => (0, import_yaml.isScalar)(key) && textOf(key) === name
  );
  return pair && slot.file.entryAt(pair.key.range[0]);
}
var itemsIn = (slot) => (0, import_yaml.isSeq)(slot.node) ? slot.node.items.flatMap(
  (item) => item.range ? slot.file.itemAt(item.range[0]) ?? [] : []
) : [];
var textOf = ({ value, source }) => typeof value === "string" ? value : source ?? String(value);
function* around(slot) {
  for (let at = slot.up; at; at = at.up) yield at;
}
function topKeyOf(slot) {
  let last = slot;
  for (const one of around(slot)) if (one.up) last = one;
  return last.key && textOf(last.key);
}
var isLiteralText = (text2) => parseExpressions(text2).every((part) => typeof part === "string");
function isLiteral(node) {
  let is = true;
  (0, import_yaml.visit)(node, {
    Scalar: (_, { value, anchor }) => {
      if (anchor !== void 0 || typeof value === "string" && !isLiteralText(value)) is = false;
    },
    Collection: (_, { anchor }) => {
      if (anchor !== void 0) is = false;
    }
  });
  return is;
}
function endOf({ node, key, file }) {
  if (node === null || isUnwritten(node)) return key ? colonOf(key, file) : node?.range?.[0] ?? 0;
  if ((0, import_yaml.isCollection)(node) && !node.flow) {
    const last = node.items.at(-1);
    if ((0, import_yaml.isMap)(node)) {
      const { key: key2, value } = last;
      return endOf({ node: value, key: key2, file });
    }
    if (last) return endOf({ node: last, file });
  }
  return (0, import_yaml.isAlias)(node) || (0, import_yaml.isScalar)(node) || (0, import_yaml.isCollection)(node) ? node.range[1] : 0;
}
var isUnwritten = (node) => node === null || (0, import_yaml.isScalar)(node) && node.value === null && !node.source;
var colonOf = ({ range }, { text: text2 }) => text2.indexOf(":", range[1]) + 1;
function edited(text2, edits) {
  let result = "";
  let at = 0;
  for (const { start, end, text: more } of inOrder(edits)) {
    if (start < at) throw new Error("two edits overlap");
    result += text2.slice(at, start) + more;
    at = end;
  }
  return result + text2.slice(at);
}
function inOrder(edits) {
  const sorted = edits.map((edit, index) => ({ edit, index })).sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end || a.index - b.index).map(({ edit }) => edit);
  const removals = sorted.filter(({ start, end, text: text2 }) => text2 === "" && end > start);
  return sorted.filter(
    (one) => !removals.some(
      (gone) => gone !== one && gone.start <= one.start && one.end <= gone.end && (gone.end - gone.start > one.end - one.start || removals.indexOf(gone) < removals.indexOf(one)) && !(one.start === one.end && (one.start === gone.start || one.start === gone.end))
    )
  );
}

// src/accept/yaml-text.ts
var import_yaml2 = __toESM(require_dist(), 1);
var step = 2;
function valueText(value, { isFlow, isJson }, { like, indent = 0 } = {}) {
  if (typeof value === "object" && value !== null) return flowText(bare(value), isJson);
  if (isJson) return JSON.stringify(value);
  const scalar = new import_yaml2.Scalar(value);
  const style = like?.type;
  const isBlock = style === import_yaml2.Scalar.BLOCK_FOLDED || style === import_yaml2.Scalar.BLOCK_LITERAL;
  if (typeof value === "string" && style !== void 0 && (!isBlock || value.includes("\n")))
    scalar.type = isBlock ? import_yaml2.Scalar.BLOCK_LITERAL : style;
  if (isFlow) return inBrackets(scalar);
  const document = new import_yaml2.Document();
  const map = new import_yaml2.YAMLMap();
  map.items.push(new import_yaml2.Pair(new import_yaml2.Scalar("k"), scalar));
  document.contents = map;
  const text2 = printed(document).replace(/^k: /, "");
  return indented(/^[|>]/.test(text2) ? text2.replace(/\n$/, "") : text2.trimEnd(), indent, true);
}
function flowText(value, isJson) {
  const around2 = { isFlow: true, isJson };
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, isJson)).join(", ")}]`;
  if (!isPlainObject(value)) return valueText(value, around2);
  const entries = Object.entries(value).map(
    ([name, item]) => `${keyText(name, around2)}: ${flowText(item, isJson)}`
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
function inBrackets(scalar) {
  const document = new import_yaml2.Document();
  const list = new import_yaml2.YAMLSeq();
  if (typeof scalar.value === "string" && scalar.value.includes("\n")) scalar.type = import_yaml2.Scalar.QUOTE_DOUBLE;
  list.items.push(scalar);
  list.flow = true;
  document.contents = list;
  return printed(document, { isFlow: true }).trimEnd().replace(/^\[ ?/, "").replace(/ ?\]$/, "");
}
var keyText = (name, { isJson, isFlow }) => isJson || isFlow && /[,[\]{}\n]/.test(name) ? JSON.stringify(name) : printedEntry(name, null).replace(/: null\n$/, "");
var entryText = (name, value, indent) => indented(printedEntry(name, value), indent);
function printedEntry(name, value) {
  const document = new import_yaml2.Document();
  const map = new import_yaml2.YAMLMap();
  map.items.push(new import_yaml2.Pair(new import_yaml2.Scalar(name), writtenNode(value, document)));
  document.contents = map;
  return formatted(printed(document));
}
var formatted = (text2) => formatYaml(new Source("", text2)).text ?? text2;
function itemText(value, indent) {
  const document = new import_yaml2.Document();
  const list = new import_yaml2.YAMLSeq();
  const node = writtenNode(value, document);
  if (isPlainObject(value) && !(value instanceof WrittenMap) && !(0, import_yaml2.isScalar)(node))
    node.flow = JSON.stringify(value).length < 80;
  list.items.push(node);
  document.contents = list;
  return indented(formatted(printed(document)), indent);
}
var indented = (text2, indent, isBehind = false) => text2.split("\n").map((line, at) => line === "" || isBehind && at === 0 ? line : " ".repeat(indent) + line).join("\n");
function bare(value) {
  if (value instanceof WrittenMap)
    return Object.fromEntries(value.entries.map(({ key, value: item }) => [key, bare(item)]));
  return Array.isArray(value) ? value.map((item) => bare(item)) : value;
}
var deeper = (indent) => indent + step;
var unescaped = (text2) => text2.replaceAll("$${", () => "${");

// src/accept/edit-collection.ts
var NotHere = class extends Error {
};
var surroundings = (file, isFlow) => ({
  isFlow: isFlow || file.isJson,
  isJson: file.isJson
});
function insertEntry(slot, name, value, isAlike = () => true) {
  const { file, node } = slot;
  if (isUnwritten(node)) {
    startMap(slot, name, value);
    return;
  }
  if (!(0, import_yaml3.isMap)(node)) throw new NotHere();
  if (node.flow) {
    insertFlow(slot, `${keyText(name, surroundings(file, true))}: ${flow(file, value)}`);
    return;
  }
  const indent = indentOf(node, file);
  const last = node.items.findLast(
    ({ key }) => (0, import_yaml3.isScalar)(key) && isAlike(textOf(key))
  );
  const end = last ? endOf({ node: last.value, key: last.key, file }) : endOf(slot);
  putLines(file, end, entryText(name, value, indent));
}
function insertItem(slot, value, after) {
  const { file, node } = slot;
  if (!(0, import_yaml3.isSeq)(node)) throw new NotHere();
  if (node.flow) {
    insertFlow(slot, flow(file, value), after);
    return;
  }
  const items = node.items;
  const dash = dashOf(items[0], file);
  const indent = file.columnOf(dash);
  if (after < 0) file.edit(file.lineStart(dash), file.lineStart(dash), itemText(value, indent));
  else putLines(file, endOf({ node: items[after], file }), itemText(value, indent));
}
function removeAll(slots, file, up) {
  const holder = up.node;
  const all = partsOf(up);
  const gone = new Set(slots.map(({ key, node }) => key ?? node));
  const isGone = ({ start }) => gone.has(start);
  if (all.every(isGone)) {
    emptied(up);
    return;
  }
  if (holder.flow) {
    removeFlow(up, all, isGone);
    return;
  }
  for (const [at, part] of all.entries()) {
    if (!isGone(part)) continue;
    const start = (0, import_yaml3.isSeq)(holder) ? dashOf(part.start, file) : part.start.range[0];
    const from = file.lineStart(start);
    const next = all[at + 1];
    if (file.text.slice(from, start).trim() === "")
      file.edit(commentsAbove(file, from, at), file.nextLine(part.end), "");
    else if (next && !(0, import_yaml3.isSeq)(holder)) file.edit(start, next.start.range[0], "");
    else throw new NotHere();
  }
}
function dashOf(item, { text: text2 }) {
  const start = item.range[0];
  const dash = text2.lastIndexOf("-", start - 1);
  if (dash < 0 || text2.slice(dash + 1, start).trim() !== "") throw new NotHere();
  return dash;
}
function partsOf({ node, file }) {
  if ((0, import_yaml3.isSeq)(node))
    return node.items.map((item) => ({ start: item, end: endOf({ node: item, file }) }));
  return node.items.map(({ key, value }) => ({
    start: key,
    end: endOf({ node: value, key, file })
  }));
}
function emptied(slot) {
  const { file, node } = slot;
  replaceWith(slot, (0, import_yaml3.isSeq)(node) ? "[]" : "{}", file);
}
function replaceWith(slot, text2, file) {
  const { node, key } = slot;
  const end = endOf(slot);
  if (isUnwritten(node)) {
    if (!key) throw new NotHere();
    file.edit(end, end, text2.startsWith("\n") ? text2 : ` ${text2}`);
    return;
  }
  const isBlock = ((0, import_yaml3.isMap)(node) || (0, import_yaml3.isSeq)(node)) && !node.flow;
  const isOnOwnLine = key !== void 0 && (isBlock || text2.startsWith("\n"));
  const start = isOnOwnLine ? colonOf(key, file) : node.range[0];
  const isWholeLine = file.text[end - 1] === "\n";
  file.edit(
    start,
    isWholeLine ? end - (file.text[end - 2] === "\r" ? 2 : 1) : end,
    isOnOwnLine && !text2.startsWith("\n") ? ` ${text2}` : text2
  );
}
function commentsAbove(file, from, index) {
  let start = from;
  while (index > 0 && start > 0) {
    const above = file.lineStart(start - 1);
    if (!/^[ \t]*#/.test(file.text.slice(above, start))) break;
    start = above;
  }
  return start;
}
function removeFlow({ file, node }, all, isGone) {
  const open = node.range[0] + 1;
  for (const [at, part] of all.entries()) {
    if (!isGone(part)) continue;
    const { text: text2 } = file;
    const start = part.start.range[0];
    const isLast = all.slice(at + 1).every(isGone);
    if (isLast) {
      const before = all.slice(0, at).findLast((one) => !isGone(one));
      file.edit(before.end, all.at(-1).end, "");
      return;
    }
    const next = all[at + 1].start.range[0];
    file.edit(Math.max(open, start), next, "");
    if (!text2.slice(part.end, next).includes(",")) throw new NotHere();
  }
}
function insertFlow({ file, node }, text2, after) {
  const { text: all } = file;
  const { items, range } = node;
  if (items.length === 0) {
    const isList = (0, import_yaml3.isSeq)(node);
    file.edit(range[0], range[1], isList ? `[${text2}]` : `{ ${text2} }`);
    return;
  }
  const parts = partsOf({ file, node });
  if (after !== void 0 && after < 0) {
    const start = parts[0].start.range[0];
    file.edit(start, start, `${text2}, `);
    return;
  }
  const end = (after === void 0 ? parts.at(-1) : parts[after]).end;
  const isClosed = all.slice(end, range[1]).trimStart().startsWith(",") && (after === void 0 || after === parts.length - 1);
  const at = isClosed ? all.indexOf(",", end) + 1 : end;
  file.edit(at, at, isClosed ? ` ${text2},` : `, ${text2}`);
}
var flow = (file, value) => typeof value === "object" && value !== null ? valueText(bare(value), surroundings(file, true)) : valueText(value, surroundings(file, true));
function startMap({ file, key, node }, name, value) {
  if (!key) throw new NotHere();
  const end = endOf({ file, node, key });
  const indent = file.columnOf(key.range[0]);
  putLines(file, end, entryText(name, value, deeper(indent)));
}
function putLines(file, end, lines) {
  const at = file.nextLine(end);
  const isOpen = at === file.text.length && !file.text.endsWith("\n") && file.text !== "";
  file.edit(at, at, isOpen ? `
${lines.replace(/\n$/, "")}` : lines);
}
function indentOf({ items }, file) {
  const keys = items.map(({ key }) => key);
  const bareKey = keys.find(({ range, anchor, tag }) => range && anchor === void 0 && tag === void 0);
  if (!bareKey) throw new NotHere();
  return file.columnOf(bareKey.range[0]);
}

// src/accept/additions.ts
function addNew(addresses, given, placing) {
  const exported = exportLive({
    live: given.live,
    kinds: given.kinds,
    isTaken: given.isTaken,
    isChosen: (address) => addresses.has(address)
  });
  const adding = new Adding(addresses, given, placing);
  adding.add(exported);
  return { exported, sections: adding.sections() };
}
function addedAddresses(before, after, sections) {
  const fresh = [...after.values()].filter(({ address }) => !before.has(address));
  const roots = fresh.filter(
    (one) => sections.some(({ kind, parent }) => one.kind === kind && one.parent === parent)
  );
  return fresh.filter(({ address, meta }) => meta.existing || roots.some((root) => isWithin(address, root.address))).map(({ address }) => address);
}
var Adding = class {
  #addresses;
  #given;
  #placing;
  #gathered = [];
  constructor(addresses, given, placing) {
    this.#addresses = addresses;
    this.#given = given;
    this.#placing = placing;
  }
  sections = () => this.#gathered.map(({ kind, parent }) => ({ kind: kind.name, parent }));
  add({ sections, secrets }) {
    for (const { name, value } of sections) this.#gather(name, value, void 0, void 0);
    for (const one of this.#gathered)
      if (!this.#placing.places.attempt(() => this.#put(one)) && !this.#placing.places.attempt(() => this.#patch(one)))
        this.#placing.unplaced.push({
          addresses: [addressOf(one.parent, one.kind.section, [])],
          why: "there is nowhere to put new entries"
        });
    if (secrets.size > 0) this.#declareSecrets();
  }
  #gather(section, value, above, parent) {
    const kind = childKinds(this.#given.kinds, above?.name).find((one) => one.section === section);
    if (!kind) return;
    const blocks = blocksIn(kind, value);
    const added = blocks.filter((one) => {
      const address = addressOf(
        parent,
        section,
        one.key === void 0 ? [] : keyNames(kind, unescaped(one.key))
      );
      if (kind.yaml.mapBy === void 0 && kind.key.length > 0) return !isExisting(one.value);
      if (!this.#isDeclared(address, kind)) return true;
      if (kind.yaml.manyPerKey && !isExisting(one.value))
        this.#placing.unplaced.push({
          addresses: [address],
          why: "it is partly declared: add the remaining targets by hand"
        });
      else if (one.value instanceof WrittenMap)
        for (const entry of one.value.entries) this.#gather(entry.key, entry.value, kind, address);
      return false;
    });
    if (added.length > 0) this.#gathered.push({ kind, parent, blocks: added });
  }
  #isDeclared(address, kind) {
    const { resources } = this.#given.desired;
    return resources.has(address) || kind.shape.byAddress && [...resources.keys()].some((one) => one.startsWith(`${address}@`)) || kind.key.length === 0 && [...resources.keys()].some((one) => isWithin(one, address));
  }
  /** Into the block that they are in, or into their section at the top. */
  #put({ kind, parent, blocks }) {
    const { places } = this.#placing;
    if (this.#given.written.stage !== void 0) throw new NotHere();
    const holders = parent === void 0 ? places.files.filter(places.isPart).flatMap(({ roots }) => roots) : places.homesOf(parent);
    const isOpen = ({ node, isShared }) => !isShared && ((0, import_yaml4.isMap)(node) || isUnwritten(node));
    const open = holders.filter(isOpen);
    const sections = open.flatMap((one) => entryIn(one, kind.section) ?? []);
    const section = sections.find((one) => (0, import_yaml4.isMap)(one.node) || (0, import_yaml4.isSeq)(one.node));
    if (section && kind.key.length > 0) {
      for (const { key, value } of blocks)
        if (key === void 0) insertItem(section, value, this.#indexOf(kind, section, value));
        else insertEntry(section, key, value);
      return;
    }
    const [holder] = open;
    if (!holder || sections.length > 0) throw new NotHere();
    insertEntry(holder, kind.section, whole(kind, blocks));
  }
  /** Behind which item of a list one goes: in a list whose order decides, by its place in the account. */
  #indexOf(kind, section, value) {
    const items = itemsIn(section);
    if (!kind.shape.orderDecides) return items.length - 1;
    const { live, written: written2 } = this.#given;
    const name = value instanceof WrittenMap ? value.entries.find(({ key }) => key === kind.key[0])?.value : void 0;
    const own = [...live.resources.values()].find(
      (one) => this.#addresses.has(one.address) && one.kind === kind.name && one.fields[kind.key[0]] === unescaped(String(name))
    );
    if (!own) throw new NotHere();
    const places = items.map(({ node }) => {
      const read2 = written2.blocks.find(
        ({ block }) => block.kind === kind && block.at.start === node.range[0] && block.at.source.file === section.file.name
      );
      return read2 && live.resources.get(read2.units[0]?.address ?? "")?.index;
    });
    return places.findLastIndex((index) => index !== void 0 && index < own.index);
  }
  /** Into a patch of the block that they are in. */
  #patch({ kind, parent, blocks }) {
    const { blocks: all } = this.#given.written;
    const read2 = all.find(
      ({ block, units }) => units.some(({ address }) => address === parent) || block.address === parent
    );
    if (parent === void 0 || !read2) throw new NotHere();
    const file = this.#placing.targets.fileFor(read2);
    if (kind.key.length > 0 && kind.yaml.mapBy !== void 0)
      for (const { key, value } of blocks)
        this.#placing.patches.set(file, parent, [kind.section, key], bare(value));
    else {
      const position = kind.shape.orderDecides ? { $last: true } : {};
      const items = blocks.map(({ value }) => ({ ...bare(value), ...position }));
      this.#placing.patches.set(file, parent, [kind.section], kind.key.length === 0 ? items[0] : items);
    }
  }
  /** The family that the names of secrets belong to, as an export declares it. */
  #declareSecrets() {
    const roots = this.#placing.places.files.filter(this.#placing.places.isPart).flatMap((file) => file.roots);
    const section = roots.flatMap((root) => entryIn(root, "secrets") ?? [])[0];
    if (section && entryIn(section, "env")) return;
    const isDone = this.#placing.places.attempt(
      () => section ? insertEntry(section, "env", {}) : insertEntry(roots[0], "secrets", { env: {} })
    );
    if (!isDone) this.#placing.unplaced.push({ addresses: ["secrets"], why: "`env: {}` is missing" });
  }
};
function blocksIn(kind, value) {
  if (kind.key.length === 0) return [{ value }];
  if (Array.isArray(value)) return value.map((one) => ({ value: one }));
  return value instanceof WrittenMap ? value.entries.map(({ key, value: one }) => ({ key, value: one })) : [];
}
function whole(kind, blocks) {
  if (kind.key.length === 0) return blocks[0].value;
  if (kind.yaml.mapBy === void 0) return blocks.map(({ value }) => value);
  const map = new WrittenMap();
  for (const { key, value } of blocks) map.add(key, value);
  return map;
}
var isExisting = (value) => value instanceof WrittenMap && value.entries.some(({ key }) => key === "$existing");

// src/accept/accepted.ts
function schemaAt(schemas, path) {
  const [first, ...names] = namesIn(path);
  return names.reduce(
    (schema, name) => schema && membersOf(schema)?.(name),
    schemas[first]
  );
}
function foundWords(name, schema, value) {
  if (!schema) return { problem: `\`${name}\` cannot be expressed in a configuration` };
  if (traitsOf(schema).file)
    return { problem: `\`${name}\` is the content of a file, which the platform does not return` };
  const nothing = () => ({ words: schema.safeParse(null).success ? null : void 0 });
  if (value === void 0 || value === null) return nothing();
  const part = declarable(schema, value) ?? value;
  if (referenceOf(schema) !== void 0 && [part].flat().every(isRef)) return named(part, value);
  const { part: kept, problems } = expressible("value", schema, part, value);
  if (problems.length > 0 || kept === void 0)
    return { problem: problems.join("; ").replaceAll("`value", () => `\`${name}`) };
  return { words: written(kept) };
}
function named(part, value) {
  if ([value].flat().some((one) => isRef(one) && one.$ref.startsWith("#")))
    return { problem: "it refers to something that does not exist" };
  return { words: referred(part) };
}
function wantedWords(schema, value) {
  if (value === void 0) return void 0;
  if (schema && referenceOf(schema) !== void 0 && [value].flat().every(isRef))
    return referred(value);
  return written(value);
}
var written = (value) => spelled(
  mapHoles(
    value,
    (hole) => isSecret(hole) ? "${a secret}" : isRef(hole) ? hole : "${an expression}"
  ),
  [],
  () => ""
);
var isUnordered = (schema) => schema !== void 0 && traitsOf(schema).unordered === true;

// src/accept/findings.ts
var Findings = class {
  given;
  selection;
  blocksOf;
  result = { accepted: [], paths: /* @__PURE__ */ new Map(), left: [], doubtful: [] };
  constructor(given, selection) {
    this.given = given;
    this.selection = selection;
    const blocksOf = /* @__PURE__ */ new Map();
    for (const read2 of given.blocks) for (const { address } of read2.units) addTo(blocksOf, address, read2);
    this.blocksOf = blocksOf;
  }
  /** The objects that were deleted outside. */
  isGone = ({ action, outside }) => action === "create" && outside === true;
  /** The fields that were changed outside. */
  fieldsOf({ action, fields, outside }) {
    if (action === "create" || action === "delete") return [];
    const isMeant = ({ cause }) => cause === "drift" || cause === "conflict" || cause === "unknown" && (this.selection.isNamed || outside === true) || cause === "edit" && outside === true;
    return fields.filter((field) => asksForWrite(field) && isMeant(field));
  }
  /** Not taken over, and why. */
  left(address, why) {
    this.result.left.push({ address, why });
  }
  /** Taken over: the field of this path, or the whole object by the path "". */
  note(address, path) {
    this.result.paths.set(address, (this.result.paths.get(address) ?? /* @__PURE__ */ new Set()).add(path));
  }
  /** The found value of a field, in the clear where it may be written; undefined where it may not, which is noted. */
  value(kind, change, path) {
    const { address, before, after } = change;
    const traits = traitsOf(schemaAt(comparedFields(kind), path) ?? comparedFields(kind)[namesIn(path)[0]]);
    const found = before && asDeclared(atPath(before.fields, path), atPath(after.fields, path), traits);
    const isHidden = holdsSecret(found) || change.fields.some((one) => one.path === path && one.secret);
    if (!isHidden || found === void 0 || found === null) return { value: found };
    const wanted = this.given.desired.resources.get(address)?.fields;
    if (wanted && holesIn(atPath(wanted, path)).some(isSecretRef)) {
      this.left(
        address,
        `\`${path}\` comes from a secret in the configuration: set that secret to the live value, or apply`
      );
      return void 0;
    }
    if (!this.selection.mayWrite(address, path)) {
      this.result.doubtful.push({ address, path, entry: this.blocksOf.get(address)?.[0] });
      return void 0;
    }
    return { value: revealed(found) };
  }
  /** The differing fields of two rows; undefined where one of them cannot be said, which is noted. */
  rowFields(kind, [before, after], address) {
    const fields = [];
    for (const name of /* @__PURE__ */ new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (text(before[name]) === text(after[name])) continue;
      const schema = kind.fields[name];
      const words2 = foundWords(name, schema, after[name]);
      if ("problem" in words2) {
        this.left(address, words2.problem);
        return void 0;
      }
      const old = wantedWords(schema, before[name]);
      if (text(old) === text(words2.words)) continue;
      fields.push({ path: [name], before: old, after: words2.words, isUnordered: isUnordered(schema) });
    }
    return fields;
  }
};
var text = (value) => canonical(revealed(value ?? null));

// src/accept/from-plan.ts
function takenOver(given, selection) {
  return new Taking(new Findings(given, selection)).all();
}
var Taking = class {
  #findings;
  constructor(findings) {
    this.#findings = findings;
  }
  all() {
    const { changes } = this.#findings.given.plan;
    const chosen = changes.filter(({ address }) => this.#findings.selection.isChosen(address));
    for (const change of chosen) this.#unreadable(change);
    const drifted = chosen.filter(
      (change) => this.#findings.isGone(change) || this.#findings.fieldsOf(change).length > 0
    );
    for (const { kind, change } of refusedSets(this.#findings)) takeSet(this.#findings, kind, change);
    const done = /* @__PURE__ */ new Set();
    for (const change of drifted) {
      const kind = this.#findings.given.kinds.get(change.kind);
      const blocks = this.#findings.blocksOf.get(change.address) ?? [];
      if (kind.shape.merged) takeSet(this.#findings, kind, change);
      else
        for (const block of blocks) {
          if (done.has(block)) continue;
          done.add(block);
          const own = drifted.filter(({ address }) => block.units.some((unit) => unit.address === address));
          if (kind.shape.rowOf) takeRow(this.#findings, kind, block, own);
          else if (this.#findings.isGone(change)) this.#gone(change, block);
          else this.#object(kind, change, block);
        }
    }
    return this.#findings.result;
  }
  #unreadable({ address, touched }) {
    if (touched)
      this.#findings.left(
        address,
        "its secret may have changed outside and cannot be read back: set it here and send it with --send-unverified"
      );
  }
  #gone({ address }, block) {
    const inside = this.#findings.given.plan.changes.find(
      (other) => other.address.startsWith(`${address}/`) && other.after !== void 0 && !(this.#findings.isGone(other) && this.#findings.selection.isChosen(other.address))
    );
    if (inside) {
      this.#findings.left(address, `it no longer exists, but ${inside.address} is still declared in it`);
      return;
    }
    this.#findings.result.accepted.push({ type: "gone", addresses: [address], block });
    this.#findings.note(address, "");
  }
  #object(kind, change, block) {
    const paths = this.#findings.fieldsOf(change).map(({ path }) => whereFound(path, change));
    const all = [...new Set(paths)].flatMap((path) => this.#field(kind, change, path) ?? []);
    const fields = all.filter((field) => !this.#isName(kind, change, block, field));
    if (fields.length === 0) return;
    this.#findings.result.accepted.push({ type: "fields", addresses: [change.address], block, fields });
    for (const { path } of fields) this.#findings.note(change.address, path.join("."));
  }
  /** True for the name of an object that was renamed outside: that is more than a field. */
  #isName(kind, { address, before }, block, field) {
    const to = before?.renamedTo;
    const path = field.path.join(".");
    if (to === void 0 || !kind.key.includes(path)) return false;
    this.#findings.result.accepted.push({ type: "renamed", block, field, from: address, to });
    this.#findings.note(address, path);
    return true;
  }
  #field(kind, change, path) {
    const found = this.#findings.value(kind, change, path);
    if (!found) return void 0;
    const schema = schemaAt(kind.fields, path);
    const words2 = foundWords(path, schema, found.value);
    if ("problem" in words2) {
      this.#findings.left(change.address, words2.problem);
      return void 0;
    }
    const before = wantedWords(schema, atPath(change.after.fields, path));
    return { path: namesIn(path), before, after: words2.words, isUnordered: isUnordered(schema) };
  }
};
function whereFound(path, { before }) {
  const names = path.split(/(?<!\\)\./);
  const isThere = (length2) => atPath(before?.fields ?? {}, names.slice(0, length2).join(".")) != null;
  let { length } = names;
  while (length > 1 && !isThere(length) && !isThere(length - 1)) length--;
  return names.slice(0, length).join(".");
}
function takeRow(findings, kind, block, changes) {
  const addresses = changes.map(({ address }) => address);
  const found = new Map(changes.map((change) => [change.address, change]));
  const before = block.units.map(({ fields: fields2 }) => fields2);
  const after = [];
  const taken = /* @__PURE__ */ new Map();
  for (const unit of block.units) {
    const change = found.get(unit.address);
    if (change && findings.isGone(change)) {
      taken.set(unit.address, [""]);
      continue;
    }
    const fields2 = { ...unit.fields };
    for (const { path } of change ? findings.fieldsOf(change) : []) {
      const value = findings.value(kind, change, path);
      if (!value) continue;
      fields2[path] = value.value;
      addTo(taken, unit.address, path);
    }
    after.push(fields2);
  }
  if (taken.size === 0) return;
  const noted = () => {
    for (const [address, paths] of taken) for (const path of paths) findings.note(address, path);
  };
  if (after.length === 0) {
    findings.result.accepted.push({ type: "gone", addresses, block });
    noted();
    return;
  }
  const names = [...new Set([...taken.values()].flat())].filter((name) => name !== "");
  const [stays, ...others] = unitsAlike(after, before, names);
  const rowOf = kind.shape.rowOf;
  const old = rowOf(before);
  const fields = findings.rowFields(kind, [old, rowOf(stays)], addresses[0]);
  if (!fields) return;
  if (others.length === 0) findings.result.accepted.push({ type: "fields", addresses, block, fields });
  else {
    const whole2 = [stays, ...others].map(
      (units) => entryWords(findings, kind, [old, rowOf(units)], addresses[0])
    );
    if (whole2.includes(void 0)) return;
    const [, ...added] = whole2;
    findings.result.accepted.push({
      type: "split",
      addresses,
      block,
      fields,
      added,
      whole: whole2
    });
  }
  noted();
}
function entryWords(findings, kind, [old, row], address) {
  const changed = findings.rowFields(kind, [omit(old, kind.key), omit(row, kind.key)], address);
  return changed && new Map(changed.map(({ path, after }) => [path[0], after]));
}
function unitsAlike(units, before, names) {
  const said = (fields) => names.map((name) => text(fields[name])).join();
  const groups = [...groupBy(units, said).values()];
  const old = said(before[0]);
  const rank = ([first, ...others]) => said(first) === old ? Number.MAX_VALUE : others.length;
  return groups.sort((a, b) => rank(b) - rank(a));
}
function refusedSets(findings) {
  const { desired, plan, live, kinds } = findings.given;
  const planned = new Set(plan.changes.map(({ address }) => address));
  return [...desired.resources.values()].flatMap((after) => {
    const { address, meta } = after;
    const kind = kinds.get(after.kind);
    const before = live.resources.get(address);
    if (!kind.shape.merged || !before || meta.existing || meta.forget) return [];
    if (planned.has(address) || !findings.selection.isChosen(address)) return [];
    return [{ kind, change: { address, before, after } }];
  });
}
function takeSet(findings, kind, { address, before, after }) {
  const { rowOf } = kind.shape;
  if (holdsSecret(before?.fields) || holdsSecret(after?.fields)) {
    findings.left(address, "it contains a secret: edit it by hand");
    return;
  }
  const blocks = findings.blocksOf.get(address) ?? [];
  const open = Object.values(comparedFields(kind)).flatMap((schema) => traitsOf(schema).whereDeclared ?? []);
  const wanted = blocks.map((block) => ({ block, row: rowOf(block.units.map(({ fields }) => fields)) }));
  const found = (before?.rows ?? []).map(({ fields }) => rowOf([fields]));
  const rest = [...found];
  const pairs = [];
  const unpaired = wanted.filter(({ block, row }) => {
    const at = rest.findIndex((live) => identityOf(live, open) === identityOf(row, open));
    if (at >= 0) pairs.push({ block, row, live: rest.splice(at, 1)[0] });
    return at < 0;
  });
  for (const { block, row } of unpaired.splice(0, rest.length))
    pairs.push({ block, row, live: rest.shift() });
  const changed = pairs.map(({ block, row, live }) => {
    const undeclared = open.filter((name) => row[name] === void 0);
    return { block, fields: findings.rowFields(kind, [row, omit(live, undeclared)], address) };
  });
  const whole2 = found.map((row) => rowWords(findings, kind, row, address));
  const added = rest.map((row) => rowWords(findings, kind, row, address));
  if (changed.some(({ fields }) => !fields) || whole2.includes(void 0)) return;
  findings.result.accepted.push({
    type: "set",
    address,
    addresses: [address],
    changed,
    gone: unpaired.map(({ block }) => block),
    added,
    whole: whole2,
    blocks
  });
  findings.note(address, "");
}
function rowWords(findings, kind, row, address) {
  const fields = findings.rowFields(kind, [{}, row], address);
  return fields && Object.fromEntries(fields.map(({ path, after }) => [path[0], after]));
}

// src/accept/in-blocks.ts
var import_yaml6 = __toESM(require_dist(), 1);

// src/accept/edit-value.ts
var import_yaml5 = __toESM(require_dist(), 1);
var isSame = (a, b) => a === b || a !== void 0 && b !== void 0 && canonical(a) === canonical(b);
function editValue(slot, laid, change) {
  const { before, after } = change;
  if (isSame(before, after)) return;
  const { node } = slot;
  if ((0, import_yaml5.isMap)(node) && laid?.type === "map" && isPlainObject(before) && isPlainObject(after) && haveCommon(slot, after)) {
    editMap(slot, laid, { ...change, before, after });
    return;
  }
  if ((0, import_yaml5.isSeq)(node) && laid?.type === "list" && Array.isArray(before) && Array.isArray(after) && after.length > 0) {
    const isParallel = node.items.length === before.length && laid.items.length === before.length;
    if (isParallel && before.length > 0) {
      editList(slot, laid.items, { ...change, before: asWritten(before, laid.items), after });
      return;
    }
  }
  replace(slot, laid, change);
}
var haveCommon = (slot, after) => Object.keys(after).length === 0 || Object.keys(after).some((name) => entryIn(slot, name) !== void 0);
var isWrittenAt = ({ key }, at) => key?.range?.[0] === at.start;
function editMap(slot, laid, {
  before,
  after,
  isUnordered: isUnordered2 = false
}) {
  const gone = [];
  for (const name of /* @__PURE__ */ new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (isSame(before[name], after[name])) continue;
    const key = unescaped(name);
    const entry = laid.entries.find((one) => one.key.text === key);
    const own = entryIn(slot, name);
    const isHere = own !== void 0 && entry !== void 0 && isWrittenAt(own, entry.key.at);
    if (own && !isHere) throw new NotHere();
    if (own && after[name] !== void 0)
      editValue(own, entry.value, { before: before[name], after: after[name], isUnordered: isUnordered2 });
    else if (own) gone.push(own);
    else if (after[name] !== void 0) insertEntry(slot, name, after[name]);
    else if (entry) throw new NotHere();
  }
  if (gone.some(({ node }) => !isLiteral(node))) throw new NotHere();
  if (gone.length > 0) removeAll(gone, slot.file, slot);
}
function editList(slot, laid, { before, after, isUnordered: isUnordered2 = false }) {
  const slots = itemsIn(slot);
  if (slots.length !== before.length) throw new NotHere();
  const steps = diffArrays(
    before.map(wordsOf),
    (isUnordered2 ? inOldOrder(before, after) : after).map(wordsOf)
  );
  const goal = isUnordered2 ? inOldOrder(before, after) : after;
  if (steps.every(({ added, removed }) => added || removed) && goal.length !== before.length)
    return void replace(slot, { type: "list", at: laid[0].at, items: laid }, { before, after: goal });
  const gone = [];
  let [from, to] = [0, 0];
  for (const [at, { added, removed, count: count2 }] of steps.entries()) {
    if (!added && !removed) {
      from += count2;
      to += count2;
    } else if (removed) {
      const next = steps[at + 1];
      const pairs = next?.added ? Math.min(count2, next.count) : 0;
      for (let i = 0; i < pairs; i++)
        editValue(slots[from + i], laid[from + i], {
          before: before[from + i],
          after: goal[to + i],
          isUnordered: isUnordered2
        });
      gone.push(...slots.slice(from + pairs, from + count2));
      from += count2;
      to += pairs;
      if (next?.added) next.count -= pairs;
    } else {
      for (let i = 0; i < count2; i++) insertItem(slot, goal[to + i], from - 1);
      to += count2;
    }
  }
  if (gone.some(({ node }) => (0, import_yaml5.isAlias)(node) || !isLiteral(node))) throw new NotHere();
  if (gone.length > 0) removeAll(gone, slot.file, slot);
}
function asWritten(items, laid) {
  const rest = [...items];
  const inOrder2 = laid.map((node) => {
    const at = rest.findIndex((item) => says(node, item));
    return at < 0 ? void 0 : rest.splice(at, 1)[0];
  });
  return rest.length === 0 ? inOrder2 : items;
}
function says(node, value) {
  if (node.type === "scalar")
    return typeof value === "string" ? unescaped(value) === node.text : value === node.value;
  if (node.type === "list")
    return Array.isArray(value) && value.length === node.items.length && node.items.every((item, at) => says(item, value[at]));
  if (node.type !== "map" || !isPlainObject(value)) return false;
  return node.entries.every(
    ({ key, value: item }) => says(item, value[key.text])
  );
}
var wordsOf = (value) => canonical(value ?? null);
function inOldOrder(before, after) {
  const rest = after.map((value) => ({ value, words: wordsOf(value) }));
  const kept = before.filter((value) => {
    const at = rest.findIndex(({ words: words2 }) => words2 === wordsOf(value));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return [...kept, ...rest.map(({ value }) => value)];
}
function replace(slot, laid, { before, after }) {
  const { node, file, key, holder } = slot;
  if (!isLiteral(node) || after === void 0) throw new NotHere();
  const isInBrackets = holder?.flow === true || file.isJson;
  const around2 = { isFlow: isInBrackets, isJson: file.isJson };
  const indent = file.columnOf((key ?? node).range[0]);
  if ((0, import_yaml5.isScalar)(node) && asUnquoted(node, laid, before, after)) {
    replaceWith(slot, after, file);
    return;
  }
  const isLong2 = typeof after === "object" && after !== null && canonical(after).length >= 80;
  if (!isLong2 || isInBrackets) {
    replaceWith(
      slot,
      valueText(after, around2, { like: (0, import_yaml5.isScalar)(node) ? node : void 0, indent }),
      file
    );
    return;
  }
  if (key) {
    const text3 = entryText("k", after, indent).trimEnd();
    replaceWith(slot, text3.slice(text3.indexOf(":") + 1).replace(/^ /, ""), file);
    return;
  }
  const text2 = itemText(after, indent - 2).trimEnd();
  replaceWith(slot, text2.trimStart().replace(/^- /, ""), file);
}
function asUnquoted(node, laid, before, after) {
  if (typeof before !== "string" || typeof after !== "string" || laid?.type !== "scalar") return false;
  const isNumber = /^(0|[1-9]\d*)(\.\d+)?$/;
  return node.type === "PLAIN" && typeof node.value === "number" && isNumber.test(textOf(node)) && isNumber.test(after);
}

// src/accept/in-blocks.ts
var InBlocks = class {
  #places;
  #blocks;
  #hasSiblings;
  #over = /* @__PURE__ */ new Map();
  constructor(places, blocks, targets) {
    this.#places = places;
    this.#blocks = blocks;
    this.#hasSiblings = targets.hasSiblings;
  }
  /** The place of the value, if it stands for this block alone. */
  inPlace(read2, { path, ...change }) {
    const [name, ...rest] = path;
    const { block } = read2;
    const entry = block.own.find(({ key }) => key.text === name);
    if (!entry) throw new NotHere();
    const address = addressIn(read2);
    if (entry.key.at === entry.value.at) {
      const home = this.#places.homeOf(read2);
      if (!home || rest.length > 0 || (0, import_yaml6.isMap)(home.node) || change.after === void 0) throw new NotHere();
      editValue(home, entry.value, change);
      return;
    }
    const slot = this.#places.slotAt(entry.key.at);
    if (!slot?.key || !this.#places.isAlone(slot, entry.key.at, address)) throw new NotHere();
    this.#into(slot, entry.value, rest, change, address);
  }
  #into(slot, laid, [name, ...rest], change, address) {
    if (name === void 0) {
      if (change.after !== void 0) {
        editValue(slot, laid, change);
        return;
      }
      if (!isLiteral(slot.node) && !(0, import_yaml6.isAlias)(slot.node)) throw new NotHere();
      removeAll([slot], slot.file, slot.up);
      return;
    }
    if ((0, import_yaml6.isAlias)(slot.node) || laid.type !== "map" || !(0, import_yaml6.isMap)(slot.node)) throw new NotHere();
    const entry = laid.entries.find(({ key }) => key.text === name);
    const own = entry && entryIn(slot, escaped(name));
    if (own && own.key.range[0] === entry.key.at.start && this.#places.isAlone(own, entry.key.at, address)) {
      this.#into(own, entry.value, rest, change, address);
      return;
    }
    if (change.after === void 0 || own) throw new NotHere();
    insertEntry(slot, escaped(name), nested(rest, change.after));
  }
  /** Into the block, over what templates and merged maps say. */
  inHome(read2, { path, after }) {
    const home = this.#places.homeOf(read2);
    if (!home || after === void 0 || (0, import_yaml6.isAlias)(home.node)) throw new NotHere();
    const [name, ...rest] = path;
    const entry = read2.block.own.find(({ key }) => key.text === name);
    const from = entry && this.#places.slotAt(entry.key.at);
    if (from && topKeyOf(from) === "patches" && topKeyOf(home) !== "patches") throw new NotHere();
    if (entryIn(home, escaped(name))) throw new NotHere();
    if ((0, import_yaml6.isScalar)(home.node) && !isUnwritten(home.node)) {
      this.#unfolded(home, read2, name, nested(rest, after));
      return;
    }
    if ((0, import_yaml6.isSeq)(home.node)) throw new NotHere();
    const sections = new Set(this.#places.sectionsOf(read2.block.kind));
    insertEntry(home, escaped(name), nested(rest, after), (key) => !sections.has(key));
  }
  /** Into the block around it, in which it is made by a template: as an entry that lies over what that says. */
  overTemplate(read2, { path, after }) {
    const { block } = read2;
    const { kind, parent, key } = block;
    const above = parent && this.#blocks.find((one) => one.block === parent);
    const home = above && this.#places.homeOf(above);
    if (!home || !(0, import_yaml6.isMap)(home.node) || after === void 0 || this.#hasSiblings(block)) throw new NotHere();
    if (kind.key.length > 0 && (kind.yaml.mapBy === void 0 || !key)) throw new NotHere();
    const entry = block.own.find((one) => one.key.text === path[0]);
    const spots = [block.at, key?.at, entry?.key.at].flatMap((spot) => spot ? [spot] : []);
    if (spots.some((spot) => !this.#places.isInTemplate(spot))) throw new NotHere();
    const name = key ? escaped(key.text) : void 0;
    const section = entryIn(home, kind.section);
    if (section && ((0, import_yaml6.isAlias)(section.node) || section.isShared || !((0, import_yaml6.isMap)(section.node) || isUnwritten(section.node))))
      throw new NotHere();
    if (section && name !== void 0 && entryIn(section, name)) throw new NotHere();
    const id = `${home.file.path}:${home.key?.range?.[0]}:${kind.section}`;
    const known = this.#over.get(id) ?? { home, section, name: kind.section, blocks: {} };
    this.#over.set(id, known);
    let at = known.blocks;
    for (const step2 of [...name === void 0 ? [] : [name], ...path.slice(0, -1).map(escaped)]) {
      if (!isPlainObject(at[step2])) at[step2] = {};
      at = at[step2];
    }
    at[escaped(path.at(-1))] = after;
  }
  /** Writes what lies over templates. */
  writeOver() {
    for (const { home, section, name, blocks } of this.#over.values())
      if (section)
        for (const [key, value] of Object.entries(blocks)) insertEntry(section, key, value);
      else insertEntry(home, name, blocks);
  }
  /** A shorthand as the map that it stands for, with one field more. */
  #unfolded({ file, node, key, holder }, { block }, name, value) {
    const field = block.own.find(
      (one) => one.key.at === one.value.at && one.key.text !== block.kind.yaml.mapBy
    );
    const {
      range,
      type,
      value: own
    } = node;
    const isText = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE" || type === "PLAIN";
    const text2 = file.text.slice(range[0], range[1]);
    if (!field || !key || !isText || text2.includes("\n")) throw new NotHere();
    const isFlow = { isFlow: true, isJson: file.isJson };
    const isSafe = type !== "PLAIN" || !/[,[\]{}]/.test(text2);
    const kept = isSafe ? text2 : valueText(String(own), isFlow);
    const name1 = file.isJson ? JSON.stringify(field.key.text) : field.key.text;
    const more = valueText({ [name]: value }, isFlow).replace(/^\{ ?| ?\}$/g, "");
    const isAnchored = node.anchor !== void 0;
    if (isAnchored) throw new NotHere();
    if (typeof value === "object" && !holder.flow && !file.isJson && isLong(value)) {
      const indent = deeper(file.columnOf(key.range[0]));
      replaceWith(
        { file, node, key },
        `
${" ".repeat(indent)}${name1}: ${text2}
${entryText(name, value, indent).trimEnd()}`,
        file
      );
      return;
    }
    file.edit(range[0], range[1], `{ ${name1}: ${kept}, ${more} }`);
  }
};
var nested = (path, value) => path.reduceRight((inner, name) => ({ [escaped(name)]: inner }), value);
var isLong = (value) => JSON.stringify(value).length >= 80;
var addressIn = ({ block, units }) => units[0]?.address ?? block.address;

// src/accept/patches.ts
var import_yaml7 = __toESM(require_dist(), 1);
var Patches = class {
  #byFile = /* @__PURE__ */ new Map();
  #stage;
  /** The names that change. */
  moves = [];
  /** @param stage they are for this stage alone */
  constructor(stage) {
    this.#stage = stage;
  }
  /** The patch at an address, which is written once whatever is put into it. */
  #at(file, address) {
    const patches = this.#byFile.get(file) ?? /* @__PURE__ */ new Map();
    this.#byFile.set(file, patches);
    const patch = patches.get(address) ?? { drops: [], fields: {} };
    patches.set(address, patch);
    return patch;
  }
  /** Says a field of the block at an address. */
  set(file, address, path, value) {
    let at = this.#at(file, address).fields;
    for (const name of path.slice(0, -1)) {
      if (!isPlainObject(at[name])) at[name] = {};
      at = at[name];
    }
    at[path.at(-1)] = value;
  }
  /** Puts an item into a list of the block at an address. */
  add(file, address, section, item) {
    const { fields } = this.#at(file, address);
    fields[section] = [...fields[section] ?? [], item];
  }
  /** Takes something out of the block at an address: a field, or a block in it. */
  drop(file, address, path) {
    this.#at(file, address).drops.push(path);
  }
  /** Puts all of them into the files. */
  write() {
    for (const [file, patches] of this.#byFile)
      this.#writeInto(
        file,
        [...patches].map((one) => this.#written(one))
      );
  }
  #written([address, { drops, fields }]) {
    const map = new WrittenMap().add("$at", moved(address, this.moves));
    if (this.#stage !== void 0) map.add("$when", { stage: this.#stage });
    if (drops.length > 0) map.add("$drop", drops);
    for (const [name, value] of Object.entries(fields)) map.add(name, value);
    return map;
  }
  #writeInto(file, items) {
    const roots = file.roots.flatMap((root2) => entryIn(root2, "patches") ?? []);
    const list = roots.at(-1);
    const root = file.roots.at(-1);
    if (!root) throw new NotHere();
    if (!list) {
      newList(file, root, items);
      return;
    }
    if ((0, import_yaml7.isSeq)(list.node) && list.node.items.length > 0) {
      for (const item of items) insertItem(list, item, list.node.items.length - 1);
      return;
    }
    if (!isUnwritten(list.node) && !((0, import_yaml7.isSeq)(list.node) && list.node.items.length === 0)) throw new NotHere();
    const lines = items.map((item) => itemText(item, 2)).join("");
    const isBare = file.isJson || root.node.flow;
    replaceWith(list, isBare ? flowList(file, items) : `
${lines.trimEnd()}`, file);
  }
};
function newList(file, root, items) {
  if (file.isJson || root.node.flow) {
    insertEntry(root, "patches", items);
    return;
  }
  const lines = entryText("patches", items, 0);
  const end = endOf(root);
  putLines(file, end, `
${lines}`);
}
var flowList = (file, items) => valueText(items, { isFlow: true, isJson: file.isJson });
var PatchTargets = class {
  #places;
  #blocks;
  #patches;
  constructor(places, blocks, patches) {
    this.#places = places;
    this.#blocks = blocks;
    this.#patches = patches;
  }
  /** Into a patch at exactly this address, over all that is said elsewhere. */
  put(read2, { path, after }) {
    if (read2.block.kind.shape.merged) throw new NotHere();
    const file = this.fileFor(read2, path[0]);
    const address = this.addressFor(read2);
    if (after === void 0) {
      if (!path.every((name) => /^[\w.-]+$/.test(name))) throw new NotHere();
      this.#patches.drop(file, address, path.join("/"));
    } else this.#patches.set(file, address, path.map(escaped), after);
  }
  /** The file for a patch: that of the block, or that of the patch which says it now. */
  fileFor(read2, name) {
    const entry = read2.block.own.find(({ key }) => key.text === name);
    const from = entry && this.#places.slotAt(entry.key.at);
    const spots = [
      ...from && topKeyOf(from) === "patches" ? [entry.key.at] : [],
      read2.block.key?.at ?? read2.block.at,
      read2.block.at
    ];
    const home = this.#places.homeOf(read2);
    const files = [
      ...from && topKeyOf(from) === "patches" ? [from.file] : [],
      ...home ? [home.file] : [],
      ...spots.flatMap((spot) => this.#places.fileOf(spot) ?? []),
      ...this.#places.files
    ];
    const file = files.find(({ roots }) => roots.length > 0);
    if (!file) throw new NotHere();
    return file;
  }
  /** The address of all that an entry stands for. */
  addressFor({ block, units }) {
    const [first, ...others] = units.map(({ address }) => address);
    if (!block.kind.shape.byAddress || first === void 0) return first ?? block.address;
    const whole2 = wholeAddress(first);
    if (!this.hasSiblings(block)) return whole2;
    const places = [first, ...others].map((address) => address.slice(address.lastIndexOf("@") + 1));
    if (places.length === 1) return first;
    return `${first.slice(0, first.lastIndexOf("@"))}@{${places.join(",")}}`;
  }
  /** True if there are several entries of one name. */
  hasSiblings = ({ kind, key, parent }) => this.#blocks.filter(
    ({ block: one }) => one.kind === kind && one.parent === parent && one.key?.text === key?.text
  ).length > 1;
};

// src/accept/places.ts
var import_yaml8 = __toESM(require_dist(), 1);
var Places = class {
  files;
  #parts;
  #included;
  #kinds;
  #byFile;
  #homes = /* @__PURE__ */ new Map();
  /** The number of values written at a place. */
  #uses = /* @__PURE__ */ new Map();
  #roots;
  constructor({ files, blocks }, kinds) {
    this.#kinds = kinds;
    this.#included = new Set(
      files.flatMap(({ holds, source }) => holds === "included" ? [source.file] : [])
    );
    this.#parts = new Set(files.flatMap(({ holds, path }) => holds === "part" ? [path] : []));
    this.files = files.filter(({ holds, source }) => holds === "part" || holds === "data" && !source.isOutside).map((one) => new YamlFile(one));
    this.#byFile = new Map(this.files.map((file) => [file.name, file]));
    this.#roots = new Set(childKinds(kinds, void 0).map(({ section }) => section));
    for (const file of this.files)
      for (const root of file.roots)
        for (const kind of childKinds(kinds, void 0)) {
          const section = entryIn(root, kind.section);
          if (section) this.#noteSection(kind, section, void 0);
        }
    for (const { block } of blocks)
      for (const { key, value } of block.own) {
        this.#noteUse(key.at);
        if (value.at.start !== key.at.start) this.#noteUses(value);
      }
  }
  /** A place with several sources counts once for each of them. */
  #noteUse({ source, start }) {
    const at = `${source.file}:${start}`;
    this.#uses.set(at, (this.#uses.get(at) ?? 0) + 1);
  }
  #noteUses(node) {
    if (node.type !== "map") return;
    for (const { key, value } of node.entries) {
      this.#noteUse(key.at);
      this.#noteUses(value);
    }
  }
  #noteSection(kind, section, parent) {
    const { node } = section;
    if (kind.key.length === 0) this.#noteBlock(kind, section, addressOf(parent, kind.section, []));
    else if (kind.yaml.mapBy !== void 0 && (0, import_yaml8.isMap)(node)) {
      for (const { key } of node.items)
        if ((0, import_yaml8.isScalar)(key) && isLiteralText(textOf(key))) {
          const slot = section.file.entryAt(key.range[0]);
          this.#noteBlock(
            kind,
            slot,
            addressOf(parent, kind.section, keyNames(kind, unescaped(textOf(key))))
          );
        }
    }
  }
  #noteBlock(kind, slot, address) {
    const homes = this.#homes.get(address) ?? [];
    this.#homes.set(address, [...homes, slot]);
    for (const child of childKinds(this.#kinds, kind.name)) {
      const section = entryIn(slot, child.section);
      if (section) this.#noteSection(child, section, address);
    }
  }
  /** Does something whole or not at all: false where `NotHere` was thrown. */
  attempt(write) {
    const before = this.files.map((file) => file.edits.length);
    try {
      write();
      return true;
    } catch (error) {
      if (!(error instanceof NotHere)) throw error;
      for (const [at, file] of this.files.entries()) file.edits.length = before[at];
      return false;
    }
  }
  /** The sections that a block of a kind may hold. */
  sectionsOf = ({ name }) => childKinds(this.#kinds, name).map(({ section }) => section);
  /** True for a file that holds blocks: another one holds data. */
  isPart = ({ path }) => this.#parts.has(path);
  /** True for a place in `templates:`, be it in a file that holds nothing else. */
  isInTemplate({ source, start }) {
    const file = this.#byFile.get(source.file);
    if (!file) return this.#included.has(source.file);
    const slot = file.entryAt(start) ?? file.itemAt(start);
    return slot !== void 0 && topKeyOf(slot) === "templates";
  }
  /** The file that a place is in, of those that can be edited. */
  fileOf = ({ source }) => this.#byFile.get(source.file);
  /** The place of an entry whose key, or of an item that, begins there. */
  slotAt({ source, start }, isItem = false) {
    const file = this.#byFile.get(source.file);
    return isItem ? file?.itemAt(start) : file?.entryAt(start) ?? file?.itemAt(start);
  }
  /** The place of the block itself, where nothing but this one is written there; undefined for one that is made by something. */
  homeOf({ block, units }) {
    const { kind, key, at } = block;
    const isListed = key === void 0 || at.start !== key.at.start;
    const own = kind.key.length > 0 && isListed ? this.slotAt(at, true) : this.#homes.get(block.address)?.find((slot) => this.isOwn(slot, block.address)) ?? this.slotAt(key?.at ?? at);
    const addresses = [block.address, ...units.map(({ address }) => address)];
    return own && addresses.some((address) => this.isOwn(own, address)) ? own : void 0;
  }
  /** The places that are written for this address in the sections, be it only for what is in it. */
  homesOf = (address) => (this.#homes.get(address) ?? []).filter((slot) => this.isOwn(slot, address));
  /** True if a value of a block is written at this place, and nothing else is. */
  isAlone = (slot, { source, start }, address) => (this.#uses.get(`${source.file}:${start}`) ?? 1) <= 1 && this.isOwn(slot, address);
  /** True if what is written at a place is for this address alone: no template, no instance of `$each`, nothing that is copied. */
  isOwn(slot, address) {
    if (slot.isShared) return false;
    const ways = [slot, ...around(slot)];
    if (ways.some(({ key }) => key && !isLiteralText(textOf(key)))) return false;
    if (ways.some((one) => entryIn(one, "$each") !== void 0)) return false;
    const top = topKeyOf(slot) ?? (slot.key && textOf(slot.key));
    if (top === void 0) return false;
    if (top === "patches") return this.#isPatchOf(ways, address);
    return this.#roots.has(top);
  }
  #isPatchOf(ways, address) {
    const at = ways.map((one) => entryIn(one, "$at")).find((one) => one !== void 0);
    const text2 = at && (0, import_yaml8.isScalar)(at.node) ? textOf(at.node) : "";
    const exact = text2.replace(/@\{[^{}*?[\]!()]*\}$/, "");
    return text2 !== "" && isLiteralText(text2) && !/[*?{}[\]!()]/.test(exact) && address.startsWith(exact);
  }
  /** Patches for exactly this address that are always laid. */
  patchesOf(address) {
    return this.files.flatMap(
      (file) => file.roots.flatMap((root) => {
        const list = entryIn(root, "patches");
        return list && (0, import_yaml8.isSeq)(list.node) && !list.isShared ? itemsIn(list).filter((item) => {
          const at = entryIn(item, "$at");
          return at !== void 0 && (0, import_yaml8.isScalar)(at.node) && textOf(at.node) === address && !item.isShared && !entryIn(item, "$when");
        }) : [];
      })
    );
  }
};

// src/accept/removal.ts
var import_yaml9 = __toESM(require_dist(), 1);
var Removal = class {
  /** The edits beside blocks, for people: `remove gb, sites.csv:12`. */
  said = [];
  #context;
  #rows = /* @__PURE__ */ new Set();
  #removed = [];
  #gone = [];
  constructor(context) {
    this.#context = context;
  }
  add(...gone) {
    this.#removed.push(...gone);
  }
  /** Removes all that was added; what stands by itself goes with `finish`. */
  remove() {
    for (const one of this.#removed) this.#remove(one);
  }
  #remove({ block, addresses }) {
    const home = this.#context.stage === void 0 ? this.#context.places.homeOf(block) : void 0;
    if (home?.up && topKeyOf(home) !== "patches") {
      const isInList = block.block.kind.yaml.manyPerKey === true && (0, import_yaml9.isSeq)(home.up.node);
      this.#gone.push({ slot: home, isInList, isSection: block.block.kind.key.length === 0 });
      return;
    }
    const { parent } = block.block;
    if (this.#isInGone(block)) return;
    if (this.#context.stage === void 0 && this.#context.places.attempt(() => this.#removeRow(block)))
      return;
    const isDropped = parent !== void 0 && this.#context.places.attempt(() => {
      const address = this.#context.targets.addressFor(block);
      this.#context.patches.drop(
        this.#context.targets.fileFor(block),
        parent.address,
        address.slice(parent.address.length + 1)
      );
    });
    if (!isDropped)
      this.#context.unplaced.push({
        addresses,
        why: "it is generated by a template or `$each`, and neither a data row nor a patch can remove it"
      });
  }
  /** True for what is in something that goes as well. */
  #isInGone({ block }) {
    for (let { parent } = block; parent; parent = parent.parent)
      if (this.#removed.some((one) => one.block.block === parent)) return true;
    return false;
  }
  /** The member of the data that a block was made for, if nothing else was that stays. */
  #removeRow(read2) {
    const going = new Set(this.#removed.map(({ block }) => block.block));
    const [spot] = this.#membersOf(read2);
    if (!spot) throw new NotHere();
    const id = `${spot.source.file}:${spot.start}`;
    const isGoing = ({ block }) => {
      for (let one = block; one; one = one.parent) if (going.has(one)) return true;
      return false;
    };
    const users = this.#context.blocks.filter(
      (one) => spotsIn(one).some(({ source, start }) => `${source.file}:${start}` === id)
    );
    if (!users.every(isGoing)) throw new NotHere();
    if (this.#rows.has(id)) return;
    const file = this.#context.places.fileOf(spot);
    const name = this.#takeOut(spot, file);
    this.#rows.add(id);
    const { line } = spot.source.position(spot.start);
    this.said.push(`remove ${name}, ${file.name}:${line}`);
  }
  /** Takes a member of the data out; its name. */
  #takeOut(spot, file) {
    if (/\.csv$/i.test(file.path)) {
      const start = file.lineStart(spot.start);
      file.edit(start, file.nextLine(Math.max(start, spot.end - 1)), "");
      return file.text.slice(spot.start, spot.end).split(",")[0].trim();
    }
    const slot = this.#context.places.slotAt(spot);
    if (!slot?.up || slot.isShared || !isLiteral(slot.node)) throw new NotHere();
    removeAll([slot], file, slot.up);
    return slot.key ? textOf(slot.key) : file.text.slice(spot.start, spot.end);
  }
  /** The places of the members of data that make up the name of a block. */
  #membersOf({ block: { key } }) {
    return (key?.literals ?? []).filter((spot) => {
      const file = this.#context.places.fileOf(spot);
      if (!file) return false;
      if (/\.csv$/i.test(file.path)) return true;
      const slot = this.#context.places.slotAt(spot);
      const top = slot && topKeyOf(slot);
      return slot?.up !== void 0 && (top === "variables" || !this.#context.places.isPart(file));
    });
  }
  /** Takes away the blocks that are gone, and the lists and sections that hold nothing then. */
  finish() {
    const lists = this.#gone.flatMap(({ slot, isInList }) => isInList ? [slot.up] : []);
    const alone = new Set(this.#gone.flatMap(({ slot, isSection }) => isSection ? [slot] : []));
    const entries = withoutEmptied(
      this.#gone.map(({ slot }) => slot),
      lists
    );
    const sections = entries.filter((slot) => !alone.has(slot)).map(({ up }) => up);
    const byHolder = groupBy(withoutEmptied(entries, sections), ({ up }) => up);
    for (const [up, slots] of byHolder) removeAll(slots, up.file, up);
  }
};
function withoutEmptied(gone, holders) {
  const all = new Set(gone);
  const emptied2 = new Set(holders.filter((holder) => holder.up && isEmptied(holder, all)));
  return [...new Set(gone.map((slot) => emptied2.has(slot.up) ? slot.up : slot))];
}
function spotsIn({ block: { key, own } }) {
  const spots = [...key?.literals ?? []];
  const add = (node) => {
    spots.push(node.at);
    if (node.type === "scalar" || node.type === "expression") spots.push(...node.literals ?? []);
    if (node.type === "list") node.items.forEach(add);
    if (node.type === "map") for (const { value } of node.entries) add(value);
  };
  for (const { value } of own) add(value);
  return spots;
}
var isEmptied = (up, gone) => (0, import_yaml9.isSeq)(up.node) ? itemsIn(up).every((one) => gone.has(one)) : (0, import_yaml9.isMap)(up.node) && up.node.items.every(({ key }) => gone.has(entryIn(up, textOf(key))));

// src/accept/rename.ts
var import_yaml10 = __toESM(require_dist(), 1);
function writeName(renamed, home, places, all) {
  const { block: read2, field, from, to } = renamed;
  const { kind, meta } = read2.block;
  const [before, after] = namesIn2(field);
  if (kind.yaml.mapBy === field.path[0])
    for (const slot of /* @__PURE__ */ new Set([home, ...places.homesOf(from)])) writeKey(slot, after);
  for (const at of mentionsOf(from, all)) writeMention(at, places, { from, before, after });
  for (const slot of addressesIn(places)) writeAddress(slot, from, to);
  const was = meta.find(({ key }) => key.text === "$was");
  const known = was && entryIn(home, "$was");
  if (was && (!known || !isLiteral(known.node))) throw new NotHere();
  if (known) replaceWith(known, textFor(known, before), known.file);
  else if ((0, import_yaml10.isMap)(home.node) || isUnwritten(home.node)) {
    const sections = new Set(places.sectionsOf(kind));
    insertEntry(home, "$was", escaped(before), (key) => !sections.has(key));
  } else throw new NotHere();
}
function whatToWrite({ block: read2, field, from }, places, all) {
  const { block } = read2;
  const [before, after] = namesIn2(field);
  const spots = [...block.key?.literals ?? [block.key?.at ?? block.at]];
  const madeAt = spots.map(({ source, start }) => `${source.file}:${source.position(start).line}`);
  const mentions = mentionsOf(from, all).filter((at) => !literalAt(at, places, [before, from])).map(({ file, line }) => `${file}:${line}`);
  const name = `it is called \`${after}\` in the account`;
  const isOwn = places.homeOf(read2) !== void 0;
  const own = isOwn ? `use that name instead of \`${before}\` (${madeAt[0]})` : `its name is generated: put \`${after}\` where \`${before}\` comes from (${[...new Set(madeAt)].join(", ")})`;
  const also = mentions.length > 0 ? `, and update the expressions that refer to it (${[...new Set(mentions)].join(", ")})` : "";
  return `${name}, which cannot be written automatically; ${own}, with \`$was: ${before}\` in its block${also}`;
}
var namesIn2 = ({ before, after }) => [
  unescaped(String(before)),
  unescaped(String(after))
];
function writeKey({ file, key, holder, isShared, node }, name) {
  if (!key?.range || isShared || node?.anchor !== void 0)
    throw new NotHere();
  const isFlow = holder?.flow === true;
  file.edit(key.range[0], key.range[1], keyText(escaped(name), { isFlow, isJson: file.isJson }));
}
var mentionsOf = (address, all) => [
  ...new Map(
    all.flatMap(({ links }) => links).filter(({ to }) => to === address).map(({ at }) => [`${at.file}:${at.line}:${at.column}`, at])
  ).values()
];
function literalAt(at, places, names) {
  const file = places.files.find((one) => one.name === at.file);
  const offset = file?.offsetOf(at);
  const slot = file?.slots().find(({ node, isShared }) => (0, import_yaml10.isScalar)(node) && node.range?.[0] === offset && !isShared);
  const isName = ({ node }) => isLiteral(node) && names.includes(unescaped(textOf(node)));
  return slot && isName(slot) ? slot : void 0;
}
function writeMention(at, places, { from, before, after }) {
  const slot = literalAt(at, places, [before, from]);
  if (!slot) throw new NotHere();
  if (unescaped(textOf(slot.node)) !== from) replaceWith(slot, textFor(slot, after), slot.file);
}
var naming = /* @__PURE__ */ new Set(["$at", "$dependsOn"]);
var addressesIn = (places) => places.files.flatMap(
  (file) => file.slots().filter(
    ({ node, key, up }) => (0, import_yaml10.isScalar)(node) && naming.has(textOf(key ?? up?.key ?? node))
  )
);
function writeAddress(slot, from, to) {
  const text2 = unescaped(textOf(slot.node));
  if (!isWithin(text2, from)) return;
  if (!isLiteral(slot.node) || slot.isShared) throw new NotHere();
  replaceWith(slot, textFor(slot, to + text2.slice(from.length)), slot.file);
}
function textFor({ node, file, holder }, text2) {
  const isFlow = holder?.flow === true || file.isJson;
  return valueText(escaped(text2), { isFlow, isJson: file.isJson }, { like: node });
}

// src/accept/split.ts
var import_yaml11 = __toESM(require_dist(), 1);
function entryWords2(otherwise2, read2, home) {
  const { own, meta, kind } = read2.block;
  const names = [...own, ...meta].map(({ key }) => key.text).filter((name) => !kind.key.includes(name));
  const words2 = [.../* @__PURE__ */ new Set([...names, ...otherwise2.keys()])].map((name) => [
    name,
    otherwise2.has(name) ? otherwise2.get(name) : keptWords(name, read2, home)
  ]);
  return Object.fromEntries(words2.filter(([, value]) => value !== void 0));
}
function keptWords(name, { block, fields }, home) {
  const { key, value } = [...block.own, ...block.meta].find((one) => one.key.text === name);
  const isShorthand = key.at === value.at;
  const slot = isShorthand ? home : home && slotIn(home, key.at.start, key.at.source.file);
  if (slot) return asWritten2(slot.node);
  if (!isData(value) || name.startsWith("$") || holesIn(fields[name]).length > 0) throw new NotHere();
  return wantedWords(block.kind.fields[name], fields[name]);
}
function isData(node) {
  if (node.type === "list") return node.items.every(isData);
  if (node.type === "map") return node.entries.every(({ value }) => isData(value));
  return node.type === "scalar";
}
function slotIn(home, start, file) {
  if (home.file.name !== file) return void 0;
  const slot = home.file.entryAt(start);
  return slot?.up === home ? slot : void 0;
}
function asWritten2(node) {
  if (node === null) return null;
  let isPlain = true;
  const refuse = () => {
    isPlain = false;
  };
  (0, import_yaml11.visit)(node, {
    Alias: refuse,
    Node: (_, { anchor, tag }) => {
      if (anchor !== void 0 || tag !== void 0 && !tag.startsWith("tag:yaml.org")) refuse();
    }
  });
  if (!isPlain) throw new NotHere();
  if ((0, import_yaml11.isScalar)(node)) return typeof node.value === "bigint" ? textOf(node) : node.value;
  return node.toJS({});
}
function splitEntry(home, shorten, added) {
  const { file, up } = home;
  if (!up) throw new NotHere();
  const before = file.edits.length;
  if ((0, import_yaml11.isSeq)(up.node)) {
    shorten();
    const at = itemsIn(up).indexOf(home);
    for (const words2 of added) insertItem(up, words2, at);
    return;
  }
  if (!home.key || !home.node || home.isShared) throw new NotHere();
  const { key, node } = home;
  const isLines = (0, import_yaml11.isMap)(node) && !node.flow;
  const isInBrackets = file.isJson || up.node.flow === true;
  const start = isLines ? file.lineStart(node.range[0]) : node.range[0];
  const end = isLines ? file.nextLine(endOf(home)) : endOf(home);
  shorten();
  const own = file.edits.splice(before);
  if (own.some((edit) => edit.start < start || edit.end > end)) throw new NotHere();
  const shift = (edit) => ({
    ...edit,
    start: edit.start - start,
    end: edit.end - start
  });
  const text2 = edited(file.text.slice(start, end), own.map(shift)).replaceAll("\r\n", "\n");
  if (isInBrackets) {
    const more = added.map((words2) => valueText(words2, { isFlow: true, isJson: file.isJson }));
    file.edit(start, end, `[${[text2, ...more].join(", ")}]`);
    return;
  }
  const indent = deeper(file.columnOf(key.range[0]));
  const rows = added.map((words2) => itemText(words2, indent)).join("");
  if (isLines) {
    if (file.text.slice(start, node.range[0]).trim() !== "") throw new NotHere();
    const item = asItem(text2, indent);
    file.edit(start, end, item.endsWith("\n") ? `${item}${rows}` : `${item}
${rows.replace(/\n$/, "")}`);
    return;
  }
  const colon = colonOf(key, file);
  if (file.text.slice(colon, start).trim() !== "") throw new NotHere();
  file.edit(colon, end, `
${" ".repeat(indent)}- ${indented(text2, 2, true)}`);
  putLines(file, end, rows);
}
function asItem(text2, indent) {
  const lines = text2.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "" && !/^\s*#/.test(line));
  const depth = /^ */.exec(lines[first])[0].length;
  const more = indent + 2 - depth;
  const moved2 = (line) => line.trim() === "" ? line : more >= 0 ? " ".repeat(more) + line : line.slice(Math.min(-more, /^ */.exec(line)[0].length));
  return lines.map(
    (line, at) => at === first ? `${" ".repeat(indent)}- ${line.slice(depth)}` : at < first ? line : moved2(line)
  ).join("\n");
}

// src/accept/place.ts
var Placing = class {
  places;
  unplaced = [];
  patches;
  targets;
  #inBlocks;
  #removal;
  #stage;
  #blocks;
  #renamed = [];
  /** Names that are not written, and why. */
  unnamed = [];
  constructor(written2, kinds) {
    this.places = new Places(written2, kinds);
    this.#stage = written2.stage;
    this.#blocks = written2.blocks;
    this.patches = new Patches(written2.stage);
    const { places, patches, unplaced } = this;
    this.targets = new PatchTargets(places, written2.blocks, patches);
    this.#inBlocks = new InBlocks(places, written2.blocks, this.targets);
    this.#removal = new Removal({ ...written2, places, patches, targets: this.targets, unplaced });
  }
  /** The edits beside fields, for people: `remove gb, sites.csv:12`. */
  get said() {
    return this.#removal.said;
  }
  put(accepted) {
    if (accepted.type === "gone") this.#removal.add(accepted);
    else if (accepted.type === "set") this.#set(accepted);
    else if (accepted.type === "split") this.#split(accepted);
    else if (accepted.type === "renamed") this.#renamed.push(accepted);
    else for (const field of accepted.fields) this.#field(accepted, field);
  }
  /** All edits are known. */
  finish() {
    this.#removal.remove();
    for (const one of this.#renamed.sort((a, b) => b.from.length - a.from.length)) this.#rename(one);
    this.#inBlocks.writeOver();
    this.#removal.finish();
    this.patches.write();
  }
  /** A set: each member where it stands, or all of them in a patch. */
  #set({ address, addresses, changed, gone, added, whole: whole2, blocks }) {
    const { block } = blocks[0];
    const isPlaced = this.places.attempt(() => {
      for (const one of changed)
        for (const field of one.fields) if (!this.#isInBlock(one.block, field)) throw new NotHere();
      const homes = blocks.map((one) => this.places.homeOf(one)?.up);
      const list = homes.at(-1);
      if (this.#stage !== void 0 || !list || homes.some((one) => !one || topKeyOf(one) === "patches"))
        throw new NotHere();
      for (const words2 of added) insertItem(list, words2, itemsIn(list).length - 1);
    });
    if (isPlaced) {
      this.#removal.add(...gone.map((one) => ({ block: one, addresses })));
      return;
    }
    const isPatched = this.places.attempt(() => {
      const parent = block.parent.address;
      const file = this.targets.fileFor(blocks[0]);
      this.patches.drop(file, parent, address.slice(parent.length + 1));
      this.patches.set(file, parent, [block.kind.section], whole2);
    });
    if (!isPatched)
      this.unplaced.push({
        addresses,
        why: "its members can be written neither in place nor as a patch"
      });
  }
  /** The new name where the old one stands, and wherever that is meant; where it does not stand by itself, it is told. */
  #rename(renamed) {
    const { block: read2, field, from, to } = renamed;
    const isWritten = this.places.attempt(() => {
      const home = this.#stage === void 0 ? this.places.homeOf(read2) : void 0;
      if (!home || topKeyOf(home) === "patches") throw new NotHere();
      if (read2.block.kind.yaml.mapBy !== field.path[0]) this.#inBlocks.inPlace(read2, field);
      writeName(renamed, home, this.places, this.#blocks);
    });
    if (isWritten) this.patches.moves.push({ from, to, by: to });
    else
      this.unnamed.push({
        address: from,
        why: whatToWrite(renamed, this.places, this.#blocks)
      });
  }
  /** Entries beside the one that all of them were, or, of one that is generated, all of them in a patch. */
  #split({ block: read2, addresses, fields, added, whole: whole2 }) {
    const { kind, parent, key } = read2.block;
    const isPlaced = this.places.attempt(() => {
      const home = this.#stage === void 0 ? this.places.homeOf(read2) : void 0;
      if (!home || topKeyOf(home) === "patches") throw new NotHere();
      const rows = added.map((one) => entryWords2(one, read2, home));
      const shorten = () => {
        for (const field of fields)
          if (!this.places.attempt(() => this.#inBlocks.inPlace(read2, field)) && !this.places.attempt(() => this.#inBlocks.inHome(read2, field)))
            throw new NotHere();
      };
      splitEntry(home, shorten, rows);
    });
    if (isPlaced) return;
    const isPatched = this.places.attempt(() => {
      if (!parent || !key || this.targets.hasSiblings(read2.block)) throw new NotHere();
      const entries = whole2.map((one) => entryWords2(one, read2, void 0));
      this.patches.set(
        this.targets.fileFor(read2),
        parent.address,
        [kind.section, escaped(key.text)],
        entries
      );
    });
    if (!isPatched)
      this.unplaced.push({
        addresses,
        why: "only some targets of this generated entry changed: give those targets their own entry"
      });
  }
  #isInBlock(block, field) {
    return this.#stage === void 0 && (this.places.attempt(() => this.#inBlocks.inPlace(block, field)) || this.places.attempt(() => this.#inBlocks.inHome(block, field)) || this.places.attempt(() => this.#inBlocks.overTemplate(block, field)));
  }
  #field({ block, addresses }, field) {
    if (this.#isInBlock(block, field) || this.places.attempt(() => this.targets.put(block, field))) return;
    this.unplaced.push({
      addresses,
      why: `\`${field.path.join(".")}\` can be written neither in place nor as a patch`
    });
  }
};

// src/accept/accept.ts
function accept(input, selection) {
  const { written: written2, kinds, plan, desired, live, additions, isTaken: isTaken2 = () => false } = input;
  const taken = takenOver({ plan, desired, live, blocks: written2.blocks, kinds }, selection);
  const placing = new Placing(written2, kinds);
  for (const one of taken.accepted) placing.put(one);
  const added = additions?.size ? addNew(additions, { desired, live, kinds, written: written2, isTaken: isTaken2 }, placing) : void 0;
  placing.finish();
  const files = placing.places.files.flatMap(({ path, name, text: text2, edits }) => {
    const after = edited(text2, edits);
    return after === text2 ? [] : [{ path, name, before: text2, after }];
  });
  for (const { address } of placing.unnamed)
    forget(taken.paths, address, kinds.get(desired.resources.get(address).kind).key);
  const { moves } = placing.patches;
  return {
    ...taken,
    left: [...taken.left, ...placing.unnamed],
    paths: new Map([...taken.paths].map(([address, paths]) => [moved(address, moves), paths])),
    moves,
    files,
    unplaced: placing.unplaced,
    said: placing.said,
    added: added?.sections ?? [],
    ...added ? { exported: added.exported } : {}
  };
}
function forget(paths, address, names) {
  for (const name of names) paths.get(address)?.delete(name);
  if (paths.get(address)?.size === 0) paths.delete(address);
}

// src/accept/order.ts
var import_yaml12 = __toESM(require_dist(), 1);
function ordersIn(changes, {
  desired,
  live,
  kinds
}) {
  const moved2 = changes.filter(({ kind, moves }) => moves && kinds.get(kind).shape.orderDecides);
  return [...groupBy(moved2, ({ kind, parent }) => collectionId(kind, parent)).keys()].map((id) => {
    const declared = [...byCollection(desired.resources).get(id) ?? []].sort((a, b) => a.index - b.index);
    const found = declared.filter(({ address }) => live.resources.has(address));
    const inOrder2 = [...found].sort(
      (a, b) => live.resources.get(a.address).index - live.resources.get(b.address).index
    );
    for (const [at, one] of declared.entries()) {
      if (live.resources.has(one.address)) continue;
      const before = declared[at - 1];
      inOrder2.splice(before ? inOrder2.indexOf(before) + 1 : 0, 0, one);
    }
    return { kind: declared[0].kind, addresses: inOrder2.map(({ address }) => address) };
  });
}
function reorder(orders, written2, kinds) {
  const placing = new Placing(written2, kinds);
  const { places, patches } = placing;
  const refused = orders.filter(({ addresses }) => {
    const permuteAll = (some) => permute(some, written2, places);
    const inLayers = () => {
      const reads = addresses.map((address) => {
        const read2 = written2.blocks.find(({ units }) => units.some((unit) => unit.address === address));
        if (!read2) throw new NotHere();
        return read2;
      });
      const patchFile = (read2) => placing.targets.fileFor(read2);
      orderInLayers(reads, { places, patches, stage: written2.stage, patchFile, permute: permuteAll });
    };
    return !placing.places.attempt(() => permuteAll(addresses)) && !placing.places.attempt(inLayers);
  });
  if (refused.length === 0) patches.write();
  const files = places.files.flatMap(({ path, name, text: text2, edits }) => {
    const after = edited(text2, edits);
    return after === text2 ? [] : [{ path, name, before: text2, after }];
  });
  return { files, refused };
}
function permute(addresses, { blocks, stage }, places) {
  const slots = addresses.map((address) => {
    const read2 = blocks.find(({ units }) => units.some((unit) => unit.address === address));
    const slot = read2 && places.homeOf(read2);
    if (!slot || stage !== void 0 || topKeyOf(slot) === "patches") throw new NotHere();
    return slot;
  });
  const list = slots[0].up;
  if (!(0, import_yaml12.isSeq)(list.node) || slots.some(({ up }) => up !== list)) throw new NotHere();
  const own = itemsIn(list).filter((slot) => slots.includes(slot));
  const { file } = list;
  const stretch = list.node.flow ? inBrackets2 : asLines;
  const before = own.map((slot) => stretch(slot, file, slot === itemsIn(list)[0]));
  const after = slots.map((slot) => before[own.indexOf(slot)]);
  for (const [at, { start, end }] of before.entries()) {
    const to = after[at];
    if (to === before[at]) continue;
    const text2 = file.text.slice(to.start, to.end);
    const isOpen = !text2.endsWith("\n") && !list.node.flow;
    const isLast = end === file.text.length && !file.text.endsWith("\n") && !list.node.flow;
    file.edits.push({
      start,
      end,
      text: `${isOpen && !isLast ? `${text2}
` : isLast ? text2.replace(/\r?\n$/, "") : text2}`
    });
  }
}
var inBrackets2 = ({ node, file }) => ({
  start: node.range[0],
  end: endOf({ node, file })
});
function asLines({ node }, file, isFirst) {
  const dash = file.text.lastIndexOf("-", node.range[0] - 1);
  let start = file.lineStart(dash);
  if (file.text.slice(start, dash).trim() !== "") throw new NotHere();
  while (!isFirst && start > 0) {
    const above = file.lineStart(start - 1);
    if (!/^[ \t]*#/.test(file.text.slice(above, start))) break;
    start = above;
  }
  return { start, end: file.nextLine(endOf({ node, file })) };
}
function orderInLayers(reads, given) {
  const items = reads.map((read2) => itemOf(read2, given));
  const hasTemplates = items.some(({ rank }) => rank === 0);
  const loose = items.filter(({ position }) => !position);
  const isOwnList = given.stage === void 0 && !hasTemplates;
  const moved2 = isOwnList ? [] : outOfOrder(loose);
  if (isOwnList && outOfOrder(loose).length > 0)
    given.permute(loose.map(({ read: read2 }) => read2.units[0].address));
  for (const [at, one] of items.entries()) {
    if (!one.position) continue;
    const isLower = (other) => other.rank <= one.rank && !moved2.includes(other);
    const before = items.slice(0, at).findLast(isLower);
    const isLast = !items.slice(at + 1).some(isLower);
    writePosition(one, one.position, before, isLast);
  }
  for (const one of moved2) putAnew(one, items[items.indexOf(one) - 1], given);
}
var positions = ["$first", "$last", "$before", "$after"];
function itemOf(read2, { places, stage }) {
  const { kind } = read2.block;
  const home = stage === void 0 ? places.homeOf(read2) : void 0;
  const [unit] = read2.units;
  const position = home && positions.flatMap((name) => entryIn(home, name) ?? [])[0];
  return {
    read: read2,
    name: String(unit.fields[kind.key[0]]),
    home,
    rank: home ? rankOf(home, places) : 0,
    position: position && isLiteral(position.node) ? position : void 0,
    index: unit.index
  };
}
function rankOf(home, { files }) {
  if (topKeyOf(home) !== "patches") return 1;
  return 2 + files.indexOf(home.file) + home.node.range[0] / (home.file.text.length + 1);
}
function outOfOrder(items) {
  const best = [];
  for (const [at, one] of items.entries()) {
    const before = best.slice(0, at).filter((run) => run.at(-1).index < one.index);
    const longest = before.reduce((long, run) => run.length > long.length ? run : long, []);
    best.push([...longest, one]);
  }
  const stays = best.reduce((long, run) => run.length > long.length ? run : long, []);
  return items.filter((one) => !stays.includes(one));
}
function writePosition({ home }, slot, before, isLast) {
  const key = textOf(slot.key);
  const value = textOf(slot.node);
  if (before ? key === "$after" && value === escaped(before.name) || key === "$last" && isLast : key === "$first")
    return;
  const { file } = slot;
  const around2 = {
    isFlow: file.isJson || home.node.flow === true,
    isJson: file.isJson
  };
  const [name, words2] = before ? ["$after", escaped(before.name)] : ["$first", true];
  file.edit(slot.key.range[0], slot.key.range[1], keyText(name, around2));
  replaceWith(slot, valueText(words2, around2), file);
}
function putAnew({ read: read2, name }, before, { patches, patchFile }) {
  const { kind, parent, sections } = read2.block;
  if (!parent || sections.length > 0) throw new NotHere();
  const { address } = read2.units[0];
  const file = patchFile(read2);
  patches.drop(file, parent.address, address.slice(parent.address.length + 1));
  const words2 = {
    [kind.key[0]]: escaped(name),
    ...entryWords2(/* @__PURE__ */ new Map(), read2, void 0),
    ...before ? { $after: escaped(before.name) } : { $first: true }
  };
  patches.add(file, parent.address, kind.section, words2);
}

// src/accept/proof.ts
var order = "$order";
function disproved({ plan: before, desired: old }, { plan: after, desired: now }, paths, moves = []) {
  return [
    ...stillDiffering(after, paths),
    ...otherwise(asCalledNow(old, moves), now, paths),
    ...newErrors(before, after)
  ];
}
function stillDiffering({ changes }, paths) {
  return changes.flatMap((change) => {
    const taken = paths.get(change.address);
    if (!taken) return [];
    const open = change.fields.filter((field) => asksForWrite(field) && isTaken(field.path, taken));
    if (open.length > 0)
      return [
        `${change.address} would still be changed: ${open.map(({ path }) => `\`${path}\``).join(", ")}`
      ];
    if (taken.has(order) && change.moves) return [`${change.address} would still be moved`];
    const isOpen = taken.has("") ? sends(change) : change.action === "create" || change.action === "delete";
    return isOpen ? [`${change.address} would still be ${words[change.action] ?? "changed"}`] : [];
  });
}
var words = {
  create: "created",
  delete: "deleted",
  replace: "replaced",
  move: "moved"
};
var sends = ({ action, fields, moves }) => action === "create" || action === "delete" || action === "replace" || moves === true || fields.some(asksForWrite);
var isTaken = (path, taken) => [...taken].some(
  (one) => one === "" || one === path || path.startsWith(`${one}.`) || one.startsWith(`${path}.`)
);
function asCalledNow(desired, moves) {
  if (moves.length === 0) return desired;
  const nameOf = (address) => moved(address, moves);
  const was = new Map(moves.map(({ from, to }) => [to, from]));
  const resources = [...desired.resources.values()].map((one) => {
    const address = nameOf(one.address);
    const old = was.get(address);
    const { dependsOn } = one.meta;
    const meta = {
      ...one.meta,
      ...dependsOn ? { dependsOn: dependsOn.map(nameOf) } : {},
      ...old === void 0 ? {} : { was: old }
    };
    const fields = mapMembers(
      one.fields,
      (value) => mapHoles(value, (hole) => isRef(hole) ? { ...hole, $ref: nameOf(hole.$ref) } : hole)
    );
    return [
      address,
      { ...one, address, fields, meta, ...one.parent ? { parent: nameOf(one.parent) } : {} }
    ];
  });
  return { resources: new Map(resources) };
}
function otherwise({ resources: old }, { resources: now }, paths) {
  const addresses = /* @__PURE__ */ new Set([...old.keys(), ...now.keys()]);
  return [...addresses].sort().flatMap((address) => {
    const taken = paths.get(address);
    if (taken?.has("")) return [];
    const [before, after] = [old.get(address), now.get(address)];
    if (!before || !after) return [`${address} would be ${before ? "removed" : "added"}, too`];
    const names = /* @__PURE__ */ new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
    const differing = [...names].filter(
      (name) => textOf2(before.fields[name]) !== textOf2(after.fields[name]) && ![...taken ?? []].some((path) => path === name || path.startsWith(`${name}.`))
    );
    if (differing.length > 0) return [`${address} would also change: \`${differing.join("`, `")}\``];
    return metaOf(before) === metaOf(after) ? [] : [`${address} would also have different \`$\` keys`];
  });
}
var textOf2 = (value) => canonical(revealed(value ?? null));
var metaOf = ({ meta, parent, kind }) => canonical({ meta: { ...meta }, parent, kind });
var newErrors = (before, after) => {
  const known = new Set(before.diagnostics.map(({ code, message }) => `${code} ${message}`));
  return after.diagnostics.filter(({ severity, code, message }) => severity === "error" && !known.has(`${code} ${message}`)).map(({ message }) => message);
};

// src/cli/accept-additions.ts
async function findAdditions(session, { plan, live }, { named: named2, all, globs }) {
  const [additions, notAdded] = [/* @__PURE__ */ new Set(), []];
  const isNew = globs.length > 0 ? matcherOf(globs) : () => false;
  const isNamed = matcherOf(named2);
  const made = plan.changes.filter(({ exclusive, action }) => exclusive && action === "delete").filter(({ address }) => isNew(address) || all || named2.length > 0 && isNamed(address));
  const found = [
    ...plan.unmanaged.filter(({ address }) => isNew(address)),
    ...made.map(({ address, kind, id = "" }) => ({ address, kind, id }))
  ];
  const ownerOf = ownersIn(await session.others, session.kinds);
  for (const { address, kind, id } of found) {
    const owner = ownerOf({ kind, address, ids: id.split(",") });
    if (owner !== void 0) notAdded.push(`${address} is owned by the stack ${owner}`);
    else if (session.desired.resources.has(address) || !live.resources.has(address))
      notAdded.push(`${address}: it is partly declared; pass it without --new, or add the rest by hand`);
    else additions.add(address);
  }
  const wrong = unmatched(globs, [
    ...found.map(({ address }) => address),
    ...session.desired.resources.keys()
  ]);
  if (wrong.length > 0) throw new Problems(wrong);
  return { additions, notAdded };
}
var entriesOf = (doubtful) => [...groupBy(doubtful, ({ entry, path, address }) => entry ?? `${address} ${path}`).values()].flatMap(
  (alike) => [...groupBy(alike, ({ path }) => path)].map(([path, of]) => {
    const [{ address }] = of;
    const whole2 = wholeAddress(address);
    const places = of.map((one) => placeOf(one.address)).filter((place) => place !== "");
    return { name: places.length > 0 ? `${whole2} [${places.join(", ")}]` : whole2, whole: whole2, path, of };
  })
);
async function allowedValues(doubtful, { values = [], autoApprove = false }, terminal) {
  const allowed = /* @__PURE__ */ new Set();
  const isNamed = matcherOf(values);
  for (const { name, path, of } of entriesOf(doubtful)) {
    const mayWrite = of.every(({ address }) => isNamed(address)) || !autoApprove && terminal.canAsk && await terminal.ask(
      `Write \`${path}\` of ${name} into the configuration, where anyone can read it? It may be a secret. Type \`yes\` to continue: `
    ) === "yes";
    if (mayWrite) for (const one of of) allowed.add(`${one.address} ${one.path}`);
  }
  return allowed;
}

// src/cli/accept-written.ts
var import_write_file_atomic = __toESM(require_lib(), 1);
;
;
async function writtenAnew({ kinds }, files, orders, reload) {
  const first = { files, configuration: await read(files, reload) };
  if (orders.length === 0) return first;
  const { resources } = first.configuration.desired;
  const left = orders.map((one) => ({
    ...one,
    addresses: one.addresses.filter((address) => resources.has(address))
  }));
  const { files: moved2, refused } = reorder(left, first.configuration.written(), kinds);
  if (refused.length > 0)
    throw new Problems(
      refused.map(({ addresses }) => {
        const at = addresses.map((address) => {
          const { file, line } = resources.get(address).at;
          return `${address.slice(address.lastIndexOf("/") + 1)} (${file}:${line})`;
        });
        return problem(
          "accept/order",
          `the order of ${addresses[0].slice(0, addresses[0].lastIndexOf("/"))} cannot be written: its items come from places that have no order among themselves`,
          { hint: `edit it by hand so that the order is ${at.join(", ")}; nothing was written` }
        );
      })
    );
  const all = new Map(files.map((file) => [file.path, file]));
  for (const file of moved2)
    all.set(file.path, { ...file, before: all.get(file.path)?.before ?? file.before });
  return { files: [...all.values()], configuration: await read([...all.values()], reload) };
}
async function read(files, reload) {
  const configuration = await reload(new Map(files.map(({ path, after }) => [path, after])));
  const { diagnostics, notAllowed } = configuration;
  const wrong = [...diagnostics, ...notAllowed].filter(({ severity }) => severity === "error");
  if (wrong.length > 0)
    throw unproven(wrong.map(({ message, at }) => `${message}${at ? ` (${at.file}:${at.line})` : ""}`));
  return configuration;
}
var unproven = (wrong) => new Problems(
  wrong.map(
    (message) => problem("accept/unproven", message, {
      hint: "nothing was written; accept something else, or edit it by hand"
    })
  )
);
function acceptedDiff(files, before, after, allowed) {
  const [old, now] = [masksOf(before), masksOf(after, allowed)];
  const names = (name) => ({ from: name, to: name });
  return files.map(
    (file) => textDiff(
      edited(file.before, old.get(file.name) ?? []),
      edited(file.after, now.get(file.name) ?? []),
      names(file.name)
    )
  ).join("\n");
}
function masksOf(configuration, allowed = /* @__PURE__ */ new Set()) {
  const written2 = configuration.written();
  const found = new Map(
    written2.files.map(({ source }) => [source.file, source.masked()])
  );
  const add = ({ source, start, end }) => found.get(source.file)?.push([start, end]);
  for (const { block, units } of written2.blocks)
    for (const { key, value } of block.own)
      if (units.some(({ address }) => allowed.has(`${address} ${key.text}`))) add(value.at);
  return new Map(
    [...found].map(([file, stretches]) => [
      file,
      apart(stretches).map(([start, end]) => ({ start, end, text: "(secret)" }))
    ])
  );
}
var apart = (stretches) => stretches.sort(([a, b], [c, d]) => a - c || d - b).reduce((kept, [start, end]) => {
  const last = kept.at(-1);
  if (!last || start >= last[1]) kept.push([start, end]);
  else last[1] = Math.max(last[1], end);
  return kept;
}, []);
var atomically = (path, content) => (0, import_write_file_atomic.default)(path, content);
async function writeAll(files, write = atomically) {
  const found = await Promise.all(files.map(async (file) => ({ ...file, bytes: await currentBytes(file) })));
  const written2 = [];
  for (const file of found)
    try {
      await write(file.path, bytesOf(file.after, file.bytes));
      written2.push(file);
    } catch (error) {
      const stuck = [];
      for (const { path, name, bytes } of written2) await write(path, bytes).catch(() => stuck.push(name));
      throw new Problems([
        problem("accept/unwritable", `${file.name} cannot be written: ${systemText(error)}`, {
          hint: stuck.length === 0 ? "all files are as they were" : `${stuck.join(", ")} was already written and cannot be restored: \`git checkout\` it, or keep it`
        })
      ]);
    }
}
async function currentBytes({ path, name, before }) {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw unwritable(name, error.message);
  }
  if (((await stat(path)).mode & 146) === 0) throw unwritable(name, "it is read-only");
  const bytes = await readFile(path);
  if (!bytes.equals(Buffer.from(bytesOf(before, bytes))))
    throw new Problems([
      problem("accept/changed", `${name} changed in the meantime`, {
        hint: "run it again; nothing was written"
      })
    ]);
  return bytes;
}
var unwritable = (name, why) => new Problems([
  problem("accept/unwritable", `${name} cannot be written: ${why}`, { hint: "nothing was written" })
]);
var bytesOf = (text2, bytes) => bytes.subarray(0, 3).equals(Buffer.from("\uFEFF")) ? `\uFEFF${text2}` : text2;

// src/cli/accept.ts
function acceptCommand(command, provider, run) {
  withAccount(command).argument("[addresses...]", "what to accept: addresses or address globs").option("--all", "everything that was changed outside since the last apply").option("--auto-approve", "write without asking").option(
    "--values <address-glob>",
    "write the values of these variables even though they may be secrets; repeatable",
    collect
  ).option(
    "--new <address-glob>",
    "also declare live objects that are not declared yet; repeatable",
    collect
  ).action(
    (addresses, options) => new Accepting(provider, options, addresses, terminalFor(run, options)).run()
  );
}
var Accepting = class {
  #provider;
  #options;
  #addresses;
  #terminal;
  #additions = /* @__PURE__ */ new Set();
  #notAdded = [];
  constructor(provider, options, addresses, terminal) {
    this.#provider = provider;
    this.#options = options;
    this.#addresses = addresses;
    this.#terminal = terminal;
  }
  async run() {
    this.#checkOptions();
    const loaded = await loadFor(this.#provider, this.#options, this.#terminal);
    const session = await openSession(this.#provider, this.#options, this.#terminal, { loaded });
    try {
      session.connection = { ...session.connection, send: readCache(session.connection.send).send };
      await this.#accept(session);
    } finally {
      await session.close();
    }
  }
  #checkOptions() {
    const { all, new: added = [], file = [] } = this.#options;
    if (file.includes(standardInput))
      throw new Problems([
        problem("accept/input", "standard input cannot be written to", { hint: "name the files: -f PATH" })
      ]);
    if (all && this.#addresses.length > 0)
      throw new Problems([problem("cli/options", "--all and addresses exclude each other")]);
    if (!all && this.#addresses.length === 0 && added.length === 0)
      throw new Problems([
        problem("accept/nothing-named", "nothing to accept was named", {
          hint: "name it, as in `trueup accept 'projects/web/**'`, or accept everything that changed outside: `trueup accept --all`"
        })
      ]);
  }
  async #accept(session) {
    const terminal = this.#terminal;
    const planned = await openPlan(session, this.#planning());
    const { plan } = planned;
    const broken = plan.diagnostics.filter(({ code }) => code === "observe/incomplete");
    terminal.err(diagnosticsText(broken, { style: terminal.errStyle }));
    this.#refuseUnmatched(session, planned);
    const { all, new: globs = [] } = this.#options;
    const found = await findAdditions(session, planned, { named: this.#addresses, all, globs });
    this.#additions = found.additions;
    this.#notAdded = found.notAdded;
    const { doubtful } = this.#accepted(session, planned, /* @__PURE__ */ new Set());
    const allowed = await allowedValues(doubtful, this.#options, terminal);
    const result = this.#accepted(session, planned, allowed);
    const orders = this.#orders(session, planned);
    this.#tell(result, this.#asFound(session, planned, result));
    if (result.unplaced.length > 0)
      throw new Problems(
        result.unplaced.map(
          ({ addresses, why }) => problem("accept/unplaced", `${addresses.join(", ")}: ${why}`, {
            hint: "edit it by hand; nothing was written"
          })
        )
      );
    if (result.files.length === 0 && orders.length === 0) {
      terminal.err(
        driftCount(plan) === 0 ? "Nothing was changed outside since the last apply." : "Nothing to accept."
      );
      return;
    }
    const next = await writtenAnew(session, result.files, orders, (texts) => this.#reload(session, texts));
    const paths = new Map(result.paths);
    const { resources } = session.configuration.desired;
    for (const address of addedAddresses(resources, next.configuration.desired.resources, result.added))
      paths.set(address, /* @__PURE__ */ new Set([""]));
    for (const { addresses } of orders)
      for (const address of addresses) paths.set(address, /* @__PURE__ */ new Set([...paths.get(address) ?? [], order]));
    await this.#prove(session, planned, next, paths, result.moves);
    terminal.out(acceptedDiff(next.files, session.configuration, next.configuration, allowed));
    if (!await this.#agreed(next.files)) return;
    await writeAll(next.files);
    terminal.err(`Wrote ${next.files.map(({ name }) => name).join(", ")}.`);
  }
  /** Plans with the objects that are to be declared, too. */
  #planning() {
    const { new: globs } = this.#options;
    const options = planningOf(this.#options, this.#terminal.run.host);
    return globs ? { ...options, also: (kind, parent) => isOnTheWay(kind, parent, globs) } : options;
  }
  /** The orders that are taken over: where somebody names what is in the list, since nobody can tell who changed one. */
  #orders({ kinds, configuration: { desired } }, { plan, live }) {
    const matches = matcherOf(this.#addresses);
    return ordersIn(plan.changes, { desired, live, kinds }).filter(
      ({ addresses }) => this.#addresses.length > 0 && addresses.some(matches)
    );
  }
  #reload = ({ sources }, texts) => load({ ...loadOptions(this.#provider, this.#options, this.#terminal.run), sources, texts });
  #refuseUnmatched({ desired }, { plan }) {
    const known = [...desired.resources.keys(), ...plan.changes.map(({ address }) => address)];
    const wrong = unmatched(this.#addresses, [...known, ...plan.unmanaged.map(({ address }) => address)]);
    if (wrong.length > 0) throw new Problems(wrong);
  }
  #accepted(session, { plan, live }, allowed) {
    const isNamed = this.#addresses.length > 0;
    const matches = matcherOf(this.#addresses);
    const { kinds, configuration } = session;
    const { desired } = configuration;
    return accept(
      {
        plan,
        desired,
        live,
        written: configuration.written(),
        kinds,
        additions: this.#additions,
        isTaken: isTakenOn(session.host)
      },
      {
        isNamed,
        isChosen: (address) => isNamed ? matches(address) : this.#options.all === true,
        mayWrite: (address, path) => allowed.has(`${address} ${path}`)
      }
    );
  }
  /** The fields that are written as they were found, and could hold a secret. */
  #asFound({ kinds }, { live }, { paths }) {
    const isWritten = (address, field) => this.#additions.has(address) || [...paths.get(address) ?? []].some((path) => path === "" || namesIn(path)[0] === field);
    return asFound(live, kinds, isWritten);
  }
  #tell({ left, doubtful, said, exported }, found) {
    const lines = [
      ...writtenAsFound(found),
      ...said,
      ...this.#notAdded,
      ...exported?.notes ?? [],
      ...[...exported?.uses ?? []].map(
        ([name, [use]]) => `${wholeAddress(use)}: its value is not written; set ${exportedEnv(name)} where this is applied`
      ),
      ...entriesOf(doubtful).map(
        ({ name, whole: whole2, path }) => `${name}: \`${path}\` changed but is not written, since it may be a secret: --values '${whole2}'`
      ),
      ...left.map(({ address, why }) => `${wholeAddress(address)}: ${why}`)
    ];
    if (lines.length > 0) this.#terminal.err([...new Set(lines)].join("\n"));
  }
  /** Plans the new texts against the account as it was read. Throws `Problems` where that finds more than nothing. */
  async #prove(session, planned, { configuration }, paths, moves) {
    const { desired } = configuration;
    const proof = await openPlan({ ...session, desired }, this.#planning());
    const wrong = disproved(
      { plan: planned.plan, desired: session.desired },
      { plan: proof.plan, desired },
      paths,
      moves
    );
    if (wrong.length > 0) throw unproven(wrong);
    const { kinds } = session;
    if (this.#options.all)
      for (const { addresses } of ordersIn(proof.plan.changes, { desired, live: proof.live, kinds }))
        this.#terminal.err(
          `${addresses[0]}: the order of its list differs, and who changed it is unknown: trueup accept '${addresses[0]}'`
        );
  }
  #agreed(files) {
    if (this.#options.autoApprove) return true;
    return isYes(this.#terminal, {
      question: `Write ${count(files.length, "file")}?`,
      no: "Nothing was written.",
      unattended: problem(
        "accept/unattended",
        "accept needs a terminal or --auto-approve; nothing was written",
        {
          hint: "pass --auto-approve where the diff is reviewed later, as in a pull request"
        }
      )
    });
  }
};
return{acceptCommand:acceptCommand};})();exports.part_ETBH653B=part_ETBH653B;
