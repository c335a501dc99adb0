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
  doc: 'A virtual model of the AI gateway: a name for one or more models and how to choose among them.',
  section: 'aiGatewayVirtualModels',
  key: ['virtualModelSlug'],
  id: 'virtualModelSlug',
  form: 2,
  fields: () => ({
    virtualModelSlug: z.string().min(1).describe('Its name in requests to the gateway.'),
    kind: immutable(z.string().min(1))
      .optional()
      .describe('The type of model; chosen by the platform if omitted.'),
    displayName: text().describe('Its display name.'),
    description: z.string().optional().describe('Its description.'),
    models: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('The models behind it, first choice first.'),
    modelSlug: text().describe('The model behind it, if there is only one.'),
    selector: openEnum(['priority', 'cost', 'ttft', 'tps'])
      .optional()
      .describe('How a model is chosen: by `priority`, `cost`, time to first token or tokens per second.'),
    sort: openEnum(['cost', 'price', 'latency', 'throughput', 'ttft', 'tps'])
      .optional()
      .describe('How providers are ordered.'),
    providerOrder: z.array(z.string().min(1)).optional().describe('The providers to try first, in order.'),
    providerOnly: texts().describe('The only providers to use.'),
    providerOptions: atomic(z.record(z.string(), z.record(z.string(), z.any())))
      .optional()
      .describe('Extra options for each provider, by its name.'),
    providerTimeouts: z
      .strictObject({ byok: z.record(z.string(), z.number().positive()).optional() })
      .optional()
      .describe('The timeout of each provider with your own keys, in milliseconds, by its name.'),
    byokCredentialIds: texts().describe('The ids of your own keys to use.'),
    serviceTier: openEnum(['flex', 'priority', 'fast'])
      .optional()
      .describe('The service tier to request from providers.'),
    speed: openEnum(['fast']).optional().describe("Use a model's faster, more expensive mode if it has one."),
    allowFallbackFromFast: flag().describe(
      'Whether to fall back to the normal mode if the fast one is unavailable.',
    ),
    caching: openEnum(['auto']).optional().describe('Whether the gateway marks what providers may cache.'),
    inferenceRegion: z
      .strictObject({
        scope: openEnum(['global', 'zone', 'specific']).optional().describe('How the location is specified.'),
        geoRegion: text().describe('The part of the world, such as `eu`.'),
        providerRegion: text().describe('The region, as named by the provider.'),
        providers: atomic(z.record(z.string(), z.record(z.string(), z.string())))
          .optional()
          .describe('Overrides by provider name.'),
      })
      .optional()
      .describe('Where requests are processed.'),
    has: setOf(openEnum(['implicit-caching', 'vision']))
      .optional()
      .describe('Required model properties.'),
    requires: texts().describe('Required model capabilities.'),
    disallowPromptTraining: flag().describe('Only providers that do not train on prompts.'),
    hipaaCompliant: flag().describe('Only providers that comply with HIPAA.'),
    zeroDataRetention: flag().describe('Only providers with zero data retention.'),
    observabilityTags: texts().describe('Tags for finding requests.'),
    baseUrl: z.url().optional().describe('Where your own model is served.'),
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
    deletedMark: 'deleted',
    byId: { endpoint: 'GET /ai-gateway/virtual-model-configs/{id}?ownerId={teamId}', within: 'ownerId' },
    facts: ['updatedBy'],
  },
  create: 'POST /ai-gateway/virtual-model-configs',
  update: 'PATCH /ai-gateway/virtual-model-configs/{id}',
  delete: 'DELETE /ai-gateway/virtual-model-configs/{id}?ownerId={teamId}',
});
