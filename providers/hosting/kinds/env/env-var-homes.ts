import { addTo, canonicalJson, type Fields, holesIn, revealed, type Value } from '#kind';
import type { Row, RowTable, Unit } from './env-var-row-table.ts';

/** The rows for units (a variable in one place each) that are in no row yet, or have to leave theirs. */
interface RowsForUnits {
  /** Units that can join an existing row of the same YAML entry. */
  joining: Map<Row, Unit[]>;
  /** Units that need a new row. Each list becomes one row. */
  created: Unit[][];
  /** Units without a value that could go into several rows. It is unknown whether these rows have the same value. */
  unclear: { unit: Unit; rows: Row[] }[];
}

/**
 * Finds a row for each unit (a variable in one place) that has none: an existing row of its YAML entry, or a new row
 * that it shares with equal units. A row is one variable of the account, with one value for several places.
 */
export function findRows(units: Unit[], rows: Row[], { fields }: RowTable): RowsForUnits {
  const open = rows.filter(isOpen);
  const joining = new Map<Row, Unit[]>();
  const created: Unit[][] = [];
  const unclear: RowsForUnits['unclear'] = [];
  for (const unit of units) {
    const fitting = open.filter(({ staying }) => canShareRow(unit, staying[0]!, fields));
    const [row] = fitting;
    const newRow = created.find(([first]) => canShareRow(unit, first!, fields));
    if (unit.fields.value === undefined && !haveOneValue(fitting)) unclear.push({ unit, rows: fitting });
    else if (row) addTo(joining, row, unit);
    else if (newRow) newRow.push(unit);
    else created.push([unit]);
  }
  return { joining, created, unclear };
}

/** True if more units can join a row: all its units come from one YAML entry, and it certainly has the value of that entry. */
const isOpen = ({ staying }: Row): boolean =>
  staying.length > 0 &&
  staying[0]!.entry !== undefined &&
  staying.every(({ entry, isSettled }) => entry === staying[0]!.entry && isSettled);

/** True if all rows certainly have the same value, or there is at most one row. A unit without a value can then join any of them. */
const haveOneValue = (rows: Row[]): boolean => {
  const values = rows.map(({ staying }) => staying[0]!.fields.value);
  return (
    rows.length < 2 || (!values.includes(undefined as never) && new Set(values.map(contentOf)).size === 1)
  );
};

/**
 * True if a unit can share a row with another unit, because the fields of the row (`names`) and the type are equal.
 * A field that a new unit does not declare fits any value.
 */
const canShareRow = (
  { entry, fields, isLive, keepsValue }: Unit,
  unit: Unit,
  names: readonly string[],
): boolean =>
  entry === unit.entry &&
  (fields.type === unit.fields.type || (!isLive && keepsValue && takesType(fields, unit))) &&
  // Units of one entry have one value. Only if the entry declares none, or only for creations (`$ignore`), each
  // live unit has its own, so values are compared.
  [...names, ...(keepsValue || unit.keepsValue ? ['value'] : [])].every(
    (name) =>
      (!isLive && fields[name] === undefined) || contentOf(fields[name]) === contentOf(unit.fields[name]),
  );

/** True if a unit without a declared type can take the type of a row. The platform refuses sensitive variables in development. */
const takesType = ({ type, target }: Fields, unit: Unit): boolean =>
  type === undefined && !(target === 'development' && unit.fields.type === 'sensitive');

/**
 * Returns a text that is equal for equal values of a field, independent of the order of a set. A missing value, an
 * empty text and an empty set are equal.
 */
export const contentOf = (value: Value | undefined): string =>
  [revealed(value) ?? []]
    .flat()
    .filter((text) => text !== '')
    .map(canonicalJson)
    .sort()
    .join();

/** True if a unit has a value that is not known yet: a reference to another resource, or a secret. */
export const hasHoles = ({ fields }: Unit): boolean => holesIn(fields).length > 0;
