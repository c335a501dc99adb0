import type { Meaning } from '#kind';

/**
 * The kinds whose changes can let another account answer for a host of this account. Only their plans need the extra reads of `readHosts`.
 */
const hostKinds: ReadonlySet<string> = new Set(['alias', 'dnsRecord', 'domain', 'projectDomain']);

/**
 * What configurations of the platform mean: checks for valid and harmful ones, which `validate` and `plan` report, and the trace of a
 * visitor's request for `trueup trace`. `src/kind/meaning.ts` explains the members. Everything is loaded on demand, because most commands
 * need none of it.
 */
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
  visitorKinds: [
    'alias',
    'attackMode',
    'bulkRedirects',
    'coreRuleset',
    'dnsRecord',
    'domain',
    'firewall',
    'firewallBypass',
    'firewallIp',
    'firewallRule',
    'managedRuleset',
    'project',
    'projectDomain',
    'projectRoute',
  ],
  hostKinds: ['alias', 'projectDomain'],
  loadWayJudge: async () => (await import('./transitions/judge-way.ts')).judgeWay,
  loadRequestAnswer: async () => (await import('./trace/answer-request.ts')).answerRequest,
  loadNameAnswer: async () => (await import('./dns/answer-name.ts')).answerName,
  loadTrace: async () => (await import('./trace/trace-request.ts')).traceRequest,
};
