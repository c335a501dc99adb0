import * as z from 'zod';
import type { Call, Making, Stamped } from '../call.ts';
import { ApiError, badRequest, conflict, notFound } from '../errors.ts';
import { ofOwner } from '../kept.ts';
import { operation, seedOwned } from '../resource.ts';
import { strings } from '../validate.ts';

const url = z.string().nullish();
const redirectUris = strings.max(20);
const scopes = z.array(z.enum(['openid', 'email', 'profile', 'offline_access']));
const createBody = z.strictObject({
  name: z.string().min(1),
  slug: z.string().min(1),
  description: z.string().max(500).optional(),
  homePageUri: z.string().optional(),
  redirectUris: redirectUris.optional(),
  scopes: scopes.default(['openid']),
  privacyPolicyUrl: z.string().optional(),
  termsOfServiceUrl: z.string().optional(),
  codeOfConductUrl: z.string().optional(),
});
const updateBody = z.strictObject({
  name: z.string().min(1).optional(),
  slug: z.string().min(1).optional(),
  description: z.string().max(500).optional(),
  ...{ redirectUris: redirectUris.optional(), scopes: scopes.optional(), permissions: strings.optional() },
  ...{ homePageUri: url, privacyPolicyUrl: url, termsOfServiceUrl: url, codeOfConductUrl: url },
});
const seed = createBody.extend({ ...seedOwned, permissions: strings.optional() });

interface ClientSecret {
  id: string;
  lastFourChars: string;
}

/** An app with which people sign in. The twin keeps no client secret, only the last characters of each. */
type OauthApp = Stamped &
  z.infer<typeof createBody> & { ownerId: string; permissions?: string[]; clientSecrets: ClientSecret[] };

declare module '../account.ts' {
  interface AccountParts extends Keeps<'oauthApps', OauthApp> {}
  interface AccountSeed extends Seeds<'oauthApps', typeof seed> {}
}

const apps = ofOwner('oauthApps', {
  ...{ what: 'OAuth app', prefix: 'cl_', param: 'clientId' },
  shows: (_, { id: clientId, ownerId: teamId, createdAt: _c, updatedAt: _u, ...app }) => ({
    ...{ clientId, teamId },
    ...app,
  }),
});

/** Throws 409 if another app of the platform has this slug. */
function checkSlug({ account }: Making, slug: string | undefined, self?: OauthApp): void {
  if (account.oauthApps.some((app) => app.slug === slug && app !== self))
    throw conflict(`The slug "${slug}" is already in use.`);
}

/** Returns a new app, or throws 409 if its slug is in use. */
function make(making: Making, body: z.infer<typeof createBody>) {
  checkSlug(making, body.slug);
  return { ...body, ownerId: making.owner.id, clientSecrets: [] };
}

/** Returns the app that the path names. Throws 400, as the platform does for reads, if there is none. */
function appToRead(call: Call): OauthApp {
  const app = apps.all(call, call.owner).find(({ id }) => id === call.params.clientId);
  if (!app) throw new ApiError(400, 'invalid_client', 'The client is invalid.');
  return app;
}

const path = '/v1/oauth-apps';

/** OAuth apps and their client secrets, from the code of the platform's Terraform provider. */
export const oauthApp = apps.resource(
  seed,
  make,
  {},
  {
    clientOperations: {
      [`POST ${path}`]: apps.create({ body: createBody }, make),
      [`GET ${path}/{clientId}`]: operation({ on: appToRead }, (call, app) => ({
        app: apps.show(call, app, call.owner),
      })),
      [`PATCH ${path}/{clientId}`]: apps.update({ body: updateBody }, (call, app, body) => {
        if (body.permissions && Object.keys(body).length > 1)
          throw badRequest('Permissions cannot change together with other members.');
        checkSlug(call, body.slug, app);
        Object.assign(app, body);
        for (const [name, value] of Object.entries(body))
          if (value === null) delete app[name as keyof OauthApp];
      }),
      [`DELETE ${path}/{clientId}`]: apps.remove(),
      [`POST ${path}/{clientId}/secret`]: operation(
        { on: apps.named, body: z.strictObject({}) },
        (call, { object: { id: clientId, clientSecrets } }) => {
          if (clientSecrets.length > 1) throw badRequest('An OAuth app can have two client secrets.');
          const clientSecret = call.id('', 48);
          clientSecrets.push({ id: call.id('', 12), lastFourChars: clientSecret.slice(-4) });
          return { clientId, clientSecret };
        },
      ),
      [`DELETE ${path}/{clientId}/secret/{lastFourChars}`]: operation(
        { on: apps.named, statuses: [204] },
        (call, { object: { clientSecrets } }) => {
          const index = clientSecrets.findIndex(
            ({ lastFourChars }) => lastFourChars === call.params.lastFourChars,
          );
          if (index < 0) throw notFound('Client secret');
          clientSecrets.splice(index, 1);
        },
      ),
    },
  },
);
