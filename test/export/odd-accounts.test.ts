import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { oddJson as json, oddText as text } from '../support/odd-texts.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { World } from '../support/world.ts';
import { expectNoWrite } from './no-write.ts';

const story = oneStoryIn(5);

const answer = (variantId: string) => ({ type: 'variant', variantId });
const environment = (more: object = {}) => ({
  active: true,
  pausedOutcome: answer('off'),
  fallthrough: answer('on'),
  rules: [],
  ...more,
});

async function inWorld<T>(seed: object, work: (world: World) => Promise<T>): Promise<T> {
  const world = await World.start({ seed: seed as Seed });
  try {
    return await work(world);
  } finally {
    await world.stop();
  }
}

const flagOf = (production: object) => ({
  slug: 'banner',
  kind: 'boolean',
  variants: [
    { id: 'off', value: false, description: '' },
    { id: 'on', value: true, label: '' },
  ],
  environments: { production: environment(production), preview: environment(), development: environment() },
});

story('a flag as the platform’s command line makes it is exported whole', () =>
  inWorld({ projects: [{ name: 'web' }] }, async (world) => {
    const flag = flagOf({ reuse: { active: false, environment: '' } });
    await world.connection.send({
      endpoint: 'PUT /v1/projects/{project}/feature-flags/flags',
      params: { project: world.twin.account.projects[0]!.id },
      body: flag as never,
    });
    const { yaml } = await expectNoWrite(world);
    expect(yaml).toMatch(/reuse:\s+active: false\s+environment: ""/);
    expect(yaml).not.toContain('left out');
  }),
);

