import { inProject, type Sample } from '../support/sample.ts';

export const registryPermission: Sample = {
  place: (block) => inProject({ registryRepositories: { api: { permissions: { team_LABEL: block } } } }),
  leaves: {},
};
