import type { Address } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Outcome } from '../../model/event.ts';
import { listFirst } from '../../model/fold-wordings.ts';
import { groupBy } from '../../model/graph.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import { undoneActionTexts } from '../action-texts.ts';
import { rateLimitDurationText, skipReasonText } from '../events-text.ts';
import { groupFailures } from '../failures.ts';
import { foldChanges, formatEntryName, type ReportEntry } from '../fold-changes.ts';
import { orderedPastVerbs, pastVerbOf } from '../past-verbs.ts';
import { sentAddressesIn } from '../plan-notes.ts';
import { cleanLine, cut, firstLines, fold } from '../text.ts';
import { columns, diagnosticForms } from './diff-lines.ts';
import { code, fence, type HeadedPiece, type Places, placeLink } from './forms.ts';

/*
 * The lists in the report about an apply: failed changes, changes that were not made, actions that were not done, and finished changes. The
 * report is the comment on the pull request and the summary of the CI job. Each list has parts in several lengths, because the report has
 * limited room (see forms.ts). Changes are counted as people count them: a variable that changes in three targets is one logical change.
 */

/** A part of the report under a heading, with its number of changes and its forms (see `forms.ts`). */
export interface AppliedPart extends HeadedPiece {
  changes: number;
}

/**
 * Returns the parts of the comment about an apply: failures, changes that were not made, changes of others
 * that may be lost, actions that were not done, and the collapsed list of finished changes. `at` is the time of the outcome in
 * milliseconds since 1970.
 */
export const appliedParts = (
  plan: Plan,
  outcome: Outcome,
  { at, places }: { at: number; places: Places },
): AppliedPart[] => [
  ...failedParts(plan, outcome, places),
  ...notDoneParts(plan, outcome, at),
  ...overwrittenParts(outcome),
  ...undoneActionParts(plan, outcome),
  ...doneParts(plan, outcome),
];

/** The most names in a sentence, and in the shorter form of a list. */
const maxNamesInSentence = 20;
const maxLineLength = 400;
const maxNamesPerCause = 50;

/**
 * Lists the failed changes for the comment about an apply, by cause, each with the error and the place of its first change in the
 * configuration.
 */
function failedParts(plan: Plan, outcome: Outcome, places: Places): AppliedPart[] {
  const heading = `Failed (${numberOf(plan, outcome.failed)})`;
  return groupFailures(plan, outcome).map(({ message, hint, failed }): AppliedPart => {
    const names = namesAmong(plan, failed);
    const lines = [
      ...firstLines(names, maxNamesPerCause).map((name) => `- ${name}`),
      ...message.map((line, index) => (index === 0 ? `  Error: ${line}` : `  ${line}`)),
      ...hint.map((line, index) => `  ${index === 0 ? `-> ${line}` : line}`),
    ].flatMap((line) => fold(cut(line, maxLineLength), columns, '  '));
    const position = changesAmong(plan, failed).find(({ at }) => at !== undefined)?.at;
    const link = position ? [`At ${placeLink(position, places)}:`] : [];
    const short = [lines[0]!, cut(`  Error: ${message[0]}`, 160)];
    return {
      heading,
      forms: [[...link, fence(lines, 'diff')].join('\n\n'), fence(short, 'diff')],
      urgent: true,
      changes: names.length,
    };
  });
}

/**
 * Lists for the report about an apply (comment and CI summary) the skipped changes by reason and the postponed ones by rate limit, each in
 * two lengths, since its room is limited.
 */
function notDoneParts(plan: Plan, { skipped, postponed }: Outcome, now: number): AppliedPart[] {
  const partFor = (heading: string, reason: string, entries: { address: Address }[]): AppliedPart => {
    const names = namesAmong(plan, entries);
    return {
      heading,
      forms: [
        `Because ${code(reason)}: ${listFirst(names.map(code), maxNamesInSentence)}`,
        `Because ${code(cut(reason, 160))}: ${names.length}`,
      ],
      urgent: true,
      changes: names.length,
    };
  };
  return [
    ...[...groupBy(skipped, ({ reason }) => reason)].map(([skipReason, entries]) =>
      partFor(`Not tried (${numberOf(plan, skipped)})`, skipReasonText(skipReason), entries),
    ),
    ...[...groupBy(postponed, ({ rateLimit }) => rateLimit.bucket).values()].map((entries) =>
      partFor(`Left for later (${numberOf(plan, postponed)})`, rateLimitDurationText(entries, now), entries),
    ),
  ];
}

/** Warns of objects that somebody else changed between our last read and our write, because these changes may be lost. */
function overwrittenParts({ overwritten }: Outcome): AppliedPart[] {
  if (overwritten.length === 0) return [];
  return [
    {
      heading: `Possibly overwritten (${overwritten.length})`,
      forms: [
        `Somebody else changed these between our last read and our write; their changes may be lost: ${listFirst(overwritten.map(code), maxNamesInSentence)}. Check in the dashboard who changed what, and redo it if it is missing.`,
      ],
      urgent: true,
      changes: 0,
    },
  ];
}

