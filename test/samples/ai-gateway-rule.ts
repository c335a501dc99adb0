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
};
