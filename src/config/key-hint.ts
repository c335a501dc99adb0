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
 * Returns the hint for an unknown key of a document or block. It names the sections that people mean by this word: those that belong at
 * this place, or else those of other places, with their path. A list of 80 valid keys does not help somebody who writes `dns:` into a
 * project, or `environment:` for `env:`. If the word means no section, suggests the most similar valid key, or lists valid keys; undefined
 * if there are none.
 */
export function hintForKey(key: string, { kinds, kind, validKeys }: KeyPlace): string | undefined {
  const meantKinds = findKinds(kinds, key);
  const sectionsHere = meantKinds.filter(({ parent }) => parent === kind?.name).map(({ section }) => section);
  const suggestions =
    sectionsHere.length > 0 ? sectionsHere : meantKinds.map((meantKind) => sectionPath(kinds, meantKind));
  if (suggestions.length > 0) return `did you mean ${suggestions.map((name) => `\`${name}\``).join(' or ')}?`;
  return hintFor(key, validKeys, 'valid here', kind ? `trueup kinds ${kind.name}` : 'trueup kinds');
}
