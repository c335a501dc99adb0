import { type Account, makeId, tick } from './account.ts';
import { type Seed, SeedError, seedSchema } from './seed.ts';
import { loadDomain } from './seed-domain.ts';
import { attempt, type Loading } from './seed-loading.ts';
import { loadProject } from './seed-project.ts';
import type { Switches } from './switches.ts';
import { describeIssue } from './validate.ts';

/** Adds a seed's projects and domains to an account, or throws a SeedError with every problem. */
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
  if (loading.problems.length > 0) throw new SeedError(loading.problems);
}

/** A new account: the seed's user and teams (or one user and the team `acme`), projects and domains. */
export function newAccount(seed: Seed, switches: Switches, now: () => number): Account {
  const user = { id: '', username: 'ada', email: 'ada@example.com', name: null, createdAt: 0, ...seed.user };
  const account: Account = { user, teams: [], projects: [], domains: [], made: 0, lastTime: 0 };
  user.createdAt = tick(account, now);
  user.id ||= makeId(account, '', 24);
  for (const given of [...(seed.team || !seed.teams ? [seed.team ?? {}] : []), ...(seed.teams ?? [])]) {
    const at = tick(account, now);
    const { slug = 'acme' } = given;
    account.teams.push({
      id: makeId(account, 'team_', 24),
      slug,
      name: slug,
      sensitiveEnvironmentVariablePolicy: null,
      createdAt: at,
      updatedAt: at,
      ...given,
    });
  }
  addSeed(account, seed, switches, now);
  return account;
}
