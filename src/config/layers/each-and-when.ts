/**
 * Reads `$each` and `$when`, which decide how many instances of an entry there are, and whether a layer (a template, a block or a patch)
 * or an entry of `removed:` applies: `$when: { stage: production, var.beta: { not: true } }`.
 *
 *   member      an item of the list in `$each`, or an entry of its map. `${each.key}` and `${each.value}` stand for it in the instance.
 *   condition   what a name in `$when` must satisfy: a value, one of several values, `{ not: ... }`, or `{ set: true }`
 */
import type { Reporter } from '../../model/diagnostic.ts';
import type { Expand } from '../expressions/expand.ts';
import { parsePath } from '../expressions/parse-expressions.ts';
import { resolveExpression } from '../expressions/resolve-expression.ts';
import { absent, failed } from '../expressions/resolve-roots.ts';
import type { Each, ExpressionScope } from '../expressions/scope.ts';
import {
  containsReportedProblem,
  describeNodeType,
  type Entry,
  entriesOf,
  hasReportedProblem,
  itemsOrSelf,
  type Node,
  type ScalarNode,
} from '../yaml/nodes.ts';

/** The members of a `$each`. `isComplete`: false if some could not be determined, which was reported. */
interface EachMembers {
  members: Each[];
  isComplete: boolean;
}

/**
 * Returns the members of the value of `$each`, a map or a list: the entry with the `$each` is repeated for
 * each of them, and `${each.key}` and `${each.value}` stand for the member. A scalar item of a list is its
 * own key; maps and lists in a list have none. Reports values that cannot be members, and leaves them out.
 * `outer`: the member of the `$each` around this one.
 */
export function readEachMembers(
  node: Node,
  expand: Expand,
  outer: Each | undefined,
  report: Reporter,
): EachMembers {
  const collection = expand(node);
  if (collection.type === 'map') {
    const entries = collection.entries.filter(({ key }) => hasKeyText(key, report));
    return {
      members: entries.map(({ key, value }) => ({ key, value, outer })),
      isComplete: entries.length === collection.entries.length,
    };
  }
  if (collection.type === 'list') {
    const items = readItems(collection.items, report);
    return {
      members: items.map((item) => ({ key: item.type === 'scalar' ? item : undefined, value: item, outer })),
      isComplete: items.length === collection.items.length,
    };
  }
  if (!hasReportedProblem(collection))
    report.error('each/value', `\`$each\` must be a list or a map, not ${describeNodeType(collection)}`, {
      at: node,
      hint: '$each: "${var.sites}"',
    });
  return { members: [], isComplete: false };
}

/**
 * Returns the items of a list in `$each` that can be its members; one resource is created for each. Reports
 * empty and duplicate items, because their resources would have no name or the same name, and items that
 * contain secrets or references, because only a plan has their values.
 */
function readItems(items: Node[], report: Reporter): Node[] {
  const itemByText = new Map<string, Node>();
  for (const item of items) {
    const isInvalid = containsReportedProblem(item) || (item.type === 'scalar' && !hasKeyText(item, report));
    if (isInvalid) continue;
    const text = comparableNodeText(item);
    const equalItem = text === undefined ? undefined : itemByText.get(text);
    if (text === undefined)
      report.error('each/member', '`$each` members must be known before the plan', {
        at: item,
        hint: 'they cannot be secrets or references',
      });
    else if (equalItem)
      report.error('each/twice', 'duplicate member', {
        at: item,
        hint: 'both would make the same entry',
        related: [{ message: 'the first one', at: equalItem.at }],
      });
    else itemByText.set(text, item);
  }
  return [...itemByText.values()];
}

/** True if the key of a `$each` member is not empty. Reports an empty one, because a name with `${each.key}` would be incomplete. */
function hasKeyText(key: ScalarNode, report: Reporter): boolean {
  if (key.text === '')
    report.error('each/no-key', 'this `$each` member has an empty key', {
      at: key,
      hint: 'give it a name, or remove it',
    });
  return key.text !== '';
}

/**
 * Returns a text that is equal for equal values in any order of keys. Used to find duplicate members of a `$each`, and a template that a
 * block uses twice with different inputs. Undefined if the value contains a secret or reference, because only a plan has its value.
 */
export function comparableNodeText(node: Node): string | undefined {
  if (node.type === 'scalar') return JSON.stringify([typeof node.value, node.text]);
  if (node.type === 'list') return joinComparableTexts('[', node.items.map(comparableNodeText));
  if (node.type === 'map')
    return joinComparableTexts(
      '{',
      [...node.entries]
        .sort((a, b) => (a.key.text < b.key.text ? -1 : 1))
        .map(({ key, value }) => {
          const text = comparableNodeText(value);
          return text === undefined ? undefined : `${JSON.stringify(key.text)}:${text}`;
        }),
    );
  return undefined;
}

/**
 * Returns the comparable text of a list or map (see `comparableNodeText`) from the texts of its members; undefined if one of them is.
 * `sign`: the first character.
 */
const joinComparableTexts = (sign: string, texts: (string | undefined)[]): string | undefined =>
  texts.includes(undefined) ? undefined : `${sign}${texts.join(',')}`;

/**
 * Returns the end of a message about an entry that was created for a member of `$each`: it names that member.
 * Empty for other entries, and for a member without a key.
 */
export const memberNote = (each: { key?: ScalarNode } | undefined): string =>
  each?.key ? `, here for the member \`${each.key.text}\` of \`$each\`` : '';

