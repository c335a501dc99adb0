"use strict";const part_INBOWXT2=(()=>{const {
  require_dist
}=require("./part-112.cjs").part_55Q3LCS5;const {
  maxDepth,
  maxExpansion
}=require("./part-84.cjs").part_XK3EKDRU;const {
  positionOf
}=require("./part-84.cjs").part_CV56RMV4;const {
  quoted
}=require("./part-84.cjs").part_IUECLPFZ;const {
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;

// src/config/yaml/careful-nodes.ts
var import_yaml2 = __toESM(require_dist(), 1);

// src/config/yaml/node-builder.ts
var import_yaml = __toESM(require_dist(), 1);
var coreTags = /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/;
var stop = /* @__PURE__ */ Symbol("stop");
var NodeBuilder = class {
  #source;
  #problems;
  #anchors = /* @__PURE__ */ new Map();
  #expanded = 0;
  constructor(source, problems) {
    this.#source = source;
    this.#problems = problems;
  }
  document(contents) {
    return this.#build(contents, 1, { source: this.#source, start: 0, end: 0 }).node;
  }
  #spotOf(node) {
    return { source: this.#source, start: node.range?.[0] ?? 0, end: endOf(node) };
  }
  #say(code, message, at, hint) {
    this.#problems.push(problem(code, message, { at: positionOf(at), hint }));
  }
  #build(yaml, depth, missingAt) {
    if (yaml === null) return nothingAt(missingAt);
    const at = this.#spotOf(yaml);
    if ((0, import_yaml.isAlias)(yaml)) return this.#alias(yaml.source, at, depth);
    const anchor = yaml.anchor;
    if (anchor !== void 0) this.#anchors.set(anchor, "open");
    this.#checkTag(yaml, at);
    if (depth > maxDepth) {
      this.#say("yaml/depth", `this is nested more than ${maxDepth} levels deep`, at);
      throw stop;
    }
    const built = (0, import_yaml.isMap)(yaml) ? this.#map(yaml, at, depth) : (0, import_yaml.isSeq)(yaml) ? around(
      yaml.items.map((item) => this.#build(item, depth + 1, at)),
      (items) => ({ type: "list", at, items })
    ) : alone(scalar(yaml, at));
    if (anchor !== void 0) this.#anchors.set(anchor, built);
    return built;
  }
  // The parser knows more tags than the core schema has.
  #checkTag({ tag }, at) {
    if (tag === void 0 || coreTags.test(tag)) return;
    const { code, message, hint } = tellYamlError("TAG_RESOLVE_FAILED");
    const before = this.#source.text.slice(Math.max(0, at.start - 200), at.start);
    const length = /!\S*\s*$/.exec(before)?.[0].length ?? 0;
    this.#say(code, message, { ...at, start: at.start - length }, hint);
  }
  #alias(name, at, depth) {
    const target = this.#anchors.get(name);
    if (target === void 0)
      this.#say(
        "yaml/alias",
        `no anchor ${this.#source.isQuoted ? quoted(name) : "of this name"} is defined before this alias`,
        at
      );
    else if (target === "open")
      this.#say("yaml/alias", `the alias ${quoted(name)} is inside its own anchor`, at);
    else {
      this.#expanded += target.size;
      if (this.#expanded > maxExpansion) {
        this.#say(
          "yaml/alias-limit",
          `the aliases up to here expand to more than ${maxExpansion} values`,
          at
        );
        throw stop;
      }
      if (depth + target.height > maxDepth) {
        this.#say("yaml/depth", `with this alias, values are nested more than ${maxDepth} levels deep`, at);
        throw stop;
      }
      return target;
    }
    return nothingAt(at);
  }
  #map(yaml, at, depth) {
    const own = /* @__PURE__ */ new Map();
    const merged = /* @__PURE__ */ new Map();
    const built = [];
    let merges;
    for (const pair of yaml.items) {
      const key = pair.key && this.#keyOf(pair.key);
      if (!key) {
        this.#say(
          "yaml/key",
          "a key must be plain text",
          pair.key ? this.#spotOf(pair.key) : at,
          "put it in quotes"
        );
        continue;
      }
      const value = placed(this.#build(pair.value, depth + 1, key.at), pair.value, key.at);
      const entry = { key, value: value.node };
      const isMerge = key.text === "<<" && pair.key.type === "PLAIN";
      const first = isMerge ? merges : own.get(key.text);
      if (key.text === "__proto__") this.#say("yaml/key", "this key is not allowed", key.at);
      else if (first)
        this.#problems.push(
          problem("yaml/duplicate-key", `duplicate key ${quoted(key.text)}`, {
            at: positionOf(key.at),
            hint: isMerge ? "merge a list: `<<: [*one, *other]`" : "keep one of the two",
            related: [{ message: "the first one", at: positionOf(first.key.at) }]
          })
        );
      else if (isMerge) {
        merges = entry;
        for (const item of this.#merge(entry))
          if (!merged.has(item.key.text)) merged.set(item.key.text, item);
      } else own.set(key.text, entry);
      built.push(value);
    }
    const entries = [...[...merged.values()].filter(({ key }) => !own.has(key.text)), ...own.values()];
    return around(built, () => ({ type: "map", at, entries }));
  }
  #keyOf(yaml) {
    if ((0, import_yaml.isScalar)(yaml)) return scalar(yaml, this.#spotOf(yaml));
    const target = (0, import_yaml.isAlias)(yaml) ? this.#anchors.get(yaml.source) : void 0;
    return typeof target === "object" && target.node.type === "scalar" ? target.node : void 0;
  }
  #merge({ key, value }) {
    const sources = value.type === "list" ? value.items : [value];
    const maps = sources.filter((item) => item.type === "map");
    if (maps.length < sources.length)
      this.#say(
        "yaml/merge",
        "`<<` must be a map or a list of maps",
        key.at,
        "usually an alias: `<<: *name`"
      );
    return maps.flatMap(({ entries }) => entries);
  }
};
var alone = (node) => ({ node, size: 1, height: 1 });
var nothingAt = (at) => alone({ type: "scalar", at, text: "", value: null });
var around = (built, node) => ({
  node: node(built.map((item) => item.node)),
  size: built.reduce((sum, { size }) => sum + size, 1),
  height: built.reduce((most2, { height }) => Math.max(most2, height), 0) + 1
});
function endOf(node) {
  const last = (0, import_yaml.isCollection)(node) && !node.flow ? node.items.at(-1) : void 0;
  if ((0, import_yaml.isPair)(last)) {
    const { key, value } = last;
    return endOf(!value || isUnwritten(value) ? key : value);
  }
  return last ? endOf(last) : node.range?.[1] ?? 0;
}
var isUnwritten = (node) => (0, import_yaml.isScalar)(node) && node.value === null && node.source === "";
function placed(built, yaml, at) {
  const isWritten = (0, import_yaml.isAlias)(yaml) || built.node.type !== "scalar" || built.node.text !== "" || built.node.value !== null;
  return isWritten ? built : { ...built, node: { ...built.node, at } };
}
function scalar(yaml, at) {
  const value = yaml.value;
  return { type: "scalar", at, value, text: typeof value === "string" ? value : yaml.source ?? "" };
}
var told = {
  BAD_ALIAS: { code: "yaml/alias", message: "this alias cannot be understood" },
  BAD_DQ_ESCAPE: {
    code: "yaml/syntax",
    message: "this is not a valid escape sequence in double quotes",
    hint: "write `\\\\`, or use single quotes"
  },
  BAD_INDENT: {
    code: "yaml/syntax",
    message: "the indentation does not match the surrounding lines",
    hint: "align siblings in the same column; indent bracketed content further than its key"
  },
  BAD_SCALAR_START: {
    code: "yaml/syntax",
    message: "text cannot start with this character",
    hint: "put it in quotes"
  },
  BLOCK_AS_IMPLICIT_KEY: {
    code: "yaml/syntax",
    message: "there is a second `: ` on this line",
    hint: "quote text that contains `: `"
  },
  DUPLICATE_KEY: { code: "yaml/duplicate-key", message: "duplicate key" },
  KEY_OVER_1024_CHARS: { code: "yaml/syntax", message: "this key is too long" },
  MISSING_CHAR: {
    code: "yaml/syntax",
    message: "something is missing here: a `:` after a key, a closing quote or a closing bracket"
  },
  MULTILINE_IMPLICIT_KEY: {
    code: "yaml/syntax",
    message: "a key must be on one line, followed by `:`"
  },
  RESOURCE_EXHAUSTION: { code: "yaml/depth", message: "this is nested too deeply" },
  TAB_AS_INDENT: { code: "yaml/tab", message: "tabs cannot be used for indentation", hint: "use spaces" },
  TAG_RESOLVE_FAILED: {
    code: "yaml/tag",
    message: "custom tags are not supported",
    hint: "remove the `!...`, or quote text that starts with `!`"
  }
};
var tellYamlError = (code) => told[code] ?? { code: "yaml/syntax", message: "this is not valid YAML" };

