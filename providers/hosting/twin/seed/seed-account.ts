import { type Account, emptyLists, makeId, tick } from '../account.ts';
import type { Switches } from '../switches.ts';
import { describeIssue } from '../validate.ts';
import { type Seed, SeedError, seedSchema } from './seed.ts';
import { loadAccessGroup, loadTeamMember } from './seed-access-groups.ts';
import { loadDomain } from './seed-domain.ts';
import { attempt, type Loading, ownerOf } from './seed-loading.ts';
import { loadProject } from './seed-project.ts';
import { loadTeamWide } from './seed-team-wide.ts';

/** Adds a seed's objects to an account, or throws a SeedError with every problem. */
export function addSeed(account: Account, input: Seed, switches: Switches, now: () => number): void {
  const result = seedSchema.safeParse(input);
  if (!result.success) {
    throw new SeedError(
      result.error.issues.map((issue) => describeIssue(issue, input).replace(/^Invalid request: /, '')),
    );
  }
  const loading: Loading = { account, switches, now, problems: [] };
  // Domains first: whether a project's domain is somebody else's depends on them.
  for (const [i, domain] of (result.data.domains ?? []).entries()) {
    attempt(loading, `domains[${i}]`, () => loadDomain(loading, domain, `domains[${i}]`));
  }
  for (const [i, project] of (result.data.projects ?? []).entries()) {
    attempt(loading, `projects[${i}]`, () => loadProject(loading, project, `projects[${i}]`));
  }
  const { team, teams = [], accessGroups = [] } = result.data;
  const places = {
    ...(team && { team }),
    ...Object.fromEntries(teams.map((one, i) => [`teams[${i}]`, one])),
  };
  for (const [place, { id, slug, members = [] }] of Object.entries(places)) {
    for (const [i, member] of members.entries()) {
      const load = () => loadTeamMember(loading, ownerOf(loading, id ?? slug), member);
      attempt(loading, `${place}.members[${i}]`, load);
    }
  }
  for (const [i, group] of accessGroups.entries()) {
    attempt(loading, `accessGroups[${i}]`, () => loadAccessGroup(loading, group));
  }
  loadTeamWide(loading, result.data);
  if (loading.problems.length > 0) throw new SeedError(loading.problems);
}

/** A new account: the seed's user and teams (or one user and the team `acme`), projects and domains. */
export function newAccount(seed: Seed, switches: Switches, now: () => number): Account {
  const user = { id: '', username: 'ada', email: 'ada@example.com', name: null, createdAt: 0, ...seed.user };
  const account: Account = { ...emptyLists(), user, made: 0, lastTime: 0 };
  user.createdAt = tick(account, now);
  user.id ||= makeId(account, '', 24);
  for (const given of [...(seed.team || !seed.teams ? [seed.team ?? {}] : []), ...(seed.teams ?? [])]) {
    const at = tick(account, now);
    const { slug = 'acme', members: _members, ...fields } = given;
    account.teams.push({
      id: makeId(account, 'team_', 24),
      slug,
      name: slug,
      sensitiveEnvironmentVariablePolicy: null,
      createdAt: at,
      updatedAt: at,
      ...fields,
    });
  }
  addSeed(account, seed, switches, now);
  return account;
}
