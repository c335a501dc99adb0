import type { Change } from '../model/change.ts';
import { warning } from '../model/diagnostic.ts';
import type { PlanInput, Report } from './input.ts';

/** A container that comes while one of its kind is let go is often the same one under a new name: said, since nobody means both. */
export function suspectedRenames(changes: Change[], { kinds }: PlanInput, report: Report): void {
  const containers = changes.filter(({ kind }) => kinds.get(kind)!.container);
  const left = containers.filter(({ action, after }) => action === 'release' && !after);
  for (const { address, kind, parent, action, at } of containers) {
    const others = left.filter((one) => one.kind === kind && one.parent === parent);
    if (action !== 'create' || others.length === 0) continue;
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
