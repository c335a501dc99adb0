import { expect, it } from 'vitest';
import { exported } from '../export/exported.ts';
import { actions, newWorld } from '../support/scene.ts';
import { kinds, type World } from '../support/world.ts';

// The list of tokens takes no team: it has those that the user made for other teams, and for everything.

const yaml = 'authTokens: { deploys: { $secretTo: discard } }';
const at = 'authTokens/deploys';
const ids = ({ twin }: World) => twin.account.authTokens.map(({ id }) => id);
const seed = {
  team: { slug: 'acme' },
  teams: [{ slug: 'other' }],
  authTokens: [
    { id: 'theirs', name: 'deploys', owner: 'other' },
    { id: 'everything', name: 'deploys', owner: 'personal' },
  ],
};

it('a token of this name for another team, or for everything, is not adopted, nor deleted later', async () => {
  const world = await newWorld({ seed });
  expect(actions((await world.plan(yaml)).plan)).toEqual([`create ${at}`]);
  await world.converge(yaml);
  expect(ids(world)).toEqual(['theirs', 'everything', expect.anything()]);
  await world.converge('projects: { web: {} }');
  expect(ids(world)).toEqual(['theirs', 'everything']);
});

it('one for this team is adopted beside them, even if the ledger is lost', async () => {
  const world = await newWorld({ seed });
  await world.converge(yaml);
  world.ledger = { ...world.ledger, entries: {} };
  const { plan } = await world.plan(yaml);
  expect([actions(plan), plan.diagnostics]).toEqual([[`adopt ${at}`], []]);
  const { yaml: written, notes } = await exported(world);
  expect(written.match(/deploys/g)).toHaveLength(1);
  expect(notes).toEqual([]);
});

it('one that does not say whom it is for is adopted by nobody, and stays ours once it is', async () => {
  const world = await newWorld({ seed: { team: { slug: 'acme' } } });
  await world.converge(yaml);
  const [token] = world.twin.account.authTokens as { scopes?: unknown }[];
  delete token!.scopes;
  expect(actions((await world.plan(yaml)).plan)).toEqual([]);
  world.ledger = { ...world.ledger, entries: {} };
  expect(actions((await world.plan(yaml)).plan)).toEqual([`create ${at}`]);
});

it('a personal account has those for everything, and none for a team', () => {
  const { items } = kinds.get('authToken')!.read as {
    items: { isOfAccount(token: object, facts: object): boolean };
  };
  const isOurs = (...scopes: object[]) => items.isOfAccount({ scopes }, {});
  expect(isOurs({ type: 'user' })).toBe(true);
  expect(isOurs({ type: 'team', teamId: 'team_1' })).toBe(false);
  expect(isOurs({ type: 'user' }, { type: 'team', teamId: 'team_1' })).toBe(false);
});
