import { hash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import * as z from 'zod';
import { systemAlarm } from '../../http/clock.ts';
import { openDispatcher } from '../../http/dispatcher.ts';
import { BoundExceeded, exchange, type RawAnswer, standardBounds } from '../../http/exchange.ts';
import { Problems } from '../../model/diagnostic.ts';
import { jsonIn } from '../../model/json-in.ts';
import { httpProblem, refusedBy } from './http-error.ts';
import type { HttpPlace } from './http-place.ts';

type Env = Record<string, string | undefined>;

/** The single requests of Terraform's protocol. Each throws `Problems`. */
export interface Protocol {
  /** The text of the document; undefined where the server says that there is none. */
  get(): Promise<string | undefined>;
  /** Replaces it, under the LOCK with this id. */
  put(text: string, id: string): Promise<void>;
  /** Asks for the LOCK once: undefined if it was given, else whose it is. */
  lock(lock: Lock): Promise<Lock | undefined>;
  /** Gives a LOCK back; false where it was not this one that the server had, or none. */
  unlock(lock: Lock): Promise<boolean>;
}

export function openProtocol(store: HttpPlace, env: Env): Protocol {
  const dispatcher = dispatcherFor(store.url, env);
  // Beside the name of the holder GitLab answers with the operation of whoever asks.
  const heldIn = (text: string): Lock => ({ ...lockIn(text), ...(store.isGitLab ? { Operation: '' } : {}) });

  const ask = async (url: URL, method: string, doing: string, body?: string): Promise<RawAnswer> => {
    const request = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      // Servers name the methods for locks as they like.
      method: method as Dispatcher.HttpMethod,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(store.authorization ? { authorization: store.authorization } : {}),
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-md5': hash('md5', body, 'base64') }),
      },
      ...(body === undefined ? {} : { body }),
    };
    try {
      return await exchange(dispatcher, request, standardBounds, systemAlarm);
    } catch (error) {
      if (error instanceof Problems) throw error;
      if (error instanceof BoundExceeded && error.bound === 'maxBytes')
        throw notOurs(store, 'what lies there is too large to be a ledger');
      const { code, message } = error as NodeJS.ErrnoException;
      throw httpProblem(
        store,
        'ledger/http-unreachable',
        `${doing} failed: ${message || code}`,
        'check the address and the network, then run trueup again; if a write was under way, the next run sees whether it arrived',
      );
    }
  };

  return {
    get: async () => {
      const raw = await ask(store.url, 'GET', 'reading it');
      const { status, text, isCut, headers } = raw;
      if (status === 204) return undefined;
      // GitLab hides a project from whoever may not see it.
      if (status === 404 && store.isGitLab && /project/i.test(text))
        throw refusedBy(store, 'reading it', { ...raw, status: 403 });
      if (status === 404) return undefined;
      if (status !== 200 || isCut) throw refusedBy(store, 'reading it', raw);
      const encoding = headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity')
        throw notOurs(store, 'the answer is compressed, although trueup did not ask for that');
      return text;
    },
    put: async (text, id) => {
      const url = new URL(store.url);
      url.searchParams.set('ID', id);
      const raw = await ask(url, store.update, 'writing it', text);
      const { status, text: said } = raw;
      if (status === 409 || status === 423) throw lockedBy(store, heldIn(said));
      if (status < 200 || status > 204) throw refusedBy(store, 'writing it', raw);
    },
    lock: async (lock) => {
      const { url, method } = store.lock;
      const raw = await ask(url, method, `${method} of it`, lockText(lock));
      const { status, text } = raw;
      if (status >= 200 && status < 300) return undefined;
      if (status === 409 || status === 423) return heldIn(text);
      if ([404, 405, 501].includes(status) && !(store.isGitLab && status === 404))
        throw httpProblem(
          store,
          'ledger/http-lock',
          `the server does not lock: ${method} was answered with ${status}`,
          'two runs could write at once, so it is no place for a ledger; TF_HTTP_LOCK_ADDRESS and TF_HTTP_LOCK_METHOD name another way to lock, if it has one',
        );
      throw refusedBy(store, `${method} of it`, raw);
    },
    unlock: async (lock) => {
      const { url, method } = store.unlock;
      // Where the server does not say whose it is, nothing but a request without an id can mean it.
      const body = lock.ID === '' ? undefined : lockText(lock);
      const raw = await ask(url, method, `${method} of it`, body);
      const { status, text } = raw;
      if ((status === 409 || status === 423) && lockIn(text).ID !== lock.ID) return false;
      if (status < 200 || status >= 300) throw refusedBy(store, `${method} of it`, raw);
      return true;
    },
  };
}

