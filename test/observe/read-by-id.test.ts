import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import type { FaultPlan } from '../../providers/hosting/twin/index.ts';
import { singleReadOf } from '../../src/kind/define-kind.ts';
import type { Kind } from '../../src/kind/kind.ts';
import type { ApiOperation } from '../../src/kind/provider.ts';
import type { ApiObject } from '../../src/kind/read.ts';
import { operationOf } from '../../src/manual/coverage.ts';
import type { Plan } from '../../src/model/plan.ts';
import { everyKind } from '../support/every-kind.ts';
import { sampleSeed } from '../support/samples.ts';
import { actions, codes, intercept, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import { World } from '../support/world.ts';

const story = oneStoryIn(5);

/** Reads of one object that no kind uses, and why. */
const unused: Record<string, string> = {
  'GET /v1/global-config/{edgeConfigId}/token/{token}': 'takes the token, which only its creation shows',
  'GET /v2/sandboxes/{name}': 'can start a stopped sandbox, and answers 402, 409 or 410 for an expired one',
  'GET /v1/security/firewall/config/{configVersion}': 'a version of the document, not an object in it',
};

const outside = await hosting.extraOperations();

/** The kinds whose lists are checked against reads by id. The twin makes no faults in reads that the catalog does not have. */
const checked = allKinds.filter((kind) => {
  const single = singleReadOf(kind);
  return kind.read.endpoint !== undefined && single && !operationOf(single.endpoint, outside);
});

let operations: readonly ApiOperation[];
beforeAll(async () => {
  operations = await hosting.operations();
});

it('each operation that reads one object that can be declared is used for that, or there is a reason', () => {
  const used = new Set(checked.map((kind) => operationOf(singleReadOf(kind)!.endpoint, operations)));
  const withoutList = allKinds.filter(({ read }) => read.endpoint === undefined);
  for (const kind of withoutList) used.add(operationOf(singleReadOf(kind)?.endpoint ?? 'GET /', operations));
  const reads = operations.filter(
    ({ method, path, isDeclarable }) => method === 'GET' && isDeclarable && path.endsWith('}'),
  );
  const left = reads
    .filter((operation) => !used.has(operation))
    .map(({ method, path }) => `${method} ${path}`);
  expect(left.sort()).toEqual(Object.keys(unused).sort());
  for (const { read, name } of checked) expect(singleReadOf({ read })!.endpoint, name).toContain('{id}');
});

/** An object under another id. */
function withId(object: ApiObject, kind: Kind, id: string): ApiObject {
  const current = typeof kind.id === 'function' ? kind.id(object) : object[kind.id ?? 'id'];
  const replace = (value: unknown): unknown =>
    value === current
      ? id
      : typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replace(member)]))
        : value;
  return replace(object) as ApiObject;
}

/** Names the operation of an endpoint as faults do. */
function operationName(endpoint: string): string {
  const found = operationOf(endpoint, operations);
  return found?.operationId ?? (found ? `${found.method} ${found.path}` : endpoint.split('?')[0]!);
}

/** A list that the twin makes no faults in, since the catalog does not have it. */
const storeList = 'GET /v1/storage/stores';

/** Hides all objects in the ledger of these kinds from their lists until the end of the test. */
function hide(world: World, kinds: readonly Kind[]): void {
  const entries = Object.values(world.ledger.entries);
  onTestFinished(
    intercept(world, async (request, send) =>
      request.endpoint === storeList ? { stores: [] } : send(request),
    ),
  );
  const inCatalog = kinds.filter((kind) => kind.read.endpoint !== storeList);
  const faults = inCatalog.flatMap((kind): FaultPlan['faults'] => {
    const without = entries.filter((entry) => entry.kind === kind.name).flatMap(({ ids }) => ids);
    return [kind.read.endpoint!].flat().map((endpoint) => ({
      at: { operation: operationName(endpoint) },
      do: { type: 'cutList', without },
    }));
  });
  world.twin.setFaults({ faults });
  onTestFinished(() => world.twin.setFaults({ faults: [] }));
}

/** Names the operations that read one object of these kinds. */
const singleReads = (kinds: readonly Kind[]): string[] => [
  ...new Set(kinds.map((kind) => operationName(singleReadOf(kind)!.endpoint))),
];

/** The operations that read one object, of the requests since `since`. */
function singleReadsSince(world: World, since: number): string[] {
  const all = singleReads(checked);
  const sent = new Set(world.twin.requests.slice(since).map(({ operationId }) => operationId));
  return all.filter((name) => sent.has(name));
}

