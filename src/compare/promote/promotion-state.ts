import { newTextsOf } from '../../accept/changed-files.ts';
import type { FileTexts, WrittenConfiguration } from '../../config/configuration.ts';
import type { Address } from '../../model/address.ts';
import { digest } from '../../model/digest.ts';
import { createAddressMatcher } from '../../model/glob.ts';
import { groupBy } from '../../model/graph.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import type { ComparedPair, SideComparison } from '../compare-sides.ts';
import type { ComparedObject } from '../compared-side.ts';
import { createAddressMap, promotedPathsOf } from './copy-context.ts';
import { type EditProof, type PromotionSides, proveTexts } from './prove-edits.ts';
import type { CandidateEdit, StagePair } from './stage-edits.ts';

/** Objects that are promoted together: all differing targets of a variable, or one object of another kind. */
export interface PromotedEntry {
  /** The address in A, without a target. */
  address: Address;
  pairs: ComparedPair[];
  /** The objects that B lacks. */
  added: ComparedObject[];
}

/** The proven texts of a promotion so far, and the comparison of both sides with them. */
interface PromotionProgress {
  texts: FileTexts;
  comparison: SideComparison;
  configuration: WrittenConfiguration;
  /** Returns the address in B for an address in A. */
  toB(address: Address): Address;
}

/** Keeps the proven texts of a promotion, and tries edits on them. */
export class PromotionState {
  readonly sides: PromotionSides;
  readonly isChosen: (address: Address) => boolean;
  /** Why the last edit was wrong, for people. */
  why = '';
  readonly #tried = new Set<string>();
  /** Why texts are wrong, by their digests, so that all stages are not read again for an edit that is tried once more. */
  readonly #refusedTexts = new Map<string, string>();
  readonly #toA: (address: Address) => Address;
  #progress: PromotionProgress;

  /** Begins a promotion of the objects of side A that match the globs of `trueup diff --promote`: no text is changed yet. */
  constructor(sides: PromotionSides, globs: readonly string[]) {
    const { comparison, configuration } = sides;
    this.sides = sides;
    this.isChosen = createAddressMatcher(globs);
    this.#toA = createAddressMap(comparison.pairs, { isReversed: true });
    this.#progress = { texts: new Map(), comparison, configuration, toB: createAddressMap(comparison.pairs) };
  }

  get progress(): Readonly<PromotionProgress> {
    return this.#progress;
  }

  /**
   * The two stages with the present text, for edits of variables and conditions; undefined unless both sides of `trueup diff` are stages of
   * one configuration.
   */
  get stages(): StagePair | undefined {
    const { comparison, configuration } = this.#progress;
    const { a, b } = comparison;
    if (a.stage === undefined || b.stage === undefined || !this.sides.isOneConfiguration) return undefined;
    return { written: configuration.written(), kinds: this.sides.kinds, a: a.stage, b: b.stage };
  }

  /**
   * Returns the entries of the YAML that the user chose to promote and that still differ between the two sides, objects before those in
   * them. All targets of a variable are one entry.
   */
  openEntries({ pairs, onlyInA }: SideComparison = this.#progress.comparison): PromotedEntry[] {
    const openPairs = pairs.filter(
      (pair) =>
        this.isChosen(pair.a.address) && (pair.place !== undefined || promotedPathsOf(pair).length > 0),
    );
    const added = onlyInA.filter(({ address }) => this.isChosen(address));
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

  /** Returns the entry of an address as it is now; undefined if nothing of it differs any more. */
  openEntry = (entryAddress: Address): PromotedEntry | undefined =>
    this.openEntries().find(({ address }) => address === entryAddress);

  /**
   * Proves an edit and keeps its texts if the chosen objects then differ in less, and in nothing new. Returns false otherwise; `why` has
   * the reason if the proof failed. Each edit with an id is tried once, because a wrong one stays wrong.
   */
  async try({ id, files }: CandidateEdit): Promise<boolean> {
    if (id !== '' && this.#tried.has(id)) return false;
    this.#tried.add(id);
    const texts = new Map([...this.#progress.texts, ...newTextsOf(files)]);
    const proof = await this.#prove(texts);
    if ('why' in proof) {
      this.why = proof.why;
      return false;
    }
    const openBefore = this.#openDifferences(this.#progress.comparison);
    const openAfter = this.#openDifferences(proof.comparison);
    // An edit may not make one object equal and another one different.
    const isBetter = openAfter.size < openBefore.size && [...openAfter].every((text) => openBefore.has(text));
    if (isBetter) this.#progress = { texts, ...proof, toB: createAddressMap(proof.comparison.pairs) };
    return isBetter;
  }

  /** Proves new texts of files, as `proveTexts` does, but only once: for texts that were refused before, returns the same reason. */
  async #prove(texts: FileTexts): Promise<EditProof> {
    const textsId = digest('', [...texts]);
    const oldReason = this.#refusedTexts.get(textsId);
    if (oldReason !== undefined) return { why: oldReason };
    const proof = await proveTexts(this.sides, texts, (address) => this.isChosen(this.#toA(address)));
    if ('why' in proof) this.#refusedTexts.set(textsId, proof.why);
    return proof;
  }

  /** Returns a text for each difference of the chosen objects: a missing object, or a path or place that differs. */
  #openDifferences = (comparison: SideComparison): Set<string> =>
    new Set(
      this.openEntries(comparison).flatMap(({ pairs, added }) => [
        ...added.map(({ address }) => `${address} missing`),
        ...pairs.flatMap((pair) => [
          ...promotedPathsOf(pair).map((path) => `${pair.a.address} ${path}`),
          ...(pair.place ? [`${pair.a.address} place`] : []),
        ]),
      ]),
    );
}
