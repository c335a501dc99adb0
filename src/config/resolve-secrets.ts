import { type Diagnostic, problem, sortDiagnostics } from '../model/diagnostic.ts';
import { byKey } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { Sealed } from '../model/sealed.ts';
import { holesIn } from '../model/value.ts';
import { visibleEnv } from '../model/visible-env.ts';
import { dropUndefined } from '../model/walk.ts';
import { complaints, maskFor } from './command-complaints.ts';
import { type Configuration, usesOf } from './configuration.ts';
import { Count, maxText } from './growth.ts';
import { askedOf, type DeclaredSecrets } from './judge-secrets.ts';
import { noProgram } from './sources/command-verdict.ts';
import { isOwnDocument, readRegularFile } from './sources/regular-file.ts';
import type { Sources } from './sources/sources.ts';
import {
  envValue,
  type Origin,
  originText,
  type SourceRequest,
  toRefusal,
  type Verdict,
} from './sources/verdict.ts';
import { pickSecret } from './values/pick-secret.ts';

interface ResolveOptions {
  env: Record<string, string | undefined>;
  cwd: string;
  sources: Sources;
  /** The sources that were read for other stacks of the same run: each is read once. */
  readings?: Readings;
}

/** The sources that a run has read. */
export type Readings = Map<string, Promise<Sealed | SecretFailure>>;

export interface ResolvedSecrets {
  values: Map<string, Sealed>;
  /** One for each secret that is not available; whether it stops anything is for the caller to say. */
  diagnostics: Diagnostic[];
}

const maxSecretBytes = 1024 * 1024;
const commandTimeout = 60_000;
/** So many commands at once: they mostly wait for a server, and each takes memory. */
const concurrentReads = 32;

/** Reads the secrets that some resource uses, each source once. No message holds any of their text. */
export async function resolveSecrets(
  declared: DeclaredSecrets & { desired?: Configuration['desired'] },
  options: ResolveOptions,
): Promise<ResolvedSecrets> {
  const values = new Map<string, Sealed>();
  const diagnostics: Diagnostic[] = [];
  const asked = askedOf(declared);
  const verdicts = await options.sources.judge(asked, declared.writtenStack);
  const reading: Readings = options.readings ?? new Map();
  const failed: { one: SourceRequest; found: SecretFailure }[] = [];
  const inTurn = turns(concurrentReads);
  await Promise.all(
    asked.map(async (one, index) => {
      const verdict = verdicts[index]!;
      const refused = toRefusal(one, verdict);
      if (refused || !verdict.allowed) return void diagnostics.push(...(refused ? [refused] : []));
      const key = `${verdict.path} ${originText(one.origin)}`;
      const result = reading.get(key) ?? readOrigin(one, verdict, options, inTurn);
      reading.set(key, result);
      const whole = await result;
      const { pick } = declared.secrets.get(one.name)!;
      const found = whole instanceof Sealed && pick ? pickSecret(whole, pick, one.origin) : whole;
      if (found instanceof Sealed) return void values.set(one.name, new Sealed(found.reveal(), one.name));
      failed.push({ one, found });
    }),
  );
  // What a command said is shown only once all that it must not show is known.
  if (failed.length > 0) {
    const masked = maskFor([...values.values()], options.env);
    const uses = usesOf(declared.desired?.resources.values() ?? []);
    for (const { one, found } of failed) diagnostics.push(unavailable(one, found, { masked, uses }));
  }
  const tooMuch = tooMuchText(declared, values);
  // Without values they are treated like secrets that are not available.
  if (tooMuch.length > 0)
    return { values: new Map(), diagnostics: sortDiagnostics([...diagnostics, ...tooMuch]) };
  return {
    values: new Map([...values].sort(byKey)),
    diagnostics: sortDiagnostics(diagnostics),
  };
}

/** Reports secrets whose text, counted for every use, exceeds what a configuration may make: each use within other text is a copy. */
function tooMuchText(
  { desired, secrets }: Parameters<typeof resolveSecrets>[0],
  values: ReadonlyMap<string, Sealed>,
): Diagnostic[] {
  const uses = new Count<string>(maxText);
  let isExceeded = false;
  for (const { fields } of desired?.resources.values() ?? [])
    for (const hole of holesIn(fields)) {
      const value = '$secret' in hole ? values.get(hole.$secret) : undefined;
      if (value && '$secret' in hole && !uses.allows(hole.$secret, value.reveal().length)) isExceeded = true;
    }
  if (!isExceeded) return [];
  const { at: name, count } = uses.largest();
  return [
    problem(
      'config/too-large',
      `the secrets expand to more than ${maxText} characters of text; \`${name}\` makes most of them, ${count}`,
      { at: secrets.get(name)!.at, hint: 'use it in fewer places' },
    ),
  ];
}

