import type { Account, Project } from '../../providers/hosting/twin/index.ts';
import { resources } from '../../providers/hosting/twin/resources.ts';
import { escapeName } from '../../src/model/address.ts';
import { contentOf, type Item, inside, named, only, topLevel } from './inventory-item.ts';
import {
  alertItems,
  microfrontendsItems,
  settingItems,
  signInItems,
  storeItems,
} from './inventory-of-team.ts';

/** What other objects belong to by its id. The platform takes out of them what is deleted. */
const idsOf = ({ projects }: Account): Set<string> =>
  new Set(projects.flatMap(({ id, customEnvironments }) => [id, ...customEnvironments.map((one) => one.id)]));

/** Without what the account `now` has not any more, where that belongs to it. */
const living =
  (ids: ReadonlySet<string>) =>
  <T extends object>(one: T): T => {
    const members = Object.entries(one).map(([name, value]) => [
      name,
      /^(projectIds?|customEnvironmentIds)$/.test(name) && Array.isArray(value)
        ? value.filter((id) => ids.has(id))
        : value,
    ]);
    return Object.fromEntries(members);
  };

/** Tells whether a plan says that it links a shared variable to a project, or ends that link. */
export type IsPlannedLink = (variableId: string, projectId: string) => boolean;

/**
 * Every object of an account by its key; `now`: the account as it is later. Nothing of the tool is asked. Links that `isPlannedLink`
 * names are no content of the variable, which may be somebody else's.
 */
