import { createMasking, type Masking } from '../model/masking.ts';
import { holdsToken, maskTokens } from './secret-tokens.ts';

/**
 * Returns the masking of a plan from a snapshot. It hides each token, as the plan with the account hides the secret behind it. It does not search for
 * stretches of tokens, because all tokens share some that are ordinary words.
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
