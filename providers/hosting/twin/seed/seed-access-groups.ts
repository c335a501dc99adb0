import * as z from 'zod';
import type { Owner } from '../account.ts';
import { checkGroupName, projectRoles } from '../team/access-group-state.ts';
import { membersOf, teamRoles } from '../team/team-member.ts';
import { strings } from '../validate.ts';
import { type Loading, making, ownerOf } from './seed-loading.ts';

/** A member of a team, as a seed writes it. */
export const seedTeamMember = z.strictObject({
  email: z.string(),
  uid: z.string().optional(),
  /** The part of the address before the @ when left out. */
  username: z.string().optional(),
  name: z.string().optional(),
  role: z.enum(teamRoles).optional(),
  confirmed: z.boolean().optional(),
  /** Joined a moment ago: the first requests that name it are refused, see `memberPropagationTries`. */
  justJoined: z.boolean().optional(),
});

/** An access group, as a seed writes it. */
export const seedAccessGroup = z.strictObject({
  name: z.string(),
  id: z.string().optional(),
  /** Slug or id of the owning team; the first team when left out. */
  owner: z.string().optional(),
  /** Each by uid, username or email. */
  members: strings.optional(),
  /** Each by the project's name or id. */
  projects: z.array(z.strictObject({ project: z.string(), role: z.enum(projectRoles) })).optional(),
  isDsyncManaged: z.boolean().optional(),
  teamRoles: strings.optional(),
  teamPermissions: strings.optional(),
  entitlements: strings.optional(),
});

/** Adds a seed's member to a team. */
export function loadTeamMember(loading: Loading, owner: Owner, seed: z.infer<typeof seedTeamMember>): void {
  const { account, switches } = loading;
  const team = owner.team!;
  const make = making(loading, owner);
  const { email, uid, username = email.split('@')[0]!, name = null, justJoined = false } = seed;
  if (membersOf(account, team).some((one) => one.email === email || one.uid === uid)) {
    throw new Error(`${email} is in the team ${team.slug} twice.`);
  }
  account.teamMembers.push({
    teamId: team.id,
    uid: uid ?? make.id('', 24),
    email,
    username,
    name,
    role: seed.role ?? 'MEMBER',
    confirmed: seed.confirmed ?? true,
    createdAt: make.time(),
    ...(justJoined ? { refusals: switches.memberPropagationTries } : {}),
  });
}

/** Adds a seed's access group with its members and projects. */
export function loadAccessGroup(loading: Loading, seed: z.infer<typeof seedAccessGroup>): void {
  const { account } = loading;
  const owner = ownerOf(loading, seed.owner);
  const { team } = owner;
  if (team === undefined) throw new Error('An access group belongs to a team.');
  checkGroupName(account, team.id, seed.name);
  const make = making(loading, owner);
  const at = make.time();
  const inTeam = membersOf(account, team);
  const members = (seed.members ?? []).map((wanted) => {
    const found = inTeam.find((one) => [one.uid, one.username, one.email].includes(wanted));
    if (found === undefined) throw new Error(`There is no member "${wanted}" in the team ${team.slug}.`);
    return { uid: found.uid, createdAt: make.time() };
  });
  const projects = (seed.projects ?? []).map(({ project, role }) => {
    const own = account.projects.filter((one) => one.accountId === team.id);
    const found = own.find((one) => one.id === project || one.name === project);
    if (found === undefined) throw new Error(`There is no project "${project}" in the team ${team.slug}.`);
    const since = make.time();
    return { projectId: found.id, role, createdAt: since, updatedAt: since };
  });
  account.accessGroups.push({
    id: seed.id ?? make.id('ag_', 24),
    ownerId: team.id,
    name: seed.name,
    isDsyncManaged: seed.isDsyncManaged ?? false,
    teamRoles: seed.teamRoles ?? [],
    teamPermissions: seed.teamPermissions ?? [],
    entitlements: seed.entitlements ?? [],
    members,
    projects,
    createdAt: at,
    updatedAt: at,
  });
}
