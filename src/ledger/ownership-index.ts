/*
 * The ownership index of a store: what the ledgers in it claim, so shortly that a plan of one of thousands of stacks need not read them
 * all.
 *
 * Terms
 *   record   the claims of one version of one ledger, as digests (see `summarizeClaims`)
 *   version  stands for the content of a stored ledger, and is found out without reading it (see `OwnershipStore`)
 *   shard    a document with the records of about a sixteenth of the ledgers, chosen by the names of these
 *   folder   the shards that one key has signed, named after the key
 *
 * Premise: an index that lies about a ledger would let a plan take an object of another stack. So a record counts only for the version of
 * the ledger that it was made from, and contains all claims of that version. After a crash between the write of a ledger and that of its
 * record, an older version of trueup, a restored backup or another key, the versions differ, and the plan reads the ledger itself. That is
 * also why a record is in one shard as a whole, although shards by address would be smaller for a single question: claims in several shards
 * could not belong to one version.
 *
 * All digests are made with the key and, except for the proof, for one account. So they reveal nothing, fit no other account, and cannot be
 * guessed. A record has, in bytes:
 *
 *   | bytes         | content                                                                              |
 *   | ------------- | ------------------------------------------------------------------------------------ |
 *   | 2             | tag: digest of the name of the stack, by which its next run replaces the record      |
 *   | 5             | proof: digest of the name and the version of the ledger                              |
 *   | 1 to 3, each  | the numbers of `owned`, `ids` and `names`                                            |
 *   | 6 each        | `owned`: 4 for the key of the claim, 2 for its kind                                  |
 *   | 4 each        | `ids`                                                                                |
 *   | 2 each        | `names`                                                                              |
 *
 * Short digests may be equal by chance. For `ids`, `names` and the tag, that only makes a plan read a ledger in vain.
 */
import { hash } from 'node:crypto';
import { type LedgerKey, type SigningKey, signatureOf } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { tryParseJson } from '../model/read-json.ts';
import { isVerified, signText, verifyText } from './proof.ts';

/** Bytes, each as one character (latin1), so that they can be members of sets. */
type Bytes = string;

/** The claims of one version of one ledger, as digests. */
export interface OwnershipRecord {
  tag: Bytes;
  proof: Bytes;
  owned: readonly Bytes[];
  ids: readonly Bytes[];
  names: readonly Bytes[];
}

/** The records of a shard by the digest of their account. */
export type Shard = ReadonlyMap<string, readonly OwnershipRecord[]>;

/** The texts that a record contains as digests. See `ClaimSummary`. */
export interface ClaimTexts {
  owned: Iterable<string>;
  ids: Iterable<string>;
  names: Iterable<string>;
}

/** The account that a ledger belongs to. */
type LedgerAccount = Pick<Ledger, 'baseUrl' | 'owner'>;

/** The names of all shards of a folder. */
export const shardNames: readonly string[] = [...'0123456789abcdef'];

/** Returns the name of the shard with the record of the ledger that the store has under this name. */
export const shardOf = (ledgerName: string): string => hash('sha256', ledgerName, 'hex').slice(0, 1);

const tagLength = 2;
const proofLength = 5;
const keyLength = 4;
const kindLength = 2;
const idLength = 4;
const nameLength = 2;

/** Makes the digests of one key for one account. */
export class OwnershipDigests {
  readonly #key: SigningKey;
  readonly #salt: string;
  /** The name of the account in a shard. */
  readonly account: string;

  /**
   * Prepares the digests of names and ids for the ownership index (which stack owns which objects) of one account. They are made with a
   * salt that is derived from the ledger key, because without it the names of many objects could be guessed from their digests.
   */
  constructor(key: SigningKey, { baseUrl, owner }: LedgerAccount) {
    this.#key = key;
    this.#salt = signatureOf(key, 'ownership', ['digests of ', JSON.stringify([baseUrl, owner])]);
    this.account = signatureOf(key, 'ownership', ['account ', JSON.stringify([baseUrl, owner])]).slice(0, 12);
  }

