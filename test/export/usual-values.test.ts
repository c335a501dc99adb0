import { expect } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { expectNoWrite } from './no-write.ts';

const story = oneStoryIn(4);

type Project = NonNullable<Seed['projects']>[number];
const yamlOf = async (project: Omit<Project, 'name'>) => {
  const world = await newWorld({ seed: { projects: [{ name: 'web', ...project }] } });
  const { yaml } = await expectNoWrite(world);
  return yaml.slice(yaml.indexOf('projects:'));
};

/** The members of the only project. */
const membersOf = (yaml: string) => [...yaml.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name);

story(
  'settings that always exist are not written where each has the value that the platform sets by itself',
  async () => {
    const off = { active: false, action: 'log' as const };
    for (const project of [
      {},
      { featureFlags: { settings: { enabled: false } } },
      {
        firewall: {
          firewallEnabled: false,
          botIdEnabled: false,
          crs: { sqli: off },
          managedRules: { owasp: { active: false } },
        },
      },
    ])
      expect(membersOf(await yamlOf(project))).toEqual([
        ...['nodeVersion', 'ssoProtection', 'gitForkProtection'],
        // Of the team's owner.
        'role',
      ]);
  },
);

story('a value that says nothing by itself is written where the platform would set another one', async () => {
  expect(await yamlOf({ observability: { disabled: true } })).toMatch(/observability:\s+enabled: false/);
  expect(await yamlOf({ featureFlags: { settings: { environments: [] } } })).toMatch(
    /featureFlagSettings:\s+enabled: true\s+environments: \[\]/,
  );
});

story('a category of the core rule set is written with what it does, or would do', async () => {
  const sqli = { active: false, action: 'deny' as const };
  const xss = { active: true, action: 'log' as const };
  expect(await yamlOf({ firewall: { crs: { sqli, xss } } })).toMatch(
    /crs:\s+sqli:\s+active: false\s+action: deny\s+xss:\s+active: true\s+action: log/,
  );
});
