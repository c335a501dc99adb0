import { type Sample, text } from '../support/sample.ts';

export const projectDomain: Sample = {
  place: (block) => ({
    projects: {
      LABEL: {
        customEnvironments: { qa: {}, staging: {} },
        domains: {
          'LABEL.example.org': block,
          'one.LABEL.example.org': {},
          'two.LABEL.example.org': {},
        },
      },
    },
  }),
  leaves: {
    gitBranch: text,
    customEnvironmentId: ['staging', 'qa'],
    redirect: ['one.LABEL.example.org', 'two.LABEL.example.org'],
    redirectStatusCode: [301, 308, { redirect: 'one.LABEL.example.org' }],
  },
  seed: {
    account: { verifications: { seconds: 0 } },
    project: { domains: [{ name: 'www.example.com' }] },
  },
  requests: async ({ all, other }) => {
    const name = 'www.rest.example';
    const domains = '/v9/projects/shop/domains';
    await all(
      ['POST', '/v10/projects/shop/domains', { name }],
      ['POST', `${domains}/${name}/verify`],
      ['POST', `/v1/projects/shop/domains/${name}/move`, { projectId: other.id }],
      ['DELETE', `/v9/projects/other/domains/${name}`],
    );
  },
};
