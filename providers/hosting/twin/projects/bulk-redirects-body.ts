import * as z from 'zod';
import { strings } from '../validate.ts';

/** Returns the schema of a path or a URL. `member`: the member that has it, for the message. */
const url = (member: string) =>
  z
    .string()
    .min(1, `should NOT be empty`)
    .max(2048, 'should NOT have more than 2048 characters')
    .regex(/^(\/|https?:\/\/)/, `should be a path or a URL as ${member}`);
const statusCode = z.literal([301, 302, 303, 307, 308]);
const statusText = z.enum(['301', '302', '303', '307', '308']);
const flags = {
  permanent: z.boolean().optional(),
  caseSensitive: z.boolean().optional(),
  query: z.boolean().optional(),
  preserveQueryParams: z.boolean().optional(),
};
/** The name of a version, which the documentation of the API limits to 256 characters. */
const name = z.string().max(256, 'should NOT have more than 256 characters').optional();

/** A redirect as PUT and a seed take it. Lengths are the Terraform provider's, status codes the CLI's. */
export const bulkRedirect = z.strictObject({
  source: url('source'),
  destination: url('destination'),
  statusCode: z.union([statusCode, statusText]).optional(),
  ...flags,
});

/** The body of PUT. `teamId` is documented as required; the personal account has none to send. */
export const stageRedirectsBody = z.strictObject({
  projectId: z.string(),
  teamId: z.string().optional(),
  overwrite: z.boolean().optional(),
  name,
  redirects: z.array(bulkRedirect).optional(),
});

/** The body of PATCH: one redirect, found by its source. */
export const editRedirectBody = z.strictObject({
  name,
  redirect: z.strictObject({
    source: z.string(),
    destination: url('destination').optional(),
    statusCode: statusCode.optional(),
    ...flags,
  }),
  restore: z.boolean().optional(),
});

/** The body of DELETE and of /restore: sources. */
export const redirectSourcesBody = z.strictObject({ name, redirects: strings });

/** The body of POST .../versions. */
export const redirectVersionBody = z.strictObject({
  id: z.string(),
  action: z.enum(['promote', 'restore', 'discard']),
  name,
});
