/**
 * Replaces expressions in nodes by their values, as far as those are known before anything is read from the account.
 *
 *   known now     variables, inputs, `each`, `stage`: their values are put into the text
 *   known later   secrets, lookups and references: the text becomes a node with parts, one of them the expression
 *   invalid       reported; the result is an expression without parts (`hasReportedProblem`), so that no other problem is reported about it
 *   absent        an optional expression (`${x?}`) without a value: the entry or item is left out, or it is a problem where a value is required
 */
import type { Reporter } from '../../model/diagnostic.ts';
import { listFew } from '../../model/fold-wordings.ts';
import { maxTextLength } from '../growth.ts';
import { quoted } from '../suggest.ts';
import {
  describeNodeType,
  type Entry,
  type Expression,
  type ExpressionNode,
  entriesOf,
  hasReportedProblem,
  isNode,
  type ListNode,
  type MapNode,
  maskNode,
  maskUnread,
  type Node,
  type ScalarNode,
  spotsIn,
  textNode,
} from '../yaml/nodes.ts';
import { isSameRange, type Spot } from '../yaml/source.ts';
import { inspectNode } from './inspect-node.ts';
import { type PathStep, parseExpressions } from './parse-expressions.ts';
import { resolveExpression } from './resolve-expression.ts';
import { absent, failed, type ResolvedValue } from './resolve-roots.ts';
import type { ExpressionScope } from './scope.ts';

