import * as z from 'zod';
import { defineLookup, described, openEnum } from '#kind';

const { text, time, number, whole, flag, json } = described;

const versionFields = () => ({
  id: text('The id of the version.'),
  name: text('Its name.'),
  isLive: flag('It is the one that visitors get.'),
  isStaging: flag('It is staged.'),
  createdBy: text('Who made it.'),
  lastModified: time('When it was last changed.'),
});

export const redirectVersion = defineLookup({
  name: 'redirectVersion',
  doc: 'The versions of the bulk redirects of a project: the live one, the staged one, and those before.',
  endpoint: 'GET /v1/bulk-redirects/versions?projectId={project}',
  on: 'project',
  items: 'versions',
  key: 'id',
  output: versionFields,
  moves: ['actions'],
});

export const routeVersion = defineLookup({
  name: 'routeVersion',
  doc: 'The versions of the routes of a project: the live one, the staged one, and those before.',
  endpoint: 'GET /v1/projects/{project}/routes/versions',
  on: 'project',
  items: 'versions',
  key: 'id',
  output: versionFields,
  moves: ['actions'],
});

export const globalConfigBackup = defineLookup({
  name: 'globalConfigBackup',
  doc: 'The backups of a global config, which the platform makes before each change of its items.',
  endpoint: 'GET /v1/global-config/{globalConfig}/backups',
  on: 'globalConfig',
  items: 'backups',
  one: { endpoint: 'GET /v1/global-config/{globalConfig}/backups/{id}' },
  key: 'id',
  output: () => ({
    id: text('The version of the backup.'),
    lastModified: time('When its items were written.'),
    metadata: json('Who wrote them, and how many.'),
    backup: json('The items, of one that is asked for by its id.'),
  }),
  columns: ['id', 'lastModified'],
});

export const flagVersion = defineLookup({
  name: 'flagVersion',
  doc: 'The versions of a feature flag: what was changed, when and by whom.',
  endpoint: 'GET /v1/projects/{project}/feature-flags/flags/{featureFlag}/versions',
  on: 'featureFlag',
  items: 'versions',
  key: 'id',
  input: () => ({ environment: text('Only what changed in this environment.').optional() }),
  output: () => ({
    id: text('Its id.'),
    revision: whole('Its number.'),
    message: text('What was said of the change.'),
    createdAt: time('When it was made.'),
    createdBy: text('Who made it.'),
  }),
});

export const teamFlag = defineLookup({
  name: 'teamFlag',
  doc: 'The feature flags of all projects of the team.',
  endpoint: 'GET /v2/teams/{teamId}/feature-flags/flags',
  items: 'data',
  key: 'slug',
  input: () => ({
    search: text('Only those whose name has this in it.').optional(),
    kind: openEnum(['boolean', 'string', 'number', 'json']).optional().describe('Only those of this type.'),
    state: openEnum(['active', 'archived']).optional().describe('Only those.'),
  }),
  output: () => ({
    slug: text('The name of the flag.'),
    kind: text('Its type.'),
    state: text('`active` or `archived`.'),
    projectId: text('The id of its project.'),
    id: text('Its id.'),
    updatedAt: time('When it was last changed.'),
  }),
});

export const teamFlagSettings = defineLookup({
  name: 'teamFlagSettings',
  doc: 'The settings of feature flags of all projects of the team.',
  endpoint: 'GET /v1/teams/{teamId}/feature-flags/settings',
  items: 'data',
  key: 'projectId',
  output: () => ({
    projectId: text('The id of the project.'),
    enabled: flag('Whether feature flags are on there.'),
    environments: json('The environments that there are flags in.'),
  }),
});

export const trace = defineLookup({
  name: 'trace',
  doc: 'What happened in one request to a project.',
  endpoint: 'GET /v1/projects/traces?projectId={project}',
  on: 'project',
  item: 'trace',
  input: () => ({ requestId: text('The id of the request, as its answer has it.') }),
  output: () => ({ traceId: text('Its id.'), spans: json('What was done, and for how long.') }),
  moves: ['visitors'],
});

const period = () => ({
  since: text('From when on: ISO 8601.'),
  until: text('Until when.'),
  filter: text('Only what fits, in the words of the platform.').optional(),
});
const loosePeriod = () => ({
  since: text('From when on: ISO 8601.').optional(),
  until: text('Until when.').optional(),
  filter: text('Only what fits, in the words of the platform.').optional(),
});
const grouped = () => ({
  by: text('What each row is about: `country`, `path`.'),
  ...period(),
  limit: whole('How many rows.').optional(),
});
const counted = () => ({ data: json('What was counted.'), query: json('What was asked.') });

export const visits = defineLookup({
  name: 'visits',
  doc: 'How many visits a project had, as Web Analytics counts them, by something.',
  endpoint: 'GET /v1/query/web-analytics/visits/aggregate?projectId={project}',
  on: 'project',
  input: grouped,
  output: counted,
  moves: ['visitors'],
});

export const visitCount = defineLookup({
  name: 'visitCount',
  doc: 'How many visits a project had, as Web Analytics counts them.',
  endpoint: 'GET /v1/query/web-analytics/visits/count?projectId={project}',
  on: 'project',
  input: loosePeriod,
  output: counted,
  moves: ['visitors'],
});

export const events = defineLookup({
  name: 'events',
  doc: 'How many custom events of Web Analytics a project had, by something.',
  endpoint: 'GET /v1/query/web-analytics/events/aggregate?projectId={project}',
  on: 'project',
  input: grouped,
  output: counted,
  moves: ['visitors'],
});

