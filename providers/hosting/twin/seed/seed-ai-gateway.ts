import * as z from 'zod';
import { putBudget, putBudgetBody, refreshPeriod } from '../ai/budget.ts';
import { putBudgetDefault } from '../ai/budget-default.ts';
import { addAiGatewayRule, createAiGatewayRuleBody } from '../ai/rule.ts';
import { type Loading, making, ownerOf, projectIdsOf } from './seed-loading.ts';

/** A rule of the gateway as a seed has it. */
export const seedAiGatewayRule = createAiGatewayRuleBody.extend({
  id: z.string().optional(),
  owner: z.string().optional(),
  enabled: z.boolean().optional(),
  deleted: z.boolean().optional(),
});

/** Adds a seed's rule. */
export function loadAiGatewayRule(loading: Loading, seed: z.infer<typeof seedAiGatewayRule>): void {
  const { id, owner, enabled = true, deleted, ...body } = seed;
  const rule = addAiGatewayRule(making(loading, ownerOf(loading, owner)), body);
  Object.assign(rule, { enabled }, id === undefined ? {} : { ruleId: id }, deleted ? { deleted } : {});
}

/** A budget as a seed has it: of a project by its name, or of the team. */
export const seedAiGatewayBudget = putBudgetBody.omit({ scopeType: true, projectId: true }).extend({
  owner: z.string().optional(),
  project: z.string().optional(),
  currentSpend: z.number().optional(),
  archived: z.boolean().optional(),
});

/** Adds a seed's budget. */
export function loadAiGatewayBudget(loading: Loading, seed: z.infer<typeof seedAiGatewayBudget>): void {
  const { owner: ownerName, project, currentSpend = 0, archived = false, ...body } = seed;
  const owner = ownerOf(loading, ownerName);
  const [projectId] = project === undefined ? [] : projectIdsOf(loading, owner, [project]);
  const scope =
    projectId === undefined ? { scopeType: 'team' as const } : { scopeType: 'project' as const, projectId };
  const budget = putBudget(making(loading, owner), { ...scope, ...body });
  Object.assign(budget, { currentSpend, archived, active: !archived });
}

/** The default of a scope type as a seed has it; those of teams and users can only come from a seed. */
export const seedAiGatewayBudgetDefault = z.strictObject({
  owner: z.string().optional(),
  scopeType: z.enum(['project', 'api-key', 'team', 'user']),
  limitAmount: z.number().min(0),
  refreshPeriod,
});

/** Adds a seed's budget default. */
export function loadAiGatewayBudgetDefault(
  loading: Loading,
  { owner, ...written }: z.infer<typeof seedAiGatewayBudgetDefault>,
): void {
  putBudgetDefault(making(loading, ownerOf(loading, owner)), written);
}
