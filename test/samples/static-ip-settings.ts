import { flag, inProject, type Sample } from '../support/sample.ts';

export const staticIpSettings: Sample = {
  place: (block) => inProject({ staticIps: { enabled: true }, staticIpSettings: block }),
  leaves: { builds: flag, regions: [['fra1'], ['iad1', 'fra1']] },
  seed: { project: { staticIpSettings: { builds: true, regions: ['fra1'] } } },
};
