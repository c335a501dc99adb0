import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import type { Recorded } from '../doctor/recording.ts';
import type { HiddenRefusal, HiddenRules } from './hidden-rules.ts';

/** The requests to a twin that stands for the platform. */
export interface PlatformRecording {
  /** All requests with their answers, in their order. */
  exchanges: Recorded[];
  /** The refusals by hidden rules, in their order. */
  refusals: HiddenRefusal[];
  /** Takes the rules away, and records no more. */
  stop(): void;
}

/** Gives a twin hidden rules, and records its requests. A refused request does not reach the twin. */
export function recordPlatform({ server }: Twin, rules: HiddenRules): PlatformRecording {
  const exchanges: Recorded[] = [];
  const refusals: HiddenRefusal[] = [];
  const [serve] = server.listeners('request') as RequestListener[];
  const serveRecorded = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/', headers } = request;
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part);
    const bytes = Buffer.concat(parts);
    const sent = readJson(bytes);
    const exchange: Recorded = {
      request: [method, url, ...(sent === undefined ? [] : [sent])] as Recorded['request'],
      status: 0,
    };
    // A recording has no file that was sent, so the exchange would say something else.
    if (bytes.length === 0 || sent !== undefined) exchanges.push(exchange);
    noteAnswer(response, (status, body) => Object.assign(exchange, { status, body }));
    const refusal = rules.judge(method, new URL(url, 'http://twin').pathname, sent);
    if (refusal === undefined) {
      const passedOn = { method, url, headers, [Symbol.asyncIterator]: () => [bytes].values() };
      return void serve!(passedOn as unknown as IncomingMessage, response);
    }
    refusals.push(refusal);
    const { status, code } = refusal;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(Buffer.from(JSON.stringify({ error: { code, message: 'A rule that the twin lacks.' } })));
  };
  server.off('request', serve!).on('request', serveRecorded);
  return {
    exchanges,
    refusals,
    stop: () => void server.off('request', serveRecorded).on('request', serve!),
  };
}

/** Calls `note` with the answer once the twin gives it. */
function noteAnswer(response: ServerResponse, note: (status: number, body: unknown) => void): void {
  const { writeHead, end } = response;
  let status = 200;
  const noting = {
    writeHead(...given: Parameters<typeof writeHead>) {
      [status] = given;
      return writeHead.apply(response, given);
    },
    end(content?: Uint8Array) {
      note(status, content && readJson(Buffer.from(content)));
      return end.call(response, content, 'utf8');
    },
  };
  Object.assign(response, noting);
}

/** Returns the value of a JSON text; undefined if it is none. */
function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
