/**
 * Passes secrets on to files and programs: those that the platform shows only once, such as a new token
 * (`$secretTo`), and those that an export writes (`--values dotenv FILE`).
 */

import { constants } from 'node:fs';
import { access, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { GitError } from '../git/git.ts';
import { openRepository } from '../git/repository.ts';
import type { SecretTo } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { visibleEnv } from '../model/visible-env.ts';
import { isInside } from '../paths.ts';
import { isReserved } from './sources/file-verdict.ts';
import type { Sources } from './sources/sources.ts';
import type { SourceVerdict } from './sources/verdict.ts';

/** Where secrets may be delivered to. */
export interface DeliverOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  /** Decides whether a command may run, and finds its program. */
  judgeCommand: Sources['judgeCommand'];
  /**
   * Files and folders of trueup and of the configuration, relative to `cwd`. No secret is written there, to files whose names continue
   * these with a dot, or to folders of git and of trueup. Absent for the twin's folder, because it is inside one of these.
   */
  reserved?: string[] | undefined;
  /**
   * True if an existing file may be replaced, because it contains an earlier secret of the same object, or
   * `--force` says so.
   */
  mayReplace?: boolean;
}

/** Why a secret cannot be delivered, and what to do. */
export interface DeliveryProblem {
  message: string;
  hint: string;
}

/**
 * Returns why a new secret could not be delivered to its destination, a file or a program; undefined if it
 * can be. Called before the platform creates the secret, because it shows it only once, and a secret that
 * cannot be stored would be lost; and before an export reads the account. Changes nothing.
 */
export async function findDeliveryProblem(
  destination: SecretTo,
  options: DeliverOptions,
): Promise<DeliveryProblem | undefined> {
  if (destination === 'discard') return undefined;
  if ('command' in destination) {
    const verdict = await options.judgeCommand(destination.command);
    return verdict.allowed ? undefined : { message: verdict.message, hint: hintOf(verdict) };
  }
  const file = await resolveSecretFile(destination.file, options.cwd);
  if (typeof file !== 'string') return file;
  const { reserved } = options;
  if (reserved && (await isReserved(file, { cwd: await realpath(options.cwd), reserved })))
    return {
      message: `${destination.file} belongs to trueup, to git or to the configuration`,
      hint: 'choose a separate file',
    };
  if (!options.mayReplace && (await stat(file).catch(() => undefined)))
    return {
      message: `${destination.file} already exists with unknown content`,
      hint: 'move it, or choose another name',
    };
  return (await isVisibleToGit(file, options))
    ? {
        message: `${destination.file} would be visible to git`,
        hint: `put \`${destination.file}\` in .gitignore, or choose a path that git ignores`,
      }
    : undefined;
}

/**
 * Delivers a secret that the platform has just shown and will not show again: writes it to a file that only
 * its owner can read, or to the standard input of a program. Used by `apply` for `$secretTo`, and by exports
 * with secrets. Throws an error with the reason if that fails. The destination `discard` delivers nothing.
 */
export async function deliverSecret(
  destination: SecretTo,
  secret: Sealed,
  options: DeliverOptions,
): Promise<void> {
  const deliveryProblem = await findDeliveryProblem(destination, options);
  if (deliveryProblem) throw new Error(`the secret could not be delivered: ${deliveryProblem.message}`);
  if (destination === 'discard') return;
  if ('command' in destination) {
    const verdict = await options.judgeCommand(destination.command);
    if (!verdict.allowed) throw new Error(`the secret could not be delivered: ${verdict.message}`);
    return runDelivery(destination.command, verdict.path!, secret, options);
  }
  const file = (await resolveSecretFile(destination.file, options.cwd)) as string;
  await mkdir(path.dirname(file), { recursive: true });
  const { replaceSecretFile } = await import('../files/replace-file.ts');
  await replaceSecretFile(file, `${secret.reveal()}\n`);
}

/**
 * Returns the real path of the file to which a secret will be written, which need not exist yet. Returns a
 * problem if the file is a link or a folder, leads out of the working directory, or cannot be written: the
 * secret could end up anywhere, or be lost.
 */
