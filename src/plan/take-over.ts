import type { Address } from '../model/address.ts';
import { type Ledger, type LedgerEntry, type OtherStack, refersToStack } from '../model/ledger.ts';
import type { Desired, Live, Resource } from '../model/resource.ts';
import { type Claim, Claims, isClaim, isOwning } from './claims.ts';
import { type ConsentInput, createConsentTest, fromOf } from './consent.ts';
import type { PlanInput } from './input.ts';

/** A ledger after a take-over. */
interface CopiedEntries {
  ledger: Ledger;
  /** The addresses of the entries that were copied. */
  takenOver: ReadonlySet<Address>;
}

/** The parts of the plan input on which a take-over depends. */
type TakeOverInput = ConsentInput & Pick<PlanInput, 'otherStacks'>;

/**
 * True if the configuration takes over an object (`$from`) that the ledger does not have yet. The ledgers of the other stacks are then read
 * before the account.
 */
export const hasTakeOvers = (desired: Desired, ledger: Ledger): boolean =>
  takingBlocks(desired, ledger).next().done === false;

/**
 * Copies the ledger entries of other stacks that consent to a take-over (`$from`) into this ledger, by the addresses of the blocks. Called
 * before the account is read, so that the objects are found by their recorded ids. An edit in the same step is then compared with the
 * values that the other stack applied.
 */
export function takeOverByAddress(ledger: Ledger, input: TakeOverInput): CopiedEntries {
  const copier = createEntryCopier(ledger, input);
  const { desired, kinds, otherStacks = [] } = input;
  for (const { block, from } of takingBlocks(desired, ledger)) {
    const owners = otherStacks.filter(({ stack }) => refersToStack(from, stack, { from: desired.stack }));
    // With `$was`, the other stack has the object under the old name.
    for (const address of [block.address, formerAddress(block.address, desired.resources)])
      for (const owner of owners) {
        const entry = owner.entries[address];
        if (entry?.kind === block.kind && isOwning(entry, kinds))
          copier.copy({ owner, address, entry }, { address, declaredAs: block.address });
      }
  }
  return copier.result();
}

/**
 * Returns the other stacks without their outdated entries: an object that a stack handed over and that this stack owns by now stays in the
 * old ledger until the former owner is applied again. Such an entry must not count as a claim, or the plan would refuse the object.
 */
export const withoutHandedOver = (
  otherStacks: readonly OtherStack[],
  { entries }: Ledger,
  { key }: Pick<PlanInput, 'key'>,
): OtherStack[] =>
  otherStacks.map((otherStack) => {
    if (key && !otherStack.isVerified) return otherStack;
    const isOutdated = (address: Address, entry: LedgerEntry) =>
      isClaim(entry) &&
      entry.handover !== undefined &&
      isOwnEntry(entries[address]) &&
      entry.ids.every((id) => entries[address]!.ids.includes(id));
    const remaining = Object.entries(otherStack.entries).filter(
      ([address, entry]) => !isOutdated(address, entry),
    );
    return remaining.length === Object.keys(otherStack.entries).length
      ? otherStack
      : { ...otherStack, entries: Object.fromEntries(remaining) };
  });

/**
 * Copies the ledger entries of other stacks that consent to a take-over, by the ids of the live objects. Called after the account was read,
 * for stacks that have an object under another address than this one.
 */
export function takeOverById(ledger: Ledger, live: Live, input: TakeOverInput): CopiedEntries {
  const copier = createEntryCopier(ledger, input);
  const { desired, kinds, otherStacks = [] } = input;
  if (otherStacks.length === 0) return copier.result();
  const claims = new Claims(otherStacks, kinds, (address) => live.resources.get(address));
  for (const { block } of takingBlocks(desired, ledger)) {
    const { address } = block;
    const resource = live.resources.get(address);
    const claim =
      resource && claims.allFor(resource, address).find((claim) => isAskedFor(claim, address, desired));
    if (claim) copier.copy(claim, { address, declaredAs: address });
  }
  return copier.result();
}

/**
 * Creates a copier that collects entries of other stacks for this ledger. `copy` takes the entry of a claim if its owner consents, its ledger is
 * trusted, and this stack does not own the object yet; otherwise it does nothing, and the plan reports the missing consent later.
 */
function createEntryCopier(ledger: Ledger, input: TakeOverInput) {
  const entries = { ...ledger.entries };
  const takenOver = new Set<Address>();
  const testConsent = createConsentTest(input);
  return {
    copy(claim: Claim, { address, declaredAs }: { address: Address; declaredAs: Address }): void {
      if (
        isOwnEntry(entries[address]) ||
        !isTrusted(claim.owner, input) ||
        !testConsent(claim, declaredAs).isGiven
      )
        return;
      // These members contain addresses and names of the other stack.
      const { dependsOn: _, handover: __, ...entry } = claim.entry;
      entries[address] = entry;
      takenOver.add(declaredAs);
    },
    result: (): CopiedEntries => ({
      ledger: takenOver.size > 0 ? { ...ledger, entries } : ledger,
      takenOver,
    }),
  };
}

/**
 * True if the ledger of another stack may be used for a take-over: it is signed with this run's key. A run without a key only plans, so a
 * well-formed ledger is enough.
 */
const isTrusted = ({ isVerified, isWellFormed }: OtherStack, { key }: Pick<PlanInput, 'key'>): boolean =>
  key ? isVerified : isWellFormed;

/** True if an entry makes this stack the owner of its object. An entry with `existing` only keeps the id of a parent. */
const isOwnEntry = (entry: LedgerEntry | undefined): boolean => entry !== undefined && !entry.existing;

/**
 * Returns the blocks with a `$from` (their own or inherited) whose objects this stack does not own yet, each with the name of the owner.
 */
function* takingBlocks(
  { resources }: Desired,
  { entries }: Ledger,
): Generator<{ block: Resource; from: string }, void> {
  for (const block of resources.values()) {
    const { address, meta } = block;
    if (meta.existing || meta.forget || isOwnEntry(entries[address])) continue;
    const from = fromOf(address, resources);
    if (from !== undefined && !isOwnEntry(entries[formerAddress(address, resources)])) yield { block, from };
  }
}

/**
 * Returns the address of a block before its renames and those of the blocks that enclose it (`$was`). The other stack may still use that
 * address.
 */
export function formerAddress(address: Address, resources: Desired['resources']): Address {
  const block = resources.get(address);
  if (block?.meta.was !== undefined) return block.meta.was;
  if (block?.parent === undefined) return address;
  return formerAddress(block.parent, resources) + address.slice(block.parent.length);
}

/** True if a claim is about an object that this stack declares with the owner in `$from`. Only such claims need the owner's consent. */
export const isAskedFor = ({ owner }: Claim, address: Address, { resources, stack }: Desired): boolean => {
  const from = fromOf(address, resources);
  return from !== undefined && refersToStack(from, owner.stack, { from: stack });
};
