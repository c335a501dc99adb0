import type { Sealed } from '../model/sealed.ts';
import { mapText } from './map-text.ts';

// A longer text is unlikely to occur by chance; a shorter one ("1", "true") must not eat up half of a message.
const long = 8;

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function patternOf(secret: string): string {
  const forms = new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(Buffer.from(secret).toString()),
  ]);
  return [...forms]
    .sort((a, b) => b.length - a.length)
    .map((form) =>
      secret.length < long ? `(?<![\\p{L}\\p{N}_])${literal(form)}(?![\\p{L}\\p{N}_])` : literal(form),
    )
    .join('|');
}

/**
 * Replaces in every text of `value` the texts of the secrets that one request sent, since a server may echo them. A short
 * secret is only replaced where it stands as a word of its own.
 */
export function redact<T>(value: T, secrets: Iterable<Sealed>): T {
  const texts = [...new Set([...secrets].map((secret) => secret.reveal()))]
    .filter((text) => text !== '')
    .sort((a, b) => b.length - a.length);
  if (texts.length === 0) return value;
  const pattern = new RegExp(texts.map(patternOf).join('|'), 'gu');
  return mapText(value, (text) => text.replace(pattern, '(secret)')) as T;
}
