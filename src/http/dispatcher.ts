import { readFileSync } from 'node:fs';
import { EnvHttpProxyAgent, Pool } from 'undici';
import { problem, raise } from '../model/diagnostic.ts';
import { type Connections, reopenAfterPause } from './connections.ts';
import type { Bounds } from './exchange.ts';
import { isLoopback } from './settings.ts';

/**
 * Throws `Problems` if this value of NODE_TLS_REJECT_UNAUTHORIZED turns the check of certificates off. Node.js obeys the variable for every
 * connection and only prints a warning, so a token could be read on its way.
 */
export function checkVerification(setting: string | undefined): void {
  if (setting !== '0') return;
  raise(
    'http/unverified',
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: anyone between here and the platform could read the token and impersonate the platform',
    {
      hint: 'unset it; if a company proxy or private CA signs the certificates, set NODE_EXTRA_CA_CERTS to the CA file (PEM)',
    },
  );
}

/**
 * Throws `Problems` if NODE_EXTRA_CA_CERTS names a file that cannot be read or has no certificates. Node.js reads the
 * file when it starts; if that fails, it only prints a warning, and all connections fail later with a misleading
 * reason.
 */
function checkExtraCa(file: string | undefined): void {
  if (!file) return;
  const caProblem = (defect: string) =>
    problem('http/ca', `NODE_EXTRA_CA_CERTS names ${file}, ${defect}`, {
      hint: 'set it to a file with PEM certificates, or unset it',
    });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    raise(caProblem(`which cannot be read (${(error as NodeJS.ErrnoException).code})`));
  }
  if (!text.includes('-----BEGIN')) raise(caProblem('which contains no certificate'));
}

/**
 * Opens the connections to one origin, through a proxy if HTTPS_PROXY, HTTP_PROXY and NO_PROXY ask for one (never for
 * this machine). They are opened again after a long pause. Throws `Problems` for a proxy or CA setting that cannot work
 * or that turns the check of certificates off.
 */
export function openConnections(
  base: URL,
  bounds: Bounds,
  env: Record<string, string | undefined>,
): Connections {
  if (base.protocol === 'https:') {
    checkVerification(env.NODE_TLS_REJECT_UNAUTHORIZED);
    checkExtraCa(env.NODE_EXTRA_CA_CERTS);
  }
  const settingOf = (name: string) => env[name.toLowerCase()] || env[name] || '';
  const options = {
    connections: bounds.connections,
    pipelining: 1,
    headersTimeout: bounds.idle,
    bodyTimeout: bounds.idle,
    connect: { timeout: bounds.connectTimeout },
  };
  // A plain pool is faster, so it is used unless a proxy is set.
  if (isLoopback(base.hostname) || !(settingOf('HTTPS_PROXY') || settingOf('HTTP_PROXY')))
    return reopenAfterPause(() => new Pool(base.origin, options));
  const proxyOptions = {
    ...options,
    httpProxy: settingOf('HTTP_PROXY'),
    httpsProxy: settingOf('HTTPS_PROXY'),
    noProxy: settingOf('NO_PROXY'),
  };
  try {
    return reopenAfterPause(() => new EnvHttpProxyAgent(proxyOptions));
  } catch {
    // The setting is not quoted, because it may hold credentials.
    raise('http/proxy', 'HTTPS_PROXY or HTTP_PROXY is not a URL', {
      hint: 'for example http://proxy.example.com:3128',
    });
  }
}
