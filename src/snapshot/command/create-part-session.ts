/*
 * The members of a session that every plan from a snapshot has alike, whether the configuration comes from its files or from the snapshot.
 */
import type { Port } from '../../app/port.ts';
import { createLookUp, loadActionsAndLookups, type OpenOptions } from '../../app/session/open-session.ts';
import type { Session } from '../../app/session/session.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { Sealed } from '../../model/sealed.ts';
import { createReplayMasking } from '../replay-masking.ts';
import { replayPart } from '../replay-part.ts';
import type { KnownSecret, StackPart } from '../snapshot.ts';

/** The members that come from the configuration. */
type ConfiguredMembers =
  | 'allowLive'
  | 'configuration'
  | 'desired'
  | 'diagnostics'
  | 'guards'
  | 'origins'
  | 'siblings'
  | 'sources';

/**
 * Returns the members of the session (everything that a plan needs of a stack) for `plan --from` that do not come from the configuration:
 * the account and ledger are those of `part`, the stack's part of the snapshot. The caller adds the configuration. Secrets have their
 * tokens from the snapshot as values; `knownSecrets`: those of the part that the configuration still uses.
 */
export function createPartSession(
  provider: Provider,
  port: Port,
  part: StackPart,
  { accounts, knownSecrets }: Pick<OpenOptions, 'accounts'> & { knownSecrets: readonly KnownSecret[] },
): Omit<Session, ConfiguredMembers> {
  const kinds = kindsOf(provider.kinds);
  const masking = createReplayMasking();
  const secrets = new Map(knownSecrets.map(({ name, token }) => [name, new Sealed(token, name)]));
  const observed = replayPart(part);
  return {
    ...observed,
    secrets,
    masking,
    kinds,
    actionsAndLookups: () => loadActionsAndLookups(provider),
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
    host: port.run.host,
    ledgerChoice: { repositoryLedger: undefined },
    close: async () => {},
  };
}
