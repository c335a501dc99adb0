import { randomBytes } from 'node:crypto';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { Shell } from '../support/cli.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { oneStack, repositoryWith, severalStacks } from './sample.ts';

const story = oneStoryIn(7);

const yaml = (stack: string, more = '') =>
  `stack: ${stack}\nplatform: { team: ${stack === 'dns' ? 'acme' : 'globex'} }\n${more}`;
const refused = (ran: { status: number | null; stdout: string; stderr: string }, said: RegExp | string) => {
  expect(ran.stdout).toBe('');
  expect(ran.stderr).toMatch(said);
  expect(ran.status).not.toBe(0);
};

story('says what was written, and what is left to do', async () => {
  const { init } = await repositoryWith({
    ...severalStacks,
    'shop/trueup.yaml': yaml(
      'shop',
      `stages: { staging: {}, production: {} }
variables: { level: {}, host: { env: SHOP_HOST } }
secrets: { db: { env: DATABASE_URL }, op: { command: [op, read, "op://a/b"] }, mail: {}, unused: {} }
projects: { "shop-\${stage}": { framework: nextjs, env: { A: "\${secret.db}", B: "\${secret.op}", C: "\${secret.mail}", D: "\${var.level}", E: "\${var.host}" } } }
`,
    ),
  });
  for (const host of ['github', 'gitlab']) {
    const ran = await init(['--ci', host]);
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    await expect(ran.stdout).toMatchFileSnapshot(`${host}.txt`);
  }
});

oneRowIn(2)([
  ['.trueup/key', ['ledger', 'key'], {}],
  ['TRUEUP_LEDGER_KEY', ['--version'], { TRUEUP_LEDGER_KEY: randomBytes(32).toString('base64url') }],
])('asks for the key that there is in %s, and for no new one', async (place, before, env) => {
  const { shell, init } = await repositoryWith({ 'trueup.yaml': yaml('shop') });
  Object.assign(shell.env, env);
  expect((await shell.run(before)).status).toBe(0);
  for (const host of ['github', 'gitlab']) {
    const { stdout } = await init([
      '--ci',
      host,
      ...(host === 'gitlab' ? ['--tool-project', 'acme/ci'] : []),
    ]);
    expect(stdout).toContain(`the key of this machine, in ${place}; do not create another one`);
    expect(stdout).not.toContain('--print');
  }
});

it('says which secrets come from files that the repository does not have', async () => {
  const { init } = await repositoryWith({
    'trueup.workspace.yaml': 'stacks: [shop]\n',
    'shop/trueup.yaml': yaml(
      'shop',
      `secrets: { a: { file: ../shared/a }, b: { file: ..b }, c: { file: ../../c }, d: { file: x/../../../d }, e: { file: /e } }
projects: { shop: { env: { A: "\${secret.a}", B: "\${secret.b}", C: "\${secret.c}", D: "\${secret.d}", E: "\${secret.e}" } } }
`,
    ),
  });
  const { stdout } = await init(['--ci', 'github']);
  expect(stdout.match(/The secret .* outside of the repository/g)).toEqual(
    ['c', 'd', 'e'].map((name) => `The secret \`${name}\` comes from a file outside of the repository`),
  );
});

story('jobs of pull requests run the test files of a repository that has some', async () => {
  const withTests = { ...oneStack, 'site.test.yaml': 'tests: [{ name: a, expect: { create: 2 } }]\n' };
  const { init, read } = await repositoryWith(withTests);
  await init(['--ci', 'github']);
  const { jobs } = parse(read('.github/workflows/trueup-validate.yml'));
  expect(jobs.validate.steps.slice(-2)).toEqual([
    { run: 'npm exec --no -- trueup validate -f ../change/trueup.yaml' },
    { run: 'npm exec --no -- trueup test ../change' },
  ]);
  const stacks = await repositoryWith({ ...severalStacks, ...withTests });
  await stacks.init(['--ci', 'gitlab']);
  const pipeline = parse(stacks.read('trueup-ci/gitlab-ci.yml'));
  expect(pipeline.test).toEqual({ extends: 'validate', script: ['npm exec --no -- trueup test ../change'] });
});

