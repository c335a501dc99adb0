import { isTransferable as canMove, parentOf } from '../kind/define-kind.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import { type Position, shellWord } from '../model/diagnostic.ts';
import { emptyLedger, type LedgerEntry, type OtherStack, refersToStack } from '../model/ledger.ts';
import { addressAfter, type Move } from '../model/move.ts';
import type { Desired, Resource } from '../model/resource.ts';
import { applyRenames } from './apply-renames.ts';
import { type Claim, isClaim } from './claims.ts';
import { findMissingInputs } from './find-missing-inputs.ts';
import type { PlanInput, SiblingStack } from './input.ts';

/*
 * Taking over: a stack (the taker) declares an object with `$from: OWNER` that another stack (the owner) has in its ledger. The owner
 * consents in its own YAML or ledger. Without the owner's consent, anybody could take an object by naming it. The first row that fits
 * decides:
 *
 *   | the owner's ledger         | its configuration in this checkout | consent |
 *   | signed with another key    | anything                           | no      |
 *   | anything                   | `$handover` to the taker           | yes     |
 *   | anything                   | declares the object otherwise      | no      |
 *   | `$handover` to the taker   | anything else                      | yes     |
 *   | `$handover` to another one | anything else                      | no      |
 *   | no `$handover`             | whole, without the object          | yes     |
 *   | no `$handover`             | absent, with errors, lacks files   | no      |
 *
 * A run without a key cannot tell whether a ledger is signed: it shows the plan and says that the consent is not verified.
 */

/** Whether the owner of an object lets this stack take it over. */
type Consent = { isGiven: true } | MissingConsent;

/** A missing consent, in words for the message. `reason` continues the sentence "is owned by the stack shop". */
export interface MissingConsent {
  isGiven: false;
  reason: string;
  hint: string;
  /** The position of the owner's block in its YAML. */
  at?: Position;
}

/** The parts of the plan input on which consent depends. */
export type ConsentInput = Pick<PlanInput, 'desired' | 'kinds' | 'key' | 'options'>;

/**
 * Creates the function which tests whether another stack (the owner) lets this stack own one of its objects
 * as `address`: without that consent, anybody could take an object by naming it with `$from`. If this run's key verifies the owner's ledger
 * or there is no key, the owner's block decides, then its ledger, then whether its configuration is known to lack the object (see the table
 * at the top). `claim`: the owner, its address of the object and its ledger entry.
 */
export function createConsentTest({
  desired: { stack: taker },
  kinds,
  key,
  options,
}: ConsentInput): (claim: Claim, address: Address) => Consent {
  const findSibling = createSiblingFinder({ kinds, options });
  return (claim, address) => {
    const { owner, entry } = claim;
    if (key && !owner.isVerified) return otherKeyRefusal(owner);
    const shortName = nameFor(owner, taker);
    // The configuration of the owner, if it is in this checkout, and its block for the object.
    const sibling = findSibling(owner);
    const block = sibling?.findBlock(claim, address);
    const heirOfBlock = sibling && block && handoverOf(block.address, sibling.desired.resources);
    if (block && heirOfBlock === undefined) return stillDeclaredRefusal(owner, shortName, block.at);
    // The block decides, otherwise the ledger.
    const heir = heirOfBlock ?? entry.handover;
    if (heir !== undefined)
      return refersToStack(heir, taker, { from: owner.stack })
        ? consented
        : otherHeirRefusal(owner, heir, block?.at);
    return sibling ? consentByAbsence(owner, sibling) : noHandoverRefusal(owner, shortName);
  };
}

/**
 * Returns the name of the taker that the hint of a plan tells to write in the owner's `$handover`: without the stage if both stacks have
 * the same stage.
 */
function nameFor({ stack: owner }: OtherStack, taker: string): string {
  const [name = taker] = taker.split('@');
  return refersToStack(name, taker, { from: owner }) ? name : taker;
}

const consented: Consent = { isGiven: true };

/**
 * Creates the answer that an owner (another stack) does not let this stack take its object over with `$from`. `reason` and `hint` become
 * part of the problem in the plan. `position`: the owner's block.
 */
const refusal = (reason: string, hint: string, position?: Position): MissingConsent => ({
  isGiven: false,
  reason,
  hint,
  at: position,
});

