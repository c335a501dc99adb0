import type { Address } from '../model/address.ts';
import type { Position } from '../model/diagnostic.ts';
import type { Desired } from '../model/resource.ts';

/**
 * Returns the line that states a field, or the block of an object; undefined for an object that no configuration declares. Findings name
 * it, so that people find what to change.
 */
export function findPosition(
  address: Address,
  path: string | undefined,
  configurations: readonly Desired[],
): Position | undefined {
  for (const { resources, fieldAt } of configurations) {
    const resource = resources.get(address);
    if (resource) return (path === undefined ? undefined : fieldAt?.(address, path)) ?? resource.at;
  }
  return undefined;
}
