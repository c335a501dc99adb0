import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Endpoint, Request } from '../model/request.ts';
import type { Value } from '../model/value.ts';
import type { Step } from './step.ts';

export type Verb = 'create' | 'update' | 'delete' | 'move';

/** A request of a write, in the long form: for whatever its endpoint alone does not say. */
export interface WriteRequest {
  endpoint: Endpoint;
  /**
   * The body of an update: the fields that change, or all of them, undeclared ones as they were found. Default: PATCH sends the changed
   * ones, PUT and POST send all. A PATCH never has fields that cannot be changed.
   */
  sends?: 'changed' | 'whole';
  /** The body. Default: the fields as `encode` leaves them. */
  body?(step: Step): unknown;
  /** Sends the content of a file: `file` in the body is the value of the field that names it. */
  file?: true;
  /** Placeholders of the endpoint that are neither the object's `id`, nor a parent, nor a field. */
  params?(step: Step): Record<string, Value>;
  /** The request is left out for steps for which this is false. */
  when?(step: Step): boolean;
  /** Why the step must not be carried out. */
  refuses?(step: Step): Diagnostic | undefined;
  /** A read before a write: the object must still have the `version` of the plan. */
  sameVersion?: true;
  /** Keeps the answer's ETag: `resultOf(index, 'etag')`. */
  etag?: true;
  /** The values that the answer must have; otherwise the requests after it are not sent. */
  expects?: Request['expects'];
  /** Error codes that mean "not yet": the request is repeated for a while. */
  late?: Request['late'];
  /** The places of ids in the answers. Default: `id` in the first one. */
  returns?(step: Step): NonNullable<Request['returns']>;
  /** Settings that open or close a gate come last or first in their lane. */
  phase?: 'first' | 'last';
}

/** The requests of one verb, in order. A plain endpoint takes the fields as they are encoded; a DELETE has no body. */
export type Write = Endpoint | WriteRequest | (Endpoint | WriteRequest)[];

/** The requests of a write, each in the long form. */
export const writeRequests = (write: Write): WriteRequest[] =>
  [write].flat().map((one) => (typeof one === 'string' ? { endpoint: one } : one));

/** True if a request also sends undeclared fields, as they were found. */
export function sendsFullBody({ endpoint, sends }: WriteRequest): boolean {
  return sends === undefined ? /^(POST|PUT) /.test(endpoint) : sends === 'whole';
}

/** The refusal to write an object whole that has these members, since no body can hold them. Undefined if it has none. */
export function wouldLose({ address, after }: Step, members: string[]): Diagnostic | undefined {
  if (members.length === 0) return undefined;
  return problem(
    'write/loses',
    `${address} has ${members.map((name) => `\`${name}\``).join(', ')} in the account, which an update would lose: it writes everything`,
    {
      address,
      at: after?.at,
      hint: 'change it in the dashboard and accept that here, or remove there what would be lost',
    },
  );
}