/** The beginning of a list item that inserts the items of another list: `"...${var.more}"`. */
const spreadPrefix = /^\.\.\.(?=\$\{)/;

/** Returns the items `"...${var.more}"` of a list. */
const spreadsOf = ({ items }: ListNode): ScalarNode[] =>
  items.filter((item): item is ScalarNode => item.type === 'scalar' && spreadPrefix.test(item.text));

/** True for a list of nothing but `"...${var.more}"`: it puts lists together, or maps. */
export const isSpreadList = (node: Node): boolean =>
  node.type === 'list' && node.items.length > 0 && spreadsOf(node).length === node.items.length;

/** The values of the items `"...${var.more}"` of a list. */
type Spreads = ReadonlyMap<Node, Node | typeof absent>;

/** Returns a node with its expressions replaced. */
export type Expand = (node: Node) => Node;

/**
 * Creates a function which replaces expressions in one scope. A node that several places share is expanded once.
 * Inserted values are not searched for expressions again.
 */
export const expander = (scope: ExpressionScope, report: Reporter): Expand =>
  new Expander(scope, report).expand;

/** Replaces expressions in nodes; `expander` creates it. */
class Expander {
  readonly #scope: ExpressionScope;
  readonly #report: Reporter;
  readonly #done = new Map<Node, Node | typeof absent>();
  /** The node that the caller of `expand` needs, so that it cannot be left out. */
  #required: Node | undefined;

  constructor(scope: ExpressionScope, report: Reporter) {
    this.#scope = scope;
    this.#report = report.withDetails({ address: scope.block?.address });
  }

  /**
   * Returns a node of the configuration with its `${...}` replaced by their values, for callers that need a node.
   * So an optional expression (`${x?}`) without a value is reported if it is the whole node; inside a list or map,
   * its item or entry is left out.
   */
  expand: Expand = (node) => {
    this.#required = node;
    const expanded = this.#expand(node);
    if (expanded !== absent) return expanded;
    this.#report.error('expression/absent', 'there is no value, and this is required', { at: node });
    return reportedProblemNode(node.at);
  };

  /**
   * Replaces the `${...}` in a node of the configuration by their values. A node without any stays as it is. Caches
   * the result, because a node that several blocks share must stay one node and its problems must be reported once. Returns `absent` for
   * an optional expression (`${x?}`) without a value, so that its entry or item is left out.
   */
  #expand(node: Node): Node | typeof absent {
    if (!inspectNode(node, this.#scope.kinds).hasExpressions) return node;
    const cached = this.#done.get(node);
    if (cached) return cached;
    const result = this.#expandNow(node);
    this.#done.set(node, result);
    return result;
  }

  /**
   * Replaces the expressions in a node, for `#expand`, which caches the result. Returns the same node if
   * nothing changed, so that parts which several blocks share (templates, aliases) stay shared instead of
   * being stored twice. Returns `absent` for an optional expression without a value. `spreads`: the values of items such as
   * `"...${var.more}"`, which insert the items of another list.
   */
  #expandNow(node: Node): Node | typeof absent {
    if (node.type === 'list') {
      const spreads: Spreads = new Map(
        spreadsOf(node).map((item): [Node, Node | typeof absent] => [item, this.#expandSpread(item)]),
      );
      // `["...${var.a}", "...${var.b}"]` is one map if the values are maps. If only some are, `#joinMaps` reports the others.
      const hasOnlySpreads = spreads.size === node.items.length;
      if (hasOnlySpreads && [...spreads.values()].some(isMapNode)) return this.#joinMaps(node, spreads);
      const items = node.items.flatMap((item) => this.#expandItem(item, spreads));
      const isSame = items.length === node.items.length && items.every((item, i) => item === node.items[i]);
      return isSame ? node : this.#unlessTooDeep({ ...node, items });
    }
    if (node.type === 'map') {
      const entries = node.entries.flatMap((entry) => this.#expandEntry(entry));
      const isSame =
        entries.length === node.entries.length && entries.every((entry, i) => entry === node.entries[i]);
      return isSame ? node : this.#unlessTooDeep({ ...node, entries: this.#withoutDuplicates(entries) });
    }
    return node.type === 'scalar' ? this.#expandText(node) : node;
  }

  /**
   * True while the amount that expressions have produced is below the limit. Reports once that it was exceeded. Keeps a small file
   * whose expressions multiply each other from filling the memory.
   */
  #allowsGrowth({ at }: Node, amount: { text?: number; size?: number }): boolean {
    return this.#scope.growth.allows(at, amount, this.#report);
  }

  /**
   * Returns a list or map unless expressions nest it too deeply, which would exhaust the call stack later. Then the
   * problem is reported, and a node is returned that all readers skip (`hasReportedProblem`).
   */
  #unlessTooDeep(node: Node): Node {
    return this.#scope.growth.isTooDeep(node, this.#report) ? reportedProblemNode(node.at) : node;
  }

  /**
   * Returns the map with the entries of several maps, for a list of nothing but `"...${var.map}"`. Reports keys that several of the maps
   * have, because one of the values would be lost.
   */
  #joinMaps(list: ListNode, spreads: Spreads): Node {
    const values = [...spreads.values()].filter((value) => value !== absent);
    const nonMapSpread = [...spreads].find(([, value]) => value !== absent && !isMapNode(value));
    if (nonMapSpread) {
      const [item, value] = nonMapSpread as [ScalarNode, Node];
      if (!hasReportedProblem(value))
        this.#report.error(
          'expression/spread',
          `maps and ${describeNodeType(value)} cannot be put together`,
          { at: item },
        );
      return reportedProblemNode(list.at);
    }
    const entries = values.flatMap((value) => entriesOf(value));
    if (!this.#allowsGrowth(list, { size: entries.length })) return reportedProblemNode(list.at);
    const byKey = new Map<string, Entry>();
    const duplicates = entries.filter((entry) => {
      if (byKey.has(entry.key.text)) return true;
      byKey.set(entry.key.text, entry);
      return false;
    });
    if (duplicates.length === 0) return this.#unlessTooDeep({ type: 'map', at: list.at, entries });
    this.#reportCommonKeys(duplicates, byKey);
    return reportedProblemNode(list.at);
  }

  /**
   * Reports keys that more than one of several joined maps has, because it would be unclear whose value counts. `byKey`: the first entry of
   * each key.
   */
  #reportCommonKeys(duplicates: Entry[], byKey: ReadonlyMap<string, Entry>): void {
    const [first] = duplicates as [Entry];
    const names = [...new Set(duplicates.map(({ key }) => quoted(key.text)))];
    this.#report.error(
      'yaml/duplicate-key',
      `${listFew(names)} ${names.length === 1 ? 'is' : 'are'} in more than one of the maps that are put together`,
      { at: first.key, related: [{ message: 'the first one', at: byKey.get(first.key.text)!.key.at }] },
    );
  }

  /** Returns the value of `"...${x}"`, without the dots. */
  #expandSpread(item: ScalarNode): Node | typeof absent {
    const text = item.text.slice(3);
    return this.#expandText({ ...item, text, value: text });
  }

  /**
   * Returns the items that one item of a list becomes when its `${...}` are replaced. Usually that is the
   * item itself; none if it is an optional expression without a value; all items of another list for
   * `"...${var.more}"`. Reports such an expression if its value is no list, or if the list makes the configuration
   * too large. `spreads`: the values of these expressions in the list, which the caller has read already.
   */
  #expandItem(item: Node, spreads: Spreads): Node[] {
    const list = spreads.get(item);
    if (list === undefined) {
      const expanded = this.#expand(item);
      return expanded === absent ? [] : [expanded];
    }
    if (list === absent) return [];
    if (list.type === 'list') return this.#allowsGrowth(item, { size: list.items.length }) ? list.items : [];
    if (!hasReportedProblem(list)) {
      const message = `\`...\` inserts the items of a list, but this is ${describeNodeType(list)}`;
      const hint = list.type === 'map' ? 'a map can only be put together with other maps' : 'remove the dots';
      this.#report.error('expression/spread', message, { at: item, hint });
    }
    return [reportedProblemNode(item.at)];
  }

  /**
   * Returns an entry of a map with the `${...}` in its key and value replaced, as a list: an entry whose key
   * or value is an optional expression (`${x?}`) without a value is left out. If the key has no usable text,
   * the value is masked, since no reader checks whether it is a secret. An unchanged entry is returned as the
   * same object, so that it stays shared.
   */
  #expandEntry(entry: Entry): Entry[] {
    const { key, value } = entry;
    const name = key.text.includes('${') ? this.#expandKey(key) : key;
    if (name === absent) {
      maskUnread(value);
      return [];
    }
    const expanded = this.#expandValue(entry);
    if (expanded === absent) return [];
    if (name.unusable) maskNode(value);
    return name === key && expanded === value ? [entry] : [{ key: name, value: expanded }];
  }

  /**
   * Returns the value of a map entry with its `${...}` replaced; `absent` if it is optional and has no value.
   * `$secretTo` is special: its `value` is the text in which a secret is delivered that the platform shows
   * only once. There, a single name such as `${secret}` or `${id}` means a member of the platform's answer.
   */
  #expandValue({ key, value }: Entry): Node | typeof absent {
    if (key.text !== '$secretTo' || value.type !== 'map') return this.#expand(value);
    const shownExpander = new Expander({ ...this.#scope, namesShownMembers: true }, this.#report);
    const entries = value.entries.flatMap((entry) =>
      (entry.key.text === 'value' ? shownExpander : this).#expandEntry(entry),
    );
    return { ...value, entries: this.#withoutDuplicates(entries) };
  }

  /**
   * Returns a map key with its `${...}` replaced, such as the name of a block. A key whose text is known only
   * later (by a secret, for example) is reported and marked as `unusable`: keys become the addresses of
   * objects, and addresses must be known before anything is read. The same goes for the key `__proto__`. A key that
   * begins with `$` only after the replacement is marked as `isExpanded`, because it is a name and no setting.
   * Returns `absent` for an optional expression without a value.
   */
  #expandKey(key: ScalarNode): ScalarNode | typeof absent {
    const name = this.#expandText(key);
    if (name === absent) return absent;
    if (name.type === 'scalar' && name.text === '__proto__') {
      this.#report.error('yaml/key', 'this key is not allowed', { at: key });
      return { ...key, unusable: true };
    }
    if (name.type === 'scalar') return name.text.startsWith('$') ? { ...name, isExpanded: true } : name;
    const parts = name.type === 'expression' ? name.parts : [];
    const isSecret = parts.some((part) => typeof part === 'object' && part.type === 'secret');
    if (!hasReportedProblem(name))
      this.#report.error(
        isSecret ? 'secret/in-name' : 'ref/in-name',
        isSecret ? 'a name cannot contain a secret' : 'a name can only contain variables',
        { at: key, hint: 'names must be known before anything is read or created' },
      );
    return { ...key, unusable: true };
  }

  /**
   * Returns the entries of a map without those that got the key of another entry by their `${...}`, which the
   * YAML parser could not see. Each is reported, because one of the two values would be lost silently.
   */
  #withoutDuplicates(entries: Entry[]): Entry[] {
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

  /**
   * Returns a text of the configuration with its `${...}` replaced, so that readers see values. If one expression is the whole text, that
   * is its value (perhaps a map); otherwise a text, or an expression node if parts of it are known only later (secrets, references).
   * Returns `absent` for an optional expression (`${x?}`) without a value. After a report, returns a node that all readers skip.
   * `opensBefore`: see `#resolveParts`.
   */
  #expandText(node: ScalarNode, opensBefore = 0): Node | typeof absent {
    const parts = this.#resolveParts(node, opensBefore);
    if (parts.includes(failed)) return reportedProblemNode(node.at);
    const firstPart = parts[0]!;
    // Only an expression that is the whole text, and so the only part, can be absent.
    if (firstPart === absent) return absent;
    if (parts.length === 1 && typeof firstPart === 'object' && isNode(firstPart))
      return moveTo(node.at, firstPart);
    const { merged, literals } = mergeParts(parts as TextPart[]);
    const length = merged.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);
    if (length > maxTextLength) {
      this.#report.error('expression/too-long', `this text has more than ${maxTextLength} characters`, {
        at: node,
      });
      return reportedProblemNode(node.at);
    }
    if (!this.#allowsGrowth(node, { text: length })) return reportedProblemNode(node.at);
    const [singlePart] = merged;
    if (merged.length === 1 && typeof singlePart === 'string')
      return { ...textNode(singlePart, node.at), literals };
    return { type: 'expression', at: node.at, parts: merged, literals };
  }

  /**
   * Splits a text of the configuration at its `${...}`, and returns the plain texts and the values of the expressions, in order. Each
   * expression gets its own place in the file, so that a message points at the expression and not at the whole text: the expressions are
   * found in the file by the number of `${` before them. `opensBefore`: the number of `${` in the scalar before this text. It is above 0
   * only for a name in the brackets of another expression: for the text `${x}` in `${a["${x}"]}` it is 1.
   */
  #resolveParts(node: ScalarNode, opensBefore: number): (string | ResolvedValue)[] {
    const parts = parseExpressions(node.text);
    const openOffsets = offsetsOfOpens(node);
    return parts.map((part) => {
      if (typeof part === 'string') return part;
      const opensBeforePart = opensBefore + part.opensBefore;
      const openOffset = openOffsets[opensBeforePart];
      // The names in brackets follow the `${` of the expression itself. They are expanded in their order.
      let opensBeforeName = opensBeforePart + 1;
      const expressionPlace = {
        at: placeOfPart(node, openOffset, 0),
        stepAt: (step: PathStep) => placeOfPart(node, openOffset, step.start),
        isWhole: parts.length === 1,
        isOmittable: node !== this.#required,
        expandName: (text: string) => {
          const name = this.#expandNameInBrackets(node, text, opensBeforeName);
          opensBeforeName += text.split('${').length - 1;
          return name;
        },
      };
      return resolveExpression(part, expressionPlace, this.#scope, this.#report);
    });
  }

  /**
   * Returns the text of a name in the brackets of a path, with its `${...}` replaced: for `api-${input.country}` in
   * `projects["api-${input.country}"]`, `api-fr`. Returns undefined after a report if the text is not known now: if it is
   * an optional expression without a value (`absent`), or contains a secret or reference. A name must be known,
   * because it decides which object the path leads to. `node`: the whole scalar in the YAML. `opensBefore`: the number
   * of `${` in it before the name, by which a report finds its place in the file.
   */
  #expandNameInBrackets(node: ScalarNode, text: string, opensBefore: number): string | undefined {
    const name = this.#expandText({ ...node, text, value: text }, opensBefore);
    if (name !== absent && name.type === 'scalar') return name.text;
    const isReported = name !== absent && hasReportedProblem(name);
    if (!isReported)
      this.#report.error('expression/name', 'the name in brackets must be known at this point', { at: node });
    return undefined;
  }
}

