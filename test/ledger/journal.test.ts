import { existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { openJournal } from '../../src/ledger/journal.ts';
import { createLedgerKeeper } from '../../src/ledger/keep-ledger.ts';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { Ledger, LedgerEntry } from '../../src/model/ledger.ts';
import { here } from '../support/here.ts';
import { runs } from '../support/sweep.ts';
import { tinyLedger } from '../support/tiny.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'trueup-journal-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

const key = ledgerKeyFrom('a key for tests, long enough');
const base: Ledger = { ...tinyLedger({ 'boxes/a': { colour: 'red' }, 'boxes/b': {} }), generation: 4 };
const entry: LedgerEntry = base.entries['boxes/a']!;

const debt = { action: 'purge', input: {}, from: [], since: '2026-01-01T00:00:00.000Z' };
const addresses = ['boxes/a', 'boxes/b', 'boxes/c', 'boxes/d'];
/** One change of a ledger: what becomes of some addresses, and of the rest. */
const change = fc.record({
  set: fc.dictionary(
    fc.constantFrom(...addresses),
    fc.record({ entry: fc.option(fc.string()), begun: fc.option(fc.string()) }),
  ),
  lastWrite: fc.option(fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z')),
  staged: fc.option(
    fc.constant<NonNullable<Ledger['staged']>>({ '#box': { base: 'v1', of: { 'boxes/a': { ids: ['a'] } } } }),
  ),
  owed: fc.constantFrom<Ledger['owed']>(
    undefined,
    { a: debt },
    { a: debt, b: debt },
    { a: { ...debt, mark: 'm' } },
  ),
});
type Drawn = typeof change extends fc.Arbitrary<infer T> ? T : never;
type Change = Omit<Drawn, 'owed'> & Partial<Pick<Drawn, 'owed'>>;

function changed(ledger: Ledger, { set, lastWrite, staged, owed }: Change): Ledger {
  const next = { ...ledger, entries: { ...ledger.entries } };
  const begun = { ...ledger.begun };
  for (const [address, now] of Object.entries(set)) {
    if (now.entry === null) delete next.entries[address];
    else next.entries[address] = { ...entry, ids: [now.entry] };
    if (now.begun === null) delete begun[address];
    else begun[address] = { entry: { ...entry, ids: [] }, seen: [now.begun] };
  }
  delete next.begun;
  if (Object.keys(begun).length > 0) next.begun = begun;
  if (lastWrite) next.lastWrite = lastWrite;
  delete next.staged;
  if (staged) next.staged = staged;
  delete next.owed;
  if (owed) next.owed = owed;
  return next;
}

it('gives back what was noted on top of the ledger, wherever its last line ends', async () => {
  const path = join(await folder(), 'deep', 'journal');
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(), async (changes, at) => {
      const journal = openJournal(path, key);
      await journal.start(base);
      const states = [base];
      const sizes = [statSync(path).size];
      for (const one of changes) {
        states.push(changed(states.at(-1)!, one));
        await journal.append(states.at(-1)!, [...Object.keys(one.set), '#box']);
        sizes.push(statSync(path).size);
      }
      await journal.close();
      // A process may be gone while it writes any line, the first one included.
      const end = at % (sizes.at(-1)! + 1);
      truncateSync(path, end);
      const whole = sizes.findLastIndex((size) => size <= end);
      const { ledger } = await openJournal(path, key).replayOnto(base);
      expect(ledger).toEqual(states[Math.max(whole, 0)]);
    }),
    { numRuns: runs(200) },
  );
});

