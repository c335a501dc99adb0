import { Problems } from '../model/diagnostic.ts';
import { Sealed } from '../model/sealed.ts';

/** The base URL, if sending a token there is sound: encrypted or on this machine, and nothing in it but origin and path. Else `Problems`. */
export function checkBaseUrl(text: string): URL {
  const fail = (why: string, hint: string) => new Problems('auth/base-url', why, { hint });
  if (!URL.canParse(text)) throw fail('the base URL is not a URL', 'for example https://api.vercel.com');
  const url = new URL(text);
  // Never quoted as a whole: it may hold credentials.
  if (url.username || url.password || url.search || url.hash)
    throw fail(
      `the base URL for ${url.host} has credentials, a query or a fragment`,
      'use only the origin and path; the token is set separately',
    );
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw fail(`the base URL is for ${url.protocol}`, 'it must begin with https://');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw fail(
      `the base URL ${url.origin} is not encrypted: anyone in between could read the token`,
      'use https://',
    );
  return url;
}

/** The token, if it can stand in a header as it is. Else `Problems`, which do not quote it. */
export function checkToken(token: string): Sealed {
  const hint = 'use the bare token, without quotes, spaces or line breaks';
  if (token === '') throw new Problems('auth/token', 'the token is empty', { hint });
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new Problems(
      'auth/token',
      'the token contains a space, a line break or another invalid character',
      {
        hint,
      },
    );
  return new Sealed(token);
}

/** True if a host, as `URL.hostname` spells it, is this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
