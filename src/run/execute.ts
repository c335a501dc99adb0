import { isProgramError } from '../model/describe-errors.ts';
import type { Outcome, RateLimit } from '../model/event.ts';
import { addTo } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { canaryOperation, type Operation } from '../model/plan.ts';
import { Checks } from './checks.ts';
import type { ExecuteOptions } from './execute-options.ts';
import { Performer } from './perform.ts';
import { Recorder } from './recorder.ts';
import { Tally } from './tally.ts';
import { PartlyRefused, unexpectedStateError } from './unclear-answer.ts';

/**
 * Carries out a plan: sends its operations in their order, and records the outcomes in the ledger. Returns the
 * outcome of each change, and the ledger. Never throws for an answer of the platform. If the ledger cannot be stored,
 * requests in flight are finished, nothing new is started, and the error of the store is thrown. Used by `apply`,
 * after all checks of the plan.
 */
export async function execute(executeOptions: ExecuteOptions): Promise<{ outcome: Outcome; ledger: Ledger }> {
  const { plan, quota, onEvent, parallelism, stop, checkCanary } = executeOptions;
  // The change that is sent alone, before all others, if the account is new to the ledger.
  const canary = checkCanary && canaryOperation(plan);
  const recorder = new Recorder(executeOptions);
  const options: ExecuteOptions = {
    ...executeOptions,
    // The current entries lack the objects that this run has deleted, so that a reading does not miss them.
    refresh: (collections, ledgerProgress) => {
      const { entries, begun } = recorder.ledger;
      return executeOptions.refresh(collections, { entries, intents: begun, ...ledgerProgress });
    },
  };
  const checks = new Checks({ ...options, isRecordedByRun: (id) => recorder.objects.isRecordedByRun(id) });
  const tally = new Tally(plan, (change) => recorder.recordDone(change));
  // Stores the changes since the last time: in the journal on this machine, or wherever the ledger is kept.
  const save = ({ everywhere = false } = {}) =>
    options.save(recorder.storedLedger(), { touched: recorder.takeTouched(), everywhere });
  // Finishes the changes that have nothing to send, but does not forget objects that a second reading shows again.
  tally.start((address) => recorder.hasEntry(address), await checks.findReappeared());
  // Before the first write, everywhere: the intents of the run, and the ids that existed before.
  await save({ everywhere: plan.operations.length > 0 });
  quota?.announce?.(plan.operations.flatMap(({ requests }) => requests.map(({ endpoint }) => endpoint)));

  const performer = new Performer(options, { recorder, checks, save });
  const reporting: OutcomeReporting = { tally, onEvent };
  const operationRun: OperationRun = { ...reporting, performer, recorder, canary, checkCanary };
  let saveFailure: { error: unknown } | undefined;
  await schedule({
    operations: plan.operations,
    first: canary?.id,
    parallelism,
    isStopped: () => saveFailure !== undefined || (stop?.aborted ?? false),
    run: async (operation) => {
      const result = await performAndReport(operation, operationRun);
      quota?.release(operation.id);
      await save().catch((error) => {
        saveFailure ??= { error };
      });
      return result;
    },
    skip: (operation, cause) => {
      quota?.release(operation.id);
      skipOperation(operation, cause, canary, reporting);
    },
  });
  recorder.close();
  if (saveFailure) throw saveFailure.error;
  const outcome = tally.outcome(stop?.aborted ?? false);
  options.onOutcome?.(outcome);
  await save({ everywhere: true });
  return { outcome, ledger: recorder.storedLedger() };
}

/** Counts the outcomes of operations, and reports them to the user. */
interface OutcomeReporting extends Pick<ExecuteOptions, 'onEvent'> {
  tally: Tally;
}

/** The parts of a run that perform an operation and report it. */
interface OperationRun extends OutcomeReporting, Pick<ExecuteOptions, 'checkCanary'> {
  performer: Performer;
  recorder: Recorder;
  /** The change that is sent alone, before all others, if the account is new to the ledger. */
  canary: Operation | undefined;
}

