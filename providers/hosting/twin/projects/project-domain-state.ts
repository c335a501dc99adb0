import type { Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import type { Domain } from '../domains/domain-state.ts';
import { ApiError, badRequest } from '../errors.ts';
import type { Moving } from '../motion.ts';
import { apexOf, isDomainName, lower } from '../validate.ts';

/** A domain name that a project serves. */
export interface ProjectDomain {
  name: string;
  apexName: string;
  projectId: string;
  redirect: string | null;
  redirectStatusCode: number | null;
  gitBranch: string | null;
  customEnvironmentId: string | null;
  verified: boolean;
  verification?: { type: string; domain: string; value: string; reason: string }[];
  /** Its verification, if that was started and has not been finished by a request. */
  verifying?: Moving;
  createdAt: number;
  updatedAt: number;
}

/** The suffix of the platform's own domain of each project. */
const platformSuffix = '.vercel.app';

/**
 * Returns a domain as answers show it: verified once its verification is over, unless that fails. The platform's own domain of a project
 * comes without the settings that it does not have.
 */
export function shownDomain(making: Pick<Making, 'now'>, domain: ProjectDomain): Record<string, unknown> {
  const { verifying, ...stored } = domain;
  const isBare =
    stored.name.endsWith(platformSuffix) && stored.redirect === null && stored.gitBranch === null;
  const { redirect: _redirect, redirectStatusCode: _status, gitBranch: _branch, ...bare } = stored;
  const shown = isBare ? bare : stored;
  const isDone = verifying && !verifying.fails && verifying.endsAt <= making.now();
  if (!isDone) return shown;
  const { verification: _, ...rest } = shown;
  return { ...rest, verified: true };
}

/** Adds the domain under vercel.app that each new project gets: with its name, or also with the owner's if the name is taken. */
export function addPlatformDomain({ account, owner, taken }: Making, project: Project): void {
  const label = project.name.replaceAll(/[^a-z0-9-]/g, '-');
  const usualName = `${label}${platformSuffix}`;
  const isTaken = taken
    ? taken.hasHost(usualName)
    : account.projects.some(({ domains }) => domains.some(({ name }) => name === usualName));
  const suffix = isTaken ? `-${owner.team?.slug ?? account.user.username}` : '';
  const name = `${label}${suffix}${platformSuffix}`;
  taken?.addHost(name);
  project.domains.push({
    name,
    apexName: 'vercel.app',
    projectId: project.id,
    redirect: null,
    redirectStatusCode: null,
    gitBranch: null,
    customEnvironmentId: null,
    verified: true,
    createdAt: project.createdAt,
    updatedAt: project.createdAt,
  });
}

/** The fields of a project domain that its writer decides, apart from the name. */
export type ProjectDomainSettings = Pick<
  ProjectDomain,
  'redirect' | 'redirectStatusCode' | 'gitBranch' | 'customEnvironmentId'
>;

/** Throws 400 for settings that the domain of this name cannot have in the project. */
export function checkProjectDomain(project: Project, name: string, settings: ProjectDomainSettings): void {
  const { redirect, gitBranch, customEnvironmentId } = settings;
  if (
    redirect !== null &&
    !project.domains.some((domain) => domain.name === redirect && domain.name !== name)
  ) {
    throw badRequest(`The redirect target \`${redirect}\` is not another domain of this project.`);
  }
  if (settings.redirectStatusCode !== null && redirect === null) {
    throw badRequest('Invalid request: `redirectStatusCode` needs `redirect`.');
  }
  const productionBranch = (project.link as { productionBranch?: string } | undefined)?.productionBranch;
  if (gitBranch !== null && gitBranch === productionBranch) {
    throw badRequest(
      `The Git branch \`${gitBranch}\` is the production branch and cannot be set for a domain.`,
    );
  }
  if (customEnvironmentId !== null) {
    if (project.customEnvironments.some((customEnvironment) => customEnvironment.id === customEnvironmentId))
      return;
    throw badRequest(`The custom environment ${customEnvironmentId} does not exist in this project.`);
  }
}

/** Returns the apex of a host: the domain of the account that it is under, or else its registrable part. */
const apexIn = (making: Making, name: string): string => domainAbove(making, name)?.name ?? apexOf(name);

/** Returns the domain of the account that a host is or lies in. */
const domainAbove = ({ account, taken }: Making, host: string): Domain | undefined =>
  taken
    ? taken.domainAbove(host)
    : account.domains.find(({ name }) => host === name || host.endsWith(`.${name}`));

/** Returns the TXT record that proves the right to a name under a domain of another owner; undefined if no proof is needed. */
function challenge(making: Making, name: string): ProjectDomain['verification'] {
  const apex = apexIn(making, name);
  const domain = domainAbove(making, name);
  if (domain === undefined || domain.ownerId === making.owner.id) return undefined;
  return [
    {
      type: 'TXT',
      domain: `_vercel.${apex}`,
      value: `vc-domain-verify=${name},twin`,
      reason: 'pending_domain_verification',
    },
  ];
}

/** Returns a project domain, not yet added to its project. */
export function newProjectDomain(
  making: Making,
  project: Project,
  name: string,
  settings: ProjectDomainSettings,
): ProjectDomain {
  const verification = challenge(making, name);
  const timestamp = making.time();
  const status = settings.redirect === null ? null : making.switches.redirectDefaultStatus;
  return {
    name,
    apexName: apexIn(making, name),
    projectId: project.id,
    ...settings,
    redirectStatusCode: settings.redirectStatusCode ?? status,
    verified: making.switches.projectDomainVerified && verification === undefined,
    ...(verification === undefined ? {} : { verification }),
    createdAt: timestamp,
    updatedAt: timestamp,
  };
}

/**
 * Returns the refusal of a domain that a project (`holder`) has. `isHere`: true if the request adds it to that project. The name of another
 * project under vercel.app is always 400 (vercel/vercel#15678); for other names the status is a switch.
 */
function inUse(
  { owner, switches }: Call,
  name: string,
  { holder, isHere }: { holder: Project; isHere: boolean },
): ApiError {
  const isPlatformName = name.endsWith(platformSuffix) && !isHere;
  return new ApiError(
    isPlatformName ? 400 : switches.domainInUseStatus,
    isHere ? 'domain_already_in_use_by_project' : 'domain_already_in_use',
    `Cannot add ${name} since it's already ${isHere ? 'in use by this' : `${isPlatformName ? 'assigned to' : 'in use by'} another`} project.`,
    holder.accountId === owner.id ? { projectId: holder.id } : {},
  ).by(isPlatformName ? 'PF39' : 'PF38');
}

/** Adds a new domain to a project, or throws 400 or 409. */
export function addProjectDomain(
  call: Call,
  project: Project,
  body: Partial<ProjectDomainSettings> & { name: string },
): ProjectDomain {
  const name = lower(body.name);
  if (!isDomainName(name.replace(/^\*\./, '')) || name.endsWith('.')) {
    throw new ApiError(
      400,
      'invalid_domain',
      `The specified value \`${body.name}\` is not a fully qualified domain name.`,
    );
  }
  const holder = call.account.projects.find((project) =>
    project.domains.some((domain) => domain.name === name),
  );
  if (holder !== undefined) throw inUse(call, name, { holder, isHere: holder === project });
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

/**
 * Removes a domain from its project, with the domains that redirect to it. Throws 409 if there are some and `removesRedirects` is false.
 */
export function removeProjectDomain(project: Project, domain: ProjectDomain, removesRedirects = false): void {
  const redirecting = project.domains.filter((projectDomain) => projectDomain.redirect === domain.name);
  if (redirecting.length > 0 && !removesRedirects) {
    throw new ApiError(
      409,
      'domain_is_redirect_target',
      `The domain ${domain.name} is the redirect target of ${redirecting.map((projectDomain) => projectDomain.name).join(', ')}.`,
    );
  }
  project.domains = project.domains.filter(
    (projectDomain) => projectDomain !== domain && !redirecting.includes(projectDomain),
  );
}

/**
 * Moves a domain to another project, with the domains that redirect to it, because a domain can redirect only inside its project. Returns
 * the domain.
 */
export function moveProjectDomain(
  call: Call,
  domain: ProjectDomain,
  [project, to]: [from: Project, to: Project],
  settings: Partial<ProjectDomainSettings>,
): ProjectDomain {
  const redirecting = project.domains.filter((projectDomain) => projectDomain.redirect === domain.name);
  const moved = { ...domain, redirect: null, redirectStatusCode: null, gitBranch: null, ...settings };
  checkProjectDomain(to, domain.name, { ...moved, customEnvironmentId: null });
  project.domains = project.domains.filter(
    (projectDomain) => projectDomain !== domain && !redirecting.includes(projectDomain),
  );
  Object.assign(domain, moved, { customEnvironmentId: null });
  for (const movedDomain of [domain, ...redirecting]) {
    Object.assign(movedDomain, { projectId: to.id, updatedAt: call.time() });
    to.domains.push(movedDomain);
  }
  return domain;
}
