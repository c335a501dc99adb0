import type { Account } from '../../providers/hosting/twin/index.ts';

/** Texts that anybody may change. */
const texts = ['comment', 'description', 'notes', 'note', 'destination'];

/** The shared variable that links name by its id: a link to a variable that is gone can only fail. */
const linkedVariable = 'env_shared';

/** Somebody else takes one object out of the account, or writes something else into it; nothing that holds others. */
export function meddle(account: Account, number: number): void {
  const lists: unknown[][] = [
    ...account.projects.flatMap((project) => [
      project.env.filter(({ system, configurationId }) => !system && !configurationId).length > 0
        ? project.env
        : [],
      project.domains,
      project.firewall.active?.rules ?? [],
      project.firewall.active?.ips ?? [],
      project.routes.find(({ isLive }) => isLive)?.items ?? [],
      project.bulkRedirects.find(({ isLive }) => isLive)?.items ?? [],
      project.featureFlags.flags,
    ]),
    ...account.domains.map(({ records }) => records),
    ...account.accessGroups.flatMap(({ members, projects }) => [members, projects]),
    ...account.globalConfigs.flatMap(({ items, tokens, schema }) => (schema ? [tokens] : [items, tokens])),
    account.webhooks,
    account.certificates,
    account.drains,
    account.aiGatewayBudgets,
    account.sharedEnv,
  ].filter((list) => list.length > 0);
  const list = lists[number % lists.length];
  if (!list) return;
  const one = list[number % list.length] as Record<string, unknown>;
  if (one.id === linkedVariable) return;
  const text = texts.find((name) => name in one);
  if (number % 3 === 0 || text === undefined) list.splice(number % list.length, 1);
  else one[text] = 'changed outside';
}
