import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { failureLines } from '../../src/report/failures.ts';
import { expectNoWrite } from '../export/no-write.ts';
import { intercept } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { World } from '../support/world.ts';

const story = oneStoryIn(7);

/* A plan and an apply mind the facts: one case for each fact on which trueup relies, or that it checks before it sends anything. */

let world: World;
afterEach(() => world.stop());

const developer = { uid: 'user_dev', email: 'dev@example.com', role: 'DEVELOPER' as const };

it('PF2: a list whose pages cannot advance creates and deletes nothing', async () => {
  world = await World.start();
  const evs = Array.from({ length: 60 }, (_, i) => ({ key: `S${i}`, value: 'v' }));
  await world.connection.send({ endpoint: 'POST /v1/env', body: { evs, target: ['production'] } });
  const { plan } = await world.plan('sharedEnv: { S1: { value: v, target: [production] }, NEW: v }');
  expect(plan.operations).toEqual([]);
  expect(plan.diagnostics).toMatchObject([
    {
      code: 'observe/incomplete',
      severity: 'error',
      message: expect.stringContaining('no way to reach the next page'),
    },
  ]);
});

story('PF2: many shared variables are created such that their list can be read again', async () => {
  world = await World.start();
  const names = Array.from({ length: 90 }, (_, i) => `S${i}: v${i}`);
  await world.converge(`sharedEnv: { ${names.join(', ')} }`);
  expect(world.twin.account.sharedEnv).toHaveLength(90);
});

it('PF82: a list that hides rows creates and deletes nothing', async () => {
  const env = [
    { key: 'A', value: 'v', target: ['production' as const] },
    { key: 'OLD', value: 'v', target: ['preview' as const] },
  ];
  const team = { slug: 'acme', members: [developer] };
  world = await World.start({ seed: { user: { id: 'user_dev' }, team, projects: [{ name: 'web', env }] } });
  const { plan } = await world.plan('projects: { web: { $exclusive: [env], env: { A: v } } }');
  expect(plan.operations).toEqual([]);
  const [diagnostic] = plan.diagnostics;
  expect(diagnostic).toMatchObject({ code: 'observe/incomplete', severity: 'error' });
  expect(diagnostic!.message).toContain('does not see one more item (hiddenProductionEnvCount)');
});

it('PF7: each variable of a refused batch gets the reason of the platform', async () => {
  world = await World.start({ seed: { projects: [{ name: 'web' }] } });
  const planned = await world.plan('projects: { web: { env: { A: a, B: b } } }');
  const theirs = { value: 'x', type: 'encrypted', target: ['production'] };
  const honest = intercept(world, async (request, send) => {
    if (request.endpoint.startsWith('POST /v10/projects/{project}/env'))
      for (const key of ['A', 'B']) await send({ ...request, body: [{ key, ...theirs }] });
    return send(request);
  });
  const { outcome } = await world.apply(planned);
  honest();
  const reasons = outcome.failed.map(({ address, error }) => `${address}: ${(error as Error).message}`);
  expect(reasons).toHaveLength(6);
  expect(reasons[0]).toMatch(/^projects\/web\/env\/A@\w+: ENV_CONFLICT: .*`A` already exists/);
  expect(reasons[5]).toMatch(/^projects\/web\/env\/B@\w+: ENV_CONFLICT: .*`B` already exists/);
});

story(
  'PF74: a drain whose endpoint does not answer is refused, and the hint names what prints the code',
  async () => {
    world = await World.start();
    const drain = (host: string) =>
      `drains: { audit: { schemas: { log: {} }, delivery: { type: http, endpoint: 'https://${host}/in', encoding: json } } }`;
    const { outcome } = await world.apply(await world.plan(drain('logs.invalid')));
    expect(outcome.failed).toMatchObject([{ error: { hint: expect.stringContaining('get endpointCode') } }]);
    await world.converge(drain('logs.example.com'));
    const changed = await world.apply(await world.plan(drain('other.invalid')));
    expect(changed.outcome.failed).toMatchObject([
      { error: { hint: expect.stringContaining('get endpointCode') } },
    ]);
  },
);

