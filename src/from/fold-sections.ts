import type { ExportResult } from '../export/export-live.ts';
import { CommentedMap } from '../export/print-yaml.ts';
import { escapeExpressions } from '../export/write-field.ts';
import type { StateResource } from '../kind/foreign.ts';
import { type Address, addressOf, escapeName } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { type FoldedBlock, type ForEachInstance, foldInstances } from './fold-instances.ts';

type FoldedSections = ExportResult['sections'];

/** Blocks of a section that could be one with `$each`. */
interface FoldCandidate {
  section: string;
  /** The address of the Terraform resource with `for_each` that they come from. */
  from: string;
  /** The keys of the blocks. */
  names: ReadonlySet<string>;
  folded: FoldedBlock;
}

/**
 * Finds blocks at the top of sections that come from one Terraform resource with `for_each`, and folds them into one block with `$each`. The
 * caller checks that the configuration still means the same with each candidate.
 */
export function findFoldCandidates(
  sections: FoldedSections,
  resourceOf: ReadonlyMap<Address, StateResource>,
): FoldCandidate[] {
  return sections.flatMap(({ name: section, value }) => {
    if (!(value instanceof CommentedMap)) return [];
    const instances = value.entries.flatMap((entry) => {
      const address = addressOf(undefined, section, [escapeName(entry.key.replaceAll('$${', '${'))]);
      const { module, type, name, key } = resourceOf.get(address) ?? {};
      if (typeof key !== 'string' || entry.comments.length > 0) return [];
      if (!(entry.value instanceof CommentedMap) || entry.key.includes('${')) return [];
      const from = [module, type, name].filter(Boolean).join('.');
      const instance: ForEachInstance = { key: escapeExpressions(key), name: entry.key, block: entry.value };
      return [{ from, instance }];
    });
    return [...groupBy(instances, ({ from }) => from)].flatMap(([from, group]) => {
      if (group.length < 2) return [];
      const folded = foldInstances(group.map(({ instance }) => instance));
      const names = new Set(group.map(({ instance }) => instance.name));
      return folded ? [{ section, from, names, folded }] : [];
    });
  });
}

/**
 * Returns the sections with the folded block of a candidate instead of its blocks, at the place of the first one. Used to check if the
 * configuration still means the same.
 */
export const replaceByFolded = (
  sections: FoldedSections,
  { section: sectionName, names, folded }: FoldCandidate,
): FoldedSections =>
  sections.map((section) => {
    if (section.name !== sectionName || !(section.value instanceof CommentedMap)) return section;
    const map = new CommentedMap(section.value.comments);
    let isAdded = false;
    for (const { key, value, comments } of section.value.entries) {
      if (!names.has(key)) map.add(key, value, comments);
      else if (!isAdded) {
        map.add(folded.name, folded.block);
        isAdded = true;
      }
    }
    return { ...section, value: map };
  });
