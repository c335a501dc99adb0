import type { BatchContext, Fields, Request } from '#kind';
import type { Row, Unit } from './env-var-row.ts';

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
 * How the platform stores one kind of variable: what rows have in common everywhere is in `env-var-rows.ts`. What is written
 * with an equal text goes into one request.
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

/** The addresses behind a change of a row: what changes in it, what comes into it, what it loses. */
export const addressesOf = ({ row: { stays, goes, leaves }, joining }: RowChange): string[] =>
  [...stays.filter(({ step }) => step), ...joining, ...goes, ...leaves].map(({ address }) => address);
