import * as z from 'zod';
import { findOwner } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { ApiError, badRequest, notImplemented } from '../errors.ts';
import { projectsOf } from '../find-project.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { assignKnown } from '../outside.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';
import { isDomainName, lower, strings } from '../validate.ts';
import {
  addDomain,
  addSystemRecords,
  type Domain,
  findDomain,
  readDomain,
  serviceTypeOf,
} from './domain-state.ts';

declare module '../account.ts' {
  interface AccountSeed {
    domains?: (z.input<typeof seed> & DomainSeed)[];
  }
}

const createBody = z.strictObject({
  name: z.string(),
  method: z.string().optional(),
  token: z.string().optional(),
  cdnEnabled: z.boolean().optional(),
  zone: z.boolean().optional(),
});
const updateBody = z.strictObject({
  op: z.string().optional(),
  renew: z.boolean().optional(),
  customNameservers: strings.optional(),
  zone: z.boolean().optional(),
  echMode: z.enum(['auto', 'disabled']).optional(),
  destination: z.string().optional(),
});

/** Adds a domain by POST, or throws 400 for a name or a method that it cannot have. */
function create(call: Call, body: z.infer<typeof createBody>): unknown {
  if (body.method !== undefined && body.method !== 'add') throw notImplemented('moving a domain in');
  if (body.token !== undefined) {
    throw badRequest('Invalid request: should NOT have additional property `token`.');
  }
  const name = lower(body.name);
  if (!isDomainName(name) || name.endsWith('.')) {
    throw new ApiError(400, 'invalid_domain', `The domain "${body.name}" is not valid.`);
  }
  if (call.account.domains.some((domain) => domain.name === name)) {
    throw new ApiError(
      call.switches.domainInUseStatus,
      'domain_already_in_use',
      `The domain ${name} is already in use.`,
    ).by('PF38');
  }
  // The server's time moves on once for the request, and once for the domain.
  call.time();
  const domain = addDomain(call, name);
  addSystemRecords(call, domain);
  domain.zone = body.zone ?? true;
  domain.cdnEnabled = body.cdnEnabled ?? false;
  return { domain: readDomain(call, domain) };
}

/** Hands a domain over to another team of the user, or to the user. It takes effect at once, since both belong to the user. */
function moveOut(call: Call, domain: Domain, destination: string | undefined): unknown {
  const { account } = call;
  const isUser = destination === account.user.id || destination === account.user.username;
  const to = isUser ? findOwner(account, null) : destination && findOwner(account, destination);
  if (!to) throw new ApiError(400, 'invalid_move_destination', `There is no team "${destination}".`);
  const using = projectsUsing(call, domain).map(({ name }) => name);
  if (using.length > 0)
    throw new ApiError(409, 'domain_move_conflict', `${domain.name} is still used by ${using.join(', ')}.`);
  domain.ownerId = to.id;
  return { moved: true };
}

/** Applies a PATCH: moves a domain out, or writes its settings. */
function update(call: Call, domain: Domain, body: z.infer<typeof updateBody>): unknown {
  const { op = 'update', destination, ...fields } = body;
  if (op === 'move-out') return moveOut(call, domain, destination);
  if (op !== 'update') throw badRequest('Invalid request: `op` should be one of "update", "move-out".');
  if (destination !== undefined) {
    throw badRequest('Invalid request: should NOT have additional property `destination`.');
  }
  assignKnown(domain, fields, (field) => Object.hasOwn(updateBody.shape, field));
  const { customNameservers, echMode, renew, zone } = domain;
  return { customNameservers, echMode, renew, zone };
}

/** Returns the projects of the owner that serve the domain or a name below it. */
const projectsUsing = ({ account, owner }: Call, { name }: Domain) =>
  projectsOf(account, owner.id).filter(({ domains }) => domains.some(({ apexName }) => apexName === name));

/**
 * Deletes a domain, with the project domains and aliases under it. A switch makes it refuse with 409 instead while projects use the domain:
 * no source confirms which of the two the platform does, but its command line knows the code of the refusal.
 */
