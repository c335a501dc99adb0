import { defineLookup, described, openEnum } from '#kind';

const { text, time, flag, json } = described;

export const event = defineLookup({
  name: 'event',
  doc: 'The activity of the account, newest first.',
  endpoint: 'GET /v3/events?projectIds={project}',
  on: 'project',
  items: 'events',
  key: 'id',
  input: () => ({
    types: text('Only these types, comma-separated.').optional(),
    since: text('The start time (ISO 8601).').optional(),
    until: text('The end time.').optional(),
    principalId: text('Only events of this user or token.').optional(),
  }),
  output: () => ({
    id: text('Its id.'),
    type: text('Its type.'),
    text: text('A description.'),
    createdAt: time('When.'),
    userId: text('The id of the actor.'),
  }),
  columns: ['createdAt', 'type', 'text', 'userId'],
  moves: ['actions', 'pushes', 'visitors'],
});

export const eventType = defineLookup({
  name: 'eventType',
  doc: 'The types of events.',
  endpoint: 'GET /v1/events/types',
  items: 'types',
  key: 'name',
  output: () => ({
    name: text('The type.'),
    category: text('Its category.'),
    description: text('What it means.'),
    deprecated: flag('Whether it is deprecated.'),
  }),
});

export const teamRequest = defineLookup({
  name: 'teamRequest',
  doc: 'The request of a user to join the team.',
  endpoint: 'GET /v1/teams/{teamId}/request/{user}',
  input: () => ({ user: text('The id of the user.') }),
  output: () => ({
    teamName: text('The name of the team.'),
    confirmed: flag('Whether it was confirmed.'),
    accessRequestedAt: time('When it was requested.'),
    joinedFrom: json('The origin.'),
  }),
  end: { field: 'confirmed', reached: ['true'], ended: [] },
});

export const cacheStatus = defineLookup({
  name: 'cacheStatus',
  doc: 'Whether the remote build cache is enabled.',
  endpoint: 'GET /v8/artifacts/status',
  output: () => ({
    status: openEnum(['enabled', 'disabled', 'over_limit', 'paused']).describe('Its status.'),
  }),
});

export const gitNamespace = defineLookup({
  name: 'gitNamespace',
  doc: 'The organisations and accounts of Git providers that the owner of the token can connect.',
  endpoint: 'GET /v1/integrations/git-namespaces',
  items: '',
  key: 'slug',
  input: () => ({
    provider: openEnum(['github', 'github-custom-host', 'gitlab', 'bitbucket'])
      .optional()
      .describe('Only this provider.'),
    host: text('The host of a self-hosted provider.').optional(),
  }),
  output: () => ({
    slug: text('Its slug.'),
    name: text('Its name.'),
    provider: text('Its provider.'),
    ownerType: text('A user or a team.'),
    id: json('Its id.'),
    installationId: json('The id of the app installation.'),
    isAccessRestricted: flag('Whether access is limited to some repositories.'),
  }),
  columns: ['slug', 'provider', 'ownerType', 'id'],
});

export const gitRepository = defineLookup({
  name: 'gitRepository',
  doc: 'The repositories of a Git provider that the owner of the token can connect.',
  endpoint: 'GET /v1/integrations/search-repo',
  items: 'repos',
  key: 'slug',
  input: () => ({
    query: text('Only names that contain this.').optional(),
    namespaceId: text('Only this organisation, by id.').optional(),
    provider: openEnum(['github', 'github-custom-host', 'gitlab', 'bitbucket'])
      .optional()
      .describe('Only this provider.'),
    installationId: text('The app installation.').optional(),
    host: text('The host of a self-hosted provider.').optional(),
  }),
  output: () => ({
    slug: text('Its name.'),
    namespace: text('Its owner.'),
    url: text('Its provider.'),
    defaultBranch: text('Its default branch.'),
    private: flag('Whether it is private.'),
    updatedAt: time('When it was last changed.'),
    id: json('Its id.'),
  }),
  columns: ['namespace', 'slug', 'defaultBranch', 'updatedAt'],
});

export const integration = defineLookup({
  name: 'integration',
  doc: 'The integrations installed in the account.',
  endpoint: 'GET /v1/integrations/configurations',
  items: '',
  single: { endpoint: 'GET /v1/integrations/configuration/{id}' },
  key: 'id',
  input: () => ({
    view: openEnum(['account', 'project'])
      .default('account')
      .describe('Those of the account, or of projects.'),
    installationType: openEnum(['marketplace', 'external', 'provisioning'])
      .optional()
      .describe('Only this type.'),
    integrationIdOrSlug: text('Only this integration.').optional(),
  }),
  output: () => ({
    id: text('The id of the installation: `icfg_...`.'),
    slug: text('The integration.'),
    integrationId: text('The id of the integration.'),
    installationType: text('How it is billed and provisioned.'),
    projectSelection: text('All projects, or some.'),
    createdAt: time('When it was installed.'),
  }),
  columns: ['id', 'slug', 'installationType', 'createdAt'],
});

export const integrationProduct = defineLookup({
  name: 'integrationProduct',
  doc: 'The products of an installed integration, such as databases.',
  endpoint: 'GET /v1/integrations/configuration/{integration}/products',
  items: 'products',
  key: 'slug',
  input: () => ({ integration: text('The id of the installation: `icfg_...`.') }),
  output: () => ({
    id: text('The id of the product.'),
    slug: text('Its slug.'),
    name: text('Its name.'),
    protocols: json('Its protocols.'),
    metadataSchema: json("The schema of its resources' metadata."),
  }),
  columns: ['id', 'slug', 'name'],
});

export const integrationPlan = defineLookup({
  name: 'integrationPlan',
  doc: "The plans of an integration's product.",
  endpoint: 'GET /v1/integrations/integration/{integration}/products/{product}/plans',
  items: 'plans',
  key: 'id',
  input: () => ({
    integration: text('The integration: its id or slug.'),
    product: text('The product: its id or slug.'),
    integrationConfigurationId: text('The installation.').optional(),
    metadata: text('The settings of the resource, as JSON.').optional(),
  }),
  output: () => ({
    id: text('The id of the plan.'),
    name: text('Its name.'),
    type: text('Subscription or prepayment.'),
    description: text('Its details.'),
    cost: text('What it costs.'),
    disabled: flag('Whether it is unavailable.'),
  }),
  columns: ['id', 'name', 'type', 'cost'],
});

export const directoryGroup = defineLookup({
  name: 'directoryGroup',
  doc: 'The groups of the directory that is connected to the team, for `directoryRoles`.',
  endpoint: 'GET /teams/{teamId}/dsync/groups',
  items: 'groups',
  key: 'id',
  output: () => ({ id: text('Its id.'), name: text('Its name.') }),
});

export const endpointCode = defineLookup({
  name: 'endpointCode',
  doc: 'The code that the endpoint of a drain must answer in the header `x-vercel-verify`.',
  endpoint: 'GET /v1/verify-endpoint',
  output: () => ({ verificationCode: text('The code; the same for all drains of the team.') }),
});
