import { defineLookup, described, openEnum } from '#kind';

const { text, time, whole, json } = described;

const paging = () => ({
  project: text('Only those of this project, by its id or name.').optional(),
  name: text('Only those of this sandbox.').optional(),
});

export const sandboxSession = defineLookup({
  name: 'sandboxSession',
  doc: 'The sessions of sandboxes: each time that one runs.',
  endpoint: 'GET /v2/sandboxes/sessions',
  items: 'sessions',
  one: { endpoint: 'GET /v2/sandboxes/sessions/{id}', item: 'session' },
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
    ]).describe('How it stands.'),
    region: text('Where it runs.'),
    runtime: text('What it runs on.'),
    vcpus: whole('Its processors.'),
    memory: whole('Its memory, in MB.'),
    timeout: whole('After how many milliseconds it stops.'),
    createdAt: time('When it began.'),
  }),
  columns: ['id', 'sourceSandboxName', 'status', 'region', 'createdAt'],
  moves: ['actions', 'visitors'],
  end: { field: 'status', reached: ['stopped'], ended: ['failed', 'aborted'] },
});

export const sandboxCommand = defineLookup({
  name: 'sandboxCommand',
  doc: 'The commands that ran, or run, in a session of a sandbox.',
  endpoint: 'GET /v2/sandboxes/sessions/{session}/cmd',
  items: 'commands',
  one: { endpoint: 'GET /v2/sandboxes/sessions/{session}/cmd/{id}', item: 'command' },
  key: 'id',
  input: () => ({ session: text('The id of the session.') }),
  output: () => ({
    id: text('Its id.'),
    name: text('The program.'),
    args: json('Its arguments.'),
    cwd: text('The folder that it runs in.'),
    exitCode: whole('Its exit code, once it is over.'),
    startedAt: time('When it began.'),
  }),
  moves: ['actions'],
  end: { field: 'exitCode', reached: ['0'], ended: [...Array(255).keys()].map((code) => String(code + 1)) },
});

export const sandboxSnapshot = defineLookup({
  name: 'sandboxSnapshot',
  doc: 'What is kept of the file systems of sandboxes.',
  endpoint: 'GET /v2/sandboxes/snapshots',
  items: 'snapshots',
  one: { endpoint: 'GET /v2/sandboxes/snapshots/{id}', item: 'snapshot' },
  key: 'id',
  input: paging,
  output: () => ({
    id: text('Its id.'),
    sourceSessionId: text('The session that it was made of.'),
    status: openEnum(['created', 'deleted', 'failed']).describe('How it stands.'),
    sizeBytes: whole('Its size.'),
    createdAt: time('When it was made.'),
    lastUsedAt: time('When something last began with it.'),
  }),
  columns: ['id', 'status', 'sizeBytes', 'createdAt'],
  moves: ['actions'],
});
