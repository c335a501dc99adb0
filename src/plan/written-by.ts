import { isNothing } from '../kind/compare.ts';
import type { Address } from '../model/address.ts';
import { asksForWrite, type Change } from '../model/change.ts';
import { namesIn } from '../model/field-path.ts';
import type { Plan } from '../model/plan.ts';
import { collectionId, type LiveResource } from '../model/resource.ts';
import type { BeforeAndAfter } from './before-and-after.ts';

/** The objects and fields that carrying out a plan writes. */
export interface Written {
  /** The object as a whole: it was made or deleted, or is inside an object that was. */
  object(one: BeforeAndAfter): boolean;
  /** The field, or a part of it. A field that was nothing before counts as a whole. */
  field(one: BeforeAndAfter, path: string): boolean;
}

export function writtenBy({ changes, operations }: Plan): Written {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  // By id: under its address there may be another one by now.
  const dropped = new Set(
    operations.flatMap((operation) =>
      operation.requests.flatMap(({ drops = [] }) => drops.map(({ id }) => idAmong(operation, id))),
    ),
  );
  const wholes = new Set(changes.filter(isWhole).map(({ address }) => address));
  const isGone = (one: LiveResource) => one.ids.every((id) => dropped.has(idAmong(one, id)));
  return {
    object(one) {
      const { before, after } = one;
      return placesOf(one).some((at) => isInside(at, wholes)) || (!after && isGone(before!));
    },
    field(one, path) {
      const [top] = namesIn(path) as [string];
      const at = isNothing(one.before?.fields[top]) ? top : path;
      const changed = placesOf(one).flatMap((place) => byAddress.get(place)?.fields ?? []);
      return changed.filter(asksForWrite).some((field) => isPart(field.path, at) || isPart(at, field.path));
    },
  };
}

/** The addresses that it has and had. */
const placesOf = ({ before, after }: BeforeAndAfter): Address[] =>
  [after, before].flatMap((one) => (one ? [one.address] : []));

/** An id with its collection: natural ids can be the same in two collections. */
const idAmong = ({ kind, parent }: Pick<Change, 'kind' | 'parent'>, id: string): string =>
  `${collectionId(kind, parent)} ${id}`;

/** True if a change writes the whole object. An untouched setting may not be listed, or only as empty: its first update makes it. */
const isWhole = ({ action, before }: Change): boolean =>
  action === 'create' ||
  action === 'replace' ||
  action === 'delete' ||
  (action === 'update' && isNothing(before?.fields));

const isPart = (path: string, of: string): boolean => path === of || path.startsWith(`${of}.`);

/** True if the address is one of `places` or below one. */
function isInside(address: Address, places: ReadonlySet<Address>): boolean {
  const names = address.split('/');
  return names.some((_, index) => places.has(names.slice(0, index + 1).join('/')));
}
