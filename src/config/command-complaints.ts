/** Makes the error output of a failed secret command safe to show. The command may have printed the secret itself, or other secrets. */
import { createMasking } from '../model/masking.ts';
import { Sealed } from '../model/sealed.ts';

const outputLimits = { lines: 10, characters: 2000 };

/**
 * Returns the last lines that a failed command wrote to standard error, to show why it failed. Masks every line and word that it also wrote
 * to standard output, because that output may be the secret.
 */
export function maskedErrorOutput(stderr: string, stdout: string): string {
  const masking = createMasking();
  for (const line of [stdout, ...stdout.split(/\s+/)]) masking.addSecret(new Sealed(line));
  const lines = masking.mask(stderr).trim().slice(-outputLimits.characters).split(/\r?\n/);
  return lines.slice(-outputLimits.lines).join('\n');
}

/** Matches names of environment variables whose values are masked. */
const confidential = /TOKEN|SECRET|PASS|KEY|CREDENTIAL|AUTH|DSN|PRIVATE/i;

/** Matches a word for a password or token with the value behind it: `token: abcd`, `api_key=abcd`. */
const credentialAssignment =
  /((?:token|secret|passw|pwd|key|credential|auth)[\w-]*["']?\s*[:=]\s*["']?(?:bearer |basic )?)[^\s"',;]{4,}/gi;

/** True for a long word that mixes letters and digits, as keys, tokens and encoded texts do. Paths and URLs are no such words. */
const looksSecret = (word: string): boolean =>
  word.length >= 20 && /[a-z]/i.test(word) && /\d/.test(word) && !/^(?:\.{0,2}\/|https?:)/.test(word);

/**
 * Returns a function that masks the error output of failed commands. Used before the output becomes part of a diagnostic, because that may
 * be shown in a public CI log. Masks the secrets of the run, the values of environment variables with confidential names, and words that
 * look like secrets. That is a best effort: a program can print a secret in a form that none of these recognizes.
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
