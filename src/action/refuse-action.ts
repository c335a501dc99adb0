import type { Action } from '../kind/action.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { raise } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import type { Desired } from '../model/resource.ts';
import { Claims } from '../plan/claims.ts';
import { isOutdatedClaim } from '../plan/take-over.ts';
import type { ActionSubject } from './find-subject.ts';

/** The stack that an action belongs to. `otherStacks`: the other stacks in the same store. */
interface ActingStack {
  ledger: Ledger;
  desired: Desired;
  kinds: Kinds;
  key: LedgerKey | undefined;
  otherStacks: { readAll(): Promise<readonly OtherStack[]> };
}

/**
 * Throws `Problems` if an action of `trueup run` is about an object that another stack owns, unless `--other-stack` allows it. The nearest
 * owner counts: first that of the object, then those of the objects that contain it. Another stack owns an object if its ledger has an
 * entry for it (a claim) that is not outdated. This stack also owns the objects that its configuration declares, unless they are
 * `$existing`.
 */
export async function refuseOwnedByOthers(
  stack: ActingStack,
  about: ActionSubject | undefined,
  { otherStack }: { otherStack?: boolean },
): Promise<void> {
  if (!about || otherStack) return;
  const { ledger, desired, kinds } = stack;
  const claims = new Claims(await stack.otherStacks.readAll(), kinds, createLineageFinder(about));
  const input = { ledger, key: stack.key };
  for (const object of [...about.lineage].reverse()) {
    const { address } = object;
    // Before this stack's own entry, because another stack may have taken the object over, or this stack is about to take it over.
    const objectClaims = claims.allFor(object, address);
    const claim = objectClaims.find(
      (candidate) => !isOutdatedClaim(candidate, { claims: objectClaims, address, input }),
    );
    if (claim)
      raise('run/other-stack', `${address} belongs to the stack ${claim.owner.stack}`, {
        address,
        hint: `run it from the configuration of ${claim.owner.stack}, or pass --other-stack`,
      });
    const entry = ledger.entries[address];
    const block = desired.resources.get(address);
    const isOwn = (entry && !entry.existing) || (block && !block.meta.existing);
    if (isOwn) return;
  }
}

/** Returns a function which finds the subject of an action, or an object that contains it, by address. `Claims` needs it. */
const createLineageFinder =
  ({ lineage }: ActionSubject) =>
  (address: Address) =>
    lineage.find((object) => object.address === address);

/**
 * Throws `Problems` if an action of `trueup run` would destroy an object with `$protect`, or an object inside of one, just as a plan
 * refuses to delete it. The `$protect` of another stack counts, too.
 */
export async function refuseProtected(
  stack: ActingStack,
  { name, grade, why }: Action,
  about: ActionSubject | undefined,
): Promise<void> {
  if (!about || (grade !== 'destructive' && grade !== 'irreversible')) return;
  const { ledger, desired, kinds } = stack;
  const claims = new Claims(await stack.otherStacks.readAll(), kinds, createLineageFinder(about));
  for (const object of about.lineage) {
    const { address } = object;
    const isProtectedHere = ledger.entries[address]?.protect || desired.resources.get(address)?.meta.protect;
    const claim = claims.firstFor(object, address);
    if (isProtectedHere || claim?.entry.protect) {
      const byStack = isProtectedHere ? '' : ` by the stack ${claim!.owner.stack}`;
      raise('guard/protected', `${address} is protected${byStack}, and ${name} is ${grade}: ${why}`, {
        address,
        hint: 'remove `$protect` where it is declared and apply that first',
      });
    }
  }
}
