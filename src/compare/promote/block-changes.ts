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
import { addressesOfUnits, type LoadedBlock } from '../../config/blocks/block.ts';
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
import { blocksOfB, type CopiedSides, type CopyContext, promotedPathsOf } from './copy-context.ts';
import { CannotPromote, copyValue, secretTextReason } from './copy-value.ts';
import { changeSet } from './set-changes.ts';

/** The parts of an entry of a comparison that are promoted: its pairs, and the units that B lacks. */
export interface PromotedObjects {
  pairs: readonly ComparedPair[];
  added: readonly ComparedObject[];
}

/**
 * Returns the changes of side B's blocks that give them the settings of side A, for `trueup diff A B --promote`. How depends on the kind:
 * several blocks are one object (`mergeRows`), one block is several objects (`rowOf`), or a block is one object. Throws `CannotPromote` if
 * a setting cannot be written, with the reason.
 */
export function toBlockChanges(
  { pairs, added }: PromotedObjects,
  sides: CopiedSides,
  kinds: Kinds,
): AcceptedChange[] {
  const [first] = [...pairs.map(({ b }) => b), ...added] as [ComparedObject, ...ComparedObject[]];
  const kind = kinds.get(first.kind)!;
  const context: CopyContext = { kind, comparison: sides.comparison, toB: sides.toB };
  refuseSecretTexts({ pairs, added });
  if (kind.shape.mergeRows) return pairs.map((pair) => changeSet(pair, context));
  if (kind.shape.rowOf) return changeEntries({ pairs, added }, context);
  return pairs.map((pair) => changeFields(pair, context));
}

/**
 * Throws `CannotPromote` if side A of `trueup diff --promote` has a secret as a text in the values to copy. It does not look whether B has
 * the same text, so that nothing would have to be copied: that would tell whether two secrets are equal.
 */
function refuseSecretTexts({ pairs, added }: PromotedObjects): void {
  const values = [
    ...pairs.flatMap((pair) => promotedPathsOf(pair).map((path) => atPath(pair.a.fields, path))),
    ...added.map(({ fields }) => fields),
  ];
  if (values.some((value) => sealedIn(value).length > 0)) throw new CannotPromote(secretTextReason);
}

/**
 * Returns the change of the YAML that gives an object of side B the values of side A in which both differ, for `trueup diff --promote`.
 * Only for an object that a block of B declares alone.
 */
function changeFields(pair: ComparedPair, context: CopyContext): AcceptedChange {
  const { address } = pair.b;
  const [block] = blocksOfB(context, address);
  // If A lacks a whole group of settings, `build` is removed instead of `build.command`.
  const paths = promotedPathsOf(pair).map((path) => removedPath(path, pair.a.fields));
  const fields = [...new Set(paths)].map((path) =>
    path.startsWith('$') ? settingChange(path, pair, context) : fieldChange(path, pair, context),
  );
  return { type: 'fields', addresses: [address], block, fields };
}

/**
 * Returns the path of the outermost value that A lacks around a path, so that an object of settings is removed as a whole: `build` instead
 * of `build.command`. Returns the path itself if A has a value there.
 */
function removedPath(path: string, fields: Fields): string {
  const names = namesInPath(path);
  const lengths = names.map((_, index) => index + 1);
  // Undefined if A has all of them; `slice` then takes all names.
  const length = lengths.find((end) => atPath(fields, pathOfNames(names.slice(0, end))) === undefined);
  return pathOfNames(names.slice(0, length));
}

/**
 * Returns the change of one field for `trueup diff --promote`: from the value that side B declares to the value of side A, in which
 * references name the objects of B.
 */
function fieldChange(path: string, { a, b }: ComparedPair, { kind, toB }: CopyContext): AcceptedField {
  const schema = schemaAt(kind.fields, path);
  return {
    path: namesInPath(path),
    before: writeDesiredValue(schema, atPath(b.fields, path)),
    after: copyValue(schema, atPath(a.fields, path), toB),
    isUnordered: isUnordered(schema),
  };
}

