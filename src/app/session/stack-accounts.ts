import type { Provider, Scope } from '../../kind/provider.ts';
import type { Pace } from '../../model/budget.ts';
import { createMasking, type Masking } from '../../model/masking.ts';
import { type RequestCounts, totalOf } from '../../model/plan.ts';
import type { Sealed } from '../../model/sealed.ts';
import { createSecretFinder, type SecretFinder } from '../../model/secret-finder.ts';
import { countRequests } from '../../run/count-requests.ts';
import { type ReadCache, readCache } from '../../run/read-cache.ts';
import type { Port } from '../port.ts';
import {
  type OpenAccount,
  type OpenAccountOptions,
  openAccount,
  openPlatform,
  type Platform,
} from './open-account.ts';
import type { CommonAccounts } from './open-session.ts';

/** The accounts of one command about several stacks, such as `plan --all`. */
export interface StackAccounts extends CommonAccounts {
  /** Drops the cached answers, so that the accounts are read again. */
  forgetReads(): void;
  /** Ends the cache: from now on each request is sent, because the account is about to change. */
  endReading(): void;
  /** Returns the number of requests that were sent to all accounts. A read that several stacks share counts once. */
  sent(): number;
  /** Returns the platform's pace. If all stacks are in one account, it includes the use of limits by other runs. */
  paceNow(): Promise<Pace>;
  close(): Promise<void>;
}

/** An open account with the cache of its answers, and the requests that found its owner. */
type CachedAccount = OpenAccount & { cache: ReadCache; ownerReads: RequestCounts };

/**
 * Creates the accounts for the sessions of several stacks, for commands such as `plan --all`. Stacks in the same account share one
 * connection, so that its rate limits hold for all, and a read that several need is sent once, until `endReading` before the first write.
 * `options.declared` lists the objects of all stacks, and `options.besides` has their configurations.
 */
export function createStackAccounts(
  provider: Provider,
  options: OpenAccountOptions & Pick<CommonAccounts, 'besides'>,
  port: Port,
): StackAccounts {
  const masking = createMasking();
  const accounts = new Map<string, Promise<CachedAccount>>();
  let platform: Promise<Platform> | undefined;
  const counters: OpenAccount['sent'][] = [];
  let isReading = true;

  /** Connects to an account, on the platform that all accounts of the command share. */
  const connect = async (scope: Scope): Promise<CachedAccount> => {
    platform ??= openPlatform(provider, scope, options, port.run.host);
    const account = await openAccount(provider, scope, options, port, masking, await platform);
    const cache = readCache(account.connection.send);
    if (!isReading) cache.end();
    counters.push(account.sent);
    return { ...account, cache, ownerReads: account.sent() };
  };
  /** Returns the open accounts. Those that could not be opened are left out: their sessions have reported the error. */
  const openAccounts = async () => {
    const results = await Promise.allSettled(accounts.values());
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  };
  /** Calls a function for the cache of each account, as soon as the account is open. */
  const forEachCache = (use: (cache: ReadCache) => void) => {
    for (const account of accounts.values())
      void account.then(
        ({ cache }) => use(cache),
        () => {},
      );
  };

  return {
    masking,
    besides: options.besides,
    readings: new Map(),
    ...collectSecrets(masking),
    async open(scope) {
      const key = JSON.stringify(scope);
      const opening = accounts.get(key) ?? connect(scope);
      accounts.set(key, opening);
      const { cache, ownerReads, ...account } = await opening;
      // Counts for this session: the reads that found the owner, and its own requests, also those that the cache answers.
      const { send, sent } = countRequests(cache.send, ownerReads);
      // Each session gets the same connection, with cached reads. Closing a session leaves it open for the others.
      return { ...account, connection: { ...account.connection, send }, sent, close: async () => {} };
    },
    forgetReads: () => forEachCache((cache) => cache.forget()),
    endReading() {
      isReading = false;
      forEachCache((cache) => cache.end());
    },
    sent: () => counters.reduce((sum, sent) => sum + totalOf(sent()), 0),
    async paceNow() {
      const [first, ...others] = await openAccounts();
      return first && others.length === 0 ? first.connection.paceNow() : provider.pace();
    },
    async close() {
      for (const account of await openAccounts()) await account.close();
      await (await platform?.catch(() => undefined))?.close();
    },
  };
}

/**
 * Collects the secrets of several stacks: `addSecrets` registers them and masks them in all output, and `isSecret` finds them in texts of
 * the account.
 */
function collectSecrets(masking: Masking): Pick<CommonAccounts, 'addSecrets' | 'isSecret'> {
  // By their texts, because stacks often share one.
  const secrets = new Map<string, Sealed>();
  let findSecret: SecretFinder | undefined;
  return {
    addSecrets(added) {
      for (const secret of added) {
        if (secrets.has(secret.reveal())) continue;
        secrets.set(secret.reveal(), secret);
        masking.addSecret(secret);
        findSecret = undefined;
      }
    },
    isSecret(text) {
      findSecret ??= createSecretFinder(secrets.values());
      return findSecret(text);
    },
  };
}
