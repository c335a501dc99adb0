import type { ExtraOperation } from '#kind';
import type { CatalogOperation } from './catalog.ts';

/*
 * Operations that kinds and lookups send although the published catalog does not have them. Only the code of the platform's own clients
 * shows them, so the platform can change them without notice: `trueup kinds NAME`, `trueup kinds --coverage` and the documentation mark
 * them as "outside the published catalog". They do not count as operations of the API, and `trueup api` does not list them.
 */

type HostingExtraOperation = CatalogOperation & ExtraOperation;

/**
 * Declares operations that the platform's published catalog lacks, but that one file of an official client sends (`source`), so that trueup
 * knows their limits and permissions. `date`: the month of the client's version.
 */
const sentBy = (
  { source, date }: Pick<ExtraOperation, 'source' | 'date'>,
  ...operations: `${CatalogOperation['method']} /${string}`[]
): HostingExtraOperation[] =>
  operations.map((operation) => {
    const [method, path] = operation.split(' ') as [CatalogOperation['method'], string];
    const group = 'outside the published catalog';
    return { group, method, path, operationId: null, source, date, confidence: 'read' };
  });

/** Names a file of the platform's Terraform provider, version 5.9.1. */
const terraform = (file: string) => ({ source: `Terraform provider 5.9.1, client/${file}`, date: '2026-08' });

/** Names a file of the platform's Terraform provider in a version after 5.9.1, up to 5.18. */
const laterTerraform = (file: string) => ({
  source: `Terraform provider after 5.9.1, client/${file}`,
  date: '2026-11',
});

/** Every operation outside the published catalog, with its source. */
export const extraOperations: readonly HostingExtraOperation[] = [
  ...sentBy(
    terraform('project.go'),
    'POST /v9/projects/{idOrName}/link',
    'DELETE /v9/projects/{idOrName}/link',
    'PATCH /v9/projects/{idOrName}/branch',
  ),
  ...sentBy(terraform('project_crons.go'), 'PATCH /v1/projects/{idOrName}/crons'),
  ...sentBy(
    laterTerraform('project_tracing.go'),
    'GET /v1/drains/tracing/config',
    'PUT /v1/drains/tracing/config',
    'DELETE /v1/drains/tracing/config',
  ),
  ...sentBy(
    terraform('project_deployment_retention.go'),
    'PATCH /v9/projects/{idOrName}/deployment-expiration',
  ),
  ...sentBy(
    terraform('deploy_hooks.go'),
    'POST /v2/projects/{idOrName}/deploy-hooks',
    'DELETE /v2/projects/{idOrName}/deploy-hooks/{hookId}',
  ),
  ...sentBy(
    terraform('integrations.go'),
    'GET /v1/integrations/configuration/{id}/project/{projectId}',
    'POST /v1/integrations/configuration/{id}/project/{projectId}',
  ),
  ...sentBy(
    terraform('blob.go'),
    'GET /v1/storage/stores',
    'GET /v1/storage/stores/{id}/connections',
    'POST /v1/storage/stores/{id}/connections',
    'PATCH /v1/storage/stores/{id}/connections/{connectionId}',
    'DELETE /v1/storage/stores/{id}/connections/{connectionId}',
  ),
  ...sentBy(
    laterTerraform('oauth_app.go'),
    'POST /v1/oauth-apps',
    'GET /v1/oauth-apps/{clientId}',
    'PATCH /v1/oauth-apps/{clientId}',
    'DELETE /v1/oauth-apps/{clientId}',
    'POST /v1/oauth-apps/{clientId}/secret',
    'DELETE /v1/oauth-apps/{clientId}/secret/{lastFourChars}',
  ),
  ...sentBy(
    laterTerraform('oidc_federation_policy.go'),
    'GET /v1/oauth-apps/oidc-federation/policies',
    'POST /v1/oauth-apps/oidc-federation/policies',
    'PATCH /v1/oauth-apps/oidc-federation/policies/{policyId}',
    'DELETE /v1/oauth-apps/oidc-federation/policies/{policyId}',
  ),
  ...sentBy(
    // Earlier versions of both clients sent /alerts/v2, with other bodies; the command line refuses these by now.
    {
      source: 'Terraform provider after 5.9.1, client/alert_rule.go, and the command line',
      date: '2026-11',
    },
    'GET /alerts/v3/alert-rules',
    'POST /alerts/v3/alert-rules',
    'GET /alerts/v3/alert-rules/{id}',
    'PATCH /alerts/v3/alert-rules/{id}',
    'DELETE /alerts/v3/alert-rules/{id}',
  ),
  ...sentBy(
    laterTerraform('alert_rule_notification.go'),
    'GET /alerts/v3/alert-rules/{id}/notifications',
    'POST /alerts/v3/alert-rules/{id}/notifications/links',
    'PATCH /alerts/v3/alert-rules/{id}/notifications/links',
    'DELETE /alerts/v3/alert-rules/{id}/notifications/links',
  ),
  ...sentBy(
    { source: 'Terraform provider and the command line', date: '2026-11' },
    'PATCH /v1/vcr/repository/{idOrName}',
  ),
  ...sentBy(terraform('dsync_groups.go'), 'GET /teams/{teamId}/dsync/groups'),
  ...sentBy(terraform('log_drain.go'), 'GET /v1/verify-endpoint'),
];
