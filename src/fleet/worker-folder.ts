import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type Mirror, openMirror, removeInUse } from '../git/mirror.ts';
import { type Host, resolvePath } from '../host.ts';
import { describeSystemError } from '../model/describe-errors.ts';
import { raise } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import { isLedgerFile, type LedgerChoice } from '../stores/ledger-choice.ts';
import { findEnvironmentKey } from '../stores/open-ledger.ts';

/**
 * Takes the folder of a fleet worker for this process alone, because two workers would delete each other's
 * checkouts. Removes the jobs and checkouts of a killed worker. Returns a function which gives the folder back.
 * `shownPath`: the folder as the user wrote it. Throws `Problems` if another worker is using it.
 */
export async function takeFolder(
  folder: string,
  shownPath: string,
  { processes }: Host,
): Promise<() => Promise<void>> {
  const pidFile = join(folder, 'worker.pid');
  await mkdir(join(folder, 'reports'), { recursive: true });
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  if (pid > 0 && pid !== processes.pid && processes.isRunning(pid))
    raise('fleet/folder', `${shownPath} is the folder of another worker, process ${pid}`, {
      hint: 'give each worker a folder of its own with --folder',
    });
  await writeFile(pidFile, `${processes.pid}\n`);
  for (const name of ['jobs', 'checkouts']) {
    await removeInUse(join(folder, name));
    await mkdir(join(folder, name));
  }
  return () => rm(pidFile, { force: true });
}

/**
 * Returns a function to open a fleet worker's local copy of a repository (mirror), from which jobs get their checkouts without cloning
 * again. Each is opened once for all jobs. A failed attempt is repeated for the next job.
 */
export function openMirrors(
  folder: string,
  { env, clock }: Host,
): (name: string, url: string) => Promise<Mirror> {
  const mirrors = new Map<string, Promise<Mirror>>();
  return (name, url) => {
    const openedMirror = mirrors.get(name);
    if (openedMirror) return openedMirror;
    const mirror = openMirror({
      folder: join(folder, 'mirrors', encodeURIComponent(name)),
      checkouts: join(folder, 'checkouts'),
      url,
      env,
      now: clock.now,
    });
    mirrors.set(name, mirror);
    mirror.catch(() => mirrors.delete(name));
    return mirror;
  };
}

/**
 * Returns the key of a fleet worker, with which it verifies jobs and signs plans; undefined for a worker for pull
 * requests. Throws `Problems` if such a worker has a key, or another has none: plans of pull requests read files that
 * were not reviewed, so they must not be made beside the key.
 */
export async function requireFittingKey(
  { plansOnly }: { plansOnly?: boolean },
  host: Host,
): Promise<LedgerKey | undefined> {
  const key = await findEnvironmentKey(host);
  if (plansOnly && key)
    raise('fleet/key', 'a worker with --plans-only must not have a key, and this one has one', {
      hint: 'remove TRUEUP_LEDGER_KEY from its environment, or drop --plans-only for a worker of the protected branch',
    });
  if (!plansOnly && !key)
    raise('fleet/key', 'this worker has no key', {
      hint: 'set TRUEUP_LEDGER_KEY to plan and apply the protected branch, or pass --plans-only to plan pull requests without a key',
    });
  return key;
}

/**
 * Throws `Problems` if the ledgers of a fleet worker would be files in the checkouts of its jobs: a checkout is deleted after its job, and
 * the next worker would find no ledger.
 */
export function refuseLedgersInCheckouts(options: LedgerChoice, host: Host): void {
  const ledger = options.ledger ?? host.env.TRUEUP_LEDGER;
  if (!isLedgerFile(options, host) || (ledger && isAbsolute(ledger))) return;
  raise('fleet/ledger', "the ledgers would be in this worker's checkouts, which are deleted after each job", {
    hint: 'use a place that all workers share: --ledger git or the URL of a store (or TRUEUP_LEDGER)',
  });
}

/**
 * Reads the text of the file of `fleet work --file`, which lists the repositories that the worker may run jobs for. Throws `Problems` if it
 * cannot be read.
 */
export async function readRepositoriesFile(path: string, host: Host): Promise<string> {
  return readFile(resolvePath(host, path), 'utf8').catch((error: Error) => {
    raise('fleet/file', `${path} cannot be read: ${describeSystemError(error)}`, {
      hint: "it lists this worker's repositories; see docs/guides/fleet.md",
    });
  });
}
