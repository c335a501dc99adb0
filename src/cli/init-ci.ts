import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { githubFiles } from '../ci/github.ts';
import { githubDoes, githubSteps } from '../ci/github-checklist.ts';
import type { CiFile } from '../ci/repository.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { type CiOptions, type Looked, lookAtRepository } from './ci-repository.ts';
import type { Run } from './host.ts';
import { refuseUnwritable } from './output-file.ts';

/** The files that CI needs, not written yet. */
export interface CiWork {
  top: string;
  isFresh: boolean;
  files: CiFile[];
  /** What there is to say once they are there, for people. */
  said: string[];
}

/**
 * The workflows of this repository. Nothing is written over: throws `Problems` for each file that is there with another text, and for what
 * no workflow can be written for. `fresh`: the configuration that is about to be written if there is none.
 */
export async function ciWork(
  provider: Provider,
  options: CiOptions,
  run: Run,
  fresh: string,
): Promise<CiWork> {
  const looked = await lookAtRepository(provider, options, run, fresh);
  const files = [...looked.files, ...githubFiles(looked.repository)];
  await refuseOthers(files, looked.top);
  return { top: looked.top, isFresh: looked.isFresh, files, said: saidOf(looked, files) };
}

export async function writeCi({ top, files }: CiWork): Promise<void> {
  for (const { path, text } of files) {
    const file = join(top, path);
    await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
    await writeFile(file, text).catch(refuseUnwritable(path));
  }
}

async function refuseOthers(files: CiFile[], top: string): Promise<void> {
  const wrong: string[] = [];
  for (const { path, text } of files) {
    const there = await readFile(join(top, path), 'utf8').catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : '',
    );
    if (there !== undefined && there !== text) wrong.push(path);
  }
  if (wrong.length > 0)
    throw new Problems(
      wrong.map((path) =>
        problem('init/ci-exists', `there is a ${path} already, and nothing was written`, {
          hint: 'commit it, delete it, and run this again: `git diff` then shows what is yours, and what would be new',
        }),
      ),
    );
}

function saidOf(looked: Looked, files: CiFile[]): string[] {
  const { repository } = looked;
  const width = Math.max(...files.map(({ path }) => path.length));
  const about = ({ path }: CiFile) =>
    githubDoes[/trueup-(\w+)\.yml$/.exec(path)?.[1] ?? ''] ??
    (path.endsWith('workspace.yaml') ? 'lists the stacks' : 'a first configuration');
  const steps = githubSteps(repository, looked);
  return [
    'Wrote:',
    ...files.map((file) => `  ${file.path.padEnd(width)}  ${about(file)}`),
    '',
    'Left to do:',
    ...steps.flatMap(([first, ...lines], at) => [
      `${at + 1}. ${first}`,
      ...lines.map((line) => `   ${line}`),
    ]),
  ];
}
