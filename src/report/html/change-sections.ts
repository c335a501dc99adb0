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

/** At most this many changes are open when the page loads: all of a small plan, else those that need attention. */
const maxOpenChanges = 8;

/** True for a change that a reviewer should look at: it is risky or in conflict. */
const needsAttention = (change: Change) => change.grade !== 'safe' || causeOf(change).cause === 'conflict';

/**
 * Formats the changes of a plan by section and project, with their items for the outline. Also returns the requests that no change has
 * shown (`unshownRequests`): there should be none, but a page must show every request that an apply sends.
 */
export function changeSections(plan: Plan, sections: Section[]) {
  const sentAddresses = sentAddressesIn(plan);
  const planAddresses = plan.changes.map(({ address }) => address);
  const groupedSections = sections.map((section) => {
    const { adopted, otherChanges } = splitPlainAdoptions(section.changes, { sentAddresses });
    return {
      section,
      adopted,
      groups: groupEntries(foldChanges(otherChanges, { sentAddresses, planAddresses })),
    };
  });
  const entries = groupedSections.flatMap(({ groups }) => groups.flatMap((group) => group.entries));
  const context = createChangeContext(plan, entries);
  const openEntries = new Set(
    [entries, entries.filter(({ change }) => needsAttention(change))].find(
      ({ length }) => length <= maxOpenChanges,
    ),
  );
  const sectionParts = groupedSections.map(({ section, adopted, groups }) => ({
    isUrgent: section.urgent,
    markup: sectionMarkup(section, adopted, groups, (entry, level) =>
      entryMarkup(entry, context, { isOpen: openEntries.has(entry), level }),
    ),
    place: outlineItemOf(section, groups),
  }));
  const operations = plan.operations.filter((operation) => !context.writtenOperations.has(operation));
  const urgent = sectionParts.filter(({ isUrgent }) => isUrgent);
  const usual = sectionParts.filter(({ isUrgent }) => !isUrgent);
  return {
    urgent: urgent.map(({ markup }) => markup),
    usual: usual.map(({ markup }) => markup),
    places: {
      urgent: urgent.map(({ place }) => place),
      usual: usual.map(({ place }) => place),
    },
    unshownRequests:
      operations.length > 0 &&
      html`
<section aria-labelledby="others"><h2 id="others">Also sent</h2>${requestList(operations.flatMap(({ requests }) => requests))}</section>`,
  };
}

/** Formats one section. Its groups have headings only if there are several, because the heading of a single project adds nothing. */
function sectionMarkup(
  { name, title, means, changes }: Section,
  adopted: AdoptionCount[],
  groups: EntryGroup[],
  formatEntry: (entry: ReportEntry, level: 3 | 4) => Markup,
): Markup {
  const listOf = ({ entries }: EntryGroup, level: 3 | 4) => html`
<div class="list">${entries.map((entry) => formatEntry(entry, level))}
</div>`;
  return html`
<section class="changes" aria-labelledby="${name}">
<h2 id="${name}"><i class="${name}" aria-hidden="true"></i>${title} <span class="count">${countLogicalChanges(changes)}</span></h2>
<p class="means">${means}</p>${adopted.map(
    (adoption) => html`
<p class="adopted">${cleanLine(adoptionCountText(adoption))}</p>`,
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

/** Counts the changes of a group as people do: the targets of one variable are one change. */
const countGroupChanges = ({ entries }: EntryGroup) =>
  entries.reduce((sum, { logicalChanges }) => sum + logicalChanges.length, 0);

/** Returns the item of a section for the outline, with its groups below it if there are several. */
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