/** Lists the follow-up actions (`$then`) that an apply did not do, each with the reason and the next step if there is room. */
function undoneActionParts(plan: Plan, outcome: Outcome): AppliedPart[] {
  const texts = undoneActionTexts(plan, outcome);
  return texts.map(({ word, name, why, hint }) => {
    const line = `- ${word} ${code(name)}`;
    const reason = why === undefined ? '' : `: ${code(why)}`;
    const nextStep = hint === undefined ? '' : ` -> ${code(hint)}`;
    return {
      heading: `Then (${texts.length})`,
      forms: [`${line}${reason}${nextStep}`, line],
      urgent: true,
      changes: 0,
    };
  });
}

/**
 * Returns the part of the comment about an apply for a warning about objects that do not work yet, such as domains without a DNS record.
 */
export const notReadyWarningPart = (diagnostic: Diagnostic, places: Places): AppliedPart => ({
  heading: 'Not ready yet',
  forms: diagnosticForms(diagnostic, places),
  urgent: true,
  changes: 0,
});

/**
 * Groups the finished changes of an apply by verb (`created`, `deleted`), for the list `Done` in the report. Each group has its number of
 * changes (a variable with three targets counts once), and a line for each name. Changes that read alike share a line: `40 x
 * projects/site-*`.
 */
function groupDoneByVerb(
  plan: Plan,
  doneAddresses: ReadonlySet<Address>,
): { verb: string; number: number; lines: string[] }[] {
  // Adoptions that also change their objects do not share a line with those that only record them.
  const sentAddresses = sentAddressesIn(plan);
  // A pattern such as `projects/site-*` must match no other address of the plan.
  const planAddresses = plan.changes.map(({ address }) => address);
  const doneChanges = plan.changes.filter(({ address }) => doneAddresses.has(address));
  const changesByVerb = groupBy(doneChanges, pastVerbOf);
  return orderedPastVerbs.flatMap((verb) => {
    const changes = changesByVerb.get(verb);
    if (!changes) return [];
    const lines = foldChanges(changes, { sentAddresses, planAddresses }).map(entryLine);
    return [{ verb, number: countLogicalChanges(changes), lines }];
  });
}

/**
 * Formats the name of an entry (a change, or several that read alike) on one line: `40 x projects/site-*`, `projects/web/env/A
 * [production]`.
 */
function entryLine(entry: ReportEntry): string {
  const { count, name, targets } = formatEntryName(entry);
  const prefix = count === undefined ? '' : `${count} x `;
  const suffix = targets.length > 0 ? ` [${targets.join(', ')}]` : '';
  return cut(cleanLine(`${prefix}${name}${suffix}`), maxLineLength);
}

/**
 * Formats the finished changes for the comment about an apply, by verb and collapsed. Changes that read alike
 * share a line. Returns one part in three lengths: all lines, the first lines of each verb, and only the counts.
 * Empty if nothing was done.
 */
function doneParts(plan: Plan, { done }: Outcome): AppliedPart[] {
  const verbGroups = groupDoneByVerb(plan, new Set(done));
  if (verbGroups.length === 0) return [];
  const number = verbGroups.reduce((sum, group) => sum + group.number, 0);
  const counts = verbGroups.map((group) => `${group.number} ${group.verb}`).join(', ');
  const collapsedForm = (maxLines: number) => {
    const lines = verbGroups.flatMap((group) =>
      firstLines(group.lines, maxLines).map((line) => `${group.verb.padEnd(verbWidth)} ${line}`),
    );
    return `<details><summary>${counts}</summary>\n\n${fence(lines, '')}\n\n</details>`;
  };
  return [
    {
      heading: `Done (${number})`,
      forms: [collapsedForm(Number.MAX_SAFE_INTEGER), collapsedForm(maxNamesInSentence), counts],
      urgent: false,
      changes: number,
    },
  ];
}

/** The width of the longest past verb, so that the names in the list are aligned. */
const verbWidth = Math.max(...orderedPastVerbs.map((verb) => verb.length));

/**
 * Returns the changes of a plan that these entries of its outcome (such as the failed ones) are about, to name and count them in the
 * report.
 */
const changesAmong = (plan: Plan, entries: { address: Address }[]): Change[] => {
  const addresses = new Set(entries.map(({ address }) => address));
  return plan.changes.filter(({ address }) => addresses.has(address));
};

/** Returns the number of logical changes that these entries of an outcome are about, for the heading of a list. */
const numberOf = (plan: Plan, entries: { address: Address }[]): number =>
  countLogicalChanges(changesAmong(plan, entries));

/**
 * Returns the names of changes with a certain outcome, such as the failed ones, for a list in the comment.
 * The targets of one variable share a name: `projects/web/env/A [production, preview]`. An address without a
 * change in the plan is its own name.
 */
function namesAmong(plan: Plan, entries: { address: Address }[]): string[] {
  const changes = changesAmong(plan, entries);
  const changedAddresses = new Set(changes.map(({ address }) => address));
  // With `isFull`, each logical change is an entry of its own, so the addresses do not matter.
  const names = foldChanges(changes, { sentAddresses: new Set(), planAddresses: [], isFull: true }).map(
    (entry) => {
      const { name, targets } = formatEntryName(entry);
      return cleanLine(targets.length > 0 ? `${name} [${targets.join(', ')}]` : name);
    },
  );
  return [
    ...names,
    ...entries
      .map(({ address }) => address)
      .filter((address) => !changedAddresses.has(address))
      .map(cleanLine),
  ];
}
