/*
 * Follows requests from redirect to redirect.
 *
 * A request ends if it reaches a page, another account, or something that cannot be told. It never ends if each possible outcome of each step is
 * another redirect, until it comes back to an earlier place or a browser gives up.
 */
import type { Address } from '#kind';
import type { RedirectIndex } from './index-redirects.ts';
import { type Outcome, outcomesAt, urlOf, type Visit, visitKey } from './next-hop.ts';

/** After so many redirects, browsers give up (Fetch standard, HTTP-redirect fetch). */
export const mostRedirects = 20;

/** So many places are looked at for one request. Only routes that cannot be decided lead to more. */
const mostPlaces = 200;

type Redirect = Extract<Outcome, { type: 'redirect' }>;

/** A request before a redirect, and the redirect. */
export interface Step {
  visit: Visit;
  by: Address | undefined;
}

/** The way of a request that never ends. */
export interface EndlessWay {
  /** `growing`: each round leads to a longer path. `long`: it has an end, but browsers give up before it. */
  type: 'circle' | 'growing' | 'long';
  steps: Step[];
  /** The place after the steps. */
  next: Visit;
}

/** Follows the requests of one view. Remembers what it found, because many redirects lead to the same places. */
export class RedirectFollower {
  readonly #index: RedirectIndex;
  readonly #mayEnd = new Map<string, boolean>();

  constructor(index: RedirectIndex) {
    this.#index = index;
  }

  /** True if a request never ends, in whatever order the platform applies its redirects. */
  isEndless(start: Visit): boolean {
    const startKey = visitKey(start);
    const known = this.#mayEnd.get(startKey);
    if (known !== undefined) return !known;
    const visited = new Set([startKey]);
    let frontier = [start];
    for (let hops = 0; hops <= mostRedirects && frontier.length > 0; hops++) {
      const next: Visit[] = [];
      for (const visit of frontier)
        for (const outcome of outcomesAt(this.#index, visit)) {
          const key = outcome.type === 'redirect' ? visitKey(outcome.to) : undefined;
          const ends = key === undefined || this.#mayEnd.get(key) === true || visited.size > mostPlaces;
          if (ends) {
            this.#mayEnd.set(startKey, true);
            return false;
          }
          if (visited.has(key) || this.#mayEnd.get(key) === false) continue;
          visited.add(key);
          next.push((outcome as Redirect).to);
        }
      frontier = next;
    }
    // If all places were seen, none of them leads out.
    for (const key of frontier.length === 0 ? visited : [startKey]) this.#mayEnd.set(key, false);
    return true;
  }

  /**
   * Returns the circle that an endless request ends in: the steps until it comes back to a place, or until a redirect answers again and the path
   * grows with each round. Without a circle, returns the steps of a way that is too long for browsers.
   */
  endlessWay(start: Visit): EndlessWay {
    const steps: Step[] = [];
    const places = new Map<string, number>();
    let visit = start;
    while (steps.length < mostPlaces) {
      const key = visitKey(visit);
      const before = places.get(key);
      if (before !== undefined) return { type: 'circle', steps: steps.slice(before), next: visit };
      places.set(key, steps.length);
      const redirects = outcomesAt(this.#index, visit).filter((outcome) => outcome.type === 'redirect');
      const redirect = redirects.find(({ by }) => by !== undefined) ?? redirects[0];
      if (!redirect) break;
      steps.push({ visit, by: redirect.by });
      visit = redirect.to;
    }
    const firstOf = (step: Step) => steps.findIndex(({ by }) => by === step.by);
    const again = steps.findIndex((step, index) => step.by !== undefined && firstOf(step) < index);
    if (again < 0) return { type: 'long', steps, next: visit };
    return { type: 'growing', steps: steps.slice(firstOf(steps[again]!), again), next: steps[again]!.visit };
  }

  /**
   * Returns the steps of a request whose every redirect is certain, and where it ends; undefined if a redirect or the end is uncertain, or if it is
   * endless. A redirect of a host may keep the path or not, so the end can be a host alone.
   */
  certainWay(start: Visit): { steps: Step[]; end: string } | undefined {
    const steps: Step[] = [];
    for (let visits = [start]; steps.length <= mostRedirects; ) {
      const outcomes = visits.flatMap((visit) => outcomesAt(this.#index, visit));
      const [first] = outcomes;
      if (!first || first.type === 'unknown' || outcomes.some(({ type }) => type !== first.type))
        return undefined;
      if (first.type === 'answer') {
        const end = commonUrl(visits.map(urlOf));
        return end === undefined ? undefined : { steps, end };
      }
      if (outcomes.some(({ by }) => by !== first.by)) return undefined;
      steps.push({ visit: visits[0]!, by: first.by });
      if (first.type === 'outside') {
        const end = commonUrl(outcomes.flatMap((outcome) => (outcome.type === 'outside' ? outcome.url : [])));
        return end === undefined ? undefined : { steps, end };
      }
      const targets = outcomes.flatMap((outcome) => (outcome.type === 'redirect' ? outcome.to : []));
      visits = [...new Map(targets.map((target) => [visitKey(target), target])).values()];
    }
    return undefined;
  }
}

/** Returns the URL that all of some URLs are, or the host that they have in common. */
function commonUrl(urls: readonly string[]): string | undefined {
  const [first, ...others] = urls;
  if (others.every((url) => url === first)) return first;
  const hosts = new Set(urls.map((url) => /^https?:\/\/[^/]+/.exec(url)?.[0]));
  return hosts.size === 1 ? [...hosts][0] : undefined;
}
