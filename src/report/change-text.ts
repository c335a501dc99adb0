import { lastNameOf } from '../model/address.ts';
import type { Change, ItemPosition } from '../model/change.ts';
import { putsBack } from '../model/plan.ts';
import { cleanLine } from './clean.ts';
import { displayWidth, flow, wrap } from './cut.ts';
import { fieldLines, reportedFieldsOf } from './field-text.ts';
import { formatEntryName, logicalNameOf, type ReportEntry, variedValuesText } from './fold-changes.ts';
import { markerOf, type PlanContext } from './plan-context.ts';
import { changedByTexts } from './plan-notes.ts';
import { requestsOf } from './request-text.ts';
import { showName } from './show.ts';

const indent = ' '.repeat(6);
/** The number of fields that is enough to know a deleted object again. */
const maxDeletedFields = 4;

/** One entry of a plan: what, where, why, which fields, and by which requests. */
export function changeLines(entry: ReportEntry, context: PlanContext): string[] {
  const [head, body] = [entryHeadOf(entry, context), entryBodyLines(entry, context)];
  const { style } = context;
  const short = [head.plainLine, head.targetsText, ...body].filter(Boolean).join('  ');
  // What is made many times over takes a line, where it has the room.
  const isShort =
    isRepeatedCreation(entry) &&
    head.continuationLines.length === 0 &&
    body.length === 1 &&
    displayWidth(short) <= style.width;
  const lines = isShort
    ? [[head.paintedLine, ...[head.targetsText].filter(Boolean).map(style.quiet), ...body].join('  ')]
    : [...entryHeadLines(entry, head, context), ...body.map((line) => indent + line)];
  const requests = context.showsRequests
    ? requestsOf(
        entry.logicalChanges.flat().map(({ address }) => address),
        context,
      )
    : [];
  return [...lines, ...requests.map((line) => indent + line)];
}

const isRepeatedCreation = ({ logicalChanges, change }: ReportEntry): boolean =>
  logicalChanges.length > 1 && change.action === 'create';

function entryBodyLines(entry: ReportEntry, context: PlanContext): string[] {
  const { style } = context;
  const { change, variedPaths } = entry;
  const width = style.width - indent.length;
  const fields = reportedFieldsOf(change).filter(({ path }) => !variedPaths.has(path));
  const shown = change.action === 'delete' && !context.verbose ? fields.slice(0, maxDeletedFields) : fields;
  const more = fields.length - shown.length;
  const same = shown.length > 0 ? fieldLines({ action: change.action, fields: shown }, context, width) : [];
  const others = [...variedPaths].map((path) => {
    const label = `${showName(path, 'plain')}: `;
    return label + variedValuesText(entry, path, width - displayWidth(label));
  });
  const comments = entryCommentLines(change, context, width);
  const values = [...same, ...others];
  const line = values.map((text) => text.replace(/: +/, ': ')).join('   ');
  const isOneLine = isRepeatedCreation(entry) && values.length > 0 && displayWidth(line) <= width;
  return [
    ...comments,
    ...(isOneLine ? [line] : values),
    ...(more > 0 ? [style.quiet(`... ${more} more ${more === 1 ? 'field' : 'fields'}`)] : []),
  ];
}

/** The beginning of an entry: its sign and its name, which may take several lines. */
interface EntryHead {
  plainLine: string;
  paintedLine: string;
  continuationLines: string[];
  /** The places of a variable, in brackets; empty for what has none. */
  targetsText: string;
  /** Names each loss, where they are told as one. */
  allNameLines: string[];
}

function entryHeadOf(entry: ReportEntry, context: PlanContext): EntryHead {
  const { style } = context;
  const { change, logicalChanges, pattern } = entry;
  const { sign, word, paint } = markerOf(change, context);
  const mark = style.unicode ? sign.padEnd(3) : word;
  const { count, name, places } = formatEntryName(entry);
  const room = style.width - indent.length;
  const isNamed =
    logicalChanges.length > 1 && (change.grade === 'destructive' || change.grade === 'irreversible');
  const all = isNamed ? logicalChanges.map((changes) => cleanLine(logicalNameOf(changes))) : [];
  const named =
    isNamed && pattern === undefined
      ? `${logicalChanges.length} x ${cleanLine(change.kind)}`
      : `${count === undefined ? '' : `${count} x `}${cleanLine(name)}`;
  const [first = '', ...rest] = wrap(named, room);
  return {
    plainLine: `  ${mark} ${first}`,
    paintedLine: `  ${style[paint](mark)} ${style.strong(first)}`,
    continuationLines: rest,
    targetsText: places.length > 0 ? `[${places.map(cleanLine).join(', ')}]` : '',
    allNameLines: flow(all, ', ', room),
  };
}

