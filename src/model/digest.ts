import { createHash, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { revealed, Sealed } from './sealed.ts';
import { isHole } from './value.ts';
import { containsValue, setOwn, visitMembers } from './walk.ts';

/*
 * Digests and signatures: plain digests of open values, then keyed digests of secrets and the signatures of texts, which need the ledger
 * key.
 */

/**
 * Returns a salted digest of a value that is no secret. The ledger stores it to recognize changes. It hides nothing: a
 * value that can be guessed can be found by trying.
 */
export function digest(salt: string, value: unknown): string {
  return hash('sha256', `${salt}\n${canonicalJson(value)}`, 'base64url').slice(0, 22);
}

/** Returns a random salt for the digests of one ledger entry. */
export const newSalt = (): string => randomBytes(9).toString('base64url');

/**
 * True if a value contains a hole that is filled later, such as a secret of the configuration. Neither a plan nor the ledger can digest
 * such a value. A reference to another object (`$ref`) does not count: it is digested as it is written.
 */
export const hasUnresolvedHole = (value: unknown): boolean =>
  containsValue(value, (part) => {
    if (typeof part !== 'object' || part instanceof Sealed) return false;
    return isHole(part) ? !('$ref' in part) : visitMembers;
  });

/**
 * Returns a short digest of an id. The ledger keeps it for ids that existed before a creation, so that after an
 * interrupted run the next one recognizes them. It reveals nothing else about the id.
 */
export const shortIdDigest = (salt: string, id: string): string => digest(salt, id).slice(0, 8);

/**
 * Returns a value as JSON with sorted members, so that equal values have equal text. Used for digests and comparisons.
 * Sealed secrets stay sealed.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedMembers(value));
}

/**
 * Yields the text of `canonicalJson` in parts. `splitLevels`: how many levels of lists and objects are split into their items and members;
 * each deeper value is one part. A saved plan of a large account is digested and signed part by part, because its whole text, and the
 * sorted copy that it is made from, would take hundreds of megabytes.
 */
export function* canonicalParts(value: unknown, splitLevels: number): Generator<string> {
  const isSplit =
    splitLevels > 0 && typeof value === 'object' && value !== null && !(value instanceof Sealed);
  if (!isSplit) {
    yield canonicalJson(value ?? null);
  } else if (Array.isArray(value)) {
    yield '[';
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ',';
      yield* canonicalParts(item, splitLevels - 1);
    }
    yield ']';
  } else {
    const members = Object.entries(copySorted(value, (member) => member));
    yield '{';
    for (const [index, [name, member]] of members.entries()) {
      yield `${index > 0 ? ',' : ''}${JSON.stringify(name)}:`;
      yield* canonicalParts(member, splitLevels - 1);
    }
    yield '}';
  }
}

/** Returns the same as `digest(salt, value)`, for the `canonicalParts` of a large value. */
export function digestOfParts(salt: string, parts: Iterable<string>): string {
  const digesting = createHash('sha256').update(`${salt}\n`);
  for (const text of parts) digesting.update(text);
  return digesting.digest('base64url').slice(0, 22);
}

/**
 * Returns a copy of a value with the members of all objects sorted by name and without undefined members. Sealed
 * secrets stay sealed. Used for the entries of a ledger, so that equal ledgers are equal texts.
 */
export function withSortedMembers<T>(value: T): T {
  if (value instanceof Sealed) return value;
  if (Array.isArray(value)) return value.map(withSortedMembers) as T;
  if (typeof value !== 'object' || value === null) return value;
  return copySorted(value, withSortedMembers) as T;
}

/**
 * Returns a copy of an object with its members, converted, sorted by name and without undefined ones. Only names such as `0` come first,
 * because JavaScript puts them there in any object; the order is still the same for equal objects.
 */
function copySorted(object: object, convert: (member: unknown) => unknown): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(object).sort()) {
    const member = (object as Record<string, unknown>)[name];
    if (member !== undefined) setOwn(copy, name, convert(member));
  }
  return copy;
}

/*
 * The ledger key itself is never used: each use has a sub-key, so that a signature or digest for one use is worthless for another. The id
 * of a key is also derived from a sub-key, because ids are published in ledgers and plans and must not help to guess the key.
 */

/** A key that makes keyed digests of secrets. `id` tells which key made a digest, without revealing the key. */
export interface DigestKey {
  id: string;
  secret: Sealed;
  /**
   * The digests of some values: recorded while a plan is made, and used for the same plan without the key (`src/snapshot`). `isUnordered`:
   * true if the lists in the value are sets, whose order depends on the secrets in them. Secrets in the value may be sealed.
   */
  recordedDigests?: { get(salt: string, value: unknown, isUnordered: boolean): string | undefined };
}

/**
 * The uses of signatures: ledgers with their journals, plans, records of runs, jobs of a fleet with their results, and the ownership index
 * of a store.
 */
export type KeyUse = 'ledger' | 'plan' | 'history' | 'job' | 'ownership' | 'snapshot';

/** A key that also signs texts and verifies its signatures. */
export interface SigningKey extends DigestKey {
  signing: Readonly<Record<KeyUse, Sealed>>;
  /**
   * The same key in the form of earlier versions without sub-keys. Their digests are still compared, until the next
   * apply replaces them.
   */
  legacyKey?: DigestKey;
}

