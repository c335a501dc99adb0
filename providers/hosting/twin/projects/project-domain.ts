import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { ApiError, notFound } from '../errors.ts';
import { findProject, projectOfPath } from '../find-project.ts';
import { being } from '../http/list-query.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { boolean, choice } from '../http/query.ts';
import { inEveryProject, ofProject } from '../kept.ts';
import { type Moving, type Pace, paceOf, startMoving } from '../motion.ts';
import { type Attempt, operation, type Resource } from '../resource.ts';
import { lower } from '../validate.ts';
import { customEnvironmentId } from './custom-environment.ts';
import {
  addProjectDomain,
  checkProjectDomain,
  moveProjectDomain,
  newProjectDomain,
  type ProjectDomain,
  removeProjectDomain,
  shownDomain,
} from './project-domain-state.ts';

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'domains', ProjectDomain> {}
  interface AccountSeed {
    /** The duration of verifying a domain of a project, and which ones fail. */
    verifications?: Pace;
  }
  interface ProjectSeed {
    domains?: z.input<typeof seed>;
  }
}

const redirectStatusCode = z
  .union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)])
  .nullable()
  .optional();
const settings = {
  gitBranch: z.string().nullable().optional(),
  redirect: z.string().nullable().optional(),
  redirectStatusCode,
};

const addBody = z.strictObject({
  name: z.string(),
  customEnvironmentId: z.string().optional(),
  ...settings,
});

// Without customEnvironmentId, as in the SDK.
const updateBody = z.strictObject(settings);

const moveBody = z.strictObject({ projectId: z.string(), ...settings });

const removeBody = z.strictObject({ removeRedirects: z.boolean().optional() });

const domains = ofProject('domains', {
  ...{ what: 'Domain', param: 'domain', shows: shownDomain },
  isCalled: ({ name }, asked) => name === lower(asked),
});

/** Applies a PATCH to a project domain. */
function update(
  call: Call,
  { home, object: domain }: ReturnType<typeof domains.named>,
  body: z.infer<typeof updateBody>,
) {
  const changed = { ...domain, ...body };
  if (changed.redirect === null && body.redirectStatusCode === undefined) changed.redirectStatusCode = null;
  checkProjectDomain(home, domain.name, changed);
  if (changed.redirect !== null && body.redirect !== undefined) {
    changed.redirectStatusCode ??= call.switches.redirectDefaultStatus;
  }
  Object.assign(domain, changed, { updatedAt: call.time() });
  return shownDomain(call, domain);
}

/** Starts the verification of a domain, or finishes one whose time is over. Throws 400 if the TXT record that it needs is missing. */
function verify(call: Call, { object: domain }: { object: ProjectDomain }) {
  const [wanted] = domain.verification ?? [];
  const zone = call.account.domains.find((candidate) => candidate.name === domain.apexName);
  const proven = zone?.records.some((record) => record.name === '_vercel' && record.value === wanted?.value);
  if (wanted !== undefined && !proven) {
    throw new ApiError(
      400,
      'missing_txt_record',
      `Domain ${domain.name} is missing the TXT record at ${wanted.domain}.`,
    );
  }
  if (domain.verified) return shownDomain(call, domain);
  const isOver = ({ endsAt }: Moving) => endsAt <= call.now();
  // Neither a running verification nor one that has succeeded is started again.
  const isNeeded = !domain.verifying || (isOver(domain.verifying) && domain.verifying.fails);
  const verifying = isNeeded ? startMoving(call, 'verifications') : domain.verifying!;
  domain.verifying = verifying;
  if (isOver(verifying) && !verifying.fails) {
    domain.verified = true;
    delete domain.verification;
    delete domain.verifying;
  }
  return shownDomain(call, domain);
}

const seed = z.array(
  addBody.omit({ customEnvironmentId: true }).extend({
    /** Slug of one of the project's custom environments. */
    customEnvironment: z.string().optional(),
    verified: z.boolean().optional(),
  }),
);

/**
 * Adds the domains of a seed to their project. They are checked after all were added, because a redirect target can be later in the list.
 */
