/*
 * Finds ledgers that a stack already has in its repository, although nothing names their place: files in `.trueup/ledger`, and a ref of the
 * remote `origin`. A clone without any setting uses what it finds, instead of starting an empty ledger and adopting every object again.
 *
 *   candidate   a place that may have a ledger of the stack, in the form that `--ledger` takes
 */
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../host.ts';
import type { GitLedgers } from '../ledger/list-git-ledgers.ts';
import { refuseTrackedLinks } from '../ledger/refuse-tracked-links.ts';
import { asWarning, type Diagnostic, problem, shellWord } from '../model/diagnostic.ts';
import { countObjects } from '../model/logical-changes.ts';
import { tryParseJson } from '../model/read-json.ts';
import { count } from '../report/text.ts';
import {
  chosenLedgerPlace,
  decidedByOperator,
  gitRemoteOf,
  homeFolder,
  type SettledLedgerChoice,
} from '../stores/ledger-choice.ts';
import { openLedgerDocuments } from '../stores/open-ledger.ts';

/** The stored ledger of a stack, as far as it matters where it is. */
interface UnverifiedLedger {
  stack?: unknown;
  entries?: Record<string, unknown>;
  copiedTo?: unknown;
}

/**
 * Returns the files in which a stack has its ledger by default, in any of the folders, as real paths. Leaves out ledgers that were copied
 * elsewhere, because they only point to the copy. Throws `Problems` if git tracks a link that leads to one.
 */
export async function findLedgerFiles(
  stack: string,
  folders: readonly string[],
  host: Pick<Host, 'cwd' | 'env'>,
): Promise<string[]> {
  const files = await Promise.all(
    folders.map(async (folder) => {
      const file = join(folder, homeFolder, 'ledger', `${stack}.json`);
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text === undefined) return [];
      // The real path below does not show the link any more.
      await refuseTrackedLinks(join(folder, homeFolder), host, file);
      // A ledger may be large, and this member is rare, so the text is searched before it is parsed.
      const isCopied = text.includes('"copiedTo"') && parseUnverifiedLedger(text).copiedTo !== undefined;
      return isCopied ? [] : [await realpath(file)];
    }),
  );
  return [...new Set(files.flat())];
}

/**
 * Asks the remote `origin` of the checkout for ledgers; undefined without a checkout or such a remote. The code for git is loaded only in a
 * checkout, because every command that opens a ledger may come here.
 */
export async function findGitLedgers({
  cwd,
  env,
}: Pick<Host, 'cwd' | 'env'>): Promise<GitLedgers | undefined> {
  const { listGitLedgers } = await import('../ledger/list-git-ledgers.ts');
  return listGitLedgers(cwd, env);
}

/**
 * True if the ledger of a stack at `origin` was copied elsewhere and only points to the copy. Asked only if a file has a ledger of the
 * stack as well, because it costs a fetch.
 */
export async function isCopiedFromGit(stack: string, host: Host): Promise<boolean> {
  return (await readUnverifiedLedger(stack, 'git', host)).stored.copiedTo !== undefined;
}

/**
 * Reads the ledger of a stack at a place, in the form that `--ledger` takes, without checking its signature. Without members if there is
 * none, or if it is damaged. `place`: as messages name it.
 */
export async function readUnverifiedLedger(
  stack: string,
  ledger: string,
  host: Host,
): Promise<{ place: string; stored: UnverifiedLedger }> {
  const documents = await openLedgerDocuments(stack, decidedByOperator({ ledger }), host);
  const stored = parseUnverifiedLedger((await documents.read('ledger'))?.text ?? '');
  return { place: documents.place, stored };
}

/** Returns the ids of an entry, by which its object is counted; none if it has no list of ids. */
function readEntryIds(entry: unknown): string[] {
  const { ids } = (entry ?? {}) as { ids?: unknown };
  return Array.isArray(ids) ? ids.map(String) : [];
}

const parseUnverifiedLedger = (text: string): UnverifiedLedger =>
  (tryParseJson(text) ?? {}) as UnverifiedLedger;

