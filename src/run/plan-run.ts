/*
 * Plans from a configuration, a ledger and an account, without a session.
 *
 * The identity of objects is settled step by step before the plan is made, so that the plan compares each desired object with the right
 * live one:
 *
 *   1. take-overs: objects of another stack's ledger that this configuration takes over
 *   2. renames: blocks of the configuration that have another address than the ledger
 *   3. reading the account
 *   4. renames whose object was found, and transfers to another parent
 *   5. interrupted runs: objects that a run has created without recording them (`resume.ts`); then take-overs of
 *     objects that the other stack has at another address
 *   6. renames outside: objects that have another name in the account
 *
 * Last, further reads show whether the declared objects work.
 */
import { canDo } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, isWithinAny } from '../model/address.ts';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import { withSortedMembers } from '../model/digest.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import { type Move, moveKeptRemovals } from '../model/move.ts';
import type { Plan } from '../model/plan.ts';
import type { Send } from '../model/request.ts';
import type { Desired, Live, LiveResource } from '../model/resource.ts';
import { type AnswerCache, createAnswerCache } from '../observe/answer-cache.ts';
import { checkReadiness } from '../observe/check-readiness.ts';
import { observe } from '../observe/observe.ts';
import { applyRenames, applyRenamesOfLive, findUnfoundRenames } from '../plan/apply-renames.ts';
import { findScope } from '../plan/find-scope.ts';
import { followOutsideRenames } from '../plan/follow-outside-renames.ts';
import type { PlanInput } from '../plan/input.ts';
import { plan } from '../plan/plan.ts';
import { listUncountedContainers } from '../plan/report-removals.ts';
import { sealUnderAnyName } from '../plan/seal-under-any-name.ts';
import { listSelected } from '../plan/select-changes.ts';
import { askAboutOthers } from '../plan/summarize-claims.ts';
import { hasTakeOvers, takeOverByAddress, takeOverById, withoutHandedOver } from '../plan/take-over.ts';
import { followTransfers } from '../plan/transfers.ts';
import { useDeclaredNames } from '../plan/use-declared-names.ts';
import { findNamedIds, type NameDisclosure } from './find-named-ids.ts';
import { hideObjectsOfOthers } from './hide-objects-of-others.ts';
import { type ConcernedStacks, knownStacks, type OtherStacks } from './other-stacks.ts';
import { resume } from './resume.ts';
import type { RunSession } from './session.ts';
import { isSettled, unsettled } from './unsettled.ts';

/** A plan, with everything that applying it needs. */
export interface PlannedRun {
  plan: Plan;
  /** The account as it was read. Values that must not be shown are sealed. */
  live: Live;
  /** The ledger with the addresses of the configuration, and with what an interrupted run has left. */
  ledger: Ledger;
  /** The renames. The stored ledger follows once they are done. */
  moves: Move[];
  /** New addresses by old ones, for objects that the account still has under the old name (`$was`). */
  aliases: ReadonlyMap<Address, Address>;
  /** All problems, those of the plan included. */
  diagnostics: Diagnostic[];
  /** The input that the plan was made from. */
  input: PlanInput;
  /** The milliseconds until the account must show what an earlier run may have created, if the plan depends on that. */
  settlesIn?: number;
}

export interface PlanRunOptions
  extends Omit<PlanInput, 'live' | 'identities' | 'otherStacks' | 'unreadClaims'> {
  /** The other stacks of the store. */
  otherStacks?: OtherStacks | readonly OtherStack[];
  /** See `RunSession`. */
  readPartners?: RunSession['readPartners'];
  /** The ids of objects that the approved plan found. Default: none. */
  foundIds?: ReadonlySet<string> | undefined;
  /** Only used for reads. */
  send: Send;
  /** Hides parts of secrets in names that messages list. */
  mask?: NameDisclosure['mask'];
  /** Milliseconds that the platform's lists may take to show a write. */
  settle: number;
  /** True for further collections to read. */
  also?: (kind: Kind, parent: Address | undefined) => boolean;
}

/**
 * Reads the account and plans. Used by `openSessionPlan`, and by tests. The plan is made from the input of `settleIdentities`, in which
 * each object has the address that the configuration means. Returns the plan with everything that applying it needs, and with all problems.
 * `settlesIn` is set if the plan depends on writes of the last run that the platform's lists may not show yet: the time until they must.
 */
