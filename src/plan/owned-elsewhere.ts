import type { Change } from '../model/change.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { ageText, type OtherStack } from '../model/ledger.ts';
import { shellQuoted } from '../model/shell-word.ts';
import type { Claim } from './claims.ts';
import { fromOf, type MissingConsent } from './consent.ts';
import type { PlanInput } from './input.ts';

/** A declared object that another stack owns, so that this plan must not change it. */
export interface OwnedElsewhere {
  change: Change;
  claim: Claim;
  /** Set if `$from` names the owner, and the owner does not consent. */
  missingConsent?: MissingConsent;
}

/**
 * Returns a problem for each declared object that another stack owns. Problems with the same owner and reason fold into one message
 * (`alike`).
 */
export const createOwnedElsewhereProblems = (
  owned: readonly OwnedElsewhere[],
  input: PlanInput,
): Diagnostic[] =>
  owned.map((object) =>
    object.missingConsent
      ? createNoConsentProblem(object, object.missingConsent, input)
      : createNotAskedForProblem(object, input),
  );

/** Creates the problem that the block asks for the object with `$from`, but its owner does not consent. */
function createNoConsentProblem(
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

/** Creates the problem that the owner keeps the object because no block here asks for it with `$from: OWNER`. The hint lists all ways out. */
function createNotAskedForProblem(
  { change, claim }: OwnedElsewhere,
  { ledger, now, desired }: PlanInput,
): Diagnostic {
  const { address, at } = change;
  const { stack } = claim.owner;
  const from = fromOf(address, desired.resources);
  const isOwnedByBoth = ledger.entries[address] !== undefined;
  const owner = formatOtherStack(claim.owner, now);
  const otherOwnerText = isOwnedByBoth ? ', and by this one' : '';
  const fromText = from === undefined ? '' : `; \`$from\` says ${from}`;
  const forgetText = isOwnedByBoth ? `\`trueup ledger forget ${shellQuoted(address)}\` here and ` : '';
  const nameText = claim.address === address ? '' : ` as ${claim.address}`;
  const foldedMessage = `resources are owned by ${owner}${otherOwnerText}${fromText}`;
  return problem('stack/owned', `${address} is owned by ${owner}${nameText}${otherOwnerText}${fromText}`, {
    address,
    at,
    hint: `to move it here, write \`$from: ${stack}\` in its block, and remove it from ${stack} in the same commit or write \`$handover: ${desired.stack}\` there; to leave it there, ${forgetText}remove it from this configuration, or declare it with \`$existing: true\``,
    alike: {
      cause: foldedMessage,
      are: foldedMessage,
      hint: `to move them here, write \`$from: ${stack}\` in their blocks, or in a block around them, and remove them from ${stack} in the same commit or write \`$handover: ${desired.stack}\` there; to leave them there, ${isOwnedByBoth ? '`trueup ledger forget` each here and ' : ''}remove them from this configuration, or declare them with \`$existing: true\``,
    },
  });
}

/** Returns the name of the object in the other stack for a message, if it is not the same. */
const aliasOf = (claim: Claim, { address }: Change): string =>
  claim.address === address ? '' : ` (there as ${claim.address})`;

/**
 * Formats another stack with its last run: `the stack web (applied 3 days ago by run 12, ada)`. Only for errors, never for warnings: a saved plan
 * is compared with a later one, and the age would make its warnings differ.
 */
export function formatOtherStack({ stack, writtenAt, lastRun }: OtherStack, now: number): string {
  if (writtenAt === undefined) return `the stack ${stack}`;
  const run = lastRun === undefined ? '' : ` by ${lastRun}`;
  return `the stack ${stack} (applied ${ageText(now - writtenAt)}${run})`;
}
