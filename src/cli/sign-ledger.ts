/*
 * The commands about the key that signs ledgers: `trueup ledger key` and `trueup ledger sign`.
 */

import type { Command } from 'commander';
import { indexLedger } from '../app/session/index-claims.ts';
import type { FindStack, LedgerTools } from '../app/session/leased-ledgers.ts';
import type { StackOptions } from '../app/stack-options.ts';
import {
  digestOfLedger,
  type HeldLedger,
  openHeldLedger,
  signReviewedLedger,
} from '../history/held-ledger.ts';
import { formatEntryCount, formatEntryFacts, ledgerLine } from '../history/ledger-line.ts';
import { resolvePath } from '../host.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { createKeyFile, createKeyText } from '../ledger/key.ts';
import { isVerified } from '../ledger/proof.ts';
import { problem, raise } from '../model/diagnostic.ts';
import { cleanLine } from '../report/text.ts';
import { createHomeFolder, mayCreateKey, type SettledLedgerChoice } from '../stores/ledger-choice.ts';
import { createFirstKey, findLedgerKey, keyPathOf } from '../stores/open-ledger.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { isYes, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { number } from './options.ts';

/** The options of `ledger sign`. Without a terminal, the generation and the digest of the reviewed ledger stand for a confirmation. */
interface SignOptions extends StackOptions {
  generation?: number;
  digest?: string;
}

/**
 * Declares `trueup ledger sign` with its own options. It shows a ledger that the key of this machine did not sign, asks, and signs it.
 * Without a terminal, the generation (the number of the ledger's last write) and the digest identify the reviewed ledger.
 */
export function addSignCommand(
  command: Command,
  provider: Provider,
  findStack: FindStack,
  run: CommandRun,
): void {
  command
    .description('sign a ledger that this key did not sign, after reviewing it')
    .option('--generation <n>', 'the reviewed generation, for non-interactive use', number(0))
    .option('--digest <sha256>', 'the reviewed digest')
    .action(async (options: SignOptions) => {
      const terminal = terminalFor(run, options);
      const { stack, choice } = await findStack(options);
      if (!(await signLedger(stack, choice, { port: terminal, provider }))) run.exitCode = 1;
    });
}

/**
 * Signs the ledger of a stack once a person has agreed that it lists the objects of the stack, because `apply` deletes those in a signed
 * ledger that the configuration does not declare. Creates the first key before the question, if there is none. Returns false if the person
 * declines. The lease (the lock of the ledger) is taken after the question, so that other runs need not wait for the answer. Throws
 * `Problems` if the ledger changed meanwhile, or if there is no terminal to ask at.
 */
async function signLedger(
  stack: string,
  options: SignOptions & SettledLedgerChoice,
  { port: terminal, provider }: LedgerTools & { port: Terminal },
): Promise<boolean> {
  const { host } = terminal.run;
  const key =
    (await findLedgerKey(options, host)) ??
    (await createFirstKey(await openHeldLedger(stack, options, host), options, host));
  const held = await openHeldLedger(stack, options, host, key);
  const digest = digestOfLedger(held);
  const { store, ledger } = held;
  // `openHeldLedger` throws if there is no ledger, so there is a proof.
  const proof = store.proof()!;
  terminal.say(ledgerLine(store, ledger, host.clock.now()));
  if (isVerified(proof) && !proof.previous) {
    terminal.out('The current key has already signed it.');
    return true;
  }
  // A ledger that the previous key signed needs no review.
  if (!isVerified(proof)) {
    showEntries(held, digest, terminal);
    if (!(await confirmSigning(held, digest, options, terminal))) return false;
  }
  const signed = await signReviewedLedger(stack, { key, digest }, options, terminal);
  await indexLedger({ documents: signed.documents, host, kinds: kindsOf(provider.kinds), key });
  terminal.out(`Signed: ${ledgerLine(signed.store, signed.ledger, host.clock.now())}`);
  return true;
}

/**
 * Shows the reviewer of `trueup ledger sign` all that a signature vouches for: the entries, the creations that an interrupted run had planned,
 * and the digest.
 */
