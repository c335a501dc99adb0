import { type Draft, problem } from '#kind';
import type { Row, Unit } from './env-var-row-table.ts';
import { suffixOf } from './env-var-units.ts';

/**
 * Returns a draft without requests that explains why a row (a live variable with its places) cannot be written as desired; undefined if it
 * can.
 */
export const findRefusal = (row: Row): Draft | undefined =>
  refuseUndeclaredPlaces(row) ?? refuseUnknownValues(row);

/**
 * Refuses a new value for a row that also has undeclared places, because the value would change there too. Returns the refusal, or
 * undefined.
 */
function refuseUndeclaredPlaces({ id, staying, leaving }: Row): Draft | undefined {
  const units = [...staying, ...leaving];
  const changing = units.filter(({ step }) => step);
  const undeclared = units.filter(({ entry }) => entry === undefined);
  if (changing.length === 0 || undeclared.length === 0) return undefined;
  const { key } = changing[0]!.fields;
  const places = undeclared.map(({ fields }) => suffixOf(fields)).join(', ');
  return refusal(
    changing,
    'env/undeclared-targets',
    `the live variable ${key} (${id}) also covers ${places}, which this plan leaves alone`,
    `declare ${key} for ${places} too, or narrow the live variable first: a change would affect them as well`,
  );
}

/**
 * Refuses to move units (a variable in one place each) out of a row if their value is unknown: a unit that leaves its row
 * is created again, and that needs the value. Returns the refusal, or undefined.
 */
function refuseUnknownValues({ id, leaving }: Row): Draft | undefined {
  const unknown = leaving.filter(
    ({ isUnknown, keepsValue, step }) => isUnknown && (keepsValue || step?.action !== 'replace'),
  );
  if (unknown.length === 0) return undefined;
  const names = unknown.map(({ address }) => address).join(', ');
  return refusal(
    unknown,
    'env/unknown-value',
    `${names} would have to be split from the live variable ${id}, but its value cannot be read and is not declared`,
    unknown.some(({ keepsValue }) => keepsValue)
      ? 'set its `value`, or declare the same for all its targets'
      : 'declare the same for all its targets, or send the configured values with --send-unverified',
  );
}

/** Refuses to create a variable from these units if none has a value. Returns the refusal, or undefined. */
export const refuseMissingValue = (units: Unit[]): Draft | undefined =>
  units.every(({ fields }) => fields.value === undefined)
    ? refusal(
        units,
        'env/no-value',
        `${units.map(({ address }) => address).join(', ')} ${units.length === 1 ? 'is' : 'are'} missing, and cannot be created without a value`,
        'give it one: `value: TEXT`, or `value: "${secret.NAME}"` with NAME under `secrets:`; with `$ignore: [value]` beside it, only this creation sends it, and variables that exist keep theirs',
      )
    : undefined;

/** Refuses a unit (a variable in one place) without a value, because several live rows could take it in and may have different values. */
export const refuseAmbiguousValue = (unit: Unit, rows: Row[]): Draft =>
  refusal(
    [unit],
    'env/which-value',
    `${unit.address} has no value here, and the live variables it could join (${rows.map(({ id }) => id).join(', ')}) may have different ones`,
    'set its `value`, or give it its own entry',
  );

/** Returns a draft without requests, so that nothing is sent for these units. It reports one problem about them. */
function refusal(units: Unit[], code: string, message: string, hint: string): Draft {
  const { address, step } = units[0]!;
  return {
    changes: units.map(({ address }) => address),
    requests: [],
    problem: problem(code, message, { address, at: step?.after?.at, hint }),
  };
}
