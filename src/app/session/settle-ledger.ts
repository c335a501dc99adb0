/*
 * Decides where the ledger of a stack is, before anything opens it. The first of these counts:
 *
 *   1. `--ledger`, then TRUEUP_LEDGER: the operator decides
 *   2. `ledger:` in the header of the configuration, then in trueup.workspace.yaml, if it may be used
 *   3. a ledger of the stack that the repository already has: a file in `.trueup/ledger`, or `refs/trueup/STACK` at origin
 *   4. a new file, `.trueup/ledger/STACK.json`
 */
import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { findWorkspaceFolder } from '../../config/find-workspace.ts';
import { load } from '../../config/load.ts';
import type { DeclaredLedger } from '../../config/read-ledger-place.ts';
import type { Sources } from '../../config/sources/sources.ts';
import { type SourceRequest, toRefusal } from '../../config/sources/verdict.ts';
import { readWorkspace } from '../../config/workspace.ts';
import { rememberInRun } from '../../git/run-memory.ts';
import { workTreeOf } from '../../git/work-tree.ts';
import { type Host, isInCi } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import { refOfStack } from '../../ledger/git-documents.ts';
import { type GitLedgers, listGitLedgers } from '../../ledger/list-git-ledgers.ts';
import { type Diagnostic, problem, raise, warning } from '../../model/diagnostic.ts';
import type { Ledger } from '../../model/ledger.ts';
import type { Desired } from '../../model/resource.ts';
import { cleanLine } from '../../report/text.ts';
import {
  decidedByOperator,
  defaultLedgerFile,
  type LedgerChoice,
  operatorLedgerPlace,
  type RepositoryLedger,
  type SettledLedgerChoice,
} from '../../stores/ledger-choice.ts';
import { createLedgerReader } from '../../stores/open-ledger.ts';
import { findLedgerFiles } from '../../stores/repository-ledgers.ts';
import type { Port } from '../port.ts';
import type { StackOptions } from '../stack-options.ts';
import { createLoadOptions, createSources } from './load-configuration.ts';

/** A configuration that may name the place of its ledger, and the sources that decide whether it may. */
interface LedgerOwner {
  configuration: Pick<Configuration, 'ledger' | 'writtenStack'> & { desired: Pick<Desired, 'stack'> };
  sources: Sources;
}

/** The port of a command that looks for a ledger, if it shows messages. `writes`: the command will change the ledger. */
type LedgerPort = Pick<Port, 'run'> & Partial<Pick<Port, 'say'>> & { writes?: boolean };

/** Finds the stack that the options name, for the commands of `trueup ledger`. `choice`: the options with the place of its ledger. */
export type FindStack = <O extends StackOptions>(
  options: O,
) => Promise<{ stack: string; choice: O & SettledLedgerChoice }>;

/**
 * Returns the options with the place of the ledger that the repository names. Everything that opens a ledger demands this, so each command calls it
 * once its configuration is read. Options that are settled stay as they are. May ask the person at the terminal whether a place of the YAML is allowed. Throws `Problems` if it is not.
 */
export async function settleLedger<O extends LedgerChoice>(
  options: O,
  owner: LedgerOwner,
  port: LedgerPort,
): Promise<O & SettledLedgerChoice> {
  const { host } = port.run;
  const { stack } = owner.configuration.desired;
  if ('repositoryLedger' in options) return options as O & SettledLedgerChoice;
  if (options.twin || operatorLedgerPlace(options, host) !== undefined) return decidedByOperator(options);
  const declared = await readDeclaredPlace(owner, host);
  if (declared || stack === '') return { ...options, repositoryLedger: declared };
  return { ...options, ...(await findOwnLedger(stack, port)) };
}

/** Returns the place that `ledger:` names, if it may be used; undefined without `ledger:`. Throws `Problems` if it may not. */
async function readDeclaredPlace(owner: LedgerOwner, { cwd }: Host): Promise<RepositoryLedger | undefined> {
  const { ledger } = owner.configuration;
  if (!ledger) return undefined;
  const { refusal, path } = await judgeDeclaredPlace(ledger, owner);
  if (refusal) raise(refusal);
  const place = path === undefined ? ledger.place : await shortenPath(path, cwd);
  return { place, origin: ledger.origin, at: ledger.at };
}

