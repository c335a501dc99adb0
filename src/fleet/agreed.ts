import { hash } from 'node:crypto';
import { canonical } from '../model/digest.ts';

/** One digest for the plans of several stacks: whoever agrees to it agrees to each of them. */
export const agreedDigest = (plans: ReadonlyMap<string, string>): string =>
  hash('sha256', canonical(Object.fromEntries(plans)), 'base64url').slice(0, 22);
