import { type Address, indexByAddress } from '../../model/address.ts';
import { type Change, createsObject, type FieldChange, isHiddenField } from '../../model/change.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import type { DriftSource, Operation, Plan } from '../../model/plan.ts';
import type { Request } from '../../model/request.ts';
import { positionTexts, shownReasonOf } from '../change-text.ts';
import { type CountedChanges, splitCountedChanges } from '../counted-changes.ts';
import { hiddenFieldText, isShownAsOneValue, reportedFieldsOf } from '../field-text.ts';
import { type AnchoredFindings, type EntryFindings, findingTexts, groupFindings } from '../finding-text.ts';
import {
  foldChanges,
  formatEntryName,
  logicalNameOf,
  type ReportEntry,
  sharedPositionOf,
  variedValuesText,
} from '../fold-changes.ts';
import { changedByTexts, indexOperationsByAddress, sentAddressesIn } from '../plan-notes.ts';
import type { ReportSection } from '../plan-sections.ts';
import { lineOf } from '../request-text.ts';
import { layOut, show, showName } from '../show.ts';
import { capitalized, cleanLine, count, cut, cutPair, displayWidth } from '../text.ts';
import { normalizeSides } from '../value-diff.ts';
import { fieldMarkup, variedFieldMarkup } from './field.ts';
import { findingFiltersOf, findingRows } from './findings.ts';
import { actionsInOrder, causeOf, filterActionOf, html, type Markup, type Part } from './markup.ts';
import { type EntryGroup, groupEntries, type OutlineItem } from './toolbar.ts';

/** Data that is computed once for all changes of a page. */
interface ChangeContext {
  /** The operations that carry out the change of an address. */
  operationsByAddress: ReadonlyMap<Address, Operation[]>;
  /** Addresses of the objects that this plan creates, so their ids are not known yet. */
  createdAddresses: ReadonlySet<Address>;
  /** Who changed an object outside, by the address of the object. */
  changedBy: ReadonlyMap<Address, DriftSource>;
  /** For each operation, the row that shows its requests. */
  rowOfRequests: ReadonlyMap<Operation, PageAnchor>;
  /** The id of the row of each change on the page. */
  ids: ReadonlyMap<Address, string>;
  /** The findings in the row of each entry. */
  findings: ReadonlyMap<ReportEntry, EntryFindings>;
}

/**
 * Computes the data that the formatting of each change on a plan's page needs: its requests, who changed it
 * outside, and the id of its row. `entries` (changes that read alike) are in their order on the page, because
 * the ids are numbered.
 */
function createChangeContext(plan: Plan, entries: ReportEntry[], findings: AnchoredFindings): ChangeContext {
  const creations = entries.flatMap(changesOf).filter(createsObject);
  const operationsByAddress = indexOperationsByAddress(plan);
  const ids = new Map<Address, string>(
    entries.flatMap((entry, index) =>
      changesOf(entry).map(({ address }) => [address, `change-${index + 1}`] as const),
    ),
  );
  return {
    operationsByAddress,
    createdAddresses: new Set(creations.map(({ address }) => address)),
    changedBy: indexByAddress(plan.changedBy ?? []),
    rowOfRequests: assignRequestsToRows(entries, operationsByAddress, ids),
    ids,
    findings: new Map(entries.map((entry) => [entry, findingTexts(entry, findings)])),
  };
}

/** Returns all changes of an entry. Those of one logical change, such as the targets of a variable, stand one after the other. */
const changesOf = ({ logicalChanges }: ReportEntry): Change[] => logicalChanges.flat();

/** A row on the page: its id there, and the name of its first change. */
interface PageAnchor {
  id: string;
  name: string;
}

/**
 * Returns for each operation the row of the page that shows its requests. One operation may carry out changes of several rows: the first
 * of them shows its requests, and the others link to that one.
 */
function assignRequestsToRows(
  entries: ReportEntry[],
  operationsByAddress: ReadonlyMap<Address, Operation[]>,
  ids: ReadonlyMap<Address, string>,
): Map<Operation, PageAnchor> {
  const rowOfRequests = new Map<Operation, PageAnchor>();
  for (const entry of entries) {
    const row = { id: ids.get(entry.change.address)!, name: logicalNameOf(entry.logicalChanges[0]!) };
    for (const { address } of changesOf(entry))
      for (const operation of operationsByAddress.get(address) ?? [])
        if (!rowOfRequests.has(operation)) rowOfRequests.set(operation, row);
  }
  return rowOfRequests;
}

