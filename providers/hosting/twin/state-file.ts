import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Account } from './account.ts';
import { emptyAccount, emptyProject } from './tables.ts';

/** The account that was saved in a file, if there is one. */
export function loadAccount(path: string): Account | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const saved = JSON.parse(readFileSync(path, 'utf8')) as Account;
    const account: Account = { ...emptyAccount(), ...saved };
    account.projects = account.projects.map((project) => ({ ...emptyProject(), ...project }));
    return account;
  } catch (error) {
    throw new Error(`The twin's state file ${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Saves an account. The file holds values of variables in the clear, hence its mode. */
export function saveAccount(path: string, account: Account): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileAtomic.sync(path, `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600, fsync: false });
}
