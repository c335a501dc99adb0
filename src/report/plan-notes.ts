import type { Change, FieldCause } from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { cleanLine } from './clean.ts';
import { count } from './count.ts';

/** Whose account it is, and where: `team acme`, `team acme at http://127.0.0.1:4000`. None where that is not known. */
export function accountText({ account }: Pick<Plan, 'account'>): string[] {
  if (!account) return [];
  const { type, name, baseUrl } = account;
  const place = baseUrl === undefined ? '' : baseUrl === twin ? ' on the embedded twin' : ` at ${baseUrl}`;
  return [cleanLine(`${type === 'team' ? 'team' : 'personal account'} ${name}${place}`)];
}

/** The ledger's name for the embedded twin, whose address differs each time. */
const twin = 'twin:';

/** How many fields differ for a cause. What an adoption finds was nobody's before, so nothing about it is in doubt. */
export const fieldsWith = (changes: Change[], cause: FieldCause): number =>
  changes
    .filter(({ action }) => action !== 'adopt')
    .flatMap(({ fields }) => fields)
    .filter((field) => field.cause === cause).length;

/** Says what approving the plan means where both sides have changed; nothing where there is no conflict. */
export function conflictText(changes: Change[]): string[] {
  const conflicts = fieldsWith(changes, 'conflict');
  return conflicts === 0
    ? []
    : [
        `${count(conflicts, 'field')} changed both outside and here: approving this plan, or --overwrite-conflicts, overwrites what was changed outside.`,
      ];
}

/**
 * Counts of what no stack here owns, by kind: `3 domain`, and `project (not listed)` where only what is mentioned was read, since then
 * nobody has counted. `name` writes a kind.
 */
export function unmanagedTexts(
  { unmanaged, unlisted = [] }: Pick<Plan, 'unmanaged' | 'unlisted'>,
  name: (kind: string) => string,
): string[] {
  const counts = groupBy(unmanaged, ({ kind }) => kind);
  return [...new Set([...counts.keys(), ...unlisted])]
    .sort()
    .map((kind) =>
      unlisted.includes(kind) ? `${name(kind)} (not listed)` : `${counts.get(kind)!.length} ${name(kind)}`,
    );
}