function showEntries({ documents, ledger }: HeldLedger, digest: string, terminal: Terminal): void {
  const { entries, baseUrl, owner, stack, generation } = ledger;
  const { quiet } = terminal.outStyle;
  for (const [address, entry] of Object.entries(entries)) {
    const notes = [
      ...(entry.onRemove ? ['deleted with its block'] : []),
      ...(entry.tainted ? ['to be replaced'] : []),
    ];
    terminal.out(cleanLine(`${address}  ${quiet(formatEntryFacts(entry, notes))}`));
  }
  for (const address of Object.keys(ledger.begun ?? {}))
    terminal.out(cleanLine(`${address}  ${quiet('an interrupted run was about to create it')}`));
  const commit = documents.commit?.();
  const inCommit = commit ? `, commit ${commit}` : '';
  terminal.say(
    cleanLine(
      `${formatEntryCount(entries)} of the stack ${stack}, of ${owner} at ${baseUrl}; generation ${generation}, digest ${digest}${inCommit}.`,
    ),
  );
}

/**
 * True if a person agrees to the signature of `trueup ledger sign`, at the terminal, or by options that name exactly
 * the ledger that was shown: `--generation` together with `--digest`. Throws `Problems` if an option is given and they
 * do not both match, because the ledger may have changed since the review, or if there is neither a terminal nor an
 * option.
 */
async function confirmSigning(
  { store, ledger }: HeldLedger,
  digest: string,
  options: SignOptions,
  terminal: Terminal,
): Promise<boolean> {
  const flags = `--generation ${ledger.generation} --digest ${digest}`;
  if (options.generation !== undefined || options.digest !== undefined) {
    if (options.generation === ledger.generation && options.digest === digest) return true;
    raise('sign/changed', `the ledger ${store.place} is not the one you named, so it was not signed`, {
      hint: `review the current one; if it is right: ${flags}`,
    });
  }
  return isYes(terminal, {
    question:
      'Is all of this yours? Once signed, apply deletes what it lists and the configuration does not declare.',
    unattended: problem(
      'sign/unattended',
      'ledger sign needs a terminal or --generation and --digest; nothing was signed',
      { hint: `if this is exactly what the stack owns: \`trueup ledger sign ${flags}\`` },
    ),
  });
}

/** Declares `trueup ledger key`, which creates the key that signs ledgers on this machine. It never replaces a key. */
export function addKeyCommand(ledger: Command, run: CommandRun): void {
  ledger
    .command('key')
    .description('create the key that signs the ledger: the file .trueup/key, ignored by git')
    .option('--twin', "the embedded twin's key")
    .option('--print', 'print a new key without storing it, for a CI secret')
    .action((options: NewKeyOptions) => createKey(options, terminalFor(run, {})));
}

/** The options of `ledger key`. */
interface NewKeyOptions extends Pick<StackOptions, 'twin'> {
  print?: boolean;
}

/**
 * Creates the key of this machine for `trueup ledger key`, unless there is one, or with `--print` prints a new key without storing it.
 * Throws `Problems` in CI.
 */
async function createKey(options: NewKeyOptions, terminal: Terminal): Promise<void> {
  const { host } = terminal.run;
  // Everybody who reads the log of a job would know the key, and a file is lost with the machine.
  if (!mayCreateKey(options, host))
    raise(
      'key/in-ci',
      'keys are not created in CI: the key would end up in a log or be lost with the machine',
      { hint: 'create it on your machine with `trueup ledger key --print` and store it as a CI secret' },
    );
  const path = keyPathOf(options, host);
  // A previous key in the environment does not mean that there is a current one.
  const env = { ...host.env, TRUEUP_LEDGER_KEY_PREVIOUS: undefined };
  const existing = await findLedgerKey(options, { ...host, env });
  const isInFile = options.twin || !host.env.TRUEUP_LEDGER_KEY?.trim();
  const existingText = `There is already a key, ${existing?.id}: ${isInFile ? path : 'TRUEUP_LEDGER_KEY'}.`;
  if (options.print) {
    if (existing)
      terminal.say(
        `${existingText} CI needs that one for the ledgers it has signed; the key below is another one.`,
      );
    return terminal.out(createKeyText());
  }
  if (existing) return terminal.out(`${existingText} It stays.`);
  await createHomeFolder(host);
  const key = await createKeyFile(resolvePath(host, path));
  terminal.out(
    `Created the key ${key.id}: ${path}. Keep a copy with your secrets; in CI, set TRUEUP_LEDGER_KEY to the content of this file.`,
  );
}
