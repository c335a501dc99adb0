import { lastNameOf } from '../model/address.ts';
import { type Change, fieldReasons, type ItemPosition, type OrderCause } from '../model/change.ts';
import { fieldLines, reportedFieldsOf } from './field-text.ts';
import { entryFindingLines } from './finding-lines.ts';
import {
  formatEntryName,
  logicalNameOf,
  type ReportEntry,
  sharedPositionOf,
  variedValuesText,
} from './fold-changes.ts';
import { markerOf, type PlanContext } from './plan-context.ts';
import { changedByTexts } from './plan-notes.ts';
import { requestLinesOf } from './request-text.ts';
import { showName } from './show.ts';
import { cleanLine, displayWidth, flow, wrap } from './text.ts';

/*
 * Prints one entry of a plan for a terminal:
 *
 *     + projects/web/env/API_URL  [production, preview]  projectEnvVar  trueup.yaml:12      head: sign, name, targets, kind, file
 *       # destructive: ...                                                            comments
 *       # warning: ...                                                                findings
 *       value: https://api.example.com                                                fields
 *       => POST /v10/projects/{projects/web}/env                                      requests, with --requests
 *
 * An entry is one logical change or several that read alike (see fold-changes.ts). Everything below the head is the body.
 */

const indent = ' '.repeat(6);
/** The number of fields of a deleted object that are shown: enough to recognize it. */
const maxDeletedFields = 4;

/**
 * Formats an entry of a plan (a change, or several that read alike) as lines: its head with sign and name, below
 * it reasons and fields, and the requests if the plan shows them. Creations of several objects take one line
 * if everything fits there, since they are frequent and mostly harmless. Notes in `context` which requests were
 * printed, so that they are not printed twice.
 */
export function changeLines(entry: ReportEntry, context: PlanContext): string[] {
  const { style } = context;
  const head = entryHeadOf(entry, context);
  const body = entryBodyLines(entry, context);
  const oneLine = [head.plainLine, head.targetsText, ...body].filter(Boolean).join('  ');
  const fitsOneLine =
    isRepeatedCreation(entry) &&
    head.continuationLines.length === 0 &&
    body.length === 1 &&
    displayWidth(oneLine) <= style.width;
  const targets = [head.targetsText].filter(Boolean).map(style.quiet);
  const lines = fitsOneLine
    ? [[head.paintedLine, ...targets, ...body].join('  ')]
    : [...entryHeadLines(entry, head, context), ...body.map((line) => indent + line)];
  const addresses = entry.logicalChanges.flat().map(({ address }) => address);
  const requests = context.showsRequests ? requestLinesOf(addresses, context) : [];
  return [...lines, ...requests.map((line) => indent + line)];
}

/** True if an entry creates several objects. Such entries are frequent and mostly harmless, so they take little space. */
const isRepeatedCreation = ({ logicalChanges, change }: ReportEntry): boolean =>
  logicalChanges.length > 1 && change.action === 'create';

/**
 * Formats the comments and the fields of an entry (a change, or several that read alike) for the text of a
 * plan, without indentation. A field whose value differs among the changes lists these values. Of a deletion
 * only the first fields are shown, unless the report is verbose. The fields of a repeated creation stand in
 * one line if they fit.
 */
function entryBodyLines(entry: ReportEntry, context: PlanContext): string[] {
  const { change, variedPaths } = entry;
  const width = context.style.width - indent.length;
  const variedLines = [...variedPaths].map((path) => {
    const label = `${showName(path, 'plain')}: `;
    return label + variedValuesText(entry, path, width - displayWidth(label));
  });
  const { lines: equalLines, omittedCount } = equalFieldLines(entry, context, width);
  const valueLines = [...equalLines, ...variedLines];
  // The labels are padded so that values stand in one column: `a:     1`. In one line, a single space is enough.
  const joinedValues = valueLines.map((text) => text.replace(/: +/, ': ')).join('   ');
  const fitsOneLine =
    isRepeatedCreation(entry) && valueLines.length > 0 && displayWidth(joinedValues) <= width;
  const omittedText = `... ${omittedCount} more ${omittedCount === 1 ? 'field' : 'fields'}`;
  return [
    ...entryCommentLines(change, context, width),
    ...entryFindingLines(entry, context, indent.length),
    ...(fitsOneLine ? [joinedValues] : valueLines),
    ...(omittedCount > 0 ? [context.style.quiet(omittedText)] : []),
  ];
}

