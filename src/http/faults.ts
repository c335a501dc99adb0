import {
  type Asked,
  ConnectionCut,
  OutOfBounds,
  type RequestError,
  TimedOut,
  Unreachable,
} from './errors.ts';
import { type Bounds, Exceeded } from './exchange.ts';

interface Fault extends Error {
  code?: string;
  syscall?: string;
}

const tls =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|EPROTO|UND_ERR_PRX_TLS)/;

// Codes that come up while connecting, so before anything is sent; whether it may work a moment later.
const connecting: Record<string, { what: string; passing: boolean }> = {
  ECONNREFUSED: { what: 'the connection was refused', passing: true },
  ENOTFOUND: { what: 'the host name is not known', passing: false },
  EAI_AGAIN: { what: 'the host name could not be looked up', passing: true },
  EHOSTUNREACH: { what: 'there is no route to the host', passing: true },
  ENETUNREACH: { what: 'there is no route to the network', passing: true },
};

/** Describes an answer that exceeds a bound. */
export const beyond = (bound: keyof Bounds, bounds: Bounds): string =>
  ({
    maxBytes: `the answer is larger than ${bounds.maxBytes} bytes`,
    maxDepth: `the answer is nested deeper than ${bounds.maxDepth} levels`,
    interim: `more than ${bounds.interim} informational (1xx) responses came without a final one`,
  })[bound as string] ?? `the answer is beyond ${bound}`;

/** Makes of what an exchange threw an error for people. `origin` is the base URL's. */
export function faultOf(asked: Asked, thrown: unknown, origin: string, bounds: Bounds): RequestError {
  const fault = (thrown instanceof Error ? thrown : new Error(String(thrown))) as Fault;
  const code = fault.code ?? '';
  const what = `${asked.method} ${asked.path}`;
  const unreachable = (why: string, passing: boolean, hint: string) =>
    new Unreachable(asked, `cannot reach ${origin}: ${why}`, { passing, hint, cause: fault });

  if (thrown instanceof Exceeded)
    return thrown.bound === 'deadline'
      ? new TimedOut(asked, `${what}: the response was too slow and was abandoned`, {
          sent: true,
          passing: false,
        })
      : new OutOfBounds(asked, beyond(thrown.bound, bounds));
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new OutOfBounds(asked, 'the headers are too long');
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return new TimedOut(asked, `${what}: no response in time`, { sent: true, cause: fault });
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return new TimedOut(asked, `${what}: the response stalled`, { sent: true, cause: fault });
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || (code === 'ETIMEDOUT' && fault.syscall === 'connect'))
    return new TimedOut(asked, `cannot reach ${origin}: no connection in time`, {
      sent: false,
      cause: fault,
    });

  const known = connecting[code];
  if (known)
    return unreachable(
      `${known.what} (${code})`,
      known.passing,
      'check the base URL, the network and HTTPS_PROXY',
    );
  const proxy = /^Proxy response \((\d+)\)/.exec(fault.message);
  if (proxy)
    return unreachable(
      `the proxy answered ${proxy[1]}`,
      false,
      proxy[1] === '407'
        ? 'the proxy requires credentials: put them in HTTPS_PROXY'
        : 'check HTTPS_PROXY and NO_PROXY',
    );
  if (tls.test(code))
    return unreachable(
      `TLS failed (${code})`,
      false,
      'if a company proxy or private CA signs its certificate, set NODE_EXTRA_CA_CERTS to the CA file',
    );
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED')
    return unreachable('the connection is already closed', false, 'this is a bug in trueup');
  return new ConnectionCut(asked, `${what}: the connection was cut${code ? ` (${code})` : ''}`, fault);
}
