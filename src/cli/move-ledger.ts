/*
 * The commands that move a ledger, or entries of it, without a change in the account: `trueup ledger copy`, `rename`, `move` and `retire`.
 */

import type { Command } from 'commander';
import { copyStackLedger, movedHistoryOptions } from '../app/session/copy-stack-ledger.ts';
import {
  type FindStack,
  type LedgerOptions,
  settleLedgerOfFolder,
  withLedgers,
} from '../app/session/leased-ledgers.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { ledgerLine } from '../history/ledger-line.ts';
import { composeCommandRecord, composeRenamedHistory } from '../history/ledger-record.ts';
import type { Provider } from '../kind/provider.ts';
import { moveEntries, renameLedger, retireLedger } from '../ledger/transfer-ledger.ts';
import type { Address } from '../model/address.ts';
import { problem, raise, shellQuoted } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { isStackName } from '../model/ledger.ts';
import { countObjects } from '../model/logical-changes.ts';
import { cleanLine, count } from '../report/text.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { isYes, type Terminal, terminalFor } from '../terminal/terminal.ts';
import {
  ledgerIndexOption,
  withColor,
  withConfiguration,
  withLedgerPlace,
  withLockWait,
  withSources,
} from './options.ts';

/** Declares `trueup ledger copy`, for a team that moves its ledgers, say from files to git. The old place then points to the new one. */
export function addCopy(ledger: Command, provider: Provider, findStack: FindStack, run: CommandRun): void {
  withLockWait(withSources(withConfiguration(ledger.command('copy'))))
    .argument('<from>', 'where the ledger is now, in the form --ledger takes')
    .argument('<to>', 'where to move it')
    .description('copy the ledger of a stack to another place and use it from then on')
    .addOption(ledgerIndexOption())
    .action(async (from: string, to: string, options: StackOptions) => {
      // The arguments name both places, so it does not matter what the YAML says or what the repository has.
      const { stack } = await findStack({ ...options, ledger: from });
      const terminal = terminalFor(run, options);
      const { isCopied, oldPlace, newPlace } = await copyStackLedger({ stack, from, to }, options, {
        port: terminal,
        provider,
      });
      const state = isCopied ? 'Copied' : 'Already copied';
      terminal.out(
        cleanLine(
          `${state}: the ledger of ${stack} is at ${newPlace}. The one at ${oldPlace} points there and can no longer be applied to.`,
        ),
      );
      terminal.say(
        'Name the new place in the YAML (`ledger:`) or in TRUEUP_LEDGER, and commit the old ledger if git tracks it, so that all clones follow.',
      );
    });
}

/** Declares `trueup ledger rename`, for a stack that gets another name in its configuration, which would otherwise start with an empty ledger. */
export function addRename(ledger: Command, provider: Provider, run: CommandRun): void {
  const command = withLockWait(withColor(ledger.command('rename')))
    .argument('<old>', 'the old stack name')
    .argument('<new>', 'the new stack name: NAME, or NAME@STAGE')
    .description("rename a stack's ledger; no object changes");
  withLedgerPlace(command).action(async (oldName: string, newName: string, options: LedgerOptions) => {
    refuseUselessNames(oldName, newName);
    const terminal = terminalFor(run, options);
    const choice = await settleLedgerOfFolder(oldName, options, provider, terminal);
    await withLedgers([oldName, newName], choice, { port: terminal, provider }, async (ledgers) => {
      const [from, to] = [ledgers.get(oldName)!, ledgers.get(newName)!];
      const history = await movedHistoryOptions(from, to, options, run);
      const renamed = await renameLedger(from, to, (ledger) =>
        composeRenamedHistory({ ...history, ledger, stack: newName }),
      );
      terminal.out(
        cleanLine(`Renamed: the ledger of ${oldName} is now that of ${newName}. No object was touched.`),
      );
      // With a place for a single ledger (`--ledger FILE`), the ledger stays in the document of the old name.
      const store = from.documents.place === to.documents.place ? from.store : to.store;
      terminal.say(ledgerLine(store, renamed, run.host.clock.now()));
    });
  });
}

/** Throws `Problems` for `ledger rename` if one of the names cannot be that of a stack, or if they are the same. */
function refuseUselessNames(oldName: string, newName: string): void {
  const hint = 'trueup ledger rename shop shop@production';
  for (const name of [oldName, newName])
    if (!isStackName(name)) raise('ledger/name', `${name} is not a valid stack name`, { hint });
  if (oldName === newName) raise('ledger/name', `both names are ${newName}`, { hint });
}