/** Returns the error if the operator does not allow the place that `ledger:` names (`refusal`), or else the real path of a file. */
async function judgeDeclaredPlace(
  { place, folder, at }: DeclaredLedger,
  { configuration, sources }: LedgerOwner,
): Promise<{ refusal: Diagnostic | undefined; path?: string | undefined }> {
  const request: SourceRequest = { use: 'ledger', name: 'place', origin: { ledger: place }, folder, at };
  const verdict = (await sources.judge([request], configuration.writtenStack))[0]!;
  return { refusal: toRefusal(request, verdict), path: verdict.path };
}

/** Returns the problem that a run with this environment could not use the place that the YAML names, for `validate`. Undefined if it could. */
export async function findRefusedPlace(owner: LedgerOwner, { env }: Host): Promise<Diagnostic | undefined> {
  const { ledger } = owner.configuration;
  if (!ledger || operatorLedgerPlace({}, { env }) !== undefined) return undefined;
  return (await judgeDeclaredPlace(ledger, owner)).refusal;
}

/** Returns the folders in which a stack of the current folder may have its ledger: this one, that of the workspace, and the top of the repository. */
export const ledgerFoldersOf = (cwd: string): string[] => [
  ...new Set([cwd, findWorkspaceFolder(cwd) ?? cwd, workTreeOf(cwd) ?? cwd]),
];

/**
 * Looks for the ledger that a stack already has in its repository, and says where it is unless that is the default file. Asks origin only if no file
 * is found, since each question takes time, but always in CI and before a write, where a forgotten file must not win. Throws `Problems` if there are
 * several.
 */
async function findOwnLedger(
  stack: string,
  { run: { host }, say = () => {}, writes = false }: LedgerPort,
): Promise<Pick<SettledLedgerChoice, 'repositoryLedger' | 'ledgerDoubt'>> {
  const { cwd, env } = host;
  const [nameBeforeStages = stack] = stack.split('@');
  const files = await findLedgerFiles(stack, ledgerFoldersOf(cwd));
  const inGit = files.length === 0 || writes || isInCi(host) ? await listGitLedgers(cwd, env) : undefined;
  const isInGit = inGit !== undefined && 'has' in inGit && (inGit.has(stack) || inGit.has(nameBeforeStages));
  const places = [
    ...(await Promise.all(files.map((file) => shortenPath(file, cwd)))),
    ...(isInGit ? ['git'] : []),
  ];
  const [place, secondPlace] = places;
  if (secondPlace !== undefined) raise(severalLedgersProblem(stack, places));
  if (place === undefined) return { repositoryLedger: undefined, ledgerDoubt: doubtNewLedger(stack, inGit) };
  if (place === defaultLedgerFile(stack)) return { repositoryLedger: undefined };
  const said = rememberInRun(env, 'said ledgers', () => new Set<string>());
  // The stacks of a command share the place in git, so it is said once.
  if (!said.has(place)) say(cleanLine(foundText(stack, place)));
  said.add(place);
  return { repositoryLedger: { place, origin: 'found' } };
}

/** Formats the place of a ledger that was found because nothing names it, with the line that makes looking for it unnecessary. */
const foundText = (stack: string, place: string): string =>
  place === 'git'
    ? `Ledger found at origin: ${refOfStack(stack)}. Write \`ledger: git\` into trueup.yaml (or trueup.workspace.yaml, for all stacks), so that nothing has to look for it.`
    : `Ledger found: ${place}. Write \`ledger: ${place}\` into trueup.yaml, so that nothing has to look for it.`;

