import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(7);

const yaml = `stack: shop
platform: { personal: true }
projects:
  web:
    framework: nextjs
    env: { LEVEL: info }
`;

/** A stack that was applied, and what somebody else did to it. */
async function applied({ framework = 'astro', level = 'info', written = yaml } = {}) {
  const shell = await new Shell().write({ 'trueup.yaml': `\ufeff${written}` });
  const twin = await shell.withTwin();
  const done = await shell.run(['apply', '--auto-approve']);
  expect(done, done.all).toMatchObject({ status: 0 });
  const [project] = twin.account.projects;
  project!.framework = framework;
  project!.env[0]!.value = level;
  const text = () => readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8');
  return { shell, text, twin };
}

describe('accept', () => {
  it('asks, and writes nothing but on a yes; a byte order mark stays', async () => {
    const { shell, text } = await applied();
    const no = await shell.run(['accept', '--all'], { input: 'no\n', isTerminal: true });
    expect(no).toMatchObject({ status: 1 });
    expect(no.stderr).toContain('Nothing was written.');
    expect((await shell.run(['accept', '--all'])).stderr).toContain('needs a terminal or --auto-approve');
    expect(text()).toBe(`\ufeff${yaml}`);
    const yes = await shell.run(['accept', 'projects/web'], { input: 'yes\n', isTerminal: true });
    expect(yes).toMatchObject({ status: 0 });
    expect(text()).toBe(`\ufeff${yaml.replace('nextjs', 'astro')}`);
    expect((await shell.run(['plan', '--drift-exitcode'])).status).toBe(0);
  });

  it('writes the value that replaced a key in clear, although the plan hides both', async () => {
    const key = `sk_${'live'}_a1B2c3D4e5F6g7H8i9`;
    const written = yaml.replace('LEVEL: info', `NEXT_PUBLIC_SHOP: { value: ${key}, type: plain }`);
    const { shell, text } = await applied({ framework: 'nextjs', level: 'harmless', written });
    const plan = await shell.run(['plan']);
    expect(plan.stdout).toContain('value: (secret, changed)');
    expect(plan.all).not.toContain(key);
    const accepted = await shell.run(['accept', '--all', '--auto-approve']);
    expect(accepted, accepted.all).toMatchObject({ status: 0 });
    expect(text()).toBe(`\ufeff${written.replace(key, 'harmless')}`);
  });

  story(
    'leaves nothing to do: the plan has no changes, and the next apply notes it without a question',
    async () => {
      const { shell } = await applied();
      await shell.run(['accept', '--all', '--auto-approve']);
      const plan = await shell.run(['plan', '--detailed-exitcode']);
      expect(plan, plan.all).toMatchObject({ status: 0 });
      expect(plan.stdout).toContain('The ledger is out of date for 1 object');
      expect(plan.stdout).toContain('No changes.');
      expect(plan.stdout).not.toContain('adopt');
      const listed = await shell.run(['plan', '--verbose']);
      expect(listed.stdout).toContain('\n  projects/web\n');
      const json = JSON.parse((await shell.run(['plan', '--json'])).stdout);
      expect(json.summary).toMatchObject({ adopt: 0, renew: 1 });
      const terraform = JSON.parse((await shell.run(['plan', '--format', 'terraform'])).stdout);
      expect(terraform).toMatchObject({ applyable: false });
      const done = await shell.run(['apply']);
      expect(done, done.all).toMatchObject({ status: 0 });
      expect(done.stdout).toContain('1 noted');
      const after = await shell.run(['plan']);
      expect(after.stdout).toContain('No changes.');
      expect(after.stdout).not.toContain('behind');
    },
  );

  story(
    'an object that is new to the ledger is adopted by a question, with what is only noted beside it',
    async () => {
      const { shell, text, twin } = await applied();
      await shell.run(['accept', '--all', '--auto-approve']);
      const { env } = twin.account.projects[0]!;
      env.push({ ...structuredClone(env[0]!), id: 'env_new', key: 'NEW' });
      writeFileSync(
        join(shell.folder, 'trueup.yaml'),
        text().replace('LEVEL: info', 'LEVEL: info, NEW: info'),
      );
      const plan = await shell.run(['plan', '--detailed-exitcode']);
      expect(plan, plan.all).toMatchObject({ status: 2 });
      expect(plan.stdout).toContain('1 to adopt');
      expect((await shell.run(['apply'])).stderr).toContain('needs a terminal or --auto-approve');
    },
  );

  story(
    'a field that is declared for the first time, or no longer, is a change, though nothing is sent',
    async () => {
      const { shell, text } = await applied({ framework: 'nextjs' });
      const told = async (yamlNow: string) => {
        writeFileSync(join(shell.folder, 'trueup.yaml'), yamlNow);
        return shell.run(['plan', '--detailed-exitcode']);
      };
      const declared = text().replace('nextjs\n', 'nextjs\n    buildCommand: null\n');
      const first = await told(declared);
      expect(first, first.all).toMatchObject({ status: 2 });
      expect(first.stdout).toContain('buildCommand');
      expect(await shell.run(['apply', '--auto-approve'])).toMatchObject({ status: 0 });
      const last = await told(yaml);
      expect(last, last.all).toMatchObject({ status: 2 });
      expect(last.stdout).toContain('1 to release');
    },
  );

  story('an object that is gone on both sides is nothing to agree to', async () => {
    const { shell, text, twin } = await applied({ framework: 'nextjs' });
    twin.account.projects[0]!.env.splice(0);
    await shell.run(['accept', '--all', '--auto-approve']);
    expect(text()).not.toContain('LEVEL');
    const plan = await shell.run(['plan', '--detailed-exitcode']);
    expect(plan, plan.all).toMatchObject({ status: 0 });
    expect(plan.stdout).toContain('No changes.');
    expect(await shell.run(['apply'])).toMatchObject({ status: 0 });
  });

  story('a name that is written leaves nothing to do, and is no second object', async () => {
    const { shell, text, twin } = await applied({ framework: 'nextjs' });
    twin.account.projects[0]!.name = 'site';
    await shell.run(['accept', '--all', '--auto-approve']);
    expect(text()).toContain('  site:\n    framework: nextjs\n    $was: web\n    env:');
    const plan = await shell.run(['plan', '--detailed-exitcode']);
    expect(plan, plan.all).toMatchObject({ status: 0 });
    expect(await shell.run(['apply'])).toMatchObject({ status: 0 });
    expect(twin.account.projects).toHaveLength(1);
    expect((await shell.run(['plan'])).stdout).not.toContain('behind');
  });

  it('asks for each value that may be a secret, by itself, and shows none', async () => {
    const { shell, text, twin } = await applied({ framework: 'nextjs', level: 'canary-value' });
    const left = await shell.run(['accept', '--all', '--auto-approve']);
    expect(left.stderr).toContain('it may be a secret');
    expect(left.all + text()).not.toContain('canary-value');
    // The new texts have the value under another address.
    twin.account.projects[0]!.name = 'site';
    const written = await shell.run([
      'accept',
      '--all',
      '--auto-approve',
      '--values',
      'projects/web/env/LEVEL',
    ]);
    expect(written.all).not.toContain('canary-value');
    expect(text()).toContain('$was: web');
    expect(text()).toContain('LEVEL: canary-value');
  });

  it('hides such a value also if the address of its own object changes', async () => {
    const variable = 'LEVEL: { value: info, customEnvironmentIds: [staging] }';
    const written = yaml
      .replace('LEVEL: info', variable)
      .replace('env:', 'customEnvironments: { staging: {} }\n    env:');
    const { shell, text, twin } = await applied({ framework: 'nextjs', level: 'canary-value', written });
    twin.account.projects[0]!.customEnvironments[0]!.slug = 'stage';
    const accepted = await shell.run([
      'accept',
      '--all',
      '--auto-approve',
      '--values',
      'projects/web/env/LEVEL',
    ]);
    expect(text()).toContain('LEVEL: { value: canary-value, customEnvironmentIds: [stage] }');
    expect(accepted.all).not.toContain('canary-value');
  });

  story('says what is wrong with what it is asked for, and writes nothing', async () => {
    const { shell, text } = await applied();
    const said = async (...args: string[]) => (await shell.run(['accept', '--auto-approve', ...args])).stderr;
    expect(await said()).toContain('nothing to accept was named');
    expect(await said('projects/nowhere')).toContain('no address matches projects/nowhere');
    expect(await said('--all', 'projects/web')).toContain('exclude each other');
    expect(await said('--all', '-f', '-')).toContain('standard input cannot be written to');
    expect(await said('projects/web/env/LEVEL')).toContain('Nothing to accept.');
    expect(text()).toBe(`\ufeff${yaml}`);
  });

  story('finds nothing where nobody changed anything', async () => {
    const { shell } = await applied({ framework: 'nextjs' });
    const ran = await shell.run(['accept', '--all', '--auto-approve']);
    expect(ran).toMatchObject({ status: 0, stdout: '' });
    expect(ran.stderr).toContain('Nothing was changed outside');
  });

  story('leaves an edit of this side alone', async () => {
    const { shell, text } = await applied({ framework: 'nextjs' });
    const edited = yaml.replace('nextjs', 'remix');
    writeFileSync(join(shell.folder, 'trueup.yaml'), edited);
    await shell.run(['accept', 'projects/**', '--auto-approve']);
    expect(text()).toBe(edited);
  });

  story(
    'leaves out a variable with other targets and another value, which only a later reading shows, and accepts the others',
    async () => {
      const written = `stack: shop
platform: { team: acme }
sharedEnv:
  MOVED: { value: one, type: encrypted, target: [production] }
  OTHER: { value: one, type: encrypted, target: [production] }
`;
      const shell = await new Shell().write({ 'trueup.yaml': written });
      const twin = await shell.withTwin();
      const done = await shell.run(['apply', '--auto-approve']);
      expect(done, done.all).toMatchObject({ status: 0 });
      for (const variable of twin.account.sharedEnv) {
        variable.value = 'two';
        if (variable.key === 'MOVED') variable.target = ['preview'];
      }
      const ran = await shell.run(['accept', '--all', '--auto-approve', '--values', '**']);
      expect(ran, ran.all).toMatchObject({ status: 0 });
      expect(ran.stderr).toContain(
        'sharedEnv/MOVED: not accepted, because it would still be changed: `value`: edit it by hand',
      );
      expect(readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8')).toBe(
        written.replace('OTHER: { value: one', 'OTHER: { value: two'),
      );
    },
  );

  it.each([
    '{ value: one, target: [production] }',
    '{ value: one, target: [], applyToAllCustomEnvironments: true }',
  ])('leaves out a variable that lost all its targets, and accepts the others: %s', async (entry) => {
    const written = `stack: shop
platform: { team: acme }
projects: { web: { framework: nextjs } }
sharedEnv: { LOST: ${entry} }
`;
    const shell = await new Shell().write({ 'trueup.yaml': written });
    const twin = await shell.withTwin();
    const done = await shell.run(['apply', '--auto-approve']);
    expect(done, done.all).toMatchObject({ status: 0 });
    Object.assign(twin.account.sharedEnv[0]!, { target: [], applyToAllCustomEnvironments: false });
    twin.account.projects[0]!.framework = 'astro';
    const ran = await shell.run(['accept', '--all', '--auto-approve']);
    expect(ran, ran.all).toMatchObject({ status: 0 });
    expect(ran.stderr).toContain(
      'sharedEnv/LOST: it is in no target in the account, which cannot be declared: the next apply gives it its targets back; to delete it instead, remove its block',
    );
    expect(readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8')).toBe(written.replace('nextjs', 'astro'));
  });

  story('leaves out a new name that another object has, and accepts the others', async () => {
    const written = yaml.replace('  web:', '  api: { framework: astro }\n  web:');
    const shell = await new Shell().write({ 'trueup.yaml': written });
    const twin = await shell.withTwin();
    const done = await shell.run(['apply', '--auto-approve']);
    expect(done, done.all).toMatchObject({ status: 0 });
    for (const project of twin.account.projects) project.name = project.name === 'api' ? 'web' : 'shop';
    const ran = await shell.run(['accept', '--all', '--auto-approve']);
    expect(ran, ran.all).toMatchObject({ status: 0 });
    expect(ran.stderr).toContain(
      'projects/api: it is called `web` in the account, which is another object here: the next apply calls it `api` again; to keep a new name, choose one that is free',
    );
    expect(readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8')).toBe(
      written.replace('  web:', '  shop:').replace('    env:', '    $was: web\n    env:'),
    );
  });

  it('leaves out the name of an object that was deleted outside, and accepts the deletion', async () => {
    const written = `stack: shop
platform: { team: acme }
projects:
  site: { framework: vite }
  web: { framework: nextjs }
`;
    const shell = await new Shell().write({ 'trueup.yaml': written });
    const twin = await shell.withTwin();
    const done = await shell.run(['apply', '--auto-approve']);
    expect(done, done.all).toMatchObject({ status: 0 });
    twin.account.projects = twin.account.projects.filter(({ name }) => name === 'web');
    twin.account.projects[0]!.name = 'site';
    const ran = await shell.run(['accept', '--all', '--auto-approve']);
    expect(ran, ran.all).toMatchObject({ status: 0 });
    expect(ran.stderr).toContain('projects/web: it is called `site` in the account');
    expect(readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8')).toBe(
      written.replace('  site: { framework: vite }\n', ''),
    );
    const reverted = await shell.run(['apply', '--auto-approve']);
    expect(reverted, reverted.all).toMatchObject({ status: 0 });
    expect(twin.account.projects.map(({ name }) => name)).toEqual(['web']);
  });
});
