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
  /** The `for_each` resource that they come from. */
  from: string;
  names: ReadonlySet<string>;
  folded: FoldedBlock;
}

/** Blocks at the top of sections that come from the instances of one `for_each`, as one block each. */
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
    return [...groupBy(instances, ({ from }) => from)].flatMap(([from, of]) => {
      if (of.length < 2) return [];
      const folded = foldInstances(of.map(({ instance }) => instance));
      return folded
        ? [{ section, from, names: new Set(of.map(({ instance }) => instance.name)), folded }]
        : [];
    });
  });
}

/** The sections with one candidate in place of the blocks that it stands for. */
export const replaceByFolded = (
  sections: FoldedSections,
  { section, names, folded }: FoldCandidate,
): FoldedSections =>
  sections.map((one) => {
    if (one.name !== section || !(one.value instanceof CommentedMap)) return one;
    const map = new CommentedMap(one.value.comments);
    let isPut = false;
    for (const { key, value, comments } of one.value.entries) {
      if (!names.has(key)) map.add(key, value, comments);
      else if (!isPut) {
        map.add(folded.name, folded.block);
        isPut = true;
      }
    }
    return { ...one, value: map };
  });
