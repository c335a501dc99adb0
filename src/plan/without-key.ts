import type { Address } from '../model/address.ts';
import { type Diagnostic, type Position, warning } from '../model/diagnostic.ts';

/**
 * The warning for a secret that was applied from here while the key that made its digest is missing. Only that key helps: sent
 * again, the secret would be unverified again the next time.
 */
export const withoutKey = (address: Address, path: string, at: Position | undefined): Diagnostic =>
  warning('secret/no-key', `TRUEUP_LEDGER_KEY is not set: \`${path}\` of ${address} is not compared`, {
    address,
    ...(at ? { at } : {}),
    hint: 'set it to the key that this was applied with; until then it stays as it is',
  });
