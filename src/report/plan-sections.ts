import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { isDrift } from '../model/plan.ts';
import type { Style } from './style.ts';

/** The definition of a section: its changes, as far as no more dangerous section has them. */
interface SectionSort {
  /** Also its place on a page. */
  name: string;
  /** For a list of counts. */
  label: string;
  title: string;
  means: string;
  /** A terminal needs no title for it. */
  usual?: true;
  /** Told in full first, where there is little room. */
  urgent: boolean;
  paint: keyof Omit<Style, 'width' | 'prose' | 'unicode'>;
  has(change: Change, isSent: boolean): boolean;
}

/** Changes of one sort. */
export interface Section extends Omit<SectionSort, 'has'> {
  changes: Change[];
}

/** The most dangerous first: so a page and a comment have them. A terminal stops at the end, and has them the other way round. */
const sorts: readonly SectionSort[] = [
  {
    name: 'irreversible',
    label: 'irreversible',
    title: 'IRREVERSIBLE: review each of these',
    means: 'Cannot be undone: lost data, or an id that others use, does not come back.',
    urgent: true,
    paint: 'alarm',
    has: ({ grade, exclusive }) => !exclusive && grade === 'irreversible',
  },
  {
    name: 'destructive',
    label: 'destructive',
    title: 'DESTRUCTIVE: review each of these',
    means: 'Objects are deleted.',
    urgent: true,
    paint: 'alarm',
    has: ({ grade, exclusive }) => !exclusive && grade === 'destructive',
  },
  {
    name: 'exclusive',
    label: 'deleted because of $exclusive',
    title: 'Not in the configuration, deleted because of $exclusive',
    means: 'These were not created here; `$exclusive` deletes everything undeclared.',
    urgent: true,
    paint: 'alarm',
    has: ({ exclusive }) => exclusive === true,
  },
  {
    name: 'conflict',
    label: 'in conflict',
    title: 'CONFLICT: changed both outside and here',
    means: 'What somebody changed outside is overwritten.',
    urgent: true,
    paint: 'alarm',
    has: ({ fields }) => fields.some(({ cause }) => cause === 'conflict'),
  },
  {
    name: 'disruptive',
    label: 'disruptive',
    title: 'Disruptive',
    means: 'Something is briefly absent or interrupted.',
    urgent: true,
    paint: 'warn',
    has: ({ grade }) => grade === 'disruptive',
  },
  {
    name: 'drift',
    label: 'drift',
    title: 'Drift: changed outside, will be reverted',
    means: 'Somebody changed these outside since the last apply.',
    urgent: true,
    paint: 'warn',
    has: (change, isSent) => isSent && isDrift(change),
  },
  {
    name: 'changes',
    label: 'ordinary',
    title: 'Changes',
    means: 'Changes from the configuration; nothing is lost or interrupted.',
    usual: true,
    urgent: false,
    paint: 'strong',
    has: (_, isSent) => isSent,
  },
  {
    name: 'recorded',
    label: 'recorded only',
    title: 'Recorded only: nothing is sent',
    means: 'The account is up to date; only the ledger changes.',
    usual: true,
    urgent: false,
    paint: 'strong',
    has: () => true,
  },
];

/** The changes that there are to show by section, the most dangerous first; what only the ledger learns is none. Within one their order is kept. `sent`: what has requests. */
export function sectionsOf(changes: Change[], sent: { has(address: Address): boolean }): Section[] {
  const sections = sorts.map(({ has: _, ...sort }): Section => ({ ...sort, changes: [] }));
  for (const change of changes) {
    if (change.action === 'noop' || change.changesLedgerOnly) continue;
    const isSent = sent.has(change.address);
    sections[sorts.findIndex(({ has }) => has(change, isSent))]!.changes.push(change);
  }
  return sections.filter((section) => section.changes.length > 0);
}
