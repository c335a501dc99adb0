import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import {
  findDefaultConfiguration,
  findWorkspaceFolder,
  workspaceFileName,
} from '../config/find-workspace.ts';
import { findConfigurationsBelow } from '../config/workspace.ts';
import { type Diagnostic, problem, raise, shellWord } from '../model/diagnostic.ts';
import { pathFrom } from '../paths.ts';
import { count } from '../report/text.ts';
import { sampleTests, sampleTestsName } from '../testing/sample-tests.ts';
import { setLedgerPlace } from './edit-yaml-lines.ts';
import type { CiFile, CiRepository } from './repository.ts';

/** Reads configurations with the environment that a CI job has. */
export interface CiReader {
  /** Reads all configurations of the workspace around the working directory. Throws `Problems`. */
  readWorkspace(): Promise<Configuration[]>;
  /** Reads the configuration in a file, or in a text that is not written yet. */
  readStage(source: { file: string } | { text: string }, stage?: string): Promise<Configuration>;
  /**
   * Returns why a run of the operator may not use the place that `ledger:` of a configuration names; undefined if it may, or if it names
   * none.
   */
  findRefusedPlace(configuration: Configuration): Promise<Diagnostic | undefined>;
  /** Returns a reader with new texts of files, by real path, instead of those on disk. */
  withTexts(texts: ReadonlyMap<string, string>): CiReader;
}

/** The place in a repository where `init --ci` was started. */
export interface RepositoryPlace {
  /** The working directory, as a real path. */
  cwd: string;
  /** The folder of the work tree around it, as a real path. */
  top: string;
  /** Converts a real path to a path from the top, with `/`. */
  inTree(file: string): string;
  /** The text of the configuration to write if there is none. */
  sample: string;
  /** True if new files can name git as the place of the ledgers: there is a remote `origin`. */
  hasOrigin: boolean;
}

/** The findings about the configurations that CI is to plan and apply. */
export interface CiFindings {
  /** The only configuration, one for each of its stages, or those of the workspace. */
  configurations: Configuration[];
  stacks: CiRepository['stacks'];
  /** The files of the configuration that have to be written. */
  files: CiFile[];
  /** Hints for the user, each with its lines. */
  notes: string[][];
  /** True if there is no configuration yet, so that a sample is written. */
  isFresh?: true;
}

/**
 * Reads the configuration in the working directory for `init --ci`, if there is no workspace file. If the whole
 * repository has no configuration, uses the sample, which the command then writes (`files`). If the configuration
 * has stages, reads each of them, and adds a new workspace file to `files`, because workflows plan all stages by
 * it. Throws `Problems` if the repository has configurations, but none in this folder.
 */
export async function inspectSingleStack(reader: CiReader, place: RepositoryPlace): Promise<CiFindings> {
  const { cwd, top, inTree, hasOrigin } = place;
  const folder = inTree(cwd);
  const fileName = findDefaultConfiguration(cwd, '');
  const otherConfigurations = (await findConfigurationsBelow(top)).filter(
    (configuration) => configuration !== (folder || '.'),
  );
  if (fileName === undefined) {
    if (otherConfigurations.length > 0) raise(createElsewhereProblem(cwd, top, otherConfigurations));
    return createSample(reader, place);
  }
  const source = { file: fileName };
  const configuration = await reader.readStage(source);
  const file = inTree(path.join(cwd, fileName));
  const notes = otherConfigurations.length === 0 ? [] : [createNoteAboutOthers(file, otherConfigurations)];
  if (configuration.stages.length === 0)
    return { configurations: [configuration], stacks: { file }, files: [], notes };
  const workspaceFile = {
    path: path.posix.join(folder, workspaceFileName),
    text: `stacks: [.] # with all its stages\n${hasOrigin ? 'ledger: git\n' : ''}`,
  };
  return {
    configurations: await Promise.all(configuration.stages.map((stage) => reader.readStage(source, stage))),
    stacks: { workspace: folder },
    files: [workspaceFile],
    notes,
  };
}

/** Returns the sample as the only configuration of a repository that has none. With a remote, it keeps its ledger in git at once. */
async function createSample(
  reader: CiReader,
  { cwd, inTree, sample, hasOrigin }: RepositoryPlace,
): Promise<CiFindings> {
  const text = (hasOrigin && setLedgerPlace(sample, 'stack', 'git')) || sample;
  const file = inTree(path.join(cwd, 'trueup.yaml'));
  return {
    configurations: [await reader.readStage({ text })],
    stacks: { file },
    files: sampleFiles({ path: file, text }, cwd, inTree),
    notes: [],
    isFresh: true,
  };
}

/**
 * Returns the first configuration and its tests, which `init --ci` writes if there is no configuration. Without the tests if there is
 * another file with their name.
 */
function sampleFiles(configuration: CiFile, cwd: string, inTree: RepositoryPlace['inTree']): CiFile[] {
  const testFile = path.join(cwd, sampleTestsName);
  if (existsSync(testFile)) return [configuration];
  return [configuration, { path: inTree(testFile), text: sampleTests }];
}

/** Formats names for the list `stacks: [...]` of a workspace file, in a hint. */
const quoteNames = (names: string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/**
 * Returns the note of `init --ci` that its workflows cover one configuration only, with the first five of the other configurations of the
 * repository.
 */
function createNoteAboutOthers(file: string, others: string[]): string[] {
  const names = others.slice(0, 5).map((folder) => (folder === '.' ? 'the root of the repository' : folder));
  return [
    `These files cover ${file} only, not ${count(others.length, 'configuration')} elsewhere: ${names.join(', ')}.`,
    `To plan all of them together, list them in ${workspaceFileName}, delete these files and run this again.`,
  ];
}

/**
 * Returns the problem with which `init --ci` stops if there is no configuration in this folder, but elsewhere in
 * the repository. The hint says where to run the command: in the folder of the only workspace or configuration,
 * or at the root with a workspace file. The hint shows up to five entries of that file.
 * @param cwd the folder in which the command runs
 * @param top the top folder of the repository
 * @param others the folders with a configuration, as paths from `top`
 */
function createElsewhereProblem(cwd: string, top: string, others: string[]): Diagnostic {
  // A configuration outside of all workspaces has undefined.
  const workspaces = new Set(others.map((folder) => findWorkspaceFolder(path.join(top, folder))));
  const [firstWorkspace] = workspaces;
  const onlyWorkspace =
    workspaces.size === 1 && firstWorkspace !== undefined
      ? path.relative(top, firstWorkspace) || '.'
      : undefined;
  const onlyFolder = onlyWorkspace ?? (others.length === 1 ? others[0] : undefined);
  const number = others.length === 1 ? 'one' : `${others.length}`;
  const hint =
    onlyFolder === undefined
      ? `list them in ${workspaceFileName} at the root of the repository and run this there: \`stacks: [${quoteNames(others.slice(0, 5))}]\``
      : `run this in that folder: cd ${shellWord(pathFrom(cwd, path.join(top, onlyFolder)))}`;
  return problem(
    'init/elsewhere',
    `there is no configuration in this folder, but ${number} elsewhere in the repository`,
    { hint },
  );
}

/**
 * Returns the errors of a configuration that CI would have, too. Missing variables do not count, because CI has values that a developer
 * lacks.
 */
export const problemsInCi = ({ diagnostics }: Configuration): Diagnostic[] =>
  diagnostics.filter(({ severity, code }) => severity === 'error' && code !== 'var/missing');
