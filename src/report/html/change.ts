import type { Address } from '../../model/address.ts';
import { type Change, createsObject, type FieldChange, isHiddenField } from '../../model/change.ts';
import type { DriftSource, Operation, Plan } from '../../model/plan.ts';
import type { Request } from '../../model/request.ts';
import { positionTexts, shownReasonOf } from '../change-text.ts';
import { cleanLine } from '../clean.ts';
import { count } from '../count.ts';
import { cut, cutPair, displayWidth } from '../cut.ts';
import { hiddenFieldText, reportedFieldsOf } from '../field-text.ts';
import { formatEntryName, logicalNameOf, type ReportEntry, variedValuesText } from '../fold-changes.ts';
import { changedByTexts } from '../plan-notes.ts';
import { lineOf } from '../request-text.ts';
import { layOut, show, showName } from '../show.ts';
import { indexOperationsByAddress } from '../summarize-plan.ts';
import { normalizeSides } from '../value-diff.ts';
import { fieldMarkup, variedFieldMarkup } from './field.ts';
import { actions, causeOf, html, type Markup, type Part } from './markup.ts';

/** Lookups for writing the changes out, in their order on the page. */
interface ChangeContext {
  /** The operations that carry out the change of an address. */
  operationsByAddress: ReadonlyMap<Address, Operation[]>;
  /** Addresses that get their id only by this plan. */
  createdAddresses: ReadonlySet<Address>;
  /** The person behind a change outside. */
  changedBy: ReadonlyMap<Address, DriftSource>;
  writtenOperations: Map<Operation, PageAnchor>;
  /** The ids of changes on the page. */
  ids: ReadonlyMap<Address, string>;
}

export function createChangeContext(plan: Plan, entries: ReportEntry[]): ChangeContext {
  const fresh = entries.flatMap(({ logicalChanges }) => logicalChanges.flat()).filter(createsObject);
  return {
    operationsByAddress: indexOperationsByAddress(plan),
    createdAddresses: new Set(fresh.map(({ address }) => address)),
    changedBy: new Map((plan.changedBy ?? []).map((driftSource) => [driftSource.address, driftSource])),
    writtenOperations: new Map(),
    ids: new Map(
      entries.flatMap(({ logicalChanges }, index) =>
        logicalChanges.flat().map(({ address }) => [address, `change-${index + 1}`]),
      ),
    ),
  };
}

/** One entry: what and where in its summary; why, its fields, all that it is about, and its requests when it is opened. */
export function entryMarkup(
  entry: ReportEntry,
  context: ChangeContext,
  { isOpen, level }: { isOpen: boolean; level: 3 | 4 },
): Markup {
  const { change, logicalChanges, variedPaths } = entry;
  const { address, kind, action, grade } = change;
  const { sign, verb } = actionLabelOf(change, context);
  const id = context.ids.get(address)!;
  const fields = reportedFieldsOf(change);
  const reasons = reasonSentencesOf(change, context);
  const { count: number, name, targets } = formatEntryName(entry);
  const about = entryFactsOf(entry).map((markup, index) => html`${index > 0 && ' · '}${markup}`);
  const carriers = logicalChanges
    .flat()
    .flatMap((change) => context.operationsByAddress.get(change.address) ?? []);
  return html`
<details class="change" id="${id}" data-action="${action}" data-risk="${grade}" data-cause="${causeOf(change).cause}" data-kind="${kind}" data-count="${logicalChanges.length}"${isOpen && html` open`}>
<summary><span class="mark ${action}"><span aria-hidden="true">${sign}</span> ${verb}</span>
${headingMarkup(level, html`${number !== undefined && html`<span class="number">${number} × </span>`}${addressText(name)}${targets.length > 0 && html` <span class="places">[${targets.map(cleanLine).join(', ')}]</span>`}`)}
<span class="about">${about}</span>${peekMarkup(entry)}${
    reasons.length > 0 &&
    html`
<span class="why">${reasons.join(' ')}</span>`
  }</summary>
<div class="body">${
    fields.length > 0 &&
    html`<dl>${fields.map((field) =>
      variedPaths.has(field.path)
        ? variedFieldMarkup(field.path, variedValuesText(entry, field.path))
        : fieldMarkup(field, action, context.createdAddresses),
    )}
</dl>`
  }${
    logicalChanges.length > 1 &&
    html`
<details class="more names"><summary>${count(logicalChanges.length, 'change')}</summary>
<ul>${logicalChanges.map(
      (changes) => html`
<li><code>${cleanLine(logicalNameOf(changes))}</code></li>`,
    )}
</ul></details>`
  }${operationRequestsMarkup([...new Set(carriers)], context.writtenOperations, { id, address: logicalNameOf(logicalChanges[0]!) })}
</div></details>`;
}

/** A change stands one level below what it is grouped by. */
const headingMarkup = (level: 3 | 4, text: Markup): Markup =>
  level === 3 ? html`<h3 class="name">${text}</h3>` : html`<h4 class="name">${text}</h4>`;

/** The action, place and reason of a change, as far as they do not go without saying. */
function entryFactsOf({ change, logicalChanges }: ReportEntry): Markup[] {
  const { kind, at, action } = change;
  const isAtOne = logicalChanges
    .flat()
    .every((change) => change.at?.file === at?.file && change.at?.line === at?.line);
  const { cause, label } = causeOf(change);
  return [
    html`${cleanLine(kind)}`,
    ...(at && isAtOne ? [html`<span class="place">${cleanLine(at.file)}:${at.line}</span>`] : []),
    ...(cause === 'edit' && action !== 'update' ? [] : [html`<span class="cause ${cause}">${label}</span>`]),
  ];
}

