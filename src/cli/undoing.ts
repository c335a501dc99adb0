import { type ApplyCommandOptions, planningOf } from '../app/planning/planning.ts';
import { lockSession, type Session } from '../app/session/session.ts';
import type { UndoBase } from '../app/undoing/undo-base.ts';
import type { UndoTarget } from '../app/undoing/undo-target.ts';
import { withoutRequests } from '../approval/plan-again.ts';
import { refuseUnlikeShown } from '../approval/refuse-changed-plan.ts';
import type { MainlineCommit } from '../git/first-parents.ts';
import type { Provider } from '../kind/provider.ts';
import { globOf, isWithin } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Diagnostic, hasErrors, problem } from '../model/diagnostic.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { isEmpty } from '../model/plan.ts';
import type { CollectionId } from '../model/resource.ts';
import type { PlanOptions } from '../plan/input.ts';
import { type PreparedUndo, releaseUndone, withoutImpossible } from '../plan/prepare-undo.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { changesText } from '../report/plan-notes.ts';
import { verifiedText } from '../report/verified-text.ts';
import { refuseMissingSecrets } from '../run/fill-request.ts';
import { type OpenPlanOptions, openPlan, openSettledPlan, type Planned } from '../run/open-plan.ts';
import { carryOut } from './carry-out.ts';
import { exitCodes, problemsCode } from './exit-codes.ts';
import { showPlan } from './formats.ts';
import { ledgerLine } from './ledger-line.ts';
import { sayReverts } from './say-reverts.ts';
import { isYes, type Terminal } from './terminal.ts';

/** True for a note about an object that is not completely restored. */
const isUnrestored = ({ code }: Diagnostic): boolean =>
  ['undo/stays', 'undo/renamed', 'undo/secret', 'undo/not-kept'].includes(code);

interface UndoingOptions {
  session: Session;
  undo: PreparedUndo;
  target: UndoTarget;
  base: UndoBase;
  options: ApplyCommandOptions;
  terminal: Terminal;
  provider: Provider;
  /** Drops answers of the account that are kept for several sessions. */
  forgetReads(): void;
}

/** The undo in one stack, from its plan to its end. */
export class Undoing {
  readonly session: Session;
  #undo: PreparedUndo;
  readonly #given: UndoingOptions;

  constructor(undoingOptions: UndoingOptions) {
    this.session = Object.assign(undoingOptions.session, { desired: undoingOptions.undo.desired });
    this.#undo = undoingOptions.undo;
    this.#given = undoingOptions;
  }

  /** The commits to revert, newest first. */
  get reverts(): readonly MainlineCommit[] {
    return this.#given.base.reverts;
  }

  /** Plans, asks, applies and names the commits to revert by hand. */
  async carryOut(): Promise<void> {
    const { session, options, terminal, target, provider } = this.#given;
    if (options.autoApprove) await lockSession(session, options, terminal);
    const shown = await this.plan();
    if (!shown) return this.#end();
    terminal.say(ledgerLine(session.store, session.ledger, session.host.clock.now()));
    const { plan } = this.presentation(shown);
    const pace = await session.connection.paceNow(provider.pace);
    if (!(await showPlan(plan, options, terminal, pace))) {
      terminal.run.exitCode = problemsCode(plan.diagnostics) || exitCodes.failed;
      return;
    }
    const question = `Undo ${target.name} with ${changesText(plan)}?`;
    if (!isEmpty(plan) && !options.autoApprove && !(await isYes(terminal, { question, unattended }))) return;
    await this.apply(shown);
    await this.#end();
  }

