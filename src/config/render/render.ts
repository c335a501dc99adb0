/**
 * Prints a configuration as plain YAML, for `trueup render`: after variables, templates and patches were applied.
 *
 *   flow    YAML in brackets on one line: `[a, b]`, `{ a: b }`. In it, more characters need quotes than in block style.
 *   head    the text at the start of a line, in front of a value: `  name:` or `  -`
 */
import { stringify } from 'yaml';
import { isSingleton } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Removal } from '../../model/removal.ts';
import type { FindingRule, LookupSource } from '../../model/resource.ts';
import { hasRunnerCommand } from '../../model/runner-commands.ts';
import { Sealed } from '../../model/sealed.ts';
import type { Value } from '../../model/value.ts';
import { type BlockPlace, mapBlocks, mapSections } from '../blocks/block.ts';
import type { Rendered, WrittenConfiguration } from '../configuration.ts';
import { escapeExpressions, type PathStep } from '../expressions/parse-expressions.ts';
import {
  childrenOf,
  type Entry,
  type Expression,
  type ExpressionNode,
  entryFor,
  type ListNode,
  type Node,
  nodeOf,
  nowhere,
  type ScalarNode,
} from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';

/** Which parts of a configuration are printed, and how. */
interface RenderOptions extends RenderPrintOptions {
  /** True for the addresses of the blocks to print. If it is set, the header (`stack`, `platform`, ...) is not printed. */
  keep?(address: Address): boolean;
}

/** The parts of a configuration that `render` prints. */
type RenderedPart = 'desired' | 'platform' | 'ledger' | 'rendered';

/**
 * Returns the configuration as YAML without variables, templates and patches. It declares the same resources,
 * and rendering it again gives the same text. `trueup render` prints it, also to compare two versions.
 * Secrets appear as `${secret.name}`; other values that may be secret are printed by `options.secret`.
 * `options.keep`: true for the addresses to print, if not all; then only blocks are printed, without the header.
 */
export function render(
  { desired, platform, ledger, rendered }: Pick<WrittenConfiguration, RenderedPart>,
  options: RenderOptions = {},
): string {
  const { keep } = options;
  const { sections, secrets, lookups, childrenOf } = rendered();
  const sectionEntries = sections
    .flatMap(({ kind, section }) => {
      const node = keep ? keepBlocks(kind, section, undefined, { childrenOf, keep }) : section;
      return node ? [toEntry(kind.section, node)] : [];
    })
    .sort((a, b) => (a.key.text < b.key.text ? -1 : 1));
  if (keep) return printEntries(sectionEntries, options);
  const valueEntry = (name: string, value: Value) => toEntry(name, nodeOf(value, nowhere));
  const header = [
    valueEntry('stack', desired.stack),
    ...(platform ? [valueEntry('platform', { ...platform })] : []),
    ...(ledger?.origin === 'header' ? [valueEntry('ledger', ledger.place)] : []),
    ...(desired.allow ? [valueEntry('$allow', [...desired.allow])] : []),
    ...(desired.owns ? [valueEntry('owns', [...desired.owns])] : []),
    ...(desired.findingRules?.length ? [valueEntry('findings', rulesAsWritten(desired.findingRules))] : []),
    ...(desired.removed?.length ? [valueEntry('removed', removalsAsWritten(desired.removed))] : []),
    ...(secrets.entries.length > 0 ? [toEntry('secrets', secrets)] : []),
    ...(lookups.size > 0 ? [valueEntry('lookups', lookupsAsWritten(lookups))] : []),
  ];
  return printEntries([...header, ...sectionEntries], options);
}

/** Returns the value of `findings:` as a configuration declares it. */
const rulesAsWritten = (rules: readonly FindingRule[]) =>
  rules.map(({ codes, addresses, severity, reason }) => ({ code: codes, at: addresses, severity, reason }));

/** Returns the value of `removed:` as a configuration declares it, for the output of `trueup render`. */
const removalsAsWritten = (removals: readonly Removal[]) =>
  removals.map(({ address, deletes, objects }) => ({
    at: address,
    delete: deletes,
    ...(objects === undefined ? {} : { objects }),
  }));

/** Returns the value of `lookups:` as a configuration declares it: `{ live: { deployment: { project: web } } }`. */
const lookupsAsWritten = (lookups: ReadonlyMap<string, LookupSource>) =>
  Object.fromEntries(
    [...lookups].map(([name, { lookup, where }]) => [name, { [lookup]: Object.fromEntries(where) }]),
  );

const toEntry = (name: string, value: Node): Entry => entryFor(name, value, nowhere);

/**
 * Returns a section with only the blocks that `trueup render ADDRESS` prints, inside the blocks that contain them; these lose their own
 * fields. Undefined if there are none. `keep`: true for the address of a block that is printed whole. `childrenOf`: returns the kinds of
 * the sections in a block. `sectionPlace`: the block around the section. The section of a singleton is its block.
 */
