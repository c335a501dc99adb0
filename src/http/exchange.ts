import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { Sealed } from '../model/sealed.ts';
import { FileContent } from '../model/value.ts';
import type { Headers } from './bucket.ts';
import type { Alarm } from './clock.ts';

/** Limits on the time and memory that one answer may take. Times in milliseconds. */
export interface Bounds {
  connections: number;
  connectTimeout: number;
  /** Between two signs of life: until the headers, and then between two parts of the body. */
  idle: number;
  /** For all of it. A long answer gets more: a second for each `leastRate` bytes that have come. */
  deadline: number;
  /** Bytes in a second. */
  leastRate: number;
  /** Answers of the 1xx kind that may come before the real one. */
  interim: number;
  /** Bytes of a body. */
  maxBytes: number;
  /** The same for an answer that is no success: what it says is for people. */
  maxErrorBytes: number;
  /** Levels of JSON. */
  maxDepth: number;
}

export const standardBounds: Bounds = {
  connections: 10,
  connectTimeout: 10_000,
  idle: 60_000,
  deadline: 120_000,
  leastRate: 64 * 1024,
  interim: 20,
  maxBytes: 64 * 1024 * 1024,
  maxErrorBytes: 1024 * 1024,
  maxDepth: 256,
};

/** An answer that went beyond one of its bounds. */
export class Exceeded extends Error {
  readonly bound: keyof Bounds;

  constructor(bound: keyof Bounds) {
    super(`beyond ${bound}`);
    this.bound = bound;
  }
}

/** An answer as it came. */
export interface Raw {
  status: number;
  headers: Headers;
  text: string;
  /** It is an error whose body was longer than its bound: the rest was not read. */
  isCut: boolean;
}

/** An answer whose body is still to come. Its parts are read to their end, each told with `came`, or given up with `end`. */
export interface Opened {
  status: number;
  headers: Headers;
  parts: AsyncIterable<Buffer>;
  /** A part came: there is more time for the others. */
  came(part: Buffer): void;
  /** Reading is over: nothing is waited for any more. */
  end(): void;
}

/**
 * Sends one request, and reads the answer as far as its headers: the only place that hears what another side sends. Each side may
 * take as long as there are signs of life, and more time for each part that comes or goes. Throws what undici throws, and
 * `Exceeded`, while the parts are read, too; the connection is closed then. Redirects are not followed, trailers and 1xx answers not
 * looked at, and nothing is decompressed.
 */
export async function openExchange(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  bounds: Bounds,
  alarm: Alarm,
): Promise<Opened> {
  const controller = new AbortController();
  const exceed = (bound: keyof Bounds) => controller.abort(new Exceeded(bound));
  let bytes = 0;
  let granted = 0;
  let off = () => {};
  const wait = (milliseconds: number) => {
    off = alarm(milliseconds, () => {
      const more = Math.floor((bytes / bounds.leastRate) * 1000) - granted;
      if (more < 1) return exceed('deadline');
      granted += more;
      wait(more);
    });
  };
  const came = ({ length }: Buffer) => {
    bytes += length;
  };
  wait(bounds.deadline);
  let interim = 0;
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      ...request,
      ...(request.body instanceof Readable
        ? { body: Readable.from(partsOf({ parts: request.body, came })) }
        : {}),
      signal: controller.signal,
      onInfo: () => {
        interim += 1;
        if (interim > bounds.interim) exceed('interim');
      },
    });
    return { status: statusCode, headers, parts: body, came, end: () => off() };
  } catch (error) {
    off();
    throw error;
  }
}

/** Parts as they come, each told. */
export async function* partsOf({ parts, came }: Pick<Opened, 'parts' | 'came'>): AsyncIterable<Buffer> {
  for await (const part of parts) {
    came(part);
    yield part;
  }
}

/** Sends one request and reads the answer to its end, within bounds. Throws as `openExchange` does. */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  bounds: Bounds,
  alarm: Alarm,
): Promise<Raw> {
  return collected(await openExchange(dispatcher, request, bounds, alarm), bounds);
}

/** Reads an answer to its end. Throws `Exceeded` for a success that is longer than it may be. */
export async function collected({ status, headers, parts, came, end }: Opened, bounds: Bounds): Promise<Raw> {
  const isSuccess = status < 300;
  const most = isSuccess ? bounds.maxBytes : bounds.maxErrorBytes;
  const read: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of parts) {
      came(part);
      read.push(part);
      bytes += part.length;
      if (bytes <= most) continue;
      if (isSuccess) throw new Exceeded('maxBytes');
      break;
    }
    return { status, headers, text: new TextDecoder().decode(Buffer.concat(read)), isCut: bytes > most };
  } finally {
    end();
  }
}

/** Parses a text as JSON; `undefined` for an empty one. */
export type Read = { json: unknown } | 'no JSON' | 'too deep';

/** Parses JSON of at most `maxDepth` levels: what walks over a value must not run out of stack. */
export function readJson(text: string, maxDepth: number): Read {
  if (text.trim() === '') return { json: undefined };
  if (isDeeper(text, maxDepth)) return 'too deep';
  try {
    return { json: JSON.parse(text) };
  } catch {
    return 'no JSON';
  }
}

/** True if brackets are nested deeper than `maxDepth` in JSON that is not parsed yet. Brackets in strings do not count. */
function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 34) index = endOfString(text, index);
    else if (unit === 91 || unit === 123) {
      if (++depth > maxDepth) return true;
    } else if (unit === 93 || unit === 125) depth--;
  }
  return false;
}

/** Returns the index of the quote that ends a JSON string, or the length of a text that ends within it. Answers consist mostly of strings. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first--;
    // An odd number of backslashes escapes the quote.
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/** A body as it is sent: JSON text with its secrets revealed, and these secrets, or the bytes of a file. Only for handing to the socket. */
export function toWire(body: unknown): { content: string | Uint8Array; type: string; secrets: Sealed[] } {
  if (body instanceof FileContent) return { content: body.bytes, type: body.type, secrets: [] };
  const secrets: Sealed[] = [];
  const content = JSON.stringify(body, function (this: Record<string, unknown>, name, value) {
    // `value` has been through toJSON already, which hides the secret; the holder still has it.
    const original = this[name];
    if (!(original instanceof Sealed)) return value;
    secrets.push(original);
    return original.reveal();
  });
  return { content, type: 'application/json', secrets };
}
