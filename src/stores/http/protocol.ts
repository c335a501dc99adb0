import { hash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import * as z from 'zod';
import { systemAlarm } from '../../http/clock.ts';
import type { Connections } from '../../http/connections.ts';
import { openConnections } from '../../http/dispatcher.ts';
import { BoundExceeded, exchange, type RawAnswer, standardBounds } from '../../http/exchange.ts';
import { type Diagnostic, Problems, problem, raise } from '../../model/diagnostic.ts';
import { tryParseJson } from '../../model/read-json.ts';
import type { HttpPlace } from './http-place.ts';

type ProtocolEnv = Record<string, string | undefined>;

/** The requests of the protocol of Terraform's backend "http". Each throws `Problems`. */
export interface Protocol {
  /** Returns the text of the document, or undefined if the server says that there is none. */
  get(): Promise<string | undefined>;
  /** Like `get`, with the entity tag that the server sent. */
  getTagged(): Promise<{ text: string; tag: string | undefined } | undefined>;
  /** Returns the entity tag of the document without reading it; undefined if the server sends none for a HEAD request. */
  findTag(): Promise<string | undefined>;
  /** Replaces the document. `id`: the id of the lock that this run holds. */
  put(text: string, id: string): Promise<void>;
  /** Requests the lock once. Returns undefined if it was granted, or else the lock that is in the way. */
  lock(lock: Lock): Promise<Lock | undefined>;
  /** Releases a lock. Returns false if the server refuses and does not name this lock as held. */
  unlock(lock: Lock): Promise<boolean>;
}

/**
 * Returns the requests for one document on a server that speaks the protocol of Terraform's backend "http": read,
 * write, lock, unlock. Each answer becomes a result, or `Problems` with a remedy. Used by `stateServer`, which
 * writes only while it holds the lock.
 */
export function openProtocol(store: HttpPlace, env: ProtocolEnv): Protocol {
  const connections = connectionsFor(store.url, env);
  const send: SendToServer = (request) => sendToServer(store, connections, request);
  // GitLab answers with the name of the holder, but with the operation of the run that asks.
  const parseHeldLock = (text: string): Lock => ({
    ...parseLock(text),
    ...(store.isGitLab ? { Operation: '' } : {}),
  });

  const getTagged: Protocol['getTagged'] = async () =>
    readTagged(store, await send({ url: store.url, method: 'GET', activity: 'reading it' }));

  return {
    get: async () => (await getTagged())?.text,
    getTagged,
    findTag: async () => {
      const { status, headers } = await send({
        url: store.url,
        method: 'HEAD',
        activity: 'reading its version',
      });
      return status === 200 ? entityTagOf(headers, store) : undefined;
    },
    put: async (text, id) => {
      const url = new URL(store.url);
      url.searchParams.set('ID', id);
      const raw = await send({ url, method: store.updateMethod, activity: 'writing it', body: text });
      const { status } = raw;
      if (isLocked(status)) raise(lockedProblem(store, parseHeldLock(raw.text)));
      if (status < 200 || status > 204) raise(toAnswerProblem(store, 'writing it', raw));
    },
    lock: async (lock) => {
      const { url, method } = store.lock;
      const raw = await send({ url, method, activity: `${method} of it`, body: JSON.stringify(lock) });
      const { status, text } = raw;
      if (status >= 200 && status < 300) return undefined;
      if (isLocked(status)) return parseHeldLock(text);
      // GitLab has locks, so its 404 means something else.
      const hasNoLocks = [404, 405, 501].includes(status) && !(store.isGitLab && status === 404);
      if (hasNoLocks)
        raise(
          httpProblem(
            store,
            'ledger/http-lock',
            `the server does not lock: ${method} was answered with ${status}`,
            'two runs could write at the same time, so no ledger can be kept there; if the server has another way to lock, set TF_HTTP_LOCK_ADDRESS and TF_HTTP_LOCK_METHOD',
          ),
        );
      raise(toAnswerProblem(store, `${method} of it`, raw));
    },
    unlock: async (lock) => {
      const { url, method } = store.unlock;
      // If the server did not return the lock's id, only a request without a body can release it.
      const body = lock.ID === '' ? undefined : JSON.stringify(lock);
      const raw = await send({ url, method, activity: `${method} of it`, body });
      const { status, text } = raw;
      if (isLocked(status) && parseLock(text).ID !== lock.ID) return false;
      if (status < 200 || status >= 300) raise(toAnswerProblem(store, `${method} of it`, raw));
      return true;
    },
  };
}

/**
 * Returns the entity tag of an answer. It changes with the document. A weak tag counts only from GitLab: its tags follow from the content,
 * and those of other servers may follow from a time that is too rough.
 */
function entityTagOf(headers: RawAnswer['headers'], { isGitLab }: HttpPlace): string | undefined {
  const tag = headers.etag;
  return typeof tag === 'string' && (isGitLab || !tag.startsWith('W/')) ? tag : undefined;
}

/** A request to the server of a ledger. */
interface ServerRequest {
  url: URL;
  /** Any text, because servers choose the methods for locks freely. */
  method: string;
  /** The request in messages: `reading it`. */
  activity: string;
  /** JSON. */
  body?: string | undefined;
}

type SendToServer = (request: ServerRequest) => Promise<RawAnswer>;

/** True for the status of a refusal because another run holds the lock. */
const isLocked = (status: number): boolean => status === 409 || status === 423;

/**
 * Reads the answer to a request for a document: its text and entity tag, or undefined if the server has none. Throws `Problems` for any
 * other answer, since a document that cannot be read must never be taken for a missing one.
 */
function readTagged(store: HttpPlace, raw: RawAnswer): Awaited<ReturnType<Protocol['getTagged']>> {
  const { status, text, isCut, headers } = raw;
  // GitLab answers 404 for a project that the token may not see.
  if (status === 404 && store.isGitLab && /project/i.test(text))
    raise(toAnswerProblem(store, 'reading it', { ...raw, status: 403 }));
  if (status === 204 || status === 404) return undefined;
  if (status !== 200 || isCut) raise(toAnswerProblem(store, 'reading it', raw));
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    raise(contentProblem(store, 'the answer is compressed, although trueup did not request that'));
  return { text, tag: entityTagOf(headers, store) };
}

/**
 * Sends a request to the server of a ledger, and returns the answer, of any status. If there is no answer,
 * or one that is too large, throws `Problems` that say what the user can check.
 */
async function sendToServer(
  store: HttpPlace,
  connections: Connections,
  { url, method, activity, body }: ServerRequest,
): Promise<RawAnswer> {
  const request = {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: method as Dispatcher.HttpMethod,
    headers: requestHeadersOf(store, body),
    body,
  };
  try {
    return await exchange(connections, request, standardBounds, systemAlarm);
  } catch (error) {
    if (error instanceof Problems) throw error;
    if (error instanceof BoundExceeded && error.bound === 'maxBytes')
      raise(contentProblem(store, 'the document there is too large to be a ledger'));
    const { code, message } = error as NodeJS.ErrnoException;
    raise(
      httpProblem(
        store,
        'ledger/unreachable',
        `${activity} failed: ${message || code}`,
        'check the address and the network, then run trueup again; if a write was under way, the next run sees if it arrived',
      ),
    );
  }
}

/** Returns the headers of a request to the server of a ledger. Like Terraform, it sends the digest of the content. */
function requestHeadersOf({ authorization }: HttpPlace, body: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', 'accept-encoding': 'identity' };
  if (authorization !== undefined) headers.authorization = authorization;
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-md5'] = hash('md5', body, 'base64');
  }
  return headers;
}

