import { isScalar } from 'yaml';
import { addressesOfUnits, findFieldNode, type LoadedBlock } from '../config/blocks/block.ts';
import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import { formatCsvCell } from '../config/values/csv-cells.ts';
import { childrenOf, spotsIn } from '../config/yaml/nodes.ts';
import { nameOfPlace, type Spot } from '../config/yaml/source.ts';
import type { Address } from '../model/address.ts';
import { count } from '../report/text.ts';
import type { AcceptedField } from './acceptance.ts';
import { editValue, type WrittenValue } from './edit-value.ts';
import { CannotEditHere, removeSlots } from './edit-yaml.ts';
import { unescapeText } from './format-yaml-text.ts';
import type { OriginEdit, RefusedOrigins } from './origin-edit.ts';
import { type SlotIndex, spotId } from './slot-index.ts';
import { findOrigin, type NoOrigin, type ValueOrigin } from './value-origin.ts';
import { enclosingSlots, isCsvFile, type Slot, scalarText, topKeyOf, type YamlFile } from './yaml-file.ts';

interface OriginContext {
  slots: SlotIndex;
  blocks: readonly LoadedBlock[];
  stage: string | undefined;
  refused: RefusedOrigins;
}

/**
 * Writes accepted values where their data is: into a cell of a CSV file, a data file in YAML or JSON, a variable, or the input that
 * a block gives to its template. Only data that makes exactly one value is changed, because everything else would change as well.
 *
 * With a stage, only the variables of this stage are written, since all other data is for all stages.
 */
export class OriginWriter {
  /** Why values were written elsewhere although they come from data, for people. */
  readonly notes: { address: Address; text: string }[] = [];
  /** The edits of data, also those that were taken back. Those in the files have the ids in `TextEdit`. */
  readonly edits: OriginEdit[] = [];
  readonly #context: OriginContext;
  #userCounts: ReadonlyMap<string, number> | undefined;

  constructor(context: OriginContext) {
    this.#context = context;
  }

  /**
   * Writes an accepted value into the data that makes it, such as a cell of a CSV file, for `trueup accept`. Returns false, without edits,
   * if the value comes from no data, or from data that must not be changed; for the latter adds a note with the reason.
   */
  write(loaded: LoadedBlock, field: AcceptedField): boolean {
    const result = this.#tryToWrite(loaded, field);
    if (result === true) return true;
    const address = loaded.units[0]?.address ?? loaded.block.address;
    if (result) this.notes.push({ address, text: `\`${field.path.join('.')}\` ${result.reason}` });
    return false;
  }

