/**
 * Environment variables, a project's and a team's: units and rows.
 *
 * A unit is one variable in one place (target or custom environment). The platform stores rows. A row has one value, one type,
 * one comment and (for a team's variable) one list of projects for all its places. Two rows of a key and branch may not share
 * a place. Unchanged units stay in their row, so rows that are already right are never reshaped. For a row R and its changed
 * units:
 *
 *   all of R changes, to one entry (exact)     PATCH R: value, type, comment, projects
 *   some of R changes (subset, split)          one part stays in R by PATCH; the others leave it and are created after
 *   an entry gained places (superset)          PATCH R wider, if R holds that entry and nothing else; else a new row
 *   several rows of one entry (merge)          nothing: equal values in two rows are right; changed ones are patched each
 *   places of R go away                        PATCH R, narrower; DELETE if no unit stays
 *   R lost all its places outside              PATCH R: the places of the units that stay (a project's row counts as deleted instead)
 *   R leaves `sensitive`                       the platform cannot change that: DELETE (or narrower), then a new row
 *   R also has undeclared places               narrower is fine, but a new value is refused: it would change them too
 *   a leaving unit has an unknown value        refused: it could not be created again
 *   an entry has no value                      each row keeps its own: places join a row that the entry has, if that is one
 *                                              value for certain; what leaves a row takes the value along, if it can be read;
 *                                              a new row has none to take, and is refused
 *
 * A part that leaves a row is absent until it is created again. So the part that stays is the one with production, otherwise one
 * with an unknown value, otherwise an unchanged one, otherwise the largest.
 */
import { type BatchContext, type Draft, groupBy, type Step } from '#kind';
import {
  changeOf,
  draftCreation,
  draftPatches,
  draftRemovals,
  draftWidening,
  rowOf,
} from './env-var-drafts.ts';
import { findRows } from './env-var-homes.ts';
import { toNewRow } from './env-var-policy.ts';
import { findRefusal, refuseAmbiguousValue, refuseMissingValue } from './env-var-refusals.ts';
import { liveRows, newUnits } from './env-var-row.ts';
import type { Row, RowTable, Unit } from './env-var-row-table.ts';

/**
 * Returns the function which turns all changes (steps) of variables of one project or team into drafts of requests.
 * It keeps rows as they are where possible. A draft that takes a place waits only for the draft that frees it.
 */
export const writesTo =
  (table: RowTable) =>
  (steps: Step[], context: BatchContext): Draft[] => {
    const checkedRows = liveRows(steps, context).map((row) => ({ row, refusal: findRefusal(row) }));
    const refused = checkedRows.flatMap(({ refusal }) => refusal ?? []);
    const rows = checkedRows.flatMap(({ row, refusal }) => (refusal ? [] : row));
    const movingUnits = rows.flatMap(({ leaving }) => leaving.map((unit) => toNewRow(unit, context.facts)));
    const { joining, created, unclear } = findRows([...movingUnits, ...newUnits(steps)], rows, table);

    // A new unit that waits for nothing joins its row in the same PATCH that changes the row.
    const joinsAtOnce = (unit: Unit) => !unit.isLive && table.waitsFor(unit, context) === '';
    const atOnce = (row: Row) => (joining.get(row) ?? []).filter(joinsAtOnce);
    const changed = rows.flatMap((row) => changeOf(row, atOnce(row)) ?? []);
    const patched = draftPatches(changed, context, table);
    const removed = draftRemovals(
      rows.filter(({ staying }) => staying.length === 0),
      table,
    );
    const freed = new Map(
      rows.flatMap((row) =>
        row.leaving.map(({ address }) => [address, patched.get(row) ?? removed.get(row)!] as const),
      ),
    );
    const freeing = (units: Unit[]) => [...new Set(units.flatMap(({ address }) => freed.get(address) ?? []))];

    const widened = [...joining].flatMap(([row, units]) => {
      const later = units.filter((unit) => !joinsAtOnce(unit));
      // The row's own PATCH comes first, because no unit may join a row that still has the old value.
      const after = new Set([...freeing(later), ...(patched.get(row) ? [patched.get(row)!] : [])]);
      return later.length === 0
        ? []
        : draftWidening(row, [...row.staying, ...atOnce(row)], later, [...after], table);
    });
    // Rows share requests. But rows that have to wait, or may fail, get their own, so that they do not delay
    // others.
    const drafts = [...new Set([...patched.values(), ...removed.values()])];
    const valueless = created.flatMap((units) => refuseMissingValue(units) ?? []);
    const posts = groupBy(
      created.filter((units) => !refuseMissingValue(units)).map((units) => ({ units, fields: rowOf(units) })),
      ({ units, fields }) =>
        JSON.stringify([
          units.map((unit) => table.waitsFor(unit, context)).find((text) => text !== '') ?? '',
          freeing(units).map((draft) => drafts.indexOf(draft)),
          table.createdWith(fields),
        ]),
    );
    const posted = [...posts.values()]
      .flatMap((post) => splitEvery(post, table.mostCreated))
      .map((post) => draftCreation(post, freeing(post.flatMap(({ units }) => units)), table));
    const homeless = unclear.map(({ unit, rows }) => refuseAmbiguousValue(unit, rows));
    return [...refused, ...homeless, ...valueless, ...drafts, ...widened, ...posted];
  };

/**
 * Splits a list into lists of at most `size` items, so that no request creates more rows than its table allows. One list if `size` is
 * absent.
 */
const splitEvery = <T>(items: T[], size = items.length): T[][] =>
  items.flatMap((_, index) => (index % size === 0 ? [items.slice(index, index + size)] : []));
