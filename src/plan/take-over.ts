import type { Address } from '../model/address.ts';
import type { ComparedChange, DecidedChange } from '../model/change.ts';
import { type Diagnostic, problem, type Reporter, shellQuoted } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import {
  ageText,
  isOwnEntry,
  type Ledger,
  type LedgerEntry,
  type OtherStack,
  refersToStack,
} from '../model/ledger.ts';
import { countLogicalChanges } from '../model/logical-changes.ts';
import type { Desired, Live, Resource } from '../model/resource.ts';
import { type Claim, Claims, isClaim, isOwning } from './claims.ts';
import { type ConsentInput, createConsentTest, fromOf, type MissingConsent } from './consent.ts';
import type { PlanInput } from './input.ts';

/** A ledger after a take-over. */
interface CopiedEntries {
  ledger: Ledger;
  /** The addresses of the blocks whose objects have copied entries. With `$was`, an entry may be at the old address. */
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
 * Returns the other stacks without the ledger entries of objects that they handed over and that this stack owns by
 * now at the same address: these stay in the old ledger until the former owner is applied again. Such an entry
 * must not count as that stack's object, or the plan would refuse to delete what contains the object, for example.
 * A ledger that is not signed is left as it is if this run has a key, because anybody may have written it.
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
    // The copier takes the entry only if the owner consents.
    if (claim) copier.copy(claim, { address, declaredAs: address });
  }
  return copier.result();
}

/**
 * Creates a copier that collects the ledger entries of objects that this stack takes over with `$from`, so that the plan knows their last
 * applied values. `copy` takes an entry if its owner consents, its ledger is trusted, and this stack does not own the object yet; otherwise
 * it does nothing, and the plan reports the missing consent later. `address`: where the entry goes. `declaredAs`: the address of the block,
 * another one if the block also renames the object.
 */
