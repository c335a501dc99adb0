import { createHash } from 'node:crypto';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as open,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import {
  type Arrived,
  type ProxyAction,
  type ProxyAnswer,
  type ProxySteps,
  proxySteps,
} from './proxy-fault.ts';

/**
 * Which requests: the nth since the faults were set; each one of an endpoint (`GET /v9/projects/{id}`); or a part of all from 0 to 1,
 * drawn for each method, path and time that it comes.
 */
export type FaultAt = { request: number } | { endpoint: string } | { seed: number; share: number };

export interface ProxyFault {
  at: FaultAt;
  only?: 'reads' | 'writes';
  do: ProxyAction;
}

/** A request that something was done to. */
export interface MadeFault {
  request: number;
  method: string;
  path: string;
  action: ProxyAction;
}

/** A server in front of another one that passes everything on, but for the faults that it makes on its own. */
export interface FaultProxy {
  url: string;
  /** So far, oldest first. */
  made: MadeFault[];
  /** The last request as it came, secrets too, and what was done to it. */
  last(): (Arrived & { action?: ProxyAction }) | undefined;
  /** In place of the present ones: counts begin anew, and no earlier answers are known. */
  setFaults(faults: readonly ProxyFault[]): void;
  close(): Promise<void>;
}

const draw = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;

/** Whether a path is one of an endpoint. */
function isOf(endpoint: string, { method, path }: Arrived): boolean {
  const [verb, template] = endpoint.split(' ') as [string, string];
  const [want, have] = [template.split('?')[0]!.split('/'), path.split('?')[0]!.split('/')];
  return (
    verb === method &&
    want.length === have.length &&
    want.every((part, index) => part.startsWith('{') || part === have[index])
  );
}

/** Counts requests, and says which faults are due for each. */
function schedule(faults: readonly ProxyFault[]) {
  let requests = 0;
  const times = new Map<string, number>();
  return (asked: Arrived): { request: number; due: ProxyAction[] } => {
    requests += 1;
    const same = `${asked.method} ${asked.path.split('?')[0]}`;
    times.set(same, (times.get(same) ?? 0) + 1);
    const isDue = ({ at, only }: ProxyFault, index: number): boolean => {
      if (only !== undefined && (only === 'reads') !== (asked.method === 'GET')) return false;
      if ('request' in at) return at.request === requests;
      if ('endpoint' in at) return isOf(at.endpoint, asked);
      return draw(`${at.seed} ${index} ${same} ${times.get(same)}`) < at.share;
    };
    return { request: requests, due: faults.filter(isDue).map((fault) => fault.do) };
  };
}

/** Pictures come through byte by byte. */
const codeOf = (headers: IncomingHttpHeaders | OutgoingHttpHeaders): 'latin1' | 'utf8' =>
  String(headers['content-type']).startsWith('image/') ? 'latin1' : 'utf8';

async function textOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString(codeOf(message.headers));
}

/** Asks the server behind. */
async function pass(behind: string, agent: Agent, asked: Arrived, headers: OutgoingHttpHeaders) {
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    const onward = open(new URL(asked.path, behind), { method: asked.method, headers, agent }, done);
    onward.on('error', fail);
    onward.end(asked.text, codeOf(headers));
  });
  const text = await textOf(answer);
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, date: ____, ...rest } = answer.headers;
  return { status: answer.statusCode!, headers: rest as Record<string, string>, text };
}

/** Writes an answer, or what is to be seen of it. */
function deliver(response: ServerResponse, answer: ProxyAnswer, delivery: ProxySteps['delivery']): void {
  // Of nothing there is no half.
  if (delivery === 'none' || (delivery && answer.text === '')) {
    response.socket?.resetAndDestroy();
    return;
  }
  const { 'content-length': _, ...headers } = answer.headers;
  response.writeHead(answer.status, {
    ...headers,
    ...(answer.status === 204 ? {} : { 'content-length': Buffer.byteLength(answer.text) }),
  });
  if (delivery) response.write(answer.text.slice(0, answer.text.length / 2), () => response.destroy());
  else response.end(answer.text);
}

/** Starts a proxy in front of `behind()`; `sleep` waits for so many milliseconds. */
export async function startFaultProxy(
  behind: () => string,
  sleep: (ms: number) => Promise<unknown> = setTimeout,
): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const answers = new Map<string, ProxyAnswer[]>();
  const made: MadeFault[] = [];
  let take = schedule([]);
  let last: ReturnType<FaultProxy['last']>;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    const asked = { method, path, text: await textOf(request) };
    const { request: number, due } = take(asked);
    const known = answers.get(path) ?? [];
    let steps: ProxySteps = {};
    let action: ProxyAction | undefined;
    for (const one of due) {
      const can = action?.type === 'foreign' || !action ? proxySteps(one, asked, known) : undefined;
      if (!can) continue;
      if (one.type === 'foreign') one.change();
      [action, steps] = [one, can];
    }
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const text = steps.text ?? asked.text;
    const length = text === '' ? {} : { 'content-length': Buffer.byteLength(text, codeOf(request.headers)) };
    let answer =
      steps.instead ?? (await pass(behind(), agent, { ...asked, text }, { ...headers, ...length }));
    if (!steps.instead && method === 'GET') answers.set(path, [...known, answer]);
    const finished = steps.finish ? steps.finish(answer) : answer;
    if (finished === undefined) action = undefined;
    else answer = finished;
    if (action) made.push({ request: number, method, path, action });
    last = { ...asked, ...(action ? { action } : {}) };
    if (steps.delay !== undefined) await sleep(steps.delay);
    deliver(response, answer, steps.delivery);
  }

  const server = createServer((request, response) => {
    // Who asked is gone, or who is asked: then there is nothing to say.
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    made,
    last: () => last,
    setFaults(faults) {
      take = schedule(faults);
      answers.clear();
    },
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
