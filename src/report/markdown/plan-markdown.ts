import { byAddress } from '../../model/address.ts';
import { groupBy } from '../../model/graph.ts';
import type { Pace } from '../../model/pace.ts';
import { asksForNothing, type Plan } from '../../model/plan.ts';
import { countOf } from '../../model/wholes.ts';
import { count } from '../count.ts';
import { adoptedText, foldChanges, splitAdopted } from '../fold-changes.ts';
import { durationOf, readsText, waitLines } from '../forecast.ts';
import { planContext } from '../plan-context.ts';
import { summaryWords } from '../plan-end.ts';
import {
  accountText,
  conflictText,
  guardsTexts,
  newSources,
  permissionTexts,
  renewedTexts,
  sourcesOfChanges,
  sourcesTitle,
  sourceTexts,
  unmanagedTexts,
  waitingTexts,
  waitingTitle,
} from '../plan-notes.ts';
import { sectionsOf } from '../plan-sections.ts';
import { styleFor } from '../style.ts';
import { summaryOf } from '../summary-of.ts';
import { commentLimit } from './comment-limit.ts';
import { changeForms, code, diagnosticForms, stackMarker } from './forms.ts';
import { type Piece, sizeOf, withinRoom } from './within-room.ts';

/** For what is said of the rest, and for headings. */
const reserved = 2_000;

/** A part of the report under a heading, and how many changes it is about. */
interface Part extends Piece {
  heading: string;
  changes: number;
}

/**
 * A plan for a pull request: what is risky first, details folded. It is never longer than `limit` bytes; what is left out is counted.
 * The marker in front makes it possible to find the comment of the stack again.
 */
export function planMarkdown(plan: Plan, pace?: Pace, limit = commentLimit): string {
  const head = [stackMarker(plan.stack), ...headLines(plan, pace)];
  const parts = partsOf(plan);
  const chosen = withinRoom(parts, limit - reserved - sizeOf(head.join('\n\n')));
  const sections = [...groupBy(parts.keys(), (at) => parts[at]!.heading)].map(([heading, indices]) =>
    indices.reduce((text, at) => joined(text, parts[at]!.forms[chosen[at] ?? -1]), `#### ${heading}`),
  );
  return `${[...head, ...sections, ...restLines(parts, chosen)].join('\n\n')}\n`;
}

function partsOf(plan: Plan): Part[] {
  const context = planContext(plan, { style: styleFor({ color: false, width: 100 }), requests: false });
  const told = (severity: string, title: string): Part[] => {
    const own = plan.diagnostics.filter((one) => one.severity === severity);
    const heading = `${title} (${own.length})`;
    return own.map((one) => ({
      heading,
      forms: diagnosticForms(one),
      urgent: severity === 'error',
      changes: 0,
    }));
  };
  const changes = sectionsOf([...plan.changes].sort(byAddress), context.carriers).flatMap(
    ({ title, urgent, changes }): Part[] => {
      const heading = `${title} (${countOf(changes)})`;
      const { adopted, others } = splitAdopted(changes, { sent: context.carriers });
      return [
        ...foldChanges(others, { sent: context.carriers, all: context.all }).map((entry) => ({
          heading,
          forms: changeForms(entry, context),
          urgent,
          changes: entry.wholes.length,
        })),
        ...adopted.map((one) => ({
          heading,
          forms: [`- ${code('=')} ${adoptedText(one)}`],
          urgent,
          changes: one.number,
        })),
      ];
    },
  );
  const news = newSources(plan);
  const sources = sourceTexts(news).map(
    ({ name, text }): Part => ({
      heading: `${sourcesTitle} (${news.length})`,
      forms: [`- ${code(name)}: ${code(text)}`],
      urgent: true,
      changes: 0,
    }),
  );
  const usual = sourceTexts(sourcesOfChanges(plan.changes, plan)).map(
    ({ name, text }): Part => ({
      heading: 'Read for these changes',
      forms: [`- ${code(name)}: ${code(text)}`],
      urgent: false,
      changes: 0,
    }),
  );
  const notReady = waitingTexts(plan);
  const waiting = notReady.map(
    ({ name, text }): Part => ({
      heading: `${waitingTitle} (${notReady.length})`,
      forms: [`- ${code(name)}: ${code(text)}`],
      urgent: false,
      changes: 0,
    }),
  );
  return [
    ...told('error', 'Errors'),
    ...sources,
    ...changes,
    ...usual,
    ...waiting,
    ...told('warning', 'Warnings'),
  ];
}

