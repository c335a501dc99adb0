import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const header = 'platform: { team: acme }\n';
const stages = 'stages: { staging: {}, production: {} }\n';
const body = 'projects: { "web-${stage}": { framework: nextjs } }\n';

/** Without the histories beside them. */
const ledgersIn = ({ folder }: Shell): string[] =>
  readdirSync(join(folder, '.trueup/ledger'))
    .filter((name) => !name.endsWith('.history'))
    .sort();

async function staged(stack = 'stack: shop\n'): Promise<Shell> {
  const shell = await new Shell().write({ 'trueup.yaml': stack + header + stages + body });
  await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText() };
  return shell;
}

describe('a configuration with stages', () => {
  oneRowIn(5)([
    ['plan'],
    ['apply', '--auto-approve'],
    ['destroy', '--confirm', 'shop'],
    ['graph'],
    ['export'],
    ['api', 'getProjects'],
    ['ledger', 'list'],
    ['ledger', 'show', 'projects/web'],
    ['ledger', 'forget', 'projects/web'],
    ['ledger', 'sign'],
    ['ledger', 'unlock'],
  ])('asks for one, and lists them: %s %s', async (...args) => {
    const shell = await staged();
    const { status, stderr } = await shell.run(args);
    expect(stderr).toContain(
      'the configuration has the stages `staging`, `production`, but none is selected',
    );
    expect(status).toBe(1);
    const wrong = await shell.run([...args, '--stage', 'test']);
    expect(wrong.stderr).toContain('there is no stage `test`');
  });

  story('keeps the entries of `removed` until all stages are done with them', async () => {
    const shell = await staged();
    for (const stage of ['staging', 'production'])
      await shell.run(['apply', '--auto-approve', '--stage', stage]);
    const released = `removed: [{ at: projects/web-production, delete: false }]\n`;
    await shell.write({ 'trueup.yaml': `stack: shop\n${header}${stages}${released}` });
    const { stderr } = await shell.run(['plan', '--stage', 'staging']);
    expect(stderr).toContain('done and can be dropped: projects/web-production [removed/done]');
    expect(stderr).toContain(
      '-> other stages have the same entries: drop them once the plans of all stages say so',
    );
    const deleted = released.replace('false', 'true, objects: 1');
    await shell.write({ 'trueup.yaml': `stack: shop\n${header}${stages}${deleted}` });
    // The file is the same for both stages, so advice to drop the entry would keep the project in production, too.
    expect((await shell.run(['plan', '--stage', 'staging'])).stderr).toContain(
      'it is owned by the stack shop@production [removed/not-owned]',
    );
    expect((await shell.run(['plan', '--stage', 'staging'])).stderr).toContain('`$when: { stage: STAGE }`');
    const limited = deleted.replace('objects', '$when: { stage: production }, objects');
    await shell.write({ 'trueup.yaml': `stack: shop\n${header}${stages}${limited}` });
    expect((await shell.run(['plan', '--stage', 'staging'])).stderr).not.toContain('web-production');
    expect((await shell.run(['plan', '--stage', 'production'])).stdout).toContain('1 to delete');
  });

  it('completes their names, and the addresses of the one that is chosen', async () => {
    const shell = await staged();
    const words = async (...args: string[]) => (await shell.run(['__complete', ...args])).stdout;
    expect(await words('stage', '--', 'plan', '--stage')).toBe('staging\nproduction\n');
    expect(await words('address', '--', 'plan', '--stage', 'staging', '--target')).toBe(
      'projects/web-staging\n',
    );
    expect(await words('address', '--', 'plan', '--target')).toBe('');
    expect((await shell.run(['completion', 'fish'])).stdout).toContain('(__trueup_words stage)');
  });

  story('has a ledger for each, and names the stage in reports and saved plans', async () => {
    const shell = await staged();
    for (const stage of ['staging', 'production'])
      expect((await shell.run(['apply', '--stage', stage, '--auto-approve'])).status).toBe(0);
    expect(ledgersIn(shell)).toEqual(['shop@production.json', 'shop@staging.json']);
    const plan = ['plan', '--stage', 'staging'];
    expect((await shell.run([...plan, '--detailed-exitcode'])).status).toBe(0);
    const markdown = await shell.run([...plan, '--format', 'markdown']);
    expect(markdown.stdout).toMatch(
      /^<!-- trueup:plan:shop%40staging -->\n\n### trueup plan: `shop@staging`/,
    );
    await shell.run([...plan, '--out', 'plan.json']);
    expect((await shell.run(['show', 'plan.json'])).stderr).toContain('for the stack shop@staging of');
    expect((await shell.run(['apply', 'plan.json', '--stage', 'production'])).stderr).toContain(
      'is a plan for a different stack: shop@staging, not shop@production',
    );
    const list = await shell.run(['ledger', 'list', '--stage', 'staging']);
    expect(list.stdout).toContain('projects/web-staging');
  });
});

