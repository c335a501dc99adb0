import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { Sealed } from '../model/sealed.ts';
import { FileContent } from '../model/value.ts';
import type { Headers } from './bucket.ts';
import type { Alarm } from './clock.ts';

/*
 * Sends one request and reads its answer within bounds, because a server, a proxy or somebody in between may answer anything: without an end,
 * too slowly, too large or too deep. This is the only file that receives bytes from the network.
 */

/** Limits on the time and memory that one answer may take. Times in milliseconds. */
export interface Bounds {
  connections: number;
  connectTimeout: number;
  /** The longest pause: until the headers, and then between two parts of the body. */
  idle: number;
  /** For the whole exchange. A large answer gets more time: a second for each `leastRate` bytes that were sent or received. */
  deadline: number;
  /** Bytes per second. */
  leastRate: number;
  /** The number of 1xx answers that may precede the final one. */
  interim: number;
  /** Bytes of the body of a success. */
  maxBytes: number;
  /** Bytes of the body of an error, whose text is only shown to people. */
  maxErrorBytes: number;
  /** Levels of nested JSON. */
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

/** An answer exceeded one of its bounds. */
export class BoundExceeded extends Error {
  readonly bound: keyof Bounds;

  constructor(bound: keyof Bounds) {
    super(`the answer exceeds ${bound}`);
    this.bound = bound;
  }
}

/** An answer with its body as text. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** True if the answer is an error whose body exceeds `maxErrorBytes`: the rest was not read. */
  isCut: boolean;
}

/**
 * An answer whose body has not been read yet. The caller reads `parts` to the end, passing each to `countPart`, and calls `end` when it is done or
 * gives up.
 */
export interface OpenedAnswer {
  status: number;
  headers: Headers;
  parts: AsyncIterable<Buffer>;
  /** Counts a part, which extends the deadline. */
  countPart(part: Buffer): void;
  /** Ends the supervision of the deadline. */
  end(): void;
}

/**
 * Sends one request and reads the answer up to its headers. Each part of a body that is sent or received extends the
 * deadline. Throws what undici throws, and `BoundExceeded`; both can also be thrown while the parts are read, and
 * then the connection is closed. Redirects are not followed, trailers and the content of 1xx answers are ignored, and
 * nothing is decompressed. Used for answers whose body is read piece by piece, and by `exchange`.
 */
export async function openExchange(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  bounds: Bounds,
  alarm: Alarm,
): Promise<OpenedAnswer> {
  const controller = new AbortController();
  const exceed = (bound: keyof Bounds) => controller.abort(new BoundExceeded(bound));
  let countedBytes = 0;
  let grantedTime = 0;
  let cancelAlarm = () => {};
  const setDeadline = (milliseconds: number) => {
    cancelAlarm = alarm(milliseconds, () => {
      const extraTime = Math.floor((countedBytes / bounds.leastRate) * 1000) - grantedTime;
      if (extraTime < 1) return exceed('deadline');
      grantedTime += extraTime;
      setDeadline(extraTime);
    });
  };
  const countPart = ({ length }: Buffer) => {
    countedBytes += length;
  };
  setDeadline(bounds.deadline);
  let interimCount = 0;
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      ...request,
      body:
        request.body instanceof Readable
          ? Readable.from(countedParts({ parts: request.body, countPart }))
          : request.body,
      signal: controller.signal,
      onInfo: () => {
        interimCount += 1;
        if (interimCount > bounds.interim) exceed('interim');
      },
    });
    return { status: statusCode, headers, parts: body, countPart, end: () => cancelAlarm() };
  } catch (error) {
    cancelAlarm();
    throw error;
  }
}

/**
 * Yields the parts of a body and counts their bytes. Each part extends the deadline, so that a large body may take
 * longer than a small one.
 */
export async function* countedParts({
  parts,
  countPart,
}: Pick<OpenedAnswer, 'parts' | 'countPart'>): AsyncIterable<Buffer> {
  for await (const chunk of parts) {
    countPart(chunk);
    yield chunk;
  }
}

