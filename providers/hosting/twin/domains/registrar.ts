import * as z from 'zod';
import type { Call } from '../call.ts';
import { ApiError } from '../errors.ts';
import { operation, type Resource } from '../resource.ts';
import { isDomainName, lower, strings } from '../validate.ts';
import type { Domain } from './domain-state.ts';

/**
 * Returns the owner's domain that the path names. Throws 404 if there is none, and 400 unless it was bought at the platform or transferred
 * to it.
 */
function registered(call: Call): Domain {
  const name = lower(call.params.domain!);
  const domain = call.account.domains.find(
    (domain) => domain.name === name && domain.ownerId === call.owner.id,
  );
  if (domain === undefined) throw new ApiError(404, 'domain_not_found', 'The domain was not found.');
  if (domain.boughtAt === null && domain.transferredAt === null) {
    throw new ApiError(400, 'domain_not_registered', 'The domain is not registered with Vercel.');
  }
  return domain;
}

/**
 * The settings of domains that are registered with the platform. Their errors are flat, they answer nothing on success, and they are
 * read in the domain.
 */
export const registrar: Resource = {
  operations: {
    updateDomainAutoRenew: operation(
      { on: registered, body: z.strictObject({ autoRenew: z.boolean() }), statuses: [204] },
      (_, domain, { autoRenew }) => {
        domain.renew = autoRenew;
      },
    ),
    // What an empty list does is not documented.
    updateDomainNameservers: operation(
      { on: registered, body: z.strictObject({ nameservers: strings }), statuses: [204] },
      (_, domain, { nameservers }) => {
        const wrong = nameservers.find((name) => !isDomainName(name));
        if (wrong !== undefined || nameservers.length === 0) {
          throw new ApiError(400, 'bad_request', `There is no nameserver "${wrong ?? ''}".`);
        }
        domain.customNameservers = nameservers.map(lower);
      },
    ),
  },
};
