import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { badRequest, conflict } from '../errors.ts';
import { projectById } from '../find-project.ts';
import { readProject } from '../projects/project-state.ts';
import { operation, type Resource } from '../resource.ts';
import { groups, join, leave, projectsIn, settings } from './group-state.ts';

const membershipBody = z.strictObject({
  microfrontendsGroupId: z.string().optional(),
  enabled: z.boolean().optional(),
  ...settings,
  // The Terraform provider sends both (client/microfrontend_group_membership.go); the path and the query name the same.
  projectId: z.string().optional(),
  team_id: z.string().optional(),
});
/**
 * Adds a project to a group, changes its settings there, or removes it from the group. Throws 409 if the default application would leave
 * before the others, or would no longer be the default.
 */
function update(call: Call, project: Project, body: z.infer<typeof membershipBody>): unknown {
  const { microfrontendsGroupId, enabled, projectId: _project, team_id: _team, ...its } = body;
  const microfrontends = project.microfrontends;
  if (enabled === false) {
    const group = microfrontends?.enabled && groups.find(call, call.owner.id, microfrontends.groupIds[0]);
    if (group && microfrontends.isDefaultApp && projectsIn(call.account, group).length > 1)
      throw conflict('The default application leaves a microfrontends group last.');
    if (group) leave(call, project);
    return readProject(call, project);
  }
  const id = microfrontendsGroupId ?? (microfrontends?.enabled ? microfrontends.groupIds[0] : undefined);
  if (id === undefined)
    throw badRequest('Invalid request: missing required property `microfrontendsGroupId`.');
  if (its.isDefaultApp === false && microfrontends?.isDefaultApp)
    throw conflict('A microfrontends group needs a default application: make another one that.');
  join(call, groups.find(call, call.owner.id, id), project, its);
  return readProject(call, project);
}

/** The membership of a project in a group. Reads of the project show it. */
export const microfrontendsMembership: Resource = {
  keeps: { project: { microfrontends: null } },
  operations: {
    updateMicrofrontends: operation(
      { on: (call) => projectById(call, call.params.projectId), body: membershipBody, statuses: [409] },
      update,
    ),
  },
};
