import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { ageText, type OtherStack } from '../model/ledger.ts';
import { shellQuoted } from '../model/shell-word.ts';
import type { PlanInput } from './input.ts';

/**
 * Returns a problem for each object of another stack that is declared here. Those of one stack fold into one problem. `from`: the stack
 * that `$from` names.
 */
export function ownedElsewhere(
  all: { change: Change; claim: { by: OtherStack; address: Address }; from: string | undefined }[],
  { ledger, now }: PlanInput,
): Diagnostic[] {
  return all.map(({ change: { address, at }, claim: { by, address: there }, from }) => {
    const name = there === address ? '' : ` as ${there}`;
    const isBoth = ledger.entries[address] !== undefined;
    const owner = nameOf(by, now);
    const also = `${isBoth ? ', and by this one' : ''}${from === undefined ? '' : `; \`$from\` says ${from}`}`;
    const forget = isBoth ? `\`trueup ledger forget ${shellQuoted(address)}\` here and ` : '';
    const are = `resources are owned by ${owner}${also}`;
    return problem('stack/owned', `${address} is owned by ${owner}${name}${also}`, {
      address,
      ...(at ? { at } : {}),
      hint: `to move it here, write \`$from: ${by.stack}\` in its block and remove it from ${by.stack}; to leave it there, ${forget}remove it from this configuration, or declare it with \`$existing: true\``,
      alike: {
        cause: are,
        are,
        hint: `to move them here, write \`$from: ${by.stack}\` in their blocks, or in a block around them, and remove them from ${by.stack}; to leave them there, ${isBoth ? '`trueup ledger forget` each here and ' : ''}remove them from this configuration, or declare them with \`$existing: true\``,
      },
    });
  });
}

/** `the stack web (applied 3 days ago by run 12, ada)`. For errors: a plan with a warning is compared with the one made later, to apply it. */
export const nameOf = ({ stack, writtenAt, lastRun }: OtherStack, now: number): string =>
  `the stack ${stack}${writtenAt === undefined ? '' : ` (applied ${ageText(now - writtenAt)}${lastRun === undefined ? '' : ` by ${lastRun}`})`}`;
