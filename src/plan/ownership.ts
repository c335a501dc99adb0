import type { Address } from '../model/address.ts';
import type { Change, ChangeOf } from '../model/change.ts';
import { type Reporter, warning } from '../model/diagnostic.ts';
import { meansStack } from '../model/ledger.ts';
import { dropUndefined } from '../model/walk.ts';
import { type Claim, Claims } from './claims.ts';
import type { Decisions } from './comparison.ts';
import { createTakeOverDecision, isOutdatedClaim, reportUnverified } from './decide-take-over.ts';
import { createHeirFinder, type Heirs } from './find-heirs.ts';
import type { PlanInput } from './input.ts';
import { createOwnedElsewhereProblems, formatOtherStack, type OwnedElsewhere } from './owned-elsewhere.ts';

interface OwnershipContext {
  input: PlanInput;
  claims: Claims;
  heirs: Heirs;
  decisions: Decisions;
  report: Reporter;
}

/**
 * Leaves other stacks' objects to them. Declaring one is an error unless its owner consents to a take-over, dropping one only forgets it,
 * `$exclusive` leaves it alone, and nothing around it is deleted.
 */
export function leaveOwnedElsewhere(decisions: Decisions, input: PlanInput, report: Reporter): void {
  const { otherStacks = [], kinds, options, ledger, live } = input;
  const isAlone = otherStacks.length === 0 && !options?.siblings?.length;
  const hasHandovers =
    decisions.changes.some(({ handover }) => handover !== undefined) ||
    Object.values(ledger.entries).some(({ handover }) => handover !== undefined);
  if (isAlone && !hasHandovers) return;
  const claims = new Claims(otherStacks, kinds, (address) => live.resources.get(address));
  const context = { input, claims, heirs: createHeirFinder(input), decisions, report };
  const owned: OwnedElsewhere[] = [];
  const decide = createTakeOverDecision(input, owned);
  decisions.changes = decisions.changes.flatMap((change) => {
    const claims = claimsTo(change, context);
    if (!change.after) return droppedChange(change, claims[0], context);
    const heir = change.handover ?? existingHeir(change, context);
    if (heir !== undefined) return handOver(change, heir, claims[0], input);
    return change.after.meta.existing || change.action === 'forget' ? change : decide(change, claims);
  });
  for (const change of decisions.changes) refuseInside(change, context);
  report.add(...createOwnedElsewhereProblems(owned, input));
  reportUnverified(decisions.changes, input, report);
}

/** Returns the heir of an object of ours that is now declared with `$existing`, such as a container with objects that stay here. */
const existingHeir = ({ address, action, after }: Change, { heirs }: OwnershipContext): string | undefined =>
  after?.meta.existing && action === 'release' ? heirs.heirOf(address) : undefined;

/** The claims of other stacks to the object of a change. */
function claimsTo(
  { address, kind, before, after, declared }: Change,
  { input, claims }: OwnershipContext,
): Claim[] {
  const isOnlyFrame = after && input.kinds.get(kind)!.key.length === 0 && !declared?.length;
  if (!before || isOnlyFrame) return [];
  const all = claims.allFor(before, address);
  return all.filter((claim) => !isOutdatedClaim(claim, { all, address, input }));
}

/** Decides about an object that is no longer declared: another stack may own it, or be about to take it over. */
function droppedChange(change: Change, claim: Claim | undefined, context: OwnershipContext): Change[] {
  const { input, heirs, decisions, report } = context;
  const { address, action } = change;
  if (action !== 'delete' && action !== 'release') return [change];
  if (change.exclusive) {
    if (!claim) return [change];
    decisions.unmanaged.push(change.before);
    report.add(leftByExclusive(address, claim));
    return [];
  }
  const heir = heirs.heirOf(address);
  if (heir !== undefined) return [handOver(change, heir, claim, input)];
  if (claim) {
    if (action === 'delete' && isLastOwner(claim, context)) {
      report.add(droppedByBoth(change, claim));
      return [];
    }
    return [giveUp(change, `left to the stack ${claim.owner.stack}, which owns it as well`)];
  }
  const declarer = action === 'delete' && !input.options?.destroy ? heirs.declarerOf(address) : undefined;
  if (declarer === undefined) return [change];
  report.add(declaredBySibling(change, declarer, input));
  return [];
}

