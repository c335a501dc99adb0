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
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, indexByAddress, isWithinAny } from '../model/address.ts';
import type { Change, ChangeOf, FieldCause } from '../model/change.ts';
import { type Diagnostic, Reporter, warning } from '../model/diagnostic.ts';
import { canonicalJson } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import { formatRemoval } from '../model/removal.ts';
import type { Desired, Resource } from '../model/resource.ts';
import { atPath, type Fields, fieldsFromLeaves, isPlainObject, type Value } from '../model/value.ts';
import { type ChangeToUndo, isFileField, isNullAccepted, recreatedFields } from './predict-undo.ts';

/** The run to take back, with the configurations and the ledger that an undo needs. */
interface UndoInput {
  changes: readonly ChangeToUndo[];
  /** The configuration before the run; without resources if it was the first run. */
  desiredBefore: Desired;
  /** The configuration of the run. */
  desiredOfRun: Desired;
  ledger: Ledger;
  kinds: Kinds;
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

/** Causes of changes that certainly or possibly overwrote a value set by somebody else. */
const causesOfOverwriting = new Set<FieldCause>(['drift', 'conflict', 'unknown']);

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
    if (action === 'create' && isWithinAny(address, createdContainers)) {
      return [];
    }
    const objectUndo = prepareObject(change, input, addNote);
    return objectUndo ? [{ address, ...objectUndo }] : [];
  });
  const objects = [...changedObjects, ...findDeletedContents(input, addNote)];
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
 * Returns the containers (objects with contents, such as projects) that the run created. An undo leaves them and everything that the run
 * created in them, because they may contain more by now: only a person may delete them.
 */
function findCreatedContainers({ changes, desiredBefore, ledger, kinds }: UndoInput): ReadonlySet<Address> {
  return new Set(
    changes.flatMap(({ address, action, kind }) => {
      const mayExist = ledger.entries[address] ?? ledger.begun?.[address];
      const isCreated = action === 'create' && mayExist && !desiredBefore.resources.has(address);
      return isCreated && kinds.get(kind)?.lifecycle.container ? [address] : [];
    }),
  );
}

/**
 * Returns the objects that the configuration before the run declares in deleted containers, such as the variables of a deleted project. The
 * platform deleted them with their containers, so the record of the run has no changes of them. Notes for each container that its other
 * contents are lost.
 */
function findDeletedContents(
  { changes, desiredBefore, kinds }: UndoInput,
  addNote: AddNote,
): readonly UndoneObject[] {
  const containers = new Set(
    changes.flatMap(({ address, action, kind }) => {
      const isLost = action === 'delete' && desiredBefore.resources.has(address);
      return isLost && kinds.get(kind)?.lifecycle.container ? [address] : [];
    }),
  );
  const changed = new Set(changes.map(({ address }) => address));
  for (const address of containers)
    addNote(
      'not-kept',
      address,
      'of its contents, only the declared objects are created again, with their declared values',
    );
  return [...desiredBefore.resources.keys()]
    .filter((address) => !changed.has(address) && isWithinAny(address, containers))
    .map((address) => ({ address }));
}

/**
 * Returns the notes of an undo about the containers (objects with contents, such as projects) that the undone run created: they stay, and
 * the lines that delete them. The stack keeps them in its ledger, so that this is possible. Printed as one note, with the lines of all.
 */
function noteCreatedContainers(containers: readonly ChangeToUndo[]): Diagnostic[] {
  const adviceFor = (addresses: readonly Address[]): string => {
    const [objects, blocks] =
      addresses.length === 1 ? ['it with its', 'its block'] : ['them with their', 'their blocks'];
    const advice = `to delete ${objects} contents, remove ${blocks}, and add under \`removed:\` of the header:`;
    return [advice, ...addresses.map((address) => formatRemoval({ address, deletes: true }))].join('\n');
  };
  const adviceForAll = adviceFor(containers.map(({ address }) => address).sort());
  return containers.map(({ address, kind }) =>
    warning('undo/container', `${address}: an undo deletes no ${kind}, so it stays with its contents`, {
      address,
      hint: adviceFor([address]),
      alike: {
        cause: adviceForAll,
        are: 'created objects with contents stay, because an undo deletes no such object',
        hint: adviceForAll,
      },
    }),
  );
}

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
  const { declared, undeclared } = restoredFields(change, before.fields, kind, addNote);
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
  const { undeclared } = restoredFields(change, {}, kind, addNote);
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

