import { createHash } from 'node:crypto';
import type * as z from 'zod';

/** The person whose token is used; owner of the personal account. */
export interface User {
  id: string;
  username: string;
  email: string;
  name: string | null;
  /** `northstar`: the user has no personal account that can be used. Clients then use the default team, the first one, instead. */
  version?: 'northstar';
  createdAt: number;
}

/** A team that the user belongs to. */
export interface Team {
  id: string;
  slug: string;
  name: string;
  sensitiveEnvironmentVariablePolicy: 'default' | 'on' | 'off' | null;
  /** All other settings that a PATCH or a seed wrote. */
  settings?: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
}

/** The owner of the objects that a request is about: a team, or the user's personal account. */
export interface Owner {
  id: string;
  team?: Team;
}

// The empty interfaces below are completed by the resources: each declares its members in its own file (`declare module`).

/**
 * A member `Name` with a list of objects. A resource extends `AccountParts` or `ProjectParts` with it to declare where it stores its
 * objects.
 */
export type Keeps<Name extends string, T> = Record<Name, T[]>;

/** An optional member `Name` with a list of objects as a seed writes them. `S`: the schema of one object. */
export type Seeds<Name extends string, S extends z.ZodType> = { [name in Name]?: z.input<S>[] };

/** The parts of an account that the resources keep. */
// biome-ignore lint/suspicious/noEmptyInterface: see above
export interface AccountParts {}

/** Everything that the twin knows: plain data, so that it can be saved and edited by tests. */
export interface Account extends AccountParts {
  user: User;
  teams: Team[];
  /** The number of ids made so far; ids are derived from it, so that equal requests give equal ids. */
  made: number;
  /** The latest server time that was handed out. */
  lastTime: number;
}

/** The parts of a project that the resources keep below it. */
// biome-ignore lint/suspicious/noEmptyInterface: see above
export interface ProjectParts {}

/** A project with everything below it. Fields beyond these are the API's own, as they are read. */
export interface Project extends ProjectParts {
  id: string;
  name: string;
  accountId: string;
  createdAt: number;
  updatedAt: number;
  /** Members that clients wrote and the public schema does not know, by name. */
  outside?: Record<string, unknown>;
  [field: string]: unknown;
}

/** The initial content of an account, as people write it. Only names, keys and values are required. */
export interface Seed extends AccountSeed {
  user?: Partial<Pick<User, 'id' | 'username' | 'email' | 'version'>> & { name?: string };
  team?: SeedTeam;
  teams?: SeedTeam[];
}

/** A team of a seed. */
export interface SeedTeam extends TeamSeed {
  id?: string;
  slug?: string;
  name?: string;
  sensitiveEnvironmentVariablePolicy?: Team['sensitiveEnvironmentVariablePolicy'];
}

/** The fields at the top of a seed that the resources load. */
// biome-ignore lint/suspicious/noEmptyInterface: see above
export interface AccountSeed {}
// biome-ignore lint/suspicious/noEmptyInterface: see above
export interface TeamSeed {}
// biome-ignore lint/suspicious/noEmptyInterface: see above
export interface DomainSeed {}
// biome-ignore lint/suspicious/noEmptyInterface: see above
export interface ProjectSeed {}
// biome-ignore lint/suspicious/noEmptyInterface: see above
export interface FeatureFlagsSeed {}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Returns a new id for an object of the twin: `prefix` and then `length` letters and digits. It depends only on the number of ids so far,
 * so that the same requests give the same ids in every run of a test.
 */
export function makeId(account: Account, prefix: string, length: number): string {
  account.made += 1;
  const digest = createHash('sha512').update(`${prefix}${account.made}`).digest();
  return prefix + [...digest.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** Returns the server's time in milliseconds, and moves it on: each call returns a later time, because lists are paged by it. */
export function tick(account: Account, clock: () => number): number {
  account.lastTime = Math.max(clock(), account.lastTime + 1);
  return account.lastTime;
}

/** The billing plan of every team. A personal account has no plan, and answers about it name none. */
export const teamPlan = 'pro';

/**
 * Returns the owner that a team's id or slug names, or the user (the personal account) if there is no name. Undefined if the account has no
 * such team.
 */
export function findOwner(account: Account, idOrSlug: string | null): Owner | undefined {
  if (idOrSlug === null || idOrSlug === '') return { id: account.user.id };
  const team = account.teams.find((team) => team.id === idOrSlug || team.slug === idOrSlug);
  return team && { id: team.id, team };
}
