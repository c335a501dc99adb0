import type { Change } from '../model/change.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { ageText, type OtherStack } from '../model/ledger.ts';
import { oneProblem } from '../model/one-problem.ts';
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

/** Reports declared objects of other stacks: each by itself, or one problem for all with the same owner and reason, if they are many. */
export function ownedElsewhere(owned: readonly OwnedElsewhere[], input: PlanInput): Diagnostic[] {
  const problems = owned.map((object) =>
    object.missingConsent ? withoutConsent(object, object.missingConsent, input) : unasked(object, input),
  );
  return [...groupBy(problems, ({ are }) => are).values()].flatMap((same) =>
    oneProblem(
      same.map(({ diagnostic }) => diagnostic),
      same[0]!,
    ),
  );
}

/** One problem, and its words for several objects with the same. */
interface OwnerProblem {
  diagnostic: Diagnostic;
  are: string;
  hint: string;
}

function withoutConsent(
  { change, claim }: OwnedElsewhere,
  { reason, hint, at }: MissingConsent,
  { now }: PlanInput,
): OwnerProblem {
  const owner = `owned by ${nameOf(claim.by, now)}${reason}`;
  const diagnostic = problem('stack/no-consent', `${change.address} is ${owner}${aliasOf(claim, change)}`, {
    address: change.address,
    ...(change.at ? { at: change.at } : {}),
    hint,
    ...(at ? { related: [{ message: `the block of ${claim.by.stack}`, at }] } : {}),
  });
  return { diagnostic, are: `are ${owner}`, hint };
}

function unasked(
  { change, claim: { by, address: there } }: OwnedElsewhere,
  { ledger, now, desired }: PlanInput,
): OwnerProblem {
  const { address, at } = change;
  const from = fromOf(address, desired.resources);
  const isBoth = ledger.entries[address] !== undefined;
  const owner = nameOf(by, now);
  const rest = `${isBoth ? ', and by this one' : ''}${from === undefined ? '' : `; \`$from\` says ${from}`}`;
  const forget = isBoth ? `\`trueup ledger forget ${shellQuoted(address)}\` here and ` : '';
  const name = there === address ? '' : ` as ${there}`;
  return {
    diagnostic: problem('stack/owned', `${address} is owned by ${owner}${name}${rest}`, {
      address,
      ...(at ? { at } : {}),
      hint: `to move it here, write \`$from: ${by.stack}\` in its block and remove it from ${by.stack}; to leave it there, ${forget}remove it from this configuration, or declare it with \`$existing: true\``,
    }),
    are: `are owned by ${owner}${rest}`,
    hint: `to move them here, write \`$from: ${by.stack}\` in their blocks, or in a block around them, and remove them from ${by.stack}; to leave them there, ${isBoth ? '`trueup ledger forget` each here and ' : ''}remove them from this configuration, or declare them with \`$existing: true\``,
  };
}

const aliasOf = ({ address: there }: Claim, { address }: Change): string =>
  there === address ? '' : ` (there as ${there})`;

/** `the stack web (applied 3 days ago by run 12, ada)`. For errors: a plan with a warning is compared with the one made later, to apply it. */
export const nameOf = ({ stack, writtenAt, lastRun }: OtherStack, now: number): string =>
  `the stack ${stack}${writtenAt === undefined ? '' : ` (applied ${ageText(now - writtenAt)}${lastRun === undefined ? '' : ` by ${lastRun}`})`}`;
