import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Conflict, type Documents, type OwnershipStore } from '../../src/ledger/documents.ts';
import { toStoredDocument } from '../../src/ledger/file-documents.ts';
import { openOwnershipIndex } from '../../src/ledger/open-ownership-index.ts';
import { signText } from '../../src/ledger/proof.ts';
import { signedVersionOfText } from '../../src/ledger/signed-version.ts';
import { rebuildOwnershipIndex, updateOwnershipIndex } from '../../src/ledger/write-ownership-index.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { summarizeClaims } from '../../src/plan/summarize-claims.ts';
import { openOtherStacks } from '../../src/run/other-stacks.ts';
import { oneStoryIn, runs, sweepOnly } from '../support/sweep.ts';
import { type Tinies, tinyId, tinyKinds, tinyLedger } from '../support/tiny.ts';

const inPart = oneStoryIn(3);

const key = ledgerKeyFrom('a key for tests, long enough');
const summarize = (entries: Ledger['entries']) => summarizeClaims(entries, tinyKinds);

/** A store in memory, which counts what is read, and dies before or after a write. */
class MemoryStore {
  ledgers = new Map<string, string>();
  shards = new Map<string, string>();
  /** The characters of shards and ledgers that were read, and the number of ledgers. */
  read = { characters: 0, ledgers: 0 };
  /** Counts down with each write; the write at which it reaches zero is not made, or is the last one. */
  diesAt = Number.POSITIVE_INFINITY;
  diesBefore = true;

  write(change: () => void): void {
    this.diesAt--;
    if (this.diesAt === 0 && this.diesBefore) throw new Error('died');
    if (this.diesAt < 0) throw new Error('dead');
    change();
    if (this.diesAt === 0) throw new Error('died');
  }

  open(stack: string): OwnershipStore {
    const shardName = (folder: string, name: string) => `${folder}/${name}`;
    return {
      ownName: stack,
      mayBegin: true,
      readShards: async (folder, names) =>
        new Map(
          names.flatMap((name) => {
            const text = this.shards.get(shardName(folder, name));
            if (text === undefined) return [];
            this.read.characters += text.length;
            return [[name, toStoredDocument(text)] as const];
          }),
        ),
      // One after the other, like a store that cannot write several at once.
      writeShards: async (folder, writes) => {
        for (const { name, text, expected } of writes)
          this.write(() => {
            const current = this.shards.get(shardName(folder, name));
            const stored = current === undefined ? undefined : toStoredDocument(current);
            if (stored?.version !== expected) throw new Conflict(stored);
            this.shards.set(shardName(folder, name), text);
          });
      },
      listNames: async () => [...this.ledgers.keys()],
      listVersions: async () =>
        new Map([...this.ledgers].map(([name, text]) => [name, signedVersionOfText(text)])),
      readLedgers: async (names) =>
        names.flatMap((name) => {
          const text = this.ledgers.get(name);
          if (text === undefined) return [];
          this.read.characters += text.length;
          this.read.ledgers++;
          return [{ name, place: name, text, version: signedVersionOfText(text) }];
        }),
    };
  }

  put(stack: string, objects: Tinies, generation: number): void {
    const ledger = { ...tinyLedger(objects), stack, generation };
    this.write(() => this.ledgers.set(stack, signText(`${JSON.stringify(ledger, null, 2)}\n`, key)));
  }
}

const boxes = ['a', 'b', 'c'].map((name) => `boxes/${name}`);
const stacks = ['one', 'two', 'three'];

/** Checks that a plan of a stack `own` learns from the index, and the ledgers that it reads, what all ledgers say. */
async function checkAnswers(store: MemoryStore): Promise<{ covered: number }> {
  const index = await openOwnershipIndex(store.open('own'), { ...tinyLedger({}), stack: 'own' }, key);
  if (!index) return { covered: 0 };
  const entriesOf = (name: string) => (JSON.parse(store.ledgers.get(name)!) as Ledger).entries;
  for (const box of boxes) {
    const owners = [...store.ledgers.keys()].filter((name) => entriesOf(name)[box]);
    const read = new Set([...index.uncovered, ...index.find({ names: [`box ${box.slice(-1)}`], ids: [] })]);
    expect(owners.filter((name) => !read.has(name))).toEqual([]);
    const uncovered = new Set(index.uncovered);
    const unread = owners.filter((name) => !uncovered.has(name));
    expect(index.isOwned(`box ${tinyId(box)}`, uncovered)).toBe(unread.length > 0);
  }
  return { covered: index.coveredCount };
}

