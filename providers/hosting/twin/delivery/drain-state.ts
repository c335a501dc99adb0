import { type Making, type Stamped, stamped } from '../call.ts';
import { badRequest, forbidden } from '../errors.ts';
import { checkProjectIds } from '../find-project.ts';
import type { CreateDrain, UpdateDrain } from './drain-body.ts';

/** The destination of a drain's data. Only the platform itself creates drains with the last two types. */
export type Delivery =
  | NonNullable<CreateDrain['delivery']>
  | { type: 'clickhouse'; endpoint: string; table: string }
  | { type: 'internal'; target: string };

/** One drain; without projectIds it takes the data of all projects. */
export interface Drain extends Stamped {
  ownerId: string;
  name: string;
  projectIds?: string[];
  filter?: CreateDrain['filter'];
  schemas: CreateDrain['schemas'];
  delivery: Delivery;
  sampling?: CreateDrain['sampling'];
  transforms?: CreateDrain['transforms'];
  source:
    | { kind: 'self-served' }
    | { kind: 'integration'; integrationId: string; integrationConfigurationId: string; resourceId?: string };
  status: 'enabled' | 'disabled' | 'errored';
  disabledAt?: number;
  disabledBy?: string;
  disabledReason?: string;
  firstErrorTimestamp?: number;
}

/**
 * Returns the ids of the projects of a drain after a write; undefined for all projects. `projects` (`some` or `all`) exists only in bodies.
 * `old`: the ids before. Throws 400 if the body contradicts itself or names an unknown project.
 */
function projectIds(making: Making, body: UpdateDrain, old?: string[]): string[] | undefined {
  const { projects, projectIds: declaredIds } = body;
  if (projects === 'all' && declaredIds && declaredIds.length > 0) {
    throw badRequest('Invalid request: `projectIds` should NOT be given with `projects` "all".');
  }
  if (projects === 'all' || (projects === undefined && declaredIds === null)) return undefined;
  const ids = declaredIds ?? old;
  if (projects === 'some' && (ids === undefined || ids.length === 0)) {
    throw badRequest('Invalid request: `projectIds` should name a project with `projects` "some".');
  }
  if (declaredIds) checkProjectIds(making, declaredIds);
  return ids && [...new Set(ids)];
}

/** Returns a delivery with its secret. A missing secret is generated, or kept if a delivery of the same type is replaced. */
export function withSecret(
  making: Pick<Making, 'id'>,
  delivery: NonNullable<CreateDrain['delivery']>,
  old?: Drain['delivery'],
): NonNullable<CreateDrain['delivery']> {
  if (delivery.type === 's3' || delivery.secret !== undefined) return delivery;
  const oldSecret = old?.type === delivery.type && 'secret' in old ? old.secret : undefined;
  return { ...delivery, secret: oldSecret ?? making.id('', 32) };
}

/**
 * Returns how the call of a delivery's endpoint fails; undefined if it works. Nothing is sent: a call fails if the host is under .invalid,
 * where no name has an address (RFC 2606).
 */
export function endpointFailure(delivery: NonNullable<CreateDrain['delivery']>): object | undefined {
  if (delivery.type === 's3') return undefined;
  const endpoint = delivery.type === 'http' ? delivery.endpoint : delivery.endpoint.traces;
  const { hostname } = new URL(endpoint);
  if (!hostname.endsWith('.invalid')) return undefined;
  return { status: 'error', endpoint, error: `getaddrinfo ENOTFOUND ${hostname}` };
}

/** Throws 400 for a delivery whose endpoint does not answer with the team's code (fact PF74; status, code and text are not known). */
function checkEndpoint(delivery: UpdateDrain['delivery']): void {
  if (delivery && endpointFailure(delivery))
    throw badRequest('The endpoint must answer 200 with the header `x-vercel-verify`.');
}

/** Throws 400 if a filter names a project that does not exist. */
function checkFilter(making: Making, filter: UpdateDrain['filter']): void {
  if (filter?.filter.type === 'basic') checkProjectIds(making, filter.filter.project?.ids ?? []);
}

/** Adds a new drain, enabled, to the account and returns it. */
export function storeDrain(
  making: Making,
  fields: Omit<Drain, 'id' | 'ownerId' | 'status' | 'createdAt' | 'updatedAt'>,
): Drain {
  const stamps = stamped(making, 'drn_');
  const drain: Drain = { ownerId: making.owner.id, ...fields, status: 'enabled', ...stamps };
  making.account.drains.push(drain);
  return drain;
}

/**
 * Adds a drain to the account as a user creates it, and returns it. Throws if its body is invalid, or 403 for a drain of an integration.
 */
export function addDrain(making: Making, body: CreateDrain): Drain {
  const { projects: _projects, projectIds: _ids, source, ...fields } = body;
  if (source?.kind === 'integration' || source?.resourceId || source?.externalResourceId) {
    throw forbidden('A drain with the source "integration" is made by the integration.');
  }
  if (fields.delivery === undefined)
    throw badRequest('Invalid request: missing required property `delivery`.');
  const ids = projectIds(making, body);
  checkFilter(making, body.filter);
  checkEndpoint(fields.delivery);
  return storeDrain(making, {
    ...fields,
    delivery: withSecret(making, fields.delivery),
    ...(ids === undefined ? {} : { projectIds: ids }),
    source: { kind: 'self-served' },
  });
}

/** Enables or disables a drain, and stores when, by whom and why it was disabled. */
function setStatus(making: Making, drain: Drain, status: 'enabled' | 'disabled'): void {
  if (drain.status === status) return;
  drain.status = status;
  if (status === 'disabled') {
    drain.disabledAt = making.time();
    drain.disabledBy = making.account.user.id;
    drain.disabledReason = 'disabled-by-owner';
  } else {
    for (const member of ['disabledAt', 'disabledBy', 'disabledReason', 'firstErrorTimestamp'] as const) {
      delete drain[member];
    }
  }
}

/** Applies a PATCH to a drain. Members that the body lacks stay as they are. */
export function changeDrain(making: Making, drain: Drain, body: UpdateDrain): void {
  if (body.source?.kind !== undefined && body.source.kind !== drain.source.kind) {
    throw badRequest('The source of a drain cannot be changed.');
  }
  const ids = projectIds(making, body, drain.projectIds);
  checkFilter(making, body.filter);
  checkEndpoint(body.delivery);
  if (ids === undefined) delete drain.projectIds;
  else drain.projectIds = ids;
  for (const member of ['filter', 'sampling', 'transforms'] as const) {
    if (body[member] === null) delete drain[member];
    else if (body[member] !== undefined) Object.assign(drain, { [member]: body[member] });
  }
  if (body.name !== undefined) drain.name = body.name;
  if (body.schemas !== undefined) drain.schemas = body.schemas;
  if (body.delivery !== undefined) drain.delivery = withSecret(making, body.delivery, drain.delivery);
  if (body.status !== undefined) setStatus(making, drain, body.status);
}
