import { type Sample, text, unset } from '../support/sample.ts';

const injected = (value: string) => [{ domain: 'api.example.com', headers: { authorization: value } }];
const policy = { networkPolicy: { mode: 'custom' } };
const mounts = { mounts: { '/data': { drive: 'LABEL' } } };

export const sandbox: Sample = {
  place: (block) => ({
    // All in one project: each project is read in many requests.
    projects: { yard: { sandboxDrives: { LABEL: {} }, sandboxes: { LABEL: block } } },
    networks: { LABEL: { region: 'iad1', cidr: '10.0.0.0/16' } },
  }),
  leaves: {
    runtime: ['node22', 'python3.13'],
    image: ['api:one', 'api:two'],
    source: [
      { type: 'git', url: 'https://git.example.com/a', password: 'one' },
      { type: 'snapshot', snapshotId: 'snap_1' },
    ],
    ports: [[3000], [3000, 8080]],
    'resources.vcpus': [4, 8],
    'resources.memory': [6144, 10_240],
    timeout: [60_000, 120_000],
    persistent: unset,
    snapshotExpiration: [86_400_000, 0],
    keepLastSnapshots: [
      { count: 1, deleteEvicted: false },
      { count: 2, expiration: 86_400_000, deleteEvicted: true },
    ],
    'networkPolicy.mode': ['deny-all', 'default-allow'],
    'networkPolicy.allowedDomains': [['one.example.com'], ['one.example.com', 'two.example.com'], policy],
    'networkPolicy.allowedCIDRs': [['192.0.2.0/24'], ['198.51.100.0/24'], policy],
    'networkPolicy.deniedCIDRs': [['192.0.2.0/24'], ['198.51.100.0/24'], policy],
    'networkPolicy.injectionRules': [injected('one'), injected('two'), policy],
    networkId: ['LABEL', 'LABEL'],
    env: [{ A: 'one' }, { A: 'two', B: 'three' }],
    'tags.team': text,
    'mounts./data.drive': ['LABEL', 'LABEL'],
    'mounts./data.mode': ['read-only', 'snapshot', mounts],
    region: ['sfo1', 'fra1'],
    failoverRegions: [['sfo1'], ['sfo1', 'fra1']],
  },
  single: ['networkId', 'mounts./data.drive'],
  seed: { project: { sandboxes: [{ name: 'worker', ports: [3000] }] } },
  requests: async ({ go, all, shop: { id: projectId } }) => {
    const one = `/v2/sandboxes/s?projectId=${projectId}`;
    await go('POST', '/v2/sandboxes', { projectId, name: 's', runtime: 'node22' });
    await all(
      ['GET', one],
      ['GET', `${one}&resume=true`],
      ['PATCH', one, { timeout: 1000 }],
      ['DELETE', `${one}&deleteOrphanSnapshots=true`],
    );
  },
};