it('belongs to one generation of one ledger, and is nobody else’s business', async () => {
  const path = join(await folder(), 'journal');
  const journal = openJournal(path, key);
  await journal.start(base);
  const next = changed(base, {
    set: { 'boxes/c': { entry: 'x', begun: null } },
    lastWrite: null,
    staged: null,
  });
  await journal.append(next, ['boxes/c']);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect(await journal.replayOnto(base)).toMatchObject({ ledger: next, lines: 1, proof: { by: key.id } });
  for (const other of [
    { generation: 5 },
    { generation: 3 },
    { stack: 'x' },
    { owner: 'x' },
    { baseUrl: 'x' },
  ]) {
    const ledger = { ...base, ...other };
    expect(await journal.replayOnto(ledger)).toEqual({ ledger, lines: 0 });
  }
  await journal.remove();
  expect(existsSync(path)).toBe(false);
  expect(await journal.replayOnto(base)).toEqual({ ledger: base, lines: 0 });
});

it.each([
  [
    'a damaged line',
    (lines: string[]) => [lines[0]!, lines[1]!.slice(0, -3), ...lines.slice(2)],
    'journal/corrupt',
    ':2:',
  ],
  ['a damaged first line', (lines: string[]) => ['{}', ...lines.slice(1)], 'journal/corrupt', ':1:'],
  ['zeros where a line was', (lines: string[]) => [...lines.slice(0, 2), '\0\0\0'], 'journal/corrupt', ':3:'],
  [
    'a newer format',
    (lines: string[]) => [lines[0]!.replace('"journal":2', '"journal":3')],
    'ledger/newer',
    '',
  ],
])('is refused for %s, with what is known and how to go on', async (_, damage, code, where) => {
  const path = join(await folder(), 'journal');
  const journal = openJournal(path, key);
  await journal.start(base);
  const next = changed(base, {
    set: { 'boxes/c': { entry: 'x', begun: null } },
    lastWrite: null,
    staged: null,
  });
  for (let i = 0; i < 3; i++) await journal.append(next, ['boxes/c']);
  await journal.close();
  writeFileSync(path, `${damage(readFileSync(path, 'utf8').split('\n').slice(0, -1)).join('\n')}\n`);
  const problems = await journal.replayOnto(base).catch((error: unknown) => error);
  expect(problems).toBeInstanceOf(Problems);
  const [first] = (problems as Problems).diagnostics;
  expect(first).toMatchObject({ code, hint: expect.any(String) });
  expect(first!.message).toContain(`${path}${where}`);
  // Nothing is reset by having been looked at.
  expect(existsSync(path)).toBe(true);
});

it('keeps what a run did between two writes of the ledger, and goes with the last one', async () => {
  const place = await folder();
  const path = join(place, 'journal');
  const documents = fileDocuments(join(place, 'ledger.json'), here);
  const open = () => createLedgerStore(documents, { key, journal: openJournal(path, key) });
  let now = 0;
  let writes = 0;
  const store = open();
  const first = await store.write({ ...base, generation: 0 });
  const keeper = createLedgerKeeper({
    store,
    generation: 1,
    // It never comes by itself, however slow the machine is.
    pace: 1_000_000_000,
    now: () => now,
    onWritten: () => void writes++,
  });
  let ledger = first;
  const step = async (name: string) => {
    ledger = changed(ledger, {
      set: { [name]: { entry: name, begun: null } },
      lastWrite: null,
      staged: null,
    });
    await keeper.save(ledger, { touched: [name] });
  };
  for (const name of ['boxes/c', 'boxes/d', 'boxes/e']) await step(name);
  expect(writes).toBe(0);
  // As another process sees it after a crash; without the journal it is what was written last.
  expect((await open().read())!.entries).toEqual(ledger.entries);
  expect((await createLedgerStore(documents, { key }).read())!.entries).toEqual(base.entries);
  now = 1_000_000_000;
  await step('boxes/f');
  expect(writes).toBe(1);
  expect((await createLedgerStore(documents, { key }).read())!.entries).toEqual(ledger.entries);
  await step('boxes/g');
  expect((await open().read())!.entries).toEqual(ledger.entries);
  await keeper.close();
  expect([writes, existsSync(path)]).toEqual([2, false]);
  expect((await createLedgerStore(documents, { key }).read())!.entries).toEqual(ledger.entries);
});

