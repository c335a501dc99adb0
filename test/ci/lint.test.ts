import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { oddRepository } from './odd-repository.ts';
import { oneStack, repositoryWith, severalStacks } from './sample.ts';

/*
 * Linters of others, each where it is installed (.ci/run says how): what they say of all that `init --ci` writes, for a repository as the
 * examples have it and for one in which every name is odd.
 */

const has = (program: string) => spawnSync(program, ['--version']).status === 0;
const linters = ['actionlint', 'shellcheck', 'zizmor', 'check-jsonschema'];
const missing = linters.filter((program) => !has(program));
if (missing.length > 0) console.log(`not installed, and so not asked about workflows: ${missing.join(', ')}`);
const needs = (...programs: string[]) => it.skipIf(programs.some((one) => missing.includes(one)));

const folder = mkdtempSync(join(tmpdir(), 'trueup-lint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const repositories = {
    one: await repositoryWith(oneStack),
    several: await repositoryWith(severalStacks),
    odd: await oddRepository(),
  };
  for (const [name, { init, read, files }] of Object.entries(repositories)) {
    for (const host of ['github', 'gitlab']) {
      const ran = await init(
        ['--ci', host],
        'folder' in repositories[name as 'odd'] ? repositories.odd.folder : '',
      );
      expect(ran.status, ran.all).toBe(0);
    }
    for (const path of files().filter((one) => /^(\.github|trueup-ci)\//.test(one))) {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true });
      writeFileSync(join(folder, name, path), read(path));
    }
  }
});

const written = (what: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => what.test(name))
    .map((name) => join(folder, name));

function clean(program: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
}

const workflows = (repository: string) => {
  const files = written(new RegExp(`^(${repository})/\\.github/workflows/.*\\.yml$`));
  expect(files).toHaveLength(5);
  return files;
};

needs('actionlint', 'shellcheck')('actionlint, with shellcheck, finds nothing in the workflows', () => {
  clean('actionlint', [...workflows('one'), ...workflows('several')]);
  // That `$(...)` stays what it is, is what the quotes are for.
  clean('actionlint', ['-ignore', 'SC2016', ...workflows('odd')]);
});

needs('zizmor')('zizmor finds nothing in the workflows, and nothing in the action', () => {
  const all = ['one', 'several', 'odd'].flatMap(workflows);
  clean('zizmor', ['--offline', '--quiet', '--no-progress', 'action.yml', ...all]);
});

needs('shellcheck')('shellcheck finds nothing in the scripts of the action', () => {
  const { steps } = parse(readFileSync('action.yml', 'utf8')).runs as { steps: { run?: string }[] };
  const scripts = steps.flatMap(({ run }) => run ?? []);
  expect(scripts).toHaveLength(2);
  for (const [at, script] of scripts.entries()) {
    const file = join(folder, `script-${at}.sh`);
    writeFileSync(file, script);
    clean('shellcheck', ['--shell=bash', file]);
  }
});

needs('shellcheck')('shellcheck finds nothing in the scripts of the pipelines', () => {
  const scripts = written(/gitlab-\w+\.yml$/).flatMap((file, at) => {
    const { default: all, ...jobs } = parse(readFileSync(file, 'utf8')) as Record<
      string,
      { before_script?: string[]; script?: string[] }
    >;
    return Object.entries(jobs).flatMap(([name, { script }]) => {
      if (script === undefined) return [];
      const written = join(folder, `${at}-${name}.sh`);
      writeFileSync(written, ['set -e', ...(all?.before_script ?? []), ...script].join('\n'));
      return [written];
    });
  });
  expect(scripts.length).toBeGreaterThan(20);
  clean('shellcheck', ['--shell=bash', '--exclude=SC2016', ...scripts]);
});

needs('check-jsonschema')('the action is as the schema of GitHub has it', () => {
  clean('check-jsonschema', ['--builtin-schema', 'vendor.github-actions', 'action.yml']);
});

needs('check-jsonschema')('the pipelines are as the schema of GitLab has them', () => {
  const files = written(/gitlab-\w+\.yml$/);
  expect(files).toHaveLength(5);
  clean('check-jsonschema', [
    '--builtin-schema',
    'vendor.gitlab-ci',
    '--data-transform',
    'gitlab-ci',
    ...files,
  ]);
});

needs('actionlint')('a workflow with a mistake is not passed', () => {
  const [file] = written(/one\/.*trueup-plan\.yml$/);
  const broken = join(folder, 'broken.yml');
  writeFileSync(broken, readFileSync(file!, 'utf8').replace('runs-on:', 'run-on:'));
  expect(spawnSync('actionlint', [broken]).status).not.toBe(0);
  rmSync(broken);
});
