import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../call.ts';
import { ApiError, badRequest, forbidden } from '../errors.ts';

/** Reads the whole body of a request to the twin, which then parses it or keeps it as a file. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * True if the `Content-Type` of a body names another format than JSON and plain text, as for a file. Without a type, the body counts as
 * JSON.
 */
export const isOtherThanJson = (type: string | undefined): boolean =>
  type !== undefined && !/^(application|text)\/([\w.-]+\+)?(json|plain)\b/i.test(type.trim());

/** Parses the JSON body of a request to the twin; undefined if the body is empty. Throws the platform's 400 for invalid JSON. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('Invalid JSON.');
  }
}

/** Returns the token in an `Authorization` header; undefined if the header is absent or has another form. */
export const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(header ?? '')?.[1];

/**
 * Checks the `Authorization` header of a request to the twin: throws the platform's 401 without a token, and 403 for another one than
 * `token`, with which the twin was started (undefined: any is accepted). `isListed`: the account itself has the token, so it is accepted as
 * well.
 */
export function checkToken(header: string | undefined, token: string | undefined, isListed = false): void {
  const sentToken = bearerOf(header);
  if (sentToken === undefined) {
    throw new ApiError(401, 'forbidden', 'The request is missing an authentication token', {
      missingToken: true,
    });
  }
  if (token !== undefined && !isListed && !isSame(sentToken, token))
    throw forbidden('Not authorized', { invalidToken: true });
}

const digest = (text: string) => createHash('sha256').update(text).digest();
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

const ownNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Throws 421 unless the host in the header is a name of this machine. Otherwise a web page could reach the twin by a
 * domain that resolves to this machine (DNS rebinding).
 */
export function checkHost(header: string | undefined): void {
  const name = (header ?? '').toLowerCase().replace(/:\d+$/, '');
  if (ownNames.has(name)) return;
  const message = 'The twin answers only under 127.0.0.1, localhost and [::1].';
  throw new ApiError(421, 'misdirected_request', message);
}

/** The part of an answer that goes out: all of it, half of its text, or nothing. */
export type Delivery = 'whole' | 'half' | 'half, then cut' | 'none';

/**
 * Sends an answer of the twin: JSON, or bytes. `delivery`: how a fault that a test wants damages it, for example `half, then cut`, to test
 * how a client copes.
 */
export function sendAnswer(response: ServerResponse, answer: Answer, delivery: Delivery = 'whole'): void {
  const { status, body, headers } = answer;
  if (delivery === 'none') {
    response.socket?.resetAndDestroy();
    return;
  }
  const isEmpty = body === undefined || status === 204;
  const isBytes = Buffer.isBuffer(body);
  const whole = isBytes ? body : Buffer.from(isEmpty ? '' : JSON.stringify(body));
  const half = whole.subarray(0, whole.length / 2);
  const ofType = isBytes ? 'application/octet-stream' : 'application/json; charset=utf-8';
  const type = isEmpty ? {} : { 'content-type': ofType };
  if (delivery === 'half, then cut') {
    response.writeHead(status, { ...type, ...headers, 'content-length': whole.length });
    response.write(half, () => response.destroy());
    return;
  }
  response.writeHead(status, { ...type, ...headers });
  if (isEmpty) response.end();
  else response.end(delivery === 'half' ? half : whole);
}
