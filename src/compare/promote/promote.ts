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
import { ChangeWriter } from '../../accept/change-writer.ts';
import { CannotEditHere } from '../../accept/edit-yaml.ts';
import type { WrittenConfiguration } from '../../config/configuration.ts';
import type { Address } from '../../model/address.ts';
import { createAddressMatcher } from '../../model/glob.ts';
import { groupBy } from '../../model/graph.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import { cleanLine } from '../../report/text.ts';
import type { ComparedPair, SideComparison } from '../compare-sides.ts';
import type { ComparedObject } from '../compared-side.ts';
import { createAddressMap, promotedPathsOf, toBlockChanges } from './block-changes.ts';
import { CannotPromote } from './copy-value.ts';
import { declareObjects } from './new-blocks.ts';
import { type PromotionSides, proveTexts, type Texts } from './prove-edits.ts';
import { type CandidateEdit, findConditionEdits, findVariableEdits } from './stage-edits.ts';

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
      if (!entry) continue;
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
    const isStaged = this.#configuration.written().stage !== undefined;
    return (
      (await this.#tryWriting(entry, undefined, !isStaged)) ||
      (await this.#tryConditions(entry)) ||
      (isStaged && (await this.#tryWriting(entry, this.#configuration.written().stage, true)))
    );
  }

  async #tryConditions(entry: PromotedEntry): Promise<boolean> {
    const stages = this.#stages;
    if (!stages) return false;
    const objects = [
      ...entry.pairs.map((pair) => ({ address: pair.a.address, paths: promotedPathsOf(pair) })),
      ...entry.added.map(({ address }) => ({ address, paths: [] })),
    ];
    for (const edit of findConditionEdits(stages, this.#comparison.a, objects))
      if ((await this.#try(edit)) && !this.#isOpen(entry)) return true;
    return false;
  }

  /** Writes an entry into the blocks of B, or with `stage` into a patch for that stage. */
  async #tryWriting(entry: PromotedEntry, stage: string | undefined, mayPatch: boolean): Promise<boolean> {
    const { kinds } = this.#sides;
    const written = { ...this.#configuration.written(), stage };
    const writer = new ChangeWriter(written, kinds);
    try {
      this.#write(entry, written, writer);
    } catch (error) {
      if (!(error instanceof CannotPromote) && !(error instanceof CannotEditHere)) throw error;
      if (error instanceof CannotPromote) this.#why = error.message;
      return false;
    }
    const [unplaced] = writer.unplaced;
    if (unplaced) this.#why = unplaced.reason;
    if (unplaced || (!mayPatch && writer.patches.addresses().length > 0)) return false;
    const files = findEditedFiles(writer.slots.files);
    return files.length > 0 && (await this.#try({ id: '', files })) && !this.#isOpen(entry);
  }

  #write(
    entry: PromotedEntry,
    written: ReturnType<WrittenConfiguration['written']>,
    writer: ChangeWriter,
  ): void {
    const comparison = this.#comparison;
    const { kinds } = this.#sides;
    const toB = createAddressMap(comparison.pairs);
    const name = toB(entry.address);
    const isInB = [...comparison.b.objects.keys()].some((address) => addressWithoutTarget(address) === name);
    if (entry.pairs.length > 0 || isInB)
      for (const change of toBlockChanges(entry, comparison, kinds)) writer.write(change);
    else declareObjects(entry.added, comparison, written, kinds, toB, writer);
    writer.finish();
  }

  #isOpen = ({ address }: PromotedEntry): boolean =>
    this.#findOpenEntries().some((open) => open.address === address);

  /**
   * Proves an edit and keeps its texts if it makes at least one more chosen object equal. Each edit with an id is tried once, because a wrong
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
    const openBefore = this.#findOpenEntries().length;
    const before = { texts: this.#texts, comparison: this.#comparison, configuration: this.#configuration };
    [this.#texts, this.#comparison, this.#configuration] = [texts, proof.comparison, proof.configuration];
    if (this.#findOpenEntries().length < openBefore) return true;
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

/** Formats the reason why an object cannot be promoted. */
export const refusalText = ({ address, why }: Promotion['refused'][number]): string =>
  `${cleanLine(address)} cannot be promoted: ${why}`;
