import { expect, test } from 'vitest';
import { findPublicSecrets } from '../../providers/hosting/meaning/environment/env-public-secret.ts';
import { variablesIn } from '../../providers/hosting/meaning/environment/env-variables.ts';
import { viewsOfPlan } from '../../src/meaning/view.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { viewOf } from '../support/view-of.ts';
import { kinds, World } from '../support/world.ts';

/** Returns the findings for a configuration with the secrets `stripe`, `other` and `stripe_secret_key`. */
async function findFor(env: unknown, more = '') {
  const view = await viewOf(
    `secrets: { stripe: {}, other: {}, stripe_secret_key: {} }\nprojects: { web: { env: ${JSON.stringify(env)} }, api: {} }\n${more}`,
  );
  return [...findPublicSecrets(variablesIn(view))];
}

const stripe = '${secret.stripe}';
const sensitive = { value: stripe, type: 'sensitive', target: ['production'] };

test.each<[what: string, env: unknown, code: string, severity: string]>([
  [
    'the secret of a variable named like a secret',
    { STRIPE_SECRET_KEY: stripe, NEXT_PUBLIC_STRIPE: stripe },
    'env/public-source',
    'warning',
  ],
  [
    'the secret of a sensitive variable',
    { STRIPE: sensitive, NEXT_PUBLIC_STRIPE: stripe },
    'env/public-source',
    'note',
  ],
  [
    'the secret of a variable that counts as a secret',
    { STRIPE: { value: stripe, visibility: 'secret' }, NEXT_PUBLIC_STRIPE: stripe },
    'env/public-source',
    'note',
  ],
  [
    'a part of another value',
    { DATABASE_URL: 'postgres://app:${secret.stripe}@db.example.com/app', VITE_DB: stripe },
    'env/public-source',
    'note',
  ],
  ['a secret named like one', { VITE_STRIPE: '${secret.stripe_secret_key}' }, 'env/public-name', 'note'],
  ['a name like that of a secret', { VITE_STRIPE_SECRET_KEY: stripe }, 'env/public-name', 'note'],
  ['a name over a text', { VITE_SESSION_SECRET: 'correct-horse-battery' }, 'env/public-name', 'note'],
  ['a name without a value', { VITE_DB_PASSWORD: {} }, 'env/public-name', 'note'],
])('%s is found', async (_, env, code, severity) => {
  expect(await findFor(env)).toMatchObject([{ code, severity }]);
});

test('a shared source names both variables', async () => {
  const env = JSON.stringify({ STRIPE_SECRET_KEY: stripe });
  expect(await findFor({ NEXT_PUBLIC_STRIPE: stripe }, `sharedEnv: ${env}`)).toEqual([
    {
      code: 'env/public-source',
      severity: 'warning',
      message:
        'NEXT_PUBLIC_STRIPE of projects/web takes the same secret (stripe) as the shared variable STRIPE_SECRET_KEY, whose name says that it is secret; frameworks put variables with the prefix NEXT_PUBLIC_ into code for browsers, where everybody can read it',
      hint: 'remove NEXT_PUBLIC_STRIPE and read the other variable on the server; if the value is meant for browsers, it need not be secret',
      address: 'projects/web/env/NEXT_PUBLIC_STRIPE@production',
      path: 'value',
      related: [
        {
          message: 'takes the same secret',
          address: 'sharedEnv/STRIPE_SECRET_KEY@production',
          path: 'value',
        },
      ],
    },
  ]);
});

test.each<[what: string, env: unknown]>([
  ['a public key kept as a secret', { NEXT_PUBLIC_STRIPE: stripe }],
  ['the same source without a sign of secrecy', { SENTRY_DSN: stripe, NEXT_PUBLIC_SENTRY_DSN: stripe }],
  ['another source', { STRIPE_SECRET_KEY: stripe, NEXT_PUBLIC_STRIPE: '${secret.other}' }],
  ['two public variables', { VITE_STRIPE: stripe, NEXT_PUBLIC_STRIPE: stripe }],
  ['a private variable', { STRIPE_SECRET_KEY: stripe }],
  ['the address of a public database', { FIREBASE_DATABASE_URL: stripe, VITE_FIREBASE_DATABASE_URL: stripe }],
  ['a public key of Supabase', { VITE_SUPABASE_ANON_SECRET: stripe }],
  ['a switch', { VITE_SHOW_PASSWORD: 'true' }],
  ['a path', { VITE_FORGOT_PASSWORD: '/forgot-password' }],
  ['a word of a name in its middle', { VITE_SECRET_SANTA_DATE: '2026-12-06-and-later' }],
  ['development', { VITE_DB_PASSWORD: { value: 'correct-horse', target: ['development'] } }],
  [
    'a secret variable, which has a warning of its own',
    { NEXT_PUBLIC_STRIPE: sensitive, STRIPE_SECRET_KEY: stripe },
  ],
])('%s is left alone', async (_, env) => {
  expect(await findFor(env)).toEqual([]);
});

test('a key in clear is the only finding of its variable', async () => {
  const key = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF'.repeat(2).slice(0, 36)}`;
  expect(await findFor({ VITE_GITHUB_SECRET: key })).toMatchObject([{ code: 'env/public-secret' }]);
});

test('the strongest evidence counts, and among equal ones that of the same project', async () => {
  const secretKey = (name: string) => `${name}: { env: { STRIPE_SECRET_KEY: "${stripe}" } }`;
  const view = await viewOf(`secrets: { stripe: {} }
projects:
  ${secretKey('api')}
  web: { env: { STRIPE: ${JSON.stringify(sensitive)}, VITE_STRIPE: "${stripe}" } }
  ${secretKey('zoo').replace('env: {', `env: { VITE_STRIPE: "${stripe}",`)}
`);
  const found = [...findPublicSecrets(variablesIn(view))].map(({ severity, address, related }) => [
    severity,
    address,
    related![0]!.address,
  ]);
  expect(found).toEqual([
    ['warning', 'projects/web/env/VITE_STRIPE@production', 'projects/api/env/STRIPE_SECRET_KEY@production'],
    ['warning', 'projects/zoo/env/VITE_STRIPE@production', 'projects/zoo/env/STRIPE_SECRET_KEY@production'],
  ]);
});

test.each([
  ['the whole secret', '${secret.stripe}', 'warning'],
  ['a part of a text', 'postgres://app:${secret.stripe}@db.example.com/app', 'note'],
])('a plan that has the text of a secret judges %s like `validate`', async (_, value, severity) => {
  const world = await World.start();
  world.secretsOf = () => new Map([['stripe', new Sealed('canary-of-stripe', 'stripe')]]);
  const yaml = `secrets: { stripe: {} }
projects: { web: { env: { STRIPE_SECRET_KEY: "${value}", NEXT_PUBLIC_STRIPE: "\${secret.stripe}" } } }`;
  const { plan, live, input } = await world.plan(yaml);
  const { after } = viewsOfPlan(live, plan.changes, { desired: input.desired, kinds });
  expect([...findPublicSecrets(variablesIn(after))]).toMatchObject([{ code: 'env/public-source', severity }]);
  await world.stop();
});
