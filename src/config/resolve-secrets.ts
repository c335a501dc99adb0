/** Reads the values of secrets from environment variables, files and commands. */
import type { ExecFileException } from 'node:child_process';
import { type Diagnostic, problem, Reporter, sortDiagnostics } from '../model/diagnostic.ts';
import { neededByText } from '../model/fold-wordings.ts';
import { byKey } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { createMasking } from '../model/masking.ts';
import { Sealed } from '../model/sealed.ts';
import { holesIn } from '../model/value.ts';
import { visibleEnv } from '../model/visible-env.ts';
import { dropUndefined } from '../model/walk.ts';
import { type Configuration, resourcesBySecret } from './configuration.ts';
import { LimitedCount, maxText } from './growth.ts';
import { type DeclaredSecrets, secretRequestsOf } from './judge-secrets.ts';
import { noProgramMessage } from './sources/command-pattern.ts';
import { isTrueupDocument, readRegularFile } from './sources/regular-file.ts';
import type { Sources } from './sources/sources.ts';
import {
  envValue,
  type Origin,
  originText,
  type SourceRequest,
  type SourceVerdict,
  toRefusal,
} from './sources/verdict.ts';
import { pickSecret } from './values/dotenv.ts';

/** Where secrets may be read from. */
interface ResolveOptions {
  env: Record<string, string | undefined>;
  cwd: string;
  sources: Sources;
  /** The sources that other stacks of the same run have read or are reading, so that each source is read only once. */
  readings?: Readings;
}

/** The contents of sources, by path and origin of the source. */
export type Readings = Map<string, Promise<Sealed | SecretFailure>>;

/** The values of secrets by name, and the problems with others. */
export interface ResolvedSecrets {
  values: Map<string, Sealed>;
  /**
   * The problems with secrets that are not available or too long in total, or warnings about placeholders.
   * The caller decides whether they stop the run.
   */
  diagnostics: Diagnostic[];
}

const maxSecretBytes = 1024 * 1024;
const commandTimeout = 60_000;
/** How many commands run at once: they mostly wait for a server, but each takes memory. */
const concurrentCommands = 32;

/**
 * Returns the values of the secrets in `usedSecrets`, before a plan compares or an apply sends them, and a
 * problem for each one that is not available. Returns no values if they are too long in total. Messages mask
 * secrets. `desired`: the resources, to count their uses of each secret, and to name them in the message
 * about one that is not available.
 */
export async function resolveSecrets(
  declared: DeclaredSecrets & { desired?: Configuration['desired'] },
  options: ResolveOptions,
): Promise<ResolvedSecrets> {
  const report = new Reporter();
  const { values, failures } = await readAllowedSecrets(declared, options, report);
  // The output of a failed command may hold other secrets, so it is masked after all secrets were read.
  if (failures.length > 0) {
    const maskOutput = createOutputMask([...values.values()], options.env);
    const users = resourcesBySecret(declared.desired?.resources.values() ?? []);
    for (const { request, failure } of failures)
      report.add(secretUnavailable(request, failure, { maskOutput, users }));
  }
  const sizeProblems = checkSecretSizes(declared, values);
  // Without their values, callers treat all secrets as not available.
  if (sizeProblems.length > 0)
    return { values: new Map(), diagnostics: sortDiagnostics([...report.diagnostics, ...sizeProblems]) };
  return {
    values: new Map([...values].sort(byKey)),
    diagnostics: sortDiagnostics(report.diagnostics),
  };
}

/**
 * Reads the declared secrets that are in use and whose sources the operator allows; those with a source that
 * is not allowed are reported. A source is read once
 * (`readings`, by its path and origin), although several secrets may come from it: then `pick` tells which
 * part of its content is the secret. Returns the values by name, and why others could not be read.
 */
async function readAllowedSecrets(
  declared: DeclaredSecrets,
  options: ResolveOptions,
  report: Reporter,
): Promise<{ values: Map<string, Sealed>; failures: { request: SourceRequest; failure: SecretFailure }[] }> {
  const requests = secretRequestsOf(declared);
  const verdicts = await options.sources.judge(requests, declared.writtenStack);
  const readings: Readings = options.readings ?? new Map();
  const runLimited = createTaskLimiter(concurrentCommands);
  const values = new Map<string, Sealed>();
  const failures: { request: SourceRequest; failure: SecretFailure }[] = [];
  const readSecret = async (request: (typeof requests)[number], verdict: SourceVerdict) => {
    const refusal = toRefusal(request, verdict);
    if (refusal) return report.add(refusal);
    // Never the case: without a refusal the source is allowed. The compiler does not know that.
    if (!verdict.allowed) return;
    const key = `${verdict.path} ${originText(request.origin)}`;
    const reading = readings.get(key) ?? readOrigin(request, verdict, options, runLimited);
    readings.set(key, reading);
    const content = await reading;
    const { name, origin } = request;
    const { pick } = declared.secrets.get(name)!;
    const value = content instanceof Sealed && pick ? pickSecret(content, pick, origin) : content;
    if (value instanceof Sealed) values.set(name, new Sealed(value.reveal(), name));
    else failures.push({ request, failure: value });
  };
  await Promise.all(requests.map((request, index) => readSecret(request, verdicts[index]!)));
  return { values, failures };
}

