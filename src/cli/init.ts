import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CiOptions } from '../app/ci/inspect-repository.ts';
import { pathOn } from '../app/host.ts';
import { writeNewFiles } from '../app/output-file.ts';
import { createHomeFolder, homeFolder } from '../app/session/home-folder.ts';
import { findDefaultPaths } from '../config/find-files.ts';
import { closestName } from '../config/suggest.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { CommandRun } from './command-run.ts';
import { ciText, ciWork } from './init-ci.ts';
import { withColor } from './options.ts';
import { modeline, writeSchema } from './schema.ts';
import { terminalFor } from './terminal.ts';

const schemaPath = join(homeFolder, 'schema.json');

const sample = `${modeline(schemaPath)}
stack: example

platform: { team: acme } # the slug of your team, or { personal: true }

variables:
  apex: { default: example.com }

projects:
  web:
    framework: nextjs
    env:
      LOG_LEVEL: info # in all targets, encrypted
      API_URL:
        - { value: "https://api.\${var.apex}", target: [production] }
        - { value: "https://staging.\${var.apex}", target: [preview, development] }
    domains:
      www.\${var.apex}: {}
      \${var.apex}: { redirect: "www.\${var.apex}", redirectStatusCode: 308 }
    firewall:
      firewallEnabled: true
      rules:
        - name: block-admin
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }] }]
          action: { mitigate: { action: deny } }

domains:
  \${var.apex}:
    records:
      - { type: A, name: "@", value: 76.76.21.21 }
      - { type: TXT, name: "@", value: "v=spf1 -all" }
`;

interface InitOptions extends CiOptions {
  color?: boolean;
}

export function initCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .addOption(
      new Option('--ci <host>', 'write CI workflows for this repository and list the steps that remain')
        .choices(codeHosts)
        .argParser(ciHost),
    )
    .option('--branch <name>', 'with --ci github: the default branch, if git does not know it')
    .option(
      '--tool-project <path>',
      'with --ci gitlab: the project that contains the tool, such as acme/trueup-ci',
    )
    .action(async (options: InitOptions) => {
      const terminal = terminalFor(run, options);
      const { ci, branch, toolProject } = options;
      if ((branch !== undefined && ci !== 'github') || (toolProject !== undefined && ci !== 'gitlab'))
        throw new Problems([strayOption]);
      // All that can be wrong with it is told before anything is written.
      if (ci) {
        const work = await ciWork(provider, options, run, sample);
        if (work.isFresh) await writeHome(provider, run);
        await writeNewFiles(work.files, work.top);
        return terminal.out(ciText(work));
      }
      await writeHome(provider, run);
      await writeSample(run);
      terminal.out(
        [
          `Wrote trueup.yaml, .trueup/.gitignore and ${schemaPath} (for editors).`,
          '',
          'Try it without an account:',
          '  trueup apply --twin',
          'With an account, set your team in trueup.yaml and TRUEUP_TOKEN, then run:',
          '  trueup plan',
        ].join('\n'),
      );
    });
}

async function writeHome(provider: Provider, run: CommandRun): Promise<void> {
  await createHomeFolder(run.host);
  await writeSchema(provider, schemaPath, run);
}

/** A second configuration beside one that is there, under whichever of its names, would make both ambiguous. */
async function writeSample({ host }: CommandRun): Promise<void> {
  const [found] = await findDefaultPaths(host.cwd);
  if (found !== undefined) throw new Problems([alreadyThere(found)]);
  await writeFile(pathOn(host, 'trueup.yaml'), sample, { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new Problems([alreadyThere('trueup.yaml')]) : error;
    },
  );
}

const alreadyThere = (name: string) =>
  problem('init/exists', `\`${name}\` already exists and was left unchanged`, {
    hint: `${join(homeFolder, '.gitignore')} and ${schemaPath} are written; continue with \`trueup plan\``,
  });

const strayOption = problem(
  'cli/options',
  '--branch is for --ci github, and --tool-project for --ci gitlab',
  { hint: 'on GitLab the pipeline knows the default branch; on GitHub the lockfile contains the tool' },
);

const codeHosts = ['github', 'gitlab'];

function ciHost(given: string): string {
  if (codeHosts.includes(given)) return given;
  const near = closestName(given, codeHosts);
  throw new InvalidArgumentError(near ? `Did you mean ${near}?` : 'It must be github or gitlab.');
}
