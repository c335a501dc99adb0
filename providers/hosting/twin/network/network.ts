import * as z from 'zod';
import type { Owner } from '../account.ts';
import { type Call, type Making, stamped } from '../call.ts';
import { begins, isSettled, type Slow } from '../collection.ts';
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

/** A network. Its creation and its deletion take a minute. */
export interface Network extends z.infer<typeof createBody>, Slow {
  id: string;
  ownerId: string;
  status: (typeof statuses)[number];
  createdAt: number;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'networks', Network> {}
  interface AccountSeed extends Seeds<'networks', typeof seed> {}
}

/** Returns the projects whose environments run in the network. */
function projectsIn({ account }: Call, { id }: Network): string[] {
  const isIn = (connection: { connectConfigurationId?: string }) => connection.connectConfigurationId === id;
  return account.projects
    .filter(({ connectConfigurations }) => (connectConfigurations as [] | null | undefined)?.some(isIn))
    .map((project) => project.id);
}

const networks = ofOwner('networks', {
  what: 'Network',
  param: 'networkId',
  going: 'delete_in_progress',
  shows(call, network) {
    const { ownerId, settledAt: _, status, ...fields } = network;
    const ids = projectsIn(call, network);
    const isReady = status === 'ready' || (status === 'create_in_progress' && isSettled(network, call));
    return {
      ...fields,
      teamId: ownerId,
      status: isReady ? 'ready' : status,
      ...(isReady && { vpcId: `vpc-${network.id.slice(-8)}` }),
      awsAccountId: '123456789012',
      awsRegion: 'us-east-1',
      projects: { count: ids.length, ids },
      peeringConnections: { count: 0 },
      hostedZones: { count: 0 },
    };
  },
});

/** Returns a new network, or throws 409 if its name is taken. */
function make(making: Making, body: z.infer<typeof createBody>): Network {
  const siblings = networks.all(making, making.owner);
  // 409 is documented without a reason. People know a network by its name.
  if (siblings.some((network) => network.name === body.name && network.status !== 'delete_in_progress'))
    throw conflict(`A network with the name "${body.name}" already exists.`);
  const { id, createdAt } = stamped(making, 'ccfg_');
  return { ...body, id, createdAt, ownerId: making.owner.id, ...begins(making, 'create_in_progress') };
}

/**
 * Returns a network in the form of the older list, which the Terraform provider searches for a name
 * (client/secure_compute_network.go). The list has more properties of the AWS resources, such as addresses and subnets, which
 * networks of a twin do not have.
 */
function showConfiguration(call: Call, network: Network, owner: Owner) {
  const shown = networks.show(call, network, owner) as Record<string, unknown>;
  const ids = projectsIn(call, network);
  return {
    ...{ dc: network.region, projectIds: ids, projectsCount: ids.length, peeringConnectionsCount: 0 },
    AWS: { AccountId: shown.awsAccountId, Region: shown.awsRegion, VpcId: shown.vpcId },
    ...{ ConfigurationName: network.name, Id: network.id, TeamId: network.ownerId },
    ...{ CidrBlock: network.cidr, AvailabilityZoneIds: network.awsAvailabilityZoneIds },
    ConfigurationStatus: shown.status,
  };
}

/** Networks of a team. Their status shows whether their creation or deletion is over. */
export const network: Resource = {
  ...networks.kept(seed, (making, { status = 'ready', ...body }) => ({
    ...make(making, body),
    status,
  })),
  operations: {
    listNetworks: networks.list('', {
      query: { includeHostedZones: boolean, includePeeringConnections: boolean, includeProjects: boolean },
      where: { search: [text, ({ name }, asked) => name.includes(asked)] },
      // Each of the three members is shown unless the query says `false`.
      row(call, network, owner) {
        const unwanted = ['Projects', 'PeeringConnections', 'HostedZones']
          .filter((name) => call.query.get(`include${name}`) === 'false')
          .map((name) => name[0]!.toLowerCase() + name.slice(1));
        const shown = Object.entries(networks.show(call, network, owner) as object);
        return Object.fromEntries(shown.filter(([name]) => !unwanted.includes(name)));
      },
    }),
    createNetwork: networks.create({ body: createBody, statuses: [201, 409] }, make),
    readNetwork: networks.read(),
    updateNetwork: operation(
      { on: networks.named, body: z.strictObject({ name: z.string() }) },
      (call, { object: network, home }, body) => networks.show(call, Object.assign(network, body), home),
    ),
    deleteNetwork: networks.remove({ statuses: [204, 409] }, (call, network) => {
      if (projectsIn(call, network).length > 0) throw conflict('Projects are connected to the network.');
    }),
  },
  clientOperations: {
    'GET /v1/connect/configurations': networks.list('', { row: showConfiguration }),
  },
};
