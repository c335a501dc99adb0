import type { FieldChange } from '../model/change.ts';
import { problem } from '../model/diagnostic.ts';
import type { Wanted } from './wanted.ts';

/** True if an object may be deleted and created anew, since the platform cannot change `stuck`. Reports a refusal. */
export function mayReplace({ kind, want, report }: Wanted, stuck: FieldChange[]): boolean {
  if (
    kind.lifecycle.replace === 'free' ||
    (kind.lifecycle.replace !== 'never' && want.meta.replace === 'allow')
  )
    return true;
  const names = stuck.map(({ path }) => `\`${path}\``).join(', ');
  report(
    problem('replace/refused', `${want.address}: the platform cannot change ${names}`, {
      address: want.address,
      at: want.at,
      hint:
        kind.lifecycle.replace === 'never'
          ? `go back to the live value; a ${kind.name} is never deleted in order to change it`
          : 'write `$replace: allow` in the block to have it deleted and created anew; what only the platform knows of it is lost',
    }),
  );
  return false;
}
