import { type ApiObject, type Diagnostic, defineKind, label, problem, type Step } from '#kind';
import { labelled } from '#shapes';
import { removesCredential } from '../lost-access.ts';

/** Returns the client secrets of an app. Each says whether another one has the same last four characters, which alone name it in a deletion. */
function readSecrets({ app }: ApiObject): ApiObject[] {
  const { clientSecrets } = app as { clientSecrets: ApiObject[] };
  const sharesEnding = ({ id, lastFourChars }: ApiObject) =>
    clientSecrets.some((other) => other.id !== id && other.lastFourChars === lastFourChars);
  return clientSecrets.map((secret) => ({ ...secret, sharesEnding: sharesEnding(secret) }));
}

/** Returns why a secret must not be deleted: another one of the app has the same ending, and the platform might delete that one. */
function refuseAmbiguous({ address, before }: Step): Diagnostic | undefined {
  if (!before?.facts?.sharesEnding) return undefined;
  return problem(
    'secret/same-ending',
    `${address} ends like another client secret of its app, and the platform deletes client secrets by their last four characters`,
    { address, hint: 'delete the right one in the dashboard, and run again' },
  );
}

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
    items: readSecrets,
    facts: ['lastFourChars', 'sharesEnding'],
  },
  // The platform refuses a request without a body. Its answer has no id, so the run looks for the new secret in the account. Two new ones look
  // alike there, so the lane creates one after the other.
  create: { endpoint: 'POST /v1/oauth-apps/{oauthApp}/secret', body: () => ({}) },
  delete: {
    endpoint: 'DELETE /v1/oauth-apps/{oauthApp}/secret/{lastFourChars}',
    params: ({ before }) => ({ lastFourChars: before!.facts?.lastFourChars as string }),
    refuses: refuseAmbiguous,
  },
  shows: { secret: 'clientSecret', opens: 'oauthApp' },
});
