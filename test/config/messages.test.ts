import { expect, test } from 'vitest';
import { z } from 'zod';
import { kinds as hosting } from '../../providers/hosting/kinds/index.ts';
import { load } from '../../src/config/load.ts';
import { defineKind, kindsOf } from '../../src/kind/define-kind.ts';
import { secret } from '../../src/kind/index.ts';
import type { Kinds } from '../../src/kind/kind.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

async function found(body: string, kinds: Kinds = kindsOf(hosting)) {
  const text = `stack: test\nplatform: { team: acme }\n${body}`;
  const { diagnostics } = await load({ kinds, cwd: '.', env: {}, text });
  return diagnostics;
}

/** The words of each problem, and the line that is quoted with the first. */
async function said(body: string, kinds?: Kinds) {
  const diagnostics = await found(body, kinds);
  return {
    says: diagnostics.map(({ message, hint }) => [message, ...(hint ? [hint] : [])].join(' -> ')),
    quotes: diagnostics[0]?.at?.text,
  };
}

const vault = kindsOf([
  defineKind({
    name: 'vault',
    doc: 'Secrets with rules of their own.',
    section: 'vaults',
    key: ['name'],
    fields: () => ({
      name: z.string(),
      plain: secret(z.string().regex(/^[a-z]{8}$/, 'a pin has 8 small letters')).optional(),
      short: secret(z.string().min(12, 'at least 12 characters')).optional(),
      telling: secret(
        z.string().refine((text) => text.length > 90, { error: ({ input }) => `${input} is too short` }),
      ).optional(),
      hinting: secret(
        z.string().refine((text) => text.length > 90, {
          error: ({ input }) => (String(input).includes('a') ? 'an a is too much' : 'no'),
        }),
      ).optional(),
      inside: z.strictObject({ key: secret(z.string().regex(/^\d+$/, 'only digits')) }).optional(),
      each: secret(z.array(z.string().regex(/^\d+$/, 'only digits'))).optional(),
    }),
    read: { endpoint: 'GET /things', items: '' },
  }),
]);

test('a rule for a secret is told where the words are the same for any text; others are not', async () => {
  const about = async (fields: string) => {
    const { says, quotes } = await said(`vaults: { a: { ${fields} } }`, vault);
    expect(says.join() + quotes).not.toContain('Canary');
    return says;
  };
  expect(await about('plain: Canary1')).toEqual(['a pin has 8 small letters']);
  expect(await about('short: Canary2')).toEqual(['at least 12 characters']);
  expect(await about('inside: { key: Canary3 }')).toEqual(['only digits']);
  expect(await about('each: ["1", Canary4]')).toEqual(['only digits']);
  const hidden = ['this secret value is not valid here'];
  expect(await about('telling: Canary5')).toEqual(hidden);
  expect(await about('hinting: Canary6')).toEqual(hidden);
});

test('what cannot stand somewhere is told together with what can', async () => {
  const hint = 'a map with one entry per name: `name: { version: ... }`';
  expect((await said('drains: { a: { schemas: [log] } }')).says).toEqual([
    `a list is not allowed here -> ${hint}`,
  ]);
  expect((await said('drains: { a: { schemas: log } }')).says).toEqual([`this must be a map -> ${hint}`]);
  const { says } = await said('projects: { web: { resourceConfig: big } }');
  expect(says[0]).toMatch(/^this must be a map -> a map with the keys: `fluid`, /);
});

test('an entry that lacks its key is one problem, and only its secrets are masked', async () => {
  expect(await said('projects: { web: { protectionBypass: { secret: canary, note: hello } } }')).toEqual({
    says: [
      '`protectionBypass` needs one entry per `label`; these are the fields of a single one -> write `protectionBypass: { LABEL: { secret: ... } }`',
    ],
    quotes: 'projects: { web: { protectionBypass: { secret: (secret), note: hello } } }',
  });
  expect((await said('projects: { framework: nextjs }')).quotes).toBe('projects: { framework: nextjs }');
  // Where a scalar is an entry, any name is one.
  expect(await found('projects: { web: { env: { value: x, comment: y } } }')).toEqual([]);
});

test('data where the field for it should be named', async () => {
  const { says } = await said('globalConfigs: { shop: { items: { limits: { perUser: 5 }, tags: [a] } } }');
  expect(says).toContain(
    'unknown key `perUser` in an entry of `items` -> if this is data, put it in the field: `value: { … }`',
  );
  expect(says).toContain(
    'an entry of `items` must be a map, not a list -> if this is data, put it in the field: `value: [ … ]`',
  );
  const other = await said('projects: { web: { env: { A: { foo: x } } } }');
  expect(other.says.join()).not.toContain('data');
});

test('known values are told in whole sentences, and how many there are', async () => {
  const [few] = (await said('projects: { web: { nodeVersion: "17" } }')).says;
  expect(few).toMatch(/known values: `[^`]+`(, `[^`]+`)*\. It is sent anyway/);
  const [many] = (await said('webhooks: { a: { url: "https://x.org", events: [nope] } }')).says;
  expect(many).toMatch(/, and \d+ more\. It is sent anyway/);
  const [near] = (await said('projects: { web: { framework: nextsj } }')).says;
  expect(near).toContain('did you mean `nextjs`? It is sent');
});

test('the keys under an unknown one are quoted, their values are not', async () => {
  const { quotes } = await said('projects: { web: { resourceConfig: { foo: { bar: canary } } } }');
  expect(quotes).toBe('projects: { web: { resourceConfig: { foo: { bar: (secret) } } } }');
  const steps = await said(
    'projects: { web: { firewall: { rules: [{ name: a, whatever: { note: canary, deep: [canary] } }] } } }',
  );
  expect(steps.quotes).toContain('whatever: { note: (secret), deep: [(secret)] }');
});

test('a value that is nearly an allowed one is named with the one that was meant', async () => {
  const variable = (target: string) =>
    said(`projects: { web: { env: { A: { value: x, target: [${target}] } } } }`).then(({ says }) => says);
  const all = 'allowed values: `production`, `preview`, `development`';
  expect(await variable('prod')).toEqual([
    `\`prod\` is not allowed here; did you mean \`production\`? -> ${all}`,
  ]);
  expect(await variable('prevew')).toEqual([
    `\`prevew\` is not allowed here; did you mean \`preview\`? -> ${all}`,
  ]);
  // Whatever else stands there may be a secret at the wrong place.
  expect(await variable('hunter2-canary')).toEqual([`this value is not allowed here -> ${all}`]);
});

test('a truth value is told as it is to be written', async () => {
  const flag = (value: string) => said(`projects: { web: { previewDeploymentsDisabled: ${value} } }`);
  expect((await flag("'yes'")).says).toEqual(['this must be true or false -> write `true`, without quotes']);
  expect((await flag('canary')).says).toEqual([
    'this must be true or false -> write `true` or `false`, without quotes',
  ]);
});

story('a long chain of templates is not called a cycle', async () => {
  const chain = Array.from({ length: 60 }, (_, i) => `  t${i}: { $use: t${i + 1} }`).join('\n');
  const { says } = await said(`templates:\n${chain}\n  t60: {}\nprojects: { web: { $use: t0 } }`);
  expect(says).toEqual([
    expect.stringContaining('more than 50 templates use each other in a row, beginning with t0 → t1 → t2'),
  ]);
});
