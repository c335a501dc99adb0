import type { Change } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { countOf } from '../../model/wholes.ts';
import { cleanLine } from '../clean.ts';
import { type Adopted, adoptedText, type Entry, foldChanges, splitAdopted } from '../fold-changes.ts';
import type { Section } from '../plan-sections.ts';
import { sentIn } from '../summarize-plan.ts';
import { changeContext, changeEntry, requestList } from './change.ts';
import { causeOf, html, type Markup } from './markup.ts';
import { type Group, groupsOf, type Place } from './toolbar.ts';

/** So many changes stand open: all, or those that ask for a look, if they are not more. */
const few = 8;

const asksForALook = (change: Change) => change.grade !== 'safe' || causeOf(change).cause === 'conflict';

/** The changes by section and project, and what is sent without a change: there should be nothing, but a plan shows all that will be sent. */
export function changeSections(plan: Plan, sections: Section[]) {
  const sent = sentIn(plan);
  const all = plan.changes.map(({ address }) => address);
  const parts = sections.map((section) => {
    const { adopted, others } = splitAdopted(section.changes, { sent });
    return { section, adopted, groups: groupsOf(foldChanges(others, { sent, all })) };
  });
  const entries = parts.flatMap(({ groups }) => groups.flatMap((group) => group.entries));
  const context = changeContext(plan, entries);
  const open = new Set(
    [entries, entries.filter(({ change }) => asksForALook(change))].find(({ length }) => length <= few),
  );
  const written = parts.map(({ section, adopted, groups }) => ({
    isUrgent: section.urgent,
    part: sectionOf(section, adopted, groups, (entry, level) =>
      changeEntry(entry, context, { isOpen: open.has(entry), level }),
    ),
    place: placeOf(section, groups),
  }));
  const operations = plan.operations.filter((operation) => !context.written.has(operation));
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
function sectionOf(
  { name, title, means, changes }: Section,
  adopted: Adopted[],
  groups: Group[],
  written: (entry: Entry, level: 3 | 4) => Markup,
): Markup {
  const listOf = ({ entries }: Group, level: 3 | 4) => html`
<div class="list">${entries.map((entry) => written(entry, level))}
</div>`;
  return html`
<section class="changes" aria-labelledby="${name}">
<h2 id="${name}"><i class="${name}" aria-hidden="true"></i>${title} <span class="count">${countOf(changes)}</span></h2>
<p class="means">${means}</p>${adopted.map(
    (one) => html`
<p class="adopted">${cleanLine(adoptedText(one))}</p>`,
  )}${
    groups.length > 1
      ? groups.map(
          (group, index) => html`
<div class="group">
<h3 id="${name}-${index + 1}"><code>${cleanLine(group.label)}</code> <span class="count">${sizeOf(group)}</span></h3>${listOf(group, 4)}</div>`,
        )
      : groups.map((group) => listOf(group, 3))
  }</section>`;
}

/** The number of changes in a group, as people count. */
const sizeOf = ({ entries }: Group) => entries.reduce((sum, { wholes }) => sum + wholes.length, 0);

const placeOf = ({ name, label, changes }: Section, groups: Group[]): Place => ({
  id: name,
  name,
  label: `${label.charAt(0).toUpperCase()}${label.slice(1)}`,
  count: countOf(changes),
  inside:
    groups.length > 1
      ? groups.map((group, index) => ({
          id: `${name}-${index + 1}`,
          label: cleanLine(group.label),
          count: sizeOf(group),
        }))
      : [],
});
