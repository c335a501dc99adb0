import type { Configuration } from '../../config/configuration.ts';
import { load } from '../../config/load.ts';
import { extractCommit } from '../../git/commits.ts';
import type { Provider } from '../../kind/provider.ts';
import { hasErrors, problem, raise } from '../../model/diagnostic.ts';
import type { Run } from '../port.ts';
import { createSources } from '../session/create-sources.ts';
import { createLoadOptions } from '../session/load-configuration.ts';
import type { StackOptions } from '../stack-options.ts';

/**
 * Loads the configuration that the files of a commit declare, for `undo`. It may read the sources that are allowed today. Throws `Problems` with all of
 * its errors.
 */
export async function loadConfigurationAt(
  commit: string,
  provider: Provider,
  options: StackOptions,
  run: Run,
): Promise<Configuration> {
  const { host } = run;
  const files = await extractCommit(commit, host);
  try {
    const sources = createSources(options, { env: host.env, cwd: files.cwd }, undefined, files.tracking);
    const configuration = await load({
      ...createLoadOptions(provider, options, run),
      cwd: files.cwd,
      sources,
    });
    const diagnostics = [...configuration.diagnostics, ...configuration.notAllowed];
    if (!hasErrors(diagnostics)) return configuration;
    raise([
      problem(
        'undo/configuration',
        `the configuration at ${commit.slice(0, 12)} cannot be read in its original form`,
        {
          hint: 'pass the same --stage, --var, --var-file and --file as that run',
        },
      ),
      ...diagnostics.filter(({ severity }) => severity === 'error'),
    ]);
  } finally {
    await files.remove();
  }
}
