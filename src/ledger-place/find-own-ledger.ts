/*
 * Finds the ledger that a stack already has in its repository, for a clone in which nothing names the place.
 */
import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { findWorkspaceFolder } from '../config/find-workspace.ts';
import { rememberInRun } from '../git/run-memory.ts';
import { workTreeOf } from '../git/work-tree.ts';
import { type Host, isInCi } from '../host.ts';
import { refOfStack } from '../ledger/git-ref.ts';
import type { GitLedgers } from '../ledger/list-git-ledgers.ts';
import { type Diagnostic, problem, raise, shellWord } from '../model/diagnostic.ts';
import { cleanLine } from '../report/text.ts';
import { defaultLedgerFile, type SettledLedgerChoice } from '../stores/ledger-choice.ts';
import { findGitLedgers, findLedgerFiles, isCopiedFromGit } from './repository-ledgers.ts';

/** The run of a command that needs a ledger. */
export interface LedgerSearchPort {
  run: { host: Host };
  /** Shows a message. Absent if the command shows none. */
  say?(text: string): void;
  /** True to ask origin although there is a file, because the command changes the ledger or the account, or is about the ledger itself. */
  asksOrigin?: boolean;
}

/**
 * Returns the folders in which a stack of the current folder may have its ledger: this one, that of the workspace, and the top of the
 * repository.
 */
export const ledgerFoldersOf = (cwd: string): string[] => [
  ...new Set([cwd, findWorkspaceFolder(cwd) ?? cwd, workTreeOf(cwd) ?? cwd]),
];

/**
 * Looks for the ledger that a stack already has in its repository, and says where it is unless that is the default file. Asks origin only
 * if no file is found, since each question takes time, but always in CI and with `asksOrigin`, where a forgotten file must not win. One in
 * git that was copied elsewhere does not count beside a file. Throws `Problems` if there are several. Without any, `ledgerDoubt` says why a
 * new ledger may be wrong, for example because origin did not answer.
 */
export async function findOwnLedger(
  stack: string,
  { run: { host }, say = () => {}, asksOrigin = false }: LedgerSearchPort,
): Promise<Pick<SettledLedgerChoice, 'repositoryLedger' | 'ledgerDoubt'>> {
  const { cwd, env } = host;
  const files = await findLedgerFiles(stack, ledgerFoldersOf(cwd), host);
  const isLooking = workTreeOf(cwd) !== undefined && (files.length === 0 || asksOrigin || isInCi(host));
  const inGit = isLooking ? await findGitLedgers(host) : undefined;
  const nameInGit = inGit && nameAmong(inGit, stack);
  const isInGit =
    nameInGit !== undefined && (files.length === 0 || !(await isCopiedFromGit(nameInGit, host)));
  const places = [
    ...(await Promise.all(files.map((file) => shortenPath(file, cwd)))),
    ...(isInGit ? ['git'] : []),
  ];
  const [place, secondPlace] = places;
  if (secondPlace !== undefined) raise(severalLedgersProblem(stack, places));
  if (place === undefined) return { repositoryLedger: undefined, ledgerDoubt: doubtNewLedger(stack, inGit) };
  if (place === defaultLedgerFile(stack)) return { repositoryLedger: undefined };
  const reportedPlaces = rememberInRun(env, 'said ledgers', () => new Set<string>());
  // The stacks of a command share the place in git, so it is printed once.
  if (!reportedPlaces.has(place)) say(cleanLine(foundText(nameInGit ?? stack, place)));
  reportedPlaces.add(place);
  return { repositoryLedger: { place, origin: 'found' } };
}

/**
 * Returns the name under which the ledgers in git have one for a stack: `shop@staging`, or `shop` if it is from the time before the stack
 * had stages. Undefined if there is none, or if origin could not be asked.
 */
function nameAmong(ledgers: GitLedgers, stack: string): string | undefined {
  const [nameBeforeStages = stack] = stack.split('@');
  return 'has' in ledgers ? [stack, nameBeforeStages].find((name) => ledgers.has(name)) : undefined;
}

/**
 * Formats the place of a ledger that was found because nothing names it, with the line that makes looking for it unnecessary. `stack`: the
 * name under which it was found.
 */
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
 * Returns why a new ledger in a file may be wrong: origin could not be asked whether the stack has one there, or the other stacks of the
 * repository have theirs there. A plan warns of it, and an apply stops. Undefined if nothing speaks against it.
 */
function doubtNewLedger(stack: string, inGit: GitLedgers | undefined): Diagnostic | undefined {
  if (!inGit) return undefined;
  const file = defaultLedgerFile(stack);
  if ('failure' in inGit)
    return problem(
      'ledger/not-found',
      `no ledger of ${stack} is here, and origin could not be asked for one: ${inGit.failure}`,
      {
        hint: `run this again once origin answers; if this stack has never been applied, start a ledger with \`--ledger ${shellWord(file)}\` or \`ledger:\` in the header`,
      },
    );
  if (inGit.isEmpty) return undefined;
  return problem(
    'ledger/apart',
    `${stack} has no ledger yet and would get one in a file, but other stacks of this repository have theirs at origin, so they would not see each other's objects`,
    {
      hint: `write \`ledger: git\` into the YAML to keep it there as well, or \`ledger: ${file}\` for the file`,
    },
  );
}

/**
 * Returns a path as people write it in a folder. If links lead to the folder, a path outside of it stays absolute, because `..` would lead
 * to another folder.
 */
export async function shortenPath(path: string, folder: string): Promise<string> {
  const realFolder = await realpath(folder);
  const shortPath = relative(realFolder, path);
  return realFolder !== folder && shortPath.startsWith('..') ? path : shortPath;
}