it('PF38: a domain that another project has is refused, and the hint says that it has to be removed there', async () => {
  world = await World.start({
    seed: { projects: [{ name: 'old', domains: [{ name: 'shop.example.com' }] }] },
  });
  const { outcome } = await world.apply(
    await world.plan('projects: { web: { domains: { shop.example.com: {} } } }'),
  );
  expect(outcome.failed).toMatchObject([
    { error: { code: 'domain_already_in_use', hint: expect.stringContaining('remove it there first') } },
  ]);
});

story('PF30: a deploy hook comes after the link of its project, and goes before it', async () => {
  world = await World.start({ seed: { projects: [{ name: 'web' }] } });
  const linked =
    '{ gitRepository: { type: github, repo: acme/web }, deployHooks: { nightly: { ref: main, $secretTo: discard } } }';
  await world.converge(`projects: { web: ${linked} }`);
  const { plan } = await world.plan('projects: { web: { gitRepository: null, deployHooks: {} } }');
  const [hook, link] = ['projects/web/deployHooks/nightly', 'projects/web'].map((address) =>
    plan.operations.find(({ changes }) => changes.includes(address)),
  );
  expect(link!.dependsOn).toEqual([hook!.id]);
});

story('an alert target that is replaced loses its old place, and gets the new one', async () => {
  world = await World.start();
  const yaml = (target: string) => `webhooks:
  a: { url: https://a.example.com, events: [alerts.triggered], $secretTo: discard }
  b: { url: https://b.example.com, events: [alerts.triggered], $secretTo: discard }
alertRules:
  all:
    { type: built-in, ruleScope: { type: all }, triggers: { mode: all }, matchMinimumSeverityLevel: low, notifications: { ops: ${target} } }`;
  await world.converge(yaml('{ type: webhook, webhookId: "${webhooks.a.id}" }'));
  await world.converge(yaml('{ type: webhook, webhookId: "${webhooks.b.id}", $replace: allow }'));
  await world.converge(yaml('{ type: slack, configId: icfg_1, channelId: C1, $replace: allow }'));
});

it('PF19: the retired `publicSource` is an error that says what to do', async () => {
  world = await World.start();
  const { diagnostics } = await world.configure('projects: { web: { publicSource: true } }');
  expect(diagnostics).toMatchObject([
    { code: 'config/unknown-key', hint: expect.stringMatching(/retired `publicSource` .*: remove this key/) },
  ]);
});

it('PF19: a ledger that still has `publicSource` changes nothing', async () => {
  world = await World.start();
  const yaml = 'projects: { web: { directoryListing: true } }';
  await world.converge(yaml);
  const entry = world.ledger.entries['projects/web']!;
  const fields = { ...entry.fields, publicSource: entry.fields!.directoryListing! };
  world.ledger = {
    ...world.ledger,
    entries: { ...world.ledger.entries, 'projects/web': { ...entry, fields } },
  };
  const { plan } = await world.plan(yaml);
  expect([plan.operations, plan.diagnostics]).toEqual([[], []]);
});

story(
  "PF28: the platform's own domain of a project is neither exported nor pruned, and can be declared",
  async () => {
    world = await World.start({
      seed: { projects: [{ name: 'web', domains: [{ name: 'www.example.com' }] }] },
    });
    const { plan } = await world.plan('projects: { web: { $exclusive: [domains], domains: {} } }');
    expect(plan.operations.flatMap(({ changes }) => changes)).toEqual([
      'projects/web/domains/www.example.com',
    ]);
    const declare = (settings: string) =>
      world.plan(`projects: { web: { domains: { web.vercel.app: ${settings}, www.example.com: {} } } }`);
    const adopted = (await declare('{}')).plan;
    expect([adopted.operations, adopted.diagnostics]).toEqual([[], []]);
    const { yaml } = await expectNoWrite(world);
    expect(yaml).toContain('www.example.com');
    expect(yaml).not.toContain('vercel.app');
    await world.apply(await declare('{ redirect: www.example.com }'));
    expect((await expectNoWrite(world)).yaml).toContain('redirect: www.example.com');
  },
);

