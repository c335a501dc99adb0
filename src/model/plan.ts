import type { Address } from './address.ts';
import type { Change } from './change.ts';
import type { Diagnostic } from './diagnostic.ts';
import { isOpenAction, type PlannedAction } from './planned-action.ts';
import type { CollectionId } from './resource.ts';
import type { Path, Value } from './value.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/**
 * Method and path as in the API catalog, a query after `?`. `{id}` is the object's own id, `{project}` the id of the ancestor
 * (or referenced resource) of that kind, `{teamId}` the id of the account's team, `{name}` a field.
 */
export type Endpoint = `${Method} /${string}`;

/** True if only an account that is a team's can be asked for it. */
export const isOfTeam = (endpoint: Endpoint): boolean => endpoint.includes('{teamId}');

/** One HTTP call as data, holes included. */
export interface Request {
  endpoint: Endpoint;
  /** Values for the endpoint's `{placeholders}`. */
  params?: Record<string, Value>;
  body?: unknown;
  /** Sends the content of the file whose digest is the body's `file`. */
  file?: true;
  /** Ids that addresses have once this request succeeded: found in the answer, or known already. */
  returns?: ({ address: Address; path: Path } | { address: Address; id: Value })[];
  /** Ids that are gone once this request succeeded. */
  drops?: { address: Address; id: string }[];
  /**
   * A batch: the addresses behind each item of the body; the kind's `outcome` tells what became of each. A finished item
   * has the id that `outcome` tells, unless `returns` or `drops` give it; for a refused item these mean nothing.
   */
  batch?: Address[][];
  /**
   * For a read of a whole list: where the items are in the answer ('' if the answer is the list, several if it has more lists than one). All pages are followed and the
   * items of all of them come back as one array without doubles; a list that cannot be proven complete is an error.
   */
  items?: string | readonly string[];
  /** Reads only the first page of a list: the answer is `Pages`. */
  pages?: true;
  /** The answer has a secret at `path` that is never shown again: it goes where the address says. */
  shows?: { address: Address; path: Path };
  /**
   * The values that the answer must have; otherwise nothing more is sent, since the plan's basis has changed. `orAbsent`: or
   * nothing at the path.
   */
  expects?: { path: Path; value: unknown; orAbsent?: true }[];
  /** The answer comes with the `etag` of its header as a member. */
  etag?: true;
  /** Error codes that mean: what this names has not arrived everywhere yet. Safe to repeat for a while. */
  late?: string[];
  /** The answer names, at `version`, what is staged now, with changes `of` these addresses; without `version`, nothing is any more. */
  stages?: { collection: CollectionId; version?: Path; of?: Address[] };
  /** The operation that this is a request of. Room for it was reserved, since something was deleted that it makes anew. */
  reserved?: string;
}

/** Requests that belong together, in order: the unit of scheduling and reporting. */
export interface Operation {
  /** Stable within a plan: kind, verb and address. */
  id: string;
  kind: string;
  parent?: Address;
  /** The addresses whose changes this carries out. */
  changes: Address[];
  requests: Request[];
  dependsOn: string[];
  /** Operations (this one, too) whose `reserved` requests must have room before this one deletes anything. */
  reserves?: string[];
}

/** Counts for the summary line and the JSON document. */
export interface Summary {
  create: number;
  adopt: number;
  /** The adoptions that also change the object; `adopt` counts them, too. */
  adoptAndUpdate: number;
  update: number;
  replace: number;
  delete: number;
  move: number;
  release: number;
  noop: number;
  /** The changes that only renew what the ledger remembers; no other number counts them. */
  renew: number;
  unmanaged: number;
}

/** Whose account a plan is about, for people. */
export interface Account {
  type: 'team' | 'personal';
  name: string;
  /** The URL of the API, if it is not the platform's usual one. */
  baseUrl?: string;
}

/** The source of a secret or a variable in the configuration. No value. */
export interface PlanSource {
  /** `secret database`, `variable region`. */
  name: string;
  /** `env DATABASE_URL`, `file secrets/db.txt`, `command op read op://deploy/db`. */
  source: string;
  /** Compared with the last apply; absent where it is the same. */
  since?: 'new' | 'changed';
  /** The source at the last apply. */
  before?: string;
}

/** An object that is declared, and not ready, or not yet once it is made. That is no change. */
export interface PlanWait {
  address: Address;
  /** A phrase for people. */
  why: string;
  /** How long an apply waits for it. */
  minutes?: number;
  /** It will not be ready by waiting. */
  failed?: true;
}

/** The person behind a change outside, as far as the platform tells. No name means nothing. */
export interface DriftSource {
  address: Address;
  /** The name of a person, an app or the platform itself. */
  who: string;
  /** ISO 8601, UTC. */
  when: string;
  /** The words of the platform for what was used: `token`, `dashboard`, the name of an app. */
  through?: string;
}

/** The operator's guards over a plan, whatever the YAML says. */
export interface PlanGuards {
  /** The file of guards, as it was named, and a digest of its text. */
  file?: string;
  digest?: string;
  /** The commands that were asked. */
  checks?: string[];
  verdict: 'allowed' | 'refused';
}

