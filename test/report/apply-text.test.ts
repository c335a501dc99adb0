import { describe, expect, it } from 'vitest';
import type { ApplyEvent } from '../../src/model/event.ts';
import { eventWriter } from '../../src/report/events-text.ts';
import { reduceProgress, renderProgress, startProgress } from '../../src/report/live-view.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { change, operation, plainStyle, planOf } from './builders.ts';

const web = operation(['projects/web'], []);
const env = operation(['projects/web/env/A', 'projects/web/env/B', 'projects/web/env/C'], []);
const domain = operation(['projects/web/domains/a'], []);
const plan = planOf({
  changes: [
    change('create', 'projects/web'),
    change('create', 'projects/web/env/A'),
    change('create', 'projects/web/env/B'),
    change('update', 'projects/web/env/C'),
    change('delete', 'projects/web/domains/a'),
    change('adopt', 'projects/docs'),
  ],
  operations: [web, env, domain],
});
const error = Object.assign(new Error('name taken\n::error::by somebody'), { hint: 'choose another' });
const now = 1_000_000_000_000;
const rateLimit = { bucket: 'POST /v2/domains/{domain}/records', until: now + 42.1 * 60_000 };
const events: ApplyEvent[] = [
  { type: 'started', operation: web },
  { type: 'succeeded', operation: web },
  { type: 'started', operation: env },
  { type: 'started', operation: domain },
  { type: 'waiting', seconds: 11.2, reason: 'the rate limit of env writes' },
  { type: 'failed', operation: env, error },
  { type: 'skipped', operation: domain, because: 'projects/web/env/A' },
  { type: 'skipped', operation: domain, because: 'the run was stopped' },
  { type: 'left', operation: env, rateLimit },
];

it('writes events as lines', () => {
  expect(events.map(eventWriter(plan, { style: plainStyle })).join('\n')).toMatchInlineSnapshot(`
    "projects/web: creating...
    projects/web: done
    projects/web/env/A and 2 more: changing...
    projects/web/domains/a: deleting...
    waiting 12s for the rate limit of env writes
    projects/web/env/A and 2 more: failed: name taken
      | ::error::by somebody
      -> choose another
    projects/web/domains/a: skipped because projects/web/env/A failed
    projects/web/domains/a: skipped because the run was stopped
    projects/web/env/A and 2 more: left because the rate limit of POST /v2/domains/{domain}/records is used up"
  `);
});

describe('the live view', () => {
  const progress = (number: number) => events.slice(0, number).reduce(reduceProgress, startProgress(plan));

  it('shows what is under way, a wait, and how far it is', () => {
    expect(renderProgress(progress(5), plainStyle)).toMatchInlineSnapshot(`
      "changing  projects/web/env/A and 2 more
      deleting  projects/web/domains/a
      waiting 12s for the rate limit of env writes
      1 of 3 done, 2 left"
    `);
    expect(renderProgress(progress(7), plainStyle)).toMatchInlineSnapshot(
      `"1 of 3 done, 1 failed, 1 skipped, 0 left"`,
    );
    const put = reduceProgress(progress(3), { type: 'left', operation: env, rateLimit });
    expect(renderProgress(put, plainStyle)).toBe('1 of 3 done, 2 left');
  });

  it('shows only so many lines, none too wide', () => {
    const many = Array.from({ length: 20 }, (_, i) =>
      operation([`projects/${'x'.repeat(100)}/${i}`], [], { id: `${i}` }),
    );
    const state = many.reduce(
      (s, op) => reduceProgress(s, { type: 'started', operation: op }),
      startProgress(plan),
    );
    const lines = renderProgress(state, plainStyle).split('\n');
    expect(lines.length).toBe(10);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe('outcomeText', () => {
  const text = (outcome: Partial<Parameters<typeof outcomeText>[1]>) =>
    outcomeText(
      plan,
      { done: [], failed: [], left: [], skipped: [], overwritten: [], interrupted: false, ...outcome },
      { style: plainStyle, now },
    );

  it('tells what was done', () => {
    expect(text({ done: plan.changes.map(({ address }) => address) })).toMatchInlineSnapshot(`
      "created (3):
        projects/web
        projects/web/env/A
        projects/web/env/B
      adopted (1):
        projects/docs
      updated (1):
        projects/web/env/C
      deleted (1):
        projects/web/domains/a

      Apply complete! 3 created, 1 adopted, 1 updated, 1 deleted."
    `);
    expect(text({})).toBe('Apply complete! There was nothing to do.');
  });

  it('accounts for a partial failure', () => {
    expect(
      text({
        done: ['projects/web', 'projects/docs'],
        failed: [
          { address: 'projects/web/env/A', error },
          { address: 'projects/web/env/B', error },
          { address: 'projects/web/env/C', error: 'timeout' },
        ],
        skipped: [{ address: 'projects/web/domains/a', because: 'projects/web/env/A' }],
      }),
    ).toMatchInlineSnapshot(`
      "created (1):
        projects/web
      adopted (1):
        projects/docs

      failed projects/web/env/A
      failed projects/web/env/B
        Error: name taken
        | ::error::by somebody
        -> choose another
      failed projects/web/env/C
        Error: timeout

      not tried (1), because projects/web/env/A failed:
        projects/web/domains/a

      What was done is recorded; what failed or was not tried is not.
      Run \`trueup plan\` to see what is left: the next apply goes on from there.

      Apply failed: 2 done, 3 failed, 1 not tried."
    `);
  });

  it('says what a rate limit left over, and when to come back', () => {
    const left = ['projects/web/env/A', 'projects/web/env/B'].map((address) => ({ address, rateLimit }));
    const other = { bucket: 'PATCH /x', until: now - 1 };
    expect(
      text({
        done: ['projects/web'],
        left: [...left, { address: 'projects/docs', rateLimit: other }],
      }),
    ).toMatchInlineSnapshot(`
      "created (1):
        projects/web

      left (2), because the rate limit of POST /v2/domains/{domain}/records is used up
      for 43 min:
        projects/web/env/A
        projects/web/env/B
      left (1), because the rate limit of PATCH /x is used up:
        projects/docs

      What was done is recorded, and nothing failed.
      Run it again then: the next apply goes on from there. \`--max-wait\` lets it wait
      longer by itself.

      Apply not finished: 1 done, 3 left."
    `);
    const failed = [{ address: 'projects/docs', error: 'timeout' }];
    expect(text({ left, failed })).toContain('\nApply failed: 0 done, 1 failed, 2 left, 0 not tried.');
  });

  it('accounts for an interruption', () => {
    const skipped = [{ address: 'projects/docs', because: 'the run was stopped' }];
    expect(text({ done: ['projects/web'], skipped, interrupted: true })).toMatchInlineSnapshot(`
      "created (1):
        projects/web

      not tried (1), because the run was stopped:
        projects/docs

      What was done is recorded; what failed or was not tried is not.
      Run \`trueup plan\` to see what is left: the next apply goes on from there.

      Apply stopped: 1 done, 0 failed, 1 not tried."
    `);
  });
});
