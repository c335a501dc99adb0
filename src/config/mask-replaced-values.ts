/*
 * Masks texts that count nowhere in this stage because another value counts instead: the value of a field that a patch replaces, the default of a variable
 * that a stage sets, the variables of other stages. If the value that counts is a secret, they are probably secrets as well. Called when all values
 * were read, since only then it is known which are secrets, and before any line is quoted.
 */
import type { Variables } from './expressions/scope.ts';
import { type Entry, entriesOf, maskUnread, memberOf, type Node } from './yaml/nodes.ts';

/** A value of a field, and the value of a higher layer that counts instead. */
export interface ReplacedValue {
  replaced: Node;
  value: Node;
}

/** The parts of the files that can have values of variables. */
interface WrittenParts {
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
  parts: WrittenParts,
  variables: Pick<Variables, 'get'>,
): void {
  for (const { replaced, value } of fields.toReversed()) if (holdsSecret(value)) maskUnread(replaced);
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
      secretNames.set(name, counting !== undefined && counting.type !== 'missing' && holdsSecret(counting));
    }
    if (secretNames.get(name)) maskUnread(value);
  }
}

/** True if a value was masked because it is a secret, or names one. */
function holdsSecret(node: Node): boolean {
  if (node.type === 'list') return node.items.some(holdsSecret);
  if (node.type === 'map') return node.entries.some(({ value }) => holdsSecret(value));
  if (
    node.type === 'expression' &&
    node.parts.some((part) => typeof part === 'object' && part.type === 'secret')
  )
    return true;
  if (node.type !== 'scalar' && node.type !== 'expression') return false;
  return [node.at, ...(node.literals ?? [])].some(({ source, start, end, cell }) =>
    source.isMasked(cell?.start ?? start, cell?.end ?? end),
  );
}