function unavailable(
  { name, origin, at }: SourceRequest,
  { code, message, hint, said, related, alike }: SecretFailure,
  { masked, uses }: { masked(text: string): string; uses: ReturnType<typeof usesOf> },
): Diagnostic {
  const users = [...new Set((uses.get(name) ?? []).map(({ address }) => addressWithoutTarget(address)))];
  const needed = users.length === 0 ? '' : `; needed by ${listUsers(users)}`;
  const lines = said === undefined ? [] : masked(said).split('\n');
  return problem(
    code,
    [`the secret \`${name}\` is not available: ${message}${needed}`, ...lines].join('\n'),
    {
      secret: {
        name,
        ...('env' in origin ? { variable: origin.env } : {}),
        users: users.length > 0 ? users : undefined,
      },
      at,
      hint,
      ...dropUndefined({ related, alike }),
    },
  );
}

const mostNamedUsers = 10;

function listUsers(users: string[]): string {
  const more = users.length - mostNamedUsers;
  return `${users.slice(0, mostNamedUsers).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `said`: what a command wrote to its standard error, as it is. */
type SecretFailure = { code: string; message: string; hint?: string; said?: string } & Pick<
  Diagnostic,
  'related' | 'alike'
>;
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

async function readOrigin(
  { origin }: { origin: Origin },
  { path }: Extract<Verdict, { allowed: true }>,
  options: ResolveOptions,
  inTurn: InTurn,
): Promise<Sealed | SecretFailure> {
  if ('file' in origin) return readFile(path!);
  if ('command' in origin && path === undefined)
    return {
      code: 'secret/command',
      message: noProgram(origin.command[0]!),
      hint: 'install it on the PATH; programs inside the repository are not run',
    };
  if ('command' in origin)
    return inTurn(() => runSecretCommand([path!, ...origin.command.slice(1)], options));
  const value = envValue(options.env, origin.env);
  return value
    ? new Sealed(value)
    : {
        code: 'secret/unset',
        message: `${origin.env} is ${value === undefined ? 'not set' : 'empty'}`,
        hint: `set ${origin.env} in the environment${value === undefined ? '' : '; only a source with several secrets (dotenv, json, sops) can hold an empty one'}`,
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

async function readFile(file: string): Promise<Sealed | SecretFailure> {
  try {
    const bytes = await readRegularFile(file, maxSecretBytes);
    if (bytes === 'special') return { code: 'secret/file', message: 'its file is not a regular file' };
    if (bytes === 'too-large') return { code: 'secret/file', message: 'its file is larger than 1 MB' };
    if (isOwnDocument(bytes))
      return {
        code: 'source/file',
        message: 'its file is a trueup ledger or plan, which is never read',
      };
    return sealBytes(bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { code: 'secret/file', message: `its file cannot be read (${code})` };
  }
}

async function runSecretCommand(
  [program, ...args]: string[],
  { env, cwd }: ResolveOptions,
): Promise<Sealed | SecretFailure> {
  const { execFile } = await import('node:child_process');
  const limits = {
    cwd,
    env: visibleEnv(env),
    timeout: commandTimeout,
    maxBuffer: maxSecretBytes,
    encoding: 'buffer' as const,
    shell: false,
    windowsHide: true,
  };
  return new Promise((resolve) => {
    const child = execFile(program!, args, limits, (error, stdout, stderr) => {
      if (!error) return resolve(sealBytes(stdout));
      // What it printed may be the secret: of its complaints, what is like that is left out.
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
      const said = complaints(stderr.toString('utf8'), stdout.toString('utf8'));
      resolve({
        code: 'secret/command',
        message: `its command ${how}`,
        ...(said === '' ? { hint: 'run it by hand to see why' } : { said }),
      });
    });
    child.stdin?.end();
  });
}

/** The text without the newline that editors and programs put at the end. */
function sealBytes(bytes: Buffer): Sealed | SecretFailure {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    return text === '' ? { code: 'secret/empty', message: 'it is empty' } : new Sealed(text);
  } catch {
    return { code: 'secret/not-text', message: 'it is not UTF-8 text' };
  }
}
