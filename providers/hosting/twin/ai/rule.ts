import * as z from 'zod';
import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { ApiError, badRequest, notFound } from '../errors.ts';
import { boolean, required } from '../http/query.ts';
import { parseBody } from '../validate.ts';

/** One rule about what the gateway does with requests for a model. */
export interface AiGatewayRule {
  ruleId: string;
  ownerId: string;
  type: 'rewrite' | 'deny';
  match?: { model?: string };
  action?: { rewriteModel?: string; reason?: string };
  description?: string;
  enabled: boolean;
  /** Set on a rule that was deleted: it stays, and at most the list still shows it. */
  deleted?: boolean;
  createdAt: number;
  createdBy: string;
  updatedAt: number;
  updatedBy: string;
}

const action = z.strictObject({ rewriteModel: z.string().optional(), reason: z.string().optional() });

/** The body of POST /v1/ai-gateway/rules; in no SDK, the shapes are those of the platform's CLI. */
export const createAiGatewayRuleBody = z.strictObject({
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

function checkAction(type: AiGatewayRule['type'], action: AiGatewayRule['action']): void {
  if (type !== 'rewrite' || action?.rewriteModel) return;
  throw badRequest('Invalid request: missing required property `action.rewriteModel`.');
}

const allRules = (call: Pick<Call, 'account' | 'owner'>) =>
  call.account.aiGatewayRules.filter((rule) => rule.ownerId === call.owner.id);
const ownRules = (call: Pick<Call, 'account' | 'owner'>) => allRules(call).filter((rule) => !rule.deleted);

function findRule(call: Call, ruleId: string | null): AiGatewayRule {
  if (!ruleId) throw badRequest('Invalid request: missing required property `ruleId`.');
  const found = ownRules(call).find((rule) => rule.ruleId === ruleId);
  if (found === undefined) throw notFound('Rule');
  return found;
}

/** A new rule, enabled, added to the account; 409 (documented without a reason) where one for the model exists. */
export function addAiGatewayRule(
  call: Pick<Call, 'account' | 'owner' | 'id' | 'time'>,
  body: z.infer<typeof createAiGatewayRuleBody>,
): AiGatewayRule {
  checkAction(body.type, body.action);
  const same = (rule: AiGatewayRule) => rule.type === body.type && rule.match?.model === body.match?.model;
  if (ownRules(call).some(same)) {
    throw new ApiError(409, 'conflict', `A ${body.type} rule for this model already exists.`);
  }
  const at = call.time();
  const by = call.account.user.id;
  const rule: AiGatewayRule = {
    ruleId: call.id('rule_'),
    ownerId: call.owner.id,
    ...body,
    enabled: true,
    createdAt: at,
    createdBy: by,
    updatedAt: at,
    updatedBy: by,
  };
  call.account.aiGatewayRules.push(rule);
  return rule;
}

function change(call: Call, rule: AiGatewayRule, changes: Partial<AiGatewayRule>): void {
  Object.assign(rule, changes, { updatedAt: call.time(), updatedBy: call.account.user.id });
}

function update(call: Call): unknown {
  const { ruleId, ...changes } = parseBody(updateBody, call.body, call.outside);
  const rule = findRule(call, ruleId);
  checkAction(rule.type, changes.action ?? rule.action);
  change(call, rule, changes);
  return rule;
}

/** Rules of the gateway for models; both path prefixes of the catalog have the same operations. */
export const aiGatewayRuleHandlers: Handlers = {
  listAiGatewayRules(call) {
    const all = call.query.get('includeDisabled') === 'true';
    const listed = call.switches.deletedRuleListed ? allRules(call) : ownRules(call);
    return { rules: listed.filter((rule) => all || rule.enabled) };
  },
  createAiGatewayRule: (call) =>
    new Answer(201, addAiGatewayRule(call, parseBody(createAiGatewayRuleBody, call.body, call.outside))),
  updateAiGatewayRule: update,
  deleteAiGatewayRule(call) {
    change(call, findRule(call, call.query.get('ruleId')), { deleted: true });
    return new Answer(204);
  },
};

/** The schemas of their request bodies. */
export const aiGatewayRuleBodies: Bodies = {
  createAiGatewayRule: createAiGatewayRuleBody,
  updateAiGatewayRule: updateBody,
};

/** The query parameters that they read. */
export const aiGatewayRuleQueries: Queries = {
  listAiGatewayRules: { includeDisabled: boolean },
  deleteAiGatewayRule: { ruleId: required },
};
