import * as z from 'zod';
import type { Project } from '../account.ts';
import { type Making, type Stamped, stamped } from '../call.ts';
import { begins, isSettled, type Slow } from '../collection.ts';
import { conflict } from '../errors.ts';
import { ofQueriedProject } from '../kept.ts';
import type { Resource } from '../resource.ts';

const statuses = [
  ...(['available', 'creating', 'deleting', 'failed'] as const),
  ...(['pending-acceptance', 'provisioning', 'rejected'] as const),
] as const;
const described = z.strictObject({
  name: z.string(),
  vercelRegion: z.string(),
  awsServiceName: z.string(),
  enablePrivateDns: z.boolean().optional(),
});
const createBody = described.extend({ projectId: z.string() });
const updateBody = z.strictObject({ name: z.string().optional(), enablePrivateDns: z.boolean().optional() });
const seed = described.extend({ id: z.string().optional(), status: z.enum(statuses).optional() });

/** A project's endpoint for a service in AWS. */
export interface PrivateLink extends z.infer<typeof described>, Stamped, Slow {
  status: (typeof statuses)[number];
}

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'privateLinks', PrivateLink> {}
  interface ProjectSeed extends Seeds<'privateLinks', typeof seed> {}
}

const links = ofQueriedProject('privateLinks', {
  what: 'Private link endpoint',
  param: 'endpointId',
  going: 'deleting',
  shows(call, privateLink, { id: projectId, accountId }) {
    const { id, settledAt: _, enablePrivateDns, status, ...fields } = privateLink;
    const isMade = status === 'creating' && isSettled(privateLink, call);
    // The owner of the service accepts it in AWS; a switch says whether that happens.
    const isAccepted = call.switches.privateLinkAccepted && isSettled(privateLink, call, 1);
    return {
      ...{ ...fields, endpointId: id, projectId, teamId: accountId },
      status: isMade ? (isAccepted ? 'available' : 'pending-acceptance') : status,
      vpcEndpointId: `vpce-${id.slice(-8)}`,
      awsDnsEntries: [`vpce-${id.slice(-8)}.example.com`],
      // Answers do not show `enablePrivateDns` itself.
      privateDnsNames: enablePrivateDns ? ['service.example.com'] : [],
    };
  },
});

/** Returns a new endpoint, or throws 409 if its name is taken in the project. */
function make(making: Making, body: z.infer<typeof described>, { privateLinks }: Project): PrivateLink {
  if (privateLinks.some((privateLink) => privateLink.name === body.name && privateLink.status !== 'deleting'))
    throw conflict(`The project has an endpoint "${body.name}" already.`);
  return { ...body, ...stamped(making, 'vpce_'), ...begins(making, 'creating') };
}

/** Private link endpoints of a project. Their creation and deletion take a minute. */
export const privateLink: Resource = {
  ...links.kept(seed, (making, { status = 'available', ...body }, project) => ({
    ...make(making, body, project),
    status,
  })),
  operations: {
    listPrivateLinkEndpoints: links.list(''),
    createPrivateLinkEndpoint: links.create(
      { body: createBody, statuses: [201, 404, 409] },
      (call, { projectId: _, ...body }, project) => make(call, body, project),
    ),
    readPrivateLinkEndpoint: links.read(),
    updatePrivateLinkEndpoint: links.update({ body: updateBody }),
    deletePrivateLinkEndpoint: links.remove(),
  },
};
