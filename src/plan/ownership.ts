import { isHandedOver as canMove, parentOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, isWithin, lastNameOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { problem, warning } from '../model/diagnostic.ts';
import { addTo } from '../model/graph.ts';
import { isMeant, type Ledger, type LedgerEntry, type OtherStack } from '../model/ledger.ts';
import type { Desired, Live, LiveResource } from '../model/resource.ts';
import type { Decisions } from './case.ts';
import type { PlanInput, Report } from './input.ts';
import { nameOf, ownedElsewhere } from './owned-elsewhere.ts';

/** An object of another stack, under the address that it has there. */
interface Claim {
  by: OtherStack;
  address: Address;
  entry: LedgerEntry;
}

/** What this run knows at an address, for the id of a container. */
type Known = (address: Address) => Pick<LiveResource, 'ids'> | undefined;

/** The objects of other stacks, by their ids on the platform. */
export class Claims {
  readonly #byName = new Map<string, Claim[]>();
  readonly #kinds: Kinds;
  readonly #others: readonly OtherStack[];
  readonly #here: Known;

  constructor(others: readonly OtherStack[], kinds: Kinds, here: Known) {
    this.#kinds = kinds;
    this.#others = others;
    this.#here = here;
    for (const by of others)
      for (const [address, entry] of Object.entries(by.entries)) {
        if (!isClaim(entry) || entry.existing || isFrame(entry, kinds)) continue;
        for (const name of this.#namesOf(entry.kind, entry.ids, address))
          addTo(this.#byName, name, { by, address, entry });
      }
  }

  /** The claim to an object at this address, or to a part of it. */
  of({ kind, ids }: Pick<LiveResource, 'kind' | 'ids'>, address: Address): Claim | undefined {
    return this.#namesOf(kind, ids, address)
      .flatMap((name) => this.#byName.get(name) ?? [])
      .find((claim) => this.#isSamePlace(claim, address));
  }

  /**
   * True if a claim is to an object in the container of `address`: a member's id is that of a person, who may be in many projects. Where
   * the platform can move objects to another container, their ids are enough.
   */
  #isSamePlace({ by, address: there, entry }: Claim, address: Address): boolean {
    const kind = this.#kinds.get(entry.kind);
    return canMove(kind) || this.#isSameContainer(by, there, address, kind);
  }

  /** Stacks may have a container under different names, and know it by its id; what has no id goes by its name. */
  #isSameContainer(by: OtherStack, there: Address, here: Address, kind: Kind | undefined): boolean {
    if (kind?.parent === undefined || there === here) return true;
    const [theirs, ours] = [parentOf(there, kind), parentOf(here, kind)];
    if (theirs === undefined || ours === undefined || theirs === ours) return true;
    const known = by.entries[theirs];
    const theirIds: string[] = isClaim(known) ? known.ids : [];
    const ourIds = this.#here(ours)?.ids ?? [];
    const isSame =
      theirIds.length > 0 && ourIds.length > 0
        ? theirIds.some((id) => ourIds.includes(id))
        : lastNameOf(theirs) === lastNameOf(ours);
    return isSame && this.#isSameContainer(by, theirs, ours, this.#kinds.get(kind.parent));
  }

  /** The claims to objects in a container. Another stack may have the container under another name, but knows it by its id. */
  in({ kind, ids }: Pick<LiveResource, 'kind' | 'ids'>, address: Address): Claim[] {
    return this.#others.flatMap((by) => {
      const entries = Object.entries(by.entries).filter(([, entry]) => isClaim(entry));
      const there = entries.find(
        ([, entry]) => entry.kind === kind && entry.ids.some((id) => ids.includes(id)),
      );
      const container = there?.[0] ?? address;
      return entries
        .filter(([other, { existing }]) => !existing && other !== container && isWithin(other, container))
        .map(([other, entry]) => ({ by, address: other, entry }));
    });
  }

  /** A row can hold units of several stacks, so a unit's name includes its address; an object without an id of its own goes by its address alone. */
  #namesOf(kind: string, ids: string[], address: Address): string[] {
    if (ids.length === 0) return [`${kind} at ${address}`];
    const isUnit = this.#kinds.get(kind)?.shape.byAddress;
    return ids.map((id) => (isUnit ? `${kind} ${id} ${address}` : `${kind} ${id}`));
  }
}

/** Finds the stack that says it owns an object. */
export function ownersIn(
  others: readonly OtherStack[],
  kinds: Kinds,
  here: Known,
): (object: { kind: string; address: Address; ids: string[] }) => string | undefined {
  const claims = new Claims(others, kinds, here);
  return (object) => claims.of(object, object.address)?.by.stack;
}

/** True for an entry in the right form: anybody who may push to the store may have written it. */
const isClaim = (entry: unknown): entry is LedgerEntry => {
  const { kind, ids } = (entry ?? {}) as Partial<LedgerEntry>;
  return typeof kind === 'string' && Array.isArray(ids);
};

/** True for a block that only encloses others, such as a firewall of which a stack has only rules: several stacks may have it. */
const isFrame = ({ kind, fields, secrets }: LedgerEntry, kinds: Kinds): boolean =>
  kinds.get(kind)?.key.length === 0 && Object.keys({ ...fields, ...secrets }).length === 0;

/**
 * The ledger with all that another stack remembers of the objects that it hands over (`$from`), if its ledger is verified: a later edit
 * here is then an edit, and not somebody else's object. `taken`: the stack that had it, by address.
 */