/** Returns the problem that a stack has ledgers in several places of its repository, and nothing says which one counts. */
const severalLedgersProblem = (stack: string, places: readonly string[]): Diagnostic =>
  problem('ledger/several', `there are ${places.length} ledgers of ${stack}: ${places.join(', ')}`, {
    hint: `\`trueup ledger list --ledger PLACE\` shows each; write the one that counts into the header: ${places.map((place) => `\`ledger: ${place}\``).join(' or ')}`,
  });

/**
 * Returns why a new ledger in a file may be wrong: origin could not be asked whether the stack has one there (an error, which stops a write), or the
 * other stacks of the repository have theirs there (a warning). Undefined if nothing speaks against it.
 */
function doubtNewLedger(stack: string, inGit: GitLedgers | undefined): Diagnostic | undefined {
  if (!inGit) return undefined;
  const file = defaultLedgerFile(stack);
  if ('failure' in inGit)
    return problem(
      'ledger/not-found',
      `no ledger of ${stack} is here, and origin could not be asked for one: ${inGit.failure}`,
      {
        hint: `run this again once origin answers; if this stack has never been applied, start a ledger with \`--ledger ${file}\` or \`ledger:\` in the header`,
      },
    );
  if (inGit.isEmpty) return undefined;
  return warning(
    'ledger/apart',
    `${stack} has no ledger yet and would get one in a file, but other stacks of this repository have theirs at origin, so they would not see each other's objects`,
    {
      hint: `write \`ledger: git\` into the YAML to keep it there as well, or \`ledger: ${file}\` for the file`,
    },
  );
}

/**
 * Returns the warning that TRUEUP_LEDGER names another place than the YAML, so that the reviewer of a change of `ledger:` sees that it has no effect.
 * Empty if they agree, or if one of them names none.
 */
export function warnOfOtherPlace(
  { ledger }: Pick<Configuration, 'ledger'>,
  options: LedgerChoice,
  { cwd, env }: Host,
): Diagnostic[] {
  const { TRUEUP_LEDGER: place = '' } = env;
  if (!ledger || options.twin || options.ledger !== undefined || place === '') return [];
  const isSame = place === ledger.place || resolve(cwd, place) === resolve(ledger.folder, ledger.place);
  if (isSame) return [];
  const message = 'TRUEUP_LEDGER decides where the ledger is, and `ledger:` names another place';
  return [
    warning('ledger/overridden', message, {
      at: ledger.at,
      hint: 'write the same place in both, or drop one',
    }),
  ];
}

/** Returns a path as people write it in a folder. It stays absolute if links lead to the folder, because `..` would then mean another one. */
async function shortenPath(path: string, folder: string): Promise<string> {
  const realFolder = await realpath(folder);
  const shortPath = relative(realFolder, path);
  return realFolder !== folder && shortPath.startsWith('..') ? path : shortPath;
}

/**
 * Returns a function to read the ledger of the stack in the current folder, for commands such as `get` that work without a stack but use its ledger
 * if there is one. The place is decided when the ledger is read, since most of these commands never do.
 */
export const createOwnLedgerReader =
  (options: LedgerChoice, owner: LedgerOwner, port: LedgerPort) => async (): Promise<Ledger | undefined> => {
    const choice = await settleLedger(options, owner, port);
    return createLedgerReader(owner.configuration.desired.stack, choice, port.run.host)();
  };

/**
 * Returns the options with the place of the ledgers that the current folder names, for commands such as `ledger retire` about a stack that has no
 * configuration any more. `stack`: its name. Errors of the configuration in the folder are ignored. Throws `Problems` if the place may not be used.
 */
export async function settleLedgerOfFolder<O extends LedgerChoice>(
  stack: string,
  options: O,
  provider: Provider,
  port: LedgerPort,
): Promise<O & SettledLedgerChoice> {
  const { host } = port.run;
  const sources = createSources({}, host);
  const { ledger } = await load({ ...createLoadOptions(provider, {}, port.run), sources });
  const workspace = findWorkspaceFolder(host.cwd);
  const ledgerOfWorkspace = workspace === undefined ? undefined : (await readWorkspace(workspace)).ledger;
  const configuration = { ledger: ledger ?? ledgerOfWorkspace, writtenStack: stack, desired: { stack } };
  return settleLedger(options, { configuration, sources }, port);
}