/**
 * Returns the problem with which a run stops if another run has locked the ledger on a server. It names the holder
 * of the lock, and what to do if that run was killed. The members of the lock are spelled as in Terraform's
 * protocol.
 */
export const lockedProblem = (store: HttpPlace, { Who, Operation, Created }: Lock): Diagnostic =>
  httpProblem(
    store,
    'ledger/http-locked',
    `it is locked by ${formatHolder({ Who, Operation, Created })}`,
    'a run holds this lock for a moment only; if it stays, its run was killed, and `trueup ledger unlock` releases it',
  );

/** Formats the holder of a server's lock for messages and `trueup ledger unlock`: `ada@laptop (trueup) since 2026-01-01T10:00:00Z`. */
export const formatHolder = ({
  Who,
  Operation,
  Created,
}: Pick<Lock, 'Who' | 'Operation' | 'Created'>): string =>
  [Who || 'somebody', Operation && `(${Operation})`, Created && `since ${Created}`].filter(Boolean).join(' ');

/** Connections by origin and proxy settings: the stores of one process share them. */
const connectionsByName = new Map<string, Connections>();

/**
 * Returns the connections to a server, or to its proxy. All ledgers of one process on the same server share them,
 * because a workspace may have many.
 */
function connectionsFor(url: URL, env: ProtocolEnv): Connections {
  const { HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy, NO_PROXY, no_proxy } = env;
  const name = JSON.stringify([
    url.origin,
    HTTPS_PROXY,
    https_proxy,
    HTTP_PROXY,
    http_proxy,
    NO_PROXY,
    no_proxy,
  ]);
  const connections = connectionsByName.get(name) ?? openConnections(url, standardBounds, env);
  connectionsByName.set(name, connections);
  return connections;
}