/**
 * Returns a problem if the texts of the secrets are too long in total. Each use counts, because each use
 * inside another text makes a copy, and the copies could fill the memory. `values`: the secrets by name.
 */
function checkSecretSizes(
  { desired, secrets }: Parameters<typeof resolveSecrets>[0],
  values: ReadonlyMap<string, Sealed>,
): Diagnostic[] {
  const uses = new LimitedCount<string>(maxText);
  let isExceeded = false;
  for (const { fields } of desired?.resources.values() ?? [])
    for (const hole of holesIn(fields)) {
      if (!('$secret' in hole)) continue;
      const value = values.get(hole.$secret);
      if (value && !uses.allows(hole.$secret, value.reveal().length)) isExceeded = true;
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

/**
 * Returns the problem with a secret that could not be read. It names the resources that need the secret, so
 * that the user sees the effect, and contains the output of the failed command, masked by `maskOutput`.
 * `users`: the resources that use each secret, by its name.
 */
function secretUnavailable(
  { name, origin, at, family }: SourceRequest,
  { code, message, hint, output, related, alike }: SecretFailure,
  { maskOutput, users }: { maskOutput(text: string): string; users: ReturnType<typeof resourcesBySecret> },
): Diagnostic {
  const userAddresses = (users.get(name) ?? []).map(({ address }) => addressWithoutTarget(address));
  const addresses = [...new Set(userAddresses)];
  const outputLines = output === undefined ? [] : shownLinesOf(maskOutput(output));
  return problem(
    code,
    [`the secret \`${name}\` is not available: ${message}${neededByText(addresses)}`, ...outputLines].join(
      '\n',
    ),
    {
      secret: {
        name,
        variable: 'env' in origin ? origin.env : undefined,
        family,
        users: addresses.length > 0 ? addresses : undefined,
      },
      at,
      hint,
      ...dropUndefined({ related, alike }),
    },
  );
}

/** Why a secret could not be read. `output`: the standard error of its command. It may contain secrets. */
type SecretFailure = { code: string; message: string; hint?: string; output?: string } & Pick<
  Diagnostic,
  'related' | 'alike'
>;

/** Runs a task as soon as fewer than the limit of tasks are running. */
type RunLimited = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Returns the content of a source of secrets that the operator allowed, for `${secret.name}`: a file, the
 * output of a command, or an environment variable. Returns why that failed; only the standard error of the
 * command may hold secrets then. `path`: the real path of the file or the program. `runLimited`: runs only a
 * few commands at once.
 */
async function readOrigin(
  { origin }: { origin: Origin },
  { path }: Extract<SourceVerdict, { allowed: true }>,
  options: ResolveOptions,
  runLimited: RunLimited,
): Promise<Sealed | SecretFailure> {
  if ('file' in origin) return readSecretFile(path!);
  if ('command' in origin && path === undefined)
    return {
      code: 'secret/command',
      message: noProgramMessage(origin.command[0]!),
      hint: 'install it on the PATH; programs inside the repository are not run',
    };
  if ('command' in origin)
    return runLimited(() => runSecretCommand([path!, ...origin.command.slice(1)], options));
  const value = envValue(options.env, origin.env);
  if (value) return new Sealed(value);
  const code = 'secret/unset';
  const hint = `set ${origin.env} in the environment`;
  if (value === undefined) return { code, message: `${origin.env} is not set`, hint };
  return {
    code,
    message: `${origin.env} is empty`,
    hint: `${hint}; only a source with several secrets (dotenv, json, sops) can hold an empty one`,
  };
}

/**
 * Returns a function which runs a task and returns its result, but lets a task wait while `limit` others run.
 * Waiting tasks start in the order of the calls. Used for commands that read secrets, because hundreds of
 * processes at once would fill the memory.
 */
function createTaskLimiter(limit: number): RunLimited {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      // A finished task gives its place to the next one that waits.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/**
 * Returns the secret in a file, sealed so that it cannot be printed by accident, or why it cannot be read.
 * Ledgers and plans of trueup are refused: they contain facts about other stacks, and these must not be sent
 * anywhere.
 */
async function readSecretFile(file: string): Promise<Sealed | SecretFailure> {
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

/**
 * Runs the command of a secret, such as `[op, read, ...]` of a password manager, and returns its output as
 * the secret. It runs without a shell, and trueup's own variables (`TRUEUP_*`) are removed from its
 * environment. Returns how it failed, with its error output, in which text from the standard output is
 * masked.
 */
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
      const output = maskedErrorOutput(stderr.toString('utf8'), stdout.toString('utf8'));
      resolve({
        code: 'secret/command',
        message: `its command ${describeExit(error)}`,
        hint: output === '' ? 'run it by hand to see why' : undefined,
        output: output || undefined,
      });
    });
    child.stdin?.end();
  });
}

