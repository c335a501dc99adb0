import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { CiFile, CiNeeds, CiRepository, CiSecret } from '../../ci/repository.ts';
import type { Configuration } from '../../config/configuration.ts';
import { findWorkspaceFolder } from '../../config/find-workspace.ts';
import { quoted } from '../../config/suggest.ts';
import { findDefaultBranch } from '../../git/origin.ts';
import { workTreeOf } from '../../git/work-tree.ts';
import type { Provider } from '../../kind/provider.ts';
import { type Diagnostic, Problems, problem } from '../../model/diagnostic.ts';
import type { Host, Run } from '../host.ts';
import { readWorkspaceStacks } from '../planning/workspace-stacks.ts';
import { findLedgerKey, keyPathOf } from '../session/open-ledger.ts';
import { standardOptions } from '../stack-options.ts';
import {
  ciSecretsOf,
  ciVariablesOf,
  describeOtherSources,
  inspectSingleStack,
  problemsInCi,
} from './inspect-single-stack.ts';

export interface CiOptions {
  ci?: 'github' | 'gitlab';
  /** The default branch, where git does not tell it. */
  branch?: string;
  /** On GitLab, the project with the tool. */
  toolProject?: string;
}

/** The facts about the repository that `init --ci` found. */
export interface InspectedRepository extends CiNeeds {
  /** The folder of the work tree. */
  top: string;
  repository: CiRepository;
  /** Files of the configuration that have to be there for the workflows. */
  files: CiFile[];
  /** True if there was no configuration: the first one is among the files. */
  isFresh: boolean;
}

/**
 * Looks at the repository around the working directory: its workspace, or the configuration of one stack, or `fresh`, the text of one
 * that is about to be written. Throws `Problems` for what no workflow can be written for.
 */
export async function inspectRepository(
  provider: Provider,
  { ci, branch: given }: CiOptions,
  run: Run,
  fresh: string,
): Promise<InspectedRepository> {
  const { cwd } = run.host;
  // Values that somebody has set at a desk are not set in CI.
  const env = Object.fromEntries(
    Object.entries(run.host.env).filter(([name]) => !name.startsWith('TRUEUP_VAR_')),
  );
  const inCi: Run = { host: { ...run.host, env } };
  const here = await realpath(cwd);
  const top = workTreeOf(here);
  if (top === undefined) throw new Problems([noRepository]);
  const inTree = (file: string) => path.relative(top, file).split(path.sep).join('/');
  const workspace = await findWorkspaceFolder(here);
  const {
    looks,
    stacks,
    files,
    notes,
    isFresh = false,
  } = workspace === undefined
    ? await inspectSingleStack(provider, inCi, { here, top, inTree, fresh })
    : {
        looks: (await readWorkspaceStacks(provider, standardOptions, inCi)).all.map(
          ({ configuration }) => configuration,
        ),
        stacks: { workspace: inTree(workspace) },
        files: [],
        notes: [],
      };
  // GitLab knows it itself.
  const branch =
    ci === 'gitlab' ? '' : (given ?? (await findDefaultBranch(here, env).catch(() => undefined)));
  const wrong = [...looks.flatMap(problemsInCi), ...(branch === undefined ? [noBranch] : [])];
  if (wrong.length > 0) throw new Problems(wrong);
  const tool = await packageFolder(here, top);
  const repository = {
    branch: branch!,
    tool: inTree(tool.folder),
    stacks,
    secrets: ciSecretsOf(looks),
    variables: ciVariablesOf(looks),
  };
  const odd = oddWords(repository);
  if (odd.length > 0) throw new Problems(odd);
  return {
    top,
    repository,
    accounts: accountsOf(looks),
    hasTool: tool.hasTrueup,
    keyPlace: await keyPlaceIn(run.host),
    files,
    isFresh,
    notes: [...notes, ...describeOtherSources(looks)],
  };
}

