import * as z from 'zod';
import { dnsTypes } from '../account.ts';

const port = z.int().min(0).max(65_535);
const ttl = z.int().min(60).max(2_147_483_647);
const comment = z.string().max(500);
const type = z.enum(dnsTypes);

const srv = z.strictObject({
  priority: port.nullable(),
  weight: port.nullable(),
  port: port.nullable(),
  target: z.string().nullable(),
});
const https = z.strictObject({
  priority: port.nullable(),
  target: z.string().nullable(),
  params: z.string().nullable().optional(),
});

/** Every member that a record may be written with; which go with which type is checked by `checkRecord`. */
export const createRecordBody = z.strictObject({
  type,
  name: z.string().optional(),
  value: z.string().optional(),
  ttl: ttl.optional(),
  comment: comment.optional(),
  mxPriority: port.optional(),
  srv: srv.optional(),
  https: https.optional(),
});

/** The body of PATCH: the same members, where null means "unchanged". */
export const updateRecordBody = z.strictObject({
  type: type.nullable().optional(),
  name: z.string().nullable().optional(),
  value: z.string().nullable().optional(),
  ttl: ttl.nullable().optional(),
  comment: comment.optional(),
  mxPriority: port.nullable().optional(),
  srv: srv.nullable().optional(),
  https: https.nullable().optional(),
});
export type CreateRecord = z.infer<typeof createRecordBody>;
