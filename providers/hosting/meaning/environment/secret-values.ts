import { isPlainObject } from '#kind';
import { describeKey } from './secret-formats.ts';

/** URLs of databases and queues: user, password, host. */
const serviceUrl =
  /^(?:postgres|postgresql|mysql|mariadb|mongodb|mongodb\+srv|redis|rediss|amqp|amqps|sqlserver|clickhouse):\/\/[^:@/\s]*:([^@/\s]+)@(\[[^\]]*\]|[^:/?\s]+)/i;
const localHost = /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|host\.docker\.internal)$/i;

/**
 * Returns what a text is if certainly nobody but a server may have it, such as `a secret key of Stripe`; undefined for anything else. Never quotes the
 * text. Used for values that stand in the configuration in clear.
 */
export function describeSecret(value: string): string | undefined {
  const text = value.trim();
  return describeKey(text) ?? describeServiceUrl(text) ?? describeToken(text) ?? describeDocument(text);
}

/** A password for a database on the same machine protects nothing, and `$` or `<` begin a placeholder. */
function describeServiceUrl(text: string): string | undefined {
  const [, password, host] = serviceUrl.exec(text) ?? [];
  if (password === undefined || localHost.test(host!) || /^[$<{[*]|^(x+|password)$/i.test(password))
    return undefined;
  return 'the address of a database or queue with its password';
}

/** Supabase has a public and a secret token of the same form; the role in it tells them apart. */
function describeToken(text: string): string | undefined {
  const [, payload] = /^eyJ[\w-]*\.(eyJ[\w-]*)\.[\w-]+$/.exec(text) ?? [];
  const isServiceRole =
    payload !== undefined && parseObject(atob(toBase64(payload)))?.role === 'service_role';
  return isServiceRole ? 'a service_role key of Supabase, which passes all its access rules' : undefined;
}

const toBase64 = (text: string): string => text.replaceAll('-', '+').replaceAll('_', '/');

function describeDocument(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  const { type, private_key: privateKey, kty, d } = parseObject(text) ?? {};
  if (type === 'service_account' && typeof privateKey === 'string') return 'a service account key of Google';
  return typeof kty === 'string' && typeof d === 'string' ? 'a private key (JWK)' : undefined;
}

/** Returns the object in a JSON text; undefined if the text is anything else. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
