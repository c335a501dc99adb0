import type { Value } from '#kind';

/** The projects that something is for, as they are written: an empty list, which stands for all, is left out. */
export const namedProjects = (projectIds: Value | undefined): { projectIds?: Value[] } =>
  Array.isArray(projectIds) && projectIds.length > 0 ? { projectIds } : {};