// src/config/yaml/careful-nodes.ts
var manyErrors = 50;
var bareExpression = {
  code: "yaml/expression",
  message: "in brackets, `${...}` needs quotes",
  hint: 'write "${...}"; `trueup fmt` does this'
};
function carefulNodes(source) {
  const parsed = (0, import_yaml2.parseAllDocuments)(source.text, {
    prettyErrors: false,
    // Our own check names both places; this one takes quadratic time.
    uniqueKeys: false,
    stringKeys: false,
    version: "1.2",
    logLevel: "silent"
  });
  const list = Array.isArray(parsed) ? parsed : [];
  const syntax = list.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  if (syntax.length > 0) source.broken = true;
  const diagnostics = syntax.slice(0, manyErrors).map((error) => {
    const { code, message, hint } = isBareExpression(source.text, error.pos[0]) ? bareExpression : tellYamlError(error.code);
    return problem(code, message, { hint, at: source.position(error.pos[0]) });
  });
  if (source.broken) return { documents: [], diagnostics: onePerLine(diagnostics) };
  const documents = [];
  for (const document of list) {
    if (!document.contents) continue;
    const { node, problems } = toNode(document.contents, source);
    diagnostics.push(...problems);
    if (node) documents.push(node);
  }
  if (diagnostics.length > 0) source.broken = true;
  return { documents: source.broken ? [] : documents, diagnostics };
}
var onePerLine = (diagnostics) => diagnostics.filter((d, i) => diagnostics.findIndex((other) => other.at?.line === d.at?.line) === i);
function toNode(contents, source) {
  const problems = [];
  try {
    return { node: new NodeBuilder(source, problems).document(contents), problems };
  } catch (error) {
    if (error !== stop) throw error;
    return { problems };
  }
}
var isBareExpression = (text, at) => text[at] === "{" && text[at - 1] === "$" || text.startsWith("${", at);
var options = { uniqueKeys: false, stringKeys: false, version: "1.2", logLevel: "silent" };
var most = 1e4;
function quoteExpressions(text) {
  let fixed = text;
  for (let i = 0; i < most; i++) {
    const parsed = (0, import_yaml2.parseAllDocuments)(fixed, { ...options, prettyErrors: false });
    const errors = Array.isArray(parsed) ? parsed.flatMap((document) => document.errors) : [];
    const error = errors.find(({ pos }) => isBareExpression(fixed, pos[0]));
    if (!error) break;
    const next = quotedAt(fixed, error.pos[0]);
    if (next === void 0) break;
    fixed = next;
  }
  return fixed;
}
function quotedAt(text, at) {
  let start = at;
  while (start > 0 && !"[{,\n".includes(text[start - 1]) && !/[:?-]\s/.test(text.slice(start - 1, start + 1))) {
    start--;
    if (text[start] === "{" && text[start - 1] !== "$") return void 0;
  }
  start += /^\s*/.exec(text.slice(start, at))[0].length;
  let end = start;
  while (end < text.length && !",]}\n".includes(text[end])) {
    if (!text.startsWith("${", end)) {
      end++;
      continue;
    }
    const close = text.indexOf("}", end);
    if (close === -1 || text.slice(end, close).includes("\n")) return void 0;
    end = close + 1;
  }
  const scalar2 = text.slice(start, end).trimEnd();
  if (!scalar2.includes("${") || /^["']/.test(scalar2)) return void 0;
  return text.slice(0, start) + JSON.stringify(scalar2) + text.slice(start + scalar2.length);
}

return{carefulNodes:carefulNodes,quoteExpressions:quoteExpressions};})();exports.part_INBOWXT2=part_INBOWXT2;
const part_M7KTYLXY=(()=>{const {
  carefulNodes,
  quoteExpressions
}=part_INBOWXT2;const {
  require_dist
}=require("./part-112.cjs").part_55Q3LCS5;const {
  Source
}=require("./part-84.cjs").part_CV56RMV4;const {
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;

// src/config/format/format-yaml.ts
var import_yaml3 = __toESM(require_dist(), 1);

// src/config/format/layout.ts
var import_yaml = __toESM(require_dist(), 1);
var emptyNode = () => ({ props: [], before: [] });
function scalarLines(token) {
  const [first, ...rest] = requoted(token).split("\n");
  if (rest.length === 0) return [first];
  const trimmed = [first, ...rest.map((line) => line.replace(/^[ \t]+/, ""))];
  return trimmed.map(
    (line, at) => at === trimmed.length - 1 ? line : line.replace(/((?:^|[^\\])(?:\\\\)*(?:\\[ \t])?)[ \t]*$/, "$1")
  );
}
function scalarOnOneLine(token) {
  const lines = scalarLines(token);
  if (lines.length === 1) return lines[0];
  const value = textOf(token);
  if (token.type === "scalar" && !value.includes("\n")) return lines.join(" ");
  return new import_yaml.Document(value).toString({ defaultStringType: "QUOTE_DOUBLE", lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity }).trimEnd();
}
function blockScalarLines({ props, source, indent: outer }, indent) {
  const tokenOf = (type) => props.find((prop) => prop.type === type)?.source;
  const [, style = "|", flags = ""] = /^([|>])(.*)$/.exec(tokenOf("block-scalar-header") ?? "") ?? [];
  const digit = /[1-9]/.exec(flags)?.[0];
  const chomp = /[-+]/.exec(flags)?.[0] ?? "";
  const written = source.split("\n");
  const isBlank = (line) => /^ *$/.test(line);
  const first = written.find((line) => !isBlank(line));
  const depth = digit ? Math.max(outer, 0) + Number(digit) : first === void 0 ? Number.POSITIVE_INFINITY : /^ */.exec(first)[0].length;
  const isEmpty = (line) => isBlank(line) && line.length <= depth;
  if (isEmpty(written.at(-1))) written.pop();
  if (chomp === "+" && written.length === 0 && source !== "") written.push("");
  const count = written.length;
  while (chomp !== "+" && written.length > 0 && isEmpty(written.at(-1))) written.pop();
  const lines = written.map((line) => isEmpty(line) ? "" : " ".repeat(indent) + line.slice(depth));
  const comment = tokenOf("comment");
  return {
    header: `${style}${digit ? 2 : ""}${chomp}${comment === void 0 ? "" : ` ${comment.trimEnd()}`}`,
    lines,
    hasBlankBehind: written.length < count
  };
}
var textOf = (token) => import_yaml.CST.resolveAsScalar(token)?.value ?? "";
function requoted(token) {
  const { type, source } = token;
  const inner = source.slice(1, -1);
  if (type === "single-quoted-scalar") {
    const text = inner.replaceAll("''", "'");
    if (!/["\\]/.test(text)) return `"${text}"`;
    return text.includes("'") && !text.includes("\n") ? `"${text.replace(/["\\]/g, "\\$&")}"` : source;
  }
  if (type !== "double-quoted-scalar") return source;
  const isWritableInSingle = /^(?:[^'\\\n]|\\["\\])*$/.test(inner) && /\\/.test(inner);
  return isWritableInSingle ? `'${inner.replace(/\\(["\\])/g, "$1")}'` : source;
}
function oneLine(content) {
  if (content.type === "scalar")
    return content.token.type === "block-scalar" ? void 0 : scalarOnOneLine(content.token);
  if (!content.isFlow) return void 0;
  const entries = content.entries.map(entryOnOneLine);
  if (entries.includes(void 0)) return void 0;
  if (content.type === "list") return `[${entries.join(", ")}]`;
  return entries.length > 0 ? `{ ${entries.join(", ")} }` : "{}";
}
function nodeOnOneLine({ props, head, before, content, trailing }) {
  if (head !== void 0 || trailing !== void 0 || before.some((line) => line !== "blank"))
    return void 0;
  if (!content) return props.join(" ");
  const text = oneLine(content);
  return text === void 0 ? void 0 : [...props, text].join(" ");
}
var colonBehind = ({ content, props }) => content ? content.type === "scalar" && content.token.type === "alias" ? " :" : ":" : props.length > 0 ? " :" : ":";
function entryOnOneLine({ lead, key, value }) {
  if (lead.some((line) => line !== "blank")) return void 0;
  const [name, text] = [key, value].map((node) => node ? nodeOnOneLine(node) : "");
  if (name === void 0 || text === void 0) return void 0;
  if (!key) return text;
  if (!value) return name;
  return `${name}${colonBehind(key)}${text && ` ${text}`}`;
}
var width = 100;
var hasLines = ({ head, before }) => head !== void 0 || before.some((line) => line !== "blank");
function opened(node, start, inner) {
  const { content, head, before, trailing } = node;
  if (!content || content.type === "scalar" || !content.isFlow) return node;
  const written = content.entries.filter(({ key, value }) => key || value);
  if (written.length === 0) {
    const comments = content.entries.flatMap(({ lead }) => lead).filter((line) => line !== "blank");
    return { ...node, before: [...before, ...comments], content: { ...content, entries: [] } };
  }
  const text = oneLine(content);
  const column = hasLines(node) ? inner : start === "" ? 0 : start.length + 1;
  if (text !== void 0 && column + text.length <= width) return node;
  const block = { ...node, content: { ...content, isFlow: false } };
  if (trailing === void 0) return block;
  return {
    ...block,
    ...head === void 0 ? { head: trailing } : { before: [{ comment: trailing, indent: inner }, ...before] },
    trailing: void 0
  };
}

// src/config/format/read-layout.ts
var import_yaml2 = __toESM(require_dist(), 1);

// src/config/format/token-walk.ts
var TokenWalk = class {
  /** Comments on lines of their own, and blank lines. */
  pending = [];
  #isLineStart = true;
  /** Blank lines and comments become pending, but for the comments that the sink takes. */
  over(tokens, sink = {}) {
    for (const { type, source, indent } of tokens) {
      if (type === "space" || type === "byte-order-mark" || type === "doc-mode") continue;
      if (type === "newline") {
        if (this.#isLineStart) this.pending.push("blank");
        this.#isLineStart = true;
        continue;
      }
      if (type === "comment") {
        const comment = source.trimEnd();
        if (this.#isLineStart || !sink.comment?.(comment)) this.pending.push({ comment, indent });
      } else if (type === "anchor" || type === "tag") sink.prop?.(source);
      else sink.indicator?.(type);
      this.#isLineStart = false;
    }
  }
  /** The line goes on behind something that is no token of its own. */
  behindText() {
    this.#isLineStart = false;
  }
  behindBlockScalar(token) {
    this.#isLineStart = true;
    if (blockScalarLines(token, 0).hasBlankBehind) this.pending.push("blank");
  }
  /** Takes the tokens between an indicator and its content. */
  into(node, tokens) {
    const kept2 = this.take();
    this.over(tokens, {
      prop: (text) => node.props.push(text),
      comment: (text) => this.pending.length === 0 && takeHead(node, text)
    });
    node.before = node.before.concat(this.take());
    this.pending = kept2;
  }
  /** Gives back the lines behind an empty value that are indented less than its collection: they are about what follows. */
  giveBack(node, indent) {
    if (!node.content) this.pending = [...node.before.splice(endOf(node.before, indent)), ...this.pending];
  }
  take() {
    return this.pending.splice(0);
  }
  /** The pending lines that stand further in than `indent`, up to the first that does not. */
  takeInside(indent) {
    return this.pending.splice(0, endOf(this.pending, indent));
  }
};
function takeHead(node, text) {
  if (node.head !== void 0) return false;
  node.head = text;
  return true;
}
function takeTrailing(node, text) {
  if (node.trailing !== void 0) return false;
  node.trailing = text;
  return true;
}
function endOf(lines, indent) {
  const at = lines.findIndex((line) => line !== "blank" && line.indent <= indent);
  let end = at < 0 ? lines.length : at;
  while (end > 0 && lines[end - 1] === "blank") end--;
  return end;
}

// src/config/format/read-layout.ts
function readLayout(text) {
  const parts = [];
  const walk = new TokenWalk();
  const flush = () => {
    const lines = walk.take();
    if (lines.length > 0) parts.push({ type: "lines", lines });
  };
  const behindMarker = (comment) => {
    const last = parts.at(-1);
    if (last?.type !== "marker" || last.comment !== void 0) return false;
    last.comment = comment;
    return true;
  };
  const mark = (text2) => {
    flush();
    const marker = { type: "marker", text: text2 };
    parts.push(marker);
    walk.behindText();
    return marker;
  };
  for (const token of tokensOf(text)) {
    if (token.type === "document") {
      const at = token.start.findIndex(({ type }) => type === "doc-start");
      walk.over(token.start.slice(0, at + 1), { comment: behindMarker });
      const marker = at >= 0 ? mark("---") : void 0;
      flush();
      const node = emptyNode();
      parts.push({ type: "root", node });
      walk.into(node, token.start.slice(at + 1));
      if (marker && node.props.length === 0) {
        marker.comment = node.head;
        delete node.head;
      }
      readContent(walk, node, token.value, nowhere);
      walk.giveBack(node, nowhere);
      walk.over(token.end ?? [], { comment: (text2) => takeTrailing(node, text2) });
    } else if (token.type === "directive") mark(token.source.trimEnd());
    else if (token.type === "doc-end") {
      mark(token.source.trimEnd());
      walk.over(token.end ?? [], { comment: behindMarker });
    } else walk.over([token], { comment: behindMarker });
  }
  flush();
  return parts;
}
function* tokensOf(text) {
  const parser = new import_yaml2.Parser();
  let previous = "";
  for (const lexeme of new import_yaml2.Lexer().lex(text)) {
    const isMarker = lexeme === "---" || lexeme === "...";
    if (isMarker && previous !== import_yaml2.CST.DOCUMENT && previous !== import_yaml2.CST.SCALAR) yield* parser.end();
    yield* parser.next(lexeme);
    previous = lexeme;
  }
  yield* parser.end();
}
var nowhere = -1;
function readContent(walk, node, token, indent) {
  if (!token) return;
  const behind = { comment: (text) => takeTrailing(node, text) };
  if (token.type === "block-map" || token.type === "block-seq") node.content = readBlock(walk, token, indent);
  else if (token.type === "flow-collection") {
    node.content = readFlow(walk, token, node);
    walk.over(token.end, behind);
  } else {
    const scalar = token;
    node.content = { type: "scalar", token: scalar };
    if (scalar.type === "block-scalar") walk.behindBlockScalar(scalar);
    else {
      walk.behindText();
      walk.over(scalar.end ?? [], behind);
    }
  }
}
function readBlock(walk, token, outer) {
  const entries = token.items.flatMap((item) => readBlockEntry(walk, item, token));
  const inside = walk.takeInside(token.indent === outer ? token.indent : token.indent - 1);
  if (inside.length > 0) entries.push({ lead: inside });
  return { type: token.type === "block-map" ? "map" : "list", isFlow: false, entries };
}
function readBlockEntry(walk, { start, key, sep, value }, { type, indent }) {
  const isList = type === "block-seq";
  const at = start.findIndex((one) => one.type === "seq-item-ind" || one.type === "explicit-key-ind");
  const first = emptyNode();
  if (at >= 0) walk.over(start.slice(0, at + 1));
  else walk.over(start, { prop: (text) => first.props.push(text) });
  if (at < 0 && !key && !sep && !value && first.props.length === 0) return [];
  const lead = walk.take();
  if (at >= 0) walk.into(first, start.slice(at + 1));
  readContent(walk, first, isList ? value : key, indent);
  walk.giveBack(first, indent);
  if (isList) return [{ lead, value: first }];
  if (!hasColon(sep)) {
    walk.over(sep ?? [], { comment: (text) => takeTrailing(first, text) });
    return [{ lead, key: first }];
  }
  const behind = readColon(walk, sep, lead);
  readContent(walk, behind, value, indent);
  walk.giveBack(behind, indent);
  return [{ lead, key: first, value: behind }];
}
function readFlow(walk, token, owner) {
  const kept2 = walk.take();
  const isList = token.start.type === "flow-seq-start";
  const entries = [];
  walk.behindText();
  for (const { start, key, sep, value } of token.items) {
    const first = emptyNode();
    const last = entries.at(-1)?.value ?? entries.at(-1)?.key;
    let isPair = hasColon(sep);
    walk.over(start, {
      prop: (text) => first.props.push(text),
      indicator: (type) => {
        isPair ||= type === "explicit-key-ind";
      },
      comment: (text) => last ? takeTrailing(last, text) : takeHead(owner, text)
    });
    if (!key && !isPair && !value && first.props.length === 0) continue;
    const lead = walk.take();
    readContent(walk, first, isPair ? key : key ?? value, nowhere);
    const behind = hasColon(sep) ? readColon(walk, sep, lead) : void 0;
    if (behind) readContent(walk, behind, value, nowhere);
    else walk.over(sep ?? [], { comment: (text) => takeTrailing(first, text) });
    const pair = { lead, key: first, ...behind ? { value: behind } : {} };
    entries.push(!isList ? pair : { lead, value: isPair ? mapOf({ ...pair, lead: [] }) : first });
  }
  const rest = walk.take();
  if (rest.some((line) => line !== "blank")) entries.push({ lead: rest });
  walk.behindText();
  walk.pending = kept2;
  return { type: isList ? "list" : "map", isFlow: true, entries };
}
var mapOf = (pair) => ({
  ...emptyNode(),
  content: { type: "map", isFlow: true, entries: [pair] }
});
var hasColon = (tokens = []) => tokens.some(({ type }) => type === "map-value-ind");
function readColon(walk, tokens, lead) {
  const at = tokens.findIndex(({ type }) => type === "map-value-ind");
  walk.over(tokens.slice(0, at + 1));
  lead.push(...walk.take());
  const node = emptyNode();
  walk.into(node, tokens.slice(at + 1));
  return node;
}

// src/config/format/format-yaml.ts
function formatYaml(written) {
  const source = new Source(written.file, quoteExpressions(written.text));
  const before = contentOf(source);
  if (before.diagnostics.length > 0) {
    source.quote();
    return { diagnostics: before.diagnostics };
  }
  const end = /^[^\n]*\r\n/.test(source.text) ? "\r\n" : "\n";
  const formatted = printLayout(readLayout(source.text.replaceAll("\r\n", "\n")));
  const text = formatted.replaceAll("\n", end);
  const after = contentOf(new Source(source.file, text));
  if (after.content === before.content) return { text };
  return {
    diagnostics: [
      problem(
        "fmt/unfaithful",
        `formatting would change what ${source.file} means, so it was left unchanged`,
        {
          at: { file: source.file, line: 1, column: 1 },
          hint: "this is a bug in trueup: please report it with the part of the file that causes it"
        }
      )
    ]
  };
}
function contentOf(source) {
  const { documents, diagnostics } = carefulNodes(source);
  if (diagnostics.length > 0) return { content: "", diagnostics };
  return { content: JSON.stringify([documents.map(plainOf), besideValues(source.text)]), diagnostics };
}
function plainOf(node) {
  if (node.type === "list") return node.items.map(plainOf);
  if (node.type === "map")
    return { map: node.entries.map(({ key, value }) => [plainOf(key), plainOf(value)]) };
  return node.type === "scalar" ? { text: node.text, value: node.value } : node;
}
var kept = ["comment", "anchor", "alias", "tag", "doc-start", "doc-end", "directive-line"];
function besideValues(text) {
  const found = [];
  let scalars = 0;
  let isScalar = false;
  for (const lexeme of new import_yaml3.Lexer().lex(text)) {
    const type = isScalar ? "scalar" : import_yaml3.CST.tokenType(lexeme) ?? "";
    if (kept.includes(type)) found.push(lexeme.trimEnd());
    else if (type.endsWith("scalar") && lexeme !== import_yaml3.CST.SCALAR) scalars++;
    isScalar = lexeme === import_yaml3.CST.SCALAR;
  }
  return { kept: found.sort(), scalars };
}
var step = 2;
var longestKey = 1e3;
function printLayout(parts) {
  const printer = new Printer();
  for (const part of parts) printer.part(part);
  return printer.lines.map((line) => `${line}
`).join("");
}
var Printer = class {
  lines = [];
  #isBlankDue = false;
  /** Nothing stands yet in the block that was opened last, so a blank line would not be between two things. */
  #isOpening = true;
  /** Stands in for the indentation of the next line: a `- ` whose map or list begins on the same line. */
  #open;
  part(part) {
    if (part.type === "lines") this.#comments(part.lines, 0);
    else if (part.type === "marker") {
      this.#push(withComment(part.text, part.comment));
      this.#isOpening = part.text === "---";
    } else this.#node("", part.node, -step);
  }
  #push(lines) {
    this.#blank();
    this.#isOpening = false;
    for (const line of [lines].flat()) this.lines.push(line);
  }
  #blank() {
    if (this.#isBlankDue && !this.#isOpening) this.lines.push("");
    this.#isBlankDue = false;
  }
  #indentation(indent) {
    const open = this.#open;
    this.#open = void 0;
    return open ?? blanks(indent);
  }
  #comments(lines, indent) {
    for (const line of lines)
      if (line === "blank") this.#isBlankDue = true;
      else this.#push(this.#indentation(indent) + line.comment);
  }
  /** A node behind a prefix that begins in column `indent`. What does not fit there goes below, two columns further in. */
  #node(prefix, written, indent, isItem = false) {
    const node = opened(written, joined(prefix, ...written.props), indent + step);
    const { content } = node;
    if (content?.type === "scalar") this.#scalar(prefix, node, content.token, indent);
    else if (content && !content.isFlow) this.#block(prefix, node, content, indent, isItem);
    else {
      const start = this.#start(prefix, node, indent);
      const text = content ? oneLine(content) : void 0;
      if (text !== void 0 || start.trim() !== "")
        this.#push(withComment(joined(start, text ?? ""), node.trailing));
    }
  }
  /** The beginning of the content's first line, once what stands between the prefix and it has lines of its own. */
  #start(prefix, node, indent) {
    if (!hasLines(node)) return joined(prefix, ...node.props);
    this.#above(prefix, node, indent);
    return blanks(indent + step);
  }
  #above(prefix, { props, head, before }, indent) {
    const start = withComment(joined(prefix, ...props), head);
    if (start !== "") {
      this.#push(start);
      this.#isOpening = true;
    }
    this.#comments(before, indent + step);
  }
  #scalar(prefix, node, token, indent) {
    const start = this.#start(prefix, node, indent);
    const inner = Math.max(step, indent + step);
    if (token.type === "block-scalar") {
      const { header, lines: lines2 } = blockScalarLines(token, inner);
      this.#push([joined(start, header), ...lines2]);
      return;
    }
    const [first, ...rest] = scalarLines(token);
    const isMarker = start === "" && /^(---|\.\.\.)/.test(first);
    const lines = [
      joined(isMarker ? blanks(step) : start, first),
      ...rest.map((line) => line && blanks(inner) + line)
    ];
    lines.push(withComment(lines.pop(), node.trailing));
    this.#push(lines);
  }
  #block(prefix, node, { type, entries }, indent, isItem) {
    const beginsWithComment = entries[0]?.lead.some((line) => line !== "blank");
    if (isItem && node.props.length === 0 && !hasLines(node) && !beginsWithComment) {
      this.#blank();
      this.#isOpening = true;
      this.#open = `${prefix} `;
    } else this.#above(prefix, node, indent);
    for (const entry of entries) this.#entry(entry, type, indent + step);
  }
  #entry({ lead, key, value }, type, indent) {
    this.#comments(lead, indent);
    const name = key && nodeOnOneLine(key);
    if (type === "list") {
      if (value) this.#node(`${this.#indentation(indent)}-`, value, indent, true);
    } else if (key && name !== void 0 && canBeFirst(name, indent))
      this.#node(`${this.#indentation(indent)}${name}${colonBehind(key)}`, value ?? nothing, indent);
    else if (key) {
      this.#node(`${this.#indentation(indent)}?`, key, indent, true);
      if (value) this.#node(`${this.#indentation(indent)}:`, value, indent, true);
    }
  }
};
var nothing = { props: [], before: [] };
var blanks = (count) => " ".repeat(Math.max(0, count));
var withComment = (text, comment) => comment === void 0 ? text : text === "" ? comment : `${text}${text.endsWith(" ") ? "" : " "}${comment}`;
var canBeFirst = (name, indent) => name.length <= longestKey && (indent > 0 || !/^(---|\.\.\.)[ \t]/.test(name));
function joined(start, ...parts) {
  const rest = parts.filter((part) => part !== "").join(" ");
  if (rest === "") return start;
  return start === "" || start.endsWith(" ") ? start + rest : `${start} ${rest}`;
}

return{formatYaml:formatYaml};})();exports.part_M7KTYLXY=part_M7KTYLXY;
const part_OFP4JLJK=(()=>{const {
  carefulNodes,
  quoteExpressions
}=part_INBOWXT2;require("./part-112.cjs").part_55Q3LCS5;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
return{carefulNodes:carefulNodes,quoteExpressions:quoteExpressions};})();exports.part_OFP4JLJK=part_OFP4JLJK;
