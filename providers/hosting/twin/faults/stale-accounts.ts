import type { Account } from '../account.ts';

/** What reads are shown for a while after a write. */
export interface StaleAccounts {
  /** Keeps the account as it is now, before a write: lists show it for `ms` milliseconds, with `byId` all reads. */
  keep(account: Account, ms: number, byId: boolean): void;
  /** What a read shows now: the account before the earliest write that it does not see yet. */
  shown(live: Account, isList: boolean): Account;
}

export function staleAccounts(now: () => number): StaleAccounts {
  let kept: { account: Account; until: number; byId: boolean }[] = [];
  return {
    keep(account, ms, byId) {
      kept.push({ account: structuredClone(account), until: now() + ms, byId });
    },
    shown(live, isList) {
      kept = kept.filter(({ until }) => until > now());
      return kept.find(({ byId }) => isList || byId)?.account ?? live;
    },
  };
}