describe('a stack that gets stages', () => {
  const before = `stack: shop\n${header}projects: { web-production: { framework: nextjs } }\n`;

  oneRowIn(2)([
    ['a file for each', []],
    ['one file', ['--ledger', 'kept.json']],
  ])('is planned once its ledger has the name of one: %s', async (_, place) => {
    const shell = await staged();
    await shell.write({ 'trueup.yaml': before });
    expect((await shell.run(['apply', '--auto-approve', ...place])).status).toBe(0);
    await shell.write({ 'trueup.yaml': `stack: shop\n${header}${stages}${body}` });
    const plan = ['plan', '--stage', 'production', '--detailed-exitcode', ...place];
    for (const args of [plan, ['apply', '--stage', 'staging', '--auto-approve', ...place]]) {
      const { status, stderr } = await shell.run(args);
      expect(status).toBe(1);
      expect(stderr).toContain(
        `\`trueup ledger rename shop shop@${args === plan ? 'production' : 'staging'}\``,
      );
    }
    const renamed = await shell.run(['ledger', 'rename', 'shop', 'shop@production', ...place]);
    expect(renamed.stdout).toBe(
      'Renamed: the ledger of shop is now that of shop@production. No object was touched.\n',
    );
    // Nothing of it is left to create, and nothing to adopt.
    expect((await shell.run(plan)).status).toBe(0);
    if (place.length === 0)
      expect((await shell.run(['plan', '--stage', 'staging'])).stdout).toContain('1 to create');
    const again = await shell.run(['ledger', 'rename', 'shop', 'shop@production', ...place]);
    expect(again.status).toBe(1);
  });

  story('keeps its ledger where the name of the stack holds the stage', async () => {
    const shell = await staged('stack: shop-${stage}\n');
    await shell.write({ 'trueup.yaml': before.replace('stack: shop', 'stack: shop-production') });
    expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
    await shell.write({ 'trueup.yaml': `stack: shop-\${stage}\n${header}${stages}${body}` });
    const { status } = await shell.run(['plan', '--stage', 'production', '--detailed-exitcode']);
    expect(status).toBe(0);
  });

  story('is not renamed while another run has one of the ledgers, nor to a name that is none', async () => {
    const shell = await staged();
    await shell.write({ 'trueup.yaml': before });
    await shell.run(['apply', '--auto-approve']);
    const expires = new Date(shell.clock.now() + 60_000).toISOString();
    const since = new Date(shell.clock.now()).toISOString();
    const lease = { formatVersion: 1, run: 'r', user: 'ann', host: 'there', pid: 1, since, expires };
    await shell.write({ '.trueup/ledger/shop@staging.lock': JSON.stringify(lease) });
    const { status, stderr } = await shell.run(['ledger', 'rename', 'shop', 'shop@staging']);
    expect(status).toBe(75);
    expect(stderr).toContain('ann');
    expect(ledgersIn(shell)).toEqual(['shop.json', 'shop@staging.lock']);
    const wrong = await shell.run(['ledger', 'rename', 'shop', 'a/b']);
    expect(wrong.stderr).toContain('a/b is not a valid stack name');
  });
});
