/*
 * Follows requests from redirect to redirect.
 *
 * A request ends if it reaches a page, another account, or a place that is not known. It never ends if each possible outcome of each step
 * is another redirect, until it comes back to an earlier place or a browser gives up.
 */
import type { Address } from '#kind';
import type { RedirectIndex } from './index-redirects.ts';
import { type Outcome, outcomesAt, urlOf, type Visit, visitKey } from './next-hop.ts';

/** After so many redirects, browsers give up (Fetch standard, HTTP-redirect fetch). */
export const mostRedirects = 20;

/** The most places that are looked at for one request. Only routes that cannot be decided lead to more. */
const mostPlaces = 200;

/** The most redirects of one way that are followed. */
const longestWay = 1000;

/** A request before a redirect, and the redirect; undefined for the platform itself. */
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

/** The way of a request that comes to an end. */
export interface StraightWay {
  /** The number of redirects. */
  hops: number;
  /** The last redirect; undefined if there is none. */
  last: Step | undefined;
  /** The URL where it ends; undefined if that is unknown. */
  end: string | undefined;
}

/** A request at one point of its way. Equal requests are one place. */
interface Place {
  visit: Visit;
  /** Its possible next steps. Undefined until they are computed. */
  moves: Move[] | undefined;
  isEndless: boolean | undefined;
  /** The way to its end, if that has no forks. */
  way: StraightWay | undefined;
}

/** An outcome, with the place that it leads to if it is a redirect inside of the account. */
interface Move {
  outcome: Outcome;
  to: Place | undefined;
}

/**
 * Follows visits (requests on their way) through the redirects of one view. Remembers each place, because many redirects lead to the same
 * ones.
 */
export class RedirectFollower {
  readonly #index: RedirectIndex;
  readonly #places = new Map<string, Place>();

  constructor(index: RedirectIndex) {
    this.#index = index;
  }

  #placeOf(visit: Visit): Place {
    const key = visitKey(visit);
    const knownPlace = this.#places.get(key) ?? {
      visit,
      moves: undefined,
      isEndless: undefined,
      way: undefined,
    };
    this.#places.set(key, knownPlace);
    return knownPlace;
  }

  #movesAt(place: Place): Move[] {
    place.moves ??= outcomesAt(this.#index, place.visit).map((outcome) => ({
      outcome,
      to: outcome.type === 'redirect' ? this.#placeOf(outcome.to) : undefined,
    }));
    return place.moves;
  }

  /** True if a request never ends in any order in which the platform may apply its redirects. */
  isEndless(visit: Visit): boolean {
    const start = this.#placeOf(visit);
    start.isEndless ??= this.#hasNoEnd(start);
    return start.isEndless;
  }

  #hasNoEnd(start: Place): boolean {
    const straightWay = this.#straightWay(start);
    if (straightWay) return straightWay.hops > mostRedirects;
    if (start.isEndless) return true;
    const visited = new Set([start]);
    let frontier = [start];
    for (let hops = 0; hops <= mostRedirects && frontier.length > 0; hops++) {
      const next: Place[] = [];
      for (const { to } of frontier.flatMap((place) => this.#movesAt(place))) {
        if (to === undefined || to.isEndless === false || visited.size > mostPlaces) return false;
        if (visited.has(to) || to.isEndless) continue;
        visited.add(to);
        next.push(to);
      }
      frontier = next;
    }
    // If all places were seen, none of them leads out.
    if (frontier.length === 0) for (const visitedPlace of visited) visitedPlace.isEndless = true;
    return true;
  }

  /** Returns the way from a place to its end; undefined if it has forks or no end. Each place is looked at once. */
  #straightWay(start: Place): StraightWay | undefined {
    const passed = new Set<Place>();
    let current = start;
    let remainingWay = current.way;
    while (remainingWay === undefined) {
      const [move, ...otherMoves] = this.#movesAt(current);
      const isCircle = passed.has(current) || current.isEndless === true;
      const isLong = passed.size > longestWay;
      // After so many redirects, only the last places can be near an end.
      for (const earlier of isCircle ? passed : isLong ? [...passed].slice(0, -mostRedirects) : [])
        earlier.isEndless = true;
      if (isCircle || isLong || otherMoves.length > 0) return undefined;
      const { outcome, to } = move!;
      if (to === undefined) {
        const last = { visit: current.visit, by: outcome.by };
        if (outcome.type === 'outside') remainingWay = { hops: 1, last, end: outcome.url };
        else
          remainingWay = {
            hops: 0,
            last: undefined,
            end: outcome.type === 'answer' ? urlOf(current.visit) : undefined,
          };
        current.way = remainingWay;
      } else {
        passed.add(current);
        current = to;
        remainingWay = current.way;
      }
    }
    for (const earlier of [...passed].reverse()) {
      const step: Step = { visit: earlier.visit, by: this.#movesAt(earlier)[0]!.outcome.by };
      remainingWay = { hops: remainingWay.hops + 1, last: remainingWay.last ?? step, end: remainingWay.end };
      earlier.way = remainingWay;
    }
    return remainingWay;
  }

  /** Returns the way of a request whose every redirect and end are certain; undefined if one is uncertain, or if it is endless. */
  certainWay(visit: Visit): StraightWay | undefined {
    const straightWay = this.#straightWay(this.#placeOf(visit));
    return straightWay?.end === undefined ? undefined : straightWay;
  }

  /** Returns the steps of a request with a certain way. */
  stepsOf(visit: Visit): Step[] {
    const steps: Step[] = [];
    let current: Place | undefined = this.#placeOf(visit);
    while (current && current.way!.hops > 0) {
      const [move] = this.#movesAt(current) as [Move];
      steps.push({ visit: current.visit, by: move.outcome.by });
      current = move.to;
    }
    return steps;
  }

  /**
   * Returns the circle that an endless request ends in: the steps until it comes back to a place, or until a redirect answers again and the
   * path grows with each round. Without a circle, returns the steps of a way that is too long for browsers.
   */
  endlessWay(visit: Visit): EndlessWay {
    const steps: Step[] = [];
    const stepOf = new Map<Place, number>();
    let current = this.#placeOf(visit);
    while (steps.length < longestWay) {
      const before = stepOf.get(current);
      if (before !== undefined) return { type: 'circle', steps: steps.slice(before), next: current.visit };
      stepOf.set(current, steps.length);
      const redirects = this.#movesAt(current).filter(({ to }) => to !== undefined);
      const redirect = redirects.find(({ outcome }) => outcome.by !== undefined) ?? redirects[0];
      if (!redirect) break;
      steps.push({ visit: current.visit, by: redirect.outcome.by });
      current = redirect.to!;
    }
    const stepBy = new Map<Address, number>();
    for (const [again, { by, visit: next }] of steps.entries()) {
      const first = by === undefined ? undefined : stepBy.get(by);
      if (first !== undefined) return { type: 'growing', steps: steps.slice(first, again), next };
      if (by !== undefined) stepBy.set(by, again);
    }
    return { type: 'long', steps, next: current.visit };
  }

  /** Returns the redirect that answers a request first. */
  firstRedirect(visit: Visit): Address | undefined {
    return this.#movesAt(this.#placeOf(visit))[0]!.outcome.by;
  }
}
