import { createLookUp, loadActionsAndLookups } from '../../app/session/open-session.ts';
import type { Configuration } from '../../config/configuration.ts';
import { describeOrigins } from '../../config/judge-secrets.ts';
import { createStandIns } from '../../config/read-secret-values.ts';
import { openSources } from '../../config/sources/sources.ts';
import type { Host } from '../../host.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Connection, Provider, Scope } from '../../kind/provider.ts';
import { createSoleLease } from '../../ledger/lease.ts';
import { createLedgerStore } from '../../ledger/ledger-store.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type LedgerKey, ledgerKeyFrom } from '../../model/digest.ts';
import { createMasking } from '../../model/masking.ts';
import type { Sealed } from '../../model/sealed.ts';
import { type PrivateTwin, startPrivateTwin } from '../../run/private-twin.ts';
import type { RunSession } from '../../run/session.ts';
import { openSessionLedger } from '../../run/session-ledger.ts';
import type { TestSetup } from '../test-file.ts';
import { createMemoryDocuments, type MemoryDocuments } from './memory-documents.ts';

/** The account that tests run on: a twin in this process, and the ledger of the stack in memory. */
export interface TestedAccount {
  url: string;
  token: string;
  documents: MemoryDocuments;
  /** Starts another account with the same objects and the same ledger, for a test that changes its account. */
  copy(): Promise<TestedAccount>;
  close(): Promise<void>;
}

/** Starts an account with the objects of the seed and an empty ledger. Throws `Problems` for a seed that the twin does not accept. */
export async function startAccount(provider: Provider, seed: unknown, scope: Scope): Promise<TestedAccount> {
  const privateTwin = await startPrivateTwin(provider, { seed: seed ?? provider.emptyAccount(scope) });
  return toTestedAccount(provider, privateTwin, createMemoryDocuments());
}

/**
 * Returns the account of a test: a running twin (a simulated account), and the documents of a ledger in memory. `copy` starts a second one
 * with the same state, for a test that changes it by an apply.
 */
const toTestedAccount = (
  provider: Provider,
  { twin, token }: PrivateTwin,
  documents: MemoryDocuments,
): TestedAccount => ({
  url: twin.url,
  token,
  documents,
  copy: async () => {
    const copied = await startPrivateTwin(provider, {});
    copied.twin.restoreAccount(twin.copyAccount());
    return toTestedAccount(provider, copied, documents.copy());
  },
  close: () => twin.close(),
});

/**
 * Opens a session on the account of a test, with write access to its ledger, and returns the result of `work` with it. Secrets have the
 * values that the test file states, or else placeholders as with `--twin`. No real secret is read. `work` also gets the placeholders that
 * do not fit their fields, as `secretProblems`. Throws `Problems`, for example if the seed has another team.
 */
export async function withTestedSession<T>(
  provider: Provider,
  configuration: Configuration & { platform: Scope },
  { url, token, documents }: TestedAccount,
  { setup, host }: { setup: TestSetup; host: Host },
  work: (session: RunSession, secretProblems: Diagnostic[]) => Promise<T>,
): Promise<T> {
  const kinds = kindsOf(provider.kinds);
  const masking = createMasking();
  const connection = await provider.connect({
    baseUrl: url,
    token,
    scope: configuration.platform,
    maxWait: 0,
    masking,
  });
  try {
    const { secrets, secretProblems } = chooseSecrets(configuration, kinds, setup);
    for (const secret of secrets.values()) masking.addSecret(secret);
    const owner = await connection.owner();
    const session = await openSessionLedger({
      ...sessionParts(provider, configuration, { connection, documents, host }),
      owner,
      lookUp: createLookUp(provider, { connection, owner, kinds, readLedger: async () => undefined }),
      origins: await describeOrigins(configuration, openSources({ env: {}, cwd: host.cwd })),
      secrets,
      masking,
      kinds,
    });
    return await work({ ...session, lease: createSoleLease() }, secretProblems);
  } finally {
    await connection.close();
  }
}

/**
 * Returns the secrets of a test: those that its file states, and placeholders for all others. `secretProblems`: the placeholders that do
 * not fit their fields, because only this problem of a placeholder can be solved in the test file, by a value that fits.
 */
function chooseSecrets(
  configuration: Configuration,
  kinds: Kinds,
  setup: TestSetup,
): { secrets: Map<string, Sealed>; secretProblems: Diagnostic[] } {
  const { values, diagnostics } = createStandIns(configuration, kinds);
  const secrets = [...values].map(
    ([name, standIn]) => [name, setup.secrets.get(name)?.value ?? standIn] as const,
  );
  const secretProblems = diagnostics.filter(
    ({ code, secret }) => code === 'secret/stand-in-misfit' && !setup.secrets.has(secret?.name ?? ''),
  );
  return { secrets: new Map(secrets), secretProblems };
}

/** Every test starts with the same key, which signs nothing that outlives the test. */
const testKey: LedgerKey = ledgerKeyFrom('the key of ledgers in memory, for tests');

/** Returns the members of the session of a test (its configuration, account and ledger) that do not depend on its secrets. */
function sessionParts(
  provider: Provider,
  { desired, platform }: Configuration & { platform: Scope },
  { connection, documents, host }: { connection: Connection; documents: MemoryDocuments; host: Host },
) {
  const { clock } = host;
  const isTeam = 'team' in platform;
  return {
    desired,
    connection,
    documents,
    // The configuration's own warnings are among the diagnostics of the test already.
    diagnostics: [],
    account: { type: isTeam ? ('team' as const) : ('personal' as const), name: isTeam ? platform.team : '' },
    baseUrl: 'twin:',
    store: createLedgerStore(documents, { key: testKey, now: clock.now }),
    key: testKey,
    writes: true,
    actionsAndLookups: () => loadActionsAndLookups(provider),
    meaning: provider.meaning,
    clock,
    sent: () => new Map(),
    say: () => {},
  };
}
