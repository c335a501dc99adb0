/**
 * Replaces expressions in nodes by their values, as far as those are known before anything is read from the account.
 *
 *   known now     variables, inputs, `each`, `stage`: their values are put into the text
 *   known later   secrets, lookups and references: the text becomes a node with parts, one of them the expression
 *   invalid       reported; the result is an expression without parts (`isPoisoned`), so that no other problem is reported about it
 */
import { type Diagnostic, Reporter } from '../../model/diagnostic.ts';
import { maxTextLength } from '../growth.ts';
import { quoted } from '../suggest.ts';
import {
  describeNodeType,
  type Entry,
  type Expression,
  type ExpressionNode,
  isNode,
  isPoisoned,
  maskNode,
  type Node,
  type ScalarNode,
} from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import { parseExpressions } from './parse-expressions.ts';
import { resolveExpression } from './resolve-expression.ts';
import { absent, failed } from './resolve-roots.ts';
import type { Scope } from './scope.ts';

/** Returns a node with its expressions replaced. */
export type Expand = (node: Node) => Node;

/** The beginning of a list item that inserts the items of another list: `"...${var.more}"`. */
const spreadPrefix = /^\.\.\.(?=\$\{)/;

/**
 * Creates a function that replaces expressions in one scope. Nodes that are shared stay shared. Values that are put in are not searched
 * for expressions again.
 */
export const expander = (scope: Scope, diagnostics: Diagnostic[]): Expand =>
  new Expander(scope, diagnostics).expand;

class Expander {
  readonly #scope: Scope;
  readonly #report: Reporter;
  readonly #done = new Map<Node, Node | typeof absent>();

  constructor(scope: Scope, diagnostics: Diagnostic[]) {
    this.#scope = scope;
    this.#report = new Reporter(diagnostics, { address: scope.block?.address });
  }

  /** Replaces the expressions in a node that must have a value. */
  expand: Expand = (node) => {
    const expanded = this.#expand(node);
    if (expanded !== absent) return expanded;
    this.#report.error('expression/absent', 'there is no value, and this is required', { at: node });
    return { type: 'expression', at: node.at, parts: [] };
  };

  /** Replaces the expressions in a node, once for each node; returns `absent` if it is an optional expression without a value. */
  #expand(node: Node): Node | typeof absent {
    if (node.type === 'scalar' && !node.text.includes('${')) return node;
    const cached = this.#done.get(node);
    if (cached) return cached;
    const result = this.#expandNow(node);
    this.#done.set(node, result);
    return result;
  }

  #expandNow(node: Node): Node | typeof absent {
    if (node.type === 'list') {
      const items = node.items.flatMap((item) => this.#expandItem(item));
      const isSame = items.length === node.items.length && items.every((item, i) => item === node.items[i]);
      return isSame ? node : this.#nested({ ...node, items });
    }
    if (node.type === 'map') {
      const entries = node.entries.flatMap((entry) => this.#expandEntry(entry));
      const isSame =
        entries.length === node.entries.length && entries.every((entry, i) => entry === node.entries[i]);
      return isSame ? node : this.#nested({ ...node, entries: this.#withoutDoubles(entries) });
    }
    return node.type === 'scalar' ? this.#expandText(node) : node;
  }

  /** True while the amount that expressions have produced is below the limit. Reports it once otherwise. */
  #mayMake({ at }: Node, amount: { text?: number; size?: number }): boolean {
    return this.#scope.growth.allows(at, amount, this.#report.diagnostics);
  }

  /**
   * Returns a node unless it is nested too deeply. Each value is only as deep as a file allows, but values inside values could exhaust the
   * stack.
   */
  #nested(node: Node): Node {
    if (!this.#scope.growth.isTooDeep(node, this.#report.diagnostics)) return node;
    return { type: 'expression', at: node.at, parts: [] };
  }

  /** Returns the items that one item of a list stands for: itself, none if it has no value, or the items of a list that it inserts. */
  #expandItem(item: Node): Node[] {
    if (item.type !== 'scalar' || !spreadPrefix.test(item.text)) {
      const expanded = this.#expand(item);
      return expanded === absent ? [] : [expanded];
    }
    const text = item.text.slice(3);
    const list = this.#expandText({ ...item, text, value: text });
    if (list === absent) return [];
    if (list.type === 'list' && this.#mayMake(item, { size: list.items.length })) return list.items;
    if (list.type === 'list') return [];
    if (!isPoisoned(list))
      this.#report.error(
        'expression/spread',
        `\`...\` inserts the items of a list, but this is ${describeNodeType(list)}`,
        {
          at: item,
          hint: 'remove the dots',
        },
      );
    return [{ type: 'expression', at: item.at, parts: [] }];
  }

  /** Returns an entry with key and value expanded; none if it has no value. */
  #expandEntry(entry: Entry): Entry[] {
    const { key, value } = entry;
    const expanded = this.#expandValue(entry);
    if (expanded === absent) return [];
    const name = key.text.includes('${') ? this.expandKey(key) : key;
    if (name.unusable) maskNode(value);
    return name === key && expanded === value ? [entry] : [{ key: name, value: expanded }];
  }

  /**
   * Expands the value of an entry. In the `value` of `$secretTo`, a single name means a member that the platform shows: `${secret}`,
   * `${id}`.
   */
  #expandValue({ key, value }: Entry): Node | typeof absent {
    if (key.text !== '$secretTo' || value.type !== 'map') return this.#expand(value);
    const shownExpander = new Expander({ ...this.#scope, namesShownMembers: true }, this.#report.diagnostics);
    const entries = value.entries.flatMap((entry) =>
      (entry.key.text === 'value' ? shownExpander : this).#expandEntry(entry),
    );
    return { ...value, entries: this.#withoutDoubles(entries) };
  }

  /** Returns a key with its expressions replaced. A key whose text is not known now is reported and marked as unusable. */
  expandKey(key: ScalarNode): ScalarNode {
    const name = this.#expandText(key);
    if (name !== absent && name.type === 'scalar' && name.text === '__proto__') {
      this.#report.error('yaml/key', 'this key is not allowed', { at: key });
      return { ...key, unusable: true };
    }
    if (name !== absent && name.type === 'scalar')
      return name.text.startsWith('$') ? { ...name, isExpanded: true } : name;
    const isSecret =
      name !== absent &&
      name.type === 'expression' &&
      name.parts.some((part) => typeof part === 'object' && part.type === 'secret');
    if (name === absent || name.type !== 'expression' || name.parts.length > 0)
      this.#report.error(
        isSecret ? 'secret/in-name' : 'ref/in-name',
        isSecret ? 'a name cannot contain a secret' : 'a name can only contain variables',
        { at: key, hint: 'names must be known before anything is read or created' },
      );
    return { ...key, unusable: true };
  }

  /** Returns entries with unique keys. Expressions can give two entries one key, which is reported. */
  #withoutDoubles(entries: Entry[]): Entry[] {
    const byKey = new Map<string, Entry>();
    for (const entry of entries) {
      const firstEntry = byKey.get(entry.key.text);
      if (!firstEntry) byKey.set(entry.key.text, entry);
      else
        this.#report.error('yaml/duplicate-key', `duplicate key ${quoted(entry.key.text)}`, {
          at: entry.key,
          related: [{ message: 'the first one', at: firstEntry.key }],
        });
    }
    return byKey.size === entries.length ? entries : [...byKey.values()];
  }

  /** Expands one text: to a value if an expression is the whole text, to a scalar if everything is known now, else to a node with parts. */
  #expandText(node: ScalarNode): Node | typeof absent {
    const parsedParts = parseExpressions(node.text);
    const opens = offsetsOfOpens(node);
    const parts = parsedParts.map((part) =>
      typeof part === 'string'
        ? part
        : resolveExpression(
            part,
            {
              at: spotOf(node, opens[part.nth], 0),
              stepAt: (step) => spotOf(node, opens[part.nth], step.start),
              isWhole: parsedParts.length === 1,
              expandName: (text) => this.#nameOf(node, text),
            },
            this.#scope,
            this.#report.diagnostics,
          ),
    );
    if (parts.includes(failed)) return { type: 'expression', at: node.at, parts: [] };
    const wholeValue = parts[0]!;
    if (wholeValue === absent) return absent;
    if (parts.length === 1 && typeof wholeValue === 'object' && isNode(wholeValue))
      return moveTo(node.at, wholeValue);
    const literals: Spot[] = [];
    const merged: (string | Expression)[] = [];
    const add = (part: string | Expression) => {
      if (typeof part === 'string' && typeof merged.at(-1) === 'string') merged.push(merged.pop() + part);
      else merged.push(part);
    };
    for (const part of parts as (string | Expression | ScalarNode | ExpressionNode)[]) {
      if (typeof part === 'string' || !isNode(part)) add(part);
      else {
        // Without duplicates: variables that multiply each other come from few places.
        for (const spot of spotsOf(part))
          if (!literals.some((literal) => isSameSpot(literal, spot))) literals.push(spot);
        if (part.type === 'scalar') add(part.text);
        else part.parts.forEach(add);
      }
    }
    const length = merged.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);
    if (length > maxTextLength) {
      this.#report.error('expression/too-long', `this text has more than ${maxTextLength} characters`, {
        at: node,
      });
      return { type: 'expression', at: node.at, parts: [] };
    }
    if (!this.#mayMake(node, { text: length })) return { type: 'expression', at: node.at, parts: [] };
    const [singlePart] = merged;
    if (merged.length === 1 && typeof singlePart === 'string')
      return { type: 'scalar', at: node.at, text: singlePart, value: singlePart, literals };
    return { type: 'expression', at: node.at, parts: merged, literals };
  }

  /** Returns the text of a name in brackets, as in `projects["api-${input.country}"]`; undefined after a report. */
  #nameOf(node: ScalarNode, text: string): string | undefined {
    const name = this.#expandText({ ...node, text, value: text });
    if (name !== absent && name.type === 'scalar') return name.text;
    if (name === absent || name.type !== 'expression' || name.parts.length > 0)
      this.#report.error('expression/name', 'the name in brackets must be known at this point', {
        at: node,
      });
    return undefined;
  }
}

