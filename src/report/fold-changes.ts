import type { Address } from '../model/address.ts';
import { type Change, type FieldChange, isHiddenSide } from '../model/change.ts';
import { byText, groupBy } from '../model/graph.ts';
import { memoize } from '../model/memoize.ts';
import { addressOfWhole, contentKeyOf, countOf, unitSuffixOf, wholesOf } from '../model/wholes.ts';
import { displayWidth } from './cut.ts';
import { fieldsOf, secretText } from './field-text.ts';
import { jsonValue } from './json-value.ts';
import { patternFor } from './pattern-for.ts';
import { show } from './show.ts';

/** One entry of a report: one change, as people count them, or several that read alike. */
export interface Entry {
  /** Each with its units, such as the targets of a variable. */
  wholes: Change[][];
  /** The text that stands for all of them. */
  change: Change;
  /** The fields whose values are not the same in all of them. */
  varied: ReadonlySet<string>;
  /** As `--target` reads it, it matches exactly these among the changes of the plan. Absent for a single one. */
  pattern?: string;
}

interface Fold {
  /** The addresses that some request is about. */
  sent: { has(address: Address): boolean };
  /** All addresses of the plan, also those that do not change. */
  all: readonly Address[];
  /** Each change stands for itself. */
  isFull?: boolean;
}

/** So many that read alike are one entry; fewer are as quickly read. */
const least = 3;
/** So many are one entry although both names and values differ. */
const many = 8;

/**
 * Decides which changes are told as one: those of one kind with equal fields, shown values, grade and cause. A report only draws what this
 * decides. Objects of one name in many parents come before different names; what is made is told as one also where values differ, since
 * nothing is compared. Secrets count as what is shown of them. Entries are in the order of their first changes.
 */
export function foldChanges(changes: readonly Change[], { sent, all, isFull = false }: Fold): Entry[] {
  const wholes = wholesOf(changes);
  const signOf = memoize(([change, ...others]: Change[]) => {
    const places = [change!, ...others].map(({ address }) => unitSuffixOf(address)).sort();
    return [change!.kind, sent.has(change!.address), places, contentKeyOf({ ...change!, fields: [] })];
  });
  const told = memoize(([change]: Change[]) =>
    fieldsOf(change!).map((field) => [field.path, field.cause, field.replaces, shownOf(field)]),
  );
  const ownName = ([change]: Change[]) =>
    change!.parent === undefined ? [] : addressOfWhole(change!.address).slice(change!.parent.length);
  const paths = (changes: Change[]) => fieldsOf(changes[0]!).map(({ path }) => path);
  const passes: Pass[] = [
    { alike: (changes) => [signOf(changes), ownName(changes), told(changes)], isEntry: isLarge },
    {
      alike: (changes) => [signOf(changes), ownName(changes), paths(changes)],
      isEntry: (group) => isLarge(group) && isMade(group) && group[0]![0]!.parent !== undefined,
    },
    {
      alike: (changes) => [signOf(changes), told(changes)],
      isEntry: (group) => isLarge(group) && (!isMade(group) || isSpread(group)),
    },
    {
      alike: (changes) => [signOf(changes), paths(changes)],
      isEntry: (group) => isMade(group) && isSpread(group) && group.length >= many,
    },
  ];
  let single = wholes;
  const folded: Change[][][] = [];
  for (const { alike, isEntry } of isFull ? [] : passes) {
    const groups = [...groupBy(single, (changes) => JSON.stringify(alike(changes))).values()].filter(isEntry);
    folded.push(...groups);
    const taken = new Set(groups.flat());
    single = single.filter((changes) => !taken.has(changes));
  }
  const place = new Map(changes.map(({ address }, index) => [address, index]));
  return [...folded, ...single.map((changes) => [changes])]
    .map((group) => entryOf(group, all))
    .sort((a, b) => place.get(a.change.address)! - place.get(b.change.address)!);
}

/** One way in which changes are alike, and the groups of them that become one entry. */
interface Pass {
  alike(whole: Change[]): unknown;
  isEntry(group: Change[][]): boolean;
}

const isLarge = (group: Change[][]): boolean => group.length >= least;

/** Made and nothing else: there is no value to compare with. */
const isMade = ([whole]: Change[][]): boolean =>
  whole![0]!.action === 'create' && whole![0]!.grade === 'safe';

/** Different names count for nothing where each stands in a parent of its own, or in none; in one parent they are what one reads. */
const isSpread = (group: Change[][]): boolean => {
  const parents = new Set(group.map(([change]) => change!.parent));
  return parents.has(undefined) || parents.size >= least;
};

function entryOf(changes: Change[][], addresses: readonly Address[]): Entry {
  const [change] = changes[0]! as [Change];
  if (changes.length === 1) return { wholes: changes, change, varied: new Set() };
  const pattern = patternFor(
    changes.flat().map(({ address }) => address),
    addresses,
  );
  const varied = fieldsOf(change).filter((field) => {
    const differs = (fieldChange: FieldChange) =>
      fieldChange.path === field.path && shownOf(fieldChange) !== shownOf(field);
    return changes.some(([one]) => fieldsOf(one!).some(differs));
  });
  return {
    wholes: changes,
    change,
    varied: new Set(varied.map(({ path }) => path)),
    ...(pattern === undefined ? {} : { pattern }),
  };
}

