import type { Account, Project } from '../../providers/hosting/twin/account.ts';
import { lastNameOf } from '../../src/model/address.ts';
import type { LiveResource } from '../../src/model/resource.ts';
import type { Body } from './filling-parts.ts';
import { plainKinds } from './plain-sdk.ts';

/** One request of the SDK. */
export interface Sent {
  operation: string;
  at: Record<string, string>;
  body: unknown;
}

/** How the SDK changes the objects of a kind: from where random values come, and what it sends to set one member. */
export interface Changing {
  /** Whose random bodies have the values. */
  operation: string;
  /** The operation whose hints say what they are like, where it is another one. */
  like?: string;
  /** Where a field is in them, if not under its own path. */
  member?(path: string): string;
  /** The values themselves, where what is declared is no member of a body. */
  values?(raw: Body): unknown[];
  /** The requests that set one member; `set` puts the new value into a body that has the member as it is. */
  send(object: Changed, member: string, set: (body: Body) => Body): Sent[];
}

/** An object as the platform has it, and what it is in. */
export interface Changed {
  live: LiveResource;
  raw: Body;
  project: Project;
  account: Account;
}

/** The first object in the account with this id. */
export function withId(value: unknown, id: string): Body | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ((value as Body).id === id && !Array.isArray(value)) return value as Body;
  for (const inner of Object.values(value)) {
    const found = withId(inner, id);
    if (found) return found;
  }
  return undefined;
}

const top = (member: string): string => member.split('.')[0]!;
/** The member that is changed, whole, with what is beside the changed leaf as it is. */
const changedMember = (raw: Body, member: string): Body =>
  raw[top(member)] === undefined ? {} : { [top(member)]: raw[top(member)] };
const plain = (
  operation: string,
  like: string | undefined,
  at: (object: Changed) => Record<string, string>,
): Changing => ({
  operation,
  ...(like === undefined ? {} : { like }),
  send: (object, member, set) => [
    { operation, at: at(object), body: set(changedMember(object.raw, member)) },
  ],
});
const pickMembers = (raw: Body, ...names: string[]): Body =>
  Object.fromEntries(names.flatMap((name) => (raw[name] === undefined ? [] : [[name, raw[name]]])));
const envelope = (project: Project, action: string, id: string | undefined, value: unknown): Sent => ({
  operation: 'updateFirewallConfig',
  at: { projectId: project.id },
  body: { action, ...(id === undefined ? {} : { id }), value },
});
const actions: Record<string, string> = {
  firewallEnabled: 'firewallEnabled',
  botIdEnabled: 'botId.toggle',
  logHeaders: 'logHeaders.update',
};

const newSecret = 'n'.repeat(32);

/** Other content for a record of each type. */
const otherRecord: Record<string, Body> = {
  A: { value: '203.0.113.9' },
  AAAA: { value: '2001:db8::9' },
  ALIAS: { value: 'other.example.net' },
  CAA: { value: '0 issue "other.example.net"' },
  CNAME: { value: 'other.example.net' },
  HTTPS: { https: { priority: 9, target: 'other.example.net' } },
  MX: { value: 'other.example.net' },
  NS: { value: 'other.example.net' },
  SRV: { srv: { priority: 9, weight: 9, port: 9, target: 'other.example.net' } },
  TXT: { value: 'other' },
};

/** Where objects outside of projects are, by the operation that changes them. */
const connectorOf = ({ live, account }: Changed): Record<string, string> => ({
  connector: account.connectors.find(({ uid }) => uid === lastNameOf(live.parent!))!.id,
});
const issuerOf = ({ live, account }: Changed): Record<string, string> => ({
  issuerId: account.kmsIssuers.find(({ name }) => name === lastNameOf(live.parent!))!.id,
});

