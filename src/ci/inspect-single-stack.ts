import path from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import {
  findDefaultConfiguration,
  findWorkspaceFolder,
  workspaceFileName,
} from '../config/find-workspace.ts';
import { originText, variableEnv } from '../config/sources/verdict.ts';
import { quoted } from '../config/suggest.ts';
import { findConfigurationsBelow } from '../config/workspace.ts';
import { type Diagnostic, problem, raise, shellWord } from '../model/diagnostic.ts';
import { isInside, pathFrom } from '../paths.ts';
import { count } from '../report/text.ts';
import type { CiFile, CiRepository, CiSecret } from './repository.ts';

/** Reads configurations with the environment that a CI job has. */
export interface CiReader {
  /** Reads all configurations of the workspace around the working directory. Throws `Problems`. */
  readWorkspace(): Promise<Configuration[]>;
  /** Reads the configuration in a file, or in a text that is not written yet. */
  readStage(source: { file: string } | { text: string }, stage?: string): Promise<Configuration>;
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
export async function inspectSingleStack(
  reader: CiReader,
  { cwd, top, inTree, sample }: RepositoryPlace,
): Promise<CiFindings> {
  const fileName = findDefaultConfiguration(cwd, '');
  const otherConfigurations = (await findConfigurationsBelow(top)).filter(
    (configuration) => configuration !== (inTree(cwd) || '.'),
  );
  if (fileName === undefined && otherConfigurations.length > 0)
    raise(createElsewhereProblem(cwd, top, otherConfigurations));
  const source = fileName === undefined ? { text: sample } : { file: fileName };
  const configuration = await reader.readStage(source);
  const file = inTree(path.join(cwd, fileName ?? 'trueup.yaml'));
  const notes = otherConfigurations.length === 0 ? [] : [createNoteAboutOthers(file, otherConfigurations)];
  const common = { configurations: [configuration], stacks: { file }, notes };
  if (fileName === undefined) return { ...common, files: [{ path: file, text: sample }], isFresh: true };
  if (configuration.stages.length === 0) return { ...common, files: [] };
  const folder = inTree(cwd);
  return {
    configurations: await Promise.all(configuration.stages.map((stage) => reader.readStage(source, stage))),
    stacks: { workspace: folder },
    files: [
      { path: path.posix.join(folder, workspaceFileName), text: 'stacks: [.] # with all its stages\n' },
    ],
    notes,
  };
}

/** Formats names for the list `stacks: [...]` of a workspace file, in a hint. */
const quoteNames = (names: string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/** Returns the note that CI covers one configuration only, with the first five of the other configurations of the repository. */
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
  const workspaces = new Set(others.map((folder) => findWorkspaceFolder(path.join(top, folder)) ?? ''));
  const [workspace = ''] = workspaces;
  const onlyWorkspace =
    workspaces.size === 1 && workspace !== '' ? path.relative(top, workspace) || '.' : undefined;
  const onlyFolder = onlyWorkspace ?? (others.length === 1 ? others[0] : undefined);
  return problem(
    'init/elsewhere',
    `there is no configuration in this folder, but ${others.length === 1 ? 'one' : `${others.length}`} elsewhere in the repository`,
    {
      hint:
        onlyFolder !== undefined
          ? `run this in that folder: cd ${shellWord(pathFrom(cwd, path.join(top, onlyFolder)))}`
          : `list them in ${workspaceFileName} at the root of the repository and run this there: \`stacks: [${quoteNames(others.slice(0, 5))}]\``,
    },
  );
}

/** Returns the errors of a configuration that CI would have, too. Missing variables do not count, because CI has values that a developer lacks. */
export const problemsInCi = ({ diagnostics }: Configuration): Diagnostic[] =>
  diagnostics.filter(({ severity, code }) => severity === 'error' && code !== 'var/missing');

/**
 * Returns the secrets that these configurations read from environment variables, each variable once. CI has to
 * provide them: `init --ci` writes them into the workflows and lists them in its steps.
 */
export const ciSecretsOf = (configurations: Configuration[]): CiSecret[] =>
  uniqueByVariable(
    configurations.flatMap((configuration) =>
      usedSecretNames(configuration).flatMap((name) => {
        const source = configuration.secrets.get(name);
        return source && 'env' in source ? [{ name, env: source.env }] : [];
      }),
    ),
  );

/**
 * Returns the variables of the configurations, each with the environment variable that CI has to provide for it.
 * `init --ci` passes them to the jobs and lists them in its steps.
 */
export const ciVariablesOf = (configurations: Configuration[]): CiSecret[] =>
  uniqueByVariable(
    configurations.flatMap(({ missingVariables, variableOrigins }) =>
      [...missingVariables, ...variableOrigins.keys()].map((name) => ({ name, env: variableEnv(name) })),
    ),
  );

/** Returns the values that CI must provide, one for each environment variable, because several configurations may read the same variable. */
const uniqueByVariable = (ciSecrets: CiSecret[]): CiSecret[] => [
  ...new Map(ciSecrets.map((ciSecret) => [ciSecret.env, ciSecret])).values(),
];

/**
 * Returns the names of the secrets that a configuration uses, sorted. While values of variables are missing or may not be read, the
 * configuration cannot be read completely, so all declared secrets count as used.
 */
function usedSecretNames({ secrets, usedSecrets, missingVariables, notAllowed }: Configuration): string[] {
  const isComplete = missingVariables.length === 0 && notAllowed.length === 0;
  return [...(isComplete ? usedSecrets : new Set([...usedSecrets, ...secrets.keys()]))].sort();
}

/**
 * Returns notes for the steps of `init --ci` about secrets that come from programs and from files outside of the
 * repository, whose real folder is `top`: the user has to provide them in CI, because the workflows cannot.
 */
export function describeOtherSources(configurations: Configuration[], top: string): string[][] {
  const notes = new Map<string, string[]>();
  for (const configuration of configurations)
    for (const name of usedSecretNames(configuration)) {
      const source = configuration.secrets.get(name);
      if (!source || 'env' in source) continue;
      if ('file' in source && isInside(path.resolve(source.folder, source.file), top)) continue;
      const sourceText = 'file' in source ? 'a file outside of the repository' : 'a program';
      notes.set(name, [
        `The secret ${quoted(name)} comes from ${sourceText}, ${quoted(originText(source).replace(/^\w+ /, ''))}.`,
        'Provide it in the jobs that have the other secrets, and allow it there: `trueup validate` prints the flag.',
      ]);
    }
  return [...notes.values()];
}