export const eventCount = defineLookup({
  name: 'eventCount',
  doc: 'How many custom events of Web Analytics a project had.',
  endpoint: 'GET /v1/query/web-analytics/events/count?projectId={project}',
  on: 'project',
  input: loosePeriod,
  output: counted,
  moves: ['visitors'],
});

export const metric = defineLookup({
  name: 'metric',
  doc: 'The metrics of Observability, and what each can be asked by.',
  endpoint: 'GET /v2/observability/schema',
  items: 'metrics',
  one: { endpoint: 'GET /v2/observability/schema/{id}' },
  key: 'id',
  output: () => ({
    id: text('Its name.'),
    description: text('What it measures.'),
    unit: text('In what.'),
    defaultAggregation: text('How its values are put together.'),
    aggregations: json('How else they can be.'),
    dimensions: json('What it can be asked by.'),
  }),
  // Asked for one, the platform answers a list with it.
  decode: (object) => (Array.isArray(object) ? (object[0] ?? {}) : object),
  columns: ['id', 'unit', 'description'],
});

export const measurement = defineLookup({
  name: 'measurement',
  doc: 'Values of a metric of Observability.',
  endpoint: 'POST /v2/observability/query',
  input: () => ({
    metric: text('Its name, as `trueup get metric` shows it.'),
    scope: json('Of what: `{"type":"project","projectIds":["prj_1"]}`.'),
    aggregation: text('How values are put together: `sum`, `p95`.').optional(),
    groupBy: z.array(z.string()).optional().describe('By what.'),
    filter: text('Only what fits, in the words of the platform.').optional(),
    limit: whole('How many rows.').optional(),
    orderBy: text('In what order.').optional(),
    orderDirection: z.enum(['asc', 'desc']).optional().describe('And which way.'),
    granularity: json('In steps of: `{"hours":1}`.').optional(),
    startTime: text('From when on: ISO 8601.').optional(),
    endTime: text('Until when.').optional(),
    bucketTimezone: text('Whose days: `Europe/Berlin`.').optional(),
  }),
  output: () => ({ data: json('The values.'), summary: json('What they come to.') }),
  moves: ['visitors'],
});

export const attackStatus = defineLookup({
  name: 'attackStatus',
  doc: 'The attacks on a project that the platform sees now.',
  endpoint: 'GET /v1/security/firewall/attack-status?projectId={project}',
  on: 'project',
  items: 'anomalies',
  input: () => ({ since: number('For so many days back.').optional() }),
  output: () => ({
    projectId: text('The id of the project.'),
    state: text('How it stands.'),
    startTime: time('Since when.'),
    endTime: time('Until when; none where it goes on.'),
    affectedHostMap: json('Which hosts.'),
  }),
  columns: ['state', 'startTime', 'endTime'],
  moves: ['visitors'],
});

export const firewallEvent = defineLookup({
  name: 'firewallEvent',
  doc: 'What the firewall of a project did with requests.',
  endpoint: 'GET /v1/security/firewall/events?projectId={project}',
  on: 'project',
  items: 'actions',
  input: () => ({
    startTimestamp: number('From when on, in milliseconds since 1970.').optional(),
    endTimestamp: number('Until when.').optional(),
    hosts: text('Only requests to these hosts, with commas.').optional(),
  }),
  output: () => ({
    startTime: text('From when on.'),
    endTime: text('Until when.'),
    action_type: text('What it did.'),
    host: text('The host that was asked for.'),
    public_ip: text('Who asked.'),
    count: whole('How often.'),
    isActive: flag('It goes on.'),
  }),
  moves: ['visitors'],
});

export const image = defineLookup({
  name: 'image',
  doc: 'The images in a repository of the registry.',
  endpoint: 'GET /v1/vcr/repository/{registryRepository}/images?projectId={project}',
  on: 'registryRepository',
  items: 'images',
  one: {
    endpoint: 'GET /v1/vcr/repository/{registryRepository}/images/{id}?projectId={project}',
    item: 'image',
  },
  key: 'id',
  output: () => ({
    id: text('Its id.'),
    status: openEnum(['preparing', 'ready', 'failed']).describe('Whether it can be used.'),
    kind: text('What it is.'),
    tags: json('What it is called.'),
    manifestDigest: text('The digest of its manifest.'),
    sizeInBytes: whole('Its size.'),
    createdAt: time('When it was pushed.'),
  }),
  columns: ['id', 'status', 'tags', 'sizeInBytes', 'createdAt'],
  moves: ['pushes'],
  end: { field: 'status', reached: ['ready'], ended: ['failed'] },
});

export const imageTag = defineLookup({
  name: 'imageTag',
  doc: 'The tags in a repository of the registry.',
  endpoint: 'GET /v1/vcr/repository/{registryRepository}/tags?projectId={project}',
  on: 'registryRepository',
  items: 'tags',
  one: { endpoint: 'GET /v1/vcr/repository/{registryRepository}/tags/{id}?projectId={project}', item: 'tag' },
  key: 'tag',
  output: () => ({
    tag: text('The tag.'),
    imageId: text('The id of its image.'),
    status: text('Whether that can be used.'),
    manifestDigest: text('The digest of its manifest.'),
    sizeInBytes: whole('Its size.'),
    updatedAt: time('When it was last moved.'),
  }),
  columns: ['tag', 'imageId', 'status', 'updatedAt'],
  moves: ['pushes'],
});
