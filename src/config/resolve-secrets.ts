import { execFile } from 'node:child_process';
import { parseEnv } from 'node:util';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { Sealed } from '../model/sealed.ts';
import { visibleEnv } from '../model/visible-env.ts';
import type { Configuration } from './load.ts';
import { noProgram } from './sources/command-verdict.ts';
import { isOwnDocument, readRegularFile } from './sources/regular-file.ts';
import type { Sources } from './sources/sources.ts';
import { type Asked, envValue, notAllowed, originText, type Verdict } from './sources/verdict.ts';
import { sortDiagnostics } from './suggest.ts';
import type { SecretSource } from './values/secrets.ts';

interface ResolveOptions {
  env: Record<string, string | undefined>;
  cwd: string;
  sources: Sources;
}
export interface ResolvedSecrets {
  values: Map<string, Sealed>;
  /** One for each secret that is not available; whether it stops anything is for the caller to say. */
  diagnostics: Diagnostic[];
}

type Declared = Pick<Configuration, 'secrets' | 'usedSecrets' | 'writtenStack'>;

const maxBytes = 1024 * 1024;
const commandTimeout = 60_000;
/** So many commands at once: they mostly wait for a server, and each takes memory. */
const atOnce = 32;

/** Says for each secret that some resource uses, and that may not be read, what allows it. Reads none. */
export async function judgeSecrets(declared: Declared, sources: Sources): Promise<Diagnostic[]> {
  const asked = askedOf(declared);
  const verdicts = await sources.judge(asked, declared.writtenStack);
  return sortDiagnostics(asked.flatMap((one, at) => notAllowed(one, verdicts[at]!) ?? []));
}

/** Reads the secrets that some resource uses, each source once. No message holds any of their text. */
export async function resolveSecrets(declared: Declared, options: ResolveOptions): Promise<ResolvedSecrets> {
  const values = new Map<string, Sealed>();
  const diagnostics: Diagnostic[] = [];
  const asked = askedOf(declared);
  const verdicts = await options.sources.judge(asked, declared.writtenStack);
  const reading = new Map<string, Promise<Sealed | Failure>>();
  const inTurn = turns(atOnce);
  await Promise.all(
    asked.map(async (one, at) => {
      const verdict = verdicts[at]!;
      const refused = notAllowed(one, verdict);
      if (refused || !verdict.allowed) return void diagnostics.push(...(refused ? [refused] : []));
      const key = `${verdict.path} ${originText(one.origin)}`;
      const result = reading.get(key) ?? read(one, verdict, options, inTurn);
      reading.set(key, result);
      const whole = await result;
      const { pick } = declared.secrets.get(one.name)!;
      const found = whole instanceof Sealed && pick ? picked(whole, pick) : whole;
      if (found instanceof Sealed) return void values.set(one.name, new Sealed(found.reveal(), one.name));
      const { code, message, hint } = found;
      diagnostics.push(
        problem(code, `the secret \`${one.name}\` is not available: ${message}`, {
          secret: { name: one.name, ...('env' in one.origin ? { variable: one.origin.env } : {}) },
          at: one.at,
          hint,
        }),
      );
    }),
  );
  return {
    values: new Map([...values].sort(([a], [b]) => (a < b ? -1 : 1))),
    diagnostics: sortDiagnostics(diagnostics),
  };
}

const askedOf = ({ secrets, usedSecrets }: Declared): Asked[] =>
  [...usedSecrets].sort().flatMap((name) => {
    const source = secrets.get(name);
    return source
      ? [{ use: 'secret', name, origin: originOf(source), folder: source.folder, at: source.at }]
      : [];
  });

/** The origins of all that a configuration uses: `env DATABASE_URL` by `secret database`. */
export async function originsOf(
  { secrets, usedSecrets, variableOrigins }: Configuration,
  sources: Sources,
): Promise<Map<string, string>> {
  const origins = new Map([...variableOrigins].map(([name, source]) => [`variable ${name}`, source]));
  for (const name of usedSecrets) {
    const source = secrets.get(name);
    if (!source) continue;
    const file = 'file' in source ? { file: await sources.nameOf(source.file, source.folder) } : undefined;
    origins.set(`secret ${name}`, originText(file ?? originOf(source)));
  }
  return origins;
}

function originOf(source: SecretSource): Asked['origin'] {
  if ('env' in source) return { env: source.env };
  return 'file' in source ? { file: source.file } : { command: source.command };
}

/** One of the secrets that a text holds. No message says what else is in it. */
function picked(whole: Sealed, { format, key }: NonNullable<SecretSource['pick']>): Sealed | Failure {
  const code = 'secret/key';
  let members: Record<string, unknown>;
  try {
    members = format === 'json' ? (JSON.parse(whole.reveal()) as never) : parseEnv(whole.reveal());
  } catch {
    return { code, message: 'its source is no JSON' };
  }
  const value =
    typeof members === 'object' && members !== null && Object.hasOwn(members, key) ? members[key] : undefined;
  if (value === undefined || value === null || value === '')
    return { code, message: `its source has no value for the key ${key}`, hint: `add ${key} to it` };
  if (typeof value === 'object')
    return {
      code,
      message: `its source has no text under the key ${key}`,
      hint: 'a key has one value, which is text',
    };
  return new Sealed(String(value));
}

type Failure = { code: string; message: string; hint?: string };
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

async function read(
  { origin }: Asked,
  { path }: Extract<Verdict, { allowed: true }>,
  options: ResolveOptions,
  inTurn: InTurn,
): Promise<Sealed | Failure> {
  if ('file' in origin) return readFile(path!);
  if ('command' in origin && path === undefined)
    return {
      code: 'secret/command',
      message: noProgram(origin.command[0]!),
      hint: 'install it where the PATH leads; what lies in the repository does not run',
    };
  if ('command' in origin) return inTurn(() => runCommand([path!, ...origin.command.slice(1)], options));
  const value = envValue(options.env, origin.env);
  return value
    ? new Sealed(value)
    : {
        code: 'secret/unset',
        message: `${origin.env} is not set`,
        hint: `set ${origin.env} in the environment`,
      };
}

/** Runs work as it is given, up to so much at once. */
function turns(limit: number): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

async function readFile(file: string): Promise<Sealed | Failure> {
  try {
    const bytes = await readRegularFile(file, maxBytes);
    if (bytes === 'special') return { code: 'secret/file', message: 'its file is no regular file' };
    if (bytes === 'too-large') return { code: 'secret/file', message: 'its file is larger than 1 MB' };
    if (isOwnDocument(bytes))
      return {
        code: 'source/file',
        message: 'its file is a ledger or a plan of trueup, which is never read',
      };
    return sealed(bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { code: 'secret/file', message: `its file cannot be read (${code})` };
  }
}

function runCommand([program, ...args]: string[], { env, cwd }: ResolveOptions): Promise<Sealed | Failure> {
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
