import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noTokenReason } from '../../ci/ci-job.ts';
import { chooseScope, type ScopeOptions } from '../../config/choose-scope.ts';
import type { Configuration } from '../../config/configuration.ts';
import { type Host, resolvePath } from '../../host.ts';
import type { Connection, ConnectOptions, Exchange, Owner, Provider, Scope } from '../../kind/provider.ts';
import { describeSystemError } from '../../model/describe-errors.ts';
import { problem, raise, shellWord } from '../../model/diagnostic.ts';
import { createMasking, type Masking } from '../../model/masking.ts';
import type { Account, RequestCounts } from '../../model/plan.ts';
import type { Endpoint } from '../../model/request.ts';
import { Sealed } from '../../model/sealed.ts';
import { clockWarning, exchangeText, waitingText } from '../../report/events-text.ts';
import { startPrivateTwin } from '../../run/private-twin.ts';
import { createHomeFolder, homeFolder } from '../../stores/ledger-choice.ts';
import type { Port } from '../port.ts';
import type { StackOptions } from '../stack-options.ts';
import type { NameFinder } from './load-configuration.ts';

/** The options that are needed to reach an account without a configuration. */
export type AccountOptions = Pick<
  StackOptions,
  'baseUrl' | 'tokenFile' | 'twin' | 'limits' | 'maxWait' | 'verbose'
>;

/** The options of a command, and the objects that it is about. */
export type OpenAccountOptions = AccountOptions & { declared?: NameFinder | undefined };

/** The platform with its accounts, or the embedded twin, and the token for it. */
export interface Platform {
  url: string;
  token: string;
  isTwin: boolean;
  close(): Promise<void>;
}

/**
 * Finds the URL and the token of the platform, or starts the embedded twin (a local copy of the platform) if `--twin` asks for it. The
 * stacks of commands such as `plan --all` share the result. Throws `Problems` if there is no token, or if its file cannot be read.
 */
export async function openPlatform(
  provider: Provider,
  scope: Scope,
  options: AccountOptions,
  host: Host,
): Promise<Platform> {
  if (!options.twin) {
    const baseUrl = options.baseUrl ?? (host.env.TRUEUP_BASE_URL || provider.baseUrl);
    return {
      url: baseUrl.replace(/\/+$/, ''),
      token: await findToken(options, host),
      isTwin: false,
      close: async () => {},
    };
  }
  await createHomeFolder(host);
  const { twin, token } = await startPrivateTwin(provider, {
    statePath: resolvePath(host, join(homeFolder, 'twin', 'account.json')),
    seed: provider.emptyAccount(scope),
  });
  return { url: twin.url, token, isTwin: true, close: () => twin.close() };
}

/** Returns the account that a plan names for its readers. `standardUrl`: the usual URL of the platform. It is left out. */
export function accountOf({ type, slug }: Owner, baseUrl: string, standardUrl: string): Account {
  const isElsewhere = baseUrl.replace(/\/+$/, '') !== standardUrl.replace(/\/+$/, '');
  return { type, name: slug, baseUrl: isElsewhere ? withoutCredentials(baseUrl) : undefined };
}

/** Returns a URL without its user name and password, because plans are shown to others. */
const withoutCredentials = (url: string): string => url.replace(/^(\w+:\/\/)[^/@]*@/, '$1');

/** An open connection to an account, with its owner. */
export type OpenAccount = Awaited<ReturnType<typeof openAccount>>;

/**
 * Connects to an account and reads its owner. Every command that reads an account starts with it, except `doctor`. `openedPlatform`: the
 * platform, if several accounts share it; it stays open when the account is closed. Throws `Problems`, for example if the token is not
 * accepted, or if its user has no personal account.
 */
export async function openAccount(
  provider: Provider,
  scope: Scope,
  options: OpenAccountOptions,
  port: Port,
  masking = createMasking(),
  openedPlatform?: Platform,
) {
  const account = await connectAccount(provider, scope, options, port, { masking, openedPlatform });
  try {
    const owner = await account.connection.owner();
    refuseUnusable(owner);
    return { ...account, owner };
  } catch (error) {
    await account.close();
    throw error;
  }
}

/**
 * Connects to an account, and sends nothing yet. Used by `openAccount`, and by `trueup doctor`, which reports on an account that cannot be
 * read and gets each answer (`onAnswer`). `openedPlatform`: the URL and token that several accounts share; `close` leaves it open. Throws
 * `Problems`, for example if there is no token.
 */