function remove(call: Call, domain: Domain): unknown {
  const using = projectsUsing(call, domain);
  if (using.length > 0 && !call.switches.domainDeleteCascades) {
    throw new ApiError(
      409,
      'domain_removal_conflict',
      `The domain ${domain.name} is still used by ${using.map((project) => project.name).join(', ')}.`,
    ).by('domainDeleteCascades');
  }
  for (const project of using) {
    project.domains = project.domains.filter((projectDomain) => projectDomain.apexName !== domain.name);
  }
  call.account.aliases = call.account.aliases.filter(
    ({ alias }) => alias !== domain.name && !alias.endsWith(`.${domain.name}`),
  );
  call.account.domains.splice(call.account.domains.indexOf(domain), 1);
  return { uid: domain.id };
}

/** The values that DNS records of domains should have, the first one first. */
const recommended = { A: ['76.76.21.21'], CNAME: 'cname.vercel-dns.com.' };

/**
 * True if the DNS of a name points to the platform: its own suffix, and a zone that the platform keeps, unless the user's records at the
 * name point elsewhere. A switch decides about DNS that the platform does not have.
 */
function isConfigured({ account, switches }: Call, name: string): boolean {
  if (name.endsWith('.vercel.app')) return true;
  const zone = account.domains.find((domain) => name === domain.name || name.endsWith(`.${domain.name}`));
  if (!zone || serviceTypeOf(zone) !== 'zeit.world' || zone.customNameservers.length > 0)
    return switches.outsideDnsConfigured;
  const label = name.slice(0, -zone.name.length - 1);
  const records = zone.records.filter(
    (record) => record.name === label && ['A', 'ALIAS', 'CNAME'].includes(record.type),
  );
  const right = [...recommended.A, recommended.CNAME.slice(0, -1)];
  return (
    records.length === 0 || records.some(({ value }) => right.includes(String(value).replace(/\.$/, '')))
  );
}

/** Answers whether a name is configured to reach the platform. */
function config(call: Call): unknown {
  const configured = isConfigured(call, lower(call.params.domain!));
  return {
    configuredBy: configured ? 'A' : null,
    acceptedChallenges: configured ? ['dns-01', 'http-01'] : [],
    recommendedIPv4: [{ rank: 1, value: recommended.A }],
    recommendedCNAME: [{ rank: 1, value: recommended.CNAME }],
    misconfigured: !configured,
    // Not in the public schema, but `vercel domains verify` needs a list. A twin looks up no nameservers.
    nameservers: [],
  };
}

const seed = z.strictObject({
  ...seedOwned,
  name: z.string(),
  zone: z.boolean().optional(),
  renew: z.boolean().optional(),
  echMode: z.enum(['auto', 'disabled']).optional(),
  customNameservers: strings.optional(),
  serviceType: z.enum(['external', 'na', 'zeit.world']).optional(),
  nameservers: strings.optional(),
  verified: z.boolean().optional(),
  boughtAt: z.number().optional(),
  transferredAt: z.number().optional(),
  expiresAt: z.number().optional(),
});

/** Adds a domain of a seed. */
function load(making: Making, { name, ...fields }: Omit<z.infer<typeof seed>, 'owner'>): Domain {
  if (!isDomainName(name) || name !== name.toLowerCase()) throw new Error(`"${name}" is not a domain name.`);
  if (making.taken!.hasDomain(name)) throw new Error(`There are two domains "${name}".`);
  return Object.assign(addDomain(making, name), fields);
}

/** Domains of an owner. The operations for domains that are registered with the platform are in `registrar.ts`. */
export const domain: Resource = {
  keeps: { account: { domains: [] } },
  operations: {
    getDomains: operation({ query: timePageQuery, list: 'domains' }, (call) => {
      const domains = call.account.domains.filter((domain) => domain.ownerId === call.owner.id);
      const { page, pagination } = timePage(call, domains);
      return { domains: page.map((domain) => readDomain(call, domain)), pagination };
    }),
    // Moving domains in is not implemented.
    createOrTransferDomain: operation({ body: createBody, statuses: [200, 409, 501] }, (call, _, body) =>
      create(call, body),
    ),
    getDomain: operation({ on: findDomain }, (call, domain) => ({ domain: readDomain(call, domain) })),
    patchDomain: operation({ on: findDomain, body: updateBody, statuses: [200, 409] }, update),
    deleteDomain: operation({ on: findDomain, statuses: [200, 409] }, remove),
    getDomainConfig: operation({ isAlwaysFound: true }, config),
  },
  seed: { account: { domains: seedList(seed, load, 'domain') } },
};
