import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionsAndLookups } from '../../providers/hosting/day-two.ts';
import { hosting } from '../../providers/hosting/index.ts';
import { openSources } from '../../src/config/sources/sources.ts';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import type { Lease, LeaseClock } from '../../src/ledger/keep-lease.ts';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import { queryParametersOf } from '../../src/manual/coverage.ts';
import { isEmpty } from '../../src/model/plan.ts';
import { applyPlan } from '../../src/run/apply.ts';
import { openDeliveries } from '../../src/run/deliveries.ts';
import { openSessionPlan } from '../../src/run/open-plan.ts';
import type { RunSession } from '../../src/run/session.ts';
import { lockSessionLedger, openSessionLedger } from '../../src/run/session-ledger.ts';
import { noteCounts } from '../support/cost.ts';
import { here } from '../support/here.ts';
import { isTried } from '../support/sweep.ts';
import { kinds, World } from '../support/world.ts';

/*
 * Runs with `$then` that are killed, or meet a fault, at each of their steps: a request, or a write of the ledger. The runs after it bring it to
 * an end. What is not safe to repeat is never done twice; what was asked for is done, or told.
 */

const yaml = (url: string) => `projects:
  web:
    $then: [{ redeploy: {}, when: [env] }, { invalidateByTags: { tags: [a] }, when: [env] }]
    env: { API_URL: ${url}, OTHER: ${url} }
`;
const projects = [{ name: 'web', deployments: [{ id: 'dpl_live', target: 'production' }] }];

let world: World;
let now = Date.UTC(2026, 0, 1);
const clock: LeaseClock = {
  now: () => now,
  monotonic: () => now,
  sleep: async (milliseconds) => {
    now += milliseconds;
  },
};
beforeAll(async () => {
  world = await World.start(
    { seed: { team: { slug: 'acme' }, projects }, now: () => now },
    { clock: { ...here.clock, ...clock } },
  );
});
afterAll(() => world.stop());
const counts = { kills: 0, faults: 0, sent: 0, told: 0 };
noteCounts('following', () => counts);

/** What happens at each step of a run; it may never come back. */
type AtStep = <T>(work: () => Promise<T>, isWrite: boolean) => Promise<T>;
const undisturbed: AtStep = (work) => work();

async function sessionFor(text: string, atStep: AtStep): Promise<RunSession> {
  const { desired, diagnostics } = await world.configure(text);
  expect(diagnostics).toEqual([]);
  const documents = fileDocuments(join(world.folder, 'ledger.json'), here);
  const { key, masking, connection } = world;
  const owner = await connection.owner();
  const store = createLedgerStore(documents, { key, now: clock.now });
  const session = await openSessionLedger({
    ...{ desired, diagnostics, masking, kinds, owner, documents, key, clock },
    ...{
      origins: new Map(),
      secrets: new Map(),
      sent: () => new Map(),
      say: () => {},
      baseUrl: world.twin.url,
    },
    account: { type: owner.type, name: owner.slug },
    connection: {
      ...connection,
      send: (request, confirm) =>
        atStep(() => connection.send(request, confirm), !request.endpoint.startsWith('GET')),
    },
    store: { ...store, write: (...given) => atStep(() => store.write(...given), true) },
    lookUp: async () => undefined,
    actionsAndLookups: async () => {
      const operations = await hosting.operations();
      return { ...actionsAndLookups, queryOf: (endpoint) => queryParametersOf(endpoint, operations) };
    },
  });
  const lease = { lost: new AbortController().signal, confirm: async () => {}, release: async () => {} };
  await lockSessionLedger(session, lease as unknown as Lease);
  return session;
}

const places = { cwd: '/', env: {}, judgeCommand: openSources({ env: {}, cwd: '/' }).judgeCommand };

/** Plans and applies once; gives back the plan that was made. */
async function run(text: string, atStep: AtStep = undisturbed) {
  const session = await sessionFor(text, atStep);
  const planned = await openSessionPlan(session, { settle: 0 });
  if (!isEmpty(planned.plan)) {
    const deliveries = openDeliveries(planned, { ...places, say: session.say });
    await applyPlan(session, planned, { parallelism: 1, actionsAtOnce: 1, deliveries });
  }
  return planned.plan;
}

