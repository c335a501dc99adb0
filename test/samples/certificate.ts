import type { Sample } from '../support/sample.ts';

const pem = (line: string) => `-----BEGIN CERTIFICATE-----\n${line}\n-----END CERTIFICATE-----\n`;
const cns = ['www.LABEL.example'];
const uploaded = { cert: pem(`names: ${cns}`), key: 'the key', ca: pem('the issuer') };

export const certificate: Sample = {
  place: (block) => ({ domains: { 'LABEL.example': {} }, certificates: { LABEL: block } }),
  base: { cns },
  leaves: {
    cns: [
      ['LABEL.example', '*.LABEL.example'],
      ['www.LABEL.example', 'api.LABEL.example'],
    ],
    cert: [uploaded.cert, `${uploaded.cert}\n`, uploaded],
    key: ['one key', 'another key', uploaded],
    ca: [pem('one'), pem('another'), uploaded],
    skipValidation: [true, false, uploaded],
    autoRenew: [true, true],
  },
  identity: ['autoRenew'],
  seed: { account: { certificates: [{ cns: ['www.example.com'] }], issuing: { seconds: 0 } } },
  requests: async ({ go, all }) => {
    const { id } = await go('PUT', '/v8/certs', { ...uploaded, cert: pem('names: www.example.org') });
    await all(['DELETE', `/v8/certs/${id}`]);
  },
};
