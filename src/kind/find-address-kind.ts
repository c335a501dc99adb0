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
 * Finds the kind of an object by its address alone: sections and names take turns, and each section has its number of names. Used for addresses that
 * people write without a block, such as `projects/web/env/TOKEN` in `removed:`. Returns what is wrong if no kind has such an address.
 */
export function findAddressKind(address: Address, kinds: Kinds): Kind | AddressFault {
  const parts = address.split('/');
  let kind: Kind | undefined;
  for (let index = 0; index < parts.length; ) {
    const section = parts[index]!;
    const children = childKinds(kinds, kind?.name);
    const next = children.find((child) => child.section === section);
    if (!next) {
      const placeText = kind ? `a section of ${parts.slice(0, index).join('/')}` : 'a section';
      return {
        message: `\`${unescapeName(section)}\` is not ${placeText}`,
        name: section,
        validSections: children.map((child) => child.section),
      };
    }
    const names = parts.slice(index + 1, index + 1 + next.key.length);
    if (names.length < next.key.length || names.includes(''))
      return {
        message: `the name after \`${parts.slice(0, index + 1 + names.length).join('/')}\` is missing`,
        name: '',
        validSections: [],
      };
    kind = next;
    index += 1 + next.key.length;
  }
  return kind!;
}