  /** Plans the undo; undefined, and says so, if the stack owns nothing of it. */
  async plan(): Promise<Planned | undefined> {
    const { terminal, target } = this.#given;
    if (this.#undo.addresses.length > 0) return this.#possiblePlan();
    terminal.say(diagnosticsText(this.#undo.notes, { style: terminal.errStyle }));
    terminal.out(
      `This stack owns nothing that ${target.name} changed, so there is nothing to revert. The account was not read.`,
    );
    return undefined;
  }

  /**
   * Applies the plan that was shown if the account still asks for the same, and verifies the result. `written`: the lists that other stacks
   * of the same command have written to. True if the result was verified.
   */
  async apply(shown: Planned, written: ReadonlySet<CollectionId> = new Set()): Promise<boolean> {
    const { session, options, terminal, target, base } = this.#given;
    const { plan, after } = this.presentation(shown);
    if (isEmpty(plan)) {
      const unrestored = after?.unrestored ?? 0;
      terminal.out(`No changes. ${verifiedText(plan, { goal: 'undone', beside: [], unrestored })}`);
      return true;
    }
    refuseMissingSecrets(plan.operations, session.secrets);
    const isLocked = session.lease !== undefined;
    if (!isLocked) await lockSession(session, options, terminal);
    const current = isLocked ? shown : await this.#planAgain(shown, written);
    return carryOut(session, this.presentation(current), options, terminal, {
      command: 'undo',
      undoes: target.record.head.run,
      approval: options.autoApprove ? 'flag' : 'asked',
      commit: base.commit === undefined ? undefined : { id: base.commit },
    });
  }

  /** The plan; without what it says cannot be brought back, if there is more than that. */
  async #possiblePlan(): Promise<Planned> {
    for (;;) {
      const planned = await openSettledPlan(this.session, this.#planning(), this.#given.forgetReads);
      const less = withoutImpossible(this.#undo, planned.diagnostics);
      if (!less) return planned;
      this.#undo = less;
      Object.assign(this.session, { desired: less.desired });
    }
  }

  /** Plans again under the lease. Throws `Problems` if that is another plan than the one that was shown. */
  async #planAgain(shown: Planned, written: ReadonlySet<CollectionId>): Promise<Planned> {
    const current = await openPlan(this.session, this.#planning());
    refuseUnlikeShown(withoutRequests(shown.plan, written), withoutRequests(current.plan, written));
    return current;
  }

  #planning(): OpenPlanOptions {
    const { options, session } = this.#given;
    const mode = { unattended: options.autoApprove ?? false };
    return {
      ...planningOf(options, session.host, mode),
      ...this.#part(),
    };
  }

  /** The scope of the plan. Files of today may be missing from the configuration of then. */
  #part(): PlanOptions {
    return { targets: this.#undo.addresses.map(globOf), fewerInputs: true, toleratesMissing: 'undo' };
  }

  /** The plan as it is shown and applied: with the notes of the undo, and without findings about other objects. */
  presentation(planned: Planned): Planned {
    const { plan } = planned;
    // Problems of other objects in the lists that had to be read do not matter. A list that could not be read does.
    const about = new Set(
      [...this.#undo.addresses, ...plan.changes.map(({ address }) => address)].map(addressWithoutTarget),
    );
    const diagnostics = plan.diagnostics.filter(
      ({ address, code }) =>
        address === undefined ||
        about.has(addressWithoutTarget(address)) ||
        (code === 'observe/incomplete' && [...about].some((undone) => isWithin(undone, address))),
    );
    const notes = hasErrors(diagnostics) ? [] : this.#undo.notes;
    const isKept = ({ action, address }: Change) =>
      action === 'release' &&
      !this.#undo.releasedAfterChange.has(address) &&
      !this.#undo.releasedUnchanged.has(address);
    const unrestored = new Set(
      [...notes.filter(isUnrestored), ...plan.changes.filter(isKept)].flatMap(({ address }) =>
        address === undefined ? [] : [addressWithoutTarget(address)],
      ),
    ).size;
    return {
      ...planned,
      plan: { ...releaseUndone(plan, this.#undo), diagnostics: [...diagnostics, ...notes] },
      after: { desired: this.#undo.desiredAfter, options: this.#part(), unrestored },
    };
  }

  /** Names the commits to revert by hand, because the files still declare the undone values. */
  async #end(): Promise<void> {
    const { session, terminal, target } = this.#given;
    if (terminal.run.exitCode === exitCodes.done)
      await sayReverts(this.reverts, target.name, session, terminal);
  }
}

/** The problem with an undo that nobody agreed to. */
export const unattended = problem(
  'undo/unattended',
  'undo needs a terminal or --auto-approve; nothing was changed',
  { hint: 'pass --auto-approve if the plan has already been approved' },
);
