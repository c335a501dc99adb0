import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { planHtml } from '../../../src/report/html/page.ts';
import { stacksHtml } from '../../../src/report/html/stacks-page.ts';
import { oneRowIn } from '../../support/sweep.ts';
import { change, operation, planOf, secret } from '../builders.ts';
import { realistic } from '../realistic.ts';
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

oneRowIn(5)(plans)('%s', async (name, plan) => {
  const page = planHtml(plan);
  expect(planHtml(plan)).toBe(page);
  await expect(`${own(page)}\n`).toMatchFileSnapshot(
    `../golden/html/${name.replaceAll(/\W+/g, '-')}.html.txt`,
  );
});

it('counts the unverified secrets that are sent, also those of adopted objects', () => {
  const changes = (['update', 'adopt'] as const).map((action) =>
    change(action, `things/${action}`, {
      fields: [{ path: 'value', after: secret('token'), cause: 'unverified', secret: true }],
    }),
  );
  const operations = [operation(['things/update', 'things/adopt'], [{ endpoint: 'PATCH /v1/things' }])];
  expect(planHtml(planOf({ changes, operations }))).toContain(
    '2 secrets cannot be compared and will be sent again.',
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

oneRowIn(5)(plans)(
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

it('tells commit, run and time, and links only addresses of the web', () => {
  const page = planHtml(planOf(), undefined, {
    commit: { id: '0123456789abcdef0123456789abcdef01234567', url: 'https://git.test/acme/web/commit/0123' },
    run: { name: 'CI 42 <b>', url: 'javascript:alert(1)' },
    time: Date.UTC(2026, 10, 24, 7, 5),
  });
  const facts = /<dl class="facts">.*?<\/dl>/s.exec(page)![0];
  expect(facts).toContain(
    '<a href="https://git.test/acme/web/commit/0123" rel="noreferrer"><code>01234567</code></a>',
  );
  expect(facts).toContain('<dd>CI 42 &#60;b&#62;</dd>');
  expect(facts).toContain('<time datetime="2026-11-24T07:05:00.000Z">2026-11-24 07:05 UTC</time>');
  expect(planHtml(planOf())).not.toContain('<dl class="facts">');
});

it('puts danger before warnings, and those before what is usual', async () => {
  const plan = {
    ...realistic,
    diagnostics: (['warning', 'error'] as const).map((severity) => ({
      severity,
      code: 'a/b',
      message: severity,
    })),
  };
  const ids = [...planHtml(plan).matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toEqual([
    'errors',
    'irreversible',
    'destructive',
    'exclusive',
    'conflict',
    'disruptive',
    'warnings',
    'changes',
    'recorded',
    'unchanged',
  ]);
});

it('gives each plan of several ids of its own, and its links lead to them', () => {
  const page = stacksHtml(['a', 'b'].map((id) => ({ id, path: id, needs: [], plan: realistic })));
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id!);
  expect(new Set(ids).size).toBe(ids.length);
  expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  expect(links).toContain('stack1-irreversible');
});