export function takenOver(
  ledger: Ledger,
  live: Live,
  { desired, others = [], kinds }: Pick<PlanInput, 'desired' | 'others' | 'kinds'>,
): { ledger: Ledger; taken: Map<Address, string> } {
  const taken = new Map<Address, string>();
  if (others.length === 0) return { ledger, taken };
  const entries = { ...ledger.entries };
  const claims = new Claims(others, kinds, (address) => live.resources.get(address));
  for (const { address, meta } of desired.resources.values()) {
    const found = live.resources.get(address);
    if (!found || meta.existing || meta.forget || ledger.entries[address]) continue;
    const claim = claims.of(found, address);
    if (!claim?.by.isVerified || !isHandedOver(claim, address, desired)) continue;
    // The addresses in it are those of the other stack.
    const { dependsOn: _, ...entry } = claim.entry;
    entries[address] = entry;
    taken.set(address, claim.by.stack);
  }
  return { ledger: taken.size > 0 ? { ...ledger, entries } : ledger, taken };
}

/** True if the block, or one around it, says that it comes from the stack with this claim. */
function isHandedOver({ by }: Claim, address: Address, { resources, stack }: Desired): boolean {
  const from = fromOf(address, resources);
  return from !== undefined && isMeant(from, by.stack, { from: stack });
}

/** The `$from` of a block, or of the nearest one around it. */
export function fromOf(address: Address | undefined, resources: Desired['resources']): string | undefined {
  for (let at = address; at !== undefined; at = resources.get(at)?.parent) {
    const from = resources.get(at)?.meta.from;
    if (from !== undefined) return from;
  }
  return undefined;
}

/**
 * Leaves other stacks' objects to them. Declaring one is an error, dropping one only forgets it, `$exclusive` leaves it alone, and nothing
 * around it is deleted.
 */
export function respectOwners(decisions: Decisions, input: PlanInput, report: Report): void {
  const { others = [], kinds, options } = input;
  if (others.length === 0 && !options?.handedOver) return;
  const claims = new Claims(others, kinds, (address) => input.live.resources.get(address));
  const owned: Parameters<typeof ownedElsewhere>[0] = [];
  decisions.changes = decisions.changes.flatMap((change) => {
    const { address, after, before, action, exclusive } = change;
    if (kinds.get(change.kind)!.lifecycle.container && (action === 'delete' || action === 'replace'))
      refuseInside(change, claims, input, report);
    const isOnlyFrame = after && kinds.get(change.kind)!.key.length === 0 && !change.declared?.length;
    const claim = before && !isOnlyFrame ? claims.of(before, address) : undefined;
    if (after) {
      if (
        claim &&
        !after.meta.existing &&
        action !== 'forget' &&
        !isHandedOver(claim, address, input.desired)
      )
        owned.push({ change, claim, from: fromOf(address, input.desired.resources) });
      return [change];
    }
    if (action !== 'delete' && action !== 'release') return [change];
    const heir = options?.handedOver?.get(address);
    if (!exclusive && heir !== undefined) return [forgotten(change, `handed over to the stack ${heir}`)];
    if (!exclusive && claim && action === 'delete' && isLastOwner(claim, input)) {
      report(droppedByBoth(change, claim));
      return [];
    }
    if (!exclusive)
      return [
        claim ? forgotten(change, `left to the stack ${claim.by.stack}, which owns it as well`) : change,
      ];
    if (!claim) return [change];
    decisions.unmanaged.push(before!);
    report(
      warning(
        'stack/left',
        `${address} is not declared here and is kept: it is owned by the stack ${claim.by.stack}`,
        {
          address,
          hint: '`$exclusive` deletes nothing of another stack',
        },
      ),
    );
    return [];
  });
  ownedElsewhere(owned, input).forEach(report);
}

/**
 * True if the stack with this claim drops the object, too, as after `$from` where only the new home was applied. If each left it to the
 * other, it would stay and belong to nobody: the last one by name keeps it until the other one has forgotten it, and then deletes it.
 */
const isLastOwner = ({ by, address }: Claim, { desired, options }: PlanInput): boolean =>
  by.stack < desired.stack && options?.droppedBy?.(by.stack, address) === true;

/** The change that removes an object from the ledger, and sends nothing. */
function forgotten({ address, kind, parent, claims }: Change, reason: string): Change {
  return {
    address,
    kind,
    action: 'forget',
    ...(parent === undefined ? {} : { parent }),
    ...(claims === undefined ? {} : { claims }),
    fields: [],
    grade: 'safe',
    reason,
  };
}

function refuseInside(
  { address, kind, before, at, action }: Change,
  claims: Claims,
  { now }: PlanInput,
  report: Report,
): void {
  const inside = claims.in(before ?? { kind, ids: [] }, address);
  const [first] = inside;
  if (!first) return;
  const names = inside.slice(0, 3).map((claim) => claim.address);
  const more = inside.length > 3 ? ` and ${inside.length - 3} more` : '';
  const does = action === 'replace' ? 'replaced' : 'deleted';
  report(
    problem(
      'stack/inside',
      `${address} cannot be ${does}: ${names.join(', ')}${more} ${inside.length > 1 ? 'are' : 'is'} owned by ${nameOf(first.by, now)}`,
      {
        address,
        ...(at ? { at } : {}),
        hint: `first remove what the stack ${first.by.stack} owns in it, or keep ${address}`,
      },
    ),
  );
}

const droppedByBoth = ({ address }: Change, { by }: Claim) =>
  warning(
    'stack/dropped-by-both',
    `${address} is no longer declared here, nor by the stack ${by.stack}, which owns it as well: it is kept until that stack is applied`,
    { address, hint: `apply the stack ${by.stack}; the next apply of this one then deletes it` },
  );