it('has one line for all changes that wait for the same write, and each is kept before the run goes on', async () => {
  const place = await folder();
  const path = join(place, 'journal');
  const documents = fileDocuments(join(place, 'ledger.json'), here);
  const store = createLedgerStore(documents, { key, journal: openJournal(path, key) });
  let ledger = await store.write({ ...base, generation: 0 });
  const keeper = createLedgerKeeper({ store, generation: 1, pace: 1_000_000_000, now: () => 0 });
  const read = async () =>
    (await createLedgerStore(documents, { key, journal: openJournal(path, key) }).read())!.entries;
  const save = async (name: string) => {
    ledger = changed(ledger, {
      set: { [name]: { entry: name, begun: null } },
      lastWrite: null,
      staged: null,
    });
    await keeper.save(ledger, { touched: [name] });
    expect((await read())[name]).toEqual(ledger.entries[name]);
  };
  const lines = () => readFileSync(path, 'utf8').trimEnd().split('\n').length;
  await Promise.all(['boxes/c', 'boxes/d', 'boxes/e', 'boxes/f'].map(save));
  // The head, and one line for all four.
  expect(lines()).toBe(2);
  await save('boxes/g');
  expect(lines()).toBe(3);
  expect(await read()).toEqual(ledger.entries);
  await keeper.close();
});

