/*
 * Signatures of ledgers. Anyone who can write to the place of a ledger could change it, and a run deletes objects because of what its
 * ledger says. So a run signs each ledger with a secret key, and acts only on ledgers with a valid signature.
 *
 * The signature is the last member of the JSON document and covers all bytes before it. Base URL, owner, stack and generation are among
 * these bytes, and each reader compares them with its own, so a signed ledger cannot be used for another stack. A ledger may have 50 MB:
 * it is verified as stored, without serializing it again.
 */
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import {
  findSigningKey,
  isValidSignature,
  type KeyUse,
  type LedgerKey,
  type SigningKey,
  signatureOf,
} from '../model/digest.ts';

/**
 * The key that signed a ledger, a journal or a record (`by`, with `previous` if it is the key before the current one), or the reason
 * why that is in doubt:
 *
 *   | doubt       | signature                                                             |
 *   | ----------- | --------------------------------------------------------------------- |
 *   | `unsigned`  | missing                                                               |
 *   | `no-key`    | cannot be checked, because there is no key here                       |
 *   | `other-key` | names a key that is neither the current nor the previous one          |
 *   | `altered`   | does not fit the text: the text was changed after the key signed it   |
 */
export type Proof =
  | { by: string; previous?: true }
  | { doubt: 'no-key' | 'unsigned' | 'other-key' | 'altered'; place: string; key?: string };

/** True if a key of ours signed the text. */
export const isVerified = (proof: Proof): proof is { by: string } => 'by' in proof;

const signaturePattern = /,\n {2}"signature": "([\w-]+)\.([\w-]+)"\n\}\n$/;
const documentEnd = '\n}\n';

/**
 * Adds a signature to the text of a ledger, or of another document for which keys have a use of their own, as its last
 * member. The text must be a JSON object formatted with two spaces that ends with a line feed.
 */
export const signText = (text: string, key: SigningKey, use: KeyUse = 'ledger'): string =>
  signParts([text.slice(0, -documentEnd.length)], key, use);

/**
 * Signs a document like `signText`. The text comes in parts and without its end (`formatLedgerParts`), so that a large one is joined only
 * once. `use`: the kind of document, which the signature covers.
 */
export const signParts = (parts: readonly string[], key: SigningKey, use: KeyUse = 'ledger'): string =>
  [
    ...parts,
    `,\n  "signature": "${key.id}.${signatureOf(key, use, [...parts, documentEnd])}"`,
    documentEnd,
  ].join('');

/**
 * Verifies the signature at the end of a ledger's text (`"signature": "KEY.MAC"`), before a run relies on the ledger. Never throws: a
 * missing or wrong signature is returned as a doubt. `place`: names the ledger in problems that may follow. `use`: the kind of document
 * that the signature must have been made for.
 */
export function verifyText(
  text: string,
  key: LedgerKey | undefined,
  place: string,
  use: KeyUse = 'ledger',
): Proof {
  // The signature is at the end, so searching a text of 50 MB would be a waste.
  const tail = text.slice(-300);
  const match = signaturePattern.exec(tail);
  if (!match) return { doubt: 'unsigned', place };
  const [{ length }, keyId, mac] = match as unknown as [string, string, string];
  const signedPart = text.slice(0, text.length - length);
  return verifyBySigner(keyId, key, place, (signer) =>
    isValidSignature(mac, signer, use, [signedPart, documentEnd]),
  );
}

/**
 * Finds out whether the key `keyId`, which a signature names, really made it. Returns a proof: the key, or the
 * doubt if there is no key here, another one, or a wrong signature. `isSignedBy` checks the signature with a key,
 * because ledgers, journals and records store their signatures differently. `place`: the signed text in messages.
 */
export function verifyBySigner(
  keyId: string,
  key: LedgerKey | undefined,
  place: string,
  isSignedBy: (signer: SigningKey) => boolean,
): Proof {
  if (!key) return { doubt: 'no-key', place, key: keyId };
  const signer = findSigningKey(key, keyId);
  if (!signer) return { doubt: 'other-key', place, key: keyId };
  if (!isSignedBy(signer)) return { doubt: 'altered', place, key: keyId };
  return signer.id === key.id ? { by: keyId } : { by: keyId, previous: true };
}

/** Reports that a command has to write a ledger, which it cannot sign without a key. */
export const missingKeyProblem: Diagnostic = problem(
  'key/missing',
  'there is no key, but writing a ledger needs one',
  {
    hint: 'create one on your machine with `trueup ledger key` and set TRUEUP_LEDGER_KEY to it; `trueup ledger key --print` creates one for a CI secret',
  },
);

/**
 * Returns the problem that explains why a run does not act on a ledger or journal whose signature is in doubt, with
 * the remedy for each doubt. A forged ledger could make a run delete objects.
 */
export function unverifiedProblem(
  proof: Exclude<Proof, { by: string }>,
  key: LedgerKey | undefined,
): Diagnostic {
  const { doubt, place, key: keyId } = proof;
  const sign = 'review the ledger and sign it once with `trueup ledger sign`';
  switch (doubt) {
    case 'no-key':
      return problem('key/missing', `${place} is signed by the key ${keyId}, but no key is available here`, {
        hint: `set TRUEUP_LEDGER_KEY to that key; if it is lost: \`trueup ledger key\` creates a new one, then ${sign}`,
      });
    case 'other-key':
      return problem(
        'ledger/other-key',
        `${place} is signed by the key ${keyId}, but the key here is ${key?.id}`,
        {
          hint: `set TRUEUP_LEDGER_KEY to the key ${keyId}; to switch to the one here, set TRUEUP_LEDGER_KEY_PREVIOUS to ${keyId} for one apply; if ${keyId} is lost or leaked, ${sign}`,
        },
      );
    case 'altered':
      return problem(
        'ledger/altered',
        `${place} is not what the key ${keyId} signed: it was changed afterwards`,
        {
          hint: `restore it (git must not change its line endings: \`-text\`); or, if the change is legitimate, ${sign}`,
        },
      );
    case 'unsigned':
      return problem(
        'ledger/unsigned',
        `${place} is not signed: it was written by a version without signatures, or by someone without the key`,
        { hint: sign },
      );
  }
}
