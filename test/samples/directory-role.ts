import type { Sample } from '../support/sample.ts';

export const directoryRole: Sample = {
  place: (block) => ({ directoryRoles: { LABEL: block } }),
  base: { role: 'MEMBER' },
  leaves: { role: ['VIEWER', { accessGroupId: 'ag_1' }] },
};