function keepBlocks(
  kind: Kind,
  section: Node,
  sectionPlace: BlockPlace | undefined,
  options: Required<Pick<RenderOptions, 'keep'>> & Pick<Rendered, 'childrenOf'>,
): Node | undefined {
  const node = mapBlocks(kind, section, sectionPlace, (block, blockPlace) => {
    if (options.keep(blockPlace.address)) return block;
    if (block.type !== 'map') return undefined;
    const dropField = () => undefined;
    const keptSections = mapSections(
      options.childrenOf(kind),
      block,
      (child, childSection) => keepBlocks(child, childSection, blockPlace, options),
      dropField,
    );
    return keptSections.entries.length > 0 ? keptSections : undefined;
  });
  if (isSingleton(kind)) return node;
  // A section of the wrong type contains no block that could be kept.
  return node && childrenOf(node).length > 0 ? node : undefined;
}

/**
 * Returns a predicate that is true for an address that `matches` accepts, and for all addresses below one. Used by `trueup render ADDRESS`,
 * which prints a resource with everything in it.
 */
export const isAtOrBelowMatch =
  (matches: (address: Address) => boolean) =>
  (address: Address): boolean => {
    const segments = address.split('/');
    return segments.some((_, i) => matches(segments.slice(0, i + 1).join('/')));
  };

/** How values are printed. */
interface RenderPrintOptions {
  /** True to print behind each value the file and line where it is written, as a comment. */
  origins?: boolean;
  /** Returns the text to print instead of a secret value. Default: `(secret)`. */
  secret?(text: string): string;
}

/** A list that fits into this many columns is printed in flow style. */
const maxFlowWidth = 80;

/** Returns a map as YAML. The text depends only on the nodes and options, so that two renderings can be compared line by line. */
function printEntries(entries: Entry[], options: RenderPrintOptions = {}): string {
  const lines: string[] = [];
  new NodePrinter(lines, options).entries(entries, '');
  return lines.map((line) => `${line}\n`).join('');
}

/** Appends the lines of nodes to `lines`. A map or a list gets a line for each member, unless it is empty or fits on one line. */
class NodePrinter {
  readonly #lines: string[];
  readonly #options: RenderPrintOptions;

  constructor(lines: string[], options: RenderPrintOptions) {
    this.#lines = lines;
    this.#options = options;
  }

  /**
   * Prints the entries of a map for `trueup render`, each on lines of its own. `lead`: the text in front of
   * the first entry, such as `- ` for a map that is an item of a list.
   */
  entries(entries: Entry[], indent: string, lead = indent): void {
    entries.forEach(({ key, value }, i) => {
      this.#value(`${i === 0 ? lead : indent}${renderKey(key, 'block')}:`, value, indent);
    });
  }

  /**
   * Prints a value for `trueup render` behind `head`, the text at the start of its line, such as `key:`. It
   * is on the same line if it fits there, else on indented lines below. `indent`: the indentation of `head`.
   */
  #value(head: string, node: Node, indent: string): void {
    const inner = `${indent}  `;
    if (node.type === 'map' && node.entries.length > 0) {
      this.#lines.push(head);
      this.entries(node.entries, inner);
    } else if (node.type === 'list' && node.items.length > 0 && !isShort(node, this.#options)) {
      this.#lines.push(head);
      this.#items(node.items, inner);
    } else this.#line(head, node, inner);
  }

  /**
   * Prints the items of a list for `trueup render`, each on lines of its own behind a `-`. Used if the list
   * does not fit on one line.
   */
  #items(items: Node[], indent: string): void {
    for (const item of items) {
      if (item.type === 'map' && item.entries.length > 0)
        this.entries(item.entries, `${indent}  `, `${indent}- `);
      else if (item.type === 'list' && item.items.length > 0 && !isShort(item, this.#options)) {
        this.#lines.push(`${indent}-`);
        this.#items(item.items, `${indent}  `);
      } else this.#line(`${indent}-`, item, `${indent}  `);
    }
  }

  /**
   * Prints a value that fits behind `head` (the text at the start of its line, such as `key:`) for `trueup
   * render`, with its file and line as a comment if `--origins` asks for that. The lines of a block text
   * (`|`) follow at `indent`.
   */
  #line(head: string, node: Node, indent: string): void {
    const [firstLine, ...textLines] = formatNode(node, 'block', this.#options).split('\n');
    const origin = this.#options.origins ? formatOrigin(node) : undefined;
    // For a block text, the first line is only its indicator (`|`), behind which YAML allows a comment.
    this.#lines.push(`${head} ${firstLine}${origin === undefined ? '' : `  # ${origin}`}`);
    for (const line of textLines)
      this.#lines.push(line === '' ? '' : `${indent}${line.replace(/^ {2}/, '')}`);
  }
}

/**
 * Returns the file and line where a node is written, to print it as a comment; undefined for values that are in no
 * file, such as those of `--var`. `trueup render --origins` prints it.
 */
const formatOrigin = ({ at }: { at: Spot }): string | undefined => {
  if (at.source.file === '') return undefined;
  const { file, line } = positionOf(at);
  return `${file}:${line}`;
};