function load(making: Making, list: z.infer<typeof seed>, project: Project, attempt: Attempt): void {
  const added = list.map(({ name, customEnvironment, verified = true, ...rest }) => {
    const { redirect = null, redirectStatusCode = null, gitBranch = null } = rest;
    const settings = { redirect, redirectStatusCode, gitBranch, customEnvironmentId: null };
    const domain = { ...newProjectDomain(making, project, name.toLowerCase(), settings), verified };
    project.domains.push(domain);
    making.taken?.addHost(domain.name);
    return { domain, customEnvironment };
  });
  for (const [i, { domain, customEnvironment }] of added.entries()) {
    attempt(`[${i}]`, () => {
      if (customEnvironment) domain.customEnvironmentId = customEnvironmentId(project, customEnvironment);
      checkProjectDomain(project, domain.name, domain);
    });
  }
}

const parts = inEveryProject('domains', [], seed, load);

/** The domains that projects serve. */
export const projectDomain: Resource = {
  ...parts,
  seed: { ...parts.seed, account: { verifications: paceOf('verifications') } },
  operations: {
    getProjectDomains: domains.pages('domains', {
      query: { order: choice(['ASC', 'DESC']) },
      where: {
        ...{
          verified: being('verified', boolean),
          redirect: being('redirect'),
          gitBranch: being('gitBranch'),
        },
        customEnvironmentId: being('customEnvironmentId'),
        redirects: [boolean, ({ redirect }, asked) => asked !== 'false' || redirect === null],
      },
      isAscending: ({ query }) => query.get('order') === 'ASC',
    }),
    getProjectDomain: domains.read(),
    addProjectDomain: operation({ on: projectOfPath, body: addBody, statuses: [200, 409] }, addProjectDomain),
    updateProjectDomain: operation({ on: domains.named, body: updateBody }, update),
    removeProjectDomain: operation(
      { on: domains.named, body: removeBody.optional(), statuses: [200, 409] },
      (_, { home, object: domain }, { removeRedirects }) => {
        removeProjectDomain(home, domain, removeRedirects);
        return {};
      },
    ),
    moveProjectDomain: operation(
      { on: domains.named, body: moveBody },
      (call, { home, object: domain }, { projectId, ...settings }) =>
        shownDomain(call, moveProjectDomain(call, domain, [home, findProject(call, projectId)], settings)),
    ),
    verifyProjectDomain: operation({ on: domains.named }, verify),
    getDomainProjectDomains: operation(
      { query: timePageQuery, list: 'projectDomains', isAlwaysFound: true },
      (call) => {
        const apex = lower(call.params.domain!);
        const projects = call.account.projects.filter((project) => project.accountId === call.owner.id);
        const wanted = projects
          .flatMap((project) => project.domains)
          .filter((projectDomain) => projectDomain.apexName === apex);
        const { page, pagination } = timePage(call, wanted);
        return { projectDomains: page.map((projectDomain) => shownDomain(call, projectDomain)), pagination };
      },
    ),
  },
  clientOperations: {
    // The older operation to add a domain to a project. Its answer has all domains of the project.
    'GET /project-domains/{domain}': operation({}, (call) => {
      const name = lower(call.params.domain!);
      const ownProjects = call.account.projects.filter(({ accountId }) => accountId === call.owner.id);
      const domain = ownProjects
        .flatMap((project) => project.domains)
        .find((candidate) => candidate.name === name);
      if (!domain) throw notFound('Domain');
      return shownDomain(call, domain);
    }),
    'POST /projects/{idOrName}/alias': operation(
      {
        on: projectOfPath,
        body: z.strictObject({ domain: z.string(), target: z.string().optional() }),
      },
      (call, project, { domain }) => {
        addProjectDomain(call, project, { name: domain });
        return project.domains.map(({ name, createdAt }) => ({
          domain: name,
          target: 'PRODUCTION',
          environment: 'production',
          createdAt,
        }));
      },
    ),
  },
  after: ['domains', 'projects.customEnvironments'],
};
