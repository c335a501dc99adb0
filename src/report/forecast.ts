import type { BucketState, Pace, PublishedLimit } from '../model/budget.ts';
import type { Operation, Plan } from '../model/plan.ts';
import type { Endpoint } from '../model/request.ts';
import { count, durationText } from './count.ts';
import { wrap } from './cut.ts';

/** The cost of a plan: requests, seconds, and the published limits that it comes under. */
interface Forecast {
  requests: number;
  seconds: number;
  /** `requests`: how many of the plan count; the first window lets `allowed` of them through at once, or as many as are `left`. */
  limits: (Pick<PublishedLimit, 'what' | 'allowed' | 'window'> & { requests: number; shared?: Shared })[];
}

/** The state of a limit that other runs share. */
interface Shared {
  /** Requests that are left in this window. */
  left: number;
  /** Requests that each of the other runs has reserved. */
  reserved: number[];
  /** Seconds until the window ends; absent while it has not begun. */
  endsIn?: number;
}

/** As many as work at once unless --parallelism says otherwise. */
const concurrentRequests = 10;

/** Estimates the duration of a plan: its requests, in sequence where they must be, and the waits until a limit lets all of them through. */
export function forecast(
  { operations, actions = [] }: Pick<Plan, 'operations' | 'actions'>,
  pace?: Pace,
): Forecast {
  const following = actions.flatMap(({ request, state }) => (request && state === 'due' ? [request] : []));
  const all = [...operations.flatMap(({ requests }) => requests), ...following].map(({ endpoint }) =>
    blank(endpoint),
  );
  const limits = (pace?.limits ?? []).flatMap(({ endpoint, what, allowed, window, now }) => {
    const requests = all.filter((one) => one === blank(endpoint)).length;
    if (requests === 0) return [];
    const known = { what, requests, allowed: now?.limit ?? allowed, window };
    return now ? [{ ...known, shared: sharedOf(now) }] : [known];
  });
  const turns = Math.max(longestChain(operations), all.length / concurrentRequests);
  const waits = Math.max(0, ...limits.map(waitOf));
  return { requests: all.length, seconds: Math.ceil(turns * (pace?.requestSeconds ?? 0) + waits), limits };
}

const sharedOf = ({ left, reserved, endsIn }: BucketState): Shared => ({
  left,
  reserved,
  endsIn: endsIn === undefined ? undefined : Math.ceil(endsIn / 1000),
});

/**
 * The seconds for which a limit holds the last of these requests back. Alone, this run has the whole limit. If runs share it, they get equal
 * parts: before this run is done, as many requests of each other run have gone.
 */
function waitOf({ requests, allowed, window, shared }: Forecast['limits'][number]): number {
  const { left = allowed, reserved = [], endsIn = window } = shared ?? {};
  const first = reserved.reduce((sum, one) => sum + Math.min(one, requests), 0);
  const beyond = requests + first - left;
  return beyond <= 0 ? 0 : endsIn + (Math.ceil(beyond / allowed) - 1) * window;
}

/** Whatever the placeholders are called, and without the query. */
const blank = (endpoint: Endpoint): string => endpoint.replace(/\?.*$/, '').replace(/\{[^{}]*\}/g, '{}');

/** The longest chain of requests that have to be sent in sequence; operations come after those they depend on. */
function longestChain(operations: Operation[]): number {
  const ends = new Map<string, number>();
  let longest = 0;
  for (const { id, dependsOn, requests } of operations) {
    const begin = dependsOn.reduce((latest, other) => Math.max(latest, ends.get(other) ?? 0), 0);
    ends.set(id, begin + requests.length);
    longest = Math.max(longest, begin + requests.length);
  }
  return longest;
}

/** Shorter ones do not matter to anybody. */
const leastShownSeconds = 10;

/** `, about 43 min`; nothing where it is a matter of seconds, or where the platform's pace is not known. */
export function durationOf(plan: Plan, pace: Pace | undefined): string {
  const { seconds } = forecast(plan, pace);
  return seconds < leastShownSeconds ? '' : `, about ${roughly(seconds)}`;
}

/** A sentence about the requests that planning took; none where that is not known. */
export const readsText = ({ reads }: Plan): string[] =>
  reads === undefined ? [] : [`Read with ${count(reads, 'request')}.`];

/** Which published limits hold the plan up. */
export function waitLines(plan: Plan, pace: Pace | undefined, width: number): string[] {
  const holding = forecast(plan, pace).limits.filter((limit) => waitOf(limit) > 0);
  const texts = holding.map(
    ({ what, requests, allowed, window, shared }) =>
      `${requests} ${what}: limited to ${allowed} ${each(window)}${shared ? sharedText(shared) : ''}.`,
  );
  return texts.flatMap((text) => wrap(text, width));
}

/** `; 40 are left for 12 min, and 2 other runs have reserved 120`. */
function sharedText({ left, reserved, endsIn }: Shared): string {
  const others = reserved.reduce((sum, one) => sum + one, 0);
  return [
    endsIn === undefined ? '' : `; ${left} are left for ${durationText(endsIn * 1000)}`,
    others === 0
      ? ''
      : `${endsIn === undefined ? ';' : ', and'} ${count(reserved.length, 'other run')} ${reserved.length === 1 ? 'has' : 'have'} reserved ${others}`,
  ].join('');
}

const roughly = (seconds: number): string =>
  seconds < 120
    ? `${seconds} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Number((seconds / 3600).toFixed(1))} h`;

const each = (window: number): string =>
  window === 3600 ? 'an hour' : window === 60 ? 'a minute' : `in ${durationText(window * 1000)}`;
