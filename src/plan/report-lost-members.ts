import type { Kind } from '../kind/kind.ts';
import { type Draft, sendsFullBody, writeRequests } from '../kind/write.ts';
import type { Address } from '../model/address.ts';
import { asksForWrite, type Change } from '../model/change.ts';
import { lostMembersCode, type Reporter } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { addTo } from '../model/graph.ts';
import { isPlainObject, namesInPath } from '../model/value.ts';
import type { PlanInput } from './input.ts';

/** The most members that a warning names. An answer of the platform may have any number. */
const maxNamedMembers = 5;

/**
 * Warns of changes that remove members which the account has and no configuration can declare (`lostByWrites`),
 * because their requests write the value around them as a whole. The members are no difference that a plan
 * shows, so without this warning the removal would be a surprise, also for the person who approves a saved plan.
 *
 *   | the requests of a change                                      | lose                                   |
 *   | ------------------------------------------------------------- | -------------------------------------- |
 *   | create the object again: a replacement, an item that moves    | all such members                       |
 *   | send the whole object                                         | all such members                       |
 *   | send some fields                                              | those in a field that changes or is sent |
 */
export function reportLostMembers(
  changes: readonly Change[],
  drafts: readonly Draft[],
  { kinds }: PlanInput,
  report: Reporter,
): void {
  const draftsOf = new Map<Address, Draft[]>();
  for (const draft of drafts) for (const address of draft.changes) addTo(draftsOf, address, draft);
  for (const change of changes) {
    const { address, action, after } = change;
    const sending = draftsOf.get(address)?.filter(({ requests }) => requests.length > 0) ?? [];
    if (!change.before?.lostByWrites || action === 'delete' || sending.length === 0) continue;
    const lost = lostMembersOf(change, sending, kinds.get(change.kind)!);
    if (lost.length === 0) continue;
    const names = lost.map((member) => `\`${member}\``);
    report.warning(
      lostMembersCode,
      `${address}: the change removes ${listFirst(names, maxNamedMembers)}, which ${lost.length === 1 ? 'is' : 'are'} set in the account and cannot be declared`,
      {
        address,
        at: after?.at,
        hint: 'change the object in the dashboard and accept that here, if it has to stay',
      },
    );
  }
}

/**
 * Returns those members of the live object which no configuration can declare (`lostByWrites`) and which the requests of a change remove,
 * for a warning. These are all of them if the requests write the whole object, else those in a field that is written. `drafts`: the
 * requests, grouped by write.
 */
function lostMembersOf(change: Change, drafts: readonly Draft[], { update }: Kind): string[] {
  const { action, before, fields } = change;
  const undeclarableMembers = before!.lostByWrites!;
  const changedPaths = fields.filter(asksForWrite).map(({ path }) => path);
  const updatesWhole = update !== undefined && writeRequests(update).some(sendsFullBody);
  const createsAgain = action === 'replace' || drafts.some(({ verb }) => verb === 'create');
  const writesWhole = createsAgain || (updatesWhole && changedPaths.length > 0);
  if (writesWhole) return undeclarableMembers;
  const bodies = drafts.flatMap(({ requests }) => requests.map(({ body }) => body));
  const isInChangedField = (member: string) =>
    changedPaths.some((path) => member.startsWith(`${path}.`) || member.startsWith(`${path}[`));
  const isInSentField = (member: string) => bodies.some((body) => hasMember(body, fieldOf(member)));
  return undeclarableMembers.filter((member) => isInChangedField(member) || isInSentField(member));
}

/** Returns the field that a member is in: `conditionGroup` for `conditionGroup[].conditions[].x`. */
const fieldOf = (member: string): string => namesInPath(member)[0]!.replace(/(\[\])+$/, '');

/**
 * True if the body of a planned request has a member of this name at any depth, because an envelope may be around the fields of the object.
 * Used to find the fields that a write sends, since it removes the members in them that no configuration can declare.
 */
function hasMember(body: unknown, name: string): boolean {
  if (Array.isArray(body)) return body.some((item) => hasMember(item, name));
  if (!isPlainObject(body)) return false;
  return Object.hasOwn(body, name) || Object.values(body).some((member) => hasMember(member, name));
}
