import { expect } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const names = Array.from({ length: 30 }, (_, index) => `site-${index}`);
const configuration = `stack: acme
platform: { team: acme }
projects:
${names.map((name) => `  ${name}: { env: { A: { value: one, type: plain } }, domains: { ${name}.example.com: {} }, firewall: { firewallEnabled: true } }`).join('\n')}
domains:
  example.com:
    records: [{ type: A, name: www, value: 192.0.2.1 }, { type: A, name: mail, value: 192.0.2.2 }]
`;

story('a plan of one thing asks for little, and an apply of it leaves the ledger of the rest', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': configuration });
  const twin = await shell.withTwin();
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  const asked = async (...args: string[]) => {
    twin.clearRequests();
    const ran = await shell.run(args);
    expect(ran.status, ran.all).toBe(0);
    return { count: twin.requests.length, ...ran };
  };
  const list = (await asked('ledger', 'list')).stdout;
  const whole = await asked('plan');
  expect(whole.count).toBeGreaterThan(names.length * 3);

  await shell.write({ 'trueup.yaml': configuration.replaceAll('192.0.2.1', '192.0.2.9') });
  const record = await asked('plan', '--target', 'domains/example.com/records/www/A');
  expect(record.count).toBeLessThanOrEqual(5);
  expect(record.stdout).toContain('0 to create, 0 to adopt, 1 to update, 0 to delete');
  expect(record.stderr).toContain('only the targets and their dependencies were read');
  const one = await asked('plan', '--target', 'projects/site-7/env/A');
  expect(one.count).toBeLessThanOrEqual(5);
  const some = await asked('plan', '--target', 'projects/site-1*/env/**');
  expect(some.count).toBeLessThan(whole.count / 3);

  const applied = await asked('apply', '--auto-approve', '--target', 'domains/example.com/records/www/A');
  expect(applied.count).toBeLessThanOrEqual(20);
  expect((await asked('ledger', 'list')).stdout).toBe(list);
  expect((await asked('plan', '--detailed-exitcode')).stdout).toContain('No changes.');
});
