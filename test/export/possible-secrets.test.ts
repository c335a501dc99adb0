import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

const rule = (name: string, conditions: string) =>
  `      - { name: ${name}, active: true, action: { mitigate: { action: deny } }, conditionGroup: [{ conditions: [${conditions}] }] }`;
const matcher = (name: string, has: string) =>
  `    - { name: ${name}, srcSyntax: equals, route: { src: /${name}, dest: /there, has: [${has}] } }`;
const yaml = `stack: shop
platform: { personal: true }
projects:
  web:
    routes:
${matcher('open', '{ type: header, key: x-region, value: eu-central }')}
${matcher('told', '{ type: cookie, key: preview, value: long-enough }')}
    firewall:
      rules:
${rule('agent', '{ type: header, op: eq, key: user-agent, value: a-crawler }')}
${rule('basic', '{ type: header, op: pre, key: x-from, value: "Basic YWJj" }')}
${rule('bearer', '{ type: header, op: eq, key: authorization, value: "Bearer abcdef" }')}
${rule('cookie', '{ type: cookie, op: inc, key: preview, value: [long-enough] }')}
${rule('path', '{ type: path, op: eq, value: /authorization }')}
${rule('short', '{ type: query, op: eq, key: token, value: "1" }')}
${rule('there', '{ type: header, op: ex, key: authorization }')}
`;
const told = 'Written as found: check them for secrets before you commit.';

it('conditions that may let a request in are named by `export` where the configuration declares them, and else not written', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  const done = await shell.run(['apply', '--auto-approve']);
  expect(done, done.all).toMatchObject({ status: 0 });
  const exported = await shell.run(['export', '--out', 'out.yaml', '--values', 'omit']);
  expect(exported.stderr).toContain(`${told}
  projects/web/firewall/rules/basic (conditionGroup)
  projects/web/firewall/rules/bearer (conditionGroup)
  projects/web/firewall/rules/cookie (conditionGroup)
  projects/web/routes/told (route)
`);
  expect(exported.stderr.match(/\n {2}projects/g)).toHaveLength(4);

  const { firewall } = twin.account.projects[0]!;
  const found = firewall!.active!.rules as { name: string; conditionGroup: unknown }[];
  const changed = (name: string, condition: object) => {
    found.find((one) => one.name === name)!.conditionGroup = [{ conditions: [condition] }];
  };
  changed('path', { type: 'path', op: 'eq', value: '/elsewhere' });
  changed('there', { type: 'header', op: 'eq', key: 'x-api-key', value: 'abcdefgh' });
  const careful = await shell.run(['accept', '--all', '--auto-approve']);
  expect(careful.all).toContain('`conditionGroup` changed but is not written, since it may be a secret');
  expect(careful.all).not.toContain('abcdefgh');
  const values = ['--values', 'projects/web/firewall/rules/there'];
  const accepted = await shell.run(['accept', '--all', '--auto-approve', ...values]);
  expect(accepted, accepted.all).toMatchObject({ status: 0 });
  expect(readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8')).toContain('abcdefgh');

  found.push({ ...found[0]!, id: 'rule_new', name: 'new' } as never);
  found.find((one) => one.name === 'new')!.conditionGroup = [
    { conditions: [{ type: 'header', op: 'eq', key: 'authorization', value: 'Bearer uvwxyz' }] },
  ];
  const added = await shell.run(['accept', '--new', '**', '--auto-approve']);
  expect(added, added.all).toMatchObject({ status: 0 });
  expect(added.all).not.toContain('uvwxyz');
  expect(added.all).toMatch(
    /rules\/new: its value is not written; set TRUEUP_SECRET_\w+ where this is applied/,
  );
});

it('a value that may be written is not shown in the difference, nested or not', async () => {
  const yamlWithDrain = `stack: shop
platform: { team: acme }
projects: { web: { devCommand: npm start } }
drains:
  logs:
    schemas: { log: {} }
    delivery: { type: http, endpoint: https://logs.example.com, encoding: json, headers: { authorization: old-canary } }
`;
  const shell = await new Shell().write({ 'trueup.yaml': yamlWithDrain });
  const twin = await shell.withTwin();
  const done = await shell.run(['apply', '--auto-approve']);
  expect(done.status, done.all).toBe(0);
  Object.assign(twin.account.drains[0]!.delivery, { headers: { authorization: 'new-canary' } });
  Object.assign(twin.account.projects[0]!, { devCommand: 'echo --token=canary' });
  const accepted = await shell.run(['accept', '--all', '--auto-approve', '--values', '**']);
  expect(accepted.status, accepted.all).toBe(0);
  expect(accepted.all).not.toContain('canary');
  const written = readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8');
  expect(written).toContain('new-canary');
  expect(written).toContain('echo --token=canary');
});

it('a secret of the configuration is not written in clear if its `platform` has the id of the team', async () => {
  const shell = await new Shell().write({ 'a.txt': 'hello canary' });
  const variable = { key: 'OPEN', value: 'hello canary', type: 'plain' as const };
  const { account } = await shell.withTwin({ projects: [{ name: 'web', env: [variable] }] });
  const { id } = account.teams[0]!;
  await shell.write({
    'trueup.yaml': `stack: s\nplatform: { team: ${id} }\nsecrets: { a: { file: a.txt } }\nprojects: { web: { env: { X: "\${secret.a}" } } }\n`,
  });
  const { status, all } = await shell.run(['export', '--allow-files', 'a.txt']);
  expect([status, all]).toEqual([0, expect.stringContaining('value: ${secret.env[WEB_OPEN]}')]);
  expect(all).not.toContain('canary');
});

it('a secret that is a number or the name of a member is left out, because a secret of a configuration is a text', async () => {
  const shell = new Shell();
  const items = {
    open: { limit: 5 },
    whole: 73519842,
    deep: [{ pin: 73519842 }],
    named: { 'name-canary': 1 },
    text: { pin: '73519842' },
  };
  await shell.withTwin({ team: { slug: 'acme' }, globalConfigs: [{ slug: 'shop', items }] });
  Object.assign(shell.env, { TRUEUP_SECRET_PIN: '73519842', TRUEUP_SECRET_NAME: 'name-canary' });

  const exported = await shell.run(['export', '--team', 'acme', '--out', 'trueup.yaml']);

  const written = readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8');
  expect(exported.all + written).not.toMatch(/73519842|name-canary/);
  expect(written).toMatch(
    /globalConfigs\/shop\/items\/whole .* is left out: `value` has a secret that is not a text/,
  );
  expect(written.match(/is left out/g)).toHaveLength(3);
  const [variable] = /TRUEUP_SECRET_env\w+/.exec(exported.all)!;
  Object.assign(shell.env, { [variable]: '73519842' });
  const plan = await shell.run(['plan']);
  expect(plan.all).toContain('Plan: 0 to create, 4 to adopt, 0 to update, 0 to delete.');
});
