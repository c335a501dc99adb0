import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findPublicSecrets } from '../../providers/hosting/meaning/environment/env-public-secret.ts';
import { variablesIn } from '../../providers/hosting/meaning/environment/env-variables.ts';
import { describeSecret } from '../../providers/hosting/meaning/environment/secret-values.ts';
import { meaning } from '../../providers/hosting/meaning/index.ts';
import { findInPlan, toViewedChanges } from '../../src/meaning/find.ts';
import { viewsOfPlan } from '../../src/meaning/view.ts';
import { Shell } from '../support/cli.ts';
import { runs } from '../support/sweep.ts';
import { viewOf } from '../support/view-of.ts';
import { kinds, World } from '../support/world.ts';

/** Returns the findings for a project with these variables, written as the YAML of `env:` in JSON. */
async function findFor(env: unknown, more = '') {
  const view = await viewOf(
    `secrets: { stripe: {} }\nprojects: { web: { env: ${JSON.stringify(env)} } }\n${more}`,
  );
  return [...findPublicSecrets(variablesIn(view))];
}

const hex = 'f3a9c1d27b604e58'.repeat(4);
const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF'.repeat(3);
const token = (payload: object) =>
  [{ alg: 'HS256' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('c2lnbmF0dXJl')
    .join('.');
const pem = (name: string) => `-----BEGIN ${name}-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END ${name}-----\n`;

const base64 = (text: string) => Buffer.from(text).toString('base64');

// The parts of a key are joined here, so that scanners of repositories do not take it for a real one.
const harmful: [name: string, value: string][] = [
  ['NEXT_PUBLIC_STRIPE_SECRET_KEY', `sk_${'live'}_51H${letters.slice(0, 24)}`],
  ['VITE_STRIPE', `rk_${'live'}_${letters.slice(0, 24)}`],
  ['REACT_APP_PAYMENT', `sk_${'test'}_${letters.slice(0, 24)}`],
  ['GATSBY_AWS_KEY', ['AKIA', 'IOSFODNN7EXAMPLE'].join('')],
  ['PUBLIC_GITHUB', `ghp_${letters.slice(0, 36)}`],
  ['NUXT_PUBLIC_GITHUB', `github_pat_11ABCDEFG0_${letters.slice(0, 59)}`],
  ['EXPO_PUBLIC_SLACK', ['xoxb', '123456789012', '1234567890123', letters.slice(0, 24)].join('-')],
  ['VUE_APP_OPENAI', `sk-proj-${letters.slice(0, 48)}`],
  ['NG_APP_OPENAI', `sk-${letters.slice(0, 48)}`],
  ['STORYBOOK_ANTHROPIC', `sk-ant-api03-${letters}`],
  ['NEXT_PUBLIC_MAIL', `SG.${letters.slice(0, 22)}.${letters.slice(0, 43)}`],
  ['NEXT_PUBLIC_TWILIO', `SK${hex.slice(0, 32)}`],
  ['NEXT_PUBLIC_NPM', `npm_${letters.slice(0, 36)}`],
  ['NEXT_PUBLIC_PLATFORM', `vcp_${letters.slice(0, 56)}`],
  ['NEXT_PUBLIC_KEY', pem('PRIVATE KEY')],
  ['NEXT_PUBLIC_RSA', pem('RSA PRIVATE KEY')],
  ['NEXT_PUBLIC_SSH', pem('OPENSSH PRIVATE KEY')],
  ['NEXT_PUBLIC_PGP', pem('PGP PRIVATE KEY BLOCK')],
  ['NEXT_PUBLIC_GOOGLE', JSON.stringify({ type: 'service_account', private_key: pem('PRIVATE KEY') })],
  ['NEXT_PUBLIC_JWK', JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'a', y: 'b', d: 'c' })],
  ['NEXT_PUBLIC_SUPABASE', token({ iss: 'supabase', role: 'service_role' })],
  ['NEXT_PUBLIC_SUPABASE_NEW', `sb_secret_${letters.slice(0, 31)}`],
  ['NEXT_PUBLIC_DB', 'postgres://app:pa55word-of-app@db.example.com:5432/app'],
  ['NEXT_PUBLIC_MONGO', 'mongodb+srv://app:s3cret@cluster0.example.net/app'],
  ['NEXT_PUBLIC_REDIS', 'rediss://default:s3cret@cache.example.com:6379'],
  ['NEXT_PUBLIC_MAPBOX', `sk.eyJ1Ijoi${letters.slice(0, 40)}.abcdefghij`],
  [
    'NEXT_PUBLIC_HOOK',
    ['https://hooks.slack.com/services/T00000001', 'B00000001', 'abcdefghijklmnop'].join('/'),
  ],
  ['NEXT_PUBLIC_SHORT', `sk_${'live'}_abc123`],
  ['NEXT_PUBLIC_SHORTEST', `sk_${'live'}_x`],
  ['NEXT_PUBLIC_AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  ['NEXT_PUBLIC_TWILIO_AUTH_TOKEN', hex.slice(0, 32)],
  ['NEXT_PUBLIC_ENCODED_KEY', base64(pem('PRIVATE KEY'))],
  [
    'NEXT_PUBLIC_ENCODED_JSON',
    base64(JSON.stringify({ type: 'service_account', private_key: pem('PRIVATE KEY') }, null, 2)),
  ],
  ['NEXT_PUBLIC_QUOTED', `"sk_${'live'}_${letters.slice(0, 24)}"`],
  [
    'NEXT_PUBLIC_MEMBER',
    JSON.stringify({ theme: 'dark', stripe: [{ key: `sk_${'live'}_${letters.slice(0, 24)}` }] }),
  ],
  ['NEXT_PUBLIC_SPACES', `  ghp_${letters.slice(0, 36)}\n`],
];

test.each(harmful)('%s with a key for servers is found', async (name, value) => {
  const findings = await findFor({ [name]: value });
  expect(findings).toMatchObject([
    { code: 'env/public-secret', severity: 'warning', address: `projects/web/env/${name}@production` },
  ]);
  const text = JSON.stringify(findings);
  expect(text).toContain(`${name} of projects/web`);
  expect(text).not.toContain(value.trim().slice(-12));
});

const healthy: [name: string, value: unknown][] = [
  ['STRIPE_SECRET_KEY', `sk_${'live'}_${letters.slice(0, 24)}`],
  ['NEXT_PUBLIC_STRIPE', `pk_${'live'}_${letters.slice(0, 24)}`],
  ['NEXT_PUBLIC_MAPS', `AIza${letters.slice(0, 35)}`],
  ['VITE_FIREBASE', JSON.stringify({ apiKey: `AIza${letters.slice(0, 35)}`, appId: '1:2:web:3' })],
  ['VITE_SENTRY_DSN', 'https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/2'],
  ['VITE_SENTRY_OLD', 'https://0123456789abcdef:fedcba9876543210@sentry.io/2'],
  ['VITE_MAPBOX', `pk.eyJ1Ijoi${letters.slice(0, 40)}.abcdefghij`],
  ['VITE_ALGOLIA', hex.slice(0, 32)],
  ['NEXT_PUBLIC_SUPABASE_ANON_KEY', token({ iss: 'supabase', role: 'anon' })],
  ['NEXT_PUBLIC_SUPABASE_KEY', `sb_publishable_${letters.slice(0, 31)}`],
  ['NEXT_PUBLIC_POSTHOG', `phc_${letters.slice(0, 43)}`],
  ['NEXT_PUBLIC_RAZORPAY', `rzp_live_${letters.slice(0, 14)}`],
  ['NEXT_PUBLIC_PGP', pem('PGP PUBLIC KEY BLOCK')],
  ['PUBLIC_KEY', pem('PUBLIC KEY')],
  ['NEXT_PUBLIC_CERT', pem('CERTIFICATE')],
  ['NEXT_PUBLIC_JWK', JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'a', y: 'b' })],
  ['NEXT_PUBLIC_CONTRACT', `0x${hex.slice(0, 40)}`],
  ['NEXT_PUBLIC_TWILIO_ACCOUNT', `AC${hex.slice(0, 32)}`],
  ['NEXT_PUBLIC_COMMIT', hex.slice(0, 40)],
  [
    'NEXT_PUBLIC_MEMBERS',
    JSON.stringify({ stripe: `pk_${'live'}_${letters.slice(0, 24)}`, secret: { name: 'sk_live_' } }),
  ],
  ['NEXT_PUBLIC_QUOTES', '"sk_live_" or "pk_live_"'],
  ['NEXT_PUBLIC_STRIPE_TODO', 'sk_live_xxxxxxxxxxxxxxxxxxxxxxxx'],
  ['NEXT_PUBLIC_TOKEN', 'ghp_your-token-goes-here-once-we-have-one'],
  ['NEXT_PUBLIC_TOPIC', 'sk-learn-and-other-words-about-machine-learning'],
  ['NEXT_PUBLIC_PACKAGE', 'npm_config_registry'],
  ['NEXT_PUBLIC_LOCAL_DB', 'postgres://postgres:postgres@localhost:5432/app'],
  ['NEXT_PUBLIC_DB_HOST', 'postgres://db.example.com/app'],
  ['NEXT_PUBLIC_DB_USER', 'postgres://app@db.example.com/app'],
  ['NEXT_PUBLIC_TEXT', 'xai-is-short-for-explainable-artificial-intelligence'],
  ['NEXT_PUBLIC_AREA', 'ASIAPACIFICSOUTHEAST'],
  ['NEXT_PUBLIC_TAPE', 'vcr_recordings_enabled_in_tests'],
  ['NEXT_PUBLIC_GATE', 'phx_terminal_4_gate_information'],
  [
    'NEXT_PUBLIC_ENCODED',
    base64(JSON.stringify({ theme: 'dark', colours: ['red', 'green', 'blue'], more: hex })),
  ],
  ['NEXT_PUBLIC_ENCODED_CERT', base64(pem('CERTIFICATE'))],
  ['NEXT_PUBLIC_HASH', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  ['next_public_stripe', `sk_${'live'}_${letters.slice(0, 24)}`],
  ['NEXT_PUBLIC_', `sk_${'live'}_${letters.slice(0, 24)}`],
  ['MY_NEXT_PUBLIC_KEY', `sk_${'live'}_${letters.slice(0, 24)}`],
  ['NEXT_PUBLIC_EMPTY', ''],
  ['NEXT_PUBLIC_JSON', '{ not json'],
  ['NEXT_PUBLIC_HELD_ELSEWHERE', '${secret.stripe}'],
  ['NEXT_PUBLIC_KEPT', {}],
  ['NEXT_PUBLIC_LOCAL', { value: `sk_${'live'}_${letters.slice(0, 24)}`, target: ['development'] }],
];

