import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { realistic } from './realistic.ts';
import { shortened } from './shortened.ts';
import { canary, tenPlans } from './ten-plans.ts';

const plans = await tenPlans();
const { pace } = hosting;

it.each([
  ['80', { width: 80 }],
  ['120', { width: 120 }],
  ['no-unicode', { width: 80, unicode: false }],
])('the ten plans for a terminal: %s', async (name, look) => {
  const style = styleFor({ color: false, ...look });
  const texts = Object.entries(plans).map(
    ([name, plan]) => `### ${name}\n${shortened(planText(plan, { style, requests: false, pace }))}\n`,
  );
  expect(texts.join('\n')).not.toContain(canary);
  await expect(texts.join('\n')).toMatchFileSnapshot(`golden/terminal-${name}.txt`);
});

it('without Unicode there is only ASCII, and no line is wider for it', () => {
  const style = styleFor({ color: false, width: 80, unicode: false });
  const text = planText(realistic, { style, requests: false });
  expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([expect.stringMatching(/^Plan: /)]);
  expect(text).toContain('replace webhooks/deploys');
});

it('what is not ASCII is in the fonts of a Windows console', () => {
  const text = planText(realistic, { style: styleFor({ color: false, width: 80 }), requests: true });
  expect([...new Set(text.replace(/[\x20-\x7e\n]/g, ''))].sort()).toEqual(['…', '→']);
});
