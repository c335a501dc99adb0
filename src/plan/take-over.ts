import type { Address } from '../model/address.ts';
import { type Ledger, type LedgerEntry, meansStack, type OtherStack } from '../model/ledger.ts';
import type { Desired, Live, Resource } from '../model/resource.ts';
import { type Claim, Claims, isClaim, isOwning } from './claims.ts';
import { type ConsentInput, createConsentTest, fromOf } from './consent.ts';
import type { PlanInput } from './input.ts';

interface CopiedEntries {
  ledger: Ledger;
  /** The addresses of the entries that were copied. */
  takenOver: ReadonlySet<Address>;
}

type TakeOverInput = ConsentInput & Pick<PlanInput, 'otherStacks'>;

/** True if the configuration takes over something that the ledger does not have yet. */
export const hasTakeOvers = (desired: Desired, ledger: Ledger): boolean =>
  takers(desired, ledger).next().done === false;

/**
 * Copies the entries of other stacks that consent to a take-over (`$from`) into the ledger, by the addresses of the blocks. Called before
 * the account is read, so that the objects are found by their ids, and an edit in the same step is compared with what the other stack applied.
 */
export function takeOverByAddress(ledger: Ledger, input: TakeOverInput): CopiedEntries {
  const copying = createCopying(ledger, input);
  const { desired, kinds, otherStacks = [] } = input;
  for (const { block, from } of takers(desired, ledger)) {
    const owners = otherStacks.filter(({ stack }) => meansStack(from, stack, { from: desired.stack }));
    // With `$was`, the other stack has it under the old name.
    for (const address of [block.address, formerAddress(block.address, desired.resources)])
      for (const owner of owners) {
        const entry = owner.entries[address];
        if (entry?.kind === block.kind && isOwning(entry, kinds))
          copying.copy({ owner, address, entry }, { address, declaredAs: block.address });
      }
  }
  return copying.result();
}

/**
 * Returns the other stacks without their outdated entries: an object that a stack handed over and this stack owns by now stays in the old
 * ledger until the former owner is applied again. Such an entry is no claim.
 */
export const withoutHandedOver = (
  otherStacks: readonly OtherStack[],
  { entries }: Ledger,
  { key }: Pick<PlanInput, 'key'>,
): OtherStack[] =>
  otherStacks.map((otherStack) => {
    if (key && !otherStack.isVerified) return otherStack;
    const isOver = (address: Address, entry: LedgerEntry) =>
      isClaim(entry) &&
      entry.handover !== undefined &&
      isOwnEntry(entries[address]) &&
      entry.ids.every((id) => entries[address]!.ids.includes(id));
    const left = Object.entries(otherStack.entries).filter(([address, entry]) => !isOver(address, entry));
    return left.length === Object.keys(otherStack.entries).length
      ? otherStack
      : { ...otherStack, entries: Object.fromEntries(left) };
  });

/** Copies entries by the ids of the found objects, for stacks that know an object under another address. */
export function takeOverById(ledger: Ledger, live: Live, input: TakeOverInput): CopiedEntries {
  const copying = createCopying(ledger, input);
  const { desired, kinds, otherStacks = [] } = input;
  if (otherStacks.length === 0) return copying.result();
  const claims = new Claims(otherStacks, kinds, (address) => live.resources.get(address));
  for (const { block } of takers(desired, ledger)) {
    const { address } = block;
    const resource = live.resources.get(address);
    const claim =
      resource && claims.allFor(resource, address).find((claim) => isAskedFor(claim, address, desired));
    if (claim) copying.copy(claim, { address, declaredAs: address });
  }
  return copying.result();
}

function createCopying(ledger: Ledger, input: TakeOverInput) {
  const entries = { ...ledger.entries };
  const taken = new Set<Address>();
  const test = createConsentTest(input);
  return {
    copy(claim: Claim, { address, declaredAs }: { address: Address; declaredAs: Address }): void {
      if (isOwnEntry(entries[address]) || !isTrusted(claim.owner, input) || !test(claim, declaredAs).isGiven)
        return;
      // The addresses in it are those of the other stack.
      const { dependsOn: _, handover: __, ...entry } = claim.entry;
      entries[address] = entry;
      taken.add(declaredAs);
    },
    result: (): CopiedEntries => ({
      ledger: taken.size > 0 ? { ...ledger, entries } : ledger,
      takenOver: taken,
    }),
  };
}

/** Without a key a ledger is taken as it is, if it has the form of one: a plan changes nothing. */
const isTrusted = ({ isVerified, isWellFormed }: OtherStack, { key }: Pick<PlanInput, 'key'>): boolean =>
  key ? isVerified : isWellFormed;

const isOwnEntry = (entry: LedgerEntry | undefined): boolean => entry !== undefined && !entry.existing;

/** The blocks with a `$from` whose objects this stack does not own yet. */
function* takers(
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

/** Returns the address before the renames of a block and of those around it (`$was`). */
export function formerAddress(address: Address, resources: Desired['resources']): Address {
  const block = resources.get(address);
  if (block?.meta.was !== undefined) return block.meta.was;
  if (block?.parent === undefined) return address;
  return formerAddress(block.parent, resources) + address.slice(block.parent.length);
}

/** A claim of another stack to an object that this one declares with its `$from`. */
export const isAskedFor = ({ owner }: Claim, address: Address, { resources, stack }: Desired): boolean => {
  const from = fromOf(address, resources);
  return from !== undefined && meansStack(from, owner.stack, { from: stack });
};