/**
 * Returns the change of a `$` setting, such as `$protect`, of an object of side B to the value of side A, for `trueup diff --promote`.
 * Throws `CannotPromote` for actions (`$then`), and for a setting that A lacks and the YAML of B cannot turn off.
 */
function settingChange(
  path: string,
  { a: object, settings }: ComparedPair,
  { toB }: CopyContext,
): AcceptedField {
  const { a, b } = settings.find((setting) => setting.path === path)!;
  // The value that turns the setting off, if A lacks it. Only lists and flags have one.
  const offFlag = b === true ? false : undefined;
  const offValue = Array.isArray(b) ? [] : offFlag;
  const value = path === '$dependsOn' ? (object.meta.dependsOn ?? []).map(toB) : (a ?? offValue);
  if (path === '$then' || value === undefined) throw new CannotPromote(`\`${path}\` differs`);
  // `$wait` was read as its number of minutes.
  const after = path === '$wait' ? { minutes: value } : value;
  return { path: [path], before: b as WrittenValue, after: after as WrittenValue, isUnordered: true };
}

/**
 * Returns the changes that `trueup diff --promote` makes to entries of B (blocks that declare several units, such as a variable with three
 * targets), one for each entry that has units of the pairs: of its fields if all units get equal values, otherwise its split into several
 * entries. Added units, which B lacks, are further targets of one variable: they join an entry of its name.
 */
function changeEntries({ pairs, added }: PromotedObjects, context: CopyContext): AcceptedChange[] {
  const { comparison, toB } = context;
  const entriesOfPairs = pairs.flatMap(({ b }) => comparison.b.blocksOf.get(b.address) ?? []);
  const entriesOfAdded = added.flatMap(
    ({ address }) => findEntryOfB(comparison, addressWithoutTarget(toB(address))) ?? [],
  );
  const entries = [...new Set([...entriesOfPairs, ...entriesOfAdded])];
  const pairOf = new Map(pairs.map((pair) => [pair.b.address, pair]));
  return entries.map((entry, index) => {
    const units = entry.units.map(({ address, fields }): Fields => {
      const pair = pairOf.get(address);
      return pair ? withPromotedFields(fields, pair) : fields;
    });
    // All entries here have one name, so the added units join the first one.
    const addedUnits = index === 0 ? added.map(({ fields }) => fields) : [];
    const change = changeEntry(entry, [...units, ...addedUnits], context);
    const settings = settingChangesOf(entry, pairOf, context);
    return { ...change, fields: [...change.fields, ...settings] };
  });
}

/**
 * Returns the changes of the `$` settings of an entry of side B, for `trueup diff --promote`. All units of the entry (the targets of a
 * variable, for example) have them in common.
 */
function settingChangesOf(
  { units }: LoadedBlock,
  pairOf: ReadonlyMap<Address, ComparedPair>,
  context: CopyContext,
): AcceptedField[] {
  const pairs = units.flatMap(({ address }) => pairOf.get(address) ?? []);
  const pairByPath = new Map(pairs.flatMap((pair) => pair.settings.map(({ path }) => [path, pair] as const)));
  return [...pairByPath].flatMap(([path, pair]) =>
    path.startsWith('$') ? [settingChange(path, pair, context)] : [],
  );
}

/** Returns the fields of an object of side B, with the values of side A in the fields that `trueup diff --promote` copies. */
function withPromotedFields(fields: Fields, pair: ComparedPair): Fields {
  const names = new Set(promotedPathsOf(pair).map((path) => namesInPath(path)[0]!));
  const otherFields = omitMembers(fields, [...names]);
  const promoted = Object.entries(pair.a.fields).filter(([name]) => names.has(name));
  return { ...otherFields, ...Object.fromEntries(promoted) };
}

/** Returns an entry of B with a name, to which a target can be added. */
const findEntryOfB = ({ b }: SideComparison, name: Address): LoadedBlock | undefined =>
  [...b.blocksOf].find(([address]) => addressWithoutTarget(address) === name)?.[1][0];

