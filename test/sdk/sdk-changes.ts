import type { Account, Project } from '../../providers/hosting/twin/account.ts';
import type { LiveResource } from '../../src/model/resource.ts';
import type { Body } from './filling.ts';

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
const part = (raw: Body, member: string): Body =>
  raw[top(member)] === undefined ? {} : { [top(member)]: raw[top(member)] };
const plain = (
  operation: string,
  like: string | undefined,
  at: (object: Changed) => Record<string, string>,
): Changing => ({
  operation,
  ...(like === undefined ? {} : { like }),
  send: (object, member, set) => [{ operation, at: at(object), body: set(part(object.raw, member)) }],
});
const only = (raw: Body, ...names: string[]): Body =>
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

/** By kind. A kind that is not here cannot be changed through the SDK; see `unchangeable`. */
export const changings: Record<string, Changing> = {
  project: {
    operation: 'updateProject',
    send: ({ live, raw }, member, set) => [
      {
        operation: 'updateProject',
        at: { idOrName: live.id },
        // Its members go alone, since some have effects on others.
        body: set(member.startsWith('resourceConfig.') ? {} : part(raw, member)),
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
        body: { updates: { [live.id]: set(part(raw, member)) } },
      },
    ],
  },
  domain: {
    operation: 'patchDomain',
    send: ({ live }, _, set) => [
      { operation: 'patchDomain', at: { domain: live.id }, body: { op: 'update', ...set({}) } },
    ],
  },
  // A set of records is compared as one.
  dnsRecord: {
    operation: 'updateRecord',
    like: 'createRecord',
    member: () => 'ttl',
    send: ({ live }, member, set) => [
      { operation: 'updateRecord', at: { recordId: live.ids[0]! }, body: { ttl: set({})[member] } },
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
        set(only(raw, 'name', 'description', 'active', 'conditionGroup', 'action')),
      ),
    ],
  },
  firewallIp: {
    operation: 'putFirewallConfig',
    member: (path) => `ips.*.${path}`,
    send: ({ live, raw, project }, _, set) => [
      envelope(project, 'ip.update', live.id, set(only(raw, 'hostname', 'ip', 'action', 'notes'))),
    ],
  },
  coreRuleset: {
    operation: 'putFirewallConfig',
    member: (path) => `crs.sd.${path}`,
    send: ({ live, project }, _, set) => [
      envelope(project, 'crs.update', String(live.fields.id), set(only(live.fields, 'active', 'action'))),
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
  protectionBypass: {
    operation: 'updateProjectProtectionBypass',
    like: '',
    member: (path) => `update.${path}`,
    send: ({ live, project }, _, set) => {
      const [secret] = Object.entries(project.protectionBypass ?? {}).find(
        ([, one]) => ((one as { note?: string }).note ?? '') === (live.fields.note ?? ''),
      )!;
      return [
        {
          operation: 'updateProjectProtectionBypass',
          at: { idOrName: project.id },
          body: { update: { ...set({}), secret } },
        },
      ];
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
            route: set({ ...only(found, 'name', 'description', 'enabled', 'srcSyntax'), route }),
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

/** Fields that the SDK cannot change alone, or whose change no plan can show as drift: which, and why. */
export const unchangeable: { kind: string; path: RegExp; reason: string }[] = [
  { kind: 'webhook', path: /./, reason: 'the platform has no operation that changes a webhook' },
  { kind: 'globalConfigItem', path: /./, reason: 'the SDK dropped the operation that changes items' },
  { kind: 'project', path: /^gitRepository/, reason: 'the SDK has no operation that links a repository' },
  {
    kind: 'project',
    path: /^resourceConfig\.functionDefaultRegions$/,
    reason: 'the platform shows the first one as `serverlessFunctionRegion` too',
  },
  { kind: 'projectDomain', path: /^customEnvironmentId$/, reason: 'only a creation sets it' },
  { kind: 'drain', path: /^delivery\.type$/, reason: 'another type needs other members beside it' },
  {
    kind: 'protectionBypass',
    path: /^isEnvVar$/,
    reason: 'exactly one is that: it changes with another one',
  },
  { kind: 'protectionBypass', path: /^secret$/, reason: 'another secret is another bypass' },
  { kind: 'featureFlag', path: /^kind$/, reason: 'only a creation sets it' },
  {
    kind: 'projectEnvVar',
    path: /^(target|gitBranch|customEnvironmentIds)$/,
    reason: 'they say which variable it is: with others it is another one',
  },
  {
    kind: 'sharedEnvVar',
    path: /^(target|customEnvironmentIds)$/,
    reason: 'they say which variable it is: with others it is another one',
  },
];
