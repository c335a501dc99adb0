import { describe, expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { actions, codes, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(3);

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

describe('the members of an access group', () => {
  story('come and go in one request, however many they are', async () => {
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

  story('are in a group that is made for them, and others in it stay', async () => {
    const world = await newWorld({ seed: seedOf() });
    await world.converge(yaml([1, 2]));
    world.twin.account.accessGroups[0]!.members.push({ uid: uid(9), createdAt: 1 });
    await world.converge(yaml([2, 3]));
    expect(live(world)).toEqual([2, 3, 9].map(uid));
  });

  oneRowIn(2)([400, 404] as const)(
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

  describe('of a group that the directory manages', () => {
    const begin = () =>
      newWorld({ seed: seedOf([{ name: 'Team', isDsyncManaged: true, members: [0, 1].map(uid) }]) });

    it('cannot come: the plan says so, once and of the group, and sends nothing', async () => {
      const world = await begin();
      const { plan } = await world.plan(yaml([0, 2, 3]));
      expect(codes(plan)).toEqual(['member/directory']);
      expect(plan.diagnostics[0]).toMatchObject({
        address: 'accessGroups/Team',
        at: { file: 'trueup.yaml' },
      });
      expect(plan.diagnostics[0]!.message).toContain('accessGroups/Team');
      expect(plan.operations).toEqual([]);
    });

    it('are in order as they are, and can be let go but not removed', async () => {
      const world = await begin();
      await world.converge(yaml([0, 1]));
      expect(codes((await world.plan(yaml([0]))).plan)).toEqual(['member/directory']);
      const left = `{ at: accessGroups/Team/members/${uid(1)}, delete: false }`;
      await world.converge(`${yaml([0])}\nremoved: [${left}]`);
      expect(actions((await world.plan(yaml([0]))).plan)).toEqual([]);
      expect(world.writes()).toEqual([]);
    });

    it('do not stop what else is said of the group', async () => {
      const world = await begin();
      await world.converge(`projects: { web: {} }
accessGroups: { Team: { projects: { web: { role: ADMIN } } } }`);
      expect(live(world)).toEqual([0, 1].map(uid));
    });
  });
});
