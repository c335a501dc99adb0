"use strict";const part_CV56RMV4=(()=>{// src/config/yaml/source.ts
var quoteWidth = 150;
var mask = "(secret)";
var Source = class {
  file;
  text;
  /** The folder that the file really lies in, where it is one: paths in it start there. */
  folder;
  /** The file could not be parsed, so secrets cannot be told from the rest: lines are quoted without values. */
  broken = false;
  /** It is no text of the configuration itself, as a data file or a file of variables: its values are not known to everybody. */
  isOutside = false;
  /**
   * False for data files and files of variables: their lines are named, and never quoted. Of what stands beside a value nobody knows that
   * it is no secret: no block may have read it.
   */
  isQuoted = true;
  #starts;
  #masks = /* @__PURE__ */ new Map();
  #handedOut = [];
  constructor(file, text, folder) {
    this.file = file;
    this.text = text;
    this.folder = folder;
  }
  /** The place of `offset`; its line is quoted later. */
  position(offset) {
    const within = Math.max(0, Math.min(offset, this.text.length));
    const line = this.#lineOf(within);
    const position = { file: this.file, line, column: within - this.#lineStarts()[line - 1] + 1 };
    this.#handedOut.push({ position, offset });
    return position;
  }
  /** The place of a stretch, with its line, once all is read: what is masked is known by then. */
  quotedPosition(start, end) {
    const line = this.#lineOf(start);
    const lineStart = this.#lineStarts()[line - 1];
    const position = { file: this.file, line, column: start - lineStart + 1 };
    const isOneLine = this.#lineOf(end) === line && end > start;
    return {
      ...position,
      ...isOneLine ? { endColumn: end - lineStart + 1 } : {},
      ...this.#quoted(position)
    };
  }
  /** Keeps the text between two offsets out of every quoted line. */
  mask(start, end) {
    if (this.text === "") return;
    const last = this.#lineOf(Math.max(start, end - 1));
    for (let line = this.#lineOf(start); line <= last; line++) {
      const masks = this.#masks.get(line);
      if (masks) masks.push([start, end]);
      else this.#masks.set(line, [[start, end]]);
    }
  }
  /** True if a stretch is, even in part, kept out of quoted lines. */
  isMasked(start, end) {
    const masks = this.#masks.get(this.#lineOf(Math.max(0, Math.min(start, this.text.length))));
    return masks?.some(([from, to]) => from < end && to > start) ?? false;
  }
  /** The stretches that are kept out of quoted lines, in order and apart. */
  masked() {
    return merged([...this.#masks.values()].flat().map(([start, end]) => [start, end]));
  }
  /** Fills in the lines of all positions handed out so far. */
  quote() {
    for (const [line, masks] of this.#masks) this.#masks.set(line, merged(masks));
    for (const { position } of this.#handedOut) Object.assign(position, this.#quoted(position));
  }
  #quoted({ line, column }) {
    if (!this.isQuoted) return {};
    const starts = this.#lineStarts();
    const lineStart = starts[line - 1] ?? 0;
    const lineEnd = (starts[line] ?? this.text.length + 1) - 1;
    const whole = lineEnd - lineStart <= quoteWidth;
    const start = whole ? lineStart : Math.max(lineStart, lineStart + column - 1 - quoteWidth / 2);
    const end = whole ? lineEnd : Math.min(lineEnd, start + quoteWidth);
    const masks = this.#masks.get(line) ?? [];
    const shownUpTo = (to) => this.broken ? structureOf(this.text.slice(start, to), start === lineStart) : this.#masked(start, to, masks);
    const cut = start > lineStart ? "\u2026" : "";
    const text = `${cut}${shownUpTo(end)}${end < lineEnd ? "\u2026" : ""}`;
    const offset = lineStart + column - 1;
    const [pointed] = masks.find(([from, to]) => from <= offset && offset < to) ?? [offset];
    return {
      text: text.length > quoteWidth + 2 ? `${text.slice(0, quoteWidth)}\u2026` : text,
      caret: cut.length + shownUpTo(Math.max(start, pointed)).length
    };
  }
  /** The offsets at which lines begin; found on demand, since most files have no problem to place. */
  #lineStarts() {
    if (this.#starts) return this.#starts;
    const starts = [];
    for (let at = 0; at !== -1; at = this.text.indexOf("\n", at) + 1 || -1) starts.push(at);
    this.#starts = starts;
    return starts;
  }
  /** The line, from 1, that an offset is in. */
  #lineOf(offset) {
    const starts = this.#lineStarts();
    return Math.max(
      1,
      firstOf(starts, (start) => start > offset)
    );
  }
  #masked(start, end, masks) {
    let shown = "";
    let at = start;
    for (let i = firstOf(masks, ([, to]) => to > start); i < masks.length && masks[i][0] < end; i++) {
      const [from, to] = masks[i];
      shown += printable(this.text.slice(at, Math.max(at, from))) + mask;
      at = to;
    }
    return shown + printable(this.text.slice(Math.min(at, end), end));
  }
};
function merged(masks) {
  const result = [];
  for (const [from, to] of masks.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}
function firstOf(list, isSo) {
  let low = 0;
  for (let high = list.length; low < high; ) {
    const middle = low + high >> 1;
    if (isSo(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
var positionOf = ({ source, start }) => source.position(start);
var printable = (text) => text.replace(/\t/g, " ").replace(/\r$/, "").replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "\uFFFD");
function structureOf(text, fromLineStart) {
  const key = fromLineStart ? /^\s*(?:- +)*(?:[\w.$-]+:(?=\s|$))?/.exec(text)?.[0] ?? "" : "";
  return printable(key + text.slice(key.length).replace(/[^\s[\]{},:"'&*|>?!-]+/g, "\u2026"));
}

return{Source:Source,positionOf:positionOf,structureOf:structureOf};})();exports.part_CV56RMV4=part_CV56RMV4;
const part_XK3EKDRU=(()=>{const {
  Source
}=part_CV56RMV4;const {
  isHole,
  isPlainObject
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed
}=require("./part-80.cjs").part_YNHFC6K5;;
;
;

// src/config/yaml/nodes.ts
var isNode = (part) => part.type !== "secret" && part.type !== "ref" && part.type !== "lookup";
var isNull = (node) => node.type === "scalar" && node.value === null;
var entryOf = (map, key) => map.entries.find((entry) => entry.key.text === key);
function describe(node) {
  if (node.type === "map") return "a map";
  if (node.type === "list") return "a list";
  if (node.type !== "scalar" || typeof node.value === "string") return "a text";
  return node.value === null ? "nothing" : `a ${typeof node.value}`;
}
function nodeOf(value, at) {
  if (value instanceof Sealed || isHole(value)) return { type: "hole", at, hole: value };
  if (Array.isArray(value)) return { type: "list", at, items: value.map((item) => nodeOf(item, at)) };
  if (!isPlainObject(value)) return { type: "scalar", at, text: String(value ?? ""), value };
  const entries = Object.entries(value).map(([name, item]) => ({
    key: { type: "scalar", at, text: name, value: name },
    value: nodeOf(item, at)
  }));
  return { type: "map", at, entries };
}
var nowhere = { source: new Source("", ""), start: 0, end: 0 };
nowhere.source.isOutside = true;
function outsideText(text) {
  let value = text;
  if (text === "true" || text === "false") value = text === "true";
  else if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)) value = Number(text);
  return { type: "scalar", at: nowhere, text, value };
}
function maskNode(node) {
  if (node.type === "list") node.items.forEach(maskNode);
  if (node.type === "map") for (const { value } of node.entries) maskNode(value);
  if (node.type !== "scalar" && node.type !== "expression") return;
  if (node.type === "expression" && node.parts.length > 0 && node.parts.every((part) => typeof part === "object"))
    return;
  for (const { source, start, end } of [node.at, ...node.literals ?? []]) source.mask(start, end);
}
function maskUnread(node) {
  if (node.type === "list") node.items.forEach(maskUnread);
  else if (node.type === "map") {
    for (const { key, value } of node.entries) if (!key.text.startsWith("$")) maskUnread(value);
  } else if (node.type !== "scalar" || !/^\$\{[^}]*\}$/.test(node.text)) maskNode(node);
}
function dataPlaceOf(node) {
  const places = node.type === "scalar" || node.type === "expression" ? node.literals : void 0;
  return places?.find(({ source }) => source !== node.at.source && source.file !== "");
}
var isWritten = (node) => (node.type === "scalar" || node.type === "expression") && [node.at, ...node.literals ?? []].every(({ source }) => !source.isOutside);
var isPoisoned = (node) => node.type === "expression" && node.parts.length === 0;
function sizeOf(node, known = /* @__PURE__ */ new Map()) {
  if (node.type !== "list" && node.type !== "map") return 1;
  const before = known.get(node);
  if (before !== void 0) return before;
  const below = node.type === "list" ? node.items : node.entries.map(({ value }) => value);
  const size = below.reduce((sum, item) => sum + sizeOf(item, known), 1);
  known.set(node, size);
  return size;
}
var maxDepth = 100;
var maxExpansion = 1e5;

return{isNode:isNode,isNull:isNull,entryOf:entryOf,describe:describe,nodeOf:nodeOf,nowhere:nowhere,outsideText:outsideText,maskNode:maskNode,maskUnread:maskUnread,dataPlaceOf:dataPlaceOf,isWritten:isWritten,isPoisoned:isPoisoned,sizeOf:sizeOf,maxDepth:maxDepth,maxExpansion:maxExpansion};})();exports.part_XK3EKDRU=part_XK3EKDRU;
const part_IUECLPFZ=(()=>{// src/config/suggest.ts
function closest(name, candidates) {
  if (name.length > 80) return void 0;
  const wanted = name.toLowerCase();
  let best;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}
function meantBy(name, candidates) {
  const near = closest(name, candidates);
  if (near !== void 0 || name.length < 2) return near;
  const longer = candidates.filter((one) => one.toLowerCase().startsWith(name.toLowerCase()));
  return longer.length === 1 ? longer[0] : void 0;
}
function editDistance(a, b) {
  let before = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, before[j - 2] + 1);
      next.push(cost);
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}
function hintFor(name, valid, what = "valid here") {
  const near = meantBy(name, valid);
  if (near !== void 0) return `did you mean \`${near}\`?`;
  if (valid.length === 0) return void 0;
  const shown2 = valid.slice(0, 12).map((item) => `\`${item}\``);
  return `${what}: ${shown2.join(", ")}${valid.length > shown2.length ? `, and ${valid.length - shown2.length} more` : ""}`;
}
function quoted(name) {
  const short = name.length > 80 ? `${name.slice(0, 80)}\u2026` : name;
  return `\`${short.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "\uFFFD")}\``;
}
function sortDiagnostics(diagnostics) {
  const seen = /* @__PURE__ */ new Set();
  const once = diagnostics.filter(({ code, message, at }) => {
    const identity = JSON.stringify([code, message, at?.file, at?.line, at?.column]);
    return !seen.has(identity) && seen.add(identity);
  });
  return once.sort(
    (a, b) => compare(a.at?.file ?? "", b.at?.file ?? "") || (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0) || compare(a.code, b.code)
  );
}
var compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
var shown = 3;
function oncePerPlace(diagnostics) {
  const groups = /* @__PURE__ */ new Map();
  for (const one of diagnostics) {
    const { code, at, severity } = one;
    const key = at ? `${severity} ${code} ${at.file} ${at.line} ${at.column}` : `${groups.size}`;
    const same = groups.get(key);
    if (same) same.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    const messages = new Set(all.map(({ message: message2 }) => message2));
    const usedBy = [...new Set(all.flatMap(({ address }) => address ?? []))].sort();
    if (usedBy.length < 2) return all.filter(({ message: message2 }) => messages.delete(message2));
    const named = usedBy.slice(0, shown).join(", ");
    const values = messages.size > 1 ? ` with ${messages.size} values` : "";
    const message = `${first.message} (used by ${usedBy.length}${values}: ${named}${usedBy.length > shown ? ", \u2026" : ""})`;
    return [{ ...first, message, ...relatedOf(all) }];
  });
}
function relatedOf(all) {
  const seen = /* @__PURE__ */ new Set();
  const counts = /* @__PURE__ */ new Map();
  const related = all.flatMap(({ related: related2 = [] }) => related2).filter(({ message, at }) => {
    const place = `${message} ${at.file} ${at.line} ${at.column}`;
    const count = counts.get(message) ?? 0;
    if (seen.has(place) || count === shown) return false;
    seen.add(place);
    counts.set(message, count + 1);
    return true;
  });
  return related.length === 0 ? {} : { related };
}

return{closest:closest,meantBy:meantBy,hintFor:hintFor,quoted:quoted,sortDiagnostics:sortDiagnostics,oncePerPlace:oncePerPlace};})();exports.part_IUECLPFZ=part_IUECLPFZ;
const part_GNPU5WKB=(()=>{const {
  InvalidArgumentError,
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const { isAbsolute }=require("node:path");;

// src/cli/options.ts
;
var standard = { parallelism: 10, maxWait: 900 };
var collect = (value, all = []) => [...all, value];
function collectVariable(value, all = {}) {
  const at = value.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be NAME=VALUE.");
  return { ...all, [value.slice(0, at)]: value.slice(at + 1) };
}
var number = (least) => (value) => {
  const given = Number(value);
  if (!Number.isInteger(given) || given < least)
    throw new InvalidArgumentError(`It must be a whole number, at least ${least}.`);
  return given;
};
function withColor(command) {
  return command.addOption(new Option("--color", "use colour")).addOption(new Option("--no-color", "disable colour").default(void 0)).addOption(new Option("--no-unicode", "ASCII only (or TRUEUP_NO_UNICODE=1)").default(void 0));
}
function withConfiguration(command) {
  return withColor(command).option(
    "-f, --file <path>",
    "a configuration file or folder, or `-` for standard input; repeatable (default: trueup.yaml or trueup/)",
    collect
  ).option("--var <name=value>", "set a variable; repeatable", collectVariable).option("--var-file <path>", "set variables from a YAML file; repeatable", collect).option("--stage <stage>", "the stage to use, from the configuration's `stages`");
}
function withConfigurationOf(command) {
  return withSources(withColor(command)).option("--var <name=value>", "set a variable; repeatable", collectVariable).option("--var-file <path>", "set variables from a YAML file; repeatable", collect);
}
var changedSinceOption = () => new Option(
  "--changed-since <ref>",
  "only stacks affected by changes since the merge base with this commit"
);
var workspaceOption = () => new Option(
  "--workspace <folder>",
  "the folder with trueup.workspace.yaml (default: this one or a parent); ledgers and key stay here"
);
function withStacks(command) {
  return command.option("--all", "all stacks of trueup.workspace.yaml, in dependency order").addOption(changedSinceOption()).addOption(workspaceOption());
}
var isOfCommit = (given) => /^[^:]{2,}:./s.test(given) && !isAbsolute(given);
var isOfStacks = ({ all, changedSince }) => all === true || changedSince !== void 0;
function withSources(command) {
  return command.option(
    "--allow-env <name|glob>",
    "allow secrets to be read from this environment variable; repeatable (or TRUEUP_ALLOW_ENV, comma-separated)",
    collect
  ).option(
    "--allow-env-shown <name>",
    "allow a variable (its value is shown) to be read from this environment variable; repeatable",
    collect
  ).option(
    "--allow-files <glob>",
    "allow secrets to be read from files that git does not track; repeatable",
    collect
  ).option(
    "--allow-command <words>",
    "allow this command to run for a secret, for example 'op read op://deploy/*'; repeatable",
    collect
  ).addOption(new Option("--allow-commands", "replaced by --allow-command").hideHelp());
}
var ledgerHelp = "where the ledger is kept: a file, `git`, `git:REMOTE`, or the URL of a store (or TRUEUP_LEDGER; default: .trueup/ledger/STACK.json)";
var ledgerIndexOption = () => new Option(
  "--ledger-index <url>",
  "the document that lists the ledgers of a store over HTTP (or TRUEUP_LEDGER_INDEX)"
);
function withLockWait(command) {
  return command.option(
    "--lock-wait <seconds>",
    "how long to wait while another run holds the ledger",
    number(0),
    0
  );
}
var twinOption = () => new Option("--twin", "use the embedded twin in .trueup/ instead of the platform").conflicts([
  "baseUrl",
  "tokenFile",
  "limits"
]);
function withConnection(command) {
  return command.addOption(twinOption()).option("--base-url <url>", "the API's base URL (or TRUEUP_BASE_URL)").option("--token-file <path>", "read the token from a file (or set TRUEUP_TOKEN)").option("--max-wait <seconds>", "the longest time to wait for a rate limit", number(0), standard.maxWait).option(
    "--limits <url>",
    "the PostgreSQL database by which all runs with this token share its rate limits (or TRUEUP_LIMITS)"
  ).option("--verbose", "also print every request, without secrets");
}
function withScope(command) {
  return withSources(withColor(withConnection(command))).option("--team <slug>", "the team (default: from trueup.yaml)").option("--stage <stage>", "the stage to use, from the configuration's `stages`").addOption(new Option("--personal", "the token's personal account").conflicts("team"));
}
function withStackAccount(command) {
  return withConnection(withSources(withConfiguration(command))).option("--ledger <path>", ledgerHelp).addOption(ledgerIndexOption());
}
function withAccount(command) {
  return withStackAccount(command).option(
    "--parallelism <n>",
    "how many operations to run in parallel",
    number(1),
    standard.parallelism
  );
}

return{standard:standard,collect:collect,number:number,withColor:withColor,withConfiguration:withConfiguration,withConfigurationOf:withConfigurationOf,changedSinceOption:changedSinceOption,workspaceOption:workspaceOption,withStacks:withStacks,isOfCommit:isOfCommit,isOfStacks:isOfStacks,withSources:withSources,ledgerHelp:ledgerHelp,ledgerIndexOption:ledgerIndexOption,withLockWait:withLockWait,withScope:withScope,withStackAccount:withStackAccount,withAccount:withAccount};})();exports.part_GNPU5WKB=part_GNPU5WKB;
