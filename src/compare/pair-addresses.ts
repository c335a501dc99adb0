/*
 * Pairs the objects of two sides.
 *
 * Objects with equal addresses are a pair. The address of the same thing can differ, because its name has the stage or a variable in it
 * (`web-${stage}`). Such objects are a pair if the same text declares them in both sides, inside blocks that are a pair:
 *
 *   1. A block can be written once and stand for several objects (`$each`, the inputs of a template). Then the values of these expressions
 *      distinguish them (`InstanceName`). The stage and variables are equal for all objects of one side, so they distinguish nothing.
 *   2. Parents are paired before the objects in them. A child has the address of its parent in its own, so all children of `web-staging`
 *      follow it to `web-production`.
 */
import { spotOfBlock } from '../config/blocks/block.ts';
import { type ParsedPart, parseExpressions } from '../config/expressions/parse-expressions.ts';
import type { ScalarNode } from '../config/yaml/nodes.ts';
import { type Address, escapeRegExp } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { unitSuffixOf } from '../model/logical-changes.ts';
import { type ComparedObject, type ComparedSide, isSameText } from './compared-side.ts';

/** The pairs of two sides. */
export interface AddressPairs {
  /** The address in B of each object of A that B has, too. */
  toB: ReadonlyMap<Address, Address>;
  /** The address in A of each object of B that A has, too. */
  toA: ReadonlyMap<Address, Address>;
}

/**
 * Pairs the objects of the two sides of `trueup diff`, parents first: those of the same name in paired parents, then those that the same
 * text declares. Objects without a partner are in neither map.
 */
export function pairAddresses(a: ComparedSide, b: ComparedSide): AddressPairs {
  const toB = new Map<Address, Address>();
  const toA = new Map<Address, Address>();
  const childrenOfB = groupBy(b.objects.values(), ({ parent, kind }) => `${parent ?? ''}#${kind}`);
  const childrenOfA = groupBy(a.objects.values(), ({ parent, kind }) => `${parent ?? ''}#${kind}`);
  // Parents come first, because the objects in them are paired only if the parents are.
  const collections = [...childrenOfA.values()].sort(
    ([first], [second]) => depthOf(first!) - depthOf(second!),
  );
  for (const objectsOfA of collections) {
    const { parent, kind } = objectsOfA[0]!;
    const parentInB = parent === undefined ? '' : toB.get(parent);
    if (parentInB === undefined) continue;
    const objectsOfB = childrenOfB.get(`${parentInB}#${kind}`) ?? [];
    for (const [inA, inB] of pairCollections(a, objectsOfA, b, objectsOfB)) {
      toB.set(inA, inB);
      toA.set(inB, inA);
    }
  }
  return { toB, toA };
}

/** The addresses of an object of A and of its partner in B. */
type AddressPair = readonly [inA: Address, inB: Address];

/**
 * Pairs the objects of one collection (one kind in one parent) on both sides: those of the same name, and of the others those that the same
 * text declares.
 */
function pairCollections(
  a: ComparedSide,
  objectsOfA: readonly ComparedObject[],
  b: ComparedSide,
  objectsOfB: readonly ComparedObject[],
): AddressPair[] {
  const byNameInA = new Map(objectsOfA.map((object) => [ownNameOf(object), object]));
  const byNameInB = new Map(objectsOfB.map((object) => [ownNameOf(object), object]));
  const pairsByName = objectsOfA.flatMap((object): AddressPair[] => {
    const partner = byNameInB.get(ownNameOf(object));
    return partner ? [[object.address, partner.address]] : [];
  });
  const othersOfA = objectsOfA.filter((object) => !byNameInB.has(ownNameOf(object)));
  const othersOfB = objectsOfB.filter((object) => !byNameInA.has(ownNameOf(object)));
  return [...pairsByName, ...pairByOrigin(a, othersOfA, b, othersOfB)];
}

const depthOf = ({ address }: ComparedObject): number => address.split('/').length;

