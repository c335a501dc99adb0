/**
 * Environment variables, a project's and a team's: units and rows.
 *
 * A unit is one key in one place. The platform stores rows, and a row has one value, one type, one comment and (a team's) one
 * list of projects for all its places; no two rows of a key and branch may share a place. Units that do not change stay in the
 * row they are in, so rows that are right already are never reshaped. For a row R and the units of it that change:
 *
 *   all of R changes, to one entry (exact)     PATCH R: value, type, comment, projects
 *   some of R changes (subset, split)          one part stays in R by PATCH; the others leave it and are created after
 *   an entry gained places (superset)          PATCH R wider, if R holds that entry and nothing else; else a new row
 *   several rows of one entry (merge)          nothing: equal values in two rows are right; changed ones are patched each
 *   places of R go away                        PATCH R, narrower; DELETE when none is left
 *   R leaves `sensitive`                       the platform knows no way back: DELETE (or narrower), then a new row
 *   R also has undeclared places               narrower is fine, but a new value is refused: it would change them too
 *   what would leave R has an unknown value    refused: it could not be created again
 *   an entry says no value                     each row keeps its own: places join a row that the entry has, if that is one
 *                                              value for certain; what leaves a row takes the value along, if it can be read;
 *                                              a new row has none to take, and is refused
 *
 * A part that leaves a row does not exist until it is created again. So the part that stays is production's, else one of an unknown
 * value, else one that does not change, else the largest.
 */
import { type BatchContext, type Draft, groupBy, type Step } from '#kind';
import { asRow, changeOf, createdRows, patchedRows, removedRows, widenedRow } from './env-var-drafts.ts';
import { housed } from './env-var-homes.ts';
import { forNewRow } from './env-var-policy.ts';
import { noValue, whichValue, whyRefused } from './env-var-refusals.ts';
import { liveRows, newUnits } from './env-var-row.ts';
import type { Row, RowTable, Unit } from './env-var-row-table.ts';

/**
 * Returns the function that turns all changes (steps) of variables of one project or team into drafts of requests.
 * It keeps rows as they are where possible. A draft that takes a place waits only for the draft that frees it.
 */
export const writesTo =
  (table: RowTable) =>
  (steps: Step[], context: BatchContext): Draft[] => {
    const checkedRows = liveRows(steps, context).map((row) => ({ row, refusal: whyRefused(row) }));
    const refused = checkedRows.flatMap(({ refusal }) => refusal ?? []);
    const rows = checkedRows.flatMap(({ row, refusal }) => (refusal ? [] : row));
    const leaving = rows.flatMap(({ leaves }) => leaves.map((unit) => forNewRow(unit, context.facts)));
    const { joining, created, unclear } = housed([...leaving, ...newUnits(steps)], rows, table);

    // A new unit that waits for nothing joins its row in the same PATCH that changes the row.
    const joinsAtOnce = (unit: Unit) => !unit.isLive && table.waitsFor(unit, context) === '';
    const atOnce = (row: Row) => (joining.get(row) ?? []).filter(joinsAtOnce);
    const changed = rows.flatMap((row) => changeOf(row, atOnce(row)) ?? []);
    const patched = patchedRows(changed, context, table);
    const removed = removedRows(
      rows.filter(({ stays }) => stays.length === 0),
      table,
    );
    const freed = new Map(
      rows.flatMap((row) =>
        row.leaves.map(({ address }) => [address, patched.get(row) ?? removed.get(row)!] as const),
      ),
    );
    const freeing = (units: Unit[]) => [...new Set(units.flatMap(({ address }) => freed.get(address) ?? []))];

    const widened = [...joining].flatMap(([row, units]) => {
      const later = units.filter((unit) => !joinsAtOnce(unit));
      // The row's own PATCH comes first, because no unit may join a row that still has the old value.
      const after = new Set([...freeing(later), ...(patched.get(row) ? [patched.get(row)!] : [])]);
      return later.length === 0
        ? []
        : widenedRow(row, [...row.stays, ...atOnce(row)], later, [...after], table);
    });
    // Rows share requests. But rows that have to wait, or may fail, get their own, so that they do not delay
    // others.
    const drafts = [...new Set([...patched.values(), ...removed.values()])];
    const valueless = created.flatMap((units) => noValue(units) ?? []);
    const posts = groupBy(
      created.filter((units) => !noValue(units)).map((units) => ({ units, fields: asRow(units) })),
      ({ units, fields }) =>
        JSON.stringify([
          units.map((unit) => table.waitsFor(unit, context)).find((text) => text !== '') ?? '',
          freeing(units).map((draft) => drafts.indexOf(draft)),
          table.createdWith(fields),
        ]),
    );
    const posted = [...posts.values()].map((post) =>
      createdRows(post, freeing(post.flatMap(({ units }) => units)), table),
    );
    const homeless = unclear.map(({ unit, rows }) => whichValue(unit, rows));
    return [...refused, ...homeless, ...valueless, ...drafts, ...widened, ...posted];
  };
