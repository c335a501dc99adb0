import type { Kind, Kinds } from './kind.ts';
import { sectionPath } from './section-path.ts';

/**
 * Finds the kinds (types of objects) that a word means, for the hints of messages and for `trueup kinds NAME`: by name, else by path such as
 * `projects.env`, else by section such as `env`, else by the other words of the kind, such as `edge-config`. Case, hyphens and the
 * plural do not matter. Several kinds can have the same section.
 */
export function findKinds(kinds: Kinds, word: string): Kind[] {
  const wanted = normalWord(word);
  const wordsOfKind: ((kind: Kind) => readonly string[])[] = [
    ({ name }) => [name],
    (kind) => [sectionPath(kinds, kind), sectionPath(kinds, kind).replaceAll(/\.[A-Z_]+(?=\.)/g, '')],
    ({ section }) => [section],
    ({ otherWords = [] }) => otherWords,
  ];
  return (
    wordsOfKind
      .map((wordsOf) => [...kinds.values()].filter((kind) => wordsOf(kind).map(normalWord).includes(wanted)))
      .find((found) => found.length > 0) ?? []
  );
}

/** Returns a word in the form in which spellings of the same word are equal: `edge-configs` and `edgeConfig` are both `edgeconfig`. */
const normalWord = (word: string): string => word.toLowerCase().replaceAll(/[-_ ]/g, '').replace(/s$/, '');
