import { hosting } from '../../providers/hosting/index.ts';
import type { Rehearsal } from '../../src/model/rehearsal.ts';
import { permissions } from '../../src/model/resource.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import type { RehearsedSession } from '../../src/rehearse/rehearsal-session.ts';
import { type RehearseOptions, rehearsePlans } from '../../src/rehearse/rehearse.ts';
import { narrowedStacks } from '../support/narrowed.ts';
import { kinds, type Planned, type World } from '../support/world.ts';

/** Returns the part of a session that a rehearsal of a world's plan reads: with the world's owner, ledger and key. */
async function sessionOf(world: World, planned: Planned): Promise<RehearsedSession> {
  const owner = await world.connection.owner();
  return {
    origins: new Map(),
    secrets: planned.input.secrets,
    masking: world.masking,
    kinds,
    owner,
    account: { type: owner.type, name: owner.slug },
    store: { proof: () => undefined },
    ledger: world.ledger,
    otherStacks: narrowedStacks(world.others, kinds),
    actionsAndLookups: hosting.actionsAndLookups as never,
    key: world.key,
    clock: { now: world.now },
  };
}

/** Rehearses a plan of a world, with the options that the plan was made with. */
export async function rehearseIn(
  world: World,
  planned: Planned,
  planOptions: PlanOptions = {},
  options: Partial<RehearseOptions> = {},
): Promise<Rehearsal> {
  const plan = {
    session: await sessionOf(world, planned),
    planned: { ...planned, desired: planned.input.desired },
    planOptions: { allow: permissions, ...planOptions },
  };
  const [rehearsal] = await rehearsePlans([plan], { provider: hosting, ...options });
  return rehearsal!;
}
