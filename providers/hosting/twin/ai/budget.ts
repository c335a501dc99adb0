import * as z from 'zod';
import type { Call, Making } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { checkProjectIds, projectIdsOf } from '../find-project.ts';
import { choice, queryChoice, text } from '../http/query.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';

type Whose = Pick<Making, 'account' | 'owner'>;

type RefreshPeriod = 'daily' | 'weekly' | 'monthly' | 'none';

/** A spending limit in US dollars for a team, one of its projects, or a user in it. */
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

declare module '../account.ts' {
  interface AccountParts extends Keeps<'aiGatewayBudgets', AiGatewayBudget> {}
  interface AccountSeed extends Seeds<'aiGatewayBudgets', typeof seed> {}
}

const scopeTypes = ['team', 'project', 'user'] as const;
/** The period after which spending counts from zero again. */
export const refreshPeriod = z.enum(['daily', 'weekly', 'monthly', 'none']);

// In no SDK: the shape is that of the platform's CLI.
const putBody = z.strictObject({
  scopeType: z.enum(scopeTypes),
  projectId: z.string().optional(),
  userId: z.string().optional(),
  limitAmount: z.number().min(0),
  refreshPeriod: refreshPeriod.optional(),
  includeByokInQuota: z.boolean().optional(),
});

interface Scope {
  scopeType: AiGatewayBudget['scopeType'];
  projectId?: string | undefined;
  userId?: string | undefined;
}

/** Returns the id of the team, project or user that a budget is for. Throws 400 if the request names it wrongly. */
function scopeId({ account, owner }: Whose, { scopeType, projectId, userId }: Scope): string {
  const named = { team: undefined, project: projectId, user: userId }[scopeType];
  for (const [type, id] of [['project', projectId] as const, ['user', userId] as const])
    if (id && type !== scopeType)
      throw badRequest(`Invalid request: \`${type}Id\` should NOT be given with the scope ${scopeType}.`);
  if (scopeType === 'team') return owner.id;
  if (!named) throw badRequest(`Invalid request: missing required property \`${scopeType}Id\`.`);
  // No source says whether a user has to be in the team.
  if (scopeType === 'project') checkProjectIds({ account, owner }, [named]);
  return named;
}

/** Returns the budgets of the owner of a request. */
const ownBudgets = (call: Whose) =>
  call.account.aiGatewayBudgets.filter((budget) => budget.ownerId === call.owner.id);

/** Creates the budget of a team, project or user, or overwrites all of it. */
function put(call: Making, body: z.infer<typeof putBody>): AiGatewayBudget {
  const id = scopeId(call, body);
  const timestamp = call.time();
  const { limitAmount, refreshPeriod = 'none', includeByokInQuota = false } = body;
  const written = { limitAmount, refreshPeriod, includeByokInQuota, active: true, archived: false };
  const old = ownBudgets(call).find(
    (aiGatewayBudget) =>
      aiGatewayBudget.scopeId === id && !(aiGatewayBudget.archived && call.switches.archivedBudgetStays),
  );
  if (old !== undefined) return Object.assign(old, written, { updatedAt: timestamp });
  const budget: AiGatewayBudget = {
    quotaEntityId: call.id('quota_'),
    ownerId: call.owner.id,
    scopeType: body.scopeType,
    scopeId: id,
    currentSpend: 0,
    currentByokSpend: 0,
    ...written,
    createdAt: timestamp,
    updatedAt: timestamp,
  };
  call.account.aiGatewayBudgets.push(budget);
  return budget;
}

/** Returns a budget as answers show it. */
const readBudget = ({ ownerId: _ownerId, ...budget }: AiGatewayBudget) => budget;

/** Returns the scope type that the query of a removal names. Throws 400 if it names none. */
export function scopeTypeOf<T extends string>(call: Call, allowed: readonly T[]): T {
  const scopeType = queryChoice(call, 'scopeType', allowed);
  if (scopeType === undefined) throw badRequest('Invalid request: missing required property `scopeType`.');
  return scopeType;
}

/** Removes the budget that the query names: it is archived and stays in the list. Throws 404 if there is none. */
function archive(call: Call): void {
  const scopeType = scopeTypeOf(call, scopeTypes);
  const asked = (name: string) => call.query.get(name) ?? undefined;
  const id = scopeId(call, { scopeType, projectId: asked('projectId'), userId: asked('userId') });
  const aiGatewayBudget = ownBudgets(call).find(
    (aiGatewayBudget) => aiGatewayBudget.scopeId === id && !aiGatewayBudget.archived,
  );
  if (aiGatewayBudget === undefined) throw notFound('Budget');
  Object.assign(aiGatewayBudget, { active: false, archived: true, updatedAt: call.time() });
}

// A budget of the project with this name; without a project, of the team.
const seed = putBody.omit({ scopeType: true, projectId: true, userId: true }).extend({
  owner: seedOwned.owner,
  project: z.string().optional(),
  currentSpend: z.number().optional(),
  archived: z.boolean().optional(),
});

/** Budgets of the gateway. */
export const aiGatewayBudget: Resource = {
  keeps: { account: { aiGatewayBudgets: [] } },
  operations: {
    'GET /ai-gateway/budgets/list': operation(
      { query: { scopeType: choice(scopeTypes) }, list: 'budgets' },
      (call) => {
        const scopeType = queryChoice(call, 'scopeType', scopeTypes);
        const aiGatewayBudgets = ownBudgets(call).filter(
          (aiGatewayBudget) => scopeType === undefined || aiGatewayBudget.scopeType === scopeType,
        );
        return { budgets: aiGatewayBudgets.map(readBudget) };
      },
    ),
    'PUT /ai-gateway/budgets': operation({ body: putBody }, (call, _, body) => readBudget(put(call, body))),
    'DELETE /ai-gateway/budgets': operation(
      { query: { scopeType: z.enum(scopeTypes), projectId: text, userId: text }, statuses: [204] },
      archive,
    ),
  },
  after: ['projects'],
  seed: {
    account: {
      aiGatewayBudgets: seedList(seed, (making, seeded) => {
        const { project, currentSpend = 0, archived = false, ...body } = seeded;
        const [projectId] = project === undefined ? [] : projectIdsOf(making, [project]);
        const scopeType = projectId === undefined ? 'team' : 'project';
        const budget = put(making, { scopeType, ...(projectId && { projectId }), ...body });
        Object.assign(budget, { currentSpend, archived, active: !archived });
      }),
    },
  },
  forget(account, projectId) {
    account.aiGatewayBudgets = account.aiGatewayBudgets.filter(
      (aiGatewayBudget) => aiGatewayBudget.scopeId !== projectId,
    );
  },
};
