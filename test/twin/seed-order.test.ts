import { expect, it } from 'vitest';
import { z } from 'zod';
import { type Resource, type SeedPlace, seedList } from '../../providers/hosting/twin/resource.ts';
import { resources } from '../../providers/hosting/twin/resources.ts';
import { seedOrder } from '../../providers/hosting/twin/seed-order.ts';

const resource = (place: SeedPlace, name: string, after?: string[], below?: SeedPlace): Resource => ({
  operations: {},
  ...(after && { after }),
  seed: { [place]: { [name]: seedList(z.object({}), () => undefined, below) } },
});

it('loads what is referred to first, and else in the order of the resources', () => {
  const order = seedOrder([
    resource('account', 'groups', ['projects', 'team.members']),
    resource('project', 'env', ['projects.environments']),
    resource('account', 'projects', undefined, 'project'),
    // A project's domains have to wait, so the projects do.
    resource('project', 'domains', ['domains']),
    resource('account', 'domains'),
    resource('project', 'environments'),
    resource('team', 'members'),
  ]);
  expect(order.account).toEqual(['team', 'domains', 'projects', 'groups']);
  expect(order.project).toEqual(['environments', 'env', 'domains']);
  expect(order.team).toEqual(['members']);
});

it('refuses names that are no fields, and circles', () => {
  expect(() => seedOrder([resource('account', 'groups', ['peopel'])])).toThrow(
    'The seed\'s field "groups" comes after "peopel", which is no field of the seed. There are team, groups.',
  );
  expect(() => seedOrder([resource('account', 'a', ['b']), resource('account', 'b', ['a'])])).toThrow(
    'Fields of the seed come after each other: "a" after "b" after "a".',
  );
});

it('holds for the resources of the twin, in whatever order they are', () => {
  for (const given of [resources, [...resources].reverse()]) {
    const { account, project, featureFlags } = seedOrder(given);
    const isBefore = (list: string[], one: string, other: string) =>
      expect(list.indexOf(one), `${one} before ${other}`).toBeLessThan(list.indexOf(other));
    isBefore(account, 'team', 'projects');
    isBefore(account, 'domains', 'projects');
    for (const name of ['accessGroups', 'webhooks', 'drains', 'aiGatewayBudgets', 'sharedEnv'])
      isBefore(account, 'projects', name);
    isBefore(project, 'customEnvironments', 'env');
    isBefore(project, 'customEnvironments', 'domains');
    isBefore(featureFlags, 'segments', 'flags');
  }
});