/**
 * Returns the change of an object that another stack may take over. Nothing is sent. The entry stays, marked with its heir, until the heir
 * owns the object. So the heir finds the consent and the last applied values, in whichever order the stacks are applied, and wherever a
 * run is killed.
 */
function handOver(
  change: Change,
  heir: string,
  claim: Claim | undefined,
  { ledger, options, desired }: PlanInput,
): Change {
  const mark = ledger.entries[change.address]?.handover;
  const isHeirs = !claim || meansStack(heir, claim.owner.stack, { from: desired.stack });
  const release = giveUp(
    change,
    isHeirs
      ? `handed over to the stack ${heir}`
      : `left to the stack ${claim.owner.stack}, which owns it as well`,
  );
  if (claim || options?.destroy)
    return mark === undefined ? release : { ...release, changesLedgerOnly: true };
  if (mark !== heir) return { ...release, handover: heir };
  // Its block is history: nothing orders, compares or counts it.
  const { after, changesLedgerOnly: _, ...outline } = release;
  return {
    ...outline,
    ...(after?.meta.existing ? { after } : {}),
    action: 'noop',
    reason: `waits for the stack ${heir} to take it over`,
    handover: heir,
  };
}

/**
 * True if the stack with this claim drops the object, too, as after `$from` where only the new home was applied. If each left it to the
 * other, it would stay and belong to nobody: the last one by name keeps it until the other one has forgotten it, and then deletes it.
 */
const isLastOwner = (claim: Claim, { input, heirs }: OwnershipContext): boolean =>
  claim.owner.stack < input.desired.stack && heirs.isDropped(claim);

/**
 * Returns the change by which this stack gives an object up, and sends nothing. An object that is declared with `$existing` stays in the
 * ledger as one of others.
 */
function giveUp(change: Change, reason: string): ChangeOf<'release' | 'forget'> {
  if (change.action === 'release' && change.after?.meta.existing) return { ...change, reason };
  const { address, kind, id, parent, recordedAddress, before, after, at } = change;
  return {
    address,
    kind,
    action: 'forget',
    fields: [],
    grade: 'safe',
    reason,
    ...dropUndefined({ id, parent, recordedAddress, before, after, at }),
  };
}

/** Refuses to delete a container with objects of other stacks, or with objects on their way to one. */
function refuseInside(
  { address, kind, before, at, action }: Change,
  { input, claims, heirs, report }: OwnershipContext,
): void {
  const isGoing = action === 'delete' || action === 'replace';
  if (!isGoing || !input.kinds.get(kind)!.lifecycle.container) return;
  const inside = [
    ...claims.listInside(before ?? { kind, ids: [] }, address).map((claim) => ({
      address: claim.address,
      stack: claim.owner.stack,
      is: `owned by ${formatOtherStack(claim.owner, input.now)}`,
    })),
    ...heirs
      .handedOverIn(address)
      .map((object) => ({ ...object, is: `handed over to the stack ${object.stack}` })),
  ];
  const [first] = inside;
  if (!first) return;
  const names = inside.slice(0, 3).map((object) => object.address);
  const more = inside.length > 3 ? ` and ${inside.length - 3} more` : '';
  const verb = action === 'replace' ? 'replaced' : 'deleted';
  report.error(
    'stack/inside',
    `${address} cannot be ${verb}: ${names.join(', ')}${more} ${inside.length > 1 ? 'are' : 'is'} ${first.is}`,
    { address, at, hint: `first remove what the stack ${first.stack} owns in it, or keep ${address}` },
  );
}

const leftByExclusive = (address: Address, { owner }: Claim) =>
  warning(
    'stack/left',
    `${address} is not declared here and is kept: it is owned by the stack ${owner.stack}`,
    {
      address,
      hint: '`$exclusive` deletes nothing of another stack',
    },
  );

const droppedByBoth = ({ address }: Change, { owner }: Claim) =>
  warning(
    'stack/dropped-by-both',
    `${address} is no longer declared here, nor by the stack ${owner.stack}, which owns it as well: it is kept until that stack is applied`,
    { address, hint: `apply the stack ${owner.stack}; the next apply of this one then deletes it` },
  );

const declaredBySibling = ({ address }: Change, stack: string, { desired }: PlanInput) =>
  warning(
    'stack/declared-there',
    `${address} is no longer declared here, but by the stack ${stack}, which does not own it: it is kept`,
    {
      address,
      hint: `write \`$from: ${desired.stack}\` in its block in ${stack} to move it there; to delete it, remove it from ${stack} first`,
    },
  );
