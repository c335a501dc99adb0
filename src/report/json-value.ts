import { Sealed } from '../model/sealed.ts';
import { isHole, isJoin, isLookupRef, isPlainObject, isRef, isSecret, isSecretRef } from '../model/value.ts';
import { visible } from './clean.ts';

/**
 * Converts a value for a JSON document: members in a fixed order, holes as `$` objects, secrets by name or as `(secret)`. Every JSON report
 * converts values with it, so that no secret is printed.
 */
export function jsonValue(value: unknown): unknown {
  if (value instanceof Sealed)
    return value.secretName === undefined ? '(secret)' : { $secret: value.secretName };
  if (isHole(value)) {
    if (isRef(value)) return { $ref: value.$ref, attr: value.attr };
    if (isLookupRef(value)) return { $lookup: value.$lookup, attr: value.attr };
    if (isSecretRef(value)) return { $secret: value.$secret };
    if (!isJoin(value)) return { $result: value.$result, path: value.path };
    return isSecret(value) ? '(secret)' : { $join: value.$join.map(jsonValue) };
  }
  if (Array.isArray(value)) return value.map(jsonValue);
  if (!isPlainObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, jsonValue(value[name])]));
}

/** Formats a document as JSON. The escapes of hidden characters are JSON escapes, so nothing is lost. */
export const jsonText = (document: unknown): string => visible(JSON.stringify(document, null, 2));

/** Formats a document as JSON on one line. */
export const jsonLine = (document: unknown): string => visible(JSON.stringify(document));
