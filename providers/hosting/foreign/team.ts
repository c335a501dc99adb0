import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/**
 * Converts a `vercel_team_config` (the settings of the team) of a Terraform state to objects of the account, for
 * `trueup from terraform`.
 */
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

/**
 * Converts a `vercel_team_member` of a Terraform state to objects of the account, for `trueup from terraform`. Its access groups and
 * project roles become objects of other kinds.
 */
export function teamMember(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id', 'confirmed');
  const uid = attributes.text('user_id');
  const groups = attributes.texts('access_groups') ?? [];
  const projects = attributes
    .items('projects')
    .map((attributes) => attributes.renamed({ project_id: 'id', role: 'role' }));
  const email = attributes.text('email');
  const member = attributes.renamed({ email: 'email', role: 'role' });
  const person = { uid, email };
  if (uid === undefined && groups.length + projects.length > 0)
    attributes.leave("its groups and projects: the state does not contain the user's id");
  if (uid === undefined) return attributes.reading([{ kind: 'teamMember', object: member }]);
  return attributes.reading([
    { kind: 'teamMember', object: member },
    ...groups.map((id) => ({ kind: 'accessGroupMember', in: { kind: 'accessGroup', id }, object: person })),
    ...projects.map(({ id, role }) => ({
      kind: 'projectMember',
      in: { kind: 'project', id: String(id) },
      object: { ...person, role },
    })),
  ]);
}

/** Converts a `vercel_access_group` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function accessGroup(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const object = attributes.renamed({ id: 'accessGroupId', name: 'name' });
  return attributes.reading([{ kind: 'accessGroup', object }]);
}

const inGroup = (attributes: Attributes) => ({
  kind: 'accessGroup',
  id: attributes.text('access_group_id')!,
});

/**
 * Converts a `vercel_access_group_project` (the role of an access group in a project) of a Terraform state to objects
 * of the account, for `trueup from terraform`.
 */
export function accessGroupProject(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const object = attributes.renamed({ project_id: 'projectId', role: 'role' });
  return attributes.reading([{ kind: 'accessGroupProject', in: inGroup(attributes), object }]);
}

/** Converts a `vercel_access_group_member` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function accessGroupMember(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const object = { uid: attributes.text('user_id') };
  return attributes.reading([{ kind: 'accessGroupMember', in: inGroup(attributes), object }]);
}

/**
 * Converts a `vercel_project_members` of a Terraform state to objects of the account, for `trueup from terraform`. A member without a user
 * id is named by e-mail address or user name. Planning finds the id.
 */
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
    const name = email ?? username;
    if (uid !== undefined)
      return [{ kind: 'projectMember', in: project, object: { uid, email, username, role } }];
    if (name === undefined) {
      attributes.leave('a member without a user id, an e-mail address and a user name');
      return [];
    }
    return [
      {
        kind: 'projectMember',
        in: project,
        object: { uid: name, email, username, role },
        hasMadeUpId: true as const,
      },
    ];
  });
  return attributes.reading(members);
}

/**
 * Converts a `vercel_user_token` of a Terraform state to objects of the account, for `trueup from terraform`. Its value is a secret and
 * gets into no file.
 */
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

/**
 * Converts a `vercel_oidc_federation_policy` of a Terraform state to objects of the account, for `trueup from terraform`. Without a name it
 * cannot be declared.
 */
export function oidcPolicy(attributes: Attributes): StateReading {
  attributes.skip('team_id', 'created_at', 'updated_at');
  const claims = attributes.items('claims').map((claim) => ({
    name: claim.text('name'),
    values: claim.items('values').map((value) => value.renamed({ value: 'value', wildcards: 'wildcards' })),
  }));
  const projectIds = attributes.inner('resources')?.texts('project_ids');
  const object = {
    ...attributes.renamed({
      client_id: 'clientId',
      commands: 'commands',
      id: 'policyId',
      issuer_url: 'issuerUrl',
      name: 'name',
      permissions: 'permissions',
    }),
    claims,
    ...(projectIds ? { resources: { projectIds } } : {}),
  };
  if ('name' in object) return attributes.reading([{ kind: 'oidcPolicy', object }]);
  attributes.leave('it has no name, by which it would be declared here: give it one');
  return attributes.reading([]);
}

/** Converts a `vercel_oauth_app` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function oauthApp(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const object = attributes.renamed({
    id: 'clientId',
    name: 'name',
    slug: 'slug',
    description: 'description',
    scopes: 'scopes',
    home_page_uri: 'homePageUri',
    redirect_uris: 'redirectUris',
    privacy_policy_url: 'privacyPolicyUrl',
    terms_of_service_url: 'termsOfServiceUrl',
    code_of_conduct_url: 'codeOfConductUrl',
  });
  return attributes.reading([{ kind: 'oauthApp', object }]);
}

/**
 * Converts a `vercel_oauth_app_permissions` (the permissions of an app) of a Terraform state to objects of the account, for `trueup from
 * terraform`.
 */
export function oauthAppPermissions(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const object = attributes.renamed({ oauth_app_id: 'clientId', permissions: 'permissions' });
  return attributes.reading([{ kind: 'oauthApp', object }]);
}
