import { byText } from './graph.ts';

/**
 * The place of a resource in the YAML, and its identity everywhere: sections and names in turn, joined by `/`. For
 * example `projects/web/domains/www.example.com`; a kind with one object per parent ends in its section:
 * `projects/web/firewall`.
 */
export type Address = string;

// `/` separates, `%` escapes, `@` separates a unit from its name, the others mean something in a glob or a shell.
const special = /[/%*?[\]{}()!,@\p{Cc}]/gu;

/**
 * Escapes a name for an address, so that a `/` in it separates nothing: `a/b` becomes `a%2Fb`, `*` becomes `%2A`. An
 * `@` in front stays, so that the record for a whole domain reads `records/@/A`.
 */
export function escapeName(name: string): string {
  const escaped = (text: string) =>
    text.replace(special, (char) =>
      [...new TextEncoder().encode(char)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    );
  return name.startsWith('@') ? `@${escaped(name.slice(1))}` : escaped(name);
}

/**
 * Returns the name behind an escaped name of an address, to show it to people or to write it into YAML; also used for words of a path. Text
 * with an invalid escape is returned unchanged.
 */
export function unescapeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns the unescaped name at the end of an address: `a/b` for `projects/a%2Fb`. Used to show objects to people. */
export const lastNameOf = (address: Address): string =>
  unescapeName(address.slice(address.lastIndexOf('/') + 1));

/**
 * Returns the address of a resource: its parent's address, its section, and its names, as in `projects/web/env/TOKEN`. A plan compares the
 * block, the live object and the ledger entry that have equal addresses. `names`: escaped already (`escapeName`).
 */
export function addressOf(parent: Address | undefined, section: string, names: string[]): Address {
  let address = parent === undefined ? section : `${parent}/${section}`;
  for (const name of names) address += `/${name}`;
  return address;
}

/** True if `address` is `ancestor` or below it. */
export function isWithin(address: Address, ancestor: Address): boolean {
  return address === ancestor || address.startsWith(`${ancestor}/`);
}

/**
 * True if one of `ancestors` is `address` or above it. Used to tell, for example, that a deletion of `projects/web` also deletes
 * `projects/web/env/A`. Walks up the address instead of trying each ancestor, because there may be thousands.
 */
export function isWithinAny(address: Address, ancestors: { has(address: Address): boolean }): boolean {
  for (let end = address.length; end > 0; end = address.lastIndexOf('/', end - 1))
    if (ancestors.has(address.slice(0, end))) return true;
  return false;
}

/**
 * Returns those of the candidates that are the address itself or above it, the nearest first. Used to find what applies to an object
 * because it applies to an object around it: the deletion of its project, for example, or a rule in the block of its project.
 */
export function ancestorsAmong(address: Address, candidates: { has(address: Address): boolean }): Address[] {
  const addresses: Address[] = [];
  for (let end = address.length; end > 0; end = address.lastIndexOf('/', end - 1)) {
    const ancestor = address.slice(0, end);
    if (candidates.has(ancestor)) addresses.push(ancestor);
  }
  return addresses;
}

/** Returns a glob that matches only this address, for places that take globs. */
export const globOf = (address: Address): string => address.replace(/[\\*?[\]{}()!]/g, '\\$&');

/** Returns a glob that matches this address and everything in the object. */
export const globWithContents = (address: Address): string => `${globOf(address)}/**`;

/** Indexes objects by their addresses. Of several objects at one address, the last one counts. */
export const indexByAddress = <T extends { address: Address }>(objects: readonly T[]): Map<Address, T> =>
  new Map(objects.map((object) => [object.address, object]));

/** Compares the addresses of two objects for sorting: by code unit, so that the order is the same on every machine. */
export const byAddress = (a: { address: Address }, b: { address: Address }): number =>
  byText(a.address, b.address);

/** Escapes a text for a regular expression (Node 20 lacks RegExp.escape). */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
