import { ancestorsOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { Change } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { type Permission, permissions } from '../model/resource.ts';
import type { PlanInput } from './input.ts';

/** The permissions that a change needs, each once. Objects that go with a deleted container ask by their own kind. */
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
 * Refuses changes that nobody allowed: by `$allow` in the header, in the block or around it, or in the ledger if the block is gone; or by
 * the option. The ledger counts only if it is verified and the object is no longer declared.
 */
export function allowed(changes: Change[], input: PlanInput, report: Reporter): void {
  for (const change of changes)
    for (const permission of change.permissions ?? []) {
      if (isPermitted(permission, change, input)) continue;
      const { address, at } = change;
      report.error(`allow/${permission}`, `${address}: this ${deeds[permission]}, which is not allowed`, {
        address,
        at,
        hint: `write \`$allow: [${permission}]\` in its block, an enclosing block or the header; or run once with --allow ${permission}`,
      });
    }
}

const deeds: Record<Permission, string> = {
  cost: 'costs money',
  'remove-access': "removes somebody's access",
};

/**
 * True if the operator's options, the configuration, or the object itself or an ancestor allow a change that costs money or removes access. For objects
 * that are no longer declared, the ledger remembers their `$allow`; it counts only if its signature is verified.
 */
function isPermitted(permission: Permission, { kind, address, parent }: Change, input: PlanInput): boolean {
  const { desired, ledger, kinds, options = {}, unverifiedReason } = input;
  if (options.allow?.includes(permission) || desired.allow?.includes(permission)) return true;
  const above = ancestorsOf(kinds, kinds.get(kind)!, parent);
  return [address, ...above.map((one) => one.address)].some((at) => {
    const declared = desired.resources.get(at);
    if (declared) return declared.meta.allow?.includes(permission);
    return unverifiedReason === undefined && ledger.entries[at]?.allow?.includes(permission);
  });
}
