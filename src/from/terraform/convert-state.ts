import { chooseScope } from '../../config/choose-scope.ts';
import { toExportedFiles } from '../../export/export-files.ts';
import { type ExportResult, exportLive } from '../../export/export-live.ts';
import { findPossibleSecrets } from '../../export/secret-names.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { ForeignFiles } from '../../kind/foreign.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { raise } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import { cleanLine, count } from '../../report/text.ts';
import { toCanonicalConfiguration } from '../canonical-configuration.ts';
import {
  type Conversion,
  type ConversionOptions,
  type ForeignFile,
  nothingToConvertProblem,
} from '../conversion.ts';
import { formatStateReport } from '../conversion-texts.ts';
import { type FoldCandidate, findFoldCandidates, replaceByFolded } from '../fold-sections.ts';
import { checkTally } from '../tally.ts';
import { readState, type State } from './read-state.ts';
import { findTeamSlug, findTeams, type StateAsLive, stateToLive } from './state-to-live.ts';
import { tallyResources } from './tally-resources.ts';

/**
 * Converts the resources of one account in a Terraform state for `trueup from terraform`: reads the state,
 * makes live objects of its resources, exports these as a configuration, folds the blocks of `for_each`
 * resources, and composes the report. Throws `Problems`, also if the counts show that a resource would be
 * lost without a message.
 */
export async function convertState(
  provider: Provider,
  { file, text }: ForeignFile,
  options: ConversionOptions,
  cwd: string,
): Promise<Conversion> {
  const kinds = kindsOf(provider.kinds);
  const files = await provider.foreignFiles();
  const state = readState(text, file);
  const { team, scope, isNamedById } = accountOfState(state, files, options);
  const converted = stateToLive(state, files, kinds, team);
  const { live, owned } = converted;
  if (owned.size === 0)
    raise(
      nothingToConvertProblem(
        file,
        [...converted.reasons.values()][0] ?? 'it has no resources of this platform',
      ),
    );
  const platform = scope as Record<string, unknown>;
  const stack = options.stack ?? ('team' in scope ? scope.team : 'personal');
  const header = { stack, platform };
  const unfolded = exportLive({
    live,
    kinds,
    values: 'omit',
    isChosen: (address) => owned.has(address),
    labels: converted.labels,
    secretLinks: converted.secretLinks,
    writesUsualValues: converted.writesUsualValues,
    isPublic: converted.isPublic,
    withId: renamedContainers(converted, kinds),
  });
  const tally = tallyResources(converted, unfolded, kinds);
  checkTally(tally, file);
  const { exported, folded } = await foldResourceInstances(unfolded, converted, { kinds, cwd, header });
  const unchangedFields = findPossibleSecrets(
    live,
    kinds,
    (address) => exported.converted.has(address),
    exported.newAddresses,
  );
  return {
    exported,
    header,
    kinds,
    summary: formatStateReport(exported, converted, { tally, folded, unchangedFields }),
    advice: isNamedById ? adviceOnName(stack, options) : undefined,
  };
}

/**
 * Returns the addresses of owned containers (projects, domains) whose name is not their id. `trueup from
 * terraform` writes the id into their blocks, so that a plan reports an error if such a container was renamed
 * outside, instead of creating a second one.
 */
const renamedContainers = ({ live, owned }: StateAsLive, kinds: Kinds): ReadonlySet<string> =>
  new Set(
    [...live.resources.values()]
      .filter(({ address, kind }) => owned.has(address) && kinds.get(kind)!.lifecycle.container)
      .filter(({ address, id }) => !address.endsWith(`/${id}`))
      .map(({ address }) => address),
  );

/** The account of a conversion. */
interface StateAccount {
  /** The id of the team whose resources are converted; undefined if the state has resources of one account only. */
  team: string | undefined;
  /** The account for the configuration: the team by the name in its URLs if the state contains that, else by its id. */
  scope: ReturnType<typeof chooseScope>;
  /** True if the stack gets its name from the id of a team. */
  isNamedById: boolean;
}

/**
 * Decides whose resources of a Terraform state are converted, because a configuration covers one account. The
 * team comes from `--team`, or is the only one in the state. `isNamedById`: the state does not contain the
 * team's slug, so the stack is named after its id. Throws `Problems` if the state has resources of several
 * teams and `--team` chooses none of them.
 */
