import type { CollectionChanges } from '../kind/shape.ts';
import type { Change } from '../model/change.ts';
import { problem } from '../model/diagnostic.ts';
import { meansStack, type OtherStack } from '../model/ledger.ts';
import type { ListPosition, LiveResource } from '../model/resource.ts';
import type { PlanInput, Report } from './input.ts';

/** Another stack that has something in the same list. */
interface Neighbour {
  stack: OtherStack;
  ids: ReadonlySet<string>;
  position?: ListPosition;
}

/**
 * Finds the place of our items in an ordered list (`$position`). Refuses two stacks that want the same place, which would never come to
 * rest, and a place that depends on an unverified ledger.
 */
export function findListPosition(
  changes: Change[],
  live: readonly LiveResource[],
  { desired, kinds, otherStacks = [] }: PlanInput,
  report: Report,
): Pick<CollectionChanges, 'position'> {
  const item = changes.find(({ after }) => after?.meta.position)?.after;
  const position = item?.meta.position;
  if (!item || position === undefined || !kinds.get(item.kind)!.shape.orderDecides) return {};
  const place = item.parent === undefined ? 'the list' : item.parent;
  const at = desired.resources.get(item.parent ?? '')?.at ?? item.at;
  const refuse = (message: string, hint: string): Pick<CollectionChanges, 'position'> => {
    report(
      problem('position/refused', message, { ...(item.parent ? { address: item.parent } : {}), at, hint }),
    );
    return {};
  };
  const neighbours = otherStacks.map((stack) => neighbourOf(stack, item.kind, live));
  const named = (name: string) =>
    neighbours.find(({ stack }) => meansStack(name, stack.stack, { from: desired.stack }));
  const rival = neighbours.find((neighbour) => contradicts(position, neighbour, desired.stack, named));
  if (rival)
    return refuse(
      `${place}: this stack has \`$position\` ${textOf(position)}, and the stack ${rival.stack.stack} ${textOf(rival.position!)}: each would keep moving its items`,
      'remove `$position` from one of them, or write `$position: { before: STACK }` in the one that comes first',
    );
  if (typeof position === 'string')
    return { position: position === 'last' ? position : { before: () => true } };
  const other = named(position.before);
  if (!other)
    return refuse(
      `${place}: no stack ${position.before} of this account is in the store, so the order is unknown`,
      otherStacks.length === 0
        ? 'apply that stack first, with a ledger in the same store'
        : `there are ${otherStacks.map(({ stack }) => stack).join(', ')}; apply that stack first, with a ledger in the same store`,
    );
  if (!other.stack.isVerified)
    return refuse(
      `${place}: the ledger of the stack ${other.stack.stack} is not signed by the current key, so it is not used to order items`,
      'apply both stacks with one key, or write `$position: first`',
    );
  return { position: { before: (id) => other.ids.has(id) } };
}

function neighbourOf(stack: OtherStack, kind: string, live: readonly LiveResource[]): Neighbour {
  const here = new Set(live.flatMap(({ ids }) => ids));
  const entries = Object.values(stack.entries).filter(
    (entry) => entry?.kind === kind && entry.ids?.some((id) => here.has(id)),
  );
  const position = entries.find((entry) => entry.position)?.position;
  return { stack, ids: new Set(entries.flatMap(({ ids }) => ids)), ...(position ? { position } : {}) };
}

/** True if the wishes of both stacks contradict each other. Whoever wrote the other ledger can only cause a refusal. */
function contradicts(
  mine: ListPosition,
  { stack, position: theirs }: Neighbour,
  own: string,
  named: (name: string) => Neighbour | undefined,
): boolean {
  if (theirs === undefined) return false;
  const comesBefore = (position: ListPosition, other: string, from: string) =>
    typeof position === 'object' && meansStack(position.before, other, { from });
  if (typeof mine === 'string' && mine === theirs) return true;
  if (mine === 'first') return comesBefore(theirs, own, stack.stack);
  if (!comesBefore(mine, stack.stack, own)) return false;
  // Whatever that stack comes before must not lead back here, nor is there anything in front of the first.
  const seen = new Set<string>();
  for (
    let listPosition: ListPosition | undefined = theirs, from = stack.stack;
    listPosition !== undefined;
  ) {
    if (listPosition === 'first' || comesBefore(listPosition, own, from)) return true;
    const next: Neighbour | undefined =
      typeof listPosition === 'object' ? named(listPosition.before) : undefined;
    if (!next || seen.has(next.stack.stack)) return false;
    seen.add(next.stack.stack);
    [listPosition, from] = [next.position, next.stack.stack];
  }
  return false;
}

const textOf = (position: ListPosition): string =>
  typeof position === 'string' ? `\`${position}\`` : `before ${position.before}`;
