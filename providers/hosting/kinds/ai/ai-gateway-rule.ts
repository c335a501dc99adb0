import * as z from 'zod';
import { atomic, defineKind, type Fields, immutable, label, openEnum, updateOnly } from '#kind';
import { labelled } from '#shapes';

/** A rule of the AI gateway. The platform has no name for it; its id stands in the body or the query. */
export const aiGatewayRule = defineKind({
  name: 'aiGatewayRule',
  doc: 'A rule of the AI gateway: denies a model, or substitutes another one.',
  section: 'aiGatewayRules',
  key: ['label'],
  shape: labelled([['type', 'match']]),
  id: 'ruleId',
  lifecycle: { replace: 'free' },
  form: 2,
  fields: () => ({
    label: label().describe('Its name here; the platform has none.'),
    type: immutable(openEnum(['rewrite', 'deny'])).describe('What it does.'),
    match: immutable(z.strictObject({ model: z.string().min(1).optional().describe('The model.') }))
      .default({})
      .describe('The model it applies to.'),
    action: atomic(
      z.strictObject({
        rewriteModel: z.string().optional().describe('The model to use instead.'),
        reason: z.string().optional().describe('The reason given when it denies.'),
      }),
    )
      .optional()
      .describe("The action's settings, declared as a whole."),
    description: z.string().nullable().optional().describe('A note for humans.'),
    enabled: updateOnly(z.boolean()).optional().describe('Whether it applies.'),
  }),
  example: `aiGatewayRules:
  no-preview:
    type: deny
    match: { model: example/preview }
    action: { reason: Not for production }`,
  rules: {
    // Only the text can be written: an empty one is none.
    normal: (fields) => (fields.description === null ? { ...fields, description: '' } : fields),
  },
  read: {
    endpoint: 'GET /v1/ai-gateway/rules?includeDisabled=true',
    items: 'rules',
    deletedMark: 'deleted',
    facts: ['updatedBy'],
  },
  decode: (rule) => ({ match: {}, action: {}, description: '', ...rule }) as Fields,
  create: 'POST /v1/ai-gateway/rules',
  update: { endpoint: 'PATCH /v1/ai-gateway/rules', body: ({ id, body }) => ({ ruleId: id, ...body }) },
  delete: 'DELETE /v1/ai-gateway/rules?ruleId={id}',
});
