import * as z from 'zod';
import {
  type ApiObject,
  atomic,
  createOnly,
  defineKind,
  type Fields,
  immutable,
  openEnum,
  readMayLack,
  refTo,
  type Step,
  secret,
  setOf,
  softRefTo,
  writeOnly,
} from '#kind';
import { domainName } from '../domains/host-name.ts';

const texts = () => setOf(z.string().min(1)).optional();

/** Describes the hosts that a sandbox may reach. Headers that it adds to requests are never read back. */
const networkPolicy = () =>
  z.strictObject({
    mode: openEnum(['allow-all', 'deny-all', 'custom', 'default-allow', 'default-deny']).describe(
      'The default policy.',
    ),
    allowedDomains: setOf(domainName()).optional().describe('Allowed host names.'),
    allowedCIDRs: texts().describe('Allowed addresses.'),
    deniedCIDRs: texts().describe('Denied addresses.'),
    injectionRules: writeOnly(
      atomic(
        z.array(
          z.strictObject({
            domain: z.string().min(1),
            headers: z.record(z.string(), secret(z.string())),
            match: z.record(z.string(), z.any()).optional(),
          }),
        ),
      ),
    )
      .optional()
      .describe(
        'Headers to inject into requests to a `domain`; their values are secret. They cannot be read back, and updating the policy without them removes them.',
      ),
  });

const createBody = ({ parent, body }: Step): ApiObject => ({ projectId: parent, ...body });

/**
 * A machine for untrusted code. It is read from the list alone: a read of one could start a stopped sandbox. Of the three ways to
 * create one the newest, v4, has no public form.
 */
export const sandbox = defineKind({
  name: 'sandbox',
  doc: 'A machine for running untrusted code. It costs money while a session runs; creating it starts one.',
  section: 'sandboxes',
  parent: 'project',
  key: ['name'],
  id: 'name',
  lifecycle: { container: true, after: ['sandboxDrive', 'registryRepository'], asks: { cost: 'create' } },
  form: 2,
  fields: () => ({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]+$/)
      .describe('Its name in the project: letters, digits, `-` and `_`.'),
    runtime: readMayLack(openEnum(['node22', 'node24', 'python3.13']))
      .optional()
      .describe('The runtime; alternatively, an `image`.'),
    image: softRefTo('registryRepository', readMayLack(immutable(z.string().min(1))))
      .optional()
      .describe("The container image to start from, in the project's registry."),
    source: createOnly(
      atomic(
        z.strictObject({
          type: openEnum(['git', 'tarball', 'snapshot']).describe('The type of the source.'),
          url: z.string().optional().describe('Its URL.'),
          revision: z.string().optional().describe('The commit or branch of a repository.'),
          depth: z.int().positive().optional().describe('The clone depth.'),
          username: z.string().optional().describe('The user name for the repository.'),
          password: secret(z.string()).optional().describe('The password or token for it.'),
          snapshotId: z.string().optional().describe('The snapshot of another sandbox.'),
        }),
      ),
    )
      .optional()
      .describe('The initial files; only used at creation.'),
    ports: createOnly(setOf(z.int().positive()))
      .optional()
      .describe('The exposed ports; only used at creation.'),
    resources: z
      .strictObject({
        vcpus: z.int().positive().optional().describe('The number of vCPUs.'),
        memory: z.int().positive().optional().describe('The memory, in MB.'),
      })
      .optional()
      .describe('The machine size.'),
    timeout: z.int().positive().optional().describe('The session timeout, in milliseconds.'),
    persistent: z.boolean().optional().describe('Whether its files are kept when a session ends.'),
    snapshotExpiration: readMayLack(z.int().min(0))
      .optional()
      .describe('How long a snapshot of its files is kept, in milliseconds.'),
    keepLastSnapshots: readMayLack(
      immutable(
        atomic(
          z.strictObject({
            count: z.int().positive(),
            expiration: z.int().min(0).optional(),
            deleteEvicted: z.boolean(),
          }),
        ),
      ),
    )
      .optional()
      .describe('How many snapshots are kept: `{ count: 3, deleteEvicted: true }`.'),
    networkPolicy: readMayLack(networkPolicy()).optional().describe('Its network policy.'),
    networkId: readMayLack(immutable(refTo('network')))
      .optional()
      .describe('Its private network.'),
    env: writeOnly(atomic(z.record(z.string(), secret(z.string()))))
      .optional()
      .describe('Its complete set of environment variables. They are secret and cannot be read back.'),
    tags: z.record(z.string(), z.string()).optional().describe('Custom tags, by name.'),
    mounts: readMayLack(
      immutable(
        z.record(
          z.string(),
          z.strictObject({
            drive: z.string().min(1).describe('The name of a drive of the project.'),
            mode: openEnum(['read-write', 'read-only', 'snapshot']).optional().describe('The access mode.'),
          }),
        ),
      ),
    )
      .optional()
      .describe('Its mounted drives, by path: `/data: { drive: cache }`.'),
    region: readMayLack(immutable(z.string().min(1)))
      .optional()
      .describe('Its region, such as `iad1`.'),
    failoverRegions: readMayLack(immutable(texts())).describe('The failover region.'),
  }),
  example: `secrets: { token: { env: WORKER_TOKEN } }
projects:
  web:
    sandboxDrives: { cache: {} }
    sandboxes:
      worker:
        runtime: node24
        resources: { vcpus: 2 }
        networkPolicy: { mode: custom, allowedDomains: [api.example.com] }
        env: { TOKEN: "\${secret.token}" }
        mounts: { /cache: { drive: cache } }`,
  read: { endpoint: 'GET /v2/sandboxes?project={project}', items: 'sandboxes' },
  decode: ({ vcpus, memory, ...found }) => ({ ...found, resources: { vcpus, memory } }) as unknown as Fields,
  create: [
    { endpoint: 'POST /v2/sandboxes', when: ({ body }) => body.runtime !== undefined, body: createBody },
    { endpoint: 'POST /v3/sandboxes', when: ({ body }) => body.runtime === undefined, body: createBody },
  ],
  update: 'PATCH /v2/sandboxes/{id}?projectId={project}',
  delete: 'DELETE /v2/sandboxes/{id}?projectId={project}',
});
