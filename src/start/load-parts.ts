import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

type Wrapped = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: object },
  filename: string,
  folder: string,
) => void;

export interface LoadOptions {
  /** The folder that the program's parts are in. */
  folder: string;
  /** What V8 made of a part in an earlier run. What it cannot use it leaves alone, and compiles the text. */
  cached(part: string): Buffer | undefined;
  /** Each part once it is compiled, before it runs. */
  onScript?(part: string, script: Script): void;
}

/** Loads a part of the program, and the parts that it requires, as node's own loader does: each once, as CommonJS. */
export function loadParts({ folder, cached, onScript }: LoadOptions): (part: string) => unknown {
  const modules = new Map<string, { exports: object }>();
  const elsewhere = createRequire(join(folder, 'parts.cjs'));
  const load = (part: string): unknown => {
    const known = modules.get(part);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(part, module);
    const filename = join(folder, part);
    const cachedData = cached(part);
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'utf8')}\n})`,
      { filename, ...(cachedData ? { cachedData } : {}) },
    );
    onScript?.(part, script);
    const run = script.runInThisContext() as Wrapped;
    run(
      module.exports,
      (name) => (name.startsWith('./') ? load(name.slice(2)) : elsewhere(name)),
      module,
      filename,
      folder,
    );
    return module.exports;
  };
  return load;
}
