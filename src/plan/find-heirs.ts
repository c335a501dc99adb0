/*
 * Finds the stacks that take over objects which this stack drops.
 *
 * Terms: the heir of an object is the stack that takes it over. A sibling is another stack of the workspace, whose configuration is known
 * here. A taker is a block of a sibling that names this stack with `$from`.
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
  /** Returns a sibling that declares the object without owning it. Asked if the object has no heir, as after a reverted commit. */
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
export const createHeirFinder = (input: PlanInput): Heirs => new HeirFinder(input);

/** Answers the questions of `Heirs` from the configurations and ledgers of the other stacks. */
class HeirFinder implements Heirs {
  readonly #input: PlanInput;
  /** The blocks that take an object of this stack, by their addresses before and after the renames of their stack. */
  readonly #takersByAddress = new Map<Address, SiblingBlock[]>();
  /** Those among them whose objects have only a label, such as a webhook. */
  readonly #takersWithLabel: readonly SiblingBlock[];
  /** All blocks by which other stacks want to own an object. */
  readonly #declarers: ReadonlyMap<Address, SiblingBlock>;
  readonly #findSibling: ReturnType<typeof createSiblingFinder>;

  /**
   * Indexes the blocks of the other stacks, so that each object's new owner is found at once: those that take over an object of this stack
   * with `$from` (takers), by address or as objects with only a label, and all that want to own an object (declarers).
   */
  constructor(input: PlanInput) {
    const { desired, kinds, options } = input;
    const blocks = (options?.siblings ?? []).flatMap(listOwningBlocks);
    const takers = blocks.filter(
      ({ from, stack }) => from !== undefined && refersToStack(from, desired.stack, { from: stack }),
    );
    this.#input = input;
    for (const taker of takers)
      for (const address of new Set([taker.block.address, taker.formerAddress]))
        addTo(this.#takersByAddress, address, taker);
    this.#takersWithLabel = takers.filter(({ block }) => kinds.get(block.kind)?.shape.pair !== undefined);
    this.#declarers = new Map(blocks.map((declarer) => [declarer.block.address, declarer]));
    this.#findSibling = createSiblingFinder(input);
  }

  /**
   * Returns the stack that takes over our recorded object at an address: the one that the ledger entry has as its new owner
   * (`handover`), otherwise the stack with a block that takes it (`$from`). Undefined if none does.
   */
  heirOf(address: Address): string | undefined {
    const entry = this.#input.ledger.entries[address];
    if (!entry || entry.existing) return undefined;
    return entry.handover ?? this.#findTaker(address, entry)?.stack;
  }

  /**
   * Returns another stack that declares our object but does not own it. Asked about objects that no stack takes over: so the block there
   * has no `$from` for this stack, as after a reverted commit. The plan then keeps the object and warns, because deleting it would surprise
   * that stack.
   */
  declarerOf(address: Address): string | undefined {
    const declarer = this.#declarers.get(address);
    const isSameKind = declarer?.block.kind === this.#input.ledger.entries[address]?.kind;
    return declarer && isSameKind && !this.#entryOf(declarer) ? declarer.stack : undefined;
  }

  /**
   * True if the other stack with this claim (ledger entry) to an object no longer declares the object either, or only with `$handover`.
   * Exactly one of the two stacks must then delete it. False if its configuration is unknown or has errors.
   */
  isDropped(claim: Claim): boolean {
    const owner = this.#findSibling(claim.owner);
    if (!owner || owner.isBroken) return false;
    const block = owner.findBlock(claim, claim.address);
    return block === undefined || handoverOf(block.address, owner.desired.resources) !== undefined;
  }

  /** Returns our objects in a container that other stacks take over, each with its stack: the container must not be deleted with them. */
  handedOverIn(container: Address): { address: Address; stack: string }[] {
    return Object.keys(this.#input.ledger.entries).flatMap((address) => {
      const stack = address !== container && isWithin(address, container) ? this.heirOf(address) : undefined;
      return stack === undefined ? [] : [{ address, stack }];
    });
  }

  /**
   * Returns the block of another stack that takes over our object at `address` with `$from`, so that the plan hands the object to that
   * stack: the block at this address or, for an object with only a label such as a webhook, one with a new label under the same parent.
   * `entry`: our ledger entry of the object.
   */
  #findTaker(address: Address, entry: LedgerEntry): SiblingBlock | undefined {
    const { kinds, ledger } = this.#input;
    const kind = kinds.get(entry.kind);
    if (!kind) return undefined;
    // A taker that owns another object already does not mean this one.
    const canMeanObject = (taker: SiblingBlock): boolean => {
      const theirEntry = this.#entryOf(taker);
      const isSameObject = !theirEntry || theirEntry.ids.some((id) => entry.ids.includes(id));
      return taker.block.kind === entry.kind && isSameObject;
    };
    // The other stack may give the object another label. One that this stack has already means another object.
    const hasNewLabel = ({ block }: SiblingBlock) =>
      ledger.entries[block.address] === undefined && block.parent === parentOf(address, kind);
    const namedTaker = this.#takersByAddress.get(address)?.find(canMeanObject);
    return namedTaker ?? this.#takersWithLabel.find((taker) => canMeanObject(taker) && hasNewLabel(taker));
  }

  /**
   * Returns the ledger entry that the other stack has at the address of its block; undefined if it does not own
   * the object yet, so that the block may take over one of ours.
   */
  #entryOf({ stack, block }: SiblingBlock): LedgerEntry | undefined {
    const ledgerOfStack = this.#input.otherStacks?.find((otherStack) => otherStack.stack === stack);
    const entry: unknown = ledgerOfStack?.entries[block.address];
    return isClaim(entry) && !entry.existing ? entry : undefined;
  }
}

/**
 * Returns the blocks by which another stack of the workspace wants to own objects, to find those that it takes over from this one. Blocks
 * with `$existing` or `$handover` do not own theirs, so they take nothing over.
 */
const listOwningBlocks = ({ desired: { stack, resources } }: SiblingStack): SiblingBlock[] =>
  [...resources.values()]
    .filter(({ address, meta }) => !meta.existing && handoverOf(address, resources) === undefined)
    .map((block) => ({
      stack,
      block,
      formerAddress: formerAddress(block.address, resources),
      from: fromOf(block.address, resources),
    }));
