import { type Configuration, load } from '../config/load.ts';
import type { Sources } from '../config/sources/sources.ts';
import { maxBytes } from '../config/yaml/read-documents.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors, Problems } from '../model/diagnostic.ts';
import type { Host, Run } from './host.ts';
import type { StackOptions } from './options.ts';

/**
 * The configuration; throws `Problems` with all that is wrong with it. What its variables may not read is among that, unless this is
 * for taking a look only.
 */
export async function loadConfiguration(
  provider: Provider,
  options: StackOptions,
  run: Run,
  { sources, isLook = false }: { sources: Sources; isLook?: boolean },
): Promise<Configuration> {
  const { cwd, env, engine, stdin } = run.host;
  engine.starting();
  const configuration = await load({
    kinds: kindsOf(provider.kinds),
    cwd,
    env,
    sources,
    readInput: () => readInput(stdin),
    ...(options.file ? { paths: options.file } : {}),
    ...(options.var ? { vars: options.var } : {}),
    ...(options.varFile ? { varFiles: options.varFile } : {}),
  });
  engine.started();
  run.stack = configuration.desired.stack || configuration.seemingStack;
  const { diagnostics, notAllowed } = configuration;
  if (hasErrors(diagnostics) || (notAllowed.length > 0 && !isLook))
    throw new Problems(isLook ? diagnostics : [...diagnostics, ...notAllowed]);
  return configuration;
}

/** Standard input; somewhat more than may be read says enough. */
async function readInput(stdin: Host['stdin']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks);
}
