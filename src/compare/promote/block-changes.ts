/*
 * Turns differences between A and B into changes of the blocks of B, for the writer of `trueup accept`.
 *
 *   entry   a block that declares several units, such as a variable for three targets
 *   unit    one object of an entry, in one target
 *   set     an object that several blocks declare together, such as the DNS records of one name
 *   row     the fields of units in the form of an entry
 */
import type { AcceptedChange, AcceptedField, EntryValues } from '../../accept/acceptance.ts';
import type { WrittenValue } from '../../accept/edit-value.ts';
import { isUnordered, writeDesiredValue } from '../../accept/written-values.ts';
import type { ReadBlock } from '../../config/blocks/block.ts';
import { omitMembers, schemaAt } from '../../kind/compare.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import { canonicalJson } from '../../model/digest.ts';
import { groupBy } from '../../model/graph.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import { revealed, sealedIn } from '../../model/sealed.ts';
import { atPath, type Fields, mapRefs, namesInPath, pathOfNames } from '../../model/value.ts';
import type { ComparedPair, SideComparison } from '../compare-sides.ts';
import type { ComparedObject } from '../compared-side.ts';
import { CannotPromote, copyValue, secretTextReason } from './copy-value.ts';

/** The parts of an entry of a comparison that are promoted: its pairs, and the units that B lacks. */
export interface PromotedObjects {
  pairs: readonly ComparedPair[];
  added: readonly ComparedObject[];
}

/**
 * Returns a function which finds the address in B for an address in A. An object that B lacks gets the address that it would have there: below
 * the partner of the object around it.
 */
export function createAddressMap(
  pairs: readonly Pick<ComparedPair, 'a' | 'b'>[],
  isReversed = false,
): (address: Address) => Address {
  const partners = new Map(
    pairs.map(({ a, b }) => (isReversed ? [b.address, a.address] : [a.address, b.address])),
  );
  return (address) => {
    for (let end = address.length; end > 0; end = address.lastIndexOf('/', end - 1)) {
      const partner = partners.get(address.slice(0, end));
      if (partner !== undefined) return partner + address.slice(end);
    }
    return address;
  };
}

/**
 * Returns the changes of B's blocks that give them the settings of A. Throws `CannotPromote` if a setting cannot be written, with the reason.
 */
export function toBlockChanges(
  { pairs, added }: PromotedObjects,
  comparison: SideComparison,
  kinds: Kinds,
): AcceptedChange[] {
  const [first] = [...pairs.map(({ b }) => b), ...added] as [ComparedObject, ...ComparedObject[]];
  const kind = kinds.get(first.kind)!;
  const context: CopyContext = { kind, comparison, toB: createAddressMap(comparison.pairs) };
  refuseSecretTexts({ pairs, added });
  if (kind.shape.mergeRows) return pairs.map((pair) => changeSet(pair, context));
  if (kind.shape.rowOf) return changeEntries({ pairs, added }, context);
  return pairs.map((pair) => changeFields(pair, context));
}

/**
 * Throws `CannotPromote` for a secret text of A. Looking whether B has the same text, so that nothing has to be copied, would tell whether two
 * secrets are equal.
 */
function refuseSecretTexts({ pairs, added }: PromotedObjects): void {
  const values = [
    ...pairs.flatMap((pair) => promotedPathsOf(pair).map((path) => atPath(pair.a.fields, path))),
    ...added.map(({ fields }) => fields),
  ];
  if (values.some((value) => sealedIn(value).length > 0)) throw new CannotPromote(secretTextReason);
}

/** What is needed to write a value of A into B. */
interface CopyContext {
  kind: Kind;
  comparison: SideComparison;
  toB(address: Address): Address;
}

/** Returns the paths in which a pair differs, as far as a text can make them equal. */
export const promotedPathsOf = ({ settings, secrets }: ComparedPair): string[] => [
  ...settings.map(({ path }) => path),
  ...secrets
    .filter(({ result, isSameText }) => result === 'different' && !isSameText)
    .map(({ path }) => path),
];

/** Returns the change of a block that declares one object. */
function changeFields(pair: ComparedPair, context: CopyContext): AcceptedChange {
  const { address } = pair.b;
  const [block] = blocksOfB(context, address);
  const paths = promotedPathsOf(pair).map((path) => removedPath(path, pair.a.fields));
  const fields = [...new Set(paths)].map((path) =>
    path.startsWith('$') ? settingChange(path, pair) : fieldChange(path, pair, context),
  );
  return { type: 'fields', addresses: [address], block, fields };
}

