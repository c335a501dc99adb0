import { findKinds } from '../kind/find-kinds.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { sectionPath } from '../kind/section-path.ts';
import { hintFor } from './suggest.ts';

/** A place where a key is unknown: the root of a document, or a block of `kind`. */
interface KeyPlace {
  kinds: Kinds;
  kind?: Kind;
  /** The keys that are valid at this place. The hint lists the first ones if it has nothing better to say. */
  validKeys: readonly string[];
}

/**
 * Returns the hint for an unknown key of a document or block. It names the section that people mean by this word, here or at another place, because
 * a list of 80 valid keys does not help somebody who writes `dns:` into a project, or `environment:` for `env:`. Otherwise it suggests the most
 * similar valid key, or lists valid keys.
 */
export function hintForKey(key: string, { kinds, kind, validKeys }: KeyPlace): string | undefined {
  const meant = findKinds(kinds, key);
  const sectionsHere = meant.filter(({ parent }) => parent === kind?.name).map(({ section }) => section);
  const places = sectionsHere.length > 0 ? sectionsHere : meant.map((other) => sectionPath(kinds, other));
  if (places.length > 0) return `did you mean ${places.map((place) => `\`${place}\``).join(' or ')}?`;
  return hintFor(key, validKeys, 'valid here', kind ? `trueup kinds ${kind.name}` : 'trueup kinds');
}
