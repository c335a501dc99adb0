import { type BillingPlan, countsBody, type DocumentedLimit, limitsForPlan } from '../../limits/index.ts';
import { ApiError } from '../errors.ts';

/** A limit: `allowed` calls in each window, which lasts `window` seconds. */
type Counter = Pick<DocumentedLimit, 'name' | 'allowed' | 'window' | 'scope' | 'bodyMember'> & {
  /** True for a limit without a source. */
  isAssumed?: true;
};

const minute = 60;

/**
 * The calls per minute of operations that no documented limit covers. No source has these numbers; only that many of the platform's windows
 * are a minute long is documented. The numbers are low, so that clients reach them.
 */
const assumedLimits: Record<string, number> = { createProject: 30, updateProject: 60 };
const assumedWrites = 120;
const assumedReads = 200;

/** A call of an operation, as limits count it. */
export interface CountedCall {
  operationId: string;
  isWrite: boolean;
  body?: unknown;
  ownerId: string;
  userId: string;
  /** The billing plan of the owner, which decides some of the numbers. */
  plan?: BillingPlan | undefined;
}

/** Counts calls against the limits of their operations. */
export interface RateLimits {
  /**
   * Counts a call, and returns the headers of its answer; none if the call is not limited. Throws a 429 with these headers if a limit is
   * used up.
   */
  count(call: CountedCall): Record<string, string>;
}

/** `isAssumed`: also counts against limits that are only probable or assumed. `windowMs`: the length of all windows in milliseconds. */
interface Settings {
  isAssumed?: boolean;
  windowMs?: number | undefined;
}

/** The refusal of a call whose limit is used up: a 429 with headers of its own. */
export class RateLimited extends ApiError {
  readonly headers: Record<string, string>;

  constructor(message: string, extra: Record<string, unknown>, headers: Record<string, string>) {
    super(429, 'rate_limited', message, extra);
    this.headers = headers;
  }
}

/**
 * Creates the function which returns the rate limits (counters) that a call of an operation counts towards, so that the twin refuses what
 * the platform refuses. They are indexed once for each billing plan, because the function is called for each request. `isAssumed`: also
 * limits that are only probable or guessed.
 */
export function createCounterFinder(
  isAssumed: boolean,
): (call: Pick<CountedCall, 'operationId' | 'isWrite' | 'plan'>) => readonly Counter[] {
  const indexes = new Map<BillingPlan | undefined, Map<string, Counter[]>>();
  const indexFor = (plan: BillingPlan | undefined) => {
    const index = new Map<string, Counter[]>();
    for (const limit of limitsForPlan(plan))
      for (const operation of [...limit.operations, ...(isAssumed ? (limit.weakOperations ?? []) : [])])
        index.set(operation, [...(index.get(operation) ?? []), limit]);
    indexes.set(plan, index);
    return index;
  };
  return ({ operationId, isWrite, plan }) => {
    const documented = (indexes.get(plan) ?? indexFor(plan)).get(operationId) ?? [];
    if (!isAssumed || documented.some(({ bodyMember }) => bodyMember === undefined)) return documented;
    const allowed = assumedLimits[operationId] ?? (isWrite ? assumedWrites : assumedReads);
    const assumed: Counter = { name: operationId, allowed, window: minute, scope: 'owner', isAssumed: true };
    return [assumed, ...documented];
  };
}

/** The calls that a limit has counted in its current window. `reset`: the end of the window in milliseconds. */
interface Usage {
  count: number;
  reset: number;
}

/**
 * Returns a counter by which the twin refuses calls like the platform. A limit allows so many calls in each window of time; a window starts
 * with the first call, for each owner or user. Operations of one limit count together, and an operation with several limits obeys all of
 * them. A refused call does not count. `isAssumed`: also limits that no source confirms; `windowMs`: the length of all windows, for tests.
 */
export function rateLimits(now: () => number, { isAssumed = false, windowMs }: Settings = {}): RateLimits {
  const countersOf = createCounterFinder(isAssumed);
  const usages = new Map<string, Usage>();
  const usageOf = ({ name, window, scope }: Counter, { ownerId, userId }: CountedCall): Usage => {
    const key = `${scope === 'user' ? userId : ownerId} ${name}`;
    const current = usages.get(key);
    if (current !== undefined && current.reset > now()) return current;
    const usage = { count: 0, reset: now() + (windowMs ?? window * 1000) };
    usages.set(key, usage);
    return usage;
  };
  return {
    count(call) {
      const counters = countersOf(call).filter((counter) => countsBody(counter, call.body));
      const used = counters.map((counter) => ({ counter, usage: usageOf(counter, call) }));
      const full = used.find(({ counter, usage }) => usage.count >= counter.allowed);
      if (full) throw refusal(full.counter, full.usage, now());
      for (const { usage } of used) usage.count += 1;
      // The headers have room for one limit: the one that will be used up first.
      const [tightest] = used
        .map(({ counter, usage }) => ({ counter, usage, remaining: counter.allowed - usage.count }))
        .sort((a, b) => a.remaining - b.remaining);
      return tightest ? headersOf(tightest.counter, tightest.usage) : {};
    },
  };
}

/**
 * Returns the headers with which the twin, like the platform, states in each answer how many calls a rate limit allows and how many remain.
 */
const headersOf = ({ allowed }: Counter, { count, reset }: Usage): Record<string, string> => ({
  'x-ratelimit-limit': String(allowed),
  'x-ratelimit-remaining': String(allowed - count),
  'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
});

/**
 * Returns the error (429) by which the twin refuses a call when its rate limit is used up. Like the platform's, it names the limit and says
 * how long to wait. `usage`: the calls of the present window, and its end.
 */
function refusal(counter: Counter, usage: Usage, now: number): RateLimited {
  const { name, allowed } = counter;
  const wait = Math.max(1, Math.ceil((usage.reset - now) / 1000));
  const limited = new RateLimited(
    `Too many requests - try again in ${wait} seconds (more than ${allowed}, code: "${name}").`,
    { name, limit: { total: allowed, remaining: 0, reset: Math.ceil(usage.reset / 1000) } },
    { ...headersOf(counter, usage), 'retry-after': String(wait) },
  );
  return counter.isAssumed ? limited : limited.by(`limit:${name}`);
}
