import type { Kind, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import type { Change, FieldCause } from '../model/change.ts';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Resource } from '../model/resource.ts';
import { atPath, type Fields, fieldsFromLeaves, isPlainObject, type Value } from '../model/value.ts';
import { definedOnly } from '../model/walk.ts';
import { addressOfWhole } from '../model/wholes.ts';
import { acceptsNull, type ChangeToUndo, isFileField, recreatedFields } from './predict-undo.ts';

interface UndoInput {
  changes: readonly ChangeToUndo[];
  /** The configuration before the run; without resources if it was the first run. */
  desiredBefore: Desired;
  /** The run's own configuration. */
  desiredOfRun: Desired;
  ledger: Ledger;
  kinds: Kinds;
}

/** The input of a plan that takes a run back. */
export interface PreparedUndo {
  desired: Desired;
  /** The configuration after the undo: objects that were not ours before the run are not ours again. */
  desiredAfter: Desired;
  /** The addresses of the run that are still known. */
  addresses: Address[];
  /** Fields that are set once more, and are not ours afterwards. */
  releasedFields: ReadonlyMap<Address, ReadonlySet<string>>;
  /** Objects that are changed once more, and are not ours afterwards. */
  releasedAfterChange: ReadonlySet<Address>;
  /** Objects that stay as they are, and are not ours afterwards. */
  releasedUnchanged: ReadonlySet<Address>;
  notes: Diagnostic[];
}

/** Values that somebody else had set, as far as can be told. */
const wasOutside = new Set<FieldCause>(['drift', 'conflict', 'unknown']);

/**
 * The configuration before a run, at the run's addresses. If the run overwrote an outside value, the record has it; an object that it had
 * adopted is released.
 */
export function prepareUndo({
  changes,
  desiredBefore: old,
  desiredOfRun: own,
  ledger,
  kinds,
}: UndoInput): PreparedUndo {
  const resources = new Map(old.resources);
  const after = new Map(old.resources);
  const handedBack = new Map<Address, Set<string>>();
  const letGo = new Set<Address>();
  const forgotten = new Set<Address>();
  const addresses: Address[] = [];
  const notes: Diagnostic[] = [];
  const note = (code: string, address: Address, text: string) =>
    notes.push(warning(`undo/${code}`, `${address}: ${text}`, { address }));

  for (const change of changes) {
    const { address, action } = change;
    const kind = kinds.get(change.kind);
    const before = old.resources.get(address);
    // The outcome of a creation may be unknown: an object of an interrupted run has no entry yet.
    if (!kind || (!before && !ledger.entries[address] && !ledger.begun?.[address])) continue;
    if (!before && action !== 'create' && action !== 'adopt') {
      note(
        'renamed',
        address,
        'the earlier configuration does not have it under this name, so it is left as it is',
      );
      continue;
    }
    addresses.push(address);
    if (action === 'create' || action === 'delete' || action === 'release' || action === 'forget') {
      if (action === 'delete' && change.fields.some(({ secret }) => secret))
        note('secret', address, 'a secret in it is gone: it is restored with its current value, if any');
      if (action === 'delete' && before) {
        const { extra, lost } = recreatedFields(change, before, kind);
        for (const { path, secret } of lost)
          if (!secret) note('not-kept', address, `the record does not contain the old value of \`${path}\``);
        resources.set(address, withFields(before, extra));
        if (extra.length > 0) handedBack.set(address, new Set(extra.map(([path]) => path)));
      }
      continue;
    }
    const resource = before ?? own.resources.get(address);
    if (!resource) {
      note('renamed', address, 'the configuration of the run does not name it, so it is left as it is');
      addresses.pop();
      continue;
    }
    const restored = restoredFields(change, before ?? { ...resource, fields: {} }, kind, (text, code) =>
      note(code, address, text),
    );
    const all = [...restored.declared, ...restored.extra];
    if (before) {
      after.set(address, withFields(before, restored.declared));
      resources.set(address, withFields(before, all));
      if (restored.extra.length > 0) handedBack.set(address, new Set(restored.extra.map(([path]) => path)));
    } else if (all.length === 0) {
      resources.set(address, { ...resource, meta: { ...resource.meta, forget: true } });
      forgotten.add(address);
    } else {
      resources.set(address, withFields(resource, all));
      letGo.add(address);
    }
  }
  return {
    desired: { ...old, resources },
    desiredAfter: { ...old, resources: after },
    addresses,
    releasedFields: handedBack,
    releasedAfterChange: letGo,
    releasedUnchanged: forgotten,
    notes,
  };
}

type Leaves = [path: string, value: Value][];