inPart(
  'whatever is written, lost, restored or interrupted, the index says nothing that the ledgers do not say',
  async () => {
    const step = fc.record({
      sort: fc.constantFrom(
        'apply',
        'apply',
        'apply by an older version',
        'restore the ledger',
        'restore the index',
        'lose a shard',
        'destroy',
        'retire',
        'build',
      ),
      stack: fc.constantFrom(...stacks),
      owned: fc.subarray(boxes),
      /** The write at which the run dies; 0: it does not. */
      death: fc.constantFrom(0, 0, 0, 1, 2, 3),
      diesBefore: fc.boolean(),
    });
    let covered = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (story) => {
        const store = new MemoryStore();
        await rebuildOwnershipIndex(store.open('one'), summarize, key);
        let generation = 0;
        const before = { ledgers: new Map(store.ledgers), shards: new Map(store.shards) };
        for (const { sort, stack, owned, death, diesBefore } of story) {
          const objects = sort === 'retire' ? {} : Object.fromEntries(owned.map((box) => [box, {}]));
          Object.assign(store, { diesAt: death || Number.POSITIVE_INFINITY, diesBefore });
          const work = async () => {
            if (sort === 'build') await rebuildOwnershipIndex(store.open(stack), summarize, key);
            else if (sort === 'restore the ledger') {
              const text = before.ledgers.get(stack);
              if (text !== undefined) store.ledgers.set(stack, text);
            } else if (sort === 'restore the index') store.shards = new Map(before.shards);
            else if (sort === 'lose a shard') store.shards.delete([...store.shards.keys()][owned.length]!);
            else if (sort === 'destroy') store.ledgers.delete(stack);
            else {
              // The second write is that of a run that goes on.
              store.put(stack, objects, ++generation);
              if (owned.length > 1) store.put(stack, objects, ++generation);
              if (sort !== 'apply by an older version')
                await updateOwnershipIndex(store.open(stack), summarize, key);
            }
          };
          await work().catch(() => {});
          if (sort === 'apply' && owned.length === 1)
            Object.assign(before, { ledgers: new Map(store.ledgers), shards: new Map(store.shards) });
          covered += (await checkAnswers(store)).covered;
        }
      }),
      { numRuns: runs(8000) },
    );
    expect(covered).toBeGreaterThan(50);
  },
);

it('a run counts the ledgers of others that it has read only because there is no index', async () => {
  const store = new MemoryStore();
  for (const stack of stacks) store.put(stack, { [`boxes/${stack}`]: {} }, 1);
  const readOtherLedgers = () => store.open('own').readLedgers([...store.ledgers.keys()]);
  const documents = { ownership: store.open('own'), readOtherLedgers } as Partial<Documents> as Documents;
  const session = { documents, ledger: { ...tinyLedger({}), stack: 'own' }, key };
  const withoutIndex = openOtherStacks(session);
  expect(await withoutIndex.countReadWithoutIndex()).toBe(3);
  await rebuildOwnershipIndex(store.open('own'), summarize, key);
  const withIndex = openOtherStacks(session);
  expect([await withIndex.count(), await withIndex.countReadWithoutIndex()]).toEqual([3, 0]);
  await withIndex.readAll();
  expect(await withIndex.countReadWithoutIndex()).toBe(0);
});