export function inventory(
  account: Account,
  now = account,
  isPlannedLink: IsPlannedLink = () => false,
): Map<string, Item> {
  const ids = idsOf(now);
  const alive = living(ids);
  const items = [
    ...account.projects.flatMap((project) => inProject(project, alive)),
    ...account.domains.flatMap((domain): Item[] => [
      {
        ...named('domains', domain.name, domain.name),
        content: contentOf(domain, ['records', 'renew', 'customNameservers']),
      },
      only(`domains:${domain.name}`, 'autoRenew', { enabled: domain.renew }),
      only(`domains:${domain.name}`, 'nameservers', { custom: domain.customNameservers }),
      ...domain.records.map(
        (record): Item => ({
          ...inside(`domains:${domain.name}`, 'records', record.id, record.id),
          shared: true,
          content: contentOf(record),
        }),
      ),
    ]),
    ...account.accessGroups.flatMap((group): Item[] => [
      { ...named('accessGroups', group.id, group.name), content: contentOf(group, ['members', 'projects']) },
      ...group.members.map(
        (member): Item => ({
          ...inside(`accessGroups:${group.id}`, 'members', member.uid),
          content: contentOf(member),
        }),
      ),
      ...group.projects.map((one): Item => {
        const item = inside(`accessGroups:${group.id}`, 'projects', one.projectId);
        // Its name is that of the project.
        const within = [...item.within, `projects:${one.projectId}`];
        return { ...item, place: 'projects/', within, content: contentOf(one) };
      }),
    ]),
    ...account.webhooks.map(
      (one): Item => ({ ...topLevel('webhooks', one.id), content: contentOf(alive(one)) }),
    ),
    ...account.aliases.flatMap((one): Item[] => {
      const item = inside(`projects:${one.projectId}`, 'aliases', one.alias);
      return [
        { ...item, content: contentOf(one, ['protectionBypass']) },
        ...Object.entries(one.protectionBypass).map(([key, { scope, ...bypass }]): Item => {
          // Everybody goes by a name of their own, and by a secret on the platform.
          const who = scope === 'alias-protection-override' ? '*' : key;
          return { ...inside(item.key, 'protectionBypasses', who), content: contentOf({ scope, ...bypass }) };
        }),
      ];
    }),
    ...account.certificates.map(
      (one): Item => ({ ...topLevel('certificates', one.id), content: contentOf(one) }),
    ),
    ...account.drains.map((one): Item => ({ ...topLevel('drains', one.id), content: contentOf(alive(one)) })),
    ...account.globalConfigs
      .filter(({ deletedAt }) => deletedAt === undefined)
      .flatMap((config): Item[] => {
        const key = `globalConfigs:${config.id}`;
        return [
          {
            ...named('globalConfigs', config.id, config.slug),
            content: contentOf(config, ['items', 'tokens', 'schema']),
          },
          ...config.items.map(
            (item): Item => ({ ...inside(key, 'items', item.key), content: contentOf(item) }),
          ),
          ...config.tokens.map(
            (token): Item => ({ ...inside(key, 'tokens', token.id, token.id), content: contentOf(token) }),
          ),
          ...(config.schema === undefined ? [] : [only(key, 'schema', { definition: config.schema })]),
        ];
      }),
    ...account.networks
      .filter(({ status }) => status !== 'delete_in_progress')
      .map((one): Item => ({ ...named('networks', one.id, one.name), content: contentOf(one, ['status']) })),
    ...account.authTokens.map(
      (one): Item => ({ ...named('authTokens', one.id, one.name), content: contentOf(one) }),
    ),
    ...account.kmsIssuers.flatMap((issuer): Item[] => {
      const key = `kmsIssuers:${issuer.id}`;
      const content = contentOf(issuer, ['policies', 'history']);
      return [
        { ...named('kmsIssuers', issuer.id, issuer.name), content },
        ...issuer.policies.flatMap((policy): Item[] => {
          if (policy.kind !== 'project-grant') return [];
          const item = inside(key, 'policies', policy.projectId);
          const within = [key, `projects:${policy.projectId}`];
          return [{ ...item, place: 'policies/', within, content: contentOf(policy) }];
        }),
      ];
    }),
    ...account.aiGatewayRules
      .filter(({ deleted }) => !deleted)
      .map((one): Item => ({ ...topLevel('aiGatewayRules', one.ruleId), content: contentOf(one) })),
    ...account.aiGatewayBudgets
      .filter(({ archived }) => !archived)
      .map(
        (one): Item => ({
          ...topLevel(
            'aiGatewayBudgets',
            one.scopeType === 'team' ? 'team' : `${one.scopeType}:${one.scopeId}`,
          ),
          within: one.scopeType === 'project' ? [`projects:${one.scopeId}`] : [],
          content: contentOf(one),
        }),
      ),
    ...account.connectors.flatMap((connector): Item[] => {
      const key = `connectors:${connector.id}`;
      const destinations = connector.triggerDestinations.filter(({ projectId }) => ids.has(projectId));
      return [
        {
          ...named('connectors', connector.id, connector.uid),
          content: contentOf(connector, ['projects', 'triggerDestinations']),
        },
        only(key, 'triggerDestinations', { destinations }),
        ...connector.projects.map((one): Item => {
          const item = inside(key, 'projects', one.projectId);
          const within = [key, `projects:${one.projectId}`];
          return { ...item, place: 'projects/', within, content: contentOf(one) };
        }),
      ];
    }),
    ...account.aiGatewayVirtualModels
      .filter(({ deleted }) => !deleted)
      .map(
        (one): Item => ({
          ...named('aiGatewayVirtualModels', one.virtualModelSlug, one.virtualModelSlug),
          content: contentOf(one),
        }),
      ),
    ...account.aiGatewayBudgetDefaults
      .filter(({ scopeType }) => scopeType === 'project' || scopeType === 'api-key')
      .map(
        (one): Item => ({
          ...named('aiGatewayBudgetDefaults', one.scopeType, one.scopeType),
          content: contentOf(one),
        }),
      ),
    ...alertItems(account),
    ...signInItems(account),
    ...storeItems(account),
    ...microfrontendsItems(account),
    ...account.sharedEnv
      .filter(({ deletedAt }) => deletedAt === undefined)
      .flatMap((row): Item[] => [
        {
          ...topLevel('sharedEnv', row.id),
          shared: true,
          content: contentOf({
            ...alive(row),
            projectId: row.projectId.filter((id) => ids.has(id) && !isPlannedLink(row.id, id)),
          }),
        },
        ...row.target.map(
          (target): Item => ({
            key: `sharedEnv:${row.key}@${target}`,
            section: 'sharedEnv',
            within: [],
            place: `sharedEnv/${escapeName(row.key)}@${target}`,
            unit: `${row.id}@${target}`,
            content: '',
          }),
        ),
      ]),
  ];
  return new Map(items.map((item) => [item.key, item]));
}

