import { expect, it, onTestFinished } from 'vitest';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import { send } from './client.ts';

it('stores filters as answers spell them, and nothing else that is called `filter`', async () => {
  const twin = await startTwin({ seed: { projects: [{ name: 'web' }] } });
  onTestFinished(() => twin.close());
  const metric = { metric: 'vercel.request.count', aggregation: 'count', filter: 'httpStatus >= 500' };
  const query = { metrics: { filter: metric }, formulas: { filter: 'filter > 5' }, outputs: ['filter'] };
  const { status, body } = await send(twin, 'POST', '/alerts/v3/alert-rules', {
    ...{ type: 'custom', name: 'Errors', severity: 'low' },
    ruleScope: { type: 'project', projectId: twin.account.projects[0]!.id },
    evaluation: { window: '5m', query },
    trigger: { type: 'threshold', output: 'filter', operator: 'gt', threshold: 20 },
  });
  expect(status).toBe(200);
  expect(body.rule.evaluation.query).toEqual({
    ...query,
    metrics: { filter: { ...metric, filter: 'httpStatus:>=500' } },
  });
});
