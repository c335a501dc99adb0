import { isPlainObject } from '#kind';
import { describeKey } from './secret-formats.ts';

/** URLs of databases and queues: user, password, host. */
const serviceUrl =
  /^(?:postgres|postgresql|mysql|mariadb|mongodb|mongodb\+srv|redis|rediss|amqp|amqps|sqlserver|clickhouse):\/\/[^:@/\s]*:([^@/\s]+)@(\[[^\]]*\]|[^:/?\s]+)/i;
const localHost = /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|host\.docker\.internal)$/i;

/**
 * Describes a text that only servers may have for certain, such as `a secret key of Stripe`; undefined for anything else. Never quotes the
 * text. Used for values that stand in the configuration in clear.
 */
export function describeSecret(value: string): string | undefined {
  const text = value.trim().replace(/^(["'])(.*)\1$/s, '$2');
  return describeText(text) ?? (encodedText.test(text) ? describeText(decode(text)) : undefined);
}

/** PEM and JSON in Base64, which begin with `-----BEGIN`, `{"`, or `{` and a space or a line break. */
const encodedText = /^(?:LS0tLS1CRUdJTi|eyJ|ew[0-9A-Za-z+/]{2})[0-9A-Za-z+/\s]{60,}={0,2}$/;

const describeText = (text: string): string | undefined => describePart(text) ?? describeDocument(text);

/** Returns what a text is, also if it is a part of a document. */
const describePart = (text: string): string | undefined =>
  describeKey(text) ?? describeServiceUrl(text) ?? describeToken(text);

/**
 * Returns what a text is if its form and the name of its variable together tell that only servers may have it; undefined for anything else.
 * For keys that are just long, so that their form alone proves nothing.
 */
export function describeNamedSecret(name: string, value: string): string | undefined {
  const text = value.trim();
  if (/AWS_SECRET|SECRET_ACCESS_KEY/.test(name) && /^[A-Za-z0-9/+]{40}$/.test(text))
    return 'a secret access key of AWS';
  if (/TWILIO.*AUTH_?TOKEN/.test(name) && /^[0-9a-f]{32}$/.test(text)) return 'an auth token of Twilio';
  return undefined;
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
  const isServiceRole = payload !== undefined && parseObject(decode(payload))?.role === 'service_role';
  return isServiceRole ? 'a service_role key of Supabase, which passes all its access rules' : undefined;
}

/** Returns the text in Base64, also in the form for URLs; an empty text if it is none. */
function decode(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

/** Returns what a text in JSON holds: a file of keys, or a secret in any of its members. */
function describeDocument(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  const document = parseObject(text) ?? {};
  const { type, private_key: privateKey, kty, d } = document;
  if (type === 'service_account' && typeof privateKey === 'string') return 'a service account key of Google';
  return typeof kty === 'string' && typeof d === 'string' ? 'a private key (JWK)' : describeMember(document);
}

/** Returns what the first secret at any depth of a document is; undefined if it holds none. */
function describeMember(value: unknown): string | undefined {
  if (typeof value === 'string') return describePart(value.trim());
  if (typeof value !== 'object' || value === null) return undefined;
  for (const member of Object.values(value)) {
    const secret = describeMember(member);
    if (secret !== undefined) return secret;
  }
  return undefined;
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
