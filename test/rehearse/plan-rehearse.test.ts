import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const yaml = `stack: shop
platform: { team: acme }
projects:
  web:
    framework: nextjs
    env: { LOG_LEVEL: info, TOKEN: { value: "\${secret.token}", type: sensitive, target: [production] } }
    domains: { shop.example.com: {} }
secrets: { token: {} }
`;

/** A stack with a project, variables and a domain, in a folder of its own with a twin as its platform. */
async function shop() {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin({ team: { slug: 'acme' } });
  shell.env.TRUEUP_SECRET_token = 'a-token-that-nobody-may-see';
  return { shell, twin };
}

test('a plan that the twin accepts rehearses green, and changes neither the account nor the ledger', async () => {
  const { shell, twin } = await shop();
  const before = structuredClone(twin.account);
  const ran = await shell.run(['plan', '--rehearse']);
  expect(ran.all).toContain('Rehearsal on a twin: the plan would be applied completely.');
  expect(ran.status).toBe(0);
  expect(twin.account).toEqual(before);
});

test('an edit of an applied stack rehearses green', async () => {
  const { shell, twin } = await shop();
  expect((await shell.run(['apply', '--auto-approve'])).all).toContain('Verified');
  await shell.write({ 'trueup.yaml': yaml.replace('info', 'debug').replace('nextjs', 'astro') });
  const before = structuredClone(twin.account);
  const ran = await shell.run(['plan', '--rehearse']);
  expect(ran.all).toContain('Rehearsal on a twin: the plan would be applied completely.');
  expect(ran.all).toContain('the next run always finishes the plan, without duplicates.');
  expect(ran.all).not.toContain('Not modelled');
  expect(ran.status).toBe(0);
  expect(twin.account).toEqual(before);
});
