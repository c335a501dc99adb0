/**
 * Finds what an entry of a higher layer keeps of several lower entries of the same name, which it replaces: a patch of a variable that has
 * one value for each target, for example.
 *
 *   | lower entries                                    | a member that the new entry does not state                    |
 *   | ------------------------------------------------ | ------------------------------------------------------------- |
 *   | one                                              | is kept: the new entry is another layer of it                 |
 *   | several, and one of them is for the same targets | is kept from that one                                         |
 *   | several that agree on the member                 | is kept                                                       |
 *   | several that differ in the member                | is an error: nothing says which one is meant, and to leave it |
 *   |                                                  | out silently would lose a `type: sensitive`                   |
 */
import { Sealed } from '../../model/sealed.ts';
import type { Entry, Node } from '../yaml/nodes.ts';

/** The members of several lower entries, for one entry that replaces them. */
interface InheritedMembers {
  /** The members on which all lower entries agree. */
  common: Entry[];
  /** The names of the members in which they differ, or that only some of them have, and that the new entry does not state. */
  unclear: string[];
}

/**
 * Returns the members that an entry keeps of several lower entries which it replaces: a patch with one value for a variable that has a
 * value for each target, for example. `lowerEntries`: the members of each lower entry. `stated`: the names of the new entry's members.
 */
export function inheritMembers(
  lowerEntries: readonly Entry[][],
  stated: ReadonlySet<string>,
): InheritedMembers {
  const names = new Set(lowerEntries.flatMap((members) => members.map(({ key }) => key.text)));
  const common: Entry[] = [];
  const unclear: string[] = [];
  for (const name of names) {
    if (stated.has(name)) continue;
    const [first, ...others] = lowerEntries.map((members) => members.find(({ key }) => key.text === name));
    if (first && others.every((other) => other && isSameNode(first.value, other.value))) common.push(first);
    else unclear.push(name);
  }
  return { common, unclear };
}

/** True if two nodes mean the same, wherever they are written. */
const isSameNode = (a: Node, b: Node): boolean => a === b || formOf(a) === formOf(b);

/**
 * Returns a text that is equal for YAML nodes with the same meaning, wherever they stand, to see whether several entries agree in a member.
 * The text contains secrets, so it must not be shown.
 */
const formOf = (node: Node): string =>
  JSON.stringify(node, function (this: Record<string, unknown>, name, value: unknown) {
    if (name === 'at' || name === 'literals') return undefined;
    // `value` of a secret is already `(secret)`. The object that holds it (`this`) still has the original.
    const member = this[name];
    return member instanceof Sealed ? { sealed: member.reveal() } : value;
  });