/** Returns where the key is that this machine signs ledgers with. A text that is not a key counts as none: it could not sign in CI either. */
async function keyPlaceIn(host: Host): Promise<string | undefined> {
  const key = await findLedgerKey({}, host).catch(() => undefined);
  if (!key) return undefined;
  return host.env.TRUEUP_LEDGER_KEY?.trim() ? 'TRUEUP_LEDGER_KEY' : keyPathOf({});
}

/** The folder that npm takes the tool from: the nearest one upwards with a lockfile, else the top; and whether that has trueup. */
async function packageFolder(from: string, top: string): Promise<{ folder: string; hasTrueup: boolean }> {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const text = await readFile(path.join(folder, 'package-lock.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return { folder, hasTrueup: hasTrueup(text) };
    if (folder === top || folder === path.dirname(folder)) return { folder: top, hasTrueup: false };
  }
}

function hasTrueup(lockfile: string): boolean {
  try {
    const { packages = {} } = JSON.parse(lockfile) as { packages?: Record<string, unknown> };
    return Object.hasOwn(packages, 'node_modules/trueup');
  } catch {
    return false;
  }
}

function accountsOf(looks: Configuration[]): string[] {
  const all = looks.flatMap(({ platform }) => platform ?? []);
  return [...new Set(all.map((scope) => ('team' in scope ? `team ${scope.team}` : 'your own account')))];
}

const noRepository = problem(
  'init/no-repository',
  'this folder is not in a git repository, where workflows belong',
  { hint: 'run this in your clone, or create a repository with `git init` first' },
);

const noBranch = problem('init/branch', 'git does not know the default branch', {
  hint: 'pass it with --branch main, or let git look it up: `git remote set-head origin --auto`',
});

/**
 * Finds words that no workflow can hold: control characters, which could end its lines, what GitHub takes for an expression wherever it stands, and
 * variables of the environment that CI gives to nobody.
 */
function oddWords({ branch, tool, stacks, secrets, variables }: CiRepository): Diagnostic[] {
  const places = [
    ['the default branch', branch],
    ['the folder of the lockfile', tool],
    [
      'file' in stacks ? 'the configuration' : 'the workspace',
      'file' in stacks ? stacks.file : stacks.workspace,
    ],
  ] as const;
  return [
    ...places
      .filter(([, name]) => /[\p{C}\p{Zl}\p{Zp}]|\$\{\{/u.test(name))
      .map(([what, name]) =>
        problem('init/ci-name', `${what} ${quoted(name)} has a name that cannot be used in a workflow`, {
          hint: 'names must not contain control characters or `${{`: rename it',
        }),
      ),
    ...[
      ...secrets.map((secret) => ({ ...secret, what: 'secret' })),
      ...variables.map((variable) => ({ ...variable, what: 'variable' })),
    ]
      .filter(({ env }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(env) || /^GITHUB_/i.test(env))
      .map(({ name, env, what }) =>
        problem(
          'init/ci-name',
          `the ${what} ${quoted(name)} is read from ${quoted(env)}, which CI cannot provide`,
          {
            hint: 'use letters A to Z, digits and `_`, not starting with GITHUB_: rename it, or give a secret another variable with `{ env: NAME }`',
          },
        ),
      ),
    ...sameName([...secrets, ...variables]),
  ];
}

/** CI tells capitals and small letters apart in no name of a variable. */
function sameName(secrets: CiSecret[]): Diagnostic[] {
  const first = new Map<string, CiSecret>();
  return secrets.flatMap((secret) => {
    const ciSecret = first.get(secret.env.toUpperCase());
    if (!ciSecret) first.set(secret.env.toUpperCase(), secret);
    if (!ciSecret) return [];
    return [
      problem(
        'init/ci-name',
        `${quoted(ciSecret.name)} and ${quoted(secret.name)} are read from ${ciSecret.env} and ${secret.env}, which CI treats as the same name`,
        { hint: 'names are not case-sensitive there: rename one of them' },
      ),
    ];
  });
}
