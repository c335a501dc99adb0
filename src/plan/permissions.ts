import { ancestorsOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { Change } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { type Permission, permissions } from '../model/resource.ts';
import type { PlanInput } from './input.ts';

/**
 * Returns the permissions (`$allow`, `--allow`) that a change needs before it is sent: `cost` if it costs money, `remove-access` if it takes a
 * person's access away. The plan refuses a change without them. Objects that are deleted with a container need permissions by their own kind.
 */
export function permissionsOf({ lifecycle: { asks = {} } }: Kind, change: Change): Permission[] {
  const { action } = change;
  return permissions.filter((permission) => {
    const when = asks[permission];
    return typeof when === 'function'
      ? when(change)
      : when !== undefined && (action === when || action === 'replace');
  });
}

/**
 * Reports changes without a permission. A permission is `$allow` in the header, in the block or an enclosing block, in the ledger if the
 * block is gone, or `--allow`. The ledger counts only if it is verified and the object is no longer declared.
 */
export function refuseUnpermitted(changes: Change[], input: PlanInput, report: Reporter): void {
  for (const change of changes)
    for (const permission of change.permissions ?? []) {
      if (isPermitted(permission, change, input)) continue;
      const { address, at } = change;
      report.error('allow/missing', `${address}: this ${deeds[permission]}, which is not allowed`, {
        address,
        at,
        hint: `write \`$allow: [${permission}]\` in its block, an enclosing block or the header; or run once with --allow ${permission}`,
      });
    }
}

/** The effects that need a permission, in words for the message. */
const deeds: Record<Permission, string> = {
  cost: 'costs money',
  'remove-access': "removes somebody's access",
};

/**
 * True if a change that costs money or removes access is allowed: by the operator's options, by the configuration, or by the object itself
 * or an ancestor. For objects that are no longer declared, the ledger has their `$allow`; it counts only if its signature is verified.
 */
function isPermitted(permission: Permission, { kind, address, parent }: Change, input: PlanInput): boolean {
  const { desired, ledger, kinds, options = {}, unverifiedReason } = input;
  if (options.allow?.includes(permission) || desired.allow?.includes(permission)) return true;
  const ancestors = ancestorsOf(kinds, kinds.get(kind)!, parent);
  return [address, ...ancestors.map((ancestor) => ancestor.address)].some((blockAddress) => {
    const declared = desired.resources.get(blockAddress);
    if (declared) return declared.meta.allow?.includes(permission);
    return unverifiedReason === undefined && ledger.entries[blockAddress]?.allow?.includes(permission);
  });
}