story('a member that cannot be declared is left out alone, and told in a sentence', () =>
  inWorld({ projects: [{ name: 'web' }] }, async (world) => {
    const { id } = world.twin.account.projects[0]!;
    await world.connection.send({
      endpoint: 'PUT /v1/projects/{project}/feature-flags/flags',
      params: { project: id },
      body: flagOf({}) as never,
    });
    const [flag] = world.twin.account.projects[0]!.featureFlags.flags;
    const { production, preview } = flag!.environments as Record<string, Record<string, unknown>>;
    production!.reuse = { active: true, environment: '' };
    preview!.fallthrough = { type: 'weather', sunny: 'on' };
    const { yaml } = await expectNoWrite(world);
    const comments = yaml.match(/#.*/g)!.map((line) => line.slice(2));
    expect(comments).toEqual([
      '`environments.production.reuse` is left out: `reuse` needs an `environment`',
      '`environments.preview.fallthrough` is left out: a configuration cannot express this value, "weather"',
    ]);
    for (const kept of ['fallthrough:', 'pausedOutcome:', 'production:', 'preview:', 'variants:'])
      expect(yaml).toContain(kept);
  }),
);

story(
  'a member that nobody knows, in a value that is compared as a whole, is named, and a plan ignores it until it writes the value',
  () =>
    inWorld({ projects: [{ name: 'web' }] }, async (world) => {
      const web = world.twin.account.projects[0]! as unknown as Record<string, unknown>;
      web.trustedIps = {
        deploymentType: 'all',
        protectionMode: 'exclusive',
        addresses: [{ value: '192.0.2.1', until: 5 }],
      };
      const { yaml } = await expectNoWrite(world);
      const member = '`trustedIps.addresses[].until`';
      expect(yaml).toContain(
        `# ${member} is set in the account but cannot be declared: a change of \`trustedIps\` removes it`,
      );
      const other = await world.plan(yaml.replace('192.0.2.1', '192.0.2.2'));
      expect(other.plan.diagnostics.map(({ message }) => message)).toContain(
        `projects/web: the change removes ${member}, which is set in the account and cannot be declared`,
      );
      Object.assign((web.trustedIps as { addresses: object[] }).addresses[0]!, {
        a: 1,
        b: 1,
        c: 1,
        d: 1,
        e: 1,
      });
      const { diagnostics } = (await world.plan(yaml.replace('192.0.2.1', '192.0.2.2'))).plan;
      expect(diagnostics.map(({ message }) => message).filter((text) => text.includes('removes'))).toEqual([
        expect.stringMatching(/removes `trustedIps\.addresses\[\]\.a`, .*\.e` and 1 more, which are set/),
      ]);
    }),
);

it('what decides about safety is written, usual or not', async () => {
  const route = { name: 'route', route: { src: '/a', dest: '/b' } };
  await inWorld({ projects: [{ name: 'web' }] }, async (world) => {
    const web = { routes: [route] };
    await world.converge(`projects: ${JSON.stringify({ web })}`);
    const { yaml } = await expectNoWrite(world);
    for (const said of ['enabled: true', 'gitForkProtection: true']) expect(yaml).toContain(said);
    const project = world.twin.account.projects[0]! as unknown as { gitForkProtection: boolean };
    project.gitForkProtection = false;
    const { plan } = await world.plan(yaml);
    expect(plan.changes.find(({ address }) => address === 'projects/web')!.fields).toMatchObject([
      { path: 'gitForkProtection', before: false, after: true },
    ]);
  });
});

it('a bypass whose secret is not at hand is not compared, and never created', () =>
  inWorld(
    {
      projects: [
        {
          name: 'web',
          protectionBypasses: [
            { secret: 'a'.repeat(32), note: '' },
            { secret: 'b'.repeat(32), note: 'ci' },
            { secret: 'c'.repeat(32), note: 'same' },
            { secret: 'd'.repeat(32), note: 'same' },
          ],
        },
      ],
    },
    async (world) => {
      const { yaml, secrets } = await expectNoWrite(world);
      world.ledger = { ...world.ledger, entries: {} };
      world.env = {};
      const { plan } = await world.plan(yaml);
      const uncompared = plan.diagnostics.filter(({ code }) => code === 'secret/not-compared');
      expect(uncompared).toHaveLength(4);
      expect(plan.operations).toEqual([]);
      const [first] = [...secrets.keys()].sort();
      world.env = { [first!]: secrets.get(first!)!.reveal() };
      expect((await world.plan(yaml)).plan.operations).toEqual([]);
      // Where there is none that it could be, it is one to create.
      world.twin.account.projects[0]!.protectionBypass = {};
      const gone = await world.plan(yaml);
      expect(gone.plan.changes.filter(({ action }) => action === 'create')).toHaveLength(4);
    },
  ));

story(
  'text of the account is text, whatever it looks like: in names, values and keys of free data',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 6 }),
        fc.array(json, { maxLength: 4 }),
        async (texts, values) => {
          await inWorld(
            { projects: [{ name: 'web' }], globalConfigs: [{ slug: 'store' }] },
            async (world) => {
              const { account } = world.twin;
              const web = account.projects[0]! as unknown as Record<string, unknown>;
              [web.buildCommand, web.installCommand, web.devCommand, web.outputDirectory] = texts;
              for (const [index, value] of values.entries())
                await world.connection.send({
                  endpoint: 'PATCH /v1/global-config/{globalConfig}/items',
                  params: { globalConfig: account.globalConfigs[0]!.id },
                  body: { items: [{ operation: 'create', key: `key${index}`, value }] } as never,
                });
              for (const [index] of texts.entries())
                await world.connection.send({
                  endpoint: 'POST /v1/access-groups',
                  body: { name: `group${index}` } as never,
                });
              for (const [index, group] of (account.accessGroups as unknown as { name: string }[]).entries())
                if (new Set(texts).size === texts.length && texts[index] !== '') group.name = texts[index]!;
              const { yaml } = await expectNoWrite(world);
              expect(yaml).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
            },
          );
        },
      ),
      { numRuns: runs(Number(process.env.TRUEUP_RUNS ?? 15)) },
    );
  },
);
