import type { Provider, Scope } from '../../kind/provider.ts';
import type { Pace } from '../../model/budget.ts';
import { createMasking } from '../../model/masking.ts';
import { type ReadCache, readCache } from '../../run/read-cache.ts';
import type { Port } from '../host.ts';
import {
  type AccountOptions,
  type OpenAccount,
  openAccount,
  openPlatform,
  type Platform,
} from './open-account.ts';
import type { CommonAccounts } from './session.ts';

/** The accounts of one command about several stacks. */
export interface StackAccounts extends CommonAccounts {
  /** Drops the cached answers, so that the account is read again. */
  forgetReads(): void;
  /** Ends the cache: from now on each request is sent, because the account is about to change. */
  endReading(): void;
  /** Returns the number of requests of all sessions. */
  sent(): number;
  /** The platform's pace, with what is known of limits that other runs share, where all stacks are in one account. */
  paceNow(pace: Pace): Promise<Pace>;
  close(): Promise<void>;
}

/** One connection for each account, with its rate limits, whichever stacks are in it. Equal reads are sent once, until `endReading`. */
export function createStackAccounts(provider: Provider, options: AccountOptions, port: Port): StackAccounts {
  const masking = createMasking();
  const accounts = new Map<string, Promise<OpenAccount & { reads: ReadCache }>>();
  let platform: Promise<Platform> | undefined;
  let isReading = true;

  const opened = async (scope: Scope) => {
    platform ??= openPlatform(provider, scope, options, port.run.host);
    const account = await openAccount(provider, scope, options, port, masking, await platform);
    const reads = readCache(account.connection.send);
    if (!isReading) reads.end();
    return { ...account, reads };
  };
  const settled = async () => {
    const results = await Promise.allSettled(accounts.values());
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  };
  const forEachCache = (use: (reads: ReadCache) => void) => {
    for (const account of accounts.values())
      void account.then(
        ({ reads }) => use(reads),
        () => {},
      );
  };
  let total = 0;

  return {
    masking,
    readings: new Map(),
    async open(scope) {
      const key = JSON.stringify(scope);
      const opening = accounts.get(key) ?? opened(scope);
      accounts.set(key, opening);
      const { reads, ...account } = await opening;
      return {
        ...account,
        connection: { ...account.connection, send: reads.send },
        sent: () => {
          total = Math.max(total, account.sent());
          return account.sent();
        },
        close: async () => {},
      };
    },
    forgetReads: () => forEachCache((reads) => reads.forget()),
    endReading() {
      isReading = false;
      forEachCache((reads) => reads.end());
    },
    sent: () => total,
    async paceNow(pace) {
      const [only, ...others] = await settled();
      return only && others.length === 0 ? only.connection.paceNow(pace) : pace;
    },
    async close() {
      for (const account of await settled()) await account.close();
      await (await platform?.catch(() => undefined))?.close();
    },
  };
}
