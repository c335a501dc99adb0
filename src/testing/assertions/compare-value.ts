import { isText, type Node } from '../../config/yaml/nodes.ts';
import { Sealed } from '../../model/sealed.ts';
import { isHole, isPlainObject } from '../../model/value.ts';
import { show } from '../../report/show.ts';
import type { Mismatch } from './assertion.ts';

/**
 * Compares the value of a field with the expected one, as it is written in the test file. Of a map only the written members are compared,
 * so that a test need not state the others. A list must have as many items, each compared in the same way. `null` stands for a field
 * without a value. A secret or a reference is compared by its expression: `${secret.database}`. `name`: the field, for messages.
 */
export function compareWithNode(expected: Node, actual: unknown, name: string): Mismatch[] {
  if (expected.type === 'map' && isPlainObject(actual) && !isHole(actual))
    return expected.entries.flatMap(({ key, value }) =>
      compareWithNode(value, actual[key.text], `${name}.${key.text}`),
    );
  if (expected.type === 'list' && Array.isArray(actual) && expected.items.length === actual.length)
    return expected.items.flatMap((item, index) => compareWithNode(item, actual[index], `${name}[${index}]`));
  if (isEqualScalar(expected, actual)) return [];
  return [
    {
      message: `${name} differs`,
      expected: show(valueOfNode(expected)),
      actual: show(actual),
      hint:
        actual instanceof Sealed || isHole(actual)
          ? 'a secret or a reference is compared by its expression, as the configuration writes it'
          : undefined,
      spot: expected.at,
    },
  ];
}

/**
 * True if a scalar of a test file stands for the value of a field. A text may be written without quotes although it looks like a number:
 * `nodeVersion: 22`. A secret or a reference is compared by its expression.
 */
function isEqualScalar(expected: Node, actual: unknown): boolean {
  if (expected.type !== 'scalar') return false;
  if (expected.value === null) return actual === undefined || actual === null;
  if (typeof actual === 'string') return expected.text === actual;
  if (actual instanceof Sealed || isHole(actual)) return isText(expected) && expected.text === show(actual);
  return expected.value === actual;
}

/** Returns a value of a test file as plain data, to show it in the report as the expected value. */
function valueOfNode(node: Node): unknown {
  if (node.type === 'list') return node.items.map(valueOfNode);
  if (node.type === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, valueOfNode(value)]));
  if (node.type !== 'scalar') return undefined;
  return typeof node.value === 'string' ? node.text : node.value;
}
