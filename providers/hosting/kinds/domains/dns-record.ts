import { z } from 'zod';
import { defineKind, escapeName, type Fields, openEnum, setOf } from '#kind';
import { fromApi, memberKey, normalName, normalRecord } from './dns-content.ts';
import { problemsOf } from './dns-problems.ts';
import { clashes, normalSet, settle } from './dns-set.ts';
import { writes } from './dns-writes.ts';

const types = ['A', 'AAAA', 'ALIAS', 'CAA', 'CNAME', 'HTTPS', 'MX', 'NS', 'SRV', 'TXT'];
const number16 = z.int().min(0).max(65535);
const target = z.string().min(1, 'a service without a host has the target `.`');

/**
 * A DNS record. What is owned is the set of all records with one name and type; its members are inside it. See
 * `dns-content.ts` for their normal form, and `dns-writes.ts` for how a changed set becomes requests.
 */
export const dnsRecord = defineKind({
  name: 'dnsRecord',
  doc: 'A DNS record of a domain. All records with one name and type are one set, declared whole (TXT excepted).',
  section: 'records',
  parent: 'domain',
  key: ['name', 'type'],
  replace: 'free',
  fields: {
    type: z.enum(types),
    name: z.string(),
    value: z.string().optional(),
    ttl: z.int().min(60, 'the platform accepts 60 seconds and more').max(2147483647).optional(),
    mxPriority: number16.optional(),
    srv: z.strictObject({ priority: number16, weight: number16, port: number16, target }).optional(),
    https: z.strictObject({ priority: number16, target, params: z.string().optional() }).optional(),
    comment: z.string().max(500).optional(),
  },
  names: ({ name, type }) => [escapeName(String(name)), String(type)],
  check: (record, zone) => problemsOf(record, String(zone.name)),
  rows: {
    fields: {
      name: z.string(),
      type: openEnum(types),
      records: setOf(z.record(z.string(), z.any()), { whereDeclared: ['ttl', 'comment'] }),
    },
    toUnits: ({ name, type, ...record }, zone) => [
      {
        name: normalName(String(name), String(zone.name)),
        type: type!,
        records: [normalRecord(String(type), record, String(zone.name))],
      },
    ],
    merge: (one, other) => {
      const records = [...(one.records as Fields[]), ...(other.records as Fields[])];
      return new Set(records.map(memberKey)).size === records.length ? { ...one, records } : undefined;
    },
    toRow: ([{ name, type, records } = {}]) => ({ name: name!, type: type!, ...(records as Fields[])[0] }),
  },
  normal: normalSet,
  align: settle,
  clashes,
  api: {
    list: { endpoint: 'GET /v5/domains/{domain}/records', items: 'records' },
    // The platform's own records cannot be changed, and give way to the user's.
    decode: (row) => (row.creator === 'system' ? undefined : fromApi(row)),
    batch: writes,
  },
});
