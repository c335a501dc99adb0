import { isTransferable as canMove, parentOf } from '../kind/define-kind.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import type { Position } from '../model/diagnostic.ts';
import { emptyLedger, type LedgerEntry, meansStack, type OtherStack } from '../model/ledger.ts';
import { addressAfter, type Move } from '../model/move.ts';
import type { Desired, Resource } from '../model/resource.ts';
import { shellWord } from '../model/shell-word.ts';
import { applyRenames } from './apply-renames.ts';
import { type Claim, isClaim } from './claims.ts';
import { findMissingInputs } from './find-missing-inputs.ts';
import type { PlanInput, SiblingStack } from './input.ts';

/*
 * Taking over: a stack (the taker) declares with `$from: OWNER` what another stack (the owner) has in its ledger. The owner consents in its
 * own YAML or ledger. The first row that fits decides:
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

export type Consent = { isGiven: true } | MissingConsent;

/** A missing consent. `reason` continues "is owned by the stack one". */
export interface MissingConsent {
  isGiven: false;
  reason: string;
  hint: string;
  /** The place of the owner's block. */
  at?: Position;
}

export type ConsentInput = Pick<PlanInput, 'desired' | 'kinds' | 'key' | 'options'>;

/** Makes the test whether the owner of an object lets this stack declare it as `address`. */
export function createConsentTest({
  desired,
  kinds,
  key,
  options,
}: ConsentInput): (claim: Claim, address: Address) => Consent {
  const findSibling = createSiblingFinder({ kinds, options });
  return (claim, address) => {
    const { owner: by, entry } = claim;
    if (key && !by.isVerified) return otherKey(by);
    const isForUs = (name: string) => meansStack(name, desired.stack, { from: by.stack });
    const owner = findSibling(by);
    const block = owner?.findBlock(claim, address);
    const heir = block ? handoverOf(block.address, owner!.desired.resources) : undefined;
    if (heir !== undefined) return isForUs(heir) ? consented : forAnother(by, heir, block!.at);
    const shortName = nameFor(by, desired.stack);
    if (block) return stillDeclared(by, shortName, block.at);
    if (entry.handover !== undefined)
      return isForUs(entry.handover) ? consented : forAnother(by, entry.handover);
    return owner ? consentByAbsence(by, owner) : silent(by, shortName);
  };
}

/** Returns the name by which a stack means another one in its configuration: without the stage, if that is its own. */
function nameFor({ stack: owner }: OtherStack, taker: string): string {
  const [name = taker] = taker.split('@');
  return meansStack(name, taker, { from: owner }) ? name : taker;
}

const consented: Consent = { isGiven: true };

/** Consent by a configuration that no longer declares the object, if it was read whole. */
function consentByAbsence(otherStack: OtherStack, { isBroken, desired }: SiblingStack): Consent {
  if (isBroken)
    return {
      isGiven: false,
      reason: ', whose configuration in this checkout has errors',
      hint: 'fix them first: `trueup validate` lists them',
    };
  if (otherStack.inputs.length === 0)
    return {
      isGiven: false,
      reason: ', which was never applied from a configuration',
      hint: `apply ${otherStack.stack} first, or move its objects with \`trueup ledger move\``,
    };
  const [missing] = findMissingInputs(otherStack.inputs, desired);
  if (missing === undefined) return consented;
  return {
    isGiven: false,
    reason: `, whose configuration in this checkout lacks ${missing.replace(/^\//, '')}, from which it was applied`,
    hint: `check the path of ${otherStack.stack} in the workspace file; if its files were moved, apply ${otherStack.stack} first`,
  };
}

const otherKey = ({ stack }: OtherStack): MissingConsent => ({
  isGiven: false,
  reason: ", whose ledger is not signed with this run's key",
  hint: `between keys: write \`$forget: true\` in the block of ${stack} and apply it there, then declare it here without \`$from\``,
});

const forAnother = ({ stack }: OtherStack, heir: string, position?: Position): MissingConsent => ({
  isGiven: false,
  reason: `, and handed over to the stack ${heir}`,
  hint: `correct \`$handover\` in the block of ${stack} and apply ${stack}, or leave it to ${heir}`,
  at: position,
});

