import * as z from 'zod';
import type { Call, Making } from '../call.ts';
import { notFound } from '../errors.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';
import { type AiGatewayBudget, refreshPeriod, scopeTypeOf } from './budget.ts';

/** The budget for all projects, keys or users that have none of their own. One for teams can only be read. */
export interface AiGatewayBudgetDefault
  extends Pick<AiGatewayBudget, 'ownerId' | 'limitAmount' | 'refreshPeriod' | 'createdAt' | 'updatedAt'> {
  scopeType: 'project' | 'api-key' | 'team' | 'user';
  active: boolean;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'aiGatewayBudgetDefaults', AiGatewayBudgetDefault> {}
  interface AccountSeed extends Seeds<'aiGatewayBudgetDefaults', typeof seed> {}
}

const scopeTypes = ['project', 'api-key', 'user'] as const;
const putBody = z.strictObject({
  scopeType: z.enum(scopeTypes),
  limitAmount: z.number().min(0),
  refreshPeriod: refreshPeriod.default('none'),
});

type Written = Pick<AiGatewayBudgetDefault, 'scopeType' | 'limitAmount' | 'refreshPeriod'>;

/** Returns the owner's default budget of a scope type; undefined if there is none. */
const findDefault = (call: Pick<Making, 'account' | 'owner'>, scopeType: string) =>
  call.account.aiGatewayBudgetDefaults.find(
    (aiGatewayBudgetDefault) =>
      aiGatewayBudgetDefault.ownerId === call.owner.id && aiGatewayBudgetDefault.scopeType === scopeType,
  );

/** Creates or overwrites the owner's default budget of a scope type. */
function put(call: Making, written: Written): AiGatewayBudgetDefault {
  const updatedAt = call.time();
  const old = findDefault(call, written.scopeType);
  if (old !== undefined) return Object.assign(old, written, { updatedAt });
  const created = { ownerId: call.owner.id, ...written, active: true, createdAt: updatedAt, updatedAt };
  call.account.aiGatewayBudgetDefaults.push(created);
  return created;
}

/** Returns a default budget as answers show it. */
const readDefault = ({ ownerId: _ownerId, ...shown }: AiGatewayBudgetDefault) => shown;

/** Removes the default budget that the query names, or throws 404. */
function remove(call: Call): void {
  const aiGatewayBudgetDefault = findDefault(call, scopeTypeOf(call, scopeTypes));
  if (aiGatewayBudgetDefault === undefined) throw notFound('Budget default');
  const { aiGatewayBudgetDefaults } = call.account;
  aiGatewayBudgetDefaults.splice(aiGatewayBudgetDefaults.indexOf(aiGatewayBudgetDefault), 1);
}

// Only a seed can set the one for teams.
const seed = putBody.extend({
  owner: seedOwned.owner,
  scopeType: z.enum(['project', 'api-key', 'team', 'user']),
});

/** Defaults for budgets of the gateway. */
export const aiGatewayBudgetDefault: Resource = {
  keeps: { account: { aiGatewayBudgetDefaults: [] } },
  operations: {
    'GET /ai-gateway/budgets/defaults/list': operation({ list: 'defaults' }, ({ account, owner }) => ({
      defaults: account.aiGatewayBudgetDefaults
        .filter((aiGatewayBudgetDefault) => aiGatewayBudgetDefault.ownerId === owner.id)
        .map(readDefault),
    })),
    'PUT /ai-gateway/budgets/defaults': operation({ body: putBody }, (call, _, body) =>
      readDefault(put(call, body)),
    ),
    'DELETE /ai-gateway/budgets/defaults': operation(
      { query: { scopeType: z.enum(scopeTypes) }, statuses: [204] },
      remove,
    ),
  },
  seed: { account: { aiGatewayBudgetDefaults: seedList(seed, put) } },
};
