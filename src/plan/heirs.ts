import { parentOf } from '../kind/define-kind.ts';
import { type Address, isWithin } from '../model/address.ts';
import { isMeant, type LedgerEntry } from '../model/ledger.ts';
import type { Resource } from '../model/resource.ts';
import type { Claim } from './claims.ts';
import { createSiblingFinder, fromOf, handoverOf } from './consent.ts';
import type { PlanInput } from './input.ts';
import { formerAddress } from './take-over.ts';

/** The stacks of the workspace that want an object which this one drops. */
export interface Heirs {
  /** Returns the stack that takes an object of this stack's ledger over: by its mark, else by a `$from` in the workspace. */
  heirOf(address: Address): string | undefined;
  /** Returns the stack of the workspace that declares the object without `$from` and does not own it, as after a reverted commit. */
  declarerOf(address: Address): string | undefined;
  /** True if the configuration of the stack with this claim no longer declares the object either. */
  isDropped(claim: Claim): boolean;
  /** Returns the objects of this stack in a container that are on their way to another one. */
  inside(container: Address): { address: Address; stack: string }[];
}

/** A block of another stack of the workspace. */
interface SiblingBlock {
  stack: string;
  block: Resource;
  former: Address;
}

export function findHeirs(input: PlanInput): Heirs {
  const { desired, ledger, kinds, others = [], options } = input;
  const { siblings = [] } = options ?? {};
  const blocks = siblings.flatMap(({ desired: { stack, resources } }) =>
    [...resources.values()].flatMap((block): (SiblingBlock & { from: string | undefined })[] => {
      const isLeft =
        block.meta.existing || block.meta.forget || handoverOf(block.address, resources) !== undefined;
      if (isLeft) return [];
      return [
        {
          stack,
          block,
          former: formerAddress(block.address, resources),
          from: fromOf(block.address, resources),
        },
      ];
    }),
  );
  const takers = blocks.filter(
    ({ from, stack }) => from !== undefined && isMeant(from, desired.stack, { from: stack }),
  );
  const entriesOf = (stack: string) => others.find((other) => other.stack === stack)?.entries ?? {};
  /** True if the other stack has another object than ours there. */
  const hasOther = ({ stack, block }: SiblingBlock, { ids }: LedgerEntry) => {
    const there = entriesOf(stack)[block.address];
    return there !== undefined && !there.existing && !there.ids.some((id) => ids.includes(id));
  };
  const isFor = (taker: SiblingBlock, address: Address, entry: LedgerEntry): boolean => {
    const { block, former } = taker;
    if (block.kind !== entry.kind || hasOther(taker, entry)) return false;
    if (block.address === address || former === address) return true;
    // An object without a name of its own is found by its content: any unknown label may mean it.
    const kind = kinds.get(block.kind)!;
    return (
      kind.shape.pair !== undefined &&
      !ledger.entries[block.address] &&
      block.parent === parentOf(address, kind)
    );
  };
  const declarers = new Map(blocks.map((one) => [one.block.address, one]));
  const findSibling = createSiblingFinder(input);
  const heirOf = (address: Address): string | undefined => {
    const entry = ledger.entries[address];
    if (!entry || entry.existing) return undefined;
    return entry.handover ?? takers.find((taker) => isFor(taker, address, entry))?.stack;
  };
  return {
    heirOf,
    declarerOf: (address) => {
      const entry = ledger.entries[address];
      const declarer = declarers.get(address);
      const isSame =
        entry && declarer?.block.kind === entry.kind && entriesOf(declarer.stack)[address] === undefined;
      return isSame ? declarer.stack : undefined;
    },
    isDropped: (claim) => {
      const owner = findSibling(claim.by);
      if (!owner || owner.isBroken) return false;
      const block = owner.findBlock(claim, claim.address);
      return block === undefined || handoverOf(block.address, owner.desired.resources) !== undefined;
    },
    inside: (container) =>
      Object.keys(ledger.entries).flatMap((address) => {
        const stack = address !== container && isWithin(address, container) ? heirOf(address) : undefined;
        return stack === undefined ? [] : [{ address, stack }];
      }),
  };
}