  /**
   * Returns the digest that proves that a record of the index was made from this version of the ledger with this name. A record with
   * another proof is outdated, and the ledger itself is read.
   */
  proof(ledgerName: string, version: string): Bytes {
    const text = signatureOf(this.#key, 'ownership', ['proof of ', JSON.stringify([ledgerName, version])]);
    return digestBytes(text, proofLength);
  }

  tag(stack: string): Bytes {
    return digestBytes(`${this.#salt} tag ${stack}`, tagLength);
  }

  id(id: string): Bytes {
    return digestBytes(`${this.#salt} id ${id}`, idLength);
  }

  name(name: string): Bytes {
    return digestBytes(`${this.#salt} name ${name}`, nameLength);
  }

  /** Returns the digest of a claim. It begins like the digest of the same text as an id, since a question about an id means any kind. */
  claim(claimKey: string): Bytes {
    const end = claimKey.indexOf(' ');
    return this.id(claimKey.slice(end + 1)) + digestBytes(claimKey.slice(0, end), kindLength);
  }
}

const digestBytes = (text: string, length: number): Bytes =>
  hash('sha256', text, 'buffer').toString('latin1', 0, length);

/** Returns the part of a claim's digest that is equal to the digest of its id. */
export const idOfClaim = (claim: Bytes): Bytes => claim.slice(0, keyLength);

/**
 * Creates the record of one version of a ledger for the ownership index: digests of everything that its stack owns or may own. The index
 * has no names, so it can be stored beside the ledgers. `tag`: stands for the stack, so that its next run replaces the record; `proof`: for
 * the version of the ledger, because the record of another version does not count. `owned`: claims to objects without a parent; `ids` and
 * `names`: more texts by which a plan may find a claim.
 */
export function createRecord(
  digests: OwnershipDigests,
  ledger: { name: string; version: string; stack: string },
  { owned, ids, names }: ClaimTexts,
): OwnershipRecord {
  const distinct = (texts: Iterable<string>, toDigest: (text: string) => Bytes) =>
    [...new Set([...texts].map(toDigest))].sort();
  return {
    tag: digests.tag(ledger.stack),
    proof: digests.proof(ledger.name, ledger.version),
    owned: distinct(owned, (key) => digests.claim(key)),
    ids: distinct(ids, (id) => digests.id(id)),
    names: distinct(names, (name) => digests.name(name)),
  };
}

/**
 * The format of a shard and of what its records contain. A new version of trueup must increase it if a plan would look for claims by other
 * texts than `summarizeClaims` has recorded before, such as after a change of a kind's parent. Then the old records count for nothing.
 */
const formatVersion = 1;

/**
 * Formats and signs a shard: a file of the ownership index, which lists what each stack owns, so that a plan need not read all ledgers.
 * Sorted, so that equal shards have equal texts.
 */
export function formatShard(name: string, shard: Shard, key: SigningKey): string {
  const accounts = Object.fromEntries(
    [...shard].sort().map(([account, records]) => {
      const bytes = records.map(encodeRecord).sort().join('');
      return [account, Buffer.from(bytes, 'latin1').toString('base64')];
    }),
  );
  return signText(`${JSON.stringify({ formatVersion, shard: name, accounts }, null, 2)}\n`, key, 'ownership');
}

/**
 * Parses a shard: a file of the ownership index, which lists what each stack owns, so that a plan need not read all ledgers. Undefined
 * unless the key signed it, as the shard with this name and in a format that this version knows. Then the plan reads the ledgers
 * themselves.
 */
export function parseShard(name: string, text: string, key: LedgerKey): Shard | undefined {
  if (!isVerified(verifyText(text, key, name, 'ownership'))) return undefined;
  const content = (tryParseJson(text) ?? {}) as {
    formatVersion?: unknown;
    shard?: unknown;
    accounts?: Record<string, string>;
  };
  if (content.formatVersion !== formatVersion || content.shard !== name) return undefined;
  const accounts = Object.entries(content.accounts ?? {});
  return new Map(accounts.map(([account, text]) => [account, decodeRecords(text)]));
}

/**
 * Encodes the record of a ledger in the ownership index as bytes, each as one character (latin1): the tag, the proof, the three numbers of
 * digests, then these. All but the numbers have fixed lengths, so `decodeRecords` needs no separators.
 */
const encodeRecord = ({ tag, proof, owned, ids, names }: OwnershipRecord): Bytes =>
  [
    tag,
    proof,
    ...[owned, ids, names].map(({ length }) => encodeNumber(length)),
    ...owned,
    ...ids,
    ...names,
  ].join('');

/** Encodes a number in groups of seven bits, the lowest first. All groups but the last one have the eighth bit. */
const encodeNumber = (number: number): Bytes =>
  number < 128
    ? String.fromCharCode(number)
    : String.fromCharCode(128 + (number % 128)) + encodeNumber(number >> 7);

/**
 * Decodes the records of an account from a shard (a file of the ownership index), as `encodeRecord` writes them: texts of fixed lengths
 * after their numbers. A number has 7 bits in each byte, the lowest first; all bytes but its last are at least 128. Only called with a text
 * that the key signed, so its lengths are right.
 */
function decodeRecords(text: string): OwnershipRecord[] {
  const bytes = Buffer.from(text, 'base64').toString('latin1');
  let position = 0;
  const take = (length: number): Bytes => {
    position += length;
    return bytes.slice(position - length, position);
  };
  const takeNumber = (): number => {
    const group = take(1).charCodeAt(0);
    return group < 128 ? group : group - 128 + 128 * takeNumber();
  };
  const takeAll = (count: number, length: number) => Array.from({ length: count }, () => take(length));
  const records: OwnershipRecord[] = [];
  while (position < bytes.length) {
    const [tag, proof] = [take(tagLength), take(proofLength)];
    const [ownedCount, idCount, nameCount] = [takeNumber(), takeNumber(), takeNumber()];
    records.push({
      tag,
      proof,
      owned: takeAll(ownedCount, keyLength + kindLength),
      ids: takeAll(idCount, idLength),
      names: takeAll(nameCount, nameLength),
    });
  }
  return records;
}
