import { type Command, InvalidArgumentError, Option } from 'commander';
import { writeSchema } from '../app/editor-schema.ts';
import { findDefaultTeam } from '../app/session/open-account.ts';
import { standardOptions } from '../app/stack-options.ts';
import type { CiOptions } from '../ci/inspect-repository.ts';
import { sampleStack, schemaPath, writeSampleFiles } from '../init/sample-files.ts';
import type { Provider } from '../kind/provider.ts';
import { raise } from '../model/diagnostic.ts';
import { closestName } from '../model/similar-name.ts';
import { cleanLine } from '../report/text.ts';
import { createHomeFolder, homeFolder } from '../stores/ledger-choice.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { sampleTestsName } from '../testing/sample-tests.ts';
import { initCi } from './init-ci.ts';
import { withColor } from './options.ts';

interface InitOptions extends CiOptions {
  color?: boolean;
}

/** Declares `trueup init`. The command writes a first configuration or, with `--ci`, the CI files of a repository. */
export function initCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .addOption(
      new Option('--ci <host>', 'write CI workflows for this repository and list the steps that remain')
        .choices(codeHosts)
        .argParser(parseCodeHost),
    )
    .option('--branch <name>', 'with --ci github: the default branch, if git does not know it')
    .option(
      '--tool-project <path>',
      'with --ci gitlab: the project that contains the tool, such as acme/trueup-ci',
    )
    .option('--yes', 'with --ci: change the configuration and move ledgers without asking')
    .option('--check', 'with --ci: write nothing, and verify each step; exits with 1 if one is open')
    .action(async (options: InitOptions) => {
      refuseMisplacedOptions(options);
      const { ci } = options;
      if (ci === undefined) return writeFirstConfiguration(options, provider, run);
      const createHome = () => writeHome(provider, run);
      return initCi({ ...options, ci }, { provider, run, sample: sampleStack, writeHome: createHome });
    });
}

/** Throws `Problems` for options of `init` that do not fit the code host, or each other. */
function refuseMisplacedOptions({ ci, branch, toolProject, check, yes }: InitOptions): void {
  const isMisplaced =
    (branch !== undefined && ci !== 'github') || (toolProject !== undefined && ci !== 'gitlab');
  if (isMisplaced)
    raise('cli/options', '--branch is for --ci github, and --tool-project for --ci gitlab', {
      hint: 'on GitLab the pipeline knows the default branch; on GitHub the lockfile contains the tool',
    });
  const isWithoutCi = ci === undefined && (check || yes);
  if (isWithoutCi || (check && yes))
    raise('cli/options', '--check and --yes are for --ci, and only one of them at a time', {
      hint: 'trueup init --ci github --check',
    });
}

/**
 * Writes a sample configuration with its tests, for `init` without `--ci`, and prints the commands to go on with. Names the default team of
 * the token, if there is one.
 */
async function writeFirstConfiguration(
  options: InitOptions,
  provider: Provider,
  run: CommandRun,
): Promise<void> {
  const terminal = terminalFor(run, options);
  await writeHome(provider, run);
  const team = await findDefaultTeam(provider, standardOptions, run.host);
  const hasTests = await writeSampleFiles(team, run.host);
  terminal.out(
    [
      `Wrote trueup.yaml${hasTests ? `, its tests in ${sampleTestsName}` : ''}, and ${homeFolder} with ${schemaPath} (for editors) and files for git.`,
      '',
      'Try it without an account:',
      '  trueup apply --twin',
      ...(hasTests ? ['  trueup test'] : []),
      team === undefined
        ? 'With an account, set your team in trueup.yaml and TRUEUP_TOKEN, then run:'
        : `With an account (trueup.yaml names ${cleanLine(team)}, the default team of your token's user), run:`,
      '  trueup plan',
    ].join('\n'),
  );
}

/** Writes the folder `.trueup`, with the JSON Schema that editors check the sample with. */
async function writeHome(provider: Provider, run: CommandRun): Promise<void> {
  await createHomeFolder(run.host);
  await writeSchema(provider, schemaPath, run);
}

const codeHosts = ['github', 'gitlab'];

/** Parses the value of `init --ci`. Throws with a suggestion for a misspelled name, which commander's own check of choices does not have. */
function parseCodeHost(value: string): string {
  if (codeHosts.includes(value)) return value;
  const near = closestName(value, codeHosts);
  throw new InvalidArgumentError(near ? `Did you mean ${near}?` : 'It must be github or gitlab.');
}
