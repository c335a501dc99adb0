import { expect, it } from 'vitest';
import type { Change } from '../../src/model/change.ts';
import type { Operation, Plan } from '../../src/model/plan.ts';
import { emptyLive, type Live, type LiveResource } from '../../src/model/resource.ts';
import { Checks } from '../../src/run/checks.ts';
import { kinds } from '../support/world.ts';

const fieldsOf = (path: string) => ({ url: `https://hooks.example.com/${path}`, events: ['domain.created'] });

/** A live webhook: an object of a kind without names, whose ids the platform makes. */
const webhook = (id: string, path = 'one'): LiveResource => ({
  address: `webhooks/#${id}`,
  kind: 'webhook',
  id,
  ids: [id],
  fields: fieldsOf(path),
  index: 0,
});
const creationOf = (address: string): Change =>
  ({ address, kind: 'webhook', action: 'create', fields: [], after: { fields: fieldsOf('one') } }) as never;
const changeOf = (address: string, action: 'delete' | 'replace', before: LiveResource): Change =>
  ({ address, kind: 'webhook', action, fields: [], before }) as never;
const liveWith = (objects: readonly LiveResource[]): Live => ({
  ...emptyLive(),
  resources: new Map(objects.map((object) => [object.address, object])),
});
const operationOf = (address: string) => ({ changes: [address] }) as Operation;

const created = 'webhooks/created';

/** What the plan, the ledger, a second reading and the run have. Each is empty by default. */
interface Case {
  /** A change whose operation has started before the creation is checked. */
  started?: Change;
  planned?: LiveResource[];
  current?: LiveResource[];
  /** The ids that the ledger has for the created address. */
  inLedger?: string[];
  /** The ids that the run has recorded, also those of objects that it has deleted since. */
  recorded?: string[];
}

const byOthers = `${created} was created by somebody else after the plan was made; plan again`;
const reappeared = `${created} reappeared after the plan was made; plan again`;

it.each<[what: string, problem: string | undefined, state: Case]>([
  ['an equal object of somebody else', byOthers, { current: [webhook('w1')] }],
  ['another object of somebody else', undefined, { current: [webhook('w1', 'two')] }],
  ['an equal object that the plan found', undefined, { planned: [webhook('w1')], current: [webhook('w1')] }],
  [
    'an equal object that the run has created, or found after a lost answer',
    undefined,
    { current: [webhook('w1')], recorded: ['w1'] },
  ],
  [
    'one of the run and one of somebody else',
    byOthers,
    { current: [webhook('w1'), webhook('w2')], recorded: ['w1'] },
  ],
  [
    'the old and the new object of a replacement',
    undefined,
    {
      started: changeOf('webhooks/replaced', 'replace', webhook('w1')),
      planned: [webhook('w1')],
      current: [webhook('w1'), webhook('w2')],
      recorded: ['w2'],
    },
  ],
  [
    'an object from another list that the run has started to change',
    undefined,
    { started: changeOf('webhooks/elsewhere', 'delete', webhook('w1')), current: [webhook('w1')] },
  ],
  ['its recorded object, which was gone', reappeared, { current: [webhook('w1', 'two')], inLedger: ['w1'] }],
  [
    'its recorded object, which another change of the run has',
    undefined,
    {
      started: changeOf('webhooks/elsewhere', 'delete', webhook('w1', 'two')),
      current: [webhook('w1', 'two')],
      inLedger: ['w1'],
    },
  ],
])('a creation whose list shows %s', async (_, problem, state) => {
  const { started, planned = [], current = [], inLedger, recorded = [] } = state;
  const live = liveWith(current);
  const checks = new Checks({
    plan: { changes: [creationOf(created), ...(started ? [started] : [])] } as unknown as Plan,
    live: liveWith(planned),
    kinds,
    ledger: { entries: inLedger ? { [created]: { kind: 'webhook', ids: inLedger } as never } : {} },
    refresh: async () => live,
    isRecordedByRun: (id) => recorded.includes(id),
    now: () => 0,
  });
  // A reading of an object that is to be changed may show a conflict of its own.
  if (started) await checks.check(operationOf(started.address)).catch(() => {});
  const message = await checks.check(operationOf(created)).then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(message).toBe(problem);
});

it('an id that is a name means the object of its own list, even if the run has created one with it elsewhere', async () => {
  const address = 'projects/web/firewall/bypass/example.com 192.0.2.1';
  const id = 'example.com#192.0.2.1';
  const members = { kind: 'firewallBypass', parent: 'projects/web' };
  const bypass = { ...members, address, id, ids: [id], fields: {}, index: 0 } as LiveResource;
  const change = { ...members, address, action: 'create', fields: [], after: { fields: {} } } as never;
  const checks = new Checks({
    plan: { changes: [change] } as unknown as Plan,
    live: liveWith([]),
    kinds,
    ledger: { entries: { [address]: { kind: 'firewallBypass', ids: [id] } as never } },
    refresh: async () => liveWith([bypass]),
    isRecordedByRun: () => true,
    now: () => 0,
  });
  await expect(checks.check(operationOf(address))).rejects.toThrow(`${address} reappeared`);
});

it('an operation that shares the reading of an earlier one sees what the run has recorded in between', async () => {
  const others = ['webhooks/second', 'webhooks/third'];
  const recorded = new Set<string>();
  let readings = 0;
  const live = liveWith([webhook('w1'), webhook('w2')]);
  const checks = new Checks({
    plan: { changes: [created, ...others].map(creationOf) } as unknown as Plan,
    live: liveWith([]),
    kinds,
    ledger: { entries: {} },
    refresh: async () => {
      readings++;
      return live;
    },
    isRecordedByRun: (id) => recorded.has(id),
    now: () => 0,
  });
  await expect(checks.check(operationOf(created))).rejects.toThrow(byOthers);
  recorded.add('w1');
  await expect(checks.check(operationOf(others[0]!))).rejects.toThrow('was created by somebody else');
  recorded.add('w2');
  await checks.check(operationOf(others[1]!));
  expect(readings).toBe(1);
});
