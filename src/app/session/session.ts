import type { Configuration, WrittenConfiguration } from '../../config/configuration.ts';
import { findCopyableAddresses } from '../../config/judge-references.ts';
import { describeOrigins } from '../../config/judge-secrets.ts';
import { type Readings, resolveSecrets } from '../../config/resolve-secrets.ts';
import type { Sources } from '../../config/sources/sources.ts';
import { createStandIns, refuseEmptySecrets } from '../../config/stand-ins.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Owner, Provider, Scope } from '../../kind/provider.ts';
import type { Documents } from '../../ledger/documents.ts';
import type { Address } from '../../model/address.ts';
import { Problems } from '../../model/diagnostic.ts';
import { tryParseJson } from '../../model/json-in.ts';
import type { LedgerKey } from '../../model/ledger-key.ts';
import { createMasking, type Masking } from '../../model/masking.ts';
import type { Account } from '../../model/plan.ts';
import { createSecretFinder } from '../../model/secret-finder.ts';
import { shellWord } from '../../model/shell-word.ts';
import type { PlanJudge, RunSession } from '../../run/session.ts';
import type { AccountContext } from '../actions/find-lineage.ts';
import { maskInActions } from '../ci-job.ts';
import { type Host, type Port, pathOn } from '../host.ts';
import type { StackOptions } from '../stack-options.ts';
import { environmentSecrets } from './environment-secrets.ts';
import { findSiblings } from './find-siblings.ts';
import { createFirstKey, refuseNewKey } from './first-key.ts';
import type { HeldLease } from './hold-lease.ts';
import { unlistedWarning } from './ledger-choice.ts';
import { loadConfiguration } from './load-configuration.ts';
import { type OpenAccount, openAccount } from './open-account.ts';
import type { GuardOptions } from './open-guards.ts';
import { findLedgerKey, openLedgerDocuments, openLedgerStore } from './open-ledger.ts';
import { lockSessionLedger, openSessionLedger } from './session-ledger.ts';
import { sourcesFor } from './sources-for.ts';
import { warnOfUnusedFlags } from './unused-flags.ts';

/** A session of the command line. */
export interface Session extends RunSession {
  host: Host;
  configuration: Configuration;
  sources: Sources;
  documents: Documents;
  /** Nothing is applied without it. */
  lease?: HeldLease;
  /** Returns the objects that stacks applied together with this one change, so that nobody is told about their changes. */
  findChangedByPartners?(): Promise<ReadonlySet<Address>>;
  /** Called once the lease is given back, when this run writes nothing more. */
  onUnlock?(): void;
  close(): Promise<void>;
}

/** A configuration with the sources that it may read. */
export interface LoadedConfiguration {
  configuration: WrittenConfiguration;
  sources: Sources;
}

/** Reads the configuration of a run before its session is opened. Throws `Problems` with all of its errors. */
export async function loadForRun(
  provider: Provider,
  options: StackOptions & { plans?: string[] },
  port: Port,
): Promise<LoadedConfiguration> {
  const sources = sourcesFor(options, port.run.host, port);
  return { sources, configuration: await loadConfiguration(provider, options, port.run, { sources }) };
}

/** Returns a configuration without its text. A session does not need the text, so its memory can be freed. */
function withoutText({ configuration, sources }: Pick<Session, 'configuration' | 'sources'>) {
  const { rendered: _, written: __, ...rest }: Configuration & Partial<WrittenConfiguration> = configuration;
  return { configuration: rest, sources };
}

/** The accounts that several sessions share, and the secrets that none of them may show. */
export interface CommonAccounts {
  masking: Masking;
  /** The readings of secrets, so that each source is read once. */
  readings: Readings;
  /** Opens an account that stays open when a session closes it. */
  open(scope: Scope): Promise<OpenAccount>;
}

interface OpenOptions {
  plans?: string[];
  writes?: boolean;
  ends?: boolean;
  guards?: 'plan' | 'apply';
  loaded?: Pick<Session, 'configuration' | 'sources'>;
  accounts?: CommonAccounts;
}

