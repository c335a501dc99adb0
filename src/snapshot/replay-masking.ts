import { createMasking, type Masking } from '../model/masking.ts';
import { holdsToken, maskTokens } from './secret-tokens.ts';

/**
 * Returns the masking (it replaces secrets in shown texts by `(secret)`) of a plan from a snapshot. It hides each token, as the original
 * plan hides the secret behind it, and calls no text with a token safe to show (`safeNameIn`, `safeSlugIn`). Unlike for secrets, it does
 * not hide parts of a token, because all tokens share parts that are ordinary words.
 */
export function createReplayMasking(): Masking {
  const masking = createMasking();
  return {
    ...masking,
    addSecret(secret) {
      if (!holdsToken(secret.reveal())) masking.addSecret(secret);
    },
    mask: (text, alsoVisible) => masking.mask(maskTokens(text), alsoVisible),
    safeNameIn: (text) => (holdsToken(text) ? undefined : masking.safeNameIn(text)),
    safeSlugIn: (text) => (holdsToken(String(text)) ? undefined : masking.safeSlugIn(text)),
  };
}
