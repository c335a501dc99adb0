import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/** The settings of the team itself. */
export function team(of: Attributes): StateReading {
  of.secret('invite_code');
  const { enabled, ...strict } = of.inner('remote_caching')?.renamed({ enabled: 'enabled' }) ?? {};
  const saml = of.inner('saml')?.renamed({ enforced: 'enforced' });
  const object = present({
    ...of.renamed({
      description: 'description',
      email_domain: 'emailDomain',
      enable_preview_feedback: 'enablePreviewFeedback',
      enable_production_feedback: 'enableProductionFeedback',
      hide_ip_addresses: 'hideIpAddresses',
      hide_ip_addresses_in_log_drains: 'hideIpAddressesInLogDrains',
      id: 'id',
      name: 'name',
      preview_deployment_suffix: 'previewDeploymentSuffix',
      sensitive_environment_variable_policy: 'sensitiveEnvironmentVariablePolicy',
      slug: 'slug',
    }),
    ...strict,
    remoteCaching: enabled === undefined ? undefined : { enabled },
    saml: saml && Object.keys(saml).length > 0 ? saml : undefined,
  });
  return of.reading([{ kind: 'team', object }]);
}

/** Somebody in the team. Their groups and projects name them by their id, and have kinds of their own here. */
export function teamMember(of: Attributes): StateReading {
  of.skip('id', 'team_id', 'confirmed');
  const uid = of.text('user_id');
  const groups = of.texts('access_groups') ?? [];
  const projects = of.items('projects').map((one) => one.renamed({ project_id: 'id', role: 'role' }));
  const member = of.renamed({ email: 'email', role: 'role' });
  if (uid === undefined && groups.length + projects.length > 0)
    of.leave("its groups and projects: the state does not contain the user's id");
  if (uid === undefined) return of.reading([{ kind: 'teamMember', object: member }]);
  return of.reading([
    { kind: 'teamMember', object: member },
    ...groups.map((id) => ({ kind: 'accessGroupMember', in: { kind: 'accessGroup', id }, object: { uid } })),
    ...projects.map(({ id, role }) => ({
      kind: 'projectMember',
      in: { kind: 'project', id: String(id) },
      object: { uid, role },
    })),
  ]);
}

export function accessGroup(of: Attributes): StateReading {
  of.skip('team_id');
  const object = of.renamed({ id: 'accessGroupId', name: 'name' });
  return of.reading([{ kind: 'accessGroup', object }]);
}

const inGroup = (of: Attributes) => ({ kind: 'accessGroup', id: of.text('access_group_id')! });

export function accessGroupProject(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const object = of.renamed({ project_id: 'projectId', role: 'role' });
  return of.reading([{ kind: 'accessGroupProject', in: inGroup(of), object }]);
}

export function accessGroupMember(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const object = { uid: of.text('user_id') };
  return of.reading([{ kind: 'accessGroupMember', in: inGroup(of), object }]);
}

/** The members that say who they are by their id, which is how they are declared here. */
export function projectMembers(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const project = inProject(of);
  const members = of.items('members').flatMap((member) => {
    const { uid, email, username, role } = member.renamed({
      email: 'email',
      role: 'role',
      user_id: 'uid',
      username: 'username',
    });
    if (uid === undefined)
      of.leave(`the member ${email ?? username}: the state does not contain the user's id`);
    return uid === undefined ? [] : [{ kind: 'projectMember', in: project, object: { uid, role } }];
  });
  return of.reading(members);
}

/** A token of the user: what it is for stands in the state, and its value in no file. */
export function userToken(of: Attributes): StateReading {
  of.skip(
    'team_id',
    'active_at',
    'created_at',
    'leaked_at',
    'leaked_url',
    'origin',
    'prefix',
    'suffix',
    'type',
  );
  const shown = of.shown({ bearer_token: '${secret}' });
  const object = of.renamed({ expires_at: 'expiresAt', id: 'id', name: 'name', project_id: 'projectId' });
  return of.reading([{ kind: 'authToken', object, shown }]);
}
