import type { Account, AccountParts } from './account.ts';

type Row = Record<string, unknown> & { projectId?: unknown };

/**
 * Returns a function which removes all references to a deleted project from a list of the twin's account (`listName`), as the platform
 * does. With `members` it removes the project from these lists in each object, which have ids of projects or objects with a `projectId`.
 * Without `members`, the objects themselves belong to the project and are removed.
 */
export const forgetting =
  (listName: keyof AccountParts, ...members: string[]) =>
  (account: Account, projectId: string): void => {
    const isOther = (value: unknown) => value !== projectId && (value as Row).projectId !== projectId;
    const rows = account[listName] as unknown as Row[];
    if (members.length === 0) Object.assign(account, { [listName]: rows.filter(isOther) });
    for (const row of rows)
      for (const member of members)
        if (Array.isArray(row[member])) row[member] = (row[member] as unknown[]).filter(isOther);
  };
