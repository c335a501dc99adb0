import { type AccountFacts, type Alignment, type Fields, isHole, problem, Sealed } from '#kind';
import { contentOf } from './env-var-homes.ts';
import type { RowTable, Unit } from './env-var-row-table.ts';

/** The team's policy: only sensitive variables, but for development, where the platform takes none. */
const isBound = ({ target }: Fields, facts: AccountFacts): boolean =>
  facts.sensitiveEnvironmentVariablePolicy === 'on' && target !== 'development';

/**
 * Returns the alignment that gives a unit its type if none is declared. A live unit keeps its type, unless it is written to and the policy
 * is younger than the unit. A new one is encrypted, or has the type that the policy demands.
 */
export const alignedTo =
  (table: RowTable) =>
  ({ desired: { fields, address, at }, live, facts }: Alignment) => {
    const bound = isBound(fields, facts);
    if (!bound || !fields.type) {
      const type = fields.type ? {} : impliedType(fields, live?.fields, bound, table);
      return { desired: { ...fields, ...type } };
    }
    if (fields.type === 'sensitive') return { desired: fields };
    const message = `the team allows only sensitive variables here, but this one is declared ${fields.type}`;
    const hint = 'remove `type` or set it to `sensitive`; development can stay `encrypted` in its own entry';
    return { desired: fields, problems: [problem('env/policy', message, { address, at, hint })] };
  };

/** Returns the type of a unit for which none is declared, as far as it differs from the live one. */
function impliedType(wanted: Fields, live: Fields | undefined, bound: boolean, { fields }: RowTable): Fields {
  if (!live && bound) return { type: 'sensitive' };
  // Without a value it can only join a row, and takes the type of that row.
  if (!live) return wanted.value === undefined ? {} : { type: 'encrypted' };
  const differs = (name: string) =>
    wanted[name] !== undefined && !isHole(wanted[name]) && contentOf(wanted[name]) !== contentOf(live[name]);
  // Of a value that cannot be read, only the ledger can tell; see `writtenUnder`.
  const isWritten = (live.value !== undefined && differs('value')) || fields.some(differs);
  return bound && live.type !== 'sensitive' && isWritten ? { type: 'sensitive' } : {};
}

/** A unit that leaves its row for a new one, as the policy of today wants it. */
export const forNewRow = (unit: Unit, facts: AccountFacts): Unit =>
  isBound(unit.fields, facts) ? { ...unit, fields: asSensitive(unit.fields) } : unit;

const asSensitive = (fields: Fields): Fields => ({
  ...fields,
  ...(typeof fields.value === 'string' ? { value: new Sealed(fields.value) } : {}),
  type: 'sensitive',
});

/** Returns a unit as the present policy demands it, if its unreadable value is written. */
export function writtenUnder(unit: Unit, facts: AccountFacts): Unit {
  const { step, fields } = unit;
  const writes = (name: string) => step?.fields.some(({ path }) => path === name) ?? false;
  if (step?.action !== 'update' || !writes('value') || writes('type')) return unit;
  if (fields.type === 'sensitive' || !isBound(fields, facts) || step.after?.meta.ignore?.includes('type'))
    return unit;
  return {
    ...unit,
    fields: asSensitive(fields),
    step: { ...step, fields: [...step.fields, { path: 'type', after: 'sensitive', cause: 'edit' }] },
  };
}