/** All that may be shown of a field's values: of secrets that they are some, never that two are equal. */
const shownOf = (field: FieldChange): string =>
  JSON.stringify(
    [field.before, field.after].map((value) => (isHiddenSide(field, value) ? '(secret)' : jsonValue(value))),
  );

/** A number of adopted objects of a kind, of which there is nothing more to say. */
export interface Adopted {
  kind: string;
  number: number;
}

/**
 * Takes out the adoptions of which there is nothing to tell, since nothing is sent and nothing differs: where they are many, their number
 * says it all.
 */
export function splitAdopted(
  changes: readonly Change[],
  { sent, isFull = false }: Pick<Fold, 'sent' | 'isFull'>,
): { adopted: Adopted[]; others: Change[] } {
  const isPlain = ({ action, address, reason, fields, grade, outside }: Change) =>
    action === 'adopt' &&
    !sent.has(address) &&
    reason === undefined &&
    !outside &&
    grade === 'safe' &&
    fields.every(({ cause }) => cause === 'recorded');
  const kinds = [...groupBy(isFull ? [] : changes.filter(isPlain), ({ kind }) => kind)]
    .map(([kind, of]) => ({ kind, of, number: countOf(of) }))
    .filter(({ number }) => number >= least);
  const taken = new Set(kinds.flatMap(({ of }) => of));
  return {
    adopted: kinds.map(({ kind, number }) => ({ kind, number })),
    others: changes.filter((change) => !taken.has(change)),
  };
}

/** `60 projects adopted as they are`. */
export const adoptedText = ({ kind, number }: Adopted): string =>
  `${number} ${plural(kind)} adopted as they are`;

function plural(kind: string): string {
  if (/[^aeiou]y$/.test(kind)) return `${kind.slice(0, -1)}ies`;
  if (/(?:ss|as|x|ch)$/.test(kind)) return `${kind}es`;
  // Some names are plural already: `bulkRedirects`.
  return kind.endsWith('s') ? kind : `${kind}s`;
}

const fewValues = 3;

/**
 * The values of a field that are not the same in all changes of an entry: the first ones, and how many others there are. `room`: as many
 * as fit there.
 */
export function variedText({ wholes }: Entry, path: string, room = 100): string {
  const values = wholes.map(([one]) => {
    const field = fieldsOf(one!).find((field) => field.path === path)!;
    const value = field.after === undefined ? field.before : field.after;
    return isHiddenSide(field, value) ? secretText(field) : show(value);
  });
  const different = [...new Set(values)];
  const told = (number: number) => {
    const more = different.length - number;
    return `${different.slice(0, number).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  };
  const texts = Array.from({ length: Math.min(fewValues, different.length) }, (_, index) =>
    told(index + 1),
  ).reverse();
  return texts.find((text) => displayWidth(text) <= room) ?? `${different.length} different values`;
}

/** The places of one change that has several, such as the targets of a variable; otherwise none. */
export const placesOf = (changes: readonly Change[]): string[] =>
  changes.length === 1 ? [] : changes.map(({ address }) => unitSuffixOf(address)).sort(byTarget);

const targets = ['production', 'preview', 'development'];
const rank = (place: string) => targets.indexOf(place) + 1 || 4;
const byTarget = (a: string, b: string) => rank(a) - rank(b) || byText(a, b);

/** The name of one change: `projects/web/env/API_URL`, with its places beside it where there are several. */
export const nameOf = ([change, ...others]: readonly Change[]): Address =>
  others.length === 0 ? change!.address : addressOfWhole(change!.address);

const named = 3;

/** The name of an entry: of several the pattern, or the first names and how many more there are. */
export function namesOf({ wholes, pattern }: Entry): { count?: number; name: string; places: string[] } {
  const places = placesOf(wholes[0]!);
  if (wholes.length === 1) return { name: nameOf(wholes[0]!), places };
  // Where the pattern tells the places, they are not said again.
  if (pattern !== undefined)
    return { count: wholes.length, name: pattern, places: pattern === addressOfWhole(pattern) ? places : [] };
  const shown = wholes.slice(0, named).map(nameOf);
  const more = wholes.length - shown.length;
  return {
    name:
      more > 0
        ? `${shown.join(', ')} and ${more} more`
        : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`,
    places,
  };
}

/** The object without a parent that all changes of an entry are in, such as `projects/web`, if it is one. */
export function rootOf({ wholes }: Entry): Address | undefined {
  const roots = new Set(wholes.flat().map(({ address }) => address.split('/').slice(0, 2).join('/')));
  return roots.size === 1 ? [...roots][0] : undefined;
}
