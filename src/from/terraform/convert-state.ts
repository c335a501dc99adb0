import { chooseScope } from '../../config/choose-scope.ts';
import { type ExportResult, exportLive } from '../../export/export-live.ts';
import { findPossibleSecrets } from '../../export/secret-names.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { ForeignFiles } from '../../kind/foreign.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { raise, shellWord } from '../../model/diagnostic.ts';
import { cleanLine } from '../../report/text.ts';
import {
  type Conversion,
  type ConversionOptions,
  type ForeignFile,
  nothingToConvertProblem,
} from '../conversion.ts';
import { formatStateReport } from '../conversion-texts.ts';
import { checkTally } from '../tally.ts';
import { foldResourceInstances } from './fold-resource-instances.ts';
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
  if (converted.owned.size === 0) {
    const [firstReason = 'it has no resources of this platform'] = converted.reasons.values();
    raise(nothingToConvertProblem(file, firstReason));
  }
  const stack = options.stack ?? ('team' in scope ? scope.team : 'personal');
  const header = { stack, platform: scope as Record<string, unknown> };
  const unfolded = exportState(converted, kinds);
  const tally = tallyResources(converted, unfolded, kinds);
  checkTally(tally, file);
  const { exported, folded } = await foldResourceInstances(unfolded, converted.resourceOf, {
    kinds,
    cwd,
    header,
  });
  const unchangedFields = findPossibleSecrets(
    converted.live,
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
 * Exports the objects that a Terraform state owns as a configuration. Values of variables are left out, since an existing variable keeps
 * its value.
 */
const exportState = (converted: StateAsLive, kinds: Kinds): ExportResult =>
  exportLive({
    live: converted.live,
    kinds,
    values: 'omit',
    isChosen: (address) => converted.owned.has(address),
    labels: converted.labels,
    secretLinks: converted.secretLinks,
    writesUsualValues: converted.writesUsualValues,
    isPublic: converted.isPublic,
    withId: findContainersWithNames(converted, kinds),
  });

/**
 * Returns the addresses of owned containers (projects, domains) whose name is not their id. `trueup from
 * terraform` writes the id into their blocks, so that a plan reports an error if such a container was renamed
 * outside, instead of creating a second one.
 */
const findContainersWithNames = ({ live, owned }: StateAsLive, kinds: Kinds): ReadonlySet<string> =>
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
 * Decides whose resources of a Terraform state are converted, because a configuration covers one account: those of the team that `--team`
 * names by its id, or of the only team in the state, or of no team. The configuration names a team by its slug (the name in its URLs) if
 * that is known from `--team` or the state, else by its id. Throws `Problems` if the state has resources of several teams and `--team`
 * chooses none of them.
 */
function accountOfState(state: State, files: ForeignFiles, options: ConversionOptions): StateAccount {
  const teams = findTeams(state, files);
  const [firstTeam, ...otherTeams] = teams;
  // Another value of `--team` is the slug of the only team, which the state may not contain.
  const isChosen = options.team !== undefined && teams.includes(options.team);
  if (otherTeams.length > 0 && !isChosen)
    raise('from/teams', `the state has resources of ${teams.length} teams: ${teams.join(', ')}`, {
      hint: `a configuration covers one account: convert them one at a time, with --team ${shellWord(firstTeam!)}`,
    });
  const teamId = isChosen ? options.team! : firstTeam;
  const slug = teamId === undefined ? undefined : findTeamSlug(state, files, teamId);
  const teamName = slug ?? teamId;
  const platform = teamName === undefined ? {} : { platform: { team: teamName } };
  // An id in `--team` is replaced by the slug; any other value goes before the team of the state.
  const scope = chooseScope(platform, isChosen ? { ...options, team: teamName! } : options);
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
