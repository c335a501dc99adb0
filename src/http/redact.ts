import type { Sealed } from '../model/sealed.ts';
import { mapText } from './map-text.ts';

// A longer text is unlikely to occur by chance; a shorter one ("1", "true") must not eat up half of a message.
const long = 8;

/** What a server may make of a text when it echoes it. */
const formsOf = (secret: string): string[] => [
  ...new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(Buffer.from(secret).toString()),
  ]),
];

const isWordPart = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_]/u.test(char);

/** No regular expression: there is a limit to what one can hold, and its error would quote the secret. */
function without(text: string, form: string, isShort: boolean): string {
  const pieces = text.split(form);
  return pieces.reduce((made, piece) => {
    const isWhole = !isShort || (!isWordPart(made.at(-1)) && !isWordPart(piece[0]));
    return `${made}${isWhole ? '(secret)' : form}${piece}`;
  });
}

/**
 * Replaces in every text of `value` the texts of the secrets that one request sent, since a server may echo them. A short
 * secret is only replaced where it stands as a word of its own.
 */
export function redact<T>(value: T, secrets: Iterable<Sealed>): T {
  const forms = [...new Set([...secrets].map((secret) => secret.reveal()))]
    .filter((text) => text !== '')
    .flatMap((text) => formsOf(text).map((form) => ({ form, isShort: text.length < long })))
    .sort((a, b) => b.form.length - a.form.length);
  if (forms.length === 0) return value;
  return mapText(value, (text) =>
    forms.reduce((left, { form, isShort }) => without(left, form, isShort), text),
  ) as T;
}
