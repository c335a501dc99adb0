import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Mirror, openMirror, removeInUse } from '../git/mirror.ts';
import type { Host } from '../host.ts';
import { raise } from '../model/diagnostic.ts';

/**
 * Takes a folder for this worker alone, because two workers would delete each other's checkouts. Removes the jobs and checkouts of a
 * killed worker. Returns a function which gives the folder back. `shownPath`: the folder as the user wrote it. Throws `Problems` if
 * another worker is using it.
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
 * Returns a function to open a fleet worker's local copy of a repository (mirror), from which jobs get their checkouts without cloning again.
 * Each is opened once for all jobs. A failed attempt is repeated for the next job.
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