function entryHeadLines(
  { change, logicalChanges }: ReportEntry,
  {
    plainLine: lead,
    paintedLine: painted,
    continuationLines: rest,
    targetsText: where,
    allNameLines: all,
  }: EntryHead,
  { style }: PlanContext,
): string[] {
  const files = new Set(logicalChanges.flat().map(({ at }) => at && `${cleanLine(at.file)}:${at.line}`));
  const [file] = files;
  const kind = lead.endsWith(` x ${cleanLine(change.kind)}`) ? '' : cleanLine(change.kind);
  const abouts = [where, kind, (files.size === 1 && file) || ''].filter(Boolean);
  const about = abouts.join('  ');
  const isOne = rest.length === 0 && displayWidth(lead) + 2 + displayWidth(about) <= style.width;
  return [
    ...(isOne
      ? [`${painted}  ${style.quiet(about)}`]
      : [
          painted,
          ...rest.map((line) => indent + style.strong(line)),
          ...flow(abouts, '  ', style.width - indent.length).map((line) => indent + style.quiet(line)),
        ]),
    ...all.map((line) => indent + line),
  ];
}

function entryCommentLines(change: Change, { style, changedBy }: PlanContext, width: number): string[] {
  const comment = (text: string, paint: (text: string) => string) =>
    wrap(cleanLine(text), width - 2).map((line) => paint(`# ${line}`));
  const paint = {
    safe: style.quiet,
    disruptive: style.warn,
    destructive: style.alarm,
    irreversible: style.alarm,
  };
  return [
    ...shownReasonOf(change).flatMap((reason) => comment(reason, style.quiet)),
    ...changedByTexts(changedBy.get(change.address)).flatMap((text) => comment(text, style.warn)),
    ...(change.grade === 'safe'
      ? []
      : comment([change.grade, change.gradeReason].filter(Boolean).join(': '), paint[change.grade])),
    ...positionTexts(change).flatMap((text) => comment(text, style.quiet)),
  ];
}

/** Texts about the place of an item in an ordered list, and about a copy that replaces it. */
export const positionTexts = ({ moves, position, anew, action }: Change): string[] => [
  ...(position ? [positionText(position, action)] : []),
  // A plan that an older version saved has no positions.
  ...(moves && !position && action !== 'create' ? ['its position in the list changes'] : []),
  ...(anew
    ? [
        'inserted as a new copy before the old one is removed, so its id changes: in place it would not be safe',
      ]
    : []),
];

/** Formats a position: `position 3 of 7, after block-wp`, or `moves from 5 to 2 of 7, after block-wp`. */
function positionText({ from, to, of, after, cause }: ItemPosition, action: Change['action']): string {
  const behind = after === undefined ? '' : `after ${lastNameOf(after)}`;
  const where = [`${to} of ${of}`, behind].filter(Boolean).join(', ');
  if (from === undefined) return `position ${where}`;
  const also = action === 'move' ? '' : 'also ';
  const why =
    cause === 'drift'
      ? ' (order changed outside)'
      : cause === 'not-kept'
        ? ' (not kept by the platform at the last apply)'
        : '';
  return `${also}moves ${from === to ? `to ${where} (the same number, since other items come or go)` : `from ${from} to ${where}`}${why}`;
}

/** Why, where it does not go without saying: of drift and of a conflict each field says as much. */
export function shownReasonOf(change: Change): string[] {
  const { reason, action, fields, takenFrom } = change;
  const isTold =
    takenFrom === undefined &&
    ((action !== 'move' && putsBack(change)) ||
      (action === 'update' && !change.outside && fields.some(({ cause }) => cause === 'conflict')));
  return reason && !isTold ? [reason] : [];
}
