import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import { holesIn, isSecretRef } from '../model/value.ts';

/** The diagnostics without warnings about what is not in the plan: resources that were not selected, secrets that only those use. */
export function concerning(
  diagnostics: Diagnostic[],
  { changes, partial }: Pick<Plan, 'changes' | 'partial'>,
  { resources }: Desired,
): Diagnostic[] {
  const wanted = partial
    ? changes.flatMap(({ address }) => resources.get(address) ?? [])
    : [...resources.values()];
  const holes = wanted.flatMap(({ fields }) => holesIn(fields)).filter(isSecretRef);
  const used = new Set(holes.map(({ $secret }) => $secret));
  const isInPlan = (one: Address) => !partial || changes.some(({ address }) => isUnitOf(address, one));
  return diagnostics.filter(
    ({ severity, address, secret }) =>
      severity === 'error' ||
      ((address === undefined || isInPlan(address)) && (secret === undefined || used.has(secret.name))),
  );
}

/** True if an address is `block`, or one of the units that an entry stands for: `A@production` for `A`, any of a list for `#3`. */
function isUnitOf(address: Address, block: Address): boolean {
  const list = /^(.*\/)#\d+$/.exec(block)?.[1];
  return address === block || address.startsWith(list ?? `${block}@`);
}
