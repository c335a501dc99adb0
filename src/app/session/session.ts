import type { AccountContext } from '../../action/find-subject.ts';
import { isReviewRun, maskInActions } from '../../ci/ci-job.ts';
import type { Configuration, WrittenConfiguration } from '../../config/configuration.ts';
import { environmentSecrets } from '../../config/environment-secrets.ts';
import { describeOrigins, findCopyableAddresses } from '../../config/judge-secrets.ts';
import { readSecretValues } from '../../config/read-secret-values.ts';
import type { Readings } from '../../config/resolve-secrets.ts';
import type { Sources } from '../../config/sources/sources.ts';
import { refuseEmptySecrets } from '../../config/stand-ins.ts';
import { warnOfUnusedFlags } from '../../config/unused-flags.ts';
import type { GuardOptions } from '../../guards/open-guards.ts';
import { type Host, resolvePath } from '../../host.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Owner, Provider, Scope } from '../../kind/provider.ts';
import type { Documents } from '../../ledger/documents.ts';
import { openJournal } from '../../ledger/journal.ts';
import type { Address } from '../../model/address.ts';
import { asWarning, type Diagnostic, Problems, throwIfAny } from '../../model/diagnostic.ts';
import type { LedgerKey } from '../../model/ledger-key.ts';
import { createMasking, type Masking } from '../../model/masking.ts';
import type { Account } from '../../model/plan.ts';
import { tryParseJson } from '../../model/read-json.ts';
import type { Sealed } from '../../model/sealed.ts';
import { createSecretFinder } from '../../model/secret-finder.ts';
import { shellWord } from '../../model/shell-word.ts';
import type { PlanJudge, RunSession } from '../../run/session.ts';
import { lockSessionLedger, openSessionLedger } from '../../run/session-ledger.ts';
import { createFirstKey, refuseNewKey } from '../../stores/first-key.ts';
import type { HeldLease } from '../../stores/hold-lease.ts';
import { unlistedWarning } from '../../stores/ledger-choice.ts';
import {
  createLedgerReader,
  findLedgerKey,
  openLedgerDocuments,
  openLedgerStore,
} from '../../stores/open-ledger.ts';
import type { Port } from '../port.ts';
import type { StackOptions } from '../stack-options.ts';
import { createSources } from './create-sources.ts';
import { findSiblings } from './find-siblings.ts';
import { loadConfiguration } from './load-configuration.ts';
import { type OpenAccount, openAccount } from './open-account.ts';

/** A session of one stack: everything that planning and applying it need, with the configuration and the lease of the run. */
export interface Session extends RunSession {
  host: Host;
  configuration: Configuration;
  sources: Sources;
  /** The stored documents of the stack: its ledger, lease, history and saved plan. */
  documents: Documents;
  /** Present while this run is the only writer of the ledger. Nothing is applied without it. */
  lease?: HeldLease;
  /** Returns the addresses that the stacks applied together with this one changed. Verification does not report their changes as drift. */
  findChangedByPartners?(): Promise<ReadonlySet<Address>>;
  /** Called when the lease is released. Other stacks of the command that write to the same lists start then. */
  onUnlock?(): void;
  close(): Promise<void>;
}

/** A configuration with the sources that it may read: environment variables, files and commands. */
export interface LoadedConfiguration {
  configuration: WrittenConfiguration;
  sources: Sources;
}

/** The part of `LoadedConfiguration` that a session keeps. */
type SessionConfiguration = Pick<Session, 'configuration' | 'sources'>;

/**
 * Reads the configuration of a run before its session is opened. Used by `plan`, `apply`, `undo` and `accept`, which need it before the
 * account is read. `plans`: files of plans that the configuration may not read. Throws `Problems` with all errors.
 */
export async function loadForRun(
  provider: Provider,
  options: StackOptions & { plans?: string[] },
  port: Port,
): Promise<LoadedConfiguration> {
  const sources = createSources(options, port.run.host, port);
  return { sources, configuration: await loadConfiguration(provider, options, port.run, { sources }) };
}

/** Returns a configuration without its text. A session does not need the text, so its memory can be freed. */
function withoutText({ configuration, sources }: SessionConfiguration): SessionConfiguration {
  const {
    rendered: _,
    written: __,
    ...parsed
  }: Configuration & Partial<WrittenConfiguration> = configuration;
  return { configuration: parsed, sources };
}

