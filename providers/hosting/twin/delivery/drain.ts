import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Call, Making } from '../call.ts';
import { projectIdsOf } from '../find-project.ts';
import { boolean, text } from '../http/query.ts';
import { ofOwner } from '../kept.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';
import { type CreateDrain, createDrainBody, testDrainBody, updateDrainBody } from './drain-body.ts';
import {
  addDrain,
  changeDrain,
  type Delivery,
  type Drain,
  endpointFailure,
  storeDrain,
  withSecret,
} from './drain-state.ts';

declare module '../account.ts' {
  interface AccountParts extends Keeps<'drains', Drain> {}
  interface AccountSeed extends Seeds<'drains', typeof seed> {}
}

/** Stands for a hidden secret in reads. */
const masked = { kind: 'INTEGRATION_SECRET' };

/** Returns a delivery as answers show it: its secret may be masked. */
function readDelivery(drain: Drain, showsSecret: boolean): unknown {
  const { delivery } = drain;
  if (!('secret' in delivery)) return delivery;
  return drain.source.kind === 'integration' || !showsSecret ? { ...delivery, secret: masked } : delivery;
}

/** Returns a drain as answers show it: the filter under another name than it is written, no transforms, no `projects`. */
function readDrain(call: Call, drain: Drain, created = false): Record<string, unknown> {
  const { filter, transforms: _transforms, ...fields } = drain;
  return {
    ...fields,
    teamId: call.owner.team?.id ?? null,
    delivery: readDelivery(drain, created || !call.switches.drainSecretMasked),
    ...(filter === undefined ? {} : { filterV2: filter }),
  };
}

/** Returns the members that the list adds with includeMetadata=true. */
function drainMetadata({ projectIds, source }: Drain): Record<string, unknown> {
  const managedBy = source.kind === 'integration' ? 'integration' : 'drain';
  const access = projectIds === undefined ? { access: 'all' } : { access: 'some', projectIds };
  return { projectAccess: { ...access, managedBy } };
}

const drains = ofOwner('drains', { what: 'Drain', shows: (call, drain) => readDrain(call, drain) });

/** Returns the answer to a test of a delivery: how the call of its endpoint fails, or an empty object. */
const test = ({ delivery }: z.infer<typeof testDrainBody>): unknown => endpointFailure(delivery) ?? {};

const { name, filter, schemas, delivery, sampling, transforms } = createDrainBody.shape;

const ofPlatform = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('clickhouse'), endpoint: z.string(), table: z.string() }),
  z.strictObject({ type: z.literal('internal'), target: z.string() }),
]);

/** A drain as a seed has it: projects by their names (none for all), the filter without its version. */
const seed = z.strictObject({
  ...seedOwned,
  name,
  projects: z.array(z.string()).optional(),
  filter: filter.unwrap().shape.filter.optional(),
  /** Default: the schema of logs. */
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

/** Adds a drain of a seed. */
function load(making: Making, seeded: Omit<z.infer<typeof seed>, 'owner'>): void {
  const { id, projects, filter, delivery, integration, status, ...fields } = seeded;
  const drain = storeDrain(making, {
    schemas: { log: { version: 'v1' } },
    ...fields,
    ...(projects === undefined ? {} : { projectIds: projectIdsOf(making, projects) }),
    ...(filter === undefined ? {} : { filter: { version: 'v2', filter } }),
    delivery: isOfPlatform(delivery) ? delivery : withSecret(making, delivery),
    source: integration === undefined ? { kind: 'self-served' } : { kind: 'integration', ...integration },
  });
  if (id !== undefined) drain.id = id;
  if (status !== undefined) drain.status = status;
  if (status === 'errored') drain.firstErrorTimestamp = drain.createdAt;
  if (status === 'disabled') {
    Object.assign(drain, { disabledAt: drain.createdAt, disabledReason: 'disabled-by-owner' });
  }
}

/** Drains of logs, traces and other data. */
export const drain: Resource = {
  keeps: { account: { drains: [] } },
  operations: {
    getDrains: drains.list('drains', {
      query: { projectId: text, includeMetadata: boolean },
      where: { projectId: [text, ({ projectIds: ids }, asked) => ids === undefined || ids.includes(asked)] },
      row(call, drain) {
        const withMetadata = call.query.get('includeMetadata') === 'true';
        return { ...readDrain(call, drain), ...(withMetadata && drainMetadata(drain)) };
      },
    }),
    createDrain: operation({ body: createDrainBody }, (call, _, body) =>
      readDrain(call, addDrain(call, body), true),
    ),
    getDrain: drains.read(),
    updateDrain: drains.update({ body: updateDrainBody }, changeDrain),
    deleteDrain: drains.remove(),
    testDrain: operation({ body: testDrainBody }, (_call, _, body) => test(body)),
  },
  clientOperations: {
    // The code that an endpoint has to answer to prove that it belongs to the team.
    'GET /v1/verify-endpoint': operation({}, ({ owner }) => ({
      verificationCode: createHash('sha256').update(`drains of ${owner.id}`).digest('hex').slice(0, 40),
    })),
  },
  after: ['projects'],
  seed: { account: { drains: seedList(seed, load) } },
  forget({ drains }, projectId) {
    const otherIds = (ids: string[]) => ids.filter((id) => id !== projectId);
    for (const drain of drains) {
      if (drain.projectIds !== undefined) drain.projectIds = otherIds(drain.projectIds);
      const filter = drain.filter?.filter;
      if (filter?.type === 'basic' && filter.project?.ids !== undefined) {
        filter.project.ids = otherIds(filter.project.ids);
      }
    }
  },
};
