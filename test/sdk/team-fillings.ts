import { anyText } from './arbitrary-of.ts';
import { anywhere, type Body, type Filling, inProjects, listOf, named, oneOf } from './filling-parts.ts';

/*
 * Requests that fill an account outside of its projects, or connect what is there with the projects: networks, connectors, issuers, groups of
 * microfrontends, links of shared variables, and the team itself.
 */

const colour = oneOf('#000000', '#a1b2c3');
// In the order in which sets are compared.
const environments = listOf('development', 'preview', 'production');
const system = (target: string) => ({ type: 'system', target });
const custom = { type: 'custom', environmentId: '@customEnvironment0' };

/** Values of the settings of a project that name other objects, or that the schema leaves open. */
export const projectWide = {
  'passport.connectorId': oneOf('@connector0', '@connector1'),
  connectConfigurations: oneOf(
    [connection('production', 0), connection('preview', 1)],
    [connection('preview', 0), connection('@customEnvironment0', 1)],
    [],
  ),
  'trustedSources.projects{}': oneOf('@project0', '@project1', 'prj_elsewhere'),
  'trustedSources.oidcProviders{}': oneOf('https://one.example.com', 'https://two.example.com'),
  'trustedSources.oidcProviders.*[].claims{}': oneOf('aud', 'sub'),
  'trustedSources.oidcProviders.*[].claims.*': listOf('a', 'b', 'c: d'),
  slugs: listOf('production', 'preview', 'staging'),
  preset: oneOf('all-custom'),
  gitSources: oneOf(
    [],
    [
      {
        enabled: true,
        environments: [system('production')],
        sources: [
          { provider: 'github', org: 'acme' },
          { provider: 'gitlab', namespace: 'acme/web', project: 'one' },
        ],
      },
      { enabled: false, environments: [custom, system('preview')], sources: [] },
    ],
  ),
  deploymentSources: oneOf(
    null,
    [],
    [
      { enabled: true, environments: [system('preview')], sources: ['cli', 'git'] },
      { enabled: false, environments: [custom], sources: ['v0'] },
    ],
  ),
};

function connection(envId: string, network: number) {
  return {
    envId,
    connectConfigurationId: `@network${network}`,
    passive: network === 1,
    buildsEnabled: network === 0,
  };
}

/** Returns the body without the members of a policy that the SDK cannot encode: its type lost the null, and has a text instead. */
export function fitPolicy({ deploymentPolicy, ...body }: Body): Body {
  if (typeof deploymentPolicy !== 'object' || deploymentPolicy === null) return body;
  const lists = Object.entries(deploymentPolicy).filter(([, rules]) => Array.isArray(rules));
  return { ...body, deploymentPolicy: Object.fromEntries(lists) };
}

/** A connector without the form of its settings, which no answer shows. */
function fitConnector(body: Body, index: number): Body {
  const { icon, backgroundColor, accentColor, name, triggers, events } = body;
  const rest = { icon, backgroundColor, accentColor, triggers, events };
  const named = { ...rest, name: name ?? 'Bot', uid: `crew/bot-${index}` };
  return index === 0
    ? { ...named, type: 'snowflake-wif', data: {} }
    : { ...named, service: 'slack', connectionMethod: 'mcp', data: {} };
}

/** Objects that the settings of projects name. */
export const beforeProjects: Filling[] = [
  {
    operation: 'createNetwork',
    at: anywhere(2),
    hints: {
      cidr: oneOf('10.0.0.0/16', '10.1.0.0/16'),
      region: oneOf('iad1', 'sfo1'),
      awsAvailabilityZoneIds: oneOf(['use1-az1', 'use1-az2']),
    },
    fitted: named('name', 'backend', 'standby'),
  },
  {
    operation: 'createConnector',
    at: anywhere(2),
    hints: {
      name: oneOf('One', 'Two words'),
      icon: oneOf('a1'.repeat(20), 'b2'.repeat(20)),
      backgroundColor: colour,
      accentColor: colour,
      events: listOf('message', 'reaction'),
      data: oneOf({}),
    },
    fitted: fitConnector,
  },
];

