import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { ApiError, notFound } from '../errors.ts';
import { findProject, projectOfPath } from '../find-project.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { boolean, choice, text } from '../http/query.ts';
import { type Attempt, operation, type Resource, seedOne } from '../resource.ts';
import { lower } from '../validate.ts';
import { customEnvironmentId } from './custom-environment.ts';
import {
  addProjectDomain,
  checkProjectDomain,
  moveProjectDomain,
  newProjectDomain,
  type ProjectDomain,
  removeProjectDomain,
} from './project-domain-state.ts';

declare module '../account.ts' {
  interface ProjectParts {
    domains: ProjectDomain[];
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

interface Found {
  project: Project;
  domain: ProjectDomain;
}

function find(call: Call): Found {
  const project = projectOfPath(call);
  const name = lower(call.params.domain!);
  const domain = project.domains.find((one) => one.name === name);
  if (domain === undefined) throw notFound('Domain');
  return { project, domain };
}

function update(call: Call, { project, domain }: Found, body: z.infer<typeof updateBody>): ProjectDomain {
  const changed = { ...domain, ...body };
  if (changed.redirect === null && body.redirectStatusCode === undefined) changed.redirectStatusCode = null;
  checkProjectDomain(project, domain.name, changed);
  if (changed.redirect !== null && body.redirect !== undefined) {
    changed.redirectStatusCode ??= call.switches.redirectDefaultStatus;
  }
  Object.assign(domain, changed, { updatedAt: call.time() });
  return domain;
}

function verify(call: Call, { domain }: Found): ProjectDomain {
  const [wanted] = domain.verification ?? [];
  const zone = call.account.domains.find((one) => one.name === domain.apexName);
  const proven = zone?.records.some((record) => record.name === '_vercel' && record.value === wanted?.value);
  if (wanted !== undefined && !proven) {
    throw new ApiError(
      400,
      'missing_txt_record',
      `Domain ${domain.name} is missing the TXT record at ${wanted.domain}.`,
    );
  }
  domain.verified = true;
  delete domain.verification;
  return domain;
}

function list(call: Call, project: Project): unknown {
  const filter = (name: string) => call.query.get(name);
  const wanted = project.domains
    .filter((one) => filter('verified') === null || String(one.verified) === filter('verified'))
    .filter((one) => filter('redirects') !== 'false' || one.redirect === null)
    .filter((one) => filter('redirect') === null || one.redirect === filter('redirect'))
    .filter((one) => filter('gitBranch') === null || one.gitBranch === filter('gitBranch'))
    .filter(
      (one) =>
        filter('customEnvironmentId') === null || one.customEnvironmentId === filter('customEnvironmentId'),
    );
  const ascending = filter('order') === 'ASC';
  const { page, pagination } = timePage(call, wanted, { ascending });
  return { domains: page, pagination };
}

const seed = z.array(
  addBody.omit({ customEnvironmentId: true }).extend({
    /** Slug of one of the project's custom environments. */
    customEnvironment: z.string().optional(),
    verified: z.boolean().optional(),
  }),
);

// Redirect targets may come later in the list.
function load(making: Making, list: z.infer<typeof seed>, project: Project, attempt: Attempt): void {
  const added = list.map(({ name, customEnvironment, verified = true, ...rest }) => {
    const { redirect = null, redirectStatusCode = null, gitBranch = null } = rest;
    const settings = { redirect, redirectStatusCode, gitBranch, customEnvironmentId: null };
    const domain = { ...newProjectDomain(making, project, name.toLowerCase(), settings), verified };
    project.domains.push(domain);
    return { domain, customEnvironment };
  });
  for (const [i, { domain, customEnvironment }] of added.entries()) {
    attempt(`[${i}]`, () => {
      if (customEnvironment) domain.customEnvironmentId = customEnvironmentId(project, customEnvironment);
      checkProjectDomain(project, domain.name, domain);
    });
  }
}

/** The domains that projects serve. */
export const projectDomain: Resource = {
  keeps: { project: { domains: [] } },
  operations: {
    getProjectDomains: operation(
      {
        on: projectOfPath,
        query: {
          verified: boolean,
          redirects: boolean,
          redirect: text,
          gitBranch: text,
          customEnvironmentId: text,
          order: choice(['ASC', 'DESC']),
          ...timePageQuery,
        },
        list: 'domains',
      },
      list,
    ),
    getProjectDomain: operation({ on: find }, (_, { domain }) => domain),
    addProjectDomain: operation({ on: projectOfPath, body: addBody, statuses: [200, 409] }, addProjectDomain),
    updateProjectDomain: operation({ on: find, body: updateBody }, update),
    removeProjectDomain: operation(
      { on: find, body: removeBody.optional(), statuses: [200, 409] },
      (_, { project, domain }, { removeRedirects }) => {
        removeProjectDomain(project, domain, removeRedirects);
        return {};
      },
    ),
    moveProjectDomain: operation(
      { on: find, body: moveBody },
      (call, { project, domain }, { projectId, ...settings }) =>
        moveProjectDomain(call, domain, [project, findProject(call, projectId)], settings),
    ),
    verifyProjectDomain: operation({ on: find }, verify),
    getDomainProjectDomains: operation(
      { query: timePageQuery, list: 'projectDomains', isAlwaysFound: true },
      (call) => {
        const apex = lower(call.params.domain!);
        const own = call.account.projects.filter((project) => project.accountId === call.owner.id);
        const wanted = own.flatMap((project) => project.domains).filter((one) => one.apexName === apex);
        const { page, pagination } = timePage(call, wanted);
        return { projectDomains: page, pagination };
      },
    ),
  },
  clientOperations: {
    // The older way to give a project a domain; the answer has all that it has.
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
  seed: { project: { domains: seedOne(seed, load) } },
};
