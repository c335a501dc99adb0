import { groupBy } from '../../model/graph.ts';
import type { Entry } from '../fold-changes.ts';
import { rootOf } from '../root-of.ts';
import { html, type Markup, type Part } from './markup.ts';

/** A place of the page, with those inside it. `name`: a section's, for its colour. */
export interface Place {
  id: string;
  label: string;
  count?: number;
  name?: string;
  inside?: Place[];
}

/** The entries of one project, domain or the like, or of one sort of things. */
export interface Group {
  label: string;
  entries: Entry[];
}

/** Fewer are as quickly read without headings between them. */
const least = 4;

/**
 * Entries by what they are in: `projects/web`, if more than one of them is there; those that stand alone or are about several by sort:
 * `webhooks`. Groups are in the order of their first entries.
 * A few are one group without a name.
 */
export function groupsOf(entries: Entry[]): Group[] {
  if (entries.length < least) return entries.length > 0 ? [{ label: '', entries }] : [];
  const sharing = groupBy(entries, rootOf);
  const labelOf = (entry: Entry): string => {
    const root = rootOf(entry);
    const isShared = root !== undefined && sharing.get(root)!.length > 1;
    return isShared ? root : entry.change.address.split('/', 1)[0]!;
  };
  return [...groupBy(entries, labelOf)].map(([label, inIt]) => ({ label, entries: inIt }));
}

/** The table of contents: beside the page, or, on a narrow one, folded above. None if there is nowhere to go. */
export function outline(places: Place[]): Part {
  const size = places.reduce((sum, { inside = [] }) => sum + 1 + inside.length, 0);
  if (size < 2) return undefined;
  return html`
<nav class="outline" aria-label="Outline"><details><summary>On this page</summary>${listOf(places)}</details></nav>`;
}

const listOf = (places: Place[]): Markup => html`
<ul>${places.map(
  ({ id, label, count, name, inside = [] }) => html`
<li><a href="#${id}">${name !== undefined && html`<i class="${name}" aria-hidden="true"></i>`}<span class="label">${label}</span>${count !== undefined && html` <span class="count">${count}</span>`}</a>${inside.length > 0 && listOf(inside)}</li>`,
)}
</ul>`;
