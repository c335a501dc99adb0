import type { BucketState, Pace, PublishedLimit } from '../model/budget.ts';
import { addTo, groupBy } from '../model/graph.ts';
import { type Operation, type Plan, type RequestCounts, totalOf } from '../model/plan.ts';
import { standardParallelism } from '../model/planned-action.ts';
import { type Endpoint, type Request, withoutPlaceholderNames } from '../model/request.ts';
import type { PlanDocument } from './plan-document.ts';
import { count, durationText, wrap } from './text.ts';

/*
 * Estimates how long an apply takes, so that an approver knows before a plan with thousands of requests starts.
 *
 * The platform publishes rate limits: `allowed` requests of an endpoint per window of `window` seconds. Requests above that wait for the
 * next window. Runs that share a limit (`--limits`) reserve requests, and see how many are left in the current window.
 *
 * duration = requests in sequence * seconds per request + the longest wait for a limit
 */

/** The cost of a plan, as its JSON document shows it. Without reads if the plan does not have them, like a saved plan. */
type Forecast = PlanDocument['forecast'];

type LimitForecast = Forecast['limits'][number];

/**
 * Estimates how long an apply of a plan takes, so that an approver knows it before: the time of its requests
 * (several are sent at once) and the longest wait for a rate limit. Without `pace` (the platform's speed and
 * limits) the duration is 0.
 */
export function forecast(
  { operations, actions = [], reads }: Pick<Plan, 'operations' | 'actions' | 'reads'>,
  pace?: Pace,
): Forecast {
  const dueActions = actions.filter(({ state }) => state === 'due');
  const requests = [
    ...operations.flatMap((operation) => operation.requests),
    ...dueActions.flatMap(({ request }) => request ?? []),
  ];
  const readsOfApply: RequestCounts = reads && requests.length > 0 ? reads.ofApply : new Map();
  const limits = countByLimit(requests, readsOfApply, pace?.limits ?? []).map(toLimitForecast);
  const readCount = totalOf(readsOfApply);
  const readRounds = readCount / standardParallelism;
  // Requests that depend on each other cannot be sent at once.
  const writeRounds = Math.max(longestChain(operations), requests.length / standardParallelism);
  const sendingSeconds = (readRounds + writeRounds) * (pace?.requestSeconds ?? 0);
  const longestWait = Math.max(0, ...limits.map(waitOf));
  return {
    requests: requests.length,
    reads: reads && readCount,
    seconds: Math.ceil(sendingSeconds + longestWait),
    limits,
  };
}

/** A limit with the requests of a plan that count towards it: certainly, or only probably. */
interface CountedLimit {
  limit: PublishedLimit;
  certain: number;
  probable: number;
}

/**
 * Converts a limit with its requests into the form of the plan's JSON document. The number that the last answer stated (`now`) wins over
 * the documented one. `probable`: some of the requests only probably count. `shared`: the use by other runs.
 */
const toLimitForecast = ({
  limit: { what, allowed, window, now },
  certain,
  probable,
}: CountedLimit): LimitForecast => ({
  what,
  requests: certain + probable,
  allowed: now?.limit ?? allowed,
  window,
  probable: probable > 0 ? true : undefined,
  shared: now && sharedOf(now),
});

/**
 * Counts the requests of a plan towards each rate limit, for the forecast of its apply: those that count according to the documentation
 * (`certain`), and those that may (`probable`). Returns only limits that have some. The limits are indexed by endpoint first, because a
 * plan may have 100,000 requests. `reads`: the number of reads by endpoint.
 */
function countByLimit(
  requests: readonly Request[],
  reads: RequestCounts,
  limits: readonly PublishedLimit[],
): CountedLimit[] {
  const countedLimits = limits.map((limit): CountedLimit => ({ limit, certain: 0, probable: 0 }));
  const limitsByEndpoint = indexByEndpoint(countedLimits);
  const limitsOfEndpoint = (endpoint: Endpoint) => limitsByEndpoint.get(toEndpointKey(endpoint)) ?? [];
  for (const [endpoint, sameRequests] of groupBy(requests, (request) => request.endpoint))
    for (const { counted, certainty } of limitsOfEndpoint(endpoint)) {
      const { limit } = counted;
      // Some limits count only requests with certain bodies.
      const limitedRequests = sameRequests.filter(({ body }) => limit.counts?.(body) ?? true);
      counted[certainty] += limitedRequests.length;
    }
  for (const [endpoint, count] of reads)
    for (const { counted, certainty } of limitsOfEndpoint(endpoint)) counted[certainty] += count;
  return countedLimits.filter(({ certain, probable }) => certain + probable > 0);
}

/** A limit of an endpoint, and whether the requests of this endpoint certainly count towards it. */
interface LimitOfEndpoint {
  counted: CountedLimit;
  certainty: 'certain' | 'probable';
}

/** Returns the limits of each endpoint, by its key (see `toEndpointKey`), each with whether requests to it count certainly or probably. */
function indexByEndpoint(limits: readonly CountedLimit[]): Map<string, LimitOfEndpoint[]> {
  const limitsByEndpoint = new Map<string, LimitOfEndpoint[]>();
  for (const counted of limits) {
    for (const endpoint of counted.limit.endpoints)
      addTo(limitsByEndpoint, toEndpointKey(endpoint), { counted, certainty: 'certain' });
    for (const endpoint of counted.limit.weakEndpoints)
      addTo(limitsByEndpoint, toEndpointKey(endpoint), { counted, certainty: 'probable' });
  }
  return limitsByEndpoint;
}

