import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Configuration, LoadOptions, WrittenConfiguration } from '../../config/configuration.ts';
import { findWorkspaceFolder } from '../../config/find-workspace.ts';
import { load } from '../../config/load.ts';
import { type AllowOptions, readAllowances } from '../../config/sources/allowances.ts';
import { openPermissionMemory } from '../../config/sources/memory.ts';
import { openSources, type Sources } from '../../config/sources/sources.ts';
import { originText, type SourceRequest } from '../../config/sources/verdict.ts';
import { readInputOnce } from '../../config/yaml/read-documents.ts';
import type { ExtractedFiles } from '../../git/commits.ts';
import { openTracking, type Tracking } from '../../git/tracking.ts';
import { type Host, isInCi, resolvePath } from '../../host.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { lastNameOf } from '../../model/address.ts';
import { asNote, raise, raiseErrors } from '../../model/diagnostic.ts';
import { standardInput } from '../../model/resource.ts';
import { cleanLine } from '../../report/text.ts';
import { chosenLedgerFile, homeFolder } from '../../stores/ledger-choice.ts';
import type { Port, Run } from '../port.ts';
import type { StackOptions } from '../stack-options.ts';

/** How a configuration is loaded, besides the options of the command line. */
export interface Loading {
  sources: Sources;
  /** True if the configuration is only shown. Then it is no error that a variable or file may not be read (`notAllowed`). */
  isOnlyShown?: boolean;
  /** The texts of files by real path, which replace those on disk. */
  texts?: LoadOptions['texts'];
}

/**
 * Loads the configuration that the options name, for commands that need it without errors. Throws `Problems` with all of its errors. A
 * variable or file that may not be read is an error as well, unless the configuration is only shown, as by `validate`. Secrets are not read
 * here.
 */
export const loadConfiguration = async (
  provider: Provider,
  options: StackOptions,
  run: Run,
  loading: Loading,
): Promise<WrittenConfiguration> =>
  requireUsable(await loadWithErrors(provider, options, run, loading), loading);

/** A configuration with the sources that it may read: environment variables, files and commands. */
export interface LoadedConfiguration {
  configuration: WrittenConfiguration;
  sources: Sources;
}

/**
 * Reads the configuration of a run with its sources. Sessions start with it, and commands such as `undo` and `accept` call it before they
 * open theirs. `plans`: files of plans that the configuration may not read. Throws `Problems` with all errors.
 */
export async function loadForRun(
  provider: Provider,
  options: StackOptions & { plans?: string[] },
  port: Port,
): Promise<LoadedConfiguration> {
  const sources = createSources(options, port.run.host, port);
  return { sources, configuration: await loadConfiguration(provider, options, port.run, { sources }) };
}

/** The configuration of one stage, or the configuration of files that have no stages. */
interface StageConfiguration {
  stage?: string;
  /** Throws `Problems` as `loadConfiguration` does. */
  load(): Promise<WrittenConfiguration>;
}

/**
 * Returns the configurations that `validate` and `render` are about: that of the chosen stage, or that of each stage if none is chosen, or
 * the only one if there are no stages. Errors of one are thrown by its `load`, so that they do not hide the others.
 */
export async function loadStages(
  provider: Provider,
  options: StackOptions,
  run: Run,
  loading: Loading,
): Promise<StageConfiguration[]> {
  const configuration = await loadWithErrors(provider, options, run, loading);
  if (options.stage !== undefined || configuration.stages.length === 0)
    return [{ load: async () => requireUsable(configuration, loading) }];
  return configuration.stages.map((stage) => ({
    stage,
    load: () => loadConfiguration(provider, { ...options, stage }, run, loading),
  }));
}

/**
 * Loads a configuration, even if it has errors, and notes its stack in the run, so that a failure of the run is reported under that name.
 * If the files are a stack of a workspace around the folder, reports declared objects outside of the globs that the workspace file has for
 * it (`owns`).
 */
async function loadWithErrors(
  provider: Provider,
  options: StackOptions,
  run: Run,
  { sources, texts }: Loading,
): Promise<WrittenConfiguration> {
  const { engine } = run.host;
  // Delays the optimizer of the JavaScript engine while files are loaded, because that is faster. Called again when they are read, because
  // the engine also chooses by their size when to collect garbage.
  engine.starting();
  const workspace = await readWorkspaceSettings(run.host.cwd, options.file);
  const loadOptions = createLoadOptions(provider, options, run);
  const configuration = await load({
    ...loadOptions,
    sources,
    workspace,
    texts,
    onFilesRead: () => engine.starting(),
  });
  engine.started();
  run.stack = configuration.desired.stack || configuration.guessedStack;
  return configuration;
}

/**
 * Returns the settings that trueup.workspace.yaml around a folder has for these files; undefined without a workspace. They hold for all
 * stacks of a workspace, such as where ledgers are.
 */
