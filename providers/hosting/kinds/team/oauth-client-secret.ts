import { type ApiObject, defineKind, label } from '#kind';
import { labelled } from '#shapes';
import { removesCredential } from '../lost-access.ts';

/** A secret with which an OAuth app proves its identity. It is shown once, and named by its last four characters. */
export const oauthClientSecret = defineKind({
  name: 'oauthClientSecret',
  doc: 'A client secret of an OAuth app; its value is shown only once, at creation.',
  section: 'clientSecrets',
  parent: 'oauthApp',
  key: ['label'],
  shape: labelled([]),
  lifecycle: { lane: 'clientSecrets', replace: 'free', asks: { 'remove-access': removesCredential } },
  fields: () => ({ label: label().describe('Its name here; the platform has none.') }),
  example: `oauthApps:
  shop:
    name: Acme Shop
    clientSecrets:
      web: { $secretTo: { file: .secrets/shop-client-secret } }`,
  read: {
    endpoint: 'GET /v1/oauth-apps/{oauthApp}',
    items: ({ app }) => (app as { clientSecrets: ApiObject[] }).clientSecrets,
    facts: ['lastFourChars'],
  },
  // The platform refuses a request without a body. Its answer has no id, so the run looks for the new secret in the account. Two new ones look
  // alike there, so the lane creates one after the other.
  create: { endpoint: 'POST /v1/oauth-apps/{oauthApp}/secret', body: () => ({}) },
  delete: {
    endpoint: 'DELETE /v1/oauth-apps/{oauthApp}/secret/{lastFourChars}',
    params: ({ before }) => ({ lastFourChars: before!.facts?.lastFourChars as string }),
  },
  shows: { secret: 'clientSecret', opens: 'oauthApp' },
});
