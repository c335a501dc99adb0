import { createMasking } from '../model/masking.ts';
import { Sealed } from '../model/sealed.ts';

const outputLimits = { lines: 10, characters: 2000 };

/**
 * Returns the last lines that a failed command wrote to standard error, without everything that it shares with standard output, which may
 * be the secret itself.
 */
export function maskedErrorOutput(stderr: string, stdout: string): string {
  const masking = createMasking();
  for (const line of [stdout, ...stdout.split(/\s+/)]) masking.addSecret(new Sealed(line));
  const lines = masking.mask(stderr).trim().slice(-outputLimits.characters).split(/\r?\n/);
  return lines.slice(-outputLimits.lines).join('\n');
}

/** Names of environment variables whose values are masked. */
const confidential = /TOKEN|SECRET|PASS|KEY|CREDENTIAL|AUTH|DSN|PRIVATE/i;

/** Matches words for passwords and tokens, with the text that follows. */
const credentialAssignment =
  /((?:token|secret|passw|pwd|key|credential|auth)[\w-]*["']?\s*[:=]\s*["']?(?:bearer |basic )?)[^\s"',;]{4,}/gi;

/** True for a long word of letters and digits that no person would write: a key, a token, an encoded text. */
const looksSecret = (word: string): boolean =>
  word.length >= 20 && /[a-z]/i.test(word) && /\d/.test(word) && !/^(?:\.{0,2}\/|https?:)/.test(word);

/**
 * Creates a function that masks in a text the secrets of the run, the values of variables with confidential names, and words that look
 * like secrets. It is a best effort: a program may print a secret that only it has in a form that is not recognized.
 */
export function createOutputMask(
  secrets: Sealed[],
  env: Record<string, string | undefined>,
): (text: string) => string {
  const masking = createMasking();
  for (const secret of secrets) masking.addSecret(secret);
  for (const [name, value] of Object.entries(env))
    if (value && confidential.test(name)) masking.addSecret(new Sealed(value));
  return (text) =>
    masking
      .mask(text)
      .replace(credentialAssignment, (_, name: string) => `${name}(secret)`)
      .replace(/[A-Za-z0-9+/_=.~-]{20,}/g, (word) => (looksSecret(word) ? '(secret)' : word))
      .replace(/:\/\/[^\s/@]+@/g, '://(secret)@');
}