const isMapNode = (value: Node | typeof absent): value is MapNode => value !== absent && value.type === 'map';

/** A part of a text after resolving it: plain text, a value that is known now, or an expression for later. */
type TextPart = string | Expression | ScalarNode | ExpressionNode;

/**
 * Joins adjacent texts in the parts of a text such as `a-${var.b}-${secret.c}`, after the expressions got
 * their values. The result is one text, or the shortest list of texts and expressions that are resolved
 * later. `literals`: the places in the YAML that the values come from, so that these can be masked in
 * messages if the text turns out to be a secret.
 */
function mergeParts(parts: TextPart[]): { merged: (string | Expression)[]; literals: Spot[] } {
  const merged: (string | Expression)[] = [];
  const literals: Spot[] = [];
  const add = (part: string | Expression) => {
    if (typeof part === 'string' && typeof merged.at(-1) === 'string') merged.push(merged.pop() + part);
    else merged.push(part);
  };
  for (const textPart of parts) {
    // Plain text, or one expression that is resolved later.
    if (typeof textPart === 'string' || !isNode(textPart)) {
      add(textPart);
      continue;
    }
    // The value of an expression: a text that is known now, or a text with expressions of its own.
    // Without duplicates: variables that multiply each other come from few places.
    for (const spot of spotsIn(textPart))
      if (!literals.some((literal) => literal.source === spot.source && isSameRange(literal, spot)))
        literals.push(spot);
    if (textPart.type === 'scalar') add(textPart.text);
    else textPart.parts.forEach(add);
  }
  return { merged, literals };
}

