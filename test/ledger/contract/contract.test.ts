import { places } from '../../support/ledger-places.ts';
import { storeContract } from './contract.ts';

for (const [sort, newPlace] of Object.entries(places)) {
  const isFile = sort === 'file';
  storeContract(sort, newPlace, { isAtomic: !isFile, withProcesses: true, oneIn: isFile ? 4 : 7 });
}
