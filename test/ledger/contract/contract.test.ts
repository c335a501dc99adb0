import { places } from '../../support/ledger-places.ts';
import { storeContract } from './contract.ts';

for (const [sort, newPlace] of Object.entries(places))
  storeContract(sort, newPlace, { isAtomic: sort !== 'file', withProcesses: true });
