import { expect, test } from 'vitest';
import { planText } from '../../src/report/plan-text.ts';
import { World } from '../support/world.ts';
import { plainStyle } from './builders.ts';

test('an object without a name of its own is deleted under the label that it has here', async () => {
  const world = await World.start();
  try {
    const webhook =
      '{ url: "https://hooks.example.com/a", events: [deployment.created], $secretTo: discard }';
    await world.converge(`webhooks: { deploys: ${webhook} }`);
    const { plan } = await world.plan('webhooks: {}');
    const text = planText(plan, { style: plainStyle, requests: false });
    expect(text).toMatch(/- +webhooks\/deploys/);
    // The address says it; another one would be told.
    expect(text).not.toContain('label:');
  } finally {
    await world.stop();
  }
});
