import { withoutRequests } from '../../approval/plan-again.ts';
import { refuseUnlikeShown } from '../../approval/refuse-changed-plan.ts';
import type { MainlineCommit } from '../../git/commits.ts';
import type { RunFacts } from '../../history/open-recording.ts';
import type { UndoBase } from '../../history/undo-base.ts';
import type { UndoTarget } from '../../history/undo-target.ts';
import { globOf, isWithin } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import type { CollectionId } from '../../model/resource.ts';
import type { PlanOptions } from '../../plan/input.ts';
import { type PreparedUndo, releaseUndone, withoutImpossible } from '../../plan/prepare-undo.ts';
import { refuseMissingSecrets } from '../../run/fill-request.ts';
import { type OpenPlanOptions, openPlan, openSettledPlan, type Planned } from '../../run/open-plan.ts';
import { type ApplyCommandOptions, createPlanOptions } from '../planning/plan-options.ts';
import type { Port } from '../port.ts';
import { lockSession, type Session } from '../session/session.ts';

/** True for a note about an object that the undo cannot restore completely. */
const isUnrestored = ({ code }: Diagnostic): boolean =>
  ['undo/stays', 'undo/renamed', 'undo/secret', 'undo/not-kept'].includes(code);

/** Everything that `openUndo` has found out about an undo. */
interface UndoingOptions {
  session: Session;
  undo: PreparedUndo;
  target: UndoTarget;
  base: UndoBase;
  options: ApplyCommandOptions;
  port: Port;
  /** Drops cached answers of the account, if several sessions share them. */
  forgetReads(): void;
}

/**
 * The undo of a run or commit in one stack. `plan` plans the configuration from before for the changed objects, and `planUnderLease` returns the plan to
 * apply after the user has agreed.
 */
export class Undoing {
  readonly session: Session;
  /** The options of the stack. */
  readonly options: ApplyCommandOptions;
  /** The name of the run or commit for messages. */
  readonly name: string;
  /** The commits to revert by hand, newest first, because the files still declare the undone values. */
  readonly reverts: readonly MainlineCommit[];
  #undo: PreparedUndo;
  readonly #input: UndoingOptions;

  /**
   * Makes a session declare the state from before a run or commit, so that its plans lead back to that state.
   * Used for one stack of `undo`.
   */
  constructor(input: UndoingOptions) {
    this.session = Object.assign(input.session, { desired: input.undo.desired });
    this.options = input.options;
    this.name = input.target.name;
    this.reverts = input.base.reverts;
    this.#undo = input.undo;
    this.#input = input;
  }

  /** The warnings about objects that are not completely restored. */
  get notes(): readonly Diagnostic[] {
    return this.#undo.notes;
  }

  /** The facts for the history record of this undo, which `trueup log` shows: the run that it undoes, and the commit that it goes back to. */
  get facts(): Partial<RunFacts> {
    const { target, base } = this.#input;
    return {
      command: 'undo',
      undoes: target.record.head.run,
      approval: this.options.autoApprove ? 'flag' : 'asked',
      commit: base.commit === undefined ? undefined : { id: base.commit },
    };
  }

  /** Plans the undo. Returns undefined, without reading the account, if the stack owns none of the changed objects. */
  async plan(): Promise<Planned | undefined> {
    return this.#undo.addresses.length > 0 ? this.#planPossible() : undefined;
  }

  /**
   * Returns the plan to apply, and takes the lease if this run does not have it yet. Then it plans again, because the account may have changed since
   * the plan was shown. `written`: the collections that other stacks of the same command have written to; changes there are expected. Throws
   * `Problems` if the new plan differs from the shown one.
   */
  async planUnderLease(shown: Planned, written: ReadonlySet<CollectionId> = new Set()): Promise<Planned> {
    const { session, options } = this;
    refuseMissingSecrets(shown.plan.operations, session.secrets);
    if (session.lease) return this.toShownPlan(shown);
    await lockSession(session, options, this.#input.port);
    // Its forecast must not count the reads of the shown plan again, see `lockAndPlanAgain`.
    const current = await openPlan(session, { ...this.#planOptions(), sentBefore: session.sent() });
    refuseUnlikeShown(withoutRequests(shown.plan, written), withoutRequests(current.plan, written));
    return this.toShownPlan(current);
  }

  /**
   * Plans the undo of a run or commit. Objects that cannot be restored are left out as long as others remain,
   * so that one of them does not prevent the undo of the others.
   */
  async #planPossible(): Promise<Planned> {
    for (;;) {
      const planned = await openSettledPlan(this.session, this.#planOptions(), this.#input.forgetReads);
      const smallerUndo = withoutImpossible(this.#undo, planned.diagnostics);
      if (!smallerUndo) return planned;
      this.#undo = smallerUndo;
      Object.assign(this.session, { desired: smallerUndo.desired });
    }
  }

  /** Returns the options of the plan: those of the command, limited to the undone objects. */
  #planOptions(): OpenPlanOptions {
    const mode = { unattended: this.options.autoApprove ?? false };
    return { ...createPlanOptions(this.options, this.session.host, mode), ...this.#scope() };
  }

  /** Returns the options that limit a plan to the undone objects. The older configuration may read fewer files, so that is no error. */
  #scope(): PlanOptions {
    return { targets: this.#undo.addresses.map(globOf), fewerInputs: true, toleratesMissing: 'undo' };
  }

  /**
   * Returns the problems of a plan of `trueup undo` without those of other objects that had to be read in the same lists. A list that could not
   * be read counts if it may contain an undone object.
   */
  #ownDiagnostics(plan: Plan): Diagnostic[] {
    const planAddresses = plan.changes.map(({ address }) => address);
    const undone = new Set([...this.#undo.addresses, ...planAddresses].map(addressWithoutTarget));
    return plan.diagnostics.filter(
      ({ address, code }) =>
        address === undefined ||
        undone.has(addressWithoutTarget(address)) ||
        (code === 'observe/incomplete' &&
          [...undone].some((undoneAddress) => isWithin(undoneAddress, address))),
    );
  }

  /**
   * Returns a plan of this undo in the form in which `trueup undo` shows and applies it: with the notes of the undo, and without the problems of
   * other objects. `after` tells the verification what to expect, with the number of objects that are not completely restored.
   */
  toShownPlan(planned: Planned): Planned {
    const { plan } = planned;
    const diagnostics = this.#ownDiagnostics(plan);
    const notes = hasErrors(diagnostics) ? [] : this.#undo.notes;
    const isLeftInAccount = ({ action, address }: Change) =>
      action === 'release' &&
      !this.#undo.releasedAfterChange.has(address) &&
      !this.#undo.releasedUnchanged.has(address);
    const unrestored = [...notes.filter(isUnrestored), ...plan.changes.filter(isLeftInAccount)].flatMap(
      ({ address }) => (address === undefined ? [] : [addressWithoutTarget(address)]),
    );
    return {
      ...planned,
      plan: { ...releaseUndone(plan, this.#undo), diagnostics: [...diagnostics, ...notes] },
      after: {
        desired: this.#undo.desiredAfter,
        options: this.#scope(),
        unrestored: new Set(unrestored).size,
      },
    };
  }
}
