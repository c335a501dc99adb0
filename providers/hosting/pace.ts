import type { Provider } from '#kind';

/**
 * What is known of the platform's pace: two published limits, each counted by itself. All others are learned from its answers while
 * it works. How long a request takes is an assumption, for a forecast only.
 */
export const pace: Provider['pace'] = {
  requestSeconds: 0.3,
  limits: [
    {
      endpoint: 'POST /v2/domains/{domain}/records',
      what: 'DNS record creations',
      allowed: 100,
      window: 3600,
    },
    { endpoint: 'PATCH /v1/domains/records/{recordId}', what: 'DNS record updates', allowed: 50, window: 60 },
  ],
};
