import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds as allKinds } from '../providers/hosting/kinds/index.ts';
import { defaultSwitches, otherSwitches } from '../providers/hosting/twin/index.ts';
import { can } from '../src/kind/define-kind.ts';
import type { Kind } from '../src/kind/kind.ts';
import { traitsOf } from '../src/kind/traits.ts';
import type { Change } from '../src/model/change.ts';
import { type Block, isLeaf, merged, placed, samples, withLeaf, writableLeaves } from './support/samples.ts';
import { describe as planDescription, World } from './support/world.ts';

/** One field of a kind, alone: what the block is in each step, and what is expected of the step. */
interface Case {
  label: string;
  path: string;
  steps: Block[];
}

describe.each([
  ['as the evidence says', defaultSwitches, 100],
  ['the other way wherever it is silent', otherSwitches, 3],
] as const)('every field of every kind, the platform behaving %s', (_, switches, pageSize) => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ switches, pageSize });
  });
  afterAll(() => world.stop());

  it.each(allKinds.map((kind) => [kind.name, kind] as const))('%s', async (name, kind) => {
    const sample = samples[name]!;
    const cases = casesOf(kind);
    const body = (step: number) => merged(...cases.map((one) => placed(sample, one.label, one.steps[step]!)));
    for (const step of [0, 1, 2, 3]) {
      const since = world.twin.requests.length;
      const plan = await world.converge(JSON.stringify(body(step)));
      if (step === 3) expect(world.writes(since), 'what is not named any more is not sent').toEqual([]);
      if (step === 0) continue;
      for (const one of cases) {
        const changes = plan.changes.filter((change) => change.kind === name && isOf(change, one));
        expectOnly(kind, one, step, changes);
      }
    }
  });
});
