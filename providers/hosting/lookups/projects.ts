import * as z from 'zod';
import { defineLookup, described, openEnum } from '#kind';

const { text, time, number, integer, flag, json } = described;

/** Describes the columns of a version of a project's redirects or routes. */
const versionFields = () => ({
  id: text('The id of the version.'),
  name: text('Its name.'),
  isLive: flag('Whether it is live.'),
  isStaging: flag('Whether it is staged.'),
  createdBy: text('Who created it.'),
  lastModified: time('When it was last changed.'),
});

export const redirectVersion = defineLookup({
  name: 'redirectVersion',
  doc: "The versions of a project's bulk redirects: live, staged and earlier.",
  endpoint: 'GET /v1/bulk-redirects/versions?projectId={project}',
  on: 'project',
  items: 'versions',
  key: 'id',
  output: versionFields,
  moves: ['actions'],
});

export const routeVersion = defineLookup({
  name: 'routeVersion',
  doc: "The versions of a project's routes: live, staged and earlier.",
  endpoint: 'GET /v1/projects/{project}/routes/versions',
  on: 'project',
  items: 'versions',
  key: 'id',
  output: versionFields,
  moves: ['actions'],
});

export const globalConfigBackup = defineLookup({
  name: 'globalConfigBackup',
  doc: 'The backups of a global config, which the platform creates before each change.',
  endpoint: 'GET /v1/global-config/{globalConfig}/backups',
  on: 'globalConfig',
  items: 'backups',
  single: { endpoint: 'GET /v1/global-config/{globalConfig}/backups/{id}' },
  key: 'id',
  output: () => ({
    id: text('The version of the backup.'),
    lastModified: time('When its items were written.'),
    metadata: json('Who wrote them, and how many.'),
    backup: json('The items; only when requested by id.'),
  }),
  columns: ['id', 'lastModified'],
});

export const flagVersion = defineLookup({
  name: 'flagVersion',
  doc: 'The versions of a feature flag: each change, with its time and author.',
  endpoint: 'GET /v1/projects/{project}/feature-flags/flags/{featureFlag}/versions',
  on: 'featureFlag',
  items: 'versions',
  key: 'id',
  input: () => ({ environment: text('Only changes in this environment.').optional() }),
  output: () => ({
    id: text('Its id.'),
    revision: integer('Its number.'),
    message: text('The message of the change.'),
    createdAt: time('When it was created.'),
    createdBy: text('Who created it.'),
  }),
});

export const teamFlag = defineLookup({
  name: 'teamFlag',
  doc: 'The feature flags of all projects of the team.',
  endpoint: 'GET /v2/teams/{teamId}/feature-flags/flags',
  items: 'data',
  key: 'slug',
  input: () => ({
    search: text('Only names that contain this.').optional(),
    kind: openEnum(['boolean', 'string', 'number', 'json']).optional().describe('Only this type.'),
    state: openEnum(['active', 'archived']).optional().describe('Only these.'),
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
    enabled: flag('Whether feature flags are enabled.'),
    environments: json('The environments that have flags.'),
  }),
});

export const trace = defineLookup({
  name: 'trace',
  doc: 'The trace of one request to a project.',
  endpoint: 'GET /v1/projects/traces?projectId={project}',
  on: 'project',
  item: 'trace',
  input: () => ({ requestId: text('The request id, from its response headers.') }),
  output: () => ({ traceId: text('Its id.'), spans: json('The spans, with durations.') }),
  moves: ['visitors'],
});

/** Describes the inputs of a lookup about a period. */
const period = () => ({
  since: text('The start time (ISO 8601).'),
  until: text('The end time.'),
  filter: text("A filter, in the platform's syntax.").optional(),
});
/** Describes the inputs of a lookup about a period with an optional start and end. */
const loosePeriod = () => ({
  since: text('The start time (ISO 8601).').optional(),
  until: text('The end time.').optional(),
  filter: text("A filter, in the platform's syntax.").optional(),
});
/** Describes the inputs of a lookup that groups numbers of a period by a dimension. */
const grouped = () => ({
  by: text('The dimension of each row: `country`, `path`.'),
  ...period(),
  limit: integer('The number of rows.').optional(),
});
const counted = () => ({ data: json('The counts.'), query: json('The query.') });

export const visits = defineLookup({
  name: 'visits',
  doc: 'Web Analytics visits of a project, grouped by a dimension.',
  endpoint: 'GET /v1/query/web-analytics/visits/aggregate?projectId={project}',
  on: 'project',
  input: grouped,
  output: counted,
  moves: ['visitors'],
});

export const visitCount = defineLookup({
  name: 'visitCount',
  doc: 'Web Analytics visits of a project.',
  endpoint: 'GET /v1/query/web-analytics/visits/count?projectId={project}',
  on: 'project',
  input: loosePeriod,
  output: counted,
  moves: ['visitors'],
});

export const events = defineLookup({
  name: 'events',
  doc: 'Web Analytics custom events of a project, grouped by a dimension.',
  endpoint: 'GET /v1/query/web-analytics/events/aggregate?projectId={project}',
  on: 'project',
  input: grouped,
  output: counted,
  moves: ['visitors'],
});