const stillDeclared = ({ stack }: OtherStack, taker: string, position: Position): MissingConsent => ({
  isGiven: false,
  reason: ', and still declared there',
  hint: `remove the block from ${stack} in the same commit, or write \`$handover: ${taker}\` in its block there`,
  at: position,
});

const silent = ({ stack }: OtherStack, taker: string): MissingConsent => ({
  isGiven: false,
  reason: ', and not handed over',
  hint: `write \`$handover: ${taker}\` in its block in ${stack} and apply ${stack} first; if ${stack} is gone, run \`trueup ledger retire ${shellWord(stack)}\``,
});

/** A stack of the workspace, with the means to find its blocks for objects of its ledger. */
interface SiblingOwner extends SiblingStack {
  /** Finds the block that declares an object of the stack's ledger, or that may: then the object counts as declared. */
  findBlock(claim: Pick<Claim, 'address' | 'entry'>, takenAs: Address): Resource | undefined;
}

/** Makes the search for the configuration of a stack among those of the workspace. */
export function createSiblingFinder({
  kinds,
  options,
}: Pick<ConsentInput, 'kinds' | 'options'>): (by: OtherStack) => SiblingOwner | undefined {
  const owners = new Map<string, SiblingOwner | undefined>();
  const open = (otherStack: OtherStack): SiblingOwner | undefined => {
    const sibling = options?.siblings?.find(({ desired }) => desired.stack === otherStack.stack);
    if (!sibling) return undefined;
    const { desired } = sibling;
    const { entries, moves } = followRenames(otherStack, desired, kinds);
    const declares = ({ meta }: Resource) => !meta.existing && !meta.forget;
    const unapplied = [...desired.resources.values()].filter(
      (block) => declares(block) && !entries[block.address],
    );
    return {
      ...sibling,
      findBlock: ({ address, entry }, takenAs) => {
        const now = addressAfter(address, moves);
        const block = desired.resources.get(now);
        if (block?.kind === entry.kind && declares(block)) return block;
        return unapplied.find((resource) => mayMean(resource, { entry, now, takenAs, entries, kinds }));
      },
    };
  };
  return (otherStack) => {
    if (!owners.has(otherStack.stack)) owners.set(otherStack.stack, open(otherStack));
    return owners.get(otherStack.stack);
  };
}

/** Moves the entries of another stack to the names that its configuration gives them now (`$was`). */
function followRenames(
  otherStack: OtherStack,
  desired: Desired,
  kinds: PlanInput['kinds'],
): { entries: Record<Address, LedgerEntry>; moves: Move[] } {
  // Only what a rename needs: an unverified ledger may hold anything.
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
 * True if a block that its stack has not applied yet may declare an object that the stack has under another address: the object was
 * renamed in the account, relabelled, chosen by id, or moves to another parent.
 */
function mayMean(
  { address, kind: name, parent, meta }: Resource,
  {
    entry,
    now,
    takenAs,
    entries,
    kinds,
  }: {
    entry: LedgerEntry;
    /** The address of the object after the renames of its stack. */
    now: Address;
    takenAs: Address;
    entries: Record<Address, LedgerEntry>;
    kinds: PlanInput['kinds'];
  },
): boolean {
  const kind = kinds.get(name);
  if (!kind || name !== entry.kind) return false;
  if (address === takenAs || (meta.id !== undefined && entry.ids.includes(meta.id))) return true;
  if (canMove(kind) && lastNameOf(address) === lastNameOf(now)) return true;
  const isSameParent = parent === parentOf(now, kind) || (parent !== undefined && !entries[parent]);
  return kind.shape.pair !== undefined && isSameParent;
}

/** Returns the `$handover` of a block, or of the nearest one around it. */
export const handoverOf = (
  address: Address | undefined,
  resources: Desired['resources'],
): string | undefined => inheritedMeta(address, resources, 'handover');

/** Returns the `$from` of a block, or of the nearest one around it. */
export const fromOf = (address: Address | undefined, resources: Desired['resources']): string | undefined =>
  inheritedMeta(address, resources, 'from');

function inheritedMeta(
  address: Address | undefined,
  resources: Desired['resources'],
  name: 'from' | 'handover',
): string | undefined {
  for (let at = address; at !== undefined; at = resources.get(at)?.parent) {
    const value = resources.get(at)?.meta[name];
    if (value !== undefined) return value;
  }
  return undefined;
}
