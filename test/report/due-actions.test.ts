import { describe, expect, it } from 'vitest';
import type { PlannedAction } from '../../src/model/planned-action.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { change, operation, plainStyle, planOf } from './builders.ts';

const action = (more: Partial<PlannedAction>): PlannedAction => ({
  id: 'redeploy things/x',
  action: 'redeploy',
  about: 'things/x',
  input: {},
  grade: 'safe',
  after: [],
  from: ['things/x'],
  state: 'due',
  request: { endpoint: 'POST /v1/deployments' },
  ...more,
});

describe('all reports count the requests of actions that an apply sends', () => {
  const actions = [action({}), action({ id: 'later', state: 'busy', why: 'something runs' })];
  const onlyActions = planOf({ actions });
  const withChange = planOf({
    actions,
    changes: [change('update', 'things/x')],
    operations: [operation(['things/x'], [{ endpoint: 'PATCH /v1/x' }])],
  });

  it('in text and JSON', () => {
    expect(planText(onlyActions, { style: plainStyle, requests: false })).toContain('1 request.');
    expect(planText(withChange, { style: plainStyle, requests: false })).toContain('2 requests.');
    expect(planJson(withChange).forecast.requests).toBe(2);
  });

  it('in the comment', () => {
    expect(planMarkdown(onlyActions)).toContain('1 request: 1 POST.');
    expect(planMarkdown(withChange)).toContain('2 requests: 1 PATCH, 1 POST.');
    expect(planMarkdown(planOf({ changes: [change('adopt', 'things/x')] }))).toContain('Nothing is sent');
  });

  it('on the page', () => {
    expect(planHtml(onlyActions)).toContain('1 action not sent now, 1 request.');
    expect(planHtml(withChange)).toContain('2 requests (1 PATCH and 1 POST).');
  });

  it('also if the request is not known yet', () => {
    const unknown = planOf({ actions: [action({ request: undefined })] });
    expect(planMarkdown(unknown)).toContain('1 request.');
    expect(planHtml(unknown)).toContain('1 request.');
  });
});
