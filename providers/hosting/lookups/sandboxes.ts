import { defineLookup, described, openEnum } from '#kind';

const { text, time, integer, json } = described;

const paging = () => ({
  project: text('Only this project, by id or name.').optional(),
  name: text('Only this sandbox.').optional(),
});

export const sandboxSession = defineLookup({
  name: 'sandboxSession',
  doc: 'The sessions of sandboxes.',
  endpoint: 'GET /v2/sandboxes/sessions',
  items: 'sessions',
  single: { endpoint: 'GET /v2/sandboxes/sessions/{id}', item: 'session' },
  key: 'id',
  input: paging,
  output: () => ({
    id: text('Its id.'),
    sourceSandboxName: text('The sandbox.'),
    status: openEnum([
      'pending',
      'running',
      'stopping',
      'stopped',
      'snapshotting',
      'failed',
      'aborted',
    ]).describe('Its status.'),
    region: text('Its region.'),
    runtime: text('Its runtime.'),
    vcpus: integer('Its vCPUs.'),
    memory: integer('Its memory, in MB.'),
    timeout: integer('Its timeout, in milliseconds.'),
    createdAt: time('When it started.'),
  }),
  columns: ['id', 'sourceSandboxName', 'status', 'region', 'createdAt'],
  moves: ['actions', 'visitors'],
  end: { field: 'status', reached: ['stopped'], ended: ['failed', 'aborted'] },
});

export const sandboxCommand = defineLookup({
  name: 'sandboxCommand',
  doc: 'The commands of a sandbox session.',
  endpoint: 'GET /v2/sandboxes/sessions/{session}/cmd',
  items: 'commands',
  single: { endpoint: 'GET /v2/sandboxes/sessions/{session}/cmd/{id}', item: 'command' },
  key: 'id',
  input: () => ({ session: text('The id of the session.') }),
  output: () => ({
    id: text('Its id.'),
    name: text('The program.'),
    args: json('Its arguments.'),
    cwd: text('The working directory.'),
    exitCode: integer('Its exit code, once it has finished.'),
    startedAt: time('When it started.'),
  }),
  moves: ['actions'],
  end: { field: 'exitCode', reached: ['0'], ended: [...Array(255).keys()].map((code) => String(code + 1)) },
});

export const sandboxSnapshot = defineLookup({
  name: 'sandboxSnapshot',
  doc: 'The snapshots of sandbox file systems.',
  endpoint: 'GET /v2/sandboxes/snapshots',
  items: 'snapshots',
  single: { endpoint: 'GET /v2/sandboxes/snapshots/{id}', item: 'snapshot' },
  key: 'id',
  input: paging,
  output: () => ({
    id: text('Its id.'),
    sourceSessionId: text('The session it was taken from.'),
    status: openEnum(['created', 'deleted', 'failed']).describe('Its status.'),
    sizeBytes: integer('Its size.'),
    createdAt: time('When it was created.'),
    lastUsedAt: time('When it was last used.'),
  }),
  columns: ['id', 'status', 'sizeBytes', 'createdAt'],
  moves: ['actions'],
});