/**
 * Returns the path of the outermost value that A lacks around a path, so that an object of settings is removed as a whole: `build` instead of
 * `build.command`. Returns the path itself if A has a value there.
 */
function removedPath(path: string, fields: Fields): string {
  const names = namesInPath(path);
  const lengths = names.map((_, index) => index + 1);
  const length = lengths.find((end) => atPath(fields, pathOfNames(names.slice(0, end))) === undefined);
  return pathOfNames(names.slice(0, length));
}

/** Returns the blocks of B that declare an object. Throws `CannotPromote` if no file has any. */
function blocksOfB({ comparison }: CopyContext, address: Address): [ReadBlock, ...ReadBlock[]] {
  const blocks = comparison.b.blocksOf.get(address) ?? [];
  if (blocks.length === 0) throw new CannotPromote('no block of B declares it');
  return blocks as unknown as [ReadBlock, ...ReadBlock[]];
}

/** Returns the change of one field. */
function fieldChange(path: string, { a, b }: ComparedPair, { kind, toB }: CopyContext): AcceptedField {
  const schema = schemaAt(kind.fields, path);
  return {
    path: namesInPath(path),
    before: writeDesiredValue(schema, atPath(b.fields, path)),
    after: copyValue(schema, atPath(a.fields, path), toB),
    isUnordered: isUnordered(schema),
  };
}

/** Returns the change of a `$` setting. Throws `CannotPromote` for one that has more than a plain value. */
function settingChange(path: string, { settings }: ComparedPair): AcceptedField {
  const { a, b } = settings.find((setting) => setting.path === path)!;
  const off = Array.isArray(b) ? [] : b === true ? false : undefined;
  const value = a ?? off;
  if (path === '$then' || path === '$dependsOn' || value === undefined)
    throw new CannotPromote(`\`${path}\` differs: edit it by hand`);
  const after = path === '$wait' ? { minutes: value } : value;
  return { path: [path], before: b as WrittenValue, after: after as WrittenValue, isUnordered: true };
}

/**
 * Returns the changes of entries: the fields of an entry if all of its units get equal values, otherwise its split into several entries. A
 * unit that B lacks joins the entry of its name.
 */
function changeEntries({ pairs, added }: PromotedObjects, context: CopyContext): AcceptedChange[] {
  const { comparison } = context;
  const blocks = new Set(pairs.flatMap(({ b }) => comparison.b.blocksOf.get(b.address) ?? []));
  for (const { address } of added) {
    const name = addressWithoutTarget(context.toB(address));
    const entry = findEntryOfB(comparison, name);
    if (entry) blocks.add(entry);
  }
  const pairOf = new Map(pairs.map((pair) => [pair.b.address, pair]));
  return [...blocks].map((block, index) => {
    const units = block.units.map(({ address, fields }): Fields => {
      const pair = pairOf.get(address);
      return pair ? withPromotedFields(fields, pair) : fields;
    });
    // All added units have one name, so they join the first entry of that name.
    const joined = index === 0 ? added.map(({ fields }) => fields) : [];
    return changeEntry(block, [...units, ...joined], context);
  });
}

/** Returns the fields of a unit of B with the values of A in those that are promoted. */
function withPromotedFields(fields: Fields, pair: ComparedPair): Fields {
  const names = new Set(promotedPathsOf(pair).map((path) => namesInPath(path)[0]!));
  const others = omitMembers(fields, [...names]);
  const promoted = Object.entries(pair.a.fields).filter(([name]) => names.has(name));
  return { ...others, ...Object.fromEntries(promoted) };
}

/** Returns an entry of B with a name, to which a target can be added. */
const findEntryOfB = ({ b }: SideComparison, name: Address): ReadBlock | undefined =>
  [...b.blocksOf].find(([address]) => addressWithoutTarget(address) === name)?.[1][0];

