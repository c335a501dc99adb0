/*
 * Where the ledger of a stack is, as the options, the environment or else the repository choose it: in a file on this machine, under refs
 * of a git remote (`git`, `git:REMOTE`), or in a store with a URL such as `postgres://HOST/DATABASE`.
 */

import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Host, isInCi, resolvePath } from '../host.ts';
import { refuseTrackedLinks } from '../ledger/refuse-tracked-links.ts';
import { describeSystemError } from '../model/describe-errors.ts';
import { type Diagnostic, type Position, problem, raise, warning } from '../model/diagnostic.ts';
import { gitRemoteIn, isFilePlace, isStoreUrl } from '../model/ledger-place.ts';
import { readIndexUrl, readStoreUrl, type StoreUrl, servesOneStack } from './store-url.ts';

/** The options that choose the place of a ledger. The twin has a ledger of its own, always in a file. */
export interface LedgerChoice {
  ledger?: string;
  ledgerIndex?: string;
  twin?: boolean;
  /** The place that the YAML names or the checkout has, after `settleLedger` has allowed it. `ledger` and TRUEUP_LEDGER win over it. */
  repositoryLedger?: RepositoryLedger | undefined;
}

/** The place of a ledger that the repository itself decides, so that each clone uses the same one. */
export interface RepositoryLedger {
  /** In the form that `--ledger` takes. A path starts at the working directory. */
  place: string;
  /** What decides it: the header of the configuration, trueup.workspace.yaml, or a ledger that already exists in the repository. */
  origin: 'header' | 'workspace' | 'found';
  /** Where the YAML names it. */
  at?: Position;
}

/**
 * A choice for which `settleLedger` has asked the YAML and the checkout. Each function that opens a ledger requires it, so that no command
 * misses the place that the repository names.
 */
export type SettledLedgerChoice = LedgerChoice & {
  repositoryLedger: RepositoryLedger | undefined;
  /**
   * Why a new ledger here may be wrong. An error stops a write: there may be a ledger that this run does not know. A warning is only shown.
   */
  ledgerDoubt?: Diagnostic | undefined;
};

/**
 * Returns the choice of an operator whose options or environment decide alone, without the YAML: for workers of a fleet, and for `ledger
 * copy`.
 */
export const decidedByOperator = <O extends LedgerChoice>(options: O): O & SettledLedgerChoice => ({
  ...options,
  repositoryLedger: undefined,
});

/** Returns the place that `--ledger` or else TRUEUP_LEDGER names, but not for the twin; undefined if neither is set. */
export const operatorLedgerPlace = (
  { ledger, twin }: LedgerChoice,
  { env }: Pick<Host, 'env'>,
): string | undefined => ledger ?? (twin ? undefined : env.TRUEUP_LEDGER || undefined);

/**
 * Returns the chosen place of the ledger: by the operator, or else by the repository. Undefined if there is none: then a file in `.trueup`.
 */
export const chosenLedgerPlace = (options: LedgerChoice, host: Pick<Host, 'env'>): string | undefined =>
  operatorLedgerPlace(options, host) ?? (options.twin ? undefined : options.repositoryLedger?.place);

/**
 * Formats what decides the place of a ledger, for `trueup ledger list`: a flag, the environment, a line of the YAML, a ledger in the
 * repository, or nothing. The first that is set wins, in this order. `twin`: the local imitation of the platform has its own ledger.
 */
export function formatDecider(
  { ledger, twin, repositoryLedger }: LedgerChoice,
  { env }: Pick<Host, 'env'>,
): string {
  if (ledger !== undefined) return '--ledger';
  if (twin) return '--twin';
  if (env.TRUEUP_LEDGER) return 'TRUEUP_LEDGER';
  if (!repositoryLedger) return 'default, since nothing names a place';
  const { origin, at } = repositoryLedger;
  return at === undefined || origin === 'found'
    ? 'found in the repository, since nothing names a place'
    : `\`ledger:\` in ${at.file}:${at.line}`;
}

/** Returns the name of the git remote that holds the ledger; undefined if the ledger is in a file or a store. */
export const gitRemoteOf = (options: LedgerChoice, host: Pick<Host, 'env'>): string | undefined =>
  gitRemoteIn(chosenLedgerPlace(options, host) ?? '');

