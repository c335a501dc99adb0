/*
 * Proves new texts of the configuration of B before they are written: A and all other stages are byte for byte what they were, and in B
 * only promoted objects change.
 */
import type { Reload } from '../../accept/changed-files.ts';
import { allProblemsOf, type FileTexts, type WrittenConfiguration } from '../../config/configuration.ts';
import { render } from '../../config/render/render.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import { jsonWithoutPlaces, messageWithPlace } from '../../model/diagnostic.ts';
import { canonicalJson } from '../../model/digest.ts';
import { byText } from '../../model/graph.ts';
import type { Resource } from '../../model/resource.ts';
import { revealed } from '../../model/sealed.ts';
import { cleanLine } from '../../report/text.ts';
import { compareSides, type SideComparison } from '../compare-sides.ts';
import { toDeclaredSide, withNewTexts } from '../compared-side.ts';

type Resources = ReadonlyMap<Address, Resource>;

/** A configuration that must not change, and how it is read with new texts. */
export interface UnchangedConfiguration {
  /** Its name in messages. */
  name: string;
  configuration: WrittenConfiguration;
  before: string;
  reload: Reload;
  /** True for the configuration of A. */
  isSideA?: true;
}

/** The sides of a promotion. */
export interface PromotionSides {
  kinds: Kinds;
  comparison: SideComparison;
  /** True if both sides are stages of one configuration, so that a text of one can be a text of the other. */
  isOneConfiguration: boolean;
  /** B as it was before the promotion. */
  configuration: WrittenConfiguration;
  reloadB: Reload;
  /** A and the other stages of the configuration of B. */
  unchanged: readonly UnchangedConfiguration[];
}

/** The configurations with proven texts, or the reason why the texts are wrong, for people. */
export type EditProof = { comparison: SideComparison; configuration: WrittenConfiguration } | { why: string };

/** Returns the text of a configuration with all values, for comparisons in memory. It is never shown, because it has secrets in clear. */
export const exactText = (configuration: WrittenConfiguration): string =>
  render(configuration, { secret: (text) => `(secret ${JSON.stringify(text)})` });

/**
 * Reads the new texts and checks that they change only what the promotion is about: in B the addresses for which `mayChange` is true, and
 * nothing in the other configurations. Returns why they may not be written, or else the new comparison, so that the caller sees whether the
 * edit helped.
 */
export async function proveTexts(
  sides: PromotionSides,
  texts: FileTexts,
  mayChange: (address: Address) => boolean,
): Promise<EditProof> {
  const { comparison, kinds, reloadB, unchanged } = sides;
  const configuration = await reloadB(texts);
  const faultInB = firstError(configuration) ?? findWrongChange(sides, configuration, mayChange);
  if (faultInB !== undefined) return { why: faultInB };
  let { a } = comparison;
  for (const { name, before, reload, isSideA } of unchanged) {
    const reread = await reload(texts);
    if (firstError(reread) !== undefined || exactText(reread) !== before)
      return { why: `it would also change ${cleanLine(name)}` };
    // The new texts declare the same objects, but perhaps at other places.
    if (isSideA) a = withNewTexts(a, reread);
  }
  const b = toDeclaredSide(comparison.b.name, configuration);
  return { comparison: compareSides(a, b, kinds), configuration };
}

/**
 * Returns what the new texts would change in side B besides the addresses that may change, as the reason why they may not be written;
 * undefined if there is nothing. `configuration`: that of B with the new texts.
 */
function findWrongChange(
  { comparison, kinds, configuration: oldConfiguration }: PromotionSides,
  configuration: WrittenConfiguration,
  mayChange: (address: Address) => boolean,
): string | undefined {
  const nameOfB = cleanLine(comparison.b.name);
  const before = oldConfiguration.desired.resources;
  const after = configuration.desired.resources;
  const changed =
    findChangedAddress(before, after, mayChange) ?? findMovedAddress(before, after, kinds, mayChange);
  if (changed !== undefined) return `it would also change ${cleanLine(changed)} in ${nameOfB}`;
  const isHeaderEqual = exactHeader(configuration) === exactHeader(oldConfiguration);
  return isHeaderEqual ? undefined : `it would also change the header of ${nameOfB}`;
}

/**
 * Returns what the header says about the account and about objects without a block, as text without places. A promotion must not change it:
 * another entry of `removed` could delete an object that was not promoted.
 */
const exactHeader = ({ desired, platform }: WrittenConfiguration): string => {
  const { stack, allow, owns, removed } = desired;
  return jsonWithoutPlaces([stack, allow, owns, removed, platform]);
};

/** Returns the first error of a configuration, with its place. */
function firstError(configuration: WrittenConfiguration): string | undefined {
  const error = allProblemsOf(configuration).find(({ severity }) => severity === 'error');
  return error && cleanLine(messageWithPlace(error));
}

/**
 * Returns the address of an object that an edit of `trueup diff --promote` changed although it must not; undefined if there is none.
 * Neither places in lists, which `findMovedAddress` compares, nor lines of files count.
 */
function findChangedAddress(
  before: Resources,
  after: Resources,
  mayChange: (address: Address) => boolean,
): Address | undefined {
  const addresses = new Set([...before.keys(), ...after.keys()]);
  return [...addresses].find(
    (address) =>
      !mayChange(address) && resourceText(before.get(address)) !== resourceText(after.get(address)),
  );
}

/**
 * Compares the order of those items of ordered lists that an edit of `trueup diff --promote` must not change. Returns the address of the
 * first one that has another item at its place afterwards; undefined if their order is the same.
 */
function findMovedAddress(
  before: Resources,
  after: Resources,
  kinds: Kinds,
  mayChange: (address: Address) => boolean,
): Address | undefined {
  const itemsOf = (resources: Resources) =>
    [...resources.values()]
      .filter(({ kind, address }) => kinds.get(kind)!.shape.orderDecides && !mayChange(address))
      .sort((a, b) => byText(`${a.parent}#${a.kind}`, `${b.parent}#${b.kind}`) || a.index - b.index)
      .map(({ address }) => address);
  const newItems = itemsOf(after);
  return itemsOf(before).find((address, index) => newItems[index] !== address);
}

/**
 * Returns a text that is equal for equal resources, to see whether an edit changed one. Places in files do not count, and neither do places
 * in lists, which `findMovedAddress` compares. It has secrets in clear, so it is only compared.
 */
const resourceText = (resource: Resource | undefined): string =>
  resource
    ? canonicalJson(
        revealed({ ...resource, at: null, group: null, index: 0, parent: resource.parent ?? null }),
      )
    : '';
