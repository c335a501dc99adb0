/*
 * Verifies the steps of `trueup init --ci`, for its `--check`: by the files here, the ledgers, git, and the settings of the repository on
 * GitHub if the operator gives a token for that. Sends nothing that writes.
 */
import path from 'node:path';
import { workspaceFileName } from '../config/find-workspace.ts';
import { findOriginPath, findOriginServer, findUncommitted } from '../git/checkout.ts';
import { type GithubEnvironment, type GithubSettings, readGithubSettings } from '../github/read-settings.ts';
import type { Host } from '../host.ts';
import { listMembers } from '../model/secret-families.ts';
import { pathFrom } from '../paths.ts';
import { count } from '../report/text.ts';
import { readCiLedgers } from './ci-ledgers.ts';
import type { CiWork } from './ci-work.ts';
import type { CiReader } from './inspect-single-stack.ts';
import { type CiEdits, describeEdits, describeUngrouped, hasEdits } from './plan-edits.ts';
import { type CiRepository, type CiStep, githubSecretName, jobsOfMain } from './repository.ts';

/** Whether a step is done. `unknown`: it cannot be seen from here. */
interface StepVerdict {
  state: 'done' | 'open' | 'unknown';
  /** What is missing, or why it is unknown. */
  detail?: string;
}

/** A step and its verdict. */
export interface CheckedStep extends CiStep, StepVerdict {}

/**
 * True for a step that `init --ci` has done itself or only looks at. Its list of steps for a person lacks these, so they have no number:
 * the others then have the same number there and in the result of `--check`.
 */
export const isStepOfInit = ({ topic, state }: CheckedStep): boolean =>
  ['files', 'ignored', 'ledger', 'key'].includes(topic) || (topic === 'edits' && state === 'done');

const done: StepVerdict = { state: 'done' };
const open = (detail: string): StepVerdict => ({ state: 'open', detail });
const unknown = (detail?: string): StepVerdict => ({ state: 'unknown', detail });
const openIf = (missing: readonly string[], text: string): StepVerdict =>
  missing.length === 0 ? done : open(`${text}: ${listMembers(missing)}`);

/**
 * Checks for `init --ci --check` which steps of setting up CI are done: first those that `init --ci` itself does, then those for a person.
 * `work` and `edits`: what `init --ci` would still do.
 */
export async function checkCiSteps(
  work: CiWork,
  { edits, reader, codeHost }: { edits: CiEdits; reader: CiReader; codeHost: 'github' | 'gitlab' },
  host: Host,
): Promise<CheckedStep[]> {
  const settings = codeHost === 'github' ? await readRepositorySettings(work, host) : undefined;
  const files: CheckedStep = {
    topic: 'files',
    lines: [`Files: ${count(work.missing.length + work.upToDate.length, 'file')} for CI`],
    ...checkFiles(work, codeHost),
  };
  const ignored: CheckedStep = {
    topic: 'ignored',
    lines: ['.gitignore: node_modules'],
    ...checkIgnored(work),
  };
  const editsOfInit: CheckedStep = {
    topic: 'edits',
    lines: [`Configuration and ledgers: as CI needs them`, ...describeEdits(edits)],
    ...(hasEdits(edits) ? open(`run \`trueup init --ci ${codeHost} --yes\``) : done),
  };
  const ledgers = await checkLedgers(work, reader, host);
  // The families of secrets that a person has to group, because `init --ci` cannot edit their declarations.
  const editsOfPerson = describeUngrouped(edits).map(
    (lines): CheckedStep => ({ topic: 'edits', lines, ...open('not done') }),
  );
  const stepsOfPerson: CheckedStep[] = [];
  for (const step of work.steps)
    stepsOfPerson.push({ ...step, ...(await checkStep(step, { work, settings, host })) });
  const ignoredSteps = codeHost === 'github' ? [ignored] : [];
  return [files, ...ignoredSteps, editsOfInit, ...ledgers, ...editsOfPerson, ...stepsOfPerson];
}

/**
 * Checks that the files for CI are as `init --ci` writes them: done, open with the reason, or unknown. For GitLab, people move these files
 * to a project of their own, so nothing follows if they are missing here.
 */
