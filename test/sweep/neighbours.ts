import type { Account, Twin } from '../../providers/hosting/twin/index.ts';

/** The ids of what can have neighbours in it. */
export const containersOf = ({ projects, domains, globalConfigs }: Account): ReadonlySet<string> =>
  new Set([
    ...[...projects, ...domains, ...globalConfigs].map(({ id }) => id),
    ...projects.flatMap(({ id, firewall }) => (firewall.active ? [`${id} firewall`] : [])),
  ]);

/**
 * Somebody else makes objects beside those of the stack, in the account and in each of these containers: of every sort that has
 * siblings, under names and in fields that no scenario declares. It does not matter when that happens: the result is the same.
 */
export function addNeighbours(
  twin: Pick<Twin, 'account' | 'add'>,
  name: string,
  places: ReadonlySet<string>,
) {
  const { account } = twin;
  const url = `https://${name}.example.com`;
  twin.add({
    webhooks: [{ url, events: ['project.removed'] }],
    certificates: [{ cns: [`${name}.example.com`] }],
    drains: [{ name, delivery: { type: 'http', endpoint: url, encoding: 'json', headers: {} } }],
    globalConfigs: [{ slug: name }],
    sharedEnv: [{ key: name.toUpperCase(), value: name }],
    accessGroups: [{ name }],
    aiGatewayRules: [{ type: 'deny', match: { model: `example/${name}` } }],
    alertRules: [
      {
        ...{ name, type: 'built-in', ruleScope: { type: 'all' } },
        ...{ triggers: { mode: 'all' }, matchMinimumSeverityLevel: 'low' },
      } as never,
    ],
    oidcPolicies: [{ name, clientId: `cl_${name}`, issuerUrl: url, claims: [], permissions: ['*'] }],
    blobStores: [{ name }],
  });
  // Times and ids of its own: what is made later has the same ones as without it.
  const own = { createdAt: 1, updatedAt: 1, createdBy: null, updatedBy: null };
  for (const project of account.projects.filter(({ id }) => places.has(id))) {
    Object.assign(project, { buildCommand: `make ${name}` });
    const target = ['production'];
    const row = { id: `env-${name}`, key: name.toUpperCase(), value: name, type: 'plain' as const };
    project.env.push({ ...row, ...own, target, customEnvironmentIds: [] });
    const { active } = project.firewall;
    if (active && places.has(`${project.id} firewall`)) {
      active.version += 1;
      active.ips.push({
        id: `ip-${name}`,
        hostname: `${name}.example.com`,
        ip: '198.51.100.1',
        action: 'log',
      });
    }
    project.featureFlags.segments.push({
      id: `segment-${name}`,
      slug: name,
      label: name,
      hint: name,
      data: {},
      projectId: project.id,
      createdBy: account.user.id,
      createdAt: 1,
      updatedAt: 1,
    });
  }
  for (const { id, records } of account.domains)
    if (places.has(id))
      records.push({
        id: `rec-${name}`,
        type: 'TXT',
        name,
        value: name,
        ttl: 60,
        comment: '',
        creator: account.user.id,
        createdAt: 1,
        updatedAt: 1,
      });
  for (const { id, items } of account.globalConfigs)
    if (places.has(id)) items.push({ key: name, value: name, createdAt: 1, updatedAt: 1 });
}
