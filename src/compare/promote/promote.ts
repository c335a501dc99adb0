/*
 * Promotes objects of A to B: finds the edits of B's files that give B the settings of A.
 *
 * For each object, several edits may be possible. They are tried in this order, and the first one with a proof counts:
 *
 *   1. the variable of the stage (`stages.production.variables`), if A has another value
 *   2. the place where B's value is written, for this object alone or for several that are promoted
 *   3. the condition of a patch or block (`$when: { stage: staging }`), extended to B
 *   4. a patch for the stage, or a new block
 *
 * If one object has no such edit, nothing is promoted. Many objects are first written together, because each proof reads all stages again.
 */
import type { FileTexts, WrittenConfiguration } from '../../config/configuration.ts';
import { type Address, isWithin } from '../../model/address.ts';
import { cleanLine } from '../../report/text.ts';
import { promotedPathsOf } from './copy-context.ts';
import { findOrderEdit } from './order-edits.ts';
import { type PromotedEntry, PromotionState } from './promotion-state.ts';
import type { PromotionSides } from './prove-edits.ts';
import { findSharedEdits } from './shared-edits.ts';
import { type CandidateEdit, findConditionEdits, findVariableEdits } from './stage-edits.ts';
import { type WritingWay, writeEntries } from './write-entries.ts';

/** The result of a promotion: new texts, and the configuration that they make; or the objects that cannot be promoted, with reasons. */
export interface Promotion {
  texts: FileTexts;
  configuration: WrittenConfiguration;
  refused: { address: Address; why: string }[];
}

/**
 * Finds the texts of side B's files that give B the settings of side A for the objects that match the globs, for `trueup diff --promote`.
 * Each edit is proved by reading all stages again. Returns the objects for which there is no such edit as `refused`.
 */
export async function promote(sides: PromotionSides, globs: readonly string[]): Promise<Promotion> {
  const state = new PromotionState(sides, globs);
  if (state.stages && state.openEntries().length > 0)
    for (const edit of findVariableEdits(state.stages)) await state.try(edit);
  // First one edit for all entries that still differ, then each alone; all ways without a patch before a patch.
  await tryTogether(state, 'in place');
  for (const { address } of state.openEntries()) await tryWays(address, state, waysWithoutPatch);
  await tryTogether(state, 'patch');
  const refused: Promotion['refused'] = [];
  for (const { address } of state.openEntries()) {
    // The reason why the object around it cannot be promoted is the reason for all in it.
    if (refused.some((refusal) => isWithin(address, refusal.address))) continue;
    // Each edit that fails replaces this reason if it has a better one.
    state.why = 'no edit of the YAML has this effect alone';
    if (!(await tryWays(address, state, [...waysWithoutPatch, tryPatch])))
      refused.push({ address, why: state.why });
  }
  const { texts, configuration } = state.progress;
  return { texts, configuration, refused };
}

/**
 * Tries to give all objects that still differ (open entries) the settings of side A by one edit, because one edit for each would take
 * more readings of the configuration. Entries whose position in a list differs are left out. If the edit is wrong for any of them it is
 * dropped, and each entry is tried alone later.
 */
async function tryTogether(state: PromotionState, way: WritingWay): Promise<void> {
  const entries = state.openEntries().filter(({ pairs }) => pairs.every(({ place }) => place === undefined));
  const edit = entries.length > 1 ? writeEntries(entries, state, way) : undefined;
  if (edit) await state.try(edit);
}

/** Tries the edits of one way of writing an entry. */
type TryWay = (entry: PromotedEntry, state: PromotionState) => Promise<void>;

/**
 * Tries several ways to promote one entry (an object, or all targets of a variable) to side B, in their order, until nothing of it differs
 * between the sides any more. Returns false if something still does. The edits that made sides more equal stay in `state`, also in that
 * case.
 */
async function tryWays(address: Address, state: PromotionState, ways: readonly TryWay[]): Promise<boolean> {
  for (const tryWay of ways) {
    // An edit that made another object equal may have changed this one.
    const entry = state.openEntry(address);
    if (!entry) return true;
    await tryWay(entry, state);
  }
  return state.openEntry(address) === undefined;
}

const tryInPlace: TryWay = (entry, state) => tryEdits([writeEntries([entry], state, 'in place')], state);
const tryPatch: TryWay = (entry, state) => tryEdits([writeEntries([entry], state, 'patch')], state);
const tryShared: TryWay = (entry, state) => tryEdits(findSharedEdits(entry, state), state);

/**
 * Moves the items of an ordered list in the YAML of side B to the order of side A: their texts or, if that is not possible, by a patch (an
 * entry of `patches:`) for the stage of B.
 */
const tryOrder: TryWay = async ({ pairs }, state) => {
  const moved = pairs.filter(({ place }) => place);
  if (moved.length === 0) return;
  const { comparison, configuration } = state.progress;
  const written = configuration.written();
  // First for all stages, for example by exchanging the texts of the items; then by a patch for the stage of B alone.
  for (const stage of new Set([undefined, written.stage])) {
    const edit = findOrderEdit(moved, comparison, { ...written, stage }, state.sides.kinds);
    if (edit && (await state.try(edit))) return;
  }
  state.why = 'its position in the list differs: move it by hand';
};

/**
 * Tries to promote objects of side A by extending the conditions (`$when`) around the YAML that declares them, so that it applies to the
 * stage of side B as well. Only possible between two stages of one stack.
 */
const tryConditions: TryWay = async ({ pairs, added }, state) => {
  const { stages } = state;
  if (!stages) return;
  const objects = [
    ...pairs.map((pair) => ({ address: pair.a.address, paths: promotedPathsOf(pair) })),
    ...added.map(({ address }) => ({ address, paths: [] })),
  ];
  await tryEdits(findConditionEdits(stages, state.progress.comparison.a, objects), state);
};

const waysWithoutPatch: readonly TryWay[] = [tryOrder, tryInPlace, tryShared, tryConditions];

async function tryEdits(edits: readonly (CandidateEdit | undefined)[], state: PromotionState): Promise<void> {
  for (const edit of edits) if (edit && (await state.try(edit))) return;
}

/** Formats the reason why an object cannot be promoted. */
export const refusalText = ({ address, why }: Promotion['refused'][number]): string =>
  `${cleanLine(address)} cannot be promoted: ${why}`;