  /**
   * Writes an accepted value into the data that makes it, such as a cell of a CSV file. Returns true if it was written, the reason if its
   * data must not be changed, or undefined if the value comes from no data.
   */
  #tryToWrite(loaded: LoadedBlock, field: AcceptedField): true | NoOrigin | undefined {
    const node = findFieldNode(loaded.block, field.path);
    const origin = node && findOrigin(node);
    if (!origin) return undefined;
    if (!('spot' in origin)) return { reason: `cannot be written where its data is: ${origin.reason}` };
    const writablePlace = this.#findPlace(origin.spot);
    // Without an expression, the value is written in the block itself or its template, and needs no explanation.
    if (!writablePlace) return origin.isFromExpression ? this.#explainNoFile(origin.spot) : undefined;
    const name = nameOfPlace(origin.spot);
    const reason = writablePlace.reason ?? this.#reasonToKeep(origin, writablePlace, field);
    if (reason !== undefined) return { reason: `is not written at ${name}, ${reason}` };
    const { slots } = this.#context;
    const editCounts = slots.files.map((file) => file.edits.length);
    if (!slots.attempt(() => writeAt(writablePlace, origin, field)))
      return { reason: `is not written at ${name}, because no text there makes this value` };
    const id = dataSpotId(origin.spot);
    this.edits.push({
      id,
      value: {
        addresses: addressesOfUnits(loaded),
        path: field.path,
        after: field.after,
      },
    });
    // Marks the edits that `writeAt` added, so that `acceptSafely` can leave them out if they turn out to change other values.
    for (const [index, file] of slots.files.entries())
      for (const textEdit of file.edits.slice(editCounts[index])) textEdit.originId = id;
    return true;
  }

  /**
   * Returns the place at which `accept` can write data: a cell, or a value in a data file, in the variables, or in an input or member
   * (`$use`, `$each`) of a block. `reason`: why it must not be written there. Returns undefined for a place that is no data, such as the
   * text of a template or a block, and for a file that cannot be edited.
   */
  #findPlace(spot: Spot): DataPlace | undefined {
    const { slots, stage } = this.#context;
    const file = slots.fileOf(spot);
    // With `--stage`, only data of that stage may be written.
    const reason = stage === undefined ? undefined : 'because that is for all stages';
    if (!file) return undefined;
    if (isCsvFile(file)) return spot.cell && { file, cell: spot.cell, reason };
    const slot = file.valueAt(spot.start);
    if (!slot) return undefined;
    if (!slots.holdsBlocks(file)) return { file, slot, isDataFile: slots.isDataFile(file), reason };
    const topKey = topKeyOf(slot);
    // The data of a stage may be written with and without `--stage`.
    if (topKey === 'stages') return { file, slot };
    const isData =
      topKey === 'variables' ||
      (topKey !== 'templates' && [slot, ...enclosingSlots(slot)].some(isInputOrMember));
    return isData ? { file, slot, reason } : undefined;
  }

  /**
   * Returns why `accept` must not edit the file of some data, for a note; it then writes the value elsewhere. Returns undefined if the file
   * may be edited, and only this place is no data, such as the text of a template in it.
   */
  #explainNoFile(spot: Spot): NoOrigin | undefined {
    const { slots } = this.#context;
    if (slots.fileOf(spot)) return undefined;
    const reason = slots.isInTemplate(spot)
      ? 'because files under `include:` are not edited'
      : 'because git does not track it';
    return { reason: `is not written at ${nameOfPlace(spot)}, ${reason}` };
  }

  /**
   * Returns why `accept` must not change the data (such as a cell of a CSV file) that makes a value; undefined if it may. For example,
   * other values may come from the same data, or `acceptSafely` found another effect of a change (`refused`).
   */
  #reasonToKeep(
    { spot, node, isOptional }: ValueOrigin,
    { slot }: DataPlace,
    { after }: AcceptedField,
  ): string | undefined {
    if (slot?.isShared) return 'because an alias repeats it';
    if (isRemoved(after) && !isOptional) return 'because the expression needs a value';
    const refusal = this.#context.refused.get(dataSpotId(spot));
    if (refusal !== undefined) return `because ${refusal}`;
    this.#userCounts ??= countUsers(this.#context.blocks);
    // A part of a list or map can be data of other values, too.
    const mostUsers = Math.max(
      ...[spot, ...childrenOf(node).flatMap(spotsIn)].map((place) => this.#usersOf(place)),
    );
    return mostUsers > 1 ? `because ${count(mostUsers, 'value')} come from there` : undefined;
  }

  #usersOf = (spot: Spot): number => this.#userCounts!.get(dataSpotId(spot)) ?? 0;
}

/** A place of data: a cell, or a value in a YAML or JSON file. */
interface DataPlace {
  file: YamlFile;
  cell?: NonNullable<Spot['cell']>;
  slot?: Slot;
  /** True in a data file. Its texts have no expressions, so `${` is not escaped. */
  isDataFile?: boolean;
  reason?: string | undefined;
}

/** True for the inputs of a `$use` and the members of an `$each`: data that is written in a block. */
const isInputOrMember = ({ key }: Slot): boolean =>
  key !== undefined && ['$use', '$each', 'use'].includes(scalarText(key));

/** True if the account has no value, so that the data has to go. */
const isRemoved = (after: WrittenValue): after is null | undefined => after === undefined || after === null;

/**
 * Writes the new value of a field into the data that makes it: a cell of a CSV file, or a value in YAML or JSON (`slot`). If the new value
 * is empty, the data is removed. Throws `CannotEditHere`, so that `accept` writes the value elsewhere, in these cases: no data makes that
 * value, for example because an expression adds a prefix that it lacks; the data has another form than the value; it cannot be removed; or
 * it was edited already.
 */
