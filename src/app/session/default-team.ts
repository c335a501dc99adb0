import { chooseScope, type ScopeOptions } from '../../config/choose-scope.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { Host } from '../../host.ts';
import type { Provider, Scope } from '../../kind/provider.ts';
import type { Port } from '../port.ts';
import { type AccountOptions, openPlatform } from './open-account.ts';

/** The longest wait for the name of the default team, in milliseconds, so that a command without a network does not hang. */
const maxTeamWait = 5000;

/**
 * Returns the team that stands in for the personal account of the token's user. `init` and errors about a missing account propose it. Undefined if
 * the user has a personal account, on the local twin, and if anything fails, because it is only a proposal.
 */
export async function findDefaultTeam(
  provider: Provider,
  options: AccountOptions,
  host: Host,
): Promise<string | undefined> {
  if (options.twin) return undefined;
  const scope: Scope = { personal: true };
  try {
    const { url, token } = await openPlatform(provider, scope, options, host);
    const connection = await provider.connect({ baseUrl: url, token, scope, env: host.env, maxWait: 0 });
    const answered = new AbortController();
    const timeout = host.clock.sleep(maxTeamWait, answered.signal).catch(() => undefined);
    const owner = await Promise.race([connection.owner(), timeout]).finally(() => {
      answered.abort();
      return connection.close();
    });
    return owner?.standIn ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the account that the flags name, or else the configuration: `get`, `export` and others send all requests to it. Throws `Problems` if neither
 * names one, with the default team of the user as a proposal.
 */
export async function chooseAccount(
  provider: Provider,
  configuration: Pick<Configuration, 'platform'>,
  options: AccountOptions & ScopeOptions,
  { run: { host } }: Port,
): Promise<Scope> {
  const { team, personal } = options;
  const isNamed = team !== undefined || personal || configuration.platform !== undefined;
  const defaultTeam = isNamed ? undefined : await findDefaultTeam(provider, options, host);
  return chooseScope(configuration, options, defaultTeam);
}
