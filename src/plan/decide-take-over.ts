import type { Address } from '../model/address.ts';
import type { Change, ComparedChange } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { meansStack } from '../model/ledger.ts';
import type { Claim } from './claims.ts';
import { createConsentTest } from './consent.ts';
import type { PlanInput } from './input.ts';
import type { OwnedElsewhere } from './owned-elsewhere.ts';
import { isAskedFor } from './take-over.ts';

type OwnershipInput = Pick<PlanInput, 'ledger' | 'takenOver' | 'key'>;

/** The change of a declared object that another stack claims, or why the object is left to that stack. */
type TakeOverDecision = { change: Change; owned?: OwnedElsewhere };

/**
 * Creates the function that decides about a declared object that other stacks claim. It is taken over if all of them consent; otherwise the
 * configuration must not declare it.
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

/** Warns, in a plan without a key, that the consent of the former owners was not verified. */
export function reportUnverified(changes: readonly Change[], { key }: PlanInput, report: Reporter): void {
  const taken = changes.flatMap(({ takenFrom }) => takenFrom ?? []);
  if (key) return;
  for (const stack of new Set(taken)) {
    const number = taken.filter((owner) => owner === stack).length;
    report.warning(
      'stack/consent-not-verified',
      `${number} ${number === 1 ? 'object is' : 'objects are'} taken over from stack ${stack}: consent not verified here`,
      { hint: 'this run has no ledger key; the run that applies checks it' },
    );
  }
}

/**
 * True if a claim is outdated: its stack handed the object over, and this stack or the one named in `$handover` owns it by now. The claim
 * stays in the ledger of the former owner until that is applied again.
 */
export function isOutdatedClaim(
  { owner, entry: { handover } }: Claim,
  { all, address, input }: { all: Claim[]; address: Address; input: OwnershipInput },
): boolean {
  const isTrusted = owner.isVerified || input.key === undefined;
  if (handover === undefined || !isTrusted) return false;
  const isHeirs = all.some((claim) => meansStack(handover, claim.owner.stack, { from: owner.stack }));
  return isHeirs || isOwnedBefore(address, input);
}

/** True if this stack owned the object before this plan. */
function isOwnedBefore(address: Address, { ledger, takenOver }: OwnershipInput): boolean {
  const entry = ledger.entries[address];
  return entry !== undefined && !entry.existing && !takenOver?.has(address);
}