async function readWorkspaceSettings(
  cwd: string,
  files: string[] | undefined,
): Promise<LoadOptions['workspace']> {
  if (findWorkspaceFolder(cwd) === undefined) return undefined;
  return (await import('../../config/workspace.ts')).readSettingsFromWorkspace(cwd, files);
}

/**
 * Returns a configuration if it has no errors, as commands such as `plan` need it. Throws `Problems` with the errors otherwise. A value
 * that may not be read (`notAllowed`) is an error unless the configuration is only shown, as by `validate`.
 */
function requireUsable(
  configuration: WrittenConfiguration,
  { isOnlyShown = false }: Loading,
): WrittenConfiguration {
  const { diagnostics, notAllowed } = configuration;
  raiseErrors([...diagnostics, ...(isOnlyShown ? notAllowed.map(asNote) : notAllowed)]);
  return configuration;
}

/** Returns the names of the stages of a configuration, for shell completion. `load` does not throw for files that it cannot read. */
export const readStageNames = async (
  provider: Provider,
  options: StackOptions,
  run: Run,
): Promise<string[]> => (await load(createLoadOptions(provider, options, run))).stages;

/**
 * Loads the configuration around a command that is about an account, not a stack, such as `get` and `export`. It only says whose account it
 * is and which values are secret, so its other errors are ignored. Throws `Problems` if it has stages and none or an unknown one is chosen,
 * because the account may differ by stage.
 */
export async function loadForAccount(
  kinds: Kinds,
  { stage }: Pick<StackOptions, 'stage'>,
  { cwd, env, engine }: Host,
  sources: Sources,
): Promise<Configuration> {
  // Delays the optimizer of the JavaScript engine until the end, as sessions do, because most of these commands end before it pays.
  engine.starting();
  const configuration = await load({ kinds, cwd, env, sources, stage });
  const stageProblems = configuration.diagnostics.filter(({ code }) =>
    /^stage\/(choose|unknown)$/.test(code),
  );
  raiseErrors(stageProblems);
  return configuration;
}

/**
 * Converts command-line options, such as `--file`, `--var` and `--stage`, to the options of `load`, so that all commands read the same
 * configuration.
 */
export function createLoadOptions(
  provider: Provider,
  { file, var: vars, varFile, stage }: Pick<StackOptions, 'file' | 'var' | 'varFile' | 'stage'>,
  { host }: Run,
): LoadOptions {
  const { cwd, env } = host;
  return {
    kinds: kindsOf(provider.kinds),
    actionsAndLookups: () => provider.actionsAndLookups(),
    cwd,
    env,
    readInput: () => readInputOnce(host.stdin),
    paths: file,
    vars,
    varFiles: varFile,
    stage,
  };
}

/**
 * Returns the options of `load` for the extracted files of a commit, for `render --diff` and `undo`. Paths of `--file` and `--var-file` in
 * the repository lead to these files. If the commit lacks some files of `--file`, only the others are read; a missing `--var-file` is read
 * in the work tree, because git may ignore it. Throws `Problems` for invalid `--allow-*`.
 */
export async function createCommitOptions(
  provider: Provider,
  options: StackOptions,
  run: Run,
  commitFiles: ExtractedFiles,
): Promise<LoadOptions> {
  // The extracted folder that stands for the working directory.
  const { cwd } = commitFiles;
  const realCwd = await realpath(run.host.cwd);
  const locateIn = (path: string) => commitFiles.locate(relative(realCwd, path));
  /** Returns the path of a file from `cwd`, and whether the commit lacks it. A file outside the repository keeps its absolute path. */
  const locate = async (name: string): Promise<{ path: string; isMissing?: boolean }> => {
    if (name === standardInput) return { path: name };
    const absolutePath = resolve(realCwd, name);
    // If the path is not in the repository, symbolic links of this machine may lead there.
    const file = locateIn(absolutePath) ?? locateIn(await realpath(absolutePath).catch(() => absolutePath));
    if (file === undefined) return { path: absolutePath };
    return { path: relative(cwd, file) || '.', isMissing: !existsSync(file) };
  };
  const files = options.file && (await Promise.all(options.file.map(locate)));
  const presentFiles = files?.filter(({ isMissing }) => !isMissing);
  // If all are missing, they are kept, so that `load` reports them.
  const file = (presentFiles?.length ? presentFiles : files)?.map(({ path }) => path);
  const varFiles = await Promise.all((options.varFile ?? []).map(locate));
  const varFile = varFiles.map(({ path, isMissing }) => (isMissing ? resolve(realCwd, path) : path));
  const sources = createSources(options, run.host, undefined, commitFiles);
  return { ...createLoadOptions(provider, { ...options, file, varFile }, run), cwd, sources };
}

