import type * as z from 'zod';
import { withTraits } from '#kind';

const words = 'auth|cookie|credential|jwt|key|passw|pwd|secret|session|sign|token|bypass';
/** Matches names of values that open a door. */
const secretName = new RegExp(words, 'i');
/** Matches the value of a header that authenticates its sender. */
const credentials = /^\s*(basic|bearer|digest|token)\s/i;

/**
 * True if the value of a condition may be a credential that lets people in: a cookie, or a token in a header or in
 * the query. Such live values are hidden, in exports and in texts about conditions.
 */
export function isTelling({ type, key, value }: { readonly [member: string]: unknown }): boolean {
  const texts = [value].flat().filter((text) => typeof text === 'string');
  if (type === 'cookie') return texts.length > 0;
  if (type !== 'header' && type !== 'query') return false;
  return secretName.test(String(key)) || texts.some((text) => credentials.test(text));
}

/** Adds to the schema of a condition (`type`, `key`, `value`) that live values may be secret, so that an export reports them. */
export const telling = <T extends z.ZodType>(condition: T): T =>
  withTraits(condition, {
    findPossibleSecret: (members) => (isTelling(members) ? members.value : undefined),
  });
