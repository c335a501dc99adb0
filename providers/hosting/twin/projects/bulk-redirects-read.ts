import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Query } from '../call.ts';
import { choice, integer, queryChoice, text, wholeNumber } from '../http/query.ts';
import type { Switches } from '../switches.ts';
import type { bulkRedirect } from './bulk-redirects-body.ts';
import { askedVersion, liveVersion, type Version } from './staged-versions.ts';

/** A redirect as it is stored. */
export type BulkRedirect = Omit<z.infer<typeof bulkRedirect>, 'statusCode'> & { statusCode?: number };

/** Returns a redirect as it is stored: with a status code that was written as text as a number. */
export function storedRedirect({ statusCode, ...rest }: z.infer<typeof bulkRedirect>): BulkRedirect {
  return { ...rest, ...(statusCode === undefined ? {} : { statusCode: Number(statusCode) }) };
}

/** Returns a redirect as reads show it: with defaults and a status code, if the platform normalizes it. */
function readRedirect(redirect: BulkRedirect, switches: Switches): Record<string, unknown> {
  if (!switches.bulkRedirectsNormalized) return redirect;
  const { permanent, statusCode = permanent === true ? 308 : 307, ...rest } = redirect;
  return { caseSensitive: false, query: false, ...rest, statusCode };
}

/**
 * Returns a version as answers show it. Equal contents have equal keys; only a staged version has an alias, under which people can try it.
 */
export function readRedirectVersion(project: Project, version: Version<BulkRedirect>) {
  const { items, isStaging, ...read } = version;
  const key = createHash('sha256').update(JSON.stringify(items)).digest('hex').slice(0, 32);
  const alias = isStaging ? `${project.name}-redirects-${version.id.toLowerCase()}.vercel.app` : null;
  return {
    ...read,
    key,
    isStaging,
    redirectCount: items.length,
    ...(alias === null ? {} : { alias }),
  };
}

const sortKeys = ['source', 'destination', 'statusCode'] as const;
const sortOrders = ['asc', 'desc'] as const;
const diffs = ['true', 'false', 'only'] as const;

/** The query parameters of `readRedirects`. */
export const readRedirectsQuery: Query = {
  versionId: text,
  diff: choice(diffs),
  q: text,
  sort_by: choice(sortKeys),
  sort_order: choice(sortOrders),
  page: wholeNumber,
  per_page: wholeNumber,
};

/** Returns redirects in the order that the query asks for; without `sort_by`, in their own order. */
function sorted(call: Call, redirects: BulkRedirect[]): BulkRedirect[] {
  const sortKey = queryChoice(call, 'sort_by', sortKeys);
  const sign = queryChoice(call, 'sort_order', sortOrders) === 'desc' ? -1 : 1;
  if (sortKey === undefined) return redirects;
  const key = (bulkRedirect: BulkRedirect) => String(bulkRedirect[sortKey] ?? '');
  return [...redirects].sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

/** Returns the redirects of two versions, each marked as added, changed or removed if it differs. */
function differences(before: BulkRedirect[], after: BulkRedirect[]) {
  const old = new Map(before.map((bulkRedirect) => [bulkRedirect.source, bulkRedirect]));
  const remainingSources = new Set(after.map((bulkRedirect) => bulkRedirect.source));
  const marked = after.map((bulkRedirect) => {
    const was = old.get(bulkRedirect.source);
    if (was === undefined) return { ...bulkRedirect, action: '+' };
    return JSON.stringify(was) === JSON.stringify(bulkRedirect)
      ? bulkRedirect
      : { ...bulkRedirect, action: '~' };
  });
  return [
    ...marked,
    ...before
      .filter((bulkRedirect) => !remainingSources.has(bulkRedirect.source))
      .map((bulkRedirect) => ({ ...bulkRedirect, action: '-' })),
  ];
}

/**
 * Returns the answer of GET: a page of the redirects of a version, filtered and sorted, or all of them with their differences from the live
 * ones.
 */
export function readRedirects(call: Call, project: Project): unknown {
  const { bulkRedirects: versions } = project;
  const live = liveVersion(versions);
  const version = askedVersion(call, versions, { showsStaged: call.switches.redirectsReadStaged });
  const about = version === undefined ? {} : { version: readRedirectVersion(project, version) };
  const items = version?.items ?? [];
  const read = (bulkRedirect: BulkRedirect) => readRedirect(bulkRedirect, call.switches);
  const diff = queryChoice(call, 'diff', diffs);
  if (diff === 'true' || diff === 'only') {
    const marked = differences(live?.items ?? [], items).filter(
      (bulkRedirect) => diff === 'true' || 'action' in bulkRedirect,
    );
    return {
      redirects: marked.map(read),
      pagination: { page: 1, per_page: marked.length, numPages: 1 },
      ...about,
    };
  }
  const search = call.query.get('q') ?? '';
  const bulkRedirects = items.filter(
    ({ source, destination }) => source.includes(search) || destination.includes(search),
  );
  const page = Math.max(1, integer(call, 'page') ?? 1);
  // The CLI asks for 50, the Terraform provider for 250.
  const size = Math.max(1, Math.min(integer(call, 'per_page') ?? 50, 250, call.pageSize));
  const start = (page - 1) * size;
  return {
    redirects: sorted(call, bulkRedirects)
      .slice(start, start + size)
      .map(read),
    pagination: { page, per_page: size, numPages: Math.ceil(bulkRedirects.length / size) },
    ...about,
  };
}
