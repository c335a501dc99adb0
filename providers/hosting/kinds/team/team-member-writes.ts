import {
  type ApiObject,
  type BatchContext,
  type Diagnostic,
  type Draft,
  type Fields,
  type LiveResource,
  problem,
  type Request,
  request,
  type Step,
  type Value,
  type WriteRequest,
} from '#kind';
import { isLowered } from './team-roles.ts';

const invite = 'POST /v2/teams/{teamId}/members';
const change = 'PATCH /v1/teams/{teamId}/members/{uid}';
const remove = 'DELETE /v1/teams/{teamId}/members/{uid}';
const revoke = 'DELETE /v1/teams/{teamId}/invites/{inviteId}';

/** Names a person by the id of their invitation until they accept it, then by their user id. */
const personOf = ({ before }: Pick<Step, 'before'>): { uid?: Value; inviteId?: Value } => {
  const { uid, id } = (before?.facts ?? {}) as { uid?: string; id?: string };
  return uid === undefined ? { inviteId: id ?? null } : { uid };
};

/** The requests of each verb. The member that was read decides which of them is sent. */
export const memberRequests: Record<'create' | 'update' | 'delete', WriteRequest[]> = {
  create: [{ endpoint: invite }],
  update: [
    { endpoint: change, params: personOf },
    { endpoint: revoke, params: personOf },
    { endpoint: invite },
  ],
  delete: [
    { endpoint: remove, params: personOf },
    { endpoint: revoke, params: personOf },
  ],
};

/**
 * Returns one draft for each changed member of a team, so that a refusal of the platform concerns one person.
 * Refuses to take access from the token's user or the last owner.
 */
export const memberWrites = (steps: Step[], context: BatchContext): Draft[] =>
  steps.map((step) => {
    const lockedOut = findLockOut(step, steps, context);
    return {
      changes: [step.address],
      requests: lockedOut ? [] : requestsOf(step),
      problem: lockedOut,
    };
  });

/** A role in one project. */
export interface ProjectRole {
  projectId: string;
  role: string;
}

/** The roles in projects of somebody, as far as they are declared or found. */
export const memberProjects = (member: { fields: Fields } | undefined): ProjectRole[] =>
  (member?.fields.projects ?? []) as unknown as ProjectRole[];

/** Returns the changed project roles of a member, because an update sends only changes. The role null takes access to a project away. */
function projectChanges({ before, after }: Step): ApiObject[] {
  const roles = new Map(memberProjects(after).map(({ projectId, role }) => [projectId, role]));
  const projectRoles = memberProjects(before);
  const removed = projectRoles.filter(({ projectId }) => !roles.has(projectId));
  const isNew = ({ projectId, role }: ProjectRole) =>
    !projectRoles.some((projectRole) => projectRole.projectId === projectId && projectRole.role === role);
  return [
    ...removed.map(({ projectId }) => ({ projectId, role: null })),
    ...memberProjects(after)
      .filter(isNew)
      .map((projectRole) => ({ ...projectRole })),
  ];
}

/**
 * Returns the requests for one change of a team member. A person who has not accepted yet has an invitation, and
 * invitations have other endpoints.
 */
function requestsOf(step: Step): Request[] {
  const { action, address, before, after, fullBody, body } = step;
  const person = personOf(step);
  const { email, role, projects } = fullBody;
  const invited = (): Request => ({
    ...request(invite, [
      { email, role, ...(Array.isArray(projects) && projects.length > 0 && { projects }) },
    ]),
    returns: [{ address, id: after!.fields.email! }],
  });
  const removal = (endpoint: typeof remove | typeof revoke): Request => ({
    ...request(endpoint, undefined, person),
    drops: before!.ids.map((id) => ({ address, id })),
  });
  if (action === 'create') return [invited()];
  if (action === 'delete') return [removal(person.uid === undefined ? revoke : remove)];
  // An invitation cannot be changed: another one takes its place.
  if (person.uid === undefined) return [removal(revoke), invited()];
  // The role is always sent, because the SDK fills in a default role otherwise.
  return [request(change, { role, ...('projects' in body && { projects: projectChanges(step) }) }, person)];
}

const isOwner = ({ fields, facts }: LiveResource) =>
  fields.role === 'OWNER' && facts?.uid !== undefined && facts.confirmed !== false;

/** True if the step takes something from somebody. */
const isLoss = ({ action, before, after }: Step) =>
  action === 'delete' || (action === 'update' && isLowered(before?.fields.role, after?.fields.role));

/**
 * Returns the problem that a change takes access away from the token's own user or from the last owner; undefined
 * otherwise. Such a change could not be undone with this token.
 */
function findLockOut(step: Step, steps: Step[], { live, facts }: BatchContext): Diagnostic | undefined {
  const { address, before, after } = step;
  if (!before || !isLoss(step)) return undefined;
  const location = { address, at: after?.at };
  const { uid } = (facts.membership ?? {}) as { uid?: string };
  if (uid !== undefined && before.facts?.uid === uid)
    return problem('member/yourself', `${address} is the user of the current token, who would lose access`, {
      ...location,
      hint: 'somebody else must do this with their own token; keep it here, or stop managing it with `delete: false` under `removed`',
    });
  const losing = new Set(steps.filter(isLoss).map((step) => step.address));
  if (isOwner(before) && !live.some((resource) => isOwner(resource) && !losing.has(resource.address)))
    return problem('member/last-owner', `${address} is the last owner`, {
      ...location,
      hint: 'make somebody else an `OWNER` first, in an earlier apply',
    });
  return undefined;
}