/**
 * Formats one entry (a change, or several that read alike) as a row on the page of a plan that can be opened. The closed row has the
 * action, the name, facts, a glimpse of the values, and findings. The open one also has the fields, the names of all changes, and the
 * requests. `level`: the level of its heading.
 */
function entryMarkup(
  entry: ReportEntry,
  context: ChangeContext,
  { isOpen, level }: { isOpen: boolean; level: 3 | 4 },
): Markup {
  const { change, logicalChanges } = entry;
  const { address, kind, action, grade } = change;
  const { sign, verb } = actionLabelOf(change, context);
  const findings = context.findings.get(entry)!;
  const [worstFinding] = findings.texts;
  const reasons = reasonSentencesOf(change, context);
  const factMarkups = entryFactsOf(entry).map((markup, index) => html`${index > 0 && ' · '}${markup}`);
  return html`
<details class="change" id="${context.ids.get(address)}" data-action="${filterActionOf(change)}" data-risk="${grade}" data-cause="${causeOf(change).cause}" data-kind="${kind}"${worstFinding && html` data-finding="${worstFinding.label}"`} data-count="${logicalChanges.length}"${isOpen && html` open`}>
<summary><span class="mark ${action}"><span aria-hidden="true">${sign}</span> ${verb}</span>
${headingMarkup(level, entryNameMarkup(entry))}
<span class="about">${factMarkups}</span>${peekMarkup(entry)}${
    reasons.length > 0 &&
    html`
<span class="why">${reasons.join(' ')}</span>`
  }${findingRows(findings)}</summary>
<div class="body">${entryFieldsMarkup(entry, context)}${changeNamesMarkup(entry)}${entryRequestsMarkup(entry, context)}
</div></details>`;
}

/**
 * Formats the name of an entry for its heading: its address or pattern, with the number of its changes if there are several, and its
 * targets.
 */
function entryNameMarkup(entry: ReportEntry): Markup {
  const { count: number, name, targets } = formatEntryName(entry);
  return html`${number !== undefined && html`<span class="number">${number} × </span>`}${addressText(name)}${targets.length > 0 && html` <span class="places">[${targets.map(cleanLine).join(', ')}]</span>`}`;
}

/** Lists the names of the changes of an entry that read alike, folded. False for a single change, whose name is in the heading. */
function changeNamesMarkup({ logicalChanges }: ReportEntry): Part {
  return (
    logicalChanges.length > 1 &&
    html`
<details class="more names"><summary>${count(logicalChanges.length, 'change')}</summary>
<ul>${logicalChanges.map(
      (changes) => html`
<li><code>${cleanLine(logicalNameOf(changes))}</code></li>`,
    )}
</ul></details>`
  );
}

/**
 * Formats the fields of an entry (a change, or several that read alike) for its open row on the page of a plan. A
 * field whose value differs among the changes lists these values. False if it has no fields.
 */
function entryFieldsMarkup(entry: ReportEntry, { createdAddresses }: ChangeContext): Part {
  const { change, variedPaths } = entry;
  const fields = reportedFieldsOf(change);
  const markups = fields.map((field) =>
    variedPaths.has(field.path)
      ? variedFieldMarkup(field.path, variedValuesText(entry, field.path))
      : fieldMarkup(field, change.action, createdAddresses),
  );
  return (
    fields.length > 0 &&
    html`<dl>${markups}
</dl>`
  );
}

/** Formats the heading of a change, one level below the heading of its group. */
const headingMarkup = (level: 3 | 4, text: Markup): Markup =>
  level === 3 ? html`<h3 class="name">${text}</h3>` : html`<h4 class="name">${text}</h4>`;

/**
 * Returns the facts in the row of an entry (a change, or several that read alike) on the page of a plan: its kind,
 * its line of the configuration if all its changes share it, and its cause. Except for an update, an edit of
 * the configuration is left out as a cause, since it is the usual one.
 */
