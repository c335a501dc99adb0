import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problems, problem } from '../model/diagnostic.ts';
import { formerKey, type LedgerKey, ledgerKey, type SigningKey } from '../model/ledger-key.ts';
import { systemText } from '../model/system-error.ts';

type Env = Record<string, string | undefined>;

const [given, givenBefore] = ['TRUEUP_LEDGER_KEY', 'TRUEUP_LEDGER_KEY_PREVIOUS'] as const;

/** The text of a new key: 32 random bytes in base64url. */
export const createKeyText = (): string => randomBytes(32).toString('base64url');

/**
 * The key of a ledger: from `TRUEUP_LEDGER_KEY`, else from the file at `path`; undefined where there is none. The key before it comes
 * from `TRUEUP_LEDGER_KEY_PREVIOUS` only, and may be weak. Throws `Problems`.
 */
export async function findKey(path: string, env: Env): Promise<LedgerKey | undefined> {
  const previous = textIn(env, givenBefore);
  const text = textIn(env, given);
  const key = text === undefined ? await keptIn(path) : strongKey(text, given);
  if (previous === undefined) return key;
  if (key === undefined)
    throw new Problems([
      problem('key/previous-alone', `${givenBefore} is set, but there is no current key`, {
        hint: `create one with \`trueup ledger key\`, or set ${given} to the new key`,
      }),
    ]);
  const before = previousKey(previous);
  // Taken for a rotation, it would look done at once, and the key that was to go would stay in use.
  if (key.id === before.id)
    throw new Problems([
      problem('key/same', `${givenBefore} is the current key`, {
        hint: `set ${given} (or ${path}) to the new key; once nothing uses the old one, remove ${givenBefore}`,
      }),
    ]);
  return { ...key, previous: before };
}

/**
 * Makes the file with a key, for nobody else to read, unless there is one; gives back the key that is there then. Of two runs that
 * make it at once the first decides. Throws `Problems`.
 */
export async function createKeyFile(path: string): Promise<LedgerKey> {
  const made = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(made, `${createKeyText()}\n`, { mode: 0o600, flag: 'wx' });
    // Whole or not at all, and never over another one.
    await link(made, path)
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      })
      .finally(() => unlink(made));
  } catch (error) {
    await unlink(made).catch(() => {});
    throw new Problems([
      problem('key/unwritable', `the ledger key ${path} cannot be created: ${systemText(error as Error)}`, {
        hint: `check its folder, the permissions and the free space; or set ${given}`,
      }),
    ]);
  }
  return (await keptIn(path))!;
}

/** An empty variable is what CI systems make of a secret that they do not give out. */
const textIn = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

async function keptIn(path: string): Promise<LedgerKey | undefined> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Problems([
      problem('key/unreadable', `the ledger key ${path} cannot be read: ${systemText(error)}`, {
        hint: `check the file and its permissions; or set ${given}`,
      }),
    ]);
  });
  return kept === undefined ? undefined : strongKey(kept.trim(), path);
}

/** A key that signs. Versions before sub-keys used its text: what that left behind is still compared. */
function strongKey(text: string, place: string): SigningKey {
  const bytes = parseRandomBytes(text);
  if (bytes) return { ...ledgerKey(bytes), former: formerKey(text) };
  const away = place === given ? '' : 'move it away, ';
  throw new Problems([
    problem('key/weak', `${place} is not a key: a key must be 32 random bytes in base64, base64url or hex`, {
      hint: `${away}create one with \`trueup ledger key\` (--print for a CI system), and sign the ledger with \`trueup ledger sign\`; if this text was the key until now, set ${givenBefore} to it until one apply succeeds: it is only used to compare the secrets recorded with it`,
    }),
  ]);
}

function previousKey(text: string): NonNullable<LedgerKey['previous']> {
  const bytes = parseRandomBytes(text);
  return bytes ? { ...ledgerKey(bytes), former: formerKey(text) } : formerKey(text);
}

/**
 * The bytes of a key, of at least 32; undefined where the text is none, or does not look random. What somebody thought of (a pass
 * phrase, also as base64; a row of the keyboard; a pattern) is refused; of random keys less than one in a thousand million.
 */
export function parseRandomBytes(text: string): Buffer | undefined {
  const isHex = /^(?:[\da-f]{2}){32,}$/i.test(text);
  if (!isHex && !/^[\w+/-]{43,}={0,2}$/.test(text)) return undefined;
  const classes = isHex ? [/\d/, /[a-f]/i] : [/[a-z]/, /[A-Z]/];
  if (!classes.every((one) => one.test(text))) return undefined;
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
  const steps = bytes.map((byte, index) => byte - (bytes[index - 1] ?? 0));
  const isVaried = [bytes, steps].every((numbers) => new Set(numbers).size >= 16);
  const isText = bytes.every((byte) => byte < 128);
  return bytes.length >= 32 && isVaried && !isText ? bytes : undefined;
}
