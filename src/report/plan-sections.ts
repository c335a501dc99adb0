import type { Change } from '../model/change.ts';
import { putsBack } from '../model/drift.ts';
import type { Style } from './style.ts';

/** Changes of one sort of risk; what is usual has no title. */
export interface Section {
  title?: string;
  paint: keyof Omit<Style, 'width' | 'unicode'>;
  changes: Change[];
}

/** In the order in which they are read: what is most dangerous stands last, where a terminal stops. */
const sorts: (Omit<Section, 'changes'> & { has(change: Change): boolean })[] = [
  { paint: 'strong', has: () => true },
  { title: 'Drift: changed outside, put back', paint: 'warn', has: putsBack },
  { title: 'Disruptive', paint: 'warn', has: ({ grade }) => grade === 'disruptive' },
  {
    title: 'CONFLICT: changed both outside and here',
    paint: 'alarm',
    has: ({ fields }) => fields.some(({ cause }) => cause === 'conflict'),
  },
  {
    title: 'Not in the configuration, deleted because of $exclusive',
    paint: 'alarm',
    has: ({ exclusive }) => exclusive === true,
  },
  {
    title: 'DESTRUCTIVE: look at each of these',
    paint: 'alarm',
    has: ({ grade, exclusive }) => !exclusive && (grade === 'destructive' || grade === 'irreversible'),
  },
];

/** The changes by risk, each in the most dangerous section that it belongs to; within one their order is kept. */
export function sectionsOf(changes: Change[]): Section[] {
  const sections = sorts.map(({ title, paint }): Section => ({ title, paint, changes: [] }));
  for (const change of changes) sections[sorts.findLastIndex(({ has }) => has(change))]!.changes.push(change);
  return sections.filter((section) => section.changes.length > 0);
}
