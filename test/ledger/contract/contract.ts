import { describe, it } from 'vitest';
import type { Place } from '../../support/ledger-places.ts';
import { isTried } from '../../support/sweep.ts';
import { documentsContract } from './documents.ts';
import { leaseContract } from './lease.ts';
import { neighboursContract } from './neighbours.ts';
import { ownershipContract } from './ownership.ts';
import { processesContract } from './processes.ts';
import { promisesContract } from './promises.ts';
import { atomicContract, recordsContract } from './records.ts';
import { signedContract } from './signed.ts';

/** Adds a test of a store, if this run tries it. */
export type Scenario = (title: string, test: () => void | Promise<void>) => void;

interface Extent {
  /** Records and the ledger are written in one step. */
  isAtomic: boolean;
  /** The command line reaches it by a URL; others have tests of their own for what it does there. */
  isNamedByUrl?: boolean;
  /** With races of processes, and one that is killed. */
  withProcesses: boolean;
  /** The suite tries one scenario in so many; the sweep tries all. */
  oneIn: number;
}

/** Their order is where each begins: what the suite leaves out of one it tries of another. */
const sorts = ['file', 'git', 'postgres', 'http', 'GitLab', 's3'];

/** Everything that is promised of a store, whatever it is: each has to pass it. */
export function storeContract(
  sort: string,
  newPlace: () => Place,
  { isAtomic, isNamedByUrl = false, withProcesses, oneIn }: Extent,
): void {
  const among = (oneIn: number): Scenario => {
    let at = sorts.indexOf(sort);
    return (title, test) => {
      it.runIf(isTried(at++, oneIn))(title, test);
    };
  };
  describe(`a store of the sort ${sort}`, () => {
    const scenario = among(oneIn);
    documentsContract(newPlace, scenario);
    recordsContract(newPlace, scenario);
    if (isAtomic) atomicContract(newPlace, scenario);
    neighboursContract(newPlace, scenario);
    // Each store tells the versions of its ledgers in its own way, so this is tried more often than the rest.
    ownershipContract(newPlace, among(Math.min(oneIn, 2)));
    // Signatures protect a ledger from whoever can write to its store.
    signedContract(newPlace, among(1));
    leaseContract(newPlace, scenario);
    // Each plays with an account of its own.
    if (isNamedByUrl) promisesContract(newPlace, among(Math.max(oneIn, 4)));
    // Each process costs.
    if (withProcesses) processesContract(newPlace, among(4));
  });
}