it('fails all changes of a line that could not be written, and stores them with the next write of the ledger', async () => {
  const documents = fileDocuments(join(await folder(), 'ledger.json'), here);
  const store = createLedgerStore(documents, { key });
  let ledger = await store.write({ ...base, generation: 0 });
  let isDiskFull = true;
  const appendToJournal = async () => {
    if (isDiskFull) throw new Error('no space left');
  };
  const keeper = createLedgerKeeper({
    store: { ...store, appendToJournal },
    generation: 1,
    pace: 1_000_000_000,
    now: () => 0,
  });
  const save = (name: string) => {
    ledger = changed(ledger, {
      set: { [name]: { entry: name, begun: null } },
      lastWrite: null,
      staged: null,
    });
    return keeper.save(ledger, { touched: [name] });
  };
  const saves = await Promise.allSettled(['boxes/c', 'boxes/d'].map(save));
  expect(saves.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDiskFull = false;
  await save('boxes/e');
  await keeper.close();
  expect((await createLedgerStore(documents, { key }).read())!.entries).toEqual(ledger.entries);
});

it('stays where the ledger could not be written at the end', async () => {
  const place = await folder();
  const path = join(place, 'journal');
  const documents = fileDocuments(join(place, 'ledger.json'), here);
  const first = await createLedgerStore(documents, { key }).write({ ...base, generation: 0 });
  const store = createLedgerStore(
    { ...documents, write: async () => Promise.reject(new Error('the network is away')) },
    { key, journal: openJournal(path, key) },
  );
  await store.read();
  const keeper = createLedgerKeeper({ store, generation: 1 });
  const next = changed(first, {
    set: { 'boxes/c': { entry: 'c', begun: null } },
    lastWrite: null,
    staged: null,
  });
  await keeper.save(next, { touched: ['boxes/c'] });
  await expect(keeper.close()).rejects.toThrow('the network is away');
  expect(
    (await createLedgerStore(documents, { key, journal: openJournal(path, key) }).read())!.entries,
  ).toEqual(next.entries);
});

it.each([
  { name: 'a due write', everywhere: false },
  { name: 'a write that must not wait', everywhere: true },
])('has the changes of $name of the ledger that failed, also after later changes', async ({ everywhere }) => {
  const place = await folder();
  const path = join(place, 'journal');
  const documents = fileDocuments(join(place, 'ledger.json'), here);
  let isReachable = true;
  const write: typeof documents.write = (...options) =>
    isReachable ? documents.write(...options) : Promise.reject(new Error('the network is away'));
  const open = () => createLedgerStore({ ...documents, write }, { key, journal: openJournal(path, key) });
  let now = 0;
  const store = open();
  let ledger = await store.write({ ...base, generation: 0 });
  const keeper = createLedgerKeeper({ store, generation: 1, pace: 1000, now: () => now });
  const save = (name: string, options = { everywhere: false }) => {
    ledger = changed(ledger, {
      set: { [name]: { entry: name, begun: null } },
      lastWrite: null,
      staged: null,
    });
    return keeper.save(ledger, { touched: [name], ...options });
  };
  await save('boxes/c', { everywhere: true });
  isReachable = false;
  if (!everywhere) now = 1000;
  await expect(save('boxes/d', { everywhere })).rejects.toThrow('the network is away');
  expect((await open().read())!.entries).toEqual(ledger.entries);
  await save('boxes/e');
  await expect(keeper.close()).rejects.toThrow('the network is away');
  expect((await open().read())!.entries).toEqual(ledger.entries);
});

it('has a change before the write of the ledger that is due has ended', async () => {
  const place = await folder();
  const path = join(place, 'journal');
  const documents = fileDocuments(join(place, 'ledger.json'), here);
  const open = () => createLedgerStore(documents, { key, journal: openJournal(path, key) });
  const store = open();
  const first = await store.write({ ...base, generation: 0 });
  let seenByNextRun: Ledger | undefined;
  const write: typeof store.write = async (...options) => {
    seenByNextRun = await open().read();
    return store.write(...options);
  };
  const keeper = createLedgerKeeper({ store: { ...store, write }, generation: 1, pace: 0, now: () => 0 });
  const next = changed(first, {
    set: { 'boxes/c': { entry: 'c', begun: null } },
    lastWrite: null,
    staged: null,
  });
  await keeper.save(next, { touched: ['boxes/c'] });
  expect(seenByNextRun!.entries).toEqual(next.entries);
  await keeper.close();
});

it('keeps the changes of an interrupted run until the ledger has them, also if the next run changes little', async () => {
  const place = await folder();
  const path = join(place, 'journal');
  const documents = fileDocuments(join(place, 'ledger.json'), here);
  const first = await createLedgerStore(documents, { key }).write({ ...base, generation: 0 });
  const journal = openJournal(path, key);
  await journal.start(first);
  const interrupted = changed(first, {
    set: { 'boxes/c': { entry: 'c', begun: null } },
    lastWrite: null,
    staged: null,
  });
  await journal.append(interrupted, ['boxes/c']);
  await journal.close();
  const write: typeof documents.write = () => Promise.reject(new Error('the network is away'));
  const open = () => createLedgerStore({ ...documents, write }, { key, journal: openJournal(path, key) });
  const store = open();
  const ledger = (await store.read())!;
  expect(ledger.entries).toEqual(interrupted.entries);
  const keeper = createLedgerKeeper({ store, generation: 1 });
  const next = changed(ledger, {
    set: { 'boxes/d': { entry: 'd', begun: null } },
    lastWrite: null,
    staged: null,
  });
  await keeper.save(next, { touched: ['boxes/d'] }).catch(() => {});
  await keeper.close().catch(() => {});
  expect((await open().read())!.entries).toMatchObject(interrupted.entries);
});

it('a ledger that takes long to write is written less often', async () => {
  const documents = fileDocuments(join(await folder(), 'ledger.json'), here);
  const quick = createLedgerStore(documents, { key });
  let ledger = await quick.write({ ...base, generation: 0 });
  let now = 0;
  const written: number[] = [];
  const store = {
    ...quick,
    write: async (next: Ledger) => {
      now += 50;
      written.push(now);
      return quick.write(next);
    },
  };
  const keeper = createLedgerKeeper({ store, generation: 1, pace: 100, now: () => now });
  for (; now < 4000; now += 10) {
    ledger = changed(ledger, {
      set: { 'boxes/c': { entry: String(now), begun: null } },
      lastWrite: null,
      staged: null,
    });
    await keeper.save(ledger, { touched: ['boxes/c'] });
  }
  // The first after the pace; then each 1,000 ms, a twentieth of which it takes.
  expect(written).toEqual([150, 1150, 2150, 3150]);
  await keeper.close();
});

it('without a journal of it, everything that a run had begun may have been sent', async () => {
  const place = await folder();
  const path = join(place, 'journal');
  const documents = fileDocuments(join(place, 'ledger.json'), here);
  const begun = { 'boxes/c': { entry: { ...entry, ids: [] }, seen: [] } };
  const kept = await createLedgerStore(documents, { key }).write({ ...base, generation: 0, begun });
  expect(
    (await createLedgerStore(documents, { key, journal: openJournal(path, key) }).read())!.begun!['boxes/c']!
      .sent,
  ).toBe(true);
  const journal = openJournal(path, key);
  await journal.start(kept);
  await journal.append({ ...kept, lastWrite: '2026-01-01T00:00:00.000Z' }, []);
  await journal.close();
  expect(
    (await createLedgerStore(documents, { key, journal: openJournal(path, key) }).read())!.begun!['boxes/c']!
      .sent,
  ).toBeUndefined();
});

it('a journal that cannot be written fails with the first write of the ledger, before any request', async () => {
  const place = await folder();
  const documents = fileDocuments(join(place, 'ledger.json'), here);
  const path = join(place, 'journal');
  const store = createLedgerStore(documents, { key, journal: openJournal(path, key) });
  const first = await store.write({ ...base, generation: 0 });
  mkdirSync(path);
  const keeper = createLedgerKeeper({ store, generation: first.generation });
  await expect(keeper.save(first, { touched: [], everywhere: true })).rejects.toMatchObject({
    diagnostics: [{ code: 'ledger/unwritable' }],
  });
});

it('a run that only wrote its ledger before the first request leaves no journal', async () => {
  const place = await folder();
  const path = join(place, 'journal');
  const store = createLedgerStore(fileDocuments(join(place, 'ledger.json'), here), {
    key,
    journal: openJournal(path, key),
  });
  const first = await store.write({ ...base, generation: 0 });
  const keeper = createLedgerKeeper({ store, generation: first.generation });
  await keeper.save({ ...first, lastWrite: '2026-01-01T00:00:00.000Z' }, { touched: [], everywhere: true });
  expect(existsSync(path)).toBe(true);
  await keeper.close();
  expect(existsSync(path)).toBe(false);
});

it.each([
  { name: 'with a part of it on the disk', written: '{"set":{"boxes/c"' },
  { name: 'with nothing of it on the disk', written: '' },
])('has the changes of a line that could not be written, $name, in the next line', async ({ written }) => {
  const place = await folder();
  const path = join(place, 'journal');
  const documents = fileDocuments(join(place, 'ledger.json'), here);
  const openStore = () => createLedgerStore(documents, { key, journal: openJournal(path, key) });
  const keeper = createLedgerKeeper({ store: openStore(), generation: 0, pace: 1e9 });
  let ledger: Ledger = { ...base, generation: 0 };
  const save = (name: string, options = { everywhere: false }) => {
    ledger = changed(ledger, {
      set: { [name]: { entry: name, begun: null } },
      lastWrite: null,
      staged: null,
    });
    return keeper.save(ledger, { touched: [name], ...options });
  };
  await save('boxes/c', { everywhere: true });
  await save('boxes/d');
  const handle = await open(path, 'a');
  onTestFinished(() => handle.close());
  vi.spyOn(Object.getPrototypeOf(handle), 'write').mockImplementationOnce(async () => {
    await handle.appendFile(written);
    throw new Error('no space left');
  });
  await expect(save('boxes/e')).rejects.toThrow('no space left');
  await save('boxes/f');
  await save('boxes/g');
  const store = openStore();
  expect((await store.read())!.entries).toEqual(ledger.entries);
  expect(store.proof()).toEqual({ by: key.id });
});
