import { withoutListWrites } from '../../approval/plan-again.ts';
import { refuseUnlikeShown } from '../../approval/refuse-changed-plan.ts';
import { allProblemsOf, type Configuration, withSecretFolders } from '../../config/configuration.ts';
import { load } from '../../config/load.ts';
import { extractCommit, type MainlineCommit } from '../../git/commits.ts';
import { ConfigurationReader } from '../../history/configuration-reader.ts';
import type { RunFacts } from '../../history/open-recording.ts';
import { type OpenHistory, openHistory } from '../../history/read-history.ts';
import { findUndoBase, type UndoBase } from '../../history/undo-base.ts';
import {
  findCommitTarget,
  findRunTarget,
  readUndoneCommit,
  type UndoTarget,
  warnOfLaterChanges,
  warnOfPartialRun,
} from '../../history/undo-target.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { settleLedger } from '../../ledger-place/settle-ledger.ts';
import { type Address, globOf, isWithin } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import { type Diagnostic, hasErrors, problem, raise } from '../../model/diagnostic.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import type { CollectionId } from '../../model/resource.ts';
import type { PlanOptions } from '../../plan/input.ts';
import { withoutImpossible } from '../../plan/leave-impossible-undo.ts';
import { type PreparedUndo, prepareUndo, releaseUndone } from '../../plan/prepare-undo.ts';
import { refuseMissingSecrets } from '../../run/fill-request.ts';
import { type OpenPlanOptions, openSessionPlan, openSettledPlan, type Planned } from '../../run/open-plan.ts';
import { type ApplyCommandOptions, createPlanOptions } from '../planning/plan-options.ts';
import type { Port, Run } from '../port.ts';
import { createCommitOptions, loadForRun } from '../session/load-configuration.ts';
import { openSession } from '../session/open-session.ts';
import { lockSession, requireWritable, type Session } from '../session/session.ts';
import type { StackAccounts } from '../session/stack-accounts.ts';
import type { StackOptions } from '../stack-options.ts';

