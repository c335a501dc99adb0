import { raise } from '../model/diagnostic.ts';
import { Sealed } from '../model/sealed.ts';

/**
 * Parses the base URL of an API. Throws `Problems` unless a token may be sent there: the URL must be encrypted or on this machine, and
 * consist of origin and path only. The URL is never quoted as a whole, because it may hold credentials.
 */
export function checkBaseUrl(text: string): URL {
  if (!URL.canParse(text))
    raise('auth/base-url', 'the base URL is not a URL', { hint: 'for example https://api.vercel.com' });
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash)
    raise('auth/base-url', `the base URL for ${url.host} has credentials, a query or a fragment`, {
      hint: 'use only the origin and path; the token is set separately',
    });
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    raise('auth/base-url', `the base URL is for ${url.protocol}`, { hint: 'it must begin with https://' });
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    raise(
      'auth/base-url',
      `the base URL ${url.origin} is not encrypted: anyone in between could read the token`,
      { hint: 'use https://' },
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
  if (/^(["']).*\1$/.test(token)) raise('auth/token', 'the token is in quotes', { hint });
  return new Sealed(token);
}

/** True if a host, as `URL.hostname` spells it, is this machine. Connections to it need no encryption and no proxy. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
