import { type ListOptions, type Paging, pagings } from '../../src/http/pages.ts';

/** Lists that come in pages, by catalog path; all others come whole. */
export const paged: Record<string, Paging> = {
  '/v9/projects/{idOrName}/domains': pagings.time,
  '/v7/deployments': pagings.time,
  '/v5/domains': pagings.time,
  '/v5/domains/{domain}/records': pagings.time,
  '/v1/domains/{domain}/project-domains': pagings.time,
  '/v1/projects/{idOrName}/members': pagings.time,
  '/v1/projects/{projectId}/promote/aliases': pagings.time,
  '/v4/aliases': pagings.time,
  '/v2/teams': pagings.time,
  '/v3/teams/{teamId}/members': pagings.time,
  '/v10/projects/{idOrName}/env': pagings.quietTime,
  '/v1/env': { ...pagings.time, size: 50 },
  '/v8/certs': pagings.quietTime,
  '/v6/user/tokens': pagings.quietTime,
  '/alerts/v3/alert-rules': pagings.cursor,
  '/teams/{teamId}/dsync/groups': pagings.after,
  '/v10/projects': pagings.from,
  '/v1/access-groups': pagings.next,
  '/v1/access-groups/{idOrName}/members': pagings.next,
  '/v1/access-groups/{idOrName}/projects': pagings.next,
  '/v1/global-config/{edgeConfigId}/backups': pagings.next,
  '/v1/kms/issuers': pagings.next,
  '/v2/connect/connectors': pagings.cursor,
  '/v2/connect/connectors/{connector}/projects': pagings.cursor,
  '/v2/connect/projects/{projectId}/connectors': pagings.cursor,
  '/v2/projects/{projectIdOrName}/feature-flags/flags': pagings.cursor,
  '/v1/projects/{projectIdOrName}/feature-flags/flags': pagings.cursor,
  '/v1/projects/{projectIdOrName}/feature-flags/flags/{flagIdOrSlug}/versions': pagings.cursor,
  '/v1/teams/{teamId}/feature-flags/settings': pagings.cursor,
  '/v2/teams/{teamId}/feature-flags/flags': pagings.cursor,
  '/v1/teams/{teamId}/feature-flags/flags': pagings.cursor,
  '/v2/sandboxes': pagings.cursor,
  '/v2/sandboxes/drives': pagings.cursor,
  '/v2/sandboxes/sessions': pagings.cursor,
  '/v2/sandboxes/snapshots': pagings.cursor,
  '/v1/vcr/repository': pagings.nextCursor,
  '/v1/vcr/repository/{idOrName}/images': pagings.nextCursor,
  '/v1/vcr/repository/{idOrName}/permissions': pagings.nextCursor,
  '/v1/vcr/repository/{idOrName}/tags': pagings.nextCursor,
  '/ai-gateway/virtual-model-configs/list': pagings.flatCursor,
  '/v1/bulk-redirects': pagings.page,
  '/v1/security/firewall/bypass': pagings.lastKey,
};

/** The member that tells items apart that have neither `id` nor `uid`. */
export const keys: Record<string, string> = {
  '/v9/projects/{idOrName}/domains': 'name',
  '/v1/domains/{domain}/project-domains': 'name',
  '/v1/access-groups': 'accessGroupId',
  '/v1/access-groups/{idOrName}/projects': 'projectId',
  '/v2/connect/connectors/{connector}/projects': 'project',
  '/v2/connect/projects/{projectId}/connectors': 'connectorId',
  '/v1/vcr/repository/{idOrName}/permissions': 'teamId',
  '/v1/bulk-redirects': 'source',
  '/v1/security/firewall/bypass': 'Id',
};

/** The members of lists with the number of items that are hidden from the token's role. */
const hiddenCounts: Record<string, string> = {
  '/v10/projects/{idOrName}/env': 'hiddenProductionEnvCount',
};

/**
 * Returns how the list at a path of the catalog is read completely: the way in which its pages are requested, the member that identifies an
 * item, and the member with the number of items that the token does not see. `name`: the operation, `GET /v1/webhooks`.
 */
export const listRules = (name: string, path: string): Pick<ListOptions, 'paging' | 'key' | 'hidden'> => ({
  paging: name.startsWith('GET ') ? paged[path] : undefined,
  key: keys[path],
  hidden: hiddenCounts[path],
});
