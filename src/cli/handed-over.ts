import { workspaceFolder } from '../config/find-workspace.ts';
import type { Provider } from '../kind/provider.ts';
import type { Address } from '../model/address.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { isMeant, type Ledger } from '../model/ledger.ts';
import type { Desired } from '../model/resource.ts';
import type { PlanOptions } from '../plan/input.ts';
import { fromOf } from '../plan/ownership.ts';
import type { Run } from './host.ts';
import type { StackOptions } from './options.ts';

/**
 * What becomes in other stacks of the workspace of what this one no longer declares: they may take it over (`$from`), whichever is applied
 * first, or not declare it either. The workspace is only read where this stack drops something.
 */
export async function handedOver(
  desired: Desired,
  ledger: Ledger,
  isEnd: boolean,
  provider: Provider,
  options: StackOptions,
  run: Run,
): Promise<Pick<PlanOptions, 'handedOver' | 'droppedBy'>> {
  const drops = Object.keys(ledger.entries).some((address) => isEnd || !desired.resources.has(address));
  if (!drops || (await workspaceFolder(run.host.cwd)) === undefined) return {};
  const { workspaceStacks } = await import('./workspace-stacks.ts');
  const { all } = await workspaceStacks(provider, options, run);
  const others = all.map(({ look }) => look).filter((look) => look.desired.stack !== desired.stack);
  return {
    handedOver: takenFrom(desired.stack, others),
    droppedBy: (stack, address) => {
      const other = others.find((one) => one.desired.stack === stack);
      // What has errors may declare more than was understood.
      if (!other || hasErrors(other.diagnostics)) return false;
      const meta = other.desired.resources.get(address)?.meta;
      return meta === undefined || meta.existing === true || meta.forget === true;
    },
  };
}

/** The addresses that other stacks declare with the `$from` of a stack. */
function takenFrom(stack: string, others: readonly { desired: Desired }[]): ReadonlyMap<Address, string> {
  const taken = new Map<Address, string>();
  for (const { desired: other } of others)
    for (const { address, meta } of other.resources.values()) {
      const from = meta.existing || meta.forget ? undefined : fromOf(address, other.resources);
      if (from !== undefined && isMeant(from, stack, { from: other.stack })) taken.set(address, other.stack);
    }
  return taken;
}
