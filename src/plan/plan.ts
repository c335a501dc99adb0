import { ancestorsOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { sealLive } from '../kind/seal-live.ts';
import { byAddress } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import { createsFirst } from '../model/creates-first.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { groupNotCompared, type NotComparedFinding } from '../model/not-compared.ts';
import type { Plan, PlanWait } from '../model/plan.ts';
import { collectionParts } from '../model/resource.ts';
import { checkGuards } from './check-guards.ts';
import { checkReferences, markUnreadSecrets } from './check-references.ts';
import { chooseFirstChange } from './choose-first-change.ts';
import { createdFirst } from './comparison.ts';
import { decide } from './decide.ts';
import { addHeirFinder } from './heirs.ts';
import type { PlanInput, PlanOptions } from './input.ts';
import { countLosses, listDeletedObjects } from './limit-deletions.ts';
import { arrangeCollections, draftRequests, joinIntoDocuments } from './lower.ts';
import { pairUnnamedObjects } from './match.ts';
import { respectOwners } from './ownership.ts';
import { predictUndo } from './predict-undo.ts';
import { matchesAny, selectChanges } from './select.ts';
import { scheduleOperations } from './sequence.ts';
import { noteOtherTargets } from './shared-rows.ts';
import { findLostSecrets } from './shown-secrets.ts';
import { sortInput } from './sort-input.ts';

/** Decides everything: what differs, which requests close the difference, in which order, and whether that may be done. Pure. */
export function plan(planInput: PlanInput): Plan {
  const matched = markUnreadSecrets(sealLive(pairUnnamedObjects(sortInput(planInput))));
  const input = addHeirFinder({ ...matched, lostSecrets: findLostSecrets(matched) });
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  checkReferences(input, report);
  const decisions = decide(input, report);
  respectOwners(decisions, input, report);
  decisions.changes = noteOtherTargets(decisions.changes, input);
  const lowerings = arrangeCollections(decisions.changes, input, report);
  const changes = selectChanges(decisions.changes, input, report).sort(byAddress);
  const drafts = joinIntoDocuments(draftRequests(changes, lowerings, decisions, input), changes, input);
  for (const { changes: addresses, disrupts } of drafts)
    for (const change of changes)
      if (disrupts && addresses.includes(change.address) && change.grade === 'safe')
        Object.assign(change, { grade: 'disruptive', gradeReason: disrupts });
  const losses = countLosses(drafts, changes);
  for (const change of changes) {
    const lost = losses.get(change.address);
    if (lost)
      Object.assign(change, {
        grade: 'destructive',
        gradeReason: `${lost} of what it holds ${lost === 1 ? 'is' : 'are'} deleted`,
      });
  }
  const { operations, problems } = scheduleOperations(
    drafts.filter(({ requests }) => requests.length > 0),
    changes,
    input.kinds,
    input.live,
  );
  problems.forEach(report);
  for (const change of changes) {
    if (change.action !== 'replace') continue;
    const own = operations.filter((operation) => operation.changes.includes(change.address));
    if (createsFirst(own)) Object.assign(change, createdFirst(change));
  }
  const sent = new Set(operations.flatMap((operation) => operation.changes));
  for (const change of changes) if (sent.has(change.address)) delete change.changesLedgerOnly;
  const created = new Set(changes.flatMap(({ action, address }) => (action === 'create' ? [address] : [])));
  for (const change of changes) {
    const kind = input.kinds.get(change.kind)!;
    const isNew = ancestorsOf(input.kinds, kind, change.parent).some(({ address }) => created.has(address));
    change.undo = predictUndo(change, kind, isNew, input);
  }
  checkGuards(changes, drafts, losses, input, report);
  const gone = listDeletedObjects(changes, losses, input);
  const unlisted = [...new Set([...input.live.partial].map((id) => collectionParts(id)[1]))].sort();
  const waiting = waitingIn(changes, input.kinds);
  const notCompared = groupNotCompared(selectedFindings(decisions.notCompared, changes, input.options));
  return {
    stack: input.desired.stack,
    complete: !decisions.isIncomplete,
    ...(notCompared.length > 0 ? { notCompared } : {}),
    ...(input.options?.targets?.length || input.options?.excludes?.length ? { partial: true as const } : {}),
    changes,
    ...(gone.length > 0 ? { gone } : {}),
    ...(decisions.joinedUnits.size > 0 ? { joined: [...decisions.joinedUnits.keys()] } : {}),
    ...chooseFirstChange(operations, changes, input),
    unmanaged: decisions.unmanaged
      .map(({ kind, address, ids }) => ({ kind, address, id: ids.join(',') }))
      .sort(byAddress),
    ...(unlisted.length > 0 ? { unlisted } : {}),
    ...(waiting.length > 0 ? { waiting } : {}),
    ...awaitsIn(changes, input),
    diagnostics,
  };
}

/** Leaves out findings about objects that `--target` or `--exclude` leave out. */
function selectedFindings(
  findings: readonly NotComparedFinding[],
  changes: readonly Change[],
  { targets, excludes }: PlanOptions = {},
): readonly NotComparedFinding[] {
  if (!targets?.length && !excludes?.length) return findings;
  const planned = new Set(changes.map(({ address }) => address));
  // An object that was not compared has no change that a selection could keep.
  return findings.filter(({ address, path }) =>
    path === undefined ? !matchesAny(excludes, address) : planned.has(address),
  );
}

/** The objects that other stacks create before this one is carried out. */
function awaitsIn(changes: readonly Change[], { options }: PlanInput): Pick<Plan, 'awaits'> {
  const awaits = changes.flatMap(({ address, action, before, after }) => {
    const stack = options?.awaitedStacks?.get(address);
    return stack !== undefined && action === 'noop' && !before && after?.meta.existing
      ? [{ address, stack }]
      : [];
  });
  return awaits.length > 0 ? { awaits } : {};
}

/** The declared objects that are not ready: those found so, and new ones that need time. */
const waitingIn = (changes: readonly Change[], kinds: Kinds): PlanWait[] =>
  changes.flatMap((change) => {
    const { address, after, before, action } = change;
    const later = kinds.get(change.kind)?.read.later;
    if (!later || !after || action === 'forget') return [];
    const minutes = after.meta.wait;
    const asked = minutes === undefined ? {} : { minutes };
    if (!createsObject(change)) {
      if (!before?.pending) return [];
      const { reason, ...state } = before.pending;
      return [{ address, why: reason, ...state, ...asked }];
    }
    if (later.rarely && minutes === undefined) return [];
    return [{ address, why: `ready once ${later.until}`, ...asked }];
  });
