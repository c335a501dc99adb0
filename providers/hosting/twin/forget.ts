import type { Account, AccountParts } from './account.ts';

type Row = Record<string, unknown> & { projectId?: unknown };

/**
 * Returns a function which removes a deleted project from the list `listName` of an account. `members`: the lists in its objects that
 * contain ids of projects, or objects with a `projectId`. Without `members` it removes the objects of that project themselves.
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
