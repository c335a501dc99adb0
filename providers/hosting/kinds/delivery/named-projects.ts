import type { Value } from '#kind';

/** Returns the named projects as the API takes them. An empty list stands for all projects, so it is left out. */
export const namedProjects = (projectIds: Value | undefined): { projectIds?: Value[] } =>
  Array.isArray(projectIds) && projectIds.length > 0 ? { projectIds } : {};