/**
 * Opens a session: resolves secrets, connects to the account, and reads the ledger.
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
 * Throws `Problems`.
 */
export async function openSession(
  provider: Provider,
  options: StackOptions & GuardOptions,
  port: Port,
  { plans = [], writes = false, ends = false, guards, loaded, accounts }: OpenOptions = {},
): Promise<Session> {
  const { host } = port.run;
  const { sources, configuration } = withoutText(
    loaded ?? (await loadForRun(provider, { ...options, plans }, port)),
  );
  const { stack } = configuration.desired;
  const scope = configuration.platform;
  if (!scope)
    throw new Problems('config/platform', 'the configuration does not name an account', {
      hint: 'write `platform: { team: SLUG }`, or `platform: { personal: true }`',
    });
  const documents = await openLedgerDocuments(stack, options, host);
  const kinds = kindsOf(provider.kinds);
  const { values, diagnostics } = options.twin
    ? createStandIns(configuration, kinds)
    : await resolveSecrets(configuration, {
        env: host.env,
        cwd: host.cwd,
        sources,
        readings: accounts?.readings,
      });
  const refused = diagnostics.filter(({ code }) => code.startsWith('source/'));
  if (writes && refused.length > 0) throw new Problems(refused);
  // Before any message that could contain a secret.
  maskInActions(values, configuration.secrets, port);
  const masking = accounts?.masking ?? createMasking();
  for (const secret of values.values()) masking.addSecret(secret);
  const judges = guards
    ? await guardsFor(provider, options, { configuration, host, masking, writes: guards === 'apply' })
    : undefined;
  const account = await (accounts?.open(scope) ?? openAccount(provider, scope, options, port, masking));
  const { owner, baseUrl, close } = account;
  const voice = accounts ? { say: port.say } : account.voice;
  // Nearly all code of the run is loaded now.
  host.engine.starting();
  try {
    const key = await findLedgerKey(options, host);
    const store = await openLedgerStore(stack, options, host, key, documents);
    await refuseUnstaged(configuration, options, host, documents);
    const opened = await openSessionLedger({
      desired: configuration.desired,
      origins: await describeOrigins(configuration, sources),
      allowLive: await findCopyableAddresses(configuration, sources, host.cwd),
      secrets: values,
      isSecretOfRun: createSecretFinder([...values.values(), ...environmentSecrets(host), account.token]),
      masking,
      diagnostics: [
        ...configuration.diagnostics,
        ...diagnostics.map((d) => ({ ...d, severity: 'warning' as const })),
        ...refuseEmptySecrets(configuration, kinds, values),
        ...[unlistedWarning(options, host) ?? []].flat(),
        // Several stacks share their flags, and the twin needs none.
        ...(accounts || options.twin ? [] : warnOfUnusedFlags([{ configuration, sources }])),
      ],
      kinds,
      connection: account.connection,
      owner,
      account: accountOf(owner, baseUrl, provider.baseUrl),
      baseUrl,
      documents,
      store,
      key,
      writes,
      dayTwo: () => createDayTwo(provider),
      lookUp: lookUpIn(provider, { ...account, kinds, configuration, options, host }),
      clock: host.clock,
      sent: account.sent,
      say: voice.say,
      ...(judges ? { guards: judges } : {}),
    });
    const siblings = await findSiblings(configuration, opened.ledger, ends, provider, options, port.run);
    const session: Session = Object.assign(voice, opened, {
      host,
      configuration,
      sources,
      documents,
      siblings,
      close: async () => {
        await unlockSession(session);
        await close();
      },
    });
    return session;
  } catch (error) {
    await close();
    throw error;
  }
}

async function createDayTwo(provider: Provider) {
  const operations = await provider.operations();
  const { queryParametersOf: queryOf } = await import('../actions/read-only-account.ts');
  return { ...(await provider.dayTwo()), queryOf: (endpoint: string) => queryOf(endpoint, operations) };
}

