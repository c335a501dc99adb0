import { expect } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const token = (stack: string, more = '') => `stack: ${stack}
platform: { team: acme }
${more}
globalConfigs:
  shop:
    tokens:
      web:
        $secretTo:
          variable: projects/app/env/EDGE
          value: "https://edge.example/\${id}?token=\${secret}"
`;

async function begin(yaml = token('edge', 'projects: { app: {} }')) {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  const run = (...args: string[]) => shell.run(args);
  const secrets = () => twin.account.globalConfigs.flatMap(({ tokens }) => tokens.map((one) => one.token));
  const values = () => twin.account.projects.flatMap(({ env }) => env.map(({ value }) => value));
  return { shell, twin, run, secrets, values };
}

story(
  'an approved plan whose run ended before the variable was written needs a new approval, and loses nothing',
  async () => {
    const { twin, run, secrets, values } = await begin();
    await run('plan', '--out', 'plan.json');
    twin.setFaults({
      faults: [{ at: { operation: 'createProjectEnv' }, do: { type: 'status', status: 400 } }],
    });
    expect((await run('apply', 'plan.json')).status).toBe(1);
    twin.setFaults({ faults: [] });
    expect([secrets().length, values()]).toEqual([1, []]);
    const [lost] = secrets();
    const again = await run('apply', 'plan.json', '--settle', '0');
    expect(again.status, again.all).toBe(1);
    const next = await run('plan', '--out', 'plan.json');
    expect(next.stdout).toContain('the secret shown at its creation was not delivered');
    expect((await run('apply', 'plan.json')).status).toBe(0);
    expect(secrets()).toHaveLength(1);
    expect(secrets()).not.toContain(lost);
    expect(values()).toEqual([expect.stringContaining(secrets()[0]!)]);
  },
);

story('the project of the variable may belong to another stack', async () => {
  const { shell, run, values } = await begin('stack: web\nplatform: { team: acme }\nprojects: { app: {} }\n');
  expect((await run('apply', '--auto-approve')).status).toBe(0);
  await shell.write({ 'trueup.yaml': token('edge', 'projects: { app: { $existing: true } }') });
  const ran = await run('apply', '--auto-approve');
  expect(ran.status, ran.all).toBe(0);
  expect(values()).toHaveLength(1);
  await shell.write({
    'trueup.yaml': token('other', 'projects: { app: { $existing: true } }').replace('shop:', 'news:'),
  });
  const refused = await run('plan');
  expect([refused.status, refused.all]).toEqual([1, expect.stringContaining('projects/app/env/EDGE')]);
});
