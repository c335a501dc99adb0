/*
 * Promotes objects of A to B: finds the edits of B's files that give B the settings of A.
 *
 * For each object, several edits may be possible. They are tried in this order, and the first one with a proof counts:
 *
 *   1. the variable of the stage (`stages.production.variables`), if A has another value
 *   2. the place where B's value is written
 *   3. the condition of a patch or block (`$when: { stage: staging }`), extended to B
 *   4. a patch for the stage, or a new block
 *
 * If one object has no such edit, nothing is promoted.
 */
import { findEditedFiles } from '../../accept/accept.ts';
import type { AcceptedChange } from '../../accept/acceptance.ts';
import { ChangeWriter } from '../../accept/change-writer.ts';
import { CannotEditHere } from '../../accept/edit-yaml.ts';
import { composeEntry } from '../../accept/split-entry.ts';
import type { ConfigurationText, WrittenConfiguration } from '../../config/configuration.ts';
import { type Address, isWithin } from '../../model/address.ts';
import { createAddressMatcher } from '../../model/glob.ts';
import { groupBy } from '../../model/graph.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import { cleanLine } from '../../report/text.ts';
import type { ComparedPair, SideComparison } from '../compare-sides.ts';
import type { ComparedObject } from '../compared-side.ts';
import { createAddressMap, promotedPathsOf, toBlockChanges } from './block-changes.ts';
import { CannotPromote } from './copy-value.ts';
import { declareObjects } from './new-blocks.ts';
import { findOrderEdit } from './order-edits.ts';
import { type PromotionSides, proveTexts, type Texts } from './prove-edits.ts';
import { type CandidateEdit, findConditionEdits, findVariableEdits } from './stage-edits.ts';

/** How an entry is written: where its values are written now, or into a patch. */
type WritingWay = 'in place' | 'patch';

/** The result of a promotion: new texts, and the configuration that they make; or the objects that cannot be promoted, with reasons. */
export interface Promotion {
  texts: Texts;
  configuration: WrittenConfiguration;
  refused: { address: Address; why: string }[];
}

/** What is promoted together: all differing targets of a variable, or one other object. */
interface PromotedEntry {
  /** The address in A, without a target. */
  address: Address;
  pairs: ComparedPair[];
  added: ComparedObject[];
}

/** Finds the new texts that promote the objects of A that the globs match. */
export async function promote(sides: PromotionSides, globs: readonly string[]): Promise<Promotion> {
  return new Promoter(sides, globs).run();
}

/** Collects proven texts, object by object. */
class Promoter {
  readonly #sides: PromotionSides;
  readonly #isChosen: (address: Address) => boolean;
  readonly #tried = new Set<string>();
  readonly #toA: (address: Address) => Address;
  #texts: Texts = new Map();
  #comparison: SideComparison;
  #configuration: WrittenConfiguration;
  /** Why the last edit was wrong. */
  #why = '';

  constructor(sides: PromotionSides, globs: readonly string[]) {
    this.#sides = sides;
    this.#isChosen = createAddressMatcher(globs);
    this.#toA = createAddressMap(sides.comparison.pairs, true);
    this.#comparison = sides.comparison;
    this.#configuration = sides.configuration;
  }

