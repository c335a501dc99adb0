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

/** The draft (planned requests) of each row or other item. */
type DraftOf<T> = Map<T, Draft>;

/** Returns the row (platform object) that stands for these units (a variable in one place each). */
export const rowOf = (units: Unit[]): Fields => toRow(units.map(({ fields }) => fields));

/**
 * Returns the members with the places (targets and custom environments) of a row, but only those that differ between two lists of its
 * units. A row that was taken out of all its places in the account has none before.
 */
function placesOf(before: Unit[], after: Unit[]): Fields {
  const old = before.some(({ isUnplaced }) => isUnplaced) ? {} : rowOf(before);
  const current = rowOf(after);
  const isChanged = (name: string) => JSON.stringify(old[name] ?? []) !== JSON.stringify(current[name] ?? []);
  return Object.fromEntries(
    ['target', 'customEnvironmentIds'].filter(isChanged).map((name) => [name, current[name] ?? []]),
  );
}

/**
 * Returns the changed fields of a row from the first unit that stays in it, because all units that stay have equal changes. The place of a
 * unit is one of several in its row; see `placesOf`.
 */
function changesOf([first]: Unit[]): Fields {
  const paths = first?.step?.fields.map(({ path }) => path) ?? [];
  const names = paths.filter((path) => path !== 'target');
  return Object.fromEntries(names.map((name) => [name, first!.fields[name]!]));
}

/**
 * Returns the change of a live row: removes leaving and deleted units from its places, and adds the `joining` ones.
 * Undefined if nothing changes, or if no unit stays and the row will be removed.
 */
export function changeOf(row: Row, joining: Unit[]): RowChange | undefined {
  const { staying, leaving, deleted } = row;
  if (staying.length === 0) return undefined;
  const body = {
    ...changesOf(staying),
    ...placesOf([...staying, ...deleted, ...leaving], [...staying, ...joining]),
  };
  return Object.keys(body).length === 0 ? undefined : { row, body, joining };
}

/**
 * Returns a draft (planned requests) for each changed row, with as few requests as the table allows: rows with an
 * equal `table.patchedWith` share one.
 */
export function draftPatches(changes: RowChange[], context: BatchContext, table: RowTable): DraftOf<Row> {
  const drafts: DraftOf<Row> = new Map();
  for (const rowChanges of groupBy(changes, (change) => table.patchedWith(change, context)).values()) {
    const draft = {
      ...draftPatch(rowChanges, table),
      disrupts: rowChanges.some(({ row }) => row.leaving.length > 0)
        ? 'the variable is split from a shared row and briefly absent'
        : undefined,
    };
    for (const { row } of rowChanges) drafts.set(row, draft);
  }
  return drafts;
}

/** Returns one draft with one request for all these changes of rows. It records which units leave (`drops`) or join (`returns`) a row. */
function draftPatch(changes: RowChange[], table: RowTable): Draft {
  // Changes and additions come first: the first address says for the whole draft that it is no deletion.
  const rank = ({ row, joining }: RowChange) =>
    row.staying.some(({ step }) => step) ? 0 : joining.length > 0 ? 1 : 2;
  const inOrder = [...changes].sort((a, b) => rank(a) - rank(b));
  const drops = inOrder.flatMap(({ row }) => dropsOf(row));
  const returns = inOrder.flatMap(({ row, joining }) =>
    joining.map(({ address }) => ({ address, id: row.id })),
  );
  return {
    changes: inOrder.flatMap(addressesOf),
    requests: [
      {
        ...table.patch(inOrder),
        drops: drops.length > 0 ? drops : undefined,
        returns: returns.length > 0 ? returns : undefined,
      },
    ],
  };
}

/**
 * Returns the draft that adds units to a row after other requests (`after`): the units first have to leave another
 * row, or need an object that is still to be created.
 */
export function draftWidening(
  row: Row,
  units: Unit[],
  joining: Unit[],
  after: Draft[],
  table: RowTable,
): Draft {
  const wider: Row = { id: row.id, staying: units.map(withoutStep), leaving: [], deleted: [] };
  const change = { row: wider, body: placesOf(units, [...units, ...joining]), joining };
  return { ...draftPatch([change], table), after };
}

/** Returns a unit without its change, because an earlier request makes that. */
const withoutStep = ({ step: _, ...unit }: Unit): Unit => unit;

/** Returns the drafts that remove rows, for rows that no unit stays in. */
export function draftRemovals(rows: Row[], table: RowTable): DraftOf<Row> {
  const drafts: DraftOf<Row> = new Map();
  for (const removed of groupBy(rows, table.removedWith).values()) {
    const draft = {
      changes: removed.flatMap(({ deleted, leaving }) =>
        [...deleted, ...leaving].map(({ address }) => address),
      ),
      requests: [{ ...table.remove(removed), drops: removed.flatMap(dropsOf) }],
    };
    for (const row of removed) drafts.set(row, draft);
  }
  return drafts;
}

/** Returns the draft that creates rows with one request. `after`: the drafts that first free these places in other rows. */
export const draftCreation = (rows: NewRow[], after: Draft[], table: RowTable): Draft => {
  const batch = rows.map(({ units }) => units.map(({ address }) => address));
  return { changes: batch.flat(), requests: [{ ...table.create(rows), batch }], after };
};

/**
 * Returns the units that are no longer in a row after its change, with the id of the row, so that the ledger forgets
 * these ids.
 */
const dropsOf = ({ id, deleted, leaving }: Row): NonNullable<Request['drops']> =>
  [...deleted, ...leaving].map(({ address }) => ({ address, id }));
