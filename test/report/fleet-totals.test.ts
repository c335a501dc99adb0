import { expect, it } from 'vitest';
import { type FleetJob, fleetText } from '../../src/report/fleet/fleet-report.ts';
import { fleetHtml } from '../../src/report/html/fleet-page.ts';

/* A batch of plans: a reader sees the sum of all jobs, and first the one that deletes something. */

const none = { create: 0, update: 0, replace: 0, delete: 0 };
const jobOf = (id: string, changes: FleetJob['changes']): FleetJob => ({
  id: id.padEnd(8, '0'),
  name: `plan ${id}`,
  state: 'done',
  retries: 0,
  changes,
});
const jobs = [
  ...Array.from({ length: 60 }, (_, n) => jobOf(`site${n}`, { ...none, create: 2 })),
  jobOf('shop', { ...none, update: 1, delete: 3, takeOver: 2, takenFrom: ['web'] }),
  { ...jobOf('broken', undefined), state: 'failed' as const, result: 'no such file' },
];
const report = { batches: [{ id: 'b1', repository: 'acme/web', jobs }], workers: [], schedules: [] };
const sum = '120 to create, 1 to update, 3 to delete, 2 taken over from stack web';

it('the text has the sums, and lists jobs that failed or delete something', () => {
  expect(fleetText(report).split('\n').slice(-4)).toEqual([
    '  62 jobs: 1 failed, 61 done',
    `  in all: ${sum}`,
    '  failed: plan broken (broken00), no such file',
    '  done: plan shop (shop0000)',
  ]);
});

it('the page has the same, and the dangerous jobs first', () => {
  const page = fleetHtml(report, 0);
  expect(page).toContain(`In all: ${sum}`);
  const names = [...page.matchAll(/<code>plan (\w+)<\/code>/g)].map(([, name]) => name);
  expect([names.slice(0, 3), names.length]).toEqual([['broken', 'shop', 'site0'], 62]);
  expect(page).toContain('<li class="destructive"><b>done</b> <code>plan shop</code>');
});
