import { expect } from 'vitest';
import type * as z from 'zod/v3';
import { exportSummary } from '../../src/export/export-summary.ts';
import { shapeOf } from '../../src/kind/traits.ts';
import { expectNoWrite } from '../export/no-write.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { kinds, World } from '../support/world.ts';
import { plainKinds } from './plain-sdk.ts';
import { bodySchema, call } from './sdk-operations.ts';

const story = oneStoryIn(4);

/*
 * What an object has and no configuration can say is told by an export, as far as it is a setting: the platform takes it in a
 * write. So each member of a body of the SDK is a field, or one of the kind's undeclared settings, or no setting of the object.
 */

/** Which bodies write the objects of a kind, and where in them one stands. */
const bodies: Record<string, { operations: string[]; at?: string }> = {
  ...Object.fromEntries(
    plainKinds.map(({ kind, create, update }) => [kind, { operations: [create, update ?? []].flat() }]),
  ),
  project: { operations: ['createProject', 'updateProject'] },
  customEnvironment: { operations: ['createCustomEnvironment', 'updateCustomEnvironment'] },
  projectEnvVar: { operations: ['createProjectEnv', 'editProjectEnv'] },
  sharedEnvVar: { operations: ['createSharedEnvVariable'] },
  domain: { operations: ['patchDomain', 'createOrTransferDomain'] },
  dnsRecord: { operations: ['createRecord', 'updateRecord'] },
  projectDomain: { operations: ['addProjectDomain', 'updateProjectDomain'] },
  firewall: { operations: ['putFirewallConfig'] },
  firewallRule: { operations: ['putFirewallConfig'], at: 'rules' },
  firewallIp: { operations: ['putFirewallConfig'], at: 'ips' },
  attackMode: { operations: ['updateAttackChallengeMode'] },
  staticIpSettings: { operations: ['updateStaticIps'] },
  speedInsights: { operations: ['createSpeedInsightsToggle'] },
  webAnalytics: { operations: ['createWebInsightsToggle'] },
  observability: { operations: ['updateObservabilityConfigurationProject'] },
  registryPermission: { operations: ['addRepositoryPermission'] },
  flagSdkKey: { operations: ['createSdkKey'] },
  protectionBypass: { operations: ['updateProjectProtectionBypass'], at: 'update' },
  bulkRedirects: { operations: ['stageRedirects'], at: 'redirects' },
  projectRoute: { operations: ['addRoute', 'editRoute'], at: 'route' },
  featureFlagSettings: { operations: ['updateFlagSettings'] },
  segment: { operations: ['createFlagSegment', 'updateFlagSegment'] },
  featureFlag: { operations: ['createFlag', 'updateFlag'] },
  webhook: { operations: ['createWebhook'] },
  drain: { operations: ['createDrain', 'updateDrain'] },
  globalConfig: { operations: ['createEdgeConfig', 'updateEdgeConfig'] },
  globalConfigSchema: { operations: ['patchEdgeConfigSchema'] },
  globalConfigToken: { operations: ['createEdgeConfigToken'] },
  accessGroup: { operations: ['createAccessGroup', 'updateAccessGroup'] },
  accessGroupProject: { operations: ['createAccessGroupProject', 'updateAccessGroupProject'] },
};

/** Members of bodies that are no settings of the object, and why. */
const noSettings: Record<string, string> = {
  'project environmentVariables': 'they are objects of their own',
  'speedInsights value': 'it is declared as `enabled`',
  'webAnalytics value': 'it is declared as `enabled`',
  'observability disabled': 'it is declared as the opposite, `enabled`',
  'registryPermission teamSlug': 'another name for the `teamId`',
  'flagSdkKey sdkKeyType': 'it is declared as `type`, as it is read',
  'project autoAssignCustomDomainsUpdatedBy': 'who did it',
  'project dismissedToasts': 'what the dashboard has shown to people',
  'project publicSource': 'the platform has retired it',
  'project deploymentPolicy': 'it is an object of its own',
  'project connectConfigurations': 'it is an object of its own',
  'project resourceConfig.buildMachineSelection': 'it is declared as the machine `elastic`',
  'project resourceConfig.buildMachineElasticLastUpdated': 'when the platform chose the machine',
  'project resourceConfig.buildMachineElasticReason': 'why the platform chose the machine',
  'firewall managedRules': 'they are objects of their own',
  'firewall crs': 'they are objects of their own',
  'firewall rules': 'they are objects of their own',
  'firewall ips': 'they are objects of their own',
  'firewallRule id': 'the id',
  'firewallRule valid': 'what the platform finds out',
  'firewallRule validationErrors': 'what the platform finds out',
  'firewallIp id': 'the id',
  'bulkRedirects permanent': 'another way to say the `statusCode`',
  'segment createdBy': 'who did it',
  'segment operations': 'what the request does',
  'featureFlag createdBy': 'who did it',
  'featureFlag message': 'a word about the change',
  'drain projects': 'it is declared by `projectIds`',
  'drain source': 'who made it: one of an integration is not declared at all',
  'globalConfig items': 'they are objects of their own',
  'accessGroup projects': 'they are objects of their own',
  'accessGroup membersToAdd': 'they are objects of their own',
  'accessGroup membersToRemove': 'they are objects of their own',
};

/** Members that only answers have, and that exports name. No request of the SDK writes them like a setting. */
const onlyInAnswers = ['project paused'];

