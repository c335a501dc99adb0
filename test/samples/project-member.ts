import { inProject, members, type Sample } from '../support/sample.ts';

const { uid } = members[0]!;

export const projectMember: Sample = {
  place: (block) => inProject({ members: { [uid]: block } }),
  base: { role: 'PROJECT_VIEWER' },
  leaves: { role: ['ADMIN', 'PROJECT_DEVELOPER'], uid: [uid, uid] },
  single: ['uid'],
  sdk: { hints: { uid: [uid] } },
  seed: { project: { members: [{ uid, role: 'ADMIN' }] } },
};
