import type { Sample } from '../support/sample.ts';

const claim = (name: string, value: string) => ({ name, values: [{ value }] });

export const oidcPolicy: Sample = {
  place: (block) => ({ projects: { LABEL: {} }, oidcPolicies: { LABEL: block } }),
  base: {
    clientId: 'cl_one',
    issuerUrl: 'https://issuer.example.com',
    claims: [claim('aud', 'one')],
    permissions: ['*'],
    $replace: 'allow',
  },
  leaves: {
    clientId: ['cl_one', 'cl_two'],
    issuerUrl: ['https://issuer.example.com', 'https://other.example.com'],
    claims: [
      [claim('aud', 'two')],
      [claim('aud', 'two'), { name: 'ref', values: [{ value: 'refs/*', wildcards: true }] }],
    ],
    permissions: [['read'], ['*']],
    commands: [['deploy'], ['deploy', 'env'], { commands: ['pull'], permissions: undefined }],
    'resources.projectIds': [['*'], ['$' + '{projects.LABEL.id}']],
  },
  seed: {
    account: {
      oidcPolicies: [
        {
          ...{ name: 'ci', clientId: 'cl_one', issuerUrl: 'https://issuer.example.com' },
          ...{ claims: [claim('aud', 'one')], permissions: ['*'] },
        },
      ],
    },
  },
};
