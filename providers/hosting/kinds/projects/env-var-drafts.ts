import { type ApiObject, type Draft, type Fields, type Request, request } from '#kind';
import type { Row, Unit } from './env-var-row.ts';
import { toRow } from './env-var-units.ts';

const addresses = (units: Unit[]) => units.map(({ address }) => address);
const asRow = (units: Unit[]) => toRow(units.map(({ fields }) => fields));

const patch = (id: string, body: ApiObject): Request =>
  request('PATCH /v9/projects/{project}/env/{id}', body, { id });

/** The members of a row that say where it is, as far as they change. */
function placesOf(before: Unit[], after: Unit[]): ApiObject {
  const [old, now] = [asRow(before), asRow(after)];
  const isChanged = (name: string) => JSON.stringify(old[name] ?? []) !== JSON.stringify(now[name] ?? []);
  return Object.fromEntries(
    ['target', 'customEnvironmentIds'].filter(isChanged).map((name) => [name, now[name] ?? []]),
  );
}

/** What changes in a row; what stays in it changes alike. */
function changesOf([first]: Unit[]): Fields {
  const names = first?.step?.fields.map(({ path }) => path) ?? [];
  return Object.fromEntries(names.map((name) => [name, first!.fields[name]!]));
}

/** A row that stays, with what leaves and goes taken out and what joins it taken in: one PATCH, if anything. */
export function patchedRow({ id, stays, leaves, goes }: Row, joining: Unit[]): Draft[] {
  if (stays.length === 0) return [];
  const gone = [...goes, ...leaves];
  const body = { ...changesOf(stays), ...placesOf([...stays, ...gone], [...stays, ...joining]) };
  if (Object.keys(body).length === 0) return [];
  const changed = stays.filter(({ step }) => step);
  return [
    {
      changes: addresses([...changed, ...gone, ...joining]),
      requests: [{ ...patch(id, body), ...takenOut(gone, id), ...takenIn(joining, id) }],
      ...(leaves.length > 0
        ? { disrupts: 'a variable leaves the row it shared, and is absent for a moment' }
        : {}),
    },
  ];
}

/** A row that takes in units which had to leave another one first. */
export const widenedRow = (units: Unit[], joining: Unit[], id: string, after: Draft[]): Draft => ({
  changes: addresses(joining),
  requests: [{ ...patch(id, placesOf(units, [...units, ...joining])), ...takenIn(joining, id) }],
  after,
});

/** Rows of which nothing stays: one DELETE, if any. */
export function removedRows(rows: Row[]): Draft[] {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const drops = rows.flatMap(({ id, goes, leaves }) => takenOut([...goes, ...leaves], id).drops ?? []);
  return [
    {
      changes: rows.flatMap(({ goes, leaves }) => addresses([...goes, ...leaves])),
      requests: [{ ...request('DELETE /v1/projects/{project}/env', { ids }), drops }],
    },
  ];
}

/** New rows, one for each list of units: one POST. */
export const createdRows = (rows: Unit[][], after: Draft[]): Draft => ({
  changes: rows.flatMap(addresses),
  requests: [{ ...request('POST /v10/projects/{project}/env', rows.map(asRow)), batch: rows.map(addresses) }],
  after,
});

const takenOut = (units: Unit[], id: string): Pick<Request, 'drops'> =>
  units.length > 0 ? { drops: units.map(({ address }) => ({ address, id })) } : {};

const takenIn = (units: Unit[], id: string): Pick<Request, 'returns'> =>
  units.length > 0 ? { returns: units.map(({ address }) => ({ address, id })) } : {};