/** How the names and values in a `$when` are evaluated. */
interface WhenContext {
  scope: ExpressionScope;
  expand: Expand;
  report: Reporter;
}

/**
 * Returns whether the `$when` of a layer (a template, a block or a patch) or of an entry of `removed:` switches it on. A `$when` is true,
 * false, an expression with one of these values, or a map of conditions that must all be satisfied, such as
 * `{ stage: production, var.geo: { set: true } }`. Returns false after a report about the value itself. A map with a reported condition may
 * count as satisfied (see `compareValue`).
 */
export function evaluateWhen(node: Node, context: WhenContext): boolean {
  const { expand, scope } = context;
  const report = context.report.withDetails({ address: scope.block?.address });
  if (node.type === 'map') {
    // All conditions are evaluated, so that all problems are reported at once.
    return node.entries.map((entry) => matchesCondition(entry, context)).every(Boolean);
  }
  const value = expand(node);
  const word = value.type === 'scalar' ? value.text : undefined;
  if (word === 'true' || word === 'false') return word === 'true';
  if (!hasReportedProblem(value))
    report.error(
      'when/value',
      `\`$when\` must be true, false, or a map of names, not ${describeNodeType(value)}`,
      {
        at: node,
        hint: '$when: { stage: [production, staging] }, { input.geo: true }, { var.x: { not: y } }, { each.value.x: { set: true } }',
      },
    );
  return false;
}

/**
 * True if one entry of a `$when`, such as `stage: production`, is satisfied: its key is a path like that of an expression (`stage`,
 * `var.geo`, `each.value.x`), and its value is the condition. A `$when` is satisfied only if all of its entries are. Reports an invalid
 * path, and a name that has no text to compare, and returns false.
 */
function matchesCondition({ key, value: condition }: Entry, context: WhenContext): boolean {
  const { scope, expand } = context;
  const report = context.report.withDetails({ address: scope.block?.address });
  const actual = resolveCondition(key, scope, report);
  if (actual === failed) return false;
  // A list or a map has no text to compare. A condition can only ask if it is set.
  if (actual === 'no-scalar' && readSetCondition(condition) === undefined) {
    report.error('when/name', `\`${key.text}\` is not text, so it cannot be compared`, {
      at: key,
      hint: `${key.text}: { set: true }`,
    });
    return false;
  }
  return compareValue(condition, actual, expand, report);
}

/**
 * Returns the value of the name in a condition of a `$when`, such as `var.geo`, to compare it with the condition: the scalar, `no-scalar`
 * for a list or map, undefined without a value, `failed` after a report.
 */
function resolveCondition(
  key: ScalarNode,
  scope: ExpressionScope,
  report: Reporter,
): ActualValue | typeof failed {
  const path = parsePath(key.text);
  const value = resolveExpression(
    // A name without a value is no error here: conditions can ask for that.
    'error' in path ? path : { steps: path.steps, isOptional: true },
    { at: key.at, stepAt: () => key.at, isWhole: true, isOmittable: true, expandName: () => undefined },
    withoutLateValues(scope),
    report,
  );
  if (value === failed) return failed;
  if (value === absent) return undefined;
  return value.type === 'scalar' ? value : 'no-scalar';
}

/** Returns a scope without secrets and lookups, because layers are merged before these have values. */
export const withoutLateValues = ({ secrets: _, lookups: __, ...scope }: ExpressionScope): ExpressionScope =>
  scope;

/** The value of a name: a scalar, `no-scalar` for any other value, or undefined if it has none. */
type ActualValue = ScalarNode | 'no-scalar' | undefined;

/**
 * True if a value satisfies one condition of a `$when`, such as `production` in `{ stage: production }`. `node` is the condition: a value,
 * a list of allowed values, `{ not: ... }` or `{ set: true }`. `actual` is the value of the name, here of the stage. Reports a condition
 * of another form, and counts it as not matching. So a `{ not: ... }` around it matches, and so does a list with another matching item.
 */
function compareValue(node: Node, actual: ActualValue, expand: Expand, report: Reporter): boolean {
  if (node.type === 'map') {
    const [entry, otherEntry] = node.entries;
    const set = readSetCondition(node);
    if (set !== undefined) return set === hasValue(actual);
    if (entry?.key.text === 'not' && !otherEntry) return !compareValue(entry.value, actual, expand, report);
    report.error('when/value', 'this must be a value, a list of values, `{ not: ... }` or `{ set: true }`', {
      at: node,
    });
    return false;
  }
  return itemsOrSelf(node).some((expectedNode) => {
    const expected = expand(expectedNode);
    if (expected.type === 'scalar') return typeof actual === 'object' && expected.text === actual.text;
    if (!hasReportedProblem(expected))
      report.error('when/value', `${describeNodeType(expected)} cannot be compared`, { at: expectedNode });
    return false;
  });
}

/**
 * Returns the boolean of the condition `{ set: BOOLEAN }`, which asks if a name has a value; undefined for any other
 * condition. It is the only condition that a list or a map can satisfy.
 */
function readSetCondition(node: Node): boolean | undefined {
  const [entry, otherEntry] = entriesOf(node);
  if (entry?.key.text !== 'set' || otherEntry || entry.value.type !== 'scalar') return undefined;
  return typeof entry.value.value === 'boolean' ? entry.value.value : undefined;
}

/** True if a name has a value that is not null. */
const hasValue = (actual: ActualValue): boolean =>
  actual !== undefined && (actual === 'no-scalar' || actual.value !== null);