/** Lines of a list stand together, all else apart. */
function joined(text: string, form: string | undefined): string {
  if (form === undefined) return text;
  const isList = form.startsWith('- ') && text.split('\n').at(-1)!.startsWith('- ');
  return `${text}${isList ? '\n' : '\n\n'}${form}`;
}

/** Names what was left out, or cut, for lack of room. */
function restLines(parts: Part[], chosen: (number | undefined)[]): string[] {
  const number = (of: (part: Part, form: number | undefined) => number) =>
    parts.reduce((sum, part, at) => sum + of(part, chosen[at]), 0);
  const absent = number(({ changes }, form) => (form === undefined ? changes : 0));
  const untold = number(({ changes }, form) => (form === undefined ? Number(changes === 0) : 0));
  const isShort = (form: number | undefined) => form !== undefined && form > 0;
  const short = number(({ changes }, form) => (isShort(form) ? changes : 0));
  const shortTold = number(({ changes }, form) => Number(isShort(form) && changes === 0));
  const left = [
    ...(absent > 0 ? [count(absent, 'change')] : []),
    ...(untold > 0 ? [count(untold, 'problem')] : []),
    ...(short > 0 ? [`details of ${count(short, 'change')} above`] : []),
    ...(shortTold > 0 ? [`details of ${count(shortTold, 'problem')} above`] : []),
  ];
  return left.length > 0
    ? [
        `**Left out, since this would be too long: ${left.join(', ')}.** \`trueup plan\` and \`trueup show\` show it all.`,
      ]
    : [];
}

/** Sums a plan up in a line or two. With the platform's pace it also says how long it takes. */
function headLines(plan: Plan, pace?: Pace): string[] {
  const errors = plan.diagnostics.filter(({ severity }) => severity === 'error').length;
  return [
    `### trueup plan: ${[plan.stack, ...accountText(plan)].map(code).join(', ')}`,
    ...(errors > 0 ? [`**This cannot be applied: ${count(errors, 'error')}.**`] : []),
    ...(plan.complete ? [] : ['**This plan is incomplete: not everything could be read.**']),
    ...(plan.partial ? ['Only a part was looked at.'] : []),
    asksForNothing(plan)
      ? [nothingText(plan, errors), ...readsText(plan)].join(' ')
      : [`**Plan: ${summaryWords(summaryOf(plan))}.** ${requestText(plan, pace)}`, ...readsText(plan)].join(
          ' ',
        ),
    ...permissionTexts(plan.changes).map((text) => `**${text}**`),
    ...conflictText(plan.changes).map((text) => `**${text}**`),
    ...waitLines(plan, pace, Number.POSITIVE_INFINITY),
    ...unmanagedLines(plan),
    ...renewedTexts(plan),
    ...guardsTexts(plan),
  ];
}

function nothingText({ partial, complete }: Plan, errors: number): string {
  if (errors > 0 || !complete) return 'Nothing is planned before that is mended.';
  return partial
    ? '**No changes** in that part.'
    : '**No changes.** The account is as the configuration says.';
}

function requestText(plan: Plan, pace: Pace | undefined): string {
  const requests = plan.operations.flatMap((operation) => operation.requests);
  if (requests.length === 0) return 'Nothing is sent: this is only recorded.';
  const methods = groupBy(requests, ({ endpoint }) => endpoint.split(' ', 1)[0]!);
  const counts = [...methods]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([method, all]) => `${all.length} ${method}`);
  return `${count(requests.length, 'request')}: ${counts.join(', ')}${durationOf(plan, pace)}.`;
}

function unmanagedLines(plan: Plan): string[] {
  const counts = unmanagedTexts(plan, code);
  return counts.length === 0 ? [] : [`Not managed here, left alone: ${counts.join(', ')}.`];
}
