import * as z from 'zod';
import { catalog } from '../../catalog.ts';
import type { Account } from '../account.ts';
import { type Route, route } from '../router.ts';
import { batches, lists, nameOf, servedOperations } from '../tables.ts';
import { FaultPlanError, problemsIn } from './fault-problems.ts';

const seconds = z.number().min(0).optional();
const milliseconds = z.number().min(0);
const count = z.int().min(1);

/**
 * The actions of a fault on a request. `when` says if the fault strikes before the request takes effect (the default) or after it.
 */
const action = z.discriminatedUnion('type', [
  /**
   * A 429; the request has no effect. `retryAfter`, `reset`: the seconds until a retry, for `Retry-After` and for the platform's reset
   * header.
   */
  z.strictObject({ type: z.literal('rateLimit'), retryAfter: seconds, reset: seconds }),
  /**
   * A refusal or failure of the platform, or of a proxy in front of it; with `when: after` although the request has taken effect. `code`
   * and `message`: those of a refusal of one operation, such as `custom_domain_needs_upgrade`.
   */
  z.strictObject({
    type: z.literal('status'),
    status: z.literal([400, 402, 403, 404, 409, 410, 422, 500, 502, 503]),
    code: z.string().optional(),
    message: z.string().optional(),
    when: z.enum(['before', 'after']).default('before'),
  }),
  /** The connection is reset without an answer; with `during` it ends in the middle of the answer. */
  z.strictObject({
    type: z.literal('connectionReset'),
    when: z.enum(['before', 'after', 'during']).default('before'),
  }),
  /** The request takes effect at once, and is answered `ms` milliseconds later. */
  z.strictObject({ type: z.literal('delay'), ms: milliseconds }),
  /** The first `done` items of a batch take effect (by default half of them); the answer has the others as failed. */
  z.strictObject({ type: z.literal('partialBatch'), done: count.optional() }),
  /**
   * A list has only its first `keep` items, or lacks those with the ids in `without`, and looks complete; see `cutList` and `withoutItems`.
   */
  z.strictObject({
    type: z.literal('cutList'),
    keep: z.int().min(0).optional(),
    without: z.array(z.string()).optional(),
  }),
  /** The answer ends in the middle of its JSON. */
  z.strictObject({ type: z.literal('cutJson') }),
  /** For `ms` milliseconds, lists show the account as it was before this write; with `byId`, so do all other reads. */
  z.strictObject({ type: z.literal('stale'), ms: milliseconds, byId: z.boolean().default(false) }),
  /** Just before the request, another user writes; in the scope of the request if `path` names none. */
  z.strictObject({
    type: z.literal('foreignWrite'),
    method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
    path: z.string().startsWith('/', 'should begin with a slash'),
    body: z.unknown().optional(),
    /** The name of the other user. */
    as: z.string().min(1).default('somebody-else'),
  }),
  /** Just before the request, a function changes the account. Only for plans in code. */
  z.strictObject({
    type: z.literal('foreignChange'),
    change: z.custom<(account: Account) => void>((value) => typeof value === 'function', {
      message: 'should be a function: a file has `foreignWrite` in its place',
    }),
  }),
]);

/**
 * The requests that a fault strikes, among those that `only` allows:
 *
 *   request       the nth of them
 *   every         every nth of them
 *   operation     those of an operation of the catalog: all of them, or only the `nth`
 *   seed, share   a share of all, from 0 to 1. Each request is drawn by its method, its path and how often these came before, so that the
 *                 same requests are struck in any order.
 */
const requestChoice = z.union([
  z.strictObject({ request: count }),
  z.strictObject({ every: count }),
  z.strictObject({ operation: z.string(), nth: count.optional() }),
  z.strictObject({ seed: z.int(), share: z.number().min(0).max(1) }),
]);

const shape = z.strictObject({ at: requestChoice, only: z.enum(['reads', 'writes']).optional(), do: action });

type Problem = [path: string[], message: string];

const isRead = (name: string) =>
  catalog.some((operation) => nameOf(operation) === name && operation.method === 'GET');

/** The operations for which an action is possible, and what they are called in messages. Other actions are possible for all operations. */
const targets: Partial<
  Record<z.output<typeof action>['type'], { fits(operation: string): boolean; are: string }>
> = {
  cutList: { fits: (name) => Object.hasOwn(lists, name), are: 'lists' },
  stale: { fits: (name) => !isRead(name), are: 'writes' },
  partialBatch: {
    fits: (name) => Object.hasOwn(batches, name),
    are: `batches (${Object.keys(batches).join(', ')})`,
  },
};

/** Returns the route of a request; undefined if the twin has none. */
function find(method: string, path: string): Route | undefined {
  try {
    return route(method, path.split('?')[0]!);
  } catch {
    return undefined;
  }
}

/**
 * Returns the problems of a fault with valid members: it names an unknown operation, or it could never happen. A
 * fault is a disturbance that a test requests from the twin.
 */
function checkFault({ at, only, do: action }: z.output<typeof shape>): Problem[] {
  const problems: Problem[] = [];
  const operation = 'operation' in at ? at.operation : undefined;
  const target = targets[action.type];
  const never = (path: string[]) =>
    problems.push([path, `leaves nothing to do: \`${action.type}\` is for ${target?.are}`]);
  if (operation !== undefined && !servedOperations.includes(operation))
    problems.push([['at', 'operation'], 'should be the name of an operation that the twin serves']);
  else if (operation !== undefined) {
    if (only !== undefined && (only === 'reads') !== isRead(operation))
      problems.push([
        ['only'],
        `leaves nothing of ${operation}, which ${isRead(operation) ? 'reads' : 'writes'}`,
      ]);
    if (target && !target.fits(operation)) never(['at', 'operation']);
  } else if (only !== undefined && target) {
    const isPossible = servedOperations.some(
      (name) => isRead(name) === (only === 'reads') && target.fits(name),
    );
    if (!isPossible) never(['only']);
  }
  if (action.type === 'foreignWrite') {
    const route = find(action.method, action.path);
    if (route === undefined || !servedOperations.includes(nameOf(route.operation)))
      problems.push([['do', 'path'], `should be a path for ${action.method} that the twin serves`]);
  }
  return problems;
}

const fault = shape.superRefine((declared, context) => {
  for (const [path, message] of checkFault(declared)) context.addIssue({ code: 'custom', path, message });
});

const schema = z.strictObject({ faults: z.array(fault) });

/** A fault plan as people write it: plain data, except for `foreignChange`. Requests are counted from the time when the plan is set. */
export type FaultPlan = z.input<typeof schema>;
export type Fault = z.output<typeof fault>;
export type FaultAction = Fault['do'];

/**
 * Checks a fault plan (disturbances that a test requests from the twin) and returns its faults. Throws a `FaultPlanError` with all
 * problems.
 */
export function readFaultPlan(input: unknown): Fault[] {
  const result = schema.safeParse(input);
  if (result.success) return result.data.faults;
  throw new FaultPlanError(problemsIn(result.error.issues, input));
}
