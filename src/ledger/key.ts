import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problems, problem } from '../model/diagnostic.ts';
import { type LedgerKey, ledgerKey } from '../model/digest.ts';

/**
 * The key for digests of secrets: from `TRUEUP_LEDGER_KEY`, else from the file beside the ledger. Undefined where there is none;
 * `create` makes the file, which must stay out of git.
 */
export async function findKey(
  path: string,
  env: Record<string, string | undefined>,
  { create }: { create: boolean },
): Promise<LedgerKey | undefined> {
  // An empty one is what CI systems make of a secret that they do not give out.
  const given = env.TRUEUP_LEDGER_KEY?.trim() || undefined;
  if (given !== undefined && given.length < 16)
    throw new Problems([
      problem('key/short', 'TRUEUP_LEDGER_KEY is too short to keep anything secret', {
        hint: 'use at least 16 characters, for example from `openssl rand -base64 32`',
      }),
    ]);
  if (given) return ledgerKey(given);
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
