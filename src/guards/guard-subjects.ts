/*
 * Lists what guards (the operator's rules) are compared with. A subject is a change, or an effect of the plan that has no change of its
 * own: the deletion of an object together with its container, a one-time action, or the deletion at the old address of an object that
 * moves.
 */
import { type Address, indexByAddress, isWithinAny } from '../model/address.ts';
import { type Change, findReplacedAddresses } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { addTo } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { isOpenAction } from '../model/planned-action.ts';

/** A change, or an effect of the plan without a change of its own, as guards see it. */
export type GuardSubject = Pick<
  Change,
  'address' | 'kind' | 'action' | 'grade' | 'fields' | 'at' | 'run' | 'recordedAddress' | 'takenFrom'
> & {
  /** Equal for deleted units that a message counts as one object. */
  id?: string;
  /** The address before the renames of the plan, so that a rename cannot evade a guard. Undefined if it is the same. */
  former?: Address;
  /** The addresses that its other names make: the same person by e-mail address, user name and id. */
  otherAddresses?: readonly Address[];
  /** The new address of an object that moves to another container. */
  movesTo?: Address;
  /** The codes of the findings that it causes, for rules about findings. */
  findings?: readonly string[];
};

/**
 * Returns the subjects of a plan: its changes, actions and implied deletions. The rules of the guards judge each of them alone. A subject
 * also has the former address of its object and the addresses under its other names, so that neither a rename nor another name evades a
 * guard. `formerOf`: returns the address of an object before the renames of the plan.
 */
export function listSubjects(
  plan: Plan,
  formerOf: (address: Address) => Address = (address) => address,
): GuardSubject[] {
  const subjects = [
    ...plan.changes.filter(({ action, changesLedgerOnly }) => action !== 'noop' && !changesLedgerOnly),
    ...deletedContentsOf(plan),
    ...actionSubjectsOf(plan),
  ].map((change): GuardSubject => {
    const former = formerOf(change.recordedAddress ?? change.address);
    const otherAddresses = plan.otherAddresses?.[change.address];
    const named = otherAddresses ? { ...change, otherAddresses } : change;
    return former === change.address ? named : { ...named, former };
  });
  return [...subjects, ...departuresOf(plan.changes, formerOf)];
}

/**
 * Returns the subjects with the findings that they cause, for rules with `finding`, and one more subject for each new finding that none of
 * them causes. Includes findings that the configuration turns off, because the operator's rules do not depend on its author.
 */
export function withFindings(
  subjects: GuardSubject[],
  { changes, diagnostics, suppressedFindings = [] }: Plan,
): GuardSubject[] {
  const newFindings = [...diagnostics, ...suppressedFindings].filter(
    ({ finding }) => finding?.state === 'new',
  );
  const codesByAddress = new Map<Address, string[]>();
  for (const { code, finding } of newFindings)
    for (const cause of finding!.causes) addTo(codesByAddress, cause, code);
  const subjectAddresses = new Set(subjects.map(({ address }) => address));
  const withoutCause = newFindings.filter(
    ({ finding }) => !finding!.causes.some((cause) => subjectAddresses.has(cause)),
  );
  const ofChanges = subjects.map((subject) => ({
    ...subject,
    findings: codesByAddress.get(subject.address) ?? [],
  }));
  const changeOf = indexByAddress(changes);
  return [...ofChanges, ...withoutCause.map((finding) => subjectOfFinding(finding, changeOf))];
}

/**
 * Returns the subject of a new finding that no other subject causes, so that rules with `finding` can refuse it, too. It counts as a safe
 * update, because every subject needs an action and a grade. A finding about no single object has empty texts as its address and kind.
 */
function subjectOfFinding(
  { address = '', code, at }: Diagnostic,
  changeOf: ReadonlyMap<Address, Change>,
): GuardSubject {
  const kind = changeOf.get(address)?.kind ?? '';
  const subject: GuardSubject = {
    address,
    kind,
    action: 'update',
    grade: 'safe',
    fields: [],
    findings: [code],
  };
  return at ? { ...subject, at } : subject;
}

/**
 * Returns a subject for each object that moves to another container: a deletion at its old address. Moving a domain out of a project needs
 * the same consent as deleting it there. `formerOf`: returns the address of an object before the renames of the plan.
 */
function departuresOf(changes: Change[], formerOf: (address: Address) => Address): GuardSubject[] {
  return changes.flatMap((change): GuardSubject[] => {
    const transfer = change.before?.transfer;
    if (!transfer) return [];
    const { address: movesTo, kind, at } = change;
    const [address, former] = [transfer.from, formerOf(transfer.from)];
    const departure: GuardSubject = {
      address,
      kind,
      action: 'delete',
      grade: 'destructive',
      fields: [],
      movesTo,
    };
    return [{ ...departure, ...(at ? { at } : {}), ...(former === address ? {} : { former }) }];
  });
}

/**
 * Returns the one-time actions of a plan (`$then`, `trueup run`) as subjects, so that guards can refuse them like changes. Left out are
 * actions that are over or not part of this plan. A redeployment of `projects/web` becomes an update of `projects/web` without fields, with
 * the name of the action in `run` and the harm that it can do in `grade`. An action on the whole account has no object, so its own name is
 * the address. The name is also the kind if the plan has no change of the object, since only changes tell kinds.
 */
function actionSubjectsOf({ actions = [], changes }: Plan): GuardSubject[] {
  const kindsByAddress = new Map(changes.map(({ address, kind }) => [address, kind]));
  return actions.filter(isOpenAction).map(({ action: actionName, about, grade }) => {
    const address = about ?? actionName;
    const kind = kindsByAddress.get(address) ?? actionName;
    return { address, kind, action: 'update', grade, fields: [], run: actionName };
  });
}

/**
 * Returns a subject for each object that a plan deletes without a change that says so: those in a deleted container or in a replaced
 * object, and parts of an object that stays, such as records of a DNS set. Without this function, deleting a project would evade a guard
 * for its domains. A variable in several targets is one deleted object, but each target (`otherUnits`) is a subject.
 */
function deletedContentsOf({ deletedObjects = [], changes }: Plan): GuardSubject[] {
  const replaced = findReplacedAddresses(changes);
  // `deletedObjects` also has objects that somebody deleted outside and that the plan creates again. The plan does not delete these. But
  // what it creates in a replaced object, the platform deletes before.
  const wasDeletedOutside = ({ action, address }: Change) =>
    action === 'create' && !isWithinAny(address, replaced);
  const excludedAddresses = new Set(
    changes
      .filter(
        (change) => change.action === 'delete' || change.action === 'replace' || wasDeletedOutside(change),
      )
      .map(({ address }) => address),
  );
  return deletedObjects
    .flatMap(({ address: firstUnit, kind, otherUnits = [] }) =>
      [firstUnit, ...otherUnits].map((address) => ({ address, kind, id: firstUnit })),
    )
    .filter(({ address }) => !excludedAddresses.has(address))
    .map((unit) => ({ ...unit, action: 'delete', grade: 'destructive', fields: [] }));
}