/** The accounts that several sessions share, and the secrets that none of them may show. */
export interface CommonAccounts {
  masking: Masking;
  /** The values that were read from sources of secrets, so that each source is read once. */
  readings: Readings;
  /** Opens an account that stays open when a session closes it. */
  open(scope: Scope): Promise<OpenAccount>;
}

/** The options of `openSession`, which explains them. */
interface OpenOptions {
  plans?: string[];
  writes?: boolean;
  ends?: boolean;
  guards?: 'plan' | 'apply';
  loaded?: SessionConfiguration;
  accounts?: CommonAccounts;
}

/** A run that is connected to its account, before its ledger is read. */
interface ConnectedRun extends SessionConfiguration {
  documents: Documents;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  /** Secrets that cannot be read. They do not stop a run that only plans. */
  secretProblems: readonly Diagnostic[];
  masking: Masking;
  guards: PlanJudge | undefined;
  account: OpenAccount;
}

/**
 * Opens the session of a stack for any command that plans: resolves secrets, connects to the account, and reads the ledger.
 *
 *   | option     | meaning                                                                                       |
 *   | ---------- | --------------------------------------------------------------------------------------------- |
 *   | `plans`    | files of plans that the run reads or writes, which the configuration may not read             |
 *   | `writes`   | true if the run writes: then a secret that may not be read is an error                        |
 *   | `ends`     | true if the stack is destroyed                                                                |
 *   | `guards`   | whether the operator's guards judge plans that are only shown, or plans that are applied      |
 *   | `loaded`   | the configuration, if it was read before                                                      |
 *   | `accounts` | the accounts to share with other sessions of the same command                                 |
 *
 * Throws `Problems`. The caller closes the session.
 */
export async function openSession(
  provider: Provider,
  options: StackOptions & GuardOptions,
  port: Port,
  openOptions: OpenOptions = {},
): Promise<Session> {
  const connected = await connectRun(provider, options, port, openOptions);
  const { account, configuration, sources, documents } = connected;
  const { host } = port.run;
  const { accounts, ends = false } = openOptions;
  // The session says its messages by the voice of its account, so that both can be redirected together.
  const voice = accounts ? { say: port.say } : account.voice;
  // Loading the configuration ended the delay of the optimizer (`started`). It starts again for the rest of the run.
  host.engine.starting();
  try {
    const runSession = await readSessionLedger(provider, options, port, openOptions, connected);
    const siblings = await findSiblings(configuration, runSession.ledger, ends, provider, options, port.run);
    const session: Session = Object.assign(voice, runSession, {
      host,
      configuration,
      sources,
      documents,
      siblings,
      close: async () => {
        await unlockSession(session);
        await account.close();
      },
    });
    return session;
  } catch (error) {
    await account.close();
    throw error;
  }
}

/** Loads the configuration, resolves its secrets and connects to its account: the first half of `openSession`. Throws `Problems`. */
async function connectRun(
  provider: Provider,
  options: StackOptions & GuardOptions,
  port: Port,
  { plans = [], writes = false, guards, loaded, accounts }: OpenOptions,
): Promise<ConnectedRun> {
  const { host } = port.run;
  const { sources, configuration } = withoutText(
    loaded ?? (await loadForRun(provider, { ...options, plans }, port)),
  );
  const scope = configuration.platform;
  if (!scope)
    throw new Problems('config/platform', 'the configuration does not name an account', {
      hint: 'write `platform: { team: SLUG }`, or `platform: { personal: true }`',
    });
  const documents = await openLedgerDocuments(configuration.desired.stack, options, host);
  const kinds = kindsOf(provider.kinds);
  const { values: secrets, diagnostics: secretProblems } = await readSecretValues(configuration, {
    ...{ kinds, host, sources },
    isTwin: options.twin,
    readings: accounts?.readings,
  });
  const forbidden = secretProblems.filter(({ code }) => code.startsWith('source/'));
  if (writes) throwIfAny(forbidden);
  // Before any message that could contain a secret.
  maskInActions(secrets, configuration.secrets, port);
  const masking = accounts?.masking ?? createMasking();
  for (const secret of secrets.values()) masking.addSecret(secret);
  const judge = guards
    ? await openSessionGuards(provider, options, { configuration, host, masking, writes: guards === 'apply' })
    : undefined;
  const account = await (accounts?.open(scope) ?? openAccount(provider, scope, options, port, masking));
  return {
    configuration,
    sources,
    documents,
    kinds,
    secrets,
    secretProblems,
    masking,
    guards: judge,
    account,
  };
}

