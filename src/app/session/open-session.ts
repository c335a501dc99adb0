import type { AccountContext } from '../../action/find-subject.ts';
import { isReviewRun, maskInActions } from '../../ci/ci-job.ts';
import type { Configuration, WrittenConfiguration } from '../../config/configuration.ts';
import { describeOrigins, findCopyableAddresses } from '../../config/judge-secrets.ts';
import { environmentSecrets, readSecretValues } from '../../config/read-secret-values.ts';
import type { Readings } from '../../config/resolve-secrets.ts';
import type { GuardOptions } from '../../guards/open-guards.ts';
import { type Host, resolvePath } from '../../host.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider, Scope } from '../../kind/provider.ts';
import { doubtEmptyLedger } from '../../ledger-place/doubt-empty-ledger.ts';
import { settleLedger, warnOfOtherPlace } from '../../ledger-place/settle-ledger.ts';
import { type Diagnostic, problem, raise, raiseErrors } from '../../model/diagnostic.ts';
import { createMasking, type Masking } from '../../model/masking.ts';
import { fieldsWhileExisting } from '../../model/resource.ts';
import type { Sealed } from '../../model/sealed.ts';
import { createSecretFinder, type SecretFinder } from '../../model/secret-finder.ts';
import { secretNamesIn } from '../../model/value.ts';
import type { PlanJudge, RunSession } from '../../run/session.ts';
import { openSessionLedger, type SessionOptions } from '../../run/session-ledger.ts';
import type { SessionRecording } from '../../snapshot/recording.ts';
import { unlistedWarning } from '../../stores/ledger-choice.ts';
import {
  createJournalOpener,
  createLedgerReader,
  findLedgerKey,
  openLedgerDocuments,
  openLedgerStore,
  refuseLedgerBeforeStages,
} from '../../stores/open-ledger.ts';
import type { Port } from '../port.ts';
import type { StackOptions } from '../stack-options.ts';
import { findSiblings } from './find-siblings.ts';
import { createNameFinder, loadForRun } from './load-configuration.ts';
import { accountOf, findDefaultTeam, type OpenAccount, openAccount } from './open-account.ts';
import { endWriting, type Session } from './session.ts';
import { collectSessionDiagnostics } from './session-diagnostics.ts';

/** Loads the code that records what a session observes. Only a run that makes a snapshot needs it. */
const loadRecording = () => import('../../snapshot/recording.ts');

/** Returns a configuration without its text. A session does not need the text, so its memory can be freed. */
export function withoutText(configuration: Configuration & Partial<WrittenConfiguration>): Configuration {
  const { rendered: _, written: __, ...parsed } = configuration;
  return parsed;
}

/** The accounts that several sessions share, and the secrets that none of them may show. */
export interface CommonAccounts {
  masking: Masking;
  /** The values that were read from sources of secrets, so that each source is read once. */
  readings: Readings;
  /** Registers secrets of a stack, so that no other stack shows them. */
  addSecrets(secrets: Iterable<Sealed>): void;
  /** Finds the secrets of all stacks in a text of the account. */
  isSecret: SecretFinder;
  besides?: RunSession['besides'];
  /** Opens an account that stays open when a session closes it. */
  open(scope: Scope): Promise<OpenAccount>;
}

/** How the session of a stack is opened. */
export interface OpenOptions {
  /** Files of plans that the run reads or writes, which the configuration may not read. */
  plans?: string[];
  /** True if the run writes: then a secret that may not be read is an error. */
  writes?: boolean;
  /** True if the stack is destroyed. */
  ends?: boolean;
  /** Whether the operator's guards judge plans that are only shown, or plans that are applied. Without it there are no guards. */
  guards?: 'plan' | 'apply';
  /** The configuration, if it was read before. */
  loaded?: Pick<Session, 'configuration' | 'sources'>;
  /** The accounts to share with other sessions of the same command. */
  accounts?: CommonAccounts;
  /** True if what the session observes is recorded, for a snapshot. */
  records?: boolean;
}

