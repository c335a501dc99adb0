/*
 * Finds edits that give a stage what another stage of the same configuration has, without repeating a value: the variable of the stage, and
 * the condition of a patch, block or template (`$when: { stage: staging }`).
 */
import { isMap, isScalar, isSeq, type Scalar } from 'yaml';
import { findEditedFiles } from '../../accept/accept.ts';
import type { ChangedFile } from '../../accept/changed-files.ts';
import { insertEntry, insertItem, removeSlots, replaceText } from '../../accept/edit-yaml.ts';
import { formatValue } from '../../accept/format-yaml-text.ts';
import { SlotIndex } from '../../accept/slot-index.ts';
import {
  enclosingSlots,
  findEntry,
  inBrackets,
  isUnwritten,
  itemSlotsOf,
  type Slot,
  scalarText,
  surroundingsOf,
} from '../../accept/yaml-file.ts';
import { spotOfBlock } from '../../config/blocks/block.ts';
import type { ConfigurationText } from '../../config/configuration.ts';
import type { Spot } from '../../config/yaml/source.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import { namesInPath } from '../../model/value.ts';
import type { ComparedSide } from '../compared-side.ts';

/** New texts of files that may promote a part of A. `id`: equal for equal edits, so that each is tried once. */
export interface CandidateEdit {
  id: string;
  files: ChangedFile[];
}

/** Two stages of one configuration, with its text. */
export interface StagePair {
  written: ConfigurationText;
  kinds: Kinds;
  a: string;
  b: string;
}

/**
 * Returns the edits that give stage B the variables of stage A (`stages.staging.variables`, not those of the platform), one edit for each
 * variable. `trueup diff --promote` tries them first, because objects often differ only by such a variable.
 */
export function findVariableEdits(stages: StagePair): CandidateEdit[] {
  const names = new Set([stages.a, stages.b].flatMap((stage) => variableNamesOf(stages, stage)));
  return [...names].flatMap((name) => {
    const edit = editInFiles(stages, ({ files }) =>
      setVariable(
        files.flatMap(({ roots }) => roots),
        stages,
        name,
      ),
    );
    return edit.length > 0 ? [{ id: `variable ${name}`, files: edit }] : [];
  });
}

/** Runs an edit on fresh copies of the files and returns the files that it changed; none if it is impossible. */
function editInFiles({ written, kinds }: StagePair, edit: (index: SlotIndex) => void): ChangedFile[] {
  const index = new SlotIndex(written, kinds);
  return index.attempt(() => edit(index)) ? findEditedFiles(index.files) : [];
}

/**
 * Returns the slots (places that can be edited) of a stage under `stages:`, where the variables of the stage are. The files of a
 * configuration can have several.
 */
const stageSlotsOf = (roots: readonly Slot[], stage: string): Slot[] =>
  roots.flatMap((root) => {
    const stages = findEntry(root, 'stages');
    return (stages && findEntry(stages, stage)) ?? [];
  });

/** Returns the names of the variables that a stage sets in the files of the configuration, to promote their values to another stage. */
const variableNamesOf = ({ written, kinds }: StagePair, stage: string): string[] => {
  const roots = new SlotIndex(written, kinds).files.flatMap((file) => file.roots);
  return stageSlotsOf(roots, stage).flatMap((slot) => {
    const variables = findEntry(slot, 'variables');
    if (!isMap(variables?.node)) return [];
    return variables.node.items.flatMap(({ key }) => (isScalar(key) ? scalarText(key as Scalar) : []));
  });
};

/**
 * Gives a variable of stage B the value that the file has for stage A, or removes it from B if A does not set it, for an edit that `trueup
 * diff --promote` tries. If several files have a stage under `stages:`, only the first of them counts. Nothing happens if no file has B.
 * `roots`: the top of each file of the configuration.
 */
function setVariable(roots: readonly Slot[], { a, b }: StagePair, name: string): void {
  const [stageOfA] = stageSlotsOf(roots, a);
  const [stageOfB] = stageSlotsOf(roots, b);
  if (!stageOfB) return;
  const variablesOfA = stageOfA && findEntry(stageOfA, 'variables');
  const variablesOfB = findEntry(stageOfB, 'variables');
  const inA = variablesOfA && findEntry(variablesOfA, name);
  const inB = variablesOfB && findEntry(variablesOfB, name);
  if (!inA) {
    if (inB) removeSlots([inB], inB.file, inB.parent!);
    return;
  }
  const value = plainDataOf(inA);
  if (inB) replaceValue(inB, value);
  else if (variablesOfB) insertEntry(variablesOfB, name, value as never);
  else insertEntry(stageOfB, 'variables', { [name]: value } as never);
}

