/*
 * Finds the stacks that take over objects which this stack drops.
 *
 * Terms: the heir of an object is the stack that takes it over. A sibling is another stack of the workspace, whose configuration is known here. A
 * taker is a block of a sibling that names this stack with `$from`.
 */
import { parentOf } from '../kind/define-kind.ts';
import { type Address, isWithin } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import { type LedgerEntry, refersToStack } from '../model/ledger.ts';
import type { Resource } from '../model/resource.ts';
import { type Claim, isClaim } from './claims.ts';
import { createSiblingFinder, fromOf, handoverOf } from './consent.ts';
import type { PlanInput, SiblingStack } from './input.ts';
import { formerAddress } from './take-over.ts';

/** Finds out which other stacks want the objects that this stack drops. */
export interface Heirs {
  /** Returns the heir of a recorded object: the one in the mark of its entry, otherwise the sibling of a taker that means it. */
  heirOf(address: Address): string | undefined;
  /** Returns the sibling that declares the object without owning it and without `$from`, as after a reverted commit. */
  declarerOf(address: Address): string | undefined;
  /** True if the configuration of the stack with this claim no longer declares the object either. */
  isDropped(claim: Claim): boolean;
  /** Returns the recorded objects in a container that have an heir, each with the heir. */
  handedOverIn(container: Address): { address: Address; stack: string }[];
}

/** A block by which a sibling wants to own an object. */
interface SiblingBlock {
  stack: string;
  block: Resource;
  /** The address of the block before the renames of the sibling. */
  formerAddress: Address;
  /** The `$from` of the block. */
  from: string | undefined;
}

/**
 * Creates the functions that tell which other stack of the workspace gets an object that this configuration
 * no longer declares, because a block there takes it over with `$from`. The plan then hands the object to
 * that stack (the heir) instead of deleting it.
 */
export function createHeirFinder(input: PlanInput): Heirs {
  const { desired, ledger, kinds, otherStacks = [], options } = input;
  const blocks = (options?.siblings ?? []).flatMap(listOwningBlocks);
  // The blocks of other stacks that take an object of this stack.
  const takers = blocks.filter(
    ({ from, stack }) => from !== undefined && refersToStack(from, desired.stack, { from: stack }),
  );
  const takersByAddress = new Map<Address, SiblingBlock[]>();
  for (const taker of takers)
    for (const address of new Set([taker.block.address, taker.formerAddress]))
      addTo(takersByAddress, address, taker);
  const takersWithLabel = takers.filter(({ block }) => kinds.get(block.kind)?.shape.pair !== undefined);
  const declarers = new Map(blocks.map((declarer) => [declarer.block.address, declarer]));
  const findSibling = createSiblingFinder(input);
  /**
   * Returns the ledger entry that the other stack has at the address of its block; undefined if it does not own the object yet, so that the block may
   * take over one of ours.
   */
  const entryOf = ({ stack, block }: SiblingBlock): LedgerEntry | undefined => {
    const entry: unknown = otherStacks.find((otherStack) => otherStack.stack === stack)?.entries[
      block.address
    ];
    return isClaim(entry) && !entry.existing ? entry : undefined;
  };
  /** Returns the block that takes our object at `address`. */
  const findTaker = (address: Address, entry: LedgerEntry): SiblingBlock | undefined => {
    const kind = kinds.get(entry.kind);
    if (!kind) return undefined;
    // A taker that owns another object already does not mean this one.
    const canMeanObject = (taker: SiblingBlock): boolean => {
      const theirEntry = entryOf(taker);
      const isSameObject = !theirEntry || theirEntry.ids.some((id) => entry.ids.includes(id));
      return taker.block.kind === entry.kind && isSameObject;
    };
    // An object without a name is found by its content, so any label that this stack does not have may mean it.
    const hasNewLabel = ({ block }: SiblingBlock) =>
      ledger.entries[block.address] === undefined && block.parent === parentOf(address, kind);
    const namedTaker = takersByAddress.get(address)?.find(canMeanObject);
    return namedTaker ?? takersWithLabel.find((taker) => canMeanObject(taker) && hasNewLabel(taker));
  };
  const heirOf = (address: Address): string | undefined => {
    const entry = ledger.entries[address];
    if (!entry || entry.existing) return undefined;
    return entry.handover ?? findTaker(address, entry)?.stack;
  };
  return {
    heirOf,
    declarerOf: (address) => {
      const declarer = declarers.get(address);
      const isSameKind = declarer?.block.kind === ledger.entries[address]?.kind;
      return declarer && isSameKind && !entryOf(declarer) ? declarer.stack : undefined;
    },
    isDropped: (claim) => {
      const owner = findSibling(claim.owner);
      if (!owner || owner.isBroken) return false;
      const block = owner.findBlock(claim, claim.address);
      return block === undefined || handoverOf(block.address, owner.desired.resources) !== undefined;
    },
    handedOverIn: (container) =>
      Object.keys(ledger.entries).flatMap((address) => {
        const stack = address !== container && isWithin(address, container) ? heirOf(address) : undefined;
        return stack === undefined ? [] : [{ address, stack }];
      }),
  };
}

/**
 * Returns the blocks by which another stack of the workspace wants to own objects, to find those that it takes over from this one. Blocks with
 * `$existing`, `$forget` or `$handover` do not own theirs, so they take nothing over.
 */
const listOwningBlocks = ({ desired: { stack, resources } }: SiblingStack): SiblingBlock[] =>
  [...resources.values()]
    .filter(
      ({ address, meta }) => !meta.existing && !meta.forget && handoverOf(address, resources) === undefined,
    )
    .map((block) => ({
      stack,
      block,
      formerAddress: formerAddress(block.address, resources),
      from: fromOf(block.address, resources),
    }));