/**
 * Opens the session of a stack, with which every command that plans starts: loads the configuration, resolves secrets, connects to the
 * account, and reads the ledger. Throws `Problems`. The caller closes the session, which releases the lease and the connection. `siblings`
 * of the session: the other stacks of the workspace, if this one drops objects or takes some over. `accounts`: set if several stacks of one
 * command share connections; `ends`: the stack is being destroyed.
 */
export async function openSession(
  provider: Provider,
  options: StackOptions & GuardOptions,
  port: Port,
  openOptions: OpenOptions = {},
): Promise<Session> {
  const recording = openOptions.records ? new (await loadRecording()).SessionRecording() : undefined;
  const connected = await connectRun(provider, options, port, openOptions);
  const { account, configuration, sources, ledgerChoice } = connected;
  const { host } = port.run;
  const { accounts, ends = false } = openOptions;
  // Delays the optimizer of the JavaScript engine until the end, because most runs end before it pays. Loading the configuration ended an
  // earlier delay.
  host.engine.starting();
  try {
    const readOptions = { ...openOptions, recording };
    const runSession = await readSessionLedger(provider, options, port, readOptions, connected);
    const { ledger } = runSession;
    const ledgerDoubts = await doubtEmptyLedger(runSession, ledgerChoice, host);
    const siblings = await findSiblings(configuration, ledger, { isEnd: ends }, provider, options, port.run);
    const session: Session = {
      ...runSession,
      diagnostics: [...runSession.diagnostics, ...ledgerDoubts],
      host,
      configuration,
      sources,
      ledgerChoice,
      siblings,
      recording,
      besides: accounts?.besides,
      close: async () => {
        await endWriting(session);
        await account.close();
      },
    };
    // A command that redirects the messages of the session (`say`) redirects those of its own account with them.
    if (!accounts) account.voice.say = (text) => session.say(text);
    return session;
  } catch (error) {
    await account.close();
    throw error;
  }
}

/**
 * Loads the configuration of a stack, resolves its secrets and connects to its account: the first half of `openSession`, with which `plan`,
 * `apply` and others start. Stacks of one command share `accounts`. If the run writes, a secret that may not be read is an error; otherwise
 * the caller warns about it (`secretProblems`). Throws `Problems`.
 */
async function connectRun(
  provider: Provider,
  options: StackOptions & GuardOptions,
  port: Port,
  { plans = [], writes = false, guards, loaded, accounts }: OpenOptions,
) {
  const { host } = port.run;
  const { sources, configuration: loadedConfiguration } =
    loaded ?? (await loadForRun(provider, { ...options, plans }, port));
  const configuration = withoutText(loadedConfiguration);
  const scope = configuration.platform ?? raise(await createNoAccountProblem(provider, options, host));
  const { run, say } = port;
  const asksOrigin = writes || guards === 'apply';
  const ledgerChoice = await settleLedger(options, { configuration, sources }, { run, say, asksOrigin });
  const documents = await openLedgerDocuments(configuration.desired.stack, ledgerChoice, host);
  const kinds = kindsOf(provider.kinds);
  const { values: secrets, diagnostics: secretProblems } = await readSecretValues(configuration, {
    kinds,
    host,
    sources,
    isTwin: options.twin,
    readings: accounts?.readings,
  });
  if (writes) raiseErrors(secretProblems.filter(isForbiddenIn(configuration)));
  // Before any message that could contain a secret.
  maskInActions(secrets, configuration.secrets, port);
  const masking = maskStackSecrets(secrets, accounts);
  const judge = guards
    ? await openSessionGuards(provider, options, { configuration, host, masking, writes: guards === 'apply' })
    : undefined;
  const declared = createNameFinder(configuration, kinds);
  const account = await (accounts?.open(scope) ??
    openAccount(provider, scope, { ...options, declared }, port, masking));
  return {
    configuration,
    sources,
    ledgerChoice,
    documents,
    kinds,
    secrets,
    secretProblems,
    masking,
    guards: judge,
    account,
  };
}

