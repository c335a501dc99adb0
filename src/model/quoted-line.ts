import { createMasking } from './masking.ts';
import type { Sealed } from './sealed.ts';
import { createSecretFinder } from './secret-finder.ts';

/**
 * Creates the test whether the quoted line of a position (`Position.text`) shows one of these secrets, so that no problem quotes it. A long
 * line is cut, which `…` shows, and may then have only a part of a secret: each stretch of 8 characters counts there.
 */
export function createQuoteTest(secrets: readonly Sealed[]): (line: string) => boolean {
  const holdsSecret = createSecretFinder(secrets);
  const masking = createMasking();
  for (const secret of secrets) masking.addSecret(secret);
  return (line) => holdsSecret(line) || (line.includes('…') && masking.mask(line) !== line);
}
