import type { Configuration, LoadOptions, WrittenConfiguration } from '../../config/configuration.ts';
import { findWorkspaceFolder } from '../../config/find-workspace.ts';
import { load } from '../../config/load.ts';
import { readInputOnce } from '../../config/read-standard-input.ts';
import type { Sources } from '../../config/sources/sources.ts';
import type { Host } from '../../host.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { raiseErrors } from '../../model/diagnostic.ts';
import type { Port, Run } from '../port.ts';
import type { StackOptions } from '../stack-options.ts';
import { createSources } from './create-sources.ts';

/** How a configuration is loaded, besides the options of the command line. */
interface Loading {
  sources: Sources;
  /** True if the configuration is only shown. Then it is no error that a variable may not be read. */
  isOnlyShown?: boolean;
}

/**
 * Loads the configuration that the options name. Throws `Problems` with all of its errors. A variable, secret or file that may not be read is an
 * error unless the configuration is only shown.
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
 * Reads the configuration of a run before its session is opened. Used by `plan`, `apply`, `undo` and `accept`, which need it before the
 * account is read. `plans`: files of plans that the configuration may not read. Throws `Problems` with all errors.
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
 * Returns the configurations that `validate` and `render` are about: that of the chosen stage, or that of each stage if none is chosen. A
 * configuration without stages is the only result. It is loaded only once.
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

/** Loads a configuration, even if it has errors, and notes its stack in the run, so that a failure of the run is reported under that name. */
async function loadWithErrors(
  provider: Provider,
  options: StackOptions,
  run: Run,
  { sources }: Loading,
): Promise<WrittenConfiguration> {
  const { engine } = run.host;
  engine.starting();
  const owns = await readOwnedAddresses(run.host.cwd, options.file);
  const configuration = await load({ ...createLoadOptions(provider, options, run), sources, owns });
  engine.started();
  run.stack = configuration.desired.stack || configuration.guessedStack;
  return configuration;
}

/** Returns the address globs that trueup.workspace.yaml around a folder lets these files declare (`owns`); undefined without a workspace. */
async function readOwnedAddresses(cwd: string, files: string[] | undefined): Promise<string[] | undefined> {
  if ((await findWorkspaceFolder(cwd)) === undefined) return undefined;
  return (await import('../../config/workspace.ts')).readOwnsFromWorkspace(cwd, files);
}

/**
 * Returns a configuration without errors, as commands such as `plan` need it. Throws `Problems` with the errors otherwise: see
 * `loadConfiguration` for what counts as one.
 */
function requireUsable(
  configuration: WrittenConfiguration,
  { isOnlyShown = false }: Loading,
): WrittenConfiguration {
  const { diagnostics, notAllowed } = configuration;
  raiseErrors(isOnlyShown ? diagnostics : [...diagnostics, ...notAllowed]);
  return configuration;
}

/** Returns the names of the stages of a configuration, for shell completion; none if it has no stages or cannot be read. */
export const readStageNames = async (
  provider: Provider,
  options: StackOptions,
  run: Run,
): Promise<string[]> => (await load(createLoadOptions(provider, options, run))).stages;

/**
 * Loads the configuration around a command that is about an account, not a stack, such as `get` and `export`. It only says whose account it is and
 * which values are secret, so its errors are ignored. Throws `Problems` if it has stages and none is chosen, because the account may differ by
 * stage.
 */
export async function loadForAccount(
  kinds: Kinds,
  { stage }: Pick<StackOptions, 'stage'>,
  { cwd, env }: Host,
  sources: Sources,
): Promise<Configuration> {
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
  const { cwd, env, stdin } = host;
  return {
    kinds: kindsOf(provider.kinds),
    dayTwo: () => provider.dayTwo(),
    cwd,
    env,
    readInput: () => readInputOnce(stdin),
    paths: file,
    vars,
    varFiles: varFile,
    stage,
  };
}
