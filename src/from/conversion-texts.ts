/*
 * The report of `trueup from`: a user has to see that nothing was lost. It names everything that was left out, and ends with the numbers of
 * things read, converted and left out.
 */
import type { ExportResult } from '../export/export-live.ts';
import { cleanLine, count } from '../report/text.ts';
import { type ConversionTally, countItems, type LeftOutItem } from './tally.ts';
import type { StateAsLive } from './terraform/state-to-live.ts';

/** The facts about a converted Terraform state that its report needs besides the configuration. */
interface StateFacts {
  tally: ConversionTally;
  /** The `for_each` resources that became one block with `$each`. */
  folded: readonly string[];
  /** The fields that were written unchanged although they could contain a secret. */
  unchangedFields: readonly string[];
}

/**
 * Formats the report that `trueup from terraform` prints: the numbers, the secrets that are not written, and all resources that were left
 * out.
 */
export function formatStateReport(
  { objectCount, notes, leftOut: leftOutObjects }: ExportResult,
  { secrets, publicValues, partialNotes }: StateAsLive,
  { tally, folded, unchangedFields }: StateFacts,
): string {
  const secretCount = countNames(secrets);
  const reasons = new Set(tally.leftOut.map(({ reason }) => reason));
  // The tally repeats a note about an object if it left out the object's resource for the same reason.
  const reportedReasons = [...leftOutObjects.values()].filter((why) => reasons.has(why));
  const otherNotes = notes.filter((note) => !reportedReasons.some((why) => note.endsWith(why)));
  return [
    `${count(objectCount, 'object')} converted.`,
    ...(folded.length > 0 ? [`One block with \`$each\`: ${cleanLine(folded.join(', '))}.`] : []),
    ...titled(
      `${count(secretCount, 'secret')} of the state ${secretCount === 1 ? 'is' : 'are'} not written to any file; the account keeps the live values (to set a variable here, add \`value: \${secret.NAME}\` to its block and \`NAME: {}\` under \`secrets\`):`,
      secrets.map(formatNames),
    ),
    ...titled(
      `${count(countNames(publicValues), 'value')} written as plain text, since frameworks compile variables with these names into the code for browsers:`,
      publicValues.map(formatNames),
    ),
    ...titled('Written as found: check them for secrets before you commit.', unchangedFields),
    ...leftOutLines(tally.leftOut.map((item) => ({ ...item, count: 1 }))),
    ...titled('Converted in part:', [...partialNotes, ...otherNotes]),
    tallyLine(tally, 'resource'),
  ].join('\n');
}

/**
 * Formats the report of `trueup from dnscontrol` and `from zonefile`: the records that were left out, the objects that were converted in
 * part (`incomplete`), the records that a plan will refuse (`clashes`), and the numbers.
 */
export const formatZoneReport = (
  { incomplete }: ExportResult,
  tally: ConversionTally,
  clashes: readonly string[],
): string =>
  [
    ...leftOutLines(tally.leftOut),
    ...titled(
      'Converted in part:',
      incomplete.map(({ address, comment }) => `${address}: ${comment}`),
    ),
    ...titled('Converted, but the platform refuses it:', clashes),
    tallyLine(tally, 'record'),
  ].join('\n');

/** The names of variables or fields in one resource of a state. */
type NamedValues = StateAsLive['secrets'][number];

const countNames = (values: NamedValues[]) => values.reduce((sum, { names }) => sum + names.length, 0);
const formatNames = ({ address, names }: NamedValues) => `${address}: ${names.join(', ')}`;

/** Returns the last line of every report: the numbers of things read, converted and left out. `noun`: the things, such as `record`. */
const tallyLine = ({ read, converted, leftOut }: ConversionTally, noun: string): string =>
  `Read ${count(read, noun)}, converted ${converted}, left out ${countItems(leftOut)}.`;

const leftOutLines = (items: readonly LeftOutItem[]): string[] =>
  titled('Not converted:', items.map(formatLeftOut));

/** Formats one line about something that is left out. Also used as the hint if nothing of a file can be converted. */
export const formatLeftOut = ({ name, reason, count: number }: LeftOutItem): string =>
  [name, number === 1 ? reason : `${reason} (${number})`].filter((text) => text !== '').join(': ');

/** Returns lines under a title, or nothing without lines. They are indented so that no name in a foreign file can start a line. */
const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${cleanLine(line)}`)];
