import type { Project, ProjectDomain } from '../account.ts';
import type { Bodies, Call, Handlers, Queries } from '../call.ts';
import { ApiError, notFound } from '../errors.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { boolean, choice, text } from '../http/query.ts';
import { isDomainName, lower, parseBody } from '../validate.ts';
import {
  addProjectDomainBody,
  moveProjectDomainBody,
  removeProjectDomainBody,
  updateProjectDomainBody,
} from './project-domain-body.ts';
import { checkProjectDomain, newProjectDomain, type ProjectDomainSettings } from './project-domain-state.ts';
import { findProject } from './project-state.ts';

function findDomain(call: Call, project: Project): ProjectDomain {
  const name = lower(call.params.domain!);
  const found = project.domains.find((domain) => domain.name === name);
  if (found === undefined) throw notFound('Domain');
  return found;
}

function add(call: Call): unknown {
  const project = findProject(call);
  const body = parseBody(addProjectDomainBody, call.body, call.outside);
  const name = lower(body.name);
  if (!isDomainName(name.replace(/^\*\./, '')) || name.endsWith('.')) {
    throw new ApiError(
      400,
      'invalid_domain',
      `The specified value \`${body.name}\` is not a fully qualified domain name.`,
    );
  }
  const holder = call.account.projects.find((one) => one.domains.some((domain) => domain.name === name));
  if (holder !== undefined) {
    const own = holder.accountId === call.owner.id ? { projectId: holder.id } : {};
    throw new ApiError(
      409,
      'domain_already_exists',
      `Cannot add ${name} since it's already in use by ${holder === project ? 'this' : 'another'} project.`,
      own,
    );
  }
  const settings: ProjectDomainSettings = {
    redirect: body.redirect ?? null,
    redirectStatusCode: body.redirectStatusCode ?? null,
    gitBranch: body.gitBranch ?? null,
    customEnvironmentId: body.customEnvironmentId ?? null,
  };
  checkProjectDomain(project, name, settings);
  const domain = newProjectDomain(call, project, name, settings);
  project.domains.push(domain);
  return domain;
}

function update(call: Call): unknown {
  const project = findProject(call);
  const domain = findDomain(call, project);
  const body = parseBody(updateProjectDomainBody, call.body, call.outside);
  const changed = { ...domain, ...body };
  if (changed.redirect === null && body.redirectStatusCode === undefined) changed.redirectStatusCode = null;
  checkProjectDomain(project, domain.name, changed);
  if (changed.redirect !== null && body.redirect !== undefined) {
    changed.redirectStatusCode ??= call.switches.redirectDefaultStatus;
  }
  Object.assign(domain, changed, { updatedAt: call.time() });
  return domain;
}

function remove(call: Call): unknown {
  const project = findProject(call);
  const domain = findDomain(call, project);
  const body = parseBody(removeProjectDomainBody, call.body ?? {}, call.outside);
  const redirecting = project.domains.filter((one) => one.redirect === domain.name);
  if (redirecting.length > 0 && body.removeRedirects !== true) {
    throw new ApiError(
      409,
      'domain_is_redirect_target',
      `The domain ${domain.name} is the redirect target of ${redirecting.map((one) => one.name).join(', ')}.`,
    );
  }
  project.domains = project.domains.filter((one) => one !== domain && !redirecting.includes(one));
  return {};
}

// The domains that redirect to it go along: they may only redirect inside their project.
function move(call: Call): unknown {
  const project = findProject(call);
  const domain = findDomain(call, project);
  const { projectId, ...settings } = parseBody(moveProjectDomainBody, call.body, call.outside);
  const to = findProject(call, projectId);
  const redirecting = project.domains.filter((one) => one.redirect === domain.name);
  const moved = { ...domain, redirect: null, redirectStatusCode: null, gitBranch: null, ...settings };
  checkProjectDomain(to, domain.name, { ...moved, customEnvironmentId: null });
  project.domains = project.domains.filter((one) => one !== domain && !redirecting.includes(one));
  Object.assign(domain, moved, { customEnvironmentId: null });
  for (const one of [domain, ...redirecting]) {
    Object.assign(one, { projectId: to.id, updatedAt: call.time() });
    to.domains.push(one);
  }
  return domain;
}

function verify(call: Call): unknown {
  const domain = findDomain(call, findProject(call));
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

function list(call: Call): unknown {
  const project = findProject(call);
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
  const { page, pagination } = timePage(call, wanted, (one) => one.createdAt, { ascending });
  return { domains: page, pagination };
}

/** The domains that projects serve. */
export const projectDomainHandlers: Handlers = {
  getProjectDomains: list,
  getProjectDomain: (call) => findDomain(call, findProject(call)),
  addProjectDomain: add,
  updateProjectDomain: update,
  removeProjectDomain: remove,
  moveProjectDomain: move,
  verifyProjectDomain: verify,
  getDomainProjectDomains(call) {
    const apex = lower(call.params.domain!);
    const own = call.account.projects.filter((project) => project.accountId === call.owner.id);
    const wanted = own.flatMap((project) => project.domains).filter((one) => one.apexName === apex);
    const { page, pagination } = timePage(call, wanted, (one) => one.createdAt);
    return { projectDomains: page, pagination };
  },
};

/** The schemas of their request bodies. */
export const projectDomainBodies: Bodies = {
  addProjectDomain: addProjectDomainBody,
  updateProjectDomain: updateProjectDomainBody,
  removeProjectDomain: removeProjectDomainBody.optional(),
  moveProjectDomain: moveProjectDomainBody,
};

/** The query parameters that they read. */
export const projectDomainQueries: Queries = {
  getProjectDomains: {
    verified: boolean,
    redirects: boolean,
    redirect: text,
    gitBranch: text,
    customEnvironmentId: text,
    order: choice(['ASC', 'DESC']),
    ...timePageQuery,
  },
  getDomainProjectDomains: timePageQuery,
};
