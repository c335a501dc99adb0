import type { Sample } from '../support/sample.ts';

const soon = Date.UTC(2100, 0, 1);

export const authToken: Sample = {
  place: (block) => ({ projects: { LABEL: {}, 'LABEL-2': {} }, authTokens: { LABEL: block } }),
  base: { $secretTo: 'discard' },
  leaves: {
    expiresAt: [soon, soon + 3_600_000],
    projectId: ['LABEL', 'LABEL-2'],
  },
  seed: { account: { authTokens: [{ name: 'deploys' }] } },
  requests: async ({ go }) => {
    const { token } = await go('POST', '/v3/user/tokens', { name: 'other' });
    await go('DELETE', `/v3/user/tokens/${token.id}`);
  },
};
