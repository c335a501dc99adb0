import { load } from '../../src/config/load.ts';
import type { View } from '../../src/kind/meaning.ts';
import { viewOfConfigurations } from '../../src/meaning/view.ts';
import { allAllowed } from './all-allowed.ts';
import { kinds } from './world.ts';

/**
 * Returns the view of configurations, as `validate` has it: of one, or of several in a workspace. `bodies`: their YAML without the header, which is
 * added. Throws if a configuration has errors.
 */
export async function viewOf(...bodies: [string, ...string[]]): Promise<View> {
  const configurations = await Promise.all(
    bodies.map(async (yaml, i) => {
      const stack = i === 0 ? 'test' : `test-${i}`;
      const { desired, diagnostics } = await load({
        kinds,
        cwd: '/',
        text: `stack: ${stack}\nplatform: { team: acme }\n${yaml}`,
        env: {},
        sources: allAllowed({}, '/'),
      });
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
      return desired;
    }),
  );
  return viewOfConfigurations(configurations);
}
