import { flag, inProject, people, plan, type Sample, text, unset, userId } from '../support/sample.ts';

const answer = (variantId: string) => ({ type: 'variant', variantId });

const inEnvironment = { active: true, pausedOutcome: answer('off'), fallthrough: answer('on') };

export const featureFlag: Sample = {
  place: (block) =>
    inProject({
      segments: { beta: { label: 'Beta', hint: 'Testers', data: {} } },
      featureFlags: { banner: block },
    }),
  base: {
    kind: 'boolean',
    variants: [
      { id: 'off', value: false },
      { id: 'on', value: true },
    ],
    environments: { production: inEnvironment, preview: inEnvironment, development: inEnvironment },
  },
  leaves: {
    // Another kind is another flag.
    kind: ['boolean', 'boolean'],
    description: text,
    state: ['archived', 'active'],
    variants: [
      [
        { id: 'on', value: true, label: 'On', description: 'It is there' },
        { id: 'off', value: false },
      ],
      [
        { id: 'on', value: true },
        { id: 'off', value: false, label: 'Off' },
      ],
    ],
    'environments.production.active': unset,
    'environments.production.reuse': [
      { active: true, environment: 'preview' },
      { active: false, environment: 'preview' },
    ],
    'environments.production.targets.on.user.id': [people('u1', 'u2'), people('u2')],
    'environments.production.pausedOutcome': [answer('on'), answer('off')],
    'environments.production.rules': [
      [
        {
          id: 'r1',
          conditions: [{ lhs: { type: 'segment' }, cmp: 'eq', rhs: '${projects.LABEL.segments.beta.id}' }],
          outcome: answer('on'),
        },
      ],
      [
        {
          id: 'r1',
          conditions: [
            {
              lhs: { type: 'segment' },
              cmp: 'oneOf',
              rhs: { type: 'list', items: [{ value: '${projects.LABEL.segments.beta.id}', note: 'n' }] },
            },
            {
              lhs: plan,
              cmp: 'oneOf',
              rhs: { type: 'list/inline', items: [{ value: 'pro' }, { value: 7 }] },
            },
            { lhs: plan, cmp: 'eq', rhs: 10 },
            { lhs: plan, cmp: '!eq', rhs: false },
          ],
          outcome: { type: 'split', base: userId, weights: { on: 10, off: 90 }, defaultVariantId: 'off' },
        },
        { id: 'r2', conditions: [], outcome: answer('on') },
      ],
    ],
    'environments.production.fallthrough': [
      { type: 'split', base: userId, weights: { on: 1 }, defaultVariantId: 'off' },
      {
        type: 'rollout',
        base: userId,
        startTimestamp: 1_800_000_000_000,
        rollFromVariantId: 'off',
        rollToVariantId: 'on',
        defaultVariantId: 'off',
        slots: [{ promille: 10_000, durationMs: 3_600_000 }],
      },
    ],
    seed: [1, 2],
    permanent: flag,
    tags: [['ui', 'shop'], ['shop']],
    maintainerIds: [['user_1'], ['user_2', 'user_1']],
  },
  single: ['kind'],
  seed: { featureFlags: { flags: [{ slug: 'beta' }] } },
  requests: async ({ all }) => {
    const flags = '/v1/projects/shop/feature-flags/flags';
    const off = { type: 'variant', variantId: 'off' };
    const production = { active: false, rules: [], pausedOutcome: off, fallthrough: off };
    const variants = [{ id: 'off', value: false }];
    await all(
      ['PUT', flags, { slug: 'dark', kind: 'boolean', variants, environments: { production } }],
      ['GET', `${flags}/dark?ifMatch=*`],
      ['PATCH', `${flags}/dark?ifMatch=*`, { state: 'archived' }],
      ['DELETE', `${flags}/dark?ifMatch=*`],
    );
  },
};