/**
 * Performs one operation, and counts and reports its outcome. The canary (the change that a first run tries before all others) only
 * succeeds if the account also shows it; otherwise it counts as failed, although it was finished before. Does not throw, so that the other
 * operations go on.
 */
async function performAndReport(
  operation: Operation,
  { performer, recorder, canary, checkCanary, ...reporting }: OperationRun,
): Promise<'done' | 'failed'> {
  const { tally, onEvent } = reporting;
  onEvent({ type: 'started', operation });
  try {
    tally.addOverwritten(await performer.perform(operation));
    tally.finishOperation(operation);
    if (operation === canary) {
      const failedCanary = await checkCanary!(recorder.ledger);
      recorder.recordCanary(failedCanary?.memories);
      if (failedCanary) throw failedCanary.error;
    }
    onEvent({ type: 'succeeded', operation, ids: recorder.shownIds(operation) });
    return 'done';
  } catch (error) {
    failOperation(operation, error, reporting);
    return 'failed';
  }
}

/** Counts and reports an operation that a rate limit stopped. Its changes are left for the next run, and are no failures. */
function postponeOperation(
  operation: Operation,
  rateLimit: RateLimit,
  { tally, onEvent }: OutcomeReporting,
): void {
  tally.postpone(operation, rateLimit);
  onEvent({ type: 'left', operation, rateLimit });
}

/**
 * Counts and reports an operation that failed with an error (`thrown`), so that the report names its changes. If only
 * some items of a batch were refused, only these fail, and the others are done. A rate limit postpones the operation.
 */
function failOperation(operation: Operation, thrown: unknown, reporting: OutcomeReporting): void {
  const { tally, onEvent } = reporting;
  const error = isProgramError(thrown) ? unexpectedStateError(operation, thrown) : thrown;
  const { rateLimit } = error as { rateLimit?: RateLimit };
  if (rateLimit) {
    postponeOperation(operation, rateLimit, reporting);
    return;
  }
  if (error instanceof PartlyRefused) {
    for (const { address, error: addressError } of error.failures) tally.fail(address, addressError);
    tally.finishOperation(operation);
  } else for (const address of operation.changes) tally.fail(address, error);
  onEvent({ type: 'failed', operation, error });
}

/**
 * Counts and reports an operation that was not started, because an operation that it depends on failed (`cause.failed`)
 * or the run was stopped. If a rate limit postponed the other one, this one is postponed as well.
 */
function skipOperation(
  operation: Operation,
  cause: SkipCause,
  canary: Operation | undefined,
  reporting: OutcomeReporting,
): void {
  const { tally, onEvent } = reporting;
  const rateLimit = cause === 'stopped' ? undefined : tally.postponedFor(cause.failed);
  if (rateLimit) {
    postponeOperation(operation, rateLimit, reporting);
    return;
  }
  const reason = cause === 'stopped' ? 'the run was stopped' : formatSkipReason(cause, canary);
  tally.skip(operation, reason);
  onEvent({ type: 'skipped', operation, reason });
}

/**
 * Returns why an operation was skipped, for the report: the address that failed before it, or a text if it only
 * waited for the canary (the change that a first run tries before all others).
 */
const formatSkipReason = ({ failed, isNeeded }: FailedCause, canary: Operation | undefined): string =>
  failed === canary && !isNeeded
    ? 'the change that is done first failed (--no-canary does not wait for it)'
    : failed.changes[0]!;

/** The failed operation that kept another one from starting. */
interface FailedCause {
  failed: Operation;
  /** True if the other one depends on it, directly or not. Otherwise it only waited for the canary. */
  isNeeded: boolean;
}

/** Why an operation was not started: another one failed, or the run ended. */
type SkipCause = FailedCause | 'stopped';

interface OperationSchedule {
  operations: Operation[];
  /** The id of the operation that all others wait for. It waits for none. */
  first: string | undefined;
  /** The most operations that run at once. */
  parallelism: number;
  /** True once no further operation may be started. */
  isStopped(): boolean;
  /** Performs an operation. Must not throw. */
  run(operation: Operation): Promise<'done' | 'failed'>;
  /** Called for each operation that is not started. */
  skip(operation: Operation, cause: SkipCause): void;
}

