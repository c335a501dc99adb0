/*
 * Leaves the objects of other stacks to them.
 *
 * Terms: a claim is the ledger entry that another stack has for an object (see `claims.ts`). The heir of an object is the stack that takes
 * it over from this one (see `find-heirs.ts`). The first row that fits decides about a change:
 *
 *   | object                                                                        | change                                               |
 *   | ----------------------------------------------------------------------------- | ---------------------------------------------------- |
 *   | declared, and `$handover` names an heir                                       | handed over: the entry is marked for the heir        |
 *   | declared with `$existing`, ours so far, and has an heir                       | handed over                                          |
 *   | declared, and claimed                                                         | taken over if its owners consent, otherwise an error |
 *   | declared                                                                      | as decided                                           |
 *   | to be deleted by `$exclusive`, and claimed                                    | none: it is unmanaged                                |
 *   | no longer declared, and has an heir                                           | handed over                                          |
 *   | to be deleted, and claimed by a stack before ours by name, which drops it too | none, with a warning, until that stack is applied    |
 *   | no longer declared, and claimed                                               | forgotten                                            |
 *   | to be deleted, and declared by another stack of the workspace                 | none, with a warning                                 |
 */

import { isSingleton } from '../kind/define-kind.ts';
import type { Address } from '../model/address.ts';
import type { DecidedChange, DecidedChangeOf } from '../model/change.ts';
import { type Reporter, warning } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { refersToStack } from '../model/ledger.ts';
import type { LiveResource } from '../model/resource.ts';
import { type Claim, Claims, isClaimedUnread } from './claims.ts';
import type { Decisions, PreparedInput } from './comparison.ts';
import {
  createOwnedElsewhereProblems,
  createTakeOverDecider,
  formatOtherStack,
  isOutdatedClaim,
  type OwnedElsewhere,
  reportUnverifiedConsent,
} from './take-over.ts';

/** The data that decides about objects of other stacks. */
interface OwnershipContext {
  input: PreparedInput;
  claims: Claims;
  report: Reporter;
}

/** The decision about one change after other stacks were considered. Without `change`, the object is left alone. */
interface OwnershipDecision {
  change?: DecidedChange;
  /** Set for a live object that this stack turned out not to own. */
  unmanaged?: LiveResource;
  /** Set if the configuration declares an object that another stack keeps. */
  owned?: OwnedElsewhere;
}

/**
 * Returns the decisions of a plan adapted to the objects of other stacks, because several stacks can share one account. A declared object
 * of another stack is taken over if that stack consents, otherwise it is an error; an undeclared one is left alone, handed over or
 * forgotten (all cases are in the table at the top of the file). Also reports each container that cannot be deleted because another stack
 * owns something in it, and take-overs whose consent cannot be verified because this run has no ledger key.
 */
export function leaveOwnedElsewhere(decisions: Decisions, input: PreparedInput, report: Reporter): Decisions {
  if (!mayConcernOtherStacks(decisions, input)) return decisions;
  const { otherStacks = [], kinds, live } = input;
  const claims = new Claims(otherStacks, kinds, (address) => live.resources.get(address));
  const context = { input, claims, report };
  const decideTakeOver = createTakeOverDecider(input);
  const outcomes = decisions.changes.map((change) => decideOwnership(change, decideTakeOver, context));
  const changes = outcomes.flatMap(({ change }) => change ?? []);
  const owned = outcomes.flatMap((outcome) => outcome.owned ?? []);
  const unmanaged = [...decisions.unmanaged, ...outcomes.flatMap((outcome) => outcome.unmanaged ?? [])];
  for (const change of changes) reportContentOfOthers(change, context);
  report.add(createOwnedElsewhereProblems(owned, input));
  reportUnverifiedConsent(changes, input, report);
  // Also true if the stack is one whose ledger was not read (`isClaimedUnread`).
  const isOfOtherStack = (object: LiveResource) =>
    claims.firstFor(object, object.address) !== undefined || isClaimedUnread(object, input);
  return { ...decisions, changes, unmanaged, ofOtherStacks: new Set(unmanaged.filter(isOfOtherStack)) };
}

/**
 * True if a plan has to consider other stacks: there are some in the store (with their ledgers, or with `unreadClaims` of ledgers that were
 * not read) or in the workspace (`siblings`), or an object is handed over to one. Otherwise `leaveOwnedElsewhere` keeps all decisions.
 */
function mayConcernOtherStacks(
  { changes }: Decisions,
  { otherStacks = [], unreadClaims, options, ledger }: PreparedInput,
): boolean {
  const isHandedOver = ({ handover }: { handover?: string | undefined }) => handover !== undefined;
  return (
    otherStacks.length > 0 ||
    unreadClaims !== undefined ||
    Boolean(options?.siblings?.length) ||
    changes.some(isHandedOver) ||
    Object.values(ledger.entries).some(isHandedOver)
  );
}

