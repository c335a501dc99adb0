import { withoutRequests } from '../../approval/plan-again.ts';
import { refuseUnlikeShown } from '../../approval/refuse-changed-plan.ts';
import type { MainlineCommit } from '../../git/first-parents.ts';
import type { RunFacts } from '../../history/open-recording.ts';
import { globOf, isWithin } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import type { CollectionId } from '../../model/resource.ts';
import type { PlanOptions } from '../../plan/input.ts';
import { type PreparedUndo, releaseUndone, withoutImpossible } from '../../plan/prepare-undo.ts';
import { refuseMissingSecrets } from '../../run/fill-request.ts';
import { type OpenPlanOptions, openPlan, openSettledPlan, type Planned } from '../../run/open-plan.ts';
import type { Port } from '../host.ts';
import { type ApplyCommandOptions, createPlanOptions } from '../planning/plan-options.ts';
import { lockSession, type Session } from '../session/session.ts';
import type { UndoBase } from './undo-base.ts';
import type { UndoTarget } from './undo-target.ts';

/** True for a note about an object that is not completely restored. */
const isUnrestored = ({ code }: Diagnostic): boolean =>
  ['undo/stays', 'undo/renamed', 'undo/secret', 'undo/not-kept'].includes(code);

interface UndoingOptions {
  session: Session;
  undo: PreparedUndo;
  target: UndoTarget;
  base: UndoBase;
  options: ApplyCommandOptions;
  port: Port;
  /** Drops answers of the account that are kept for several sessions. */
  forgetReads(): void;
}

/** The undo in one stack, from its plan to the plan that is applied. */
export class Undoing {
  readonly session: Session;
  #undo: PreparedUndo;
  readonly #given: UndoingOptions;

  constructor(undoingOptions: UndoingOptions) {
    this.session = Object.assign(undoingOptions.session, { desired: undoingOptions.undo.desired });
    this.#undo = undoingOptions.undo;
    this.#given = undoingOptions;
  }

  /** The options of its stack. */
  get options(): ApplyCommandOptions {
    return this.#given.options;
  }

  /** The run or commit to undo, for people. */
  get name(): string {
    return this.#given.target.name;
  }

  /** The commits to revert by hand, newest first, because the files still declare the undone values. */
  get reverts(): readonly MainlineCommit[] {
    return this.#given.base.reverts;
  }

  /** The warnings about objects that are not completely restored. */
  get notes(): readonly Diagnostic[] {
    return this.#undo.notes;
  }

  /** The facts for the record of the undo. */
  get facts(): Partial<RunFacts> {
    const { options, target, base } = this.#given;
    return {
      command: 'undo',
      undoes: target.record.head.run,
      approval: options.autoApprove ? 'flag' : 'asked',
      commit: base.commit === undefined ? undefined : { id: base.commit },
    };
  }

  /** Plans the undo, or returns undefined without reading the account if the stack owns nothing of it. */
  async plan(): Promise<Planned | undefined> {
    return this.#undo.addresses.length > 0 ? this.#possiblePlan() : undefined;
  }

  /**
   * Returns the plan to apply under the lease: the one that was shown, planned again unless the lease was taken before. `written`: the lists
   * that other stacks of the same command have written to. Throws `Problems` if the account asks for another plan now.
   */
  async planUnderLease(shown: Planned, written: ReadonlySet<CollectionId> = new Set()): Promise<Planned> {
    const { session, options, port } = this.#given;
    refuseMissingSecrets(shown.plan.operations, session.secrets);
    if (session.lease) return this.presentation(shown);
    await lockSession(session, options, port);
    const current = await openPlan(session, this.#planning());
    refuseUnlikeShown(withoutRequests(shown.plan, written), withoutRequests(current.plan, written));
    return this.presentation(current);
  }

  /** Plans the undo without the objects that its plan cannot bring back, if there are others. */
  async #possiblePlan(): Promise<Planned> {
    for (;;) {
      const planned = await openSettledPlan(this.session, this.#planning(), this.#given.forgetReads);
      const less = withoutImpossible(this.#undo, planned.diagnostics);
      if (!less) return planned;
      this.#undo = less;
      Object.assign(this.session, { desired: less.desired });
    }
  }

  #planning(): OpenPlanOptions {
    const { options, session } = this.#given;
    const mode = { unattended: options.autoApprove ?? false };
    return {
      ...createPlanOptions(options, session.host, mode),
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
}
