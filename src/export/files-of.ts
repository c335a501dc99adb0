import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Live, LiveResource } from '../model/resource.ts';

/** The objects of an account that get a file of their own, with all their content. */
export interface FileRule {
  file: string;
  isMeant(address: Address): boolean;
}

/**
 * The file that each object goes to: that of the first rule about it, else that of what it is in; undefined for the main file. What cannot
 * stand apart goes with its parent: the items of a list that is in order, and what is in an item of a list, which has no name to be
 * continued under.
 */
export function filesOf(
  rules: readonly FileRule[],
  { resources }: Live,
  kinds: Kinds,
): (one: LiveResource) => string | undefined {
  const known = new Map<Address, string | undefined>();
  const find = (one: LiveResource): string | undefined => {
    const { kind: name, address, parent } = one;
    const kind = kinds.get(name)!;
    const above = parent === undefined ? undefined : resources.get(parent);
    const around = above && kinds.get(above.kind)!;
    const isInItem = around !== undefined && around.key.length > 0 && around.yaml.mapBy === undefined;
    const isBound = above !== undefined && (kind.shape.orderDecides || isInItem);
    const rule = isBound ? undefined : rules.find(({ isMeant }) => isMeant(address));
    return rule ? rule.file : above && fileOf(above);
  };
  const fileOf = (one: LiveResource) => {
    if (!known.has(one.address)) known.set(one.address, find(one));
    return known.get(one.address);
  };
  return fileOf;
}
