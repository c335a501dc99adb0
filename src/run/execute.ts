import type { Outcome, RateLimit } from '../model/event.ts';
import { addTo } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { canaryOperation, type Operation } from '../model/plan.ts';
import { isProgramError } from '../model/program-error.ts';
import { Checks } from './checks.ts';
import { type ExecuteOptions, Performer } from './perform.ts';
import { Recorder } from './recorder.ts';
import { Tally } from './tally.ts';
import { PartlyRefused, unexpectedState } from './unclear-answer.ts';

/**
 * Carries out the plan, and records what happened. Never throws for an answer of the platform: see the outcome. If the ledger cannot be
 * kept, requests in flight are finished, nothing new is started, and that error is thrown.
 */
export async function execute(executeOptions: ExecuteOptions): Promise<{ outcome: Outcome; ledger: Ledger }> {
  const { plan, quota, onEvent, parallelism, stop, checkCanary } = executeOptions;
  const canary = checkCanary && canaryOperation(plan);
  const recorder = new Recorder(executeOptions);
  const options: ExecuteOptions = {
    ...executeOptions,
    // Objects that this run has deleted are not looked for.
    refresh: (collections, ledgerNow) =>
      executeOptions.refresh(collections, { entries: recorder.ledger.entries, ...ledgerNow }),
  };
  const checks = new Checks({ ...options, idsOf: (address) => recorder.known.idsOf(address) });
  const tally = new Tally(plan, (change) => recorder.record(change));
  const save = (everywhere = false) =>
    options.save(recorder.kept(), { touched: recorder.touched(), everywhere });
  tally.begin((address) => recorder.knows(address), await checks.foundAgain());
  // Before the first write: what is begun, and what was there before.
  await save(plan.operations.length > 0);
  quota?.announce?.(plan.operations.flatMap(({ requests }) => requests.map(({ endpoint }) => endpoint)));

  const performer = new Performer(options, { recorder, checks, save });
  const postpone = (operation: Operation, rateLimit: RateLimit) => {
    tally.postpone(operation, rateLimit);
    onEvent({ type: 'left', operation, rateLimit });
  };
  const fail = (operation: Operation, thrown: unknown) => {
    const error = isProgramError(thrown) ? unexpectedState(operation, thrown) : thrown;
    const { rateLimit } = error as { rateLimit?: RateLimit };
    if (rateLimit) return postpone(operation, rateLimit);
    if (error instanceof PartlyRefused) {
      for (const { address, error: why } of error.notDone) tally.fail(address, why);
      tally.finish(operation);
    } else for (const address of operation.changes) tally.fail(address, error);
    onEvent({ type: 'failed', operation, error });
  };
  const verifyCanary = async () => {
    const failed = await checkCanary!(recorder.ledger);
    recorder.canaryChecked(failed?.memories);
    if (failed) throw failed.error;
  };
  let unkept: { error: unknown } | undefined;
  await schedule({
    operations: plan.operations,
    first: canary?.id,
    parallelism,
    stopped: () => unkept !== undefined || (stop?.aborted ?? false),
    run: async (operation) => {
      onEvent({ type: 'started', operation });
      let result: 'done' | 'failed' = 'done';
      try {
        tally.overwrote(await performer.perform(operation));
        tally.finish(operation);
        if (operation === canary) await verifyCanary();
        onEvent({ type: 'succeeded', operation, ids: recorder.shownIds(operation) });
      } catch (error) {
        result = 'failed';
        fail(operation, error);
      }
      quota?.release(operation.id);
      await save().catch((error) => {
        unkept ??= { error };
      });
      return result;
    },
    skip: (operation, because) => {
      quota?.release(operation.id);
      const rateLimit = because === 'stopped' ? undefined : tally.postponedFor(because.failed);
      if (rateLimit) return postpone(operation, rateLimit);
      const text =
        because === 'stopped' ? 'the run was stopped' : causeOfSkip(operation, because.failed, canary);
      tally.skip(operation, text);
      onEvent({ type: 'skipped', operation, because: text });
    },
  });
  recorder.close();
  if (unkept) throw unkept.error;
  const outcome = tally.outcome(stop?.aborted ?? false);
  options.onOutcome?.(outcome);
  await save(true);
  return { outcome, ledger: recorder.kept() };
}

/** Names the change whose failure skips an operation, or says that all operations wait for the canary. */
const causeOfSkip = ({ dependsOn }: Operation, failed: Operation, canary: Operation | undefined): string =>
  failed === canary && !dependsOn.includes(failed.id)
    ? 'the change that is done first failed (--no-canary does not wait for it)'
    : failed.changes[0]!;

interface Schedule {
  operations: Operation[];
  /** The operation that all others wait for. It waits for none. */
  first: string | undefined;
  parallelism: number;
  /** True once nothing new may be started. */
  stopped(): boolean;
  run(operation: Operation): Promise<'done' | 'failed'>;
  skip(operation: Operation, because: { failed: Operation } | 'stopped'): void;
}

/** Runs operations once those that they depend on are done, as many at once as allowed. A failure skips only those that depend on it. */
async function schedule({ operations, first, parallelism, stopped, run, skip }: Schedule): Promise<void> {
  const dependenciesOf = ({ id, dependsOn }: Operation) =>
    first === undefined || id === first ? dependsOn : [first, ...dependsOn];
  const waitsFor = new Map(operations.map((operation) => [operation.id, new Set(dependenciesOf(operation))]));
  const dependents = new Map<string, Operation[]>();
  for (const operation of operations)
    for (const id of waitsFor.get(operation.id)!) addTo(dependents, id, operation);
  const settled = new Set<string>();
  const ready = operations.filter(({ id }) => waitsFor.get(id)!.size === 0);
  const running = new Set<Promise<void>>();

  const skipDependents = (cause: Operation) => {
    const behind = [cause];
    for (const operation of behind)
      for (const next of dependents.get(operation.id) ?? []) {
        if (settled.has(next.id)) continue;
        settled.add(next.id);
        skip(next, { failed: cause });
        behind.push(next);
      }
  };
  const release = (done: Operation) => {
    const freed = (dependents.get(done.id) ?? []).filter((next) => {
      const waiting = waitsFor.get(next.id)!;
      waiting.delete(done.id);
      return waiting.size === 0 && !settled.has(next.id);
    });
    // What continues comes before what begins, so that nothing is half done for longer than it must.
    ready.unshift(...freed);
  };

  while (ready.length > 0 || running.size > 0) {
    while (ready.length > 0 && running.size < parallelism && !stopped()) {
      const operation = ready.shift()!;
      const work = run(operation).then((result) => {
        settled.add(operation.id);
        if (result === 'done') release(operation);
        else skipDependents(operation);
        running.delete(work);
      });
      running.add(work);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  for (const operation of operations) if (!settled.has(operation.id)) skip(operation, 'stopped');
}
