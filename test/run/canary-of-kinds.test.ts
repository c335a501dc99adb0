import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Kind } from '../../src/kind/kind.ts';
import { emptyLedger } from '../../src/model/ledger.ts';
import { canaryOperation } from '../../src/model/plan.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { sampleSeed } from '../support/samples.ts';
import { sampled } from '../support/sweep.ts';
import { kinds, World } from '../support/world.ts';

/** Applies objects of a kind, changes all of them, and applies that with an empty ledger. Returns the requests of the second apply. */
async function play(kind: Kind, options: PlanOptions) {
  const world = await World.start({ seed: sampleSeed });
  world.parallelism = 1;
  try {
    const runs = [];
    const cases = casesOf(kind);
    for (const step of [0, 1]) {
      const yaml = stringify(bodyOf(kind, cases, step));
      world.ledger = emptyLedger(world.twin.url, world.ledger.owner, 'test');
      const planned = await world.plan(yaml, { ...options, maxDeletions: 1000 });
      const since = world.twin.requests.length;
      const { outcome, events } = await world.apply(planned);
      const requests = world.twin.requests.length - since;
      const { unverifiedFirstChange } = world.ledger;
      runs.push({ plan: planned.plan, outcome, events, requests, unverifiedFirstChange });
    }
    return runs;
  } finally {
    await world.stop();
  }
}

// Its first change refers to a webhook that exists already. Webhooks have no natural key, so the account has it under another address.
const withUnnamedReference = kinds.get('alertNotification')!;
const tried = new Set([withUnnamedReference, ...sampled([...kinds.values()], 2)]);

describe('the change that is tried first on a new account', () => {
  it.each([...tried].map((kind) => [kind.name, kind] as const))(
    'of %s: it is harmless, waits for nothing, is kept, and costs at most two requests',
    async (_, kind) => {
      const [plain, withCanary] = [await play(kind, {}), await play(kind, { canary: 'on-first-contact' })];
      for (const [step, { plan, outcome, events, requests, unverifiedFirstChange }] of withCanary.entries()) {
        expect(outcome.failed).toEqual(plain[step]!.outcome.failed);
        expect(outcome.done).toEqual(plain[step]!.outcome.done);
        expect(requests - plain[step]!.requests).toBeLessThanOrEqual(2);
        expect(unverifiedFirstChange).toBeUndefined();
        const first = canaryOperation(plan);
        if (!first) continue;
        expect(first.dependsOn).toEqual([]);
        expect(events.find(({ type }) => type === 'started')).toMatchObject({ operation: { id: first.id } });
        for (const { address, action, grade, undo } of plan.changes) {
          if (!first.changes.includes(address)) continue;
          expect(['create', 'update', 'adopt']).toContain(action);
          expect([grade, undo?.can]).toEqual(['safe', 'wholly']);
        }
      }
    },
  );
});
