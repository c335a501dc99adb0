import { addTo, memoize } from '../model/graph.ts';
import type { Kind, Kinds } from './kind.ts';
import { sectionPath } from './section-path.ts';

/**
 * Finds the kinds (types of objects) that a word means, for the hints of messages and for `trueup kinds NAME`: by name, else by path such
 * as `projects.env`, else by section such as `env`, else by the other words of the kind, such as `edge-config`. Case, hyphens, underscores,
 * spaces and a final `s` do not matter. Several kinds can have the same section. Empty if there is none.
 */
export function findKinds(kinds: Kinds, word: string): readonly Kind[] {
  const normalWord = toNormalWord(word);
  return (
    wordIndexesOf(kinds)
      .find((index) => index.has(normalWord))
      ?.get(normalWord) ?? []
  );
}

/** The words by which a kind is found. A kind that is found by an earlier sort hides those that a later one would find. */
const wordSorts: ((kind: Kind, kinds: Kinds) => readonly string[])[] = [
  ({ name }) => [name],
  // `projects.NAME.env` and, without the placeholder, `projects.env`.
  (kind, kinds) => [sectionPath(kinds, kind), sectionPath(kinds, kind).replaceAll(/\.[A-Z_]+(?=\.)/g, '')],
  ({ section }) => [section],
  ({ otherWords = [] }) => otherWords,
];

/** Returns the kinds by word, for each sort of words. Made once, because a configuration can have thousands of unknown keys. */
const wordIndexesOf = memoize((kinds: Kinds): ReadonlyMap<string, readonly Kind[]>[] =>
  wordSorts.map((wordsOf) => {
    const index = new Map<string, Kind[]>();
    for (const kind of kinds.values())
      for (const word of new Set(wordsOf(kind, kinds).map(toNormalWord))) addTo(index, word, kind);
    return index;
  }),
);

/** Returns a word in the form in which spellings of the same word are equal: `edge-configs` and `edgeConfig` are both `edgeconfig`. */
const toNormalWord = (word: string): string => word.toLowerCase().replaceAll(/[-_ ]/g, '').replace(/s$/, '');