/**
 * Converts the state of a rate limit that several runs share (the requests that are left, those that runs
 * have reserved, and the end of the window) for the forecast of a plan, with seconds instead of milliseconds.
 */
const sharedOf = ({ endsIn, ...state }: BucketState): NonNullable<LimitForecast['shared']> => ({
  left: state.remaining,
  reserved: state.reserved,
  endsIn: endsIn === undefined ? undefined : Math.ceil(endsIn / 1000),
});

/**
 * Returns the seconds until a rate limit lets the last of a plan's requests through; the longest of these waits is a part of the duration
 * that a plan forecasts. A run alone (`shared` is absent) has the whole limit. Runs that share it take turns, so before this run is done,
 * each other run sends the requests that it has reserved, but at most as many as this one.
 */
export function waitOf({ requests, allowed, window, shared }: LimitForecast): number {
  const { left: available = allowed, reserved = [], endsIn = window } = shared ?? {};
  const fromOtherRuns = reserved.reduce((sum, reservation) => sum + Math.min(reservation, requests), 0);
  const excess = requests + fromOtherRuns - available;
  // The current window ends in `endsIn` seconds. Each further window lets `allowed` requests through.
  return excess <= 0 ? 0 : endsIn + (Math.ceil(excess / allowed) - 1) * window;
}

/**
 * Returns an endpoint without its query and without the names of its placeholders. Used to compare endpoints that are spelled differently.
 */
const toEndpointKey = (endpoint: Endpoint): string => withoutPlaceholderNames(endpoint.replace(/\?.*$/, ''));

/**
 * Returns the length of the longest chain of requests that have to be sent in sequence, for the forecast of the duration of an apply: no
 * parallelism can shorten it. Operations are sorted: dependencies come first.
 */
function longestChain(operations: Operation[]): number {
  const ends = new Map<string, number>();
  let longest = 0;
  for (const { id, dependsOn, requests } of operations) {
    const start = dependsOn.reduce((latest, dependency) => Math.max(latest, ends.get(dependency) ?? 0), 0);
    ends.set(id, start + requests.length);
    longest = Math.max(longest, start + requests.length);
  }
  return longest;
}

/** Shorter durations are not printed, because a person hardly waits. */
const minShownSeconds = 10;

/** Formats the duration of an apply as the end of a sentence: `, about 43 min`. Empty for a few seconds, and if `pace` is unknown. */
export function durationOf(plan: Plan, pace: Pace | undefined): string {
  const { seconds } = forecast(plan, pace);
  return seconds < minShownSeconds ? '' : `, about ${roughly(seconds)}`;
}

/** Returns the sentence about the requests that planning took. Empty for a saved plan, because it does not have that number. */
export const readsText = ({ reads }: Plan): string[] =>
  reads === undefined ? [] : [`Read with ${count(reads.sent, 'request')}.`];

const secondsPerDay = 24 * 3600;

/**
 * True for a limit whose window outlasts every run, if a plan uses a tenth of it or more. Nothing has to wait, but requests since the
 * window began count too, and only the platform knows their number.
 */
const isScarce = ({ requests, allowed, window }: LimitForecast): boolean =>
  window >= secondsPerDay && requests >= allowed / 10;

/**
 * Lists in reports of a plan the rate limits for which an apply has to wait, `60 deployments: limited to 50 an hour.`, and scarce ones:
 * `Global config writes: 60 of 480 a day, earlier ones included.`
 */
export function waitLines(plan: Plan, pace: Pace | undefined, width: number): string[] {
  const shownLimits = forecast(plan, pace).limits.filter((limit) => waitOf(limit) > 0 || isScarce(limit));
  const texts = shownLimits.map((limit) => {
    const { what, requests, allowed, window, probable, shared } = limit;
    const [adverb, allowance] = [probable ? 'probably ' : '', `${allowed} ${perWindow(window)}`];
    const text =
      waitOf(limit) > 0
        ? `${requests} ${what}: ${adverb}limited to ${allowance}`
        : `${what[0]!.toUpperCase()}${what.slice(1)}: ${adverb}${requests} of ${allowance}, earlier ones included`;
    return `${text}${shared ? sharedText(shared) : ''}.`;
  });
  return texts.flatMap((text) => wrap(text, width));
}

/**
 * Formats how much other runs have used of a rate limit that this run shares with them, as the end of a sentence in a plan: `; 40 are left
 * for 12 min, and 2 other runs have reserved 120`.
 */
function sharedText({ left: available, reserved, endsIn }: NonNullable<LimitForecast['shared']>): string {
  const reservedTotal = reserved.reduce((sum, reservation) => sum + reservation, 0);
  return [
    endsIn === undefined ? '' : `; ${available} are left for ${durationText(endsIn * 1000)}`,
    reservedTotal === 0
      ? ''
      : `${endsIn === undefined ? ';' : ', and'} ${count(reserved.length, 'other run')} ${reserved.length === 1 ? 'has' : 'have'} reserved ${reservedTotal}`,
  ].join('');
}

/** Formats the estimated duration of an apply, from seconds, as people say it: `90 s`, `43 min`, `2.5 h`. */
export function roughly(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Number((seconds / 3600).toFixed(1))} h`;
}

const namedWindows: Record<number, string> = {
  1: 'a second',
  60: 'a minute',
  3600: 'an hour',
  [secondsPerDay]: 'a day',
  [7 * secondsPerDay]: 'a week',
};

/** Formats a window in seconds, after a number of requests: `an hour`, `in 15 min`. */
export const perWindow = (window: number): string =>
  namedWindows[window] ??
  (window > secondsPerDay ? `in ${window / secondsPerDay} days` : `in ${durationText(window * 1000)}`);