/** Says whose a LOCK is. */
export const lockedBy = (store: HttpPlace, { Who, Operation, Created }: Lock): Problems =>
  httpProblem(
    store,
    'ledger/http-locked',
    `it is locked by ${holderText({ Who, Operation, Created })}`,
    'a run holds that for a moment only: if it stays, its run was killed, and `trueup ledger unlock` takes it away',
  );

/** `ada@laptop (trueup) since 2026-01-01T10:00:00Z` */
export const holderText = ({
  Who,
  Operation,
  Created,
}: Pick<Lock, 'Who' | 'Operation' | 'Created'>): string =>
  [Who || 'somebody', Operation && `(${Operation})`, Created && `since ${Created}`].filter(Boolean).join(' ');

const dispatchers = new Map<string, Dispatcher>();

function dispatcherFor(url: URL, env: Env): Dispatcher {
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
  const dispatcher = dispatchers.get(name) ?? openDispatcher(url, standardBounds, env);
  dispatchers.set(name, dispatcher);
  return dispatcher;
}

/** The holder of a document's LOCK, in the members that Terraform sends. */
export interface Lock {
  ID: string;
  Operation: string;
  Info: string;
  Who: string;
  Version: string;
  Created: string;
  Path: string;
}

const members = ['ID', 'Operation', 'Info', 'Who', 'Version', 'Created', 'Path'] as const;

const lockText = (lock: Lock): string => JSON.stringify(lock);

/** The server's description of the LOCK in the way; unknown members are empty. */
function lockIn(text: string): Lock {
  const json = jsonIn(text);
  const found = typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  return Object.fromEntries(
    members.map((name) => [name, typeof found[name] === 'string' ? found[name].slice(0, 200) : '']),
  ) as Record<(typeof members)[number], string>;
}

/**
 * All of one stack, as one document. `serial` rises with each write, since GitLab tells versions by it; the texts of ledger, lease and
 * plan are kept as they are, so that the signatures hold.
 */
export interface StackDocument {
  trueup: 1;
  serial: number;
  ledger?: string | undefined;
  lease?: string | undefined;
  plan?: string | undefined;
  history: Record<string, string>;
}

const schema = z.looseObject({
  trueup: z.literal(1),
  serial: z.number(),
  ledger: z.string().optional(),
  lease: z.string().optional(),
  plan: z.string().optional(),
  history: z.record(z.string(), z.string()),
});

export const documentText = (document: object): string => `${JSON.stringify(document)}\n`;

/** The document in a text; throws `Problems` for anything else, which is then left as it is. */
export const stackDocument = (text: string, store: HttpPlace): StackDocument =>
  parsed(text, store, (json) => schema.safeParse(json).data);

/** The JSON in a text, by a reader that gives back undefined for what it does not know. */
export function parsed<T>(text: string, store: HttpPlace, read: (json: unknown) => T | undefined): T {
  const json = jsonIn(text);
  if (json === undefined) {
    if (!text.trimStart().startsWith('<')) throw notOurs(store, 'what lies there is no JSON');
    throw httpProblem(
      store,
      'ledger/http-content',
      'the server sent a web page instead of a ledger, possibly a login page',
      'check the address, the credentials (TF_HTTP_USERNAME and TF_HTTP_PASSWORD) and any proxy; nothing was changed',
    );
  }
  const found = read(json);
  if (found !== undefined) return found;
  const version = (json as { trueup?: unknown } | null)?.trueup;
  const isTerraform = (json as { terraform_version?: unknown } | null)?.terraform_version !== undefined;
  throw notOurs(
    store,
    isTerraform
      ? 'a state of Terraform lies there'
      : typeof version === 'number' && version > 1
        ? 'a newer trueup wrote what lies there'
        : 'what lies there is nothing of trueup',
  );
}

const notOurs = (store: HttpPlace, why: string): Problems =>
  httpProblem(
    store,
    'ledger/http-content',
    why,
    'name another address, or restore an earlier version; nothing was changed',
  );
