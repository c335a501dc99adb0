import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { git } from '../support/ledger-places.ts';
import { RecordedSite } from '../support/recorded-site.ts';

const web = (level: string) => `projects: { web: { env: { LEVEL: { value: ${level}, type: plain } } } }\n`;
const refuses = 'deny: [{ at: "**", message: Ask. }]\n';

it('No command applies a plan that the guards reject, and a pull request cannot bring the guards of its own plan.', async () => {
  const site = await RecordedSite.open('file');
  site.commit(web('info'));
  await site.apply();
  writeFileSync(join(site.folder, 'guards.yaml'), refuses);
  site.commit(web('debug'));
  await site.apply();
  site.edit(web('trace'));
  const before = JSON.stringify(site.twin.account);
  const writes = () => site.twin.requests.filter(({ method }) => method !== 'GET').length;
  const sent = writes();
  for (const args of [
    ['apply', '--auto-approve'],
    ['apply', '--auto-approve', '--target', '**', '--overwrite-conflicts', '--max-deletions', '99'],
    ['destroy', '--confirm', 'shop', 'projects/web'],
    ['undo', '2', '--auto-approve'],
  ]) {
    const ran = await site.run([...args, '--guards', 'guards.yaml']);
    expect([args, ran.status, ran.stderr]).toEqual([
      args,
      1,
      expect.stringContaining('the guards refuse to'),
    ]);
  }
  expect([JSON.stringify(site.twin.account), writes()]).toEqual([before, sent]);

  // In a pull request: the file beside the YAML, the commit that is planned, whatever it is called, and a program of it.
  site.env.CI_MERGE_REQUEST_IID = '7';
  git(site.checkout, 'branch', '--force', 'main-of-mine');
  writeFileSync(join(site.folder, 'check'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  for (const [flag, own] of [
    ['--guards', 'guards.yaml'],
    ['--guards', 'HEAD:./guards.yaml'],
    ['--guards', 'main-of-mine:./guards.yaml'],
  ]) {
    const ran = await site.run(['plan', flag!, own!]);
    expect([own, ran.status, ran.stderr]).toEqual([
      own,
      1,
      expect.stringContaining('are part of the pull request'),
    ]);
  }
  const checked = await site.run(['plan', '--check', './check']);
  expect([checked.status, checked.stderr]).toEqual([1, expect.stringContaining('there is no program')]);
});

it('A plan that guards allowed is not applied unless guards judge it again.', async () => {
  const site = await RecordedSite.open('file');
  site.commit(web('info'));
  const guards = (text: string) => writeFileSync(join(site.folder, 'guards.yaml'), text);
  guards('deny: []\n');
  const saved = await site.run(['plan', '--guards', 'guards.yaml', '--check', 'true', '--out', 'plan.json']);
  expect(saved.status, saved.all).toBe(0);
  const applied = async (...args: string[]) =>
    (await site.run(['apply', 'plan.json', '--settle', '0', ...args])).status;
  const both = ['--guards', 'guards.yaml', '--check'];
  expect(await applied()).toBe(1);
  expect(await applied('--guards', 'guards.yaml')).toBe(1);
  expect(await applied('--check', 'true')).toBe(1);
  expect(await applied(...both, 'false')).toBe(1);
  guards(refuses);
  expect(await applied(...both, 'true')).toBe(1);
  expect(site.twin.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  guards('limits: { deletions: 0 }\n');
  expect(await applied(...both, 'true')).toBe(0);
});

it('A person has no name that escapes a guard or `--exclude`, if the token can read the members of the team.', async () => {
  const shell = await new Shell().write({
    'guards.yaml':
      'deny: [{ at: "projects/*/members/mal@acme.example", action: [create, delete], message: Ask. }]\n',
  });
  const people = [{ uid: 'user_mal', email: 'mal@acme.example', username: 'mallory', role: 'DEVELOPER' }];
  const members = { slug: 'acme', name: 'Acme', members: people };
  await shell.withTwin({ team: members, projects: [{ name: 'web' }] } as never);
  shell.env.TRUEUP_LEDGER_KEY = keyText();
  const declare = (block: string) =>
    shell.write({
      'trueup.yaml': `stack: a\nplatform: { team: acme }\nprojects: { web: { members: { ${block} } } }\n$allow: [remove-access]\n`,
    });
  const refusals = async () => {
    const { all } = await shell.run(['apply', '--auto-approve', '--guards', 'guards.yaml']);
    return /the guards refuse to (\S+) /.exec(all)?.[1] ?? all;
  };
  for (const name of [
    'mal@acme.example',
    'mallory',
    'user_mal',
    'mallory: { uid: user_mal, role: ADMIN } #',
  ]) {
    await declare(name.includes('{') ? `${name}\n` : `${name}: { role: ADMIN }`);
    expect([name, await refusals()]).toEqual([name, 'create']);
    const excluded = await shell.run(['plan', '--exclude', 'projects/web/members/mal@acme.example']);
    expect([name, excluded.stdout]).toEqual([name, expect.stringContaining('Plan: 0 to create')]);
  }
  await declare('mallory: { role: ADMIN }');
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  await declare('');
  expect(await refusals()).toBe('delete');
});
