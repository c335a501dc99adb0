import type { Call, Making } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';

/** One version of a project's redirects or routes; lastModified is in epoch milliseconds. */
export interface Version<T> {
  id: string;
  name: string;
  items: T[];
  createdBy: string;
  lastModified: number;
  isStaging: boolean;
  isLive: boolean;
}

/** Returns the version that waits for its promotion; undefined if there is none. There is at most one. */
export const stagedVersion = <T>(versions: readonly Version<T>[]) =>
  versions.find((version) => version.isStaging);

/** Returns the version that is served; undefined if none was ever promoted. */
export const liveVersion = <T>(versions: readonly Version<T>[]) => versions.find((version) => version.isLive);

/** Returns a copy of the content that the next write changes: that of the staged version, or else of the live one. */
export function latestItems<T>(versions: readonly Version<T>[]): T[] {
  return structuredClone((stagedVersion(versions) ?? liveVersion(versions))?.items ?? []);
}

/** Returns the version with this id, or throws 404. */
export function findVersion<T>(versions: readonly Version<T>[], id: string): Version<T> {
  const version = versions.find((version) => version.id === id);
  if (version === undefined) throw notFound(`The version ${id}`);
  return version;
}

/**
 * Returns the version that a GET asks for; by default the live one, or with `showsStaged` the staged one if there is one. Throws 404 for an
 * unknown id.
 */
export function askedVersion<T>(
  call: Call,
  versions: readonly Version<T>[],
  { showsStaged }: { showsStaged: boolean },
): Version<T> | undefined {
  const id = call.query.get('versionId');
  if (id !== null && id !== '') return findVersion(versions, id);
  return (showsStaged ? stagedVersion(versions) : undefined) ?? liveVersion(versions);
}

/** Stages a content and returns the version. It replaces the staged version, if there is one, under the same id or a new one (a switch). */
export function stage<T>(making: Making, versions: Version<T>[], items: T[], name?: string): Version<T> {
  const pending = stagedVersion(versions);
  const lastModified = making.time();
  const keptId = making.switches.stagedVersionRenewed ? undefined : pending?.id;
  const staged: Version<T> = {
    id: keptId ?? making.id('', 24),
    name: name ?? pending?.name ?? new Date(lastModified).toISOString(),
    items,
    createdBy: making.account.user.id,
    lastModified,
    isStaging: true,
    isLive: false,
  };
  // The staged version comes first, then those that were ever live, the latest first.
  versions.splice(0, pending === undefined ? 0 : 1, staged);
  return staged;
}

/** Makes a version the live one; the previous live version stays in the list. */
export function makeLive<T>(making: Making, versions: Version<T>[], version: Version<T>): void {
  for (const listed of versions) listed.isLive = false;
  versions.splice(versions.indexOf(version), 1);
  Object.assign(version, { isStaging: false, isLive: true, lastModified: making.time() });
  versions.splice(stagedVersion(versions) === undefined ? 0 : 1, 0, version);
}

/**
 * Promotes the staged version, makes an earlier version live again (`restore`), or removes the staged version (`discard`). Returns the
 * version. Throws 404 for an unknown id, and 400 if the version is not in the state that the action needs.
 */
export function changeVersion<T>(
  making: Making,
  versions: Version<T>[],
  { id, action }: { id: string; action: 'promote' | 'restore' | 'discard' },
): Version<T> {
  const version = findVersion(versions, id);
  if (action === 'restore') {
    if (version.isLive) throw badRequest(`The version ${id} is live already.`);
    if (version.isStaging) throw badRequest(`The version ${id} is staged: it can be promoted, not restored.`);
    makeLive(making, versions, version);
    return version;
  }
  if (!version.isStaging) throw badRequest(`The version ${id} is not staged.`);
  if (action === 'promote') makeLive(making, versions, version);
  else versions.splice(versions.indexOf(version), 1);
  return version;
}
