import * as z from 'zod';
import type { Account, Project } from '../account.ts';
import type { Call, Making, Stamped } from '../call.ts';
import { Collection } from '../collection.ts';
import { conflict } from '../errors.ts';
import { findTeam } from '../team/team.ts';

/** The settings of a project in a group that can be written. */
export const settings = {
  isDefaultApp: z.boolean().optional(),
  defaultRoute: z.string().optional(),
  routeObservabilityToThisProject: z.boolean().optional(),
  doNotRouteWithMicrofrontendsRouting: z.boolean().optional(),
};

/** How a project takes part in a group. With `enabled: false` it has left the group. */
export interface Microfrontends extends z.infer<z.ZodObject<typeof settings>> {
  groupIds: string[];
  enabled: boolean;
  updatedAt: number;
}

/** A group of projects that together serve one site. */
export interface MicrofrontendsGroup extends Stamped {
  ownerId: string;
  name: string;
  slug: string;
  fallbackEnvironment: string;
  enablePolyrepoBranchRouting: boolean;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'microfrontendsGroups', MicrofrontendsGroup> {}
  interface ProjectParts {
    microfrontends: Microfrontends | null;
  }
}

/** The groups of a team, by the id of the team: the one that the path names, else that of the request. */
export const groups = new Collection<MicrofrontendsGroup, string>(
  {
    ...{ what: 'Microfrontends group', param: 'groupId' },
    shows: (_, { ownerId, ...group }) => ({ ...group, team_id: ownerId }),
  },
  (call: Call) => (call.params.teamId === undefined ? call.owner : findTeam(call)).id,
  ({ account }) => account.microfrontendsGroups,
  ({ ownerId }, id) => ownerId === id,
);

/** Returns the projects in a group. */
export const projectsIn = ({ projects }: Account, { id }: MicrofrontendsGroup): Project[] =>
  projects.filter(({ microfrontends: its }) => its?.enabled && its.groupIds.includes(id));

/** Adds a project to a group, or changes its settings there. Throws 409 if it is in another group. */
export function join(
  making: Making,
  group: MicrofrontendsGroup,
  project: Project,
  its: Partial<Microfrontends>,
): void {
  const microfrontends = project.microfrontends;
  if (microfrontends?.enabled && !microfrontends.groupIds.includes(group.id))
    throw conflict(`The project ${project.name} is in another microfrontends group.`);
  // There is one default application: a new one takes the place of the old one.
  if (its.isDefaultApp)
    for (const sibling of projectsIn(making.account, group))
      if (sibling !== project) sibling.microfrontends!.isDefaultApp = false;
  project.microfrontends = {
    ...(microfrontends?.enabled ? microfrontends : {}),
    ...its,
    groupIds: [group.id],
    enabled: true,
    updatedAt: making.time(),
  };
}

/** Removes a project from its group, with its settings there. */
export function leave(making: Making, project: Project): void {
  project.microfrontends = { groupIds: [], enabled: false, updatedAt: making.time() };
}