/**
 * Masks the secrets of a stack in all output, and returns the masking. Several stacks share that of `accounts`, so that none shows those
 * of another.
 */
function maskStackSecrets(
  secrets: ReadonlyMap<string, Sealed>,
  accounts: CommonAccounts | undefined,
): Masking {
  if (accounts) {
    accounts.addSecrets(secrets.values());
    return accounts.masking;
  }
  const masking = createMasking();
  for (const secret of secrets.values()) masking.addSecret(secret);
  return masking;
}

/**
 * Returns the test for problems with sources that the operator does not allow. A secret that only ignored fields (`$ignore`) use does not
 * count: only a creation needs it, and whether there is one is known once the account was read.
 */
function isForbiddenIn({ desired }: Configuration): (problem: Diagnostic) => boolean {
  const needed = secretNamesIn([...desired.resources.values()].map(fieldsWhileExisting));
  return ({ code, secret }) => code.startsWith('source/') && (!secret || needed.has(secret.name));
}

/**
 * Returns the problem of a configuration without `platform`, so that no account can be opened. Its hint proposes the default team of the
 * token's user, if there is one.
 */
async function createNoAccountProblem(
  provider: Provider,
  options: StackOptions,
  host: Host,
): Promise<Diagnostic> {
  const team = await findDefaultTeam(provider, options, host);
  return problem('config/platform', 'the configuration does not name an account', {
    hint:
      team === undefined
        ? 'write `platform: { team: SLUG }`, or `platform: { personal: true }`'
        : `write \`platform: { team: ${team} }\`, the default team of the token's user, or another team`,
  });
}

/**
 * Opens and reads the ledger of the stack after `connectRun` has connected to its account, and collects the diagnostics that the run shows.
 * The second half of `openSession`, with which `plan`, `apply` and others start. Returns everything that planning and applying need, except
 * the lease, which `lockSession` takes. `recording`: records reads, digests and warnings, for a snapshot of the plan. Throws `Problems`.
 */
async function readSessionLedger(
  provider: Provider,
  options: StackOptions,
  port: Port,
  { writes = false, accounts, recording }: OpenOptions & { recording?: SessionRecording | undefined },
  { account, secrets, secretProblems, guards, ...connected }: Awaited<ReturnType<typeof connectRun>>,
): Promise<Omit<RunSession, 'lease'>> {
  const { host } = port.run;
  const { configuration, sources, ledgerChoice, documents, kinds, masking } = connected;
  const { desired, stages } = configuration;
  const { stack } = desired;
  const { owner, baseUrl } = account;
  const connection = recording ? recording.reads.record(account.connection) : account.connection;
  const ownKey = await findLedgerKey(options, host);
  const key = recording ? recording.digests.record(ownKey) : ownKey;
  const store = await openLedgerStore(stack, ledgerChoice, host, key, documents);
  const unlisted = unlistedWarning(ledgerChoice, host);
  const ledgerWarnings = [
    ...(unlisted ? [unlisted] : []),
    ...warnOfOtherPlace(configuration, ledgerChoice, host),
  ];
  recording?.noteWarnings(ledgerWarnings, secretProblems);
  await refuseLedgerBeforeStages({ stack, stages }, ledgerChoice, host, documents);
  // Several stacks share their secrets in `accounts`, because each of them can find those of the others in the account.
  const isOwnSecret = createSecretFinder([
    ...(accounts ? [] : secrets.values()),
    ...environmentSecrets(host),
    account.token,
  ]);
  const sessionOptions: SessionOptions = {
    desired,
    origins: await describeOrigins(configuration, sources),
    allowLive: await findCopyableAddresses(configuration, sources, host.cwd),
    secrets,
    isSecretOfRun: (text) => isOwnSecret(text) || accounts?.isSecret(text) === true,
    masking,
    diagnostics: collectSessionDiagnostics(
      { configuration, sources, kinds, secrets, secretProblems, ledgerWarnings },
      options,
      accounts !== undefined,
    ),
    kinds,
    connection,
    owner,
    account: accountOf(owner, baseUrl, provider.baseUrl),
    baseUrl,
    documents,
    store,
    key,
    writes,
    openJournalOf: createJournalOpener(ledgerChoice, host, key),
    actionsAndLookups: () => loadActionsAndLookups(provider),
    meaning: provider.meaning,
    lookUp: createLookUp(provider, {
      connection,
      owner,
      kinds,
      readLedger: createLedgerReader(stack, ledgerChoice, host),
    }),
    clock: host.clock,
    sent: account.sent,
    say: port.say,
    guards,
  };
  return openSessionLedger(recording ? withRecording(sessionOptions, recording) : sessionOptions);
}