/**
 * Sends one request, to the platform or to a store of ledgers, and reads the answer to its end. Throws like `openExchange` and `readToEnd`: what
 * undici throws, or `BoundExceeded` for an answer that is too large or too slow.
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  bounds: Bounds,
  alarm: Alarm,
): Promise<RawAnswer> {
  return readToEnd(await openExchange(dispatcher, request, bounds, alarm), bounds);
}

/**
 * Reads the body of an answer to its end. Throws `BoundExceeded` for a success that is too large; an error that is too large is cut, because its
 * beginning is enough to show.
 */
export async function readToEnd(
  { status, headers, parts, countPart, end }: OpenedAnswer,
  bounds: Bounds,
): Promise<RawAnswer> {
  const isSuccess = status < 300;
  const mostBytes = isSuccess ? bounds.maxBytes : bounds.maxErrorBytes;
  const receivedParts: Buffer[] = [];
  let receivedBytes = 0;
  try {
    for await (const chunk of parts) {
      countPart(chunk);
      receivedParts.push(chunk);
      receivedBytes += chunk.length;
      if (receivedBytes <= mostBytes) continue;
      if (isSuccess) throw new BoundExceeded('maxBytes');
      break;
    }
    return {
      status,
      headers,
      text: new TextDecoder().decode(Buffer.concat(receivedParts)),
      isCut: receivedBytes > mostBytes,
    };
  } finally {
    end();
  }
}

/** The outcome of parsing a body. `json` is undefined for an empty body. */
export type ParsedBody = { json: unknown } | 'no JSON' | 'too deep';

/** Parses JSON of at most `maxDepth` levels. The limit exists because functions that walk over a value are recursive. */
export function parseBoundedJson(text: string, maxDepth: number): ParsedBody {
  if (text.trim() === '') return { json: undefined };
  if (isDeeper(text, maxDepth)) return 'too deep';
  try {
    return { json: JSON.parse(text) };
  } catch {
    return 'no JSON';
  }
}

/** Character codes of JSON. Comparing numbers is faster than comparing characters. */
const jsonCodes = { quote: 34, openBracket: 91, closeBracket: 93, openBrace: 123, closeBrace: 125 };

/**
 * True if JSON that is not parsed yet nests brackets deeper than `maxDepth`. Called before parsing, because the
 * parser is recursive and a hostile answer could exhaust the stack. Brackets in strings do not count.
 */
function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === jsonCodes.quote) index = endOfString(text, index);
    else if (code === jsonCodes.openBracket || code === jsonCodes.openBrace) {
      if (++depth > maxDepth) return true;
    } else if (code === jsonCodes.closeBracket || code === jsonCodes.closeBrace) depth--;
  }
  return false;
}

/**
 * Returns the index of the quote that ends the JSON string starting at `start`, or the length of a text that ends
 * within it. Used to skip strings when brackets are counted; answers consist mostly of strings.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let firstBackslash = end;
    while (text[firstBackslash - 1] === '\\') firstBackslash--;
    const isEscaped = (end - firstBackslash) % 2 === 1;
    if (!isEscaped) return end;
  }
  return text.length;
}

/**
 * Returns a body as it is sent: JSON with its secrets revealed, or the bytes of a file. `secrets` lists the revealed texts, so that errors can
 * be searched for them. The content must only be passed to the socket.
 */
export function toWire(body: unknown): { content: string | Uint8Array; type: string; secrets: Sealed[] } {
  if (body instanceof FileContent) return { content: body.bytes, type: body.type, secrets: [] };
  const secrets: Sealed[] = [];
  const content = JSON.stringify(body, function (this: Record<string, unknown>, name, value) {
    // toJSON has already hidden the secret in `value`. The object that holds it (`this`) still has the original.
    const original = this[name];
    if (!(original instanceof Sealed)) return value;
    secrets.push(original);
    return original.reveal();
  });
  return { content, type: 'application/json', secrets };
}
