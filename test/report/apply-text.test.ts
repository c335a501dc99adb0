import { describe, expect, it } from 'vitest';
import type { ApplyEvent, Outcome } from '../../src/model/event.ts';
import { eventWriter, reduceProgress, renderProgress, startProgress } from '../../src/report/events-text.ts';
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
  { type: 'waiting', seconds: 11.2, reason: 'rate limit of env writes' },
  { type: 'failed', operation: env, error },
  { type: 'skipped', operation: domain, reason: 'projects/web/env/A' },
  { type: 'skipped', operation: domain, reason: 'the run was stopped' },
  { type: 'left', operation: env, rateLimit },
];

it('writes events as lines', () => {
  expect(events.map(eventWriter(plan, { style: plainStyle })).join('\n')).toMatchInlineSnapshot(`
    "projects/web: creating...
    projects/web: created (1 of 5)
    projects/web/env/A and 2 more: changing...
    projects/web/domains/a: deleting...
    Waiting 12s: rate limit of env writes
    projects/web/env/A and 2 more: failed: name taken
      | ::error::by somebody
      -> choose another
    projects/web/domains/a: skipped because projects/web/env/A failed

    projects/web/env/A and 2 more: left because the rate limit of POST /v2/domains/{domain}/records is used up"
  `);
});

it('operations about different changes are different steps, even if the first change and their number are equal', () => {
  const first = operation(['env/A', 'env/B'], [], { id: 'first' });
  const second = operation(['env/A', 'env/C'], [], { id: 'second' });
  const changes = ['env/A', 'env/B', 'env/C'].map((address) => change('delete', address));
  const write = eventWriter(planOf({ changes, operations: [first, second] }), { style: plainStyle });
  expect(
    [first, second].flatMap((operation) => [
      write({ type: 'started', operation }),
      write({ type: 'succeeded', operation }),
    ]),
  ).toEqual([
    'env/A and 1 more: deleting...',
    'env/A and 1 more: deleted (2 of 3)',
    'env/A and 1 more: deleting...',
    'env/A and 1 more: deleted (3 of 3)',
  ]);
});

it('a change of several operations begins once and is done once', () => {
  const first = operation(['projects/web'], [], { id: 'create web' });
  const second = operation(['projects/web'], [], { id: 'configure web' });
  const two = planOf({
    changes: [change('create', 'projects/web'), change('delete', 'projects/docs')],
    operations: [first, second, operation(['projects/docs'], [])],
  });
  const write = eventWriter(two, { style: plainStyle });
  const lines = [first, second].flatMap((operation) => [
    write({ type: 'started', operation }),
    write({ type: 'succeeded', operation }),
  ]);
  expect(lines).toEqual(['projects/web: creating...', '', '', 'projects/web: created (1 of 2)']);
});

it('says when a failed request is sent again, and why', () => {
  const write = eventWriter(plan, { style: plainStyle });
  const reason = 'cannot reach api.example.com';
  expect(write({ type: 'waiting', seconds: 2.1, reason, again: true })).toBe(`Retrying in 3s: ${reason}`);
});

