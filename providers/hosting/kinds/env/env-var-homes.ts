import { canonical, holesIn, revealed, type Value } from '#kind';
import type { Row, Unit } from './env-var-row.ts';
import type { RowTable } from './env-var-row-table.ts';

/** The rows for units that are in none yet, or must leave theirs. */
export interface Housed {
  /** Into rows that hold their entry already. */
  joining: Map<Row, Unit[]>;
  /** Into new rows, one for each list. */
  created: Unit[][];
}

/** Finds a row for each unit: the one that its entry has already, else a new one that it shares with its like. */
export function housed(units: Unit[], rows: Row[], { fields }: RowTable): Housed {
  const open = rows.filter(isOpen);
  const joining = new Map<Row, Unit[]>();
  const created: Unit[][] = [];
  for (const unit of units) {
    const row = open.find(({ stays }) => fits(unit, stays[0]!, fields));
    const fellows = created.find(([first]) => fits(unit, first!, fields));
    if (row) joining.set(row, [...(joining.get(row) ?? []), unit]);
    else if (fellows) fellows.push(unit);
    else created.push([unit]);
  }
  return { joining, created };
}

/** Only a row of one entry, with its value for certain, can take in more units of it. */
const isOpen = ({ stays }: Row): boolean =>
  stays.length > 0 &&
  stays[0]!.entry !== undefined &&
  stays.every(({ entry, isSettled }) => entry === stays[0]!.entry && isSettled);

/** True if a unit can share a row with another one. A field that a new unit does not declare fits any value. */
const fits = ({ entry, fields, isLive }: Unit, other: Unit, names: readonly string[]): boolean =>
  entry === other.entry &&
  fields.type === other.fields.type &&
  names.every(
    (name) =>
      (!isLive && fields[name] === undefined) || contentOf(fields[name]) === contentOf(other.fields[name]),
  );

/** A text or a set, for comparing: nothing, an empty text and an empty set are the same. */
export const contentOf = (value: Value | undefined): string =>
  [revealed(value) ?? []]
    .flat()
    .filter((one) => one !== '')
    .map(canonical)
    .sort()
    .join();

/** True if a unit has a value that is not known yet: a reference to another resource, or a secret. */
export const hasHoles = ({ fields }: Unit): boolean => holesIn(fields).length > 0;
