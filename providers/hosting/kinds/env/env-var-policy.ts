import { type AccountFacts, type Alignment, type Fields, isHole, problem, Sealed } from '#kind';
import { contentOf } from './env-var-homes.ts';
import type { RowTable, Unit } from './env-var-row-table.ts';

/**
 * True if the team's policy requires a variable at this target to be sensitive (never readable). It exempts
 * development, because the platform refuses sensitive variables there.
 */
const isBound = ({ target }: Fields, facts: AccountFacts): boolean =>
  facts.sensitiveEnvironmentVariablePolicy === 'on' && target !== 'development';

/**
 * Returns the function which gives a unit (a variable in one place) its type if none is declared, before a comparison with the account. A
 * live unit keeps its type, unless it is written and the policy requires `sensitive`. A new one is `sensitive` if the policy requires
 * that, otherwise `encrypted`.
 */
export const createTypeAlignment =
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

/**
 * Returns the type of a unit without a declared type; empty if it keeps the live type. `bound`: the team's policy requires `sensitive`
 * here.
 */
function impliedType(wanted: Fields, live: Fields | undefined, bound: boolean, { fields }: RowTable): Fields {
  if (!live && bound) return { type: 'sensitive' };
  // Without a value it can only join a row, and takes the type of that row.
  if (!live) return wanted.value === undefined ? {} : { type: 'encrypted' };
  const differs = (name: string) =>
    wanted[name] !== undefined && !isHole(wanted[name]) && contentOf(wanted[name]) !== contentOf(live[name]);
  // If the value cannot be read, only the ledger knows whether it differs; see `withPolicyType`.
  const isWritten = (live.value !== undefined && differs('value')) || fields.some(differs);
  return bound && live.type !== 'sensitive' && isWritten ? { type: 'sensitive' } : {};
}

/** Returns a unit that leaves its row for a new row, with the type which the team's policy requires for new rows. */
export const toNewRow = (unit: Unit, facts: AccountFacts): Unit =>
  isBound(unit.fields, facts) ? { ...unit, fields: toSensitive(unit.fields) } : unit;

/**
 * Returns the fields of a variable with the type `sensitive`, and with a sealed value so that it is never printed.
 */
const toSensitive = (fields: Fields): Fields => ({
  ...fields,
  ...(typeof fields.value === 'string' ? { value: new Sealed(fields.value) } : {}),
  type: 'sensitive',
});

/**
 * Returns a unit with the type `sensitive` if its value is written and the team's policy requires that type. Needed
 * for values that cannot be read: only the ledger shows that such a value differs, so `impliedType` cannot know it.
 */
export function withPolicyType(unit: Unit, facts: AccountFacts): Unit {
  const { step, fields } = unit;
  const writes = (name: string) => step?.fields.some(({ path }) => path === name) ?? false;
  if (step?.action !== 'update' || !writes('value') || writes('type')) return unit;
  if (fields.type === 'sensitive' || !isBound(fields, facts) || step.after?.meta.ignore?.includes('type'))
    return unit;
  return {
    ...unit,
    fields: toSensitive(fields),
    step: { ...step, fields: [...step.fields, { path: 'type', after: 'sensitive', cause: 'edit' }] },
  };
}
