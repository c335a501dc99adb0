import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { keyText } from '../support/keys.ts';

/** Three stacks: zones, a shop in two stages that stands on them, and a tool by itself. */
export const files = {
  'trueup.workspace.yaml': `stacks:
  - dns
  - { path: shop, stages: [staging, production], needs: [dns] }
  - stacks/*
`,
  'dns/trueup.yaml': `stack: dns
platform: { team: acme }
projects: { hub: { framework: nextjs } }
`,
  'shop/trueup.yaml': `stack: shop
platform: { team: acme }
include: [../shared]
stages:
  staging: { files: [staging.yaml] }
  production: {}
variables: { colours: { file: colours.csv } }
projects:
  hub: { $existing: true, env: { "SHOP_\${stage | upper}": yes } }
  shop-\${stage}:
    $use: base
    env: { HUB: "\${projects.hub.id}" }
  "\${stage}-\${each.key}": { $each: "\${var.colours}", $use: base }
`,
  'shop/staging.yaml': 'patches: [{ $at: projects/shop-*, env: { DEBUG: "1" } }]\n',
  'shop/colours.csv': 'name\nred\n',
  'shared/base.yaml': 'templates: { base: { framework: nextjs } }\n',
  'stacks/tools/trueup.yaml': `stack: tools
platform: { team: acme }
projects: { intranet: { framework: vite } }
`,
  'stacks/notes/README.md': 'no stack\n',
};

/** The file of a stack with one project. */
export const stackFile = (name: string, framework = 'nextjs') =>
  `stack: ${name}\nplatform: { team: acme }\nprojects: { ${name}-app: { framework: ${framework} } }\n`;

/** Three stacks, each of which needs the one before it: `last`, `middle` and `first`. */
export const chain = {
  'trueup.workspace.yaml':
    'stacks: [last, { path: middle, needs: [last] }, { path: first, needs: [middle] }]\n',
  'last/trueup.yaml': stackFile('last'),
  'middle/trueup.yaml': stackFile('middle'),
  'first/trueup.yaml': stackFile('first'),
};

/** The events of a stream. */
export const eventsIn = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The `.git` with the one commit of a folder, by the files that are in it, made once for all tests of a process: each git costs. */
const committed = new Map<string, string>();
let templates: string | undefined;

function commitsFolder(): string {
  if (templates !== undefined) return templates;
  const folder = mkdtempSync(join(tmpdir(), 'trueup-committed-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  templates = folder;
  return folder;
}

/** A folder with these files in a git repository with one commit, and a twin that it talks to. */
export async function workplace(more: Record<string, string> = {}, seed?: Seed) {
  const all = { ...files, ...more };
  const shell = await new Shell().write(all);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: shell.folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: shell.folder },
    });
  const repository = join(shell.folder, '.git');
  const known = committed.get(JSON.stringify(all));
  if (known === undefined) {
    initRepository(shell.folder);
    git('add', '-A');
    git('commit', '-qm', 'one');
    const kept = join(commitsFolder(), `${committed.size}`);
    cpSync(repository, kept, { recursive: true });
    committed.set(JSON.stringify(all), kept);
  } else cpSync(known, repository, { recursive: true });
  const twin = await shell.withTwin(seed);
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText() };
  return { shell, git, twin };
}
