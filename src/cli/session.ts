import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../config/load.ts';
import { resolveSecrets } from '../config/resolve-secrets.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Connection, Exchange, Owner, Provider, Scope } from '../kind/provider.ts';
import type { Documents } from '../ledger/documents.ts';
import { findKey } from '../ledger/key.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import { emptyLedger, type Ledger } from '../model/ledger.ts';
import { type Masking, openMasking } from '../model/masking.ts';
import type { Account } from '../model/plan.ts';
import type { Sealed } from '../model/sealed.ts';
import { waitingText } from '../report/events-text.ts';
import { accountOf } from './account-of.ts';
import { maskInActions } from './actions-run.ts';
import { exchangeText } from './exchange-text.ts';
import { type HeldLease, holdLease } from './hold-lease.ts';
import { home, makeHome } from './home.ts';
import { type Host, pathOn } from './host.ts';
import { documentsFor, storeFor } from './ledger-place.ts';
import { loadConfiguration } from './load-configuration.ts';
import { noTokenReason } from './no-token-reason.ts';
import type { StackOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/** Everything that a run stands on: the configuration, the account, the ledger, the secrets. */
export interface Session {
  host: Host;
  configuration: Configuration;
  kinds: Kinds;
  connection: Connection;
  owner: Owner;
  /** The same for people. */
  account: Account;
  documents: Documents;
  store: LedgerStore;
  ledger: Ledger;
  /** Nothing is applied without it. */
  lease?: HeldLease;
  secrets: ReadonlyMap<string, Sealed>;
  /** Knows them, and the other secrets of the run. */
  masking: Masking;
  key: LedgerKey | undefined;
  keyPath: string;
  diagnostics: Diagnostic[];
  /** How many HTTP requests were made so far: each attempt, that for the account too. */
  sent(): number;
  /** Gets what the connection has to say while it works; a live view puts itself in between. */
  say(text: string): void;
  close(): Promise<void>;
}

/** Opens what a run needs, the owner of the account first of all. Throws `Problems`. */
export async function openSession(
  provider: Provider,
  options: StackOptions,
  terminal: Terminal,
): Promise<Session> {
  const { host } = terminal.run;
  const configuration = await loadConfiguration(provider, options, terminal.run);
  const { stack } = configuration.desired;
  const scope = configuration.platform;
  if (!scope)
    throw new Problems([
      problem('config/platform', 'the configuration does not say whose account it is for', {
        hint: 'write `platform: { team: SLUG }`, or `platform: { personal: true }`',
      }),
    ]);
  const documents = documentsFor(stack, options, host);
  const { values, diagnostics } = await resolveSecrets(configuration, {
    env: host.env,
    cwd: host.cwd,
    allowCommands: options.allowCommands ?? false,
  });
  // Before anything is said that could hold one.
  maskInActions(values, configuration.secrets, terminal);
  const masking = openMasking();
  for (const secret of values.values()) masking.know(secret);
  const account = await openAccount(provider, scope, options, terminal, masking);
  const { owner, baseUrl, voice, close } = account;
  // Nearly all that a run needs is loaded now.
  host.engine.starting();
  try {
    const store = await storeFor(stack, options, host, documents);
    const ledger = await ownLedger(store, { baseUrl, owner: owner.id, stack });
    const keyPath = join(home, 'key');
    const key = await findKey(pathOn(host, keyPath), host.env, { create: false });
    for (const secret of secretsOf(key)) masking.know(secret);
    const session: Session = Object.assign(voice, {
      host,
      configuration,
      kinds: kindsOf(provider.kinds),
      connection: account.connection,
      sent: account.sent,
      owner,
      account: accountOf(owner, baseUrl, provider.baseUrl),
      documents,
      store,
      ledger,
      secrets: values,
      masking,
      key,
      keyPath,
      diagnostics: [
        ...configuration.diagnostics,
        ...diagnostics.map((d) => ({ ...d, severity: 'warning' as const })),
      ],
      close: async () => {
        await session.lease?.release();
        await close();
      },
    });
    return session;
  } catch (error) {
    await close();
    throw error;
  }
}

/** From here on no other run writes the ledger: takes its lease, and reads it again. Throws `Problems` that say who has it. */
export async function lockSession(
  session: Session,
  options: StackOptions,
  terminal: Terminal,
): Promise<void> {
  const { documents, store, ledger } = session;
  session.lease = await holdLease(documents, options, terminal);
  session.ledger = await ownLedger(store, ledger);
}

/** What it takes to reach an account, without a configuration. */
export type AccountOptions = Pick<StackOptions, 'baseUrl' | 'tokenFile' | 'twin' | 'maxWait' | 'verbose'>;

/** Connects to an account, or to the embedded twin, and reads whose it is. Throws `Problems`. */
export async function openAccount(
  provider: Provider,
  scope: Scope,
  options: AccountOptions,
  terminal: Terminal,
  masking = openMasking(),
) {
  const { host } = terminal.run;
  if (options.twin) await makeHome(host);
  const twin = options.twin
    ? await provider.startTwin({
        statePath: pathOn(host, join(home, 'twin', 'account.json')),
        seed: provider.emptyAccount(scope),
      })
    : undefined;
  const given = options.baseUrl ?? (host.env.TRUEUP_BASE_URL || provider.baseUrl);
  const url = twin?.url ?? given.replace(/\/+$/, '');
  let connection: Connection | undefined;
  const voice = { say: terminal.err };
  let sent = 0;
  const close = async () => {
    await connection?.close();
    await twin?.close();
  };
  try {
    connection = await provider.connect({
      baseUrl: url,
      scope,
      env: host.env,
      token: twin ? 'token-of-the-embedded-twin' : await token(options, host),
      maxWait: options.maxWait * 1000,
      masking,
      onWait: (wait) => voice.say(waitingText(wait)),
      onExchange: (exchange: Exchange) => {
        sent++;
        if (options.verbose) voice.say(exchangeText(exchange));
      },
    });
    // The twin's address differs each time; its ledger is the same.
    const owner = await connection.owner();
    return { connection, owner, baseUrl: twin ? 'twin:' : url, voice, sent: () => sent, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const secretsOf = (key: LedgerKey | undefined): Sealed[] =>
  key ? [key.secret, ...secretsOf(key.previous)] : [];

/** A ledger belongs to one base URL, owner and stack, and is refused elsewhere. */
async function ownLedger(
  store: LedgerStore,
  mine: { baseUrl: string; owner: string; stack: string },
): Promise<Ledger> {
  const ledger = await store.read();
  if (!ledger) return emptyLedger(mine.baseUrl, mine.owner, mine.stack);
  const wrong = (['baseUrl', 'owner', 'stack'] as const).filter((name) => ledger[name] !== mine[name]);
  if (wrong.length === 0) return ledger;
  const names = { baseUrl: 'base URL', owner: 'account', stack: 'stack' };
  throw new Problems([
    problem(
      'ledger/foreign',
      `the ledger ${store.place} belongs to another ${wrong.map((name) => names[name]).join(' and ')}: ${wrong.map((name) => `${ledger[name]}, not ${mine[name]}`).join('; ')}`,
      {
        hint: 'check `platform:`, the token and --base-url; for another account use another stack name, or --ledger',
      },
    ),
  ]);
}

async function token({ tokenFile }: AccountOptions, host: Host): Promise<string> {
  if (tokenFile === undefined) {
    const given = host.env.TRUEUP_TOKEN?.trim();
    if (given) return given;
    const reason = noTokenReason(host);
    if (reason !== undefined) throw new Problems([noTokenFor(reason)]);
    throw new Problems([
      problem('auth/no-token', 'there is no token', {
        hint: 'set TRUEUP_TOKEN, or name a file with --token-file; without an account try --twin',
      }),
    ]);
  }
  const text = await readFile(pathOn(host, tokenFile), 'utf8').catch((error: Error) => {
    throw new Problems([problem('auth/token-file', `the token file cannot be read: ${error.message}`)]);
  });
  if (text.trim() === '')
    throw new Problems([problem('auth/token-file', `the token file ${tokenFile} is empty`)]);
  return text.trim();
}

/** Nothing is wrong with the configuration: who may not write to the repository gets no token. */
const noTokenFor = (reason: string) =>
  problem('auth/fork', `${reason}: it can be validated, but not planned`, {
    hint: 'let it run `trueup validate` only; somebody who may write can plan it from a branch of the repository itself',
  });
