import * as z from 'zod';
import { isHttpUrl, strings } from '../validate.ts';

const url = z.string().refine(isHttpUrl, 'should be an http or https URL');
// The two bounds are the Terraform provider's.
const headers = z
  .record(z.string(), z.string())
  .refine((members) => Object.keys(members).length <= 5, 'should NOT have more than 5 headers');
const secret = z.string().min(32).optional();
const lines = z.enum(['json', 'ndjson']);

const delivery = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('http'),
    endpoint: url,
    encoding: lines,
    compression: z.enum(['gzip', 'none']).optional(),
    headers,
    secret,
  }),
  z.strictObject({
    type: z.literal('otlphttp'),
    endpoint: z.strictObject({ traces: url }),
    encoding: z.enum(['proto', 'json']),
    headers,
    secret,
  }),
  z.strictObject({
    type: z.literal('s3'),
    endpoint: z.string().min(1),
    encoding: lines,
    compression: z.literal('none'),
    fileStructure: z.literal('hive'),
    roleArn: z.string().min(1),
    region: z.string().min(1),
    serverSideEncryption: z.enum(['AES256', 'aws:kms', 'aws:kms:dsse']).default('AES256'),
    objectAcl: z.enum(['private', 'bucket-owner-read', 'bucket-owner-full-control']).optional(),
  }),
]);

const schemas = z
  .partialRecord(
    z.enum(['log', 'trace', 'analytics', 'speed_insights', 'audit_log', 'ai_gateway', 'connect']),
    z.strictObject({ version: z.literal('v1') }),
  )
  .refine((members) => Object.keys(members).length > 0, 'should name a schema');

const environments = z.array(z.enum(['production', 'preview']));
const sources = z.array(z.enum(['build', 'edge', 'lambda', 'static', 'external', 'firewall', 'redirect']));
const filter = z.strictObject({
  version: z.literal('v2'),
  filter: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('basic'),
      project: z.strictObject({ ids: strings.optional() }).optional(),
      log: z.strictObject({ sources: sources.optional() }).optional(),
      deployment: z.strictObject({ environments: environments.optional() }).optional(),
    }),
    z.strictObject({ type: z.literal('odata'), text: z.string().min(1) }),
  ]),
});

const fields = {
  name: z.string().min(1),
  projects: z.enum(['some', 'all']),
  projectIds: strings,
  filter,
  schemas,
  delivery,
  sampling: z.array(
    z.strictObject({
      type: z.literal('head_sampling'),
      rate: z.number().min(0).max(1),
      env: z.enum(['production', 'preview']).optional(),
      requestPath: z.string().optional(),
    }),
  ),
  transforms: z.array(z.strictObject({ id: z.string() })),
  source: z.strictObject({
    kind: z.enum(['self-served', 'integration']).optional(),
    resourceId: z.string().optional(),
    externalResourceId: z.string().optional(),
  }),
};

/**
 * The body of POST /v1/drains. The constants that the SDK's request schema lost (type, version) are those of its
 * answers.
 */
export const createDrainBody = z.strictObject({
  ...fields,
  projectIds: strings.optional(),
  filter: filter.optional(),
  delivery: delivery.optional(),
  sampling: fields.sampling.optional(),
  transforms: fields.transforms.optional(),
  source: fields.source.optional(),
});
export type CreateDrain = z.infer<typeof createDrainBody>;

/** The body of PATCH /v1/drains/{id}: null takes a filter, a sampling, transforms or the choice of projects away. */
export const updateDrainBody = z
  .strictObject({
    ...fields,
    projectIds: strings.nullable(),
    filter: filter.nullable(),
    sampling: fields.sampling.nullable(),
    transforms: fields.transforms.nullable(),
    status: z.enum(['enabled', 'disabled']),
  })
  .partial();
export type UpdateDrain = z.infer<typeof updateDrainBody>;

/** The body of POST /v1/drains/test. */
export const testDrainBody = z.strictObject({ schemas, delivery });
