import { expect, it } from 'vitest';
import { formatLog, type LogEntry } from '../../src/history/log-text.ts';
import type { OpenHistory } from '../../src/history/read-history.ts';
import { findRunTarget } from '../../src/history/undo-target.ts';
import { styleFor } from '../../src/report/style.ts';

const recordOf = (head: object) => ({ head: { run: 1, stack: 'shop', ...head }, proof: { by: 'key' } });

it('a copy of a ledger cannot be undone, and dropped nothing', () => {
  const record = recordOf({ command: 'copy', to: 'refs/trueup/shop at origin' });
  const history = { records: [record], key: {} } as unknown as OpenHistory;
  expect(() => findRunTarget(1, history)).toThrow(
    'run 1 cannot be undone: it only copied the ledger to refs/trueup/shop at origin, and it changed no object',
  );
});

it('a run that is not finished need not have met a rate limit', () => {
  const record = recordOf({
    command: 'apply',
    outcome: 'not finished',
    start: '2026-01-01T10:00:00Z',
    done: { followed: 1 },
    failed: 0,
    notDone: 1,
  });
  const entry = { record, changes: [] } as unknown as LogEntry;
  expect(
    formatLog([entry], { style: styleFor({ color: false, width: 200 }), details: false, hasKey: true }),
  ).toContain('1 action sent, 1 not done  not finished: a rate limit, or an action that is still owed');
});
