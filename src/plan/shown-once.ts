import type { Change } from '../model/change.ts';
import { problem } from '../model/diagnostic.ts';
import type { PlanInput, Report } from './input.ts';

/** Refuses to create what shows a secret once while nobody has said where that goes. */
export function shownOnce(changes: Change[], { kinds }: PlanInput, report: Report): void {
  for (const { address, kind, action, after, at } of changes) {
    const { shows } = kinds.get(kind)!;
    if (!shows || (action !== 'create' && action !== 'replace') || after?.meta.secretTo) continue;
    report(
      problem('secret/nowhere', `${address}: the platform shows its ${shows} only once, when it is created`, {
        address,
        ...(at ? { at } : {}),
        hint: 'say where it goes: `$secretTo: { file: PATH }`, `{ command: [PROGRAM, ...] }` (it reads standard input), or `discard`',
      }),
    );
  }
}