function inProject(project: Project, alive: <T extends object>(one: T) => T): Item[] {
  const key = `projects:${project.id}`;
  const parts = [
    'env',
    'domains',
    'customEnvironments',
    'firewall',
    'featureFlags',
    'attackMode',
    'bulkRedirects',
    'routes',
    'protectionBypass',
    'rollingRelease',
    'registryRepositories',
    'sandboxDrives',
    'sandboxes',
    'privateLinks',
    'deployments',
    'connectConfigurations',
    'crons',
    'deploymentExpiration',
    'deploymentPolicy',
    'allowedInstallations',
  ];
  const { active } = project.firewall;
  const live = <T>(versions: { isLive: boolean; items: T[] }[]) =>
    versions.find(({ isLive }) => isLive)?.items ?? [];
  const [rules, routes] = [active?.rules ?? [], live(project.routes)];
  const { flags, segments, sdkKeys, settings } = project.featureFlags;
  return [
    {
      ...named('projects', project.id, project.name),
      content: contentOf(project, [...parts, ...keptInProjects]),
    },
    ...(project.connectConfigurations
      ? [only(key, 'connectConfigurations', { networks: project.connectConfigurations })]
      : []),
    ...settingItems(project),
    only(key, 'crons', { enabled: !(project.crons as { disabledAt?: number } | undefined)?.disabledAt }),
    ...(project.deploymentPolicy ? [only(key, 'deploymentPolicy', project.deploymentPolicy)] : []),
    ...retentionIn(key, project),
    ...project.allowedInstallations.map((id): Item => ({ ...inside(key, 'integrations', id), content: '' })),
    ...project.env.flatMap((row): Item[] => [
      {
        ...inside(key, 'env', row.id, row.id),
        shared: true,
        content: contentOf(alive(row)),
      },
      ...row.target.map((target): Item => {
        const branch = row.gitBranch === undefined ? '' : `:${escapeName(row.gitBranch)}`;
        return {
          ...inside(key, 'env', `${row.key}@${target}${branch}`),
          unit: `${row.id}@${target}${branch}`,
          content: '',
        };
      }),
    ]),
    // It goes by its name; the platform takes that for its id, too.
    ...project.sandboxDrives.map(
      // The platform keeps who mounts it.
      (one): Item => ({
        ...inside(key, 'sandboxDrives', one.name),
        content: contentOf(one, ['currentSandboxName']),
      }),
    ),
    ...project.sandboxes.map(
      // It is written under other names than it is shown under. What is in its policy and nothing reads goes with a change of that.
      ({ memory, vcpus, networkPolicy, ...one }): Item => {
        const { injectionRules: _, ...policy } = (networkPolicy ?? {}) as Record<string, unknown>;
        const resources = { memory, vcpus };
        const all = { ...one, resources, networkPolicy: policy };
        return { ...inside(key, 'sandboxes', one.name), content: contentOf(all, ['status']) };
      },
    ),
    ...project.deployments.map(
      (one): Item => ({
        ...inside(key, 'deployments', one.meta.trueup ?? one.id),
        content: contentOf(one, ['state']),
      }),
    ),
    // Its status goes on by itself.
    ...project.privateLinks.map(
      (one): Item => ({
        ...inside(key, 'privateLinks', one.id, one.id),
        content: contentOf(one, ['status']),
      }),
    ),
    ...project.domains.map((one): Item => ({ ...inside(key, 'domains', one.name), content: contentOf(one) })),
    ...project.customEnvironments.map(
      (one): Item => ({ ...inside(key, 'customEnvironments', one.id, one.id), content: contentOf(one) }),
    ),
    ...rules.map((one): Item => ({ ...inside(key, 'rules', one.id, one.id), content: contentOf(one) })),
    ...(active?.ips ?? []).map(
      (one): Item => ({ ...inside(key, 'ips', one.id, one.id), content: contentOf(one) }),
    ),
    ...live(project.bulkRedirects).map((one): Item => {
      const { source } = one as { source: string };
      return { ...inside(key, 'bulkRedirects', source), content: contentOf(one) };
    }),
    ...routes.map((one): Item => ({ ...inside(key, 'routes', one.id, one.id), content: contentOf(one) })),
    ...flags.map(
      (one): Item => ({ ...inside(key, 'featureFlags', one.id, one.id), content: contentOf(one) }),
    ),
    ...segments.map((one): Item => ({ ...inside(key, 'segments', one.id, one.id), content: contentOf(one) })),
    ...sdkKeys
      .filter(({ deletedAt }) => deletedAt === undefined)
      .map(
        (one): Item => ({
          ...inside(key, 'featureFlagSdkKeys', one.hashKey, one.hashKey),
          content: contentOf(one),
        }),
      ),
    ...project.registryRepositories.flatMap((one): Item[] => {
      const at = inside(key, 'registryRepositories', one.id, one.id);
      return [
        { ...at, content: contentOf(one, ['permissions']) },
        ...one.permissions.map(
          (team): Item => ({ ...inside(at.key, 'permissions', team.teamId), content: contentOf(team) }),
        ),
      ];
    }),
    ...Object.entries(project.protectionBypass ?? {}).map(
      // Its secret is its id; which of them is the system variable is settled among all of them.
      ([secret, one]): Item => ({
        ...inside(key, 'protectionBypass', secret, secret),
        content: contentOf(one, ['isEnvVar']),
      }),
    ),
    ...plainLists(project, parts).flatMap(([section, list]) =>
      list.map(
        (one): Item => ({
          ...inside(key, section, one.id ?? one.uid!, one.id),
          content: contentOf(alive(one)),
        }),
      ),
    ),
    ...(active ? [only(key, 'firewall', active, ['rules', 'ips', 'changes', 'id'])] : []),
    ...(settings ? [only(key, 'featureFlagSettings', settings)] : []),
    ...(project.rollingRelease ? [only(key, 'rollingRelease', project.rollingRelease)] : []),
    ...(project.attackMode?.enabled ? [only(key, 'attackMode', project.attackMode)] : []),
  ];
}

