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

/*
 * Kills runs on their way, and lets the next run finish. `src/rehearse/crash-points.ts` tries the same for the plan of a user. Here the ledger is in files, the
 * journal can end in half a line, and the result is compared with the whole account of the twin instead of a reading.
 *
 * Terms
 *   step          a request, a write of the ledger, or a line of the journal
 *   crash point   the number of steps that the killed run makes. The last one is carried out, but the run never gets its answer.
 *   undisturbed   a run that was not killed
 */

/** Where a run is killed. */
export interface CrashPoint {
  steps: number;
  /** Only a part of the last line of the journal is on the disk. */
  torn?: true;
  /** Whether the working directory is there afterwards, with the journal; the ledger is kept elsewhere. */
  folder: 'kept' | 'lost';
}

/** A change of an account: the configuration that was applied before, and the one that the killed run applies. */
export interface Scenario {
  name: string;
  first?: Block;
  next: Block;
}

export const limits = { maxDeletions: 10_000 };

type Step = 'request' | 'ledger' | 'journal';

/** The result of an undisturbed run, which a killed run and the next one must reach together. */
export interface UndisturbedResult {
  shape: unknown;
  owned: string[];
  unmanaged: number;
  steps: Step[];
}

/** Plays a scenario without a crash. */
export async function playUndisturbed(scenario: Scenario): Promise<UndisturbedResult> {
  const world = await startScenario(scenario);
  try {
    const steps: Step[] = [];
    const place = ledgerPlace(world);
    await applyInSteps(world, scenario, place, (step) => {
      steps.push(step);
      return 'go on';
    });
    world.ledger = (await place.open('kept').read())!;
    const { unmanaged } = await expectDone(world, scenario);
    return { shape: accountShape(world.twin.account), owned: ownedBy(world), unmanaged, steps };
  } finally {
    await world.stop();
  }
}

/** Plays a scenario with a crash, and then the next run: nothing may be lost, doubled or left over. */
export async function playWithCrash(
  scenario: Scenario,
  point: CrashPoint,
  expected: UndisturbedResult,
): Promise<void> {
  const world = await startScenario(scenario);
  try {
    const ledgerBefore = world.ledger;
    const place = ledgerPlace(world);
    let stepCount = 0;
    await applyInSteps(world, scenario, place, () => {
      stepCount += 1;
      if (stepCount > point.steps) throw new Error('the process is gone');
      return stepCount === point.steps ? 'crash after it' : 'go on';
    }).catch(() => {});
    if (point.torn) await place.tear();
    world.ledger = (await place.open(point.folder).read()) ?? ledgerBefore;
    await applyRest(world, scenario);
    const { unmanaged } = await expectDone(world, scenario);
    const shape = accountShape(world.twin.account);
    expect(differences(shape, expected.shape).join('\n')).toBe('');
    expect([ownedBy(world), unmanaged]).toEqual([expected.owned, expected.unmanaged]);
  } finally {
    await world.stop();
  }
}

const ownedBy = ({ ledger }: World) => Object.keys(ledger.entries).sort();

/** Returns the ledger of a world: documents outside of its working directory, and a journal in it. */
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
 * Applies the change of a scenario, and calls `onStep` before each step. If it answers `crash after it`, the step is carried out and its answer is lost.
 * Throws like a process that is killed then: nothing after it runs.
 */
async function applyInSteps(
  world: World,
  scenario: Scenario,
  { documents, journal }: ReturnType<typeof ledgerPlace>,
  onStep: (step: Step) => 'go on' | 'crash after it',
): Promise<void> {
  const planned = await world.plan(stringify(scenario.next), limits);
  const takeStep = async <T>(step: Step, work: () => Promise<T>): Promise<T> => {
    const isLast = onStep(step) === 'crash after it';
    const result = await work();
    if (isLast) throw new Error('the process is gone');
    return result;
  };
  const store = createLedgerStore(
    {
      ...documents,
      write: (...options) => takeStep('ledger', () => documents.write(...options)),
    },
    {
      key: world.key,
      journal: {
        ...journal,
        start: (...options) => takeStep('journal', () => journal.start(...options)),
        append: (...options) => takeStep('journal', () => journal.append(...options)),
      },
    },
  );
  await store.read();
  const keeper = createLedgerKeeper({ store, generation: planned.ledger.generation });
  try {
    const { send } = world.connection;
    const { outcome } = await world.apply(planned, {
      send: (request) => takeStep('request', () => send(request)),
      save: keeper.save,
      deliver: async () => {},
    });
    expect(outcome.failed).toEqual([]);
    await keeper.close();
  } finally {
    await journal.close();
  }
}

/** Starts an account on which the first configuration of a scenario was applied. */
async function startScenario({ first }: Scenario): Promise<World> {
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

/** Plans and applies what a killed run has left to do. */
async function applyRest(world: World, { next }: Scenario): Promise<void> {
  const planned = await world.plan(stringify(withAppIds(next, world)), limits);
  const errors = planned.plan.diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors, describe(planned.plan)).toEqual([]);
  const { outcome } = await world.apply(planned, { deliver: async () => {} });
  expect(outcome.failed.map(({ address, error }) => `${address}: ${(error as Error).message}`)).toEqual([]);
}

/** Expects that a further plan is empty. */
async function expectDone(world: World, { next }: Scenario): Promise<{ unmanaged: number }> {
  const { plan } = await world.plan(stringify(next), limits);
  expect(plan.changes.filter(({ action }) => action !== 'noop').length, describe(plan)).toBe(0);
  expect(plan.operations.length, describe(plan)).toBe(0);
  return { unmanaged: plan.unmanaged.length };
}
