/*
 * Reads a response to `trueup api` in pieces, so that a response of any length fits into memory, and makes text of it or a file.
 */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { prepareOutputFile, refuseUnwritable } from '../files/write-files.ts';
import type { Host } from '../host.ts';
import type { ApiAnswer } from '../model/request.ts';

/** The size in bytes up to which a JSON response is indented. A longer one is printed as it comes. */
export const maxIndentedBytes = 4 * 1024 * 1024;

/** Formats the status and the headers for `api --include`, like the head of an HTTP response, with an empty line below. */
export function formatResponseHead(status: number, headers: ApiAnswer['headers']): string {
  const lines = Object.entries(headers).flatMap(([name, header]) => {
    const values = [header].flat().filter((value) => value !== undefined);
    return values.map((value) => `${name}: ${value}`);
  });
  return [`HTTP ${status}`, ...lines, '', ''].join('\n');
}

/**
 * Indents a JSON response of `trueup api` for people. Returns it as it is if parsing could change a number in it, and undefined if it is
 * not JSON.
 */
export function indentJson(text: string): string | undefined {
  try {
    const value = JSON.parse(text);
    return /\d{16}|[eE][+-]?\d{3}/.test(text) ? text : JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}

/**
 * Reads at least `leastBytes` of a response, or all of a shorter one, since only a complete JSON response of that size can be indented.
 * `more` reads the bytes after the start; it is undefined at the end of the response.
 */
export async function readStart(
  parts: AsyncIterable<Uint8Array>,
  leastBytes: number,
): Promise<{ start: Buffer; more?: AsyncIterator<Uint8Array> }> {
  const more = parts[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < leastBytes) {
    const next = await more.next();
    if (next.done) return { start: Buffer.concat(chunks) };
    chunks.push(next.value);
    length += next.value.length;
  }
  return { start: Buffer.concat(chunks), more };
}

/**
 * Yields the start of a response, read before to detect its form, followed by the remaining parts, so that `trueup api` prints large
 * responses without keeping them in memory. Closes the response if its reader stops early.
 */
export async function* joinResponse(
  start: Buffer,
  more?: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  try {
    yield start;
    for (let next = await more?.next(); next && !next.done; next = await more!.next()) yield next.value;
  } finally {
    await more?.return?.();
  }
}

/** Decodes bytes in pieces that end at line ends if possible, so that masking does not miss a secret across two pieces of a line. */
export async function* decodeLines(parts: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const bytes of parts) {
    pending += decoder.decode(bytes, { stream: true });
    const lineEnd = pending.lastIndexOf('\n') + 1;
    const isTooLong = pending.length > maxIndentedBytes;
    const end = lineEnd || (isTooLong ? pending.length : 0);
    if (end > 0) yield pending.slice(0, end);
    pending = pending.slice(end);
  }
  pending += decoder.decode();
  if (pending !== '') yield pending;
}

/**
 * True unless the start of a response is text (UTF-8 without NUL bytes). Binary data is not printed, because secrets in it cannot be
 * masked.
 */
export function isBinary(start: Buffer): boolean {
  const sample = start.subarray(0, 4096);
  if (sample.includes(0)) return true;
  try {
    // As a part of a stream, because the end of the sample may cut a character.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return false;
  } catch {
    return true;
  }
}

/**
 * Writes a response to a file, completely or not at all. Only the owner can read the file, because the response may contain secrets.
 * Returns the number of bytes. Throws `Problems` if the file cannot be written.
 */
export async function writeResponseFile(
  host: Host,
  path: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<number> {
  const file = await prepareOutputFile(host, path);
  // The random name prevents others from placing a link there first.
  const partFile = `${file}.${randomBytes(6).toString('hex')}.part`;
  let byteCount = 0;
  async function* countBytes() {
    for await (const bytes of parts) {
      byteCount += bytes.length;
      yield bytes;
    }
  }
  try {
    await pipeline(countBytes(), createWriteStream(partFile, { mode: 0o600, flags: 'wx' }));
    await rename(partFile, file);
  } catch (error) {
    await rm(partFile, { force: true });
    return refuseUnwritable(path)(error as Error);
  }
  return byteCount;
}
