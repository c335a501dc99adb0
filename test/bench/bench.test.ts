import { expect, test } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { load } from '../../src/config/load.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { compareCpu } from './compare-samples.ts';
import { formatLine, formatSummary } from './format-line.ts';
import { growthBetween, isAboveLinear, strongestGrowth } from './growth-ratios.ts';
import { companyStack, tenResources } from './stacks.ts';

const timesOf = (...seconds: number[]) =>
  seconds.map((cpuSeconds, i) => ({ resources: 2500 * 2 ** i, cpuSeconds }));

test('growth is 1 if the time grows as the resources do, and 2 if it is quadratic and they double', () => {
  const [small, linear] = timesOf(1, 2);
  expect(growthBetween(small!, linear!).ratio).toBe(1);
  expect(growthBetween(small!, timesOf(1, 4)[1]!).ratio).toBe(2);
});

test('the strongest growth is found whether it is one step or many small ones', () => {
  const step = strongestGrowth(timesOf(1, 1.5, 2, 5));
  expect([step.ratio, step.from.resources, step.to.resources]).toEqual([1.25, 10_000, 20_000]);
  const steadily = strongestGrowth(timesOf(1, 2.2, 4.84, 10.648));
  expect([steadily.ratio, steadily.from.resources, steadily.to.resources]).toEqual([1.331, 2500, 20_000]);
  expect(() => strongestGrowth(timesOf(1))).toThrow('two sizes');
});

test('growth of more than 1.15 times linear is marked', () => {
  expect(isAboveLinear(strongestGrowth(timesOf(1, 2.3)))).toBe(false);
  expect(isAboveLinear(strongestGrowth(timesOf(1, 2.31)))).toBe(true);
});

test('a line shows its figure, its target and what it was made of, with a mark if the target is missed', () => {
  const pairs = {
    ours: [
      { seconds: 9, cpu: 3 },
      { seconds: 9, cpu: 4 },
      { seconds: 9, cpu: 8 },
    ],
    theirs: [
      { seconds: 1, cpu: 1 },
      { seconds: 1, cpu: 2 },
      { seconds: 1, cpu: 2 },
    ],
  };
  const reached = compareCpu('plan, against node -e 0', pairs, { target: 3 });
  const missed = compareCpu('apply, against node -e 0', pairs, { target: 2.5 });
  expect([formatLine(reached), formatLine(missed), formatSummary([reached, missed])].join('\n')).toBe(`\
  plan, against node -e 0: CPU: 3 times (target 3)
    ours: 4 (3 to 8); theirs: 2 (1 to 2); times: 3 (2 to 4)
! apply, against node -e 0: CPU: 3 times (target 2.50, missed)
    ours: 4 (3 to 8); theirs: 2 (1 to 2); times: 3 (2 to 4)
1 of 2 targets reached; missed:
! apply, against node -e 0: CPU`);
});

test.each([
  [companyStack(), 875],
  [tenResources, 10],
])('the accounts have as many objects as they say', async (text, objects) => {
  const { desired } = await load({ kinds: kindsOf(hosting.kinds), cwd: '/', env: {}, text });
  expect(desired.resources.size).toBe(objects);
});
