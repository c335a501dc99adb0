import { canDo } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { asksForWrite, type Change } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import type { LiveResource } from '../model/resource.ts';
import { holesIn } from '../model/value.ts';
import { addressesByIdIn, addressesByNameIn, findDeletions, isAbout } from './find-dependencies.ts';
import type { PlanInput } from './input.ts';

/** The most names in one message. */
const mostReferences = 5;

/**
 * Finds objects that stay and name deleted ones: the platform removes the name, or deletes them as well. Refused if an object names
 * nothing else in that place: it would mean something else (a list of no projects often means all), show something else, or go. Also
 * refused if something in it is not deleted as well, except in containers, where that is known. Only reported if the object names others
 * too, or is the part of a row that is about a deleted one.
 */
export function checkDanglingReferences(
  changes: Change[],
  { live, kinds }: PlanInput,
  report: Reporter,
): void {
  const going = findDeletions(
    changes.filter(({ action }) => action === 'delete'),
    live,
    kinds,
  );
  if (going.rootOf.size === 0) return;
  const changeAt = new Map(changes.map((change) => [change.address, change]));
  // What goes with a container is counted with it.
  const isContained = (address: Address) =>
    kinds.get(changeAt.get(going.rootOf.get(address)!)!.kind)!.lifecycle.container === true;
  const touched = new Map<Address, Set<Address>>();
  for (const resource of live.resources.values()) {
    const around = going.rootOf.get(resource.address);
    if (around !== undefined) {
      const isLeft =
        changeAt.get(resource.address)?.action !== 'delete' && canDo(kinds.get(resource.kind)!, 'delete');
      if (isLeft && !isContained(resource.address))
        report.error(
          'plan/still-inside',
          `${around} would be deleted, but ${resource.address}, which is inside it, would not`,
          {
            address: around,
            hint: `move ${resource.address} out first, or keep its container`,
          },
        );
      continue;
    }
    for (const { address, means } of namedBy(resource, changeAt.get(resource.address), going, kinds)) {
      if (means === 'all' && isContained(address)) continue;
      const root = going.rootOf.get(address)!;
      if (means !== 'only') touched.set(root, (touched.get(root) ?? new Set()).add(resource.address));
      else
        report.error(
          'plan/still-named',
          `${address} would be deleted, but ${resource.address}, which stays, refers to it`,
          {
            address: root,
            hint: `declare ${resource.address} with another value, delete it first, or keep what it refers to`,
          },
        );
    }
  }
  for (const [root, addresses] of touched) {
    const [names, more] = [[...addresses].slice(0, mostReferences), addresses.size - mostReferences];
    report.warning(
      'plan/named-elsewhere',
      `${root} would be deleted, and the platform removes it from ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
      { address: root, hint: 'these stay, with their other references' },
    );
  }
}

/** The deleted objects that a staying one names. `only`: it names nothing else there; `all`: it is about them, and goes with them. */
function namedBy(
  resource: LiveResource,
  change: Change | undefined,
  going: ReturnType<typeof findDeletions>,
  kinds: Kinds,
): { address: Address; means: 'some' | 'only' | 'all' }[] {
  const kind = kinds.get(resource.kind)!;
  const fields = change?.fields.some(asksForWrite)
    ? { ...resource.fields, ...change.after?.fields }
    : resource.fields;
  const isGoing = (address: Address) => going.rootOf.has(address);
  const isAll = isAbout(kind, fields, isGoing);
  return Object.entries(fields).flatMap(([name, value]) => {
    const items = Array.isArray(value) ? value : [value];
    const named = items.map((item) =>
      [
        ...holesIn(item).flatMap((hole) => ('$ref' in hole ? [hole.$ref] : [])),
        ...addressesByNameIn({ [name]: item }, kind, resource.parent, kinds),
        ...addressesByIdIn(item, going.addressById),
      ].filter(isGoing),
    );
    const hasOthers = named.some((addresses) => addresses.length === 0);
    const means = isAll ? 'all' : hasOthers || kind.shape.byAddress ? 'some' : 'only';
    return [...new Set(named.flat())].map((address) => ({ address, means }) as const);
  });
}
