import type { Command } from 'commander';
import type { RunRecord } from '../history/record.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem, warning } from '../model/diagnostic.ts';
import type { Desired } from '../model/resource.ts';
import { type Undo, undone } from '../plan/undone.ts';
import { configurationAt } from './configuration-at.ts';
import { type OpenHistory, openHistory, runNumber, sayDoubts } from './history-place.ts';
import type { Run } from './host.ts';
import { refuseEphemeral } from './ledger-place.ts';
import { type ApplyCommandOptions, withWriting } from './options.ts';
import { loadFor, openSession, requireWritable } from './session.ts';
import { terminalFor } from './terminal.ts';
import { appliesNothing, undoable } from './undoable.ts';
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
        const changes = record.details!.changes.filter(
          ({ result }) => result !== 'not tried' && result !== 'left',
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