export async function resolveSecretFile(file: string, cwd: string): Promise<string | DeliveryProblem> {
  const root = await realpath(cwd);
  const absolutePath = path.resolve(root, file);
  // A link is no regular file here, because its target may be anywhere.
  const existing = await lstat(absolutePath).catch(() => undefined);
  if (existing && !existing.isFile())
    return { message: `${file} is not a regular file`, hint: 'choose another name' };
  // The nearest folder that exists. Those below it are created when the secret is written.
  let folder = path.dirname(absolutePath);
  while (!(await stat(folder).catch(() => undefined))) folder = path.dirname(folder);
  const realFolder = await realpath(folder);
  if (!isInside(realFolder, root))
    return {
      message: `${file} is outside the working directory`,
      hint: 'use a path inside it; links are not followed',
    };
  const notWritable = { message: `${file} cannot be written`, hint: 'check the permissions of its folder' };
  if (!(await stat(folder)).isDirectory())
    return { ...notWritable, hint: `choose another path: ${path.relative(root, realFolder)} is no folder` };
  return access(folder, constants.W_OK).then(
    () => path.join(realFolder, path.relative(folder, absolutePath)),
    () => notWritable,
  );
}

/**
 * True if git tracks a file or would add it, so that a secret in it could be committed by accident. False
 * outside of a repository and without git. If git fails for another reason, the file counts as visible, to be
 * safe.
 */
async function isVisibleToGit(file: string, { cwd, env }: DeliverOptions): Promise<boolean> {
  try {
    const { git } = await openRepository(cwd, env);
    // Succeeds only if git ignores the file.
    await git(['check-ignore', '--quiet', '--', file]);
    return false;
  } catch (error) {
    // There is no git, or no repository.
    const isWithoutGit =
      error instanceof GitError && (error.reason === 'missing' || error.reason === 'outside');
    return !isWithoutGit;
  }
}

/**
 * Returns how to get a command allowed that is to receive a secret (`$secretTo: { command: [...] }`) and was
 * refused: install its program, name another one, or pass a flag.
 */
function hintOf({ flag, isMissing }: Extract<SourceVerdict, { allowed: false }>): string {
  if (flag !== undefined) return `allow it with ${flag}`;
  return isMissing
    ? 'install it on the PATH; programs inside the repository are not run'
    : 'name a program on the PATH; a `*` at the end of an argument matches any ending: --allow-command';
}

/**
 * Runs the program that receives a new secret (`$secretTo: { command: [...] }`) with the secret on its
 * standard input. Its output is dropped, because it may repeat the secret. Throws if the program fails.
 * `name`: the program as it is written; `program`: its path.
 */
async function runDelivery(
  [name, ...args]: string[],
  program: string,
  secret: Sealed,
  { cwd, env }: DeliverOptions,
): Promise<void> {
  const input = `${secret.reveal()}\n`;
  const end = await runWithInput([program, ...args], input, { cwd, env, keepsOutput: false });
  if (end?.code === 0) return;
  const failure = end ? `ended with ${end.signal ?? `exit code ${end.code}`}` : 'could not be started';
  throw new Error(`the secret could not be delivered: ${name} ${failure}`);
}

/** How a program ended. */
interface ProgramEnd {
  code: number | null;
  signal: string | null;
  output: string;
}

/** The longest time that a program may take, since it may wait for a server. In milliseconds. */
const timeout = 60_000;

/**
 * Runs a program that gets secrets on its standard input: the command of a `$secretTo`, or `sops`, which encrypts the secrets of an export.
 * It runs without a shell and without trueup's own secrets in its environment. Returns its exit code and output; undefined if it could not
 * be started. Its error messages are dropped, because they may quote the input. `keepsOutput`: false if the output is not needed.
 */
export async function runWithInput(
  [program, ...args]: [string, ...string[]],
  input: string,
  { cwd, env, keepsOutput }: { cwd: string; env: Record<string, string | undefined>; keepsOutput: boolean },
): Promise<ProgramEnd | undefined> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: visibleEnv(env),
      stdio: ['pipe', keepsOutput ? 'pipe' : 'ignore', 'ignore'],
      timeout,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', () => resolve(undefined));
    child.once('close', (code, signal) =>
      resolve({ code, signal, output: Buffer.concat(chunks).toString('utf8') }),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
