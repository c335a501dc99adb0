import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fetchRefs } from '../git/fetch-refs.ts';
import { GitError } from '../git/git.ts';
import { findObjects, parseTree, readBlobs, readObjects } from '../git/objects.ts';
import type { Repository } from '../git/repository.ts';
import { describeSystemError } from '../model/describe-errors.ts';
import { Reporter, raise, raiseErrors } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import { isEntry } from './parse-ledger.ts';
import { isVerified, verifyText } from './proof.ts';

/*
 * Reads the ledgers of the other stacks in the same place. A plan needs them to refuse objects that another stack owns.
 */

/** The text of another stack's ledger, or of a file that may be one. It is not verified yet. */
export interface OtherLedgerText {
  place: string;
  /** Undefined if the text is too large to be read. */
  text: string | undefined;
}

/** The size of the largest ledger of another stack that is read, in bytes: enough for more than a hundred thousand objects. */
export const maxOtherLedgerBytes = 64_000_000;

/**
 * Reads the other JSON files in the folder of a ledger file. Each may be the ledger of another stack, and a plan
 * must not touch the objects of other stacks. A file that is too large has no text. Throws `Problems` if the folder
 * or one of the files exists but cannot be read.
 */
export async function readLedgersBesideFile(path: string): Promise<OtherLedgerText[]> {
  const folder = dirname(path);
  const names = (await unlessMissing(folder, readdir(folder))) ?? [];
  return readLedgersInFolder(
    folder,
    names.filter((name) => name.endsWith('.json') && name !== basename(path)),
  );
}

/**
 * Reads these files of a folder, like `readLedgersBesideFile`, because any of them may be the ledger of another stack. Leaves out those
 * that are no files; a file that is too large has no text.
 */
export async function readLedgersInFolder(
  folder: string,
  names: readonly string[],
): Promise<OtherLedgerText[]> {
  const otherTexts = await Promise.all(
    names.map(async (name): Promise<OtherLedgerText | undefined> => {
      const otherPath = join(folder, name);
      const status = await unlessMissing(otherPath, stat(otherPath));
      if (!status?.isFile()) return undefined;
      if (status.size > maxOtherLedgerBytes) return { place: otherPath, text: undefined };
      const text = await unlessMissing(otherPath, readFile(otherPath, 'utf8'));
      return text === undefined ? undefined : { place: otherPath, text };
    }),
  );
  return otherTexts.filter((otherText) => otherText !== undefined);
}

/**
 * Returns the result of reading a file or folder; undefined if there is none. Throws `Problems` for any other failure,
 * because an unreadable file may be the ledger of another stack.
 */
const unlessMissing = <T>(path: string, reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    raise('ledger/unreadable', `${path} cannot be read: ${describeSystemError(error)}`, {
      hint: 'it may be or contain the ledger of another stack: check its permissions, or move it away',
    });
  });

/** The ledger of another stack, in a ref of a git remote. */
export interface RefLedgerText extends OtherLedgerText {
  /** The name of the ref. */
  name: string;
  /** The commit that the ref pointed to. */
  tip: string;
}

/** The number of times that refs are listed while other runs move them. */
const maxListings = 20;

/**
 * Reads the ledgers of other stacks from the other refs of a git remote, so that a plan does not touch objects that these stacks own.
 * Fetches only if the checkout lacks some of them. A ledger that is too large has no text.
 *
 * `listTips`: lists the commit of each ref. Called again if a ref has moved before it could be fetched: then a shallow clone gets only the
 * new commit. Rejects with a `GitError` if the remote does not answer, or if a ref moves each time.
 */
export async function readLedgersBesideRef(
  repository: Repository,
  remote: string,
  listTips: () => Promise<ReadonlyMap<string, string>>,
): Promise<RefLedgerText[]> {
  for (let listing = 1; ; listing++) {
    const tips = await listTips();
    let { ledgers, missing } = await findLedgers(tips, repository);
    if (missing.length > 0) {
      await fetchRefs(repository, remote, missing);
      ({ ledgers, missing } = await findLedgers(tips, repository));
    }
    if (missing.length === 0) return readBlobsOfLedgers(ledgers, remote, repository);
    if (listing === maxListings)
      throw new GitError('failed', `${missing[0]} changes faster than it can be read`);
  }
}

/** A ledger in a ref of a git remote, before it is read. `id` and `size` are those of its blob. */
interface FoundLedger {
  name: string;
  tip: string;
  id: string;
  size: number;
}

/**
 * Finds the ledgers in these refs. `missing`: the refs that have to be fetched. A fetch by another process, which may have been killed,
 * stores a commit before its files. So a ref without a ledger in this checkout is only complete if the folder of its commit (its tree) is
 * here and does not name a ledger.
 */
async function findLedgers(
  tips: ReadonlyMap<string, string>,
  { git, objectFormat }: Repository,
): Promise<{ ledgers: FoundLedger[]; missing: string[] }> {
  const refs = [...tips].map(([name, tip]) => ({
    name,
    tip,
    tree: `${tip}^{tree}`,
    ledger: `${tip}:${ledgerFile}`,
  }));
  // One git process for all refs.
  const objects = await findObjects(
    refs.flatMap(({ tree, ledger }) => [tree, ledger]),
    git,
  );
  // Refs that have no ledger, and refs that were not fetched as a whole.
  const notFound = refs.filter(({ ledger }) => !objects.has(ledger));
  const fetchedTrees = notFound.map(({ tree }) => tree).filter((tree) => objects.has(tree));
  const trees = await readObjects(fetchedTrees, git);
  // A stack whose first run has only taken its lease has no ledger yet.
  const isCompleteWithoutLedger = (tree: string) => {
    const fetchedTree = trees.get(tree);
    return fetchedTree !== undefined && !parseTree(fetchedTree.content, objectFormat).has(ledgerFile);
  };
  return {
    ledgers: refs.flatMap(({ name, tip, ledger }) => {
      const blob = objects.get(ledger);
      return blob ? [{ name, tip, ...blob }] : [];
    }),
    missing: notFound.filter(({ tree }) => !isCompleteWithoutLedger(tree)).map(({ name }) => name),
  };
}

