import { type BatchContext, fieldsWhileExisting, groupBy, isHole, revealed, type Step } from '#kind';
import { withPolicyType } from './env-var-policy.ts';
import type { Row, Unit } from './env-var-row-table.ts';
import { hasPlace } from './env-var-units.ts';

/**
 * Returns the live rows (variables with their places) of one project or team, each divided into units (one place
 * each) with their planned changes. Everything in `env-var-rows.ts` starts from these.
 */
export function liveRows(steps: Step[], { live, desired, unverified, facts }: BatchContext): Row[] {
  const stepOf = new Map(steps.map((step) => [step.address, step]));
  const desiredOf = new Map(
    desired.filter(({ meta }) => !meta.existing).map((resource) => [resource.address, resource]),
  );
  // A unit that is in no place, and stays so, takes part in nothing.
  const liveUnits = live.filter(({ address, fields }) => hasPlace(fields) || stepOf.has(address));
  const units = liveUnits.map(({ address, ids, fields }) => {
    const step = stepOf.get(address);
    const wanted = desiredOf.get(address);
    const writesValue = step?.fields.some(({ path }) => path === 'value') ?? false;
    const wantedFields = wanted && (step?.action === 'replace' ? wanted.fields : fieldsWhileExisting(wanted));
    const value = wantedFields?.value;
    const isRead = fields.value !== undefined;
    const unit: Unit = {
      address,
      fields: { ...fields, ...wantedFields },
      entry: wanted?.group,
      step,
      isLive: true,
      isUnplaced: !hasPlace(fields),
      keepsValue: value === undefined,
      isUnknown: !writesValue && !isRead && (value === undefined || unverified.has(address)),
      isSettled:
        writesValue ||
        value === undefined ||
        (!unverified.has(address) && (isRead ? isSame(value, fields.value) : !isHole(value))),
    };
    return { id: ids[0]!, unit: withPolicyType(unit, facts) };
  });
  return [...groupBy(units, ({ id }) => id)].map(([id, sameRow]) =>
    divideRow(
      id,
      sameRow.map(({ unit }) => unit),
    ),
  );
}

const isSame = (a: unknown, b: unknown) => String(revealed(a)) === String(revealed(b));

/** Returns the units that are in no row yet: those that the plan creates. */
export const newUnits = (steps: Step[]): Unit[] =>
  steps
    .filter(({ action }) => action === 'create')
    .map((step) => {
      const { fields, group } = step.after!;
      const keepsValue = fields.value === undefined;
      return { address: step.address, fields, entry: group, step, isLive: false, keepsValue };
    });

/**
 * Divides the units of a row into those that stay in it (`staying`), leave it for another row (`leaving`), and are
 * deleted (`deleted`). Only units with equal changes can stay together, because a row has one value.
 */
function divideRow(id: string, units: Unit[]): Row {
  const deleted = units.filter(({ step }) => step?.action === 'delete');
  const remaining = units.filter(({ step }) => step?.action !== 'delete');
  const parts = groupBy(remaining, partOf);
  // A replaced unit is created again, so it cannot stay.
  parts.delete('replaced');
  const staying = [...parts.values()].sort((a, b) => rankOf(b) - rankOf(a) || b.length - a.length)[0] ?? [];
  return { id, deleted, staying, leaving: remaining.filter((unit) => !staying.includes(unit)) };
}

/**
 * Returns the name of the part of a row that a unit belongs to. Units of one part can stay in one row, because they
 * have no change or equal changes.
 */
function partOf({ step, entry }: Unit): string {
  if (!step) return 'as it is';
  if (step.action === 'replace') return 'replaced';
  return JSON.stringify([entry, step.fields.map(({ path }) => path).sort()]);
}

/**
 * Returns the rank of a part of a row. The part with the highest rank stays in the row, because the other parts are
 * absent for a moment: production first, then units with an unknown value, then unchanged ones.
 */
function rankOf(units: Unit[]): number {
  if (units.some(({ fields }) => fields.target === 'production')) return 3;
  if (units.some(({ isUnknown }) => isUnknown)) return 2;
  return units.some(({ step }) => step) ? 0 : 1;
}