/** Returns the part of an address that is below its parent: the section and the names. */
const ownNameOf = ({ address, parent }: ComparedObject): string =>
  parent === undefined ? address : address.slice(parent.length + 1);

/**
 * Pairs the objects of one collection (one kind in one parent) on the two sides of `trueup diff` that have no partner of their own name:
 * those that the same text of the files declares, such as `site-${stage}` in two stages.
 */
function pairByOrigin(
  a: ComparedSide,
  objectsOfA: readonly ComparedObject[],
  b: ComparedSide,
  objectsOfB: readonly ComparedObject[],
): AddressPair[] {
  if (objectsOfA.length === 0 || objectsOfB.length === 0) return [];
  const candidatesInB = groupBy(objectsOfB, (object) => originIdOf(b, object));
  const groupsOfA = groupBy(objectsOfA, (object) => originIdOf(a, object));
  return [...groupsOfA].flatMap(([origin, groupOfA]) => {
    // No file declares these objects.
    if (origin === undefined) return [];
    // The same blocks declare all objects of one origin, so the first one stands for all.
    const groupOfB = (candidatesInB.get(origin) ?? []).filter((object) =>
      hasSameTexts(a, groupOfA[0]!, b, object),
    );
    return pairInstances(a, groupOfA, b, groupOfB);
  });
}

/**
 * Pairs objects that one text declares: those with the same values of `$each` and of inputs. A single object on each side is a pair even if
 * its inputs differ, since the inputs may contain the stage.
 */
function pairInstances(
  a: ComparedSide,
  objectsOfA: readonly ComparedObject[],
  b: ComparedSide,
  objectsOfB: readonly ComparedObject[],
): AddressPair[] {
  const instancesOfA = objectsOfA.map((object) => ({ object, name: instanceOf(a, object) }));
  const instancesOfB = objectsOfB.map((object) => ({ object, name: instanceOf(b, object) }));
  const [first] = instancesOfA;
  const [second] = instancesOfB;
  if (first && second && instancesOfA.length === 1 && instancesOfB.length === 1)
    return first.name.each === second.name.each ? [[first.object.address, second.object.address]] : [];
  const byNameInB = groupBy(instancesOfB, ({ name }) => JSON.stringify(name));
  const byNameInA = groupBy(instancesOfA, ({ name }) => JSON.stringify(name));
  return [...byNameInA].flatMap(([name, instances]): AddressPair[] => {
    const partners = byNameInB.get(name) ?? [];
    const isUnambiguous = instances.length === 1 && partners.length === 1;
    return isUnambiguous ? [[instances[0]!.object.address, partners[0]!.object.address]] : [];
  });
}

/**
 * Returns a text that is equal for objects which the same place in the files declares, for the same target of a variable, so that `trueup
 * diff` can pair them; undefined if no block of a file declares the object.
 */
function originIdOf(side: ComparedSide, { address, kind }: ComparedObject): string | undefined {
  const blocks = side.blocksOf.get(address) ?? [];
  const spots = blocks.map(({ block }) => spotOfBlock(block));
  if (spots.length === 0 || spots.some(({ source }) => source.file === '')) return undefined;
  const places = spots.map(({ source, start }) => `${source.file}:${start}`).sort();
  return JSON.stringify([kind, unitSuffixOf(address), ...places]);
}

/**
 * True if each block that declares the object of side A is in a file whose text the object of side B has, too. Only then do equal places in
 * the files show that both are the same object: in another version of a file, the place may be that of another block.
 */
function hasSameTexts(
  a: ComparedSide,
  objectOfA: ComparedObject,
  b: ComparedSide,
  objectOfB: ComparedObject,
) {
  const spotsOfA = (a.blocksOf.get(objectOfA.address) ?? []).map(({ block }) => spotOfBlock(block));
  const spotsOfB = (b.blocksOf.get(objectOfB.address) ?? []).map(({ block }) => spotOfBlock(block));
  return spotsOfA.every((spot) => spotsOfB.some((other) => isSameText(spot, other)));
}

/**
 * The values that distinguish the objects of one text: of `$each`, and of all other expressions except the stage and variables. They are
 * kept apart, because a single object on each side is a pair even if its other values differ (`pairInstances`).
 */
