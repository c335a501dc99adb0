import path from 'node:path';
import { allProblemsOf, type Configuration } from '../../config/configuration.ts';
import { findWorkspaceFolder } from '../../config/find-workspace.ts';
import { load } from '../../config/load.ts';
import { openSources } from '../../config/sources/sources.ts';
import { hintFor, quoted } from '../../config/suggest.ts';
import type { Node } from '../../config/yaml/nodes.ts';
import { openTracking } from '../../git/tracking.ts';
import type { Host } from '../../host.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import type { TestSetup } from '../test-file.ts';

/**
 * Loads the configuration that a test is about, with the variables of its file and the patches of the test (the changes that it makes to
 * the configuration). The configuration finds no environment variable, because the result of a test must not depend on the machine; `env`
 * is only for git: it tells whether a file is tracked. Returns the problems besides the configuration instead of throwing them, because
 * a test may expect them.
 */
export async function loadTested(
  provider: Provider,
  setup: TestSetup,
  patches: Node[],
  { cwd, env }: Pick<Host, 'cwd' | 'env'>,
): Promise<{ configuration: Configuration; diagnostics: Diagnostic[] }> {
  const [firstPath] = setup.configuration;
  const folder = path.dirname(firstPath!);
  const sources = openSources({ env: {}, cwd, tracking: openTracking(env) });
  const workspace =
    findWorkspaceFolder(folder) === undefined
      ? undefined
      : await (await import('../../config/workspace.ts')).readSettingsFromWorkspace(
          folder,
          setup.configuration,
        );
  const configuration = await load({
    kinds: kindsOf(provider.kinds),
    actionsAndLookups: () => provider.actionsAndLookups(),
    cwd,
    env: {},
    paths: setup.configuration,
    stage: setup.stage,
    sources,
    workspace,
    overlay: { variables: setup.variables, patches },
  });
  const diagnostics = [...allProblemsOf(configuration), ...findUnknownSecrets(setup, configuration)];
  return { configuration, diagnostics };
}

/**
 * Returns an error for each secret under `given` of a test file that the configuration does not declare, probably because of a typing
 * error.
 */
const findUnknownSecrets = ({ secrets }: TestSetup, { secrets: declared }: Configuration): Diagnostic[] =>
  [...secrets].flatMap(([name, { spot }]) =>
    declared.has(name)
      ? []
      : [
          problem('test/form', `the configuration has no secret ${quoted(name)}`, {
            at: spot,
            hint: hintFor(name, [...declared.keys()], 'it has'),
          }),
        ],
  );
