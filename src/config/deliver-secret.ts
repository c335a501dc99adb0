import { constants } from 'node:fs';
import { access, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { GitError } from '../git/git.ts';
import { openRepository } from '../git/repository.ts';
import type { SecretTo } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { visibleEnv } from '../model/visible-env.ts';
import type { Sources } from './sources/sources.ts';
import type { Verdict } from './sources/verdict.ts';

export interface DeliverOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  /** Decides whether a command may run, and finds its program. */
  judgeCommand: Sources['judgeCommand'];
  /** Files and folders, relative to `cwd`, that no secret may be written to. */
  reserved?: string[];
  /** True if an existing file may be replaced, because it holds an earlier secret of the same object. */
  mayReplace?: boolean;
}

/** Why a secret cannot be delivered, and what to do. */
export interface DeliveryProblem {
  message: string;
  hint: string;
}

/**
 * Returns why a secret could not be delivered, or undefined. Asked before the platform creates the secret, because it shows a secret only once.
 * Changes nothing.
 */
export async function findDeliveryProblem(
  to: SecretTo,
  options: DeliverOptions,
): Promise<DeliveryProblem | undefined> {
  if (to === 'discard') return undefined;
  if ('command' in to) {
    const verdict = await options.judgeCommand(to.command);
    return verdict.allowed ? undefined : { message: verdict.message, hint: hintOf(verdict) };
  }
  const file = await resolveSecretFile(to.file, options.cwd);
  if (typeof file !== 'string') return file;
  const root = await realpath(options.cwd);
  const isReserved = (options.reserved ?? []).some((reserved) =>
    isFileIn(file, path.resolve(root, reserved)),
  );
  if (isReserved)
    return {
      message: `${to.file} belongs to trueup or to the configuration`,
      hint: 'choose a separate file',
    };
  if (!options.mayReplace && (await stat(file).catch(() => undefined)))
    return {
      message: `${to.file} already exists with unknown content`,
      hint: 'move it, or choose another name',
    };
  return (await isVisibleToGit(file, options))
    ? {
        message: `${to.file} would be visible to git`,
        hint: `put \`${to.file}\` in .gitignore, or choose a path outside the repository`,
      }
    : undefined;
}

/** Delivers a secret that the platform showed: writes it to a file of mode 0600, or to the standard input of a program. Throws if that fails. */
export async function deliverSecret(to: SecretTo, secret: Sealed, options: DeliverOptions): Promise<void> {
  const obstacle = await findDeliveryProblem(to, options);
  if (obstacle) throw new Error(`the secret could not be delivered: ${obstacle.message}`);
  if (to === 'discard') return;
  if ('command' in to) {
    const verdict = await options.judgeCommand(to.command);
    if (!verdict.allowed) throw new Error(`the secret could not be delivered: ${verdict.message}`);
    return runDelivery(to.command, verdict.path!, secret, options);
  }
  const file = (await resolveSecretFile(to.file, options.cwd)) as string;
  await mkdir(path.dirname(file), { recursive: true });
  const { default: writeFileAtomic } = await import('write-file-atomic');
  await writeFileAtomic(file, `${secret.reveal()}\n`, { mode: 0o600 });
}

/**
 * Returns the real path of a file that may not exist yet, with links in its folders resolved. Refuses files that are links themselves, and paths that
 * lead out of the working directory.
 */
export async function resolveSecretFile(file: string, cwd: string): Promise<string | DeliveryProblem> {
  const root = await realpath(cwd);
  const absolutePath = path.resolve(root, file);
  // A link is no regular file here, because its target may be anywhere.
  const existing = await lstat(absolutePath).catch(() => undefined);
  if (existing && !existing.isFile())
    return { message: `${file} is not a regular file`, hint: 'choose another name' };
  let folder = path.dirname(absolutePath);
  while (!(await stat(folder).catch(() => undefined))) folder = path.dirname(folder);
  const realFolder = await realpath(folder);
  if (realFolder !== root && !realFolder.startsWith(root + path.sep))
    return {
      message: `${file} is outside the working directory`,
      hint: 'use a path inside it; links are not followed',
    };
  return access(folder, constants.W_OK).then(
    () => path.join(realFolder, path.relative(folder, absolutePath)),
    () => ({ message: `${file} cannot be written`, hint: 'check the permissions of its folder' }),
  );
}

/**
 * True if git tracks a file or would add it, so that the secret could be committed. False outside of a repository and without git. If git fails
 * for another reason, the file counts as visible.
 */
async function isVisibleToGit(file: string, { cwd, env }: DeliverOptions): Promise<boolean> {
  try {
    const { git } = await openRepository(cwd, env);
    await git(['check-ignore', '--quiet', '--', file]);
    return false;
  } catch (error) {
    return !(error instanceof GitError && (error.reason === 'missing' || error.reason === 'outside'));
  }
}

/** True if a file is at or below a path. Ignores case, because some file systems do. */
const isFileIn = (file: string, folder: string): boolean =>
  `${file}${path.sep}`.toLowerCase().startsWith(`${folder}${path.sep}`.toLowerCase());

/** Says how to make a refused command allowed. */
const hintOf = ({ flag, isMissing }: Extract<Verdict, { allowed: false }>): string =>
  flag === undefined
    ? isMissing
      ? 'install it on the PATH; programs inside the repository are not run'
      : 'name a program on the PATH; a `*` at the end of an argument matches any ending: --allow-command'
    : `allow it with ${flag}`;

/** Runs a program with the secret on its standard input. Its output is dropped, because it may repeat the secret. */
async function runDelivery(
  [name, ...args]: string[],
  program: string,
  secret: Sealed,
  { cwd, env }: DeliverOptions,
): Promise<void> {
  const visible = visibleEnv(env);
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: visible,
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: 60_000,
    });
    child.once('error', () =>
      reject(new Error(`the secret could not be delivered: ${name} could not be started`)),
    );
    child.once('close', (code, signal) =>
      code === 0
        ? resolve()
        : reject(
            new Error(
              `the secret could not be delivered: ${name} ended with ${signal ?? `exit code ${code}`}`,
            ),
          ),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(`${secret.reveal()}\n`);
  });
}
