import { execFile } from 'node:child_process';
import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { Sealed } from '../model/sealed.ts';
import { visibleEnv } from '../model/visible-env.ts';
import type { Configuration } from './load.ts';
import { isRefusedEnv } from './refused-env.ts';
import type { SecretSource } from './secrets.ts';
import { sortDiagnostics } from './sort-diagnostics.ts';

export interface ResolveOptions {
  env: Record<string, string | undefined>;
  cwd: string;
  allowCommands: boolean;
}
export interface ResolvedSecrets {
  values: Map<string, Sealed>;
  /** One for each secret that is not available; whether it stops anything is for the caller to say. */
  diagnostics: Diagnostic[];
}

const maxBytes = 1024 * 1024;
const commandTimeout = 60_000;

/** Reads the secrets that some resource uses. No message holds any of their text. */
export async function resolveSecrets(
  { secrets, usedSecrets }: Pick<Configuration, 'secrets' | 'usedSecrets'>,
  options: ResolveOptions,
): Promise<ResolvedSecrets> {
  const values = new Map<string, Sealed>();
  const diagnostics: Diagnostic[] = [];
  await Promise.all(
    [...usedSecrets].sort().map(async (name) => {
      const source = secrets.get(name);
      if (!source) return;
      const result = await read(source, options);
      if (result instanceof Sealed) values.set(name, result);
      else
        diagnostics.push(
          problem(result.code, `the secret \`${name}\` is not available: ${result.message}`, {
            secret: { name, ...('env' in source ? { variable: source.env } : {}) },
            at: source.at,
            hint: result.hint,
          }),
        );
    }),
  );
  return {
    values: new Map([...values].sort(([a], [b]) => (a < b ? -1 : 1))),
    diagnostics: sortDiagnostics(diagnostics),
  };
}

type Failure = { code: string; message: string; hint?: string };

function read(source: SecretSource, options: ResolveOptions): Sealed | Failure | Promise<Sealed | Failure> {
  if ('env' in source) {
    const value = isRefusedEnv(source.env) ? undefined : options.env[source.env];
    return value
      ? new Sealed(value)
      : {
          code: 'secret/unset',
          message: `${source.env} is not set`,
          hint: `set ${source.env} in the environment`,
        };
  }
  return 'file' in source ? readFile(source.file, options.cwd) : runCommand(source.command, options);
}

async function readFile(file: string, cwd: string): Promise<Sealed | Failure> {
  try {
    const root = await realpath(cwd);
    const real = await realpath(path.resolve(root, file));
    if (!real.startsWith(root.endsWith(path.sep) ? root : root + path.sep))
      return {
        code: 'secret/file-outside',
        message: 'its file lies outside of the working directory',
        hint: 'move it inside; links do not help',
      };
    // Before it is opened: opening a pipe waits for whoever writes to it.
    if (!(await stat(real)).isFile()) return { code: 'secret/file', message: 'its file is no regular file' };
    const handle = await open(real, 'r');
    try {
      if ((await handle.stat()).size > maxBytes)
        return { code: 'secret/file', message: 'its file is larger than 1 MB' };
      return sealed(await handle.readFile());
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      code: 'secret/file',
      message: code === 'ENOENT' ? `there is no file ${file}` : `its file cannot be read (${code})`,
    };
  }
}

function runCommand(
  [program, ...args]: string[],
  { env, cwd, allowCommands }: ResolveOptions,
): Promise<Sealed | Failure> {
  if (!allowCommands)
    return Promise.resolve({
      code: 'secret/command-refused',
      message: 'it comes from a command',
      hint: 'commands run with --allow-commands only',
    });
  const limits = {
    cwd,
    env: visibleEnv(env),
    timeout: commandTimeout,
    maxBuffer: maxBytes,
    encoding: 'buffer' as const,
    shell: false,
    windowsHide: true,
  };
  return new Promise((resolve) => {
    const child = execFile(program!, args, limits, (error, stdout) => {
      if (!error) return resolve(sealed(stdout));
      // What the command printed may be the secret; only how it ended is told.
      const { code, killed, signal } = error;
      const how =
        code === ('ERR_CHILD_PROCESS_STDIO_MAXBUFFER' as unknown)
          ? 'printed more than 1 MB'
          : killed
            ? 'took longer than a minute'
            : typeof code === 'number'
              ? `ended with exit code ${code}`
              : signal
                ? `was ended by ${signal}`
                : `could not be started (${code})`;
      resolve({ code: 'secret/command', message: `its command ${how}`, hint: 'run it by hand to see why' });
    });
    child.stdin?.end();
  });
}

/** The text without the newline that editors and programs put at the end. */
function sealed(bytes: Buffer): Sealed | Failure {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    return text === '' ? { code: 'secret/empty', message: 'it is empty' } : new Sealed(text);
  } catch {
    return { code: 'secret/not-text', message: 'it is no UTF-8 text' };
  }
}
