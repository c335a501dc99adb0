import type { Kind } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { canonical } from '../model/digest.ts';
import { type CollectionId, collectionId, type LiveResource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { Fields } from '../model/value.ts';
import type { Decisions } from './decide.ts';
import { asksForWrite } from './diff.ts';
import type { PlanInput } from './input.ts';
import { type ListItem, type ListStep, transition } from './transition.ts';

/** The steps of each ordered collection that has any. */
export type ListSteps = Map<CollectionId, { steps: ListStep[]; live: Map<string, LiveResource> }>;

/**
 * How each list in which the first match wins becomes the wanted one. Whoever only changes place becomes a `move`, and
 * an update that is safer as a new copy stays an update for people: its requests differ, not its meaning.
 */
export function orderLists(input: PlanInput, decisions: Decisions): ListSteps {
  const lists: ListSteps = new Map();
  for (const kind of input.kinds.values()) {
    if (!kind.ordered) continue;
    const parents = new Set(
      decisions.changes.filter((c) => c.kind === kind.name).map(({ parent }) => parent),
    );
    for (const parent of parents) {
      const changes = decisions.changes.filter((c) => c.kind === kind.name && c.parent === parent);
      const { before, after, live } = lists2(kind, parent, changes, input);
      const steps = transition(before, after);
      if (steps.length > 0) lists.set(collectionId(kind.name, parent), { steps, live });
      markMoves(changes, steps);
    }
  }
  return lists;
}

function lists2(kind: Kind, parent: Address | undefined, changes: Change[], input: PlanInput) {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const live = new Map<string, LiveResource>();
  const siblings = [...input.live.resources.values()]
    .filter((resource) => resource.kind === kind.name && resource.parent === parent)
    .flatMap((resource) => resource.alternatives ?? [resource])
    .sort((a, b) => a.index - b.index);
  const before: ListItem[] = siblings.map((resource) => {
    const change = byAddress.get(resource.address);
    const isMeant = change?.before?.id === resource.id;
    const isOurs = isMeant && change.action !== 'release' && change.action !== 'forget';
    // A second copy of a name that the ledger knows is what an interrupted change left: ours, and to go.
    const isLeftover =
      !isMeant && (input.ledger.entries[resource.address]?.ids.includes(resource.id) ?? false);
    const key = isOurs ? resource.address : `#${resource.id}`;
    live.set(key, resource);
    return {
      key,
      decides: verdictOf(kind, resource.fields),
      managed: isOurs || isLeftover,
      content: isOurs && change.fields.some(asksForWrite) ? 'old' : 'same',
    };
  });
  const after: ListItem[] = changes
    .filter(({ action, after: wanted }) => wanted && action !== 'forget')
    .sort((a, b) => a.after!.index - b.after!.index)
    .map((change) => ({
      key: change.address,
      decides: verdictOf(kind, { ...change.before?.fields, ...change.after!.fields }),
      managed: true,
      content: change.action === 'create' || change.fields.some(asksForWrite) ? 'new' : 'same',
    }));
  return { before, after, live };
}

function verdictOf(kind: Kind, fields: Fields): string | null {
  const verdict = kind.decides?.(revealed(fields) as Fields) ?? null;
  return verdict === null ? null : canonical(JSON.parse(verdict));
}

function markMoves(changes: Change[], steps: ListStep[]): void {
  const moved = new Set(steps.filter(({ type }) => type === 'move').map(({ key }) => key));
  for (const change of changes) {
    if (!moved.has(change.address)) continue;
    change.moves = true;
    if (change.action === 'noop')
      Object.assign(change, { action: 'move', reason: 'its place in the order differs' });
  }
}
