import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

const projects = ['api', 'docs', 'shop', 'web'];
const yaml = `stack: demo
platform: { team: acme }
projects: { ${projects.map((name) => `${name}: { framework: astro, env: { A: { value: a, type: plain, target: [production] } } }`).join(', ')} }
`;

it('On an account to which a ledger has applied nothing yet, one harmless change is made first, and no other until a fresh read shows it as sent, unless no change is harmless or the operator skips this.', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin({ projects: projects.map((name) => ({ name, framework: 'nextjs' })) });
  const writes = () => twin.requests.filter(({ method }) => method !== 'GET');
  // The platform answers as if it had created the variable.
  const { env } = twin.account.projects[0]!;
  Object.defineProperty(twin.account.projects[0]!, 'env', { get: () => [...env] });
  const apply = ['apply', '--auto-approve', '--settle', '0'];
  for (const attempt of [1, 2]) {
    expect((await shell.run(apply)).status).toBe(1);
    expect(writes().map(({ body }) => body)).toMatchObject(Array(attempt).fill([{ key: 'A' }]));
  }
  await shell.run([...apply, '--no-canary']);
  expect(writes().length).toBeGreaterThan(8);
});