/** The file of the ledger in its commit. */
const ledgerFile = 'ledger.json';

/**
 * Reads the texts of the ledgers that other stacks have in refs of a git remote, so that a plan does not touch their objects. Git must have
 * their files (blobs) in this checkout already. A ledger that is too large has no text. `remote`: for messages.
 */
async function readBlobsOfLedgers(
  ledgers: readonly FoundLedger[],
  remote: string,
  { git }: Repository,
): Promise<RefLedgerText[]> {
  const readableLedgers = ledgers.filter(({ size }) => size <= maxOtherLedgerBytes);
  const sizes = new Map(readableLedgers.map(({ id, size }) => [id, size]));
  const texts = new Map<string, string>();
  // In batches, because git answers with one string, whose length JavaScript limits.
  for (const batch of toBatches(sizes))
    for (const [id, content] of await readBlobs(batch, git)) texts.set(id, content.toString('utf8'));
  return ledgers.map(({ name, tip, id }) => ({
    name,
    place: `${name} at ${remote}`,
    tip,
    text: texts.get(id),
  }));
}

/** The largest answer that git is asked for, in bytes. JavaScript strings end at about 500 million characters. */
const maxBatchBytes = 2 * maxOtherLedgerBytes;

/**
 * Splits git objects (id and size in bytes) into batches of ids, each with at most `maxBatchBytes` of content or a single larger object,
 * because git returns the contents of a batch as one string.
 */
function toBatches(sizes: ReadonlyMap<string, number>): string[][] {
  const batches: string[][] = [];
  let remainingBytes = 0;
  for (const [object, size] of sizes) {
    remainingBytes -= size;
    if (remainingBytes < 0 || batches.length === 0) {
      batches.push([]);
      remainingBytes = maxBatchBytes - size;
    }
    batches.at(-1)!.push(object);
  }
  return batches;
}

/**
 * Parses the ledgers of the other stacks in the same account, so that a plan does not touch objects that they own. Leaves out texts that
 * are no ledgers, such as other JSON files of the folder, and ledgers of other accounts. Throws `Problems` for texts that may be a ledger
 * but are too large (`text` is undefined) or have an unknown format: planning without knowing their objects could take one of them.
 */
export function parseOtherStacks(
  texts: OtherLedgerText[],
  { baseUrl, owner, stack }: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'>,
  key: LedgerKey | undefined,
): OtherStack[] {
  const report = new Reporter();
  const otherStacks = texts.flatMap(({ place, text }): OtherStack[] => {
    const parsed = text === undefined ? 'unclear' : parseOtherLedger(text);
    if (parsed === 'unclear') {
      const reason =
        text === undefined ? `is larger than ${maxOtherLedgerBytes / 1_000_000} MB` : 'has an unknown format';
      report.error('stack/unclear', `${place} may be the ledger of another stack, but ${reason}`, {
        hint: 'restore an earlier version or move it away: what that stack owns is unknown, so nothing is planned',
      });
      return [];
    }
    if (!parsed || parsed.baseUrl !== baseUrl || parsed.owner !== owner || parsed.stack === stack) return [];
    const isSigned = key !== undefined && isVerified(verifyText(text!, key, place));
    return [toOtherStack(parsed, isSigned)];
  });
  raiseErrors(report.diagnostics);
  return otherStacks.sort((a, b) => (a.stack < b.stack ? -1 : 1));
}

/**
 * Returns the part of another stack's ledger that a plan uses. Without a valid signature (`isSigned`), anybody may have written the ledger,
 * so no member is trusted to have the right form, and creations that a run has begun (`begun`) do not count.
 */
function toOtherStack(ledger: OtherLedger, isSigned: boolean): OtherStack {
  const { stack, generation, entries, begun, inputs, writtenAt = '', lastRun } = ledger;
  const written = Date.parse(writtenAt);
  return {
    stack,
    entries,
    ...(isSigned && begun ? { begun, generation } : {}),
    writtenAt: Number.isNaN(written) ? undefined : written,
    lastRun: typeof lastRun === 'string' ? lastRun.slice(0, 80) : undefined,
    inputs: Array.isArray(inputs) ? inputs.filter((file) => typeof file === 'string') : [],
    isVerified: isSigned,
    isWellFormed: isSigned || Object.values(entries).every(isEntry),
  };
}

type OtherLedger = Pick<
  Ledger,
  'baseUrl' | 'owner' | 'stack' | 'generation' | 'entries' | 'begun' | 'inputs' | 'writtenAt' | 'lastRun'
>;

/**
 * Parses the ledger of another stack, as far as it says what the stack owns; undefined if the text is another JSON
 * file, such as a saved plan. Returns `unclear` if the text is no JSON but looks like a ledger, for example one
 * with merge conflicts: then planning must stop.
 */
function parseOtherLedger(text: string): OtherLedger | 'unclear' | undefined {
  try {
    const content = JSON.parse(text) as Partial<OtherLedger> | null;
    const isLedger =
      typeof content?.stack === 'string' && typeof content.entries === 'object' && content.entries !== null;
    return isLedger ? (content as OtherLedger) : undefined;
  } catch {
    return /^ *"(?:generation|entries)":|^<<<<<<< /m.test(text) ? 'unclear' : undefined;
  }
}
