import { expect, it } from 'vitest';
import { HttpError } from '../../src/http/errors.ts';
import type { Change } from '../../src/model/change.ts';
import { problem } from '../../src/model/diagnostic.ts';
import type { Outcome } from '../../src/model/event.ts';
import type { Operation, Plan } from '../../src/model/plan.ts';
import { eventWriter } from '../../src/report/events-text.ts';
import { causeOfFailure } from '../../src/report/failures.ts';
import { outcomeDiagnostics } from '../../src/report/outcome-diagnostics.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { at, plainStyle } from './builders.ts';

const refused = (index: number, status = 403) =>
  new HttpError(
    { method: 'POST', path: `/v10/projects/prj_${index}/env` },
    { status, code: 'forbidden', message: 'Not authorized' },
  );
const addressOf = (index: number) => `projects/p${index}/env/A`;
const changes = Array.from(
  { length: 63 },
  (_, index): Change => ({
    address: addressOf(index),
    kind: 'projectEnvVar',
    action: 'create',
    fields: [],
    grade: 'safe',
    at: at(index + 1, 3),
  }),
);
const plan: Plan = {
  stack: 'demo',
  complete: true,
  changes,
  operations: [],
  unmanaged: [],
  diagnostics: [],
};
const outcome: Outcome = {
  done: changes.slice(39).map(({ address }) => address),
  failed: changes.slice(0, 39).map(({ address }, index) => ({ address, error: refused(index) })),
  left: [],
  skipped: [],
  overwritten: [],
  interrupted: false,
};

it('39 equal failures are one message, whose hint fits a token that worked in this run', () => {
  const text = outcomeText(plan, outcome, { style: plainStyle, now: 0 });
  expect(text).toContain(`failed projects/p0/env/A
failed projects/p1/env/A
failed projects/p2/env/A
failed 36 more for the same reason
  Error: POST /v10/projects/prj_0/env answered 403 forbidden: Not authorized
  -> the token is valid, since it could read the account, but it may not do`);
  expect(text).not.toContain('invalid');
  const diagnostics = outcomeDiagnostics(plan, outcome, 0);
  expect(diagnostics).toMatchObject([
    {
      ...problem(
        'apply/failed',
        'POST /v10/projects/prj_0/env answered 403 forbidden: Not authorized (39 times, for projects/p0/env/A, projects/p1/env/A, projects/p2/env/A and 36 more)',
        { at: at(1, 3) },
      ),
      folded: { length: 39 },
    },
  ]);
});

it('the log of an apply shows an error once, and refers to it later', () => {
  const operations = changes.slice(0, 3).map(
    ({ address, kind }): Operation => ({
      id: address,
      kind,
      changes: [address],
      requests: [],
      dependsOn: [],
    }),
  );
  const write = eventWriter({ ...plan, operations }, { style: plainStyle });
  const lines = operations.map((operation, index) =>
    write({ type: 'failed', operation, error: refused(index) }),
  );
  expect(lines[0]).toContain('answered 403');
  expect(lines.slice(1)).toEqual([
    'projects/p1/env/A: failed for the same reason as projects/p0/env/A',
    'projects/p2/env/A: failed for the same reason as projects/p0/env/A',
  ]);
});

it.each<[string, unknown, string, unknown, string, boolean]>([
  ['other paths', refused(1), 'projects/a', refused(2), 'projects/b', true],
  ['other names', new Error('a is taken'), 'projects/a', new Error('b is taken'), 'projects/b', true],
  [
    'behind another error',
    new Error('no', { cause: refused(1) }),
    'a',
    new Error('no', { cause: refused(2) }),
    'b',
    true,
  ],
  ['another answer', refused(1), 'projects/a', refused(2, 409), 'projects/b', false],
  ['another text', new Error('x'), 'projects/a', new Error('y'), 'projects/b', false],
])('causes: %s', (_, first, firstAddress, second, secondAddress, isEqual) => {
  const causes = [causeOfFailure(first, firstAddress, 'k'), causeOfFailure(second, secondAddress, 'k')];
  expect(causes[0] === causes[1]).toBe(isEqual);
  expect(causeOfFailure(first, firstAddress, 'another')).not.toBe(causes[0]);
});
