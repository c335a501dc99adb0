import { namesOf } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { Glob } from '../../model/glob.ts';
import type { Reach } from '../../model/glob-automaton.ts';
import type { Fields, Value } from '../../model/value.ts';
import type { Entry, Node, ScalarNode } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';

/** The place that a `$at` or a path of a `$drop` names: an address with globs, and for a `$drop` perhaps a section or a field behind it. */
export interface TargetPath {
  /** As it is written. */
  text: string;
  at: Spot;
  /** It starts at a block, not at the root. */
  isRelative: boolean;
  matches(address: string): boolean;
  /** Tells if it names this address, or else something that may be below. */
  reach(address: string): Reach;
  /** It has named something, or what `$when` took away. Shared by all instances of what is written once. */
  status: { hasMatched: boolean };
}

/**
 * The place of a path, as `--target` would read it.
 * @param glob matches the path
 * @param around the address of the block that the path starts in
 */
export function createTargetPath(
  { text, at, status }: Pick<TargetPath, 'text' | 'at' | 'status'>,
  glob: Pick<Glob, 'matches' | 'reach'>,
  around?: Address,
): TargetPath {
  const front = around === undefined ? '' : `${around}/`;
  return {
    text,
    at,
    isRelative: around !== undefined,
    status,
    matches: (address) => address.startsWith(front) && glob.matches(address.slice(front.length)),
    reach(address) {
      if (address.startsWith(front)) return glob.reach(address.slice(front.length));
      return front.startsWith(`${address}/`) ? 'below' : 'none';
    },
  };
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
export function removeFields(holder: Map<string, Entry>, around: string, place: TargetPath): boolean {
  let isCut = false;
  for (const [name, entry] of holder) {
    const here = `${around}/${name}`;
    const reach = place.reach(here);
    if (reach === 'match') {
      holder.delete(name);
      place.status.hasMatched = true;
      isCut = true;
    } else if (entry.value.type === 'map' && reach === 'below') {
      const members = new Map(entry.value.entries.map((member) => [member.key.text, member]));
      if (!removeFields(members, here, place)) continue;
      holder.set(name, { ...entry, value: { ...entry.value, entries: [...members.values()] } });
      isCut = true;
    }
  }
  return isCut;
}
