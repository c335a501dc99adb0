import * as z from 'zod';
import { type Account, type Domain, makeId, type Owner, tick } from '../account.ts';
import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { ApiError, badRequest, notFound, notImplemented } from '../errors.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import type { Switches } from '../switches.ts';
import { isDomainName, lower, parseBody, strings } from '../validate.ts';

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
const autoRenewBody = z.strictObject({ autoRenew: z.boolean() });
const nameserversBody = z.strictObject({ nameservers: strings });

const nameservers = ['ns1.vercel-dns.com', 'ns2.vercel-dns.com'];

/** The owner's domain of that name. */
export function findDomain(call: Call, name = call.params.domain!): Domain {
  const wanted = lower(name);
  const found = call.account.domains.find((one) => one.name === wanted && one.ownerId === call.owner.id);
  if (found === undefined) throw notFound(`The domain ${name}`);
  return found;
}

/** A new domain of an owner, added to the account; with the platform's own records if they are switched on. */
export function addDomain(
  account: Account,
  owner: Owner,
  name: string,
  switches: Switches,
  now: () => number,
): Domain {
  const domain: Domain = {
    id: makeId(account, '', 24),
    name,
    ownerId: owner.id,
    zone: true,
    renew: false,
    echMode: 'disabled',
    customNameservers: [],
    verified: true,
    boughtAt: null,
    expiresAt: null,
    createdAt: tick(account, now),
    records: [],
  };
  account.domains.push(domain);
  const system = (fields: Pick<Domain['records'][number], 'type' | 'name' | 'value'>) => {
    const at = tick(account, now);
    const id = makeId(account, 'rec_', 24);
    domain.records.push({
      id,
      ...fields,
      ttl: 60,
      comment: '',
      creator: 'system',
      createdAt: at,
      updatedAt: at,
    });
  };
  if (switches.systemRecords) {
    system({ type: 'CAA', name: '', value: '0 issue "letsencrypt.org"' });
    system({ type: 'CNAME', name: '*', value: 'cname.vercel-dns.com.' });
  }
  return domain;
}

function readDomain(call: Call, domain: Domain): Record<string, unknown> {
  const { records: _records, zone, ownerId, ...fields } = domain;
  const { id, username, email } = call.account.user;
  return {
    ...fields,
    serviceType: zone ? 'zeit.world' : 'external',
    nameservers: domain.customNameservers.length > 0 ? domain.customNameservers : zone ? nameservers : [],
    intendedNameservers: nameservers,
    creator: { id, username, email, customerId: null, isDomainReseller: false },
    userId: id,
    teamId: ownerId === id ? null : ownerId,
    transferredAt: null,
    suffix: false,
  };
}

function create(call: Call): unknown {
  const body = parseBody(createBody, call.body, call.outside);
  if (body.method !== undefined && body.method !== 'add') throw notImplemented('moving a domain in');
  if (body.token !== undefined) {
    throw badRequest('Invalid request: should NOT have additional property `token`.');
  }
  const name = lower(body.name);
  if (!isDomainName(name) || name.endsWith('.')) {
    throw new ApiError(400, 'invalid_domain', `The domain "${body.name}" is not valid.`);
  }
  if (call.account.domains.some((one) => one.name === name)) {
    throw new ApiError(409, 'domain_already_exists', `The domain ${name} is already in use.`);
  }
  const domain = addDomain(call.account, call.owner, name, call.switches, call.time);
  domain.zone = body.zone ?? true;
  return { domain: readDomain(call, domain) };
}

function update(call: Call): unknown {
  const domain = findDomain(call);
  const { op = 'update', destination, ...fields } = parseBody(updateBody, call.body, call.outside);
  if (op === 'move-out') throw notImplemented('moving a domain out');
  if (op !== 'update') throw badRequest('Invalid request: `op` should be one of "update", "move-out".');
  if (destination !== undefined) {
    throw badRequest('Invalid request: should NOT have additional property `destination`.');
  }
  Object.assign(domain, fields);
  const { customNameservers, echMode, renew, zone } = domain;
  return { customNameservers, echMode, renew, zone };
}

// Whether the platform refuses or cascades is not confirmed; the CLI knows domain_removal_conflict.
function remove(call: Call): unknown {
  const domain = findDomain(call);
  const own = call.account.projects.filter((project) => project.accountId === call.owner.id);
  const using = own.filter((project) => project.domains.some((one) => one.apexName === domain.name));
  if (using.length > 0 && !call.switches.domainDeleteCascades) {
    throw new ApiError(
      409,
      'domain_removal_conflict',
      `The domain ${domain.name} is still used by ${using.map((one) => one.name).join(', ')}.`,
    );
  }
  for (const project of using) {
    project.domains = project.domains.filter((one) => one.apexName !== domain.name);
  }
  call.account.domains.splice(call.account.domains.indexOf(domain), 1);
  return { uid: domain.id };
}

function config(call: Call): unknown {
  const name = lower(call.params.domain!);
  // What is under the platform's own suffix is its own to configure.
  const served =
    name.endsWith('.vercel.app') ||
    call.account.domains.some((one) => one.zone && (name === one.name || name.endsWith(`.${one.name}`)));
  return {
    configuredBy: served ? 'A' : null,
    acceptedChallenges: served ? ['dns-01', 'http-01'] : [],
    recommendedIPv4: [{ rank: 1, value: ['76.76.21.21'] }],
    recommendedCNAME: [{ rank: 1, value: 'cname.vercel-dns.com.' }],
    misconfigured: !served,
  };
}

function bought(call: Call): Domain {
  const name = lower(call.params.domain!);
  const domain = call.account.domains.find((one) => one.name === name && one.ownerId === call.owner.id);
  if (domain?.boughtAt == null) throw new ApiError(404, 'domain_not_found', 'The domain was not found.');
  return domain;
}

/** Domains of an owner, and the two settings of domains bought at the platform's registrar. */
export const domainHandlers: Handlers = {
  getDomains(call) {
    const own = call.account.domains.filter((domain) => domain.ownerId === call.owner.id);
    const { page, pagination } = timePage(call, own, (domain) => domain.createdAt);
    return { domains: page.map((domain) => readDomain(call, domain)), pagination };
  },
  createOrTransferDomain: create,
  getDomain: (call) => ({ domain: readDomain(call, findDomain(call)) }),
  patchDomain: update,
  deleteDomain: remove,
  getDomainConfig: config,
  updateDomainAutoRenew(call) {
    const domain = bought(call);
    domain.renew = parseBody(autoRenewBody, call.body, call.outside).autoRenew;
    return new Answer(204);
  },
  updateDomainNameservers(call) {
    const domain = bought(call);
    domain.customNameservers = parseBody(nameserversBody, call.body, call.outside).nameservers;
    return new Answer(204);
  },
};

/** The schemas of their request bodies. */
export const domainBodies: Bodies = {
  createOrTransferDomain: createBody,
  patchDomain: updateBody,
  updateDomainAutoRenew: autoRenewBody,
  updateDomainNameservers: nameserversBody,
};

/** The query parameters that they read. */
export const domainQueries: Queries = { getDomains: timePageQuery };
