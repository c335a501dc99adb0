/*
 * The work of `trueup init --ci`: which CI files a repository lacks, which ones are up to date, and the steps that only a person can do.
 */

import { appendFile, lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { quoted } from '../config/suggest.ts';
import { isTestFileName } from '../config/test-file-name.ts';
import { refuseUnwritable } from '../files/write-files.ts';
import { findOriginPath } from '../git/checkout.ts';
import type { Host } from '../host.ts';
import { type Diagnostic, Reporter, raise } from '../model/diagnostic.ts';
import { version } from '../model/version.ts';
import { githubFilePurposes, githubFiles } from './github.ts';
import { githubSteps } from './github-steps.ts';
import { gitlabFilePurposes, gitlabFiles, gitlabSteps } from './gitlab.ts';
import type { CiOptions, InspectedRepository } from './inspect-repository.ts';
import type { FileEdit } from './plan-edits.ts';
import type { CiFile, CiStep } from './repository.ts';

/** A file for CI, with its purpose in a few words for people. */
export interface DescribedFile extends CiFile {
  purpose: string;
}

/** The CI files of a repository, before anything is written. */
export interface CiWork {
  facts: InspectedRepository;
  /** The files to write. */
  missing: DescribedFile[];
  /** The files that exist with exactly the text that would be written. */
  upToDate: DescribedFile[];
  /** Problems with files that exist with another text, and with paths that lead through a link. */
  obstacles: Diagnostic[];
  /** The `.gitignore` that lacks the installed packages. */
  ignored: FileEdit | undefined;
  /** The steps for a person, such as setting a secret. */
  steps: CiStep[];
}

/**
 * Finds out which CI files this repository lacks, and which steps a person has to do, for `init --ci`. Throws `Problems` on GitLab if it is
 * unknown which project contains the tool.
 */
export async function planCiFiles(
  options: CiOptions,
  facts: InspectedRepository,
  host: Host,
): Promise<CiWork> {
  const { top, isFresh } = facts;
  const { files, steps } =
    options.ci === 'gitlab' ? await gitlabWork(facts, options, host) : githubWork(facts);
  const purposeOf = ({ path }: CiFile) => {
    if (!isFresh) return 'lists the stages for the workflows';
    return isTestFileName(path) ? 'tests of it' : 'a first configuration: set your team in it';
  };
  const wanted = [...facts.files.map((file) => ({ ...file, purpose: purposeOf(file) })), ...files];
  const { missing, obstacles } = await findUnwrittenFiles(wanted, top);
  return {
    facts,
    missing: wanted.filter(({ path }) => missing.has(path)),
    upToDate: wanted.filter(({ path }) => !missing.has(path)),
    obstacles,
    ignored: options.ci === 'gitlab' ? undefined : await findIgnoredPackages(facts),
    steps,
  };
}

/** The spellings of a line of `.gitignore` that keeps installed packages out of commits. */
const packageLine = /^(\/|\*\*\/)?node_modules\/?\r?$/m;

/**
 * Returns the new text of the `.gitignore` beside the lockfile, so that the packages which `npm ci` installs are not committed; undefined
 * if it has such a line, if the one at the top of the repository has, or if its path leads through a link, through which nothing is written.
 */
async function findIgnoredPackages({
  top,
  repository: { tool },
}: InspectedRepository): Promise<FileEdit | undefined> {
  const name = posix.join(tool, '.gitignore');
  const read = (file: string) => readFile(join(top, file), 'utf8').catch(() => '');
  const before = await read(name);
  if (packageLine.test(before) || packageLine.test(await read('.gitignore'))) return undefined;
  if ((await findLinkIn(name, top)) !== undefined) return undefined;
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  return { path: join(top, name), name, before, after: `${before}${separator}node_modules/\n` };
}

/** The part of the work that depends on the code host. */
interface HostWork {
  files: DescribedFile[];
  steps: CiStep[];
}

/**
 * Returns the workflows that `trueup init --ci` writes for GitHub Actions, each with its purpose, and the steps
 * that a person has to do to make them run.
 */
function githubWork(facts: InspectedRepository): HostWork {
  const files = githubFiles(facts.repository).map((file) => {
    const workflow = /trueup-(\w+)\.yml$/.exec(file.path)![1]!;
    return { ...file, purpose: githubFilePurposes[workflow]! };
  });
  return { files, steps: githubSteps(facts.repository, facts, version) };
}

/** The folder at the top of the repository that a person moves into a GitLab project of its own, which contains the tool. */
const toolFolder = 'trueup-ci';

/**
 * Returns the files that `trueup init --ci` writes for GitLab, including those of the separate project with the
 * tool, and the steps that a person has to do to make them run.
 */
async function gitlabWork(facts: InspectedRepository, options: CiOptions, host: Host): Promise<HostWork> {
  const project = await findToolProject(facts.top, options, host);
  const files = gitlabFiles(facts.repository, project).map(({ path, text }) => ({
    path: `${toolFolder}/${path}`,
    text,
    purpose: gitlabFilePurposes[path]!,
  }));
  return { files, steps: gitlabSteps(facts.repository, facts, { project, folder: toolFolder, version }) };
}

/**
 * Returns the path of the separate GitLab project with the tool, from which the pipelines of `init --ci` are
 * included: `--tool-project`, or `trueup-ci` in the group of the git remote `origin`. Throws `Problems` if neither
 * is there, or if the path is not valid.
 */
async function findToolProject(top: string, { toolProject }: CiOptions, host: Host): Promise<string> {
  const origin =
    toolProject === undefined ? await findOriginPath(top, host.env).catch(() => undefined) : undefined;
  const sibling = origin?.includes('/') ? origin.replace(/[^/]*$/, toolFolder) : undefined;
  const project = toolProject ?? sibling;
  if (project === undefined)
    raise(
      'init/tool-project',
      'git does not know the group of this project, so it is unclear where the tool belongs',
      { hint: 'name the project for it: --tool-project acme/trueup-ci' },
    );
  if (!/^\w[\w.-]*(\/\w[\w.-]*)+$/.test(project))
    raise('init/tool-project', `${quoted(project)} is not a project path`, {
      hint: 'use GROUP/PROJECT with letters, digits, `_`, `.` and `-`: --tool-project acme/trueup-ci',
    });
  return project;
}

/**
 * Returns the paths of those files below `top` that do not exist yet, so that `init --ci` writes them, and problems with
 * those that exist with another text, and with paths through a symbolic link, because it could lead out of the folder.
 */
async function findUnwrittenFiles(
  files: CiFile[],
  top: string,
): Promise<{ missing: Set<string>; obstacles: Diagnostic[] }> {
  const missing = new Set<string>();
  const report = new Reporter();
  for (const { path, text } of files) {
    const link = await findLinkIn(path, top);
    const currentText = link === undefined ? await readCurrentText(join(top, path)) : '';
    if (link !== undefined)
      report.error('init/ci-exists', `${path} would be written through the symbolic link ${link}`, {
        hint: 'remove the link and run this again; nothing was written',
      });
    else if (currentText === undefined) missing.add(path);
    else if (currentText !== text)
      report.error('init/ci-exists', `${path} already exists with another text; nothing was written`, {
        hint: 'commit it, delete it and run this again: `git diff` then shows your changes next to the new version',
      });
  }
  return { missing, obstacles: report.diagnostics };
}

/** Returns the text of a file; undefined if it does not exist, and empty if it cannot be read. */
const readCurrentText = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : ''));

/**
 * Returns the first part of a path below `top` that is a symbolic link; undefined if there is none. `init --ci`
 * does not write a workflow through a link, because the link may lead out of the repository.
 */
async function findLinkIn(path: string, top: string): Promise<string | undefined> {
  const names = path.split('/');
  for (const index of names.keys()) {
    const parentPath = names.slice(0, index + 1).join('/');
    const status = await lstat(join(top, parentPath)).catch(() => undefined);
    if (status?.isSymbolicLink()) return parentPath;
  }
  return undefined;
}

/**
 * Writes the files of `init --ci`, and creates their folders. Throws `Problems` if one cannot be written, or
 * exists by now: nothing is overwritten. Adds the line that `.gitignore` lacks.
 */
export async function writeCiFiles({ facts: { top }, missing, ignored }: CiWork): Promise<void> {
  for (const { path, text } of missing) {
    const file = join(top, path);
    await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
    await writeFile(file, text, { flag: 'wx' }).catch(refuseUnwritable(path));
  }
  if (!ignored) return;
  const addedText = ignored.after.slice(ignored.before.length);
  await appendFile(ignored.path, addedText).catch(refuseUnwritable(relative(top, ignored.path)));
}
