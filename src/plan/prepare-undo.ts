/**
 * Prepares the plan that takes a run back: a configuration that declares, for each object that the run changed, the state before the run.
 *
 * Sources of the state before the run: the configuration of that time (`desiredBefore`), and the record of the run for values that it does
 * not declare. The first line that applies decides what happens to an object:
 *
 *   | the run                              | the earlier configuration | the undo                                                |
 *   | ------------------------------------ | ------------------------- | ------------------------------------------------------- |
 *   | created it                           | lacks it                  | deletes it                                              |
 *   | deleted, released or forgot it       | declares it               | creates or adopts it, with recorded values that the     |
 *   |                                      |                           | configuration lacks                                     |
 *   | deleted an object around it          | declares it               | creates it                                              |
 *   | changed it                           | declares it               | sets the declared values, and recorded values that the  |
 *   |                                      |                           | configuration lacks                                     |
 *   | adopted it, with changes             | lacks it                  | sets the recorded values, then releases it              |
 *   | adopted it, without changes          | lacks it                  | releases it                                             |
 *   | did anything else                    | lacks it                  | leaves it as it is, with a note                         |
 *
 * Recorded values that the configuration lacks are set once. Afterwards the stack does not own these fields, as before the run.
 */
import type { Kind } from '../kind/kind.ts';
import { type Address, indexByAddress, isWithinAny } from '../model/address.ts';
import type { Change, ChangeOf } from '../model/change.ts';
import { type Diagnostic, Reporter } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Resource } from '../model/resource.ts';
import { type ChangeToUndo, recreatedFields } from './predict-undo.ts';
import { type Leaves, restoreFields, withFields } from './restore-fields.ts';
import {
  findCreatedContainers,
  findDeletedContainers,
  listDeletedContents,
  noteCreatedContainers,
  noteDeletedContainers,
  type RunToUndo,
} from './undo-containers.ts';

/** The run to take back, with the configurations and the ledger that an undo needs. */
interface UndoInput extends RunToUndo {
  /** The configuration of the run. */
  desiredOfRun: Desired;
}

/** The input of a plan that takes a run back. */
export interface PreparedUndo {
  desired: Desired;
  /** The configuration after the undo. Objects and fields that were not ours before the run are missing in it. */
  desiredAfter: Desired;
  /** The addresses of the run whose objects the undo may change. */
  addresses: Address[];
  /** Fields that the undo sets once and does not own afterwards. */
  releasedFields: ReadonlyMap<Address, ReadonlySet<string>>;
  /** Objects that the undo changes once and does not own afterwards. */
  releasedAfterChange: ReadonlySet<Address>;
  /** Objects that the undo leaves as they are and does not own afterwards. */
  releasedUnchanged: ReadonlySet<Address>;
  notes: Diagnostic[];
}

/** The declaration of one object for the undo, as far as it differs from the configuration before the run. */
interface ObjectUndo {
  /** The declaration for the undo; absent if it is that of the configuration before the run. */
  desired?: Resource;
  /** The declaration after the undo, without the fields that are released. */
  desiredAfter?: Resource;
  /** The fields to release after the undo, or how the whole object is released. */
  release?: 'after change' | 'unchanged' | ReadonlySet<string>;
}

/** Adds a note about an object. */
type AddNote = (code: string, address: Address, text: string) => void;

/**
 * Prepares the plan of `trueup undo`: returns a configuration that declares, for each object which the run
 * changed, its state before the run. The results also say which objects and fields this stack does not own
 * afterwards, because it did not own them before the run. Values that cannot be restored are left out, with a
 * note for each.
 */
export function prepareUndo(input: UndoInput): PreparedUndo {
  const { changes, desiredBefore } = input;
  const report = new Reporter();
  const addNote: AddNote = (code, address, text) =>
    report.warning(`undo/${code}`, `${address}: ${text}`, { address });

  // These containers stay with everything that the run created in them. The note about a container suffices.
  const createdContainers = findCreatedContainers(input);
  report.add(noteCreatedContainers(changes.filter(({ address }) => createdContainers.has(address))));
  const changedObjects = changes.flatMap((change): UndoneObject[] => {
    const { address, action } = change;
    if (action === 'create' && isWithinAny(address, createdContainers)) return [];
    const objectUndo = prepareObject(change, input, addNote);
    return objectUndo ? [{ address, ...objectUndo }] : [];
  });
  const deletedContainers = findDeletedContainers(input);
  report.add(noteDeletedContainers(deletedContainers));
  const deletedContents = listDeletedContents(deletedContainers, input);
  const objects = [...changedObjects, ...deletedContents.map((address): UndoneObject => ({ address }))];
  const addressesWith = (release: 'after change' | 'unchanged') =>
    new Set(objects.filter((object) => object.release === release).map(({ address }) => address));
  return {
    desired: declareInstead(
      desiredBefore,
      objects.map(({ desired }) => desired),
    ),
    desiredAfter: declareInstead(
      desiredBefore,
      objects.map(({ desiredAfter }) => desiredAfter),
    ),
    addresses: objects.map(({ address }) => address),
    releasedFields: new Map(
      objects.flatMap(({ address, release }) =>
        typeof release === 'object' && release.size > 0 ? [[address, release] as const] : [],
      ),
    ),
    releasedAfterChange: addressesWith('after change'),
    releasedUnchanged: addressesWith('unchanged'),
    notes: report.diagnostics,
  };
}

/** An object that the undo may change, with its declarations. */
interface UndoneObject extends ObjectUndo {
  address: Address;
}

/**
 * Returns the configuration before the run in which these declarations replace those at their addresses. An undefined one replaces nothing.
 */
