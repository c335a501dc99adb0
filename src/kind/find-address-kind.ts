import { type Address, unescapeName } from '../model/address.ts';
import { childKinds } from './define-kind.ts';
import type { Kind, Kinds } from './kind.ts';

/** The reason why no kind has an address: the part that is wrong, and the sections that are valid there, if it should be one. */
export interface AddressFault {
  message: string;
  /** The wrong name, for suggestions; empty if a part is missing. */
  name: string;
  validSections: string[];
}

/**
 * Finds the kind of an object by its address alone: sections and names take turns, and each section has its number of names. Used for
 * addresses that people write without a block, such as `projects/web/env/TOKEN` in `removed:`. Returns what is wrong if no kind has such an
 * address.
 */
export function findAddressKind(address: Address, kinds: Kinds): Kind | AddressFault {
  const parts = address.split('/');
  let kind: Kind | undefined;
  for (let index = 0; index < parts.length; ) {
    const children = childKinds(kinds, kind?.name);
    const next = children.find(({ section }) => section === parts[index]);
    if (!next) return unknownSectionFault(parts.slice(0, index), parts[index]!, children);
    const end = index + 1 + next.key.length;
    const names = parts.slice(index + 1, end);
    if (names.length < next.key.length || names.includes(''))
      return missingNameFault(parts.slice(0, index + 1 + names.length));
    kind = next;
    index = end;
  }
  // A text has at least one part, so the loop has found a kind.
  return kind!;
}

/**
 * Returns the fault that a part of an address should be a section but is none. `outer`: the parts in front of it; `children`: the kinds
 * possible there.
 */
function unknownSectionFault(
  outer: readonly string[],
  part: string,
  children: readonly Kind[],
): AddressFault {
  const expected = outer.length > 0 ? `a section of ${outer.join('/')}` : 'a section';
  return {
    message: `\`${unescapeName(part)}\` is not ${expected}`,
    name: part,
    validSections: children.map(({ section }) => section),
  };
}

/** Returns the fault that an address ends, or has an empty part, where a name has to follow these parts. */
const missingNameFault = (parts: readonly string[]): AddressFault => ({
  message: `the name after \`${parts.join('/')}\` is missing`,
  name: '',
  validSections: [],
});