/** How long the deployments of a project are kept, under the names of the configuration. Days without a limit are none. */
function retentionIn(key: string, { deploymentExpiration }: Project): Item[] {
  const days = Object.entries((deploymentExpiration ?? {}) as Record<string, number>);
  const fields = days.map(([name, count]) => [name.replace('expirationDays', 'expiration'), count]);
  const isLimited = days.some(([, count]) => count !== 36_500);
  return isLimited ? [only(key, 'deploymentRetention', Object.fromEntries(fields))] : [];
}

const keptInProjects = resources.flatMap(({ keeps }) => Object.keys(keeps?.project ?? {}));

/** What a project keeps as a list and needs nothing special, under the name of its section. */
const plainLists = (project: Project, special: string[]): [string, { id?: string; uid?: string }[]][] =>
  keptInProjects.flatMap((name) => {
    const list: unknown = project[name];
    return special.includes(name) || !Array.isArray(list) ? [] : [[name, list]];
  });

const nameOf = ({ content }: Item): unknown => JSON.parse(content).name;

/**
 * What an object is now. A firewall rule that cannot be changed where it is, is made anew under its name before the old one
 * goes; anything else is gone where it is gone.
 */
export const successorOf = (item: Item, after: ReadonlyMap<string, Item>): Item | undefined =>
  after.get(item.key) ??
  (item.section === 'rules'
    ? [...after.values()].find(
        (one) => one.section === 'rules' && one.within[0] === item.within[0] && nameOf(one) === nameOf(item),
      )
    : undefined);

/** The ids of rules and routes in the order that decides, by list. */
export const orders = (account: Account): Map<string, string[]> =>
  new Map(
    account.projects.flatMap((project): [string, string[]][] => [
      [`${project.id} rules`, (project.firewall.active?.rules ?? []).map(({ id }) => id)],
      [
        `${project.id} routes`,
        (project.routes.find(({ isLive }) => isLive)?.items ?? []).map(({ id }) => id),
      ],
    ]),
  );