function createEntryCopier(ledger: Ledger, input: TakeOverInput) {
  const copies = new Map<Address, LedgerEntry>();
  const takenOver = new Set<Address>();
  const testConsent = createConsentTest(input);
  return {
    copy(claim: Claim, { address, declaredAs }: { address: Address; declaredAs: Address }): void {
      const isOwned = isOwnEntry(copies.get(address) ?? ledger.entries[address]);
      if (isOwned || !isTrusted(claim.owner, input)) return;
      if (!testConsent(claim, declaredAs).isGiven) return;
      // These members contain addresses and names of the other stack.
      const { dependsOn: _, handover: __, ...entry } = claim.entry;
      copies.set(address, entry);
      takenOver.add(declaredAs);
    },
    result: (): CopiedEntries => ({
      ledger:
        copies.size > 0
          ? { ...ledger, entries: { ...ledger.entries, ...Object.fromEntries(copies) } }
          : ledger,
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

/**
 * Yields the blocks by which this stack wants to take over an object of another stack, with the name of that
 * stack: they have a `$from` (their own or inherited), and this stack does not own the object yet. Once it
 * does, the `$from` has no effect.
 */
function* takingBlocks(
  { resources }: Desired,
  { entries }: Ledger,
): Generator<{ block: Resource; from: string }, void> {
  for (const block of resources.values()) {
    const { address, meta } = block;
    if (meta.existing || isOwnEntry(entries[address])) continue;
    const from = fromOf(address, resources);
    if (from !== undefined && !isOwnEntry(entries[formerAddress(address, resources)])) yield { block, from };
  }
}

/**
 * Returns the address of a block before its rename and those of the blocks that enclose it (`$was`). Used for take-overs
 * (`$from`), by this stack or from it, because the former owner may still have the object under the old address.
 * `meta.was` is the old address of one block in a parent with its present name, so the parent's part is replaced as well:
 *
 *   block                 meta.was              former address
 *   projects/shop         projects/web          projects/web
 *   projects/shop/env/B   projects/shop/env/A   projects/web/env/A
 *   projects/shop/env/C                         projects/web/env/C
 */
export function formerAddress(address: Address, resources: Desired['resources']): Address {
  const block = resources.get(address);
  const ownFormer = block?.meta.was ?? address;
  if (block?.parent === undefined) return ownFormer;
  return formerAddress(block.parent, resources) + ownFormer.slice(block.parent.length);
}

/**
 * True if a claim is about an object that this stack declares with the owner in `$from`. All other claims are
 * refused, whether their owners consent or not.
 */
const isAskedFor = ({ owner }: Claim, address: Address, { resources, stack }: Desired): boolean => {
  const from = fromOf(address, resources);
  return from !== undefined && refersToStack(from, owner.stack, { from: stack });
};

/** A declared object that another stack owns, so that this plan must not change it. */
export interface OwnedElsewhere {
  change: DecidedChange;
  claim: Claim;
  /** Set if `$from` names the owner, and the owner does not consent. */
  missingConsent?: MissingConsent;
}

/**
 * Returns a problem for each declared object that another stack owns, since two stacks must not change one object. Problems with the same
 * owner and reason fold into one message (`alike`).
 */
export const createOwnedElsewhereProblems = (
  owned: readonly OwnedElsewhere[],
  input: PlanInput,
): Diagnostic[] =>
  owned.map((object) =>
    object.missingConsent
      ? createNoConsentProblem(object, object.missingConsent, input)
      : createNotAskedForProblem(object, input),
  );

/**
 * Creates the problem that a block asks for another stack's object with `$from`, but that stack does not
 * consent. `alike`: what the message says if it is folded with others of the same cause.
 */
function createNoConsentProblem(
  { change, claim }: OwnedElsewhere,
  { reason, hint, at }: MissingConsent,
  { now }: PlanInput,
): Diagnostic {
  const owner = `owned by ${formatOtherStack(claim.owner, now)}${reason}`;
  return problem('stack/no-consent', `${change.address} is ${owner}${aliasOf(claim, change)}`, {
    address: change.address,
    at: change.at,
    hint,
    related: at && [{ message: `the block of ${claim.owner.stack}`, at }],
    alike: { cause: owner, are: `resources are ${owner}`, hint },
  });
}

/**
 * Creates the problem that the owner keeps the object because no block here asks for it with `$from: OWNER`. The hint lists all ways out.
 */
function createNotAskedForProblem(
  { change, claim }: OwnedElsewhere,
  { ledger, now, desired }: PlanInput,
): Diagnostic {
  const { address, at } = change;
  const { stack } = claim.owner;
  const from = fromOf(address, desired.resources);
  const isOwnedByBoth = ledger.entries[address] !== undefined;
  const owner = formatOtherStack(claim.owner, now);
  const otherOwnerText = isOwnedByBoth ? ', and by this one' : '';
  const fromText = from === undefined ? '' : `; \`$from\` says ${from}`;
  const forgetText = isOwnedByBoth ? `\`trueup ledger forget ${shellQuoted(address)}\` here and ` : '';
  const nameText = claim.address === address ? '' : ` as ${claim.address}`;
  const foldedMessage = `resources are owned by ${owner}${otherOwnerText}${fromText}`;
  return problem('stack/owned', `${address} is owned by ${owner}${nameText}${otherOwnerText}${fromText}`, {
    address,
    at,
    hint: `to move it here, write \`$from: ${stack}\` in its block, and remove it from ${stack} in the same commit or write \`$handover: ${desired.stack}\` there; to leave it there, ${forgetText}remove it from this configuration, or declare it with \`$existing: true\``,
    alike: {
      cause: foldedMessage,
      are: foldedMessage,
      hint: `to move them here, write \`$from: ${stack}\` in their blocks, or in a block around them, and remove them from ${stack} in the same commit or write \`$handover: ${desired.stack}\` there; to leave them there, ${isOwnedByBoth ? '`trueup ledger forget` each here and ' : ''}remove them from this configuration, or declare them with \`$existing: true\``,
    },
  });
}

/** Returns the name of the object in the other stack for a message, if it is not the same. */
const aliasOf = (claim: Claim, { address }: DecidedChange): string =>
  claim.address === address ? '' : ` (there as ${claim.address})`;

/**
 * Formats another stack with its last run, so that people know whom to ask: `the stack web (applied 3 days
 * ago by run 12, ada)`. Only for errors, never for warnings: a saved plan is compared with a later one, and
 * the age would make its warnings differ.
 */
export function formatOtherStack({ stack, writtenAt, lastRun }: OtherStack, now: number): string {
  if (writtenAt === undefined) return `the stack ${stack}`;
  const run = lastRun === undefined ? '' : ` by ${lastRun}`;
  return `the stack ${stack} (applied ${ageText(now - writtenAt)}${run})`;
}

/** The parts of the plan input that say whether this stack owned an object before. */
type OwnershipInput = Pick<PlanInput, 'ledger' | 'identities' | 'key'>;

/** The change of a declared object that another stack claims, or why the object is left to that stack. */
type TakeOverDecision = { change: DecidedChange; owned?: OwnedElsewhere };

/**
 * Creates the function which decides about a declared object that other stacks have in their ledgers (their
 * claims). If all of them consent to the block's `$from`, the plan takes the object over, unless this stack
 * owned it before. Otherwise the result has `owned` with the first claim without consent, and the plan reports
 * that the configuration must not declare the object.
 */
export function createTakeOverDecider(
  input: PlanInput,
): (change: ComparedChange, claims: Claim[]) => TakeOverDecision {
  const testConsent = createConsentTest(input);
  return (change, claims) => {
    const { address, reason } = change;
    for (const claim of claims) {
      const consent = isAskedFor(claim, address, input.desired) ? testConsent(claim, address) : undefined;
      if (consent?.isGiven) continue;
      return { change, owned: { change, claim, missingConsent: consent } };
    }
    const [claim] = claims;
    if (!claim || isOwnedBefore(address, input)) return { change };
    const formerOwner = claim.owner.stack;
    const reasons = [`taken over from stack ${formerOwner}`, reason].filter(Boolean);
    return { change: { ...change, takenFrom: formerOwner, reason: reasons.join('; ') } };
  };
}

/**
 * Warns, in a plan without a ledger key, that the consent of the former owners was not verified. One warning for each former owner. Such a
 * plan cannot be applied, so this is only a warning.
 */
export function reportUnverifiedConsent(
  changes: readonly DecidedChange[],
  { key }: PlanInput,
  report: Reporter,
): void {
  if (key) return;
  const changesByOwner = groupBy(changes, ({ takenFrom }) => takenFrom);
  for (const [stack, takenChanges] of changesByOwner) {
    if (stack === undefined) continue;
    const number = countLogicalChanges(takenChanges);
    report.warning(
      'stack/consent-not-verified',
      `${number} ${number === 1 ? 'object is' : 'objects are'} taken over from stack ${stack}: consent not verified here`,
      { hint: 'this run has no ledger key; the run that applies checks it' },
    );
  }
}

/**
 * True if a claim (a ledger entry of another stack for an object) is outdated: its stack handed the object
 * over (`$handover`), and the named stack owns it by now, or this one did before this plan. The claim stays in
 * the former owner's ledger until that stack is applied again. If it counted, this plan would refuse the object.
 * A run with a key trusts only a verified ledger. `claims`: all claims to the object.
 */
export function isOutdatedClaim(
  { owner, entry: { handover } }: Claim,
  { claims, address, input }: { claims: Claim[]; address: Address; input: OwnershipInput },
): boolean {
  const isTrusted = owner.isVerified || input.key === undefined;
  if (handover === undefined || !isTrusted) return false;
  const isOwnedByHeir = claims.some((claim) =>
    refersToStack(handover, claim.owner.stack, { from: owner.stack }),
  );
  return isOwnedByHeir || isOwnedBefore(address, input);
}

/** True if this stack owned the object before this plan, so that nothing has to be taken over. */
const isOwnedBefore = (address: Address, { ledger, identities }: OwnershipInput): boolean =>
  isOwnEntry(ledger.entries[address]) && !identities?.takenOver?.has(address);