/** The description of a lock, with the members that Terraform sends. */
export interface Lock {
  ID: string;
  Operation: string;
  Info: string;
  Who: string;
  Version: string;
  Created: string;
  Path: string;
}

const lockMembers = ['ID', 'Operation', 'Info', 'Who', 'Version', 'Created', 'Path'] as const;

/**
 * Parses the server's description of a lock (JSON of Terraform's protocol). Members that are missing or not texts
 * become empty, because servers differ in what they return. Used to tell the user who holds a lock, and to release
 * it.
 */
function parseLock(text: string): Lock {
  const json = tryParseJson(text);
  const values = typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  return Object.fromEntries(
    lockMembers.map((name) => [name, typeof values[name] === 'string' ? values[name].slice(0, 200) : '']),
  ) as Record<(typeof lockMembers)[number], string>;
}

/**
 * Everything that is stored for one stack. `serial` grows with each write, because GitLab tells versions apart by it. Ledger, lease and
 * plan are stored as texts, so that their signatures stay valid.
 */
export interface StackDocument {
  trueup: 1;
  serial: number;
  ledger?: string | undefined;
  lease?: string | undefined;
  plan?: string | undefined;
  history: Record<string, string>;
}

const stackDocumentSchema = z.looseObject({
  trueup: z.literal(1),
  serial: z.number(),
  ledger: z.string().optional(),
  lease: z.string().optional(),
  plan: z.string().optional(),
  history: z.record(z.string(), z.string()),
});

/** Formats a document in the form in which it is sent to the server. */
export const formatDocument = (document: object): string => `${JSON.stringify(document)}\n`;

/** Parses the document of a stack. Throws `Problems` for any other content, so that it is never overwritten. */
export const parseStackDocument = (text: string, store: HttpPlace): StackDocument =>
  parseContent(text, store, (json) => stackDocumentSchema.safeParse(json).data);

/**
 * Parses the content of a ledger or index on a server with `parse`, which returns undefined for JSON of another kind. Throws `Problems`
 * that describe the actual content: something else at the address, such as a Terraform state, must never be overwritten.
 */
