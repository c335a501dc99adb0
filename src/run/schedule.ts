import type { Operation } from '../model/plan.ts';

export interface Schedule {
  operations: Operation[];
  parallelism: number;
  /** True once nothing new may be started. */
  stopped(): boolean;
  run(operation: Operation): Promise<'done' | 'failed'>;
  skip(operation: Operation, because: { failed: Operation } | 'stopped'): void;
}

/** Runs operations when what they depend on is done, as many at once as allowed. A failure skips what depends on it, and no more. */
export async function schedule({ operations, parallelism, stopped, run, skip }: Schedule): Promise<void> {
  const waitsFor = new Map(operations.map((operation) => [operation.id, new Set(operation.dependsOn)]));
  const dependents = new Map<string, Operation[]>();
  for (const operation of operations)
    for (const id of operation.dependsOn) dependents.set(id, [...(dependents.get(id) ?? []), operation]);
  const settled = new Set<string>();
  const ready = operations.filter(({ dependsOn }) => dependsOn.length === 0);
  const running = new Set<Promise<void>>();

  const skipDependents = (cause: Operation) => {
    const behind = [cause];
    for (const of of behind)
      for (const next of dependents.get(of.id) ?? []) {
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