story('each member of a body of the SDK is a field, a setting that exports tell, or no setting', async () => {
  const open: string[] = [];
  const told: string[] = [];
  for (const [kind, { operations, at }] of Object.entries(bodies)) {
    const { fields, undeclared = [] } = kinds.get(kind)!;
    for (const name of await namesIn(operations, at)) {
      const [first, second] = name.split('.');
      const shape = fields[first!] && shapeOf(fields[first!]!);
      const isField =
        second === undefined ? Object.hasOwn(fields, first!) : !shape || Object.hasOwn(shape, second);
      if (undeclared.includes(name)) told.push(`${kind} ${name}`);
      else if (!isField) open.push(`${kind} ${name}`);
    }
  }
  expect(open.sort()).toEqual(Object.keys(noSettings).sort());
  const declaredInBodies = [...kinds.values()].flatMap(({ name, undeclared = [] }) =>
    Object.hasOwn(bodies, name) ? undeclared.map((one) => `${name} ${one}`) : [],
  );
  expect([...told, ...onlyInAnswers].sort()).toEqual(declaredInBodies.sort());
});

/** The members of these bodies, and those of the objects in them, each once. */
async function namesIn(operations: string[], at?: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const operation of operations)
    for (const schema of objectsIn(await bodySchema(operation)))
      for (const part of at === undefined ? [schema] : objectsIn(schema.shape[at]!))
        for (const [name, member] of Object.entries(part.shape)) {
          names.add(name);
          for (const inner of objectsIn(member as z.ZodTypeAny))
            for (const below of Object.keys(inner.shape)) names.add(`${name}.${below}`);
        }
  return names;
}

/** The objects that a schema may take. */
function objectsIn(schema: z.ZodTypeAny): z.ZodObject<z.ZodRawShape>[] {
  // biome-ignore lint/suspicious/noExplicitAny: the definitions of zod 3 differ by type name
  const def = schema?._def as any;
  switch (def?.typeName) {
    case 'ZodObject':
      return [schema as z.ZodObject<z.ZodRawShape>];
    case 'ZodOptional':
    case 'ZodNullable':
    case 'ZodDefault':
      return objectsIn(def.innerType);
    case 'ZodLazy':
      return objectsIn(def.getter());
    case 'ZodArray':
      return objectsIn(def.type);
    case 'ZodUnion':
      return (def.options as z.ZodTypeAny[]).flatMap(objectsIn);
    case 'ZodIntersection':
      return [...objectsIn(def.left), ...objectsIn(def.right)];
    default:
      return [];
  }
}

const ruleset = {
  name: 'one',
  active: true,
  conditionGroup: [{ conditions: [{ type: 'path', op: 'pre', value: '/a' }] }],
};
const settings = {
  tracing: { domains: 'a.example.com', ignorePaths: ['/health'] },
  passport: { connectorId: 'con_1' },
  trustedSources: { enableVercelCiSameRepository: true },
  deploymentPolicy: { deploymentSources: [{ enabled: true, environments: [], sources: ['git'] }] },
  connectConfigurations: [
    { envId: 'production', connectConfigurationId: 'cc_1', passive: false, buildsEnabled: true },
  ],
};

story('an export says which settings of an object it cannot say', async () => {
  const world = await World.start({ seed: { projects: [{ name: 'web' }, { name: 'docs' }] } });
  const { slug } = world.twin.account.teams[0]!;
  const update = async (idOrName: string, body: object) => {
    const answer = await call(world.twin.url, 'updateProject', { slug, idOrName }, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  try {
    await update('web', {
      ...settings,
      dismissedToasts: [{ key: 'welcome', dismissedAt: 1, action: 'accept' }],
    });
    await update('docs', { tracing: null, trustedSources: {}, connectConfigurations: [] });
    const firewall = { firewallEnabled: true, rulesets: [ruleset] };
    const put = await call(
      world.twin.url,
      'putFirewallConfig',
      { slug, projectId: world.twin.account.projects[0]!.id },
      firewall,
    );
    expect(put.status).toBe(200);
    const found = await expectNoWrite(world);
    const said = [...found.yaml.matchAll(/# `(\S+)` is set in the account but cannot be declared/g)];
    expect(said.map(([, name]) => name)).toEqual(['rulesets']);
    for (const name of Object.keys(settings)) expect(found.yaml).toContain(`    ${name}:`);
    expect(found.yaml.indexOf('docs:')).toBeLessThan(said[0]!.index);
    expect(found.yaml).not.toContain('dismissedToasts');
  } finally {
    await world.stop();
  }
});

story('of what is not in an export otherwise, its summary says it', async () => {
  const world = await World.start({ seed: { projects: [{ name: 'web' }] } });
  const { slug } = world.twin.account.teams[0]!;
  try {
    const body = { firewallEnabled: false, rulesets: [ruleset] };
    await call(
      world.twin.url,
      'putFirewallConfig',
      { slug, projectId: world.twin.account.projects[0]!.id },
      body,
    );
    const found = await expectNoWrite(world);
    expect(found.yaml).not.toMatch(/^ *firewall:/m);
    expect(exportSummary(found, [], { place: { to: 'inline' }, written: new Set() })).toContain(
      'projects/web/firewall: `rulesets` is set in the account but cannot be declared: it stays as it is',
    );
  } finally {
    await world.stop();
  }
});
