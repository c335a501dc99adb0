import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { isDrift } from '../model/plan.ts';
import { isShownChange } from './finding-text.ts';
import type { Style } from './style.ts';

/*
 * Sorts the changes of a plan into sections by danger. A change belongs to the most dangerous section whose condition it meets, so each
 * change is in one section. Text, comment and page have the same sections.
 */

/** The definition of a section: its texts, and the condition for its changes. */
interface SectionSort {
  /** The id of the section, also on the page. */
  name: string;
  /** The words for it in a list of counts. */
  label: string;
  title: string;
  /** A sentence about the changes in the section, for the page. */
  means: string;
  /** True for a section without danger. The text report prints its changes without a title. */
  usual?: true;
  /** True if a comment of limited size shows the changes of this section in full before it shows other sections. */
  urgent: boolean;
  paint: keyof Omit<Style, 'width' | 'prose' | 'unicode'>;
  /** True if a change meets the condition of the section. `isSent`: the plan has requests for it. */
  includes(change: Change, isSent: boolean): boolean;
}

/** A section with its changes. */
export interface ReportSection extends Omit<SectionSort, 'includes'> {
  changes: Change[];
}

/** All sections, the most dangerous first, as the page and the comment show them. The text report begins with the usual ones and
 * reverses the others, because a terminal stops at the end. */
const sectionSorts: readonly SectionSort[] = [
  {
    name: 'irreversible',
    label: 'irreversible',
    title: 'IRREVERSIBLE: review each of these',
    means: 'Cannot be undone: lost data, or an id that others use, does not come back.',
    urgent: true,
    paint: 'alarm',
    includes: ({ grade, exclusive }) => !exclusive && grade === 'irreversible',
  },
  {
    name: 'destructive',
    label: 'destructive',
    title: 'DESTRUCTIVE: review each of these',
    means: 'Objects are deleted.',
    urgent: true,
    paint: 'alarm',
    includes: ({ grade, exclusive }) => !exclusive && grade === 'destructive',
  },
  {
    name: 'exclusive',
    label: 'deleted because of $exclusive',
    title: 'Not in the configuration, deleted because of $exclusive',
    means: 'These were not created here; `$exclusive` deletes everything undeclared.',
    urgent: true,
    paint: 'alarm',
    includes: ({ exclusive }) => exclusive === true,
  },
  {
    name: 'conflict',
    label: 'in conflict',
    title: 'CONFLICT: changed both outside and here',
    means: 'What somebody changed outside is overwritten.',
    urgent: true,
    paint: 'alarm',
    includes: ({ fields }) => fields.some(({ cause }) => cause === 'conflict'),
  },
  {
    name: 'disruptive',
    label: 'disruptive',
    title: 'Disruptive',
    means: 'Something is briefly absent or interrupted.',
    urgent: true,
    paint: 'warn',
    includes: ({ grade }) => grade === 'disruptive',
  },
  {
    name: 'drift',
    label: 'drift',
    title: 'Drift: changed outside, will be reverted',
    means: 'Somebody changed these outside since the last apply.',
    urgent: true,
    paint: 'warn',
    includes: (change, isSent) => isSent && isDrift(change),
  },
  {
    name: 'changes',
    label: 'ordinary',
    title: 'Changes',
    means: 'Changes from the configuration; nothing is lost or interrupted.',
    usual: true,
    urgent: false,
    paint: 'strong',
    includes: (_, isSent) => isSent,
  },
  {
    name: 'recorded',
    label: 'recorded only',
    title: 'Recorded only: nothing is sent',
    means: 'The account is up to date; only the ledger changes.',
    usual: true,
    urgent: false,
    paint: 'strong',
    includes: () => true,
  },
];

/** The names of all sections, the most dangerous first. */
export const sectionNames: readonly string[] = sectionSorts.map(({ name }) => name);

/**
 * Groups the changes of a plan into the sections of a report (irreversible, destructive, drift, ordinary and
 * others), the most dangerous first, without empty sections. A change belongs to the first section whose condition
 * it meets. Leaves out objects that stay as they are. `sent`: the addresses for which the plan has requests.
 */
export function sectionsOf(changes: Change[], sent: { has(address: Address): boolean }): ReportSection[] {
  const sections = sectionSorts.map((sort) => ({ sort, changes: [] as Change[] }));
  for (const change of changes.filter(isShownChange)) {
    const isSent = sent.has(change.address);
    // Each change meets the condition of the last section.
    sections.find(({ sort }) => sort.includes(change, isSent))!.changes.push(change);
  }
  return sections.flatMap(({ sort: { includes: _, ...texts }, changes }) =>
    changes.length > 0 ? [{ ...texts, changes }] : [],
  );
}
