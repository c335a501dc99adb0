import { compareCpu } from './compare-samples.ts';
import type { Comparison, Line } from './comparison.ts';
import { inTurn } from './measure.ts';
import { mixedAccount } from './stacks.ts';
import { type Workplace, withWorkplace } from './workplace.ts';

const resources = 1000;

/** Three plans, and the twin, which takes about as long as one. */
const target = 4;

/** Compares rehearsals of the configuration with plans of it, without crashes. */
async function compareRehearsal(place: Workplace, changes: string): Promise<Line> {
  const rehearse = () => place.run('plan', '--rehearse', '--crash-points', '0');
  const pairs = await inTurn(rehearse, () => place.run('plan'), 3);
  const what = `plan --rehearse of ${resources} ${changes}, with the work of its twin, against the plan`;
  return compareCpu(what, pairs, { target });
}

/** Returns the configuration with another value in almost every object: of projects, variables, rules, records, redirects and routes. */
const edited = (yaml: string): string =>
  yaml
    .replaceAll('value: value ', 'value: other ')
    .replaceAll('/private/', '/internal/')
    .replaceAll('192.0.2.', '198.51.100.')
    .replaceAll('destination: /new/', 'destination: /newest/')
    .replaceAll('https://to.example/', 'https://other.example/')
    .replaceAll('framework: nextjs', 'framework: astro');

export const rehearsal: Comparison = {
  name: 'rehearsal',
  description: `\`plan --rehearse\` of ${resources} new resources, and of ${resources} edits, without crashes, against the plan alone`,
  measure: () =>
    withWorkplace(mixedAccount(resources), async (place) => {
      const created = await compareRehearsal(place, 'new resources');
      await place.apply();
      place.configure(edited(mixedAccount(resources)));
      return [created, await compareRehearsal(place, 'edits')];
    }),
};
