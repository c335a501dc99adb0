import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect } from 'vitest';
import { all, oneStoryIn } from '../support/sweep.ts';
import { pack } from './packed.ts';

const story = oneStoryIn(3);

const folder = mkdtempSync(join(tmpdir(), 'trueup-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// What users do with the package begins with this, whichever it is.
beforeAll(() => {
  writeFileSync(join(folder, 'trueup.tgz'), pack());
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', './trueup.tgz'], {
    cwd: folder,
    stdio: 'ignore',
  });
});

story(
  'the package as users get it: installs offline into an empty folder, without dependencies, and does the main job',
  async () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'trueup',
    ]);
    // Whatever is set for CI, or for other runs of it.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME };
    const trueup = (...args: string[]) =>
      execFileSync(join(folder, 'node_modules/.bin/trueup'), args, {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        env,
      });
    const [url] = await firstLine(folder);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    trueup('init');
    trueup('validate');
    // As the workflows call it: nothing of npm is in between.
    const planned = spawnSync(
      'npm',
      ['exec', '--no', '--', 'trueup', 'plan', '--twin', '--detailed-exitcode'],
      {
        cwd: folder,
        encoding: 'utf8',
        env,
      },
    );
    expect(planned.status).toBe(2);
    expect(planned.stdout).toContain('projects/web');
    if (all) expect(planned.stdout).toBe(trueup('plan', '--twin'));
    expect(trueup('apply', '--twin', '--auto-approve')).toContain('Verified: the account matches');
    // That the apply has verified it says the same.
    if (all) expect(trueup('plan', '--twin', '--detailed-exitcode')).toContain('No changes');
  },
);

/** What `trueup twin` prints first; then it is stopped, and must end by itself. */
async function firstLine(folder: string): Promise<string[]> {
  const twin = spawn(join(folder, 'node_modules/.bin/trueup'), ['twin'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(twin, 'exit');
  const line = (await once(createInterface({ input: twin.stdout }), 'line')) as string[];
  twin.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  return line;
}

const program = `import { apply, load, openPlan, type Plan, Problems, startTwin } from 'trueup';
const twin: { url: string } = await startTwin({ seed: {} });
const configuration = await load({ files: ['trueup.yaml'], env: {} });
const stack: string = configuration.stack;
const open = await openPlan(configuration, { baseUrl: twin.url, targets: ['projects/**'] });
const plan: Plan = open.plan;
const actions: string[] = plan.changes.map(({ action }) => action);
const { outcome, after } = await apply(open, { onEvent: ({ type }) => void type });
const left: number | undefined = after?.operations.length;
const failed: string[] = outcome.failed.map(({ address }) => address);
export { actions, failed, left, Problems, stack };
// @ts-expect-error: not a member of a plan
plan.nonsense;
`;

story('as a library: its example runs, and a program is typed without any other package', () => {
  const run = (file: string, args: string[]) =>
    execFileSync(file, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder },
    });
  copyFileSync(resolve('examples/library.mjs'), join(folder, 'example.mjs'));
  const said = run(process.execPath, ['example.mjs']);
  expect(said).toContain('Plan: 1 to create');
  expect(said).toContain("done: [ 'projects/web' ] left to do: 0");
  expect(
    run(process.execPath, [
      '--eval',
      'console.log(Object.keys(require("trueup")).join())',
      '--input-type=commonjs',
    ]),
  ).toBe('Problems,apply,load,openPlan,startTwin\n');

  writeFileSync(join(folder, 'program.mts'), program);
  const options = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    noEmit: true,
    types: [],
    skipLibCheck: false,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['program.mts'] }),
  );
  expect(run(resolve('node_modules/.bin/tsc'), ['-p', '.'])).toBe('');
});
