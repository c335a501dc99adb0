import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSources } from '../../src/config/sources/sources.ts';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { acquireLease } from '../../src/ledger/lease.ts';
import { createHolder } from '../../src/ledger/lease-record.ts';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import type { ApplyEvent } from '../../src/model/event.ts';
import { isEmpty } from '../../src/model/plan.ts';
import { applyPlan } from '../../src/run/apply.ts';
import { openDeliveries } from '../../src/run/deliveries.ts';
import { openSessionPlan } from '../../src/run/open-plan.ts';
import { lockSessionLedger, openSessionLedger } from '../../src/run/session-ledger.ts';
import { verify } from '../../src/run/verify.ts';
import { here } from '../support/here.ts';
import { kinds, World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** A session as a program would open it: configuration, account, ledger; no terminal and no flags. */
async function sessionFor(yaml: string, said: string[]) {
  const { desired, diagnostics } = await world.configure(yaml);
  const documents = fileDocuments(join(world.folder, 'ledger.json'), here);
  const { key, masking, connection } = world;
  const owner = await connection.owner();
  const session = await openSessionLedger({
    desired,
    diagnostics,
    origins: new Map(),
    secrets: new Map(),
    masking,
    kinds,
    connection,
    owner,
    account: { type: owner.type, name: owner.slug },
    baseUrl: world.twin.url,
    documents,
    store: createLedgerStore(documents, { key }),
    key,
    clock: here.clock,
    actionsAndLookups: () => Promise.reject(new Error('nothing asks for actions')),
    lookUp: () => Promise.reject(new Error('nothing is looked up')),
    sent: () => new Map([['GET /v2/user', world.twin.requests.length]]),
    say: (text) => said.push(text),
  });
  return { session, documents };
}

const places = { cwd: '/', env: {}, judgeCommand: openSources({ env: {}, cwd: '/' }).judgeCommand };

it('a program plans, applies and verifies; a second session finds the ledger and nothing to do', async () => {
  const yaml = 'projects: { web: { framework: nextjs, env: { LEVEL: { value: debug, comment: loud } } } }';
  const said: string[] = [];
  const { session, documents } = await sessionFor(yaml, said);
  const planned = await openSessionPlan(session);
  expect(new Set(planned.plan.changes.map(({ action }) => action))).toEqual(new Set(['create']));
  const deliveries = openDeliveries(planned, { ...places, say: session.say });

  await expect(applyPlan(session, planned, { parallelism: 1, deliveries })).rejects.toThrow('lease');
  expect(world.writes()).toEqual([]);

  const lease = await acquireLease(documents, { holder: createHolder(here), clock: here.clock });
  await lockSessionLedger(session, lease);
  const events: ApplyEvent['type'][] = [];
  const onEvent = ({ type }: ApplyEvent) => events.push(type);
  const outcome = await applyPlan(session, planned, { parallelism: 1, deliveries, onEvent });
  expect(outcome).toMatchObject({ failed: [], skipped: [], postponed: [], interrupted: false });
  expect(outcome.done).toEqual(planned.plan.changes.map(({ address }) => address).sort());
  expect(events).toEqual(['started', 'succeeded', 'started', 'succeeded']);
  expect(Object.keys(session.ledger.entries).sort()).toEqual(outcome.done);

  const stop = new AbortController().signal;
  const verified = await verify(session, planned, { settle: 0, within: 0, onWait: () => {}, stop });
  expect(isEmpty(verified.planned.plan)).toBe(true);
  await lease.release();

  const again = await sessionFor(yaml, said);
  expect(again.session.ledger.generation).toBe(session.ledger.generation);
  expect(isEmpty((await openSessionPlan(again.session, { settle: 0 })).plan)).toBe(true);
  expect(said).toEqual([]);
});

it('a plan that somebody else was faster than is not carried out', async () => {
  const { session, documents } = await sessionFor('projects: { late: {} }', []);
  const planned = await openSessionPlan(session, { settle: 0 });
  const other = await sessionFor('projects: { late: {} }', []);
  await other.session.store.write(other.session.ledger);
  const lease = await acquireLease(documents, { holder: createHolder(here), clock: here.clock });
  await lockSessionLedger(session, lease);
  const before = world.writes().length;
  const deliveries = openDeliveries(planned, { ...places, say: session.say });
  await expect(applyPlan(session, planned, { parallelism: 1, deliveries })).rejects.toMatchObject({
    diagnostics: [{ code: 'ledger/moved' }],
  });
  expect(world.writes().length).toBe(before);
  await lease.release();
});
