import { Sealed } from '../model/sealed.ts';
import { isHole, isJoin, isPlainObject, isRef, isSecret, isSecretRef } from '../model/value.ts';

/** A value for a JSON document: members in a fixed order, holes as `$` objects, secrets by name or as `(secret)`. */
export function jsonValue(value: unknown): unknown {
  if (value instanceof Sealed)
    return value.secretName === undefined ? '(secret)' : { $secret: value.secretName };
  if (isHole(value)) {
    if (isRef(value)) return { $ref: value.$ref, attr: value.attr };
    if (isSecretRef(value)) return { $secret: value.$secret };
    if (!isJoin(value)) return { $result: value.$result, path: value.path };
    return isSecret(value) ? '(secret)' : { $join: value.$join.map(jsonValue) };
  }
  if (Array.isArray(value)) return value.map(jsonValue);
  if (!isPlainObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, jsonValue(value[name])]));
}

/** A document as text. Characters that a terminal obeys, or that hide text, are escaped; nothing is lost. */
export const jsonText = (document: unknown): string => escaped(JSON.stringify(document, null, 2));

/** The same on one line. */
export const jsonLine = (document: unknown): string => escaped(JSON.stringify(document));

const escaped = (json: string): string =>
  json.replace(
    /[^\P{Cc}\n]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
