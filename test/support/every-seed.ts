import type { Seed } from '../../providers/hosting/twin/index.ts';
import type { Sample, SampleSeed } from './sample.ts';
import { merged } from './samples.ts';

/** What is no kind's. */
export const others: SampleSeed = {
  account: {
    ...{ rollouts: { seconds: 0 }, checkRuns: { seconds: 0 }, ciAttempts: { seconds: 0 } },
    ciInvocations: [{ id: 'inv_web' }],
    directoryGroups: [{ name: 'Engineering' }],
    apiKeys: [{ purpose: 'ai-gateway', name: 'ci', aiGatewayQuota: { limitAmount: 10 } }],
  },
  // Of the check that its sample has.
  project: { checkRuns: [{ check: 'e2e' }] },
};

/** An account with what the samples have in their seeds: the project `web` and the domain `example.com`, and what is in and beside them. */
export function everySeed(samples: Record<string, Sample>): Seed {
  const seeds = [others, ...Object.values(samples).flatMap(({ seed }) => seed ?? [])];
  const { account, team, domain, project, featureFlags }: SampleSeed = merged(
    ...seeds.map((seed) => ({ ...seed })),
  );
  return {
    team,
    domains: [{ name: 'example.com', ...domain }],
    projects: [{ name: 'web', ...project, ...(featureFlags && { featureFlags }) }],
    ...account,
  };
}
