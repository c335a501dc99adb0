/**
 * The layers of a configuration.
 *
 *   layer      one statement about a block: by a template, by the block itself, or by a patch. Higher layers override lower ones:
 *              templates are at the bottom, the block's own layer is above them, patches are at the top.
 *   drop       a path in `$drop`, which removes what lower layers have there
 *   item       a layer of a block, or a patch or drop that may concern something inside the block
 *   fragment   a document, or one entry of `use:`. Two fragments never override each other: only a patch may do that.
 *   path       of `$at` and `$drop`: an address with globs, which finds the blocks, sections and fields that a patch or a drop concerns
 */
import type * as z from 'zod';
import { memberSchemasOf } from '../../kind/compare.ts';
import { namesOf } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { traitsOf } from '../../kind/traits.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { Glob } from '../../model/glob.ts';
import type { Reach } from '../../model/glob-automaton.ts';
import type { Fields, Value } from '../../model/value.ts';
import { layerKeys } from '../expressions/inspect-node.ts';
import type { ExpressionScope } from '../expressions/scope.ts';
import { mayHoldSecret } from '../fields/schema-options.ts';
import type { ReplacedValue } from '../mask-replaced-values.ts';
import { type Entry, entriesOf, type Node, type ScalarNode } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';

/** One statement about a block. */
export interface Layer {
  /** The block as it is written: a map, or a plain value that stands for one. */
  node: Node;
  at: Spot;
  /** The scope of its expressions, without the enclosing block: that is added when the layer is merged. */
  scope: ExpressionScope;
  /** Set if the node is the result of an expression: a `${` in it is text, and must not be replaced. */
  isExpanded?: true;
  /** Who makes the statement. `own`: the block itself. */
  rank: 'template' | 'own' | 'patch';
  /** The fragment that it belongs to; undefined for patches. */
  fragment: object | undefined;
}

/** An entry of `patches:`: a layer for each block that its path matches. */
export interface Patch {
  path: PathGlob;
  layer: Layer;
}

/** One path of a `$drop`, which removes everything that lower layers have there. */
export interface Drop {
  path: PathGlob;
}

/**
 * An item in the list from which a block is merged, from the lowest layer to the highest. Patches and drops that concern something inside
 * the block are passed on to its sections.
 */
export type LayerItem = { layer: Layer } | { patch: Patch } | { drop: Drop };

/**
 * True if a layer (a template, the block itself or a patch) writes something about the block itself, such as
 * a field, not only sections inside it. An empty block counts too. Used to find two documents that describe
 * one block: both may add sections to it, but only one may describe it. `sections`: the names of its possible
 * sections.
 */
export function describesBlockItself(node: Node, sections: readonly string[]): boolean {
  if (node.type !== 'map') return true;
  // Of the `$` keys of layers, only `$use` adds content to the block.
  const entries = node.entries.filter(({ key: { text } }) => text === '$use' || !layerKeys.has(text));
  return entries.length === 0 || entries.some(({ key }) => !sections.includes(key.text));
}

/**
 * Returns the value of a field after a higher layer (`upper`), such as a patch, overrides a lower one.
 * Objects whose members a plan compares one by one are merged, so that a patch can change a single member.
 * All other values are replaced. A replaced value that may be a secret is added to `replaced`: messages must mask it, too, although
 * nothing reads it. `schema`: that of the field.
 */
export function mergeValue(
  schema: z.ZodType | undefined,
  lower: Node,
  upper: Node,
  replaced: ReplacedValue[],
): Node {
  const areMaps = lower.type === 'map' && upper.type === 'map';
  // Undefined for a field that a plan compares as a whole.
  const memberSchemaOf = areMaps && schema && !traitsOf(schema).atomic ? memberSchemasOf(schema) : undefined;
  if (!areMaps || !memberSchemaOf) {
    if (!schema || mayHoldSecret(schema)) replaced.push({ replaced: lower, replacement: upper });
    return upper;
  }
  // A map keeps the place of a key that is set again, so the lower members come first, in their order.
  const merged = new Map<string, Entry>(lower.entries.map((entry) => [entry.key.text, entry]));
  for (const { key, value } of upper.entries) {
    const lowerMember = merged.get(key.text);
    merged.set(key.text, {
      key,
      value: lowerMember ? mergeValue(memberSchemaOf(key.text), lowerMember.value, value, replaced) : value,
    });
  }
  // The place of the higher map, for messages.
  return { ...upper, entries: [...merged.values()] };
}

