import { expect } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { actions, newWorld } from '../support/scene.ts';
import { oneRowIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const match = { model: 'example/old' };
interface Shape {
  kind: string;
  address: string;
  /** One object of the kind that was deleted, and is listed all the same. */
  seed: Seed;
  yaml: string;
  /** How many there are that were not deleted. */
  there(account: World['twin']['account']): number;
}
const shapes: Shape[] = [
  {
    kind: 'globalConfig',
    address: 'globalConfigs/shop',
    seed: { globalConfigs: [{ slug: 'shop', deleted: true }] },
    yaml: 'globalConfigs: { shop: {} }',
    there: ({ globalConfigs }) => globalConfigs.filter(({ deletedAt }) => deletedAt === undefined).length,
  },
  {
    kind: 'sharedEnvVar',
    address: 'sharedEnv/A@production',
    seed: { sharedEnv: [{ key: 'A', value: 'one', target: ['production'], deleted: true }] },
    yaml: 'sharedEnv: { A: { value: one, target: [production] } }',
    there: ({ sharedEnv }) => sharedEnv.filter(({ deletedAt }) => deletedAt === undefined).length,
  },
  {
    kind: 'aiGatewayBudget',
    address: 'aiGatewayBudgets/team',
    seed: { aiGatewayBudgets: [{ limitAmount: 10, archived: true }] },
    yaml: 'aiGatewayBudgets: { team: { limitAmount: 10 } }',
    there: ({ aiGatewayBudgets }) => aiGatewayBudgets.filter(({ archived }) => !archived).length,
  },
  {
    kind: 'aiGatewayRule',
    address: 'aiGatewayRules/old',
    seed: { aiGatewayRules: [{ type: 'deny', match, deleted: true }] },
    yaml: `aiGatewayRules: ${JSON.stringify({ old: { type: 'deny', match } })}`,
    there: ({ aiGatewayRules }) => aiGatewayRules.filter(({ deleted }) => !deleted).length,
  },
];
const switches = { globalConfigDeletedListed: true, archivedBudgetStays: true, deletedRuleListed: true };

oneRowIn(4)(shapes)('a $kind that was deleted is none, although it is listed', async (shape) => {
  const { kind, address, seed, yaml, there } = shape;
  const world = await newWorld({ seed, switches });
  const { live } = await world.plan(yaml);
  expect([...live.resources.values()].filter((one) => one.kind === kind)).toEqual([]);
  // It is not somebody else's either.
  expect(live.undeclarable.get(`#${kind}`)).toBeUndefined();
  expect(actions(await world.converge(yaml))).toEqual([`create ${address}`]);
  expect(there(world.twin.account)).toBe(1);
  world.ledger = { ...world.ledger, entries: {} };
  expect(actions(await world.converge(yaml))).toEqual([`adopt ${address}`]);
});
