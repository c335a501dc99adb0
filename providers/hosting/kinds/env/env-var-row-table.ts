import type { BatchContext, Fields, Request, Step } from '#kind';

/** A row that stays, and what becomes of it. */
export interface RowChange {
  row: Row;
  /** The members that change, as wanted. */
  body: Fields;
  /** Units that come into it. */
  joining: Unit[];
}

/** A new row. */
export interface NewRow {
  units: Unit[];
  fields: Fields;
}

/**
 * The rows in which the platform stores one kind of variable; `env-var-rows.ts` has what applies to all kinds. Writes with an equal
 * text go into one request.
 */
export interface RowTable {
  /** Fields of a row beside key, places, type and value. */
  fields: readonly string[];
  /** Names, as text, what the unit refers to that is not known yet, so it cannot be sent. Empty if it can be sent. */
  waitsFor(unit: Unit, context: BatchContext): string;
  createdWith(row: Fields): string;
  patchedWith(change: RowChange, context: BatchContext): string;
  removedWith(row: Row): string;
  create(rows: NewRow[]): Request;
  patch(changes: RowChange[]): Request;
  remove(rows: Row[]): Request;
}

/** Returns the addresses behind a change of a row: units that change in it, join it or leave it. */
export const addressesOf = ({ row: { stays, goes, leaves }, joining }: RowChange): string[] =>
  [...stays.filter(({ step }) => step), ...joining, ...goes, ...leaves].map(({ address }) => address);

/** One key in one place, as it will be. */
export interface Unit {
  address: string;
  fields: Fields;
  /** The YAML entry that declares it: units of one entry can share a row. Absent if nothing does. */
  entry?: string | undefined;
  /** The planned change; absent if there is none. */
  step?: Step | undefined;
  /** It is in a row already. */
  isLive: boolean;
  /** Its value is not known: it cannot be read, and may differ from the wanted one. */
  isUnknown?: boolean;
  /** Nothing here says what its value is: it keeps the one that it has. */
  keepsValue: boolean;
  /** The row has the wanted value, or will have it once the step is done. */
  isSettled?: boolean;
}

/** A row of the platform, and what becomes of its units. */
export interface Row {
  id: string;
  stays: Unit[];
  /** Desired, but with other values than the units that stay. */
  leaves: Unit[];
  /** No longer desired. */
  goes: Unit[];
}
