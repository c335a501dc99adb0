import * as z from 'zod';

/** The DNS types that the platform knows. */
export const dnsTypes = ['A', 'AAAA', 'ALIAS', 'CAA', 'CNAME', 'HTTPS', 'MX', 'NS', 'SRV', 'TXT'] as const;
export type DnsType = (typeof dnsTypes)[number];

/** One DNS record in its written form: hosts lower-case with a trailing dot, the apex as ''. */
export interface DnsRecord {
  id: string;
  type: DnsType;
  name: string;
  value?: string;
  mxPriority?: number;
  srv?: { priority: number; weight: number; port: number; target: string };
  https?: { priority: number; target: string; params: string };
  ttl: number;
  comment: string;
  /** A user's id, or 'system' for a record of the platform. */
  creator: string;
  createdAt: number;
  updatedAt: number | null;
}

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
