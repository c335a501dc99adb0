import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Endpoint, Request } from '../model/request.ts';
import type { Value } from '../model/value.ts';
import type { Step } from './step.ts';

export type Verb = 'create' | 'update' | 'delete' | 'move';

/** A request of a write, where its endpoint alone does not say what goes there. */
export interface WriteRequest {
  endpoint: Endpoint;
  /**
   * An update's body: the fields that change, or all of them, with those that nobody declared as they were found. A PATCH sends what
   * changes, PUT and POST send all, where this says nothing else. What cannot be changed is in no PATCH.
   */
  sends?: 'changed' | 'whole';
  /** The body, where it is not the fields as `encode` leaves them. */
  body?(step: Step): unknown;
  /** The content of a file is sent: the body's `file` is the value of a field that names one. */
  file?: true;
  /** Placeholders of the endpoint that are neither the object's `id`, nor a parent, nor a field. */
  params?(step: Step): Record<string, Value>;
  /** A step for which this is false does without the request. */
  when?(step: Step): boolean;
  /** Why the step must not be carried out. */
  refuses?(step: Step): Diagnostic | undefined;
  /** A read before a write: the object must still have the `version` that the plan was made on. */
  sameVersion?: true;
  /** The answer's ETag is kept: `resultOf(index, 'etag')`. */
  etag?: true;
  /** The values that the answer must have; otherwise the requests behind it are not sent. */
  expects?: Request['expects'];
  /** Error codes that mean: not yet. It is sent again for a while. */
  late?: Request['late'];
  /** The places of ids in the answers, if not in the `id` of the first one. */
  returns?(step: Step): NonNullable<Request['returns']>;
  /** Settings that open or close a gate come last or first in their lane. */
  phase?: 'first' | 'last';
}

/** The requests of one verb, in order. A plain endpoint takes the fields as they are encoded; a DELETE has no body. */
export type Write = Endpoint | WriteRequest | (Endpoint | WriteRequest)[];

/** The requests of a write, each in the long form. */
export const writeRequests = (write: Write): WriteRequest[] =>
  [write].flat().map((one) => (typeof one === 'string' ? { endpoint: one } : one));

/** True if a request also sends, as it was found, what nobody declared. */
export function isWhole({ endpoint, sends }: WriteRequest): boolean {
  return sends === undefined ? /^(POST|PUT) /.test(endpoint) : sends === 'whole';
}

/** Why an object that is written whole must not be: it has these members, and no body can say them. None: it may. */
export function wouldLose({ address, after }: Step, members: string[]): Diagnostic | undefined {
  if (members.length === 0) return undefined;
  return problem(
    'write/loses',
    `${address} has ${members.map((name) => `\`${name}\``).join(', ')} in the account, which an update would lose: it writes everything`,
    {
      address,
      ...(after ? { at: after.at } : {}),
      hint: 'change it in the dashboard and accept that here, or remove there what would be lost',
    },
  );
}
