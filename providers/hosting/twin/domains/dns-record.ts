import * as z from 'zod';
import { type Call, times } from '../call.ts';
import { badRequest, forbidden, notFound } from '../errors.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { operation, type Resource, seedList } from '../resource.ts';
import { listItem, patchedRecord, recordById } from './dns-read.ts';
import {
  type CreateRecord,
  createRecordBody,
  type DnsRecord,
  dnsTypes,
  updateRecordBody,
} from './dns-record-body.ts';
import { checkBesideOthers, checkRecord } from './dns-rules.ts';
import { type Domain, findDomain } from './domain-state.ts';

declare module '../account.ts' {
  interface DomainSeed extends Seeds<'records', typeof seed> {}
}

/** A record with the domain whose zone it is in. */
interface Found {
  record: DnsRecord;
  domain: Domain;
}

/**
 * Returns the record that the path names, with its domain. Searches all domains of the owner if the path names none. Throws 404 if there is
 * none.
 */
function findRecord(call: Call): Found {
  const domains =
    call.params.domain === undefined
      ? call.account.domains.filter((domain) => domain.ownerId === call.owner.id)
      : [findDomain(call)];
  for (const domain of domains) {
    const record = domain.records.find((record) => record.id === call.params.recordId);
    if (record !== undefined) return { record, domain };
  }
  throw notFound('The DNS record');
}

/** Finds a record like `findRecord`, for a write: throws 403 for one of the platform. */
function ownRecord(call: Call): Found {
  const record = findRecord(call);
  if (record.record.creator !== 'system') return record;
  throw forbidden('Records of the system cannot be changed or deleted.').by('PF47');
}

const withoutNulls = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));

/** Returns the members of a record that an update does not change: without its content if the type changes. */
function unchangedMembers(record: DnsRecord, type: string): Record<string, unknown> {
  const { name, ttl, comment } = record;
  if (type !== record.type) return { type, name, ttl, comment };
  const { value, mxPriority, srv, https } = record;
  return { type, name, ttl, comment, value, mxPriority, srv, https };
}

/** Changes a record, or throws 400 for a change that the platform refuses. */
function update(call: Call, { record, domain }: Found, changes: object): unknown {
  const body = withoutNulls(changes);
  const recordType = (body.type as DnsRecord['type'] | undefined) ?? record.type;
  if (recordType !== record.type && !call.switches.recordTypeChangeable) {
    throw badRequest('The type of a record cannot be changed.').by('recordTypeChangeable');
  }
  const content = checkRecord({
    ...withoutNulls(unchangedMembers(record, recordType)),
    ...body,
  } as CreateRecord);
  checkBesideOthers(
    content,
    domain.name,
    domain.records.filter((other) => other !== record),
  );
  const { id, creator, createdAt } = record;
  const changed: DnsRecord = { id, ...content, creator, createdAt, updatedAt: call.time() };
  domain.records[domain.records.indexOf(record)] = changed;
  return patchedRecord(changed, domain, call.switches);
}

const seed = createRecordBody.extend({
  type: z.enum(dnsTypes),
  id: z.string().optional(),
  creator: z.string().optional(),
});

/** The DNS records of a domain's zone. */
export const dnsRecord: Resource = {
  operations: {
    getRecords: operation({ on: findDomain, query: timePageQuery, list: 'records' }, (call, { records }) => {
      const { page, pagination } = timePage(call, records);
      return { records: page.map((record) => listItem(record, call.switches)), pagination };
    }),
    createRecord: operation(
      { on: findDomain, body: createRecordBody, statuses: [200, 409] },
      (call, { name, records }, body) => {
        const content = checkRecord(body);
        checkBesideOthers(content, name, records);
        const id = call.id('rec_');
        records.push({ id, ...content, creator: call.account.user.id, ...times(call) });
        return { uid: id };
      },
    ),
    updateRecord: operation({ on: ownRecord, body: updateRecordBody, statuses: [200, 409] }, update),
    removeRecord: operation({ on: ownRecord }, (_, { record, domain }) => {
      domain.records.splice(domain.records.indexOf(record), 1);
      return {};
    }),
    getDomainsRecordsByRecordId: operation({ on: findRecord }, (call, { record, domain }) =>
      recordById(record, domain, call.switches),
    ),
  },
  seed: {
    domain: {
      records: seedList(seed, (making, { id, creator, ...record }, { name, records }: Domain) => {
        const content = checkRecord({ ...record, name: record.name === '@' ? '' : record.name });
        if (creator !== 'system') checkBesideOthers(content, name, records);
        records.push({
          id: id ?? making.id('rec_'),
          ...content,
          creator: creator ?? making.account.user.id,
          ...times(making),
        });
      }),
    },
  },
};
