import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Account, Project } from './account.ts';
import { findSavedFaults } from './saved-form.ts';
import { SeedError } from './seed.ts';
import { emptyAccount, emptyProject } from './tables.ts';

/**
 * Returns the account that an earlier twin saved in this file (`--state`), so that a demo can go on where it ended; undefined if the file
 * does not exist. Throws an `Error` if it cannot be read.
 */
export function loadAccount(path: string): Account | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const [fault] = findSavedFaults(content);
    if (fault !== undefined) throw new Error(fault);
    return completed(content as Account);
  } catch (error) {
    throw new Error(`The twin's state file ${path} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Returns the account in a seed that is a file saved with `--state`, with its ids and times; undefined for an ordinary seed, whose objects
 * a new account gets. Throws a `SeedError` for something in between.
 */
export function savedIn(seed: object): Account | undefined {
  if (!('made' in seed && 'lastTime' in seed)) return undefined;
  const faults = findSavedFaults(seed);
  if (faults.length > 0)
    throw new SeedError(['it looks like what --state saves, but is not in that form', ...faults.slice(0, 5)]);
  return completed(structuredClone(seed) as Account);
}

/**
 * Returns an account that an earlier version of the twin saved, completed with the parts that this version has in addition, all empty.
 * Deploy hooks move to their present place: earlier versions kept them in the Git link of a project.
 */
function completed(saved: Account): Account {
  const account: Account = { ...emptyAccount(), ...saved };
  account.projects = account.projects.map((project) => {
    const link = project.link as Partial<Pick<Project, 'deployHooks'>> | null | undefined;
    return { ...emptyProject(), ...project, deployHooks: project.deployHooks ?? link?.deployHooks ?? [] };
  });
  return account;
}

/**
 * Saves an account, completely or not at all. The file holds values of variables in the clear, hence its mode. The temporary file has a random
 * name and must not exist (`wx`), because the state may lie in a folder of a repository: nothing is written through a link that waits there.
 */
export function saveAccount(path: string, account: Account): void {
  mkdirSync(dirname(path), { recursive: true });
  const target = existsSync(path) ? realpathSync(path) : path;
  const temporaryPath = `${target}.${randomUUID()}`;
  try {
    writeFileSync(temporaryPath, `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(temporaryPath, target);
  } catch (error) {
    rmSync(temporaryPath, { force: true });
    throw error;
  }
}
