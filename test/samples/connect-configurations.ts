import type { Sample } from '../support/sample.ts';

const network = (envId: string, passive: boolean) => ({
  ...{ envId, connectConfigurationId: '$' + '{networks.LABEL.id}', passive, buildsEnabled: !passive },
});

export const connectConfigurations: Sample = {
  place: (block) => ({
    networks: { LABEL: { region: 'iad1', cidr: '10.0.0.0/16' } },
    projects: { LABEL: { connectConfigurations: block } },
  }),
  base: { networks: [network('preview', false)] },
  leaves: {
    networks: [[network('production', true)], [network('production', false), network('preview', true)]],
  },
};