/** True for a note about an object that the undo cannot restore completely. */
const isUnrestored = ({ code }: Diagnostic): boolean =>
  ['undo/stays', 'undo/container', 'undo/renamed', 'undo/secret', 'undo/not-kept'].includes(code);

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
 * The undo of a run or commit in one stack. `plan` plans the configuration from before for the changed objects, and `planUnderLease`
 * returns the plan to apply after the user has agreed.
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
   * Makes a session declare the state from before a run or commit, so that its plans lead back to that state. `input.undo` has that state,
   * and `input.base` the commits that the user still has to revert in the files.
   */
  constructor(input: UndoingOptions) {
    this.session = Object.assign(input.session, { desired: input.undo.desired });
    this.options = input.options;
    this.name = input.target.name;
    this.reverts = input.base.reverts;
    this.#undo = input.undo;
    this.#input = input;
  }

  /**
   * The notes for the user: objects that are not completely restored, doubts about the configuration from before, and later changes that it
   * reverts.
   */
  get notes(): readonly Diagnostic[] {
    return this.#undo.notes;
  }

  /**
   * The facts for the history record of this undo, which `trueup log` shows: the run that it undoes, and the commit that it goes back to.
   */
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
   * Returns the plan that an undo applies after the user has agreed to `shown`, as `toShownPlan` changes it. Unless this run took the lease
   * (the right to write the ledger) before it planned, takes it now and plans again, because the account may have changed. Throws
   * `Problems` if the new plan differs from `shown`, a secret to send is missing, or another run has the lease. `writtenLists`: ordered
   * lists that another stack of this command has just changed, so their positions and requests may differ.
   */
  async planUnderLease(
    shown: Planned,
    writtenLists: ReadonlySet<CollectionId> = new Set(),
  ): Promise<Planned> {
    const { session, options } = this;
    refuseMissingSecrets(shown.plan.operations, session.secrets);
    if (session.lease) return this.toShownPlan(shown);
    await lockSession(session, options, this.#input.port);
    // Guards limit the duration of plan and apply together, so its forecast must not count the reads of the shown plan again.
    const current = await openSessionPlan(session, { ...this.#planOptions(), sentBefore: session.sent() });
    refuseUnlikeShown(
      withoutListWrites(shown.plan, writtenLists),
      withoutListWrites(current.plan, writtenLists),
    );
    return this.toShownPlan(current);
  }

  /**
   * Plans the undo of a run or commit. Objects that cannot be restored are removed from the undo, and from the desired state of the
   * session, as long as others remain, so that one of them does not prevent the undo of the others.
   */
  async #planPossible(): Promise<Planned> {
    for (;;) {
      const planned = await openSettledPlan(this.session, this.#planOptions(), this.#input.forgetReads);
      // Undefined if everything can be restored, or if only the user can resolve the errors.
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
   * Returns the problems of a plan of `trueup undo` that concern its objects or no object. A plan reads whole lists, so it also finds
   * problems of other objects, and these must not stop the undo, unless the undo causes them. A list that could not be read counts if it
   * may contain an undone object.
   */
  #ownDiagnostics(plan: Plan): Diagnostic[] {
    const planAddresses = plan.changes.map(({ address }) => address);
    const undone = new Set([...this.#undo.addresses, ...planAddresses].map(addressWithoutTarget));
    const mayContainUndone = (list: Address) => [...undone].some((address) => isWithin(address, list));
    return plan.diagnostics.filter(({ address, code, finding }) => {
      const isCausedByUndo = finding?.state === 'new';
      if (address === undefined || isCausedByUndo || undone.has(addressWithoutTarget(address))) return true;
      return code === 'observe/incomplete' && mayContainUndone(address);
    });
  }

  /**
   * Returns a plan of this undo as `trueup undo` shows and applies it: without the problems of other objects, with the notes of the undo
   * unless there are errors, and without ownership of objects that only the undone run had adopted. `after` tells the verification what to
   * expect: the configuration afterwards, and the number of objects that are not completely restored.
   */
  toShownPlan(planned: Planned): Planned {
    const { plan } = planned;
    const diagnostics = this.#ownDiagnostics(plan);
    const notes = hasErrors(diagnostics) ? [] : this.#undo.notes;
    // The undo releases objects that this stack did not own before the run. Another release leaves an object that should be deleted.
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

/** What `undo` goes back from: a run by its number, or a commit by its full id. */
export type UndoSubject = { run: number } | { commit: string };

/**
 * Prepares the undo of a run or commit in one stack: finds its changes (`target`) and the configuration from before (`base`), and opens a
 * session on that configuration. `accounts`: those of the command if it undoes a commit in several stacks. `onHistory`: called with the
 * history before the run or commit is looked up, so that the command can report doubts about it. Throws `Problems` if it cannot be undone.
 */
export async function openUndo(
  subject: UndoSubject,
  provider: Provider,
  givenOptions: ApplyCommandOptions,
  port: Port,
  { accounts, onHistory }: { accounts?: StackAccounts; onHistory?(history: OpenHistory): void } = {},
): Promise<Undoing> {
  const { run } = port;
  const loaded = await loadForRun(provider, givenOptions, port);
  // Settled with today's configuration, because that of an older commit may name an earlier place of the ledger.
  const options = await settleLedger(givenOptions, loaded, { run, say: port.say, asksOrigin: true });
  const { stack } = loaded.configuration.desired;
  const history = await openHistory(stack, options, run.host);
  onHistory?.(history);
  const reader = new ConfigurationReader({
    stack,
    today: loaded.configuration,
    configurationAt: (commit) => loadConfigurationAt(commit, provider, options, run),
  });
  const target =
    'run' in subject
      ? findRunTarget(subject.run, history)
      : findCommitTarget(await readUndoneCommit(subject.commit, reader, run.host), history);
  const base = await findUndoBase({ target, reader, kinds: kindsOf(provider.kinds), host: run.host });
  const session = await openSession(provider, options, port, {
    writes: true,
    guards: 'apply',
    loaded: { ...loaded, configuration: base.configuration },
    accounts,
  });
  try {
    requireWritable(session, options);
    const undo = prepareNotedUndo(session, target, base, history);
    const forgetReads = () => accounts?.forgetReads();
    return new Undoing({ session, undo, target, base, options, port, forgetReads });
  } catch (error) {
    await session.close();
    throw error;
  }
}

/**
 * Prepares what to declare for `trueup undo`, with notes for the user about everything that it may revert besides the run, such as later
 * changes of the same fields.
 */
function prepareNotedUndo(
  { kinds, ledger }: Session,
  { changes, record, previous }: UndoTarget,
  base: UndoBase,
  history: OpenHistory,
): PreparedUndo {
  const undo = prepareUndo({
    changes,
    desiredBefore: base.configuration.desired,
    desiredOfRun: base.configurationOfRun.desired,
    ledger,
    kinds,
  });
  const laterChanges = warnOfLaterChanges(undo, record.head.run, history);
  return { ...undo, notes: [...undo.notes, ...base.notes, ...laterChanges, ...warnOfPartialRun(previous)] };
}

/**
 * Loads the configuration that the files of a commit declare, for `undo`. It may read the sources that are allowed today, and its secret
 * files are those of the work tree, because git may ignore them. Throws `Problems` with all of its errors.
 */
async function loadConfigurationAt(
  commit: string,
  provider: Provider,
  options: StackOptions,
  run: Run,
): Promise<Configuration> {
  const files = await extractCommit(commit, run.host);
  try {
    const configuration = await load(await createCommitOptions(provider, options, run, files));
    const diagnostics = allProblemsOf(configuration);
    if (!hasErrors(diagnostics)) return withSecretFolders(configuration, files.toWorkTree);
    raise([
      problem(
        'undo/configuration',
        `the configuration at ${commit.slice(0, 12)} cannot be read in its original form`,
        { hint: 'pass the same --stage, --var, --var-file and --file as that run' },
      ),
      ...diagnostics.filter(({ severity }) => severity === 'error'),
    ]);
  } finally {
    await files.remove();
  }
}
