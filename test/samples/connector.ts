import { flag, type Sample, text } from '../support/sample.ts';

const of = (type: string, data: object) => ({ type, data });
const slack = of('slack', { appId: 'A1', appName: 'Bot', clientId: '1', clientSecret: 'zero' });
const github = of('github', { appId: 1, appSlug: 'bot', appName: 'Bot', clientId: '1' });
const salesforce = of('salesforce', {
  ...{ consumerKey: 'k', consumerSecret: 'zero', loginHost: 'login.example.com' },
});
const preset = { type: undefined, service: 'example.com', connectionMethod: 'mcp' };

export const connector: Sample = {
  place: (block) => ({ connectors: { LABEL: block } }),
  base: { name: 'One', type: 'snowflake-wif' },
  leaves: {
    name: ['Two', 'Three'],
    type: ['snowflake-wif', 'discord'],
    service: ['https://one.example.com', 'https://two.example.com', preset],
    connectionMethod: ['mcp', 'oauth', preset],
    target: [...text, preset],
    'params.host': [...text, preset],
    'data.clientSecret': [...text, of('oauth', { clientId: 'one' })],
    'data.privateKeyPem': [...text, github],
    'data.webhookSecret': [...text, github],
    'data.signingSecret': [...text, slack],
    'data.verificationToken': [...text, slack],
    'data.consumerSecret': [...text, salesforce],
    'data.apiSecretKey': [...text, of('sendblue', { apiKeyId: 'k', apiSecretKey: 'zero' })],
    'data.projectSecret': [...text, of('photon', { projectId: 'p', projectSecret: 'zero' })],
    'data.apiToken': [...text, of('linq', { apiToken: 'zero' })],
    'data.projectId': [...text, of('photon', { projectSecret: 'zero' })],
    'data.subjectType': ['user', 'app', of('api-key', { instructions: 'Ask us' })],
    'data.serviceUrls': [['https://one.example.com'], [], of('api-key', { instructions: 'Ask us' })],
    'data.values': [
      [{ value: 'one' }],
      [{ value: 'two', scope: 's', expiresAt: 1 }],
      of('api-key', { instructions: 'Ask us' }),
    ],
    icon: ['a1b2c3d4e5'.repeat(4), 'f6e7d8c9b0'.repeat(4)],
    backgroundColor: ['#000000', '#111111'],
    accentColor: ['#ffffff', '#eeeeee'],
    triggers: flag,
    events: [['message'], ['message', 'reaction']],
  },
  requests: async ({ go, all }) => {
    const { id } = await go('POST', '/v1/connect/connectors', { name: 'One', type: 'discord', data: {} });
    await all(['DELETE', `/v1/connect/connectors/${id}`]);
  },
  seed: {
    account: {
      connectors: [{ type: 'oauth', uid: 'oauth/shop', name: 'Shop', projects: [{ project: 'web' }] }],
    },
  },
};
