import { stringify } from 'yaml';
import type { Kind } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import type { LookupSource } from '../../model/resource.ts';
import { hasRunnerCommand } from '../../model/runner-commands.ts';
import { Sealed } from '../../model/sealed.ts';
import { type BlockPlace, mapBlocks, mapSections } from '../blocks/map-blocks.ts';
import type { Rendered, WrittenConfiguration } from '../configuration.ts';
import type { Step } from '../expressions/parse-expressions.ts';
import {
  type Entry,
  type Expression,
  type ExpressionNode,
  type ListNode,
  type Node,
  nodeOf,
  nowhere,
  type ScalarNode,
} from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';

interface RenderOptions extends RenderPrintOptions {
  /** Only what is at these addresses, or below them, without the header. */
  keep?(address: Address): boolean;
}

/**
 * The configuration after reuse as YAML: no variables, templates or patches, the same resources. Rendering it again gives the same text.
 * Secrets are named, and such as stand in clear where a secret belongs are left out.
 */
export function render(
  { desired, platform, rendered }: Pick<WrittenConfiguration, 'desired' | 'platform' | 'rendered'>,
  options: RenderOptions = {},
): string {
  const { keep } = options;
  const parts = rendered();
  const sections = parts.sections
    .map(({ kind, section }) => ({
      kind,
      node: keep ? keepEntries(kind, section, undefined, parts, keep) : section,
    }))
    .flatMap(({ kind, node }) => (node ? [entry(kind.section, node)] : []))
    .sort((a, b) => (a.key.text < b.key.text ? -1 : 1));
  if (keep) return printEntries(sections, options);
  const header = [
    entry('stack', nodeOf(desired.stack, nowhere)),
    ...(platform ? [entry('platform', nodeOf({ ...platform }, nowhere))] : []),
    ...(desired.allow ? [entry('$allow', nodeOf([...desired.allow], nowhere))] : []),
    ...(desired.owns ? [entry('owns', nodeOf([...desired.owns], nowhere))] : []),
    ...(parts.secrets.entries.length > 0 ? [entry('secrets', parts.secrets)] : []),
    ...(parts.lookups.size > 0 ? [entry('lookups', nodeOf(writtenLookups(parts.lookups), nowhere))] : []),
  ];
  return printEntries([...header, ...sections], options);
}

const writtenLookups = (lookups: ReadonlyMap<string, LookupSource>) =>
  Object.fromEntries(
    [...lookups].map(([name, { lookup, where }]) => [name, { [lookup]: Object.fromEntries(where) }]),
  );

const entry = (name: string, value: Node): Entry => ({
  key: { type: 'scalar', at: nowhere, text: name, value: name },
  value,
});

/** A section without what is not asked for; undefined if nothing is left. */
function keepEntries(
  kind: Kind,
  section: Node,
  blockPlace: BlockPlace | undefined,
  rendered: Rendered,
  keep: (address: Address) => boolean,
): Node | undefined {
  const node = mapBlocks(kind, section, blockPlace, (block, blockPlace) => {
    if (keep(blockPlace.address)) return block;
    if (block.type !== 'map') return undefined;
    const inside = mapSections(
      rendered.childrenOf(kind),
      block,
      (child, inner) => keepEntries(child, inner, blockPlace, rendered, keep),
      () => undefined,
    );
    return inside.entries.length > 0 ? inside : undefined;
  });
  if (kind.key.length === 0) return node;
  // What is no section of the kind has no part that was asked for.
  const parts = node?.type === 'map' ? node.entries : node?.type === 'list' ? node.items : [];
  return parts.length > 0 ? node : undefined;
}

/** True for an address at or below one that a glob matches. */
export const isAtOrBelowMatch =
  (matches: (address: Address) => boolean) =>
  (address: Address): boolean => {
    const parts = address.split('/');
    return parts.some((_, i) => matches(parts.slice(0, i + 1).join('/')));
  };

interface RenderPrintOptions {
  /** Says behind each value where it is written. */
  origins?: boolean;
  /** Prints a secret value, given its text. Default: `(secret)`. */
  secret?(text: string): string;
}

const renderWidth = 80;

/** A map as YAML, one entry to a line: the same nodes are the same text. Masked values, which are secret, stay so. */
function printEntries(entries: Entry[], options: RenderPrintOptions = {}): string {
  const lines: string[] = [];
  new NodePrinter(lines, options).entries(entries, '');
  return lines.map((line) => `${line}\n`).join('');
}

