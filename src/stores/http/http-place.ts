import { isLoopback } from '../../http/settings.ts';
import { isOfAnyStack, refused, stackHole } from '../store-url.ts';

type Env = Record<string, string | undefined>;

/** One address and how it is asked. */
interface Target {
  url: URL;
  method: string;
}

/** The address of a document on a server that speaks Terraform's protocol, and the credentials for it. */
export interface HttpPlace {
  /** For people, without credentials. */
  shown: string;
  url: URL;
  update: string;
  lock: Target;
  unlock: Target;
  /** The value of the header, if there are credentials. */
  authorization: string | undefined;
  /** Texts that are never printed. */
  secrets: string[];
  isGitLab: boolean;
}

const gitLab = /\/api\/v4\/projects\/[^/]+\/terraform\/state\/[^/]+$/;

/**
 * Reads where the document of a stack lies. Methods, other addresses and credentials come from the variables of Terraform's backend;
 * a GitLab server is known by its path, and its jobs by their token. Throws `Problems`.
 */
export function httpPlace(base: URL, stack: string, env: Env): HttpPlace {
  const name = gitLab.test(base.pathname) ? plainName(stack) : encodeURIComponent(stack);
  const store = placeOf(base, name, env);
  // What a query says is not shown: the names of two places would be one.
  return isOfAnyStack(base) && !isOfAnyStack(new URL(base.pathname, base))
    ? { ...store, shown: `${store.shown} (${stack})` }
    : store;
}

/** Reads where the list of the ledgers lies that are at `ledgers`. All of them lock it at one address. Throws `Problems`. */
export function indexPlace(index: URL, ledgers: URL, env: Env): HttpPlace {
  const [before, after] = ledgers.href.split(stackHole);
  const { href } = index;
  const isBeside = after !== undefined && href.startsWith(before!) && href.endsWith(after);
  return placeOf(index, isBeside ? href.slice(before!.length, href.length - after.length) : undefined, env);
}

/** `name` goes where an address has a stackHole; without one no other address is known for the lock. */
function placeOf(base: URL, name: string | undefined, env: Env): HttpPlace {
  const isGitLab = gitLab.test(base.pathname);
  const filled = (url: URL) => new URL(url.href.replace(stackHole, name ?? ''));
  const url = filled(base);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = '';
  url.password = '';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw refused(
      'the ledger would go over the network in the clear: anybody on the way could read and change it',
      'use https://; http:// is only for this machine',
    );
  // GitLab has one way to lock, and the variables of a job there may be those of its Terraform.
  const besides = (sort: 'LOCK' | 'UNLOCK', standard: URL): Target => {
    const variable = `TF_HTTP_${sort}_ADDRESS`;
    const address = env[variable] ? asUrl(env[variable], variable, url) : undefined;
    return {
      url: address && name !== undefined ? filled(address) : standard,
      method: env[`TF_HTTP_${sort}_METHOD`] || sort,
    };
  };
  const lock = isGitLab ? { url: lockOf(url), method: 'POST' } : besides('LOCK', url);
  const known = isGitLab && !env.TF_HTTP_PASSWORD && password === '' ? jobToken(url, env) : undefined;
  const credentials = known ?? {
    user: user || env.TF_HTTP_USERNAME || '',
    password: password || env.TF_HTTP_PASSWORD || '',
  };
  const basic = `${credentials.user}:${credentials.password}`;
  return {
    shown: `${url.origin}${url.pathname}`,
    url,
    update: (!isGitLab && env.TF_HTTP_UPDATE_METHOD) || 'POST',
    lock,
    unlock: isGitLab ? { ...lock, method: 'DELETE' } : besides('UNLOCK', lock.url),
    authorization: basic === ':' ? undefined : `Basic ${Buffer.from(basic).toString('base64')}`,
    secrets: [credentials.password, Buffer.from(basic).toString('base64')].filter((one) => one.length > 3),
    isGitLab,
  };
}

const lockOf = (url: URL): URL => {
  const lock = new URL(url);
  lock.pathname += '/lock';
  return lock;
};

/** Credentials go to the server of the ledger alone. */
function asUrl(text: string, variable: string, ledger: URL): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.origin !== ledger.origin)
    throw refused(
      `${variable} is no address at ${ledger.origin}, where the ledger is`,
      'correct it, or unset it',
    );
  return url;
}

/** In a job of that GitLab, its own token. */
function jobToken(url: URL, env: Env): { user: string; password: string } | undefined {
  const { CI_SERVER_URL: server, CI_JOB_TOKEN: token } = env;
  if (!server || !token || !URL.canParse(server) || new URL(server).origin !== url.origin) return undefined;
  return { user: 'gitlab-ci-token', password: token };
}

/** GitLab takes letters, digits, `-` and `_`. No two stacks get the same name: `shop@a` is `shop_at_a`, and `shop_at_a` is `shop__at__a`. */
const plainName = (stack: string): string =>
  stack.replaceAll('_', '__').replaceAll('@', '_at_').replaceAll('.', '_dot_');