/**
 * Runs the operations of an apply in an order that respects their dependencies, up to `parallelism` at once,
 * because most of the time is spent waiting for answers. `first`: the operation that all others wait for (the
 * canary). If one fails, only the operations that wait for it, directly or not, are skipped. Once `isStopped`, all
 * that have not started are skipped. Ends when every operation has run or is skipped. Does not throw.
 */
async function schedule({
  operations,
  first,
  parallelism,
  isStopped,
  run,
  skip,
}: OperationSchedule): Promise<void> {
  const { openDependencies, dependents } = indexDependencies(operations, first);
  const settled = new Set<string>();
  // In reverse order: the next operation is the last one, because taking the first of a long array is slow.
  const ready = operations.filter(({ id }) => openDependencies.get(id)!.size === 0).reverse();
  const running = new Set<Promise<void>>();

  const releaseDependents = (done: Operation) => {
    const released = (dependents.get(done.id) ?? []).filter(({ id }) => {
      const open = openDependencies.get(id)!;
      open.delete(done.id);
      return open.size === 0;
    });
    // Operations that continue earlier work come first, so that nothing is half done for longer than necessary.
    for (const operation of released.reverse()) ready.push(operation);
  };
  const settle = (operation: Operation, result: 'done' | 'failed') => {
    settled.add(operation.id);
    if (result === 'done') releaseDependents(operation);
    else
      for (const { dependent, isNeeded } of listUnsettledDependents(operation, dependents, settled)) {
        settled.add(dependent.id);
        skip(dependent, { failed: operation, isNeeded });
      }
  };

  while (ready.length > 0 || running.size > 0) {
    while (ready.length > 0 && running.size < parallelism && !isStopped()) {
      const operation = ready.pop()!;
      const work = run(operation).then((result) => {
        settle(operation, result);
        running.delete(work);
      });
      running.add(work);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  for (const operation of operations) if (!settled.has(operation.id)) skip(operation, 'stopped');
}

/** The operations of a run, by what they wait for. */
interface OperationDependencies {
  /** The ids of the operations that each operation still waits for, by its id. */
  openDependencies: ReadonlyMap<string, Set<string>>;
  /** The operations that wait for an operation, by its id. */
  dependents: ReadonlyMap<string, Operation[]>;
}

/** Indexes what each operation waits for: the operations that it depends on and, if there is one, the canary (`first`). */
function indexDependencies(
  operations: readonly Operation[],
  first: string | undefined,
): OperationDependencies {
  const dependenciesOf = ({ id, dependsOn }: Operation) =>
    first === undefined || id === first ? dependsOn : [first, ...dependsOn];
  const openDependencies = new Map(
    operations.map((operation) => [operation.id, new Set(dependenciesOf(operation))]),
  );
  const dependents = new Map<string, Operation[]>();
  for (const operation of operations)
    for (const id of openDependencies.get(operation.id)!) addTo(dependents, id, operation);
  return { openDependencies, dependents };
}

/**
 * Returns the operations that cannot run because one failed: those that wait for it, directly or not, and that are not settled (run or
 * skipped) yet. `isNeeded`: true if an operation needs the failed one (`dependsOn`, directly or not); false if it only waits because the
 * failed one is the canary, for which all others wait.
 */
function listUnsettledDependents(
  failed: Operation,
  dependents: OperationDependencies['dependents'],
  settled: ReadonlySet<string>,
): { dependent: Operation; isNeeded: boolean }[] {
  const needing = new Set([failed.id]);
  const waiting = new Set([failed]);
  // Dependents are added while the loop runs, and are visited, too.
  for (const operation of waiting)
    for (const dependent of dependents.get(operation.id) ?? []) {
      if (settled.has(dependent.id)) continue;
      waiting.add(dependent);
      if (dependent.dependsOn.some((id) => needing.has(id))) needing.add(dependent.id);
    }
  waiting.delete(failed);
  return [...waiting].map((dependent) => ({ dependent, isNeeded: needing.has(dependent.id) }));
}