/** Returns a value at the place of the expression that it replaces. Its own place is kept in `literals`, so that it is masked as well. */
function moveTo(spot: Spot, value: Node): Node {
  if (value.type !== 'scalar' && value.type !== 'expression') return value;
  const literals = spotsOf(value);
  return value.type === 'scalar' || value.parts.length > 0
    ? { ...value, at: spot, literals }
    : { ...value, at: spot };
}

/** Returns the places of a text: where it is used, and where its parts come from. */
const spotsOf = (node: ScalarNode | ExpressionNode): Spot[] => [node.at, ...(node.literals ?? [])];

const isSameSpot = (a: Spot, b: Spot) => a.source === b.source && a.start === b.start && a.end === b.end;

/**
 * Returns the offsets of each `${` of a text in its file. The file is searched because escapes and line breaks make offsets in the text
 * differ.
 */
function offsetsOfOpens({ at }: ScalarNode): number[] {
  const opens: number[] = [];
  for (let i = at.start; ; i++) {
    i = at.source.text.indexOf('${', i);
    if (i === -1 || i >= at.end) return opens;
    opens.push(i);
  }
}

/** Returns the place of a part of an expression; that of the whole text if it is not known. */
const spotOf = ({ at }: ScalarNode, open: number | undefined, offset: number): Spot =>
  open === undefined ? at : { ...at, start: open + offset };
