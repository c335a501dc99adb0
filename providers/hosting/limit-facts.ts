import type { Fact } from '#kind';
import {
  type AreaFact,
  checkLimit,
  confirmedIf,
  inArea,
  type Row,
  toRow,
  toVerdict,
} from './facts/observed.ts';
import { documentedLimits } from './limits/index.ts';

/** Returns the error of a refusal for too many requests (429); undefined for other answers. */
const rateLimitError = ({ status, body }: { status: number; body: unknown }): Row | undefined =>
  status === 429 ? toRow(toRow(body).error) : undefined;

const [minute, hour, day] = [60, 3600, 86_400];

/** Formats the window of a limit, from seconds: `10 min`, `1 h`, `30 days`. */
function formatWindow(seconds: number): string {
  if (seconds < hour) return `${seconds / minute} min`;
  if (seconds < day) return `${seconds / hour} h`;
  return seconds === day ? '1 day' : `${seconds / day} days`;
}

/**
 * Returns the fact (what trueup assumes about the platform, with its source) that the documented rate limits with these names hold. Its
 * sentence is made from the table of limits, so that each number stands in one place only. If a limit of reads is among them, answers to
 * reads confirm or contradict it.
 */
function limitFact(
  id: string,
  names: readonly string[],
  { kinds, operations }: Pick<Fact, 'kinds' | 'operations'>,
): AreaFact {
  const limits = names.flatMap((name) => documentedLimits.filter((limit) => limit.name === name));
  const texts = limits.map(({ what, allowed, window, plans }) => {
    const accounts = plans ? ` (${plans.join(', ')})` : '';
    return `${what}: ${allowed} in ${formatWindow(window)}${accounts}`;
  });
  const list = texts.join('; ');
  const readLimit = limits.find(({ name }) => name.endsWith('-read'));
  return {
    id,
    kinds,
    operations,
    statement: `${list.charAt(0).toUpperCase()}${list.slice(1)}.`,
    source: ['documentation: Limits', ...limits.flatMap(({ source }) => source ?? [])].join('; '),
    confidence: 'documented',
    ...(readLimit && { answer: checkLimit(readLimit.allowed) }),
  };
}

/** Facts about rate limits: how many requests the platform takes in a window, and how it refuses more. */
export const limitFacts: Fact[] = inArea('limits', [
  limitFact('PF48', ['dns-record-create', 'dns-record-update'], {
    kinds: ['dnsRecord'],
    operations: ['POST /v2/domains/{domain}/records', 'PATCH /v1/domains/records/{recordId}'],
  }),
  limitFact('PF49', ['domain-create'], { kinds: ['domain'], operations: ['POST /v7/domains'] }),
  limitFact('PF50', ['token-create'], { kinds: ['authToken'], operations: ['POST /v3/user/tokens'] }),
  limitFact(
    'PF51',
    [
      'project-env-create',
      'project-env-update',
      'api-projects-environment-variable-delete',
      'project-env-batch-delete',
      'project-env-read',
    ],
    {
      kinds: ['projectEnvVar'],
      operations: [
        'GET /v10/projects/{idOrName}/env',
        'POST /v10/projects/{idOrName}/env',
        'PATCH /v9/projects/{idOrName}/env/{id}',
        'DELETE /v9/projects/{idOrName}/env/{id}',
        'DELETE /v1/projects/{idOrName}/env',
      ],
    },
  ),
  limitFact('PF52', ['project-domain-write'], {
    kinds: ['projectDomain'],
    operations: [
      'POST /v10/projects/{idOrName}/domains',
      'PATCH /v9/projects/{idOrName}/domains/{domain}',
      'DELETE /v9/projects/{idOrName}/domains/{domain}',
    ],
  }),
  limitFact('PF53', ['global-config-item-read'], {
    kinds: ['globalConfigItem'],
    operations: ['GET /v1/global-config/{edgeConfigId}/items'],
  }),
  limitFact('PF54', ['global-config-write'], {
    kinds: ['globalConfigItem', 'globalConfig'],
    operations: ['PATCH /v1/global-config/{edgeConfigId}/items'],
  }),
  limitFact('PF55', ['firewall-bypass-read', 'firewall-bypass-write'], {
    kinds: ['firewallBypass'],
    operations: [
      'GET /v1/security/firewall/bypass',
      'POST /v1/security/firewall/bypass',
      'DELETE /v1/security/firewall/bypass',
    ],
  }),
  limitFact('PF56', ['redirect-write', 'route-write'], {
    kinds: ['bulkRedirects', 'projectRoute'],
    operations: ['PUT /v1/bulk-redirects', 'POST /v1/projects/{projectId}/routes'],
  }),
  limitFact('PF57', ['drain-create', 'drain-update', 'drain-delete', 'webhook-create'], {
    kinds: ['drain', 'webhook'],
    operations: ['POST /v1/drains', 'PATCH /v1/drains/{id}', 'DELETE /v1/drains/{id}', 'POST /v1/webhooks'],
  }),
  limitFact('PF58', ['member-update', 'team-update', 'team-slug-update'], {
    kinds: ['teamMember', 'team'],
    operations: ['PATCH /v1/teams/{teamId}/members/{uid}', 'PATCH /v2/teams/{teamId}'],
  }),
  limitFact('PF59', ['certificate-create'], { kinds: ['certificate'], operations: ['POST /v8/certs'] }),
  limitFact('PF60', ['network-create'], { kinds: ['network'], operations: ['POST /v1/connect/networks'] }),
  limitFact('PF61', ['microfrontend-group-update'], {
    kinds: ['microfrontendsGroup'],
    operations: ['PATCH /v1/teams/{teamId}/microfrontends/{groupId}'],
  }),
  limitFact('PF62', ['web-analytics-write'], {
    kinds: ['webAnalytics'],
    operations: ['POST /web/insights/toggle'],
  }),
  limitFact('PF63', ['preview-suffix-day', 'preview-suffix-minutes'], {
    kinds: ['team', 'project'],
    operations: ['PATCH /v2/teams/{teamId}', 'PATCH /v9/projects/{idOrName}'],
  }),
  {
    id: 'PF64',
    statement:
      'Too many requests give 429 with the code `rate_limited` and `limit` with `total`, `remaining` and `reset`.',
    source: 'documentation: REST API errors; phasehq/console#679',
    confidence: 'documented',
    kinds: [],
    operations: [],
    answer(observed) {
      const error = rateLimitError(observed);
      if (!error) return undefined;
      const limit = toRow(error.limit);
      const hasNumbers = ['total', 'remaining', 'reset'].every((member) => typeof limit[member] === 'number');
      return toVerdict(error.code === 'rate_limited' && hasNumbers);
    },
  },
  {
    id: 'PF65',
    statement:
      'A refusal for too many requests names its limit, such as `api-projects-environment-variable-delete`; older answers counted many operations together. The stated wait can be negative.',
    source: 'Pytal/deploy-env#16; HiDeoo/vercel-env-push#22; vercel/terraform-provider-vercel#99',
    confidence: 'measured',
    kinds: [],
    operations: [],
    answer: (observed) => confirmedIf(typeof rateLimitError(observed)?.name === 'string'),
  },
]);
