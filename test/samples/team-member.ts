import type { Sample } from '../support/sample.ts';

const has = (project: string, role: string) => ({ projectId: `\${projects.${project}.id}`, role });

export const teamMember: Sample = {
  place: (block) => ({
    projects: { LABEL: {}, 'LABEL-2': {} },
    members: { 'ada@mail.LABEL.example': block },
  }),
  base: { role: 'VIEWER' },
  leaves: {
    role: ['MEMBER', 'DEVELOPER'],
    projects: [
      [has('LABEL', 'ADMIN')],
      [has('LABEL', 'PROJECT_VIEWER'), has('LABEL-2', 'PROJECT_DEVELOPER')],
    ],
  },
  seed: { team: { invites: [{ email: 'mary@example.com', role: 'MEMBER' }] } },
  requests: async ({ go, all, twin }) => {
    const team = twin.account.teams[0]!.id;
    const at = `/v1/teams/${team}`;
    const email = 'new@example.com';
    await go('POST', `/v2/teams/${team}/members`, [{ email, role: 'MEMBER' }]);
    const { emailInviteCodes } = await go('GET', `/v3/teams/${team}/members`);
    const invite = emailInviteCodes.find((one: { email: string }) => one.email === email);
    const [member] = twin.account.teamMembers;
    twin.account.teamMembers.push({ ...member!, uid: 'user_2', email: 'two@example.com' });
    await all(
      ['DELETE', `${at}/invites/${invite.id}`],
      ['PATCH', `${at}/members/user_2`, { role: 'DEVELOPER' }],
      ['DELETE', `${at}/members/user_2`],
    );
  },
};
