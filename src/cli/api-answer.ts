import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { inActions, inCi } from '../app/host.ts';
import { prepareOutputFile, refuseUnwritable } from '../app/output-file.ts';
import { Problems } from '../model/diagnostic.ts';
import type { Masking } from '../model/masking.ts';
import type { ApiAnswer } from '../model/request.ts';
import { visible } from '../report/clean.ts';
import { count } from '../report/count.ts';
import type { CommandHost } from './command-run.ts';
import type { Terminal } from './terminal.ts';

/** A longer one is not laid out anew. In bytes. */
const mostLaidOut = 4 * 1024 * 1024;

/**
 * Prints an answer, or writes it into a file as it comes: however long it is, it is never held whole. Secrets of this run are masked
 * in all that is printed; a file gets the bytes.
 */
export async function printAnswer(
  { status, headers, parts }: ApiAnswer,
  { output, include }: { output?: string; include?: boolean },
  masking: Masking,
  terminal: Terminal,
): Promise<void> {
  const { host } = terminal.run;
  if (include) terminal.out(masking.mask(headText(status, headers)));
  if (output !== undefined) {
    const bytes = await writeParts(host, output, parts);
    terminal.say(`Wrote ${output}: ${count(bytes, 'byte')}.`);
    return;
  }
  const [type = ''] = String(headers['content-type'] ?? '').split(';');
  const isJson = /^\w+\/(?!stream\+)([\w.-]+\+)?json$/i.test(type.trim());
  const { held, rest } = await begun(parts, isJson ? mostLaidOut : 1);
  if (held.length === 0) return;
  const json = isJson && rest === undefined ? indentJson(held.toString('utf8')) : undefined;
  if (json !== undefined) return terminal.out(masking.mask(json));
  // A runner obeys lines of any text but JSON, and in bytes no secret can be told.
  if (inCi(host) || inActions(host) || isBinary(held)) {
    await rest?.return?.();
    throw new Problems(
      'api/output',
      `the response is ${type || 'without a content type'} and is not printed`,
      {
        hint: 'write it to a file with --output FILE',
      },
    );
  }
  for await (const text of texts(followedBy(held, rest)))
    await write(host, shownOn(host, masking.mask(text)));
}

const shownOn = ({ stdout }: CommandHost, text: string) => (stdout.isTTY ? visible(text) : text);

function headText(status: number, headers: ApiAnswer['headers']): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [`${name}: ${one}`])),
  );
  return [`HTTP ${status}`, ...lines, '', ''].join('\n');
}

/** JSON with a line for each member, or as it is if that would change a number; undefined if it is none. */
function indentJson(text: string): string | undefined {
  try {
    const value = JSON.parse(text);
    return /\d{16}|[eE][+-]?\d{3}/.test(text) ? text : JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}

/** The beginning of an answer, of so many bytes at least, and the rest of one that is longer. */
async function begun(
  parts: AsyncIterable<Uint8Array>,
  least: number,
): Promise<{ held: Buffer; rest?: AsyncIterator<Uint8Array> }> {
  const rest = parts[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let length = 0;
  while (length < least) {
    const next = await rest.next();
    if (next.done) return { held: Buffer.concat(held) };
    held.push(next.value);
    length += next.value.length;
  }
  return { held: Buffer.concat(held), rest };
}

async function* followedBy(held: Buffer, rest?: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  yield held;
  for (let next = await rest?.next(); next && !next.done; next = await rest!.next()) yield next.value;
}

/** Bytes as text, cut at the ends of lines where there are some. */
async function* texts(parts: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let left = '';
  for await (const part of parts) {
    left += decoder.decode(part, { stream: true });
    const end = left.lastIndexOf('\n') + 1 || (left.length > mostLaidOut ? left.length : 0);
    if (end > 0) yield left.slice(0, end);
    left = left.slice(end);
  }
  left += decoder.decode();
  if (left !== '') yield left;
}

/** Text has no NUL, and is UTF-8. */
const isBinary = (start: Buffer): boolean => {
  const piece = start.subarray(0, 4096);
  return piece.includes(0) || piece.toString('utf8', 0, piece.length - 3).includes('\ufffd');
};

async function write({ stdout }: CommandHost, part: string): Promise<void> {
  if (!stdout.write(part)) await once(stdout, 'drain');
}

/** Writes a file whole or not at all; its number of bytes. Only its owner can read it: it may hold anything. */
async function writeParts(
  host: CommandHost,
  path: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<number> {
  const file = await prepareOutputFile(host, path);
  // Nobody else can have put a link there.
  const part = `${file}.${randomBytes(6).toString('hex')}.part`;
  let bytes = 0;
  async function* counted() {
    for await (const one of parts) {
      bytes += one.length;
      yield one;
    }
  }
  try {
    await pipeline(counted(), createWriteStream(part, { mode: 0o600, flags: 'wx' }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    return refuseUnwritable(path)(error as Error);
  }
  return bytes;
}
