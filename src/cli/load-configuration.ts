import { type Configuration, load } from '../config/load.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors, Problems } from '../model/diagnostic.ts';
import { currentStack } from './current-stack.ts';
import type { StackOptions } from './options.ts';
import { optimizeAsUsual, optimizeLater } from './tune-v8.ts';

/** The configuration; throws `Problems` with all that is wrong with it. */
export async function loadConfiguration(provider: Provider, options: StackOptions): Promise<Configuration> {
  optimizeLater();
  const configuration = await load({
    kinds: kindsOf(provider.kinds),
    cwd: process.cwd(),
    env: process.env,
    ...(options.file ? { paths: options.file } : {}),
    ...(options.var ? { vars: options.var } : {}),
    ...(options.varFile ? { varFiles: options.varFile } : {}),
  });
  optimizeAsUsual();
  currentStack.set(configuration.desired.stack || configuration.seemingStack);
  if (hasErrors(configuration.diagnostics)) throw new Problems(configuration.diagnostics);
  return configuration;
}
