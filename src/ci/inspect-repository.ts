import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { findWorkspaceFolder } from '../config/find-workspace.ts';
import { findDefaultBranch, hasOrigin } from '../git/checkout.ts';
import { workTreeOf } from '../git/work-tree.ts';
import type { Host } from '../host.ts';
import { problem, raise, raiseErrors } from '../model/diagnostic.ts';
import { isFilePlace } from '../model/ledger-place.ts';
import { pathFrom } from '../paths.ts';
import { homeFolder } from '../stores/ledger-choice.ts';
import { findLedgerKey, keyPathOf } from '../stores/open-ledger.ts';
import { listTestFiles } from '../testing/list-test-files.ts';
import { findUnusableNames } from './check-names.ts';
import { hasAnyLedger } from './ci-ledgers.ts';
import { ciSecretsOf, ciVariablesOf, describeOtherSources } from './ci-secrets.ts';
import { describeExceededLimits } from './group-secrets.ts';
import {
  type CiFindings,
  type CiReader,
  inspectSingleStack,
  problemsInCi,
  type RepositoryPlace,
} from './inspect-single-stack.ts';
import type { CiFile, CiNeeds, CiRepository } from './repository.ts';

/** The options of `init --ci`. */
export interface CiOptions {
  ci?: 'github' | 'gitlab';
  /** The default branch, instead of the one that git knows. */
  branch?: string;
  /** On GitLab, the project that contains trueup. */
  toolProject?: string;
  /** Verify the steps instead of writing. */
  check?: boolean;
  /** Change the YAML and move ledgers without a question. */
  yes?: boolean;
}

/** The facts about a repository that its CI files depend on. */
export interface InspectedRepository extends CiNeeds {
  /** The folder of the work tree. */
  top: string;
  repository: CiRepository;
  /** Files of the configuration that the workflows need and that have to be written first. */
  files: CiFile[];
  /** True if there was no configuration: then a sample is among the files. */
  isFresh: boolean;
  /** The stacks, one for each stage. */
  configurations: Configuration[];
  /** The folder in which commands about the stacks run: that of the workspace, or of the configuration. */
  stackFolder: string;
  /** False if ledgers cannot be at the place for CI jobs (`repository.ledger`), because that is the git remote and this clone has none. */
  hasLedgerPlace: boolean;
}

/**
 * Inspects the repository around the working directory before `init --ci` writes workflows: its workspace or single
 * configuration, its default branch, its secrets and variables, and whether the tool, the ledger key and a place for
 * the ledgers are there. `sample`: the text of the configuration that is written if there is none (`isFresh`). Throws
 * `Problems` if no workflow can be written for it.
 */
export async function inspectRepository(
  options: CiOptions,
  host: Host,
  sample: string,
  reader: CiReader,
): Promise<InspectedRepository> {
  const cwd = await realpath(host.cwd);
  const top = workTreeOf(cwd) ?? raise(noRepository);
  const inTree = (file: string) => pathFrom(top, file);
  const isOriginKnown = await hasOrigin(cwd, host.env).catch(() => false);
  const findings = await inspectConfigurations(reader, {
    cwd,
    top,
    inTree,
    sample,
    hasOrigin: isOriginKnown,
  });
  const { configurations, stacks, files, isFresh = false } = findings;
  const branch = await findBranch(options, cwd, host);
  const problems = configurations.flatMap(problemsInCi);
  if (branch === undefined) raise([...problems, noBranch]);
  raiseErrors(problems);
  const packageFolder = await findPackageFolder(cwd, top);
  const repository: CiRepository = {
    branch,
    tool: inTree(packageFolder.folder),
    stacks,
    secrets: ciSecretsOf(configurations),
    variables: ciVariablesOf(configurations),
    ledger: findLedgerPlace(configurations),
    hasTests: isFresh || (await listTestFiles(top)).length > 0,
  };
  raiseErrors(findUnusableNames(repository));
  const stackFolder = findWorkspaceFolder(cwd) ?? cwd;
  const keyPlace = await findKeyPlace(stackFolder, { ...host, cwd });
  // A key that is here has to be used anyway, so ledgers matter only without one.
  const hasLedgers =
    keyPlace !== undefined || (await hasAnyLedger({ configurations, stackFolder, top }, { ...host, cwd }));
  return {
    top,
    repository,
    configurations,
    stackFolder,
    files,
    isFresh,
    hasLedgerPlace: repository.ledger !== 'git' || isOriginKnown,
    accounts: accountNamesOf(configurations),
    hasTool: packageFolder.hasTrueup,
    keyPlace,
    hasLedgers,
    formFolder: path.relative(cwd, path.join(stackFolder, homeFolder, 'ci')),
    notes: [
      ...findings.notes,
      ...describeOtherSources(configurations, top),
      ...describeExceededLimits(repository.secrets, options.ci ?? 'github', host.env),
      ...describeStore(repository.ledger, isOriginKnown),
    ],
  };
}

