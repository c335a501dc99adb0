import type { ReadBlock } from '../config/blocks/block.ts';
import { identityOf, omitMembers } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields, schemaAt } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import { type Change, isJoinedOutside } from '../model/change.ts';
import { addTo, groupBy } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { atPath, type Fields, holdsSecret, namesInPath, type Value } from '../model/value.ts';
import {
  type Acceptance,
  AcceptanceBuilder,
  type AcceptInput,
  comparableText,
  type Selection,
} from './acceptance.ts';
import {
  type AcceptedField,
  type AcceptedSet,
  type EntryValues,
  isUnordered,
  writeDesiredValue,
  writeLiveValue,
} from './accepted-change.ts';
import type { WrittenValue } from './edit-value.ts';

/** Turns selected changes outside into new texts of the configuration's blocks. Pure. */
export function findAcceptedChanges(given: AcceptInput, selection: Selection): Acceptance {
  return new PlanAcceptance(new AcceptanceBuilder(given, selection)).all();
}

class PlanAcceptance {
  readonly #findings: AcceptanceBuilder;

  constructor(findings: AcceptanceBuilder) {
    this.#findings = findings;
  }

  all(): Acceptance {
    const { changes } = this.#findings.input.plan;
    const chosen = changes.filter(({ address }) => this.#findings.selection.isChosen(address));
    for (const change of chosen) this.#unreadable(change);
    const drifted = chosen.filter(
      (change) =>
        this.#findings.isGone(change) ||
        isJoinedOutside(change) ||
        this.#findings.fieldsOf(change).length > 0,
    );
    for (const { kind, change } of refusedSets(this.#findings)) takeSet(this.#findings, kind, change);
    const done = new Set<ReadBlock>();
    for (const change of drifted) {
      const object = change.after?.meta.secretOf?.object;
      if (object !== undefined) {
        this.#findings.leaveOut(change.address, `\`$secretTo\` of ${object} declares it: edit that by hand`);
        continue;
      }
      const kind = this.#findings.input.kinds.get(change.kind)!;
      const blocks = this.#findings.blocksFor(change);
      if (kind.shape.mergeRows) takeSet(this.#findings, kind, change);
      else
        for (const block of blocks) {
          if (done.has(block)) continue;
          done.add(block);
          const own = drifted.filter((change) => this.#findings.blocksFor(change).includes(block));
          if (kind.shape.rowOf) takeRow(this.#findings, kind, block, own);
          else if (this.#findings.isGone(change)) this.#gone(change, block);
          else this.#object(kind, change, block);
        }
    }
    return this.#findings.result;
  }

  #unreadable({ address, writtenOutside, after }: Change): void {
    const object = after?.meta.secretOf?.object;
    if (writtenOutside && object !== undefined)
      this.#findings.leaveOut(address, `its value is the secret of ${object}, which cannot be read back`);
    else if (writtenOutside)
      this.#findings.leaveOut(
        address,
        'its secret may have changed outside and cannot be read back: set it here and send it with --send-unverified',
      );
  }

  #gone({ address }: Change, block: ReadBlock): void {
    const inside = this.#findings.input.plan.changes.find(
      (change) =>
        change.address.startsWith(`${address}/`) &&
        change.after !== undefined &&
        !(this.#findings.isGone(change) && this.#findings.selection.isChosen(change.address)),
    );
    if (inside) {
      this.#findings.leaveOut(address, `it no longer exists, but ${inside.address} is still declared in it`);
      return;
    }
    this.#findings.result.accepted.push({ type: 'gone', addresses: [address], block });
    this.#findings.markAccepted(address, '');
  }

  #object(kind: Kind, change: Change, block: ReadBlock): void {
    const paths = this.#findings.fieldsOf(change).map(({ path }) => whereFound(path, change));
    const acceptedFields = [...new Set(paths)].flatMap((path) => this.#field(kind, change, path) ?? []);
    const fields = acceptedFields.filter((field) => !this.#isName(kind, change, block, field));
    if (fields.length === 0) return;
    this.#findings.result.accepted.push({ type: 'fields', addresses: [change.address], block, fields });
    for (const { path } of fields) this.#findings.markAccepted(change.address, path.join('.'));
  }

  /** True for the name of an object that was renamed outside: that is more than a field. */
  #isName(kind: Kind, { address, before }: Change, block: ReadBlock, field: AcceptedField): boolean {
    const to = before?.renamedTo;
    const path = field.path.join('.');
    if (to === undefined || !kind.key.includes(path)) return false;
    this.#findings.result.accepted.push({ type: 'renamed', block, field, from: address, to });
    this.#findings.markAccepted(address, path);
    return true;
  }

  #field(kind: Kind, change: Change, path: string): AcceptedField | undefined {
    const found = this.#findings.readLiveValue(kind, change, path);
    if (!found) return undefined;
    const schema = schemaAt(kind.fields, path);
    const newValue = writeLiveValue(path, schema, found.value);
    if ('problem' in newValue) {
      this.#findings.leaveOut(change.address, newValue.problem);
      return undefined;
    }
    const before = writeDesiredValue(schema, atPath(change.after!.fields, path));
    return { path: namesInPath(path), before, after: newValue.written, isUnordered: isUnordered(schema) };
  }
}

/** The path of a leaf, or of what it is in where nothing of that is there. */
function whereFound(path: string, { before }: Change): string {
  const names = path.split(/(?<!\\)\./);
  const isThere = (length: number) => atPath(before?.fields ?? {}, names.slice(0, length).join('.')) != null;
  let { length } = names;
  while (length > 1 && !isThere(length) && !isThere(length - 1)) length--;
  return names.slice(0, length).join('.');
}

/** An entry whose units lie in rows of the platform: all its units are one row, or it is told that they are not any more. */
function takeRow(findings: AcceptanceBuilder, kind: Kind, block: ReadBlock, changes: Change[]): void {
  const addresses = changes.map(({ address }) => address);
  const renamed = changes.find(
    (change) =>
      change.before?.renamedTo !== undefined &&
      findings.fieldsOf(change).some(({ path }) => kind.key.includes(path)),
  );
  if (renamed) {
    const [old, now] = [renamed.address, renamed.before!.renamedTo!].map((address) =>
      lastNameOf(addressWithoutTarget(address)),
    );
    findings.leaveOut(
      renamed.address,
      `it is called \`${now}\` in the account: write that name instead of \`${old}\`, and nothing is sent for it`,
    );
    return;
  }
  const found = new Map<Address, Change>(changes.map((change) => [change.address, change]));
  const before = block.units.map(({ fields }) => fields);
  const after: Fields[] = [];
  const taken = new Map<Address, string[]>();
  for (const unit of block.units) {
    const change = found.get(unit.address);
    if (change && findings.isGone(change)) {
      taken.set(unit.address, ['']);
      continue;
    }
    const fields = { ...unit.fields };
    for (const { path } of change ? findings.fieldsOf(change) : []) {
      const value = findings.readLiveValue(kind, change!, path);
      if (!value) continue;
      fields[path] = value.value as Value;
      addTo(taken, unit.address, path);
    }
    after.push(fields);
  }
  for (const change of changes.filter(isJoinedOutside)) {
    const { address, before } = change;
    const sameRow = findings.unitsInRow(change).map((unit) => unit.address);
    const like = after[block.units.findIndex((unit) => sameRow.includes(unit.address))] ?? after[0];
    if (!like || !before) continue;
    after.push({
      ...omitMembers(like, kind.shape.addressFields),
      ...pick(before.fields, kind.shape.addressFields),
    });
    taken.set(address, ['']);
  }
  if (taken.size === 0) return;
  const noted = () => {
    for (const [address, paths] of taken) for (const path of paths) findings.markAccepted(address, path);
  };
  if (after.length === 0) {
    findings.result.accepted.push({ type: 'gone', addresses, block });
    noted();
    return;
  }
  const names = [...new Set([...taken.values()].flat())].filter((name) => name !== '');
  const [stays, ...others] = unitsAlike(after, before, names);
  const rowOf = kind.shape.rowOf!;
  // A default that the entry does not write may not hold for more targets: `target` has none beside `customEnvironmentIds`.
  const unwritten = changes.some(isJoinedOutside)
    ? kind.shape.addressFields.filter((name) => block.fields[name] === undefined)
    : [];
  const old = omitMembers(rowOf(before), unwritten);
  const fields = findings.diffRows(kind, [old, rowOf(stays!)], addresses[0]!);
  if (!fields) return;
  if (others.length === 0) findings.result.accepted.push({ type: 'fields', addresses, block, fields });
  else {
    const whole = [stays!, ...others].map((units) =>
      describeEntryChange(findings, kind, [old, rowOf(units)], addresses[0]!),
    );
    if (whole.includes(undefined)) return;
    const [, ...added] = whole as EntryValues[];
    findings.result.accepted.push({
      type: 'split',
      addresses,
      block,
      fields,
      added,
      allEntries: whole as EntryValues[],
    });
  }
  noted();
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));

/** The differences of an entry from the one that it was a part of; undefined if nothing can say them. */
function describeEntryChange(
  findings: AcceptanceBuilder,
  kind: Kind,
  [old, row]: [Fields, Fields],
  address: Address,
): EntryValues | undefined {
  const changed = findings.diffRows(kind, [omitMembers(old, kind.key), omitMembers(row, kind.key)], address);
  return changed && new Map(changed.map(({ path, after }) => [path[0]!, after]));
}

/** Units by what they are to say: first those that go on to say what all of them did, else the most. */
function unitsAlike(units: Fields[], before: Fields[], names: string[]): Fields[][] {
  const said = (fields: Fields) => names.map((name) => comparableText(fields[name])).join();
  const groups = [...groupBy(units, said).values()];
  const old = said(before[0]!);
  const rank = ([first, ...others]: Fields[]) => (said(first!) === old ? Number.MAX_VALUE : others.length);
  return groups.sort((a, b) => rank(b) - rank(a));
}

/** The found and the wanted form of a set. */
type SetChange = Pick<Change, 'address' | 'before' | 'after'>;

/** Sets of which nothing is planned, since something stands in them that nobody declares. */
function refusedSets(findings: AcceptanceBuilder): { kind: Kind; change: SetChange }[] {
  const { desired, plan, live, kinds } = findings.input;
  const planned = new Set(plan.changes.map(({ address }) => address));
  return [...desired.resources.values()].flatMap((after): { kind: Kind; change: SetChange }[] => {
    const { address, meta } = after;
    const kind = kinds.get(after.kind)!;
    const before = live.resources.get(address);
    if (!kind.shape.mergeRows || !before || meta.existing || meta.forget) return [];
    if (planned.has(address) || !findings.selection.isChosen(address)) return [];
    return [{ kind, change: { address, before, after } }];
  });
}

/** A set of which each member is a block: members are told apart by what need not be declared of none. */
function takeSet(findings: AcceptanceBuilder, kind: Kind, { address, before, after }: SetChange): void {
  const { rowOf } = kind.shape;
  if (holdsSecret(before?.fields) || holdsSecret(after?.fields)) {
    findings.leaveOut(address, 'it contains a secret: edit it by hand');
    return;
  }
  const blocks = findings.blocksOf.get(address) ?? [];
  const open = Object.values(comparedFields(kind)).flatMap((schema) => traitsOf(schema).whereDeclared ?? []);
  const wanted = blocks.map((block) => ({ block, row: rowOf!(block.units.map(({ fields }) => fields)) }));
  const found = (before?.rows ?? []).map(({ fields }) => rowOf!([fields]));
  const rest = [...found];
  const pairs: { block: ReadBlock; row: Fields; live: Fields }[] = [];
  const unpaired = wanted.filter(({ block, row }) => {
    const index = rest.findIndex((live) => identityOf(live, open) === identityOf(row, open));
    if (index >= 0) pairs.push({ block, row, live: rest.splice(index, 1)[0]! });
    return index < 0;
  });
  for (const { block, row } of unpaired.splice(0, rest.length))
    pairs.push({ block, row, live: rest.shift()! });
  const changed = pairs.map(({ block, row, live }) => {
    const undeclared = open.filter((name) => row[name] === undefined);
    return { block, fields: findings.diffRows(kind, [row, omitMembers(live, undeclared)], address) };
  });
  const whole = found.map((row) => rowWords(findings, kind, row, address));
  const added = rest.map((row) => rowWords(findings, kind, row, address));
  if (changed.some(({ fields }) => !fields) || whole.includes(undefined)) return;
  findings.result.accepted.push({
    type: 'set',
    address,
    addresses: [address],
    changed: changed as AcceptedSet['changed'],
    gone: unpaired.map(({ block }) => block),
    added,
    allMembers: whole,
    blocks,
  });
  findings.markAccepted(address, '');
}

/** A row as a block says it. */
function rowWords(findings: AcceptanceBuilder, kind: Kind, row: Fields, address: Address): WrittenValue {
  const fields = findings.diffRows(kind, [{}, row], address);
  return fields && Object.fromEntries(fields.map(({ path, after }) => [path[0]!, after]));
}
