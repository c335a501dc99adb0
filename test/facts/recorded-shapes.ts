import { evidence } from '../../providers/hosting/evidence.ts';

type Row = Record<string, unknown>;

/** Members of one row in an answer: those that evidence shows, with the values that the twin has, and others with a value as recorded. */
interface RecordedShape {
  /** The public files that show the row. */
  source: string;
  members: string[];
  set?: Row;
  /** The member of the answer that has the rows, where the kind reads the whole answer. */
  within?: string;
}

/** The folder of the mocks in the repository of the platform's command line. */
const mocks = 'CLI test/mocks';
const dated = ['id', 'createdAt', 'updatedAt'];
const project: RecordedShape = {
  source: `${mocks}/project.ts`,
  members: [...dated, 'name', 'accountId', 'customEnvironments'],
  set: { env: [], latestDeployments: [{ id: 'dpl_1', type: 'LAMBDAS', teamId: null }], targets: {} },
};

/** Rows as public evidence shows them, by the endpoint that a kind reads. The twin shows more members, and other values. */
export const recordedShapes: Record<string, RecordedShape> = {
  'GET /v10/projects': project,
  'GET /v9/projects/{project}': project,
  'GET /v10/projects/{project}/env?decrypt=true': {
    source: `${mocks}/project.ts; PF9`,
    members: [...dated, 'type', 'key', 'value', 'target', 'decrypted'],
    set: { gitBranch: null, configurationId: null, comment: '', customEnvironmentIds: [] },
  },
  'GET /v9/projects/{project}/domains': {
    source: `${mocks}/domains.ts; PF28`,
    members: ['name', 'apexName', 'projectId', 'redirect', 'gitBranch', 'verified', 'createdAt', 'updatedAt'],
  },
  'GET /v5/domains': {
    source: `${mocks}/domains.ts`,
    members: ['id', 'name', 'createdAt', 'verified', 'nameservers', 'intendedNameservers', 'serviceType'],
    set: {
      suffix: false,
      orderedAt: 1,
      boughtAt: null,
      creator: { id: 'a', username: 'ada', email: 'a@b.c' },
    },
  },
  'GET /v5/domains/{domain}/records': {
    source: `${mocks}/dns.ts; PF45`,
    members: ['id', 'name', 'type', 'value', 'createdAt'],
  },
  'GET /v8/certs': {
    source: 'API catalog',
    members: ['id', 'cns', 'autoRenew', 'createdAt', 'expiresAt'],
  },
  'GET /v4/aliases?projectId={project}': {
    source: `${mocks}/alias.ts`,
    members: [
      ...['alias', 'created', 'createdAt', 'deployment', 'deploymentId', 'projectId', 'redirect'],
      ...['redirectStatusCode', 'uid', 'updatedAt'],
    ],
    set: { deletedAt: null },
  },
  'GET /v1/storage/stores': {
    source: 'TF client/blob.go; PF81',
    members: [...dated, 'name', 'type', 'region', 'access', 'status', 'ownerId', 'size', 'count'],
    within: 'stores',
  },
  'GET /v1/storage/stores/{blobStore}/connections': {
    source: 'TF client/blob.go',
    members: ['id', 'projectId', 'envVarEnvironments', 'envVarPrefix', 'project'],
    set: { productionDeployment: null },
  },
  'GET /v1/webhooks': {
    source: `${mocks}/webhooks.ts`,
    members: [...dated, 'url', 'events', 'ownerId'],
    set: { projectIds: [] },
  },
  'GET /v1/drains': {
    source: `${mocks}/drains.ts`,
    members: [...dated, 'name', 'ownerId', 'schemas', 'delivery', 'source'],
    set: { status: 'enabled' },
  },
  'GET /v1/security/firewall/bypass?projectId={project}': {
    source: `${mocks}/firewall.ts; PF66`,
    members: ['OwnerId', 'Ip', 'Domain', 'ProjectId'],
    set: { Id: 'prj_1#192.0.2.7', Note: '', IsProjectRule: true },
  },
  'GET /v1/projects/{project}/feature-flags/settings': {
    source: `${mocks}/flags.ts`,
    members: ['projectId', 'enabled', 'environments', 'entities'],
    set: { typeName: 'settings' },
  },
  'GET /v2/projects/{project}/feature-flags/flags?state=active': {
    source: `${mocks}/flags.ts`,
    members: [...dated, 'slug', 'kind', 'state', 'variants', 'environments', 'revision', 'seed', 'projectId'],
    set: { typeName: 'flag', createdBy: 'user_1', ownerId: 'team_1' },
  },
  'GET /v1/projects/{project}/feature-flags/segments': {
    source: `${mocks}/flags.ts`,
    members: [...dated, 'slug', 'label', 'data', 'hint', 'createdBy', 'projectId'],
    set: { typeName: 'segment', usedByFlags: [], usedBySegments: [] },
  },
  'GET /v1/projects/{project}/feature-flags/sdk-keys': {
    source: `${mocks}/flags.ts`,
    members: ['hashKey', 'projectId', 'type', 'environment', 'createdBy', 'createdAt', 'updatedAt', 'label'],
    set: { partialKeyValue: 'vf_server_abc********' },
  },
  'GET /v1/projects/{project}/routes?versionId={version}': {
    source: `${mocks}/routes.ts`,
    members: ['id', 'name', 'description', 'enabled', 'route'],
    set: { staged: false },
  },
  'GET /v1/bulk-redirects?projectId={project}&versionId={version}': {
    source: `${mocks}/redirects.ts`,
    members: ['source', 'destination'],
    set: { id: 'redirect-1', permanent: true, statusCode: 308, createdAt: 1, updatedAt: 1 },
  },
  'GET /v1/kms/issuers': {
    source: `${mocks}/kms.ts`,
    members: [...dated, 'ownerId', 'name', 'algorithm', 'origin', 'signingKeys', 'policies'],
  },
  'GET /v1/access-groups': {
    source: `${mocks}/access-group.ts`,
    members: ['accessGroupId', 'name', 'teamId', 'createdAt', 'updatedAt', 'membersCount', 'projectsCount'],
    set: { teamRoles: [], teamPermissions: [] },
  },
  'GET /v6/user/tokens': {
    source: 'TF resource_user_token_test.go; PF78',
    members: ['id', 'name', 'createdAt', 'activeAt', 'expiresAt', 'suffix', 'teamId', 'scopes'],
    set: { type: 'token', origin: 'manual', prefix: 'vcp_' },
  },
};