/**
 * Formats the fields that all changes of an entry have with the same values. `omittedCount`: the fields of a deletion that are left out.
 */
function equalFieldLines(
  { change, variedPaths }: ReportEntry,
  context: PlanContext,
  width: number,
): { lines: string[]; omittedCount: number } {
  const { action } = change;
  const fields = reportedFieldsOf(change).filter(({ path }) => !variedPaths.has(path));
  const isCut = action === 'delete' && !context.verbose;
  const shownFields = isCut ? fields.slice(0, maxDeletedFields) : fields;
  return {
    lines: fieldLines({ action, fields: shownFields }, context, width),
    omittedCount: fields.length - shownFields.length,
  };
}

/** The pieces of an entry's head. They are joined into as few lines as possible. */
interface EntryHead {
  /** The sign and the first line of the name, without colours: for measuring. */
  plainLine: string;
  /** Like `plainLine`, with colours. */
  paintedLine: string;
  /** The other lines of a name that is too long for one. */
  continuationLines: string[];
  /** The targets of a variable in brackets: `[production, preview]`; empty if there are none. */
  targetsText: string;
  /** The names of all changes of an entry of several that lose something, so that each loss is named; else empty. */
  allNameLines: string[];
}

/**
 * Returns the pieces of the first lines of an entry (a change, or several that read alike): sign, name and
 * targets, such as `~ projects/web/env/LEVEL [production, preview]`. An entry of several dangerous changes
 * has all names below its head, because the reader must see each loss; without a common pattern it is named
 * `3 x project`.
 */
function entryHeadOf(entry: ReportEntry, context: PlanContext): EntryHead {
  const { style } = context;
  const { change, logicalChanges, pattern } = entry;
  const { sign, word, paint } = markerOf(change, context);
  const marker = style.unicode ? sign.padEnd(3) : word;
  const { count, name, targets } = formatEntryName(entry);
  const width = style.width - indent.length;
  const listsAllNames = losesSeveralObjects(entry);
  const allNames = listsAllNames ? logicalChanges.map(logicalNameOf).map(cleanLine) : [];
  const prefix = count === undefined ? '' : `${count} x `;
  const entryName =
    listsAllNames && pattern === undefined
      ? `${logicalChanges.length} x ${cleanLine(change.kind)}`
      : `${prefix}${cleanLine(name)}`;
  const [firstLine = '', ...continuationLines] = wrap(entryName, width);
  return {
    plainLine: `  ${marker} ${firstLine}`,
    paintedLine: `  ${style[paint](marker)} ${style.strong(firstLine)}`,
    continuationLines,
    targetsText: targets.length > 0 ? `[${targets.map(cleanLine).join(', ')}]` : '',
    allNameLines: flow(allNames, ', ', width),
  };
}

/** True for an entry of several changes that each lose something, so that each has to be named. */
const losesSeveralObjects = ({ logicalChanges, change: { grade } }: ReportEntry): boolean =>
  logicalChanges.length > 1 && (grade === 'destructive' || grade === 'irreversible');

/**
 * Formats the head of an entry (a change, or several that read alike) in the text of a plan: its name, targets, kind and file, on one line
 * if it fits, otherwise with the facts below the name. Below it are the names of all changes, if the entry lists them because each may lose
 * something.
 */
