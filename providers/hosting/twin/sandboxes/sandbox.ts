import * as z from 'zod';
import type { Project } from '../account.ts';
import { type Call, type Making, stamped } from '../call.ts';
import { badRequest, conflict } from '../errors.ts';
import { findProject, projectOfBody, projectQuery } from '../find-project.ts';
import { being, namePrefix } from '../http/list-query.ts';
import { boolean, choice, required, several } from '../http/query.ts';
import { ofQueriedProject } from '../kept.ts';
import { type Operation, operation, type Resource } from '../resource.ts';
import { strings } from '../validate.ts';

const texts = z.record(z.string(), z.string());
const size = z.strictObject({ vcpus: z.number().optional(), memory: z.number().optional() });
const policy = z.strictObject({
  mode: z.enum(['allow-all', 'deny-all', 'custom', 'default-allow', 'default-deny']),
  allowedDomains: strings.optional(),
  allowedCIDRs: strings.optional(),
  deniedCIDRs: strings.optional(),
  injectionRules: z
    .array(
      z.strictObject({
        domain: z.string(),
        headers: texts,
        match: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
});
const runtimes = ['node22', 'node24', 'python3.13'] as const;

const both = {
  resources: size.optional(),
  timeout: z.int().min(1).optional(),
  persistent: z.boolean().optional(),
  snapshotExpiration: z.int().min(0).optional(),
  networkPolicy: policy.optional(),
  env: texts.optional(),
  tags: texts.optional(),
};
const updateBody = z.strictObject({
  ...both,
  runtime: z.enum(runtimes).optional(),
  currentSnapshotId: z.string().optional(),
});
// The client of the sandboxes does not document the content of `source`, `keepLastSnapshots` and `mounts`.
const createBody = z.strictObject({
  ...both,
  projectId: z.string().optional(),
  name: z.string().optional(),
  ports: z.array(z.number()).optional(),
  source: z.record(z.string(), z.unknown()).optional(),
  image: z.string().optional(),
  networkId: z.string().optional(),
  keepLastSnapshots: z
    .strictObject({
      count: z.number(),
      expiration: z.number().optional(),
      deleteEvicted: z.boolean(),
    })
    .optional(),
  mounts: z
    .record(
      z.string(),
      z.strictObject({
        drive: z.string(),
        mode: z.enum(['read-only', 'read-write', 'snapshot']).default('read-write'),
      }),
    )
    .optional(),
  region: z.string().optional(),
  failoverRegions: strings.optional(),
});
// Only the older of the two operations that create a sandbox accepts `runtime`.
const withRuntime = createBody.extend({ runtime: z.enum(runtimes).optional() });
const seed = withRuntime.omit({ projectId: true }).extend({ name: z.string() });

/** A sandbox. Answers never show `env`, `source` and the secrets that it puts into requests. */
export interface Sandbox extends Omit<z.output<typeof seed>, 'resources' | 'persistent' | 'timeout'> {
  persistent: boolean;
  timeout: number;
  vcpus: number;
  memory: number;
  status: 'running' | 'stopped';
  statusUpdatedAt: number;
  currentSessionId: string;
  currentSnapshotId?: string;
  createdAt: number;
  updatedAt: number;
}

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'sandboxes', Sandbox> {}
  interface ProjectSeed extends Seeds<'sandboxes', typeof seed> {}
}

/** Returns the session of a sandbox as answers show it. */
const session = ({ currentSessionId: id, status, vcpus, memory, timeout, createdAt }: Sandbox) => ({
  ...{ id, status, vcpus, memory, timeout, createdAt, requestedAt: createdAt, updatedAt: createdAt },
});

/** Returns the addresses of a sandbox's ports. */
const routes = ({ ports = [], name }: Sandbox) =>
  ports.map((port) => ({
    port,
    subdomain: `${name}-${port}`,
    url: `https://${name}-${port}.sandbox.example`,
  }));

/** Returns processors and memory of a sandbox: by default 2 processors, and 2048 MB for each. */
const sized = ({ vcpus = 2, memory }: z.infer<typeof size>) => ({ vcpus, memory: memory ?? vcpus * 2048 });

/** Returns a new sandbox with its drives mounted, or throws if it cannot have its name or a drive. */
function make(making: Making, { resources = {}, ...body }: z.output<typeof seed>, project: Project): Sandbox {
  if (!/^[\w-]+$/.test(body.name)) throw badRequest('Invalid request: `name` should match its pattern.');
  if (project.sandboxes.some(({ name }) => name === body.name))
    throw conflict(`A sandbox with the name ${body.name} exists already.`);
  for (const { drive: wanted } of Object.values(body.mounts ?? {})) {
    const drive = project.sandboxDrives.find(({ name }) => name === wanted);
    if (drive === undefined) throw badRequest(`There is no drive ${wanted}.`);
    if (drive.currentSandboxName !== undefined) throw conflict('Another sandbox has the drive mounted.');
    drive.currentSandboxName = body.name;
  }
  const { createdAt, updatedAt } = stamped(making, 'sbx_');
  const currentSessionId = making.id('sbx_');
  const sandbox: Sandbox = {
    ...{ persistent: true, timeout: 300_000, region: 'iad1', ...body, ...sized(resources) },
    ...{ status: 'running', statusUpdatedAt: createdAt, currentSessionId, createdAt, updatedAt },
  };
  if (sandbox.image === undefined) sandbox.runtime ??= 'node24';
  return sandbox;
}

const sandboxes = ofQueriedProject('sandboxes', {
  ...{ what: 'Sandbox', param: 'name', by: ['name'], as: 'sandbox' },
  shows(_, { env: _env, source: _source, ports: _ports, networkPolicy, ...sandbox }) {
    const { injectionRules: _rules, ...policy } = networkPolicy ?? { mode: 'allow-all' as const };
    return { ...sandbox, networkPolicy: policy, cwd: '/vercel/sandbox' };
  },
});

/** Returns an answer with a sandbox, its session and the addresses of its ports. */
const withSession = (call: Call, sandbox: Sandbox, project: Project) => ({
  ...(sandboxes.answer(call, sandbox, project) as object),
  session: session(sandbox),
  routes: routes(sandbox),
});

/** Returns the operation that creates a sandbox and starts its first session. */
const creating = (body: typeof createBody | typeof withRuntime): Operation =>
  operation({ on: projectOfBody, body, statuses: [200, 404, 409] }, (call, project, body) => {
    const { projectId: _, name = call.id('sandbox-', 8), ...given } = body;
    return withSession(call, sandboxes.add(call, make(call, { name, ...given }, project), project), project);
  });

/** True if tags have the one that a query asks for: `name:value`. */
function isTagged(tags: Record<string, string>, tag: string): boolean {
  const [name, value] = tag.split(':');
  return tags[name!] === value;
}

const statuses = ['running', 'stopping', 'stopped'] as const;

/** Sandboxes of a project. A read of a stopped sandbox with `resume` starts it. */
export const sandbox: Resource = {
  ...sandboxes.kept(seed, make),
  operations: {
    listNamedSandboxes: sandboxes.pages('sandboxes', {
      home: (call) => findProject(call, call.query.get('project') ?? ''),
      cursor: 'cursor',
      query: { project: required },
      where: {
        namePrefix,
        status: being('status', choice(statuses)),
        tags: [several, ({ tags = {} }, asked) => asked.split(',').every((tag) => isTagged(tags, tag))],
      },
      sorts: ['createdAt', 'name', 'statusUpdatedAt', 'currentSnapshotId'],
    }),
    'POST /v2/sandboxes': creating(withRuntime),
    'POST /v3/sandboxes': creating(createBody),
    getNamedSandbox: operation(
      { on: sandboxes.named, query: { ...projectQuery, resume: boolean } },
      (call, { object: sandbox, home }) => {
        const resumed = call.query.get('resume') === 'true' && sandbox.status === 'stopped';
        if (resumed)
          Object.assign(sandbox, {
            ...{ status: 'running', currentSessionId: call.id('sbx_'), statusUpdatedAt: call.time() },
          });
        return { ...withSession(call, sandbox, home), resumed };
      },
    ),
    updateSandbox: sandboxes.update({ body: updateBody.optional() }, (_, sandbox, { resources, ...body }) =>
      Object.assign(sandbox, body, resources && sized({ ...sandbox, ...resources })),
    ),
    // The twin has no snapshots that could be deleted with it.
    deleteSandbox: sandboxes.remove(
      { query: { deleteOrphanSnapshots: boolean }, answer: 'itself' },
      (call, sandbox, { sandboxDrives }) => {
        call.query.get('deleteOrphanSnapshots');
        for (const drive of sandboxDrives)
          if (drive.currentSandboxName === sandbox.name) delete drive.currentSandboxName;
      },
    ),
  },
  after: ['projects.sandboxDrives'],
};