/**
 * Returns the options of a session, changed so that `recording` notes the masked texts, the number of requests and the verdict of the
 * guards, for a snapshot. The clock stands still, so that the snapshot has one time.
 */
const withRecording = (options: SessionOptions, recording: SessionRecording): SessionOptions => ({
  ...options,
  masking: recording.recordMasking(options.masking),
  clock: recording.stopClock(options.clock),
  sent: recording.reads.recordCounts(options.sent),
  guards: recording.recordJudge(options.guards),
});

/**
 * Loads the provider's actions for `$then`, the lookups that these need (to see if their work has ended, for example), and the query
 * parameters that each endpoint takes. Only runs with actions need their code. `createLookUp` reads the lookups of a configuration.
 */
export async function loadActionsAndLookups(provider: Provider): ReturnType<RunSession['actionsAndLookups']> {
  const operations = await provider.operations();
  const { queryParametersOf } = await import('../../manual/coverage.ts');
  const queryOf = (endpoint: string) => queryParametersOf(endpoint, operations);
  return { ...(await provider.actionsAndLookups()), queryOf };
}

/**
 * Creates the function with which a plan or apply finds the object of a `$lookup` in the configuration, such as the latest deployment of a
 * project. It reads like `trueup get`, and returns the first object that meets the conditions (`where`), or undefined if there is none.
 */
export const createLookUp =
  (provider: Provider, context: AccountContext): RunSession['lookUp'] =>
  async ({ lookup, where }) => {
    const { lookups } = await provider.actionsAndLookups();
    const { createLookupReader } = await import('../../action/create-lookup-reader.ts');
    const account = { ...context, operations: await provider.operations() };
    // The configuration was loaded with these lookups, which refuses unknown names.
    const read = await createLookupReader(lookups.get(lookup)!, { where, limit: 1 }, account);
    return (await read()).rows[0];
  };

/**
 * Opens the guards of a session (the operator's rules and check programs, which judge each plan); undefined if no option or variable names
 * any, so that their code is not loaded. Throws `Problems`.
 */
export async function openSessionGuards(
  provider: Provider,
  options: StackOptions & GuardOptions,
  run: { configuration: Configuration; host: Host; masking: Masking; writes: boolean },
): Promise<PlanJudge | undefined> {
  const { configuration, host, masking, writes } = run;
  if (!options.guards && !options.check && !host.env.TRUEUP_GUARDS) return undefined;
  const files = configuration.files.map((file) => resolvePath(host, file));
  // The checkout of a pull request must not bring its own guards. Paths in the variables of its CI job start at `guardsFrom`, too.
  const isReview = isReviewRun({ ...host, cwd: options.guardsFrom ?? host.cwd });
  const { openGuards } = await import('../../guards/open-guards.ts');
  return openGuards(provider, options, { host, files, masking, writes, isReview });
}
