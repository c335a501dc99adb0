import { inProject, type Sample } from '../support/sample.ts';

const gitSource = { type: 'github', org: 'acme', repo: 'LABEL', ref: 'main' };

export const aliasBypass: Sample = {
  place: (block) =>
    inProject({
      deployments: { one: { gitSource } },
      aliases: {
        'LABEL.vercel.app': {
          deploymentId: '${projects.LABEL.deployments.one.id}',
          protectionBypasses: { '*': block, user_1: {} },
        },
      },
    }),
  leaves: {},
  requests: async ({ go, all }) => {
    const { id } = await go('POST', '/v13/deployments?forceNew=1', { name: 'shop', gitSource });
    await go('POST', `/v2/deployments/${id}/aliases`, { alias: 'shop-demo.vercel.app' });
    const { uid } = await go('GET', '/v4/aliases/shop-demo.vercel.app');
    const override = { scope: 'alias-protection-override', action: 'create' };
    await all(
      ['PATCH', `/aliases/${uid}/protection-bypass`, { override }],
      ['PATCH', `/aliases/${uid}/protection-bypass`, { scope: { userId: 'user_1', access: 'granted' } }],
      ['PATCH', `/aliases/${uid}/protection-bypass`, { ttl: 60 }],
      ['DELETE', `/v2/aliases/${uid}`],
      ['DELETE', `/v13/deployments/${id}`],
    );
  },
};
