import { z } from 'zod';
import { type ApiObject, defineKind, escapeName, type Fields, openEnum, problem, withTraits } from '#kind';
import { clashes, fromApi, memberKey, membersOf, normalName, normalRecord, writes } from './dns-set.ts';

const types = ['A', 'AAAA', 'ALIAS', 'CAA', 'CNAME', 'HTTPS', 'MX', 'NS', 'SRV', 'TXT'];
const number16 = z.int().min(0).max(65535);

/**
 * A DNS record. What is owned is the set of all records with one name and type; its members are inside it.
 * See `dns-set.ts` for the normal form and for how a changed set becomes requests.
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
    srv: z
      .strictObject({ priority: number16, weight: number16, port: number16, target: z.string() })
      .optional(),
    https: z
      .strictObject({ priority: number16, target: z.string(), params: z.string().optional() })
      .optional(),
    comment: z.string().max(500).optional(),
  },
  names: ({ name, type }) => [escapeName(String(name)), String(type)],
  check: (record) => membersOf(record).flatMap(({ path, message, hint }) => ({ path, message, hint })),
  rows: {
    fields: {
      name: z.string(),
      type: openEnum(types),
      records: withTraits(z.array(z.record(z.string(), z.any())), { unordered: true }),
    },
    toUnits: ({ name, type, ...record }, zone) => [
      {
        name: normalName(String(name), String(zone.name)),
        type,
        records: [normalRecord(String(type), record, String(zone.name))],
      } as Fields,
    ],
    merge: (one, other) => {
      const [added] = other.records as Fields[];
      const records = one.records as Fields[];
      if (records.some((record) => memberKey(record) === memberKey(added!))) return undefined;
      return { ...one, records: [...records, added!] };
    },
    toRow: ([{ name, type, records } = {}]) => ({ name, type, ...(records as Fields[])[0] }) as Fields,
  },
  // Undeclared members of a declared set are not silently kept, since they answer queries too. TXT is shared by habit.
  align: ({ desired, live, ownedIds, exclusive }) => {
    const { type, records } = desired.fields as unknown as { type: string; records: Fields[] };
    if (!live) return { desired: desired.fields };
    const wanted = new Map(records.map((record) => [memberKey(record), record]));
    const strangers: Fields[] = [];
    const found = (live.rows ?? []).flatMap(({ id, fields }) => {
      const [record] = fields.records as Fields[];
      const match = wanted.get(memberKey(record!));
      // Only what is declared of a member is compared.
      if (match)
        return Object.fromEntries(Object.entries(record!).filter(([name]) => name in match)) as Fields;
      if (ownedIds.includes(id) || exclusive) return record!;
      if (type !== 'TXT') strangers.push(record!);
      return [];
    });
    return {
      desired: desired.fields,
      live: { ...live.fields, records: found },
      problems:
        strangers.length === 0
          ? []
          : [
              problem(
                'dns/undeclared-members',
                `${desired.address} also has ${strangers.map((record) => JSON.stringify(record.value ?? record.srv ?? record.https)).join(', ')} in the account, which is not declared`,
                {
                  address: desired.address,
                  at: desired.at,
                  hint: 'declare it too, or write `$exclusive: [records]` in the domain to have everything undeclared deleted',
                },
              ),
            ],
    };
  },
  clashes,
  api: {
    list: { endpoint: 'GET /v5/domains/{domain}/records', items: 'records' },
    decode: (row: ApiObject) => (row.creator === 'system' ? undefined : fromApi(row)),
    batch: writes,
  },
});
