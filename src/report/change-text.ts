import { lastNameOf } from '../model/address.ts';
import type { Change, ItemPosition } from '../model/change.ts';
import { putsBack } from '../model/plan.ts';
import { cleanLine } from './clean.ts';
import { displayWidth, flow, wrap } from './cut.ts';
import { fieldLines, fieldsOf } from './field-text.ts';
import { type Entry, nameOf, namesOf, variedText } from './fold-changes.ts';
import { markerOf, type PlanContext } from './plan-context.ts';
import { changedByTexts } from './plan-notes.ts';
import { requestsOf } from './request-text.ts';
import { showName } from './show.ts';

const indent = ' '.repeat(6);
/** The number of fields that is enough to know a deleted object again. */
const enough = 4;

/** One entry of a plan: what, where, why, which fields, and by which requests. */
export function changeLines(entry: Entry, context: PlanContext): string[] {
  const [head, body] = [headOf(entry, context), bodyLines(entry, context)];
  const { style } = context;
  const short = [head.lead, head.where, ...body].filter(Boolean).join('  ');
  // What is made many times over takes a line, where it has the room.
  const isShort =
    isMadeOften(entry) && head.rest.length === 0 && body.length === 1 && displayWidth(short) <= style.width;
  const lines = isShort
    ? [[head.painted, ...[head.where].filter(Boolean).map(style.quiet), ...body].join('  ')]
    : [...headLines(entry, head, context), ...body.map((line) => indent + line)];
  const requests = context.requests
    ? requestsOf(
        entry.wholes.flat().map(({ address }) => address),
        context,
      )
    : [];
  return [...lines, ...requests.map((line) => indent + line)];
}

const isMadeOften = ({ wholes, change }: Entry): boolean => wholes.length > 1 && change.action === 'create';

function bodyLines(entry: Entry, context: PlanContext): string[] {
  const { style } = context;
  const { change, varied } = entry;
  const width = style.width - indent.length;
  const fields = fieldsOf(change).filter(({ path }) => !varied.has(path));
  const shown = change.action === 'delete' && !context.verbose ? fields.slice(0, enough) : fields;
  const more = fields.length - shown.length;
  const same = shown.length > 0 ? fieldLines({ action: change.action, fields: shown }, context, width) : [];
  const others = [...varied].map((path) => {
    const label = `${showName(path, 'plain')}: `;
    return label + variedText(entry, path, width - displayWidth(label));
  });
  const comments = commentLines(change, context, width);
  const values = [...same, ...others];
  const line = values.map((text) => text.replace(/: +/, ': ')).join('   ');
  const isOneLine = isMadeOften(entry) && values.length > 0 && displayWidth(line) <= width;
  return [
    ...comments,
    ...(isOneLine ? [line] : values),
    ...(more > 0 ? [style.quiet(`... ${more} more ${more === 1 ? 'field' : 'fields'}`)] : []),
  ];
}

/** The beginning of an entry: its sign and its name, which may take several lines. */
interface Head {
  lead: string;
  painted: string;
  rest: string[];
  /** The places of a variable, in brackets; empty for what has none. */
  where: string;
  /** Names each loss, where they are told as one. */
  all: string[];
}

function headOf(entry: Entry, context: PlanContext): Head {
  const { style } = context;
  const { change, wholes, pattern } = entry;
  const { sign, word, paint } = markerOf(change, context);
  const mark = style.unicode ? sign.padEnd(3) : word;
  const { count, name, places } = namesOf(entry);
  const room = style.width - indent.length;
  const isNamed = wholes.length > 1 && (change.grade === 'destructive' || change.grade === 'irreversible');
  const all = isNamed ? wholes.map((changes) => cleanLine(nameOf(changes))) : [];
  const named =
    isNamed && pattern === undefined
      ? `${wholes.length} x ${cleanLine(change.kind)}`
      : `${count === undefined ? '' : `${count} x `}${cleanLine(name)}`;
  const [first = '', ...rest] = wrap(named, room);
  return {
    lead: `  ${mark} ${first}`,
    painted: `  ${style[paint](mark)} ${style.strong(first)}`,
    rest,
    where: places.length > 0 ? `[${places.map(cleanLine).join(', ')}]` : '',
    all: flow(all, ', ', room),
  };
}

function headLines(
  { change, wholes }: Entry,
  { lead, painted, rest, where, all }: Head,
  { style }: PlanContext,
): string[] {
  const files = new Set(wholes.flat().map(({ at }) => at && `${cleanLine(at.file)}:${at.line}`));
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

function commentLines(change: Change, { style, changedBy }: PlanContext, width: number): string[] {
  const comment = (text: string, paint: (text: string) => string) =>
    wrap(cleanLine(text), width - 2).map((line) => paint(`# ${line}`));
  const paint = {
    safe: style.quiet,
    disruptive: style.warn,
    destructive: style.alarm,
    irreversible: style.alarm,
  };
  return [
    ...reasonOf(change).flatMap((reason) => comment(reason, style.quiet)),
    ...changedByTexts(changedBy.get(change.address)).flatMap((text) => comment(text, style.warn)),
    ...(change.grade === 'safe'
      ? []
      : comment([change.grade, change.gradeReason].filter(Boolean).join(': '), paint[change.grade])),
    ...moveTexts(change).flatMap((text) => comment(text, style.quiet)),
  ];
}

/** Texts about the place of an item in an ordered list, and about a copy that replaces it. */
export const moveTexts = ({ moves, position, reinserted, action }: Change): string[] => [
  ...(position ? [positionText(position, action)] : []),
  // A plan that an older version saved has no positions.
  ...(moves && !position && action !== 'create' ? ['its position in the list changes'] : []),
  ...(reinserted
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
export function reasonOf(change: Change): string[] {
  const { reason, action, fields, takenFrom } = change;
  const isTold =
    takenFrom === undefined &&
    ((action !== 'move' && putsBack(change)) ||
      (action === 'update' && !change.outside && fields.some(({ cause }) => cause === 'conflict')));
  return reason && !isTold ? [reason] : [];
}
