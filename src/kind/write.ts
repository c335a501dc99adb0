import type { Address } from '../model/address.ts';
import type { FieldChange } from '../model/change.ts';
import { type Diagnostic, lostMembersCode, problem } from '../model/diagnostic.ts';
import type { Endpoint, Request } from '../model/request.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import type { ApiObject } from './read.ts';

/*
 * How a kind writes. A change becomes an operation in three moments, each with its own type:
 *
 *   | moment            | type        | is                                                                            |
 *   | ----------------- | ----------- | ----------------------------------------------------------------------------- |
 *   | a kind is asked   | `Step`      | one change with one verb, encoded as the API takes it: the input of the kind  |
 *   | a kind answers    | `Draft`     | requests that belong together: the answer of the kind                         |
 *   | all have an order | `Operation` | a draft with an id, and with the ids of the operations before it              |
 *
 * Input and answer cannot be one type, because they are not one to one: a replacement is one change and two drafts, one draft can delete
 * many objects, and the draft that splits a row also names units without a change. A draft has no id yet, because ids number the operations
 * of the whole plan. What a kind declares (`Write`) is no moment on this way: it stays the same for all plans.
 */

/** The verbs that a kind can declare requests for. */
export type Verb = 'create' | 'update' | 'delete' | 'move';

/** One change as a kind's writer takes it. Most writers need only `id` and `body`. */
export interface Step {
  action: Verb | 'replace';
  address: Address;
  /**
   * The object's id, as a hole that is filled when the request is sent. For a deletion in a staged list: the ids of all deleted objects.
   */
  id: Value;
  /**
   * The encoded fields: those that change or, for a creation, those that its endpoint accepts. Empty for a
   * deletion and for a unit of rows.
   */
  body: ApiObject;
  /** The encoded object as it will be, with undeclared fields as they were found. For endpoints that replace an object. */
  fullBody: ApiObject;
  before?: LiveResource;
  after?: Resource;
  /** The differing fields that have to be written. */
  fields: FieldChange[];
  /** For a move in a list: the new index, counted after the object was taken out. */
  to?: number;
  /** For a move to another parent: the id of the current one, as a hole. */
  from?: Value;
  /** The parent's id, as a hole. */
  parent?: Value;
  /** For a creation in a staged list: the id of the item in front of it; absent if it becomes the first. */
  previousId?: Value;
}

/** Requests that belong together, before they have an order. It becomes one operation. */
export interface Draft {
  /** The addresses whose changes the requests carry out, at least one. The first one gives the operation its name. */
  changes: Address[];
  requests: Request[];
  /** What the requests do to the first change. Set only if that is not what the change says, as for the two halves of a replacement. */
  verb?: Verb;
  /** Drafts of the same collection that must be done first. */
  after?: Draft[];
  /** The reason for a short disruption that the changes alone do not show. */
  disrupts?: string;
  /** Why it cannot be done; the draft then has no requests. */
  problem?: Diagnostic;
  /** Its place in its lane: settings that open or close a gate come last or first. */
  phase?: 'first' | 'last';
}

/**
 * One request that a kind declares for a verb, in the long form, if its endpoint alone does not say everything. Each step fills it: members
 * that depend on the step are functions, the others go into the request as they are.
 */
export interface WriteRequest
  extends Pick<Request, 'endpoint' | 'file' | 'etag' | 'expects' | 'late'>,
    Pick<Draft, 'phase'> {
  /**
   * The fields in the body of an update: those that change, or all of them, with the live values of undeclared ones. Default: PATCH sends
   * the changed ones, PUT and POST send all. A PATCH never has fields that cannot be changed.
   */
  sends?: 'changed' | 'whole';
  /**
   * Returns the body. Default: the encoded fields. With `file`, the body has a member `file`: the value of the field that names the file.
   */
  body?(step: Step): unknown;
  /** Returns values for placeholders of the endpoint that are neither the object's `id`, nor a parent, nor a field. */
  params?(step: Step): Record<string, Value>;
  /** False for steps that do not need the request. */
  when?(step: Step): boolean;
  /** Returns why a step must not be carried out; undefined if it may. */
  refuses?(step: Step): Diagnostic | undefined;
  /** For a read before a write: the object must still have the version of the plan. */
  sameVersion?: true;
  /** Returns where the ids of created objects are in the answer. Default: the member of the first answer with the kind's id. */
  returns?(step: Step): NonNullable<Request['returns']>;
}

/** The requests that a kind declares for one verb, in order. A plain endpoint takes the encoded fields; a DELETE has no body. */
export type Write = Endpoint | WriteRequest | (Endpoint | WriteRequest)[];

/** Returns the declared requests of a verb, each in the long form. */
export const writeRequests = (write: Write): WriteRequest[] =>
  [write].flat().map((request) => (typeof request === 'string' ? { endpoint: request } : request));

/**
 * True if the request of an update also sends undeclared fields, with their live values, because the endpoint replaces the whole object.
 * Members that no configuration can declare are then lost, and the plan warns of that.
 */
export function sendsFullBody({ endpoint, sends }: WriteRequest): boolean {
  return sends === undefined ? /^(POST|PUT) /.test(endpoint) : sends === 'whole';
}

/**
 * Creates the problem that an update, which sends the whole object, would lose these members; undefined if there are none. Used in
 * `refuses` of kinds whose API has members without a field.
 */
export function wouldLose({ address, after }: Step, members: string[]): Diagnostic | undefined {
  if (members.length === 0) return undefined;
  return problem(
    lostMembersCode,
    `${address} has ${members.map((name) => `\`${name}\``).join(', ')} in the account, which an update would lose: it writes everything`,
    {
      address,
      at: after?.at,
      hint: 'change it in the dashboard and accept that here, or remove there what would be lost',
    },
  );
}
