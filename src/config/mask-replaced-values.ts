/*
 * Masks texts that count nowhere in this stage because another value counts instead: the value of a field that a patch replaces, the default of a variable
 * that a stage sets, the variables of other stages. If the value that counts is a secret, they are probably secrets as well. Called after all values
 * were read, since reading finds the secrets, and before any line is quoted.
 */
import type { Variables } from './expressions/scope.ts';
import { childrenOf, type Entry, entriesOf, maskUnread, memberOf, type Node, spotsIn } from './yaml/nodes.ts';

/** A value of a field, and the value of a higher layer that counts instead. */
export interface ReplacedValue {
  replaced: Node;
  value: Node;
}

/** The parts of the files that can have values of variables. */
interface VariableParts {
  /** The sections by their names, one for each file that has them. */
  added: ReadonlyMap<string, readonly Node[]>;
  header: ReadonlyMap<string, Entry>;
}

/**
 * Masks replaced values if the value that counts is a secret. `fields`: those of fields, with the lower layers first. The values of variables are in
 * `parts`, and `variables` has those that count.
 */
export function maskReplacedValues(
  fields: readonly ReplacedValue[],
  parts: VariableParts,
  variables: Pick<Variables, 'get'>,
): void {
  for (const { replaced, value } of fields.toReversed()) if (readsSecret(value)) maskUnread(replaced);
  const declared = parts.added
    .get('variables')!
    .flatMap(entriesOf)
    .map(({ key, value }) => ({ name: key.text, value: memberOf(value, 'default') }));
  const ofStages = entriesOf(parts.header.get('stages')?.value)
    .flatMap((stage) => entriesOf(memberOf(stage.value, 'variables')))
    .map(({ key, value }) => ({ name: key.text, value }));
  const secretNames = new Map<string, boolean>();
  for (const { name, value } of [...declared, ...ofStages]) {
    if (value === undefined) continue;
    if (!secretNames.has(name)) {
      const counting = variables.get(name);
      secretNames.set(name, counting !== undefined && counting.type !== 'missing' && readsSecret(counting));
    }
    if (secretNames.get(name)) maskUnread(value);
  }
}

/** True if a value was masked because it is a secret, or names one. */
function readsSecret(node: Node): boolean {
  const namesSecret =
    node.type === 'expression' &&
    node.parts.some((part) => typeof part === 'object' && part.type === 'secret');
  if (namesSecret || childrenOf(node).some(readsSecret)) return true;
  if (node.type !== 'scalar' && node.type !== 'expression') return false;
  return spotsIn(node).some(({ source, start, end, cell }) =>
    source.isMasked(cell?.start ?? start, cell?.end ?? end),
  );
}
