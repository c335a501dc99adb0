"use strict";const part_7DPEZD4R=(()=>{const {
  require_dist
}=require("./part-112.cjs").part_55Q3LCS5;const {
  mapBlocks,
  mapSections
}=require("./part-105.cjs").part_EABJC5VV;const {
  nodeOf,
  nowhere
}=require("./part-84.cjs").part_XK3EKDRU;const {
  positionOf
}=require("./part-84.cjs").part_CV56RMV4;const {
  Sealed
}=require("./part-80.cjs").part_YNHFC6K5;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;

// src/config/render/render.ts
var import_yaml = __toESM(require_dist(), 1);
function render({ desired, platform, rendered }, options = {}) {
  const { keep } = options;
  const parts = rendered();
  const sections = parts.sections.map(({ kind, section }) => ({
    kind,
    node: keep ? kept(kind, section, void 0, parts, keep) : section
  })).flatMap(({ kind, node }) => node ? [entry(kind.section, node)] : []).sort((a, b) => a.key.text < b.key.text ? -1 : 1);
  if (keep) return printEntries(sections, options);
  const header = [
    entry("stack", nodeOf(desired.stack, nowhere)),
    ...platform ? [entry("platform", nodeOf({ ...platform }, nowhere))] : [],
    ...desired.allow ? [entry("$allow", nodeOf([...desired.allow], nowhere))] : [],
    ...desired.owns ? [entry("owns", nodeOf([...desired.owns], nowhere))] : [],
    ...parts.secrets.entries.length > 0 ? [entry("secrets", parts.secrets)] : [],
    ...parts.lookups.size > 0 ? [entry("lookups", nodeOf(writtenLookups(parts.lookups), nowhere))] : []
  ];
  return printEntries([...header, ...sections], options);
}
var writtenLookups = (lookups) => Object.fromEntries(
  [...lookups].map(([name, { lookup, where }]) => [name, { [lookup]: Object.fromEntries(where) }])
);
var entry = (name, value) => ({
  key: { type: "scalar", at: nowhere, text: name, value: name },
  value
});
function kept(kind, section, around, rendered, keep) {
  const left = mapBlocks(kind, section, around, (block, place) => {
    if (keep(place.address)) return block;
    if (block.type !== "map") return void 0;
    const inside = mapSections(
      rendered.childrenOf(kind),
      block,
      (child, inner) => kept(child, inner, place, rendered, keep),
      () => void 0
    );
    return inside.entries.length > 0 ? inside : void 0;
  });
  if (kind.key.length === 0) return left;
  const parts = left?.type === "map" ? left.entries : left?.type === "list" ? left.items : [];
  return parts.length > 0 ? left : void 0;
}
var belowAny = (matches) => (address) => {
  const parts = address.split("/");
  return parts.some((_, i) => matches(parts.slice(0, i + 1).join("/")));
};
var width = 80;
function printEntries(entries, options = {}) {
  const lines = [];
  new Printer(lines, options).entries(entries, "");
  return lines.map((line) => `${line}
`).join("");
}
var Printer = class {
  #lines;
  #options;
  constructor(lines, options) {
    this.#lines = lines;
    this.#options = options;
  }
  entries(entries, indent, lead = indent) {
    entries.forEach(({ key, value }, i) => {
      this.#value(`${i === 0 ? lead : indent}${nameText(key, false)}:`, value, indent);
    });
  }
  #value(head, node, indent) {
    const inner = `${indent}  `;
    if (node.type === "map" && node.entries.length > 0) {
      this.#lines.push(head);
      this.entries(node.entries, inner);
    } else if (node.type === "list" && node.items.length > 0 && !isShort(node, this.#options)) {
      this.#lines.push(head);
      this.#items(node.items, inner);
    } else this.#line(head, node, inner);
  }
  #items(items, indent) {
    for (const item of items) {
      if (item.type === "map" && item.entries.length > 0)
        this.entries(item.entries, `${indent}  `, `${indent}- `);
      else if (item.type === "list" && item.items.length > 0 && !isShort(item, this.#options)) {
        this.#lines.push(`${indent}-`);
        this.#items(item.items, `${indent}  `);
      } else this.#line(`${indent}-`, item, `${indent}  `);
    }
  }
  #line(head, node, indent) {
    const [first, ...more] = textOf(node, false, this.#options).split("\n");
    const origin = this.#options.origins ? originOf(node) : void 0;
    this.#lines.push(`${head} ${first}${origin === void 0 ? "" : `  # ${origin}`}`);
    for (const line of more) this.#lines.push(line === "" ? "" : `${indent}${line.replace(/^ {2}/, "")}`);
  }
};
var originOf = ({ at }) => {
  if (at.source.file === "") return void 0;
  const { file, line } = positionOf(at);
  return `${file}:${line}`;
};
var isShort = (list, options) => list.items.every((item) => item.type !== "map" && item.type !== "list") && textOf(list, true, options).length <= width;
function textOf(node, isFlow, options) {
  if (node.type === "list") return `[${node.items.map((item) => textOf(item, true, options)).join(", ")}]`;
  if (node.type === "map") {
    const entries = node.entries.map(
      ({ key, value }) => `${nameText(key, true)}: ${textOf(value, true, options)}`
    );
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  }
  const secret = options.secret ?? (() => "(secret)");
  if (node.type === "hole")
    return secret(node.hole instanceof Sealed ? node.hole.reveal() : JSON.stringify(node.hole));
  if (node.at.source.isMasked(node.at.start, node.at.end))
    return secret(node.type === "expression" ? expressionText(node) : node.text);
  if (node.type === "expression") return stringText(expressionText(node), isFlow);
  if (typeof node.value === "string") return stringText(escaped(node.value), isFlow);
  return node.text === "" ? "null" : node.text;
}
var nameText = ({ text }, isFlow) => stringText(escaped(text), isFlow);
var escaped = (text) => text.replaceAll("${", () => "$${");
var texts = /* @__PURE__ */ new Map();
function stringText(text, isFlow) {
  const key = `${isFlow ? "f" : "b"}${text}`;
  let known = texts.get(key);
  if (known === void 0) {
    const written = (0, import_yaml.stringify)(text, { lineWidth: 0, blockQuote: isFlow ? false : "literal" }).trimEnd();
    known = isFlow && /[,[\]{}\n]/.test(written) && !/^["']/.test(written) ? JSON.stringify(text) : written;
    if (texts.size < 1e4) texts.set(key, known);
  }
  return known;
}
var expressionText = ({ parts }) => parts.map((part) => typeof part === "string" ? escaped(part) : `\${${pathText(part)}}`).join("");
function pathText(part) {
  if (part.type === "lookup")
    return `lookup${stepText({ name: part.name, start: 0 }, 1)}.${part.attr}${part.isOptional ? "?" : ""}`;
  if (part.type === "ref") return part.steps.map(stepText).join("");
  const [, name, key] = /^([^[]*)(?:\[(.*)\])?$/.exec(part.name);
  return `secret.${name}${key === void 0 ? "" : `['${key}']`}`;
}
function stepText({ name }, i) {
  if (i === 0) return name;
  if (/^[^\s.[\]{}"'$|?]+$/.test(name)) return `.${name}`;
  return name.includes("'") ? `["${name}"]` : `['${name}']`;
}

return{render:render,belowAny:belowAny};})();exports.part_7DPEZD4R=part_7DPEZD4R;
const part_SB2WMGLL=(()=>{const {
  belowAny,
  render
}=part_7DPEZD4R;const {
  unmatched
}=require("./part-93.cjs").part_UFNWTKGU;const {
  exitCodes
}=require("./part-80.cjs").part_RUA4AHDC;require("./part-112.cjs").part_55Q3LCS5;const {
  filesOfCommit,
  loadConfiguration,
  loadOptions,
  loadStages,
  sourcesFor
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;const {
  load,
  openSources
}=require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;const {
  diagnosticsText
}=require("./part-83.cjs").part_S43BEQVM;const {
  withConfiguration,
  withSources
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;const {
  textDiff
}=require("./part-98.cjs").part_KYSAZ52L;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
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

// src/cli/render.ts
function renderCommand(command, provider, run) {
  withSources(withConfiguration(command)).argument("[addresses...]", "only these addresses or globs, and everything below").option("--origins", "show after each value where it is written").option("--diff <ref>", "compare with a commit, including its data files").option("--diff-stage <stage>", "compare with another stage").option("--detailed-exitcode", "exit with 2 if there is a difference").action(async (addresses, options) => {
    const terminal = terminalFor(run, options);
    const rendering = new Rendering(provider, options, addresses, terminal);
    if (options.diff !== void 0 && options.diffStage !== void 0)
      throw new Problems([problem("cli/options", "--diff and --diff-stage exclude each other")]);
    if (options.diff !== void 0) await rendering.sinceCommit(options.diff);
    else if (options.diffStage !== void 0) await rendering.betweenStages(options.diffStage);
    else terminal.out((await rendering.all()).trimEnd());
  });
}
var Rendering = class {
  #provider;
  #options;
  #addresses;
  #terminal;
  /** The signs for secret texts in a comparison, the same on both sides. No output has one. */
  #signs = /* @__PURE__ */ new Map();
  constructor(provider, options, addresses, terminal) {
    this.#provider = provider;
    this.#options = options;
    this.#addresses = addresses;
    this.#terminal = terminal;
  }
  /** The stage that was asked for; of a configuration with stages, and none asked for, all of them in turn. */
  async all() {
    const texts = [];
    for (const { load: load2 } of await loadStages(...this.#loading(this.#options)))
      texts.push(this.#text(this.#looked(await load2())));
    return texts.join("---\n");
  }
  async sinceCommit(ref) {
    const now = await this.all();
    const before = await this.#at(ref);
    this.#show(before, now, ref, "now");
  }
  async betweenStages(other) {
    if (this.#options.stage === void 0)
      throw new Problems([
        problem("cli/options", "--diff-stage compares the stage of --stage with another one", {
          hint: `trueup render --stage staging --diff-stage ${other}`
        })
      ]);
    const before = this.#text(await this.#load({ ...this.#options, stage: other }));
    this.#show(before, this.#text(await this.#load(this.#options)), other, this.#options.stage);
  }
  #isComparison() {
    return this.#options.diff !== void 0 || this.#options.diffStage !== void 0;
  }
  #text(configuration) {
    const { resources } = configuration.desired;
    const nothing = unmatched(this.#addresses, [...resources.keys(), ...above(resources.keys())]);
    if (nothing.length > 0) throw new Problems(nothing);
    return this.#rendered(configuration);
  }
  #rendered(configuration) {
    return render(configuration, {
      // A place that moved is no difference.
      ...this.#options.origins && !this.#isComparison() ? { origins: true } : {},
      ...this.#isComparison() ? { secret: (text) => `(secret${this.#sign(text)})` } : {},
      ...this.#addresses.length > 0 ? { keep: belowAny(matcherOf(this.#addresses)) } : {}
    });
  }
  #loading(options) {
    const { run } = this.#terminal;
    return [this.#provider, options, run, { sources: sourcesFor(options, run.host), isLook: true }];
  }
  async #load(options) {
    return this.#looked(await loadConfiguration(...this.#loading(options)));
  }
  #looked(configuration) {
    const { diagnostics, notAllowed } = configuration;
    if (notAllowed.length > 0) throw new Problems([...diagnostics, ...notAllowed]);
    this.#terminal.err(diagnosticsText(diagnostics, { style: this.#terminal.errStyle }));
    return configuration;
  }
  /** The text at a commit; none where there was no configuration yet. */
  async #at(ref) {
    const { run } = this.#terminal;
    const { host } = run;
    const files = await filesOfCommit(ref, host);
    try {
      const sources = openSources({ env: host.env, cwd: files.cwd, tracking: files.tracking });
      const at = (stage) => load({
        ...loadOptions(
          this.#provider,
          { ...this.#options, ...stage === void 0 ? {} : { stage } },
          run
        ),
        cwd: files.cwd,
        sources
      });
      const first = await at(this.#options.stage);
      const stages = this.#options.stage === void 0 ? first.stages : [];
      const found = stages.length > 0 ? await Promise.all(stages.map(at)) : [first];
      const wrong = found.flatMap(({ diagnostics, notAllowed }) => [...diagnostics, ...notAllowed]);
      if (wrong.some(({ code }) => code === "file/missing")) return "";
      if (hasErrors(wrong)) throw new Problems(wrong);
      return found.map((one) => this.#rendered(one)).join("---\n");
    } finally {
      await files.remove();
    }
  }
  #sign(text) {
    const sign = this.#signs.get(text) ?? String.fromCodePoint(983040 + this.#signs.size);
    this.#signs.set(text, sign);
    return sign;
  }
  #show(before, now, from, to) {
    if (before === now) {
      this.#terminal.err(`No differences between ${from} and ${to}.`);
      return;
    }
    this.#terminal.out(withoutSigns(textDiff(before, now, { from, to })));
    if (this.#options.detailedExitcode) this.#terminal.run.exitCode = exitCodes.changes;
  }
};
var signed = /\(secret([\u{f0000}-\u{10fffd}])\)/gu;
function withoutSigns(diff) {
  const lines = diff.split("\n");
  const gone = new Set(
    lines.filter((line) => line.startsWith("-")).flatMap((line) => line.match(signed) ?? [])
  );
  return lines.map(
    (line) => line.replace(
      signed,
      (one) => line.startsWith("+") && !gone.has(one) ? "(another secret)" : "(secret)"
    )
  ).join("\n");
}
function* above(addresses) {
  for (const address of addresses) {
    const parts = address.split("/");
    for (let i = 1; i < parts.length; i++) yield parts.slice(0, i).join("/");
  }
}
return{renderCommand:renderCommand};})();exports.part_SB2WMGLL=part_SB2WMGLL;
