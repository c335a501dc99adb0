/**
 * Turns changed DNS sets into requests. Rows are paired with the wanted members by their content. The rest of both sides is
 * paired into updates, so that the name always has an answer; then the rest is created, then deleted. A row of ours is
 * renamed if its name was changed outside or in the configuration. The type of a row cannot change.
 */
import {
  type Draft,
  type Fields,
  type LiveRow,
  type Request,
  request,
  revealed,
  type Step,
  type Value,
} from '#kind';
import { memberKey } from './dns-content.ts';
import { membersOf, mostValues, recordOf } from './dns-set.ts';

/**
 * Turns the changes (`steps`) of one domain's DNS sets into drafts of operations, one for each set, and orders them
 * so that names resolve without a gap where possible.
 */
export function writes(steps: Step[]): Draft[] {
  const sets = steps.map((step) => {
    const { name, type } = (step.after ?? step.before)!.fields;
    return { action: step.action, name, type: String(type), before: step.before, draft: draftOf(step) };
  });
  // A set that has the name now gives it up first.
  for (const set of sets.filter(({ action }) => action === 'create'))
    for (const earlier of sets)
      if (earlier !== set && (earlier.before?.rows ?? []).some(({ fields }) => isOf(fields, set)))
        runAfter(set.draft, earlier.draft);
  for (const created of sets.filter(({ action }) => action === 'create'))
    for (const deleted of sets.filter(({ action, name }) => action === 'delete' && name === created.name)) {
      const types = [created.type, deleted.type];
      // A CNAME cannot stand beside other types. Address records overlap for a moment rather than leave the name without an answer.
      if (types.includes('CNAME')) runAfter(created.draft, deleted.draft, gap);
      else if (types.every((type) => ['A', 'AAAA', 'ALIAS'].includes(type)))
        runAfter(deleted.draft, created.draft);
    }
  return sets.map(({ draft }) => draft);
}

const gap = 'the name does not resolve between the deletion and the creation';

const isOf = (fields: Fields, { name, type }: { name?: unknown; type: string }) =>
  fields.name === name && fields.type === type;

const runAfter = (draft: Draft, predecessor: Draft, disrupts?: string) =>
  Object.assign(draft, { after: [...(draft.after ?? []), predecessor] }, disrupts ? { disrupts } : {});

/**
 * Turns the change of one DNS set into its requests: updates of rows, then creations and deletions, as described at
 * the top of this file. A row is one live record.
 */
function draftOf({ address, before, after }: Step): Draft {
  const { name, type } = (after ?? before)!.fields;
  const wanted = [...membersOf(after?.fields)];
  // In an order of their own: that of the list means nothing.
  let liveRows = [...(before?.rows ?? [])].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const patched: Request[] = [];
  const pair = (isMatch: (row: LiveRow, record: Fields) => boolean) => {
    liveRows = liveRows.filter((row) => {
      const index = row.fields.type === type ? wanted.findIndex((record) => isMatch(row, record)) : -1;
      if (index >= 0) patched.push(...patch(row, wanted.splice(index, 1)[0]!, name));
      return index < 0;
    });
  };
  pair((row, record) => keyOf(row) === memberKey(record));
  // Only our own rows may become another record; best one that points to the same target already.
  pair((row, record) => row.ours === true && targetOf(recordOf(row)) === targetOf(record));
  pair((row) => row.ours === true);

  const created = wanted.map((record) => ({
    ...request('POST /v2/domains/{domain}/records', { name: asSent(name), type, ...record }),
    returns: [{ address, path: ['uid'] }],
  }));
  const deleted = liveRows.map(({ id }) => ({
    ...request('DELETE /v2/domains/{domain}/records/{record}', undefined, { record: id }),
    drops: [{ address, id }],
  }));
  const isCname = type === 'CNAME' || liveRows.some(({ fields }) => fields.type === 'CNAME');
  const isSwap = isCname && created.length > 0 && deleted.length > 0;
  // A full set makes room first: it has no place for another value.
  const rowCount = before?.rows?.length ?? 0;
  const firstDeleted = isSwap ? deleted.length : Math.max(0, rowCount + created.length - mostValues);
  const requests = [
    ...patched,
    ...deleted.slice(0, firstDeleted),
    ...created,
    ...deleted.slice(firstDeleted),
  ];
  const leavesGap = isSwap || (firstDeleted > 0 && firstDeleted === rowCount);
  return { changes: [address], requests, disrupts: leavesGap ? gap : undefined };
}

const asSent = (name: Value | undefined) => (name === '@' ? '' : name);

/**
 * Returns the request that turns a live row into the desired `record` of the set `name`; none if they are equal. If
 * the content differs, all of it is sent.
 */
function patch(row: LiveRow, record: Fields, name: Value | undefined): Request[] {
  const fields = recordOf(row);
  const { ttl, comment, ...content } = record;
  const isOpen = (name: 'ttl' | 'comment') =>
    record[name] === undefined || revealed(record[name]) === fields[name];
  const body = {
    ...(row.fields.name === name ? {} : { name: asSent(name) }),
    ...(memberKey(fields) === memberKey(record) ? {} : content),
    ...(isOpen('ttl') ? {} : { ttl }),
    ...(isOpen('comment') ? {} : { comment }),
  };
  if (Object.keys(body).length === 0) return [];
  return [request('PATCH /v1/domains/records/{record}', body, { record: row.id })];
}

const keyOf = (row: LiveRow) => memberKey(recordOf(row));

const targetOf = ({ value, srv, https }: Fields) =>
  revealed(value ?? ((srv ?? https) as Fields | undefined)?.target);
