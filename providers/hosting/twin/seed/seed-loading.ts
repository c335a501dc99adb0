import { type Account, findOwner, makeId, type Owner, tick } from '../account.ts';
import type { Switches } from '../switches.ts';

/** A seed on its way into an account, piece by piece; problems are collected, not thrown. */
export interface Loading {
  account: Account;
  switches: Switches;
  now: () => number;
  problems: string[];
}

/** Loads one piece, or notes why it cannot be. */
export function attempt(loading: Loading, place: string, load: () => void): void {
  try {
    load();
  } catch (error) {
    loading.problems.push(`${place}: ${(error as Error).message}`);
  }
}

/** The owner that a seed names: a team's slug or id, `personal`, or the first team. */
export function ownerOf(loading: Loading, name: string | undefined): Owner {
  if (name === 'personal') return findOwner(loading.account, null)!;
  const owner = findOwner(loading.account, name ?? loading.account.teams[0]?.id ?? null);
  if (owner === undefined) throw new Error(`There is no team "${name}".`);
  return owner;
}

/** The ids of an owner's projects that a seed names. */
export function projectIdsOf(loading: Loading, owner: Owner, names: string[]): string[] {
  return names.map((name) => {
    const own = loading.account.projects.filter((project) => project.accountId === owner.id);
    const found = own.find((project) => project.name === name || project.id === name);
    if (found === undefined) throw new Error(`There is no project "${name}".`);
    return found.id;
  });
}

/** What makes ids and times for a piece, as a request's call does. */
export const making = (loading: Loading, owner: Owner) => ({
  account: loading.account,
  owner,
  switches: loading.switches,
  time: () => tick(loading.account, loading.now),
  id: (prefix: string, length = 24) => makeId(loading.account, prefix, length),
});
