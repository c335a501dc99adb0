import { createMasking } from './masking.ts';
import type { Sealed } from './sealed.ts';
import { createSecretFinder } from './secret-finder.ts';

/**
 * Creates a test that is true if the quoted line of a position (`Position.text`) shows one of these secrets: then no problem may quote the
 * line. A long line was cut, which `…` shows, and may end inside a secret. Such a line must not share any 8 characters with a secret either,
 * which is the rule of masking. For whole lines that would be too much: they would share `https://` with many secrets.
 */
export function createSecretLineTest(secrets: readonly Sealed[]): (line: string) => boolean {
  const holdsSecret = createSecretFinder(secrets);
  const masking = createMasking();
  for (const secret of secrets) masking.addSecret(secret);
  return (line) => holdsSecret(line) || (line.includes('…') && masking.mask(line) !== line);
}
