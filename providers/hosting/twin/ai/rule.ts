import * as z from 'zod';
import type { Call, Making } from '../call.ts';
import { badRequest, conflict } from '../errors.ts';
import { boolean, required } from '../http/query.ts';
import { ofOwner } from '../kept.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';

/** A rule of the AI gateway: what it does with requests for a model. */
export interface AiGatewayRule {
  ruleId: string;
  ownerId: string;
  type: 'rewrite' | 'deny';
  match?: { model?: string };
  action?: { rewriteModel?: string; reason?: string };
  description?: string;
  enabled: boolean;
  /** Set on a rule that was deleted. It is still stored, and a switch decides whether the list shows it. */
  deleted?: boolean;
  createdAt: number;
  createdBy: string;
  updatedAt: number;
  updatedBy: string;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'aiGatewayRules', AiGatewayRule> {}
  interface AccountSeed extends Seeds<'aiGatewayRules', typeof seed> {}
}

const action = z.strictObject({ rewriteModel: z.string().optional(), reason: z.string().optional() });

// In no SDK: the shapes are those of the platform's CLI.
const createBody = z.strictObject({
  type: z.enum(['rewrite', 'deny']),
  match: z.strictObject({ model: z.string().optional() }).optional(),
  action: action.optional(),
  description: z.string().optional(),
});
const updateBody = z.strictObject({
  ruleId: z.string(),
  enabled: z.boolean().optional(),
  description: z.string().optional(),
  action: action.optional(),
});

/** Throws 400 for a rule that rewrites the model without naming another one. */
function checkAction(type: AiGatewayRule['type'], action: AiGatewayRule['action']): void {
  if (type !== 'rewrite' || action?.rewriteModel) return;
  throw badRequest('Invalid request: missing required property `action.rewriteModel`.');
}

const rules = ofOwner('aiGatewayRules', {
  what: 'Rule',
  isCalled: ({ ruleId, deleted }, name) => ruleId === name && !deleted,
  shows: (_, rule) => rule,
});

/** Returns the owner's rule with this id. Throws 400 without an id, and 404 if there is no such rule. */
function findRule(call: Call, ruleId: string | null): AiGatewayRule {
  if (ruleId) return rules.find(call, call.owner, ruleId);
  throw badRequest('Invalid request: missing required property `ruleId`.');
}

/**
 * Adds a new, enabled rule to the account. Throws 409 if the model has a rule of this type already (the documentation of that status gives
 * no reason).
 */
function add(call: Making, body: z.infer<typeof createBody>): AiGatewayRule {
  checkAction(body.type, body.action);
  const isSame = ({ type, match, deleted }: AiGatewayRule) =>
    type === body.type && match?.model === body.match?.model && !deleted;
  if (rules.all(call, call.owner).some(isSame))
    throw conflict(`A ${body.type} rule for this model already exists.`);
  const timestamp = call.time();
  const userId = call.account.user.id;
  const rule = {
    ...{ ruleId: call.id('rule_'), ownerId: call.owner.id, ...body, enabled: true },
    ...{ createdAt: timestamp, createdBy: userId, updatedAt: timestamp, updatedBy: userId },
  };
  return rules.add(call, rule, call.owner);
}

/** Writes changes into a rule, with their time and author. */
function change(call: Call, rule: AiGatewayRule, changes: Partial<AiGatewayRule>): void {
  Object.assign(rule, changes, { updatedAt: call.time(), updatedBy: call.account.user.id });
}

const seed = createBody.extend({
  ...seedOwned,
  enabled: z.boolean().optional(),
  deleted: z.boolean().optional(),
});

/** Rules of the gateway for models; both path prefixes of the catalog have the same operations. */
export const aiGatewayRule: Resource = {
  keeps: { account: { aiGatewayRules: [] } },
  operations: {
    listAiGatewayRules: rules.list('rules', {
      query: { includeDisabled: boolean },
      wanted: ({ enabled, deleted }, { query, switches }) =>
        (enabled || query.get('includeDisabled') === 'true') && (!deleted || switches.deletedRuleListed),
    }),
    createAiGatewayRule: operation({ body: createBody, statuses: [201, 409] }, (call, _, body) =>
      add(call, body),
    ),
    updateAiGatewayRule: operation(
      { body: updateBody, statuses: [200, 404] },
      (call, _, { ruleId, ...changes }) => {
        const rule = findRule(call, ruleId);
        checkAction(rule.type, changes.action ?? rule.action);
        change(call, rule, changes);
        return rule;
      },
    ),
    deleteAiGatewayRule: operation(
      {
        query: { ruleId: required },
        statuses: [204],
        on: (call) => findRule(call, call.query.get('ruleId')),
      },
      (call, rule) => change(call, rule, { deleted: true }),
    ),
  },
  seed: {
    account: {
      aiGatewayRules: seedList(seed, (making, { id, enabled = true, deleted, ...body }) => {
        const marks = { enabled, ...(id && { ruleId: id }), ...(deleted && { deleted }) };
        Object.assign(add(making, body), marks);
      }),
    },
  },
};
