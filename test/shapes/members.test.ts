import { describe, expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { actions, newWorld } from '../support/scene.ts';
import type { World } from '../support/world.ts';

const uid = (index: number) => `user${String(index).padStart(20, '0')}`;
const all = Array.from({ length: 30 }, (_, index) => index);
type Group = NonNullable<Seed['accessGroups']>[number];
const seedOf = (groups: Group[] = [], justJoined: number[] = []): Seed => ({
  team: {
    slug: 'acme',
    members: all.map((index) => ({
      email: `${index}@example.com`,
      uid: uid(index),
      justJoined: justJoined.includes(index),
    })),
  },
  accessGroups: groups,
});
const yaml = (members: number[]) =>
  `accessGroups: ${JSON.stringify({ Team: { members: Object.fromEntries(members.map((one) => [uid(one), {}])) } })}`;
const live = ({ twin }: World) => twin.account.accessGroups[0]!.members.map((one) => one.uid).sort();
const address = (index: number) => `accessGroups/Team/members/${uid(index)}`;

describe('the members of an access group', () => {
  it('come and go in one request, however many they are', async () => {
    const world = await newWorld({ seed: seedOf([{ name: 'Team' }]), pageSize: 7 });
    const [early, late] = [all.slice(0, 20), all.slice(10)];
    await world.converge(yaml(early));
    expect(live(world)).toEqual(early.map(uid));
    const since = world.twin.requests.length;
    await world.converge(yaml(late), { maxDeletions: 10 });
    expect(live(world)).toEqual(late.map(uid));
    const sent = world.twin.requests.slice(since).filter(({ method }) => method !== 'GET');
    expect(sent.map(({ method, body }) => [method, body])).toEqual([
      ['POST', { membersToAdd: late.slice(10).map(uid), membersToRemove: early.slice(0, 10).map(uid) }],
    ]);
  });

  it('are in a group that is made for them, and others in it stay', async () => {
    const world = await newWorld({ seed: seedOf() });
    await world.converge(yaml([1, 2]));
    world.twin.account.accessGroups[0]!.members.push({ uid: uid(9), createdAt: 1 });
    await world.converge(yaml([2, 3]));
    expect(live(world)).toEqual([2, 3, 9].map(uid));
  });

  it.each([400, 404] as const)(
    'who have just joined are asked for again until they are known (%d)',
    async (status) => {
      const world = await newWorld({
        seed: seedOf([{ name: 'Team' }], [5]),
        switches: { memberNotFoundStatus: status, memberPropagationTries: 2 },
      });
      await world.converge(yaml([4, 5]));
      expect(live(world)).toEqual([4, 5].map(uid));
      expect(world.writes()).toHaveLength(3);
    },
  );

  it('of a directory are refused by the platform: told for those it is about, the rest is done', async () => {
    const managed = { name: 'Team', isDsyncManaged: true, members: [uid(0)] };
    const world = await newWorld({ seed: seedOf([managed]) });
    const text = `${yaml([1, 2])}\nprojects: { web: {} }`;
    const planned = await world.plan(text);
    const { outcome } = await world.apply(planned);
    expect(outcome.failed.map(({ address }) => address).sort()).toEqual([address(1), address(2)]);
    for (const { error } of outcome.failed) expect((error as Error).message).toMatch(/directory/i);
    expect(outcome.done).toEqual(expect.arrayContaining(['projects/web']));
    expect(live(world)).toEqual([uid(0)]);
    expect(Object.keys(world.ledger.entries)).not.toContain(address(1));
    expect(actions((await world.plan(text)).plan)).toEqual([`create ${address(1)}`, `create ${address(2)}`]);
  });
});
