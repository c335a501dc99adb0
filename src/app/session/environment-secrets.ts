import { tryParseJson } from '../../model/json-in.ts';
import { Sealed } from '../../model/sealed.ts';
import { isPlainObject } from '../../model/value.ts';
import type { Host } from '../host.ts';

const own = new Set(['TRUEUP_TOKEN', 'TRUEUP_LEDGER_KEY', 'TRUEUP_LEDGER_KEY_PREVIOUS']);

/**
 * Returns the secrets that the environment holds for trueup, whether the configuration uses them or not: a secret that was replaced by a
 * literal is no longer used, but may still be live. Of a JSON object, each text is one.
 */
export const environmentSecrets = ({ env }: Pick<Host, 'env'>): Sealed[] =>
  Object.entries(env)
    .filter(([name, text]) => text && (own.has(name) || name.startsWith('TRUEUP_SECRET_')))
    .flatMap(([, text]) => [text!, ...textMembersOf(text!)].map((secret) => new Sealed(secret)));

function textMembersOf(text: string): string[] {
  const value = text.trimStart().startsWith('{') ? tryParseJson(text) : undefined;
  return isPlainObject(value) ? Object.values(value).filter((member) => typeof member === 'string') : [];
}
