import { unescapeName } from '../model/address.ts';
import type { Change, FieldChange } from '../model/change.ts';
import { putsBack } from '../model/plan.ts';
import { cleanLine } from './clean.ts';
import { displayWidth, flow, wrap } from './cut.ts';
import { fieldLines } from './field-text.ts';
import { markerOf, type PlanContext } from './plan-context.ts';
import { requestsOf } from './request-text.ts';

const indent = ' '.repeat(6);
/** The number of fields that is enough to know a deleted object again. */
const enough = 4;

/**
 * Changes that read alike, as one: what, where, why, which fields, and by which requests. Changes are alike if one entry
 * of the configuration makes them, or none does since they are deleted, and all but their addresses is the same, like one
 * variable in three targets.
 */
export function changeLines(alike: Change[], context: PlanContext): string[] {
  const [change] = alike;
  return [
    ...headLines(alike, context),
    ...bodyLines(change!, context),
    ...(context.requests
      ? requestsOf(
          alike.map(({ address }) => address),
          context,
        )
      : []
    ).map((line) => indent + line),
  ];
}

/** The changes in groups that read alike; order is kept. */
export function groupAlike(changes: Change[], context: PlanContext): Change[][] {
  const groups: { of: string; changes: Change[] }[] = [];
  for (const change of changes) {
    const { kind, at, parent } = change;
    const of = JSON.stringify([
      kind,
      parent,
      at?.file,
      at?.line,
      at?.column,
      markerOf(change, context).sign,
      // No entry says that they are one thing, so all of what goes has to be the same.
      bodyLines(change, change.action === 'delete' ? { ...context, verbose: true } : context),
    ]);
    const last = groups.at(-1);
    if ((at || change.action === 'delete') && last?.of === of) last.changes.push(change);
    else groups.push({ of, changes: [change] });
  }
  return groups.map(({ changes }) => changes);
}

function bodyLines(change: Change, context: PlanContext): string[] {
  const { style } = context;
  const width = style.width - indent.length;
  const fields = fieldsOf(change);
  const shown = change.action === 'delete' && !context.verbose ? fields.slice(0, enough) : fields;
  const more = fields.length - shown.length;
  return [
    ...commentLines(change, context, width),
    ...(shown.length > 0 ? fieldLines({ action: change.action, fields: shown }, context, width) : []),
    ...(more > 0 ? [style.quiet(`... ${more} more ${more === 1 ? 'field' : 'fields'}`)] : []),
  ].map((line) => indent + line);
}

function headLines([change, ...others]: Change[], context: PlanContext): string[] {
  const { style } = context;
  const { sign, word, paint } = markerOf(change!, context);
  const mark = style.unicode ? sign.padEnd(3) : word;
  const address = cleanLine(change!.address);
  const also = others.map((other) => indent + style.strong(cleanLine(other.address)));
  const place = change!.at ? `${cleanLine(change!.at.file)}:${change!.at.line}` : '';
  const abouts = [cleanLine(change!.kind), place].filter(Boolean);
  const about = abouts.join('  ');
  const head = `  ${style[paint](mark)} ${style.strong(address)}`;
  return 3 + mark.length + displayWidth(address) + 2 + displayWidth(about) <= style.width
    ? [`${head}  ${style.quiet(about)}`, ...also]
    : [
        head,
        ...flow(abouts, '  ', style.width - indent.length).map((line) => indent + style.quiet(line)),
        ...also,
      ];
}

function commentLines(change: Change, { style }: PlanContext, width: number): string[] {
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
    ...(change.grade === 'safe'
      ? []
      : comment([change.grade, change.gradeReason].filter(Boolean).join(': '), paint[change.grade])),
    ...(change.moves && change.action !== 'move'
      ? comment('also changes place among its siblings', style.quiet)
      : []),
  ];
}

/** Why, where it does not go without saying: of drift and of a conflict each field says as much. */
export function reasonOf(change: Change): string[] {
  const { reason, action, fields } = change;
  const isTold =
    (action !== 'move' && putsBack(change)) ||
    (action === 'update' && !change.outside && fields.some(({ cause }) => cause === 'conflict'));
  return reason && !isTold ? [reason] : [];
}

/** The differing fields; of a deletion without any, those that go, but for what its address says already. */
export function fieldsOf(change: Change): FieldChange[] {
  if (change.action !== 'delete' || change.fields.length > 0) return change.fields;
  const entries = Object.entries(change.before?.fields ?? {});
  const names: unknown[] = namesIn(change);
  const telling = entries.filter(
    ([, value]) => value !== null && value !== '' && String(value) !== '' && !names.includes(value),
  );
  return telling.map(([path, before]) => ({ path, before, cause: 'edit' }));
}

/** The names in an address, after parent and section: `OLD` and `preview` in `projects/web/env/OLD@preview`. */
function namesIn({ address, parent }: Change): string[] {
  const own = parent === undefined ? address : address.slice(parent.length + 1);
  return own
    .split(/[/@]/)
    .slice(1)
    .filter((name) => name !== '')
    .map(unescapeName);
}
