import { workspaceFolder } from '../config/find-workspace.ts';
import type { Provider } from '../kind/provider.ts';
import type { Address } from '../model/address.ts';
import { isMeant, type Ledger } from '../model/ledger.ts';
import type { Desired } from '../model/resource.ts';
import { fromOf } from '../plan/ownership.ts';
import type { Run } from './host.ts';
import type { StackOptions } from './options.ts';

/**
 * The addresses that other stacks of the workspace take over from this one (`$from`), with the stack that does: dropped here, they are not
 * deleted, whichever of the two is applied first. The workspace is only read where this stack has something that it no longer declares.
 */
export async function handedOver(
  desired: Desired,
  ledger: Ledger,
  isEnd: boolean,
  provider: Provider,
  options: StackOptions,
  run: Run,
): Promise<ReadonlyMap<Address, string> | undefined> {
  const drops = Object.keys(ledger.entries).some((address) => isEnd || !desired.resources.has(address));
  if (!drops || (await workspaceFolder(run.host.cwd)) === undefined) return undefined;
  const { workspaceStacks } = await import('./workspace-stacks.ts');
  const { all } = await workspaceStacks(provider, options, run);
  const others = all.map(({ look }) => look.desired).filter(({ stack }) => stack !== desired.stack);
  return takenFrom(desired.stack, others);
}

/** The addresses that other stacks declare with the `$from` of a stack. */
function takenFrom(stack: string, others: readonly Desired[]): ReadonlyMap<Address, string> {
  const taken = new Map<Address, string>();
  for (const other of others)
    for (const { address, meta } of other.resources.values()) {
      const from = meta.existing || meta.forget ? undefined : fromOf(address, other.resources);
      if (from !== undefined && isMeant(from, stack, { from: other.stack })) taken.set(address, other.stack);
    }
  return taken;
}
