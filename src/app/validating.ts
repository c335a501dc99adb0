/*
 * Checks configurations without an account, for `trueup validate`. Secrets are not read; only their sources and references are judged.
 */
import type { Configuration } from '../config/configuration.ts';
import { judgeSecretReferences } from '../config/judge-references.ts';
import { judgeSecrets } from '../config/judge-secrets.ts';
import type { Sources } from '../config/sources/sources.ts';
import type { Provider } from '../kind/provider.ts';
import { addDiagnostics, type Diagnostic, hasErrors, Problems } from '../model/diagnostic.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import type { Desired } from '../model/resource.ts';
import type { Port } from './port.ts';
import { createSources } from './session/create-sources.ts';
import { loadStages } from './session/load-configuration.ts';
import { namesSeveralStacks, type StackOptions, type StacksOptions } from './stack-options.ts';

/** The result of a check without errors. */
export interface Validation {
  /** The valid configurations. `id`: of a stack of the workspace; `stage`: if the configuration has stages and none was chosen. */
  valid: { id?: string; stage?: string | undefined; desired: Desired }[];
  diagnostics: Diagnostic[];
  /** What a run with the same options could not read, although the configuration is valid. */
  notes: Diagnostic[];
}

/**
 * Checks the configuration that the options name, or all configurations of the workspace, so that mistakes are found without an account. Throws
 * `Problems` with the diagnostics of all of them if there is an error.
 */
export const validateConfigurations = async (
  provider: Provider,
  options: StackOptions & StacksOptions,
  port: Port,
): Promise<Validation> => {
  const { valid, diagnostics, notes } = namesSeveralStacks(options)
    ? await validateWorkspace(provider, options, port)
    : await validateStages(provider, options, port);
  return { valid, diagnostics: foldDiagnostics(diagnostics), notes: foldDiagnostics(notes) };
};

/** Checks the stacks of the workspace, or those that changes since a commit affect. */
async function validateWorkspace(
  provider: Provider,
  options: StackOptions & StacksOptions,
  port: Port,
): Promise<Validation> {
  if (options.file || options.stage)
    throw new Problems('cli/options', '--file and --stage cannot be combined with --all', {
      hint: 'validate one stack with --file and --stage, or all stacks with --all',
    });
  const { inFolder, readWorkspaceStacks } = await import('./planning/workspace-stacks.ts');
  const { chosen, folder } = await readWorkspaceStacks(provider, options, port);
  const { host } = inFolder(port.run, folder);
  const sources = createSources(options, host);
  const diagnostics: Diagnostic[] = [];
  const notes: Diagnostic[] = [];
  for (const { configuration } of chosen) {
    addDiagnostics(diagnostics, configuration.diagnostics);
    notes.push(...(await unreadableNotes(configuration, sources)));
    addDiagnostics(diagnostics, (await judgeSecretReferences(configuration, sources, host.cwd)).refused);
  }
  if (hasErrors(diagnostics)) throw new Problems(foldDiagnostics(diagnostics));
  return {
    valid: chosen.map(({ id, configuration }) => ({ id, desired: configuration.desired })),
    diagnostics,
    notes,
  };
}

/** Checks one configuration, in the chosen stage or in all stages. Errors of one stage do not keep the others from being checked. */
async function validateStages(provider: Provider, options: StackOptions, { run }: Port): Promise<Validation> {
  const sources = createSources(options, run.host);
  const valid: Validation['valid'] = [];
  const diagnostics: Diagnostic[] = [];
  const notes: Diagnostic[] = [];
  const errors: Diagnostic[] = [];
  for (const { stage, load } of await loadStages(provider, options, run, { sources, isOnlyShown: true }))
    try {
      const configuration = await load();
      valid.push({ stage, desired: configuration.desired });
      addDiagnostics(diagnostics, configuration.diagnostics);
      notes.push(...(await unreadableNotes(configuration, sources)));
      addDiagnostics(errors, (await judgeSecretReferences(configuration, sources, run.host.cwd)).refused);
    } catch (error) {
      if (!(error instanceof Problems)) throw error;
      addDiagnostics(errors, error.diagnostics);
    }
  // Stages have most of their files in common, so their diagnostics are folded.
  if (errors.length > 0) throw new Problems(foldDiagnostics([...errors, ...diagnostics]));
  return { valid, diagnostics, notes };
}

/** Returns the variables and secrets that a run with these options could not read. */
const unreadableNotes = async (configuration: Configuration, sources: Sources): Promise<Diagnostic[]> => [
  ...configuration.notAllowed,
  ...(await judgeSecrets(configuration, sources)),
];
