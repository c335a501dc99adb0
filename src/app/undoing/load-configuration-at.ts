import type { Configuration } from '../../config/configuration.ts';
import { load } from '../../config/load.ts';
import { type ExtractedFiles, extractFiles } from '../../git/commits.ts';
import { GitError } from '../../git/git.ts';
import type { Host } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import { hasErrors, Problems, problem } from '../../model/diagnostic.ts';
import type { Run } from '../port.ts';
import { createSources } from '../session/create-sources.ts';
import { createLoadOptions } from '../session/load-configuration.ts';
import type { StackOptions } from '../stack-options.ts';

/** Extracts the files of a commit into a temporary folder, which the caller removes. Throws `Problems` if git cannot read the commit. */
export const extractCommit = (ref: string, host: Pick<Host, 'cwd' | 'env'>): Promise<ExtractedFiles> =>
  extractFiles(ref, host.cwd, host.env).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    throw new Problems('git/ref', `cannot read the files at ${JSON.stringify(ref)} from git`, {
      hint: 'name a commit, branch or tag that exists here; a shallow checkout has only the latest commits: git fetch --unshallow',
    });
  });

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
    throw new Problems([
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