/** Returns a function that reads the object which a lookup of the configuration finds, like `trueup get`. */
const lookUpIn =
  (provider: Provider, context: AccountContext): RunSession['lookUp'] =>
  async ({ lookup, where }) => {
    const { lookups } = await provider.dayTwo();
    const { createLookupReader } = await import('../actions/create-lookup-reader.ts');
    const reading = {
      context,
      connection: context.connection,
      operations: await provider.operations(),
    };
    const read = await createLookupReader(lookups.get(lookup)!, { where, limit: 1 }, reading);
    return (await read()).rows[0];
  };

/** Opens the guards of a session. Their code is only loaded if an option or a variable names some. */
async function guardsFor(
  provider: Provider,
  options: StackOptions & GuardOptions,
  {
    configuration,
    host,
    ...how
  }: { configuration: Configuration; host: Host; masking: Masking; writes: boolean },
): Promise<PlanJudge | undefined> {
  if (!options.guards && !options.check && !host.env.TRUEUP_GUARDS) return undefined;
  const files = configuration.files.map((file) => pathOn(host, file));
  return (await import('./open-guards.ts')).openGuards(provider, options, { host, files, ...how });
}

/**
 * Throws `Problems` for a stack that has stages now, but had none when it was last applied. With the new, empty ledger of the stage, nobody
 * would own the objects of the old one, and they would be adopted again.
 */
async function refuseUnstaged(
  { desired: { stack }, stages }: Configuration,
  options: StackOptions,
  host: Host,
  documents: Documents,
): Promise<void> {
  const [name, stage] = stack.split('@');
  if (stages.length === 0 || stage === undefined) return;
  const before = await openLedgerDocuments(name!, options, host);
  const isSame = before.place === documents.place;
  const storedDocument = await documents.read('ledger');
  // Of one place for both, what it holds tells whose it is.
  if (
    isSame
      ? !storedDocument || !isOf(name!, storedDocument.text)
      : storedDocument || !(await before.read('ledger'))
  )
    return;
  throw new Problems(
    'ledger/stage',
    `the stack ${stack} has no ledger, but ${name} does, from before it had stages: ${before.place}`,
    {
      hint: `decide which stage it belongs to; if it is ${stage}: \`trueup ledger rename ${shellWord(name!)} ${shellWord(stack)}\``,
    },
  );
}

const isOf = (stack: string, text: string): boolean =>
  (tryParseJson(text) as { stack?: unknown } | null | undefined)?.stack === stack;

/**
 * Makes a session the only writer of its ledger: takes the lease and reads the ledger again. Throws `Problems` that name the holder of the
 * lease if another run has it.
 */
export async function lockSession(session: Session, options: StackOptions, port: Port): Promise<void> {
  const { holdLease } = await import('./hold-lease.ts');
  await lockSessionLedger(session, await holdLease(session.documents, options, port));
}

/** Returns the lease, if this session has it, so that other runs can write the ledger. */
export async function unlockSession(session: Session): Promise<void> {
  const { lease, store } = session;
  // What an earlier run left behind, and nobody needs any more, goes with this one; of a lost lease it is another's by now. The
  // store is the session's: with a first key it is a new one, and only that knows what could not be written.
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

/** Returns the key that writing a ledger or approving a plan needs. On a developer's machine it creates the first one. Throws `Problems`. */
export async function requireKey(session: Session, options: StackOptions): Promise<LedgerKey> {
  if (session.key) return session.key;
  session.key = await createFirstKey(session, options, session.host);
  const { configuration, documents, host, key } = session;
  session.store = await openLedgerStore(configuration.desired.stack, options, host, key, documents);
  return session.key;
}

/** Returns the account of a plan for people. `standard`: the usual URL of the platform, which is not shown. */
export function accountOf({ type, slug }: Owner, baseUrl: string, standard: string): Account {
  const elsewhere = baseUrl.replace(/\/+$/, '') !== standard.replace(/\/+$/, '');
  return { type, name: slug, baseUrl: elsewhere ? withoutUser(baseUrl) : undefined };
}

/** Returns a URL without its name and password, because plans are shown to others. */
const withoutUser = (url: string): string => url.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
