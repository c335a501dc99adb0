import type { Address } from '../model/address.ts';
import { addTo, byKey } from '../model/graph.ts';
import type { Sealed } from '../model/sealed.ts';

/** All secrets of an export belong to one family, so that their source is declared once. */
export const secretFamily = 'env';

/** Returns the expression for a secret of the family. */
export const secretExpression = (name: string): string => `\${secret.${secretFamily}[${name}]}`;

/** Names for secrets that are found, one for each value: `WEB_DATABASE_URL`. */
export interface SecretNames {
  /**
   * A name made of these words. Equal values that were read have one name; a value that was not read has one of its own each time, even
   * of the same words. `use`: whose value it is.
   */
  nameFor(words: string[], value: Sealed | undefined, use: Address): string;
  /** By name, in order. */
  namedSecrets(): Map<string, { value: Sealed | undefined; uses: Address[] }>;
}

/** The words under which each value is found: where several have one, it is called after what these have in common. */
export type WordsByValue = Map<string, string[][]>;

/** Names nothing yet: it notes under which words each value is found. */
export const createWordCollector = (found: WordsByValue): Pick<SecretNames, 'nameFor'> => ({
  nameFor(words, value) {
    const text = value?.reveal();
    if (text !== undefined) addTo(found, text, words);
    return '';
  },
});

/** `isTaken`: whether a secret of this name would be read as something else than this value. */
export function createSecretNames(
  found: WordsByValue,
  isTaken: (name: string, value: Sealed | undefined) => boolean,
): SecretNames {
  const used = new Map<string, { value: Sealed | undefined; uses: Address[] }>();
  const byValue = new Map<string, string>();
  const freeName = (words: string[], value: Sealed | undefined): string => {
    const text = words.map(toNamePart).filter(Boolean).join('_').toUpperCase();
    const named = /^[A-Z]/.test(text) ? text : `SECRET_${text}`;
    const isFree = (candidate: string) => !used.has(candidate) && !isTaken(candidate, value);
    const base = isTaken(named, value) ? `EXPORTED_${named}` : named;
    let name = base;
    for (let count = 2; !isFree(name); count++) name = `${base}_${count}`;
    return name;
  };
  return {
    nameFor(words, value, use) {
      const text = value?.reveal();
      const existingName = text === undefined ? undefined : byValue.get(text);
      const name = existingName ?? freeName(commonEnd((text && found.get(text)) || []) ?? words, value);
      if (text !== undefined) byValue.set(text, name);
      used.set(name, { value, uses: [...(used.get(name)?.uses ?? []), use] });
      return name;
    },
    namedSecrets: () => new Map([...used].sort(byKey)),
  };
}

const toNamePart = (word: string) => word.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');

/** The words that several lists end with; undefined if these are none. */
function commonEnd([first, ...otherLists]: string[][]): string[] | undefined {
  if (!first || otherLists.length === 0) return undefined;
  const isShared = (index: number) => otherLists.every((words) => words.at(-index) === first.at(-index));
  let length = 0;
  while (length < first.length && isShared(length + 1)) length++;
  return length === 0 ? undefined : first.slice(-length);
}
