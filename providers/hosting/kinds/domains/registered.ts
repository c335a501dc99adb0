import { type ApiObject, problem, type WriteRequest } from '#kind';

/** Returns the domain in the answer of its own read, if it is registered with the platform. Only then can it be renewed or delegated there. */
export function registeredIn(answer: ApiObject): ApiObject | undefined {
  const domain = answer.domain as ApiObject | undefined;
  if (domain === undefined) throw new Error('the response does not contain the domain');
  return domain.boughtAt == null && domain.transferredAt == null ? undefined : domain;
}

/** Refuses what only the registrar of a domain can do, where that is not the platform. */
export const onlyRegistered: NonNullable<WriteRequest['refuses']> = ({ address, before, after }) =>
  before
    ? undefined
    : problem('domain/not-registered', `${address}: the domain is not registered with the platform`, {
        address,
        at: after?.at,
        hint: 'this only works for domains bought from or transferred to the platform; for others, set it at their registrar',
      });
