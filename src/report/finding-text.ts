/*
 * The findings of a plan in its reports. A finding is harm that valid configuration does; its state says what the plan does to it
 * (see src/meaning/find.ts).
 *
 *   | state     | place in a report                                                                                       |
 *   | --------- | ------------------------------------------------------------------------------------------------------- |
 *   | new       | below the change that causes it; among the problems if no change does, or if it is an error, because an |
 *   |           | error stops the apply                                                                                   |
 *   | fixed     | below the change that removes it, otherwise at the end                                                  |
 *   | unchanged | only counted by code, because the plan is not about it                                                  |
 *
 * The anchor of a finding is the change below which reports show it. A finding with several causes has one anchor, so that it is shown
 * once.
 */
import { type Address, ancestorsAmong } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { bySeverity, type Diagnostic, downgradeIncomplete, type FindingState } from '../model/diagnostic.ts';
import { foldDiagnostics, textWithoutNames } from '../model/fold-diagnostics.ts';
import { addTo, byText, groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { cleanLine, count } from './text.ts';

/** The new and fixed findings by the address of their anchor. */
export type AnchoredFindings = ReadonlyMap<Address, readonly Diagnostic[]>;

/** The findings of a plan by the place at which its reports show them. */
interface GroupedFindings {
  anchored: AnchoredFindings;
  /** The new findings that no change of the report causes. */
  newElsewhere: Diagnostic[];
  /** The fixed findings that no change of the report removes. */
  fixedElsewhere: Diagnostic[];
  unchanged: Diagnostic[];
}

/**
 * Groups the findings of a plan (harm that its valid configuration does) by their place in reports. A new or fixed finding is anchored:
 * shown below the change that causes or removes it, or below the change of an object around that. Without such a change, and for findings
 * that the plan does not change, the report has lists of their own.
 */
export function groupFindings({ changes, diagnostics, fixedFindings = [] }: FindingsOfPlan): GroupedFindings {
  const shownAddresses = new Set(changes.filter(isShownChange).map(({ address }) => address));
  const anchored = new Map<Address, Diagnostic[]>();
  const grouped: GroupedFindings = { anchored, newElsewhere: [], fixedElsewhere: [], unchanged: [] };
  for (const diagnostic of [...diagnostics, ...fixedFindings]) {
    const { finding } = diagnostic;
    if (!finding) continue;
    // The nearest shown change around the first cause that has one.
    const [anchor] = finding.causes.flatMap((cause) => ancestorsAmong(cause, shownAddresses));
    if (finding.state === 'unchanged') grouped.unchanged.push(diagnostic);
    else if (anchor !== undefined) addTo(anchored, anchor, diagnostic);
    else if (finding.state === 'new') grouped.newElsewhere.push(diagnostic);
    else grouped.fixedElsewhere.push(diagnostic);
  }
  return grouped;
}

type FindingsOfPlan = Pick<Plan, 'changes' | 'diagnostics' | 'fixedFindings'>;

/** True for a change that reports of a plan show. False if the object stays as it is, also if its ledger entry is updated. */
export const isShownChange = ({ action, changesLedgerOnly }: Change): boolean =>
  action !== 'noop' && !changesLedgerOnly;

/**
 * Returns the problems that a reviewer of a plan has to read: all but the findings that it does not change. Equal ones are folded. Used by
 * reports that print problems, such as the annotations of CI systems. Documents have all of them: see `reportedDiagnostics`.
 */
export const problemsToReview = ({ diagnostics }: Pick<Plan, 'diagnostics'>): Diagnostic[] =>
  foldDiagnostics(
    diagnostics.filter(({ finding }) => finding?.state !== 'unchanged').map(downgradeIncomplete),
  );

/**
 * Returns the problems of a plan for the list that a report prints beside the changes: those of `problemsToReview`, without the findings
 * (harm that a valid configuration does) that are shown below a change. An error stays, because it stops the apply.
 */
export function problemsBesideChanges(plan: FindingsOfPlan): Diagnostic[] {
  const elsewhere = new Set(groupFindings(plan).newElsewhere);
  return problemsToReview({
    diagnostics: plan.diagnostics.filter(
      (diagnostic) => !diagnostic.finding || diagnostic.severity === 'error' || elsewhere.has(diagnostic),
    ),
  });
}

/** A finding as a text below its change. */
export interface FindingText {
  /** `error`, `warning` or `note` for a new finding, `fixes` for a fixed one. */
  label: Diagnostic['severity'] | 'fixes';
  /** The message and the code. */
  text: string;
  /** What to do. A fixed finding has none. */
  hint?: string;
}

/** The findings that a report shows below an entry. */
export interface EntryFindings {
  /** The new ones first, the worst first. */
  texts: FindingText[];
  /** The number of those that are left out. */
  more: number;
}

/** So many findings of an entry are shown below it. The others are counted. */
const maxFindingsShown = 10;

/**
 * Returns the findings (harm that a valid configuration does) of an entry of a report (a change, or several that read alike) as texts: at
 * most ten, or with `isFull` all. `findings`: those of each address.
 */
export function findingTexts(
  { logicalChanges }: { logicalChanges: readonly (readonly Change[])[] },
  findings: AnchoredFindings,
  isFull = false,
): EntryFindings {
  if (findings.size === 0) return { texts: [], more: 0 };
  const findingsByChange = logicalChanges.map((changes) =>
    changes.flatMap(({ address }) => findings.get(address) ?? []),
  );
  // The changes of an entry have alike findings (see `findingsKeyOf`), so those of the first stand for all.
  const [findingsOfFirst] = findingsByChange as [Diagnostic[]];
  if (findingsOfFirst.length === 0) return { texts: [], more: 0 };
  const times = timesText(findingsByChange);
  const texts = (['new', 'fixed'] as const).flatMap((state) =>
    foldFindings(findingsOfFirst.filter(({ finding }) => finding!.state === state)).map((diagnostic) =>
      formatFinding({ ...diagnostic, message: diagnostic.message + times }, state),
    ),
  );
  const shown = isFull ? texts : texts.slice(0, maxFindingsShown);
  return { texts: shown, more: texts.length - shown.length };
}

/**
 * Formats for how many changes of an entry the finding of the first one stands: ` (3 times)`. Empty for a single change. If the texts of
 * the other changes differ, names the option that shows them. `findingsByChange`: the findings of each change.
 */
function timesText(findingsByChange: readonly (readonly Diagnostic[])[]): string {
  if (findingsByChange.length === 1) return '';
  const texts = new Set(findingsByChange.map((findings) => findings.map(textWithoutNames).join('\n')));
  return ` (${findingsByChange.length} times${texts.size > 1 ? '; --verbose shows each' : ''})`;
}

/** Folds equal findings of one state, and sorts the result: the worst first. */
export const foldFindings = (findings: readonly Diagnostic[]): Diagnostic[] =>
  // Most changes have one finding. Without this, thousands of them would take seconds.
  (findings.length < 2 ? [...findings] : foldDiagnostics(findings)).sort(bySeverity);

/**
 * Formats a finding (harm that a valid configuration does) on one line, with its code for `trueup explain`. `state`: `fixed` if the plan
 * removes it. Then its label says so, and it needs no hint.
 */
export const formatFinding = (
  { severity, message, code, hint }: Diagnostic,
  state: FindingState,
): FindingText => ({
  label: state === 'fixed' ? 'fixes' : severity,
  text: cleanLine(`${message} [${code}]`),
  hint: state === 'fixed' || hint === undefined ? undefined : cleanLine(hint),
});

/**
 * Returns texts that are equal for changes with alike findings (harm that a valid configuration does). Only such changes become one entry
 * of a report. New warnings are alike if their texts are equal apart from the names of their objects. For notes and fixed findings the
 * code is enough, because a reader who looks at 200 equal changes does not need the details of each note, such as the id of a deployment.
 */
export const findingsKeyOf = (
  changes: readonly Change[],
  findings: AnchoredFindings | undefined,
): string[] =>
  findings === undefined || findings.size === 0
    ? []
    : changes
        .flatMap(({ address }) => findings.get(address) ?? [])
        .map(findingKeyOf)
        .sort();

/**
 * Returns a text that is equal for findings (harm that a valid configuration does) that a report may show as one. The messages of notes
 * and of old findings may differ.
 */
function findingKeyOf(diagnostic: Diagnostic): string {
  const { severity, code, finding } = diagnostic;
  const isTextCompared = severity !== 'note' && isNewFinding(diagnostic);
  return JSON.stringify([finding!.state, severity, code, isTextCompared && textWithoutNames(diagnostic)]);
}

/** True for a finding that the changes of its plan cause. */
export const isNewFinding = ({ finding }: Diagnostic): boolean => finding?.state === 'new';

/**
 * Counts what a plan changes about findings (harm that a valid configuration does), for its summary: `2 new warnings`, `1 new note` and
 * `3 fixed findings`. Errors are left out, since they are counted with the other errors. Empty if it changes nothing about them.
 */
export const findingCounts = (plans: readonly Pick<Plan, 'diagnostics' | 'fixedFindings'>[]): string[] => {
  const numberOf = (severity: Diagnostic['severity']) =>
    plans
      .flatMap(({ diagnostics }) => diagnostics)
      .filter((diagnostic) => diagnostic.severity === severity && isNewFinding(diagnostic)).length;
  const counts = [
    [numberOf('warning'), 'new warning'],
    [numberOf('note'), 'new note'],
    [plans.flatMap(({ fixedFindings = [] }) => fixedFindings).length, 'fixed finding'],
  ] as const;
  return counts.filter(([number]) => number > 0).map(([number, noun]) => count(number, noun));
};

/** Returns the counts of `findingCounts` as a sentence behind the summary of a plan; empty if there are none. */
export const findingCountsTexts = (plan: Pick<Plan, 'diagnostics' | 'fixedFindings'>): string[] => {
  const counts = findingCounts([plan]);
  return counts.length > 0 ? [`${counts.join(', ')}.`] : [];
};

/** The notation of a name in a report: plain, or as code. */
type FormatCode = (text: string) => string;

/**
 * Counts findings (harm that a valid configuration does) by their codes, `dns/spf-all 1, dns/spf-many 2`, where a report does not list
 * them one by one.
 */
export const countByCode = (findings: readonly { code: string }[], formatCode: FormatCode): string =>
  [...groupBy(findings, ({ code }) => code)]
    .sort(([a], [b]) => byText(a, b))
    .map(([code, { length }]) => `${formatCode(code)} ${length}`)
    .join(', ');

/**
 * Counts by code the findings (harm that a valid configuration does) that the account has already and a plan does not change. Empty if
 * there are none.
 */
export function unchangedFindingsTexts(
  { diagnostics }: Pick<Plan, 'diagnostics'>,
  formatCode: FormatCode = cleanLine,
): string[] {
  const unchanged = diagnostics.filter(({ finding }) => finding?.state === 'unchanged');
  const counts = countByCode(unchanged, formatCode);
  return unchanged.length === 0 ? [] : [`${unchangedTitle}: ${unchanged.length} (${counts}).`];
}

/** Like `unchangedFindingsTexts`, with the command that lists them, for reports that do not. */
export const unlistedFindingsTexts = (plan: Pick<Plan, 'diagnostics'>, formatCode?: FormatCode): string[] =>
  unchangedFindingsTexts(plan, formatCode).map((text) => `${text} \`trueup plan --verbose\` lists them.`);

/** The words for the findings that a plan does not change, in all reports. */
export const unchangedTitle = 'Findings that this plan does not change';

/** The heading of the fixed findings that no change shows, in all reports. */
export const fixedElsewhereTitle = 'Also fixed by this plan';

/**
 * Counts by code the findings (harm that a valid configuration does) that `findings:` of the configuration turns off. Empty if there are
 * none.
 */
export const suppressedFindingsTexts = (
  { suppressedFindings = [] }: Pick<Plan, 'suppressedFindings'>,
  formatCode: FormatCode = cleanLine,
): string[] =>
  suppressedFindings.length === 0
    ? []
    : [
        `Suppressed findings: ${suppressedFindings.length} (${countByCode(suppressedFindings, formatCode)}).${suppressedErrorsText(suppressedFindings)}`,
      ];

/**
 * Returns a sentence about the errors among suppressed findings, because a reviewer has to know that they would stop the run; empty if
 * there are none.
 */
function suppressedErrorsText(findings: readonly Diagnostic[]): string {
  const { length } = findings.filter(
    ({ severity, finding }) => severity === 'error' && finding?.state !== 'unchanged',
  );
  if (length === 0) return '';
  return ` Without \`findings:\`, ${count(length, 'error')} among them would stop the run.`;
}

/** Returns findings that the configuration turns off as problems for code scanning, which marks them as suppressed. */
export const asSuppressed = (findings: readonly Diagnostic[] = []): Diagnostic[] =>
  findings.map((finding) => ({ ...finding, isSuppressed: true }));
