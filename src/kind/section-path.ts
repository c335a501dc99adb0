import { isSingleton } from './define-kind.ts';
import type { Kind, Kinds } from './kind.ts';

/** Returns the placeholder for the value of a field in paths and addresses: `GIT_BRANCH` for `gitBranch`. */
export const namePlaceholder = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Returns the path of a kind's section in the YAML, with a placeholder for each block above: `projects.NAME.env`. */
export function sectionPath(kinds: Kinds, kind: Kind): string {
  const above = kind.parent === undefined ? undefined : kinds.get(kind.parent);
  return above ? `${blockPath(kinds, above)}.${kind.section}` : kind.section;
}

/**
 * Returns where one block of a kind stands in the YAML, for its manual page: `projects.NAME.env.KEY`,
 * `domains.NAME.records[]`, `projects.NAME.firewall`.
 */
export function blockPath(kinds: Kinds, kind: Kind): string {
  const path = sectionPath(kinds, kind);
  if (kind.yaml.mapBy !== undefined) return `${path}.${namePlaceholder(kind.yaml.mapBy)}`;
  return isSingleton(kind) ? path : `${path}[]`;
}
