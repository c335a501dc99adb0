import { describe, expect, it } from 'vitest';
import { problem } from '../../src/model/diagnostic.ts';
import type { ApplyEvent, Outcome } from '../../src/model/event.ts';
import { jsonLine } from '../../src/report/show.ts';
import { createApplyLines, outcomeLines } from '../../src/report/terraform/apply-lines.ts';
import { planLines } from '../../src/report/terraform/plan-lines.ts';
import { type StreamLine, versionLine } from '../../src/report/terraform/stream-line.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { at, change, edit, operation, planOf } from './builders.ts';
import { canary, tenPlans } from './ten-plans.ts';
import { deviations, hasReference, reference } from './terraform-shape.ts';

const story = oneStoryIn(4);

const plans = await tenPlans();
const done: Outcome = {
  done: [],
  failed: [],
  postponed: [],
  skipped: [],
  overwritten: [],
  interrupted: false,
};
const rateLimit = { bucket: 'POST /v1/a', until: 1_000_000_000_000 };
const told = (lines: StreamLine[]) => lines.map((line) => `${line.type}: ${line['@message']}`);

const plan = planOf({
  changes: [
    change('create', 'a'),
    change('update', 'b', { id: 'id-b', fields: [{ ...edit('x', 1, 2), cause: 'drift' }] }),
    change('delete', 'c', { id: 'id-c' }),
    change('replace', 'd', { id: 'id-d', fields: [edit('x', 1, 2)] }),
    change('adopt', 'e', { id: 'id-e' }),
    change('forget', 'f', { id: 'id-f' }),
    change('noop', 'g', { id: 'id-g' }),
  ],
  operations: [
    operation(['a', 'b'], [{ endpoint: 'POST /v1/a' }], { id: 'both' }),
    operation(['b'], [{ endpoint: 'PATCH /v1/b' }], { id: 'again' }),
    operation(['d'], [{ endpoint: 'DELETE /v1/d' }], { id: 'away' }),
    operation(['d'], [{ endpoint: 'POST /v1/d' }], { id: 'anew' }),
  ],
  diagnostics: [problem('x', 'two\nlines', { hint: 'do this', address: 'a', at: at(3, 5, '    text') })],
});
const event = (type: 'started' | 'succeeded', id: string): ApplyEvent => ({
  type,
  operation: plan.operations.find((one) => one.id === id)!,
  ...(type === 'succeeded' ? { ids: { a: 'new-a', d: 'new-d' } } : {}),
});
const failure = (id: string): ApplyEvent => ({
  type: 'failed',
  operation: plan.operations.find((one) => one.id === id)!,
  error: new Error('no'),
});

it('a plan: drift, changes, how many, problems', () => {
  expect(told(planLines(plan))).toEqual([
    'resource_drift: b: Drift detected (update)',
    'planned_change: a: Plan to create',
    'planned_change: b: Plan to update',
    'planned_change: c: Plan to delete',
    'planned_change: d: Plan to replace',
    'planned_change: e: Plan to import',
    'planned_change: f: Plan to remove',
    'change_summary: Plan: 1 to import, 2 to add, 1 to change, 2 to destroy.',
    'diagnostic: Error: two',
  ]);
});

describe('an apply', () => {
  it('a resource begins with its first operation and ends with its last; a replacement is two things', () => {
    const { lines } = createApplyLines(plan);
    const events = ['both', 'again', 'away', 'anew'].flatMap((id) => [
      event('started', id),
      event('succeeded', id),
    ]);
    expect(told(events.flatMap((one, second) => lines(one, second * 1000)))).toEqual([
      'apply_start: a: Creating...',
      'apply_complete: a: Creation complete after 1s [id=new-a]',
      'apply_start: b: Modifying... [id=id-b]',
      'apply_complete: b: Modifications complete after 3s [id=id-b]',
      'apply_start: d: Destroying... [id=id-d]',
      'apply_complete: d: Destruction complete after 1s',
      'apply_start: d: Creating...',
      'apply_complete: d: Creation complete after 1s [id=new-d]',
    ]);
  });

  it('what takes long is told every ten seconds, until it ends or fails', () => {
    const { lines, progress } = createApplyLines(plan);
    lines(event('started', 'away'), 0);
    expect([999, 1_000, 9_999, 10_000, 15_000, 20_500].map((now) => told(progress(now)))).toEqual([
      [],
      ['apply_start: d: Destroying... [id=id-d]'],
      [],
      ['apply_progress: d: Still destroying... [10s elapsed]'],
      [],
      ['apply_progress: d: Still destroying... [20s elapsed]'],
    ]);
    expect(told(lines(failure('away'), 21_000))).toEqual(['apply_errored: d: Destruction errored after 21s']);
    expect(progress(99_000)).toEqual([]);
  });

  it('what a rate limit puts off has neither begun nor failed', () => {
    const left = (id: string): ApplyEvent => ({ ...failure(id), type: 'left', rateLimit }) as ApplyEvent;
    const { lines, progress } = createApplyLines(plan);
    const events = [event('started', 'both'), left('both'), left('anew')];
    expect(told(events.flatMap((one) => lines(one, 0)))).toEqual([]);
    lines(event('started', 'away'), 0);
    progress(5_000);
    expect(told(lines(left('away'), 6_000))).toEqual([
      'log: d: left because the rate limit of POST /v1/a is used up',
    ]);
    expect(progress(99_000)).toEqual([]);
  });

  it('a rate limit is told once, with how much it leaves and for how long; the last line tells the state', () => {
    const lines = outcomeLines(
      plan,
      {
        ...done,
        done: ['e'],
        postponed: ['a', 'b', 'd'].map((address) => ({ address, rateLimit })),
        skipped: ['c', 'f'].map((address) => ({ address, reason: 'the run was stopped' })),
      },
      rateLimit.until - 43 * 60_000,
    );
    expect(told(lines)).toEqual([
      'diagnostic: Warning: 3 changes left because the rate limit of POST /v1/a is used up for 43 min: a, b and d',
      'diagnostic: Warning: 2 changes not tried because the run was stopped: c and f',
      'log: Apply failed: 1 done, 0 failed, 3 left, 2 not tried.',
    ]);
    expect(lines[0]).toMatchObject({
      diagnostic: { detail: 'run it again then; it continues from there' },
    });
  });

  it('only a whole one is summed up; problems come last', () => {
    expect(told(outcomeLines(plan, { ...done, done: ['a', 'd', 'e'] }, 0))).toEqual([
      'change_summary: Apply complete! Resources: 1 imported, 2 added, 0 changed, 1 destroyed.',
    ]);
    const failed = {
      ...done,
      failed: [{ address: 'a', error: new Error('no') }],
      skipped: [{ address: 'b', reason: 'a' }],
    };
    expect(told(outcomeLines(plan, failed, 0)).map((text) => text.split(':', 2).join(':'))).toEqual([
      'diagnostic: Warning',
      'diagnostic: Error',
      'log: Apply failed',
    ]);
  });
});

