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
  /** Files and folders, relative to `cwd`, that are none for secrets. */
  reserved?: string[];
  /** A file that is there may be replaced: it holds an earlier secret of the same object. */
  mayReplace?: boolean;
}

/** Why a secret cannot be delivered, and what to do. */
export interface Undeliverable {
  message: string;
  hint: string;
}

/** Why a secret could not be delivered now; undefined if nothing stands in its way. Changes nothing. */
export async function undeliverable(
  to: SecretTo,
  options: DeliverOptions,
): Promise<Undeliverable | undefined> {
  if (to === 'discard') return undefined;
  if ('command' in to) {
    const verdict = await options.judgeCommand(to.command);
    return verdict.allowed ? undefined : { message: verdict.message, hint: hintOf(verdict) };
  }
  const place = await placeOf(to.file, options.cwd);
  if (typeof place !== 'string') return place;
  const root = await realpath(options.cwd);
  const isReserved = (options.reserved ?? []).some((one) => isFileIn(place, path.resolve(root, one)));
  if (isReserved)
    return {
      message: `${to.file} belongs to trueup or to the configuration`,
      hint: 'choose a separate file',
    };
  if (!options.mayReplace && (await stat(place).catch(() => undefined)))
    return {
      message: `${to.file} already exists with unknown content`,
      hint: 'move it, or choose another name',
    };
  return (await isSeen(place, options))
    ? {
        message: `${to.file} would be visible to git`,
        hint: `put \`${to.file}\` in .gitignore, or choose a path outside the repository`,
      }
    : undefined;
}

/** Takes a secret where it belongs: into a file of mode 0600, or to a program's standard input. Throws if that fails. */
export async function deliverSecret(to: SecretTo, secret: Sealed, options: DeliverOptions): Promise<void> {
  const wrong = await undeliverable(to, options);
  if (wrong) throw new Error(`the secret could not be delivered: ${wrong.message}`);
  if (to === 'discard') return;
  if ('command' in to) {
    const verdict = await options.judgeCommand(to.command);
    if (!verdict.allowed) throw new Error(`the secret could not be delivered: ${verdict.message}`);
    return runDelivery(to.command, verdict.path!, secret, options);
  }
  const file = (await placeOf(to.file, options.cwd)) as string;
  await mkdir(path.dirname(file), { recursive: true });
  const { default: writeFileAtomic } = await import('write-file-atomic');
  await writeFileAtomic(file, `${secret.reveal()}\n`, { mode: 0o600 });
}

/** The real path that a file would have, links on the way followed. Rejects one that leads out of the working directory. */
export async function placeOf(file: string, cwd: string): Promise<string | Undeliverable> {
  const root = await realpath(cwd);
  const whole = path.resolve(root, file);
  // Not what a link leads to: that may be anywhere.
  const found = await lstat(whole).catch(() => undefined);
  if (found && !found.isFile())
    return { message: `${file} is not a regular file`, hint: 'choose another name' };
  let folder = path.dirname(whole);
  while (!(await stat(folder).catch(() => undefined))) folder = path.dirname(folder);
  const real = await realpath(folder);
  if (real !== root && !real.startsWith(root + path.sep))
    return {
      message: `${file} is outside the working directory`,
      hint: 'use a path inside it; links are not followed',
    };
  return access(folder, constants.W_OK).then(
    () => path.join(real, path.relative(folder, whole)),
    () => ({ message: `${file} cannot be written`, hint: 'check the permissions of its folder' }),
  );
}

/**
 * True if git has a file, or would offer to take it. Outside of a repository, or without git, nobody does; where git has a repository and
 * will not say, the file counts as seen.
 */
async function isSeen(file: string, { cwd, env }: DeliverOptions): Promise<boolean> {
  try {
    const { git } = await openRepository(cwd, env);
    await git(['check-ignore', '--quiet', '--', file]);
    return false;
  } catch (error) {
    return !(error instanceof GitError && (error.reason === 'missing' || error.reason === 'outside'));
  }
}

/** Some file systems do not tell upper case from lower case. */
const isFileIn = (file: string, place: string): boolean =>
  `${file}${path.sep}`.toLowerCase().startsWith(`${place}${path.sep}`.toLowerCase());

const hintOf = ({ flag, isMissing }: Extract<Verdict, { allowed: false }>): string =>
  flag === undefined
    ? isMissing
      ? 'install it on the PATH; programs inside the repository are not run'
      : 'name a program on the PATH; a `*` at the end of an argument matches any ending: --allow-command'
    : `allow it with ${flag}`;

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
