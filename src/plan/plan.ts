import { isSealed, sealLive } from '../kind/seal-live.ts';
import { byAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Diagnostic, Reporter } from '../model/diagnostic.ts';
import { createRemovalFinder } from '../model/find-removal.ts';
import { groupNotCompared, type NotComparedFinding } from '../model/not-compared.ts';
import type { Plan } from '../model/plan.ts';
import { collectionParts } from '../model/resource.ts';
import { addUndo, gradeByRequests, unmarkSentRenewals } from './annotate-changes.ts';
import { checkGuards } from './check-guards.ts';
import { checkReferences, checkReferencesOfCreations, markHiddenSecrets } from './check-references.ts';
import { chooseFirstChange } from './choose-first-change.ts';
import type { PreparedInput } from './comparison.ts';
import { addDeletionCounts, countLosses, listDeletedObjects } from './count-deletions.ts';
import { decide } from './decide.ts';
import { arrangeCollections, draftRequests } from './draft-requests.ts';
import { fillReferencesToNew } from './fill-references-to-new.ts';
import { createHeirFinder } from './find-heirs.ts';
import { isNarrowedBy, type PlanInput, type PlanOptions } from './input.ts';
import { joinCreations } from './join-creations.ts';
import { listUnmanaged } from './list-unmanaged.ts';
import { listWaits } from './list-waits.ts';
import { pairUnnamedObjects } from './match-live-objects.ts';
import { leaveOwnedElsewhere } from './ownership.ts';
import { reportLostMembers } from './report-lost-members.ts';
import { reportRemovals } from './report-removals.ts';
import { scheduleOperations } from './schedule-operations.ts';
import { matchesAny, selectChanges } from './select-changes.ts';
import { noteOtherTargets } from './shared-rows.ts';
import { findLostSecrets } from './shown-secrets.ts';
import { sortInput } from './sort-input.ts';

/**
 * Plans a stack: which objects differ, which requests remove the difference, in which order, and whether a run may send them. This is the
 * table of contents of the folder. It is pure: it reads nothing and sends nothing. Problems do not throw: they become diagnostics of the
 * plan.
 */
export function plan(planInput: PlanInput): Plan {
  const diagnostics: Diagnostic[] = [];
  const report = new Reporter(diagnostics);

  // 1. Prepare the input: each object has the address that the configuration means, and secrets are sealed.
  const input = prepareInput(planInput);
  checkReferences(input, report);

  // 2. Decide about each address, and leave the objects of other stacks to them.
  const decisions = leaveOwnedElsewhere(decide(input, report), input, report);

  // 3. Let each collection arrange its changes (an order, a batch, a document). Then select those that `--target` and `--exclude` leave.
  const decided = noteOtherTargets(decisions.changes, input);
  const { changes: arranged, collections } = arrangeCollections(decided, input, report);
  const selected = selectChanges(arranged.sort(byAddress), input, report);
  checkReferencesOfCreations(selected, input, report);

  // 4. Draft the requests, and put them into an order.
  const drafts = draftRequests(selected, collections, decisions, input);
  const sendable = drafts.filter(({ requests }) => requests.length > 0);
  const operations = scheduleOperations(sendable, selected, input, report);

  // 5. Complete the changes with facts that only their requests show.
  const losses = countLosses(drafts, selected);
  const graded = gradeByRequests(selected, { drafts, operations, losses });
  const deletedObjects = listDeletedObjects(graded, losses, input);
  const counted = addDeletionCounts(graded, deletedObjects, input);
  const changes = addUndo(unmarkSentRenewals(counted, operations), input);

  // 6. Refuse suspicious changes, and warn of values that the requests remove unseen.
  checkGuards(changes, drafts, { losses, deletedObjects }, input, report);
  reportRemovals(changes, deletedObjects, input, report);
  reportLostMembers(changes, drafts, input, report);

  const partialKinds = [...new Set([...input.live.partial].map((id) => collectionParts(id)[1]))].sort();
  const { waiting, warnings, unchecked } = listWaits(changes, input.kinds);
  report.add(warnings);
  const findings = selectFindings(decisions.notCompared, changes, input.options);
  const notCompared = groupNotCompared([...findings, ...unchecked]);
  return {
    stack: input.desired.stack,
    complete: !decisions.isIncomplete,
    notCompared: notCompared.length > 0 ? notCompared : undefined,
    isNarrowed: isNarrowedBy(input.options) || undefined,
    changes,
    deletedObjects: deletedObjects.length > 0 ? deletedObjects : undefined,
    otherAddresses: input.identities?.otherAddresses,
    joinedUnits: decisions.joinedUnits.size > 0 ? [...decisions.joinedUnits.keys()] : undefined,
    ...joinCreations(chooseFirstChange(operations, changes, input), changes, input.kinds),
    unmanaged: listUnmanaged(decisions),
    partialKinds: partialKinds.length > 0 ? partialKinds : undefined,
    waiting: waiting.length > 0 ? waiting : undefined,
    ...listAwaited(changes, input),
    diagnostics,
  };
}

/**
 * Returns the input in one order, with sealed secrets, and with live objects and ledger entries under the addresses that the configuration
 * gives them. Adds facts about all objects that single decisions need: lost secrets, and the stacks that take objects over.
 */
function prepareInput(planInput: PlanInput): PreparedInput {
  // Objects without a name, such as webhooks, get the addresses of the blocks that mean them.
  const paired = pairUnnamedObjects(sortInput(planInput));
  // A plan that is made again has sealed objects already.
  const sealed = isSealed(planInput) ? paired : sealLive(paired);
  // References to new objects get their declared values, and those to secrets that this run may not read become unavailable ones.
  const input = markHiddenSecrets(fillReferencesToNew(sealed));
  return {
    ...input,
    heirs: createHeirFinder(input),
    findRemoval: createRemovalFinder(input.desired.removed),
    lostSecrets: findLostSecrets(input),
  };
}

/**
 * Returns the findings ("not compared") that a plan with `--target` or `--exclude` shows, without those about
 * objects that the user left out. A finding with a `path` is about one secret of a compared object, so the
 * object must have a change in the plan. A finding without one is about an object that was not compared and
 * has no change, so `--exclude` alone decides: with `--target`, only the targets and objects that decide about
 * them were read at all.
 */
function selectFindings(
  findings: readonly NotComparedFinding[],
  changes: readonly Change[],
  options: PlanOptions = {},
): readonly NotComparedFinding[] {
  if (!isNarrowedBy(options)) return findings;
  const plannedAddresses = new Set(changes.map(({ address }) => address));
  return findings.filter(({ address, path }) =>
    path === undefined ? !matchesAny(options.excludes, address) : plannedAddresses.has(address),
  );
}

/**
 * Lists the objects that other stacks have to create before this plan can be applied, for reports and saved
 * plans: the apply of a saved plan expects that these objects are still missing.
 */
function listAwaited(changes: readonly Change[], { options }: PlanInput): Pick<Plan, 'awaits'> {
  const awaits = changes.flatMap(({ address, action, before, after }) => {
    const stack = options?.awaitedStacks?.get(address);
    return stack !== undefined && action === 'noop' && !before && after?.meta.existing
      ? [{ address, stack }]
      : [];
  });
  return awaits.length > 0 ? { awaits } : {};
}