/**
 * Returns the change of an entry of B, which declares several units, such as a variable with three targets, so that they get the promoted
 * values. `units`: their new fields. Units that are equal apart from their targets (`addressFields`) stay in one entry. If they differ now,
 * the entry is split.
 */
function changeEntry(
  block: LoadedBlock,
  units: Fields[],
  context: CopyContext,
): Extract<AcceptedChange, { type: 'fields' | 'split' }> {
  const { kind, toB } = context;
  // Only kinds with `rowOf` have entries of several units: see `toBlockChanges`.
  const rowOf = kind.shape.rowOf!;
  const valuesOf = (fields: Fields) => omitMembers(fields, kind.shape.addressFields);
  const unitsByValues = groupBy(units, (fields) => canonicalJson(valuesOf(fields)));
  // `rowOf` merges the fields of units into those of one entry: `target: [production, preview]`.
  const [row, ...otherRows] = [...unitsByValues.values()].map(rowOf) as [Fields, ...Fields[]];
  const oldRow = rowOf(block.units.map(({ fields }) => fields));
  const change = { addresses: addressesOfUnits(block), block, fields: diffRows(kind, oldRow, row, toB) };
  if (otherRows.length === 0) return { ...change, type: 'fields' };
  // The first entry is the old one, which `fields` changes.
  const entries = composeSplitEntries(oldRow, [row, ...otherRows], context);
  return { ...change, type: 'split', added: entries.changed.slice(1), allEntries: entries.whole };
}

/**
 * Returns the entries into which an entry of B is split, one for each row (the merged fields of units with equal values, such as one value
 * with its targets). `changed`: only the fields that differ from the old entry (`oldRow`), for new entries that copy the others from its
 * text. `whole`: all fields, for a patch that has no text to copy from; the same as `changed` if a field is a secret text.
 */
function composeSplitEntries(
  oldRow: Fields,
  rows: readonly Fields[],
  context: CopyContext,
): { changed: EntryValues[]; whole: EntryValues[] } {
  const { kind, toB } = context;
  const withoutKey = (row: Fields) => omitMembers(row, kind.key);
  const changed = rows.map((row): EntryValues => {
    const fields = diffRows(kind, withoutKey(oldRow), withoutKey(row), toB);
    return new Map(fields.map(({ path, after }) => [path[0]!, after]));
  });
  const whole = writeWholeRows(rows.map(withoutKey), Object.keys(withoutKey(oldRow)), context);
  return { changed, whole: whole ?? changed };
}

/**
 * Returns rows (the merged fields of units of one entry) as whole entries, which need no text of the old entry; undefined if one has a
 * secret text. `oldNames`: the fields of the old entry. A new one that lacks some of them has them as undefined, so that they are not
 * copied from the old one.
 */
function writeWholeRows(
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

/**
 * Returns the fields in which two rows (the merged fields of units of one entry, such as a value with its targets) differ, as changes of
 * the YAML of side B. References in `after` name objects of side A, so they are first converted (`toB`).
 */
function diffRows(
  kind: Kind,
  before: Fields,
  after: Fields,
  toB: (address: Address) => Address,
): AcceptedField[] {
  // Only compared, never shown.
  const textInClear = (value: unknown) => canonicalJson(revealed(value ?? null));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const schema = kind.fields[name];
    // Equal values need no edit. Checked before they are written, because `copyValue` throws for secret texts.
    if (textInClear(before[name]) === textInClear(mapRefs(after[name] ?? null, toB))) return [];
    const oldValue = writeDesiredValue(schema, before[name]);
    const newValue = copyValue(schema, after[name], toB);
    // Different values can have the same form in the YAML.
    if (canonicalJson(oldValue ?? null) === canonicalJson(newValue ?? null)) return [];
    return [{ path: [name], before: oldValue, after: newValue, isUnordered: isUnordered(schema) }];
  });
}
