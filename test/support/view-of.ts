import { load } from '../../src/config/load.ts';
import type { View } from '../../src/kind/meaning.ts';
import { viewOfConfigurations } from '../../src/meaning/view.ts';
import { allAllowed } from './all-allowed.ts';
import { kinds } from './world.ts';

/** Returns the view of a configuration, as `validate` has it. `yaml`: the body; the header is added. Throws if the configuration has errors. */
export async function viewOf(yaml: string): Promise<View> {
  const text = `stack: test\nplatform: { team: acme }\n${yaml}`;
  const { desired, diagnostics } = await load({
    kinds,
    cwd: '/',
    text,
    env: {},
    sources: allAllowed({}, '/'),
  });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return viewOfConfigurations([desired]);
}