/** Creates the node for a text with a problem that was reported. Readers skip it (`hasReportedProblem`). */
const reportedProblemNode = (at: Spot): ExpressionNode => ({ type: 'expression', at, parts: [] });

/**
 * Returns a value with the place of the expression that it replaces, so that messages point there. The place where the value itself is
 * written is kept in `literals`: if the value is a secret, both places are masked. Lists and maps keep their own places.
 */
function moveTo(spot: Spot, value: Node): Node {
  if (value.type !== 'scalar' && value.type !== 'expression') return value;
  // An expression without parts stands for a reported problem, and is written nowhere (`reportedProblemNode`).
  const isProblem = value.type === 'expression' && value.parts.length === 0;
  return isProblem ? { ...value, at: spot } : { ...value, at: spot, literals: spotsIn(value) };
}

/**
 * Returns the offset of each `${` of a text in its file, so that messages point at the right expression. They
 * are searched in the file itself, because escapes and line breaks make offsets in the parsed text differ
 * from those in the file.
 */
function offsetsOfOpens({ at }: ScalarNode): number[] {
  const { text } = at.source;
  const opens: number[] = [];
  let open = text.indexOf('${', at.start);
  while (open !== -1 && open < at.end) {
    opens.push(open);
    open = text.indexOf('${', open + 1);
  }
  return opens;
}

/** Returns the place of a part of an expression; the place of the whole text if that of the part is unknown. */
const placeOfPart = ({ at }: ScalarNode, openOffset: number | undefined, offset: number): Spot =>
  openOffset === undefined ? at : { ...at, start: openOffset + offset };
