import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { jsonIn } from '../../model/json-in.ts';

/** Why the content of a path is not taken: it is not a regular file, or it has more than is read. */
type NotRead = 'special' | 'too-large';

/**
 * The content of a regular file of at most `maxBytes`. The path must be a real one: a link at its end is not followed. Rejects with
 * the error of the system, for example where there is no such file.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer | NotRead> {
  // Before it is opened: opening a pipe waits for whoever writes to it, opening a device may do anything.
  const before = judgeStats(await stat(path), maxBytes);
  if (before) return before;
  // The folder may have changed since then.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const handle = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const refused = judgeStats(await handle.stat(), maxBytes);
    if (refused) return refused;
    const chunks: Buffer[] = [];
    let length = 0;
    // Files of the system say that they are empty, and others may grow.
    while (length <= maxBytes) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(64 * 1024));
      if (bytesRead === 0) return Buffer.concat(chunks);
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    return 'too-large';
  } finally {
    await handle.close();
  }
}

function judgeStats(found: { isFile(): boolean; size: number }, maxBytes: number): NotRead | undefined {
  if (!found.isFile()) return 'special';
  return found.size > maxBytes ? 'too-large' : undefined;
}

/**
 * True for a ledger, a lease, a line of a journal or a saved plan, wherever the file came from. None of them holds a secret of the user,
 * and what a ledger knows of other stacks must not be sent anywhere.
 */
export function isOwnDocument(bytes: Buffer): boolean {
  const text = bytes.toString('utf8').trimStart();
  if (!text.startsWith('{')) return false;
  const first = parseObject(text) ?? parseObject(text.split('\n', 1)[0]!);
  if (first === undefined) return false;
  const has = (...names: string[]) => names.every((name) => Object.hasOwn(first, name));
  return (
    first.format === 'trueup plan' || has('stack', 'generation', 'entries') || has('generation', 'journal')
  );
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = jsonIn(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
