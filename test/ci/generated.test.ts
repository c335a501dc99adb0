import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Shell } from '../support/cli.ts';
import { git } from '../support/ledger-places.ts';
import { canaries, site } from '../support/site.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { runWorkflow } from '../support/workflow.ts';

const story = oneStoryIn(4);

/** Odd enough for quotes everywhere, and possible for all that plays a part here. */
const infra = "it's infra & $(more)";

const stack = (name: string, level: string) => `stack: ${name}
platform: { team: acme }
variables: { level: {} }
secrets: { db: { env: DATABASE_URL }, keys: { json: {} } }
projects: { ${name}: { framework: nextjs, env: { A: { value: "${level}-\${var.level}", type: plain }, B: "\${secret.db}", C: "\${secret.keys[${name}]}" } } }
`;
const files = (level: string, ledger = 'git') => ({
  [`${infra}/trueup.workspace.yaml`]: `stacks: [dns, { path: shop, needs: [dns] }]\nledger: ${ledger}\n`,
  [`${infra}/package-lock.json`]: '{}',
  [`${infra}/dns/trueup.yaml`]: stack('dns', level),
  [`${infra}/shop/trueup.yaml`]: stack('shop', 'x'),
});

story('what is written for a workspace in a folder plans, applies and finds drift', async () => {
  const { bare, desk, push, pull, machine, comments, twin } = await site();
  push('main', files('a'));
  const ran = await new Shell(join(desk, infra)).run(['init', '--ci', 'github']);
  expect(ran.status, ran.all).toBe(0);
  const { environments, expressions } = machine();
  // Of a JSON secret the runner hides only the whole, so each member is masked.
  const members = { dns: 'canary-of-dns', shop: 'canary-of-shop' };
  const holding = (name: string) => ({
    ...environments[name],
    DATABASE_URL: canaries.database,
    TRUEUP_SECRET_KEYS: JSON.stringify(members),
  });
  // Read at once: the next push takes them away again.
  const texts = new Map(
    ['apply', 'validate', 'plan', 'drift'].map((name) => [
      name,
      readFileSync(join(desk, `.github/workflows/trueup-${name}.yml`), 'utf8'),
    ]),
  );
  const run = (name: string, more: object = {}) =>
    runWorkflow(
      texts.get(name)!,
      machine({
        expressions: { ...expressions, 'vars.TRUEUP_VAR_LEVEL': 'info' },
        environments: {
          plan: environments.plan!,
          'plan-main': holding('plan-main'),
          production: holding('production'),
        },
        ...more,
      }),
    );
  expect(await run('apply')).toMatchObject({ plan: { ok: true }, apply: { ok: true } });
  const env = twin.account.projects.find(({ name }) => name === 'dns')!.env;
  expect(env.map(({ key, value }) => `${key}=${value}`).sort()).toEqual([
    'A=a-info',
    `B=${canaries.database}`,
    `C=${members.dns}`,
  ]);

  // The workflow decides where the ledger is, whatever the pull request says: otherwise this would be a plan to create everything.
  const event = pull(push('change', files('b', 'git:elsewhere')));
  const validated = await run('validate', { trigger: 'pull_request', event });
  expect(validated.validate, validated.validate!.log).toMatchObject({ ok: true });
  const planned = await run('plan', { trigger: 'pull_request_target', event });
  expect(planned.plan, planned.plan!.log).toMatchObject({ ok: true });
  expect(comments()).toEqual([
    expect.stringContaining('### trueup plan: 2 stacks: 1 with changes, 1 without changes'),
  ]);
  expect(comments()[0]).toContain('b-info');
  twin.account.projects.find(({ name }) => name === 'dns')!.framework = 'astro';
  const drift = await run('drift', { trigger: 'schedule' });
  expect(drift.drift, drift.drift!.log).toMatchObject({ ok: true });
  expect(git(bare, 'show', `trueup-drift:${infra}/dns/trueup.yaml`)).toContain('framework: astro');
  for (const { log, summary } of [validated.validate!, planned.plan!, drift.drift!])
    for (const canary of [...Object.values(canaries), ...Object.values(members)])
      expect((log + summary).replaceAll(/^::add-mask::.*$/gm, '')).not.toContain(canary);
});
