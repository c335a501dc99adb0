import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { Sealed } from '../model/sealed.ts';
import { FileContent } from '../model/value.ts';
import type { Headers } from './bucket.ts';
import type { Alarm } from './clock.ts';
import type { Connections } from './connections.ts';

/*
 * Sends one request and reads its answer within bounds, because a server, a proxy or somebody in between may answer
 * anything: without an end, too slowly, too large or too deep. Only this file receives bytes from the network, except
 * for the clients of PostgreSQL and S3.
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
  /** Bytes of the body of an error. The rest is not read. */
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
 * An answer whose body has not been read yet. The caller reads `parts` to the end, passing each to `countPart`, and calls `end` when it is
 * done or gives up.
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
 * Sends one request and reads the answer up to its headers; the caller reads the body from `parts`, within the same deadline, and calls
 * `end` then. Throws errors of undici, and `BoundExceeded`, also while the parts are read. Redirects are not followed, the content
 * of 1xx answers is ignored, and nothing is decompressed. Used for answers that are read piece by piece, and by `exchange`.
 */
export async function openExchange(
  connections: Connections,
  request: Dispatcher.RequestOptions,
  bounds: Bounds,
  alarm: Alarm,
): Promise<OpenedAnswer> {
  const controller = new AbortController();
  const exceed = (bound: keyof Bounds) => controller.abort(new BoundExceeded(bound));
  const { countPart, end } = startDeadline(bounds, alarm, () => exceed('deadline'));
  // The number of informational answers (1xx) before the final one.
  let interimCount = 0;
  try {
    const { statusCode, headers, body } = await connections.request({
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
    return { status: statusCode, headers, parts: body, countPart, end };
  } catch (error) {
    end();
    throw error;
  }
}

/**
 * Starts the deadline for one exchange, and calls `onExceeded` when it is over. A large body may take longer: for each `leastRate` bytes
 * that were sent or received (`countPart`), the exchange gets one second more. `alarm`: calls a function after a time. `end` stops the
 * deadline.
 */
function startDeadline(
  bounds: Pick<Bounds, 'deadline' | 'leastRate'>,
  alarm: Alarm,
  onExceeded: () => void,
): Pick<OpenedAnswer, 'countPart' | 'end'> {
  let countedBytes = 0;
  let grantedTime = 0;
  let cancelAlarm = () => {};
  const setAlarm = (milliseconds: number) => {
    cancelAlarm = alarm(milliseconds, () => {
      const earnedTime = Math.floor((countedBytes / bounds.leastRate) * 1000);
      const extraTime = earnedTime - grantedTime;
      if (extraTime < 1) return onExceeded();
      grantedTime = earnedTime;
      setAlarm(extraTime);
    });
  };
  setAlarm(bounds.deadline);
  return {
    countPart: ({ length }) => {
      countedBytes += length;
    },
    end: () => cancelAlarm(),
  };
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
 * Sends one request, to the platform or to a store of ledgers, and reads the answer to its end. Throws like `openExchange` and `readToEnd`:
 * what undici throws, or `BoundExceeded` for an answer that is too large or too slow.
 */
export async function exchange(
  connections: Connections,
  request: Dispatcher.RequestOptions,
  bounds: Bounds,
  alarm: Alarm,
): Promise<RawAnswer> {
  return readToEnd(await openExchange(connections, request, bounds, alarm), bounds);
}

/**
 * Reads the body of an answer to its end. Throws `BoundExceeded` for a success that is too large; an error that is too large is cut,
 * because its beginning is enough to show.
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
      if (receivedBytes > mostBytes) {
        if (isSuccess) throw new BoundExceeded('maxBytes');
        break;
      }
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

/**
 * Returns a body as it is sent: JSON with its secrets revealed, or the bytes of a file. `secrets` lists the revealed texts, so that errors
 * can be searched for them. The content must only be passed to the socket.
 */
export function toWire(body: unknown): { content: string | Uint8Array; type: string; secrets: Sealed[] } {
  if (body instanceof FileContent) return { content: body.bytes, type: body.type, secrets: [] };
  const secrets: Sealed[] = [];
  const content = JSON.stringify(body, function (this: Record<string, unknown>, name, value) {
    // toJSON has already hidden the secret in `value`. The object that holds it (`this`) still has the original.
    const original = this[name];
    if (!(original instanceof Sealed)) return value;
    secrets.push(original);
    return original.open();
  });
  return { content, type: 'application/json', secrets };
}