/** True if a list contains neither maps nor lists and fits on one line, so that it is printed in flow style. */
const isShort = (list: ListNode, options: RenderPrintOptions): boolean =>
  list.items.every((item) => item.type !== 'map' && item.type !== 'list') &&
  formatNode(list, 'flow', options).length <= maxFlowWidth;

/** Where a value is printed: inside brackets (`[a]`, `{ a: b }`), or on lines of its own. */
type YamlStyle = 'flow' | 'block';

/**
 * Returns the YAML of a value for `trueup render`: lists and maps in brackets, a text of several lines as a
 * block text (`|`) unless it is inside brackets (`flow`). `options.secret` prints values that are secret or
 * masked, because the output may be shown or compared in CI.
 */
function formatNode(node: Node, style: YamlStyle, options: RenderPrintOptions): string {
  if (node.type === 'list')
    return `[${node.items.map((item) => formatNode(item, 'flow', options)).join(', ')}]`;
  if (node.type === 'map') {
    const entries = node.entries.map(
      ({ key, value }) => `${renderKey(key, 'flow')}: ${formatNode(value, 'flow', options)}`,
    );
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  const formatSecret = options.secret ?? (() => '(secret)');
  if (node.type === 'hole')
    return formatSecret(node.hole instanceof Sealed ? node.hole.reveal() : JSON.stringify(node.hole));
  if (node.at.source.isMasked(node.at.start, node.at.end))
    return formatSecret(node.type === 'expression' ? formatParts(node) : node.text);
  if (node.type === 'expression') return renderText(formatParts(node), style);
  if (typeof node.value === 'string') return renderText(escapeExpressions(node.value), style);
  return node.text === '' ? 'null' : node.text;
}

/** Returns the YAML of a key. A key is the name of something, so it is never secret. */
const renderKey = ({ text }: ScalarNode, style: YamlStyle): string =>
  renderText(escapeExpressions(text), style);

const maxCachedTexts = 10_000;
const cachedTexts = new Map<string, string>();

/** Returns the YAML of a text: plain, quoted or as a block. Cached, because a configuration repeats many texts and the library is slow. */
function renderText(text: string, style: YamlStyle): string {
  const cacheKey = `${style} ${text}`;
  const cached = cachedTexts.get(cacheKey);
  if (cached !== undefined) return cached;
  const formatted = formatTextUncached(text, style);
  if (cachedTexts.size < maxCachedTexts) cachedTexts.set(cacheKey, formatted);
  return formatted;
}

/**
 * Returns the YAML of a text for `trueup render`: plain if possible, else quoted. A text of several lines becomes a block (`|`), except
 * inside `{}` or `[]` (`flow`), where YAML allows no block. A text that a CI runner would execute as a command in a log is always quoted.
 */
function formatTextUncached(text: string, style: YamlStyle): string {
  const isFlow = style === 'flow';
  if (hasRunnerCommand(text)) return JSON.stringify(text);
  const formatted = stringify(text, { lineWidth: 0, blockQuote: isFlow ? false : 'literal' }).trimEnd();
  const isQuoted = /^["']/.test(formatted);
  // Inside `{}` or `[]`, such a character would end the text.
  const needsQuotes = isFlow && !isQuoted && /[,[\]{}\n]/.test(formatted);
  return needsQuotes ? JSON.stringify(text) : formatted;
}

/** Returns a text with its expressions as they would be written: `https://${var.host}`. */
const formatParts = ({ parts }: ExpressionNode): string =>
  parts
    .map((part) => (typeof part === 'string' ? escapeExpressions(part) : `\${${formatExpression(part)}}`))
    .join('');

/**
 * Returns the text of an expression between its braces, such as `lookup.live.url`, `project.name` or
 * `secret.db['eu']`, so that the YAML that `trueup render` prints can be read again. The name of a secret
 * with several keys contains the key: `db[eu]`.
 */
function formatExpression(expression: Expression): string {
  if (expression.type === 'lookup') {
    const { name, attr, isOptional } = expression;
    return `lookup${formatPathStep({ name, start: 0 }, 1)}.${attr}${isOptional ? '?' : ''}`;
  }
  if (expression.type === 'ref') return expression.steps.map(formatPathStep).join('');
  if (expression.type === 'shown') return expression.name;
  const [, name, key] = /^([^[]*)(?:\[(.*)\])?$/.exec(expression.name)!;
  return `secret.${name}${key === undefined ? '' : `['${key}']`}`;
}

/**
 * Returns one step of the path in an expression, such as `.name`. `trueup render` prints references as they would
 * be written. A name with special characters stands in brackets and quotes. `index` 0 is the first step, without a
 * dot.
 */
function formatPathStep({ name }: PathStep, index: number): string {
  if (index === 0) return name;
  if (/^[^\s.[\]{}"'$|?]+$/.test(name)) return `.${name}`;
  return name.includes("'") ? `["${name}"]` : `['${name}']`;
}