describe('an object in the ledger that the list does not show', () => {
  const yaml = everyKind(checked, 18)(0);
  let world: World;
  beforeAll(async () => {
    world = await World.start({ seed: sampleSeed });
    await world.converge(yaml);
    return () => world.stop();
  }, 120_000);

  story('is not created again', async () => {
    hide(world, checked);
    const since = world.twin.requests.length;
    const { plan } = await world.plan(yaml);
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(actions(plan)).toEqual([]);
    expect(singleReadsSince(world, since)).toEqual(singleReads(checked));
  });

  story('is deleted like any other', async () => {
    const shown = await world.plan(yaml, { destroy: true });
    hide(world, checked);
    const { plan } = await world.plan(yaml, { destroy: true });
    expect(actions(plan)).toEqual(actions(shown.plan));
    expect(actions(plan).filter((action) => action.startsWith('forget'))).toEqual([]);
  });

  const parents = new Set(checked.map(({ parent }) => parent));
  const [containers, leaves] = [true, false].map((isContainer) =>
    checked.filter(({ name }) => parents.has(name) === isContainer),
  ) as [Kind[], Kind[]];

  /** Plans with objects of these kinds hidden from their lists, and other answers to reads by their ids. */
  async function planWhere(
    kinds: readonly Kind[],
    answer: (object: ApiObject, kind: Kind) => unknown,
  ): Promise<Plan> {
    hide(world, kinds);
    onTestFinished(
      intercept(world, async (request, send) => {
        const kind = kinds.find((one) => singleReadOf(one)!.endpoint === request.endpoint);
        const answered = await send(request);
        return kind && request.params?.id !== undefined ? answer(answered as ApiObject, kind) : answered;
      }),
    );
    return (await world.plan(yaml)).plan;
  }

  const refusing =
    (status: number, more: object = {}) =>
    (): never => {
      throw Object.assign(new Error(`GET /x answered ${status}`), {
        status,
        path: '/x',
        method: 'GET',
        ...more,
      });
    };
  /** The object in an answer, changed. */
  const changed =
    (change: (object: ApiObject, kind: Kind) => ApiObject) =>
    (answer: ApiObject, kind: Kind): ApiObject => {
      const { item } = singleReadOf(kind)!;
      const member = typeof item === 'string' ? item : item && 'store' in answer ? 'store' : undefined;
      return member === undefined
        ? change(answer, kind)
        : { ...answer, [member]: change(answer[member] as ApiObject, kind) };
    };

  const unclear: [why: string, answer: Parameters<typeof planWhere>[1]][] = [
    ['it is refused', refusing(403)],
    ['it is said to be gone for good', refusing(410)],
    ['it fails', refusing(500)],
    ['it has to wait for too long', refusing(429, { isForLater: true })],
    ['the answer is empty', () => undefined],
    ['the answer is a list', (answer) => [answer]],
    ['the answer has no members', () => ({})],
    ['the answer is another object', changed((object, kind) => withId(object, kind, 'another'))],
    ['the answer is an object of another kind', () => ({ id: 'prj_1', name: 'web', accountId: 'team_1' })],
  ];

  describe.each([
    ['alone', leaves],
    ['with others in it', containers],
  ] as const)('%s', (_, kinds) => {
    it.each(sampled([...unclear.keys()], 1))(
      'is neither created nor deleted if the read by its id is unclear (answers shifted by %d)',
      async (shift) => {
        // The kinds have different answers in one plan, and the sweep shifts them until each kind had each answer.
        const reasons = new Map(
          kinds.map((kind, index) => [kind, unclear[(index + shift) % unclear.length]!]),
        );
        // Some operations answer without a body if there is no such object.
        const read = kinds.filter(
          (kind) => reasons.get(kind)![0] !== 'the answer is empty' || !singleReadOf(kind)!.emptyIfMissing,
        );
        const plan = await planWhere(read, (answer, kind) => reasons.get(kind)![1](answer, kind));
        const concerned = (kind: string) => read.some(({ name }) => name === kind);
        expect(actions(plan)).toEqual([]);
        expect(codes(plan)).toContain('observe/incomplete');
        const open = new Set(plan.notCompared!.flatMap(({ items }) => items.map(({ address }) => address)));
        const hidden = Object.entries(world.ledger.entries).filter(([, entry]) => concerned(entry.kind));
        expect(hidden.map(([address]) => address).filter((address) => !open.has(address))).toEqual([]);
      },
    );

    story('is created again if it is gone', async () => {
      const plan = await planWhere(kinds, refusing(404));
      const kept = plan.changes.filter(
        ({ kind, action }) => action === 'noop' && kinds.some(({ name }) => name === kind),
      );
      expect(kept.map(({ address }) => address)).toEqual([]);
    });

    story('is created again if it is elsewhere by now', async () => {
      const moving = kinds.filter((kind) => singleReadOf(kind)!.within !== undefined);
      const plan = await planWhere(moving, (answer, kind) => {
        const { within, item } = singleReadOf(kind)!;
        if (typeof item === 'function' && within !== 'domain')
          return changed((store) => ({ ...store, product: { integrationConfigurationId: 'another' } }))(
            answer,
            kind,
          );
        return changed((object) => ({ ...object, [within!]: 'another' }))(answer, kind);
      });
      const kept = plan.changes.filter(
        ({ kind, action }) => action === 'noop' && moving.some(({ name }) => name === kind),
      );
      expect(kept.map(({ address }) => address)).toEqual([]);
    });
  });

  story('is created again if somebody deleted it, however the platform says that', async () => {
    const before = structuredClone(world.ledger);
    const removal = await world.plan(yaml, { destroy: true, maxDeletions: 1000 });
    const { outcome } = await world.apply(removal);
    const failed = new Set(
      [...outcome.failed, ...outcome.postponed, ...outcome.skipped].map(({ address }) => address),
    );
    const deleted = removal.plan.changes.filter(
      ({ action, address }) => action === 'delete' && !failed.has(address),
    );
    expect(deleted.length).toBeGreaterThan(25);
    world.ledger = before;
    const { plan } = await world.plan(yaml);
    expect(codes(plan)).not.toContain('observe/incomplete');
    const created = new Set(
      plan.changes.flatMap(({ action, address }) => (action === 'noop' ? [] : [address])),
    );
    const kept = deleted.filter(({ address }) => !created.has(address));
    expect(kept.map(({ address }) => address)).toEqual([]);
  });
});

