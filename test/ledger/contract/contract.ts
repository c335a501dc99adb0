import { describe } from 'vitest';
import type { Place } from '../../support/ledger-places.ts';
import { documentsContract } from './documents.ts';
import { leaseContract } from './lease.ts';
import { neighboursContract } from './neighbours.ts';
import { processesContract } from './processes.ts';
import { atomicContract, recordsContract } from './records.ts';
import { signedContract } from './signed.ts';

interface Extent {
  /** Records and the ledger are written in one step. */
  isAtomic: boolean;
  /** With races of processes, and one that is killed. */
  withProcesses: boolean;
}

/** Everything that is promised of a store, whatever it is: each has to pass it. */
export function storeContract(
  sort: string,
  newPlace: () => Place,
  { isAtomic, withProcesses }: Extent,
): void {
  describe(`a store of the sort ${sort}`, () => {
    describe('documents', () => documentsContract(newPlace));
    describe('records', () => recordsContract(newPlace));
    if (isAtomic) describe('one step', () => atomicContract(newPlace));
    describe('neighbours', () => neighboursContract(newPlace));
    describe('the signature', () => signedContract(newPlace));
    describe('the lease', () => leaseContract(newPlace));
    if (withProcesses) describe('processes', () => processesContract(newPlace));
  });
}
