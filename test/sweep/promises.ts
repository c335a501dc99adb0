import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import type { Account } from '../../providers/hosting/twin/index.ts';
import { type Address, isWithin } from '../../src/model/address.ts';
import { asksForWrite, type Change } from '../../src/model/change.ts';
import { secretId } from '../../src/model/digest.ts';
import type { LedgerEntry } from '../../src/model/ledger.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { kinds, type Planned, type World } from '../support/world.ts';
import { type IsPlannedLink, inventory, orders, successorOf } from './inventory.ts';
import type { Item } from './inventory-item.ts';

/** What was promised of objects in earlier steps, by their keys. */
export interface Promised {
  /** Said to be protected, and not said otherwise since. */
  protected: Set<string>;
}

export const nothingPromised = (): Promised => ({ protected: new Set() });

/** One run: what was there before, what was planned, and what is there now. */
export interface Step {
  before: Account;
  after: Account;
  planned: Planned;
  options: PlanOptions;
  promised: Promised;
  world: World;
}

const containers = new Set(
  allKinds.filter(({ lifecycle }) => lifecycle.container).map(({ section, parent }) => parent ?? section),
);
const limitOf = ({ maxDeletions = 10 }: PlanOptions) => maxDeletions;

/** What of the promises a run has broken, in words. */
export function broken(step: Step): string[] {
  const { before: was, after: is, planned, options, promised, world } = step;
  const isLink = plannedLinks(step);
  const [before, after] = [inventory(was, is, isLink), inventory(is, is, isLink)];
  const { plan, ledger, configuration } = planned;
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const names = namesIn(before, ledger.entries, plan.changes, world);
  const owned = new Map(
    [...before.values()].map((item) => [item.key, ownersOf(item, names(item), ledger.entries, world)]),
  );
  const found: string[] = [];
  const units = new Set([...after.values()].map(({ unit }) => unit));
  const gone = [...before.values()].filter(
    ({ key, unit }) => !after.has(key) && (unit === undefined || !units.has(unit)),
  );
  const isGone = (key: string) => before.has(key) && !after.has(key);

  const isRenewed = (item: Item) =>
    successorOf(item, after) !== undefined && names(item).some((address) => changes.has(address));
  const nowNames = namesIn(after, world.ledger.entries, [], world);
  const present = new Set([...after.values()].flatMap(nowNames));
  // What is known by its name alone is there under the other one.
  const isRenamed = (item: Item) =>
    item.id === undefined &&
    planned.moves.some(({ from, to }) => names(item).includes(from) && present.has(to));
  for (const item of gone) {
    if (isRenewed(item) || isRenamed(item)) continue;
    const say = (what: string) => found.push(`${item.key} (${names(item).join(' or ')}) is gone, ${what}`);
    if (promised.protected.has(item.key)) say('although it is protected');
    if (item.within.some(isGone)) continue;
    const naming = names(item).flatMap((address) => changes.get(address) ?? []);
    const goes = naming.filter((change) => mayTake(change, item));
    if (goes.length === 0)
      say(`but the plan says: ${naming.map(({ action }) => action).join() || 'nothing'}`);
    const isExclusive = goes.some(
      ({ exclusive, parent }) =>
        exclusive &&
        configuration.desired.resources.get(parent ?? '')?.meta.exclusive?.includes(item.section),
    );
    if (owned.get(item.key)!.length === 0 && !isExclusive) say('although the ledger has no entry for it');
    const isContainer = containers.has(item.section) && item.within.length === 0 && isTop(item);
    if (
      isContainer &&
      !names(item).some((at) => options.containersToDelete?.includes(at)) &&
      !names(item).some((at) =>
        configuration.desired.removed?.some((removal) => removal.deletes && removal.address === at),
      )
    )
      say('a container that nobody asked to delete');
  }
  const isTopLevel = (address: Address) => address.split('/').length === 2;
  // What only names something that is gone, elsewhere in the account, is no content of it; it may go by the id of what it names.
  const isContent = (address: Address, within: string[]) =>
    within.length === 0
      ? isTopLevel(address)
      : !within.some(isGone) ||
        within
          .filter(isGone)
          .some((key) => owned.get(key)?.some((at) => isTopLevel(at) && isWithin(address, at)));
  const lost = new Set(
    gone
      .filter((item) => item.id && !item.shared && !isRenewed(item))
      .flatMap(({ key, within }) => owned.get(key)!.filter((address) => isContent(address, within))),
  );
  if (!options.destroy && lost.size > limitOf(options))
    found.push(`${lost.size} objects are gone, more than ${limitOf(options)}: ${[...lost].join(', ')}`);

  const isForeign = (item: Item) =>
    owned.get(item.key)!.length === 0 &&
    names(item).every((address) => !configuration.desired.resources.has(address));
  for (const item of before.values()) {
    const now = after.get(item.key);
    if (now && isForeign(item) && now.content !== item.content)
      found.push(`${item.key} is not ours, and was ${item.content}, and is ${now.content}`);
  }
  // What the platform takes out of an object that stays, and was seen, the plan says.
  const said = plan.diagnostics.filter(({ code }) => code === 'plan/named-elsewhere');
  const isSaid = (address: Address) =>
    said.some(({ message }) => message.includes(address) || / and \d+ more$/.test(message));
  const seenAs = ({ section, id }: Item) =>
    [...planned.live.resources.values()]
      .filter((one) => id !== undefined && kinds.get(one.kind)!.section === section && one.ids.includes(id))
      .map(({ address }) => address);
  for (const { key, content } of inventory(was, was, isLink).values()) {
    const left = before.get(key);
    if (!left || !after.has(key) || left.content === content) continue;
    const seen = seenAs(left);
    const isWritten = seen.some((address) => changes.get(address)?.fields.some(asksForWrite));
    if (seen.length > 0 && !isWritten && !seen.some(isSaid))
      found.push(`${seen.join()} was ${content}, loses what is deleted, and the plan does not say so`);
  }
  const foreign = new Set([...before.values()].filter(isForeign).map(({ id }) => id));
  const now = orders(is);
  for (const [list, ids] of orders(was)) {
    const stays = (id: string) => foreign.has(id) && now.get(list)?.includes(id);
    const [then, later] = [ids.filter(stays), now.get(list)?.filter(stays) ?? []];
    if (then.join() !== later.join()) found.push(`${list} that are not ours have another order`);
  }
  return found;
}