/** Configurations that the platform refuses, or may refuse, and the finding about each. */
const refused: [fact: string, yaml: string, severity: 'error' | 'warning', message: string][] = [
  [
    'PF10',
    'projects: { web: { env: { NEXT_PUBLIC_A: { value: v, type: sensitive, target: [production] } } } }',
    'warning',
    'NEXT_PUBLIC_A has a prefix of variables that browsers see',
  ],
  [
    'PF10',
    'sharedEnv: { vite_A: { value: v, type: sensitive, target: [preview] } }',
    'warning',
    'vite_A has a prefix of variables that browsers see',
  ],
  [
    'PF11',
    'projects: { web: { env: { A: { value: v, type: sensitive, target: [development] } } } }',
    'error',
    'cannot be available in development',
  ],
  ['PF12', 'projects: { web: { env: { TZ: UTC } } }', 'error', 'the platform reserves this name'],
  ['PF12', 'sharedEnv: { AWS_SECRET_KEY: v }', 'error', 'the platform reserves this name'],
  [
    'PF42',
    `domains: { example.com: { records: [{ type: CAA, name: "@", value: '0 issue "a.org; x=1"' }] } }`,
    'error',
    'the platform rejects the parameter `x=1`',
  ],
  [
    'PF85',
    'domains: { example.com: { records: [{ type: CNAME, name: "@", value: a.example.net }] } }',
    'error',
    'the platform does not allow a CNAME at the apex',
  ],
];

it.each(refused)('%s: validate checks %s', async (_, yaml, severity, message) => {
  world = await World.start();
  const { diagnostics } = await world.configure(yaml);
  expect(diagnostics).toMatchObject([{ severity, message: expect.stringContaining(message) }]);
});

it('PF10, PF12: other names, and other types, are fine', async () => {
  world = await World.start();
  const { diagnostics } = await world.configure(
    `projects: { web: { env: { AWS_REGION: v, AWS_SECRET_ACCESS_KEY: v, NEXT_PUBLIC_A: v,
      VITE_A: { value: v, visibility: secret, target: [development] } } } }`,
  );
  expect(diagnostics).toEqual([]);
});

it('PF10: a secret from outside, which is checked with a stand-in, is no problem', async () => {
  world = await World.start();
  world.env = { SECRET: 'value' };
  const { diagnostics } = await world.configure(
    'secrets: { s: { env: SECRET } }\nprojects: { web: { env: { A: { value: "${secret.s}", type: sensitive, target: [production] } } } }',
  );
  expect(diagnostics).toEqual([]);
});

story('PF13, PF83: a plan counts what would be in one environment, and at one name', async () => {
  const env = Array.from({ length: 1000 }, (_, i) => ({
    ...{ key: `K${i}`, value: 'v' },
    target: ['production' as const],
  }));
  const records = Array.from({ length: 50 }, (_, i) => ({ type: 'TXT' as const, name: 't', value: `v${i}` }));
  world = await World.start({
    seed: { projects: [{ name: 'web', env }], domains: [{ name: 'example.com', records: records.slice(1) }] },
  });
  const values = (count: number) =>
    Array.from({ length: count }, (_, i) => `{ type: A, name: a, value: 192.0.2.${i} }`).join(', ');
  const { plan } = await world.plan(`
projects: { web: { env: { NEW: { value: v, target: [production] } } } }
domains: { example.com: { records: [${values(51)}] } }`);
  expect(plan.diagnostics.map(({ message }) => message)).toEqual([
    'domains/example.com/records/a/A has 51 values; the platform allows 50 per name and type',
    'projects/web would have 1001 variables in production; the platform allows 1000 in an environment',
  ]);
  expect(plan.diagnostics.map(({ severity }) => severity)).toEqual(['error', 'warning']);
  const { plan: fine } = await world.plan(`
projects: { web: { env: { NEW: { value: v, target: [preview] } } } }
domains: { example.com: { records: [${values(50)}] } }`);
  expect(fine.diagnostics).toEqual([]);
});

