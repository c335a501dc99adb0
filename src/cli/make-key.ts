import { findKey } from '../ledger/key.ts';
import { makeHome } from './home.ts';
import { type Host, pathOn } from './host.ts';

/** The key for the digests of secrets, made where there is none, after what keeps it out of git. Throws `Problems`. */
export async function makeKey(path: string, host: Host) {
  await makeHome(host);
  return findKey(pathOn(host, path), host.env, { create: true });
}
