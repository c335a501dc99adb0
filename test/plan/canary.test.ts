import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Change, grades, undoable } from '../../src/model/change.ts';
import { emptyLedger } from '../../src/model/ledger.ts';
import { canaryOperation, type Operation } from '../../src/model/plan.ts';
import { emptyLive } from '../../src/model/resource.ts';
import { chooseFirstChange } from '../../src/plan/choose-first-change.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { change as changeWith, resource } from '../report/builders.ts';
import { kinds } from '../support/world.ts';

const actions = ['create', 'update', 'adopt', 'replace', 'delete', 'move'] as const;

/** An operation of several changes of one kind, each with any harm, after some of those before it. */
const operations = fc.array(
  fc.record({
    kind: fc.constantFrom('project', 'projectEnvVar', 'dnsRecord', 'webhook', 'firewallRule', 'projectRoute'),
    changes: fc.array(
      fc.record({
        action: fc.constantFrom(...actions),
        grade: fc.constantFrom(...grades, 'safe' as const, 'safe' as const),
        can: fc.constantFrom(...undoable, 'wholly' as const),
        protect: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    isBatch: fc.boolean(),
    after: fc.array(fc.nat(4), { maxLength: 1 }),
  }),
  { minLength: 1, maxLength: 5 },
);

it('is a harmless change that waits for no other, and changes nothing else of the plan', () => {
  let chosen = 0;
  fc.assert(
    fc.property(operations, (given) => {
      const changes: Change[] = [];
      const made = given.map(({ kind, changes: own, isBatch, after }, index): Operation => {
        const addresses = own.map(({ action, grade, can, protect }, at) => {
          const address = `things/${index}-${at}`;
          const fields = { name: 'n', key: 'k', type: 'plain', value: 'v', records: [] };
          const planned = changeWith(action, address, {
            ...{ kind, grade, undo: { can } },
            after: { ...resource(address, fields), meta: protect ? { protect } : {} },
            fields: Object.entries(fields).map(([path, value]) => ({ path, after: value, cause: 'edit' })),
          });
          changes.push(planned);
          return address;
        });
        return {
          ...{ id: `create ${addresses[0]}`, kind, changes: addresses },
          requests: isBatch
            ? [{ endpoint: 'POST /x', body: addresses, batch: addresses.map((address) => [address]) }]
            : [{ endpoint: 'POST /x' }],
          dependsOn: after.filter((other) => other < index).map((other) => `create things/${other}-0`),
        };
      });
      const input = {
        ...{ kinds, live: emptyLive(), ledger: emptyLedger('', '', 'test') },
        options: { canary: 'on-first-contact' },
      } as unknown as PlanInput;
      const result = chooseFirstChange(made, changes, input);
      const sent = (list: Operation[]) => list.flatMap((operation) => operation.changes).sort();
      expect(sent(result.operations)).toEqual(sent(made));
      expect(result.firstContact === undefined).toBe(changes.length < 2);
      const canary = canaryOperation(result);
      if (!canary) return;
      chosen++;
      const [address, ...others] = canary.changes;
      expect([canary.dependsOn, others]).toEqual([[], []]);
      const change = changes.find((one) => one.address === address)!;
      expect(change).toMatchObject({ grade: 'safe', undo: { can: 'wholly' }, after: { meta: {} } });
      expect(['create', 'update', 'adopt']).toContain(change.action);
      expect(['project', 'projectEnvVar', 'dnsRecord']).toContain(change.kind);
      // What waited for the batch waits for both of its parts.
      for (const { dependsOn } of result.operations)
        for (const id of dependsOn) expect(result.operations.map((operation) => operation.id)).toContain(id);
      expect(canary.requests[0]!.body ?? [address]).toEqual([address]);
    }),
  );
  expect(chosen).toBeGreaterThan(0);
});

it.each(['projectDomain', 'domain', 'alias', 'dnsRecord'])(
  'is nothing that can be seen from outside if there is something else: %s',
  (kind) => {
    const changes = [kind, 'projectEnvVar'].map((name, index): Change => {
      const address = `things/${index}`;
      const fields = { name: 'n', key: 'k', alias: 'n', type: 'plain', value: 'v', records: [] };
      return {
        ...{ address, kind: name, action: 'create', grade: 'safe', undo: { can: 'wholly' } },
        ...{ after: resource(address, fields), fields: [{ path: 'name', after: 'n', cause: 'edit' }] },
      };
    });
    const made = changes.map(
      ({ address, kind: name }): Operation => ({
        ...{ id: `create ${address}`, kind: name, changes: [address] },
        ...{ requests: [{ endpoint: 'POST /x' }], dependsOn: [] },
      }),
    );
    const input = {
      ...{ kinds, live: emptyLive(), ledger: emptyLedger('', '', 'test') },
      options: { canary: 'on-first-contact' },
    } as unknown as PlanInput;
    expect(chooseFirstChange(made, changes, input).firstContact).toEqual({ firstChange: 'things/1' });
  },
);