/**
 * Decides if an owner lets its object be taken over because its configuration no longer declares it. That is
 * consent only if the owner was applied from a configuration before, and this one was read completely: it has
 * no errors, and lacks no file from which it was last applied.
 */
function consentByAbsence(otherStack: OtherStack, { isBroken, desired }: SiblingStack): Consent {
  if (isBroken)
    return refusal(
      ', whose configuration in this checkout has errors',
      'fix them first: `trueup validate` lists them',
    );
  if (otherStack.inputs.length === 0)
    return refusal(
      ', which was never applied from a configuration',
      `apply ${otherStack.stack} first, or move its objects with \`trueup ledger move\``,
    );
  const [missing] = findMissingInputs(otherStack.inputs, desired);
  if (missing === undefined) return consented;
  return refusal(
    `, whose configuration in this checkout lacks ${missing.replace(/^\//, '')}, from which it was applied`,
    `check the path of ${otherStack.stack} in the workspace file; if its files were moved, apply ${otherStack.stack} first`,
  );
}

/** Refuses a take-over because the ledger of the owner was signed with another key than this run's, so that its content proves nothing. */
const otherKeyRefusal = ({ stack }: OtherStack): MissingConsent =>
  refusal(
    ", whose ledger is not signed with this run's key",
    `between keys: remove the block from ${stack}, write \`delete: false\` for it under \`removed\` there and apply it, then declare it here without \`$from\``,
  );

/** Refuses a take-over because the owner offers the object to another stack (`heir`) with its `$handover`. */
const otherHeirRefusal = ({ stack }: OtherStack, heir: string, position?: Position): MissingConsent =>
  refusal(
    `, and handed over to the stack ${heir}`,
    `correct \`$handover\` in the block of ${stack} and apply ${stack}, or leave it to ${heir}`,
    position,
  );

/**
 * Refuses a take-over because the owner still declares the object, or has a new block that may mean it, without
 * `$handover`. The two stacks would otherwise change the object in turn. `taker`: the name of this stack, for the hint.
 * `position`: the owner's block.
 */
const stillDeclaredRefusal = ({ stack }: OtherStack, taker: string, position: Position): MissingConsent =>
  refusal(
    ', and still declared there',
    `remove the block from ${stack} in the same commit, or write \`$handover: ${taker}\` in its block there`,
    position,
  );

/**
 * Refuses a take-over because the owner has no `$handover`, and its configuration is not in this checkout, so nothing shows its consent.
 */
const noHandoverRefusal = ({ stack }: OtherStack, taker: string): MissingConsent =>
  refusal(
    ', and not handed over',
    `write \`$handover: ${taker}\` in its block in ${stack} and apply ${stack} first; if ${stack} is gone, run \`trueup ledger retire ${shellWord(stack)}\``,
  );

/** Another stack of the workspace that owns objects, with the function which finds its blocks for them. */
interface SiblingOwner extends SiblingStack {
  /**
   * Finds the block that declares an object of the stack's ledger, or that may declare it: the object then counts as declared. Undefined if
   * no block does.
   */
  findBlock(claim: Pick<Claim, 'address' | 'entry'>, takenAs: Address): Resource | undefined;
}

/**
 * Creates the function which returns the configuration of another stack in the workspace, with `findBlock`,
 * which returns the block by which that stack still declares an object that it owns. Used to decide whether
 * the stack consents to a take-over (`$from`), and whether it has dropped an object. The function returns
 * undefined for a stack that is not in this checkout, and prepares each stack once.
 */
export function createSiblingFinder({
  kinds,
  options,
}: Pick<ConsentInput, 'kinds' | 'options'>): (otherStack: OtherStack) => SiblingOwner | undefined {
  const owners = new Map<string, SiblingOwner | undefined>();
  return (otherStack) => {
    const { stack } = otherStack;
    if (!owners.has(stack)) {
      const sibling = options?.siblings?.find(({ desired }) => desired.stack === stack);
      owners.set(stack, sibling && { ...sibling, findBlock: createBlockFinder(otherStack, sibling, kinds) });
    }
    return owners.get(stack);
  };
}

/**
 * Creates the function which returns the block by which a sibling declares, or may declare, an object of its ledger (see `SiblingOwner`).
 */