function entryFactsOf(entry: ReportEntry): Markup[] {
  const { kind, action } = entry.change;
  const position = sharedPositionOf(entry);
  const { cause, label } = causeOf(entry.change);
  return [
    html`${cleanLine(kind)}`,
    ...(position ? [html`<span class="place">${cleanLine(position.file)}:${position.line}</span>`] : []),
    ...(cause === 'edit' && action !== 'update' ? [] : [html`<span class="cause ${cause}">${label}</span>`]),
  ];
}

/**
 * Returns the sign and the verb of a change for its row on the page of a plan: `+` and `create`. An adoption
 * (an existing object becomes managed) that also changes the object has its own sign.
 */
function actionLabelOf(
  { action, address }: Change,
  { operationsByAddress }: ChangeContext,
): { sign: string; verb: string } {
  if (action === 'adopt' && operationsByAddress.has(address)) return { sign: '≈', verb: 'adopt, update' };
  return actionsInOrder.find((entry) => entry.action === action)!;
}

/**
 * Formats an address for the heading of a change on the page of a plan. Its last name stands out from the path before it, and a long
 * address may break after each `/`.
 */
function addressText(address: Address): Markup {
  const path = cleanLine(address).split('/');
  const name = path.pop()!;
  return html`<code>${path.length > 0 && html`<span class="path">${path.map((step) => html`${step}/<wbr>`)}</span>`}${name}</code>`;
}

/** Returns the facts about a change besides its fields as sentences for its row on the page: risk, reason, author and position. */
function reasonSentencesOf(change: Change, { changedBy }: ChangeContext): string[] {
  const { grade, gradeReason } = change;
  return [
    ...(grade === 'safe' && !gradeReason ? [] : [[grade, gradeReason].filter(Boolean).join(': ')]),
    ...shownReasonOf(change),
    ...changedByTexts(changedBy.get(change.address)),
    ...positionTexts(change),
  ].map((text) => asSentence(cleanLine(text)));
}

/** Returns a text with a capital at its beginning and a full stop at its end. */
const asSentence = (text: string) => `${capitalized(text)}${/[.!?]$/.test(text) ? '' : '.'}`;

/**
 * Formats the requests of an entry (a change, or several that read alike) on a plan's page: a link to each other row that shows some of
 * them, and a list of those that this row has to show.
 */
function entryRequestsMarkup(
  entry: ReportEntry,
  { operationsByAddress, rowOfRequests, ids }: ChangeContext,
): Part {
  const ownId = ids.get(entry.change.address);
  const operations = new Set(
    changesOf(entry).flatMap(({ address }) => operationsByAddress.get(address) ?? []),
  );
  const rows = new Set([...operations].map((operation) => rowOfRequests.get(operation)!));
  const otherRows = [...rows].filter(({ id }) => id !== ownId);
  const shownHere = [...operations].filter((operation) => rowOfRequests.get(operation)!.id === ownId);
  const requests = shownHere.flatMap((operation) => operation.requests);
  return [
    otherRows.map(
      ({ id, name }) => html`
<p class="sent">Sent together with <a href="#${id}">${cleanLine(name)}</a>.</p>`,
    ),
    requests.length > 0 && requestList(requests),
  ];
}

/** Formats requests as a folded list, in the order of the plan. */
export const requestList = (requests: Request[]): Markup => html`
<details class="requests"><summary>${count(requests.length, 'request')}</summary>
<ol>${requests.map(requestItem)}
</ol></details>`;

/**
 * Formats one request as an item of the collapsed list below a change on the page of a plan: method and path,
 * and its body as JSON.
 */
function requestItem(request: Request): Markup {
  const { method, path } = lineOf(request);
  const body = request.body === undefined ? [] : layOut(request.body, 88, 'json');
  return html`
<li><code><b>${method}</b> ${path}</code>${body.length > 0 && html`<pre>${body.map((line) => html`<span>${line}\n</span>`)}</pre>`}</li>`;
}

/** The most fields that a closed row shows. */
const maxPeekFields = 3;
/** The columns of one value in a closed row. */
const peekValueWidth = 44;
/** The columns of all fields of a closed row. The first field is shown even if it is wider. */
const peekWidth = 110;

/**
 * Formats the first fields of an entry (a change, or several that read alike) for its row on the page of a
 * plan, so that a reviewer need not open it: `framework nextjs → astro and 2 more`. Undefined if it has no
 * fields.
 */
