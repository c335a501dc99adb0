import picomatch from 'picomatch';
import { namesOf } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf, isWithin } from '../../model/address.ts';
import { globTest } from '../../model/address-glob.ts';
import type { Fields, Value } from '../../model/value.ts';
import type { Entry, Node, ScalarNode } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';

/** The place that a `$at` or a path of a `$drop` names: an address with globs, and for a `$drop` perhaps a section or a field behind it. */
export interface Place {
  /** As it is written. */
  text: string;
  at: Spot;
  /** It starts at a block, not at the root. */
  isRelative: boolean;
  matches(place: string): boolean;
  /** True if it may name something at or below this address. */
  mayBeBelow(address: Address): boolean;
  /** It has named something, or what `$when` took away. Shared by all instances of what is written once. */
  met: { is: boolean };
}

/**
 * The place of a path, as `--target` would read it.
 * @param around the address of the block that the path starts in
 */
export function placeOf(text: string, at: Spot, met: Place['met'], around?: Address): Place {
  const glob = around === undefined ? text : `${around}/${text}`;
  const matches = globTest(glob);
  const { base, isGlob } = picomatch.scan(glob);
  const fixed = isGlob ? base : glob;
  const parts = partsOf(glob);
  const beginnings = new Map<number, (address: Address) => boolean>();
  return {
    text,
    at,
    isRelative: around !== undefined,
    met,
    matches,
    mayBeBelow(address) {
      if (fixed !== '' && !isWithin(fixed, address) && !isWithin(address, fixed)) return false;
      if (!isGlob) return isWithin(glob, address);
      const depth = address.split('/').length;
      if (parts.slice(0, depth).includes('**')) return true;
      if (parts.length < depth) return false;
      const begins = beginnings.get(depth) ?? globTest(parts.slice(0, depth).join('/'));
      beginnings.set(depth, begins);
      return begins(address);
    },
  };
}

/** Finds unbalanced brackets in a glob: one that is not closed stands for itself, which nobody means. */
export function unbalanced(glob: string): string | undefined {
  const open: string[] = [];
  for (const sign of glob.replace(/\\./g, '')) {
    if (sign === '{' || sign === '[') open.push(sign);
    else if (sign === '}' || sign === ']') {
      const first = open.pop();
      if (first !== (sign === '}' ? '{' : '[')) return `\`${sign}\` has no opening bracket`;
    }
  }
  return open.length > 0 ? `\`${open.at(-1)}\` is not closed` : undefined;
}

/** A glob at its slashes, those in braces and brackets left alone. */
function partsOf(glob: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of glob) {
    if (sign === '{' || sign === '[') depth++;
    if (sign === '}' || sign === ']') depth--;
    if (sign === '/' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}

/** The addresses of the units that one entry stands for, as far as its fields tell them now; none if they do not. */
export function unitAddresses(
  kind: Kind,
  parent: Address | undefined,
  key: ScalarNode | undefined,
  node: Node,
): Address[] {
  const fields: Fields = {};
  const written = new Map(
    node.type === 'map' ? node.entries.map((entry) => [entry.key.text, entry.value]) : [],
  );
  if (key && kind.yaml.mapBy !== undefined) written.set(kind.yaml.mapBy, key);
  for (const [name, schema] of Object.entries(kind.fields)) {
    const value = written.get(name);
    const normal = schema.safeParse(value && plainOf(value));
    if (normal.success && normal.data !== undefined) fields[name] = normal.data as Value;
  }
  try {
    return kind.shape.units(fields, {}).map((unit) => addressOf(parent, kind.section, namesOf(kind, unit)));
  } catch {
    return [];
  }
}

function plainOf(node: Node): unknown {
  if (node.type === 'list') return node.items.map(plainOf);
  if (node.type === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, plainOf(value)]));
  return node.type === 'scalar' ? node.value : undefined;
}

/** Takes out fields, and members of them, that a place names. */
export function takeOutFields(holder: Map<string, Entry>, around: string, place: Place): boolean {
  let isCut = false;
  for (const [name, entry] of holder) {
    const here = `${around}/${name}`;
    if (place.matches(here)) {
      holder.delete(name);
      place.met.is = true;
      isCut = true;
    } else if (entry.value.type === 'map' && place.mayBeBelow(here)) {
      const members = new Map(entry.value.entries.map((member) => [member.key.text, member]));
      if (!takeOutFields(members, here, place)) continue;
      holder.set(name, { ...entry, value: { ...entry.value, entries: [...members.values()] } });
      isCut = true;
    }
  }
  return isCut;
}
