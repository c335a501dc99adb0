import type { Change } from '../model/change.ts';
import { problem, warning } from '../model/diagnostic.ts';
import type { PlanInput, Report } from './input.ts';

/**
 * Warns if a container is created while another of its kind is let go: often it is the same one under a new name. If the one let go
 * has that very name in the account, it is the same: the ledger followed a `$was`, but the rename was left out. That is a problem.
 */
export function suspectedRenames(changes: Change[], { kinds }: PlanInput, report: Report): void {
  const containers = changes.filter(({ kind }) => kinds.get(kind)!.lifecycle.container);
  const left = containers.filter(({ action, after }) => action === 'release' && !after);
  for (const { address, kind, parent, action, at } of containers) {
    const others = left.filter((one) => one.kind === kind && one.parent === parent);
    if (action !== 'create' || others.length === 0) continue;
    const holder = left.find(({ before }) => before?.renamedTo === address);
    if (holder) {
      const name = holder.address.split('/').at(-1)!;
      report(
        problem('was/missing', `${address} is in the account, but known here as ${holder.address}`, {
          address,
          ...(at ? { at } : {}),
          hint: `write \`$was: ${name}\` in its block: what is there is taken over, with all that is in it`,
        }),
      );
      continue;
    }
    const names = others.map((one) => one.address.split('/').at(-1)!);
    report(
      warning(
        'was/suspected',
        `${address} would be created, and ${others.map((one) => one.address).join(', ')} let go`,
        {
          address,
          ...(at ? { at } : {}),
          hint: `if it is the same ${kind} under a new name, write \`$was: ${names[0]}\` in its block: it is renamed, and keeps all that is in it`,
        },
      ),
    );
  }
}