/**
 * The key in use: everything is written under it. Signatures of the `previous` key are accepted too, and its digests
 * are compared until the next apply replaces them. A previous key that is too weak cannot verify signatures.
 */
export interface LedgerKey extends SigningKey {
  previous?: SigningKey | (DigestKey & { signing?: undefined; legacyKey?: undefined });
}

/**
 * Derives from the ledger key (TRUEUP_LEDGER_KEY) the sub-key for one use, such as digests or signatures. No sub-key allows conclusions
 * about another.
 */
const subKey = (material: string | Uint8Array, label: KeyUse | 'secret' | 'id'): Buffer =>
  Buffer.from(hkdfSync('sha256', material, 'trueup', label, 32));
const sealedKey = (...given: Parameters<typeof subKey>) => new Sealed(subKey(...given).toString('base64url'));

/**
 * Creates the ledger key (TRUEUP_LEDGER_KEY) from random bytes: its id, the key for digests of secrets, and one key for each sort of signed
 * document. The caller (`src/ledger/key.ts`) checks that the bytes are random enough.
 */
export const ledgerKeyFrom = (material: string | Uint8Array): LedgerKey => ({
  id: subKey(material, 'id').toString('hex').slice(0, 12),
  secret: sealedKey(material, 'secret'),
  signing: {
    ledger: sealedKey(material, 'ledger'),
    plan: sealedKey(material, 'plan'),
    history: sealedKey(material, 'history'),
    job: sealedKey(material, 'job'),
    ownership: sealedKey(material, 'ownership'),
    snapshot: sealedKey(material, 'snapshot'),
  },
});

/** Creates a ledger key in the form of versions without sub-keys, so that a plan can compare the digests that those versions stored. */
export const legacyKeyFrom = (text: string): DigestKey => ({
  id: hash('sha256', `trueup key id\n${text}`, 'base64url').slice(0, 10),
  secret: new Sealed(text),
});

/** Returns an authentication code (HMAC) of a text in parts. */
function mac(key: Sealed, parts: Iterable<string>): string {
  const hmac = createHmac('sha256', key.reveal());
  for (const text of parts) hmac.update(text);
  return hmac.digest('base64url');
}

/**
 * Returns the signature of a text, given as one or more parts. Ledgers, plans, histories and jobs are signed, so that
 * a change by somebody without the key is noticed.
 */
export const signatureOf = (key: SigningKey, use: KeyUse, parts: Iterable<string>): string =>
  mac(key.signing[use], parts);

/**
 * True if this key made the signature (`claimed`) of a text, given as one or more parts. Used before a ledger, a saved plan, a record or a
 * job is trusted. `use`: which of these it is, since each has a key of its own. Compares in constant time, so that the duration reveals
 * nothing.
 */
export function isValidSignature(
  claimed: string,
  key: SigningKey,
  use: KeyUse,
  parts: Iterable<string>,
): boolean {
  const claimedBytes = Buffer.from(claimed);
  const validBytes = Buffer.from(signatureOf(key, use, parts));
  return claimedBytes.length === validBytes.length && timingSafeEqual(claimedBytes, validBytes);
}

/**
 * Returns the key with an id that may verify signatures: the one in use or the previous one. Returns undefined if it is
 * neither, or if it is too weak.
 */
export const findSigningKey = (key: LedgerKey | undefined, id: string): SigningKey | undefined =>
  [key, key?.previous].find(
    (candidate): candidate is SigningKey => candidate?.signing !== undefined && candidate.id === id,
  );

/** Returns all ledger keys whose digests a plan still compares (the previous one during a rotation, for example); the key in use first. */
export const digestKeysOf = (key: LedgerKey | undefined): DigestKey[] =>
  [key, key?.legacyKey, key?.previous, key?.previous?.legacyKey].filter(
    (digestKey) => digestKey !== undefined,
  );

/**
 * Returns the ledger key that made the digest of a secret, by its id, to compare the secret with it; undefined if it is not available here.
 */
export const findDigestKey = (key: LedgerKey | undefined, id: string): DigestKey | undefined =>
  digestKeysOf(key).find((digestKey) => digestKey.id === id);

/**
 * Returns a keyed digest of a secret. The salt binds it to its ledger entry, so that equal secrets do not look equal. While a recorded plan
 * is made again without its key, it comes from the recording (`recordedDigests`). `isUnordered`: true for a set, in its comparable order;
 * only the recording needs to know it.
 */
export function keyedDigest(key: DigestKey, salt: string, value: unknown, isUnordered = false): string {
  return (
    key.recordedDigests?.get(salt, value, isUnordered) ??
    mac(key.secret, [`${salt}\n${canonicalJson(revealed(value))}`]).slice(0, 32)
  );
}

/**
 * Returns the digest by which a secret id (an id that is a secret itself) is stored and matched. It contains the id of
 * the key, so that digests of different keys never match.
 */
export const secretId = (key: DigestKey, secret: unknown): string =>
  `${key.id}.${keyedDigest(key, 'id', secret)}`;

/**
 * Returns the ledger key that made a digest of a secret id with `secretId`, to find the object with this id; undefined if it is not
 * available here.
 */
export const findDigestKeyOfId = (key: LedgerKey | undefined, id: string): DigestKey | undefined =>
  findDigestKey(key, id.slice(0, Math.max(0, id.lastIndexOf('.'))));
