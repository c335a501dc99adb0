import { flag, inProject, type Sample } from '../support/sample.ts';

export const featureFlagSettings: Sample = {
  place: (block) => inProject({ featureFlagSettings: block }),
  leaves: {
    enabled: flag,
    entities: [
      [{ kind: 'user', label: 'User', attributes: [{ key: 'id', type: 'string' }] }],
      [
        { kind: 'team', label: 'Team', attributes: [] },
        {
          kind: 'user',
          label: 'User',
          attributes: [{ key: 'plan', type: 'string', labels: [{ label: 'Pro', value: 'pro' }] }],
        },
      ],
    ],
    environments: [
      ['production', 'preview'],
      ['production', 'preview', 'development', 'staging'],
    ],
  },
  seed: { featureFlags: { settings: {} } },
};
