import type { Fact } from '#kind';
import { checkLimit, confirmedIf, inArea, type Row, toRow, toVerdict } from './observed.ts';

const source = 'documentation: Limits';
const confidence = 'documented';

/** Returns the error of a refusal for too many requests (429); undefined for other answers. */
const rateLimitError = ({ status, body }: { status: number; body: unknown }): Row | undefined =>
  status === 429 ? toRow(toRow(body).error) : undefined;

/** Facts about rate limits: how many requests the platform takes in a window, and how it refuses more. */
export const limitFacts: Fact[] = inArea('limits', [
  {
    ...{ id: 'PF49', source, confidence },
    statement: 'An account can add 120 domains an hour.',
    kinds: ['domain'],
    operations: ['POST /v7/domains'],
  },
  {
    ...{ id: 'PF50', source, confidence },
    statement: 'A user can create 32 tokens an hour.',
    kinds: ['authToken'],
    operations: ['POST /v3/user/tokens'],
  },
  {
    id: 'PF51',
    statement:
      'Variables of projects: 120 creations, 120 updates, 60 deletions, 60 deletions of several and 500 reads a minute.',
    source: `${source}; phasehq/console#679`,
    confidence,
    kinds: ['projectEnvVar'],
    operations: [
      'GET /v10/projects/{idOrName}/env',
      'POST /v10/projects/{idOrName}/env',
      'PATCH /v9/projects/{idOrName}/env/{id}',
      'DELETE /v9/projects/{idOrName}/env/{id}',
      'DELETE /v1/projects/{idOrName}/env',
    ],
    answer: checkLimit(500),
  },
  {
    ...{ id: 'PF52', source, confidence },
    statement: 'Domains of projects: 100 writes a minute.',
    kinds: ['projectDomain'],
    operations: [
      'POST /v10/projects/{idOrName}/domains',
      'PATCH /v9/projects/{idOrName}/domains/{domain}',
      'DELETE /v9/projects/{idOrName}/domains/{domain}',
    ],
  },
  {
    ...{ id: 'PF53', source, confidence },
    statement: 'Items of a global config can be read 20 times a minute.',
    kinds: ['globalConfigItem'],
    operations: ['GET /v1/global-config/{edgeConfigId}/items'],
    answer: checkLimit(20),
  },
  {
    ...{ id: 'PF54', source, confidence },
    statement: 'A paid account can write global configs 480 times a day, a free one 250 times in 30 days.',
    kinds: ['globalConfigItem', 'globalConfig'],
    operations: ['PATCH /v1/global-config/{edgeConfigId}/items'],
  },
  {
    ...{ id: 'PF55', source, confidence },
    statement: 'Bypasses of the firewall: 100 reads and 30 writes a minute.',
    kinds: ['firewallBypass'],
    operations: [
      'GET /v1/security/firewall/bypass',
      'POST /v1/security/firewall/bypass',
      'DELETE /v1/security/firewall/bypass',
    ],
    answer: checkLimit(100),
  },
  {
    ...{ id: 'PF56', source, confidence },
    statement: 'Bulk redirects: 30 writes a minute; routes: 60.',
    kinds: ['bulkRedirects', 'projectRoute'],
    operations: ['PUT /v1/bulk-redirects', 'POST /v1/projects/{projectId}/routes'],
  },
  {
    ...{ id: 'PF57', source, confidence },
    statement: 'Drains: 30 writes a minute; webhooks: 20 creations a minute.',
    kinds: ['drain', 'webhook'],
    operations: ['POST /v1/drains', 'PATCH /v1/drains/{id}', 'DELETE /v1/drains/{id}', 'POST /v1/webhooks'],
  },
  {
    ...{ id: 'PF58', source, confidence },
    statement: 'Members: 40 updates in 10 minutes. Teams: 100 updates an hour, 6 changes of the slug a week.',
    kinds: ['teamMember', 'team'],
    operations: ['PATCH /v1/teams/{teamId}/members/{uid}', 'PATCH /v2/teams/{teamId}'],
  },
  {
    ...{ id: 'PF59', source, confidence },
    statement: 'An account can have 30 certificates issued an hour.',
    kinds: ['certificate'],
    operations: ['POST /v8/certs'],
  },
  {
    ...{ id: 'PF60', source, confidence },
    statement: 'An account can create 5 networks an hour.',
    kinds: ['network'],
    operations: ['POST /v1/connect/networks'],
  },
  {
    ...{ id: 'PF61', source, confidence },
    statement: 'Groups of microfrontends: 10 updates a minute.',
    kinds: ['microfrontendsGroup'],
    operations: ['PATCH /v1/teams/{teamId}/microfrontends/{groupId}'],
  },
  {
    ...{ id: 'PF62', source, confidence },
    statement: 'Web Analytics: 10 updates in 10 minutes.',
    kinds: ['webAnalytics'],
    operations: ['POST /web/insights/toggle'],
  },
  {
    ...{ id: 'PF63', source, confidence },
    statement: 'The suffix of preview deployments: 10 changes a day. Another row says 10 in 10 minutes.',
    kinds: ['team', 'project'],
    operations: ['PATCH /v2/teams/{teamId}', 'PATCH /v9/projects/{idOrName}'],
  },
  {
    id: 'PF64',
    statement:
      'Too many requests give 429 with the code `rate_limited` and `limit` with `total`, `remaining` and `reset`.',
    source: 'documentation: REST API errors; phasehq/console#679',
    confidence,
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