function writeAt(place: DataPlace, origin: ValueOrigin, field: AcceptedField): void {
  const { file, cell, slot } = place;
  if (cell) writeCell(file, cell, origin, field.after);
  else if (!slot?.parent) throw new CannotEditHere();
  else if (!isRemoved(field.after)) writeSlot(slot, place, origin, field);
  else if (!slot.key) throw new CannotEditHere();
  else removeSlots([slot], file, slot.parent);
}

/**
 * Writes the accepted value of a field into the cell of a CSV file that makes it, or empties the cell if there is no value any more. Throws
 * `CannotEditHere` if the cell was edited already; then `accept` writes the value elsewhere.
 */
function writeCell(
  file: YamlFile,
  cell: NonNullable<DataPlace['cell']>,
  origin: ValueOrigin,
  after: WrittenValue,
): void {
  if (file.isEdited(cell.start, cell.end)) throw new CannotEditHere();
  const textBefore = file.text.slice(cell.start, cell.end);
  // Line ends in a cell are part of its value, so they are not converted to those of the file.
  const text = isRemoved(after) ? '' : formatCsvCell(textFor(origin, after), textBefore);
  file.edits.push({ ...cell, text });
}

/**
 * Writes the new value of a field into the YAML or JSON value that makes it (`slot`). Of a list or map only the parts that differ are
 * edited, so `editValue` also gets the previous value and the places of its parts. The data of a text or number is replaced as a whole.
 * Texts are written as in a configuration, with `$${` for `${`, unless it is a data file (`isDataFile`).
 */
function writeSlot(
  slot: Slot,
  { isDataFile }: DataPlace,
  origin: ValueOrigin,
  { before, after, isUnordered }: AcceptedField,
): void {
  const isScalarValue = origin.node.type === 'scalar';
  if (isScalarValue !== isScalar(slot.node)) throw new CannotEditHere();
  const toFileText = isDataFile ? unescapeAll : (value: WrittenValue) => value;
  if (isScalarValue) {
    const data = toFileText(scalarDataFor(origin, after));
    editValue(slot, undefined, { before: undefined, after: data, isUnordered });
  } else editValue(slot, origin.node, { before: toFileText(before), after: toFileText(after), isUnordered });
}

/**
 * Returns the data that makes a text or number, as `accept` writes it. A number stays a number if the data is the whole value, without an
 * expression that adds text around it. Throws `CannotEditHere` if no data makes the value.
 */
function scalarDataFor(origin: ValueOrigin, after: WrittenValue): WrittenValue {
  const text = textFor(origin, after);
  return text === unescapeText(String(after)) ? after : escapeExpressions(text);
}

/**
 * Returns the text that `trueup accept` writes into the data (a CSV cell, for example), so that the expression around it makes the new
 * value. Throws `CannotEditHere` for a list or map, and if no data makes the value.
 */
function textFor(origin: ValueOrigin, after: WrittenValue): string {
  const text = typeof after === 'object' ? undefined : origin.dataFor(unescapeText(String(after)));
  if (text === undefined) throw new CannotEditHere();
  return text;
}

/**
 * Returns a value with all texts in it as they stand in a data file, where `${` needs no escape, unlike in the YAML of a configuration.
 * Used when `accept` writes the value into such a file.
 */
function unescapeAll(value: WrittenValue): WrittenValue {
  if (typeof value === 'string') return unescapeText(value);
  if (Array.isArray(value)) return value.map(unescapeAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [unescapeText(name), unescapeAll(item)]),
  );
}

/** Returns a key for the place of data, by which its users are counted. For CSV data it is that of the cell, not of its row. */
const dataSpotId = (spot: Spot): string => spotId(spot.cell ? { ...spot, start: spot.cell.start } : spot);

/**
 * Counts how many values of the configuration come from each place of its data, because `accept` changes only data that makes one value. A
 * value is a field (which the key of a block is, too), a member of one, or a `$` setting.
 */
function countUsers(blocks: readonly LoadedBlock[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { block } of blocks)
    for (const { value } of [...block.fieldEntries, ...block.settingEntries])
      for (const spot of spotsIn(value)) {
        const id = dataSpotId(spot);
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
  return counts;
}
