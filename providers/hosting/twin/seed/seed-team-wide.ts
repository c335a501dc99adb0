import * as z from 'zod';
import {
  loadAiGatewayBudget,
  loadAiGatewayBudgetDefault,
  loadAiGatewayRule,
  seedAiGatewayBudget,
  seedAiGatewayBudgetDefault,
  seedAiGatewayRule,
} from './seed-ai-gateway.ts';
import { loadDrain, seedDrain } from './seed-drain.ts';
import { loadGlobalConfig, seedGlobalConfig } from './seed-global-config.ts';
import { attempt, type Loading } from './seed-loading.ts';
import { loadSharedEnvVar, seedSharedEnvVar } from './seed-shared-env.ts';
import { loadWebhook, seedWebhook } from './seed-webhook.ts';

/** The lists of a seed whose members belong to a team (or the personal account), not to a project. */
export const teamWideSeed = {
  webhooks: z.array(seedWebhook).optional(),
  drains: z.array(seedDrain).optional(),
  globalConfigs: z.array(seedGlobalConfig).optional(),
  aiGatewayRules: z.array(seedAiGatewayRule).optional(),
  aiGatewayBudgets: z.array(seedAiGatewayBudget).optional(),
  aiGatewayBudgetDefaults: z.array(seedAiGatewayBudgetDefault).optional(),
  sharedEnv: z.array(seedSharedEnvVar).optional(),
};

const shape = z.strictObject(teamWideSeed);
type TeamWideSeed = z.infer<typeof shape>;

/** Adds a seed's team-wide lists; the projects that they name have to be there. */
export function loadTeamWide(loading: Loading, seed: TeamWideSeed): void {
  const all = <T>(name: string, list: T[] | undefined, load: (loading: Loading, one: T) => void) => {
    for (const [i, one] of (list ?? []).entries())
      attempt(loading, `${name}[${i}]`, () => load(loading, one));
  };
  all('webhooks', seed.webhooks, loadWebhook);
  all('drains', seed.drains, loadDrain);
  all('globalConfigs', seed.globalConfigs, loadGlobalConfig);
  all('aiGatewayRules', seed.aiGatewayRules, loadAiGatewayRule);
  all('aiGatewayBudgets', seed.aiGatewayBudgets, loadAiGatewayBudget);
  all('aiGatewayBudgetDefaults', seed.aiGatewayBudgetDefaults, loadAiGatewayBudgetDefault);
  all('sharedEnv', seed.sharedEnv, loadSharedEnvVar);
}