/** Returns a row of the twin in its recorded shape; as it is if none is recorded. */
export function asRecorded(endpoint: string, row: Row): Row {
  const shape = recordedShapes[endpoint];
  if (!shape) return row;
  const { members, set, within } = shape;
  const recorded = (each: Row): Row => {
    const kept = members.filter((member) => member in each).map((member) => [member, each[member]]);
    return { ...Object.fromEntries(kept), ...set };
  };
  return within === undefined ? recorded(row) : { ...row, [within]: (row[within] as Row[]).map(recorded) };
}

const normalize = (endpoint: string) => endpoint.replace(/\?.*/, '').replaceAll(/\{[^}]+\}/g, '{}');
const published = new Map(
  Object.entries(evidence.shapes).map(([endpoint, shape]) => [normalize(endpoint), shape as unknown]),
);

/** The published members of a row that an answer can lack, or that can be null. */
export interface LooseMembers {
  optional: string[];
  nullable: string[];
}

/**
 * Returns the members that the published form of an endpoint leaves open. `list` is the member of the answer that has the rows; undefined
 * if the answer is the row, or a bare list of them.
 */
export function looseMembers(endpoint: string, list: string | undefined): LooseMembers {
  let shape = published.get(normalize(endpoint));
  if (list) shape = (shape as Row | undefined)?.[list] ?? (shape as Row | undefined)?.[`${list}?`];
  if (Array.isArray(shape)) shape = shape[0];
  const members = typeof shape === 'object' && shape !== null ? Object.entries(shape) : [];
  const nameOf = (name: string) => name.replace(/\?$/, '');
  return {
    optional: members.flatMap(([name]) => (name.endsWith('?') ? [nameOf(name)] : [])),
    nullable: members.flatMap(([name, form]) =>
      (Array.isArray(form) ? form.includes('0') : String(form).includes('0')) ? [nameOf(name)] : [],
    ),
  };
}