describe('an index that a run begins or builds again', () => {
  /** A store with the ledgers of three stacks, and the ownership store of a run that is interrupted by `meanwhile` after it has read them. */
  function interruptedStore(meanwhile: (store: MemoryStore) => Promise<void> | void) {
    const store = new MemoryStore();
    for (const stack of stacks) store.put(stack, { [`boxes/${stack}`]: {} }, 1);
    const opened = store.open('one');
    let writeCount = 0;
    let isInterrupted = false;
    const interrupted: OwnershipStore = {
      ...opened,
      readLedgers: async (names) => {
        const ledgers = await opened.readLedgers(names);
        if (!isInterrupted) {
          isInterrupted = true;
          await meanwhile(store);
        }
        return ledgers;
      },
      writeShards: (...write) => {
        writeCount++;
        return opened.writeShards(...write);
      },
    };
    const uncovered = async () =>
      (await openOwnershipIndex(store.open('own'), { ...tinyLedger({}), stack: 'own' }, key))?.uncovered;
    return { store, interrupted, uncovered, writeCount: () => writeCount };
  }

  it('is written at once', async () => {
    const { interrupted, uncovered, writeCount } = interruptedStore(() => {});
    await updateOwnershipIndex(interrupted, summarize, key, { ledgersRead: 100 });
    expect([writeCount(), await uncovered()]).toEqual([1, []]);
  });

  it('keeps the record of a run that has written its ledger meanwhile', async () => {
    const { store, interrupted, uncovered, writeCount } = interruptedStore(async () => {
      store.put('two', { 'boxes/new': {} }, 3);
      await updateOwnershipIndex(store.open('two'), summarize, key);
    });
    await rebuildOwnershipIndex(store.open('one'), summarize, key);
    // An older version of trueup wrote this one, so the shard has to be written.
    store.put('two', { 'boxes/old': {} }, 2);
    await rebuildOwnershipIndex(interrupted, summarize, key);
    expect([writeCount(), await uncovered()]).toEqual([1, []]);
  });

  it('is not begun if another run has begun it meanwhile, or if the run is to end', async () => {
    const { store, interrupted, uncovered, writeCount } = interruptedStore(() => stop.abort());
    const stop = new AbortController();
    const begin = updateOwnershipIndex(interrupted, summarize, key, {
      ledgersRead: 100,
      signal: stop.signal,
    });
    await expect(begin).rejects.toThrow();
    expect([writeCount(), await uncovered()]).toEqual([0, undefined]);
    await rebuildOwnershipIndex(store.open('two'), summarize, key);
    store.read.ledgers = 0;
    await updateOwnershipIndex(store.open('three'), summarize, key, { ledgersRead: 100 });
    expect(store.read.ledgers).toBe(1);
  });
});

/**
 * Builds the index of a store in which each of so many stacks has 20 objects, in one box or two of its own, and plans one of them in an account that
 * shows it some boxes of others. Returns what the plan reads of shards and ledgers, in bytes.
 */
async function measurePlan(
  count: number,
  boxesEach: number,
): Promise<{ bytes: number; ledgers: number; all: number }> {
  const store = new MemoryStore();
  const nameOf = (stack: number) => `team-${String(stack).padStart(4, '0')}`;
  for (let stack = 0; stack < count; stack++) {
    const objects: Tinies = {};
    for (let box = 0; box < boxesEach; box++) {
      objects[`boxes/${nameOf(stack)}-${box}`] = {};
      for (let item = 1; item < 20 / boxesEach; item++)
        objects[`boxes/${nameOf(stack)}-${box}/items/item-${item}`] = {};
    }
    store.put(nameOf(stack), objects, 1);
  }
  await rebuildOwnershipIndex(store.open(nameOf(7)), summarize, key);
  const all = [...store.ledgers.values()].join('').length;
  store.read = { characters: 0, ledgers: 0 };
  const index = (await openOwnershipIndex(
    store.open(nameOf(7)),
    { ...tinyLedger({}), stack: nameOf(7) },
    key,
  ))!;
  const own = Object.keys((JSON.parse(store.ledgers.get(nameOf(7))!) as Ledger).entries);
  const question = { ids: own.map(tinyId), names: own.map((address) => `box ${address.split('/')[1]}`) };
  const concerned = [...index.uncovered, ...index.find(question)];
  await store.open('').readLedgers(concerned);
  for (let stack = 8; stack < 108; stack++)
    expect(index.isOwned(`box ${tinyId(`boxes/${nameOf(stack)}-0`)}`, new Set(concerned))).toBe(true);
  return { bytes: store.read.characters, ledgers: store.read.ledgers, all };
}

/** The most bytes of index for each stack with one root, and for each further root. */
const [bytesPerStack, bytesPerRoot] = [26, 11];

inPart('a plan of one of 300 stacks reads so little that one of 5,000 reads at most 200 kB', async () => {
  for (const roots of [1, 2]) {
    const { bytes, ledgers, all } = await measurePlan(300, roots);
    const perStack = bytesPerStack + (roots - 1) * bytesPerRoot;
    expect(bytes).toBeLessThan(300 * perStack + 16 * 250 + ledgers * 10_000);
    expect(ledgers).toBeLessThan(5);
    expect(bytes).toBeLessThan(all / 50);
    expect(5000 * perStack + 16 * 250).toBeLessThan(200_000);
  }
});

sweepOnly('ledgers of 50 MB')('a plan of one of 5,000 stacks reads at most 200 kB', async () => {
  const { bytes, ledgers, all: total } = await measurePlan(5000, 1);
  console.log(`ownership of 5,000 stacks: ${bytes} bytes, ${ledgers} ledgers, of ${total} bytes`);
  expect(bytes).toBeLessThan(200_000);
});
