import type { Address } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { Outcome } from '../../model/event.ts';
import { groupBy } from '../../model/graph.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import { cleanLine } from '../clean.ts';
import { cut, fold } from '../cut.ts';
import { rateLimitDurationText, skipReasonText } from '../events-text.ts';
import { groupFailures } from '../failures.ts';
import { foldChanges, formatEntryName } from '../fold-changes.ts';
import { orderedPastVerbs, pastVerbOf } from '../outcome-text.ts';
import { sentAddressesIn } from '../summarize-plan.ts';
import { columns } from './diff-lines.ts';
import { code, fence, type Piece, type Places, placeLink } from './forms.ts';

/** A part of the report under a heading, and how many changes it is about. */
interface AppliedPart extends Piece {
  heading: string;
  changes: number;
}

/** The parts of an outcome: failures, changes that were not made, possible losses and, folded, finished ones. `at`: when it was known. */
export const appliedParts = (
  plan: Plan,
  outcome: Outcome,
  { at, places }: { at: number; places: Places },
): AppliedPart[] => [
  ...failedParts(plan, outcome, places),
  ...notDoneParts(plan, outcome, at),
  ...overwrittenParts(outcome),
  ...doneParts(plan, outcome),
];

/** Names in one line. */
const fewAppliedNames = 20;
const longestAppliedLine = 400;
const mostAppliedNames = 50;

/** Lists the changes that failed, by cause. */
function failedParts(plan: Plan, outcome: Outcome, places: Places): AppliedPart[] {
  const heading = `Failed (${numberOf(plan, outcome.failed)})`;
  return groupFailures(plan, outcome).map(({ message, hint, failed }): AppliedPart => {
    const names = namesAmong(plan, failed);
    const lines = [
      ...names.slice(0, mostAppliedNames).map((name) => `- ${name}`),
      ...(names.length > mostAppliedNames ? [`- ... and ${names.length - mostAppliedNames} more`] : []),
      ...message.map((line, index) => (index === 0 ? `  Error: ${line}` : `  ${line}`)),
      ...hint.map((line, index) => `  ${index === 0 ? `-> ${line}` : line}`),
    ].flatMap((line) => fold(cut(line, longestAppliedLine), columns, '  '));
    const lineOf = changesAmong(plan, failed).find(({ at }) => at !== undefined)?.at;
    const link = lineOf ? [`At ${placeLink(lineOf, places)}:`] : [];
    const short = [lines[0]!, cut(`  Error: ${message[0]}`, 160)];
    return {
      heading,
      forms: [[...link, fence(lines, 'diff')].join('\n\n'), fence(short, 'diff')],
      urgent: true,
      changes: names.length,
    };
  });
}

function notDoneParts(plan: Plan, { skipped, left }: Outcome, now: number): AppliedPart[] {
  const listOf = (heading: string, why: string, same: { address: Address }[]): AppliedPart => {
    const names = namesAmong(plan, same);
    const shown = names.slice(0, fewAppliedNames).map(code).join(', ');
    const more = names.length > fewAppliedNames ? ` and ${names.length - fewAppliedNames} more` : '';
    return {
      heading,
      forms: [`Because ${code(why)}: ${shown}${more}`, `Because ${code(cut(why, 160))}: ${names.length}`],
      urgent: true,
      changes: names.length,
    };
  };
  return [
    ...[...groupBy(skipped, ({ because }) => because)].map(([because, same]) =>
      listOf(`Not tried (${numberOf(plan, skipped)})`, skipReasonText(because), same),
    ),
    ...[...groupBy(left, ({ rateLimit }) => rateLimit.bucket).values()].map((same) =>
      listOf(`Left for later (${numberOf(plan, left)})`, rateLimitDurationText(same, now), same),
    ),
  ];
}

function overwrittenParts({ overwritten }: Outcome): AppliedPart[] {
  if (overwritten.length === 0) return [];
  const shown = overwritten.slice(0, fewAppliedNames).map(code).join(', ');
  const more =
    overwritten.length > fewAppliedNames ? ` and ${overwritten.length - fewAppliedNames} more` : '';
  return [
    {
      heading: `Possibly overwritten (${overwritten.length})`,
      forms: [
        `Somebody else changed these between our last read and our write; their changes may be lost: ${shown}${more}. Check in the dashboard who changed what, and redo it if it is missing.`,
      ],
      urgent: true,
      changes: 0,
    },
  ];
}

/** Folded: for each word of a deed what it was done to, what reads alike as one. */
function doneParts(plan: Plan, { done }: Outcome): AppliedPart[] {
  const isDone = new Set(done);
  const sent = sentAddressesIn(plan);
  const all = plan.changes.map(({ address }) => address);
  const byDeed = groupBy(
    plan.changes.filter(({ address }) => isDone.has(address)),
    pastVerbOf,
  );
  const told = orderedPastVerbs.flatMap((deed) => {
    const changes = byDeed.get(deed) ?? [];
    const lines = foldChanges(changes, { sentAddresses: sent, planAddresses: all }).map((entry) => {
      const { count, name, targets: places } = formatEntryName(entry);
      const where = places.length > 0 ? ` [${places.join(', ')}]` : '';
      return cut(cleanLine(`${count === undefined ? '' : `${count} x `}${name}${where}`), longestAppliedLine);
    });
    return changes.length > 0 ? [{ deed, number: countLogicalChanges(changes), lines }] : [];
  });
  if (told.length === 0) return [];
  const number = told.reduce((sum, one) => sum + one.number, 0);
  const counts = told.map((one) => `${one.number} ${one.deed}`).join(', ');
  const folded = (most: number) => {
    const lines = told.flatMap(({ deed, lines }) => {
      const more = lines.length - most;
      return [
        ...lines.slice(0, most).map((line) => `${deed.padEnd(longestDeed)} ${line}`),
        ...(more > 0 ? [`${deed.padEnd(longestDeed)} ... and ${more} more`] : []),
      ];
    });
    return `<details><summary>${counts}</summary>\n\n${fence(lines, '')}\n\n</details>`;
  };
  return [
    {
      heading: `Done (${number})`,
      forms: [folded(Number.MAX_SAFE_INTEGER), folded(fewAppliedNames), counts],
      urgent: false,
      changes: number,
    },
  ];
}

const longestDeed = Math.max(...orderedPastVerbs.map((deed) => deed.length));

const changesAmong = (plan: Plan, same: { address: Address }[]): Change[] => {
  const wanted = new Set(same.map(({ address }) => address));
  return plan.changes.filter(({ address }) => wanted.has(address));
};

const numberOf = (plan: Plan, same: { address: Address }[]): number =>
  countLogicalChanges(changesAmong(plan, same));

/** Counts these addresses as people do. An address that no change has stands for itself. */
function namesAmong(plan: Plan, same: { address: Address }[]): string[] {
  const changes = changesAmong(plan, same);
  const known = new Set(changes.map(({ address }) => address));
  const names = foldChanges(changes, { sentAddresses: new Set(), planAddresses: [], isFull: true }).map(
    (entry) => {
      const { name, targets: places } = formatEntryName(entry);
      return cleanLine(places.length > 0 ? `${name} [${places.join(', ')}]` : name);
    },
  );
  return [
    ...names,
    ...same
      .map(({ address }) => address)
      .filter((address) => !known.has(address))
      .map(cleanLine),
  ];
}
