import * as z from 'zod';
import { defineKind, escapeName, type Fields, openEnum, setOf, withTraits } from '#kind';
import { batch, rows } from '#shapes';
import { fromApi, memberKey, normalName, normalRecord, rowFromSingle } from './dns-content.ts';
import { problemsOf } from './dns-problems.ts';
import { clashes, normalSet, settle } from './dns-set.ts';
import { writes } from './dns-writes.ts';

const types = ['A', 'AAAA', 'ALIAS', 'CAA', 'CNAME', 'HTTPS', 'MX', 'NS', 'SRV', 'TXT'];
const number16 = () => z.int().min(0).max(65535);
const priority = () => number16().describe('Lower numbers are tried first.');
/** Describes the target host of an SRV or HTTPS record. */
const target = () =>
  z
    .string()
    .min(1, 'for a service without a host, use the target `.`')
    .describe(
      'The target host; a single label is relative to the zone, any other host is absolute; `@` is the zone.',
    );

/**
 * A DNS record. A unit of ownership is the set of all records with one name and type; its members are inside it. See
 * `dns-content.ts` for their normal form, and `dns-writes.ts` for how a changed set becomes requests.
 */
export const dnsRecord = defineKind({
  name: 'dnsRecord',
  doc: 'A DNS record of a domain. All records with the same name and type form one set, declared as a whole (except TXT).',
  example: `
domains:
  example.com:
    records:
      - { type: A, name: "@", value: 192.0.2.1, ttl: 300 }
      - { type: MX, name: "@", value: mail.example.com, mxPriority: 10 }
      - { type: TXT, name: _dmarc, value: v=DMARC1; p=none }
      - { type: SRV, name: _sip._tcp, srv: { priority: 1, weight: 1, port: 5060, target: sip.example.com } }
`,
  section: 'records',
  otherWords: ['dns'],
  parent: 'domain',
  key: ['name', 'type'],
  form: 2,
  lifecycle: { replace: 'free' },
  usual: { ttl: 60 },
  fields: () => ({
    type: z.enum(types).describe('The type of the record.'),
    name: z.string().describe('The name relative to the zone; `@` is the zone itself.'),
    value: z
      .string()
      .optional()
      .describe(
        "The record's value: an address, host or text, depending on its type; not for SRV and HTTPS.",
      ),
    ttl: z
      .int()
      .min(60, 'the platform accepts 60 seconds or more')
      .max(2147483647)
      .optional()
      .describe('How long responses are cached, in seconds; 60 by default.'),
    mxPriority: number16().optional().describe('For MX: mail servers with lower numbers are tried first.'),
    srv: z
      .strictObject({
        priority: priority(),
        weight: number16().describe('The share among targets of the same priority.'),
        port: number16().describe('The port of the service.'),
        target: target(),
      })
      .optional()
      .describe('For SRV: its data, instead of a value.'),
    https: z
      .strictObject({
        priority: priority(),
        target: target(),
        params: z
          .string()
          .optional()
          .describe('Service parameters, such as `alpn=h2,h3 port=443`; their order does not matter.'),
      })
      .optional()
      .describe('For HTTPS: its data, instead of a value.'),
    comment: z.string().max(500).optional().describe('A note about the record, up to 500 characters.'),
  }),
  rules: {
    check: (record, zone) => problemsOf(record, String(zone.name)),
    normal: normalSet,
    align: settle,
    clashes,
  },
  yaml: { names: ({ name, type }) => [escapeName(String(name)), String(type)] },
  shape: rows(
    {
      fields: () => ({
        name: z.string(),
        type: openEnum(types),
        records: withTraits(setOf(z.record(z.string(), z.any()), { whereDeclared: ['ttl', 'comment'] }), {
          published: ['value', 'target', 'params'],
        }),
      }),
      toUnits: ({ name, type, ...record }, zone) => [
        {
          name: normalName(String(name), String(zone.name)),
          type: type!,
          records: [normalRecord(String(type), record, String(zone.name))],
        },
      ],
      merge: (fields, sameSet) => {
        const records = [...(fields.records as Fields[]), ...(sameSet.records as Fields[])];
        return new Set(records.map(memberKey)).size === records.length ? { ...fields, records } : undefined;
      },
      toRow: ([{ name, type, records } = {}]) => ({ name: name!, type: type!, ...(records as Fields[])[0] }),
    },
    batch(writes),
  ),
  read: {
    endpoint: 'GET /v5/domains/{domain}/records',
    items: 'records',
    // Checks ask whether the platform's own records answer for a name.
    facts: ['name', 'type'],
    byId: { endpoint: 'GET /domains/records/{id}', item: rowFromSingle, within: 'domain' },
  },
  // The platform's own records cannot be changed, and give way to the user's.
  decode: (row) => (row.creator === 'system' ? undefined : fromApi(row)),
  create: 'POST /v2/domains/{domain}/records',
  update: 'PATCH /v1/domains/records/{record}',
  delete: 'DELETE /v2/domains/{domain}/records/{record}',
});
