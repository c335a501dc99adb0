/**
 * The entries of `removed:` in the header of a configuration. Each says what happens to an object whose block is gone:
 *
 *   | entry                                      | the object, with everything in it                                |
 *   | ------------------------------------------ | ---------------------------------------------------------------- |
 *   | `{ at, delete: true }`                     | is deleted, also if it is a container such as a project          |
 *   | `{ at, delete: true, objects: 15 }`        | likewise; up to 15 objects do not count for the usual limits     |
 *   | `{ at, delete: false }`                    | is released: it stays in the account, and is not managed any more |
 *   | none                                       | a container is released, anything else is deleted                |
 */

import type { Address } from './address.ts';
import type { Position } from './diagnostic.ts';

/** An entry of `removed:`. */
export interface Removal {
  address: Address;
  kind: string;
  /** False: the object is released. */
  deletes: boolean;
  /** The most objects that the entry may delete, with the one at its address. Absent: they count for the usual limits. */
  objects?: number | undefined;
  at: Position;
}

/**
 * Formats an entry of `removed:` as one item of its list, for hints that people paste: `- { at: projects/old, delete: true, objects: 15 }`.
 */
export const formatRemoval = ({
  address,
  deletes,
  objects,
}: Pick<Removal, 'address' | 'deletes' | 'objects'>): string =>
  `- { at: ${yamlScalar(address)}, delete: ${deletes}${objects === undefined ? '' : `, objects: ${objects}`} }`;

/** Returns an address as a scalar inside `{ }` of YAML: quoted if it has a character with a meaning there. */
const yamlScalar = (address: Address): string =>
  /^[\w][\w./%@-]*$/.test(address) && !address.endsWith('/') ? address : JSON.stringify(address);
