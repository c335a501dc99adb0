import { type ApiObject, Sealed } from '#kind';

/** Code and message of an error inside a 2xx answer. A message that quotes a value which `body` sent is kept back. */
export function failureText({ code, message }: ApiObject, body: unknown): string {
  const text = String(message);
  const isQuoted = sealedIn(body).some((value) => quotes(text, value));
  return `${code}: ${isQuoted ? '(a message that quotes a secret)' : text}`;
}

const sealedIn = (body: unknown): string[] => {
  if (body instanceof Sealed) return [body.reveal()];
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(sealedIn) : [];
};

/** Very short texts are in many words: they count where they stand alone. */
const quotes = (text: string, value: string): boolean =>
  value.length < 4
    ? text.split(/[\s`'".,:;=()]+/).includes(value) && value !== ''
    : [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(Buffer.from(value).toString())].some(
        (form) => text.includes(form),
      );
