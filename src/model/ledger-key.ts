import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { canonical } from './canonical.ts';
import { revealed, Sealed } from './sealed.ts';

/*
 * All that trueup does with its key. The key is never used itself: each use has a sub-key of its own, so that what is made for one
 * can never stand for another. Ids are published, in ledgers and plans; they come from a sub-key too, and tell nothing to whoever
 * guesses.
 */

/** A key that makes keyed digests of secrets. `id` says which key made a digest, without giving the key away. */
export interface DigestKey {
  id: string;
  secret: Sealed;
}

/** The uses of signatures: ledgers with their journals, plans, records of runs, and jobs of a fleet with what became of them. */
type KeyUse = 'ledger' | 'plan' | 'history' | 'job';

/** A key that also signs, and verifies what it signed. */
export interface SigningKey extends DigestKey {
  signing: Readonly<Record<KeyUse, Sealed>>;
  /** The same key as versions before sub-keys used it: its digests are compared until they are made anew. */
  legacyKey?: DigestKey;
}

/**
 * The key in use: all that is written is under it. What the `previous` one signed is verified too, and its digests are compared
 * until they are made anew; one that is weak signs and verifies nothing.
 */
export interface LedgerKey extends SigningKey {
  previous?: SigningKey | (DigestKey & { signing?: undefined; legacyKey?: undefined });
}

const subKey = (material: string | Uint8Array, label: KeyUse | 'secret' | 'id'): Buffer =>
  Buffer.from(hkdfSync('sha256', material, 'trueup', label, 32));
const sealedKey = (...given: Parameters<typeof subKey>) => new Sealed(subKey(...given).toString('base64url'));

/** The key that is made of these random bytes; whether they are random is for `src/ledger/key.ts` to say. */
export const ledgerKeyFrom = (material: string | Uint8Array): LedgerKey => ({
  id: subKey(material, 'id').toString('hex').slice(0, 12),
  secret: sealedKey(material, 'secret'),
  signing: {
    ledger: sealedKey(material, 'ledger'),
    plan: sealedKey(material, 'plan'),
    history: sealedKey(material, 'history'),
    job: sealedKey(material, 'job'),
  },
});

/** A key as used before there were sub-keys: only good for comparing what old versions left behind. */
export const legacyKeyFrom = (text: string): DigestKey => ({
  id: hash('sha256', `trueup key id\n${text}`, 'base64url').slice(0, 10),
  secret: new Sealed(text),
});

const mac = (key: Sealed, parts: readonly string[]) =>
  parts.reduce((made, part) => made.update(part), createHmac('sha256', key.reveal())).digest('base64url');

/** The signature of a text, which may come in parts. */
export const signatureOf = (key: SigningKey, use: KeyUse, ...parts: string[]): string =>
  mac(key.signing[use], parts);

/** True if this key made the signature of a text. */
export function isValidSignature(claimed: string, key: SigningKey, use: KeyUse, ...parts: string[]): boolean {
  const [one, other] = [claimed, signatureOf(key, use, ...parts)].map((text) => Buffer.from(text));
  return one!.length === other!.length && timingSafeEqual(one!, other!);
}

/** The key of this id that may verify: the one in use or the previous one; undefined where it is neither, or weak. */
export const findSigningKey = (key: LedgerKey | undefined, id: string): SigningKey | undefined =>
  [key, key?.previous].find((one): one is SigningKey => one?.signing !== undefined && one.id === id);

/** All keys whose digests are still compared; the key in use first. */
export const digestKeysOf = (key: LedgerKey | undefined): DigestKey[] =>
  [key, key?.legacyKey, key?.previous, key?.previous?.legacyKey].filter(
    (digestKey) => digestKey !== undefined,
  );

/** The key that made a digest, by its id; undefined where it is not here. */
export const findDigestKey = (key: LedgerKey | undefined, id: string): DigestKey | undefined =>
  digestKeysOf(key).find((maker) => maker.id === id);

/** A keyed digest of a secret, bound to its entry by the salt, so that equal secrets do not look equal. */
export const keyedDigest = (key: DigestKey, salt: string, value: unknown): string =>
  mac(key.secret, [`${salt}\n${canonical(revealed(value))}`]).slice(0, 32);

/** A secret id as it is kept and matched: bound to the key, so that an id of another key does not match. */
export const secretId = (key: DigestKey, secret: unknown): string =>
  `${key.id}.${keyedDigest(key, 'id', secret)}`;

/** The key with which `secretId` made an id, if it is here. */
export const findDigestKeyOfId = (key: LedgerKey | undefined, id: string): DigestKey | undefined =>
  findDigestKey(key, id.slice(0, Math.max(0, id.lastIndexOf('.'))));
