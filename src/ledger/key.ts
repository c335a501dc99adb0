import { randomBytes } from 'node:crypto';
import { link, mkdir, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeSystemError } from '../model/describe-errors.ts';
import { problem, raise } from '../model/diagnostic.ts';
import { type LedgerKey, ledgerKeyFrom, legacyKeyFrom, type SigningKey } from '../model/digest.ts';
import { readIfExists } from './file-documents.ts';

type KeyEnv = Record<string, string | undefined>;

const keyVariable = 'TRUEUP_LEDGER_KEY';
const previousKeyVariable = 'TRUEUP_LEDGER_KEY_PREVIOUS';

/** Creates the text of a new key: 32 random bytes in base64url. */
export const createKeyText = (): string => randomBytes(32).toString('base64url');

/**
 * Finds the key that signs and verifies a ledger: in `TRUEUP_LEDGER_KEY`, else in the file at `path`; undefined if there is none. While
 * a team changes to a new key, `TRUEUP_LEDGER_KEY_PREVIOUS` has the old one. Throws `Problems` for a current key that is not random, and
 * for a previous key without a current one or equal to it.
 */
export async function findKey(path: string, env: KeyEnv): Promise<LedgerKey | undefined> {
  const previous = readVariable(env, previousKeyVariable);
  const text = readVariable(env, keyVariable);
  const key = text === undefined ? await readKeyFile(path) : parseStrongKey(text, keyVariable);
  if (previous === undefined) return key;
  if (key === undefined)
    raise('key/previous-alone', `${previousKeyVariable} is set, but there is no current key`, {
      hint: `create one with \`trueup ledger key\`, or set ${keyVariable} to the new key`,
    });
  const previousKey = parsePreviousKey(previous);
  // Otherwise the change of keys would look finished at once, and the old key would stay in use.
  if (key.id === previousKey.id)
    raise('key/same', `${previousKeyVariable} is the current key`, {
      hint: `set ${keyVariable} (or ${path}) to the new key; once nothing uses the old one, remove ${previousKeyVariable}`,
    });
  return { ...key, previous: previousKey };
}

/**
 * Creates the file with the ledger key (the key that signs the ledger), which only its owner can read, unless it exists, and returns the
 * key in it. If two runs create it at the same time, both return the key of the first. Throws `Problems` if the file system refuses.
 */
export async function createKeyFile(path: string): Promise<LedgerKey> {
  const temporaryPath = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporaryPath, `${createKeyText()}\n`, { mode: 0o600, flag: 'wx' });
    // A hard link appears with its full content, and fails if there is a key file already.
    await link(temporaryPath, path)
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      })
      .finally(() => unlink(temporaryPath));
  } catch (error) {
    await unlink(temporaryPath).catch(() => {});
    raise('key/file', `the ledger key ${path} cannot be created: ${describeSystemError(error as Error)}`, {
      hint: `check its folder, the permissions and the free space; or set ${keyVariable}`,
    });
  }
  return (await readKeyFile(path))!;
}

/** Returns the value of a variable. An empty one counts as missing, because CI systems leave secrets that they withhold empty. */
const readVariable = (env: KeyEnv, name: string): string | undefined => env[name]?.trim() || undefined;

/**
 * Reads the file with the key that signs ledgers; undefined if it does not exist. Throws `Problems` if it cannot be
 * read or its key is not random. An unreadable key must not be taken for a missing one, because a new key would be
 * created in its place.
 */
async function readKeyFile(path: string): Promise<LedgerKey | undefined> {
  const text = await readIfExists(path, (error) =>
    problem('key/file', `the ledger key ${path} cannot be read: ${describeSystemError(error)}`, {
      hint: `check the file and its permissions; or set ${keyVariable}`,
    }),
  );
  return text === undefined ? undefined : parseStrongKey(text.trim(), path);
}

/**
 * Parses the text of a key that signs ledgers. Throws `Problems` if it is not random, because with a guessed key an
 * attacker could sign a forged ledger. `legacyKey` is the key as early versions derived it from the text: digests
 * that they made can still be compared. `place`: the variable or file with the key, for the message.
 */
function parseStrongKey(text: string, place: string): SigningKey {
  const bytes = parseRandomBytes(text);
  if (bytes) return { ...ledgerKeyFrom(bytes), legacyKey: legacyKeyFrom(text) };
  const moveAway = place === keyVariable ? '' : 'move it away, ';
  raise('key/weak', `${place} is not a key: a key must be 32 random bytes in base64, base64url or hex`, {
    hint: `${moveAway}create one with \`trueup ledger key\` (--print for a CI system), and sign the ledger with \`trueup ledger sign\`; if this text was the key until now, set ${previousKeyVariable} to it until one apply succeeds: it is only used to compare the secrets recorded with it`,
  });
}

/** Parses the previous key. It may be weak, because it signs nothing any more. */
function parsePreviousKey(text: string): NonNullable<LedgerKey['previous']> {
  const bytes = parseRandomBytes(text);
  return bytes ? { ...ledgerKeyFrom(bytes), legacyKey: legacyKeyFrom(text) } : legacyKeyFrom(text);
}

/**
 * Parses a key of at least 32 random bytes in base64, base64url or hex; undefined if the text has another form or does not look random.
 * Used to refuse keys that a person made up: pass phrases (also in base64), rows of the keyboard, patterns. A random key is refused in
 * fewer than one case in a thousand million.
 */
export function parseRandomBytes(text: string): Buffer | undefined {
  const isHex = /^(?:[\da-f]{2}){32,}$/i.test(text);
  if (!isHex && !/^[\w+/-]{43,}={0,2}$/.test(text)) return undefined;
  // Random text of this length has characters of both classes.
  const classes = isHex ? [/\d/, /[a-f]/i] : [/[a-z]/, /[A-Z]/];
  if (!classes.every((pattern) => pattern.test(text))) return undefined;
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
  // A pattern such as `abcdef` has many different bytes, but few different steps between them.
  const steps = bytes.map((byte, index) => byte - (bytes[index - 1] ?? 0));
  const isVaried = [bytes, steps].every((numbers) => new Set(numbers).size >= 16);
  // A pass phrase in base64.
  const isText = bytes.every((byte) => byte < 128);
  return bytes.length >= 32 && isVaried && !isText ? bytes : undefined;
}