export async function connectAccount(
  provider: Provider,
  scope: Scope,
  options: OpenAccountOptions,
  port: Port,
  {
    masking = createMasking(),
    openedPlatform,
    onAnswer,
  }: { masking?: Masking; openedPlatform?: Platform | undefined } & Pick<ConnectOptions, 'onAnswer'>,
) {
  const { host } = port.run;
  const platform = openedPlatform ?? (await openPlatform(provider, scope, options, host));
  let connection: Connection | undefined;
  let budget: Awaited<ReturnType<typeof openSharedBudget>>;
  // A session replaces `say` of this object to redirect the messages of its account.
  const voice = { say: port.say };
  const { onExchange, sent } = observeExchanges(voice, host, options);
  const close = async () => {
    await connection?.close();
    await budget?.close();
    if (!openedPlatform) await platform.close();
  };
  host.engine.connecting();
  try {
    budget = await openSharedBudget(options, platform, host, port.say);
    connection = await provider.connect({
      baseUrl: platform.url,
      scope,
      declared: options.declared,
      env: host.env,
      token: platform.token,
      maxWait: options.maxWait * 1000,
      masking,
      budget,
      onWait: (wait) => voice.say(waitingText(wait)),
      onExchange,
      onAnswer,
    });
    return {
      connection,
      token: new Sealed(platform.token),
      // The twin has another URL in each run, but the same ledger.
      baseUrl: platform.isTwin ? 'twin:' : platform.url,
      voice,
      sent,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Throws `Problems` for a user without a usable personal account. For such a user the platform answers with empty lists, so a plan would
 * create everything again. `standIn`: undefined if the account is usable; otherwise the default team of the user, or null if it is unknown.
 */
function refuseUnusable({ slug, standIn }: Owner): void {
  if (standIn === undefined) return;
  const team = standIn ?? 'SLUG';
  raise('auth/personal', `the user ${slug} has no personal account that can be used`, {
    hint: `name the default team of this user, \`platform: { team: ${team} }\` or --team ${shellWord(team)}, or another team`,
  });
}

/**
 * Returns the observer of all requests to an account: it counts them (`plan` prints the number), warns at the first one if the clock of
 * this machine is wrong, and shows each with `--verbose`.
 */
function observeExchanges(voice: Pick<Port, 'say'>, { clock }: Host, { verbose }: AccountOptions) {
  const counts = new Map<Endpoint, number>();
  const onExchange = (exchange: Exchange) => {
    const isFirst = counts.size === 0;
    counts.set(exchange.endpoint, (counts.get(exchange.endpoint) ?? 0) + 1);
    // For an answer without a time, the difference is not a number, and there is no warning.
    const warning = isFirst ? clockWarning(clock.now() - (exchange.answeredAt ?? Number.NaN)) : undefined;
    if (warning !== undefined) voice.say(warning);
    if (verbose) voice.say(exchangeText(exchange));
  };
  return { onExchange, sent: (): RequestCounts => new Map(counts) };
}

/**
 * Opens the database in which all runs with the same token share its rate limits, so that parallel CI jobs do not use them up, if
 * `--limits` or TRUEUP_LIMITS names one; undefined otherwise. With the twin (a local copy of the platform), TRUEUP_LIMITS does not count.
 * Throws `Problems`.
 */
async function openSharedBudget(
  options: AccountOptions,
  { url, token, isTwin }: Platform,
  { env }: Host,
  say: (text: string) => void,
) {
  const limits = options.limits ?? (isTwin ? undefined : env.TRUEUP_LIMITS || undefined);
  if (limits === undefined) return undefined;
  const { openBudget } = await import('../../budget/open-budget.ts');
  const isArgument = options.limits !== undefined;
  return openBudget({ limits, isArgument, env, baseUrl: url, token, say });
}

/**
 * Returns the token for the requests to the platform, from `--token-file`, or else from TRUEUP_TOKEN. Throws `Problems` that say how to
 * pass one if both are missing, or why CI has none (a pull request from a fork).
 */
async function findToken({ tokenFile }: AccountOptions, host: Host): Promise<string> {
  if (tokenFile !== undefined) return readTokenFile(tokenFile, host);
  const token = host.env.TRUEUP_TOKEN?.trim();
  if (token) return token;
  const reason = noTokenReason(host);
  if (reason !== undefined) raise(createForkProblem(reason));
  raise('auth/no-token', 'no token given', {
    hint: 'set TRUEUP_TOKEN, or pass a file with --token-file; to try without an account use --twin',
  });
}

/** Returns the problem that a pull request from a fork gets no token, so it cannot be planned. Its configuration may still be correct. */
const createForkProblem = (reason: string) =>
  problem('auth/fork', `${reason}: it can be validated but not planned`, {
    hint: 'run only `trueup validate` for it; somebody with write access can plan it from a branch of this repository',
  });

/**
 * Reads the token for the platform, or for the twin (a local copy of it), from the file of `--token-file`, without white space around it.
 * Throws `Problems` if the file cannot be read or is empty; they never show the token.
 */
export async function readTokenFile(path: string, host: Host): Promise<string> {
  const text = await readFile(resolvePath(host, path), 'utf8').catch((error: Error) => {
    raise('auth/token-file', `the token file cannot be read: ${describeSystemError(error)}`);
  });
  if (text.trim() === '') raise('auth/token-file', `the token file ${path} is empty`);
  return text.trim();
}

/** The longest wait for the name of the default team, in milliseconds, so that a command without a network does not hang. */
const maxTeamWait = 5000;

/**
 * Returns the team that stands in for the personal account of the token's user. `init` and errors about a missing account propose it.
 * Undefined if the user has a personal account, on the local twin, and if anything fails or takes too long, because it is only a proposal.
 */
export async function findDefaultTeam(
  provider: Provider,
  options: AccountOptions,
  host: Host,
): Promise<string | undefined> {
  if (options.twin) return undefined;
  const scope: Scope = { personal: true };
  try {
    const { url, token } = await openPlatform(provider, scope, options, host);
    const connection = await provider.connect({ baseUrl: url, token, scope, env: host.env, maxWait: 0 });
    const answered = new AbortController();
    const timeout = host.clock.sleep(maxTeamWait, answered.signal).catch(() => undefined);
    const owner = await Promise.race([connection.owner(), timeout]).finally(() => {
      answered.abort();
      return connection.close();
    });
    return owner?.standIn ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the account that the flags name, or else the configuration: `get`, `export` and others send all requests to it. Throws `Problems`
 * if neither names one, with the default team of the user as a proposal.
 */
export async function chooseAccount(
  provider: Provider,
  configuration: Pick<Configuration, 'platform'>,
  options: AccountOptions & ScopeOptions,
  { run: { host } }: Port,
): Promise<Scope> {
  const { team, personal } = options;
  const isNamed = team !== undefined || personal || configuration.platform !== undefined;
  const defaultTeam = isNamed ? undefined : await findDefaultTeam(provider, options, host);
  return chooseScope(configuration, options, defaultTeam);
}
