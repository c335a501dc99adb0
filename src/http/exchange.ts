import type { Dispatcher } from 'undici';
import type { Alarm } from './clock.ts';
import type { Headers } from './limits.ts';

/** How much of our time and memory one answer gets. Times in milliseconds. */
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

/**
 * Sends one request and reads the answer to its end, within bounds: the only place that reads what another side sends. Throws what
 * undici throws, and `Exceeded`; the connection is closed then. Redirects are not followed, trailers and 1xx answers not looked at,
 * and nothing is decompressed.
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  bounds: Bounds,
  alarm: Alarm,
): Promise<Raw> {
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
  wait(bounds.deadline);
  let interim = 0;
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      ...request,
      signal: controller.signal,
      onInfo: () => {
        interim += 1;
        if (interim > bounds.interim) exceed('interim');
      },
    });
    const isSuccess = statusCode < 300;
    const most = isSuccess ? bounds.maxBytes : bounds.maxErrorBytes;
    const parts: Buffer[] = [];
    for await (const part of body) {
      parts.push(part);
      bytes += part.length;
      if (bytes <= most) continue;
      if (isSuccess) throw new Exceeded('maxBytes');
      break;
    }
    const text = new TextDecoder().decode(Buffer.concat(parts));
    return { status: statusCode, headers, text, isCut: bytes > most };
  } finally {
    off();
  }
}