const declareInstead = (
  desiredBefore: Desired,
  declarations: readonly (Resource | undefined)[],
): Desired => ({
  ...desiredBefore,
  // Entries of `removed` say what an apply of that configuration deletes, not what an undo may delete.
  removed: undefined,
  resources: new Map([
    ...desiredBefore.resources,
    ...indexByAddress(declarations.filter((declaration) => declaration !== undefined)),
  ]),
});

/**
 * Decides how `trueup undo` treats one object that a run changed, by what the run did and by whether the
 * earlier configuration declares it: what to declare again, and what to release afterwards because it was not
 * ours before the run. Undefined if there is nothing to undo or, with a note, if the object is left as it is.
 * Empty if the earlier configuration alone brings back its state.
 */
function prepareObject(
  change: ChangeToUndo,
  { desiredBefore, desiredOfRun, ledger, kinds }: UndoInput,
  addNote: AddNote,
): ObjectUndo | undefined {
  const { address, action } = change;
  const kind = kinds.get(change.kind);
  const before = desiredBefore.resources.get(address);
  // An interrupted run has no entry for a creation whose outcome is unknown, but remembers that it began.
  const mayExist = before || ledger.entries[address] || ledger.begun?.[address];
  if (!kind || !mayExist) return undefined;
  // The undo deletes a created object unless the earlier configuration declares it.
  if (action === 'create') return {};
  if (before && action === 'delete') return prepareRecreation(change, before, kind, addNote);
  // It declares an object that left the ledger, so the undo adopts or creates it.
  if (before && (action === 'release' || action === 'forget')) return {};
  if (before) return prepareRestoration(change, before, kind, addNote);
  const ofRun = desiredOfRun.resources.get(address);
  if (action === 'adopt' && ofRun) return prepareRelease(change, ofRun, kind, addNote);
  addNote(
    'renamed',
    address,
    action === 'adopt'
      ? 'the configuration of the run does not name it, so it is left as it is'
      : 'the earlier configuration does not have it under this name, so it is left as it is',
  );
  return undefined;
}

/**
 * Decides how `trueup undo` restores the fields of an object that was declared before the run (`before`). Recorded values that were not
 * declared are set once and released afterwards.
 */
function prepareRestoration(
  change: ChangeToUndo,
  before: Resource,
  kind: Kind,
  addNote: AddNote,
): ObjectUndo {
  const { declared, undeclared, notes } = restoreFields(change, before.fields, kind);
  for (const { code, text } of notes) addNote(code, change.address, text);
  return {
    desired: withFields(before, [...declared, ...undeclared]),
    desiredAfter: withFields(before, declared),
    release: pathsOf(undeclared),
  };
}

/**
 * Decides how `trueup undo` releases an object that the run adopted: with the fields as they were before, or without any change if none of
 * them has to be, or can be, restored. `ofRun`: its declaration in the run.
 */
function prepareRelease(change: ChangeToUndo, ofRun: Resource, kind: Kind, addNote: AddNote): ObjectUndo {
  // The configuration before the run declared none of its fields.
  const { undeclared, notes } = restoreFields(change, {}, kind);
  for (const { code, text } of notes) addNote(code, change.address, text);
  return undeclared.length === 0
    ? { desired: { ...ofRun, meta: { ...ofRun.meta, forget: true } }, release: 'unchanged' }
    : { desired: withFields(ofRun, undeclared), release: 'after change' };
}

/**
 * Decides how `trueup undo` creates a deleted object again: as it was declared (`before`), with recorded
 * values that no configuration declared. These are released afterwards. Notes the values that are lost.
 */
function prepareRecreation(change: ChangeToUndo, before: Resource, kind: Kind, addNote: AddNote): ObjectUndo {
  const { address, fields } = change;
  if (fields.some(({ secret }) => secret))
    addNote('secret', address, 'a secret in it is gone: it is restored with its current value, if any');
  const { extra, lost } = recreatedFields(change, before, kind);
  for (const { path, secret } of lost)
    if (!secret) addNote('not-kept', address, `the record does not contain the old value of \`${path}\``);
  return { desired: withFields(before, extra), release: pathsOf(extra) };
}

const pathsOf = (leaves: Leaves): Set<string> => new Set(leaves.map(([path]) => path));

/**
 * Returns the plan of an undo, changed so that the ledger does not own the objects and fields afterwards that
 * this stack did not own before the undone run. Called after planning, because a configuration cannot say
 * "set this field, but do not own it".
 */
export function releaseUndone(
  plan: Plan,
  { releasedFields, releasedAfterChange, releasedUnchanged }: PreparedUndo,
): Plan {
  const changes = plan.changes.map((change): Change => {
    if (releasedAfterChange.has(change.address)) {
      const reason = 'as it was before that run adopted it; it is no longer managed';
      if (isLeavingLedger(change)) return { ...change, reason };
      if (change.action !== 'noop') return { ...change, reason, leavesLedger: true };
      const { after: _, ...changeWithoutBlock } = change;
      return { ...changeWithoutBlock, action: 'release', reason };
    }
    if (releasedUnchanged.has(change.address) && change.action === 'forget')
      return { ...change, reason: 'that run adopted it; it stays as it is, and is no longer managed' };
    const paths = releasedFields.get(change.address);
    if (!paths || isLeavingLedger(change)) return change;
    const withoutReleased = (allPaths: string[] | undefined) => allPaths?.filter((path) => !paths.has(path));
    return {
      ...change,
      declared: withoutReleased(change.declared),
      uncompared: withoutReleased(change.uncompared),
    };
  });
  return { ...plan, changes };
}

/** True for a change after which the ledger has no entry of the object, so that there is nothing to release. */
const isLeavingLedger = (change: Change): change is ChangeOf<'delete' | 'forget'> =>
  change.action === 'delete' || change.action === 'forget';