/** Fields by path, each with its value. */
type Leaves = [path: string, value: Value][];

const pathsOf = (leaves: Leaves): Set<string> => new Set(leaves.map(([path]) => path));

/**
 * Returns the recorded values from before the run that `trueup undo` sets because the earlier configuration
 * does not, and notes those that it cannot restore. `declared`: fields that the earlier configuration
 * declares with another value, because somebody had changed the object outside. `undeclared`: fields that it
 * does not declare.
 */
function restoredFields(
  { address, fields }: ChangeToUndo,
  fieldsBefore: Fields,
  kind: Kind,
  addNote: AddNote,
): { declared: Leaves; undeclared: Leaves } {
  const declared: Leaves = [];
  const undeclared: Leaves = [];
  for (const field of fields) {
    const { path, cause } = field;
    // Such a change sent nothing.
    if (cause === 'recorded' || cause === 'released') continue;
    const declaredValue = atPath(fieldsBefore, path);
    const { value, note } =
      declaredValue === undefined ? restoreUndeclared(field, kind) : restoreDeclared(field, declaredValue);
    if (note) addNote(note.code, address, note.text);
    if (value !== undefined) (declaredValue === undefined ? undeclared : declared).push([path, value]);
  }
  return { declared, undeclared };
}

/** How `trueup undo` restores one field: the value to set, if any, and a note for the user, if one is needed. */
interface RestoredField {
  value?: Value;
  note?: { code: string; text: string };
}

/**
 * Decides how `trueup undo` restores a field that the configuration before the run does not declare: it sets the
 * recorded value, or resets the field if it had none. A note says why it cannot: secrets, large values and the
 * content of files are not in a record, and some fields must have a value.
 */
function restoreUndeclared(
  { path, before, secret, omitted }: ChangeToUndo['fields'][number],
  kind: Kind,
): RestoredField {
  if (secret)
    return { note: { code: 'secret', text: `\`${path}\` is secret: its old value is not kept; it stays` } };
  if (omitted)
    return {
      note: { code: 'not-kept', text: `the record does not contain the old value of \`${path}\`` },
    };
  if (isFileField(kind, path))
    return { note: { code: 'not-kept', text: `the record does not contain the content of \`${path}\`` } };
  if (before !== undefined && before !== null) return { value: before as Value };
  if (isNullAccepted(kind, path)) return { value: null };
  return {
    note: {
      code: 'stays',
      text: `\`${path}\` had no value, and cannot be without one again: it stays`,
    },
  };
}

/**
 * Decides how `trueup undo` restores a field that the configuration before the run declares. The declared value is
 * planned anyway, so there is only something to do if the run overwrote another value that somebody had set in the
 * account: then the undo sets that value.
 */
function restoreDeclared(
  { path, cause, before, secret, omitted }: ChangeToUndo['fields'][number],
  declaredValue: Value,
): RestoredField {
  if (secret)
    return {
      note: {
        code: 'secret',
        text: `\`${path}\` is secret: its old value is not kept; it gets its source's current value`,
      },
    };
  if (!causesOfOverwriting.has(cause)) return {};
  if (omitted)
    return {
      note: { code: 'not-kept', text: `the record does not contain the old value of \`${path}\`` },
    };
  if (before === undefined || canonicalJson(before) === canonicalJson(declaredValue)) return {};
  return {
    value: before as Value,
    note: {
      code: 'outside',
      text: `\`${path}\` is restored to the value set outside; the earlier configuration differs, and its next apply changes it again`,
    },
  };
}