function accountOfState(state: State, files: ForeignFiles, options: ConversionOptions): StateAccount {
  const teams = findTeams(state, files);
  const [firstTeam, ...otherTeams] = teams;
  const isChosen = options.team !== undefined && teams.includes(options.team);
  if (otherTeams.length > 0 && !isChosen)
    raise('from/teams', `the state has resources of ${teams.length} teams: ${teams.join(', ')}`, {
      hint: `a configuration covers one account: convert them one at a time, with --team ${firstTeam}`,
    });
  const teamId = isChosen ? options.team! : firstTeam;
  const slug = teamId === undefined ? undefined : findTeamSlug(state, files, teamId);
  const platform = teamId === undefined ? {} : { platform: { team: slug ?? teamId } };
  const scope = chooseScope(platform, isChosen ? { ...options, team: slug ?? teamId! } : options);
  const hasIdAsTeam = 'team' in scope && scope.team === teamId && slug === undefined;
  return {
    team: isChosen ? options.team : undefined,
    scope,
    isNamedById: options.stack === undefined && hasIdAsTeam,
  };
}

/**
 * Explains, after `trueup from terraform`, how to give the stack a readable name if the state contains only the id of the team. The ledger
 * is named after the stack, so this comes before the first apply.
 */
const adviceOnName = (stack: string, { outDir }: ConversionOptions): string =>
  `The state does not contain the slug of team ${cleanLine(stack)}, so the stack and \`platform.team\` use its id. To name them, ${
    outDir === undefined
      ? 'run this again with --team SLUG, or with --stack NAME for the stack alone'
      : `run this again with --team SLUG --force (--stack NAME for the stack alone), or edit ${cleanLine(outDir)}/trueup.yaml`
  }: do so before the first apply, since the ledger is named after the stack.`;

/** The surroundings that a configuration is read in, to compare what two texts of it mean. */
interface ComparisonContext {
  kinds: Kinds;
  cwd: string;
  header: Conversion['header'];
}

/**
 * Replaces the blocks of each Terraform resource with `for_each` by one block with `$each`, so that the
 * result is as short as the Terraform code was. Each replacement is kept only if the configuration still
 * means exactly the same. `folded` has a text for the report about each.
 */
async function foldResourceInstances(
  unfolded: ExportResult,
  { resourceOf }: StateAsLive,
  { kinds, cwd, header }: ComparisonContext,
): Promise<{ exported: ExportResult; folded: string[] }> {
  const candidates = findFoldCandidates(unfolded.sections, resourceOf);
  const keptCandidates = new Set<FoldCandidate>();
  let exported = unfolded;
  if (candidates.length === 0) return { exported, folded: [] };
  const readMeaning = (configuration: ExportResult) => {
    const [mainFile] = toExportedFiles(configuration, { ...header, isSplit: false });
    return toCanonicalConfiguration(mainFile!.text, { kinds, cwd });
  };
  const meaning = await readMeaning(unfolded);
  if (meaning === undefined) return { exported, folded: [] };
  // Each reading costs as much as the whole configuration, so many candidates are tried at once, and halves of them only if that fails.
  const tryFolding = async (group: readonly FoldCandidate[]): Promise<void> => {
    const shorter = { ...exported, sections: replaceByFolded(exported.sections, group) };
    if ((await readMeaning(shorter)) === meaning) {
      exported = shorter;
      for (const candidate of group) keptCandidates.add(candidate);
    } else if (group.length > 1) {
      const middle = Math.ceil(group.length / 2);
      await tryFolding(group.slice(0, middle));
      await tryFolding(group.slice(middle));
    }
  };
  // Only one of the candidates with one name can be kept, since a section has no key twice. The next one is tried if none was kept.
  let sameNames = [...groupBy(candidates, ({ section, folded }) => `${section} ${folded.name}`).values()];
  for (let index = 0; sameNames.length > 0; index++) {
    await tryFolding(sameNames.map((group) => group[index]!));
    sameNames = sameNames.filter((group) => group.length > index + 1 && !keptCandidates.has(group[index]!));
  }
  const folded = candidates
    .filter((candidate) => keptCandidates.has(candidate))
    .map(({ from, names }) => `${from} (${count(names.size, 'instance')})`);
  return { exported, folded };
}