class NodePrinter {
  readonly #lines: string[];
  readonly #options: RenderPrintOptions;

  constructor(lines: string[], options: RenderPrintOptions) {
    this.#lines = lines;
    this.#options = options;
  }

  entries(entries: Entry[], indent: string, lead = indent): void {
    entries.forEach(({ key, value }, i) => {
      this.#value(`${i === 0 ? lead : indent}${nameText(key, false)}:`, value, indent);
    });
  }

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

  #line(head: string, node: Node, indent: string): void {
    const [first, ...more] = renderNode(node, false, this.#options).split('\n');
    const origin = this.#options.origins ? formatOrigin(node) : undefined;
    // A comment behind the first line of a block of text would be text where the block is folded: it is behind its sign.
    this.#lines.push(`${head} ${first}${origin === undefined ? '' : `  # ${origin}`}`);
    for (const line of more) this.#lines.push(line === '' ? '' : `${indent}${line.replace(/^ {2}/, '')}`);
  }
}

const formatOrigin = ({ at }: { at: Spot }): string | undefined => {
  if (at.source.file === '') return undefined;
  const { file, line } = positionOf(at);
  return `${file}:${line}`;
};

const isShort = (list: ListNode, options: RenderPrintOptions): boolean =>
  list.items.every((item) => item.type !== 'map' && item.type !== 'list') &&
  renderNode(list, true, options).length <= renderWidth;

/** A value on one line, but for text of several lines outside of brackets. */
function renderNode(node: Node, isFlow: boolean, options: RenderPrintOptions): string {
  if (node.type === 'list')
    return `[${node.items.map((item) => renderNode(item, true, options)).join(', ')}]`;
  if (node.type === 'map') {
    const entries = node.entries.map(
      ({ key, value }) => `${nameText(key, true)}: ${renderNode(value, true, options)}`,
    );
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  const secret = options.secret ?? (() => '(secret)');
  if (node.type === 'hole')
    return secret(node.hole instanceof Sealed ? node.hole.reveal() : JSON.stringify(node.hole));
  if (node.at.source.isMasked(node.at.start, node.at.end))
    return secret(node.type === 'expression' ? expressionText(node) : node.text);
  if (node.type === 'expression') return stringText(expressionText(node), isFlow);
  if (typeof node.value === 'string') return stringText(escapeExpressions(node.value), isFlow);
  return node.text === '' ? 'null' : node.text;
}

/** A key, which is a name, and never secret. */
const nameText = ({ text }: ScalarNode, isFlow: boolean): string =>
  stringText(escapeExpressions(text), isFlow);

const escapeExpressions = (text: string): string => text.replaceAll('${', () => '$${');

const renderedTexts = new Map<string, string>();

function stringText(text: string, isFlow: boolean): string {
  const key = `${isFlow ? 'f' : 'b'}${text}`;
  let known = renderedTexts.get(key);
  if (known === undefined) {
    const isQuoted = hasRunnerCommand(text);
    const written = isQuoted
      ? JSON.stringify(text)
      : stringify(text, { lineWidth: 0, blockQuote: isFlow ? false : 'literal' }).trimEnd();
    // In brackets more signs mean something.
    known = isFlow && /[,[\]{}\n]/.test(written) && !/^["']/.test(written) ? JSON.stringify(text) : written;
    if (renderedTexts.size < 10_000) renderedTexts.set(key, known);
  }
  return known;
}

const expressionText = ({ parts }: ExpressionNode): string =>
  parts
    .map((part) => (typeof part === 'string' ? escapeExpressions(part) : `\${${pathText(part)}}`))
    .join('');

function pathText(expression: Expression): string {
  if (expression.type === 'lookup')
    return `lookup${formatPathStep({ name: expression.name, start: 0 }, 1)}.${expression.attr}${expression.isOptional ? '?' : ''}`;
  if (expression.type === 'ref') return expression.steps.map(formatPathStep).join('');
  if (expression.type === 'shown') return expression.name;
  const [, name, key] = /^([^[]*)(?:\[(.*)\])?$/.exec(expression.name)!;
  return `secret.${name}${key === undefined ? '' : `['${key}']`}`;
}

function formatPathStep({ name }: Step, i: number): string {
  if (i === 0) return name;
  if (/^[^\s.[\]{}"'$|?]+$/.test(name)) return `.${name}`;
  return name.includes("'") ? `["${name}"]` : `['${name}']`;
}
