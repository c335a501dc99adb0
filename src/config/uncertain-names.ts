import { type Address, isWithin } from '../model/address.ts';
import type { Reach } from '../model/glob-automaton.ts';

/**
 * The places of a configuration where names may be missing because of a problem that was reported: a `$each` without members, or a template
 * that is not declared. A message about a missing name there would repeat that problem, once for each reference and patch.
 */
export class UncertainNames {
  /** The sections in which some entries could not be determined. */
  readonly #sections = new Set<Address>();
  /** The blocks whose sections could not be determined. The root is the empty text. */
  readonly #blocks = new Set<Address>();

  /** Records that entries of a section may be missing. */
  addSection(section: Address): void {
    this.#sections.add(section);
  }

  /** Records that anything in a block may be missing; without one, anything at all. */
  addBlock(block: Address = ''): void {
    this.#blocks.add(block);
  }

  /** True if nothing is uncertain, so that callers need not form addresses. */
  get isEmpty(): boolean {
    return this.#sections.size === 0 && this.#blocks.size === 0;
  }

  /**
   * True if entries of a section may be missing because they, or a block around the section, could not be read. A name that is missing in
   * it is then not reported, because the problem that hides it was.
   */
  isUncertain(section: Address): boolean {
    return (
      this.#sections.has(section) ||
      [...this.#blocks].some((block) => block === '' || isWithin(section, block))
    );
  }

  /**
   * True if the path of a patch or a `$drop` may mean a block that is missing only because of a problem that was reported. Then it is not
   * reported as a path without a match.
   */
  mayMean({ reach }: { reach(address: Address): Reach }): boolean {
    const isAnythingUncertain = this.#blocks.has('');
    const mayLeadTo = (place: Address) => reach(place) !== 'none';
    return isAnythingUncertain || [...this.#sections, ...this.#blocks].some(mayLeadTo);
  }

  /**
   * True if blocks may be missing in a section of this name (`projects`, or `env` of any project) because of a problem that was reported.
   * Then a glob without a match there is not reported. A block whose sections could not be determined may have such a section.
   */
  mayMissIn(section: string): boolean {
    return (
      this.#blocks.size > 0 ||
      [...this.#sections].some((place) => place === section || place.endsWith(`/${section}`))
    );
  }
}