/**
 * Decides about one change by the table at the top. An object that is no longer declared may belong to another stack (`decideDropped`). A
 * declared one is handed over if it has an heir (the stack that takes it over), and otherwise taken over if another stack owns it
 * (`decideTakeOver`); with `$existing`, or if the ledger only forgets it, the change stays.
 */
function decideOwnership(
  change: DecidedChange,
  decideTakeOver: ReturnType<typeof createTakeOverDecider>,
  context: OwnershipContext,
): OwnershipDecision {
  const claimsToObject = findClaims(change, context);
  const [firstClaim] = claimsToObject;
  if (!change.after) return decideDropped(change, firstClaim, context);
  const heir = change.handover ?? existingHeir(change, context);
  if (heir !== undefined) return { change: handOverTo(change, heir, firstClaim, context.input) };
  const isOurs = !change.after.meta.existing && change.action !== 'forget';
  return isOurs ? decideTakeOver(change, claimsToObject) : { change };
}

/**
 * Returns the heir (the stack that takes it over) of an object of ours that is now declared with `$existing`, such as a container with
 * objects that stay here.
 */
const existingHeir = (
  { address, action, after }: DecidedChange,
  { input: { heirs } }: OwnershipContext,
): string | undefined => (after?.meta.existing && action === 'release' ? heirs.heirOf(address) : undefined);

/**
 * Returns the claims of other stacks (entries in their ledgers) to the live object of a change, so that the
 * plan leaves the object to them. Outdated ones (already handed over) are left out. None for a block that
 * only encloses others (such as a firewall with only rules), because several stacks may have it.
 */
function findClaims(
  { address, kind, before, after, declared }: DecidedChange,
  { input, claims }: OwnershipContext,
): Claim[] {
  const isOnlyFrame = after && isSingleton(input.kinds.get(kind)!) && !declared?.length;
  if (!before || isOnlyFrame) return [];
  const claimsToObject = claims.allFor(before, address);
  return claimsToObject.filter(
    (claim) => !isOutdatedClaim(claim, { claims: claimsToObject, address, input }),
  );
}

/**
 * Decides about an object that this configuration no longer declares. It is deleted or released as decided, unless another stack is
 * concerned: then it is handed over to the stack that takes it (the heir), left to the stack that has it in its ledger (`claim`), or, with
 * a warning and no change, kept for now: because another stack declares it, or has to forget it first (`isLastOwner`). `$exclusive` deletes
 * everything but objects with a claim.
 */
function decideDropped(
  change: DecidedChange,
  claim: Claim | undefined,
  context: OwnershipContext,
): OwnershipDecision {
  const { input, report } = context;
  const { heirs } = input;
  const { address, action } = change;
  if (action !== 'delete' && action !== 'release') return { change };
  if (change.exclusive && claim) {
    report.add(createLeftByExclusive(address, claim));
    return { unmanaged: change.before };
  }
  if (change.exclusive) return { change };
  const heir = heirs.heirOf(address);
  if (heir !== undefined) return { change: handOverTo(change, heir, claim, input) };
  if (claim && action === 'delete' && isLastOwner(claim, context)) {
    report.add(createDroppedByBoth(change, claim));
    return {};
  }
  if (claim) return { change: giveUpObject(change, `left to the stack ${claim.owner.stack}, also an owner`) };
  const declarer = action === 'delete' && !input.options?.destroy ? heirs.declarerOf(address) : undefined;
  if (declarer === undefined) return { change };
  report.add(createDeclaredBySibling(change, declarer, input));
  return {};
}

/**
 * Returns the change of an object that another stack (`heir`) may take over, because of `$handover` here or `$from` there. Nothing is sent.
 * The ledger entry is marked with its heir and stays, so that the heir finds the consent and the last applied values even if it is applied
 * first, or if a run is killed. It is dropped once the heir or another stack owns the object (`claim`), or if this stack is destroyed.
 */
function handOverTo(
  change: DecidedChange,
  heir: string,
  claim: Claim | undefined,
  { ledger, options, desired }: PreparedInput,
): DecidedChange {
  // The heir that an earlier run recorded in the entry.
  const recordedHeir = ledger.entries[change.address]?.handover;
  const isWithHeir = !claim || refersToStack(heir, claim.owner.stack, { from: desired.stack });
  const reason = isWithHeir
    ? `handed over to the stack ${heir}`
    : `left to the stack ${claim.owner.stack}, also an owner`;
  const release = giveUpObject(change, reason);
  const dropsEntry = claim !== undefined || options?.destroy === true;
  if (dropsEntry) {
    // If an heir is recorded, the handover was approved before, and this only changes the ledger.
    const isApproved = recordedHeir !== undefined;
    return isApproved ? { ...release, changesLedgerOnly: true } : release;
  }
  const isMarked = recordedHeir === heir;
  return isMarked ? asPendingHandover(release, heir) : { ...release, handover: heir };
}

