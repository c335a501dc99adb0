import * as z from 'zod';
import { secretEnv } from '../config/sources/verdict.ts';
import type { Host } from '../host.ts';
import type { Kinds } from '../kind/kind.ts';
import { innerOf, shapeOf, traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { addTo, byKey } from '../model/graph.ts';
import { type Live, withAlternatives } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isHole, isPlainObject } from '../model/value.ts';
import { visitDeep, visitMembers } from '../model/walk.ts';
import { mapTexts, type YamlValue } from './print-yaml.ts';

/** The family of all secrets of an export. A family is a group of secrets with one source, so that the source is declared once. */
export const secretFamily = 'env';

/** Returns the expression for a secret of the family. */
export const secretExpression = (name: string): string => `\${secret.${secretFamily}[${name}]}`;

/** Gives names to the secrets of an export, one for each value: `WEB_DATABASE_URL`. */
export interface SecretNames {
  /**
   * Returns the name of a secret, made of words such as the names of its project and its variable. Equal values have one name. A value that
   * could not be read gets a name of its own each time.
   * @param use the address of the object with the secret
   */
  nameFor(words: string[], value: Sealed | undefined, use: Address): string;
  /** Returns all named secrets, sorted by name. */
  namedSecrets(): Map<string, { value: Sealed | undefined; uses: Address[] }>;
}

/**
 * The words of each place of a secret, by its value. A value in several places is named after the words that these places have in common.
 */
type WordsByValue = ReadonlyMap<string, string[][]>;

/** A place of a secret in an export, as `nameFor` gets it. */
interface SecretPlace {
  words: string[];
  value: Sealed | undefined;
  use: Address;
}

/**
 * Collects the places of secrets while an export is written. The name of a secret depends on all of its places, so each place gets a
 * placeholder instead of a name, until all are known.
 */
export class SecretPlaces implements Pick<SecretNames, 'nameFor'> {
  readonly #places: SecretPlace[] = [];

  /** Records a place, and returns its placeholder. No name has a `#`. */
  nameFor(words: string[], value: Sealed | undefined, use: Address): string {
    return `#${this.#places.push({ words, value, use }) - 1}`;
  }

  /**
   * Returns the words for the name of each secret, by its value: the names around all places where an export writes it. The name is made
   * from some of them.
   */
  listWords(): WordsByValue {
    const wordsByValue = new Map<string, string[][]>();
    for (const { words, value } of this.#places) if (value) addTo(wordsByValue, value.reveal(), words);
    return wordsByValue;
  }

  /**
   * Returns a function to replace the placeholders of secrets in exported values by names. `names` gives the names, in the order in
   * which the places were written, because the first use of a name decides which secret gets it.
   */
  createFiller(names: Pick<SecretNames, 'nameFor'>): (value: YamlValue) => YamlValue {
    if (this.#places.length === 0) return (value) => value;
    const expressions = new Map(
      this.#places.map(({ words, value, use }, index) => [
        secretExpression(`#${index}`),
        secretExpression(names.nameFor(words, value, use)),
      ]),
    );
    return (value) => mapTexts(value, (text) => expressions.get(text) ?? text);
  }
}

/**
 * Creates the names under which an exported configuration reads its secrets (`WEB_DATABASE_URL`). Equal
 * values get one name. A value in several places is named after the words that these places end with (`wordsByValue`).
 * @param isTaken true if a secret of this name already has another value where the export is used
 */
export function createSecretNames(
  wordsByValue: WordsByValue,
  isTaken: (name: string, value: Sealed | undefined) => boolean,
): SecretNames {
  const used = new Map<string, { value: Sealed | undefined; uses: Address[] }>();
  const nameByText = new Map<string, string>();
  /** Returns a name that no other value has, such as `WEB_DATABASE_URL` for the words `web` and `DATABASE_URL`. */
  const freeName = (words: string[], value: Sealed | undefined): string => {
    const preferred = toVariableName(words);
    const isFree = (candidate: string) => !used.has(candidate) && !isTaken(candidate, value);
    // Where the export is used, the variable of the preferred name has another value.
    const base = isTaken(preferred, value) ? `EXPORTED_${preferred}` : preferred;
    let name = base;
    for (let count = 2; !isFree(name); count++) name = `${base}_${count}`;
    return name;
  };
  return {
    nameFor(words, value, use) {
      const text = value?.reveal();
      const existingName = text === undefined ? undefined : nameByText.get(text);
      const wordsOfPlaces = (text && wordsByValue.get(text)) || [];
      const name = existingName ?? freeName(commonEnd(wordsOfPlaces) ?? words, value);
      if (text !== undefined) nameByText.set(text, name);
      used.set(name, { value, uses: [...(used.get(name)?.uses ?? []), use] });
      return name;
    },
    namedSecrets: () => new Map([...used].sort(byKey)),
  };
}

/** Returns words as the name of an environment variable: in upper case and joined by `_`, with a letter in front. */
function toVariableName(words: string[]): string {
  const text = words.map(toNamePart).filter(Boolean).join('_').toUpperCase();
  return /^[A-Z]/.test(text) ? text : `SECRET_${text}`;
}

const toNamePart = (word: string) => word.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');

/**
 * Returns the words that several lists end with; undefined if there are none. `trueup export` names a secret after them if several objects
 * use it.
 */
