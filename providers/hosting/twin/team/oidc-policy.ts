import * as z from 'zod';
import type { Making, Stamped } from '../call.ts';
import { badRequest } from '../errors.ts';
import { ofOwner } from '../kept.ts';
import { seedOwned } from '../resource.ts';
import { strings } from '../validate.ts';

const createBody = z.strictObject({
  clientId: z.string(),
  issuerUrl: z.url({ protocol: /^https$/ }),
  name: z.string().optional(),
  claims: z.array(
    z.strictObject({
      name: z.string(),
      values: z.array(z.strictObject({ value: z.string(), wildcards: z.boolean().default(false) })),
    }),
  ),
  permissions: strings.optional(),
  commands: strings.optional(),
  resources: z.strictObject({ projectIds: strings }).optional(),
});
const updateBody = createBody.omit({ clientId: true, issuerUrl: true }).partial();
const seed = createBody.extend(seedOwned);

/** A rule that exchanges tokens of another issuer for tokens of the platform. */
export type OidcPolicy = Stamped & z.infer<typeof createBody> & { ownerId: string };

declare module '../account.ts' {
  interface AccountParts extends Keeps<'oidcPolicies', OidcPolicy> {}
  interface AccountSeed extends Seeds<'oidcPolicies', typeof seed> {}
}

const policies = ofOwner('oidcPolicies', {
  ...{ what: 'OIDC federation policy', prefix: 'pol_', param: 'policyId' },
  shows: (_, { id: policyId, ownerId: teamId, ...policy }) => ({ policyId, teamId, ...policy }),
});

/** Returns a new policy, or throws 400 unless it has either permissions or commands. */
function make(making: Making, body: z.infer<typeof createBody>) {
  if ((body.permissions === undefined) === (body.commands === undefined))
    throw badRequest('Invalid request: exactly one of `permissions` and `commands` is needed.');
  return { ...body, ownerId: making.owner.id };
}

const path = '/v1/oauth-apps/oidc-federation/policies';

/** Policies of OIDC federation, from the code of the platform's Terraform provider. */
export const oidcPolicy = policies.resource(
  seed,
  make,
  {},
  {
    clientOperations: {
      [`GET ${path}`]: policies.list('policies'),
      [`POST ${path}`]: policies.create({ body: createBody }, make),
      [`PATCH ${path}/{policyId}`]: policies.update({ body: updateBody }),
      [`DELETE ${path}/{policyId}`]: policies.remove(),
    },
  },
);
