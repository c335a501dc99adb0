import { problem, raise } from '../model/diagnostic.ts';
import { Sealed } from '../model/sealed.ts';

/**
 * Parses the base URL of an API. Throws `Problems` unless a token may be sent there: the URL must be encrypted or on this machine, and consist of
 * origin and path only. The URL is never quoted as a whole, because it may hold credentials.
 */
export function checkBaseUrl(text: string): URL {
  const urlProblem = (message: string, hint: string) => problem('auth/base-url', message, { hint });
  if (!URL.canParse(text))
    raise(urlProblem('the base URL is not a URL', 'for example https://api.vercel.com'));
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash)
    raise(
      urlProblem(
        `the base URL for ${url.host} has credentials, a query or a fragment`,
        'use only the origin and path; the token is set separately',
      ),
    );
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    raise(urlProblem(`the base URL is for ${url.protocol}`, 'it must begin with https://'));
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    raise(
      urlProblem(
        `the base URL ${url.origin} is not encrypted: anyone in between could read the token`,
        'use https://',
      ),
    );
  return url;
}

/**
 * Checks that a token can be sent in a header, and seals it so that it is never printed. Throws `Problems` that do
 * not quote the token. A copied token often has a line break or quotes.
 */
export function checkToken(token: string): Sealed {
  const hint = 'use the bare token, without quotes, spaces or line breaks';
  if (token === '') raise('auth/token', 'the token is empty', { hint });
  if (!/^[\x21-\x7e]+$/.test(token))
    raise('auth/token', 'the token contains a space, a line break or another invalid character', {
      hint,
    });
  return new Sealed(token);
}

/** True if a host, as `URL.hostname` spells it, is this machine. Connections to it need no encryption and no proxy. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
