import { toExportedFiles } from '../../export/export-files.ts';
import type { ExportResult } from '../../export/export-live.ts';
import type { Kinds } from '../../kind/kind.ts';
import { groupBy } from '../../model/graph.ts';
import { count } from '../../report/text.ts';
import { toCanonicalConfiguration } from '../canonical-configuration.ts';
import type { Conversion } from '../conversion.ts';
import { type FoldCandidate, findFoldCandidates, replaceByFolded } from '../fold-sections.ts';
import type { StateAsLive } from './state-to-live.ts';

/** The surroundings that a configuration is read in, to compare what two texts of it mean. */
interface ComparisonContext {
  kinds: Kinds;
  cwd: string;
  header: Conversion['header'];
}

/**
 * Replaces the blocks of each Terraform resource with `for_each` by one block with `$each`, so that the
 * result is as short as the Terraform code was. A replacement is kept only if the configuration still
 * means exactly the same. `folded` has a text for the report about each.
 */
export async function foldResourceInstances(
  unfolded: ExportResult,
  resourceOf: StateAsLive['resourceOf'],
  { kinds, cwd, header }: ComparisonContext,
): Promise<{ exported: ExportResult; folded: string[] }> {
  const candidates = findFoldCandidates(unfolded.sections, resourceOf);
  if (candidates.length === 0) return { exported: unfolded, folded: [] };
  const fold = (group: readonly FoldCandidate[]): ExportResult => ({
    ...unfolded,
    sections: replaceByFolded(unfolded.sections, group),
  });
  const readMeaning = (configuration: ExportResult) => {
    const [mainFile] = toExportedFiles(configuration, { ...header, isSplit: false });
    return toCanonicalConfiguration(mainFile!.text, { kinds, cwd });
  };
  const meaning = await readMeaning(unfolded);
  if (meaning === undefined) return { exported: unfolded, folded: [] };
  const chosen = await chooseFolds(candidates, async (group) => (await readMeaning(fold(group))) === meaning);
  return {
    exported: fold(chosen),
    folded: chosen.map(({ from, names }) => `${from} (${count(names.size, 'instance')})`),
  };
}

/**
 * Returns the candidates that can be folded together, in their order: those that keep the meaning of the configuration and, of several that
 * would get one name in a section, only the first such one. `keepsMeaning` returns true if the configuration means the same with all of
 * these candidates folded. That costs as much as reading the whole configuration, so many candidates are tried at once, and halves of them
 * only if that fails. This works because a candidate replaces only blocks of its own resource: if it changes the meaning, it does so with
 * and without the others.
 */
export async function chooseFolds(
  candidates: readonly FoldCandidate[],
  keepsMeaning: (group: readonly FoldCandidate[]) => Promise<boolean>,
): Promise<FoldCandidate[]> {
  const chosen = new Set<FoldCandidate>();
  const tryGroup = async (group: readonly FoldCandidate[]): Promise<void> => {
    if (await keepsMeaning([...chosen, ...group])) for (const candidate of group) chosen.add(candidate);
    else if (group.length > 1) {
      const middle = Math.ceil(group.length / 2);
      await tryGroup(group.slice(0, middle));
      await tryGroup(group.slice(middle));
    }
  };
  // Round by round, one candidate of each name: the next one of a name is tried only if none before it was chosen.
  let groupsWithoutChoice = [
    ...groupBy(candidates, ({ section, folded }) => `${section} ${folded.name}`).values(),
  ];
  for (let round = 0; groupsWithoutChoice.length > 0; round++) {
    await tryGroup(groupsWithoutChoice.map((sameName) => sameName[round]!));
    groupsWithoutChoice = groupsWithoutChoice.filter(
      (sameName) => sameName.length > round + 1 && !chosen.has(sameName[round]!),
    );
  }
  return candidates.filter((candidate) => chosen.has(candidate));
}
