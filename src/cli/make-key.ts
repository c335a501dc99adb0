import { findKey } from '../ledger/key.ts';
import { makeHome } from './home.ts';

/** The key for the digests of secrets, made where there is none, after what keeps it out of git. Throws `Problems`. */
export async function makeKey(path: string) {
  await makeHome();
  return findKey(path, process.env, { create: true });
}