/**
 * Returns a copy of a resource with other values in some fields: those that `trueup undo` restores. The original must not change, since
 * several configurations share it.
 */
function withFields(resource: Resource, leaves: Leaves): Resource {
  if (leaves.length === 0) return resource;
  // A leaf is a path with a value. A dot in the name of a field is escaped, since dots separate the names of a path.
  const currentLeaves = Object.entries(copyMaps(resource.fields)).map(([name, value]): [string, Value] => [
    name.replaceAll('.', '\\.'),
    value,
  ]);
  return { ...resource, fields: fieldsFromLeaves([...currentLeaves, ...leaves]) };
}

/**
 * Returns a copy of fields in which the maps are copied as well, at any depth: `fieldsFromLeaves` sets members of the maps that it is
 * given. It sets lists only as a whole, so these are not copied.
 */
const copyMaps = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isPlainObject(value) ? copyMaps(value as Fields) : value,
    ]),
  );

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

/**
 * True for the codes of errors that a flag can answer, or that are about several objects. Then nothing is undone until the user has
 * decided.
 */
const isForUserToDecide = (code: string): boolean =>
  /^(guard|allow|secret|delete|ledger|observe|target|key|source|staged)\//.test(code);

/**
 * Returns an undo without the objects that cannot be brought back, according to the errors of its plan
 * (`diagnostics`), so that the other changes of the run can still be undone. Notes explain why each of these
 * objects stays. Undefined if all can be brought back, or if only the user can resolve the errors.
 */
export function withoutImpossible(
  undo: PreparedUndo,
  diagnostics: readonly Diagnostic[],
): PreparedUndo | undefined {
  const { desired, desiredAfter, addresses, releasedAfterChange, releasedUnchanged, notes } = undo;
  const reasons = findObstacles(diagnostics);
  const reasonFor = (address: Address) => reasons.get(addressWithoutTarget(address));
  const isPossible = (address: Address) => reasonFor(address) === undefined;
  const impossible = addresses.filter((address) => !isPossible(address));
  if (impossible.length === 0) return undefined;
  // The undo changes only objects in `addresses`, so the declarations of the others can stay in `desired`.
  // An object that the run adopted, and that the undo cannot change back, is released as it is.
  const released = new Set(impossible.filter((address) => releasedAfterChange.has(address)));
  const staysNotes = impossible.map((address) =>
    warning('undo/stays', `${address}: it stays as it is: ${reasonFor(address)}`, { address }),
  );
  return {
    ...undo,
    desired: withForgotten(desired, released),
    desiredAfter: {
      ...desiredAfter,
      resources: new Map([...desiredAfter.resources].filter(([address]) => isPossible(address))),
    },
    addresses: addresses.filter((address) => isPossible(address) || released.has(address)),
    releasedAfterChange: new Set([...releasedAfterChange].filter((address) => !released.has(address))),
    releasedUnchanged: new Set([...releasedUnchanged, ...released]),
    notes: [...notes.filter(({ address }) => address === undefined || isPossible(address)), ...staysNotes],
  };
}

/**
 * Returns why objects cannot be brought back, by their addresses without targets. Errors that only the user can resolve are left out: they
 * stop the whole undo.
 */
const findObstacles = (diagnostics: readonly Diagnostic[]): Map<Address, string> =>
  new Map(
    diagnostics.flatMap(({ severity, code, address, message }) =>
      severity === 'error' && address !== undefined && !isForUserToDecide(code)
        ? [[addressWithoutTarget(address), message] as const]
        : [],
    ),
  );

/**
 * Returns a configuration in which the blocks at these addresses have the mark that the plan only drops their ledger entries, so that an
 * undo leaves these objects as they are.
 */
function withForgotten(desired: Desired, addresses: ReadonlySet<Address>): Desired {
  const resources = new Map(desired.resources);
  for (const address of addresses) {
    const resource = resources.get(address)!;
    resources.set(address, { ...resource, meta: { ...resource.meta, forget: true } });
  }
  return { ...desired, resources };
}
