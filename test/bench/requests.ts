import type { Comparison } from './comparison.ts';
import { type Sample, spread } from './measure.ts';
import { stackOf } from './stacks.ts';
import { withWorkplace } from './workplace.ts';

const secondsOf = (samples: Sample[]) => samples.map(({ seconds }) => seconds);

/** 1,000 variables and 200 rules in 10 projects, 500 records in 5 domains. */
const busy = stackOf({ projects: 10, variables: 100, rules: 20, records: 100, domains: 5 });

/** Returns the path of a request without the parameters that differ between the pages of one list. */
function listPathOf(path: string): string {
  const [list, query] = path.split('?');
  const parameters = new URLSearchParams(query);
  for (const name of ['until', 'since', 'from', 'next', 'cursor', 'page', 'limit', 'per_page'])
    parameters.delete(name);
  return `${list}?${parameters}`;
}

export const requests: Comparison = {
  name: 'requests',
  description: 'how many requests a plan without changes makes, and what their latency costs',
  measure: () =>
    withWorkplace(busy, async (place) => {
      await place.apply();
      const { reads } = await place.plan();
      const pages = new Map<string, number>();
      for (const { path } of place.twin.requests) {
        const list = listPathOf(path);
        pages.set(list, (pages.get(list) ?? 0) + 1);
      }
      // Requests that wait for each other: the account's owner, then objects without a parent, then their contents.
      const isTop = (list: string) => /\/(projects|domains)\?/.test(list);
      const mostPages = (isCounted: (list: string) => boolean) =>
        Math.max(0, ...[...pages].filter(([list]) => isCounted(list)).map(([, count]) => count));
      const chain = 1 + mostPages(isTop) + mostPages((list) => !isTop(list));
      const near: Sample[] = [];
      const far: Sample[] = [];
      for (let run = 0; run < 7; run++) {
        place.latencyMs = 0;
        near.push(await place.plan());
        place.latencyMs = 50;
        far.push(await place.plan());
      }
      const floor = chain * 0.05 + spread(secondsOf(near)).median;
      return [
        {
          what: 'requests of a plan of 1,725 unchanged objects',
          figure: reads,
          unit: 'requests',
          target: 60,
        },
        {
          what: `the same with 50 ms of latency, against ${chain} x 50 ms and the time without`,
          figure: spread(secondsOf(far)).median / floor,
          unit: 'times',
          target: 1.5,
          samples: { without: spread(secondsOf(near)), with: spread(secondsOf(far)) },
        },
      ];
    }),
};

export const batches: Comparison = {
  name: 'batches',
  description: 'how many writes 1,000 new variables in 10 projects take',
  measure: () =>
    withWorkplace(stackOf({ projects: 10 }), async (place) => {
      await place.apply();
      place.configure(stackOf({ projects: 10, variables: 100 }));
      const { writes } = await place.apply();
      return [
        {
          what: 'writes for 1,000 new variables in 10 projects',
          figure: writes,
          unit: 'requests',
          target: 30,
        },
      ];
    }),
};
