import type { Meaning } from '#kind';

/** The kinds whose changes can make a host of the account answer for somebody else. */
const hostKinds: ReadonlySet<string> = new Set(['alias', 'dnsRecord', 'domain', 'projectDomain']);

/** What configurations of the platform mean: the checks for those that are valid and harmful, and what happens to a request. */
export const meaning: Meaning = {
  checks: [
    {
      kinds: ['dnsRecord', 'projectDomain'],
      load: async () => (await import('./dns/index.ts')).dnsChecks,
    },
    {
      kinds: ['projectEnvVar', 'sharedEnvVar'],
      load: async () => (await import('./environment/index.ts')).environmentChecks,
    },
    {
      kinds: ['firewall', 'firewallIp', 'firewallRule'],
      load: async () => (await import('./firewall/index.ts')).firewallChecks,
    },
    {
      kinds: ['alias', 'bulkRedirects', 'projectDomain', 'projectRoute'],
      load: async () => (await import('./redirects/index.ts')).redirectChecks,
    },
    {
      kinds: ['authToken', 'drain', 'firewallBypass', 'project', 'webhook'],
      load: async () => [(await import('./posture/posture.ts')).posture],
    },
  ],
  loadChangeCheck: async () => (await import('./deployments/deployment-needed.ts')).changesWithoutDeployment,
  readMore: async (views, changes, send) =>
    changes.some(({ kind }) => hostKinds.has(kind))
      ? (await import('./dns/read-hosts.ts')).readHosts(views, changes, send)
      : views,
  loadTrace: async () => (await import('./trace/trace-request.ts')).traceRequest,
};
