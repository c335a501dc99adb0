import { type Diagnostic, Problems, problem, warning } from '../../model/diagnostic.ts';
import {
  isStoreUrl,
  readIndexUrl,
  readStoreUrl,
  type StoreUrl,
  servesOneStack,
} from '../../stores/store-url.ts';
import { type Host, inCi } from '../host.ts';
import type { StackOptions } from '../stack-options.ts';

export type LedgerChoice = Pick<StackOptions, 'ledger' | 'ledgerIndex' | 'twin'>;

/** The value of `--ledger`, else TRUEUP_LEDGER, which does not apply to the twin. Undefined if neither is set. */
export const chosenLedgerPlace = (
  { ledger, twin }: LedgerChoice,
  { env }: Pick<Host, 'env'>,
): string | undefined => ledger ?? (twin ? undefined : env.TRUEUP_LEDGER || undefined);

/** Returns the git remote that a choice names; undefined for a file or a store. */
export function gitRemoteOf(place: LedgerChoice, host: Pick<Host, 'env'>): string | undefined {
  const git = /^git(?::(.*))?$/s.exec(chosenLedgerPlace(place, host) ?? '');
  return git ? (git[1] ?? 'origin') : undefined;
}

/** Returns the store whose URL a choice is; undefined for a file or git. Throws `Problems` for an invalid URL. */
export function storeUrlOf(place: LedgerChoice, host: Pick<Host, 'env'>): StoreUrl | undefined {
  const choice = chosenLedgerPlace(place, host);
  return choice !== undefined && isStoreUrl(choice)
    ? readStoreUrl(choice, place.ledger !== undefined)
    : undefined;
}

/** Returns the URL of the document that lists ledgers; undefined if none is given. Throws `Problems` for an invalid URL. */
export function indexUrlOf(place: LedgerChoice, { env }: Pick<Host, 'env'>): StoreUrl | undefined {
  const choice = place.ledgerIndex ?? (env.TRUEUP_LEDGER_INDEX || undefined);
  return choice === undefined ? undefined : readIndexUrl(choice, place.ledgerIndex !== undefined);
}

/** True if a choice can only be the ledger of one stack. Used to reject it for several stacks. */
export function canOnlyHoldOneStack(place: LedgerChoice, host: Pick<Host, 'env'>): boolean {
  const store = storeUrlOf(place, host);
  return store ? servesOneStack(store) : chosenLedgerFile(place, host) !== undefined;
}

/** Returns the warning that other stacks are unknown, if the store cannot list its ledgers. */
export function unlistedWarning(place: LedgerChoice, host: Host): Diagnostic | undefined {
  if (place.twin || storeUrlOf(place, host)?.storeKind !== 'http' || indexUrlOf(place, host))
    return undefined;
  return warning(
    'ledger/unlisted',
    'this store cannot list its ledgers: ownership by other stacks is unknown and not enforced',
    {
      hint: 'pass a document that lists them, the same one for all stacks: `--ledger-index URL` or TRUEUP_LEDGER_INDEX',
    },
  );
}

/** True if the ledger is a file on this machine. */
export const isLedgerFile = (place: LedgerChoice, host: Pick<Host, 'env'>): boolean =>
  gitRemoteOf(place, host) === undefined && !isStoreUrl(chosenLedgerPlace(place, host) ?? '');

/** Returns the file that `--ledger` or TRUEUP_LEDGER names, if it is a file. */
export const chosenLedgerFile = (place: LedgerChoice, host: Pick<Host, 'env'>): string | undefined =>
  isLedgerFile(place, host) ? chosenLedgerPlace(place, host) : undefined;

/** True if a run keeps something in `.trueup`: its ledger, or the journal of a ledger that is elsewhere. */
export const usesHome = (place: LedgerChoice, host: Pick<Host, 'env'>): boolean =>
  isLedgerFile(place, host) ? place.ledger === undefined : gitRemoteOf(place, host) === undefined;

/** The problem with a ledger that will be lost with the CI system's machine; undefined if the ledger stays. */
export function ephemeralProblem(place: LedgerChoice, host: Host): Diagnostic | undefined {
  if (!inCi(host) || place.twin || chosenLedgerPlace(place, host) !== undefined) return undefined;
  return problem('ledger/ephemeral', 'the ledger is a file on the CI machine and is lost after this run', {
    hint: 'keep it in the repository with `--ledger git` (or TRUEUP_LEDGER=git), or name a file that persists',
  });
}

/** Throws `Problems` if the ledger of an apply would be lost, unless the user insists. */
export function refuseEphemeral(
  options: LedgerChoice & Pick<StackOptions, 'ephemeralLedger'>,
  host: Host,
): void {
  const unkept = options.ephemeralLedger ? undefined : ephemeralProblem(options, host);
  if (unkept) throw new Problems([{ ...unkept, hint: `${unkept.hint}; --ephemeral-ledger applies anyway` }]);
}
