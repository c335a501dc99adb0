import { hosting } from '../../providers/hosting/index.ts';
import type { Rehearsal } from '../../src/model/rehearsal.ts';
import { permissions } from '../../src/model/resource.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { type RehearseOptions, rehearse } from '../../src/rehearse/rehearse.ts';
import type { RunSession } from '../../src/run/session.ts';
import { narrowedStacks } from '../support/narrowed.ts';
import { kinds, type Planned, type World } from '../support/world.ts';

/** Returns the session in which a world's plans can be rehearsed: with the world's account, ledger and key. */
export async function sessionOf(world: World, planned: Planned): Promise<RunSession> {
  const owner = await world.connection.owner();
  return {
    desired: planned.configuration.desired,
    origins: new Map(),
    secrets: planned.input.secrets,
    masking: world.masking,
    diagnostics: [],
    kinds,
    connection: world.connection,
    owner,
    account: { type: owner.type, name: owner.slug },
    store: { proof: () => undefined } as unknown as RunSession['store'],
    documents: {} as RunSession['documents'],
    ledger: world.ledger,
    otherStacks: narrowedStacks(world.others, kinds),
    dayTwo: hosting.dayTwo as never,
    lookUp: async () => undefined,
    key: world.key,
    writes: true,
    clock: { now: world.now, sleep: async () => {} },
    sent: () => new Map(),
    say: () => {},
  };
}

/** Rehearses a plan of a world, with the options that the plan was made with. */
export async function rehearseIn(
  world: World,
  planned: Planned,
  planOptions: PlanOptions = {},
  options: Partial<RehearseOptions> = {},
): Promise<Rehearsal> {
  return rehearse(
    await sessionOf(world, planned),
    { ...planned, desired: planned.input.desired },
    { provider: hosting, planOptions: { allow: permissions, ...planOptions }, ...options },
  );
}
