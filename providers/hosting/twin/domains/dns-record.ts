import type { DnsRecord, Domain } from '../account.ts';
import type { Bodies, Call, Handlers, Queries } from '../call.ts';
import { badRequest, forbidden, notFound } from '../errors.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { parseBody } from '../validate.ts';
import { type CreateRecord, createRecordBody, updateRecordBody } from './dns-body.ts';
import { listItem, patchedRecord, recordById } from './dns-read.ts';
import { checkNoConflict, checkRecord } from './dns-rules.ts';
import { findDomain } from './domain.ts';

/** The record that the path names, with its domain; paths without a domain search all domains of the owner. */
function findRecord(call: Call): { record: DnsRecord; domain: Domain } {
  const domains =
    call.params.domain === undefined
      ? call.account.domains.filter((one) => one.ownerId === call.owner.id)
      : [findDomain(call)];
  for (const domain of domains) {
    const record = domain.records.find((one) => one.id === call.params.recordId);
    if (record !== undefined) return { record, domain };
  }
  throw notFound('The DNS record');
}

function checkOwn(record: DnsRecord): void {
  if (record.creator === 'system') throw forbidden('Records of the system cannot be changed or deleted.');
}

function create(call: Call): unknown {
  const domain = findDomain(call);
  const content = checkRecord(parseBody(createRecordBody, call.body, call.outside));
  checkNoConflict(content, domain.records);
  const at = call.time();
  const id = call.id('rec_', 24);
  domain.records.push({ id, ...content, creator: call.account.user.id, createdAt: at, updatedAt: at });
  return { uid: id };
}

const withoutNulls = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));

/** What is left of a record's own members when another type takes its place. */
function kept(record: DnsRecord, type: string): Record<string, unknown> {
  const { name, ttl, comment } = record;
  if (type !== record.type) return { type, name, ttl, comment };
  const { value, mxPriority, srv, https } = record;
  return { type, name, ttl, comment, value, mxPriority, srv, https };
}

function update(call: Call): unknown {
  const { record, domain } = findRecord(call);
  checkOwn(record);
  const body = withoutNulls(parseBody(updateRecordBody, call.body, call.outside));
  const type = (body.type as DnsRecord['type'] | undefined) ?? record.type;
  if (type !== record.type && !call.switches.recordTypeChangeable) {
    throw badRequest('The type of a record cannot be changed.');
  }
  const content = checkRecord({ ...withoutNulls(kept(record, type)), ...body } as CreateRecord);
  checkNoConflict(
    content,
    domain.records.filter((one) => one !== record),
  );
  const { id, creator, createdAt } = record;
  const changed: DnsRecord = { id, ...content, creator, createdAt, updatedAt: call.time() };
  domain.records[domain.records.indexOf(record)] = changed;
  return patchedRecord(changed, domain, call.switches);
}

/** The DNS records of a domain's zone. */
export const dnsHandlers: Handlers = {
  getRecords(call) {
    const domain = findDomain(call);
    const { page, pagination } = timePage(call, domain.records, (record) => record.createdAt);
    return { records: page.map((record) => listItem(record, call.switches)), pagination };
  },
  createRecord: create,
  updateRecord: update,
  removeRecord(call) {
    const { record, domain } = findRecord(call);
    checkOwn(record);
    domain.records.splice(domain.records.indexOf(record), 1);
    return {};
  },
  getDomainsRecordsByRecordId(call) {
    const { record, domain } = findRecord(call);
    return recordById(record, domain, call.switches);
  },
};

/** The schemas of their request bodies. */
export const dnsBodies: Bodies = { createRecord: createRecordBody, updateRecord: updateRecordBody };

/** The query parameters that they read. */
export const dnsQueries: Queries = { getRecords: timePageQuery };
