import { parentOf } from '../kind/define-kind.ts';
import { type Address, isWithin } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { type LedgerEntry, meansStack } from '../model/ledger.ts';
import type { Resource } from '../model/resource.ts';
import { type Claim, isClaim } from './claims.ts';
import { createSiblingFinder, fromOf, handoverOf } from './consent.ts';
import type { PlanInput, SiblingStack } from './input.ts';
import { formerAddress } from './take-over.ts';

/** Lets the decisions about objects in a container find the stack that takes the container over. */
export const addHeirFinder = (input: PlanInput): PlanInput => ({
  ...input,
  heirOf: createHeirFinder(input).heirOf,
});

/** Answers which other stacks want the objects that this stack drops. */
export interface Heirs {
  /** Returns the stack that takes over an object of this stack's ledger: by the mark of its entry, else by a `$from` in the workspace. */
  heirOf(address: Address): string | undefined;
  /** Returns the stack of the workspace that declares the object without owning it or asking for it, as after a reverted commit. */
  declarerOf(address: Address): string | undefined;
  /** True if the configuration of the stack with this claim no longer declares the object either. */
  isDropped(claim: Claim): boolean;
  /** Returns the objects of this stack in a container that are on their way to another stack. */
  handedOverIn(container: Address): { address: Address; stack: string }[];
}

/** A block by which another stack of the workspace wants an object. */
interface SiblingBlock {
  stack: string;
  block: Resource;
  /** Its address before the renames of that stack. */
  former: Address;
  /** Its `$from`. */
  from: string | undefined;
}

/** Finds the heirs of the objects of this stack. */
export function createHeirFinder(input: PlanInput): Heirs {
  const { desired, ledger, kinds, otherStacks = [], options } = input;
  const blocks = (options?.siblings ?? []).flatMap(wantingBlocks);
  const takers = blocks.filter(
    ({ from, stack }) => from !== undefined && meansStack(from, desired.stack, { from: stack }),
  );
  const takersAt = groupBy(
    takers.flatMap((taker) => [...new Set([taker.block.address, taker.former])].map((at) => ({ at, taker }))),
    ({ at }) => at,
  );
  const unnamed = takers.filter(({ block }) => kinds.get(block.kind)?.shape.pair !== undefined);
  const declarers = new Map(blocks.map((declarer) => [declarer.block.address, declarer]));
  const findSibling = createSiblingFinder(input);
  /** The entry that the other stack has under the address of its block. */
  const entryOf = ({ stack, block }: SiblingBlock): LedgerEntry | undefined => {
    const entry: unknown = otherStacks.find((otherStack) => otherStack.stack === stack)?.entries[
      block.address
    ];
    return isClaim(entry) && !entry.existing ? entry : undefined;
  };
  const heirOf = (address: Address): string | undefined => {
    const entry = ledger.entries[address];
    if (!entry || entry.existing) return undefined;
    if (entry.handover !== undefined) return entry.handover;
    const kind = kinds.get(entry.kind);
    if (!kind) return undefined;
    const isFree = (taker: SiblingBlock): boolean => {
      const theirs = entryOf(taker);
      return taker.block.kind === entry.kind && (!theirs || theirs.ids.some((id) => entry.ids.includes(id)));
    };
    // An object without a name of its own is found by its content, so any label that this stack does not know may mean it.
    const isUnknown = ({ block }: SiblingBlock) =>
      ledger.entries[block.address] === undefined && block.parent === parentOf(address, kind);
    const named = (takersAt.get(address) ?? []).map(({ taker }) => taker);
    return (named.find(isFree) ?? unnamed.find((taker) => isFree(taker) && isUnknown(taker)))?.stack;
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

/** Returns the blocks by which a stack wants to own objects. */
const wantingBlocks = ({ desired: { stack, resources } }: SiblingStack): SiblingBlock[] =>
  [...resources.values()]
    .filter(
      ({ address, meta }) => !meta.existing && !meta.forget && handoverOf(address, resources) === undefined,
    )
    .map((block) => ({
      stack,
      block,
      former: formerAddress(block.address, resources),
      from: fromOf(block.address, resources),
    }));
