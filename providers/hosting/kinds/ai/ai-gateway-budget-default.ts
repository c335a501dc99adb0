import * as z from 'zod';
import { defineKind, type Fields, openEnum } from '#kind';

const writable = ['project', 'api-key', 'user'] as const;

/** The budget on the AI gateway of everything of one type which has none of its own. Each type has one at most, written by PUT. */
export const aiGatewayBudgetDefault = defineKind({
  name: 'aiGatewayBudgetDefault',
  doc: 'The AI gateway budget of projects, API keys or users that have none of their own.',
  section: 'aiGatewayBudgetDefaults',
  key: ['scopeType'],
  id: 'scopeType',
  lifecycle: { replace: 'free' },
  fields: () => ({
    scopeType: z.enum(writable).describe('What it applies to.'),
    limitAmount: z.number().min(0).describe('How much each may spend in a period.'),
    refreshPeriod: openEnum(['daily', 'weekly', 'monthly', 'none']).describe('When the period resets.'),
  }),
  example: { project: { limitAmount: 50, refreshPeriod: 'monthly' } },
  read: { endpoint: 'GET /ai-gateway/budgets/defaults/list', items: 'defaults' },
  decode: (budgetDefault) => {
    const { scopeType } = budgetDefault;
    // Defaults of teams are listed, and cannot be written. One without a type is kept, so that the missing key makes the list unreadable.
    const isOfTeams = typeof scopeType === 'string' && !writable.some((type) => type === scopeType);
    return isOfTeams ? undefined : (budgetDefault as Fields);
  },
  create: 'PUT /ai-gateway/budgets/defaults',
  update: 'PUT /ai-gateway/budgets/defaults',
  delete: 'DELETE /ai-gateway/budgets/defaults?scopeType={id}',
});