function checkFiles({ missing, obstacles }: CiWork, codeHost: 'github' | 'gitlab'): StepVerdict {
  const paths = missing.map(({ path }) => path);
  if (obstacles.length > 0) return open(obstacles.map(({ message }) => message).join('; '));
  if (codeHost === 'gitlab' && paths.length > 0) return unknown('they may be in the project with the tool');
  return openIf(paths, 'missing');
}

/** Checks that git ignores `node_modules`, into which the jobs install trueup. */
const checkIgnored = ({ ignored }: CiWork): StepVerdict =>
  ignored === undefined ? done : open(`${ignored.name} does not ignore node_modules`);

/**
 * Checks for `init --ci --check` that CI can reach the ledgers at their place, and that the key of this machine has signed them. Returns a
 * step for each of the two, with its state: `done`, `open` with a reason, or `unknown`.
 */
async function checkLedgers({ facts }: CiWork, reader: CiReader, host: Host): Promise<CheckedStep[]> {
  const { repository, keyPlace } = facts;
  const { present, absent, unreachable, unverified } = await readCiLedgers(
    facts,
    { place: repository.ledger, reader },
    host,
  );
  const absentText =
    absent.length === 0 ? '' : `; none yet of ${listMembers(absent)}, which the first apply creates`;
  const state = `${count(present.length, 'ledger')}${absentText}`;
  return [
    {
      topic: 'ledger',
      lines: [`Ledgers at ${repository.ledger}: ${unreachable === undefined ? state : 'not reachable'}`],
      ...(unreachable === undefined ? done : open(unreachable)),
    },
    {
      topic: 'key',
      lines: [`Ledger key${keyPlace === undefined ? '' : `: ${keyPlace}`}`],
      ...checkKey(unverified, present.length > 0),
    },
  ];
}

/**
 * Checks that the key of this machine has signed the ledgers. `unverified`: the stacks whose ledger it did not sign; undefined without a
 * key.
 */
function checkKey(unverified: ReadonlyMap<string, string> | undefined, hasLedgers: boolean): StepVerdict {
  if (unverified) return openIf([...unverified.keys()], 'it does not verify the ledgers of');
  return hasLedgers
    ? open('no key on this machine: set TRUEUP_LEDGER_KEY to the key that signed the ledgers')
    : unknown('there is none here');
}

/** The facts that verdicts about steps for a person depend on. */
interface StepFacts {
  work: CiWork;
  settings: GithubSettings | string | undefined;
  host: Host;
}

/** Returns whether a person has done one step of `init --ci`. Settings of the code host are unknown without a token. */
async function checkStep({ topic }: CiStep, { work, settings, host }: StepFacts): Promise<StepVerdict> {
  if (topic === 'tool') return work.facts.hasTool ? done : open('the lockfile does not contain trueup');
  if (topic === 'commit') return checkCommit(work, host);
  if (topic === 'note') return unknown();
  if (settings === undefined) return unknown();
  if (typeof settings === 'string') return unknown(settings);
  return checkSetting(topic, work.facts.repository, settings);
}

/**
 * Checks the step of `init --ci` about the commit: the default branch must have the files for CI and those of the configuration as they are
 * here.
 */
async function checkCommit({ facts, missing, upToDate }: CiWork, host: Host): Promise<StepVerdict> {
  const { top, configurations, stackFolder, repository } = facts;
  const { branch } = repository;
  const ofConfigurations = configurations.flatMap(({ files }) =>
    files.map((file) => path.resolve(stackFolder, file)),
  );
  const workspaceFile = path.join(stackFolder, workspaceFileName);
  const ofWorkspace = 'workspace' in repository.stacks ? [workspaceFile] : [];
  const paths = [
    ...[...missing, ...upToDate].map((file) => file.path),
    ...[...ofConfigurations, ...ofWorkspace].map((file) => pathFrom(top, file)),
  ];
  // If git does not answer, none of the files is proved to be committed.
  const uncommitted = await findUncommitted(top, host.env, { branch, paths: [...new Set(paths)] }).catch(
    () => paths,
  );
  return openIf(uncommitted, `not on ${branch}, as far as this clone knows`);
}

