import { dirname, relative } from 'node:path';
import type { Command } from 'commander';
import { planAsShown } from '../approval/plan-as-approved.ts';
import { revertsOf } from '../git/reverts.ts';
import { doubtText } from '../history/log-text.ts';
import { isOfAction, isOfLedger, type RecordHead, type RunRecord } from '../history/record.ts';
import type { Provider } from '../kind/provider.ts';
import { isVerified, keyless } from '../ledger/proof.ts';
import { globOf } from '../model/address.ts';
import { hasErrors, Problems, problem, warning } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import { wholeAddress } from '../model/wholes.ts';
import type { PlanOptions } from '../plan/input.ts';
import { handingBack, type Undo, undone, withoutImpossible } from '../plan/undone.ts';
import { cleanLine } from '../report/clean.ts';
import { refuseMissingSecrets } from '../run/fill.ts';
import { type OpenPlanOptions, openSettledPlan, type Planned } from '../run/open-plan.ts';
import { carryOut } from './carry-out.ts';
import { configurationAt } from './configuration-at.ts';
import { exitCodes } from './exit-codes.ts';
import { showPlan } from './formats.ts';
import { noRun, type OpenHistory, openHistory, runNumber, sayDoubts } from './history-place.ts';
import type { Run } from './host.ts';
import { ledgerLine } from './ledger-line.ts';
import { refuseEphemeral } from './ledger-place.ts';
import { type ApplyCommandOptions, withWriting } from './options.ts';
import { planningOf } from './planning.ts';
import { loadFor, lockSession, openSession, requireWritable, type Session } from './session.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';

export function undoCommand(command: Command, provider: Provider, run: Run): void {
  withWriting(command)
    .argument('<run>', 'the number of the run, as `trueup log` shows it')
    .option('--auto-approve', 'do not ask')
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
      `it ran the action ${record.head.action}, and no action is taken back`,
      'where another action does the opposite, run that: `trueup run --list`',
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
        `what nobody with the key signed is not acted on; ${byHand}`,
      );
    if (appliesNothing(one.head)) continue;
    if (!commit)
      refuse(
        `run ${run} was not started in a repository, so its configuration is nowhere`,
        'change the files, and apply',
      );
    if (commit?.dirty)
      refuse(
        `run ${run} was applied from files that were not committed, so what it was made of is nowhere`,
        'change the files as they are to be, and apply; CI always applies a commit',
      );
  }
  if (!isWhole) refuse(`the record of the run before it is gone`, byHand);
  if (!before && since.some(({ head }) => head.from !== undefined))
    refuse(
      'it was the first to apply what another stack had handed to this one, so the configuration before it is in no commit of this stack',
      'change the files, and apply',
    );
  if (!record.details) refuse('it is too long ago, and its changes are not kept any more', byHand);
  return [record, before];
}

/** It changed no field of an object, so the configuration of the run before it still held. */
const appliesNothing = (head: RecordHead): boolean => isOfLedger(head) || isOfAction(head);

/** Why a record of what only changed the ledger is not undone, and what to do. */
function ofLedger({ command, was, to, from, stack }: RecordHead): [why: string, hint: string] {
  const noObject = 'no object changed with it';
  switch (command) {
    case 'rename':
      return [
        `it only renamed the stack, and ${noObject}`,
        `to go back: \`trueup ledger rename ${stack} ${was}\``,
      ];
    case 'move':
      return to !== undefined
        ? [
            `it only let the stack ${to} own something, and ${noObject}`,
            `to go back: \`trueup ledger move ADDRESS --to ${stack}\` in the configuration of ${to}`,
          ]
        : [
            `it only took over something of the stack ${from}, and ${noObject}`,
            `to go back: \`trueup ledger move ADDRESS --to ${from}\``,
          ];
    case 'sign':
      return [
        `it only signed the ledger, and ${noObject}`,
        '`trueup ledger list` shows what it says; `trueup ledger forget ADDRESS` takes something out of it',
      ];
    default:
      return [
        `it only ended what the stack owned, and ${noObject}`,
        'declare the objects, and apply: they are adopted as they are',
      ];
  }
}

function refuseOtherStack({ stack }: Desired, wanted: string, { head }: RunRecord): void {
  if (stack === wanted) return;
  throw new Problems([
    problem(
      'undo/stack',
      `the configuration at ${head.commit!.id.slice(0, 12)} is that of ${stack}, not of ${wanted}`,
      {
        hint: 'give the same --file and --stage as that run had; a run before the stack was renamed cannot be undone',
      },
    ),
  ]);
}

function refuseTargets({ target, exclude }: ApplyCommandOptions): void {
  if (!target && !exclude) return;
  throw new Problems([
    problem('cli/options', 'undo takes no --target and no --exclude', {
      hint: 'it is about what the run changed; for a part of that, change the files and apply',
    }),
  ]);
}

/** What later runs changed of the same is taken back with it: that is said. */
function changedSince({ addresses }: Undo, number: number, { records }: OpenHistory) {
  const later = records.filter(({ head }) => head.run > number && !appliesNothing(head));
  return addresses.flatMap((address) => {
    const runs = later.filter(({ details }) =>
      details?.changes.some((change) => change.address === address && change.result === 'done'),
    );
    if (runs.length === 0) return [];
    const names = runs.map(({ head }) => `#${head.run}`).join(', ');
    return [
      warning('undo/later', `${address}: ${names} changed it since; that is taken back, too`, { address }),
    ];
  });
}

/** Of a run about a part, the configuration may say more than was ever applied. */
const onlyPart = (before: RunRecord | undefined) =>
  before?.head.partial && before.head.command !== 'undo'
    ? [
        warning(
          'undo/part',
          `run ${before.head.run} was about a part only: what its configuration says of the rest may never have been applied`,
        ),
      ]
    : [];

