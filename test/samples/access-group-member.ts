import { members, type Sample } from '../support/sample.ts';

export const accessGroupMember: Sample = {
  place: (block) => ({ accessGroups: { LABEL: { members: { [members[0]!.uid]: block } } } }),
  leaves: { uid: [members[0]!.uid, members[0]!.uid] },
  single: ['uid'],
};
