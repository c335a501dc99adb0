import type { Command } from 'commander';
import { moveEntries, retire } from '../ledger/move-entries.ts';
import { matcherOf } from '../model/address-glob.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { isStackName } from '../model/ledger.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import type { Run } from './host.ts';
import { type LedgerOptions, recordDeed, withLedgers } from './leased-ledgers.ts';
import {
  ledgerHelp,
  ledgerIndexOption,
  type StackOptions,
  withColor,
  withConfiguration,
  withLockWait,
  withSources,
} from './options.ts';
import { isYes } from './terminal.ts';

/** Adds `trueup ledger move` and `trueup ledger retire`. */
export function addMoving(
  ledger: Command,
  stackOf: (options: StackOptions) => Promise<string>,
  run: Run,
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
        throw new Problems([
          problem('ledger/name', 'no new owner given', {
            hint: `trueup ledger move '${glob}' --to STACK`,
          }),
        ]);
      const stack = await stackOf(options);
      refuseName(to, stack);
      await withLedgers([stack, to], options, run, async (ledgers, terminal) => {
        const [home, next] = [ledgers.get(stack)!, ledgers.get(to)!];
        const moved = await moveEntries(home, next, matcherOf([glob]), (ledger, written, entries) =>
          recordDeed({ ...written, documents: ledger.documents }, options, run, {
            command: 'move',
            ...(ledger === home ? { to } : { from: stack }),
            changes: { action: ledger === home ? 'forget' : 'adopt', entries },
          }),
        );
        for (const address of moved) terminal.out(cleanLine(address));
        terminal.err(
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
      await withLedgers([stack], options, run, async (ledgers, terminal) => {
        const unattended = problem(
          'retire/unattended',
          'ledger retire needs a terminal or --force; nothing was changed',
          {
            hint: 'pass --force once you are sure that the stack is gone',
          },
        );
        const question = cleanLine(`Is the stack ${stack} gone for good? Its objects will have no owner.`);
        if (!options.force && !(await isYes(terminal, { question, unattended }))) return;
        const number = await retire(ledgers.get(stack)!, ({ documents }, written, entries) =>
          recordDeed({ ...written, documents }, options, run, {
            command: 'retire',
            changes: { action: 'forget', entries },
          }),
        );
        terminal.out(
          cleanLine(
            `Retired: ${stack} no longer owns anything. ${count(number, 'object')} stayed as they are.`,
          ),
        );
      });
    });
}

function refuseName(name: string, other?: string): void {
  if (isStackName(name) && name !== other) return;
  throw new Problems([
    problem(
      'ledger/name',
      isStackName(name) ? `it is already owned by ${name}` : `${name} is not a valid stack name`,
      { hint: "trueup ledger move 'projects/site/domains/**' --to web" },
    ),
  ]);
}
