import type { Scope } from '../kind/provider.ts';
import { raise, shellWord } from '../model/diagnostic.ts';
import type { Configuration } from './configuration.ts';

/**
 * Returns the account to which every request of a command goes: the one that the flags name, or else that of the configuration
 * (`platform:`, a team or the personal account). Throws `Problems` if neither names one, and then proposes `defaultTeam`, that of the
 * token's user, if it is known.
 */
export function chooseScope(
  { platform }: Pick<Configuration, 'platform'>,
  { team, personal }: ScopeOptions,
  defaultTeam?: string,
): Scope {
  if (team !== undefined) return { team };
  if (personal) return { personal: true };
  if (platform) return platform;
  raise('config/account', 'no account given', {
    hint:
      defaultTeam === undefined
        ? 'pass --team SLUG or --personal'
        : `pass --team ${shellWord(defaultTeam)}, the default team of the token's user, or another team`,
  });
}

/** The options that choose an account. */
export interface ScopeOptions {
  stage?: string;
  team?: string;
  personal?: boolean;
}
