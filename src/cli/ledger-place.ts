import { join } from 'node:path';
import type { Documents } from '../ledger/documents.ts';
import { fileDocuments } from '../ledger/file-documents.ts';
import { gitDocuments } from '../ledger/git-documents.ts';
import { openJournal } from '../ledger/journal.ts';
import { type LedgerStore, ledgerStore } from '../ledger/ledger-store.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import { home } from './home.ts';
import type { Host } from './host.ts';
import type { StackOptions } from './options.ts';

type Place = Pick<StackOptions, 'ledger' | 'twin'>;

/** What `--ledger` says, else TRUEUP_LEDGER (not of the twin's ledger); undefined: nothing does. */
const chosen = ({ ledger, twin }: Place, { env }: Host): string | undefined =>
  ledger ?? (twin ? undefined : env.TRUEUP_LEDGER || undefined);

/** The remote that a choice names; undefined for a file. */
export function remoteOf(place: Place, host: Host): string | undefined {
  const git = /^git(?::(.*))?$/s.exec(chosen(place, host) ?? '');
  return git ? (git[1] ?? 'origin') : undefined;
}

/** Where a stack's ledger is: a file, or a ref of a git remote; the twin's is another one, and a file. Throws `Problems`. */
export function documentsFor(stack: string, place: Place, host: Host): Documents {
  const remote = remoteOf(place, host);
  if (remote === undefined)
    return fileDocuments(
      chosen(place, host) ?? join(home, ...(place.twin ? ['twin'] : []), 'ledger', `${stack}.json`),
      host,
    );
  if (place.twin)
    throw new Problems([
      problem('ledger/twin', "the twin's account is on this machine, and so is its ledger", {
        hint: 'leave out --ledger git; for a file called git write ./git',
      }),
    ]);
  // It becomes an argument of git.
  if (!/^\w[\w./-]*$/.test(remote))
    throw new Problems([
      problem('ledger/git-remote', '`--ledger git:REMOTE` takes the name of a remote, and this is none', {
        hint: '`git remote` shows the names; credentials belong into the settings of git',
      }),
    ]);
  return gitDocuments({ stack, remote, cwd: host.cwd, env: host.env });
}

/** The store of a stack's ledger, with the journal that its runs on this machine keep. Throws `Problems`. */
export async function storeFor(
  stack: string,
  place: Place,
  host: Host,
  documents = documentsFor(stack, place, host),
): Promise<LedgerStore> {
  return ledgerStore(documents, openJournal(await documents.journalPath()));
}

/** What is wrong with a ledger that is gone with the CI system's machine; undefined where it stays. */
export function ephemeral(place: Place, host: Host): Diagnostic | undefined {
  if (!host.env.CI || place.twin || chosen(place, host) !== undefined) return undefined;
  return problem(
    'ledger/ephemeral',
    "the ledger is a file on the CI system's machine, and is gone after this run",
    {
      hint: 'keep it in the repository with `--ledger git` (or TRUEUP_LEDGER=git), or name a file that stays',
    },
  );
}

/** Refuses to apply what would be forgotten, unless the user insists. */
export function refuseEphemeral(options: Place & Pick<StackOptions, 'ephemeralLedger'>, host: Host): void {
  const unkept = options.ephemeralLedger ? undefined : ephemeral(options, host);
  if (unkept)
    throw new Problems([{ ...unkept, hint: `${unkept.hint}; --ephemeral-ledger applies all the same` }]);
}