story('what the configuration needs is in the jobs that need it', async () => {
  const { shell, init, read } = await repositoryWith({
    'trueup.yaml': yaml(
      'shop',
      `variables: { level: {}, given: { default: x } }
secrets: { db: { env: DATABASE_URL }, mail: {} }
projects: { shop: { env: { A: "\${secret.db}", B: "\${secret.mail}", C: "\${var.level}", D: "\${var.given}" } } }
`,
    ),
  });
  // What somebody has at a desk is not in CI.
  shell.env.TRUEUP_VAR_level = 'debug';
  expect((await init(['--ci', 'github'])).status).toBe(0);
  const envs = (name: string) => {
    const { jobs } = parse(read(`.github/workflows/trueup-${name}.yml`));
    return Object.values(jobs as Record<string, { steps: { run?: string; env?: object }[] }>).flatMap(
      ({ steps }) =>
        steps
          .filter(({ run = '' }) => / trueup (plan|apply|accept|validate|ledger)/.test(run))
          .map(({ env }) => env),
    );
  };
  const level = { TRUEUP_VAR_level: '${{ vars.TRUEUP_VAR_LEVEL }}' };
  const secrets = {
    DATABASE_URL: '${{ secrets.DATABASE_URL }}',
    TRUEUP_SECRET_mail: '${{ secrets.TRUEUP_SECRET_MAIL }}',
    TRUEUP_ALLOW_ENV: 'DATABASE_URL',
  };
  expect(envs('validate')).toEqual([level]);
  const [plan, ...others] = envs('plan');
  expect(others).toEqual([]);
  expect(plan).toMatchObject(level);
  expect(Object.keys(plan!)).not.toEqual(expect.arrayContaining(['DATABASE_URL']));
  for (const env of [...envs('apply'), ...envs('drift')]) expect(env).toMatchObject({ ...level, ...secrets });
  expect([...envs('apply'), ...envs('drift')]).toHaveLength(4);
});

it('a secret that nothing uses is in no job', async () => {
  const { init, read } = await repositoryWith({
    'trueup.yaml': yaml(
      'shop',
      'secrets: { a: {}, b: {} }\nprojects: { shop: { env: { A: "${secret.a}" } } }\n',
    ),
  });
  expect((await init(['--ci', 'github'])).status).toBe(0);
  expect(read('.github/workflows/trueup-apply.yml').match(/TRUEUP_SECRET_\w+(?=:)/g)).toEqual([
    'TRUEUP_SECRET_a',
    'TRUEUP_SECRET_a',
  ]);
});

story('without a configuration it writes a first one as well', async () => {
  const { shell, init, files, read } = await repositoryWith({}, { origin: null, branch: 'trunk' });
  const ran = await init(['--ci', 'github']);
  expect(ran.stdout).toMatch(/^ {2}trueup\.yaml +a first configuration: set your team in it$/m);
  expect(files()).toEqual(
    expect.arrayContaining([
      ...['trueup.yaml', 'trueup.test.yaml'],
      ...['.trueup/schema.json', '.github/workflows/trueup-plan.yml'],
    ]),
  );
  expect((await shell.run(['validate'])).status).toBe(0);
  expect((await shell.run(['test'])).stdout).toContain('3 tests in 1 file, 3 passed.');
  expect(read('.github/workflows/trueup-validate.yml')).toContain('trueup test');
  // Once more: what is there as it would be written is no reason to refuse.
  const again = await init(['--ci', 'github']);
  expect(again.stdout).toMatch(/^Already up to date:\n {2}\.github.*\n/);
  expect(again.stdout).not.toContain('Wrote:');
});

story('from a subfolder the files lie at the top, and paths start there', async () => {
  const { init, read, files } = await repositoryWith({
    'infra/prod/trueup.yml': oneStack['trueup.yaml'],
    'infra/package-lock.json': '{"packages":{"node_modules/trueup":{}}}',
  });
  const ran = await init(['--ci', 'github'], 'infra/prod');
  expect(ran.stdout).not.toContain('lockfile');
  expect(files().filter((name) => name.includes('trueup-'))).toHaveLength(5);
  const text = read('.github/workflows/trueup-plan.yml');
  expect(text).toContain('npm ci --ignore-scripts --prefix infra\n');
  expect(text).toContain('npm exec --prefix infra --no -- trueup plan -f ../change/infra/prod/trueup.yml ');
});

story('of a workspace all stacks are meant, wherever in it the command is given', async () => {
  const inFolder = Object.fromEntries(
    Object.entries(severalStacks).map(([name, text]) => [`infra/${name}`, text]),
  );
  for (const folder of ['infra', 'infra/shop']) {
    const { init, read } = await repositoryWith(inFolder);
    expect(await init(['--ci', 'github'], folder)).toMatchObject({ status: 0 });
    expect(read('.github/workflows/trueup-plan.yml')).toContain(
      'plan --workspace ../change/infra --changed-since HEAD^1 ',
    );
    expect(read('.github/workflows/trueup-apply.yml')).toContain('apply plan.json --workspace infra ');
  }
  const { init } = await repositoryWith(inFolder);
  refused(await init(['--ci', 'github']), /\[init\/elsewhere\]\n.*cd infra$/m);
});

story('stacks that no workspace lists are named', async () => {
  const files = { 'dns/trueup.yaml': yaml('dns'), 'apps/shop/trueup/a.yaml': yaml('shop') };
  const { init, files: there } = await repositoryWith(files);
  refused(await init(['--ci', 'gitlab']), /2 elsewhere[\s\S]*`stacks: \["apps\/shop", "dns"\]`/);
  expect(there()).toEqual(Object.keys(files).sort());
  const alone = await init(['--ci', 'gitlab'], 'dns');
  expect(alone.stdout).toContain(
    'These files cover dns/trueup.yaml only, not 1 configuration elsewhere: apps/shop.',
  );
});

