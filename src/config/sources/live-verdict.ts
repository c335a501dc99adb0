import type { Address } from '../../model/address.ts';
import { shellWord } from '../../model/shell-word.ts';
import type { Allowances } from './allowances.ts';
import type { Verdict } from './verdict.ts';

/**
 * Decides whether the secrets of an object of the account may be copied although the stack does not own it: the operator must pass
 * `--allow-live` with its address.
 */
export const liveVerdict = (address: Address, { live }: Pick<Allowances, 'live'>): Verdict =>
  live(address)
    ? { allowed: true }
    : { allowed: false, message: `${address} is not allowed`, flag: `--allow-live ${shellWord(address)}` };
