import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import type { Connection, Exchange, Provider, Scope } from '../../kind/provider.ts';
import { Problems, problem } from '../../model/diagnostic.ts';
import { createMasking } from '../../model/masking.ts';
import { Sealed } from '../../model/sealed.ts';
import { describeSystemError } from '../../model/system-error.ts';
import { durationText } from '../../report/count.ts';
import { waitingText } from '../../report/waiting-text.ts';
import { noTokenReason } from '../ci-job.ts';
import { type Host, type Port, pathOn } from '../host.ts';
import type { ScopeOptions, StackOptions } from '../stack-options.ts';
import { createHomeFolder, homeFolder } from './home-folder.ts';

/** The options that are needed to reach an account without a configuration. */
export type AccountOptions = Pick<
  StackOptions,
  'baseUrl' | 'tokenFile' | 'twin' | 'limits' | 'maxWait' | 'verbose'
>;

/** Returns the account that the flags name, or else the configuration. Throws `Problems` if neither names one. */
export function chooseScope(
  { platform }: Pick<Configuration, 'platform'>,
  { team, personal }: ScopeOptions,
): Scope {
  if (team !== undefined) return { team };
  if (personal) return { personal: true };
  if (platform) return platform;
  throw new Problems('config/account', 'no account given', {
    hint: 'pass --team SLUG or --personal',
  });
}

/** The platform with its accounts, or the embedded twin, and the token for it. */
export interface Platform {
  url: string;
  token: string;
  isTwin: boolean;
  close(): Promise<void>;
}

/** Starts the embedded twin, if it is asked for, and finds the token. Throws `Problems`. */
export async function openPlatform(
  provider: Provider,
  scope: Scope,
  options: AccountOptions,
  host: Host,
): Promise<Platform> {
  if (!options.twin) {
    const given = options.baseUrl ?? (host.env.TRUEUP_BASE_URL || provider.baseUrl);
    return {
      url: given.replace(/\/+$/, ''),
      token: await token(options, host),
      isTwin: false,
      close: async () => {},
    };
  }
  await createHomeFolder(host);
  // A token of this process alone, because every process on the machine can reach the port.
  const ownToken = randomBytes(32).toString('base64url');
  const twin = await provider.startTwin({
    token: ownToken,
    statePath: pathOn(host, join(homeFolder, 'twin', 'account.json')),
    seed: provider.emptyAccount(scope),
  });
  return { url: twin.url, token: ownToken, isTwin: true, close: () => twin.close() };
}

export type OpenAccount = Awaited<ReturnType<typeof openAccount>>;

/** Connects to an account, or to the embedded twin, and reads its owner. `on`: the platform, if it is open already. Throws `Problems`. */
export async function openAccount(
  provider: Provider,
  scope: Scope,
  options: AccountOptions,
  port: Port,
  masking = createMasking(),
  on?: Platform,
) {
  const { host } = port.run;
  const platform = on ?? (await openPlatform(provider, scope, options, host));
  let connection: Connection | undefined;
  let budget: Awaited<ReturnType<typeof budgetOf>>;
  const voice = { say: port.say };
  let sent = 0;
  const close = async () => {
    await connection?.close();
    await budget?.close();
    if (!on) await platform.close();
  };
  try {
    budget = await budgetOf(options, platform, host, port.say);
    connection = await provider.connect({
      baseUrl: platform.url,
      scope,
      env: host.env,
      token: platform.token,
      maxWait: options.maxWait * 1000,
      masking,
      budget,
      onWait: (wait) => voice.say(waitingText(wait)),
      onExchange: (exchange: Exchange) => {
        if (sent++ === 0) sayIfOff(host.clock.now() - (exchange.answeredAt ?? Number.NaN), voice);
        if (options.verbose) voice.say(exchangeText(exchange));
      },
    });
    // The twin has another address in each run, but the same ledger.
    const owner = await connection.owner();
    return {
      connection,
      owner,
      token: new Sealed(platform.token),
      baseUrl: platform.isTwin ? 'twin:' : platform.url,
      voice,
      sent: () => sent,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const [minute, day] = [60_000, 86_400_000];

/**
 * Warns if the clock of this machine differs from the platform's by `ahead` milliseconds. Larger differences than a day come from caches and
 * tests, so they are ignored.
 */
function sayIfOff(ahead: number, { say }: { say(text: string): void }): void {
  if (!(Math.abs(ahead) > minute && Math.abs(ahead) < day)) return;
  const off = durationText(Math.round(Math.abs(ahead) / minute) * minute);
  say(
    `The clock of this machine is ${off} ${ahead > 0 ? 'ahead of' : 'behind'} the platform's. Set it: times in the ledger and its history will be wrong, a freeze of guards begins and ends at another time, and a \`$then\` action may be skipped or sent twice.`,
  );
}

/** Opens the budget shared by all runs of a token if `--limits` or TRUEUP_LIMITS names a database. The twin has no limits. Throws `Problems`. */
async function budgetOf(
  { limits: given }: AccountOptions,
  { url, token, isTwin }: Platform,
  { env }: Host,
  say: (text: string) => void,
) {
  const limits = given ?? (isTwin ? undefined : env.TRUEUP_LIMITS || undefined);
  if (limits === undefined) return undefined;
  const { openBudget } = await import('../../budget/open-budget.ts');
  return openBudget({ limits, isArgument: given !== undefined, env, baseUrl: url, token, say });
}

async function token({ tokenFile }: AccountOptions, host: Host): Promise<string> {
  if (tokenFile === undefined) {
    const tokenOfEnvironment = host.env.TRUEUP_TOKEN?.trim();
    if (tokenOfEnvironment) return tokenOfEnvironment;
    const reason = noTokenReason(host);
    if (reason !== undefined) throw new Problems([noTokenFor(reason)]);
    throw new Problems('auth/no-token', 'no token given', {
      hint: 'set TRUEUP_TOKEN, or pass a file with --token-file; to try without an account use --twin',
    });
  }
  return readTokenFile(tokenFile, host);
}

/** The problem with a missing token in a pull request of somebody who may not write to the repository: the configuration may be fine. */
const noTokenFor = (reason: string) =>
  problem('auth/fork', `${reason}: it can be validated but not planned`, {
    hint: 'run only `trueup validate` for it; somebody with write access can plan it from a branch of this repository',
  });

/** Returns the line of a request for `--verbose`. Secrets in its body are sealed, and headers are left out. */
function exchangeText({ method, path, status, milliseconds, attempt, body }: Exchange): string {
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  const sent = body === undefined ? '' : `\n    ${JSON.stringify(body)}`;
  return `  ${method} ${path} ${status ?? 'no answer'} ${Math.round(milliseconds)} ms${again}${sent}`;
}

/** Reads the token in a file, without the newline after it. Throws `Problems` that do not show the token. */
export async function readTokenFile(path: string, host: Host): Promise<string> {
  const text = await readFile(pathOn(host, path), 'utf8').catch((error: Error) => {
    throw new Problems('auth/token-file', `the token file cannot be read: ${describeSystemError(error)}`);
  });
  if (text.trim() === '') throw new Problems('auth/token-file', `the token file ${path} is empty`);
  return text.trim();
}
