import type { Configuration } from '../../config/configuration.ts';
import { resolveSecrets } from '../../config/resolve-secrets.ts';
import type { Sources } from '../../config/sources/sources.ts';
import { createStandIns } from '../../config/stand-ins.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Owner } from '../../kind/provider.ts';
import { createLedgerStore } from '../../ledger/ledger-store.ts';
import { emptyLedger } from '../../model/ledger.ts';
import type { Live } from '../../model/resource.ts';
import { createSecretFinder } from '../../model/secret-finder.ts';
import { sealUnderAnyName } from '../../plan/seal-under-any-name.ts';
import type { Host } from '../host.ts';
import { environmentSecrets } from './environment-secrets.ts';
import { openLedgerDocuments } from './open-ledger.ts';

interface SecretsAccount {
  owner: Owner;
  baseUrl: string;
  twin: boolean;
}

/**
 * Seals every live value that may not be shown, by what the configuration here and its ledger know of the account. If they are about another
 * account, or there are none, the values alone decide. Throws `Problems` for a broken ledger.
 */
export async function sealAccountSecrets(
  live: Live,
  kinds: Kinds,
  configuration: Configuration,
  account: SecretsAccount,
  host: Host,
  sources: Sources,
): Promise<Live> {
  const { owner, baseUrl, twin } = account;
  const { desired, platform } = configuration;
  const sealing = { live, kinds, facts: owner.facts, key: undefined, now: 0 };
  const empty = emptyLedger(baseUrl, owner.id, desired.stack);
  const unknown = () =>
    sealUnderAnyName({
      ...sealing,
      desired: { ...desired, resources: new Map() },
      ledger: empty,
      secrets: new Map(),
      isSecretOfRun: createSecretFinder(environmentSecrets(host)),
    });
  if (desired.stack === '') return unknown();
  const held = await createLedgerStore(await openLedgerDocuments(desired.stack, { twin }, host), {
    key: undefined,
  }).read();
  const isHeldHere = held?.owner === owner.id && held.baseUrl === baseUrl;
  const isDeclaredHere =
    platform !== undefined && ('team' in platform ? platform.team === owner.slug : owner.type === 'personal');
  if (held ? !isHeldHere : !isDeclaredHere) return unknown();
  const { values: secrets } = twin
    ? createStandIns(configuration, kinds)
    : await resolveSecrets(configuration, { env: host.env, cwd: host.cwd, sources });
  const isSecretOfRun = createSecretFinder([...secrets.values(), ...environmentSecrets(host)]);
  return sealUnderAnyName({ ...sealing, isSecretOfRun, desired, ledger: held ?? empty, secrets });
}
