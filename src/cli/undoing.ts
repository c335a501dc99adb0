import { dirname, relative } from 'node:path';
import { planAsShown } from '../approval/plan-as-approved.ts';
import { revertsOf } from '../git/commit-of.ts';
import type { RunRecord } from '../history/record.ts';
import type { Provider } from '../kind/provider.ts';
import { globOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Diagnostic, hasErrors, problem } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import { wholeAddress } from '../model/wholes.ts';
import type { PlanOptions } from '../plan/input.ts';
import { handingBack, type Undo, withoutImpossible } from '../plan/undone.ts';
import { cleanLine } from '../report/clean.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { changesText } from '../report/plan-notes.ts';
import { verifiedText } from '../report/verified-text.ts';
import { refuseMissingSecrets } from '../run/fill.ts';
import { type OpenPlanOptions, openSettledPlan, type Planned } from '../run/open-plan.ts';
import { carryOut } from './carry-out.ts';
import { exitCodes } from './exit-codes.ts';
import { showPlan } from './formats.ts';
import { ledgerLine } from './ledger-line.ts';
import { type ApplyCommandOptions, planningOf } from './planning.ts';
import { lockSession, type Session } from './session.ts';
import { isYes, type Terminal } from './terminal.ts';

// Further commits are only counted.
const most = 10;

/** True for a note about an object that is not completely restored. */
const isUnrestored = ({ code }: Diagnostic): boolean =>
  ['undo/stays', 'undo/renamed', 'undo/secret', 'undo/not-kept'].includes(code);

/** One undo, from its plan to its end. */
export class Undoing {
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
    if (this.#undo.addresses.length === 0) {
      terminal.err(diagnosticsText(this.#undo.notes, { style: terminal.errStyle }));
      return this.#end(
        `This stack owns nothing that run ${run} changed, so there is nothing to revert. The account was not read.`,
        record,
        before,
      );
    }
    if (options.autoApprove) await lockSession(session, options, terminal);
    const shown = await this.#plan();
    const planned = this.#settled(shown);
    terminal.err(ledgerLine(session.store, session.ledger, session.host.clock.now()));
    const pace = await session.connection.paceNow(this.#provider.pace);
    if (!(await showPlan(planned.plan, options, terminal, pace))) {
      terminal.run.exitCode = exitCodes.failed;
      return;
    }
    if (isEmpty(planned.plan))
      return this.#end(
        `No changes. ${verifiedText(planned.plan, {
          goal: 'undone',
          beside: [],
          unrestored: planned.after?.unrestored ?? 0,
        })}`,
        record,
        before,
      );
    refuseMissingSecrets(planned.plan.operations, session.secrets);
    const unattended = problem(
      'undo/unattended',
      'undo needs a terminal or --auto-approve; nothing was changed',
      {
        hint: 'pass --auto-approve if the plan has already been approved',
      },
    );
    if (
      !options.autoApprove &&
      !(await isYes(terminal, { question: `Undo run ${run} with ${changesText(planned.plan)}?`, unattended }))
    )
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

  /** The scope of the plan. Files of today may be missing from the configuration of then. */
  #part(): PlanOptions {
    return { targets: this.#undo.addresses.map(globOf), fewerInputs: true, part: 'undo' };
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
    const isKept = ({ action, address }: Change) =>
      action === 'release' && !this.#undo.letGo.has(address) && !this.#undo.forgotten.has(address);
    const unrestored = new Set(
      [...notes.filter(isUnrestored), ...plan.changes.filter(isKept)].flatMap(({ address }) =>
        address === undefined ? [] : [wholeAddress(address)],
      ),
    ).size;
    return {
      ...planned,
      plan: { ...handingBack(plan, this.#undo), diagnostics: [...said, ...notes] },
      after: { desired: this.#undo.after, options: this.#part(), unrestored },
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
      `\nThe files still contain what run ${head.run} applied. Revert them as well, or the next apply does it again:\n\n${lines.join('\n')}`,
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
      '\nThe ledger is committed with the configuration. Commit its current state first; if git then reports a conflict in it, the last command resolves it.',
    );
    return [...commands, `git restore --staged --worktree ${relative(host.cwd, folder!) || '.'}`];
  }
}