/** Plain data: what differs, what will be sent, what is wrong. */
export interface Plan {
  stack: string;
  account?: Account;
  complete: boolean;
  /** Only a part was looked at: `--target` or `--exclude`. */
  partial?: true;
  changes: Change[];
  /** All that goes once this is done, what is in it too; absent where nothing does, and where that is not known, as of a saved plan. */
  gone?: { address: Address; kind: string }[];
  operations: Operation[];
  /** The actions that come last: asked for by `$then`, or owed by an earlier run. Absent if there are none. */
  actions?: PlannedAction[];
  /** Live objects that nothing here owns: never touched, only counted. */
  unmanaged: { kind: string; address: Address; id: string }[];
  /** Kinds of which only what is mentioned was read: how many more there are that nothing here owns is not known. */
  unlisted?: string[];
  /** By address; absent where there is nothing to wait for. No part of what is approved: it may be ready by now. */
  waiting?: PlanWait[];
  /** By address; what was changed outside since the last apply. No part of what is approved. */
  changedBy?: DriftSource[];
  /** The objects that other stacks create first; after that it is planned anew. */
  awaits?: { address: Address; stack: string }[];
  diagnostics: Diagnostic[];
  /** The guards that it was judged by; what they refuse is among the diagnostics. No part of what is approved: it is judged again. */
  guards?: PlanGuards;
  /** By name. Absent where nothing is read. */
  sources?: PlanSource[];
  /** How many HTTP requests it took to make it; absent where that is not known, as of a saved plan. No part of what is approved. */
  reads?: number;
}

/**
 * The only I/O that the core sees: sends a request without holes, follows pages, retries what is safe to repeat. An error with a
 * `rateLimit` says that nothing was done, and when to come back. `confirm` is asked if a request comes `freshFor` or more after it was
 * given: it throws where it must not be sent any more.
 */
export type Send = (request: Request, confirm?: () => Promise<void>) => Promise<unknown>;

/** How long a reading stays fresh, in milliseconds. An older one is repeated before anything is sent that changes the object. */
export const freshFor = 5000;

/** True if a request changes nothing. */
export const isRead = ({ endpoint }: Pick<Request, 'endpoint'>): boolean => endpoint.startsWith('GET ');

/** A `Send` that cannot write: it throws on everything but GET, before anything is sent. */
export function readOnly(send: Send): Send {
  return async (request) => {
    if (!isRead(request)) throw new Error(`${request.endpoint}: a plan only reads, this request would write`);
    return send(request);
  };
}

/** True if applying a plan would do nothing, not even to the ledger. */
export const isEmpty = ({ changes, operations, actions = [] }: Plan): boolean =>
  operations.length === 0 &&
  changes.every(({ action }) => action === 'noop') &&
  actions.every(({ state }) => state === 'left');

/** True if an apply sends nothing and takes nothing on: all that it may do is to renew what the ledger remembers. */
export const asksForNothing = ({
  changes,
  operations,
  actions = [],
}: Pick<Plan, 'changes' | 'operations' | 'actions'>): boolean =>
  operations.length === 0 &&
  changes.every(({ action, renews }) => action === 'noop' || renews === true) &&
  !actions.some(isOpenAction);

/** Room in the platform's rate buckets, kept for requests that are to come. */
export interface Quota {
  /**
   * Keeps room for one call of each endpoint, for requests that are `reserved` under this name: all or none. Waits for it as a
   * request does, and throws what that throws.
   */
  reserve(name: string, endpoints: Endpoint[]): Promise<void>;
  /** Gives back what was not used. */
  release(name: string): void;
  /** Tells other runs that share the limits what this one is going to send. */
  announce?(endpoints: Endpoint[]): void;
}

/**
 * True if somebody changed the subject of a change outside: a field, the object itself, or an object made outside that
 * `$exclusive` deletes. An order never counts, nor does an object that the ledger does not know: nobody can tell who changed
 * them.
 */
export const isDrift = ({ action, fields, outside, exclusive }: Change): boolean =>
  outside === true ||
  (exclusive === true && action === 'delete') ||
  fields.some(({ cause }) => cause === 'drift' || cause === 'conflict');

/** How many objects were changed outside since the last apply, whatever the configuration has changed. */
export function driftCount({ changes, diagnostics }: Plan): number {
  // For a value that cannot be read, only the time of a later write is known.
  const isSuspected = diagnostics.some(({ code }) => code === 'secret/changed-outside');
  const drifted = changes.filter((change) => isDrift(change) || (isSuspected && change.touched === true));
  return drifted.length || Number(isSuspected);
}

/** True if any object was changed outside since the last apply. */
export const hasDrift = (plan: Plan): boolean => driftCount(plan) > 0;

/** All that it does is to take back what somebody did outside. */
export function putsBack({ fields }: Change): boolean {
  const sent = fields.filter(({ cause }) => cause !== 'recorded' && cause !== 'released');
  return sent.length > 0 && sent.every(({ cause }) => cause === 'drift');
}
