import type { Sample } from '../support/sample.ts';

export const accessGroupProject: Sample = {
  place: (block) => ({ projects: { LABEL: {} }, accessGroups: { LABEL: { projects: { LABEL: block } } } }),
  base: { role: 'ADMIN' },
  leaves: { role: ['PROJECT_VIEWER', 'PROJECT_DEVELOPER'] },
};
