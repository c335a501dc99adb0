import { type ApiObject, problem, type WriteRequest } from '#kind';

/**
 * Returns the domain in an answer if it was bought from or transferred to the platform; otherwise undefined. Only
 * then the platform can renew it or change its nameservers.
 */
export function registeredIn(answer: ApiObject): ApiObject | undefined {
  const domain = answer.domain as ApiObject | undefined;
  if (domain === undefined) throw new Error('the response does not contain the domain');
  return domain.boughtAt == null && domain.transferredAt == null ? undefined : domain;
}

/**
 * Refuses a setting that only a domain's registrar can change if the platform is not the registrar: returns the
 * problem, or undefined. Then there is no live object (`before`).
 */
export const refuseUnregistered: NonNullable<WriteRequest['refuses']> = ({ address, before, after }) =>
  before
    ? undefined
    : problem('domain/not-registered', `${address}: the domain is not registered with the platform`, {
        address,
        at: after?.at,
        hint: 'this only works for domains bought from or transferred to the platform; for others, set it at their registrar',
      });
