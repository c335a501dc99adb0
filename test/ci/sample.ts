import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';

const stack = (name: string) => `stack: ${name}
platform: { team: acme }
secrets: { database: {} }
projects: { ${name}: { framework: nextjs, env: { DATABASE: "\${secret.database}" } } }
`;

/** The repository that the examples are for: one stack, or several. */
export const oneStack = { 'trueup.yaml': stack('site') };
export const severalStacks = {
  'trueup.workspace.yaml': 'stacks: [dns, { path: shop, needs: [dns] }]\n',
  'dns/trueup.yaml': stack('dns'),
  'shop/trueup.yaml': stack('shop'),
};

/** A repository with these files, and nothing committed; without `origin` it has no remote. */
export async function repositoryWith(
  files: Record<string, string>,
  {
    origin = 'git@gitlab.test:acme/site.git',
    branch = 'main',
  }: { origin?: string | null; branch?: string } = {},
) {
  const shell = await new Shell().write(files);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: shell.folder, encoding: 'utf8' });
  const inGit = (name: string) => join(shell.folder, '.git', name);
  initRepository(shell.folder);
  writeFileSync(inGit('HEAD'), `ref: refs/heads/${branch}\n`);
  const fetched = '+refs/heads/*:refs/remotes/origin/*';
  if (origin !== null)
    appendFileSync(inGit('config'), `[remote "origin"]\n\turl = ${origin}\n\tfetch = ${fetched}\n`);
  return {
    shell,
    git,
    /** Runs init in a folder, and gives what it said. */
    init: (args: string[], folder = '') =>
      (folder === '' ? shell : new Shell(join(shell.folder, folder))).run(['init', ...args]),
    read: (path: string) => readFileSync(join(shell.folder, path), 'utf8'),
    /** The files that are there, without those of git. */
    files: () =>
      readdirSync(shell.folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => !/^\.git(\/|$)/.test(name) && statSync(join(shell.folder, name)).isFile())
        .sort(),
  };
}
