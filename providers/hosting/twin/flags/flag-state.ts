import type * as z from 'zod';
import type { Account } from '../account.ts';
import type { Stamped } from '../call.ts';
import { badRequest, conflict } from '../errors.ts';
import type { createFlagBody, FlagEnvironment, FlagVariant } from './flag-body.ts';
import type { SegmentData } from './segment-body.ts';
import type { FlagSettings } from './settings-state.ts';

declare module '../account.ts' {
  interface ProjectParts {
    featureFlags: FeatureFlags;
  }
  interface ProjectSeed {
    featureFlags?: FeatureFlagsSeed;
  }
}

/** A flag with its state in each environment. */
export interface FeatureFlag extends Stamped {
  slug: string;
  kind: z.infer<typeof createFlagBody>['kind'];
  variants: FlagVariant[];
  environments: Record<string, FlagEnvironment>;
  seed: number;
  description?: string;
  state: 'active' | 'archived';
  maintainerIds?: string[];
  permanent?: boolean;
  tags?: string[];
  projectId: string;
  ownerId: string;
  /** Raised by every change. */
  revision: number;
  createdBy: string;
  updatedBy?: string;
}

/** A set of users that conditions of flags and of other segments name by its id. */
export interface FlagSegment extends Stamped {
  slug: string;
  label: string;
  hint: string;
  description?: string;
  data: SegmentData;
  projectId: string;
  createdBy: string;
}

/** A key with which an application reads flags. Its value is not stored: only the answer to the creation has it. */
export interface FlagSdkKey {
  hashKey: string;
  projectId: string;
  type: 'server' | 'mobile' | 'client';
  environment: string;
  label?: string;
  partialKeyValue: string;
  createdBy: string;
  createdAt: number;
  updatedAt: number;
  deletedAt?: number;
}

/** The feature flags of a project, with its segments, keys and settings. */
export interface FeatureFlags {
  /** Null until they are written for the first time. */
  settings: FlagSettings | null;
  flags: FeatureFlag[];
  segments: FlagSegment[];
  sdkKeys: FlagSdkKey[];
}

/**
 * Throws 400 if the slug of a flag or segment has other characters than letters, digits, - and _ (SDK), and 409 if one of `siblings` has
 * it.
 */
export function checkFlagSlug(slug: string, siblings: readonly { slug: string }[]): void {
  if (!/^[A-Za-z0-9_-]+$/.test(slug)) {
    throw badRequest('Invalid request: `slug` should have only letters, digits, dashes and underscores.');
  }
  if (siblings.some((sibling) => sibling.slug === slug)) {
    throw conflict(`The slug "${slug}" is already in use in this project.`);
  }
}

/** Returns the creator of an object, as `withMetadata` adds it. */
export function creatorMetadata(account: Account, id: string): { metadata: { creator: object } } {
  const { user, teamMembers } = account;
  const member = teamMembers.find((teamMember) => teamMember.uid === id);
  const name = id === user.id ? (user.name ?? user.username) : (member?.name ?? member?.username ?? id);
  return { metadata: { creator: { id, name } } };
}