function entryHeadLines(
  entry: ReportEntry,
  { plainLine, paintedLine, continuationLines, targetsText, allNameLines }: EntryHead,
  { style }: PlanContext,
): string[] {
  const position = sharedPositionOf(entry);
  const placeText = position ? `${cleanLine(position.file)}:${position.line}` : '';
  const kind = cleanLine(entry.change.kind);
  // The name `3 x project` has the kind already.
  const kindText = plainLine.endsWith(` x ${kind}`) ? '' : kind;
  const facts = [targetsText, kindText, placeText].filter(Boolean);
  const factsText = facts.join('  ');
  const fitsOneLine =
    continuationLines.length === 0 && displayWidth(plainLine) + 2 + displayWidth(factsText) <= style.width;
  return [
    ...(fitsOneLine
      ? [`${paintedLine}  ${style.quiet(factsText)}`]
      : [
          paintedLine,
          ...continuationLines.map((line) => indent + style.strong(line)),
          ...flow(facts, '  ', style.width - indent.length).map((line) => indent + style.quiet(line)),
        ]),
    ...allNameLines.map((line) => indent + line),
  ];
}

/**
 * Formats the facts about a change besides its fields for the text of a plan, each line after a `#`: reason, author of a change outside,
 * risk, and position in a list.
 */
function entryCommentLines(change: Change, { style, changedBy }: PlanContext, width: number): string[] {
  const formatComment = (text: string, paint: (text: string) => string) =>
    wrap(cleanLine(text), width - 2).map((line) => paint(`# ${line}`));
  const paintByGrade = {
    safe: style.quiet,
    disruptive: style.warn,
    destructive: style.alarm,
    irreversible: style.alarm,
  };
  const gradeText = [change.grade, change.gradeReason].filter(Boolean).join(': ');
  return [
    ...shownReasonOf(change).flatMap((reason) => formatComment(reason, style.quiet)),
    ...changedByTexts(changedBy.get(change.address)).flatMap((text) => formatComment(text, style.warn)),
    ...(change.grade === 'safe' ? [] : formatComment(gradeText, paintByGrade[change.grade])),
    ...positionTexts(change).flatMap((text) => formatComment(text, style.quiet)),
  ];
}

/**
 * Returns the texts about the position of an item in an ordered list, such as a firewall rule, and about an item that is replaced by a
 * copy. Used as comments of a change in all reports; empty for other objects.
 */
export const positionTexts = ({ moves, position, reinserted, action }: Change): string[] => [
  ...(position ? [itemPositionText(position, action)] : []),
  // A plan that an older version saved has no positions.
  ...(moves && !position && action !== 'create' ? ['its position in the list changes'] : []),
  ...(reinserted
    ? [
        'inserted as a new copy before the old one is removed, so its id changes: in place it would not be safe',
      ]
    : []),
];

/**
 * Formats the position of an item whose order matters for a plan: `position 3 of 7, after block-wp` for a new item, `moves from 5 to 2 of
 * 7, after block-wp` for another.
 */
function itemPositionText(
  { from, to, of: total, after, cause }: ItemPosition,
  action: Change['action'],
): string {
  const afterText = after === undefined ? '' : `after ${lastNameOf(after)}`;
  const target = [`${to} of ${total}`, afterText].filter(Boolean).join(', ');
  if (from === undefined) return `position ${target}`;
  const also = action === 'move' ? '' : 'also ';
  const reasons: Partial<Record<OrderCause, string>> = {
    drift: ' (order changed outside)',
    'not-kept': ' (not kept by the platform at the last apply)',
  };
  const reason = (cause && reasons[cause]) ?? '';
  const move =
    from === to
      ? `to ${target} (the same number, since other items come or go)`
      : `from ${from} to ${target}`;
  return `${also}moves ${move}${reason}`;
}

/**
 * Returns the reason of a change as reports print it, without the part that the notes of its fields say (`changed outside: reverts` for
 * drift, for example). Empty if nothing is left, or if there is no reason.
 */
export function shownReasonOf({ reason = '' }: Change): string[] {
  const saidByFields = Object.values(fieldReasons).find(
    (text) => reason === text || reason.startsWith(`${text}; `),
  );
  // Without the text and the `; ` behind it.
  const shownReason = saidByFields === undefined ? reason : reason.slice(saidByFields.length + 2);
  return shownReason === '' ? [] : [shownReason];
}
