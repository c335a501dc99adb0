import { childKinds, lineage, namesOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import type { Fields } from '../model/value.ts';

/** A field's name as a placeholder: `gitBranch` is `GIT_BRANCH`. */
const placeholder = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The section in the YAML, with a placeholder for each block above: `projects.NAME.env`. */
export function sectionPath(kinds: Kinds, kind: Kind): string {
  const above = kind.parent === undefined ? undefined : kinds.get(kind.parent);
  return above ? `${blockPath(kinds, above)}.${kind.section}` : kind.section;
}

/** One block of the section: `projects.NAME.env.KEY`, `domains.NAME.records[]`, `projects.NAME.firewall`. */
export function blockPath(kinds: Kinds, kind: Kind): string {
  const path = sectionPath(kinds, kind);
  if (kind.yaml.mapBy !== undefined) return `${path}.${placeholder(kind.yaml.mapBy)}`;
  return kind.key.length === 0 ? path : `${path}[]`;
}

/** How addresses of the kind look: `projects/NAME/env/KEY@TARGET`. */
export function addressForm(kinds: Kinds, kind: Kind): Address {
  const above = kind.parent === undefined ? undefined : kinds.get(kind.parent);
  // Of the fields that say where a unit is, one does.
  const told = [...kind.key, ...kind.shape.place.slice(0, 1)];
  const fields: Fields = Object.fromEntries(told.map((name) => [name, placeholder(name)]));
  return addressOf(above && addressForm(kinds, above), kind.section, namesOf(kind, fields));
}

/** Explains what the section holds and how to write a block. */
export function formWords(kind: Kind): string[] {
  if (kind.key.length === 0) return ['a single block'];
  if (kind.yaml.mapBy === undefined)
    return [kind.shape.orderDecides ? 'an ordered list' : 'a list, in any order'];
  const short = kind.yaml.shorthand?.('VALUE');
  const members = Object.entries(short ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [
    `a map with one entry per \`${kind.yaml.mapBy}\``,
    ...(kind.yaml.manyPerKey ? ['an entry may be a list'] : []),
    ...(short ? [`a bare VALUE is short for { ${members.join(', ')} }`] : []),
  ];
}

/** Kinds as a tree in the order of the provider: `depth` is 0 for those at the top. */
export function kindTree(kinds: Kinds, parent?: Kind, depth = 0): { kind: Kind; depth: number }[] {
  return childKinds(kinds, parent?.name).flatMap((kind) => [
    { kind, depth },
    ...kindTree(kinds, kind, depth + 1),
  ]);
}

/** The nearest kind above, for people: `project`, or `account` at the top. */
export const homeOf = (kinds: Kinds, kind: Kind): string => lineage(kinds, kind.parent)[0]?.name ?? 'account';
