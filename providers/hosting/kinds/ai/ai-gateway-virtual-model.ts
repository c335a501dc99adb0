import * as z from 'zod';
import { atomic, defineKind, immutable, openEnum, setOf } from '#kind';

const text = () => z.string().min(1).optional();
const texts = () => setOf(z.string().min(1)).optional();
const flag = () => z.boolean().optional();

/**
 * A model of the team's own. No public source says what a request may hold: the fields are those that an answer has and that are no
 * doing of the platform's.
 */
export const aiGatewayVirtualModel = defineKind({
  name: 'aiGatewayVirtualModel',
  doc: 'A model of your own on the AI gateway: a name for one or several models, with the way to choose among them.',
  section: 'aiGatewayVirtualModels',
  key: ['virtualModelSlug'],
  id: 'virtualModelSlug',
  form: 2,
  fields: () => ({
    virtualModelSlug: z.string().min(1).describe('Its name in requests to the gateway.'),
    kind: immutable(z.string().min(1))
      .optional()
      .describe('The sort of model; the platform chooses without it.'),
    displayName: text().describe('Its name, for people.'),
    description: z.string().optional().describe('What it is for.'),
    models: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('The models behind it, the first choice first.'),
    modelSlug: text().describe('The model behind it, where there is one.'),
    selector: openEnum(['priority', 'cost', 'ttft', 'tps'])
      .optional()
      .describe(
        'By what a model is chosen: `priority`, `cost`, the time to the first token, tokens per second.',
      ),
    sort: openEnum(['cost', 'price', 'latency', 'throughput', 'ttft', 'tps'])
      .optional()
      .describe('By what providers are tried in turn.'),
    providerOrder: z
      .array(z.string().min(1))
      .optional()
      .describe('The providers that are tried first, in turn.'),
    providerOnly: texts().describe('The only providers that are asked.'),
    providerOptions: atomic(z.record(z.string(), z.record(z.string(), z.any())))
      .optional()
      .describe('What a provider is told beside the request, by its name.'),
    providerTimeouts: z
      .strictObject({ byok: z.record(z.string(), z.number().positive()).optional() })
      .optional()
      .describe('How long a provider may take with keys of your own, in milliseconds, by its name.'),
    byokCredentialIds: texts().describe('The ids of keys of your own that are used.'),
    serviceTier: openEnum(['flex', 'priority', 'fast'])
      .optional()
      .describe('How urgent requests are to a provider.'),
    speed: openEnum(['fast']).optional().describe('The faster, dearer way of a model that has one.'),
    allowFallbackFromFast: flag().describe('Whether the usual way is taken where the fast one is not there.'),
    caching: openEnum(['auto']).optional().describe('Whether the gateway marks what providers may cache.'),
    inferenceRegion: z
      .strictObject({
        scope: openEnum(['global', 'zone', 'specific']).optional().describe('How exactly it is said.'),
        geoRegion: text().describe('The part of the world, `eu` for example.'),
        providerRegion: text().describe('The region, as a provider calls it.'),
        providers: atomic(z.record(z.string(), z.record(z.string(), z.string())))
          .optional()
          .describe('The same for some providers, by their names.'),
      })
      .optional()
      .describe('Where requests are computed.'),
    has: setOf(openEnum(['implicit-caching', 'vision']))
      .optional()
      .describe('What a model has to have.'),
    requires: texts().describe('What a model has to be able to do.'),
    disallowPromptTraining: flag().describe('Only providers that do not train with what is sent.'),
    hipaaCompliant: flag().describe('Only providers that comply with HIPAA.'),
    zeroDataRetention: flag().describe('Only providers that keep nothing of what is sent.'),
    observabilityTags: texts().describe('Words by which requests are found again.'),
    baseUrl: z.url().optional().describe('Where a model of your own is served.'),
    visibility: text().describe('Who sees it.'),
  }),
  example: `aiGatewayVirtualModels:
  support:
    displayName: Support
    models: [example/large, example/small]
    selector: cost
    zeroDataRetention: true`,
  read: {
    // Without the owner those of all teams of the token are listed.
    endpoint: 'GET /ai-gateway/virtual-model-configs/list?ownerId={teamId}',
    items: 'virtualModelConfigs',
    gone: 'deleted',
    facts: ['updatedBy'],
  },
  create: 'POST /ai-gateway/virtual-model-configs',
  update: 'PATCH /ai-gateway/virtual-model-configs/{id}',
  delete: 'DELETE /ai-gateway/virtual-model-configs/{id}?ownerId={teamId}',
});