/** Objects that name projects, custom environments and shared variables. */
export const afterProjects: Filling[] = [
  {
    operation: 'upsertConnectorProjectConnection',
    at: inProjects('projectId', 2, { connector: '@connector0' }),
    hints: { environments },
  },
  {
    operation: 'replaceConnectorTriggerDestinations',
    at: [{ connector: '@connector0' }],
    hints: {
      projectId: oneOf('@project0', '@project1'),
      branch: oneOf('main'),
      customEnvironmentId: oneOf('@customEnvironment0'),
      path: oneOf('/api/events'),
    },
  },
  {
    operation: 'createKmsIssuer',
    at: anywhere(2),
    hints: {
      claimsSchema: oneOf({ type: 'object' }, { type: 'object', required: ['sub'] }),
      policy: oneOf(undefined),
      importKey: anyText,
      importKeyId: oneOf('first'),
    },
    fitted: ({ importKey, importKeyId, ...body }, index) => ({
      ...body,
      name: ['sessions', 'reports'][index],
      ...(importKey && importKeyId ? { importKey, importKeyId } : {}),
    }),
  },
  {
    operation: 'createKmsIssuerPolicy',
    at: [{ issuerId: '@kmsIssuer0' }, { issuerId: '@kmsIssuer0' }],
    hints: { environments, tokenClaims: oneOf({ aud: 'shop' }, { aud: 'shop', roles: ['reader'] }) },
    fitted: (body, index) => ({ ...body, projectId: `@project${index}` }),
  },
  {
    operation: 'createKmsSigningKey',
    at: [{ issuerId: '@kmsIssuer0' }],
    hints: { importKey: oneOf('a key in PEM'), importKeyId: oneOf('second') },
    fitted: ({ revokePreviousAt: _, revokePreviousAfterHours: __, ...body }) => ({
      ...body,
      importKey: 'a key in PEM',
      importKeyId: 'second',
    }),
  },
  {
    operation: 'createPrivateLinkEndpoint',
    at: anywhere(2),
    hints: {
      vercelRegion: oneOf('iad1', 'sfo1'),
      awsServiceName: oneOf('com.amazonaws.vpce.us-east-1.vpce-svc-1'),
    },
    fitted: (body, index) => ({ ...body, projectId: '@project0', name: ['database', 'queue'][index] }),
  },
  {
    operation: 'getOrCreateDrive',
    at: [{ name: 'cache' }, { name: 'models' }],
    hints: { projectId: oneOf('@project0'), maxSizeBytes: oneOf(1_073_741_824, 2_147_483_648) },
    fitted: (body) => ({ ...body, projectId: '@project0' }),
  },
  {
    operation: 'createMicrofrontendsGroupWithApplications',
    at: anywhere(1),
    hints: { defaultRoute: oneOf('/docs', '/help') },
    fitted: ({ defaultApp, otherApplications }) => ({
      groupName: 'shop',
      defaultApp: { ...(defaultApp as Body), projectId: '@project0' },
      otherApplications: [{ ...(otherApplications as Body[])[0], projectId: '@project1' }],
    }),
  },
  {
    operation: 'updateMicrofrontends',
    at: inProjects('projectId', 2),
    hints: { defaultRoute: oneOf('/', '/start') },
    fitted: ({ microfrontendsGroupId: _, isDefaultApp: __, ...body }) => ({ ...body, enabled: true }),
  },
  {
    operation: 'updateMicrofrontendsGroup',
    at: [{ teamId: '@team', groupId: '@microfrontendsGroup0' }],
    hints: { name: oneOf('shop'), fallbackEnvironment: oneOf('PRODUCTION', 'SAME_ENV') },
  },
  {
    operation: 'updateSharedEnvVariable',
    at: anywhere(3),
    hints: {
      'updates{}': oneOf('@sharedEnvVar0', '@sharedEnvVar1'),
      key: oneOf(undefined),
      value: anyText,
      type: oneOf(undefined),
      target: oneOf(undefined),
      projectId: oneOf(undefined),
      link: listOf('@project0', '@project1'),
      unlink: listOf('@project1'),
    },
  },
  {
    operation: 'patchTeam',
    at: [{ teamId: '@team' }],
    hints: {
      avatar: oneOf(undefined),
      slug: oneOf(undefined),
      regenerateInviteCode: oneOf(undefined),
      saml: oneOf(undefined),
      emailDomain: oneOf('example.com', null),
      previewDeploymentSuffix: oneOf('preview.example.com', null),
      enablePreviewFeedback: oneOf('on', 'off', 'default'),
      enableProductionFeedback: oneOf('on', 'off', 'default'),
      sensitiveEnvironmentVariablePolicy: oneOf('off', 'default'),
      disjunctiveProductionSecretPolicy: oneOf('on', 'off', 'default'),
      'defaultPassport.connectorId': oneOf('@connector0', '@connector1'),
      ...projectWide,
    },
    fitted: fitPolicy,
  },
  {
    operation: 'postTeamDsyncRoles',
    at: [{ teamId: '@team' }],
    hints: { roles: oneOf({ developers: 'DEVELOPER' }, { one: 'VIEWER', two: { accessGroupId: 'ag_1' } }) },
  },
  {
    operation: 'issueCert',
    at: anywhere(1),
    hints: { cns: listOf('www.example.com', 'example.com') },
    fitted: (body) => ({ cns: ['www.example.com'], ...body }),
  },
];
