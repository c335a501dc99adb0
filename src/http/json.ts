import { Sealed } from '../model/sealed.ts';
import { FileContent } from '../model/value.ts';

/** How a text reads as JSON; `undefined` for one with nothing in it. */
export type Read = { json: unknown } | 'no JSON' | 'too deep';

/** Parses JSON of at most `maxDepth` levels: what walks over a value must not run out of stack. */
export function readJson(text: string, maxDepth: number): Read {
  if (text.trim() === '') return { json: undefined };
  if (isDeeper(text, maxDepth)) return 'too deep';
  try {
    return { json: JSON.parse(text) };
  } catch {
    return 'no JSON';
  }
}

const [quote, backslash] = [34, 92];

/** Before it is parsed: only brackets outside of texts count. */
function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      while (++at < text.length && text.charCodeAt(at) !== quote) if (text.charCodeAt(at) === backslash) at++;
    } else if (unit === 91 || unit === 123) {
      if (++depth > maxDepth) return true;
    } else if (unit === 93 || unit === 125) depth--;
  }
  return false;
}

/** A body as it is sent: JSON text with its secrets revealed, and these secrets, or the bytes of a file. Only for handing to the socket. */
export function toWire(body: unknown): { content: string | Uint8Array; type: string; secrets: Sealed[] } {
  if (body instanceof FileContent) return { content: body.bytes, type: body.type, secrets: [] };
  const secrets: Sealed[] = [];
  const content = JSON.stringify(body, function (this: Record<string, unknown>, name, value) {
    // `value` has been through toJSON already, which hides the secret; the holder still has it.
    const original = this[name];
    if (!(original instanceof Sealed)) return value;
    secrets.push(original);
    return original.reveal();
  });
  return { content, type: 'application/json', secrets };
}
