import type { Owner } from '../kind/provider.ts';
import type { Account } from '../model/plan.ts';

/** Whose account a plan is about, as people are told. `standard`: where the platform is, of which nothing has to be said. */
export function accountOf({ type, slug }: Owner, baseUrl: string, standard: string): Account {
  const elsewhere = baseUrl.replace(/\/+$/, '') !== standard.replace(/\/+$/, '');
  return { type, name: slug, ...(elsewhere ? { baseUrl: withoutUser(baseUrl) } : {}) };
}

/** A name and a password in a URL are nobody else's business. */
const withoutUser = (url: string): string => url.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
