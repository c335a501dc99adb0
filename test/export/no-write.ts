import { expect } from 'vitest';
import { stringify } from 'yaml';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import type { Switches } from '../../providers/hosting/twin/index.ts';
import type { ExportResult } from '../../src/export/export-live.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { casesOf } from '../support/field-cases.ts';
import { merged, placed, sampleSeed, samples } from '../support/samples.ts';
import { describe as text, World } from '../support/world.ts';
import { exported } from './exported.ts';

let counts = { accounts: 0, objects: 0, secrets: 0 };

/** What was exported since the last call. */
export function takeCounts() {
  const taken = counts;
  counts = { accounts: 0, objects: 0, secrets: 0 };
  return taken;
}

/** Exports, and proves that it plans to no write with and without its secrets, and to nothing once applied. */
export async function expectNoWrite(world: World): Promise<ExportResult & { yaml: string }> {
  world.ledger = { ...world.ledger, entries: {} };
  const found = await exported(world);
  expect((await exported(world)).yaml, 'twice the same bytes').toBe(found.yaml);
  counts.accounts += 1;
  counts.objects += found.count;
  counts.secrets += found.secrets.size;
  const since = world.twin.requests.length;
  for (const withSecrets of [false, true]) {
    world.env = withSecrets
      ? Object.fromEntries(
          [...found.secrets].flatMap(([name, value]) =>
            value ? [[`TRUEUP_SECRET_env_${name}`, value.reveal()]] : [],
          ),
        )
      : {};
    const planned = await world.plan(found.yaml);
    const errors = planned.plan.diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors, found.yaml).toEqual([]);
    expect(planned.plan.operations, text(planned.plan)).toEqual([]);
    const actions = new Set(planned.plan.changes.map(({ action }) => action));
    expect([...actions].filter((action) => action !== 'adopt' && action !== 'noop')).toEqual([]);
    expect(planned.plan.changes.filter(({ grade }) => grade !== 'safe')).toEqual([]);
    if (withSecrets) await world.apply(planned);
  }
  const again = await world.plan(found.yaml);
  const open = again.plan.changes.filter(({ action }) => action !== 'noop');
  expect(open.map(({ address, action }) => `${action} ${address}`)).toEqual([]);
  expect(world.writes(since)).toEqual([]);
  return found;
}

export const allCases = () => allKinds.flatMap((kind: Kind) => casesOf(kind).map((one) => ({ kind, one })));
export type Case = ReturnType<typeof allCases>[number];

/** An account that has all of these, as they are in one step. */
export async function expectNoWriteFor(some: Case[], step: number, switches: Switches): Promise<void> {
  const world = await World.start({ seed: sampleSeed, switches });
  try {
    const bodies = some.map(({ kind, one }) => placed(samples[kind.name]!, one.label, one.steps[step]!));
    await world.apply(await world.plan(stringify(merged(...bodies)), { maxDeletions: 1000 }));
    await expectNoWrite(world);
  } finally {
    await world.stop();
  }
}