/**
 * Returns how a command failed, for a message: "ended with exit code 1". So the user knows whether to look at
 * the command itself or at its output.
 */
function describeExit({ code, killed, signal }: ExecFileException): string {
  if (code === ('ERR_CHILD_PROCESS_STDIO_MAXBUFFER' as unknown)) return 'printed more than 1 MB';
  if (killed) return 'took longer than a minute';
  if (typeof code === 'number') return `ended with exit code ${code}`;
  return signal ? `was ended by ${signal}` : `could not be started (${code})`;
}

/**
 * Returns the text of a secret's file or command, sealed so that no plan or message can print it by accident,
 * and without byte order mark and the last newline, which editors and programs add. Returns the problem if it
 * is empty then or not UTF-8.
 */
function sealBytes(bytes: Buffer): Sealed | SecretFailure {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    return text === '' ? { code: 'secret/empty', message: 'it is empty' } : new Sealed(text);
  } catch {
    return { code: 'secret/not-text', message: 'it is not UTF-8 text' };
  }
}

/**
 * How much of the error output of a failed command is shown, and in how many of its last characters `secretUnavailable` looks for secrets.
 * It searches more than it shows: a secret whose start is cut off does not look like one any more.
 */
const outputLimits = { lines: 10, characters: 2000, searched: 16_000 };

/**
 * Returns the last part of the text that a failed command wrote to standard error, to show why it failed. Each stretch
 * of eight characters and each word of at least four that it also wrote to standard output is masked, because
 * that output may be the secret.
 */
function maskedErrorOutput(stderr: string, stdout: string): string {
  const masking = createMasking();
  for (const line of [stdout, ...stdout.split(/\s+/)]) masking.addSecret(new Sealed(line));
  return masking.mask(stderr).trim().slice(-outputLimits.searched);
}

/** Returns the last lines of the error output of a command, as a message shows them. Secrets must be masked before, because it cuts them. */
const shownLinesOf = (output: string): string[] =>
  output.slice(-outputLimits.characters).split(/\r?\n/).slice(-outputLimits.lines);

/** Matches names of environment variables whose values are masked. */
const confidential = /TOKEN|SECRET|PASS|KEY|CREDENTIAL|AUTH|DSN|PRIVATE/i;

/** Matches a word for a password or token with the value behind it: `token: abcd`, `api_key=abcd`. */
const credentialAssignment =
  /((?:token|secret|passw|pwd|key|credential|auth)[\w-]*["']?\s*[:=]\s*["']?(?:bearer |basic )?)[^\s"',;]{4,}/gi;

/**
 * True for a long word that mixes letters and digits, as keys, tokens and encoded texts do. Paths and URLs
 * (here without `https:`) begin with a slash or dots, and do not count.
 */
const looksSecret = (word: string): boolean =>
  word.length >= 20 && /[a-z]/i.test(word) && /\d/.test(word) && !/^\.{0,2}\//.test(word);

/**
 * Returns a function which masks secrets in the error output of failed commands, because it becomes part of a
 * message that a public CI log may show. Masked are the secrets of the run, the values of environment
 * variables with confidential names, and words that look like secrets. That is a best effort: a program can
 * print a secret in a form that none of these recognizes.
 */
function createOutputMask(
  secrets: Sealed[],
  env: Record<string, string | undefined>,
): (text: string) => string {
  const masking = createMasking();
  for (const secret of secrets) masking.addSecret(secret);
  for (const [name, value] of Object.entries(env))
    if (value && confidential.test(name)) masking.addSecret(new Sealed(value));
  return (text) =>
    masking
      .mask(text)
      .replace(credentialAssignment, (_, name: string) => `${name}(secret)`)
      .replace(/[A-Za-z0-9+/_=.~-]{20,}/g, (word) => (looksSecret(word) ? '(secret)' : word))
      // `postgres://user:password@host`
      .replace(/:\/\/[^\s/@]+@/g, '://(secret)@');
}
