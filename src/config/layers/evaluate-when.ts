/**
 * Evaluates `$when`, which switches a layer on or off: `$when: { stage: production, var.beta: { not: true } }`. Each name in it must
 * satisfy a condition: a value, one of several values, `{ not: ... }`, or `{ set: true }`.
 */
import { type Diagnostic, Reporter } from '../../model/diagnostic.ts';
import type { Expand } from '../expressions/expand.ts';
import { parsePath } from '../expressions/parse-expressions.ts';
import { resolveExpression } from '../expressions/resolve-expression.ts';
import { absent, failed } from '../expressions/resolve-roots.ts';
import type { ExpressionScope } from '../expressions/scope.ts';
import {
  describeNodeType,
  type Entry,
  entriesOf,
  isPoisoned,
  itemsOrSelf,
  type Node,
  type ScalarNode,
} from '../yaml/nodes.ts';

/** How the names and values in a `$when` are evaluated. */
interface WhenContext {
  scope: ExpressionScope;
  expand: Expand;
  diagnostics: Diagnostic[];
}

/**
 * Returns the value of a `$when`. It is written as true, false, or a map of names that must all satisfy their conditions. Returns false
 * after a report.
 */
export function evaluateWhen(node: Node, context: WhenContext): boolean {
  const { expand, diagnostics, scope } = context;
  const report = new Reporter(diagnostics, { address: scope.block?.address });
  if (node.type === 'map') {
    // All conditions are evaluated, so that all problems are reported at once.
    return node.entries.map((entry) => matchesCondition(entry, context)).every(Boolean);
  }
  const value = expand(node);
  const word = value.type === 'scalar' ? value.text : undefined;
  if (word === 'true' || word === 'false') return word === 'true';
  if (!isPoisoned(value))
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
 * True if the value of a name in `$when` satisfies its condition: `stage: production`. A layer with `$when` applies
 * only if all its conditions are satisfied. Reports a name that is not valid, and a value that cannot be compared;
 * then the layer is off.
 */
function matchesCondition({ key, value }: Entry, context: WhenContext): boolean {
  const { scope, expand, diagnostics } = context;
  const report = new Reporter(diagnostics, { address: scope.block?.address });
  const path = parsePath(key.text);
  const expression = resolveExpression(
    'error' in path ? path : { steps: path.steps, isOptional: true },
    {
      at: key.at,
      stepAt: () => key.at,
      isWhole: true,
      expandName: () => undefined,
    },
    withoutLateValues(scope),
    diagnostics,
  );
  if (expression === failed) return false;
  if (expression === absent) return compareValue(value, undefined, expand, report);
  if (expression.type === 'scalar') return compareValue(value, expression, expand, report);
  if (readSetCondition(value) !== undefined) return compareValue(value, 'value', expand, report);
  report.error('when/name', `\`${key.text}\` is not text, so it cannot be compared`, {
    at: key,
    hint: `${key.text}: { set: true }`,
  });
  return false;
}

/** Returns a scope without secrets and lookups, because layers are merged before these have values. */
const withoutLateValues = ({ secrets: _, lookups: __, ...scope }: ExpressionScope): ExpressionScope => scope;

/** The value of a name: a scalar, `'value'` for any other value, or undefined if it has none. */
type Actual = ScalarNode | 'value' | undefined;

/**
 * True if a value satisfies the condition `node` in a `$when`: one value, a list of values, `{ not: ... }` or `{
 * set: true }`. `$when` switches a template, block or patch on or off with it. Reports conditions of another form,
 * and then returns false. `actual`: the value of the name in front of the condition.
 */
function compareValue(node: Node, actual: Actual, expand: Expand, report: Reporter): boolean {
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
    if (!isPoisoned(expected))
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
const hasValue = (actual: Actual): boolean =>
  actual !== undefined && (actual === 'value' || actual.value !== null);