/** The path of a `$at` or `$drop`. For a `$drop` it may end in a section or a field. */
export interface PathGlob {
  /** The path as it is written. */
  text: string;
  at: Spot;
  /** True for a `$drop`, whose paths start at its block. Paths of `$at` start at the root. */
  isRelative: boolean;
  matches(address: string): boolean;
  /**
   * True if the path is that of a section, such as `projects/site-?/env`: its last part is the name of the section. With `**`, which stands
   * for any number of parts, a path means blocks only.
   */
  isSection(address: string, section: string): boolean;
  /** Returns `match` if the path matches this address, `below` if it may match something below it, else `none`. */
  reach(address: string): Reach;
  /**
   * Whether the path has matched something, or something that `$when` removed. A path that never matches is reported. All instances of one
   * written path share this object.
   */
  status: { hasMatched: boolean };
}

/**
 * Creates the path of a `$at` or `$drop`, by which the merger finds the blocks that a patch changes, or what
 * a block removes of its template. It matches addresses as `--target` does. `start`: the address at which a relative path begins:
 * `env/LEGAL` in the block `projects/web` matches `projects/web/env/LEGAL`. `status` records if the path ever matched. `reach` and
 * `isSection` serve the way down to a match: see `PathGlob`.
 */
export function createPathGlob(
  { text, at, status }: Pick<PathGlob, 'text' | 'at' | 'status'>,
  glob: Pick<Glob, 'matches' | 'reach'>,
  start?: Address,
): PathGlob {
  const prefix = start === undefined ? '' : `${start}/`;
  const withoutStart = (address: Address) => address.slice(prefix.length);
  return {
    text,
    at,
    isRelative: start !== undefined,
    status,
    matches: (address) => address.startsWith(prefix) && glob.matches(withoutStart(address)),
    isSection(address, section) {
      const endsInSection = text === section || text.endsWith(`/${section}`);
      return endsInSection && !text.includes('**') && glob.matches(withoutStart(address));
    },
    reach(address) {
      if (address.startsWith(prefix)) return glob.reach(withoutStart(address));
      // The block of a relative path may itself be below this address.
      return prefix.startsWith(`${address}/`) ? 'below' : 'none';
    },
  };
}

/**
 * Returns the addresses of the resources that one entry declares: a variable for two targets is `env/API_URL@preview` and
 * `env/API_URL@production`. Used to decide if a path of a patch or `$drop` covers all of them. Fields that only a plan knows are left out.
 * If the resources cannot be determined without them, returns none. `key`: the map key of the entry; `node`: its merged content.
 */
export function resourceAddressesOf(
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
 * Returns the value of a YAML node as plain data, so that a schema can check it before a plan: to find out
 * which resources an entry declares, and to read a file of guards. Expressions (`${...}`) and placeholders
 * (holes) have no value yet, and become undefined.
 */
export function plainValueOf(node: Node): unknown {
  if (node.type === 'list') return node.items.map(plainValueOf);
  if (node.type === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, plainValueOf(value)]));
  return node.type === 'scalar' ? node.value : undefined;
}

/**
 * Removes from `fields` those that the path of a `$drop` matches, such as `framework`, and members inside fields, such as
 * `gitRepository/branch`. `fields`: the merged fields of a block, or in a recursive call the members of a value, by name. `parentAddress`:
 * the address of the block or value. Returns the old entries of the fields that it removed or changed, because the caller masks secrets in
 * them.
 */
export function removeFields(fields: Map<string, Entry>, parentAddress: string, path: PathGlob): Entry[] {
  const changed: Entry[] = [];
  for (const [name, entry] of fields) {
    const address = `${parentAddress}/${name}`;
    const reach = path.reach(address);
    if (reach === 'match') {
      fields.delete(name);
      path.status.hasMatched = true;
      changed.push(entry);
    } else if (entry.value.type === 'map' && reach === 'below') {
      const members = new Map(entry.value.entries.map((member) => [member.key.text, member]));
      if (removeFields(members, address, path).length === 0) continue;
      fields.set(name, { ...entry, value: { ...entry.value, entries: [...members.values()] } });
      changed.push(entry);
    }
  }
  return changed;
}
