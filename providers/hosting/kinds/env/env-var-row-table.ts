import type { BatchContext, Fields, Request, Step } from '#kind';

/** The change of a live row (one variable of the account with its places) in which at least one unit stays. */
export interface RowChange {
  row: Row;
  /** The changed members with their desired values. */
  body: Fields;
  /** Units that are added to the row. */
  joining: Unit[];
}

/** A row that will be created from these units. */
export interface NewRow {
  units: Unit[];
  fields: Fields;
}

/**
 * The differences between a project's and a team's variables for `env-var-rows.ts`: the fields of their rows and their requests.
 * Creations, patches and removals with an equal text (`createdWith` and so on) share a request.
 */
export interface RowTable {
  /** Fields of a row beside key, places, type and value. */
  fields: readonly string[];
  /** The most rows that one request creates; absent if any number may. */
  mostCreated?: number;
  /** Returns as text the references of a unit that are not known yet, so that it cannot be sent now. Empty if it can. */
  waitsFor(unit: Unit, context: BatchContext): string;
  createdWith(row: Fields): string;
  patchedWith(change: RowChange, context: BatchContext): string;
  removedWith(row: Row): string;
  create(rows: NewRow[]): Request;
  patch(changes: RowChange[]): Request;
  remove(rows: Row[]): Request;
}

/** Returns the addresses behind a change of a row: units that change in it, join it or leave it. */
export const addressesOf = ({ row: { staying, deleted, leaving }, joining }: RowChange): string[] =>
  [...staying.filter(({ step }) => step), ...joining, ...deleted, ...leaving].map(({ address }) => address);

/** One variable in one place (target or custom environment), as it will be after the run. */
export interface Unit {
  address: string;
  fields: Fields;
  /** The YAML entry that declares it: units of one entry can share a row. Absent if it is undeclared. */
  entry?: string | undefined;
  /** The planned change; absent if there is none. */
  step?: Step | undefined;
  /** It is in a row already. */
  isLive: boolean;
  /** Its row was taken out of all its places in the account, so it has to get its own back. */
  isUnplaced?: boolean;
  /** Its value is unknown: it cannot be read, and may differ from the desired one. */
  isUnknown?: boolean;
  /** No value is declared, so it keeps its live value. */
  keepsValue: boolean;
  /** The row has the desired value, or will have it once the step is done. */
  isSettled?: boolean;
}

/** A row of the platform (one variable with one value for several places) with its units, divided by their future. */
export interface Row {
  id: string;
  staying: Unit[];
  /** Units that are desired with other values than the staying ones. They move to another row. */
  leaving: Unit[];
  /** Units that are no longer desired. */
  deleted: Unit[];
}
