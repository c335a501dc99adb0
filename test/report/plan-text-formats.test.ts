import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { problem } from '../../src/model/diagnostic.ts';
import { diagnosticsText } from '../../src/report/diagnostics-text.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { cleanLine, displayWidth } from '../../src/report/text.ts';
import { oneRowIn } from '../support/sweep.ts';
import { change, planOf } from './builders.ts';
import { realistic } from './realistic.ts';
import { shortened } from './shortened.ts';
import { canary, tenPlans } from './ten-plans.ts';

const plans = await tenPlans();
const pace = await hosting.pace();

oneRowIn(3)([
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

oneRowIn(3)([40, 60, 80])('nothing is wider than %i columns but what has no place to break', (width) => {
  const style = styleFor({ color: false, width });
  for (const [name, plan] of Object.entries({ ...plans, realistic })) {
    const text = [
      planText({ ...plan, complete: false }, { style, requests: false, pace }),
      diagnosticsText(plan.diagnostics, { style }),
    ].join('\n');
    // An address, or the name of a field.
    const isWhole = (line: string) =>
      plan.changes.some(({ address }) => line.includes(cleanLine(address))) ||
      !/\S \S/.test(line.replace(/^ *[-+~=>./#]* +/, ''));
    const wide = text.split('\n').filter((line) => displayWidth(line) > width && !isWhole(line));
    expect(wide, name).toEqual([]);
  }
});

it('a long hint and a long heading are broken at words, and no line begins with a command of a CI system', () => {
  const style = styleFor({ color: false, width: 40 });
  const hint =
    'take over the live value in the YAML, or overwrite it with --overwrite-conflicts ::add-mask::x';
  const text = diagnosticsText([problem('x', `the value ${'of it '.repeat(8)}is wrong`, { hint })], {
    style,
  });
  expect(text).toMatchInlineSnapshot(`
    "Error: the value of it of it of it of it
      of it of it of it of it is wrong [x]
      -> take over the live value in the
         YAML, or overwrite it with
         --overwrite-conflicts ::add-mask::x

    1 error"
  `);
  const log = styleFor({ color: false, width: 100, isLog: true });
  expect(diagnosticsText([problem('x', 'wrong', { hint })], { style: log })).toContain(`  -> ${hint}\n`);
  const exclusive = change('delete', 'a', { exclusive: true, grade: 'destructive' });
  expect(planText(planOf({ changes: [exclusive] }), { style, requests: false })).toContain(
    '--- Not in the configuration, deleted\nbecause of $exclusive (1) --------------\n',
  );
});

it('without Unicode there is only ASCII, and no line is wider for it', () => {
  const style = styleFor({ color: false, width: 80, unicode: false });
  const text = planText(realistic, { style, requests: false });
  expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).toContain('replace webhooks/deploys');
});

it('what is not ASCII is in the fonts of a Windows console', () => {
  const text = planText(realistic, { style: styleFor({ color: false, width: 80 }), requests: true });
  expect([...new Set(text.replace(/[\x20-\x7e\n]/g, ''))].sort()).toEqual(['…', '→']);
});
