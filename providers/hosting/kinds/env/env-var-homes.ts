import { addTo, canonical, type Fields, holesIn, revealed, type Value } from '#kind';
import type { Row, RowTable, Unit } from './env-var-row-table.ts';

/** The rows for units that are in none yet, or must leave theirs. */
interface Housed {
  /** Into rows that hold their entry already. */
  joining: Map<Row, Unit[]>;
  /** Into new rows, one for each list. */
  created: Unit[][];
  /** Units without a value that could go into several rows. It is unknown whether these rows have the same value. */
  unclear: { unit: Unit; rows: Row[] }[];
}

/** Finds a row for each unit: the one that its entry has already, else a new one that it shares with its like. */
export function housed(units: Unit[], rows: Row[], { fields }: RowTable): Housed {
  const open = rows.filter(isOpen);
  const joining = new Map<Row, Unit[]>();
  const created: Unit[][] = [];
  const unclear: Housed['unclear'] = [];
  for (const unit of units) {
    const fitting = open.filter(({ stays }) => fits(unit, stays[0]!, fields));
    const [row] = fitting;
    const fellows = created.find(([first]) => fits(unit, first!, fields));
    if (unit.fields.value === undefined && !haveOneValue(fitting)) unclear.push({ unit, rows: fitting });
    else if (row) addTo(joining, row, unit);
    else if (fellows) fellows.push(unit);
    else created.push([unit]);
  }
  return { joining, created, unclear };
}

/** Only a row of one entry, with its value for certain, can take in more units of it. */
const isOpen = ({ stays }: Row): boolean =>
  stays.length > 0 &&
  stays[0]!.entry !== undefined &&
  stays.every(({ entry, isSettled }) => entry === stays[0]!.entry && isSettled);

/** True if rows are known to have the same value; one row has. */
const haveOneValue = (rows: Row[]): boolean => {
  const values = rows.map(({ stays }) => stays[0]!.fields.value);
  return (
    rows.length < 2 || (!values.includes(undefined as never) && new Set(values.map(contentOf)).size === 1)
  );
};

/** True if a unit can share a row with another one. A field that a new unit does not declare fits any value. */
const fits = ({ entry, fields, isLive, keepsValue }: Unit, unit: Unit, names: readonly string[]): boolean =>
  entry === unit.entry &&
  (fields.type === unit.fields.type || (!isLive && keepsValue && takesType(fields, unit))) &&
  // Units of one entry have one value, unless the entry says none: then each brings its own.
  [...names, ...(keepsValue ? ['value'] : [])].every(
    (name) =>
      (!isLive && fields[name] === undefined) || contentOf(fields[name]) === contentOf(unit.fields[name]),
  );

/** True if a unit without a type can have that of a row: no sensitive variable is in development. */
const takesType = ({ type, target }: Fields, unit: Unit): boolean =>
  type === undefined && !(target === 'development' && unit.fields.type === 'sensitive');

/** Returns a text or a set in a form to compare: nothing, an empty text and an empty set are equal. */
export const contentOf = (value: Value | undefined): string =>
  [revealed(value) ?? []]
    .flat()
    .filter((text) => text !== '')
    .map(canonical)
    .sort()
    .join();

/** True if a unit has a value that is not known yet: a reference to another resource, or a secret. */
export const hasHoles = ({ fields }: Unit): boolean => holesIn(fields).length > 0;