function createBlockFinder(
  otherStack: OtherStack,
  { desired }: SiblingStack,
  kinds: PlanInput['kinds'],
): SiblingOwner['findBlock'] {
  const { entries, moves } = followRenames(otherStack, desired, kinds);
  const declares = ({ meta }: Resource) => !meta.existing;
  // Blocks without an entry in the ledger. One of them may declare the object under another address.
  const unapplied = [...desired.resources.values()].filter(
    (block) => declares(block) && !entries[block.address],
  );
  return ({ address, entry }, takenAs) => {
    const currentAddress = addressAfter(address, moves);
    const block = desired.resources.get(currentAddress);
    if (block?.kind === entry.kind && declares(block)) return block;
    return unapplied.find((newBlock) =>
      mayDeclareTakenObject(newBlock, { entry, currentAddress, takenAs, entries, kinds }),
    );
  };
}

/**
 * Returns the ledger entries of another stack at the addresses that its configuration gives them now (`$was`), with the moves. Used to see
 * if that stack consents to give an object to this one: otherwise a renamed object would look as if it was no longer declared there.
 */
function followRenames(
  otherStack: OtherStack,
  desired: Desired,
  kinds: PlanInput['kinds'],
): { entries: Record<Address, LedgerEntry>; moves: Move[] } {
  // Only the members that a rename needs, since an unverified ledger may hold anything.
  const entries = Object.fromEntries(
    Object.entries(otherStack.entries)
      .filter(([, entry]) => isClaim(entry))
      .map(([address, { kind, ids }]) => [address, { kind, ids } as LedgerEntry]),
  );
  const { ledger, moves } = applyRenames({ ...emptyLedger('', '', otherStack.stack), entries }, desired, {
    kinds,
  });
  return { entries: ledger.entries, moves };
}

/**
 * True if a block may declare, under a new address, the object that this stack wants to take over with `$from`. `block`: a block of the
 * owner, the stack whose ledger has the object, that is not in this ledger yet. The owner may have renamed or relabelled the object, chosen
 * it by `$id`, or moved it to another parent. It then still wants the object, so the take-over is refused. `takenAs`: the object's address
 * in this stack. `entries`: the owner's ledger.
 */
function mayDeclareTakenObject(
  block: Resource,
  {
    entry,
    currentAddress,
    takenAs,
    entries,
    kinds,
  }: {
    entry: LedgerEntry;
    /** The address of the object after the renames of its stack. */
    currentAddress: Address;
    takenAs: Address;
    entries: Record<Address, LedgerEntry>;
    kinds: PlanInput['kinds'];
  },
): boolean {
  const kind = kinds.get(block.kind);
  if (!kind || block.kind !== entry.kind) return false;
  const hasIdOfObject = block.meta.id !== undefined && entry.ids.includes(block.meta.id);
  if (block.address === takenAs || hasIdOfObject) return true;
  // The platform can move such an object to another parent, where it keeps its name.
  if (canMove(kind) && lastNameOf(block.address) === lastNameOf(currentAddress)) return true;
  // Objects of kinds that are paired with their blocks have only a label, and that can change.
  const hasOnlyLabel = kind.shape.pair !== undefined;
  // A parent that the owner's ledger lacks may be the old parent under a new name.
  const isParentNew = block.parent !== undefined && !entries[block.parent];
  const mayBeInSameParent = isParentNew || block.parent === parentOf(currentAddress, kind);
  return hasOnlyLabel && mayBeInSameParent;
}

/** Returns the `$handover` of a block, or of the nearest block that encloses it: the stack that may take the object over. */
export const handoverOf = (
  address: Address | undefined,
  resources: Desired['resources'],
): string | undefined => inheritedMeta(address, resources, 'handover');

/** Returns the `$from` of a block, or of the nearest block that encloses it: the stack from which the object is taken over. */
export const fromOf = (address: Address | undefined, resources: Desired['resources']): string | undefined =>
  inheritedMeta(address, resources, 'from');

/**
 * Returns the value of `$from` or `$handover` (where a block takes its object from, or gives it to) that
 * applies to a block: its own or, if it has none, that of the nearest block that encloses it. So one key in a
 * project moves everything in it to another stack. Undefined if no block has the key.
 */
function inheritedMeta(
  address: Address | undefined,
  resources: Desired['resources'],
  name: 'from' | 'handover',
): string | undefined {
  const block = resources.get(address ?? '');
  return block && (block.meta[name] ?? inheritedMeta(block.parent, resources, name));
}
