import { type BatchContext, type Draft, type Fields, groupBy, type Request } from '#kind';
import {
  addressesOf,
  type NewRow,
  type Row,
  type RowChange,
  type RowTable,
  type Unit,
} from './env-var-row-table.ts';
import { toRow } from './env-var-units.ts';

/** Drafts by what each one is the work of. */
type DraftOf<T> = Map<T, Draft>;

/** Units of one row as the platform has them. */
export const asRow = (units: Unit[]): Fields => toRow(units.map(({ fields }) => fields));

/** Returns the changed ones of the members of a row that hold its places. */
function placesOf(before: Unit[], after: Unit[]): Fields {
  const [old, current] = [asRow(before), asRow(after)];
  const isChanged = (name: string) => JSON.stringify(old[name] ?? []) !== JSON.stringify(current[name] ?? []);
  return Object.fromEntries(
    ['target', 'customEnvironmentIds'].filter(isChanged).map((name) => [name, current[name] ?? []]),
  );
}

/** The fields that change in a row. All units that stay in it change alike, so the first one tells. */
function changesOf([first]: Unit[]): Fields {
  const names = first?.step?.fields.map(({ path }) => path) ?? [];
  return Object.fromEntries(names.map((name) => [name, first!.fields[name]!]));
}

/** Returns the change of a row that stays: leaving and deleted units are taken out, joining ones taken in. Undefined if nothing changes. */
export function changeOf(row: Row, joining: Unit[]): RowChange | undefined {
  const { stays, leaves, goes } = row;
  if (stays.length === 0) return undefined;
  const body = { ...changesOf(stays), ...placesOf([...stays, ...goes, ...leaves], [...stays, ...joining]) };
  return Object.keys(body).length === 0 ? undefined : { row, body, joining };
}

/** Changes rows with as few requests as the table allows. Returns the draft of each row. */
export function patchedRows(changes: RowChange[], context: BatchContext, table: RowTable): DraftOf<Row> {
  const drafts: DraftOf<Row> = new Map();
  for (const rowChanges of groupBy(changes, (change) => table.patchedWith(change, context)).values()) {
    const draft = {
      ...patched(rowChanges, table),
      ...(rowChanges.some(({ row }) => row.leaves.length > 0)
        ? { disrupts: 'the variable is split from a shared row and briefly absent' }
        : {}),
    };
    for (const { row } of rowChanges) drafts.set(row, draft);
  }
  return drafts;
}

/** Returns one draft for rows that the table can change with one request. */
function patched(changes: RowChange[], table: RowTable): Draft {
  // Changes and additions come first: the first address says for the whole draft that it is no deletion.
  const rank = ({ row, joining }: RowChange) =>
    row.stays.some(({ step }) => step) ? 0 : joining.length > 0 ? 1 : 2;
  const inOrder = [...changes].sort((a, b) => rank(a) - rank(b));
  const drops = inOrder.flatMap(({ row }) => takenOut(row));
  const returns = inOrder.flatMap(({ row, joining }) =>
    joining.map(({ address }) => ({ address, id: row.id })),
  );
  return {
    changes: inOrder.flatMap(addressesOf),
    requests: [
      {
        ...table.patch(inOrder),
        ...(drops.length > 0 ? { drops } : {}),
        ...(returns.length > 0 ? { returns } : {}),
      },
    ],
  };
}

/** Widens a row by units that had to leave another row first, or to wait for another request. */
export function widenedRow(row: Row, units: Unit[], joining: Unit[], after: Draft[], table: RowTable): Draft {
  const wider: Row = { id: row.id, stays: units.map(asItIs), leaves: [], goes: [] };
  const change = { row: wider, body: placesOf(units, [...units, ...joining]), joining };
  return { ...patched([change], table), after };
}

/** Its own change was made before. */
const asItIs = ({ step: _, ...unit }: Unit): Unit => unit;

/** Returns the requests that remove the rows in which no unit stays. */
export function removedRows(rows: Row[], table: RowTable): DraftOf<Row> {
  const drafts: DraftOf<Row> = new Map();
  for (const removed of groupBy(rows, table.removedWith).values()) {
    const draft = {
      changes: removed.flatMap(({ goes, leaves }) => [...goes, ...leaves].map(({ address }) => address)),
      requests: [{ ...table.remove(removed), drops: removed.flatMap(takenOut) }],
    };
    for (const row of removed) drafts.set(row, draft);
  }
  return drafts;
}

/** New rows that go into one request. */
export const createdRows = (rows: NewRow[], after: Draft[], table: RowTable): Draft => {
  const batch = rows.map(({ units }) => units.map(({ address }) => address));
  return { changes: batch.flat(), requests: [{ ...table.create(rows), batch }], after };
};

const takenOut = ({ id, goes, leaves }: Row): NonNullable<Request['drops']> =>
  [...goes, ...leaves].map(({ address }) => ({ address, id }));
