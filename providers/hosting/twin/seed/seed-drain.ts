import * as z from 'zod';
import { type CreateDrain, createDrainBody } from '../delivery/drain-body.ts';
import { storeDrain, withSecret } from '../delivery/drain-changes.ts';
import type { Delivery } from '../delivery/drain-state.ts';
import { type Loading, making, ownerOf, projectIdsOf } from './seed-loading.ts';

const { name, filter, schemas, delivery, sampling, transforms } = createDrainBody.shape;

const ofPlatform = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('clickhouse'), endpoint: z.string(), table: z.string() }),
  z.strictObject({ type: z.literal('internal'), target: z.string() }),
]);

/** A drain as a seed has it: projects by their names (none for all), the filter without its version. */
export const seedDrain = z.strictObject({
  id: z.string().optional(),
  owner: z.string().optional(),
  name,
  projects: z.array(z.string()).optional(),
  filter: filter.unwrap().shape.filter.optional(),
  /** The log schema when left out. */
  schemas: schemas.optional(),
  delivery: z.union([delivery.unwrap(), ofPlatform]),
  sampling,
  transforms,
  /** Set on a drain that an integration made. */
  integration: z
    .strictObject({ integrationId: z.string(), integrationConfigurationId: z.string() })
    .optional(),
  status: z.enum(['enabled', 'disabled', 'errored']).optional(),
});

const isOfPlatform = (delivery: Delivery): delivery is Exclude<Delivery, CreateDrain['delivery']> =>
  delivery.type === 'clickhouse' || delivery.type === 'internal';

/** Adds a seed's drain. */
export function loadDrain(loading: Loading, seed: z.infer<typeof seedDrain>): void {
  const { id, owner: ownerName, projects, filter, delivery, integration, status, ...fields } = seed;
  const owner = ownerOf(loading, ownerName);
  const make = making(loading, owner);
  const drain = storeDrain(make, {
    schemas: { log: { version: 'v1' } },
    ...fields,
    ...(projects === undefined ? {} : { projectIds: projectIdsOf(loading, owner, projects) }),
    ...(filter === undefined ? {} : { filter: { version: 'v2', filter } }),
    delivery: isOfPlatform(delivery) ? delivery : withSecret(make, delivery),
    source: integration === undefined ? { kind: 'self-served' } : { kind: 'integration', ...integration },
  });
  if (id !== undefined) drain.id = id;
  if (status !== undefined) drain.status = status;
  if (status === 'errored') drain.firstErrorTimestamp = drain.createdAt;
  if (status === 'disabled') {
    Object.assign(drain, { disabledAt: drain.createdAt, disabledReason: 'disabled-by-owner' });
  }
}
