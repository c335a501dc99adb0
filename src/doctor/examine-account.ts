/*
 * The reads of `trueup doctor`: the token, its user, the account, and everything that the configuration declares, by the readers that plans
 * use. A read that fails becomes a finding, so that one missing right does not hide everything else.
 */
import type { Evidence, TokenFacts, TokenRules } from '../kind/evidence.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Connection, Owner } from '../kind/provider.ts';
import type { AccountFacts } from '../kind/read.ts';
import { groupBy } from '../model/graph.ts';
import { emptyLedger } from '../model/ledger.ts';
import { isRead, type Request, type Send } from '../model/request.ts';
import { type CollectionId, collectionParts, type Desired } from '../model/resource.ts';
import { checkReadiness } from '../observe/check-readiness.ts';
import { observe } from '../observe/observe.ts';

/** A request for a read that failed, without any text of the platform, because such a text can contain names. */
export interface FailedRequest {
  /** The endpoint as the code names it, with its placeholders. */
  endpoint: string;
  status?: number;
  /** A code of trueup, such as `http/unreachable`. */
  code?: string;
  /** True if the same read may succeed later, because of a rate limit. */
  isForLater?: boolean;
}

/** What the reads of an account have shown, besides the forms of the answers. */
export interface ExaminedAccount {
  token: TokenFacts;
  /** The account; absent if it could not be read. */
  owner?: Pick<Owner, 'type'>;
  /** The code of the problem with the account, such as `auth/team`. */
  ownerProblem?: string;
  failures: FailedRequest[];
  /** The number of unreadable collections of each kind in use that has any. */
  unreadable: Map<string, number>;
  /** The kinds with at least one object that was read. */
  kindsWithObjects: ReadonlySet<string>;
}

/**
 * Reads an account as a plan would, for `trueup doctor`. A read that fails does not end it. It becomes one of the
 * `failures` of the result if something remained unread, so that a plan would be incomplete.
 */
export async function examineAccount(
  client: ReadClient,
  { tokens }: Evidence,
  desired: Desired,
  kinds: Kinds,
): Promise<ExaminedAccount> {
  const { owner, problem } = await readOwner(client);
  // Without a connection, further reads would only wait again.
  const isConnected = !problem?.startsWith('http/');
  const token = isConnected ? await readTokenFacts(client, tokens, owner?.facts) : {};
  if (!owner)
    return {
      token,
      ownerProblem: problem,
      failures: [],
      unreadable: new Map(),
      kindsWithObjects: new Set(),
    };
  const failures: FailedRequest[] = [];
  const send = toSend(noteFailures(client, failures));
  const live = await observe(desired, emptyLedger('', '', ''), kinds, send, { facts: owner.facts });
  await checkReadiness(live, desired.resources.values(), { kinds, send });
  // A failed read that leaves everything readable is normal, such as the refused list of projects with a token of one project.
  const isComplete = live.unreadable.size === 0;
  return {
    token,
    owner,
    unreadable: countByKind(live.unreadable.keys()),
    kindsWithObjects: new Set([...live.resources.values()].map(({ kind }) => kind)),
    failures: isComplete ? [] : failures,
  };
}

/** Returns a client that adds each read that fails to `failures`, for the report of `trueup doctor`, and throws its error like `client`. */
const noteFailures = (client: ReadClient, failures: FailedRequest[]): ReadClient => ({
  ...client,
  async read(request) {
    try {
      return await client.read(request);
    } catch (error) {
      failures.push(toFailedRequest(request.endpoint, error));
      throw error;
    }
  },
});

/** Counts collections (lists of objects of one kind) by the name of their kind. */
function countByKind(collections: Iterable<CollectionId>): Map<string, number> {
  const collectionsByKind = groupBy([...collections], (id) => collectionParts(id)[1]);
  return new Map([...collectionsByKind].map(([kind, ids]) => [kind, ids.length]));
}

/**
 * Reads what the token in use and its user may do, for `permissions --check` and `doctor`. A refused read only
 * leaves facts open, because a token of one project may read neither. `team`: the settings of the account, if it
 * could be read.
 */
export async function readTokenFacts(
  client: ReadClient,
  tokens: TokenRules,
  team: AccountFacts | undefined,
): Promise<TokenFacts> {
  const readIfAllowed = (endpoint: ReadRequest['endpoint']) =>
    client.read({ endpoint }).catch(() => undefined);
  const token = await readIfAllowed(tokens.reads.token);
  const user = await readIfAllowed(tokens.reads.user);
  return tokens.decode({ token, user, team });
}

/**
 * Reads the owner of the account for `trueup doctor`. If that fails, returns only the code of the problem, because
 * its message may contain names, and the report must not.
 */
async function readOwner(client: ReadClient): Promise<{ owner?: Owner; problem?: string }> {
  try {
    return { owner: await client.owner() };
  } catch (error) {
    const { diagnostics, code } = error as { diagnostics?: { code: string }[]; code?: string };
    return { problem: diagnostics?.[0]?.code ?? code ?? 'auth/answer' };
  }
}

/**
 * Describes a failed read for the report of `trueup doctor`: its endpoint without the query, and the status or, if
 * the platform did not answer, the code of trueup. No text of the platform, because that can contain names. Both
 * can be absent for an answer in an unknown form.
 */
function toFailedRequest(endpoint: string, error: unknown): FailedRequest {
  const { status, code, isForLater } = error as { status?: number; code?: string; isForLater?: boolean };
  const ownCode = code !== undefined && /^http\/[a-z-]+$/.test(code) ? code : undefined;
  return {
    endpoint: endpoint.split('?')[0]!,
    status,
    code: ownCode,
    isForLater: isForLater === true ? true : undefined,
  };
}

/** A request that reads. No other method fits its type, so the code of `trueup doctor` cannot even express a write. */
type ReadRequest = Pick<Request, 'params' | 'items' | 'pages' | 'etag'> & {
  endpoint: `GET /${string}`;
};

/** A connection to an account without any means to write. */
export interface ReadClient {
  read(request: ReadRequest): Promise<unknown>;
  /** Reads the owner of the account behind the token; throws `Problems` if it is not the account of the configuration. */
  owner(): Promise<Owner>;
}

/** Returns the reading half of a connection. Everything of `trueup doctor` gets this, never the connection itself. */
export const toReadClient = ({ send, owner }: Pick<Connection, 'send' | 'owner'>): ReadClient => ({
  read: (request) => send(request),
  owner,
});

/**
 * Returns a function which sends requests for the code that reads objects, which plans use as well. It throws an
 * `Error` on everything but GET, and nothing is sent then: `trueup doctor` must not change the account.
 */
export const toSend =
  (client: ReadClient): Send =>
  async (request) => {
    if (!isReadRequest(request)) throw new Error(`${request.endpoint}: the doctor only reads`);
    return client.read(request);
  };

const isReadRequest = (request: Request): request is Request & ReadRequest => isRead(request);
