import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Documents } from '../../src/ledger/documents.ts';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { openJournal } from '../../src/ledger/journal.ts';
import { createLedgerKeeper } from '../../src/ledger/keep-ledger.ts';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { here } from '../support/here.ts';
import { tinyLedger } from '../support/tiny.ts';

const key = ledgerKeyFrom('a key for tests, long enough');

/** `stored`: the write is done, and its answer is lost. `lost`: nothing arrives. */
type Network = 'up' | 'stored' | 'lost';

/** Opens the keeper of a run whose network fails as `setNetwork` says. `readAsNextRun` reads the ledger as the next run would. */
async function startRun() {
  const folder = await mkdtemp(join(tmpdir(), 'trueup-unanswered-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const documents = fileDocuments(join(folder, 'ledger.json'), here);
  let network: Network = 'up';
  const write: Documents['write'] = async (...options) => {
    const version = network === 'lost' ? '' : await documents.write(...options);
    if (network !== 'up') throw new Error('the network is away');
    return version;
  };
  const openStore = () =>
    createLedgerStore({ ...documents, write }, { key, journal: openJournal(join(folder, 'journal'), key) });
  let ledger: Ledger = tinyLedger({ 'boxes/a': { colour: 'red' } });
  const keeper = createLedgerKeeper({ store: openStore(), generation: ledger.generation, pace: 1e9 });
  return {
    keeper,
    setNetwork: (next: Network) => {
      network = next;
    },
    add: (address: string, { everywhere = false } = {}) => {
      const entry = { ...ledger.entries['boxes/a']!, ids: [address] };
      ledger = { ...ledger, entries: { ...ledger.entries, [address]: entry } };
      return keeper.save(ledger, { touched: [address], everywhere });
    },
    /** Writes the ledger without the changes of this run, as a run on another machine would. */
    writeAsOtherRun: async () => {
      const store = createLedgerStore(documents, { key });
      await store.write((await store.read())!);
    },
    addresses: () => Object.keys(ledger.entries),
    readAsNextRun: async () => Object.keys((await openStore().read())!.entries),
  };
}

it('recognizes its own write that was stored without an answer, also after later writes that were not stored', async () => {
  const run = await startRun();
  await run.add('boxes/b', { everywhere: true });
  run.setNetwork('stored');
  await expect(run.add('boxes/c', { everywhere: true })).rejects.toThrow('the network is away');
  run.setNetwork('lost');
  await expect(run.add('boxes/d', { everywhere: true })).rejects.toThrow('the network is away');
  run.setNetwork('up');
  await run.add('boxes/e');
  await run.keeper.close();
  expect(await run.readAsNextRun()).toEqual(run.addresses());
});

it('recognizes its own write that was stored without an answer, also if the next write on top of it fails', async () => {
  const run = await startRun();
  await run.add('boxes/b', { everywhere: true });
  run.setNetwork('stored');
  await expect(run.add('boxes/c', { everywhere: true })).rejects.toThrow('the network is away');
  await expect(run.add('boxes/d', { everywhere: true })).rejects.toThrow('the network is away');
  await expect(run.add('boxes/e', { everywhere: true })).rejects.toThrow('the network is away');
  run.setNetwork('up');
  await run.keeper.close();
  expect(await run.readAsNextRun()).toEqual(run.addresses());
});

it('refuses to replace the write of another run after its own writes were lost', async () => {
  const run = await startRun();
  await run.add('boxes/b', { everywhere: true });
  run.setNetwork('lost');
  await expect(run.add('boxes/c', { everywhere: true })).rejects.toThrow('the network is away');
  run.setNetwork('up');
  await run.writeAsOtherRun();
  await expect(run.add('boxes/d', { everywhere: true })).rejects.toThrow('was changed by another run');
});

it('keeps the changes after a write that was stored without an answer, if the run is then killed', async () => {
  const run = await startRun();
  await run.add('boxes/b', { everywhere: true });
  run.setNetwork('stored');
  await expect(run.add('boxes/c', { everywhere: true })).rejects.toThrow('the network is away');
  run.setNetwork('lost');
  await run.add('boxes/d');
  await expect(run.add('boxes/e', { everywhere: true })).rejects.toThrow('the network is away');
  expect(await run.readAsNextRun()).toEqual(run.addresses());
});

it('applies no journal to the write of another run, after a write of the killed run that was lost', async () => {
  const run = await startRun();
  await run.add('boxes/b', { everywhere: true });
  run.setNetwork('lost');
  await expect(run.add('boxes/c', { everywhere: true })).rejects.toThrow('the network is away');
  await run.writeAsOtherRun();
  await run.add('boxes/d');
  expect(await run.readAsNextRun()).toEqual(['boxes/a', 'boxes/b']);
});
