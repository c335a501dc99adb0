import type { Account } from '../../providers/hosting/twin/index.ts';
import { escapeName } from '../../src/model/address.ts';
import { isOn } from './account-shape.ts';
import { contentOf, type Item, inside, named, only } from './inventory-item.ts';

/* Objects of a team for the inventory: alerts, sign-in, stores with their connections, and groups of microfrontends. */

/** Returns the rules that raise alerts, with their targets. The default rule is the platform's own. */
export const alertItems = ({ alertRules }: Account): Item[] =>
  alertRules.flatMap((rule): Item[] => {
    const item = named('alertRules', rule.id, rule.name);
    const targets = rule.notifications.map((target): Item => {
      const id = 'webhookId' in target ? target.webhookId : `${target.configId}/${target.channelId}`;
      return { ...inside(item.key, 'notifications', id, id), content: contentOf(target) };
    });
    return rule.isDefault ? [] : [{ ...item, content: contentOf(rule, ['notifications']) }, ...targets];
  });

/** Returns OAuth apps with their client secrets, and policies for tokens of other issuers. */
export const signInItems = ({ oauthApps, oidcPolicies }: Account): Item[] => [
  ...oauthApps.flatMap((app): Item[] => {
    const item = named('oauthApps', app.id, app.slug);
    const secrets = app.clientSecrets.map(
      (secret): Item => ({
        ...inside(item.key, 'clientSecrets', secret.id, secret.id),
        content: contentOf(secret),
      }),
    );
    return [{ ...item, content: contentOf(app, ['clientSecrets']) }, ...secrets];
  }),
  ...oidcPolicies.map(
    (policy): Item => ({
      ...named('oidcPolicies', policy.id, policy.name ?? policy.id),
      content: contentOf(policy),
    }),
  ),
];

/** Returns the stores for files and those of integrations, with the projects that are connected to them. */
export const storeItems = ({ stores, installations }: Account): Item[] => [
  // Only a person makes an installation: its name is enough to find it.
  ...installations.map(({ id: name, ...installation }): Item => {
    const { id: _, ...item } = named('installations', name, name);
    return { ...item, content: contentOf(installation, ['resources']) };
  }),
  ...stores.flatMap((store): Item[] => {
    const { connections, product } = store;
    const item = product
      ? {
          ...inside(`installations:${product.integrationConfigurationId}`, 'stores', store.id, store.id),
          place: `stores/${escapeName(store.name)}`,
        }
      : named('blobStores', store.id, store.name);
    return [
      { ...item, content: contentOf(store, ['connections', 'status']) },
      ...connections.map((connection): Item => {
        const inStore = inside(item.key, 'connections', connection.projectId);
        const within = [item.key, `projects:${connection.projectId}`];
        return { ...inStore, place: 'connections/', within, content: contentOf(connection) };
      }),
    ];
  }),
];

/** Returns the groups of microfrontends, with the projects that take part in them. */
export const microfrontendsItems = ({ microfrontendsGroups, projects }: Account): Item[] => [
  ...microfrontendsGroups.map(
    (group): Item => ({
      ...named('microfrontends', group.id, group.name),
      content: contentOf(group, ['slug']),
    }),
  ),
  ...projects.flatMap(({ id, microfrontends }): Item[] => {
    if (!microfrontends?.enabled) return [];
    const { groupIds, enabled: _, ...settings } = microfrontends;
    return groupIds.map((groupId): Item => {
      const key = `microfrontends:${groupId}`;
      const within = [key, `projects:${id}`];
      return { ...inside(key, 'projects', id), place: 'projects/', within, content: contentOf(settings) };
    });
  }),
];

type Project = Account['projects'][number];

/** Returns the settings that each project has, whether they were ever written or not: their address names no object that can be gone. */
export function settingItems(project: Project): Item[] {
  const key = `projects:${project.id}`;
  const { speedInsights, webAnalytics } = project;
  return [
    only(key, 'observability', { enabled: project.observabilityDisabledAt === null }),
    only(key, 'speedInsights', { enabled: isOn(speedInsights) }),
    only(key, 'webAnalytics', { enabled: isOn(webAnalytics) }),
    only(key, 'tracingConfig', project.tracingConfig),
    only(key, 'avatar', { file: project.avatar }),
  ];
}
