import type * as z from 'zod';
import { memberSchemasOf } from '../../kind/leaves.ts';
import { traitsOf } from '../../kind/traits.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import type { Scope } from '../expressions/scope.ts';
import type { Entry, Node } from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { layerKeys } from './look.ts';
import type { Place } from './place.ts';

/** One statement about a block: several lie on each other, the weakest at the bottom. */
export interface Layer {
  /** As it is written: a map, or what stands for one. */
  node: Node;
  at: Spot;
  /** The scope of its expressions; the scope of the block around it comes in where it is laid. */
  scope: Scope;
  /** It came out of an expression: there are none in it. */
  isLiteral?: true;
  rank: 'template' | 'own' | 'patch';
  /**
   * The document, or the instance of a template for several sections, that it belongs to; patches are of none. One part never overrides
   * another.
   */
  part: object | undefined;
}

/** An entry of `patches:`: a layer for each block at a place. */
export interface Patch {
  place: Place;
  layer: Layer;
}

/** One path of a `$drop`: takes out what lower layers have there. */
export interface Drop {
  place: Place;
}

/** Something in the stack of a block. What is meant for a place further down is handed on. */
export type Item = { layer: Layer } | { patch: Patch } | { drop: Drop };

/** True if a layer is a home for its block: it says something of the block itself, and not only of the sections in it. */
export function saysOfItself(node: Node, sections: readonly string[]): boolean {
  if (node.type !== 'map') return true;
  const entries = node.entries.filter(({ key: { text } }) => text === '$use' || !layerKeys.has(text));
  return entries.length === 0 || entries.some(({ key }) => !sections.includes(key.text));
}

/** Reports a problem at a place, with other places that belong to it. */
export type Say = (
  code: string,
  message: string,
  at: Spot,
  hint?: string,
  related?: { message: string; at: Spot }[],
) => void;

/** Reports into `diagnostics`; `address`: the block that it is about. */
export const sayingTo =
  (diagnostics: Diagnostic[], address?: string): Say =>
  (code, message, spot, hint, related) => {
    diagnostics.push(
      problem(code, message, {
        at: positionOf(spot),
        hint,
        ...(address === undefined ? {} : { address }),
        ...(related
          ? { related: related.map((one) => ({ message: one.message, at: positionOf(one.at) })) }
          : {}),
      }),
    );
  };

/**
 * A field with what an upper layer says of it. Objects that a plan compares member by member are merged so; everything else is replaced
 * whole.
 */
export function mergeValue(schema: z.ZodType | undefined, lower: Node, upper: Node): Node {
  if (!schema || lower.type !== 'map' || upper.type !== 'map' || traitsOf(schema).atomic) return upper;
  const memberOf = memberSchemasOf(schema);
  if (!memberOf) return upper;
  const merged = new Map<string, Entry>(lower.entries.map((entry) => [entry.key.text, entry]));
  for (const { key, value } of upper.entries) {
    const below = merged.get(key.text);
    merged.set(key.text, { key, value: below ? mergeValue(memberOf(key.text), below.value, value) : value });
  }
  return { ...upper, entries: [...merged.values()] };
}
