import type { Call } from '../call.ts';
import type { CreateDrain } from './drain-body.ts';

/** Where a drain's data goes; the last two are made by the platform itself. */
export type Delivery =
  | NonNullable<CreateDrain['delivery']>
  | { type: 'clickhouse'; endpoint: string; table: string }
  | { type: 'internal'; target: string };

/** One drain; without projectIds it takes the data of all projects. */
export interface Drain {
  id: string;
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
  createdAt: number;
  updatedAt: number;
}

/** What stands in a read for a secret that is not shown. */
const masked = { kind: 'INTEGRATION_SECRET' };

function readDelivery(drain: Drain, showsSecret: boolean): unknown {
  const { delivery } = drain;
  if (!('secret' in delivery)) return delivery;
  return drain.source.kind === 'integration' || !showsSecret ? { ...delivery, secret: masked } : delivery;
}

/** A drain as answers show it: the filter under another name than it is written, no transforms, no `projects`. */
export function readDrain(call: Call, drain: Drain, created = false): Record<string, unknown> {
  const { filter, transforms: _transforms, ...fields } = drain;
  return {
    ...fields,
    teamId: call.owner.team?.id ?? null,
    delivery: readDelivery(drain, created || !call.switches.drainSecretMasked),
    ...(filter === undefined ? {} : { filterV2: filter }),
  };
}

/** What the list adds with includeMetadata=true. */
export function drainMetadata({ projectIds, source }: Drain): Record<string, unknown> {
  const managedBy = source.kind === 'integration' ? 'integration' : 'drain';
  const access = projectIds === undefined ? { access: 'all' } : { access: 'some', projectIds };
  return { projectAccess: { ...access, managedBy } };
}