/** Replaces the value of a stage's variable in a file, unless it is equal already. A list or map is written on one line, in brackets. */
function replaceValue(slot: Slot, value: unknown): void {
  if (JSON.stringify(plainDataOf(slot)) === JSON.stringify(value)) return;
  const isTextual = typeof value !== 'object' || value === null;
  const surroundings = isTextual ? surroundingsOf(slot) : inBrackets(slot.file);
  replaceText(slot, formatValue(value as never, surroundings), slot.file);
}

/** Returns the value of a slot as plain data. */
const plainDataOf = ({ node }: Slot): unknown => (node as { toJSON?(): unknown } | null)?.toJSON?.() ?? null;

/**
 * Returns the edits with which `trueup diff --promote` extends a condition for stage A (`$when: { stage: staging }`) to stage B: one for
 * each condition around the texts that declare some objects of A. `paths`: the fields in which the object differs; empty for one that B
 * lacks.
 */
export function findConditionEdits(
  stages: StagePair,
  side: ComparedSide,
  objects: readonly { address: Address; paths: readonly string[] }[],
): CandidateEdit[] {
  const spots = objects.flatMap(({ address, paths }) => findDeclaringSpots(side, address, paths));
  const spotById = new Map<string, Spot>();
  const index = new SlotIndex(stages.written, stages.kinds);
  for (const spot of spots)
    for (const condition of conditionsAround(index, spot, stages))
      spotById.set(`${condition.file.name}:${condition.key!.range![0]}`, spot);
  return [...spotById].flatMap(([id, spot]) => {
    // Each edit starts from the present text, where the condition is found again.
    const files = editInFiles(stages, (freshIndex) => {
      const condition = conditionsAround(freshIndex, spot, stages).find(
        ({ file, key }) => `${file.name}:${key!.range![0]}` === id,
      );
      if (condition) extendCondition(condition, stages);
    });
    return files.length > 0 ? [{ id: `condition ${id}`, files }] : [];
  });
}

/**
 * Returns the places in the files where side A declares an object and those of its fields or settings that differ in side B. `trueup diff
 * --promote` looks there for conditions on the stage.
 */
const findDeclaringSpots = (side: ComparedSide, address: Address, paths: readonly string[]): Spot[] =>
  (side.blocksOf.get(address) ?? []).flatMap(({ block }) => {
    const names = new Set(paths.map((path) => namesInPath(path)[0]));
    const entries = [...block.fieldEntries, ...block.settingEntries].filter(({ key }) => names.has(key.text));
    return [...entries.map(({ key }) => key.at), spotOfBlock(block)];
  });

/**
 * Returns the values of `stage` in those conditions (`$when: { stage: staging }`) around a place in a file that hold for stage A and not
 * for stage B. `trueup diff --promote` adds B to one of them, so that the text also counts there.
 */
function conditionsAround(index: SlotIndex, spot: Spot, { a, b }: StagePair): Slot[] {
  const slot = index.slotAt(spot);
  if (!slot) return [];
  return [slot, ...enclosingSlots(slot)].flatMap((enclosing) => {
    const when = findEntry(enclosing, '$when');
    const stage = when && findEntry(when, 'stage');
    if (!stage) return [];
    const names = isScalar(stage.node)
      ? [scalarText(stage.node)]
      : itemSlotsOf(stage).flatMap(({ node }) => (isScalar(node) ? scalarText(node) : []));
    return names.includes(a) && !names.includes(b) ? [stage] : [];
  });
}

/**
 * Adds stage B to the stages of a condition, so that the text under the condition counts for B, too: `stage: staging` becomes `stage:
 * [staging, production]`.
 */
function extendCondition(condition: Slot, { b }: StagePair): void {
  const { node, file } = condition;
  if (isSeq(node)) insertItem(condition, b, node.items.length - 1);
  else if (isScalar(node) && !isUnwritten(node))
    replaceText(condition, formatValue([scalarText(node), b], inBrackets(file)), file);
}
