import { keyedDigest, type LedgerKey } from '../model/digest.ts';
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
import { containsValue, visitMembers } from '../model/walk.ts';

/**
 * A value as a plan file has it: JSON, holes as objects with a `$` member, and secrets as name and keyed digest (null: not compared). A
 * member of the data whose name begins with `$` gets a second `$`, so that data is never taken for a hole.
 */
export type Encoded = null | boolean | number | string | Encoded[] | { [name: string]: Encoded };

/**
 * Returns the keyed digest of a value that contains a secret; null if it cannot be made. `location`: identifies the value within the plan.
 */
export type DigestSecret = (location: string, value: unknown) => string | null;

/**
 * Returns a function which replaces a value with secrets by a keyed digest, so that two plan files can be compared without showing secrets.
 * The digest depends on the location in the plan, so that equal secrets in one file look different. It is null (not comparable) without the
 * key, or if a secret of the value is missing.
 */
export function createSecretDigester(
  key: LedgerKey | undefined,
  salt: string,
  secrets: ReadonlyMap<string, Sealed>,
): DigestSecret {
  /** Returns a secret instead of its name, also in joined text. Other holes stay as they are. */
  const reveal = (hole: Hole | Sealed): unknown => {
    if (hole instanceof Sealed || !isHole(hole)) return hole;
    if (isSecretRef(hole)) return secrets.get(hole.$secret);
    return isJoin(hole) ? { $join: hole.$join.map((value) => mapHoles(value, reveal)) } : hole;
  };
  return (location, value) => {
    const isMissing = holesIn(value).some((hole) => '$secret' in hole && !secrets.has(hole.$secret));
    return key && !isMissing ? keyedDigest(key, `${salt}\n${location}`, mapHoles(value, reveal)) : null;
  };
}

/**
 * Converts a value of a plan for its file. A secret becomes a digest, as in `{ $secret: 'TOKEN', digest }`. A hole (a value that is not
 * known yet, such as a reference) becomes an object with a `$` member; a member of the data whose name begins with `$` gets a second `$`.
 * `location`: identifies the value within the plan, for the digests. `decode` is the reverse, but without secrets.
 */
export function encode(value: unknown, location: string, digestSecret: DigestSecret): Encoded {
  if (value instanceof Sealed)
    return value.secretName === undefined
      ? { $sealed: digestSecret(location, value) }
      : { $secret: value.secretName, digest: digestSecret(location, value) };
  if (isHole(value)) return encodeHole(value, location, digestSecret);
  if (Array.isArray(value))
    return value.map((item, index) => encode(item, `${location}/${index}`, digestSecret));
  if (!isPlainObject(value)) return (value ?? null) as Encoded;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [
        name.startsWith('$') ? `$${name}` : name,
        encode(item, `${location}/${name}`, digestSecret),
      ]),
  );
}

/**
 * Converts a hole (a value that is not known yet), such as a reference or a secret, for the plan file: `{ $ref: 'projects/web', attr: 'id'
 * }`. A text that contains a secret is digested as a whole, because its other parts would reveal the length and place of the secret.
 */
function encodeHole(hole: Hole, location: string, digestSecret: DigestSecret): Encoded {
  if (isRef(hole)) return { $ref: hole.$ref, attr: hole.attr };
  if (isSecretRef(hole)) return { $secret: hole.$secret, digest: digestSecret(location, hole) };
  if (isLookupRef(hole)) return { $lookup: hole.$lookup, attr: hole.attr };
  if (isResult(hole)) return { $result: hole.$result, path: hole.path as Encoded };
  // A join, that is, text with holes.
  if (!isSecret(hole))
    return { $join: hole.$join.map((value, index) => encode(value, `${location}/${index}`, digestSecret)) };
  const names = holesIn(hole).flatMap((inner) => ('$secret' in inner ? [inner.$secret] : []));
  return { $secrets: names, digest: digestSecret(location, hole) };
}

/**
 * Converts a value of a plan file back, so that reports can show the saved plan like a new one. Secrets become references to the secret or,
 * without a name, empty sealed values, because the file does not have them. Such a value must never be sent.
 */
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

/**
 * True if a value in a plan file contains a secret without a digest. It was saved without the ledger key or the secret, so `apply` cannot
 * check that it is still the approved one, and refuses the file.
 */
export const isUncompared = (value: Encoded): boolean =>
  containsValue(value, (nested) => {
    if (typeof nested !== 'object' || nested === null) return false;
    if (Array.isArray(nested)) return visitMembers;
    if ('$sealed' in nested) return nested.$sealed === null;
    const isSecretHole = '$secret' in nested || '$secrets' in nested;
    return isSecretHole ? (nested as { digest?: unknown }).digest === null : visitMembers;
  });

const isTextValue = (value: unknown) => typeof value === 'string';
const isDigestMark = (value: unknown) => value === null || isTextValue(value);
const isTextArray = (value: unknown) => Array.isArray(value) && value.every(isTextValue);

/** The forms of a hole by their `$` member, each with the tests of all its members. */
const holes: Record<string, Record<string, (value: unknown) => boolean>> = {
  $sealed: { $sealed: isDigestMark },
  $secret: { $secret: isTextValue, digest: isDigestMark },
  $secrets: { $secrets: isTextArray, digest: isDigestMark },
  $ref: { $ref: isTextValue, attr: isTextValue },
  $lookup: { $lookup: isTextValue, attr: isTextValue },
  $result: { $result: Number.isInteger, path: Array.isArray },
  $join: { $join: (value) => Array.isArray(value) && value.every(isEncoded) },
};

/**
 * True if JSON is a value that `encode` can write: each object with a `$` member has one of the forms in `holes`, such as `{ $ref, attr }`,
 * with exactly its members. A name with `$$` is data. Used to refuse plan files that were damaged or edited.
 */
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
