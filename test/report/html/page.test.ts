import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { planHtml } from '../../../src/report/html/page.ts';
import { planOf } from '../builders.ts';
import { tenPlans } from '../ten-plans.ts';

const plans = Object.entries(await tenPlans());
const part = (page: string, name: string) => new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(page)![1]!;
const [head, tail] = [60, 25];

/** The page without what is the same in all pages; of a long one only how it begins and ends. */
function own(page: string): string {
  const lines = page
    .replace(/<(style|script)>.*?<\/\1>/gs, '<$1></$1>')
    .replace(/sha256-[^&]+/g, 'sha256')
    .split('\n');
  const more = lines.length - head - tail;
  return more < 2000
    ? lines.join('\n')
    : [...lines.slice(0, head), `(${more} more lines)`, ...lines.slice(-tail)].join('\n');
}

it.each(plans)('%s', async (name, plan) => {
  const page = planHtml(plan);
  expect(planHtml(plan)).toBe(page);
  await expect(`${own(page)}\n`).toMatchFileSnapshot(
    `../golden/html/${name.replaceAll(/\W+/g, '-')}.html.txt`,
  );
});

it('allows its own style and script, and nothing else', () => {
  const page = planHtml(planOf());
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)!;
  expect(policy!.replaceAll('&#39;', "'").split('; ')).toEqual([
    "default-src 'none'",
    `style-src ${hash(part(page, 'style'))}`,
    `script-src ${hash(part(page, 'script'))}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  for (const name of ['style', 'script']) expect(part(page, name).length, name).toBeGreaterThan(1000);
});

it.each(plans)(
  '%s: only its own script and style, no handler, no style attribute, no other file',
  (_, plan) => {
    const page = planHtml(plan);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page.match(/<style/g)).toHaveLength(1);
    const tags = page.match(/<\w[^>]*>/g)!.join('\n');
    expect(tags).not.toMatch(/\s(on\w+|style|src|action|srcset|background)=/);
    expect(tags).not.toMatch(/href="(?!#)/);
  },
);