/** The options that decide what a configuration may read. */
interface SessionSourceOptions extends AllowOptions {
  tokenFile?: string;
  ledger?: string;
  twin?: boolean;
  /** Files of saved plans that this run reads or writes. */
  plans?: string[];
}

/** The largest number of sources in one question, because people would accept a longer list without reading it. */
const maxSourcesPerQuestion = 20;

/**
 * Creates the sources of a run, which decide what its configuration may read: environment variables, files, commands and secrets of the
 * account. Files of trueup itself, such as the key and the ledger, can never be read. `port`: asks the user about new sources, unless
 * earlier answers were remembered; absent if this run must not ask. `files`: the folder of the configuration, and which files git tracks
 * there; only passed for the extracted files of a commit. Throws `Problems` for invalid `--allow-*` flags.
 */
export function createSources(
  options: SessionSourceOptions,
  host: Pick<Host, 'env' | 'cwd'>,
  port?: Port,
  files: { cwd: string; tracking: Tracking } = { cwd: host.cwd, tracking: openTracking(host.env) },
): Sources {
  const { env } = host;
  const allowances = readAllowances(options, env);
  if (Array.isArray(allowances)) raise(allowances);
  return openSources({
    env,
    ...files,
    allowances,
    reserved: reservedFilesOf(options, host),
    memory: openPermissionMemory(env),
    ...(port?.canAsk && !isInCi({ env }) && createPrompt(port)),
  });
}

/** Returns the paths of the files of trueup itself, such as the ledger, which no configuration and no test file may read. */
export function reservedFilesOf(
  { tokenFile, plans = [], ...options }: SessionSourceOptions,
  host: Pick<Host, 'env' | 'cwd'>,
): string[] {
  const files = [homeFolder, tokenFile, chosenLedgerFile(options, host), ...plans];
  return files.flatMap((file) => (file === undefined ? [] : resolvePath(host, file)));
}

/**
 * Returns the handlers that ask the user once about all new sources that a configuration wants to read, up to a limit, and say where a
 * `yes` is stored, so that the configuration of a pull request cannot read secrets of the machine unnoticed.
 */
const createPrompt = (port: Port) => ({
  ask: async (requests: { asked: SourceRequest; flag: string }[]) => {
    // Without a question, the errors list all of them with their flags.
    if (requests.length > maxSourcesPerQuestion) return false;
    const lines = requests.map(({ asked }) => `  ${formatSourceRequest(asked)}`);
    port.say(`\nThe configuration wants to use new sources:\n${lines.join('\n')}`);
    return (await port.ask('Always allow this on this machine? Type `yes` to continue: ')) === 'yes';
  },
  onRemembered: (memoryFile: string | undefined) =>
    port.say(
      memoryFile === undefined
        ? 'There is nowhere outside the repository to remember this, so you will be asked again next time.'
        : `Remembered in ${memoryFile}; delete that file to be asked again.`,
    ),
});

/**
 * Formats a request of the configuration for a source, such as an environment variable, for the question whether it may be read: `secret
 * database: env DATABASE_URL (trueup.yaml:3)`.
 */
function formatSourceRequest({ use, name, origin, at: { file, line } }: SourceRequest): string {
  if (use === 'ledger')
    return cleanLine(
      `the ledger at ${originText(origin)}, WHICH GETS THE CREDENTIALS OF LEDGERS THAT THIS MACHINE HAS (${file}:${line})`,
    );
  const publicity = use === 'variable' ? ', AND PLANS SHOW ITS VALUE' : '';
  return cleanLine(`${use} ${name}: ${originText(origin)}${publicity} (${file}:${line})`);
}

/** Finds the names under which objects of a kind may be read: `project` to `['web']`. */
export type NameFinder = (kind: string) => string[];

/**
 * Returns a function which lists the names and ids of the declared objects of a kind without a parent, such as `project`, with their former
 * names (`$was`) and the names in `targets`: `web` of the target `projects/web/env`, unless it has a wildcard. A token of one project finds
 * its account by one of these projects.
 */
export const createNameFinder =
  ({ desired }: Pick<Configuration, 'desired'>, kinds: Kinds, targets: readonly string[] = []): NameFinder =>
  (kind) => {
    const declared = [...desired.resources.values()].filter(
      (resource) => resource.kind === kind && resource.parent === undefined,
    );
    const named = declared.flatMap(({ address, meta: { id, was } }) => [
      ...(id === undefined ? [] : [id]),
      lastNameOf(address),
      ...(was === undefined ? [] : [lastNameOf(was)]),
    ]);
    const targeted = targets.flatMap((target) => {
      const [section, name = ''] = target.split('/');
      const isWithoutWildcard = /^[^*?[{(!]+$/.test(name);
      return section === kinds.get(kind)?.section && isWithoutWildcard ? [name] : [];
    });
    return [...new Set([...named, ...targeted])];
  };