/**
 * Returns the URL of the store (PostgreSQL, S3 or an HTTP server) that holds the ledger, as the operator or the YAML chose it; undefined if
 * the ledger is in a file or in git. Throws `Problems` for a URL that cannot be read, and for a password in `--ledger`, because every user
 * of the machine can read the command line.
 */
export function storeUrlOf(options: LedgerChoice, host: Pick<Host, 'env'>): StoreUrl | undefined {
  const ledgerPlace = chosenLedgerPlace(options, host);
  if (ledgerPlace === undefined || !isStoreUrl(ledgerPlace)) return undefined;
  const isInCommandLine = options.ledger !== undefined;
  return readStoreUrl(ledgerPlace, isInCommandLine);
}

/**
 * Returns the URL of `--ledger-index` or TRUEUP_LEDGER_INDEX: a document that lists the ledgers of a store, for stores that cannot list
 * them. Undefined if there is none. Throws `Problems` for an invalid URL.
 */
export function indexUrlOf(options: LedgerChoice, { env }: Pick<Host, 'env'>): StoreUrl | undefined {
  const indexUrl = options.ledgerIndex ?? (env.TRUEUP_LEDGER_INDEX || undefined);
  return indexUrl === undefined ? undefined : readIndexUrl(indexUrl, options.ledgerIndex !== undefined);
}

/** True if the chosen place can hold only one ledger: a file, or an HTTP URL without `{stack}`. Used to reject it for several stacks. */
export function canOnlyHoldOneStack(options: LedgerChoice, host: Pick<Host, 'env'>): boolean {
  const store = storeUrlOf(options, host);
  return store ? servesOneStack(store) : chosenLedgerFile(options, host) !== undefined;
}

/**
 * Returns the warning that a plan cannot see which objects belong to other stacks, because a server with Terraform's protocol cannot list
 * its ledgers and there is no index that does. Undefined for all other stores, and with `--twin` (the local imitation of the platform),
 * whose ledger is always a file.
 */
export function unlistedWarning(options: SettledLedgerChoice, host: Host): Diagnostic | undefined {
  const isOnServer = !options.twin && storeUrlOf(options, host)?.storeKind === 'http';
  if (!isOnServer || indexUrlOf(options, host)) return undefined;
  return warning(
    'ledger/unlisted',
    'this store cannot list its ledgers: ownership by other stacks is unknown and not enforced',
    {
      hint: 'pass a document that lists them, the same one for all stacks: `--ledger-index URL` or TRUEUP_LEDGER_INDEX',
    },
  );
}

/** True if the ledger is a file on this machine, not in git or a store. */
export const isLedgerFile = (options: LedgerChoice, host: Pick<Host, 'env'>): boolean =>
  isFilePlace(chosenLedgerPlace(options, host) ?? '');

/** Returns the path that was chosen for a ledger in a file; undefined if nothing chose one, or if the ledger is not a file. */
export const chosenLedgerFile = (options: LedgerChoice, host: Pick<Host, 'env'>): string | undefined =>
  isLedgerFile(options, host) ? chosenLedgerPlace(options, host) : undefined;

/**
 * True if a run writes its ledger or the journal (the ledger's changes during an apply) to the folder `.trueup`. The caller then creates
 * the folder before the run writes.
 */
export function usesHome(options: SettledLedgerChoice, host: Pick<Host, 'env'>): boolean {
  // The journal of a ledger in git is in the git folder.
  if (gitRemoteOf(options, host) !== undefined) return false;
  // The journal of a ledger in a store is in `.trueup`.
  if (!isLedgerFile(options, host)) return true;
  // The journal of a ledger in a file is beside it. Without a chosen path, the file is in `.trueup`.
  const chosenPath = chosenLedgerPlace(options, host);
  return chosenPath === undefined || chosenPath.split(/[/\\]/)[0] === homeFolder;
}

/**
 * True if this run may create a missing ledger key: outside of CI, where the key would be lost with the machine, and
 * for the twin, whose key protects nothing. Also used by plans, which may compare secrets as if they had that key.
 */
export const mayCreateKey = (
  { twin = false }: Pick<LedgerChoice, 'twin'>,
  { env }: Pick<Host, 'env'>,
): boolean => twin || !isInCi({ env });