/** Configurations whose variables have too many bytes, in the places that the warnings name. LARGE has 40,000 characters. */
const large: [title: string, env: string, places: string[]][] = [
  ['secrets', 'A: "${secret.large}", B: "${secret.large}"', ['preview', 'production']],
  ['a file', 'A: "${secret.file}", B: { value: "${secret.large}", target: [preview] }', ['preview']],
  [
    'a variable of the run',
    'A: "${var.large}", B: { value: "${var.large}", target: [preview] }',
    ['preview'],
  ],
  ['a part of a text', 'A: "${secret.large}", B: "x-${secret.large}"', ['preview', 'production']],
  ['a branch', 'A: "${secret.large}", B: { value: "${secret.large}", gitBranch: next }', ['preview:next']],
  [
    'two branches',
    'A: { value: "${secret.large}", gitBranch: a }, B: { value: "${secret.large}", gitBranch: b }',
    [],
  ],
  [
    'two branches that each add to preview',
    'P: "${secret.large}", A: { value: "${secret.large}", gitBranch: a }, B: { value: v, gitBranch: b }',
    ['preview:a'],
  ],
  [
    'a value that another one replaces',
    'A: ["${secret.large}", { value: "${secret.large}", gitBranch: next }]',
    [],
  ],
  [
    'a branch of a preview that is too large itself',
    'A: { value: "${secret.huge}", target: [preview] }, B: [v, { value: v, gitBranch: next }]',
    ['preview'],
  ],
  ['a custom environment', 'A: { value: "${secret.huge}", customEnvironmentIds: [qa] }', ['custom:qa']],
  ['shared ones', 'B: { value: "${secret.large}", target: [production, preview] }', ['preview']],
  ['shared ones that another one replaces', 'S: { value: "${secret.large}", target: [preview] }', []],
  ['development only', 'A: { value: "${secret.huge}", target: [development] }', []],
];

story('PF13: a plan sums the names and values of a deployment', async () => {
  world = await World.start();
  // The lengths of secrets decide, and a snapshot does not tell them.
  world.replays = false;
  world.env = { LARGE: 'canary-'.padEnd(40_000, 'x'), HUGE: 'canary-'.padEnd(70_000, 'x') };
  writeFileSync(join(world.folder, 'large.png'), world.env.LARGE!);
  for (const [title, env, places] of large) {
    const { plan } = await world.plan(`
variables: { large: { default: ${'y'.repeat(40_000)} } }
secrets: { large: { env: LARGE }, huge: { env: HUGE }, file: { file: large.png } }
sharedEnv:
  S: { value: "\${secret.large}", target: [preview], projectId: [${title.startsWith('shared') ? 'web' : ''}] }
projects: { web: { customEnvironments: { qa: {} }, env: { ${env} } } }`);
    expect(plan.diagnostics, title).toEqual(
      places.map((place) => ({
        ...{ code: 'plan/clash', severity: 'warning', hint: expect.any(String) },
        ...{ address: expect.stringMatching(/^(projects.web.env|sharedEnv.S)/), at: expect.anything() },
        message: expect.stringMatching(
          `^deployments of projects/web for ${place} would get variables of about \\d\\d KB, with shared ones; `,
        ),
      })),
    );
    expect(JSON.stringify(plan.diagnostics)).not.toContain('canary');
  }
});

story('PF13: a shared variable that is linked to a project warns about its deployments', async () => {
  const env = [{ key: 'A', value: 'v'.repeat(60_000), target: ['production' as const] }];
  world = await World.start({ seed: { projects: [{ name: 'web', env }, { name: 'docs' }] } });
  // The lengths of secrets decide, and a snapshot does not tell them.
  world.replays = false;
  world.env = { HUGE: 'x'.repeat(6000) };
  const yaml = (links: string) => `
secrets: { huge: { env: HUGE } }
sharedEnv: { S: { value: "\${secret.huge}", target: [production], projectId: [${links}] } }
projects: { web: { env: { A: { value: ${env[0]!.value}, target: [production] } } }, docs: {} }`;
  expect((await world.plan(yaml('docs'))).plan.diagnostics).toEqual([]);
  const { plan } = await world.plan(yaml('docs, web'));
  expect(plan.diagnostics).toMatchObject([
    { severity: 'warning', message: expect.stringContaining('of projects/web for production') },
  ]);
  // Without a change there is nothing to warn of.
  await world.converge(yaml('docs, web'));
  expect((await world.plan(yaml('docs, web'))).plan.diagnostics).toEqual([]);
});