function peekMarkup({ change, variedPaths }: ReportEntry): Part {
  const fields = reportedFieldsOf(change);
  if (fields.length === 0) return undefined;
  const markups: Markup[] = [];
  let usedWidth = 0;
  for (const field of fields.slice(0, maxPeekFields)) {
    const peek = peekFieldOf(field, change, variedPaths.has(field.path));
    usedWidth += peek.width;
    if (markups.length > 0 && usedWidth > peekWidth) break;
    markups.push(peek.text);
  }
  const more = fields.length - markups.length;
  return html`
<span class="peek">${markups.map((text, index) => html`${index > 0 && ' '}<span class="one">${text}</span>`)}${more > 0 && html` <span class="rest">and ${more} more</span>`}</span>`;
}

/** Returns a value without the brackets around a single scalar. */
const unwrapSingleScalar = (value: unknown): unknown => normalizeSides(value, value)[0];

/** A field in a closed row, with its width in columns. */
interface PeekField {
  text: Markup;
  width: number;
}

/**
 * Formats a field for a row on the page of a plan that is still closed: one value, or both values cut to
 * their difference. `isVaried`: the row stands for several changes, and the values differ among them.
 */
function peekFieldOf(field: FieldChange, { action }: Change, isVaried: boolean): PeekField {
  const name = showName(field.path, 'plain');
  if (isVaried) return peekOfNote(name, 'differs');
  if (isHiddenField(field)) return peekOfNote(name, hiddenFieldText(field));
  const [before, after] = normalizeSides(field.before, field.after);
  if (isShownAsOneValue(field, action))
    return peekOfValue(name, show(unwrapSingleScalar(after === undefined ? before : after)));
  // `cutPair` keeps a long difference, so its texts are cut again.
  const [textBefore, textAfter] = cutPair(show(before), show(after), peekValueWidth);
  const [a, b] = [cut(textBefore, 2 * peekValueWidth), cut(textAfter, 2 * peekValueWidth)];
  // Secrets are shown by name only, so equal texts of different values differ in a secret.
  return a === b ? peekOfNote(name, '(a secret in it changes)') : peekOfPair(name, a, b);
}

/** Formats a field with one value for a closed row. */
function peekOfValue(name: string, value: string): PeekField {
  const text = cut(value, peekValueWidth);
  return {
    text: html`<code class="field-name">${name}</code> <code>${text}</code>`,
    width: displayWidth(name) + displayWidth(text) + 2,
  };
}

/** Formats a field for a closed row with a note instead of its value. */
function peekOfNote(name: string, note: string): PeekField {
  const text = cut(note, peekValueWidth);
  return {
    text: html`<code class="field-name">${name}</code> <em>${text}</em>`,
    width: displayWidth(name) + displayWidth(text) + 2,
  };
}

/** Formats a field with the value before and after the change for a closed row. */
const peekOfPair = (name: string, before: string, after: string): PeekField => ({
  text: html`<code class="field-name">${name}</code> <del>${before}</del> <span aria-hidden="true">→</span><span class="unseen"> becomes </span> <ins>${after}</ins>`,
  width: displayWidth(name) + displayWidth(before) + displayWidth(after) + 6,
});

/** At most this many changes are open when the page loads: all of a small plan, else those that need attention. */
const maxOpenChanges = 8;

/** True for a change that a reviewer should look at: it is risky or in conflict. */
const needsAttention = (change: Change) => change.grade !== 'safe' || causeOf(change).cause === 'conflict';

/** Returns the entries that are open when the page loads: all if they are few, otherwise those that need attention if these are few. */
function chooseOpenEntries(entries: ReportEntry[]): Set<ReportEntry> {
  if (entries.length <= maxOpenChanges) return new Set(entries);
  const inNeedOfAttention = entries.filter(({ change }) => needsAttention(change));
  return new Set(inNeedOfAttention.length <= maxOpenChanges ? inNeedOfAttention : []);
}

/**
 * Formats the changes of a plan by section (by danger) and group (see `groupEntries`): the urgent sections, and the usual ones, each with
 * its items for the outline (`inside`). Also returns the requests that no row shows (`unshownRequests`): there should be none, but a page
 * must show every request that an apply sends. `ids`: the id of the row of each change. `rowChanges`: the logical changes that have a row,
 * without those that are only counted. `findingFilters`: the choices of the filter for findings.
 */