export async function planRun(planRunOptions: PlanRunOptions): Promise<PlannedRun> {
  const { desired, ledger: storedLedger, now, settle, options } = planRunOptions;
  const settled = await settleIdentities(planRunOptions);
  const { aliases, moves } = settled;
  const { plan: finishedPlan, input } = await planWithContents(settled.input, planRunOptions.send);
  const { ledger } = input;
  // The user of an undo expects a plan of the changes of one run only, so the user needs no warning about that.
  const isUndo = options?.toleratesMissing === 'undo';
  const unsettledAddresses = unsettled(finishedPlan, ledger, { now, settle, removed: isUndo });
  // If no address matches the targets, nothing was read, and the error says so.
  const matchedNothing =
    finishedPlan.changes.length === 0 &&
    finishedPlan.diagnostics.some(({ code }) => code === 'target/nothing');
  // The number of objects that were not read because of `--target`. The addresses of `destroy` leave the others out on purpose.
  const omittedCount = isUndo || options?.destroy || matchedNothing ? 0 : settled.omittedCount;
  return {
    plan: finishedPlan,
    live: settled.live,
    ledger: withoutUnplannedTakeOvers(ledger, storedLedger, settled.takenOver, finishedPlan),
    moves,
    aliases,
    input: { ...input, live: settled.live },
    diagnostics: [
      ...settled.diagnostics,
      ...finishedPlan.diagnostics,
      ...findUnfoundRenames(finishedPlan.changes, desired, { aliases, moves }),
      ...(omittedCount > 0 ? [narrowedWarning(omittedCount)] : []),
      ...(unsettledAddresses.length > 0 ? [unsettledWarning(unsettledAddresses)] : []),
    ],
    settlesIn: unsettledAddresses.length > 0 ? Date.parse(ledger.lastWrite!) + settle - now : undefined,
  };
}

/**
 * Plans. If the plan deletes or abandons containers (objects with others in them, such as a project), reads their contents and plans once
 * more, so that the numbers that people see and the limit of deletions include them. Returns also the input with these contents.
 */
async function planWithContents(input: PlanInput, send: Send): Promise<Pick<PlannedRun, 'plan' | 'input'>> {
  const firstPlan = plan(input);
  const containers = listUncountedContainers(firstPlan.changes, input);
  if (containers.length === 0) return { plan: firstPlan, input };
  const { readContents } = await import('../observe/read-contents.ts');
  const inputWithContents = { ...input, contents: await readContents(containers, { ...input, send }) };
  return { plan: plan(inputWithContents), input: inputWithContents };
}

/** The input of a plan, in which each object has the address that the configuration means. */
interface SettledIdentities extends Pick<PlannedRun, 'moves' | 'diagnostics'> {
  input: PlanInput;
  /**
   * The account with sealed secrets, and with the objects that another stack will create before this plan is applied. `input` lacks these.
   */
  live: Live;
  /** New addresses by old ones, for objects that the account still has under the old name (`$was`). */
  aliases: Map<Address, Address>;
  /** The addresses whose entries were copied from the ledgers of other stacks. */
  takenOver: ReadonlySet<Address>;
  /** The number of objects that were not read because of `--target`. */
  omittedCount: number;
}

/**
 * Reads the account, and gives each object and ledger entry the address that the configuration means, so that the plan compares each block
 * with the right object. An object can have another address than before because of a take-over from another stack (`$from`), a rename
 * (`$was`, or one in the account), a move to another parent, or an interrupted run: the six steps at the top of this file. Then reads
 * whether objects are ready, adds the ids of named objects, and seals secrets. The returned `input` lacks the objects that awaited stacks
 * will create; the returned `live` has them.
 */
async function settleIdentities(planRunOptions: PlanRunOptions): Promise<SettledIdentities> {
  const { send, mask, otherStacks = [], kinds, options, isSecretOfRun } = planRunOptions;
  const stacksOfStore = 'readAll' in otherStacks ? otherStacks : knownStacks(otherStacks);
  const answers = createAnswerCache(send);
  const renamed = await followConfiguration(planRunOptions, stacksOfStore);
  const { desired, aliases } = renamed;
  const readConcerned: ReadConcerned = (live, ledger) =>
    stacksOfStore.readConcerned(() =>
      askAboutOthers({ desired, ledgers: [planRunOptions.ledger, ledger], live, kinds, options }),
    );
  const reading = await readOwnAccount(planRunOptions, renamed, answers, readConcerned);
  const matched = await matchObjects(planRunOptions, renamed, reading.live, readConcerned);
  const { ledger, moves, concerned, takenOver } = matched;
  const live = await checkReadiness(matched.live, listSelected(desired, options), { kinds, send });
  const withIds = await findNamedIds(desired, live, kinds, answers, { mask, isSecretOfRun });
  // The input of the plan: in steps 1 to 6, each object and entry got its address, and `findNamedIds` added ids.
  const input: PlanInput = {
    ...withoutReadingOptions(planRunOptions),
    desired: withIds.desired,
    ledger,
    live,
    identities: {
      ...matched.identities,
      takenOver,
      // Sorted, because the live objects have the order in which lists were answered.
      otherAddresses: withSortedMembers(withIds.otherAddresses),
    },
    otherStacks: concerned.stacks,
    unreadClaims: concerned.unread,
  };
  const sealedLive = sealUnderAnyName(input);
  return {
    // Leaves out objects that another stack will create before this plan is applied: they will be other objects then.
    input: { ...input, live: withoutAwaited(sealedLive, options?.awaitedStacks, kinds) },
    live: sealedLive,
    moves,
    aliases,
    takenOver,
    omittedCount: reading.omittedCount,
    diagnostics: [...matched.diagnostics, ...withIds.diagnostics, ...matched.resumeDiagnostics],
  };
}

