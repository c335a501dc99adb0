/**
 * The layers of a configuration.
 *
 *   layer      one statement about a block: by a template, by the block itself, or by a patch. Higher layers override lower ones:
 *              templates are at the bottom, the block's own layer is above them, patches are at the top.
 *   drop       a path in `$drop`, which removes what lower layers have there
 *   item       a layer of a block, or a patch or drop that may concern something inside the block
 *   fragment   a document, or one entry of `use:`. Two fragments never override each other: only a patch may do that.
 */
import type * as z from 'zod';
import { memberSchemasOf } from '../../kind/leaves.ts';
import { traitsOf } from '../../kind/traits.ts';
import type { ExpressionScope } from '../expressions/scope.ts';
import type { Entry, Node } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import { layerKeys } from './inspect-node.ts';
import type { TargetPath } from './target-path.ts';

/** One statement about a block. */
export interface Layer {
  /** The block as it is written: a map, or a plain value that stands for one. */
  node: Node;
  at: Spot;
  /** The scope of its expressions, without the enclosing block: that is added when the layer is merged. */
  scope: ExpressionScope;
  /** Set if the node is the result of an expression, so that it contains no expressions itself. */
  isLiteral?: true;
  /** Who makes the statement. `own`: the block itself. */
  rank: 'template' | 'own' | 'patch';
  /** The fragment that it belongs to; undefined for patches. */
  fragment: object | undefined;
}

/** An entry of `patches:`: a layer for each block that its path matches. */
export interface Patch {
  path: TargetPath;
  layer: Layer;
}

/** One path of a `$drop`, which removes everything that lower layers have there. */
export interface Drop {
  path: TargetPath;
}

/**
 * An item in the list from which a block is merged, from the lowest layer to the highest. Patches and drops that concern something inside
 * the block are passed on to its sections.
 */
export type LayerItem = { layer: Layer } | { patch: Patch } | { drop: Drop };

/**
 * True if a layer (a template, the block itself or a patch) contains something about the block itself, not only sections in it. Used to
 * find two documents that describe one block: both may add sections to it, but only one may describe it. `sections`: the names of the
 * sections that the block can have.
 */
export function describesBlockItself(node: Node, sections: readonly string[]): boolean {
  if (node.type !== 'map') return true;
  const entries = node.entries.filter(({ key: { text } }) => text === '$use' || !layerKeys.has(text));
  return entries.length === 0 || entries.some(({ key }) => !sections.includes(key.text));
}

/**
 * Returns the value of a field after a higher layer (`upper`) overrides a lower one. Objects that a plan compares member by member are
 * merged member by member, so that a patch can change a single member. All other values are replaced. `schema`: that of the field.
 */
export function mergeValue(schema: z.ZodType | undefined, lower: Node, upper: Node): Node {
  if (!schema || lower.type !== 'map' || upper.type !== 'map' || traitsOf(schema).atomic) return upper;
  const memberOf = memberSchemasOf(schema);
  if (!memberOf) return upper;
  const merged = new Map<string, Entry>(lower.entries.map((entry) => [entry.key.text, entry]));
  for (const { key, value } of upper.entries) {
    const lowerMember = merged.get(key.text);
    merged.set(key.text, {
      key,
      value: lowerMember ? mergeValue(memberOf(key.text), lowerMember.value, value) : value,
    });
  }
  return { ...upper, entries: [...merged.values()] };
}
