import { PgBoss } from 'pg-boss';
import { afterEach, expect, it, vi } from 'vitest';
import { openPostgresQueue } from '../../src/queue/postgres-queue.ts';

afterEach(() => void vi.restoreAllMocks());

type Work = (rows: object[]) => Promise<unknown>;

/** Postpones a job. Returns what the queue gets from the worker, and the warnings. `failure`: what the database answers. */
async function postpone(failure: Error | undefined) {
  const works: Work[] = [];
  vi.spyOn(PgBoss.prototype, 'start').mockResolvedValue(undefined as never);
  vi.spyOn(PgBoss.prototype, 'createQueue').mockResolvedValue(undefined as never);
  vi.spyOn(PgBoss.prototype, 'notifyWorker').mockReturnValue(undefined as never);
  vi.spyOn(PgBoss.prototype, 'update').mockResolvedValue(undefined as never);
  vi.spyOn(PgBoss.prototype, 'fail').mockImplementation((async () => {
    if (failure) throw failure;
  }) as never);
  vi.spyOn(PgBoss.prototype, 'work').mockImplementation((async (
    _name: string,
    _options: object,
    work: Work,
  ) => String(works.push(work))) as never);
  const warnings: string[] = [];
  const connection = { shown: 'postgres://db', schema: 'trueup', config: {} };
  const queue = await openPostgresQueue(connection as never, {
    isWorker: true,
    who: 'ada@host',
    warn: (text) => warnings.push(text),
    now: () => 0,
  });
  await queue.work('open', { concurrency: 1 }, async () => 'later');
  const id = '3f0c4c9e-6f0a-4b57-9d59-0d6f0c0f7b11';
  const job = { format: 1, id, batch: id, repository: 'acme/shop', folder: '', action: 'round', stacks: '*' };
  const row = { id: 'a', data: job, retryCount: 0, retryLimit: 25 };
  const result = await works[0]!([row]).then(
    () => 'completed',
    (error: Error) => error.message,
  );
  return { result, warnings };
}

it('a job that cannot be postponed is not completed, and the cause is shown', async () => {
  expect(await postpone(undefined)).toEqual({ result: 'completed', warnings: [] });
  const { result, warnings } = await postpone(new Error('connection lost'));
  expect(result).toBe('connection lost');
  expect(warnings).toEqual([expect.stringContaining('connection lost')]);
});