/** Returns the options that the input of the plan consists of, without those that only reading the account needs. */
const withoutReadingOptions = ({
  send,
  mask,
  settle,
  otherStacks,
  readPartners,
  foundIds,
  also,
  ...inputOptions
}: PlanRunOptions) => inputOptions;

/** Reads the other stacks that concern the objects of a reading and of this stack's ledger. */
type ReadConcerned = (live: Live, ledger: Ledger) => Promise<ConcernedStacks>;

/** The configuration and the ledger after steps 1 and 2, with what `applyRenames` tells about the renames. */
interface RenamedConfiguration extends ReturnType<typeof applyRenames> {
  desired: Desired;
  takenOver: ReadonlySet<Address>;
}

/**
 * Steps 1 and 2 of those at the top of this file, before the account is read: copies the entries of objects that the configuration takes
 * over (`$from`) from the ledgers of other stacks, and gives the entries of renamed blocks (`$was`), and the kept objects of `removed` in
 * them, their new addresses.
 */
async function followConfiguration(
  planRunOptions: PlanRunOptions,
  stacksOfStore: OtherStacks,
): Promise<RenamedConfiguration> {
  const { desired, ledger, kinds, options } = planRunOptions;
  // Waiting for these ledgers delays reading the account, so they are only read if something is taken over.
  const otherStacks = hasTakeOvers(desired, ledger) ? await stacksOfStore.readAll() : [];
  const takeOver = takeOverByAddress(ledger, { ...planRunOptions, otherStacks });
  const adoptRenamed = options?.adoptRenamed ?? false;
  const renamed = applyRenames(takeOver.ledger, desired, { adoptRenamed, kinds });
  const removed = moveKeptRemovals(desired.removed, renamed.moves);
  return { ...renamed, desired: { ...desired, removed }, takenOver: takeOver.takenOver };
}

/**
 * Step 3 of those at the top of this file: reads the account (with `--target` only the targets and what they need), without the unnamed
 * objects of other stacks. Returns it with the number of objects that were not read because of `--target`.
 */
async function readOwnAccount(
  { kinds, facts, key, send, also, readPartners, foundIds = new Set(), options }: PlanRunOptions,
  { desired, ledger, aliases }: RenamedConfiguration,
  answers: AnswerCache,
  readConcerned: ReadConcerned,
): Promise<{ live: Live; omittedCount: number }> {
  const { targets = [] } = options ?? {};
  const scope = targets.length > 0 ? findScope(targets, { desired, ledger, kinds }) : undefined;
  const readLive = await observe(desired, ledger, kinds, send, { facts, answers, aliases, key, scope, also });
  const live = await hideObjectsOfOthers(readLive, {
    kinds,
    key,
    own: ledger,
    readPartners,
    foundIds,
    otherStacks: async () => (await readConcerned(readLive, ledger)).stacks,
  });
  return { live, omittedCount: scope?.omittedCount ?? 0 };
}

/** The account and the ledger after step 6, in which each object has its address of the configuration, and what led there. */
interface MatchedObjects extends Pick<PlannedRun, 'live' | 'ledger' | 'moves' | 'diagnostics'> {
  /** The other stacks that concern the plan, without the objects that they hand over to this one. */
  concerned: ConcernedStacks;
  takenOver: ReadonlySet<Address>;
  identities: PlanInput['identities'];
  /** What an interrupted run has left in doubt. */
  resumeDiagnostics: Diagnostic[];
}

/**
 * Steps 4 to 6 of those at the top of this file, once the account is read. Each step takes the ledger and the live objects of the one
 * before, and corrects their addresses: renames whose object was found, moves to another parent, objects that an interrupted run has
 * created without recording them, take-overs of objects that the other stack has at another address, and renames in the account.
 */
