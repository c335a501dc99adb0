import { execFileSync } from 'node:child_process';
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

/** The events of a stream. */
export const eventsIn = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A folder with these files in a git repository with one commit, and a twin that it talks to. */
export async function workplace(more: Record<string, string> = {}, seed?: Seed) {
  const shell = await new Shell().write({ ...files, ...more });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: shell.folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: shell.folder },
    });
  initRepository(shell.folder);
  git('add', '-A');
  git('commit', '-qm', 'one');
  const twin = await shell.withTwin(seed);
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText() };
  return { shell, git, twin };
}
