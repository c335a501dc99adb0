import { type Configuration, load } from '../config/load.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors, Problems } from '../model/diagnostic.ts';
import type { Run } from './host.ts';
import type { StackOptions } from './options.ts';

/** The configuration; throws `Problems` with all that is wrong with it. */
export async function loadConfiguration(
  provider: Provider,
  options: StackOptions,
  run: Run,
): Promise<Configuration> {
  const { cwd, env, engine } = run.host;
  engine.starting();
  const configuration = await load({
    kinds: kindsOf(provider.kinds),
    cwd,
    env,
    ...(options.file ? { paths: options.file } : {}),
    ...(options.var ? { vars: options.var } : {}),
    ...(options.varFile ? { varFiles: options.varFile } : {}),
  });
  engine.started();
  run.stack = configuration.desired.stack || configuration.seemingStack;
  if (hasErrors(configuration.diagnostics)) throw new Problems(configuration.diagnostics);
  return configuration;
}