test.each(healthy)('%s is left alone', async (name, value) => {
  expect(await findFor({ [name]: value })).toEqual([]);
});

test('one finding names a variable with several harmful places, and the first of them', async () => {
  const findings = await findFor({
    NEXT_PUBLIC_KEY: [
      { value: 'harmless', target: ['preview'] },
      { value: `ghp_${letters.slice(0, 36)}`, target: ['production'] },
      { value: `ghp_${letters.slice(1, 37)}`, target: ['preview'], gitBranch: 'main' },
    ],
  });
  expect(findings.map(({ address }) => address)).toEqual(['projects/web/env/NEXT_PUBLIC_KEY@production']);
});

test('a shared variable is found too', async () => {
  const key = JSON.stringify({ NEXT_PUBLIC_KEY: `ghp_${letters.slice(0, 36)}` });
  expect(await findFor({}, `sharedEnv: ${key}`)).toMatchObject([
    { address: 'sharedEnv/NEXT_PUBLIC_KEY@production', message: expect.stringContaining('shared variable') },
  ]);
});

/** Any URL. `fc.webUrl` would be simpler, but begins with a table of all characters, which takes longer than the rest of this file. */
const anyUrl = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    fc.array(fc.array(fc.constantFrom(..."abcxyzABCXYZ0189-._~!$&'()*+,;=:@?#", '%20', '%C3%A9'))),
  )
  .map(([scheme, domain, path]) =>
    [`${scheme}://${domain}`, ...path.map((segment) => segment.join(''))].join('/'),
  );