/**
 * Returns the problem that the ledger of a CI job would be lost with the CI machine, because it is a file there, also one that the YAML
 * names. Without its ledger, the next run would not know which objects the stack owns, so commands that change the account refuse such a
 * ledger. Undefined outside of CI, for the twin (the local imitation of the platform), for a ledger in git or a store, and for a file that
 * the operator has chosen, because that is taken to persist.
 */
export function ephemeralProblem(options: SettledLedgerChoice, host: Host): Diagnostic | undefined {
  const isChosenByOperator = operatorLedgerPlace(options, host) !== undefined;
  if (!isInCi(host) || options.twin || isChosenByOperator || !isLedgerFile(options, host)) return undefined;
  return problem('ledger/ephemeral', 'the ledger is a file on the CI machine and is lost after this run', {
    hint: 'keep it in the repository with `ledger: git` in the YAML (or TRUEUP_LEDGER=git), or name a file that persists with `--ledger`',
  });
}

/** Throws `Problems` if the ledger of an apply would be lost after the run, unless `--ephemeral-ledger` accepts that. */
export function refuseEphemeral(
  options: SettledLedgerChoice & { ephemeralLedger?: boolean },
  host: Host,
): void {
  const loss = options.ephemeralLedger ? undefined : ephemeralProblem(options, host);
  if (loss) raise({ ...loss, hint: `${loss.hint}; --ephemeral-ledger applies anyway` });
}

/** The folder of the working directory in which trueup keeps its files: the key, ledgers and the account of the twin. */
export const homeFolder = '.trueup';

/** Returns the file in which a stack has its ledger if nothing names another place. */
export const defaultLedgerFile = (stack: string): string => join(homeFolder, 'ledger', `${stack}.json`);

/** A ledger is signed byte by byte, so git must neither change its line ends nor merge two of them. */
const gitAttributes = 'ledger/** -text -merge';

/** The lines of `.gitignore`: files that stay on this machine. */
const ignoredFiles = [
  'key',
  'key.*',
  'schema.json',
  'twin/',
  'journal/',
  'ci/',
  'ledger/*.lock',
  'ledger/*.plan',
  'ledger/*.journal',
  'ledger/**/*.writing*',
];

const gitignoreComment = `# The key, the twin's account, secrets for CI and leases stay on this machine; the ledger may be committed. The editor schema is large
# and changes with each version: recreate it in a clone with \`trueup schema --out .trueup/schema.json\`.
`;

/**
 * Creates the folder `.trueup` before a run writes its key and ledger there. It gets a `.gitignore`, so that commits do not contain the key
 * or other secrets, and a `.gitattributes`, so that git does not change the signed ledger. Adds only missing lines to existing files.
 * Throws `Problems` if the folder cannot be written, or is a link that git tracks.
 */
export async function createHomeFolder(host: Host): Promise<void> {
  const folder = resolvePath(host, homeFolder);
  await refuseTrackedLinks(folder, host);
  try {
    await mkdir(folder, { recursive: true });
    await addMissingLines(join(folder, '.gitignore'), ignoredFiles, gitignoreComment);
    await addMissingLines(join(folder, '.gitattributes'), [gitAttributes]);
  } catch (error) {
    raise(
      'home/unwritable',
      `cannot create the folder ${homeFolder}: ${describeSystemError(error as Error)}`,
      {
        hint: 'run this in a writable folder; the key and the ledger are kept there',
      },
    );
  }
}

/**
 * Adds lines to a git file such as `.trueup/.gitignore`, unless it has them, so that git never adds the key or the
 * journal. A line `*` in the file covers all lines, and `!LINE` is the user's decision against LINE. `header`: the
 * first text of a file that does not exist yet.
 */
async function addMissingLines(file: string, lines: string[], header = ''): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const existing = new Set((text ?? '').split(/\r?\n/));
  const isCovered = (line: string) => existing.has(line) || existing.has(`!${line}`);
  const missing = existing.has('*') ? [] : lines.filter((line) => !isCovered(line));
  if (missing.length === 0) return;
  const lineEnd = !text || text.endsWith('\n') ? '' : '\n';
  await appendFile(file, `${text === undefined ? header : lineEnd}${missing.join('\n')}\n`);
}