story('a configuration at the root of the repository is named in words', async () => {
  const { init } = await repositoryWith({ 'trueup.yaml': yaml('web'), 'dns/trueup.yaml': yaml('dns') });
  expect((await init(['--ci', 'gitlab'], 'dns')).stdout).toContain(
    'not 1 configuration elsewhere: the root of the repository.',
  );
});

story('the folder trueup is one configuration, whatever its files are called', async () => {
  const { init, read } = await repositoryWith({ 'a/trueup/trueup.yaml': oneStack['trueup.yaml'] });
  expect((await init(['--ci', 'github'], 'a')).stdout).not.toContain('elsewhere');
  expect(read('.github/workflows/trueup-plan.yml')).toContain('plan -f ../change/a/trueup ');
});

story('a configuration with stages gets a workspace, so that all of them are planned', async () => {
  const { shell, init, read } = await repositoryWith({
    'trueup.yaml': yaml('shop', 'stages: { a: {}, b: {} }\nprojects: { "${stage}": {} }\n'),
  });
  expect((await init(['--ci', 'github'])).stdout).toMatch(/^ {2}trueup\.workspace\.yaml +lists the stages/m);
  expect(read('.github/workflows/trueup-apply.yml')).toContain('plan --all ');
  expect((await shell.run(['stacks'])).stdout).toMatch(/^\.@a .*\n\.@b /);
});

story('the default branch: as origin has it, as it is usually called, or as it is said', async () => {
  const branchOf = (text: string) => parse(text).on.pull_request_target.branches;
  const plan = '.github/workflows/trueup-plan.yml';
  const { git, init, read, files } = await repositoryWith(oneStack, { branch: 'work' });
  const before = files();
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'one');
  git('branch', 'other');
  refused(await init(['--ci', 'github']), '[init/branch]');
  expect(files()).toEqual(before);
  git('update-ref', 'refs/remotes/origin/trunk', 'HEAD');
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
  expect(await init(['--ci', 'github'])).toMatchObject({ status: 0 });
  expect(branchOf(read(plan))).toEqual(['trunk']);
  git('clean', '-fdq');
  expect(await init(['--ci', 'github', '--branch', 'release+1'])).toMatchObject({ status: 0 });
  expect(branchOf(read(plan))).toEqual(['release\\+1']);
  expect(read(plan)).toContain('restricted to the branch `release+1`');
  git('clean', '-fdq');
  git('symbolic-ref', '--delete', 'refs/remotes/origin/HEAD');
  git('update-ref', 'refs/remotes/origin/master', 'HEAD');
  expect(await init(['--ci', 'github'])).toMatchObject({ status: 0 });
  expect(branchOf(read(plan))).toEqual(['master']);
});

story('what is there is not written over, and nothing is written then', async () => {
  const own = { ...oneStack, '.github/workflows/trueup-sign.yml': 'name: mine\n' };
  const { init, files, read } = await repositoryWith(own);
  refused(
    await init(['--ci', 'github']),
    /\.github\/workflows\/trueup-sign\.yml already exists.*\[init\/ci-exists\]/,
  );
  expect(files()).toEqual(Object.keys(own).sort());
  expect(read('.github/workflows/trueup-sign.yml')).toBe('name: mine\n');

  // Nothing is written through a link: where it leads is not part of the repository.
  for (const [link, target] of [
    ['.github', 'away'],
    ['.github/workflows/trueup-plan.yml', join('..', '..', 'away', 'nothing')],
  ] as const) {
    const linked = await repositoryWith({
      ...oneStack,
      'away/keep': '',
      ...(link === '.github' ? {} : { '.github/workflows/x': '' }),
    });
    symlinkSync(target, join(linked.shell.folder, link));
    refused(
      await linked.init(['--ci', 'github']),
      /through the symbolic link \.github.* \[init\/ci-exists\]/,
    );
    expect(readdirSync(join(linked.shell.folder, 'away'))).toEqual(['keep']);
  }
});

story('is clear about what cannot be done', async () => {
  const { init, files } = await repositoryWith(oneStack, { origin: null });
  refused(await init(['--ci', 'githb']), /Did you mean github\?/);
  refused(await init(['--ci', 'jenkins']), /It must be github or gitlab\./);
  for (const given of [
    ['--branch', 'main'],
    ['--ci', 'gitlab', '--branch', 'main'],
    ['--ci', 'github', '--tool-project', 'a/b'],
  ])
    refused(await init(given), '[cli/options]');
  refused(await init(['--ci', 'gitlab']), /\[init\/tool-project\]\n.*--tool-project acme\/trueup-ci/);
  refused(await init(['--ci', 'gitlab', '--tool-project', 'a/b;touch ran']), /is not a project path/);
  expect(files()).toEqual(['trueup.yaml']);
  const outside = await new Shell().write(oneStack);
  refused(await outside.run(['init', '--ci', 'github']), '[init/no-repository]');
  const broken = await repositoryWith({
    'trueup.yaml': 'stack: s\nplatform: { team: acme }\nprojects: { web: { framwork: nextjs } }\n',
  });
  refused(await broken.init(['--ci', 'github']), /trueup\.yaml:3:20/);
  expect(broken.files()).toEqual(['trueup.yaml']);
});