describe('a run reads nothing by its id', () => {
  const webhooks = ['a', 'b', 'c'].map(
    (name) => `${name}: { url: "https://${name}.example.com", events: [domain.created], $secretTo: discard }`,
  );
  const domainIn = (project: string) =>
    `projects: { one: {}, two: {} }\n`.replace(
      `${project}: {}`,
      `${project}: { domains: { shop.example.com: {} } }`,
    );

  oneRowIn(4)([
    ['that it deletes', [`webhooks: { ${webhooks.join(', ')} }`, 'webhooks: {}'], () => {}],
    [
      'that was gone when it was planned',
      [`webhooks: { ${webhooks.join(', ')} }`, `webhooks: { ${webhooks.join(', ')} }`],
      ({ twin }: World) => void twin.account.webhooks.splice(0),
    ],
    ['that it moves', [domainIn('one'), domainIn('two')], () => {}],
    ['that it makes', ['projects: {}', `webhooks: { ${webhooks.join(', ')} }`], () => {}],
  ] as const)('%s', async (_, [first, next], between) => {
    const world = await newWorld();
    await world.converge(first);
    between(world);
    const planned = await world.plan(next);
    expect(planned.plan.operations.length).toBeGreaterThan(0);
    const since = world.twin.requests.length;
    const { outcome } = await world.apply(planned);
    expect(outcome.failed).toEqual([]);
    expect(actions((await world.plan(next)).plan)).toEqual([]);
    expect(singleReadsSince(world, since)).toEqual([]);
  });
});

story('a DNS record of any type is the same read by its id', async () => {
  const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
  const records = `domains:
  example.com:
    records:
      - { type: A, name: "@", value: 192.0.2.1, comment: web }
      - { type: AAAA, name: "@", value: "2001:db8::1" }
      - { type: CNAME, name: www, value: example.com. }
      - { type: ALIAS, name: alias, value: example.com. }
      - { type: NS, name: sub, value: ns1.example.net. }
      - { type: MX, name: "@", value: mail.example.com., mxPriority: 10 }
      - { type: MX, name: "@", value: backup.example.com., mxPriority: 0 }
      - { type: TXT, name: "@", value: "10 v=spf1 -all" }
      - { type: CAA, name: "@", value: '0 issue "ca.example.net"' }
      - { type: SRV, name: _sip._tcp, srv: { priority: 1, weight: 2, port: 5060, target: sip.example.com. } }
      - { type: SRV, name: _none._tcp, srv: { priority: 0, weight: 0, port: 0, target: . } }
      - { type: HTTPS, name: "@", https: { priority: 1, target: ., params: alpn=h2 } }
      - { type: HTTPS, name: h, https: { priority: 0, target: example.net. } }
`;
  await world.converge(records);
  hide(world, [allKinds.find(({ name }) => name === 'dnsRecord')!]);
  const since = world.twin.requests.length;
  expect(actions((await world.plan(records)).plan)).toEqual([]);
  expect(singleReadsSince(world, since)).toEqual(['getDomainsRecordsByRecordId']);
});
