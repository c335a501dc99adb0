import { type CiOptions, type InspectedRepository, inspectRepository } from '../app/ci/inspect-repository.ts';
import { findUnwrittenFiles } from '../app/output-file.ts';
import { githubDoes, githubFiles, githubSteps } from '../ci/github.ts';
import { gitlabDoes, gitlabFiles, gitlabSteps } from '../ci/gitlab.ts';
import type { CiFile } from '../ci/repository.ts';
import { quoted } from '../config/suggest.ts';
import { findOriginPath } from '../git/origin.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems } from '../model/diagnostic.ts';
import { version } from '../model/version.ts';
import { cleanLine } from '../report/clean.ts';
import type { CommandRun } from './command-run.ts';

/** A file with what it is for. */
interface ToldFile extends CiFile {
  does: string;
}

/** The files that CI needs, not written yet. */
interface CiWork {
  top: string;
  /** True if the first configuration is among them. */
  isFresh: boolean;
  files: ToldFile[];
  /** Those that are there already, as they would be written. */
  kept: ToldFile[];
  /** The steps that remain after that, each with its lines. */
  steps: string[][];
}

/**
 * The workflows of this repository. Nothing is written over: throws `Problems` for each file that is there with another text, and for
 * what no workflow can be written for. `fresh`: the configuration that is about to be written if there is none.
 */
export async function ciWork(
  provider: Provider,
  options: CiOptions,
  run: CommandRun,
  fresh: string,
): Promise<CiWork> {
  const looked = await inspectRepository(provider, options, run, fresh);
  const { top, isFresh } = looked;
  const { files, steps } = options.ci === 'gitlab' ? await onGitlab(looked, options, run) : onGithub(looked);
  const all = [
    ...looked.files.map((file) => ({
      ...file,
      does: isFresh ? 'a first configuration: set your team in it' : 'lists the stages for the workflows',
    })),
    ...files,
  ];
  const missing = await findUnwrittenFiles(all, top);
  return {
    top,
    isFresh,
    files: all.filter(({ path }) => missing.has(path)),
    kept: all.filter(({ path }) => !missing.has(path)),
    steps,
  };
}

const onGithub = (looked: InspectedRepository): Pick<CiWork, 'files' | 'steps'> => ({
  files: githubFiles(looked.repository).map((file) => ({
    ...file,
    does: githubDoes[/trueup-(\w+)\.yml$/.exec(file.path)![1]!]!,
  })),
  steps: githubSteps(looked.repository, looked, version),
});

/** The folder, at the top of the repository, that becomes the project with the tool. */
const folderOfTool = 'trueup-ci';

async function onGitlab(
  looked: InspectedRepository,
  options: CiOptions,
  run: CommandRun,
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

/** Tells people about the written files and the remaining steps. */
export function ciText({ files, kept, steps }: CiWork): string {
  const width = Math.max(...[...files, ...kept].map(({ path }) => path.length));
  const part = (title: string, toldFiles: ToldFile[]) =>
    toldFiles.length === 0
      ? []
      : [title, ...toldFiles.map(({ path, does }) => `  ${path.padEnd(width)}  ${does}`), ''];
  return [
    ...part('Wrote:', files),
    ...part('Already up to date:', kept),
    'Left to do:',
    ...steps.flatMap(([first = '', ...lines], index) => [
      `${index + 1}. ${cleanLine(first)}`,
      ...lines.map((line) => `   ${cleanLine(line)}`),
    ]),
  ].join('\n');
}

/**
 * The path of the project that holds the tool on GitLab: as it was given, else `trueup-ci` beside the one of `origin`. Throws `Problems`
 * where nobody can tell, and for a path that is none.
 */
async function toolProject(
  top: string,
  { toolProject: given }: CiOptions,
  { host }: CommandRun,
): Promise<string> {
  const origin = given === undefined ? await findOriginPath(top, host.env).catch(() => undefined) : undefined;
  const project = given ?? (origin?.includes('/') ? origin.replace(/[^/]*$/, 'trueup-ci') : undefined);
  if (project === undefined)
    throw new Problems(
      'init/tool-project',
      'git does not know the group of this project, so it is unclear where the tool belongs',
      {
        hint: 'name the project for it: --tool-project acme/trueup-ci',
      },
    );
  if (!/^\w[\w.-]*(\/\w[\w.-]*)+$/.test(project))
    throw new Problems('init/tool-project', `${quoted(project)} is not a project path`, {
      hint: 'use GROUP/PROJECT with letters, digits, `_`, `.` and `-`: --tool-project acme/trueup-ci',
    });
  return project;
}
