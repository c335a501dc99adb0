import { kinds } from '../../providers/hosting/kinds/index.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { samples } from '../support/samples.ts';
import type { Scenario } from './crash.ts';

/*
 * Fields that the scenarios of their kinds leave out, because those scenarios take the first fields of a sample. Each group of fields here is
 * written by a request of its own, or may lock out callers and visitors.
 */

/** Groups of fields: a name for the scenarios, the kind, and how the paths of the fields begin. */
const groups: [name: string, kind: string, paths: string[]][] = [
  ['trusted sources of projects', 'project', ['trustedSources']],
  ['passports of projects', 'project', ['passport']],
  ['tracing of projects', 'project', ['tracing']],
  ['production branches', 'project', ['productionBranch']],
  ['measurements of alert rules', 'alertRule', ['severity', 'evaluation', 'trigger', 'tags']],
  ['notifications of alert rules', 'alertRule', ['notificationSettings']],
];

/** For each group: the fields are set in a new and in an existing object, change, and are reset or left out. */
export const fieldScenarios: Scenario[] = groups.flatMap(([name, kindName, paths]) => {
  const kind = kinds.find((candidate) => candidate.name === kindName)!;
  const leaves = Object.keys(samples[kindName]!.leaves);
  const isInGroup = (path: string) => paths.some((start) => path === start || path.startsWith(`${start}.`));
  const labels = leaves.flatMap((path, index) =>
    isInGroup(path) ? [`${kindName}${index}`.toLowerCase()] : [],
  );
  const cases = casesOf(kind).filter(({ label }) => labels.includes(label.replace(/(made|set)$/, '')));
  if (labels.length === 0 || cases.length < labels.length) throw new Error(`${name}: a field has no case`);
  const [made, changed, reset, released] = [0, 1, 2, 3].map((step) => bodyOf(kind, cases, step));
  return [
    { name: `${name} come`, next: made! },
    { name: `${name} change`, first: made!, next: changed! },
    { name: `${name} are reset`, first: changed!, next: reset! },
    { name: `${name} are left out`, first: changed!, next: released! },
  ];
});
