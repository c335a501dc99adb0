import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { tryParseJson } from '../../model/read-json.ts';

/** Why a path was not read: it is not a regular file, or the file is too large. */
type NotRead = 'special' | 'too-large';

/**
 * Returns the bytes of a regular file of at most `maxBytes`, or why it was not read. Used for all files that
 * a configuration names, since a pipe or a device could block or do harm. The path must be a real one: a link
 * at its end is not followed. Rejects with the error of the system, for example if there is no such file.
 *
 * Reads without giving way to other work: the files are small, and each step of an asynchronous read takes longer than all of them do here.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer | NotRead> {
  // Check before opening: opening a pipe waits for its writer, and opening a device may do anything.
  const refusedBefore = judgeStats(statSync(path), maxBytes);
  if (refusedBefore) return refusedBefore;
  // Check again, because the file may have been replaced in the meantime.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = fstatSync(file);
    const refused = judgeStats(stats, maxBytes);
    if (refused) return refused;
    // Do not trust the size: files of the system report 0, and others may grow. With one byte more than the size, the end is found without
    // a larger buffer.
    let buffer = Buffer.allocUnsafe(stats.size + 1);
    let length = 0;
    while (length <= maxBytes) {
      const bytesRead = readSync(file, buffer, length, buffer.length - length, null);
      if (bytesRead === 0) return buffer.subarray(0, length);
      length += bytesRead;
      if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length + 64 * 1024);
    }
    return 'too-large';
  } finally {
    closeSync(file);
  }
}

/** Returns why a file must not be read; undefined if it may be. */
function judgeStats(stats: { isFile(): boolean; size: number }, maxBytes: number): NotRead | undefined {
  if (!stats.isFile()) return 'special';
  return stats.size > maxBytes ? 'too-large' : undefined;
}

/**
 * True if a file is a ledger, a lease, a line of a journal or a saved plan, wherever it came from. Used to
 * refuse such files as data of a configuration: they contain facts about other stacks, and these must not be
 * sent anywhere.
 */
export function isTrueupDocument(bytes: Buffer): boolean {
  const text = bytes.toString('utf8').trimStart();
  if (!text.startsWith('{')) return false;
  const document = parseObject(text) ?? parseObject(text.split('\n', 1)[0]!);
  if (document === undefined) return false;
  const has = (...names: string[]) => names.every((name) => Object.hasOwn(document, name));
  return (
    document.format === 'trueup plan' || has('stack', 'generation', 'entries') || has('generation', 'journal')
  );
}

/** Parses a JSON object; undefined for anything else. */
function parseObject(text: string): Record<string, unknown> | undefined {
  const value = tryParseJson(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
