import { defineLookup, described, openEnum } from '#kind';

const { text, time, flag, json } = described;

export const event = defineLookup({
  name: 'event',
  doc: 'What was done in the account, newest first: by whom, and through what.',
  endpoint: 'GET /v3/events?projectIds={project}',
  on: 'project',
  items: 'events',
  key: 'id',
  input: () => ({
    types: text('Only these types, with commas.').optional(),
    since: text('From when on: ISO 8601.').optional(),
    until: text('Until when.').optional(),
    principalId: text('Only what this user or token did.').optional(),
  }),
  output: () => ({
    id: text('Its id.'),
    type: text('What it is.'),
    text: text('What was done.'),
    createdAt: time('When.'),
    userId: text('The id of whoever did it.'),
  }),
  columns: ['createdAt', 'type', 'text', 'userId'],
  moves: ['actions', 'pushes', 'visitors'],
});

export const eventType = defineLookup({
  name: 'eventType',
  doc: 'The types of events that there are.',
  endpoint: 'GET /v1/events/types',
  items: 'types',
  key: 'name',
  output: () => ({
    name: text('The type.'),
    category: text('What it belongs to.'),
    description: text('What it means.'),
    deprecated: flag('It is not told any more.'),
  }),
});

export const teamRequest = defineLookup({
  name: 'teamRequest',
  doc: 'The request of a user to join the team.',
  endpoint: 'GET /v1/teams/{teamId}/request/{user}',
  input: () => ({ user: text('The id of the user.') }),
  output: () => ({
    teamName: text('The name of the team.'),
    confirmed: flag('Somebody let the user in.'),
    accessRequestedAt: time('When it was asked for.'),
    joinedFrom: json('Where from.'),
  }),
  end: { field: 'confirmed', reached: ['true'], ended: [] },
});

export const cacheStatus = defineLookup({
  name: 'cacheStatus',
  doc: 'Whether the remote cache of builds is on.',
  endpoint: 'GET /v8/artifacts/status',
  output: () => ({
    status: openEnum(['enabled', 'disabled', 'over_limit', 'paused']).describe('How it stands.'),
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
      .describe('Only those of this provider.'),
    host: text('The host of a provider of your own.').optional(),
  }),
  output: () => ({
    slug: text('Its name in addresses.'),
    name: text('Its name.'),
    provider: text('Where it is.'),
    ownerType: text('A user or a team.'),
    id: json('Its id.'),
    installationId: json('The installation of the app there.'),
    isAccessRestricted: flag('Not all repositories can be seen.'),
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
    query: text('Only those whose name has this in it.').optional(),
    namespaceId: text('Only those of this organisation, by its id.').optional(),
    provider: openEnum(['github', 'github-custom-host', 'gitlab', 'bitbucket'])
      .optional()
      .describe('Only those of this provider.'),
    installationId: text('Of which installation of the app.').optional(),
    host: text('The host of a provider of your own.').optional(),
  }),
  output: () => ({
    slug: text('Its name.'),
    namespace: text('Whose it is.'),
    url: text('Where it is.'),
    defaultBranch: text('Its main branch.'),
    private: flag('Not everybody can read it.'),
    updatedAt: time('When it was last changed.'),
    id: json('Its id.'),
  }),
  columns: ['namespace', 'slug', 'defaultBranch', 'updatedAt'],
});

export const integration = defineLookup({
  name: 'integration',
  doc: 'The integrations that are installed in the account.',
  endpoint: 'GET /v1/integrations/configurations',
  items: '',
  one: { endpoint: 'GET /v1/integrations/configuration/{id}' },
  key: 'id',
  input: () => ({
    view: openEnum(['account', 'project'])
      .default('account')
      .describe('Those of the account, or of projects.'),
    installationType: openEnum(['marketplace', 'external', 'provisioning'])
      .optional()
      .describe('Only those of this type.'),
    integrationIdOrSlug: text('Only those of this integration.').optional(),
  }),
  output: () => ({
    id: text('The id of the installation: `icfg_...`.'),
    slug: text('The integration.'),
    integrationId: text('The id of the integration.'),
    installationType: text('How it is billed and made.'),
    projectSelection: text('All projects, or some.'),
    createdAt: time('When it was installed.'),
  }),
  columns: ['id', 'slug', 'installationType', 'createdAt'],
});

export const integrationProduct = defineLookup({
  name: 'integrationProduct',
  doc: 'What an installed integration offers: databases, for example.',
  endpoint: 'GET /v1/integrations/configuration/{integration}/products',
  items: 'products',
  key: 'slug',
  input: () => ({ integration: text('The id of the installation: `icfg_...`.') }),
  output: () => ({
    id: text('The id of the product.'),
    slug: text('Its name in addresses.'),
    name: text('Its name.'),
    protocols: json('What it speaks.'),
    metadataSchema: json('What can be said of a resource of it.'),
  }),
  columns: ['id', 'slug', 'name'],
});

export const integrationPlan = defineLookup({
  name: 'integrationPlan',
  doc: 'The plans on which a product of an integration can be bought.',
  endpoint: 'GET /v1/integrations/integration/{integration}/products/{product}/plans',
  items: 'plans',
  key: 'id',
  input: () => ({
    integration: text('The integration: its id or slug.'),
    product: text('The product: its id or slug.'),
    integrationConfigurationId: text('For which installation.').optional(),
    metadata: text('For which settings of the resource, as JSON.').optional(),
  }),
  output: () => ({
    id: text('The id of the plan.'),
    name: text('Its name.'),
    type: text('A subscription or prepayment.'),
    description: text('What it has.'),
    cost: text('What it costs.'),
    disabled: flag('It cannot be taken.'),
  }),
  columns: ['id', 'name', 'type', 'cost'],
});
