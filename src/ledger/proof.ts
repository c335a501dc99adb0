import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { isSignature, type LedgerKey, type SigningKey, signature, signerOf } from '../model/ledger-key.ts';

/**
 * Tells who wrote a ledger, or the journal on top of it, or why that is in doubt. `no-key`: it names a key, and there is no key
 * here to check it. `altered`: it differs from what the key that it names signed. `previous`: the key before the present one
 * verified it.
 */
export type Proof =
  | { by: string; previous?: true }
  | { doubt: 'no-key' | 'unsigned' | 'other-key' | 'altered'; place: string; key?: string };

export const isVerified = (proof: Proof): proof is { by: string } => 'by' in proof;

/*
 * The signature is the last member of the document, and is made of all bytes before it: base URL, owner, stack and generation are
 * among them, so a ledger cannot be moved, and whoever reads it compares them with its own. A ledger may have 50 MB: it is signed
 * and verified as it lies there, never written anew for it.
 */
const signed = /,\n {2}"signature": "([\w-]+)\.([\w-]+)"\n\}\n$/;
const end = '\n}\n';

/** A document with its signature. `body`: a JSON object, laid out with two spaces, and a line feed. */
export function signText(body: string, key: SigningKey): string {
  const rest = body.slice(0, -end.length);
  return `${rest},\n  "signature": "${key.id}.${signature(key, 'ledger', rest, end)}"${end}`;
}

/** Checks who wrote a document, as far as the key tells. */
export function verifyText(text: string, key: LedgerKey | undefined, place: string): Proof {
  // Not searched for in all of it.
  const tail = text.slice(-300);
  const match = signed.exec(tail);
  if (!match) return { doubt: 'unsigned', place };
  const [{ length }, id, made] = match as unknown as [string, string, string];
  const rest = text.slice(0, text.length - length);
  return verifyBySigner(id, key, place, (signer) => isSignature(made, signer, 'ledger', rest, end));
}

/** The same for whatever names its key: `isMadeBy` asks that key. */
export function verifyBySigner(
  id: string,
  key: LedgerKey | undefined,
  place: string,
  isMadeBy: (signer: SigningKey) => boolean,
): Proof {
  if (!key) return { doubt: 'no-key', place, key: id };
  const signer = signerOf(key, id);
  if (!signer) return { doubt: 'other-key', place, key: id };
  if (!isMadeBy(signer)) return { doubt: 'altered', place, key: id };
  return signer.id === key.id ? { by: id } : { by: id, previous: true };
}

/** Whatever writes a ledger needs a key. */
export const missingKeyProblem: Diagnostic = problem(
  'key/missing',
  'there is no key, which is required to write a ledger',
  {
    hint: 'create one on your machine with `trueup ledger key` and set TRUEUP_LEDGER_KEY to it; `trueup ledger key --print` creates one for a CI secret',
  },
);

/** Why a ledger is not acted on, and the way out. */
export function unverifiedProblem(
  proof: Exclude<Proof, { by: string }>,
  key: LedgerKey | undefined,
): Diagnostic {
  const { doubt, place, key: id } = proof;
  const sign = 'review the ledger and sign it once with `trueup ledger sign`';
  switch (doubt) {
    case 'no-key':
      return problem('key/missing', `${place} is signed by the key ${id}, but no key is available here`, {
        hint: `set TRUEUP_LEDGER_KEY to that key; if it is lost: \`trueup ledger key\` creates a new one, then ${sign}`,
      });
    case 'other-key':
      return problem(
        'ledger/other-key',
        `${place} is signed by the key ${id}, but the key here is ${key?.id}`,
        {
          hint: `set TRUEUP_LEDGER_KEY to the key ${id}; to switch to the one here, set TRUEUP_LEDGER_KEY_PREVIOUS to ${id} for one apply; if ${id} is lost or leaked, ${sign}`,
        },
      );
    case 'altered':
      return problem(
        'ledger/altered',
        `${place} is not what the key ${id} signed: it was changed afterwards`,
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
