import { can } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { asksForWrite, type Change } from '../model/change.ts';
import { problem, warning } from '../model/diagnostic.ts';
import type { LiveResource } from '../model/resource.ts';
import { holesIn } from '../model/value.ts';
import type { PlanInput, Report } from './input.ts';
import { deletionsIn, idsIn, isAbout, namesIn } from './needs.ts';

/** At most so many are named in one message. */
const most = 5;

/**
 * Looks for what deletions do to objects that stay, since the platform takes what is gone out of them, or takes them along. Refused where
 * an object names nothing else in that place: it would mean something else (a list of no projects often means all), show something
 * else, or go; and where something in it is not deleted as well, unless it is a container, of which that is known. Said where it names others as well, or is the part of a row that is about what goes.
 */
export function stillNamed(changes: Change[], { live, kinds }: PlanInput, report: Report): void {
  const going = deletionsIn(
    changes.filter(({ action }) => action === 'delete'),
    live,
    kinds,
  );
  if (going.roots.size === 0) return;
  const changeAt = new Map(changes.map((change) => [change.address, change]));
  // What goes with a container is counted with it.
  const isContained = (address: Address) =>
    kinds.get(changeAt.get(going.roots.get(address)!)!.kind)!.lifecycle.container === true;
  const touched = new Map<Address, Set<Address>>();
  for (const one of live.resources.values()) {
    const around = going.roots.get(one.address);
    if (around !== undefined) {
      const isLeft = changeAt.get(one.address)?.action !== 'delete' && can(kinds.get(one.kind)!, 'delete');
      if (isLeft && !isContained(one.address))
        report(
          problem(
            'plan/still-inside',
            `${around} would be deleted, but ${one.address}, which is inside it, would not`,
            {
              address: around,
              hint: `move ${one.address} out first, or keep its container`,
            },
          ),
        );
      continue;
    }
    for (const { address, means } of namedBy(one, changeAt.get(one.address), going, kinds)) {
      if (means === 'all' && isContained(address)) continue;
      const root = going.roots.get(address)!;
      if (means !== 'only') touched.set(root, (touched.get(root) ?? new Set()).add(one.address));
      else
        report(
          problem(
            'plan/still-named',
            `${address} would be deleted, but ${one.address}, which stays, refers to it`,
            {
              address: root,
              hint: `declare ${one.address} with another value, delete it first, or keep what it refers to`,
            },
          ),
        );
    }
  }
  for (const [root, addresses] of touched) {
    const [names, more] = [[...addresses].slice(0, most), addresses.size - most];
    report(
      warning(
        'plan/named-elsewhere',
        `${root} would be deleted, and the platform removes it from ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
        { address: root, hint: 'these stay, with their other references' },
      ),
    );
  }
}

/**
 * The deleted objects that one that stays names. `only`: it names nothing else there; `all`: it is about that, and goes with it.
 */
function namedBy(
  one: LiveResource,
  change: Change | undefined,
  going: ReturnType<typeof deletionsIn>,
  kinds: Kinds,
): { address: Address; means: 'some' | 'only' | 'all' }[] {
  const kind = kinds.get(one.kind)!;
  const fields = change?.fields.some(asksForWrite) ? { ...one.fields, ...change.after?.fields } : one.fields;
  const isGoing = (address: Address) => going.roots.has(address);
  const isAll = isAbout(kind, fields, isGoing);
  return Object.entries(fields).flatMap(([name, value]) => {
    const items = Array.isArray(value) ? value : [value];
    const named = items.map((item) =>
      [
        ...holesIn(item).flatMap((hole) => ('$ref' in hole ? [hole.$ref] : [])),
        ...namesIn({ [name]: item }, kind, one.parent, kinds),
        ...idsIn(item, going.byId),
      ].filter(isGoing),
    );
    const hasOthers = named.some((addresses) => addresses.length === 0);
    const means = isAll ? 'all' : hasOthers || kind.shape.byAddress ? 'some' : 'only';
    return [...new Set(named.flat())].map((address) => ({ address, means }) as const);
  });
}