export function changeSections(plan: Plan, sections: ReportSection[]) {
  const sentAddresses = sentAddressesIn(plan);
  const planAddresses = plan.changes.map(({ address }) => address);
  const findings = groupFindings(plan).anchored;
  const groupedSections = sections.map((section) => {
    const { counted, otherChanges } = splitCountedChanges(section.changes, { sentAddresses, findings });
    return {
      section,
      counted,
      groups: groupEntries(foldChanges(otherChanges, { sentAddresses, planAddresses, findings })),
    };
  });
  const entries = groupedSections.flatMap(({ groups }) => groups.flatMap((group) => group.entries));
  const context = createChangeContext(plan, entries, findings);
  const openEntries = chooseOpenEntries(entries);
  const formatSections = (selected: typeof groupedSections): { part: Part; inside: OutlineItem[] } => ({
    part: selected.map(({ section, counted, groups }) =>
      sectionMarkup(section, counted, groups, (entry, level) =>
        entryMarkup(entry, context, { isOpen: openEntries.has(entry), level }),
      ),
    ),
    inside: selected.map(({ section, groups }) => outlineItemOf(section, groups)),
  });
  return {
    rowChanges: entries.flatMap(({ logicalChanges }) => logicalChanges),
    ids: context.ids,
    findingFilters: findingFiltersOf(context.findings),
    urgent: formatSections(groupedSections.filter(({ section }) => section.urgent)),
    usual: formatSections(groupedSections.filter(({ section }) => !section.urgent)),
    unshownRequests: unshownRequestsMarkup(plan, context),
  };
}

/** Lists the requests of operations that no row of the page shows. False if there are none, as there should be. */
function unshownRequestsMarkup(plan: Plan, { rowOfRequests }: ChangeContext): Part {
  const operations = plan.operations.filter((operation) => !rowOfRequests.has(operation));
  return (
    operations.length > 0 &&
    html`
<section aria-labelledby="others"><h2 id="others">Also sent</h2>${requestList(operations.flatMap(({ requests }) => requests))}</section>`
  );
}

/**
 * Formats one section of a plan's page: title, count, and its entries (a change, or several that read alike) by
 * group. `counted` are changes that are only counted. Groups have headings only if there are several.
 * `formatEntry`: formats an entry; `level` is the level of its heading.
 */
function sectionMarkup(
  { name, title, means, changes }: ReportSection,
  counted: CountedChanges[],
  groups: EntryGroup[],
  formatEntry: (entry: ReportEntry, level: 3 | 4) => Markup,
): Markup {
  const listOf = ({ entries }: EntryGroup, level: 3 | 4) => html`
<div class="list">${entries.map((entry) => formatEntry(entry, level))}
</div>`;
  const groupWithHeading = (group: EntryGroup, index: number) => html`
<div class="group">
<h3 id="${name}-${index + 1}"><code>${cleanLine(group.label)}</code> <span class="count">${countGroupChanges(group)}</span></h3>${listOf(group, 4)}</div>`;
  return html`
<section class="changes" aria-labelledby="${name}">
<h2 id="${name}"><i class="${name}" aria-hidden="true"></i>${title} <span class="count">${countLogicalChanges(changes)}</span></h2>
<p class="means">${means}</p>${counted.map(
    ({ address, text }) => html`
<p class="adopted">${cleanLine(address === undefined ? text : `${address} ${text}`)}</p>`,
  )}${groups.length > 1 ? groups.map(groupWithHeading) : groups.map((group) => listOf(group, 3))}</section>`;
}

/** Counts the changes of a group as people do: the targets of one variable are one change. */
const countGroupChanges = ({ entries }: EntryGroup) =>
  entries.reduce((sum, { logicalChanges }) => sum + logicalChanges.length, 0);

/**
 * Returns the item of a section for the outline (the table of contents) of a plan's page, with its groups below it if there are several.
 */
const outlineItemOf = ({ name, label, changes }: ReportSection, groups: EntryGroup[]): OutlineItem => ({
  id: name,
  name,
  label: capitalized(label),
  count: countLogicalChanges(changes),
  children:
    groups.length > 1
      ? groups.map((group, index) => ({
          id: `${name}-${index + 1}`,
          label: cleanLine(group.label),
          count: countGroupChanges(group),
        }))
      : [],
});