export const eventCount = defineLookup({
  name: 'eventCount',
  doc: 'Web Analytics custom events of a project.',
  endpoint: 'GET /v1/query/web-analytics/events/count?projectId={project}',
  on: 'project',
  input: loosePeriod,
  output: counted,
  moves: ['visitors'],
});

export const metric = defineLookup({
  name: 'metric',
  doc: 'The metrics of Observability and their dimensions.',
  endpoint: 'GET /v2/observability/schema',
  items: 'metrics',
  single: { endpoint: 'GET /v2/observability/schema/{id}' },
  key: 'id',
  output: () => ({
    id: text('Its name.'),
    description: text('What it measures.'),
    unit: text('Its unit.'),
    defaultAggregation: text('Its default aggregation.'),
    aggregations: json('Other aggregations.'),
    dimensions: json('Its dimensions.'),
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
    metric: text('Its name, as shown by `trueup get metric`.'),
    scope: json('The scope: `{"type":"project","projectIds":["prj_1"]}`.'),
    aggregation: text('The aggregation: `sum`, `p95`.').optional(),
    groupBy: z.array(z.string()).optional().describe('The dimensions.'),
    filter: text("A filter, in the platform's syntax.").optional(),
    limit: integer('The number of rows.').optional(),
    orderBy: text('The sort key.').optional(),
    orderDirection: z.enum(['asc', 'desc']).optional().describe('The sort order.'),
    granularity: json('The interval: `{"hours":1}`.').optional(),
    startTime: text('The start time (ISO 8601).').optional(),
    endTime: text('The end time.').optional(),
    bucketTimezone: text('The time zone: `Europe/Berlin`.').optional(),
  }),
  output: () => ({ data: json('The values.'), summary: json('The totals.') }),
  moves: ['visitors'],
});

export const attackStatus = defineLookup({
  name: 'attackStatus',
  doc: 'Current attacks on a project.',
  endpoint: 'GET /v1/security/firewall/attack-status?projectId={project}',
  on: 'project',
  items: 'anomalies',
  input: () => ({ since: number('The number of past days.').optional() }),
  output: () => ({
    projectId: text('The id of the project.'),
    state: text('Its status.'),
    startTime: time('When it started.'),
    endTime: time('When it ended; absent if ongoing.'),
    affectedHostMap: json('The hosts.'),
  }),
  columns: ['state', 'startTime', 'endTime'],
  moves: ['visitors'],
});

export const firewallEvent = defineLookup({
  name: 'firewallEvent',
  doc: 'The firewall events of a project.',
  endpoint: 'GET /v1/security/firewall/events?projectId={project}',
  on: 'project',
  items: 'actions',
  input: () => ({
    startTimestamp: number('The start time, in milliseconds since 1970.').optional(),
    endTimestamp: number('The end time.').optional(),
    hosts: text('Only requests to these hosts, comma-separated.').optional(),
  }),
  output: () => ({
    startTime: text('When it started.'),
    endTime: text('The end time.'),
    action_type: text('The action.'),
    host: text('The requested host.'),
    public_ip: text('The client.'),
    count: integer('The number of requests.'),
    isActive: flag('Whether it is ongoing.'),
  }),
  moves: ['visitors'],
});

export const image = defineLookup({
  name: 'image',
  doc: 'The images in a registry repository.',
  endpoint: 'GET /v1/vcr/repository/{registryRepository}/images?projectId={project}',
  on: 'registryRepository',
  items: 'images',
  single: {
    endpoint: 'GET /v1/vcr/repository/{registryRepository}/images/{id}?projectId={project}',
    item: 'image',
  },
  key: 'id',
  output: () => ({
    id: text('Its id.'),
    status: openEnum(['preparing', 'ready', 'failed']).describe('Whether it can be used.'),
    kind: text('Its type.'),
    tags: json('Its tags.'),
    manifestDigest: text('The digest of its manifest.'),
    sizeInBytes: integer('Its size.'),
    createdAt: time('When it was pushed.'),
  }),
  columns: ['id', 'status', 'tags', 'sizeInBytes', 'createdAt'],
  moves: ['pushes'],
  end: { field: 'status', reached: ['ready'], ended: ['failed'] },
});

export const imageTag = defineLookup({
  name: 'imageTag',
  doc: 'The tags in a registry repository.',
  endpoint: 'GET /v1/vcr/repository/{registryRepository}/tags?projectId={project}',
  on: 'registryRepository',
  items: 'tags',
  single: {
    endpoint: 'GET /v1/vcr/repository/{registryRepository}/tags/{id}?projectId={project}',
    item: 'tag',
  },
  key: 'tag',
  output: () => ({
    tag: text('The tag.'),
    imageId: text('The id of its image.'),
    status: text('Whether that image can be used.'),
    manifestDigest: text('The digest of its manifest.'),
    sizeInBytes: integer('Its size.'),
    updatedAt: time('When it was last moved.'),
  }),
  columns: ['tag', 'imageId', 'status', 'updatedAt'],
  moves: ['pushes'],
});
