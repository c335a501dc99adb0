import type { Command } from 'commander';
import { doubtText } from '../history/log-text.ts';
import { isOfAction, isOfLedger, type RecordHead, type RunRecord } from '../history/record.ts';
import type { Provider } from '../kind/provider.ts';
import { isVerified, keyless } from '../ledger/proof.ts';
import { Problems, problem, warning } from '../model/diagnostic.ts';
import type { Desired } from '../model/resource.ts';
import { shellWord } from '../model/shell-word.ts';
import { type Undo, undone } from '../plan/undone.ts';
import { configurationAt } from './configuration-at.ts';
import { noRun, type OpenHistory, openHistory, runNumber, sayDoubts } from './history-place.ts';
import type { Run } from './host.ts';
import { refuseEphemeral } from './ledger-choice.ts';
import { type ApplyCommandOptions, withWriting } from './planning.ts';
import { loadFor, openSession, requireWritable } from './session.ts';
import { terminalFor } from './terminal.ts';
import { Undoing } from './undoing.ts';

export function undoCommand(command: Command, provider: Provider, run: Run): void {
  withWriting(command)
    .argument('<run>', 'the run number, as shown by `trueup log`')
    .option('--auto-approve', 'skip the confirmation')
    .action(async (given: string, options: ApplyCommandOptions) => {
      const number = runNumber(given);
      refuseTargets(options);
      refuseEphemeral(options, run.host);
      const terminal = terminalFor(run, options);
      const loaded = await loadFor(provider, options, terminal);
      const { stack } = loaded.configuration.desired;
      const history = await openHistory(stack, options, run.host);
      sayDoubts(history, terminal);
      const [record, before] = undoable(number, history);
      const at = (one: RunRecord) => configurationAt(one.head.commit!.id, provider, options, run);
      const own = await at(record);
      const old = before ? await at(before) : { ...own, desired: { ...own.desired, resources: new Map() } };
      refuseOtherStack(old.desired, stack, before ?? record);
      const session = await openSession(provider, options, terminal, {
        writes: true,
        guards: 'apply',
        loaded: { ...loaded, configuration: old },
      });
      try {
        requireWritable(session, options);
        const { kinds, ledger } = session;
        // A stopped operation may have sent the first of its requests.
        const changes = record.details!.changes.filter(
          ({ result, address }) =>
            (result !== 'not tried' && result !== 'left') || ledger.begun?.[address]?.sent,
        );
        const undo = undone({ changes, old: old.desired, own: own.desired, ledger, kinds });
        undo.notes.push(...changedSince(undo, number, history), ...onlyPart(before));
        await new Undoing(session, undo, options, terminal, provider).carryOut(record, before);
      } finally {
        await session.close();
      }
    });
}

function refuseOtherStack({ stack }: Desired, wanted: string, { head }: RunRecord): void {
  if (stack === wanted) return;
  throw new Problems([
    problem(
      'undo/stack',
      `the configuration at ${head.commit!.id.slice(0, 12)} belongs to ${stack}, not ${wanted}`,
      {
        hint: 'pass the same --file and --stage as that run; a run from before the stack was renamed cannot be undone',
      },
    ),
  ]);
}

function refuseTargets({ target, exclude }: ApplyCommandOptions): void {
  if (!target && !exclude) return;
  throw new Problems([
    problem('cli/options', 'undo does not take --target or --exclude', {
      hint: 'it reverts everything the run changed; for part of it, edit the files and apply',
    }),
  ]);
}

/** Warns that later changes of the same objects are taken back, too. */
function changedSince({ addresses }: Undo, number: number, { records }: OpenHistory) {
  const later = records.filter(({ head }) => head.run > number && !appliesNothing(head));
  return addresses.flatMap((address) => {
    const runs = later.filter(({ details }) =>
      details?.changes.some((change) => change.address === address && change.result === 'done'),
    );
    if (runs.length === 0) return [];
    const names = runs.map(({ head }) => `#${head.run}`).join(', ');
    return [
      warning('undo/later', `${address}: ${names} changed it since; that is reverted too`, { address }),
    ];
  });
}

