import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/** Reads the settings of the team itself. */
export function team(attributes: Attributes): StateReading {
  attributes.secret('invite_code');
  const { enabled, ...strict } = attributes.inner('remote_caching')?.renamed({ enabled: 'enabled' }) ?? {};
  const saml = attributes.inner('saml')?.renamed({ enforced: 'enforced' });
  const object = present({
    ...attributes.renamed({
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
  return attributes.reading([{ kind: 'team', object }]);
}

/** Reads a member of the team. Terraform lists groups and projects of members by id; they have kinds of their own here. */
export function teamMember(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id', 'confirmed');
  const uid = attributes.text('user_id');
  const groups = attributes.texts('access_groups') ?? [];
  const projects = attributes
    .items('projects')
    .map((attributes) => attributes.renamed({ project_id: 'id', role: 'role' }));
  const member = attributes.renamed({ email: 'email', role: 'role' });
  if (uid === undefined && groups.length + projects.length > 0)
    attributes.leave("its groups and projects: the state does not contain the user's id");
  if (uid === undefined) return attributes.reading([{ kind: 'teamMember', object: member }]);
  return attributes.reading([
    { kind: 'teamMember', object: member },
    ...groups.map((id) => ({ kind: 'accessGroupMember', in: { kind: 'accessGroup', id }, object: { uid } })),
    ...projects.map(({ id, role }) => ({
      kind: 'projectMember',
      in: { kind: 'project', id: String(id) },
      object: { uid, role },
    })),
  ]);
}

export function accessGroup(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const object = attributes.renamed({ id: 'accessGroupId', name: 'name' });
  return attributes.reading([{ kind: 'accessGroup', object }]);
}

const inGroup = (attributes: Attributes) => ({
  kind: 'accessGroup',
  id: attributes.text('access_group_id')!,
});

export function accessGroupProject(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const object = attributes.renamed({ project_id: 'projectId', role: 'role' });
  return attributes.reading([{ kind: 'accessGroupProject', in: inGroup(attributes), object }]);
}

export function accessGroupMember(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const object = { uid: attributes.text('user_id') };
  return attributes.reading([{ kind: 'accessGroupMember', in: inGroup(attributes), object }]);
}

/** Reads the members that are identified by their id, because they are declared by it here. */
export function projectMembers(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const project = inProject(attributes);
  const members = attributes.items('members').flatMap((member) => {
    const { uid, email, username, role } = member.renamed({
      email: 'email',
      role: 'role',
      user_id: 'uid',
      username: 'username',
    });
    if (uid === undefined)
      attributes.leave(`the member ${email ?? username}: the state does not contain the user's id`);
    return uid === undefined ? [] : [{ kind: 'projectMember', in: project, object: { uid, role } }];
  });
  return attributes.reading(members);
}

/** Reads a token of the user. Its purpose stands in the state, and its value in no file. */
export function userToken(attributes: Attributes): StateReading {
  attributes.skip(
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
  const shown = attributes.shown({ bearer_token: '${secret}' });
  const object = attributes.renamed({
    expires_at: 'expiresAt',
    id: 'id',
    name: 'name',
    project_id: 'projectId',
  });
  return attributes.reading([{ kind: 'authToken', object, shown }]);
}