/**
 * Reads the settings of the repository on GitHub for `init --ci --check`, with GITHUB_TOKEN. Returns a text instead if the operator has set
 * none, or if it is unclear which repository is meant: a token is only sent to github.com, or to the server that GITHUB_API_URL names.
 */
async function readRepositorySettings({ facts }: CiWork, { env }: Host): Promise<GithubSettings | string> {
  const token = env.GITHUB_TOKEN?.trim();
  if (!token)
    return 'set GITHUB_TOKEN to a token that reads the repository, and its environments are checked as well';
  const server = await findOriginServer(facts.top, env).catch(() => undefined);
  const isOrigin = server === 'github.com' || env.GITHUB_API_URL;
  const origin = isOrigin ? await findOriginPath(facts.top, env).catch(() => undefined) : undefined;
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(env.GITHUB_REPOSITORY ?? origin ?? '') ?? [];
  if (owner === undefined || repo === undefined)
    return 'set GITHUB_REPOSITORY to OWNER/NAME: the git remote `origin` is not on github.com';
  const apiUrl = env.GITHUB_API_URL || 'https://api.github.com';
  const { branch } = facts.repository;
  return readGithubSettings({ apiUrl, token, env, owner, repo, branch }, environmentNames);
}

const mainEnvironments = jobsOfMain.split(', ');
const environmentNames = ['plan', ...mainEnvironments];

/**
 * Checks a step of `init --ci` that is a setting on GitHub, such as an environment or a secret in it: whether a person has done it, or that
 * the token may not read it.
 */
function checkSetting(
  topic: CiStep['topic'],
  { secrets, variables }: CiRepository,
  settings: GithubSettings,
): StepVerdict {
  const { environments } = settings;
  if (topic === 'environments') return environments ? checkEnvironments(environments) : cannotRead;
  if (topic === 'secrets' || topic === 'json')
    return environments ? checkSecrets(secrets.map(githubSecretName), environments) : cannotRead;
  if (topic === 'variables') {
    if (!settings.variables) return cannotRead;
    const existing = new Set(settings.variables);
    const missing = variables.map(githubSecretName).filter((name) => !existing.has(name));
    return openIf(missing, 'missing');
  }
  const isSet = topic === 'branch' ? settings.isProtected : settings.mayOpenPulls;
  if (isSet === undefined) return cannotRead;
  return isSet ? done : open('it is off');
}

const cannotRead = unknown('the token may not read it');

/**
 * Checks that the environments on GitHub have the secrets that their jobs need: a token, and, except for pull requests, the ledger key and
 * the secrets of the configuration (`names`).
 */
function checkSecrets(
  names: readonly string[],
  environments: ReadonlyMap<string, GithubEnvironment>,
): StepVerdict {
  if ([...environments.values()].some(({ secrets }) => !secrets)) return cannotRead;
  const missing = environmentNames.flatMap((environment) => {
    const required =
      environment === 'plan' ? ['TRUEUP_TOKEN'] : ['TRUEUP_TOKEN', 'TRUEUP_LEDGER_KEY', ...names];
    const existing = new Set(environments.get(environment)?.secrets);
    return required.filter((name) => !existing.has(name)).map((name) => `${name} in ${environment}`);
  });
  return openIf(missing, 'missing');
}

/**
 * Checks for `init --ci --check` that the GitHub environments exist, that only some branches may use them, and that `production`, whose job
 * applies, has required reviewers. Names the first fault of each environment.
 */
function checkEnvironments(environments: Map<string, GithubEnvironment>): StepVerdict {
  const faults = environmentNames.flatMap((name) => {
    const environment = environments.get(name);
    if (!environment) return `${name} is missing`;
    if (!environment.isRestricted) return `${name} is open to all branches`;
    return name === 'production' && !environment.hasReviewers ? `${name} has no required reviewers` : [];
  });
  return faults.length === 0 ? done : open(faults.join('; '));
}