/** Kinds that no project contains, or that connect projects with what is outside of them. */
const teamWide: Record<string, Changing> = {
  connectConfigurations: {
    operation: 'updateProject',
    // An empty list is no object.
    values: () => [
      [
        {
          envId: 'production',
          connectConfigurationId: '@network1',
          passive: true,
          buildsEnabled: false,
        },
      ],
    ],
    send: ({ project }, path, set) => [
      {
        operation: 'updateProject',
        at: { idOrName: project.id },
        body: { connectConfigurations: set({})[path] },
      },
    ],
  },
  deploymentPolicy: {
    operation: 'updateProject',
    member: (path) => `deploymentPolicy.${path}`,
    send: ({ project }, _, set) => [
      {
        operation: 'updateProject',
        at: { idOrName: project.id },
        body: { deploymentPolicy: set((project.deploymentPolicy ?? {}) as Body) },
      },
    ],
  },
  connector: plain('updateConnector', 'createConnector', ({ live }) => ({ connector: live.id })),
  connectorProject: {
    operation: 'upsertConnectorProjectConnection',
    send: (object, _, set) => [
      {
        operation: 'upsertConnectorProjectConnection',
        at: { ...connectorOf(object), projectId: object.live.id },
        body: set({}),
      },
    ],
  },
  triggerDestinations: {
    operation: 'replaceConnectorTriggerDestinations',
    send: (object, _, set) => [
      { operation: 'replaceConnectorTriggerDestinations', at: connectorOf(object), body: set({}) },
    ],
  },
  kmsIssuer: plain('updateKmsIssuer', 'createKmsIssuer', ({ live }) => ({ issuerId: live.id })),
  kmsIssuerPolicy: {
    operation: 'updateKmsIssuerPolicy',
    like: 'createKmsIssuerPolicy',
    send: (object, _, set) => [
      {
        operation: 'updateKmsIssuerPolicy',
        at: { ...issuerOf(object), kind: 'project-grant', policyKey: object.live.id },
        body: set({}),
      },
    ],
  },
  kmsSigningKey: {
    operation: 'createKmsSigningKey',
    values: () => ['third'],
    send: (object, _, set) => [
      {
        operation: 'createKmsSigningKey',
        at: issuerOf(object),
        body: { importKey: 'a key in PEM', ...set({}) },
      },
    ],
  },
  privateLink: {
    operation: 'updatePrivateLinkEndpoint',
    like: 'createPrivateLinkEndpoint',
    send: ({ live, project }, _, set) => [
      {
        operation: 'updatePrivateLinkEndpoint',
        at: { endpointId: live.id, projectId: project.id },
        body: set({}),
      },
    ],
  },
  microfrontendsGroup: {
    operation: 'updateMicrofrontendsGroup',
    send: ({ live }, _, set) => [
      {
        operation: 'updateMicrofrontendsGroup',
        at: { teamId: '@team', groupId: live.id },
        body: set({}),
      },
    ],
  },
  directoryRole: {
    operation: 'postTeamDsyncRoles',
    values: () => ['BILLING', 'SECURITY'],
    // The map is replaced as a whole.
    send: ({ live, account }, member, set) => {
      const { roles } = account.teams[0]!.settings!.saml as { roles: Body };
      const changed = { ...roles, [lastNameOf(live.address)]: set({})[member] };
      return [{ operation: 'postTeamDsyncRoles', at: { teamId: '@team' }, body: { roles: changed } }];
    },
  },
  microfrontendsProject: {
    operation: 'updateMicrofrontends',
    send: ({ live }, _, set) => [
      {
        operation: 'updateMicrofrontends',
        at: { projectId: live.id },
        body: { enabled: true, ...set({}) },
      },
    ],
  },
};

/** Those of plain kinds, by their samples. */
const ofSamples = plainKinds.flatMap((plain): [string, Changing][] => {
  const { kind, update: operation, create: like, filledIn = [] } = plain;
  if (operation === undefined) return [];
  const send: Changing['send'] = ({ live, raw, project }, member, set) => [
    {
      operation,
      at: { [plain.project]: project.id, [plain.object]: live.id },
      body: set({ ...pickMembers(raw, ...filledIn), ...changedMember(raw, member) }),
    },
  ];
  return [[kind, { operation, like, send }]];
});

