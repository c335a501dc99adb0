import { sendsFullBody, writeRequests } from '../kind/write.ts';
import { asksForWrite, type FieldChange } from '../model/change.ts';
import { lostMembersCode } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import type { LiveResource } from '../model/resource.ts';
import type { DeclaredComparison } from './comparison.ts';

/** The most members that a warning names. An answer of the platform may have any number. */
const maxNamedMembers = 5;

/**
 * Warns of an update that removes members which the account has and no configuration can declare
 * (`lostByWrites`): it writes the value around them as a whole. They are no difference that a plan shows, so
 * without this warning the removal would be a surprise. `fields`: the changed fields of the object.
 */
export function reportLostMembers(
  fields: readonly FieldChange[],
  { desired: { address, at, kind }, live, input, report }: DeclaredComparison & { live: LiveResource },
): void {
  const members = live.lostByWrites ?? [];
  const written = fields.filter(asksForWrite).map(({ path }) => path);
  if (members.length === 0 || written.length === 0) return;
  const update = input.kinds.get(kind)?.update;
  const isWhole = update !== undefined && writeRequests(update).some(sendsFullBody);
  const lost = members.filter(
    (member) =>
      isWhole || written.some((path) => member.startsWith(`${path}.`) || member.startsWith(`${path}[`)),
  );
  if (lost.length === 0) return;
  const names = listFirst(
    lost.map((member) => `\`${member}\``),
    maxNamedMembers,
  );
  report.warning(
    lostMembersCode,
    `${address}: the update removes ${names}, which ${lost.length === 1 ? 'is' : 'are'} set in the account and cannot be declared`,
    { address, at, hint: 'change the object in the dashboard and accept that here, if it has to stay' },
  );
}
