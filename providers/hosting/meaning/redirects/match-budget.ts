/*
 * Limits the time that all matches with regular expressions take together, because people from outside can write the configuration of a
 * pull request: each match is cheap, but there can be as many as routes times redirects. Steps are estimated and not measured, so that
 * equal configurations have equal findings.
 */
import type { View } from '#kind';

/** The most steps of all matches for one view. They take a few seconds at most. */
const mostStepsOfView = 4_000_000_000;

/** Counts the steps of matches. After too many, matches are left out, and their result is unknown. */
export class MatchBudget {
  #left: number;
  readonly #stepsBySource = new Map<string, number>();
  /** The regular expressions for which at least one match was left out. */
  readonly unmatchedSources: Set<string> = new Set();

  constructor(mostSteps = mostStepsOfView) {
    this.#left = mostSteps;
  }

  /** Takes the steps of a match with a regular expression. Returns false if too few are left, so that the match must be left out. */
  take(source: string, steps: number): boolean {
    if (steps > this.#left) {
      this.unmatchedSources.add(source);
      return false;
    }
    this.#left -= steps;
    this.#stepsBySource.set(source, (this.#stepsBySource.get(source) ?? 0) + steps);
    return true;
  }

  /** Returns the regular expression whose matches took most steps; the first of several. */
  costliestSource(): string | undefined {
    const [first, ...others] = this.#stepsBySource;
    return first && others.reduce((most, entry) => (entry[1] > most[1] ? entry : most), first)[0];
  }
}

const budgets = new WeakMap<View, MatchBudget>();

/** Returns the budget of a view. A view has one for all of its checks. */
export function matchBudgetOf(view: View): MatchBudget {
  const budget = budgets.get(view) ?? new MatchBudget();
  budgets.set(view, budget);
  return budget;
}

/** Gives views one budget together: those of the states of a rehearsed apply, one for each request. Views that have one already keep it. */
export function shareMatchBudget(views: readonly View[]): void {
  const shared = views.map((view) => budgets.get(view)).find((budget) => budget !== undefined);
  for (const view of views) if (!budgets.has(view)) budgets.set(view, shared ?? matchBudgetOf(view));
}
