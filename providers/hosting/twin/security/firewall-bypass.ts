import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Making, Stamped } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { projectOfQuery, projectQuery } from '../find-project.ts';
import { limitQuery, pageLimit } from '../http/pages.ts';
import { boolean, text } from '../http/query.ts';
import { operation, type Resource, seedList } from '../resource.ts';
import { isIpBlock } from '../validate.ts';

/**
 * An exception from the platform's own protection, for requests of some sources. Times are in milliseconds. The id is PROJECT#IP or
 * PROJECT#DOMAIN#IP.
 */
export interface FirewallBypass extends Stamped {
  /** `*`: the whole project. */
  domain: string;
  /** `0.0.0.0/0`: all sources. */
  ip: string;
  action: 'bypass' | 'block';
  actorId: string;
  note: string;
  expiresAt: number | null;
}

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'firewallBypasses', FirewallBypass> {}
  interface ProjectSeed extends Seeds<'firewallBypasses', typeof seed> {}
}

/** The range that reads show for all sources. */
const everywhere = '0.0.0.0/0';

const named = {
  sourceIp: z
    .string()
    .refine(
      (range) => range === everywhere || range === '::/0' || isIpBlock(range),
      'should be an IP address or a block not wider than /16 (IPv4) or /48 (IPv6)',
    )
    .optional(),
  allSources: z.boolean().optional(),
  note: z.string().max(500).optional(),
};
const optional = { domain: z.string().optional(), projectScope: z.boolean().optional() };
/** Returns the schema of a body that has `domain` or `projectScope`. `more`: its further members. */
const scoped = <T extends z.ZodRawShape>(more: T) =>
  z.union([
    z.strictObject({ ...named, ...more, ...optional, domain: z.string() }),
    z.strictObject({ ...named, ...more, ...optional, projectScope: z.boolean() }),
  ]);
const createBody = scoped({ ttl: z.number().min(0).optional() });
const deleteBody = scoped({});

type Named = z.infer<typeof deleteBody>;

/** Returns the domain and the address that identify a bypass, or throws 400 if the body does not name them exactly once. */
function namesOf({ domain, projectScope = false, sourceIp, allSources = false }: Named) {
  if (projectScope === (domain !== undefined))
    throw badRequest('Invalid request: either `domain` or `projectScope` is needed.');
  if (allSources === (sourceIp !== undefined))
    throw badRequest('Invalid request: either `sourceIp` or `allSources` is needed.');
  return { domain: domain ?? '*', ip: sourceIp ?? everywhere };
}

const isSame = (firewallBypass: FirewallBypass, { domain, ip }: Pick<FirewallBypass, 'domain' | 'ip'>) =>
  firewallBypass.domain === domain && firewallBypass.ip === ip;

/**
 * Adds a bypass to a project and returns it. It overwrites one for the same domain and IP, because no refusal of that is documented. Throws
 * 400 for a domain that the project does not have.
 */
function put(making: Making, project: Project, body: z.infer<typeof createBody>): FirewallBypass {
  const names = namesOf(body);
  if (names.domain !== '*' && !project.domains.some(({ name }) => name === names.domain))
    throw badRequest(`The domain ${names.domain} is not a production domain of the project.`);
  const timestamp = making.time();
  const old = project.firewallBypasses.find((firewallBypass) => isSame(firewallBypass, names));
  const row: FirewallBypass = {
    ...names,
    id: [project.id, ...(names.domain === '*' ? [] : [names.domain]), names.ip].join('#'),
    action: 'bypass',
    actorId: making.account.user.id,
    note: body.note ?? '',
    createdAt: old?.createdAt ?? timestamp,
    updatedAt: timestamp,
    expiresAt: body.ttl === undefined ? null : 1000 * Math.ceil((timestamp + body.ttl) / 1000),
  };
  project.firewallBypasses = [
    ...project.firewallBypasses.filter((firewallBypass) => firewallBypass !== old),
    row,
  ];
  return row;
}

/** Returns a bypass as reads show it: with capitalized members, times as texts, and its end in seconds. */
function readBypass({ id: ProjectId, accountId: OwnerId }: Project, firewallBypass: FirewallBypass) {
  const updated = new Date(firewallBypass.updatedAt).toISOString();
  return {
    Id: firewallBypass.id,
    OwnerId,
    ProjectId,
    Domain: firewallBypass.domain,
    Ip: firewallBypass.ip,
    Action: firewallBypass.action,
    ActorId: firewallBypass.actorId,
    IsProjectRule: firewallBypass.domain === '*',
    Note: firewallBypass.note,
    CreatedAt: new Date(firewallBypass.createdAt).toISOString(),
    UpdatedAt: updated,
    UpdatedAtHour: updated.slice(0, 13),
    ExpiresAt: firewallBypass.expiresAt === null ? null : firewallBypass.expiresAt / 1000,
  };
}

/** Returns a page of a project's bypasses that have not expired. */
function list(call: Call, project: Project): unknown {
  const { query } = call;
  const wanted = project.firewallBypasses
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > call.now())
    .filter(({ domain }) => [null, domain].includes(query.get('domain')))
    .filter(({ ip }) => [null, ip].includes(query.get('sourceIp')))
    .filter(({ domain }) => query.get('projectScope') !== 'true' || domain === '*')
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const firewallBypasses = wanted.filter(({ id }) => id > (query.get('offset') ?? ''));
  const result = firewallBypasses
    .slice(0, pageLimit(call))
    .map((firewallBypass) => readBypass(project, firewallBypass));
  const last = result.at(-1);
  return {
    result,
    ...(last &&
      firewallBypasses.length > result.length && { pagination: { OwnerId: last.OwnerId, Id: last.Id } }),
  };
}

const seed = z.strictObject({
  ...named,
  ttl: z.number().optional(),
  ...optional,
  blocks: z.boolean().optional(),
});

/** Exceptions of a project from the platform's own protection. Expired ones are not listed. */
export const firewallBypass: Resource = {
  keeps: { project: { firewallBypasses: [] } },
  operations: {
    getBypassIp: operation(
      {
        on: projectOfQuery,
        query: {
          ...projectQuery,
          ...limitQuery,
          offset: text,
          domain: text,
          sourceIp: text,
          projectScope: boolean,
        },
        list: 'result',
      },
      list,
    ),
    addBypassIp: operation(
      { on: projectOfQuery, query: projectQuery, body: createBody },
      (call, project, body) => ({
        ok: true,
        result: [readBypass(project, put(call, project, body))],
      }),
    ),
    // The body names the bypass, because its path has no id.
    removeBypassIp: operation(
      { on: projectOfQuery, query: projectQuery, body: deleteBody },
      (_, project, body) => {
        const names = namesOf(body);
        const firewallBypass = project.firewallBypasses.find((firewallBypass) =>
          isSame(firewallBypass, names),
        );
        if (firewallBypass === undefined) throw notFound('Bypass');
        project.firewallBypasses = project.firewallBypasses.filter((other) => other !== firewallBypass);
        return { ok: true };
      },
    ),
  },
  after: ['projects.domains'],
  seed: {
    project: {
      firewallBypasses: seedList(seed, (making, { blocks, ...body }, project: Project) => {
        Object.assign(
          put(making, project, body as z.infer<typeof createBody>),
          blocks && { action: 'block' },
        );
      }),
    },
  },
};
