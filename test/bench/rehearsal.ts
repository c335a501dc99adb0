import { compareCpu } from './compare-samples.ts';
import type { Comparison, Line } from './comparison.ts';
import { cpuSecondsOf, inTurn } from './measure.ts';
import { mixedAccount } from './stacks.ts';
import { type Workplace, withWorkplace } from './workplace.ts';

const resources = 1000;

/** A comparison, and the CPU seconds of the apply that it counts. */
interface ComparedRehearsal {
  line: Line;
  applied: number;
}

/**
 * Compares rehearsals of the configuration, without crashes, with three plans of it and the work of a twin: to create the account that it begins with, and to
 * apply the changes. Then the changes are applied. `filled`: the CPU seconds in which an apply creates that account.
 */
async function compareRehearsal(
  place: Workplace,
  changes: string,
  filled: number,
): Promise<ComparedRehearsal> {
  const rehearse = () => place.run('plan', '--rehearse', '--crash-points', '0');
  const { ours, theirs } = await inTurn(rehearse, () => place.run('plan'), 3);
  const applied = await applyWithTwin(place);
  const bounds = theirs.map((planned) => ({
    ...planned,
    cpu: 3 * cpuSecondsOf(planned) + filled + applied,
  }));
  const what = `plan --rehearse of ${resources} ${changes}, against three plans and the work of a twin`;
  return { line: compareCpu(what, { ours, theirs: bounds }, { target: 1 }), applied };
}

/** Applies the configuration. Returns the CPU seconds of the program and of the twin. */
async function applyWithTwin(place: Workplace): Promise<number> {
  const before = process.cpuUsage();
  const applied = await place.apply();
  const { user, system } = process.cpuUsage(before);
  return cpuSecondsOf(applied) + (user + system) / 1e6;
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
  description: `\`plan --rehearse\` of ${resources} new resources, and of ${resources} edits, without crashes, against three plans and the work of a twin`,
  measure: () =>
    withWorkplace(mixedAccount(resources), async (place) => {
      const created = await compareRehearsal(place, 'new resources', 0);
      place.configure(edited(mixedAccount(resources)));
      const changed = await compareRehearsal(place, 'edits', created.applied);
      return [created.line, changed.line];
    }),
};
