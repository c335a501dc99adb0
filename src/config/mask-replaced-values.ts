/*
 * Masks texts that count nowhere in this stage because another value counts instead: the value of a field that a patch replaces, the
 * default of a variable that a stage sets, the variables of other stages. If the value that counts is a secret, they are probably secrets
 * as well. Called after all values were read, since reading finds the secrets, and before any line is quoted.
 */
import { addTo } from '../model/graph.ts';
import type { Variables } from './expressions/scope.ts';
import { childrenOf, type Entry, entriesOf, maskUnread, memberOf, type Node, spotsIn } from './yaml/nodes.ts';

/** A value of a field that has no effect, and the value of a higher layer (a patch, for example) that counts instead. */
export interface ReplacedValue {
  replaced: Node;
  replacement: Node;
}

/** The parts of the files that can have values of variables. */
interface VariableParts {
  /** The sections by their names, one for each file that has them. */
  added: ReadonlyMap<string, readonly Node[]>;
  header: ReadonlyMap<string, Entry>;
}

/**
 * Masks the values of a configuration that have no effect because a secret replaces them: a field that a patch sets to `${secret.TOKEN}`,
 * or the `default` of a variable for which the stage has a secret. Such a value is probably an older or another secret, so no message may
 * quote it.
 * @param replacedFields values of fields with their replacements, those of lower layers first
 * @param parts the written values of variables
 * @param variables the values that variables have in this stage
 */
export function maskReplacedValues(
  replacedFields: readonly ReplacedValue[],
  parts: VariableParts,
  variables: Pick<Variables, 'get'>,
): void {
  // From the highest layer down, because a value that is masked here is a secret that replaces the value below it.
  for (const { replaced, replacement } of replacedFields.toReversed())
    if (isSecretOrMasked(replacement)) maskUnread(replaced);
  for (const [name, writtenValues] of valuesOfVariables(parts)) {
    const value = variables.get(name);
    if (value !== undefined && value.type !== 'missing' && isSecretOrMasked(value))
      for (const writtenValue of writtenValues) maskUnread(writtenValue);
  }
}

/**
 * Returns all values that the files have for each variable, by its name: its default, and the values of all stages. The caller masks them
 * if the value that counts in this stage is a secret.
 */
function valuesOfVariables({ added, header }: VariableParts): Map<string, Node[]> {
  const defaults = added
    .get('variables')!
    .flatMap(entriesOf)
    .map(({ key, value }) => [key.text, memberOf(value, 'default')] as const);
  const stageValues = entriesOf(header.get('stages')?.value)
    .flatMap((stage) => entriesOf(memberOf(stage.value, 'variables')))
    .map(({ key, value }) => [key.text, value] as const);
  const values = new Map<string, Node[]>();
  for (const [name, value] of [...defaults, ...stageValues]) if (value) addTo(values, name, value);
  return values;
}

/** True if a value was masked because it is a secret, or if it refers to one, such as `${secret.TOKEN}`. */
function isSecretOrMasked(node: Node): boolean {
  const namesSecret =
    node.type === 'expression' &&
    node.parts.some((part) => typeof part === 'object' && part.type === 'secret');
  if (namesSecret || childrenOf(node).some(isSecretOrMasked)) return true;
  if (node.type !== 'scalar' && node.type !== 'expression') return false;
  return spotsIn(node).some(({ source, start, end, cell }) =>
    source.isMasked(cell?.start ?? start, cell?.end ?? end),
  );
}