function commonEnd([first, ...otherLists]: string[][]): string[] | undefined {
  if (!first || otherLists.length === 0) return undefined;
  const isShared = (index: number) => otherLists.every((words) => words.at(-index) === first.at(-index));
  let length = 0;
  while (length < first.length && isShared(length + 1)) length++;
  return length === 0 ? undefined : first.slice(-length);
}

/**
 * Returns a predicate for names of secrets: true if the environment variable of that name is set to another value, or to any value if that
 * of the secret is unknown. An export then chooses another name, because a plan would read the wrong secret.
 */
export const hasOtherValueIn =
  ({ env }: Pick<Host, 'env'>) =>
  (name: string, value: Sealed | undefined): boolean => {
    const existing = env[exportedSecretEnv(name)];
    return existing !== undefined && (value === undefined || existing !== value.reveal());
  };

/**
 * Returns the environment variable that gives an exported secret its value. `name`: the name of the secret in the family of exported
 * secrets.
 */
export const exportedSecretEnv = (name: string): string => secretEnv(`${secretFamily}[${name}]`);

/**
 * Lists the fields that an export writes unchanged although they could contain a secret: open JSON, texts under names that the user chooses
 * (headers), conditions that let a request in, and URLs with credentials, a query or a token. Used to warn before the export is committed.
 *
 * The entries are `ADDRESS (FIELD)`, sorted. Of several objects with one name, all are checked, because any may be the one that is written.
 * @param isChosen true for a field that is written, by the live address of its object
 * @param newAddresses the addresses in the export of objects that have no names of their own
 */
export function findPossibleSecrets(
  { resources }: Live,
  kinds: Kinds,
  isChosen: (address: Address, field: string) => boolean = () => true,
  newAddresses: ReadonlyMap<Address, Address> = new Map(),
): string[] {
  const entries = withAlternatives([...resources.values()]).flatMap(({ address, kind, fields }) =>
    Object.entries(kinds.get(kind)!.fields)
      .filter(([name, schema]) => isChosen(address, name) && mayHoldSecretValue(schema, fields[name]))
      .map(([name]) => `${newAddresses.get(address) ?? address} (${name})`),
  );
  // Objects with one name have one address.
  return [...new Set(entries)].sort();
}

/**
 * True if a value could contain a secret that its schema does not declare as one. `trueup export` asks the user to check such fields before
 * a commit. Looks at members and items with their own schemas.
 */
function mayHoldSecretValue(schema: z.ZodType, value: unknown): boolean {
  if (value === undefined || value === null || value instanceof Sealed || isHole(value)) return false;
  // A declared secret is not written in the clear.
  if (traitsOf(schema).secret) return false;
  const inner = innerOf(schema);
  if (inner) return mayHoldSecretValue(inner, value);
  // Nothing describes such a value, so only the length of its texts is a sign.
  if (schema instanceof z.ZodAny || schema instanceof z.ZodUnknown) return textsIn(value).some(isLong);
  if (schema instanceof z.ZodUnion)
    return (schema.options as z.ZodType[]).some((option) => mayHoldSecretValue(option, value));
  if (typeof value === 'string') return mayUrlHoldSecret(value);
  const { element, valueType } = schema.def as { element?: z.ZodType; valueType?: z.ZodType };
  if (Array.isArray(value))
    return element !== undefined && value.some((item) => mayHoldSecretValue(element, item));
  if (!isPlainObject(value)) return false;
  // `findPossibleSecret` returns the part of an object that may be secret by its other members.
  if (textsIn(traitsOf(schema).findPossibleSecret?.(value as Fields)).some(isLong)) return true;
  const shape = shapeOf(schema);
  return Object.entries(value).some(([name, item]) => {
    const member = shape?.[name] ?? valueType;
    // In a map with free names, any text may be a token.
    const isOpenText = !shape && typeof item === 'string' && member && !traitsOf(member).secret;
    return isOpenText ? isLong(item) : member !== undefined && mayHoldSecretValue(member, item);
  });
}

/**
 * Returns all texts in a value, at any depth, but no keys. Used for values without a schema, and for parts of
 * others that may be secret (`findPossibleSecret`): a field with a long text there is reported as a possible secret.
 */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  visitDeep(value, (node) => {
    if (typeof node === 'string') texts.push(node);
    return Array.isArray(node) || isPlainObject(node) ? visitMembers : undefined;
  });
  return texts;
}

/** True for a text that is long enough for a secret. */
const isLong = (text: string): boolean => text.length >= 8;

/**
 * True for a URL with a user name or password (`https://me:pw@host`), a long query value (`?token=12345678`),
 * or a path segment that looks like a token. `trueup export` asks the user to check such fields for secrets.
 */
function mayUrlHoldSecret(text: string): boolean {
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (!isUrl) return false;
  const hasUser = /^[^/]*\/\/[^/]*@/.test(text);
  const hasLongQueryValue = /[?&][^=&]+=[^&]{8,}/.test(text);
  if (hasUser || hasLongQueryValue) return true;
  const looksLikeToken = (part: string) => /^(?=.*\d)(?=.*[a-z])[\w-]{20,}$/i.test(part);
  return text.split(/[/?&=#]/).some(looksLikeToken);
}