/** Returns a change that sends and records nothing: the handover to `heir` is recorded already, and waits for that stack. */
function asPendingHandover(release: ReturnType<typeof giveUpObject>, heir: string): DecidedChange {
  const { after, changesLedgerOnly: _, ...outline } = release;
  return {
    ...outline,
    // Without `after`, no later step looks at the block.
    after: after?.meta.existing ? after : undefined,
    action: 'noop',
    reason: `waits for the stack ${heir} to take it over`,
    handover: heir,
  };
}

/**
 * True if the stack with this claim drops the object as well, and this stack has to delete it later. This happens after `$from` if only the
 * new owner was applied. If each stack left the object to the other one, it would stay without an owner. So the last stack by name keeps it
 * until the other one has forgotten it, and then deletes it.
 */
const isLastOwner = (claim: Claim, { input: { desired, heirs } }: OwnershipContext): boolean =>
  claim.owner.stack < desired.stack && heirs.isDropped(claim);

/**
 * Returns the change by which this stack stops owning an object, because another stack owns it or takes it over. Nothing is sent. An object
 * that is declared with `$existing` stays in the ledger, as an object of another stack.
 */
function giveUpObject(change: DecidedChange, reason: string): DecidedChangeOf<'release' | 'forget'> {
  if (change.action === 'release' && change.after?.meta.existing) return { ...change, reason };
  const { address, kind, id, parent, recordedAddress, before, after, at } = change;
  return {
    address,
    kind,
    action: 'forget',
    fields: [],
    grade: 'safe',
    reason,
    id,
    parent,
    recordedAddress,
    before,
    after,
    at,
  };
}

/**
 * Reports a container (an object with content, such as a project) that is deleted, or an object that is
 * replaced, although it contains objects of other stacks, or objects that are handed over to one. The platform
 * would delete these objects too.
 */
function reportContentOfOthers(change: DecidedChange, { input, claims, report }: OwnershipContext): void {
  const { address, kind, before, at, action } = change;
  if (!mayLoseContent(change, input)) return;
  const claimed = claims.listInside(before ?? { kind, ids: [] }, address).map((claim) => ({
    address: claim.address,
    stack: claim.owner.stack,
    state: `owned by ${formatOtherStack(claim.owner, input.now)}`,
  }));
  const handedOver = input.heirs
    .handedOverIn(address)
    .map((object) => ({ ...object, state: `handed over to the stack ${object.stack}` }));
  const inside = [...claimed, ...handedOver];
  const [first] = inside;
  if (!first) return;
  const addresses = inside.map((object) => object.address);
  const verb = action === 'replace' ? 'replaced' : 'deleted';
  report.error(
    'stack/inside',
    `${address} cannot be ${verb}: ${listFirst(addresses, 3)} ${inside.length > 1 ? 'are' : 'is'} ${first.state}`,
    { address, at, hint: `first remove what the stack ${first.stack} owns in it, or keep ${address}` },
  );
}

/**
 * True if a change deletes a container, or replaces an object of a kind that can have others in it. Deletions of other objects are
 * checked in `check-dangling-references.ts`, by the live objects in them.
 */
function mayLoseContent({ kind: name, action }: DecidedChange, { kinds }: PreparedInput): boolean {
  const kind = kinds.get(name)!;
  if (action === 'replace') return [...kinds.values()].some(({ parent }) => parent === name);
  return action === 'delete' && kind.lifecycle.container === true;
}

/** Creates the warning that `$exclusive` keeps an undeclared object, because another stack owns it. */
const createLeftByExclusive = (address: Address, { owner }: Claim) =>
  warning(
    'stack/left',
    `${address} is not declared here and is kept: it is owned by the stack ${owner.stack}`,
    {
      address,
      hint: '`$exclusive` deletes nothing of another stack',
    },
  );

/**
 * Creates the warning that a plan keeps an object for now although it is no longer declared, because another stack owns it too and has to
 * be applied first.
 */
const createDroppedByBoth = ({ address }: DecidedChange, { owner }: Claim) =>
  warning(
    'stack/dropped-by-both',
    `${address} is no longer declared here, nor by the stack ${owner.stack}, which owns it as well: it is kept until that stack is applied`,
    { address, hint: `apply the stack ${owner.stack}; the next apply of this one then deletes it` },
  );

/**
 * Creates the warning that a plan keeps an object that is no longer declared, because another stack of the workspace declares it without
 * owning it.
 */
const createDeclaredBySibling = ({ address }: DecidedChange, stack: string, { desired }: PreparedInput) =>
  warning(
    'stack/declared-there',
    `${address} is no longer declared here, but by the stack ${stack}, which does not own it: it is kept`,
    {
      address,
      hint: `write \`$from: ${desired.stack}\` in its block in ${stack} to move it there; to delete it, remove it from ${stack} first`,
    },
  );
