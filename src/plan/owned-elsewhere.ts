import type { Change } from '../model/change.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { ageText, type OtherStack } from '../model/ledger.ts';
import { shellQuoted } from '../model/shell-word.ts';
import type { Claim } from './claims.ts';
import { fromOf, type MissingConsent } from './consent.ts';
import type { PlanInput } from './input.ts';

/** A declared object that another stack owns. */
export interface OwnedElsewhere {
  change: Change;
  claim: Claim;
  /** Set if `$from` names the owner, and the owner does not consent. */
  missingConsent?: MissingConsent;
}

/** Returns a problem for each declared object of another stack. Those with the same owner and reason fold into one. */
export const createOwnedElsewhereProblems = (
  owned: readonly OwnedElsewhere[],
  input: PlanInput,
): Diagnostic[] =>
  owned.map((object) =>
    object.missingConsent
      ? withoutConsent(object, object.missingConsent, input)
      : withoutHandover(object, input),
  );

/** The other stack does not consent to a handover. */
function withoutConsent(
  { change, claim }: OwnedElsewhere,
  { reason, hint, at }: MissingConsent,
  { now }: PlanInput,
): Diagnostic {
  const owner = `owned by ${formatOtherStack(claim.owner, now)}${reason}`;
  return problem('stack/no-consent', `${change.address} is ${owner}${aliasOf(claim, change)}`, {
    address: change.address,
    at: change.at,
    hint,
    related: at && [{ message: `the block of ${claim.owner.stack}`, at }],
    alike: { cause: owner, are: `resources are ${owner}`, hint },
  });
}

/** Nothing asks for a handover. */
function withoutHandover(
  { change, claim: { owner: by, address: there } }: OwnedElsewhere,
  { ledger, now, desired }: PlanInput,
): Diagnostic {
  const { address, at } = change;
  const from = fromOf(address, desired.resources);
  const isBoth = ledger.entries[address] !== undefined;
  const owner = formatOtherStack(by, now);
  const also = `${isBoth ? ', and by this one' : ''}${from === undefined ? '' : `; \`$from\` says ${from}`}`;
  const forget = isBoth ? `\`trueup ledger forget ${shellQuoted(address)}\` here and ` : '';
  const name = there === address ? '' : ` as ${there}`;
  const are = `resources are owned by ${owner}${also}`;
  return problem('stack/owned', `${address} is owned by ${owner}${name}${also}`, {
    address,
    at,
    hint: `to move it here, write \`$from: ${by.stack}\` in its block, and remove it from ${by.stack} in the same commit or write \`$handover: ${desired.stack}\` there; to leave it there, ${forget}remove it from this configuration, or declare it with \`$existing: true\``,
    alike: {
      cause: are,
      are,
      hint: `to move them here, write \`$from: ${by.stack}\` in their blocks, or in a block around them, and remove them from ${by.stack} in the same commit or write \`$handover: ${desired.stack}\` there; to leave them there, ${isBoth ? '`trueup ledger forget` each here and ' : ''}remove them from this configuration, or declare them with \`$existing: true\``,
    },
  });
}

const aliasOf = ({ address: there }: Claim, { address }: Change): string =>
  there === address ? '' : ` (there as ${there})`;

/** `the stack web (applied 3 days ago by run 12, ada)`. For errors: a plan with a warning is compared with the one made later, to apply it. */
export const formatOtherStack = ({ stack, writtenAt, lastRun }: OtherStack, now: number): string =>
  `the stack ${stack}${writtenAt === undefined ? '' : ` (applied ${ageText(now - writtenAt)}${lastRun === undefined ? '' : ` by ${lastRun}`})`}`;
