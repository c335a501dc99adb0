import type { Address, Check, View } from '#kind';
import { mostRelated } from './describe-redirects.ts';
import { indexRedirects, type Route } from './index-redirects.ts';
import { matchBudgetOf } from './match-budget.ts';

/** The most characters of a regular expression in a message. */
const mostSource = 60;

/**
 * Reports that the other checks did not compare some routes with all paths, because the regular expressions would take too much time. So it
 * must come after them.
 */
export const costlyPatterns: Check = {
  codes: ['redirect/costly'],
  *find(view) {
    const budget = matchBudgetOf(view);
    const source = budget.costliestSource();
    if (budget.unmatchedSources.size === 0 || source === undefined) return;
    const unmatched = addressesWith(view, (text) => budget.unmatchedSources.has(text));
    const [address] = addressesWith(view, (text) => text === source);
    if (address === undefined) return;
    const shown = source.length > mostSource ? `${source.slice(0, mostSource)}…` : source;
    const count = unmatched.length === 1 ? '1 route was' : `${unmatched.length} routes were`;
    yield {
      code: 'redirect/costly',
      severity: 'warning',
      message: `the regular expressions of routes take too many steps together, most of them \`${shown}\`: ${count} not compared with all paths, so circles, chains and unreachable redirects may be missing here`,
      hint: 'write it with fewer parts that repeat (`*`, `+`), begin it with `^` and a fixed path, or use fewer such routes',
      address,
      path: 'route.src',
      related: unmatched
        .filter((other) => other !== address)
        .slice(0, mostRelated)
        .map((other) => ({ message: 'not compared with all paths', address: other, path: 'route.src' })),
    };
  },
};

/** Returns the addresses of the routes with a source, or a value of a condition, for which `isWanted` is true. */
function addressesWith(view: View, isWanted: (source: string) => boolean): Address[] {
  const index = indexRedirects(view);
  const hasWanted = ({ pattern, conditions = [] }: Route) =>
    (pattern !== undefined && isWanted(pattern.source)) ||
    conditions.some(({ value }) => value !== undefined && isWanted(value));
  return index.projects
    .flatMap((project) => index.projectAt(project).routes)
    .filter(hasWanted)
    .map(({ object }) => object.address);
}