/** Reads the ledger of a connected run, and returns its session without the members of the command: the second half of `openSession`. */
async function readSessionLedger(
  provider: Provider,
  options: StackOptions,
  port: Port,
  { writes = false, accounts }: OpenOptions,
  { account, secrets, secretProblems, guards, ...connected }: ConnectedRun,
): Promise<Omit<RunSession, 'lease'>> {
  const { host } = port.run;
  const { configuration, sources, documents, kinds, masking } = connected;
  const { owner, baseUrl, connection } = account;
  const key = await findLedgerKey(options, host);
  const store = await openLedgerStore(configuration.desired.stack, options, host, key, documents);
  await refuseLedgerBeforeStages(configuration, options, host, documents);
  return openSessionLedger({
    desired: configuration.desired,
    origins: await describeOrigins(configuration, sources),
    allowLive: await findCopyableAddresses(configuration, sources, host.cwd),
    secrets,
    isSecretOfRun: createSecretFinder([...secrets.values(), ...environmentSecrets(host), account.token]),
    masking,
    diagnostics: [
      ...configuration.diagnostics,
      ...secretProblems.map(asWarning),
      ...refuseEmptySecrets(configuration, kinds, secrets),
      ...[unlistedWarning(options, host) ?? []].flat(),
      // Several stacks share their flags, and the twin needs none.
      ...(accounts || options.twin ? [] : warnOfUnusedFlags([{ configuration, sources }])),
    ],
    kinds,
    connection,
    owner,
    account: accountOf(owner, baseUrl, provider.baseUrl),
    baseUrl,
    documents,
    store,
    key,
    writes,
    openJournalOf: createJournalOpener(options, host, key),
    dayTwo: () => loadDayTwo(provider),
    lookUp: createLookUp(provider, {
      connection,
      owner,
      kinds,
      readLedger: createLedgerReader(configuration.desired.stack, options, host),
    }),
    clock: host.clock,
    sent: account.sent,
    say: accounts ? port.say : account.voice.say,
    guards,
  });
}

/**
 * Creates the function that opens the journal which an interrupted run of another stack left on this machine. With it a plan knows objects that the
 * ledger of that stack does not have yet.
 */
function createJournalOpener(
  options: StackOptions,
  host: Host,
  key: LedgerKey | undefined,
): NonNullable<RunSession['openJournalOf']> {
  // With git, finding a path starts a process, and a run looks at the journals of its partners again and again.
  const paths = new Map<string, Promise<string>>();
  return async (stack) => {
    const path =
      paths.get(stack) ??
      openLedgerDocuments(stack, options, host).then((documents) => documents.journalPath());
    paths.set(stack, path);
    return openJournal(await path, key);
  };
}

/** Loads the provider's actions and lookups, with the query parameters that each endpoint takes. Only runs that use them need their code. */
async function loadDayTwo(provider: Provider): ReturnType<RunSession['dayTwo']> {
  const operations = await provider.operations();
  const { queryParametersOf } = await import('../../manual/coverage.ts');
  const queryOf = (endpoint: string) => queryParametersOf(endpoint, operations);
  return { ...(await provider.dayTwo()), queryOf };
}

/** Creates the function that reads the object which a `$lookup` of the configuration finds, as `trueup get` does. */
const createLookUp =
  (provider: Provider, context: AccountContext): RunSession['lookUp'] =>
  async ({ lookup, where }) => {
    const { lookups } = await provider.dayTwo();
    const { createLookupReader } = await import('../../action/create-lookup-reader.ts');
    const account = { ...context, operations: await provider.operations() };
    const read = await createLookupReader(lookups.get(lookup)!, { where, limit: 1 }, account);
    return (await read()).rows[0];
  };