  async run(): Promise<Promotion> {
    const refused: Promotion['refused'] = [];
    const openEntries = this.#findOpenEntries();
    if (this.#stages && openEntries.length > 0)
      for (const edit of findVariableEdits(this.#stages)) await this.#try(edit);
    for (const { address } of openEntries) {
      const entry = this.#findOpenEntries().find((open) => open.address === address);
      // The reason why the object around it cannot be promoted is the reason for all in it.
      if (!entry || refused.some((refusal) => isWithin(address, refusal.address))) continue;
      if (!(await this.#promoteEntry(entry))) refused.push({ address, why: this.#why });
    }
    return { texts: this.#texts, configuration: this.#configuration, refused };
  }

  /** The two stages with the current text, if both sides are stages of one configuration. */
  get #stages() {
    const { a, b } = this.#comparison;
    if (a.stage === undefined || b.stage === undefined || !this.#sides.isOneConfiguration) return undefined;
    return { written: this.#configuration.written(), kinds: this.#sides.kinds, a: a.stage, b: b.stage };
  }

  /** Returns the chosen entries that still differ, objects before those in them. */
  #findOpenEntries(): PromotedEntry[] {
    const { pairs, onlyInA } = this.#comparison;
    const openPairs = pairs.filter(
      (pair) =>
        this.#isChosen(pair.a.address) && (pair.place !== undefined || promotedPathsOf(pair).length > 0),
    );
    const added = onlyInA.filter(({ address }) => this.#isChosen(address));
    const pairsByName = groupBy(openPairs, ({ a }) => addressWithoutTarget(a.address));
    const addedByName = groupBy(added, ({ address }) => addressWithoutTarget(address));
    const names = new Set([...pairsByName.keys(), ...addedByName.keys()]);
    return [...names]
      .map((address) => ({
        address,
        pairs: pairsByName.get(address) ?? [],
        added: addedByName.get(address) ?? [],
      }))
      .sort((first, second) => first.address.split('/').length - second.address.split('/').length);
  }

  /** Tries all edits for an entry. Returns false if none is proven; then `#why` has the reason. */
  async #promoteEntry(entry: PromotedEntry): Promise<boolean> {
    this.#why = 'no edit of the YAML has this effect alone';
    const ways = [
      (current: PromotedEntry) => this.#tryOrder(current),
      (current: PromotedEntry) => this.#tryWriting(current, 'in place'),
      (current: PromotedEntry) => this.#tryConditions(current),
      (current: PromotedEntry) => this.#tryWriting(current, 'patch'),
    ];
    for (const way of ways) {
      // An edit that made another object equal may have changed this one.
      const current = this.#findOpenEntries().find(({ address }) => address === entry.address);
      if (!current || (await way(current))) return true;
    }
    return false;
  }

  /** Moves the items of an ordered list: their texts, or in a patch for the stage. */
  async #tryOrder({ pairs }: PromotedEntry): Promise<boolean> {
    const moved = pairs.filter(({ place }) => place);
    if (moved.length === 0) return false;
    const written = this.#configuration.written();
    for (const stage of new Set([undefined, written.stage])) {
      const edit = findOrderEdit(moved, this.#comparison, { ...written, stage }, this.#sides.kinds);
      if (edit && (await this.#try(edit))) return !this.#isOpen(pairs[0]!.a.address);
    }
    this.#why = 'its position in the list differs: move it by hand';
    return false;
  }

  async #tryConditions(entry: PromotedEntry): Promise<boolean> {
    const stages = this.#stages;
    if (!stages) return false;
    const objects = [
      ...entry.pairs.map((pair) => ({ address: pair.a.address, paths: promotedPathsOf(pair) })),
      ...entry.added.map(({ address }) => ({ address, paths: [] })),
    ];
    for (const edit of findConditionEdits(stages, this.#comparison.a, objects))
      if ((await this.#try(edit)) && !this.#isOpen(entry.address)) return true;
    return false;
  }

  /** Writes an entry where its values are written now, or into a patch, which is for the stage of B if it has one. */
  async #tryWriting(entry: PromotedEntry, way: WritingWay): Promise<boolean> {
    const { kinds } = this.#sides;
    const written = this.#configuration.written();
    const isStaged = written.stage !== undefined;
    const stage = way === 'patch' ? written.stage : undefined;
    const writer = new ChangeWriter({ ...written, stage }, kinds);
    try {
      this.#write(entry, { ...written, stage }, writer, way);
    } catch (error) {
      if (!(error instanceof CannotPromote) && !(error instanceof CannotEditHere)) throw error;
      if (error instanceof CannotPromote) this.#why = error.message;
      return false;
    }
    const [unplaced] = writer.unplaced;
    if (unplaced) this.#why = unplaced.reason;
    const isPatched = writer.patches.addresses().length > 0;
    // A patch without a condition would be for all stages.
    if (unplaced || (way === 'in place' && isStaged && isPatched)) return false;
    const files = findEditedFiles(writer.slots.files);
    return files.length > 0 && (await this.#try({ id: '', files })) && !this.#isOpen(entry.address);
  }

  /** Writes an entry with `writer`. */
  #write(entry: PromotedEntry, written: ConfigurationText, writer: ChangeWriter, way: WritingWay): void {
    const comparison = this.#comparison;
    const { kinds } = this.#sides;
    const toB = createAddressMap(comparison.pairs);
    const name = toB(entry.address);
    const isInB = [...comparison.b.objects.keys()].some((address) => addressWithoutTarget(address) === name);
    if (entry.pairs.length === 0 && !isInB) {
      const chosen = comparison.onlyInA.filter(({ address }) => this.#isChosen(address));
      declareObjects(entry.added, chosen, { comparison, written, kinds, toB, writer });
    } else
      for (const change of toBlockChanges(entry, comparison, kinds))
        if (way === 'patch') writeAsPatch(change, writer);
        else writer.write(change);
    writer.finish();
  }

  /** Returns a text for each difference of the chosen objects: a missing object, or a path or place that differs. */
  #openDifferences = (): Set<string> =>
    new Set(
      this.#findOpenEntries().flatMap(({ pairs, added }) => [
        ...added.map(({ address }) => `${address} missing`),
        ...pairs.flatMap((pair) => [
          ...promotedPathsOf(pair).map((path) => `${pair.a.address} ${path}`),
          ...(pair.place ? [`${pair.a.address} place`] : []),
        ]),
      ]),
    );

  #isOpen = (entryAddress: Address): boolean =>
    this.#findOpenEntries().some(({ address }) => address === entryAddress);

  /**
   * Proves an edit and keeps its texts if the chosen objects differ in less. Each edit with an id is tried once, because a wrong
   * one stays wrong.
   */
  async #try({ id, files }: CandidateEdit): Promise<boolean> {
    if (id !== '' && this.#tried.has(id)) return false;
    this.#tried.add(id);
    const texts = new Map([
      ...this.#texts,
      ...files.map(({ path, after }): [string, string] => [path, after]),
    ]);
    const proof = await proveTexts(this.#sides, texts, this.#mayChange);
    if ('why' in proof) {
      this.#why = proof.why;
      return false;
    }
    const openBefore = this.#openDifferences();
    const before = { texts: this.#texts, comparison: this.#comparison, configuration: this.#configuration };
    [this.#texts, this.#comparison, this.#configuration] = [texts, proof.comparison, proof.configuration];
    const openAfter = this.#openDifferences();
    // An edit may not make one object equal and another one different.
    if (openAfter.size < openBefore.size && [...openAfter].every((text) => openBefore.has(text))) return true;
    [this.#texts, this.#comparison, this.#configuration] = [
      before.texts,
      before.comparison,
      before.configuration,
    ];
    return false;
  }

  /** True for an object of B that a chosen object of A makes. */
  #mayChange = (address: Address): boolean => this.#isChosen(this.#toA(address));
}

/**
 * Writes a change of a block into a patch, even if it could be written elsewhere. New entries with the key of an old one would inherit what they do
 * not state, so the old one is dropped. Throws `CannotEditHere` if a patch cannot express it.
 */
function writeAsPatch(change: AcceptedChange, writer: ChangeWriter): void {
  const { patches, targets } = writer;
  if (change.type === 'fields') for (const field of change.fields) targets.setField(change.block, field);
  else if (change.type === 'split') {
    const { kind, parent, key } = change.block.block;
    if (!parent || !key || !/^[\w-]+$/.test(key.text) || targets.hasSiblings(change.block.block))
      throw new CannotEditHere();
    const file = targets.fileFor(change.block);
    const entries = change.allEntries.map((values) =>
      composeEntry(values, { read: change.block, slot: undefined, newAddressOf: (address) => address }),
    );
    patches.addDrop(file, parent.address, `${kind.section}/${key.text}`);
    patches.setField(file, parent.address, [kind.section, key.text], entries);
  } else writer.write(change);
}

/** Formats the reason why an object cannot be promoted. */
export const refusalText = ({ address, why }: Promotion['refused'][number]): string =>
  `${cleanLine(address)} cannot be promoted: ${why}`;