story('PF9: ciphertext without `decrypted` is not a value', async () => {
  world = await World.start();
  const yaml = 'projects: { web: { env: { A: v } } }';
  await world.converge(yaml);
  const honest = intercept(world, async (request, send) => {
    const answer = await send(request);
    if (!Array.isArray(answer) || !request.endpoint.includes('/env')) return answer;
    return answer.map(({ decrypted: _, ...row }) => ({ ...row, value: 'eyJ2IjoidjIiLCJjIjoi' }));
  });
  const { plan } = await world.plan(yaml);
  honest();
  expect(plan.operations).toEqual([]);
  expect(plan.changes.flatMap(({ fields }) => fields)).toEqual([]);
});

it('PF36, PF37: a verified domain that serves nothing is a warning with the record, never a change', async () => {
  const records = ['', 'www'].map((name) => ({ type: 'A' as const, name, value: '192.0.2.1' }));
  const domains = ['example.com', 'www.example.com', 'fine.example.com'].map((name) => ({ name }));
  world = await World.start({
    seed: { projects: [{ name: 'web', domains }], domains: [{ name: 'example.com', records }] },
  });
  const { plan } = await world.plan(
    'projects: { web: { domains: { example.com: { redirect: www.example.com }, www.example.com: {}, fine.example.com: {} } } }',
  );
  expect(plan.diagnostics.map(({ severity, address, hint }) => [severity, address, hint])).toEqual([
    ['warning', 'projects/web/domains/example.com', 'it needs the DNS record A with "76.76.21.21"'],
    [
      'warning',
      'projects/web/domains/www.example.com',
      'it needs the DNS record CNAME with "cname.vercel-dns.com."',
    ],
  ]);
  expect(plan.complete).toBe(true);
});

it('PF40: a domain that needs another plan is refused with words about the plan, not about the token', async () => {
  world = await World.start({ seed: { projects: [{ name: 'web' }] } });
  const refuse = {
    type: 'status',
    status: 403,
    code: 'custom_domain_needs_upgrade',
    message: 'It requires a premium account.',
  } as const;
  world.twin.setFaults({ faults: [{ at: { operation: 'addProjectDomain' }, do: refuse }] });
  const planned = await world.plan('projects: { web: { domains: { www.example.com: {} } } }');
  const [failure] = (await world.apply(planned)).outcome.failed;
  const { message, hint } = failureLines(failure!.error);
  expect(message.join(' ')).toContain(
    "403 custom_domain_needs_upgrade: the account's plan does not include this: It requires a premium account.",
  );
  expect(hint.join(' ')).toContain('trueup does not retry it');
});

story('PF83: values of others at a TXT name count, and a full set makes room before it grows', async () => {
  const records = Array.from({ length: 50 }, (_, i) => [
    ...[{ type: 'TXT' as const, name: 't', value: `theirs ${i}` }],
    ...[{ type: 'A' as const, name: 'a', value: `192.0.2.${i}` }],
  ]).flat();
  world = await World.start({ seed: { domains: [{ name: 'example.com', records: records.slice(2) }] } });
  const ours = [1, 2].map((i) => `{ type: TXT, name: t, value: ours ${i} }`);
  const yaml = (rows: string[], meta = '') =>
    `domains: { example.com: { $existing: true, ${meta} records: [${rows.join(', ')}] } }`;
  const { plan } = await world.plan(yaml(ours));
  expect(plan.diagnostics).toMatchObject([
    { severity: 'error', message: expect.stringContaining('t/TXT has 51 values, 49 of them undeclared') },
  ]);
  await world.converge(yaml(ours.slice(1)));
  const others = [101, 102, 103].map((i) => `{ type: A, name: a, value: 192.0.2.${i} }`);
  await world.converge(yaml([...ours.slice(1), ...others], '$exclusive: [records],'), { maxDeletions: 200 });
  expect(world.twin.account.domains[0]!.records).toHaveLength(4);
});
