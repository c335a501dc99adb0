/*
 * Decides about each address of a plan.
 *
 * The first row that fits gives the state of an address:
 *
 *   | state        | premise                                                        | decision                                      |
 *   | ------------ | -------------------------------------------------------------- | --------------------------------------------- |
 *   | not read     | a reading for `--target` does not cover it                     | none for it and for all that needs it         |
 *   | unreadable   | its collection could not be read                               | none for it and for all that needs it         |
 *   | unidentified | which live object it means is uncertain, or its kind unknown,  | none for it                                   |
 *   |              | or it is only live, in a collection that is unreadable in part |                                               |
 *   | comparable   | none of these                                                  | `decide-declared.ts`, `decide-undeclared.ts`  |
 */
import { isSingleton, parentOf, secretIdOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { type Address, addressOf, ancestorsAmong, byAddress } from '../model/address.ts';
import { createsObject, type DecidedChange, findReplacedAddresses } from '../model/change.ts';
import { type Diagnostic, Reporter } from '../model/diagnostic.ts';
import { findDigestKeyOfId } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import type { NotComparedCause, NotComparedFinding } from '../model/not-compared.ts';
import { collectionParts, findReadFailure, type ReadFailure, type Resource } from '../model/resource.ts';
import { refsIn } from '../model/value.ts';
import {
  type Comparison,
  type DecisionNotes,
  type Decisions,
  isDeclared,
  type PreparedInput,
} from './comparison.ts';
import { decideDeclared } from './decide-declared.ts';
import { decideUndeclared } from './decide-undeclared.ts';
import type { PlanInput } from './input.ts';
import { chooseLiveObject, isUnidentifiable } from './match-live-objects.ts';
import { findJoinedUnits } from './shared-rows.ts';
import { orderObjectsFirst } from './shown-secrets.ts';

/** The state of an address, by the table at the top. */
type FoundState =
  | { state: 'not read' }
  | { state: 'unreadable'; failure: ReadFailure }
  | { state: 'unidentified' }
  | { state: 'comparable'; comparison: Comparison };

/** The data that decisions about all addresses share. */
type DecisionContext = Pick<Comparison, 'input' | 'joinedUnits' | 'notes' | 'report'> & {
  isReplacedOutside(address: Address): boolean;
  /** The reading failures of lists, by the addresses around them. */
  unreadContents: ReadonlyMap<Address, ReadFailure>;
};

/**
 * Decides about each address that is declared, live or recorded in the ledger, and returns at most one change
 * for each. This is the core of planning: the rest of `plan` completes these changes, orders them and drafts
 * their requests. Problems do not throw: they go to `report`. A replaced object gets another id, so if others
 * refer to the id, all is decided again with that id as unknown.
 */
export function decide(input: PreparedInput, report: Reporter): Decisions {
  let replaced: ReadonlySet<Address> = new Set();
  for (;;) {
    const diagnostics: Diagnostic[] = [];
    const decisions = decideAll({ ...input, replaced }, new Reporter(diagnostics));
    const replacedAddresses = [...findReplacedAddresses(decisions.changes)];
    const newlyFound = new Set(replacedAddresses.filter((address) => !replaced.has(address)));
    if (newlyFound.size === 0 || !isAnyReferredTo(newlyFound, input)) {
      report.add(diagnostics);
      return decisions;
    }
    replaced = new Set([...replaced, ...newlyFound]);
  }
}

/** True if the configuration refers to one of these objects. */
const isAnyReferredTo = (addresses: ReadonlySet<Address>, { desired }: PlanInput): boolean =>
  [...desired.resources.values()].some(({ fields }) =>
    refsIn(fields).some((address) => addresses.has(address)),
  );

/**
 * Decides about each address: a change, or why there is none. Changes that need an object that was not read are left out. Objects whose
 * addresses are in `input.replaced` get new ids, so references to them count as unknown.
 */
function decideAll(input: PreparedInput, report: Reporter): Decisions {
  const context = createDecisionContext(input, report);
  const decisions = addressesToDecide(input).map((address) => decideAddress(address, context));
  reportUnreadableCollections(input, report);

  const unknownAddresses = decisions.filter(({ isUnknown }) => isUnknown).map(({ address }) => address);
  const allChanges = decisions.flatMap(({ change }) => change ?? []);
  const { changes, leftOut } = leaveOutDependents(allChanges, unknownAddresses, input);
  const isIncomplete = input.live.unreadable.size > 0;
  // Without unreadable lists, changes are left out only because of `--target`.
  if (!isIncomplete) refuseLeftOut(leftOut, input, report);
  const dependents = isIncomplete ? leftOut : [];
  const { notes, joinedUnits } = context;
  return {
    ...notes,
    unmanaged: notes.unmanaged.sort(byAddress),
    notCompared: [
      ...notes.notCompared,
      ...dependents.flatMap(({ address }) => createFindings(address, input, { cause: 'dependency' })),
    ],
    changes: changes.sort(byAddress),
    isIncomplete,
    joinedUnits,
  };
}

/** Creates the data that the decisions about all addresses share, with empty notes. */
function createDecisionContext(input: PreparedInput, report: Reporter): DecisionContext {
  const notes: DecisionNotes = {
    unmanaged: [],
    unverifiedSecrets: new Set(),
    notCompared: [],
    created: new Set(),
    replaced: new Set(),
  };
  return {
    input,
    notes,
    report,
    joinedUnits: findJoinedUnits(input),
    isReplacedOutside: createReplacedOutsideTest(input),
    unreadContents: findUnreadContents(input),
  };
}

/** The decision about one address. */
interface AddressDecision {
  address: Address;
  change?: DecidedChange | undefined;
  /** True in the states `not read` and `unreadable`: changes that need the address are left out, because its object may not exist. */
  isUnknown?: boolean;
}

/**
 * Decides what the plan does about one address: finds its state, and compares desired, live and recorded object if it is comparable.
 * Otherwise notes for the report why it was not compared.
 */
function decideAddress(address: Address, context: DecisionContext): AddressDecision {
  const { input, notes } = context;
  const addressState = findState(address, context);
  switch (addressState.state) {
    case 'not read':
      return { address, isUnknown: true };
    case 'unreadable':
      notes.notCompared.push(
        ...createFindings(address, input, { cause: 'unread', why: addressState.failure.cause }),
      );
      return { address, isUnknown: true };
    case 'unidentified':
      if (input.desired.resources.has(address))
        notes.notCompared.push(...createFindings(address, input, { cause: 'unidentified' }));
      return { address };
    case 'comparable':
      return decideComparison(addressState.comparison, context);
  }
}

/**
 * Returns all addresses that are declared, live or recorded, in the order in which they are decided: an object comes before the variable
 * with its secret, because the variable is written only if the object is created.
 */
const addressesToDecide = (input: PlanInput): Address[] => {
  const addresses = new Set([
    ...input.desired.resources.keys(),
    ...input.live.resources.keys(),
    ...Object.keys(input.ledger.entries),
  ]);
  return orderObjectsFirst([...addresses].sort(), input);
};

/**
 * Decides about an address whose desired, live and recorded object are all certain. Without a change, there is nothing to do, or a report
 * says why nothing may be done. A deletion or replacement is dropped if lists in the object could not be read, because objects that the
 * plan does not show would be deleted with it. Notes the created and replaced objects, on which later decisions depend.
 */
function decideComparison(
  comparison: Comparison,
  { input, notes, unreadContents }: DecisionContext,
): AddressDecision {
  const { address } = comparison;
  const change = isDeclared(comparison) ? decideDeclared(comparison) : decideUndeclared(comparison);
  if (!change || mustLeaveAlone(change, comparison)) return { address };
  const deletesContents = change.action === 'delete' || change.action === 'replace';
  const failure = deletesContents ? unreadContents.get(address) : undefined;
  if (failure) {
    notes.notCompared.push(...createFindings(address, input, { cause: 'unread', why: failure.cause }));
    return { address };
  }
  if (createsObject(change)) notes.created.add(address);
  if (change.action === 'replace') notes.replaced.add(address);
  return { address, change };
}

/**
 * True if an object would be deleted, replaced, or taken from its parent because of an unverified ledger entry. Reports it as a warning.
 * Otherwise somebody who can write to the store of the ledger could delete any object by recording its id as ours. A deletion by
 * `$exclusive` goes ahead, since the configuration asks for it.
 */
function mustLeaveAlone(
  { action, exclusive, recordedAddress, before }: DecidedChange,
  { address, entry, input, report }: Comparison,
): boolean {
  const isTransferred = before?.transfer !== undefined;
  const isLost = isTransferred || action === 'replace' || (action === 'delete' && !exclusive);
  const isBecauseOfLedger = entry !== undefined || recordedAddress !== undefined;
  if (!isLost || !isBecauseOfLedger || input.unverifiedReason === undefined) return false;
  report.warning(
    'ledger/left-alone',
    `${address} is left alone: it would be ${isTransferred ? 'move' : action}d because of the ledger, but ${input.unverifiedReason}`,
    { address },
  );
  return true;
}

/**
 * Creates the finding that the plan did not compare an address, in a list; empty if neither the configuration
 * nor the ledger has an object there. The plan shows the findings, because an empty plan proves nothing about
 * these objects.
 */
function createFindings(
  address: Address,
  { desired, ledger }: PlanInput,
  { cause, why }: { cause: NotComparedCause; why?: string },
): NotComparedFinding[] {
  const resource = desired.resources.get(address);
  const kind = resource?.kind ?? ledger.entries[address]?.kind;
  if (kind === undefined) return [];
  return [
    {
      cause,
      why,
      address,
      kind,
      at: resource?.at,
      undeclared: resource ? undefined : true,
    },
  ];
}

/**
 * Finds the desired, live and recorded object of an address, from which the plan makes the change. If one of them is uncertain, returns why
 * it cannot be compared: 'not read' (outside of the `--target` reading), 'unreadable' (its list failed) or 'unidentified': its kind, or
 * which live object it means, is unknown (reported here), or it is only live, in a list that failed in part. Notes other live objects of
 * the same name as unmanaged, unless they are ours.
 */
function findState(address: Address, context: DecisionContext): FoundState {
  const { isReplacedOutside, unreadContents: _, ...shared } = context;
  const { input, notes, report } = context;
  const { live } = input;
  const desired = input.desired.resources.get(address);
  const recorded = input.ledger.entries[address];
  const liveObject = live.resources.get(address);
  const isDeclaredOrRecorded = desired !== undefined || recorded !== undefined;
  if (live.scope && !live.scope.has(address) && isDeclaredOrRecorded) return { state: 'not read' };
  const kindName = (desired ?? recorded ?? liveObject)!.kind;
  const kind = input.kinds.get(kindName);
  if (!kind) {
    reportUnknownKind(address, kindName, report);
    return { state: 'unidentified' };
  }
  const parent = desired?.parent ?? liveObject?.parent ?? parentOf(address, kind);
  const failure = findReadFailure(live, { kind: kindName, parent, address });
  // An object that is only live there is neither ours nor wanted, so nothing depends on it.
  if (failure) return isDeclaredOrRecorded ? { state: 'unreadable', failure } : { state: 'unidentified' };
  const { chosen, otherObjects, problem } = chooseLiveObject(liveObject, desired, recorded);
  notes.unmanaged.push(...otherObjects.filter(({ id }) => !recorded?.ids.includes(id)));
  if (problem) {
    report.add(problem);
    return { state: 'unidentified' };
  }
  // The platform deletes a declared object together with a replaced one around it, so it counts as absent.
  const [lostWith] = desired && chosen ? ancestorsAmong(parent ?? '', notes.replaced) : [];
  const comparison: Comparison = {
    ...shared,
    address,
    kind,
    parent,
    desired,
    live: lostWith === undefined ? chosen : undefined,
    lostWith,
    entry: recorded?.existing ? undefined : recorded,
    isRecordedAsExisting: recorded?.existing ?? false,
    isReplacedOutside: isReplacedOutside(address),
  };
  return isUnidentifiable(comparison) ? { state: 'unidentified' } : { state: 'comparable', comparison };
}

/** Warns that the ledger has an object of a kind that this version does not have, which the plan leaves alone. */
function reportUnknownKind(address: Address, kindName: string, report: Reporter): void {
  report.warning(
    'ledger/unknown-kind',
    `the ledger has ${address}, a ${kindName}, which this version does not support`,
    { address, hint: 'it is left alone; use the version of trueup that applied it' },
  );
}

/**
 * Returns the failures of lists that could not be read, by all addresses around each list. A plan neither
 * deletes nor replaces the objects there, because objects that it does not show would be deleted with them.
 */
function findUnreadContents({ live }: PlanInput): ReadonlyMap<Address, ReadFailure> {
  const failures = new Map<Address, ReadFailure>();
  for (const [id, failure] of live.unreadable) {
    const [parent = ''] = collectionParts(id);
    for (const address of ancestorsAmong(parent, live.resources)) failures.set(address, failure);
  }
  return failures;
}

/**
 * Reports each list of the account (objects of one kind under one parent) that could not be read, since
 * nothing in it is planned. Lists below it were not requested, so they are not reported. Without
 * `--allow-incomplete` such a plan is not applied.
 */
function reportUnreadableCollections({ live, desired, kinds }: PlanInput, report: Reporter): void {
  for (const [id, { why, cause, below, isForLater, scopeHint, readAddresses = [] }] of live.unreadable) {
    if (below !== undefined) continue;
    const [parent, kind] = collectionParts(id);
    const resource = desired.resources.get(parent ?? '');
    const address = addressOf(parent, kinds.get(kind)!.section, []);
    const remedy = scopeHint ?? (isForLater ? 'run again later' : 'run again');
    const next = `${remedy}, or go on with the rest: --allow-incomplete (without it, the exit code is ${isForLater ? 75 : 1} and nothing is applied)`;
    const exception = [...readAddresses].map((read) => `, except for ${read}`).join('');
    report.error('observe/incomplete', `${address} could not be read${exception}: ${why}`, {
      address,
      at: resource?.at,
      isForLater,
      hint: `it, its contents and its dependents are not planned; ${next}`,
      alike: {
        cause: `${kind} ${cause}`,
        are: `lists could not be read (${cause})`,
        hint: `they, their contents and their dependents are not planned; ${next}`,
      },
    });
  }
}

/**
 * Refuses changes that were left out because the reading for `--target` does not cover an address that they need. This does not happen if
 * `find-scope.ts` is right, so it is a safety net.
 */
function refuseLeftOut(leftOut: DecidedChange[], { live: { scope } }: PlanInput, report: Reporter): void {
  if (!scope) return;
  for (const { address, needs = [] } of leftOut)
    report.error(
      'target/unread',
      `${address} needs ${needs.find((need) => !scope.has(need)) ?? 'something'}, which was not read`,
      { address, hint: 'plan without --target, or target that too' },
    );
}

/**
 * Divides changes into those that the plan keeps and those that it leaves out, because they need an object that could not be read
 * (`unknownAddresses`) or another change that is left out. A change is also left out if it replaces an object that those left out lie in or
 * refer to, since they could not follow its new id, or creates an object whose secret would go to a variable that is left out.
 */
function leaveOutDependents(
  changes: DecidedChange[],
  unknownAddresses: readonly Address[],
  { desired }: PlanInput,
): { changes: DecidedChange[]; leftOut: DecidedChange[] } {
  if (unknownAddresses.length === 0) return { changes, leftOut: [] };
  const replaced = findReplacedAddresses(changes);
  const created = new Set(changes.filter(createsObject).map(({ address }) => address));
  const secretVariables = groupBy(
    created.size === 0 ? [] : desired.resources.values(),
    ({ meta }) => meta.secretOf?.object,
  );
  const leftOut: LeftOutAddresses = {
    addresses: new Set(),
    mustKeepId: new Set(),
    created,
    secretVariables,
  };
  const leaveOut = (address: Address) => {
    leftOut.addresses.add(address);
    const references = replaced.size > 0 ? refsIn(desired.resources.get(address)?.fields ?? {}) : [];
    for (const needed of [...ancestorsAmong(address, replaced), ...references])
      leftOut.mustKeepId.add(needed);
  };
  unknownAddresses.forEach(leaveOut);
  let remaining = changes;
  let countBefore: number;
  // Each change that is left out may be needed by others, so the passes are repeated until one leaves out nothing. Within a pass, it
  // already leads to others, so that a long chain of needs takes few passes.
  do {
    countBefore = remaining.length;
    const notDependent: DecidedChange[] = [];
    for (const change of remaining)
      if (isDependent(change, leftOut)) leaveOut(change.address);
      else notDependent.push(change);
    remaining = notDependent;
  } while (remaining.length < countBefore);
  return { changes: remaining, leftOut: changes.filter(({ address }) => leftOut.addresses.has(address)) };
}

/** The addresses that a plan leaves out so far, with the facts by which others depend on them. */
interface LeftOutAddresses {
  addresses: Set<Address>;
  /**
   * The objects that those left out lie in or refer to. They must keep their ids, because an object left out cannot follow a replacement.
   */
  mustKeepId: Set<Address>;
  /** The objects that the plan creates or replaces. */
  created: ReadonlySet<Address>;
  /** The variables that take the secret of an object, by the address of the object. The platform shows the secret only at the creation. */
  secretVariables: ReadonlyMap<Address | undefined, readonly Resource[]>;
}

/**
 * True if a change must be left out together with others: it needs one of them, it replaces an object that must keep its id for them, or it
 * creates an object whose secret would go to a variable that is left out. A change that only takes an object away, such as a deletion,
 * goes ahead.
 */
function isDependent(
  { address, action, after, needs = [] }: DecidedChange,
  { addresses, mustKeepId, created, secretVariables }: LeftOutAddresses,
): boolean {
  if (after === undefined) return false;
  const variables = created.has(address) ? (secretVariables.get(address) ?? []) : [];
  return (
    needs.some((needed) => addresses.has(needed)) ||
    (action === 'replace' && mustKeepId.has(address)) ||
    variables.some((variable) => addresses.has(variable.address))
  );
}

/**
 * Creates a test whether the object of an address was replaced outside, that is, deleted and created again: its live id, or that of its
 * parent, is not the recorded one. The last apply then says nothing about the live object. The test remembers its answers, since objects
 * share their parents.
 */
function createReplacedOutsideTest(input: PlanInput): (address: Address) => boolean {
  const { live, ledger, kinds } = input;
  const answers = new Map<Address, boolean>();
  const isReplaced = (address: Address): boolean => {
    const entry = ledger.entries[address];
    const kind = kinds.get(entry?.kind ?? '');
    // A transferred object was found by its recorded id, in the parent that it is in now.
    if (!entry || !kind || live.resources.get(address)?.transfer) return false;
    const parent = parentOf(address, kind);
    return hasOtherId(address, entry.ids, kind, input) || (parent !== undefined && test(parent));
  };
  const test = (address: Address): boolean => {
    const answer = answers.get(address) ?? isReplaced(address);
    answers.set(address, answer);
    return answer;
  };
  return test;
}

/** True if the live object at an address has none of the recorded ids, so that it is another one. False if that cannot be determined. */
function hasOtherId(address: Address, recordedIds: string[], kind: Kind, { live, key }: PlanInput): boolean {
  const object = live.resources.get(address);
  // A singleton has no id of its own. A variable in one target stays the same even in another object of the platform.
  if (!object || kind.shape.byAddress || isSingleton(kind)) return false;
  // An id that the ledger keeps as a digest cannot be compared without the key of the digest.
  if (secretIdOf(kind) !== undefined && !recordedIds.some((id) => findDigestKeyOfId(key, id))) return false;
  return !(object.alternatives ?? [object]).some(({ ids }) => ids.some((id) => recordedIds.includes(id)));
}
