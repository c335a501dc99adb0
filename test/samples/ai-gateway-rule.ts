import { type Sample, text, unset } from '../support/sample.ts';

export const aiGatewayRule: Sample = {
  place: (block) => ({ aiGatewayRules: { LABEL: block } }),
  base: { type: 'rewrite', match: { model: 'example/LABEL' }, action: { rewriteModel: 'example/other' } },
  leaves: {
    type: ['deny', 'rewrite'],
    'match.model': ['example/LABEL-1', 'example/LABEL-2'],
    action: [{ rewriteModel: 'example/one', reason: 'r' }, { rewriteModel: 'example/two' }],
    description: text,
    enabled: unset,
  },
  seed: { account: { aiGatewayRules: [{ type: 'deny', match: { model: 'a/b' } }] } },
  requests: async ({ go, all }) => {
    const rules = '/v1/ai-gateway/rules';
    const { ruleId } = await go('POST', rules, { type: 'deny', match: { model: 'm' } });
    await all(['PATCH', rules, { ruleId, enabled: false }], ['DELETE', `${rules}?ruleId=${ruleId}`]);
  },
};
