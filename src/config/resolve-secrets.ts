import { type Diagnostic, problem, sortDiagnostics } from '../model/diagnostic.ts';
import { byKey } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { Sealed } from '../model/sealed.ts';
import { holesIn } from '../model/value.ts';
import { visibleEnv } from '../model/visible-env.ts';
import { dropUndefined } from '../model/walk.ts';
import { createOutputMask, maskedErrorOutput } from './command-complaints.ts';
import { type Configuration, resourcesBySecret } from './configuration.ts';
import { LimitedCount, maxText } from './growth.ts';
import { type DeclaredSecrets, secretRequestsOf } from './judge-secrets.ts';
import { noProgramMessage } from './sources/command-verdict.ts';
import { isTrueupDocument, readRegularFile } from './sources/regular-file.ts';
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
  /** The sources that other stacks of the same run have read, so that each source is read once. */
  readings?: Readings;
}

/** What a run has read or is reading, by path and origin of the source. */
export type Readings = Map<string, Promise<Sealed | SecretFailure>>;

export interface ResolvedSecrets {
  values: Map<string, Sealed>;
  /** One problem for each secret that is not available. The caller decides whether that stops the run. */
  diagnostics: Diagnostic[];
}

const maxSecretBytes = 1024 * 1024;
const commandTimeout = 60_000;
/** How many commands run at once: they mostly wait for a server, but each takes memory. */
const concurrentReads = 32;

/**
 * Reads the values of the secrets that resources use, before a plan compares or an apply sends them. Reads each source once. No message
 * contains a part of a secret.
 */
export async function resolveSecrets(
  declared: DeclaredSecrets & { desired?: Configuration['desired'] },
  options: ResolveOptions,
): Promise<ResolvedSecrets> {
  const values = new Map<string, Sealed>();
  const diagnostics: Diagnostic[] = [];
  const requests = secretRequestsOf(declared);
  const verdicts = await options.sources.judge(requests, declared.writtenStack);
  const readings: Readings = options.readings ?? new Map();
  const failures: { request: SourceRequest; failure: SecretFailure }[] = [];
  const inTurn = createTurns(concurrentReads);
  await Promise.all(
    requests.map(async (request, index) => {
      const verdict = verdicts[index]!;
      const refusal = toRefusal(request, verdict);
      if (refusal || !verdict.allowed) return void diagnostics.push(...(refusal ? [refusal] : []));
      const key = `${verdict.path} ${originText(request.origin)}`;
      const reading = readings.get(key) ?? readOrigin(request, verdict, options, inTurn);
      readings.set(key, reading);
      const content = await reading;
      const { name, origin } = request;
      const { pick } = declared.secrets.get(name)!;
      const value = content instanceof Sealed && pick ? pickSecret(content, pick, origin) : content;
      if (value instanceof Sealed) values.set(name, new Sealed(value.reveal(), name));
      else failures.push({ request, failure: value });
    }),
  );
  // The output of a failed command may hold other secrets, so it is masked after all secrets were read.
  if (failures.length > 0) {
    const masked = createOutputMask([...values.values()], options.env);
    const uses = resourcesBySecret(declared.desired?.resources.values() ?? []);
    for (const { request, failure } of failures)
      diagnostics.push(secretUnavailable(request, failure, { masked, uses }));
  }
  const sizeProblems = tooMuchText(declared, values);
  // Without their values, callers treat all secrets as not available.
  if (sizeProblems.length > 0)
    return { values: new Map(), diagnostics: sortDiagnostics([...diagnostics, ...sizeProblems]) };
  return {
    values: new Map([...values].sort(byKey)),
    diagnostics: sortDiagnostics(diagnostics),
  };
}

/** Reports secrets whose text is too long in total. Counts each use, because each use inside another text makes a copy. */
function tooMuchText(
  { desired, secrets }: Parameters<typeof resolveSecrets>[0],
  values: ReadonlyMap<string, Sealed>,
): Diagnostic[] {
  const uses = new LimitedCount<string>(maxText);
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

/** Returns the problem of a secret that could not be read, with the resources that need it and the masked output of its command. */
function secretUnavailable(
  { name, origin, at }: SourceRequest,
  { code, message, hint, output, related, alike }: SecretFailure,
  { masked, uses }: { masked(text: string): string; uses: ReturnType<typeof resourcesBySecret> },
): Diagnostic {
  const users = [...new Set((uses.get(name) ?? []).map(({ address }) => addressWithoutTarget(address)))];
  const needed = users.length === 0 ? '' : `; needed by ${listUsers(users)}`;
  const lines = output === undefined ? [] : masked(output).split('\n');
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

/** Why a secret could not be read. `output`: the standard error of its command, which may hold secrets. */
type SecretFailure = { code: string; message: string; hint?: string; output?: string } & Pick<
  Diagnostic,
  'related' | 'alike'
>;
/** Runs work when it has its turn. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Reads the source of a secret. Only for sources that were allowed. */
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
      message: noProgramMessage(origin.command[0]!),
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

/** Returns a function that runs work in the order of its calls, up to `limit` at once. */
function createTurns(limit: number): InTurn {
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

/** Reads a secret from a file; refuses ledgers and plans of trueup, whose content must not become a value. */
async function readFile(file: string): Promise<Sealed | SecretFailure> {
  try {
    const bytes = await readRegularFile(file, maxSecretBytes);
    if (bytes === 'special') return { code: 'secret/file', message: 'its file is not a regular file' };
    if (bytes === 'too-large') return { code: 'secret/file', message: 'its file is larger than 1 MB' };
    if (isTrueupDocument(bytes))
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

/** Runs the command of a secret, without a shell and with our own secrets removed from the environment; its output is the secret. */
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
      // The output may be the secret, so its text is removed from the complaints.
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
      const output = maskedErrorOutput(stderr.toString('utf8'), stdout.toString('utf8'));
      resolve({
        code: 'secret/command',
        message: `its command ${how}`,
        ...(output === '' ? { hint: 'run it by hand to see why' } : { output }),
      });
    });
    child.stdin?.end();
  });
}

/** Seals the text of a source without its last newline, which editors and programs add. */
function sealBytes(bytes: Buffer): Sealed | SecretFailure {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    return text === '' ? { code: 'secret/empty', message: 'it is empty' } : new Sealed(text);
  } catch {
    return { code: 'secret/not-text', message: 'it is not UTF-8 text' };
  }
}