function actionLabelOf(
  { action, address }: Change,
  { operationsByAddress }: ChangeContext,
): { sign: string; verb: string } {
  if (action === 'adopt' && operationsByAddress.has(address)) return { sign: '≈', verb: 'adopt, update' };
  return actions.find((one) => one.action === action)!;
}

/** The name at the end stands out from where it is; a long one may break at each `/`. */
function addressText(address: Address): Markup {
  const parts = cleanLine(address).split('/');
  const name = parts.pop()!;
  return html`<code>${parts.length > 0 && html`<span class="path">${parts.map((part) => html`${part}/<wbr>`)}</span>`}${name}</code>`;
}

/** Each as a sentence. */
function reasonSentencesOf(change: Change, { changedBy }: ChangeContext): string[] {
  const { grade, gradeReason } = change;
  return [
    ...(grade === 'safe' && !gradeReason ? [] : [[grade, gradeReason].filter(Boolean).join(': ')]),
    ...shownReasonOf(change),
    ...changedByTexts(changedBy.get(change.address)),
    ...positionTexts(change),
  ].map((text) => asSentence(cleanLine(text)));
}

const asSentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** The place of an operation on the page, and its id there. */
interface PageAnchor {
  id: string;
  address: string;
}

/** The requests of a change's operations. What is written out already is only pointed at. */
function operationRequestsMarkup(
  operations: Operation[],
  written: Map<Operation, PageAnchor>,
  here: PageAnchor,
): Part {
  const earlier = new Map<string, PageAnchor>();
  const fresh = operations.filter((operation) => {
    const there = written.get(operation);
    if (there) earlier.set(there.id, there);
    else written.set(operation, here);
    return !there;
  });
  const requests = fresh.flatMap(({ requests }) => requests);
  return [
    [...earlier.values()].map(
      ({ id, address }) => html`
<p class="sent">Sent together with <a href="#${id}">${cleanLine(address)}</a>.</p>`,
    ),
    requests.length > 0 && requestList(requests),
  ];
}

/** Requests in the order in which they are sent, folded. */
export const requestList = (requests: Request[]): Markup => html`
<details class="requests"><summary>${count(requests.length, 'request')}</summary>
<ol>${requests.map(requestItem)}
</ol></details>`;

function requestItem(request: Request): Markup {
  const { method, path } = lineOf(request);
  const body = request.body === undefined ? [] : layOut(request.body, 88, 'json');
  return html`
<li><code><b>${method}</b> ${path}</code>${body.length > 0 && html`<pre>${body.map((line) => html`<span>${line}\n</span>`)}</pre>`}</li>`;
}

/** So many fields at most are told in a closed row. */
const maxPeekFields = 3;
/** Columns of one value there. */
const peekValueWidth = 44;
/** Columns of all of them together; the first field is told however wide it is. */
const peekWidth = 110;

/** The values of an entry in one line, for as long as it is closed: `framework nextjs → astro`, and how many fields more there are. */
function peekMarkup({ change, variedPaths }: ReportEntry): Part {
  const fields = reportedFieldsOf(change);
  if (fields.length === 0) return undefined;
  const markups: Markup[] = [];
  let used = 0;
  for (const field of fields.slice(0, maxPeekFields)) {
    const piece = peekPieceOf(field, change, variedPaths.has(field.path));
    used += piece.width;
    if (markups.length > 0 && used > peekWidth) break;
    markups.push(piece.text);
  }
  const more = fields.length - markups.length;
  return html`
<span class="peek">${markups.map((text, index) => html`${index > 0 && ' '}<span class="one">${text}</span>`)}${more > 0 && html` <span class="rest">and ${more} more</span>`}</span>`;
}

/** One value, without the brackets around a single scalar. */
const unwrapSingleScalar = (value: unknown): unknown => normalizeSides(value, value)[0];

interface PeekPiece {
  text: Markup;
  width: number;
}

function peekPieceOf(field: FieldChange, { action }: Change, isVaried: boolean): PeekPiece {
  const name = showName(field.path, 'plain');
  const single = (value: string, isNote = false): PeekPiece => {
    const text = cut(value, peekValueWidth);
    return {
      text: html`<code class="field-name">${name}</code> ${isNote ? html`<em>${text}</em>` : html`<code>${text}</code>`}`,
      width: displayWidth(name) + displayWidth(text) + 2,
    };
  };
  if (isVaried) return single('differs', true);
  if (isHiddenField(field)) return single(hiddenFieldText(field), true);
  const [before, after] = normalizeSides(field.before, field.after);
  const isWhole =
    (action === 'create' || action === 'delete') && (before === undefined || after === undefined);
  if (isWhole || field.cause === 'recorded' || field.cause === 'released')
    return single(show(unwrapSingleScalar(after === undefined ? before : after)));
  const [a, b] = cutPair(show(before), show(after), peekValueWidth).map((text) =>
    cut(text, 2 * peekValueWidth),
  ) as [string, string];
  if (a === b) return single('(a secret in it changes)', true);
  return {
    text: html`<code class="field-name">${name}</code> <del>${a}</del> <span aria-hidden="true">→</span><span class="unseen"> becomes </span> <ins>${b}</ins>`,
    width: displayWidth(name) + displayWidth(a) + displayWidth(b) + 6,
  };
}
