import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/model/event.ts';
import type { ActionOutcome, PlannedAction } from '../../src/model/planned-action.ts';
import { appliedMarkdown, applyCommentMarkdown } from '../../src/report/markdown/applied-markdown.ts';
import { outcomeDiagnostics } from '../../src/report/outcome-diagnostics.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { outcomeLines } from '../../src/report/terraform/apply-lines.ts';
import { at, change, operation, plainStyle, planOf } from './builders.ts';

const redeploy: PlannedAction = {
  id: 'redeploy things/x',
  action: 'redeploy',
  about: 'things/x',
  input: {},
  grade: 'safe',
  after: ['things/x'],
  from: ['things/x'],
  state: 'due',
};
const plan = planOf({
  changes: [change('update', 'things/x', { at: at(3) })],
  operations: [operation(['things/x'], [{ endpoint: 'PATCH /v1/x' }])],
  actions: [redeploy],
});
const rateLimit = { bucket: 'PATCH /v1/x', until: 60_000 };
const outcomeWith = (result: ActionOutcome['result'], more: Partial<Outcome> = {}): Outcome => ({
  done: ['things/x'],
  failed: [],
  postponed: [],
  skipped: [],
  overwritten: [],
  interrupted: false,
  actions: [{ id: redeploy.id, result, why: 'answered 400', hint: 'set the target' }],
  ...more,
});

describe('an action that did not run makes an apply unfinished', () => {
  it("in Terraform's stream, which then has no summary", () => {
    const messages = (result: ActionOutcome['result']) =>
      outcomeLines(plan, outcomeWith(result), 0).map((line) => line['@message']);
    expect(messages('done')).toEqual(['Apply complete! Resources: 0 added, 1 changed, 0 destroyed.']);
    expect(messages('nothing')).toHaveLength(1);
    expect(messages('refused')).toEqual([
      'Error: refused redeploy things/x: answered 400',
      'Apply failed: 1 done, 1 action failed.',
    ]);
    expect(messages('owed').at(-1)).toBe('Apply not finished: 1 done, 1 action owed.');
    expect(messages('unknown').at(-1)).toBe('Apply failed: 1 done, 1 action failed.');
    // The changes that a rate limit left are counted, too.
    const postponed = [{ address: 'things/y', rateLimit }];
    const failedAndLeft = outcomeLines(plan, outcomeWith('refused', { postponed }), 0);
    expect(failedAndLeft.at(-1)!['@message']).toBe('Apply failed: 1 done, 1 left, 1 action failed.');
  });

  it('among the problems that CI systems mark', () => {
    const problems = (result: ActionOutcome['result']) => outcomeDiagnostics(plan, outcomeWith(result), 0);
    expect(problems('done')).toEqual([]);
    expect(problems('refused')).toEqual([
      {
        severity: 'error',
        code: 'then/not-done',
        message: 'refused redeploy things/x: answered 400',
        hint: 'set the target',
        address: 'things/x',
        at: at(3),
      },
    ]);
    expect(problems('owed')).toMatchObject([{ severity: 'warning' }]);
    expect(problems('unknown')).toMatchObject([{ severity: 'error' }]);
  });

  it('in the comment about one stack, which names it', () => {
    const text = appliedMarkdown(plan, { outcome: outcomeWith('refused') }, 20_000);
    expect(text).toContain('Pending actions are in the ledger');
    expect(text).toContain(
      '#### Then (1)\n\n- refused `redeploy things/x`: `answered 400` -> `set the target`',
    );
    expect(appliedMarkdown(plan, { outcome: outcomeWith('done') }, 20_000)).not.toContain('Then');
  });

  it('in the comment about several stacks', () => {
    const heading = (result: ActionOutcome['result']) =>
      applyCommentMarkdown({ parts: [{ id: 'a', plan, outcome: outcomeWith(result) }] })!.split('\n')[2];
    expect(heading('done')).toBe('### trueup apply: 1 of 1 stack fully applied');
    for (const result of ['owed', 'refused', 'unknown'] as const)
      expect(heading(result)).toBe('### trueup apply: 0 of 1 stack fully applied');
  });

  it('so nothing claims that nothing failed if a rate limit also left changes', () => {
    const postponed = [{ address: 'things/x', rateLimit }];
    const texts = (result: ActionOutcome['result']) => {
      const outcome = outcomeWith(result, { done: [], postponed });
      return [
        outcomeText(plan, outcome, { style: plainStyle, now: 0 }),
        appliedMarkdown(plan, { outcome }, 20_000),
      ];
    };
    for (const text of texts('owed')) expect(text).toContain('nothing failed');
    for (const text of texts('refused')) expect(text).not.toContain('nothing failed');
  });
});

it('a plan with changes that was not carried out, for example because the user said no, is not applied', () => {
  const text = applyCommentMarkdown({ plan })!;
  expect(text).toContain('**Not applied.** The run ended before its first change');
  expect(text).not.toContain('matches the configuration');
  expect(applyCommentMarkdown({ plan: planOf() })).toContain('**There was nothing to apply.**');
  const heading = applyCommentMarkdown({
    parts: [{ id: 'a', plan }, { id: 'b', plan: planOf() }, { id: 'c' }],
  });
  expect(heading).toContain('1 of 3 stacks fully applied');
});

it('one change that has no room is counted in the singular', () => {
  const text = appliedMarkdown(plan, { outcome: outcomeWith('nothing') }, 1_520);
  expect(text).toContain('**Truncated: 1 change.**');
});

it('an action whose reason has no room in the comment is named without it', () => {
  const outcome = outcomeWith('refused', {
    actions: [{ id: redeploy.id, result: 'refused', why: 'no '.repeat(10_000) }],
  });
  expect(appliedMarkdown(plan, { outcome }, 20_000)).toContain(
    '#### Then (1)\n\n- refused `redeploy things/x`\n',
  );
});
