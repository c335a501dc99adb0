import type { Change } from '../../model/change.ts';
import { listFirst } from '../../model/fold-wordings.ts';
import { groupBy } from '../../model/graph.ts';
import { countLogicalChanges, groupLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan, Summary } from '../../model/plan.ts';
import { countPlannedDeletions } from '../../model/planned-deletions.ts';
import { contentsText } from '../contents-text.ts';
import { logicalNameOf } from '../fold-changes.ts';
import { summaryCountsText } from '../plan-end.ts';
import { createGitlabCounts, sentAddressesIn, summarizePlan } from '../plan-notes.ts';
import { type ReportSection, sectionNames, sectionsOf } from '../plan-sections.ts';
import { cleanLine } from '../text.ts';
import { isUnplanned, type StackReport } from './stack-report.ts';

/*
 * Sums up the plans of several stacks, so that a reviewer of 60 stacks first sees the size of all changes together, and the dangerous ones.
 * Text, comment, page and JSON use the same sums.
 */

/** Adds the summaries of the plans of all stacks. An object counts in the stack that plans it. */
export function sumSummaries(reports: readonly StackReport[]): Summary {
  const [first = summarizePlan(emptyPlan), ...others] = plansOf(reports).map(summarizePlan);
  return others.reduce(addSummaries, first);
}

const emptyPlan: Plan = {
  stack: '',
  complete: true,
  changes: [],
  operations: [],
  unmanaged: [],
  diagnostics: [],
};

const plansOf = (reports: readonly StackReport[]): Plan[] => reports.flatMap(({ plan }) => plan ?? []);

/** Adds two summaries, number by number. */
const addSummaries = (a: Summary, b: Summary): Summary =>
  Object.fromEntries(
    Object.entries(a).map(([name, number]) => [name, number + b[name as keyof Summary]]),
  ) as unknown as Summary;

/** Returns the totals of all stacks as a sentence: `All stacks: 14 to create, 0 to adopt, 3 to update, 1 to delete.` */
export const totalsText = (reports: readonly StackReport[]): string =>
  `All stacks: ${summaryCountsText(sumSummaries(reports))}.`;

/**
 * Returns a text for each kind with the counts of its changes in all stacks, for reports about several plans: `project` and `2 to create,
 * 1 to delete`. Objects inside deleted ones count as deleted, too. Empty if nothing changes.
 */
export function totalsByKind(reports: readonly StackReport[]): { kind: string; text: string }[] {
  const changes = plansOf(reports).flatMap((plan) => {
    const changesByKind = groupBy(plan.changes, ({ kind }) => kind);
    const deleted = countPlannedDeletions(plan.changes).byKind;
    return [...new Set([...changesByKind.keys(), ...Object.keys(deleted)])].map((kind) => {
      const ofKind = changesByKind.get(kind) ?? [];
      const summary = summarizePlan({ ...plan, changes: ofKind, unmanaged: [], notCompared: [] });
      return { kind, summary: { ...summary, delete: deleted[kind] ?? 0 } };
    });
  });
  return [...groupBy(changes, ({ kind }) => kind)]
    .map(([kind, parts]) => ({
      kind,
      text: summaryCountsText(parts.map(({ summary }) => summary).reduce(addSummaries), { withZeros: false }),
    }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** The changes of one section of danger in one stack. */
interface StackChanges {
  report: StackReport;
  changes: Change[];
}

/** A section of danger with its changes in all stacks. */
export interface TotalSection extends Omit<ReportSection, 'changes'> {
  /** The number of changes as people count them. */
  number: number;
  stacks: StackChanges[];
}

/**
 * Returns the sections of a plan's report (such as deletions), each with its changes in all stacks, for the totals of a report about
 * several plans. The most dangerous section comes first; sections without changes are left out.
 */
export function totalSectionsOf(reports: readonly StackReport[]): TotalSection[] {
  const ofStacks = reports.flatMap((report) =>
    sectionsOfReport(report).map((section) => ({ report, section })),
  );
  const byName = groupBy(ofStacks, ({ section }) => section.name);
  return sectionNames.flatMap((name) => {
    const parts = byName.get(name);
    if (!parts) return [];
    const { changes: _, ...section } = parts[0]!.section;
    const stacks = parts.map(({ report, section: { changes } }) => ({ report, changes }));
    const number = stacks.reduce((sum, { changes }) => sum + countLogicalChanges(changes), 0);
    return [{ ...section, number, stacks }];
  });
}

/** Returns the sections of the plan of a stack, the most dangerous first; none without a plan. */
const sectionsOfReport = ({ plan }: StackReport): ReportSection[] =>
  plan ? sectionsOf(plan.changes, sentAddressesIn(plan)) : [];

/**
 * Sorts stacks for the readers of a page or a comment: those that failed first, then by their most dangerous change, then unchanged
 * stacks, and last those that were skipped because another stack failed. Equally dangerous stacks stay in the order in which they are
 * applied.
 */
export function sortByDanger(reports: readonly StackReport[]): StackReport[] {
  const rankOf = (report: StackReport) => {
    if (isUnplanned(report)) return report.skipped ? sectionNames.length + 1 : -1;
    const [worst] = sectionsOfReport(report);
    return worst ? sectionNames.indexOf(worst.name) : sectionNames.length;
  };
  return reports
    .map((report) => ({ report, rank: rankOf(report) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ report }) => report);
}

/** The most changes that a line about a dangerous section names. */
const maxNamedChanges = 5;

/**
 * Returns a text for each dangerous section over all stacks, the most dangerous first, so that a reviewer need not search for the one
 * deletion among 60 stacks: `destructive (1)` and `delete projects/web in shop`. `quote` formats an address or the name of a stack.
 */
export const dangerTexts = (
  reports: readonly StackReport[],
  quote: (text: string) => string,
): { label: string; names: string }[] =>
  totalSectionsOf(reports)
    .filter(({ urgent }) => urgent)
    .map(({ label, number, stacks }) => ({
      label: `${label} (${number})`,
      names: listFirst(
        stacks.flatMap(({ report, changes }) =>
          groupLogicalChanges(changes).map(
            (logicalChange) =>
              `${logicalChange[0]!.action} ${quote(logicalNameOf(logicalChange))}${contentsText(logicalChange)} in ${quote(report.id)}`,
          ),
        ),
        maxNamedChanges,
      ),
    }));

/**
 * Sums the counts of changes of `plan --all` for GitLab, whose merge requests show one number of each kind for a whole pipeline. Notes get
 * the id of their stack.
 */
export function sumGitlabCounts(reports: StackReport[]) {
  const stacks = reports.map(({ id, plan }) => ({ id, ...(plan ? createGitlabCounts(plan) : {}) }));
  const sum = (name: 'create' | 'update' | 'delete') =>
    stacks.reduce((total, counts) => total + (counts[name] ?? 0), 0);
  const notes = stacks.flatMap(({ id, notes = [] }) => notes.map((note) => `${cleanLine(id)}: ${note}`));
  const counts = { create: sum('create'), update: sum('update'), delete: sum('delete') };
  return notes.length > 0 ? { ...counts, notes } : counts;
}