test('texts that are no keys are not taken for one', () => {
  const text = fc.oneof(fc.string(), anyUrl, fc.uuid(), fc.base64String(), fc.json(), fc.emailAddress());
  fc.assert(
    fc.property(text, (value) => describeSecret(value) === undefined),
    { numRuns: runs(20_000) },
  );
});

test('a variable is found if and only if one of its deployed places has a key in clear', async () => {
  const key = `ghp_${letters.slice(0, 36)}`;
  const targets = ['production', 'preview', 'development'];
  const place = fc.record({
    isKey: fc.boolean(),
    type: fc.constantFrom('encrypted', 'plain'),
    targets: fc.subarray(targets, { minLength: 1 }),
  });
  const variable = fc.record({
    prefix: fc.constantFrom('NEXT_PUBLIC_', 'VITE_', 'PUBLIC_', 'SERVER_', 'next_public_', ''),
    places: fc.array(place, { minLength: 1, maxLength: 3 }),
  });
  const check = async (variables: (typeof variable extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const env = new Map<string, unknown>();
    const expected: string[] = [];
    variables.forEach(({ prefix, places }, index) => {
      const name = `${prefix}A${index}`;
      const free = new Set(targets);
      const entries = places.flatMap(({ isKey, type, targets: wanted }) => {
        const own = wanted.filter((target) => free.delete(target));
        return own.length === 0 ? [] : [{ value: isKey ? key : 'harmless', type, target: own }];
      });
      env.set(name, entries);
      const isPublic = ['NEXT_PUBLIC_', 'VITE_', 'PUBLIC_'].includes(prefix);
      if (isPublic && entries.some(({ value, target }) => value === key && String(target) !== 'development'))
        expected.push(name);
    });
    const findings = await findFor(Object.fromEntries(env));
    expect(findings.map(({ address }) => /env\/(.*)@/.exec(address)?.[1]).sort()).toEqual(expected.sort());
  };
  await fc.assert(fc.asyncProperty(fc.array(variable, { maxLength: 5 }), check), { numRuns: runs(2_000) });
});

test('a key that is there already is not new, and its line is not quoted', async () => {
  const world = await World.start();
  const key = `ghp_${letters.slice(0, 36)}`;
  const yaml = (level: string, comment: string) => `projects:
  web:
    env:
      LEVEL: ${level}
      NEXT_PUBLIC_KEY: { value: ${key}, comment: ${comment} }
`;
  await world.converge(yaml('info', 'first'));
  const { plan, live, input } = await world.plan(yaml('warn', 'second'));
  const views = viewsOfPlan(live, plan.changes, { desired: input.desired, kinds });
  const { shown } = await findInPlan(meaning, views, {
    changes: toViewedChanges(plan.changes),
    desired: input.desired,
  });
  expect(shown.map(({ code, finding }) => [code, finding?.state])).toEqual([
    ['env/public-secret', 'unchanged'],
  ]);
  expect(shown[0]!.at).toMatchObject({ line: expect.any(Number) });
  expect(JSON.stringify(shown)).not.toContain(key);
  await world.stop();
});

test.each([
  ['a long line', (key: string) => `projects:\n  web:\n    env:\n      NEXT_PUBLIC_KEY: ${key}\n`],
  [
    'a line with other values in front',
    (key: string) =>
      `projects:\n  web:\n    env: { FIRST: ${'x'.repeat(90)}, NEXT_PUBLIC_KEY: { value: ${key}, target: [production] } }\n`,
  ],
])('a guard that refuses a variable quotes no part of a key in %s, which is cut', async (_, write) => {
  const key = `sk_${'live'}_${letters.repeat(3)}`;
  const shell = await new Shell().write({
    'trueup.yaml': `stack: shop\nplatform: { team: acme }\n${write(key)}`,
    'guards.yaml': 'deny: [{ action: create, at: projects/web/env/NEXT_PUBLIC_KEY@*, message: Ask. }]',
  });
  for (const format of ['text', 'json', 'html', 'markdown', 'sarif']) {
    const { all } = await shell.run(['plan', '--twin', '--guards', 'guards.yaml', '--format', format]);
    expect(all).toContain('the guards refuse');
    expect([format, all.includes(key.slice(0, 20))]).toEqual([format, false]);
  }
});
