import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { openJournal } from '../../src/ledger/journal.ts';
import { createLedgerKeeper } from '../../src/ledger/keep-ledger.ts';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import { here } from '../support/here.ts';
import { type Block, sampleSeed } from '../support/samples.ts';
import { describe, World } from '../support/world.ts';
import { accountShape, differences } from './account-shape.ts';
import { withAppIds } from './app-ids.ts';

/**
 * Where a run ends: after so many of its steps (requests, writes of the ledger and of the journal), so before the next one. Of a
 * request nobody hears the answer; of a line of the journal, `torn`, only a part is on the disk.
 */
export interface CrashPoint {
  steps: number;
  torn?: true;
  /** Whether the working directory is there afterwards, with the journal; the ledger is kept elsewhere. */
  folder: 'kept' | 'lost';
}

/** A change of an account: what was applied, and what is applied then. */
export interface Scenario {
  name: string;
  first?: Block;
  next: Block;
}

export const limits = { maxDeletions: 10_000 };

/** What an undisturbed run comes to. */
export interface Smooth {
  shape: unknown;
  owned: string[];
  unmanaged: number;
  steps: ('request' | 'ledger' | 'journal')[];
}

/** Plays a scenario without trouble. */
export async function smooth(scenario: Scenario): Promise<Smooth> {
  const world = await begin(scenario);
  try {
    const steps: Smooth['steps'] = [];
    const place = ledgerPlace(world);
    await doom(world, scenario, place, (step) => void steps.push(step));
    world.ledger = (await place.open('kept').read())!;
    const { unmanaged } = await expectDone(world, scenario);
    return { shape: accountShape(world.twin.account), owned: ownedBy(world), unmanaged, steps };
  } finally {
    await world.stop();
  }
}

/** Plays it with a crash, then once more: nothing may be lost, doubled or left over. */
export async function crashed(scenario: Scenario, point: CrashPoint, expected: Smooth): Promise<void> {
  const world = await begin(scenario);
  try {
    const before = world.ledger;
    const place = ledgerPlace(world);
    let done = 0;
    await doom(world, scenario, place, () => {
      done += 1;
      if (done > point.steps) throw new Error('the process is gone');
      return done === point.steps;
    }).catch(() => {});
    if (point.torn) await place.tear();
    world.ledger = (await place.open(point.folder).read()) ?? before;
    await finish(world, scenario);
    const { unmanaged } = await expectDone(world, scenario);
    const found = accountShape(world.twin.account);
    expect(differences(found, expected.shape).join('\n')).toBe('');
    expect([ownedBy(world), unmanaged]).toEqual([expected.owned, expected.unmanaged]);
  } finally {
    await world.stop();
  }
}

const ownedBy = ({ ledger }: World) => Object.keys(ledger.entries).sort();

/** The ledger of a world: documents elsewhere, written seldom, and a journal in its folder. */
function ledgerPlace(world: World) {
  const path = join(world.folder, 'elsewhere', 'ledger.json');
  const journal = join(world.folder, 'journal');
  return {
    open: (folder: CrashPoint['folder']) =>
      createLedgerStore(fileDocuments(path, here), {
        key: world.key,
        journal: folder === 'kept' ? openJournal(journal, world.key) : undefined,
      }),
    documents: fileDocuments(path, here),
    journal: openJournal(journal, world.key),
    tear: async () => {
      const { size } = await stat(journal);
      await truncate(journal, size - 5);
    },
  };
}

/**
 * Applies the scenario's change while each step is told before it is done; one that is told to be the last is done, but nobody hears
 * of it. Whatever is thrown then is what happens to a process that is no more.
 */
async function doom(
  world: World,
  scenario: Scenario,
  { documents, journal }: ReturnType<typeof ledgerPlace>,
  told: (step: Smooth['steps'][number]) => boolean | undefined,
): Promise<void> {
  const planned = await world.plan(stringify(scenario.next), limits);
  const step = async <T>(name: Smooth['steps'][number], work: () => Promise<T>): Promise<T> => {
    const isLast = told(name) === true;
    const result = await work();
    if (isLast) throw new Error('the process is gone');
    return result;
  };
  const store = createLedgerStore(
    {
      ...documents,
      write: (...given) => step('ledger', () => documents.write(...given)),
    },
    {
      key: world.key,
      journal: {
        ...journal,
        start: (...given) => step('journal', () => journal.start(...given)),
        append: (...given) => step('journal', () => journal.append(...given)),
      },
    },
  );
  await store.read();
  const keeper = createLedgerKeeper({ store, generation: planned.ledger.generation });
  try {
    const { send } = world.connection;
    const { outcome } = await world.apply(planned, {
      send: (request) => step('request', () => send(request)),
      save: keeper.save,
      deliver: async () => {},
    });
    expect(outcome.failed).toEqual([]);
    await keeper.close();
  } finally {
    await journal.close();
  }
}

async function begin({ first }: Scenario): Promise<World> {
  const world = await World.start({ seed: sampleSeed });
  world.parallelism = 1;
  if (first) {
    const planned = await world.plan(stringify(first), limits);
    const { outcome } = await world.apply(planned, { deliver: async () => {} });
    expect(outcome.failed).toEqual([]);
  }
  world.ledger = await ledgerPlace(world).open('lost').write(world.ledger);
  return world;
}

async function finish(world: World, { next }: Scenario): Promise<void> {
  const planned = await world.plan(stringify(withAppIds(next, world)), limits);
  const errors = planned.plan.diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors, describe(planned.plan)).toEqual([]);
  const { outcome } = await world.apply(planned, { deliver: async () => {} });
  expect(outcome.failed.map(({ address, error }) => `${address}: ${(error as Error).message}`)).toEqual([]);
}

async function expectDone(world: World, { next }: Scenario): Promise<{ unmanaged: number }> {
  const { plan } = await world.plan(stringify(next), limits);
  expect(plan.changes.filter(({ action }) => action !== 'noop').length, describe(plan)).toBe(0);
  expect(plan.operations.length, describe(plan)).toBe(0);
  return { unmanaged: plan.unmanaged.length };
}
