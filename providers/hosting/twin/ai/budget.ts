import * as z from 'zod';
import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { choice, text } from '../http/query.ts';
import { queryChoice } from '../http/query-choice.ts';
import { checkProjectIds } from '../projects/project-references.ts';
import { parseBody } from '../validate.ts';

type RefreshPeriod = 'daily' | 'weekly' | 'monthly' | 'none';

/** What a team, one of its projects or somebody in it may spend, in US dollars. A user's can only be read here. */
export interface AiGatewayBudget {
  quotaEntityId: string;
  ownerId: string;
  scopeType: 'team' | 'project' | 'user';
  /** The id of the team, project or user. */
  scopeId: string;
  limitAmount: number;
  currentSpend: number;
  currentByokSpend: number;
  includeByokInQuota: boolean;
  refreshPeriod: RefreshPeriod;
  active: boolean;
  archived: boolean;
  createdAt: number;
  updatedAt: number;
}

const scopeTypes = ['team', 'project'] as const;
/** How often what was spent is forgotten. */
export const refreshPeriod = z.enum(['daily', 'weekly', 'monthly', 'none']);

/** The body of PUT /ai-gateway/budgets; in no SDK, the shape is that of the platform's CLI. */
export const putBudgetBody = z.strictObject({
  scopeType: z.enum(scopeTypes),
  projectId: z.string().optional(),
  limitAmount: z.number().min(0),
  refreshPeriod: refreshPeriod.optional(),
  includeByokInQuota: z.boolean().optional(),
});

function scopeId(call: Pick<Call, 'account' | 'owner'>, scopeType: string, projectId?: string): string {
  if (scopeType === 'team') {
    if (!projectId) return call.owner.id;
    throw badRequest('Invalid request: `projectId` should NOT be given with the scope team.');
  }
  if (!projectId) throw badRequest('Invalid request: missing required property `projectId`.');
  checkProjectIds(call, [projectId]);
  return projectId;
}

const ownBudgets = (call: Pick<Call, 'account' | 'owner'>) =>
  call.account.aiGatewayBudgets.filter((budget) => budget.ownerId === call.owner.id);

/** Writes the budget of a scope whole, whether there is one or not. */
export function putBudget(
  call: Pick<Call, 'account' | 'owner' | 'switches' | 'id' | 'time'>,
  body: z.infer<typeof putBudgetBody>,
): AiGatewayBudget {
  const id = scopeId(call, body.scopeType, body.projectId);
  const at = call.time();
  const { limitAmount, refreshPeriod = 'none', includeByokInQuota = false } = body;
  const written = { limitAmount, refreshPeriod, includeByokInQuota, active: true, archived: false };
  const old = ownBudgets(call).find(
    (one) => one.scopeId === id && !(one.archived && call.switches.archivedBudgetStays),
  );
  if (old !== undefined) return Object.assign(old, written, { updatedAt: at });
  const budget: AiGatewayBudget = {
    quotaEntityId: call.id('quota_'),
    ownerId: call.owner.id,
    scopeType: body.scopeType,
    scopeId: id,
    currentSpend: 0,
    currentByokSpend: 0,
    ...written,
    createdAt: at,
    updatedAt: at,
  };
  call.account.aiGatewayBudgets.push(budget);
  return budget;
}

const readBudget = ({ ownerId: _ownerId, ...budget }: AiGatewayBudget) => budget;

/** The scope type that the query of a removal has to name, or 400. */
export function scopeTypeOf<T extends string>(call: Call, allowed: readonly T[]): T {
  const scopeType = queryChoice(call, 'scopeType', allowed);
  if (scopeType === undefined) throw badRequest('Invalid request: missing required property `scopeType`.');
  return scopeType;
}

function list(call: Call): unknown {
  const scopeType = queryChoice(call, 'scopeType', scopeTypes);
  const budgets = ownBudgets(call).filter((one) => scopeType === undefined || one.scopeType === scopeType);
  return { budgets: budgets.map(readBudget) };
}

// Archived, not removed: the row stays in the list.
function remove(call: Call): unknown {
  const scopeType = scopeTypeOf(call, scopeTypes);
  const id = scopeId(call, scopeType, call.query.get('projectId') ?? undefined);
  const found = ownBudgets(call).find((one) => one.scopeId === id && !one.archived);
  if (found === undefined) throw notFound('Budget');
  Object.assign(found, { active: false, archived: true, updatedAt: call.time() });
  return new Answer(204);
}

/** Budgets of the gateway. */
export const aiGatewayBudgetHandlers: Handlers = {
  'GET /ai-gateway/budgets/list': list,
  'PUT /ai-gateway/budgets': (call) =>
    readBudget(putBudget(call, parseBody(putBudgetBody, call.body, call.outside))),
  'DELETE /ai-gateway/budgets': remove,
};

/** The schemas of their request bodies. */
export const aiGatewayBudgetBodies: Bodies = { 'PUT /ai-gateway/budgets': putBudgetBody };

/** The query parameters that they read. */
export const aiGatewayBudgetQueries: Queries = {
  'GET /ai-gateway/budgets/list': { scopeType: choice(scopeTypes) },
  'DELETE /ai-gateway/budgets': { scopeType: z.enum(scopeTypes), projectId: text },
};