/** The values from before the run that the former configuration lacks: it declares another one, or none. */
function restoredFields(
  { fields }: ChangeToUndo,
  { fields: declared }: Pick<Resource, 'fields'>,
  kind: Kind,
  note: (text: string, code: string) => void,
): { declared: Leaves; extra: Leaves } {
  const found: { declared: Leaves; extra: Leaves } = { declared: [], extra: [] };
  for (const { path, cause, before, secret, omitted } of fields) {
    if (cause === 'recorded' || cause === 'released') continue;
    const then = atPath(declared, path);
    if (secret) {
      note(
        `\`${path}\` is secret: its old value is not kept; ${then === undefined ? 'it stays' : "it gets its source's current value"}`,
        'secret',
      );
    } else if (omitted) {
      if (then === undefined || wasOutside.has(cause))
        note(`the record does not contain the old value of \`${path}\``, 'not-kept');
    } else if (isFileField(kind, path) && then === undefined) {
      note(`the record does not contain the content of \`${path}\``, 'not-kept');
    } else if (then === undefined) {
      if (before !== undefined && before !== null) found.extra.push([path, before as Value]);
      else if (acceptsNull(kind, path)) found.extra.push([path, null]);
      else note(`\`${path}\` had no value, and cannot be without one again: it stays`, 'stays');
    } else if (wasOutside.has(cause) && before !== undefined && canonical(before) !== canonical(then)) {
      note(
        `\`${path}\` is restored to the value set outside; the earlier configuration differs, and its next apply changes it again`,
        'outside',
      );
      found.declared.push([path, before as Value]);
    }
  }
  return found;
}

function withFields(resource: Resource, leaves: Leaves): Resource {
  if (leaves.length === 0) return resource;
  const copy = (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        isPlainObject(value) ? copy(value as Fields) : value,
      ]),
    );
  const whole: Leaves = Object.entries(copy(resource.fields));
  return {
    ...resource,
    fields: fieldsFromLeaves([
      ...whole.map(([name, value]): [string, Value] => [name.replaceAll('.', '\\.'), value]),
      ...leaves,
    ]),
  };
}

/** The plan, with fields and objects handed back: afterwards the ledger does not have them as ours. */
export function releaseUndone(
  plan: Plan,
  { releasedFields: handedBack, releasedAfterChange: letGo, releasedUnchanged: forgotten }: PreparedUndo,
): Plan {
  const changes = plan.changes.map((change): Change => {
    const paths = handedBack.get(change.address);
    if (letGo.has(change.address)) {
      const reason = 'as it was before that run adopted it; it is no longer managed';
      if (change.action !== 'noop') return { ...change, reason, leavesLedger: true };
      const { after: _, ...rest } = change;
      return { ...rest, action: 'release', reason };
    }
    if (forgotten.has(change.address) && change.action === 'forget')
      return { ...change, reason: 'that run adopted it; it stays as it is, and is no longer managed' };
    if (!paths) return change;
    const left = (all: string[] | undefined) => all?.filter((path) => !paths.has(path));
    return {
      ...change,
      ...definedOnly({ declared: left(change.declared), uncompared: left(change.uncompared) }),
    } as Change;
  });
  return { ...plan, changes };
}

/** True for refusals that a flag can answer, or that are about several objects: then nothing is undone. */
const isToDecide = (code: string): boolean =>
  /^(guard|allow|secret|delete|ledger|observe|target|key|source|staged)\//.test(code);

/**
 * The same without the objects that cannot be brought back according to its plan; undefined if there are none, or nothing else would be left.
 * The notes have the plan's reasons.
 */
export function withoutImpossible(
  undo: PreparedUndo,
  diagnostics: readonly Diagnostic[],
): PreparedUndo | undefined {
  const reasons = new Map<Address, string>();
  for (const { severity, code, address, message } of diagnostics)
    if (severity === 'error' && address !== undefined && !isToDecide(code))
      reasons.set(addressOfWhole(address), message);
  const isOut = (address: Address) => reasons.has(addressOfWhole(address));
  const out = undo.addresses.filter(isOut);
  if (out.length === 0) return undefined;
  // What the run took over is not ours all the same: it is let go as it is.
  const resources = new Map(undo.desired.resources);
  const forgotten = new Set(out.filter((address) => undo.releasedAfterChange.has(address)));
  for (const address of forgotten) {
    const resource = resources.get(address)!;
    resources.set(address, { ...resource, meta: { ...resource.meta, forget: true } });
  }
  return {
    ...undo,
    desired: { ...undo.desired, resources },
    desiredAfter: {
      ...undo.desiredAfter,
      resources: new Map([...undo.desiredAfter.resources].filter(([address]) => !isOut(address))),
    },
    addresses: undo.addresses.filter((address) => !isOut(address) || forgotten.has(address)),
    releasedAfterChange: new Set([...undo.releasedAfterChange].filter((address) => !forgotten.has(address))),
    releasedUnchanged: new Set([...undo.releasedUnchanged, ...forgotten]),
    notes: [
      ...undo.notes.filter(({ address }) => address === undefined || !isOut(address)),
      ...out.map((address) =>
        warning('undo/stays', `${address}: it stays as it is: ${reasons.get(addressOfWhole(address))}`, {
          address,
        }),
      ),
    ],
  };
}
