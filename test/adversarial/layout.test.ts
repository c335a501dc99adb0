import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git, temporary } from '../support/ledger-places.ts';
import { program } from '../support/process.ts';
import { canaries, exampleWorkflow, site } from '../support/site.ts';
import { checkoutToken, pushedWorkflow, runWorkflow, type Trigger } from '../support/workflow.ts';

/*
 * The example workflows, real npm, and a branch that changes all that it can reach. `main` has the tool as a folder of its own, so that
 * npm installs it without a network.
 */

const yaml = (header = '', fields = '') => `stack: site
platform: { team: acme }
${header}projects: { web: { framework: nextjs${fields} } }
`;

/** A repository that uses trueup: its workflows, its lockfile, and the tool. */
function repository(tool: string, scripts: Record<string, string> = {}): Record<string, string> {
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

const npmEnv = () => ({
  npm_config_cache: temporary(),
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_update_notifier: 'false',
});

/** What a branch brings along in the hope that somebody runs it: whatever does writes its name, and the environment, to `ran`. */
function hostile(ran: string) {
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
    ...repository(`#!/usr/bin/env node\n${node('tool')}`, {
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

it('In CI the tool, its lockfile and the workflow come from the default branch; of a pull request only YAML and data are read, and nothing in it runs.', async () => {
  const { bare, desk, push, pull, machine, comments, writes } = await site();
  const place = temporary();
  const ran = join(place, 'ran');
  push('main', repository(`#!/usr/bin/env node\nrequire(${JSON.stringify(program)});\n`));
  const { files, finish } = hostile(ran);
  const event = pull(push('change', files, () => finish(desk)));

  // The bait is good: npm, started in the pull request's folder, runs what it finds there.
  const control = join(place, 'control');
  git(place, 'clone', '--quiet', '--branch=change', `file://${bare}`, control);
  const env = { PATH: process.env.PATH, HOME: place, ...npmEnv() };
  spawnSync('npm', ['exec', '--no', '--', 'trueup'], { cwd: control, env, stdio: 'ignore' });
  expect(readFileSync(ran, 'utf8')).toMatch(/^(node-options|script-shell|trueup|tool)$/m);
  writeFileSync(ran, '');

  // Which workflow runs is GitHub's business: for `pull_request` the pushed one, for `pull_request_target` that of `main`.
  const start = (name: string, trigger: Trigger, own = false) => {
    const on = machine({
      trigger,
      event,
      env: { ...machine().env, ...npmEnv(), VAULT_TOKEN: canaries.database },
      isNpmReal: true,
    });
    return runWorkflow(own ? exampleWorkflow(name) : pushedWorkflow(on, name), on);
  };
  const stolen = [await start('validate', 'pull_request'), await start('plan', 'pull_request')];
  for (const { steal } of stolen)
    expect(steal).toMatchObject({ ok: false, log: expect.stringContaining('is not allowed to use') });
  const { plan } = await start('plan', 'pull_request_target');
  expect(plan).toMatchObject({ ok: true, summary: expect.stringContaining('<code>projects/web</code>') });
  // Where the branch has left the workflow as it is.
  const { validate } = await start('validate', 'pull_request', true);
  expect(validate).toMatchObject({ ok: true });

  expect(readFileSync(ran, 'utf8')).toBe('');
  expect(comments()).toEqual([expect.stringContaining('projects/web')]);
  expect(writes()).toBe(0);
  const said = JSON.stringify([stolen, plan, validate, comments()]);
  for (const secret of [...Object.values(canaries), checkoutToken]) expect(said).not.toContain(secret);

  // The file itself is a link, to what the other checkout fetches with.
  const linked = pull(
    push('change', {}, () => symlinkSync('../base/.git/config', join(desk, 'trueup.yaml'))),
  );
  const on = machine({ trigger: 'pull_request_target', event: linked });
  const refused = await runWorkflow(exampleWorkflow('plan'), on);
  expect(refused.plan!.ok).toBe(false);
  expect(comments()).toEqual([expect.stringContaining('leads out of the repository')]);
  expect(JSON.stringify([refused, comments()])).not.toContain(checkoutToken);
});
