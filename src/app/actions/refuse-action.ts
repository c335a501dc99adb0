import type { Action } from '../../kind/action.ts';
import type { Address } from '../../model/address.ts';
import { Problems } from '../../model/diagnostic.ts';
import { Claims } from '../../plan/claims.ts';
import { isOutdatedClaim } from '../../plan/decide-take-over.ts';
import type { Session } from '../session/session.ts';
import type { ActionSubject } from './read-only-account.ts';

/** An action on what another stack owns: whoever has it there is asked first. What is nearest counts. Throws `Problems`. */
export async function refuseOwnedByOthers(
  session: Session,
  about: ActionSubject | undefined,
  { otherStack }: { otherStack?: boolean },
): Promise<void> {
  if (!about || otherStack) return;
  const { ledger, desired, kinds } = session;
  const claims = new Claims(await session.others, kinds, placeAt(about));
  const input = { ledger, key: session.key };
  for (const place of [...about.lineage].reverse()) {
    // First of all: this stack may not know yet that it was taken over, or is about to take over itself.
    const all = claims.allFor(place, place.address);
    const stack = all.find((claim) => !isOutdatedClaim(claim, { claims: all, address: place.address, input }))
      ?.owner.stack;
    if (stack === undefined) {
      const entry = ledger.entries[place.address];
      const block = desired.resources.get(place.address);
      if ((entry && !entry.existing) || (block && !block.meta.existing)) return;
      continue;
    }
    throw new Problems('run/other-stack', `${place.address} belongs to the stack ${stack}`, {
      address: place.address,
      hint: `run it from the configuration of ${stack}, or pass --other-stack`,
    });
  }
}

/** What is known of a container of an action's target. */
const placeAt =
  ({ lineage: places }: ActionSubject) =>
  (address: Address) =>
    places.find((place) => place.address === address);

/** Refuses to destroy a protected object by an action, as a plan does; also one that another stack protects. Throws `Problems`. */
export async function refuseProtected(
  session: Session,
  { name, grade, why }: Action,
  about: ActionSubject | undefined,
): Promise<void> {
  if (!about || (grade !== 'destructive' && grade !== 'irreversible')) return;
  const { ledger, desired, kinds } = session;
  const claims = new Claims(await session.others, kinds, placeAt(about));
  for (const place of about.lineage) {
    const isOurs =
      ledger.entries[place.address]?.protect || desired.resources.get(place.address)?.meta.protect;
    const claim = claims.firstFor(place, place.address);
    if (!isOurs && !claim?.entry.protect) continue;
    const whose = isOurs ? '' : ` by the stack ${claim!.owner.stack}`;
    throw new Problems(
      'guard/protected',
      `${place.address} is protected${whose}, and ${name} is ${grade}: ${why}`,
      {
        address: place.address,
        hint: 'remove `$protect` where it is declared and apply that first',
      },
    );
  }
}