async function matchObjects(
  planRunOptions: PlanRunOptions,
  { desired, takenOver, moves, diagnostics, ...renamed }: RenamedConfiguration,
  readLive: Live,
  readConcerned: ReadConcerned,
): Promise<MatchedObjects> {
  const { ledger: storedLedger, kinds, key, now, settle } = planRunOptions;
  const named = useDeclaredNames({ desired, live: readLive, ledger: renamed.ledger, kinds });
  const renamedLive = applyRenamesOfLive({ ledger: named.ledger, moves }, named.live, kinds);
  const followed = followTransfers(renamedLive, named.live, planRunOptions);
  const resumption = resume(followed.ledger, followed.live, {
    kinds,
    key,
    listsShowAllWrites: isSettled(followed.ledger, now, settle),
    isDeclared: (address) => desired.resources.has(address),
  });
  const concerned = await readConcerned(resumption.live, resumption.ledger);
  const otherStacks = withoutHandedOver(concerned.stacks, storedLedger, planRunOptions);
  const takeOver = takeOverById(resumption.ledger, resumption.live, { ...planRunOptions, otherStacks });
  const {
    ledger,
    live,
    recordedAddresses: renamedOutside,
  } = followOutsideRenames({
    desired,
    kinds,
    ledger: takeOver.ledger,
    live: resumption.live,
  });
  // With `$id`, the configuration has selected one of several objects that an interrupted run may have created.
  const isSelectedById = (address: Address) => desired.resources.get(address)?.meta.id !== undefined;
  // A former address that a rename outside explains is not unknown.
  const isExplained = ({ code, address }: Diagnostic) =>
    code === 'was/unknown' && renamedOutside.has(address ?? '');
  return {
    ledger,
    live,
    moves: followed.moves,
    concerned: { ...concerned, stacks: otherStacks },
    takenOver: new Set([...takenOver, ...takeOver.takenOver]),
    identities: {
      resumed: resumption.changedAddresses,
      recordedAddresses: new Map([
        ...followed.recordedAddresses,
        ...named.recordedAddresses,
        ...renamedOutside,
      ]),
      recreatedElsewhere: followed.recreatedElsewhere,
    },
    diagnostics: [...diagnostics.filter((diagnostic) => !isExplained(diagnostic)), ...followed.diagnostics],
    resumeDiagnostics: resumption.diagnostics.filter(({ address }) => !isSelectedById(address ?? '')),
  };
}

/**
 * Returns the ledger without the objects that this stack would take over from another one and that the plan does not include because of
 * `--target`: their addresses have the entries of the stored ledger again, or none. Otherwise an apply would store a take-over that was not
 * approved.
 */
function withoutUnplannedTakeOvers(
  ledger: Ledger,
  storedLedger: Ledger,
  takenOver: ReadonlySet<Address>,
  { changes }: Plan,
): Ledger {
  const planned = new Set(changes.map(({ address }) => address));
  const unplanned = [...takenOver].filter((address) => !planned.has(address));
  if (unplanned.length === 0) return ledger;
  const entries = { ...ledger.entries };
  for (const address of unplanned) {
    const storedEntry = storedLedger.entries[address];
    if (storedEntry) entries[address] = storedEntry;
    else delete entries[address];
  }
  return { ...ledger, entries };
}

/**
 * Returns the account without the objects that another stack will create before this plan is applied (`awaited`),
 * even if they exist now: they will be other objects then. Objects in them that cannot be created, such as settings,
 * are left out with them. Used to plan a stack that is approved together with the stack it waits for.
 */
function withoutAwaited(live: Live, awaited: ReadonlyMap<Address, string> | undefined, kinds: Kinds): Live {
  if (!awaited?.size) return live;
  const isAwaited = ({ address, kind }: LiveResource) =>
    awaited.has(address) || (!canDo(kinds.get(kind)!, 'create') && isWithinAny(address, awaited));
  return {
    ...live,
    resources: new Map([...live.resources].filter(([, resource]) => !isAwaited(resource))),
  };
}

/**
 * Returns the warning that `--target` left out some resources of the stack, so that the plan does not look
 * complete.
 */
const narrowedWarning = (omittedCount: number): Diagnostic =>
  warning(
    'target/narrowed',
    `only the targets and their dependencies were read, not ${omittedCount} more ${omittedCount === 1 ? 'resource' : 'resources'} of this stack`,
    { hint: 'plan without --target to see all of it' },
  );

/**
 * Returns the warning that lists may not show the last run's writes yet, so that the plan could create objects twice.
 * Applying waits before it acts on such a plan.
 */
const unsettledWarning = (addresses: Address[]): Diagnostic =>
  warning(
    'plan/unsettled',
    `${addresses[0]}${addresses.length > 1 ? ` and ${addresses.length - 1} more` : ''}: a run just sent this, and the account does not show it yet`,
    { hint: 'apply waits for the lists to settle, so that nothing is created twice' },
  );
