import { chooseScope } from '../app/session/open-account.ts';
import { findPossibleSecrets } from '../export/as-found.ts';
import { toExportedFiles } from '../export/export-files.ts';
import { type ExportResult, exportLive } from '../export/export-live.ts';
import { candidatesIn, withFolded } from '../from/fold-sections.ts';
import { checkTally } from '../from/left-out.ts';
import { meaningOf } from '../from/same-meaning.ts';
import { type FromState, fromState, slugIn, teamsIn } from '../from/terraform/from-state.ts';
import { readState, type State } from '../from/terraform/read-state.ts';
import { tallyResources } from '../from/terraform/tally-resources.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { ForeignFiles } from '../kind/foreign.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems } from '../model/diagnostic.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import type { CommandRun } from './command-run.ts';
import { type FromOptions, readForeign } from './from-file.ts';
import { proveFrom, stateSummary, writeFrom } from './from-result.ts';
import { terminalFor } from './terminal.ts';

/** Writes the resources that a Terraform state owns as a configuration, and plans it where there is an account. */
export async function fromTerraform(
  provider: Provider,
  file: string,
  options: FromOptions,
  run: CommandRun,
): Promise<void> {
  const { host } = run;
  const terminal = terminalFor(run, options);
  const kinds = kindsOf(provider.kinds);
  const files = await provider.foreignFiles();
  const state = readState(await readForeign(file, host), file);
  const { team, scope, isNamedById } = accountOfState(state, files, options);
  const found = fromState(state, files, kinds, team);
  if (found.owned.size === 0)
    throw new Problems('from/nothing', `${file}: nothing in it can be converted`, {
      hint: [...found.reasons.values()][0] ?? 'it has no resources of this platform',
    });
  const platform = scope as Record<string, unknown>;
  const stack = options.stack ?? ('team' in scope ? scope.team : 'personal');
  const written = exportLive({
    live: found.live,
    kinds,
    values: 'omit',
    isChosen: (address) => found.owned.has(address),
    labels: found.labels,
    secretLinks: found.secretLinks,
    writesUsualValues: found.isWhole,
    isPublic: found.isPublic,
    withId: containers(found, kinds),
  });
  const tally = tallyResources(found, written, kinds);
  checkTally(tally, file);
  const header = { stack, platform };
  const { exported, folded } = await foldEqual(written, found, { kinds, cwd: host.cwd, header });
  const paths = await writeFrom(exported, header, kinds, options, terminal);
  const openly = findPossibleSecrets(
    found.live,
    kinds,
    (address) => found.owned.has(address),
    exported.newAddresses,
  );
  terminal.say(stateSummary(exported, found, { tally, folded, asFound: openly }));
  if (isNamedById) terminal.say(namedByIdText(stack, options));
  await proveFrom(provider, paths, options, terminal);
}

/** A container has its id: a project that was renamed outside is an error then, and never made anew. */
const containers = ({ live, owned }: FromState, kinds: Kinds): ReadonlySet<string> =>
  new Set(
    [...live.resources.values()]
      .filter(({ address, kind }) => owned.has(address) && kinds.get(kind)!.lifecycle.container)
      .filter(({ address, id }) => !address.endsWith(`/${id}`))
      .map(({ address }) => address),
  );

/**
 * Whose resources are taken, by the id of the team where the state has several, and what the header says: the name of the team in URLs,
 * where the state tells it. Throws `Problems`.
 */
function accountOfState(state: State, files: ForeignFiles, options: FromOptions) {
  const teams = teamsIn(state, files);
  const [first, ...others] = teams;
  const named = options.team !== undefined && teams.includes(options.team);
  if (others.length > 0 && !named)
    throw new Problems(
      'from/teams',
      `the state has resources of ${teams.length} teams: ${teams.join(', ')}`,
      {
        hint: `a configuration covers one account: convert them one at a time, with --team ${first}`,
      },
    );
  const wanted = named ? options.team! : first;
  const slug = wanted === undefined ? undefined : slugIn(state, files, wanted);
  const platform = wanted === undefined ? {} : { platform: { team: slug ?? wanted } };
  const scope = chooseScope(platform, named ? { ...options, team: slug ?? wanted! } : options);
  const isNamedById =
    options.stack === undefined && 'team' in scope && scope.team === wanted && slug === undefined;
  return { team: named ? options.team : undefined, scope, isNamedById };
}

/** Names the team for whoever has only its id: the ledger is named after it. */
const namedByIdText = (stack: string, { outDir }: FromOptions): string =>
  `The state does not contain the slug of team ${cleanLine(stack)}, so the stack and \`platform.team\` use its id. To name them, ${
    outDir === undefined
      ? 'run this again with --team SLUG, or with --stack NAME for the stack alone'
      : `run this again with --team SLUG --force (--stack NAME for the stack alone), or edit ${cleanLine(outDir)}/trueup.yaml`
  }: do so before the first apply, since the ledger is named after the stack.`;

interface FoldPlace {
  kinds: Kinds;
  cwd: string;
  header: { stack: string; platform: Record<string, unknown> };
}

/** With one block for the instances of a `for_each`, wherever it comes to exactly the same as the blocks that it replaces. */
async function foldEqual(
  written: ExportResult,
  found: FromState,
  { kinds, cwd, header }: FoldPlace,
): Promise<{ exported: ExportResult; folded: string[] }> {
  const textOf = (exported: ExportResult) =>
    toExportedFiles(exported, { ...header, isSplit: false })[0]!.text;
  const candidates = candidatesIn(written.sections, found.resourceOf);
  const folded: string[] = [];
  let exported = written;
  if (candidates.length === 0) return { exported, folded };
  const meaning = await meaningOf(textOf(written), { kinds, cwd });
  for (const candidate of candidates) {
    const shorter = { ...exported, sections: withFolded(exported.sections, candidate) };
    if (meaning === undefined || (await meaningOf(textOf(shorter), { kinds, cwd })) !== meaning) continue;
    exported = shorter;
    folded.push(`${candidate.from} (${count(candidate.names.size, 'instance')})`);
  }
  return { exported, folded };
}