/**
 * Returns the problem that a stack has no ledger at the chosen place, but one with objects elsewhere in its repository. With an empty
 * ledger a plan would adopt all of them again and forget what the stack owns. Called only if the chosen place has no ledger. Undefined if
 * the repository has no other.
 *
 * - If the YAML chose the place, the problem is an error, because a pull request can change the YAML. It is also an error if `origin`
 *   cannot be asked.
 * - If the operator chose the place, the problem is a warning, and an `origin` that cannot be asked is ignored.
 *
 * The twin (the local imitation of the platform) has ledgers of its own. `folders`: those that may contain a ledger file.
 */
export async function findLedgerElsewhere(
  stack: string,
  choice: SettledLedgerChoice,
  host: Host,
  folders: readonly string[],
): Promise<Diagnostic | undefined> {
  const chosenPlace = chosenLedgerPlace(choice, host);
  if (choice.twin || chosenPlace === undefined) return undefined;
  const files = await findLedgerFiles(stack, folders, host);
  const inGit = gitRemoteOf(choice, host) === 'origin' ? undefined : await findGitLedgers(host);
  const isOfYaml = choice.repositoryLedger?.place === chosenPlace;
  if (isOfYaml && inGit && 'failure' in inGit) return unknownInGitProblem(stack, inGit.failure, choice);
  const isInGit = inGit !== undefined && 'has' in inGit && inGit.has(stack);
  const usedLedger = await findUsedLedger(stack, [...files, ...(isInGit ? ['git'] : [])], host);
  if (!usedLedger) return undefined;
  const { place } = await openLedgerDocuments(stack, choice, host);
  // A URL of the environment may contain a password.
  const target = isOfYaml ? chosenPlace : 'NEW_PLACE';
  const objects = count(usedLedger.objectCount, 'object');
  const elsewhere = problem(
    'ledger/elsewhere',
    `there is no ledger of ${stack} at ${place}, but one with ${objects} at ${usedLedger.place}`,
    {
      at: choice.repositoryLedger?.at,
      hint: `to move it: \`trueup ledger copy ${shellWord(usedLedger.candidate)} ${shellWord(target)}\`; with an empty ledger, this stack would adopt everything again and forget what it owns`,
    },
  );
  return isOfYaml ? elsewhere : asWarning(elsewhere);
}

/** A ledger that has objects of a stack. `candidate`: its place as `--ledger` takes it. `place`: as messages name it. */
interface UsedLedger {
  candidate: string;
  place: string;
  objectCount: number;
}

/**
 * Returns the first of these places (`candidates`, in the form of `--ledger`) whose ledger is of the stack, has objects, and was not copied
 * elsewhere; undefined if there is none. If there is one, it is probably a mistake that the stack has no ledger at its chosen place.
 */
async function findUsedLedger(
  stack: string,
  candidates: readonly string[],
  host: Host,
): Promise<UsedLedger | undefined> {
  for (const candidate of candidates) {
    const { place, stored } = await readUnverifiedLedger(stack, candidate, host);
    // Not verified and perhaps damaged, so the ids may be of any type.
    const entries = Object.entries(stored.entries ?? {});
    const objectCount = countObjects(
      entries.map(([address, entry]) => ({ address, ids: readEntryIds(entry) })),
    );
    const isUsed = objectCount > 0 && stored.copiedTo === undefined && stored.stack === stack;
    if (isUsed) return { candidate, place, objectCount };
  }
  return undefined;
}

/** Returns the problem that the place of the YAML has no ledger of a stack, and that it is unknown whether `origin` has one. */
const unknownInGitProblem = (stack: string, failure: string, choice: SettledLedgerChoice): Diagnostic =>
  problem(
    'ledger/not-found',
    `no ledger of ${stack} is at the place that the YAML names, and origin could not be asked for one: ${failure}`,
    {
      at: choice.repositoryLedger?.at,
      hint: 'run this again once origin answers; if this stack has never been applied, confirm the place with `--ledger`',
    },
  );