/**
 * Returns the default branch: `--branch`, or the one that git knows; undefined if git knows none. Empty for GitLab, whose pipelines find
 * it.
 */
async function findBranch(
  { ci, branch }: CiOptions,
  cwd: string,
  { env }: Host,
): Promise<string | undefined> {
  if (ci === 'gitlab') return '';
  return branch ?? findDefaultBranch(cwd, env).catch(() => undefined);
}

/**
 * Finds the configurations that the workflows of `init --ci` will plan and apply: those of the workspace around the
 * working directory, or else the one in it. Throws `Problems` if there is nothing to write workflows for.
 */
async function inspectConfigurations(reader: CiReader, place: RepositoryPlace): Promise<CiFindings> {
  const workspace = findWorkspaceFolder(place.cwd);
  if (workspace === undefined) return inspectSingleStack(reader, place);
  return {
    configurations: await reader.readWorkspace(),
    stacks: { workspace: place.inTree(workspace) },
    files: [],
    notes: [],
  };
}

/**
 * Returns where this machine has the key that signs ledgers: the name of a variable or the path of a file;
 * undefined if there is none. CI needs the same key, so the steps of `init --ci` name this place. A text that is
 * not a valid key counts as none. `folder`: where commands about the stacks run.
 */
async function findKeyPlace(folder: string, { cwd, env }: Host): Promise<string | undefined> {
  const key = await findLedgerKey({}, { cwd: folder, env }).catch(() => undefined);
  if (!key) return undefined;
  return env.TRUEUP_LEDGER_KEY?.trim()
    ? 'TRUEUP_LEDGER_KEY'
    : path.relative(cwd, path.join(folder, keyPathOf({}, { cwd: folder })));
}

/**
 * Finds the folder in which the workflows of `init --ci` run `npm ci`: the nearest one upwards from `from` with a
 * lockfile of npm, or else the top of the work tree. `hasTrueup`: the lockfile has the package trueup.
 */
async function findPackageFolder(from: string, top: string): Promise<{ folder: string; hasTrueup: boolean }> {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const text = await readFile(path.join(folder, 'package-lock.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return { folder, hasTrueup: hasTrueup(text) };
    if (folder === top || folder === path.dirname(folder)) return { folder: top, hasTrueup: false };
  }
}

/**
 * True if a lockfile of npm (its text) has the package trueup. If not, the list of steps that `init --ci` prints
 * for a repository on GitHub begins with its installation.
 */
function hasTrueup(lockfile: string): boolean {
  try {
    const { packages = {} } = JSON.parse(lockfile) as { packages?: Record<string, unknown> };
    return Object.hasOwn(packages, 'node_modules/trueup');
  } catch {
    return false;
  }
}

/**
 * Returns the place of the ledgers for CI jobs: the git remote or the store that the YAML names, or else git. A file would be lost with the
 * machine of the job. If stacks name several places, git is the one to begin with.
 */
function findLedgerPlace(configurations: Configuration[]): string {
  const places = new Set(configurations.map(({ ledger }) => ledger?.place ?? 'git'));
  const [place = 'git'] = places;
  return places.size === 1 && !isFilePlace(place) ? place : 'git';
}

/**
 * Returns the note that the jobs need credentials for a store of ledgers, or that this clone has no remote for them in git. None for git
 * with a remote, because the jobs have its credentials.
 */
function describeStore(ledger: string, isOriginKnown: boolean): string[][] {
  if (ledger !== 'git')
    return [
      [`The ledgers are in ${ledger}: give the jobs access to it. The guide about ledger stores says how.`],
    ];
  return isOriginKnown
    ? []
    : [['Add the git remote `origin` and run this again: CI keeps the ledgers there, and yours move there.']];
}

/** Returns the names of the accounts of configurations, each once, for the steps that tell the user which tokens CI needs. */
function accountNamesOf(configurations: Configuration[]): string[] {
  const scopes = configurations.flatMap(({ platform }) => platform ?? []);
  return [...new Set(scopes.map((scope) => ('team' in scope ? `team ${scope.team}` : 'your own account')))];
}

const noRepository = problem(
  'init/no-repository',
  'this folder is not in a git repository, where workflows belong',
  { hint: 'run this in your clone, or create a repository with `git init` first' },
);

const noBranch = problem('init/branch', 'git does not know the default branch', {
  hint: 'pass it with --branch main, or let git look it up: `git remote set-head origin --auto`',
});
