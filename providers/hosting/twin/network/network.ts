import * as z from 'zod';
import { type Call, type Making, stamped } from '../call.ts';
import { conflict } from '../errors.ts';
import { boolean, text } from '../http/query.ts';
import { ofOwner } from '../kept.ts';
import { operation, type Resource, seedOwned } from '../resource.ts';
import { strings } from '../validate.ts';

const statuses = ['create_in_progress', 'delete_in_progress', 'error', 'ready'] as const;
const createBody = z.strictObject({
  awsAvailabilityZoneIds: strings.optional(),
  cidr: z.string(),
  name: z.string(),
  region: z.string(),
});
const seed = createBody.extend({ ...seedOwned, status: z.enum(statuses).optional() });

/** A network; its machines come or go until `settledAt`. */
export interface Network extends z.infer<typeof createBody> {
  id: string;
  ownerId: string;
  status: (typeof statuses)[number];
  settledAt: number;
  createdAt: number;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'networks', Network> {}
  interface AccountSeed extends Seeds<'networks', typeof seed> {}
}

const listQuery = {
  ...{ includeHostedZones: boolean, includePeeringConnections: boolean, includeProjects: boolean },
  search: text,
};

/** How long it takes to set one up or to take it down, in milliseconds. */
const minute = 60_000;

/** The projects whose environments run in the network. */
function projectsIn({ account }: Call, { id }: Network): string[] {
  const isIn = (one: { connectConfigurationId?: string }) => one.connectConfigurationId === id;
  return account.projects
    .filter(({ connectConfigurations }) => (connectConfigurations as [] | null | undefined)?.some(isIn))
    .map((project) => project.id);
}

const networks = ofOwner('networks', {
  what: 'Network',
  param: 'networkId',
  shows(call, network) {
    const { ownerId, settledAt, status, ...fields } = network;
    const ids = projectsIn(call, network);
    return {
      ...fields,
      teamId: ownerId,
      status: status === 'create_in_progress' && settledAt <= call.now() ? 'ready' : status,
      awsAccountId: '123456789012',
      awsRegion: 'us-east-1',
      projects: { count: ids.length, ids },
      peeringConnections: { count: 0 },
      hostedZones: { count: 0 },
    };
  },
});

const isGone = ({ status, settledAt }: Network, now: number) =>
  status === 'delete_in_progress' && settledAt <= now;

function make(making: Making, body: z.infer<typeof createBody>): Network {
  const others = networks.all(making, making.owner);
  // No source says what a 409 is about; a name is how people know a network.
  if (others.some((one) => one.name === body.name && one.status !== 'delete_in_progress'))
    throw conflict(`A network with the name "${body.name}" already exists.`);
  const { id, createdAt } = stamped(making, 'ccfg_');
  const settledAt = making.now() + minute;
  return { ...body, id, createdAt, ownerId: making.owner.id, status: 'create_in_progress', settledAt };
}

/** Networks come and go slowly: their status tells how far they are. */
export const network: Resource = {
  ...networks.kept(seed, (making, { status = 'ready', ...body }) => ({
    ...make(making, body),
    status,
  })),
  operations: {
    listNetworks: operation({ on: networks.home, query: listQuery, list: '' }, (call, owner) => {
      const search = call.query.get('search') ?? '';
      // All three come unless they are not asked for.
      const unwanted = ['Projects', 'PeeringConnections', 'HostedZones']
        .filter((name) => call.query.get(`include${name}`) === 'false')
        .map((name) => name[0]!.toLowerCase() + name.slice(1));
      return networks
        .all(call, owner)
        .filter((one) => !isGone(one, call.now()) && one.name.includes(search))
        .map((one) => networks.show(call, one, owner) as object)
        .map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => !unwanted.includes(name))));
    }),
    createNetwork: networks.create({ body: createBody, statuses: [201, 409] }, make),
    readNetwork: networks.read(),
    updateNetwork: operation(
      { on: networks.named, body: z.strictObject({ name: z.string() }) },
      (call, { one, home }, body) => networks.show(call, Object.assign(one, body), home),
    ),
    deleteNetwork: operation({ on: networks.named, statuses: [204, 409] }, (call, { one }) => {
      if (projectsIn(call, one).length > 0) throw conflict('Projects are connected to the network.');
      Object.assign(one, { status: 'delete_in_progress', settledAt: call.now() + minute });
    }),
  },
};
