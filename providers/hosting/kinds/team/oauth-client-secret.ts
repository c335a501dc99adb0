import {
  type ApiObject,
  type Clash,
  type Diagnostic,
  defineKind,
  label,
  plain,
  problem,
  type Shape,
  type Sibling,
  type SiblingCollection,
  type Step,
} from '#kind';
import { labelled } from '#shapes';
import { removesCredential } from '../lost-access.ts';

/**
 * Returns the client secrets of an app. Each says whether another one has the same last four characters, which alone name it in a deletion.
 */
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

/** The most client secrets of an app, so that one can be exchanged for another. Source: the code of the platform's Terraform provider. */
const mostSecrets = 2;

/** Warns if an app would have more client secrets than the platform takes, those that are not declared included. */
const checkCount = (secrets: Sibling[], { parent }: SiblingCollection): Clash[] =>
  secrets.length <= mostSecrets
    ? []
    : [
        {
          severity: 'warning',
          addresses: secrets.map(({ address }) => address),
          message: `${parent} would have ${secrets.length} client secrets; the platform probably refuses more than ${mostSecrets}`,
          hint: 'delete one that nothing uses any more, or declare an existing one with `$id: ID`',
        },
      ];

const besideEachOther = labelled([]);

/**
 * Secrets have no name of their own. Where the app has no room for a third one, a secret is deleted before its replacement is created. Only
 * a secret that did not reach its destination is replaced.
 */
const replacedInTurn: Shape = {
  ...besideEachOther,
  arrange: (siblings) => (siblings.live.length < mostSecrets ? besideEachOther : plain).arrange(siblings),
};

/** A secret with which an OAuth app proves its identity. It is shown once, and named by its last four characters. */
export const oauthClientSecret = defineKind({
  name: 'oauthClientSecret',
  doc: 'A client secret of an OAuth app; its value is shown only once, at creation.',
  section: 'clientSecrets',
  parent: 'oauthApp',
  key: ['label'],
  shape: replacedInTurn,
  lifecycle: { lane: 'clientSecrets', replace: 'free', asks: { 'remove-access': removesCredential } },
  fields: () => ({ label: label().describe('Its name here; the platform has none.') }),
  example: `oauthApps:
  shop:
    name: Acme Shop
    clientSecrets:
      web: { $secretTo: { file: .secrets/shop-client-secret } }`,
  rules: { clashes: checkCount },
  read: {
    endpoint: 'GET /v1/oauth-apps/{oauthApp}',
    items: readSecrets,
    facts: ['lastFourChars', 'sharesEnding'],
  },
  // The platform refuses a request without a body. Its answer has no id, so the run looks for the new secret in the account. Two new ones
  // look alike there, so the lane creates one after the other.
  create: { endpoint: 'POST /v1/oauth-apps/{oauthApp}/secret', body: () => ({}) },
  delete: {
    endpoint: 'DELETE /v1/oauth-apps/{oauthApp}/secret/{lastFourChars}',
    params: ({ before }) => ({ lastFourChars: before!.facts?.lastFourChars as string }),
    refuses: refuseAmbiguous,
  },
  shows: { secret: 'clientSecret', opens: 'oauthApp' },
});
