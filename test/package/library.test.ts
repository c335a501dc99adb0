import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { pack, temporary } from './packed.ts';

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

it('as a library: installed offline, its example runs, and a program is typed without any other package', () => {
  const folder = temporary();
  writeFileSync(join(folder, 'trueup.tgz'), pack());
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const run = (file: string, args: string[]) =>
    execFileSync(file, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder },
    });
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', './trueup.tgz']);

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

  writeFileSync(join(folder, 'program.ts'), program);
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
    JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
  );
  expect(run(resolve('node_modules/.bin/tsc'), ['-p', '.'])).toBe('');
});