/** Redeploys that arrived and were done. */
const built = () =>
  world.twin.account.projects[0]!.deployments.filter(({ meta }) => meta.trueupRun !== undefined).length;
const invalidated = () =>
  world.twin.requests.filter(({ path, status }) => path.includes('invalidate-by-tags') && status < 400)
    .length;

/** The account and the ledger as they are before the change. */
async function begin(): Promise<void> {
  world.twin.setFaults({ faults: [] });
  const [project] = world.twin.account.projects;
  project!.env = [];
  await rm(join(world.folder, 'ledger.json'), { force: true });
  await run(yaml('one'));
  now += 600_000;
  project!.deployments = project!.deployments.filter(({ id }) => id === 'dpl_live');
  world.twin.requests.length = 0;
}

/** Runs again until nothing is left to do, or only what nobody knows of; and looks at what came of it. */
async function bringToAnEnd(what: string): Promise<void> {
  let plan = await run(yaml('two'));
  for (let turn = 0; turn < 4 && !isEmpty(plan); turn++) plan = await run(yaml('two'));
  const unknown = (plan.actions ?? []).filter(({ state }) => state === 'unknown').map(({ action }) => action);
  const values = world.twin.account.projects[0]!.env.map(({ value }) => value);
  expect({ what, values }).toEqual({ what, values: ['two', 'two'] });
  expect(plan.operations, what).toEqual([]);
  // Never twice; and never forgotten: done, or told.
  expect(built(), what).toBeLessThanOrEqual(1);
  expect({ what, told: unknown, built: built() }).toEqual(
    built() === 1 && unknown.length === 0
      ? { what, told: [], built: 1 }
      : { what, told: ['redeploy'], built: built() },
  );
  expect(invalidated(), what).toBeGreaterThanOrEqual(1);
  expect(
    (plan.actions ?? []).filter(({ state }) => state === 'due' || state === 'busy'),
    what,
  ).toEqual([]);
  counts.sent += built();
  counts.told += unknown.length;
}

/** A run that is killed at one of its steps: nothing of it goes on. `false` where it has fewer steps. */
async function killedAt(step: number, when: 'before' | 'after'): Promise<boolean> {
  let count = 0;
  let die = () => {};
  const killed = new Promise<'killed'>((done) => {
    die = () => done('killed');
  });
  const never = new Promise<never>(() => {});
  const end = await Promise.race([
    killed,
    run(yaml('two'), async (work) => {
      count++;
      if (count > step) return never;
      if (count < step) return work();
      if (when === 'after') await work();
      die();
      return never;
    }),
  ]);
  return end === 'killed';
}

test.each(['before', 'after'] as const)('killed %s each step', async (when) => {
  for (let step = 1; ; step++) {
    if (!isTried(step, 12)) continue;
    await begin();
    if (!(await killedAt(step, when))) break;
    counts.kills++;
    await bringToAnEnd(`killed ${when} step ${step}`);
  }
});

const faults = [
  { type: 'status', status: 500, when: 'before' },
  { type: 'status', status: 500, when: 'after' },
  { type: 'status', status: 403 },
  { type: 'connectionReset', when: 'before' },
  { type: 'connectionReset', when: 'after' },
  { type: 'cutJson' },
] as const;

test.each(faults)('with a fault of each request: %o', async (fault) => {
  for (let request = 1; ; request++) {
    // Each fault at other requests.
    if (!isTried(request + 2 * faults.indexOf(fault), 12)) continue;
    await begin();
    const before = world.twin.requests.length;
    world.twin.setFaults({ faults: [{ at: { request: before + request }, do: fault }] } as never);
    await run(yaml('two')).catch(() => {});
    const isOver = world.twin.requests.length - before < request;
    world.twin.setFaults({ faults: [] });
    if (isOver) break;
    counts.faults++;
    await bringToAnEnd(`${JSON.stringify(fault)} at request ${request}`);
  }
});
