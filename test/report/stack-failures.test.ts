import { expect, it } from 'vitest';
import { HttpError } from '../../src/http/errors.ts';
import type { Outcome } from '../../src/model/event.ts';
import { eventWriter } from '../../src/report/events-text.ts';
import { applyCommentMarkdown } from '../../src/report/markdown/applied-markdown.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { createCommandFailures, repeatedFailuresText } from '../../src/report/stacks/stack-failures.ts';
import { change, colorStyle, operation, plainStyle, planOf } from './builders.ts';

/* A token that may not add domains fails one request in each of 39 stacks, after other requests have succeeded. */

const refused = (index: number) =>
  new HttpError(
    { method: 'POST', path: `/v10/projects/prj_${index}/domains` },
    { status: 403, code: 'forbidden', message: 'Not authorized' },
  );
const stacks = Array.from({ length: 39 }, (_, index) => {
  const [made, address] = [`projects/p${index}`, `projects/p${index}/domains/s${index}.acme.com`];
  const kind = 'projectDomain';
  const create = operation(
    [address],
    [{ endpoint: 'POST /v10/projects/{project}/domains', params: { project: `prj_${index}` } }],
    { kind },
  );
  const outcome: Outcome = {
    done: [made],
    failed: [{ address, error: refused(index) }],
    postponed: [],
    skipped: [],
    overwritten: [],
    interrupted: false,
  };
  const changes = [change('create', made, { kind: 'project' }), change('create', address, { kind })];
  return { id: `s${index}`, plan: planOf({ stack: `s${index}`, changes, operations: [create] }), outcome };
});
const hint =
  'the token is valid, since it could read the account, but it may not send POST /v10/projects/{project}/domains (projectDomain)';
const logStyle = { ...plainStyle, prose: Number.POSITIVE_INFINITY };
const timesIn = (text: string, part: string) => text.split(part).length - 1;

it('each outcome after the first refers to it, and the end names the addresses with one error and one hint', () => {
  const command = createCommandFailures();
  const outcomes = stacks.map(({ id, plan, outcome }) =>
    outcomeText(plan, outcome, { style: logStyle, now: 0, failures: { command, stack: id } }),
  );
  expect(timesIn(outcomes.join('\n'), 'answered 403')).toBe(1);
  expect(outcomes[38]).toContain(
    'failed projects/p38/domains/s38.acme.com\n  Error: the same as for projects/p0/domains/s0.acme.com in s0\n',
  );
  const end = repeatedFailuresText(stacks, logStyle);
  expect(end.split('\n')).toEqual([
    `39 changes failed for the same reason: ${[0, 1, 2, 3, 4].map((n) => `projects/p${n}/domains/s${n}.acme.com in s${n}`).join(', ')} and 34 more`,
    '  Error: POST /v10/projects/prj_0/domains answered 403 forbidden: Not authorized',
    expect.stringContaining(`  -> ${hint}`),
  ]);
  expect(repeatedFailuresText(stacks.slice(0, 1), colorStyle)).toBe('');
});

it('the log explains the first failure of all stacks', () => {
  const command = createCommandFailures();
  const lines = stacks.map(({ id, plan }, index) =>
    eventWriter(plan, { style: logStyle, failures: { command, stack: id } })({
      type: 'failed',
      operation: plan.operations[0]!,
      error: refused(index),
    }),
  );
  expect(lines[0]).toContain(hint);
  expect(lines[38]).toBe(
    'projects/p38/domains/s38.acme.com: failed for the same reason as projects/p0/domains/s0.acme.com in s0',
  );
});

it('the comment begins with it', () => {
  const comment = applyCommentMarkdown({ parts: stacks })!;
  const head = comment.split('\n---\n')[0]!;
  expect(head).toContain('\n**All stacks: 39 created, 39 failed.**\n');
  expect(head).toContain(
    '**39 changes failed for the same reason: `projects/p0/domains/s0.acme.com in s0`, ',
  );
  expect(head).toContain(`-> ${hint}`);
});
