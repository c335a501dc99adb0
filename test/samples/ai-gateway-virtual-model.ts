import { type Sample, text, unset } from '../support/sample.ts';

export const aiGatewayVirtualModel: Sample = {
  place: (block) => ({ aiGatewayVirtualModels: { LABEL: block } }),
  leaves: {
    kind: text,
    displayName: text,
    description: text,
    models: [['a/one'], ['a/two', 'a/one']],
    modelSlug: ['a/one', 'a/two'],
    selector: ['cost', 'ttft'],
    sort: ['price', 'latency'],
    providerOrder: [['one'], ['two', 'one']],
    providerOnly: [['one'], ['one', 'two']],
    providerOptions: [{ one: { a: 1 } }, { two: { b: [true] } }],
    'providerTimeouts.byok.one': [1000, 2000],
    byokCredentialIds: [['key_1'], ['key_1', 'key_2']],
    serviceTier: ['flex', 'priority'],
    speed: ['fast', 'fast'],
    allowFallbackFromFast: unset,
    caching: ['auto', 'auto'],
    'inferenceRegion.scope': ['zone', 'specific'],
    'inferenceRegion.geoRegion': ['eu', 'us'],
    'inferenceRegion.providerRegion': ['eu-west-1', 'us-east-1'],
    'inferenceRegion.providers': [
      { one: { scope: 'global' } },
      { one: { scope: 'zone', geoRegion: 'eu' }, two: {} },
    ],
    has: [['vision'], ['vision', 'implicit-caching']],
    requires: [['tools'], ['tools', 'files']],
    disallowPromptTraining: unset,
    hipaaCompliant: unset,
    zeroDataRetention: unset,
    observabilityTags: [['a'], ['a', 'b']],
    baseUrl: ['https://one.example.com', 'https://two.example.com'],
    visibility: ['team', 'private'],
  },
  single: ['speed', 'caching'],
  seed: { account: { aiGatewayVirtualModels: [{ virtualModelSlug: 'support' }] } },
  requests: async ({ twin, all }) => {
    const path = '/ai-gateway/virtual-model-configs';
    const virtualModelSlug = 'one';
    await all(
      ['POST', path, { virtualModelSlug }],
      ['GET', `${path}?virtualModelSlug=one&ownerId=${twin.account.teams[0]!.id}`],
      ['GET', `${path}/one`],
      ['PATCH', path, { virtualModelSlug, displayName: 'One' }],
      ['DELETE', `${path}?virtualModelSlug=one`],
      ['POST', path, { virtualModelSlug }],
      ['DELETE', `${path}/one`],
    );
  },
};
