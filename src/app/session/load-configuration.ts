import type { Configuration, LoadOptions, WrittenConfiguration } from '../../config/configuration.ts';
import { findWorkspaceFolder } from '../../config/find-workspace.ts';
import { load } from '../../config/load.ts';
import type { Sources } from '../../config/sources/sources.ts';
import { maxBytes } from '../../config/yaml/read-documents.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { hasErrors, Problems } from '../../model/diagnostic.ts';
import type { Host, Run } from '../host.ts';
import type { StackOptions } from '../stack-options.ts';

interface Loading {
  sources: Sources;
  /** True if the configuration is only shown, so that forbidden values of variables are no error. */
  isLook?: boolean;
}

/**
 * The configuration; throws `Problems` with all that is wrong with it. What its variables may not read is among that, unless this is
 * for taking a look only.
 */
export const loadConfiguration = async (
  provider: Provider,
  options: StackOptions,
  run: Run,
  loading: Loading,
): Promise<WrittenConfiguration> => usable(await loadNow(provider, options, run, loading), loading);

/** The configuration of one stage, or the only one of its files. */
interface Staged {
  stage?: string;
  /** Throws `Problems` as `loadConfiguration` does. */
  load(): Promise<WrittenConfiguration>;
}

/** The configuration of the chosen stage; of one with stages, and none chosen, each of them. What has no stages is loaded once. */
export async function loadStages(
  provider: Provider,
  options: StackOptions,
  run: Run,
  loading: Loading,
): Promise<Staged[]> {
  const first = await loadNow(provider, options, run, loading);
  if (options.stage !== undefined || first.stages.length === 0)
    return [{ load: async () => usable(first, loading) }];
  return first.stages.map((stage) => ({
    stage,
    load: () => loadConfiguration(provider, { ...options, stage }, run, loading),
  }));
}

async function loadNow(
  provider: Provider,
  options: StackOptions,
  run: Run,
  { sources }: Loading,
): Promise<WrittenConfiguration> {
  const { engine } = run.host;
  engine.starting();
  const owns = await ownsIn(run.host.cwd, options.file);
  const configuration = await load({ ...createLoadOptions(provider, options, run), sources, owns });
  engine.started();
  run.stack = configuration.desired.stack || configuration.guessedStack;
  return configuration;
}

/** Returns the addresses that the workspace around a folder lets these files declare; undefined without a workspace. */
async function ownsIn(cwd: string, files: string[] | undefined): Promise<string[] | undefined> {
  if ((await findWorkspaceFolder(cwd)) === undefined) return undefined;
  return (await import('../../config/workspace.ts')).readOwnsFromWorkspace(cwd, files);
}

function usable(configuration: WrittenConfiguration, { isLook = false }: Loading): WrittenConfiguration {
  const { diagnostics, notAllowed } = configuration;
  if (hasErrors(diagnostics) || (notAllowed.length > 0 && !isLook))
    throw new Problems(isLook ? diagnostics : [...diagnostics, ...notAllowed]);
  return configuration;
}

/** Returns the names of the stages of a configuration; none if it has no stages or cannot be read. */
export const readStageNames = async (
  provider: Provider,
  options: StackOptions,
  run: Run,
): Promise<string[]> => (await load(createLoadOptions(provider, options, run))).stages;

/**
 * The configuration of a command that is about an account, and not about a stack: whatever is wrong with it, it only tells what is secret, and whose
 * account it is. That differs by stage: throws `Problems` where there are some and none is chosen.
 */
export async function loadForAccount(
  kinds: Kinds,
  { stage }: Pick<StackOptions, 'stage'>,
  { cwd, env }: Host,
  sources: Sources,
): Promise<Configuration> {
  const configuration = await load({ kinds, cwd, env, sources, stage });
  const wrong = configuration.diagnostics.filter(({ code }) => /^stage\/(choose|unknown)$/.test(code));
  if (wrong.length > 0) throw new Problems(wrong);
  return configuration;
}

/** Returns how to read the configuration that the options name. */
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
    readInput: () => inputOf(stdin),
    paths: file,
    vars,
    varFiles: varFile,
    stage,
  };
}

const inputsByStream = new WeakMap<Host['stdin'], Promise<Buffer>>();

/** Returns standard input. It can be read only once, so a command that loads the configuration again gets the same bytes. */
function inputOf(stdin: Host['stdin']): Promise<Buffer> {
  const input = inputsByStream.get(stdin) ?? readStandardInput(stdin);
  inputsByStream.set(stdin, input);
  return input;
}

/** Reads standard input, and stops soon after the limit, because the text is rejected then. */
export async function readStandardInput(stdin: Host['stdin']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks);
}
