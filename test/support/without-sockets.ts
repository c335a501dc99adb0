import { type Dispatcher, Pool } from 'undici';
import type { FaultPlan, Twin } from '../../providers/hosting/twin/index.ts';

/** The prototype outlives this module, which is loaded again with the next test file. */
const pool = Pool.prototype as Pool & { twins?: Map<string, Twin> };

/** The twins of this process that get the tool's requests without a connection, by their URLs. */
const twins = pool.twins ?? new Map<string, Twin>();

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

if (!pool.twins) {
  const { dispatch } = pool;
  pool.twins = twins;
  pool.dispatch = function (this: Pool, options, handler) {
    const twin = twins.get(String(options.origin));
    if (!twin?.server.listening || this.closed || this.destroyed || !isOrdinary(options))
      return dispatch.call(this, options, handler);
    handOver(twin, options, handler);
    return true;
  };
}

/** True if undici and Node's server certainly let a request through. They refuse, for example, a space in a path and headers that are too long. */
const isOrdinary = ({ method, path, headers }: Dispatcher.DispatchOptions): boolean =>
  method !== 'HEAD' &&
  /^\/[!-~]{0,4000}$/.test(path) &&
  Object.values(headers ?? {}).every((value) => /^[ -~]{0,4000}$/.test(String(value)));

/** Hands a request to the twin's server, with only those members of a request and a response that the twin uses. */
function handOver(
  { url, server }: Twin,
  { method, path, headers, body }: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
): void {
  let isOver = false;
  handler.onConnect?.((error) => {
    if (isOver) return;
    isOver = true;
    handler.onError?.(error ?? new Error('aborted'));
  });
  const sent = Object.entries(headers as Record<string, string>).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  const request = {
    method,
    url: path,
    headers: { ...Object.fromEntries(sent), host: new URL(url).host },
    async *[Symbol.asyncIterator]() {
      if (typeof body === 'string' || body instanceof Uint8Array) yield Buffer.from(body);
      else if (body) for await (const part of body as AsyncIterable<Uint8Array>) yield Buffer.from(part);
    },
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
      if (isOver) return;
      // undici takes strings as well as buffers.
      const raw = [...answered, ['content-length', content.length]].flat().map(String);
      handler.onHeaders?.(status, raw as unknown as Buffer[], () => {}, '');
      if (content.length > 0) handler.onData?.(Buffer.from(content));
      if (isOver) return;
      isOver = true;
      handler.onComplete?.([]);
    },
  };
  setImmediate(() => isOver || server.emit('request', request, response));
}
