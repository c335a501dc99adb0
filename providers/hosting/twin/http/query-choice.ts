import type { Call } from '../call.ts';
import { badRequest } from '../errors.ts';

/** A parameter of the query that has to be one of a few words; undefined when it is not there, 400 for another word. */
export function queryChoice<const T extends string>(
  call: Call,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const asked = call.query.get(name);
  if (asked === null || asked === '') return undefined;
  const found = allowed.find((one) => one === asked);
  if (found !== undefined) return found;
  const list = allowed.map((one) => JSON.stringify(one)).join(', ');
  throw badRequest(`Invalid request: \`${name}\` should be equal to one of the allowed values ${list}.`);
}
