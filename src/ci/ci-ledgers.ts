/*
 * The ledgers of a repository for which `init --ci` writes workflows: which are still files, and whether CI will find and accept the
 * others.
 */
import path from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { realFolderOf } from '../config/sources/memory.ts';
import type { Host } from '../host.ts';
import { listGitLedgers } from '../ledger/list-git-ledgers.ts';
import { isVerified, unverifiedProblem } from '../ledger/proof.ts';
import { findLedgerFiles, readUnverifiedLedger } from '../ledger-place/repository-ledgers.ts';
import { Problems } from '../model/diagnostic.ts';
import { isInside } from '../paths.ts';
import { decidedByOperator } from '../stores/ledger-choice.ts';
import { findLedgerKey, openLedgerStore } from '../stores/open-ledger.ts';
import type { CiReader } from './inspect-single-stack.ts';

/** The stacks of a repository, and the folder where their commands run. */
interface StacksWithLedgers {
  configurations: Configuration[];
  stackFolder: string;
  /** The folder of the work tree. */
  top: string;
}

/** A ledger that is a file, which CI jobs do not have or must not change. `file`: its path, in the form that `--ledger` takes. */
export interface LedgerOnDisk {
  stack: string;
  file: string;
}

/**
 * Returns the ledgers that are files in this checkout, committed or not, and that were not moved elsewhere yet. CI jobs cannot use them, so
 * `init --ci` tells the user to move them. Looks at the file that the YAML names, and for `.trueup/ledger/STACK.json` in the folder of the
 * command, of the stacks, and at the top of the repository.
 */
export async function findLedgersOnDisk(
  { configurations, stackFolder, top }: StacksWithLedgers,
  host: Host,
): Promise<LedgerOnDisk[]> {
  const ledgersOnDisk: LedgerOnDisk[] = [];
  for (const { desired, ledger } of configurations) {
    const { stack } = desired;
    const declared = ledger?.place.endsWith('.json') ? [path.resolve(ledger.folder, ledger.place)] : [];
    // The YAML may come from somebody else, so it cannot name a file of this machine that would be changed when the ledger moves.
    const realFiles = await Promise.all(declared.map(realFolderOf));
    const declaredHere = realFiles.filter((file) => isInside(file, top));
    const files = [...declaredHere, ...(await findLedgerFiles(stack, [host.cwd, stackFolder, top], host))];
    for (const file of new Set(files.map((name) => path.relative(stackFolder, name))))
      if (await isInUse(stack, file, { ...host, cwd: stackFolder })) ledgersOnDisk.push({ stack, file });
  }
  return ledgersOnDisk;
}

/**
 * True if a stack has a ledger, in a file or at `origin`. Used to suggest no second key on a machine without one: CI would not accept
 * ledgers that another key signed.
 */
export async function hasAnyLedger(stacks: StacksWithLedgers, host: Host): Promise<boolean> {
  if ((await findLedgersOnDisk(stacks, host)).length > 0) return true;
  const inGit = await listGitLedgers(host.cwd, host.env);
  return (
    inGit !== undefined &&
    'has' in inGit &&
    stacks.configurations.some(({ desired }) => inGit.has(desired.stack))
  );
}

/** True if a file is the ledger of this stack, and was not copied to another place. */
async function isInUse(stack: string, file: string, host: Host): Promise<boolean> {
  const { stored } = await readUnverifiedLedger(stack, file, host);
  return stored.stack === stack && stored.copiedTo === undefined;
}

/** The state of the ledgers at the place where CI jobs look for them. */
export interface CiLedgers {
  /** The stacks that have a ledger there, and those without one, which had no apply yet. */
  present: string[];
  absent: string[];
  /** Why the place cannot be read; undefined if it can. */
  unreachable: string | undefined;
  /** Why the key of this machine does not verify a ledger, by stack; undefined if there is no key here. */
  unverified: Map<string, string> | undefined;
}

/**
 * Reads the ledgers at the place where CI jobs look for them, and checks their signatures with the key of this machine, for `init --ci
 * --check`. Writes nothing. Asks no store that only the YAML names, because that could be any server, and would get the credentials of the
 * operator.
 */
export async function readCiLedgers(
  { configurations, stackFolder }: StacksWithLedgers,
  { place, reader }: { place: string; reader: CiReader },
  runHost: Host,
): Promise<CiLedgers> {
  const host = { ...runHost, cwd: stackFolder };
  const key = await findLedgerKey({}, host).catch(() => undefined);
  const unverified = new Map<string, string>();
  // Without a key on this machine, no signature can be verified, which `undefined` says.
  const state: CiLedgers = { present: [], absent: [], unreachable: undefined, unverified: key && unverified };
  for (const configuration of configurations)
    try {
      const { stack } = configuration.desired;
      const refusal = await reader.findRefusedPlace(configuration);
      if (refusal) return { ...state, unreachable: `${refusal.message}; ${refusal.hint}` };
      const store = await openLedgerStore(stack, decidedByOperator({ ledger: place }), host, key);
      const ledger = await store.read();
      if (ledger) state.present.push(stack);
      else state.absent.push(stack);
      const proof = store.proof();
      if (proof && !isVerified(proof)) unverified.set(stack, unverifiedProblem(proof, key).message);
    } catch (error) {
      if (!(error instanceof Problems)) throw error;
      return { ...state, unreachable: error.diagnostics[0]!.message };
    }
  return state;
}
