/*
 * Opens the session of a stack from an anonymous snapshot, which also has the configuration, so no file is read.
 */

import type { Port } from '../../app/port.ts';
import { createSources } from '../../app/session/load-configuration.ts';
import { createLookUp, loadDayTwo, type OpenOptions } from '../../app/session/open-session.ts';
import type { Session } from '../../app/session/session.ts';
import type { StackOptions } from '../../app/stack-options.ts';
import type { Configuration } from '../../config/configuration.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { createMasking } from '../../model/masking.ts';
import { Sealed } from '../../model/sealed.ts';
import { type EmbeddedConfiguration, restoreDesired } from '../anonymous/embedded.ts';
import { replayPart } from '../replay-part.ts';
import type { StackPart } from '../snapshot.ts';

/** Opens the session of a stack from a part of an anonymous snapshot, with the configuration that it has. */
export function openSessionFromAnonymous(
  provider: Provider,
  options: StackOptions,
  port: Port,
  part: StackPart & { configuration: EmbeddedConfiguration },
  { accounts }: OpenOptions,
): Session {
  const { host } = port.run;
  const { desired: embedded, diagnostics, origins, allowLive, siblings } = part.configuration;
  const desired = restoreDesired(embedded);
  const kinds = kindsOf(provider.kinds);
  const masking = accounts?.masking ?? createMasking();
  const secrets = new Map(part.secrets.map(({ name, token }) => [name, new Sealed(token, name)]));
  for (const secret of secrets.values()) masking.addSecret(secret);
  const observed = replayPart(part);
  return {
    ...observed,
    desired,
    origins: new Map(origins),
    allowLive: new Set(allowLive),
    secrets,
    masking,
    diagnostics: [...diagnostics],
    kinds,
    siblings: siblings.map((sibling) => ({ ...sibling, desired: restoreDesired(sibling.desired) })),
    dayTwo: () => loadDayTwo(provider),
    meaning: provider.meaning,
    besides: accounts?.besides,
    lookUp: createLookUp(provider, {
      connection: observed.connection,
      owner: part.owner,
      kinds,
      readLedger: async () => part.ledger,
    }),
    writes: false,
    say: port.say,
    host,
    ledgerChoice: { repositoryLedger: undefined },
    configuration: { desired, files: [], diagnostics: [] } as Partial<Configuration> as Configuration,
    sources: createSources(options, host),
    close: async () => {},
  };
}
