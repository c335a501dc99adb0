import http, { type ClientRequest, type RequestOptions } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import type { FaultPlan, Twin } from '../../providers/hosting/twin/index.ts';

/** The function outlives this module, which is loaded again with the next test file. */
const client = http as typeof http & { twins?: Map<string, Twin> };

/** The twins of this process that get the tool's requests without a connection, by their URLs. */
const twins = client.twins ?? new Map<string, Twin>();

/**
 * Has the tool's requests to a twin of this process handed over directly: a connection costs more than everything that the twin does. A twin
 * whose faults break or delay connections gets real ones, and the sweep uses real ones everywhere.
 */
export function withoutSockets(twin: Twin, faults?: FaultPlan): Twin {
  if (process.env.TRUEUP_SWEEP === 'all') return twin;
  const { setFaults } = twin;
  const choose = (plan: FaultPlan | undefined) => {
    if (/connectionReset|"delay"/.test(JSON.stringify(plan ?? {}))) twins.delete(twin.url);
    else twins.set(twin.url, twin);
  };
  choose(faults);
  twin.server.once('close', () => twins.delete(twin.url));
  return Object.assign(twin, {
    setFaults: (plan: FaultPlan) => {
      choose(plan);
      setFaults(plan);
    },
  });
}

if (!client.twins) {
  const { request } = http;
  client.twins = twins;
  const requestOrHandOver = (options: RequestOptions): ClientRequest => {
    const twin = twins.get(`${options.protocol}//${options.host}:${options.port}`);
    return twin?.server.listening && isOrdinary(options) ? handOver(twin, options) : request(options);
  };
  http.request = requestOrHandOver as typeof request;
}

/** True if Node's client and server certainly let a request through. They refuse, for example, a space in a path and headers that are too long. */
const isOrdinary = ({ method, path, headers }: RequestOptions): boolean =>
  method !== 'HEAD' &&
  /^\/[!-~]{0,4000}$/.test(path!) &&
  Object.values(headers ?? {}).every((value) => /^[ -~]{0,4000}$/.test(String(value)));

/**
 * Hands a request to the twin's server, with only those members of a request and a response that the twin and the tool's connections use. Returns what
 * the body is written to.
 */
function handOver({ url, server }: Twin, { method, path, headers }: RequestOptions): ClientRequest {
  const outgoing = Object.assign(new PassThrough(), { setTimeout: () => outgoing });
  const sent = Object.entries(headers as Record<string, string>).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  const request = {
    method,
    url: path,
    headers: { ...Object.fromEntries(sent), host: new URL(url).host },
    [Symbol.asyncIterator]: () => outgoing[Symbol.asyncIterator](),
  };
  let status = 200;
  let answered: [string, unknown][] = [];
  const response = {
    headersSent: false,
    writeHead(code: number, more: Record<string, unknown>) {
      response.headersSent = true;
      status = code;
      answered = Object.entries({ ...more, date: more.date ?? new Date().toUTCString() });
    },
    end(content: Uint8Array = Buffer.alloc(0)) {
      if (outgoing.destroyed && outgoing.errored) return;
      const texts = [...answered, ['content-length', content.length] as const].map(
        ([name, value]) => [name.toLowerCase(), [value].flat().map(String)] as const,
      );
      const body = content.length > 0 ? [Buffer.from(content)] : [];
      const incoming = Object.assign(Readable.from(body), {
        statusCode: status,
        headersDistinct: Object.fromEntries(texts),
      });
      outgoing.emit('response', incoming);
    },
  };
  setImmediate(() => outgoing.destroyed || server.emit('request', request, response));
  return outgoing as unknown as ClientRequest;
}
