import { hash } from 'node:crypto';
import type { Command } from 'commander';
import { inCi, pathOn } from '../app/host.ts';
import { createHomeFolder } from '../app/session/home-folder.ts';
import { findLedgerKey, keyPathOf } from '../app/session/open-ledger.ts';
import type { StackOptions } from '../app/stack-options.ts';
import type { Documents, HistoryUpdate } from '../ledger/documents.ts';
import { createKeyFile, createKeyText } from '../ledger/key.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { isVerified } from '../ledger/proof.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import type { CommandRun } from './command-run.ts';
import { ledgerLine } from './ledger-texts.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';

/** The generation and the digest that a person agreed to sign; required where nobody can be asked. */
export interface SignOptions {
  generation?: number;
  digest?: string;
}

/** A ledger as it was read, with its text. */
export interface HeldLedger {
  documents: Documents;
  text: string;
  store: LedgerStore;
  ledger: Ledger;
}

/**
 * Shows a ledger that the key here did not sign, asks whether it is what this stack owns, and signs it; true if it did. `open` reads it,
 * `lock` takes its lease: nobody else waits while a person thinks, and what is signed is what was shown. `record` makes the record of it.
 * Throws `Problems`.
 */
export async function signLedger(
  now: () => number,
  open: () => Promise<HeldLedger>,
  lock: () => Promise<{ confirm(): Promise<void>; release(): Promise<void> }>,
  record: (held: HeldLedger) => Promise<HistoryUpdate>,
  options: SignOptions,
  terminal: Terminal,
): Promise<boolean> {
  const shown = await open();
  const digest = heldLedgerDigestOf(shown);
  const { store, ledger } = shown;
  const proof = store.proof()!;
  terminal.say(ledgerLine(store, ledger, now()));
  if (isVerified(proof) && !proof.previous) {
    terminal.out('The current key has already signed it.');
    return true;
  }
  if (!isVerified(proof)) {
    showEntries(shown, digest, terminal);
    if (!(await confirmSigning(shown, digest, options, terminal))) return false;
  }
  const lease = await lock();
  try {
    const current = await open();
    if (heldLedgerDigestOf(current) !== digest)
      throw new Problems(
        'sign/changed',
        `the ledger ${store.place} changed after it was shown, so it was not signed`,
        {
          hint: 'review it again',
        },
      );
    const historyUpdate = await record(current);
    await lease.confirm();
    const kept = await current.store.write(current.ledger, { trusted: true, historyUpdate });
    await current.store.close();
    terminal.out(`Signed: ${ledgerLine(current.store, kept, now())}`);
    return true;
  } finally {
    await lease.release();
  }
}

/** The SHA-256 of the bytes as they are stored, as `sha256sum` prints it. The lines of a journal follow those of the ledger. */
const heldLedgerDigestOf = ({ text, store }: HeldLedger): string =>
  hash('sha256', `${text}${store.journalText() ?? ''}`, 'hex');

function showEntries({ documents, ledger }: HeldLedger, digest: string, terminal: Terminal): void {
  const { entries, baseUrl, owner, stack, generation } = ledger;
  const { quiet } = terminal.outStyle;
  for (const [address, { kind, ids, origin, existing, onRemove, tainted, handover }] of Object.entries(
    entries,
  )) {
    const marks = [
      onRemove && 'deleted with its block',
      tainted && 'to be replaced',
      handover !== undefined && `handed over to ${handover}`,
    ].filter(Boolean);
    const what = [kind, existing ? 'not ours' : origin, ids.join(' ') || 'no id of its own', ...marks];
    terminal.out(cleanLine(`${address}  ${quiet(what.join(', '))}`));
  }
  for (const address of Object.keys(ledger.begun ?? {}))
    terminal.out(cleanLine(`${address}  ${quiet('an interrupted run was about to create it')}`));
  const commit = documents.commit?.();
  terminal.say(
    cleanLine(
      `${count(Object.keys(entries).length, 'object')} of the stack ${stack}, of ${owner} at ${baseUrl}; generation ${generation}, digest ${digest}${commit ? `, commit ${commit}` : ''}.`,
    ),
  );
}

async function confirmSigning(
  { store, ledger }: HeldLedger,
  digest: string,
  options: SignOptions,
  terminal: Terminal,
): Promise<boolean> {
  const isNamed = options.generation !== undefined || options.digest !== undefined;
  const flags = `--generation ${ledger.generation} --digest ${digest}`;
  if (isNamed) {
    if (options.generation === ledger.generation && options.digest === digest) return true;
    throw new Problems(
      'sign/other',
      `the ledger ${store.place} is not the one you named, so it was not signed`,
      {
        hint: `review the current one; if it is right: ${flags}`,
      },
    );
  }
  return isYes(terminal, {
    question:
      'Is all of this yours? Once signed, apply deletes what it lists and the configuration does not declare.',
    unattended: problem(
      'sign/unattended',
      'ledger sign needs a terminal or --generation and --digest; nothing was signed',
      {
        hint: `if this is exactly what the stack owns: \`trueup ledger sign ${flags}\``,
      },
    ),
  });
}

/** Adds `trueup ledger key`. */
export function addKeyCommand(ledger: Command, run: CommandRun): void {
  const { host } = run;
  ledger
    .command('key')
    .description('create the key that signs the ledger: the file .trueup/key, ignored by git')
    .option('--twin', "the embedded twin's key")
    .option('--print', 'print a new key without storing it, for a CI secret')
    .action(async (options: Pick<StackOptions, 'twin'> & { print?: boolean }) => {
      const terminal = terminalFor(run, {});
      // A key in the log of a job is known to all who read it, and a file is gone with the machine.
      if (inCi(host) && !options.twin)
        throw new Problems(
          'key/in-ci',
          'keys are not created in CI: the key would end up in a log or be lost with the machine',
          {
            hint: 'create it on your machine with `trueup ledger key --print` and store it as a CI secret',
          },
        );
      if (options.print) return terminal.out(createKeyText());
      const path = keyPathOf(options);
      // A key of before says nothing of whether there is one now.
      const ledgerKey = await findLedgerKey(options, {
        ...host,
        env: { ...host.env, TRUEUP_LEDGER_KEY_PREVIOUS: undefined },
      });
      if (ledgerKey)
        return terminal.out(
          `There is already a key, ${ledgerKey.id}: ${options.twin || !host.env.TRUEUP_LEDGER_KEY?.trim() ? path : 'TRUEUP_LEDGER_KEY'}. It stays.`,
        );
      await createHomeFolder(host);
      const key = await createKeyFile(pathOn(host, path));
      terminal.out(
        `Created the key ${key.id}: ${path}. Keep a copy with your secrets; in CI, set TRUEUP_LEDGER_KEY to the content of this file.`,
      );
    });
}
