import type { CiReader } from '../ci/inspect-single-stack.ts';
import { load } from '../config/load.ts';
import type { Sources } from '../config/sources/sources.ts';
import type { Provider } from '../kind/provider.ts';
import { findRefusedPlace } from '../ledger-place/judge-declared-place.ts';
import { readWorkspaceStacks } from './planning/workspace-stacks.ts';
import type { Run } from './port.ts';
import { createLoadOptions, createSources } from './session/load-configuration.ts';
import { standardOptions } from './stack-options.ts';

/**
 * Creates the reader of configurations for `init --ci`. It reads only what a CI job can read: it ignores the values of variables in the
 * environment of the developer (`TRUEUP_VAR_*`), because they are not set in CI. `texts`: new texts of files by real path, to read instead
 * of those on disk. `findRefusedPlace` returns why CI may not use the place of the ledger that a configuration names, if so.
 */
export function createCiReader(
  provider: Provider,
  { host }: Run,
  texts?: ReadonlyMap<string, string>,
): CiReader {
  const ciEnvironment = Object.entries(host.env).filter(([name]) => !name.startsWith('TRUEUP_VAR_'));
  const run: Run = { host: { ...host, env: Object.fromEntries(ciEnvironment) } };
  let sources: Sources | undefined;
  return {
    withTexts: (newTexts) => createCiReader(provider, { host }, newTexts),
    async readWorkspace() {
      const { all } = await readWorkspaceStacks(provider, standardOptions, { run, texts });
      return all.map(({ configuration }) => configuration);
    },
    findRefusedPlace(configuration) {
      const { TRUEUP_LEDGER: place } = host.env;
      // TRUEUP_LEDGER allows the place of the YAML if both are the same. Another value would hide that place, so it is left out.
      const env = place === configuration.ledger?.place ? { TRUEUP_LEDGER: place } : {};
      return findRefusedPlace({ configuration, sources: createSources({}, host) }, { ...host, env });
    },
    readStage(source, stage) {
      sources ??= createSources({}, run.host);
      const { file, text }: { file?: string; text?: string } = source;
      const files = file === undefined ? undefined : [file];
      const options = createLoadOptions(provider, { file: files, stage }, run);
      return load({ ...options, text, texts, sources });
    },
  };
}