/** Declares `trueup ledger move`, for objects whose blocks move to another stack's configuration. */
export function addMove(ledger: Command, provider: Provider, findStack: FindStack, run: CommandRun): void {
  const command = withLockWait(withSources(withConfiguration(ledger.command('move'))))
    .argument('<address>', 'an address, or a glob of addresses')
    .option('--to <stack>', 'the new owner: NAME, or NAME@STAGE')
    .description('transfer ownership to another stack; no object changes');
  withLedgerPlace(command).action(async (glob: string, options: StackOptions & { to?: string }) => {
    const { to } = options;
    if (to === undefined)
      raise('ledger/name', 'no new owner given', {
        hint: `trueup ledger move ${shellQuoted(glob)} --to STACK`,
      });
    const { stack, choice } = await findStack(options);
    requireOtherStack(to, stack);
    const terminal = terminalFor(run, options);
    await withLedgers([stack, to], choice, { port: terminal, provider }, async (ledgers) => {
      const [source, target] = [ledgers.get(stack)!, ledgers.get(to)!];
      const isMoved = createAddressMatcher([glob]);
      // Both histories get a record: the old owner forgets the entries, and the new one adopts them.
      const moved = await moveEntries(source, target, isMoved, (ledger, written, entries) =>
        composeCommandRecord({ ...written, documents: ledger.documents }, options, run, {
          command: 'move',
          ...(ledger === source
            ? { to, changes: { action: 'forget', entries } }
            : { from: stack, changes: { action: 'adopt', entries } }),
        }),
      );
      for (const address of moved) terminal.out(cleanLine(address));
      terminal.say(cleanLine(formatMove(moved, stack, to)));
    });
  });
}

/**
 * Formats the result of `ledger move`: how many objects the stack `to` owns now instead of `from`. A variable with several targets has an
 * entry for each.
 */
function formatMove(moved: readonly Address[], from: string, to: string): string {
  const objectCount = countObjects(moved.map((address) => ({ address })));
  const isOne = objectCount === 1;
  const inEntries = moved.length === objectCount ? '' : ` in ${moved.length} entries`;
  return `${count(objectCount, 'object')}${inEntries} of ${from} ${isOne ? 'is' : 'are'} now owned by ${to}. Move the ${isOne ? 'block' : 'blocks'} as well before applying either stack.`;
}

/** Declares `trueup ledger retire`, for a stack whose configuration is gone and whose objects should stay, so that another stack can adopt them. */
export function addRetire(ledger: Command, provider: Provider, run: CommandRun): void {
  const command = withLockWait(withColor(ledger.command('retire')))
    .argument('<stack>', 'the name of the stack that is gone: NAME, or NAME@STAGE')
    .description('drop all ownership of a stack that is gone; its objects stay as they are');
  withLedgerPlace(command)
    .option('--force', 'skip the confirmation')
    .action(async (stack: string, options: LedgerOptions & { force?: boolean }) => {
      requireOtherStack(stack);
      const terminal = terminalFor(run, options);
      const choice = await settleLedgerOfFolder(stack, options, provider, terminal);
      await withLedgers([stack], choice, { port: terminal, provider }, async (ledgers) => {
        if (!options.force && !(await isStackGone(stack, terminal))) return;
        const objects = await retireLedger(ledgers.get(stack)!, ({ documents }, written, entries) =>
          composeCommandRecord({ ...written, documents }, options, run, {
            command: 'retire',
            changes: { action: 'forget', entries },
          }),
        );
        const stay = objects === 1 ? 'stays as it is' : 'stay as they are';
        terminal.out(
          cleanLine(`Retired: ${stack} no longer owns anything. ${count(objects, 'object')} ${stay}.`),
        );
      });
    });
}

/** Asks for `ledger retire` if a stack is really gone. Throws `Problems` without a terminal. */
const isStackGone = (stack: string, terminal: Terminal): Promise<boolean> =>
  isYes(terminal, {
    question: cleanLine(`Is the stack ${stack} gone for good? Its objects will have no owner.`),
    unattended: problem(
      'ledger/unattended',
      'ledger retire needs a terminal or --force; nothing was changed',
      { hint: 'pass --force once you are sure that the stack is gone' },
    ),
  });

/**
 * Throws `Problems` if a name cannot be that of a stack, for `ledger move --to` and `ledger retire`, or if it names the `current` owner, to which
 * nothing has to move.
 */
function requireOtherStack(name: string, current?: string): void {
  if (isStackName(name) && name !== current) return;
  raise(
    'ledger/name',
    isStackName(name) ? `it is already owned by ${name}` : `${name} is not a valid stack name`,
    {
      hint: `trueup ledger ${current === undefined ? 'retire' : "move 'projects/site/domains/**' --to"} shop`,
    },
  );
}
