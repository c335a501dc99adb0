import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const yaml = (rest: string) => `stack: demo\nplatform: { team: acme }\nprojects:\n  web:\n    ${rest}\n`;

/** Makes the platform answer writes of a member, and keep the value that it has. */
function freeze(object: object, name: string): { set(value: unknown): void } {
  let value = (object as Record<string, unknown>)[name];
  Object.defineProperty(object, name, {
    get: () => value,
    set: () => {},
    enumerable: true,
    configurable: true,
  });
  return {
    set: (now) => {
      value = now;
    },
  };
}

/** A stack that is applied, and then a change that the platform answers and does not keep. */
async function scene(first: string, second: string) {
  const shell = await new Shell().write({ 'trueup.yaml': yaml(first) });
  const twin = await shell.withTwin();
  const apply = () => shell.run(['apply', '--auto-approve', '--settle', '0']);
  expect((await apply()).status).toBe(0);
  await shell.write({ 'trueup.yaml': yaml(second) });
  return { shell, twin, apply, project: twin.account.projects[0]! };
}
const planned = async (shell: Shell) => {
  const { status, all } = await shell.run(['plan', '--drift-exitcode']);
  return { status, all };
};

describe('a write that the platform answers and does not keep', () => {
  story('is called that by each later plan, until somebody changes it', async () => {
    const { shell, apply, project } = await scene('framework: nextjs', 'framework: astro');
    const framework = freeze(project, 'framework');
    const applied = await apply();
    expect(applied.status).toBe(1);
    expect(applied.all).toContain('not kept by the platform at the last apply: sent again');
    expect(applied.all).not.toContain('Drift');
    for (let time = 0; time < 2; time++) {
      const plan = await planned(shell);
      expect(plan).toMatchObject({ status: 0 });
      expect(plan.all).toContain('not kept by the platform at the last apply: sent again');
      await apply();
    }
    framework.set('remix');
    expect(await planned(shell)).toMatchObject({ status: 2 });
    framework.set('astro');
    expect((await apply()).status).toBe(0);
    // Kept at last: from now on another value is drift again, also the one of then.
    framework.set('nextjs');
    expect(await planned(shell)).toMatchObject({ status: 2 });
  });

  story('may be kept when it is sent again: then the apply is verified at once', async () => {
    const { shell, apply, project } = await scene('framework: nextjs', 'framework: astro');
    freeze(project, 'framework');
    expect((await apply()).status).toBe(1);
    Object.defineProperty(project, 'framework', { value: 'nextjs', writable: true, enumerable: true });
    const rehearsed = await shell.run(['plan', '--rehearse']);
    expect([rehearsed.status, rehearsed.all]).toEqual([
      0,
      expect.stringContaining('A second plan is empty.'),
    ]);
    const applied = await apply();
    expect(applied.all).toContain('Verified: the account matches the configuration.');
    expect(applied.status).toBe(0);
    expect(project.framework).toBe('astro');
    expect((await planned(shell)).all).toContain('No changes.');
  });

  it('may be a creation', async () => {
    const { shell, apply, project } = await scene(
      'env: { A: { value: a, target: [production] } }',
      'env: { A: { value: a, target: [production] }, B: { value: b, target: [production] } }',
    );
    const rows = [...project.env];
    Object.defineProperty(project, 'env', { get: () => [...rows], configurable: true });
    expect((await apply()).status).toBe(1);
    const plan = await planned(shell);
    expect(plan.status).toBe(0);
    expect(plan.all).toContain('created at the last apply, but the account does not show it');
    expect(plan.all).not.toContain('deleted outside');
  });

  story('may take a target away from a row', async () => {
    const env = 'env: { A: { value: a, target: [production] } }';
    const { shell, apply, project } = await scene(env, env);
    project.env[0]!.target.push('preview');
    freeze(project.env[0]!, 'target');
    expect(await planned(shell)).toMatchObject({ status: 2 });
    expect((await apply()).status).toBe(1);
    const plan = await planned(shell);
    expect(plan.status).toBe(0);
    expect(plan.all).toContain('taken away at the last apply, but the platform did not keep that');
  });

  story('may be a new order', async () => {
    const rule = (name: string) =>
      `{ name: ${name}, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /${name} }] }], action: { mitigate: { action: deny } } }`;
    const rules = (names: string) => `firewall: { rules: [${names.split('').map(rule).join(', ')}] }`;
    const { shell, apply, project } = await scene(rules('abc'), rules('cab'));
    const before = [...project.firewall.active!.rules];
    const { active } = project.firewall;
    Object.defineProperty(project.firewall, 'active', {
      get: () => ({ ...active, rules: before }),
      set: () => {},
      configurable: true,
    });
    for (let time = 0; time < 2; time++) {
      expect((await apply()).status).toBe(1);
      const plan = await planned(shell);
      expect(plan.all).toContain('moves from 3 to 1 of 3 (not kept by the platform at the last apply)');
      expect(plan.status).toBe(0);
    }
    before.splice(0, 3, before[1]!, before[0]!, before[2]!);
    expect(await planned(shell)).toMatchObject({ status: 2 });
  });
});
