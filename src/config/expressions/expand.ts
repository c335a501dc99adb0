import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { maxTextLength } from '../growth.ts';
import { quoted } from '../suggest.ts';
import {
  describe,
  type Entry,
  type Expression,
  type ExpressionNode,
  isNode,
  isPoisoned,
  maskNode,
  type Node,
  type ScalarNode,
} from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { parseExpressions } from './parse-expressions.ts';
import { resolveExpression } from './resolve-expression.ts';
import { absent, failed } from './resolve-roots.ts';
import type { Scope } from './scope.ts';

export type Expand = (node: Node) => Node;

/** The text of a list item that puts in the items of another list: `"...${var.more}"`. */
const spreadPrefix = /^\.\.\.(?=\$\{)/;

/**
 * Makes a function that puts in what is known now, and splits strings with secrets or references at these. Shared nodes stay shared.
 * A string with a problem comes out without parts, and nothing complains about it a second time. What is put in is not looked at again.
 */
export const expander = (scope: Scope, diagnostics: Diagnostic[]): Expand =>
  new Expander(scope, diagnostics).expand;

class Expander {
  readonly #scope: Scope;
  readonly #diagnostics: Diagnostic[];
  readonly #done = new Map<Node, Node | typeof absent>();

  constructor(scope: Scope, diagnostics: Diagnostic[]) {
    this.#scope = scope;
    this.#diagnostics = diagnostics;
  }

  /** A node of its own, which must have a value. */
  expand: Expand = (node) => {
    const expanded = this.#expand(node);
    if (expanded !== absent) return expanded;
    this.#say('expression/absent', 'there is no value, and this is required', node);
    return { type: 'expression', at: node.at, parts: [] };
  };

  #say(code: string, message: string, { at }: Node): void {
    const { block } = this.#scope;
    const address = block ? { address: block.address } : {};
    this.#diagnostics.push(problem(code, message, { at: positionOf(at), ...address }));
  }

  #expand(node: Node): Node | typeof absent {
    if (node.type === 'scalar' && !node.text.includes('${')) return node;
    const known = this.#done.get(node);
    if (known) return known;
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

  #mayMake({ at }: Node, amount: { text?: number; size?: number }): boolean {
    return this.#scope.growth.allows(at, amount, this.#diagnostics);
  }

  /** Values are filled into values: each is nested as deep as a file allows, and many together would exhaust the stack. */
  #nested(node: Node): Node {
    if (!this.#scope.growth.isTooDeep(node, this.#diagnostics)) return node;
    return { type: 'expression', at: node.at, parts: [] };
  }

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
      this.#diagnostics.push(
        problem('expression/spread', `\`...\` inserts the items of a list, but this is ${describe(list)}`, {
          at: positionOf(item.at),
          hint: 'remove the dots',
        }),
      );
    return [{ type: 'expression', at: item.at, parts: [] }];
  }

  #expandEntry(entry: Entry): Entry[] {
    const { key, value } = entry;
    const expanded = this.#expandValue(entry);
    if (expanded === absent) return [];
    const name = key.text.includes('${') ? this.expandKey(key) : key;
    if (name.unusable) maskNode(value);
    return name === key && expanded === value ? [entry] : [{ key: name, value: expanded }];
  }

  /** The value of an entry. The `value` of `$secretTo` may also name what the platform shows: `${secret}`, `${id}`. */
  #expandValue({ key, value }: Entry): Node | typeof absent {
    if (key.text !== '$secretTo' || value.type !== 'map') return this.#expand(value);
    const shown = new Expander({ ...this.#scope, namesShownMembers: true }, this.#diagnostics);
    const entries = value.entries.flatMap((entry) =>
      (entry.key.text === 'value' ? shown : this).#expandEntry(entry),
    );
    return { ...value, entries: this.#withoutDoubles(entries) };
  }

  /** A key with its text; unusable where that is not known now, which is reported. */
  expandKey(key: ScalarNode): ScalarNode {
    const name = this.#expandText(key);
    if (name !== absent && name.type === 'scalar' && name.text === '__proto__') {
      this.#say('yaml/key', 'this key is not allowed', key);
      return { ...key, unusable: true };
    }
    if (name !== absent && name.type === 'scalar')
      return name.text.startsWith('$') ? { ...name, isExpanded: true } : name;
    const secret =
      name !== absent &&
      name.type === 'expression' &&
      name.parts.some((part) => typeof part === 'object' && part.type === 'secret');
    if (name === absent || name.type !== 'expression' || name.parts.length > 0)
      this.#diagnostics.push(
        problem(
          secret ? 'secret/in-name' : 'ref/in-name',
          secret ? 'a name cannot contain a secret' : 'a name can only contain variables',
          { at: positionOf(key.at), hint: 'names must be known before anything is read or created' },
        ),
      );
    return { ...key, unusable: true };
  }

  #withoutDoubles(entries: Entry[]): Entry[] {
    const byKey = new Map<string, Entry>();
    for (const entry of entries) {
      const first = byKey.get(entry.key.text);
      if (!first) byKey.set(entry.key.text, entry);
      else
        this.#diagnostics.push(
          problem('yaml/duplicate-key', `duplicate key ${quoted(entry.key.text)}`, {
            at: positionOf(entry.key.at),
            related: [{ message: 'the first one', at: positionOf(first.key.at) }],
          }),
        );
    }
    return byKey.size === entries.length ? entries : [...byKey.values()];
  }

  #expandText(node: ScalarNode): Node | typeof absent {
    const split = parseExpressions(node.text);
    const opens = offsetsOfOpens(node);
    const parts = split.map((part) =>
      typeof part === 'string'
        ? part
        : resolveExpression(
            part,
            {
              at: spotOf(node, opens[part.nth], 0),
              stepAt: (step) => spotOf(node, opens[part.nth], step.start),
              isWhole: split.length === 1,
              expandName: (text) => this.#nameOf(node, text),
            },
            this.#scope,
            this.#diagnostics,
          ),
    );
    if (parts.includes(failed)) return { type: 'expression', at: node.at, parts: [] };
    const whole = parts[0]!;
    if (whole === absent) return absent;
    if (parts.length === 1 && typeof whole === 'object' && isNode(whole)) return moveTo(node.at, whole);
    const literals: Spot[] = [];
    const merged: (string | Expression)[] = [];
    const add = (part: string | Expression) => {
      if (typeof part === 'string' && typeof merged.at(-1) === 'string') merged.push(merged.pop() + part);
      else merged.push(part);
    };
    for (const part of parts as (string | Expression | ScalarNode | ExpressionNode)[]) {
      if (typeof part === 'string' || !isNode(part)) add(part);
      else {
        // Each place once: variables that double each other have few.
        for (const spot of spotsOf(part))
          if (!literals.some((literal) => isSameSpot(literal, spot))) literals.push(spot);
        if (part.type === 'scalar') add(part.text);
        else part.parts.forEach(add);
      }
    }
    const length = merged.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);
    if (length > maxTextLength) {
      this.#say('expression/too-long', `this text has more than ${maxTextLength} characters`, node);
      return { type: 'expression', at: node.at, parts: [] };
    }
    if (!this.#mayMake(node, { text: length })) return { type: 'expression', at: node.at, parts: [] };
    const [only] = merged;
    if (merged.length === 1 && typeof only === 'string')
      return { type: 'scalar', at: node.at, text: only, value: only, literals };
    return { type: 'expression', at: node.at, parts: merged, literals };
  }

  /** The text of a name in brackets, as in `projects["api-${input.country}"]`. */
  #nameOf(node: ScalarNode, text: string): string | undefined {
    const name = this.#expandText({ ...node, text, value: text });
    if (name !== absent && name.type === 'scalar') return name.text;
    if (name === absent || name.type !== 'expression' || name.parts.length > 0)
      this.#diagnostics.push(
        problem('expression/name', 'the name in brackets must be known at this point', {
          at: positionOf(node.at),
        }),
      );
    return undefined;
  }
}

/** A value where an expression stood that is the whole text. */
function moveTo(spot: Spot, value: Node): Node {
  if (value.type !== 'scalar' && value.type !== 'expression') return value;
  const literals = spotsOf(value);
  return value.type === 'scalar' || value.parts.length > 0
    ? { ...value, at: spot, literals }
    : { ...value, at: spot };
}

const spotsOf = (node: ScalarNode | ExpressionNode): Spot[] => [node.at, ...(node.literals ?? [])];

const isSameSpot = (a: Spot, b: Spot) => a.source === b.source && a.start === b.start && a.end === b.end;

/** The offsets of each `${` of a text in its file, escapes and line breaks notwithstanding. */
function offsetsOfOpens({ at }: ScalarNode): number[] {
  const opens: number[] = [];
  for (let i = at.start; ; i++) {
    i = at.source.text.indexOf('${', i);
    if (i === -1 || i >= at.end) return opens;
    opens.push(i);
  }
}

const spotOf = ({ at }: ScalarNode, open: number | undefined, offset: number): Spot =>
  open === undefined ? at : { ...at, start: open + offset };
