import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { quoted } from '../suggest.ts';
import { type Entry, type Expression, maskNode, type Node, type ScalarNode } from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { failed, isNode, resolveExpression, type Scope } from './resolve-expression.ts';
import { parseExpressions } from './parse-expressions.ts';

export type Expand = (node: Node) => Node;

/**
 * Makes a function that puts variables in, and splits strings with secrets or references into templates. Shared nodes stay
 * shared. A string with a problem becomes an empty template, which nothing complains about a second time.
 */
export const expander = (scope: Scope, diagnostics: Diagnostic[]): Expand =>
  new Expander(scope, diagnostics).expand;

class Expander {
  readonly #scope: Scope;
  readonly #diagnostics: Diagnostic[];
  readonly #done = new Map<Node, Node>();

  constructor(scope: Scope, diagnostics: Diagnostic[]) {
    this.#scope = scope;
    this.#diagnostics = diagnostics;
  }

  expand: Expand = (node) => {
    if (node.type === 'scalar' && !node.text.includes('${')) return node;
    const known = this.#done.get(node);
    if (known) return known;
    const result = this.#expandNow(node);
    this.#done.set(node, result);
    return result;
  };

  #expandNow(node: Node): Node {
    if (node.type === 'list') {
      const items = node.items.map(this.expand);
      return items.every((item, i) => item === node.items[i]) ? node : { ...node, items };
    }
    if (node.type === 'map') {
      const entries = node.entries.map((entry) => this.#expandEntry(entry));
      const isSame = entries.every((entry, i) => entry === node.entries[i]);
      return isSame ? node : { ...node, entries: this.#withoutDoubles(entries) };
    }
    return node.type === 'scalar' ? this.#expandText(node) : node;
  }

  #expandEntry(entry: Entry): Entry {
    const { key, value } = entry;
    if (!key.text.includes('${')) {
      const expanded = this.expand(value);
      return expanded === value ? entry : { key, value: expanded };
    }
    const name = this.#expandText(key);
    if (name.type === 'scalar') return { key: name, value: this.expand(value) };
    const secret =
      name.type === 'expression' &&
      name.parts.some((part) => typeof part === 'object' && part.type === 'secret');
    if (name.type !== 'expression' || name.parts.length > 0)
      this.#diagnostics.push(
        problem(
          secret ? 'secret/in-name' : 'ref/in-name',
          secret ? 'a name cannot contain a secret' : 'a name can contain variables only',
          { at: positionOf(key.at), hint: 'names must be known before anything is read or made' },
        ),
      );
    maskNode(value);
    return { key: { ...key, unusable: true }, value: this.expand(value) };
  }

  #withoutDoubles(entries: Entry[]): Entry[] {
    const byKey = new Map<string, Entry>();
    for (const entry of entries) {
      const first = byKey.get(entry.key.text);
      if (!first) byKey.set(entry.key.text, entry);
      else
        this.#diagnostics.push(
          problem('yaml/duplicate-key', `the key ${quoted(entry.key.text)} stands twice`, {
            at: positionOf(entry.key.at),
            related: [{ message: 'the first one', at: positionOf(first.key.at) }],
          }),
        );
    }
    return byKey.size === entries.length ? entries : [...byKey.values()];
  }

  #expandText(node: ScalarNode): Node {
    const split = parseExpressions(node.text);
    const opens = opensOf(node);
    const parts = split.map((part) =>
      typeof part === 'string'
        ? part
        : resolveExpression(
            part,
            {
              at: spotOf(node, opens[part.nth], 0),
              stepAt: (step) => spotOf(node, opens[part.nth], step.start),
              isWhole: split.length === 1,
            },
            this.#scope,
            this.#diagnostics,
          ),
    );
    if (parts.includes(failed)) return { type: 'expression', at: node.at, parts: [] };
    const whole = parts[0];
    if (parts.length === 1 && typeof whole === 'object' && isNode(whole))
      return whole.type === 'scalar' ? { ...whole, at: node.at, literals: spotsOf(whole) } : whole;
    const literals: Spot[] = [];
    const merged: (string | Expression)[] = [];
    for (const part of parts as (string | Expression | ScalarNode)[]) {
      const text = typeof part === 'string' ? part : isNode(part) ? part.text : undefined;
      if (typeof part === 'object' && isNode(part)) literals.push(...spotsOf(part));
      if (text === undefined) merged.push(part as Expression);
      else if (typeof merged.at(-1) === 'string') merged.push(merged.pop() + text);
      else merged.push(text);
    }
    const [only] = merged;
    if (merged.length === 1 && typeof only === 'string')
      return { type: 'scalar', at: node.at, text: only, value: only, literals };
    return { type: 'expression', at: node.at, parts: merged, literals };
  }
}

const spotsOf = (node: ScalarNode): Spot[] => [
  ...(node.at.source.file === '' ? [] : [node.at]),
  ...(node.literals ?? []),
];

/** The offsets of each `${` of a text in its file, escapes and line breaks notwithstanding. */
function opensOf({ at }: ScalarNode): number[] {
  const opens: number[] = [];
  for (let i = at.start; ; i++) {
    i = at.source.text.indexOf('${', i);
    if (i === -1 || i >= at.end) return opens;
    opens.push(i);
  }
}

const spotOf = ({ at }: ScalarNode, open: number | undefined, offset: number): Spot =>
  open === undefined ? at : { ...at, start: open + offset };