/** Opens the guards of a session; undefined if no option or variable names any, so that their code is not loaded. Throws `Problems`. */
async function openSessionGuards(
  provider: Provider,
  options: StackOptions & GuardOptions,
  run: { configuration: Configuration; host: Host; masking: Masking; writes: boolean },
): Promise<PlanJudge | undefined> {
  const { configuration, host, masking, writes } = run;
  if (!options.guards && !options.check && !host.env.TRUEUP_GUARDS) return undefined;
  const files = configuration.files.map((file) => resolvePath(host, file));
  // Paths of the environment start where the paths of the options do.
  const isReview = isReviewRun({ ...host, cwd: options.guardsFrom ?? host.cwd });
  const { openGuards } = await import('../../guards/open-guards.ts');
  return openGuards(provider, options, { host, files, masking, writes, isReview });
}

/**
 * Throws `Problems` for a stack that has stages now, but had none when it was last applied. With the new, empty ledger of the stage, no stack
 * would own the objects of the old ledger, and they would be adopted again. The user decides which stage gets the old ledger.
 */
async function refuseLedgerBeforeStages(
  { desired: { stack }, stages }: Configuration,
  options: StackOptions,
  host: Host,
  documents: Documents,
): Promise<void> {
  const [name, stage] = stack.split('@');
  if (stages.length === 0 || stage === undefined) return;
  const documentsBefore = await openLedgerDocuments(name!, options, host);
  const ledger = await documents.read('ledger');
  // If `--ledger` names one place for both, the name in the ledger says which of them wrote it.
  const isSamePlace = documentsBefore.place === documents.place;
  const isOutdated = isSamePlace
    ? ledger !== undefined && isLedgerOf(name!, ledger.text)
    : !ledger && (await documentsBefore.read('ledger')) !== undefined;
  if (!isOutdated) return;
  throw new Problems(
    'ledger/stage',
    `the stack ${stack} has no ledger, but ${name} does, from before it had stages: ${documentsBefore.place}`,
    {
      hint: `decide which stage it belongs to; if it is ${stage}: \`trueup ledger rename ${shellWord(name!)} ${shellWord(stack)}\``,
    },
  );
}

const isLedgerOf = (stack: string, text: string): boolean =>
  (tryParseJson(text) as { stack?: unknown } | null | undefined)?.stack === stack;

/**
 * Makes a session the only writer of its ledger: takes the lease and reads the ledger again. Needed before anything is applied. Throws
 * `Problems` that name the holder of the lease if another run has it.
 */
export async function lockSession(session: Session, options: StackOptions, port: Port): Promise<void> {
  const { holdLease } = await import('../../stores/hold-lease.ts');
  await lockSessionLedger(session, await holdLease(session.documents, options, port));
}

/** Releases the lease, if this session has it, so that other runs can write the ledger. */
export async function unlockSession(session: Session): Promise<void> {
  const { lease, store } = session;
  // Closing the store removes what an earlier run left behind. If the lease is lost, another run owns those files. `store` must be the
  // session's current store: a first key creates a new store, and only the new one knows the unfinished writes.
  if (lease && !lease.lost.aborted) await store.close().catch(() => {});
  await lease?.release();
  delete session.lease;
  session.onUnlock?.();
}

/** Throws `Problems` if this run may not write the ledger. Used before planning, so that no work is lost. */
export function requireWritable(session: Session, options: StackOptions): void {
  if (!session.key) refuseNewKey(session, options, session.host);
  session.store.requireVerified();
}

/**
 * Returns the key that writing a ledger or approving a plan needs. On a developer's machine it creates the first key, and opens the store again
 * with it. Throws `Problems` if there is no key and this run may not create one.
 */
export async function requireKey(session: Session, options: StackOptions): Promise<LedgerKey> {
  if (session.key) return session.key;
  session.key = await createFirstKey(session, options, session.host);
  const { configuration, documents, host, key } = session;
  session.store = await openLedgerStore(configuration.desired.stack, options, host, key, documents);
  return session.key;
}

/** Returns the account that a plan names for its readers. `standardUrl`: the usual URL of the platform. It is left out. */
export function accountOf({ type, slug }: Owner, baseUrl: string, standardUrl: string): Account {
  const isElsewhere = baseUrl.replace(/\/+$/, '') !== standardUrl.replace(/\/+$/, '');
  return { type, name: slug, baseUrl: isElsewhere ? withoutCredentials(baseUrl) : undefined };
}

/** Returns a URL without its user name and password, because plans are shown to others. */
const withoutCredentials = (url: string): string => url.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
