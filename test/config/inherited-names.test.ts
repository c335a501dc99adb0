import { expect, it } from 'vitest';
import { load } from '../../src/config/load.ts';
import { type Block, overlaid, placed, samples, withLeaf } from '../support/samples.ts';
import { sampled } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';

/** Names that every object of JavaScript has: a table that is asked for one of them without care answers. */
const inherited = ['constructor', 'toString', '__proto__', 'valueOf'];

/** A value with this text in place of each of its texts. */
function withText(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((item) => withText(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withText(inner, text)]));
}

const cases = Object.entries(samples).flatMap(([name, sample]) =>
  Object.entries(sample.leaves).flatMap(([path, [one, , beside]]) =>
    JSON.stringify(one).includes('"')
      ? inherited.map((word) => ({ name, sample, path, word, one, beside }))
      : [],
  ),
);

it('no field takes a text that JavaScript has as a name for one of its own', async () => {
  for (const { name, sample, path, word, one, beside } of sampled(cases, 50)) {
    const block = withLeaf(overlaid(sample.base, beside), path, withText(one, word)) as Block;
    const text = JSON.stringify({ stack: 'a', platform: { team: 'acme' }, ...placed(sample, 'a', block) });
    const loaded = load({ kinds, cwd: '.', env: {}, text });
    await expect(loaded, `${name} ${path} ${word}`).resolves.toBeDefined();
  }
  expect(cases.length).toBeGreaterThan(1000);
});

// No configuration may have the key `__proto__`.
const possibleKeys = inherited.filter((word) => word !== '__proto__');

it.each(possibleKeys)('$drop removes a key with the name %s', async (word) => {
  const layer = `{ ${word}: a, framework: nextjs, gitRepository: { type: github, repo: a/b, ${word}: a } }`;
  const text = `stack: a
platform: { team: acme }
templates: { t: ${layer} }
projects: { web: { $use: t, $drop: [${word}, gitRepository/${word}] } }
`;
  const { desired, diagnostics } = await load({ kinds, cwd: '.', env: {}, text });
  expect(diagnostics).toEqual([]);
  expect(desired.resources.get('projects/web')?.fields).toMatchObject({ framework: 'nextjs' });
});
