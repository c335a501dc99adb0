import type { Command } from 'commander';
import {
  composeCommandRecord,
  type LedgerOptions,
  withLeasedLedgers,
  withLedgers,
} from '../app/session/leased-ledgers.ts';
import { findLedgerKey, openLedgerDocuments } from '../app/session/open-ledger.ts';
import { findStarter } from '../app/session/run-facts.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { composeCopiedHistory, composeRenamedHistory } from '../history/ledger-record.ts';
import { copyLedger, renameLedger } from '../ledger/copy-ledger.ts';
import { moveEntries, retireLedger } from '../ledger/move-entries.ts';
import { matcherOf } from '../model/address-glob.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { isStackName } from '../model/ledger.ts';
import { shellQuoted } from '../model/shell-word.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import type { CommandRun } from './command-run.ts';
import { ledgerLine } from './ledger-texts.ts';
import {
  ledgerHelp,
  ledgerIndexOption,
  withColor,
  withConfiguration,
  withLockWait,
  withSources,
} from './options.ts';
import { isYes, terminalFor } from './terminal.ts';

/** Adds `trueup ledger copy`. */
export function addCopy(
  ledger: Command,
  stackOf: (options: StackOptions) => Promise<string>,
  run: CommandRun,
): void {
  withLockWait(withSources(withConfiguration(ledger.command('copy'))))
    .argument('<from>', 'where the ledger is now, in the form --ledger takes')
    .argument('<to>', 'where to move it')
    .description('copy the ledger of a stack to another place and use it from then on')
    .addOption(ledgerIndexOption())
    .action(async (from: string, to: string, options: StackOptions) => {
      const stack = await stackOf(options);
      const { host } = run;
      const place = (ledger: string) => ({ stack, options: { ...options, ledger } });
      const { place: here } = await openLedgerDocuments(stack, place(from).options, host);
      const { place: there } = await openLedgerDocuments(stack, place(to).options, host);
      if (here === there)
        throw new Problems('ledger/same', `source and destination are the same: ${here}`, {
          hint: 'trueup ledger copy git postgres://db.example.com/trueup',
        });
      const terminal = terminalFor(run, options);
      await withLeasedLedgers(
        new Map([
          [from, place(from)],
          [to, place(to)],
        ]),
        options,
        terminal,
        async (ledgers) => {
          const [old, next] = [ledgers.get(from)!, ledgers.get(to)!];
          const key = (await findLedgerKey(options, host))!;
          const isDone = await copyLedger(old, next, (ledger) =>
            composeCopiedHistory({
              from: old.documents,
              to: next.documents,
              ledger: ledger,
              key,
              by: findStarter(host.env),
              now: host.clock.now,
            }),
          );
          terminal.out(
            cleanLine(
              `${isDone ? 'Copied' : 'Already copied'}: the ledger of ${stack} is at ${there}. The one at ${here} points there and can no longer be applied to.`,
            ),
          );
        },
      );
    });
}

/** Adds `trueup ledger rename`. */
export function addRename(ledger: Command, run: CommandRun): void {
  withLockWait(withColor(ledger.command('rename')))
    .argument('<old>', 'the old stack name')
    .argument('<new>', 'the new stack name: NAME, or NAME@STAGE')
    .description("rename a stack's ledger; no object changes")
    .option('--ledger <path>', ledgerHelp)
    .addOption(ledgerIndexOption())
    .option('--twin', "the embedded twin's ledger")
    .action(async (old: string, name: string, options: LedgerOptions) => {
      const wrong = [old, name].filter((one) => !isStackName(one));
      if (wrong.length > 0 || old === name) throw noName(wrong[0] ?? name, wrong.length > 0);
      const terminal = terminalFor(run, options);
      await withLedgers([old, name], options, terminal, async (ledgers) => {
        const [from, to] = [ledgers.get(old)!, ledgers.get(name)!];
        const key = (await findLedgerKey(options, run.host))!;
        const kept = await renameLedger(from, to, (ledger) =>
          composeRenamedHistory({
            from: from.documents,
            to: to.documents,
            ledger,
            stack: name,
            key,
            by: findStarter(run.host.env),
            now: run.host.clock.now,
          }),
        );
        terminal.out(
          cleanLine(`Renamed: the ledger of ${old} is now that of ${name}. No object was touched.`),
        );
        const store = from.documents.place === to.documents.place ? from.store : to.store;
        terminal.say(ledgerLine(store, kept, run.host.clock.now()));
      });
    });
}