/** One line of each type. */
const { lines, progress } = createApplyLines(plan);
const ours = [
  versionLine('1'),
  ...planLines(plan),
  ...['both', 'again'].flatMap((id) => lines(event('started', id), 0)),
  ...progress(10_000),
  ...['both', 'again'].flatMap((id) => lines(event('succeeded', id), 0)),
  ...lines(event('started', 'away'), 0),
  ...lines(failure('away'), 0),
  ...outcomeLines(plan, { ...done, done: ['a'] }, 0),
];

it.skipIf(!hasReference)('every line is built as in real logs (skipped: no ../shared/reference)', () => {
  const real = ['tfplan-mixed', 'tfapply-mixed', 'tfapply-error'].flatMap((name) =>
    reference(`${name}.log.jsonl`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
  type Line = Record<string, unknown>;
  const objects = (value: unknown): [string, Line][] =>
    Object.entries(value as Line).flatMap(([name, inner]): [string, Line][] =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? [
            [name, inner as Line],
            ...objects(inner).map(([deep, one]): [string, Line] => [`${name}.${deep}`, one]),
          ]
        : [],
    );
  const printed = ours.map((line) => JSON.parse(jsonLine(line)) as (typeof ours)[number]);
  const found = printed.flatMap((line) => {
    // No log with drift can be made with what is built in: its lines are those of a planned change.
    const type = line.type === 'resource_drift' ? 'planned_change' : line.type;
    const alike = real.filter((one) => one.type === type);
    expect(alike.length, line.type).toBeGreaterThan(0);
    const stamped = alike.map(({ '@timestamp': _, ...rest }) => rest);
    return [
      ...deviations(line as never, stamped, ['trueup']),
      ...objects(line).flatMap(([path, object]) => {
        const same = alike.flatMap((one) =>
          objects(one)
            .filter(([other]) => other === path)
            .map(([, it]) => it),
        );
        return deviations(object, same).map((text) => `${line.type} ${path}.${text}`);
      }),
    ];
  });
  // The offset in bytes is not known; an index is text here, always.
  const meant =
    /^diagnostic diagnostic.range.(start|end).byte: all|resource_key: is string|snippet.context: is null/;
  expect([...new Set(found)].filter((text) => !meant.test(text))).toEqual([]);
});

it('no secret is in a line, and none breaks', () => {
  for (const one of Object.values(plans)) {
    const text = planLines(one).map(jsonLine);
    expect(text.join()).not.toContain(canary);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
    for (const line of text) expect(line).not.toMatch(/[\u0000-\u001f\u202e]/);
  }
});

story(
  'plan and apply write nothing but lines to standard output; without an approval that is one of them',
  async () => {
    const yaml = (framework: string) =>
      `stack: demo\nplatform: { team: acme }\nprojects: { web: { framework: ${framework} } }`;
    const shell = await new Shell().write({ 'trueup.yaml': yaml('vite') });
    await shell.withTwin();
    const types = (stdout: string) =>
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type);
    const refused = await shell.run(['apply', '--json-stream']);
    expect([types(refused.stdout), refused.status]).toEqual([
      ['version', 'planned_change', 'change_summary', 'diagnostic'],
      1,
    ]);
    const applied = await shell.run(['apply', '--json-stream', '--auto-approve']);
    expect(applied.status).toBe(0);
    expect(types(applied.stdout)).toEqual([
      'version',
      'planned_change',
      'change_summary',
      'apply_start',
      'apply_complete',
      'change_summary',
      'log',
    ]);
    const again = await shell.run(['apply', '--json-stream', '--auto-approve']);
    const last = JSON.parse(again.stdout.trim().split('\n').at(-1)!);
    expect(last).toMatchObject({
      type: 'change_summary',
      changes: { add: 0, change: 0, import: 0, remove: 0, operation: 'apply' },
    });
    const planned = await shell.run(['plan', '--json-stream']);
    expect(types(planned.stdout)).toEqual(['version', 'log', 'change_summary']);
  },
);
