import * as z from 'zod';
import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { notFound } from '../errors.ts';
import { parseBody } from '../validate.ts';
import { type AiGatewayBudget, refreshPeriod, scopeTypeOf } from './budget.ts';

/** The budget of everything of one type that has none of its own. Rows of teams and users can only be read. */
export interface AiGatewayBudgetDefault
  extends Pick<AiGatewayBudget, 'ownerId' | 'limitAmount' | 'refreshPeriod' | 'createdAt' | 'updatedAt'> {
  scopeType: 'project' | 'api-key' | 'team' | 'user';
  active: boolean;
}

const scopeTypes = ['project', 'api-key'] as const;
const putBody = z.strictObject({
  scopeType: z.enum(scopeTypes),
  limitAmount: z.number().min(0),
  refreshPeriod,
});

type Written = Pick<AiGatewayBudgetDefault, 'scopeType' | 'limitAmount' | 'refreshPeriod'>;

const findDefault = (call: Pick<Call, 'account' | 'owner'>, scopeType: string) =>
  call.account.aiGatewayBudgetDefaults.find(
    (one) => one.ownerId === call.owner.id && one.scopeType === scopeType,
  );

/** Writes the default of a type, whether there is one or not. */
export function putBudgetDefault(
  call: Pick<Call, 'account' | 'owner' | 'time'>,
  written: Written,
): AiGatewayBudgetDefault {
  const updatedAt = call.time();
  const old = findDefault(call, written.scopeType);
  if (old !== undefined) return Object.assign(old, written, { updatedAt });
  const one = { ownerId: call.owner.id, ...written, active: true, createdAt: updatedAt, updatedAt };
  call.account.aiGatewayBudgetDefaults.push(one);
  return one;
}

const readDefault = ({ ownerId: _ownerId, ...one }: AiGatewayBudgetDefault) => one;

function remove(call: Call): unknown {
  const found = findDefault(call, scopeTypeOf(call, scopeTypes));
  if (found === undefined) throw notFound('Budget default');
  const { aiGatewayBudgetDefaults } = call.account;
  aiGatewayBudgetDefaults.splice(aiGatewayBudgetDefaults.indexOf(found), 1);
  return new Answer(204);
}

/** Defaults for budgets of the gateway. */
export const aiGatewayBudgetDefaultHandlers: Handlers = {
  'GET /ai-gateway/budgets/defaults/list': (call) => ({
    defaults: call.account.aiGatewayBudgetDefaults
      .filter((one) => one.ownerId === call.owner.id)
      .map(readDefault),
  }),
  'PUT /ai-gateway/budgets/defaults': (call) =>
    readDefault(putBudgetDefault(call, parseBody(putBody, call.body, call.outside))),
  'DELETE /ai-gateway/budgets/defaults': remove,
};

/** The schemas of their request bodies. */
export const aiGatewayBudgetDefaultBodies: Bodies = { 'PUT /ai-gateway/budgets/defaults': putBody };

/** The query parameters that they read. */
export const aiGatewayBudgetDefaultQueries: Queries = {
  'DELETE /ai-gateway/budgets/defaults': { scopeType: z.enum(scopeTypes) },
};
