import type { Change } from '../../model/change.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import { cleanLine } from '../clean.ts';
import {
  type AdoptionCount,
  adoptionCountText,
  foldChanges,
  type ReportEntry,
  splitPlainAdoptions,
} from '../fold-changes.ts';
import type { Section } from '../plan-sections.ts';
import { sentAddressesIn } from '../summarize-plan.ts';
import { createChangeContext, entryMarkup, requestList } from './change.ts';
import { causeOf, html, type Markup } from './markup.ts';
import { type EntryGroup, groupEntries, type OutlineItem } from './toolbar.ts';

/** So many changes stand open: all, or those that ask for a look, if they are not more. */
const maxOpenChanges = 8;

const needsAttention = (change: Change) => change.grade !== 'safe' || causeOf(change).cause === 'conflict';

/** The changes by section and project, and what is sent without a change: there should be nothing, but a plan shows all that will be sent. */
export function changeSections(plan: Plan, sections: Section[]) {
  const sentAddresses = sentAddressesIn(plan);
  const planAddresses = plan.changes.map(({ address }) => address);
  const parts = sections.map((section) => {
    const { adopted, otherChanges } = splitPlainAdoptions(section.changes, { sentAddresses });
    return {
      section,
      adopted,
      groups: groupEntries(foldChanges(otherChanges, { sentAddresses, planAddresses })),
    };
  });
  const entries = parts.flatMap(({ groups }) => groups.flatMap((group) => group.entries));
  const context = createChangeContext(plan, entries);
  const open = new Set(
    [entries, entries.filter(({ change }) => needsAttention(change))].find(
      ({ length }) => length <= maxOpenChanges,
    ),
  );
  const written = parts.map(({ section, adopted, groups }) => ({
    isUrgent: section.urgent,
    part: sectionMarkup(section, adopted, groups, (entry, level) =>
      entryMarkup(entry, context, { isOpen: open.has(entry), level }),
    ),
    place: outlineItemOf(section, groups),
  }));
  const operations = plan.operations.filter((operation) => !context.writtenOperations.has(operation));
  const of = (wanted: boolean) => written.filter(({ isUrgent }) => isUrgent === wanted);
  return {
    urgent: of(true).map(({ part }) => part),
    usual: of(false).map(({ part }) => part),
    places: {
      urgent: of(true).map(({ place }) => place),
      usual: of(false).map(({ place }) => place),
    },
    others:
      operations.length > 0 &&
      html`
<section aria-labelledby="others"><h2 id="others">Also sent</h2>${requestList(operations.flatMap(({ requests }) => requests))}</section>`,
  };
}

/** One section. Where all is in one project, the name of that says nothing. */
function sectionMarkup(
  { name, title, means, changes }: Section,
  adopted: AdoptionCount[],
  groups: EntryGroup[],
  written: (entry: ReportEntry, level: 3 | 4) => Markup,
): Markup {
  const listOf = ({ entries }: EntryGroup, level: 3 | 4) => html`
<div class="list">${entries.map((entry) => written(entry, level))}
</div>`;
  return html`
<section class="changes" aria-labelledby="${name}">
<h2 id="${name}"><i class="${name}" aria-hidden="true"></i>${title} <span class="count">${countLogicalChanges(changes)}</span></h2>
<p class="means">${means}</p>${adopted.map(
    (one) => html`
<p class="adopted">${cleanLine(adoptionCountText(one))}</p>`,
  )}${
    groups.length > 1
      ? groups.map(
          (group, index) => html`
<div class="group">
<h3 id="${name}-${index + 1}"><code>${cleanLine(group.label)}</code> <span class="count">${countGroupChanges(group)}</span></h3>${listOf(group, 4)}</div>`,
        )
      : groups.map((group) => listOf(group, 3))
  }</section>`;
}

/** The number of changes in a group, as people count. */
const countGroupChanges = ({ entries }: EntryGroup) =>
  entries.reduce((sum, { logicalChanges }) => sum + logicalChanges.length, 0);

const outlineItemOf = ({ name, label, changes }: Section, groups: EntryGroup[]): OutlineItem => ({
  id: name,
  name,
  label: `${label.charAt(0).toUpperCase()}${label.slice(1)}`,
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
