import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takenTypes } from '../../providers/hosting/foreign/index.ts';
import { reasons } from '../../providers/hosting/foreign/reasons.ts';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { accountWith } from './account.ts';
import { stateOf } from './state.ts';

const guide = readFileSync('docs/coming-from-terraform.md', 'utf8');

it('the tables of the guide have every resource that is taken over or not, and kinds that there are', () => {
  const [taken = '', left = ''] = guide.split('\nEverything else stays');
  const rows = [...taken.matchAll(/^\| `(vercel_\w+)` +\| (.*?) +\|/gm)];
  expect(rows.map(([, type]) => type)).toEqual(takenTypes);
  const others = [...left.matchAll(/`(vercel_\w+)`/g)].map(([, type]) => type!);
  expect(others.sort()).toEqual([...reasons.keys()].sort());
  const named = rows.flatMap(([, , becomes]) => [...becomes!.matchAll(/`(\w+)`/g)].map(([, kind]) => kind!));
  const known = new Set(kinds.map(({ name }) => name));
  expect(named.filter((kind) => !known.has(kind))).toEqual([]);
});

it('its commands work in the order in which they stand, and ids can go after the first apply', async () => {
  const { id, beside } = await accountWith(`stack: acme
platform: { team: acme }
projects: { web: { framework: nextjs } }
`);
  const attributes = { id: id('projects/web'), name: 'web', framework: 'nextjs', team_id: 'team_acme' };
  const shell = await beside().write({
    'state.json': stateOf([{ type: 'vercel_project', name: 'web', attributes }]),
  });
  const commands = [...guide.matchAll(/^trueup (.*)$/gm)].map(([, words]) => words!.split(' '));
  expect(commands.length).toBe(3);
  for (const words of commands) {
    const ran = await shell.run([...words, ...(words[0] === 'apply' ? ['--auto-approve'] : [])]);
    expect(ran.status, `${words.join(' ')}\n${ran.all}`).toBe(0);
    if (words[0] === 'from') expect(ran.stderr).toContain('Verified: its plan sends nothing.');
  }
  const file = join(shell.folder, 'infra/projects.yaml');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, before.replace(/^ *\$id:.*\n/m, ''));
  expect(readFileSync(file, 'utf8')).not.toBe(before);
  expect((await shell.run(['plan', '-f', 'infra', '--detailed-exitcode'])).status).toBe(0);
});
