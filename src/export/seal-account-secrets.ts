import type { Configuration } from '../config/configuration.ts';
import { environmentSecrets, readSecretValues } from '../config/read-secret-values.ts';
import type { Sources } from '../config/sources/sources.ts';
import type { Host } from '../host.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Owner } from '../kind/provider.ts';
import { createLedgerStore } from '../ledger/ledger-store.ts';
import { emptyLedger } from '../model/ledger.ts';
import type { Live } from '../model/resource.ts';
import { createSecretFinder } from '../model/secret-finder.ts';
import { sealUnderAnyName } from '../plan/seal-under-any-name.ts';
import type { SettledLedgerChoice } from '../stores/ledger-choice.ts';
import { openLedgerDocuments } from '../stores/open-ledger.ts';

/** The account that was read, and the place of the ledger that may know its secrets. */
interface ReadAccount {
  owner: Owner;
  baseUrl: string;
  ledgerChoice: SettledLedgerChoice;
}

/**
 * Seals every value of an account that may be a secret, so that `get` and `export` do not show it. The configuration in this folder and its
 * ledger know best which values are secret. They are used if they are about this account: if the ledger or, without one, `platform` of the
 * configuration names it. Otherwise values are sealed by their form alone. Throws `Problems` for a broken ledger.
 */
export async function sealAccountSecrets(
  live: Live,
  kinds: Kinds,
  configuration: Configuration,
  account: ReadAccount,
  host: Host,
  sources: Sources,
): Promise<Live> {
  const { owner, baseUrl, ledgerChoice } = account;
  const { desired, platform } = configuration;
  // The ledger is read without its key, and sealing does not depend on the time.
  const input = { live, kinds, facts: owner.facts, key: undefined, now: 0 };
  const noLedger = emptyLedger(baseUrl, owner.id, desired.stack);
  /** Seals values that look like secrets, and secrets of the environment. */
  const sealWithoutConfiguration = () =>
    sealUnderAnyName({
      ...input,
      desired: { ...desired, resources: new Map() },
      ledger: noLedger,
      secrets: new Map(),
      isSecretOfRun: createSecretFinder(environmentSecrets(host)),
    });
  // There is no configuration here.
  if (desired.stack === '') return sealWithoutConfiguration();
  const documents = await openLedgerDocuments(desired.stack, ledgerChoice, host);
  const ledger = await createLedgerStore(documents, { key: undefined }).read();
  const isSameAccount = ledger
    ? ledger.owner === owner.id && ledger.baseUrl === baseUrl
    : isDeclaredAccount(platform, owner);
  if (!isSameAccount) return sealWithoutConfiguration();
  const { values: secrets } = await readSecretValues(configuration, {
    kinds,
    host,
    sources,
    isTwin: ledgerChoice.twin,
  });
  const isSecretOfRun = createSecretFinder([...secrets.values(), ...environmentSecrets(host)]);
  return sealUnderAnyName({ ...input, isSecretOfRun, desired, ledger: ledger ?? noLedger, secrets });
}

/** True if `platform` of a configuration names this account. False for a configuration without it. */
function isDeclaredAccount(platform: Configuration['platform'], owner: Owner): boolean {
  if (platform === undefined) return false;
  return 'team' in platform ? [owner.slug, owner.id].includes(platform.team) : owner.type === 'personal';
}
