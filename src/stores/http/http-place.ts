import { isLoopback } from '../../http/settings.ts';
import { raise } from '../../model/diagnostic.ts';
import { hasStackPlaceholder, stackPlaceholder, urlProblem } from '../store-url.ts';

type HttpEnv = Record<string, string | undefined>;

/** An address and the method of a request to it. */
interface HttpTarget {
  url: URL;
  method: string;
}

/** The address of a document on a server that speaks Terraform's protocol, and the credentials for it. */
export interface HttpPlace {
  /** The address in messages, without credentials. */
  shown: string;
  url: URL;
  /** The method of a write. */
  updateMethod: string;
  lock: HttpTarget;
  unlock: HttpTarget;
  /** The value of the `authorization` header. Undefined without credentials. */
  authorization: string | undefined;
  /** Texts that must never be printed. */
  secrets: string[];
  isGitLab: boolean;
}

const gitLabPath = /\/api\/v4\/projects\/[^/]+\/terraform\/state\/[^/]+$/;

/**
 * Determines address, methods and credentials of the document on a server in which a stack's ledger is kept. They
 * come from the URL (`{stack}` stands for the stack's name) and from the environment variables of Terraform's
 * backend "http". GitLab is recognized by the path; in its CI jobs the token of the job is used. Throws `Problems`.
 */
export function httpPlace(base: URL, stack: string, env: HttpEnv): HttpPlace {
  const name = gitLabPath.test(base.pathname) ? toGitLabName(stack) : encodeURIComponent(stack);
  const store = createPlace(base, name, env);
  // If the stack's name is in the query, two places would look the same, because queries are not shown.
  return hasStackPlaceholder(base) && !hasStackPlaceholder(new URL(base.pathname, base))
    ? { ...store, shown: `${store.shown} (${stack})` }
    : store;
}

/**
 * Determines address, methods and credentials for the index: the document of `--ledger-index` that lists all ledgers of a server.
 * `ledgers`: the address of the ledgers, with `{stack}` for the name. If the index fits this pattern, such as `.../index` for
 * `.../{stack}`, the text at the position of `{stack}` (`index`) is its name, and replaces `{stack}` in TF_HTTP_LOCK_ADDRESS, too. Throws
 * `Problems`.
 */
export function indexPlace(index: URL, ledgers: URL, env: HttpEnv): HttpPlace {
  const [before, after] = ledgers.href.split(stackPlaceholder);
  const { href } = index;
  const fitsPattern = after !== undefined && href.startsWith(before!) && href.endsWith(after);
  const name = fitsPattern ? href.slice(before!.length, href.length - after.length) : undefined;
  return createPlace(index, name, env);
}

/**
 * Determines address, methods and credentials of a ledger, or of the index that lists ledgers, on a server. `name`
 * replaces `{stack}` in each address. If it is undefined, TF_HTTP_LOCK_ADDRESS cannot be filled, so the document's
 * own address is locked. GitLab has fixed addresses and methods, and the token of a CI job there is the default password.
 * Throws `Problems` for an unencrypted address, and for the address of a lock on another server.
 */
function createPlace(base: URL, name: string | undefined, env: HttpEnv): HttpPlace {
  const isGitLab = gitLabPath.test(base.pathname);
  // Without a name there is no `{stack}` in `base`.
  const fillStackName = (url: URL) => new URL(url.href.replace(stackPlaceholder, name ?? ''));
  const url = fillStackName(base);
  const inUrl = { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  url.username = '';
  url.password = '';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    raise(
      urlProblem(
        'the ledger would be sent unencrypted, so that anyone in between could read and change it',
        'use https://; http:// is only allowed for this machine',
      ),
    );
  // Not used for GitLab, because that has only one way to lock: in a CI job there, these variables may belong to
  // Terraform.
  const targetFromEnv = (action: 'LOCK' | 'UNLOCK', standard: URL): HttpTarget => {
    const variable = `TF_HTTP_${action}_ADDRESS`;
    const address = env[variable] ? parseLockAddress(env[variable], variable, url) : undefined;
    return {
      url: address && name !== undefined ? fillStackName(address) : standard,
      method: env[`TF_HTTP_${action}_METHOD`] || action,
    };
  };
  const lock = isGitLab ? { url: gitLabLockUrl(url), method: 'POST' } : targetFromEnv('LOCK', url);
  const ownCredentials = {
    user: inUrl.user || env.TF_HTTP_USERNAME || '',
    password: inUrl.password || env.TF_HTTP_PASSWORD || '',
  };
  const mayUseJobToken = isGitLab && ownCredentials.password === '';
  const credentials = (mayUseJobToken ? gitLabJobToken(url, env) : undefined) ?? ownCredentials;
  /** The credentials in the form of HTTP's "Basic" authorization. */
  const basic = `${credentials.user}:${credentials.password}`;
  return {
    shown: `${url.origin}${url.pathname}`,
    url,
    updateMethod: (!isGitLab && env.TF_HTTP_UPDATE_METHOD) || 'POST',
    lock,
    unlock: isGitLab ? { ...lock, method: 'DELETE' } : targetFromEnv('UNLOCK', lock.url),
    authorization: basic === ':' ? undefined : `Basic ${Buffer.from(basic).toString('base64')}`,
    // Masked in messages. Masking a shorter text would make messages unreadable.
    secrets: [credentials.password, Buffer.from(basic).toString('base64')].filter(
      (secret) => secret.length > 3,
    ),
    isGitLab,
  };
}

/** Returns the address at which GitLab locks a ledger that it keeps as a Terraform state: the ledger's own address with `/lock`. */
const gitLabLockUrl = (url: URL): URL => {
  const lock = new URL(url);
  lock.pathname += '/lock';
  return lock;
};

/**
 * Parses the address of a lock. Throws `Problems` if it is on another server than the ledger, because that server would get the
 * credentials.
 */
function parseLockAddress(text: string, variable: string, ledger: URL): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.origin !== ledger.origin)
    raise(
      urlProblem(
        `${variable} is not an address at ${ledger.origin}, where the ledger is`,
        'correct it, or unset it',
      ),
    );
  return url;
}

/**
 * Returns the token of this CI job as the credentials for a ledger on GitLab, if the job runs on the GitLab server
 * that holds the ledger; otherwise undefined. A token must not be sent to another server.
 */
function gitLabJobToken(url: URL, env: HttpEnv): { user: string; password: string } | undefined {
  const { CI_SERVER_URL: server, CI_JOB_TOKEN: token } = env;
  if (!server || !token || !URL.canParse(server) || new URL(server).origin !== url.origin) return undefined;
  return { user: 'gitlab-ci-token', password: token };
}

/**
 * Returns a stack's name in the characters that GitLab allows: letters, digits, `-` and `_`. Different stacks get different names: `shop@a`
 * becomes `shop_at_a`, and `shop_at_a` becomes `shop__at__a`.
 */
const toGitLabName = (stack: string): string =>
  stack.replaceAll('_', '__').replaceAll('@', '_at_').replaceAll('.', '_dot_');
