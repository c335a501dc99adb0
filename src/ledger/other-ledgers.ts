import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { contentsOf, objectsOf } from '../git/objects.ts';
import type { Repository } from '../git/repository.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { isEntry } from './parse-ledger.ts';
import { isVerified, verifyText } from './proof.ts';

/** A ledger of another stack in the same store, as text; nobody has verified it. */
export interface OtherLedgerText {
  place: string;
  /** Undefined where it is too large to be looked at. */
  text: string | undefined;
}

/** The largest ledger of another stack that is read: over a hundred thousand objects. In bytes. */
export const maxOtherLedgerBytes = 64_000_000;

/** The ledgers in the folder of one, without itself. */
export async function readLedgersBesideFile(path: string): Promise<OtherLedgerText[]> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const otherTexts = await Promise.all(
    names
      .filter((name) => name.endsWith('.json') && name !== basename(path))
      .map(async (name): Promise<OtherLedgerText | undefined> => {
        const place = join(folder, name);
        const status = await stat(place);
        if (!status.isFile()) return undefined;
        return { place, text: status.size > maxOtherLedgerBytes ? undefined : await readFile(place, 'utf8') };
      }),
  );
  return otherTexts.filter((otherText) => otherText !== undefined);
}

/** The same of refs at a remote, given with their tips: one fetch of what is not known yet. */
export async function readLedgersBesideRef(
  { git, isShallow }: Repository,
  remote: string,
  refs: ReadonlyMap<string, string>,
): Promise<OtherLedgerText[]> {
  const others = [...refs].map(([name, tip]) => ({
    name,
    commit: `${tip}^{commit}`,
    ledger: `${tip}:ledger.json`,
  }));
  // However many there are, git is asked as often.
  const look = () =>
    objectsOf(
      others.flatMap(({ commit, ledger }) => [commit, ledger]),
      git,
    );
  let here = await look();
  const missing = others.filter(({ commit }) => !here.has(commit)).map(({ name }) => name);
  const flags = ['--quiet', '--no-tags', '--no-prune', '--no-recurse-submodules', '--no-write-fetch-head'];
  if (missing.length > 0) {
    await git(['fetch', ...flags, '--refmap=', ...(isShallow ? ['--depth=1'] : []), remote, ...missing]);
    here = await look();
  }
  const found = others.flatMap(({ name, ledger }) => {
    const blob = here.get(ledger);
    // A ref with a lease alone has no ledger yet.
    return blob ? [{ place: `${name} at ${remote}`, ...blob }] : [];
  });
  const texts = new Map<string, string>();
  const sizes = new Map(
    found.filter(({ size }) => size <= maxOtherLedgerBytes).map(({ object, size }) => [object, size]),
  );
  for (const portion of portionsOf(sizes))
    for (const [object, content] of await contentsOf(portion, git))
      texts.set(object, content.toString('utf8'));
  return found.map(({ place, object }) => ({ place, text: texts.get(object) }));
}

/** So much is read of git at once, in bytes, in one answer: a text cannot have more than half a billion characters. */
const mostAtOnce = 2 * maxOtherLedgerBytes;

/** Objects in portions that can be read at once, given their lengths. */
function portionsOf(sizes: ReadonlyMap<string, number>): string[][] {
  const portions: string[][] = [];
  let left = 0;
  for (const [object, size] of sizes) {
    left -= size;
    if (left < 0 || portions.length === 0) {
      portions.push([]);
      left = mostAtOnce - size;
    }
    portions.at(-1)!.push(object);
  }
  return portions;
}

/**
 * The claims of other stacks in the same account. Throws `Problems` for a text that may be a ledger and has an unknown format: what it
 * claims is not known then, and nothing is done on a guess.
 */
export function parseOtherStacks(
  texts: OtherLedgerText[],
  { baseUrl, owner, stack }: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'>,
  key: LedgerKey | undefined,
): OtherStack[] {
  const problems: Diagnostic[] = [];
  const others = texts.flatMap(({ place, text }): OtherStack[] => {
    const other = text === undefined ? 'unclear' : readOther(text);
    if (other === 'unclear') {
      problems.push(
        problem(
          'stack/unclear',
          `${place} may be the ledger of another stack, but ${text === undefined ? `is larger than ${maxOtherLedgerBytes / 1_000_000} MB` : 'has an unknown format'}`,
          {
            hint: 'restore an earlier version or move it away: what that stack owns is unknown, so nothing is planned',
          },
        ),
      );
      return [];
    }
    if (!other || other.baseUrl !== baseUrl || other.owner !== owner || other.stack === stack) return [];
    const { entries, inputs, writtenAt, lastRun } = other;
    const isSigned = key !== undefined && isVerified(verifyText(text!, key, place));
    const written = writtenAt === undefined ? Number.NaN : Date.parse(writtenAt);
    return [
      {
        stack: other.stack,
        entries,
        ...(Number.isNaN(written) ? {} : { writtenAt: written }),
        // Whoever wrote it may have written anything.
        ...(typeof lastRun === 'string' ? { lastRun: lastRun.slice(0, 80) } : {}),
        inputs: Array.isArray(inputs) ? inputs.filter((file) => typeof file === 'string') : [],
        isVerified: isSigned,
        isWellFormed: isSigned || Object.values(entries).every(isEntry),
      },
    ];
  });
  if (problems.length > 0) throw new Problems(problems);
  return others.sort((a, b) => (a.stack < b.stack ? -1 : 1));
}

type Other = Pick<Ledger, 'baseUrl' | 'owner' | 'stack' | 'entries' | 'inputs' | 'writtenAt' | 'lastRun'>;

/** The part of a ledger that tells what is whose; undefined for another file. */
function readOther(text: string): Other | 'unclear' | undefined {
  try {
    const other = JSON.parse(text) as Partial<Other> | null;
    // A saved plan may lie there, too.
    const isLedger =
      typeof other?.stack === 'string' && typeof other.entries === 'object' && other.entries !== null;
    return isLedger ? (other as Other) : undefined;
  } catch {
    return /^ *"(?:generation|entries)":|^<<<<<<< /m.test(text) ? 'unclear' : undefined;
  }
}
