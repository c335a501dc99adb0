import type { AccountContext } from '../../action/find-subject.ts';
import type { ScopeOptions } from '../../config/choose-scope.ts';
import type { Configuration } from '../../config/configuration.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { ApiOperation, Owner, Provider } from '../../kind/provider.ts';
import { createOwnLedgerReader } from '../../ledger-place/settle-ledger.ts';
import { createMasking, type Masking } from '../../model/masking.ts';
import type { Port } from '../port.ts';
import { createNameFinder, createSources, loadForAccount } from '../session/load-configuration.ts';
import { type AccountOptions, chooseAccount, openAccount } from '../session/open-account.ts';
import type { StackOptions } from '../stack-options.ts';

/** An account that is only read, with the configuration around the command. The configuration says which values are secret. */
export interface ReadOnlyAccount extends AccountContext {
  configuration: Configuration;
  owner: Owner;
  baseUrl: string;
  masking: Masking;
  operations: readonly ApiOperation[];
  close(): Promise<void>;
}

/** The options that are needed to read an account. `ledger`: the ledger that names its objects. */
type ReadingOptions = AccountOptions & ScopeOptions & Pick<StackOptions, 'ledger'>;

/**
 * Opens the account that the flags name, or else the configuration in the current folder. Used by `get`, `wait` and `run`. Throws
 * `Problems`.
 */
export async function openReadOnlyAccount(
  provider: Provider,
  options: ReadingOptions,
  port: Port,
): Promise<ReadOnlyAccount> {
  const { host } = port.run;
  const kinds = kindsOf(provider.kinds);
  const sources = createSources(options, host);
  const configuration = await loadForAccount(kinds, options, host, sources);
  const masking = createMasking();
  const scope = await chooseAccount(provider, configuration, options, port);
  const declared = createNameFinder(configuration, kinds);
  const account = await openAccount(provider, scope, { ...options, declared }, port, masking);
  const { connection, owner, baseUrl, close } = account;
  return {
    kinds,
    configuration,
    connection,
    owner,
    baseUrl,
    masking,
    operations: await provider.operations(),
    readLedger: createOwnLedgerReader(options, { configuration, sources }, port),
    close,
  };
}