describe('the live view', () => {
  const progress = (number: number) => events.slice(0, number).reduce(reduceProgress, startProgress(plan));

  it('shows what is under way, a wait, and how far it is', () => {
    expect(renderProgress(progress(5), plainStyle)).toMatchInlineSnapshot(`
      "changing  projects/web/env/A and 2 more
      deleting  projects/web/domains/a
      Waiting 12s: rate limit of env writes
      1 of 5 changes done, 4 left"
    `);
    expect(renderProgress(progress(7), plainStyle)).toMatchInlineSnapshot(
      `"1 of 5 changes done, 3 failed, 1 skipped, 0 left"`,
    );
    const put = reduceProgress(progress(3), { type: 'left', operation: env, rateLimit });
    expect(renderProgress(put, plainStyle)).toBe('1 of 5 changes done, 4 left');
  });

  it('shows only so many lines, none too wide', () => {
    const many = Array.from({ length: 20 }, (_, i) =>
      operation([`projects/${'x'.repeat(100)}/${i}`], [], { id: `${i}` }),
    );
    const state = many.reduce(
      (s, op) => reduceProgress(s, { type: 'started', operation: op }),
      startProgress(planOf({ operations: many })),
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
      { done: [], failed: [], postponed: [], skipped: [], overwritten: [], interrupted: false, ...outcome },
      { style: plainStyle, now, took: 4123 },
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

      Applied 6 changes in 4.1s: 3 created, 1 adopted, 1 updated, 1 deleted."
    `);
    expect(text({})).toBe('There was nothing to apply.');
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
        skipped: [{ address: 'projects/web/domains/a', reason: 'projects/web/env/A' }],
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

      The applied changes are recorded; those that failed or were not tried are not.
      Run \`trueup plan\` to see the remaining changes; the next apply continues from
      there.

      Apply failed after 4.1s: 2 done, 3 failed, 1 not tried."
    `);
  });

  it('does not call a change unrecorded whose outcome is unknown', () => {
    const unanswered = Object.assign(new Error('the connection ended'), { mayBeCarriedOut: true });
    const failed = [{ address: 'projects/web/env/A', error: unanswered }];
    const textOnOneLine = (outcome: Partial<Outcome>) => text(outcome).replaceAll('\n', ' ');
    expect(textOnOneLine({ failed })).toContain(
      'The outcome of 1 change is unknown: the ledger notes the objects that may exist, and the next plan looks for them. Run',
    );
    expect(textOnOneLine({ failed: [...failed, { address: 'projects/web/env/B', error }] })).toContain(
      'Other changes that failed or were not tried are not recorded.',
    );
  });

  it('counts a variable whose outcome is unknown in several targets as one change', () => {
    const error = Object.assign(new Error('the connection ended'), { mayBeCarriedOut: true });
    const addresses = ['production', 'preview'].map((target) => `projects/web/env/A@${target}`);
    const variable = planOf({
      changes: addresses.map((address) =>
        change('create', address, { at: { file: 'trueup.yaml', line: 1, column: 1 } }),
      ),
      operations: [],
    });
    const outcome = {
      done: [],
      failed: addresses.map((address) => ({ address, error })),
      postponed: [],
      skipped: [],
    };
    const lines = outcomeText(
      variable,
      { ...outcome, overwritten: [], interrupted: false },
      { style: plainStyle, now },
    );
    expect(lines).toContain('The outcome of 1 change is unknown');
  });

  it('says what a rate limit left over, and when to come back', () => {
    const left = ['projects/web/env/A', 'projects/web/env/B'].map((address) => ({ address, rateLimit }));
    const other = { bucket: 'PATCH /x', until: now - 1 };
    expect(
      text({
        done: ['projects/web'],
        postponed: [...left, { address: 'projects/docs', rateLimit: other }],
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

      The applied changes are recorded, and nothing failed.
      Run it again then; the next apply continues from there. \`--max-wait\` makes it
      wait longer.

      Apply not finished: 1 done, 3 left."
    `);
    const failed = [{ address: 'projects/docs', error: 'timeout' }];
    expect(text({ postponed: left, failed })).toContain(
      '\nApply failed after 4.1s: 0 done, 1 failed, 2 left, 0 not tried.',
    );
  });

  it('accounts for an interruption', () => {
    const skipped = [{ address: 'projects/docs', reason: 'the run was stopped' }];
    expect(text({ done: ['projects/web'], skipped, interrupted: true })).toMatchInlineSnapshot(`
      "created (1):
        projects/web

      not tried (1), because the run was stopped:
        projects/docs

      The applied changes are recorded; those that failed or were not tried are not.
      Run \`trueup plan\` to see the remaining changes; the next apply continues from
      there.

      Apply stopped after 4.1s: 1 done, 0 failed, 1 not tried."
    `);
  });
});
