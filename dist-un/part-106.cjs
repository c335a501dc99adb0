"use strict";const part_XLIZT65J=(()=>{// providers/hosting/lookups.ts
var lookups = { team: "GET /v2/teams/{teamId}", user: "GET /v2/user" };

return{lookups:lookups};})();exports.part_XLIZT65J=part_XLIZT65J;
const part_4N2HH7U7=(()=>{// src/model/graph.ts
function topologicalOrder(nodes, needs) {
  const order = [];
  const state = /* @__PURE__ */ new Map();
  for (const root of nodes) {
    if (state.has(root)) continue;
    const stack = [{ node: root, rest: needs(root)[Symbol.iterator]() }];
    state.set(root, "open");
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      const next = top.rest.next();
      if (next.done) {
        state.set(top.node, "done");
        order.push(top.node);
        stack.pop();
      } else if (state.get(next.value) === "open") {
        return {
          cycle: stack.map((frame) => frame.node).slice(stack.findIndex((frame) => frame.node === next.value))
        };
      } else if (!state.has(next.value)) {
        state.set(next.value, "open");
        stack.push({ node: next.value, rest: needs(next.value)[Symbol.iterator]() });
      }
    }
  }
  return { order };
}
function groupBy(items, key) {
  const groups = /* @__PURE__ */ new Map();
  for (const item of items) addTo(groups, key(item), item);
  return groups;
}
function addTo(lists, key, value) {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
var byText = (a, b) => a < b ? -1 : a > b ? 1 : 0;
var byKey = ([a], [b]) => byText(a, b);

return{topologicalOrder:topologicalOrder,groupBy:groupBy,addTo:addTo,byText:byText,byKey:byKey};})();exports.part_4N2HH7U7=part_4N2HH7U7;
const part_HLUFGGLM=(()=>{const {
  atPath,
  holdsSecret,
  isPlainObject,
  isSecret,
  namesIn
}=require("./part-80.cjs").part_DGIOX4B4;;

// src/model/change.ts
var actions = [
  "create",
  "adopt",
  "update",
  "replace",
  "delete",
  "move",
  "release",
  "forget",
  "noop"
];
var fieldCauses = [
  "edit",
  "drift",
  "conflict",
  "unknown",
  "recorded",
  "released",
  "unverified"
];
var isHiddenSide = ({ secret }, value) => value !== void 0 && (secret === true || isSecret(value));
var isHiddenField = (field) => field.secret === true || isSecret(field.after === void 0 ? field.before : field.after);
var grades = ["safe", "disruptive", "destructive", "irreversible"];
var undoable = ["wholly", "but for a value", "no"];
var makesObject = (change) => change?.action === "create" || change?.action === "replace";
var asksForWrite = ({ cause }) => cause === "edit" || cause === "drift" || cause === "conflict" || cause === "unknown" || cause === "unverified";
function keptOf({
  declared = [],
  uncompared = [],
  fields,
  before,
  after
}) {
  if (!after) return [];
  const differing = new Set(fields.map(({ path }) => path));
  return [.../* @__PURE__ */ new Set([...declared, ...uncompared])].sort().flatMap((path) => {
    if (differing.has(path)) return [];
    const value = atPath(after.fields, path);
    const found = before && atPath(before.fields, path);
    const kept = holdsSecret(found) ? found : value;
    return kept === void 0 ? [] : [[path, kept]];
  });
}
function besideOf({ declared = [], uncompared = [], fields, before }) {
  if (!before) return {};
  const named = [...declared, ...uncompared, ...fields.map(({ path }) => path)].map(namesIn);
  return named.reduce(without, before.fields);
}
function without(fields, [name, ...rest]) {
  if (name === void 0 || !Object.hasOwn(fields, name)) return fields;
  const { [name]: value, ...others } = fields;
  if (rest.length === 0) return others;
  if (!isPlainObject(value)) return fields;
  const left = without(value, rest);
  return Object.keys(left).length > 0 ? { ...fields, [name]: left } : others;
}

return{actions:actions,fieldCauses:fieldCauses,isHiddenSide:isHiddenSide,isHiddenField:isHiddenField,grades:grades,undoable:undoable,makesObject:makesObject,asksForWrite:asksForWrite,keptOf:keptOf,besideOf:besideOf};})();exports.part_HLUFGGLM=part_HLUFGGLM;
const part_BACZRMMV=(()=>{// src/model/address.ts
var special = /[/%*?[\]{}()!,@\p{Cc}]/gu;
function escapeName(name) {
  const escaped = (text) => text.replace(
    special,
    (char) => [...new TextEncoder().encode(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("")
  );
  return name.startsWith("@") ? `@${escaped(name.slice(1))}` : escaped(name);
}
function unescapeName(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
var lastNameOf = (address) => unescapeName(address.slice(address.lastIndexOf("/") + 1));
function addressOf(parent, section, names) {
  let address = parent === void 0 ? section : `${parent}/${section}`;
  for (const name of names) address += `/${name}`;
  return address;
}
function isWithin(address, ancestor) {
  return address === ancestor || address.startsWith(`${ancestor}/`);
}
var globOf = (address) => address.replace(/[\\*?[\]{}()!+@|^$]/g, "\\$&");
function byAddress(a, b) {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}
var literally = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

return{escapeName:escapeName,unescapeName:unescapeName,lastNameOf:lastNameOf,addressOf:addressOf,isWithin:isWithin,globOf:globOf,byAddress:byAddress,literally:literally};})();exports.part_BACZRMMV=part_BACZRMMV;
const part_DT2CDXHV=(()=>{const {
  lastNameOf
}=part_BACZRMMV;const {
  groupBy
}=part_4N2HH7U7;;
;

// src/model/resource.ts
var longestWait = 60;
var collectionId = (kind, parent) => `${parent ?? ""}#${kind}`;
function collectionParts(id) {
  const at = id.lastIndexOf("#");
  return [id.slice(0, at) || void 0, id.slice(at + 1)];
}
var standardInput = "-";
var idIn = ({ resources }) => (address) => address.startsWith("#") ? lastNameOf(address) : resources.get(address)?.ids.at(-1);
var emptyLive = () => ({
  resources: /* @__PURE__ */ new Map(),
  complete: /* @__PURE__ */ new Set(),
  unlisted: /* @__PURE__ */ new Set(),
  frozen: /* @__PURE__ */ new Map(),
  blocked: /* @__PURE__ */ new Map(),
  staged: /* @__PURE__ */ new Map(),
  versions: /* @__PURE__ */ new Map(),
  writes: /* @__PURE__ */ new Map(),
  refused: /* @__PURE__ */ new Set(),
  leftOut: /* @__PURE__ */ new Map()
});
var known = /* @__PURE__ */ new WeakMap();
function byCollection(resources) {
  let collections = known.get(resources);
  if (!collections) {
    collections = groupBy(resources.values(), ({ kind, parent }) => collectionId(kind, parent));
    known.set(resources, collections);
  }
  return collections;
}
var allOf = (objects = []) => objects.flatMap((one) => one.alternatives ?? [one]);
var permissions = ["cost", "remove-access"];

return{longestWait:longestWait,collectionId:collectionId,collectionParts:collectionParts,standardInput:standardInput,idIn:idIn,emptyLive:emptyLive,byCollection:byCollection,allOf:allOf,permissions:permissions};})();exports.part_DT2CDXHV=part_DT2CDXHV;
const part_6Z4P2PSD=(()=>{const {
  Sealed
}=require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;;
;

// src/http/settings.ts
function checkBaseUrl(text) {
  const fail = (why, hint) => new Problems([problem("auth/base-url", why, { hint })]);
  if (!URL.canParse(text)) throw fail("the base URL is not a URL", "for example https://api.vercel.com");
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash)
    throw fail(
      `the base URL for ${url.host} has credentials, a query or a fragment`,
      "use only the origin and path; the token is set separately"
    );
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw fail(`the base URL is for ${url.protocol}`, "it must begin with https://");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw fail(
      `the base URL ${url.origin} is not encrypted: anyone in between could read the token`,
      "use https://"
    );
  return url;
}
function checkToken(token) {
  const hint = "use the bare token, without quotes, spaces or line breaks";
  if (token === "") throw new Problems([problem("auth/token", "the token is empty", { hint })]);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new Problems([
      problem("auth/token", "the token contains a space, a line break or another invalid character", {
        hint
      })
    ]);
  return new Sealed(token);
}
var isLoopback = (hostname) => /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

return{checkBaseUrl:checkBaseUrl,checkToken:checkToken,isLoopback:isLoopback};})();exports.part_6Z4P2PSD=part_6Z4P2PSD;
const part_M3ATQ7RN=(()=>{// src/model/system-error.ts
var words = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "part of its path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "it already exists",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  ELOOP: "its symbolic links form a loop",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  EIO: "the disk reported an error"
};
function systemText(error) {
  const { code } = error;
  return code !== void 0 && Object.hasOwn(words, code) ? `${words[code]} (${code})` : error.message;
}

return{systemText:systemText};})();exports.part_M3ATQ7RN=part_M3ATQ7RN;
const part_AQPNOW65=(()=>{const {
  groupBy
}=part_4N2HH7U7;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;;
;

// src/model/wholes.ts
var wholeAddress = (address) => address.replace(/(?<=[^/])@[^/@]*$/, "");
var placeOf = (address) => address.slice(wholeAddress(address).length + 1);
var wholesOf = (changes) => [
  ...groupBy(changes, wholeOf).values()
];
var countOf = (changes) => new Set(changes.map(wholeOf)).size;
var wholes = /* @__PURE__ */ new WeakMap();
function wholeOf(change) {
  const { address, kind, at, id } = change;
  const whole = wholeAddress(address);
  if (whole === address) return address;
  let text = wholes.get(change);
  if (text === void 0) {
    const place = at ? [at.file, at.line, at.column] : id ?? address;
    text = JSON.stringify([whole, kind, place, readAs(change)]);
    wholes.set(change, text);
  }
  return text;
}
var readAs = ({
  action,
  fields,
  grade,
  gradeReason,
  reason,
  outside,
  exclusive,
  moves,
  anew,
  permissions
}) => canonical({ action, fields, grade, gradeReason, reason, outside, exclusive, moves, anew, permissions });

return{wholeAddress:wholeAddress,placeOf:placeOf,wholesOf:wholesOf,countOf:countOf,readAs:readAs};})();exports.part_AQPNOW65=part_AQPNOW65;
const part_P2I66CA3=(()=>{const {
  displayWidth,
  wrap
}=require("./part-80.cjs").part_6VCGJOTY;;

// src/manual/columns.ts
var widest = 100;
var widthOf = ({ width }) => Math.min(widest, width);
var indented = (text, width, by = 2) => wrap(text, width - by).map((line) => " ".repeat(by) + line);
function labelled(rows, width, share = 0.4) {
  const longest = Math.max(0, ...rows.map(({ label }) => displayWidth(label)));
  const column = Math.min(longest + 2, Math.max(12, Math.floor(width * share)));
  return rows.flatMap((row) => rowLines(row, column, width));
}
function rowLines({ label, paint, cells }, column, width) {
  const told = cells.filter(({ text }) => text !== "");
  const [only, ...more] = told;
  const start = Math.max(column, displayWidth(label) + 2);
  if (only && more.length === 0 && start + displayWidth(only.text) <= width)
    return [paint(label) + " ".repeat(start - displayWidth(label)) + painted(only, only.text)];
  const isTight = told.some(
    ({ text }) => text.split(/ +/).some((word) => displayWidth(word) > width - column)
  );
  const isBeside = !isTight && start === column && told.length > 0;
  const indent = isBeside ? column : label.search(/\S|$/) + 4;
  const lines = told.flatMap((cell) => wrap(cell.text, width - indent).map((line) => painted(cell, line)));
  const first = isBeside ? paint(label) + " ".repeat(column - displayWidth(label)) + lines.shift() : paint(label);
  return [first, ...lines.map((line) => " ".repeat(indent) + line)];
}
var painted = ({ paint }, line) => paint?.(line) ?? line;

return{widthOf:widthOf,indented:indented,labelled:labelled};})();exports.part_P2I66CA3=part_P2I66CA3;
const part_J6NNXEVI=(()=>{// src/report/count.ts
var count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
var listed = (items) => items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
function durationText(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1e3);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
function tookText(milliseconds) {
  const tenths = Math.round(Math.max(0, milliseconds) / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(tenths / 10);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

return{count:count,listed:listed,durationText:durationText,tookText:tookText};})();exports.part_J6NNXEVI=part_J6NNXEVI;
const part_LKZTNYVU=(()=>{const {
  countOf,
  wholesOf
}=part_AQPNOW65;;

// src/report/summary-of.ts
function summaryOf(plan) {
  const summary = {
    create: 0,
    adopt: 0,
    adoptAndUpdate: 0,
    update: 0,
    replace: 0,
    delete: 0,
    move: 0,
    release: 0,
    noop: 0,
    renew: 0,
    unmanaged: plan.unmanaged.filter(({ kind }) => !plan.unlisted?.includes(kind)).length
  };
  const sent = sentIn(plan);
  for (const [change] of wholesOf(plan.changes)) {
    const { action, address, renews } = change;
    summary[renews ? "renew" : action === "forget" ? "release" : action]++;
    if (action === "adopt" && sent.has(address)) summary.adoptAndUpdate++;
  }
  return summary;
}
var sentIn = ({ operations }) => new Set(operations.flatMap(({ changes }) => changes));
function carriersIn({ operations }) {
  const carriers = /* @__PURE__ */ new Map();
  for (const operation of operations)
    for (const address of operation.changes) {
      const others = carriers.get(address);
      if (others) others.push(operation);
      else carriers.set(address, [operation]);
    }
  return carriers;
}
var changedText = (count) => count > 0 ? ` (${count} of them changed)` : "";
var most = 999999;
function gitlabReport(plan) {
  const sent = sentIn(plan);
  const number = (...actions) => Math.min(most, countOf(plan.changes.filter(({ action }) => actions.includes(action))));
  const adopted = countOf(
    plan.changes.filter(({ action, address }) => action === "adopt" && sent.has(address))
  );
  return {
    create: number("create", "replace"),
    update: Math.min(most, number("update", "move") + adopted),
    delete: number("delete", "replace")
  };
}

return{summaryOf:summaryOf,sentIn:sentIn,carriersIn:carriersIn,changedText:changedText,gitlabReport:gitlabReport};})();exports.part_LKZTNYVU=part_LKZTNYVU;
