import type { Address } from '../model/address.ts';
import type { Change, ComparedChange } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { refersToStack } from '../model/ledger.ts';
import type { Claim } from './claims.ts';
import { createConsentTest } from './consent.ts';
import type { PlanInput } from './input.ts';
import type { OwnedElsewhere } from './owned-elsewhere.ts';
import { isAskedFor } from './take-over.ts';

/** The parts of the plan input that say whether this stack owned an object before. */
type OwnershipInput = Pick<PlanInput, 'ledger' | 'takenOver' | 'key'>;

/** The change of a declared object that another stack claims, or why the object is left to that stack. */
type TakeOverDecision = { change: Change; owned?: OwnedElsewhere };

/**
 * Creates the function that decides about a declared object that other stacks claim. The object is taken over if all of them consent.
 * Otherwise the result has `owned`, and the plan reports that the configuration must not declare the object.
 */
export function createTakeOverDecider(
  input: PlanInput,
): (change: ComparedChange, claims: Claim[]) => TakeOverDecision {
  const testConsent = createConsentTest(input);
  return (change, claims) => {
    const { address, reason } = change;
    for (const claim of claims) {
      const consent = isAskedFor(claim, address, input.desired) ? testConsent(claim, address) : undefined;
      if (consent?.isGiven) continue;
      return { change, owned: { change, claim, missingConsent: consent } };
    }
    const [claim] = claims;
    if (!claim || isOwnedBefore(address, input)) return { change };
    const formerOwner = claim.owner.stack;
    const reasons = [`taken over from stack ${formerOwner}`, reason].filter(Boolean);
    return { change: { ...change, takenFrom: formerOwner, reason: reasons.join('; ') } };
  };
}

/**
 * Warns, in a plan without a ledger key, that the consent of the former owners was not verified. One warning for each former owner. Such a
 * plan cannot be applied, so this is only a warning.
 */
export function reportUnverified(changes: readonly Change[], { key }: PlanInput, report: Reporter): void {
  const formerOwners = changes.flatMap(({ takenFrom }) => takenFrom ?? []);
  if (key) return;
  for (const stack of new Set(formerOwners)) {
    const number = formerOwners.filter((owner) => owner === stack).length;
    report.warning(
      'stack/consent-not-verified',
      `${number} ${number === 1 ? 'object is' : 'objects are'} taken over from stack ${stack}: consent not verified here`,
      { hint: 'this run has no ledger key; the run that applies checks it' },
    );
  }
}

/**
 * True if a claim is outdated: its stack handed the object over, and this stack or the one named in `$handover` owns it by now. The claim
 * stays in the ledger of the former owner until that stack is applied again, and must not block this plan. `claims`: all claims to the object.
 */
export function isOutdatedClaim(
  { owner, entry: { handover } }: Claim,
  { claims, address, input }: { claims: Claim[]; address: Address; input: OwnershipInput },
): boolean {
  const isTrusted = owner.isVerified || input.key === undefined;
  if (handover === undefined || !isTrusted) return false;
  const isOwnedByHeir = claims.some((claim) =>
    refersToStack(handover, claim.owner.stack, { from: owner.stack }),
  );
  return isOwnedByHeir || isOwnedBefore(address, input);
}

/** True if this stack owned the object before this plan, so that nothing has to be taken over. */
function isOwnedBefore(address: Address, { ledger, takenOver }: OwnershipInput): boolean {
  const entry = ledger.entries[address];
  return entry !== undefined && !entry.existing && !takenOver?.has(address);
}
