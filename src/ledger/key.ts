import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problems, problem } from '../model/diagnostic.ts';
import { type LedgerKey, ledgerKey } from '../model/digest.ts';

type Env = Record<string, string | undefined>;

/**
 * The key for digests of secrets: from `TRUEUP_LEDGER_KEY`, else from the file beside the ledger. Undefined where there is none;
 * `create` makes the file, which must stay out of git. The key before it comes from `TRUEUP_LEDGER_KEY_PREVIOUS` only. Throws `Problems`.
 */
export async function findKey(
  path: string,
  env: Env,
  { create }: { create: boolean },
): Promise<LedgerKey | undefined> {
  const previous = givenIn(env, 'TRUEUP_LEDGER_KEY_PREVIOUS');
  // A key that was made now would not be the one that somebody meant to go on with.
  const key =
    givenIn(env, 'TRUEUP_LEDGER_KEY') ?? (await keptIn(path, { create: create && previous === undefined }));
  if (previous === undefined) return key;
  if (key === undefined)
    throw new Problems([
      problem('key/previous-alone', 'TRUEUP_LEDGER_KEY_PREVIOUS is set, but there is no key after it', {
        hint: `set TRUEUP_LEDGER_KEY to the new key, or write it to ${path}`,
      }),
    ]);
  // Taken for a rotation, it would look done at once, and the key that was to go would stay in use.
  if (key.id === previous.id)
    throw new Problems([
      problem('key/same', 'TRUEUP_LEDGER_KEY_PREVIOUS is the key that is in use', {
        hint: `give the new key as TRUEUP_LEDGER_KEY (or in ${path}); once nothing is under the old one, remove TRUEUP_LEDGER_KEY_PREVIOUS`,
      }),
    ]);
  return { ...key, previous };
}

function givenIn(env: Env, name: string): LedgerKey | undefined {
  // An empty one is what CI systems make of a secret that they do not give out.
  const given = env[name]?.trim() || undefined;
  if (given !== undefined && given.length < 16)
    throw new Problems([
      problem('key/short', `${name} is too short to keep anything secret`, {
        hint: 'use at least 16 characters, for example from `openssl rand -base64 32`',
      }),
    ]);
  return given === undefined ? undefined : ledgerKey(given);
}

async function keptIn(path: string, { create }: { create: boolean }): Promise<LedgerKey | undefined> {
  const kept = await readKey(path);
  if (kept || !create) return kept;
  const made = `${path}.${randomBytes(6).toString('hex')}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(made, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  // Whole or not at all, and never over another one: of two runs that make it at once, the first decides.
  await link(made, path)
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    })
    .finally(() => unlink(made));
  return readKey(path);
}

async function readKey(path: string): Promise<LedgerKey | undefined> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Problems([
      problem('key/unreadable', `the ledger key ${path} cannot be read: ${error.message}`),
    ]);
  });
  if (kept !== undefined && kept.trim().length >= 16) return ledgerKey(kept.trim());
  if (kept !== undefined)
    throw new Problems([
      problem('key/broken', `the ledger key ${path} is empty or cut off`, {
        hint: 'restore it; or remove it, and secrets will be unverified until they are sent again',
      }),
    ]);
  return undefined;
}