/** Warns that the configuration may have more than a run about a part ever applied. */
const onlyPart = (before: RunRecord | undefined) =>
  before?.head.partial && before.head.command !== 'undo'
    ? [
        warning(
          'undo/part',
          `run ${before.head.run} covered only a part of the stack: the rest of its configuration may never have been applied`,
        ),
      ]
    : [];

/** The run and the one before it, if all that it takes to go back is there and verified. Throws `Problems`. */
function undoable(number: number, history: OpenHistory): [RunRecord, RunRecord | undefined] {
  const { records, key } = history;
  if (!key) throw new Problems([keyless]);
  const at = records.findIndex(({ head }) => head.run === number);
  const record = records[at];
  if (!record) throw noRun(number, history);
  const refuse = (why: string, hint: string): never => {
    throw new Problems([problem('undo/impossible', `run ${number} cannot be undone: ${why}`, { hint })]);
  };
  if (isOfLedger(record.head)) refuse(...ofLedger(record.head));
  if (isOfAction(record.head))
    refuse(
      `it ran the action ${record.head.action}, and actions cannot be undone`,
      'if another action does the opposite, run that: `trueup run --list`',
    );
  // What only changed the ledger has no configuration: that of the run before it still held.
  let first = at;
  while (first > 0 && appliesNothing(records[first - 1]!.head)) first--;
  const before = records[first - 1];
  const since = records.slice(Math.max(first - 1, 0), at + 1);
  const isWhole =
    since.every(
      ({ head }, index) =>
        index === 0 ||
        (head.run === since[index - 1]!.head.run + 1 && head.previous === since[index - 1]!.digest),
    ) &&
    (before !== undefined || since[0]!.head.run === 1);
  const byHand = 'revert its commit, and apply';
  for (const one of since) {
    const { run, commit } = one.head;
    if (!isVerified(one.proof))
      refuse(
        `the record of run ${run} is not verified: ${doubtText(one.proof)}`,
        `unsigned records are not acted on; ${byHand}`,
      );
    if (appliesNothing(one.head)) continue;
    if (!commit)
      refuse(
        `run ${run} was not started in a repository, so its configuration is not available`,
        'edit the files and apply',
      );
    if (commit?.dirty)
      refuse(
        `run ${run} was applied from uncommitted files, so its configuration is not available`,
        'edit the files and apply; CI always applies a commit',
      );
  }
  if (!isWhole) refuse(`the record of the run before it is gone`, byHand);
  if (!before && since.some(({ head }) => head.from !== undefined))
    refuse(
      'it was the first to apply what another stack handed over, so no commit of this stack has the configuration from before',
      'edit the files and apply',
    );
  if (!record.details) refuse('it is too old: its changes are no longer kept', byHand);
  return [record, before];
}

/** It changed no field of an object, so the configuration of the run before it still held. */
const appliesNothing = (head: RecordHead): boolean => isOfLedger(head) || isOfAction(head);

/** Why a record of what only changed the ledger is not undone, and what to do. */
function ofLedger({ command, was, to, from, stack }: RecordHead): [why: string, hint: string] {
  const noObject = 'it changed no object';
  switch (command) {
    case 'rename':
      return [
        `it only renamed the stack, and ${noObject}`,
        `to go back: \`trueup ledger rename ${shellWord(stack)} ${shellWord(String(was))}\``,
      ];
    case 'move':
      return to !== undefined
        ? [
            `it only transferred ownership to the stack ${to}, and ${noObject}`,
            `to go back: \`trueup ledger move ADDRESS --to ${shellWord(stack)}\` in the configuration of ${to}`,
          ]
        : [
            `it only took over ownership from the stack ${from}, and ${noObject}`,
            `to go back: \`trueup ledger move ADDRESS --to ${shellWord(String(from))}\``,
          ];
    case 'sign':
      return [
        `it only signed the ledger, and ${noObject}`,
        '`trueup ledger list` shows its entries; `trueup ledger forget ADDRESS` removes one',
      ];
    default:
      return [
        `it only dropped what the stack owned, and ${noObject}`,
        'declare the objects and apply: they are adopted as they are',
      ];
  }
}
