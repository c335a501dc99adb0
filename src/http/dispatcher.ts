import { readFileSync } from 'node:fs';
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { Problems } from '../model/diagnostic.ts';
import type { Bounds } from './exchange.ts';
import { isLoopback } from './settings.ts';

// Node obeys it for every connection, and says so in a warning that nobody reads.
/** Throws `Problems` where this value of NODE_TLS_REJECT_UNAUTHORIZED turns the check of certificates off. */
export function checkVerification(setting: string | undefined): void {
  if (setting !== '0') return;
  throw new Problems(
    'http/unverified',
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: anyone between here and the platform could read the token and impersonate the platform',
    {
      hint: 'unset it; if a company proxy or private CA signs the certificates, set NODE_EXTRA_CA_CERTS to the CA file (PEM)',
    },
  );
}

// Node reads NODE_EXTRA_CA_CERTS itself when it starts, undici included; if that fails, it only prints a warning and all
// connections fail later with a misleading reason.
function checkExtraCa(file: string | undefined): void {
  if (!file) return;
  const fail = (why: string) =>
    new Problems('http/ca', `NODE_EXTRA_CA_CERTS names ${file}, ${why}`, {
      hint: 'set it to a file with PEM certificates, or unset it',
    });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw fail(`which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (!text.includes('-----BEGIN')) throw fail('which contains no certificate');
}

/**
 * Keep-alive connections to one origin, through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY ask for; this machine
 * itself is never reached through a proxy. Throws `Problems` for a proxy or CA setting that cannot
 * work, and for one that turns the check of certificates off.
 */
export function openDispatcher(
  base: URL,
  bounds: Bounds,
  env: Record<string, string | undefined>,
): Dispatcher {
  if (base.protocol === 'https:') {
    checkVerification(env.NODE_TLS_REJECT_UNAUTHORIZED);
    checkExtraCa(env.NODE_EXTRA_CA_CERTS);
  }
  const set = (name: string) => env[name.toLowerCase()] || env[name] || '';
  const options = {
    connections: bounds.connections,
    pipelining: 1,
    headersTimeout: bounds.idle,
    bodyTimeout: bounds.idle,
    connect: { timeout: bounds.connectTimeout },
  };
  // A plain pool is faster, so it serves wherever no proxy can be meant.
  if (isLoopback(base.hostname) || !(set('HTTPS_PROXY') || set('HTTP_PROXY')))
    return new Pool(base.origin, options);
  try {
    return new EnvHttpProxyAgent({
      ...options,
      httpProxy: set('HTTP_PROXY'),
      httpsProxy: set('HTTPS_PROXY'),
      noProxy: set('NO_PROXY'),
    });
  } catch {
    // The setting may hold credentials, so it is not quoted.
    throw new Problems('http/proxy', 'HTTPS_PROXY or HTTP_PROXY is not a URL', {
      hint: 'for example http://proxy.example.com:3128',
    });
  }
}
