import { inProject, people, plan, type Sample, text, userId } from '../support/sample.ts';

export const segment: Sample = {
  place: (block) =>
    inProject({ segments: { mine: block, other: { label: 'Other', hint: 'Others', data: {} } } }),
  base: { label: 'Mine', hint: 'Mine', data: {} },
  leaves: {
    label: text,
    hint: text,
    description: text,
    'data.rules': [
      [
        {
          id: 'r1',
          conditions: [{ lhs: { type: 'segment' }, cmp: 'eq', rhs: '${projects.LABEL.segments.other.id}' }],
          outcome: { type: 'all' },
        },
      ],
      [
        {
          id: 'r1',
          conditions: [
            { lhs: plan, cmp: 'regex', rhs: { type: 'regex', pattern: '^pro', flags: 'i' } },
            { lhs: plan, cmp: 'ex', cmpOptions: { ignoreCase: true } },
          ],
          outcome: { type: 'split', base: userId, passPromille: 50_000 },
        },
      ],
    ],
    'data.include.user.email': [
      people('a@example.com', 'b@example.com'),
      [{ value: 'b@example.com', note: 'b' }],
    ],
    'data.exclude.user.email': [people('a@example.com'), []],
  },
  seed: { featureFlags: { segments: [{ slug: 'staff' }] } },
  requests: async ({ all }) => {
    const segments = '/v1/projects/shop/feature-flags/segments';
    await all(
      ['PUT', segments, { slug: 'staff', label: 'Staff', hint: '', data: {} }],
      ['DELETE', `${segments}/staff`],
    );
  },
};
