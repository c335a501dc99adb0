import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** How a server differs from what the protocol says. */
export interface Habits {
  /**
   * As GitLab has it: lock by POST, unlock by DELETE at `/lock`, a rising serial, plain names. Whoever is in the way is told by the name
   * of a user, beside the operation of whoever asks; only a LOCK that is there is given back; and a state that was only locked has no content.
   */
  gitLab?: boolean;
  /** What a LOCK in the way is answered with. */
  lockedStatus?: 409 | 423;
  /** The value of the header that lets one in. */
  authorization?: string;
  maxBytes?: number;
  /** Lies: gives the LOCK to everybody, knows no LOCK, or has only this for an answer to a GET. */
  lockForAll?: boolean;
  noLock?: boolean;
  /** Sends no ETag, and answers no HEAD. */
  noTags?: boolean;
  /** So many UNLOCKs fail. */
  failUnlock?: number;
  /** So many UNLOCKs are done, and their answers lost. */
  loseUnlock?: number;
  answer?: { status: number; text?: string; headers?: Record<string, string> };
}

const lockMembers = ['ID', 'Operation', 'Info', 'Who', 'Version', 'Created', 'Path'];

interface Lock {
  ID: string;
  Who?: string;
  Operation?: string;
}

/** A server that speaks the protocol of Terraform's backend "http", made from its description. */
export interface TestStateServer {
  url: string;
  port: number;
  /** The documents by path, and the LOCKs. */
  documents: Map<string, string>;
  locks: Map<string, Lock>;
  /** What was asked: `LOCK /a`. */
  asked: string[];
  habits: Habits;
  close(): Promise<void>;
}

export async function startStateServer(habits: Habits = {}): Promise<TestStateServer> {
  const documents = new Map<string, string>();
  const locks = new Map<string, Lock>();
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    answer(request, Buffer.concat(parts), response);
  });

  function answer(
    { method = '', url = '', headers }: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ) {
    const { pathname, searchParams } = new URL(url, 'http://x');
    asked.push(`${method} ${pathname}`);
    const say = (status: number, text = '') =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    if (habits.authorization !== undefined && headers.authorization !== habits.authorization)
      return say(401, '{"message":"401 Unauthorized"}');
    const isLock = habits.gitLab ? pathname.endsWith('/lock') : method === 'LOCK' || method === 'UNLOCK';
    const path = habits.gitLab ? pathname.replace(/\/lock$/, '') : pathname;
    if (habits.gitLab && !/\/state\/[\w-]+$/.test(path)) return say(400, '{"error":"name is invalid"}');
    const held = locks.get(path);
    if (isLock) {
      if (habits.noLock) return say(405);
      const isTaking = method === (habits.gitLab ? 'POST' : 'LOCK');
      if (!isTaking && (habits.failUnlock ?? 0) > 0) {
        habits.failUnlock!--;
        return say(500);
      }
      if (!isTaking && (habits.loseUnlock ?? 0) > 0) {
        habits.loseUnlock!--;
        locks.delete(path);
        return response.destroy();
      }
      const lock = JSON.parse(body.toString() || '{}') as Partial<Lock>;
      if (habits.gitLab && isTaking && !lockMembers.every((name) => name in lock))
        return say(400, '{"error":"Info is missing"}');
      if (isTaking && held && !habits.lockForAll)
        return say(
          habits.lockedStatus ?? 423,
          JSON.stringify(habits.gitLab ? { ...lock, ...held, Operation: lock.Operation } : held),
        );
      if (isTaking) locks.set(path, lock as Lock);
      // Without an id it is a person who takes it away.
      else if (lock.ID === undefined) locks.delete(path);
      else if (habits.gitLab && held?.ID !== lock.ID) return say(409);
      else if (held && held.ID !== lock.ID && !habits.lockForAll) return say(409, JSON.stringify(held));
      else locks.delete(path);
      return say(200);
    }
    if (method === 'GET' || (method === 'HEAD' && !habits.noTags)) {
      if (habits.answer) {
        response.writeHead(habits.answer.status, habits.answer.headers);
        return response.end(habits.answer.text);
      }
      const text = documents.get(path);
      if (text === undefined && habits.gitLab && held) return say(204);
      if (text === undefined) return say(404, '{"message":"404 Not found"}');
      const tag = `"${createHash('md5').update(text).digest('hex')}"`;
      const headers = habits.noTags ? {} : { etag: habits.gitLab ? `W/${tag}` : tag };
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      return response.end(method === 'HEAD' ? undefined : text);
    }
    if (method !== 'POST') return say(405);
    if (habits.gitLab && searchParams.get('ID') !== (held?.ID ?? null)) return say(500);
    if (held && searchParams.get('ID') !== held.ID)
      return say(habits.lockedStatus ?? 423, JSON.stringify(held));
    if (body.length > (habits.maxBytes ?? Number.POSITIVE_INFINITY))
      return say(413, '{"message":"413 Too large"}');
    if (habits.gitLab) {
      const serial = (text: string) => (JSON.parse(text) as { serial?: number }).serial;
      const now = serial(body.toString());
      const before = documents.get(path);
      if (headers['content-type'] !== 'application/json' || now === undefined)
        return say(400, '{"error":"serial is missing"}');
      if (before !== undefined && now <= serial(before)!)
        return say(422, '{"message":"version has already been taken"}');
    }
    documents.set(path, body.toString());
    return say(200);
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    documents,
    locks,
    asked,
    habits,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