/** One undo, from its plan to its end. */
class Undoing {
  readonly #session: Session;
  #undo: Undo;
  readonly #options: ApplyCommandOptions;
  readonly #terminal: Terminal;
  readonly #provider: Provider;

  constructor(
    session: Session,
    undo: Undo,
    options: ApplyCommandOptions,
    terminal: Terminal,
    provider: Provider,
  ) {
    this.#session = Object.assign(session, { desired: undo.desired });
    this.#undo = undo;
    this.#options = options;
    this.#terminal = terminal;
    this.#provider = provider;
  }

  async carryOut(record: RunRecord, before: RunRecord | undefined): Promise<void> {
    const [session, options, terminal] = [this.#session, this.#options, this.#terminal];
    const { run } = record.head;
    if (this.#undo.addresses.length === 0)
      return this.#end(`Nothing of run ${run} is left to undo.`, record, before);
    if (options.autoApprove) await lockSession(session, options, terminal);
    const shown = await this.#plan();
    const planned = this.#settled(shown);
    terminal.err(ledgerLine(session.store, session.ledger, session.host.clock.now()));
    if (!showPlan(planned.plan, options, terminal, this.#provider.pace)) {
      terminal.run.exitCode = exitCodes.failed;
      return;
    }
    if (isEmpty(planned.plan))
      return this.#end(`The account is as it was before run ${run}.`, record, before);
    refuseMissingSecrets(planned.plan.operations, session.secrets);
    const unattended = problem(
      'undo/unattended',
      'undo needs a terminal or --auto-approve; nothing was changed',
      {
        hint: 'pass --auto-approve where a person has already agreed to the plan',
      },
    );
    if (!options.autoApprove && !(await isYes(terminal, { question: 'Make these changes?', unattended })))
      return;
    if (!options.autoApprove) await lockSession(session, options, terminal);
    const current = options.autoApprove ? shown : await planAsShown(session, shown, this.#planning());
    await carryOut(session, this.#settled(current), options, terminal, {
      command: 'undo',
      undoes: run,
      approval: options.autoApprove ? 'flag' : 'asked',
      commit: before?.head.commit,
    });
    await this.#end(undefined, record, before);
  }

  /** The plan; without what it says cannot be brought back, if there is more than that. */
  async #plan(): Promise<Planned> {
    for (;;) {
      const planned = await openSettledPlan(this.#session, this.#planning());
      const less = withoutImpossible(this.#undo, planned.diagnostics);
      if (!less) return planned;
      this.#undo = less;
      Object.assign(this.#session, { desired: less.desired });
    }
  }

  #planning(): OpenPlanOptions {
    const mode = { unattended: this.#options.autoApprove ?? false };
    return {
      ...planningOf(this.#options, this.#session.host, mode),
      ...this.#part(),
    };
  }

  /** What the plan is about. Files of today may be missing from the configuration of then. */
  #part(): PlanOptions {
    return { targets: this.#undo.addresses.map(globOf), fewerInputs: true, undo: true };
  }

  #settled(planned: Planned): Planned {
    const { plan } = planned;
    // What else is in a list that had to be read is not what this is about.
    const about = new Set(
      [...this.#undo.addresses, ...plan.changes.map(({ address }) => address)].map(wholeAddress),
    );
    const said = plan.diagnostics.filter(
      ({ address }) => address === undefined || about.has(wholeAddress(address)),
    );
    const notes = hasErrors(said) ? [] : this.#undo.notes;
    return {
      ...planned,
      plan: { ...handingBack(plan, this.#undo), diagnostics: [...said, ...notes] },
      after: { desired: this.#undo.after, options: this.#part() },
    };
  }

  /** Says what is left to do by hand: the files still say what the run applied. */
  async #end(text: string | undefined, { head }: RunRecord, before: RunRecord | undefined): Promise<void> {
    const terminal = this.#terminal;
    if (text !== undefined) terminal.out(text);
    if (terminal.run.exitCode !== exitCodes.done) return;
    const commands = await this.#reverts(head.commit!.id, before?.head.commit?.id);
    if (commands.length === 0)
      return terminal.out('The configuration was the same before that run: there is no commit to revert.');
    const lines = commands.slice(0, most).map((line) => `  ${cleanLine(line)}`);
    if (commands.length > most) lines.push(`  ... and ${commands.length - most} more`);
    terminal.out(
      `\nThe files still say what run ${head.run} applied. Take that back as well, or the next apply does it again:\n\n${lines.join('\n')}`,
    );
  }

  /** The commands that take the commits of a run back; the ledger stays as it is now, whatever was committed with it. */
  async #reverts(to: string, from: string | undefined): Promise<string[]> {
    const { documents, host } = this.#session;
    const { leasePath } = documents;
    const folder = leasePath === undefined ? undefined : dirname(leasePath);
    const found = from === undefined ? undefined : await revertsOf(from, to, folder, host.cwd, host.env);
    const { commits, touchesKept } = found ?? { commits: [{ id: to, isMerge: false }], touchesKept: false };
    const how = touchesKept ? '--no-commit' : '--no-edit';
    const commands = commits.map(({ id, isMerge }) => `git revert ${how} ${isMerge ? '-m 1 ' : ''}${id}`);
    if (!touchesKept) return commands;
    this.#terminal.out(
      '\nThe ledger was committed with the configuration. Commit it as it is now, before this; where git then speaks of a conflict in it, the last command settles that.',
    );
    return [...commands, `git restore --staged --worktree ${relative(host.cwd, folder!) || '.'}`];
  }
}

const most = 10;
