import type { Account } from '../account.ts';
import type { Call } from '../call.ts';
import { badRequest } from '../errors.ts';

/** Refuses ids (names do not count) that are not those of the owner's projects. */
export function checkProjectIds({ account, owner }: Pick<Call, 'account' | 'owner'>, ids: string[]): void {
  for (const id of ids) {
    if (account.projects.some((project) => project.id === id && project.accountId === owner.id)) continue;
    throw badRequest(`The project ${id} does not exist.`);
  }
}

/** Takes a deleted project out of everything of its owner that refers to it, and drops what was there only for it. */
export function forgetProject(account: Account, id: string): void {
  const without = (ids: string[]) => ids.filter((one) => one !== id);
  for (const webhook of account.webhooks) {
    if (webhook.projectIds !== undefined) webhook.projectIds = without(webhook.projectIds);
  }
  for (const drain of account.drains) {
    if (drain.projectIds !== undefined) drain.projectIds = without(drain.projectIds);
    const filter = drain.filter?.filter;
    if (filter?.type === 'basic' && filter.project?.ids !== undefined) {
      filter.project.ids = without(filter.project.ids);
    }
  }
  for (const group of account.accessGroups) {
    group.projects = group.projects.filter((one) => one.projectId !== id);
  }
  for (const variable of account.sharedEnv) variable.projectId = without(variable.projectId);
  account.aiGatewayBudgets = account.aiGatewayBudgets.filter((budget) => budget.scopeId !== id);
  account.globalConfigs = account.globalConfigs.filter(
    ({ purpose }) => purpose?.type !== 'flags' || purpose.projectId !== id,
  );
}
