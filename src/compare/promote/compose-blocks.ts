import type { ChangeWriter } from '../../accept/change-writer.ts';
import type { WrittenValue } from '../../accept/edit-value.ts';
import type { LoadedBlock } from '../../config/blocks/block.ts';
import { isShorthandEntry } from '../../config/blocks/section-entries.ts';
import type { ConfigurationText } from '../../config/configuration.ts';
import { layerKeys } from '../../config/expressions/inspect-node.ts';
import { escapeExpressions } from '../../config/expressions/parse-expressions.ts';
import { isSingleton } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import { groupBy } from '../../model/graph.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import { type ComparedObject, revealTextsAroundSecrets } from '../compared-side.ts';
import type { CopiedSides } from './copy-context.ts';
import { CannotPromote, copyValue } from './copy-value.ts';

/** The settings of a block that are copied to B. Others are about a transition, or are actions, whose inputs can be about objects of A. */
const copiedSettings = [
  '$existing',
  '$protect',
  '$ignore',
  '$exclusive',
  '$replace',
  '$allow',
  '$wait',
  '$dependsOn',
];

/** The sides of a new declaration, and how it is written. */
export interface DeclarationContext extends CopiedSides {
  written: ConfigurationText;
  kinds: Kinds;
  writer: ChangeWriter;
}

/**
 * Returns the YAML blocks with which side A of `trueup diff --promote` declares some objects in one entry of a section, and the key of the
 * entry, to write them into the files of side B. Several objects are the targets of one variable, for example. The blocks also declare
 * those of `promotedObjects` that are in the object. Throws `CannotPromote` if no block of A declares it.
 */
export function composeNewEntry(
  objects: readonly ComparedObject[],
  promotedObjects: readonly ComparedObject[],
  declaration: DeclarationContext,
): { key: string | undefined; contents: WrittenValue[] } {
  const { comparison, kinds, toB } = declaration;
  const [object] = objects as [ComparedObject, ...ComparedObject[]];
  const kind = kinds.get(object.kind)!;
  const blocks = [...new Set(objects.flatMap(({ address }) => comparison.a.blocksOf.get(address) ?? []))];
  if (blocks.length === 0) throw new CannotPromote('no block of A declares it');
  const inner = composeSections(object, promotedObjects, declaration);
  const contents = blocks.map((read) => {
    const content = composeBlock(read, object, kind, toB);
    return Object.keys(inner).length > 0 ? { ...(content as object), ...inner } : content;
  });
  const hasKey = kind.yaml.mapBy !== undefined && !isSingleton(kind);
  return { key: hasKey ? blocks[0]!.block.key?.text : undefined, contents };
}

/**
 * Returns the sections in the YAML block of an object that `trueup diff --promote` copies from side A to side B, such as the `env` of a
 * project. They declare those of `promotedObjects` that are in the object: its children, and in their blocks (`composeNewEntry`) the
 * children of these.
 */
function composeSections(
  object: ComparedObject,
  promotedObjects: readonly ComparedObject[],
  declaration: DeclarationContext,
): { [section: string]: WrittenValue } {
  const { kinds } = declaration;
  const sections: { [section: string]: WrittenValue } = {};
  const children = promotedObjects.filter(({ parent }) => parent === object.address);
  // The targets of one variable are one entry.
  for (const entry of groupBy(children, ({ address }) => addressWithoutTarget(address)).values()) {
    const kind = kinds.get(entry[0]!.kind)!;
    const { key, contents } = composeNewEntry(entry, promotedObjects, declaration);
    const content = composeSection(kind, key, contents);
    const written = sections[kind.section];
    if (Array.isArray(content)) sections[kind.section] = [...((written as WrittenValue[]) ?? []), ...content];
    else sections[kind.section] = { ...(written as object), ...(content as object) };
  }
  return sections;
}

/**
 * Returns the block of an object of side A as plain data, to declare it in the YAML of side B (`trueup diff --promote`): its declared
 * fields, and settings with a plain value. Throws `CannotPromote` for other settings.
 */
function composeBlock(
  read: LoadedBlock,
  object: ComparedObject,
  kind: Kind,
  toB: (address: Address) => Address,
): WrittenValue {
  const settings = composeSettings(read, object, toB);
  // The name of a block in a map is the key of the map.
  const fieldEntries = read.block.fieldEntries.filter(({ key }) => key.text !== kind.yaml.mapBy);
  const valuesOfA = revealTextsAroundSecrets(read.fields, [read]);
  const fields = fieldEntries.map(({ key }): [string, WrittenValue] => [
    escapeExpressions(key.text),
    copyValue(kind.fields[key.text], valuesOfA[key.text], toB),
  ]);
  const isShorthand = fieldEntries.some(isShorthandEntry) && fields.length === 1 && settings.length === 0;
  return isShorthand ? fields[0]![1] : Object.fromEntries([...settings, ...fields]);
}

/**
 * Returns the `$` settings in a block of side A with the values that they get in the YAML of side B. Leaves out those that only arrange the
 * text of A, such as `$when`. Throws `CannotPromote` for one that cannot be copied.
 */
function composeSettings(
  { block }: LoadedBlock,
  object: ComparedObject,
  toB: (address: Address) => Address,
): [name: string, value: WrittenValue][] {
  const names = block.settingEntries.map(({ key }) => key.text);
  const settingNames = names.filter((name) => !layerKeys.has(name) && name !== '$at');
  const uncopied = settingNames.find((name) => !copiedSettings.includes(name));
  if (uncopied !== undefined) throw new CannotPromote(`its block has \`${uncopied}\`: declare it by hand`);
  return settingNames.map((name) => [name, settingInB(name, object, toB)]);
}

/**
 * Returns the value of a `$` setting, such as `$wait`, of an object of side A as the YAML of side B has it, so that `trueup diff --promote`
 * writes it there. Addresses in `$dependsOn` are then those of B.
 */
function settingInB(
  name: string,
  { meta }: ComparedObject,
  toB: (address: Address) => Address,
): WrittenValue {
  if (name === '$dependsOn') return meta.dependsOn?.map(toB);
  const value = meta[name.slice(1) as keyof typeof meta];
  return (name === '$wait' ? { minutes: value } : value) as WrittenValue;
}

/**
 * Returns a new section with these blocks as plain data, for `trueup diff --promote`: a single block, a list, or a map with one key, as the
 * section of this kind is written. `key`: the name of the blocks in a map; undefined for a list. Several blocks of one key become a list.
 */
export function composeSection(kind: Kind, key: string | undefined, blocks: WrittenValue[]): WrittenValue {
  if (isSingleton(kind)) return blocks[0];
  if (key === undefined) return blocks;
  return { [escapeExpressions(key)]: blocks.length === 1 ? blocks[0] : blocks };
}
