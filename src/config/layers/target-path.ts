/** Paths of `$at` and `$drop`: addresses with globs, which find the blocks, sections and fields that a patch or a drop concerns. */
import { namesOf } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { Glob } from '../../model/glob.ts';
import type { Reach } from '../../model/glob-automaton.ts';
import type { Fields, Value } from '../../model/value.ts';
import { type Entry, entriesOf, type Node, type ScalarNode } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';

/** The path of a `$at` or `$drop`. For a `$drop` it may end in a section or a field. */
export interface TargetPath {
  /** The path as it is written. */
  text: string;
  at: Spot;
  /** True for a `$drop`, whose paths start at its block. Paths of `$at` start at the root. */
  isRelative: boolean;
  matches(address: string): boolean;
  /** Returns `match` if the path matches this address, `below` if it may match something below it, else `none`. */
  reach(address: string): Reach;
  /**
   * Whether the path has matched something, or something that `$when` removed. A path that never matches is reported. All instances of one
   * written path share this object.
   */
  status: { hasMatched: boolean };
}

/** Creates a path from a glob that matches it as `--target` would. `start`: the address of the block at which a relative path starts. */
export function createTargetPath(
  { text, at, status }: Pick<TargetPath, 'text' | 'at' | 'status'>,
  glob: Pick<Glob, 'matches' | 'reach'>,
  start?: Address,
): TargetPath {
  const prefix = start === undefined ? '' : `${start}/`;
  return {
    text,
    at,
    isRelative: start !== undefined,
    status,
    matches: (address) => address.startsWith(prefix) && glob.matches(address.slice(prefix.length)),
    reach(address) {
      if (address.startsWith(prefix)) return glob.reach(address.slice(prefix.length));
      return prefix.startsWith(`${address}/`) ? 'below' : 'none';
    },
  };
}

/**
 * Returns the addresses of the units (single resources) that one entry declares, as far as its fields are known before the plan; none if
 * that is not possible. Used for patches of a single unit, such as `env/API_URL@production`.
 */
export function unitAddresses(
  kind: Kind,
  parent: Address | undefined,
  key: ScalarNode | undefined,
  node: Node,
): Address[] {
  const fields: Fields = {};
  const writtenFields = new Map(entriesOf(node).map((entry) => [entry.key.text, entry.value]));
  if (key && kind.yaml.mapBy !== undefined) writtenFields.set(kind.yaml.mapBy, key);
  for (const [name, schema] of Object.entries(kind.fields)) {
    const value = writtenFields.get(name);
    const parsed = schema.safeParse(value && plainValueOf(value));
    if (parsed.success && parsed.data !== undefined) fields[name] = parsed.data as Value;
  }
  try {
    return kind.shape.units(fields, {}).map((unit) => addressOf(parent, kind.section, namesOf(kind, unit)));
  } catch {
    return [];
  }
}

/**
 * Returns the value of a node, to check it with the schema of its field. Expressions and holes, which have no value yet, become undefined.
 */
function plainValueOf(node: Node): unknown {
  if (node.type === 'list') return node.items.map(plainValueOf);
  if (node.type === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, plainValueOf(value)]));
  return node.type === 'scalar' ? node.value : undefined;
}

/**
 * Removes the fields, and members of fields, that the path of a `$drop` matches. `fields`: the merged fields of a block or value, by name.
 * Returns true if it removed any, so that the value around them is replaced as well.
 */
export function removeFields(fields: Map<string, Entry>, parentAddress: string, path: TargetPath): boolean {
  let hasRemoved = false;
  for (const [name, entry] of fields) {
    const address = `${parentAddress}/${name}`;
    const reach = path.reach(address);
    if (reach === 'match') {
      fields.delete(name);
      path.status.hasMatched = true;
      hasRemoved = true;
    } else if (entry.value.type === 'map' && reach === 'below') {
      const members = new Map(entry.value.entries.map((member) => [member.key.text, member]));
      if (!removeFields(members, address, path)) continue;
      fields.set(name, { ...entry, value: { ...entry.value, entries: [...members.values()] } });
      hasRemoved = true;
    }
  }
  return hasRemoved;
}
