import type { Scope } from '../kind/provider.ts';
import { raise } from '../model/diagnostic.ts';
import type { Configuration } from './configuration.ts';

/**
 * Returns the account that the flags name, or else the configuration. Every request goes to this account. Throws
 * `Problems` if neither names one.
 */
export function chooseScope(
  { platform }: Pick<Configuration, 'platform'>,
  { team, personal }: ScopeOptions,
): Scope {
  if (team !== undefined) return { team };
  if (personal) return { personal: true };
  if (platform) return platform;
  raise('config/account', 'no account given', {
    hint: 'pass --team SLUG or --personal',
  });
}

/** The options that choose an account. */
export interface ScopeOptions {
  stage?: string;
  team?: string;
  personal?: boolean;
}