/** Returns the change of one entry whose units get new fields. */
function changeEntry(block: ReadBlock, units: Fields[], context: CopyContext): AcceptedChange {
  const { kind, toB } = context;
  const rowOf = kind.shape.rowOf!;
  const addresses = block.units.map(({ address }) => address);
  const oldRow = rowOf(block.units.map(({ fields }) => fields));
  const groups = [
    ...groupBy(units, (fields) => canonicalJson(omitMembers(fields, kind.shape.addressFields))).values(),
  ];
  const rows = groups.map((group) => rowOf(group));
  if (rows.length === 1)
    return { type: 'fields', addresses, block, fields: diffRows(kind, oldRow, rows[0]!, toB) };
  const otherKeys = (row: Fields) => omitMembers(row, kind.key);
  const changes = rows.map((row) =>
    diffRows(kind, omitMembers(oldRow, kind.key), omitMembers(row, kind.key), toB),
  );
  const allEntries = changes.map(
    (fields): EntryValues => new Map(fields.map(({ path, after }) => [path[0]!, after])),
  );
  return {
    type: 'split',
    addresses,
    block,
    fields: diffRows(kind, oldRow, rows[0]!, toB),
    added: allEntries.slice(1),
    allEntries: writeRows(rows.map(otherKeys), Object.keys(otherKeys(oldRow)), context) ?? allEntries,
  };
}

/**
 * Returns rows as whole entries, which need no text of the old entry; undefined if one has a secret text. `oldNames`: the fields of the old entry,
 * which a new one may lack.
 */
function writeRows(
  rows: readonly Fields[],
  oldNames: readonly string[],
  { kind, toB }: CopyContext,
): EntryValues[] | undefined {
  if (rows.some((row) => sealedIn(row).length > 0)) return undefined;
  return rows.map((row) => {
    const names = new Set([...oldNames, ...Object.keys(row)]);
    return new Map([...names].map((name) => [name, copyValue(kind.fields[name], row[name], toB)]));
  });
}

/** Returns the fields in which two rows differ, as changes of the YAML. */
function diffRows(
  kind: Kind,
  before: Fields,
  after: Fields,
  toB: (address: Address) => Address,
): AcceptedField[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const schema = kind.fields[name];
    if (
      canonicalJson(revealed(before[name] ?? null)) ===
      canonicalJson(revealed(mapRefs(after[name] ?? null, toB)))
    )
      return [];
    const oldValue = writeDesiredValue(schema, before[name]);
    const newValue = copyValue(schema, after[name], toB);
    if (canonicalJson(oldValue ?? null) === canonicalJson(newValue ?? null)) return [];
    return [{ path: [name], before: oldValue, after: newValue, isUnordered: isUnordered(schema) }];
  });
}

/**
 * Returns the change of a set: equal members keep their blocks, other blocks of B become members that only A has, and the rest is removed or
 * added.
 */
function changeSet({ a, b }: ComparedPair, context: CopyContext): AcceptedChange {
  const { comparison, kind, toB } = context;
  const members = (comparison.a.blocksOf.get(a.address) ?? []).map((read) => composeMember(read, kind, toB));
  const missing = [...members];
  const blocks = blocksOfB(context, b.address);
  const others = blocks.filter((read) => {
    const text = canonicalJson(composeMember(read, kind, (address) => address));
    const index = missing.findIndex((member) => canonicalJson(member) === text);
    if (index >= 0) missing.splice(index, 1);
    return index < 0;
  });
  const changed = others.splice(0, missing.length).map((block) => ({
    block,
    fields: diffMembers(
      kind,
      composeMember(block, kind, (address) => address),
      missing.shift()!,
    ),
  }));
  return {
    type: 'set',
    address: b.address,
    addresses: [b.address],
    changed,
    removed: others,
    added: missing,
    allMembers: members,
    blocks,
  };
}

/** Returns the fields in which two members of a set differ. */
const diffMembers = (kind: Kind, before: Member, after: Member): AcceptedField[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null))
    .map((name) => ({
      path: [name],
      before: before[name],
      after: after[name],
      isUnordered: isUnordered(kind.fields[name]),
    }));

/** A member of a set as plain data. */
interface Member {
  [name: string]: WrittenValue;
}

/** Returns the block of a member of a set as plain data, with the fields that it declares. */
const composeMember = (
  { block, fields }: ReadBlock,
  kind: Kind,
  toB: (address: Address) => Address,
): Member =>
  Object.fromEntries(
    block.fieldEntries.map(({ key }) => [key.text, copyValue(kind.fields[key.text], fields[key.text], toB)]),
  );
