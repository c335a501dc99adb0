import type * as z from 'zod';
import { type Fields, withTraits } from '#kind';

const words = 'auth|cookie|credential|jwt|key|passw|pwd|secret|session|sign|token|bypass';
/** Matches names of values that open a door. */
const secretName = new RegExp(words, 'i');
/** A header that says how its sender is known. */
const credentials = /^\s*(basic|bearer|digest|token)\s/i;

/** True if a part of a request that is compared may be what somebody is let in by: a cookie, a token in a header or in the query. */
function isTelling({ type, key, value }: Fields): boolean {
  const texts = [value].flat().filter((text) => typeof text === 'string');
  if (type === 'cookie') return texts.length > 0;
  if (type !== 'header' && type !== 'query') return false;
  return secretName.test(String(key)) || texts.some((text) => credentials.test(text));
}

/** Marks a condition on a request, by `type`, `key` and `value`, so that an export reports live ones that may hold a secret. */
export const telling = <T extends z.ZodType>(condition: T): T =>
  withTraits(condition, { mayTell: (members) => (isTelling(members) ? members.value : undefined) });