/**
 * Which links of shared variables to projects a plan says that it makes, or ends where the ledger has them as ours. The variable itself may be
 * somebody else's, and loses or gets nothing but these.
 */
export function plannedLinks({ planned: { plan, ledger }, world }: Step): IsPlannedLink {
  const links = plan.changes
    .filter(({ kind }) => kind === 'sharedEnvLink')
    .filter(
      ({ action, address }) =>
        action === 'create' ||
        (action === 'delete' && ledger.entries[address] && !ledger.entries[address].existing),
    )
    .flatMap(({ address, parent }) => {
      const ids = [world.ledger, ledger].flatMap(({ entries }) => entries[parent!]?.ids ?? []);
      return ids.map((projectId) => `${lastName(address)} ${projectId}`);
    });
  return (variableId, projectId) => links.includes(`${variableId} ${projectId}`);
}

const isTop = ({ section }: Item) =>
  allKinds.some((kind) => kind.section === section && kind.lifecycle.container && !kind.parent);

/** Whether a change may end an object: rows and records may go when what they are part of changes. */
const mayTake = ({ action }: Change, { shared }: Item): boolean =>
  action === 'delete' ||
  action === 'replace' ||
  (shared === true && (action === 'update' || action === 'adopt'));

const lastName = (address: Address) => address.slice(address.lastIndexOf('/') + 1);

type Entries = Readonly<Record<Address, Pick<LedgerEntry, 'kind' | 'ids' | 'existing'>>>;

const idOf = ({ section, id }: Item, world: World): string =>
  section === 'protectionBypass' ? secretId(world.key, id) : id!;

/** A name for the id of an object. Sections of one name at the top and inside of objects are not the same: `projects`, for example. */
const idName = (section: string, id: string, isInside: boolean) =>
  `${isInside ? '.../' : ''}${section} ${id}`;

/** The addresses that an object may be called by: those that know its id, and the one that its name makes. */
function namesIn(
  items: ReadonlyMap<string, Item>,
  entries: Entries,
  changes: Change[],
  world: World,
): (item: Item) => Address[] {
  const byId = new Map<string, Address[]>();
  const add = (kind: string, id: string, address: Address) => {
    const { section, key, parent, id: member } = kinds.get(kind)!;
    // What goes by a part of its name has no id of its own: it may be that of what it names.
    if (typeof member === 'string' && key.includes(member)) return;
    const name = idName(section, id, parent !== undefined);
    byId.set(name, [...(byId.get(name) ?? []), address]);
  };
  for (const [address, { kind, ids }] of Object.entries(entries))
    for (const id of ids) add(kind, id, address);
  for (const { address, kind, before } of changes) for (const id of before?.ids ?? []) add(kind, id, address);
  const namesOf = (item: Item): Address[] => {
    const idText =
      item.id === undefined
        ? ''
        : idName(item.section, idOf(item, world), item.key !== `${item.section}:${item.id}`);
    const known = byId.get(idText) ?? [];
    if (item.place === undefined) return [...new Set(known)];
    const [container, other] = item.within.map((key) => items.get(key)!);
    const names = item.place.endsWith('/') ? namesOf(other!).map(lastName) : [''];
    const places = container
      ? namesOf(container).flatMap((address) => names.map((name) => `${address}/${item.place}${name}`))
      : [item.place];
    return [...new Set([...known, ...places])];
  };
  return namesOf;
}

/** The addresses under which the ledger has an object as ours. */
function ownersOf(item: Item, names: Address[], entries: Entries, world: World): Address[] {
  return names.filter((address) => {
    const entry = entries[address];
    if (!entry || entry.existing) return false;
    return item.id === undefined || entry.ids.includes(idOf(item, world));
  });
}

/** What is promised after a run, of what was planned in it: remembered until the configuration says otherwise. */
export function promise({ after, planned, promised, world, options }: Step): void {
  const { resources } = planned.configuration.desired;
  const isPart = options.targets !== undefined || options.excludes !== undefined;
  const isPlanned = new Set(planned.plan.changes.map(({ address }) => address));
  const items = inventory(after);
  const names = namesIn(items, world.ledger.entries, [], world);
  for (const item of items.values()) {
    const owners = ownersOf(item, names(item), world.ledger.entries, world);
    if (isPart && !owners.some((address) => isPlanned.has(address)) && owners.length > 0) continue;
    const declared = owners.flatMap((address) => resources.get(address) ?? []);
    const set = (promises: Set<string>, is: boolean) => {
      // What is not ours any more is safe without a promise.
      if (owners.length === 0) promises.delete(item.key);
      else if (is) promises.add(item.key);
      else if (declared.length > 0) promises.delete(item.key);
    };
    set(
      promised.protected,
      declared.some(({ meta }) => meta.protect),
    );
  }
  for (const key of promised.protected) if (!items.has(key)) promised.protected.delete(key);
}