interface InstanceName {
  each: string;
  otherValues: string;
}

/**
 * Returns the values of the expressions in the name of an object, as far as they distinguish it from others that the same text makes.
 * `trueup diff` pairs objects of two stages whose values are equal.
 */
function instanceOf(side: ComparedSide, { address }: ComparedObject): InstanceName {
  const names = (side.blocksOf.get(address) ?? []).flatMap(({ block }) => {
    const fields = block.fieldEntries.filter(({ key }) => block.kind.key.includes(key.text));
    const nodes = [...(block.key ? [block.key] : []), ...fields.map(({ value }) => value)];
    return nodes.flatMap((node) => (node.type === 'scalar' ? [instanceNameOf(node, side)] : []));
  });
  return {
    each: JSON.stringify(names.map(({ each }) => each)),
    otherValues: JSON.stringify(names.map(({ otherValues }) => otherValues)),
  };
}

/**
 * Returns the text of the expression `stage` or `var.NAME`, equal in all names of a side. `trueup diff` expects it in a name as a fixed
 * text, so that the values of the other expressions are found beside it. Undefined for other expressions, and if it is no text.
 */
function textInWholeSide(
  [root, ...rest]: readonly { name: string }[],
  { stage, variableTexts }: ComparedSide,
): string | undefined {
  if (root?.name === 'stage') return stage;
  return root?.name === 'var' && rest.length === 1 ? variableTexts.get(rest[0]!.name) : undefined;
}

/**
 * The most parts of a name, texts and expressions, that are distinguished. More would take a regular expression too long on a hostile text.
 */
const maxNameParts = 9;

/**
 * Reads the values of the expressions in a name back from its text: from `site-${each.key}-${stage}` and `site-at-staging` the key `at`. By
 * them `trueup diff` pairs objects that one text declares in two stages. The stage and variables do not count, because all names of a side
 * have the same. If a value cannot be read back, because of a filter for example, the whole text counts.
 */
function instanceNameOf({ text, at }: ScalarNode, side: ComparedSide): InstanceName {
  const withQuotes = at.source.text.slice(at.start, at.end);
  const parts = parseExpressions(withQuotes.replace(/^(["'])(.*)\1$/s, '$2'));
  const wholeText = { each: text, otherValues: text };
  if (parts.length > maxNameParts) return wholeText;
  const matchers = parts.map((part) => matcherOf(part, side));
  const roots = matchers.flatMap(({ root }) => root ?? []);
  if (roots.length === 0) return { each: '', otherValues: '' };
  const pattern = matchers.map((matcher) => matcher.pattern).join('');
  // Each part with a root has one group, so the values are in the order of the roots.
  const values = new RegExp(`^${pattern}$`, 's').exec(text)?.slice(1);
  if (!values) return wholeText;
  const valuesOf = (isWanted: (root: string) => boolean) =>
    JSON.stringify(values.filter((_, index) => isWanted(roots[index]!)));
  return { each: valuesOf((root) => root === 'each'), otherValues: valuesOf((root) => root !== 'each') };
}

/**
 * Returns the regular expression for one part of a written name, with which `instanceNameOf` reads the values of its expressions back from
 * the name of an object. It has a group if the value distinguishes objects of one text; `root` is then the first name of the expression,
 * such as `each`.
 */
function matcherOf(part: ParsedPart, side: ComparedSide): { pattern: string; root?: string } {
  if (typeof part === 'string') return { pattern: escapeRegExp(part) };
  // An expression with a mistake has no known value.
  if ('error' in part) return { pattern: '.*?' };
  const root = part.steps[0]!.name;
  const fixedText = part.filters ? undefined : textInWholeSide(part.steps, side);
  if (fixedText !== undefined) return { pattern: escapeRegExp(fixedText) };
  // A part of unknown text that is the same in all names of the side.
  if (root === 'stage' || root === 'var') return { pattern: '.*?' };
  return { pattern: '(.*?)', root };
}