/** By kind. A kind that is not here cannot be changed through the SDK; see the exceptions. */
export const changings: Record<string, Changing> = {
  ...Object.fromEntries(ofSamples),
  ...teamWide,
  project: {
    operation: 'updateProject',
    send: ({ live, raw }, member, set) => [
      {
        operation: 'updateProject',
        at: { idOrName: live.id },
        // Its members go alone, since some have effects on others; a machine is one's own choice only once the platform's is over.
        body: set(
          member === 'resourceConfig.buildMachineType'
            ? { resourceConfig: { buildMachineSelection: 'fixed' } }
            : member.startsWith('resourceConfig.')
              ? {}
              : changedMember(raw, member),
        ),
      },
    ],
  },
  customEnvironment: plain('updateCustomEnvironment', 'createCustomEnvironment', ({ live, project }) => ({
    idOrName: project.id,
    environmentSlugOrId: live.id,
  })),
  projectEnvVar: plain('editProjectEnv', 'createProjectEnv', ({ live, project }) => ({
    idOrName: project.id,
    id: live.id,
  })),
  sharedEnvVar: {
    operation: 'updateSharedEnvVariable',
    like: 'createSharedEnvVariable',
    member: (path) => `updates.*.${path}`,
    send: ({ live, raw }, member, set) => [
      {
        operation: 'updateSharedEnvVariable',
        at: {},
        body: { updates: { [live.id]: set(changedMember(raw, member)) } },
      },
    ],
  },
  domain: {
    operation: 'patchDomain',
    send: ({ live }, _, set) => [
      { operation: 'patchDomain', at: { domain: live.id }, body: { op: 'update', ...set({}) } },
    ],
  },
  // A set of records is compared as one: with another time to live, which an export says unless it is the usual one, or with
  // other content.
  dnsRecord: {
    operation: 'updateRecord',
    values: ({ type, ttl }) => [Number(ttl ?? 60) === 60 ? otherRecord[String(type)] : { ttl: 7200 }],
    send: ({ live }, member, set) => [
      { operation: 'updateRecord', at: { recordId: live.ids[0]! }, body: set({})[member] },
    ],
  },
  projectDomain: plain('updateProjectDomain', 'addProjectDomain', ({ live, project }) => ({
    idOrName: project.id,
    domain: live.id,
  })),
  firewall: {
    operation: 'putFirewallConfig',
    send: ({ project }, member, set) => [envelope(project, actions[member]!, undefined, set({})[member])],
  },
  firewallRule: {
    operation: 'putFirewallConfig',
    member: (path) => `rules.*.${path}`,
    send: ({ live, raw, project }, _, set) => [
      envelope(
        project,
        'rules.update',
        live.id,
        set(pickMembers(raw, 'name', 'description', 'active', 'conditionGroup', 'action')),
      ),
    ],
  },
  firewallIp: {
    operation: 'putFirewallConfig',
    member: (path) => `ips.*.${path}`,
    send: ({ live, raw, project }, _, set) => [
      envelope(project, 'ip.update', live.id, set(pickMembers(raw, 'hostname', 'ip', 'action', 'notes'))),
    ],
  },
  managedRuleset: {
    operation: 'updateFirewallConfig',
    member: (path) => (path.startsWith('groups.') ? path.replace('groups', 'value') : `value.${path}`),
    send: ({ live, project }, member, set) =>
      member.startsWith('groups')
        ? [
            envelope(
              project,
              'managedRuleGroup.update',
              live.id,
              set(pickMembers(live.fields, 'groups')).groups,
            ),
          ]
        : [
            envelope(
              project,
              'managedRules.update',
              live.id,
              set({ active: false, ...pickMembers(live.fields, 'active', 'action') }),
            ),
          ],
  },
  coreRuleset: {
    operation: 'putFirewallConfig',
    member: (path) => `crs.sd.${path}`,
    send: ({ live, project }, _, set) => [
      envelope(project, 'crs.update', live.id, set(pickMembers(live.fields, 'active', 'action'))),
    ],
  },
  attackMode: {
    operation: 'updateAttackChallengeMode',
    send: ({ live, project }, _, set) => [
      {
        operation: 'updateAttackChallengeMode',
        at: {},
        body: { projectId: project.id, ...set({ ...live.fields }) },
      },
    ],
  },
  staticIpSettings: plain('updateStaticIps', undefined, ({ project }) => ({ idOrName: project.id })),
  observability: {
    operation: 'updateObservabilityConfigurationProject',
    values: () => [true, false],
    send: ({ project }, _, set) => [
      {
        operation: 'updateObservabilityConfigurationProject',
        at: { projectIdOrName: project.id },
        body: { disabled: !set({}).enabled },
      },
    ],
  },
  protectionBypass: {
    operation: 'updateProjectProtectionBypass',
    like: '',
    member: (path) => `update.${path}`,
    send: ({ live, project }, member, set) => {
      const send = (body: Body): Sent => ({
        operation: 'updateProjectProtectionBypass',
        at: { idOrName: project.id },
        body,
      });
      // Exactly one is the default: it no longer is once another one is, and that one is new, so that only it changes.
      if (member === 'isEnvVar')
        return live.fields.isEnvVar === true
          ? [
              send({ generate: { secret: newSecret, note: 'new' } }),
              send({ update: { secret: newSecret, isEnvVar: true } }),
            ]
          : [];
      const [secret] = Object.entries(project.protectionBypass ?? {}).find(
        ([, one]) => ((one as { note?: string }).note ?? '') === (live.fields.note ?? ''),
      )!;
      return [send({ update: { ...set({}), secret } })];
    },
  },
  bulkRedirects: {
    operation: 'editRedirect',
    like: 'stageRedirects',
    member: (path) => `redirect.${path}`,
    send: ({ live, project }, _, set) => [
      {
        operation: 'editRedirect',
        at: { projectId: project.id },
        body: { redirect: { source: live.id, ...set({}) } },
      },
      {
        operation: 'updateVersion',
        at: { projectId: project.id },
        body: { id: '@redirects', action: 'promote' },
      },
    ],
  },
  projectRoute: {
    operation: 'editRoute',
    like: 'addRoute',
    member: (path) => `route.${path}`,
    send: ({ live, project }, _, set): Sent[] => {
      const found = withId(project.routes, live.id)!;
      // As the platform shows it, with the source as it was written.
      const { rawSrc, rawDest } = found as { rawSrc?: string; rawDest?: string };
      const route = {
        ...(found.route as Body),
        ...(rawSrc === undefined ? {} : { src: rawSrc }),
        ...(rawDest === undefined ? {} : { dest: rawDest }),
      };
      return [
        {
          operation: 'editRoute',
          at: { projectId: project.id, routeId: live.id },
          body: {
            route: set({ ...pickMembers(found, 'name', 'description', 'enabled', 'srcSyntax'), route }),
          },
        },
        {
          operation: 'updateRouteVersions',
          at: { projectId: project.id },
          body: { id: '@routes', action: 'promote' },
        },
      ];
    },
  },
  featureFlagSettings: {
    operation: 'updateFlagSettings',
    send: ({ project }, _, set) => [
      { operation: 'updateFlagSettings', at: { projectIdOrName: project.id }, body: set({}) },
    ],
  },
  segment: plain('updateFlagSegment', 'createFlagSegment', ({ live, project }) => ({
    projectIdOrName: project.id,
    segmentIdOrSlug: live.id,
  })),
  featureFlag: plain('updateFlag', 'createFlag', ({ live, project }) => ({
    projectIdOrName: project.id,
    flagIdOrSlug: live.id,
  })),
  drain: plain('updateDrain', 'createDrain', ({ live }) => ({ id: live.id })),
  globalConfigSchema: {
    operation: 'patchEdgeConfigSchema',
    send: ({ live, account }, _, set) => [
      {
        operation: 'patchEdgeConfigSchema',
        at: {
          edgeConfigId: account.globalConfigs.find(({ slug }) => `globalConfigs/${slug}` === live.parent)!.id,
        },
        body: set({}),
      },
    ],
  },
  accessGroupProject: {
    operation: 'updateAccessGroupProject',
    send: ({ live, account }, _, set) => [
      {
        operation: 'updateAccessGroupProject',
        at: {
          accessGroupIdOrName: account.accessGroups.find(
            ({ name }) => `accessGroups/${name}` === live.parent,
          )!.id,
          projectId: live.id,
        },
        body: set({}),
      },
    ],
  },
};
