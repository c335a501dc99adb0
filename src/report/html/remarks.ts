import type { Change } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { conflictText, fieldsWith } from '../conflict-text.ts';
import { count } from '../count.ts';

/** What to know before reading on: what is missing from the plan, and doubts about fields. */
export function remarks({ complete, partial, diagnostics }: Plan, changes: Change[]): string[] {
  const [unknown, unverified] = [fieldsWith(changes, 'unknown'), fieldsWith(changes, 'unverified')];
  return [
    ...(complete
      ? []
      : [
          `This plan is incomplete${diagnostics.length > 0 ? '' : ': not everything could be read or planned'}.`,
        ]),
    ...(partial ? ['Only a part was looked at.'] : []),
    ...conflictText(changes),
    ...(unknown > 0
      ? [
          `${count(unknown, 'field')} may have been changed here or outside: what was last applied is not known.`,
        ]
      : []),
    ...(unverified > 0
      ? [`${count(unverified, 'secret')} cannot be compared, and will be sent once more.`]
      : []),
  ];
}
