/**
 * Changed DNS sets as requests. Rows are paired with the wanted members by their content. What is left over on both sides is
 * paired into updates, so that the name always has an answer; then the rest is created, then deleted.
 */
import { type Draft, type Fields, type LiveRow, type Request, request, revealed, type Step } from '#kind';
import { memberKey } from './dns-content.ts';
import { membersOf, recordOf } from './dns-set.ts';

/** All steps of one zone as drafts, one for each set. */
export function writes(steps: Step[]): Draft[] {
  const sets = steps.map((step) => {
    const { name, type } = (step.after ?? step.before)!.fields;
    return { action: step.action, name, type: String(type), draft: draftOf(step) };
  });
  for (const made of sets.filter(({ action }) => action === 'create'))
    for (const gone of sets.filter(({ action, name }) => action === 'delete' && name === made.name)) {
      const types = [made.type, gone.type];
      // A CNAME and other types cannot meet. What answers for addresses is better there twice than not at all.
      if (types.includes('CNAME')) runAfter(made.draft, gone.draft, gap);
      else if (types.every((type) => ['A', 'AAAA', 'ALIAS'].includes(type))) runAfter(gone.draft, made.draft);
    }
  return sets.map(({ draft }) => draft);
}

const gap = 'the name answers nothing between the deletion and the creation';

const runAfter = (draft: Draft, other: Draft, disrupts?: string) =>
  Object.assign(draft, { after: [...(draft.after ?? []), other] }, disrupts ? { disrupts } : {});

function draftOf({ address, before, after }: Step): Draft {
  const { name, type } = (after ?? before)!.fields;
  const wanted = [...membersOf(after?.fields)];
  // In an order of their own: that of the list means nothing.
  let left = [...(before?.rows ?? [])].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const patched: Request[] = [];
  const pair = (isMatch: (row: LiveRow, record: Fields) => boolean) => {
    left = left.filter((row) => {
      const at = wanted.findIndex((record) => isMatch(row, record));
      if (at >= 0) patched.push(...patch(row, wanted.splice(at, 1)[0]!));
      return at < 0;
    });
  };
  pair((row, record) => keyOf(row) === memberKey(record));
  // Only what is ours may become something else; best where it points to the same target already.
  pair((row, record) => row.ours === true && targetOf(recordOf(row)) === targetOf(record));
  pair((row) => row.ours === true);

  const created = wanted.map((record) => ({
    ...request('POST /v2/domains/{domain}/records', { name: name === '@' ? '' : name, type, ...record }),
    returns: [{ address, path: ['uid'] }],
  }));
  const deleted = left.map(({ id }) => ({
    ...request('DELETE /v2/domains/{domain}/records/{record}', undefined, { record: id }),
    drops: [{ address, id }],
  }));
  const isSwap = type === 'CNAME' && created.length > 0 && deleted.length > 0;
  const requests = [...patched, ...(isSwap ? [...deleted, ...created] : [...created, ...deleted])];
  return { changes: [address], requests, ...(isSwap ? { disrupts: gap } : {}) };
}

/** What has to change of a row to become this member, if anything; its content only as a whole. */
function patch(row: LiveRow, record: Fields): Request[] {
  const found = recordOf(row);
  const { ttl, comment, ...content } = record;
  const isOpen = (name: 'ttl' | 'comment') =>
    record[name] === undefined || revealed(record[name]) === found[name];
  const body = {
    ...(memberKey(found) === memberKey(record) ? {} : content),
    ...(isOpen('ttl') ? {} : { ttl }),
    ...(isOpen('comment') ? {} : { comment }),
  };
  if (Object.keys(body).length === 0) return [];
  return [request('PATCH /v1/domains/records/{record}', body, { record: row.id })];
}

const keyOf = (row: LiveRow) => memberKey(recordOf(row));

const targetOf = ({ value, srv, https }: Fields) =>
  revealed(value ?? ((srv ?? https) as Fields | undefined)?.target);
