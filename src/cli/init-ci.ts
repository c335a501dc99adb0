import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { githubFiles } from '../ci/github.ts';
import { githubDoes, githubSteps } from '../ci/github-checklist.ts';
import { gitlabFiles } from '../ci/gitlab.ts';
import { gitlabDoes, gitlabSteps } from '../ci/gitlab-checklist.ts';
import type { CiFile } from '../ci/repository.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { version } from '../model/version.ts';
import { cleanLine } from '../report/clean.ts';
import { type CiOptions, type Looked, lookAtRepository } from './ci-repository.ts';
import type { Run } from './host.ts';
import { refuseUnwritable } from './output-file.ts';
import { toolProject } from './tool-project.ts';

/** A file with what it is for. */
interface ToldFile extends CiFile {
  does: string;
}

/** The files that CI needs, not written yet. */
export interface CiWork {
  top: string;
  /** True if the first configuration is among them. */
  isFresh: boolean;
  files: ToldFile[];
  /** What is left to do once they are there, each a step with its lines. */
  steps: string[][];
}

/**
 * The workflows of this repository. Nothing is written over: throws `Problems` for each file that is there with another text, and for
 * what no workflow can be written for. `fresh`: the configuration that is about to be written if there is none.
 */
export async function ciWork(
  provider: Provider,
  options: CiOptions,
  run: Run,
  fresh: string,
): Promise<CiWork> {
  const looked = await lookAtRepository(provider, options, run, fresh);
  const { top, isFresh } = looked;
  const { files, steps } = options.ci === 'gitlab' ? await onGitlab(looked, options, run) : onGithub(looked);
  const all = [
    ...looked.files.map((file) => ({
      ...file,
      does: isFresh ? 'a first configuration: put your team into it' : 'lists the stages for the workflows',
    })),
    ...files,
  ];
  await refuseOthers(all, top);
  return { top, isFresh, files: all, steps };
}

const onGithub = (looked: Looked): Pick<CiWork, 'files' | 'steps'> => ({
  files: githubFiles(looked.repository).map((file) => ({
    ...file,
    does: githubDoes[/trueup-(\w+)\.yml$/.exec(file.path)![1]!]!,
  })),
  steps: githubSteps(looked.repository, looked, version),
});

/** The folder, at the top of the repository, that becomes the project with the tool. */
const folderOfTool = 'trueup-ci';

async function onGitlab(
  looked: Looked,
  options: CiOptions,
  run: Run,
): Promise<Pick<CiWork, 'files' | 'steps'>> {
  const project = await toolProject(looked.top, options, run);
  return {
    files: gitlabFiles(looked.repository, project).map(({ path, text }) => ({
      path: `${folderOfTool}/${path}`,
      text,
      does: gitlabDoes[path]!,
    })),
    steps: gitlabSteps(looked.repository, looked, { project, folder: folderOfTool, version }),
  };
}

/** Writes the files that are not there yet, with the folders that they are in. */
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

/** What was written, and what is left to do, for people. */
export function ciText({ files, steps }: CiWork): string {
  const width = Math.max(...files.map(({ path }) => path.length));
  return [
    'Wrote:',
    ...files.map(({ path, does }) => `  ${path.padEnd(width)}  ${does}`),
    '',
    'Left to do:',
    ...steps.flatMap(([first = '', ...lines], at) => [
      `${at + 1}. ${cleanLine(first)}`,
      ...lines.map((line) => `   ${cleanLine(line)}`),
    ]),
  ].join('\n');
}