const noName = (name: string, isWrong: boolean) =>
  new Problems('ledger/name', isWrong ? `${name} is not a valid stack name` : `both names are ${name}`, {
    hint: 'trueup ledger rename shop shop@production',
  });

/** Adds `trueup ledger move` and `trueup ledger retire`. */
export function addMoving(
  ledger: Command,
  stackOf: (options: StackOptions) => Promise<string>,
  run: CommandRun,
): void {
  withLockWait(withSources(withConfiguration(ledger.command('move'))))
    .argument('<address>', 'an address, or a glob of addresses')
    .option('--to <stack>', 'the new owner: NAME, or NAME@STAGE')
    .description('transfer ownership to another stack; no object changes')
    .option('--ledger <path>', ledgerHelp)
    .addOption(ledgerIndexOption())
    .option('--twin', "the embedded twin's ledger")
    .action(async (glob: string, options: StackOptions & { to?: string }) => {
      const { to } = options;
      if (to === undefined)
        throw new Problems('ledger/name', 'no new owner given', {
          hint: `trueup ledger move ${shellQuoted(glob)} --to STACK`,
        });
      const stack = await stackOf(options);
      refuseName(to, stack);
      const terminal = terminalFor(run, options);
      await withLedgers([stack, to], options, terminal, async (ledgers) => {
        const [home, next] = [ledgers.get(stack)!, ledgers.get(to)!];
        const moved = await moveEntries(home, next, matcherOf([glob]), (ledger, written, entries) =>
          composeCommandRecord({ ...written, documents: ledger.documents }, options, run, {
            command: 'move',
            ...(ledger === home ? { to } : { from: stack }),
            changes: { action: ledger === home ? 'forget' : 'adopt', entries },
          }),
        );
        for (const address of moved) terminal.out(cleanLine(address));
        terminal.say(
          cleanLine(
            `${count(moved.length, 'object')} of ${stack} ${moved.length === 1 ? 'is' : 'are'} now owned by ${to}. Move the ${moved.length === 1 ? 'block' : 'blocks'} as well before applying either stack.`,
          ),
        );
      });
    });
  withLockWait(withColor(ledger.command('retire')))
    .argument('<stack>', 'the name of the stack that is gone: NAME, or NAME@STAGE')
    .description('drop all ownership of a stack that is gone; its objects stay as they are')
    .option('--ledger <path>', ledgerHelp)
    .addOption(ledgerIndexOption())
    .option('--twin', "the embedded twin's ledger")
    .option('--force', 'skip the confirmation')
    .action(async (stack: string, options: LedgerOptions & { force?: boolean }) => {
      refuseName(stack);
      const terminal = terminalFor(run, options);
      await withLedgers([stack], options, terminal, async (ledgers) => {
        const unattended = problem(
          'ledger/unattended',
          'ledger retire needs a terminal or --force; nothing was changed',
          {
            hint: 'pass --force once you are sure that the stack is gone',
          },
        );
        const question = cleanLine(`Is the stack ${stack} gone for good? Its objects will have no owner.`);
        if (!options.force && !(await isYes(terminal, { question, unattended }))) return;
        const number = await retireLedger(ledgers.get(stack)!, ({ documents }, written, entries) =>
          composeCommandRecord({ ...written, documents }, options, run, {
            command: 'retire',
            changes: { action: 'forget', entries },
          }),
        );
        terminal.out(
          cleanLine(
            `Retired: ${stack} no longer owns anything. ${count(number, 'object')} ${number === 1 ? 'stays as it is' : 'stay as they are'}.`,
          ),
        );
      });
    });
}

function refuseName(name: string, other?: string): void {
  if (isStackName(name) && name !== other) return;
  throw new Problems(
    'ledger/name',
    isStackName(name) ? `it is already owned by ${name}` : `${name} is not a valid stack name`,
    { hint: "trueup ledger move 'projects/site/domains/**' --to web" },
  );
}