export function parseContent<T>(text: string, store: HttpPlace, parse: (json: unknown) => T | undefined): T {
  const json = tryParseJson(text);
  if (json === undefined) {
    if (!text.trimStart().startsWith('<')) raise(contentProblem(store, 'the content there is not JSON'));
    raise(
      httpProblem(
        store,
        'ledger/content',
        'the server sent a web page instead of a ledger, possibly a login page',
        'check the address, the credentials (TF_HTTP_USERNAME and TF_HTTP_PASSWORD) and any proxy; nothing was changed',
      ),
    );
  }
  const content = parse(json);
  if (content !== undefined) return content;
  const version = (json as { trueup?: unknown } | null)?.trueup;
  const isTerraform = (json as { terraform_version?: unknown } | null)?.terraform_version !== undefined;
  const isNewer = typeof version === 'number' && version > 1;
  const writer = isNewer ? 'was written by a newer version of trueup' : 'was not written by trueup';
  raise(contentProblem(store, `the content there ${isTerraform ? 'is a Terraform state' : writer}`));
}

/**
 * Returns the problem that a document on the server is no ledger of trueup, so that it is neither used nor
 * overwritten.
 */
const contentProblem = (store: HttpPlace, message: string): Diagnostic =>
  httpProblem(
    store,
    'ledger/content',
    message,
    'name another address, or restore an earlier version; nothing was changed',
  );

/**
 * Creates a problem with a ledger on a server (`shown`: its address for messages). Masks credentials in the
 * message, because a server may quote the request in its answer, and so the password.
 */
export function httpProblem(
  { shown, secrets }: Pick<HttpPlace, 'shown' | 'secrets'>,
  code: string,
  message: string,
  hint: string,
): Diagnostic {
  const maskedMessage = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
  return problem(code, `the ledger ${shown}: ${maskedMessage}`, { hint });
}

/** Returns the beginning of the server's own message as one line, to end our message with; empty if there is none. */
function quoteBody(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? '' : `: ${line.length > 120 ? `${line.slice(0, 120)}...` : line}`;
}

/** Returns the origin of a redirect's target. Its path is not shown, because it may contain a secret. */
const redirectOriginOf = (location: string | string[] | undefined, base: URL): string => {
  const [target = ''] = [location].flat();
  return URL.canParse(target, base.href) ? new URL(target, base).origin : 'nowhere';
};

/**
 * Turns an HTTP answer that is not a success into a problem with a hint, because users cannot fix a bare status.
 * `activity` names the request in the message, for example `reading it`.
 */
function toAnswerProblem(
  store: HttpPlace,
  activity: string,
  { status, text, headers }: RawAnswer,
): Diagnostic {
  const isPage = text.trimStart().startsWith('<');
  const message = `${activity} was answered with ${status}${isPage ? '' : quoteBody(text)}`;
  const problemWith = (code: string, hint: string) => httpProblem(store, code, message, hint);
  if (status === 401 || status === 403)
    return problemWith(
      'ledger/http-denied',
      store.isGitLab
        ? 'set TF_HTTP_USERNAME and TF_HTTP_PASSWORD to a token with the scope `api`; to write, its user must be a Maintainer'
        : 'set TF_HTTP_USERNAME and TF_HTTP_PASSWORD to credentials that the server accepts',
    );
  if (status === 413)
    return problemWith(
      'ledger/http-too-large',
      'the server has a limit for one document: raise it, or move the ledger to another store (`trueup ledger copy`)',
    );
  if (status >= 300 && status < 400)
    return problemWith(
      'ledger/http-answer',
      `redirects are not followed, and this one leads to ${redirectOriginOf(headers.location, store.url)}: use the right address, or set TF_HTTP_USERNAME and TF_HTTP_PASSWORD if it is a login page`,
    );
  if (status === 422 && store.isGitLab)
    return problemWith(
      'ledger/http-answer',
      'GitLab is deleting this state, or has a newer version of it than the one it serves: look at it under Operate, Terraform states',
    );
  if (status === 408 || status === 429 || status >= 500)
    return problemWith('ledger/unreachable', 'wait until the server works again, then run trueup again');
  return problemWith(
    'ledger/http-answer',
    'check the address: it must speak the protocol of Terraform\'s backend "http"',
  );
}
