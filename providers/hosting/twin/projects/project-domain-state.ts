import type { Account, Owner, Project } from '../account.ts';
import type { Making } from '../call.ts';
import { badRequest } from '../errors.ts';
import { apexOf } from '../validate.ts';

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
  createdAt: number;
  updatedAt: number;
}

/** What a project domain's writer decides, beside its name. */
export type ProjectDomainSettings = Pick<
  ProjectDomain,
  'redirect' | 'redirectStatusCode' | 'gitBranch' | 'customEnvironmentId'
>;

/** The rules for a project domain's settings, or 400. */
export function checkProjectDomain(project: Project, name: string, settings: ProjectDomainSettings): void {
  const { redirect, gitBranch, customEnvironmentId } = settings;
  if (redirect !== null && !project.domains.some((one) => one.name === redirect && one.name !== name)) {
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
    if (project.customEnvironments.some((one) => one.id === customEnvironmentId)) return;
    throw badRequest(`The custom environment ${customEnvironmentId} does not exist in this project.`);
  }
}

/** The apex of a host: the domain of the account that it is under, or else its registrable part. */
function apexIn(account: Account, name: string): string {
  const known = account.domains.find((domain) => name === domain.name || name.endsWith(`.${domain.name}`));
  return known?.name ?? apexOf(name);
}

// A name under somebody else's domain must be proven by a TXT record at the apex.
function challenge(account: Account, owner: Owner, name: string): ProjectDomain['verification'] {
  const apex = apexIn(account, name);
  const foreign = account.domains.some((domain) => domain.name === apex && domain.ownerId !== owner.id);
  if (!foreign) return undefined;
  return [
    {
      type: 'TXT',
      domain: `_vercel.${apex}`,
      value: `vc-domain-verify=${name},twin`,
      reason: 'pending_domain_verification',
    },
  ];
}

/** A project domain, not yet added to its project. */
export function newProjectDomain(
  making: Making,
  project: Project,
  name: string,
  settings: ProjectDomainSettings,
): ProjectDomain {
  const verification = challenge(making.account, making.owner, name);
  const at = making.time();
  const status = settings.redirect === null ? null : making.switches.redirectDefaultStatus;
  return {
    name,
    apexName: apexIn(making.account, name),
    projectId: project.id,
    ...settings,
    redirectStatusCode: settings.redirectStatusCode ?? status,
    verified: making.switches.projectDomainVerified && verification === undefined,
    ...(verification === undefined ? {} : { verification }),
    createdAt: at,
    updatedAt: at,
  };
}
