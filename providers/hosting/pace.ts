import type { Provider } from '#kind';

/**
 * The platform's known pace: two published limits, each with its own count. A run learns all other limits from the answers it
 * gets. The duration of a request is an assumption and serves forecasts only.
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
