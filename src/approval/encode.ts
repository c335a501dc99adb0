import { keyedDigest, type LedgerKey } from '../model/ledger-key.ts';
import { Sealed } from '../model/sealed.ts';
import {
  type Hole,
  holesIn,
  isHole,
  isJoin,
  isLookupRef,
  isPlainObject,
  isRef,
  isResult,
  isSecret,
  isSecretRef,
  mapHoles,
} from '../model/value.ts';
import { containsValue, inside } from '../model/walk.ts';

/**
 * A value as a file can hold it: JSON, holes as `$` objects, and secrets by name and keyed digest (null: not compared).
 * A member whose own name begins with `$` has one more of it, so that no data is taken for a hole.
 */
export type Encoded = null | boolean | number | string | Encoded[] | { [name: string]: Encoded };

/** The keyed digest of a value that holds a secret, bound to its place; null where it cannot be made. */
export type Conceal = (place: string, value: unknown) => string | null;

/** Digests under a salt of the file's own. Without the key, or without one of the secrets, there is none. */
export function concealWith(
  key: LedgerKey | undefined,
  salt: string,
  secrets: ReadonlyMap<string, Sealed>,
): Conceal {
  const open = (hole: Hole | Sealed): unknown => {
    if (hole instanceof Sealed || !isHole(hole)) return hole;
    if (isSecretRef(hole)) return secrets.get(hole.$secret);
    return isJoin(hole) ? { $join: hole.$join.map((value) => mapHoles(value, open)) } : hole;
  };
  return (place, value) => {
    const isMissing = holesIn(value).some((hole) => '$secret' in hole && !secrets.has(hole.$secret));
    // Bound to its place: equal secrets do not look equal.
    return key && !isMissing ? keyedDigest(key, `${salt}\n${place}`, mapHoles(value, open)) : null;
  };
}

/** `place` says where in the plan the value stands. */
export function encode(value: unknown, place: string, conceal: Conceal): Encoded {
  if (value instanceof Sealed)
    return value.secretName === undefined
      ? { $sealed: conceal(place, value) }
      : { $secret: value.secretName, digest: conceal(place, value) };
  if (isHole(value)) return encodeHole(value, place, conceal);
  if (Array.isArray(value)) return value.map((item, index) => encode(item, `${place}/${index}`, conceal));
  if (!isPlainObject(value)) return (value ?? null) as Encoded;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [
        name.startsWith('$') ? `$${name}` : name,
        encode(item, `${place}/${name}`, conceal),
      ]),
  );
}

function encodeHole(hole: Hole, place: string, conceal: Conceal): Encoded {
  if (isRef(hole)) return { $ref: hole.$ref, attr: hole.attr };
  if (isSecretRef(hole)) return { $secret: hole.$secret, digest: conceal(place, hole) };
  if (isLookupRef(hole)) return { $lookup: hole.$lookup, attr: hole.attr };
  if (isResult(hole)) return { $result: hole.$result, path: hole.path as Encoded };
  if (!isSecret(hole))
    return { $join: hole.$join.map((value, index) => encode(value, `${place}/${index}`, conceal)) };
  // The text around a secret is part of it.
  const names = holesIn(hole).flatMap((inner) => ('$secret' in inner ? [inner.$secret] : []));
  return { $secrets: names, digest: conceal(place, hole) };
}

/** The value as reports show it: what was secret is sealed again, with nothing in it. */
export function decode(value: Encoded): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  if ('$sealed' in value) return new Sealed('');
  if ('$secret' in value) return { $secret: value.$secret };
  if ('$secrets' in value)
    return { $join: [new Sealed(''), ...(value.$secrets as string[]).map(($secret) => ({ $secret }))] };
  if ('$ref' in value || '$result' in value || '$lookup' in value) return { ...value };
  if ('$join' in value) return { $join: decode(value.$join!) };
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name.startsWith('$$') ? name.slice(1) : name, decode(item)]),
  );
}

/** True if something in it is secret and was not compared: the digest is missing. */
export const isUncompared = (value: Encoded): boolean =>
  containsValue(value, (one) => {
    if (typeof one !== 'object' || one === null) return false;
    if (Array.isArray(one)) return inside;
    if ('$sealed' in one) return one.$sealed === null;
    return '$secret' in one || '$secrets' in one ? (one as { digest?: unknown }).digest === null : inside;
  });

const isText = (value: unknown) => typeof value === 'string';
const isDigest = (value: unknown) => value === null || isText(value);
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

/** The forms of an object with a `$` member, each with all that it holds. */
const holes: Record<string, Record<string, (value: unknown) => boolean>> = {
  $sealed: { $sealed: isDigest },
  $secret: { $secret: isText, digest: isDigest },
  $secrets: { $secrets: isTexts, digest: isDigest },
  $ref: { $ref: isText, attr: isText },
  $lookup: { $lookup: isText, attr: isText },
  $result: { $result: Number.isInteger, path: Array.isArray },
  $join: { $join: (value) => Array.isArray(value) && value.every(isEncoded) },
};

/** True if JSON is a value as `encode` writes them: each `$` member belongs to a form, and each form is whole. */
export function isEncoded(value: unknown): value is Encoded {
  if (Array.isArray(value)) return value.every(isEncoded);
  if (typeof value !== 'object') return value !== undefined;
  if (value === null) return true;
  const hole = Object.keys(value).find((name) => /^\$(?!\$)/.test(name));
  if (hole === undefined) return Object.values(value).every(isEncoded);
  const members = Object.hasOwn(holes, hole) ? holes[hole]! : undefined;
  return (
    members !== undefined &&
    Object.keys(value).length === Object.keys(members).length &&
    Object.entries(members).every(([name, fits]) => fits((value as Record<string, unknown>)[name]))
  );
}
