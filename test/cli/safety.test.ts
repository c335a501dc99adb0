import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const header = 'stack: demo\nplatform: { team: acme }\n';

test('a very long secret is not printed by the error that refuses it', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `${header}secrets: { big: {} }\nprojects: { p: { env: { A: { value: "\${secret.big}", target: [production] } } } }\n`,
  });
  await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_SECRET_big: `canary-${'k'.repeat(80_000)}` };
  const ran = await shell.run(['apply', '--auto-approve']);
  expect(ran.all).not.toContain('canary-');
  expect(ran.all).not.toContain('kkkkkkkk');
});

test('what has to send a secret that is not there is not even begun', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `${header}secrets: { a: {}, b: {} }\nprojects: { p: { env: { A: "\${secret.a}", B: "\${secret.b}" } } }\n`,
  });
  const twin = await shell.withTwin();
  expect((await shell.run(['plan'])).status).toBe(0);
  const ran = await shell.run(['apply', '--auto-approve']);
  expect(ran.status).toBe(1);
  expect(ran.stderr).toMatch(/`a` and `b` would have to be sent/);
  expect(twin.account.projects).toEqual([]);
});

test('destroy heeds a $protect that was never applied, deletes a domain after the project that uses it, and can be repeated', async () => {
  const yaml = (more: string) =>
    `${header}projects:\n  web: { domains: { www.example.com: {} }${more} }\ndomains: { example.com: {} }\n`;
  const shell = await new Shell().write({ 'trueup.yaml': yaml('') });
  const twin = await shell.withTwin();
  await shell.run(['apply', '--auto-approve']);
  await shell.write({ 'trueup.yaml': yaml(', $protect: true') });
  const destroy = ['destroy', '--confirm', 'demo', 'projects/web', 'domains/example.com'];
  expect((await shell.run(destroy)).stderr).toContain('protected');
  expect(twin.account.projects).toHaveLength(1);
  await shell.write({ 'trueup.yaml': yaml('') });
  expect((await shell.run(destroy)).status).toBe(0);
  expect([twin.account.projects, twin.account.domains]).toEqual([[], []]);
  expect((await shell.run(destroy)).status).toBe(0);
});

test('destroy is not verified while the account still shows what it deleted', async () => {
  const yaml = `${header}projects: { web: { env: { A: a, B: b } } }\ndomains: { example.com: {} }\n`;
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  await shell.run(['apply', '--auto-approve']);
  const staleAfter = (operation: string) =>
    twin.setFaults({ faults: [{ at: { operation }, do: { type: 'stale', ms: 60_000 } }] });
  const destroy = ['destroy', '--confirm', 'demo', '--settle', '0'];
  staleAfter('removeProjectEnv');
  const variable = await shell.run([...destroy, 'projects/web/env/A']);
  expect([variable.status, variable.stdout]).toEqual([1, expect.not.stringContaining('Verified')]);
  expect(variable.stderr).toContain('Applied, but not verified: the account still shows projects/web/env/A@');
  staleAfter('deleteProject');
  const project = await shell.run([...destroy, 'projects/web']);
  expect(project.stderr).toContain('Applied, but not verified: the account still shows projects/web.');
  twin.setFaults({ faults: [] });
  const domain = await shell.run([...destroy, 'domains/example.com']);
  expect(domain.stdout).toContain('Verified: the account has nothing left of the selected part.');
});

test('destroy says how many released objects are left', async () => {
  const yaml = `${header}projects: { web: { env: { A: a } } }\ndomains: { example.com: {} }\n`;
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  await shell.withTwin();
  await shell.run(['apply', '--auto-approve']);
  const whole = await shell.run(['destroy', '--confirm', 'demo']);
  expect(whole.stdout).toContain(
    'Verified: the account has nothing left of this stack, except 2 released objects.',
  );
});

test('a destroy that failed is continued by the same command, not by an apply', async () => {
  const yaml = `${header}projects: { web: { env: { A: a } } }\nsharedEnv: { S: s }\n`;
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  await shell.run(['apply', '--auto-approve']);
  twin.setFaults({
    faults: [{ at: { operation: 'removeProjectEnv' }, do: { type: 'status', status: 403 } }],
  });
  const failed = await shell.run(['destroy', '--confirm', 'demo']);
  expect([failed.status, failed.stdout]).toEqual([1, expect.not.stringContaining('next apply')]);
  expect(failed.stdout).toContain('Run the same command again to continue; an apply would reverse the');
});

test('an account that cannot be read again after an apply is no success', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `${header}projects: { web: { firewall: { firewallEnabled: true } } }\n`,
  });
  const twin = await shell.withTwin({ projects: [{ name: 'web' }] });
  // The twin loses what it would have to answer, once something was written.
  const requests = twin.requests as unknown as { push(...items: { method: string }[]): number };
  const { push } = requests;
  requests.push = (...items) => {
    if (items.some(({ method }) => method === 'PATCH'))
      setImmediate(() => Object.assign(twin.account, { projects: undefined }));
    return push.apply(requests, items);
  };
  const ran = await shell.run(['apply', '--auto-approve', '--max-wait', '1']);
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain('not verified');
});
