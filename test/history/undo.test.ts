import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { below, git, repository } from '../support/ledger-places.ts';

export async function site(): Promise<Shell & { commit(yaml: string): string }> {
  const checkout = repository().clone();
  const folder = below(checkout);
  const shell = new Shell(folder);
  await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText(), USER: 'ada', TRUEUP_LEDGER: 'git' };
  return Object.assign(shell, {
    commit(yaml: string): string {
      writeFileSync(join(folder, 'trueup.yaml'), `stack: shop\nplatform: { team: acme }\n${yaml}`);
      git(checkout, 'add', '-A');
      git(checkout, 'commit', '--quiet', '-m', 'change');
      return git(checkout, 'rev-parse', 'HEAD');
    },
  });
}

it('undoes', async () => {
  const shell = await site();
  shell.commit('projects: { web: { framework: nextjs, env: { A: { value: one, type: plain } } } }\n');
  console.log((await shell.run(['apply', '--auto-approve'])).all);
  shell.commit(
    'projects: { web: { framework: astro, env: { A: { value: two, type: plain }, B: { value: b, type: plain } } } }\n',
  );
  console.log((await shell.run(['apply', '--auto-approve'])).all);
  console.log((await shell.run(['log'])).all);
  console.log((await shell.run(['log', 'projects/web/env/A'])).all);
  console.log((await shell.run(['undo', '2', '--auto-approve', '--settle', '0'])).all);
  console.log((await shell.run(['log', '--json', '--run', '3'])).all);
  console.log(git(shell.folder, 'ls-remote', 'origin'));
  console.log(
    git(
      shell.folder,
      'log',
      '--format=%B',
      git(shell.folder, 'ls-remote', 'origin', 'refs/trueup/shop').split('\t')[0]!,
    ),
  );
  expect(1).toBe(1);
});
