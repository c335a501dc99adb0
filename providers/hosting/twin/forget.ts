import type { Account, AccountParts } from './account.ts';

type Row = Record<string, unknown> & { projectId?: unknown };

/**
 * Takes a deleted project out of what an account keeps under `kept`: out of the lists that its objects have under `members`, of ids or of
 * objects with a `projectId`. Without members the objects of that project go themselves.
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
