/*
 * Checks configurations without an account, for `trueup validate`. Secrets are not read; only their sources and references are judged.
 */
import type { Configuration } from '../config/configuration.ts';
import { findWorkspaceFolder } from '../config/find-workspace.ts';
import { judgeSecretReferences, judgeSecrets } from '../config/judge-secrets.ts';
import type { Sources } from '../config/sources/sources.ts';
import type { Provider } from '../kind/provider.ts';
import { findRefusedPlace } from '../ledger-place/judge-declared-place.ts';
import { type CheckedConfiguration, findInConfigurations } from '../meaning/find.ts';
import { asNote, type Diagnostic, Problems, Reporter, raise, raiseErrors } from '../model/diagnostic.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import type { Desired } from '../model/resource.ts';
import type { Port } from './port.ts';
import { createSources, loadStages } from './session/load-configuration.ts';
import { namesSeveralStacks, type StackOptions, type StacksOptions } from './stack-options.ts';

/** The result of a check without errors. */
export interface Validation {
  /** The valid configurations. `id`: of a stack of the workspace; `stage`: if the configuration has stages and none was chosen. */
  valid: { id?: string; stage?: string | undefined; desired: Desired }[];
  /** Warnings, and notes about what a run with the same options could not read, although the configuration is valid. */
  diagnostics: Diagnostic[];
  /** The findings that `findings:` turns off. */
  suppressed: Diagnostic[];
}

/** The configurations to check, and how to read what they name. */
interface ToValidate {
  /** `load` throws `Problems` for a configuration of one stack that has errors. Those of a workspace have their errors with them. */
  configurations: { id?: string; stage?: string; load(): Promise<Configuration> }[];
  /** True if the workspace or the configuration has other stacks or stages. */
  isPart: boolean;
  sources: Sources;
  /** The folder where paths of the configurations start. */
  cwd: string;
}

/**
 * Checks the configuration that the options name, in the chosen stage or in all stages, or all configurations of the workspace, so that
 * mistakes are found without an account. Errors of one do not keep the others from being checked. Throws `Problems` with the diagnostics of
 * all of them if there is an error.
 */
export const validateConfigurations = async (
  provider: Provider,
  options: StackOptions & StacksOptions,
  port: Port,
): Promise<Validation> => {
  const { configurations, isPart, sources, cwd } = namesSeveralStacks(options)
    ? await readWorkspaceConfigurations(provider, options, port)
    : await readStageConfigurations(provider, options, port);
  const valid: (Validation['valid'][number] & CheckedConfiguration)[] = [];
  const report = new Reporter();
  const errors = new Reporter();
  for (const { load, ...names } of configurations)
    try {
      const configuration = await load();
      valid.push({ ...names, desired: configuration.desired, platform: configuration.platform });
      report.add(configuration.diagnostics);
      // Variables and secrets that a run with the same options could not read do not make the configuration wrong.
      report.add([...configuration.notAllowed, ...(await judgeSecrets(configuration, sources))].map(asNote));
      const refusedPlace = await findRefusedPlace({ configuration, sources }, port.run.host);
      if (refusedPlace) report.add(asNote(refusedPlace));
      errors.add((await judgeSecretReferences(configuration, sources, cwd)).refused);
    } catch (error) {
      if (!(error instanceof Problems)) throw error;
      errors.add(error.diagnostics);
    }
  // Findings look at all configurations together. One with errors may declare objects that others need, so then there are none.
  const judgeable = errors.diagnostics.length > 0 ? [] : valid;
  const judged = await findInConfigurations(await provider.meaning(), judgeable, { isPart });
  report.add(judged.shown);
  // Stages have most of their files in common, so their equal diagnostics become one. `hideLines` removes quoted lines with found secrets.
  const folded = foldDiagnostics([...errors.diagnostics, ...report.diagnostics].map(judged.hideLines));
  raiseErrors(folded);
  return { valid, diagnostics: folded, suppressed: judged.suppressed };
};

/**
 * Reads the configurations for `validate --all` or `--changed-since`: those of all stacks of the workspace, or of those that changes since
 * a commit affect. Throws `Problems` if --file or --stage is set, too.
 */
async function readWorkspaceConfigurations(
  provider: Provider,
  options: StackOptions & StacksOptions,
  port: Port,
): Promise<ToValidate> {
  if (options.file || options.stage)
    raise('cli/options', '--file and --stage cannot be combined with --all', {
      hint: 'validate one stack with --file and --stage, or all stacks with --all',
    });
  const { inFolder, readWorkspaceStacks } = await import('./planning/workspace-stacks.ts');
  const { all, chosen, folder } = await readWorkspaceStacks(provider, options, port);
  return {
    configurations: chosen.map(({ id, configuration }) => ({ id, load: async () => configuration })),
    isPart: chosen.length < all.length,
    sources: createSources(options, inFolder(port.run, folder).host),
    cwd: folder,
  };
}

/**
 * Reads the configurations for `trueup validate` without `--all`: those of one stack, in the chosen stage or in all stages. `isPart`: the
 * account may have more configurations than these. Another one may declare an object that they lack, so no finding says that it is missing.
 */
async function readStageConfigurations(
  provider: Provider,
  options: StackOptions,
  { run }: Port,
): Promise<ToValidate> {
  const sources = createSources(options, run.host);
  const configurations = await loadStages(provider, options, run, { sources, isOnlyShown: true });
  const isPart = options.stage !== undefined || findWorkspaceFolder(run.host.cwd) !== undefined;
  return { configurations, isPart, sources, cwd: run.host.cwd };
}
